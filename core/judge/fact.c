/* The forgetting curve, and the story that what remains makes: fact.h. */
#include "core/judge/fact.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/text.h"

/* --- the curve ---------------------------------------------------------------------- */

#define HOURS(n) ((hm_time)(n) * 3600 * 1000000)
static const struct { hm_time below; double chance; } CURVE[] = {
  { HOURS(24), 0.30 }, { HOURS(168), 0.15 }, { HM_TIME_MAX, 0.07 },
};

double hm_curve_chance(hm_time age, uint32_t conflicts) {
  size_t i = 0;
  while (i + 1 < HM_COUNT(CURVE) && age >= CURVE[i].below) i++;
  double p = CURVE[i].chance;
  for (; conflicts && p < 1; conflicts--) p *= 2;
  return p < 1 ? p : 1;
}

bool hm_curve_keeps(const hm_story_fact *f, hm_time now, uint64_t seed) {
  if (f->trigger || f->written == HM_TIME_MIN || now == HM_TIME_MAX) return true;
  double draw = (double)(hm_str_hash_seeded(f->ref, seed) >> 11) * 0x1p-53;
  return draw < hm_curve_chance(now - f->written, f->conflicts);
}

/* --- the order ---------------------------------------------------------------------- */

static int by_time(const void *x, const void *y) {
  const hm_story_fact *a = x, *b = y;
  if (a->written != b->written) return a->written < b->written ? -1 : 1;
  return hm_str_cmp(a->ref, b->ref);
}

/* The label is made from the reference, so that a fact has the same in every story; the number is
 * raised where two would share one. */
static void set_label(hm_story_fact *f, uint32_t number, hm_arena *a) {
  hm_str said = hm_str_fmt(a, "%.*s\n%u", HM_FMT(f->ref), number);
  memcpy(f->label, hm_digest_hex(a, said, HM_STORY_LABEL).p, HM_STORY_LABEL + 1);
}

void hm_story_order(hm_story_fact *facts, size_t n) {
  if (n) qsort(facts, n, sizeof *facts, by_time);
  hm_story_label(facts, n);
}

void hm_story_label(hm_story_fact *facts, size_t n) {
  hm_arena *a = hm_arena_new();
  hm_map taken;
  hm_map_init(&taken, a, n);
  for (size_t i = 0; i < n; i++) {
    size_t had = taken.n;
    for (uint32_t number = 0; taken.n == had; number++) {
      set_label(&facts[i], number, a);
      hm_map_add(&taken, hm_str_dup(a, hm_str_c(facts[i].label)), 0);
    }
  }
  hm_arena_free(a);
}

/* --- batches --------------------------------------------------------------------------- */

static hm_str line_with(const hm_story_fact *f, hm_str text, bool cut, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "id", hm_str_c(f->label));
  hm_jw_str_or_null(&w, "time", f->written == HM_TIME_MIN ? HM_EMPTY : hm_time_iso(a, f->written));
  if (f->scope.n) hm_jw_str(&w, "scope", hm_text_cut(f->scope, 80));
  if (f->agent.n) hm_jw_str(&w, "agent", hm_text_cut(f->agent, 80));
  hm_jw_str(&w, "type", hm_text_cut(f->type, 80));
  hm_jw_str(&w, "text", cut ? HM_CAT(a, text, HM_STR("…")) : text);
  hm_jw_end(&w);
  hm_buf_ch(&b, '\n');
  return hm_buf_take(&b, a);
}

/* One line of JSON: its text cannot end the line, and so not the fence behind the last one. */
static hm_str line_of(const hm_story_fact *f, hm_arena *a) {
  hm_str text = hm_text_cut(f->text, HM_STORY_LINE);
  hm_str line = line_with(f, text, text.n < f->text.n, a);
  while (line.n > HM_STORY_LINE) { /* characters may take six bytes in JSON */
    text = hm_text_cut(text, text.n - text.n / 8 - 1);
    line = line_with(f, text, true, a);
  }
  return line;
}

/* Where the batch after this one begins: with lines of its end that are a tenth of a batch. */
static size_t next_first(const hm_str *lines, size_t first, size_t end) {
  size_t bytes = 0, at = end;
  while (at > first + 1 && bytes + lines[at - 1].n <= HM_STORY_OVERLAP) bytes += lines[--at].n;
  return at;
}

size_t hm_story_batches(const hm_story_fact *facts, size_t n, hm_arena *a, hm_story_batch **out) {
  hm_str *lines = hm_alloc_array(a, n + 1, sizeof *lines);
  size_t count = 0, cap = 0;
  *out = NULL;
  if (n < 2) return 0;
  for (size_t i = 0; i < n; i++) lines[i] = line_of(&facts[i], a);
  for (size_t first = 0, end = 0; end < n; first = next_first(lines, first, end)) {
    size_t bytes = 0;
    for (end = first; end < n && bytes + lines[end].n <= HM_STORY_BATCH;) bytes += lines[end++].n;
    *out = hm_array_grow_in(a, *out, count, &cap, sizeof **out);
    (*out)[count++] =
        (hm_story_batch){ first, end - first, hm_str_join(a, lines + first, end - first) };
  }
  return count;
}

size_t hm_story_pair_batches(const hm_story_fact *facts, size_t n, hm_arena *a,
                             hm_story_batch **out) {
  hm_str *lines = hm_alloc_array(a, n + 1, sizeof *lines);
  size_t count = 0, cap = 0;
  *out = NULL;
  for (size_t i = 0; i < n; i++) lines[i] = line_of(&facts[i], a);
  for (size_t first = 0, end; first + 1 < n; first = end) {
    size_t bytes = 0;
    for (end = first; end + 1 < n; end += 2) {
      bytes += lines[end].n + lines[end + 1].n;
      if (end > first && bytes > HM_STORY_BATCH) break;
    }
    *out = hm_array_grow_in(a, *out, count, &cap, sizeof **out);
    (*out)[count++] =
        (hm_story_batch){ first, end - first, hm_str_join(a, lines + first, end - first) };
  }
  return count;
}
