/* Opens and sweeps the store for all commands and servers, reports on it, and formats lines for
 * people. */
#include "gen/mirror/mirror.h"
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "core/base/credential.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/claim/world.h"
#include "core/detect/rule.h"
#include "core/net/post.h"
#include "core/markdown/escape.h"

/* --- lines for people ------------------------------------------------------------------- */

static void say(void (*hear)(void *ctx, const char *line), void *ctx, const char *fmt, va_list ap) {
  hm_buf b = { 0 };
  if (!hear)
    return;
  hm_buf_vfmt(&b, fmt, ap);
  hm_buf_ch(&b, 0);
  if (!b.failed)
    hear(ctx, b.p);
  hm_buf_free(&b);
}

void hm_warn(const hm_reporter *r, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say(r->warn, r->ctx, fmt, ap);
  va_end(ap);
}

void hm_warn_of_readers(const hm_reporter *r, const char *path) {
  struct stat st;
  if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & (S_IRGRP | S_IROTH)))
    hm_warn(r, "%s: others can read it, and it holds secrets: chmod go= it", path);
}

void hm_say_note(const hm_reporter *r, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say(r->note, r->ctx, fmt, ap);
  va_end(ap);
}

void hm_say_detail(const hm_reporter *r, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say(r->detail, r->ctx, fmt, ap);
  va_end(ap);
}

void hm_say_phase(const hm_reporter *r, const char *text) {
  if (r->phase)
    r->phase(r->ctx, text);
}

const char *hm_terminal_line(hm_arena *a, hm_str fact, size_t max) {
  /* Cuts a long fact also before cleaning, so that the cost depends on the shown length. */
  hm_str s = hm_clean_text(a, hm_credential_hide(max ? hm_text_cut(fact, 8 * max) : fact, a));
  if (!max || s.n <= max)
    return hm_str_z(a, s);
  return hm_str_fmt(a, "%.*s…", HM_FMT(hm_text_cut(s, max))).p;
}

const char *hm_format_thousands(hm_arena *a, uint64_t n) {
  return hm_format_grouped_number(a, n).p;
}

const char *hm_format_count_plural(hm_arena *a, uint64_t n, const char *one, const char *many) {
  return hm_format_count_phrase(a, n, one, many).p;
}

const char *hm_format_count(hm_arena *a, uint64_t n, const char *one) {
  return hm_str_fmt(a, "%s %s%s", hm_format_thousands(a, n), one, n == 1 ? "" : "s").p;
}

/* --- the store -------------------------------------------------------------------------- */

hm_mirror hm_mirror_copy_for_background(const hm_mirror *m) {
  hm_mirror copy = *m;
  copy.say = (hm_reporter){ 0 };
  copy.watches = true;
  copy.review_warned = true;
  return copy;
}

const char *hm_endpoint_why_off(const hm_mirror *m, const hm_endpoint *e, const char *name) {
  const char *key = e->url ? getenv(e->key_env) : NULL;
  if (!e->url)
    return hm_str_fmt(m->a, "%s.url is not set in %s", name, hm_config_file_name(&m->config)).p;
  if (e->withheld)
    return e->withheld;
  if (!key || !*key)
    return hm_str_fmt(m->a, "the environment has no %s", e->key_env).p;
  return hm_net_hides_key(e->url)
      ? NULL
      : hm_str_fmt(m->a, "%s.url is plain http, over which no key is sent but to this machine",
                   name)
            .p;
}

const char *hm_endpoint_url(const hm_endpoint *e, const char *call, hm_arena *a) {
  hm_str s = hm_str_c(e->withheld ? "" : e->url);
  if (hm_str_ends(s, "/v1/"))
    s.n--;
  return hm_str_ends(s, "/v1") ? HM_CAT(a, s, hm_str_c(call)).p : s.p;
}

int hm_mirror_actor(const hm_mirror *m, hm_actor *out, hm_err *err) {
  hm_str name = hm_str_trim(hm_str_c(m->by));
  if (m->by && !hm_actor_name_fits(name))
    return hm_fail(err, HM_E_USAGE, "--by", "not a name",
                   "give 1 to 200 bytes without control characters");
  if (!m->by)
    name = hm_text_cut(hm_text_repair(m->a, hm_str_c(getenv("USER"))), HM_ACTOR_MAX);
  if (!name.n)
    name = HM_STR("unknown");
  *out = (hm_actor){ .by = hm_str_dup(m->a, name), .at = hm_time_iso(m->a, hm_time_now()) };
  return 0;
}

hm_store_source hm_mirror_source(const hm_mirror *m) {
  const hm_config *c = &m->config;
  size_t n_eras;
  const hm_str *eras = hm_worlds_list_era_names(c->rules.worlds, &n_eras);
  return (hm_store_source){ .path = m->store,
                            .eras = eras,
                            .n_eras = n_eras,
                            .review = c->review,
                            .map = c->map,
                            .n_map = c->n_map,
                            .dated = m->epoch >= 0,
                            .epoch = m->epoch * 1000000,
                            .judged = c->judge.url != NULL,
                            .take = m->same_store };
}

int hm_mirror_open(hm_mirror *m, hm_store_mode mode, hm_store **out, hm_err *err) {
  const hm_store_source src = hm_mirror_source(m);
  if (hm_trust_check(&m->trust, m->store, err))
    return -1;
  if (hm_store_open_source(out, &src, mode, HM_BUSY_MS, err)) {
    if (strstr(err->what, src.review))
      hm_trust_check(&m->trust, src.review, err);
    return -1;
  }
  if ((mode == HM_STORE_WRITE || mode == HM_STORE_CREATE) && hm_evidence_upgrade(*out, err)) {
    hm_store_close(*out);
    *out = NULL;
    return -1;
  }
  if (!m->lock_noted && hm_store_lacks_lock(*out)) {
    hm_say_note(
        &m->say,
        "%s: there can be no lock file in its folder, so that writers wait for each other by"
        " trying again and again",
        m->store);
    m->lock_noted = true;
  }
  const char *other = hm_store_review_of(*out);
  if (other && !m->review_warned)
    hm_warn(&m->say,
            "%s: this review file is of the store %s, and its verdicts may mean nothing in %s: "
            "name another file in mirror.yml: review; or, if that store is this one, run 'hmirror "
            "sweep --same-store'",
            m->config.review, hm_terminal_line(m->a, hm_str_c(other), 200), m->store);
  m->review_warned = m->review_warned || other;
  return 0;
}

enum { VERDICTS_SHOWN = 10, ID_SHOWN = 60, WHY_SHOWN = 400 };

/* True when the same report came before: a pair of verdicts that differ is reported once. */
static bool is_told(const hm_settled *s, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (s->v[k].what == s->v[i].what && hm_str_eq(s->v[k].conflict, s->v[i].conflict) &&
        hm_str_eq(s->v[k].why, s->v[i].why))
      return true;
  return false;
}

static void warn_verdict(const hm_mirror *m, const hm_settled_verdict *v) {
  const char *id = hm_terminal_line(m->a, v->conflict, ID_SHOWN),
             *why = hm_terminal_line(m->a, v->why, WHY_SHOWN);
  if (v->what == HM_SETTLE_CONTESTED)
    hm_warn(&m->say, "conflict %s: two verdicts differ: %s: decide again", id, why);
  else
    hm_warn(&m->say, "conflict %s: an imported verdict no longer fits, so it stays open: %s", id,
            why);
}

void hm_warn_imported_verdicts(const hm_mirror *m, const hm_settled *s, bool news) {
  size_t shown = 0, more = 0;
  if (s->counts[HM_SETTLED])
    hm_say_note(&m->say, "%s what the file says",
                hm_format_count_plural(m->a, s->counts[HM_SETTLED],
                                       "imported verdict was carried out; who signed it is",
                                       "imported verdicts were carried out; who signed them is"));
  if (s->counts[HM_SETTLE_WAITS] && !news)
    hm_say_note(&m->say, "%s for a conflict that is not there yet",
                hm_format_count_plural(m->a, s->counts[HM_SETTLE_WAITS], "imported verdict waits",
                                       "imported verdicts wait"));
  for (size_t i = 0; i < s->n; i++) {
    if (!(s->v[i].what == HM_SETTLE_UNFIT || s->v[i].what == HM_SETTLE_CONTESTED) ||
        (news && !s->v[i].news))
      continue;
    if (shown == VERDICTS_SHOWN)
      more++;
    else if (!is_told(s, i))
      warn_verdict(m, &s->v[i]), shown++;
  }
  if (more)
    hm_warn(&m->say, "and %s more: see 'hmirror health --format json'",
            hm_format_count(m->a, more, "verdict"));
}

static void count_sweep(hm_mirror *m, const hm_sweep *w) {
  m->work.rows_read += w->snap->n_rows;
  m->work.claims_made += w->claims ? w->claims->n : 0;
  m->work.slots_judged += w->disputes ? w->disputes->slots : 0;
}

/* Applies waiting verdicts to conflicts that this sweep may have opened, and sweeps again when they
 * changed something. */
static int settle_waiting_verdicts(hm_mirror *m, hm_store *store, const hm_sweep_options *opt,
                                   hm_sweep *sweep, hm_err *err) {
  hm_settled settled;
  hm_review r = { .rules = opt->rules, .who = opt->who };
  if (hm_review_settle_waiting(store, &r, m->a, &settled, err)) {
    hm_sweep_free(sweep);
    return -1;
  }
  hm_warn_imported_verdicts(m, &settled, true);
  if (!settled.counts[HM_SETTLED])
    return 0;
  count_sweep(m, sweep);
  hm_sweep_free(sweep);
  return hm_sweep_run_all(store, opt, m->a, sweep, err);
}

/* Warns of tolerances whose slot has no claims: they may be typos. One pass over the claims. */
static void check_tolerances(const hm_mirror *m, const hm_claims *claims) {
  const hm_rules *rules = &m->config.rules;
  bool *met = hm_alloc_array(m->a, rules->n_tolerances + 1, sizeof *met);
  for (size_t i = 0; rules->n_tolerances && i < claims->n; i++) {
    const hm_tolerance *t = hm_rules_tolerance(rules, claims->claims[i].name);
    if (t)
      met[t - rules->tolerances] = true;
  }
  for (size_t i = 0; i < rules->n_tolerances; i++) {
    hm_str slot = rules->tolerances[i].slot;
    bool given_before = hm_rules_tolerance(rules, slot) != &rules->tolerances[i];
    if (met[i])
      continue;
    hm_warn(&m->say,
            given_before ? "%s: rules.tolerance: '%s' is given twice; the first holds"
                         : "%s: rules.tolerance: '%s' matches nothing in %s: no row speaks of "
                           "such a slot",
            m->config.file, hm_terminal_line(m->a, slot, 60), m->store);
  }
}

static void check_rule_name(const hm_mirror *m, const char *key, hm_str name) {
  const char *help = hm_rule_suggest_name(&m->config.rules, name, m->a);
  if (help)
    hm_warn(&m->say, "%s: %s: '%s' is no rule: %s", m->config.file, key,
            hm_terminal_line(m->a, name, 60), help);
}

/* Warns of unknown names of rules: a mistyped one would have no effect. */
static void check_rule_names(const hm_mirror *m) {
  const hm_rules *rules = &m->config.rules;
  for (size_t i = 0; i < rules->n_off; i++)
    check_rule_name(m, "rules.off", rules->off[i]);
  for (size_t i = 0; i < rules->n_severities; i++)
    check_rule_name(m, "rules.severity", rules->severities[i].rule);
}

int hm_mirror_sweep_store(hm_mirror *m, hm_store *store, const hm_sweep_options *want,
                          hm_sweep *out, hm_err *err) {
  hm_sweep_options opt = *want;
  opt.rules = &m->config.rules;
  opt.threads = m->threads;
  opt.skip_idle_run = m->watches;
  if (opt.record && hm_mirror_actor(m, &opt.who, err))
    return -1;
  hm_say_phase(&m->say, "looking for contradictions");
  int rc = hm_sweep_run_all(store, &opt, m->a, out, err);
  /* Imported verdicts that wait may be about anything. */
  if (!rc && opt.record && !out->same)
    rc = settle_waiting_verdicts(m, store, &opt, out, err);
  if (!rc)
    count_sweep(m, out);
  if (!rc && !out->same)
    check_tolerances(m, out->claims);
  if (!rc && !out->same)
    check_rule_names(m);
  if (!rc) {
    /* Rules that failed to run find nothing. */
    for (size_t i = 0; i < out->sql.n_runs; i++)
      if (out->sql.runs[i].failed)
        hm_warn(&m->say, "%s", hm_terminal_line(m->a, hm_str_c(out->sql.runs[i].why), 0));
  }
  return rc;
}

int hm_mirror_sweep(hm_mirror *m, const hm_sweep_options *want, hm_sweep *out, hm_err *err) {
  hm_store *store = NULL;
  if (hm_mirror_open(m, want->record ? HM_STORE_WRITE : HM_STORE_READ, &store, err))
    return -1;
  int rc = hm_mirror_sweep_store(m, store, want, out, err);
  hm_store_close(store);
  return rc;
}

void hm_mirror_say_work(const hm_mirror *m, const char *how) {
  const hm_work_counts *w = &m->work;
  hm_say_detail(&m->say,
                "%s: %zu rows read, %zu claims made, %zu slots judged, %zu pages rendered, %zu "
                "files written%s",
                m->store, w->rows_read, w->claims_made, w->slots_judged, w->pages_rendered,
                w->files_written, how);
}

void hm_warn_unused_excludes(const hm_mirror *m, const hm_snapshot *snap, bool values) {
  static const struct {
    const char *list, *what;
  } lists[] = {
    { "projects", "is no project" },
    { "types", "no row has such a type" },
    { "tags", "no memory has such a tag" },
    { "properties", "no row has such a property" },
  };
  hm_exclude_unused *unused;
  size_t n = hm_exclude_find_unused(&m->config.exclude, snap, values, m->a, &unused);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < HM_COUNT(lists); k++)
      if (strcmp(lists[k].list, unused[i].list) == 0)
        hm_warn(&m->say, "%s: publish.exclude.%s: '%s' matches nothing in %s: %s%s", m->config.file,
                lists[k].list, hm_terminal_line(m->a, unused[i].name, 60), m->store, lists[k].what,
                unused[i].meant.n ? hm_str_fmt(m->a, ": did you mean '%s'?",
                                               hm_terminal_line(m->a, unused[i].meant, 60))
                                        .p
                                  : "");
}

hm_view_options hm_mirror_view_options(const hm_mirror *m) {
  const hm_config *c = &m->config;
  return (hm_view_options){ .exclude = c->exclude,
                            .title = c->title,
                            .base_url = c->base_url,
                            .source_url = c->source_url,
                            .list_limit = c->list_limit,
                            .value_limit = c->value_limit,
                            .script = c->script,
                            .tool = HM_STR(HM_TOOL),
                            .search = true };
}

int hm_mirror_build_view(const hm_mirror *m, const hm_sweep *sweep, hm_view **out, hm_err *err) {
  hm_view_options opt = hm_mirror_view_options(m);
  hm_warn_unused_excludes(m, sweep->snap, m->checks_values);
  hm_say_phase(&m->say, "laying out the pages");
  return hm_view_new(sweep, &m->config.rules, &opt, m->a, out, err);
}

/* --- folders that are published ------------------------------------------------------ */

/* The resolved path; for an absent file, that of its folder; NULL when that is absent, too. */
static char *place_of(const char *path) {
  char *real = realpath(path, NULL), *copy = real ? NULL : strdup(path);
  if (copy)
    real = realpath(dirname(copy), NULL);
  free(copy);
  return real;
}

static bool is_in(const char *place, const char *folder) {
  size_t n = strlen(folder);
  if (n == 1)
    return true; /* the root */
  return strncmp(place, folder, n) == 0 && (!place[n] || place[n] == '/');
}

static int check_folder(const hm_mirror *m, const char *key, const char *folder, const char *what,
                        const char *path, hm_err *err) {
  char *outer = realpath(folder, NULL), *inner = place_of(path);
  bool bad = outer && inner && is_in(inner, outer);
  free(outer);
  free(inner);
  if (!bad)
    return 0;
  return hm_failf(err, HM_E_USAGE,
                  hm_str_fmt(m->a, "%s: %s", hm_config_file_name(&m->config), key).p,
                  "name a folder that holds nothing else than what is to be published",
                  "its folder %s holds %s, %s, which would be published, too",
                  hm_terminal_line(m->a, hm_str_c(folder), 200), what,
                  hm_terminal_line(m->a, hm_str_c(path), 200));
}

int hm_check_path_overlap(const hm_mirror *m, const char *what, const char *path, hm_err *err) {
  const hm_config *c = &m->config;
  return check_folder(m, "static", c->statics, what, path, err) ||
          check_folder(m, "theme", c->theme, what, path, err)
      ? -1
      : 0;
}
