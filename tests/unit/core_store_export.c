/* export, import, export again gives the same bytes: for the format's own
 * records, for random ones, and for what other programs wrote. */
#include "tests/unit/core_store_help.h"
#include "core/base/json.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_store_realistic.h"

/* A second store made of the first one's export must export the same. */
static void check_round_trip(world *w) {
  hm_str first = export(w), before = snapshot(w, true)->digest;
  hm_store_close(w->s);
  w->s = NULL;
  unlink(w->path);
  create(w);
  ok(w, import_bytes(w, first, false, NULL, NULL));
  hm_str second = export(w);
  if (!hm_str_eq(first, second)) fail_msg("%.*s\nbecame\n%.*s", HM_FMT(first), HM_FMT(second));
  assert_true(hm_str_eq(before, snapshot(w, true)->digest));
  ok(w, import_bytes(w, first, false, NULL, NULL));
  assert_int_equal(w->n.added + w->n.updated, 0);
}

static void form(void **state) {
  static const char lines[] =
      "{\"kind\":\"project\",\"id\":\"p\",\"name\":\"P\",\"aliases\":[\"a\",\"b\"],\"description\":\"d\",\"created_at\":\"2026\",\"updated_at\":\"2027\"}\n"
      "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"t\",\"content\":\"c\",\"project\":\"p\",\"status\":\"candidate\",\"confidence\":0.8,"
      "\"importance\":1,\"polarity\":-1,\"scope\":\"s\",\"agent\":\"g\",\"slot_rule\":\"r\",\"tags\":[\"a\",\"b\"],\"source_refs\":[],"
      "\"valid_from\":\"2026\",\"valid_until\":\"2027\",\"superseded_by\":\"m2\",\"superseded_at\":\"2026-04\",\"graduated_to\":\"entity:e\","
      "\"created_at\":\"2026-04-02\",\"updated_at\":\"2026-04-02 10:00\",\"last_accessed_at\":\"2026-04-02T09:00:00+02:00\"}\n"
      "{\"kind\":\"entity\",\"id\":\"e\",\"entity_type\":\"T\",\"name\":\"n\",\"project\":\"\",\"description\":\"\",\"properties\":{\"b\":1.50,\"a\":null},"
      "\"status\":\"active\",\"confidence\":0.1,\"hand_authored\":false}\n"
      "{\"kind\":\"project_state\",\"id\":\"s\",\"project\":\"p\",\"category\":\"c\",\"key\":\"k\",\"value\":12345678901234567890.10,\"status\":\"active\"}\n"
      "{\"kind\":\"project_state\",\"id\":\"s2\",\"project\":\"p\",\"category\":\"\",\"key\":\"k\",\"value\":\"[1]\",\"status\":\"active\"}\n"
      "{\"kind\":\"project_state\",\"id\":\"s3\",\"project\":\"p\",\"category\":\"\",\"key\":\"k\",\"value\":[1,\"x\",[true]],\"status\":\"active\"}\n"
      "{\"kind\":\"relation\",\"id\":\"r\",\"type\":\"USES\",\"project\":\"\",\"from\":\"a\",\"to\":\"memory:b\",\"properties\":{},\"status\":\"active\"}\n"
      "{\"kind\":\"link\",\"src\":\"a\",\"dst\":\"c\",\"rel\":\"q\"}\n"
      "{\"kind\":\"link\",\"src\":\"a\",\"dst\":\"b\",\"rel\":\"r\"}\n"
      "{\"kind\":\"conflict\",\"id\":\"c\",\"status\":\"dismissed\",\"slot_kind\":\"cross_layer\",\"slot_key\":[\"p\",\"k\"],\"project\":\"p\",\"rule\":\"slot/1\","
      "\"detected_at\":\"2026\",\"resolved_at\":\"2027\",\"resolution\":\"x\",\"action\":\"no_action\",\"winner\":\"entity:e\",\"resolved_by\":\"me\","
      "\"anchor\":\"entity:e#value\",\"merged_into\":\"c2\",\"window_from\":\"2026\",\"window_until\":\"2027\","
      "\"members\":[{\"member_kind\":\"entity\",\"member_id\":\"e\",\"field\":\"value\",\"value\":\"1\",\"normal\":\"number:1\",\"flagged\":false},"
      "{\"member_kind\":\"memory\",\"member_id\":\"m\",\"field\":\"content\",\"value\":\"2\",\"flagged\":true,\"conflicts_with\":\"entity:e\"}]}\n";
  world *w = *state;
  create(w);
  import(w, lines);
  assert_string_equal(hm_str_z(w->a, export_rows(w)), lines);
  check_round_trip(w);
}

/* --- random records --------------------------------------------------------- */

static void put_random(hm_buf *b, uint64_t *seed) {
  static const char *const parts[] = { "a",
                                       "Z9",
                                       " ",
                                       "\"",
                                       "\\",
                                       "\n",
                                       "\x01",
                                       "\x7f",
                                       "</script>",
                                       "<!--",
                                       "\xe2\x80\xa8",
                                       "\xf0\x9f\x98\x80",
                                       "\xef\xbf\xbd",
                                       "|",
                                       "é",
                                       "{\"a\":1}",
                                       "null",
                                       "0.1",
                                       "\xef\xbb\xbf",
                                       "''",
                                       "%s" };
  char bytes[160];
  size_t n = 0, count = prng(seed) % 6;
  for (size_t i = 0; i < count; i++) {
    uint64_t r = prng(seed) % (sizeof parts / sizeof *parts + 1);
    if (r == sizeof parts / sizeof *parts) bytes[n++] = 0;
    else {
      size_t k = strlen(parts[r]);
      memcpy(bytes + n, parts[r], k);
      n += k;
    }
  }
  hm_json_write_str(b, (hm_str){ bytes, n });
}

static void put_key(hm_buf *b, const char *key) { hm_buf_fmt(b, ",\"%s\":", key); }

static void put_json(hm_buf *b, uint64_t *seed, int depth) {
  static const char *const plain[] = {
    "12345678901234567890.10", "-0", "1e400", "0.1000", "true", "false", "4E+3", "468"
  };
  uint64_t r = prng(seed) % (depth ? 12 : 9);
  if (r < 8) hm_buf_c(b, plain[r]);
  else if (r == 8) put_random(b, seed);
  else if (r < 11) {
    hm_buf_ch(b, '[');
    for (uint64_t i = prng(seed) % 4, first = 1; i; i--, first = 0) {
      if (!first) hm_buf_ch(b, ',');
      put_json(b, seed, depth - 1);
    }
    hm_buf_ch(b, ']');
  } else {
    hm_buf_ch(b, '{');
    for (uint64_t i = prng(seed) % 4, first = 1; i; i--, first = 0) {
      hm_buf_fmt(b, "%s\"k%d\":", first ? "" : ",", (int)i);
      put_json(b, seed, depth - 1);
    }
    hm_buf_ch(b, '}');
  }
}

static void put_properties(hm_buf *b, uint64_t *seed) {
  put_key(b, "properties");
  hm_buf_ch(b, '{');
  for (uint64_t i = prng(seed) % 5, first = 1; i; i--, first = 0) {
    hm_buf_fmt(b, "%s\"k%d\":", first ? "" : ",", (int)i);
    put_json(b, seed, 3);
  }
  hm_buf_ch(b, '}');
}

static void put_common(hm_buf *b, uint64_t *seed) {
  static const char *const statuses[] = { "candidate", "active", "superseded", "invalid",
                                          "graduated" };
  uint64_t bits = prng(seed);
  if (bits & 1) hm_buf_fmt(b, ",\"status\":\"%s\"", statuses[prng(seed) % 5]);
  if (bits & 2) { put_key(b, "project"); put_random(b, seed); }
  if (bits & 4)
    hm_buf_fmt(b, ",\"confidence\":%.17g", (double)(prng(seed) >> 11) / 9007199254740992.0);
  if (bits & 8) hm_buf_c(b, ",\"valid_from\":\"2026-04\",\"valid_until\":null");
  if (bits & 16) { put_key(b, "superseded_by"); put_random(b, seed); }
  if (bits & 32) hm_buf_c(b, ",\"created_at\":\" 2026-04-02T09:00:00.25+01:30 \"");
}

static void put_record(hm_buf *b, uint64_t *seed, int i) {
  uint64_t bits = prng(seed);
  switch (prng(seed) % 6) {
    case 0:
      hm_buf_fmt(b, "{\"kind\":\"project\",\"id\":\"p%d\",\"aliases\":[\"x%d\",\"w%d\"]", i, i, i);
      if (bits & 1) { put_key(b, "name"); put_random(b, seed); }
      break;
    case 1:
      hm_buf_fmt(b, "{\"kind\":\"memory\",\"memory_type\":\"t%d\"", i);   /* an id of its content */
      put_key(b, "content");
      put_random(b, seed);
      put_common(b, seed);
      if (bits & 1) { hm_buf_c(b, ",\"tags\":["); put_random(b, seed); hm_buf_ch(b, ']'); }
      if (bits & 2) { put_key(b, "source_refs"); put_random(b, seed); }
      if (bits & 4) hm_buf_c(b, ",\"polarity\":-1");
      break;
    case 2:
      hm_buf_fmt(b, "{\"kind\":\"entity\",\"id\":\"\\u0000%d\",\"entity_type\":\"T\"", i);
      put_key(b, "name");
      put_random(b, seed);
      put_common(b, seed);
      put_properties(b, seed);
      if (bits & 1) hm_buf_c(b, ",\"hand_authored\":true");
      break;
    case 3: {
      hm_buf_fmt(b, "{\"kind\":\"project_state\",\"id\":\"s\\\"%d\"", i);
      put_key(b, "key");
      put_random(b, seed);
      put_common(b, seed);
      put_key(b, "value");
      if (bits & 1) put_random(b, seed);
      else { hm_buf_ch(b, '['); put_json(b, seed, 3); hm_buf_ch(b, ']'); }
      break;
    }
    case 4:
      hm_buf_fmt(b, "{\"kind\":\"relation\",\"id\":\"%d\",\"type\":\"U\"", i);
      put_key(b, "from");
      put_random(b, seed);
      put_key(b, "to");
      put_random(b, seed);
      put_common(b, seed);
      put_properties(b, seed);
      break;
    default:
      hm_buf_fmt(
          b, "{\"kind\":\"conflict\",\"id\":\"c%d\",\"detected_at\":\"2026\",\"slot_key\":[\"%d\",",
          i, i);
      put_random(b, seed);
      hm_buf_c(b, "],\"members\":[");
      for (int k = (int)(bits % 4); k; k--) {
        hm_buf_fmt(b, "{\"member_kind\":\"%s\",\"member_id\":\"%d\",\"value\":",
                   hm_layer_name((hm_layer)(1 + prng(seed) % 3)), k);
        put_random(b, seed);
        hm_buf_c(b, k > 1 ? ",\"flagged\":true}," : "}");
      }
      hm_buf_ch(b, ']');
      if (bits & 64) { put_key(b, "resolution"); put_random(b, seed); }
  }
  hm_buf_c(b, "}\n");
}

static void random_records(void **state) {
  world *w = *state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t s = seed;
    hm_buf b = { 0 };
    hm_store_close(w->s);
    w->s = NULL;
    unlink(w->path);
    create(w);
    for (int i = 0; i < 60; i++) put_record(&b, &s, i);
    ok(w, import_bytes(w, hm_buf_view(&b), false, NULL, NULL));
    assert_int_equal(w->n.added, 60);
    hm_buf_free(&b);
    check_round_trip(w);
  }
}

static void realistic_stores(void **state) {
  world *w = *state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    uint64_t random = seed;
    hm_buf b = { 0 };
    hm_store_close(w->s);
    w->s = NULL;
    unlink(w->path);
    create(w);
    realistic_store(&b, &random, 200);
    ok(w, import_bytes(w, hm_buf_view(&b), false, NULL, NULL));
    hm_buf_free(&b);
    assert_true(atoi(ask(w, "SELECT count(*) FROM memories WHERE length(content) > 1000")) > 2);
    assert_true(atoi(ask(w, "SELECT count(*) FROM relations")) == 50);
    assert_true(atoi(ask(w, "SELECT count(*) FROM links")) > 40);
    assert_true(atoi(ask(w, "SELECT count(DISTINCT status) FROM conflicts")) == 4);
    for (int i = 0; seed % 2 && i < REALISTIC_DELETES; i++) sql(w, realistic_deletes[i]);
    check_round_trip(w);
  }
}

/* --- what import would refuse, but the store holds ----------------------------- */

static void as_stored(void **state) {
  world *w = *state;
  create(w);
  sql(w,
      "INSERT INTO memories (id) VALUES ('bare');"
      "INSERT INTO memories (id, memory_type, content, status, confidence, importance, polarity, tags, source_refs, valid_from, valid_until)"
      " VALUES ('odd','','','weird','high',7.5,3,'plain','[1,\"a\"]','soon','2025');"
      "INSERT INTO entities (id, entity_type, name, properties, hand_authored) VALUES ('a','T','n','not json',2),"
      " ('b','T','n','[1]',NULL), ('c','T','n',' { \"x\" : 1.0 } ',1), ('d','T','n','{\"a\":1,\"a\":2}',0), ('e','T','n','',0);"
      "INSERT INTO project_state (id, key, value, value_kind) VALUES ('a','k',NULL,'text'),('b','k','{\"a\":1}','json'),"
      " ('c','k','oops','json'),('d','k','\"str\"','json'),('e','k','null','json'),('f','k','{\"a\":1}','text');"
      "INSERT INTO relations (id, type) VALUES ('r', 'T');"
      "INSERT INTO conflicts (id, slot_key, detected_at, action) VALUES ('c','not json','never','flip');"
      "INSERT INTO projects (id, created_at) VALUES ('p', '')");
  hm_str text = export(w);
  static const char *const lines[] = {
    "{\"kind\":\"memory\",\"id\":\"bare\",\"project\":\"\",\"status\":\"active\",\"as_stored\":{\"memory_type\":null,\"content\":null}}\n",
    "\"as_stored\":{\"status\":\"weird\",\"confidence\":\"high\",\"importance\":\"7.5\",\"polarity\":\"3\",\"tags\":\"plain\",\"source_refs\":\"[1,\\\"a\\\"]\",\"valid_from\":\"soon\"}}\n",
    "\"as_stored\":{\"properties\":\"not json\",\"hand_authored\":\"2\"}}\n",
    "\"id\":\"c\",\"entity_type\":\"T\",\"name\":\"n\",\"project\":\"\",\"properties\":{\"x\":1.0},",
    "\"as_stored\":{\"properties\":\"{\\\"a\\\":1,\\\"a\\\":2}\"}}\n",
    "\"as_stored\":{\"value\":null,\"value_kind\":\"text\"}}\n",
    "\"as_stored\":{\"value\":\"{\\\"a\\\":1}\",\"value_kind\":\"json\"}}\n",
    "\"value\":\"{\\\"a\\\":1}\",\"status\":\"active\"}\n",
    "\"as_stored\":{\"from_id\":null,\"to_id\":null}}\n",
    "\"as_stored\":{\"slot_key\":\"not json\",\"detected_at\":\"never\",\"action\":\"flip\"}}\n",
    "\"as_stored\":{\"created_at\":\"\"}}\n",
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (hm_str_find(text, lines[i]) < 0) fail_msg("%s is not in\n%.*s", lines[i], HM_FMT(text));
  sql(w, "UPDATE entities SET properties = '{\"x\":1.0}' WHERE id = 'c'"); /* spelled as export
                                                                              spells it */
  check_round_trip(w);
  assert_string_equal(
      ask(w, "SELECT typeof(importance) || typeof(confidence) FROM memories WHERE id = 'odd'"),
      "realtext");
}

/* Bytes that no JSON can carry become U+FFFD, once: the second round is exact. */
static void bad_bytes(void **state) {
  world *w = *state;
  create(w);
  sql(w,
      "INSERT INTO memories (id, memory_type, content) VALUES (CAST(x'ff' AS TEXT), 't', CAST(x'61ff00c3' AS TEXT)),"
      " ('\xf0\x9f\x98\x80', 't', x'00');");
  hm_str first = export(w);
  hm_store_close(w->s);
  w->s = NULL;
  unlink(w->path);
  create(w);
  ok(w, import_bytes(w, first, false, NULL, NULL));
  assert_int_equal(w->n.added, 2);
  assert_true(hm_str_eq(first, export(w)));
}

static void confidences(void **state) {
  static const struct { const char *in, *out;
  } cases[] = {
    { "0.8", "0.8" },
    { "0.80", "0.8" },
    { "1", "1" },
    { "1.0", "1" },
    { "0", "0" },
    { "-0", "0" },
    { "0.1", "0.1" },
    { "0.30000000000000004", "0.30000000000000004" },
    { "1e-7", "1e-07" },
    { "0.123456789012345678901234567890", "0.12345678901234568" },
    { "5e-324", "4.94065645841247e-324" },
    { "0.9999999999999999", "0.9999999999999999" },
  };
  world *w = *state;
  create(w);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    import(
        w,
        hm_str_fmt(
            w->a,
            "{\"kind\":\"memory\",\"id\":\"m\",\"memory_type\":\"t\",\"content\":\"c\",\"confidence\":%s}\n",
            cases[i].in)
            .p);
    const char *expected = hm_str_fmt(w->a, "\"confidence\":%s}\n", cases[i].out).p;
    if (!hm_str_ends(export_rows(w), expected)) fail_msg("%s: %.*s", cases[i].in, HM_FMT(export(w)));
    assert_str(snapshot(w, true)->details[0].confidence, cases[i].out);
    import(w, hm_str_z(w->a, export(w)));
    assert_int_equal(w->n.unchanged, 1);
  }
}

static void output_fails(void **state) {
  world *w = *state;
  create(w);
  import(w, "{\"kind\":\"project\",\"id\":\"p\"}\n");
  FILE *full = fopen("/dev/full", "w");
  if (!full) skip();
  assert_int_equal(hm_export(w->s, full, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_OUTPUT);
  fclose(full);
  ok(w, hm_store_begin(w->s, true, &w->err));   /* no transaction is left open */
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = { T(form),      T(random_records), T(realistic_stores), T(as_stored),
                                      T(bad_bytes), T(confidences),    T(output_fails) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
