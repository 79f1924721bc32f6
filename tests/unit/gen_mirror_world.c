/* world.yml: what it says reaches the calendars, and its errors name line and key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/sweep/sweep.h"
#include "gen/mirror/config.h"

static int setup(void **state) {
  *state = hm_arena_new();
  return 0;
}
static int teardown(void **state) {
  hm_arena_free(*state);
  return 0;
}

static void eras_and_worlds_are_read(void **state) {
  static const char yaml[] = "worlds:\n"
                             "  - {world: w, current: f.year_9, approximate: 2, parent_age: 7,\n"
                             "     parents_differ_in_gender: true}\n"
                             "eras:\n"
                             "  - {world: w, era: e, begins: year_1, ends: year_30}\n"
                             "  - {world: w, era: f, unit: ~}\n"
                             "  - {world: w, era: g, parent: e}\n"
                             "  - {world: w, era: h, begins: 1837, unit: day}\n";
  hm_world_file file;
  hm_err err;
  assert_int_equal(hm_world_file_parse(*state, hm_str_c(yaml), "world.yml", &file, &err), 0);
  assert_null(file.relations);
  const hm_world *w = hm_world_find(file.worlds, HM_STR("w"), HM_EMPTY, *state);
  hm_bound e, g, day, about;
  assert_non_null(w);
  assert_int_equal(hm_world_allows(w).parent_age, 7);
  assert_int_equal(hm_world_allows(w).born_after_death, 1);
  assert_true(hm_world_allows(w).parents_differ);
  assert_false(hm_world_allows(NULL).parents_differ);
  assert_false(hm_bound_parse(w, HM_STR("e.year_31"), &e));
  assert_true(hm_bound_parse(w, HM_STR("e"), &e) && hm_bound_parse(w, HM_STR("g"), &g));
  assert_true(e.first == g.first && e.last == g.last && g.vague);
  assert_true(hm_bound_parse(w, HM_STR("h.day_32"), &day));
  assert_true(hm_bound_parse(NULL, HM_STR("1837-02-01"), &e));
  assert_true(day.first == e.first && day.last == e.last);
  assert_true(hm_bound_parse(w, HM_STR("about 1066"), &about));
  assert_true(hm_bound_parse(NULL, HM_STR("1066 ± 2"), &e));
  assert_true(about.first == e.first && about.last == e.last);
  assert_true(hm_bound_parse(w, HM_STR("current"), &e) &&
              hm_bound_parse(w, HM_STR("f.year_9"), &g));
  assert_true(e.first == g.first && e.last == g.last);
}

static void kinds_of_relations_are_read(void **state) {
  static const char yaml[] = "relations:\n"
                             "  - {kind: Lord of, subject: to, from: Person, words: under}\n"
                             "  - {kind: member_of, to: Guild}\n"
                             "  - {kind: CONTROLS, at_once: 0}\n"
                             "  - {kind: MINE, at_once: 3}\n";
  hm_world_file file;
  hm_err err;
  assert_int_equal(hm_world_file_parse(*state, hm_str_c(yaml), "world.yml", &file, &err), 0);
  const hm_relation_kinds *all = file.relations;
  const hm_relation_kind *lord = hm_relation_kind_find(all, HM_STR("LordOf")),
                         *member = hm_relation_kind_find(all, HM_STR("MEMBER_OF")),
                         *mine = hm_relation_kind_find(all, HM_STR("mine"));
  assert_int_equal(all->n, hm_config_relation_kinds(NULL)->n + 1);
  assert_string_equal(lord->name, "LORD_OF");
  assert_string_equal(lord->words, "under");
  assert_true(lord->subject == HM_SUBJECT_TO && lord->at_once == 1 && !lord->to && !lord->nests);
  assert_string_equal(lord->from, "person");
  assert_string_equal(member->from, "person");
  assert_string_equal(member->to, "guild");
  assert_true(mine->subject == HM_SUBJECT_FROM && mine->at_once == 3);
  assert_string_equal(mine->words, "mine");
  assert_null(hm_relation_kind_find(all, HM_STR("CONTROLS")));
}

static void errors_name_line_and_key(void **state) {
  const struct {
    const char *yaml, *want;
  } t[] = {
    { "eras:\n  - {world: w, era: e, beginns: 3}\n",
      "world.yml:2: eras[0].beginns: unknown key: did you mean 'begins'?" },
    { "eras:\n  - {era: e}\n", "world.yml:2: eras[0]: 'world' is missing" },
    { "kinds: []\n", "world.yml:1: kinds: unknown key: the keys here are worlds, eras, relations" },
    { "worlds:\n  - world: w\n    approximate: few\n",
      "world.yml:3: worlds[0].approximate: a whole number is expected here" },
    { "worlds:\n  - world: w\n    approximate: 100000\n",
      "world.yml:3: worlds[0].approximate: out of range: give 0 to 99999" },
    { "worlds:\n  - world: w\n    parents_differ_in_gender: often\n",
      "world.yml:3: worlds[0].parents_differ_in_gender: neither true nor false: give true or "
      "false" },
    { "eras:\n  - world: w\n    era: e\n    begins: soon\n",
      "world.yml:4: eras[0].begins: neither a date, nor a time of an era above, nor a unit of its "
      "own: write 1837, 2nd_age.year_3441 or year_1" },
    { "eras:\n  - world: w\n    era: e\n    parent: f\n",
      "world.yml:4: eras[0].parent: no era above has this name: put the parent above it" },
    { "worlds:\n  - world: w\n    current: f.year_3\n",
      "world.yml:3: worlds[0].current: no time in this world: write a date, or a time of one of its "
      "eras" },
    { "relations:\n  - {kind: LORD_OF, subjekt: to}\n",
      "world.yml:2: relations[0].subjekt: unknown key: did you mean 'subject'?" },
    { "relations:\n  - kind: LORD_OF\n    subject: lord\n",
      "world.yml:3: relations[0].subject: no end of a relation: write from, to or both" },
    { "relations:\n  - {kind: LORD_OF}\n  - {kind: Lord of}\n",
      "world.yml:3: relations[1].kind: this kind stands above: give each kind once" },
    { "relations:\n  - {kind: 'LORD/OF'}\n",
      "world.yml:2: relations[0].kind: no name of a kind: use letters, digits and _, at most 60" },
    { "relations:\n  - {kind: PARENT_OF, nests: yes}\n",
      "world.yml:2: relations[0].nests: such a kind speaks of one end, with one value at a time: "
      "leave it out, or write another subject or at_once" },
    { "relations:\n  - {kind: A, at_once: 10000}\n",
      "world.yml:2: relations[0].at_once: out of range: give 0 to 9999" },
  };
  for (size_t i = 0; i < HM_COUNT(t); i++) {
    hm_world_file file;
    hm_err err;
    char line[2048];
    assert_int_equal(hm_world_file_parse(*state, hm_str_c(t[i].yaml), "world.yml", &file, &err),
                     -1);
    assert_int_equal(err.code, HM_E_USAGE);
    hm_err_format_line(&err, line, sizeof line);
    assert_string_equal(line, t[i].want);
  }
}

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void it_lies_beside_the_config(void **state) {
  char dir[] = "/tmp/hm_world_XXXXXX";
  assert_non_null(mkdtemp(dir));
  const char *config = hm_str_fmt(*state, "%s/mirror.yml", dir).p;
  const char *world = hm_config_world_file(*state, config);
  hm_config none, some, other;
  hm_err err;
  assert_string_equal(world, hm_str_fmt(*state, "%s/world.yml", dir).p);
  assert_string_equal(hm_config_world_file(*state, NULL), "world.yml");
  write_file(config, "title: T\n");
  assert_int_equal(hm_config_load(*state, config, &none, &err), 0);
  write_file(world, "eras:\n  - {world: w, era: e}\n");
  assert_int_equal(hm_config_load(*state, config, &some, &err), 0);
  write_file(world, "eras:\n  - {world: w, era: f}\n");
  assert_int_equal(hm_config_load(*state, config, &other, &err), 0);
  assert_null(none.rules.worlds);
  assert_non_null(some.rules.worlds);
  hm_str a = hm_rules_digest(&none.rules, *state), b = hm_rules_digest(&some.rules, *state),
         c = hm_rules_digest(&other.rules, *state);
  assert_false(hm_str_eq(a, b) || hm_str_eq(b, c));
  write_file(world,
             "eras:\n  - {world: w, era: f}\nrelations:\n  - {kind: CONTROLS, at_once: 0}\n");
  assert_int_equal(hm_config_load(*state, config, &other, &err), 0);
  assert_false(hm_str_eq(c, hm_rules_digest(&other.rules, *state)));
  write_file(world, "eras: 3\n");
  assert_int_equal(hm_config_load(*state, config, &other, &err), -1);
  unlink(world);
  unlink(config);
  rmdir(dir);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(eras_and_worlds_are_read),
    cmocka_unit_test(kinds_of_relations_are_read),
    cmocka_unit_test(errors_name_line_and_key),
    cmocka_unit_test(it_lies_beside_the_config),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
