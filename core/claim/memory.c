/* What a memory claims: memory.h has the grammar.
 *
 * This file has the table of memory types, what a slot_rule changes, and stems; the grammars
 * themselves are in memory_forms.c. Cost: linear in the first 24 words of a text; stems in its
 * bytes. */
#include "core/claim/memory.h"

#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/redaction.h"
#include "core/base/text.h"
#include "core/claim/memory_forms.h"

/* Types that are not here are read as prose (story.h), or claim by slot_rule. */
static const struct {
  const char *type;
  void (*read)(hm_memory_parts *out, hm_str content, hm_arena *a);
  bool own_space, never, whole; /* whole: liked or disliked, the text is its own slot */
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
  while (types[t].type[0] && !hm_word_is(type, types[t].type))
    t++;
  return t;
}

bool hm_memory_type_is_known(hm_str type) { return types[type_index(type)].type[0] != 0; }

/* A text that the grammar does not read and that is marked as liked or disliked is its own slot, in
 * quotes as no folded name is. */
static hm_str slot_of_text(hm_str content, hm_arena *a) {
  enum { TEXT_MAX = 512, KEPT = 448 };
  hm_str text = hm_text_fold_value(a, content);
  if (text.n <= TEXT_MAX)
    return hm_str_fmt(a, "\"%.*s\"", HM_FMT(text));
  hm_str kept = hm_text_cut(text, KEPT), digest = hm_str_digest_hex(a, text, 16);
  return hm_str_fmt(a, "\"%.*s\" %.*s", HM_FMT(kept), HM_FMT(digest));
}

bool hm_memory_parse_subject_rule(const hm_row *row, hm_str *subject) {
  hm_str rule = hm_str_trim(row->slot_rule);
  const char *last = rule.n ? memrchr(rule.p, '\n', rule.n) : NULL;
  if (last)
    rule = hm_str_sub(rule, (size_t)(last + 1 - rule.p), rule.n);
  *subject = HM_EMPTY;
  if (!hm_str_is(rule, "*") && !hm_str_ends(rule, " *"))
    return false;
  *subject = hm_str_trim(hm_str_sub(rule, 0, rule.n - 1));
  return true;
}

bool hm_memory_next_stated(hm_str *rule, hm_str *slot, bool *by_words, hm_str *value, hm_arena *a) {
  while (rule->n) {
    hm_str line = hm_str_next_line(rule);
    ptrdiff_t at = hm_str_find(line, " = ");
    if (at < 0)
      continue;
    hm_str name = hm_str_sub(line, 0, (size_t)at);
    ptrdiff_t words = hm_str_ends(name, ")") ? hm_str_find(name, " (") : -1;
    *by_words = words > 0;
    *slot = hm_text_fold_name(a, words > 0 ? hm_str_sub(name, 0, (size_t)words) : name);
    *value = hm_str_trim(hm_str_sub(line, (size_t)at + 3, line.n));
    if (slot->n && value->n)
      return true;
  }
  return false;
}

/* "Alice prefers tabs", "Alice's role is cook", of Alice: what follows her name. */
static hm_str after_subject(hm_str content, hm_str subject) {
  for (size_t i = 0; i < subject.n; i++)
    if (i == content.n || hm_ascii_lower(content.p[i]) != hm_ascii_lower(subject.p[i]))
      return content;
  hm_str rest = hm_str_sub(content, subject.n, content.n);
  if (hm_str_starts(rest, "'s "))
    rest = hm_str_sub(rest, 2, rest.n);
  else if (hm_str_starts(rest, "\u2019s "))
    rest = hm_str_sub(rest, 4, rest.n);
  return rest.n && hm_is_space(rest.p[0]) ? hm_str_trim(rest) : content;
}

/* "her manager is unknown", "its port: TBD": without the word that stands for the subject. */
static hm_str after_owner(hm_str content) {
  hm_words w;
  bool owns;
  hm_words_split(&w, content);
  size_t n = hm_words_in_subject(&w, &owns);
  if (!n && hm_words_is(&w, 0, "its"))
    n = 1, owns = true;
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
  if (at < before)
    *parts = (hm_memory_parts){ 0 }; /* the subject is a sentence itself */
  else
    parts->value = hm_str_sub(rest, at - before, at - before + parts->value.n);
}

/* A slot that begins with the subject has it already. */
static void read_about(hm_memory_parts *parts, size_t type, hm_str subject, hm_str content,
                       hm_arena *a) {
  if (!types[type].read)
    return;
  if (types[type].own_space)
    types[type].read(parts, after_subject(content, subject), a);
  else if (subject.n)
    read_knowledge_about(parts, subject, content, a);
  else
    hm_memory_read_knowledge(parts, content, a);
  hm_str name = hm_text_fold_name(a, subject), slot = parts->slot;
  if (!slot.n || !name.n)
    return;
  bool has = slot.n >= name.n && memcmp(slot.p, name.p, name.n) == 0;
  if (has && (slot.n == name.n || slot.p[name.n] == '_'))
    return;
  parts->slot = HM_CAT(a, name, HM_STR("_"), slot);
}

/* "Luis prefers tabs over spaces", of Luis: only two alternatives say what is given up, so that two
 * such texts of one person exclude each other. */
static void read_named_preference(hm_memory_parts *parts, size_t type, hm_str content,
                                  hm_arena *a) {
  hm_memory_parts own = { 0 };
  hm_str subject = hm_memory_preference_subject(content);
  if (!subject.n)
    return;
  read_about(&own, type, subject, hm_str_sub(content, (size_t)(subject.p - content.p), content.n),
             a);
  if (own.slot.n && memchr(own.slot.p, '|', own.slot.n))
    *parts = own;
}

void hm_memory_read(hm_memory_claim *out, const hm_row *row, hm_arena *a) {
  size_t t = type_index(row->type);
  *out = (hm_memory_claim){ .own_space = types[t].own_space };
  hm_str content = hm_str_trim(row->text), subject;
  if (content.n > 1 && content.p[content.n - 1] == '.')
    content.n--;
  content = hm_str_trim(content);
  bool claims_nothing = hm_str_is(hm_str_trim(row->slot_rule), "=");
  if (types[t].never || claims_nothing || !content.n || hm_is_redacted(content))
    return;
  hm_memory_parts parts = { 0 };
  bool about = hm_memory_parse_subject_rule(row, &subject);
  if (about)
    read_about(&parts, t, subject, content, a);
  else if (types[t].read)
    types[t].read(&parts, content, a);
  bool own_rule = row->slot_rule.n && !about;
  if (types[t].whole && !subject.n && !own_rule && !parts.slot.n && !parts.object.n)
    read_named_preference(&parts, t, content, a);
  hm_str rule = own_rule ? hm_text_fold_name(a, row->slot_rule) : HM_EMPTY;
  if (types[t].own_space && hm_str_is(rule, "credential"))
    rule = HM_STR("credentials");
  out->slot = rule.n ? rule : parts.slot;
  out->denied = parts.denied && out->slot.n;
  out->value = !rule.n ? parts.value : parts.object.n ? parts.object : content;
  if (out->slot.n || !row->polarity || !types[t].whole)
    return;
  out->slot = slot_of_text(content, a);
  if (subject.n)
    out->slot =
        hm_str_join(a, (hm_str[]){ hm_text_fold_name(a, subject), HM_STR(" "), out->slot }, 3);
  out->value = content;
}

enum { STEMMED_MAX = 64 }; /* words; a longer text is compared as it is folded */

static bool is_edge(char c) { return c && strchr("\"'`,;:!?()[]{}<>", c); }

/* Quotes, brackets and stops around a word; not the signs of "C++", ".NET", "F#". */
static hm_str bare_word(hm_str w) {
  hm_str all = w;
  while (w.n && (is_edge(w.p[w.n - 1]) || w.p[w.n - 1] == '.'))
    w.n--;
  while (w.n && is_edge(w.p[0]))
    w.p++, w.n--;
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
      if (hm_word_in(w, hm_articles))
        continue;
      w = hm_text_stem(a, w);
    }
    if (b.n)
      hm_buf_ch(&b, ' ');
    hm_buf_str(&b, w);
  }
  hm_str out = b.n ? hm_buf_copy(&b, a) : s;
  hm_buf_free(&b);
  return out;
}

/* The month of a folded word, from 1: "feb", "february"; 0: none. */
static int month_of(hm_str word) {
  static const char *const months[] = { "january",   "february", "march",    "april",
                                        "may",       "june",     "july",     "august",
                                        "september", "october",  "november", "december" };
  for (size_t i = 0; i < HM_COUNT(months); i++)
    if (hm_str_is(word, months[i]) || (word.n == 3 && !memcmp(word.p, months[i], 3)))
      return (int)i + 1;
  return hm_str_is(word, "sept") ? 9 : 0;
}

/* The day of a folded word: "12", "12th"; 0: none. */
static int day_of(hm_str word) {
  static const char *const ends[] = { "", "st", "nd", "rd", "th" };
  int day = 0;
  size_t n = 0;
  while (n < word.n && n < 2 && hm_is_digit(word.p[n]))
    day = day * 10 + (word.p[n++] - '0');
  for (size_t i = 0; n && day <= 31 && i < HM_COUNT(ends); i++)
    if (hm_str_is(hm_str_sub(word, n, word.n), ends[i]))
      return day;
  return 0;
}

hm_str hm_memory_day_of_any_year(hm_arena *a, hm_str name) {
  int day = 0, month = 0;
  for (size_t i = 0, from = 0; i <= name.n; i++) {
    if (i < name.n && name.p[i] != '_')
      continue;
    hm_str word = hm_str_sub(name, from, i);
    from = i + 1;
    if (hm_str_is(word, "of") || hm_str_is(word, "the"))
      continue;
    if (!month && month_of(word))
      month = month_of(word);
    else if (!day && day_of(word))
      day = day_of(word);
    else
      return name;
  }
  return day && month ? hm_str_fmt(a, "day_%d_of_month_%d", day, month) : name;
}
