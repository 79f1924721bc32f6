/* The table of names of attributes that are one.
 *
 * The last words of a name decide, and all before them is the same: "cache_ttl" is
 * "cache_lifetime", "ttl_cache" is neither. A bound may stand first or last. Two things that are
 * nearly always one are in the table; what is often two ("host" and "server") is not, since a false
 * alarm costs more than a miss. Cost: a binary search for each of the last three words. */
#include "core/prose/attribute_names.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"

enum { WORDS_MAX = 3 };

typedef struct {
  const char *words, *name[HM_OF_ALL]; /* NULL: it has no other for such values */
} synonym;

#define ANY(name)                                                                                  \
  { name, name, name }
#define SPAN                                                                                       \
  { NULL, "lifetime", NULL }
#define END                                                                                        \
  { NULL, "lifetime", "expiry_date" }

/* Sorted. Sources: Merriam-Webster; WordNet; keys of Kubernetes, Spring and Django; of the end of a
 * validity schema.org, X.509 and RFC 9111. */
static const synonym synonyms[] = {
  { "birth_date", ANY("birthday") },
  { "birth_place", ANY("birthplace") },
  { "birthdate", ANY("birthday") },
  { "colour", ANY("color") },
  { "date_of_birth", ANY("birthday") },
  { "dob", ANY("birthday") },
  { "due_date", ANY("deadline") },
  { "e_mail", ANY("email") },
  { "email_address", ANY("email") },
  { "expiration", END },
  { "expiration_date", ANY("expiry_date") },
  { "expires", END },
  { "expires_at", END },
  { "expires_on", END },
  { "expiry", END },
  { "licence", ANY("license") },
  { "lifespan", SPAN },
  { "maintainer", ANY("owner") },
  { "organisation", ANY("organization") },
  { "phone_number", ANY("phone") },
  { "place_of_birth", ANY("birthplace") },
  { "telephone", ANY("phone") },
  { "telephone_number", ANY("phone") },
  { "time_to_live", SPAN },
  { "timezone", ANY("time_zone") },
  { "ttl", SPAN },
  { "tz", ANY("time_zone") },
  { "valid_until", END },
  { "validity", SPAN },
  { "weight", ANY("mass") },
};

/* Words of a bound, and the one that stands for them. */
static const struct {
  const char *word, *one;
} limits[] = {
  { "max", "max" },     { "maximum", "max" }, { "maximal", "max" },     { "min", "min" },
  { "minimum", "min" }, { "minimal", "min" }, { "default", "default" },
};

static int by_words(const void *key, const void *row) {
  return hm_str_cmp(*(const hm_str *)key, hm_str_c(((const synonym *)row)->words));
}

hm_str hm_attribute_synonym(hm_str words, hm_attribute_of of) {
  const synonym *s = bsearch(&words, synonyms, HM_COUNT(synonyms), sizeof *synonyms, by_words);
  return s && s->name[of] ? hm_str_c(s->name[of]) : HM_EMPTY;
}

/* "max" of "maximum"; NULL: the word is no bound. */
static const char *limit_of(hm_str word) {
  for (size_t i = 0; i < HM_COUNT(limits); i++)
    if (hm_str_is(word, limits[i].word))
      return limits[i].one;
  return NULL;
}

/* Takes the bound out of a name: "size" of "maximum_size" and of "size_max". */
static const char *take_limit(hm_str *name) {
  const char *first = memchr(name->p, '_', name->n), *last = memrchr(name->p, '_', name->n);
  size_t head = first ? (size_t)(first - name->p) : 0, tail = first ? (size_t)(last - name->p) : 0;
  const char *limit = head ? limit_of(hm_str_sub(*name, 0, head)) : NULL;
  if (limit) {
    *name = hm_str_sub(*name, head + 1, name->n);
    return limit;
  }
  limit = tail ? limit_of(hm_str_sub(*name, tail + 1, name->n)) : NULL;
  if (limit)
    *name = hm_str_sub(*name, 0, tail);
  return limit;
}

hm_str hm_attribute_one_name(hm_arena *a, hm_str name, hm_attribute_of of) {
  hm_str rest = name, one = HM_EMPTY;
  const char *limit = name.n ? take_limit(&rest) : NULL;
  size_t from = rest.n;
  for (size_t n = 0, at = rest.n; n < WORDS_MAX && at; n++) {
    const char *before = memrchr(rest.p, '_', at);
    at = before ? (size_t)(before - rest.p) : 0;
    hm_str found = hm_attribute_synonym(hm_str_sub(rest, at + (before != NULL), rest.n), of);
    if (found.n)
      one = found, from = at + (before != NULL);
  }
  if (!one.n && !limit)
    return name;
  hm_str prefix = limit ? hm_str_c(limit) : HM_EMPTY;
  return HM_CAT(a, prefix, limit ? HM_STR("_") : HM_EMPTY, hm_str_sub(rest, 0, from), one);
}

hm_str hm_attribute_behind_limit(hm_str name) {
  return name.n && take_limit(&name) ? name : HM_EMPTY;
}

bool hm_attribute_names_are_sorted(void) { return HM_WORDS_ARE_SORTED(synonyms); }
