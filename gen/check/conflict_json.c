/* Conflicts as they stand in a conflicts.json: a map from id to bits, values, names of ends. */
#include "gen/check/check.h"


#include "core/base/text.h"

enum { SHOWN_VALUES = 4 };

/* The bits of a conflict that is published like this. */
static uint32_t recorded_as(hm_verdict status, bool disputed) {
  if (status != HM_OPEN) return HM_WAS_SETTLED;
  return HM_WAS_OPEN | (disputed ? HM_WAS_DISPUTED : 0);
}

uint32_t hm_recorded_conflict_state(const hm_json *c) {
  bool is_open = hm_str_is(hm_json_get_text(c, "status"), "open");
  return recorded_as(is_open ? HM_OPEN : HM_RESOLVED, hm_json_get_true(c, "disputed"));
}

bool hm_recorded_conflicts_parse(hm_str json, hm_map *out, hm_arena *a) {
  hm_json *tree;
  hm_err unreadable;
  hm_map_init(out, a, 64);
  if (!json.n || hm_json_parse(a, json, &tree, &unreadable)) return false;
  const hm_json *list = hm_json_get(tree, "conflicts");
  if (!list || list->type != HM_JSON_ARRAY) return false;
  for (const hm_json *c = list->child; c; c = c->next) {
    hm_str id = hm_json_get_text(c, "id");
    if (id.n) hm_map_set(out, id, hm_recorded_conflict_state(c));
  }
  return true;
}

static hm_str text_of(const hm_json *v) {
  return v && (v->type == HM_JSON_STRING || v->type == HM_JSON_NUMBER) ? v->text : HM_EMPTY;
}

hm_str hm_relation_end_name(const hm_snapshot *snap, const bool *hidden, hm_str id) {
  uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, id);
  hm_str name = row == HM_MAP_NONE || (hidden && hidden[row]) ? HM_EMPTY : snap->rows[row].name;
  return name.n ? name : id;
}

void hm_conflict_set_end_names(hm_arena *a, const hm_snapshot *snap, const bool *hidden,
                           hm_json *tree) {
  hm_map ids; /* name -> 1 + index of the first id with it; 0: several have it */
  hm_json *members = (hm_json *)hm_json_get(tree, "members");
  if (!members) return;
  hm_str *first = hm_alloc_array(a, members->count + 1, sizeof *first);
  hm_map_init(&ids, a, members->count);
  for (int pass = 0; pass < 2; pass++)
    for (hm_json *m = members->child; m; m = m->next) {
      hm_json *value = (hm_json *)hm_json_get(m, "value");
      hm_str field = hm_json_get_text(m, "field");
      if (!value || !hm_str_is(hm_json_get_text(m, "member_kind"), "relation") ||
          (!hm_str_is(field, "from") && !hm_str_is(field, "to")))
        continue;
      hm_str name = hm_relation_end_name(snap, hidden, value->text);
      uint32_t next = (uint32_t)ids.n + 1, at = pass ? hm_map_get(&ids, name) : 0;
      if (!pass && hm_map_get(&ids, name) == HM_MAP_NONE) {
        hm_map_set(&ids, name, next);
        first[next - 1] = value->text;
      } else if (!pass) {
        at = hm_map_get(&ids, name);
        if (at && !hm_str_eq(first[at - 1], value->text)) hm_map_set(&ids, name, 0);
      } else if (at || hm_str_eq(name, value->text)) {
        value->text = name;
      } else {
        value->text = HM_CAT(a, name, HM_STR(" ("), value->text, HM_STR(")"));
      }
    }
}

hm_str hm_conflict_format_values(hm_arena *a, const hm_json *conflict, size_t max) {
  const hm_json *members = hm_json_get(conflict, "members");
  hm_str seen[SHOWN_VALUES];
  size_t n = 0;
  bool more = false;
  for (const hm_json *m = members ? members->child : NULL; m && !more; m = m->next) {
    hm_str v = text_of(hm_json_get(m, "value"));
    size_t i = 0;
    while (i < n && !hm_str_eq(seen[i], v)) i++;
    if (i < n) continue;
    if (n == SHOWN_VALUES) more = true;
    else seen[n++] = v;
  }
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++) {
    if (i) hm_buf_c(&b, " | ");
    hm_str cut = hm_text_cut(seen[i], max);
    hm_buf_str(&b, cut);
    if (cut.n < seen[i].n) hm_buf_c(&b, "…");
  }
  if (more) hm_buf_c(&b, " | …");
  return hm_buf_take(&b, a);
}
