/* Attributes that have one value at a time, and what a memory says about a subject.
 *
 * Two memories that speak of one slot mostly add to each other: notes, labels and events come in
 * any number. Two values exclude each other only where the words say that there is one.
 * An attribute is named by its last word, as English puts it ("max upload size" is a size). Three
 * tables decide: measures, whose numbers exclude each other; names, of which there is one (an
 * employer, a license); and words such as "default", by which there is one of anything. What
 * varies by nature (a reading, a count of events, a weight) and what people have several of (a
 * language, an email) is in none. A phrase that speaks of one of several ("another limit", "the
 * old limit") has no certain value. Cost: linear in a few words. */
#include "core/claim/memory.h"
#include <string.h>

#include "core/base/text.h"

enum { PHRASE_WORDS = 5, VALUE_WORDS = 5, VALUE_BYTES = 128 };

static const char *const measures[] = {
  "amperage",  "area",       "bandwidth", "budget",   "capacity",  "connections", "cutoff",
  "deadline",  "delay",      "density",   "depth",    "diameter",  "expiration",  "expiry",
  "frequency", "gain",       "height",    "interval", "length",    "lifetime",    "limit",
  "mass",      "maximum",    "minimum",   "period",   "pin",       "port",        "power",
  "pressure",  "price",      "quota",     "radius",   "rate",      "replicas",    "resolution",
  "retention", "retries",    "salary",    "seats",    "size",      "span",        "speed",
  "thickness", "threads",    "threshold", "timeout",  "tolerance", "ttl",         "voltage",
  "volume",    "wavelength", "width",     "window",   "workers",
};

static const char *const names[] = {
  "address",      "backend",    "birthday",  "birthplace",  "boss",       "branch",    "broker",
  "bucket",       "bundler",    "charset",   "ci",          "city",       "company",   "compiler",
  "country",      "currency",   "database",  "db",          "deadline",   "domain",    "employer",
  "encoding",     "endpoint",   "engine",    "family",      "format",     "formatter", "framework",
  "headquarters", "hometown",   "host",      "hosting",     "hostname",   "husband",   "job",
  "lead",         "licence",    "license",   "linter",      "locale",     "location",  "maintainer",
  "manager",      "material",   "namespace", "nationality", "occupation", "orm",       "owner",
  "port",         "profession", "protocol",  "provider",    "region",     "registry",  "repo",
  "repository",   "residence",  "role",      "runtime",     "spouse",     "style",     "supervisor",
  "timezone",     "url",        "version",   "wife",        "zone",
};

static const char *const only_one[] = {
  "default", "favorite", "favourite", "max", "maximum", "min", "minimum", "official", "primary",
};

/* One of several, or none that stands. */
static const char *const one_of_several[] = {
  "a",       "additional", "all",       "an",       "another",  "any",      "average", "both",
  "each",    "every",      "example",   "expected", "first",    "former",   "future",  "last",
  "new",     "next",       "old",       "one",      "only",     "original", "other",   "past",
  "planned", "possible",   "potential", "previous", "prior",    "proposed", "second",  "several",
  "some",    "suggested",  "third",     "typical",  "upcoming", "usual",    "various",
};

/* A value with one of these says more than a name does, or less. */
static const char *const no_name[] = {
  "about", "also",    "although", "and",      "as",      "at",   "because", "being", "between",
  "but",   "by",      "either",   "for",      "from",    "if",   "in",      "into",  "is",
  "it",    "its",     "likely",   "maybe",    "of",      "on",   "only",    "or",    "over",
  "per",   "perhaps", "possibly", "probably", "since",   "so",   "still",   "than",  "that",
  "the",   "then",    "there",    "this",     "through", "to",   "too",     "under", "unless",
  "until", "very",    "via",      "was",      "were",    "when", "where",   "which", "while",
  "who",   "will",    "with",     "yet",
};

/* What a thing is like, and not which it is. */
static const char *const states[] = {
  "active",    "available", "bad",   "big",       "broken",    "busy",   "cheap",
  "complex",   "critical",  "dead",  "different", "down",      "easy",   "empty",
  "expensive", "fast",      "fine",  "flexible",  "full",      "good",   "great",
  "here",      "high",      "huge",  "important", "invalid",   "large",  "late",
  "local",     "long",      "low",   "missing",   "near",      "nice",   "offline",
  "old",       "online",    "open",  "optional",  "private",   "public", "ready",
  "remote",    "required",  "safe",  "secure",    "sensitive", "short",  "similar",
  "simple",    "slow",      "small", "stable",    "strict",    "tight",  "unavailable",
  "unclear",   "unstable",  "up",    "valid",     "variable",  "wrong",
};

enum { MEASURES, NAMES, ONLY_ONE, ONE_OF_SEVERAL, NO_NAME, STATES };
const hm_word_list hm_attribute_lists[HM_ATTRIBUTE_LISTS] = {
  [MEASURES] = { measures, HM_COUNT(measures) },
  [NAMES] = { names, HM_COUNT(names) },
  [ONLY_ONE] = { only_one, HM_COUNT(only_one) },
  [ONE_OF_SEVERAL] = { one_of_several, HM_COUNT(one_of_several) },
  [NO_NAME] = { no_name, HM_COUNT(no_name) },
  [STATES] = { states, HM_COUNT(states) },
};

static bool is_listed(hm_str word, int list) {
  return hm_word_listed(word, &hm_attribute_lists[list]);
}

/* --- the value --------------------------------------------------------------------- */

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* PostgreSQL, "eu-west-1", v2, node.js, `main`, Ångström; not "slow". */
static bool looks_like_name(hm_str word) {
  if (is_upper(word.p[0]) || (word.p[0] & 0x80) || strchr("`\"'", word.p[0])) return true;
  for (size_t i = 0; i < word.n; i++)
    if (is_digit(word.p[i]) || (word.p[i] && strchr("-_./@+#", word.p[i]))) return true;
  return false;
}

/* One short name, in one clause. */
static bool is_name(const hm_words *w) {
  if (!w->n || w->more || w->n > VALUE_WORDS || w->text.n > VALUE_BYTES) return false;
  for (size_t i = hm_words_article(w, 0); i < w->n; i++) {
    if (is_listed(w->w[i], NO_NAME) || is_listed(w->w[i], STATES)) return false;
    for (size_t k = 0; k < w->w[i].n; k++)
      if (w->w[i].p[k] && strchr(",;:!?(){}[]", w->w[i].p[k])) return false;
  }
  return true;
}

/* "changing", "deprecated": what happens to it. */
static bool is_participle(hm_str word) {
  return hm_str_ends(word, "ing") || hm_str_ends(word, "ed") || hm_str_ends(word, "ly");
}

/* --- the attribute ------------------------------------------------------------------- */

hm_one_value hm_attribute_of(hm_str phrase, hm_str value, hm_joined by, bool about, hm_arena *a) {
  hm_words w, v;
  hm_words_split(&w, phrase);
  hm_words_split(&v, value);
  size_t from = hm_words_is(&w, 0, "the") ? 1 : 0;
  if (w.more || from >= w.n || w.n - from > PHRASE_WORDS) return HM_MANY_VALUES;
  if (by == HM_BY_COLON && !about && w.n - from < 2) return HM_MANY_VALUES;
  for (size_t i = from; i < w.n; i++)
    if (is_listed(w.w[i], ONE_OF_SEVERAL) || is_listed(w.w[i], NO_NAME)) return HM_MANY_VALUES;
  hm_str name = hm_text_name(a, w.w[w.n - 1]);
  const char *gap = name.n ? memrchr(name.p, '_', name.n) : NULL;
  if (gap) name = hm_str_sub(name, (size_t)(gap - name.p) + 1, name.n);
  bool only = is_listed(w.w[from], ONLY_ONE);
  bool named = only || is_listed(name, NAMES);
  bool measured = only || is_listed(name, MEASURES) || hm_str_is(name, "version");
  if (named && is_name(&v) &&
      (by != HM_BY_IS || looks_like_name(v.w[v.n - 1]) || (about && !is_participle(v.w[0]))))
    return HM_ONE_VALUE;
  return measured ? HM_ONE_MEASURE : HM_MANY_VALUES;
}

/* --- about a subject ------------------------------------------------------------------ */

/* The words behind the subject, and perhaps behind "is", that name an attribute. */
static const struct {
  const char *words[4], *attribute;
} predicates[] = {
  { { "works", "at" }, "employer" },
  { { "works", "for" }, "employer" },
  { { "employed", "at" }, "employer" },
  { { "employed", "by" }, "employer" },
  { { "works", "as" }, "role" },
  { { "lives", "in" }, "residence" },
  { { "resides", "in" }, "residence" },
  { { "based", "in" }, "location" },
  { { "located", "in" }, "location" },
  { { "headquartered", "in" }, "headquarters" },
  { { "reports", "to" }, "manager" },
  { { "managed", "by" }, "manager" },
  { { "married", "to" }, "spouse" },
  { { "was", "born", "on" }, "birthday" },
  { { "licensed", "under" }, "license" },
  { { "owned", "by" }, "owner" },
  { { "maintained", "by" }, "maintainer" },
  { { "hosted", "on" }, "hosting" },
};
static const char *const it[] = { "it", NULL };
static const char *const its[] = { "its", NULL };
static const char *const now[] = { "currently", "now", "presently", NULL };
static const char *const tails[] = { "as",  "at",    "since", "in",     "on",
                                     "for", "from",  "with",  "until",  "where",
                                     "who", "which", "after", "before", NULL };

/* Words at i that the name of the subject takes: "Alice", "Alice's", "Alice Smith". */
static size_t match_subject(const hm_words *w, size_t i, hm_str subject, bool *owns, hm_arena *a) {
  hm_str name = hm_text_name(a, subject);
  *owns = false;
  for (size_t n = 1; i + n <= w->n && n <= 6; n++) {
    hm_str span = hm_words_span(w, i, i + n);
    if (span.n > 4 * subject.n + 4) break;
    size_t ending = hm_str_ends(span, "'s") ? 2 : hm_str_ends(span, "\u2019s") ? 4 : 0;
    *owns = ending > 0;
    if (hm_str_eq(hm_text_name(a, hm_str_sub(span, 0, span.n - ending)), name)) return n;
  }
  *owns = false;
  return 0;
}

/* "Acme as an engineer, since 2019" is "Acme". */
static hm_str cut_tail(hm_str value) {
  hm_words w;
  hm_words_split(&w, value);
  for (size_t i = 0; i < w.n; i++) {
    if (i && hm_words_in(&w, i, tails)) return hm_words_span(&w, 0, i);
    hm_str word = w.w[i];
    if (!hm_str_ends(word, ",") && !hm_str_ends(word, ";")) continue;
    return hm_str_sub(value, 0, (size_t)(word.p + word.n - 1 - value.p));
  }
  return value;
}

static size_t match_words(const hm_words *w, size_t i, const char *const *words, size_t n) {
  size_t k = 0;
  while (k < n && words[k] && hm_words_is(w, i + k, words[k])) k++;
  return k == n || !words[k] ? k : 0;
}

static bool read_predicate(hm_memory_parts *out, const hm_words *w, size_t i, hm_arena *a) {
  for (size_t p = 0; p < HM_COUNT(predicates); p++) {
    size_t n = match_words(w, i, predicates[p].words, HM_COUNT(predicates[p].words));
    if (!n) continue;
    hm_words v;
    hm_str value = cut_tail(hm_words_rest(w, hm_words_article(w, i + n)));
    hm_words_split(&v, value);
    if (!hm_memory_statement(value, a) || !is_name(&v)) return true;
    bool role = strcmp(predicates[p].attribute, "role") == 0;
    bool time = is_digit(value.p[0]) && strcmp(predicates[p].attribute, "birthday") != 0;
    /* "lives in a flat", "works at 9 am" */
    if (time || (!role && !looks_like_name(v.w[v.n - 1]))) return true;
    *out = (hm_memory_parts){ hm_str_c(predicates[p].attribute), value, value, HM_ONE_VALUE };
    return true;
  }
  return false;
}

/* "rate limit 500 req/s", "version 2.3": a measure and its value, and no word beside them. */
static void read_bare_measure(hm_memory_parts *out, const hm_words *w, size_t i, hm_arena *a) {
  size_t k = i;
  while (k < w->n && !is_digit(w->w[k].p[0])) k++;
  if (k == i || k == w->n || w->more || w->n - k > 2) return;
  hm_str phrase = hm_words_span(w, i, k), value = hm_words_rest(w, k);
  if (hm_attribute_of(phrase, HM_EMPTY, HM_BY_EQUALS, true, a) != HM_ONE_MEASURE) return;
  *out = (hm_memory_parts){ hm_text_name(a, phrase), value, value, HM_ONE_MEASURE };
}

void hm_memory_about(hm_memory_parts *out, hm_str subject, hm_str content, hm_arena *a) {
  hm_words w;
  bool owns;
  hm_words_split(&w, content);
  size_t i = hm_words_is(&w, 0, "the") ? 1 : 0, n = match_subject(&w, i, subject, &owns, a);
  if (!n) i = 0;
  if (!n) n = hm_words_subject(&w, &owns); /* "she", "the user's" */
  if (!n && hm_words_in(&w, i, its)) n = 1, owns = true;
  else if (!n && hm_words_in(&w, i, it)) n = 1;
  i += n;
  bool is = hm_words_is(&w, i, "is");
  size_t verb = is ? i + 1 : i;
  while (hm_words_in(&w, verb, now)) verb++;
  if (!owns && read_predicate(out, &w, verb, a)) return;
  if (n && !owns && is) return; /* "Alice is tall" */
  hm_memory_phrase(out, hm_words_rest(&w, i), true, a);
  if (!out->slot.n) read_bare_measure(out, &w, i, a);
}
