/* What a memory claims, and the words in which it does: memory.h has the grammar.
 *
 * This file has the table of memory types, stems, and the tools for words; the grammars themselves
 * are in memory_forms.c. Cost: linear in the first 24 words of a text; stems in its bytes. */
#include "core/claim/memory.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/redaction.h"
#include "core/base/text.h"
#include "core/claim/value.h"

/* --- words --------------------------------------------------------------------------- */

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
    while (i < text.n && !hm_is_space(text.p[i])) i++;
    out->w[out->n++] = hm_str_sub(text, from, i);
  }
}

hm_str hm_words_rest(const hm_words *w, size_t i) {
  if (i >= w->n) return HM_EMPTY;
  return hm_str_trim(hm_str_sub(w->text, (size_t)(w->w[i].p - w->text.p), w->text.n));
}

hm_str hm_words_span(const hm_words *w, size_t i, size_t j) {
  if (i >= j || j > w->n) return HM_EMPTY;
  const char *from = w->w[i].p, *to = w->w[j - 1].p + w->w[j - 1].n;
  return (hm_str){ from, (size_t)(to - from) };
}

bool hm_word_is(hm_str word, const char *z) {
  size_t i = 0;
  while (i < word.n && z[i] && hm_ascii_lower(word.p[i]) == z[i]) i++;
  return i == word.n && !z[i];
}

bool hm_word_in(hm_str word, const char *const *list) {
  if (!word.n) return false;
  char first = hm_ascii_lower(word.p[0]);
  while (*list && !(**list == first && hm_word_is(word, *list))) list++;
  return *list != NULL;
}

/* For bsearch: a word, in lower case, against an entry of a list. */
static int cmp_lower(const void *key, const void *entry) {
  hm_str word = *(const hm_str *)key;
  const char *z = *(const char *const *)entry;
  for (size_t i = 0; i < word.n; i++) {
    int d = (unsigned char)hm_ascii_lower(word.p[i]) - (unsigned char)z[i];
    if (d || !z[i]) return d ? d : 1;   /* a NUL in the word is none of z's */
  }
  return z[word.n] ? -1 : 0;
}

bool hm_word_listed(hm_str word, const hm_word_list *l) {
  return bsearch(&word, l->words, l->n, sizeof *l->words, cmp_lower) != NULL;
}

bool hm_words_is(const hm_words *w, size_t i, const char *z) {
  return i < w->n && hm_word_is(w->w[i], z);
}
bool hm_words_in(const hm_words *w, size_t i, const char *const *list) {
  return i < w->n && hm_word_in(w->w[i], list);
}

size_t hm_words_skip_article(const hm_words *w, size_t i) {
  return hm_words_in(w, i, hm_articles) ? i + 1 : i;
}

size_t hm_words_in_subject(const hm_words *w, bool *possessive) {
  *possessive = hm_words_in(w, 0, owners);
  if (*possessive || hm_words_in(w, 0, subjects)) return 1;
  size_t i = hm_words_is(w, 0, "the") ? 1 : 0;
  if (i >= w->n) return 0;
  hm_str word = w->w[i];
  size_t ending = hm_str_ends(word, "'s") ? 2 : hm_str_ends(word, "\u2019s") ? 4 : 0;
  if (!hm_word_in(hm_str_sub(word, 0, word.n - ending), nouns)) return 0;
  *possessive = ending > 0;
  return i + 1;
}

/* A line end, or a stop and white space after it. */
static bool has_second_clause(hm_str s) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (c == '\n' || c == '\r') return true;
    if (i + 1 < s.n && hm_is_space(s.p[i + 1]) && (c == '.' || c == '!' || c == '?' || c == ';'))
      return true;
  }
  return false;
}

bool hm_memory_is_statement(hm_str value, hm_arena *a) {
  if (hm_value_is_silence(value, NULL, a)) return true;
  size_t n = 0;   /* of the first word */
  while (n < value.n && !hm_is_space(value.p[n])) n++;
  if (hm_word_listed(hm_str_sub(value, 0, n), &hm_negations)) return false;
  return value.n && value.p[value.n - 1] != '?' && !has_second_clause(value);
}

/* --- memories ------------------------------------------------------------------------ */

/* Types that are not here claim only by slot_rule. */
static const struct {
  const char *type;
  void (*read)(hm_memory_parts *out, hm_str content, hm_arena *a);
  bool own_space, never, whole;   /* whole: liked or disliked, the text is its own slot */
} types[] = {
  { "identity", hm_memory_read_identity, true, false, false },
  { "preference", hm_memory_read_preference, true, false, true },
  { "knowledge", hm_memory_read_knowledge, false, false, false },
  { "project", hm_memory_read_knowledge, false, false, false },
  { "adaptation", hm_memory_read_knowledge, false, false, false },
  { "episodic", NULL, false, true, false },
  { "", NULL, false, false, false },
};

static size_t type_index(hm_str type) {
  size_t t = 0;
  while (types[t].type[0] && !hm_word_is(type, types[t].type)) t++;
  return t;
}

bool hm_memory_type_is_read(hm_str type) { return types[type_index(type)].type[0] != 0; }

/* A text that the grammar does not read and that is marked as liked or disliked is its own slot, in
 * quotes as no folded name is. */
static hm_str slot_of_text(hm_str content, hm_arena *a) {
  enum { TEXT_MAX = 512, KEPT = 448 };
  hm_str text = hm_text_fold_value(a, content);
  if (text.n <= TEXT_MAX) return hm_str_fmt(a, "\"%.*s\"", HM_FMT(text));
  hm_str kept = hm_text_cut(text, KEPT), digest = hm_str_digest_hex(a, text, 16);
  return hm_str_fmt(a, "\"%.*s\" %.*s", HM_FMT(kept), HM_FMT(digest));
}

bool hm_memory_parse_subject_rule(const hm_row *row, hm_str *subject) {
  hm_str rule = hm_str_trim(row->slot_rule);
  *subject = HM_EMPTY;
  if (!hm_str_is(rule, "*") && !hm_str_ends(rule, " *")) return false;
  *subject = hm_str_trim(hm_str_sub(rule, 0, rule.n - 1));
  return true;
}

/* "Alice prefers tabs", "Alice's role is cook", of Alice: what follows her name. */
static hm_str after_subject(hm_str content, hm_str subject) {
  for (size_t i = 0; i < subject.n; i++)
    if (i == content.n || hm_ascii_lower(content.p[i]) != hm_ascii_lower(subject.p[i]))
      return content;
  hm_str rest = hm_str_sub(content, subject.n, content.n);
  if (hm_str_starts(rest, "'s ")) rest = hm_str_sub(rest, 2, rest.n);
  else if (hm_str_starts(rest, "\u2019s ")) rest = hm_str_sub(rest, 4, rest.n);
  return rest.n && hm_is_space(rest.p[0]) ? hm_str_trim(rest) : content;
}

/* "her manager is unknown", "its port: TBD": without the word that stands for the subject. */
static hm_str after_owner(hm_str content) {
  hm_words w;
  bool owns;
  hm_words_split(&w, content);
  size_t n = hm_words_in_subject(&w, &owns);
  if (!n && hm_words_is(&w, 0, "its")) n = 1, owns = true;
  return owns ? hm_words_rest(&w, n) : content;
}

/* Knowledge about the subject. What names no attribute is read as if the subject stood in it: "is
 * 12 V" of the supply is "the supply is 12 V". */
static void read_knowledge_about(hm_memory_parts *parts, hm_str subject, hm_str content,
                                 hm_arena *a) {
  hm_words w;
  hm_str rest = after_owner(after_subject(content, subject));
  hm_words_split(&w, rest);
  if (!hm_words_is(&w, 0, "is") && *content.p != '=' && *content.p != ':') {
    hm_memory_read_knowledge(parts, rest, a);
    return;
  }
  hm_str whole = HM_CAT(a, subject, HM_STR(" "), rest);
  hm_memory_read_knowledge(parts, whole, a);
  size_t at = parts->slot.n ? (size_t)(parts->value.p - whole.p) : 0, before = subject.n + 1;
  if (at < before) *parts = (hm_memory_parts){ 0 }; /* the subject is a sentence itself */
  else parts->value = hm_str_sub(rest, at - before, at - before + parts->value.n);
}

/* A slot that begins with the subject has it already. */
static void read_about(hm_memory_parts *parts, size_t type, hm_str subject, hm_str content,
                       hm_arena *a) {
  if (!types[type].read) return;
  if (types[type].own_space) types[type].read(parts, after_subject(content, subject), a);
  else if (subject.n) read_knowledge_about(parts, subject, content, a);
  else hm_memory_read_knowledge(parts, content, a);
  hm_str name = hm_text_fold_name(a, subject), slot = parts->slot;
  if (!slot.n || !name.n) return;
  bool has = slot.n >= name.n && memcmp(slot.p, name.p, name.n) == 0;
  if (has && (slot.n == name.n || slot.p[name.n] == '_')) return;
  parts->slot = HM_CAT(a, name, HM_STR("_"), slot);
}

void hm_memory_read(hm_memory_claim *out, const hm_row *row, hm_arena *a) {
  size_t t = type_index(row->type);
  *out = (hm_memory_claim){ .own_space = types[t].own_space };
  hm_str content = hm_str_trim(row->text), subject;
  if (content.n > 1 && content.p[content.n - 1] == '.') content.n--;
  content = hm_str_trim(content);
  if (types[t].never || !content.n || hm_is_redacted(content)) return;
  hm_memory_parts parts = { 0 };
  bool about = hm_memory_parse_subject_rule(row, &subject);
  if (about) read_about(&parts, t, subject, content, a);
  else if (types[t].read) types[t].read(&parts, content, a);
  hm_str rule = row->slot_rule.n && !about ? hm_text_fold_name(a, row->slot_rule) : HM_EMPTY;
  if (types[t].own_space && hm_str_is(rule, "credential")) rule = HM_STR("credentials");
  out->slot = rule.n ? rule : parts.slot;
  out->value = !rule.n ? parts.value : parts.object.n ? parts.object : content;
  if (out->slot.n || !row->polarity || !types[t].whole) return;
  out->slot = slot_of_text(content, a);
  if (subject.n)
    out->slot =
        hm_str_join(a, (hm_str[]){ hm_text_fold_name(a, subject), HM_STR(" "), out->slot }, 3);
  out->value = content;
}

enum { STEMMED_MAX = 64 };   /* words; a longer text is compared as it is folded */

static bool is_edge(char c) { return c && strchr("\"'`,;:!?()[]{}<>", c); }

/* Quotes, brackets and stops around a word; not the signs of "C++", ".NET", "F#". */
static hm_str bare_word(hm_str w) {
  hm_str all = w;
  while (w.n && (is_edge(w.p[w.n - 1]) || w.p[w.n - 1] == '.')) w.n--;
  while (w.n && is_edge(w.p[0])) w.p++, w.n--;
  return w.n ? w : all;
}

hm_str hm_memory_stem_value(hm_arena *a, hm_str value) {
  hm_str s = hm_text_fold_value(a, value);
  hm_buf b = { 0 };
  size_t words = 0;
  for (size_t i = 0; i < s.n; i++) {
    const char *space = memchr(s.p + i, ' ', s.n - i);
    size_t end = space ? (size_t)(space - s.p) : s.n;
    hm_str w = bare_word(hm_str_sub(s, i, end));
    i = end;
    if (words++ < STEMMED_MAX) {
      if (hm_word_in(w, hm_articles)) continue;
      w = hm_text_stem(a, w);
    }
    if (b.n) hm_buf_ch(&b, ' ');
    hm_buf_str(&b, w);
  }
  hm_str out = b.n ? hm_buf_copy(&b, a) : s;
  hm_buf_free(&b);
  return out;
}
