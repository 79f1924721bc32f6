/* Values that are read by the other rows of their slot, where neither its name nor the type of the
 * row supports a reading (core/value/slot_reading.h):
 *
 *   a decimal      is a text (1.10 is not 1.1) where another claim of the slot is a release: a text
 *                  of digits and two points (1.10.2), or one that had a v (v1.10)
 *   "71A", "12C"   a text is a quantity where another claim of the slot has its dimension
 *   "1.234.567"    is a number in groups, and no release, where all others, two or more, are
 *                  whole numbers from 1000 on
 *   "NA", "Null"   are values and no silence where all others are names or codes
 *
 * and by one rule, if all others are of one kind (the table of kinds): "5m" is minutes beside
 * times, 0.8 is 80 % beside per cents, "FY26" a year beside years, 1.10 a code beside codes.
 *
 * This depends on the claims of one slot only, not on which other slots are read. Cost: one pass
 * over the claims; two more, of a binary search each, if some slot has such a value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/claim/claim.h"
#include "core/value/value.h"

typedef enum {
  RELEASE,
  GROUPS,
  GLUED,
  SILENT,
  /* of the table of kinds, in its order */
  TIMES,
  SHARES,
  DEGREES,
  SIZES,
  DAYS,
  YEARS,
  CODES,
  N_ASKED
} asked;
enum { N_KINDS = N_ASKED - TIMES };

/* A value by which others are read (a release), or that is read by others. at: in the claims, or
 * in the silences. */
typedef struct {
  uint64_t hash;
  size_t at;
  asked what;
} asking;

enum { BASES = 4 };

/* What the claims of a slot are. */
typedef struct {
  const asking *v;
  size_t n;      /* of one slot */
  size_t claims; /* all but those that deny */
  size_t names, coded, numbers, wholes, kinds[N_KINDS];
  bool release;
  hm_str bases[BASES]; /* of quantities */
} evidence;

typedef struct {
  hm_claims *claims;
  asking *v;
  size_t n, cap;
  evidence *slots;
  size_t n_slots;
  hm_units *units;
  hm_arena *a;
} reading;

/* --- who asks ----------------------------------------------------------------------------- */

/* "1.10.2", "1.10" (a text of digits and a point had a v before it), "1.10-rc1". */
static bool is_release(hm_str text) {
  size_t i = 0, points = 0;
  for (; i < text.n && (hm_is_digit(text.p[i]) || text.p[i] == '.'); i++)
    points += text.p[i] == '.';
  return points && hm_is_digit(text.p[i - 1]) && (i == text.n || points > 1 || text.p[i] == '-');
}

/* "1.234.567": two groups of three or more. */
static bool is_grouped(hm_str text) {
  size_t first = 0, i;
  while (first < text.n && hm_is_digit(text.p[first]))
    first++;
  if (!first || first > 3 || text.p[0] == '0' || text.n < first + 8 || (text.n - first) % 4)
    return false;
  for (i = first; i < text.n; i++)
    if ((i - first) % 4 ? !hm_is_digit(text.p[i]) : text.p[i] != '.')
      return false;
  return true;
}

/* By which unit the letter behind the digits may be meant. */
static const struct {
  char letter;
  const char *unit;
} letters[] = {
  { 'A', "A" },    { 'B', "B" }, { 'b', "b" }, { 'C', "degC" }, { 'C', "C" },
  { 'F', "degF" }, { 'F', "F" }, { 'H', "H" }, { 'J', "J" },    { 'K', "K" },
};

/* "71A". */
static bool is_glued(hm_str raw) {
  size_t i = 0;
  while (i < raw.n && hm_is_digit(raw.p[i]))
    i++;
  if (!i || i + 1 != raw.n)
    return false;
  for (size_t k = 0; k < HM_COUNT(letters); k++)
    if (letters[k].letter == raw.p[i])
      return true;
  return false;
}

/* --- kinds of values ------------------------------------------------------------------------ */

static bool ends_in_letter_of(hm_str raw, const char *letters_of) {
  return raw.n > 1 && hm_is_digit(raw.p[0]) && strchr(letters_of, raw.p[raw.n - 1]);
}

static bool is_time(const hm_value *v) {
  return v->kind == HM_V_QUANTITY && hm_str_is(v->base, "s");
}

static bool may_be_minutes(const hm_value *v, hm_str raw) {
  return v->kind == HM_V_QUANTITY && hm_str_is(v->base, "m") && hm_str_ends(v->norm, " m") &&
      raw.n > 1 && hm_is_digit(raw.p[raw.n - 2]);
}

static bool is_share(const hm_value *v) {
  return v->kind == HM_V_QUANTITY && hm_str_ends(v->norm, " %");
}

static bool may_be_share(const hm_value *v, hm_str raw) {
  return v->kind == HM_V_NUMBER && v->num > 0 && v->num < 1 && memchr(raw.p, '.', raw.n);
}

static bool is_degrees(const hm_value *v) {
  return v->kind == HM_V_QUANTITY && hm_str_is(v->base, "K");
}

static bool may_be_degrees(const hm_value *v, hm_str raw) {
  (void)v;
  return ends_in_letter_of(raw, "CF");
}

static bool is_size(const hm_value *v) {
  return v->kind == HM_V_QUANTITY && hm_str_is(v->base, "B");
}

static bool may_be_size(const hm_value *v, hm_str raw) {
  (void)v;
  return ends_in_letter_of(raw, "KMGTkm");
}

static bool is_day(const hm_value *v) { return v->kind == HM_V_DATE; }

static bool may_be_day(const hm_value *v, hm_str raw) {
  enum { DAY = sizeof "20260305" - 1 };
  return v->kind == HM_V_NUMBER && raw.n == DAY && hm_skip_digits(raw, 0) == DAY;
}

static bool is_year(const hm_value *v) {
  return v->kind == HM_V_NUMBER && v->num >= 1000 && v->num < 2200 && v->num == floor(v->num);
}

static bool may_be_year(const hm_value *v, hm_str raw) {
  return v->kind == HM_V_TEXT && raw.n <= sizeof "FY 2026" && raw.p[0] && strchr("Ff", raw.p[0]) &&
      hm_is_digit(raw.p[raw.n - 1]);
}

/* "C301", "E7": one to three letters and digits. */
static bool is_code(const hm_value *v) {
  enum { LETTERS = 3, LONGEST = 8 };
  hm_str raw = hm_str_trim(v->raw);
  size_t letters_before = 0;
  while (letters_before < raw.n && hm_is_upper(raw.p[letters_before]))
    letters_before++;
  return v->kind == HM_V_TEXT && letters_before && letters_before <= LETTERS &&
      letters_before < raw.n && raw.n <= LONGEST && hm_skip_digits(raw, letters_before) == raw.n;
}

static bool may_be_code(const hm_value *v, hm_str raw) {
  return v->kind == HM_V_NUMBER && raw.n > 1 &&
      (raw.p[0] == '0' || memchr(raw.p, 'e', raw.n) || memchr(raw.p, 'E', raw.n) ||
       raw.p[raw.n - 1] == '0');
}

/* least: so many others. */
static const struct {
  bool (*is)(const hm_value *v);
  bool (*asks)(const hm_value *v, hm_str raw);
  hm_reading reading;
  size_t least;
} kinds[N_KINDS] = {
  { is_time, may_be_minutes, HM_READ_DURATION, 1 },
  { is_share, may_be_share, HM_READ_SHARE, 2 },
  { is_degrees, may_be_degrees, HM_READ_TEMPERATURE, 2 },
  { is_size, may_be_size, HM_READ_BYTES, 2 },
  { is_day, may_be_day, HM_READ_DATE, 2 },
  { is_year, may_be_year, HM_READ_YEAR, 2 },
  { is_code, may_be_code, HM_READ_TEXT, 2 },
};

static void add(reading *r, uint64_t hash, size_t at, asked what) {
  r->v = hm_array_grow(r->v, r->n, &r->cap, sizeof *r->v);
  r->v[r->n++] = (asking){ hash, at, what };
}

static bool asks_alone(const hm_value *v, hm_str raw, asked *what) {
  enum { PREFIX = sizeof "text:" - 1 };
  if (v->kind != HM_V_TEXT || v->norm.n <= PREFIX || !hm_is_digit(v->norm.p[PREFIX]))
    return false;
  hm_str text = hm_str_sub(v->norm, PREFIX, v->norm.n);
  bool version = v->supports & (HM_READ_TEXT | HM_READ_VERSION);
  *what = is_release(text) ? !version && is_grouped(text) ? GROUPS : RELEASE : GLUED;
  return *what != GLUED || is_glued(raw);
}

static void find_asking(reading *r) {
  enum { LONGEST = 12 };
  const hm_claims *c = r->claims;
  asked what;
  for (size_t i = 0; i < c->n; i++) {
    const hm_claim *x = &c->claims[i];
    const hm_value *v = &x->value;
    hm_str raw = hm_str_trim(v->raw);
    if (v->denied || v->named.n || x->space.n)
      continue;
    if (asks_alone(v, raw, &what))
      add(r, x->hash, i, what);
    bool short_one = raw.n && raw.n <= LONGEST && !v->supports && hm_text_has_digit(raw);
    for (size_t k = 0; k < N_KINDS && short_one; k++)
      if (kinds[k].asks(v, raw))
        add(r, x->hash, i, (asked)(TIMES + k));
  }
  for (size_t i = 0; i < c->n_silences; i++)
    if (hm_value_silence_may_be_name(c->silences[i].value.raw) && !c->silences[i].space.n)
      add(r, c->silences[i].hash, i, SILENT);
}

/* --- the evidence of a slot ---------------------------------------------------------------- */

static const hm_claim *claim_of(const reading *r, const asking *x) {
  return x->what == SILENT ? &r->claims->silences[x->at] : &r->claims->claims[x->at];
}

static int by_slot(const void *x, const void *y, void *ctx) {
  const asking *a = x, *b = y;
  const hm_claim *p = claim_of(ctx, a), *q = claim_of(ctx, b);
  if (a->hash != b->hash)
    return a->hash < b->hash ? -1 : 1;
  if (p->project != q->project)
    return p->project < q->project ? -1 : 1;
  int d = hm_str_cmp(p->name, q->name);
  if (!d)
    d = (a->what > b->what) - (a->what < b->what);
  return d ? d : (a->at > b->at) - (a->at < b->at);
}

static void cut_slots(reading *r) {
  qsort_r(r->v, r->n, sizeof *r->v, by_slot, r);
  r->slots = hm_alloc_array(r->a, r->n, sizeof *r->slots);
  for (size_t i = 0, j; i < r->n; i = j) {
    const hm_claim *first = claim_of(r, &r->v[i]);
    for (j = i + 1; j < r->n && hm_claims_share_slot(first, claim_of(r, &r->v[j]));)
      j++;
    r->slots[r->n_slots++] = (evidence){ .v = r->v + i, .n = j - i };
  }
}

static int by_hash(const void *key, const void *row) {
  uint64_t hash = *(const uint64_t *)key, other = ((const evidence *)row)->v->hash;
  return (hash > other) - (hash < other);
}

static evidence *slot_of(const reading *r, const hm_claim *c) {
  evidence *end = r->slots + r->n_slots;
  evidence *e = bsearch(&c->hash, r->slots, r->n_slots, sizeof *r->slots, by_hash);
  while (e && e > r->slots && e[-1].v->hash == c->hash)
    e--;
  while (e && e < end && e->v->hash == c->hash && !hm_claims_share_slot(claim_of(r, e->v), c))
    e++;
  return e && e < end && e->v->hash == c->hash ? e : NULL;
}

/* A few words, and no sentence. */
static bool is_name(const hm_value *v) {
  enum { WORDS_MAX = 3 };
  size_t words = 1;
  for (size_t i = 0; i < v->norm.n && words <= WORDS_MAX; i++)
    words += v->norm.p[i] == ' ';
  return v->kind == HM_V_TEXT && words <= WORDS_MAX;
}

static void note_base(evidence *e, hm_str base) {
  for (size_t i = 0; i < BASES && !hm_str_eq(e->bases[i], base); i++)
    if (!e->bases[i].n) {
      e->bases[i] = base;
      return;
    }
}

static void gather(reading *r) {
  for (size_t i = 0; i < r->claims->n; i++) {
    const hm_claim *c = &r->claims->claims[i];
    const hm_value *v = &c->value;
    evidence *e = c->space.n || v->denied ? NULL : slot_of(r, c);
    if (!e)
      continue;
    e->claims++;
    e->names += is_name(v);
    e->coded += is_name(v) && hm_text_has_digit(v->norm);
    e->numbers += v->kind == HM_V_NUMBER;
    e->wholes += v->kind == HM_V_NUMBER && fabs(v->num) >= 1000 && v->num == floor(v->num);
    for (size_t k = 0; k < N_KINDS; k++)
      e->kinds[k] += kinds[k].is(v);
    if (v->kind == HM_V_QUANTITY)
      note_base(e, v->base);
  }
}

/* --- what is read ---------------------------------------------------------------------------- */

static void read_as(reading *r, hm_value *v, hm_reading supports) {
  hm_str raw = v->raw;
  hm_value_parse_text(v, raw, supports, r->units, r->a);
}

/* "71A" as a quantity of one of the bases. */
static void read_glued(reading *r, const evidence *e, hm_value *v) {
  hm_str raw = hm_str_trim(v->raw), digits = hm_str_sub(raw, 0, raw.n - 1);
  for (size_t k = 0; k < HM_COUNT(letters); k++) {
    hm_value q;
    if (letters[k].letter != raw.p[raw.n - 1])
      continue;
    hm_str text = HM_CAT(r->a, digits, HM_STR(" "), hm_str_c(letters[k].unit));
    hm_value_parse_text(&q, text, v->supports, r->units, r->a);
    for (size_t i = 0; i < BASES; i++) {
      if (q.kind != HM_V_QUANTITY || !hm_str_eq(q.base, e->bases[i]))
        continue;
      q.raw = v->raw;
      *v = q;
      return;
    }
  }
}

/* "1.234.567" without its points. */
static void read_grouped(reading *r, hm_value *v) {
  hm_str raw = v->raw, s = hm_str_trim(raw);
  char *p = hm_alloc(r->a, s.n);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] != '.')
      p[n++] = s.p[i];
  hm_value_parse_text(v, (hm_str){ p, n }, v->supports, r->units, r->a);
  v->raw = raw;
}

/* Returns how many silences are values. */
static size_t read_slot(reading *r, evidence *e) {
  hm_claims *c = r->claims;
  size_t askers[N_KINDS] = { 0 }, grouped = 0, silent = 0;
  for (size_t i = 0; i < e->n; i++) {
    grouped += e->v[i].what == GROUPS;
    if (e->v[i].what >= TIMES)
      askers[e->v[i].what - TIMES]++;
  }
  bool numbers = e->wholes > 1 && e->wholes + grouped == e->claims;
  for (size_t i = 0; i < e->n; i++) {
    const asking *x = &e->v[i];
    e->release = e->release || x->what == RELEASE || (x->what == GROUPS && !numbers);
    if (x->what == GROUPS && numbers)
      read_grouped(r, &c->claims[x->at].value);
    if (x->what == GLUED)
      read_glued(r, e, &c->claims[x->at].value);
    size_t k = x->what >= TIMES ? x->what - TIMES : N_KINDS;
    size_t like = k == CODES - TIMES ? e->numbers : k < N_KINDS ? askers[k] : 0;
    if (k < N_KINDS && e->kinds[k] >= kinds[k].least && e->kinds[k] + like == e->claims) {
      hm_value *v = &c->claims[x->at].value;
      if (x->what == CODES)
        e->release = true; /* all numbers of the slot are texts */
      else
        read_as(r, v, v->supports | kinds[k].reading);
    }
    if (x->what != SILENT || !e->names || e->names != e->claims)
      continue;
    hm_value *v = &c->silences[x->at].value;
    if (e->coded && memchr(v->raw.p, ' ', v->raw.n))
      continue; /* "not available" is no code, and may be a name */
    read_as(r, v, v->supports | HM_READ_TEXT);
    silent += v->kind != HM_V_NONE;
  }
  return silent;
}

/* Decimals beside a release. */
static void read_decimals(reading *r) {
  for (size_t i = 0; i < r->claims->n; i++) {
    hm_claim *c = &r->claims->claims[i];
    bool decimal = c->value.kind == HM_V_NUMBER && !c->value.denied;
    const evidence *e = decimal ? slot_of(r, c) : NULL;
    if (e && e->release)
      read_as(r, &c->value, c->value.supports | HM_READ_TEXT);
  }
}

/* Puts the silences that are values behind the claims of their rows. */
static void move_silences(hm_claims *c, size_t n) {
  hm_claim *all = hm_xmalloc((c->n + n + c->n_context) * sizeof *all);
  size_t at = 0, left = 0, k = 0;
  for (size_t i = 0; i < c->n_silences; i++) {
    hm_claim x = c->silences[i];
    if (x.value.kind == HM_V_NONE) {
      c->silences[left++] = x;
      continue;
    }
    while (k < c->n && c->claims[k].row <= x.row)
      all[at++] = c->claims[k++];
    all[at++] = x;
    c->speaks[x.row] = 1;
  }
  memcpy(all + at, c->claims + k, (c->n - k + c->n_context) * sizeof *all);
  free(c->claims);
  c->claims = all;
  c->n += n;
  c->n_silences = left;
}

void hm_claims_reread_values(hm_claims *c, hm_arena *a) {
  reading r = { .claims = c, .a = a };
  size_t silent = 0;
  bool release = false;
  find_asking(&r);
  if (!r.n)
    return;
  r.units = hm_units_new();
  cut_slots(&r);
  gather(&r);
  for (size_t i = 0; i < r.n_slots; i++) {
    silent += read_slot(&r, &r.slots[i]);
    release = release || r.slots[i].release;
  }
  if (release)
    read_decimals(&r);
  if (silent)
    move_silences(c, silent);
  hm_units_free(r.units);
  free(r.v);
}
