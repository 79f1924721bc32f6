/* Branches: how those for features begin, against which one opens a pull request, from which one
 * begins, which is the default. Only names that projects give to such branches are values. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/passage/passage_impl.h"

/* The prefix with which word i begins, in small letters, "feat/" of "feat/short-name", "feat-" of
 * "branch `feat-<ticket>`"; NULL: none. */
static const char *prefix_of(const note_words *w, size_t i, bool prose, bool row) {
  static const char *const prefixes[] = { "feature/", "feat/" };
  static const char *const dashed[] = { "feature-<", "feat-<" };
  static const char kinds[] = "bug|bugfix|change|chore|fix|hotfix|pr|refactor|release|task";
  enum { NEAR = 2 };
  hm_str low = w->w[i].low;
  bool branch =
      note_any_word_in(w, "branch|branches") && i && note_word_in(w->w[i - 1].low, "called|named");
  bool begins = i && note_word_in(w->w[i - 1].low, "prefix|with");
  for (size_t n = 1; n <= NEAR && n <= i; n++)
    branch |= note_word_in(w->w[i - n].low, "branch|branches|checkout|switch");
  for (size_t k = 0; k < HM_COUNT(dashed) && branch && !row; k++)
    if (hm_str_starts(w->w[i].s, dashed[k]))
      return k ? "feat-" : "feature-";
  for (size_t k = 0; k < HM_COUNT(prefixes); k++)
    if (hm_str_starts(low, prefixes[k]) && (row || begins || low.n > strlen(prefixes[k])) &&
        !(prose && note_word_in(hm_str_behind_last(low, '/'), kinds))) /* "feature/fix" */
      return prefixes[k];
  return NULL;
}

/* Is it a row on branches, by the head of a column or a heading? Others are on folders. */
static bool is_of_branches(const note_context *c, const hm_doc_part *p, hm_arena *a) {
  hm_str key = p->n_cells ? note_lower(p->cells[0].text, a) : HM_EMPTY;
  bool told =
      hm_str_find(note_lower(c->headings, a), "branch") >= 0 || hm_str_find(key, "branch") >= 0;
  for (uint32_t i = 0; i < p->n_head; i++) {
    note_words w = note_split(hm_text_cut(p->head[i].text, 60), a);
    told |= note_any_word_in(&w, "branch|branches|prefix");
    if (note_any_word_in(&w, "directory|folder|module|package|path"))
      return false;
  }
  return told;
}

/* "git checkout -b feat/short-name", "| New feature | `feat/` |": how branches for features begin.
 */
static void read_prefix(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t) {
  static const char telling[] =
      "branch|branches|called|checkout|create|features|named|prefix|switch";
  bool row = p->kind == HM_DOC_ROW;
  if (hm_str_find(note_lower(t->text, out->a), "feat") < 0) /* as most texts */
    return;
  const note_words *w = &t->words;
  const char *found = NULL;
  for (size_t i = 0; i < w->n; i++) {
    const char *prefix = prefix_of(w, i, p->kind != HM_DOC_CODE, row);
    if (prefix && found && prefix != found)
      return;
    found = prefix ? prefix : found;
  }
  if (found && (row ? is_of_branches(c, p, out->a) : note_any_word_in(w, telling)))
    note_claims_add(out, HM_CAT(out->a, c->file->component, HM_STR(" feature branch prefix")),
                    hm_str_c(found), NOTE_SAID);
}

void note_branch_claim(note_claims *out, const note_context *c, hm_str what, hm_str value) {
  hm_str part = note_part_that_speaks(c, out->a);
  hm_str scope = hm_str_is(c->scope, "ci ") ? HM_EMPTY : c->scope; /* it builds the same branches */
  note_claims_add(out, HM_CAT(out->a, scope, part, HM_STR(" "), what), value,
                  NOTE_SETTING); /* a document with several tells of stages */
}

static void claim(note_claims *out, const note_context *c, const char *what, hm_str branch) {
  note_branch_claim(out, c, hm_str_c(what), branch);
}

static void claim_if(note_claims *out, const note_context *c, const char *what, hm_str branch) {
  if (branch.n)
    claim(out, c, what, branch);
}

static const char branch_names[] = "canary|dev|develop|development|main|master|next|stable|staging|"
                                   "trunk";
/* What is mended at once begins from what runs. */
static const char hotfix_bases[] = "main|master|prod|production|release|stable|trunk";

/* Words of some pull requests, or of another repository. */
static const char of_some[] =
    "backport|bot|breaking|dependabot|docs|documentation|experimental|hotfix|hotfixes|maintainers|"
    "mirror|release|releases|renovate|security|sprint|upstream|website|website's|wiki";

/* The branch at word i, perhaps behind an article, as one thing: one of names, not one of several,
 * and nobody's fork. Empty: there is none. */
hm_str note_branch_at(const note_words *w, size_t i, const char *names) {
  while (i < w->n && note_word_in(w->w[i].low, "branch|our|the|your"))
    i++;
  hm_str name = i < w->n ? w->w[i].low : HM_EMPTY;
  bool several = i + 1 < w->n &&
      (note_word_in(w->w[i + 1].low, "or|and|/") || w->w[i + 1].before == '/') && i + 2 < w->n &&
      note_word_in(w->w[i + 2].low, names);
  /* "to our main repository" */
  bool leaves = i + 1 >= w->n || !w->w[i + 1].joined ||
      note_word_in(w->w[i + 1].low, "after|and|branch|branches|for|so|then|via|when|with|y");
  bool named = i < w->n && hm_is_lower(w->w[i].s.p[0]);
  return named && note_word_in(name, names) && !several && leaves ? name : HM_EMPTY;
}

static hm_str branch_at(const note_words *w, size_t i) {
  return note_branch_at(w, i, branch_names);
}

/* "Open your pull request against `develop`", "all PRs target `main`". */
static void read_target(note_claims *out, const note_context *c, const note_words *w) {
  static const char towards[] = "against|into|target|targeting|targets|to";
  enum { NEAR = 8 };
  size_t from = SIZE_MAX;
  for (size_t i = 0; i < w->n && from == SIZE_MAX; i++) {
    bool two = i + 1 < w->n && note_word_in(w->w[i].low, "pull|merge") &&
        note_word_in(w->w[i + 1].low, "request|requests");
    if (two || note_word_in(w->w[i].low, "pr|prs|mr|mrs"))
      from = i;
  }
  for (size_t k = from > 3 && from < w->n ? from - 3 : 0; k < w->n && k < from; k++)
    if (hm_str_is(w->w[k].low, "not"))
      return;
  for (size_t i = from; i < w->n && i < from + NEAR; i++) {
    if (note_word_in(w->w[i].low, "not|never|if|from"))
      return;
    /* "The target branch of all pull requests is" */
    bool is = hm_str_is(w->w[i].low, "is") && from > 1 && note_word_in(w->w[0].low, "the|target");
    if (w->w[i].before == ':' && note_word_in(w->w[0].low, "base|target")) {
      claim_if(out, c, "pull request branch", branch_at(w, i));
      return;
    }
    bool label = i + 1 < w->n && hm_str_is(w->w[i].low, "target") &&
        hm_str_is(w->w[i + 1].low, "branch"); /* "PR target branch: `main`" */
    hm_str branch =
        is || note_word_in(w->w[i].low, towards) ? branch_at(w, i + 1 + label) : HM_EMPTY;
    if (!branch.n)
      continue;
    claim(out, c, "pull request branch", branch);
    return;
  }
}

/* "gh pr create --base develop", and not of a release. */
static void read_command(note_claims *out, const note_context *c, hm_str line) {
  if (!hm_str_starts(hm_str_trim(line), "gh pr create "))
    return;
  note_words w = note_split(line, out->a), above = note_split(c->headings, out->a);
  if (note_any_word_in(&w, of_some) || note_any_word_in(&above, of_some) ||
      note_any_word_in(&w, "--head|-h"))
    return;
  for (size_t i = 3; i + 1 < w.n; i++)
    if (hm_str_is(w.w[i].s, "--base") && note_word_in(w.w[i + 1].low, branch_names))
      claim(out, c, "pull request branch", w.w[i + 1].low);
}

/* The kind of branch that a word before "branch" names, as slots call what it begins from; NULL: of
 * some alone. */
static const char HOTFIX[] = "hotfix branch base";
static const char *base_of_kind(hm_str kind) {
  if (note_word_in(kind, "a|each|every|feature|features|new|topic|your"))
    return "feature branch base";
  return hm_str_is(kind, "release") ? "release branch base"
      : hm_str_is(kind, "hotfix")   ? HOTFIX
                                    : NULL;
}

/* Says the sentence that all work begins from a branch: "All work starts from"? at: of "from". */
static bool is_all_work(const note_words *w, size_t at) {
  static const char begins[] = "based|begins|branched|branches|started|starts";
  bool beside =
      at == 3 || (at == 4 && hm_str_is(w->w[2].low, "is")); /* "All work on docs starts" */
  return beside && note_word_in(w->w[0].low, "all|every") &&
      note_word_in(w->w[1].low, "change|changes|development|features|work") &&
      note_word_in(w->w[at - 1].low, begins);
}

/* "Create your branch from `develop`", "The release branch is always cut from `main`", "All work
 * starts from `main`". */
static void read_base(note_claims *out, const note_context *c, const note_words *w) {
  enum { NEAR = 6 };
  const char *base = NULL;
  size_t named = 0;
  for (size_t i = 0; i < w->n; i++) {
    if (hm_str_is(w->w[i].low, "not"))
      return;
    if (note_word_in(w->w[i].low, "branch|branches") && !base && i) {
      base = base_of_kind(w->w[i - 1].low);
      named = i;
    }
    if (!note_word_in(w->w[i].low, "from|off"))
      continue;
    bool near = base && i < named + NEAR;
    bool urgent = near && !strcmp(base, HOTFIX);
    hm_str branch = note_branch_at(w, i + 1, urgent ? hotfix_bases : branch_names);
    if (branch.n && (near || is_all_work(w, i))) {
      claim(out, c, near ? base : "feature branch base", branch);
      return;
    }
  }
}

/* "| `release/` | `develop` |" below "Cut from". */
static void read_base_row(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const char heads[] = "base|base branch|based on|branch from|branched from|branches from|"
                              "branches off|created from|cut from|starts from";
  hm_arena *a = out->a;
  hm_str key = note_lower(p->cells[0].text, a);
  const char *slash = key.n ? memchr(key.p, '/', key.n) : NULL;
  const char *base = slash ? base_of_kind(hm_str_sub(key, 0, (size_t)(slash - key.p))) : NULL;
  for (size_t i = 1; i < p->n_cells && i < p->n_head && base; i++) {
    note_words w = note_split(p->cells[i].text, a);
    if (w.n == 1 && note_word_in(note_lower(p->head[i].text, a), heads))
      claim_if(out, c, base,
               note_branch_at(&w, 0, !strcmp(base, HOTFIX) ? hotfix_bases : branch_names));
  }
}

/* "The default branch is `main`", "Rama principal: `master`". */
static void read_default(note_claims *out, const note_context *c, const note_words *w) {
  static const struct {
    const char *first, *second;
  } names[] = { { "default|main", "branch" },
                { "rama", "principal" },
                { "branche", "principale|par" },
                { "branch", "principale" } };
  enum { NEAR = 5 };
  /* "`master` is the default branch", "| main | default branch |" */
  size_t at_kind = w->n > 2 && w->w[1].before == ':' ? 1 : 3;
  bool first = w->n > at_kind + 1 && hm_str_is(w->w[at_kind].low, "default") &&
      hm_str_is(w->w[at_kind + 1].low, "branch");
  if (first && (at_kind == 1 || hm_str_is(w->w[1].low, "is")) &&
      note_word_in(w->w[0].low, branch_names)) {
    claim(out, c, "default branch", w->w[0].low);
    return;
  }
  for (size_t i = 3; i < w->n; i++) /* "`master`, our default branch" */
    if (hm_str_is(w->w[i].low, "branch") && hm_str_is(w->w[i - 1].low, "default") &&
        note_word_in(w->w[i - 2].low, "our|the") && w->w[i - 2].before == ',') {
      claim_if(out, c, "default branch", branch_at(w, i - 3));
      return;
    }
  for (size_t i = 0; i + 2 < w->n; i++)
    for (size_t k = 0; k < HM_COUNT(names); k++) {
      if (!note_word_in(w->w[i].low, names[k].first) ||
          !note_word_in(w->w[i + 1].low, names[k].second))
        continue;
      for (size_t at = i + 2; at < w->n && at < i + 2 + NEAR; at++) {
        bool says = note_word_in(w->w[at].low, "is|called|es|est|ist|\u00E8");
        bool beside = at == i + 2 && strchr(":,", w->w[at].before) && w->w[at].before;
        hm_str branch = says ? branch_at(w, at + 1) : beside ? branch_at(w, at) : HM_EMPTY;
        if (branch.n) {
          claim(out, c, "default branch", branch);
          return;
        }
      }
    }
}

void note_branches_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t) {
  static const char doubts[] =
      "approval|automate|automates|avoid|back|backport|cherry-pick|could|don|don't|example|except|"
      "formerly|fork|if|instead|kickoff|may|might|old|previously|renamed|triggers|unless|was|when|"
      "would";
  static const char urgent[] = "deploy|deploys|hotfix|hotfixes|never|production";
  note_text cells;
  bool row = p->kind == HM_DOC_ROW && p->n_cells > 1;
  read_prefix(out, c, p, t);
  if (p->kind == HM_DOC_CODE)
    read_command(out, c, t->text);
  if (p->kind != HM_DOC_ITEM && p->kind != HM_DOC_SENTENCE && !row)
    return;
  if (row) {
    read_base_row(out, c, p);
    cells = note_text_of(HM_CAT(out->a, p->cells[0].text, HM_STR(": "), p->cells[1].text), out->a);
    t = &cells;
  }
  note_words w = t->words;
  bool names_one = note_any_word_in(&w, branch_names) || note_any_word_in(&w, hotfix_bases);
  if (!names_one || note_any_word_in(&w, doubts))
    return;
  if (!row)
    read_base(out, c, &w);
  if (note_any_word_in(&w, of_some) || note_any_word_in(&w, urgent) ||
      (w.n && note_word_in(w.w[0].low, "for|in")))
    return;
  if (row) {
    read_default(out, c, &w);
    return;
  }
  read_target(out, c, &w);
  read_default(out, c, &w);
}
