/* One run of all rules over the store, recorded in one transaction. */
#include "core/sweep/sweep.h"

#include <string.h>
#include <time.h>

#include "core/base/digest.h"
#include "core/sweep/answer.h"
#include "core/claim/relation.h"
#include "core/claim/story.h"
#include "core/claim/world.h"
#include "core/detect/rule.h"

/* Only to tell how long a sweep took. */
static int64_t now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* --- what decides ---------------------------------------------------------------------------- */

static void digest_list(hm_sha256 *h, const hm_str *v, size_t n, hm_arena *a) {
  hm_sha256_field(h, hm_str_fmt(a, "%zu", n));
  for (size_t i = 0; i < n; i++)
    hm_sha256_field(h, v[i]);
}

hm_str hm_rules_digest(const hm_rules *rules, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  digest_list(&h, rules->prose, rules->n_prose, a);
  digest_list(&h, rules->text_fields, rules->n_text_fields, a);
  digest_list(&h, rules->ordered_fields, rules->n_ordered_fields, a);
  digest_list(&h, rules->silence, rules->n_silence, a);
  if (rules->n_several)
    digest_list(&h, rules->several, rules->n_several, a);
  if (rules->story)
    hm_sha256_field(&h, hm_story_digest(rules->story, a));
  if (rules->worlds)
    hm_sha256_field(&h, hm_worlds_digest(rules->worlds));
  if (rules->relations)
    hm_sha256_field(&h, hm_relation_kinds_digest(rules->relations, a));
  for (size_t i = 0; rules->sql && i < rules->sql->n; i++)
    hm_sha256_field(&h, rules->sql->rules[i].text);
  for (size_t i = 0; i < rules->n_slots; i++) {
    hm_sha256_field(&h, rules->slots[i].type);
    digest_list(&h, rules->slots[i].elements, rules->slots[i].n, a);
  }
  for (size_t i = 0; i < rules->n_tolerances; i++) {
    const hm_tolerance *t = &rules->tolerances[i];
    hm_sha256_field(&h, t->slot);
    hm_sha256_field(&h, hm_str_fmt(a, "%.17g", t->value));
    hm_sha256_field(&h, t->unit);
  }
  digest_list(&h, rules->off, rules->n_off, a);
  digest_list(&h, rules->additions, rules->n_additions, a);
  for (size_t i = 0; i < rules->n_severities; i++) {
    hm_sha256_field(&h, rules->severities[i].rule);
    hm_sha256_field(&h, rules->severities[i].severity);
  }
  return hm_sha256_hex(&h, a, 12);
}

hm_str hm_sweep_decided(const hm_rules *rules, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, HM_STR(HM_VERSION));
  hm_sha256_field(&h, rules->program);
  hm_sha256_field(&h, hm_rules_digest(rules, a));
  return hm_sha256_hex(&h, a, 16);
}

/* --- one run ---------------------------------------------------------------------------------- */

/* The recorded findings of people's rules, which do not run now. */
static void keep_sql_findings(const hm_sweep_options *opt, hm_arena *a, hm_sweep *w) {
  const hm_snapshot *snap = w->snap;
  hm_finding *all = hm_alloc_array(a, w->n_findings + snap->n_findings, sizeof *all);
  if (w->n_findings)
    memcpy(all, w->findings, w->n_findings * sizeof *all);
  w->findings = all;
  for (size_t i = 0; i < snap->n_findings; i++)
    if (hm_sql_rule_named(opt->rules->sql, snap->findings[i].rule))
      all[w->n_findings++] = snap->findings[i];
  hm_findings_sort(all, w->n_findings);
}

/* Rules in SQL see the findings of other rules and add theirs. */
static void run_sql_rules(const hm_sweep_options *opt, hm_arena *a, hm_sweep *w) {
  hm_sql_facts facts = { .snap = w->snap,
                         .rules = opt->rules,
                         .findings = w->findings,
                         .n_findings = w->n_findings,
                         .lives = w->claims->lives };
  if (!hm_sql_any_rule_on(opt->rules->sql))
    return;
  if (opt->without_sql) {
    keep_sql_findings(opt, a, w);
    return;
  }
  facts.conflicts = hm_alloc_array(a, w->plan->n_conflicts, sizeof *facts.conflicts);
  for (size_t i = 0; i < w->plan->n_conflicts; i++)
    if (w->plan->disputes[i])
      facts.conflicts[facts.n_conflicts++] = &w->plan->conflicts[i];
  hm_sql_rules_run(opt->rules->sql, &facts, opt->threads, a, &w->sql);
  hm_finding *all = hm_alloc_array(a, w->n_findings + w->sql.n, sizeof *all);
  if (w->n_findings)
    memcpy(all, w->findings, w->n_findings * sizeof *all);
  if (w->sql.n)
    memcpy(all + w->n_findings, w->sql.findings, w->sql.n * sizeof *all);
  w->findings = all;
  w->n_findings += w->sql.n;
  hm_findings_sort(all, w->n_findings);
}

static void find_concerns(hm_arena *a, hm_sweep *w) {
  const hm_belongs_filter active = { .active = true };
  size_t any = 0;
  while (any < w->plan->n_conflicts && !w->plan->disputes[any])
    any++;
  if (any == w->plan->n_conflicts)
    return;
  hm_arena *tmp = hm_arena_new();
  hm_concerns_collect(hm_belongs_new(w->snap, &active, tmp), w->snap, w->plan->disputes,
                      w->plan->n_conflicts, NULL, NULL, a, &w->concerns);
  hm_arena_free(tmp);
}

static int read_and_find(hm_store *s, const hm_sweep_options *opt, hm_arena *a, hm_sweep *w,
                         hm_err *err) {
  /* Rules in SQL may read all columns, and recorded answers show them. */
  bool details = opt->details || opt->record || hm_sql_any_rule_on(opt->rules->sql);
  if (hm_store_snapshot(s, a, details, &w->snap, err))
    return -1;
  if (opt->lets_go) {
    if (hm_facts_version(s, &w->version, err))
      return -1;
    hm_store_rollback(s);
  }
  if (opt->digest)
    w->snap->digest = hm_snapshot_digest(w->snap, a);
  w->read = w->snap->digest;
  w->same = opt->known && w->read.n && hm_str_eq(w->read, opt->known->digest) &&
      w->snap->now == opt->known->now;
  if (w->same)
    return 0;
  w->snap->graph = hm_snapshot_graph(w->snap, opt->threads, a);
  if (hm_store_check_stop(s, err) ||
      hm_claims_read(w->snap, opt->rules, opt->threads, &w->claims, err) ||
      hm_store_check_stop(s, err))
    return -1;
  if (hm_rules_run(w->snap, w->claims, opt->rules, HM_RUN_ALL, opt->threads, a, &w->disputes, err))
    return -1;
  if (hm_store_check_stop(s, err))
    return -1;
  hm_disputes_drop_judged_repeats(w->snap, w->disputes, a);
  hm_disputes_drop_known_reports(w->snap, w->disputes);
  w->findings = w->disputes->findings;
  w->n_findings = w->disputes->n_findings;
  w->plan = hm_plan_build(w->snap, w->disputes, opt->who.at, a);
  find_concerns(a, w);
  run_sql_rules(opt, a, w);
  w->n_findings = hm_findings_make_ids_unique(w->findings, w->n_findings, a);
  w->n_acked = hm_findings_acknowledge(w->snap, w->findings, w->n_findings);
  w->before = w->snap->findings;
  w->n_before = w->snap->n_findings;
  return opt->scope.n ? hm_sweep_read_scope(opt->scope, opt->rules, opt->threads, a, w, err) : 0;
}

static int record_run(hm_store *s, const hm_sweep_options *opt, hm_sweep_run run, int64_t began,
                      hm_arena *a, hm_err *err) {
  run.started_at = opt->who.at;
  run.duration_us = now_us() - began;
  hm_time at;
  hm_precision precision;
  run.finished_at = opt->who.at;
  if (hm_time_parse(opt->who.at, &at, &precision))
    run.finished_at = hm_time_iso(a, at + run.duration_us);
  return hm_store_put_run(s, &run, err);
}

/* Counts rules that finished, or whose result was reused from the previous sweep. */
static int64_t count_rules(const hm_sweep *w, const hm_rules *rules) {
  int64_t n = 0;
  for (size_t i = 0; i < w->disputes->n_work; i++)
    n += !hm_rule_is_off(rules, hm_str_c(w->disputes->work[i].rule->name));
  for (size_t i = 0; i < w->sql.n_runs; i++)
    n += !w->sql.runs[i].failed;
  return n;
}

/* The findings are sorted by kind. */
static hm_str count_kinds(const hm_sweep *w, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw j;
  hm_jw_init(&j, &b, 0);
  hm_jw_obj(&j, NULL);
  for (size_t i = 0, n; i < w->n_findings; i += n) {
    for (n = 1; i + n < w->n_findings && hm_str_eq(w->findings[i + n].kind, w->findings[i].kind);)
      n++;
    hm_jw_int(&j, hm_str_fmt(a, "%.*s", HM_FMT(w->findings[i].kind)).p, (int64_t)n);
  }
  hm_jw_end(&j);
  return hm_buf_take(&b, a);
}

const hm_actor *hm_sweep_changer(const hm_sweep_options *opt, const hm_conflict_rec *c) {
  for (size_t i = opt->n_writers; i-- > 0;)
    for (size_t k = 0; k < c->n_members; k++)
      if (c->members[k].layer == opt->writers[i].layer &&
          hm_str_eq(c->members[k].id, opt->writers[i].id))
        return &opt->writers[i].who;
  return &opt->who;
}

static int record(hm_store *s, const hm_sweep_options *opt, const hm_sweep *w, int64_t began,
                  hm_arena *a, hm_err *err) {
  const hm_plan *p = w->plan;
  const hm_sweep_last_result *k = opt->known;
  if (opt->skip_idle_run && w->same)
    return 0;
  if (opt->skip_idle_run && w->nothing_new)
    return hm_answers_record(s, w, opt->rules, hm_sweep_decided(opt->rules, a), opt->without_sql, a,
                             err);
  if (w->same) {
    hm_sweep_run run = {
      .rows = k->rows, .claims = k->claims, .slots = k->slots, .findings = k->findings
    };
    return record_run(s, opt, run, began, a, err);
  }
  for (size_t i = 0; i < p->n; i++)
    if (hm_store_put_conflict(s, &p->changes[i].rec, hm_sweep_changer(opt, &p->changes[i].rec),
                              err))
      return -1;
  if (hm_store_put_findings(s, w->findings, w->n_findings, err))
    return -1;
  if (hm_answers_record(s, w, opt->rules, hm_sweep_decided(opt->rules, a), opt->without_sql, a,
                        err))
    return -1;
  if (opt->skip_run)
    return 0;
  hm_sweep_run run = { .rules = count_rules(w, opt->rules),
                       .kinds = count_kinds(w, a),
                       .acknowledged = (int64_t)w->n_acked,
                       .rows = (int64_t)w->snap->n_rows,
                       .claims = (int64_t)w->claims->n,
                       .slots = (int64_t)w->disputes->slots,
                       .opened = (int64_t)p->opened,
                       .updated = (int64_t)p->updated,
                       .findings = (int64_t)w->n_findings };
  for (size_t i = 0; i < p->n_conflicts; i++)
    run.disputed += p->disputes[i] != NULL;
  return record_run(s, opt, run, began, a, err);
}

/* From here on the snapshot says what the store says, or would say: its digest is that of a later
 * snapshot. */
static void put_results_in_snapshot(hm_sweep *w, hm_arena *a) {
  w->snap->conflicts = w->plan->conflicts;
  w->snap->n_conflicts = w->plan->n_conflicts;
  w->snap->findings = w->findings;
  w->snap->n_findings = w->n_findings;
  if (w->plan->n && w->snap->digest.n)
    w->snap->digest = hm_snapshot_digest(w->snap, a);
}

int hm_sweep_run_all(hm_store *s, const hm_sweep_options *opt, hm_arena *a, hm_sweep *out,
                     hm_err *err) {
  int64_t began = now_us();
  bool mine;
  *out = (hm_sweep){ 0 };
  if (hm_store_txn(s, opt->record, &mine, err))
    return -1;
  int rc = read_and_find(s, opt, a, out, err);
  if (!rc)
    out->nothing_new = !out->same && !out->plan->n &&
        hm_findings_equal(out->findings, out->n_findings, out->before, out->n_before);
  if (!rc && opt->record)
    rc = record(s, opt, out, began, a, err) || hm_facts_version(s, &out->version, err) ? -1 : 0;
  rc = hm_store_txn_end(s, mine && hm_store_in_txn(s), rc, err);
  if (rc)
    hm_sweep_free(out);
  else if (!out->same)
    put_results_in_snapshot(out, a);
  return rc;
}

int hm_sweep_record(hm_store *s, const hm_sweep_options *opt, hm_sweep *w, hm_arena *a,
                    hm_err *err) {
  hm_sweep_options how = *opt;
  how.skip_run = true;
  return record(s, &how, w, 0, a, err) || hm_facts_version(s, &w->version, err) ? -1 : 0;
}

/* Those of people's rules are found again. */
static void drop_sql_findings(const hm_sql_rules *rules, hm_sweep *w) {
  size_t n = 0;
  for (size_t i = 0; i < w->n_findings; i++)
    if (!hm_sql_rule_named(rules, w->findings[i].rule))
      w->findings[n++] = w->findings[i];
  w->n_findings = n;
}

void hm_sweep_finish(hm_store *s, const hm_sweep_options *opt, hm_arena *a, hm_sweep *w) {
  hm_sweep_options all = *opt;
  hm_err unheard = { 0 };
  hm_str told;
  uint64_t version = 0;
  all.without_sql = false;
  all.record = false;
  if (!w->version || hm_store_in_txn(s) || !hm_sql_any_rule_on(opt->rules->sql))
    return;
  drop_sql_findings(opt->rules->sql, w);
  run_sql_rules(&all, a, w);
  w->n_findings = hm_findings_make_ids_unique(w->findings, w->n_findings, a);
  w->n_acked = hm_findings_acknowledge(w->snap, w->findings, w->n_findings);
  if (hm_store_is_written(s) || hm_store_begin(s, true, &unheard))
    return;
  if (!hm_facts_version(s, &version, &unheard) && version == w->version &&
      !hm_store_put_findings(s, w->findings, w->n_findings, &unheard) &&
      !hm_sweep_counts(s, w, a, &told, &unheard) &&
      !hm_swept_put(s, hm_sweep_decided(opt->rules, a), w->snap, told, &unheard))
    hm_store_commit(s, &unheard);
  else
    hm_store_rollback(s);
}

void hm_sweep_free(hm_sweep *w) {
  if (w->claims)
    hm_claims_free(w->claims);
  *w = (hm_sweep){ 0 };
}
