/* Environments beside the one that people use: side_environment.h. All lists are sorted. Cost:
 * linear in the words of a qualifier. */
#include "core/claim/side_environment.h"

#include <string.h>

#include "core/claim/memory_forms.h"

enum { WORDS_MAX = 24 };
typedef struct {
  hm_str w[WORDS_MAX];
  size_t n;
} name_words;

/* False: too many. */
static bool split(name_words *out, hm_str name) {
  out->n = 0;
  for (size_t from = 0, i = 0; i <= name.n; i++) {
    if (i < name.n && name.p[i] != '_')
      continue;
    if (out->n == WORDS_MAX)
      return false;
    out->w[out->n++] = hm_str_sub(name, from, i);
    from = i + 1;
  }
  return true;
}

static bool is_one_of(hm_str word, const char *const *words, size_t n) {
  return hm_word_listed(word, &(hm_word_list){ words, n });
}

/* What is tried, shown or built beside what people use, also with other words: "staging cluster",
 * "load test". */
static const char *const side_words[] = {
  "canary",  "ci",       "debug",    "demo",    "dev",     "devcontainer",
  "e2e",     "emulator", "minikube", "mock",    "nightly", "playground",
  "preprod", "preview",  "proposal", "qa",      "sandbox", "simulator",
  "staging", "stg",      "test",     "testing", "uat",
};
/* What is so only alone, or before one of the words below: "local", but not "local time". */
static const char *const side_alone[] = {
  "development", "development_mode", "feature_branch", "local",   "local_development",
  "localhost",   "non_prod",         "non_production", "nonprod", "nonproduction",
  "pre_prod",    "pre_production",   "preproduction",
};
/* With one of these the qualifier also means what people use: "staging and production". */
static const char *const not_side[] = {
  "all", "any",     "each", "every", "except",     "live",    "non",
  "not", "outside", "per",  "prod",  "production", "without",
};
/* What says no more than that it is an environment. */
static const char *const environments[] = {
  "build",       "builds",       "cluster",  "clusters", "deployment", "env",
  "environment", "environments", "instance", "machine",  "server",     "servers",
  "setup",       "stack",        "system",   "tenant",
};

/* "test" of "tests" and "testing". */
static hm_str root(hm_str word) {
  return hm_str_is(word, "testing") || hm_str_is(word, "tests") ? HM_STR("test") : word;
}

static bool has_word(const name_words *in, hm_str word) {
  for (size_t i = 0; i < in->n; i++)
    if (hm_str_eq(root(in->w[i]), root(word)))
      return true;
  return false;
}

/* Has the slot's name the words of this one, in their order? */
static bool has_words(hm_str slot, hm_str name) {
  for (size_t i = 0; i + name.n <= slot.n; i++) {
    size_t end = i + name.n;
    if ((!i || slot.p[i - 1] == '_') && (end == slot.n || slot.p[end] == '_') &&
        !memcmp(slot.p + i, name.p, name.n))
      return true;
  }
  return false;
}

hm_str hm_side_environment(hm_str qualifier, hm_str slot) {
  name_words w, of;
  bool side = false;
  if (!qualifier.n || !split(&w, qualifier) || !split(&of, slot))
    return HM_EMPTY;
  while (w.n > 1 && is_one_of(w.w[w.n - 1], environments, HM_COUNT(environments)))
    w.n--;
  const char *end = w.w[w.n - 1].p + w.w[w.n - 1].n;
  hm_str name = { qualifier.p, (size_t)(end - qualifier.p) };
  if (is_one_of(name, side_alone, HM_COUNT(side_alone)))
    return has_words(slot, name) ? HM_EMPTY : name;
  for (size_t i = 0; i < w.n; i++)
    if (is_one_of(w.w[i], not_side, HM_COUNT(not_side)))
      return HM_EMPTY;
  for (size_t i = 0; i < w.n; i++)
    side = side || (is_one_of(w.w[i], side_words, HM_COUNT(side_words)) && !has_word(&of, w.w[i]));
  return side ? name : HM_EMPTY;
}

hm_str hm_qualifier_plain(hm_str qualifier) {
  static const char *const ends[] = { "_env", "_environment", "_environments" };
  for (size_t i = 0; i < HM_COUNT(ends); i++)
    if (hm_str_ends(qualifier, ends[i]) && qualifier.n > strlen(ends[i]))
      return hm_str_sub(qualifier, 0, qualifier.n - strlen(ends[i]));
  return qualifier;
}
