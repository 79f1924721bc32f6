/* "prefers rebase workflow", "uses ruff for linting", "prefers tabs over spaces". */
#include <string.h>

#include "core/base/text.h"
#include "core/claim/memory_impl.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const adverbs[] = {
  "always", "usually", "generally", "really", "strongly", NULL
};
static const char *const verbs[] = { "prefer", "prefers", "use", "uses", "like", "likes", NULL };
static const char *const prefer[] = { "prefer", "prefers", NULL };

/* Between two alternatives. "to" only after "prefers": "uses git to deploy" has none. */
static const struct { const char *first, *second; bool prefers; } versus[] = {
  { "over", NULL, false }, { "instead", "of", false }, { "rather", "than", false },
  { "to", NULL, true },
};

/* With one of these the sentence says more than this grammar understands. */
static const char *const words[] = {
  "&", "+", "->", "/", "=", "about", "across", "after", "against", "also", "although", "among",
  "and", "are", "around", "as",
  "at", "be", "because", "before", "between", "both", "but", "by", "despite", "during", "either",
  "except", "for", "from",
  "how", "if", "in", "instead", "into", "is", "it", "its", "like", "occasionally", "of", "often",
  "on", "once", "only", "onto",
  "or", "over", "per", "rather", "since", "so", "sometimes", "than", "that", "them", "then",
  "these", "they", "this", "those",
  "though", "through", "to", "too", "toward", "towards", "under", "unless", "until", "via", "was",
  "were", "what", "when",
  "whenever", "where", "whether", "which", "while", "who", "whose", "why", "with", "within", "yet",
};
const hm_word_list hm_preference_refused = { words, COUNT(words) };

enum { PHRASE_MAX = 8 };

/* Words [from, to) of the sentence, without a leading article. */
typedef struct { size_t from, to; } phrase;

/* A stop or bracket means a clause. A dot inside a name (".NET", "v2.1") does not. */
static bool is_plain_word(hm_str w) {
  if (hm_word_listed(w, &hm_preference_refused) || hm_word_listed(w, &hm_negations)) return false;
  if (hm_str_ends(w, "n't") || hm_str_ends(w, "n\u2019t")) return false;
  for (size_t i = 0; i < w.n; i++)
    if (w.p[i] && strchr(",;:!?()[]{}", w.p[i])) return false;
  return w.p[w.n - 1] != '.';
}

static bool is_phrase(const hm_words *w, phrase p) {
  if (p.from >= p.to || p.to - p.from > PHRASE_MAX) return false;
  for (size_t i = p.from; i < p.to; i++)
    if (!is_plain_word(w->w[i])) return false;
  return true;
}

static phrase phrase_of(const hm_words *w, size_t from, size_t to) {
  from = hm_words_article(w, from);
  return (phrase){ from, to };
}

static hm_str text_of(const hm_words *w, phrase p) { return hm_words_span(w, p.from, p.to); }
static hm_str name_of(const hm_words *w, phrase p, hm_arena *a) {
  return hm_text_name(a, text_of(w, p));
}

/* Words of a connector at i, or 0. */
static size_t versus_at(const hm_words *w, size_t i, bool prefers) {
  for (size_t k = 0; k < COUNT(versus); k++) {
    if (!hm_words_is(w, i, versus[k].first) || (versus[k].prefers && !prefers)) continue;
    if (!versus[k].second) return 1;
    if (hm_words_is(w, i + 1, versus[k].second)) return 2;
  }
  return 0;
}

/* The object's parts: X [versus Z] [for Y], in either order; an absent one is empty. */
typedef struct { phrase x, z, y; bool has_z, has_y; } object;

static bool is_boundary(const hm_words *w, size_t i, bool prefers) {
  return i == w->n || hm_words_is(w, i, "for") || versus_at(w, i, prefers);
}

static size_t next_boundary(const hm_words *w, size_t i, bool prefers) {
  while (!is_boundary(w, i, prefers)) i++;
  return i;
}

static bool read_object(object *o, const hm_words *w, size_t i, bool prefers) {
  *o = (object){ 0 };
  size_t end = next_boundary(w, i, prefers);
  o->x = phrase_of(w, i, end);
  if (!is_phrase(w, o->x)) return false;
  while (end < w->n) {
    bool is_for = hm_words_is(w, end, "for");
    bool *has = is_for ? &o->has_y : &o->has_z;
    size_t from = end + (is_for ? 1 : versus_at(w, end, prefers));
    end = next_boundary(w, from, prefers);
    phrase p = phrase_of(w, from, end);
    if (*has || !is_phrase(w, p)) return false;
    *has = true;
    *(is_for ? &o->y : &o->z) = p;
  }
  return true;
}

static hm_str alternatives(hm_str x, hm_str z, hm_arena *a) {
  int d = hm_str_cmp(x, z);
  if (!d || !x.n || !z.n) return HM_EMPTY;
  hm_str first = d < 0 ? x : z, second = d < 0 ? z : x;
  char *p = hm_alloc(a, first.n + second.n + 2), *at = (char *)mempcpy(p, first.p, first.n);
  *at++ = '|';
  memcpy(at, second.p, second.n);
  return (hm_str){ p, first.n + second.n + 1 };
}

static void name_slot(hm_memory_parts *out, const hm_words *w, const object *o, hm_arena *a) {
  out->value = text_of(w, o->x);
  if (o->has_y) {
    out->slot = name_of(w, o->y, a);
  } else if (o->has_z) {
    out->slot = alternatives(name_of(w, o->x, a), name_of(w, o->z, a), a);
  } else if (o->x.to - o->x.from > 1) {
    out->value = hm_words_span(w, o->x.from, o->x.to - 1);
    out->slot = hm_text_name(a, w->w[o->x.to - 1]);
  }
}

/* "prefers using ruff", "likes to use ruff" speak of ruff. */
static size_t skip_using(const hm_words *w, size_t i) {
  if (hm_words_is(w, i, "using")) return i + 1;
  return hm_words_is(w, i, "to") && hm_words_is(w, i + 1, "use") ? i + 2 : i;
}

void hm_memory_preference(hm_memory_parts *out, hm_str content, hm_arena *a) {
  hm_words w;
  hm_words_split(&w, content);
  bool possessive;
  size_t i = hm_words_subject(&w, &possessive);
  while (hm_words_in(&w, i, adverbs)) i++;
  if (possessive || !hm_words_in(&w, i, verbs)) return;
  bool prefers = hm_words_in(&w, i, prefer);
  i = skip_using(&w, i + 1);
  out->object = hm_words_rest(&w, hm_words_article(&w, i));
  object o;
  if (!w.more && read_object(&o, &w, i, prefers)) name_slot(out, &w, &o, a);
}
