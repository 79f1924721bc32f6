/* The knowledge graph of a memory server, memory.jsonl: lines of entities and relations.
 *
 *   {"type":"entity","name":"Alice","entityType":"person","observations":["works at Acme"]}
 *   {"type":"relation","from":"Alice","to":"gateway","relationType":"maintains"}
 *
 * An entity becomes an entity whose id is its name, which is unique there, and for each observation
 * a memory about it: the slot rule "Alice *" (core/claim/memory.h). A relation becomes a relation.
 * Ids that the graph does not have are digests, as those of any record are. Other keys are not
 * read. Source: @modelcontextprotocol/server-memory. */
#include <string.h>

#include "core/foreign/readers.h"
#include "core/foreign/record_maker.h"

/* The member of the line, under our key; an absent one is left to the record to miss. */
static void take_member(hm_record_maker *m, const hm_json *line, const char *theirs,
                        const char *ours) {
  const hm_json *v = hm_json_get(line, theirs);
  if (v)
    hm_record_add(m, ours, v);
}

/* text after spaces and the token; empty if it begins otherwise. */
static hm_str skip_token(hm_str text, const char *token) {
  text = hm_str_trim(text);
  return hm_str_starts(text, token) ? hm_str_sub(text, strlen(token), text.n) : HM_EMPTY;
}

bool hm_graph_is_line(hm_str text) {
  if (hm_str_starts(text, "\xEF\xBB\xBF"))
    text = hm_str_sub(text, 3, text.n);
  text = skip_token(skip_token(skip_token(text, "{"), "\"type\""), ":");
  return skip_token(text, "\"entity\"").n || skip_token(text, "\"relation\"").n;
}

static const hm_json *relation_of(const hm_json *line, hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "relation");
  take_member(&m, line, "relationType", "type");
  take_member(&m, line, "from", "from");
  take_member(&m, line, "to", "to");
  return m.record;
}

static const hm_json *entity_of(const hm_json *line, hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "entity");
  take_member(&m, line, "name", "id");
  take_member(&m, line, "entityType", "entity_type");
  take_member(&m, line, "name", "name");
  return m.record;
}

static const hm_json *observation_of(hm_str name, const hm_json *observation, hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "memory");
  hm_record_add_text(&m, "memory_type", HM_STR("knowledge"), observation->at);
  hm_record_add(&m, "content", observation);
  hm_record_add_text(&m, "slot_rule", HM_CAT(a, name, HM_STR(" *")), observation->at);
  hm_str ref = HM_CAT(a, HM_STR("entity:"), name);
  hm_record_add_texts(&m, "source_refs", &ref, 1, observation->at);
  return m.record;
}

/* An observation that is no text is reported as an error of the entity. Each names the entity, so a
 * long name with many of them would grow without bound. */
static int read_entity(hm_record_place *place, const hm_json *line, hm_record_each *each, void *ctx,
                       hm_arena *a) {
  enum { NAME_MAX_BYTES = 400 };
  hm_str name = hm_json_get_text(line, "name");
  const hm_json *list = hm_json_get(line, "observations");
  if (name.n > NAME_MAX_BYTES) {
    hm_record_bad(place, "name", "longer than 400 bytes", "shorten it");
    return each(ctx, NULL);
  }
  int rc = each(ctx, entity_of(line, a));
  if (!rc && list && list->type != HM_JSON_ARRAY) {
    hm_record_bad(place, "observations", "not a list of texts", "write [\"...\"]");
    return each(ctx, NULL);
  }
  for (const hm_json *o = list && name.n ? list->child : NULL; o && !rc; o = o->next)
    rc = each(ctx, observation_of(name, o, a));
  return rc;
}

int hm_graph_parse_line(hm_record_place *place, hm_str text, hm_record_each *each, void *ctx) {
  hm_arena *a = hm_arena_new();
  hm_json *line;
  int rc;
  place->text = text;
  if (hm_json_parse(a, text, &line, place->err)) {
    hm_record_error(place, HM_EMPTY);
    rc = each(ctx, NULL);
  } else if (hm_str_is(hm_json_get_text(line, "type"), "relation")) {
    rc = each(ctx, relation_of(line, a));
  } else {
    rc = read_entity(place, line, each, ctx, a);
  }
  hm_arena_free(a);
  return rc;
}
