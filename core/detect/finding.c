/* Findings: their ids, their order, and the references that they are made of. */
#include "core/detect/finding.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"

hm_str hm_str_cat(hm_arena *a, const hm_str *parts) {
  size_t n = 0;
  for (const hm_str *s = parts; s->p; s++) n += s->n;
  char *p = hm_alloc(a, n + 1), *at = p;
  for (const hm_str *s = parts; s->p; s++) {
    memcpy(at, s->p, s->n);
    at += s->n;
  }
  return (hm_str){ p, n };
}

hm_str hm_row_ref(hm_arena *a, const hm_row *r) {
  return HM_CAT(a, hm_str_c(hm_layer_kind(r->layer)), HM_STR(":"), r->id.n ? r->id : HM_EMPTY);
}

static hm_str id_of(hm_arena *a, const hm_finding *f) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_add(&h, f->rule);
  for (size_t i = 0; i < f->n_rows; i++) {
    hm_sha256_add(&h, HM_STR("\x1f"));
    hm_sha256_add(&h, f->rows[i]);
  }
  return HM_CAT(a, HM_STR("f"), hm_sha256_hex(&h, a, 12));
}

void hm_finding_add(hm_finding_list *l, hm_finding f) {
  if (l->n == l->cap) {
    l->cap = l->cap ? l->cap * 2 : 16;
    hm_finding *more = hm_alloc_array(l->a, l->cap, sizeof *more);
    if (l->n) memcpy(more, l->v, l->n * sizeof *more);
    l->v = more;
  }
  if (!f.id.n) f.id = id_of(l->a, &f);
  l->v[l->n++] = f;
}

static int by_place(const void *x, const void *y) {
  const hm_finding *a = x, *b = y;
  const hm_str p[][2] = {
    { a->kind, b->kind },       { a->project, b->project },   { a->id, b->id },
    { a->message, b->message }, { a->expected, b->expected }, { a->actual, b->actual }
  };
  for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
    int d = hm_str_cmp(p[i][0], p[i][1]);
    if (d) return d;
  }
  return 0;
}

void hm_findings_sort(hm_finding *f, size_t n) {
  if (n) qsort(f, n, sizeof *f, by_place);
}

static bool equal(const hm_finding *a, const hm_finding *b) {
  bool same = by_place(a, b) == 0 && hm_str_eq(a->severity, b->severity) &&
      hm_str_eq(a->rule, b->rule) && a->n_rows == b->n_rows;
  for (size_t i = 0; same && i < a->n_rows; i++) same = hm_str_eq(a->rows[i], b->rows[i]);
  return same;
}

bool hm_findings_equal(const hm_finding *a, size_t n, const hm_finding *b, size_t m) {
  size_t i = 0;
  while (i < n && n == m && equal(&a[i], &b[i])) i++;
  return i == n && n == m;
}
