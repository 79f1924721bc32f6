#include "gen/cli/work.h"
#include <stdlib.h>
#include <string.h>
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/review/catch_up.h"
#include "core/review/verdict_import.h"
#include "gen/cli/out.h"
#include "gen/cli/settled_text.h"

int hm_actor_of(hm_cli *cli, hm_actor *out) {
  const char *by = hm_cli_option(cli, "by");
  hm_str name = hm_str_trim(hm_str_c(by));
  if (by && !hm_actor_name(name))
    return hm_fail(&cli->err, HM_E_USAGE, "--by", "not a name",
                   "give 1 to 200 bytes without control characters");
  if (!by) name = hm_text_cut(hm_text_repair(cli->a, hm_str_c(getenv("USER"))), HM_ACTOR_MAX);
  if (!name.n) name = HM_STR("unknown");
  *out = (hm_actor){ .by = hm_str_dup(cli->a, name), .at = hm_time_iso(cli->a, hm_time_now()) };
  return 0;
}

hm_store_source hm_cli_source(const hm_cli *cli) {
  const hm_config *c = &cli->config;
  return (hm_store_source){ .path = cli->store,
                            .review = c->review,
                            .map = c->map,
                            .n_map = c->n_map,
                            .dated = cli->epoch >= 0,
                            .epoch = cli->epoch * 1000000,
                            .take = hm_cli_option(cli, "same-store") != NULL };
}

int hm_cli_store(hm_cli *cli, hm_store_mode mode, hm_store **out, hm_err *err) {
  const hm_store_source src = hm_cli_source(cli);
  if (hm_store_open_source(out, &src, mode, HM_BUSY_MS, err)) return -1;
  const char *other = hm_store_review_of(*out);
  if (other && !cli->review_told)
    hm_note(
        cli,
        "%s: this review file is of the store %s, and its verdicts may mean nothing in %s: name another file in mirror.yml: review; "
        "or, if that store is this one, run 'hmirror sweep --same-store'",
        cli->config.review, hm_show(cli, hm_str_c(other), 200), cli->store);
  cli->review_told = cli->review_told || other;
  return 0;
}

static int store_version(hm_cli *cli, int *version) {
  hm_store *store = NULL;
  if (hm_cli_store(cli, HM_STORE_READ, &store, &cli->err)) return -1;
  *version = hm_store_version(store);
  hm_store_close(store);
  return 0;
}

int hm_cli_open_writer(hm_cli *cli, bool dry_run, hm_store **out) {
  int version = HM_STORE_VERSION;
  if (dry_run && store_version(cli, &version)) return -1;
  if (version < HM_STORE_VERSION)
    return hm_failf(&cli->err, HM_E_STORE, hm_str_fmt(cli->a, "store %s", cli->store).p,
                    "any command that writes brings it forward: hmirror sweep",
                    "it is of version %d, and a dry run leaves it so", version);
  return hm_cli_store(cli, HM_STORE_WRITE, out, &cli->err);
}

/* Verdicts that wait for a conflict, which this sweep may have opened. What they change is swept
 * again. */
static int settle_waiting(hm_cli *cli, hm_store *store, const hm_sweep_options *opt,
                          hm_sweep *sweep) {
  hm_settled settled;
  hm_review r = { .rules = opt->rules, .who = opt->who };
  if (hm_review_settle_waiting(store, &r, cli->a, &settled, &cli->err)) {
    hm_sweep_free(sweep);
    return -1;
  }
  hm_settled_note(cli, &settled, true);
  if (!settled.counts[HM_SETTLED]) return 0;
  hm_sweep_free(sweep);
  return hm_sweep_run_all(store, opt, cli->a, sweep, &cli->err);
}

int hm_cli_sweep(hm_cli *cli, const hm_sweep_options *want, hm_sweep *out) {
  hm_store *store = NULL;
  hm_sweep_options opt = *want;
  opt.rules = &cli->config.rules;
  opt.threads = cli->threads;
  opt.skip_idle_run = cli->watches;
  if (opt.record && hm_actor_of(cli, &opt.who)) return -1;
  if (hm_cli_store(cli, opt.record ? HM_STORE_WRITE : HM_STORE_READ, &store, &cli->err)) return -1;
  hm_progress_phase(cli->progress, "looking for contradictions");
  /* One that runs again and again leaves a store alone that it finds nothing new in. */
  int rc = opt.record && !opt.skip_idle_run
      ? hm_sweep_and_index(store, &opt, cli->a, out, &cli->err)
      : hm_sweep_run_all(store, &opt, cli->a, out, &cli->err);
  if (!rc && opt.record && !out->same) rc = settle_waiting(cli, store, &opt, out);
  hm_store_close(store);
  if (!rc && out->same) hm_detail(cli, "%s: %zu rows, as they were", cli->store, out->snap->n_rows);
  else if (!rc)
    hm_detail(cli, "%s: %zu rows, %zu claims, %zu slots", cli->store, out->snap->n_rows,
              out->claims->n, out->disputes->slots);
  return rc;
}

int hm_cli_query(hm_cli *cli, const hm_conflict_query *q, hm_sweep *out, hm_str *project) {
  hm_store *store = NULL;
  hm_conflict_answer answer;
  if (hm_cli_store(cli, HM_STORE_READ, &store, &cli->err)) return -1;
  int rc = hm_query_conflicts(store, &cli->config.rules, q, cli->a, &answer, &cli->err);
  hm_store_close(store);
  *project = answer.project;
  *out = answer.sweep;
  if (rc) return -1;
  if (!answer.known) {
    hm_detail(cli, "%s: the index of the claims cannot tell: run 'hmirror sweep'", cli->store);
    return 0;
  }
  hm_detail(cli, "%s: %zu rows, %zu claims, %zu slots, by the index of the claims", cli->store,
            out->snap->n_rows, out->claims->n, out->disputes->slots);
  return 1;
}

int hm_cli_sweep_for_conflict(hm_cli *cli, const char *id, hm_sweep *out) {
  hm_str project;
  int rc = *id ? hm_cli_query(cli, &(hm_conflict_query){ .id = hm_str_c(id) }, out, &project) : 0;
  if (rc) return rc < 0 ? -1 : 0;
  rc = hm_cli_sweep(cli, &(hm_sweep_options){ .details = true }, out);
  hm_progress_clear(cli->progress);
  return rc;
}

const hm_conflict_rec **hm_cli_recorded(hm_cli *cli, const hm_sweep *sweep, size_t *n) {
  const hm_plan *p = sweep->plan;
  const hm_conflict_rec **out = hm_alloc_array(cli->a, p->n_conflicts + 1, sizeof *out);
  hm_map fresh;
  hm_map_init(&fresh, cli->a, p->opened);
  for (size_t i = 0; i < p->n; i++)
    if (p->changes[i].kind == HM_CHANGE_OPEN) hm_map_add(&fresh, p->changes[i].rec.id, 0);
  *n = 0;
  for (size_t i = 0; i < p->n_conflicts; i++)
    if (hm_map_get(&fresh, p->conflicts[i].id) == HM_MAP_NONE) out[(*n)++] = &p->conflicts[i];
  return out;
}

/* A misspelt name leaves nothing out, and what it was to hide is published. */
void hm_cli_note_excludes(hm_cli *cli, const hm_snapshot *snap, bool values) {
  static const struct { const char *list, *what; } lists[] = {
    { "projects", "is no project" }, { "types", "no row has such a type" },
    { "tags", "no memory has such a tag" }, { "properties", "no row has such a property" },
  };
  hm_exclude_unused *unused;
  size_t n = hm_exclude_unused_of(&cli->config.exclude, snap, values, cli->a, &unused);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
      if (strcmp(lists[k].list, unused[i].list) == 0)
        hm_note(cli, "%s: publish.exclude.%s: '%s' leaves nothing out of %s: %s", cli->config.file,
                lists[k].list, hm_show(cli, unused[i].name, 60), cli->store, lists[k].what);
}

hm_view_options hm_cli_view_options(const hm_cli *cli) {
  const hm_config *c = &cli->config;
  return (hm_view_options){ .exclude = c->exclude,
                            .title = c->title,
                            .base_url = c->base_url,
                            .list_limit = c->list_limit,
                            .value_limit = c->value_limit,
                            .tool = HM_STR(HM_TOOL) };
}

int hm_cli_view(hm_cli *cli, const hm_sweep *sweep, hm_view **out) {
  const hm_config *c = &cli->config;
  hm_view_options opt = hm_cli_view_options(cli);
  hm_cli_note_excludes(cli, sweep->snap, cli->command->tells_excludes);
  hm_progress_phase(cli->progress, "laying out the pages");
  return hm_view_new(sweep, &c->rules, &opt, cli->a, out, &cli->err);
}

static const char see_list[] = "see 'hmirror conflicts list --status all'";

const hm_conflict_rec *hm_cli_conflict(hm_cli *cli, const hm_sweep *sweep, const char *id) {
  const hm_snapshot *snap = sweep->snap;
  const hm_conflict_rec *found = NULL;
  size_t n = 0;
  for (size_t i = 0; i < snap->n_conflicts; i++) {
    const hm_conflict_rec *c = &snap->conflicts[i];
    if (hm_str_is(c->id, id)) return c;
    if (!*id || !hm_str_starts(c->id, id)) continue;
    found = c;
    n++;
  }
  if (n == 1) return found;
  const char *what = hm_str_fmt(cli->a, "conflict '%.60s'", id).p;
  if (n > 1)
    hm_failf(&cli->err, HM_E_USAGE, what, "give more of its id", "%zu conflicts begin so", n);
  else hm_fail(&cli->err, HM_E_USAGE, what, "there is none", see_list);
  return NULL;
}
