/* mirror.yml: defaults, errors with line and key, and that the example documents every key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/sweep/sweep.h"
#include "gen/mirror/config.h"
#include "tests/unit/core_base_prng.h"

#define N(a) (sizeof(a) / sizeof *(a))

static int setup(void **state) { *state = hm_arena_new(); return 0; }
static int teardown(void **state) { hm_arena_free(*state); return 0; }

static hm_config read_ok(hm_arena *a, const char *yaml, const char *folder) {
  hm_config c;
  hm_err err = { 0 };
  char line[2048];
  if (hm_config_parse(a, hm_str_c(yaml), "mirror.yml", folder, &c, &err)) {
    hm_err_format_line(&err, line, sizeof line);
    fail_msg("%s", line);
  }
  return c;
}

static void refuse(hm_arena *a, const char *yaml, const char *want) {
  hm_config c;
  hm_err err = { 0 };
  char line[2048];
  assert_int_equal(hm_config_parse(a, hm_str_c(yaml), "mirror.yml", "", &c, &err), -1);
  assert_int_equal(err.code, HM_E_USAGE);
  hm_err_format_line(&err, line, sizeof line);
  assert_string_equal(line, want);
}

static void check_defaults(const hm_config *c) {
  assert_true(hm_str_is(c->title, "Human Mirror"));
  assert_string_equal(c->store, "hmirror.db");
  assert_string_equal(c->output, "site");
  assert_int_equal(c->base_url.n, 0);
  assert_string_equal(c->theme, "theme");
  assert_string_equal(c->templates, "templates");
  assert_string_equal(c->statics, "static");
  assert_false(c->theme_named || c->templates_named || c->statics_named);
  assert_int_equal(c->threads, 0);
  assert_int_equal(c->list_limit, 150);
  assert_int_equal(c->value_limit, 2000);
  assert_string_equal(c->repo, "mirror.git");
  assert_string_equal(c->branch, "mirror");
  assert_string_equal(c->author_name, "hmirror");
  assert_string_equal(c->author_email, "hmirror@localhost");
  assert_int_equal(c->message.n, 0);
  assert_int_equal(c->n_keep, 0);
  const hm_exclude *x = &c->exclude;
  assert_int_equal(x->n_projects + x->n_types + x->n_statuses + x->n_tags + x->n_properties, 0);
}

static void same_list(const hm_str *a, size_t n, const hm_str *b, size_t m) {
  assert_int_equal(n, m);
  for (size_t i = 0; i < n; i++) assert_true(hm_str_eq(a[i], b[i]));
}

static void defaults(void **state) {
  hm_arena *a = *state;
  const char *const empty[] = { "",
                                "\n",
                                "# nothing\n",
                                "title:\n",
                                "publish:\nrules: ~\n",
                                "publish: {author: {}, exclude: }\n",
                                "\xEF\xBB\xBFtitle: null\n" };
  for (size_t i = 0; i < N(empty); i++) {
    hm_config c = read_ok(a, empty[i], "");
    check_defaults(&c);
    same_list(c.rules.prose, c.rules.n_prose, hm_rules_default()->prose,
              hm_rules_default()->n_prose);
    assert_int_equal(c.rules.n_tolerances, 0);
  }
}

static void values(void **state) {
  hm_config c = read_ok(
      *state,
      "title: \"a: b\"\nstore: ../s.db\noutput: /abs/out\nbase_url: https://example.org/m\ntheme: t\nthreads: 8\nlist_limit: 10\nvalue_limit: 1000000\n"
      "rules:\n  prose: [Source*, created_*, Big Notes]\n  text_fields: []\n  silence: [\"Folgt.\", -, Not  Set, (Offen)]\n"
      "  tolerance:\n  - {slot: Frame Mass, value: 0.05 kg}\n  - slot: cost\n    value: 1 %\n  - {slot: n, value: 2}\n  - {slot: light, value: 2 lux}\n"
      "publish:\n  repo: m.git\n  branch: gh/pages\n  message: Nightly\n  author: {name: A B, email: a@b}\n  keep: [CNAME, docs/x]\n"
      "  exclude: {projects: [p05], types: [x, y], statuses: [candidate], tags: [t], properties: [cost]}\n",
      "conf/dir");
  assert_true(hm_str_is(c.title, "a: b"));
  assert_string_equal(c.store, "conf/dir/../s.db");
  assert_string_equal(c.output, "/abs/out");
  assert_true(hm_str_is(c.base_url, "https://example.org/m/"));
  assert_string_equal(c.theme, "conf/dir/t");
  assert_string_equal(c.templates, "conf/dir/templates");
  assert_true(c.theme_named && !c.templates_named);
  assert_int_equal(c.threads, 8);
  assert_int_equal(c.list_limit, 10);
  assert_int_equal(c.value_limit, 1000000);
  const hm_str prose[] = { HM_STR("source*"), HM_STR("created_*"), HM_STR("big_notes") };
  same_list(c.rules.prose, c.rules.n_prose, prose, 3);
  assert_int_equal(c.rules.n_text_fields, 0);
  const hm_str silence[] = { HM_STR("-"), HM_STR("folgt"), HM_STR("not set"), HM_STR("offen") };
  same_list(c.rules.silence, c.rules.n_silence, silence, 4);
  assert_int_equal(c.rules.n_tolerances, 4);
  assert_true(hm_str_is(c.rules.tolerances[0].slot, "frame_mass") &&
              hm_str_is(c.rules.tolerances[0].unit, "kg") && c.rules.tolerances[0].value == 0.05);
  assert_true(hm_str_is(c.rules.tolerances[1].unit, "%") && c.rules.tolerances[1].value == 1);
  assert_true(c.rules.tolerances[2].unit.n == 0 && c.rules.tolerances[2].value == 2);
  assert_true(hm_str_is(c.rules.tolerances[3].unit, "lux") && c.rules.tolerances[3].value == 2);
  assert_string_equal(c.repo, "conf/dir/m.git");
  assert_string_equal(c.branch, "gh/pages");
  assert_true(hm_str_is(c.message, "Nightly"));
  assert_string_equal(c.author_name, "A B");
  assert_int_equal(c.n_keep, 2);
  assert_string_equal(c.keep[1], "docs/x");
  assert_true(c.exclude.n_types == 2 && hm_str_is(c.exclude.types[1], "y") &&
              hm_str_is(c.exclude.properties[0], "cost"));
}

static void sources(void **state) {
  hm_config c = read_ok(*state, "sources:\n- {name: sheet.csv, complete: true}\n"
                                "- name: in/more.jsonl\n  complete: false\n", "");
  assert_int_equal(c.n_sources, 2);
  const hm_source_config *sheet = hm_config_source(&c, HM_STR("sheet.csv"));
  assert_true(sheet && sheet->complete && sheet == hm_config_source(&c, HM_STR("a/sheet.csv")));
  assert_null(hm_config_source(&c, HM_STR("my-sheet.csv")));
  assert_null(hm_config_source(&c, HM_STR("more.jsonl")));
  assert_null(hm_config_source(&c, HM_EMPTY));
  assert_false(hm_config_source(&c, HM_STR("in/more.jsonl"))->complete);
  assert_true(hm_rules_is_additions(&c.rules, HM_STR("x/in/more.jsonl")));
  assert_false(hm_rules_is_additions(&c.rules, HM_STR("sheet.csv")));
}

static void errors(void **state) {
  hm_arena *a = *state;
  static const char *const cases[][2] = {
    { "title: x\npublish:\n  repoo: y\n",
      "mirror.yml:3: publish.repoo: unknown key: did you mean 'repo'?" },
    { "title: x\n#publish:\n  sign: ssh\n",
      "mirror.yml:3: while parsing a block mapping, did not find expected key: it belongs below no "
      "key: take the # away from the one above it, too, or indent it as its neighbours are" },
    { "titel: x\n", "mirror.yml:1: titel: unknown key: did you mean 'title'?" },
    { "publish:\n  author:\n    phone: 1\n",
      "mirror.yml:3: publish.author.phone: unknown key: the keys here are name, email" },
    { "title: a\n\ntitle: b\n",
      "mirror.yml:3: title: this key was given before: keep one of them" },
    { "title: [a]\n", "mirror.yml:1: title: a text is expected here" },
    { "publish: x\n", "mirror.yml:1: publish: keys and values are expected here" },
    { "publish:\n  keep: CNAME\n",
      "mirror.yml:2: publish.keep: a list is expected here: [one, two]" },
    { "publish:\n  keep:\n  - a\n  - [b]\n",
      "mirror.yml:4: publish.keep[1]: a text is expected here" },
    { "- a\n", "mirror.yml:1: keys and values are expected here" },
    { "list_limit: many\n", "mirror.yml:1: list_limit: a whole number is expected here" },
    { "list_limit: 12x\n", "mirror.yml:1: list_limit: a whole number is expected here" },
    { "list_limit: 010\n", "mirror.yml:1: list_limit: a whole number is expected here" },
    { "list_limit: -5\n", "mirror.yml:1: list_limit: a whole number is expected here" },
    { "list_limit: 5\n", "mirror.yml:1: list_limit: out of range: give 10 to 100000" },
    { "\nvalue_limit: 999999999\n", "mirror.yml:2: value_limit: out of range: give 40 to 1000000" },
    { "threads: 257\n", "mirror.yml:1: threads: out of range: give 0 to 256" },
    { "title: *x\n",
      "mirror.yml:1: title: aliases (*name) are not read here: write the value out" },
    { "title: a\n---\ntitle: b\n", "mirror.yml:2: a second document: keep one of them" },
    { "title: \"a\\0b\"\n", "mirror.yml:1: a NUL character: remove \\0" },
    { "title: \"a\\nb\"\n", "mirror.yml:1: title: a control character: keep it on one line" },
    { "title: a\xff\n", "mirror.yml: not valid UTF-8: save it as UTF-8 text" },
    { "source_url: https://x/{line}\n",
      "mirror.yml:1: source_url: not an address on the web with {path} in it: write it as https://host/team/repo/blob/main/{path}#L{line}" },
    { "base_url: ftp://x/\n",
      "mirror.yml:1: base_url: not an address of a folder on the web: write it as https://host/path/" },
    { "publish:\n  branch: a..b\n",
      "mirror.yml:2: publish.branch: 'a..b' is no name for a branch: use letters, digits and . _ / -" },
    { "publish:\n  keep: [../x]\n",
      "mirror.yml:2: publish.keep[0]: not a path inside the branch: write CNAME or docs/" },
    { "publish:\n  author:\n    email: a b\n",
      "mirror.yml:3: publish.author.email: not an address: write it as name@host" },
    { "publish:\n  exclude:\n    statuses: [active, gone]\n",
      "mirror.yml:3: publish.exclude.statuses[1]: no such status: use one of: candidate, active, superseded, invalid, graduated" },
    { "publish:\n  exclude:\n    statuses: [actve]\n",
      "mirror.yml:3: publish.exclude.statuses[0]: no such status: did you mean 'active'? use one of: candidate, active, superseded, invalid, graduated" },
    { "sources: [{complete: true}]\n", "mirror.yml:1: sources[0]: 'name' is missing" },
    { "sources: [{name: x}]\n", "mirror.yml:1: sources[0]: 'complete' is missing" },
    { "sources:\n- {name: x, complete: maybe}\n",
      "mirror.yml:2: sources[0].complete: neither true nor false: true: what it does not name any more has ended; false: it has additions only" },
    { "sources:\n- {name: x, complete: true}\n- {name: x, complete: false}\n",
      "mirror.yml:3: sources[1].name: the name of an earlier one: name each source once" },
    { "rules:\n  prose: [a, '--']\n", "mirror.yml:2: rules.prose[1]: holds no letter or digit" },
    { "rules:\n  silence:\n  - folgt\n  - ' !, '\n",
      "mirror.yml:4: rules.silence[1]: is empty or longer than 64 bytes: give a word or a few that stand for 'not known'" },
    { "rules:\n  tolerance:\n  - slot: x\n",
      "mirror.yml:3: rules.tolerance[0]: 'value' is missing" },
    { "rules:\n  tolerance:\n  - {slot: x, value: heavy}\n",
      "mirror.yml:3: rules.tolerance[0].value: not a number with an optional unit: write it as 0.05, 0.05 kg or 1 %" },
    { "rules:\n  tolerance:\n  - {slot: x, value: 1 florp}\n",
      "mirror.yml:3: rules.tolerance[0].value: 'florp' is no unit: write it as 0.05, 0.05 kg or 1 %" },
    { "rules:\n  tolerance:\n  - {slot: x, value: '0X1F kg'}\n",
      "mirror.yml:3: rules.tolerance[0].value: not a number with an optional unit: write it as 0.05, 0.05 kg or 1 %" },
    { "rules:\n  tolerance:\n  - {slot: x, value: -1}\n",
      "mirror.yml:3: rules.tolerance[0].value: not a number with an optional unit: write it as 0.05, 0.05 kg or 1 %" },
  };
  for (size_t i = 0; i < N(cases); i++) refuse(a, cases[i][0], cases[i][1]);
}

static void broken_yaml_names_its_line(void **state) {
  hm_arena *a = *state;
  const char *const cases[] = { "title: x\nstore: [a\n", "title: x\n\tstore: y\n",
                                "title: x\n: :\n - ]\n", "title: x\n\"open\n" };
  for (size_t i = 0; i < N(cases); i++) {
    hm_config c;
    hm_err err = { 0 };
    assert_int_equal(hm_config_parse(a, hm_str_c(cases[i]), "mirror.yml", "", &c, &err), -1);
    assert_true(strncmp(err.what, "mirror.yml:", 11) == 0 && strtoul(err.what + 11, NULL, 10) >= 2);
    assert_true(err.why[0] != 0);
  }
}

static void rules_are_switched(void **state) {
  hm_arena *a = *state;
  hm_config c = read_ok(a,
                        "rules:\n  off: [slot/overlap, ' row/value ']\n  severity:\n"
                        "    slot/crowd: warn\n    \"b.c\": info\n  silence: [x]\n",
                        "");
  assert_int_equal(c.rules.n_off, 2);
  assert_true(hm_rule_is_off(&c.rules, HM_STR("row/value")) &&
              hm_rule_is_off(&c.rules, HM_STR("slot/overlap")) &&
              !hm_rule_is_off(&c.rules, HM_STR("slot")));
  assert_int_equal(c.rules.n_severities, 2);
  assert_true(hm_str_is(hm_rules_severity(&c.rules, HM_STR("slot/crowd")), "warn") &&
              hm_str_is(hm_rules_severity(&c.rules, HM_STR("b.c")), "info") &&
              !hm_rules_severity(&c.rules, HM_STR("slot")).n);
  hm_config off = read_ok(a, "rules: {off: [slot/crowd]}", ""), plain = read_ok(a, "", ""),
            other = read_ok(a, "rules: {severity: {slot/crowd: info}}", "");
  hm_str digests[] = { hm_rules_digest(&off.rules, a), hm_rules_digest(&plain.rules, a),
                       hm_rules_digest(&other.rules, a) };
  assert_false(hm_str_eq(digests[0], digests[1]) || hm_str_eq(digests[1], digests[2]) ||
               hm_str_eq(digests[0], digests[2]));
  hm_config in_turn = read_ok(a, "rules: {off: [b, a]}", ""),
            as_well = read_ok(a, "rules: {off: [a, b]}", "");
  assert_true(hm_str_eq(hm_rules_digest(&in_turn.rules, a), hm_rules_digest(&as_well.rules, a)));
  refuse(a, "rules:\n  severity:\n    slot: loud\n",
         "mirror.yml:3: rules.severity.slot: no such severity: write error, warn or info");
  refuse(a, "rules: {severity: {slot: warn, slot: info}}",
         "mirror.yml:1: rules.severity.slot: this key was given before: keep one of them");
  refuse(a, "rules: {severity: {slot: [warn]}}",
         "mirror.yml:1: rules.severity.slot: a text is expected here");
  refuse(a, "rules: {severity: [slot]}",
         "mirror.yml:1: rules.severity: keys and values are expected here");
  refuse(a, "rules: {severity: slot}",
         "mirror.yml:1: rules.severity: keys and values are expected here");
  refuse(a, "rules: {severity: {[a]: info}}",
         "mirror.yml:1: rules.severity: a key must be a plain word");
  hm_str longer = hm_str_fmt(a, "rules: {severity: {%0200d: info}}", 0);
  refuse(a, longer.p, "mirror.yml:1: rules.severity: a key of 1 to 100 bytes is expected here");
}

/* Keys switched on: '#' dropped before a key or a list entry, not before prose. */
static const char *switched_on(hm_arena *a) {
  hm_buf b = { 0 };
  for (const char *p = hm_config_example; *p; ) {
    size_t n = strcspn(p, "\n");
    bool key = p[0] == '#' && n > 1 && (p[1] != ' ' || p[2] == ' ');
    hm_buf_add(&b, p + key, n - key);
    hm_buf_ch(&b, '\n');
    p += n + (p[n] == '\n');
  }
  hm_buf_ch(&b, 0);
  const char *text = hm_buf_copy(&b, a).p;
  hm_buf_free(&b);
  return text;
}

static void example_is_the_defaults(void **state) {
  hm_arena *a = *state;
  hm_config as_is = read_ok(a, hm_config_example, ""), on = read_ok(a, switched_on(a), "");
  check_defaults(&as_is);
  check_defaults(&on);
  const hm_rules *d = hm_rules_default();
  same_list(on.rules.prose, on.rules.n_prose, d->prose, d->n_prose);
  same_list(on.rules.text_fields, on.rules.n_text_fields, d->text_fields, d->n_text_fields);
  same_list(on.rules.ordered_fields, on.rules.n_ordered_fields, d->ordered_fields,
            d->n_ordered_fields);
  assert_true(on.rules.n_tolerances > 0);   /* as rules.slots, its example is no default */
}

/* Each key of the schema stands in the example: without its line, the example would say less. */
static void example_has_every_key(void **state) {
  hm_arena *a = *state;
  const char *text = switched_on(a), *key;
  size_t n = 0;
  for (; (key = hm_config_key(a, n)); n++) {
    const char *last = strrchr(key, '.');
    hm_str plain =
        hm_str_fmt(a, "\n%*s%s:", last ? (int)(2 * (strchr(key, '.') == last ? 1 : 2)) : 0, "",
                   last ? last + 1 : key);
    hm_str inline_key = hm_str_fmt(a, "{%s:", last ? last + 1 : key),
           later = hm_str_fmt(a, ", %s:", last ? last + 1 : key);
    if (!strstr(text, plain.p) && !strstr(text, inline_key.p) && !strstr(text, later.p))
      fail_msg("%s is not in the example", key);
  }
  assert_int_equal(n, 75);
}

static void rules_digest_follows_the_rules(void **state) {
  hm_arena *a = *state;
  const char *const yaml[] = { "",
                               "rules: {prose: [x]}",
                               "rules: {text_fields: [x]}",
                               "rules: {ordered_fields: [x]}",
                               "rules: {tolerance: [{slot: a, value: 1}]}",
                               "rules: {tolerance: [{slot: a, value: 1 kg}]}",
                               "rules: {prose: [x, y]}",
                               "rules: {prose: [xy]}",
                               "rules: {silence: [x]}",
                               "sources: [{name: x, complete: false}]",
                               "values: {several: [x]}",
                               "values: {several: [x*]}" };
  hm_str seen[N(yaml)];
  for (size_t i = 0; i < N(yaml); i++) {
    hm_config c = read_ok(a, yaml[i], "");
    seen[i] = hm_rules_digest(&c.rules, a);
    assert_int_equal(seen[i].n, 12);
    for (size_t k = 0; k < i; k++) assert_false(hm_str_eq(seen[i], seen[k]));
  }
  assert_true(hm_str_eq(seen[0], hm_rules_digest(hm_rules_default(), a)));
}

/* Any bytes: an error or a config, in time. */
static void hostile(void **state) {
  (void)state;
  static const char *const pieces[] = {
    "title", ":",  " ",   "\n",  "  ",   "- ", "[",   "]", "{",         "}",    "publish",
    "rules", "\"", "'",   "#",   "&a",   "*a", "!!x", "|", ">",         "\t",   "keep",
    ",",     "?",  "---", "...", "\xff", "%",  "x",   "1", "tolerance", "slot", "value"
  };
  uint64_t r = 9;
  for (int i = 0; i < 3000; i++) {
    hm_arena *a = hm_arena_new();
    hm_buf b = { 0 };
    for (size_t n = prng(&r) % 60; n > 0; n--) hm_buf_c(&b, pieces[prng(&r) % N(pieces)]);
    hm_config c;
    hm_err err = { 0 };
    if (hm_config_parse(a, hm_buf_view(&b), "mirror.yml", "", &c, &err))
      assert_true(err.what[0] && err.why[0]);
    hm_buf_free(&b);
    hm_arena_free(a);
  }
  static const char *const deep[] = { "[", "{", "- ", "? ", "a: ", "{a: ", "&a " };
  for (size_t i = 0; i < N(deep); i++) {
    hm_arena *a = hm_arena_new();
    hm_buf b = { 0 };
    while (b.n < HM_CONFIG_MAX) hm_buf_c(&b, deep[i]);
    hm_config c;
    hm_err err = { 0 };
    assert_int_equal(hm_config_parse(a, hm_buf_view(&b), "mirror.yml", "", &c, &err), -1);
    hm_buf_free(&b);
    hm_arena_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(defaults, setup, teardown),
    cmocka_unit_test_setup_teardown(values, setup, teardown),
    cmocka_unit_test_setup_teardown(sources, setup, teardown),
    cmocka_unit_test_setup_teardown(errors, setup, teardown),
    cmocka_unit_test_setup_teardown(broken_yaml_names_its_line, setup, teardown),
    cmocka_unit_test_setup_teardown(rules_are_switched, setup, teardown),
    cmocka_unit_test_setup_teardown(example_is_the_defaults, setup, teardown),
    cmocka_unit_test_setup_teardown(example_has_every_key, setup, teardown),
    cmocka_unit_test_setup_teardown(rules_digest_follows_the_rules, setup, teardown),
    cmocka_unit_test(hostile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
