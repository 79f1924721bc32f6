/* Which texts are stories, which written times do not count, and the question about a claim:
 * story.h.
 *
 * Ten memories with the same second come from an import, so that second does not say when one was
 * written.
 *
 * The question asks a reader who has read none of the rows whether this still holds. It is made
 * from the slot's words, with capitals as in the text ("API"), the project unless there is a
 * subject, the qualifier, and the value as shown. A switch that is not simply on or off ("must be
 * signed") is asked in the words of the text. For a choice whose slot comes from the family of its
 * value, "style" is dropped: "Is the API of p05 still REST?" */
#include "core/claim/story.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/claim/memory.h"
#include "core/claim/memory_forms.h"

bool hm_story_claim_is_context(const hm_story_claim *s) { return s->past || s->mention; }

int hm_story_session_gap(const hm_story *story) { return story ? story->gap : HM_SESSION_GAP; }

static bool is_listed(const hm_story *story, hm_str name) {
  size_t n = story ? story->n_types : 0;
  size_t at = n ? hm_lower_bound(story->types, n, sizeof name, &name, hm_order_str) : 0;
  return at < n && hm_str_eq(story->types[at], name);
}

/* Is a memory of this type read as prose? */
static bool story_reads_type(const hm_story *story, hm_str type) {
  static const char *const others[] = { "episodic", "identity", "preference", NULL };
  char folded[64];
  if (!hm_word_in(type, others))
    return true;
  if (!story || !type.n || type.n > sizeof folded)
    return false;
  for (size_t i = 0; i < type.n; i++)
    folded[i] = hm_ascii_lower(type.p[i]);
  return is_listed(story, (hm_str){ folded, type.n });
}

/* An identity or a preference in which its own grammar finds nothing. */
static bool is_silent(const hm_row *row, hm_arena *scratch) {
  static const char *const personal[] = { "identity", "preference", NULL };
  hm_memory_claim m;
  if (!hm_word_in(row->type, personal) || row->polarity)
    return false;
  hm_memory_read(&m, row, scratch);
  return !m.slot.n;
}

bool hm_story_reads_row(const hm_story *story, const hm_row *row, hm_arena *scratch) {
  hm_str subject;
  if (row->layer != HM_MEMORY)
    return false;
  if (!story_reads_type(story, row->type) && !is_silent(row, scratch))
    return false;
  return !hm_str_trim(row->slot_rule).n || hm_memory_parse_subject_rule(row, &subject);
}

bool hm_story_reads_field(const hm_story *story, hm_str type, hm_str field, hm_arena *scratch) {
  if (!story || !story->n_types)
    return false;
  return is_listed(story, HM_CAT(scratch, type, HM_STR("."), field));
}

/* --- imports ---------------------------------------------------------------------------- */

static hm_time second_of(hm_time t) {
  if (t < HM_TIME_MIN + 1000000)
    return t;
  hm_time s = t / 1000000;
  return (t < 0 && t % 1000000 ? s - 1 : s) * 1000000;
}

/* As unsigned numbers times are in their order when the sign is the other way round. */
static const uint64_t SIGN = UINT64_C(1) << 63;

const hm_time *hm_list_crowded_seconds(const hm_snapshot *snap, hm_arena *a, size_t *n) {
  size_t first = snap->first[HM_MEMORY], end = snap->first[HM_MEMORY + 1], all = 0;
  *n = snap->n_crowded;
  if (snap->crowded || end - first < HM_CROWD)
    return snap->crowded;
  uint64_t *v = hm_xmalloc((end - first) * sizeof *v);
  hm_time t;
  for (size_t i = first; i < end; i++) {
    if (hm_parse_written_second(snap->rows[i].created_at, &t))
      v[all++] = (uint64_t)t ^ SIGN;
  }
  hm_numbers_sort(v, all);
  for (size_t i = 0, end_of; i < all; i = end_of) {
    for (end_of = i + 1; end_of < all && v[end_of] == v[i];)
      end_of++;
    if (end_of - i >= HM_CROWD)
      v[(*n)++] = v[i];
  }
  hm_time *out = hm_alloc_array(a, *n + 1, sizeof *out);
  for (size_t i = 0; i < *n; i++)
    out[i] = (hm_time)(v[i] ^ SIGN);
  free(v);
  return out;
}

bool hm_parse_written_second(hm_str written, hm_time *out) {
  hm_time t;
  if (!hm_time_parse(written, &t, &(hm_precision){ 0 }))
    return false;
  *out = second_of(t);
  return true;
}

bool hm_second_is_crowded(const hm_time *crowded, size_t n, hm_time t) {
  hm_time second = second_of(t);
  return n && bsearch(&second, crowded, n, sizeof second, hm_order_i64) != NULL;
}

/* --- what decides ------------------------------------------------------------------------ */

hm_str hm_story_digest(const hm_story *story, hm_arena *a) {
  hm_sha256 h;
  if (!story)
    return HM_EMPTY;
  hm_sha256_init(&h);
  hm_sha256_field(&h, hm_str_fmt(a, "%zu %d %d", story->n_types, story->gap, story->never_compare));
  for (size_t i = 0; i < story->n_types; i++)
    hm_sha256_field(&h, story->types[i]);
  for (size_t i = 0; story->families && i < story->families->n; i++) {
    const hm_family *f = &story->families->families[i];
    hm_sha256_field(&h, hm_str_c(f->name));
    hm_sha256_field(&h, hm_str_c(f->values));
  }
  return hm_sha256_hex(&h, a, 16);
}

/* --- the question ----------------------------------------------------------------------------- */

enum { VALUE_SHOWN = 80, WORDS_SHOWN = 160, CHOICES_SHOWN = 5 };

static bool is_letter(char c) { return hm_is_alnum(c) || (c & 0x80); }

/* Words of slots that are written in capitals, where the text has another word; sorted. */
static const char *const CAPITALS[] = { "api", "cdn", "ci",  "cpu", "css", "dns", "http", "os",
                                        "sdk", "sla", "sql", "ssl", "tls", "ttl", "ui",   "url" };

static hm_str in_capitals(hm_str word, hm_arena *a) {
  if (!bsearch(&word, CAPITALS, HM_COUNT(CAPITALS), sizeof *CAPITALS, hm_order_word))
    return word;
  char *out = hm_str_z(a, word);
  for (size_t i = 0; i < word.n; i++)
    out[i] = (char)(out[i] - 32);
  return (hm_str){ out, word.n };
}

/* The word as in the text, if it has capitals other than at the begin of a sentence. */
static hm_str as_written(hm_str words, hm_str word, hm_arena *a) {
  for (size_t i = 0; i + word.n <= words.n; i++) {
    size_t n = 0, capitals = 0;
    if (i && is_letter(words.p[i - 1]))
      continue;
    while (n < word.n && hm_ascii_lower(words.p[i + n]) == word.p[n]) {
      capitals += words.p[i + n] != word.p[n];
      n++;
    }
    if (n < word.n || (i + n < words.n && is_letter(words.p[i + n])))
      continue;
    bool begins = i == 0 && capitals == 1 && words.p[0] != word.p[0];
    return begins ? word : hm_str_sub(words, i, i + n);
  }
  return in_capitals(word, a);
}

/* "api_timeout" -> "API timeout". */
static hm_str slot_in_words(hm_str name, hm_str words, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < name.n;) {
    const char *end = memchr(name.p + i, '_', name.n - i);
    size_t to = end ? (size_t)(end - name.p) : name.n;
    if (b.n)
      hm_buf_ch(&b, ' ');
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
    if (value.n == strlen(words[i]) && strncasecmp(value.p, words[i], value.n) == 0)
      return true;
  return false;
}

/* A whole sentence, or a switch whose text is one: a rule, a habit. */
static bool is_sentence(const hm_prose_claim *c) {
  return c->shape == HM_SHAPE_SENTENCE ||
      (c->shape == HM_SHAPE_SWITCH && !is_plain_switch(c->value));
}

hm_str hm_story_value_in_words(const hm_prose_claim *c, hm_arena *a) {
  size_t ending = sizeof "-based" - 1; /* "the API is REST-based": REST */
  if (is_sentence(c))
    return hm_str_fmt(a, "\"%.*s\"", HM_FMT(cut(c->words, WORDS_SHOWN, a)));
  if (c->shape != HM_SHAPE_CHOICE || !hm_str_ends(c->value, "-based"))
    ending = 0;
  return hm_str_fmt(a, "%s%s%.*s", c->denied ? "not " : "", c->only ? "only " : "",
                    HM_FMT(cut(hm_str_sub(c->value, 0, c->value.n - ending), VALUE_SHOWN, a)));
}

/* "API timeout of p05 (staging)" */
static hm_str slot_and_owner(const hm_prose_claim *c, hm_str project, hm_arena *a) {
  static const char style[] = "_style";
  bool named = (c->shape == HM_SHAPE_ATTRIBUTE || c->shape == HM_SHAPE_STATUS) && c->subject.n;
  hm_str name = named ? c->attribute : c->called.n ? c->called : c->slot, which = HM_EMPTY;
  if (c->family && hm_str_ends(name, style))
    name.n -= sizeof style - 1;
  hm_str of = named ? slot_in_words(c->subject, c->words, a) : cut(project, VALUE_SHOWN, a);
  if (of.n)
    of = HM_CAT(a, HM_STR(" of "), of);
  if (c->qualifier.n)
    which = HM_CAT(a, HM_STR(" ("), slot_in_words(c->qualifier, c->words, a), HM_STR(")"));
  return HM_CAT(a, slot_in_words(name, c->words, a), of, which);
}

hm_str hm_story_question(const hm_prose_claim *c, hm_str project, hm_arena *a) {
  hm_str value = hm_story_value_in_words(c, a);
  if (is_sentence(c))
    return HM_CAT(a, HM_STR("Does it still hold: "), value, HM_STR("?"));
  const char *article = c->shape == HM_SHAPE_KEY || c->shape == HM_SHAPE_SWITCH ? "" : "the ";
  return hm_str_fmt(a, "Is %s%.*s still %.*s?", article, HM_FMT(slot_and_owner(c, project, a)),
                    HM_FMT(value));
}

hm_str hm_story_choice(const hm_prose_claim *c, hm_str project, const hm_str *values, size_t n,
                       hm_arena *a) {
  hm_buf b = { 0 };
  size_t shown = n > CHOICES_SHOWN ? CHOICES_SHOWN : n;
  if (is_sentence(c))
    hm_buf_c(&b, "Which holds: ");
  else
    hm_buf_fmt(&b, "Which %.*s is right: ", HM_FMT(slot_and_owner(c, project, a)));
  for (size_t i = 0; i < shown; i++) {
    hm_buf_c(&b, !i ? "" : i + 1 < n ? ", " : " or ");
    hm_buf_str(&b, cut(values[i], WORDS_SHOWN, a));
  }
  if (shown < n)
    hm_buf_fmt(&b, " or %zu more", n - shown);
  hm_buf_ch(&b, '?');
  return hm_buf_take(&b, a);
}
