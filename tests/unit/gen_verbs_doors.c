/* The table of doors is whole: each cell names something that is there, or says why there is
 * nothing; each command, operation and tool has its place; the manual prints it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gen/api/api.h"
#include "gen/api/doors.h"
#include "gen/mcp/mcp_impl.h"
#include "gen/verbs/commands.h"

static const char *const LAYERS[] = { "memory", "entity",   "state",   "relation",
                                      "link",   "conflict", "finding", "project" };
static const char *const VERBS[] = { "add",     "get",    "list", "edit",
                                     "promote", "retire", "link", "history" };

static const hm_command *command_of(const char *words) {
  size_t n = strcspn(words, " ");
  for (const hm_command *const *c = hm_commands; *c; c++)
    if (strlen((*c)->name) == n && !strncmp((*c)->name, words, n))
      return *c;
  return NULL;
}

static bool is_there(int door, const char *name) {
  return door == HM_DOOR_COMMAND ? command_of(name) != NULL
      : door == HM_DOOR_HTTP     ? hm_api_find_operation(hm_str_c(name)) != NULL
                                 : hm_find_tool(hm_str_c(name)) != NULL;
}

static void no_cell_is_empty(void **state) {
  (void)state;
  size_t n;
  const hm_door_row *rows = hm_door_rows(&n);
  assert_int_equal(n, HM_COUNT(LAYERS) * HM_COUNT(VERBS));
  for (size_t i = 0; i < n; i++) {
    assert_string_equal(rows[i].layer, LAYERS[i / HM_COUNT(VERBS)]);
    assert_string_equal(rows[i].verb, VERBS[i % HM_COUNT(VERBS)]);
    for (int d = 0; d < HM_N_DOORS; d++) {
      const char *cell = rows[i].door[d];
      if (!cell || !*cell)
        fail_msg("%s %s: door %d is empty", rows[i].layer, rows[i].verb, d);
      bool reason = *cell == '-';
      if (reason ? strlen(cell) < 12 : !is_there(d, cell))
        fail_msg("%s %s: door %d has '%s', which is not there", rows[i].layer, rows[i].verb, d,
                 cell);
    }
  }
}

static bool is_in_others(const char *name) {
  size_t n = strlen(name);
  for (const char *p = hm_door_others; (p = strstr(p, name)); p++)
    if ((p == hm_door_others || p[-1] == ' ') && (!p[n] || p[n] == ' '))
      return true;
  return false;
}

static void has_a_place(int door, const char *name) {
  size_t n, words = strlen(name);
  const hm_door_row *rows = hm_door_rows(&n);
  for (size_t i = 0; i < n; i++) {
    const char *cell = rows[i].door[door];
    if (!strncmp(cell, name, words) && (!cell[words] || cell[words] == ' '))
      return;
  }
  if (!is_in_others(name))
    fail_msg("'%s' is in no cell of the table of doors (gen/api/doors.c), nor among the others",
             name);
}

static void nothing_is_left_out(void **state) {
  (void)state;
  size_t n;
  const hm_api_operation *operations = hm_api_operations(&n);
  for (size_t i = 0; i < n; i++)
    has_a_place(HM_DOOR_HTTP, operations[i].name);
  for (const hm_command *const *c = hm_commands; *c; c++)
    has_a_place(HM_DOOR_COMMAND, (*c)->name);
  const hm_tool *tools = hm_tools(&n);
  for (size_t i = 0; i < n; i++)
    if (*tools[i].title)
      has_a_place(HM_DOOR_MCP, tools[i].name);
}

static void the_manual_prints_it(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  FILE *f = fopen("gen/cli/hmirror.1", "r");
  assert_non_null(f);
  static char page[1 << 20];
  page[fread(page, 1, sizeof page - 1, f)] = 0;
  fclose(f);
  if (!strstr(page, hm_str_z(a, hm_doors_text(a))))
    fail_msg("section DOORS of gen/cli/hmirror.1 is not what `hmirror help doors` prints");
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_cell_is_empty),
    cmocka_unit_test(nothing_is_left_out),
    cmocka_unit_test(the_manual_prints_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
