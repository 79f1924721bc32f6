/* One question for a person who has read none of the rows: does this still hold?
 *
 * From the slot alone: its words, with the capitals that the text gives them ("API"), the project
 * unless a subject is named, the qualifier, the value as it is shown. A switch that is not
 * simply on or off ("must be signed") is asked in the text's own words. Of a choice whose slot
 * comes from the family of its value, "style" is left out: "Is the API of p05 still REST?" */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/story.h"

enum { VALUE_SHOWN = 80, WORDS_SHOWN = 160 };

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80);
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

/* Words of slots that are written in capitals, where the text has another word; sorted. */
static const char *const CAPITALS[] = { "api", "cdn", "ci",  "cpu", "css", "dns", "http", "os",
                                        "sdk", "sla", "sql", "ssl", "tls", "ttl", "ui",   "url" };

static int by_word(const void *key, const void *entry) {
  const char *word = *(const char *const *)entry;
  return hm_str_cmp(*(const hm_str *)key, hm_str_c(word));
}

static hm_str in_capitals(hm_str word, hm_arena *a) {
  if (!bsearch(&word, CAPITALS, HM_COUNT(CAPITALS), sizeof *CAPITALS, by_word)) return word;
  char *out = hm_str_z(a, word);
  for (size_t i = 0; i < word.n; i++) out[i] = (char)(out[i] - 32);
  return (hm_str){ out, word.n };
}

/* The word as the text writes it, where it has capitals that are none of a sentence's begin. */
static hm_str as_written(hm_str words, hm_str word, hm_arena *a) {
  for (size_t i = 0; i + word.n <= words.n; i++) {
    size_t n = 0, capitals = 0;
    if (i && is_letter(words.p[i - 1])) continue;
    while (n < word.n && lower(words.p[i + n]) == word.p[n]) {
      capitals += words.p[i + n] != word.p[n];
      n++;
    }
    if (n < word.n || (i + n < words.n && is_letter(words.p[i + n]))) continue;
    bool begins = i == 0 && capitals == 1 && words.p[0] != word.p[0];
    return begins ? word : hm_str_sub(words, i, i + n);
  }
  return in_capitals(word, a);
}

/* "api_timeout" -> "API timeout". */
static hm_str spoken(hm_str name, hm_str words, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < name.n;) {
    const char *end = memchr(name.p + i, '_', name.n - i);
    size_t to = end ? (size_t)(end - name.p) : name.n;
    if (b.n) hm_buf_ch(&b, ' ');
    hm_buf_str(&b, as_written(words, hm_str_sub(name, i, to), a));
    i = to + 1;
  }
  return hm_buf_take(&b, a);
}

static hm_str cut(hm_str s, size_t max, hm_arena *a) {
  hm_str text = hm_text_repair(a, hm_str_trim(s)), shown = hm_text_cut(text, max);
  return shown.n < text.n ? HM_CAT(a, shown, HM_STR("…")) : shown;
}

static bool is_plain_switch(hm_str value) {
  static const char *const words[] = { "disabled", "enabled", "off", "on" };
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (value.n == strlen(words[i]) && strncasecmp(value.p, words[i], value.n) == 0) return true;
  return false;
}

hm_str hm_story_question(const hm_prose_claim *c, hm_str project, hm_arena *a) {
  static const char style[] = "_style";
  size_t ending = sizeof "-based" - 1;   /* "the API is REST-based": REST */
  if (c->shape != HM_SHAPE_CHOICE || !hm_str_ends(c->value, "-based")) ending = 0;
  hm_str value = cut(hm_str_sub(c->value, 0, c->value.n - ending), VALUE_SHOWN, a);
  hm_str what, of = HM_EMPTY, which = HM_EMPTY;
  if (c->shape == HM_SHAPE_SWITCH && !is_plain_switch(c->value))
    return HM_CAT(a, HM_STR("Does it still hold: \""), cut(c->words, WORDS_SHOWN, a),
                  HM_STR("\"?"));
  bool named = (c->shape == HM_SHAPE_ATTRIBUTE || c->shape == HM_SHAPE_STATUS) && c->subject.n;
  hm_str name = named ? c->attribute : c->slot;
  if (c->family && hm_str_ends(name, style)) name.n -= sizeof style - 1;
  what = spoken(name, c->words, a);
  if (named) of = spoken(c->subject, c->words, a);
  else of = cut(project, VALUE_SHOWN, a);
  if (of.n) of = HM_CAT(a, HM_STR(" of "), of);
  if (c->qualifier.n)
    which = HM_CAT(a, HM_STR(" ("), spoken(c->qualifier, c->words, a), HM_STR(")"));
  const char *article = c->shape == HM_SHAPE_KEY || c->shape == HM_SHAPE_SWITCH ? "" : "the ";
  const char *only = c->only ? "only " : "", *deny = c->denied ? "not " : "";
  return hm_str_fmt(a, "Is %s%.*s%.*s%.*s still %s%s%.*s?", article, HM_FMT(what), HM_FMT(of),
                    HM_FMT(which), deny, only, HM_FMT(value));
}
