/* Reads the claims in plain English; prose_result.h has the result. A text is read by sentences, a
 * sentence by clauses, a clause by the forms of prose_clause.c. A sentence with a word of doubt, a
 * question, a condition, a quote, a heading, a log line or a task claims nothing.
 *
 * The words after a value must be understood: a qualifier ("per IP"), a denied value (", not X",
 * "instead of X"), or a tail that says why. Else nothing is claimed.
 * Cost: some passes over a clause; sentences of more than 160 words and clauses of more than 40 are
 * not read. */
#include "core/prose/prose.h"

#include <string.h>

#include "core/base/text.h"
#include "core/prose/prose_grammar.h"

enum { TEXT_MAX = 64 << 10, SENTENCE_WORDS = 160, CLAUSE_WORDS = 40 };

/* --- what claims nothing ------------------------------------------------------------------ */

/* A heading, a task, a log line, a quoted line, code. Sentences are checked in their order: a
 * line may have thousands, so each byte is read once. */
static bool is_no_sentence(prose *p, size_t i, size_t end) {
  const prose_word *t = &p->t[i];
  if (t->line && t->low.p[0] == '_' && t->s.p > p->text.p && i + 1 < end)
    return true; /* a link */
  for (const char *c = p->reached; c < t->s.p; c++) {
    if (*c == '\n')
      p->line = c + 1, p->line_marked = false;
    else if (*c == '#' || *c == '>' || *c == '|')
      p->line_marked = true;
  }
  if (t->s.p > p->reached)
    p->reached = t->s.p;
  hm_str before = { p->line, (size_t)(t->s.p - p->line) };
  if (p->line_marked || (t->line && hm_str_find(before, "[ ]") >= 0))
    return true;
  if (t->low.p[0] == '#' || t->low.p[0] == '>' || t->low.p[0] == '|' || t->low.p[0] == '<')
    return true;
  for (size_t k = i; k < end; k++) /* "=====" under a heading */
    if (p->t[k].s.n >= 4 && prose_is_rule_line(&p->t[k]))
      return true;
  size_t to;
  if (t->line && (prose_is_date(p, i, end, &to) || prose_is_clock(p, i, end, &to)))
    return true;
  /* "[10:14:03] WARN", "2026-04-02T10:14" */
  if (t->line && t->digit && t->s.n >= 8 && memchr(t->s.p, ':', t->s.n) && t->s.p[0] != '$')
    return true;
  bool quoted = before.n && (before.p[before.n - 1] == '"' || before.p[before.n - 1] == '\x9c');
  return t->line && quoted;
}

static bool begins_condition(const prose *p, size_t i, size_t end) {
  return prose_has(p, i, end, C_COND) ||
      prose_one_of(p, i, end, "for example|for instance|in case|e.g|e.g.|imagine|used to|to") ||
      (prose_is(p, i, end, "do") && !prose_is(p, i + 1, end, "not")) ||
      (prose_one_of(p, i, end, "does|did|can") && !prose_is(p, i + 1, end, "not"));
}

/* --- clauses --------------------------------------------------------------------------------- */

/* Does a clause with a subject and a verb of its own begin at i? */
static bool begins_clause(const prose *p, size_t i, size_t end) {
  if (i + 2 >= end)
    return false;
  if ((p->t[i].cls & C_PRONOUN) && memchr(p->t[i].low.p, '\'', p->t[i].low.n))
    return true;
  bool opened = prose_has(p, i, end, C_OWNER | C_PRONOUN | C_ARTICLE);
  for (size_t k = i; k < end && k < i + 7; k++) {
    if (k > i && (p->t[k].cls & (C_BE | C_HAVE | C_WAS)))
      return opened || p->t[i].capital || k > i + 1;
    bool time = k > i && prose_is(p, k, end, "last") && (p->t[k - 1].cls & C_ARTICLE);
    if (k > i && opened && (p->t[k].cls & C_VERB) && !time)
      return true;
    if (p->t[k].stop || (p->t[k].cls & C_AND))
      return false;
  }
  return false;
}

/* "RPO is", "the worker uses": a thing of few words and its verb. */
static bool is_plain_clause(const prose *p, size_t i, size_t end) {
  const uint64_t refused = C_PREP | C_AND | C_COND | C_TAIL | C_NOT | C_PRONOUN | C_MUST | C_UNSURE;
  for (size_t k = i; k + 1 < end && k < i + 5; k++) {
    if (k > i && (p->t[k].cls & (C_BE | C_HAVE))) /* no "B are" of "A and B are" */
      return !prose_is(p, k, end, "are") || hm_str_ends(p->t[k - 1].low, "s");
    if ((p->t[k].cls & refused) || p->t[k].stop || p->t[k].aside)
      return false;
  }
  return false;
}

/* "I'm", "we've": a subject and its verb. */
static bool is_contracted(const prose *p, size_t i) {
  return (p->t[i].cls & C_PRONOUN) && memchr(p->t[i].low.p, '\'', p->t[i].low.n);
}

/* The end of the clause that begins at i; *next: where the next one begins. */
static size_t clause_end(const prose *p, size_t i, size_t end, size_t *next) {
  bool verb = (p->t[i].cls & (C_VERB | C_BE)) || is_contracted(p, i), label = false;
  for (size_t k = i + 1; k < end; k++) {
    const prose_word *before = &p->t[k - 1], *t = &p->t[k];
    if (t->aside)
      continue;
    *next = k;
    label = label || before->stop == ':';
    if (before->stop == ';' || before->stop == '-' || (before->stop == '>' && !label))
      return k;
    bool denied = prose_one_of(p, k, end, "not|but");
    if (before->stop == ',' && !before->aside && !denied) {
      size_t from = k;
      while (prose_has(p, from, end, C_CLAUSE | C_LEAD | C_AND))
        from++;
      if (from > k && begins_clause(p, from, end))
        return *next = from, k;
      if (prose_has(p, k, end, C_PRONOUN | C_OWNER) && begins_clause(p, k, end))
        return k;
      /* "RTO is 4 hours, RPO is 15 minutes" */
      if (verb && is_plain_clause(p, k, end))
        return k;
    }
    verb = verb || is_contracted(p, k) ||
        (t->cls & (C_VERB | C_BE | C_HAVE | C_WAS | C_EVENT | C_CHOSE | C_MUST));
    if (verb && prose_one_of(p, k, end, "and|but|while|whereas|because|since|so") &&
        (begins_clause(p, k + 1, end) ||
         /* "... and we", "..., but I": another clause, whatever its verb */
         (prose_one_of(p, k, end, "and|but") && prose_one_of(p, k + 1, end, "i|we|they|he|she")) ||
         is_plain_clause(p, k + 1, end)))
      return *next = k + 1, k;
  }
  *next = end;
  return end;
}

static size_t skip_leads(const prose *p, size_t i, size_t end) {
  static const char *const phrases[] = { "by the way",
                                         "from now on",
                                         "as of today",
                                         "as of now",
                                         "to be exact",
                                         "in fact",
                                         "note that",
                                         "as decided",
                                         "at the moment",
                                         "for the record",
                                         "to clarify",
                                         "to correct myself",
                                         "keep in mind that",
                                         "please note that",
                                         "i noticed that",
                                         "it turns out that",
                                         "we found that",
                                         "i realized that",
                                         "i've noticed that",
                                         "we noticed that",
                                         "we learned that",
                                         "i just realized",
                                         "it turns out",
                                         "i'd say",
                                         "as discussed",
                                         "as agreed",
                                         "hi all",
                                         "hi team",
                                         "hello all",
                                         "hi everyone",
                                         "we decided that",
                                         "we've decided that",
                                         "we agreed that",
                                         "it was decided that",
                                         "we have decided that",
                                         "it was agreed that",
                                         "the team decided that",
                                         "the team agreed that" };
  size_t from;
  do {
    from = i;
    for (size_t k = 0; k < HM_COUNT(phrases); k++)
      i += prose_are(p, i, end, phrases[k]);
    if (prose_has(p, i, end, C_LEAD) && i + 1 < end && !(p->t[i].stop == ':') &&
        !(p->t[i + 1].cls & C_PREP))
      i++;
    if (prose_is(p, i, end, "since") && begins_clause(p, i + 1, end))
      i++;
    if (prose_one_of(p, i, end, "we decided|we agreed") &&
        prose_has(p, i + 2, end, C_ARTICLE | C_OWNER) && begins_clause(p, i + 2, end))
      i += 2;
  } while (i > from && i < end);
  return i;
}

/* Labels that only say what kind of sentence follows: "Decided: ...". */
static size_t skip_heads(const prose *p, size_t i, size_t end) {
  static const char heads[] =
      "actually|config|confirmed|convention|correction|decided|decision|edit|fact|final|fyi|"
      "info|note|nb|policy|reminder|resolved|rule|update|updated|agreed|important";
  size_t k = prose_is(p, i, end, "we") ? i + 1 : i;
  if (k + 1 >= end || (p->t[k].stop != ':' && p->t[k].stop != ',' && p->t[k].stop != '-')) {
    if (prose_are(p, i, end, "final decision") && p->t[i + 1].stop == ':')
      return i + 2;
    if (prose_are(p, i, end, "we went back") && p->t[i + 2].stop == ':')
      return i + 3;
    return i;
  }
  if (prose_one_of(p, k, end, heads))
    return k + 1;
  return i;
}

/* "Timeouts: outbound calls give up after 8 s": skips a topic before a statement, but not a name,
 * which may be a speaker. Returns the word after it, or i. */
static size_t skip_topic(const prose *p, size_t i, size_t end) {
  size_t k = i;
  while (k < end && k < i + 2 && !p->t[k].stop)
    k++;
  if (k + 3 >= end || p->t[k].stop != ':' || (p->t[i].cls & (C_HEADING | C_UNSURE | C_COND)))
    return i;
  const prose_word *t = &p->t[k];
  const prose_entry *one =
      hm_str_ends(t->low, "s") ? prose_find_word(p->f, hm_str_sub(t->low, 0, t->low.n - 1)) : NULL;
  uint64_t cls = t->cls | (one ? one->cls : 0);
  bool known = (cls & (C_NAMED | C_MEASURE | C_KIND)) || prose_family_topic(p, i, k + 1) >= 0;
  bool we = prose_one_of(p, k + 1, end, "we|the");
  if (!known || p->t[i].owns)
    return i;
  for (size_t v = k + 2; v < end && v < k + 6; v++) {
    if (p->t[v - 1].stop || (p->t[v].cls & (C_PREP | C_AND | C_COND)))
      return i;
    bool verb =
        (p->t[v].cls & (C_BE | C_VERB)) && (we || v > k + 2 || hm_str_ends(p->t[v - 1].low, "s"));
    if (verb && v + 1 < end)
      return k + 1;
  }
  return i;
}

/* Reads "In production, ", "by default, " at *i and moves *i past it. False if other words there
 * make the statement depend on them ("after the change, "). */
static bool read_lead(const prose *p, prose_lead *lead, size_t *i, size_t end) {
  size_t from = skip_leads(p, *i, end), comma = from, to;
  *lead = (prose_lead){ 0 };
  if (!prose_has(p, from, end, C_PREP) || p->t[from].stop)
    return true;
  while (comma < end && comma < from + 8 && p->t[comma].stop != ',')
    comma++;
  if (comma + 1 >= end || p->t[comma].stop != ',')
    return true;
  bool place = prose_one_of(p, from, end, "in|on");
  size_t word = prose_has(p, from + 1, end, C_ARTICLE | C_OWNER) ? from + 2 : from + 1;
  *i = comma + 1;
  if (prose_one_of(p, from, end, "as for|speaking of"))
    return true;
  if (prose_are(p, from, end, "by default"))
    return lead->limit = LIMIT_DEFAULT, true;
  if (!place || comma - word >= 4 || prose_is_date(p, word, end, &to) || p->t[word].digit)
    return false;
  for (size_t k = word; k <= comma; k++) {
    bool days = (p->t[k].cls & C_DAY) && hm_str_ends(p->t[k].low, "s");
    if ((p->t[k].cls & (C_PRONOUN | C_SEVERAL | C_BE | C_WAS | C_PREP | C_LATELY | C_EVENT)) ||
        ((p->t[k].cls & C_DAY) && !days))
      return false;
    prose_add_word(&lead->qualifier, prose_singular((prose *)p, &p->t[k]));
  }
  return true;
}

static bool has_condition(const prose *p, size_t i, size_t end) {
  for (; i < end; i++)
    if ((p->t[i].cls & C_COND) && !p->t[i].aside && !prose_is_until_date(p, i, end))
      return true;
  return false;
}

static void read_sentence(prose *p, size_t i, size_t end) {
  if (i >= end || end - i > SENTENCE_WORDS)
    return;
  if (is_no_sentence(p, i, end)) { /* of a log only what it says of a status */
    if (p->t[i].digit && !p->line_marked && p->t[end - 1].stop != '?')
      prose_read_status(p, i, end);
    return;
  }
  if (p->t[end - 1].stop == '?') { /* "X is 5 - is that enough?" */
    p->unsure = true;
    while (end > i && p->t[end - 1].stop != '-' && p->t[end - 1].stop != ';')
      end--;
    if (end <= i)
      return;
  }
  if (end - i < p->n && prose_is_foreign(p, i, end))
    return; /* all of it was asked before */
  i = skip_heads(p, i, end);
  i = skip_topic(p, i, end);
  /* "- item", "1. item" */
  if (i + 1 < end && p->t[i].line && p->t[i].digit && p->t[i].s.n <= 2 && p->t[i].stop == '.')
    i++;
  if (begins_condition(p, skip_leads(p, i, end), end) ||
      ((p->t[i].cls & C_HEADING) && p->t[i].stop == ':')) {
    p->unsure = true;
    return;
  }
  prose_lead days = { 0 };
  for (size_t next; i < end; i = next) {
    prose_lead lead;
    bool sure = read_lead(p, &lead, &i, end);
    size_t stop = clause_end(p, i, end, &next), from;
    if (lead.qualifier.n && prose_is_weekday(p, lead.qualifier.w[0]))
      days = lead;
    /* "on Fridays, I start early, so I get up at 6" */
    else if (days.qualifier.n && !lead.qualifier.n && prose_is(p, i - 1, i, "so"))
      lead = days;
    p->lead = &lead;
    /* "if A is on and B is off, C is D": it depends on A and B */
    bool depends = i && (prose_is(p, i - 1, i, "and") || p->t[i - 1].stop == ',') &&
        has_condition(p, p->before, p->before_end);
    size_t had = p->out->n;
    if (!sure || depends)
      p->unsure = true;
    else if ((from = skip_leads(p, i, stop)) < stop && stop - from <= CLAUSE_WORDS)
      prose_read_clause(p, from, stop);
    /* "X is 10 - staging only" */
    bool stops = next < end && p->t[stop - 1].stop != ',';
    if (stops && p->out->n > had && prose_is_restriction(p, next, end))
      p->out->n = had, p->unsure = true;
    p->before = i;
    p->before_end = stop;
  }
  p->lead = NULL;
  p->before = p->before_end = 0;
}

/* Does a sentence end with word i? */
static bool ends_sentence(const prose *p, size_t i) {
  char c = p->t[i].stop;
  bool last_of_line = i + 1 < p->n && p->t[i + 1].line;
  if (last_of_line || c == '\n' || c == '!' || c == '?')
    return true;
  if (c != '.')
    return false;
  if (prose_word_in(p->t[i].low, "e.g|i.e|etc|vs|approx|no|dr|mr|mrs|ms|st|cf|incl|a.m|p.m"))
    return false;
  return !(p->t[i].line && p->t[i].digit && p->t[i].s.n <= 2);
}

void hm_prose_parse(hm_prose *out, hm_str text, hm_str subject, const hm_families *f, hm_arena *a) {
  *out = (hm_prose){ .outcome = HM_PROSE_NOTHING };
  if (!text.n || text.n > TEXT_MAX)
    return;
  if (!f || !f->index)
    f = hm_families_prepare(f, a);
  prose p = { .text = text, .f = f, .a = a, .out = out, .reached = text.p, .line = text.p };
  ptrdiff_t part = hm_str_find(subject, "::");
  if (part > 0)
    p.part =
        hm_str_fmt(a, "%.*s_", HM_FMT(hm_text_fold_name(a, hm_str_sub(subject, 0, (size_t)part))));
  p.about = hm_text_refold_name(a, subject);
  prose_split_words(&p);
  if (!p.n)
    return;
  if (prose_is_foreign(&p, 0, p.n)) {
    out->outcome = HM_PROSE_LANGUAGE;
    return;
  }
  for (size_t i = 0, from = 0; i < p.n; i++)
    if (i + 1 == p.n || ends_sentence(&p, i)) {
      read_sentence(&p, from, i + 1);
      if (!out->n && p.t[from].code && p.t[from].stop == ':')
        break; /* "`IDLE`: the first state. The timer stands still.": what follows is true of it */
      from = i + 1;
    }
  prose_find_mentions(&p);
  out->settles = prose_settles(&p);
  out->outcome = out->n ? HM_PROSE_READ : p.unsure ? HM_PROSE_UNSURE : HM_PROSE_NOTHING;
}
