/* Under the address sanitizer a rule can read only its rows, and in them only declared columns: see
 * rule.h. Without the sanitizer these calls do nothing. */
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

static const struct {
  uint32_t bit;
  size_t at, n;
} COLUMNS[] = {
#define COLUMN(bit, first, last)                                                                   \
  {                                                                                                \
    bit, offsetof(hm_row, first),                                                                  \
        offsetof(hm_row, last) + sizeof(hm_str) - offsetof(hm_row, first)                          \
  }
  COLUMN(HM_COL_NAME, name, name),
  COLUMN(HM_COL_TEXT, text, text),
  COLUMN(HM_COL_PROPS, props, props),
  COLUMN(HM_COL_FROM, from, from),
  COLUMN(HM_COL_TO, to, to),
  COLUMN(HM_COL_SOURCES, sources, sources),
  COLUMN(HM_COL_SLOT_RULE, slot_rule, slot_rule),
  COLUMN(HM_COL_SCOPE, scope, scope),
  COLUMN(HM_COL_TAGS, tags, tags),
  COLUMN(HM_COL_VALID, valid_from, valid_until),
  COLUMN(HM_COL_CREATED, created_at, created_at),
  COLUMN(HM_COL_SUPERSEDED_BY, superseded_by, superseded_by),
  COLUMN(HM_COL_GRADUATED_TO, graduated_to, graduated_to),
#undef COLUMN
};

static inline void hide_all(const hm_snapshot *snap, const hm_claims *claims) {
  if (!WATCHED)
    return;
  ASAN_POISON_MEMORY_REGION(snap->rows, snap->n_rows * sizeof *snap->rows);
  ASAN_POISON_MEMORY_REGION(claims->claims,
                            (claims->n + claims->n_context) * sizeof *claims->claims);
}

static inline void show_all(const hm_snapshot *snap, const hm_claims *claims) {
  if (!WATCHED)
    return;
  ASAN_UNPOISON_MEMORY_REGION(snap->rows, snap->n_rows * sizeof *snap->rows);
  ASAN_UNPOISON_MEMORY_REGION(claims->claims,
                              (claims->n + claims->n_context) * sizeof *claims->claims);
}

static inline void show_claims(const hm_claims *claims) {
  if (WATCHED)
    ASAN_UNPOISON_MEMORY_REGION(claims->claims, claims->n * sizeof *claims->claims);
}

static inline void hide_claims(const hm_claims *claims) {
  if (WATCHED)
    ASAN_POISON_MEMORY_REGION(claims->claims, claims->n * sizeof *claims->claims);
}

static inline void hide_row(const hm_row *row) {
  if (WATCHED)
    ASAN_POISON_MEMORY_REGION(row, sizeof *row);
}

static inline void show_whole_row(const hm_row *row) {
  if (WATCHED)
    ASAN_UNPOISON_MEMORY_REGION(row, sizeof *row);
}

/* Shows a row to the driver. Returns true if the driver must hide it again. */
static inline bool unhide_row(const hm_row *row) {
#if defined(__SANITIZE_ADDRESS__)
  bool hidden = __asan_address_is_poisoned(row);
#else
  bool hidden = false;
#endif
  show_whole_row(row);
  return hidden;
}

/* Shows the row's head and the declared columns. */
static inline void show_row(const hm_rule *rule, const hm_row *row) {
  if (!WATCHED)
    return;
  hide_row(row);
  ASAN_UNPOISON_MEMORY_REGION(row, offsetof(hm_row, name));
  for (size_t i = 0; i < HM_COUNT(COLUMNS); i++)
    if (rule->columns & COLUMNS[i].bit)
      ASAN_UNPOISON_MEMORY_REGION((const char *)row + COLUMNS[i].at, COLUMNS[i].n);
}

/* Hides all lives; x->of may be NULL. */
static inline void hide_lives(const hm_existences *x) {
  if (!WATCHED || !x->of)
    return;
  size_t n = x->snap->first[HM_ENTITY + 1] - x->snap->first[HM_ENTITY];
  ASAN_POISON_MEMORY_REGION(x->of, n * sizeof *x->of);
}

static inline void show_lives(const hm_existences *x) {
  if (!WATCHED || !x->of)
    return;
  size_t n = x->snap->first[HM_ENTITY + 1] - x->snap->first[HM_ENTITY];
  ASAN_UNPOISON_MEMORY_REGION(x->of, n * sizeof *x->of);
}

static inline void show_life(const hm_existences *x, uint32_t row) {
  size_t first = x->snap->first[HM_ENTITY];
  if (row < first || row >= x->snap->first[HM_ENTITY + 1])
    return;
  ASAN_UNPOISON_MEMORY_REGION(&x->of[row - first], sizeof *x->of);
}

/* Shows the lives of the rows of a scope, and of the rows that they name. */
static inline void show_lives_of(const hm_existences *x, const hm_scope *s) {
  for (size_t i = 0; i < s->n_rows && WATCHED; i++)
    show_life(x, s->rows[i]);
  for (size_t i = 0; i < s->n_cards && WATCHED; i++)
    if (s->cards[i].to != HM_MAP_NONE)
      show_life(x, s->cards[i].to);
}
#endif
