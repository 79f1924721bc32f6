/* Statements of texts without headings: sentence.h. Stands above frame.c. */
#include "core/words/sentence.h"

#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/words/words.h"

enum {
  AMOUNTS_MAX = 3,
  WORDS_MAX = 8,
  TEXT_MAX = 64 << 10,
  SENTENCE_MAX = 200,
  KNOWN_MAX = 1 << 14
};

/* What is known of a word, in small letters. */
typedef struct {
  hm_str stem; /* empty: a word of grammar */
  bool starts; /* an amount or a day may begin with it */
  bool tells;  /* with it a person, a place or a permission may be told */
  bool doubt;  /* with it a sentence states nothing */
} facts;

struct hm_sentence_words {
  hm_arena *a;
  hm_map numbers; /* of the words */
  facts *v;
  size_t n, cap;
};

typedef struct {
  hm_arena *a;
  hm_sentence_words *known;
  hm_str text;
  note_words w;
  facts *words; /* of w */
  note_measure amounts[AMOUNTS_MAX];
  size_t n;
  size_t about; /* words before the text that name what it is about */
  bool french;  /* "four" is an oven */
} sentence;

/* What a value is about. */
typedef struct {
  hm_str stem[WORDS_MAX], shown[WORDS_MAX];
  size_t phrase[WORDS_MAX]; /* words with nothing between them are of one */
  size_t n, now;            /* now: the phrase */
  size_t counted;           /* that which says what is counted */
  bool full;                /* there were more words */
} subject;

/* --- what states nothing ---------------------------------------------------------------------- */

/* Words with which an amount or a day begins: of measure.c, hours.c. */
static const char starters[] =
    "first|second|third|fourth|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    "thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|twice|every|each|"
    "once|daily|weekly|monthly|quarterly|yearly|annually|hourly|nightly|noon|midnight|in|im|en|"
    "le|les|los|jeden|chaque|cada|deux|trois|quatre|cinq|sept|huit|neuf|dix|zwei|drei|vier|"
    "f\u00FCnf|sechs|sieben|acht|neun|zehn|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|"
    "t\u00E4glich|w\u00F6chentlich|monatlich|j\u00E4hrlich|st\u00FCndlich|mondays|tuesdays|"
    "wednesdays|thursdays|fridays|saturdays|sundays|montags|dienstags|mittwochs|donnerstags|"
    "freitags|samstags|sonntags|port|puerto";

/* With one of them a sentence does not state how things are, tells of a change, which prose reads,
 * or is about its speaker, whose amounts grow. */
static const char others[] =
    "ago|already|als|also|asked|asks|auch|aussi|became|becomes|began|believes|bought|broke|"
    "came|changed|changes|claims|cuando|dit|down|drank|dropped|drove|falls|far|fell|flew|gave|got|"
    "grew|had|heard|heute|hier|hopes|hoy|i|i'm|i've|ich|if|increased|instead|je|last|lorsque|"
    "lowered|m|made|me|mein|meine|mi|mon|morgen|moved|my|myself|now|once|past|planning|plans|"
    "quand|raise|raised|ran|rang|recently|recommended|reduced|rose|sagt|said|sat|saw|says|"
    "should|si|sold|spent|spoke|stood|suggested|suggests|swam|switched|tambi\u00E9n|them|they|"
    "thinks|these|this|those|thought|today|todo|tomorrow|tonight|too|took|updated|user|ve|wants|"
    "went|when|who|which|wore|wrote|yesterday|yo";

static facts facts_of(hm_sentence_words *known, hm_str low, hm_arena *a) {
  facts f = { .stem = low, .starts = hm_digit_at(low, 0) };
  if (f.starts)
    return f;
  uint32_t number = hm_map_get(&known->numbers, low);
  if (number != HM_MAP_NONE)
    return known->v[number];
  hm_arena *kept = known->n < KNOWN_MAX ? known->a : a;
  bool sign = (unsigned char)low.p[0] == 0xE2 || (unsigned char)low.p[0] == 0xF0;
  f.stem = sign || note_is_silent(low) ? HM_EMPTY : note_topic_stem(low, kept);
  if (f.stem.p == low.p)
    f.stem = hm_str_dup(kept, f.stem);
  f.starts = !hm_is_letter(low.p[0]) || note_word_in(low, starters);
  f.tells = note_may_tell(low);
  f.doubt = note_is_doubt(low) || note_word_in(low, others);
  if (kept == known->a) {
    known->v = hm_array_grow_in(kept, known->v, known->n, &known->cap, sizeof f);
    hm_map_add(&known->numbers, hm_str_dup(kept, low), (uint32_t)known->n);
    known->v[known->n++] = f;
  }
  return f;
}

/* "may not exceed", "must not go above" at word i, before an amount at word `to`: how many words
 * they are; 0: it is none. *bound: what they say. */
static size_t limit_at(const note_words *w, size_t i, size_t to, const char **bound) {
  static const char least[] = "below|fewer|less|lower|shorter|under";
  static const char words[] =
      "above|be|below|beyond|cost|exceed|fall|fewer|get|go|have|higher|larger|last|less|longer|"
      "lower|more|over|rise|run|shorter|take|than|under|weigh";
  if (i + 1 >= to || !note_word_in(w->w[i].low, "cannot|never|no|not"))
    return 0;
  *bound = "maximum";
  for (size_t k = i + 1; k < to; k++) {
    if (!w->w[k].joined || !note_word_in(w->w[k].low, words))
      return 0;
    if (note_word_in(w->w[k].low, least))
      *bound = "minimum";
  }
  return to - i;
}

/* --- amounts ---------------------------------------------------------------------------------- */

/* "Kiln 2", "by 8", "kiln 2 fires": a number of which nothing says that it counts; "3.10" may be a
 * version, and "mm/s" is a unit that nobody knows. */
static bool is_name(const sentence *s, const note_measure *m) {
  static const char counts[] = "are|betragen|betr\u00E4gt|equals|is|least|most|of|than|to|totals";
  hm_str before = m->from ? s->w.w[m->from - 1].low : HM_EMPTY;
  if (!strcmp(m->dimension, "number"))
    return !note_word_in(before, counts) || memchr(m->value.p, '.', m->value.n);
  if (strcmp(m->dimension, "count"))
    return false;
  hm_str noun = s->w.w[m->to].low;
  if (noun.n < 3 || memchr(noun.p, '/', noun.n))
    return true;
  return hm_digit_at(s->w.w[m->from].low, 0) && before.n && !note_is_grammar(before) &&
      !note_word_in(before, counts) && !hm_str_ends(before, "s");
}

/* Finds the amounts. False: too many, or two of one kind. */
static bool find_amounts(sentence *s) {
  size_t kept = 0;
  bool clock = false;
  for (size_t i = s->about; i < s->w.n;) {
    note_measure m;
    bool starts = s->words[i].starts && !(s->french && hm_str_is(s->w.w[i].low, "four"));
    bool found = starts && (note_day_at(&s->w, i, &m, s->a) || note_measure_at(&s->w, i, &m, s->a));
    if (!found || is_name(s, &m)) {
      i++;
      continue;
    }
    if (s->n == AMOUNTS_MAX)
      return false;
    for (size_t k = 0; k < s->n; k++)
      if (!strcmp(s->amounts[k].dimension, m.dimension))
        return false;
    clock |= !strcmp(m.dimension, "time");
    s->amounts[s->n++] = m;
    i = m.to;
  }
  for (size_t k = 0; k < s->n; k++) { /* "at 02:00 each night" */
    bool daily = clock && !strcmp(s->amounts[k].dimension, "interval");
    if (!daily || !hm_str_is(s->amounts[k].value, "1 days"))
      s->amounts[kept++] = s->amounts[k];
  }
  s->n = kept;
  return true;
}

/* Stems that say no more than the dimension, in a sentence by itself, beside those of documents. */
static const struct {
  const char *dimension, *stems;
} implied[] = {
  { "count", "accommod|avail|capac|carri|fit|offer|room|seat" },
  { "day of month", "due|go|goe|sent" },
  { "duration", "close|dauert|dura|dure|timeout" },
  { "flow", "deliv|flow|pump" },
  { "length", "measur|mide" },
  { "mass", "carri|load|peso|pes|p\u00E8se|tragkraft|tr\u00E4gt|wiegt" },
  { "money", "amount|charg|co\u00FBt|cuesta|kostet|\u00E9l\u00E8ve" },
  { "month", "celebr|findet|happen|held|lieu|place|statt" },
  { "permission", "get|strict" },
  { "person", "appell|call|current|hei\u00DFt|llama|name" },
  { "place",
    "base|befindet|encuentra|est\u00E1|hang|h\u00E4ngt|hous|kept|lie|liegt|locat|retent|sit|situat|"
    "situ\u00E9|stand|steht|store|trouv" },
  { "pressure", "inflat|pressur" },
  { "rate", "frequenc|pitch|spin" },
  { "speed", "speed" },
  { "temperature", "heat|hold|maintain|retent|run|set|stay|store|temperatur" },
  { "time", "depart|departur|leav" },
  { "torque", "tighten|torqu" },
  { "volume", "capac|contain|hold|volum" },
  { "weekday",
    "happen|hebdomadair|held|lieu|nur|onli|only|place|semanal|week|weekli|w\u00F6chentlich" },
  { "weekday of month", "held|place|month" },
};

static bool is_implied(hm_str stem, const char *dimension) {
  if (!strncmp(dimension, "place", strlen("place")))
    dimension = "place";
  for (size_t i = 0; i < HM_COUNT(implied); i++)
    if (!strcmp(implied[i].dimension, dimension) && note_word_in(stem, implied[i].stems))
      return true;
  return note_is_implied(stem, dimension) || hm_str_is(stem, dimension);
}

/* Finds the person, the place or the permission that the sentence tells, beside no amount but when.
 */
static void find_told(sentence *s) {
  static const char when[] = "interval|month|time|weekday";
  note_measure m;
  if (s->n == AMOUNTS_MAX || !note_told_read(&s->w, &m, s->a))
    return;
  for (size_t i = 0; i < s->n; i++)
    if (!note_word_in(hm_str_c(s->amounts[i].dimension), when) ||
        (s->amounts[i].from < m.to && m.from < s->amounts[i].to))
      return;
  s->amounts[s->n++] = m;
}

/* --- what they are about ---------------------------------------------------------------------- */

static void add(subject *b, hm_str stem, hm_str shown) {
  for (size_t i = 0; i < b->n; i++)
    if (hm_str_eq(b->stem[i], stem))
      return;
  b->full |= b->n == WORDS_MAX;
  if (b->full)
    return;
  b->stem[b->n] = stem;
  b->phrase[b->n] = b->now;
  b->shown[b->n++] = shown;
}

/* Joins a word to the one before it: "kiln 2", "part 0 1", "per driver". */
static void join(subject *b, hm_arena *a, hm_str word) {
  hm_str *last[] = { &b->stem[b->n - 1], &b->shown[b->n - 1] };
  for (size_t i = 0; i < HM_COUNT(last); i++)
    *last[i] = HM_CAT(a, *last[i], HM_STR("_"), word);
}

/* "kiln 2", "building C": does word i say which one the word before it is? */
static bool says_which(const note_words *w, size_t i) {
  hm_str s = w->w[i].s;
  bool number = hm_skip_digits(s, 0) == s.n;
  bool letter = s.n == 1 && hm_is_upper(s.p[0]);
  return i && w->w[i].joined && (number || letter) &&
      (!note_is_grammar(w->w[i - 1].low) || says_which(w, i - 1));
}

/* "5 to 7 minutes", "~16 minutes": is word i a part of an amount that is not read? */
static bool is_range(const note_words *w, size_t i) {
  static const char words[] = "a|and|bis|or|to|und|y|\u00E0";
  hm_str s = w->w[i].low;
  bool number = hm_digit_at(s, 0), range = number && hm_digit_at(s, hm_skip_digits(s, 0) + 1);
  if (i + 1 < w->n)
    range |= note_word_in(w->w[i + 1].low, words) || strchr("-,/", w->w[i + 1].before);
  return number ? range : !hm_is_letter(s.p[0]) && !(s.p[0] & 0x80);
}

/* Before an amount it says on which side of it: "before 9:00", "within 2 days". */
static const char sides[] =
    "ab|after|ant\u00E9s|antes|apr\u00E8s|avant|bis|before|by|dentro|desde|from|nach|per|pro|"
    "through|vor|within";

static bool begins_amount(const sentence *s, size_t i) {
  size_t k = 0;
  while (k < s->n && s->amounts[k].from != i)
    k++;
  return k < s->n;
}

/* Does word i begin with an article or the like, so that one word says which thing it is? */
static bool is_definite(const note_words *w, size_t i) {
  static const char words[] =
      "the|our|das|der|die|unser|unsere|el|la|las|los|nuestra|nuestro|il|l|le|les|lo|notre";
  return i + 1 < w->n && note_word_in(w->w[i].low, words);
}

/* Narrows words [*from, *to) to the clause of the amount: "the crane runs on 400 V and the quay is
 * 5 m deep" says two things. */
static void find_clause(const sentence *s, const note_measure *m, size_t *from, size_t *to) {
  const note_words *w = &s->w;
  for (size_t i = 1; i + 1 < w->n; i++) {
    bool before = false, after = false;
    for (size_t k = 0; k < s->n; k++) {
      before |= s->amounts[k].to <= i;
      after |= s->amounts[k].from > i;
    }
    if (!before || !after || !note_word_in(w->w[i].low, "and|but|et|pero|und|while|y") ||
        !is_definite(w, i + 1))
      continue;
    if (i < m->from)
      *from = i + 1;
    else if (i < *to)
      *to = i;
  }
}

/* Of all that the clause says beside value k. */
static subject subject_of(const sentence *s, size_t k) {
  const note_words *w = &s->w;
  const note_measure *m = &s->amounts[k];
  subject b = { .now = 1 };
  size_t from = 0, to = w->n;
  find_clause(s, m, &from, &to);
  for (size_t i = from; i < to; i++) {
    const char *bound = "";
    size_t at = 0, skip = i < m->from ? limit_at(w, i, m->from, &bound) : 0;
    while (at < s->n && s->amounts[at].from != i)
      at++;
    b.now += !w->w[i].joined;
    if (at < s->n) {
      b.now++;
      b.counted = at == k && !strcmp(m->dimension, "count") ? b.now : b.counted;
      hm_str value = hm_text_fold_name(s->a, s->amounts[at].value);
      if (at != k)
        add(&b, value, value);
      i = s->amounts[at].to - 1;
    } else if (skip) {
      add(&b, hm_str_c(bound), hm_str_c(bound));
      i += skip - 1;
    } else if (is_range(w, i) || (hm_str_is(w->w[i].low, "than") && begins_amount(s, i + 1))) {
      b.full = true; /* "longer than 3.2 m" says which ones */
      return b;
    } else if (hm_str_is(w->w[i].low, "up") && i + 1 < to && hm_str_is(w->w[i + 1].low, "to") &&
               begins_amount(s, i + 2)) {
      add(&b, HM_STR("maximum"), HM_STR("maximum"));
      i++;
    } else if (b.n && says_which(w, i))
      join(&b, s->a, w->w[i].low);
    else if (s->words[i].doubt && !is_implied(w->w[i].low, m->dimension)) {
      b.full = true;
      return b;
    } else {
      bool side = begins_amount(s, i + 1) && note_word_in(w->w[i].low, sides);
      hm_str stem = side ? w->w[i].low : s->words[i].stem;
      bool per = i && note_word_in(w->w[i - 1].low, "per|pro");
      if (stem.n && per)
        stem = HM_CAT(s->a, HM_STR("per_"), stem);
      if (stem.n)
        add(&b, stem, w->w[i].low);
      b.now += !stem.n;
    }
  }
  return b;
}

/* Takes out what says no more than the kind of the value; what something holds is the most. */
static void drop_implied(subject *b, const char *dimension) {
  static const char holds[] = "accommod|capac|carri|fit|hold|seat|tragkraft|tr\u00E4gt";
  size_t kept = 0;
  bool most = false;
  for (size_t i = 0; i < b->n; i++)
    most |= note_word_in(b->stem[i], holds) && is_implied(b->stem[i], dimension);
  for (size_t i = 0; i < b->n; i++)
    if (!is_implied(b->stem[i], dimension) && !(most && hm_str_is(b->stem[i], "maximum"))) {
      b->stem[kept] = b->stem[i];
      b->phrase[kept] = b->phrase[i];
      b->shown[kept++] = b->shown[i];
    }
  b->n = kept;
}

/* "The grove sensor checks 7 quartz monitors" is not of a quartz sensor: what is counted, and
 * phrases of several words where there are two, are words in order. */
static void join_phrases(subject *b, hm_arena *a) {
  size_t several = 0, n = 0;
  for (size_t i = 1; i < b->n; i++)
    several += b->phrase[i] == b->phrase[i - 1] && (i < 2 || b->phrase[i - 2] != b->phrase[i]);
  for (size_t i = 0; i < b->n; i++) {
    bool one = n && b->phrase[i] == b->phrase[n - 1] && (several > 1 || b->phrase[i] == b->counted);
    hm_str stem = one ? HM_CAT(a, b->stem[n - 1], HM_STR("_"), b->stem[i]) : b->stem[i];
    hm_str shown = one ? HM_CAT(a, b->shown[n - 1], HM_STR("_"), b->shown[i]) : b->shown[i];
    n -= one;
    b->phrase[n] = b->phrase[i];
    b->stem[n] = stem;
    b->shown[n++] = shown;
  }
  b->n = n;
}

static hm_str name_of(hm_arena *a, const hm_str *words, size_t n, const char *kind) {
  hm_str all = HM_EMPTY;
  for (size_t i = 0; i < n; i++)
    all = HM_CAT(a, all, words[i], HM_STR(" "));
  return hm_text_fold_name(a, HM_CAT(a, all, hm_str_c(kind)));
}

/* --- a text ----------------------------------------------------------------------------------- */

typedef struct {
  hm_sentence_claim *v;
  size_t n, cap;
} claims;

static void add_claim(claims *c, const sentence *s, subject *b, const char *kind, hm_str value,
                      size_t from, size_t to) {
  size_t begin = s->w.w[from].at, end = s->w.w[to - 1].at + s->w.w[to - 1].s.n;
  hm_str called = name_of(s->a, b->shown, b->n, strcmp(kind, "count") ? kind : "");
  hm_strs_sort(b->stem, b->n);
  c->v = hm_array_grow_in(s->a, c->v, c->n, &c->cap, sizeof *c->v);
  c->v[c->n++] = (hm_sentence_claim){ .slot = name_of(s->a, b->stem, b->n, kind),
                                      .called = called,
                                      .value = value,
                                      .written = hm_str_sub(s->text, begin, end),
                                      .words = s->text,
                                      .rule = note_word_in(hm_str_c(kind), "duty|permission") };
}

/* With one of them a day of the week is the only one. */
static const char one_of_week[] =
    "hebdomadaire|nur|only|semanal|weekly|w\u00F6chentlich|w\u00F6chentliche";

/* "The pool size is 50, in staging": what stands behind a stop says of what it holds; so may what
 * stands before one: "at 203 dpi, 57 x 32 mm". */
static bool is_limited(const sentence *s, const note_measure *m) {
  if (m->from && s->w.w[m->from].before == ',')
    return true;
  for (size_t i = m->to; i < s->w.n; i++)
    if (strchr(",:-", s->w.w[i].before))
      return true;
  return false;
}

/* "The limit": of nothing. */
static bool is_bound(const subject *b) {
  size_t i = 0;
  while (i < b->n && note_is_bound(b->stem[i]))
    i++;
  return i == b->n;
}

static void read_amount(claims *c, const sentence *s, size_t k) {
  const note_measure *m = &s->amounts[k];
  bool plain = !strcmp(m->dimension, "number"), weekday = !strcmp(m->dimension, "weekday");
  /* "meets on Tuesdays": perhaps on Fridays, too */
  bool alone = !weekday || note_any_word_in(&s->w, one_of_week);
  if (!alone || !strcmp(m->dimension, "version") ||
      note_is_of_trouble(&s->w, m)) /* prose knows whose */
    return;
  /* "It covers two concerns" */
  if (!strcmp(m->dimension, "count") && hm_str_is(s->w.w[0].low, "it"))
    return;
  size_t least = is_definite(&s->w, m->from ? 0 : m->to + 1) ? 1 : 2;
  subject b = subject_of(s, k);
  if (b.full || b.n < least || is_limited(s, m))
    return;
  drop_implied(&b, m->dimension);
  if (b.n < least || is_bound(&b))
    return;
  join_phrases(&b, s->a);
  add_claim(c, s, &b, plain ? "count" : m->dimension, m->value, m->from, m->to);
}

/* "tunes to A = 442 Hz": a sign of equality between blanks says "is". */
static hm_str without_equals(hm_str text, hm_arena *a) {
  if (hm_str_find(text, " = ") < 0)
    return text;
  char *out = hm_str_z(a, text);
  for (size_t i = 1; i + 1 < text.n; i++)
    if (text.p[i] == '=' && text.p[i - 1] == ' ' && text.p[i + 1] == ' ' &&
        !(i > 1 && hm_is_digit(text.p[i - 2]))) /* "1 = partly" is a key */
      out[i] = ' ';
  return (hm_str){ out, text.n };
}

/* What each word of the sentence beside its value is, where nothing more is known of it. */
static void read_frames(claims *c, const sentence *s) {
  note_frame v[NOTE_FRAMES_MAX];
  for (size_t i = 0; i < s->w.n; i++)
    if (s->words[i].doubt && (i || !hm_str_is(s->w.w[i].low, "o"))) /* "O prazo" */
      return;
  size_t n = s->about < s->w.n ? note_frames_read(&s->w, s->about, s->a, v) : 0;
  for (size_t i = 0; i < n; i++) {
    add_claim(c, s, &(subject){ .n = 0 }, v[i].value.dimension, v[i].value.value, v[i].value.from,
              v[i].value.to);
    c->v[c->n - 1].slot = v[i].slot;
    c->v[c->n - 1].called = v[i].called;
    c->v[c->n - 1].frame = true;
  }
}

/* Is it plain: without brackets and the like, and of one clause? */
static bool is_plain(const sentence *s) {
  size_t parts = 0;
  for (size_t i = 0; i < s->w.n; i++) {
    if (strchr(i ? ";()[]`*" : "()[]", s->w.w[i].before))
      return false;
    parts += s->w.w[i].before == ',' || s->w.w[i].before == ':';
  }
  return parts < 2;
}

/* about, frames: as in hm_sentences_read. */
static void read_sentence(claims *c, hm_sentence_words *known, hm_str text, size_t about,
                          bool frames, hm_arena *a) {
  enum { LETTERS = 3 }; /* a shorter word is a unit, or says little */
  hm_str plain = without_equals(text, a);
  sentence s = { .a = a, .known = known, .text = text };
  s.w = note_split(plain, a);
  s.words = hm_alloc_array(a, s.w.n, sizeof *s.words);
  bool starts = false;
  size_t telling = is_definite(&s.w, 0), had = c->n;
  for (size_t i = 0; i < s.w.n; i++) {
    s.words[i] = facts_of(known, s.w.w[i].low, a);
    starts |= s.words[i].starts;
    starts |= s.words[i].tells;
    telling += s.words[i].stem.n >= LETTERS && !hm_digit_at(s.w.w[i].low, 0);
    s.about += s.w.w[i].at < about;
  }
  if (!starts || note_is_no_statement(plain))
    return;
  if (s.about && s.about < s.w.n) /* its capital letter only begins the text */
    s.w.w[s.about].s = s.w.w[s.about].low;
  s.french = note_any_word_in(&s.w, "au|du|est|la|le|les|un");
  bool deed = note_tells_deed(&s.w);
  if (telling > 1 && is_plain(&s) && !deed && find_amounts(&s)) {
    find_told(&s);
    for (size_t i = 0; i < s.n; i++)
      read_amount(c, &s, i);
  }
  if (c->n == had && frames && !deed)
    read_frames(c, &s);
}

/* Takes out claims whose slot the text gives several values. */
static size_t drop_repeated(claims *c, hm_arena *a) {
  hm_map seen, several;
  size_t kept = 0;
  hm_map_init(&seen, a, c->n);
  hm_map_init(&several, a, c->n);
  for (size_t i = 0; i < c->n; i++) {
    if (hm_map_get(&seen, c->v[i].slot) != HM_MAP_NONE)
      hm_map_add(&several, c->v[i].slot, 0);
    hm_map_add(&seen, c->v[i].slot, 0);
  }
  for (size_t i = 0; i < c->n; i++)
    if (hm_map_get(&several, c->v[i].slot) == HM_MAP_NONE)
      c->v[kept++] = c->v[i];
  return kept;
}

hm_sentence_words *hm_sentence_words_new(hm_arena *a) {
  hm_sentence_words *known = hm_alloc(a, sizeof *known);
  *known = (hm_sentence_words){ .a = a };
  hm_map_init(&known->numbers, a, 256);
  return known;
}

size_t hm_sentences_read(hm_sentence_words *known, hm_str text, size_t about, bool frames,
                         hm_arena *a, hm_sentence_claim **out) {
  claims c = { .v = NULL };
  *out = NULL;
  if (text.n > TEXT_MAX)
    return 0;
  while (text.n) {
    hm_str s = note_next_sentence(&text);
    if (s.n && s.n <= SENTENCE_MAX)
      read_sentence(&c, known, s, about, frames, a);
    about = 0;
  }
  *out = c.v;
  return c.n > 1 ? drop_repeated(&c, a) : c.n;
}

size_t hm_sentence_amounts(hm_str text, hm_arena *a, hm_sentence_amount *out, size_t most) {
  note_words w = note_split(text, a);
  note_measure m;
  size_t n = 0;
  for (size_t i = 0; i < w.n && n < most; i++) {
    if (!note_hours_at(&w, i, &m, a) && !note_day_at(&w, i, &m, a) &&
        !note_measure_at(&w, i, &m, a))
      continue;
    out[n++] = (hm_sentence_amount){ m.dimension, m.value };
    i = m.to > i ? m.to - 1 : i;
  }
  return n;
}

bool hm_heading_is_generic(hm_str heading, hm_arena *a) {
  return note_heading_is_generic(heading, a);
}
