/* Sources of a time. Cost: said_by.h; in memory, what is named. */
#include "core/claim/said_by.h"

static bool are_alike(const hm_row *a, const hm_row *b) {
  return a->layer == b->layer && a->project == b->project && hm_str_eq(a->type, b->type);
}

/* Whoever hides one of two rows hides the other: a relation goes with what it leads to. */
static bool are_hidden_alike(const hm_snapshot *s, uint32_t a, uint32_t b) {
  uint32_t x = hm_snapshot_named(s, a, HM_NAMES_TO), y = hm_snapshot_named(s, b, HM_NAMES_TO);
  if (!are_alike(&s->rows[a], &s->rows[b]) || (x == HM_MAP_NONE) != (y == HM_MAP_NONE))
    return false;
  return x == HM_MAP_NONE || are_alike(&s->rows[x], &s->rows[y]);
}

void hm_sources_add_row(hm_sources *s, uint32_t row) {
  size_t i = 0;
  if (s->all < HM_SAID_ROWS) s->rows[s->all] = row;
  s->all++;
  while (i < s->n_firsts && !are_hidden_alike(s->snap, s->firsts[i], row)) i++;
  if (i < s->n_firsts) return;
  if (i == HM_SAID_KINDS) s->too_many = true;
  else s->firsts[s->n_firsts++] = row;
}

void hm_sources_add_words(hm_sources *s, hm_str words) {
  size_t i = 0;
  while (i < s->n_words && !hm_str_eq(s->words[i], words)) i++;
  if (i < s->n_words) return;
  if (i == HM_SAID_KINDS) s->too_many = true;
  else s->words[s->n_words++] = words;
}

static bool is_first(const hm_sources *s, uint32_t row) {
  size_t i = 0;
  while (i < s->n_firsts && s->firsts[i] != row) i++;
  return i < s->n_firsts;
}

const hm_said_by *hm_sources_end(const hm_sources *s, hm_arena *a) {
  if (s->too_many) return NULL;
  hm_said_by *by = hm_alloc(a, sizeof *by);
  uint32_t noted = s->all < HM_SAID_ROWS ? s->all : HM_SAID_ROWS;
  hm_str *rows = hm_alloc_array(a, HM_SAID_ROWS, sizeof *rows);
  bool firsts = s->all > HM_SAID_KINDS;
  *by = (hm_said_by){ .rows = rows, .all = s->all, .words = HM_EMPTY };
  for (size_t i = 0; firsts && i < s->n_firsts; i++)
    rows[by->n++] = hm_row_ref(a, &s->snap->rows[s->firsts[i]]);
  for (uint32_t i = 0; i < noted && by->n < HM_SAID_ROWS; i++)
    if (!firsts || !is_first(s, s->rows[i]))
      rows[by->n++] = hm_row_ref(a, &s->snap->rows[s->rows[i]]);
  for (size_t i = 0; i < s->n_words; i++)
    by->words = by->words.n ? HM_CAT(a, by->words, HM_STR(", "), s->words[i])
                            : hm_str_dup(a, s->words[i]);
  return by;
}
