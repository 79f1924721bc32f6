/* The knowledge graph of a memory server, memory.jsonl: lines of entities and relations.
 *
 *   {"type":"entity","name":"Alice","entityType":"person","observations":["works at Acme"]}
 *   {"type":"relation","from":"Alice","to":"gateway","relationType":"maintains"}
 *
 * Or one object of two lists, "entities" and "relations", without "type", which lines of some forks
 * lack, too: the other members say what they are. Members stand in any order. An observation is a
 * text, or an object with a text and a time. An entity becomes an entity whose id is its name,
 * which is unique there, and for each observation a memory about it: the slot rule "Alice *"
 * (core/claim/memory.h). A relation becomes a relation. Ids that the graph does not have are
 * digests, as those of any record are. Other keys are not read. Source:
 * @modelcontextprotocol/server-memory, its forks, and the relations of mem0. */
#include <string.h>

#include "core/foreign/readers.h"
#include "core/foreign/record_maker.h"

static const char *const RELATION_TYPES[] = { "relationType", "relation_type", "relationship",
                                              NULL };
static const char *const FROM[] = { "from", "from_entity", "fromEntity", "source", NULL };
static const char *const TO[] = { "to", "to_entity", "toEntity", "target", "destination", NULL };
static const char *const ENTITY_TYPES[] = { "entityType", "entity_type", NULL };
static const char *const TEXTS[] = { "text", "content", "observation", "value", NULL };
static const char *const TIMES[] = { "timestamp", "created_at", "createdAt", "time", "date", NULL };

bool hm_graph_is_line(hm_str text) {
  if (hm_str_starts(text, "\xEF\xBB\xBF"))
    text = hm_str_sub(text, 3, text.n);
  if (hm_str_starts(text, "{\"kind\""))
    return false;
  hm_str type = hm_json_peek(text, "type");
  bool typed = hm_str_starts(type, "\"entity\"") || hm_str_starts(type, "\"relation\"");
  bool untyped = !typed &&
      (hm_str_starts(hm_json_peek(text, "observations"), "[")
           ? hm_json_peek(text, "entityType").n && hm_json_peek(text, "name").n
           : hm_json_peek(text, "relationType").n && hm_json_peek(text, "from").n);
  return (typed || untyped) && !hm_json_peek(text, "kind").n;
}

/* Of a line that stands in no list. */
static bool is_relation(const hm_json *line) {
  hm_str type = hm_json_get_text(line, "type");
  return hm_str_is(type, "relation") ||
      (!hm_str_is(type, "entity") && hm_json_get(line, "relationType"));
}

/* The first of these members must be a text that is not empty. Else an error in its own words. */
static int require_text(const hm_record_place *place, const hm_json *line,
                        const char *const *names) {
  for (const char *const *name = names; *name; name++) {
    const hm_json *v = hm_json_get(line, *name);
    if (!v)
      continue;
    if (v->type == HM_JSON_STRING && v->text.n)
      return 0;
    place->err->at = v->at;
    return hm_record_bad(place, *name, "not a text", "write it in quotes");
  }
  return hm_record_bad(place, *names, "missing", "add it, or leave the line out");
}

static int read_relation(hm_record_place *place, const hm_json *line, hm_record_each *each,
                         void *ctx, hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "relation");
  if (require_text(place, line, RELATION_TYPES) || require_text(place, line, FROM) ||
      require_text(place, line, TO))
    return each(ctx, NULL);
  hm_record_take(&m, line, RELATION_TYPES, "type");
  hm_record_take(&m, line, FROM, "from");
  hm_record_take(&m, line, TO, "to");
  return each(ctx, m.record);
}

static const hm_json *entity_of(const hm_json *line, hm_arena *a) {
  static const char *const names[] = { "name", NULL };
  hm_record_maker m = hm_record_begin(a, "entity");
  hm_record_take(&m, line, names, "id");
  hm_record_take(&m, line, ENTITY_TYPES, "entity_type");
  hm_record_take(&m, line, names, "name");
  return m.record;
}

static const hm_json *text_of(const hm_json *observation) {
  for (const char *const *name = TEXTS; observation->type == HM_JSON_OBJECT && *name; name++) {
    const hm_json *text = hm_json_get(observation, *name);
    if (text)
      return text;
  }
  return observation;
}

/* NULL: place->err is set. */
static const hm_json *observation_of(const hm_record_place *place, hm_str name,
                                     const hm_json *observation, hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "memory");
  const hm_json *text = text_of(observation);
  if (text->type != HM_JSON_STRING) {
    hm_record_bad(place, "observations", "neither a text nor an object with one",
                  "write [\"...\"]");
    return NULL;
  }
  hm_record_add_text(&m, "memory_type", HM_STR("knowledge"), observation->at);
  hm_record_add(&m, "content", text);
  hm_record_add_text(&m, "slot_rule", HM_CAT(a, name, HM_STR(" *")), observation->at);
  hm_str ref = HM_CAT(a, HM_STR("entity:"), name);
  hm_record_add_texts(&m, "source_refs", &ref, 1, observation->at);
  if (observation->type == HM_JSON_OBJECT &&
      hm_record_take_time(&m, place, observation, TIMES, "created_at"))
    return NULL;
  return m.record;
}

/* An observation that is no text is reported as an error of the entity. Each names the entity, so a
 * long name with many of them would grow without bound. */
static int read_entity(hm_record_place *place, const hm_json *line, hm_record_each *each, void *ctx,
                       hm_arena *a) {
  enum { NAME_MAX_BYTES = 400 };
  static const char *const names[] = { "name", NULL };
  hm_str name = hm_json_get_text(line, "name");
  const hm_json *list = hm_json_get(line, "observations");
  if (name.n > NAME_MAX_BYTES) {
    hm_record_bad(place, "name", "longer than 400 bytes", "shorten it");
    return each(ctx, NULL);
  }
  if (require_text(place, line, names) || require_text(place, line, ENTITY_TYPES))
    return each(ctx, NULL);
  int rc = each(ctx, entity_of(line, a));
  if (!rc && list && list->type != HM_JSON_ARRAY) {
    hm_record_bad(place, "observations", "not a list of texts", "write [\"...\"]");
    return each(ctx, NULL);
  }
  for (const hm_json *o = list && name.n ? list->child : NULL; o && !rc; o = o->next)
    rc = each(ctx, observation_of(place, name, o, a));
  return rc;
}

int hm_graph_parse_line(hm_record_place *place, hm_str text, hm_str list, hm_record_each *each,
                        void *ctx) {
  hm_arena *a = hm_arena_new();
  const hm_json *line = hm_record_parse_line(place, text, a);
  int rc;
  if (!line) {
    rc = each(ctx, NULL);
  } else if (hm_str_is(list, "relations") || (!list.n && is_relation(line))) {
    rc = read_relation(place, line, each, ctx, a);
  } else {
    rc = read_entity(place, line, each, ctx, a);
  }
  hm_arena_free(a);
  return rc;
}
