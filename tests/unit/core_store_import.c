/* Import: what is taken, what is refused and how that is said. */
#include "tests/unit/core_store_help.h"
#include "core/base/digest.h"

#define MEMORY(rest)                                                                               \
  "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"t\",\"content\":\"c\"" rest "}\n"
#define ENTITY(rest)                                                                               \
  "{\"kind\":\"entity\",\"id\":\"e\",\"entity_type\":\"T\",\"name\":\"n\"" rest "}\n"
#define STATE(rest) "{\"kind\":\"project_state\",\"id\":\"s\",\"key\":\"k\"" rest "}\n"
#define CONFLICT(id, rest)                                                                         \
  "{\"kind\":\"conflict\",\"id\":\"" id                                                            \
  "\",\"slot_key\":[\"p\",\"k\"],\"detected_at\":\"2026\"" rest "}\n"
#define TIME_FIX "write ISO 8601: 2026, 2026-04, 2026-04-02 or 2026-04-02T09:00:00Z"

static void errors(void **state) {
  static const struct { const char *lines, *message;
  } cases[] = {
    { "nonsense\n",
      "f:1:1: not valid JSON: lexical error: invalid string in json text: check quotes, commas and brackets" },
    { "[1]\n",
      "f: record 1: not a JSON object: write one record a line: {\"kind\":...}" },
    { MEMORY("") "\n\n{\"kind\":3}\n",
      "f:4:2: kind: must be a string: use one of: project, memory, entity, project_state, relation, link, conflict, acknowledgement, flag, proposal, evidence, verdict, world" },
    { "{}\n",
      "f:1: kind: missing: rows of another program: hmirror init --from f mirror; a record has one of: project, memory, entity, project_state, relation, link, conflict, acknowledgement, flag, proposal, evidence, verdict, world" },
    { "{\"kind\":\"thing\"}\n",
      "f:1:2: kind: unknown: \"thing\": use one of: project, memory, entity, project_state, relation, link, conflict, acknowledgement, flag, proposal, evidence, verdict, world" },
    { MEMORY(",\"colour\":1"),
      "f:1:59: colour: unknown key of a memory: known keys: kind, id, memory_type, content, project, status, confidence, importance, polarity, scope, agent, slot_rule, tags, source_refs, valid_from, valid_until, superseded_by, superseded_at, graduated_to, created_at, updated_at, last_accessed_at, via" },
    { "{\"Kind\":\"memory\"}\n",
      "f:1:2: Kind: unknown key, and kind is missing: did you mean 'kind'?" },
    { "{\"n\":1,\"all facts\":[{\"kind\":\"memory\"}]}\n",
      "f:1:8: all facts: a list and no record, since it has no kind: jq -c '.\"all facts\"[]' FILE | hmirror import --source NAME -" },
    { "{\"kind\":\"memories\"}\n",
      "f:1:2: kind: unknown: \"memories\": did you mean 'memory'? use one of: project, memory, entity, project_state, relation, link, conflict, acknowledgement, flag, proposal, evidence, verdict, world" },
    { "{\"kind\":\"state\"}\n",
      "f:1:2: kind: unknown: \"state\": did you mean 'project_state'? use one of: project, memory, entity, project_state, relation, link, conflict, acknowledgement, flag, proposal, evidence, verdict, world" },
    { "{\"kind\":\"link\",\"src\":\"\\\"\\\\\",\"déjà\":1,\"to\":1}\n",
      "f:1:29: déjà: unknown key of a link: known keys: kind, src, dst, rel" },
    { "{\"kind\":\"entity\",\"entityType\":\"T\",\"name\":\"n\"}\n",
      "f:1:18: entityType: unknown key of an entity: did you mean 'entity_type'? a key of your own goes into properties (edit: -P); known keys: kind, id, entity_type, name, project, description, properties, status, confidence, source_refs, hand_authored, valid_from, valid_until, superseded_by, superseded_at, created_at, updated_at, via" },
    { "{\"kind\":\"memory\",\"type\":\"T\",\"content\":\"c\"}\n",
      "f:1:18: type: unknown key of a memory: did you mean 'memory_type'? known keys: kind, id, memory_type, content, project, status, confidence, importance, polarity, scope, agent, slot_rule, tags, source_refs, valid_from, valid_until, superseded_by, superseded_at, graduated_to, created_at, updated_at, last_accessed_at, via" },
    { "{\"kind\":\"memory\", \"id\" \"m\"}\n",
      "f:1:24: not valid JSON: parse error: object key and value must be separated by a colon (':'): check quotes, commas and brackets" },
    { "{\"kind\":\"memory\",\"id\":\"m\"\n",
      "f:1:26: not valid JSON: parse error: premature EOF: check quotes, commas and brackets" },
    { "{\"kind\":\"link\",\"src\":\"a\",\"dst\":\"b\",\"\\u001b[0m\":1}\n",
      "f:1:36: ?[0m: unknown key of a link: known keys: kind, src, dst, rel" },
    { MEMORY(",\"scope\":\"a\",\"scope\":\"b\""),
      "f:1:71: the key \"scope\" occurs twice in one object: keep one of the two" },
    { MEMORY(",\"scope\":3"), "f:1:59: scope: must be a string, is a number" },
    { MEMORY(",\"id2\":3") + 0, NULL },
    { "{\"kind\":\"memory\",\"id\":\"\",\"memory_type\":\"t\",\"content\":\"c\"}\n",
      "f:1:18: id: must not be empty: give it a text, or leave the key out where the format allows it" },
    { "{\"kind\":\"memory\",\"id\":7,\"memory_type\":\"t\",\"content\":\"c\"}\n",
      "f:1:18: id: must be a string, is a number" },
    { "{\"kind\":\"memory\",\"id\":null,\"memory_type\":\"t\",\"content\":\"c\"}\n",
      "f:1:18: id: must not be null: give it a value" },
    { "{\"kind\":\"memory\",\"content\":\"c\"}\n", "f:1: memory_type: missing: give it a value" },
    { "{\"kind\":\"memory\",\"memory_type\":\"t\",\"content\":null}\n",
      "f:1:36: content: must not be null: give it a value" },
    { "{\"kind\":\"project\",\"name\":\"x\"}\n", "f:1: id: missing: give it a value" },
    { "{\"kind\":\"link\",\"src\":\"a\"}\n", "f:1: dst: missing: give it a value" },
    { "{\"kind\":\"relation\",\"type\":\"USES\",\"from\":\"a\"}\n",
      "f:1: to: missing: give it a value" },
    { "{\"kind\":\"relation\",\"type\":\"USES\",\"from_id\":\"a\",\"to\":\"b\"}\n", NULL },
    { "{\"kind\":\"conflict\",\"id\":\"c\",\"slot_key\":[\"a\"]}\n",
      "f:1: detected_at: missing: give it a value" },
    { MEMORY(",\"status\":\"Active\""),
      "f:1:59: status: unknown: \"Active\": did you mean 'active'? use one of: candidate, active, superseded, invalid, graduated" },
    { MEMORY(",\"confidence\":1.5"), "f:1:59: confidence: must be from 0 to 1, is 1.5: scale it" },
    { MEMORY(",\"confidence\":-1e-9"),
      "f:1:59: confidence: must be from 0 to 1, is -1e-9: scale it" },
    { MEMORY(",\"importance\":\"0.5\""),
      "f:1:59: importance: must be a number from 0 to 1, is a string" },
    { MEMORY(",\"polarity\":2"), "f:1:59: polarity: must be -1, 0 or 1, is 2" },
    { MEMORY(",\"tags\":[\"a\",1]"),
      "f:1:59: tags: must be an array of strings, has a number in it" },
    { MEMORY(",\"source_refs\":{}"),
      "f:1:59: source_refs: must be an array of strings, is an object" },
    { ENTITY(",\"properties\":\"{}\""), "f:1:56: properties: must be an object, is a string" },
    { ENTITY(",\"properties\":[]"), "f:1:56: properties: must be an object, is an array" },
    { ENTITY(",\"hand_authored\":1"), "f:1:56: hand_authored: must be true or false, is a number" },
    { STATE(",\"value\":{\"a\":1}"),
      "f:1:44: value: must be a string, number, boolean or array, is an object: store each of its members under a key of its own" },
    { STATE(",\"value\":null"), "f:1:44: value: must not be null: give it a value" },
    { STATE(",\"value\":1,\"value_kind\":\"json\""), NULL },
    { STATE(",\"value\":[[[[{\"a\":[]}]]]]") MEMORY(",\"valid_from\":\"soon\""),
      "f:2:59: valid_from: not a time: \"soon\": " TIME_FIX },
    { MEMORY(",\"created_at\":\"2026-02-30\""),
      "f:1:59: created_at: not a time: \"2026-02-30\": " TIME_FIX },
    { MEMORY(",\"created_at\":2026"), "f:1:59: created_at: must be a time in quotes, is a number" },
    { "{\"kind\":\"project\",\"id\":\"a\",\"aliases\":\"x\"}\n",
      "f:1:28: aliases: must be an array of strings, none of them empty" },
    { "{\"kind\":\"project\",\"id\":\"a\",\"aliases\":[\"\"]}\n",
      "f:1:28: aliases: must be an array of strings, none of them empty" },
    { "{\"kind\":\"project\",\"id\":\"a\",\"aliases\":[\"x\"]}\n{\"kind\":\"project\",\"id\":\"b\",\"aliases\":[\"x\"]}\n",
      "f:2: aliases: \"x\" is an alias of project \"a\" already: give each alias to one project" },
    { MEMORY("") MEMORY(",\"scope\":\"x\""),
      "f:2: id: \"m\" stands in an earlier line with different content: keep one of the two, or give them different ids" },
    { CONFLICT("c", ",\"members\":[{\"member_kind\":\"memory\"}]"),
      "f:1:71: members: a member lacks member_kind or member_id" },
    { CONFLICT("c", ",\"members\":[{\"member_kind\":\"link\",\"member_id\":\"a\"}]"),
      "f:1:71: members: member_kind: unknown: use one of: memory, entity, project_state, relation" },
    { CONFLICT("c", ",\"members\":[{\"trust\":1}]"),
      "f:1:71: members: unknown key \"trust\" in a member: known keys: member_kind, member_id, field, source, value, normal, flagged, conflicts_with, removed" },
    { CONFLICT(
          "c",
          ",\"members\":[{\"member_kind\":\"memory\",\"member_id\":\"a\"},{\"member_kind\":\"memory\",\"member_id\":\"a\"}]"),
      "f:1:71: members: one field of one row is a member twice: keep one of the two" },
    { CONFLICT("c", ",\"rule\":\"slot\""),
      "f:1:71: rule: must be a rule and its version: write it like \"slot/1\"" },
    { CONFLICT("c", ",\"slot_kind\":1"), "f:1:71: slot_kind: must be a string, is a number" },
    { "{\"kind\":\"conflict\",\"id\":\"c\",\"slot_key\":[],\"detected_at\":\"2026\"}\n",
      "f:1:29: slot_key: must not be empty" },
    { CONFLICT("c1", ",\"anchor\":\"memory:m#content\"")
          CONFLICT("c2", ",\"anchor\":\"memory:m#content\""),
      "f:2: slot_key: another conflict is open on its anchor: settle one of the two" },
    { MEMORY(",\"as_stored\":[]"), "f:1:59: as_stored: must be an object, is an array" },
    { MEMORY(",\"as_stored\":{\"id\":\"x\"}"), "f:1:59: as_stored: no column \"id\"" },
    { MEMORY(",\"as_stored\":{\"scope\":1}"),
      "f:1:59: as_stored: holds strings and nulls only, has a number in it" },
    { MEMORY(",\"scope\":\"a\",\"as_stored\":{\"scope\":\"b\"}"),
      "f:1:71: as_stored: \"scope\" is given beside it too: keep one of the two" },
    { STATE(",\"as_stored\":{\"value\":\"1\",\"value_kind\":\"odd\"}"),
      "f:1: a rule of the store's tables forbids it (SQLite 275: CHECK constraint failed: value_kind IN ('text', 'json'))" },
  };
  world *w = *state;
  create(w);
  hm_str before = export(w);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(try_import(w, cases[i].lines), -1);
    assert_int_equal(w->err.code, HM_E_INPUT);
    assert_int_equal(w->n.bad, 1);
    if (cases[i].message) assert_string_equal(line_of(w), cases[i].message);
    assert_true(hm_str_eq(before, export(w)));   /* nothing of the stream is stored */
  }
}

static void what_is_stored(void **state) {
  world *w = *state;
  create(w);
  import(
      w,
      "\xEF\xBB\xBF{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"t\",\"content\":\"c\",\"tags\":\"one\",\"source_refs\":[\"a\",\"b\"],"
      "\"confidence\":0.80,\"importance\":1,\"polarity\":-1,\"valid_from\":\"2026\",\"valid_until\":null}\r\n"
      "   \n\n" ENTITY(
          ",\"properties\":{ \"b\" : 4.80, \"a\":[1, {\"x\":null}] },\"hand_authored\":true")
          STATE(
              ",\"value\":12345678901234567890.10") "{\"kind\":\"project_state\",\"id\":\"s2\",\"key\":\"k\",\"value\":\"468\"}\n"
                                                    "{\"kind\":\"project_state\",\"id\":\"s3\",\"key\":\"k\",\"value\":[ \"a\", 1 ],\"category\":\"x\"}\n"
                                                    "{\"kind\":\"relation\",\"id\":\"r\",\"type\":\"PART_OF\",\"from\":\"e7\",\"to\":\"e3\"}\n"
                                                    "{\"kind\":\"link\",\"src\":\"memory:m\",\"dst\":\"memory:n\"}"); /* no line break at the end */
  assert_int_equal(w->n.added, 7);
  assert_string_equal(
      ask(w,
          "SELECT tags || source_refs || confidence || importance || polarity || valid_from FROM memories"),
      "[\"one\"][\"a\",\"b\"]0.81.0-12026");
  assert_string_equal(
      ask(w,
          "SELECT count(*) FROM memories WHERE valid_until IS NULL AND created_at IS NULL AND status = 'active' AND project = ''"),
      "1");
  assert_string_equal(ask(w, "SELECT properties || hand_authored FROM entities"),
                      "{\"b\":4.80,\"a\":[1,{\"x\":null}]}1");
  assert_string_equal(
      ask(w, "SELECT value || value_kind || category FROM project_state WHERE id = 's'"),
      "12345678901234567890.10json");
  assert_string_equal(ask(w, "SELECT value || value_kind FROM project_state WHERE id = 's2'"),
                      "468text");
  assert_string_equal(
      ask(w, "SELECT value || value_kind || category FROM project_state WHERE id = 's3'"),
      "[\"a\",1]jsonx");
  assert_string_equal(ask(w, "SELECT from_id || to_id FROM relations"), "e7e3");
  assert_string_equal(ask(w, "SELECT rel FROM links"), "related");
  import(w, "");
  assert_int_equal(w->n.added + w->n.updated + w->n.unchanged + w->n.bad, 0);
}

static void again_changes_nothing(void **state) {
  static const char lines[] =
      "{\"kind\":\"project\",\"id\":\"p\",\"aliases\":[\"b\",\"a\",\"b\"]}\n" MEMORY(
          ",\"confidence\":0.1") ENTITY(",\"properties\":{\"a\":1}")
          STATE(
              ",\"value\":[1,\"x\"]") "{\"kind\":\"link\",\"src\":\"a\",\"dst\":\"b\",\"rel\":\"r\"}\n"
                                      "{\"kind\":\"memory\",\"memory_type\":\"t\",\"content\":\"no id\"}\n" CONFLICT(
                                          "c", ",\"rule\":\"slot/2\"");
  world *w = *state;
  create(w);
  import(w, lines);
  assert_int_equal(w->n.added, 7);
  assert_string_equal(ask(w, "SELECT count(*) FROM journal"), "7");
  const char *before = ask(w, "SELECT group_concat(hash) FROM journal");
  import(w, lines);
  assert_int_equal(w->n.added + w->n.updated + w->n.bad, 0);
  assert_int_equal(w->n.unchanged, 7);
  assert_string_equal(ask(w, "SELECT group_concat(hash) FROM journal"), before);
  /* Twice in one stream, with the keys in another order. */
  import(
      w,
      MEMORY(
          ",\"confidence\":0.1") "{\"id\":\"m\",\"confidence\":0.1,\"kind\":\"memory\",\"memory_type\":\"t\",\"content\":\"c\",\"scope\":null}\n");
  assert_int_equal(w->n.unchanged, 2);
}

static void ids_of_content(void **state) {
  world *w = *state;
  create(w);
  import(
      w,
      "{\"kind\":\"memory\",\"memory_type\":\"t\",\"content\":\"c\"}\n"
      "{\"content\":\"c\",\"memory_type\":\"t\",\"scope\":null,\"kind\":\"memory\"}\n"
      "{\"kind\":\"entity\",\"entity_type\":\"t\",\"name\":\"c\"}\n{\"kind\":\"project_state\",\"key\":\"t\",\"value\":\"c\"}\n"
      "{\"kind\":\"relation\",\"type\":\"t\",\"from\":\"c\",\"to\":\"d\"}\n");
  assert_int_equal(w->n.added, 4);
  assert_int_equal(w->n.unchanged, 1);
  assert_str(hm_str_digest_hex(
                 w->a, HM_STR("{\"content\":\"c\",\"kind\":\"memory\",\"memory_type\":\"t\"}"), 16),
             ask(w, "SELECT substr(id, 3) FROM memories WHERE id LIKE 'm-%'"));
  assert_string_equal(ask(w, "SELECT length(id) FROM entities WHERE id LIKE 'e-%'"), "18");
  assert_string_equal(ask(w, "SELECT length(id) FROM project_state WHERE id LIKE 's-%'"), "18");
  assert_string_equal(ask(w, "SELECT length(id) FROM relations WHERE id LIKE 'r-%'"), "18");
}

static void updates_are_journaled(void **state) {
  world *w = *state;
  int64_t lines, bad;
  create(w);
  import(w, MEMORY(",\"scope\":\"git\",\"agent\":\"x\""));
  import(w, "{\"kind\":\"memory\",\"id\":\"m\",\"content\":\"d\",\"scope\":null}\n"); /* only what
                                                                                         changes */
  assert_int_equal(w->n.updated, 1);
  assert_string_equal(ask(w, "SELECT content || agent FROM memories WHERE scope IS NULL"), "dx");
  assert_string_equal(
      ask(w, "SELECT verb || ' ' || actor || ' ' || at || ' ' || ref FROM journal WHERE seq = 2"),
      "import tester 2026-05-01T00:00:00Z memory:m");
  assert_string_equal(
      ask(w, "SELECT before FROM journal WHERE seq = 2"),
      "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"t\",\"content\":\"c\",\"project\":\"\",\"status\":\"active\",\"scope\":\"git\",\"agent\":\"x\"}");
  assert_string_equal(
      ask(w, "SELECT after FROM journal WHERE seq = 2"),
      "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"t\",\"content\":\"d\",\"project\":\"\",\"status\":\"active\",\"agent\":\"x\"}");
  assert_string_equal(
      ask(w, "SELECT count(*) FROM journal WHERE seq = 1 AND before IS NULL AND after IS NOT NULL"),
      "1");
  import(w,
         "{\"kind\":\"memory\",\"id\":\"m\",\"status\":null,\"project\":null}\n"); /* back to their
                                                                                      defaults */
  assert_int_equal(w->n.unchanged, 1);
  /* An inverted window is told by a sweep, and does not refuse a file. */
  import(w,
         "{\"kind\":\"memory\",\"id\":\"m\",\"valid_until\":\"2025\",\"valid_from\":\"2026\"}\n");
  assert_int_equal(w->n.updated, 1);
  import(w, "{\"kind\":\"project\",\"id\":\"p\",\"aliases\":[\"a\"]}\n");
  import(w, "{\"kind\":\"project\",\"id\":\"p\",\"aliases\":[\"b\"]}\n");
  assert_int_equal(w->n.updated, 1);
  assert_string_equal(ask(w, "SELECT group_concat(alias) FROM project_aliases"), "b");
  import(w, "{\"kind\":\"project\",\"id\":\"q\",\"aliases\":[\"a\"]}\n");   /* free again */
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(bad, 0);
  assert_int_equal(lines, 6);
}

typedef struct { hm_arena *a; hm_buf lines; } heard;
static void hear(void *ctx, const hm_err *err) {
  hm_buf_c(&((heard *)ctx)->lines, err->what);
  hm_buf_ch(&((heard *)ctx)->lines, '\n');
}

static void keeps_going(void **state) {
  world *w = *state;
  heard h = { w->a, { 0 } };
  create(w);
  ok(w,
     import_bytes(
         w,
         HM_STR(
             "bad\n"
             "{\"kind\":\"project\",\"id\":\"p\",\"aliases\":[\"a\"]}\n"
             "{\"kind\":\"project\",\"id\":\"q\",\"aliases\":[\"c\",\"a\",\"b\"]}\n" /* fails after
                                                                                        "c" was
                                                                                        written */
             MEMORY(",\"confidence\":7")
                 MEMORY(",\"confidence\":0.7") /* the bad line before does not count */
             MEMORY(",\"confidence\":0.8") CONFLICT("c1", ",\"anchor\":\"memory:m#content\"") CONFLICT(
                 "c2",
                 ",\"anchor\":\"memory:m#content\"") "{\"kind\":\"project\",\"id\":\"r\",\"aliases\":[\"c\"]}\n"),
         true, hear, &h));
  assert_str(hm_buf_view(&h.lines),
             "f:1:1\nf:3: aliases\nf:4:59: confidence\nf:6: id\nf:8: slot_key\n");
  hm_buf_free(&h.lines);
  assert_int_equal(w->n.added, 4);
  assert_int_equal(w->n.bad, 5);
  assert_string_equal(ask(w, "SELECT confidence FROM memories"), "0.7");
  assert_string_equal(ask(w, "SELECT count(*) FROM projects"), "2");
  assert_string_equal(ask(w, "SELECT group_concat(id) FROM conflicts"), "c1");
  int64_t lines, bad;
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(lines, 4);
  assert_int_equal(bad, 0);
}

static void settling_may_come_later(void **state) {
  world *w = *state;
  create(w);
  import(w, CONFLICT("c5", ""));
  /* c1 is open on the slot of c5, which a later line settles. */
  import(w,
         CONFLICT("c1", "") CONFLICT("c5", ",\"status\":\"dismissed\",\"resolved_at\":\"2026\""));
  assert_int_equal(w->n.added, 1);
  assert_int_equal(w->n.updated, 1);
  assert_string_equal(
      ask(w, "SELECT group_concat(id || status, ' ') FROM (SELECT * FROM conflicts ORDER BY id)"),
      "c1open c5dismissed");
}

static void conflicts(void **state) {
  world *w = *state;
  create(w);
  import(
      w,
      "{\"kind\":\"conflict\",\"id\":\"c0\",\"status\":\"resolved\",\"slot_kind\":\"cross_layer\",\"slot_key\":[\"p\",\"k\"],"
      "\"project\":\"p\",\"rule\":\"slot/3\",\"detected_at\":\"2026-01-01\",\"resolved_at\":\"2026-02\",\"resolution\":\"because\","
      "\"action\":\"supersede_others\",\"winner\":\"entity:e\",\"resolved_by\":\"me\",\"members\":["
      "{\"member_kind\":\"memory\",\"member_id\":\"m\",\"field\":\"content\",\"value\":\"5\",\"normal\":\"number:5\",\"flagged\":true,\"conflicts_with\":\"entity:e\"},"
      "{\"member_kind\":\"entity\",\"member_id\":\"e\",\"field\":\"value\",\"value\":\"6\",\"normal\":\"number:6\",\"flagged\":false,\"conflicts_with\":null}]}\n");
  hm_snapshot *s = snapshot(w, true);
  const hm_conflict_rec *c = &s->conflicts[0];
  assert_int_equal(c->status, HM_RESOLVED);
  assert_str(c->slot_key, "[\"p\",\"k\"]");
  assert_str(c->rule, "slot");
  assert_int_equal(c->rule_version, 3);
  assert_str(c->resolution, "because");
  assert_str(c->action, "supersede_others");
  assert_str(c->winner, "entity:e");
  assert_str(c->resolved_by, "me");
  assert_int_equal(c->n_members, 2);
  assert_str(c->members[0].id, "e");
  assert_str(c->members[1].normal, "number:5");
  assert_true(c->members[1].flagged);
  assert_string_equal(
      ask(w,
          "SELECT group_concat(member_layer_trust) FROM (SELECT * FROM conflict_members ORDER BY 3)"),
      "2,1");
  assert_int_equal(s->n_rows, 0);
}

static void long_and_deep(void **state) {
  world *w = *state;
  hm_buf b = { 0 };
  create(w);
  hm_buf_c(&b, "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"t\",\"content\":\"");
  for (int i = 0; i < 300000; i++) hm_buf_c(&b, "0123456789");
  hm_buf_c(&b, "\"}\n");
  hm_buf_c(&b, "{\"kind\":\"memory\",\"id\":\"m2\",\"memory_type\":\"t\",\"content\":\"c\"}\n");
  ok(w, import_bytes(w, hm_buf_view(&b), false, NULL, NULL));
  assert_string_equal(ask(w, "SELECT length(content) FROM memories WHERE id = 'm'"), "3000000");
  hm_buf_clear(&b);
  hm_buf_c(&b, "{\"kind\":\"project_state\",\"id\":\"s\",\"key\":\"k\",\"value\":");
  for (int i = 0; i < 100000; i++) hm_buf_ch(&b, '[');
  assert_int_equal(import_bytes(w, hm_buf_view(&b), false, NULL, NULL), -1);
  assert_int_equal(w->err.code, HM_E_INPUT);
  hm_buf_free(&b);
}

static void unreadable(void **state) {
  world *w = *state;
  hm_import_options opt = { .name = "dir", .who = { HM_EMPTY, HM_EMPTY } };
  create(w);
  FILE *in = fopen(w->dir, "r");   /* a folder opens, and then cannot be read */
  assert_non_null(in);
  assert_int_equal(hm_import(w->s, in, &opt, &w->n, &w->err), -1);
  fclose(in);
  assert_string_equal(w->err.what, "dir");
  assert_int_equal(w->err.code, HM_E_INPUT);
}

static void works_without_err(void **state) {
  world *w = *state;
  hm_import_options opt = { .name = "f", .keep_going = true, .who = { HM_EMPTY, HM_EMPTY } };
  create(w);
  FILE *in = fmemopen((void *)"bad\n{}\n", 7, "r");
  assert_int_equal(hm_import(w->s, in, &opt, &w->n, NULL), 0);
  fclose(in);
  assert_int_equal(w->n.bad, 2);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(errors),
    T(what_is_stored),
    T(again_changes_nothing),
    T(ids_of_content),
    T(updates_are_journaled),
    T(keeps_going),
    T(settling_may_come_later),
    T(conflicts),
    T(long_and_deep),
    T(unreadable),
    T(works_without_err),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
