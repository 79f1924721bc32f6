/* The digest of what a project's pages are made from: what of a neighbour counts, and what does
 * not. */
#include "tests/unit/gen_page_help.h"

typedef struct {
  hm_hash128 of[3];
  hm_str pages[3];
} digests; /* of projects p, q, r, and the Markdown of their pages */

static digests digests_of(hm_arena *a, const char *lines) {
  digests d;
  hm_view_options opt = { .title = HM_STR("Mirror"),
                          .base_url = HM_EMPTY,
                          .tool = HM_STR("hmirror test") };
  hm_buf all = { 0 };
  hm_buf_c(
      &all,
      "{\"kind\":\"project\",\"id\":\"p\"}\n{\"kind\":\"project\",\"id\":\"q\"}\n{\"kind\":\"project\",\"id\":\"r\"}\n");
  hm_buf_c(&all, lines);
  help_site s = help_site_of(hm_buf_view(&all), &opt);
  const hm_hash128 *inputs = hm_page_inputs(s.view, 7, 2, s.a);
  assert_int_equal(s.view->n_projects, 3);
  for (uint32_t p = 0; p < 3; p++) {
    hm_buf b = { 0 };
    d.of[p] = inputs[p];
    for (size_t i = 0; i < s.pages->n; i++)
      if (s.pages->pages[i].project == p) hm_buf_str(&b, help_render(&s, &s.pages->pages[i]));
    d.pages[p] = hm_buf_keep(&b, a);
    hm_buf_free(&b);
  }
  hm_buf_free(&all);
  help_site_done(&s);
  return d;
}

/* Two stores that differ by a line: which projects have another digest ("pq"). Where the pages
 * differ, so must the digest. */
static const char *changed(hm_arena *a, const char *common, const char *before, const char *after) {
  digests x = digests_of(a, hm_str_fmt(a, "%s%s", common, before).p),
          y = digests_of(a, hm_str_fmt(a, "%s%s", common, after).p);
  char *out = hm_alloc(a, 4), *at = out;
  for (int p = 0; p < 3; p++) {
    bool same = x.of[p].hi == y.of[p].hi && x.of[p].lo == y.of[p].lo;
    if (!same) *at++ = "pqr"[p];
    if (same && !hm_str_eq(x.pages[p], y.pages[p]))
      fail_msg("the pages of %c differ, and not their digest: %s", "pqr"[p], after);
  }
  return out;
}

#define ENTITY(id, project, type, name, more)                                                      \
  "{\"kind\":\"entity\",\"id\":\"" id "\",\"project\":\"" project "\",\"entity_type\":\"" type     \
  "\",\"name\":\"" name "\"" more "}\n"
#define NOTE(id, project, text, more)                                                              \
  "{\"kind\":\"memory\",\"id\":\"" id "\",\"project\":\"" project                                  \
  "\",\"memory_type\":\"episodic\",\"content\":\"" text "\"" more "}\n"
#define RELATION(id, project, type, from, to, more)                                                \
  "{\"kind\":\"relation\",\"id\":\"" id "\",\"project\":\"" project "\",\"type\":\"" type          \
  "\",\"from\":\"" from "\",\"to\":\"" to "\"" more "}\n"
#define LINK(src, dst)                                                                             \
  "{\"kind\":\"link\",\"src\":\"" src "\",\"dst\":\"" dst "\",\"rel\":\"refines\"}\n"

static void what_counts_of_a_neighbour(void **state) {
  static const struct { const char *common, *before, *after, *changed;
  } cases[] = {
    /* nothing between them */
    { ENTITY("a", "p", "Part", "A", ""), NOTE("n", "q", "one", ""), NOTE("n", "q", "two", ""),
      "q" },
    /* a link shows a label and a place, and not what else the row says, nor other rows there */
    { ENTITY("a", "p", "Part", "A", "") LINK("entity:a", "entity:b"),
      ENTITY("b", "q", "Part", "B", ",\"description\":\"one\""),
      ENTITY("b", "q", "Part", "B", ",\"description\":\"two\""), "q" },
    { ENTITY("a", "p", "Part", "A", "") LINK("entity:a", "entity:b"),
      ENTITY("b", "q", "Part", "B", ""), ENTITY("b", "q", "Part", "C", ""), "pq" },
    { ENTITY("a", "p", "Part", "A", "") LINK("entity:b", "entity:a"),
      ENTITY("b", "q", "Part", "B", ""), ENTITY("b", "q", "Gizmo", "B", ""), "pq" },
    { ENTITY("a", "p", "Part", "A", "") ENTITY("b", "q", "Part", "B", "")
          LINK("entity:a", "entity:b"),
      NOTE("n", "q", "one", ""), NOTE("n", "q", "two", ""), "q" },
    { ENTITY("a", "p", "Part", "A", "") ENTITY("b", "q", "Part", "B", ""), "",
      LINK("entity:a", "entity:b"), "pq" },
    { ENTITY("a", "p", "Part", "A", "") LINK("entity:a", "entity:b"), "",
      ENTITY("b", "q", "Part", "B", ""), "pq" },
    { NOTE("m", "p", "here", "") LINK("memory:m", "memory:b"), NOTE("b", "q", "one", ""),
      NOTE("b", "q", "two", ""), "pq" },
    { NOTE("m", "p", "here", "") LINK("memory:m", "memory:b"), NOTE("b", "q", "one", ""),
      NOTE("b", "q", "one", ",\"status\":\"invalid\""), "q" },
    /* a relation, of one of the two or of a third project */
    { ENTITY("a", "p", "Part", "A", "") RELATION("x", "p", "AFFECTS", "a", "b", ""),
      ENTITY("b", "q", "Part", "B", ",\"description\":\"one\""),
      ENTITY("b", "q", "Part", "B", ",\"description\":\"two\""), "q" },
    { ENTITY("a", "p", "Part", "A", "") RELATION("x", "p", "AFFECTS", "a", "b", ""),
      ENTITY("b", "q", "Part", "B", ""), ENTITY("b", "q", "Part", "C", ""), "pq" },
    { ENTITY("a", "p", "Part", "A", "") ENTITY("b", "q", "Part", "B", ""),
      RELATION("x", "r", "AFFECTS", "a", "b", ""),
      RELATION("x", "r", "AFFECTS", "a", "b", ",\"valid_from\":\"2026-01\""), "pqr" },
    { ENTITY("a", "p", "Decision", "A", "") RELATION("x", "", "AFFECTS", "a", "b", ""),
      ENTITY("b", "q", "Part", "B", ",\"description\":\"one\""),
      ENTITY("b", "q", "Part", "B", ",\"description\":\"two\""), "q" },
    /* pages of a subsystem show whole rows */
    { ENTITY("a", "p", "Subsystem", "A", "") RELATION("x", "p", "PART_OF", "b", "a", ""),
      ENTITY("b", "q", "Component", "B", ",\"description\":\"one\""),
      ENTITY("b", "q", "Component", "B", ",\"description\":\"two\""), "pq" },
    { ENTITY("a", "p", "Subsystem", "A", "") ENTITY("b", "q", "Component", "B", "")
          RELATION("x", "p", "PART_OF", "b", "a", "") RELATION("y", "r", "USES", "c", "b", ""),
      ENTITY("c", "r", "Part", "C", ",\"description\":\"one\""),
      ENTITY("c", "r", "Part", "C", ",\"description\":\"two\""), "pqr" },
    { ENTITY("a", "p", "Subsystem", "A", "") LINK("entity:a", "entity:b"),
      ENTITY("b", "q", "Component", "B", ",\"description\":\"one\""),
      ENTITY("b", "q", "Component", "B", ",\"description\":\"two\""), "q" },
    /* what a memory became */
    { NOTE("m", "p", "here", ",\"status\":\"graduated\",\"graduated_to\":\"b\""),
      ENTITY("b", "q", "Part", "B", ",\"description\":\"one\""),
      ENTITY("b", "q", "Part", "B", ",\"description\":\"two\""), "q" },
    { NOTE("m", "p", "here", ",\"status\":\"graduated\",\"graduated_to\":\"b\""),
      ENTITY("b", "q", "Part", "B", ""), ENTITY("b", "q", "Part", "C", ""), "pq" },
    /* what superseded a row may stand on the page of a conflict, with all that it superseded */
    { NOTE("m", "p", "here", ",\"status\":\"superseded\",\"superseded_by\":\"b\""),
      NOTE("b", "q", "one", ""), NOTE("b", "q", "one", ",\"confidence\":0.5"), "pq" },
  };
  hm_arena *a = hm_arena_new();
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *is = changed(a, cases[i].common, cases[i].before, cases[i].after);
    if (strcmp(is, cases[i].changed) != 0)
      fail_msg("case %zu: \"%s\" instead of \"%s\"", i, is, cases[i].changed);
  }
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(what_counts_of_a_neighbour) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
