#include "core/claim/memory_impl.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/redacted.h"
#include "core/base/text.h"

typedef void grammar(hm_memory_parts *out, hm_str content, hm_arena *a);

/* Types that are not here claim only by slot_rule. */
static const struct { const char *type; grammar *read; bool own_space, never, whole; } types[] = {
  { "identity", hm_memory_identity, true, false, false },
  { "preference", hm_memory_preference, true, false, true },
  { "knowledge", hm_memory_knowledge, false, false, false },
  { "project", hm_memory_knowledge, false, false, false },
  { "adaptation", hm_memory_knowledge, false, false, false },
  { "episodic", NULL, false, true, false },
  { "", NULL, false, false, false },
};

static size_t type_index(hm_str type) {
  size_t i = 0;
  while (types[i].type[0] && !hm_word_is(type, types[i].type)) i++;
  return i;
}

static hm_str without_stop(hm_str content) {
  hm_str s = hm_str_trim(content);
  if (s.n > 1 && s.p[s.n - 1] == '.') s.n--;
  return hm_str_trim(s);
}

/* A rule may name an identity slot in the singular. */
static hm_str slot_of_rule(hm_str rule, bool own_space, hm_arena *a) {
  hm_str slot = hm_text_name(a, rule);
  return own_space && hm_str_is(slot, "credential") ? HM_STR("credentials") : slot;
}

/* A text that the grammar does not read and that is marked as liked or disliked is its own slot, in
 * quotes as no folded name is. */
static hm_str slot_of_text(hm_str content, hm_arena *a) {
  enum { TEXT_MAX = 512, KEPT = 448 };
  hm_str text = hm_text_value(a, content);
  if (text.n <= TEXT_MAX) return hm_str_fmt(a, "\"%.*s\"", HM_FMT(text));
  hm_str kept = hm_text_cut(text, KEPT), digest = hm_digest_hex(a, text, 16);
  return hm_str_fmt(a, "\"%.*s\" %.*s", HM_FMT(kept), HM_FMT(digest));
}

void hm_memory_read(hm_memory_claim *out, const hm_row *row, hm_arena *a) {
  size_t t = type_index(row->type);
  *out = (hm_memory_claim){ HM_EMPTY, HM_EMPTY, types[t].own_space };
  hm_str content = without_stop(row->text);
  if (types[t].never || !content.n || hm_is_redacted(content)) return;
  hm_memory_parts parts = { HM_EMPTY, HM_EMPTY, HM_EMPTY };
  if (types[t].read) types[t].read(&parts, content, a);
  hm_str rule = row->slot_rule.n ? slot_of_rule(row->slot_rule, types[t].own_space, a) : HM_EMPTY;
  out->slot = rule.n ? rule : parts.slot;
  out->value = !rule.n ? parts.value : parts.object.n ? parts.object : content;
  if (out->slot.n || !row->polarity || !types[t].whole) return;
  out->slot = slot_of_text(content, a);
  out->value = content;
}

enum { STEMMED_MAX = 64 };   /* words; a longer text is compared as it is folded */

static bool is_edge(char c) { return c && strchr("\"'`,;:!?()[]{}<>", c); }

/* Quotes, brackets and stops around a word; not the signs of "C++", ".NET", "F#". */
static hm_str bare(hm_str w) {
  hm_str all = w;
  while (w.n && (is_edge(w.p[w.n - 1]) || w.p[w.n - 1] == '.')) w.n--;
  while (w.n && is_edge(w.p[0])) w.p++, w.n--;
  return w.n ? w : all;
}

static void put_word(hm_buf *b, hm_str word) {
  if (b->n) hm_buf_ch(b, ' ');
  hm_buf_str(b, word);
}

hm_str hm_memory_stems(hm_arena *a, hm_str value) {
  hm_str s = hm_text_value(a, value);
  hm_buf b = { 0 };
  size_t words = 0;
  for (size_t i = 0; i < s.n; i++) {
    const char *space = memchr(s.p + i, ' ', s.n - i);
    size_t end = space ? (size_t)(space - s.p) : s.n;
    hm_str w = bare(hm_str_sub(s, i, end));
    if (words++ >= STEMMED_MAX) put_word(&b, w);
    else if (!hm_word_in(w, hm_articles)) put_word(&b, hm_text_stem(a, w));
    i = end;
  }
  hm_str out = b.n ? hm_buf_keep(&b, a) : s;
  hm_buf_free(&b);
  return out;
}
