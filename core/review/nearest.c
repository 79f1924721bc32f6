/* The nearest rows of a sweep: nearest.h. */
#include "core/review/nearest.h"

#include "core/claim/judged.h"

/* Rows that findings name beside the row, and of which a person said that they do not contradict
 * it. */
typedef struct {
  hm_map refs;
} known;

static bool is_known(const void *ctx, hm_str ref) {
  const known *k = ctx;
  return k->refs.n && hm_map_get(&k->refs, ref) != HM_MAP_NONE;
}

static void add_named(known *k, const hm_sweep *w, hm_str ref) {
  for (size_t i = 0; i < w->n_findings; i++) {
    const hm_finding *f = &w->findings[i];
    if (f->n_rows < 2 || !hm_finding_names(f, ref))
      continue;
    for (size_t r = 0; r < f->n_rows; r++)
      hm_map_add(&k->refs, f->rows[r], 0);
  }
}

static void add_denied(known *k, const hm_snapshot *snap, hm_str ref, hm_arena *a) {
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *p = &snap->proposals[i];
    size_t at = 0;
    while (at < p->n && !hm_str_eq(p->rows[at], ref))
      at++;
    if (at == p->n || p->via.n || !hm_str_is(p->says, HM_SAYS_AGREES) ||
        !hm_proposal_holds(snap, p, a))
      continue;
    for (size_t r = 0; r < p->n; r++)
      hm_map_add(&k->refs, p->rows[r], 0);
  }
}

static hm_alike_source source_of(const hm_sweep *in, int threads) {
  return (hm_alike_source){
    .snap = in->snap, .claims = in->claims, .index = in->alike, .threads = threads
  };
}

size_t hm_nearest_to_row(const hm_sweep *of, uint32_t row, const hm_sweep *in, int threads,
                         hm_arena *a, hm_alike_row **out) {
  const hm_alike_source from = source_of(in, threads);
  hm_alike_question q;
  known k = { 0 };
  hm_alike_question_of_row(of->snap, of->claims, row, a, &q);
  hm_map_init(&k.refs, a, 0);
  add_named(&k, of, q.ref);
  if (in != of)
    add_named(&k, in, q.ref);
  add_denied(&k, of->snap, q.ref, a);
  q.is_known = is_known;
  q.ctx = &k;
  return hm_alike_find(&from, &q, a, out);
}

size_t hm_nearest_to_text(hm_str text, const hm_str *project, const hm_sweep *in, int threads,
                          hm_arena *a, hm_alike_row **out) {
  const hm_alike_source from = source_of(in, threads);
  const hm_alike_question q = {
    .text = text, .project = project ? *project : HM_EMPTY, .any_project = !project, .ref = HM_EMPTY
  };
  return hm_alike_find(&from, &q, a, out);
}
