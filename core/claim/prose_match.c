/* Values of families in a text, and the nouns and deeds that ask for one; values that a text only
 * mentions, and words of change and decision outside of all values.
 *
 * An index has for each first word the values that begin with it, so a word costs one lookup.
 * "REST-based" is a value with a tail; "eu-west-9" is a region though no list has it.
 *
 * A mention has the slots that a claim of it could have: of its family alone, of the text's subject
 * and of the things that the text names ("the frontend": frontend_framework). */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/claim/prose_impl.h"

typedef struct {
  hm_str spelling, name; /* folded: "github_actions"; the first spelling of the value */
  int family;
  uint32_t next; /* with the same first word; HM_MAP_NONE: none */
} entry;

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
  hm_map first;              /* first word -> entry */
  const int *nouns, *topics; /* the family of each row of the tables in prose_nouns.c */
  bool custom;               /* other families than the shipped ones */
  entry *entries;
  size_t n;
};

/* --- the index ---------------------------------------------------------------------------- */

static hm_str first_word(hm_str folded) {
  size_t n = 0;
  while (n < folded.n && folded.p[n] != '_') n++;
  return hm_str_sub(folded, 0, n);
}

static size_t count_spellings(const hm_families *f) {
  size_t n = 0;
  for (size_t i = 0; i < f->n; i++)
    for (size_t k = 0; k < f->families[i].n; k++) {
      hm_str v = f->families[i].values[k];
      n++;
      for (size_t c = 0; c < v.n; c++) n += v.p[c] == '|';
    }
  return n;
}

static void add_value(hm_family_index *x, int family, hm_str value) {
  hm_str name = HM_EMPTY;
  for (size_t from = 0, at = 0; at <= value.n; at++) {
    if (at < value.n && value.p[at] != '|') continue;
    hm_str spelling = hm_str_sub(value, from, at), first = first_word(spelling);
    from = at + 1;
    if (!spelling.n) continue;
    if (!name.n) name = spelling;
    uint32_t had = hm_map_get(&x->first, first);
    filter_add(&x->first_in, first);
    x->entries[x->n] = (entry){ spelling, name, family, had };
    hm_map_set(&x->first, first, (uint32_t)x->n++);
  }
}

static int family_of(const hm_families *f, const char *name) {
  for (size_t i = 0; i < f->n; i++)
    if (hm_str_is(f->families[i].name, name)) return (int)i;
  return -1;
}

static prose_entry *entry_of(hm_family_index *x, hm_str word, size_t *n) {
  uint32_t k = hm_map_add(&x->words, word, (uint32_t)*n);
  filter_add(&x->words_in, word);
  if (k == *n) ++*n;
  return &x->lexicon[k];
}

static void index_lexicon(hm_family_index *x, hm_arena *a) {
  size_t n_classes, n_numbers, n = 0, room = 0;
  const prose_class *c = prose_word_classes(&n_classes);
  const prose_number *number = prose_number_words(&n_numbers);
  for (size_t i = 0; i < n_classes; i++) room += strlen(c[i].words) / 2 + 1;
  x->lexicon = hm_alloc_array(a, room + n_numbers, sizeof *x->lexicon);
  hm_map_init(&x->words, a, room / 3);
  for (size_t i = 0; i < n_classes; i++)
    for (const char *z = c[i].words; *z;) {
      size_t w = strcspn(z, " ");
      entry_of(x, (hm_str){ z, w }, &n)->cls |= c[i].cls;
      z += w + (z[w] == ' ');
    }
  for (size_t i = 0; i < n_numbers; i++) {
    prose_entry *e = entry_of(x, hm_str_c(number[i].word), &n);
    e->cls |= C_NUMBER;
    e->number = number[i].number;
  }
}

static void index_tables(hm_family_index *x, const hm_families *f, hm_arena *a) {
  size_t n, m;
  const prose_family_words *nouns = prose_noun_table(&n), *topics = prose_topic_table(&m);
  int *noun = hm_alloc_array(a, n, sizeof *noun), *topic = hm_alloc_array(a, m, sizeof *topic);
  for (size_t i = 0; i < n; i++) noun[i] = family_of(f, nouns[i].family);
  for (size_t i = 0; i < m; i++) topic[i] = family_of(f, topics[i].family);
  x->nouns = noun;
  x->topics = topic;
}

const hm_families *hm_families_prepare(const hm_families *families, hm_arena *a) {
  const hm_families *from = families ? families : hm_families_shipped();
  hm_family_index *x = hm_alloc(a, sizeof *x);
  x->words_in = x->first_in = (filter){ 0 };
  size_t n = count_spellings(from);
  x->entries = hm_alloc_array(a, n + 1, sizeof *x->entries);
  hm_map_init(&x->first, a, n);
  for (size_t i = from->n; i > 0; i--) /* the first family of a value is found first */
    for (size_t k = 0; k < from->families[i - 1].n; k++)
      add_value(x, (int)i - 1, from->families[i - 1].values[k]);
  x->custom = from->families != hm_families_shipped()->families;
  index_lexicon(x, a);
  index_tables(x, from, a);
  hm_families *out = hm_alloc(a, sizeof *out);
  *out = (hm_families){ from->families, from->n, x };
  return out;
}

hm_str hm_families_usual_spelling(const hm_families *families, hm_str text) {
  enum { LONGEST = 32 };
  char low[LONGEST];
  if (!text.n || text.n > LONGEST) return HM_EMPTY;
  for (size_t i = 0; i < text.n; i++) {
    char c = text.p[i];
    low[i] = c == ' ' || c == '.' || c == '-' ? '_' : hm_ascii_lower(c);
  }
  hm_str spelled = { low, text.n };
  const hm_family_index *x = families->index;
  uint32_t e = hm_map_get(&x->first, first_word(spelled));
  while (e != HM_MAP_NONE && !hm_str_eq(x->entries[e].spelling, spelled)) e = x->entries[e].next;
  if (e == HM_MAP_NONE || hm_str_eq(x->entries[e].name, spelled)) return HM_EMPTY;
  return x->entries[e].name;
}

const prose_entry *prose_find_word(const hm_families *f, hm_str low) {
  if (!filter_may(&f->index->words_in, low)) return NULL;
  uint32_t k = hm_map_get(&f->index->words, low);
  return k == HM_MAP_NONE ? NULL : &f->index->lexicon[k];
}

/* --- values ------------------------------------------------------------------------------ */

static bool is_letter(char c) {
  return hm_is_lower(c) || hm_is_digit(c) || c == '+' || c == '#' || (c & 0x80);
}

/* Does spelling, folded, stand at word i? The word behind it, or 0; *based: "-based" follows. */
static size_t spelled_at(const prose *p, size_t i, size_t end, hm_str spelling, bool *based) {
  size_t at = 0, k = 0;
  *based = false;
  while (i < end) {
    hm_str low = p->t[i].low;
    while (at < spelling.n && k < low.n) {
      if (is_letter(low.p[k]) ? low.p[k] != spelling.p[at] : spelling.p[at] != '_') return 0;
      at++;
      k++;
    }
    if (at == spelling.n) {
      hm_str rest = hm_str_sub(low, k, low.n);
      *based = hm_str_is(rest, "-based") || hm_str_is(rest, "-powered") ||
          hm_str_is(rest, "-backed") || hm_str_is(rest, "-only");
      return !rest.n || *based ? i + 1 : 0;
    }
    if (spelling.p[at] != '_' || p->t[i].stop || p->t[i].owns) return 0;
    at++;
    k = 0;
    i++;
  }
  return 0;
}

static bool is_region(hm_str low) {
  static const char *const areas[] = { "eu-", "us-", "ap-", "sa-", "ca-", "me-", "af-", "il-" };
  if (low.n < 7 || low.n > 16 || low.p[2] != '-') return false;
  size_t a = 0;
  while (a < HM_COUNT(areas) && !hm_str_starts(low, areas[a])) a++;
  if (a == HM_COUNT(areas)) return false;
  char last = low.p[low.n - 1];
  return last >= '1' && last <= '9' && low.p[low.n - 2] == '-';
}

bool prose_is_value_word(const prose *p, hm_str low) {
  const hm_family_index *x = p->f->index;
  uint32_t e = hm_map_get(&x->first, low);
  while (e != HM_MAP_NONE && !hm_str_eq(x->entries[e].spelling, low)) e = x->entries[e].next;
  return e != HM_MAP_NONE;
}

bool prose_value_at(const prose *p, size_t i, size_t end, prose_match *m) {
  *m = (prose_match){ 0 };
  if (i >= end) return false;
  hm_str low = p->t[i].low;
  size_t n = 0;
  while (n < low.n && is_letter(low.p[n])) n++;
  const hm_family_index *x = p->f->index;
  hm_str first = hm_str_sub(low, 0, n);
  uint32_t e = filter_may(&x->first_in, first) ? hm_map_get(&x->first, first) : HM_MAP_NONE;
  for (; e != HM_MAP_NONE; e = x->entries[e].next) {
    bool based;
    size_t to = spelled_at(p, i, end, x->entries[e].spelling, &based);
    if (!to || to < m->to) continue;
    if (to > m->to) *m = (prose_match){ .to = to, .name = x->entries[e].name, .based = based };
    if (m->n < MATCHES) m->family[m->n++] = x->entries[e].family;
  }
  if (!m->to && is_region(low)) {
    prose_name name = { .w = { low }, .n = 1 };
    int f = prose_family_by_name(p, "region");
    if (f < 0) return false;
    *m = (prose_match){ .to = i + 1, .name = prose_fold_name((prose *)p, &name), .n = 1 };
    m->family[0] = f;
  }
  /* "go", "r", "c", "make", "just": words unless written as names */
  if (m->to == i + 1 && !p->t[i].capital && !m->based &&
      (low.n < 3 || (p->t[i].cls && !hm_str_is(low, "black") && !hm_str_is(low, "go"))) &&
      !p->t[i].upper && !hm_str_is(low, "uv") && !hm_str_is(low, "go"))
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
    if (m->family[i] == family) return true;
  return false;
}

hm_str prose_family_name(const prose *p, int family) { return p->f->families[family].name; }

int prose_family_by_name(const prose *p, const char *name) { return family_of(p->f, name); }

/* --- nouns and deeds ------------------------------------------------------------------------ */

size_t prose_family_noun(const prose *p, size_t i, size_t j, int *family) {
  size_t best = 0, rows;
  const prose_family_words *nouns = prose_noun_table(&rows);
  const hm_family_index *x = p->f->index;
  if (i >= j || (!(p->t[j - 1].cls & C_KIND) && !x->custom)) return 0;
  hm_str last = p->t[j - 1].low;
  for (size_t k = 0; k < rows; k++) {
    size_t n = strlen(nouns[k].words);
    if (n < last.n || nouns[k].words[n - last.n] != p->t[j - 1].first) continue;
    if (memcmp(nouns[k].words + n - last.n, last.p, last.n) != 0) continue;
    size_t words = 1;
    for (size_t c = 0; c < n; c++) words += nouns[k].words[c] == ' ';
    if (words <= best || words > j - i || !prose_are(p, j - words, j, nouns[k].words)) continue;
    if (x->nouns[k] >= 0) best = words, *family = x->nouns[k];
  }
  if (best || !x->custom) return best;
  /* a family of the config is called by its name */
  for (size_t k = 0; k < p->f->n; k++) {
    prose_name name = { .n = 0 };
    hm_str want = p->f->families[k].name;
    size_t words = 1;
    for (size_t c = 0; c < want.n; c++) words += want.p[c] == '_';
    if (words > j - i || words > 4 || !p->t[j - 1].low.n ||
        p->t[j - 1].low.p[p->t[j - 1].low.n - 1] != want.p[want.n - 1])
      continue;
    for (size_t w = j - words; w < j; w++) prose_add_word(&name, p->t[w].low);
    if (hm_str_eq(prose_fold_name((prose *)p, &name), want)) return *family = (int)k, words;
  }
  return 0;
}

int prose_family_topic(const prose *p, size_t i, size_t j) {
  size_t n;
  const prose_family_words *topics = prose_topic_table(&n);
  for (size_t k = 0; i < j && k < n; k++)
    if (prose_are(p, i, j, topics[k].words) == j - i) return p->f->index->topics[k];
  return -1;
}

int prose_family_topic_of(const prose *p, size_t i, size_t j, const prose_match *m) {
  size_t n;
  const prose_family_words *topics = prose_topic_table(&n);
  int first = -1;
  for (size_t k = 0; i < j && k < n; k++) {
    int family = p->f->index->topics[k];
    if (prose_are(p, i, j, topics[k].words) != j - i) continue;
    if (prose_match_has(m, family)) return family;
    if (first < 0) first = family;
  }
  return first;
}

bool prose_family_is_plain(const prose *p, int family) {
  static const char *const plain[] = {
    "api_style", "material",  "database",       "cache_store",      "message_broker", "license",
    "editor",    "ci_system", "cloud_provider", "operating_system", "orchestrator",   "web_server",
    "framework", "linter",    "formatter",      "package_manager",  "region",         "vpn",
    "orm",       "build_tool"
  };
  return prose_word_in(prose_family_name(p, family), plain, HM_COUNT(plain));
}

int prose_family_for(const prose *p, const prose_match *m, const prose_np *np, const char *hint) {
  if (np && np->family >= 0) return prose_match_has(m, np->family) ? np->family : -1;
  if (hint) {
    int f = prose_family_by_name(p, hint);
    return f >= 0 && prose_match_has(m, f) ? f : -1;
  }
  return m->n ? m->family[0] : -1;
}

/* --- signs of change -------------------------------------------------------------------------- */

enum { MENTIONS_MAX = 24, NOUNS_MAX = 6 };

/* The first word that begins at `at` or behind it. */
static size_t word_from(const prose *p, const char *at) {
  size_t low = 0, high = p->n;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (p->t[mid].s.p < at) low = mid + 1;
    else high = mid;
  }
  return low;
}

/* Marks the words inside the values of claims, and lists what is claimed: a text may have thousands
 * of claims, and is not looked through for each word. */
static void read_claims(prose *p) {
  hm_map_init(&p->claimed, p->a, p->out->n);
  for (size_t k = 0; k < p->out->n; k++) {
    const hm_prose_claim *c = &p->out->claims[k];
    hm_map_add(&p->claimed, c->slot, 0);
    if (c->shape == HM_SHAPE_SWITCH) continue;
    const char *end = c->value.p + c->value.n;
    for (size_t i = word_from(p, c->value.p); i < p->n && p->t[i].s.p < end; i++)
      p->t[i].in_value = true;
  }
}

bool prose_settles(const prose *p) {
  for (size_t i = 0; i < p->n; i++) {
    if ((p->t[i].cls & C_CHANGE) && !p->t[i].in_value) return true;
    if (prose_are(p, i, p->n, "no longer") || prose_are(p, i, p->n, "went back") ||
        prose_are(p, i, p->n, "went from") || prose_are(p, i, p->n, "went down") ||
        prose_are(p, i, p->n, "went up") || prose_are(p, i, p->n, "down to") ||
        prose_are(p, i, p->n, "from now on"))
      return true;
  }
  return false;
}

/* --- mentions ---------------------------------------------------------------------------- */

static void add_mention(prose *p, hm_str subject, const prose_name *attribute, hm_str value,
                        hm_str words) {
  prose_name name = { .n = 0 };
  hm_str folded = prose_fold_name(p, attribute);
  bool said = subject.n < folded.n && hm_str_starts(folded, hm_str_z(p->a, subject)) &&
      folded.p[subject.n] == '_';
  if (!said) prose_add_word(&name, subject);
  prose_add_word(&name, folded);
  hm_str slot = prose_fold_name(p, &name);
  char *z = (char *)slot.p;
  for (size_t i = 0; i < slot.n; i++)
    if (z[i] == ' ') z[i] = '_';
  if (p->out->n_mentions >= MENTIONS_MAX || hm_map_get(&p->claimed, slot) != HM_MAP_NONE) return;
  for (size_t k = 0; k < p->out->n_mentions; k++)
    if (hm_str_eq(p->out->mentions[k].slot, slot) && hm_str_eq(p->out->mentions[k].value, value))
      return;
  if (!p->mention_cap)
    p->out->mentions = hm_alloc_array(p->a, p->mention_cap = 4, sizeof(hm_mention));
  p->out->mentions = hm_array_grow_in(p->a, p->out->mentions, p->out->n_mentions, &p->mention_cap,
                                      sizeof(hm_mention));
  p->out->mentions[p->out->n_mentions++] = (hm_mention){ slot, value, words };
}

static bool is_noun(const prose_word *t) {
  const uint64_t refused = C_ARTICLE | C_OWNER | C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT |
      C_ADVERB | C_PREP | C_COND | C_TAIL | C_UNSURE | C_SEVERAL | C_NUMBER | C_LATELY | C_AND |
      C_MUST | C_EVENT | C_DAY;
  return !(t->cls & refused) && !t->digit;
}

/* Names of things in the text but for words [from, to): single words and pairs of them. */
static size_t read_things(prose *p, hm_str *things, size_t from, size_t to) {
  size_t n = 0;
  for (size_t i = 0; i < p->n && n + 2 <= NOUNS_MAX; i++) {
    if ((i >= from && i < to) || !is_noun(&p->t[i]) || p->t[i].low.n < 2) continue;
    prose_name name = { .n = 0 };
    bool pair =
        i + 1 < p->n && !p->t[i].stop && is_noun(&p->t[i + 1]) && !(i + 1 >= from && i + 1 < to);
    if (pair) {
      prose_add_word(&name, p->t[i].low);
      prose_add_word(&name, prose_singular(p, &p->t[i + 1]));
      things[n++] = prose_fold_name(p, &name);
      name.n = 0;
    }
    bool first = !i || !is_noun(&p->t[i - 1]) || p->t[i - 1].stop || (i - 1 >= from && i - 1 < to);
    if (first || !pair) {
      prose_add_word(&name, prose_singular(p, &p->t[i]));
      things[n++] = prose_fold_name(p, &name);
    }
  }
  return n;
}

static void mention(prose *p, const prose_name *attribute, hm_str value, size_t from, size_t to) {
  hm_str things[NOUNS_MAX], words = prose_span(p, from, to);
  if (p->about.n) add_mention(p, p->about, attribute, value, words);
  add_mention(p, HM_EMPTY, attribute, value, words);
  size_t n = read_things(p, things, from, to);
  for (size_t k = 0; k < n; k++) add_mention(p, things[k], attribute, value, words);
}

void prose_find_mentions(prose *p) {
  read_claims(p);
  for (size_t i = 0; i < p->n && p->out->n_mentions < MENTIONS_MAX; i++) {
    prose_match m;
    hm_str product;
    size_t version, to;
    if ((p->t[i].cls & ~(C_NAMED | C_MEASURE | C_MODEL)) && !p->t[i].capital) continue;
    if (p->t[i].in_value) continue;
    if ((to = prose_product_at(p, i, p->n, &product, &version)) != 0) {
      prose_name attribute = { .w = { product }, .n = 1 };
      prose_add_words(&attribute, "version");
      if (!p->t[version].in_value) mention(p, &attribute, p->t[version].s, i, to);
      i = to - 1;
    } else if (prose_value_at(p, i, p->n, &m)) {
      static const char *const stores[] = { "cache_store", "database", "secret_store",
                                            "object_store" };
      bool store = false;
      for (size_t k = 0; k < m.n; k++) {
        prose_name attribute = { .n = 0 };
        hm_str family = prose_family_name(p, m.family[k]);
        prose_add_words(&attribute, hm_str_z(p->a, family));
        for (size_t s = 0; s < HM_COUNT(stores); s++) store = store || hm_str_is(family, stores[s]);
        mention(p, &attribute, m.name, i, m.to);
      }
      prose_name attribute = { .w = { HM_STR("store") }, .n = 1 };
      if (store) mention(p, &attribute, m.name, i, m.to);
      i = m.to - 1;
    }
  }
}
