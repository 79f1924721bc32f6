/* Open conflicts, as the site's own conflicts.json tells them: so nothing that is withheld can get
 * into a report. */
#include "core/base/json.h"
#include "gen/check/check_impl.h"
#include "gen/check/recorded.h"
#include "gen/render/escape.h"
#include "gen/site/parts.h"

enum { VALUE_MAX = 80, TITLE_MAX = 300 };

typedef struct {
  const hm_check_input *in;
  hm_spots *spots;
  hm_map baseline;
  hm_report *r;
  hm_report_list *l;
} listing;

static hm_str text_of(const hm_json *o, const char *key) {
  const hm_json *v = hm_json_get(o, key);
  return v && v->type == HM_JSON_STRING ? v->text : HM_EMPTY;
}

static bool is_flagged(const hm_json *m) {
  const hm_json *v = hm_json_get(m, "flagged");
  return v && v->type == HM_JSON_TRUE;
}

/* Rows of the members, flagged ones first: there is what somebody has to look at. */
static size_t rows_of(const listing *x, const hm_json *c, uint32_t **rows) {
  const hm_snapshot *snap = hm_view_sweep(x->in->view)->snap;
  const hm_json *members = hm_json_get(c, "members");
  size_t n = 0;
  *rows = hm_alloc_array(x->l->a, members ? members->count + 1 : 1, sizeof **rows);
  for (int flagged = 1; flagged >= 0; flagged--)
    for (const hm_json *m = members ? members->child : NULL; m; m = m->next) {
      hm_layer layer;
      if (is_flagged(m) != flagged || !hm_layer_of(text_of(m, "member_kind"), &layer)) continue;
      uint32_t row = hm_snapshot_row(snap, layer, text_of(m, "member_id"));
      if (row != HM_MAP_NONE) (*rows)[n++] = row;
    }
  return n;
}

static bool fails(const listing *x, bool fresh) {
  return x->in->fail_on == HM_FAIL_ON_OPEN || (x->in->fail_on == HM_FAIL_ON_NEW && fresh);
}

static void add(listing *x, uint32_t i, const hm_conflict_rec *rec, const hm_json *c) {
  hm_arena *a = x->l->a;
  uint32_t now = hm_recorded_state(c), was = hm_map_get(&x->baseline, rec->id), *rows;
  if (!(now & HM_WAS_OPEN)) return;
  bool disputed = now & HM_WAS_DISPUTED,
       known = was != HM_MAP_NONE && (was & HM_WAS_OPEN) && (was & HM_WAS_DISPUTED);
  bool fresh = x->in->compare && disputed && !known;
  size_t n = rows_of(x, c, &rows);
  hm_spot spot = hm_spot_conflict(x->spots, i, rows, n);
  hm_report_add(
      x->l,
      (hm_report_item){
          .rule = disputed ? HM_R_DISPUTED : HM_R_SIGNOFF,
          .fresh = fresh,
          .fails = fails(x, fresh),
          .path = spot.path,
          .line = spot.line,
          .id = hm_clean(a, rec->id),
          .project = hm_clean(a, text_of(c, "project")),
          .subject = hm_short(a, hm_conflict_title(x->in->view, rec, a), TITLE_MAX),
          .detail = hm_clean(a, hm_conflict_values(a, c, VALUE_MAX)),
          .see = hm_spot_page(x->spots, hm_view_conflict_path(x->in->view, rec, a)).path });
  x->r->fresh += fresh;
}

/* The file has every published conflict, in the view's order or part by part. */
int hm_check_conflicts_open(const hm_check_input *in, hm_spots *spots, hm_report *r,
                            hm_report_list *l, hm_err *err) {
  listing x = { .in = in, .spots = spots, .r = r, .l = l };
  static const hm_str path = { "conflicts.json", sizeof "conflicts.json" - 1 };
  const hm_file *f = hm_site_file(in->site, path);
  hm_json *tree = NULL;
  hm_str json;
  hm_map at;
  size_t n;
  if (!hm_recorded_read(in->baseline_conflicts, &x.baseline, l->a) && in->compare)
    return hm_fail(err, HM_E_INPUT, "conflicts.json", "it is no list of conflicts", NULL);
  const hm_conflict_rec **recs = hm_view_conflicts(in->view, &n);
  if (!f ||
      hm_parts_join(path, f->bytes, hm_site_read_part, (void *)(uintptr_t)in->site, HM_BUF_MAX,
                    l->a, &json, err) != 0 ||
      hm_json_parse(l->a, json, &tree, err) != 0)
    return hm_fail(err, HM_E_INTERNAL, "conflicts.json", "it cannot be read", NULL);
  const hm_json *list = hm_json_get(tree, "conflicts");
  const hm_json **told = hm_alloc_array(l->a, n, sizeof *told);
  hm_map_init(&at, l->a, n);
  for (size_t i = 0; i < n; i++) hm_map_add(&at, recs[i]->id, (uint32_t)i);
  for (const hm_json *c = list ? list->child : NULL; c; c = c->next) {
    uint32_t i = hm_map_get(&at, text_of(c, "id"));
    if (i != HM_MAP_NONE) told[i] = c;
  }
  for (size_t i = 0; i < n; i++)
    if (told[i]) add(&x, (uint32_t)i, recs[i], told[i]);
  return 0;
}
