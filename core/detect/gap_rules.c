/* What nobody knows yet: a person without parents, an event without a place.
 *
 * A gap is a row of a table: rows of which type, the relations and properties that answer, and
 * what is not known where none does. Only active rows are asked for, and only active relations and
 * values that are not silence ("unknown", "?") answer; where an answer leads out of the store, it
 * counts. A location that is part of a place in a region lies in that region. An event with a date
 * has no gap where its project names no eras, or its world has a calendar that knows the era.
 * Gaps of worlds are told where the row's project is a world (rule_ties.c) or its calendar stands
 * in world.yml; gaps of engineering where the project uses such relations.
 * Cost: the relations of a row, and its properties.
 * Source: lore consistency engine, category D. */
#include "core/base/text.h"
#include "core/claim/slot.h"
#include "core/claim/value.h"
#include "core/claim/world.h"
#include "core/detect/rule.h"

/* --- does a property answer? -------------------------------------------------------------- */

static bool is_listed(const char *const *list, hm_str name) {
  while (list && *list && !hm_str_is(name, *list)) list++;
  return list && *list;
}

/* Not null, not empty, and no word of silence; of a list, any element. */
static bool says_something(const hm_scope *s, const hm_json *v) {
  if (v->type == HM_JSON_ARRAY || v->type == HM_JSON_OBJECT) {
    const hm_json *e = v->child;
    while (e && !says_something(s, e)) e = e->next;
    return e != NULL;
  }
  if (v->type == HM_JSON_STRING)
    return hm_str_trim(v->text).n && !hm_value_is_silence(v->text, s->config, s->scratch);
  return v->type != HM_JSON_NULL;
}

/* Properties that cannot be read may answer; rule row/properties tells of them. */
static bool is_answered(const hm_scope *s, const hm_row *row, bool dates) {
  const hm_gap_rule *g = s->rule->gap;
  hm_json *object = NULL;
  hm_str text = hm_str_trim(row->props);
  if (!text.n) return false;
  if (hm_json_parse(s->scratch, text, &object, NULL) || object->type != HM_JSON_OBJECT) return true;
  for (const hm_json *p = object->child; p; p = p->next) {
    hm_str name = hm_text_name(s->scratch, p->key);
    bool asked = is_listed(g->props, name) || (g->is_answer && g->is_answer(name)) ||
        (dates && is_listed(g->dates, name));
    if (asked && says_something(s, p)) return true;
  }
  return false;
}

int hm_find_gap(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  const hm_gap_rule *g = s->rule->gap;
  const hm_row *row = &s->snap->rows[s->rows[0]];
  hm_str project = s->snap->projects[row->project].id;
  bool used = hm_scope_is_used(s, row->project);
  bool calendar = hm_world_of_row(s->config->worlds, project, row->props, s->scratch) != NULL;
  if (g->where == HM_WHERE_USED && !used) return 0;
  if (g->where == HM_IN_WORLDS && !calendar && !hm_scope_is_world(s, row->project)) return 0;
  if (hm_scope_is_tied(s) || is_answered(s, row, !used || calendar)) return 0;
  hm_arena *a = hm_found_arena(out);
  hm_finding f = { .project = project, .rows = hm_alloc(a, sizeof *f.rows), .n_rows = 1 };
  hm_str named = row->name.n ? HM_CAT(a, HM_STR(" ("), row->name, HM_STR(")")) : HM_EMPTY;
  f.rows[0] = hm_row_ref(a, row);
  f.message = HM_CAT(a, f.rows[0], named, HM_STR(": we do not know "), hm_str_c(g->unknown));
  hm_found_finding(out, f);
  return 0;
}
