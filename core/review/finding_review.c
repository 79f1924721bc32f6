/* Lists of findings, acknowledgements, flags and confirmations: see finding_review.h.
 *
 * Cost of an acknowledgement: a sweep; of a confirmation: a sweep, to find the current finding, and
 * the check of a write. */
#include "core/review/finding_review.h"

#include "core/base/json.h"
#include "core/base/near_names.h"
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/claim/judged.h"
#include "core/detect/rule.h"
#include "core/review/supersede.h"
#include "core/review/verdict_impl.h"
#include "core/review/write_check.h"
#include "core/store/lookup.h"
#include "core/store/remarks.h"
#include "core/record/texts.h"

enum { ID_SHOWN = 60 };

/* --- lists ---------------------------------------------------------------------- */

/* Names of the kinds that findings may have, ending with NULL. */
static const char *const *finding_kinds(void) {
  static const char *const kinds[] = { "anachronism",
                                       "ontology_violation",
                                       "orphan",
                                       "stale",
                                       "possible_overlap",
                                       "possible_contradiction",
                                       "possible_duplicate",
                                       "review",
                                       "reported",
                                       NULL };
  return kinds;
}

static int not_one_of(const char *field, hm_str given, const char *const *names, hm_arena *a,
                      hm_err *err) {
  hm_str all[16];
  size_t n = 0;
  for (; names[n]; n++) {
    all[n] = hm_str_c(names[n]);
    if (hm_str_eq(given, all[n]))
      return 0;
  }
  hm_failf(err, HM_E_INPUT, field, hm_hint_names(given, all, n, "use one of: ", a),
           "unknown: '%.*s'", HM_FMT(hm_text_cut(given, ID_SHOWN)));
  return hm_err_at_field(err, hm_str_c(field));
}

int hm_finding_filter_resolve(hm_finding_filter *f, hm_store *s, const hm_rules *rules, hm_arena *a,
                              hm_err *err) {
  static const char *const severities[] = { "error", "warn", "info", NULL };
  const char *help = f->rule.n ? hm_rule_suggest_name(rules, f->rule, a) : NULL;
  if (f->kind.n && not_one_of("kind", f->kind, finding_kinds(), a, err))
    return -1;
  if (f->severity.n && not_one_of("severity", f->severity, severities, a, err))
    return -1;
  if (help) {
    hm_failf(err, HM_E_INPUT, "rule", help, "unknown: '%.*s'",
             HM_FMT(hm_text_cut(f->rule, ID_SHOWN)));
    return hm_err_at_field(err, HM_STR("rule"));
  }
  if (!f->project.n)
    return 0;
  return hm_lookup_project(s, f->project, a, &f->project, err)
      ? hm_err_at_field(err, HM_STR("project"))
      : 0;
}

bool hm_finding_passes(const hm_finding_filter *f, const hm_finding *x) {
  const hm_str wanted[][2] = { { f->kind, x->kind },
                               { f->severity, x->severity },
                               { f->rule, x->rule },
                               { f->project, x->project } };
  if (x->acked && !f->all)
    return false;
  for (size_t i = 0; i < HM_COUNT(wanted); i++)
    if (wanted[i][0].n && !hm_str_eq(wanted[i][0], wanted[i][1]))
      return false;
  return true;
}

static const char *what_of(hm_str id, hm_arena *a) {
  return hm_str_fmt(a, "finding %.*s", HM_FMT(hm_text_cut(id, ID_SHOWN))).p;
}

int hm_finding_named(const hm_finding *f, size_t n, hm_str id, hm_arena *a, const hm_finding **out,
                     hm_err *err) {
  size_t found = 0;
  *out = NULL;
  for (size_t i = 0; i < n && id.n; i++) {
    if (!hm_str_eq(hm_str_sub(f[i].id, 0, id.n), id))
      continue;
    *out = &f[i];
    found++;
    if (f[i].id.n == id.n)
      return 0;
  }
  if (found == 1)
    return 0;
  if (!found)
    return hm_fail(err, HM_E_UNKNOWN, what_of(id, a), "there is none",
                   "see 'hmirror findings --all'");
  return hm_fail(err, HM_E_INPUT, what_of(id, a), "several begin so", "give more of the id");
}

/* --- what people say --------------------------------------------------------------- */

/* One write, inside its transaction. */
typedef struct {
  hm_store *s;
  const hm_review *r;
  hm_arena *a;
  hm_remark_report *out;
  hm_actor who;
  hm_err *err;
} saying;

typedef int say_fn(saying *x, hm_str about);

static int say(hm_store *s, const hm_review *r, say_fn *fn, hm_str about, hm_str reason,
               bool needed, hm_arena *a, hm_remark_report *out, hm_err *err) {
  saying x = { .s = s, .r = r, .a = a, .out = out, .who = r->who, .err = err };
  bool mine;
  x.who.at = hm_decision_time(x.who.at, a);
  *out = (hm_remark_report){ .dry_run = r->dry_run,
                             .finding = HM_EMPTY,
                             .ref = HM_EMPTY,
                             .message = HM_EMPTY,
                             .by = x.who.by,
                             .at = x.who.at };
  if (hm_review_read_reason(reason, "reason", needed, a, &out->reason, err))
    return -1;
  x.who.why = out->reason;
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  int rc = fn(&x, hm_str_trim(about));
  hm_store_secrets_tell(s, a, &out->warnings, &out->n_warnings);
  return hm_review_end(s, r, mine, rc, err);
}

static int add(saying *x, hm_remark_kind kind, const hm_remark *m, const hm_finding *f,
               const char *verb) {
  hm_str id;
  x->out->changed = true;
  return hm_remark_add(x->s, kind, m, f ? f->rows : NULL, f ? f->n_rows : 0, verb, &x->who, x->a,
                       &id, x->err);
}

static int ack(saying *x, hm_str id) {
  hm_sweep w;
  const hm_finding *f;
  hm_sweep_options opt = { .rules = x->r->rules, .threads = hm_par_cores(), .who = x->who };
  if (hm_sweep_run_all(x->s, &opt, x->a, &w, x->err))
    return -1;
  int rc = hm_finding_named(w.findings, w.n_findings, id, x->a, &f, x->err);
  if (!rc) {
    x->out->finding = f->id;
    x->out->message = f->message;
    hm_remark m = { .subject = f->id,
                    .evidence = hm_finding_evidence(w.snap, f, x->a),
                    .rule = f->rule,
                    .reason = x->out->reason };
    if (!f->acked)
      rc = add(x, HM_REMARK_ACK, &m, f, "ack");
  }
  hm_sweep_free(&w);
  return rc;
}

int hm_review_ack(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                  hm_remark_report *out, hm_err *err) {
  return say(s, r, ack, id, reason, true, a, out, err);
}

/* The only acknowledged one with this id, or whose id begins with it; NULL if there is none. */
static int acknowledged(saying *x, hm_str id, const hm_remark **out) {
  hm_remark *all;
  size_t n;
  *out = NULL;
  if (hm_remarks_unreplaced(x->s, HM_REMARK_ACK, x->a, &all, &n, x->err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    if (all[i].withdrawn || !id.n || !hm_str_eq(hm_str_sub(all[i].subject, 0, id.n), id))
      continue;
    if (*out && !hm_str_eq((*out)->subject, all[i].subject))
      return hm_fail(x->err, HM_E_INPUT, what_of(id, x->a), "several begin so",
                     "give more of the id");
    *out = &all[i];
  }
  return 0;
}

/* One that is acknowledged under another id: rows have other ids where that was said. */
static int acknowledged_elsewhere(saying *x, hm_str id, const hm_remark **out) {
  hm_sweep w;
  const hm_finding *f;
  hm_sweep_options opt = { .rules = x->r->rules, .threads = hm_par_cores(), .who = x->who };
  hm_err unknown;
  if (hm_sweep_run_all(x->s, &opt, x->a, &w, x->err))
    return -1;
  if (!hm_finding_named(w.findings, w.n_findings, id, x->a, &f, &unknown) && f->acked) {
    *out = f->ack;
    x->out->finding = f->id;
  }
  hm_sweep_free(&w);
  if (*out)
    return 0;
  return hm_fail(x->err, HM_E_UNKNOWN, what_of(id, x->a), "nobody has acknowledged it",
                 "see 'hmirror findings --all'");
}

static int unack(saying *x, hm_str id) {
  const hm_remark *was;
  if (acknowledged(x, id, &was))
    return -1;
  if (was)
    x->out->finding = was->subject;
  else if (acknowledged_elsewhere(x, id, &was))
    return -1;
  hm_remark m = {
    .subject = was->subject, .rule = was->rule, .withdrawn = true, .reason = x->out->reason
  };
  return add(x, HM_REMARK_ACK, &m, NULL, "unack");
}

int hm_review_unack(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                    hm_remark_report *out, hm_err *err) {
  return say(s, r, unack, id, reason, false, a, out, err);
}

static int flag(saying *x, hm_str row) {
  hm_named_row standing;
  if (hm_named_row_find(x->s, row, x->a, &standing, x->err))
    return hm_err_at_field(x->err, HM_STR("row"));
  x->out->ref = standing.ref;
  hm_remark m = { .subject = standing.ref, .reason = x->out->reason };
  return add(x, HM_REMARK_FLAG, &m, NULL, "flag");
}

int hm_review_flag(hm_store *s, const hm_review *r, hm_str row, hm_str reason, hm_arena *a,
                   hm_remark_report *out, hm_err *err) {
  return say(s, r, flag, row, reason, true, a, out, err);
}

static bool is_flagged(const hm_remark *all, size_t n, hm_str ref) {
  for (size_t i = 0; i < n; i++)
    if (!all[i].withdrawn && hm_str_eq(all[i].subject, ref))
      return true;
  return false;
}

static int unflag(saying *x, hm_str row) {
  hm_named_row standing;
  hm_remark *all;
  size_t n;
  if (hm_remarks_unreplaced(x->s, HM_REMARK_FLAG, x->a, &all, &n, x->err))
    return -1;
  x->out->ref = row;
  if (!is_flagged(all, n, row)) {
    if (hm_named_row_find(x->s, row, x->a, &standing, x->err))
      return hm_err_at_field(x->err, HM_STR("row"));
    x->out->ref = standing.ref;
  }
  if (!is_flagged(all, n, x->out->ref))
    return hm_fail(x->err, HM_E_STATE,
                   hm_str_fmt(x->a, "%.*s", HM_FMT(hm_text_cut(x->out->ref, ID_SHOWN))).p,
                   "nobody has flagged it", "see 'hmirror findings --rule review/flagged'");
  hm_remark m = { .subject = x->out->ref, .withdrawn = true, .reason = x->out->reason };
  return add(x, HM_REMARK_FLAG, &m, NULL, "unflag");
}

int hm_review_unflag(hm_store *s, const hm_review *r, hm_str row, hm_str reason, hm_arena *a,
                     hm_remark_report *out, hm_err *err) {
  return say(s, r, unflag, row, reason, false, a, out, err);
}

void hm_remark_json(hm_buf *b, const hm_remark_report *r) {
  hm_jw w;
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_bool(&w, "changed", r->changed);
  hm_jw_bool(&w, "dry_run", r->dry_run);
  hm_jw_str_or_null(&w, "finding", r->finding);
  hm_jw_str_or_null(&w, "row", r->ref);
  hm_jw_str_or_null(&w, "message", r->message);
  hm_jw_str(&w, "by", r->by);
  hm_jw_str(&w, "at", r->at);
  hm_jw_str(&w, "reason", r->reason);
  hm_jw_strs(&w, "warnings", r->warnings, r->n_warnings);
  hm_jw_end(&w);
}

/* --- a finding that becomes a conflict ------------------------------------------------------- */

enum { ROWS_MAX = 64 };

static int refuse_finding(hm_str id, const char *why, const char *fix, hm_arena *a, hm_err *err) {
  const char *what = hm_str_fmt(a, "finding %.*s", HM_FMT(hm_text_cut(id, ID_SHOWN))).p;
  return hm_fail(err, HM_E_INPUT, what, why, fix);
}

/* The first open proposal of which the finding tells. */
static const hm_proposal *first_report(const hm_snapshot *snap, const hm_finding *f) {
  const hm_proposal *first = NULL;
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *p = &snap->proposals[i];
    size_t k = 0;
    while (k < p->n && hm_finding_names(f, p->rows[k]))
      k++;
    if (hm_proposal_is_open(p) && p->n && k == p->n && (!first || hm_str_cmp(p->at, first->at) < 0))
      first = p;
  }
  return first;
}

/* The rows as they are now, oldest first as the finding has them. */
static int proposal_of(const hm_sweep *w, const hm_finding *f, hm_arena *a, hm_proposal *out,
                       hm_err *err) {
  bool denied = hm_str_is(f->kind, "possible_contradiction");
  bool reported = hm_str_is(f->kind, "reported");
  const hm_proposal *first = reported ? first_report(w->snap, f) : NULL;
  if (!denied && !reported && !hm_str_is(f->kind, "possible_duplicate"))
    return refuse_finding(f->id, "only a report, or what two texts seem to say, can be confirmed",
                          "findings of other kinds are acknowledged: 'hmirror findings ack'", a,
                          err);
  if (f->n_rows > ROWS_MAX)
    return refuse_finding(f->id, "it has more than 64 rows", "supersede some of them first", a,
                          err);
  *out = (hm_proposal){ .rows = hm_alloc_array(a, f->n_rows, sizeof *out->rows),
                        .digests = hm_alloc_array(a, f->n_rows, sizeof *out->digests),
                        .n = f->n_rows,
                        .says = first ? HM_STR(HM_SAYS_CONFIRMED) : HM_EMPTY,
                        .why = first ? hm_str_dup(a, f->actual) : HM_EMPTY,
                        .question = first ? hm_str_dup(a, first->question)
                            : hm_str_is(f->reason, "judged")
                            ? hm_confirmed_judged_question(f->rows[0], f->rows[1], a)
                            : hm_question_to_confirm(denied, f->rows[0], f->rows[1], a),
                        .model = first ? hm_str_dup(a, first->model) : HM_EMPTY };
  for (size_t i = 0; i < f->n_rows; i++) {
    uint32_t row = hm_snapshot_ref(w->snap, HM_MEMORY, f->rows[i]);
    hm_judged_row j;
    if (row == HM_MAP_NONE || !hm_judged_row_read(&w->snap->rows[row], a, &j))
      return refuse_finding(f->id, "one of its rows is gone", "see 'hmirror findings'", a, err);
    out->rows[i] = f->rows[i];
    out->digests[i] = hm_judged_digest(&w->snap->rows[row], &j, a);
  }
  return 0;
}

static int find_proposal(hm_store *s, const hm_review *r, hm_str id, hm_arena *a, hm_proposal *p,
                         hm_confirm_report *out, hm_err *err) {
  hm_sweep w;
  const hm_finding *f;
  hm_sweep_options opt = { .rules = r->rules, .threads = hm_par_cores(), .who = r->who };
  if (hm_sweep_run_all(s, &opt, a, &w, err))
    return -1;
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
    if (c->status != HM_OPEN || hm_str_find(c->slot_key, name.p) < 0)
      continue;
    out->conflict = hm_str_dup(a, c->id);
    out->opened = hm_plan_opens_conflict(t->sweep.plan, c->id);
  }
}

static int record_proposal(hm_store *s, const hm_review *r, hm_proposal *p, const hm_actor *who,
                           hm_arena *a, hm_confirm_report *out, hm_err *err) {
  hm_write_check *check;
  hm_write_result t;
  bool added;
  if (hm_write_check_begin(s, r->rules, a, &check, err))
    return -1;
  if (hm_proposal_add(s, p, who, a, &added, err)) {
    hm_write_check_free(check);
    return -1;
  }
  if (hm_write_check_end(check, who, &t, err))
    return -1;
  find_conflict(&t, p, a, out);
  hm_sweep_free(&t.sweep);
  return 0;
}

int hm_review_confirm(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                      hm_confirm_report *out, hm_err *err) {
  bool mine;
  hm_actor who = r->who;
  hm_proposal p;
  who.at = hm_decision_time(who.at, a);
  if (hm_review_read_reason(reason, "reason", false, a, &who.why, err))
    return -1;
  *out = (hm_confirm_report){ .dry_run = r->dry_run,
                              .finding = HM_EMPTY,
                              .message = HM_EMPTY,
                              .conflict = HM_EMPTY,
                              .by = who.by,
                              .at = who.at,
                              .reason = who.why };
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  int rc = find_proposal(s, r, hm_str_trim(id), a, &p, out, err);
  if (!rc)
    rc = record_proposal(s, r, &p, &who, a, out, err);
  hm_store_secrets_tell(s, a, &out->warnings, &out->n_warnings);
  return hm_review_end(s, r, mine, rc, err);
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
  hm_jw_strs(&w, "warnings", r->warnings, r->n_warnings);
  hm_jw_end(&w);
}
