/* Memories as mem0 hands them out (get_all, export, search): about the user whose they are.
 *
 *   {"id":"...","memory":"Works at Acme","user_id":"alice","created_at":"2026-04-30T12:00:00Z"}
 *
 * Whichever agent wrote it, what is remembered of one user meets. A memory of nobody has to name
 * what it is about. Other members are not read. Source: mem0, its documented answers. */
#include "core/foreign/readers.h"
#include "core/foreign/record_maker.h"

bool hm_mem0_is_line(hm_str text) {
  if (hm_str_starts(text, "{\"kind\""))
    return false;
  return hm_str_starts(hm_json_peek(text, "memory"), "\"") && hm_json_peek(text, "id").n &&
      !hm_json_peek(text, "kind").n;
}

static int read_memory(hm_record_place *place, const hm_json *line, hm_record_each *each, void *ctx,
                       hm_arena *a) {
  static const char *const ids[] = { "id", NULL }, *const texts[] = { "memory", NULL };
  static const char *const agents[] = { "agent_id", "agentId", NULL };
  static const char *const created[] = { "created_at", "createdAt", NULL };
  static const char *const updated[] = { "updated_at", "updatedAt", NULL };
  hm_record_maker m = hm_record_begin(a, "memory");
  hm_str user = hm_json_get_text(line, "user_id"), *tags;
  if (!user.n)
    user = hm_json_get_text(line, "userId");
  size_t n_tags = hm_json_texts(hm_json_get(line, "categories"), a, &tags);
  hm_record_take(&m, line, ids, "id");
  hm_record_add_text(&m, "memory_type", HM_STR("knowledge"), 1);
  hm_record_take(&m, line, texts, "content");
  hm_record_add_text(&m, "slot_rule", user.n ? HM_CAT(a, user, HM_STR(" *")) : HM_STR("*"), 1);
  hm_record_take(&m, line, agents, "agent");
  if (n_tags)
    hm_record_add_texts(&m, "tags", tags, n_tags, 1);
  if (hm_record_take_time(&m, place, line, created, "created_at") ||
      hm_record_take_time(&m, place, line, updated, "updated_at"))
    return each(ctx, NULL);
  return each(ctx, m.record);
}

int hm_mem0_parse_line(hm_record_place *place, hm_str text, hm_record_each *each, void *ctx) {
  hm_arena *a = hm_arena_new();
  const hm_json *line = hm_record_parse_line(place, text, a);
  int rc = line ? read_memory(place, line, each, ctx, a) : each(ctx, NULL);
  hm_arena_free(a);
  return rc;
}
