/* What a sentence of a record says of supersessions.
 *
 * A verb ("supersedes", "is superseded by", "replaces") and behind it the records that are named,
 * by link, by number ("ADR 7", "0007"), by file. What stands before the verb is its subject:
 * nothing, "this ADR", "it" are the record, another record's number is not, and anything else is a
 * part of the record. "Not", "nothing" and wishes say none. */
#include <string.h>
#include "core/base/ascii.h"
#include "core/base/time.h"
#include "core/decision/decision_impl.h"

enum { WORDS_MAX = 120, LOOK_FOR = 14, SAYS_MAX = 64 };

typedef struct {
  hm_str s, low;
  size_t at; /* its first byte in the text */
  bool ends; /* a full stop or semicolon stands behind it */
} word;

typedef struct {
  word w[WORDS_MAX];
  size_t n;
} words;

static bool is_sign(char c) { return strchr(",;:.()[]{}\"'*_`!?|", c) != NULL; }

static void split(words *out, hm_str text, hm_arena *a) {
  out->n = 0;
  for (size_t i = 0; i < text.n && out->n < WORDS_MAX;) {
    size_t end = i;
    while (end < text.n && text.p[end] != ' ')
      end++;
    size_t from = i, to = end;
    while (from < to && is_sign(text.p[from]))
      from++;
    bool ends = false;
    while (to > from && is_sign(text.p[to - 1])) {
      ends = ends || text.p[to - 1] == '.' || text.p[to - 1] == ';';
      to--;
    }
    if (to > from) {
      word *w = &out->w[out->n++];
      *w = (word){ .s = hm_str_sub(text, from, to), .at = from, .ends = ends };
      w->low = hm_str_lower(a, w->s);
    } else if (out->n && ends) {
      out->w[out->n - 1].ends = true;
    }
    i = end + 1;
  }
}

static void drop_struck(words *w, const hm_doc_span *spans, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < w->n; i++) {
    bool struck = false;
    for (size_t k = 0; k < n; k++)
      struck |=
          spans[k].mark == HM_DOC_STRUCK && spans[k].from <= w->w[i].at && w->w[i].at < spans[k].to;
    if (!struck)
      w->w[kept++] = w->w[i];
  }
  w->n = kept;
}

#define IS_ANY(s, list) hm_decision_is_any(s, list, HM_COUNT(list))

/* --- verbs ------------------------------------------------------------------------------ */

static const char *const over[] = { "superseded", "superceded", "superseeded", "replaced",
                                    "obsoleted" };

/* The words of a verb at i, or 0; *by: this record is the one that is superseded. */
static size_t verb_at(const words *w, size_t i, bool *by) {
  static const char *const takes[] = { "supersedes", "supercedes", "superseeds", "replaces",
                                       "obsoletes",  "supersede",  "superseding" };
  hm_str s = w->w[i].low;
  *by = IS_ANY(s, over);
  if (!*by)
    return IS_ANY(s, takes);
  size_t at = i + 1;
  static const char *const between[] = { "in", "part", "partly", "partially" };
  while (at < w->n && at < i + 3 && IS_ANY(w->w[at].low, between))
    at++;
  return at < w->n && hm_str_is(w->w[at].low, "by") ? at + 1 - i : 0;
}

hm_str hm_decision_number(hm_str number) {
  while (number.n > 1 && number.p[0] == '0')
    number = hm_str_sub(number, 1, number.n);
  return number;
}

/* The letters before the number of a name: 3 of "adr-7", "bdr-0023"; without "adr" the number
 * begins with a zero, so that "iso-8601" is no record. */
static size_t letters_of_name(hm_str low) {
  enum { LEAST = 2, MOST = 5 };
  size_t n = 0;
  while (hm_letter_at(low, n))
    n++;
  bool numbered = hm_char_at(low, n, '-') && hm_char_at(low, n + 1, '0');
  return hm_str_starts(low, "adr") ? 3 : n >= LEAST && n <= MOST && numbered ? n : 0;
}

hm_str hm_decision_number_of_name(hm_str low) {
  size_t i = letters_of_name(low);
  bool named = i > 0;
  while (named && i < low.n && (low.p[i] == '-' || low.p[i] == '_' || low.p[i] == ' '))
    i++;
  size_t end = hm_skip_digits(low, i);
  hm_str number = hm_str_sub(low, i, end);
  bool year = number.n == 4 && (hm_str_starts(number, "19") || hm_str_starts(number, "20"));
  bool month = hm_char_at(low, end, '-') && hm_digit_at(low, end + 1) &&
      hm_digit_at(low, end + 2) && low.p[end + 1] < '2';
  bool day = year && month && (end + 3 == low.n || strchr("-.", low.p[end + 3]));
  if (!number.n || number.n > 5 || day || hm_letter_at(low, end))
    return HM_EMPTY;
  return number;
}

/* --- whose ------------------------------------------------------------------------------- */

typedef struct {
  bool none;    /* another record, a wish, or nothing */
  bool in_part; /* a part of this record */
} subject;

/* What stands before the verb, from the beginning of its clause. */
static subject read_subject(const words *w, size_t from, size_t verb, hm_str own) {
  static const char *const no[] = { "not",   "never", "no",  "cannot", "doesn't", "isn't",  "would",
                                    "could", "might", "may", "should", "nor",     "neither" };
  static const char *const own_words[] = {
    "this",     "adr",          "record",     "decision",   "it",    "is",   "was",
    "has",      "been",         "now",        "and",        "which", "the",  "also",
    "accepted", "active",       "status",     "therefore",  "fully", "are",  "be",
    "will",     "approved",     "proposed",   "deprecated", "but",   "then", "document",
    "update",   "note",         "rejected",   "adopted",    "date",  "on",   "that",
    "proposal", "architecture", "superseded", "amended"
  };
  subject s = { 0 };
  size_t others = 0;
  bool this_one = false;
  for (size_t i = from; i < verb; i++) {
    hm_str low = w->w[i].low;
    if (IS_ANY(low, no))
      s.none = true;
    hm_str number = hm_decision_number_of_name(low);
    bool is_own = number.n && hm_str_eq(hm_decision_number(number), hm_decision_number(own));
    bool record = number.n && !is_own && number.n < 5 && !hm_str_starts(w->w[i].s, "20");
    bool after_adr = i > from && hm_str_is(w->w[i - 1].low, "adr");
    if (record && (after_adr || number.n >= 3 || hm_str_starts(low, "adr")))
      s.none = true;
    this_one |= hm_str_is(low, "this") && i + 1 < verb && IS_ANY(w->w[i + 1].low, own_words);
    if (!IS_ANY(low, own_words) && !number.n && hm_is_letter(low.p[0]))
      others++;
  }
  s.in_part = others > 1 && !this_one;
  return s;
}

static const char *const conditions[] = { "if",     "when",  "once",     "upon",
                                          "unless", "until", "adoption", "pending" };

static bool is_conditional(const words *w, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (IS_ANY(w->w[i].low, conditions))
      return true;
  return false;
}

/* Words of a part. */
static bool is_partial(const words *w, size_t from, size_t to) {
  static const char *const some[] = { "part",     "parts",    "partly",  "partially", "partial",
                                      "narrowly", "clause",   "clauses", "section",   "sections",
                                      "portion",  "portions", "aspects", "aspect",    "paragraph",
                                      "only",     "some",     "bullet",  "rows",      "row",
                                      "sentence", "premise",  "claim",   "rule" };
  for (size_t i = from; i < to; i++)
    if (IS_ANY(w->w[i].low, some) || hm_str_starts(w->w[i].low, "\u00A7"))
      return true;
  return false;
}

/* Does the text end behind word i, or does a sign part it from the next one? */
static bool stops(const words *w, size_t i) {
  hm_str s = w->w[i].s;
  return i + 1 == w->n || w->w[i].ends || s.p[s.n] != ' ' || w->w[i + 1].s.p[-1] != ' ';
}

/* Is the verb at i said of a part, of later, or not at all: "in part superseded", "superseded
 * partly by 2", "superseded by 2 (in part)", "to be superseded", "superseded by 2 once accepted"? A
 * title behind it may have such words, too. */
static bool leaves_in_force(const words *w, size_t i) {
  static const char *const before[] = { "be",      "never",     "not",   "part",
                                        "partial", "partially", "partly" };
  static const char *const parts[] = { "partially", "partly" };
  static const char *const consents[] = { "acceptance", "accepted", "adopted",
                                          "adoption",   "approval", "approved" };
  enum { NEAR = 4 };
  size_t condition = 0;
  if (i && IS_ANY(w->w[i - 1].low, before))
    return true;
  for (size_t k = i + 1; k < w->n && !w->w[k - 1].ends; k++) {
    hm_str low = w->w[k].low;
    bool part = IS_ANY(low, parts) || (hm_str_is(low, "part") && hm_str_is(w->w[k - 1].low, "in"));
    if (part && (k <= i + 2 || stops(w, k)))
      return true;
    if (condition && k <= condition + NEAR && IS_ANY(low, consents))
      return true;
    if (IS_ANY(low, conditions))
      condition = k;
  }
  return false;
}

bool hm_supersession_holds(hm_str status, hm_arena *a) {
  words w;
  split(&w, status, a);
  for (size_t i = 0; i < w.n; i++)
    if (IS_ANY(w.w[i].low, over) && leaves_in_force(&w, i))
      return true;
  return false;
}

/* "(deleted; in git history)": it says of a record that it is no longer there. */
static bool is_deleted(hm_str text, hm_arena *a) {
  static const char *const signs[] = { "(deleted",  "(removed",     ", deleted",
                                       ", removed", "(now deleted", "in git history" };
  hm_str low = hm_str_lower(a, text);
  for (size_t i = 0; i < HM_COUNT(signs); i++)
    if (hm_str_find(low, signs[i]) >= 0)
      return true;
  return false;
}

static bool is_other_relation(hm_str low) {
  static const char *const verbs[] = { "amends",  "builds",  "complements",
                                       "extends", "refines", "relates" };
  return IS_ANY(low, verbs);
}

/* --- records that are named --------------------------------------------------------------- */

static hm_str file_of_url(hm_str url) {
  const char *hash = memchr(url.p, '#', url.n);
  if (hash)
    url = hm_str_sub(url, 0, (size_t)(hash - url.p));
  url = hm_str_behind_last(url, '/');
  return hm_str_ends(url, ".md") ? url : HM_EMPTY;
}

static void add(supersession_reader *r, hm_supersession x) {
  hm_decision *d = r->to;
  hm_str own = hm_decision_number(d->number.text);
  if ((!x.number.n && !x.file.n) || (x.number.n && own.n && hm_str_eq(x.number, own) && !x.file.n))
    return;
  for (size_t i = 0; i < d->n_says; i++) {
    hm_supersession *y = &d->says[i];
    bool one =
        (x.file.n && hm_str_eq(x.file, y->file)) || (x.number.n && hm_str_eq(x.number, y->number));
    if (!one || x.by != y->by)
      continue;
    y->in_part = y->in_part && x.in_part;
    y->conditional = y->conditional && x.conditional;
    y->deleted |= x.deleted;
    if (!y->file.n)
      y->file = x.file;
    return;
  }
  if (d->n_says == SAYS_MAX)
    return;
  d->says = hm_array_grow_in(r->a, d->says, d->n_says, &r->cap, sizeof *d->says);
  d->says[d->n_says++] = x;
}

/* The link that covers byte `at`, or NULL. */
static const hm_doc_span *link_at(const hm_doc_span *spans, size_t n, size_t at) {
  for (size_t i = 0; i < n; i++)
    if (spans[i].mark == HM_DOC_LINK && spans[i].from <= at && at < spans[i].to)
      return &spans[i];
  return NULL;
}

typedef struct {
  const hm_doc_span *spans;
  size_t n_spans;
  hm_supersession like; /* what all have in common */
  bool direct; /* is a number alone, behind the verb or another record, that of a record? */
} named;

/* "ADR 43's clause": a part of it. */
static bool is_owner(hm_str s) {
  return hm_str_find(s, "'s") >= 0 || hm_str_find(s, "\u2019s") >= 0;
}

/* "3" and "#3" where nothing but a sign, another number or a date stands behind it: in "replaced by
 * 3 services" it counts. */
static hm_str number_alone(const words *w, size_t i) {
  static const char *const joints[] = { "&", "and", "on", "since" };
  static const char *const dashes[] = { "-", "\u2013", "\u2014" };
  enum { LONGEST = 5 };
  hm_str s = w->w[i].low;
  s = hm_str_sub(s, hm_char_at(s, 0, '#'), s.n);
  if (!s.n || s.n > LONGEST || hm_skip_digits(s, 0) != s.n)
    return HM_EMPTY;
  if (stops(w, i) || IS_ANY(w->w[i + 1].low, dashes) || hm_time_is_date(w->w[i + 1].low))
    return s;
  hm_str next = i + 2 < w->n && IS_ANY(w->w[i + 1].low, joints) ? w->w[i + 2].low : HM_EMPTY;
  return hm_digit_at(next, 0) || hm_str_starts(next, "#") || hm_str_starts(next, "adr") ? s
                                                                                        : HM_EMPTY;
}

/* Is the record at word i one of others: "acme/platform ADR-0014", "ADR-12 of the platform team"?
 */
static bool is_elsewhere(const words *w, size_t i) {
  static const char *const of[] = { "from", "in", "of" };
  static const char *const whose[] = { "group", "project", "repo", "repository", "team" };
  enum { NEAR = 4 };
  hm_str before = i ? w->w[i - 1].low : HM_EMPTY;
  bool path = before.n > 2 && memchr(before.p + 1, '/', before.n - 2) && hm_letter_at(before, 0) &&
      !hm_decision_number_of_name(before).n;
  bool other = false;
  for (size_t k = i + 2; i + 1 < w->n && IS_ANY(w->w[i + 1].low, of) && k < w->n && k <= i + NEAR;
       k++)
    other |= IS_ANY(w->w[k].low, whose) && !hm_str_is(w->w[k - 1].low, "this");
  return path || other;
}

/* Reads a record at word i, and moves on behind it. */
static bool read_record(supersession_reader *r, const words *w, size_t *i, const named *n) {
  hm_supersession x = n->like;
  const hm_doc_span *link = link_at(n->spans, n->n_spans, w->w[*i].at);
  if (link) {
    size_t first = *i;
    bool host = hm_str_find(link->url, "://") > 0; /* it may be of another repository */
    x.file = file_of_url(link->url);
    x.deleted |= host || hm_str_starts(link->url, "../");
    if (x.file.n)
      x.number = hm_decision_number_of_name(hm_str_lower(r->a, x.file));
    while (*i < w->n && w->w[*i].at < link->to)
      x.in_part |= is_owner(w->w[(*i)++].s);
    for (size_t k = first; k < *i && !x.number.n; k++) {
      hm_str number = hm_decision_number_of_name(w->w[k].low);
      bool said = hm_str_starts(w->w[k].low, "adr") || number.n > 2 ||
          (k > first && hm_str_is(w->w[k - 1].low, "adr"));
      if (number.n && said)
        x.number = number;
    }
    x.number = hm_decision_number(x.number);
    if (x.file.n || !host)
      add(r, x);
    return x.file.n || x.number.n || host;
  }
  /* "0006/0007", "ADR-7", "7" behind "ADR", "decision" */
  hm_str rest = w->w[*i].low;
  static const char *const kinds[] = {
    "adr", "adrs", "decision", "decisions", "record", "records"
  };
  static const char *const whose[] = { "by", "from", "in", "of" }; /* "of the board" */
  bool after_kind =
      *i && IS_ANY(w->w[*i - 1].low, kinds) && !(*i + 1 < w->n && IS_ANY(w->w[*i + 1].low, whose));
  bool any = false;
  hm_str alone = n->direct ? number_alone(w, *i) : HM_EMPTY;
  if (alone.n) {
    x.number = hm_decision_number(alone);
    x.deleted |= alone.n < rest.n; /* "#3" may be an issue */
    add(r, x);
    ++*i;
    return true;
  }
  while (rest.n) {
    const char *slash = memchr(rest.p, '/', rest.n);
    hm_str one = hm_str_sub(rest, 0, slash ? (size_t)(slash - rest.p) : rest.n);
    rest = hm_str_sub(rest, one.n + (slash != NULL), rest.n);
    hm_str number = hm_decision_number_of_name(one);
    if (!number.n || (number.n < 3 && !after_kind && !hm_str_starts(one, "adr")))
      break;
    x.number = hm_decision_number(number);
    x.in_part |= is_owner(one);
    x.file = hm_str_ends(one, ".md") ? w->w[*i].s : HM_EMPTY;
    if (!is_elsewhere(w, *i))
      add(r, x);
    any = true;
  }
  ++*i;
  return any;
}

/* The records that are named from word i on. */
static void read_records(supersession_reader *r, const words *w, size_t i, size_t end, named *n) {
  static const char *const joints[] = { "and",    "&",       "adr", "adrs",     "the",
                                        "both",   "with",    "by",  "decision", "decisions",
                                        "record", "records", "of" };
  static const char *const none[] = { "nothing", "none", "n/a", "na", "-", "no" };
  bool found = false;
  for (size_t looked = 0; i < end && looked < LOOK_FOR;) {
    if (IS_ANY(w->w[i].low, none) && !found)
      return;
    bool alone = n->direct && number_alone(w, i).n;
    if (found && !alone && !IS_ANY(w->w[i].low, joints) &&
        !link_at(n->spans, n->n_spans, w->w[i].at) && !hm_decision_number_of_name(w->w[i].low).n)
      return;
    bool plain = IS_ANY(w->w[i].low, joints);
    if (read_record(r, w, &i, n)) {
      found = true;
    } else if (!found && !plain) { /* "the rationale in ADR 4" */
      n->like.in_part = true;
      n->direct = false;
      looked++;
    }
  }
}

/* --- a text ------------------------------------------------------------------------------- */

/* status: the text is one, or stands in its section. */
static void read_verbs(supersession_reader *r, const words *w, named *n, bool status) {
  size_t clause = 0;
  for (size_t i = 0; i < w->n; i++) {
    if (i && w->w[i - 1].ends)
      clause = i;
    bool by;
    size_t verb = verb_at(w, i, &by);
    if (!verb)
      continue;
    size_t end = i + verb;
    while (end < w->n && !w->w[end - 1].ends)
      end++;
    subject s = read_subject(w, clause, i, r->to->number.text);
    n->like.by = by;
    n->like.conditional = is_conditional(w, clause, end);
    n->like.in_part = s.in_part || n->like.conditional || is_partial(w, clause, end);
    n->direct = status;
    if (!s.none)
      read_records(r, w, i + verb, end, n);
    i += verb - 1;
  }
}

void hm_supersessions_read(supersession_reader *r, supersession_form form, hm_str text,
                           const hm_doc_span *spans, size_t n_spans, uint32_t line) {
  words w;
  named n = { .spans = spans, .n_spans = n_spans, .like.line = line };
  split(&w, text, r->a);
  drop_struck(&w, spans, n_spans);
  n.like.deleted = is_deleted(text, r->a);
  bool relation = w.n && is_other_relation(w.w[0].low); /* below "Supersedes": "Extends ADR 3" */
  if (form == SENTENCE || form == STATUS || relation) {
    read_verbs(r, &w, &n, form == STATUS);
    return;
  }
  n.direct = true;
  n.like.by = form == FIELD_SUPERSEDED_BY;
  n.like.conditional = is_conditional(&w, 0, w.n);
  n.like.in_part = n.like.conditional || is_partial(&w, 0, w.n);
  read_records(r, &w, 0, w.n, &n);
}
