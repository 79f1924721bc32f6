/* Explains a conflict in plain sentences: the rule, how each member came to its claim, what it
 * contradicts and by what arithmetic, which member is flagged, since when. Explains a finding: the
 * rule, what it expected and what it found. */
#include <stdlib.h>

#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/claim/existence.h"
#include "core/claim/judged.h"
#include "core/claim/relation.h"
#include "core/detect/conflict_story.h"
#include "core/detect/explain.h"
#include "core/detect/rule.h"
#include "core/detect/sql_rule.h"

enum { OPPONENTS_MAX = 20, ASKED_MAX = 5000, LETTERS_MAX = 10 };

/* --- how each came to claim ------------------------------------------------------- */

/* Memories of a space of their own are compared by the stems of their words, which no one wants to
 * read. */
static bool is_stemmed(const hm_claim *c) { return c->layer == HM_MEMORY && c->space.n > 0; }

/* "from 0300 until 0340, as it ends with the death of "Aldric" in 0340" */
static void explain_when(hm_explainer *t, const hm_claim *c) {
  const hm_existence *x = hm_existence_ending_window(t->w->claims->lives, c->when);
  hm_explainf(t, "%t", &c->when->begin, &c->when->end);
  if (x)
    hm_explainf(t, ", as it ends with the %s of %q in %p", hm_existence_end_word(x), x->name,
                hm_bound_text(t->a, &c->when->end));
}

static void explain_claim(hm_explainer *t, const hm_claim *c,
                          void (*way)(hm_explainer *t, const hm_claim *c)) {
  const hm_value *v = &c->value;
  hm_explainf(t, "%c (trust %d)", c, hm_layer_trust(c->layer));
  if (way)
    way(t, c);
  hm_explainf(t, " claims in its field %p: %q", c->field, v->raw);
  if (v->named.n)
    hm_explainf(t, ", the id of %q,", v->named);
  if (!is_stemmed(c))
    hm_explainf(t, " -> %p", v->norm);
  if (!is_stemmed(c) && !hm_str_eq(v->norm, v->key))
    hm_explainf(t, " = %p", v->key);
  hm_explainf(t, ", ");
  explain_when(t, c);
  hm_explainf(t, ".\n");
}

/* --- which members disagree ------------------------------------------------------ */

static void explain_pair(hm_explainer *t, const hm_claim *a, const hm_claim *b) {
  hm_str x = a->value.norm, y = b->value.norm, text = HM_STR("text:");
  hm_explainf(t, "%w contradicts %w", a, b);
  if (!hm_str_eq(x, y)) {
    const hm_tolerance *tol = hm_rules_tolerance(t->rules, a->name);
    hm_explainf(t, ": ");
    hm_explain_text(t, hm_value_describe_difference(t->a, &a->value, &b->value, tol), SENTENCE_MAX);
  }
  /* Letters of other scripts that look like those beside them. */
  bool texts = a->value.kind == HM_V_TEXT && b->value.kind == HM_V_TEXT && !is_stemmed(a);
  if (texts && hm_str_starts(x, text.p) && hm_str_starts(y, text.p)) {
    hm_str letters = hm_find_lookalike_letters(t->a, hm_str_sub(x, text.n, x.n),
                                               hm_str_sub(y, text.n, y.n), LETTERS_MAX);
    if (letters.n)
      hm_buf_fmt(&t->line, ", which look alike and differ in %.*s", HM_FMT(letters));
  }
  if (hm_claim_overlap(a, b)) {
    hm_span both = { 0 };
    hm_windows_common_span((const hm_window *[]){ a->when, b->when }, 2, &both);
    hm_explainf(t, "; both hold %t", &both.begin, &both.end);
  }
  hm_explainf(t, ".\n");
}

/* Whom parties[i] contradicts: the first such party, and all in one line when there are more. The
 * second party of a pair states it; so a party that contradicts only later ones states nothing. */
static void explain_opponents(hm_explainer *t, const hm_dispute *d, const hm_opponents *o,
                              size_t i) {
  size_t asked = d->n < ASKED_MAX ? d->n : ASKED_MAX, n = 0, opponents[OPPONENTS_MAX];
  for (size_t k = 0; k < asked; k++) {
    if (k == i || !hm_opponents_contradict(o, i, k))
      continue;
    if (n < OPPONENTS_MAX)
      opponents[n] = k;
    n++;
  }
  const hm_claim *claim = d->parties[i].claim, *against = d->parties[i].against;
  size_t first = n ? opponents[0] : 0;
  if (n && first < i)
    explain_pair(t, claim, d->parties[first].claim);
  if (against && against != d->parties[first].claim)
    explain_pair(t, claim, against);
  if (n < 2)
    return;
  hm_explainf(t, "%w contradicts ", claim);
  for (size_t k = 0; k < n && k < OPPONENTS_MAX; k++)
    hm_explainf(t, k ? ", %w" : "%w", d->parties[opponents[k]].claim);
  if (n > OPPONENTS_MAX)
    hm_explainf(t, " and %z more%s", n - OPPONENTS_MAX, asked < d->n ? " at least" : "");
  hm_explainf(t, ".\n");
}

/* Mentions the first party before i with the same value in another spelling; nothing if one is
 * spelled the same. */
static void explain_agreement(hm_explainer *t, const hm_dispute *d, size_t i) {
  const hm_claim *c = d->parties[i].claim;
  const hm_tolerance *tol = hm_rules_tolerance(t->rules, c->name);
  if (is_stemmed(c))
    return;
  for (size_t k = 0; k < i; k++) {
    const hm_claim *other = d->parties[k].claim;
    if (hm_str_eq(c->value.raw, other->value.raw))
      return;
    hm_str words = hm_value_describe_agreement(t->a, &other->value, &c->value, tol);
    if (!words.n)
      continue;
    hm_explainf(t, "%w agrees with %w: ", c, other);
    hm_explain_text(t, words, SENTENCE_MAX);
    hm_explainf(t, ".\n");
    return;
  }
}

static void explain_flag(hm_explainer *t, const hm_dispute *d, const hm_party *p) {
  int trust = hm_layer_trust(p->claim->layer);
  if (p->flagged)
    hm_explainf(
        t,
        "%w is flagged: its trust is %d, it contradicts %w, whose trust is %d, and agrees with "
        "no member of that trust.\n",
        p->claim, trust, p->against, hm_layer_trust(p->against->layer));
  else if (trust == hm_layer_trust(d->parties[0].claim->layer))
    hm_explainf(t, "%w is not flagged: its trust, %d, is the highest present.\n", p->claim, trust);
  else
    hm_explainf(
        t,
        "%w is not flagged: it contradicts no member of higher trust, or agrees with another "
        "of that trust.\n",
        p->claim);
}

static size_t count_shown(const hm_dispute *d) { return d->n < MEMBERS_MAX ? d->n : MEMBERS_MAX; }

void hm_explain_members(hm_explainer *t, const hm_dispute *d,
                        void (*way)(hm_explainer *t, const hm_claim *c)) {
  for (size_t i = 0; i < count_shown(d); i++)
    explain_claim(t, d->parties[i].claim, way);
  if (count_shown(d) < d->n)
    hm_explainf(t, "%z more members are not told here.\n", d->n - MEMBERS_MAX);
}

void hm_explain_relation(hm_explainer *t, const hm_claim *c) {
  const hm_row *r = &t->w->snap->rows[c->row];
  hm_explainf(t, ", of type %q, speaks of the end %s and", r->type,
              hm_str_is(c->field, "from") ? "to" : "from");
}

void hm_explain_dispute(hm_explainer *t, const hm_dispute *d,
                        void (*way)(hm_explainer *t, const hm_claim *c)) {
  size_t shown = count_shown(d);
  hm_opponents *o = hm_opponents_new(t->w->snap, d, t->rules, t->a);
  hm_str since = hm_time_iso(t->a, d->since);
  hm_explain_members(t, d, way);
  for (size_t i = 0; i < shown; i++)
    explain_opponents(t, d, o, i);
  for (size_t i = 1; i < shown; i++)
    explain_agreement(t, d, i);
  for (size_t i = 0; i < shown; i++)
    explain_flag(t, d, &d->parties[i]);
  if (since.n)
    hm_explainf(
        t, "Disputed since %p, when the first two that contradict each other both stood: ", since);
  else
    hm_explainf(t,
                "Since when is not known, as no two that contradict each other both say when "
                "they began; the first two are ");
  hm_explainf(t, "%w and %w.\n", d->first[0], d->first[1]);
}

/* --- what was recorded, when nothing is in dispute ---------------------------------- */

/* The row's current claim of this field, in any slot, or NULL. */
static const hm_claim *claim_now(const hm_claims *all, uint32_t row, hm_str field) {
  for (size_t i = hm_claims_first_of_row(all, row); i < all->n && all->claims[i].row == row; i++)
    if (hm_str_eq(all->claims[i].field, field))
      return &all->claims[i];
  return NULL;
}

/* As is_stemmed: a key of three elements is that of a memory type. */
static bool recorded_stems(const hm_explainer *t, const hm_member_rec *m) {
  if (m->layer != HM_MEMORY)
    return false;
  const hm_json *key = hm_json_parse_as(t->a, t->rec->slot_key, HM_JSON_ARRAY);
  return key && key->count == 3;
}

static void explain_recorded(hm_explainer *t, const hm_member_rec *m) {
  uint32_t row = hm_snapshot_row(t->w->snap, m->layer, m->id);
  hm_explainf(t, "%s:%p claimed in its field %p: %q", hm_layer_name(m->layer), m->id, m->field,
              m->value);
  if (!recorded_stems(t, m))
    hm_explainf(t, " -> %p", m->normal);
  if (row == HM_MAP_NONE) {
    hm_explainf(t, "; the row is gone.\n");
    return;
  }
  const hm_claim *c = claim_now(t->w->claims, row, m->field);
  hm_explainf(t, "; the row is %s now and ", hm_status_name(t->w->snap->rows[row].status));
  if (c) {
    hm_explainf(t, "%s %q, ", hm_str_eq(c->value.norm, m->normal) ? "still claims" : "claims",
                c->value.raw);
    explain_when(t, c);
    hm_explainf(t, ".\n");
  } else
    hm_explainf(t, "claims nothing by that field.\n");
}

/* Members that agree by now, in words: each with the first whose claim is spelled otherwise. */
static void explain_settled(hm_explainer *t, size_t shown) {
  const hm_claim *first = NULL;
  for (size_t i = 0; i < shown && t->rec->status == HM_OPEN; i++) {
    const hm_member_rec *m = &t->rec->members[i];
    uint32_t row = hm_snapshot_row(t->w->snap, m->layer, m->id);
    const hm_claim *c = row == HM_MAP_NONE ? NULL : claim_now(t->w->claims, row, m->field);
    if (!c || is_stemmed(c))
      continue;
    if (!first)
      first = c;
    if (!hm_str_eq(c->name, first->name))
      continue;
    hm_str words = hm_value_describe_agreement(t->a, &first->value, &c->value,
                                               hm_rules_tolerance(t->rules, c->name));
    if (!words.n)
      continue;
    hm_explainf(t, "%w agrees with %w: ", c, first);
    hm_explain_text(t, words, SENTENCE_MAX);
    hm_explainf(t, ".\n");
  }
}

static void explain_record(hm_explainer *t) {
  const hm_conflict_rec *r = t->rec;
  size_t shown = r->n_members < MEMBERS_MAX ? r->n_members : MEMBERS_MAX;
  for (size_t i = 0; i < shown; i++)
    explain_recorded(t, &r->members[i]);
  explain_settled(t, shown);
  if (r->status == HM_OPEN && hm_rule_is_off(t->rules, hm_conflict_rule(r))) {
    hm_explainf(
        t,
        "Its rule is switched off (rules.off in mirror.yml): nobody looks whether its claims "
        "contradict each other. The conflict stays on record and goes on when the rule is "
        "switched on again.\n");
    return;
  }
  if (r->status == HM_OPEN) {
    const hm_overtaken *o = hm_conflict_find_settling_claim(t->w, r, t->a);
    if (o)
      hm_explainf(t, "Settled by a later statement: %w overtook %w, as %s.\n", o->by, o->claim,
                  hm_arc_state_reason(o->state));
    hm_explainf(t,
                "No two of its claims contradict each other now: the conflict is no longer "
                "disputed and awaits sign-off.\n");
    return;
  }
  if (r->status == HM_MERGED) {
    hm_explainf(t,
                hm_str_is(r->rule, "judged")
                    ? "Another conflict has all of its rows now, in which it goes on: %p.\n"
                    : "Its claims contradict those of another conflict now, in which it goes on: "
                      "%p.\n",
                r->merged_into);
    return;
  }
  hm_explainf(t, "The conflict is %s", hm_verdict_name(r->status));
  if (r->resolved_at.n)
    hm_explainf(t, " since %p", r->resolved_at);
  if (r->action.n)
    hm_explainf(t, ", by %p", r->action);
  if (r->resolution.n)
    hm_explainf(t, ": %q", r->resolution);
  hm_explainf(t, ".\n");
}

/* For relations: their subject, how many values may hold, and which do. */
static void explain_relations(hm_explainer *t, const hm_dispute *d) {
  const hm_claim *c = d->parties[0].claim;
  const hm_snapshot *snap = t->w->snap;
  const hm_relation_kind *k =
      hm_relation_kind_of_space(hm_config_relation_kinds(t->rules), c->space);
  bool of_bounds = hm_str_starts(c->field, "valid_") && !(k && k->window);
  if (c->layer != HM_RELATION || !k || of_bounds)
    return;
  uint32_t row = hm_snapshot_row(snap, HM_ENTITY, c->name);
  hm_str subject = row != HM_MAP_NONE && snap->rows[row].name.n ? snap->rows[row].name : c->name;
  hm_explainf(t, "%p%p. ", subject, hm_relation_slot_words(t->a, k, c->space));
  if (k->at_once == 1)
    hm_explainf(t, "One may hold at a time; these contradict that: ");
  else
    hm_explainf(t, "At most %z may hold at a time; these are too many: ", (size_t)k->at_once);
  for (size_t i = 0; i < d->n && i < OPPONENTS_MAX; i++) {
    const hm_claim *e = d->parties[i].claim;
    hm_explainf(t, i ? "; %p, " : "%p, ", e->value.named.n ? e->value.named : e->value.raw);
    explain_when(t, e);
  }
  if (d->n > OPPONENTS_MAX)
    hm_explainf(t, "; and %z more", d->n - OPPONENTS_MAX);
  hm_explainf(t, ".\n");
}

/* "2026-05-01, codex, memory:m1: "We use REST" -> REST; overtaken by memory:m2, as it says ..." */
static void explain_story_line(hm_explainer *t, const hm_story_line *l) {
  const hm_story_claim *said = l->claim->said;
  hm_str at = hm_time_iso(t->a, l->at);
  if (at.n)
    hm_explainf(t, "%p, ", at);
  else
    hm_explainf(t, "no time, ");
  if (said && said->agent.n)
    hm_explainf(t, "%p, ", said->agent);
  hm_explainf(t, "%w", l->claim);
  if (said)
    hm_explainf(t, ": %q", said->claim.words);
  hm_explainf(t, " -> %p; ", l->claim->value.raw);
  if (l->by)
    hm_explainf(t, "overtaken by %w: %s\n", l->by, hm_arc_state_reason(l->state));
  else if (l->state == HM_ARC_HOLDS)
    hm_explainf(t, "holds\n");
  else
    hm_explainf(t, "overtaken: %s\n", hm_arc_state_reason(l->state));
}

/* The question and the arc, in lists of their own. */
static void explain_story(const hm_explainer *t, const hm_dispute *d, hm_explanation *out) {
  hm_conflict_story s;
  if (!hm_conflict_story_build(t->w->snap, d, NULL, t->a, &s))
    return;
  hm_explainer lines = { .w = t->w, .rules = t->rules, .a = t->a };
  size_t shown = s.n < MEMBERS_MAX ? s.n : MEMBERS_MAX;
  for (size_t i = 0; i < shown; i++)
    explain_story_line(&lines, &s.lines[i]);
  if (shown < s.n)
    hm_explainf(&lines, "%z more are not told here\n", s.n - shown);
  hm_buf_free(&lines.line);
  out->question = s.question;
  out->arc = lines.lines;
  out->n_arc = lines.n;
}

void hm_explain_conflict(const hm_sweep *w, const hm_conflict_rec *rec, const hm_rules *rules,
                         hm_arena *a, hm_explanation *out) {
  const hm_dispute *d = hm_plan_dispute(w->plan, rec);
  const hm_rule *rule = hm_rule_named(w->disputes->table, hm_conflict_rule(rec));
  *out = (hm_explanation){ .rec = rec, .dispute = d, .found = HM_EMPTY, .question = HM_EMPTY };
  hm_explainer t = { .w = w, .rec = rec, .rules = rules, .a = a };
  hm_explainf(&t, "Rule %p/%d", hm_conflict_rule(rec), rec->rule_version);
  if (rule)
    hm_explainf(&t, ": %s", rule->says);
  hm_explainf(&t, "\nThe slot is %p", rec->slot_key);
  if (d) {
    const hm_claim *c = d->parties[0].claim;
    hm_explainf(&t, ": project %q", w->snap->projects[c->project].id);
    if (c->space.n && !hm_claim_is_judged(c))
      hm_explainf(&t, c->layer == HM_MEMORY ? ", memories of type %p" : ", relations %p", c->space);
    if (c->name.n)
      hm_explainf(&t, ", name %q", c->name);
  }
  hm_explainf(&t, ".\n");
  if (d)
    explain_relations(&t, d);
  if (d)
    explain_story(&t, d, out);
  if (!d)
    explain_record(&t);
  else if (rule && rule->explain)
    rule->explain(&t, d);
  else
    hm_explain_dispute(&t, d, NULL);
  if (d && d->since == HM_TIME_MIN && rec->detected_at.n) {
    hm_explainf(&t, "It was found %p.", rec->detected_at);
    out->found = hm_buf_copy(&t.line, a);
  }
  hm_buf_free(&t.line);
  out->lines = t.lines;
  out->n = t.n;
}

/* --- findings -------------------------------------------------------------------------- */

/* Explains a finding in plain sentences: the rule, what it expected and found, each row with when
 * it holds, existed and was written, and how to silence it. */

/* When it was there, by its own windows and not by those of the row. */
static void explain_existence(hm_explainer *t, const hm_existence *x) {
  for (size_t i = 0; x && i < x->n; i++)
    hm_explainf(t, "%s %t", i ? " and" : "; it existed", &x->windows[i].begin, &x->windows[i].end);
  if (x && x->happened)
    hm_explainf(t, "; it happened %t", &x->happened->begin, &x->happened->end);
}

/* Explains an end of a relation, with its name. */
static void explain_end(hm_explainer *t, const char *words, hm_str id) {
  const hm_snapshot *snap = t->w->snap;
  uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, id);
  hm_explainf(t, "%s%p", words, id);
  if (row != HM_MAP_NONE && snap->rows[row].name.n)
    hm_explainf(t, " (%p)", snap->rows[row].name);
}

static void explain_finding_row(hm_explainer *t, hm_str ref, const hm_existences *lives) {
  const hm_snapshot *snap = t->w->snap;
  uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, ref);
  hm_explainf(t, "%p", ref);
  if (row == HM_MAP_NONE) {
    hm_explainf(t, " is no row of the store.\n");
    return;
  }
  const hm_row *r = &snap->rows[row];
  hm_explainf(t, " is %s", hm_status_name(r->status));
  if (r->type.n)
    hm_explainf(t, ", of type %p", r->type);
  if (r->name.n)
    hm_explainf(t, ", called %q", r->name);
  if (r->layer == HM_RELATION) {
    explain_end(t, ", from ", r->from);
    explain_end(t, " to ", r->to);
  }
  if (r->valid_from.n)
    hm_explainf(t, "; it holds from %p", r->valid_from);
  if (r->valid_until.n)
    hm_explainf(t, r->valid_from.n ? " until %p" : "; it holds until %p", r->valid_until);
  explain_existence(t, hm_existence_find(lives, row));
  if (r->created_at.n)
    hm_explainf(t, "; written %p", r->created_at);
  hm_str from = snap->details ? snap->details[row].source_refs : HM_EMPTY;
  if (from.n)
    hm_explainf(t, "; from %p", from);
  hm_explainf(t, ".\n");
}

/* What was expected and found, and which bound lies before which. */
static void explain_expected(hm_explainer *t, const hm_finding *f) {
  static const struct {
    const char *reason, *words;
  } arithmetic[] = {
    { "EXISTED_BEFORE", ": what was found begins before what was expected begins" },
    { "EXISTED_AFTER", ": what was found ends after what was expected ends" },
    { "EXISTED_DURING_MISMATCH", ": what was found lies in none of the windows expected" },
  };
  if (!f->expected.n && !f->actual.n)
    return;
  hm_explainf(t,
              "Expected: %p; found: ", f->expected.n ? f->expected : HM_STR("nothing of the kind"));
  hm_explainf(t, "%p", f->actual.n ? f->actual : HM_STR("nothing"));
  for (size_t i = 0; i < HM_COUNT(arithmetic); i++)
    if (hm_str_is(f->reason, arithmetic[i].reason))
      hm_explainf(t, "%s", arithmetic[i].words);
  hm_explainf(t, ".\n");
}

static void explain_what_people_said(hm_explainer *t, const hm_finding *f) {
  if (f->ack) {
    hm_explainf(t, "%p acknowledged it on %p: %q", f->ack->by, f->ack->at, f->ack->reason);
    hm_explainf(t, "%s.\n", f->acked ? "" : "; its evidence has changed since");
  }
  if (hm_str_is(f->rule, "review/flagged")) {
    hm_explainf(t, "When you have looked at the row: hmirror unflag %p.\n", f->rows[0]);
    return;
  }
  if (!f->acked)
    hm_explainf(t,
                "To leave it out of lists until its evidence changes: hmirror findings ack %p "
                "--reason TEXT.\n",
                f->id);
  hm_explainf(t, "To switch the rule off: rules.off: [%p] in mirror.yml.\n", f->rule);
}

void hm_explain_finding(const hm_sweep *w, const hm_finding *f, const hm_rules *rules, hm_arena *a,
                        hm_explanation *out) {
  const hm_rule *rule = hm_rule_named(w->disputes->table, f->rule);
  const hm_sql_rule *sql = rules->sql ? hm_sql_rule_named(rules->sql, f->rule) : NULL;
  hm_existences lives;
  hm_explainer t = { .w = w, .rules = rules, .a = a };
  *out = (hm_explanation){ .found = HM_EMPTY };
  hm_existences_build(w->snap, rules, 1, a, &lives);
  hm_explainf(&t, "Rule %p", f->rule);
  if (rule)
    hm_explainf(&t, "/%d: %s", rule->version, rule->says);
  if (sql)
    hm_explainf(&t, ", in SQL, %s: %p", sql->file, sql->description);
  hm_explainf(&t, "\nA finding of kind %p and severity %p", f->kind, f->severity);
  if (f->reason.n)
    hm_explainf(&t, ", %p", f->reason);
  if (f->project.n)
    hm_explainf(&t, ", in project %q", f->project);
  hm_explainf(&t, ": ");
  hm_explain_text(&t, f->message, SENTENCE_MAX);
  hm_explainf(&t, f->message.n && f->message.p[f->message.n - 1] == '.' ? "\n" : ".\n");
  explain_expected(&t, f);
  for (size_t i = 0; i < f->n_rows && i < MEMBERS_MAX; i++)
    explain_finding_row(&t, f->rows[i], &lives);
  explain_what_people_said(&t, f);
  hm_buf_free(&t.line);
  out->lines = t.lines;
  out->n = t.n;
}
