/* hmirror-facts(5) lists the kinds of records and the keys of each, and no others. Verdicts have no
 * table of keys: they are held to a line that says everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "core/record/records.h"
#include "core/store/verdict_lines.h"
#include "tests/unit/manual_help.h"

static manual_page manual;

static int read_manual(void **state) {
  (void)state;
  return manual_read(&manual, "gen/cli/hmirror-facts.5") ? 0 : -1;
}

static bool is_documented(const char *kind, const char *key) {
  char line[500], word[MANUAL_WORD];
  manual_rewind(&manual);
  while (manual_line(&manual, line)) {
    const char *at = line;
    if (strcmp(manual.section, "KEYS") != 0 || strcmp(manual.part, kind) != 0) continue;
    bool tag = strncmp(line, ".It ", 4) == 0;
    if (tag && manual_word("Cm", line, &at, word) && strcmp(word, key) == 0) return true;
  }
  return false;
}

static void every_key_is_in_the_manual(void **state) {
  (void)state;
  for (int k = 0; k < HM_N_KINDS; k++)
    for (int i = 0; i < hm_kinds[k].n; i++) {
      const char *key = hm_kinds[k].fields[i].key;
      if (key && !is_documented(hm_kinds[k].name, key))
        fail_msg("%s: %s is not in hmirror-facts(5)", hm_kinds[k].name, key);
    }
}

/* A verdict with every key. */
static const hm_json *whole_verdict(hm_arena *a) {
  hm_buf b = { 0 };
  hm_str earlier = HM_STR("v1");
  hm_member_rec member = { .layer = HM_STATE, .id = HM_STR("s1") };
  const hm_verdict_line was = { .status = HM_STR("resolved") };
  hm_verdict_line v = {
    .id = HM_STR("v2"), .conflict = HM_STR("c1"), .rule = HM_STR("slot/1"),
    .slot_key = HM_STR("[\"p\",\"mass\"]"), .window_from = HM_STR("2026"),
    .window_until = HM_STR("2027"),
    .status = HM_STR("resolved"), .action = HM_STR("supersede_others"),
    .winner = HM_STR("project_state:s1"), .winner_source = HM_STR("a.jsonl"), .scope = HM_STR("field_only"), .notes = HM_STR("why"),
    .by = HM_STR("kim"),
    .at = HM_STR("2026-06-01"), .members = &member, .n_members = 1, .replaces = &earlier,
    .n_replaces = 1, .taken_back = &was };
  hm_verdict_line_json(&b, &v, a);
  hm_json *line = NULL;
  assert_int_equal(hm_json_parse(a, hm_buf_copy(&b, a), &line, NULL), 0);
  hm_buf_free(&b);
  return line;
}

static void every_key_of_a_verdict_is_in_the_manual(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  for (const hm_json *m = whole_verdict(a)->child; m; m = m->next)
    if (!hm_str_is(m->key, "kind") && !is_documented("verdict", hm_str_z(a, m->key)))
      fail_msg("verdict: %.*s is not in hmirror-facts(5)", HM_FMT(m->key));
  hm_arena_free(a);
}

static bool is_key_of_verdict(const char *key) {
  hm_arena *a = hm_arena_new();
  bool is = hm_json_get(whole_verdict(a), key) != NULL;
  hm_arena_free(a);
  return is;
}

static void the_manual_has_no_other_key(void **state) {
  (void)state;
  char line[500], word[MANUAL_WORD];
  manual_rewind(&manual);
  while (manual_line(&manual, line)) {
    const char *at = line;
    if (strcmp(manual.section, "KEYS") != 0 || !*manual.part) continue;
    hm_kind_index k = hm_kind_find(hm_str_c(manual.part));
    bool verdict = strcmp(manual.part, "verdict") == 0;
    if (k == HM_N_KINDS && !verdict) fail_msg("hmirror-facts(5): there is no kind %s", manual.part);
    if (strncmp(line, ".It ", 4) != 0 || !manual_word("Cm", line, &at, word)) continue;
    if (verdict ? !is_key_of_verdict(word) : hm_field_of_key(&hm_kinds[k], hm_str_c(word)) < 0)
      fail_msg("hmirror-facts(5): %s has no key %s", manual.part, word);
  }
}

/* The line that says "Required" stands below the key. */
static void required_keys_are_marked(void **state) {
  (void)state;
  char line[500], word[MANUAL_WORD], key[MANUAL_WORD] = "", kind[500] = "";
  bool marked = false, needed = false;
  manual_rewind(&manual);
  while (manual_line(&manual, line)) {
    const char *at = line;
    bool tag = strncmp(line, ".It ", 4) == 0, end = strncmp(line, ".El", 3) == 0;
    if (strcmp(manual.section, "KEYS") != 0 || !*manual.part) continue;
    if (strcmp(manual.part, "conflict") == 0 || strcmp(manual.part, "verdict") == 0) continue;
    if (tag || end) {
      if (marked != needed) fail_msg("hmirror-facts(5): %s of %s: required or not?", key, kind);
      marked = needed = false;
    }
    if (tag && manual_word("Cm", line, &at, word)) {
      const hm_kind *k = &hm_kinds[hm_kind_find(hm_str_c(manual.part))];
      const hm_record_field *f = &k->fields[hm_field_of_key(k, hm_str_c(word))];
      /* An id can be made from the record where the kind has a letter for it. */
      needed = f->flags & HM_F_REQUIRED && !(f->flags & HM_F_KEY && k->letter);
      snprintf(key, sizeof key, "%s", word);
      snprintf(kind, sizeof kind, "%s", manual.part);
    }
    if (strncmp(line, "Required", 8) == 0) marked = true;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_key_is_in_the_manual),
    cmocka_unit_test(every_key_of_a_verdict_is_in_the_manual),
    cmocka_unit_test(the_manual_has_no_other_key),
    cmocka_unit_test(required_keys_are_marked),
  };
  return cmocka_run_group_tests(tests, read_manual, NULL);
}
