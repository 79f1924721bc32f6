/* hmirror(1) and the help know every verb and option of the tables; hmirror-config(5) lists the
 * keys of the config, and no others. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/detect/sql_rule.h"
#include "gen/cli/cli.h"
#include "gen/verbs/commands.h"
#include "gen/mirror/config.h"
#include "tests/unit/manual_help.h"

static manual_page manual, config;

static int read_manual(void **state) {
  (void)state;
  bool read =
      manual_read(&manual, "gen/cli/hmirror.1") && manual_read(&config, "gen/cli/hmirror-config.5");
  return read ? 0 : -1;
}

static bool has_option(const char *from, const char *option) {
  char text[80];
  snprintf(text, sizeof text, "Fl Fl %s", option);
  for (const char *p = from; (p = strstr(p, text)); p++) {
    char after = p[strlen(text)];
    if (after == ' ' || after == '\n') return true;
  }
  return false;
}

/* Where the manual begins to speak of a verb. */
static const char *entry(const char *verb) {
  char text[80];
  snprintf(text, sizeof text, ".It Cm %s", verb);
  for (const char *p = manual.text; (p = strstr(p, text)); p++)
    if (p[strlen(text)] == ' ' || p[strlen(text)] == '\n') return p;
  snprintf(text, sizeof text, ".It Xo\n.Cm %s\n", verb);
  return strstr(manual.text, text);
}

static void options_are_in_the_manual(void **state) {
  (void)state;
  for (const hm_option *o = hm_global_options; o->name; o++)
    if (!has_option(manual.text, o->name)) fail_msg("--%s is not in the manual", o->name);
  for (const hm_command *const *c = hm_commands; *c; c++) {
    const char *at = entry((*c)->name);
    if (!at) fail_msg("%s is not in the manual", (*c)->name);
    for (const hm_option *o = (*c)->options; o && o->name; o++)
      if (!has_option(at, o->name)) fail_msg("%s --%s is not in the manual", (*c)->name, o->name);
  }
}

/* The keys of mirror.yml, without what follows "[]": a list is one key; then those of world.yml. */
static const char *config_key(hm_arena *a, size_t i) {
  size_t n = 0;
  while (n <= i && hm_config_key(a, n)) n++;
  if (n <= i) return hm_world_file_key(a, i - n);
  const char *key = hm_config_key(a, i), *end = strstr(key, "[]");
  return end ? hm_str_z(a, (hm_str){ key, (size_t)(end - key) }) : key;
}

static bool is_documented(const char *key) {
  char line[500], word[MANUAL_WORD];
  manual_rewind(&config);
  while (manual_line(&config, line)) {
    const char *at = line;
    bool tag = config.in_item || strncmp(line, ".It ", 4) == 0;
    while (tag && manual_word("Cm", line, &at, word))
      if (strcmp(word, key) == 0) return true;
  }
  return false;
}

static void keys_are_in_the_manual(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  const char *key;
  for (size_t i = 0; (key = config_key(a, i)); i++)
    if (!is_documented(key)) fail_msg("%s is not in hmirror-config(5)", key);
  hm_arena_free(a);
}

static bool is_key(hm_arena *a, const char *word) {
  const char *key;
  for (size_t i = 0; (key = config_key(a, i)); i++)
    if (strcmp(key, word) == 0) return true;
  return false;
}

static void the_manual_has_no_other_key(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  char line[500], word[MANUAL_WORD];
  manual_rewind(&config);
  while (manual_line(&config, line)) {
    const char *at = line;
    bool tag = config.in_item || strncmp(line, ".It ", 4) == 0;
    while (tag && manual_word("Cm", line, &at, word))
      if (!is_key(a, word)) fail_msg("hmirror-config(5): there is no key %s", word);
  }
  hm_arena_free(a);
}

/* Letters and names are unambiguous where both tables hold. */
static void no_option_twice(void **state) {
  (void)state;
  for (const hm_command *const *c = hm_commands; *c; c++)
    for (const hm_option *o = (*c)->options; o && o->name; o++) {
      for (const hm_option *g = hm_global_options; g->name; g++) {
        bool stands_for_it = (*c)->formats && strcmp(o->name, "format") == 0;
        if (!stands_for_it) assert_string_not_equal(o->name, g->name);
        assert_false(o->letter && o->letter == g->letter);
      }
      for (const hm_option *p = (*c)->options; p != o; p++) {
        assert_string_not_equal(o->name, p->name);
        assert_false(o->letter && o->letter == p->letter);
      }
    }
}

static void help_is_whole(void **state) {
  (void)state;
  for (const hm_command *const *c = hm_commands; *c; c++) {
    char *text;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    hm_print_verb_help(f, *c);
    fclose(f);
    assert_non_null(strstr(text, "usage: hmirror "));
    assert_non_null(strstr(text, "\nExit codes:\n  0  "));
    assert_non_null(strstr(text, "\nExamples:\n  "));
    size_t lines = 0;
    for (const char *p = (*c)->about; *p; p++) lines += *p == '\n';
    assert_in_range(lines, 2, 4);
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
      assert_in_range(strcspn(p, "\n"), 0, 100);
    free(text);
  }
}

/* The part of hmirror-config(5) on rules in SQL has a word. */
static void is_in_rules(const char *name) {
  char word[MANUAL_WORD];
  const char *from = strstr(config.text, ".Sh RULES IN SQL"), *to = strstr(from, "\n.Sh ");
  for (const char *p = from; (p = strstr(p, name)) && p < to; p++) {
    size_t n = strlen(name);
    if (!isalnum((unsigned char)p[n]) && p[n] != '_' && p[-1] == ' ') return;
  }
  snprintf(word, sizeof word, "%s is not in RULES IN SQL", name);
  fail_msg("%s", word);
}

static void rules_in_sql_are_in_the_manual(void **state) {
  (void)state;
  for (size_t i = 0; hm_sql_rule_key(i); i++) is_in_rules(hm_sql_rule_key(i));
  for (size_t i = 0; hm_sql_function_name_at(i); i++) is_in_rules(hm_sql_function_name_at(i));
  for (size_t i = 0; hm_sql_table_name(i); i++) {
    is_in_rules(hm_sql_table_name(i));
    for (size_t k = 0; hm_sql_column_name(i, k); k++) is_in_rules(hm_sql_column_name(i, k));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(options_are_in_the_manual),
    cmocka_unit_test(keys_are_in_the_manual),
    cmocka_unit_test(the_manual_has_no_other_key),
    cmocka_unit_test(rules_in_sql_are_in_the_manual),
    cmocka_unit_test(no_option_twice),
    cmocka_unit_test(help_is_whole),
  };
  return cmocka_run_group_tests(tests, read_manual, NULL);
}
