/* Reports of contradictions, and their opposite: report.h. Cost: that of a write, which sweeps. */
#include "core/review/report.h"

#include <stdlib.h>

#include "core/base/par.h"
#include "core/base/text.h"
#include "core/claim/judged.h"
#include "core/detect/conflict.h"
#include "core/review/supersede.h"
#include "core/review/verdict_impl.h"
#include "core/store/lookup.h"
#include "core/store/remarks.h"
#include "core/record/texts.h"

enum { SHOWN = 120, DAY = 10 };

/* One report in its transaction. */
typedef struct {
  hm_store *s;
  const hm_report_order *o;
  hm_arena *a;
  hm_actor who;
  hm_proposal p;
  hm_reported *out;
  hm_err *err;
} reporting;

static int refuse(reporting *x, hm_code code, const char *field, const char *why, const char *fix) {
  hm_fail(x->err, code, field, why, fix);
  return hm_err_at_field(x->err, hm_str_c(field));
}

static int refuse_row(reporting *x, hm_code code, hm_str ref, const char *why, const char *fix) {
  hm_fail(x->err, code, hm_str_z(x->a, ref), why, fix);
  return hm_err_at_field(x->err, HM_STR("rows"));
}

/* --- what is said ------------------------------------------------------------------------------
 */

/* wanted: what to say where it is missing. */
static int read_text(reporting *x, hm_str given, const char *field, const char *wanted, size_t most,
                     hm_str *out) {
  hm_str text;
  if (!hm_str_trim(given).n)
    return refuse(x, HM_E_INPUT, field, "it is missing", wanted);
  if (hm_review_read_reason(given, field, true, x->a, &text, x->err))
    return -1;
  if (text.n > most)
    return refuse(x, HM_E_INPUT, field, "it is too long", "say it in fewer words");
  for (size_t i = 0; i < text.n; i++)
    if (text.p[i] == '\n' || text.p[i] == '\r')
      ((char *)text.p)[i] = ' ';
  *out = text;
  return 0;
}

static int read_row(reporting *x, const hm_snapshot *snap, hm_str given) {
  hm_named_row named;
  hm_judged_row j;
  hm_proposal *p = &x->p;
  if (hm_named_row_find(x->s, given, x->a, &named, x->err))
    return hm_err_at_field(x->err, HM_STR("rows"));
  uint32_t at = hm_snapshot_ref(snap, HM_MEMORY, named.ref);
  if (named.status != HM_ACTIVE)
    return refuse_row(x, HM_E_STATE, named.ref, "it is not active", "report rows that hold");
  if (at == HM_MAP_NONE || !hm_judged_row_read(&snap->rows[at], x->a, &j))
    return refuse_row(x, HM_E_INPUT, named.ref, "it says nothing that can be compared",
                      "report memories, states, or entities with a value; flag another");
  for (size_t i = 0; i < p->n; i++)
    if (hm_str_eq(p->rows[i], named.ref))
      return refuse_row(x, HM_E_INPUT, named.ref, "it stands twice", "give different rows");
  p->rows[p->n] = named.ref;
  p->digests[p->n++] = hm_judged_digest(&snap->rows[at], &j, x->a);
  return 0;
}

static int read_rows(reporting *x, const hm_snapshot *snap) {
  const hm_report_order *o = x->o;
  x->p.rows = hm_alloc_array(x->a, o->n, sizeof *x->p.rows);
  x->p.digests = hm_alloc_array(x->a, o->n, sizeof *x->p.digests);
  for (size_t i = 0; i < o->n; i++)
    if (read_row(x, snap, hm_str_trim(o->rows[i])))
      return -1;
  return 0;
}

/* --- what is there already ---------------------------------------------------------------------
 */

static bool same_rows(const hm_str *x, size_t n, const hm_str *y, size_t m) {
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < m && !hm_str_eq(x[i], y[k]))
      k++;
    if (k == m)
      return false;
  }
  return n == m;
}

static bool is_report(const hm_finding *f) { return hm_str_is(f->rule, HM_RULE_REPORTED); }

static const hm_finding *find_report(const hm_sweep *w, const hm_proposal *p) {
  for (size_t i = 0; i < w->n_findings; i++)
    if (is_report(&w->findings[i]) &&
        same_rows(w->findings[i].rows, w->findings[i].n_rows, p->rows, p->n))
      return &w->findings[i];
  return NULL;
}

/* The conflict, open or settled, whose dispute has all of the rows; or empty. */
static hm_str conflict_of(const hm_sweep *w, const hm_proposal *p) {
  for (size_t i = 0; i < w->plan->n_conflicts; i++) {
    const hm_dispute *d = w->plan->disputes[i];
    size_t has = 0;
    for (size_t k = 0; d && k < p->n; k++) {
      uint32_t row = hm_snapshot_ref(w->snap, HM_MEMORY, p->rows[k]);
      size_t j = 0;
      while (j < d->n && d->parties[j].claim->row != row)
        j++;
      has += j < d->n;
    }
    if (d && has == p->n)
      return w->plan->conflicts[i].id;
  }
  return HM_EMPTY;
}

/* Did this reporter report the rows of the finding? */
static bool has_said(const hm_sweep *w, const hm_finding *f, hm_str by) {
  const hm_snapshot *snap = w->snap;
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *p = &snap->proposals[i];
    if (hm_proposal_is_open(p) && p->says.n && hm_str_eq(p->by, by) &&
        same_rows(p->rows, p->n, f->rows, f->n_rows))
      return true;
  }
  return false;
}

/* Who said that they do not: with these words, or by dismissing the report. */
static hm_pair_denial denial_of(const hm_sweep *w, const hm_proposal *p, const hm_finding *f,
                                hm_arena *a) {
  const hm_snapshot *snap = w->snap;
  if (f && f->acked)
    return (hm_pair_denial){ hm_str_dup(a, f->ack->by), hm_str_dup(a, f->ack->reason) };
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *said = &snap->proposals[i];
    if (hm_str_is(said->says, HM_SAYS_AGREES) && !said->via.n &&
        same_rows(said->rows, said->n, p->rows, p->n) && hm_proposal_holds(snap, said, a))
      return (hm_pair_denial){ hm_str_dup(a, said->by), hm_str_dup(a, said->why) };
  }
  return (hm_pair_denial){ HM_EMPTY, HM_EMPTY };
}

/* Of a model's finding each proposal has some of its rows. */
static bool has_proposal(const hm_finding *f, const hm_proposal *p) {
  return !p->says.n && p->model.n && hm_finding_names(f, p->rows[0]);
}

/* Does a finding tell of it that nobody acknowledged? */
static bool is_told(const hm_sweep *w, const hm_proposal *p) {
  for (size_t i = 0; i < w->n_findings; i++) {
    const hm_finding *f = &w->findings[i];
    if ((is_report(f) || hm_str_is(f->rule, "similar")) && !f->acked &&
        (p->says.n ? same_rows(p->rows, p->n, f->rows, f->n_rows) : has_proposal(f, p)))
      return true;
  }
  return false;
}

size_t hm_reports_open(const hm_sweep *w, hm_str by, hm_str at) {
  const hm_snapshot *snap = w->snap;
  size_t open = 0;
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *p = &snap->proposals[i];
    open += hm_proposal_is_open(p) && hm_str_eq(p->says.n ? p->by : p->model, by) &&
        hm_str_eq(hm_str_sub(p->at, 0, DAY), hm_str_sub(at, 0, DAY)) && is_told(w, p);
  }
  return open;
}

static int check_count(reporting *x, const hm_sweep *w) {
  size_t open = hm_reports_open(w, x->who.by, x->who.at);
  if (open < (x->o->a_day ? x->o->a_day : HM_REPORTS_A_DAY))
    return 0;
  return hm_failf(x->err, HM_E_STATE, "report", "wait for a person to look at them",
                  "%.60s has %zu open reports of this day, the most that one may have",
                  hm_str_z(x->a, x->who.by), open);
}

/* What was taken back within this second is said again a second later. */
static void come_after_withdrawal(reporting *x, const hm_snapshot *snap) {
  hm_time t;
  hm_precision precision;
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *p = &snap->proposals[i];
    if (hm_str_is(p->says, HM_SAYS_WITHDRAWN) && hm_str_eq(p->model, x->who.by) &&
        same_rows(p->rows, p->n, x->p.rows, x->p.n) && hm_str_cmp(p->at, x->who.at) >= 0 &&
        hm_time_parse(p->at, &t, &precision))
      x->out->at = x->who.at = hm_time_iso(x->a, t + 1000000);
  }
}

/* --- the write ---------------------------------------------------------------------------------
 */

static int add(reporting *x, const hm_rules *rules) {
  hm_write_check *check;
  hm_write_result t;
  const hm_sweep *w;
  if (hm_write_check_begin(x->s, rules, x->a, &check, x->err))
    return -1;
  bool reports = hm_str_is(x->p.says, HM_SAYS_REPORTED);
  int rc = hm_write_check_before(check, &w, x->err) || read_rows(x, w->snap) ? -1 : 0;
  if (!rc && reports)
    come_after_withdrawal(x, w->snap);
  if (!rc)
    x->out->conflict = hm_str_dup(x->a, conflict_of(w, &x->p));
  const hm_finding *known = !rc && reports ? find_report(w, &x->p) : NULL;
  if (!rc && reports)
    x->out->denied = denial_of(w, &x->p, known, x->a);
  bool told = x->out->conflict.n || x->out->denied.by.n || (known && has_said(w, known, x->who.by));
  if (!rc && reports && !known && !told)
    rc = check_count(x, w);
  if (!rc && !(reports && told))
    rc = hm_proposal_add(x->s, &x->p, &x->who, x->a, &x->out->changed, x->err);
  if (rc) {
    hm_write_check_free(check);
    return -1;
  }
  if (hm_write_check_end(check, &x->who, &t, x->err))
    return -1;
  const hm_finding *f = reports ? find_report(&t.sweep, &x->p) : NULL;
  if (f && f->acked)
    x->out->denied = denial_of(&t.sweep, &x->p, f, x->a);
  else if (f) {
    x->out->finding = hm_str_dup(x->a, f->id);
    x->out->message = hm_str_dup(x->a, f->message);
  }
  hm_sweep_free(&t.sweep);
  return 0;
}

static int say(hm_store *s, const hm_review *r, const hm_report_order *o, const char *says,
               hm_arena *a, hm_reported *out, hm_err *err) {
  reporting x = { .s = s, .o = o, .a = a, .who = r->who, .out = out, .err = err };
  bool mine;
  x.who.at = hm_decision_time(x.who.at, a);
  if (o->n < 2 || o->n > HM_REPORT_ROWS)
    return refuse(&x, HM_E_INPUT, "rows", "not 2 to 16 rows", "give the rows that you compared");
  x.p = (hm_proposal){
    .question = HM_EMPTY, .model = HM_EMPTY, .says = hm_str_c(says), .via = o->via
  };
  *out = (hm_reported){ .dry_run = r->dry_run,
                        .finding = HM_EMPTY,
                        .message = HM_EMPTY,
                        .conflict = HM_EMPTY,
                        .denied = { HM_EMPTY, HM_EMPTY },
                        .by = x.who.by,
                        .at = x.who.at };
  if (hm_str_is(x.p.says, HM_SAYS_REPORTED) &&
      read_text(&x, o->question, "question", "say what a person should decide", HM_REPORT_QUESTION,
                &x.p.question))
    return -1;
  if (read_text(&x, o->why, "why", "say why", HM_REPORT_WHY, &x.p.why))
    return -1;
  x.who.why = x.p.why;
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  int rc = add(&x, r->rules);
  out->rows = x.p.rows;
  out->n = x.p.n;
  hm_store_secrets_tell(s, a, &out->warnings, &out->n_warnings);
  return hm_review_end(s, r, mine, rc, err);
}

int hm_review_report(hm_store *s, const hm_review *r, const hm_report_order *o, hm_arena *a,
                     hm_reported *out, hm_err *err) {
  return say(s, r, o, HM_SAYS_REPORTED, a, out, err);
}

int hm_review_agree(hm_store *s, const hm_review *r, const hm_report_order *o, hm_arena *a,
                    hm_reported *out, hm_err *err) {
  return say(s, r, o, HM_SAYS_AGREES, a, out, err);
}

void hm_reported_json(hm_buf *b, const hm_reported *r) {
  hm_jw w;
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_bool(&w, "changed", r->changed);
  hm_jw_bool(&w, "dry_run", r->dry_run);
  hm_jw_strs(&w, "rows", r->rows, r->n);
  hm_jw_str_or_null(&w, "finding", r->finding);
  hm_jw_str_or_null(&w, "message", r->message);
  hm_jw_str_or_null(&w, "conflict_id", r->conflict);
  if (r->denied.by.n) {
    hm_jw_str(&w, "denied_by", r->denied.by);
    hm_jw_str(&w, "denied_because", r->denied.why);
  }
  hm_jw_str(&w, "by", r->by);
  hm_jw_str(&w, "at", r->at);
  hm_jw_strs(&w, "warnings", r->warnings, r->n_warnings);
  hm_jw_end(&w);
}

/* --- all of one reporter -----------------------------------------------------------------------
 */

static bool others_reported(const hm_snapshot *snap, const hm_finding *f, hm_str by) {
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *p = &snap->proposals[i];
    bool own =
        hm_str_is(p->says, HM_SAYS_REPORTED) ? hm_str_eq(p->by, by) : hm_str_eq(p->model, by);
    if (hm_proposal_is_open(p) && !own && same_rows(p->rows, p->n, f->rows, f->n_rows))
      return true;
  }
  return false;
}

/* Of texts that are alike it is the model's where it says so of them. */
static bool has_proposed(const hm_snapshot *snap, const hm_finding *f, hm_str model) {
  bool alike = hm_str_is(f->reason, "judged");
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *p = &snap->proposals[i];
    if (hm_proposal_is_open(p) && hm_str_eq(p->model, model) &&
        (alike ? same_rows(p->rows, p->n, f->rows, f->n_rows) : has_proposal(f, p)))
      return true;
  }
  return false;
}

static int take_back(hm_store *s, const hm_actor *who, const hm_proposal *p, hm_str reporter,
                     hm_arena *a, hm_err *err) {
  bool added;
  hm_proposal back = { .rows = p->rows,
                       .digests = p->digests,
                       .n = p->n,
                       .question = p->question,
                       .model = reporter,
                       .says = HM_STR(HM_SAYS_WITHDRAWN),
                       .why = who->why };
  return hm_proposal_add(s, &back, who, a, &added, err);
}

static int withdraw(hm_store *s, hm_actor *who, const hm_sweep *w, hm_arena *a, hm_withdrawn *out,
                    hm_err *err) {
  const hm_snapshot *snap = w->snap;
  out->findings = hm_alloc_array(a, w->n_findings + 1, sizeof *out->findings);
  for (size_t i = 0; i < w->n_findings; i++) {
    const hm_finding *f = &w->findings[i];
    bool own = !f->acked &&
        ((is_report(f) && has_said(w, f, out->by)) ||
         ((is_report(f) || hm_str_is(f->reason, "judged")) && has_proposed(snap, f, out->by)));
    if (own && !others_reported(snap, f, out->by))
      out->findings[out->n++] = hm_str_dup(a, f->id);
  }
  bool before = false;
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *p = &snap->proposals[i];
    bool own = hm_str_eq(p->says.n ? p->by : p->model, out->by);
    before = before || (own && p->taken_back);
    if (!own || !hm_proposal_is_open(p))
      continue;
    if (hm_str_cmp(p->at, who->at) > 0) /* it came after another withdrawal of this second */
      who->at = p->at;
    if (take_back(s, who, p, out->by, a, err))
      return -1;
    out->taken++;
  }
  return out->taken
      ? 0
      : hm_failf(err, HM_E_UNKNOWN, "withdraw", "see 'hmirror findings --rule review/reported'",
                 before ? "all that '%.60s' reported is taken back already"
                        : "'%.60s' has reported nothing",
                 hm_str_z(a, out->by));
}

int hm_review_withdraw(hm_store *s, const hm_review *r, hm_str reporter, hm_str reason, hm_arena *a,
                       hm_withdrawn *out, hm_err *err) {
  hm_sweep w;
  bool mine;
  hm_actor who = r->who;
  hm_sweep_options opt = { .rules = r->rules, .threads = hm_par_cores(), .who = r->who };
  who.at = hm_decision_time(who.at, a);
  *out = (hm_withdrawn){ .dry_run = r->dry_run, .by = hm_str_trim(reporter) };
  if (hm_review_read_reason(reason, "reason", false, a, &who.why, err))
    return -1;
  if (!out->by.n) {
    hm_fail(err, HM_E_INPUT, "reporter", "it is missing", "name who reported");
    return hm_err_at_field(err, HM_STR("reporter"));
  }
  if (!who.why.n)
    who.why = HM_STR("withdrawn with all reports of this reporter");
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  int rc = hm_sweep_run_all(s, &opt, a, &w, err);
  if (!rc) {
    rc = withdraw(s, &who, &w, a, out, err);
    hm_sweep_free(&w);
  }
  if (!rc)
    rc = hm_review_record(s, r, a, err);
  return hm_review_end(s, r, mine, rc, err);
}

void hm_withdrawn_json(hm_buf *b, const hm_withdrawn *x) {
  hm_jw w;
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_bool(&w, "dry_run", x->dry_run);
  hm_jw_str(&w, "by", x->by);
  hm_jw_int(&w, "reports", (int64_t)x->taken);
  hm_jw_strs(&w, "findings", x->findings, x->n);
  hm_jw_int(&w, "count", (int64_t)x->n);
  hm_jw_end(&w);
}
