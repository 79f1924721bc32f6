/* The properties that say when something existed, the classes of entity types, and the sources of a
 * time.
 *
 * Names are compared folded and without '_': birth_date, birthDate and "Birth date" are equal.
 * Words that are mostly about the record are left out (created_at, published, updated, since), and
 * words about a part of the thing's time (reign, launched). `start` and `end_date` count for events
 * and eras only: a person's are mostly of a contract. A closed or abandoned thing still exists:
 * Alcatraz was occupied after it was a prison. So `closed` ends what lasts in a thing, not the
 * thing, and `opened` does not begin the thing.
 * Source: lore consistency engine, category B; hmirror-facts(5) lists them. */
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/claim/existence.h"
#include "core/base/sort.h"

#define BORN(part, name)                                                                           \
  { name, HM_WORD_##part, HM_WORD_BORN }
#define FOUNDED(part, name)                                                                        \
  { name, HM_WORD_##part, HM_WORD_FOUNDED }
#define BEGINS(part, name)                                                                         \
  { name, HM_WORD_##part, HM_WORD_BEGINS }
#define STARTS(part, name)                                                                         \
  { name, HM_WORD_##part, HM_WORD_STARTS }
#define IN_USE(part, name)                                                                         \
  { name, HM_WORD_##part, HM_WORD_IN_USE }

static const hm_time_word WORDS[] = {
  IN_USE(END, "abandoned"),
  IN_USE(END, "abandonedin"),
  FOUNDED(END, "abolished"),
  FOUNDED(END, "abolishedin"),
  FOUNDED(END, "abolition"),
  BEGINS(BEGIN, "began"),
  BEGINS(BEGIN, "begin"),
  BEGINS(BEGIN, "begindate"),
  BEGINS(BEGIN, "begins"),
  BORN(BEGIN, "birth"),
  BORN(BEGIN, "birthdate"),
  BORN(BEGIN, "birthday"),
  BORN(BEGIN, "birthyear"),
  BORN(BEGIN, "born"),
  BORN(BEGIN, "bornin"),
  BORN(BEGIN, "bornon"),
  FOUNDED(BEGIN, "built"),
  FOUNDED(BEGIN, "builtin"),
  IN_USE(END, "ceased"),
  IN_USE(END, "ceasedoperation"),
  IN_USE(END, "ceasedoperations"),
  FOUNDED(END, "ceasedtoexist"),
  IN_USE(END, "closed"),
  IN_USE(END, "closeddate"),
  IN_USE(END, "closedin"),
  IN_USE(END, "closedon"),
  IN_USE(END, "closing"),
  IN_USE(END, "closingdate"),
  IN_USE(END, "closingyear"),
  IN_USE(END, "closure"),
  IN_USE(END, "closuredate"),
  FOUNDED(BEGIN, "constructed"),
  FOUNDED(BEGIN, "crafted"),
  FOUNDED(BEGIN, "created"),
  FOUNDED(BEGIN, "creation"),
  FOUNDED(BEGIN, "creationdate"),
  FOUNDED(BEGIN, "creationyear"),
  STARTS(DATE, "date"),
  FOUNDED(END, "dateabolished"),
  BORN(BEGIN, "dateborn"),
  IN_USE(END, "dateclosed"),
  FOUNDED(END, "datedemolished"),
  FOUNDED(END, "datedestroyed"),
  BORN(END, "datedied"),
  FOUNDED(END, "datedisbanded"),
  FOUNDED(END, "datedissolved"),
  STARTS(END, "dateend"),
  FOUNDED(BEGIN, "dateestablished"),
  FOUNDED(BEGIN, "dateformed"),
  FOUNDED(BEGIN, "datefounded"),
  BORN(BEGIN, "dateofbirth"),
  BORN(END, "dateofdeath"),
  FOUNDED(END, "dateofdissolution"),
  FOUNDED(BEGIN, "dateofestablishment"),
  FOUNDED(BEGIN, "dateoffoundation"),
  FOUNDED(BEGIN, "dateofinception"),
  IN_USE(END, "dateofofficialclosure"),
  IN_USE(BEGIN, "dateofofficialopening"),
  STARTS(BEGIN, "datestart"),
  BORN(END, "death"),
  BORN(END, "deathdate"),
  BORN(END, "deathyear"),
  IN_USE(END, "decommissioned"),
  FOUNDED(END, "defunct"),
  FOUNDED(END, "defunctdate"),
  FOUNDED(END, "defunctsince"),
  FOUNDED(END, "demolished"),
  FOUNDED(END, "demolisheddate"),
  FOUNDED(END, "demolishedin"),
  FOUNDED(END, "demolition"),
  FOUNDED(END, "demolitiondate"),
  FOUNDED(END, "demolitionyear"),
  FOUNDED(END, "destroyed"),
  FOUNDED(END, "destroyeddate"),
  FOUNDED(END, "destroyedin"),
  FOUNDED(END, "destroyedon"),
  FOUNDED(END, "destruction"),
  FOUNDED(END, "destructiondate"),
  FOUNDED(END, "destructionyear"),
  BORN(END, "died"),
  BORN(END, "diedin"),
  BORN(END, "diedon"),
  FOUNDED(END, "disbanded"),
  FOUNDED(END, "disbandeddate"),
  FOUNDED(END, "disbandedin"),
  IN_USE(END, "discontinued"),
  IN_USE(END, "discontinueddate"),
  FOUNDED(END, "disestablished"),
  FOUNDED(END, "dissolution"),
  FOUNDED(END, "dissolutiondate"),
  FOUNDED(END, "dissolutionyear"),
  FOUNDED(END, "dissolved"),
  FOUNDED(END, "dissolvedabolishedordemolisheddate"),
  FOUNDED(END, "dissolvedat"),
  FOUNDED(END, "dissolveddate"),
  FOUNDED(END, "dissolvedin"),
  FOUNDED(END, "dissolvedon"),
  BORN(BEGIN, "dob"),
  BORN(END, "dod"),
  BEGINS(END, "end"),
  STARTS(END, "enddate"),
  BEGINS(END, "ended"),
  BEGINS(END, "ends"),
  STARTS(END, "endtime"),
  STARTS(END, "endyear"),
  STARTS(ERA, "epoch"),
  STARTS(ERA, "era"),
  FOUNDED(BEGIN, "established"),
  FOUNDED(BEGIN, "establisheddate"),
  FOUNDED(BEGIN, "establishedin"),
  FOUNDED(BEGIN, "establishment"),
  STARTS(DATE, "eventdate"),
  BEGINS(BEGIN, "existedfrom"),
  BEGINS(END, "existeduntil"),
  FOUNDED(END, "extinct"),
  FOUNDED(END, "extinction"),
  FOUNDED(END, "extinctsince"),
  FOUNDED(END, "fell"),
  FOUNDED(BEGIN, "forged"),
  FOUNDED(BEGIN, "forgedin"),
  FOUNDED(BEGIN, "formation"),
  FOUNDED(BEGIN, "formationdate"),
  FOUNDED(BEGIN, "formed"),
  FOUNDED(BEGIN, "formeddate"),
  FOUNDED(BEGIN, "formedin"),
  FOUNDED(BEGIN, "foundation"),
  FOUNDED(BEGIN, "foundationdate"),
  FOUNDED(BEGIN, "foundationyear"),
  FOUNDED(BEGIN, "founded"),
  FOUNDED(BEGIN, "foundedat"),
  FOUNDED(BEGIN, "foundeddate"),
  FOUNDED(BEGIN, "foundedin"),
  FOUNDED(BEGIN, "foundedon"),
  FOUNDED(BEGIN, "founding"),
  FOUNDED(BEGIN, "foundingdate"),
  FOUNDED(BEGIN, "foundingyear"),
  STARTS(DATE, "happened"),
  STARTS(DATE, "happenedat"),
  STARTS(DATE, "happenedin"),
  STARTS(DATE, "happenedon"),
  FOUNDED(BEGIN, "inception"),
  FOUNDED(BEGIN, "inceptiondate"),
  STARTS(DATE, "infictiondate"),
  FOUNDED(BEGIN, "made"),
  FOUNDED(BEGIN, "madein"),
  STARTS(DATE, "occurred"),
  STARTS(DATE, "occurredat"),
  STARTS(DATE, "occurredin"),
  STARTS(DATE, "occurredon"),
  IN_USE(BEGIN, "opened"),
  IN_USE(BEGIN, "openedin"),
  IN_USE(BEGIN, "openedon"),
  IN_USE(BEGIN, "opening"),
  IN_USE(BEGIN, "openingdate"),
  IN_USE(BEGIN, "openingyear"),
  IN_USE(END, "operationsceased"),
  STARTS(ERA, "period"),
  STARTS(DATE, "pointintime"),
  FOUNDED(END, "scuttled"),
  IN_USE(END, "shutdown"),
  IN_USE(END, "shutdowndate"),
  STARTS(BEGIN, "start"),
  STARTS(BEGIN, "startdate"),
  STARTS(BEGIN, "started"),
  STARTS(BEGIN, "starts"),
  STARTS(BEGIN, "starttime"),
  STARTS(BEGIN, "startyear"),
  FOUNDED(END, "sunk"),
  FOUNDED(END, "suppressed"),
  STARTS(DATE, "when"),
  IN_USE(END, "woundup"),
  STARTS(DATE, "year"),
  IN_USE(END, "yearclosed"),
  FOUNDED(END, "yeardisbanded"),
  FOUNDED(END, "yeardissolved"),
  STARTS(END, "yearend"),
  FOUNDED(BEGIN, "yearestablished"),
  FOUNDED(BEGIN, "yearformed"),
  FOUNDED(BEGIN, "yearfounded"),
  BORN(BEGIN, "yearofbirth"),
  BORN(END, "yearofdeath"),
  STARTS(BEGIN, "yearstart"),
};

const hm_time_word *hm_time_words(size_t *n) {
  *n = HM_COUNT(WORDS);
  return WORDS;
}

const hm_time_word *hm_time_word_find(hm_str name) {
  enum { LONGEST = 40 };
  char key[LONGEST];
  size_t n = 0;
  for (size_t i = 0; i < name.n; i++) {
    if (name.p[i] == '_')
      continue;
    if (n == LONGEST - 1)
      return NULL;
    key[n++] = name.p[i];
  }
  key[n] = 0;
  return bsearch(key, WORDS, HM_COUNT(WORDS), sizeof *WORDS, hm_order_name);
}

/* Without backslashes every other quote closes, and before a colon it closes a name. A name that is
 * more than lower case letters, digits and _ may fold to anything. */
bool hm_props_may_say_time(hm_str props) {
  const char *open = memchr(props.p, '"', props.n), *end = props.p + props.n, *close;
  if (memchr(props.p, '\\', props.n))
    return true;
  for (; open; open = memchr(close + 1, '"', (size_t)(end - close - 1))) {
    if (!(close = memchr(open + 1, '"', (size_t)(end - open - 1))))
      return true;
    const char *colon = close + 1;
    while (colon < end && hm_is_space(*colon))
      colon++;
    if (colon == end || *colon != ':')
      continue;
    hm_str name = { open + 1, (size_t)(close - open - 1) };
    for (size_t i = 0; i < name.n; i++)
      if (!hm_is_lower(name.p[i]) && !hm_is_digit(name.p[i]) && name.p[i] != '_')
        return true;
    if (hm_time_word_find(name))
      return true;
  }
  return false;
}

/* --- types --------------------------------------------------------------------------- */

static const struct {
  const char *type;
  hm_existence_class is;
} CLASSES[] = {
  { "account", HM_IS_TASK },     { "age", HM_IS_ERA },          { "animal", HM_IS_BEING },
  { "battle", HM_IS_EVENT },     { "being", HM_IS_BEING },      { "bug", HM_IS_TASK },
  { "building", HM_IS_PLACE },   { "campaign", HM_IS_EVENT },   { "castle", HM_IS_PLACE },
  { "ceremony", HM_IS_EVENT },   { "character", HM_IS_BEING },  { "city", HM_IS_PLACE },
  { "coronation", HM_IS_EVENT }, { "creature", HM_IS_BEING },   { "deity", HM_IS_BEING },
  { "door", HM_IS_TASK },        { "epoch", HM_IS_ERA },        { "era", HM_IS_ERA },
  { "event", HM_IS_EVENT },      { "expedition", HM_IS_EVENT }, { "festival", HM_IS_EVENT },
  { "gate", HM_IS_TASK },        { "god", HM_IS_BEING },        { "human", HM_IS_BEING },
  { "incident", HM_IS_EVENT },   { "individual", HM_IS_BEING }, { "issue", HM_IS_TASK },
  { "lead", HM_IS_TASK },        { "location", HM_IS_PLACE },   { "meeting", HM_IS_EVENT },
  { "npc", HM_IS_BEING },        { "opportunity", HM_IS_TASK }, { "period", HM_IS_ERA },
  { "person", HM_IS_BEING },     { "place", HM_IS_PLACE },      { "pullrequest", HM_IS_TASK },
  { "region", HM_IS_PLACE },     { "request", HM_IS_TASK },     { "ruin", HM_IS_PLACE },
  { "settlement", HM_IS_PLACE }, { "siege", HM_IS_EVENT },      { "site", HM_IS_PLACE },
  { "task", HM_IS_TASK },        { "ticket", HM_IS_TASK },      { "timeperiod", HM_IS_ERA },
  { "todo", HM_IS_TASK },        { "tournament", HM_IS_EVENT }, { "town", HM_IS_PLACE },
  { "village", HM_IS_PLACE },    { "war", HM_IS_EVENT },        { "wedding", HM_IS_EVENT },
  { "workitem", HM_IS_TASK },
};

hm_existence_class hm_existence_class_of(hm_str key) {
  for (size_t i = 0; i < HM_COUNT(CLASSES); i++)
    if (hm_str_is(key, CLASSES[i].type))
      return CLASSES[i].is;
  return HM_IS_THING;
}

/* --- who said a time -------------------------------------------------------------------------- */

static bool are_alike(const hm_row *a, const hm_row *b) {
  return a->layer == b->layer && a->project == b->project && hm_str_eq(a->type, b->type);
}

/* Does hiding one of two rows also hide the other? A relation is hidden with the row that it leads
 * to. */
static bool are_hidden_alike(const hm_snapshot *s, uint32_t a, uint32_t b) {
  uint32_t x = hm_snapshot_named(s, a, HM_NAMES_TO), y = hm_snapshot_named(s, b, HM_NAMES_TO);
  if (!are_alike(&s->rows[a], &s->rows[b]) || (x == HM_MAP_NONE) != (y == HM_MAP_NONE))
    return false;
  return x == HM_MAP_NONE || are_alike(&s->rows[x], &s->rows[y]);
}

void hm_time_source_list_add_row(hm_time_source_list *s, uint32_t row) {
  size_t i = 0;
  if (s->all < HM_TIME_SOURCE_ROWS)
    s->rows[s->all] = row;
  s->all++;
  while (i < s->n_firsts && !are_hidden_alike(s->snap, s->firsts[i], row))
    i++;
  if (i < s->n_firsts)
    return;
  if (i == HM_TIME_SOURCE_KINDS)
    s->too_many = true;
  else
    s->firsts[s->n_firsts++] = row;
}

void hm_time_source_list_add_words(hm_time_source_list *s, hm_str words) {
  size_t i = 0;
  while (i < s->n_words && !hm_str_eq(s->words[i], words))
    i++;
  if (i < s->n_words)
    return;
  if (i == HM_TIME_SOURCE_KINDS)
    s->too_many = true;
  else
    s->words[s->n_words++] = words;
}

static bool is_first(const hm_time_source_list *s, uint32_t row) {
  size_t i = 0;
  while (i < s->n_firsts && s->firsts[i] != row)
    i++;
  return i < s->n_firsts;
}

const hm_time_sources *hm_time_source_list_finish(const hm_time_source_list *s, hm_arena *a) {
  if (s->too_many)
    return NULL;
  hm_time_sources *by = hm_alloc(a, sizeof *by);
  uint32_t noted = s->all < HM_TIME_SOURCE_ROWS ? s->all : HM_TIME_SOURCE_ROWS;
  hm_str *rows = hm_alloc_array(a, HM_TIME_SOURCE_ROWS, sizeof *rows);
  bool firsts = s->all > HM_TIME_SOURCE_KINDS;
  *by = (hm_time_sources){ .rows = rows, .all = s->all, .words = HM_EMPTY };
  for (size_t i = 0; firsts && i < s->n_firsts; i++)
    rows[by->n++] = hm_row_ref(a, &s->snap->rows[s->firsts[i]]);
  for (uint32_t i = 0; i < noted && by->n < HM_TIME_SOURCE_ROWS; i++)
    if (!firsts || !is_first(s, s->rows[i]))
      rows[by->n++] = hm_row_ref(a, &s->snap->rows[s->rows[i]]);
  for (size_t i = 0; i < s->n_words; i++)
    by->words =
        by->words.n ? HM_CAT(a, by->words, HM_STR(", "), s->words[i]) : hm_str_dup(a, s->words[i]);
  return by;
}
