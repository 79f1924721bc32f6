#include "core/detect/slot.h"

#include <stdlib.h>
#include <string.h>

#include "core/detect/numbering.h"

static int time_cmp(hm_time a, hm_time b) { return (a > b) - (a < b); }

/* Past trust, id and field the order only serves rows that a store cannot hold; it is total all the
 * same. */
static int by_member(const void *x, const void *y, void *ctx) {
  const hm_claim *a = *(const hm_claim *const *)x, *b = *(const hm_claim *const *)y;
  const hm_row *rows = ctx;
  if (a->layer != b->layer) return a->layer > b->layer ? -1 : 1;
  int d = a->row == b->row ? 0 : hm_str_cmp(rows[a->row].id, rows[b->row].id);
  if (!d) d = hm_str_cmp(a->field, b->field);
  if (!d) d = hm_str_cmp(a->value.norm, b->value.norm);
  if (!d) d = time_cmp(a->when.from, b->when.from);
  return d ? d : time_cmp(a->when.until, b->when.until);
}

/* The folded type before the first separator of `compare`. */
static hm_str type_of(const hm_claim *c) {
  const char *end = c->compare.n ? memchr(c->compare.p, 0x1f, c->compare.n) : NULL;
  return end ? hm_str_sub(c->compare, 0, (size_t)(end - c->compare.p)) : c->compare;
}

/* What a claim must share with others of its layer to be compared with them, as hm_claim_comparable
 * has it. Those of a state begin with a separator, which none of an entity does. */
static hm_str peers_of(const hm_claim *c, hm_arena *a) {
  return c->layer == HM_STATE ? hm_str_fmt(a, "\x1f%.*s", HM_FMT(c->compare)) : c->compare;
}

static void number_said(hm_slot *s, hm_arena *a) {
  hm_numbering said;
  bool denied = false;
  for (size_t i = 0; i < s->n; i++) denied = denied || s->items[i].claim->value.denied;
  if (!denied) return;
  hm_numbering_init(&said, a);
  for (size_t i = 0; i < s->n; i++)
    s->items[i].said = hm_numbering_of(&said, hm_value_said(&s->items[i].claim->value));
  s->n_said = said.n;
}

static void number_classes(hm_slot *s, hm_arena *a) {
  hm_numbering types, peers;
  hm_numbering_init(&types, a);
  hm_numbering_init(&peers, a);
  for (size_t i = 0; i < s->n; i++) {
    hm_slot_item *it = &s->items[i];
    hm_str type = it->claim->layer == HM_MEMORY ? HM_EMPTY : type_of(it->claim);
    it->type = HM_SLOT_UNTYPED;
    it->peers = hm_numbering_of(&peers, peers_of(it->claim, a));
    if (type.n || it->claim->layer == HM_ENTITY) it->type = hm_numbering_of(&types, type);
  }
  s->n_types = types.n;
  s->n_peers = peers.n;
}

void hm_slot_of(hm_slot *out, const hm_snapshot *snap, const hm_claim **claims, size_t n,
                const hm_rules *rules, hm_arena *a) {
  qsort_r(claims, n, sizeof *claims, by_member, snap->rows);
  *out = (hm_slot){ .n = n, .items = hm_alloc_array(a, n, sizeof *out->items),
                    .tol = n ? hm_rules_tolerance(rules, claims[0]->name) : NULL };
  for (size_t i = 0; i < n; i++) out->items[i].claim = claims[i];
  out->fits = hm_alloc_array(a, n + 1, sizeof *out->fits);
  number_classes(out, a);
  number_said(out, a);
  hm_slot_number_values(out, a);
}

/* Where many copies of few sets all contain each other, a search asks of each copy again. */
bool hm_slot_clash(const hm_slot *s, const hm_slot_item *a, const hm_slot_item *b) {
  if (a->value == b->value || !hm_claim_overlap(a->claim, b->claim)) return false;
  if (s->fits[a->norm] == b->norm + 1) return false;
  if (!hm_value_compatible(&a->claim->value, &b->claim->value, s->tol)) return true;
  s->fits[a->norm] = b->norm + 1;
  return false;
}

bool hm_slot_comparable(const hm_slot_item *a, const hm_slot_item *b) {
  bool of_state = (a->claim->layer == HM_STATE) != (b->claim->layer == HM_STATE);
  if (of_state && (a->spared || b->spared)) return false;
  return hm_claim_comparable(a->claim, b->claim);
}

bool hm_slot_contradict(const hm_slot *s, const hm_slot_item *a, const hm_slot_item *b) {
  return hm_slot_comparable(a, b) && hm_slot_clash(s, a, b);
}
