/* The transaction of a write, and the result about its row: conflicts, findings, rows that it met.
 * The writes themselves are in write_rows.c, write_policy.c and reflect.c. */
#include "core/review/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/credential.h"
#include "core/base/json.h"
#include "core/base/par.h"
#include "core/detect/conflict.h"
#include "core/detect/explain.h"
#include "core/slot/similar_groups.h"
#include "core/review/new_names.h"
#include "core/review/write_impl.h"
#include "core/record/texts.h"

/* The writes of one find. */
struct hm_shared_find {
  hm_store *s;
  hm_beside *beside;
  hm_arena *a;
  hm_writing **v;
  size_t n, cap;
  hm_write_check *check;
  hm_write_result t; /* once it has ended */
};

const char hm_warning_open[] = "you just wrote to a slot that has an open conflict";

/* --- the answer ------------------------------------------------------------------ */

/* The disputed conflicts that have the row as a party. */
static void list_conflicts(const hm_sweep *sweep, const hm_rules *rules, uint32_t row, hm_arena *a,
                           hm_written *out) {
  const hm_plan *p = sweep->plan;
  out->conflicts = hm_alloc_array(a, p->n_conflicts, sizeof *out->conflicts);
  for (size_t i = 0; i < p->n_conflicts; i++) {
    const hm_dispute *d = p->disputes[i];
    size_t k = 0;
    while (d && k < d->n && d->parties[k].claim->row != row)
      k++;
    if (d && k < d->n)
      out->conflicts[out->n_conflicts++] =
          hm_conflict_answer_make(sweep, &p->conflicts[i], rules, a);
  }
}

/* True if a slot of the row already had an open conflict that overlaps the row's window. */
static bool slot_was_open(const hm_sweep *sweep, const hm_rules *rules, uint32_t row, hm_arena *a) {
  const hm_plan *p = sweep->plan;
  const hm_world *world = hm_world_find_by_row(sweep->snap, rules->worlds, row, a);
  for (size_t i = 0; i < sweep->claims->n; i++) {
    const hm_claim *c = &sweep->claims->claims[i];
    if (c->row != row)
      continue;
    hm_str key = hm_conflict_slot_key(a, sweep->snap, c);
    for (size_t k = 0; k < p->n_conflicts; k++) {
      const hm_conflict_rec *rec = &p->conflicts[k];
      hm_time from, until, begin, end;
      hm_claim_stated_window(c, &from, &until);
      hm_conflict_stated_window(rec, world, &begin, &end);
      if (rec->status == HM_OPEN && hm_str_eq(rec->slot_key, key) && from < end && begin < until &&
          !hm_plan_opens_conflict(p, rec->id))
        return true;
    }
  }
  return false;
}

static void add_warnings(hm_writing *w, hm_written *out, const hm_str *more, size_t n) {
  hm_str *all = hm_alloc_array(w->a, out->n_warnings + n, sizeof *all);
  if (out->n_warnings)
    memcpy(all, out->warnings, out->n_warnings * sizeof *all);
  if (n)
    memcpy(all + out->n_warnings, more, n * sizeof *all);
  out->warnings = all;
  out->n_warnings += n;
}

static bool is_member(const hm_conflict_rec *c, const hm_writing *w) {
  size_t k = 0;
  while (k < c->n_members &&
         !(c->members[k].layer == w->layer && hm_str_eq(c->members[k].id, w->row.id)))
    k++;
  return k < c->n_members;
}

/* The conflicts of these that concern the row of w, or no row of any write. */
static size_t list_told(const hm_shared_find *f, const hm_writing *w, const hm_str *ids, size_t n,
                        hm_str **out) {
  const hm_plan *p = f->t.sweep.plan;
  size_t told = 0;
  *out = hm_alloc_array(w->a, n, sizeof **out);
  for (size_t i = 0; i < n; i++) {
    size_t at = 0, k = 0;
    while (at < p->n_conflicts && !hm_str_eq(p->conflicts[at].id, ids[i]))
      at++;
    bool own = at == p->n_conflicts || is_member(&p->conflicts[at], w);
    while (!own && k < f->n && !is_member(&p->conflicts[at], f->v[k]))
      k++;
    if (own || k == f->n)
      (*out)[told++] = ids[i];
  }
  return told;
}

static bool is_about_another(const hm_shared_find *f, const hm_writing *w, const hm_finding *x) {
  size_t i = 0;
  while (i < f->n &&
         (f->v[i] == w ||
          !hm_finding_names(x, hm_ref_text(f->v[i]->a, f->v[i]->layer, f->v[i]->row.id))))
    i++;
  return i < f->n;
}

/* About the row: all of the sweep. About others: those that the write made come and go; what a
 * relation that it also made is about goes unsaid. */
static void list_findings(const hm_shared_find *f, hm_writing *w) {
  const hm_write_result *t = &f->t;
  const hm_sweep *sweep = &t->sweep;
  hm_written *out = w->out;
  out->findings = hm_alloc_array(w->a, sweep->n_findings, sizeof *out->findings);
  out->appeared = hm_alloc_array(w->a, t->n_appeared, sizeof *out->appeared);
  out->vanished = hm_alloc_array(w->a, t->n_vanished + sweep->n_findings, sizeof *out->vanished);
  for (size_t i = 0; i < sweep->n_findings; i++)
    if (hm_finding_names(&sweep->findings[i], out->ref))
      out->findings[out->n_findings++] = hm_finding_copy(&sweep->findings[i], w->a);
  for (size_t i = 0; i < t->n_appeared && out->changed; i++)
    if (!hm_finding_names(t->appeared[i], out->ref) && !is_about_another(f, w, t->appeared[i]))
      out->appeared[out->n_appeared++] = t->appeared[i];
  for (size_t i = 0; i < t->n_vanished && out->changed; i++)
    if ((!t->vanished[i]->n_rows || !hm_str_eq(t->vanished[i]->rows[0], w->made)) &&
        (hm_finding_names(t->vanished[i], out->ref) || !is_about_another(f, w, t->vanished[i])))
      out->vanished[out->n_vanished++] = t->vanished[i];
}

static size_t without_similar(const hm_finding **f, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!hm_str_is(f[i]->rule, "similar"))
      f[kept++] = f[i];
  return kept;
}

void hm_write_meet(hm_writing *w, hm_met m) {
  if (!w->n_met)
    hm_map_init(&w->met_refs, w->a, 8);
  if (hm_map_get(&w->met_refs, m.ref) != HM_MAP_NONE)
    return;
  hm_map_add(&w->met_refs, m.ref, 0);
  w->met = hm_array_grow_in(w->a, w->met, w->n_met, &w->cap_met, sizeof *w->met);
  w->met[w->n_met++] = m;
}

static int by_age(const void *x, const void *y, void *snap) {
  return hm_similar_age_order(snap, ((const hm_similar_row *)x)->row,
                              ((const hm_similar_row *)y)->row);
}

/* The memories whose texts say the same as the row's, or deny it, oldest first. */
static void meet_similar(hm_writing *w, const hm_sweep *sweep, uint32_t row) {
  hm_similar_input q = { sweep->snap, sweep->claims, w->r->rules, true, 0 };
  hm_similar_row *v;
  if (w->layer != HM_MEMORY || !w->adds || w->policy == HM_POLICY_IGNORE)
    return;
  size_t n = hm_similar_find_rows(&q, row, w->a, &v);
  if (n)
    qsort_r(v, n, sizeof *v, by_age, sweep->snap);
  for (size_t i = 0; i < n; i++) {
    const hm_row *other = &sweep->snap->rows[v[i].row];
    bool same = v[i].is.kind == HM_ALIKE_DUPLICATE;
    if (!same && v[i].in_slot)
      continue; /* there claims decide */
    hm_write_meet(w,
                  (hm_met){ .ref = hm_row_ref(w->a, other),
                            .kind = same ? "duplicate" : "contradiction",
                            .reason = v[i].is.reason ? v[i].is.reason : "",
                            .similarity = v[i].is.cosine,
                            .conflict = HM_EMPTY,
                            .text = hm_str_dup(w->a, other->text) });
  }
}

/* What contradicts the row in an open conflict. */
static void meet_conflicts(hm_writing *w, const hm_sweep *sweep, uint32_t row) {
  const hm_plan *p = sweep->plan;
  for (size_t i = 0; i < p->n_conflicts && w->policy != HM_POLICY_IGNORE; i++) {
    const hm_dispute *d = p->disputes[i];
    hm_opponents *o = NULL;
    for (size_t x = 0; d && x < d->n; x++) {
      if (d->parties[x].claim->row != row)
        continue;
      if (!o)
        o = hm_opponents_new(sweep->snap, d, w->r->rules, w->a);
      for (size_t y = 0; y < d->n; y++) {
        const hm_claim *other = d->parties[y].claim;
        if (other->row == row || !hm_opponents_contradict(o, x, y))
          continue;
        hm_write_meet(w,
                      (hm_met){ .ref = hm_row_ref(w->a, &sweep->snap->rows[other->row]),
                                .kind = "contradiction",
                                .reason = "conflict",
                                .conflict = hm_str_dup(w->a, p->conflicts[i].id),
                                .text = hm_str_dup(w->a, other->value.raw) });
      }
    }
  }
}

/* Rows about the same thing, for who writes to compare; of a write beside a held sweep among its
 * rows. */
static void list_alike(const hm_shared_find *f, const hm_writing *w, uint32_t row) {
  const hm_sweep *own = &f->t.sweep, *in = f->t.pending ? hm_beside_base(f->beside) : own;
  if (own->snap->rows[row].status == HM_ACTIVE && own->snap->rows[row].layer != HM_RELATION)
    w->out->n_alike = hm_nearest_to_row(own, row, in, hm_par_cores(), w->a, &w->out->alike);
}

static int answer(const hm_shared_find *f, hm_writing *w) {
  const hm_sweep *sweep = &f->t.sweep;
  hm_written *out = w->out;
  *out = (hm_written){ .ref = hm_ref_text(w->a, w->layer, w->row.id),
                       .record = w->row.after,
                       .changed = w->row.changed,
                       .pending = f->t.pending };
  uint32_t row = hm_snapshot_row(sweep->snap, w->layer, w->row.id);
  out->n_opened = list_told(f, w, f->t.opened, f->t.n_opened, &out->opened);
  out->n_quieted = list_told(f, w, f->t.quieted, f->t.n_quieted, &out->quieted);
  out->n_revived = list_told(f, w, f->t.revived, f->t.n_revived, &out->revived);
  if (row != HM_MAP_NONE) {
    if (!out->pending) /* what others are called is not there */
      hm_new_names_of_row(sweep->snap, row, w->a, &out->warnings, &out->n_warnings);
    if (hm_row_reading_find(sweep->snap, sweep->claims, w->r->rules, row, w->a, &out->reading,
                            w->err))
      return -1;
    list_conflicts(sweep, w->r->rules, row, w->a, out);
    meet_similar(w, sweep, row);
    meet_conflicts(w, sweep, row);
    list_alike(f, w, row);
    out->warn_open =
        w->layer == HM_STATE && out->changed && slot_was_open(sweep, w->r->rules, row, w->a);
  }
  hm_str open = hm_str_c(hm_warning_open);
  add_warnings(w, out, &open, out->warn_open);
  hm_str *others = out->warnings;
  size_t n = out->n_warnings;
  for (size_t i = 0; i < n; i++) /* a name that is new may be a secret */
    others[i] = hm_credential_hide(others[i], w->a);
  out->warnings = w->secrets;
  out->n_warnings = out->n_secrets = w->n_secrets;
  add_warnings(w, out, others, n);
  list_findings(f, w);
  out->met = w->met;
  out->n_met = w->n_met;
  out->action = w->superseded ? "superseded" : "stored";
  if (w->policy == HM_POLICY_IGNORE) {
    out->n_findings = without_similar(out->findings, out->n_findings);
    out->n_appeared = without_similar(out->appeared, out->n_appeared);
    out->n_vanished = without_similar(out->vanished, out->n_vanished);
  }
  return 0;
}

/* Sweeps and answers all writes of f, of which there is one at least. */
static int find_and_answer(hm_shared_find *f, hm_err *err) {
  hm_write_check *check = f->check;
  hm_row_writer *writers = hm_alloc_array(f->a, f->n, sizeof *writers);
  hm_row_name *changed = hm_alloc_array(f->a, f->n, sizeof *changed);
  bool alone = true;
  for (size_t i = 0; i < f->n; i++) {
    const hm_writing *w = f->v[i];
    writers[i] = (hm_row_writer){ w->layer, w->row.id, w->r->who };
    changed[i] = (hm_row_name){ w->layer, w->row.id };
    alone = alone && w->alone;
  }
  f->check = NULL;
  hm_write_check_set_writers(check, writers, f->n);
  if (hm_write_check_end_beside(check, alone ? changed : NULL, f->n, &f->v[f->n - 1]->r->who, &f->t,
                                err))
    return -1;
  for (size_t i = 0; i < f->n; i++)
    if (answer(f, f->v[i]))
      return -1;
  return 0;
}

/* Also where its rule failed, which cannot tell. */
static bool is_found_again(const hm_sql_result *now, const hm_finding *f) {
  for (size_t i = 0; i < now->n_runs; i++)
    if (now->runs[i].failed && hm_str_eq(now->runs[i].rule->id, f->rule))
      return true;
  size_t i = 0;
  while (i < now->n && !hm_str_eq(now->findings[i].id, f->id))
    i++;
  return i < now->n;
}

/* People's rules in SQL run after the commit; what they find about the row joins the answer, and a
 * rule that fails is a warning. */
static void finish(hm_writing *w, const hm_sweep *sweep) {
  const hm_sql_rules *rules = w->r->rules->sql;
  hm_written *out = w->out;
  const hm_finding **all = hm_alloc_array(w->a, out->n_findings + sweep->sql.n, sizeof *all);
  size_t n = 0;
  for (size_t i = 0; i < out->n_findings; i++)
    if (!hm_sql_rule_named(rules, out->findings[i]->rule))
      all[n++] = out->findings[i];
    else if (!is_found_again(&sweep->sql, out->findings[i]))
      out->vanished[out->n_vanished++] = out->findings[i];
  for (size_t i = 0; i < sweep->sql.n; i++)
    if (hm_finding_names(&sweep->sql.findings[i], out->ref))
      all[n++] = hm_finding_copy(&sweep->sql.findings[i], w->a);
  out->findings = all;
  out->n_findings = n;
  for (size_t i = 0; i < sweep->sql.n_runs; i++) {
    hm_str why = hm_str_dup(w->a, hm_str_c(sweep->sql.runs[i].why));
    add_warnings(w, out, &why, sweep->sql.runs[i].failed);
  }
}

/* --- one transaction --------------------------------------------------------------- */

hm_shared_find *hm_shared_find_new(hm_store *s, hm_beside *beside) {
  hm_shared_find *f = hm_xmalloc(sizeof *f);
  *f = (hm_shared_find){ .s = s, .beside = beside, .a = hm_arena_new() };
  return f;
}

/* A write that shares its find: its transaction is a savepoint. */
static int share(hm_shared_find *f, hm_writing *w, hm_write_step *what, const void *in) {
  if (hm_store_begin(w->s, true, w->err))
    return -1;
  int rc = f->check
      ? 0
      : hm_write_check_begin_beside(w->s, w->r->rules, f->beside, f->a, &f->check, w->err);
  if (!rc)
    rc = what(w, in);
  hm_store_secrets_tell(w->s, w->a, &w->secrets, &w->n_secrets);
  if (!rc)
    rc = hm_store_commit(w->s, w->err);
  hm_store_rollback(w->s);
  if (rc)
    return -1;
  f->v = hm_array_grow_in(f->a, f->v, f->n, &f->cap, sizeof *f->v);
  f->v[f->n++] = w;
  return 0;
}

int hm_shared_find_end(hm_shared_find *f, hm_err *err) {
  return f->n ? find_and_answer(f, err) : 0;
}

void hm_shared_find_finish(hm_shared_find *f) {
  if (!f->t.sweep.snap || f->t.pending)
    return;
  hm_write_finish(f->s, f->v[f->n - 1]->r, &f->t.sweep, f->a);
  for (size_t i = 0; i < f->n; i++)
    finish(f->v[i], &f->t.sweep);
}

bool hm_shared_find_is_pending(const hm_shared_find *f) { return f->t.pending; }

void hm_shared_find_free(hm_shared_find *f, bool kept) {
  if (!f)
    return;
  hm_write_check_free(f->check);
  if (f->beside && !kept)
    hm_beside_forget(f->beside);
  /* People's rules in SQL run after the batch; readers of the held sweep need their findings. */
  bool whole = !f->t.pending && f->t.sweep.version &&
      (f->t.sweep.sql.n_runs || !hm_sql_any_rule_on(f->v[0]->r->rules->sql));
  if (f->beside && kept && whole) {
    hm_beside_begin(f->beside, &f->t.sweep, f->a);
    free(f);
    return;
  }
  hm_sweep_free(&f->t.sweep);
  hm_arena_free(f->a);
  free(f);
}

int hm_write_run(hm_store *s, const hm_review *r, hm_write_step *what, const void *in, hm_arena *a,
                 hm_written *out, hm_err *err) {
  hm_err own = { 0 }, *told = err ? err : &own;
  hm_writing *w = hm_alloc(a, sizeof *w);
  *w = (hm_writing){ .s = s, .r = r, .a = a, .made = HM_EMPTY, .out = out, .err = told };
  if (r->shared && !r->dry_run)
    return share(r->shared, w, what, in);
  hm_shared_find f = { .s = s, .a = a, .v = &w, .n = 1 };
  if (hm_store_begin(s, true, told))
    return -1;
  int rc = hm_write_check_begin(s, r->rules, a, &f.check, told);
  if (!rc && r->dry_run)
    hm_write_check_try(f.check);
  if (!rc)
    rc = what(w, in);
  hm_store_secrets_tell(s, a, &w->secrets, &w->n_secrets);
  if (!rc)
    rc = find_and_answer(&f, told);
  hm_write_check_free(f.check);
  bool rejected = !rc && w->policy == HM_POLICY_RAISE && w->n_met;
  if (rejected)
    out->action = "rejected";
  if (!rc && !r->dry_run && !rejected) {
    rc = hm_store_commit(s, told);
    if (!rc)
      hm_shared_find_finish(&f);
  }
  hm_store_rollback(s);
  hm_sweep_free(&f.t.sweep);
  return rc;
}

/* --- as JSON ---------------------------------------------------------------------------- */

void hm_met_json(hm_jw *j, const hm_written *w) {
  hm_jw_str(j, "action", hm_str_c(w->action));
  hm_jw_arr(j, "met");
  for (size_t i = 0; i < w->n_met; i++) {
    const hm_met *m = &w->met[i];
    char cosine[16];
    int n = snprintf(cosine, sizeof cosine, "%.4f", m->similarity);
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "row", m->ref);
    hm_jw_str(j, "kind", hm_str_c(m->kind));
    hm_jw_str(j, "reason", hm_str_c(m->reason));
    if (m->conflict.n)
      hm_jw_raw(j, "similarity", HM_STR("null"));
    else
      hm_jw_raw(j, "similarity", (hm_str){ cosine, (size_t)n });
    hm_jw_str_or_null(j, "conflict_id", m->conflict);
    hm_jw_str(j, "text", m->text);
    hm_jw_end(j);
  }
  hm_jw_end(j);
}

static void put_findings(hm_jw *j, const char *key, const hm_finding **f, size_t n) {
  hm_jw_arr(j, key);
  for (size_t i = 0; i < n; i++)
    hm_finding_json(j, f[i]);
  hm_jw_end(j);
}

void hm_written_json(hm_buf *b, const hm_written *w, bool dry, hm_arena *a) {
  hm_jw j;
  hm_jw_init(&j, b, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_members(&j, w->record);
  hm_jw_str(&j, "ref", w->ref);
  hm_jw_bool(&j, "dry_run", dry);
  hm_jw_bool(&j, "changed", w->changed);
  hm_jw_str_or_null(&j, "conflict_id", w->n_conflicts ? w->conflicts[0].id : HM_EMPTY);
  hm_jw_arr(&j, "conflicts");
  for (size_t i = 0; i < w->n_conflicts; i++)
    hm_jw_raw(&j, NULL, w->conflicts[i].json);
  hm_jw_end(&j);
  hm_row_reading_json(&j, &w->reading);
  hm_jw_strs(&j, "opened", w->opened, w->n_opened);
  hm_jw_strs(&j, "revived", w->revived, w->n_revived);
  hm_jw_strs(&j, "quieted", w->quieted, w->n_quieted);
  put_findings(&j, "findings", w->findings, w->n_findings);
  put_findings(&j, "appeared", w->appeared, w->n_appeared);
  put_findings(&j, "vanished", w->vanished, w->n_vanished);
  if (w->pending)
    hm_jw_str(&j, "sweep", HM_STR("pending"));
  if (w->warn_open)
    hm_jw_str(&j, "warning", hm_str_c(hm_warning_open));
  hm_jw_strs(&j, "warnings", w->warnings, w->n_warnings);
  hm_met_json(&j, w);
  hm_alike_json(&j, w->alike, w->n_alike, a);
  hm_jw_end(&j);
}
