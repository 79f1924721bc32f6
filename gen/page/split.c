/* How a long list is cut into pages: by the beginning of its sort key.
 *
 * The pieces are the leaves of a trie over the keys. A node with more than
 * `limit` keys, or with more than HM_PART_BYTES of rows, is opened, and only
 * that node: so a new or longer row changes the piece that it falls into, and
 * no other, whatever stands there. Nothing is ever moved to level the pieces,
 * and none is merged with its neighbour, since both would shift rows from page
 * to page. A row alone is a piece, however long it is.
 *
 * Names (folded, then 0, then the id): a node is opened twice for each
 * character. First by fixed ranges of the next one (0-9, a-c, d-f, ... y-z,
 * others), then, if a range still overflows, by the character itself. Numbers
 * in names are cut by fixed ranges of their value, the widest that cut the node
 * ("pep 0 to 999", "pep 300 to 399", "pep 300 to 349"); hm_split_key writes
 * them so that the bytes of keys follow their values. Times
 * ("2026-04-02T09:00:00Z", then 0, then the id): by month, day, hour, minute,
 * second, then as names.
 *
 * Pieces follow one another by bytes; inside each the items stand in natural order ("pep 2" before
 * "pep 10"), so that the order moves no row to another page.
 *
 * Where all keys of a node go on alike the trie has no fork, and the piece is
 * found at the next fork: the result is the same and the work is bounded by
 * the length of the keys. No recursion: keys are hostile. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/sort.h"
#include "view_private.h"

/* Stands before a number in a key, with '0' + its digits behind it; no folded name has it. */
enum { NUMBER = 2, DIGITS_MAX = 9 };

/* Ranges in the order of bytes, so that each is a run of the sorted keys. */
static const struct {
  unsigned char first;
  const char *label;
} ranges[] = {
  { 0, "exact" },       { 1, "etc-0" },       { NUMBER, "0-9" },    { NUMBER + 1, "etc-1" },
  { '0', "digit" },     { ':', "etc-2" },     { 'A', "upper-a-c" }, { 'D', "upper-d-f" },
  { 'G', "upper-g-i" }, { 'J', "upper-j-l" }, { 'M', "upper-m-o" }, { 'P', "upper-p-r" },
  { 'S', "upper-s-u" }, { 'V', "upper-v-x" }, { 'Y', "upper-y-z" }, { '[', "etc-3" },
  { 'a', "a-c" },       { 'd', "d-f" },       { 'g', "g-i" },       { 'j', "j-l" },
  { 'm', "m-o" },       { 'p', "p-r" },       { 's', "s-u" },       { 'v', "v-x" },
  { 'y', "y-z" },       { '{', "etc-4" },     { 0x80, "other" },
};
enum { N_RANGES = HM_COUNT(ranges) };

static int range_of(unsigned char c) {
  int r = N_RANGES - 1;
  while (ranges[r].first > c)
    r--;
  return r;
}

/* How a node is opened: at byte `at`, by range or by the bytes up to `to`; step: by so many values
 * of the number there, else 0. */
typedef struct {
  size_t at, to;
  bool by_range;
  uint64_t step;
} cut;

typedef struct {
  uint32_t from, to;
} node;

typedef struct {
  const hm_str *keys;
  hm_is_long_fn *is_long;
  const void *rows;
  size_t limit;
  hm_split_kind kind;
  node *stack;
  size_t n_stack, cap_stack;
  hm_piece *out;
  uint32_t n_out, cap_out;
} splitter;

static void push(splitter *s, node n) {
  if (s->n_stack == s->cap_stack) {
    s->cap_stack = s->cap_stack ? 2 * s->cap_stack : 64;
    s->stack = hm_xrealloc(s->stack, s->cap_stack * sizeof *s->stack);
  }
  s->stack[s->n_stack++] = n;
}

static void emit(splitter *s, hm_piece p) {
  if (s->n_out == s->cap_out) {
    s->cap_out = s->cap_out ? 2 * s->cap_out : 64;
    s->out = hm_xrealloc(s->out, s->cap_out * sizeof *s->out);
  }
  s->out[s->n_out++] = p;
}

static bool is_too_big(const splitter *s, uint32_t from, uint32_t to) {
  if (to - from > s->limit)
    return true;
  return s->is_long && to - from > 1 && s->is_long(s->rows, from, to);
}

/* Sorted, so what the first and the last share all share. */
static size_t shared(const splitter *s, const node *n) {
  hm_str x = s->keys[n->from], y = s->keys[n->to - 1];
  size_t i = 0, end = x.n < y.n ? x.n : y.n;
  while (i < end && x.p[i] == y.p[i])
    i++;
  return i;
}

static int byte_at(hm_str key, size_t at) { return at < key.n ? (unsigned char)key.p[at] : -1; }

static bool one_range(const splitter *s, const node *n, size_t at) {
  int x = byte_at(s->keys[n->from], at), y = byte_at(s->keys[n->to - 1], at);
  return x >= 0 && range_of((unsigned char)x) == range_of((unsigned char)y);
}

/* The value of the number that begins at this byte. */
static uint64_t value_at(hm_str key, size_t at) {
  uint64_t value = 0;
  size_t digits = at + 1 < key.n ? (size_t)(key.p[at + 1] - '0') : 0;
  for (size_t i = at + 2; i < key.n && i < at + 2 + digits; i++)
    value = 10 * value + (uint64_t)(key.p[i] - '0');
  return value;
}

/* In all keys of the node the same number stands up to `at`, and goes on differently: *from, where
 * it begins. */
static bool is_in_number(const splitter *s, const node *n, size_t at, size_t *from) {
  hm_str key = s->keys[n->from];
  for (size_t i = at; i-- > 0 && at - i <= DIGITS_MAX + 2;) {
    if (key.p[i] == 0)
      return false;
    if (key.p[i] != NUMBER)
      continue;
    *from = i;
    return value_at(key, i) != value_at(s->keys[n->to - 1], i);
  }
  return false;
}

static cut cut_of(const splitter *s, const node *n) {
  static const size_t times[] = { 7, 10, 13, 16, 19, 20 };
  static const uint64_t steps[] = { 100000000, 10000000, 1000000, 100000, 10000,
                                    1000,      100,      50,      10,     1 };
  size_t at = shared(s, n), number;
  bool in_time = s->kind == HM_SPLIT_TIME && !(at && memchr(s->keys[n->from].p, 0, at));
  for (size_t i = 0; in_time && i < HM_COUNT(times); i++)
    if (at < times[i])
      return (cut){ i ? times[i - 1] : 0, times[i], false, 0 };
  if (s->kind == HM_SPLIT_NAME && is_in_number(s, n, at, &number)) {
    uint64_t low = value_at(s->keys[n->from], number), high = value_at(s->keys[n->to - 1], number);
    size_t i = 0;
    while (low / steps[i] == high / steps[i])
      i++;
    return (cut){ number, number, false, steps[i] };
  }
  return (cut){ at, at + 1, !one_range(s, n, at), 0 };
}

static bool same_side(const splitter *s, const cut *c, uint32_t i, uint32_t j) {
  hm_str x = s->keys[i], y = s->keys[j];
  if (c->step)
    return value_at(x, c->at) / c->step == value_at(y, c->at) / c->step;
  if (!c->by_range)
    return hm_str_eq(hm_str_sub(x, c->at, c->to), hm_str_sub(y, c->at, c->to));
  int bx = byte_at(x, c->at), by = byte_at(y, c->at);
  if (bx < 0 || by < 0)
    return bx == by;
  return range_of((unsigned char)bx) == range_of((unsigned char)by);
}

static hm_piece piece_of(const splitter *s, const cut *c, uint32_t from, uint32_t to) {
  hm_str key = s->keys[from];
  hm_piece p = { .from = from, .to = to, .prefix = hm_str_sub(key, 0, c->to), .range = "" };
  if (c->step) {
    p.step = c->step;
    p.first = value_at(key, c->at) / c->step * c->step;
  } else if (c->by_range) {
    int b = byte_at(key, c->at);
    p.range = b < 0 ? "all" : ranges[range_of((unsigned char)b)].label;
    p.prefix = hm_str_sub(key, 0, c->at);
  }
  return p;
}

/* Small children are pieces, big ones wait for their turn; from the last to
 * the first, since the stack turns them round. */
static void open_node(splitter *s, const node *n) {
  cut c = cut_of(s, n);
  uint32_t end = n->to;
  while (end > n->from) {
    uint32_t from = end - 1;
    while (from > n->from && same_side(s, &c, from - 1, end - 1))
      from--;
    if (is_too_big(s, from, end) && end - from < n->to - n->from)
      push(s, (node){ from, end });
    else
      emit(s, piece_of(s, &c, from, end));
    end = from;
  }
}

void hm_split_list(const hm_str *keys, uint32_t n, size_t limit, hm_is_long_fn *is_long,
                   const void *rows, hm_split_kind kind, hm_arena *a, hm_piece **pieces,
                   uint32_t *n_pieces) {
  splitter s = {
    .keys = keys, .is_long = is_long, .rows = rows, .limit = limit ? limit : 1, .kind = kind
  };
  if (!is_too_big(&s, 0, n))
    emit(&s, (hm_piece){ 0, n, HM_EMPTY, "", 0, 0 });
  else
    push(&s, (node){ 0, n });
  while (s.n_stack) {
    node next = s.stack[--s.n_stack];
    open_node(&s, &next);
  }
  qsort(s.out, s.n_out, sizeof *s.out, hm_order_u32);
  *pieces = hm_alloc_array(a, s.n_out + 1, sizeof **pieces);
  memcpy(*pieces, s.out, s.n_out * sizeof **pieces);
  *n_pieces = s.n_out;
  free(s.out);
  free(s.stack);
}

/* --- keys ------------------------------------------------------------------------ */

static size_t digits_from(hm_str s, size_t at) { return hm_skip_digits(s, at) - at; }

hm_str hm_split_key(hm_arena *a, hm_str key) {
  const char *end = key.n ? memchr(key.p, 0, key.n) : NULL;
  size_t name = end ? (size_t)(end - key.p) : key.n, i = 0;
  while (i < name && !digits_from(key, i))
    i++;
  if (i == name)
    return key;
  hm_buf b = { 0 };
  hm_buf_str(&b, hm_str_sub(key, 0, i));
  while (i < name) {
    size_t n = digits_from(key, i);
    while (n > 1 && key.p[i] == '0')
      i++, n--;
    if (n && n <= DIGITS_MAX) {
      hm_buf_ch(&b, NUMBER);
      hm_buf_ch(&b, (char)('0' + n));
    }
    if (!n)
      n = 1;
    hm_buf_str(&b, hm_str_sub(key, i, i + n));
    i += n;
  }
  hm_buf_str(&b, hm_str_sub(key, name, key.n));
  return hm_buf_take(&b, a);
}

/* --- the order inside pieces -------------------------------------------------- */

typedef struct {
  hm_str key;
  uint32_t item;
} keyed_item;

static int by_natural_key(const void *x, const void *y) {
  const keyed_item *a = x, *b = y;
  int d = hm_str_natural_cmp(a->key, b->key);
  return d ? d : (a->item > b->item) - (a->item < b->item);
}

void hm_pieces_sort_naturally(const hm_str *keys, uint32_t *items, const hm_piece *pieces,
                              uint32_t n_pieces, hm_arena *a) {
  uint32_t n = n_pieces ? pieces[n_pieces - 1].to : 0;
  keyed_item *k = hm_alloc_array(a, n + 1, sizeof *k);
  for (uint32_t i = 0; i < n; i++)
    k[i] = (keyed_item){ keys[i], items[i] };
  for (uint32_t i = 0; i < n_pieces; i++)
    qsort(k + pieces[i].from, pieces[i].to - pieces[i].from, sizeof *k, by_natural_key);
  for (uint32_t i = 0; i < n; i++)
    items[i] = k[i].item;
}

void hm_order_leading_rows(const hm_view *v, const hm_str *keys, const uint32_t *rows, uint32_t n,
                           uint32_t *out, hm_arena *a) {
  keyed_item *active = hm_alloc_array(a, n + 1, sizeof *active);
  bool *leads = hm_alloc_array(a, n + 1, sizeof *leads);
  uint32_t n_active = 0, at = 0;
  for (uint32_t i = 0; i < n; i++)
    if (v->rows[rows[i]].active)
      active[n_active++] = (keyed_item){ keys[i], i };
  qsort(active, n_active, sizeof *active, by_natural_key);
  for (; at < n_active && at < HM_LEAD; at++) {
    out[at] = rows[active[at].item];
    leads[active[at].item] = true;
  }
  for (uint32_t i = 0; i < n; i++)
    if (!leads[i])
      out[at++] = rows[i];
}

/* --- names of pieces --------------------------------------------------------- */

enum { LABEL_SCAN = 200, LABEL_BYTES = 60 };

/* The separators of a key as spaces; one at the beginning is that of an empty head. Numbers without
 * what stands before them. */
static hm_str spaced(hm_arena *a, hm_str s) {
  if (s.n && s.p[0] == 1)
    s = hm_str_sub(s, 1, s.n);
  char *p = hm_alloc(a, s.n + 1);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] == NUMBER)
      i++;
    else
      p[n++] = (unsigned char)s.p[i] < 0x20 || s.p[i] == '_' ? ' ' : s.p[i];
  }
  return (hm_str){ p, n };
}

/* "300 to 399", with a text between the two; "300" alone. */
static hm_str number_range(hm_arena *a, const hm_piece *p, const char *between) {
  unsigned long long first = p->first, last = p->first + p->step - 1;
  return first == last ? hm_str_fmt(a, "%llu", first)
                       : hm_str_fmt(a, "%llu%s%llu", first, between, last);
}

hm_str hm_piece_label(hm_arena *a, const hm_piece *p, hm_str name) {
  hm_str prefix =
      hm_text_cut(hm_text_repair(a, spaced(a, hm_text_cut(p->prefix, LABEL_SCAN))), LABEL_BYTES);
  if (p->step) {
    size_t n = 0;
    while (n < name.n && !digits_from(name, n))
      n++;
    hm_str head = hm_str_sub(name, 0, n), folded = hm_text_fold_name(a, head);
    bool same = n < LABEL_BYTES && hm_str_eq(hm_str_trim(spaced(a, folded)), hm_str_trim(prefix));
    return HM_CAT(a, same ? head : prefix, number_range(a, p, " to "));
  }
  if (!*p->range)
    return hm_format_date(a, prefix);
  const char *last = strlen(p->range) == 3 && p->range[1] == '-' ? p->range + 2 : NULL;
  if (!prefix.n)
    return hm_str_c(p->range);
  if (!last)
    return hm_str_fmt(a, "%.*s … %s", HM_FMT(prefix), p->range);
  return hm_str_fmt(a, "%.*s%c to %.*s%s", HM_FMT(prefix), *p->range, HM_FMT(prefix), last);
}

hm_str hm_piece_stem(hm_arena *a, const hm_piece *p, hm_slug_script script) {
  hm_str head = spaced(a, p->prefix);
  hm_str stem = head.n ? hm_text_slug(a, head, script) : HM_EMPTY,
         range = p->step ? number_range(a, p, "-") : hm_str_c(p->range);
  bool apart = stem.n && range.n && !(p->step && head.p[head.n - 1] != ' ');
  return HM_CAT(a, stem, apart ? HM_STR("-") : HM_EMPTY, range);
}

hm_str hm_list_piece_key(hm_arena *a, hm_str list, const hm_piece *p) {
  hm_buf b = { 0 };
  hm_buf_ch(&b, '/');
  hm_buf_str(&b, list);
  hm_buf_fmt(&b, "/%s%.*s/", p->range, HM_FMT(p->step ? number_range(a, p, "-") : HM_EMPTY));
  hm_buf_str(&b, p->prefix);
  return hm_buf_take(&b, a);
}

/* --- keys of lists --------------------------------------------------------------------------- */

hm_str hm_list_sort_key(hm_arena *a, hm_str title, hm_str id) {
  return HM_CAT(a, hm_text_fold_name(a, title), (hm_str){ "", 1 }, id);
}
