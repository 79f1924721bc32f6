/* Limits: how long something lives, is kept or may take, how often it happens, how large it may be,
 * how often it is tried, how many requests there may be; and the least coverage of tests.
 *
 * A sentence, a label or a row tells one where it has one amount, one class of limit in its words,
 * and else names a thing: "Files larger than 10 MB are rejected", "Access token lifetime: 1 hour".
 * Its slot is the stems of the words that name the thing, and the class, so two texts are compared
 * only where they name one thing with the same words. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/passage/passage_impl.h"

typedef enum {
  TIMEOUT,
  RETENTION,
  LIFETIME,
  INTERVAL,
  SIZE,
  ATTEMPTS,
  RETRIES,
  RATE,
  NONE
} limit_kind;

/* cues: words that say the class; fillers: that say no more, beside those of all classes. */
static const struct {
  const char *slot, *cues, *fillers;
} classes[NONE] = {
  [TIMEOUT] = { "timeout duration",
                "abort|aborted|aborts|cancelled|killed|kills|terminated|terminates|"
                "time-out|timeout|timeouts",
                "closed|closes|fail|fails|http|period|time|timed|times|web" },
  [RETENTION] = { "retention duration",
                  "cleaned|delete|deleted|deletes|dropped|erased|keep|keeping|keeps|kept|older|"
                  "pruned|purge|purged|purges|remove|removed|removes|retain|retained|retains|"
                  "retention",
                  "automatically|available|good|held|long|period|remain|remains|stay|stays|store|"
                  "stored|stores|system|than|then|time|window" },
  [LIFETIME] = { "lifetime duration",
                 "die|dies|end|ended|ends|expiration|expire|expired|expires|expiry|good|invalid|"
                 "last|lasts|life|lifespan|lifetime|lifetimes|live|lived|lives|long-lived|"
                 "short-lived|ttl|usable|valid|validity",
                 "become|becomes|created|creation|duration|issuance|issue|issued|issues|jwt|kept|"
                 "length|period|remain|remains|returned|returns|stay|stays|stop|stops|time|work|"
                 "working|works" },
  [INTERVAL] = { "interval", "cadence|frequency|interval|often",
                 "done|executed|happen|happens|how|job|made|once|performed|run|runs|schedule|"
                 "scheduled|started|taken|time|triggered" },
  [SIZE] = { "maximum size",
             "below|big|bigger|cap|capped|ceiling|exceed|exceeding|heavier|large|larger|largest|"
             "less|limit|limited|limits|max|maximal|maximum|most|over|smaller|under|up",
             "accepted|accepts|allowed|allows|anything|api|are|cannot|no|not|refused|rejected|"
             "server|single|size|sizes|takes|than|you" },
  [ATTEMPTS] = { "attempts", "attempt|attempted|attempts|tried|tries",
                 "account|accounts|fail|failed|failing|fails|limit|lock|locked|locks|max|maximum|"
                 "most|number|total|up" },
  [RETRIES] = { "retries", "retried|retries|retry",
                "count|fail|failed|failing|fails|limit|max|maximum|most|number|total|up" },
  [RATE] = { "requests", "call|calls|req|request|requests",
             "allowed|allows|api|client|clients|key|keys|limit|limited|make|max|maximum|most|rate|"
             "rate-limited|send|sends|up" },
};

/* A text without code, addresses and questions, its only amount, and the word behind the clause
 * in which that stands. */
typedef struct {
  note_words w;
  note_measure m;
  size_t end;
} reading;

/* Is more said behind an amount from word i on: why, or at what time? */
static bool is_more(const note_words *w, size_t i) {
  bool clock = hm_str_is(w->w[i].low, "at") && i + 1 < w->n && hm_digit_at(w->w[i + 1].low, 0);
  return clock || note_word_in(w->w[i].low, "because|before|get|gets|returns|so|then|until");
}

/* Ends there the clause of the amount? */
static bool is_end(const note_words *w, size_t i) {
  return strchr(",;:()-", w->w[i].before) || hm_str_is(w->w[i].low, "and") || is_more(w, i);
}

static bool read_amount(reading *r, hm_str text, hm_arena *a) {
  static const char exceptions[] = "but|except|if|otherwise|unless|whereas|while";
  note_measure m;
  size_t n = 0;
  r->w = note_split(text, a);
  for (size_t i = 0; i < r->w.n && !(n && is_more(&r->w, i)); i++) {
    if (!note_measure_at(&r->w, i, &m, a)) {
      if (hm_digit_at(r->w.w[i].s, 0) || note_word_in(r->w.w[i].low, exceptions))
        return false;
      continue;
    }
    r->m = m;
    n++;
    i = m.to - 1;
  }
  r->end = n == 1 ? r->m.to : 0;
  /* "After 15 minutes, the link expires" */
  r->end += r->end < r->w.n && r->m.from < 2 && r->w.w[r->end].before == ',';
  while (r->end < r->w.n && !is_end(&r->w, r->end))
    r->end++;
  return n == 1;
}

static hm_str word_at(const reading *r, size_t i) { return i < r->w.n ? r->w.w[i].low : HM_EMPTY; }

static bool has_word(const reading *r, const char *list) {
  for (size_t i = 0; i < r->end; i++)
    if (note_word_in(r->w.w[i].low, list))
      return true;
  return false;
}

/* "times out", "signed out". */
static bool is_out(const reading *r, size_t i, const char *verbs) {
  return note_word_in(word_at(r, i), verbs) && hm_str_is(word_at(r, i + 1), "out");
}

static const char idle[] = "activity|idle|inactive|inactivity";
static const char sign_out[] = "log|logged|sign|signed";

/* "1 hour" of "1 hours", as measures have it. */
static hm_str one_spelling(hm_str value) {
  enum { SHORTEST = sizeof "1 days" - 1 };
  value.n -= hm_str_starts(value, "1 ") && hm_str_ends(value, "s") && value.n >= SHORTEST;
  return value;
}

/* The class of a limit that is a span of time; label: nothing but a name stands before it. */
static limit_kind class_of_span(const reading *r, bool label) {
  bool has[NONE] = { false };
  bool session = has_word(r, "session|sessions");
  for (size_t i = 0; i < r->end; i++) {
    bool for_good = hm_str_is(r->w.w[i].low, "good") && !hm_str_is(word_at(r, i + 1), "for");
    for (limit_kind k = TIMEOUT; k <= INTERVAL && !for_good; k++)
      has[k] |= note_word_in(r->w.w[i].low, classes[k].cues);
    has[TIMEOUT] |= is_out(r, i, "time|timed|times|timing");
    session |= is_out(r, i, sign_out);
  }
  if (has_word(r, idle) || (session && has[TIMEOUT])) {
    bool timed = session || has[TIMEOUT] || has[LIFETIME];
    return has[RETENTION] || has[INTERVAL] || !timed ? NONE : TIMEOUT;
  }
  bool old = has_word(r, "backup|backups|log|logs|snapshot|snapshots");
  if (has_word(r, "cache|cached|caches") && has[RETENTION])
    has[LIFETIME] = true, has[RETENTION] = false;
  else if (old && has[LIFETIME])
    has[LIFETIME] = false, has[RETENTION] = true;
  limit_kind found = NONE;
  for (limit_kind k = TIMEOUT; k <= INTERVAL; k++)
    if (has[k] && found != NONE)
      return NONE;
    else if (has[k])
      found = k;
  static const char nouns[] = "code|codes|cookie|cookies|invitation|invitations|jwt|link|links|"
                              "session|sessions|token|tokens";
  bool stays = hm_str_is(word_at(r, r->m.from - 1), "for"); /* "stored for 30 days" */
  if (found != NONE)
    return found;
  if (has_word(r, "cached") || (stays && has_word(r, "work|works")))
    return LIFETIME;
  if ((stays && has_word(r, "available|held|remain|remains|stay|stays|store|stored|stores")) ||
      (old && (label || has_word(r, "remain|stay|stays|stored"))))
    return RETENTION;
  return label && has_word(r, nouns) ? LIFETIME : NONE;
}

/* "minute" of "per minute", "req/min", "requests / minute"; empty: none. */
static hm_str period_of(const reading *r) {
  static const char *const periods[][2] = { { "s|sec|second", "second" },
                                            { "min|minute", "minute" },
                                            { "h|hour", "hour" },
                                            { "d|day", "day" } };
  for (size_t i = 0; i < r->end; i++) {
    hm_str low = r->w.w[i].low, unit = hm_str_behind_last(low, '/');
    bool alone = unit.n == low.n;
    for (size_t k = 0; k < HM_COUNT(periods); k++)
      if (alone ? hm_str_is(low, periods[k][1]) : note_word_in(unit, periods[k][0]))
        return hm_str_c(periods[k][1]);
  }
  return HM_EMPTY;
}

/* "100 calls", "60 req/min". */
static bool is_request(const reading *r) {
  for (size_t i = 0; i < r->end; i++) {
    hm_str low = r->w.w[i].low;
    const char *slash = memchr(low.p, '/', low.n);
    if (note_word_in(slash ? hm_str_sub(low, 0, (size_t)(slash - low.p)) : low, classes[RATE].cues))
      return true;
  }
  return false;
}

/* "Large files (over 5 MB) are uploaded in chunks": from where on something is done, and no limit.
 */
static bool is_threshold(const reading *r) {
  return has_word(r, "bigger|exceed|exceeding|heavier|larger|over") &&
      !has_word(r,
                "accepted|allowed|cannot|limit|limited|max|maximum|must|no|not|refused|"
                "rejected|turned");
}

static limit_kind class_of(const reading *r, bool label) {
  enum { NEAR = 3 };
  const char *of = r->m.dimension;
  hm_str before = r->m.from ? word_at(r, r->m.from - 1) : HM_EMPTY;
  bool number = !strcmp(of, "number") && (label || note_word_in(before, "is|of|to"));
  if (!strcmp(of, "duration"))
    return class_of_span(r, label);
  if (!strcmp(of, "interval"))
    return INTERVAL;
  if (!strcmp(of, "size"))
    return has_word(r, classes[SIZE].cues) && !is_threshold(r) ? SIZE : NONE;
  if (period_of(r).n)
    return is_request(r) && note_word_in(hm_str_c(of), "count|number|rate") ? RATE : NONE;
  bool counted[NONE] = { false };
  for (size_t i = r->m.to; i < r->end && i < r->m.to + NEAR; i++) /* "5 failed attempts" */
    for (limit_kind k = ATTEMPTS; k <= RETRIES; k++)
      counted[k] |= note_word_in(r->w.w[i].low, classes[k].cues);
  bool attempts = has_word(r, classes[ATTEMPTS].cues), retries = has_word(r, classes[RETRIES].cues);
  limit_kind k = attempts && !retries ? ATTEMPTS : retries && !attempts ? RETRIES : NONE;
  return k != NONE && (number || !strcmp(of, "times") || counted[k]) ? k : NONE;
}

/* --- coverage -------------------------------------------------------------------------------- */

/* "85" of "85%", "85 %", "85%+"; empty: none, or several. */
static hm_str only_percent(hm_str text) {
  hm_str found = HM_EMPTY;
  for (size_t i = 0; i < text.n; i++) {
    size_t end =
        hm_is_digit(text.p[i]) && (!i || !hm_is_digit(text.p[i - 1])) ? hm_skip_digits(text, i) : 0;
    if (!end || !hm_char_at(text, hm_skip_spaces(text, end), '%'))
      continue;
    if (found.n || (i && strchr(".-", text.p[i - 1])))
      return HM_EMPTY;
    found = hm_str_sub(text, i, end);
  }
  return found;
}

/* "Coverage must not fall below 85 %": the least that is allowed, not what there is. */
static void read_coverage(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const char least[] =
      "below|enforce|enforced|enforces|fail|fails|least|maintain|min|minimal|"
      "minimum|must|required|requires|threshold|under|\u2265";
  static const char others[] =
      "actual|achieved|aim|and|but|currently|decrease|decreases|drop|drops|from|goal|if|"
      "increase|increased|more|now|or|reached|target|than|was|were|will";
  static const char usual[] =
      "any|code|enforce|enforced|enforces|have|keep|least|maintain|min|minimal|minimum|must|of|our|"
      "overall|project|require|requires|test|tests|the|threshold|total|when|with";
  hm_str text = note_first_clause(p->text),
         percent = hm_str_find(text, "overage") >= 0 ? only_percent(text) : HM_EMPTY;
  note_words w = note_split(percent.n ? text : HM_EMPTY, out->a);
  if (!note_any_word_in(&w, least) || note_any_word_in(&w, others))
    return;
  for (size_t i = 0; i < w.n; i++) {
    if (!hm_str_is(w.w[i].low, "coverage"))
      continue;
    bool named = i && w.w[i].joined && !note_word_in(w.w[i - 1].low, usual) &&
        hm_letter_at(w.w[i - 1].low, 0);
    hm_str kind = named ? w.w[i - 1].low : HM_EMPTY;
    hm_str part = note_part_that_speaks(c, out->a);
    hm_str slot = HM_CAT(out->a, c->scope, part, HM_STR(" "), kind);
    note_claims_add(out, HM_CAT(out->a, slot, HM_STR(" coverage at least")),
                    HM_CAT(out->a, percent, HM_STR("%")), NOTE_SETTING);
    return;
  }
}

/* --- what it limits --------------------------------------------------------------------------- */

/* Words that say no more than the class, or that a thing is one of many. */
static const char common[] =
    "a|actual|after|already|anyway|are|at|configurable|configured|currently|data|default|each|"
    "every|everything|fixed|for|from|hard|in|individual|is|item|of|overall|policy|rule|set|"
    "setting|single|the|thing|user|users|value|what|who|whoever|whole";

/* Says word i no more than that it is a limit of the class? */
static bool is_of_class(const reading *r, size_t i, limit_kind k) {
  hm_str low = r->w.w[i].low;
  if (note_word_in(low, classes[k].cues) || note_word_in(low, classes[k].fillers) ||
      note_word_in(low, common))
    return true;
  if (k == RATE)
    return note_word_in(low, "day|hour|minute|second") || memchr(low.p, '/', low.n);
  return k == TIMEOUT && hm_str_is(low, "out");
}

/* Adds the words that name what is limited. False: some say that it is no statement. */
static bool add_words(note_topic *t, const reading *r, limit_kind k, bool label) {
  bool session = false, out = false;
  for (size_t i = 0; i < r->end && k == TIMEOUT; i++) {
    session |= note_word_in(r->w.w[i].low, "session|sessions");
    out |= is_out(r, i, sign_out);
  }
  if (out)
    note_topic_add(t, HM_STR("session"), HM_STR("session"));
  for (size_t i = 0; i < r->end; i++) {
    hm_str low = r->w.w[i].low;
    bool amount = i >= r->m.from && i < r->m.to;
    bool of_session = (session || out) &&
        (note_word_in(low, idle) || note_word_in(low, sign_out) ||
         note_word_in(low, classes[LIFETIME].cues) || hm_str_is(low, "without"));
    bool up = hm_str_is(low, "up") && hm_str_is(word_at(r, i + 1), "to");
    if (amount || of_session || is_of_class(r, i, k))
      continue;
    if (hm_str_is(low, "back") && hm_str_is(word_at(r, i + 1), "up"))
      note_topic_add(t, HM_STR("backup"), HM_STR("backup"));
    else if (up || note_is_doubt(low) || note_is_identifier(r->w.w[i].s))
      return false;
    else
      note_topic_add_word(t, &r->w, i);
  }
  for (size_t i = 0; i < t->n; i++) /* most backups are */
    if ((k == RETENTION || k == INTERVAL) && hm_str_is(t->v[i], "backup")) {
      size_t kept = 0;
      for (size_t j = 0; j < t->n; j++)
        if (!note_word_in(t->v[j], label ? "databas|night" : "daili|databas|night"))
          t->v[kept++] = t->v[j];
      t->n = kept;
    }
  return true;
}

/* Is it an order to change something, or of what the text does not name? */
static bool is_order(const reading *r) {
  static const char firsts[] =
      "add|change|consider|decrease|extend|he|increase|it|lower|raise|reduce|set|she|that|these|"
      "they|this|those|try|use|wait";
  static const char before[] = "about|ago|another|before|by|first|last|next|past|previous|since|"
                               "until|within";
  return note_word_in(word_at(r, 0), firsts) ||
      (r->m.from && note_word_in(word_at(r, r->m.from - 1), before));
}

/* Words of headings that say nothing of what stands below. */
static const char talk[] =
    "a|administrators|and|at|behavior|behaviour|facts|features|for|glance|good|highlights|it|keep|"
    "know|limits|mind|of|ops|quotas|the|things|timeouts|to|works|worth";

/* Is the heading or the name of a page of the thing itself, or of all of a project? */
static bool is_of_whole(hm_str name, const note_topic *t, limit_kind k) {
  static const char things[] = "logging|logs|sessions|sign-in|tokens|uploads";
  note_words w = note_split_name(name, t->a);
  for (size_t i = 0; i < w.n; i++) {
    hm_str low = w.w[i].low, stem = note_topic_stem(low, t->a);
    bool own = note_word_in(low, classes[k].cues) || note_word_in(low, classes[k].fillers);
    for (size_t j = 0; j < t->n; j++)
      own |= hm_str_eq(t->v[j], stem);
    if (!own && !note_word_in(low, talk) && !note_word_in(low, things) &&
        !hm_digit_at(w.w[i].s, 0) && !note_is_topic_of_whole(low, t->a))
      return false;
  }
  return true;
}

/* "POST /v2/token": the one place for a token, for files. */
static bool is_endpoint(hm_str heading, hm_arena *a) {
  note_words w = note_split_name(heading, a);
  return w.n > 1 && note_word_in(w.w[0].low, "patch|post|put") && w.w[1].s.p[0] == '/' &&
      note_word_in(hm_str_behind_last(w.w[w.n - 1].low, '/'),
                   "attachment|attachments|file|files|login|photos|session|sessions|token|tokens|"
                   "upload|uploads");
}

static void add_heading(note_topic *t, hm_str heading) {
  note_words w = note_split(heading, t->a);
  for (size_t i = 0; i < w.n; i++)
    if (note_word_in(w.w[i].low, "logging|logs") ||
        (!note_word_in(w.w[i].low, talk) && !note_heading_is_generic(w.w[i].s, t->a)))
      note_topic_add_word(t, &w, i);
}

/* Adds the heading and the page where the words alone do not say of what: "Idle timeout". Returns
 * how many words name the thing. */
static size_t finish(note_topic *t, const note_context *c, const reading *r, limit_kind k) {
  note_context own = *c;
  hm_str page = note_page_of_part(c, t->a), name = hm_str_behind_last(c->file->path, '/');
  bool none = !t->n || (t->n == 1 && hm_str_is(t->v[0], "idl")), few = t->n < 2;
  bool whole = is_of_whole(c->subject, t, k), paged = !is_of_whole(page, t, k);
  if (is_endpoint(c->subject, t->a) && k != RATE)
    own.subject = HM_EMPTY;
  else if (few && (!whole || (none && k != RATE)))
    add_heading(t,
                c->subject.n || c->heading == HM_DOC_NONE || c->doc->parts[c->heading].level == 1
                    ? c->subject
                    : note_heading_text(c->doc, c->heading));
  bool titled = !c->file->instructions && !hm_str_starts(note_lower(name, t->a), "readme");
  if (none && t->n == !few && titled && k != RATE)
    add_heading(t, c->title);
  t->identifier = !paged; /* the page is of it, or of all */
  t->row = true;
  size_t n = note_topic_finish_in(t, &own, r->m.dimension, 1), kept = 0;
  bool session = false;
  for (size_t i = 0; i < t->n; i++)
    session |= hm_str_is(t->v[i], "session");
  for (size_t i = 0; i < t->n; i++)
    if (!(session && k == TIMEOUT && hm_str_is(t->v[i], "idl")))
      t->v[kept++] = t->v[i];
  t->n = kept;
  return n;
}

/* What the clause before tells. */
typedef struct {
  limit_kind k;
  const char *dimension;
  note_topic of;
} said;

/* Reads a text of one clause or row; what it does not say is as in the one before. */
static void read_text(note_claims *out, const note_context *c, hm_str text, bool label,
                      said *last) {
  reading r;
  note_topic t = { .a = out->a };
  if (!read_amount(&r, text, out->a) || is_order(&r))
    return;
  limit_kind k = class_of(&r, label);
  if (k == NONE && last->of.n && !strcmp(last->dimension, r.m.dimension))
    k = last->k;
  if (k == NONE || !add_words(&t, &r, k, label))
    return;
  if (!t.n && last->of.n)
    t = last->of;
  *last = (said){ k, r.m.dimension, t };
  size_t n = finish(&t, c, &r, k);
  if ((!n && k != RATE) || n > NOTE_TOPIC_MAX)
    return;
  hm_str slot = hm_str_c(classes[k].slot);
  if (k == RATE)
    slot = HM_CAT(out->a, slot, HM_STR(" per "), period_of(&r));
  note_claims_add_words(out, note_topic_slot(&t, hm_str_z(out->a, slot)), one_spelling(r.m.value),
                        NOTE_MEASURED);
}

/* --- a part ----------------------------------------------------------------------------------- */

/* "| Access logs | 90 days |" below "Kept for". */
static void read_row(note_claims *out, const note_context *c, const hm_doc_part *p) {
  enum { LONGEST = 60 };
  hm_arena *a = out->a;
  size_t had = out->n;
  for (size_t i = 1; i < p->n_cells; i++) {
    hm_str head = i < p->n_head ? note_lower(hm_str_trim(p->head[i].text), a) : HM_EMPTY;
    hm_str key = p->cells[0].text, first = p->n_head ? p->head[0].text : HM_EMPTY;
    if (p->cells[i].text.n > LONGEST || key.n > LONGEST || head.n > LONGEST)
      continue;
    if (note_head_is_plain(head) && !hm_str_is(head, "limit"))
      head = hm_str_ends(key, " size") && hm_str_is(first, "Limit") ? first : HM_EMPTY;
    note_words h = note_split(head, a);
    bool says = note_any_word_in(&h, classes[LIFETIME].cues) ||
        note_any_word_in(&h, classes[RETENTION].cues) ||
        note_any_word_in(&h, classes[TIMEOUT].cues);
    if (says && note_split(key, a).n == 1 && first.n < LONGEST) /* "catalogue" of "Cache | TTL" */
      key = HM_CAT(a, key, HM_STR(" "), first);
    key = HM_CAT(a, key, HM_STR(": "), head, HM_STR(": "), p->cells[i].text);
    read_text(out, c, key, true, &(said){ .k = NONE });
  }
  for (size_t i = 0; out->n > had && i < had; i++) /* the same, without its class */
    if (out->v[i].family == NOTE_MEASURED && !memchr(out->v[i].slot.p, '_', out->v[i].slot.n))
      out->v[i].family = NOTE_DROPPED;
  note_claims_keep(out);
}

/* "MAX_UPLOAD_MB", of which a value with its unit is claimed: the key says what it limits. */
static void read_keys(note_claims *out, const note_context *c) {
  for (size_t i = 0, n = out->n; i < n; i++) {
    hm_str name = out->v[i].slot, value = out->v[i].value;
    const char *end = memchr(name.p, ' ', name.n), *dimension;
    name.n = end ? (size_t)(end - name.p) : 0;
    hm_str unit = hm_str_behind_last(name, '_');
    if (out->v[i].family != NOTE_MEASURED || unit.n + 1 >= name.n ||
        !note_unit_of_word(unit, &dimension) || !hm_digit_at(value, 0))
      continue;
    char *words = hm_str_z(out->a, hm_str_sub(name, 0, name.n - unit.n - 1));
    for (char *at = words; *at; at++)
      *at = *at == '_' || *at == '.' ? ' ' : *at;
    read_text(out, c, HM_CAT(out->a, hm_str_c(words), HM_STR(": "), value), true,
              &(said){ .k = NONE });
  }
}

/* "Access tokens live 15 minutes, refresh tokens 30 days": where the next clause with an amount
 * begins, behind the first one; the end of s: none does. 0: s has none, as most. */
static size_t clause_end(hm_str s, hm_arena *a) {
  note_words w = note_split(s, a);
  note_measure m;
  size_t end = 0, n = 0;
  if (note_any_word_in(&w, "monthly|or|weekly|yearly"))
    return s.n;
  for (size_t i = 0; i < w.n; i++) {
    bool more = n && (strchr(",;", w.w[i].before) || hm_str_is(w.w[i].low, "and"));
    end = more && !end ? w.w[i].at : end;
    if (!note_measure_at(&w, i, &m, a))
      continue;
    if (n++)
      return end ? end : s.n;
    i = m.to - 1;
  }
  return n ? s.n : 0;
}

static void read_sentence(note_claims *out, const note_context *c, hm_str s, bool label) {
  enum { LONGEST = 160 };
  said last = { .k = NONE };
  if (s.n > LONGEST)
    return;
  for (size_t end; s.n; s = hm_str_sub(s, end, s.n)) {
    end = clause_end(s, out->a);
    if (!end)
      return;
    read_text(out, c, note_first_clause(hm_str_sub(s, 0, end)), label, &last);
  }
}

/* "# the API takes 60 requests per minute" in a program. */
static hm_str comment_of(hm_str line) {
  line = hm_str_trim(line);
  size_t n = hm_str_starts(line, "# ") ? 2 : hm_str_starts(line, "// ") ? 3 : 0;
  return n ? hm_str_sub(line, n, line.n) : HM_EMPTY;
}

void note_limits_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text) {
  bool row = p->kind == HM_DOC_ROW, code = p->kind == HM_DOC_CODE;
  bool line = p->kind == HM_DOC_ITEM || p->kind == HM_DOC_SENTENCE;
  if ((row && p->n_cells == 2) || line)
    read_coverage(out, c, p);
  bool trial = c->file->trial || hm_str_find(note_lower(c->file->path, out->a), "testing") >= 0;
  if (trial || c->file->series || c->file->library)
    return;
  read_keys(out, c);
  if (row)
    read_row(out, c, p);
  if (code)
    text = comment_of(text);
  if ((!line && !code) || note_is_no_statement(text))
    return;
  hm_str value, name = note_label_of(p, &value, out->a);
  note_words w = note_split(name.n ? value : HM_EMPTY, out->a);
  note_measure m;
  size_t up = w.n > 2 && hm_str_is(w.w[0].low, "up") ? 2 : 0;
  bool label = w.n && note_measure_at(&w, up, &m, out->a);
  while (text.n) {
    hm_str s = note_next_sentence(&text);
    read_sentence(out, c, s, label);
  }
}
