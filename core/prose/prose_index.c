/* An index of the words of the grammar: the lexicon, the values of families by their first word,
 * and the families of the nouns and activities of prose_nouns.c. Built once for many texts, so a
 * word costs one lookup. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/prose/prose_lexicon.h"

/* A filter of words: most words that are not in a map are not looked up there. */
enum { FILTER_BITS = 1 << 14 };
typedef struct {
  uint64_t bits[FILTER_BITS / 64];
} filter;

static uint32_t filter_bit(hm_str word) {
  uint32_t first = word.n ? (unsigned char)word.p[0] : 0,
           second = word.n > 1 ? (unsigned char)word.p[1] : 0;
  uint32_t last = word.n ? (unsigned char)word.p[word.n - 1] : 0;
  return (first * 577 + second * 67 + last * 5 + (uint32_t)word.n) % FILTER_BITS;
}

static void filter_add(filter *f, hm_str word) {
  uint32_t bit = filter_bit(word);
  f->bits[bit / 64] |= (uint64_t)1 << bit % 64;
}

static bool filter_may(const filter *f, hm_str word) {
  uint32_t bit = filter_bit(word);
  return f->bits[bit / 64] >> bit % 64 & 1;
}

struct hm_family_index {
  filter words_in, first_in; /* the words of the two maps */
  hm_map words;              /* word of the lexicon -> its entry */
  prose_entry *lexicon;
  hm_map first;     /* first word -> its last entry */
  const int *table; /* the family of each row of prose_family_table */
  bool custom;      /* other families than the shipped ones */
  prose_spelling *entries;
  size_t n;
};

static hm_str first_word(hm_str folded) {
  size_t n = 0;
  while (n < folded.n && folded.p[n] != '_')
    n++;
  return hm_str_sub(folded, 0, n);
}

static size_t count_spellings(const hm_families *f) {
  size_t n = f->n;
  for (size_t i = 0; i < f->n; i++)
    for (const char *z = f->families[i].values; *z; z++)
      n += *z == '|' || *z == ' ';
  return n;
}

/* Adds the values of a family; the first spelling of a value is its name. */
static void add_values(hm_family_index *x, int family, const char *values) {
  hm_str name = HM_EMPTY;
  for (const char *z = values; *z;) {
    hm_str spelling = { z, strcspn(z, "| ") }, first = first_word(spelling);
    uint32_t had = hm_map_get(&x->first, first);
    if (!name.n)
      name = spelling;
    filter_add(&x->first_in, first);
    x->entries[x->n] =
        (prose_spelling){ spelling, name, family, had == HM_MAP_NONE ? NULL : &x->entries[had] };
    hm_map_set(&x->first, first, (uint32_t)x->n++);
    z += spelling.n;
    if (*z == ' ')
      name = HM_EMPTY;
    z += *z != 0;
  }
}

int prose_find_family(const hm_families *f, const char *name) {
  for (size_t i = 0; i < f->n; i++)
    if (strcmp(f->families[i].name, name) == 0)
      return (int)i;
  return -1;
}

static prose_entry *entry_of(hm_family_index *x, hm_str word, size_t *n) {
  uint32_t k = hm_map_add(&x->words, word, (uint32_t)*n);
  filter_add(&x->words_in, word);
  if (k == *n)
    ++*n;
  return &x->lexicon[k];
}

/* Adds a class or a unit to the entries of words. */
static void add_words(hm_family_index *x, const char *words, uint64_t cls, prose_unit unit,
                      size_t *n) {
  for (const char *z = words; *z; z += *z == ' ') {
    size_t w = strcspn(z, " ");
    prose_entry *e = entry_of(x, (hm_str){ z, w }, n);
    e->cls |= cls;
    e->unit = unit ? unit : e->unit;
    z += w;
  }
}

static void index_lexicon(hm_family_index *x, hm_arena *a) {
  size_t n_classes, n_numbers, n_units, n = 0, room = 0;
  const prose_class *c = prose_word_classes(&n_classes);
  const prose_number *number = prose_number_words(&n_numbers);
  const prose_units *u = prose_unit_words(&n_units);
  for (size_t i = 0; i < n_classes; i++)
    room += strlen(c[i].words) / 2 + 1;
  for (size_t i = 0; i < n_units; i++)
    room += strlen(u[i].words) / 2 + 1;
  x->lexicon = hm_alloc_array(a, room + n_numbers, sizeof *x->lexicon);
  hm_map_init(&x->words, a, room / 3);
  for (size_t i = 0; i < n_classes; i++)
    add_words(x, c[i].words, c[i].cls, UNIT_NONE, &n);
  for (size_t i = 0; i < n_units; i++)
    add_words(x, u[i].words, 0, u[i].unit, &n);
  for (size_t i = 0; i < n_numbers; i++) {
    prose_entry *e = entry_of(x, hm_str_c(number[i].word), &n);
    e->cls |= C_NUMBER;
    e->number = number[i].number;
  }
}

static const int *families_of_table(const hm_families *f, hm_arena *a) {
  size_t n;
  const prose_family_words *rows = prose_family_table(&n);
  int *of = hm_alloc_array(a, n, sizeof *of);
  for (size_t i = 0; i < n; i++)
    of[i] = prose_find_family(f, rows[i].family);
  return of;
}

const hm_families *hm_families_prepare(const hm_families *families, hm_arena *a) {
  const hm_families *from = families ? families : hm_families_shipped();
  hm_family_index *x = hm_alloc(a, sizeof *x);
  x->words_in = x->first_in = (filter){ 0 };
  size_t n = count_spellings(from);
  x->entries = hm_alloc_array(a, n + 1, sizeof *x->entries);
  hm_map_init(&x->first, a, n);
  for (size_t i = from->n; i > 0; i--) /* the first family of a value is found first */
    add_values(x, (int)i - 1, from->families[i - 1].values);
  x->custom = from->families != hm_families_shipped()->families;
  index_lexicon(x, a);
  x->table = families_of_table(from, a);
  hm_families *out = hm_alloc(a, sizeof *out);
  *out = (hm_families){ from->families, from->n, x };
  return out;
}

const prose_spelling *prose_find_spellings(const hm_families *f, hm_str word) {
  const hm_family_index *x = f->index;
  uint32_t e = filter_may(&x->first_in, word) ? hm_map_get(&x->first, word) : HM_MAP_NONE;
  return e == HM_MAP_NONE ? NULL : &x->entries[e];
}

hm_str hm_families_usual_spelling(const hm_families *families, hm_str text) {
  enum { LONGEST = 32 };
  char low[LONGEST];
  if (!text.n || text.n > LONGEST)
    return HM_EMPTY;
  for (size_t i = 0; i < text.n; i++) {
    char c = text.p[i];
    low[i] = c == ' ' || c == '.' || c == '-' ? '_' : hm_ascii_lower(c);
  }
  hm_str spelled = { low, text.n };
  const prose_spelling *e = prose_find_spellings(families, first_word(spelled));
  while (e && !hm_str_eq(e->spelling, spelled))
    e = e->next;
  return !e || hm_str_eq(e->name, spelled) ? HM_EMPTY : e->name;
}

const prose_entry *prose_find_word(const hm_families *f, hm_str low) {
  if (!filter_may(&f->index->words_in, low))
    return NULL;
  uint32_t k = hm_map_get(&f->index->words, low);
  return k == HM_MAP_NONE ? NULL : &f->index->lexicon[k];
}

bool prose_is_value_word(const hm_families *f, hm_str low) {
  const prose_spelling *e = prose_find_spellings(f, low);
  while (e && !hm_str_eq(e->spelling, low))
    e = e->next;
  return e;
}

const int *prose_table_families(const hm_families *f) { return f->index->table; }

bool prose_families_are_custom(const hm_families *f) { return f->index->custom; }
