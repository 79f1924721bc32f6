/* Rows read back from the pages: what the store says, the pages tell, and the
 * pages are understood. */
#include <time.h>

#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_base_slow.h"
#include "tests/unit/gen_page_help.h"

#include "gen/history/inline.h"
#include "gen/history/slots.h"
#include "gen/render/escape.h"

static hm_arena *a;

static int begin(void **state) {
  (void)state;
  a = hm_arena_new();
  return 0;
}

static int end(void **state) {
  (void)state;
  hm_arena_free(a);
  return 0;
}

#define S(lit) HM_STR(lit)
static const hm_view_options options = { .title = { "T", 1 }, .list_limit = 8, .value_limit = 300, .tool = { "hmirror", 7 } };

#define assert_text(got, want) do { \
    hm_str g_ = (got), w_ = (want); \
    if (!hm_str_eq(g_, w_)) fail_msg("\"%.*s\" is not \"%.*s\"", HM_FMT(g_), HM_FMT(w_)); \
  } while (0)

/* --- one line ----------------------------------------------------------------- */

static void lines_are_read(void **state) {
  (void)state;
  static const struct { const char *md, *text; } cases[] = {
    { "GF-PTFE", "GF-PTFE" }, { "a \\[b\\](c) \\*d\\* \\\\ \\<e\\>", "a [b](c) *d* \\ <e>" }, { "[Leg](component.md#entity-e5)", "Leg" },
    { "**Leg**", "Leg" }, { "<a id=\"state-s1\"></a>key", "key" }, { "[a\\]b](c) d", "a]b d" }, { "", "" }, { "a\\", "a\\" }, { "[a", "[a" },
    { "&lt;b&gt; &amp;lt; R & D &copy; &", "<b> &lt; R & D &copy; &" }, { "kim`@`x\\.org \\`@\\` `", "kim@x.org `@` `" },
    { "http:/\\/x", "http://x" } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_text(hm_inline_text(hm_str_c(cases[i].md), a), hm_str_c(cases[i].text));
  hm_inline_value v = hm_inline_value_of(S("3.1 [⚠ disputed](../../conflicts/c1.md)"), a);
  assert_text(v.text, S("3.1"));
  v = hm_inline_value_of(S("long… ([all 3,000 bytes](../data/ab.txt)) [x](../conflicts/c1.md)"), a);
  assert_text(v.text, S("long…"));
  assert_text(v.whole, S("../data/ab.txt"));
  v = hm_inline_value_of(S("no mark \\[⚠ disputed\\](../conflicts/c1.md)"), a);
  assert_text(v.text, S("no mark [⚠ disputed](../conflicts/c1.md)"));
}

static void a_line_of_brackets_takes_linear_time(void **state) {
  (void)state;
  hm_buf b = { 0 };
  for (int i = 0; i < 400000; i++) hm_buf_c(&b, i % 2 ? "[](" : "[");
  hm_inline_value v = hm_inline_value_of(hm_buf_view(&b), a);
  assert_int_equal(v.text.n, b.n);
  hm_buf_free(&b);
}

static void a_line_of_tags_that_do_not_end_takes_linear_time(void **state) {
  (void)state;
  enum { N = 2000000 };
  hm_str text = { memset(hm_alloc(a, N), '<', N), N };
  double began = (double)clock() / CLOCKS_PER_SEC;
  assert_int_equal(hm_inline_text(text, a).n, N);
  assert_true((double)clock() / CLOCKS_PER_SEC - began < 2 * slowness());
}

/* Whoever may commit to the branch writes the pages. */
static void a_table_of_empty_cells_is_read(void **state) {
  (void)state;
  enum { N = 200000 };
  hm_buf head = { 0 }, row = { 0 };
  hm_block *b;
  hm_fact f;
  hm_buf_c(&row, "| <a id=\"state-s1\"></a>k |");
  for (int i = 0; i < N; i++) hm_buf_c(&head, "|");
  for (int i = 0; i < N; i++) hm_buf_c(&row, "v|");
  hm_buf_ch(&head, '\n');
  hm_buf_str(&head, hm_buf_view(&row));
  assert_int_equal(hm_blocks_of(S("projects/p/state.md"), hm_buf_view(&head), a, &b), 1);
  hm_fact_of(&b[0], a, &f);
  assert_int_equal(f.n, N - 2);   /* of N bars, the first begins the row; the first cell is the key */
  hm_buf_free(&head);
  hm_buf_free(&row);
}

static void which_pages_list_rows(void **state) {
  (void)state;
  static const char *const lists[] = { "projects/p05/state.md", "projects/p05/state-a-c.md", "projects/p05/relations.md",
    "projects/p05/entities/decision.md", "projects/p05/memories/2026.md" };
  static const char *const others[] = { "projects/p05/README.md", "projects/p05/decisions.md", "projects/p05/entities/README.md",
    "projects/p05/state.html", "projects/p05/subsystems/frame.md", "conflicts/README.md", "projects/a-c.md", "state.md" };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) assert_true(hm_is_list_page(hm_str_c(lists[i])));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_false(hm_is_list_page(hm_str_c(others[i])));
}

/* --- all of a mirror ------------------------------------------------------------ */

static hm_str no_folder(void *ctx, hm_str folder) {
  help_site *s = ctx;
  for (uint32_t i = 0; i < s->view->n_projects; i++)
    if (hm_str_eq(s->view->projects[i].slug, folder)) return s->view->snap->projects[s->view->projects[i].snap].id;
  fail_msg("no folder %.*s", HM_FMT(folder));
  return HM_EMPTY;
}

typedef struct { hm_fact *v; const hm_fact **p; size_t n; } told;

static told all_facts(help_site *s) {
  told t = { .v = hm_alloc_array(s->a, s->view->snap->n_rows + 1, sizeof *t.v), .p = hm_alloc_array(s->a, s->view->snap->n_rows + 1, sizeof *t.p) };
  for (size_t i = 0; i < s->pages->n; i++) {
    hm_block *b;
    hm_str path = s->pages->pages[i].path;
    if (!hm_is_list_page(path)) continue;
    size_t n = hm_blocks_of(path, help_render(s, &s->pages->pages[i]), s->a, &b);
    for (size_t k = 0; k < n; k++) {
      assert_true(t.n < s->view->snap->n_rows);
      hm_fact_of(&b[k], s->a, &t.v[t.n]);
      assert_text(hm_block_ref(&b[k], s->a), t.v[t.n].ref);
      t.p[t.n] = &t.v[t.n];
      t.n++;
    }
  }
  return t;
}

/* A fact as pages show it; of a long one the beginning. */
static void assert_shown(const hm_fact *f, hm_str name, hm_str value) {
  const hm_shown *s = hm_fact_shown(f, name, true);
  hm_str want = hm_clean(a, value);
  if (!s && want.n == 0) return;
  if (!s) fail_msg("%.*s: %.*s is not shown", HM_FMT(f->ref), HM_FMT(name));
  if (!s->whole.n) assert_text(s->value, want);
  else assert_true(value.n > options.value_limit);
}

static void compare_row(help_site *s, const hm_fact *f) {
  const hm_snapshot *snap = s->view->snap;
  uint32_t row = hm_snapshot_ref(snap, HM_MEMORY, f->ref);
  if (row == HM_NONE) fail_msg("no row %.*s", HM_FMT(f->ref));
  const hm_row *r = &snap->rows[row];
  assert_int_equal(r->layer, f->layer);
  assert_text(f->status, hm_str_c(hm_status_name(r->status)));
  if (r->layer == HM_MEMORY) assert_shown(f, S("content"), r->text);
  if (r->layer == HM_MEMORY) assert_text(f->type, hm_clean(a, r->type));
  if (r->layer == HM_STATE) assert_shown(f, S("value"), hm_view_state_value(s->view, row, a));
  if (r->layer == HM_ENTITY && r->name.n < 100) assert_text(f->name, hm_clean(a, r->name));
  if (r->layer == HM_STATE && r->name.n < 100) assert_text(f->name, hm_clean(a, r->name));
  const hm_json *props = r->layer == HM_ENTITY ? hm_view_props(s->view, row, a) : NULL;
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next) assert_shown(f, hm_clean(a, p->key), hm_json_text(p, a));
}

/* Every row once, with its fields, and in the slots in which the sweep has it. */
static void assert_told(hm_str lines) {
  help_site s = help_site_of(lines, &options);
  told t = all_facts(&s);
  const hm_snapshot *snap = s.view->snap;
  size_t listed = 0, compared = 0;
  for (uint32_t i = 0; i < snap->n_rows; i++) listed += hm_view_listed(s.view, i);
  assert_int_equal(t.n, listed);
  for (size_t i = 0; i < t.n; i++) compare_row(&s, t.p[i]);
  hm_folders folders = { no_folder, &s };
  hm_saids *said;
  hm_err err = { 0 };
  assert_int_equal(hm_slots_of(t.p, t.n, &folders, hm_rules_default(), s.a, &said, &err), 0);
  hm_claims *all;
  assert_int_equal(hm_claims_of(snap, hm_rules_default(), 1, &all, &err), 0);
  for (size_t i = 0; i < all->n; i++) {
    const hm_claim *c = &all->claims[i];
    hm_str key = hm_claim_slot_key(s.a, snap, c), ref = hm_str_fmt(s.a, "%s:%.*s", hm_layer_kind(c->layer), HM_FMT(snap->rows[c->row].id));
    size_t k = 0, j = 0;
    while (k < t.n && !hm_str_eq(t.p[k]->ref, ref)) k++;
    assert_true(k < t.n);
    while (j < said[k].n && !hm_str_eq(said[k].v[j].key, key)) j++;
    if (j == said[k].n) fail_msg("%.*s: no claim of %.*s", HM_FMT(ref), HM_FMT(key));
    compared++;
  }
  assert_true(compared > 0);
  hm_claims_free(all);
  help_site_done(&s);
}

static hm_str file(const char *path) {
  hm_buf b = { 0 };
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("%s is not there", path);
  for (int c; (c = getc(f)) != EOF;) hm_buf_ch(&b, (char)c);
  fclose(f);
  hm_str s = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return s;
}

static void the_example_is_told(void **state) {
  (void)state;
  static const char *const files[] = { "1-projects", "2-interferometer", "3-gigalink", "4-polisher", "5-people" };
  hm_buf b = { 0 };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) hm_buf_str(&b, file(hm_str_fmt(a, "site-example/facts/%s.jsonl", files[i]).p));
  assert_told(hm_buf_view(&b));
  hm_buf_free(&b);
}

/* --- hostile ones ----------------------------------------------------------------- */

static const char *const parts[] = { "[", "](", ")", "⚠ disputed", "](../conflicts/c1.md)", "|", "**", ":**", ": ", " / ", "→", " → ", "← ", "\\", "<a id=\"state-s1\"></a>",
  "---", "# ", "- ", "\n", "\n\n## History\n\n", "Id: x", "\t", "a", "B", "7", " ", "(", "([all 3 bytes](x))", "`", "*", "_", "~", "$", "é", "\u202e", "\u2028", "&amp;", "!", "=", "+", "'", "\"" };

static hm_str random_text(uint64_t *seed) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "v");   /* not empty when cleaned */
  for (uint64_t n = prng(seed) % 8; n > 0; n--) hm_buf_c(&b, parts[prng(seed) % (sizeof parts / sizeof *parts)]);
  if (prng(seed) % 20 == 0)
    for (int i = 0; i < 120; i++) hm_buf_c(&b, "long ");
  hm_str s = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return s;
}

static void put_rows(hm_jw *w, hm_buf *b, uint64_t *seed, int i) {
  static const char *const kinds[] = { "memory", "entity", "project_state", "entity" };
  int kind = i % 4;
  hm_jw_init(w, b, 0);
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "kind", hm_str_c(kinds[kind]));
  hm_jw_str(w, "id", hm_str_fmt(a, "r%d", i));
  hm_jw_str(w, "project", S("p05"));
  if (kind == 0) {
    hm_jw_str(w, "memory_type", S("knowledge"));
    hm_jw_str(w, "content", random_text(seed));
  } else if (kind == 2) {
    hm_jw_str(w, "key", S("some key"));
    hm_jw_str(w, "category", S("fact"));
    hm_jw_str(w, "value", random_text(seed));
  } else {
    hm_jw_str(w, "entity_type", kind == 1 ? S("Decision") : S("Lens"));
    hm_jw_str(w, "name", S("a name"));
    hm_jw_obj(w, "properties");
    hm_jw_str(w, "decision_target", S("t"));
    hm_jw_str(w, "value", random_text(seed));
    hm_jw_str(w, hm_str_fmt(a, "p%.*s", HM_FMT(hm_clean(a, hm_str_sub(random_text(seed), 0, 20)))).p, random_text(seed));
    hm_jw_end(w);
  }
  if (i % 7 == 0) hm_jw_str(w, "status", S("superseded"));
  hm_jw_end(w);
  hm_buf_ch(b, '\n');
}

/* Names of rows and keys are kept simple: of those the slot is made, and the pages show them cut. */
static void hostile_facts_are_told(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int round = 0; round < 12; round++) {
    hm_buf b = { 0 };
    hm_jw w;
    hm_buf_c(&b, "{\"kind\":\"project\",\"id\":\"p05\"}\n{\"kind\":\"project_state\",\"id\":\"plain\",\"project\":\"p05\",\"key\":\"k\",\"value\":\"v\"}\n");
    for (int i = 0; i < 60; i++) put_rows(&w, &b, &seed, i);
    help_site s = help_site_of(hm_buf_view(&b), &options);
    told t = all_facts(&s);
    assert_int_equal(t.n, 61);
    for (size_t i = 0; i < t.n; i++) compare_row(&s, t.p[i]);
    help_site_done(&s);
    hm_buf_free(&b);
  }
}

/* Pages that somebody edited by hand, or a file that is none: read somehow, never beyond their end. */
static void damaged_pages_are_survived(void **state) {
  (void)state;
  static const char *const pages[] = { "projects/p/state.md", "projects/p/entities/decision-a-c.md", "projects/p/memories/2026.md", "projects/p/relations.md" };
  static const char whole[] =
    "# Decisions: a-c\n\nPart of the list [Decisions](decision.md).\n\n## optics\n\n| Key | Value | Id |\n| --- | --- | --- |\n"
    "| <a id=\"state-s1\"></a>clear \\| aperture | 300 mm [⚠ disputed](../../conflicts/c1.md) | s1 |\n\n"
    "### <a id=\"entity-e1\"></a>Support\n\n- **value:** e7 → [Leg](component.md#entity-e7)\n- Superseded by: [x](#entity-e2) — why\n- Id: e1\n\n"
    "- <a id=\"memory-m1\"></a>2026-03-20 knowledge: a is b ([all 3,000 bytes](../data/a.txt))\n  - Recorded: 2026-03-20\n  - Id: m1\n"
    "- <a id=\"state-s2\"></a>c / k: v (superseded)\n- <a id=\"relation-r1\"></a>[a](b) → PART_OF → c\n\n---\n";
  uint64_t seed = 3;
  for (int round = 0; round < 4000; round++) {
    size_t n = sizeof whole - 1 - prng(&seed) % 40;
    char *md = malloc(n);   /* of that size, so that a step beyond it is seen */
    memcpy(md, whole, n);
    for (uint64_t k = prng(&seed) % 12; k > 0; k--) md[prng(&seed) % n] = "[]()|\\<>\"#-*:/ \n\xff"[prng(&seed) % 18];
    hm_block *b;
    size_t blocks = hm_blocks_of(hm_str_c(pages[round % 4]), (hm_str){ md, n }, a, &b);
    for (size_t i = 0; i < blocks; i++) {
      hm_fact f;
      hm_fact_of(&b[i], a, &f);
      hm_block_ref(&b[i], a);
    }
    free(md);
    hm_arena_reset(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(damaged_pages_are_survived, begin, end),
    cmocka_unit_test_setup_teardown(lines_are_read, begin, end),
    cmocka_unit_test_setup_teardown(a_line_of_brackets_takes_linear_time, begin, end),
    cmocka_unit_test_setup_teardown(a_line_of_tags_that_do_not_end_takes_linear_time, begin, end),
    cmocka_unit_test_setup_teardown(a_table_of_empty_cells_is_read, begin, end),
    cmocka_unit_test_setup_teardown(which_pages_list_rows, begin, end),
    cmocka_unit_test_setup_teardown(the_example_is_told, begin, end),
    cmocka_unit_test_setup_teardown(hostile_facts_are_told, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
