/* What the tests of drawings share. */
#ifndef HM_GEN_DRAW_HELP_H
#define HM_GEN_DRAW_HELP_H
#include "core/base/arena.h"
#include "gen/draw/draw.h"
#include "tests/unit/core_base_prng.h"

static inline hm_str draw(hm_arena *a, const hm_draw_graph *g) {
  hm_buf b = { 0 };
  hm_draw_graph_svg(g, a, &b);
  hm_str s = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return s;
}

static inline unsigned count(hm_str text, const char *part) {
  unsigned n = 0;
  for (ptrdiff_t at; (at = hm_str_find(text, part)) >= 0; n++)
    text = hm_str_sub(text, (size_t)at + 1, text.n);
  return n;
}

#define assert_count(text, part, n)                                                                \
  do {                                                                                             \
    if (count((text), (part)) != (n))                                                              \
      fail_msg("not %d times %s:\n%.*s", (int)(n), (part), HM_FMT(text));                          \
  } while (0)

static inline hm_draw_node node(hm_arena *a, uint32_t i, const char *label) {
  return (hm_draw_node){ .key = hm_str_fmt(a, "%06u", i), .label = hm_str_c(label),
                         .kind = HM_STR("Part") };
}

/* The number after name=" from `at` on. */
static inline int number(hm_str s, size_t at, const char *name) {
  hm_str rest = hm_str_sub(s, at, s.n);
  ptrdiff_t found = hm_str_find(rest, name);
  assert_true(found >= 0);
  return atoi(rest.p + found + strlen(name));
}

typedef struct { hm_draw_node n[HM_GRAPH_NODES_MAX + 1]; hm_draw_edge e[HM_GRAPH_EDGES_MAX + 1]; } big;

static inline hm_draw_graph random_graph(hm_arena *a, big *b, uint64_t seed, uint32_t n, uint32_t m) {
  for (uint32_t i = 0; i < n; i++) {
    b->n[i] = node(a, i, hm_str_fmt(a, "node %u", i).p);
    b->n[i].disputed = prng(&seed) % 7 == 0;
  }
  for (uint32_t i = 0; i < m; i++)
    b->e[i] = (hm_draw_edge){ (uint32_t)(prng(&seed) % n), (uint32_t)(prng(&seed) % n),
                              hm_str_fmt(a, "r%u", (unsigned)(prng(&seed) % 5)), false };
  return (hm_draw_graph){ HM_STR("T"), HM_STR("D"), b->n, n, b->e, m };
}
#endif
