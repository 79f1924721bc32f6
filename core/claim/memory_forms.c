/* The forms of sentences that claim something in a memory.
 *
 *   identity     "role: optical engineer", "works as an optical engineer", "has a PhD in optics"
 *   preference   "prefers rebase workflow", "uses ruff for linting", "prefers tabs over spaces"
 *   knowledge    "area is 468", "currency = EUR", "lateral support material: GF-PTFE"
 *
 * Each is a table of words and a function that reads the whole sentence or nothing. Add a form
 * here, with its row in the table of memory.c. Cost: linear in the first HM_WORDS_MAX words of a
 * text, and a binary search in each long list. */
#include "core/claim/memory_forms.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/value/rules.h"

/* --- the words of a sentence ----------------------------------------------------------------- */

const char *const hm_articles[] = { "a", "an", "the", NULL };
static const char *const negations[] = {
  "cannot", "hardly", "neither", "never", "no", "none", "nor", "not", "nothing", "without",
};
const hm_word_list hm_negations = { negations, HM_COUNT(negations) };

static const char *const subjects[] = { "i", "we", "he", "she", "they", "user", "team", NULL };
static const char *const nouns[] = { "user", "team", NULL };
static const char *const owners[] = { "my", "our", "his", "her", "their", NULL };

void hm_words_split(hm_words *out, hm_str text) {
  *out = (hm_words){ .text = text };
  for (size_t i = 0; i < text.n;) {
    if (hm_is_space(text.p[i])) {
      i++;
      continue;
    }
    if (out->n == HM_WORDS_MAX) {
      out->more = true;
      return;
    }
    size_t from = i;
    while (i < text.n && !hm_is_space(text.p[i]))
      i++;
    out->w[out->n++] = hm_str_sub(text, from, i);
  }
}

hm_str hm_words_rest(const hm_words *w, size_t i) {
  if (i >= w->n)
    return HM_EMPTY;
  return hm_str_trim(hm_str_sub(w->text, (size_t)(w->w[i].p - w->text.p), w->text.n));
}

/* From the beginning of word i to the end of word j - 1. */
static hm_str words_span(const hm_words *w, size_t i, size_t j) {
  if (i >= j || j > w->n)
    return HM_EMPTY;
  const char *from = w->w[i].p, *to = w->w[j - 1].p + w->w[j - 1].n;
  return (hm_str){ from, (size_t)(to - from) };
}

bool hm_word_is(hm_str word, const char *z) {
  size_t i = 0;
  while (i < word.n && z[i] && hm_ascii_lower(word.p[i]) == z[i])
    i++;
  return i == word.n && !z[i];
}

bool hm_word_in(hm_str word, const char *const *list) {
  if (!word.n)
    return false;
  char first = hm_ascii_lower(word.p[0]);
  while (*list && !(**list == first && hm_word_is(word, *list)))
    list++;
  return *list != NULL;
}

bool hm_word_listed(hm_str word, const hm_word_list *l) {
  return bsearch(&word, l->words, l->n, sizeof *l->words, hm_order_lower_word) != NULL;
}

bool hm_words_is(const hm_words *w, size_t i, const char *z) {
  return i < w->n && hm_word_is(w->w[i], z);
}
bool hm_words_in(const hm_words *w, size_t i, const char *const *list) {
  return i < w->n && hm_word_in(w->w[i], list);
}

/* i, past one article there. */
static size_t skip_article(const hm_words *w, size_t i) {
  return hm_words_in(w, i, hm_articles) ? i + 1 : i;
}

size_t hm_words_in_subject(const hm_words *w, bool *possessive) {
  *possessive = hm_words_in(w, 0, owners);
  if (*possessive || hm_words_in(w, 0, subjects))
    return 1;
  size_t i = hm_words_is(w, 0, "the") ? 1 : 0;
  if (i >= w->n)
    return 0;
  hm_str word = w->w[i];
  size_t ending = hm_str_ends(word, "'s") ? 2 : hm_str_ends(word, "\u2019s") ? 4 : 0;
  if (!hm_word_in(hm_str_sub(word, 0, word.n - ending), nouns))
    return 0;
  *possessive = ending > 0;
  return i + 1;
}

/* --- statements ---------------------------------------------------------------------- */

/* A line end, or a stop and white space after it. */
static bool has_second_clause(hm_str s) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (c == '\n' || c == '\r')
      return true;
    if (i + 1 < s.n && hm_is_space(s.p[i + 1]) && (c == '.' || c == '!' || c == '?' || c == ';'))
      return true;
  }
  return false;
}

/* One statement: not empty, not negated, no second sentence or line in it; or silence ("not known
 * yet", "?"), which claims nothing. */
static bool is_statement(hm_str value, hm_arena *a) {
  if (hm_value_is_silence(value, NULL, a))
    return true;
  size_t n = 0; /* of the first word */
  while (n < value.n && !hm_is_space(value.p[n]))
    n++;
  if (hm_word_listed(hm_str_sub(value, 0, n), &hm_negations))
    return false;
  return value.n && value.p[value.n - 1] != '?' && !has_second_clause(value);
}

/* --- identity ------------------------------------------------------------------------ */

static const char *const works[] = { "works", "work", "working", NULL };
static const char *const be[] = { "is",    "am",   "are",   "i'm",     "i\u2019m",
                                  "we're", "he's", "she's", "they're", NULL };
static const char *const have[] = { "has", "have", "holds", "hold", NULL };
static const char *const indefinite[] = { "a", "an", NULL };
static const char *const as_word[] = { "as", NULL };
static const char *const in_word[] = { "in", NULL };
static const char *const of_field[] = { "in", "as", "for", NULL };
static const char *const background[] = { "background", NULL };
static const char *const certified[] = { "certified", NULL };
static const char *const degrees[] = {
  "phd",         "ph.d",          "ph.d.",   "doctorate",  "msc",       "m.sc",   "m.sc.",
  "bsc",         "b.sc",          "b.sc.",   "mba",        "meng",      "beng",   "md",
  "llm",         "master's",      "masters", "bachelor's", "bachelors", "degree", "diploma",
  "certificate", "certification", "license", "licence",    NULL,
};
/* After "role" without a separator these go on with a sentence about it. */
static const char *const no_value[] = {
  "of",  "in",    "for", "as",    "at",   "on",      "to",      "with", "from",  "and",
  "or",  "but",   "was", "were",  "has",  "had",     "have",    "will", "would", "should",
  "may", "might", "can", "could", "must", "changed", "changes", "does", "did",   NULL,
};
static const char *const separators[] = { "is", "are", "=", ":", NULL };

static const struct {
  const char *head, *slot;
} heads[] = {
  { "role", "role" },
  { "background", "background" },
  { "credentials", "credentials" },
  { "credential", "credentials" },
};

/* Words that must follow each other; `optional` says which may be missing. */
typedef struct {
  const char *const *words[4];
  unsigned optional;
  const char *slot;
  bool degree;
} pattern;
static const pattern patterns[] = {
  { { background, in_word }, 0, "background", false },
  { { background, be, in_word }, 0, "background", false },
  { { have, indefinite, background, in_word }, 2, "background", false },
  { { works, as_word, hm_articles }, 4, "role", false },
  { { be, certified, of_field }, 4, "credentials", false },
  { { certified, of_field }, 0, "credentials", false },
  { { be, indefinite }, 0, "role", false },
  { { have, indefinite }, 2, "credentials", true },
};

/* Words taken from i on, or 0. */
static size_t match_pattern(const pattern *p, const hm_words *w, size_t i) {
  size_t from = i;
  for (size_t k = 0; k < HM_COUNT(p->words) && p->words[k]; k++) {
    if (hm_words_in(w, i, p->words[k]))
      i++;
    else if (!(p->optional >> k & 1))
      return 0;
  }
  return i - from;
}

/* "PhD in optics", "physics degree": a degree before the first preposition. */
static bool names_degree(const hm_words *w, size_t i) {
  for (; i < w->n && !hm_words_in(w, i, no_value); i++)
    if (hm_words_in(w, i, degrees))
      return true;
  return false;
}

static void identity_is(hm_memory_parts *out, const char *slot, hm_str value, hm_arena *a) {
  if (is_statement(value, a))
    *out = (hm_memory_parts){ .slot = hm_str_c(slot), .value = value, .object = value };
}

/* "role: engineer", "role=engineer", "role is engineer", "role engineer". */
static void read_head(hm_memory_parts *out, const hm_words *w, size_t i, hm_arena *a) {
  for (size_t h = 0; i < w->n && h < HM_COUNT(heads); h++) {
    hm_str word = w->w[i], rest = hm_words_rest(w, i);
    size_t n = strlen(heads[h].head);
    if (word.n < n || !hm_word_is(hm_str_sub(word, 0, n), heads[h].head))
      continue;
    if (word.n > n) {
      if (word.p[n] != ':' && word.p[n] != '=')
        continue;
      rest = hm_str_trim(hm_str_sub(rest, n + 1, rest.n));
    } else {
      if (hm_words_in(w, i + 1, no_value))
        return;
      rest = hm_words_rest(w, hm_words_in(w, i + 1, separators) ? i + 2 : i + 1);
    }
    identity_is(out, heads[h].slot, rest, a);
    return;
  }
}

void hm_memory_read_identity(hm_memory_parts *out, hm_str content, hm_arena *a) {
  hm_words w;
  hm_words_split(&w, content);
  bool possessive;
  size_t i = hm_words_in_subject(&w, &possessive);
  if (!i && hm_words_is(&w, 0, "the"))
    i = 1;
  for (size_t p = 0; p < HM_COUNT(patterns); p++) {
    size_t n = match_pattern(&patterns[p], &w, i);
    if (!n || (patterns[p].degree && !names_degree(&w, i + n)))
      continue;
    identity_is(out, patterns[p].slot, hm_words_rest(&w, i + n), a);
    return;
  }
  read_head(out, &w, i, a);
}

/* --- preference ---------------------------------------------------------------------- */

static const char *const adverbs[] = {
  "always", "usually", "generally", "really", "strongly", NULL,
};
static const char *const verbs[] = { "prefer", "prefers", "use", "uses", "like", "likes", NULL };
static const char *const prefer[] = { "prefer", "prefers", NULL };

/* Between two alternatives. "to" only after "prefers": "uses git to deploy" has none. */
static const struct {
  const char *first, *second;
  bool prefers;
} versus[] = {
  { "over", NULL, false },
  { "instead", "of", false },
  { "rather", "than", false },
  { "to", NULL, true },
};

/* With one of these the sentence says more than this grammar understands. */
static const char *const preference_refused[] = {
  "&",       "+",       "->",       "/",        "=",         "about",   "across",  "after",
  "against", "also",    "although", "among",    "and",       "are",     "around",  "as",
  "at",      "be",      "because",  "before",   "between",   "both",    "but",     "by",
  "despite", "during",  "either",   "except",   "for",       "from",    "how",     "if",
  "in",      "instead", "into",     "is",       "it",        "its",     "like",    "occasionally",
  "of",      "often",   "on",       "once",     "only",      "onto",    "or",      "over",
  "per",     "rather",  "since",    "so",       "sometimes", "than",    "that",    "them",
  "then",    "these",   "they",     "this",     "those",     "though",  "through", "to",
  "too",     "toward",  "towards",  "under",    "unless",    "until",   "via",     "was",
  "were",    "what",    "when",     "whenever", "where",     "whether", "which",   "while",
  "who",     "whose",   "why",      "with",     "within",    "yet",
};
const hm_word_list hm_preference_refused = { preference_refused, HM_COUNT(preference_refused) };

enum { PHRASE_MAX = 8 };

/* Words [from, to) of the sentence, without a leading article. */
typedef struct {
  size_t from, to;
} phrase;

/* A stop or bracket means a clause. A dot inside a name (".NET", "v2.1") does not. */
static bool is_plain_word(hm_str w) {
  if (hm_word_listed(w, &hm_preference_refused) || hm_word_listed(w, &hm_negations))
    return false;
  if (hm_str_ends(w, "n't") || hm_str_ends(w, "n\u2019t"))
    return false;
  for (size_t i = 0; i < w.n; i++)
    if (w.p[i] && strchr(",;:!?()[]{}", w.p[i]))
      return false;
  return w.p[w.n - 1] != '.';
}

static bool is_phrase(const hm_words *w, phrase p) {
  if (p.from >= p.to || p.to - p.from > PHRASE_MAX)
    return false;
  for (size_t i = p.from; i < p.to; i++)
    if (!is_plain_word(w->w[i]))
      return false;
  return true;
}

static hm_str phrase_name(const hm_words *w, phrase p, hm_arena *a) {
  return hm_text_fold_name(a, words_span(w, p.from, p.to));
}

/* Words of a connector at i, or 0. */
static size_t versus_at(const hm_words *w, size_t i, bool prefers) {
  for (size_t k = 0; k < HM_COUNT(versus); k++) {
    if (!hm_words_is(w, i, versus[k].first) || (versus[k].prefers && !prefers))
      continue;
    if (!versus[k].second)
      return 1;
    if (hm_words_is(w, i + 1, versus[k].second))
      return 2;
  }
  return 0;
}

/* The object's parts: X [versus Z] [for Y], in either order; an absent one is empty. */
typedef struct {
  phrase x, z, y;
  bool has_z, has_y;
} object;

/* "for" or a connector from word i on, or the end. */
static size_t next_boundary(const hm_words *w, size_t i, bool prefers) {
  while (i < w->n && !hm_words_is(w, i, "for") && !versus_at(w, i, prefers))
    i++;
  return i;
}

static bool read_object(object *o, const hm_words *w, size_t i, bool prefers) {
  *o = (object){ 0 };
  size_t end = next_boundary(w, i, prefers);
  o->x = (phrase){ skip_article(w, i), end };
  if (!is_phrase(w, o->x))
    return false;
  while (end < w->n) {
    bool is_for = hm_words_is(w, end, "for");
    bool *has = is_for ? &o->has_y : &o->has_z;
    size_t from = end + (is_for ? 1 : versus_at(w, end, prefers));
    end = next_boundary(w, from, prefers);
    phrase p = { skip_article(w, from), end };
    if (*has || !is_phrase(w, p))
      return false;
    *has = true;
    *(is_for ? &o->y : &o->z) = p;
  }
  return true;
}

/* "spaces|tabs", whichever is preferred. */
static hm_str alternatives_slot(hm_str x, hm_str z, hm_arena *a) {
  int d = hm_str_cmp(x, z);
  if (!d || !x.n || !z.n)
    return HM_EMPTY;
  return HM_CAT(a, d < 0 ? x : z, HM_STR("|"), d < 0 ? z : x);
}

static void name_slot(hm_memory_parts *out, const hm_words *w, const object *o, hm_arena *a) {
  out->value = words_span(w, o->x.from, o->x.to);
  if (o->has_y) {
    out->slot = phrase_name(w, o->y, a);
  } else if (o->has_z) {
    out->slot = alternatives_slot(phrase_name(w, o->x, a), phrase_name(w, o->z, a), a);
  } else if (o->x.to - o->x.from > 1) {
    out->value = words_span(w, o->x.from, o->x.to - 1);
    out->slot = hm_text_fold_name(a, w->w[o->x.to - 1]);
  }
}

/* "to be contacted by phone": the way, in its own slot. */
static bool read_way(hm_memory_parts *out, const hm_words *w, size_t i) {
  static const char *const done[] = { "contacted", "notified", "reached", NULL };
  phrase way = { i + 4, w->n };
  if (!hm_words_is(w, i, "to") || !hm_words_is(w, i + 1, "be") || !hm_words_in(w, i + 2, done) ||
      !(hm_words_is(w, i + 3, "by") || hm_words_is(w, i + 3, "via")) || w->more ||
      !is_phrase(w, way))
    return false;
  out->slot = HM_STR("contact");
  out->value = words_span(w, way.from, way.to);
  return true;
}

void hm_memory_read_preference(hm_memory_parts *out, hm_str content, hm_arena *a) {
  hm_words w;
  hm_words_split(&w, content);
  bool possessive;
  size_t i = hm_words_in_subject(&w, &possessive);
  while (hm_words_in(&w, i, adverbs))
    i++;
  size_t not = hm_words_is(&w, i, "does") || hm_words_is(&w, i, "do") ? i + 1 : w.n;
  out->denied =
      hm_words_is(&w, not, "not") || hm_words_is(&w, i, "doesn't") || hm_words_is(&w, i, "don't");
  if (out->denied)
    i += not < w.n ? 2 : 1;
  if (possessive || !hm_words_in(&w, i, out->denied ? prefer : verbs))
    return;
  bool prefers = hm_words_in(&w, i, prefer);
  i++;
  /* "prefers using ruff", "likes to use ruff" speak of ruff. */
  if (hm_words_is(&w, i, "using"))
    i++;
  else if (hm_words_is(&w, i, "to") && hm_words_is(&w, i + 1, "use"))
    i += 2;
  out->object = hm_words_rest(&w, skip_article(&w, i));
  if (read_way(out, &w, i))
    return;
  object o;
  if (!w.more && read_object(&o, &w, i, prefers))
    name_slot(out, &w, &o, a);
}

/* Does every word begin with a capital? "Mei Tanaka". */
static bool are_names(const hm_words *w, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (w->w[i].p[0] < 'A' || w->w[i].p[0] > 'Z')
      return false;
  return true;
}

/* Nobody in particular: two such texts do not exclude each other. */
static const char *const nobody[] = {
  "anybody", "anyone", "few",      "many",    "most",    "neither", "nobody",
  "none",    "some",   "somebody", "someone", "whoever", NULL,
};

hm_str hm_memory_preference_subject(hm_str content) {
  enum { NAME_MAX = 3 };
  hm_words w;
  size_t end = 0;
  hm_words_split(&w, content);
  while (end < w.n && end <= NAME_MAX && !hm_words_is(&w, end, "prefers"))
    end++;
  if (end >= w.n || !hm_words_is(&w, end, "prefers"))
    return HM_EMPTY;
  if (end && hm_words_in(&w, end - 1, adverbs))
    end--;
  size_t from = hm_words_is(&w, 0, "the") ? 1 : 0;
  phrase name = { from, end };
  bool names = are_names(&w, from, end);
  if (!is_phrase(&w, name) || (!from && !names) || hm_words_in(&w, 0, subjects) ||
      hm_words_in(&w, 0, nobody))
    return HM_EMPTY;
  return words_span(&w, from, end);
}

/* --- knowledge ----------------------------------------------------------------------- */

enum { SUBJECT_BYTES = 256, SUBJECT_WORDS = 8 };

/* A subject with one of these is no name of anything, or no statement of fact. */
static const char *const knowledge_refused[] = {
  "although", "anything",   "are",   "asked",  "because", "believes", "but",   "claims",
  "everyone", "everything", "he",    "her",    "here",    "him",      "his",   "how",
  "i",        "if",         "is",    "it",     "its",     "me",       "my",    "nobody",
  "nothing",  "one",        "or",    "our",    "said",    "says",     "she",   "since",
  "someone",  "something",  "that",  "their",  "them",    "there",    "these", "they",
  "thinks",   "this",       "those", "though", "unless",  "until",    "us",    "was",
  "we",       "were",       "what",  "when",   "where",   "whether",  "which", "while",
  "who",      "whose",      "why",   "you",    "your",
};
const hm_word_list hm_knowledge_refused = { knowledge_refused, HM_COUNT(knowledge_refused) };

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Where the subject ends and the value begins. */
typedef struct {
  size_t end, value;
} split;

/* "==", "!=", "<=", ":=", "=>" compare or assign; they state nothing. */
static bool is_lone_equals(hm_str s, size_t i) {
  char before = i ? s.p[i - 1] : ' ', after = i + 1 < s.n ? s.p[i + 1] : ' ';
  return !(before && strchr("=!<>:~+-*/%|&^", before)) && !(after && strchr("=<>~", after));
}

/* The first separator, when there is one that states something. */
static bool find_split(hm_str s, split *out) {
  for (size_t i = 0; i < s.n && i < SUBJECT_BYTES; i++) {
    if (s.p[i] == '\n' || s.p[i] == '\r')
      return false;
    if (s.p[i] == ':' && hm_str_starts(hm_str_sub(s, i, i + 3), "://"))
      while (i < s.n && !is_blank(s.p[i]))
        i++;
    if (i >= s.n || i >= SUBJECT_BYTES)
      return false;
    if (s.p[i] == ':' && (i + 1 == s.n || is_blank(s.p[i + 1])))
      return *out = (split){ i, i + 1 }, true;
    if (is_blank(s.p[i]) && i + 3 < s.n && hm_word_is(hm_str_sub(s, i + 1, i + 3), "is") &&
        is_blank(s.p[i + 3]))
      return *out = (split){ i, i + 4 }, true;
    if (s.p[i] == '=')
      return *out = (split){ i, i + 1 }, is_lone_equals(s, i);
  }
  return false;
}

static hm_str read_subject(hm_str s, hm_arena *a) {
  hm_words w;
  hm_words_split(&w, s);
  size_t from = skip_article(&w, 0);
  if (w.more || from >= w.n || w.n - from > SUBJECT_WORDS)
    return HM_EMPTY;
  for (size_t i = from; i < w.n; i++) {
    char last = w.w[i].p[w.w[i].n - 1];
    if (hm_word_listed(w.w[i], &hm_knowledge_refused) || hm_word_listed(w.w[i], &hm_negations) ||
        (last && strchr(",;.!?", last)))
      return HM_EMPTY;
  }
  return hm_text_fold_name(a, words_span(&w, from, w.n));
}

void hm_memory_read_knowledge(hm_memory_parts *out, hm_str content, hm_arena *a) {
  split at;
  if (!find_split(content, &at))
    return;
  out->object = hm_str_trim(hm_str_sub(content, at.value, content.n));
  if (!is_statement(out->object, a))
    return;
  out->slot = read_subject(hm_str_sub(content, 0, at.end), a);
  if (out->slot.n)
    out->value = out->object;
}
