#include "core/store/splice.h"
#include <string.h>
#include "core/base/par.h"

void hm_splice_begin(hm_splice *x, size_t max, hm_arena *a) {
  *x = (hm_splice){ hm_alloc_array(a, max + 1, sizeof *x->at), hm_alloc_array(a, max + 1, sizeof *x->rows),
                    hm_alloc_array(a, max + 1, sizeof *x->details), 0 };
}

void hm_splice_add(hm_splice *x, const hm_snapshot *s, const hm_row *row, const hm_row_detail *detail) {
  size_t lo = s->first[row->layer], hi = s->first[row->layer + 1];
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (hm_str_cmp(s->rows[mid].id, row->id) < 0) lo = mid + 1;
    else hi = mid;
  }
  x->at[x->n] = (uint32_t)lo;
  x->rows[x->n] = row;
  x->details[x->n++] = detail;
}

uint32_t hm_splice_moved(const hm_splice *x, uint32_t row) {
  size_t lo = 0, hi = x->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (x->at[mid] <= row) lo = mid + 1;
    else hi = mid;
  }
  return row + (uint32_t)lo;
}

typedef struct { const hm_splice *x; hm_snapshot *s; } splicing;

/* From the end, so that each item moves once. */
static void open_gaps(const hm_splice *x, char *items, size_t size, size_t n) {
  for (size_t i = x->n, end = n; i-- > 0; end = x->at[i])
    memmove(items + (x->at[i] + i + 1) * size, items + x->at[i] * size, (end - x->at[i]) * size);
}

enum { ROWS, DETAILS, INDEX, TASKS = INDEX + HM_RELATION };

static int move(void *ctx, size_t task, int worker) {
  splicing *p = ctx;
  hm_snapshot *s = p->s;
  (void)worker;
  if (task == ROWS) open_gaps(p->x, (char *)s->rows, sizeof *s->rows, s->n_rows);
  else if (task == DETAILS) open_gaps(p->x, (char *)s->details, sizeof *s->details, s->n_rows);
  else {
    hm_row_index *index = &s->by_id[HM_MEMORY + task - INDEX];
    for (size_t i = 0; i <= index->mask; i++)
      if (index->places[i]) index->places[i] += hm_splice_moved(p->x, hm_row_index_at(index, i)) - hm_row_index_at(index, i);
  }
  return 0;
}

static bool has_room(const hm_splice *x, const hm_snapshot *s, size_t room) {
  if (s->n_rows + x->n > room) return false;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    if (x->n && (s->first[l + 1] - s->first[l] + x->n) / 3 * 4 > s->by_id[l].mask) return false;
  return true;
}

bool hm_splice_end(const hm_splice *x, hm_snapshot *s, size_t room) {
  splicing p = { x, s };
  if (!has_room(x, s, room)) return false;
  if (!x->n) return true;
  hm_par_for(TASKS, hm_par_cores(), move, &p, NULL);
  for (size_t i = 0; i < x->n; i++) {
    size_t at = x->at[i] + i;
    s->rows[at] = *x->rows[i];
    s->details[at] = *x->details[i];
    hm_row_index_add(&s->by_id[s->rows[at].layer], s->rows[at].id, (uint32_t)at);
    for (int l = s->rows[at].layer + 1; l <= HM_RELATION + 1; l++) s->first[l]++;
  }
  s->n_rows += x->n;
  return true;
}
