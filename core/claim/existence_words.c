/* Which properties say when something was, and which types of entities are what.
 *
 * Names are compared folded and without '_': birth_date, birthDate and "Birth date" are one. Words
 * that mostly say something of the record are left out (created_at, published, updated, since), as
 * are those that say when something of the thing was, and not the thing (opened, reign). `start`
 * and `end_date` count for events and eras only: a person's are mostly of a contract.
 * Source: lore consistency engine, category B; hmirror-facts(5) lists them. */
#include "core/claim/existence.h"

#include <stdlib.h>
#include <string.h>

#define BORN(part, name)                                                                           \
  { name, HM_WORD_##part, HM_WORD_BORN }
#define FOUNDED(part, name)                                                                        \
  { name, HM_WORD_##part, HM_WORD_FOUNDED }
#define BEGINS(part, name)                                                                         \
  { name, HM_WORD_##part, HM_WORD_BEGINS }
#define STARTS(part, name)                                                                         \
  { name, HM_WORD_##part, HM_WORD_STARTS }

static const hm_time_word WORDS[] = {
  FOUNDED(END, "abolished"),
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
  FOUNDED(BEGIN, "constructed"),
  FOUNDED(BEGIN, "crafted"),
  FOUNDED(BEGIN, "created"),
  FOUNDED(BEGIN, "creation"),
  FOUNDED(BEGIN, "creationdate"),
  FOUNDED(BEGIN, "creationyear"),
  STARTS(DATE, "date"),
  FOUNDED(BEGIN, "datefounded"),
  BORN(BEGIN, "dateofbirth"),
  BORN(END, "dateofdeath"),
  BORN(END, "death"),
  BORN(END, "deathdate"),
  BORN(END, "deathyear"),
  FOUNDED(END, "demolished"),
  FOUNDED(END, "destroyed"),
  FOUNDED(END, "destroyedin"),
  FOUNDED(END, "destroyedon"),
  FOUNDED(END, "destruction"),
  BORN(END, "died"),
  BORN(END, "diedin"),
  BORN(END, "diedon"),
  FOUNDED(END, "disbanded"),
  FOUNDED(END, "disbandedin"),
  FOUNDED(END, "dissolution"),
  FOUNDED(END, "dissolved"),
  FOUNDED(END, "dissolvedat"),
  FOUNDED(END, "dissolvedin"),
  FOUNDED(END, "dissolvedon"),
  BEGINS(END, "end"),
  STARTS(END, "enddate"),
  BEGINS(END, "ended"),
  BEGINS(END, "ends"),
  STARTS(END, "endyear"),
  STARTS(ERA, "epoch"),
  STARTS(ERA, "era"),
  FOUNDED(BEGIN, "established"),
  FOUNDED(BEGIN, "establishedin"),
  STARTS(DATE, "eventdate"),
  BEGINS(BEGIN, "existedfrom"),
  BEGINS(END, "existeduntil"),
  FOUNDED(BEGIN, "forged"),
  FOUNDED(BEGIN, "forgedin"),
  FOUNDED(BEGIN, "formed"),
  FOUNDED(BEGIN, "formedin"),
  FOUNDED(BEGIN, "founded"),
  FOUNDED(BEGIN, "foundedat"),
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
  STARTS(DATE, "infictiondate"),
  FOUNDED(BEGIN, "made"),
  FOUNDED(BEGIN, "madein"),
  STARTS(DATE, "occurred"),
  STARTS(DATE, "occurredat"),
  STARTS(DATE, "occurredin"),
  STARTS(DATE, "occurredon"),
  STARTS(ERA, "period"),
  STARTS(DATE, "pointintime"),
  STARTS(BEGIN, "start"),
  STARTS(BEGIN, "startdate"),
  STARTS(BEGIN, "started"),
  STARTS(BEGIN, "starts"),
  STARTS(BEGIN, "startyear"),
  STARTS(DATE, "when"),
  STARTS(DATE, "year"),
  FOUNDED(BEGIN, "yearfounded"),
  BORN(BEGIN, "yearofbirth"),
  BORN(END, "yearofdeath"),
};

const hm_time_word *hm_time_words(size_t *n) {
  *n = HM_COUNT(WORDS);
  return WORDS;
}

static int by_word(const void *key, const void *word) {
  return strcmp(key, ((const hm_time_word *)word)->name);
}

const hm_time_word *hm_time_word_find(hm_str name) {
  enum { LONGEST = 16 };
  char key[LONGEST];
  size_t n = 0;
  for (size_t i = 0; i < name.n; i++) {
    if (name.p[i] == '_') continue;
    if (n == LONGEST - 1) return NULL;
    key[n++] = name.p[i];
  }
  key[n] = 0;
  return bsearch(key, WORDS, HM_COUNT(WORDS), sizeof *WORDS, by_word);
}

/* --- types --------------------------------------------------------------------------- */

static const struct {
  const char *type;
  hm_existence_class is;
} CLASSES[] = {
  { "age", HM_IS_ERA },          { "animal", HM_IS_BEING },     { "battle", HM_IS_EVENT },
  { "being", HM_IS_BEING },      { "building", HM_IS_PLACE },   { "campaign", HM_IS_EVENT },
  { "castle", HM_IS_PLACE },     { "ceremony", HM_IS_EVENT },   { "character", HM_IS_BEING },
  { "city", HM_IS_PLACE },       { "coronation", HM_IS_EVENT }, { "creature", HM_IS_BEING },
  { "deity", HM_IS_BEING },      { "epoch", HM_IS_ERA },        { "era", HM_IS_ERA },
  { "event", HM_IS_EVENT },      { "expedition", HM_IS_EVENT }, { "festival", HM_IS_EVENT },
  { "god", HM_IS_BEING },        { "human", HM_IS_BEING },      { "incident", HM_IS_EVENT },
  { "individual", HM_IS_BEING }, { "location", HM_IS_PLACE },   { "meeting", HM_IS_EVENT },
  { "npc", HM_IS_BEING },        { "period", HM_IS_ERA },       { "person", HM_IS_BEING },
  { "place", HM_IS_PLACE },      { "region", HM_IS_PLACE },     { "ruin", HM_IS_PLACE },
  { "settlement", HM_IS_PLACE }, { "siege", HM_IS_EVENT },      { "site", HM_IS_PLACE },
  { "timeperiod", HM_IS_ERA },   { "tournament", HM_IS_EVENT }, { "town", HM_IS_PLACE },
  { "village", HM_IS_PLACE },    { "war", HM_IS_EVENT },        { "wedding", HM_IS_EVENT },
};

hm_existence_class hm_existence_class_of(hm_str key) {
  for (size_t i = 0; i < HM_COUNT(CLASSES); i++)
    if (hm_str_is(key, CLASSES[i].type)) return CLASSES[i].is;
  return HM_IS_THING;
}
