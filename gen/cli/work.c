#include "gen/cli/work.h"
#include <stdlib.h>
#include <string.h>
#include "gen/cli/out.h"

static int store_version(hm_cli *cli, int *version) {
  hm_store *store = NULL;
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &store, &cli->err)) return -1;
  *version = hm_store_version(store);
  hm_store_close(store);
  return 0;
}

int hm_cli_open_writer(hm_cli *cli, bool dry_run, hm_store **out) {
  int version = HM_STORE_VERSION;
  if (dry_run && store_version(cli, &version)) return -1;
  if (version < HM_STORE_VERSION)
    return hm_failf(&cli->err, HM_E_STORE, hm_str_fmt(cli->a, "store %s", cli->mirror.store).p,
                    "any command that writes brings it forward: hmirror sweep",
                    "it is of version %d, and a dry run leaves it so", version);
  return hm_mirror_open(&cli->mirror, HM_STORE_WRITE, out, &cli->err);
}

void hm_note_indexed(hm_cli *cli, bool known) {
  if (known) hm_mirror_say_work(&cli->mirror, ", by the index of the claims");
  else hm_detail(cli, "%s: the index of the claims cannot tell: run 'hmirror sweep'", cli->mirror.store);
}

int hm_cli_sweep_for_conflict(hm_cli *cli, const char *id, hm_sweep *out) {
  hm_store *store = NULL;
  hm_conflict_answer answer = { .known = false };
  if (*id && hm_mirror_open(&cli->mirror, HM_STORE_READ, &store, &cli->err)) return -1;
  int rc = *id ? hm_query_conflict(store, &cli->mirror.config.rules, hm_str_c(id), cli->a, &answer, &cli->err)
               : 0;
  hm_store_close(store);
  if (rc) return -1;
  *out = answer.sweep;
  if (answer.known) hm_mirror_count_sweep(&cli->mirror, out);
  if (*id) hm_note_indexed(cli, answer.known);
  if (answer.known) return 0;
  rc = hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ .details = true }, out, &cli->err);
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

int hm_cli_page_forms(hm_cli *cli) {
  bool markdown = hm_cli_option(cli, "markdown-only"), html = hm_cli_option(cli, "html-only");
  if (markdown && html)
    return hm_fail(&cli->err, HM_E_USAGE, "--markdown-only", "given together with --html-only",
                   "give one of them, or none for both");
  if (markdown || html) {
    cli->mirror.config.markdown = markdown;
    cli->mirror.config.html = html;
  }
  return 0;
}


void hm_cli_made_json(hm_jw *w, const hm_made *made) {
  const hm_made_counts *c = &made->counts;
  hm_jw_int(w, "pages", c->pages);
  hm_jw_int(w, "files", c->files);
  hm_jw_str(w, "digest", made->digest);
  hm_jw_int(w, "open_conflicts_count", c->open_conflicts);
  hm_jw_int(w, "disputed_count", c->disputed);
  hm_jw_int(w, "findings", c->findings);
}
