/* "area is 468", "currency = EUR", "lateral support material: GF-PTFE". */
#include <string.h>

#include "core/base/text.h"
#include "core/claim/memory_impl.h"

enum { SUBJECT_BYTES = 256, SUBJECT_WORDS = 8 };

/* A subject with one of these is no name of anything, or no statement of fact. */
static const char *const words[] = {
  "although", "anything", "are", "asked", "because", "believes", "but", "claims", "everyone",
  "everything", "he", "her",
  "here", "him", "his", "how", "i", "if", "is", "it", "its", "me", "my", "nobody", "nothing", "one",
  "or", "our", "said",
  "says", "she", "since", "someone", "something", "that", "their", "them", "there", "these", "they",
  "thinks", "this", "those",
  "though", "unless", "until", "us", "was", "we", "were", "what", "when", "where", "whether",
  "which", "while", "who", "whose",
  "why", "you", "your",
};
const hm_word_list hm_knowledge_refused = { words, sizeof words / sizeof *words };

static bool is_space(char c) { return c == ' ' || c == '\t'; }

/* Where the subject ends and the value begins. */
typedef struct { size_t end, value; } split;

static bool is_colon(hm_str s, size_t i) {
  return s.p[i] == ':' && (i + 1 == s.n || is_space(s.p[i + 1]));
}

static bool is_verb(hm_str s, size_t i) {
  return is_space(s.p[i]) && i + 3 < s.n && hm_word_is(hm_str_sub(s, i + 1, i + 3), "is") &&
      is_space(s.p[i + 3]);
}

/* "==", "!=", "<=", ":=", "=>" compare or assign; they state nothing. */
static bool is_lone_equals(hm_str s, size_t i) {
  char before = i ? s.p[i - 1] : ' ', after = i + 1 < s.n ? s.p[i + 1] : ' ';
  return !(before && strchr("=!<>:~+-*/%|&^", before)) && !(after && strchr("=<>~", after));
}

static size_t skip_url(hm_str s, size_t i) {
  while (i < s.n && !is_space(s.p[i])) i++;
  return i;
}

/* The first separator, when there is one that states something. */
static bool find_split(hm_str s, split *out) {
  for (size_t i = 0; i < s.n && i < SUBJECT_BYTES; i++) {
    if (s.p[i] == '\n' || s.p[i] == '\r') return false;
    if (s.p[i] == ':' && hm_str_starts(hm_str_sub(s, i, i + 3), "://")) i = skip_url(s, i);
    if (i >= s.n || i >= SUBJECT_BYTES) return false;
    if (is_colon(s, i)) return *out = (split){ i, i + 1 }, true;
    if (is_verb(s, i)) return *out = (split){ i, i + 4 }, true;
    if (s.p[i] == '=') return *out = (split){ i, i + 1 }, is_lone_equals(s, i);
  }
  return false;
}

static bool is_subject_word(hm_str w) {
  if (hm_word_listed(w, &hm_knowledge_refused) || hm_word_listed(w, &hm_negations)) return false;
  return !strchr(",;.!?", w.p[w.n - 1]) || !w.p[w.n - 1];
}

static hm_str read_subject(hm_str s, hm_arena *a) {
  hm_words w;
  hm_words_split(&w, s);
  size_t from = hm_words_article(&w, 0);
  if (w.more || from >= w.n || w.n - from > SUBJECT_WORDS) return HM_EMPTY;
  for (size_t i = from; i < w.n; i++)
    if (!is_subject_word(w.w[i])) return HM_EMPTY;
  return hm_text_name(a, hm_words_span(&w, from, w.n));
}

void hm_memory_knowledge(hm_memory_parts *out, hm_str content, hm_arena *a) {
  split at;
  if (!find_split(content, &at)) return;
  out->object = hm_str_trim(hm_str_sub(content, at.value, content.n));
  if (!hm_memory_statement(out->object, a)) return;
  out->slot = read_subject(hm_str_sub(content, 0, at.end), a);
  if (out->slot.n) out->value = out->object;
}
