#include "core/claim/gap.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"

typedef struct {
  const hm_snapshot *snap;
  const hm_claim **v; size_t n;   /* what is silent, by slot */
  bool *known;                    /* beside v: set for the first of a slot */
} silences;

static int by_slot(const hm_claim *a, const hm_claim *b) {
  if (a->project != b->project) return a->project < b->project ? -1 : 1;
  int d = hm_str_cmp(a->memory_type, b->memory_type);
  return d ? d : hm_str_cmp(a->name, b->name);
}

static int by_slot_and_row(const void *x, const void *y, void *ctx) {
  const hm_claim *a = *(const hm_claim *const *)x, *b = *(const hm_claim *const *)y;
  const hm_row *rows = ctx;
  int d = by_slot(a, b);
  if (!d && a->layer != b->layer) d = a->layer > b->layer ? -1 : 1;
  if (!d) d = hm_str_cmp(rows[a->row].id, rows[b->row].id);
  return d ? d : hm_str_cmp(a->field, b->field);
}

/* The first of the slot of c, or n. */
static size_t find(const silences *s, const hm_claim *c) {
  size_t lo = 0, hi = s->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (by_slot(s->v[mid], c) < 0) lo = mid + 1;
    else hi = mid;
  }
  return lo < s->n && !by_slot(s->v[lo], c) ? lo : s->n;
}

/* Few claims are of a silent slot: a table of hashes lets the others pass. */
typedef struct { unsigned char *bits; size_t mask; } filter;

static filter filter_of(const silences *s, hm_arena *a) {
  size_t cap = 1024;
  while (cap < 16 * s->n) cap *= 2;
  filter f = { hm_alloc_array(a, cap / 8, 1), cap - 1 };
  for (size_t i = 0; i < s->n; i++)
    f.bits[(s->v[i]->hash & f.mask) / 8] |= (unsigned char)(1 << (s->v[i]->hash & 7));
  return f;
}

static bool may_be(const filter *f, uint64_t hash) {
  return f->bits[(hash & f->mask) / 8] >> (hash & 7) & 1;
}

static bool is_over(const hm_snapshot *snap, const hm_claim *c) {
  return c->when.may_until != HM_TIME_MAX && c->when.may_until <= snap->now;
}

void hm_gaps_of(const hm_snapshot *snap, const hm_claims *claims,
                bool (*shown)(void *ctx, const hm_claim *c), void *ctx, hm_arena *a, hm_gap **out,
                size_t *n) {
  silences s = { .snap = snap, .v = hm_alloc_array(a, claims->n_silences, sizeof *s.v),
                 .known = hm_alloc_array(a, claims->n_silences, sizeof *s.known) };
  *out = NULL;
  *n = 0;
  for (size_t i = 0; i < claims->n_silences; i++) {
    const hm_claim *c = &claims->silences[i];
    if (!is_over(snap, c) && (!shown || shown(ctx, c))) s.v[s.n++] = c;
  }
  if (!s.n) return;
  qsort_r(s.v, s.n, sizeof *s.v, by_slot_and_row, snap->rows);
  filter f = filter_of(&s, a);
  for (size_t i = 0; i < claims->n; i++) {
    const hm_claim *c = &claims->claims[i];
    if (!may_be(&f, c->hash) || is_over(snap, c)) continue;
    size_t at = find(&s, c);
    if (at < s.n && !s.known[at] && (!shown || shown(ctx, c))) s.known[at] = true;
  }
  *out = hm_alloc_array(a, s.n, sizeof **out);
  for (size_t i = 0, end; i < s.n; i = end) {
    for (end = i + 1; end < s.n && !by_slot(s.v[i], s.v[end]);) end++;
    if (s.known[i]) continue;
    (*out)[(*n)++] =
        (hm_gap){ s.v[i]->project, hm_claim_slot_key(a, snap, s.v[i]), s.v + i, end - i };
  }
}

/* "the state", "2 states and the memory". */
static void put_sayers(hm_buf *b, const hm_gap *gap) {
  static const char *const one[] = {
    [HM_MEMORY] = "the memory", [HM_ENTITY] = "the entity", [HM_STATE] = "the state"
  };
  static const char *const many[] = {
    [HM_MEMORY] = "memories", [HM_ENTITY] = "entities", [HM_STATE] = "states"
  };
  size_t left = gap->n;
  for (hm_layer l = HM_STATE; l >= HM_MEMORY; l--) {
    size_t n = 0;
    for (size_t i = 0; i < gap->n; i++) n += gap->by[i]->layer == l;
    if (!n) continue;
    if (left < gap->n) hm_buf_c(b, left == n ? " and " : ", ");
    if (n == 1) hm_buf_c(b, one[l]);
    else hm_buf_fmt(b, "%zu %s", n, many[l]);
    left -= n;
  }
}

hm_finding hm_gap_finding(const hm_snapshot *snap, const hm_gap *gap, hm_arena *a) {
  hm_buf b = { 0 };
  hm_sha256 h;
  hm_str *rows = hm_alloc_array(a, gap->n, sizeof *rows);
  hm_sha256_init(&h);
  hm_sha256_field(&h, HM_STR("slot/gap"));
  hm_sha256_field(&h, gap->slot_key);
  for (size_t i = 0; i < gap->n; i++) {
    const hm_row *r = &snap->rows[gap->by[i]->row];
    hm_buf_fmt(&b, "%s:", hm_layer_kind(r->layer));
    hm_buf_str(&b, r->id);
    rows[i] = hm_buf_keep(&b, a);
    hm_buf_clear(&b);
  }
  hm_buf_str(&b, hm_slot_title(a, gap->slot_key));
  hm_buf_fmt(&b, ": not known yet, %s ", gap->n > 1 ? "say" : "says");
  put_sayers(&b, gap);
  hm_str message = hm_buf_keep(&b, a), digest = hm_sha256_hex(&h, a, 12);
  hm_buf_free(&b);
  return (hm_finding){ .id = hm_str_fmt(a, "f%.*s", HM_FMT(digest)),
                       .kind = HM_STR("gap"),
                       .severity = HM_STR("info"),
                       .rule = HM_STR("slot/gap"),
                       .project = snap->projects[gap->project].id,
                       .rows = rows,
                       .n_rows = gap->n,
                       .message = message,
                       .expected = HM_STR("a value"),
                       .actual = gap->by[0]->value.raw };
}
