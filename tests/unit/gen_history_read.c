/* Rows read back from the data files: what the store says, the files tell, and the
 * files are understood. */
#include "tests/unit/core_base_prng.h"
#include "tests/unit/gen_page_help.h"

#include "gen/history/history_impl.h"
#include "gen/history/fact.h"
#include "core/markdown/escape.h"

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
static const hm_view_options options = {
  .title = { "T", 1 }, .list_limit = 8, .value_limit = 300, .tool = { "hmirror", 7 }
};

#define assert_text(got, want) do { \
    hm_str g_ = (got), w_ = (want); \
    if (!hm_str_eq(g_, w_)) fail_msg("\"%.*s\" is not \"%.*s\"", HM_FMT(g_), HM_FMT(w_)); \
  } while (0)

static void which_files_hold_rows(void **state) {
  (void)state;
  static const char *const lists[] = {
    "data/p05/state.jsonl",         "data/p05/state-a-c.jsonl",
    "data/p05/relations.jsonl",     "data/p05/entities/decision.jsonl",
    "data/p05/memories/2026.jsonl", "data/p05/entities/project.jsonl"
  };
  static const char *const others[] = { "data/p05/project.jsonl",   "data/0123456789abcdef.txt",
                                        "data/p05/manifest.json",   "projects/p05/state.md",
                                        "projects/p05/state.jsonl", "conflicts.json",
                                        "data/state.jsonl",         "data//" };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    assert_true(hm_is_data_file(hm_str_c(lists[i])));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_false(hm_is_data_file(hm_str_c(others[i])));
  assert_true(hm_same_project_folder(S("data/p05/state.jsonl"), S("data/p05/entities/lens.jsonl")));
  assert_false(hm_same_project_folder(S("data/p05/state.jsonl"), S("data/p051/state.jsonl")));
  assert_false(hm_same_project_folder(S("data/p05/state.jsonl"), S("projects/p05/state.md")));
}

/* --- all of a mirror ------------------------------------------------------------ */

static hm_str no_folder(void *ctx, hm_str folder) {
  help_site *s = ctx;
  for (uint32_t i = 0; i < s->view->n_projects; i++)
    if (hm_str_eq(s->view->projects[i].dir, hm_str_fmt(s->a, "projects/%.*s/", HM_FMT(folder))))
      return s->view->snap->projects[s->view->projects[i].snap].id;
  fail_msg("no folder %.*s", HM_FMT(folder));
  return HM_EMPTY;
}

typedef struct { hm_fact *v; const hm_fact **p; size_t n; } told;

static hm_str bytes_of(help_site *s, const hm_raw_file *f) {
  hm_buf b = { 0 };
  f->bytes(s->view, f, s->a, &b);
  hm_str bytes = hm_buf_copy(&b, s->a);
  hm_buf_free(&b);
  return bytes;
}

static told all_facts(help_site *s) {
  told t = { .v = hm_alloc_array(s->a, s->view->snap->n_rows + 1, sizeof *t.v),
             .p = hm_alloc_array(s->a, s->view->snap->n_rows + 1, sizeof *t.p) };
  for (size_t i = 0; i < s->pages->n_raws; i++) {
    const hm_raw_file *f = &s->pages->raws[i];
    if (!hm_is_data_file(f->path)) continue;
    hm_str rest = bytes_of(s, f);
    assert_true(hm_str_starts(rest, "{\"kind\":\"mirror-data\",\"format\":1}\n"));
    for (ptrdiff_t nl = hm_str_find(rest, "\n");
         (rest = hm_str_sub(rest, (size_t)nl + 1, rest.n)).n;) {
      nl = hm_str_find(rest, "\n");
      hm_str line = hm_str_sub(rest, 0, (size_t)nl);
      assert_true(t.n < s->view->snap->n_rows);
      if (!hm_fact_parse_line(line, hm_project_folder(f->path), s->a, &t.v[t.n]))
        fail_msg("no row: %.*s", HM_FMT(line));
      assert_int_equal(hm_fact_line_is_active(line), hm_str_is(t.v[t.n].status, "active"));
      t.p[t.n] = &t.v[t.n];
      t.n++;
    }
  }
  return t;
}

/* A fact as pages show it; of a long one the beginning. */
static void assert_shown(const hm_fact *f, hm_str name, hm_str value) {
  const hm_fact_field *s = hm_fact_find_field(f, name, true);
  hm_str want = hm_clean_text(a, value);
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
  if (r->layer == HM_MEMORY) assert_text(f->type, hm_clean_text(a, r->type));
  if (r->layer == HM_STATE) assert_shown(f, S("value"), hm_view_state_value(s->view, row, a));
  if (r->layer == HM_ENTITY && r->name.n < 100) assert_text(f->name, hm_clean_text(a, r->name));
  if (r->layer == HM_STATE && r->name.n < 100) assert_text(f->name, hm_clean_text(a, r->name));
  const hm_json *props = r->layer == HM_ENTITY ? hm_view_props(s->view, row, a) : NULL;
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next)
    assert_shown(f, hm_clean_text(a, p->key), hm_format_json(p, a));
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
  hm_fact_claims *said;
  hm_err err = { 0 };
  assert_int_equal(hm_fact_build_claims(t.p, t.n, &folders, hm_rules_default(), s.a, &said, &err),
                   0);
  hm_claims *all;
  assert_int_equal(hm_claims_read(snap, hm_rules_default(), 1, &all, &err), 0);
  for (size_t i = 0; i < all->n; i++) {
    const hm_claim *c = &all->claims[i];
    hm_str key = hm_claim_slot_key(s.a, snap, c),
           ref = hm_str_fmt(s.a, "%s:%.*s", hm_layer_name(c->layer), HM_FMT(snap->rows[c->row].id));
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
  hm_str s = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return s;
}

static void the_example_is_told(void **state) {
  (void)state;
  static const char *const files[] = { "1-projects", "2-interferometer", "3-gigalink", "4-polisher",
                                       "5-people" };
  hm_buf b = { 0 };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    hm_buf_str(&b, file(hm_str_fmt(a, "site-example/facts/%s.jsonl", files[i]).p));
  assert_told(hm_buf_view(&b));
  hm_buf_free(&b);
}

/* --- hostile ones ----------------------------------------------------------------- */

static const char *const parts[] = { "[",
                                     "](",
                                     ")",
                                     "⚠ disputed",
                                     "](../conflicts/c1.md)",
                                     "|",
                                     "**",
                                     ":**",
                                     ": ",
                                     " / ",
                                     "→",
                                     " → ",
                                     "← ",
                                     "\\",
                                     "<a id=\"state-s1\"></a>",
                                     "---",
                                     "# ",
                                     "- ",
                                     "\n",
                                     "\n\n## History\n\n",
                                     "Id: x",
                                     "\t",
                                     "a",
                                     "B",
                                     "7",
                                     " ",
                                     "(",
                                     "([all 3 bytes](x))",
                                     "`",
                                     "*",
                                     "_",
                                     "~",
                                     "$",
                                     "é",
                                     "\u202e",
                                     "\u2028",
                                     "&amp;",
                                     "!",
                                     "=",
                                     "+",
                                     "'",
                                     "\"" };

static hm_str random_text(uint64_t *seed) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "v");   /* not empty when cleaned */
  for (uint64_t n = prng(seed) % 8; n > 0; n--)
    hm_buf_c(&b, parts[prng(seed) % (sizeof parts / sizeof *parts)]);
  if (prng(seed) % 20 == 0)
    for (int i = 0; i < 120; i++) hm_buf_c(&b, "long ");
  hm_str s = hm_buf_copy(&b, a);
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
    hm_jw_str(
        w, hm_str_fmt(a, "p%.*s", HM_FMT(hm_clean_text(a, hm_str_sub(random_text(seed), 0, 20)))).p,
        random_text(seed));
    hm_jw_end(w);
  }
  if (i % 7 == 0) hm_jw_str(w, "status", S("superseded"));
  hm_jw_end(w);
  hm_buf_ch(b, '\n');
}

/* Names of rows and keys are kept simple: of those the slot is made, and the pages show them cut.
 */
static void hostile_facts_are_told(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int round = 0; round < 12; round++) {
    hm_buf b = { 0 };
    hm_jw w;
    hm_buf_c(
        &b,
        "{\"kind\":\"project\",\"id\":\"p05\"}\n{\"kind\":\"project_state\",\"id\":\"plain\",\"project\":\"p05\",\"key\":\"k\",\"value\":\"v\"}\n");
    for (int i = 0; i < 60; i++) put_rows(&w, &b, &seed, i);
    help_site s = help_site_of(hm_buf_view(&b), &options);
    told t = all_facts(&s);
    assert_int_equal(t.n, 61);
    for (size_t i = 0; i < t.n; i++) compare_row(&s, t.p[i]);
    help_site_done(&s);
    hm_buf_free(&b);
  }
}

/* Lines that somebody edited by hand, or of a file that is none: read somehow, never beyond their
 * end. */
static void damaged_lines_are_survived(void **state) {
  (void)state;
  static const char *const whole[] = {
    "{\"kind\":\"project_state\",\"id\":\"s1\",\"id_whole\":\"data/x.txt\",\"key\":\"clear \\\"aperture\",\"value\":\"300 mm\",\"status\":\"active\",\"sources\":[\"a\",\"b\"]}",
    "{\"kind\":\"entity\",\"id\":\"e1\",\"name\":\"Support\",\"properties\":[{\"name\":\"value\",\"value\":\"e7\",\"refers_to\":\"Leg\"},{}],\"superseded_by\":[{\"row\":\"entity:e2\"}]}",
    "{\"kind\":\"memory\",\"id\":\"m1\",\"type\":\"knowledge\",\"content\":\"a is b…\",\"content_whole\":\"data/a.txt\",\"hand_authored\":true,\"valid_from\":\"2026\"}",
    "{\"kind\":\"relation\",\"id\":\"r1\",\"type\":\"PART_OF\",\"from\":\"entity:e1\",\"from_name\":\"a\",\"to\":\"c\",\"tags\":[1,[2],null]}"
  };
  uint64_t seed = 3;
  int read = 0;
  for (int round = 0; round < 4000; round++) {
    hm_str line = hm_str_c(whole[round % 4]);
    size_t n = line.n - (prng(&seed) % 4 == 0 ? prng(&seed) % 40 : 0);
    char *bytes = malloc(n);   /* of that size, so that a step beyond it is seen */
    memcpy(bytes, line.p, n);
    for (uint64_t k = prng(&seed) % 4; k > 0; k--)
      bytes[prng(&seed) % n] = "[]{},\":\\ax1\n\xff"[prng(&seed) % 14];
    hm_fact f;
    read += hm_fact_parse_line((hm_str){ bytes, n }, S("p"), a, &f);
    free(bytes);
    hm_arena_reset(a);
  }
  assert_true(read > 500);
  hm_fact f;
  assert_false(hm_fact_parse_line(S("{\"kind\":\"mirror-data\",\"format\":1}"), S("p"), a, &f));
  assert_false(hm_fact_parse_line(S("{\"kind\":\"entity\"}"), S("p"), a, &f));
  assert_false(hm_fact_parse_line(S(""), S("p"), a, &f));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(damaged_lines_are_survived, begin, end),
    cmocka_unit_test_setup_teardown(which_files_hold_rows, begin, end),
    cmocka_unit_test_setup_teardown(the_example_is_told, begin, end),
    cmocka_unit_test_setup_teardown(hostile_facts_are_told, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
