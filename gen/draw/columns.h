/* Counts by time as an SVG file: a row for each month or year, with a bar of parts. Pure: equal
 * models give equal bytes.
 *
 * It fits any width: bars stand in percent, text keeps its size. Each row says its counts in words,
 * so colour says nothing alone. */
#ifndef HM_COLUMNS_H
#define HM_COLUMNS_H
#include "core/base/str.h"

enum { HM_COLUMNS_MAX = 60, HM_COLUMN_PARTS = 4 };

typedef struct {
  hm_str label;              /* "2026-04" */
  uint32_t n[HM_COLUMN_PARTS];
} hm_draw_column;

typedef struct {
  hm_str title, desc;        /* for who does not see it */
  const char *parts[HM_COLUMN_PARTS]; /* what each counts: "curated state"; NULL behind the last */
  const hm_draw_column *columns;
  size_t n;                  /* at most HM_COLUMNS_MAX are drawn */
} hm_draw_columns;

/* Appends the file. Work: linear. */
void hm_draw_columns_svg(const hm_draw_columns *c, hm_buf *out);
/* "5: curated state 2, entities 3"; "5" where there is one part only; in a. */
hm_str hm_column_words(hm_arena *a, const hm_draw_columns *c, const hm_draw_column *column);
#endif
