/* All checks of a site: check.h. Open conflicts and findings are here; links are check_links.c,
 * leaks check_leaks.c, and their places on pages locations.c.
 *
 * Reads conflicts from the site's own conflicts.json, so that nothing withheld can get into a
 * report. */
#include "gen/check/check.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "gen/check/check_impl.h"
#include "core/markdown/escape.h"
#include "gen/site/manifest.h"

/* --- conflicts as JSON ----------------------------------------------------------------------- */

enum { SHOWN_VALUES = 4 };

/* Of a conflict as it is published, bits; 0: it is settled. */
enum { WAS_OPEN = 1, WAS_DISPUTED = 2 };

static uint32_t recorded_state(const hm_json *c) {
  if (!hm_str_is(hm_json_get_text(c, "status"), "open"))
    return 0;
  return WAS_OPEN | (hm_json_get_true(c, "disputed") ? WAS_DISPUTED : 0);
}

/* id -> bits, in a. Bytes that are no conflicts.json (edited by hand) give none; returns whether
 * they are one. */
static bool parse_recorded(hm_str json, hm_map *out, hm_arena *a) {
  const hm_json *list = hm_json_get(hm_json_parse_as(a, json, HM_JSON_OBJECT), "conflicts");
  hm_map_init(out, a, 64);
  if (!list || list->type != HM_JSON_ARRAY)
    return false;
  for (const hm_json *c = list->child; c; c = c->next) {
    hm_str id = hm_json_get_text(c, "id");
    if (id.n)
      hm_map_set(out, id, recorded_state(c));
  }
  return true;
}

hm_str hm_conflict_format_values(hm_arena *a, const hm_json *conflict, size_t max) {
  const hm_json *members = hm_json_get(conflict, "members");
  hm_str seen[SHOWN_VALUES];
  size_t n = 0;
  bool more = false;
  for (const hm_json *m = members ? members->child : NULL; m && !more; m = m->next) {
    const hm_json *value = hm_json_get(m, "value");
    bool has_text = value && (value->type == HM_JSON_STRING || value->type == HM_JSON_NUMBER);
    hm_str v = has_text ? value->text : HM_EMPTY;
    size_t i = 0;
    while (i < n && !hm_str_eq(seen[i], v))
      i++;
    if (i < n)
      continue;
    if (n == SHOWN_VALUES)
      more = true;
    else
      seen[n++] = v;
  }
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++) {
    if (i)
      hm_buf_c(&b, " | ");
    hm_str cut = hm_text_cut(seen[i], max);
    hm_buf_str(&b, cut);
    if (cut.n < seen[i].n)
      hm_buf_c(&b, "…");
  }
  if (more)
    hm_buf_c(&b, " | …");
  return hm_buf_take(&b, a);
}

/* --- open conflicts ------------------------------------------------------------------ */

enum { VALUE_MAX = 80, TITLE_MAX = 300 };

typedef struct {
  const hm_check_input *in;
  hm_locations *locations;
  hm_map baseline;
  hm_report *r;
  hm_report_list *l;
} listing;

/* Rows of the members, flagged ones first: readers must check these. */
static size_t rows_of(const listing *x, const hm_json *c, uint32_t **rows) {
  const hm_snapshot *snap = hm_view_sweep(x->in->view)->snap;
  const hm_json *members = hm_json_get(c, "members");
  size_t n = 0;
  *rows = hm_alloc_array(x->l->a, members ? members->count + 1 : 1, sizeof **rows);
  for (int flagged = 1; flagged >= 0; flagged--)
    for (const hm_json *m = members ? members->child : NULL; m; m = m->next) {
      hm_layer layer;
      if (hm_json_get_true(m, "flagged") != flagged ||
          !hm_layer_parse(hm_json_get_text(m, "member_kind"), &layer))
        continue;
      uint32_t row = hm_snapshot_row(snap, layer, hm_json_get_text(m, "member_id"));
      if (row != HM_MAP_NONE)
        (*rows)[n++] = row;
    }
  return n;
}

/* Masks a secret that is in dispute: a report may be sent to more people than the mirror. */
static void mask_secrets(const hm_json *c, hm_arena *a) {
  const hm_json *key = hm_json_get_items(c, "slot_key");
  hm_str name = HM_EMPTY;
  for (; key; key = key->next)
    name = key->text;
  for (const hm_json *m = hm_json_get_items(c, "members"); m; m = m->next) {
    hm_json *value = (hm_json *)(uintptr_t)hm_json_get(m, "value");
    hm_credential found;
    if (value && hm_credential_find(name, value->text, &found))
      value->text = hm_credential_mask(&found, a);
  }
}

static void add_conflict(listing *x, uint32_t i, const hm_conflict_rec *rec, const hm_json *c) {
  hm_arena *a = x->l->a;
  uint32_t now = recorded_state(c), was = hm_map_get(&x->baseline, rec->id), *rows;
  if (!(now & WAS_OPEN))
    return;
  bool disputed = now & WAS_DISPUTED,
       known = was != HM_MAP_NONE && (was & WAS_OPEN) && (was & WAS_DISPUTED);
  bool fresh = x->in->compare && disputed && !known;
  size_t n = rows_of(x, c, &rows);
  mask_secrets(c, a);
  hm_location location = hm_locate_conflict(x->locations, i, rows, n);
  hm_report_add(
      x->l,
      (hm_report_item){
          .rule = disputed ? HM_R_DISPUTED : HM_R_SIGNOFF,
          .fresh = fresh,
          .fails = x->in->fail_on == HM_FAIL_ON_OPEN || (x->in->fail_on == HM_FAIL_ON_NEW && fresh),
          .path = location.path,
          .line = location.line,
          .id = hm_clean_text(a, rec->id),
          .project = hm_clean_text(a, hm_json_get_text(c, "project")),
          .subject = hm_shorten(a, hm_conflict_title(x->in->view, rec, a), TITLE_MAX),
          .detail = hm_clean_text(a, hm_conflict_format_values(a, c, VALUE_MAX)),
          .see = hm_locate_page(x->locations, hm_view_conflict_path(x->in->view, rec, a)).path });
  x->r->fresh += fresh;
}

/* The file has every published conflict, in the view's order or part by part. */
static int check_conflicts(const hm_check_input *in, hm_locations *locations, hm_report *r,
                           hm_report_list *l, hm_err *err) {
  listing x = { .in = in, .locations = locations, .r = r, .l = l };
  const hm_str path = HM_STR("conflicts.json");
  const hm_file *f = hm_site_file(in->site, path);
  hm_json *tree = NULL;
  hm_str json;
  hm_map at;
  size_t n;
  if (!parse_recorded(in->baseline_conflicts, &x.baseline, l->a) && in->compare)
    return hm_fail(err, HM_E_INPUT, "conflicts.json", "it is no list of conflicts", NULL);
  const hm_conflict_rec **recs = hm_view_conflicts(in->view, &n);
  if (!f ||
      hm_parts_join(path, f->bytes, hm_site_read_file, (void *)(uintptr_t)in->site, HM_BUF_MAX,
                    l->a, &json, err) != 0 ||
      hm_json_parse(l->a, json, &tree, err) != 0)
    return hm_fail(err, HM_E_INTERNAL, "conflicts.json", "it cannot be read", NULL);
  const hm_json *list = hm_json_get(tree, "conflicts");
  const hm_json **entry = hm_alloc_array(l->a, n, sizeof *entry);
  hm_map_init(&at, l->a, n);
  for (size_t i = 0; i < n; i++)
    hm_map_add(&at, recs[i]->id, (uint32_t)i);
  for (const hm_json *c = list ? list->child : NULL; c; c = c->next) {
    uint32_t i = hm_map_get(&at, hm_json_get_text(c, "id"));
    if (i != HM_MAP_NONE)
      entry[i] = c;
  }
  for (size_t i = 0; i < n; i++)
    if (entry[i])
      add_conflict(&x, (uint32_t)i, recs[i], entry[i]);
  return 0;
}

/* --- findings ------------------------------------------------------------------------ */

enum { ROW_MAX = 120, MESSAGE_MAX = 300 };

static hm_report_rule_id rule_of(hm_str kind) {
  static const struct {
    const char *kind;
    hm_report_rule_id rule;
  } kinds[] = { { "anachronism", HM_R_ANACHRONISM },
                { "ontology_violation", HM_R_ONTOLOGY },
                { "orphan", HM_R_ORPHAN },
                { "stale", HM_R_STALE } };
  for (size_t i = 0; i < HM_COUNT(kinds); i++)
    if (hm_str_is(kind, kinds[i].kind))
      return kinds[i].rule;
  return HM_R_FINDING;
}

/* The project's overview, for a finding whose rows no page lists. */
static hm_location location_of(const hm_check_input *in, hm_locations *locations,
                               const hm_finding *f) {
  const hm_snapshot *snap = hm_view_sweep(in->view)->snap;
  for (size_t i = 0; i < f->n_rows; i++) {
    uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, f->rows[i]);
    hm_location s =
        row == HM_MAP_NONE ? (hm_location){ HM_EMPTY, 0 } : hm_locate_row(locations, row);
    if (s.path.n)
      return s;
  }
  return hm_locate_project(locations, f->project);
}

/* Splits a finding into subject and detail. A message often begins with the row, also as "entity:e1
 * (Name)"; this removes the repetition. */
static hm_str subject_of(const hm_finding *f, hm_str *detail) {
  hm_str m = f->message, row = f->n_rows ? f->rows[0] : HM_EMPTY;
  bool begins = row.n && m.n > row.n && memcmp(m.p, row.p, row.n) == 0 &&
      (m.p[row.n] == ':' || hm_str_starts(hm_str_sub(m, row.n, m.n), " ("));
  ptrdiff_t colon = begins ? hm_str_find(hm_str_sub(m, row.n, m.n), ": ") : -1;
  *detail = m;
  if (colon < 0)
    return row.n ? row : f->kind;
  *detail = hm_str_sub(m, row.n + (size_t)colon + 2, m.n);
  return hm_str_sub(m, 0, row.n + (size_t)colon);
}

static void check_findings(const hm_check_input *in, hm_locations *locations, hm_report *r,
                           hm_report_list *l) {
  size_t n, listed[HM_N_REPORT_RULES] = { 0 };
  hm_arena *a = l->a;
  const hm_finding **all = hm_view_findings(in->view, &n);
  for (size_t i = 0; i < n; i++) {
    const hm_finding *f = all[i];
    hm_report_rule_id rule = rule_of(f->kind);
    r->found[rule]++;
    if (listed[rule]++ >= HM_CHECK_FINDINGS)
      continue;
    hm_location location = location_of(in, locations, f);
    hm_str detail, subject = subject_of(f, &detail);
    hm_report_add(l,
                  (hm_report_item){ .rule = rule,
                                    .path = location.path,
                                    .line = location.line,
                                    .id = hm_clean_text(a, f->id),
                                    .project = hm_clean_text(a, f->project),
                                    .see = HM_EMPTY,
                                    .subject = hm_shorten(a, subject, ROW_MAX),
                                    .detail = hm_shorten(a, detail, MESSAGE_MAX) });
  }
}

/* --- live secrets ---------------------------------------------------------------------- */

static hm_location secret_location(const hm_check_input *in, hm_locations *locations,
                                   const hm_live_secret *s, hm_arena *a) {
  uint32_t row = hm_snapshot_ref(hm_view_sweep(in->view)->snap, HM_ENTITY, s->ref);
  const hm_snapshot *snap = hm_view_sweep(in->view)->snap;
  if (row == HM_MAP_NONE)
    return (hm_location){ hm_view_project_path(in->view, hm_str_sub(s->ref, 8, s->ref.n), a), 0 };
  hm_location l = hm_locate_row(locations, row);
  return l.path.n ? l : hm_locate_project(locations, snap->projects[snap->rows[row].project].id);
}

static int check_secrets(const hm_check_input *in, hm_locations *locations, hm_report *r,
                         hm_report_list *l, hm_err *err) {
  const hm_snapshot *snap = hm_view_sweep(in->view)->snap;
  hm_live_secrets all;
  hm_arena *a = l->a;
  if (hm_live_secrets_find(in->view, in->store, a, &all, err))
    return -1;
  r->found[HM_R_SECRET] = all.n;
  for (size_t i = 0; i < all.n && i < HM_CHECK_FINDINGS; i++) {
    const hm_live_secret *s = &all.v[i];
    uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, s->ref);
    hm_location location = secret_location(in, locations, s, a);
    hm_report_add(
        l,
        (hm_report_item){
            .rule = HM_R_SECRET,
            .path = location.path,
            .line = location.line,
            .id = hm_report_make_item_id(
                a, (const hm_str[]){ HM_STR("live-secret"), s->ref, s->field, { NULL, 0 } }),
            .project = row == HM_MAP_NONE
                ? HM_EMPTY
                : hm_clean_text(a, snap->projects[snap->rows[row].project].id),
            .see = HM_EMPTY,
            .subject = hm_str_fmt(a, "%.*s: %.*s", HM_FMT(hm_shorten(a, s->ref, ROW_MAX)),
                                  HM_FMT(hm_shorten(a, s->field, ROW_MAX))),
            .detail = hm_clean_text(a, hm_live_secret_detail(s, a)) });
  }
  return 0;
}

/* --- all checks ---------------------------------------------------------------------- */

int hm_check_run(const hm_check_input *in, hm_arena *a, hm_report **out, hm_err *err) {
  hm_report *r = hm_alloc(a, sizeof *r);
  hm_report_list l = { .a = a };
  *r = (hm_report){ .compared = in->compare, .baseline = in->baseline };
  hm_locations *locations = hm_find_locations(in->site, in->view, in->threads, a);
  if (check_conflicts(in, locations, r, &l, err) != 0)
    return -1;
  check_findings(in, locations, r, &l);
  if (check_secrets(in, locations, r, &l, err) != 0)
    return -1;
  if (hm_check_links(in, r, &l, err) != 0)
    return -1;
  hm_check_leaks(in, r, &l);
  hm_report_finish(r, &l);
  *out = r;
  return 0;
}
