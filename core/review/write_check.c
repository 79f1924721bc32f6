/* Detection at the time of a write: what was disputed and found before, a sweep after, and the
 * difference. Cost: that of one sweep; of two where others changed the store since the last one. */
#include "core/review/write_check.h"

#include <stdlib.h>

#include "core/base/par.h"
#include "core/base/text.h"
#include "core/store/swept.h"

struct hm_write_check {
  hm_store *s;
  const hm_rules *rules;
  hm_arena *a;
  hm_sweep before;       /* snap NULL: not swept */
  const hm_sweep *given; /* in place of before; or NULL */
  hm_map disputed;       /* ids of open conflicts that were disputed */
  hm_map due;            /* ids of conflicts that a sweep would have opened */
  const hm_finding *findings;
  size_t n_findings;
  const hm_row_writer *writers;
  size_t n_writers;
  hm_beside *beside; /* that held when the check began, and nothing was noted yet; or NULL */
  bool tries;        /* nothing is kept, so nothing is recorded */
};

int hm_review_read_reason(hm_str given, const char *field, bool needed, hm_arena *a, hm_str *out,
                          hm_err *err) {
  *out = hm_str_dup(a, hm_str_trim(hm_text_repair(a, given)));
  if (out->n > HM_NOTES_MAX)
    hm_failf(err, HM_E_INPUT, field, "say it in fewer words", "longer than %d bytes", HM_NOTES_MAX);
  else if (needed && !out->n)
    hm_fail(err, HM_E_INPUT, field, "it is missing", "say why");
  else if (out->n && !hm_text_has_word(*out))
    hm_fail(err, HM_E_INPUT, field, "it has no letter and no digit", "say why, in words");
  else
    return 0;
  return hm_err_at_field(err, hm_str_c(field));
}

int hm_review_end(hm_store *s, const hm_review *r, bool mine, int rc, hm_err *err) {
  if (!mine || rc || !r->dry_run)
    return hm_store_txn_end(s, mine, rc, err);
  hm_store_rollback(s);
  return 0;
}

int hm_review_record(hm_store *s, const hm_review *r, hm_arena *a, hm_err *err) {
  hm_swept holds;
  hm_sweep w;
  hm_sweep_options opt = { .rules = r->rules,
                           .threads = hm_par_cores(),
                           .without_sql = true,
                           .record = true,
                           .skip_run = true,
                           .who = r->who };
  if (hm_swept_read(s, hm_sweep_decided(r->rules, a), &holds, err))
    return -1;
  if (holds == HM_SWEPT_WHOLE)
    return 0;
  if (hm_sweep_run_all(s, &opt, a, &w, err))
    return -1;
  hm_sweep_free(&w);
  return 0;
}

/* --- before ------------------------------------------------------------------------ */

int hm_write_check_before(hm_write_check *t, const hm_sweep **out, hm_err *err) {
  hm_sweep_options opt = { .rules = t->rules,
                           .threads = hm_par_cores(),
                           .details = true,
                           .without_sql = true,
                           .who.at = HM_EMPTY };
  *out = t->given ? t->given : &t->before;
  return (*out)->snap ? 0 : hm_sweep_run_all(t->s, &opt, t->a, &t->before, err);
}

static int note_recorded(hm_write_check *t, hm_err *err) {
  hm_str *ids;
  hm_finding *findings;
  size_t n;
  if (hm_answers_disputed(t->s, t->a, &ids, &n, err) ||
      hm_store_findings(t->s, t->a, &findings, &t->n_findings, err))
    return -1;
  for (size_t i = 0; i < n; i++)
    hm_map_add(&t->disputed, ids[i], 0);
  t->findings = findings;
  return 0;
}

static int note_swept(hm_write_check *t, hm_err *err) {
  const hm_sweep *w;
  if (hm_write_check_before(t, &w, err))
    return -1;
  const hm_plan *p = w->plan;
  for (size_t i = 0; i < p->n_conflicts; i++)
    if (p->disputes[i])
      hm_map_add(&t->disputed, p->conflicts[i].id, 0);
  for (size_t i = 0; i < p->n; i++)
    if (p->changes[i].kind == HM_CHANGE_OPEN || p->changes[i].kind == HM_CHANGE_REOPEN)
      hm_map_add(&t->due, p->changes[i].rec.id, 0);
  t->findings = w->findings;
  t->n_findings = w->n_findings;
  return 0;
}

hm_write_check *hm_write_check_new(hm_store *s, const hm_rules *rules, const hm_sweep *before,
                                   hm_arena *a) {
  hm_write_check *t = hm_xmalloc(sizeof *t);
  *t = (hm_write_check){ .s = s, .rules = rules, .given = before, .a = a };
  hm_map_init(&t->disputed, a, 8);
  hm_map_init(&t->due, a, 8);
  return t;
}

int hm_write_check_begin(hm_store *s, const hm_rules *rules, hm_arena *a, hm_write_check **out,
                         hm_err *err) {
  hm_swept holds;
  hm_write_check *t = hm_write_check_new(s, rules, NULL, a);
  *out = NULL;
  int rc = hm_swept_read(s, hm_sweep_decided(rules, a), &holds, err);
  if (!rc)
    rc = holds == HM_SWEPT_WHOLE ? note_recorded(t, err) : note_swept(t, err);
  if (rc)
    hm_write_check_free(t);
  else
    *out = t;
  return rc;
}

int hm_write_check_begin_beside(hm_store *s, const hm_rules *rules, hm_beside *beside, hm_arena *a,
                                hm_write_check **out, hm_err *err) {
  bool holds = false;
  if (beside && hm_beside_holds(beside, s, &holds, err))
    return -1;
  if (!holds)
    return hm_write_check_begin(s, rules, a, out, err);
  *out = hm_write_check_new(s, rules, NULL, a);
  (*out)->beside = beside;
  return 0;
}

void hm_write_check_set_writers(hm_write_check *t, const hm_row_writer *writers, size_t n) {
  t->writers = writers;
  t->n_writers = n;
}

void hm_write_check_try(hm_write_check *t) { t->tries = true; }

void hm_write_check_free(hm_write_check *t) {
  if (!t)
    return;
  hm_sweep_free(&t->before);
  free(t);
}

/* --- after -------------------------------------------------------------------------- */

/* Are two of its members parties of another dispute? Then it did not end: its rows disagree in
 * another shape, a reversal say. */
static bool goes_on_elsewhere(const hm_sweep *w, const hm_conflict_rec *c) {
  for (size_t i = 0; i < w->plan->n_conflicts; i++) {
    const hm_dispute *d = w->plan->disputes[i];
    size_t shared = 0;
    for (size_t k = 0; d && k < c->n_members && shared < 2; k++) {
      uint32_t row = hm_snapshot_row(w->snap, c->members[k].layer, c->members[k].id);
      size_t p = 0;
      while (p < d->n && d->parties[p].claim->row != row)
        p++;
      shared += p < d->n;
    }
    if (shared == 2)
      return true;
  }
  return false;
}

static void compare_conflicts(hm_write_check *t, hm_write_result *out) {
  const hm_plan *p = out->sweep.plan;
  hm_map disputed;
  hm_map_init(&disputed, t->a, p->n_conflicts);
  out->opened = hm_alloc_array(t->a, p->n, sizeof *out->opened);
  out->revived = hm_alloc_array(t->a, p->n_conflicts, sizeof *out->revived);
  out->quieted = hm_alloc_array(t->a, p->n_conflicts, sizeof *out->quieted);
  for (size_t i = 0; i < p->n; i++) {
    const hm_change *c = &p->changes[i];
    bool opens = c->kind == HM_CHANGE_OPEN || c->kind == HM_CHANGE_REOPEN;
    if (opens && hm_map_get(&t->due, c->rec.id) == HM_MAP_NONE)
      out->opened[out->n_opened++] = c->rec.id;
  }
  for (size_t i = 0; i < p->n_conflicts; i++) {
    const hm_conflict_rec *c = &p->conflicts[i];
    bool was = hm_map_get(&t->disputed, c->id) != HM_MAP_NONE;
    if (p->disputes[i] && !was && !hm_plan_opens_conflict(p, c->id))
      out->revived[out->n_revived++] = c->id;
    if (!p->disputes[i] && was && c->status == HM_OPEN && !goes_on_elsewhere(&out->sweep, c))
      out->quieted[out->n_quieted++] = c->id;
  }
}

static hm_str said_by(const hm_finding *f, hm_arena *a) {
  return HM_CAT(a, f->id, HM_STR("\x1f"), f->message);
}

/* The findings of v that are not in w; returns their number. */
static size_t findings_only_in(const hm_finding *v, size_t n, const hm_finding *w, size_t m,
                               hm_arena *a, const hm_finding ***out) {
  hm_map others;
  size_t found = 0;
  hm_map_init(&others, a, m);
  *out = hm_alloc_array(a, n, sizeof **out);
  for (size_t i = 0; i < m; i++)
    hm_map_add(&others, said_by(&w[i], a), 0);
  for (size_t i = 0; i < n; i++)
    if (hm_map_get(&others, said_by(&v[i], a)) == HM_MAP_NONE)
      (*out)[found++] = hm_finding_copy(&v[i], a);
  return found;
}

static hm_sweep_options options_of(const hm_write_check *t, const hm_actor *who) {
  return (hm_sweep_options){ .rules = t->rules,
                             .threads = hm_par_cores(),
                             .details = true,
                             .without_sql = true,
                             .record = !t->tries,
                             .skip_run = true,
                             .who = *who,
                             .writers = t->writers,
                             .n_writers = t->n_writers };
}

int hm_write_check_end_beside(hm_write_check *t, const hm_row_name *changed, size_t n,
                              const hm_actor *who, hm_write_result *out, hm_err *err) {
  hm_sweep_options opt = options_of(t, who);
  bool done = false;
  *out = (hm_write_result){ 0 };
  int rc = t->beside && changed ? hm_beside_find(t->beside, t->s, changed, n, &opt, t->a,
                                                 &out->sweep, &t->disputed, &done, err)
                                : 0;
  /* Nothing has been recorded since the check began. */
  if (!rc && !done && t->beside)
    rc = note_recorded(t, err);
  if (!rc && !done)
    return hm_write_check_end(t, who, out, err);
  if (!rc)
    compare_conflicts(t, out);
  out->pending = !rc;
  hm_write_check_free(t);
  return rc;
}

int hm_write_check_end(hm_write_check *t, const hm_actor *who, hm_write_result *out, hm_err *err) {
  hm_sweep_options opt = options_of(t, who);
  *out = (hm_write_result){ 0 };
  int rc = hm_sweep_run_all(t->s, &opt, t->a, &out->sweep, err);
  if (!rc) {
    const hm_sweep *w = &out->sweep;
    compare_conflicts(t, out);
    out->n_appeared = findings_only_in(w->findings, w->n_findings, t->findings, t->n_findings, t->a,
                                       &out->appeared);
    out->n_vanished = findings_only_in(t->findings, t->n_findings, w->findings, w->n_findings, t->a,
                                       &out->vanished);
  }
  hm_write_check_free(t);
  return rc;
}

void hm_write_finish(hm_store *s, const hm_review *r, hm_sweep *w, hm_arena *a) {
  hm_sweep_options opt = {
    .rules = r->rules, .threads = hm_par_cores(), .details = true, .who = r->who
  };
  hm_sweep_finish(s, &opt, a, w);
}
