/* From when until when a relation says that it holds.
 *
 * Exports of public data put it into properties: start_time and end_time, term_start, since. They
 * count where the row has no bound of its own, and where they are times; of several words of one
 * bound the first in the table that is one. Read as a claim without any time, each of four
 * chancellors would contradict the others.
 * Cost: the properties of relations without bounds are read as JSON.
 * Source: hmirror-facts(5), Relations. */
#include "core/claim/relation_bounds.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/text.h"

static const struct {
  const char *word;
  bool until;
  bool number; /* a number is a year there; of `start` it may be a place on a line */
} WORDS[] = {
  { "began", false, false },
  { "begin", false, false },
  { "begindate", false, false },
  { "begins", false, false },
  { "datefrom", false, false },
  { "dateuntil", true, false },
  { "end", true, false },
  { "enddate", true, false },
  { "ended", true, false },
  { "ends", true, false },
  { "endtime", true, false },
  { "endyear", true, true },
  { "from", false, false },
  { "fromdate", false, false },
  { "reignend", true, true },
  { "reignstart", false, true },
  { "since", false, true },
  { "start", false, false },
  { "startdate", false, false },
  { "started", false, false },
  { "starts", false, false },
  { "starttime", false, false },
  { "startyear", false, true },
  { "termend", true, true },
  { "termstart", false, true },
  { "until", true, false },
  { "validfrom", false, false },
  { "validuntil", true, false },
};

const char *hm_relation_bound_word(size_t i) { return i < HM_COUNT(WORDS) ? WORDS[i].word : NULL; }

bool hm_relation_has_bounds(const hm_row *r) {
  return r->valid_from.n || r->valid_until.n || r->props.n > 2;
}

static int by_word(const void *key, const void *word) { return strcmp(key, *(char *const *)word); }

/* The place of a folded name, '_' aside, or that after the last. */
static size_t word_of(hm_str name) {
  enum { LONGEST = 12 };
  char key[LONGEST];
  size_t n = 0;
  for (size_t i = 0; i < name.n; i++) {
    if (name.p[i] == '_') continue;
    if (n == LONGEST - 1) return HM_COUNT(WORDS);
    key[n++] = name.p[i];
  }
  key[n] = 0;
  const char *const *at = bsearch(key, WORDS, HM_COUNT(WORDS), sizeof *WORDS, by_word);
  return at ? (size_t)((const char *)at - (const char *)WORDS) / sizeof *WORDS : HM_COUNT(WORDS);
}

bool hm_relation_bounds(const hm_world *world, const hm_row *r, hm_arena *a, hm_arena *scratch,
                        hm_str *from, hm_str *until) {
  hm_str props = hm_str_trim(r->props), *bounds[] = { from, until };
  size_t best[] = { HM_COUNT(WORDS), HM_COUNT(WORDS) };
  hm_json *object = NULL;
  *from = r->valid_from;
  *until = r->valid_until;
  if (from->n || until->n || props.n <= 2 || hm_json_parse(scratch, props, &object, NULL) ||
      object->type != HM_JSON_OBJECT)
    return false;
  for (const hm_json *p = object->child; p; p = p->next) {
    hm_bound b;
    size_t w = word_of(hm_text_name(scratch, p->key));
    hm_str text = hm_str_trim(p->text);
    if (w == HM_COUNT(WORDS)) continue;
    bool plain = p->type == HM_JSON_STRING || (p->type == HM_JSON_NUMBER && WORDS[w].number);
    if (!plain || w >= best[WORDS[w].until] || !hm_bound_read(world, text, &b) || !b.known)
      continue;
    best[WORDS[w].until] = w;
    *bounds[WORDS[w].until] = hm_str_dup(a, text);
  }
  return from->n || until->n;
}
