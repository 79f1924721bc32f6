/* Finds the projects of the mirror, and resolves a word of the command line: history.h.
 *
 * "projects/p05/" has a project's pages, "data/p05/" its data files; "data/p05/project.jsonl" has
 * the project's names. Reads only what a word may mean. */
#include <string.h>

#include "core/base/slug.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "gen/history/history_impl.h"

/* --- projects ------------------------------------------------------------------------ */

/* --- what they are called --------------------------------------------------------- */

static void read_project(hm_project_info *p, const hm_json *v, hm_arena *a) {
  const hm_json *id = hm_json_get(v, "id"), *aliases = hm_json_get(v, "aliases");
  if (id && id->type == HM_JSON_STRING)
    p->id = id->text;
  p->name = hm_json_get_text(v, "name");
  p->n_aliases = hm_json_texts(aliases, a, &p->aliases);
}

const hm_project_info *hm_history_project(hm_history *h, hm_str folder, const char *other) {
  uint32_t at = hm_map_get(&h->by_folder, folder);
  if (at != HM_MAP_NONE)
    return &h->projects[at];
  hm_str bytes, path = hm_str_fmt(h->a, "data/%.*s/project.jsonl", HM_FMT(folder));
  bool found = false;
  hm_err ignored;
  if (hm_git_read_blob(h->g, h->tip, path, h->a, &bytes, &found, &ignored) != 0)
    found = false;
  if (!found && hm_git_read_blob(h->g, other, path, h->a, &bytes, &found, &ignored) != 0)
    found = false;
  h->projects = hm_array_grow(h->projects, h->n, &h->cap, sizeof *h->projects);
  hm_project_info *p = &h->projects[h->n];
  *p = (hm_project_info){ .folder = hm_str_dup(h->a, folder), .name = HM_EMPTY };
  p->id = hm_str_is(folder, "global") ? HM_EMPTY : p->folder;
  hm_map_add(&h->by_folder, p->folder, (uint32_t)h->n++);
  /* It is on the line after the first. */
  const char *nl = found && bytes.n ? memchr(bytes.p, '\n', bytes.n) : NULL;
  hm_str line = nl ? hm_str_sub(bytes, (size_t)(nl - bytes.p), bytes.n) : HM_EMPTY;
  hm_json *v;
  if (nl && hm_json_parse(h->a, line, &v, &ignored) == 0)
    read_project(p, v, h->a);
  return p;
}

/* --- questions ----------------------------------------------------------------------- */

/* --- projects ----------------------------------------------------------------- */

/* 4: by its id, 3: an alias, 2: its folder, 1: its name, 0: not at all. */
static int names_project(const hm_project_info *p, hm_str word, hm_arena *a) {
  if (hm_str_eq(p->id, word))
    return 4;
  for (size_t i = 0; i < p->n_aliases; i++)
    if (hm_str_eq(p->aliases[i], word))
      return 3;
  if (hm_str_eq(p->folder, word))
    return 2;
  return hm_str_eq(hm_text_fold_name(a, p->name), hm_text_fold_name(a, word)) ? 1 : 0;
}

static void set_question_project(hm_history_question *q, const hm_project_info *p) {
  q->one_project = true;
  q->folder = p->folder;
  q->project = p->id;
}

/* The folder is mostly the id's: that overview alone is read then. */
static int find_project(hm_history *h, hm_str word, hm_arena *a, hm_history_question *q,
                        bool *found, hm_err *err) {
  hm_str *folders, slug = hm_text_slug(a, word, HM_SLUG_ASCII);
  size_t n, best = 0;
  int rank = 0;
  *found = true;
  if (hm_git_folder_names(h->g, h->tip, "projects", a, &folders, &n, err) != 0)
    return -1;
  for (size_t i = 0; i < n; i++) {
    if (!hm_str_eq(folders[i], slug))
      continue;
    const hm_project_info *p = hm_history_project(h, folders[i], h->tip);
    if (names_project(p, word, a) != 4)
      break;
    set_question_project(q, p);
    return 0;
  }
  for (size_t i = 0; i < n; i++) {
    int r = names_project(hm_history_project(h, folders[i], h->tip), word, a);
    if (r > rank)
      rank = r, best = i;
  }
  *found = rank > 0;
  if (*found)
    set_question_project(q, hm_history_project(h, folders[best], h->tip));
  return 0;
}

/* --- conflicts ------------------------------------------------------------------ */

static int find_conflict(hm_history *h, hm_str word, hm_arena *a, hm_history_question *q,
                         hm_err *err) {
  hm_str bytes;
  bool there;
  hm_json *v;
  size_t n = 0;
  if (hm_git_read_list(h->g, h->tip, HM_STR("conflicts.json"), a, &bytes, &there, err) != 0)
    return -1;
  if (!there || hm_json_parse(a, bytes, &v, NULL) != 0)
    return 0;
  for (const hm_json *c = hm_json_get_items(v, "conflicts"); c; c = c->next) {
    const hm_json *id = hm_json_get(c, "id");
    if (!id || !hm_str_starts(id->text, word.p))
      continue;
    q->conflict = id->text;
    n++;
    if (hm_str_eq(id->text, word))
      return 0;
  }
  if (n < 2)
    return 0;
  return hm_failf(err, HM_E_UNKNOWN, hm_str_fmt(a, "conflict '%.*s'", HM_FMT(word)).p,
                  "give more of its id", "%zu conflicts begin so", n);
}

/* "c10e": the beginning of an id. */
static bool may_be_conflict(hm_str word) {
  if (word.n < 2 || word.p[0] != 'c')
    return false;
  for (size_t i = 1; i < word.n; i++)
    if (!memchr("0123456789abcdef", word.p[i], 16))
      return false;
  return true;
}

/* --- slots and rows --------------------------------------------------------------- */

/* "workflow (git)": of one scope. */
static hm_str name_in_scope(hm_str name, hm_arena *a) {
  ptrdiff_t open = hm_str_find(name, " (");
  if (open <= 0 || !hm_str_ends(name, ")"))
    return hm_text_fold_name(a, name);
  hm_str slot = hm_text_fold_name(a, hm_str_sub(name, 0, (size_t)open));
  hm_str scope = hm_text_fold_name(a, hm_str_sub(name, (size_t)open + 2, name.n - 1));
  return hm_str_fmt(a, "%.*s (%.*s)", HM_FMT(slot), HM_FMT(scope));
}

/* "preference: workflow", "lateral support material", "spaces|tabs", "\"prefers tabs\"". */
static void set_question_slot(hm_history_question *q, hm_str name, hm_arena *a) {
  ptrdiff_t colon = hm_str_find(name, ": ");
  hm_str type = colon > 0 ? hm_str_sub(name, 0, (size_t)colon) : HM_EMPTY;
  if (hm_str_is(type, "identity") || hm_str_is(type, "preference")) {
    q->memory_type = type;
    name = hm_str_sub(name, (size_t)colon + 2, name.n);
  }
  bool as_it_is = hm_str_find(name, "|") >= 0 || hm_str_starts(name, "\"");
  q->slot = as_it_is     ? name
      : q->memory_type.n ? name_in_scope(name, a)
                         : hm_text_fold_name(a, name);
}

static int parse_project_and_slot(hm_history *h, hm_str word, size_t slash, hm_arena *a,
                                  hm_history_question *q, hm_err *err) {
  hm_str project = hm_str_trim(hm_str_sub(word, 0, slash));
  bool found;
  if (find_project(h, project, a, q, &found, err) != 0)
    return -1;
  if (!found)
    return hm_failf(err, HM_E_UNKNOWN, hm_str_fmt(a, "'%.*s'", HM_FMT(word)).p,
                    "give the id or an alias of a project before the '/'",
                    "the mirror has no project '%.*s'", HM_FMT(project));
  set_question_slot(q, hm_str_trim(hm_str_sub(word, slash + 1, word.n)), a);
  return 0;
}

int hm_history_resolve_question(hm_history *h, const char *z, hm_arena *a, hm_history_question *q,
                                hm_err *err) {
  hm_str word = hm_str_dup(a, hm_str_trim(hm_str_c(z)));
  bool found;
  *q = (hm_history_question){ .folder = HM_EMPTY };
  ptrdiff_t slash = hm_str_find(word, "/"), colon = hm_str_find(word, ":");
  hm_layer layer;
  if (!word.n)
    return 0;
  if (colon > 0 && hm_layer_parse(hm_str_sub(word, 0, (size_t)colon), &layer)) {
    q->row = word;
    return 0;
  }
  if (slash >= 0)
    return parse_project_and_slot(h, word, (size_t)slash, a, q, err);
  if (may_be_conflict(word) && find_conflict(h, word, a, q, err) != 0)
    return -1;
  if (q->conflict.n)
    return 0;
  if (find_project(h, word, a, q, &found, err) != 0)
    return -1;
  if (!found)
    set_question_slot(q, word, a);
  return 0;
}
