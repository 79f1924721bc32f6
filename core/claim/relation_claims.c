/* Makes claims of relations: their claims about their subject, what lies in what, and from when
 * until when they hold. relation.c has the kinds and reads the ends.
 *
 * Exports of public data put bounds into properties: start_time and end_time, term_start, since.
 * They count if the row has no bound of its own and they are valid times; for each bound the first
 * such word in the table counts. Without them, four chancellors would contradict each other.
 *
 * A relation without an end date ends at the latest when one of its two ends ceased to exist: a
 * reign with the death of the ruler, a membership with the faction (existence.h says when). A thing
 * that ended keeps its place and the wholes of which it was a part, so a ruin stays in its country.
 * Without a begin as well, only the other end counts: a dead ruler ruled some time before. A
 * marriage, a membership or an office without any time held at some time in the life of a subject
 * that ended (hm_relation_kind.sometime): nobody knows whether two did at once. A missing begin is
 * not before the begin of either end.
 *
 * A relation without claims gets no finding about its window. Cost: O(1) per relation; the
 * properties of relations without bounds are parsed as JSON.
 * Source: hmirror-facts(5), Relations; lore consistency engine, categories A and B. */
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/claim/row_reader.h"
#include "core/base/sort.h"

/* --- bounds from properties ------------------------------------------------------------------- */

static const struct {
  const char *word;
  bool until;
  bool number; /* a number is a year there; of `start` it may be a place on a line */
} WORDS[] = {
  { "began", false, false },     { "begin", false, false },    { "begindate", false, false },
  { "begins", false, false },    { "datefrom", false, false }, { "dateuntil", true, false },
  { "end", true, false },        { "enddate", true, false },   { "ended", true, false },
  { "ends", true, false },       { "endtime", true, false },   { "endyear", true, true },
  { "from", false, false },      { "fromdate", false, false }, { "reignend", true, true },
  { "reignstart", false, true }, { "since", false, true },     { "start", false, false },
  { "startdate", false, false }, { "started", false, false },  { "starts", false, false },
  { "starttime", false, false }, { "startyear", false, true }, { "termend", true, true },
  { "termstart", false, true },  { "until", true, false },     { "validfrom", false, false },
  { "validuntil", true, false },
};

const char *hm_relation_bound_word(size_t i) { return i < HM_COUNT(WORDS) ? WORDS[i].word : NULL; }

/* The place of a folded name, '_' aside, or that after the last. */
static size_t word_of(hm_str name) {
  enum { LONGEST = 12 };
  char key[LONGEST];
  size_t n = 0;
  for (size_t i = 0; i < name.n; i++) {
    if (name.p[i] == '_')
      continue;
    if (n == LONGEST - 1)
      return HM_COUNT(WORDS);
    key[n++] = name.p[i];
  }
  key[n] = 0;
  const char *const *at = bsearch(key, WORDS, HM_COUNT(WORDS), sizeof *WORDS, hm_order_name);
  return at ? (size_t)((const char *)at - (const char *)WORDS) / sizeof *WORDS : HM_COUNT(WORDS);
}

bool hm_relation_read_bounds(const hm_world *world, const hm_row *r, hm_arena *a, hm_arena *scratch,
                             hm_str *from, hm_str *until) {
  hm_str props = hm_str_trim(r->props), *bounds[] = { from, until };
  size_t best[] = { HM_COUNT(WORDS), HM_COUNT(WORDS) };
  *from = r->valid_from;
  *until = r->valid_until;
  if (from->n || until->n || props.n <= 2)
    return false;
  const hm_json *object = hm_json_parse_as(scratch, props, HM_JSON_OBJECT);
  if (!object)
    return false;
  for (const hm_json *p = object->child; p; p = p->next) {
    hm_bound b;
    size_t w = word_of(hm_text_fold_name(scratch, p->key));
    hm_str text = hm_str_trim(p->text);
    if (w == HM_COUNT(WORDS))
      continue;
    bool plain = p->type == HM_JSON_STRING || (p->type == HM_JSON_NUMBER && WORDS[w].number);
    if (!plain || w >= best[WORDS[w].until] || !hm_bound_parse(world, text, &b) || !b.known)
      continue;
    best[WORDS[w].until] = w;
    *bounds[WORDS[w].until] = hm_str_dup(a, text);
  }
  return from->n || until->n;
}

/* --- until its ends do ------------------------------------------------------------------------ */

static const hm_existence *end_at(const hm_existences *lives, uint32_t row) {
  const hm_existence *x = hm_existence_find(lives, row);
  return x && (x->n || x->in_use) ? x : NULL;
}

static void begin_after(hm_window *w, const hm_existence *x) {
  const hm_bound *begin = hm_existence_bound(x, false);
  if (begin)
    hm_window_begin_after(w, begin);
}

/* by_own: the end of the subject counts, too, where no begin is given. */
static void cut_to_lives(const hm_existences *lives, const hm_existence *subject,
                         const hm_existence *other, bool stays, bool by_own, hm_window *w) {
  hm_bound own = stays ? (hm_bound){ 0 } : hm_existence_end(subject, w->axis);
  hm_bound others = hm_existence_end(other, w->axis);
  bool by_other = others.known && (!own.known || others.first < own.first);
  const hm_existence *x = by_other ? other : subject;
  if (by_other || w->begin.known || by_own)
    hm_window_cut(w, by_other ? &others : &own, (uint32_t)(x - lives->of), w);
}

/* An end `current` is given. */
static bool says_end(const hm_row *r) { return hm_str_trim(r->valid_until).n > 0; }

/* An end `current` counts as given. */
static bool lacks_bound(const hm_row *r) { return !says_end(r) || !hm_str_trim(r->valid_from).n; }

/* Sets the window of a relation's claim about a subject with the other end `other` (rows of the
 * snapshot, or HM_MAP_NONE), from the window of its row. Changes nothing if both bounds are given
 * or the kind does not depend on lives. */
static void cut_window_of_claim(const hm_existences *lives, const hm_relation_kind *k,
                                const hm_row *r, uint32_t subject, uint32_t other, hm_window *w) {
  if (!lacks_bound(r) || !hm_relation_bounded_by_ends(k))
    return;
  const hm_existence *x = end_at(lives, subject), *y = end_at(lives, other);
  bool stays = k->nests && x && x->is == HM_IS_PLACE;
  hm_bound own = hm_existence_end(x, w->axis);
  bool past = k->sometime && x && !w->begin.known && !says_end(r) &&
      hm_window_cut_to_past(w, &own, (uint32_t)(x - lives->of), w);
  if ((x || y) && !says_end(r) && !past)
    cut_to_lives(lives, x, y, stays, false, w);
  begin_after(w, x);
  begin_after(w, y);
}

void hm_relation_read_window(const hm_existences *lives, const hm_relation_kinds *kinds,
                             uint32_t row, hm_window *w) {
  const hm_snapshot *snap = lives->snap;
  const hm_row *r = &snap->rows[row];
  if (!lacks_bound(r))
    return;
  const hm_relation_kind *k = hm_relation_kind_find(kinds, r->type);
  uint32_t from = hm_snapshot_named(snap, row, HM_NAMES_FROM);
  uint32_t to = hm_snapshot_named(snap, row, HM_NAMES_TO);
  if (k && k->subject != HM_SUBJECT_BOTH) {
    bool of_to = k->subject == HM_SUBJECT_TO;
    cut_window_of_claim(lives, k, r, of_to ? to : from, of_to ? from : to, w);
    return;
  }
  if (says_end(r) || (k ? !hm_relation_bounded_by_ends(k) : !w->begin.known))
    return;
  const hm_existence *x = end_at(lives, from), *y = end_at(lives, to);
  hm_window cut = *w;
  if (x || y)
    cut_to_lives(lives, x, y, false, true, &cut);
  if (!k)
    cut.may_from = w->may_from, cut.may_until = w->may_until;
  *w = cut;
}

/* --- claims ----------------------------------------------------------------------------------- */

static const hm_relation_kind *kind_of_relation(row_reader *r) {
  hm_str type = r->row->type;
  if (type.p != r->type.p || type.n != r->type.n) {
    r->type = type;
    r->kind = hm_relation_kind_find(hm_config_relation_kinds(r->rules), type);
  }
  return r->kind;
}

/* The window of a claim that speaks of one end, and has the other one as its value. */
static const hm_window *window_of_claim(row_reader *r, const hm_relation_kind *k,
                                        const hm_window *stated, hm_str field) {
  bool from = hm_str_is(field, "to");
  hm_window w = *stated;
  if (!r->lives || !lacks_bound(r->row) || !hm_relation_bounded_by_ends(k))
    return stated;
  uint32_t row = r->proto.row;
  uint32_t ends[] = { hm_snapshot_named(r->snap, row, HM_NAMES_FROM),
                      hm_snapshot_named(r->snap, row, HM_NAMES_TO) };
  cut_window_of_claim(r->lives, k, r->row, ends[!from], ends[from], &w);
  if (w.ends_with == stated->ends_with && w.may_from == stated->may_from)
    return stated;
  hm_window *own = hm_alloc(r->a, sizeof *own);
  *own = w;
  return own;
}

/* Of a row without bounds whose properties give some; where they are inverted, they say nothing. */
static void read_window_of_props(row_reader *r) {
  const hm_row *row = r->row;
  hm_str from, until;
  if (row->valid_from.n || row->valid_until.n || row->props.n <= 2)
    return;
  const hm_world *world = hm_world_find_by_row(r->snap, r->rules->worlds, r->proto.row, r->scratch);
  if (!hm_relation_read_bounds(world, row, r->a, r->scratch, &from, &until))
    return;
  hm_window *w = hm_alloc(r->a, sizeof *w);
  if (hm_window_parse(world, from, until, r->snap->now, w) != HM_WINDOW_OK)
    return;
  w->of_props = true;
  r->proto.when = w;
  if (w->begin.known && !w->begin.axis && !w->begin.vague)
    r->proto.stands = w->begin.first;
}

/* --- claims --------------------------------------------------------------------------------- */

void hm_row_read_relation(row_reader *r) {
  const hm_relation_kind *k = kind_of_relation(r);
  hm_relation_claim said[HM_RELATION_CLAIMS];
  hm_inclusion in;
  size_t n = k ? hm_relation_read_claims(said, r->snap, r->row, k, r->a, r->scratch) : 0;
  bool nests = k && hm_relation_read_inclusion(&in, r->snap, r->row, k);
  if ((!n && !nests) || !hm_row_read_window(r))
    return;
  read_window_of_props(r);
  const hm_window *stated = r->proto.when;
  if (nests) {
    in.when = stated;
    hm_inclusions_add(&r->out->inclusions, in);
  }
  if (k && hm_relation_values_nest(k))
    r->proto.containment = r->containment;
  for (size_t i = 0; i < n; i++) {
    if (k->window) {
      said[i].value = hm_relation_window_value(stated, r->a);
      said[i].field = HM_STR("valid_from");
    }
    r->proto.when = window_of_claim(r, k, stated, said[i].field);
    r->proto.project = said[i].project;
    r->proto.space = said[i].space;
    hm_row_add_claim(r, said[i].name, said[i].field, HM_EMPTY, &said[i].value);
  }
}
