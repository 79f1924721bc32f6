/* Connected components without looking at all pairs: claims that nobody has reached yet stand in
 * sets; whoever is reached takes out of them, one by one, those that it contradicts, and these are
 * reached next. A question either takes one claim out or ends the claim that asks, so there are two
 * questions a claim and list at most.
 *
 * A claim that has asked to the end has left nobody behind that it contradicts. So another one of
 * the same value and kind, with a window inside, need not ask. */
#include "core/detect/components.h"

#include <string.h>

#include "core/detect/claim_lists.h"
#include "core/detect/numbering.h"
#include "core/detect/window_set.h"

enum { FEW = 32 };
#define NOWHERE UINT32_MAX

/* A window in which claims of one value and kind have asked to the end. */
typedef struct { hm_time from, until; bool any; } asked;

typedef struct {
  const hm_slot *s;
  uint32_t *of;                /* of each item: its component, or NOWHERE */
  uint32_t *queue; size_t head, n_queue;
  hm_claim_lists lists;
  hm_window_set **sets[HM_LIST_FAMILIES];
  hm_numbering kinds;
  asked *asked;                /* by kind */
  hm_arena *a;
} search;

static void reach(search *q, uint32_t item, uint32_t component) {
  q->of[item] = component;
  q->queue[q->n_queue++] = item;
}

/* --- few claims ----------------------------------------------------------------- */

static void expand_among_few(search *q, uint32_t item) {
  const hm_slot *s = q->s;
  for (uint32_t k = 0; k < s->n; k++)
    if (q->of[k] == NOWHERE && hm_slot_contradict(s, &s->items[item], &s->items[k]))
      reach(q, k, q->of[item]);
}

/* --- many ------------------------------------------------------------------------ */

static void build_sets(search *q) {
  uint32_t *all = hm_alloc_array(q->a, q->s->n, sizeof *all);
  for (size_t i = 0; i < q->s->n; i++) all[i] = (uint32_t)i;
  hm_claim_lists_of(&q->lists, q->s, all, q->s->n, q->a);
  for (int k = 0; k < HM_LIST_FAMILIES; k++) {
    const hm_list_family *f = &q->lists.families[k];
    q->sets[k] = hm_alloc_array(q->a, f->n_lists, sizeof *q->sets[k]);
    for (size_t l = 0; l < f->n_lists; l++) {
      size_t from = f->first[l], n = f->first[l + 1] - from;
      if (n) q->sets[k][l] = hm_window_set_new(q->s, f->items + from, n, q->a);
    }
  }
  hm_numbering_init(&q->kinds, q->a);
  q->asked = hm_alloc_array(q->a, q->s->n, sizeof *q->asked);
}

static void take_out(search *q, uint32_t item) {
  for (int k = 0; k < HM_LIST_FAMILIES; k++) {
    size_t l = hm_list_holding(q->s, k, &q->s->items[item]);
    if (l != SIZE_MAX) hm_window_set_remove(q->sets[k][l], item);
  }
}

/* All that the answers depend on besides the window, as a key. */
static asked *asked_by_kind(search *q, const hm_slot_item *x) {
  uint32_t *k = hm_alloc_array(q->a, 5, sizeof *k);
  k[0] = (uint32_t)x->claim->layer;
  k[1] = x->norm;
  k[2] = x->type;
  k[3] = x->peers;
  k[4] = x->spared;
  return &q->asked[hm_numbering_of(&q->kinds, (hm_str){ (const char *)k, 5 * sizeof *k })];
}

static void expand(search *q, uint32_t item) {
  const hm_slot_item *x = &q->s->items[item];
  asked *before = asked_by_kind(q, x);
  if (before->any && before->from <= x->claim->when.from && x->claim->when.until <= before->until)
    return;
  hm_list_ref lists[HM_LISTS_OF_ONE];
  int n = hm_lists_compared(&q->lists, x, lists);
  for (int i = 0; i < n; i++) {
    hm_window_set *set = q->sets[lists[i].family][lists[i].list];
    size_t next = 0;
    uint32_t got;
    while (set && (got = hm_window_set_any(set, x, &next)) != HM_WINDOW_NONE) {
      take_out(q, got);
      reach(q, got, q->of[item]);
    }
  }
  bool wider = !before->any ||
      (x->claim->when.from <= before->from && before->until <= x->claim->when.until);
  if (wider) *before = (asked){ x->claim->when.from, x->claim->when.until, true };
}

/* --- in order --------------------------------------------------------------------- */

/* Components of one claim are none; the others are numbered by their first member. */
static void gather(search *q, uint32_t n_found, hm_components *out) {
  const hm_slot *s = q->s;
  size_t *sizes = hm_alloc_array(q->a, n_found, sizeof *sizes), total = 0;
  uint32_t *number = hm_alloc_array(q->a, n_found, sizeof *number);
  for (size_t i = 0; i < s->n; i++) sizes[q->of[i]]++;
  out->first = hm_alloc_array(q->a, (size_t)n_found + 1, sizeof *out->first);
  for (uint32_t c = 0; c < n_found; c++) {
    number[c] = NOWHERE;
    if (sizes[c] < 2) continue;
    number[c] = (uint32_t)out->n;
    out->first[out->n++] = total;
    total += sizes[c];
  }
  out->first[out->n] = total;
  out->items = hm_alloc_array(q->a, total, sizeof *out->items);
  size_t *at = hm_alloc_array(q->a, out->n, sizeof *at);
  for (uint32_t i = 0; i < s->n; i++) {
    uint32_t c = number[q->of[i]];
    if (c != NOWHERE) out->items[out->first[c] + at[c]++] = i;
  }
}

void hm_components_of(hm_components *out, const hm_slot *s, hm_arena *a) {
  search q = { .s = s, .a = a, .of = hm_alloc_array(a, s->n, sizeof *q.of),
               .queue = hm_alloc_array(a, s->n, sizeof *q.queue) };
  bool few = s->n <= FEW;
  uint32_t n = 0;
  *out = (hm_components){ 0 };
  for (size_t i = 0; i < s->n; i++) q.of[i] = NOWHERE;
  if (!few) build_sets(&q);
  for (uint32_t i = 0; i < s->n; i++) {
    if (q.of[i] != NOWHERE) continue;
    if (!few) take_out(&q, i);
    reach(&q, i, n++);
    while (q.head < q.n_queue) {
      uint32_t item = q.queue[q.head++];
      if (few) expand_among_few(&q, item);
      else expand(&q, item);
    }
  }
  gather(&q, n, out);
}
