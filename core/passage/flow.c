/* The way of a change: how pull requests are merged, "Pull requests are squash-merged", and from
 * which branch an environment is deployed, "Pushing to `main` deploys to production". A project has
 * one way for the first and, of each environment, one branch. */
#include "core/passage/passage_impl.h"

/* Words with which a text says that it may be otherwise, or of whom it is. */
static const char doubts[] =
    "backport|can|could|depending|either|except|exception|exceptions|fork|hotfix|hotfixes|if|"
    "instead|large|may|might|optionally|or|previously|should|some|sometimes|unless|until|usually|"
    "was|were|when|would";

/* --- merging --------------------------------------------------------------------------------- */

/* Says word i how requests are merged? NULL: no. */
static const char *way_at(const note_words *w, size_t i) {
  hm_str low = w->w[i].low, next = i + 1 < w->n ? w->w[i + 1].low : HM_EMPTY;
  if (note_word_in(low,
                   "squash|squashed|squash-and-merge|squash-merge|squash-merged|"
                   "squash-merges|squashes|squashing"))
    return "squash";
  if (note_word_in(low, "merge-commit|merge-commits") ||
      (hm_str_is(low, "merge") && note_word_in(next, "commit|commits")))
    return "merge commit";
  return note_word_in(low, "rebase|rebase-and-merge|rebase-merge|rebase-merged|rebased|rebasing")
      ? "rebase"
      : NULL;
}

/* Is the way at word i ruled out in its clause: "no squashing", "merge commits are disabled"? */
static bool is_denied(const note_words *w, size_t i) {
  static const char before[] = "avoid|don't|never|no|not|without";
  static const char behind[] = "disabled|disallowed|forbidden|off";
  for (size_t k = i + 1; k-- > 0 && (k == i || w->w[k + 1].before == ' ');)
    if (note_word_in(w->w[k].low, before))
      return true;
  for (size_t k = i + 1; k < w->n && w->w[k].before == ' '; k++)
    if (note_word_in(w->w[k].low, behind))
      return true;
  return false;
}

/* The only way that the words say; "squash and rebase" are two. NULL: none, or several. */
static const char *only_way(const note_words *w) {
  const char *found = NULL;
  for (size_t i = 0; i < w->n; i++) {
    const char *way = way_at(w, i);
    if (!way || is_denied(w, i))
      continue;
    if (found && found != way)
      return NULL;
    found = way;
  }
  return found;
}

/* Are the words of a label those of merging: "Merge method", "Merging pull requests"? */
static bool is_merging(hm_str label, hm_arena *a) {
  static const char words[] = "a|how|mr|mrs|of|pr|prs|pull|request|requests|to|we";
  static const char kinds[] = "merge|merges|merging";
  static const char ways[] = "method|mode|policy|strategy|style|type";
  note_words w = note_split(label, a);
  bool merging = false, more = false;
  for (size_t i = 0; i < w.n; i++) {
    merging |= note_word_in(w.w[i].low, kinds);
    more |= note_word_in(w.w[i].low, ways) || hm_str_is(w.w[i].low, "merging");
    if (!note_word_in(w.w[i].low, words) && !note_word_in(w.w[i].low, kinds) &&
        !note_word_in(w.w[i].low, ways))
      return false;
  }
  return merging && more;
}

/* "Every pull request lands as a merge commit", "We squash all PRs", "PRs are squash-merged": not
 * "Squash your commits before you open one". */
static bool tells_merging(const note_words *w) {
  static const char verbs[] = "land|lands|merge|merged|merges|squash|squash-merge|squash-merged|"
                              "rebase-merged|rebased|squashed";
  static const char authors[] = "before|branch|commits|fork|rebase|they|you|your";
  static const char all[] = "a|all|any|each|every|merge|of|our|squash|the|we";
  static const char limits[] = "by|for|from|of|that|which|with"; /* "PRs with many fixups" */
  bool requests = false;
  for (size_t i = 0; i < w->n; i++) {
    bool two = i + 1 < w->n && note_word_in(w->w[i].low, "merge|pull") &&
        note_word_in(w->w[i + 1].low, "request|requests");
    if (!two && !note_word_in(w->w[i].low, "mrs|pr|prs"))
      continue;
    if (i && !note_word_in(w->w[i - 1].low, all)) /* "Release PRs" */
      return false;
    size_t behind = i + 1 + two;
    if (behind < w->n && note_word_in(w->w[behind].low, limits))
      return false;
    requests = true;
  }
  bool whole = false; /* "so that the commits stay" is behind it */
  for (size_t i = 0; i < w->n && !note_word_in(w->w[i].low, "so"); i++) {
    if (note_word_in(w->w[i].low, authors) && !(i && hm_str_is(w->w[i - 1].low, "merge")))
      return false;
    whole |= note_word_in(w->w[i].low, verbs);
  }
  return requests && whole;
}

static void read_merging(note_claims *out, const note_context *c, const hm_doc_part *p,
                         const note_text *clause) {
  hm_str value, label = note_label_of(p, &value, out->a);
  bool row = p->kind == HM_DOC_ROW && p->n_cells > 1;
  if (row) {
    label = p->cells[0].text;
    value = p->cells[1].text;
  }
  bool told = label.n && is_merging(label, out->a);
  note_words w = told ? note_split(value, out->a) : clause->words;
  const char *way = only_way(&w);
  if (!way || note_any_word_in(&w, doubts))
    return;
  if (told || (!row && tells_merging(&w)))
    note_branch_claim(out, c, HM_STR("merge method"), hm_str_c(way));
}

/* --- deployment --------------------------------------------------------------------------------
 */

static const char branches[] = "dev|develop|development|live|main|master|preview|prod|production|"
                               "qa|release|stable|staging|trunk";

/* The environment that the word names, by one name; empty: it names none. */
static hm_str environment_of(hm_str low) {
  static const char *const names[][2] = { { "live", "production" }, { "prod", "production" },
                                          { "production", NULL },   { "staging", NULL },
                                          { "stage", "staging" },   { "preview", NULL } };
  for (size_t i = 0; i < HM_COUNT(names); i++)
    if (hm_str_is(low, names[i][0]))
      return names[i][1] ? hm_str_c(names[i][1]) : low;
  return HM_EMPTY;
}

static void claim_deployed(note_claims *out, const note_context *c, hm_str environment,
                           hm_str branch) {
  if (environment.n && branch.n)
    note_branch_claim(out, c, HM_CAT(out->a, environment, HM_STR(" deploy branch")), branch);
}

/* "Staging is deployed by every push to `develop`", "Production is deployed from the branch
 * `release`". */
static void read_deployed(note_claims *out, const note_context *c, const note_words *w) {
  static const char between[] =
      "always|automatically|by|each|ever|every|merge|merges|merging|on|only|"
      "push|pushes|pushing|whenever|you";
  size_t i = w->n > 3 && note_word_in(w->w[0].low, "our|the");
  if (w->n < i + 4 || !note_word_in(w->w[i + 1].low, "is|gets"))
    return;
  hm_str environment = environment_of(w->w[i].low);
  for (i += 2; i < w->n && note_word_in(w->w[i].low, "always|automatically|ever|only"); i++)
    ;
  if (i == w->n || !hm_str_is(w->w[i].low, "deployed"))
    return;
  for (i++; i < w->n && note_word_in(w->w[i].low, between); i++)
    ;
  if (i < w->n && note_word_in(w->w[i].low, "from|to|into"))
    claim_deployed(out, c, environment, note_branch_at(w, i + 1, branches));
}

/* "Pushing to `main` deploys to production", "Every merge into `develop` is deployed to staging".
 */
static void read_pushed(note_claims *out, const note_context *c, const note_words *w) {
  static const char between[] =
      "always|are|automatically|branch|gets|immediately|is|straight|then|triggers|a|will";
  size_t i = 0;
  while (i < w->n && note_word_in(w->w[i].low, "a|any|each|every"))
    i++;
  if (i + 4 > w->n ||
      !note_word_in(w->w[i].low, "commits|merge|merges|merging|push|pushes|pushing") ||
      !note_word_in(w->w[i + 1].low, "into|on|to"))
    return;
  for (i += 2; i < w->n && note_word_in(w->w[i].low, "branch|the"); i++)
    ;
  hm_str branch = i < w->n && note_word_in(w->w[i].low, branches) ? w->w[i].low : HM_EMPTY;
  for (i++; i < w->n && note_word_in(w->w[i].low, between); i++)
    ;
  bool deploys = i + 2 < w->n && note_word_in(w->w[i].low, "deploy|deployed|deploys") &&
      hm_str_is(w->w[i + 1].low, "to");
  i += deploys && hm_str_is(w->w[i + 2].low, "the") ? 3 : 2;
  if (deploys && i < w->n)
    claim_deployed(out, c, environment_of(w->w[i].low), branch);
}

/* "| Production | `main` |" below "Branch". */
static void read_deployed_row(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const char heads[] =
      "branch|deploy branch|deployed branch|deployed from|deployed from branch|git branch|"
      "source branch";
  hm_str environment = environment_of(note_lower(p->cells[0].text, out->a));
  for (size_t i = 1; i < p->n_cells && i < p->n_head && environment.n; i++) {
    note_words w = note_split(p->cells[i].text, out->a);
    if (w.n == 1 && note_word_in(note_lower(p->head[i].text, out->a), heads))
      claim_deployed(out, c, environment, note_branch_at(&w, 0, branches));
  }
}

void note_flow_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                    const note_text *t) {
  if (p->kind == HM_DOC_ROW && p->n_cells > 1)
    read_deployed_row(out, c, p);
  else if (p->kind != HM_DOC_ITEM && p->kind != HM_DOC_SENTENCE)
    return;
  if (!note_has_any(note_lower(t->text, out->a), "deploy|merg|rebas|squash")) /* as most texts */
    return;
  note_text clause = note_text_until(t, note_first_clause(t->text));
  const note_words *w = &clause.words;
  read_merging(out, c, p, &clause);
  if (p->kind == HM_DOC_ROW || note_any_word_in(w, doubts))
    return;
  read_deployed(out, c, w);
  read_pushed(out, c, w);
}
