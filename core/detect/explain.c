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
#include "core/record/given.h"

enum { OPPONENTS_MAX = 20, ASKED_MAX = 5000, LETTERS_MAX = 10 };

/* --- how each came to claim ------------------------------------------------------- */

/* Memories of a space of their own are compared by the stems of their words, which no one wants to
 * read. */
static bool is_stemmed(const hm_claim *c) { return c->layer == HM_MEMORY && c->space.n > 0; }

/* "from 0300 until 0340, as it ends with the death of "Aldric" in 0340" */
static void explain_when(hm_explainer *t, const char *words, const hm_claim *c) {
  const hm_existence *x = hm_existence_ending_window(t->w->claims->lives, c->when);
  hm_explain_window(t, words, &c->when->begin, &c->when->end);
  if (!x)
    return;
  hm_buf_fmt(&t->line, ", as it ends with the %s", hm_existence_end_word(x));
  hm_explain_quote(t, " of ", x->name);
  hm_explain_fact(t, " in ", hm_bound_text(t->a, &c->when->end));
}

/* What the value is read as and why, where its letters alone would say something else. */
static void explain_reading(hm_explainer *t, const hm_claim *c) {
  hm_value plain, named;
  if (c->said || c->space.n || c->value.denied || c->value.named.n || hm_value_has_parts(&c->value))
    return;
  hm_units *u = hm_units_new();
  hm_value_parse_text(&plain, c->value.raw, 0, u, t->a);
  hm_value_parse_text(&named, c->value.raw, hm_rules_reading(t->rules, c->name), u, t->a);
  hm_units_free(u);
  bool by_name = !hm_str_eq(plain.norm, named.norm) && hm_str_eq(c->value.norm, named.norm);
  bool by_rows = c->value.kind != named.kind || hm_value_is_silence(c->value.raw, NULL, t->a);
  if (!by_name && !by_rows)
    return;
  hm_explain_text(t, ", read as ", hm_value_describe_reading(&c->value));
  hm_buf_c(&t->line, by_name ? " by the name of its slot" : " by the other rows of its slot");
}

static void explain_claim(hm_explainer *t, const hm_claim *c,
                          void (*way)(hm_explainer *t, const hm_claim *c)) {
  const hm_value *v = &c->value;
  hm_explain_ref(t, "", c);
  hm_buf_fmt(&t->line, " (trust %d)", hm_layer_trust(c->layer));
  if (way)
    way(t, c);
  hm_explain_fact(t, " claims in its field ", c->field);
  hm_explain_quote(t, ": ", v->raw);
  if (v->named.n) {
    hm_explain_quote(t, ", the id of ", v->named);
    hm_buf_c(&t->line, ",");
  }
  if (!is_stemmed(c))
    hm_explain_fact(t, " -> ", v->norm);
  if (!is_stemmed(c) && !hm_str_eq(v->norm, v->key))
    hm_explain_fact(t, " = ", v->key);
  explain_reading(t, c);
  explain_when(t, ", ", c);
  hm_explain_end_line(t, ".");
}

/* --- which members disagree ------------------------------------------------------ */

static void explain_pair(hm_explainer *t, const hm_claim *a, const hm_claim *b) {
  hm_str x = a->value.norm, y = b->value.norm, text = HM_STR("text:");
  hm_explain_party(t, "", a);
  hm_explain_party(t, " contradicts ", b);
  if (!hm_str_eq(x, y)) {
    const hm_tolerance *tol = hm_rules_tolerance(t->rules, a->name);
    hm_explain_text(t, ": ", hm_value_describe_difference(t->a, &a->value, &b->value, tol));
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
    hm_explain_window(t, "; both hold ", &both.begin, &both.end);
  }
  hm_explain_end_line(t, ".");
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
  hm_explain_party(t, "", claim);
  hm_buf_c(&t->line, " contradicts ");
  for (size_t k = 0; k < n && k < OPPONENTS_MAX; k++)
    hm_explain_party(t, k ? ", " : "", d->parties[opponents[k]].claim);
  if (n > OPPONENTS_MAX)
    hm_buf_fmt(&t->line, " and %zu more%s", n - OPPONENTS_MAX, asked < d->n ? " at least" : "");
  hm_explain_end_line(t, ".");
}

static void put_agreement(hm_explainer *t, const hm_claim *c, const hm_claim *other, hm_str words) {
  hm_explain_party(t, "", c);
  hm_explain_party(t, " agrees with ", other);
  hm_explain_text(t, ": ", words);
  hm_explain_end_line(t, ".");
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
    put_agreement(t, c, other, words);
    return;
  }
}

static void explain_flag(hm_explainer *t, const hm_dispute *d, const hm_party *p) {
  int trust = hm_layer_trust(p->claim->layer);
  int highest = hm_layer_trust(d->parties[0].claim->layer);
  hm_explain_party(t, "", p->claim);
  if (p->flagged) {
    int against = hm_layer_trust(p->against->layer);
    hm_buf_fmt(&t->line, " is flagged: its trust is %d", trust);
    hm_explain_party(t, ", it contradicts ", p->against);
    hm_buf_fmt(&t->line, ", whose trust is %d, and agrees with no member of that trust", against);
    hm_explain_end_line(t, against < highest ? " or a higher one." : ".");
  } else if (p->with) {
    hm_explain_party(t, " is not flagged: it agrees with ", p->with);
    hm_buf_fmt(&t->line, ", whose trust is %d", hm_layer_trust(p->with->layer));
    hm_explain_end_line(t, ".");
  } else if (trust == highest) {
    hm_buf_fmt(&t->line, " is not flagged: its trust, %d, is the highest present", trust);
    hm_explain_end_line(t, ".");
  } else
    hm_explain_end_line(t, " is not flagged: it contradicts no member of higher trust.");
}

static size_t count_shown(const hm_dispute *d) { return d->n < MEMBERS_MAX ? d->n : MEMBERS_MAX; }

void hm_explain_members(hm_explainer *t, const hm_dispute *d,
                        void (*way)(hm_explainer *t, const hm_claim *c)) {
  for (size_t i = 0; i < count_shown(d); i++)
    explain_claim(t, d->parties[i].claim, way);
  if (count_shown(d) < d->n) {
    hm_buf_fmt(&t->line, "%zu more members are not told here", d->n - MEMBERS_MAX);
    hm_explain_end_line(t, ".");
  }
}

void hm_explain_relation(hm_explainer *t, const hm_claim *c) {
  const hm_row *r = &t->w->snap->rows[c->row];
  hm_explain_quote(t, ", of type ", r->type);
  hm_buf_fmt(&t->line, ", speaks of the end %s and", hm_str_is(c->field, "from") ? "to" : "from");
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
  if (since.n) {
    hm_explain_fact(t, "Disputed since ", since);
    hm_buf_c(&t->line, ", when the first two that contradict each other both stood: ");
  } else
    hm_buf_c(&t->line,
             "Since when is not known, as no two that contradict each other both say when they "
             "began; the first two are ");
  hm_explain_party(t, "", d->first[0]);
  hm_explain_party(t, " and ", d->first[1]);
  hm_explain_end_line(t, ".");
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
  hm_buf_c(&t->line, hm_layer_name(m->layer));
  hm_explain_fact(t, ":", m->id);
  hm_explain_fact(t, " claimed in its field ", m->field);
  hm_explain_quote(t, ": ", m->value);
  if (!recorded_stems(t, m))
    hm_explain_fact(t, " -> ", m->normal);
  if (row == HM_MAP_NONE) {
    hm_explain_end_line(t, "; the row is gone.");
    return;
  }
  const hm_claim *c = claim_now(t->w->claims, row, m->field);
  hm_buf_fmt(&t->line, "; the row is %s now and ", hm_status_name(t->w->snap->rows[row].status));
  if (c) {
    hm_buf_c(&t->line, hm_str_eq(c->value.norm, m->normal) ? "still claims" : "claims");
    hm_explain_quote(t, " ", c->value.raw);
    explain_when(t, ", ", c);
    hm_explain_end_line(t, ".");
  } else
    hm_explain_end_line(t, "claims nothing by that field.");
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
    if (words.n)
      put_agreement(t, c, first, words);
  }
}

static void explain_record(hm_explainer *t) {
  const hm_conflict_rec *r = t->rec;
  size_t shown = r->n_members < MEMBERS_MAX ? r->n_members : MEMBERS_MAX;
  for (size_t i = 0; i < shown; i++)
    explain_recorded(t, &r->members[i]);
  explain_settled(t, shown);
  if (r->status == HM_OPEN && hm_rule_is_off(t->rules, hm_conflict_rule(r))) {
    hm_explain_end_line(
        t,
        "Its rule is switched off (rules.off in mirror.yml): nobody looks whether its "
        "claims contradict each other. The conflict stays on record and goes on when the "
        "rule is switched on again.");
    return;
  }
  if (r->status == HM_OPEN) {
    const hm_overtaken *o = hm_conflict_find_settling_claim(t->w, r, t->a);
    if (o) {
      hm_explain_party(t, "Settled by a later statement: ", o->by);
      hm_explain_party(t, " overtook ", o->claim);
      hm_buf_fmt(&t->line, ", as %s", hm_arc_state_reason(o->state));
      hm_explain_end_line(t, ".");
    }
    hm_explain_end_line(t,
                        "No two of its claims contradict each other now: the conflict is no longer "
                        "disputed and awaits sign-off.");
    return;
  }
  if (r->status == HM_MERGED) {
    hm_explain_fact(
        t,
        hm_str_is(r->rule, "judged")
            ? "Another conflict has all of its rows now, in which it goes on: "
            : "Its claims contradict those of another conflict now, in which it goes on: ",
        r->merged_into);
    hm_explain_end_line(t, ".");
    return;
  }
  hm_buf_fmt(&t->line, "The conflict is %s", hm_verdict_name(r->status));
  if (r->resolved_at.n)
    hm_explain_fact(t, " since ", r->resolved_at);
  if (r->action.n)
    hm_explain_fact(t, ", by ", r->action);
  if (r->resolution.n)
    hm_explain_quote(t, ": ", r->resolution);
  hm_explain_end_line(t, ".");
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
  hm_explain_fact(t, "", subject);
  hm_explain_fact(t, "", hm_relation_slot_words(t->a, k, c->space));
  hm_buf_c(&t->line, ". ");
  if (k->at_once == 1)
    hm_buf_c(&t->line, "One may hold at a time; these contradict that: ");
  else
    hm_buf_fmt(&t->line, "At most %u may hold at a time; these are too many: ", k->at_once);
  for (size_t i = 0; i < d->n && i < OPPONENTS_MAX; i++) {
    const hm_claim *e = d->parties[i].claim;
    hm_explain_fact(t, i ? "; " : "", e->value.named.n ? e->value.named : e->value.raw);
    explain_when(t, ", ", e);
  }
  if (d->n > OPPONENTS_MAX)
    hm_buf_fmt(&t->line, "; and %zu more", d->n - OPPONENTS_MAX);
  hm_explain_end_line(t, ".");
}

/* "2026-05-01, codex, memory:m1: "We use REST" -> REST; overtaken by memory:m2, as it says ..." */
static void explain_story_line(hm_explainer *t, const hm_story_line *l) {
  const hm_story_claim *said = l->claim->said;
  hm_str at = hm_time_iso(t->a, l->at);
  hm_explain_fact(t, "", at.n ? at : HM_STR("no time"));
  if (said && said->agent.n)
    hm_explain_fact(t, ", ", said->agent);
  hm_explain_party(t, ", ", l->claim);
  if (said)
    hm_explain_quote(t, ": ", said->claim.words);
  hm_explain_fact(t, " -> ", l->claim->value.raw);
  if (l->by)
    hm_explain_party(t, "; overtaken by ", l->by);
  else
    hm_buf_c(&t->line, l->state == HM_ARC_HOLDS ? "; holds" : "; overtaken");
  if (l->by || l->state != HM_ARC_HOLDS)
    hm_buf_fmt(&t->line, ": %s", hm_arc_state_reason(l->state));
  hm_explain_end_line(t, "");
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
  if (shown < s.n) {
    hm_buf_fmt(&lines.line, "%zu more are not told here", s.n - shown);
    hm_explain_end_line(&lines, "");
  }
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
  hm_explain_fact(&t, "Rule ", hm_conflict_rule(rec));
  hm_buf_fmt(&t.line, "/%d", rec->rule_version);
  if (rule)
    hm_buf_fmt(&t.line, ": %s", rule->says);
  hm_explain_end_line(&t, "");
  hm_explain_fact(&t, "The slot is ", rec->slot_key);
  if (d) {
    const hm_claim *c = d->parties[0].claim;
    hm_explain_quote(&t, ": project ", w->snap->projects[c->project].id);
    if (c->space.n && !hm_claim_is_judged(c))
      hm_explain_fact(&t, c->layer == HM_MEMORY ? ", memories of type " : ", relations ", c->space);
    if (c->name.n)
      hm_explain_quote(&t, ", name ", c->name);
    hm_str called = hm_conflict_called(w, rec, NULL, a);
    if (called.n)
      hm_explain_fact(&t, ", which its rows call ", called);
  }
  hm_explain_end_line(&t, ".");
  if (d)
    explain_relations(&t, d);
  const hm_proposal *judged = hm_judged_find_proposal(w->snap, rec->slot_key, a);
  if (d)
    explain_story(&t, d, out);
  if (judged)
    out->question = judged->question;
  if (!d)
    explain_record(&t);
  else if (rule && rule->explain)
    rule->explain(&t, d);
  else
    hm_explain_dispute(&t, d, NULL);
  if (d && d->since == HM_TIME_MIN && rec->detected_at.n) {
    hm_explain_fact(&t, "It was found ", rec->detected_at);
    hm_buf_c(&t.line, ".");
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
  for (size_t i = 0; x && i < x->n; i++) {
    const char *words = i ? " and " : "; it existed ";
    hm_explain_window(t, words, &x->windows[i].begin, &x->windows[i].end);
  }
  if (x && x->happened)
    hm_explain_window(t, "; it happened ", &x->happened->begin, &x->happened->end);
}

/* Explains an end of a relation, with its name. */
static void explain_end(hm_explainer *t, const char *words, hm_str id) {
  const hm_snapshot *snap = t->w->snap;
  uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, id);
  hm_explain_fact(t, words, id);
  if (row != HM_MAP_NONE && snap->rows[row].name.n) {
    hm_explain_fact(t, " (", snap->rows[row].name);
    hm_buf_c(&t->line, ")");
  }
}

static void explain_finding_row(hm_explainer *t, hm_str ref, const hm_existences *lives) {
  const hm_snapshot *snap = t->w->snap;
  uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, ref);
  hm_explain_fact(t, "", ref);
  if (row == HM_MAP_NONE) {
    hm_explain_end_line(t, " is no row of the store.");
    return;
  }
  const hm_row *r = &snap->rows[row];
  hm_buf_fmt(&t->line, " is %s", hm_status_name(r->status));
  if (r->type.n)
    hm_explain_fact(t, ", of type ", r->type);
  if (r->name.n)
    hm_explain_quote(t, ", called ", r->name);
  if (r->layer == HM_RELATION) {
    explain_end(t, ", from ", r->from);
    explain_end(t, " to ", r->to);
  }
  if (r->valid_from.n)
    hm_explain_fact(t, "; it holds from ", r->valid_from);
  if (r->valid_until.n)
    hm_explain_fact(t, r->valid_from.n ? " until " : "; it holds until ", r->valid_until);
  explain_existence(t, hm_existence_find(lives, row));
  hm_str written = hm_row_text_date(snap, row);
  if (written.n)
    hm_explain_fact(t, "; written ", written);
  hm_str from = snap->details ? snap->details[row].source_refs : HM_EMPTY;
  if (from.n)
    hm_explain_fact(t, "; from ", from);
  hm_explain_end_line(t, ".");
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
  hm_explain_fact(t, "Expected: ", f->expected.n ? f->expected : HM_STR("nothing of the kind"));
  hm_explain_fact(t, "; found: ", f->actual.n ? f->actual : HM_STR("nothing"));
  for (size_t i = 0; i < HM_COUNT(arithmetic); i++)
    if (hm_str_is(f->reason, arithmetic[i].reason))
      hm_buf_c(&t->line, arithmetic[i].words);
  hm_explain_end_line(t, ".");
}

static void explain_what_people_said(hm_explainer *t, const hm_finding *f) {
  if (f->ack) {
    hm_explain_fact(t, "", f->ack->by);
    hm_explain_fact(t, " acknowledged it on ", f->ack->at);
    hm_explain_quote(t, ": ", f->ack->reason);
    hm_buf_c(&t->line, f->acked ? "" : "; its evidence has changed since");
    hm_explain_end_line(t, ".");
  }
  if (hm_str_is(f->rule, "review/flagged")) {
    hm_explain_fact(t, "When you have looked at the row: hmirror unflag ", f->rows[0]);
    hm_explain_end_line(t, ".");
    return;
  }
  if (!f->acked) {
    hm_explain_fact(t, "To leave it out of lists until its evidence changes: hmirror findings ack ",
                    f->id);
    hm_explain_end_line(t, " --reason TEXT.");
  }
  hm_explain_fact(t, "To switch the rule off: rules.off: [", f->rule);
  hm_explain_end_line(t, "] in mirror.yml.");
}

void hm_explain_finding(const hm_sweep *w, const hm_finding *f, const hm_rules *rules, hm_arena *a,
                        hm_explanation *out) {
  const hm_rule *rule = hm_rule_named(w->disputes->table, f->rule);
  const hm_sql_rule *sql = rules->sql ? hm_sql_rule_named(rules->sql, f->rule) : NULL;
  hm_existences lives;
  hm_explainer t = { .w = w, .rules = rules, .a = a };
  *out = (hm_explanation){ .found = HM_EMPTY };
  hm_existences_build(w->snap, rules, 1, a, &lives);
  hm_explain_fact(&t, "Rule ", f->rule);
  if (rule)
    hm_buf_fmt(&t.line, "/%d: %s", rule->version, rule->says);
  if (sql) {
    hm_buf_fmt(&t.line, ", in SQL, %s", sql->file);
    hm_explain_fact(&t, ": ", sql->description);
  }
  hm_explain_end_line(&t, "");
  hm_explain_fact(&t, "A finding of kind ", f->kind);
  hm_explain_fact(&t, " and severity ", f->severity);
  if (f->reason.n)
    hm_explain_fact(&t, ", ", f->reason);
  if (f->project.n)
    hm_explain_quote(&t, ", in project ", f->project);
  hm_explain_text(&t, ": ", f->message);
  hm_explain_end_line(&t, f->message.n && f->message.p[f->message.n - 1] == '.' ? "" : ".");
  explain_expected(&t, f);
  for (size_t i = 0; i < f->n_rows && i < MEMBERS_MAX; i++)
    explain_finding_row(&t, f->rows[i], &lives);
  explain_what_people_said(&t, f);
  hm_buf_free(&t.line);
  out->lines = t.lines;
  out->n = t.n;
}
