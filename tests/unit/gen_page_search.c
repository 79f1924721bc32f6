/* The index of search: words by the table that the browser reads, too; postings as one would find
 * them by reading all rows; shards that are small, and together are the whole. */
#include "tests/unit/gen_page_help.h"
#include "core/base/text.h"
#include "core/base/words.h"
#include "gen/page/search.h"

/* --- words --------------------------------------------------------------------------- */

static void join_word(void *ctx, hm_str word) {
  hm_buf *b = ctx;
  if (hm_buf_view(b).n) hm_buf_ch(b, ' ');
  hm_buf_str(b, word);
}

/* The bytes of a text of the table. */
static void unescape(const char *p, const char *end, hm_buf *out) {
  while (p < end) {
    if (p[0] == '\\' && p[1] == 'u' && p[2] == '{') {
      char *to;
      hm_text_append(out, (uint32_t)strtoul(p + 3, &to, 16));
      p = to + 1;
    } else hm_buf_ch(out, *p++);
  }
}

static void words_are_as_the_table_says(void **state) {
  (void)state;
  char line[1000];
  int n = 0;
  FILE *f = fopen("tests/data/search_words.txt", "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f)) {
    char *bar = strrchr(line, '|');
    if (line[0] == '#' || (line[0] != '|' && !bar)) continue;
    hm_buf text = { 0 }, want = { 0 }, got = { 0 };
    unescape(line, bar, &text);
    unescape(bar + 1, bar + strcspn(bar, "\n"), &want);
    hm_text_each_word(hm_buf_view(&text), join_word, &got);
    hm_str words = hm_buf_view(&got);
    if (!hm_str_eq(words, hm_buf_view(&want))) fail_msg("%s: %.*s", line, HM_FMT(words));
    hm_buf_free(&text);
    hm_buf_free(&want);
    hm_buf_free(&got);
    n++;
  }
  fclose(f);
  assert_true(n > 25);
}

static void any_bytes_are_a_text(void **state) {
  (void)state;
  uint32_t seed = 7;
  for (int i = 0; i < 2000; i++) {
    char bytes[40];
    hm_buf got = { 0 };
    for (size_t k = 0; k < sizeof bytes; k++)
      bytes[k] = (char)((seed = seed * 1664525 + 1013904223) >> 24);
    hm_text_each_word((hm_str){ bytes, sizeof bytes }, join_word, &got);
    hm_str words = hm_buf_view(&got);
    assert_int_equal(hm_text_valid_prefix(words), words.n);
    for (size_t k = 0; k < words.n; k++)   /* nothing that a script or a line of a shard minds */
      assert_null(memchr("\"\\<>&*+\n\r", words.p[k], 9));
    hm_buf_free(&got);
  }
}

/* --- a site ----------------------------------------------------------------------------- */

enum { ROWS = 3000 };

/* Values of few letters, so that words share their beginnings; a word that all rows have. */
static hm_str many_rows(hm_arena *a) {
  static const char *const kinds[] = { "alpha", "beta", "gamma", "delta", "al", "alp" };
  hm_buf b = { 0 };
  uint32_t seed = 3;
  for (int i = 0; i < ROWS; i++) {
    seed = seed * 1664525 + 1013904223;
    hm_buf_fmt(&b,
               "{\"kind\":\"memory\",\"id\":\"m-%d\",\"project\":\"p%d\",\"memory_type\":\"%s\","
               "\"content\":\"everywhere %s%u says the %s no %u\",\"source_refs\":[\"PR #%d\"]}\n",
               i, i % 3, i % 50 ? "knowledge" : "secret", kinds[seed >> 8 & 3], seed >> 20 & 511,
               kinds[seed >> 12 & 3], seed >> 24, i % 40);
  }
  hm_buf_c(&b, "{\"kind\":\"project_state\",\"id\":\"s1\",\"project\":\"p1\",\"key\":\"mass\","
               "\"value\":\"1 kg\"}\n{\"kind\":\"project_state\",\"id\":\"s2\",\"project\":\"p1\","
               "\"key\":\"mass\",\"value\":\"2 kg </script>\\u2028\\u202e\"}\n");
  return hm_buf_take(&b, a);
}

static const hm_str secret[] = { HM_STR("secret") };
static const hm_view_options options = { .title = HM_STR("M"),
                                         .list_limit = 200,
                                         .value_limit = 2000,
                                         .search = true,
                                         .exclude = { .types = secret, .n_types = 1 } };

static struct { help_site site; hm_search *search; } it;

static int make_site(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  it.site = help_site_of(many_rows(a), &options);
  hm_arena_free(a);
  it.search = hm_search_new(it.site.view, hm_source_list_new(it.site.view, it.site.a), it.site.a);
  return 0;
}

static int free_site(void **state) {
  (void)state;
  help_site_done(&it.site);
  return 0;
}

typedef struct { hm_str word; bool found; } looking;

static void look_for(void *ctx, hm_str word) {
  looking *l = ctx;
  l->found |= hm_str_eq(word, l->word);
}

static void look_in(void *ctx, const hm_view_text *t) {
  static const char *const unread[] = { "time", "scope", "agent", "slot", "words" };
  for (size_t i = 0; i < HM_COUNT(unread); i++)
    if (strcmp(t->what, unread[i]) == 0) return;
  hm_text_each_word(t->text, look_for, ctx);
}

/* Every word of the index, over every row: those that have it are those that it names. */
static void postings_are_what_reading_all_rows_gives(void **state) {
  (void)state;
  const hm_search *s = it.search;
  bool *named = hm_alloc_array(it.site.a, s->n_docs + 1, 1);
  hm_arena *tmp = hm_arena_new();
  int checked = 0;
  for (uint32_t w = 0; w < s->n_words; w += 7) {
    const hm_posting *p = &s->words[w];
    uint32_t n = 0, last = 0;
    if (p->all > p->n) continue;
    memset(named, 0, s->n_docs);
    for (uint32_t i = 0; i < p->n; i++) {
      assert_true(!i || p->docs[i] / 2 > last);
      named[last = p->docs[i] / 2] = true;
    }
    for (uint32_t d = 0; d < s->n_docs; d++) {
      looking l = { .word = p->word };
      if (s->docs[d].of != HM_DOC_ROW) continue;
      if (n++ % 4) continue;
      hm_view_visit_row_texts(it.site.view, s->docs[d].index, false, tmp, look_in, &l);
      if (l.found != named[d])
        fail_msg("%.*s: document %u: %d, not %d", HM_FMT(p->word), d, named[d], l.found);
      hm_arena_reset(tmp);
    }
    checked++;
  }
  assert_true(checked > 100);
  hm_arena_free(tmp);
}

static void what_is_left_out_is_nowhere(void **state) {
  (void)state;
  for (uint32_t d = 0; d < it.search->n_docs; d++)
    if (it.search->docs[d].of == HM_DOC_ROW)
      assert_false(hm_str_is(it.site.view->snap->rows[it.search->docs[d].index].type, "secret"));
  for (uint32_t w = 0; w < it.search->n_words; w++)
    assert_false(hm_str_is(it.search->words[w].word, "secret"));
}

static void the_best_stand_first(void **state) {
  (void)state;
  const hm_search *s = it.search;
  for (uint32_t w = 0; w < s->n_words; w++) {
    if (hm_str_is(s->words[w].word, "everywhere")) {
      assert_int_equal(s->words[w].n, HM_POSTINGS);
      assert_int_equal(s->words[w].all, ROWS - ROWS / 50);
    }
    if (!hm_str_is(s->words[w].word, "mass")) continue;
    assert_int_equal(s->docs[s->words[w].docs[0] / 2].is, HM_FOUND_DISPUTE);
    assert_int_equal(s->docs[s->words[w].docs[1] / 2].is, HM_FOUND_DISPUTED);
  }
}

/* --- shards ------------------------------------------------------------------------------- */

static void files_are_small_and_have_all(void **state) {
  (void)state;
  enum { MOST = 100000 };
  hm_buf b = { 0 };
  size_t n = 0, words = 0, docs = 0, cut = 0;
  for (size_t i = 0; i < it.site.pages->n_raws; i++) {
    const hm_raw_file *f = &it.site.pages->raws[i];
    if (!hm_str_starts(f->path, "search/")) continue;
    hm_buf_clear(&b);
    f->bytes(it.site.view, f, it.site.a, &b);
    hm_str bytes = hm_buf_view(&b);
    n++;
    assert_true(bytes.n < MOST && bytes.n > 0);
    assert_true(hm_str_starts(bytes, "hmShard(\"") && hm_str_ends(bytes, ",\n]);\n"));
    assert_null(memchr(bytes.p, '<', bytes.n));
    assert_null(memmem(bytes.p, bytes.n, "\xE2\x80\xA8", 3));
    assert_null(memmem(bytes.p, bytes.n, "\xE2\x80\xAE", 3));
    for (size_t k = 1; k < bytes.n; k++) {
      if (bytes.p[k - 1] != '\n' || (bytes.p[k] != '"' && bytes.p[k] != '[')) continue;
      bool star = bytes.p[k + 1] == '*';
      cut += star;
      words += hm_str_starts(f->path, "search/w-") && !star;
      docs += hm_str_starts(f->path, "search/d-");
    }
  }
  hm_buf_free(&b);
  assert_int_equal(n, 1 + it.search->n_word_shards + it.search->n_doc_shards);
  assert_int_equal(words, it.search->n_words);
  assert_int_equal(docs, it.search->n_docs);
  assert_true(cut > 0);
}

/* One row more: files of its words and of its document, and no others. */
static void a_new_row_changes_its_own_files(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_str more = HM_CAT(a, many_rows(a),
                       HM_STR("{\"kind\":\"memory\",\"id\":\"new\",\"project\":\"p1\","
                              "\"memory_type\":\"knowledge\",\"content\":\"zebra crossing\"}\n"));
  help_site now = help_site_of(more, &options);
  size_t changed = 0, k = 0;
  for (size_t i = 0; i < now.pages->n_raws; i++) {
    const hm_raw_file *f = &now.pages->raws[i];
    hm_buf x = { 0 }, y = { 0 };
    if (!hm_str_starts(f->path, "search/")) continue;
    while (k < it.site.pages->n_raws && hm_str_cmp(it.site.pages->raws[k].path, f->path) < 0) k++;
    f->bytes(now.view, f, a, &x);
    if (k < it.site.pages->n_raws && hm_str_eq(it.site.pages->raws[k].path, f->path))
      it.site.pages->raws[k].bytes(it.site.view, &it.site.pages->raws[k], a, &y);
    changed += !hm_str_eq(hm_buf_view(&x), hm_buf_view(&y));
    hm_buf_free(&x);
    hm_buf_free(&y);
  }
  /* its document; zebra, crossing, new, knowledge, and those of m, p and 1 that it may have */
  assert_in_range(changed, 3, 9);
  help_site_done(&now);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(words_are_as_the_table_says),
    cmocka_unit_test(any_bytes_are_a_text),
    cmocka_unit_test(postings_are_what_reading_all_rows_gives),
    cmocka_unit_test(what_is_left_out_is_nowhere),
    cmocka_unit_test(the_best_stand_first),
    cmocka_unit_test(files_are_small_and_have_all),
    cmocka_unit_test(a_new_row_changes_its_own_files),
  };
  return cmocka_run_group_tests(tests, make_site, free_site);
}
