/* Normal forms of values: value.h has the table of classes.
 *
 * Most values are texts, and most of these cannot be anything else: a text that begins with a
 * letter is tried as a special class only when its first word opens one (`openers`, months, words
 * for numbers, codes of money; the letter and length of the word decide for most), any other text
 * by its first character. The readers are tried in one order: boolean, date, time of day, amount,
 * range; the first that reads the whole text wins. A text longer than SPECIAL_MAX is a number or a
 * text.
 *
 * Strings in JSON are read as any text; an array is a set, or a list where its field means an
 * order; an object has members by their folded names. A member is read by its own name too: what is
 * a release, or has an order, says so there. Names that fold alike in one object stay as they are
 * written. A unit that stands beside a value goes with every element of it, or with none.
 * Cost: linear in the bytes, but for the sorts. What contradicts what is value_compare.c. */
#include "core/claim/value.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/redaction.h"
#include "core/base/text.h"
#include "core/claim/silence_words.h"
#include "core/claim/value_impl.h"

void hm_value_set_forms(hm_value *out, hm_value_kind kind, hm_str norm, hm_str key) {
  out->kind = kind;
  out->norm = norm;
  out->key = key;
}

/* --- what a first word opens ----------------------------------------------------------- */

enum { BOOLEAN = 1, DATE = 2, CLOCK = 4, AMOUNT = 8, RANGE = 16, ALL = 31 };

typedef struct { const char *word; unsigned opens; } opener;

/* Sorted by first letter. */
static const opener openers[] = {
  { "about", RANGE }, { "above", RANGE }, { "approx", RANGE }, { "approximately", RANGE },
  { "around", RANGE }, { "at", RANGE }, { "below", RANGE }, { "between", RANGE }, { "ca", RANGE },
  { "circa", RANGE }, { "disabled", BOOLEAN }, { "enabled", BOOLEAN }, { "exceeding", RANGE },
  { "false", BOOLEAN }, { "fewer", RANGE }, { "from", RANGE }, { "greater", RANGE },
  { "higher", RANGE }, { "larger", RANGE }, { "less", RANGE }, { "longer", RANGE },
  { "lower", RANGE }, { "max", RANGE }, { "maximum", RANGE }, { "midnight", CLOCK | RANGE },
  { "min", RANGE }, { "minimum", RANGE }, { "more", RANGE }, { "no", BOOLEAN | RANGE },
  { "noon", CLOCK | RANGE }, { "not", RANGE }, { "off", BOOLEAN }, { "on", BOOLEAN },
  { "over", RANGE }, { "ph", AMOUNT }, { "plus", RANGE }, 
  { "roughly", RANGE }, { "shorter", RANGE }, { "smaller", RANGE }, { "true", BOOLEAN },
  { "under", RANGE }, { "up", RANGE }, { "yes", BOOLEAN },
};

/* Of the words that open something, here and in the tables of dates, numbers and money: the
 * lengths, as bits, by first letter. A test holds it to the tables. */
static const uint16_t lengths[26] = {
  ['a' - 'a'] = 0x206E, ['b' - 'a'] = 0x00AC, ['c' - 'a'] = 0x012C, ['d' - 'a'] = 0x0128,
  ['e' - 'a'] = 0x03E8, ['f' - 'a'] = 0x01F8, ['g' - 'a'] = 0x0088, ['h' - 'a'] = 0x00DA,
  ['i' - 'a'] = 0x000C, ['j' - 'a'] = 0x0098, ['k' - 'a'] = 0x000C, ['l' - 'a'] = 0x0070,
  ['m' - 'a'] = 0x01F8, ['n' - 'a'] = 0x015C, ['o' - 'a'] = 0x009C, ['p' - 'a'] = 0x001E,
  ['q' - 'a'] = 0x0182, ['r' - 'a'] = 0x008C, ['s' - 'a'] = 0x03FC, ['t' - 'a'] = 0x01FC,
  ['u' - 'a'] = 0x002C, ['v' - 'a'] = 0x0008, ['w' - 'a'] = 0x021E, ['y' - 'a'] = 0x0008,
  ['z' - 'a'] = 0x0018,
};

static hm_str first_word(hm_str s) {
  size_t n = 0;
  while (n < s.n && n < 16 && hm_is_letter(s.p[n])) n++;
  return hm_str_sub(s, 0, n);
}

/* What a text may be by its first word, which stands in one of the tables; 0: a text. */
static unsigned opened_by(hm_str s) {
  hm_str word = first_word(s);
  char next = word.n < s.n ? s.p[word.n] : 0;
  if (next == '$') return AMOUNT | RANGE;
  if (s.p[0] == 'P' && (hm_str_is(word, "P") || hm_str_is(word, "PT")) && hm_is_digit(next))
    return AMOUNT;   /* PT1H30M */
  if (word.n > 15 || !(lengths[hm_ascii_lower(s.p[0]) - 'a'] >> word.n & 1)) return 0;
  unsigned opens = 0;
  for (size_t i = 0; i < HM_COUNT(openers); i++)
    if (openers[i].word[0] == hm_ascii_lower(s.p[0]) && strlen(openers[i].word) == word.n &&
        hm_value_starts_folded(s, openers[i].word))
      opens |= openers[i].opens;
  if (hm_value_is_number_word(word) && (next != '-' || word.n > 2)) opens |= AMOUNT | RANGE;
  if (hm_value_is_date_word(word)) opens |= DATE | RANGE;
  if (word.n <= 3 && hm_value_begins_money(s)) opens |= AMOUNT | RANGE;
  return opens;
}

/* Without a digit a date is none, and an amount or a range has a word for a number in it. */
static unsigned without_digits(hm_str s, unsigned opens) {
  enum { LONGEST = 60 };
  for (size_t i = 0; i < s.n; i++)
    if (hm_is_digit(s.p[i])) return opens;
  opens &= ~(unsigned)DATE;
  if (!(opens & RANGE)) return opens;
  if (s.n > LONGEST) return opens & ~(unsigned)RANGE;
  for (size_t i = 0; i < s.n;) {
    hm_str word = first_word(hm_str_sub(s, i, s.n));
    if (word.n > 2 && hm_value_is_number_word(word)) return opens;
    i += word.n + 1;
  }
  return opens & ~(unsigned)RANGE;
}

bool hm_value_word_passes_filter(hm_str word) {
  return lengths[hm_ascii_lower(word.p[0]) - 'a'] >> word.n & 1;
}

bool hm_value_openers_pass_filter(void) {
  for (size_t i = 0; i < HM_COUNT(openers); i++)
    if (!hm_value_word_passes_filter(hm_str_c(openers[i].word))) return false;
  return hm_number_words_pass_filter() && hm_date_words_pass_filter() &&
      hm_money_codes_pass_filter();
}

/* Sorted. */
static const struct { const char *word; bool truth; } booleans[] = {
  { "disabled", false }, { "enabled", true }, { "false", false }, { "no", false }, { "off", false },
  { "on", true }, { "true", true }, { "yes", true },
};

static bool read_bool(hm_value *out, hm_str s) {
  for (size_t i = 0; i < HM_COUNT(booleans); i++) {
    if (s.n != strlen(booleans[i].word) || !hm_value_starts_folded(s, booleans[i].word)) continue;
    hm_str norm = booleans[i].truth ? HM_STR("bool:true") : HM_STR("bool:false");
    hm_value_set_forms(out, HM_V_BOOL, norm, norm);
    return true;
  }
  return false;
}

/* --- reading --------------------------------------------------------------------------- */

enum { SPECIAL_MAX = 96 };

static bool read_long_number(hm_value *out, hm_str s, hm_reader *r) {
  hm_numeral n;
  if (!hm_is_digit(s.p[0]) && s.p[0] != '-' && s.p[0] != '+' && s.p[0] != '.') return false;
  if (hm_numeral_scan(&n, s, false, r->scratch) != s.n || n.name) return false;
  hm_value_set_number(out, &n.n, r);
  return true;
}

/* Anything but a text. */
static bool read_special(hm_value *out, hm_str s, hm_reader *r) {
  unsigned opens = ALL & ~BOOLEAN;
  if (s.n > 1 && s.p[s.n - 1] == '.' && s.p[s.n - 2] != '.')
    s = hm_str_trim(hm_str_sub(s, 0, s.n - 1));
  if (!s.n) return false;
  if (s.n > SPECIAL_MAX) return read_long_number(out, s, r);
  if (hm_is_letter(s.p[0])) {
    opens = opened_by(s);
    if (opens) opens = without_digits(s, opens);
    if (!opens) return false;
  } else if (strchr("\"/[{_#@*!?&|`,;)", s.p[0])) {
    return false;
  }
  return (opens & BOOLEAN && read_bool(out, s)) || (opens & DATE && hm_read_date(out, s, r)) ||
      (opens & CLOCK && hm_read_clock(out, s, r)) ||
      (opens & AMOUNT && hm_read_amount(out, s, r)) || (opens & RANGE && hm_read_range(out, s, r));
}

void hm_value_read_plain(hm_value *out, hm_str s, bool as_text, hm_reader *r) {
  hm_value_init(out, s);
  if (!as_text && read_special(out, s, r)) return;
  hm_value_init(out, s);
  hm_read_single_text(out, s, as_text, r);
}

void hm_value_init(hm_value *out, hm_str raw) {
  *out = (hm_value){
    .raw = raw, .norm = HM_EMPTY, .key = HM_EMPTY, .base = HM_EMPTY, .named = HM_EMPTY
  };
}

static void read_text(hm_value *out, hm_str raw, bool as_text, const hm_value_reading *by,
                      hm_units *u, hm_arena *a) {
  hm_reader r = { .units = u, .a = a };
  if (by) r.ordered = by->ordered, r.families = by->families;
  hm_value_init(out, raw);
  hm_str s = hm_str_trim(raw);
  if (!s.n || (s.p[0] == '[' && hm_is_redacted(s))) return;
  r.scratch = hm_units_scratch(u);
  s = hm_str_trim(hm_value_fold(a, s));
  if (s.n && !as_text && read_special(out, s, &r)) return;
  hm_value_init(out, raw);
  hm_read_text(out, s, as_text, &r);
}

void hm_value_parse_text(hm_value *out, hm_str raw, bool as_text, hm_units *u, hm_arena *a) {
  read_text(out, raw, as_text, NULL, u, a);
}

/* The same of a JSON number, which is one whatever it looks like (1e3). */
static void read_number(hm_value *out, hm_str raw, bool as_text, hm_units *u, hm_arena *a) {
  hm_reader r = { .units = u, .a = a, .scratch = hm_units_scratch(u) };
  hm_number n;
  hm_value_init(out, raw);
  if (!as_text && hm_number_parse(&n, raw, r.scratch)) hm_value_set_number(out, &n, &r);
  else hm_value_parse_text(out, raw, as_text, u, a);
}

hm_str hm_value_parse_id(hm_str text) {
  enum { LONGEST = 64 };
  hm_str s = hm_str_trim(text);
  bool letter = false;
  if (s.n > 1 && s.p[s.n - 1] == '.') s.n--;
  bool said = hm_str_starts(s, "entity:");
  if (said) s = hm_str_sub(s, sizeof "entity:" - 1, s.n);
  if (!s.n || s.n > LONGEST) return HM_EMPTY;
  for (size_t i = 0; i < s.n; i++) {
    letter = letter || hm_is_letter(s.p[i]);
    if (!hm_is_letter(s.p[i]) && !hm_is_digit(s.p[i]) && (!s.p[i] || !strchr("._:/-", s.p[i])))
      return HM_EMPTY;
  }
  return said || letter ? s : HM_EMPTY;
}

bool hm_value_may_be_id(const hm_value *v) {
  return v->kind == HM_V_TEXT || v->kind == HM_V_BOOL || v->kind == HM_V_RANGE ||
      (v->kind != HM_V_NONE && v->raw.n && hm_is_letter(v->raw.p[0]));
}

void hm_value_parse(hm_value *out, hm_str raw, bool as_text, const hm_value_reading *by,
                    hm_units *u, hm_arena *a) {
  hm_value_init(out, raw);
  out->silent = hm_value_is_silence(raw, by ? by->rules : NULL, hm_units_scratch(u));
  if (out->silent) return;
  read_text(out, raw, as_text, by, u, a);
  hm_str id = by && by->name_of && hm_value_may_be_id(out) ? hm_value_parse_id(raw) : HM_EMPTY;
  hm_str name = id.n ? by->name_of(by->ctx, id) : HM_EMPTY;
  hm_value named;
  if (!name.n) return;
  hm_value_parse_text(&named, name, as_text, u, a);
  if (named.kind == HM_V_NONE) return;
  named.raw = raw;
  named.named = name;
  *out = named;
}

/* --- denials and parts -------------------------------------------------------------- */

#define DENIAL "not:"
enum { DENIAL_LEN = sizeof DENIAL - 1 };

void hm_value_deny(hm_value *v, hm_arena *a) {
  v->denied = true;
  v->raw = HM_CAT(a, HM_STR(DENIAL " "), v->raw);
  v->key = HM_CAT(a, HM_STR(DENIAL), v->key);
  v->norm = HM_CAT(a, HM_STR(DENIAL), v->norm);
}

hm_str hm_value_undenied_raw(const hm_value *v) {
  return v->denied ? hm_str_sub(v->raw, DENIAL_LEN + 1, v->raw.n) : v->raw;
}
hm_str hm_value_undenied_key(const hm_value *v) {
  return v->denied ? hm_str_sub(v->key, DENIAL_LEN, v->key.n) : v->key;
}

bool hm_value_is_numeric(const hm_value *v) {
  return v->kind == HM_V_NUMBER || v->kind == HM_V_QUANTITY;
}

/* Behind "number:" or "quantity:", up to the unit. */
static hm_str number_in(hm_str form) {
  const char *colon = memchr(form.p, ':', form.n);
  hm_str s = hm_str_sub(form, colon ? (size_t)(colon - form.p) + 1 : 0, form.n);
  const char *space = memchr(s.p, ' ', s.n);
  return space ? hm_str_sub(s, 0, (size_t)(space - s.p)) : s;
}

hm_str hm_value_number_text(const hm_value *v) { return number_in(v->norm); }
hm_str hm_value_base_text(const hm_value *v) { return number_in(v->key); }
hm_str hm_value_base(const hm_value *v) { return v->kind == HM_V_QUANTITY ? v->base : HM_STR("1"); }

bool hm_value_in_range(const hm_value *v, const hm_value *range) {
  if (range->kind != HM_V_RANGE || !range->base.n || !hm_value_is_numeric(v)) return false;
  if (v->denied || range->denied || !hm_str_eq(hm_value_base(v), range->base)) return false;
  return v->num >= range->num && v->num <= range->most;
}

hm_str hm_value_unit(const hm_value *v) {
  const char *space = v->kind == HM_V_QUANTITY ? memchr(v->norm.p, ' ', v->norm.n) : NULL;
  return space ? hm_str_sub(v->norm, (size_t)(space - v->norm.p) + 1, v->norm.n) : HM_EMPTY;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static int cmp_items(const void *x, const void *y) {
  const hm_value *a = x, *b = y;
  int d = hm_str_cmp(a->key, b->key);
  if (!d) d = hm_str_cmp(a->norm, b->norm);
  return d ? d : hm_str_cmp(a->raw, b->raw);
}

static void write_escaped(hm_buf *b, hm_str s, const char *special) {
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] && strchr(special, s.p[i])) hm_buf_ch(b, '\\');
    hm_buf_ch(b, s.p[i]);
  }
}

/* "set:[a,b]", "ordered:[b,a]", "object:{x=a,y=b}" of the keys or the norms of the parts. Only the
 * brackets of such values are bare. One inside another is written out up to a length and by its
 * digest beyond, so that depth does not multiply the text. */
hm_str hm_value_parts_form(const hm_value *v, hm_value_kind kind, bool key, hm_arena *a) {
  enum { INNER_MAX = 1024 };
  bool object = kind == HM_V_OBJECT;
  const char *special = object ? "\\,[]{}=" : "\\,[]";
  const hm_str *name = object ? hm_value_item_names(v) : NULL;
  hm_buf b = { 0 };
  hm_buf_c(&b, object ? "object:{" : kind == HM_V_LIST ? "ordered:[" : "set:[");
  for (const hm_value *item = v->items; item < v->items + v->n_items; item++) {
    hm_str form = key ? item->key : item->norm;
    if (item > v->items) hm_buf_ch(&b, ',');
    if (object) write_escaped(&b, *name++, special), hm_buf_ch(&b, '=');
    if (!hm_value_has_parts(item)) {
      write_escaped(&b, form, special);
      continue;
    }
    if (form.n > INNER_MAX) hm_buf_c(&b, "set:#"), form = hm_str_digest_hex(a, form, 64);
    hm_buf_str(&b, form);
  }
  hm_buf_ch(&b, object ? '}' : ']');
  return hm_buf_take(&b, a);
}

void hm_value_sort_items(hm_value *v) {
  size_t n = 1;
  qsort(v->items, v->n_items, sizeof *v->items, cmp_items);
  for (size_t i = 1; i < v->n_items; i++)
    if (!hm_str_eq(v->items[i].key, v->items[n - 1].key)) v->items[n++] = v->items[i];
  v->n_items = n;
}

static void set_parts(hm_value *v, hm_value_kind kind, hm_arena *a) {
  if (kind == HM_V_SET) hm_value_sort_items(v);
  hm_value_set_forms(v, kind, hm_value_parts_form(v, kind, false, a),
                     hm_value_parts_form(v, kind, true, a));
}

/* How a JSON value is read. */
typedef struct {
  bool as_text, ordered;
  const hm_value_reading *by;
  hm_units *u;
  hm_arena *a;
} json_reading;

static void read_json(hm_value *out, const hm_json *v, const json_reading *r);

/* In a set, order and repetition say nothing. */
static void read_array(hm_value *out, const hm_json *v, const json_reading *r) {
  bool silent = false;
  out->items = hm_alloc_array(r->a, v->count, sizeof *out->items);
  for (const hm_json *i = v->child; i; i = i->next) {
    hm_value *item = &out->items[out->n_items];
    read_json(item, i, r);
    if (item->kind != HM_V_NONE) out->n_items++;
    else silent = silent || item->silent;
  }
  out->silent = silent && !out->n_items;
  if (out->n_items) set_parts(out, r->ordered ? HM_V_LIST : HM_V_SET, r->a);
}

typedef struct { hm_str name, written; hm_value value; } member;

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
    for (j = i + 1; j < n && hm_str_eq(v[i].name, v[j].name);) j++;
    any = any || j > i + 1 || !v[i].name.n;
    for (size_t k = i; k < j && (j > i + 1 || !v[i].name.n); k++)
      v[k].name = hm_str_dup(a, v[k].written);
  }
  if (any) qsort(v, n, sizeof *v, by_name);
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
    of.as_text = r->as_text || hm_rules_is_text(rules, m->name);
    of.ordered = r->ordered || hm_rules_is_ordered(rules, m->name);
    read_json(&m->value, i, &of);
    if (m->value.kind != HM_V_NONE) n++;
    else silent = silent || m->value.silent;
  }
  out->silent = silent && !n;
  if (n) {
    name_members(members, n, r->a);
    out->items = hm_alloc(r->a, n * (sizeof *out->items + sizeof(hm_str)));
    out->n_items = n;
    hm_str *names = (hm_str *)(out->items + n);
    for (size_t i = 0; i < n; i++) out->items[i] = members[i].value, names[i] = members[i].name;
    set_parts(out, HM_V_OBJECT, r->a);
  }
  free(members);
}

const hm_str *hm_value_item_names(const hm_value *v) {
  return (const hm_str *)(v->items + v->n_items);
}

static void read_json(hm_value *out, const hm_json *v, const json_reading *r) {
  hm_value_init(out, HM_EMPTY);
  switch (v->type) {
    case HM_JSON_NULL: return;
    case HM_JSON_STRING: hm_value_parse(out, v->text, r->as_text, r->by, r->u, r->a); return;
    case HM_JSON_NUMBER: read_number(out, v->text, r->as_text, r->u, r->a); return;
    case HM_JSON_TRUE: hm_value_parse_text(out, HM_STR("true"), r->as_text, r->u, r->a); return;
    case HM_JSON_FALSE: hm_value_parse_text(out, HM_STR("false"), r->as_text, r->u, r->a); return;
    case HM_JSON_ARRAY: read_array(out, v, r); return;
    case HM_JSON_OBJECT: read_object(out, v, r); return;
  }
}

void hm_value_parse_json(hm_value *out, const hm_json *v, bool as_text, const hm_value_reading *by,
                         hm_units *u, hm_arena *a) {
  json_reading r = { as_text, by && by->ordered, by, u, a };
  read_json(out, v, &r);
  if (v->type == HM_JSON_ARRAY || v->type == HM_JSON_OBJECT) out->raw = hm_json_as_text(v, a);
}

/* --- units beside a value -------------------------------------------------------------- */

static bool join_unit(hm_value *v, hm_str unit, hm_units *u, hm_arena *a) {
  bool number = v->kind == HM_V_NUMBER;
  if (v->named.n || (!number && v->kind != HM_V_QUANTITY)) return false;
  hm_value both;
  hm_str amount = number ? hm_str_trim(v->raw) : HM_STR("1");
  hm_value_parse_text(&both, HM_CAT(a, amount, HM_STR(" "), unit), false, u, a);
  if (both.kind != HM_V_QUANTITY || !(number || hm_str_eq(both.base, v->base))) return false;
  if (number) *v = both;
  return true;
}

bool hm_value_add_unit(hm_value *v, hm_str unit, hm_units *u, hm_arena *a) {
  if (v->kind != HM_V_SET && v->kind != HM_V_LIST) return join_unit(v, unit, u, a);
  hm_value joined = *v;
  bool any = false;
  joined.items = hm_alloc_array(a, v->n_items, sizeof *joined.items);
  memcpy(joined.items, v->items, v->n_items * sizeof *joined.items);
  for (size_t i = 0; i < joined.n_items; i++) {
    any = any || joined.items[i].kind == HM_V_NUMBER;
    if (!join_unit(&joined.items[i], unit, u, a)) return false;
  }
  set_parts(&joined, v->kind, a);
  if (any) joined.raw = HM_CAT(a, v->raw, HM_STR(" "), unit);
  *v = joined;
  return true;
}
