/* What a value in a document is about: the stems of the words around it.
 *
 * Two values are of one slot if these words are the same, and the dimension is. Words that say the
 * same are one (max, maximum), and words of grammar are none. Other wordings of one thing are
 * nobody's to guess: of such pairs in documents that nobody had read four of five were of two
 * things. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/camel.h"
#include "core/base/text.h"
#include "core/words/words.h"

/* --- words ------------------------------------------------------------------------------------ */

static const char grammar[] =
    "a|after|all|also|always|"
    "an|and|any|are|as|at|automatically|be|been|being|both|by|can|currently|do|"
    "does|each|either|every|everywhere|for|from|get|gets|given|has|have|having|here|how|i|in|into|"
    "is|it|its|itself|just|may|must|need|needs|now|of|on|onto|or|our|out|own|per|same|shall|"
    "should|so|takes|than|that|the|their|them|then|there|these|they|this|those|through|to|up|"
    "us|via|we|when|where|which|who|whose|with|within|without|you|your|al|am|au|auf|aus|aux|"
    "avec|bei|beim|ces|cette|chaque|con|d|dans|darf|das|de|debe|deben|del|dem|den|der|des|die|"
    "doit|doivent|du|durch|ein|eine|einem|einen|einer|el|elle|en|es|est|est\u00E1|est\u00E1n|"
    "este|et|f\u00FCr|hat|haben|hay|ihr|il|ils|im|ins|ist|jede|jeden|jeder|jedes|kann|l|la|las|"
    "le|les|los|man|mit|muss|m\u00FCssen|nach|notre|nous|on|para|par|por|pour|que|qui|s|se|sein|"
    "sich|sie|sind|son|sont|su|sur|sus|tiene|tienen|um|un|una|und|une|unser|unsere|vom|von|vor|"
    "vous|werden|wird|wir|y|zu|zum|zur|\u00E0";

/* Stems of kinds of things: the thing itself is named beside them. */
static const char kinds[] =
    "app|applic|chart|cluster|codebas|dag|entri|field|file|flag|index|job|monorepo|note|option|"
    "paramet|plan|program|project|record|repositori|row|servic|set|system|tabl|task|topic|"
    "variabl|workspac";

/* Stems that say no more than the dimension, where others are left. */
static const struct {
  const char *dimension, *stems;
} implied[] = {
  { "bitrate", "bitrat|rate|speed|use" },
  { "baud", "connect|input|speed|talk|wait" },
  { "count",
    "allow|book|compris|consist|contain|current|hold|includ|make|number|sent|start|store|total|"
    "use" },
  { "duration", "durat|last|length|lifetim|period|take|time" },
  { "hours", "hour|time|zeit|zeiten" },
  { "interval", "frequenc|held|interv|place|run|sent|start|take" },
  { "mass", "amount|weigh|weight" },
  { "money", "cost|fee|pay|paid|price" },
  { "number", "number|valu" },
  { "phone", "call|number|phone|ring" },
  { "port",
    "access|address|avail|bind|contain|escucha|expos|http|lauscht|listen|local|localhost|open|"
    "publish|reach|run|serv|usa|use|utilise|verwendet" },
  { "rate", "bitrat|rate|run" },
  { "size", "size" },
  { "time", "daili|day|morn|night|run|start|time" },
  { "version", "current|releas|run|use|version" },
};

bool note_is_implied(hm_str stem, const char *dimension) {
  for (size_t i = 0; i < HM_COUNT(implied); i++)
    if (!strcmp(implied[i].dimension, dimension))
      return note_word_in(stem, implied[i].stems);
  return false;
}

/* Words that say the same. */
static const struct {
  const char *words, *one;
} same[] = {
  { "approval|approvals|approve|approved|approves", "approval" },
  { "attempt|attempts|retried|retries|retry|retrying", "retry" },
  { "backed|backup|backups", "backup" },
  { "config|configs", "configuration" },
  { "cut|cuts|divided|split|splits", "split" },
  { "db", "database" },
  { "deep", "depth" },
  { "dev", "development" },
  { "e-mail|e-mails|emails|mail|mails", "email" },
  { "ends|expire|expires|expired|expiry|expiration|live|lives|ttl|valid", "lifetime" },
  { "activity|inactive|inactivity|idle|idles", "idle" },
  { "keep|keeps|kept|purged|retain|retained|retention|deleted", "retention" },
  { "bigger|cap|capped|exceed|exceeding|exceeds|highest|larger|limit|limited|limits|longer|longest|"
    "max|maximal|most",
    "maximum" },
  { "high|tall", "height" },
  { "least|lowest|min|minimal|shortest|smallest", "minimum" },
  { "prod", "production" },
  { "repo|repos", "repository" },
  { "send|sends|sending", "sent" },
  { "synchronisation|synchronise|synchronised|synchronises|synchronization|synchronize|"
    "synchronized|synchronizes|synced|syncing|syncs",
    "sync" },
  { "wide|breadth", "width" },
};

/* Stems of words that do not say which thing it is. */
static const char bounds[] = "current|default|maximum|minimum|singl|total|whole";

bool note_is_bound(hm_str stem) { return note_word_in(stem, bounds); }

static void put(note_topic *t, hm_str word) {
  for (size_t i = 0; i < t->n; i++)
    if (hm_str_eq(t->v[i], word))
      return;
  if (t->n <= NOTE_TOPIC_MAX)
    t->v[t->n++] = word;
}

hm_str note_topic_stem(hm_str low, hm_arena *a) {
  if (note_word_in(low, grammar))
    return HM_EMPTY;
  if (hm_str_ends(low, "'s"))
    low.n -= 2;
  if (hm_str_ends(low, "\xE2\x80\x99s"))
    low.n -= 4;
  for (size_t i = 0; i < HM_COUNT(same); i++)
    if (note_word_in(low, same[i].words))
      return hm_text_stem(a, hm_str_c(same[i].one));
  return hm_text_stem(a, low);
}

hm_str note_topic_word(hm_arena *a, hm_str stem) {
  for (size_t i = 0; i < HM_COUNT(same); i++)
    if (hm_str_eq(hm_text_stem(a, hm_str_c(same[i].one)), stem))
      return hm_str_c(same[i].one);
  return stem;
}

bool note_is_grammar(hm_str low) { return note_word_in(low, grammar); }

/* The stem of the last word of a name: "valv" of "MAX_VALVES", "maxValves". */
static hm_str last_part(hm_str name, hm_arena *a) {
  size_t from = name.n;
  while (from && !strchr("_.-", name.p[from - 1]) &&
         !(from < name.n && hm_is_upper(name.p[from]) && hm_is_lower(name.p[from - 1])))
    from--;
  return note_topic_stem(note_lower(hm_str_sub(name, from, name.n), a), a);
}

/* "=", "+": the signs between words are none. */
static bool is_sign(hm_str word) {
  for (size_t i = 0; i < word.n; i++)
    if (hm_is_alnum(word.p[i]) || (unsigned char)word.p[i] >= 0x80)
      return false;
  return true;
}

void note_topic_add(note_topic *t, hm_str word, hm_str low) {
  if (is_sign(word))
    return;
  if (note_is_identifier(word)) {
    t->identifier = true;
    t->last_part = last_part(word, t->a);
    put(t, note_lower(hm_text_split_camel(t->a, word), t->a));
    return;
  }
  hm_str stem = note_topic_stem(low, t->a);
  if (stem.n)
    put(t, stem);
}

void note_topic_add_word(note_topic *t, const note_words *w, size_t i) {
  note_topic_add(t, w->w[i].s, w->w[i].low);
}

/* Takes out words of the list, but leaves `least`. */
static void drop(note_topic *t, const char *list, size_t least) {
  size_t kept = 0, drops = 0;
  for (size_t i = 0; i < t->n; i++)
    drops += note_word_in(t->v[i], list);
  if (t->n - drops < least)
    return;
  for (size_t i = 0; i < t->n; i++)
    if (!note_word_in(t->v[i], list))
      t->v[kept++] = t->v[i];
  t->n = kept;
}

/* --- what it is about ------------------------------------------------------------------------ */

size_t note_topic_finish(note_topic *t, hm_str heading, hm_str scope, const char *dimension,
                         size_t least) {
  note_words above = note_split(heading, t->a), scopes = note_split(scope, t->a);
  for (size_t i = 0; i < above.n; i++) {
    bool in_scope = false; /* which is added as that */
    for (size_t k = 0; k < scopes.n && !in_scope; k++)
      in_scope = hm_str_eq(note_environment(&above, i), scopes.w[k].low);
    if (!in_scope)
      note_topic_add_word(t, &above, i);
  }
  drop(t, kinds, least);
  drop(t, "default", 1);
  for (size_t i = 0; i < HM_COUNT(implied); i++)
    if (!strcmp(implied[i].dimension, dimension))
      drop(t, implied[i].stems, least);
  size_t own_words = t->n, plain = 0;
  for (size_t i = 0; i < t->n; i++)
    plain += note_word_in(t->v[i], bounds);
  if (plain == own_words) /* "Total", "the limit" */
    return 0;
  for (size_t i = 0; i < scopes.n; i++)
    note_topic_add_word(t, &scopes, i);
  return t->n > NOTE_TOPIC_MAX ? t->n : own_words;
}

hm_str note_topic_slot(note_topic *t, const char *dimension) {
  hm_str slot = HM_EMPTY;
  hm_strs_sort(t->v, t->n);
  for (size_t i = 0; i < t->n; i++)
    slot = HM_CAT(t->a, slot, t->v[i], HM_STR(" "));
  return HM_CAT(t->a, slot, hm_str_c(dimension));
}
