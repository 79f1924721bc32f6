/* Values that are read by what else their slot says.
 *
 *   a decimal         is a text (1.10 is not 1.1) where another claim of the slot is a release:
 *                     a text of digits and two points (1.10.2), or one that had a v (v1.10)
 *   "71A", "12C"      a text is a quantity where another claim of the slot has its dimension
 *
 * Only claims of one slot are looked at, and a slot gives the same values whichever other slots are
 * read with it. Cost: one look at each claim; where some slot has such a text, a second one. */
#include <stdlib.h>
#include <string.h>

#include "core/claim/claim.h"
#include "core/claim/value_impl.h"

/* A claim by which others of its slot are read (a release), or that is read by others. */
typedef struct { uint64_t hash; size_t claim; bool release; } trigger;

typedef struct { trigger *v; size_t n, cap; } triggers;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* "1.10.2", "1.10" (a text of digits and a point had a v before it), "1.10-rc1". */
static bool is_release(hm_str text) {
  size_t i = 0, points = 0;
  for (; i < text.n && (is_digit(text.p[i]) || text.p[i] == '.'); i++) points += text.p[i] == '.';
  return points && is_digit(text.p[i - 1]) && (i == text.n || points > 1 || text.p[i] == '-');
}

/* By which unit the letter behind the digits may be meant. */
static const struct { char letter; const char *unit; } letters[] = {
  { 'A', "A" }, { 'B', "B" }, { 'b', "b" }, { 'C', "degC" }, { 'C', "C" }, { 'F', "degF" },
  { 'F', "F" }, { 'H', "H" }, { 'J', "J" }, { 'K', "K" },
};

/* "71A". */
static bool is_glued(hm_str raw) {
  size_t i = 0;
  while (i < raw.n && is_digit(raw.p[i])) i++;
  if (!i || i + 1 != raw.n) return false;
  for (size_t k = 0; k < HM_COUNT(letters); k++)
    if (letters[k].letter == raw.p[i]) return true;
  return false;
}

static void find_triggers(const hm_claims *c, triggers *out) {
  enum { PREFIX = sizeof "text:" - 1 };
  for (size_t i = 0; i < c->n; i++) {
    const hm_value *v = &c->claims[i].value;
    if (v->kind != HM_V_TEXT || v->norm.n <= PREFIX || !is_digit(v->norm.p[PREFIX])) continue;
    if (v->denied || v->named.n || c->claims[i].space.n) continue;
    bool release = is_release(hm_str_sub(v->norm, PREFIX, v->norm.n));
    if (!release && !is_glued(hm_str_trim(v->raw))) continue;
    out->v = hm_array_grow(out->v, out->n, &out->cap, sizeof *out->v);
    out->v[out->n++] = (trigger){ c->claims[i].hash, i, release };
  }
}

static int by_hash(const void *x, const void *y) {
  const trigger *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return (a->claim > b->claim) - (a->claim < b->claim);
}

/* The first trigger of that hash, or n. */
static size_t first_of(const triggers *t, uint64_t hash) {
  size_t lo = 0, hi = t->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (t->v[mid].hash < hash) lo = mid + 1;
    else hi = mid;
  }
  return lo < t->n && t->v[lo].hash == hash ? lo : t->n;
}

/* "71A" as a quantity of that base. */
static void read_glued(hm_value *v, hm_str base, hm_units *u, hm_arena *a) {
  hm_str raw = hm_str_trim(v->raw), digits = hm_str_sub(raw, 0, raw.n - 1);
  for (size_t k = 0; k < HM_COUNT(letters); k++) {
    hm_value q;
    if (letters[k].letter != raw.p[raw.n - 1]) continue;
    hm_value_of_text(&q, HM_CAT(a, digits, HM_STR(" "), hm_str_c(letters[k].unit)), false, u, a);
    if (q.kind != HM_V_QUANTITY || !hm_str_eq(q.base, base)) continue;
    q.raw = v->raw;
    *v = q;
    return;
  }
}

void hm_claims_settle_values(hm_claims *c, hm_arena *a) {
  triggers t = { 0 };
  find_triggers(c, &t);
  if (!t.n) return;
  qsort(t.v, t.n, sizeof *t.v, by_hash);
  hm_units *u = hm_units_new();
  for (size_t i = 0; i < c->n; i++) {
    hm_claim *x = &c->claims[i];
    bool number = x->value.kind == HM_V_NUMBER, quantity = x->value.kind == HM_V_QUANTITY;
    if (x->value.denied || (!number && !quantity)) continue;
    for (size_t k = first_of(&t, x->hash); k < t.n && t.v[k].hash == x->hash; k++) {
      hm_claim *by = &c->claims[t.v[k].claim];
      if (!hm_claims_share_slot(x, by)) continue;
      if (quantity && !t.v[k].release && by->value.kind == HM_V_TEXT)
        read_glued(&by->value, x->value.base, u, a);
      if (!number || !t.v[k].release) continue;
      hm_value_of_text(&x->value, x->value.raw, true, u, a);
      break;
    }
  }
  hm_units_free(u);
  free(t.v);
}
