/* References that lead nowhere, and what else is wrong with one row.
 *
 * A row that stands (no candidate, not invalid) names others in its columns; each that is not in
 * the store is an orphan. A relation without a project is shown with the row that it comes from. A
 * name for a project that fits two declared ones stays apart from both. Cost: one lookup a
 * reference. */
#include "core/detect/rules_shipped.h"

static void report_orphan(hm_found *out, hm_str project, hm_str where, const char *column,
                          hm_str ref) {
  hm_arena *a = hm_found_arena(out);
  hm_str *rows = hm_alloc(a, sizeof *rows);
  rows[0] = where;
  hm_str says = HM_CAT(a, where, HM_STR(": "), hm_str_c(column), HM_STR(" names "));
  hm_str message = ref.n ? HM_CAT(a, says, ref, HM_STR(", which is not in the store"))
                         : HM_CAT(a, says, HM_STR("nothing"));
  hm_found_finding(
      out, (hm_finding){
               .project = project, .rows = rows, .n_rows = 1, .message = message, .actual = ref });
}

/* The row's own project; of a relation that has none, that of the row it comes from. */
static hm_str project_of(const hm_scope *s) {
  const hm_row *r = &s->snap->rows[s->rows[0]];
  uint32_t project = r->project;
  for (size_t i = 0; i < s->n_cards && !s->snap->projects[r->project].id.n; i++)
    if (s->cards[i].column == HM_COL_FROM && s->cards[i].to != HM_MAP_NONE)
      project = s->cards[i].project;
  return s->snap->projects[project].id;
}

static int find_dangling(const hm_scope *s, hm_found *out, uint32_t column, const char *name) {
  const hm_row *r = &s->snap->rows[s->rows[0]];
  if (r->status == HM_CANDIDATE || r->status == HM_INVALID) return 0;
  for (size_t i = 0; i < s->n_cards; i++)
    if (s->cards[i].column == column && s->cards[i].to == HM_MAP_NONE)
      report_orphan(out, project_of(s), hm_row_ref(hm_found_arena(out), r), name, s->cards[i].ref);
  return 0;
}

int hm_find_dangling_from(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  return find_dangling(s, out, HM_COL_FROM, "from");
}

int hm_find_dangling_to(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  return find_dangling(s, out, HM_COL_TO, "to");
}

int hm_find_dangling_successor(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  return find_dangling(s, out, HM_COL_SUPERSEDED_BY, "superseded_by");
}

int hm_find_dangling_graduate(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  return find_dangling(s, out, HM_COL_GRADUATED_TO, "graduated_to");
}

/* Of the project of its source, else of its destination. */
static int find_dangling_end(const hm_scope *s, hm_found *out, int end, const char *name) {
  const hm_link *l = s->link;
  if (s->cards[end].to != HM_MAP_NONE) return 0;
  hm_str project = s->cards[!end].to != HM_MAP_NONE ? s->snap->projects[s->cards[!end].project].id
                                                    : HM_EMPTY;
  hm_str where = HM_CAT(hm_found_arena(out), HM_STR("link "), l->src.n ? l->src : HM_EMPTY,
                        HM_STR(" "), l->rel.n ? l->rel : HM_EMPTY, HM_STR(" "),
                        l->dst.n ? l->dst : HM_EMPTY);
  report_orphan(out, project, where, name, s->cards[end].ref);
  return 0;
}

int hm_find_dangling_source(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  return find_dangling_end(s, out, 0, "src");
}

int hm_find_dangling_destination(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  return find_dangling_end(s, out, 1, "dst");
}

enum { ROWS_NAMED = 20 };

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
        out, (hm_finding){
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
