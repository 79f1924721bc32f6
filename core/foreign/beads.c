/* Issues as beads writes them, .beads/issues.jsonl: an entity each, and relations to what it
 * depends on.
 *
 *   {"id":"mill-1","title":"Mend the gate","status":"open","priority":1,"issue_type":"bug",
 *    "dependencies":[{"issue_id":"mill-1","depends_on_id":"mill-2","type":"blocks"}]}
 *
 * Two issues may have one title, so the id is a part of the name. A tombstone is an issue that was
 * deleted. Other members are not read. Source: steveyegge/beads. */
#include "core/foreign/readers.h"
#include "core/foreign/record_maker.h"

bool hm_beads_is_line(hm_str text) {
  if (hm_str_starts(text, "{\"kind\""))
    return false;
  return hm_str_starts(hm_json_peek(text, "issue_type"), "\"") &&
      hm_str_starts(hm_json_peek(text, "id"), "\"") && !hm_json_peek(text, "kind").n;
}

/* The members of an issue that may differ between two copies of it. */
static void add_properties(hm_record_maker *m, const hm_json *line) {
  static const char *const keys[] = { "status", "priority", "issue_type", "assignee" };
  hm_record_maker p = { .a = m->a, .record = hm_alloc(m->a, sizeof *p.record) };
  *p.record = (hm_json){ .type = HM_JSON_OBJECT, .at = line->at };
  p.end = &p.record->child;
  for (size_t i = 0; i < HM_COUNT(keys); i++) {
    const char *const key[] = { keys[i], NULL };
    hm_record_take(&p, line, key, keys[i]);
  }
  hm_record_add(m, "properties", p.record);
}

/* NULL: place->err is set. */
static const hm_json *issue_of(const hm_record_place *place, const hm_json *line, hm_arena *a) {
  static const char *const ids[] = { "id", NULL }, *const texts[] = { "description", NULL };
  static const char *const created[] = { "created_at", NULL };
  static const char *const updated[] = { "updated_at", NULL };
  hm_record_maker m = hm_record_begin(a, "entity");
  hm_str id = hm_json_get_text(line, "id"), title = hm_json_get_text(line, "title");
  hm_record_take(&m, line, ids, "id");
  hm_record_add_text(&m, "entity_type", HM_STR("Issue"), 1);
  hm_record_add_text(&m, "name", title.n ? HM_CAT(a, id, HM_STR(" "), title) : id, 1);
  hm_record_take(&m, line, texts, "description");
  add_properties(&m, line);
  if (hm_str_is(hm_json_get_text(line, "status"), "tombstone"))
    hm_record_add_text(&m, "status", HM_STR("invalid"), 1);
  if (hm_record_take_time(&m, place, line, created, "created_at") ||
      hm_record_take_time(&m, place, line, updated, "updated_at"))
    return NULL;
  return m.record;
}

static const hm_json *dependency_of(const hm_json *dependency, hm_arena *a) {
  static const char *const types[] = { "type", NULL }, *const from[] = { "issue_id", NULL };
  static const char *const to[] = { "depends_on_id", NULL };
  hm_record_maker m = hm_record_begin(a, "relation");
  hm_record_take(&m, dependency, types, "type");
  hm_record_take(&m, dependency, from, "from");
  hm_record_take(&m, dependency, to, "to");
  return m.record;
}

int hm_beads_parse_line(hm_record_place *place, hm_str text, hm_record_each *each, void *ctx) {
  hm_arena *a = hm_arena_new();
  const hm_json *line = hm_record_parse_line(place, text, a);
  int rc;
  if (!line) {
    rc = each(ctx, NULL);
  } else {
    rc = each(ctx, issue_of(place, line, a));
    const hm_json *d = hm_json_get_items(line, "dependencies");
    for (; d && !rc; d = d->next)
      rc = each(ctx, dependency_of(d, a));
  }
  hm_arena_free(a);
  return rc;
}
