/* A long object in pieces is one zlib stream that gives the bytes back, whatever older stream it takes pieces from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <libdeflate.h>

#include "gen/sink/git_impl.h"
#include "tests/unit/core_base_prng.h"

/* Text that repeats itself now and then, across the pieces too. */
static hm_str some_text(size_t n, hm_buf *b) {
  uint64_t random = n;
  while (b->n < n) {
    if (b->n > 100 && prng(&random) % 3 == 0) {
      size_t from = prng(&random) % (b->n - 50);
      char again[50];
      memcpy(again, b->p + from, sizeof again);
      hm_buf_add(b, again, sizeof again);
    } else hm_buf_fmt(b, "%llx\n", (unsigned long long)prng(&random));
  }
  return (hm_str){ b->p, n };
}

static void inflates_to(hm_str stream, hm_str bytes) {
  char *back = malloc(bytes.n + 1);
  struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
  assert_int_equal(libdeflate_zlib_decompress(d, stream.p, stream.n, back, bytes.n, NULL), LIBDEFLATE_SUCCESS);
  assert_memory_equal(back, bytes.p, bytes.n);
  libdeflate_free_decompressor(d);
  free(back);
}

/* The stream of bytes, with what old has, into out; how many of its pieces were deflated for it. */
static size_t deflated(hm_str bytes, hm_str old, int threads, hm_buf *out) {
  hm_arena *a = hm_arena_new();
  hm_git_long *l = hm_git_long_new(bytes, a);
  size_t made = 0, n = 0;
  hm_git_deflater *d = hm_git_deflater_new();
  hm_git_long_cut(l, NULL);
  hm_git_long_reuse(&l, 1, &old, old.n > 0, threads);
  for (size_t i = 0; i < l->n; i++)
    if (!l->pieces[i].deflated.n) assert_int_equal(hm_git_piece_deflate(d, &l->pieces[i]), 0);
  hm_git_deflater_free(d);
  hm_str *parts = hm_git_long_stream(l, a);
  for (size_t i = 0; i < l->n + 2; i++) hm_buf_str(out, parts[i]);
  for (size_t i = 0; i < l->n; i++) {
    assert_true(l->pieces[i].bytes.p == bytes.p + n && l->pieces[i].bytes.n > 0 && l->pieces[i].bytes.n <= HM_PIECE_MAX);
    n += l->pieces[i].bytes.n;
    made += l->pieces[i].made.n > 0;
  }
  assert_int_equal(n, bytes.n);
  hm_git_long_free(l);
  hm_arena_free(a);
  inflates_to(hm_buf_view(out), bytes);
  return made;
}

/* The same as with no older stream, byte for byte. */
static size_t again(hm_str bytes, hm_str old) {
  hm_buf with = { 0 }, without = { 0 };
  size_t made = deflated(bytes, old, 3, &with);
  deflated(bytes, HM_EMPTY, 1, &without);
  assert_true(hm_str_eq(hm_buf_view(&with), hm_buf_view(&without)));
  hm_buf_free(&with);
  hm_buf_free(&without);
  return made;
}

static void test_any_length(void **state) {
  static const size_t sizes[] = { 0, 1, 1000, (16 << 10) - 1, 16 << 10, (16 << 10) + 1, 64 << 10, 1234567 };
  (void)state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    hm_buf text = { 0 }, out = { 0 };
    hm_str bytes = some_text(sizes[i], &text);
    deflated(bytes, HM_EMPTY, 4, &out);
    assert_int_equal(again(bytes, hm_buf_view(&out)), 0);
    hm_buf_free(&text);
    hm_buf_free(&out);
  }
}

/* Nowhere, or everywhere, an end. */
static void test_bytes_of_one_kind(void **state) {
  (void)state;
  for (int c = 0; c < 256; c++) {
    hm_buf out = { 0 };
    char *p = malloc(300000);
    memset(p, c, 300000);
    deflated((hm_str){ p, 300000 }, HM_EMPTY, 2, &out);
    assert_int_equal(again((hm_str){ p, 299000 }, hm_buf_view(&out)) <= 1, true);
    free(p);
    hm_buf_free(&out);
  }
}

enum { TEXT = 600000 };

/* n bytes at `at` go, and `more` come. */
static void edit(hm_str text, size_t at, size_t n, hm_str more, hm_buf *out) {
  hm_buf_clear(out);
  hm_buf_str(out, hm_str_sub(text, 0, at));
  hm_buf_str(out, more);
  hm_buf_str(out, hm_str_sub(text, at + n, text.n));
}

static void test_an_edit_costs_its_piece(void **state) {
  hm_buf text = { 0 }, old = { 0 }, now = { 0 };
  hm_str bytes = some_text(TEXT, &text);
  uint64_t random = 7;
  size_t made = 0, edits = 0;
  (void)state;
  deflated(bytes, HM_EMPTY, 4, &old);
  for (size_t at = 0; at < TEXT; at += 20011, edits++) {
    static const char more[] = "a change that is made somewhere";
    size_t gone = prng(&random) % 60, come = prng(&random) % sizeof more;
    edit(bytes, at, gone, (hm_str){ more, come }, &now);
    made += again(hm_buf_view(&now), hm_buf_view(&old));
  }
  assert_true(made <= 2 * edits);
  edit(bytes, 0, 0, bytes, &now);                     /* all of it before, and so behind */
  assert_true(again(hm_buf_view(&now), hm_buf_view(&old)) <= TEXT / (16 << 10) / 2);
  edit(bytes, TEXT / 4, TEXT / 2, HM_EMPTY, &now);
  assert_true(again(hm_buf_view(&now), hm_buf_view(&old)) <= 2);
  hm_buf_free(&text);
  hm_buf_free(&old);
  hm_buf_free(&now);
}

/* Damaged at any place, cut off, of another make, or nothing of the kind. */
static void test_streams_that_lie(void **state) {
  hm_buf text = { 0 }, old = { 0 }, bad = { 0 };
  hm_str bytes = some_text(TEXT, &text);
  uint64_t random = 3;
  (void)state;
  deflated(bytes, HM_EMPTY, 4, &old);
  for (int i = 0; i < 60; i++) {
    hm_buf_clear(&bad);
    hm_buf_str(&bad, hm_buf_view(&old));
    size_t at = prng(&random) % bad.n;
    if (i % 3 == 0) bad.n = at;
    else if (i % 3 == 1) bad.p[at] = (char)(bad.p[at] ^ 1 << prng(&random) % 8);
    else memcpy(bad.p + at, "\0\0\377\377", bad.n - at < 4 ? bad.n - at : 4);
    hm_buf out = { 0 };
    deflated(bytes, hm_buf_view(&bad), 2, &out);
    hm_buf_free(&out);
  }
  hm_buf_clear(&bad);
  struct libdeflate_compressor *z = libdeflate_alloc_compressor(6);
  hm_buf_room(&bad, libdeflate_zlib_compress_bound(z, TEXT));
  bad.n = libdeflate_zlib_compress(z, bytes.p, TEXT, bad.p, bad.cap);
  assert_true(again(bytes, hm_buf_view(&bad)) > 10);
  libdeflate_free_compressor(z);
  again(bytes, HM_STR("\0\0\377\377\0\0\377\377\0\0\377\377"));
  hm_buf_free(&text);
  hm_buf_free(&old);
  hm_buf_free(&bad);
}

/* Pieces that inflate to the right bytes, and after which no other piece may come: a last block, one that goes on, one that needs what
 * stands before it. Each is the only piece of old; the new one must be deflated. */
static void not_taken(hm_str bytes, hm_str piece) {
  hm_buf old = { 0 };
  hm_buf_add(&old, "\x78\x01", 2);
  hm_buf_str(&old, piece);
  hm_buf_add(&old, "\3\0....", 6);
  assert_int_equal(again(bytes, hm_buf_view(&old)), 1);
  hm_buf_free(&old);
}

static void test_pieces_that_do_not_end(void **state) {
  static const char last[] = "\1\5\0\372\377hello\0\0\0\377\377", open[] = "\0\11\0\366\377hello\0\0\377\377", whole[] = "\0\5\0\372\377hello\0\0\0\377\377";
  (void)state;
  not_taken(HM_STR("hello"), (hm_str){ last, sizeof last - 1 });
  not_taken(HM_STR("hello"), (hm_str){ open, sizeof open - 1 });
  not_taken(HM_STR("hello\n"), (hm_str){ whole, sizeof whole - 1 });
  hm_buf old = { 0 }, out = { 0 };
  hm_buf_add(&old, "\x78\x01", 2);
  hm_buf_add(&old, whole, sizeof whole - 1);
  hm_buf_add(&old, "\3\0....", 6);
  assert_int_equal(deflated(HM_STR("hello"), hm_buf_view(&old), 1, &out), 0);   /* stored, but as good as any */
  hm_buf_free(&old);
  hm_buf_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(test_any_length), cmocka_unit_test(test_bytes_of_one_kind),
                                      cmocka_unit_test(test_an_edit_costs_its_piece), cmocka_unit_test(test_streams_that_lie),
                                      cmocka_unit_test(test_pieces_that_do_not_end) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
