/* The table of values, tests/data/values.txt, through the claims of states: which contradict each
 * other, and which are one value in two spellings. Prints every line that fails. */
#include "core_claim_help.h"

#include <stdio.h>

#include "core/base/json.h"
#include "core/value/value_impl.h"
#include "tests/unit/manual_help.h"

enum { VALUES_MAX = 8 };

/* One line of the file, cut at its tabs. */
typedef struct { hm_str verdict, values, field, others; } table_line;

static hm_str cut(hm_str *line, char at) {
  const char *end = memchr(line->p, at, line->n);
  hm_str part = end ? hm_str_sub(*line, 0, (size_t)(end - line->p)) : *line;
  *line = hm_str_sub(*line, part.n + (end != NULL), line->n);
  return part;
}

/* Adds a row for each value of the array. */
static size_t add_rows(hm_arena *a, hm_row rows[VALUES_MAX], size_t n, hm_str values,
                       hm_str field) {
  static const char *const ids[VALUES_MAX] = { "a", "b", "c", "d", "e", "f", "g", "h" };
  hm_json *array = NULL;
  assert_int_equal(hm_json_parse(a, values, &array, NULL), 0);
  for (const hm_json *v = array->child; v && n < VALUES_MAX; v = v->next, n++) {
    rows[n] = help_row(HM_STATE, ids[n], "config", hm_str_z(a, field), "");
    rows[n].text = v->type == HM_JSON_STRING ? v->text : hm_json_as_text(v, a);
    rows[n].value_is_json = v->type != HM_JSON_STRING;
  }
  return n;
}

/* Do two of the values contradict each other in that field, beside the others? Each pair is asked
 * both ways. */
static bool contradict(hm_arena *a, const table_line *l) {
  hm_row rows[VALUES_MAX];
  bool any = false;
  size_t asked = add_rows(a, rows, 0, l->values, l->field);
  size_t n = l->others.n ? add_rows(a, rows, asked, l->others, l->field) : asked;
  hm_snapshot s = help_snapshot(a, rows, n);
  hm_claims *c = help_claims(&s, 1);
  for (size_t i = 0; i < c->n; i++)
    for (size_t k = 0; k < c->n; k++) {
      const hm_claim *x = &c->claims[i], *y = &c->claims[k];
      if (x->row >= asked || y->row >= asked) continue;
      bool differ = hm_claim_disagree(x, y, hm_rules_default(), 2);
      assert_int_equal(differ, hm_claim_disagree(y, x, hm_rules_default(), 2));
      if (hm_str_eq(x->value.key, y->value.key)) assert_false(differ);
      assert_true(hm_value_describe_difference(a, &x->value, &y->value, NULL).n > 0);
      any = any || differ;
    }
  hm_claims_free(c);
  return any;
}

static hm_str read_file(hm_arena *a, const char *path) {
  hm_buf b = { 0 };
  char piece[4096];
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  for (size_t n; (n = fread(piece, 1, sizeof piece, f));) hm_buf_add(&b, piece, n);
  fclose(f);
  return hm_buf_take(&b, a);
}

static void values_are_as_the_table_says(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new(), *scratch = hm_arena_new();
  hm_str rest = read_file(a, "tests/data/values.txt");
  size_t lines = 0, failed = 0;
  while (rest.n) {
    hm_str line = cut(&rest, '\n'), whole = line;
    if (!line.n || line.p[0] == '#') continue;
    table_line l;
    l.verdict = cut(&line, '\t');
    l.values = cut(&line, '\t');
    l.field = cut(&line, '\t');
    l.others = line;
    if (!l.field.n) l.field = HM_STR("value_of_it");
    lines++;
    if (contradict(scratch, &l) == hm_str_is(l.verdict, "differ")) continue;
    print_message("fails: %.*s\n", HM_FMT(whole));
    failed++;
  }
  assert_true(lines > 500);
  assert_int_equal(failed, 0);
  hm_arena_free(scratch);
  hm_arena_free(a);
}

/* What says nothing, or more than one number ("50+"): no digit of another value need contradict it. */
static bool is_open(hm_arena *a, const table_line *l) {
  hm_row rows[VALUES_MAX];
  add_rows(a, rows, 0, l->values, l->field);
  hm_snapshot s = help_snapshot(a, rows, 2);
  hm_claims *c = help_claims(&s, 1);
  bool open = c->n < 2 || c->claims[0].several || hm_value_is_demand(&c->claims[0].value) ||
      hm_str_ends(rows[0].text, "+") || hm_str_starts(rows[0].text, "over ");
  hm_claims_free(c);
  return open;
}

/* The last value of the line, one of its digits turned, beside the first: is one turn told? */
static bool tells_a_turned_digit(hm_arena *a, const table_line *l) {
  hm_json *array = NULL;
  assert_int_equal(hm_json_parse(a, l->values, &array, NULL), 0);
  const hm_json *last = array->child;
  while (last->next) last = last->next;
  if (array->child->type == HM_JSON_OBJECT || last->type != HM_JSON_STRING) return true;
  bool told = false, digits = false;
  for (size_t i = 0; i < last->text.n && !told; i++) {
    hm_buf b = { 0 };
    hm_str text = hm_str_dup(a, last->text);
    if (!hm_is_digit(text.p[i])) continue;
    digits = true;
    ((char *)text.p)[i] = (char)(text.p[i] == '9' ? '1' : text.p[i] + 1);
    hm_buf_c(&b, "[");
    if (array->child->type == HM_JSON_STRING) hm_json_write_str(&b, array->child->text);
    else hm_buf_str(&b, hm_json_as_text(array->child, a));
    hm_buf_c(&b, ",");
    hm_json_write_str(&b, text);
    hm_buf_c(&b, "]");
    table_line turned = { HM_EMPTY, hm_buf_take(&b, a), l->field, HM_EMPTY };
    told = contradict(a, &turned);
  }
  return told || !digits || is_open(a, l);
}

/* Each reading turned around: where two spellings agree, another number is told. */
static void another_number_is_told(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new(), *scratch = hm_arena_new();
  hm_str rest = read_file(a, "tests/data/values.txt");
  size_t asked = 0, failed = 0;
  while (rest.n) {
    hm_str line = cut(&rest, '\n'), whole = line;
    table_line l = { .verdict = cut(&line, '\t') };
    if (!hm_str_is(l.verdict, "same")) continue;
    l.values = cut(&line, '\t');
    l.field = cut(&line, '\t');
    if (line.n) continue;
    asked++;
    if (!tells_a_turned_digit(scratch, &l)) {
      print_message("silent: %.*s\n", HM_FMT(whole));
      failed++;
    }
    hm_arena_reset(scratch);
  }
  assert_true(asked > 1000);
  assert_int_equal(failed, 0);
  hm_arena_free(scratch);
  hm_arena_free(a);
}

/* Asks the pair in each of the fields; returns how often it is not as told. *asked counts. */
static size_t probe(hm_arena *a, hm_str pair, hm_str fields, bool differ, size_t *asked) {
  size_t failed = 0;
  while (fields.n) {
    table_line l = { HM_EMPTY, pair, cut(&fields, ' '), HM_EMPTY };
    ++*asked;
    if (contradict(a, &l) == differ) continue;
    print_message("fails: %.*s in %.*s\n", HM_FMT(pair), HM_FMT(l.field));
    failed++;
  }
  return failed;
}

static void readings_are_as_slots_support(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_str rest = read_file(a, "tests/data/readings.txt");
  size_t asked = 0, failed = 0;
  while (rest.n) {
    hm_str line = cut(&rest, '\n');
    if (!line.n || line.p[0] == '#') continue;
    hm_str pair = cut(&line, '\t'), supporting = cut(&line, '\t');
    failed += probe(a, pair, supporting, false, &asked) + probe(a, pair, line, true, &asked);
  }
  assert_true(asked >= 300);
  assert_int_equal(failed, 0);
  hm_arena_free(a);
}

/* The text before the first `mark`; *rest goes on behind it. */
static hm_str part_before(hm_str *rest, const char *mark) {
  ptrdiff_t at = hm_str_find(*rest, mark);
  hm_str part = at < 0 ? *rest : hm_str_sub(*rest, 0, (size_t)at);
  *rest = at < 0 ? HM_EMPTY : hm_str_sub(*rest, (size_t)at + strlen(mark), rest->n);
  return part;
}

/* Groups parted by "; ", values in them by `mark`: do they contradict each other as told? */
static size_t check_groups(hm_arena *a, hm_str groups, const char *mark, bool differ) {
  size_t n = 0;
  while (groups.n) {
    hm_str group = part_before(&groups, "; "), whole = group;
    hm_buf b = { 0 };
    while (group.n) {
      hm_buf_ch(&b, b.n ? ',' : '[');
      hm_json_write_str(&b, part_before(&group, mark));
    }
    hm_buf_ch(&b, ']');
    table_line l = { HM_EMPTY, hm_buf_take(&b, a), HM_STR("value_of_it"), HM_EMPTY };
    if (contradict(a, &l) != differ) fail_msg("the manual is wrong about %.*s", HM_FMT(whole));
    n++;
  }
  return n;
}

/* Lines "A = B; C = D; two: E | F" of the list under Values; \\- is a hyphen. */
static void the_manual_is_true(void **state) {
  (void)state;
  static manual_page manual;
  char line[500];
  hm_arena *a = hm_arena_new();
  size_t n = 0;
  assert_true(manual_read(&manual, "gen/cli/hmirror-facts.5"));
  manual_rewind(&manual);
  while (manual_line(&manual, line)) {
    size_t to = 0;
    for (size_t i = 0; line[i]; i++)
      if (line[i] != '\\') line[to++] = line[i];
    line[to] = 0;
    hm_str text = hm_str_dup(a, hm_str_c(line));
    if (strcmp(manual.part, "Values") != 0 || hm_str_find(text, "; two: ") < 0) continue;
    hm_str same = part_before(&text, "; two: ");
    n += check_groups(a, same, " = ", false) + check_groups(a, text, " | ", true);
  }
  assert_true(n > 40);
  hm_arena_free(a);
}

static void tables_are_in_order(void **state) {
  (void)state;
  assert_true(hm_unit_tables_are_sorted());
  assert_true(hm_slot_readings_are_sorted());
  assert_true(hm_value_forms_are_sorted());
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_are_as_the_table_says),
    cmocka_unit_test(another_number_is_told),
    cmocka_unit_test(readings_are_as_slots_support),
    cmocka_unit_test(the_manual_is_true),
    cmocka_unit_test(tables_are_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
