/* CSV rows as records: separators, quoting, names of columns, types of cells, and every mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/foreign/readers.h"

typedef struct {
  hm_record_place place;
  hm_err err;
  hm_csv *csv;
  hm_buf out;
  int64_t lines[8];
  size_t rows;
  bool keep_going;
} reading_csv;

static int on_record(void *ctx, const hm_json *record) {
  reading_csv *r = ctx;
  r->lines[r->rows++ % 8] = r->place.number;
  if (record) hm_json_write(&r->out, record);
  else hm_buf_c(&r->out, "bad");
  hm_buf_ch(&r->out, '\n');
  return record || r->keep_going ? 0 : -1;
}

/* The records of the text, a line each; or the error. */
static const char *read_csv(reading_csv *r, hm_arena *a, const char *layer, hm_str text,
                            bool keep_going) {
  static char line[2048];
  int kind, rc = 0;
  *r = (reading_csv){ .place = { .name = "f", .err = &r->err }, .keep_going = keep_going };
  r->place.err = &r->err;
  assert_int_equal(hm_csv_layer(layer, &kind, &r->err), 0);
  r->csv = hm_csv_new(kind, &r->place, on_record, r);
  for (size_t from = 0; from < text.n && !rc;) {
    const char *end = memchr(text.p + from, '\n', text.n - from);
    size_t to = end ? (size_t)(end - text.p) : text.n;
    r->place.number++;
    rc = hm_csv_line(r->csv, hm_str_sub(text, from, to));
    from = to + 1;
  }
  if (!rc) rc = hm_csv_end(r->csv);
  hm_csv_free(r->csv);
  hm_str out = hm_buf_take(&r->out, a);
  if (!rc) return hm_str_z(a, out);
  hm_err_format_line(&r->err, line, sizeof line);
  return line;
}

static void check(const char *layer, const char *text, const char *wanted) {
  reading_csv r;
  hm_arena *a = hm_arena_new();
  const char *got = read_csv(&r, a, layer, hm_str_c(text), false);
  if (strcmp(got, wanted)) fail_msg("%s\ngives %s\nnot   %s", text, got, wanted);
  hm_arena_free(a);
}

#define STATE "{\"kind\":\"project_state\","
#define MEMORY "{\"kind\":\"memory\",\"memory_type\":\"k\","
#define ENTITY "{\"kind\":\"entity\","

static void rows(void **state) {
  (void)state;
  /* separators, line ends, a last line without one */
  check("state", "key,value\na,b\nc,d",
        STATE "\"key\":\"a\",\"value\":\"b\"}\n" STATE "\"key\":\"c\",\"value\":\"d\"}\n");
  check("project_state", "key;value\r\na;b,c\r\n", STATE "\"key\":\"a\",\"value\":\"b,c\"}\n");
  check("project_state", "key\tvalue\na\tb;c,d\n", STATE "\"key\":\"a\",\"value\":\"b;c,d\"}\n");
  check("project_state", "sep=|\nkey|value\na|b\n", STATE "\"key\":\"a\",\"value\":\"b\"}\n");
  check("project_state", "key,value\ra,b\rc,d\r",
        STATE "\"key\":\"a\",\"value\":\"b\"}\n" STATE "\"key\":\"c\",\"value\":\"d\"}\n");
  check("project_state", "\"a;b;c;key\";value\n",
        "f:1: column 1: a;b;c;key: no key of a"
        " project_state: known keys: id, project, category, key, value, status, source, confidence,"
        " valid_from, valid_until, superseded_by, superseded_at, created_at, updated_at");
  /* quotes, line breaks in them, blank rows */
  check("state", "key,value\n\"a \"\"b\"\"\",\"x, y\nz\"\n\n,\n  \n\" c\",\"\"\n",
        STATE "\"key\":\"a \\\"b\\\"\",\"value\":\"x, y\\nz\"}\n" STATE "\"key\":\" c\"}\n");
  check("state", "key,value\n\"\n\",\"\n\"\"\n\"\n",
        STATE "\"key\":\"\\n\",\"value\":\"\\n\\\"\\n\"}\n");
  /* what is written stays: zeros, numbers, words */
  check("state", "key,value\na,4.80\nb,007\nc,1e5\nd, TRUE \n",
        STATE "\"key\":\"a\",\"value\":\"4.80\"}\n" STATE "\"key\":\"b\",\"value\":\"007\"}\n" STATE
              "\"key\":\"c\",\"value\":\"1e5\"}\n" STATE "\"key\":\"d\",\"value\":\"TRUE\"}\n");
  /* an empty cell says nothing */
  check("state", "id,key,value,confidence\n,a,b,\n,a,,0.50\n",
        STATE "\"key\":\"a\",\"value\":\"b\"}\n" STATE "\"key\":\"a\",\"confidence\":0.50}\n");
}

static void columns(void **state) {
  (void)state;
  check("memory", "Memory type,CONTENT,Valid-From,kind\nk,c,2026,memory\n",
        MEMORY "\"content\":\"c\",\"valid_from\":\"2026\"}\n");
  check("memory", "memory_type,content,tags,source_refs,confidence,polarity\nk,c,a; b;,x,0.8,-1\n",
        MEMORY "\"content\":\"c\",\"tags\":[\"a\",\"b\"],\"source_refs\":[\"x\"],"
               "\"confidence\":0.8,\"polarity\":-1}\n");
  check("entity", "entity_type,name,Mass,properties.name,hand_authored\nT,n,4.80,m,TRUE\nT,o,,,\n",
        ENTITY "\"properties\":{\"Mass\":\"4.80\",\"name\":\"m\"},\"entity_type\":\"T\","
               "\"name\":\"n\",\"hand_authored\":true}\n" ENTITY
               "\"properties\":{},\"entity_type\":\"T\",\"name\":\"o\"}\n");
  check("entities", "entity_type,name,properties\nT,n,\"{\"\"a\"\":[1]}\"\n",
        ENTITY "\"entity_type\":\"T\",\"name\":\"n\",\"properties\":{\"a\":[1]}}\n");
  check("relation", "type,from,to,properties.n\nU,e1,e2,5\n",
        "{\"kind\":\"relation\",\"properties\":{\"n\":\"5\"},\"type\":\"U\",\"from\":\"e1\","
        "\"to\":\"e2\"}\n");
  check("project", "id,aliases,\np,a;b,\n",
        "{\"kind\":\"project\",\"id\":\"p\",\"aliases\":[\"a\",\"b\"]}\n");
}

static void mistakes(void **state) {
  (void)state;
  check("memory", "type,content\n",
        "f:1: column 1: type: no key of a memory: did you mean"
        " 'memory_type'? known keys: id, memory_type, content, project, status, confidence,"
        " importance, polarity, scope, agent, slot_rule, tags, source_refs, valid_from,"
        " valid_until, superseded_by, superseded_at, graduated_to, created_at, updated_at,"
        " last_accessed_at, via");
  check("entity", "entity_type,name,Confidance\n",
        "f:1: column 3: Confidance: no key of an entity:"
        " did you mean 'confidence'? a property is named properties.Confidance");
  check("memory", "memory_type,content,properties.x\n",
        "f:1: column 3: properties.x: no key of a"
        " memory: known keys: id, memory_type, content, project, status, confidence, importance,"
        " polarity, scope, agent, slot_rule, tags, source_refs, valid_from, valid_until,"
        " superseded_by, superseded_at, graduated_to, created_at, updated_at, last_accessed_at, via");
  check("state", "key\n",
        "f:1: no column 'value': add it; the first row names the columns by the keys of"
        " the import format");
  check("state", "key,value,Key\n",
        "f:1: column 3: Key: column 1 has this name too: keep one of"
        " the two");
  check("entity", "entity_type,name,a,a\n",
        "f:1: column 4: a: column 3 has this name too: keep one"
        " of the two");
  check("entity", "entity_type,name,a,properties\n",
        "f:1: a column 'properties' beside columns of"
        " single properties: keep one of the two ways");
  check("state", "key,value,,\na,b,,\na,b,,c\n",
        "f:3: column 4: the header has no name for this"
        " column: name it");
  check("state", "kind,key,value\nmemory,a,b\n",
        "f:2: column 1: kind: another kind of record:"
        " import each layer from a file of its own");
  check("state", "key,value\n\na\n",
        "f:3: a row of 1 where the header names 2 columns: check the"
        " quotes and separators of the row");
  check("state", "key,value\n\"a\n\",b,c\n",
        "f:2: a row of 3 where the header names 2 columns:"
        " check the quotes and separators of the row");
  check("state", "key,value\na,5\" pipe\n",
        "f:2: column 2: value: a quote in the middle of a cell:"
        " put the whole cell in quotes, and double those inside it");
  check("state", "key,value\na,\"b\" c\n",
        "f:2: column 2: value: a quote in the middle of a cell:"
        " put the whole cell in quotes, and double those inside it");
  check("state", "key,value\na,b\nc,\"d\ne,f\n",
        "f:3: column 2: value: a quote that is never"
        " closed: close it, or double it where the cell has one");
  check("state", "\n\n", "f:2: no header: the first row names the columns");
  check("state", "", "f: no header: the first row names the columns");
}

static void layers(void **state) {
  (void)state;
  hm_err err;
  int layer;
  char line[2048];
  assert_int_equal(hm_csv_layer("memroy", &layer, &err), -1);
  hm_err_format_line(&err, line, sizeof line);
  assert_string_equal(line,
                      "--csv: unknown: \"memroy\": did you mean 'memory'? give the layer of"
                      " the rows: memory, entity, project_state, relation, project");
  assert_int_equal(hm_csv_layer("conflict", &layer, &err), -1);
}

static void bad_rows_may_be_skipped(void **state) {
  (void)state;
  reading_csv r;
  hm_arena *a = hm_arena_new();
  hm_str text = HM_STR("key,value\n\"a\n\n\",b\nc\nd,e,f\ng,h\n");
  const char *got = read_csv(&r, a, "state", text, true);
  assert_string_equal(got,
                      STATE "\"key\":\"a\\n\\n\",\"value\":\"b\"}\nbad\nbad\n" STATE
                            "\"key\":\"g\",\"value\":\"h\"}\n");
  assert_int_equal(r.lines[0], 2);
  assert_int_equal(r.lines[1], 5);
  assert_int_equal(r.lines[3], 7);
  hm_arena_free(a);
}

/* The widest header, and the row that is wider than that. */
static void wide(void **state) {
  (void)state;
  reading_csv r;
  hm_arena *a = hm_arena_new();
  hm_buf text = { 0 };
  hm_buf_c(&text, "entity_type,name");
  for (int i = 0; i < 998; i++) hm_buf_fmt(&text, ",p%d", i);
  hm_buf_c(&text, "\nT,n");
  for (int i = 0; i < 998; i++) hm_buf_c(&text, ",v");
  size_t whole = text.n;
  assert_string_not_equal(read_csv(&r, a, "entity", hm_buf_view(&text), false), "");
  assert_int_equal(r.rows, 1);
  hm_buf_c(&text, ",v");
  assert_string_equal(read_csv(&r, a, "entity", hm_buf_view(&text), false),
                      "f:2: more than 1000 cells: leave columns out");
  text.n = whole;
  hm_buf_free(&text);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows),
    cmocka_unit_test(columns),
    cmocka_unit_test(mistakes),
    cmocka_unit_test(layers),
    cmocka_unit_test(bad_rows_may_be_skipped),
    cmocka_unit_test(wide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
