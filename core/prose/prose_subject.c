/* What a statement is about: "the max upload size", "the timeout of the API", "Dana's editor",
 * "retry limit for uploads", "search in production".
 *
 * The last words of a phrase name the attribute, as usual in English. A phrase with a pronoun, a
 * word such as "another" or "old", a comma or a clause has no certain subject. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/prose/prose_grammar.h"

/* Attributes of two words; the second alone would leave half of the name with the subject. */
static const char compounds[] =
    "alarm threshold|backoff delay|base url|batch size|block size|boot time|build time|"
    "body limit|buffer size|chunk size|code coverage|connection limit|connection pool size|"
    "connect timeout|cpu limit|cut off|default branch|depth limit|disk size|cycle time|"
    "delivery time|due date|error budget|error rate|file size|font size|frame rate|idle timeout|"
    "lead time|line length|line width|log level|max age|memory limit|message size|page size|"
    "poll interval|polling interval|pool size|queue depth|queue size|rate limit|processing time|"
    "read timeout|recovery time|refresh interval|release date|release branch|request limit|"
    "request timeout|response time|retention period|retry count|retry delay|retry interval|"
    "retry limit|retry policy|sample rate|sampling rate|scale factor|shard count|size limit|"
    "start date|start time|startup time|end date|end time|config file|entry point|tab width|"
    "thread count|time limit|timeout|tick rate|turnaround time|worker count|write timeout|"
    "wake up time|contact person";

/* "max_connections", "maxmemory-policy": what its last part may be. */
static uint64_t class_of_identifier(const prose *p, const prose_word *t) {
  size_t from = t->low.n;
  while (from > 0 && t->low.p[from - 1] != '_' && t->low.p[from - 1] != '-')
    from--;
  if (!from || from == t->low.n || t->capital || t->first == '-')
    return 0;
  const prose_entry *e = prose_find_word(p->f, hm_str_sub(t->low, from, t->low.n));
  return e ? e->cls & (C_MEASURE | C_NAMED) : 0;
}

size_t prose_attribute_words(const prose *p, size_t i, size_t j, uint64_t *cls) {
  *cls = 0;
  if (i >= j)
    return 0;
  const prose_word *last = &p->t[j - 1];
  uint64_t of_last = last->cls & (C_MEASURE | C_NAMED);
  if (last->low.n > 4 && !of_last && last->low.p[last->low.n - 1] == 's') {
    const prose_entry *e = prose_find_word(p->f, hm_str_sub(last->low, 0, last->low.n - 1));
    if (e && (e->cls & C_MEASURE))
      of_last = C_MEASURE;
  }
  if (!of_last)
    of_last = class_of_identifier(p, last);
  if (j - i >= 2 && prose_one_of(p, j - 2, j, compounds) == 2) {
    *cls = of_last ? of_last : C_MEASURE | C_NAMED;
    return 2;
  }
  if (j - i >= 2 && prose_one_of(p, j - 2, j, "rate limits|rate limiting"))
    return *cls = C_MEASURE, 2;
  if (!of_last)
    return 0;
  *cls = of_last;
  if (j - i < 2)
    return 1;
  hm_str low = p->t[j - 2].low; /* "p99 latency" */
  return low.n >= 3 && low.n <= 5 && low.p[0] == 'p' && hm_is_digit(low.p[1]) ? 2 : 1;
}

/* max, min, default in front of a phrase. */
static size_t read_limit(const prose *p, prose_np *np, size_t i, size_t j) {
  if (i + 1 < j && prose_one_of(p, i, j, "current|actual|correct|corrected"))
    i++;
  prose_limit limit = prose_is(p, i, j, "default")   ? LIMIT_DEFAULT
      : prose_one_of(p, i, j, "max|maximal|maximum") ? LIMIT_MAX
      : prose_one_of(p, i, j, "min|minimal|minimum") ? LIMIT_MIN
                                                     : LIMIT_NONE;
  if (i + 1 < j && limit) {
    np->limit = limit;
    i++;
    if (prose_one_of(p, i, j, "allowed|permitted")) /* "maximum allowed number of retries" */
      i++;
  }
  size_t n = prose_one_of(p, i, j, "total number of|number of");
  return n && i + n < j ? i + n : i;
}

static size_t skip_article(const prose *p, prose_np *np, size_t i, size_t j) {
  if (i < j && prose_one_of(p, i, j, "a|an"))
    np->indefinite = true;
  if (prose_has(p, i, j, C_ARTICLE))
    return i + 1;
  if (prose_is(p, i, j, "my"))
    return np->user = true, i + 1;
  return prose_is(p, i, j, "our") ? i + 1 : i;
}

/* "new" in front of a name; in front of an attribute it is dropped: "the new limit". */
static size_t skip_new(const prose *p, size_t i, size_t j, bool *named) {
  uint64_t cls;
  *named = false;
  if (!prose_is(p, i, j, "new") || i + 1 >= j)
    return i;
  if (prose_attribute_words(p, i + 1, j, &cls) == j - i - 1)
    return i + 1;
  *named = true;
  return i;
}

static bool is_number(const prose_word *t) {
  for (size_t i = 0; i < t->s.n; i++)
    if (!(hm_is_digit(t->s.p[i]) || t->s.p[i] == '.' || t->s.p[i] == ','))
      return false;
  return t->s.n > 0;
}

static bool is_certain(const prose *p, size_t i, size_t j) {
  const uint64_t refused = C_PRONOUN | C_COND | C_NOT | C_BE | C_WAS | C_AND | C_TAIL | C_ARTICLE |
      C_OWNER | C_SEVERAL | C_APPROX;
  for (size_t k = i; k < j; k++) {
    const prose_word *t = &p->t[k];
    if (prose_is_rule_line(t) || t->first == '#' || ((t->cls & C_PREP) && !t->capital))
      return false;
    bool most = prose_is(p, k, j, "most") && k && k + 2 < j + 1 &&
        !hm_str_ends(p->t[j - 1].low, "s") &&
        (p->t[k - 1].owns || (p->t[k - 1].cls & C_OWNER)); /* "my most productive time" */
    if (most)
      continue;
    if (memchr(t->s.p, '=', t->s.n))
      return false;
    if ((t->stop && k + 1 < j) || t->aside || (t->cls & refused) || t->low.n > 64)
      return false;
    if ((t->cls & C_UNSURE) && !t->capital)
      return false;
  }
  return true;
}

static void add_words(prose *p, prose_name *to, size_t i, size_t j, bool singular) {
  for (size_t k = i; k < j; k++)
    prose_add_word(to, singular && k + 1 == j ? prose_singular(p, &p->t[k]) : p->t[k].low);
}

/* Splits [i, j) into what it belongs to and its attribute. */
static void read_plain(prose *p, prose_np *np, size_t i, size_t j) {
  int family = -1;
  uint64_t cls;
  if (!np->limit)
    i = read_limit(p, np, i, j);
  size_t n = prose_family_noun(p, i, j, &family);
  size_t m = prose_attribute_words(p, i, j, &cls);
  size_t inner = j - m - 1; /* "password minimum length" */
  if (m && inner > i && inner < j && !np->limit) {
    if (prose_one_of(p, inner, j, "minimum|min"))
      np->limit = LIMIT_MIN;
    if (prose_one_of(p, inner, j, "maximum|max"))
      np->limit = LIMIT_MAX;
    if (np->limit) {
      add_words(p, &np->subject, i, inner, true);
      add_words(p, &np->attribute, j - m, j, false);
      np->known_measure = cls & C_MEASURE;
      np->known_name = cls & C_NAMED;
      return;
    }
  }
  if (n && n >= m) {
    np->family = family;
    add_words(p, &np->noun, j - n, j, true);
    prose_add_words(&np->attribute, prose_family_name(p, family));
    np->known_name = true;
    np->known_measure = cls & C_MEASURE;
    add_words(p, &np->subject, i, j - n, true);
    return;
  }
  /* "upload size limit" is "max upload size" */
  if (prose_is(p, j - 1, j, "limit") && j - i >= 2 && !np->limit &&
      prose_one_of(p, j - 2, j, "size|length|width|height|weight")) {
    cls = C_MEASURE;
    np->limit = LIMIT_MAX;
    add_words(p, &np->subject, i, j - 2, true);
    prose_add_word(&np->attribute, p->t[j - 2].low);
  } else {
    size_t from = j - m;
    if (m && i + 1 == from &&
        prose_one_of(p, i, j, "favorite|favourite|primary|main|preferred|official"))
      from = i;
    add_words(p, &np->subject, i, from, true);
    add_words(p, &np->attribute, from, j, false);
    add_words(p, &np->noun, from, j, true);
  }
  np->known_measure = cls & C_MEASURE;
  np->known_name = cls & C_NAMED;
}

/* np->written is the whole phrase as it is now. */
static void note_written(prose_np *np) {
  np->written_limit = np->limit;
  np->parts = np->subject.n + np->attribute.n;
}

/* "X of the Y", "X for Y": X at [i, of), Y behind it. */
static bool read_of(prose *p, prose_np *np, size_t i, size_t of, size_t j) {
  bool is_for = prose_is(p, of, j, "for");
  prose_np x = { .family = -1, .limit = np->limit };
  size_t from = skip_article(p, np, of + 1, j);
  size_t doing = from; /* "Luna chasing a laser pointer" */
  while (doing < j &&
         !(doing > from && p->t[doing - 1].capital && hm_str_ends(p->t[doing].low, "ing")))
    doing++;
  if (from >= j || i >= of || !is_certain(p, i, of) || !is_certain(p, from, doing))
    return false;
  if (doing < j)
    doing += prose_has(p, doing + 1, j, C_ARTICLE) ? 2 : 1;
  if (doing < j && !is_certain(p, doing, j))
    return false;
  i = read_limit(p, &x, i, of);
  read_plain(p, &x, i, of);
  np->limit = x.limit;
  np->known_measure = x.known_measure;
  np->known_name = x.known_name;
  np->family = x.family;
  if (is_for && !x.attribute.n &&
      prose_name_ends(&x.subject, "code|combination|passcode|password|pin"))
    x.attribute = x.subject, x.subject.n = 0;
  if (!x.attribute.n) { /* "the video of Luna": one thing */
    if (is_for)
      return false;
    for (size_t k = i; k < j; k++) /* "the video of Luna chasing a pointer" */
      if (!(p->t[k].cls & C_ARTICLE))
        add_words(p, &np->subject, k, k + 1, k + 1 == j);
    return true;
  }
  np->attribute = x.attribute;
  if (is_for && x.subject.n) {
    np->subject = x.subject;
    add_words(p, &np->qualifier, from, j, true);
    return true;
  }
  size_t owner = from;
  while (owner < j && !p->t[owner].owns)
    owner++;
  add_words(p, &np->subject, from, j, owner == j);
  prose_add_name(&np->subject, &x.subject);
  add_words(p, &np->written, from, j, false);
  add_words(p, &np->written, i, of, false);
  note_written(np);
  return true;
}

/* "Kim's date of birth" */
static bool read_birth(prose *p, prose_np *np, size_t i, size_t of, size_t j) {
  if (of < i + 2 || of + 2 != j || !prose_is(p, of + 1, j, "birth") || !p->t[of - 2].owns ||
      !prose_one_of(p, of - 1, of, "date|place") || !is_certain(p, i, of - 1))
    return false;
  add_words(p, &np->subject, i, of - 1, false);
  add_words(p, &np->written, i, j, false);
  prose_add_words(&np->attribute, prose_is(p, of - 1, of, "date") ? "birthday" : "birthplace");
  np->known_name = true;
  note_written(np);
  return true;
}

bool prose_read_np(prose *p, prose_np *np, size_t i, size_t j) {
  *np = (prose_np){ .family = -1, .words = j - i, .last = j ? j - 1 : 0 };
  if (i >= j || j - i > 10 || (p->t[i].cls & (C_PREP | C_NUMBER)))
    return false;
  if (j - i >= 2 && prose_one_of(p, i, j, "all|every|each"))
    i++;
  i = skip_article(p, np, i, j);
  if (i >= j)
    return false;
  i = read_limit(p, np, i, j);
  size_t place = i + 1, of = i + 1, owner = j;
  static const char places[] = "in|on|at|to|under|with|from|by|per|inside|during|within|between";
  while (place < j && !(prose_has(p, place, j, C_PREP) && prose_one_of(p, place, j, places)))
    place++;
  if (place < j) {
    size_t from = place + 1;
    if (prose_has(p, from, j, C_ARTICLE | C_OWNER))
      from++;
    size_t join = from + 1; /* "between the gateway and the worker" */
    while (join < j && !prose_is(p, join, j, "and"))
      join++;
    bool two = prose_is(p, place, j, "between") && join + 1 < j;
    if (two && prose_has(p, join + 1, j, C_ARTICLE))
      join++;
    if (from >= j ||
        (two ? !is_certain(p, from, prose_is(p, join, j, "and") ? join : join - 1) ||
                 !is_certain(p, join + 1, j)
             : !is_certain(p, from, j)))
      return false;
    if (prose_is(p, place, j, "per"))
      prose_add_words(&np->qualifier, "per");
    add_words(p, &np->qualifier, from, j, true);
    j = place;
  }
  if (np->user)
    prose_add_words(&np->subject, "user");
  np->last = j - 1;
  while (of < j && !prose_one_of(p, of, j, "of|for"))
    of++;
  if (read_birth(p, np, i, of, j))
    return true;
  if (of < j && p->t[of].cls & C_PREP)
    return read_of(p, np, i, of, j);
  bool named;
  i = skip_new(p, i, j, &named);
  np->fresh = named;
  if (named && np->indefinite)
    return false;
  if (!is_certain(p, named ? i + 1 : i, j) || is_number(&p->t[i]))
    return false;
  if (i + 1 == j && p->t[i].low.n == 1)
    return false; /* "x = 5" */
  for (size_t k = i; k + 1 < j; k++)
    if (p->t[k].owns)
      owner = k;
  if (p->t[j - 1].owns)
    return false;
  prose_match m;
  np->value = prose_value_at(p, i, j, &m) && m.to == j;
  add_words(p, &np->written, i, j, false);
  if (owner < j) {
    add_words(p, &np->subject, i, owner + 1, false);
    read_plain(p, np, owner + 1, j);
    note_written(np);
    np->person = (p->t[j - 1].cls & C_PERSON) && !np->known_measure && !np->known_name;
    return true;
  }
  read_plain(p, np, i, j);
  note_written(np);
  np->person = (p->t[j - 1].cls & C_PERSON) && np->family < 0 && (!np->known_name || np->user);
  return true;
}

bool prose_is_person(const prose *p, const prose_np *np) {
  const prose_word *t = &p->t[np->last];
  return np->person ||
      (np->words == 1 && t->capital && !t->upper && !t->cls && !hm_str_ends(t->low, "s"));
}

/* --- its parts -------------------------------------------------------------------------------- */

void prose_make_all_subject(prose_np *np) {
  const prose_name *from = np->attribute.n && np->noun.n ? &np->noun : &np->attribute;
  prose_add_name(&np->subject, from);
  np->attribute = (prose_name){ 0 };
}

void prose_set_attribute(prose_np *np, const char *z) {
  prose_make_all_subject(np);
  prose_add_words(&np->attribute, z);
}

bool prose_last_word_in(const prose *p, const prose_np *np, const char *words) {
  return prose_one_of(p, np->last, np->last + 1, words);
}

void prose_attribute_from_subject(prose_np *np) {
  if (np->attribute.n)
    return;
  bool user = np->user || (np->subject.n > 1 && hm_str_is(np->subject.w[0], "user"));
  np->attribute = np->subject;
  np->subject = (prose_name){ 0 };
  if (!user)
    return;
  for (size_t k = 1; k < np->attribute.n; k++)
    np->attribute.w[k - 1] = np->attribute.w[k];
  np->attribute.n--;
  prose_add_words(&np->subject, "user");
}

void prose_set_attribute_noun(prose *p, prose_np *np, size_t i, size_t n) {
  prose_make_all_subject(np);
  for (size_t k = i; k < i + n; k++)
    prose_add_word(&np->attribute, p->t[k].low);
}

bool prose_is_vague(const prose *p, const prose_np *np) {
  if (p->about.n)
    return false;
  static const char words[] = "value|number|option|setting|example|result|default|type|name|title";
  if (np->subject.n + np->attribute.n != 1)
    return false;
  hm_str word = np->subject.n ? np->subject.w[0] : np->attribute.w[0];
  return prose_word_in(word, words);
}
