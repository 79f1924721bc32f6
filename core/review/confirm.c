/* A person makes a conflict of a finding: see confirm.h. Cost: a sweep, to see the finding as it is
 * now, and the check of a write. */
#include "core/review/confirm.h"

#include "core/base/json.h"
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/claim/judged.h"
#include "core/review/finding_review.h"
#include "core/review/verdict_impl.h"
#include "core/review/write_check.h"
#include "core/store/remarks.h"

enum { ROWS_MAX = 64, ID_SHOWN = 60 };

static int refuse(hm_str id, const char *why, const char *fix, hm_arena *a, hm_err *err) {
  const char *what = hm_str_fmt(a, "finding %.*s", HM_FMT(hm_text_cut(id, ID_SHOWN))).p;
  return hm_fail(err, HM_E_INPUT, what, why, fix);
}

/* The rows as they are now, oldest first as the finding has them. */
static int proposal_of(const hm_sweep *w, const hm_finding *f, hm_arena *a, hm_proposal *out,
                       hm_err *err) {
  bool denied = hm_str_is(f->kind, "possible_contradiction");
  if (!denied && !hm_str_is(f->kind, "possible_duplicate"))
    return refuse(f->id, "only what two texts seem to say can be confirmed",
                  "findings of other kinds are acknowledged: 'hmirror findings ack'", a, err);
  if (f->n_rows > ROWS_MAX)
    return refuse(f->id, "it has more than 64 rows", "supersede some of them first", a, err);
  *out = (hm_proposal){ .rows = hm_alloc_array(a, f->n_rows, sizeof *out->rows),
                        .digests = hm_alloc_array(a, f->n_rows, sizeof *out->digests),
                        .n = f->n_rows,
                        .question = hm_str_is(f->reason, "judged")
                            ? hm_confirmed_judged_question(f->rows[0], f->rows[1], a)
                            : hm_confirmed_question(denied, f->rows[0], f->rows[1], a),
                        .model = HM_EMPTY };
  for (size_t i = 0; i < f->n_rows; i++) {
    uint32_t row = hm_snapshot_ref(w->snap, HM_MEMORY, f->rows[i]);
    hm_judged_row j;
    if (row == HM_MAP_NONE || !hm_judged_row_of(&w->snap->rows[row], a, &j))
      return refuse(f->id, "one of its rows is gone", "see 'hmirror findings'", a, err);
    out->rows[i] = f->rows[i];
    out->digests[i] = hm_judged_digest(&w->snap->rows[row], &j, a);
  }
  return 0;
}

static int find(hm_store *s, const hm_review *r, hm_str id, hm_arena *a, hm_proposal *p,
                hm_confirm_report *out, hm_err *err) {
  hm_sweep w;
  const hm_finding *f;
  hm_sweep_options opt = { .rules = r->rules, .threads = hm_par_cores(), .who = r->who };
  if (hm_sweep_run_all(s, &opt, a, &w, err)) return -1;
  int rc = hm_finding_named(w.findings, w.n_findings, id, a, &f, err);
  if (!rc) {
    out->finding = f->id;
    out->message = f->message;
    rc = proposal_of(&w, f, a, p, err);
  }
  hm_sweep_free(&w);
  return rc;
}

/* The conflict on the slot of the proposal. */
static void find_conflict(const hm_write_result *t, const hm_proposal *p, hm_arena *a,
                          hm_confirm_report *out) {
  hm_str name = hm_judged_slot_name(p, a);
  for (size_t i = 0; i < t->sweep.plan->n_conflicts; i++) {
    const hm_conflict_rec *c = &t->sweep.plan->conflicts[i];
    if (c->status != HM_OPEN || hm_str_find(c->slot_key, name.p) < 0) continue;
    out->conflict = hm_str_dup(a, c->id);
    out->opened = hm_plan_opens(t->sweep.plan, c->id);
  }
}

static int record(hm_store *s, const hm_review *r, hm_proposal *p, const hm_actor *who,
                  hm_arena *a, hm_confirm_report *out, hm_err *err) {
  hm_write_check *check;
  hm_write_result t;
  bool added;
  if (hm_write_check_begin(s, r->rules, a, &check, err)) return -1;
  if (hm_proposal_add(s, p, who, a, &added, err)) {
    hm_write_check_free(check);
    return -1;
  }
  if (hm_write_check_end(check, who, &t, err)) return -1;
  find_conflict(&t, p, a, out);
  hm_sweep_free(&t.sweep);
  return 0;
}

int hm_review_confirm(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                      hm_confirm_report *out, hm_err *err) {
  bool mine = !hm_store_in_txn(s);
  hm_actor who = r->who;
  hm_proposal p;
  who.at = hm_verdict_second(who.at, a);
  who.why = hm_str_dup(a, hm_str_trim(hm_text_repair(a, reason)));
  *out = (hm_confirm_report){ .dry_run = r->dry_run, .finding = HM_EMPTY, .message = HM_EMPTY,
                              .conflict = HM_EMPTY, .by = who.by, .at = who.at,
                              .reason = who.why };
  if (who.why.n > HM_NOTES_MAX) {
    hm_fail(err, HM_E_INPUT, "reason", "longer than 64 KiB", "say it in fewer words");
    return hm_err_at_field(err, HM_STR("reason"));
  }
  if (mine && hm_store_begin(s, true, err)) return -1;
  int rc = find(s, r, hm_str_trim(id), a, &p, out, err);
  if (!rc) rc = record(s, r, &p, &who, a, out, err);
  if (!mine) return rc;
  if (!rc && !r->dry_run) return hm_store_commit(s, err);
  hm_store_rollback(s);
  return rc;
}

void hm_confirm_json(hm_buf *b, const hm_confirm_report *r) {
  hm_jw w;
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_bool(&w, "dry_run", r->dry_run);
  hm_jw_str(&w, "finding", r->finding);
  hm_jw_str(&w, "message", r->message);
  hm_jw_str_or_null(&w, "conflict_id", r->conflict);
  hm_jw_bool(&w, "opened", r->opened);
  hm_jw_str(&w, "by", r->by);
  hm_jw_str(&w, "at", r->at);
  hm_jw_str(&w, "reason", r->reason);
  hm_jw_end(&w);
}
