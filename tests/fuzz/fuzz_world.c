/* Any bytes as world.yml up to a line "--", then times, one a line: read, or refused with one line
 * that names the file. A time that is read is a range of instants of one axis, and what two of them
 * say of each other does not depend on who is asked first. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "gen/mirror/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TIMES = 12 };

static void must(bool ok) {
  if (!ok) abort();
}

static void check_bound(const hm_world *w, const hm_bound *b) {
  hm_time first, until;
  if (!b->known) return;
  hm_axis_range(b->axis, &first, &until);
  must(b->first <= b->last && first <= b->first && b->last <= until);
  hm_bound later = hm_bound_shift(w, b, 3);
  must(later.first > b->first && later.last > b->last && later.axis == b->axis);
}

static void check_windows(const hm_world *w, const hm_str *times, size_t n) {
  hm_window v[TIMES * TIMES];
  size_t read = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      read += hm_window_parse(w, times[i], times[k], 0, &v[read]) == HM_WINDOW_OK;
  for (size_t i = 0; i < read; i++)
    for (size_t k = 0; k < read; k++) {
      must(hm_window_overlap_certainty(&v[i], &v[k]) == hm_window_overlap_certainty(&v[k], &v[i]));
      must(v[i].axis == v[k].axis || hm_window_overlap_certainty(&v[i], &v[k]) == HM_NO);
      hm_certainty before = hm_bound_before(&v[i].begin, &v[k].begin);
      must(before != HM_CERTAIN || hm_bound_before(&v[k].begin, &v[i].begin) == HM_NO);
      hm_window_inside(&v[i], &v[k]);
    }
}

static void check_times(const hm_worlds *worlds, hm_str text, hm_arena *a) {
  const hm_world *w = hm_world_find(worlds, HM_STR("w"), HM_EMPTY, a);
  hm_str times[TIMES];
  size_t n = 0;
  while (text.n && n < TIMES) {
    const char *end = memchr(text.p, '\n', text.n);
    size_t length = end ? (size_t)(end - text.p) : text.n;
    hm_bound b;
    times[n] = hm_str_sub(text, 0, length);
    if (hm_bound_parse(w, times[n], &b)) check_bound(w, &b);
    n++;
    text = hm_str_sub(text, length + 1, text.n);
  }
  check_windows(w, times, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_arena *a = hm_arena_new();
  hm_str all = { (const char *)data, size }, yaml = all, times = HM_EMPTY;
  const char *cut = size ? memmem(data, size, "\n--\n", 4) : NULL;
  if (cut) {
    yaml = hm_str_sub(all, 0, (size_t)(cut - all.p) + 1);
    times = hm_str_sub(all, yaml.n + 3, size);
  }
  hm_world_file file;
  hm_err err = { 0 };
  char line[4096];
  if (hm_world_file_parse(a, yaml, "world.yml", &file, &err) == 0) {
    check_times(file.worlds, times, a);
  } else {
    hm_err_format_line(&err, line, sizeof line);
    must(strstr(line, "world.yml") && !strchr(line, '\n'));
  }
  hm_arena_free(a);
  return 0;
}
