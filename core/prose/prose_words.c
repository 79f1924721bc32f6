/* Splits a text into words: the begin of each, its lower case, the sign after it; makes folded
 * names of them; and finds the ends of dates and times of day: "2026-05-01", "March 12th 2026",
 * "week 34", "6:30 pm", "noon".
 *
 * Cost: one pass over the text; a word is looked up once. Marks of Markdown (**, `) and quotes are
 * no part of a word; words in parentheses or quotes are marked as aside. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/camel.h"
#include "core/base/text.h"
#include "core/prose/prose_words.h"

/* Bytes of a curly quote at p: 0 when there is none; *as is the plain one. */
static size_t curly_quote_bytes(const char *p, size_t n, char *as) {
  if (n < 3 || p[0] != '\xe2' || p[1] != '\x80')
    return 0;
  if (p[2] == '\x98' || p[2] == '\x99')
    return *as = '\'', 3;
  if (p[2] == '\x9c' || p[2] == '\x9d')
    return *as = '"', 3;
  return 0;
}
/* A dash that stands for itself: -, --, en and em dash. */
static bool is_dash(hm_str s) {
  if (s.n > 3 || hm_is_alnum(s.p[0]))
    return false;
  return prose_word_in(s, "-|*|\xe2\x80\xa2|--|\xe2\x80\x93|\xe2\x80\x94|->|\xe2\x86\x92");
}

/* Signs before a word: 1 when it opens parentheses, 2 when it opens a quote, 4 code. */
static int strip_front(hm_str *s) {
  int opened = 0;
  while (s->n) {
    char c = s->p[0], as = 0;
    if (hm_is_alnum(c))
      break;
    size_t n = curly_quote_bytes(s->p, s->n, &as);
    if (n)
      c = as;
    if (c == '(' || c == '[')
      opened |= 1;
    else if (c == '"' || (c == '\'' && s->n > 1))
      opened |= 2;
    else if (c == '`')
      opened |= 4;
    else if (!(c == '*' && s->n > 1))
      break;
    *s = hm_str_sub(*s, n ? n : 1, s->n);
  }
  return opened;
}

/* Signs behind a word: *stop is the one that ends a clause. 1: closes parentheses, 2: a quote. */
static int strip_back(hm_str *s, char *stop) {
  int closed = 0;
  while (s->n) {
    char c = s->p[s->n - 1], as = 0;
    if (hm_is_alnum(c))
      break;
    size_t n = s->n >= 3 ? curly_quote_bytes(s->p + s->n - 3, 3, &as) : 0;
    if (n)
      c = as;
    if (c == ')' || c == ']')
      closed |= 1;
    else if (c == '"' || c == '\'')
      closed |= 2;
    else if (c && strchr(",;:.!?", c))
      *stop = c == '.' && *stop && *stop != '.' ? *stop : c;
    else if (c != '`' && !(c == '*' && s->n > 1))
      break;
    *s = hm_str_sub(*s, 0, s->n - (n ? n : 1));
  }
  return closed;
}

/* Lower case of a word, with plain apostrophes. */
static hm_str lower_word(hm_str s, char *to) {
  size_t n = 0;
  for (size_t i = 0; i < s.n;) {
    char as = 0;
    size_t k = curly_quote_bytes(s.p + i, s.n - i, &as);
    to[n++] = k ? as : hm_ascii_lower(s.p[i]);
    i += k ? k : 1;
  }
  return (hm_str){ to, n };
}

/* "log_retention" of the key "logRetention"; any other word is empty. */
static hm_str lower_key(const prose *p, hm_str s) {
  hm_str split = hm_text_split_camel(p->a, s);
  size_t i = 0;
  while (i < s.n && (hm_is_alnum(s.p[i]) || s.p[i] == '_'))
    i++;
  if (split.n == s.n || i < s.n)
    return HM_EMPTY;
  return lower_word(split, hm_alloc(p->a, split.n));
}

static void classify(const prose *p, prose_word *t) {
  size_t back = hm_str_ends(t->low, "'s") ? 2 : hm_str_ends(t->low, "s'") ? 1 : 0;
  const prose_entry *e = prose_find_word(p->f, t->low);
  if (back && !e) {
    t->owns = true;
    t->low.n -= back;
    t->s.n -= back == 2 && (unsigned char)t->s.p[t->s.n - 2] >= 0x80 ? 4 : back;
    if (back == 1)
      t->low.n++, t->s.n++;
    e = prose_find_word(p->f, t->low);
  }
  t->first = t->low.n ? t->low.p[0] : 0;
  if (e)
    t->cls = e->cls, t->number = e->number;
  char first = t->s.n ? t->s.p[0] : 0;
  t->capital = hm_is_upper(first) || (unsigned char)first >= 0xc3;
  for (size_t i = 1; i < t->s.n && !t->upper; i++)
    t->upper = hm_is_upper(t->s.p[i]);
  size_t d = first == '$' || first == '~' || first == '+' || first == '-' || first == '<' ? 1 : 0;
  if ((unsigned char)first == 0xe2 || (unsigned char)first == 0xc2)
    d = first == '\xe2' ? 3 : 2;
  t->digit = d < t->s.n && hm_is_digit(t->s.p[d]);
  /* "I" is a word; "US", "IT" and "May" are names that look like one */
  if (t->s.n > 1 && t->capital && t->upper)
    t->cls &= ~(C_PRONOUN | C_FOREIGN);
}

static size_t count_words(hm_str text) {
  size_t n = 0;
  for (size_t i = 0; i < text.n; i++)
    n += !hm_is_space(text.p[i]) && (!i || hm_is_space(text.p[i - 1]));
  return n;
}

/* "K", "J.R" */
static bool is_initial(const prose_word *t) {
  for (size_t i = 0; i < t->s.n; i++)
    if (i % 2 ? t->s.p[i] != '.' : !hm_is_upper(t->s.p[i]))
      return false;
  return t->s.n % 2 == 1 && t->s.n < 6;
}

/* "Ursula K. Le Guin", "owned by D. Reyes": the full stop behind an initial ends nothing. */
static void join_initials(prose *p) {
  for (size_t i = 1; i + 1 < p->n; i++) {
    prose_word *t = &p->t[i], *next = t + 1;
    if (t->stop == '.' && is_initial(t) && !t[-1].stop &&
        (t[-1].capital || (t[-1].cls & (C_PREP | C_BE))) && next->capital && !next->line &&
        !(next->cls & ~(uint64_t)C_FOREIGN))
      t->stop = 0;
  }
}

/* "Log retention | 90 days", a row of two cells, is read as a label and its value. */
static bool has_two_cells(hm_str text) {
  ptrdiff_t at = hm_str_find(text, " | ");
  return at > 0 && !memchr(text.p, '\n', text.n) && !memchr(text.p, '|', (size_t)at) &&
      !memchr(text.p + at + 3, '|', text.n - (size_t)at - 3);
}

void prose_split_words(prose *p) {
  p->t = hm_alloc_array(p->a, count_words(p->text) + 1, sizeof *p->t);
  char *buffer = hm_alloc(p->a, p->text.n + 1);
  bool aside = false, quoted = false, line = true, cells = has_two_cells(p->text);
  for (size_t i = 0; i < p->text.n;) {
    if (hm_is_space(p->text.p[i])) {
      if (p->text.p[i] == '\n') {
        line = true;
        if (p->n)
          p->t[p->n - 1].stop = p->t[p->n - 1].stop == ':' ? ':' : '\n';
      }
      i++;
      continue;
    }
    size_t from = i;
    while (i < p->text.n && !hm_is_space(p->text.p[i]))
      i++;
    hm_str s = hm_str_sub(p->text, from, i);
    if (is_dash(s)) {
      bool arrow = prose_word_in(s, "->|\xe2\x86\x92");
      if (p->n && !line && !p->t[p->n - 1].stop)
        p->t[p->n - 1].stop = arrow ? '>' : '-';
      continue;
    }
    if (cells && p->n && hm_str_is(s, "|")) {
      p->t[p->n - 1].stop = ':';
      continue;
    }
    prose_word *t = &p->t[p->n];
    *t = (prose_word){ .line = line };
    int opened = strip_front(&s), closed = strip_back(&s, &t->stop);
    if (opened & 1)
      aside = true;
    if (opened & 2)
      quoted = true;
    t->aside = aside || quoted;
    t->code = opened & 4;
    if (closed & 1)
      aside = false;
    if (closed & 2)
      quoted = false;
    if (!s.n) {
      if (p->n && t->stop)
        p->t[p->n - 1].stop = t->stop;
      continue;
    }
    t->s = s;
    t->low = lower_key(p, s);
    if (!t->low.n) {
      t->low = lower_word(s, buffer);
      buffer += t->low.n;
    }
    classify(p, t);
    static const char titles[] = "dipl|dr|ing|mag|mr|mrs|ms|prof";
    bool title = t->capital && prose_word_in(t->low, titles);
    if (t->stop == '.' && (title || hm_str_is(t->s, "v"))) /* "Brandt v. Holm" */
      t->stop = 0;
    p->n++;
    line = false;
  }
  join_initials(p);
}

size_t prose_phrase_words(const prose *p, size_t i, size_t end, const char *z) {
  size_t from = i;
  for (;;) {
    if (i >= end)
      return 0;
    hm_str low = p->t[i].low;
    size_t n = 0;
    while (n < low.n && z[n] == low.p[n] && z[n] && z[n] != '|')
      n++;
    if (n < low.n || (z[n] && z[n] != ' ' && z[n] != '|'))
      return 0;
    i++;
    if (z[n] != ' ')
      return i - from;
    if (p->t[i - 1].stop && p->t[i - 1].stop != '.')
      return 0;
    z += n + 1;
  }
}

size_t prose_one_of(const prose *p, size_t i, size_t end, const char *phrases) {
  if (i >= end || !p->t[i].first)
    return 0;
  for (const char *z = phrases; (z = strchr(z, p->t[i].first)); z++) {
    size_t n = z == phrases || z[-1] == '|' ? prose_phrase_words(p, i, end, z) : 0;
    if (n)
      return n;
  }
  return 0;
}

bool prose_word_in(hm_str word, const char *words) {
  for (const char *z = words; *z; z += *z == '|') {
    size_t n = strcspn(z, "|");
    if (n == word.n && memcmp(z, word.p, n) == 0)
      return true;
    z += n;
  }
  return false;
}

bool prose_ends_in(hm_str word, const char *endings) {
  for (const char *z = endings; *z; z += *z == '|') {
    size_t n = strcspn(z, "|");
    if (word.n >= n && memcmp(z, word.p + word.n - n, n) == 0)
      return true;
    z += n;
  }
  return false;
}

bool prose_name_ends(const prose_name *name, const char *words) {
  return name->n && prose_word_in(name->w[name->n - 1], words);
}

bool prose_is_rule_line(const prose_word *t) {
  for (size_t i = 0; i < t->s.n; i++)
    if (hm_is_alnum(t->s.p[i]) || (t->s.p[i] & 0x80))
      return false;
  return true;
}

hm_str prose_span(const prose *p, size_t i, size_t j) {
  if (i >= j)
    return HM_EMPTY;
  const char *from = p->t[i].s.p, *to = p->t[j - 1].s.p + p->t[j - 1].s.n;
  return (hm_str){ from, (size_t)(to - from) };
}

bool prose_is_foreign(const prose *p, size_t i, size_t j) {
  size_t foreign = 0, english = 0, letters = 0, bytes = 0;
  for (; i < j; i++) {
    bool listed =
        p->t[i].stop == ',' || (i && (p->t[i - 1].stop == ',' || p->t[i - 1].stop == ':'));
    bool name = i &&
        ((p->t[i].capital && !p->t[i].line) ||
         (p->t[i].low.n <= 3 && p->t[i - 1].capital && i + 1 < j && p->t[i + 1].capital && i > 1));
    if (p->t[i].cls & C_FOREIGN)
      foreign += !listed && !name;
    else if (p->t[i].cls & C_ENGLISH)
      english++;
    for (size_t k = 0; k < p->t[i].s.n; k++)
      letters += (unsigned char)p->t[i].s.p[k] >= 0xc3;
    bytes += p->t[i].s.n;
  }
  if (letters * 5 > bytes)
    return true; /* another script */
  return foreign > english || (foreign && foreign == english && letters);
}

/* --- names ----------------------------------------------------------------------------- */

void prose_add_word(prose_name *to, hm_str word) {
  if (to->n < NAME_WORDS && word.n)
    to->w[to->n++] = word;
}

void prose_add_name(prose_name *to, const prose_name *from) {
  for (size_t k = 0; k < from->n; k++)
    prose_add_word(to, from->w[k]);
}

void prose_add_words(prose_name *to, const char *z) {
  while (*z) {
    size_t n = strcspn(z, "_");
    prose_add_word(to, (hm_str){ z, n });
    z += n + (z[n] == '_');
  }
}

hm_str prose_fold_name(prose *p, const prose_name *name) {
  size_t n = 0;
  for (size_t i = 0; i < name->n; i++)
    n += name->w[i].n + 1;
  if (!n)
    return HM_EMPTY;
  char *z = hm_alloc(p->a, n + 1), *at = z;
  for (size_t i = 0; i < name->n; i++) {
    if (i)
      *at++ = '_';
    memcpy(at, name->w[i].p, name->w[i].n);
    at += name->w[i].n;
  }
  return hm_text_refold_name(p->a, (hm_str){ z, (size_t)(at - z) });
}

void prose_items_add(prose *p, prose_items *items, hm_str item) {
  hm_str before = items->n++ ? HM_STR(",\"") : HM_STR("[\"");
  items->json = HM_CAT(p->a, items->json, before, item, HM_STR("\""));
}

hm_str prose_items_array(prose *p, const prose_items *items) {
  return HM_CAT(p->a, items->json, HM_STR("]"));
}

hm_str prose_items_reading(prose *p, const prose_items *items) {
  if (items->n > 1)
    return prose_items_array(p, items);
  return hm_str_sub(items->json, 2, items->json.n - 1);
}

bool prose_is_plural(const prose_word *t) {
  return hm_str_ends(t->low, "s") && !prose_ends_in(t->low, "ss|us|is") && !t->upper;
}

hm_str prose_singular(prose *p, const prose_word *t) {
  static const char single[] =
      "alias|analytics|atlas|bias|canvas|devops|lens|news|ops|optics|physics|sales|series|"
      "species";
  hm_str w = t->low;
  if (prose_word_in(w, "cookies|movies"))
    return hm_str_sub(w, 0, w.n - 1);
  if (hm_str_is(w, "lenses"))
    return hm_str_sub(w, 0, w.n - 2);
  if (prose_is_value_word(p->f, w))
    return w;
  /* "JWTs", "PRs" */
  if (w.n > 2 && t->s.n == w.n && t->s.p[w.n - 1] == 's' && hm_is_upper(t->s.p[w.n - 2]) &&
      hm_is_upper(t->s.p[0]))
    return hm_str_sub(w, 0, w.n - 1);
  if (w.n < 4 || w.p[w.n - 1] != 's' || t->upper)
    return w;
  if (prose_ends_in(w, "ss|us|is|ws|ns|js|os") &&
      !prose_ends_in(w, "ions|kens|ains|ens|uns|ows|ews|igns|ins"))
    return w;
  if (prose_word_in(w, single) || prose_ends_in(w, "onics|otics|istics"))
    return w;
  if (hm_str_ends(w, "ies") && w.n > 4)
    return HM_CAT(p->a, hm_str_sub(w, 0, w.n - 3), HM_STR("y"));
  if (prose_ends_in(w, "ches|shes|xes|sses")) {
    if (!hm_str_is(w, "caches"))
      return hm_str_sub(w, 0, w.n - 2);
  }
  return hm_str_sub(w, 0, w.n - 1);
}

hm_str prose_stem(prose *p, const prose_word *t) {
  static const char with_e[] = "rg|dg|rc|nc|iz|at|rv|ev|us|os|lv|ov|ang|iv|ug|ar|ut|lud|cl|let";
  hm_str w = t->low;
  if (w.n < 6 || !hm_str_ends(w, "ing"))
    return prose_singular(p, t);
  w = hm_str_sub(w, 0, w.n - 3);
  char last = w.p[w.n - 1];
  if (last == w.p[w.n - 2] && last != 's' && last != 'l')
    return hm_str_sub(w, 0, w.n - 1);
  return prose_ends_in(w, with_e) ? HM_CAT(p->a, w, HM_STR("e")) : w;
}

/* --- dates and times of day ------------------------------------------------------------------- */

/* week 34, W34, CW 34, Q3 2027 */
static bool is_part_of_year(const prose *p, size_t i, size_t end, size_t *to) {
  hm_str s = p->t[i].low;
  size_t n = 1;
  bool week = prose_one_of(p, i, end, "week|cw");
  if (week && i + 1 < end && p->t[i + 1].digit && p->t[i + 1].s.n <= 2 && !p->t[i].stop)
    return *to = i + 2, true;
  if (!p->t[i].capital || s.n < 2 || s.n > 3 || (s.p[0] != 'w' && s.p[0] != 'q'))
    return false;
  while (n < s.n && hm_is_digit(s.p[n]))
    n++;
  if (n < s.n || (s.p[0] == 'q' && s.n != 2))
    return false;
  *to = i + 1;
  if (*to < end && !p->t[i].stop && p->t[*to].digit && p->t[*to].s.n == 4)
    ++*to;
  return true;
}

/* 2026-05-01, 12 March, March 12th 2026, July 22nd, 14-16 September, week 34 */
bool prose_is_date(const prose *p, size_t i, size_t end, size_t *to) {
  if (i >= end)
    return false;
  hm_str s = p->t[i].s;
  bool iso = s.n >= 7 && s.n <= 20;
  for (size_t k = 0; iso && k < 7; k++)
    iso = k == 4 ? s.p[k] == '-' : hm_is_digit(s.p[k]);
  if (iso)
    return *to = i + 1, s.n == 7 || s.p[7] == '-';
  bool month = prose_has(p, i, end, C_DAY) && (p->t[i].capital);
  if (month && i + 1 < end && p->t[i + 1].digit && p->t[i + 1].s.n <= 4 && !p->t[i].stop) {
    *to = i + 2;
    if (i + 2 < end && p->t[i + 2].digit && p->t[i + 2].s.n == 4)
      *to = i + 3;
    return true;
  }
  if (is_part_of_year(p, i, end, to))
    return true;
  bool days = s.n == 5 && s.p[2] == '-'; /* "14-16 September" */
  if (p->t[i].digit && (s.n <= 4 || days) && prose_has(p, i + 1, end, C_DAY) &&
      p->t[i + 1].capital) {
    *to = i + 2;
    if (i + 2 < end && p->t[i + 2].digit && p->t[i + 2].s.n == 4)
      *to = i + 3;
    return true;
  }
  return false;
}

/* friday, weekends: no month */
bool prose_is_weekday(const prose *p, hm_str word) {
  const prose_entry *e = prose_find_word(p->f, word);
  return e && (e->cls & C_DAY) &&
      (prose_ends_in(word, "day|days") || hm_str_starts(word, "weekend"));
}

/* 02:30 UTC, 6:30 pm, 9am, 7 pm, noon */
bool prose_is_clock(const prose *p, size_t i, size_t end, size_t *to) {
  if (i >= end)
    return false;
  hm_str s = p->t[i].low;
  size_t n = 0;
  while (n < s.n && n < 2 && hm_is_digit(s.p[n]))
    n++;
  if (!n)
    return prose_one_of(p, i, end, "noon|midnight") && (*to = i + 1);
  bool colon = n + 2 < s.n && s.p[n] == ':' && hm_is_digit(s.p[n + 1]) && hm_is_digit(s.p[n + 2]);
  size_t at = colon ? n + 3 : n;
  if (colon && at + 2 < s.n && s.p[at] == ':')
    at += 3;
  hm_str rest = hm_str_sub(s, at, s.n);
  bool half = prose_word_in(rest, "am|pm");
  if (rest.n && !half)
    return false;
  *to = i + 1;
  if (!half && prose_one_of(p, *to, end, "am|pm|a.m|p.m"))
    half = true, ++*to;
  if (!half && !colon)
    return false;
  if (*to < end && !p->t[*to - 1].stop && p->t[*to].s.n >= 3 && p->t[*to].s.n <= 4 &&
      p->t[*to].capital && p->t[*to].upper &&
      (p->t[*to].s.p[p->t[*to].s.n - 1] == 'T' || hm_str_is(p->t[*to].low, "utc")))
    ++*to;
  return true;
}

bool prose_is_until_date(const prose *p, size_t i, size_t end) {
  size_t to;
  return prose_one_of(p, i, end, "until|till") &&
      (prose_is_date(p, i + 1, end, &to) || prose_is_clock(p, i + 1, end, &to));
}
