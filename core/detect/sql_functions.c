/* Functions of rules in SQL, and the world of tables and functions that a rule sees.
 *
 * Functions on times return 1 if certainly true, 0 if certainly false, and NULL if not known: in a
 * WHERE, `f(...)` selects certainly true rows and `f(...) = 0` certainly false ones. An invalid
 * time gives NULL. The last argument may name the world whose eras the texts use.
 * Source: lore consistency engine, time_windows_overlap and time_in_window. */
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/claim/slot.h"
#include "core/claim/world.h"
#include "core/detect/sql_tables.h"

static const hm_sandbox_cell UNKNOWN = { .type = HM_CELL_NULL };

static hm_sandbox_cell answer(hm_certainty a) {
  return a == HM_POSSIBLE ? UNKNOWN : hm_sandbox_cell_int(a == HM_CERTAIN);
}

/* The world that argument i names, if it is there. */
static const hm_world *world_of(const hm_sql_facts *f, const hm_sandbox_cell *args, int n, int i,
                                hm_arena *scratch) {
  if (n <= i || args[i].type != HM_CELL_TEXT)
    return NULL;
  return hm_world_find(f->rules->worlds, args[i].text, HM_EMPTY, scratch);
}

static hm_time now_of(const hm_sql_facts *f) { return f->snap ? f->snap->now : HM_TIME_MAX; }

static bool reads_window(const hm_sql_facts *f, const hm_world *w, const hm_sandbox_cell *bounds,
                         hm_window *out) {
  return hm_window_parse(w, bounds[0].text, bounds[1].text, now_of(f), out) == HM_WINDOW_OK;
}

static hm_sandbox_cell now(const void *ctx, const hm_sandbox_cell *args, int n, hm_arena *scratch) {
  (void)args, (void)n;
  return hm_sandbox_cell_text(hm_time_iso(scratch, now_of(ctx)));
}

static hm_sandbox_cell windows_overlap(const void *ctx, const hm_sandbox_cell *args, int n,
                                       hm_arena *scratch) {
  const hm_world *w = world_of(ctx, args, n, 4, scratch);
  hm_window a, b;
  if (!reads_window(ctx, w, args, &a) || !reads_window(ctx, w, args + 2, &b))
    return UNKNOWN;
  return answer(hm_window_overlap_certainty(&a, &b));
}

static hm_sandbox_cell in_window(const void *ctx, const hm_sandbox_cell *args, int n,
                                 hm_arena *scratch) {
  const hm_world *w = world_of(ctx, args, n, 3, scratch);
  hm_window inner, outer;
  hm_bound at;
  if (!hm_bound_parse(w, args[0].text, &at) || !at.known || !reads_window(ctx, w, args + 1, &outer))
    return UNKNOWN;
  hm_window_of_moment(&at, &inner);
  return answer(hm_window_inside(&inner, &outer));
}

static hm_sandbox_cell before(const void *ctx, const hm_sandbox_cell *args, int n,
                              hm_arena *scratch) {
  const hm_world *w = world_of(ctx, args, n, 2, scratch);
  hm_bound a, b;
  if (!hm_bound_parse(w, args[0].text, &a) || !hm_bound_parse(w, args[1].text, &b) || !a.known ||
      !b.known || a.axis != b.axis)
    return UNKNOWN;
  return answer(hm_bound_before(&a, &b));
}

static hm_sandbox_cell bound(const void *ctx, const hm_sandbox_cell *args, int n, hm_arena *scratch,
                             bool last) {
  hm_bound b;
  if (!hm_bound_parse(world_of(ctx, args, n, 1, scratch), args[0].text, &b) || !b.known)
    return UNKNOWN;
  return hm_sandbox_cell_int(last ? b.last : b.first);
}

static hm_sandbox_cell first_instant(const void *ctx, const hm_sandbox_cell *args, int n,
                                     hm_arena *scratch) {
  return bound(ctx, args, n, scratch, false);
}

static hm_sandbox_cell last_instant(const void *ctx, const hm_sandbox_cell *args, int n,
                                    hm_arena *scratch) {
  return bound(ctx, args, n, scratch, true);
}

/* A number as a number, if SQL can represent all of its digits. */
static hm_sandbox_cell json_cell(const hm_json *v, hm_arena *scratch) {
  int64_t whole = 0;
  size_t i = v->text.n && *v->text.p == '-', digits = v->text.n - i;
  switch (v->type) {
    case HM_JSON_NULL:
      return UNKNOWN;
    case HM_JSON_FALSE:
      return hm_sandbox_cell_int(0);
    case HM_JSON_TRUE:
      return hm_sandbox_cell_int(1);
    case HM_JSON_STRING:
      return hm_sandbox_cell_text(v->text);
    case HM_JSON_NUMBER:
      if (strspn(v->text.p + i, "0123456789") < digits || digits > 18)
        return (hm_sandbox_cell){ .type = HM_CELL_REAL,
                                  .real = strtod(hm_str_z(scratch, v->text), NULL) };
      for (; i < v->text.n; i++)
        whole = whole * 10 + (v->text.p[i] - '0');
      return hm_sandbox_cell_int(*v->text.p == '-' ? -whole : whole);
    default:
      return hm_sandbox_cell_text(hm_json_as_text(v, scratch));
  }
}

/* prop(properties, name): as it is written, else folded, as fields are. */
static hm_sandbox_cell prop(const void *ctx, const hm_sandbox_cell *args, int n,
                            hm_arena *scratch) {
  hm_json *object = NULL;
  (void)ctx, (void)n;
  if (!args[0].text.n || hm_json_parse(scratch, args[0].text, &object, NULL))
    return UNKNOWN;
  const hm_json *v = object->type == HM_JSON_OBJECT ? object->child : NULL;
  for (const hm_json *p = v; p; p = p->next)
    if (hm_str_eq(p->key, args[1].text))
      return json_cell(p, scratch);
  hm_str name = v ? hm_text_fold_name(scratch, args[1].text) : HM_EMPTY;
  for (const hm_json *p = v; p && name.n; p = p->next)
    if (hm_str_eq(hm_text_fold_name(scratch, p->key), name))
      return json_cell(p, scratch);
  return UNKNOWN;
}

/* of_row(reference, column) */
static hm_sandbox_cell of_row(const void *ctx, const hm_sandbox_cell *args, int n,
                              hm_arena *scratch) {
  (void)n;
  return hm_sql_row_cell(ctx, args[0].text, args[1].text, scratch);
}

/* Their ctx is an hm_sql_facts. */
static const hm_sandbox_function *list_functions(size_t *n) {
  static const hm_sandbox_function functions[] = {
    { "now", 0, 0, now },
    { "of_row", 2, 2, of_row },
    { "prop", 2, 2, prop },
    { "time_before", 2, 3, before },
    { "time_first", 1, 2, first_instant },
    { "time_in_window", 3, 4, in_window },
    { "time_last", 1, 2, last_instant },
    { "time_windows_overlap", 4, 5, windows_overlap },
  };
  *n = HM_COUNT(functions);
  return functions;
}

const char *hm_sql_function_name_at(size_t i) {
  size_t n;
  const hm_sandbox_function *f = list_functions(&n);
  return i < n ? f[i].name : NULL;
}

/* --- the world of a rule ------------------------------------------------------------------- */

const hm_sandbox_world *hm_sql_world_new(const hm_sql_facts *facts, uint32_t reads, hm_arena *a) {
  hm_sandbox_world *w = hm_alloc(a, sizeof *w);
  w->tables = hm_sql_tables_new(facts, reads, a);
  w->n_tables = HM_SQL_TABLES;
  w->functions = list_functions(&w->n_functions);
  w->ctx = facts;
  w->fold = hm_entity_type_key;
  return w;
}
