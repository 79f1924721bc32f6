/* How far a thing is: "Status: Approved", "the priority of the rollout is high", "the ticket's
 * status changed from Open to Closed", "2026-01-08: Status: Planned".
 *
 * Tried before all other forms, as a status is often a word that makes a sentence unsure elsewhere
 * ("proposed", "planned"). The attribute is one of a few nouns; the value is a word for a status, a
 * name, or behind a colon a few plain words. A date, or the number of a series ("Sprint 12: ..."),
 * before or behind it makes the text a line of a log. */
#include "core/prose/prose_grammar.h"

static const char kinds[] = "status|state|priority|phase|severity";

/* Words for a status; the first of each line is the reading of all. */
static const char *const statuses[] = {
  "completed|complete|done|finished",
  "todo|to do|not started|to-do",
  "in progress|wip|ongoing|underway|in-progress|work in progress",
  "cancelled|canceled",
  "won't fix|wontfix|will not fix",
  "abandoned",
  "accepted",
  "active",
  "amber",
  "approved",
  "archived",
  "at risk",
  "backlog",
  "blocked",
  "blocker",
  "broken",
  "closed",
  "critical",
  "declined",
  "deferred",
  "degraded",
  "delayed",
  "delivered",
  "deployed",
  "deprecated",
  "down",
  "draft",
  "expired",
  "failed",
  "failing",
  "fixed",
  "frozen",
  "green",
  "healthy",
  "high",
  "idle",
  "implemented",
  "in development",
  "in production",
  "in review|under review",
  "in testing",
  "inactive",
  "launched",
  "live",
  "low",
  "major",
  "medium",
  "merged",
  "minor",
  "moderate",
  "normal",
  "obsolete",
  "off track",
  "offline",
  "on hold",
  "on track",
  "online",
  "open",
  "operational",
  "paused",
  "pending",
  "planned",
  "postponed",
  "proposed",
  "published",
  "queued",
  "ready for review",
  "ready",
  "red",
  "rejected",
  "released",
  "reopened",
  "resolved",
  "retired",
  "running",
  "scheduled",
  "shipped",
  "stalled",
  "started",
  "stopped",
  "submitted",
  "superseded",
  "suspended",
  "unassigned",
  "urgent",
  "verified",
  "waiting",
  "withdrawn",
  "yellow",
};

/* The number of words of a known status at i; *reading: its first spelling, if
 * that is another. */
static size_t status_at(const prose *p, size_t i, size_t end, hm_str *reading) {
  for (size_t k = 0; k < HM_COUNT(statuses); k++) {
    size_t n = prose_one_of(p, i, end, statuses[k]);
    if (!n)
      continue;
    if (!prose_are(p, i, i + n, statuses[k])) /* not the first of the line */
      *reading = (hm_str){ statuses[k], strcspn(statuses[k], "|") };
    return n;
  }
  return 0;
}

/* "P1", "SEV-2", "2", "L3" */
static bool is_grade(const prose_word *t) {
  size_t n = 0;
  while (n < t->s.n && ((t->low.p[n] >= 'a' && t->low.p[n] <= 'z') || t->low.p[n] == '-'))
    n++;
  return t->s.n <= 6 && n <= 4 && n + 1 == t->s.n && t->s.p[n] >= '0' && t->s.p[n] <= '9';
}

/* May the word be part of a status that is in no table: "Alpha", "waiting for parts"? */
static bool is_plain(const prose_word *t, bool label) {
  const uint64_t refused =
      C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT | C_AND | C_ARTICLE | C_MUST | C_SEVERAL;
  if ((t->cls & refused) || t->digit || t->code || t->owns || t->low.n < 2)
    return false;
  if (!t->capital && (!label || (t->cls & (C_PREP | C_UNSURE | C_VERB | C_ADVERB))))
    return false;
  return !memchr(t->s.p, '(', t->s.n) && !memchr(t->s.p, '=', t->s.n) &&
      !memchr(t->s.p, '/', t->s.n) && !memchr(t->s.p, '.', t->s.n);
}

/* The words of the value at i, up to which a tail begins; 0: none that is certain. */
static size_t value_words(const prose *p, const prose_np *np, size_t i, size_t end, bool label,
                          hm_str *reading) {
  size_t n = status_at(p, i, end, reading), stop = prose_tail_start(p, i, end);
  prose_match family;
  if (n)
    return n;
  if (is_grade(&p->t[i]))
    return prose_last_word_in(p, np, "status|state") ? 0 : 1;
  if (prose_value_at(p, i, end, &family) || stop - i > (label ? 3 : 2))
    return 0;
  for (size_t k = i; k < stop; k++)
    if (!is_plain(&p->t[k], label))
      return 0;
  if (prose_one_of(p, i, end, "unknown|unclear|undefined|tbd|tba|n/a|none|null|unset"))
    return 0;
  return stop - i;
}

/* "2026-01-08: ", "Sprint 12: ", "12 March 2026 - " at i: the word after it, or i. *date: its
 * words. */
static size_t skip_entry(const prose *p, size_t i, size_t end, hm_str *date) {
  static const char series[] = "attempt|build|check|cycle|day|entry|iteration|meeting|month|report|"
                               "review|round|run|session|sprint|step|update|visit|week";
  size_t to = i, clock;
  if (prose_is_date(p, i, end, &to)) {
    if (prose_is_clock(p, to, end, &clock))
      to = clock;
  } else if (prose_one_of(p, i, end, series) && i + 1 < end && p->t[i + 1].digit &&
             p->t[i + 1].stop) {
    to = i + 2;
  }
  if (to == i || to >= end)
    return i;
  *date = prose_span(p, i, to);
  return to;
}

/* "since March 2026", "as of 2026-03-02", "(2026-03-02)" behind a value, at i: the word after it,
 * or i. */
static size_t skip_date(const prose *p, size_t i, size_t end, hm_str *date) {
  size_t n = prose_one_of(p, i, end, "as of|since|on|from|effective|in"), to;
  if (!prose_is_date(p, i + n, end, &to))
    return i;
  *date = prose_span(p, i + n, to);
  return to;
}

/* The word behind "is [now]", "changed to", "was set to", "changed from X to" at i, or i. *left: X.
 */
static size_t skip_verb(const prose *p, size_t i, size_t end, hm_str *left) {
  size_t at = i + prose_one_of(p, i, end, "has been|is|was|went|now");
  size_t moved = prose_one_of(p, at, end,
                              "changed|moved|set|updated|raised|lowered|advanced|switched|went|"
                              "upgraded|downgraded|bumped");
  bool was = at == i + 1 && prose_is(p, i, end, "was");
  if (moved) {
    size_t to = at + moved, from = to;
    if (prose_is(p, to, end, "from"))
      while (to < end && !prose_is(p, to, end, "to"))
        to++;
    if (!prose_is(p, to, end, "to"))
      return i;
    if (to > from + 1)
      *left = prose_span(p, from + 1, to);
    return to + 1;
  }
  if (at == i || was)
    return i;
  while (prose_has(p, at, end, C_ADVERB) && !prose_is(p, at, end, "again"))
    at++;
  return at;
}

/* What has the status: the words [i, noun), or [of, end) behind "of"; none: who the text is about.
 */
static bool read_owner(prose *p, prose_np *np, size_t i, size_t noun, size_t of, size_t end) {
  *np = (prose_np){ .family = -1 };
  i += prose_one_of(p, i, noun, "the|its|our|my|a");
  i += prose_one_of(p, i, noun, "current|overall|general|new");
  if (of < end ? i < noun : i == noun && !p->about.n)
    return false;
  if (of < end && !prose_read_np(p, np, of, end))
    return false;
  if (of >= end && i < noun) {
    bool owns = p->t[noun - 1].owns; /* "the kiln's status" */
    p->t[noun - 1].owns = false;
    bool read = prose_read_np(p, np, i, noun);
    p->t[noun - 1].owns = owns;
    if (!read)
      return false;
  }
  if (np->indefinite || np->fresh || np->limit)
    return false;
  prose_make_all_subject(np);
  prose_add_word(&np->attribute, p->t[noun].low);
  np->last = noun;
  return true;
}

bool prose_read_status(prose *p, size_t i, size_t end) {
  prose_np np;
  prose_value v = { .shape = HM_SHAPE_STATUS, .to = end, .by = ':' };
  size_t from = skip_entry(p, i, end, &v.dated), k = from, at;
  while (k < end && k < from + 8 && !prose_one_of(p, k, end, kinds))
    k++;
  if (k >= end || k >= from + 8 || (k > from && p->t[k - 1].stop && p->t[k - 1].stop != '.'))
    return false;
  size_t noun = k++;
  size_t of = end;
  if (prose_one_of(p, k, end, "of|for") && !p->t[noun].stop) { /* "the status of the rollout is" */
    of = k + 1;
    while (k < end && k < noun + 8 && !p->t[k - 1].stop &&
           !(p->t[k].cls & (C_BE | C_WAS | C_HAVE)) && !(k > noun + 2 && (p->t[k].cls & C_MOVED)))
      k++;
  }
  char stop = p->t[k - 1].stop;
  /* 'Set "status": "done"', "Verify status is done" */
  if (prose_one_of(p, from, noun, "check|confirm|ensure|high|low|medium|set|verify"))
    return false;
  if (stop == ':')
    at = k;
  else if (!stop && k < end && hm_str_is(p->t[k].s, "="))
    at = k + 1;
  else if (!stop || stop == '.')
    v.by = 'i', at = skip_verb(p, k, end, &v.left);
  else
    return false;
  if (at >= end || (v.by == 'i' && at == k) ||
      !read_owner(p, &np, from, noun, of, of < end ? k : 0))
    return false;
  if (v.by == 'i' && prose_is(p, at, end, "not"))
    v.denied = true, at++;
  size_t n = at < end ? value_words(p, &np, at, end, v.by != 'i', &v.reading) : 0;
  if (p->t[noun].code && at < end && !p->t[at].code && !status_at(p, at, end, &v.reading))
    return true; /* "`status`: Step status": what stands there */
  if (!n || p->t[at + n - 1].stop == ':')
    return false;
  v.value = prose_span(p, at, at + n);
  v.from = i;
  size_t tail = skip_date(p, at + n, end, &v.dated);
  v.to = tail;
  bool more = tail < end && strchr(",;", p->t[tail - 1].stop) && p->t[tail - 1].stop;
  bool listed = more && p->t[tail - 1].stop == ',' && !p->t[tail].cls &&
      !prose_one_of(p, tail, end, kinds) && !status_at(p, at, end, &(hm_str){ 0 });
  if (listed || p->t[tail - 1].stop == '>')
    return true;                                                       /* a list, an order */
  if (more && prose_one_of(p, tail, end, "\xE2\x9C\x85|\xE2\x9D\x8C")) /* "reads, ❌ writes" */
    return true;
  if (!prose_claim_with_tail(p, &np, &v, tail, end))
    return true;
  if (more && !prose_is_date(p, tail, end, &tail))
    prose_read_status(p, tail, end); /* "Status: draft, priority: low" */
  return true;
}
