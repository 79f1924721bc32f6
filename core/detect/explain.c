#include "core/detect/explain.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/base/look_alike.h"
#include "core/base/text.h"
#include "core/detect/opponents.h"

enum {
  SHOWN_MAX = 200,
  SENTENCE_MAX = 1000,
  MEMBERS_MAX = 500,
  OPPONENTS_MAX = 20,
  ASKED_MAX = 5000,
  LETTERS_MAX = 10
};

typedef struct {
  const hm_sweep *w;
  const hm_conflict_rec *rec;
  const hm_rules *rules;
  hm_arena *a;
  hm_buf line;
  hm_explanation *out;
  size_t cap;
} teller;

/* --- words ---------------------------------------------------------------------- */

/* Bytes of a fact on one line: cut, repaired, and what does not show is made to. */
static void put_cut(teller *t, hm_str s, size_t max) {
  hm_str text = hm_text_repair(t->a, hm_text_cut(s, max));
  for (size_t i = 0; i < text.n;) {
    size_t from = i;
    uint32_t cp = hm_text_next(text, &i);
    if (hm_text_hidden(cp)) hm_buf_fmt(&t->line, "⟦U+%04" PRIX32 "⟧", cp);
    else hm_buf_str(&t->line, hm_str_sub(text, from, i));
  }
  if (s.n > max) hm_buf_fmt(&t->line, "… (%zu bytes)", s.n);
}

static void put_plain(teller *t, hm_str s) { put_cut(t, s, SHOWN_MAX); }

static void put_quoted(teller *t, hm_str s) {
  hm_buf_ch(&t->line, '"');
  put_plain(t, s);
  hm_buf_ch(&t->line, '"');
}

static void put(teller *t, const char *words) { hm_buf_c(&t->line, words); }

static void put_ref(teller *t, hm_layer layer, hm_str id) {
  put(t, hm_layer_kind(layer));
  put(t, ":");
  put_plain(t, id);
}

static void put_claim(teller *t, const hm_claim *c) {
  put_ref(t, c->layer, t->w->snap->rows[c->row].id);
}

/* A row can claim one slot by two fields; then the field tells them apart. */
static void put_party(teller *t, const hm_claim *c) {
  put_claim(t, c);
  if (c->layer != HM_ENTITY) return;
  put(t, " (");
  put_plain(t, c->field);
  put(t, ")");
}

static void end_line(teller *t) {
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

static void say(teller *t, const char *words) {
  put(t, words);
  end_line(t);
}

/* As their rows write them. */
static void put_window(teller *t, const hm_bound *from, const hm_bound *until) {
  hm_str f = hm_bound_text(t->a, from), u = hm_bound_text(t->a, until);
  if (f.n && u.n) hm_buf_fmt(&t->line, "from %.*s until %.*s", HM_FMT(f), HM_FMT(u));
  else if (f.n) hm_buf_fmt(&t->line, "from %.*s on", HM_FMT(f));
  else if (u.n) hm_buf_fmt(&t->line, "until %.*s", HM_FMT(u));
  else put(t, "without limit in time");
}

/* --- rule and slot ---------------------------------------------------------------- */

static void tell_rule(teller *t) {
  put(t, "Rule ");
  put_plain(t, t->rec->rule.n ? t->rec->rule : HM_STR("slot"));
  hm_buf_fmt(
      &t->line,
      "/%d: active claims of one slot are in conflict where they can be compared, their windows overlap and "
      "their values cannot both hold; a conflict holds those that contradict each other, directly or through others.",
      t->rec->rule_version);
  end_line(t);
}

static void tell_slot(teller *t, const hm_dispute *d) {
  put(t, "The slot is ");
  put_plain(t, t->rec->slot_key);
  if (d) {
    const hm_claim *c = d->parties[0].claim;
    put(t, ": project ");
    put_quoted(t, t->w->snap->projects[c->project].id);
    if (c->memory_type.n) {
      put(t, ", memories of type ");
      put_plain(t, c->memory_type);
    }
    put(t, ", name ");
    put_quoted(t, c->name);
  }
  say(t, ".");
}

/* --- how each came to claim ------------------------------------------------------- */

static void put_entity_way(teller *t, const hm_claim *c) {
  put(t, "is named by its type and slot (");
  hm_str rest = c->compare;
  for (bool first = true; rest.n; first = false) {
    ptrdiff_t at = hm_str_find(rest, "\x1f");
    hm_str part = at < 0 ? rest : hm_str_sub(rest, 0, (size_t)at);
    if (part.n && !first) put(t, ", ");
    put_plain(t, part);
    rest = at < 0 ? HM_EMPTY : hm_str_sub(rest, (size_t)at + 1, rest.n);
  }
  put(t, ") and");
}

static void put_state_way(teller *t, const hm_claim *c) {
  const hm_row *r = &t->w->snap->rows[c->row];
  put(t, "is named by its key ");
  put_quoted(t, r->name);
  put(t, " in category ");
  put_quoted(t, r->type);
  ptrdiff_t type = hm_str_find(c->compare, "\x1f");
  if (type > 0) {
    put(t, ", which leaves out entities of other types than ");
    put_plain(t, hm_str_sub(c->compare, 0, (size_t)type));
    put(t, ",");
  }
  put(t, " and");
}

static void put_memory_way(teller *t, const hm_claim *c) {
  const hm_row *r = &t->w->snap->rows[c->row];
  if (r->slot_rule.n) {
    put(t, "is named by its slot rule ");
    put_quoted(t, r->slot_rule);
  } else if (hm_str_starts(c->name, "\"")) {
    put(t, "is named by its own text, as it has a polarity and no grammar reads it,");
  } else {
    put(t, "is read by the grammar of ");
    put_plain(t, r->type);
    put(t, " memories");
  }
  put(t, " and");
}

/* Memories of a space of their own are compared by the stems of their words, which no one wants to
 * read. */
static bool is_stemmed(const hm_claim *c) { return c->memory_type.n > 0; }

static void put_normal(teller *t, const hm_value *v) {
  put(t, " -> ");
  put_plain(t, v->norm);
  if (hm_str_eq(v->norm, v->key)) return;
  put(t, " = ");
  put_plain(t, v->key);
}

static void tell_claim(teller *t, const hm_claim *c) {
  put_claim(t, c);
  hm_buf_fmt(&t->line, " (trust %d) ", (int)c->layer);
  if (c->layer == HM_ENTITY) put_entity_way(t, c);
  else if (c->layer == HM_STATE) put_state_way(t, c);
  else put_memory_way(t, c);
  put(t, " claims in its field ");
  put_plain(t, c->field);
  put(t, ": ");
  put_quoted(t, c->value.raw);
  if (c->value.named.n) {
    put(t, ", the id of ");
    put_quoted(t, c->value.named);
    put(t, ",");
  }
  if (!is_stemmed(c)) put_normal(t, &c->value);
  put(t, ", ");
  put_window(t, &c->when.begin, &c->when.end);
  say(t, ".");
}

/* --- who disagrees with whom ------------------------------------------------------ */

static void put_overlap(teller *t, const hm_claim *a, const hm_claim *b) {
  put(t, "both hold ");
  hm_span both = { 0 };
  hm_span_common((const hm_window *[]){ &a->when, &b->when }, 2, &both);
  put_window(t, &both.begin, &both.end);
}

/* Letters of other scripts that look like those beside them. */
static void put_look_alike(teller *t, const hm_claim *a, const hm_claim *b) {
  bool texts = a->value.kind == HM_V_TEXT && b->value.kind == HM_V_TEXT && !is_stemmed(a);
  size_t head = sizeof "text:" - 1;
  if (!texts || !hm_str_starts(a->value.norm, "text:") || !hm_str_starts(b->value.norm, "text:"))
    return;
  hm_str x = hm_str_sub(a->value.norm, head, a->value.norm.n),
         y = hm_str_sub(b->value.norm, head, b->value.norm.n);
  hm_str letters = hm_look_alike(t->a, x, y, LETTERS_MAX);
  if (letters.n) hm_buf_fmt(&t->line, ", which look alike and differ in %.*s", HM_FMT(letters));
}

static void tell_pair(teller *t, const hm_claim *a, const hm_claim *b) {
  put_party(t, a);
  put(t, " contradicts ");
  put_party(t, b);
  put(t, ": ");
  put_cut(t, hm_value_difference(t->a, &a->value, &b->value, hm_rules_tolerance(t->rules, a->name)),
          SENTENCE_MAX);
  put_look_alike(t, a, b);
  put(t, "; ");
  put_overlap(t, a, b);
  say(t, ".");
}

/* Whom parties[i] contradicts: the first of them, and all in a line when there are more. */
static void tell_opponents(teller *t, const hm_dispute *d, const hm_opponents *o, size_t i) {
  size_t asked = d->n < ASKED_MAX ? d->n : ASKED_MAX, n = 0, first = 0;
  hm_buf names = t->line;
  t->line = (hm_buf){ 0 };
  for (size_t k = 0; k < asked; k++) {
    if (k == i || !hm_opponents_are(o, i, k) || n++ >= OPPONENTS_MAX) continue;
    if (n == 1) first = k;
    if (n > 1) put(t, ", ");
    put_party(t, d->parties[k].claim);
  }
  hm_buf list = t->line;
  t->line = names;
  const hm_claim *claim = d->parties[i].claim, *against = d->parties[i].against;
  if (n && first < i) tell_pair(t, claim, d->parties[first].claim);
  if (against && against != d->parties[first].claim) tell_pair(t, claim, against);
  if (n > 1) {
    put_party(t, claim);
    put(t, " contradicts ");
    hm_buf_str(&t->line, hm_buf_view(&list));
    if (n > OPPONENTS_MAX)
      hm_buf_fmt(&t->line, " and %zu more%s", n - OPPONENTS_MAX, asked < d->n ? " at least" : "");
    say(t, ".");
  }
  hm_buf_free(&list);
}

/* A pair is told at its second party; what only contradicts later ones is told there. */
static void tell_pairs(teller *t, const hm_dispute *d, size_t shown) {
  hm_opponents *o = hm_opponents_new(t->w->snap, d, t->rules, t->a);
  for (size_t i = 0; i < shown; i++) tell_opponents(t, d, o, i);
}

static void tell_flag(teller *t, const hm_dispute *d, const hm_party *p) {
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
    put(t,
        " is not flagged: it contradicts no member of higher trust, or agrees with another of that trust.");
  }
  end_line(t);
}

static void tell_since(teller *t, const hm_dispute *d) {
  hm_str since = hm_time_iso(t->a, d->since);
  if (since.n)
    hm_buf_fmt(&t->line,
               "Disputed since %.*s, when the first two that contradict each other both stood: ",
               HM_FMT(since));
  else
    put(t,
        "Since when is not known, as no two that contradict each other both say when they began; the first two are ");
  put_party(t, d->first[0]);
  put(t, " and ");
  put_party(t, d->first[1]);
  say(t, ".");
}

static void tell_dispute(teller *t, const hm_dispute *d) {
  size_t shown = d->n < MEMBERS_MAX ? d->n : MEMBERS_MAX;
  for (size_t i = 0; i < shown; i++) tell_claim(t, d->parties[i].claim);
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
static bool recorded_stems(const teller *t, const hm_member_rec *m) {
  hm_json *key;
  if (m->layer != HM_MEMORY || hm_json_parse(t->a, t->rec->slot_key, &key, NULL)) return false;
  return key->type == HM_JSON_ARRAY && key->count == 3;
}

static void tell_recorded(teller *t, const hm_member_rec *m) {
  uint32_t row = hm_snapshot_row(t->w->snap, m->layer, m->id);
  put_ref(t, m->layer, m->id);
  put(t, " claimed in its field ");
  put_plain(t, m->field);
  put(t, ": ");
  put_quoted(t, m->value);
  if (!recorded_stems(t, m)) {
    put(t, " -> ");
    put_plain(t, m->normal);
  }
  if (row == HM_MAP_NONE) {
    say(t, "; the row is gone.");
    return;
  }
  const hm_claim *c = claim_now(t->w->claims, row, m->field);
  hm_buf_fmt(&t->line, "; the row is %s now and ", hm_status_name(t->w->snap->rows[row].status));
  if (!c) {
    say(t, "claims nothing by that field.");
    return;
  }
  put(t, hm_str_eq(c->value.norm, m->normal) ? "still claims " : "claims ");
  put_quoted(t, c->value.raw);
  put(t, ", ");
  put_window(t, &c->when.begin, &c->when.end);
  say(t, ".");
}

static void tell_record(teller *t) {
  const hm_conflict_rec *r = t->rec;
  size_t shown = r->n_members < MEMBERS_MAX ? r->n_members : MEMBERS_MAX;
  for (size_t i = 0; i < shown; i++) tell_recorded(t, &r->members[i]);
  if (r->status == HM_OPEN) {
    say(t,
        "No two of its claims contradict each other now: the conflict is no longer disputed and awaits sign-off.");
    return;
  }
  if (r->status == HM_MERGED) {
    put(t, "Its claims contradict those of another conflict now, in which it goes on: ");
    put_plain(t, r->merged_into);
    say(t, ".");
    return;
  }
  hm_buf_fmt(&t->line, "The conflict is %s", hm_verdict_name(r->status));
  if (r->resolved_at.n) {
    put(t, " since ");
    put_plain(t, r->resolved_at);
  }
  if (r->action.n) {
    put(t, ", by ");
    put_plain(t, r->action);
  }
  if (r->resolution.n) {
    put(t, ": ");
    put_quoted(t, r->resolution);
  }
  say(t, ".");
}

int hm_explain(const hm_sweep *w, const hm_conflict_rec *rec, const hm_rules *rules, hm_arena *a,
               hm_explanation *out, hm_err *err) {
  (void)err;
  *out = (hm_explanation){ .rec = rec, .found = HM_EMPTY };
  out->dispute = hm_plan_dispute(w->plan, rec);
  teller t = { .w = w, .rec = rec, .rules = rules, .a = a, .out = out };
  tell_rule(&t);
  tell_slot(&t, out->dispute);
  if (out->dispute) tell_dispute(&t, out->dispute);
  else tell_record(&t);
  if (out->dispute && out->dispute->since == HM_TIME_MIN && rec->detected_at.n) {
    put(&t, "It was found ");
    put_plain(&t, rec->detected_at);
    put(&t, ".");
    out->found = hm_buf_keep(&t.line, a);
  }
  hm_buf_free(&t.line);
  return 0;
}
