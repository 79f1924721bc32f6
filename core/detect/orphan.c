/* References that lead nowhere. */
#include "core/detect/finding.h"
#include "core/detect/sweep.h"

typedef struct {
  const hm_snapshot *snap;
  hm_finding_list found;
} work;

static hm_str or_empty(hm_str s) { return s.n ? s : HM_EMPTY; }

static void report(work *w, const char *rule, hm_str project, hm_str where, hm_str what, hm_str ref,
                   const char *expected) {
  hm_arena *a = w->found.a;
  hm_str *rows = hm_alloc(a, sizeof *rows);
  rows[0] = where;
  hm_str says = HM_CAT(a, where, HM_STR(": "), what, HM_STR(" names "));
  hm_str message = ref.n ? HM_CAT(a, says, ref, HM_STR(", which is not in the store"))
                         : HM_CAT(a, says, HM_STR("nothing"));
  hm_finding_add(&w->found,
                 (hm_finding){ .kind = HM_STR("orphan"),
                               .severity = HM_STR("warn"),
                               .rule = hm_str_c(rule),
                               .project = or_empty(project),
                               .rows = rows,
                               .n_rows = 1,
                               .message = message,
                               .expected = hm_str_c(expected),
                               .actual = or_empty(ref) });
}

/* A relation without a project is shown with the row that it comes from. */
static hm_str project_of_row(const work *w, const hm_row *r) {
  hm_str own = w->snap->projects[r->project].id;
  if (r->layer != HM_RELATION || own.n) return own;
  uint32_t from = hm_snapshot_ref(w->snap, HM_ENTITY, r->from);
  return from == HM_MAP_NONE ? own : w->snap->projects[w->snap->rows[from].project].id;
}

static void report_row(work *w, const hm_row *r, const char *rule, const char *column, hm_str ref,
                       const char *expected) {
  report(w, rule, project_of_row(w, r), hm_row_ref(w->found.a, r), hm_str_c(column), ref, expected);
}

static bool known(const work *w, hm_layer layer, hm_str ref) {
  return hm_snapshot_ref(w->snap, layer, ref) != HM_MAP_NONE;
}

/* Candidates are not yet, and invalid rows no longer, anything to rely on. */
static bool stands(const hm_row *r) { return r->status != HM_CANDIDATE && r->status != HM_INVALID; }

static void look_at_row(work *w, const hm_row *r) {
  if (!stands(r)) return;
  if (r->layer == HM_RELATION && !known(w, HM_ENTITY, r->from))
    report_row(w, r, "orphan/from", "from", r->from, "a row of the store");
  if (r->layer == HM_RELATION && !known(w, HM_ENTITY, r->to))
    report_row(w, r, "orphan/to", "to", r->to, "a row of the store");
  if (r->superseded_by.n && !known(w, r->layer, r->superseded_by))
    report_row(w, r, "orphan/superseded_by", "superseded_by", r->superseded_by,
               "a row of the store");
  if (r->graduated_to.n && !known(w, HM_ENTITY, r->graduated_to))
    report_row(w, r, "orphan/graduated_to", "graduated_to", r->graduated_to,
               "an entity of the store");
}

static hm_str project_of_link(const work *w, const hm_link *l) {
  uint32_t at = hm_snapshot_ref(w->snap, HM_MEMORY, l->src);
  if (at == HM_MAP_NONE) at = hm_snapshot_ref(w->snap, HM_MEMORY, l->dst);
  return at == HM_MAP_NONE ? HM_EMPTY : w->snap->projects[w->snap->rows[at].project].id;
}

static void look_at_link(work *w, const hm_link *l) {
  hm_str name = HM_CAT(w->found.a, HM_STR("link "), or_empty(l->src), HM_STR(" "), or_empty(l->rel),
                       HM_STR(" "), or_empty(l->dst));
  if (!known(w, HM_MEMORY, l->src))
    report(w, "orphan/link_src", project_of_link(w, l), name, HM_STR("src"), l->src,
           "a row of the store");
  if (!known(w, HM_MEMORY, l->dst))
    report(w, "orphan/link_dst", project_of_link(w, l), name, HM_STR("dst"), l->dst,
           "a row of the store");
}

enum { ROWS_NAMED = 20 };

/* A project that rows name, and that two declared ones fit: it stays apart from both. */
static void look_at_project(work *w, uint32_t project) {
  const hm_project *p = &w->snap->projects[project];
  hm_arena *a = w->found.a;
  hm_str *rows = hm_alloc_array(a, ROWS_NAMED, sizeof *rows);
  size_t n = 0;
  for (size_t i = 0; i < w->snap->n_rows && n < ROWS_NAMED; i++)
    if (w->snap->rows[i].project == project) rows[n++] = hm_row_ref(a, &w->snap->rows[i]);
  hm_str message = HM_CAT(a, HM_STR("project "), p->id, HM_STR(" means "), p->fits[0],
                          HM_STR(" or "), p->fits[1], HM_STR(", so it stays apart from both"));
  hm_finding_add(&w->found,
                 (hm_finding){ .kind = HM_STR("orphan"),
                               .severity = HM_STR("warn"),
                               .rule = HM_STR("orphan/project"),
                               .project = p->id,
                               .rows = rows,
                               .n_rows = n,
                               .message = message,
                               .expected = HM_STR("the id of one project"),
                               .actual = p->id });
}

int hm_detect_orphans(const hm_snapshot *snap, hm_arena *a, hm_finding **out, size_t *n,
                      hm_err *err) {
  (void)err;
  work w = { .snap = snap, .found = { .a = a } };
  for (size_t i = 0; i < snap->n_rows; i++) look_at_row(&w, &snap->rows[i]);
  for (size_t i = 0; i < snap->n_links; i++) look_at_link(&w, &snap->links[i]);
  for (size_t i = 0; i < snap->n_projects; i++)
    if (snap->projects[i].fits[1].n) look_at_project(&w, (uint32_t)i);
  *out = w.found.v;
  *n = w.found.n;
  return 0;
}
