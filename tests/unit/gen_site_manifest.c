/* Lists that are longer than a file may be: the manifest and conflicts.json as indexes of parts,
 * and manifests of before, which folders had. */
#include <stdio.h>

#include "core/base/digest.h"
#include "gen/site/manifest.h"
#include "gen_site_help.h"

static const fake_page pages[] = {
  { "README.md", "root\n" },
  { "conflicts/c1.md", "all sides\n" },
  { "conflicts/c2.md", "signed off soon\n" },
  { "projects/p/README.md", "- 4.8 kg [\u26A0 disputed](../../conflicts/c1.md#x)\n" },
  { "projects/p/decisions.md", "[log](README.md)\n" },
  { "projects/q/README.md", "q\n" },
  { "projects/q/state.md", "state\n" },
};
enum { PAGES = 7, STATICS = 200, MANY_STATICS = 4000, MAX = 4000 };

typedef struct { hm_template_file f[MANY_STATICS + 8]; size_t n; } statics;

static statics *fill(size_t n) {
  statics *s = calloc(1, sizeof *s);
  for (size_t i = 0; i < n; i++) {
    char *name = malloc(64);
    snprintf(name, 64, "data/d%zu/%zu.txt", i / 10, i);
    s->f[s->n++] = (hm_template_file){ hm_str_c(name), HM_STR("x"), HM_EMPTY };
  }
  return s;
}

static void empty(statics *s) {
  for (size_t i = 0; i < s->n; i++) free((void *)(uintptr_t)s->f[i].name.p);
  free(s);
}

static hm_site *make(const fake_page *p, const statics *st, const hm_last_site *known, size_t max) {
  hm_site_options opt = { .threads = 2,
                          .markdown = true,
                          .html = true,
                          .statics = st->f,
                          .n_statics = st->n,
                          .known = known,
                          .present = known ? &(hm_sink_files){ .all = true } : NULL,
                          .file_max = max };
  hm_site *s;
  hm_err err = { 0 };
  if (build(p, PAGES, &opt, "", &s, &err) != 0) fail_msg("%s: %s", err.what, err.why);
  return s;
}

static const hm_file *at(const hm_site *s, const char *path) {
  return hm_site_file(s, hm_str_c(path));
}

/* Is the digest of the part in the manifest, or in an index of parts? */
static bool names_part(const hm_site *s, const hm_manifest *m, const hm_file *part, hm_arena *a) {
  const char *hex = hm_str_z(a, hm_str_digest_hex(a, part->bytes, 64));
  bool named = hm_str_find(at(s, "manifest.json")->bytes, hex) > 0;
  for (size_t i = 0; i < m->n_parts && !named; i++)
    named = hm_str_find(hm_site_file(s, m->parts[i])->bytes, hex) > 0;
  return named;
}

/* Each file but manifest.json is named once, with its digest: the parts in an index, all others in
 * the parts. Returns how many parts there are; none is over max. */
static size_t check(const hm_site *s, size_t max) {
  hm_arena *a = hm_arena_new();
  hm_manifest m;
  hm_map seen;
  hm_map_init(&seen, a, 0);
  assert_true(hm_manifest_read(at(s, "manifest.json")->bytes, hm_site_read_file,
                               (void *)(uintptr_t)s, a, &m));
  assert_true(m.whole && hm_str_is(m.tool, "hmirror test") && m.templates.n);
  for (size_t i = 0; i < m.n; i++) {
    const hm_file *f = hm_site_file(s, m.rows[i].path);
    uint32_t next = (uint32_t)seen.n;
    assert_int_equal(hm_map_add(&seen, m.rows[i].path, next), next);
    assert_non_null(f);
    if (f->bytes.p) assert_true(hm_str_eq(m.rows[i].sha256, hm_str_digest_hex(a, f->bytes, 64)));
  }
  for (size_t i = 0; i < m.n_parts; i++) {
    const hm_file *f = hm_site_file(s, m.parts[i]);
    assert_true(f && f->bytes.n <= max);
    assert_true(names_part(s, &m, f, a));
  }
  assert_int_equal(seen.n + m.n_parts, s->n - 1);
  hm_arena_free(a);
  return m.n_parts;
}

static void same_sites(const hm_site *x, const hm_site *y) {
  assert_int_equal(x->n, y->n);
  assert_true(hm_str_eq(x->digest, y->digest));
  for (size_t i = 0; i < x->n; i++) {
    assert_true(hm_str_eq(x->files[i].path, y->files[i].path));
    assert_memory_equal(x->files[i].sha256, y->files[i].sha256, 32);
    assert_int_equal(x->files[i].bytes.n, y->files[i].bytes.n);
  }
}

static size_t changed(const hm_site *x, const hm_site *y, const char *below) {
  size_t n = 0;
  for (size_t i = 0; i < y->n; i++) {
    const hm_file *was = hm_site_file(x, y->files[i].path);
    if (hm_str_starts(y->files[i].path, below))
      n += !was || memcmp(was->sha256, y->files[i].sha256, 32) != 0;
  }
  return n;
}

/* --- the manifest -------------------------------------------------------------------- */

static void only_long_manifests_are_split(void **state) {
  (void)state;
  statics *st = fill(STATICS);
  hm_site *whole = make(pages, st, NULL, 0), *split = make(pages, st, NULL, MAX);
  size_t n = at(whole, "manifest.json")->bytes.n;
  assert_int_equal(check(whole, MAX), 0);
  assert_true(check(split, MAX) > n / MAX);
  assert_true(hm_str_eq(whole->digest, split->digest));
  hm_site_free(split);
  split = make(pages, st, NULL, n);
  assert_int_equal(check(split, n), 0);   /* just as long as it may be */
  same_sites(whole, split);
  hm_site_free(split);
  split = make(pages, st, NULL, n - 1);
  assert_true(check(split, n - 1) > 1);
  hm_site_free(split);
  hm_site_free(whole);
  empty(st);
}

static void a_long_index_has_indices(void **state) {
  (void)state;
  statics *st = fill(MANY_STATICS);
  hm_site *whole = make(pages, st, NULL, 0), *split = make(pages, st, NULL, MAX);
  assert_true(check(split, MAX) > MANY_STATICS / 30);
  assert_true(at(split, "manifest.json")->bytes.n <= MAX);
  assert_true(hm_str_eq(whole->digest, split->digest));
  hm_site_free(split);
  hm_site_free(whole);
  empty(st);
}

static void threshold_is_crossed_both_ways(void **state) {
  (void)state;
  statics *st = fill(STATICS);
  hm_site *s = make(pages, st, NULL, 0);
  for (int i = 0; i < 4; i++) {
    size_t max = i % 2 ? 0 : MAX;
    hm_site *now = make(pages, st, &(hm_last_site){ s->files, s->n }, max), *full = make(pages, st, NULL, max);
    same_sites(now, full);
    assert_int_equal(now->n_gone, i % 2 ? check(s, MAX) : 0);
    if (i % 2) assert_true(hm_str_starts(now->gone[0], "manifest/"));
    hm_site_free(full);
    hm_site_free(s);
    s = now;
  }
  hm_site_free(s);
  empty(st);
}

static void a_change_of_a_project_changes_one_part(void **state) {
  (void)state;
  statics *st = fill(STATICS);
  fake_page p[PAGES];
  memcpy(p, pages, sizeof p);
  hm_site *was = make(pages, st, NULL, MAX);
  p[5].text = "another\n";
  p[6].text = "another state\n";
  hm_site *now = make(p, st, &(hm_last_site){ was->files, was->n }, MAX), *full = make(p, st, NULL, MAX);
  same_sites(now, full);
  assert_int_equal(changed(was, now, "projects/"), 4);
  assert_int_equal(changed(was, now, "manifest/"), 1);
  hm_site_free(full);
  hm_site_free(now);
  hm_site_free(was);
  empty(st);
}

/* A file of the user's may have the name of a part: only what the index names is one. */
static void the_users_own_is_no_part(void **state) {
  (void)state;
  statics *st = fill(1);
  st->f[st->n++] =
      (hm_template_file){ hm_str_c(strdup("manifest/zz.json")), HM_STR("{}"), HM_EMPTY };
  hm_site *s = make(pages, st, NULL, MAX / 4);
  assert_true(check(s, MAX / 4) > 1);
  hm_site_free(s);
  empty(st);
}

/* --- lists ------------------------------------------------------------------------------ */

typedef struct { hm_file_part *parts; size_t n; } site_of_parts;

static int read_one(void *ctx, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err) {
  const site_of_parts *s = ctx;
  (void)a, (void)err;
  *bytes = HM_EMPTY;
  for (size_t i = 0; i < s->n; i++)
    if (hm_str_eq(s->parts[i].path, path)) *bytes = s->parts[i].bytes;
  return 0;
}

/* n conflicts; the one numbered `other` says something else. */
static hm_str conflicts_of(hm_arena *a, size_t n, size_t other) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "{\"conflicts\":[");
  for (size_t i = 0; i < n; i++)
    hm_buf_fmt(&b, "%s\n{\"id\":\"c%zx\",\"disputed\":true,\"note\":\"%s [\\\"x\\\"],}{\"}",
               i ? "," : "", i * 7919, i == other ? "changed" : "as it was");
  hm_buf_fmt(&b, "\n],\"count\":%zu}\n", n);
  hm_str s = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return s;
}

static size_t lines_of(hm_str s) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) n += s.p[i] == '\n';
  return n;
}

static void records_are_split_and_joined(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  const hm_str path = HM_STR("conflicts.json");
  size_t indices = 0;
  for (size_t n = 1; n < 30000; n = 3 * n + 1) {
    hm_str whole = conflicts_of(a, n, n), joined, line;
    site_of_parts s = { 0 };
    s.n = hm_parts_split(path, whole, MAX, a, &s.parts);
    assert_int_equal(s.n > 0, whole.n > MAX);
    assert_int_equal(hm_parts_join(path, s.n ? s.parts[0].bytes : whole, read_one, &s, 1 << 30, a,
                                   &joined, NULL), 0);
    assert_int_equal(joined.n, whole.n);
    assert_int_equal(lines_of(joined), n + 2);
    hm_map lines;
    hm_map_init(&lines, a, n);
    for (hm_str rest = joined; rest.n; rest = hm_str_sub(rest, line.n + 1, rest.n)) {
      line = hm_str_sub(rest, 0, (size_t)hm_str_find(rest, "\n"));
      if (hm_str_ends(line, ",")) hm_map_add(&lines, hm_str_sub(line, 0, line.n - 1), 1);
      else hm_map_add(&lines, line, 1);
    }
    for (hm_str rest = whole; rest.n; rest = hm_str_sub(rest, line.n + 1, rest.n)) {
      line = hm_str_sub(rest, 0, (size_t)hm_str_find(rest, "\n"));
      hm_str bare = hm_str_ends(line, ",") ? hm_str_sub(line, 0, line.n - 1) : line;
      if (hm_map_get(&lines, bare) == HM_MAP_NONE) fail_msg("lost: %.*s", HM_FMT(line));
    }
    size_t records = 0;
    for (size_t i = 0; i < s.n; i++) {
      bool is_index = hm_str_find(s.parts[i].bytes, "\"parts\":[") >= 0;
      assert_true(s.parts[i].bytes.n <= MAX);
      records += is_index ? 0 : s.parts[i].n;
      indices += is_index;
    }
    if (s.n) assert_int_equal(records, n);
    hm_err err;
    hm_json *j;
    for (size_t i = 0; i < s.n; i++)
      assert_int_equal(hm_json_parse(a, s.parts[i].bytes, &j, &err), 0);
  }
  assert_true(indices > 20);   /* the last list has so many parts that these have indices */
  hm_arena_free(a);
}

/* Boundaries depend on no other record: one that changes, or comes, changes one part and the index.
 */
static void one_record_changes_one_part(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  const hm_str path = HM_STR("conflicts.json");
  enum { N = 1000 };
  hm_file_part *was, *now;
  size_t n = hm_parts_split(path, conflicts_of(a, N, N), 20000, a, &was);
  assert_true(n > 4);
  for (size_t i = 0; i <= N; i += 100) {
    size_t m = hm_parts_split(path, conflicts_of(a, N + (i == N), i), 20000, a, &now), k = 0;
    assert_int_equal(m, n);
    for (size_t p = 1; p < n; p++) {
      assert_true(hm_str_eq(was[p].path, now[p].path));
      k += !hm_str_eq(was[p].bytes, now[p].bytes);
    }
    assert_int_equal(k, 1);
    assert_false(hm_str_eq(was[0].bytes, now[0].bytes));
  }
  hm_arena_free(a);
}

/* A record that is longer than a file may be stands alone, and so do records of one key. */
static void what_cannot_be_split(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  char text[MAX + 1];
  memset(text, 'x', MAX);
  text[MAX] = 0;
  hm_str whole = hm_str_fmt(a,
                            "{\"conflicts\":[\n{\"id\":\"a\",\"note\":\"%s\"},\n{\"id\":\"b\"},\n"
                            "{\"id\":\"b\"}\n],\"count\":3}\n",
                            text),
         joined;
  site_of_parts s;
  s.n = hm_parts_split(HM_STR("conflicts.json"), whole, 100, a, &s.parts);
  assert_int_equal(s.n, 3);
  assert_int_equal(s.parts[1].n + s.parts[2].n, 3);
  hm_parts_join(HM_STR("conflicts.json"), s.parts[0].bytes, read_one, &s, whole.n, a, &joined,
                NULL);
  assert_int_equal(joined.n, whole.n);
  hm_parts_join(HM_STR("conflicts.json"), s.parts[0].bytes, read_one, &s, whole.n / 2, a, &joined,
                NULL);
  assert_int_equal(joined.n, 0);   /* over the bound */
  static const char *const none[] = { "", "x", "{\"a\":1}", "[\n]\n", ":[\n" };
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(hm_parts_split(HM_STR("a.json"), hm_str_c(none[i]), 0, a, &s.parts), 0);
  hm_arena_free(a);
}

static void an_index_names_only_its_own(void **state) {
  (void)state;
  static const char index[] =
      "{\"parts\":[3,{\"path\":7},{\"path\":\"conflicts/0.json\"},{\"path\":\"conflicts/0.json\"},"
      "{\"path\":\"conflicts/../0.json\"},{\"path\":\"manifest/1.json\"},{\"path\":\"conflicts/.json\"},"
      "{\"path\":\"conflicts/1g.json\"},{\"path\":\"conflicts/1.md\"},{\"path\":\"conflicts/1a/2.json\"},"
      "{\"path\":\"conflicts/000000000000000000000000000000000.json\"},{\"path\":\"conflicts/1a.json\"}]}";
  hm_arena *a = hm_arena_new();
  hm_str *parts;
  assert_int_equal(hm_parts_list(HM_STR("conflicts.json"), HM_STR(index), a, &parts), 2);
  assert_true(hm_str_is(parts[0], "conflicts/0.json") && hm_str_is(parts[1], "conflicts/1a.json"));
  assert_int_equal(hm_parts_list(HM_STR("conflicts.json"), HM_STR("{\"parts\":[{}"), a, &parts), 0);
  assert_int_equal(hm_parts_list(HM_STR("conflicts.json"), HM_STR("{\"parts\":{}}"), a, &parts), 0);
  hm_arena_free(a);
}

/* --- manifests from outside -------------------------------------------------------------- */

static int read_text(void *ctx, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err) {
  (void)a, (void)err;
  *bytes = hm_str_is(path, "projects/p/manifest.json") ? hm_str_c(ctx) : HM_EMPTY;
  return 0;
}

static void manifests_of_before_are_read(void **state) {
  (void)state;
  static const char *const none[] = {
    "", "{", "[]", "{}", "{\"files\":{}}", "{\"files\":[],\"folder\":\"projects/p\"}"
  };
  static const char root[] =
      "{\"tool\":\"hmirror 9\",\"files\":[3,{\"path\":7},{\"path\":\"\"},{\"path\":\"projects/../manifest.json\",\"files\":2},"
      "{\"path\":\"apps/manifest.json\",\"files\":2},{\"path\":\"projects/p/sub/manifest.json\",\"files\":2},{\"path\":\"projects/p/manifest.json\",\"files\":-2},"
      "{\"path\":\"projects/p/manifest.json\",\"files\":\"2\"},{\"path\":\"projects/p/manifest.json\",\"files\":99999999999999999999},"
      "{\"path\":\"projects/p/manifest.json\",\"sha256\":\"aa\",\"files\":2},{\"path\":\"projects/p/manifest.json\",\"files\":2}]}";
  static const char below[] =
      "{\"folder\":\"projects/p\",\"files\":[{\"path\":\"projects/p/x\"},{\"path\":\"projects/q/x\"},{\"path\":\"README.md\"},"
      "{\"path\":\"projects/p\"},{\"path\":\"projects/p/manifest.json\",\"files\":4}]}";
  static const char *const not_below[] = { "", "{", "{\"folder\":\"projects/q\",\"files\":[]}",
                                           "{\"tool\":\"x\",\"files\":[]}" };
  hm_arena *a = hm_arena_new();
  hm_manifest m;
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    assert_false(hm_manifest_read(hm_str_c(none[i]), NULL, NULL, a, &m));
  assert_true(hm_manifest_read(HM_STR(root), NULL, NULL, a, &m));
  assert_int_equal(m.n, 8);
  assert_int_equal(m.n_parts, 1);
  assert_true(hm_str_is(m.parts[0], "projects/p/manifest.json"));
  assert_false(m.whole);
  assert_true(hm_manifest_read(HM_STR(root), read_text, (void *)(uintptr_t)below, a, &m));
  assert_true(m.whole);
  assert_int_equal(m.n, 10);
  assert_true(hm_str_is(m.rows[8].path, "projects/p/x"));
  assert_true(hm_str_is(m.rows[9].path, "projects/p/manifest.json"));
  assert_int_equal(m.n_parts, 1);
  for (size_t i = 0; i < sizeof not_below / sizeof *not_below; i++) {
    assert_true(hm_manifest_read(HM_STR(root), read_text, (void *)(uintptr_t)not_below[i], a, &m));
    assert_false(m.whole);
    assert_int_equal(m.n, 8);
  }
  assert_false(hm_manifest_read(HM_STR(below), NULL, NULL, a, &m));
  hm_arena_free(a);
}

static void folders_of_paths(void **state) {
  (void)state;
  static const char *const of[][2] = { { "projects/p/README.md", "projects/p" },
                                       { "projects/p/a/b.md", "projects/p" },
                                       { "projects/a-c.md", "" },
                                       { "data/p/state.jsonl", "data/p" },
                                       { "data/p/entities/lens.jsonl", "data/p" },
                                       { "data/0a.txt", "" },
                                       { "conflicts/c1.md", "conflicts" },
                                       { "conflicts/archive/2026.md", "conflicts" },
                                       { "conflicts.json", "" },
                                       { "README.md", "" },
                                       { "", "" },
                                       { "x/projects/p/y", "" },
                                       { "projects/p", "" } };
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    assert_true(hm_str_is(hm_manifest_folder(hm_str_c(of[i][0])), of[i][1]));
}

int main(void) {
#define T(f) cmocka_unit_test_setup(f, setup)
  const struct CMUnitTest tests[] = {
    T(only_long_manifests_are_split),
    T(a_long_index_has_indices),
    T(threshold_is_crossed_both_ways),
    T(a_change_of_a_project_changes_one_part),
    T(the_users_own_is_no_part),
    T(records_are_split_and_joined),
    T(one_record_changes_one_part),
    T(what_cannot_be_split),
    T(an_index_names_only_its_own),
    T(manifests_of_before_are_read),
    T(folders_of_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
