/* Persons, places and permissions in words of a sentence: "is called Ilse Brandt", "liegt in
 * Kassel", "are not allowed". Beside the amounts (measure.c); of sentences alone
 * (sentence.c), which are about one definite thing. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/words/words.h"

static const char articles[] =
    "a|an|das|dem|den|der|die|el|ihr|la|las|le|les|los|nos|notre|our|the|"
    "their|un|una|une|unser|unsere|unserem|unserer|nuestra|nuestro";

/* Is it written with a capital letter, also with an accent? */
static bool has_capital(hm_str s) {
  bool accent = s.n > 1 && (unsigned char)s.p[0] == 0xC3 && (unsigned char)s.p[1] < 0x9F;
  return accent || hm_is_upper(s.p[0]);
}

/* Words [from, to) as they are written. */
static hm_str text_of(const note_words *w, size_t from, size_t to, hm_arena *a) {
  hm_str out = HM_EMPTY;
  for (size_t i = from; i < to; i++)
    out = HM_CAT(a, out, i > from ? HM_STR(" ") : HM_EMPTY, w->w[i].s);
  return out;
}

/* What may stand before a place. */
static const char verbs[] =
    "are|based|found|hang|hangs|housed|is|kept|lie|lies|located|sits|situated|stands|stored|"
    "befindet|befinden|h\u00E4ngt|liegen|liegt|sich|steht|encuentra|encuentran|est\u00E1|"
    "est\u00E1n|est|situ\u00E9|situ\u00E9e|sont|trouve|trouvent";

/* --- persons ---------------------------------------------------------------------------------- */

/* Of each at most one has it. */
static const char roles[] =
    "accountant|caretaker|chairman|chairwoman|coach|conductor|dentist|director|doctor|editor|"
    "headmaster|headmistress|janitor|landlady|landlord|lawyer|lead|leader|maintainer|manager|mayor|"
    "president|secretary|supervisor|treasurer|vet|"
    "ansprechpartner|ansprechpartnerin|chef|chefin|direktor|direktorin|hausmeister|hausmeisterin|"
    "kassenwart|kassenwartin|leiter|leiterin|steuerberater|steuerberaterin|trainer|trainerin|"
    "vermieter|vermieterin|vorsitzende|vorsitzender|"
    "comptable|directeur|directrice|entra\u00EEneur|gardien|gardienne|pr\u00E9sident|"
    "pr\u00E9sidente|propri\u00E9taire|responsable|tr\u00E9sorier|tr\u00E9sori\u00E8re|"
    "conserje|contable|directora|encargada|encargado|entrenador|entrenadora|portero|presidenta|"
    "presidente|tesorera|tesorero";
static const char copulas[] = "is|ist|es|est";
static const char calls[] = "called|named|appelle|hei\u00DFt|llama";

/* Are words [from, to) a name: "Ilse Brandt", "Luis de la Vega"? */
static bool is_name(const note_words *w, size_t from, size_t to) {
  enum { WORDS = 5 };
  if (from >= to || to - from > WORDS || !has_capital(w->w[from].s) || !has_capital(w->w[to - 1].s))
    return false;
  for (size_t i = from; i < to; i++)
    if ((i > from && !w->w[i].joined) || hm_text_has_digit(w->w[i].s) ||
        (!has_capital(w->w[i].s) && !note_word_in(w->w[i].low, "da|de|del|den|der|di|la|van|von")))
      return false;
  return true;
}

/* "Our caretaker is Ilse Brandt", "... is called Ilse", "Herr Braun". */
static bool read_person(const note_words *w, note_measure *m, hm_arena *a) {
  static const char titles[] = "frau|herr|madame|monsieur|mr|mrs|ms|se\u00F1or|se\u00F1ora";
  bool role = false;
  for (size_t i = 0; i + 1 < w->n; i++) {
    bool called = note_word_in(w->w[i].low, calls), is = note_word_in(w->w[i].low, copulas);
    role |= note_word_in(w->w[i].low, roles) || hm_str_is(w->w[i].low, "name");
    bool title = note_word_in(w->w[i + 1].low, titles);
    size_t words = w->n - i - 1;
    if (i && (called || is) && is_name(w, i + 1, w->n) &&
        (title ? words > 1 : called || (role && words > 1))) {
      *m = (note_measure){ text_of(w, i + 1, w->n, a), "person", i + 1, w->n };
      return true;
    }
  }
  return false;
}

/* "Ilse Brandt is our caretaker". */
static bool read_office(const note_words *w, note_measure *m, hm_arena *a) {
  size_t is = 0;
  while (is < w->n && !note_word_in(w->w[is].low, copulas))
    is++;
  bool office = is > 1 && is + 2 < w->n && note_word_in(w->w[is + 1].low, articles) &&
      !note_word_in(w->w[is + 1].low, "a|an|un|una|une") && is_name(w, 0, is);
  for (size_t i = is; office && i < w->n; i++)
    if (note_word_in(w->w[i].low, roles)) {
      *m = (note_measure){ text_of(w, 0, is, a), "person", 0, is };
      return true;
    }
  return false;
}

/* --- places ----------------------------------------------------------------------------------- */

/* A place of a name, one in a house, and what stands in a room: only places of one kind differ. */
static const char *kind_of_place(const note_words *w, size_t from, bool article) {
  static const char cases[] =
      "bag|box|cabinet|case|chest|closet|container|cupboard|desk|drawer|envelope|folder|hook|"
      "locker|rack|safe|shelf|table|tray|kasten|kiste|ordner|regal|safe|schrank|schublade|tisch|"
      "tresor|armoire|bo\u00EEte|co\u00FFre|tiroir|armario|caja|caj\u00F3n|estante";
  for (size_t i = from; i < w->n; i++)
    if (note_word_in(w->w[i].low, cases))
      return "place in a room";
  return article ? "place in a house" : "place";
}

/* "is located in Leeds", "está en el sótano": where the thing is, to the end of the sentence. */
static bool read_place(const note_words *w, note_measure *m, hm_arena *a) {
  enum { WORDS = 5 };
  static const char prepositions[] = "at|behind|in|on|under|am|beim|hinter|im|unter|en|\u00E0|au|"
                                     "dans|sur";
  static const char others[] =
      "and|because|by|during|et|for|from|oder|of|or|per|por|pour|to|und|until|while|with|y";
  size_t i = 2;
  while (i < w->n &&
         !(note_word_in(w->w[i].low, prepositions) && note_word_in(w->w[i - 1].low, verbs)))
    i++;
  size_t from = i + 1;
  bool article = i < w->n && note_word_in(w->w[i].low, "am|beim|im|au");
  if (from < w->n && note_word_in(w->w[from].low, articles)) {
    article = true;
    from++;
  }
  if (!note_word_in(w->w[0].low, articles) || from >= w->n || w->n - from > WORDS ||
      (!article && !is_name(w, from, w->n)))
    return false;
  for (size_t k = i; k < w->n; k++)
    if (note_word_in(w->w[k].low, others) || (k > i && !w->w[k].joined && w->w[k].before != '\'') ||
        hm_digit_at(w->w[k].low, 0))
      return false;
  for (size_t k = 0; k < i; k++) /* people and meetings move */
    if (note_word_in(w->w[k].low, roles) ||
        note_word_in(w->w[k].low,
                     "class|concert|conference|crew|course|event|exhibition|game|"
                     "group|match|meeting|next|party|staff|team|tour|workshop"))
      return false;
  char *name = hm_str_z(a, text_of(w, from, w->n, a));
  for (char *dash = name; (dash = strchr(dash, '-'));) /* "Kassel-Waldau" lies in Kassel */
    *dash = ' ';
  *m = (note_measure){ hm_str_c(name), kind_of_place(w, from, article), from, w->n };
  return true;
}

/* --- permissions ------------------------------------------------------------------------------ */

static const struct {
  const char *words, *value, *denied, *dimension;
} permissions[] = {
  { "allowed|authorised|authorized|permitted|erlaubt|gestattet|autoris\u00E9|autoris\u00E9e|"
    "autoris\u00E9es|autoris\u00E9s|autorizado|permis|permitida|permitidas|permitido|permitidos",
    "allowed", "forbidden", "permission" },
  { "banned|disallowed|forbidden|prohibited|untersagt|verboten|interdit|interdite|interdites|"
    "interdits|prohibida|prohibidas|prohibido|prohibidos",
    "forbidden", "allowed", "permission" },
  { "compulsory|mandatory|obligatory|pflicht|obligatoire|obligatoires|obligatorio|obligatoria|"
    "obligatorios",
    "required", "optional", "duty" },
  { "facultatif|facultative|freiwillig|opcional|optional|voluntary", "optional", "required",
    "duty" },
};

/* "Visitors may", "must not", "dürfen nicht": of people, or denied. */
static bool read_modal(const note_words *w, size_t i, note_measure *m) {
  static const char people[] =
      "anybody|anyone|children|customers|employees|everybody|everyone|guests|interns|members|"
      "patients|pupils|residents|staff|students|tenants|trainees|users|visitors|volunteers|you";
  bool must = hm_str_is(w->w[i].low, "must"), may = hm_str_is(w->w[i].low, "may");
  bool denied = i + 1 < w->n && hm_str_is(w->w[i + 1].low, "not");
  if (!i || !(must || may) || (must && !denied) ||
      (may && !denied && !note_word_in(w->w[i - 1].low, people)))
    return false;
  /* "a name may not match the other": perhaps it does not */
  static const char perhaps[] =
      "appear|apply|be|contain|exist|fit|have|know|match|need|reflect|support|work";
  if (may && denied && i + 2 < w->n && note_word_in(w->w[i + 2].low, perhaps))
    return false;
  /* "after the trial users may ask for more" */
  if (!denied && note_word_in(w->w[0].low, "after|before|during|once|upon"))
    return false;
  *m = (note_measure){ denied ? HM_STR("forbidden") : HM_STR("allowed"), "permission", i,
                       i + 1 + denied };
  return true;
}

/* "it never", "they must not": of nobody knows what. */
static bool is_of_pronoun(const note_words *w, size_t i) {
  for (size_t k = i > 3 ? i - 3 : 0; k < i; k++)
    if (note_word_in(w->w[k].low, "he|it|one|she|that|they|we|which|who"))
      return true;
  return false;
}

/* "are not allowed", "ist verboten". */
static bool read_permission(const note_words *w, note_measure *m) {
  static const char no[] = "no|not|nicht|pas";
  for (size_t i = 1; i < w->n; i++) {
    if (read_modal(w, i, m))
      return true;
    for (size_t k = 0; k < HM_COUNT(permissions); k++) {
      if (!note_word_in(w->w[i].low, permissions[k].words))
        continue;
      bool denied = note_word_in(w->w[i - 1].low, no);
      size_t from = i - denied;
      bool is = from &&
          note_word_in(w->w[from - 1].low,
                       "are|be|is|ist|sind|est|sont|es|est\u00E1|"
                       "est\u00E1n|son");
      if (!is)
        return false;
      *m = (note_measure){ hm_str_c(denied ? permissions[k].denied : permissions[k].value),
                           permissions[k].dimension, from, i + 1 };
      return true;
    }
  }
  return false;
}

/* "The crane lifted 3 tonnes", "received a load", "Ann visited Rome": what was done once. "Has been
 * asking for a year": how long it goes on. "The ferns didn't like": what is not. */
bool note_tells_deed(const note_words *w) {
  static const char before[] = "are|be|been|being|get|gets|is|was|were";
  static const char objects[] = "a|after|an|at|for|her|him|his|in|its|on|our|the|their|them|us";
  for (size_t i = 1; i + 1 < w->n; i++) {
    hm_str low = w->w[i].low;
    bool denied = w->w[i].before != ' ' && hm_str_is(low, "t") && hm_str_ends(w->w[i - 1].low, "n");
    if (denied || (hm_str_is(low, "been") && hm_str_ends(w->w[i + 1].low, "ing")))
      return true;
    bool past = (hm_str_ends(low, "ed") && !hm_str_ends(low, "eed")) ||
        note_word_in(low, "found|lost|met|put|won");
    if (!past || !w->w[i + 1].joined)
      continue;
    bool passive =
        note_word_in(w->w[i - 1].low, before) || (i > 1 && note_word_in(w->w[i - 2].low, before));
    hm_str object = w->w[i + 1].s;
    bool named = hm_digit_at(object, 0) || hm_is_upper(object.p[0]);
    if (!passive && (named || note_word_in(w->w[i + 1].low, objects)))
      return true;
  }
  return false;
}

bool note_may_tell(hm_str low) {
  return note_word_in(low, verbs) || note_word_in(low, calls) || note_word_in(low, copulas) ||
      note_word_in(low, "may|must");
}

bool note_told_read(const note_words *w, note_measure *m, hm_arena *a) {
  if (read_permission(w, m))
    return !note_word_in(w->w[m->from].low, "may|must") || !is_of_pronoun(w, m->from);
  return read_person(w, m, a) || read_office(w, m, a) || read_place(w, m, a);
}
