/* Answers about conflicts: see answer.h. Cost: the members of the conflicts. */
#include "core/sweep/answer.h"

#include "core/claim/relation.h"
#include "core/detect/conflict_story.h"
#include "core/detect/explain.h"

/* --- names in place of ids ------------------------------------------------------------------ */

hm_str hm_relation_end_name(const hm_snapshot *snap, const bool *hidden, hm_str id) {
  uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, id);
  hm_str name = row == HM_MAP_NONE || (hidden && hidden[row]) ? HM_EMPTY : snap->rows[row].name;
  return name.n ? name : id;
}

void hm_conflict_set_end_names(hm_arena *a, const hm_snapshot *snap, const bool *hidden,
                               hm_json *tree) {
  hm_map ids; /* name -> 1 + index of the first id with it; 0: several have it */
  hm_json *members = (hm_json *)hm_json_get(tree, "members");
  if (!members)
    return;
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
        if (at && !hm_str_eq(first[at - 1], value->text))
          hm_map_set(&ids, name, 0);
      } else if (at || hm_str_eq(name, value->text)) {
        value->text = name;
      } else {
        value->text = HM_CAT(a, name, HM_STR(" ("), value->text, HM_STR(")"));
      }
    }
}

/* The answer json with names in place of ids; empty: it is about no relation. Of most conflicts
 * only the key is parsed. */
static hm_str name_ends(const hm_rules *rules, const hm_snapshot *snap, hm_str slot_key,
                        hm_str json, hm_arena *a) {
  const hm_json *key = hm_json_parse_as(a, slot_key, HM_JSON_ARRAY);
  if (!key || key->count != 3)
    return HM_EMPTY;
  const hm_json *space = key->child->next;
  const hm_relation_kind *k =
      hm_relation_kind_of_space(hm_config_relation_kinds(rules), space->text);
  hm_json *tree = k ? (hm_json *)hm_json_parse_as(a, json, HM_JSON_OBJECT) : NULL;
  if (!tree)
    return HM_EMPTY;
  hm_buf shown = { 0 };
  hm_json *title = hm_alloc(a, sizeof *title);
  *title = (hm_json){ .type = HM_JSON_STRING, .key = HM_STR("title"), .next = tree->child };
  hm_str project = key->child->text.n ? key->child->text : HM_STR("global");
  title->text =
      HM_CAT(a, project, HM_STR(" / "), hm_relation_end_name(snap, NULL, space->next->text),
             hm_relation_slot_words(a, k, space->text));
  hm_conflict_set_end_names(a, snap, NULL, tree);
  tree->child = title;
  tree->count++;
  hm_json_write(&shown, tree);
  return hm_buf_take(&shown, a);
}

/* --- answers ---------------------------------------------------------------------------------- */

hm_conflict_answer hm_conflict_answer_make(const hm_sweep *w, const hm_conflict_rec *rec,
                                           const hm_rules *rules, hm_arena *a) {
  hm_buf b = { 0 };
  bool open = rec->status == HM_OPEN;
  hm_conflict_json(&b, w, rec, NULL, true, a);
  hm_conflict_answer x = { .id = rec->id,
                           .slot_key = rec->slot_key,
                           .rule = hm_conflict_rule(rec),
                           .project = rec->project,
                           .disputed = open && hm_plan_dispute(w->plan, rec),
                           .settled = open && hm_conflict_find_settling_claim(w, rec, a),
                           .json = hm_buf_take(&b, a),
                           .shown = HM_EMPTY };
  x.shown = name_ends(rules, w->snap, x.slot_key, x.json, a);
  return x;
}

int hm_answers_record(hm_store *s, const hm_sweep *w, const hm_rules *rules, hm_str decided,
                      bool without_sql, hm_arena *a, hm_err *err) {
  const hm_plan *p = w->plan;
  hm_swept holds;
  if (hm_swept_read(s, decided, &holds, err) || holds == HM_SWEPT_WHOLE)
    return holds == HM_SWEPT_WHOLE ? 0 : -1;
  hm_arena *tmp = hm_arena_new();
  hm_str *ids = hm_alloc_array(a, p->n_conflicts, sizeof *ids);
  int rc = 0;
  for (size_t i = 0; i < p->n_conflicts && !rc; i++) {
    hm_conflict_answer x = hm_conflict_answer_make(w, &p->conflicts[i], rules, tmp);
    ids[i] = x.id;
    rc = hm_answers_put(s, &x, 1, err);
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
  if (rc || hm_answers_remove_others(s, ids, p->n_conflicts, err))
    return -1;
  hm_str told;
  if (without_sql && hm_sql_any_rule_on(rules->sql))
    return hm_swept_put_pending(s, err);
  return hm_sweep_counts(s, w, a, &told, err) || hm_swept_put(s, decided, w->snap, told, err) ? -1
                                                                                              : 0;
}

static bool is_behind(const hm_conflict_place *place, const hm_conflict_rec *c) {
  int order = hm_str_cmp(c->slot_key, place->slot_key);
  return order > 0 || (!order && hm_str_cmp(c->id, place->id) > 0);
}

int hm_answers_visit(const hm_answer_source *from, const hm_verdict *status, const hm_str *project,
                     hm_answer_visit *visit, void *ctx, hm_err *err) {
  const hm_sweep *w = from->sweep;
  if (!w)
    return hm_answers_each(from->s, status, project, &from->behind, visit, ctx, err);
  hm_arena *a = hm_arena_new();
  int rc = 0;
  for (size_t i = 0; i < w->plan->n_conflicts && !rc; i++) {
    const hm_conflict_rec *c = &w->plan->conflicts[i];
    if ((status && c->status != *status) || (project && !hm_str_eq(c->project, *project)) ||
        hm_plan_opens_conflict(w->plan, c->id) || !is_behind(&from->behind, c))
      continue;
    hm_conflict_answer x = hm_conflict_answer_make(w, c, from->rules, a);
    rc = visit(ctx, &x, err);
    hm_arena_reset(a);
  }
  hm_arena_free(a);
  return rc;
}

int hm_answers_count_open(const hm_answer_source *from, hm_arena *a, size_t *disputed,
                          hm_str **settled, size_t *n_settled, hm_err *err) {
  const hm_sweep *w = from->sweep;
  if (!w)
    return hm_answers_count_disputed(from->s, disputed, err) ||
            hm_answers_settled(from->s, a, settled, n_settled, err)
        ? -1
        : 0;
  *disputed = *n_settled = 0;
  *settled = hm_alloc_array(a, w->plan->n_conflicts + 1, sizeof **settled);
  hm_arena *tmp = hm_arena_new();
  for (size_t i = 0; i < w->plan->n_conflicts; i++) {
    const hm_conflict_rec *c = &w->plan->conflicts[i];
    if (c->status != HM_OPEN || hm_plan_opens_conflict(w->plan, c->id))
      continue;
    *disputed += hm_plan_dispute(w->plan, c) != NULL;
    if (hm_conflict_find_settling_claim(w, c, tmp))
      (*settled)[(*n_settled)++] = c->id;
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
  return 0;
}

int hm_answers_find(const hm_answer_source *from, hm_str prefix, size_t max, hm_arena *a,
                    hm_conflict_answer **out, size_t *n, hm_err *err) {
  const hm_sweep *w = from->sweep;
  if (!w)
    return hm_answers_starting(from->s, prefix, max, a, out, n, err);
  *n = 0;
  *out = hm_alloc_array(a, max, sizeof **out);
  for (size_t i = 0; i < w->plan->n_conflicts && *n < max; i++)
    if (hm_str_eq(hm_str_sub(w->plan->conflicts[i].id, 0, prefix.n), prefix))
      (*out)[(*n)++] = hm_conflict_answer_make(w, &w->plan->conflicts[i], from->rules, a);
  return 0;
}

int hm_answers_counts(const hm_answer_source *from, hm_arena *a, const hm_json **out, hm_err *err) {
  hm_str told = HM_EMPTY;
  if (from->sweep ? hm_sweep_counts(from->s, from->sweep, a, &told, err)
                  : hm_swept_told(from->s, a, &told, err))
    return -1;
  *out = hm_json_parse_as(a, told, HM_JSON_OBJECT);
  return *out ? 0
              : hm_fail(err, HM_E_STORE, "the store", "what its last sweep counted is damaged",
                        "run 'hmirror sweep'");
}

int hm_answers_findings(const hm_answer_source *from, hm_arena *a, const hm_finding **out,
                        size_t *n, hm_err *err) {
  hm_finding *recorded;
  if (!from->sweep) {
    if (hm_store_findings(from->s, a, &recorded, n, err))
      return -1;
    *out = recorded;
    return 0;
  }
  *out = from->sweep->findings;
  *n = from->sweep->n_findings;
  return 0;
}

int hm_answers_count_findings(const hm_answer_source *from, size_t *n, size_t *reported,
                              hm_err *err) {
  const hm_sweep *w = from->sweep;
  *n = *reported = 0;
  if (!w)
    return hm_store_count_findings(from->s, HM_RULE_REPORTED, n, reported, err);
  for (size_t i = 0; i < w->n_findings; i++) {
    bool open = !w->findings[i].acked;
    *n += open;
    *reported += open && hm_str_is(w->findings[i].rule, HM_RULE_REPORTED);
  }
  return 0;
}

bool hm_conflict_answer_has_source(const hm_json *conflict, const hm_map *refs, hm_arena *tmp) {
  const hm_json *m = hm_json_get_items(conflict, "members");
  while (m &&
         hm_map_get(refs,
                    HM_CAT(tmp, hm_json_get_text(m, "member_kind"), HM_STR(":"),
                           hm_json_get_text(m, "member_id"))) == HM_MAP_NONE)
    m = m->next;
  return m != NULL;
}

hm_str hm_answers_title(hm_store *s, hm_str id, hm_str slot_key, hm_arena *a) {
  hm_conflict_answer *v;
  size_t n;
  hm_err unheard = { 0 };
  hm_str title = HM_EMPTY;
  if (!hm_answers_starting(s, id, 1, a, &v, &n, &unheard) && n) {
    const hm_json *tree = hm_json_parse_as(a, v->shown.n ? v->shown : v->json, HM_JSON_OBJECT);
    title = tree ? hm_json_get_text(tree, "title") : HM_EMPTY;
  }
  return title.n ? title : hm_slot_title(a, slot_key, HM_EMPTY);
}
