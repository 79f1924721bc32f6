/* Why a conflict was flagged, in plain sentences: the rule, how each member came to claim what it
 * claims, whom it contradicts and by what arithmetic, who is flagged, since when. */
#include "core/detect/explain.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/base/look_alike.h"
#include "core/base/text.h"
#include "core/detect/rule.h"

enum {
  SHOWN_MAX = 200,
  SENTENCE_MAX = 1000,
  MEMBERS_MAX = 500,
  OPPONENTS_MAX = 20,
  ASKED_MAX = 5000,
  LETTERS_MAX = 10
};

struct hm_teller {
  const hm_sweep *w;
  const hm_conflict_rec *rec;
  const hm_rules *rules;
  hm_arena *a;
  hm_buf line;
  hm_explanation *out;
  size_t cap;
};

/* --- words ---------------------------------------------------------------------- */

/* Bytes of a fact on one line: cut, repaired, and what does not show is made to. */
static void put_cut(hm_teller *t, hm_str s, size_t max) {
  hm_str text = hm_text_repair(t->a, hm_text_cut(s, max));
  for (size_t i = 0; i < text.n;) {
    size_t from = i;
    uint32_t cp = hm_text_next(text, &i);
    if (hm_text_hidden(cp)) hm_buf_fmt(&t->line, "⟦U+%04" PRIX32 "⟧", cp);
    else hm_buf_str(&t->line, hm_str_sub(text, from, i));
  }
  if (s.n > max) hm_buf_fmt(&t->line, "… (%zu bytes)", s.n);
}

void hm_tell_plain(hm_teller *t, hm_str s) { put_cut(t, s, SHOWN_MAX); }

void hm_tell_quoted(hm_teller *t, hm_str s) {
  hm_buf_ch(&t->line, '"');
  hm_tell_plain(t, s);
  hm_buf_ch(&t->line, '"');
}

void hm_tell(hm_teller *t, const char *words) { hm_buf_c(&t->line, words); }

static void put_ref(hm_teller *t, hm_layer layer, hm_str id) {
  hm_tell(t, hm_layer_kind(layer));
  hm_tell(t, ":");
  hm_tell_plain(t, id);
}

static void put_claim(hm_teller *t, const hm_claim *c) {
  put_ref(t, c->layer, t->w->snap->rows[c->row].id);
}

/* A row can claim one slot by two fields; then the field tells them apart. */
static void put_party(hm_teller *t, const hm_claim *c) {
  put_claim(t, c);
  if (c->layer != HM_ENTITY) return;
  hm_tell(t, " (");
  hm_tell_plain(t, c->field);
  hm_tell(t, ")");
}

static void end_line(hm_teller *t) {
  hm_explanation *out = t->out;
  if (out->n == t->cap) {
    size_t cap = t->cap ? t->cap * 2 : 16;
    hm_str *more = hm_alloc_array(t->a, cap, sizeof *more);
    for (size_t i = 0; i < out->n; i++) more[i] = out->lines[i];
    out->lines = more;
    t->cap = cap;
  }
  out->lines[out->n++] = hm_buf_keep(&t->line, t->a);
  hm_buf_clear(&t->line);
}

void hm_tell_line(hm_teller *t, const char *words) {
  hm_tell(t, words);
  end_line(t);
}

/* As their rows write them. */
static void put_window(hm_teller *t, const hm_bound *from, const hm_bound *until) {
  hm_str f = hm_bound_text(t->a, from), u = hm_bound_text(t->a, until);
  if (f.n && u.n) hm_buf_fmt(&t->line, "from %.*s until %.*s", HM_FMT(f), HM_FMT(u));
  else if (f.n) hm_buf_fmt(&t->line, "from %.*s on", HM_FMT(f));
  else if (u.n) hm_buf_fmt(&t->line, "until %.*s", HM_FMT(u));
  else hm_tell(t, "without limit in time");
}

const hm_sweep *hm_teller_sweep(const hm_teller *t) { return t->w; }

/* --- rule and slot ---------------------------------------------------------------- */

static void tell_rule(hm_teller *t, const hm_rule *rule) {
  hm_tell(t, "Rule ");
  hm_tell_plain(t, hm_conflict_rule(t->rec));
  hm_buf_fmt(&t->line, "/%d", t->rec->rule_version);
  if (rule) hm_buf_fmt(&t->line, ": %s", rule->says);
  end_line(t);
}

static void tell_slot(hm_teller *t, const hm_dispute *d) {
  hm_tell(t, "The slot is ");
  hm_tell_plain(t, t->rec->slot_key);
  if (d) {
    const hm_claim *c = d->parties[0].claim;
    hm_tell(t, ": project ");
    hm_tell_quoted(t, t->w->snap->projects[c->project].id);
    if (c->memory_type.n) {
      hm_tell(t, ", memories of type ");
      hm_tell_plain(t, c->memory_type);
    }
    if (c->name.n) {
      hm_tell(t, ", name ");
      hm_tell_quoted(t, c->name);
    }
  }
  hm_tell_line(t, ".");
}

/* --- how each came to claim ------------------------------------------------------- */

/* Memories of a space of their own are compared by the stems of their words, which no one wants to
 * read. */
static bool is_stemmed(const hm_claim *c) { return c->memory_type.n > 0; }

static void put_normal(hm_teller *t, const hm_value *v) {
  hm_tell(t, " -> ");
  hm_tell_plain(t, v->norm);
  if (hm_str_eq(v->norm, v->key)) return;
  hm_tell(t, " = ");
  hm_tell_plain(t, v->key);
}

static void tell_claim(hm_teller *t, const hm_claim *c,
                       void (*way)(hm_teller *t, const hm_claim *c)) {
  put_claim(t, c);
  hm_buf_fmt(&t->line, " (trust %d) ", (int)c->layer);
  if (way) way(t, c);
  hm_tell(t, &" claims in its field "[way ? 0 : 1]);
  hm_tell_plain(t, c->field);
  hm_tell(t, ": ");
  hm_tell_quoted(t, c->value.raw);
  if (c->value.named.n) {
    hm_tell(t, ", the id of ");
    hm_tell_quoted(t, c->value.named);
    hm_tell(t, ",");
  }
  if (!is_stemmed(c)) put_normal(t, &c->value);
  hm_tell(t, ", ");
  put_window(t, &c->when.begin, &c->when.end);
  hm_tell_line(t, ".");
}

/* --- who disagrees with whom ------------------------------------------------------ */

/* Letters of other scripts that look like those beside them. */
static void put_look_alike(hm_teller *t, const hm_claim *a, const hm_claim *b) {
  bool texts = a->value.kind == HM_V_TEXT && b->value.kind == HM_V_TEXT && !is_stemmed(a);
  size_t head = sizeof "text:" - 1;
  if (!texts || !hm_str_starts(a->value.norm, "text:") || !hm_str_starts(b->value.norm, "text:"))
    return;
  hm_str x = hm_str_sub(a->value.norm, head, a->value.norm.n),
         y = hm_str_sub(b->value.norm, head, b->value.norm.n);
  hm_str letters = hm_look_alike(t->a, x, y, LETTERS_MAX);
  if (letters.n) hm_buf_fmt(&t->line, ", which look alike and differ in %.*s", HM_FMT(letters));
}

static void tell_pair(hm_teller *t, const hm_claim *a, const hm_claim *b) {
  put_party(t, a);
  hm_tell(t, " contradicts ");
  put_party(t, b);
  if (!hm_str_eq(a->value.norm, b->value.norm)) {
    const hm_tolerance *tol = hm_rules_tolerance(t->rules, a->name);
    hm_tell(t, ": ");
    put_cut(t, hm_value_difference(t->a, &a->value, &b->value, tol), SENTENCE_MAX);
    put_look_alike(t, a, b);
  }
  if (hm_claim_overlap(a, b)) {
    hm_span both = { 0 };
    hm_span_common((const hm_window *[]){ &a->when, &b->when }, 2, &both);
    hm_tell(t, "; both hold ");
    put_window(t, &both.begin, &both.end);
  }
  hm_tell_line(t, ".");
}

/* Whom parties[i] contradicts: the first of them, and all in a line when there are more. */
static void tell_opponents(hm_teller *t, const hm_dispute *d, const hm_opponents *o, size_t i) {
  size_t asked = d->n < ASKED_MAX ? d->n : ASKED_MAX, n = 0, first = 0;
  hm_buf names = t->line;
  t->line = (hm_buf){ 0 };
  for (size_t k = 0; k < asked; k++) {
    if (k == i || !hm_opponents_are(o, i, k) || n++ >= OPPONENTS_MAX) continue;
    if (n == 1) first = k;
    if (n > 1) hm_tell(t, ", ");
    put_party(t, d->parties[k].claim);
  }
  hm_buf list = t->line;
  t->line = names;
  const hm_claim *claim = d->parties[i].claim, *against = d->parties[i].against;
  if (n && first < i) tell_pair(t, claim, d->parties[first].claim);
  if (against && against != d->parties[first].claim) tell_pair(t, claim, against);
  if (n > 1) {
    put_party(t, claim);
    hm_tell(t, " contradicts ");
    hm_buf_str(&t->line, hm_buf_view(&list));
    if (n > OPPONENTS_MAX)
      hm_buf_fmt(&t->line, " and %zu more%s", n - OPPONENTS_MAX, asked < d->n ? " at least" : "");
    hm_tell_line(t, ".");
  }
  hm_buf_free(&list);
}

/* A pair is told at its second party; what only contradicts later ones is told there. */
static void tell_pairs(hm_teller *t, const hm_dispute *d, size_t shown) {
  hm_opponents *o = hm_opponents_new(t->w->snap, d, t->rules, t->a);
  for (size_t i = 0; i < shown; i++) tell_opponents(t, d, o, i);
}

static void tell_flag(hm_teller *t, const hm_dispute *d, const hm_party *p) {
  put_party(t, p->claim);
  int trust = (int)p->claim->layer;
  if (p->flagged) {
    hm_buf_fmt(&t->line, " is flagged: its trust is %d, it contradicts ", trust);
    put_party(t, p->against);
    hm_buf_fmt(&t->line, ", whose trust is %d, and agrees with no member of that trust.",
               (int)p->against->layer);
  } else if (p->claim->layer == d->parties[0].claim->layer) {
    hm_buf_fmt(&t->line, " is not flagged: its trust, %d, is the highest present.", trust);
  } else {
    hm_tell(t,
        " is not flagged: it contradicts no member of higher trust, or agrees with another of that trust.");
  }
  end_line(t);
}

static void tell_since(hm_teller *t, const hm_dispute *d) {
  hm_str since = hm_time_iso(t->a, d->since);
  if (since.n)
    hm_buf_fmt(&t->line,
               "Disputed since %.*s, when the first two that contradict each other both stood: ",
               HM_FMT(since));
  else
    hm_tell(t,
        "Since when is not known, as no two that contradict each other both say when they began; the first two are ");
  put_party(t, d->first[0]);
  hm_tell(t, " and ");
  put_party(t, d->first[1]);
  hm_tell_line(t, ".");
}

void hm_tell_dispute(hm_teller *t, const hm_dispute *d,
                     void (*way)(hm_teller *t, const hm_claim *c)) {
  size_t shown = d->n < MEMBERS_MAX ? d->n : MEMBERS_MAX;
  for (size_t i = 0; i < shown; i++) tell_claim(t, d->parties[i].claim, way);
  tell_pairs(t, d, shown);
  for (size_t i = 0; i < shown; i++) tell_flag(t, d, &d->parties[i]);
  if (shown < d->n) {
    hm_buf_fmt(&t->line, "%zu more members are not told here.", d->n - shown);
    end_line(t);
  }
  tell_since(t, d);
}

/* --- what was recorded, when nothing is in dispute ---------------------------------- */

static int by_row(const void *key, const void *claim) {
  uint32_t row = *(const uint32_t *)key, other = ((const hm_claim *)claim)->row;
  return (row > other) - (row < other);
}

/* What the row claims by this field today, in whatever slot, or NULL. */
static const hm_claim *claim_now(const hm_claims *all, uint32_t row, hm_str field) {
  const hm_claim *c = all->n ? bsearch(&row, all->claims, all->n, sizeof *c, by_row) : NULL;
  if (!c) return NULL;
  while (c > all->claims && c[-1].row == row) c--;
  for (; c < all->claims + all->n && c->row == row; c++)
    if (hm_str_eq(c->field, field)) return c;
  return NULL;
}

/* As is_stemmed: a key of three elements is that of a memory type. */
static bool recorded_stems(const hm_teller *t, const hm_member_rec *m) {
  hm_json *key;
  if (m->layer != HM_MEMORY || hm_json_parse(t->a, t->rec->slot_key, &key, NULL)) return false;
  return key->type == HM_JSON_ARRAY && key->count == 3;
}

static void tell_recorded(hm_teller *t, const hm_member_rec *m) {
  uint32_t row = hm_snapshot_row(t->w->snap, m->layer, m->id);
  put_ref(t, m->layer, m->id);
  hm_tell(t, " claimed in its field ");
  hm_tell_plain(t, m->field);
  hm_tell(t, ": ");
  hm_tell_quoted(t, m->value);
  if (!recorded_stems(t, m)) {
    hm_tell(t, " -> ");
    hm_tell_plain(t, m->normal);
  }
  if (row == HM_MAP_NONE) {
    hm_tell_line(t, "; the row is gone.");
    return;
  }
  const hm_claim *c = claim_now(t->w->claims, row, m->field);
  hm_buf_fmt(&t->line, "; the row is %s now and ", hm_status_name(t->w->snap->rows[row].status));
  if (!c) {
    hm_tell_line(t, "claims nothing by that field.");
    return;
  }
  hm_tell(t, hm_str_eq(c->value.norm, m->normal) ? "still claims " : "claims ");
  hm_tell_quoted(t, c->value.raw);
  hm_tell(t, ", ");
  put_window(t, &c->when.begin, &c->when.end);
  hm_tell_line(t, ".");
}

static void tell_record(hm_teller *t) {
  const hm_conflict_rec *r = t->rec;
  size_t shown = r->n_members < MEMBERS_MAX ? r->n_members : MEMBERS_MAX;
  for (size_t i = 0; i < shown; i++) tell_recorded(t, &r->members[i]);
  if (r->status == HM_OPEN) {
    hm_tell_line(t,
        "No two of its claims contradict each other now: the conflict is no longer disputed and awaits sign-off.");
    return;
  }
  if (r->status == HM_MERGED) {
    hm_tell(t, "Its claims contradict those of another conflict now, in which it goes on: ");
    hm_tell_plain(t, r->merged_into);
    hm_tell_line(t, ".");
    return;
  }
  hm_buf_fmt(&t->line, "The conflict is %s", hm_verdict_name(r->status));
  if (r->resolved_at.n) {
    hm_tell(t, " since ");
    hm_tell_plain(t, r->resolved_at);
  }
  if (r->action.n) {
    hm_tell(t, ", by ");
    hm_tell_plain(t, r->action);
  }
  if (r->resolution.n) {
    hm_tell(t, ": ");
    hm_tell_quoted(t, r->resolution);
  }
  hm_tell_line(t, ".");
}

int hm_explain(const hm_sweep *w, const hm_conflict_rec *rec, const hm_rules *rules, hm_arena *a,
               hm_explanation *out, hm_err *err) {
  (void)err;
  *out = (hm_explanation){ .rec = rec, .found = HM_EMPTY };
  out->dispute = hm_plan_dispute(w->plan, rec);
  hm_teller t = { .w = w, .rec = rec, .rules = rules, .a = a, .out = out };
  const hm_rule *rule = hm_rule_named(hm_rule_table_of(rules), hm_conflict_rule(rec));
  tell_rule(&t, rule);
  tell_slot(&t, out->dispute);
  if (!out->dispute) tell_record(&t);
  else if (rule && rule->explain) rule->explain(&t, out->dispute);
  else hm_tell_dispute(&t, out->dispute, NULL);
  if (out->dispute && out->dispute->since == HM_TIME_MIN && rec->detected_at.n) {
    hm_tell(&t, "It was found ");
    hm_tell_plain(&t, rec->detected_at);
    hm_tell(&t, ".");
    out->found = hm_buf_keep(&t.line, a);
  }
  hm_buf_free(&t.line);
  return 0;
}
