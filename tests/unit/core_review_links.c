/* Links: drawn, taken away, walked; the graph held to a search by brute force. */
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_review_help.h"
#include "core/review/links.h"
#include "core/store/links.h"

static void fill(world *w, int n) {
  hm_buf b = { 0 };
  create(w);
  for (int i = 0; i < n; i++)
    hm_buf_fmt(&b,
               "{\"kind\":\"memory\",\"id\":\"m%d\",\"memory_type\":\"episodic\","
               "\"content\":\"run %d\",\"project\":\"p\"}\n",
               i, i);
  hm_buf_c(&b, "{\"kind\":\"entity\",\"id\":\"e1\",\"entity_type\":\"Note\",\"name\":\"n\"}\n");
  import(w, hm_buf_take(&b, w->a).p);
}

static int try_link(world *w, const char *src, const char *dst, const char *rel,
                    hm_link_report *out) {
  hm_review r = review();
  return hm_review_link(w->s, &r, hm_str_c(src), hm_str_c(dst), hm_str_c(rel), w->a, out, &w->err);
}

static hm_link_report draw(world *w, const char *src, const char *dst, const char *rel) {
  hm_link_report out;
  ok(w, try_link(w, src, dst, rel, &out));
  return out;
}

static hm_link_report take(world *w, const char *src, const char *dst, const char *rel) {
  hm_review r = review();
  hm_link_report out;
  ok(w, hm_review_unlink(w->s, &r, hm_str_c(src), hm_str_c(dst), hm_str_c(rel), w->a, &out,
                         &w->err));
  return out;
}

static hm_link_graph walk(world *w, const char *row, const hm_link_filter *f) {
  hm_link_graph g;
  hm_str start = hm_str_c(row);
  ok(w, hm_links_walk(w->s, &start, 1, f, true, w->a, &g, &w->err));
  return g;
}

/* "m1@1 m2@1 m3@2": the rows but the first, as they come. */
static const char *rows_of(world *w, const hm_link_graph *g) {
  hm_buf b = { 0 };
  for (size_t i = 1; i < g->n; i++)
    hm_buf_fmt(&b, "%s%.*s@%d", i > 1 ? " " : "", HM_FMT(g->nodes[i].ref), g->nodes[i].depth);
  hm_buf_ch(&b, 0);
  return hm_buf_take(&b, w->a).p;
}

static const char *links(world *w) {
  return ask(w, "SELECT coalesce(group_concat(src || ' ' || rel || ' ' || dst, ', '), '') FROM"
                " (SELECT * FROM links ORDER BY src, rel, dst)");
}

/* --- one link ------------------------------------------------------------------------------ */

static void a_link_comes_and_goes(void **state) {
  world *w = *state;
  fill(w, 3);
  hm_str before = export(w);
  hm_link_report r = draw(w, "m0", "memory:m1", "refines");
  assert_true(r.changed && r.n_links == 1 && !r.n_warnings);
  assert_string_equal(links(w), "memory:m0 refines memory:m1");
  assert_string_equal(ask(w, "SELECT verb || ' ' || actor || ' ' || ref FROM journal ORDER BY seq DESC"),
                      "link kim link:memory:m0 memory:m1 refines");
  const char *lines = ask(w, "SELECT count(*) FROM journal");
  r = draw(w, "m0", "m1", "refines");
  assert_false(r.changed);
  assert_string_equal(ask(w, "SELECT count(*) FROM journal"), lines);
  draw(w, "m1", "m0", "refines");   /* the other way round is another link */
  draw(w, "m0", "m1", "");
  assert_string_equal(links(w), "memory:m0 refines memory:m1, memory:m0 related memory:m1, "
                                "memory:m1 refines memory:m0");
  r = take(w, "m0", "m1", "refined_by");   /* that is m1 refines m0 */
  assert_true(r.changed && r.n_links == 1);
  assert_str(r.links[0].src, "memory:m1");
  r = take(w, "m0", "m1", "");
  assert_int_equal(r.n_links, 2);
  assert_true(hm_str_eq(before, export(w)));
  r = take(w, "m0", "m1", "");
  assert_true(!r.changed && !r.n_links);
  int64_t n, bad;
  ok(w, hm_journal_verify(w->s, &n, &bad, &w->err));
  assert_int_equal(bad, 0);
  assert_string_equal(ask(w, "SELECT group_concat(verb) FROM (SELECT verb FROM journal ORDER BY seq"
                             " DESC LIMIT 3)"), "unlink,unlink,unlink");
}

static void words(void **state) {
  world *w = *state;
  fill(w, 3);
  hm_link_report r = draw(w, "m0", "m1", "superseded_by");
  assert_string_equal(links(w), "memory:m1 supersedes memory:m0");
  assert_int_equal(r.n_warnings, 2);   /* turned round; changes no row */
  assert_true(hm_str_find(r.warnings[0], "memory:m1 supersedes memory:m0") > 0);
  r = draw(w, "m0", "m2", "refine");
  assert_int_equal(r.n_warnings, 1);
  assert_true(hm_str_find(r.warnings[0], "did you mean 'refines'?") > 0);
  r = draw(w, "m0", "m2", "was seen beside");
  assert_int_equal(r.n_warnings, 0);
  r = draw(w, "m0", "memory:gone", "related");
  assert_int_equal(r.n_warnings, 1);
  assert_str(hm_rel_inverse(HM_STR("example_of")), "has_example");
  assert_str(hm_rel_find_by_inverse(HM_STR("source_of")), "derived_from");
  assert_str(hm_rel_find_by_inverse(HM_STR("")), "");
  assert_str(hm_rel_inverse(HM_STR("related")), "");
}

static void is_refused(world *w, const char *src, const char *dst, const char *rel, hm_code code,
                       const char *field) {
  hm_link_report r;
  assert_int_equal(try_link(w, src, dst, rel, &r), -1);
  assert_int_equal(w->err.code, code);
  assert_string_equal(w->err.field, field);
}

static void refused(void **state) {
  world *w = *state;
  char longest[HM_REL_MAX + 2];
  fill(w, 2);
  memset(longest, 'r', sizeof longest);
  longest[sizeof longest - 1] = 0;
  is_refused(w, "m0", "memory:m0", "refines", HM_E_INPUT, "dst");
  is_refused(w, "none", "m0", "refines", HM_E_UNKNOWN, "src");
  is_refused(w, "memory:none", "m0", "refines", HM_E_UNKNOWN, "src");
  is_refused(w, "m0", "none", "refines", HM_E_UNKNOWN, "dst");
  is_refused(w, "m0", "nothing:m1", "refines", HM_E_UNKNOWN, "dst");
  is_refused(w, "m0", "m1", longest, HM_E_INPUT, "rel");
  is_refused(w, "m0", "m1", "a\x1b[31mb", HM_E_INPUT, "rel");
  assert_string_equal(links(w), "");
  longest[HM_REL_MAX] = 0;
  draw(w, "m0", "m1", longest);
}

static void a_dry_run_draws_nothing(void **state) {
  world *w = *state;
  fill(w, 2);
  const char *lines = ask(w, "SELECT count(*) FROM journal");
  hm_review r = review();
  hm_link_report out;
  r.dry_run = true;
  ok(w, hm_review_link(w->s, &r, HM_STR("m0"), HM_STR("m1"), HM_EMPTY, w->a, &out, &w->err));
  assert_true(out.changed && out.dry_run);
  assert_string_equal(links(w), "");
  assert_string_equal(ask(w, "SELECT count(*) FROM journal"), lines);
}

/* Links of rows that are gone, and links that another program wrote with bare ids. */
static void what_others_wrote_is_taken_away(void **state) {
  world *w = *state;
  fill(w, 3);
  draw(w, "m0", "memory:gone", "refines");
  assert_int_equal(take(w, "m0", "memory:gone", "").n_links, 1);
  sql(w, "INSERT INTO links VALUES ('m0', 'm1', 'related'), ('m0', 'memory:m1', 'refines')");
  hm_link_filter f = { .depth = 1, .cap = 10 };
  hm_link_graph g = walk(w, "m1", &f);
  assert_string_equal(rows_of(w, &g), "memory:m0@1");
  assert_int_equal(g.n_edges, 2);
  assert_int_equal(take(w, "m0", "m1", "").n_links, 2);
  assert_string_equal(links(w), "");
}

/* --- imports --------------------------------------------------------------------------------- */

static void an_import_brings_no_link_twice(void **state) {
  static const char line[] =
      "{\"kind\":\"link\",\"src\":\"memory:m0\",\"dst\":\"memory:m1\",\"rel\":\"refines\"}\n";
  world *w = *state;
  fill(w, 2);
  draw(w, "m0", "m1", "refines");
  import(w, line);
  assert_int_equal(w->n.added + w->n.updated, 0);
  assert_int_equal(w->n.unchanged, 1);
  hm_str before = export(w);
  take(w, "m0", "m1", "");
  import(w, line);   /* somebody removed it */
  assert_int_equal(w->n.unchanged, 1);
  assert_string_equal(links(w), "");
  draw(w, "m0", "m1", "refines");
  assert_true(hm_str_eq(before, export(w)));
}

/* --- the graph --------------------------------------------------------------------------------- */

static void diamond_and_cycle(void **state) {
  world *w = *state;
  fill(w, 6);
  draw(w, "m0", "m1", "refines"), draw(w, "m0", "m2", "refines");
  draw(w, "m1", "m3", "refines"), draw(w, "m2", "m3", "refines");
  draw(w, "m3", "m0", "related");
  draw(w, "m3", "memory:gone", "related");
  draw(w, "m3", "e1", "example_of");
  hm_link_filter f = { .direction = HM_LINKS_OUT, .depth = 5, .cap = 100 };
  hm_link_graph g = walk(w, "m0", &f);
  assert_string_equal(rows_of(w, &g), "memory:m1@1 memory:m2@1 memory:m3@2 entity:e1@3");
  assert_int_equal(g.n_edges, 6);
  assert_int_equal(g.n_dangling, 1);
  assert_str(g.dangling[0], "memory:gone");
  assert_false(g.cut);
  f.cap = 2;
  g = walk(w, "m0", &f);
  assert_string_equal(rows_of(w, &g), "memory:m1@1 memory:m2@1");
  assert_true(g.cut);
  assert_int_equal(g.n_edges, 2);
  f = (hm_link_filter){ .depth = 1, .cap = 100 };
  g = walk(w, "e1", &f);
  assert_string_equal(rows_of(w, &g), "memory:m3@1");
  assert_true(g.nodes[1].in);
  assert_str(g.nodes[1].text, "run 3");
  hm_str twice[] = { HM_STR("m1"), HM_STR("memory:m1"), HM_STR("m2") };
  ok(w, hm_links_walk(w->s, twice, 3, &f, false, w->a, &g, &w->err));
  assert_int_equal(g.n, 4);
  assert_int_equal(g.nodes[1].depth, 0);
  hm_str none = HM_STR("none");
  assert_int_equal(hm_links_walk(w->s, &none, 1, &f, false, w->a, &g, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_UNKNOWN);
}

/* Rows that came in superseded have no link, and the walk goes along what they say. */
static void superseded_rows_are_linked(void **state) {
  world *w = *state;
  create(w);
  import(w, "{\"kind\":\"memory\",\"id\":\"a\",\"memory_type\":\"knowledge\",\"content\":\"a\","
            "\"status\":\"superseded\",\"superseded_by\":\"b\"}\n"
            "{\"kind\":\"memory\",\"id\":\"b\",\"memory_type\":\"knowledge\",\"content\":\"b\","
            "\"status\":\"superseded\",\"superseded_by\":\"entity:e1\"}\n"
            "{\"kind\":\"entity\",\"id\":\"e1\",\"entity_type\":\"Note\",\"name\":\"n\"}\n"
            "{\"kind\":\"entity\",\"id\":\"b\",\"entity_type\":\"Note\",\"name\":\"m\"}\n"
            "{\"kind\":\"entity\",\"id\":\"lost\",\"entity_type\":\"Note\",\"name\":\"l\","
            "\"status\":\"superseded\",\"superseded_by\":\"gone\"}\n");
  assert_string_equal(links(w), "");
  hm_link_filter f = { .depth = 5, .cap = 100 };
  hm_link_graph g = walk(w, "entity:e1", &f);
  assert_string_equal(rows_of(w, &g), "memory:b@1 memory:a@2");
  assert_true(g.n_edges == 2 && !g.nodes[1].in);
  assert_str(g.nodes[1].rel, "supersedes");
  assert_str(g.edges[0].src, "entity:e1");
  assert_str(g.edges[0].dst, "memory:b");
  f.direction = HM_LINKS_OUT;
  g = walk(w, "memory:a", &f);
  assert_int_equal(g.n, 1);
  g = walk(w, "entity:b", &f);   /* another row with the id that a names */
  assert_int_equal(g.n, 1);
  f.direction = HM_LINKS_IN;
  g = walk(w, "memory:a", &f);
  assert_string_equal(rows_of(w, &g), "memory:b@1 entity:e1@2");
  g = walk(w, "lost", &f);
  assert_int_equal(g.n_dangling, 1);
  assert_str(g.dangling[0], "entity:gone");
  hm_str refines = HM_STR("refines"), by = HM_STR("superseded_by");
  f = (hm_link_filter){ .rels = &refines, .n_rels = 1, .depth = 5, .cap = 100 };
  g = walk(w, "memory:a", &f);
  assert_int_equal(g.n, 1);
  f = (hm_link_filter){ .rels = &by, .n_rels = 1, .direction = HM_LINKS_OUT, .depth = 5, .cap = 9 };
  g = walk(w, "memory:a", &f);
  assert_string_equal(rows_of(w, &g), "memory:b@1 entity:e1@2");
  draw(w, "memory:b", "memory:a", "supersedes");   /* drawn as well: it is one link */
  g = walk(w, "memory:a", &f);
  assert_true(g.n == 3 && g.n_edges == 2);
}

static const char *plan_of(world *w, const char *column) {
  char text[200];
  snprintf(text, sizeof text,
           "EXPLAIN QUERY PLAN SELECT src, dst, rel FROM links WHERE %s = 'x' ORDER BY rel",
           column);
  sqlite3 *db;
  sqlite3_stmt *st;
  assert_int_equal(sqlite3_open(w->path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(db, text, -1, &st, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(st), SQLITE_ROW);
  hm_str detail = hm_str_dup(w->a, hm_str_c((const char *)sqlite3_column_text(st, 3)));
  assert_int_equal(sqlite3_step(st), SQLITE_DONE);   /* and nothing is sorted */
  sqlite3_finalize(st);
  sqlite3_close(db);
  return detail.p;
}

static void both_ends_are_searched_by_an_index(void **state) {
  world *w = *state;
  fill(w, 2);
  assert_string_equal(plan_of(w, "dst"), "SEARCH links USING COVERING INDEX links_dst (dst=?)");
  assert_non_null(strstr(plan_of(w, "src"), "SEARCH links USING COVERING INDEX"));
  sql(w, "DROP INDEX links_dst");   /* as an older program left it */
  draw(w, "m0", "m1", "");
  assert_string_equal(plan_of(w, "dst"), "SEARCH links USING COVERING INDEX links_dst (dst=?)");
}

/* --- random graphs ------------------------------------------------------------------------------ */

enum { ROWS = 9, GONE = 2, LINKS = 14, RELS = 5 };
static const char *const RELATIONS[RELS] = { "refines", "refined_by", "related", "own word",
                                             "contradicts" };
typedef struct { int src, dst, rel; } drawn;

static bool is_inverse(int a, int b) { return (a == 0 && b == 1) || (a == 1 && b == 0); }

/* May a walk go from src to dst (forward), or from dst to src, along a link with this rel? */
static bool may(int rel, bool forward, int direction, const bool chosen[RELS], bool any) {
  for (int word = 0; word < RELS; word++) {
    if (any ? word != rel : !chosen[word]) continue;
    if (word != rel && !is_inverse(word, rel)) continue;
    bool along = (word == rel) == forward;
    if (direction == HM_LINKS_BOTH || (direction == HM_LINKS_OUT) == along) return true;
  }
  return false;
}

static void compare(world *w, const drawn *l, int n, uint64_t *seed) {
  bool chosen[RELS], any = prng(seed) % 3 == 0;
  hm_str rels[RELS];
  hm_link_filter f = { .rels = rels, .cap = 100, .depth = 1 + (int)(prng(seed) % 4) };
  int start = (int)(prng(seed) % ROWS), far[ROWS];
  bool gone[GONE] = { false };
  char name[16];
  f.direction = (hm_link_direction)(prng(seed) % 3);
  for (int i = 0; i < RELS; i++) {
    chosen[i] = !any && prng(seed) % 2;
    if (chosen[i]) rels[f.n_rels++] = hm_str_c(RELATIONS[i]);
  }
  any = !f.n_rels;
  for (int i = 0; i < ROWS; i++) far[i] = i == start ? 0 : -1;
  for (int d = 0; d < f.depth; d++)
    for (int i = 0; i < n; i++)
      for (int forward = 0; forward < 2; forward++) {
        int from = forward ? l[i].src : l[i].dst, to = forward ? l[i].dst : l[i].src;
        if (from >= ROWS || far[from] != d || !may(l[i].rel, forward, f.direction, chosen, any))
          continue;
        if (to >= ROWS) gone[to - ROWS] = true;
        else if (far[to] < 0) far[to] = d + 1;
      }
  snprintf(name, sizeof name, "memory:m%d", start);
  hm_link_graph g = walk(w, name, &f), again = walk(w, name, &f);
  int reached = 0, edges = 0, lost = 0;
  for (int i = 0; i < ROWS; i++) {
    hm_str ref = hm_str_fmt(w->a, "memory:m%d", i);
    int found = -1;
    for (size_t k = 0; k < g.n; k++)
      if (hm_str_eq(g.nodes[k].ref, ref)) {
        assert_int_equal(found, -1);
        found = g.nodes[k].depth;
      }
    assert_int_equal(found, far[i]);
    reached += far[i] >= 0;
  }
  assert_int_equal(g.n, reached);
  for (int i = 0; i < n; i++)
    if (l[i].src < ROWS && l[i].dst < ROWS && far[l[i].src] >= 0 && far[l[i].dst] >= 0)
      edges += may(l[i].rel, true, HM_LINKS_BOTH, chosen, any);
  assert_int_equal(g.n_edges, edges);
  for (int i = 0; i < GONE; i++) lost += gone[i];
  assert_int_equal(g.n_dangling, lost);
  assert_string_equal(rows_of(w, &g), rows_of(w, &again));
}

static void random_graphs(void **state) {
  world *w = *state;
  uint64_t seed = 20261122;
  fill(w, ROWS);
  for (int round = 0; round < 60; round++) {
    drawn l[LINKS];
    int n = 0;
    hm_buf b = { 0 };
    hm_buf_c(&b, "DELETE FROM links;");
    for (int i = 0; i < LINKS; i++) {
      drawn x = { (int)(prng(&seed) % ROWS), (int)(prng(&seed) % (ROWS + GONE)),
                  (int)(prng(&seed) % RELS) };
      bool known = x.src == x.dst, bare = prng(&seed) % 4 == 0;
      for (int k = 0; k < n; k++)
        known = known || (l[k].src == x.src && l[k].dst == x.dst && l[k].rel == x.rel);
      if (known) continue;
      l[n++] = x;
      hm_buf_fmt(&b, "INSERT INTO links VALUES ('memory:m%d', '%sm%d', '%s');", x.src,
                 bare ? "" : "memory:", x.dst, RELATIONS[x.rel]);
    }
    hm_buf_ch(&b, 0);
    sql(w, hm_buf_take(&b, w->a).p);
    /* A bare end and a full one of a row that is gone are two texts. */
    sql(w, "UPDATE OR REPLACE links SET dst = 'memory:' || dst WHERE dst IN ('m9', 'm10')");
    for (int i = 0; i < 20; i++) compare(w, l, n, &seed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(a_link_comes_and_goes, begin, end),
    cmocka_unit_test_setup_teardown(words, begin, end),
    cmocka_unit_test_setup_teardown(refused, begin, end),
    cmocka_unit_test_setup_teardown(a_dry_run_draws_nothing, begin, end),
    cmocka_unit_test_setup_teardown(what_others_wrote_is_taken_away, begin, end),
    cmocka_unit_test_setup_teardown(an_import_brings_no_link_twice, begin, end),
    cmocka_unit_test_setup_teardown(superseded_rows_are_linked, begin, end),
    cmocka_unit_test_setup_teardown(diamond_and_cycle, begin, end),
    cmocka_unit_test_setup_teardown(both_ends_are_searched_by_an_index, begin, end),
    cmocka_unit_test_setup_teardown(random_graphs, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
