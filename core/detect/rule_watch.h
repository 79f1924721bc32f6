/* Under the address sanitizer a rule cannot read rows that it did not declare, nor columns that it
 * did not declare of those that it did: see rule.h. Without it, these calls do nothing. */
#ifndef HM_RULE_WATCH_H
#define HM_RULE_WATCH_H
#include <stddef.h>

#include "core/detect/rule.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
enum { WATCHED = true };
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
enum { WATCHED = false };
#endif

static const struct { uint32_t bit; size_t at, n; } COLUMNS[] = {
#define COLUMN(bit, first, last)                                                                   \
  { bit, offsetof(hm_row, first),                                                                  \
    offsetof(hm_row, last) + sizeof(hm_str) - offsetof(hm_row, first) }
  COLUMN(HM_COL_NAME, name, name),
  COLUMN(HM_COL_TEXT, text, text),
  COLUMN(HM_COL_PROPS, props, props),
  COLUMN(HM_COL_FROM, from, from),
  COLUMN(HM_COL_TO, to, to),
  COLUMN(HM_COL_SLOT_RULE, slot_rule, slot_rule),
  COLUMN(HM_COL_SCOPE, scope, scope),
  COLUMN(HM_COL_VALID, valid_from, valid_until),
  COLUMN(HM_COL_CREATED, created_at, created_at),
  COLUMN(HM_COL_SUPERSEDED_BY, superseded_by, superseded_by),
  COLUMN(HM_COL_GRADUATED_TO, graduated_to, graduated_to),
#undef COLUMN
};

static inline void hide_row(const hm_row *row) {
  if (WATCHED) ASAN_POISON_MEMORY_REGION(row, sizeof *row);
}

static inline void show_whole_row(const hm_row *row) {
  if (WATCHED) ASAN_UNPOISON_MEMORY_REGION(row, sizeof *row);
}

/* Its head and what the rule declared. */
static inline void show_row(const hm_rule *rule, const hm_row *row) {
  if (!WATCHED) return;
  hide_row(row);
  ASAN_UNPOISON_MEMORY_REGION(row, offsetof(hm_row, name));
  for (size_t i = 0; i < HM_COUNT(COLUMNS); i++)
    if (rule->columns & COLUMNS[i].bit)
      ASAN_UNPOISON_MEMORY_REGION((const char *)row + COLUMNS[i].at, COLUMNS[i].n);
}
#endif
