/* Where a reader jumps to in a long list: the first row of each letter, of each ten of numbers
 * ("PEP 310"), of each month. It follows from the rows that the page shows and their order, which
 * its inputs have. Cost: one look at each row. */
#include "core/base/text.h"
#include "model.h"

enum { FEWEST_ROWS = 25, FEWEST = 3, MOST = 60, HEAD_BYTES = 24 };

/* "PEP 310" of "PEP 312: Simple Implicit Lambda"; empty: no number stands near its beginning. */
static hm_str ten_of(hm_arena *a, hm_str name) {
  size_t from = 0, to;
  uint64_t n = 0;
  while (from < name.n && from < HEAD_BYTES && (name.p[from] < '0' || name.p[from] > '9')) from++;
  for (to = from; to < name.n && to < from + 9 && name.p[to] >= '0' && name.p[to] <= '9'; to++)
    n = 10 * n + (uint64_t)(name.p[to] - '0');
  if (to == from) return HM_EMPTY;
  return hm_str_fmt(a, "%.*s%llu", (int)from, name.p, (unsigned long long)(n / 10 * 10));
}

static hm_str letter_of(hm_arena *a, hm_str name) {
  size_t end = 0;
  if (!name.n) return HM_EMPTY;
  hm_text_next(name, &end);
  if (end > 1) return hm_str_sub(name, 0, end);
  char c = name.p[0];
  return hm_str_fmt(a, "%c", c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static hm_str place_of(hm_pm *m, uint32_t row, bool numbered) {
  const hm_row *r = &m->v->snap->rows[row];
  hm_str month = hm_str_sub(hm_str_trim(r->created_at), 0, 7);
  if (r->layer == HM_MEMORY) return hm_date_words(m->a, month);
  hm_str name = hm_view_label(m->v, row, m->a);
  return numbered ? ten_of(m->a, name) : letter_of(m->a, name);
}

/* The rows that lead a place; at most MOST, or none at all. */
static size_t find_jumps(hm_pm *m, const hm_list_part *p, const uint32_t *order, bool numbered,
                         uint32_t *rows, hm_str *labels) {
  size_t n = 0;
  hm_map seen;
  hm_map_init(&seen, m->a, MOST);
  for (uint32_t i = p->from; i < p->to; i++) {
    if (!m->v->seen[order[i]].active) continue;
    hm_str place = place_of(m, order[i], numbered);
    if (!place.n) return 0;
    if (hm_map_add(&seen, place, (uint32_t)n) != n) continue;
    if (n == MOST) return 0;
    labels[n] = place;
    rows[n++] = order[i];
  }
  return n < FEWEST ? 0 : n;
}

void hm_pm_jumps(hm_pm *m, hm_tv *model, const hm_list_part *p, const uint32_t *order) {
  uint32_t rows[MOST], n_active = 0, n_disputed = 0;
  hm_str labels[MOST];
  hm_tv *list = hm_pm_list(m, model, "jumps");
  uint32_t n_rows = p ? p->to - p->from : 0;
  for (uint32_t i = 0; i < n_rows; i++) {
    uint32_t row = order[p->from + i];
    size_t n_marks;
    if (!m->v->seen[row].active) continue;
    hm_view_marks(m->v, row, &n_marks);
    n_active++;
    n_disputed += n_marks > 0;
  }
  hm_pm_int(m, model, "n_active", n_active);
  hm_pm_int(m, model, "n_disputed", n_disputed);
  hm_pm_int(m, model, "n_history", n_rows - n_active);
  if (m->inputs) return;
  size_t n = 0;
  if (n_active >= FEWEST_ROWS) n = find_jumps(m, p, order, true, rows, labels);
  if (n_active >= FEWEST_ROWS && !n) n = find_jumps(m, p, order, false, rows, labels);
  for (size_t i = 0; i < n; i++) {
    hm_tv *item = hm_pm_item(m, list);
    hm_pm_text(m, item, "label", hm_link_label(m->a, labels[i], 40));
    hm_pm_url(m, item, "url", m->p->path, hm_view_anchor(m->v, rows[i], m->a));
    hm_pm_raw(m, item, "sep", i ? HM_STR(" · ") : HM_STR(" "));
  }
  hm_pm_bool(m, model, "has_jumps", n > 0);
}
