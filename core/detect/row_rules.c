/* References that lead nowhere, and what else is wrong with single rows.
 *
 * A row that stands (no candidate, not invalid) names others in its columns; each that is not in
 * the store is an orphan. A relation without a project is shown with the row that it comes from. A
 * project name that fits two declared projects belongs to neither. Cost: one lookup a reference. */
#include "core/detect/rule.h"

enum { ROWS_NAMED = 20 };

static hm_str text_of(hm_str s) { return s.n ? s : HM_EMPTY; }

/* Of the row's own project, of a relation that has none that of the row it comes from; of a link
 * that of its source, else of its destination. */
int hm_find_dangling(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  const hm_link *l = s->link;
  const hm_row *r = l ? NULL : &s->snap->rows[s->rows[0]];
  hm_arena *a = hm_found_arena(out);
  if (r && (r->status == HM_CANDIDATE || r->status == HM_INVALID)) return 0;
  hm_str project = r ? s->snap->projects[r->project].id : HM_EMPTY;
  for (size_t i = 0; i < s->n_cards && !project.n; i++)
    if (s->cards[i].to != HM_MAP_NONE && (l || s->cards[i].column == HM_COL_FROM))
      project = s->snap->projects[s->cards[i].project].id;
  for (size_t i = 0; i < s->n_cards; i++) {
    const hm_ref_card *c = &s->cards[i];
    if (c->column != s->rule->about || c->to != HM_MAP_NONE) continue;
    hm_str where = r ? hm_row_ref(a, r)
                     : HM_CAT(a, HM_STR("link "), text_of(l->src), HM_STR(" "), text_of(l->rel),
                              HM_STR(" "), text_of(l->dst));
    hm_str says = HM_CAT(a, where, HM_STR(": "), hm_column_name(c->column), HM_STR(" names "));
    hm_finding f = { .project = project, .rows = hm_alloc(a, sizeof *f.rows), .n_rows = 1,
                     .actual = c->ref };
    f.rows[0] = where;
    f.message = c->ref.n ? HM_CAT(a, says, c->ref, HM_STR(", which is not in the store"))
                         : HM_CAT(a, says, HM_STR("nothing"));
    hm_found_finding(out, f);
  }
  return 0;
}

int hm_find_unclear_projects(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  hm_arena *a = hm_found_arena(out);
  for (uint32_t i = 0; i < s->snap->n_projects; i++) {
    const hm_project *p = &s->snap->projects[i];
    if (!p->fits[1].n) continue;
    hm_str *rows = hm_alloc_array(a, ROWS_NAMED, sizeof *rows);
    size_t n = 0;
    for (size_t k = 0; k < s->n_rows && n < ROWS_NAMED; k++)
      if (s->snap->rows[s->rows[k]].project == i)
        rows[n++] = hm_row_ref(a, &s->snap->rows[s->rows[k]]);
    hm_str message = HM_CAT(a, HM_STR("project "), p->id, HM_STR(" means "), p->fits[0],
                            HM_STR(" or "), p->fits[1], HM_STR(", so it stays apart from both"));
    hm_found_finding(
        out,
        (hm_finding){
            .project = p->id, .rows = rows, .n_rows = n, .message = message, .actual = p->id });
  }
  return 0;
}

/* The reading of claims has found it already. */
int hm_find_unread(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  hm_found_finding(out, *s->unread);
  return 0;
}
