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

/* A record being built: an object whose members have the positions of those in the line. */
typedef struct {
  hm_arena *a;
  hm_json *record, **end;
} maker;

static hm_json *add_member(maker *m, const char *key, const hm_json *value) {
  hm_json *v = hm_alloc(m->a, sizeof *v);
  *v = *value;
  v->key = hm_str_c(key);
  v->next = NULL;
  *m->end = v;
  m->end = &v->next;
  m->record->count++;
  return v;
}

static void add_text(maker *m, const char *key, hm_str text, uint32_t at) {
  add_member(m, key, &(hm_json){ .type = HM_JSON_STRING, .text = text, .at = at });
}

static maker begin_record(hm_arena *a, const char *kind) {
  maker m = { .a = a, .record = hm_alloc(a, sizeof *m.record) };
  *m.record = (hm_json){ .type = HM_JSON_OBJECT };
  m.end = &m.record->child;
  add_text(&m, "kind", hm_str_c(kind), 1);
  return m;
}

/* The member of the line, under our key; an absent one is left to the record to miss. */
static void take_member(maker *m, const hm_json *line, const char *theirs, const char *ours) {
  const hm_json *v = hm_json_get(line, theirs);
  if (v)
    add_member(m, ours, v);
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
  maker m = begin_record(a, "relation");
  take_member(&m, line, "relationType", "type");
  take_member(&m, line, "from", "from");
  take_member(&m, line, "to", "to");
  return m.record;
}

static const hm_json *entity_of(const hm_json *line, hm_arena *a) {
  maker m = begin_record(a, "entity");
  take_member(&m, line, "name", "id");
  take_member(&m, line, "entityType", "entity_type");
  take_member(&m, line, "name", "name");
  return m.record;
}

static const hm_json *observation_of(hm_str name, const hm_json *observation, hm_arena *a) {
  maker m = begin_record(a, "memory");
  add_text(&m, "memory_type", HM_STR("knowledge"), observation->at);
  add_member(&m, "content", observation);
  add_text(&m, "slot_rule", HM_CAT(a, name, HM_STR(" *")), observation->at);
  hm_json ref = { .type = HM_JSON_STRING, .text = HM_CAT(a, HM_STR("entity:"), name) };
  hm_json refs = { .type = HM_JSON_ARRAY, .child = &ref, .count = 1, .at = observation->at };
  hm_json *list = add_member(&m, "source_refs", &refs);
  list->child = hm_alloc(a, sizeof ref);
  *list->child = ref;
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
