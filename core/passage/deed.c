/* Sentences that tell with which tool something is done, or that there is one for a role: "Unit
 * tests run on Jest", "Amazon SQS is our only queue"; and where a part of the project runs. */
#include "core/passage/passage_impl.h"

/* Words with which a sentence does not say what there is now, and everywhere. */
static const char unsure[] =
    "alternative|another|avoid|away|compared|considered|could|desktop|dev|development|dropped|e2e|"
    "either|example|examples|if|instead|integration|legacy|local|locally|may|migrate|migrated|"
    "mobile|never|not|optional|optionally|or|part|planned|previously|rejected|replace|replaced|"
    "replaces|replacing|staging|than|tried|unless|until|was|were|when|will|would";

/* The tool of the family at word i or behind an article, as it is written; empty: none. *end: the
 * word behind it. */
static hm_str tool_from(const note_context *c, const note_words *w, hm_str text, size_t i,
                        const char *family, size_t *end) {
  hm_str tool;
  const char *first;
  enum { SKIPPED = 3 };
  size_t from = i;
  while (i < w->n && i < from + SKIPPED &&
         note_word_in(w->w[i].low, "a|an|exclusively|only|our|single|the"))
    i++;
  if (!note_tool_at(c, w, text, i, &tool, end, &first) || !note_is_of_family(c, tool, family))
    return HM_EMPTY;
  const note_word *last = &w->w[*end - 1];
  return hm_str_sub(text, w->w[i].at, last->at + last->s.n);
}

/* Is word i a role of these words that there is one of: "our only message queue", "the sole cache",
 * "no other ORM"? *our: it is only somebody's, "our CI". */
static bool is_sole(const note_words *w, size_t i, const char *role, bool *our) {
  enum { DESCRIBED = 3 };
  static const char describing[] = "caching|ci|data|database|event|job|main|message|only|primary|"
                                   "production|sole|single|task|test|unit";
  if (!note_word_in(w->w[i].low, role))
    return false;
  bool sole = false;
  for (size_t k = i; k-- > 0 && k + DESCRIBED >= i;) {
    hm_str low = w->w[k].low;
    bool no_other = hm_str_is(low, "other") && k && hm_str_is(w->w[k - 1].low, "no");
    sole |= note_word_in(low, "only|sole") || no_other;
    *our = !sole && hm_str_is(low, "our");
    if (no_other || *our || (sole && note_word_in(low, "our|the")))
      return true;
    if (!note_word_in(low, describing))
      return false;
  }
  return false;
}

/* "Jobs are put on Amazon SQS, which is our only message queue", "our queue, which is Amazon SQS",
 * "CircleCI, our CI,": the one tool of a role in a sentence that says that there is one. */
static bool read_sole(note_claims *out, const note_context *c, const note_words *w, hm_str text) {
  enum { NEAR = 2 };
  static const struct {
    const char *slot, *family, *words;
  } roles[] = {
    { "cache_store", "cache_store", "cache" },
    { "ci_system", "ci_system", "ci" },
    { "database", "database", "database|db" },
    { "formatter", "formatter", "formatter" },
    { "linter", "linter", "linter" },
    { "message queue", "message_broker", "broker|queue" },
    { "orm", "orm", "orm" },
    { "test framework", "test_runner", "runner" },
  };
  for (size_t k = 0; k < HM_COUNT(roles); k++) {
    hm_str found = HM_EMPTY;
    size_t from = 0, to = 0, end = 0, role = w->n;
    bool our = false, several = false;
    for (size_t i = 0; i < w->n; i++) {
      hm_str tool = tool_from(c, w, text, i, roles[k].family, &end);
      bool own = false;
      if (tool.n) {
        several |= found.n && !hm_str_eq(found, tool);
        found = tool;
        from = i;
        to = end;
        i = end - 1;
      } else if (role == w->n && is_sole(w, i, roles[k].words, &own)) {
        role = i;
        our = own;
      }
    }
    if (!found.n || several || role == w->n)
      continue;
    bool near = role < from
        ? (from == role + 3 && hm_str_is(w->w[role + 2].low, "is")) || from == role + 1
        : role <= to + NEAR && w->w[to].before == ',';
    bool only = note_any_word_in(w, "only|sole|other");
    if (!near && (!only || our))
      continue;
    note_stack_claim(out, c, roles[k].slot, found);
    return true;
  }
  return false;
}

/* Is word i all there is: "all of its data", and not "analytics data"? */
static bool is_all(const note_words *w, size_t i) {
  while (i-- > 0)
    if (!note_word_in(w->w[i].low, "its|of|our|persistent|relational|the"))
      return hm_str_is(w->w[i].low, "all");
  return false;
}

/* "Unit tests run on Jest", "Each pull request is tested on CircleCI", "Orchard keeps all of its
 * data in PostgreSQL": what is done with all, and behind it the tool. A project may have a second
 * cache or queue for some. */
static bool read_deed(note_claims *out, const note_context *c, const note_words *w, hm_str text) {
  static const struct {
    const char *slot, *family, *of, *verbs, *with; /* of: words of the sentence before the verb */
  } deeds[] = {
    { "cache_store", "cache_store", "all|everything", "cached", "by|in|with" },
    { "ci_system", "ci_system", "all|each|every|everything", "ci|run|tested|tests",
      "by|in|on|with" },
    { "database", "database", "data|everything", "are|data|is|kept|live|lives|stored", "in" },
    { "formatter", "formatter", "", "formatted", "by|with" },
    { "linter", "linter", "", "linted", "by|with" },
    { "message queue", "message_broker", "all|each|every",
      "delivered|go|goes|queue|put|puts|queued|sent|travel|travels", "by|in|on|through|to|via" },
    { "test framework", "test_runner", "unit", "run|runs|tests|written", "by|in|on|under|with" },
  };
  for (size_t k = 0; k < HM_COUNT(deeds); k++) {
    bool about = !*deeds[k].of;
    for (size_t i = 0; i + 2 < w->n; i++) {
      bool some = hm_str_is(w->w[i].low, "data") && !is_all(w, i);
      about |= note_word_in(w->w[i].low, deeds[k].of) && !some;
      size_t end = 0, with = i + 1 + hm_str_is(w->w[i + 1].low, "exclusively");
      if (!about || !note_word_in(w->w[i].low, deeds[k].verbs) || with >= w->n ||
          !w->w[with].joined || !note_word_in(w->w[with].low, deeds[k].with))
        continue;
      hm_str tool = tool_from(c, w, text, with + 1, deeds[k].family, &end);
      if (end < w->n && note_word_in(w->w[end].low, "for|of")) /* of some alone */
        continue;
      bool more = end < w->n && note_word_in(w->w[end].low, "and|or|plus");
      hm_str usual;
      const char *family;
      size_t next;
      more = more && note_tool_at(c, w, text, end + 1, &usual, &next, &family);
      if (!tool.n || more)
        continue;
      note_stack_claim(out, c, deeds[k].slot, tool);
      return true;
    }
  }
  /* "Jest runs the unit tests" */
  size_t end = 0;
  hm_str tool = tool_from(c, w, text, 0, "test_runner", &end);
  bool runs = tool.n && end + 2 < w->n && hm_str_is(w->w[end].low, "runs") &&
      (hm_str_is(w->w[end + 1].low, "unit") || hm_str_is(w->w[end + 2].low, "unit"));
  if (runs)
    note_stack_claim(out, c, "test framework", tool);
  return runs;
}

/* Where a part of the project runs: "the production API" and "API" are one. */
static void claim_host(note_claims *out, const note_context *c, hm_str what, hm_str where) {
  static const char silent[] = "is|hosting|of|our|production|the";
  hm_str name = HM_EMPTY;
  size_t end;
  note_words w = note_split(what, out->a), v = note_split(where, out->a);
  hm_str tool = tool_from(c, &v, where, 0, "cloud_provider", &end);
  for (size_t i = 0; i < w.n; i++)
    if (!note_word_in(w.w[i].low, silent))
      name = HM_CAT(out->a, name, w.w[i].low, HM_STR(" "));
  if (name.n && tool.n && (end == v.n || !v.w[end].joined))
    note_stack_claim(out, c, hm_str_z(out->a, HM_CAT(out->a, name, HM_STR("hosting"))), tool);
}

/* "The production API is hosted on Fly.io". */
static void read_host(note_claims *out, const note_context *c, const note_words *w, hm_str text) {
  enum { SUBJECT = 4 };
  for (size_t i = 2; i + 3 < w->n && i <= SUBJECT; i++)
    if (note_word_in(w->w[0].low, "our|the") && note_word_in(w->w[i].low, "are|is|runs") &&
        w->w[i].joined) {
      size_t k = i + (w->w[i].low.n < 4);
      if (note_word_in(w->w[k].low, "deployed|hosted|runs") &&
          note_word_in(w->w[k + 1].low, "at|on|to"))
        claim_host(out, c, hm_str_sub(text, 0, w->w[i].at),
                   hm_str_sub(text, w->w[k + 2].at, text.n));
      return;
    }
}

void note_hosts_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  hm_str value, label = note_label_of(p, &value, out->a);
  hm_str head = p->n_head > 1 ? note_lower(p->head[1].text, out->a) : HM_EMPTY;
  bool hosts = note_word_in(head, "host|hosted at|hosted on|hosting|runs on|where");
  if (p->kind == HM_DOC_ROW && p->n_cells > 1 && hosts)
    claim_host(out, c, p->cells[0].text, p->cells[1].text);
  if (hm_str_starts(label, "hosting of ")) /* "Hosting of the site: Netlify" */
    claim_host(out, c, label, hm_str_trim(value));
}

void note_deeds_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                     const note_text *t) {
  hm_str value;
  bool labelled = note_label_of(p, &value, out->a).n > 0;
  note_text all = note_text_until(t, note_first_sentence(t->text, out->a));
  note_text clause = note_text_until(&all, note_first_clause(all.text));
  if (note_any_word_in(&all.words, unsure))
    return;
  bool deed = read_sole(out, c, &all.words, all.text) ||
      (!labelled && read_deed(out, c, &clause.words, clause.text));
  if (!deed)
    read_host(out, c, &clause.words, clause.text);
}
