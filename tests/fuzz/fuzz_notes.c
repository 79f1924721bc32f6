/* Anybody's document, or list of notes, to rows: each with an id of its own, a line that the text
 * has, and a text that is UTF-8 without control characters; the same again; settled lines and the
 * record of a decision in it name lines of it, too. The second half of the input is another version
 * of the first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/base/text.h"
#include "core/notes/notes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok, const char *what, hm_str at) {
  if (ok) return;
  fprintf(stderr, "%s: %.*s\n", what, (int)(at.n < 200 ? at.n : 200), at.p);
  abort();
}

typedef struct {
  hm_record_place place;
  int64_t lines;
  hm_buf seen;
} reading;

static int see(void *ctx, const hm_json *record) {
  reading *r = ctx;
  hm_str kind = hm_json_get_text(record, "kind"), id = hm_json_get_text(record, "id");
  hm_str text = hm_json_get_text(record, "content");
  must(id.n == 18 && id.p[1] == '-', "an id", id);
  must(r->place.number >= 1 && r->place.number <= r->lines, "a line", id);
  must(!hm_str_is(kind, "memory") || text.n, "no text", id);
  must(hm_text_valid_prefix(text) == text.n, "not UTF-8", text);
  must(!text.n || !memchr(text.p, '\n', text.n), "a line break", text);
  hm_buf_fmt(&r->seen, "%.*s %.*s %lld\n", HM_FMT(kind), HM_FMT(id), (long long)r->place.number);
  return 0;
}

static int64_t count_lines(hm_str text) {
  int64_t n = 1;
  for (size_t i = 0; i < text.n; i++) n += text.p[i] == '\n' || text.p[i] == '\r';
  return n;
}

static hm_notes_told read_notes(hm_str path, hm_str text, int list, hm_arena *a, hm_str *seen) {
  hm_arena *work = hm_arena_new();
  hm_err err = { 0 };
  hm_decisions *records = hm_decisions_new(a);
  hm_decisions_add(records, path, text, work);
  hm_decisions_finish(records);
  reading r = { .place = { .name = "x", .err = &err }, .lines = count_lines(text) };
  hm_notes_told told = { .a = a, .keeps_rows = true };
  must(hm_notes_read(&r.place, path, text, list, records, see, &r, &told) == 0, "an error", text);
  for (size_t i = 0; i < told.n_settled; i++)
    must(told.settled[i].line >= 1 && told.settled[i].line <= r.lines, "a settled line", text);
  *seen = hm_buf_take(&r.seen, a);
  hm_arena_free(work);
  return told;
}

static void check(hm_str path, hm_str text, hm_str later, int list) {
  hm_arena *a = hm_arena_new();
  hm_str first, again, other;
  hm_notes_told was = read_notes(path, text, list, a, &first);
  read_notes(path, text, list, a, &again);
  must(hm_str_eq(first, again), "another reading", text);
  hm_notes_told now = read_notes(path, later, list, a, &other);
  bool *fresh = hm_alloc_array(a, now.n_rows + 1, sizeof *fresh);
  bool *taken = hm_alloc_array(a, now.n_rows + 1, sizeof *taken);
  uint32_t *heirs = hm_alloc_array(a, was.n_rows + 1, sizeof *heirs);
  memset(fresh, true, now.n_rows);
  hm_notes_find_heirs(path, was.rows, was.n_rows, now.rows, fresh, now.n_rows, heirs);
  for (size_t i = 0; i < was.n_rows; i++) {
    if (heirs[i] == UINT32_MAX) continue;
    must(heirs[i] < now.n_rows && !taken[heirs[i]], "an heir of two", was.rows[i].text);
    taken[heirs[i]] = true;
  }
  hm_arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_str text = { (const char *)data, size };
  hm_str first = hm_str_sub(text, 0, size / 2), second = hm_str_sub(text, size / 2, size);
  check(HM_STR("a/notes.md"), first, second, 0);
  check(HM_STR("docs/adr/0001-x.md"), text, first, 0);
  check(HM_STR("list.txt"), text, second, 1);
  return 0;
}
