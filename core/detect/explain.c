#include "core/detect/explain.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/base/json.h"
#include "core/base/text.h"

enum { SHOWN_MAX = 200, SENTENCE_MAX = 1000, MEMBERS_MAX = 500 };

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

static void put_claim(teller *t, const hm_claim *c) { put_ref(t, c->layer, t->w->snap->rows[c->row].id); }

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
  hm_buf_fmt(&t->line, "/%d: active claims of one slot are in conflict where they can be compared, their windows overlap and "
                       "their values cannot both hold.", t->rec->rule_version);
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
  put(t, " -> ");
  put_plain(t, c->value.norm);
  if (!hm_str_eq(c->value.norm, c->value.key)) {
    put(t, " = ");
    put_plain(t, c->value.key);
  }
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

static const char *why_not_compared(const hm_claim *a, const hm_claim *b) {
  if (a->value.denied || b->value.denied) return ": who denies something contradicts only who says it.";
  if (a->layer != b->layer) return ": the category of the state names another type.";
  return a->layer == HM_STATE ? ": their categories differ." : ": they are not of one type and slot.";
}

static void tell_pair(teller *t, const hm_claim *a, const hm_claim *b) {
  put_party(t, a);
  if (!hm_claim_comparable(a, b)) {
    put(t, " is not compared with ");
    put_party(t, b);
    say(t, why_not_compared(a, b));
    return;
  }
  if (!hm_claim_overlap(a, b)) {
    put(t, " and ");
    put_party(t, b);
    say(t, " hold at different times: their windows do not overlap.");
    return;
  }
  put(t, hm_claim_disagree(a, b, t->rules) ? " disagrees with " : " agrees with ");
  put_party(t, b);
  put(t, ": ");
  put_cut(t, hm_value_difference(t->a, &a->value, &b->value, hm_rules_tolerance(t->rules, a->name)), SENTENCE_MAX);
  put(t, "; ");
  put_overlap(t, a, b);
  say(t, ".");
}

static const hm_party *first_that_disagrees(const hm_dispute *d) {
  const hm_party *p = d->parties;
  while (!p->disagrees) p++;
  return p;
}

/* With the first that disagrees with anybody, and with the one that a flag points to. */
static void tell_pairs(teller *t, const hm_dispute *d, size_t shown) {
  const hm_party *first = first_that_disagrees(d);
  for (size_t i = 0; i < shown; i++) {
    const hm_party *p = &d->parties[i];
    if (p != first) tell_pair(t, p->claim, first->claim);
    if (p->against && p->against != first->claim) tell_pair(t, p->claim, p->against);
  }
}

static void tell_flag(teller *t, const hm_dispute *d, const hm_party *p) {
  int highest = (int)d->parties[0].claim->layer;
  put_party(t, p->claim);
  if (p->flagged) {
    hm_buf_fmt(&t->line, " is flagged: its trust is %d, and it disagrees with ", (int)p->claim->layer);
    put_party(t, p->against);
    hm_buf_fmt(&t->line, ", which has the highest trust present, %d.", highest);
  } else if ((int)p->claim->layer == highest) {
    hm_buf_fmt(&t->line, " is not flagged: its trust, %d, is the highest present.", highest);
  } else {
    hm_buf_fmt(&t->line, " is not flagged: it disagrees with no member of the highest trust present, %d.", highest);
  }
  end_line(t);
}

static void tell_since(teller *t, const hm_dispute *d) {
  hm_str since = hm_time_iso(t->a, d->since);
  if (since.n) hm_buf_fmt(&t->line, "Disputed since %.*s, when the first two that disagree both stood: ", HM_FMT(since));
  else put(t, "Since when is not known, as no two that disagree both say when they began; the first two are ");
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

static void tell_recorded(teller *t, const hm_member_rec *m) {
  uint32_t row = hm_snapshot_row(t->w->snap, m->layer, m->id);
  put_ref(t, m->layer, m->id);
  put(t, " claimed in its field ");
  put_plain(t, m->field);
  put(t, ": ");
  put_quoted(t, m->value);
  put(t, " -> ");
  put_plain(t, m->normal);
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
    say(t, "No two claims of this slot disagree now: the conflict is no longer disputed and awaits sign-off.");
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

int hm_explain(const hm_sweep *w, const hm_conflict_rec *rec, const hm_rules *rules, hm_arena *a, hm_explanation *out,
               hm_err *err) {
  (void)err;
  *out = (hm_explanation){ .rec = rec };
  if (rec->status == HM_OPEN) out->dispute = hm_disputes_find(w->disputes, rec->slot_key);
  teller t = { .w = w, .rec = rec, .rules = rules, .a = a, .out = out };
  tell_rule(&t);
  tell_slot(&t, out->dispute);
  if (out->dispute) tell_dispute(&t, out->dispute);
  else tell_record(&t);
  hm_buf_free(&t.line);
  return 0;
}
