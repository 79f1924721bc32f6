/* Graphs: what is drawn, whatever the order it comes in; where boxes, arrows and labels stand;
 * bounds, threads. HM_SEED repeats a run of the random graphs. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/digest.h"
#include "tests/unit/gen_draw_help.h"
#include "tests/unit/core_base_thorough.h"

/* --- what is drawn ------------------------------------------------------------------------ */

static void boxes_and_arrows(void **state) {
  hm_arena *a = hm_arena_new();
  (void)state;
  hm_draw_node n[] = { node(a, 1, "Frame"), node(a, 2, "Leg"), node(a, 3, "Old leg"),
                       node(a, 4, "Alone") };
  n[1].disputed = true;
  n[2].past = true;
  hm_draw_edge e[] = { { 1, 0, HM_STR("PART_OF"), false },
                       { 2, 1, HM_STR("names"), true },
                       { 0, 0, HM_STR("itself"), false } };
  hm_draw_graph g = { HM_STR("T"), HM_STR("D"), n, 4, e, 3 };
  hm_str s = draw(a, &g);
  assert_count(s, "<rect class=\"n", 4);
  assert_count(s, "<rect class=\"n d\"", 1);
  assert_count(s, "<rect class=\"n o\"", 1);
  assert_count(s, "\u26A0 disputed", 1);
  assert_count(s, "<path class=\"e\"", 1);
  assert_count(s, "<path class=\"E\"", 1);
  assert_count(s, ">PART_OF</text>", 1);
  assert_count(s, "itself", 0);
  assert_count(s, "<title id=\"title\">T</title>", 1);
  /* of one direction between two nodes there is one arrow; of the other another */
  hm_draw_edge many[] = { { 1, 0, HM_STR("b"), false }, { 1, 0, HM_STR("a"), false },
                          { 1, 0, HM_STR("b"), false }, { 0, 1, HM_STR("c"), false } };
  g.edges = many;
  g.n_edges = 4;
  s = draw(a, &g);
  assert_count(s, "<path class=\"e\"", 2);
  assert_count(s, ">a</text>", 1);
  assert_count(s, ">b</text>", 1);
  /* A label stands once, and beside one that ends with it; a slice has no NUL behind it. */
  hm_draw_edge alike[] = { { 1, 0, HM_STR("part "), false },
                           { 1, 0, (hm_str){ "part of", 4 }, false },
                           { 1, 0, HM_STR("a part"), false } };
  g.edges = alike;
  g.n_edges = 3;
  s = draw(a, &g);
  assert_count(s, ">a part</text>", 1);
  assert_count(s, ">part</text>", 1);
  /* of many labels the last line says how many are left out */
  static const char *const names[] = { "a", "b", "c", "d", "e", "f", "f" };
  hm_draw_edge seven[7];
  for (int i = 0; i < 7; i++) seven[i] = (hm_draw_edge){ 1, 0, hm_str_c(names[i]), false };
  g.edges = seven;
  g.n_edges = 7;
  s = draw(a, &g);
  assert_count(s, "<text class=\"q\"", 4);
  assert_count(s, ">c</text>", 1);
  assert_count(s, ">and 3 more</text>", 1);
  hm_arena_free(a);
}

/* No coordinate has a fraction, so that no rounding of a machine shows. */
static void coordinates_are_whole(void **state) {
  hm_arena *a = hm_arena_new();
  (void)state;
  hm_draw_node n[20];
  hm_draw_edge e[30];
  for (uint32_t i = 0; i < 20; i++) n[i] = node(a, i, "a label of some length");
  for (uint32_t i = 0; i < 30; i++) e[i] = (hm_draw_edge){ i % 20, i * 7 % 19, HM_STR("x"), false };
  hm_str s = draw(a, &(hm_draw_graph){ HM_STR("T"), HM_STR("D"), n, 20, e, 30 });
  unsigned paths = 0;
  for (ptrdiff_t at; (at = hm_str_find(s, "<path class=\"e\"")) >= 0; paths++) {
    s = hm_str_sub(s, (size_t)at + 1, s.n);
    hm_str path = hm_str_sub(s, 0, (size_t)hm_str_find(s, "/>"));
    if (hm_str_find(path, ".") >= 0) fail_msg("a fraction: %.*s", HM_FMT(path));
  }
  assert_true(paths > 20);
  hm_arena_free(a);
}

/* --- where chains stand -------------------------------------------------------------------- */

typedef struct { int x, y, w, h; } rect;

static size_t rects_of(hm_str s, rect *out) {
  size_t n = 0;
  for (ptrdiff_t at; (at = hm_str_find(s, "<rect class=\"n")) >= 0; n++) {
    s = hm_str_sub(s, (size_t)at + 1, s.n);
    out[n] = (rect){ number(s, 0, " x=\""), number(s, 0, " y=\""), number(s, 0, " width=\""),
                     number(s, 0, " height=\"") };
  }
  return n;
}

static bool overlap(const rect *a, const rect *b) {
  return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

/* Chains of 1 to 6 boxes of all widths: in rows, from the left, each arrow level and from side to
 * side; two arrows to one box, or a circle, are no chains and drawn all the same. */
static void chains_stand_in_rows(void **state) {
  static const char *const labels[] = { "a", "a label of some length", "a label that is much longer" };
  hm_arena *a = hm_arena_new();
  hm_draw_node n[40];
  hm_draw_edge e[40];
  rect r[40];
  uint64_t seed = 1;
  (void)state;
  for (int round = 0; round < 50; round++) {
    uint32_t n_nodes = 2 + (uint32_t)(prng(&seed) % 38);
    size_t n_edges = 0;
    for (uint32_t i = 0; i < n_nodes; i++) {
      n[i] = node(a, i, labels[prng(&seed) % 3]);
      n[i].disputed = prng(&seed) % 5 == 0;
      if (i && prng(&seed) % 6) e[n_edges++] = (hm_draw_edge){ i - 1, i, HM_EMPTY, false };
    }
    hm_draw_graph g = { HM_STR("T"), HM_STR("D"), n, n_nodes, e, n_edges };
    hm_str s = draw(a, &g);
    hm_draw_size size = hm_draw_graph_size(&g, a);
    assert_false(size.guessed);
    assert_int_equal(size.w, number(s, 0, " width=\""));
    assert_int_equal(size.h, number(s, 0, " height=\""));
    assert_int_equal(rects_of(s, r), n_nodes);
    for (size_t i = 0; i < n_nodes; i++) {
      assert_true(r[i].x >= 0 && r[i].y >= 0);
      assert_true(r[i].x + r[i].w <= number(s, 0, " width=\""));
      assert_true(r[i].y + r[i].h <= number(s, 0, " height=\""));
      for (size_t k = 0; k < i; k++) assert_false(overlap(&r[i], &r[k]));
    }
    size_t level = 0;
    for (size_t k = 0; k < n_edges; k++) {
      const rect *from = &r[e[k].from], *to = &r[e[k].to];
      assert_true(from->x + from->w < to->x);
      assert_int_equal(from->y + from->h / 2, to->y + to->h / 2);
      hm_str path = hm_str_fmt(a, "d=\"M%d %dC", from->x + from->w, from->y + from->h / 2);
      level += hm_str_find(s, path.p) >= 0;
    }
    assert_int_equal(level, n_edges);
  }
  hm_draw_edge circle[] = { { 0, 1, HM_EMPTY, false }, { 1, 0, HM_EMPTY, false } },
               fork[] = { { 0, 2, HM_EMPTY, false }, { 1, 2, HM_EMPTY, false } };
  hm_draw_graph g = { HM_STR("T"), HM_STR("D"), n, 2, circle, 2 };
  assert_count(draw(a, &g), "<path class=\"e\"", 2);
  g = (hm_draw_graph){ HM_STR("T"), HM_STR("D"), n, 3, fork, 2 };
  assert_count(draw(a, &g), "<path class=\"e\"", 2);
  hm_arena_free(a);
}

/* --- nothing covers anything ------------------------------------------------------------------ */

enum { MOST_SPOTS = 400, MOST_LABELS = 60, SIGN_ABOVE = 11, SIGN_BELOW = 3 }; /* of a line of text, from its base */

typedef struct { int left, top, right, bottom; bool is_label; hm_str text; } spot;

/* The boxes of nodes, and those that the lines of labels take, as the file has them. */
static size_t spots_of(hm_arena *a, hm_str s, spot *out) {
  size_t n = 0;
  for (ptrdiff_t at; (at = hm_str_find(s, "<rect class=\"n")) >= 0; n++) {
    s = hm_str_sub(s, (size_t)at + 1, s.n);
    hm_str tag = hm_str_sub(s, 0, (size_t)hm_str_find(s, "/>"));
    int x = number(tag, 0, " x=\""), y = number(tag, 0, " y=\"");
    out[n] = (spot){ x, y, x + number(tag, 0, " width=\""), y + number(tag, 0, " height=\""),
                     false, HM_STR("a box") };
  }
  for (ptrdiff_t at; (at = hm_str_find(s, "<text class=\"q\"")) >= 0; n++) {
    s = hm_str_sub(s, (size_t)at + 1, s.n);
    hm_str tag = hm_str_sub(s, 0, (size_t)hm_str_find(s, "</text>"));
    hm_str text = hm_str_sub(tag, (size_t)hm_str_find(tag, ">") + 1, tag.n);
    int x = number(tag, 0, " x=\""), y = number(tag, 0, " y=\"");
    int half = hm_svg_text_width(text) / 2;
    out[n] = (spot){ x - half, y - SIGN_ABOVE, x + half, y + SIGN_BELOW, true,
                     hm_str_dup(a, text) };
    assert_true(n < MOST_SPOTS);
  }
  return n;
}

static bool are_apart(const spot *a, const spot *b) {
  return a->right <= b->left || b->right <= a->left || a->bottom <= b->top || b->bottom <= a->top;
}

static void assert_apart(hm_arena *a, hm_str s, const char *what) {
  spot *all = hm_alloc_array(a, MOST_SPOTS + 1, sizeof *all);
  size_t n = spots_of(a, s, all);
  int w = number(s, 0, "width=\""), h = number(s, 0, "height=\"");
  for (size_t i = 0; i < n; i++) {
    if (all[i].left < 0 || all[i].top < 0 || all[i].right > w || all[i].bottom > h)
      fail_msg("%s: %.*s is not inside:\n%.*s", what, HM_FMT(all[i].text), HM_FMT(s));
    for (size_t k = 0; k < i; k++)
      if (!are_apart(&all[i], &all[k]))
        fail_msg("%s: %.*s covers %.*s:\n%.*s", what, HM_FMT(all[i].text), HM_FMT(all[k].text),
                 HM_FMT(s));
  }
}

/* Of random graphs, with circles, arrows both ways, and several between the same two boxes. */
static void draw_labelled(uint64_t seed, int rounds) {
  static const char *const words[] = { "", "PART_OF", "names", "i", "WWWW", "uses material",
                                       "supports the claim that it is so", "\u4e2d\u6587",
                                       "l.i.j", "a label that is too long to be shown whole" };
  uint64_t random = seed + 1;
  for (int round = 0; round < rounds; round++) {
    hm_arena *a = hm_arena_new();
    big *b = hm_alloc(a, sizeof *b);
    uint32_t n = 2 + (uint32_t)(prng(&random) % (round % 3 ? 8 : 40)),
             m = 1 + (uint32_t)(prng(&random) % MOST_LABELS), labels = 0;
    hm_draw_graph g = random_graph(a, b, prng(&random), n, m);
    for (uint32_t i = 0; i < n; i++)
      b->n[i].label = hm_str_c(words[prng(&random) % HM_COUNT(words)]);
    for (uint32_t i = 0; i < m; i++) {
      b->e[i].label = hm_str_c(words[prng(&random) % HM_COUNT(words)]);
      labels += b->e[i].label.n > 0 && b->e[i].from != b->e[i].to;
    }
    hm_str s = draw(a, &g);
    const char *what =
        hm_str_fmt(a, "HM_SEED=%llu, round %d", (unsigned long long)seed, round).p;
    assert_apart(a, s, what);
    if (labels && !count(s, "<text class=\"q\"")) fail_msg("%s: no label is drawn", what);
    hm_arena_free(a);
  }
}

/* In the first two graphs the library gives two labels places that touch. */
static void nothing_covers_a_label(void **state) {
  const char *env = getenv("HM_SEED");
  uint64_t seed = env ? strtoull(env, NULL, 10) : hm_random_seed() % 1000000;
  (void)state;
  draw_labelled(601175, 40);
  draw_labelled(831998, 19);
  print_message("HM_SEED=%llu\n", (unsigned long long)seed);
  draw_labelled(seed, 100);
}

/* Of a graph that is no chain the height is a guess, without the library: near enough that little
 * moves, and no more than a line of empty room. */
static void the_guessed_height_is_near(void **state) {
  uint64_t random = 7;
  int near = 0, guessed = 0;
  (void)state;
  for (int round = 0; round < 60; round++) {
    hm_arena *a = hm_arena_new();
    big *b = hm_alloc(a, sizeof *b);
    uint32_t n = 4 + (uint32_t)(prng(&random) % 36);
    hm_draw_graph g = random_graph(a, b, prng(&random), n, n + (uint32_t)(prng(&random) % 8));
    hm_draw_size size = hm_draw_graph_size(&g, a);
    int h = number(draw(a, &g), 0, " height=\"");
    guessed += size.guessed;
    near += size.h * 2 > h && size.h < h + h / 4;
    hm_arena_free(a);
  }
  print_message("%d of %d are near\n", near, guessed);
  assert_true(guessed > 50);
  assert_true(near > guessed * 9 / 10);
}

/* --- the same bytes --------------------------------------------------------------------------- */

static void order_does_not_matter(void **state) {
  hm_arena *a = hm_arena_new();
  big *b = hm_alloc(a, sizeof *b), *c = hm_alloc(a, sizeof *c);
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    uint32_t n = 5 + (uint32_t)seed * 4, m = n + (uint32_t)seed;
    hm_draw_graph g = random_graph(a, b, seed, n, m);
    hm_str s = draw(a, &g);
    for (uint32_t i = 0; i < n; i++) c->n[n - 1 - i] = b->n[i];
    for (uint32_t i = 0; i < m; i++) {
      c->e[m - 1 - i] = b->e[i];
      c->e[m - 1 - i].from = n - 1 - b->e[i].from;
      c->e[m - 1 - i].to = n - 1 - b->e[i].to;
    }
    g.nodes = c->n;
    g.edges = c->e;
    assert_true(hm_str_eq(s, draw(a, &g)));
  }
  hm_arena_free(a);
}

typedef struct { uint64_t seed; hm_str first; bool same; } task;

static void *draw_often(void *ctx) {
  task *t = ctx;
  hm_arena *a = hm_arena_new();
  big *b = hm_alloc(a, sizeof *b);
  t->same = true;
  for (int i = 0; i < 20; i++) {
    hm_draw_graph g = random_graph(a, b, t->seed, 30, 40);
    t->same &= hm_str_eq(t->first, draw(a, &g));
  }
  hm_arena_free(a);
  return NULL;
}

/* Drawings of other graphs at the same time, and before, leave no trace. */
static void threads_do_not_matter(void **state) {
  hm_arena *a = hm_arena_new();
  big *b = hm_alloc(a, sizeof *b);
  pthread_t threads[4];
  task tasks[4];
  (void)state;
  for (int i = 0; i < 4; i++) {
    hm_draw_graph g = random_graph(a, b, (uint64_t)i + 50, 30, 40);
    tasks[i] = (task){ (uint64_t)i + 50, draw(a, &g), false };
  }
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, draw_often, &tasks[i]);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 4; i++) assert_true(tasks[i].same);
  hm_arena_free(a);
}

/* --- bounds -------------------------------------------------------------------------------------- */

/* The most that is drawn, in shapes that are hard to lay out, ends; so do the most labels, each in
 * a column of its own. One more is not drawn. */
static void it_is_bounded(void **state) {
  hm_arena *a = hm_arena_new();
  big *b = hm_alloc(a, sizeof *b);
  (void)state;
  for (int round = 0; round < 10; round++) {
    int shape = round % 5;
    uint32_t n = round < 5 ? HM_GRAPH_NODES_MAX : 50,
             m = round < 5 ? HM_GRAPH_EDGES_MAX : MOST_LABELS;
    hm_draw_graph g = random_graph(a, b, 3, n, m);
    for (uint32_t i = 0; i < m && shape; i++) {
      bool chain = i < n - 1 && shape >= 3;
      b->e[i].from = chain ? i : shape == 1 ? 0 : shape == 2 ? i % 2 : i % 5;
      b->e[i].to = chain ? i + 1 : shape == 1 ? i % n : shape == 2 ? 2 + i % (n - 2) : n - 1 - i % 9;
      if (shape == 4 && !chain) b->e[i].from = i * 37 % n;
    }
    double begun = computed();
    assert_count(draw(a, &g), "<rect class=\"n", n);
    expect_within(3, begun, "a graph");
    if (round >= 5) assert_true(count(draw(a, &g), "<text class=\"q\"") > 20);
  }
  hm_draw_graph g = random_graph(a, b, 3, HM_GRAPH_NODES_MAX + 1, 10);
  assert_count(draw(a, &g), "<rect class=\"n", 0);
  g = random_graph(a, b, 3, 10, HM_GRAPH_EDGES_MAX + 1);
  assert_count(draw(a, &g), "<rect class=\"n", 0);
  g = (hm_draw_graph){ .title = HM_STR("T") };
  assert_count(draw(a, &g), "</svg>", 1);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_covers_a_label),
    cmocka_unit_test(the_guessed_height_is_near),
    cmocka_unit_test(boxes_and_arrows),
    cmocka_unit_test(coordinates_are_whole),
    cmocka_unit_test(order_does_not_matter),
    cmocka_unit_test(threads_do_not_matter),
    cmocka_unit_test(it_is_bounded),
    cmocka_unit_test(chains_stand_in_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
