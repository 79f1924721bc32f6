/* Whose the version of a program is: the project's, or that of another thing which the sentence is
 * about. "Storybook 8 requires Node 20" and "macOS ships with Python 3.9" say nothing of what the
 * project needs: what stands before the verb is the subject. */
#include <string.h>

#include "core/passage/passage_impl.h"

size_t note_version_length(hm_str s) {
  size_t i = hm_skip_digits(s, 0), major = i;
  if (!i || i > 3)
    return 0;
  while (hm_char_at(s, i, '.')) {
    size_t next = hm_skip_digits(s, i + 1);
    if (next == i + 1 &&
        (hm_char_at(s, next, 'x') || hm_char_at(s, next, 'X') || hm_char_at(s, next, '*')))
      next++;
    if (next == i + 1)
      break;
    i = next;
  }
  return i ? i : major;
}

/* "ESLint 9 requires Node 20+" says what ESLint needs. */
bool note_is_need_of_another(const note_words *w) {
  static const char parts[] = "bot|bundle|client|demo|docs|editor|example|examples|extension|image|"
                              "page|pages|plugin|script|scripts|site|storybook|theme|website";
  for (size_t k = 1; k < w->n; k++) {
    for (size_t i = 0; i < k && note_word_in(w->w[k].low, "requires|needs|use|uses|has"); i++)
      if (note_word_in(w->w[i].low, parts))
        return true; /* "The docs site requires" */
    if (hm_str_is(w->w[k - 1].low, "other") &&
        note_word_in(w->w[k].low, "apps|project|projects|repos|repositories"))
      return true;
    if (note_word_in(w->w[k - 1].low, "test|tests|testing") &&
        note_word_in(w->w[k].low, "cluster|container|database|image|instance|machine|server"))
      return true; /* "The test image of the database is" */
  }
  const char *first, *later;
  bool dotted;
  size_t i = 0;
  while (i < w->n && !note_program_at(w, i, &first, &dotted))
    i++;
  if (i == w->n)
    return false;
  for (size_t k = 1; k < w->n; k++) {
    if (!note_word_in(w->w[k].low, "requires|require|needs|need"))
      continue;
    if (note_version_length(w->w[k - 1].low) == w->w[k - 1].low.n)
      return true; /* "Storybook 8 requires" */
    for (; k > i && k < w->n; k++)
      if (note_program_at(w, k, &later, &dotted) && strcmp(first, later))
        return true;
  }
  return false;
}

/* "`ipc-napi` requires Rust 1.88": what a thing needs that is named in code. */
bool note_is_need_of_span(const note_context *c, const hm_doc_part *p, hm_arena *a) {
  static const char *const verbs[] = { " needs ", " require ", " requires " };
  if (!p->n_spans || p->spans[0].mark != HM_DOC_SPAN_CODE || p->spans[0].from)
    return false;
  hm_str name = note_lower(hm_str_sub(p->text, 0, p->spans[0].to), a);
  hm_str rest = hm_str_sub(p->text, p->spans[0].to, p->text.n), title = note_lower(c->title, a);
  bool own = hm_str_eq(name, c->file->component) || hm_str_find(title, hm_str_z(a, name)) >= 0;
  for (size_t i = 0; i < HM_COUNT(verbs) && !own; i++)
    if (hm_str_starts(rest, verbs[i]))
      return true;
  return false;
}

/* What the project is called in its own documents, and who works on it. */
static const char own[] =
    "all|api|app|application|apps|backend|binary|both|build|builder|building|builds|ci|cli|client|"
    "code|codebase|compilation|compiling|contributors|core|daemon|deployment|deployments|"
    "developers|developing|development|engine|environment|everyone|everything|framework|frontend|"
    "he|installation|installer|it|ll|monorepo|pipeline|pipelines|platform|program|project|projects|"
    "repo|repository|sdk|server|service|services|setup|she|site|software|source|stack|system|"
    "team|that|they|this|tool|toolchain|users|we|website|which|workspace|you";

/* A thing that is the project only where nothing but an article stands before it: "the package". */
static const char own_alone[] = "bundle|crate|extension|image|library|module|package|plugin";

/* Is the word, in small letters, the name of the folder of the project, of a package, or in the
 * title? */
static bool names_project(const note_context *c, hm_str low, hm_arena *a) {
  const hm_scripts *scripts = c->file->scripts;
  hm_str folder = scripts ? hm_scripts_folder(scripts, c->file->path, a) : HM_EMPTY;
  const hm_tree_files *in =
      folder.n && scripts->tree ? hm_tree_files_around(scripts->tree, folder) : NULL;
  hm_str top = in ? hm_tree_files_top(in) : hm_str_sub(c->file->path, 0, c->file->top);
  top.n -= hm_str_ends(top, "/");
  bool named = low.n > 2 && hm_str_eq(low, note_lower(hm_str_behind_last(top, '/'), a));
  for (size_t i = 0; scripts && i < scripts->n && !named; i++)
    named = low.n && hm_str_eq(scripts->v[i].name, low);
  note_words title = note_split(c->title, a);
  for (size_t i = 0; i < title.n && !named; i++)
    named = low.n > 2 && hm_str_eq(title.w[i].low, low);
  return named;
}

/* Are words [from, to) the project, or a part that its documents call so? */
static bool is_own_subject(const note_context *c, const note_words *w, size_t from, size_t to,
                           hm_arena *a) {
  size_t named = 0;
  for (size_t i = from; i < to; i++) {
    hm_str low = w->w[i].low;
    if (note_word_in(low, own) || names_project(c, low, a))
      return true;
    named +=
        !note_is_grammar(low) && !note_word_in(low, "our|your") && !note_word_in(low, own_alone);
  }
  return !named;
}

bool note_version_has_owner(const note_context *c, const note_words *w, size_t i, hm_str *owner,
                            hm_arena *a) {
  static const char verbs[] =
      "bundle|bundles|have|has|need|needs|require|requires|run|runs|ship|ships|supports|use|uses|"
      "want|wants";
  static const char arrivals[] = "appeared|arrived|arrives|came|comes|debuted|landed|lands";
  static const char between[] = "a|against|an|at|exactly|least|minimum|modern|on|only|the|under|"
                                "version|with";
  static const char adverbs[] = "also|always|can|currently|does|just|must|now|only|should|will";
  size_t verb = i;
  *owner = HM_EMPTY;
  while (verb && w->w[verb].joined && note_word_in(w->w[verb - 1].low, between))
    verb--;
  if (!verb || !w->w[verb].joined)
    return false;
  verb--;
  bool likened = verb && hm_str_is(w->w[verb].low, "in") && hm_str_is(w->w[verb - 1].low, "as");
  if (likened || note_word_in(w->w[verb].low, arrivals)) /* "written as in Python 3.9" */
    return true;
  if (!note_word_in(w->w[verb].low, verbs))
    return false;
  size_t to = verb, from;
  while (to && w->w[to].joined && note_word_in(w->w[to - 1].low, adverbs))
    to--;
  for (from = to; from && w->w[from].joined; from--) {
  }
  if (to - from > 1 && note_word_in(w->w[to - 1].low, "that|which|who")) { /* "agents that run" */
    to--;
    from = to - 1;
  }
  if (is_own_subject(c, w, from, to, a))
    return false;
  for (size_t k = from; k < to; k++)
    *owner = HM_CAT(a, *owner, HM_STR(" "), w->w[k].s);
  *owner = note_component_name(*owner, a);
  return true;
}
