/* Reads a text, or JSON, as a value: chooses among the readers of the classes (value.h has the
 * table).
 *
 * Most values are texts, and most of these cannot be anything else: a text that begins with a
 * letter is tried as a special class only when its first word opens one (`openers`, months, words
 * for numbers, codes of money), any other text by its first character. The readers are tried in one
 * order: boolean, date, time of day, amount, range; the first that reads the whole text wins. A
 * text longer than SPECIAL_MAX is a number or a text.
 *
 * A list in prose ("a, b and c", "a; b", "TCP & UDP") stays a text, and is also a set: its key is
 * "list:[...]". Items are values of at most four words; a text with "or", "not" or "but" is no
 * list. Cost: linear in the bytes, except for sorting a list. */
#include <stdlib.h>
#include <string.h>

#include "core/base/redaction.h"
#include "core/base/text.h"
#include "core/value/rules.h"
#include "core/value/value_impl.h"

/* --- what a first word opens ----------------------------------------------------------- */

enum { BOOLEAN = 1, DATE = 2, CLOCK = 4, AMOUNT = 8, RANGE = 16, ALL = 31 };

typedef struct {
  const char *word;
  unsigned opens;
} opener;

/* Sorted. */
static const opener openers[] = {
  { "ab", RANGE },
  { "about", RANGE },
  { "above", RANGE },
  { "approx", RANGE },
  { "approximately", RANGE },
  { "around", RANGE },
  { "at", RANGE },
  { "below", RANGE },
  { "between", RANGE },
  { "bis", RANGE },
  { "ca", RANGE },
  { "circa", RANGE },
  { "disabled", BOOLEAN },
  { "early", DATE },
  { "enabled", BOOLEAN },
  { "exceeding", RANGE },
  { "false", BOOLEAN },
  { "fewer", RANGE },
  { "from", RANGE },
  { "greater", RANGE },
  { "higher", RANGE },
  { "larger", RANGE },
  { "late", DATE },
  { "less", RANGE },
  { "longer", RANGE },
  { "lower", RANGE },
  { "max", RANGE },
  { "maximal", RANGE },
  { "maximum", RANGE },
  { "mid", DATE },
  { "midnight", CLOCK | RANGE },
  { "min", RANGE },
  { "mindestens", RANGE },
  { "minimum", RANGE },
  { "more", RANGE },
  { "no", BOOLEAN | RANGE },
  { "noon", CLOCK | RANGE },
  { "not", RANGE },
  { "off", BOOLEAN },
  { "on", BOOLEAN },
  { "over", RANGE },
  { "ph", AMOUNT },
  { "plus", RANGE },
  { "roughly", RANGE },
  { "shorter", RANGE },
  { "smaller", RANGE },
  { "true", BOOLEAN },
  { "under", RANGE },
  { "up", RANGE },
  { "within", RANGE },
  { "yes", BOOLEAN },
};

/* What a text may be by its first word, which stands in one of the tables; 0: a text. */
static unsigned opened_by(hm_str s) {
  size_t end = 0;
  while (hm_letter_at(s, end))
    end++;
  hm_str word = hm_str_sub(s, 0, end);
  if (hm_char_at(s, end, '$'))
    return AMOUNT | RANGE;
  const char *code, *also;
  const opener *row = HM_FIND(word, openers);
  unsigned opens = row ? row->opens : 0;
  if (hm_value_is_number_word(word) && (!hm_char_at(s, end, '-') || end > 2))
    opens |= AMOUNT | RANGE;
  if (hm_value_is_date_word(word))
    opens |= DATE | RANGE;
  if (end <= 3 && hm_money_at(s, &code, &also))
    opens |= AMOUNT | RANGE;
  return opens;
}

/* --- one value ------------------------------------------------------------------------- */

/* Sorted. */
static const struct truth {
  const char *word;
  bool truth;
} booleans[] = {
  { "disabled", false }, { "enabled", true }, { "false", false }, { "no", false },
  { "off", false },      { "on", true },      { "true", true },   { "yes", true },
};

static bool read_bool(hm_value *out, hm_str s) {
  while (hm_str_ends(s, "!"))
    s.n--;
  const struct truth *row = HM_FIND(s, booleans);
  hm_str norm = row && row->truth ? HM_STR("bool:true") : HM_STR("bool:false");
  if (row)
    hm_value_set_forms(out, HM_V_BOOL, norm, norm);
  return row;
}

enum { SPECIAL_MAX = 96 };

static bool read_long_number(hm_value *out, hm_str s, hm_reader *r) {
  hm_numeral n;
  if (!hm_is_digit(s.p[0]) && s.p[0] != '-' && s.p[0] != '+' && s.p[0] != '.')
    return false;
  if (hm_numeral_scan(&n, s, false, r->scratch) != s.n || n.name)
    return false;
  hm_value_set_number(out, &n.n, r);
  return true;
}

/* Anything but a text. */
static bool read_special(hm_value *out, hm_str s, hm_reader *r) {
  unsigned opens = ALL & ~BOOLEAN;
  if (s.n > 1 && s.p[s.n - 1] == '.' && s.p[s.n - 2] != '.')
    s = hm_str_trim(hm_str_sub(s, 0, s.n - 1));
  if (!s.n)
    return false;
  if (s.n > SPECIAL_MAX)
    return read_long_number(out, s, r);
  if (hm_is_letter(s.p[0])) {
    opens = opened_by(s);
    if (!opens)
      return false;
  } else if (strchr("\"/[{_#@*!?&|`,;)", s.p[0])) {
    return false;
  }
  return (opens & BOOLEAN && read_bool(out, s)) ||
      (opens & DATE && hm_value_read_date(out, s, r)) ||
      (opens & CLOCK && hm_value_read_clock(out, s, r)) ||
      (opens & AMOUNT && hm_value_read_amount(out, s, r)) ||
      (opens & RANGE && hm_value_read_range(out, s, r));
}

/* Any class but a list; s is folded. */
static void read_plain(hm_value *out, hm_str s, bool as_text, hm_reader *r) {
  hm_value_init(out, s);
  if (!as_text && read_special(out, s, r))
    return;
  hm_value_init(out, s);
  hm_value_read_text(out, s, as_text, r);
}

/* --- lists in prose -------------------------------------------------------------------- */

enum { LIST_LONGEST = 400, ITEMS_MAX = 64, ITEM_WORDS_MAX = 4, AND = 'a' };

/* What the items of the list are cut at; a blank only where the slot is one of lists. */
static char separator_of(hm_str s, hm_reading supports) {
  if (memchr(s.p, ';', s.n))
    return ';';
  if (memchr(s.p, ',', s.n))
    return ',';
  if (supports & HM_READ_LIST)
    return memchr(s.p, ' ', s.n) ? ' ' : 0;
  return hm_str_find(s, " and ") >= 0 || hm_str_find(s, " & ") >= 0 ? AND : 0;
}

static bool is_item(hm_str s) {
  static const char *const no_items[] = { "or", "not", "but", "no", "except", "nor", "then" };
  size_t words = 1;
  for (size_t i = 0; i < s.n && words <= ITEM_WORDS_MAX; i++)
    words += s.p[i] == ' ';
  if (!s.n || words > ITEM_WORDS_MAX)
    return false;
  hm_str rest = s;
  return words == 1 ||
      (!HM_IS_ANY(hm_str_next_word(&rest), no_items) && hm_str_find(s, " or ") < 0);
}

/* The last item may hold "x and y", or begin with "and". */
static size_t cut_last(hm_str *items, size_t n, size_t most) {
  hm_str last = items[n - 1];
  if (hm_value_skip_word(&last, "and") || hm_value_skip_word(&last, "&")) {
    items[n - 1] = last;
    return n;
  }
  ptrdiff_t at = hm_str_find(last, " and ");
  size_t joint = sizeof " and " - 1;
  if (at < 0)
    at = hm_str_find(last, " & "), joint = sizeof " & " - 1;
  if (at < 0 || n == most)
    return n;
  items[n - 1] = hm_str_trim(hm_str_sub(last, 0, (size_t)at));
  items[n] = hm_str_trim(hm_str_sub(last, (size_t)at + joint, last.n));
  return n + 1;
}

static size_t split_list(hm_str s, hm_reading supports, hm_str items[ITEMS_MAX]) {
  char separator = separator_of(s, supports);
  size_t n = 0;
  if (!separator)
    return 0;
  for (const char *end = s.p; end;) {
    if (n == ITEMS_MAX)
      return 0;
    end = separator == AND ? NULL : memchr(s.p, separator, s.n);
    size_t len = end ? (size_t)(end - s.p) : s.n;
    items[n++] = hm_str_trim(hm_str_sub(s, 0, len));
    if (end)
      s = hm_str_sub(s, len + 1, s.n);
  }
  /* "a, b and c" has one "and"; "a and b and c" as many as it needs. */
  for (size_t before = 0; n != before;) {
    before = n;
    n = cut_last(items, n, ITEMS_MAX);
    if (separator != AND)
      break;
  }
  for (size_t i = 0; i < n; i++)
    if (!is_item(items[i]))
      return 0;
  return n > 1 ? n : 0;
}

/* Gives a text that is a list its items and the key of one. */
static void add_list(hm_value *out, hm_str s, bool as_text, hm_reader *r) {
  hm_str items[ITEMS_MAX];
  if (s.n > LIST_LONGEST)
    return;
  if (s.n > 2 && s.p[0] == '[' && s.p[s.n - 1] == ']')
    s = hm_str_trim(hm_str_sub(s, 1, s.n - 1));
  size_t n = split_list(s, r->supports, items);
  if (!n)
    return;
  out->items = hm_alloc_array(r->a, n, sizeof *out->items);
  for (size_t i = 0; i < n; i++) {
    read_plain(&out->items[i], hm_value_by_pattern(items[i], r->supports, r->a), as_text, r);
    if (out->items[i].kind == HM_V_NONE)
      return;
    out->n_items++;
  }
  bool position = r->supports & HM_READ_PLACE && out->items[0].kind == HM_V_NUMBER;
  bool ordered = r->ordered || position;
  if (!ordered)
    hm_value_sort_items(out);
  hm_value_kind kind = ordered ? HM_V_LIST : HM_V_SET;
  if (out->n_items < 2)
    out->n_items = 0;
  else
    out->key = HM_CAT(r->a, HM_STR("list:"), hm_value_parts_form(out, kind, true, r->a));
}

/* --- texts and ids --------------------------------------------------------------------- */

/* A release, or a formula, is no number and no word, where the slot is one of them. */
static bool is_text_here(hm_str s, hm_reading supports) {
  return supports & HM_READ_TEXT || (supports & HM_READ_MODE && hm_value_octal_mode(s).n) ||
      (supports & HM_READ_VERSION && hm_is_version(s)) ||
      (supports & HM_READ_CODE && memchr(s.p, '.', s.n) && hm_is_version(s)) ||
      (supports & HM_READ_PORT && memchr(s.p, ',', s.n)) ||
      (supports & HM_READ_FORMULA && hm_value_case_counts(s, supports));
}

static bool read_json_text(hm_value *out, hm_str s, hm_reading supports, const hm_value_reading *by,
                           hm_units *u, hm_arena *a);

static void read_text(hm_value *out, hm_str raw, hm_reading supports, const hm_value_reading *by,
                      hm_units *u, hm_arena *a) {
  hm_reader r = { .units = u, .a = a, .supports = supports };
  if (by)
    r.ordered = by->ordered, r.families = by->families;
  hm_value_init(out, raw);
  out->supports = supports;
  hm_str s = hm_str_trim(raw);
  if (!s.n || (s.p[0] == '[' && hm_is_redacted(s)))
    return;
  if (read_json_text(out, s, supports, by, u, a)) {
    out->raw = hm_str_dup(a, raw);
    return;
  }
  r.scratch = hm_units_scratch(u);
  s = hm_value_without_quotes(hm_str_trim(hm_value_fold(a, s)));
  s = hm_value_by_pattern(s, supports, a);
  bool as_text = is_text_here(s, supports);
  if (supports & HM_READ_VERSION && hm_value_read_demand(out, s, &r))
    return;
  if (s.n && !as_text && read_special(out, s, &r))
    return;
  hm_value_init(out, raw);
  out->supports = supports;
  if (hm_value_read_text(out, s, as_text, &r))
    add_list(out, s, as_text && !(supports & HM_READ_PORT), &r);
}

void hm_value_parse_text(hm_value *out, hm_str raw, hm_reading supports, hm_units *u, hm_arena *a) {
  read_text(out, raw, supports, NULL, u, a);
}

void hm_value_parse(hm_value *out, hm_str raw, hm_reading supports, const hm_value_reading *by,
                    hm_units *u, hm_arena *a) {
  hm_value_init(out, raw);
  out->supports = supports;
  out->silent = hm_value_is_silence(raw, by ? by->rules : NULL, hm_units_scratch(u));
  if (out->silent)
    return;
  read_text(out, raw, supports, by, u, a);
  hm_str id = by && by->name_of && hm_value_may_be_id(out) ? hm_value_parse_id(raw) : HM_EMPTY;
  hm_str name = id.n ? by->name_of(by->ctx, id) : HM_EMPTY;
  hm_value named;
  if (!name.n)
    return;
  hm_value_parse_text(&named, name, supports, u, a);
  if (named.kind == HM_V_NONE)
    return;
  named.raw = raw;
  named.named = name;
  *out = named;
}

/* --- JSON ------------------------------------------------------------------------------------ */

/* Strings are read as any text; an array is a set, or a list where its field means an order; an
 * object has members by their folded names. A member is read by its own name too: what is a
 * release, or has an order, says so there. Names that fold alike in one object stay as they are
 * written. A unit that stands beside a value goes with every element of it, or with none. */

/* A JSON number is one whatever it looks like (1e3). */
static void read_number(hm_value *out, hm_str raw, hm_reading supports, hm_units *u, hm_arena *a) {
  hm_reader r = { .units = u, .a = a, .scratch = hm_units_scratch(u) };
  hm_number n;
  hm_value_init(out, raw);
  out->supports = supports;
  if (!is_text_here(raw, supports) && hm_number_parse(&n, raw, r.scratch))
    hm_value_set_number(out, &n, &r);
  else
    hm_value_parse_text(out, raw, supports, u, a);
}

static void set_parts(hm_value *v, hm_value_kind kind, hm_arena *a) {
  if (kind == HM_V_SET)
    hm_value_sort_items(v);
  hm_value_set_forms(v, kind, hm_value_parts_form(v, kind, false, a),
                     hm_value_parts_form(v, kind, true, a));
}

/* How a JSON value is read. */
typedef struct {
  hm_reading supports;
  bool ordered;
  const hm_value_reading *by;
  hm_units *u;
  hm_arena *a;
} json_reading;

static void read_json(hm_value *out, const hm_json *v, const json_reading *r);

/* "NA", "Null" among names and codes are such, too; the silent items stand behind the others. */
static size_t read_names(hm_value *items, size_t n, size_t all, const json_reading *r) {
  size_t read = n;
  for (size_t i = 0; i < n; i++)
    if (items[i].kind != HM_V_TEXT || memchr(items[i].norm.p, ' ', items[i].norm.n))
      return n;
  for (size_t i = n; n && i < all; i++)
    if (hm_value_silence_may_be_name(items[i].raw))
      hm_value_parse_text(&items[read++], items[i].raw, r->supports | HM_READ_TEXT, r->u, r->a);
  return read;
}

/* In a set, order and repetition say nothing. */
static void read_array(hm_value *out, const hm_json *v, const json_reading *r) {
  size_t silent = 0;
  hm_value *unread = hm_alloc_array(r->a, v->count, sizeof *unread);
  out->items = hm_alloc_array(r->a, v->count, sizeof *out->items);
  for (const hm_json *i = v->child; i; i = i->next) {
    hm_value *item = &out->items[out->n_items];
    read_json(item, i, r);
    if (item->kind != HM_V_NONE)
      out->n_items++;
    else if (item->silent)
      unread[silent++] = *item;
  }
  memcpy(out->items + out->n_items, unread, silent * sizeof *unread);
  out->silent = silent && !out->n_items;
  if (silent && !r->ordered)
    out->n_items = read_names(out->items, out->n_items, out->n_items + silent, r);
  if (out->n_items)
    set_parts(out, r->ordered ? HM_V_LIST : HM_V_SET, r->a);
}

typedef struct {
  hm_str name, written;
  hm_value value;
} member;

static int by_name(const void *x, const void *y) {
  const member *a = x, *b = y;
  int d = hm_str_cmp(a->name, b->name);
  return d ? d : hm_str_cmp(a->written, b->written);
}

/* Of members that fold alike each goes by what is written. */
static void name_members(member *v, size_t n, hm_arena *a) {
  bool any = false;
  qsort(v, n, sizeof *v, by_name);
  for (size_t i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n && hm_str_eq(v[i].name, v[j].name);)
      j++;
    any = any || j > i + 1 || !v[i].name.n;
    for (size_t k = i; k < j && (j > i + 1 || !v[i].name.n); k++)
      v[k].name = hm_str_dup(a, v[k].written);
  }
  if (any)
    qsort(v, n, sizeof *v, by_name);
}

static void read_object(hm_value *out, const hm_json *v, const json_reading *r) {
  const hm_rules *rules = r->by && r->by->rules ? r->by->rules : hm_rules_default();
  member *members = hm_xmalloc((v->count + 1) * sizeof *members);
  size_t n = 0;
  bool silent = false;
  for (const hm_json *i = v->child; i; i = i->next) {
    member *m = &members[n];
    json_reading of = *r;
    m->written = i->key;
    m->name = hm_text_fold_name(r->a, i->key);
    of.supports = (r->supports & HM_READ_TEXT) | hm_rules_reading(rules, m->name);
    of.ordered = r->ordered || hm_rules_is_ordered(rules, m->name);
    read_json(&m->value, i, &of);
    if (m->value.kind != HM_V_NONE)
      n++;
    else
      silent = silent || m->value.silent;
  }
  out->silent = silent && !n;
  if (n) {
    name_members(members, n, r->a);
    out->items = hm_alloc(r->a, n * (sizeof *out->items + sizeof(hm_str)));
    out->n_items = n;
    hm_str *names = (hm_str *)(out->items + n);
    for (size_t i = 0; i < n; i++)
      out->items[i] = members[i].value, names[i] = members[i].name;
    set_parts(out, HM_V_OBJECT, r->a);
  }
  free(members);
}

static void read_json(hm_value *out, const hm_json *v, const json_reading *r) {
  hm_value_init(out, HM_EMPTY);
  switch (v->type) {
    case HM_JSON_NULL:
      return;
    case HM_JSON_STRING:
      hm_value_parse(out, v->text, r->supports, r->by, r->u, r->a);
      return;
    case HM_JSON_NUMBER:
      read_number(out, v->text, r->supports, r->u, r->a);
      return;
    case HM_JSON_TRUE:
      hm_value_parse_text(out, HM_STR("true"), r->supports, r->u, r->a);
      return;
    case HM_JSON_FALSE:
      hm_value_parse_text(out, HM_STR("false"), r->supports, r->u, r->a);
      return;
    case HM_JSON_ARRAY:
      read_array(out, v, r);
      return;
    case HM_JSON_OBJECT:
      read_object(out, v, r);
      return;
  }
}

void hm_value_parse_json(hm_value *out, const hm_json *v, hm_reading supports,
                         const hm_value_reading *by, hm_units *u, hm_arena *a) {
  json_reading r = { supports, by && by->ordered, by, u, a };
  read_json(out, v, &r);
  if (v->type == HM_JSON_ARRAY || v->type == HM_JSON_OBJECT)
    out->raw = hm_json_as_text(v, a);
}

/* An array or object that stands in a text, as files of settings have it. */
static bool read_json_text(hm_value *out, hm_str s, hm_reading supports, const hm_value_reading *by,
                           hm_units *u, hm_arena *a) {
  hm_json *json;
  bool object = s.p[0] == '{' && s.p[s.n - 1] == '}', array = s.p[0] == '[' && s.p[s.n - 1] == ']';
  if (s.n < 4 || (!object && !array) || hm_json_parse(a, s, &json, NULL))
    return false;
  hm_value_parse_json(out, json, supports, by, u, a);
  out->supports = supports;
  return out->kind != HM_V_NONE;
}

/* --- units beside a value -------------------------------------------------------------- */

static bool join_unit(hm_value *v, hm_str unit, hm_units *u, hm_arena *a) {
  bool number = v->kind == HM_V_NUMBER;
  if (v->named.n || (!number && v->kind != HM_V_QUANTITY))
    return false;
  hm_value both;
  hm_str amount = number ? hm_str_trim(v->raw) : HM_STR("1");
  hm_value_parse_text(&both, HM_CAT(a, amount, HM_STR(" "), unit), false, u, a);
  if (both.kind != HM_V_QUANTITY || !(number || hm_str_eq(both.base, v->base)))
    return false;
  if (number)
    *v = both;
  return true;
}

bool hm_value_add_unit(hm_value *v, hm_str unit, hm_units *u, hm_arena *a) {
  if (v->kind != HM_V_SET && v->kind != HM_V_LIST)
    return join_unit(v, unit, u, a);
  hm_value joined = *v;
  bool any = false;
  joined.items = hm_alloc_array(a, v->n_items, sizeof *joined.items);
  memcpy(joined.items, v->items, v->n_items * sizeof *joined.items);
  for (size_t i = 0; i < joined.n_items; i++) {
    any = any || joined.items[i].kind == HM_V_NUMBER;
    if (!join_unit(&joined.items[i], unit, u, a))
      return false;
  }
  set_parts(&joined, v->kind, a);
  if (any)
    joined.raw = HM_CAT(a, v->raw, HM_STR(" "), unit);
  *v = joined;
  return true;
}
