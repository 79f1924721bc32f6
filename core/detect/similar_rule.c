/* Findings about memories that say the same, or of which one denies the other: similar_groups.h.
 *
 * A finding holds all rows that such pairs connect, oldest first. It is found by text alone: no
 * conflict, no marker. `hmirror findings confirm` makes it one (core/review/finding_review.h). */
#include "core/base/text.h"
#include "core/claim/judged.h"
#include "core/detect/rule.h"
#include "core/detect/similar_groups.h"

enum { TEXT_SHOWN = 160, MODEL_SHOWN = 60 };

static hm_str quoted(const hm_row *r, hm_arena *a) {
  hm_str text = hm_text_cut(hm_text_repair(a, hm_str_trim(r->text)), TEXT_SHOWN);
  const char *more = text.n < hm_str_trim(r->text).n ? "..." : "";
  return hm_str_fmt(a, "\"%.*s%s\"", HM_FMT(text), more);
}

/* The oldest row that denies the first; of duplicates, that says it in other letters. */
static const hm_row *other_of(const hm_snapshot *snap, const hm_similar_group *g, hm_arena *a) {
  const hm_row *first = &snap->rows[g->rows[0]];
  hm_similar_text x, y;
  hm_similar_read(first->text, a, &x);
  for (size_t i = 1; i < g->n; i++) {
    const hm_row *other = &snap->rows[g->rows[i]];
    hm_similar_read(other->text, a, &y);
    bool denies = hm_similar_words(&x, first->polarity, &y, other->polarity).kind ==
        HM_ALIKE_CONTRADICTION;
    if (g->kind == HM_ALIKE_CONTRADICTION ? denies : !hm_str_eq(first->text, other->text))
      return other;
  }
  return g->kind == HM_ALIKE_CONTRADICTION ? &snap->rows[g->rows[1]] : NULL;
}

static hm_str message_of(const hm_snapshot *snap, const hm_similar_group *g, hm_arena *scratch,
                         hm_arena *a) {
  const hm_row *first = &snap->rows[g->rows[0]], *other = other_of(snap, g, scratch);
  hm_str count = hm_str_fmt(a, "%zu memories", g->n);
  if (g->kind == HM_ALIKE_CONTRADICTION)
    return HM_CAT(a, g->n > 2 ? HM_CAT(a, count, HM_STR(" deny each other: ")) : HM_EMPTY,
                  quoted(first, a), HM_STR(" beside "), quoted(other, a));
  hm_str also = other ? HM_CAT(a, HM_STR(" and "), quoted(other, a)) : HM_EMPTY;
  return HM_CAT(a, count, HM_STR(" say the same: "), quoted(first, a), also);
}

static void add_group(const hm_scope *s, const hm_similar_group *g, hm_found *out) {
  hm_arena *a = hm_found_arena(out);
  hm_finding f = { .project = s->snap->projects[s->snap->rows[g->rows[0]].project].id,
                   .rows = hm_alloc_array(a, g->n, sizeof *f.rows),
                   .n_rows = g->n,
                   .message = message_of(s->snap, g, s->scratch, a) };
  for (size_t i = 0; i < g->n; i++) f.rows[i] = hm_row_ref(a, &s->snap->rows[g->rows[i]]);
  if (g->reason) f.reason = hm_str_c(g->reason);
  if (g->kind == HM_ALIKE_DUPLICATE) {
    f.kind = f.key = HM_STR("possible_duplicate");
    f.severity = hm_str_c(hm_severity_name(HM_SEVERITY_INFO));
    f.expected = HM_STR("one of them");
  }
  f.actual = hm_str_fmt(a, "cosine %.2f", g->cosine);
  hm_found_finding(out, f);
}

/* What a judge said of texts that the words alone do not decide. */
static void add_judged(const hm_scope *s, const hm_similar_pair *pair, hm_found *out) {
  hm_arena *a = hm_found_arena(out);
  const hm_snapshot *snap = s->snap;
  const hm_row *x = &snap->rows[pair->x], *y = &snap->rows[pair->y];
  hm_str asked = pair->by->question;
  hm_finding f = { .project = snap->projects[x->project].id,
                   .rows = hm_alloc_array(a, 2, sizeof *f.rows),
                   .n_rows = 2,
                   .reason = HM_STR("judged") };
  f.rows[0] = hm_row_ref(a, x);
  f.rows[1] = hm_row_ref(a, y);
  f.message = HM_CAT(a, quoted(x, a), HM_STR(" beside "), quoted(y, a), HM_STR(": "),
                     hm_str_sub(asked, sizeof HM_SIMILAR_QUESTION - 1, asked.n));
  f.actual = hm_str_fmt(a, "cosine %.2f; proposed by %.*s", pair->cosine,
                        HM_FMT(hm_text_cut(pair->by->model, MODEL_SHOWN)));
  hm_found_finding(out, f);
}

int hm_find_similar(const hm_scope *s, hm_found *out, hm_err *err) {
  hm_similar_question q = { s->snap, s->claims, s->config, false, s->threads };
  hm_similar_group *groups;
  hm_similar_pair *pairs;
  size_t n = hm_similar_groups_of(&q, s->rows, s->n_rows, s->scratch, &groups);
  (void)err;
  for (size_t i = 0; i < n; i++) add_group(s, &groups[i], out);
  n = s->snap->n_proposals ? hm_similar_judged(&q, s->scratch, &pairs) : 0;
  for (size_t i = 0; i < n; i++) add_judged(s, &pairs[i], out);
  return 0;
}
