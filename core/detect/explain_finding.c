/* Why a finding was found, in plain sentences: the rule, what it expected and what stands there,
 * each row with when it holds, existed and was written, and how to silence it. */
#include "core/claim/existence.h"
#include "core/detect/explain.h"
#include "core/detect/rule.h"
#include "core/detect/sql_rule.h"

/* When it was there, by its own windows and not by those of the row. */
static void tell_existence(hm_teller *t, const hm_existence *x) {
  for (size_t i = 0; x && i < x->n; i++)
    hm_tell(t, "%s %t", i ? " and" : "; it existed", &x->windows[i].begin, &x->windows[i].end);
  if (x && x->happened) hm_tell(t, "; it happened %t", &x->happened->begin, &x->happened->end);
}

/* An end of a relation, with what it is called. */
static void tell_end(hm_teller *t, const char *words, hm_str id) {
  const hm_snapshot *snap = t->w->snap;
  uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, id);
  hm_tell(t, "%s%p", words, id);
  if (row != HM_MAP_NONE && snap->rows[row].name.n) hm_tell(t, " (%p)", snap->rows[row].name);
}

static void tell_finding_row(hm_teller *t, hm_str ref, const hm_existences *lives) {
  const hm_snapshot *snap = t->w->snap;
  uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, ref);
  hm_tell(t, "%p", ref);
  if (row == HM_MAP_NONE) {
    hm_tell(t, " is no row of the store.\n");
    return;
  }
  const hm_row *r = &snap->rows[row];
  hm_tell(t, " is %s", hm_status_name(r->status));
  if (r->type.n) hm_tell(t, ", of type %p", r->type);
  if (r->name.n) hm_tell(t, ", called %q", r->name);
  if (r->layer == HM_RELATION) {
    tell_end(t, ", from ", r->from);
    tell_end(t, " to ", r->to);
  }
  if (r->valid_from.n) hm_tell(t, "; it holds from %p", r->valid_from);
  if (r->valid_until.n)
    hm_tell(t, r->valid_from.n ? " until %p" : "; it holds until %p", r->valid_until);
  tell_existence(t, hm_existence_of(lives, row));
  if (r->created_at.n) hm_tell(t, "; written %p", r->created_at);
  hm_str from = snap->details ? snap->details[row].source_refs : HM_EMPTY;
  if (from.n) hm_tell(t, "; from %p", from);
  hm_tell(t, ".\n");
}

/* What was expected and found, and which bound lies before which. */
static void tell_expected(hm_teller *t, const hm_finding *f) {
  static const struct {
    const char *reason, *words;
  } arithmetic[] = {
    { "EXISTED_BEFORE", ": what was found begins before what was expected begins" },
    { "EXISTED_AFTER", ": what was found ends after what was expected ends" },
    { "EXISTED_DURING_MISMATCH", ": what was found lies in none of the windows expected" },
  };
  if (!f->expected.n && !f->actual.n) return;
  hm_tell(t, "Expected: %p; found: ", f->expected.n ? f->expected : HM_STR("nothing of the kind"));
  hm_tell(t, "%p", f->actual.n ? f->actual : HM_STR("nothing"));
  for (size_t i = 0; i < HM_COUNT(arithmetic); i++)
    if (hm_str_is(f->reason, arithmetic[i].reason)) hm_tell(t, "%s", arithmetic[i].words);
  hm_tell(t, ".\n");
}

static void tell_what_people_said(hm_teller *t, const hm_finding *f) {
  if (f->ack) {
    hm_tell(t, "%p acknowledged it on %p: %q", f->ack->by, f->ack->at, f->ack->reason);
    hm_tell(t, "%s.\n", f->acked ? "" : "; its evidence has changed since");
  }
  if (hm_str_is(f->rule, "review/flagged")) {
    hm_tell(t, "When you have looked at the row: hmirror unflag %p.\n", f->rows[0]);
    return;
  }
  if (!f->acked)
    hm_tell(t,
            "To leave it out of lists until its evidence changes: hmirror findings ack %p "
            "--reason TEXT.\n",
            f->id);
  hm_tell(t, "To switch the rule off: rules.off: [%p] in mirror.yml.\n", f->rule);
}

void hm_explain_finding(const hm_sweep *w, const hm_finding *f, const hm_rules *rules, hm_arena *a,
                        hm_explanation *out) {
  const hm_rule *rule = hm_rule_named(hm_rule_table_of(rules), f->rule);
  const hm_sql_rule *sql = rules->sql ? hm_sql_rule_named(rules->sql, f->rule) : NULL;
  hm_existences lives;
  hm_teller t = { .w = w, .rules = rules, .a = a };
  *out = (hm_explanation){ .found = HM_EMPTY };
  hm_existences_of(w->snap, rules, 1, a, &lives);
  hm_tell(&t, "Rule %p", f->rule);
  if (rule) hm_tell(&t, "/%d: %s", rule->version, rule->says);
  if (sql) hm_tell(&t, ", in SQL, %s: %p", sql->file, sql->description);
  hm_tell(&t, "\nA finding of kind %p and severity %p", f->kind, f->severity);
  if (f->reason.n) hm_tell(&t, ", %p", f->reason);
  if (f->project.n) hm_tell(&t, ", in project %q", f->project);
  hm_tell(&t, ": ");
  hm_tell_cut(&t, f->message, SENTENCE_MAX);
  hm_tell(&t, f->message.n && f->message.p[f->message.n - 1] == '.' ? "\n" : ".\n");
  tell_expected(&t, f);
  for (size_t i = 0; i < f->n_rows && i < MEMBERS_MAX; i++)
    tell_finding_row(&t, f->rows[i], &lives);
  tell_what_people_said(&t, f);
  hm_buf_free(&t.line);
  out->lines = t.lines;
  out->n = t.n;
}
