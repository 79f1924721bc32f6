/* Anachronisms, births and deaths, circles: the table tests/data/lives.txt. */
#include "tests/unit/core_detect_help.h"

#include "core/base/text.h"
#include "core/claim/existence.h"
#include "core/claim/relation.h"
#include "core/detect/rule.h"
#include "tests/unit/manual_help.h"

enum { CASES_MIN = 200, FEW = 64 };

typedef struct {
  hm_arena *a;
  hm_era_text eras[FEW];
  size_t n_eras;
  hm_world_text texts[FEW];
  size_t n_texts;
  hm_worlds *worlds; /* once the first case is read */
  bool conflicts; /* from the line "conflicts" on cases list conflicts of relations, too */
  size_t line, cases, quiet, wrong;
} table;

/* What stands before the separator, trimmed, and takes both off. */
static hm_str take(hm_str *s, const char *separator) {
  ptrdiff_t at = hm_str_find(*s, separator);
  hm_str head = hm_str_sub(*s, 0, at < 0 ? s->n : (size_t)at);
  *s = hm_str_sub(*s, at < 0 ? s->n : (size_t)at + strlen(separator), s->n);
  return hm_str_trim(head);
}

/* The next word, in which + stands for a space. */
static hm_str word(table *t, hm_str *s) {
  hm_str w = hm_str_dup(t->a, take(s, " "));
  *s = hm_str_trim(*s);
  for (size_t i = 0; i < w.n; i++)
    if (w.p[i] == '+') ((char *)w.p)[i] = ' ';
  return w;
}

/* "a=text b:=json" as an object. */
static hm_str properties(table *t, hm_str s) {
  hm_str out = HM_EMPTY;
  while (s.n) {
    hm_str value = word(t, &s), key = take(&value, "=");
    bool raw = hm_str_ends(key, ":");
    hm_str quote = raw ? HM_EMPTY : HM_STR("\"");
    out = HM_CAT(t->a, out, out.n ? HM_STR(",") : HM_EMPTY, HM_STR("\""),
                 hm_str_sub(key, 0, key.n - raw), HM_STR("\":"), quote, value, quote);
  }
  return HM_CAT(t->a, HM_STR("{"), out, HM_STR("}"));
}

/* "id:Type key=value" or "from TYPE to [from,until) key=value"; the n-th relation is rn. A status
 * stands before it: "!superseded". */
static hm_row read_row(table *t, hm_str s, size_t *relations) {
  hm_row r = { .status = HM_ACTIVE, .project = 1, .name = HM_EMPTY, .text = HM_EMPTY };
  if (hm_str_starts(s, "!")) {
    hm_str status = word(t, &s);
    r.status = hm_status_parse(hm_str_sub(status, 1, status.n));
  }
  hm_str first = word(t, &s), id = take(&first, ":");
  if (first.n) {
    r.layer = HM_ENTITY;
    r.id = id;
    r.type = first;
    r.name = HM_CAT(t->a, HM_STR("the "), id);
  } else {
    r.layer = HM_RELATION;
    r.id = hm_str_fmt(t->a, "r%zu", ++*relations);
    r.from = id;
    r.type = word(t, &s);
    r.to = word(t, &s);
    if (hm_str_starts(s, "[")) {
      hm_str bounds = word(t, &s);
      bounds = hm_str_sub(bounds, 1, bounds.n - 1);
      r.valid_from = take(&bounds, ",");
      r.valid_until = bounds;
    }
    if (hm_str_starts(s, "->")) r.superseded_by = hm_str_sub(word(t, &s), 2, 99);
  }
  if (r.layer == HM_ENTITY && hm_str_starts(s, "->"))
    r.superseded_by = hm_str_sub(word(t, &s), 2, 99);
  r.props = properties(t, s);
  return r;
}

static bool is_of_this_test(const table *t, hm_str rule) {
  return (t->conflicts && hm_str_is(rule, "slot/overlap")) || hm_str_starts(rule, "time/") || hm_str_starts(rule, "life/") ||
      hm_str_starts(rule, "circle/") || hm_str_is(rule, "row/supersession-cycle");
}

/* The findings as "rule: row row | expected | actual", in their order. */
static size_t findings_of(table *t, const hm_row *rows, size_t n, hm_str *out) {
  static const char *const projects[] = { "", "middle", "tale" };
  hm_snapshot *snap = help_snapshot(t->a, projects, 3, rows, n);
  hm_rules rules = *hm_rules_default();
  hm_claims *claims;
  hm_disputes *d;
  hm_err err;
  size_t found = 0;
  rules.worlds = t->worlds;
  assert_int_equal(hm_time_parse(HM_STR("2026-04-15"), &snap->now, &(hm_precision){ 0 }), 1);
  assert_int_equal(hm_claims_read(snap, &rules, 1, &claims, &err), 0);
  assert_int_equal(hm_rules_run(snap, claims, &rules, HM_RUN_ALL, 1, t->a, &d, &err), 0);
  for (size_t i = 0; i < d->n_findings; i++) {
    const hm_finding *f = &d->findings[i];
    if (!is_of_this_test(t, f->rule)) continue;
    hm_str line = HM_CAT(t->a, f->rule, HM_STR(":"));
    for (size_t k = 0; k < f->n_rows; k++) {
      ptrdiff_t colon = hm_str_find(f->rows[k], ":");
      line = HM_CAT(t->a, line, HM_STR(" "), hm_str_sub(f->rows[k], (size_t)colon + 1, SIZE_MAX));
    }
    out[found++] = HM_CAT(t->a, line, HM_STR(" | "), f->expected, HM_STR(" | "), f->actual);
    assert_true(found < FEW);
  }
  for (size_t i = 0; i < d->n && t->conflicts; i++) {
    const hm_dispute *c = &d->disputes[i];
    hm_str line = HM_STR("conflict:");
    for (size_t k = 0; k < c->n; k++)
      line = HM_CAT(t->a, line, HM_STR(" "), snap->rows[c->parties[k].claim->row].id);
    const hm_claim *of = c->parties[0].claim;
    hm_str begin = hm_bound_text(t->a, &c->begin), end = hm_bound_text(t->a, &c->end);
    hm_str what = HM_CAT(t->a, of->space, HM_STR(" "), of->name);
    out[found++] = hm_str_fmt(t->a, "%.*s | %.*s | [%.*s,%.*s)", HM_FMT(line), HM_FMT(what),
                              HM_FMT(begin), HM_FMT(end));
    assert_true(found < FEW);
  }
  hm_claims_free(claims);
  return found;
}

/* Each of the findings is said, by a beginning of its line, and each that is said is there. */
static bool is_as_said(hm_str said, const hm_str *found, size_t n) {
  bool met[FEW] = { false };
  size_t n_met = 0;
  while (said.n) {
    hm_str one = take(&said, ";");
    size_t i = 0;
    bool none = hm_str_is(one, "none");
    if (none) continue;
    while (i < n &&
           (met[i] || found[i].n < one.n || memcmp(found[i].p, one.p, one.n) ||
            (found[i].n > one.n && !strchr(" :", found[i].p[one.n]))))
      i++;
    if (i == n) return false;
    met[i] = true;
    n_met++;
  }
  return n_met == n;
}

static void check_case(table *t, hm_str s) {
  hm_row rows[FEW];
  hm_str found[FEW], facts = take(&s, "=>");
  hm_world_fault fault;
  size_t n = 0, relations = 0;
  if (!t->worlds &&
      !hm_worlds_new(t->a, t->texts, t->n_texts, t->eras, t->n_eras, &t->worlds, &fault))
    fail_msg("%s %zu: %s: %s", fault.in_eras ? "era" : "world", fault.at, fault.key, fault.why);
  while (facts.n) rows[n++] = read_row(t, take(&facts, ";"), &relations);
  size_t n_found = findings_of(t, rows, n, found);
  t->cases++;
  t->quiet += hm_str_is(hm_str_trim(s), "none");
  if (is_as_said(s, found, n_found)) return;
  t->wrong++;
  print_message("lives.txt:%zu: found\n", t->line);
  for (size_t i = 0; i < n_found; i++) print_message("  %.*s\n", HM_FMT(found[i]));
}

static void read_line(table *t, hm_str s) {
  if (hm_str_starts(s, "era ")) {
    hm_era_text *e = &t->eras[t->n_eras++];
    hm_str *const fields[] = { &e->world, &e->era, &e->parent, &e->begins, &e->ends, &e->unit };
    s = hm_str_sub(s, 4, s.n);
    for (size_t i = 0; i < HM_COUNT(fields); i++) *fields[i] = take(&s, "|");
  } else if (hm_str_starts(s, "world ")) {
    s = hm_str_sub(s, 6, s.n);
    hm_str name = take(&s, "|"), current = take(&s, "|"), age = take(&s, "|"),
           late = take(&s, "|");
    t->texts[t->n_texts++] =
        (hm_world_text){ name, current, -1, age.n ? atoi(hm_str_z(t->a, age)) : -1,
                         late.n ? atoi(hm_str_z(t->a, late)) : -1,
                         hm_str_is(hm_str_trim(s), "differ") };
  } else if (hm_str_is(s, "conflicts")) {
    t->conflicts = true;
  } else if (s.n && !hm_str_starts(s, "#")) {
    check_case(t, s);
  }
}

static void the_table(void **unused) {
  (void)unused;
  table t = { .a = hm_arena_new() };
  char line[2000];
  hm_str whole = HM_EMPTY;
  FILE *f = fopen("tests/data/lives.txt", "r");
  if (!f) fail_msg("no table");
  while (fgets(line, sizeof line, f)) {
    hm_str s = hm_str_trim(hm_str_c(line));
    t.line++;
    bool goes_on = hm_str_ends(s, "\\");
    whole = HM_CAT(t.a, whole, hm_str_trim(hm_str_sub(s, 0, s.n - goes_on)), HM_STR(" "));
    if (goes_on) continue;
    read_line(&t, hm_str_trim(whole));
    whole = HM_EMPTY;
  }
  fclose(f);
  hm_arena_free(t.a);
  if (t.wrong) fail_msg("%zu of %zu cases are wrong", t.wrong, t.cases);
  assert_true(t.cases >= CASES_MIN);
  assert_true(2 * t.quiet >= t.cases);
}

/* --- many eras --------------------------------------------------------------------------- */

/* Their names are cut, between characters; so memory is linear in the relations. */
static void many_eras_of_one_event(void **unused) {
  (void)unused;
  enum { N = 4000 };
  hm_arena *a = hm_arena_new();
  static const char *const projects[] = { "w" };
  hm_row *rows = hm_alloc_array(a, N + 2, sizeof *rows);
  hm_existences lives;
  for (size_t i = 0; i < N; i++)
    rows[i] = (hm_row){ .layer = HM_RELATION,
                        .status = HM_ACTIVE,
                        .id = hm_str_fmt(a, "r%04zu", i),
                        .type = HM_STR("OCCURRED_DURING"),
                        .from = HM_STR("e"),
                        .to = i ? HM_STR("1066") : HM_STR("long") };
  rows[N] = (hm_row){ .layer = HM_ENTITY,
                      .status = HM_ACTIVE,
                      .id = HM_STR("e"),
                      .type = HM_STR("Event"),
                      .name = HM_STR("Siege") };
  hm_buf name = { 0 };
  hm_buf_c(&name, "x");
  for (int i = 0; i < 100; i++) hm_buf_c(&name, "\xC3\xA4");
  rows[N + 1] = (hm_row){ .layer = HM_ENTITY,
                          .status = HM_ACTIVE,
                          .id = HM_STR("long"),
                          .type = HM_STR("Era"),
                          .name = hm_buf_take(&name, a),
                          .props = HM_STR("{\"start\":\"1000\",\"end\":\"1100\"}") };
  hm_snapshot *snap = help_snapshot(a, projects, 1, rows, N + 2);
  size_t before = hm_arena_held(a);
  hm_existences_build(snap, hm_rules_default(), 1, a, &lives);
  assert_true(hm_arena_held(a) - before < 4 << 20);
  const hm_window *when = hm_existence_find(&lives, 0)->happened;
  assert_non_null(when);
  hm_str text = hm_bound_text(a, &when->begin);
  assert_true(text.n > 190 && text.n <= 200);
  assert_int_equal(hm_text_valid_prefix(text), text.n);
  hm_arena_free(a);
}

/* --- words ------------------------------------------------------------------------------- */

static void words_are_in_order(void **unused) {
  (void)unused;
  size_t n;
  const hm_time_word *w = hm_time_words(&n);
  for (size_t i = 0; i < n; i++) {
    if (i) assert_true(strcmp(w[i - 1].name, w[i].name) < 0);
    assert_ptr_equal(hm_time_word_find(hm_str_c(w[i].name)), &w[i]);
  }
  assert_ptr_equal(hm_time_word_find(HM_STR("birth_date")), hm_time_word_find(HM_STR("birthdate")));
  assert_null(hm_time_word_find(HM_STR("created_at")));
  assert_null(hm_time_word_find(HM_STR("")));
  assert_null(hm_time_word_find(HM_STR("a_name_that_is_longer_than_all_of_them")));
}

/* hmirror-facts(5) lists the words and the relations, and no others. */
static void the_manual_has_them(void **unused) {
  (void)unused;
  static manual_page manual;
  char line[500], name[MANUAL_WORD];
  size_t n_words, words = 0, relations = 0;
  bool listed = false;
  hm_time_words(&n_words);
  if (!manual_read(&manual, "gen/cli/hmirror-facts.5")) fail_msg("no manual");
  manual_rewind(&manual);
  while (manual_line(&manual, line)) {
    const char *at = line;
    while (strcmp(manual.part, "Existence") == 0 && manual_word("Cm", line, &at, name))
      words += hm_time_word_find(hm_str_c(name)) && !strchr(name, '_');
    if (strcmp(manual.part, "Time, parents and circles") || listed) continue;
    listed = !strncmp(line, ".El", 3); /* the first list of the section */
    if (strncmp(line, ".It ", 4)) continue;
    assert_true(hm_anachronism_types[relations] != NULL);
    const char *type = hm_anachronism_types[relations++];
    assert_int_equal(strncmp(line + 4, type, strlen(type)), 0);
  }
  assert_null(hm_anachronism_types[relations]);
  /* each once, and once more in a sentence: birthdate, created */
  assert_int_equal(words, n_words + 2);
}

/* And the names by which properties of a relation bound it. */
static void the_manual_has_the_bounds(void **unused) {
  (void)unused;
  static manual_page manual;
  char line[500], name[MANUAL_WORD];
  size_t n = 0, told = 0;
  for (; hm_relation_bound_word(n); n++)
    if (n) assert_true(strcmp(hm_relation_bound_word(n - 1), hm_relation_bound_word(n)) < 0);
  if (!manual_read(&manual, "gen/cli/hmirror-facts.5")) fail_msg("no manual");
  manual_rewind(&manual);
  while (manual_line(&manual, line)) {
    const char *at = line;
    while (strcmp(manual.part, "Relations") == 0 && manual_word("Cm", line, &at, name))
      for (size_t i = 0; i < n; i++) told += !strcmp(hm_relation_bound_word(i), name);
  }
  assert_int_equal(told, n + 3); /* three say of a number what it is */
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_table),
    cmocka_unit_test(many_eras_of_one_event),
    cmocka_unit_test(words_are_in_order),
    cmocka_unit_test(the_manual_has_the_bounds),
    cmocka_unit_test(the_manual_has_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
