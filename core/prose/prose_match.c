/* Finds values of families in a text, and the nouns and activities that imply one. "REST-based" is
 * a value with a suffix; "eu-west-9" is a region though no list has it. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/prose/prose_grammar.h"

/* --- values ------------------------------------------------------------------------------ */

static bool is_letter(char c) {
  return hm_is_lower(c) || hm_is_digit(c) || c == '+' || c == '#' || (c & 0x80);
}

/* The word after spelling (folded) if it is at word i, else 0; *based: "-based" follows. */
static size_t spelled_at(const prose *p, size_t i, size_t end, hm_str spelling, bool *based) {
  size_t at = 0, k = 0;
  *based = false;
  while (i < end) {
    hm_str low = p->t[i].low;
    while (at < spelling.n && k < low.n) {
      if (is_letter(low.p[k]) ? low.p[k] != spelling.p[at] : spelling.p[at] != '_')
        return 0;
      at++;
      k++;
    }
    if (at == spelling.n) {
      hm_str rest = hm_str_sub(low, k, low.n);
      *based = prose_word_in(rest, "-based|-powered|-backed|-only");
      return !rest.n || *based ? i + 1 : 0;
    }
    if (spelling.p[at] != '_' || p->t[i].stop || p->t[i].owns)
      return 0;
    at++;
    k = 0;
    i++;
  }
  return 0;
}

static bool is_region(hm_str low) {
  if (low.n < 7 || low.n > 16 || low.p[2] != '-' ||
      !prose_word_in(hm_str_sub(low, 0, 2), "eu|us|ap|sa|ca|me|af|il"))
    return false;
  char last = low.p[low.n - 1];
  return last != '0' && hm_is_digit(last) && low.p[low.n - 2] == '-';
}

bool prose_value_at(const prose *p, size_t i, size_t end, prose_match *m) {
  *m = (prose_match){ 0 };
  if (i >= end)
    return false;
  hm_str low = p->t[i].low;
  size_t n = 0;
  while (n < low.n && is_letter(low.p[n]))
    n++;
  const prose_spelling *e = prose_find_spellings(p->f, hm_str_sub(low, 0, n));
  for (; e; e = e->next) {
    bool based;
    size_t to = spelled_at(p, i, end, e->spelling, &based);
    if (!to || to < m->to)
      continue;
    if (to > m->to)
      *m = (prose_match){ .to = to, .name = e->name, .based = based };
    if (m->n < MATCHES)
      m->family[m->n++] = e->family;
  }
  if (!m->to && is_region(low)) {
    prose_name name = { .w = { low }, .n = 1 };
    int f = prose_find_family(p->f, "region");
    if (f < 0)
      return false;
    *m = (prose_match){ .to = i + 1, .name = prose_fold_name((prose *)p, &name), .n = 1 };
    m->family[0] = f;
  }
  /* "go", "r", "c", "make", "just": words unless written as names */
  if (m->to == i + 1 && !p->t[i].capital && !m->based &&
      (low.n < 3 || (p->t[i].cls && !prose_word_in(low, "black|go"))) && !p->t[i].upper &&
      !prose_word_in(low, "uv|go"))
    m->to = 0;
  return m->to > 0;
}

size_t prose_value_end(const prose *p, const prose_match *m, size_t end) {
  size_t to = m->to;
  while (to < end && to < m->to + 2 && !p->t[to - 1].stop && p->t[to].capital && !p->t[to].cls &&
         !p->t[to].aside && !p->t[to].digit)
    to++;
  return to == end || p->t[to - 1].stop || (p->t[to].cls & (C_PREP | C_TAIL)) ? to : m->to;
}

bool prose_match_has(const prose_match *m, int family) {
  for (size_t i = 0; i < m->n; i++)
    if (m->family[i] == family)
      return true;
  return false;
}

bool prose_match_is_store(const prose *p, const prose_match *m) {
  for (size_t i = 0; i < m->n; i++)
    if (prose_word_in(hm_str_c(prose_family_name(p, m->family[i])),
                      "cache_store|database|secret_store|object_store"))
      return true;
  return false;
}

const char *prose_family_name(const prose *p, int family) { return p->f->families[family].name; }

/* --- nouns and deeds ------------------------------------------------------------------------ */

size_t prose_family_noun(const prose *p, size_t i, size_t j, int *family) {
  bool custom = prose_families_are_custom(p->f);
  if (i >= j || (!(p->t[j - 1].cls & C_KIND) && !custom))
    return 0;
  for (size_t words = j - i < 4 ? j - i : 4; words; words--)
    for (size_t k = 0; k < p->f->n; k++) {
      const char *nouns = p->f->families[k].nouns;
      if (nouns && prose_one_of(p, j - words, j, nouns) == words)
        return *family = (int)k, words;
    }
  if (!custom)
    return 0;
  /* a family of the config is called by its name */
  for (size_t k = 0; k < p->f->n; k++) {
    prose_name name = { .n = 0 };
    hm_str want = hm_str_c(p->f->families[k].name);
    size_t words = 1;
    for (size_t c = 0; c < want.n; c++)
      words += want.p[c] == '_';
    if (words > j - i || words > 4 || !p->t[j - 1].low.n ||
        p->t[j - 1].low.p[p->t[j - 1].low.n - 1] != want.p[want.n - 1])
      continue;
    for (size_t w = j - words; w < j; w++)
      prose_add_word(&name, p->t[w].low);
    if (hm_str_eq(prose_fold_name((prose *)p, &name), want))
      return *family = (int)k, words;
  }
  return 0;
}

int prose_family_topic(const prose *p, size_t i, size_t j) {
  return prose_family_topic_of(p, i, j, &(prose_match){ 0 });
}

int prose_family_topic_of(const prose *p, size_t i, size_t j, const prose_match *m) {
  int first = -1;
  for (size_t k = 0; i < j && k < p->f->n; k++) {
    const char *topics = p->f->families[k].topics;
    if (!topics || prose_one_of(p, i, j, topics) != j - i)
      continue;
    if (prose_match_has(m, (int)k))
      return (int)k;
    if (first < 0)
      first = (int)k;
  }
  return first;
}
