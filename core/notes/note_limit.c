/* Limits that nearly every service has one of: how long a token lives, how large an upload may be,
 * how long backups are kept; and the least coverage of tests. A sentence, a label or a row of two
 * cells tells one where it names the thing, has one amount, and all its other words are plain:
 * "Files larger than 10 MB are rejected". Slots are called as prose calls them (core/prose), which
 * reads other sentences on the same. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/notes/notes_impl.h"

enum { GROUPS = 3 };

/* needs: of each group a word; words: others that may stand there. */
static const struct {
  const char *slot, *dimension, *needs[GROUPS], *words;
} limits[] = {
  { "access token lifetime",
    "duration",
    { "access", "token|tokens" },
    "expire|expires|expiry|good|jwt|last|lasts|life|lifetime|live|lived|lives|lifespan|"
    "short-lived|ttl|valid|validity" },
  { "refresh token lifetime",
    "duration",
    { "refresh", "token|tokens" },
    "expire|expires|expiry|good|last|lasts|life|lifetime|live|lives|lifespan|long-lived|ttl|valid|"
    "validity" },
  { "session timeout",
    "duration",
    { "session|sessions", "activity|idle|inactive|inactivity|timeout" },
    "end|ended|ends|expire|expires|logged|out|terminated|time|without" },
  { "session lifetime",
    "duration",
    { "session|sessions", "last|lasts|lifetime|live|lives|ttl|valid|validity" },
    "good|login" },
  { "max upload size",
    "size",
    { "upload|uploaded|uploads",
      "bigger|exceed|exceeding|larger|limit|limited|max|maximum|most|over|up" },
    "accepted|allowed|can|file|files|not|refused|rejected|size|than|to|you" },
  { "max attachment size",
    "size",
    { "attachment|attachments",
      "bigger|exceed|exceeding|larger|large|limit|limited|max|maximum|most|over|up" },
    "accepted|allowed|anything|not|refused|rejected|single|size|than|to" },
  { "max file size",
    "size",
    { "file|files", "bigger|exceed|exceeding|larger|large|limit|limited|max|maximum|most|over|up" },
    "accepted|allowed|anything|not|refused|rejected|single|size|than|to" },
  { "backup retention",
    "duration",
    { "backup|backups", "deleted|keep|keeps|kept|older|retained|retention|stay|stored" },
    "automatically|daily|data|database|nightly|period|than|then" },
  { "log retention",
    "duration",
    { "log|logs", "deleted|keep|keeps|kept|older|retained|retention|stay|stored" },
    "period|than" },
  { "access log retention",
    "duration",
    { "access", "log|logs", "deleted|keep|keeps|kept|older|retained|retention|stay|stored" },
    "period|than" },
  { "request timeout",
    "duration",
    { "request|requests", "timeout|timeouts|time|times" },
    "out|http|web" },
  { "requests",
    "rate",
    { "call|calls|request|requests", "day|hour|minute|second" },
    "allowed|allows|api|can|client|clients|key|keys|limit|limited|make|max|maximum|most|rate|"
    "send|to|up" },
  { "backup interval",
    "interval",
    { "back|backup|backups" },
    "data|database|frequency|interval|made|performed|run|runs|schedule|scheduled|taken|up" },
};

static const char plain[] =
    "a|after|all|an|and|are|as|at|be|by|default|each|every|for|from|in|is|it|its|may|must|of|"
    "on|our|per|service|that|the|their|they|this|users|we|when|with";

/* A text without code, addresses and questions, and its only amount. */
typedef struct {
  note_words w;
  note_measure m;
} reading;

static bool read_amount(reading *r, hm_str text, hm_arena *a) {
  note_measure m;
  size_t n = 0;
  r->w = note_split(text, a);
  for (size_t i = 0; i < r->w.n; i++) {
    if (!note_measure_at(&r->w, i, &m, a)) {
      if (hm_digit_at(r->w.w[i].s, 0))
        return false;
      continue;
    }
    r->m = m;
    n++;
    i = m.to - 1;
  }
  return n == 1;
}

static bool is_number(const note_measure *m) {
  return note_word_in(hm_str_c(m->dimension), "count|number");
}

/* "1 hour" of "1 hours", as measures have it. */
static hm_str one_spelling(hm_str value) {
  enum { SHORTEST = sizeof "1 days" - 1 };
  value.n -= hm_str_starts(value, "1 ") && hm_str_ends(value, "s") && value.n >= SHORTEST;
  return value;
}

/* "per minute" of "100 requests per minute" and "Requests per minute: 100"; empty for others. */
static hm_str period_of(const reading *r, size_t k, hm_arena *a) {
  for (size_t i = 0; i < r->w.n && !strcmp(limits[k].dimension, "rate"); i++)
    if (note_word_in(r->w.w[i].low, "day|hour|minute|second"))
      return HM_CAT(a, HM_STR(" per "), r->w.w[i].low);
  return HM_EMPTY;
}

/* Is it a word with which the k-th limit is told? has: the groups of which there is one. */
static bool is_of_limit(hm_str low, size_t k, bool *has) {
  bool known = note_word_in(low, limits[k].words);
  for (size_t g = 0; g < GROUPS && limits[k].needs[g]; g++) {
    bool of_group = note_word_in(low, limits[k].needs[g]);
    has[g] |= of_group;
    known |= of_group;
  }
  return known;
}

/* Does the reading tell the k-th limit, and nothing else? */
static bool tells(const reading *r, size_t k) {
  bool has[GROUPS] = { false }, rate = !strcmp(limits[k].dimension, "rate");
  if (strcmp(r->m.dimension, limits[k].dimension) && !(rate && is_number(&r->m)))
    return false;
  for (size_t i = 0; i < r->w.n; i++) {
    bool amount = i >= r->m.from && i < r->m.to;
    if (!is_of_limit(r->w.w[i].low, k, has) && !amount && !note_word_in(r->w.w[i].low, plain))
      return false;
  }
  for (size_t g = 0; g < GROUPS && limits[k].needs[g]; g++)
    if (!has[g])
      return false;
  return true;
}

/* Is the name, of a page or a heading, of the k-th limit or of all of a project: "Good to know"? */
static bool is_of_whole(hm_str name, size_t k, hm_arena *a) {
  static const char silent[] =
      "a|administrators|and|at|behavior|behaviour|facts|features|for|glance|good|highlights|"
      "keep|know|logging|logs|mind|of|quotas|sessions|sign-in|the|things|timeouts|to|tokens|"
      "uploads|worth";
  bool has[GROUPS] = { false };
  note_words w = note_split_name(name, a);
  bool endpoint = w.n > 1 && note_word_in(w.w[0].low, "patch|post|put") && w.w[1].s.p[0] == '/';
  hm_str last = endpoint ? hm_str_behind_last(w.w[w.n - 1].low, '/') : HM_EMPTY;
  if (endpoint) /* "POST /v2/token": the one place for a token, for files */
    return note_word_in(last,
                        "attachment|attachments|file|files|login|session|sessions|token|"
                        "tokens|upload|uploads") &&
        strcmp(limits[k].dimension, "rate") != 0;
  for (size_t i = 0; i < w.n; i++)
    if (!note_word_in(w.w[i].low, silent) && !hm_digit_at(w.w[i].s, 0) &&
        !is_of_limit(w.w[i].low, k, has) && !note_is_topic_of_whole(w.w[i].low, a))
      return false;
  return true;
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

/* --- a part ----------------------------------------------------------------------------------- */

void note_limits_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text) {
  enum { LONGEST = 120 };
  hm_arena *a = out->a;
  reading r;
  bool row = p->kind == HM_DOC_ROW && p->n_cells == 2;
  bool line = p->kind == HM_DOC_ITEM || p->kind == HM_DOC_SENTENCE;
  if (row || line)
    read_coverage(out, c, p);
  bool trial = c->file->trial || hm_str_find(note_lower(c->file->path, a), "testing") >= 0;
  if (trial || c->file->series || c->file->library || p->text.n > LONGEST)
    return;
  if (row)
    text = HM_CAT(a, p->cells[0].text, HM_STR(": "), p->cells[1].text);
  else if (!line || note_is_no_statement(text))
    return;
  text = note_first_clause(text);
  if (!read_amount(&r, text, a))
    return;
  for (size_t k = 0; k < HM_COUNT(limits); k++) {
    if (!tells(&r, k))
      continue;
    if (!is_of_whole(c->subject, k, a))
      return;
    hm_str part = c->file->component, page = note_page_of_part(c, a);
    if (!part.n && !is_of_whole(page, k, a))
      part = page;
    note_claims_add(
        out, HM_CAT(a, c->scope, part, HM_STR(" "), hm_str_c(limits[k].slot), period_of(&r, k, a)),
        one_spelling(r.m.value), NOTE_SAID);
    return;
  }
}
