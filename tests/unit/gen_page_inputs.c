/* The digest of what a page is made from: what of a neighbour counts, and what does not. */
#include "tests/unit/gen_page_inputs_help.h"

/* --- what of a neighbour counts ------------------------------------------------- */

static outputs outputs_of_lines(hm_arena *a, const char *lines) {
  hm_str all = hm_str_fmt(
      a,
      "{\"kind\":\"project\",\"id\":\"p\"}\n{\"kind\":\"project\",\"id\":\"q\"}\n{\"kind\":\"project\",\"id\":\"r\"}\n%s",
      lines);
  help_site s = help_site_of(all, &options);
  assert_int_equal(s.view->n_projects, 3);
  outputs o = outputs_of(&s, true, a);
  help_site_done(&s);
  return o;
}

/* Two stores that differ by a line: which projects have pages with another digest ("pq"). */
static const char *changed(hm_arena *a, const char *common, const char *before, const char *after) {
  outputs x = outputs_of_lines(a, hm_str_fmt(a, "%s%s", common, before).p),
          y = outputs_of_lines(a, hm_str_fmt(a, "%s%s", common, after).p);
  char *out = hm_alloc(a, 4), *at = out;
  unsigned bytes = 0;
  check(&x, &y, after, &bytes);
  for (uint32_t p = 0; p < 3; p++) {
    bool other = false;
    for (size_t i = 0; i < y.n; i++) {
      uint32_t was = hm_map_get(&x.at, y.v[i].path);
      if (y.v[i].project == p)
        other |= was == HM_MAP_NONE || !same(x.v[was].digest, y.v[i].digest);
    }
    if (other) *at++ = "pqr"[p];
  }
  return out;
}

#define ENTITY(id, project, type, name, more)                                                      \
  "{\"kind\":\"entity\",\"id\":\"" id "\",\"project\":\"" project "\",\"entity_type\":\"" type     \
  "\",\"name\":\"" name "\"" more "}\n"
#define NOTE(id, project, text, more)                                                              \
  "{\"kind\":\"memory\",\"id\":\"" id "\",\"project\":\"" project                                  \
  "\",\"memory_type\":\"episodic\",\"content\":\"" text "\"" more "}\n"
#define TOLD(id, year, text)                                                                       \
  "{\"kind\":\"memory\",\"id\":\"" id "\",\"project\":\"p\",\"memory_type\":\"knowledge\","         \
  "\"created_at\":\"" year "-01-02\",\"content\":\"" text "\"}\n"
#define STATE(id, project, key, value, more)                                                       \
  "{\"kind\":\"project_state\",\"id\":\"" id "\",\"project\":\"" project                          \
  "\",\"category\":\"fact\",\"key\":\"" key "\",\"value\":\"" value "\"" more "}\n"
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
      NOTE("b", "q", "one", ",\"status\":\"invalid\""), "pq" }, /* a dashed box, and a legend */
    { NOTE("m", "p", "here", "") LINK("memory:m", "memory:b")
          NOTE("o", "p", "old", ",\"status\":\"invalid\"") LINK("memory:m", "memory:o"),
      NOTE("b", "q", "one", ""), NOTE("b", "q", "one", ",\"status\":\"invalid\""), "q" },
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
    /* when two relations contradict each other does not depend on now: the newest time of a fact */
    { ENTITY("a", "p", "Person", "A", "") ENTITY("b", "p", "Person", "B", "")
          ENTITY("c", "p", "Realm", "C", "")
              RELATION("x", "p", "RULES", "a", "c", ",\"valid_from\":\"2025\"")
                  RELATION("y", "p", "RULES", "b", "c", ",\"valid_from\":\"2024-02\""),
      NOTE("n", "q", "one", ",\"created_at\":\"2025-03-01\""),
      NOTE("n", "q", "one", ",\"created_at\":\"2025-07-01\""), "q" },
    /* pages of a subsystem show whole rows */
    { ENTITY("a", "p", "Subsystem", "A", "") RELATION("x", "p", "PART_OF", "b", "a", ""),
      ENTITY("b", "q", "Component", "B", ",\"description\":\"one\""),
      ENTITY("b", "q", "Component", "B", ",\"description\":\"two\""), "pq" },
    { ENTITY("a", "p", "Subsystem", "A", "") ENTITY("b", "q", "Component", "B", "")
          RELATION("x", "p", "PART_OF", "b", "a", "") RELATION("y", "r", "USES", "c", "b", ""),
      ENTITY("c", "r", "Part", "C", ",\"description\":\"one\""),
      ENTITY("c", "r", "Part", "C", ",\"description\":\"two\""), "pr" },
    { ENTITY("a", "p", "Subsystem", "A", "") LINK("entity:a", "entity:b"),
      ENTITY("b", "q", "Component", "B", ",\"description\":\"one\""),
      ENTITY("b", "q", "Component", "B", ",\"description\":\"two\""), "q" },
    /* a link's marker: the other row comes into dispute */
    { ENTITY("a", "p", "Part", "A", "") LINK("entity:a", "entity:b")
          ENTITY("b", "q", "Parameter", "B",
                 ",\"properties\":{\"parameter_name\":\"gain\",\"value\":\"1 kg\"}"),
      "", ENTITY("c", "q", "Parameter", "C",
                 ",\"properties\":{\"parameter_name\":\"gain\",\"value\":\"2 kg\"}"), "pq" },
    /* what a memory became */
    { NOTE("m", "p", "here", ",\"status\":\"graduated\",\"graduated_to\":\"b\""),
      ENTITY("b", "q", "Part", "B", ",\"description\":\"one\""),
      ENTITY("b", "q", "Part", "B", ",\"description\":\"two\""), "q" },
    { NOTE("m", "p", "here", ",\"status\":\"graduated\",\"graduated_to\":\"b\""),
      ENTITY("b", "q", "Part", "B", ""), ENTITY("b", "q", "Part", "C", ""), "pq" },
    /* what superseded a row */
    { NOTE("m", "p", "here", ",\"status\":\"superseded\",\"superseded_by\":\"b\""),
      NOTE("b", "q", "one", ""), NOTE("b", "q", "one", ",\"confidence\":0.5"), "q" },
    { NOTE("m", "p", "here", ",\"status\":\"superseded\",\"superseded_by\":\"b\""),
      NOTE("b", "q", "one", ""), NOTE("b", "q", "two", ""), "pq" },
    /* what overtook a text, and how: on the page of another year, and of a conflict */
    { TOLD("m", "2025", "Cache TTL is 60 s."), TOLD("n", "2026", "Cache TTL is 300 s."),
      TOLD("n", "2026", "We decided: cache TTL is 300 s, final."), "p" },
    { TOLD("m", "2025", "Cache TTL is 60 s.") TOLD("o", "2027", "Cache TTL is 60 s."),
      TOLD("n", "2026", "Cache TTL is 300 s."),
      TOLD("n", "2026", "We decided: cache TTL is 300 s, final."), "p" },
    /* since when a party of a story holds that is no text: on its timeline, also where the dispute
     * began before */
    { TOLD("m", "2025", "gain is 3 kg") STATE("s1", "p", "gain", "PEEK", ",\"valid_from\":\"2021\"")
          STATE("s2", "p", "gain", "PTFE", ",\"valid_from\":\"2022\""),
      STATE("s3", "p", "gain", "PVC", ",\"valid_from\":\"2023\""),
      STATE("s3", "p", "gain", "PVC", ",\"valid_from\":\"2024\""), "p" },
    /* which of two conflicts the marker of a claim leads to, whatever else is marked: texts
     * that return to what they said, and the curated state */
    { TOLD("m1", "2024", "gain is 3 kg") TOLD("m2", "2025", "gain is 2 kg")
          TOLD("m3", "2026", "gain is 3 kg") STATE("s", "p", "gain", "PEEK", ""),
      "", STATE("t", "q", "mass", "1 kg", "") STATE("u", "q", "mass", "2 kg", ""), "q" },
    /* a property that names a row by its id; also in a text with a backslash */
    { ENTITY("a", "p", "Part", "A", ",\"properties\":{\"beside\":\"b\"}"),
      ENTITY("b", "p", "Part", "B", ""), ENTITY("b", "p", "Part", "C", ""), "p" },
    { ENTITY("a", "p", "Part", "A", ",\"properties\":{\"beside\":\"b\",\"c\":\"\\\\\"}"),
      ENTITY("b", "p", "Gizmo", "B", ""), ENTITY("b", "p", "Gizmo", "C", ""), "p" },
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
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_counts_of_a_neighbour),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
