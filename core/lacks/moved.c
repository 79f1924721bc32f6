/* Files that a document names, "`src/old.c`", or runs, "python tools/load.py", which are not there.
 * Of those that it names half are of the past, of a plan, of another project, or for a user to
 * make; they count where the file, the only one of its name, lies elsewhere in the folder in which
 * the path begins. What it runs counts where that folder is there. A folder counts in which
 * something is said to live. */
#include <string.h>

#include "core/base/text.h"
#include "core/lacks/lacks_impl.h"

/* Is the path, from the folder `base`, not there, and does the one file of its name lie elsewhere
 * in the folder in which it begins, or at the top? Not where it is there from another folder. *at:
 * where it would be. */
static bool is_elsewhere(const note_path_reader *r, hm_str base, hm_str path, hm_str *at) {
  size_t n;
  const hm_str *same = hm_tree_files_named(r->in, hm_str_behind_last(path, '/'), &n);
  if (n != 1 || !note_path_resolve(base, path, at, r->a) || (base.n && !hm_tree_lies_in(*at, base)))
    return false;
  hm_str below = base.n ? hm_str_sub(*at, base.n + 1, at->n) : *at;
  const char *slash = below.n ? memchr(below.p, '/', below.n) : NULL;
  if (!slash)
    return false;
  hm_str begins = hm_str_sub(*at, 0, (size_t)(slash - at->p));
  hm_str end = hm_str_sub(same[0], same[0].n - (below.n < same[0].n ? below.n : 0), same[0].n);
  bool top = hm_str_ends(same[0], ".md") && !memchr(same[0].p, '/', same[0].n);
  hm_str package = hm_str_sub(below, (size_t)(slash - below.p), below.n);
  if (hm_str_starts(same[0], hm_str_z(r->a, HM_CAT(r->a, begins, HM_STR("/src/main/")))) &&
      hm_str_ends(same[0], hm_str_z(r->a, package)))
    return false; /* "app/ui/Tree.kt", the package of app/src/main/java/org/x/ui/Tree.kt */
  return (top || hm_tree_lies_in(same[0], begins)) && !hm_str_eq(end, below) &&
      !note_path_is_made(hm_str_sub(*at, begins.n + 1, at->n), r->a) &&
      hm_tree_files_ask(r->in, *at) == HM_TREE_LACKS &&
      (!top || hm_tree_files_ask(r->in, begins) == HM_TREE_HAS);
}

/* "tests/test_file.py", "tests/test_specific.py", "demos/x.py": does the name of the file stand for
 * any? */
static bool is_any(hm_str path, hm_arena *a) {
  hm_str name = note_path_stem(note_lower(hm_str_behind_last(path, '/'), a));
  return name.n < 2 || note_word_in(name, "file|script|test|test_file|test_name") ||
      note_path_has_word(name, "abc|failing|feature|module|mything|particular|some|specific|thing",
                         a);
}

/* Is the path there from some folder of the tree: "tests/a.py" of web/tests/a.py? */
static bool is_in_some_folder(const note_path_reader *r, hm_str path) {
  size_t n;
  const hm_str *same = hm_tree_files_named(r->in, hm_str_behind_last(path, '/'), &n);
  if (hm_str_starts(path, "./"))
    path = hm_str_sub(path, 2, path.n);
  const char *end = hm_str_z(r->a, HM_CAT(r->a, HM_STR("/"), path));
  for (size_t i = 0; i < n; i++)
    if (hm_str_ends(same[i], end))
      return true;
  return false;
}

/* "src/index.js" beside "src/index.ts", of which it is made. */
static bool is_compiled(const note_path_reader *r, hm_str path) {
  hm_str stem = note_path_stem(path);
  return hm_str_ends(path, "js") &&
      (hm_tree_files_ask(r->in, HM_CAT(r->a, stem, HM_STR(".ts"))) == HM_TREE_HAS ||
       hm_tree_files_ask(r->in, HM_CAT(r->a, stem, HM_STR(".tsx"))) == HM_TREE_HAS);
}

/* Is the path not there from the document's folder or one around it, though the folder is there in
 * which it begins? *at: where it would be. */
static bool is_lacked(const note_path_reader *r, hm_str path, hm_str *at) {
  hm_str begins, here;
  size_t from = hm_str_starts(path, "./") ? 2 : 0;
  const char *slash = memchr(path.p + from, '/', path.n - from);
  *at = HM_EMPTY;
  if (!slash)
    return false;
  hm_str first = hm_str_sub(path, from, (size_t)(slash - path.p));
  for (hm_str base = r->folder;; base = hm_tree_folder(base)) {
    if (!note_path_resolve(base, path, &here, r->a) ||
        hm_tree_files_ask(r->in, here) != HM_TREE_LACKS)
      return false;
    bool there = note_path_resolve(base, first, &begins, r->a) &&
        hm_tree_files_ask(r->in, begins) == HM_TREE_HAS;
    *at = !at->n && there ? here : *at;
    if (!base.n)
      return at->n;
  }
}

/* Is the file that is run nowhere? */
static bool is_nowhere(note_path_reader *r, hm_str path, hm_str *at) {
  return is_lacked(r, path, at) && !note_path_is_made(*at, r->a) && !is_any(path, r->a) &&
      !is_in_some_folder(r, path) && !is_compiled(r, *at) &&
      !note_path_is_given(r, hm_str_behind_last(path, '/'));
}

/* A text that may be a path, with or without its line. run: it is run. */
static void read_path(note_path_reader *r, uint32_t part, hm_str path, bool run) {
  enum { DEEPEST = 24 };
  hm_str at;
  size_t depth = 0;
  const char *colon = path.n ? memchr(path.p, ':', path.n) : NULL;
  path.n = colon ? (size_t)(colon - path.p) : path.n;
  for (size_t i = 0; i < path.n; i++)
    depth += path.p[i] == '/';
  if (!depth || depth > DEEPEST || strchr("/@", path.p[0]) || hm_str_ends(path, "/") ||
      hm_str_starts(path, "../") || note_path_is_full(r->out, part) ||
      !note_path_is_plain(path, r->a) || !note_path_is_readable(path))
    return;
  if (is_elsewhere(r, HM_EMPTY, path, &at) ||
      (r->folder.n && is_elsewhere(r, r->folder, path, &at)) || (run && is_nowhere(r, path, &at)))
    note_path_add(r, part, at, at, false);
}

/* "tools/load.py" of "python tools/load.py --all"; empty: the line runs no file. Behind "npx" alone
 * stands a package. */
static hm_str file_run_by(hm_str line, hm_arena *a) {
  static const char before[] =
      "bash|bun|bunx|chmod|deno|exec|go|node|npx|php|perl|pipenv|pnpm|poetry|pytest|python|"
      "python3|run|ruby|sh|source|ts-node|tsx|uv|yarn|+x";
  note_words w = note_split(line, a);
  size_t k = 0;
  while (k < w.n && note_word_in(w.w[k].low, before))
    k++;
  if (k == w.n || (k && note_word_in(w.w[k - 1].low, "bunx|exec|npx|pipenv|pnpm|poetry|yarn")))
    return HM_EMPTY;
  return k || hm_str_starts(line, "./") ? w.w[k].s : HM_EMPTY;
}

/* Are the text and its headings of another time, or of files that somebody makes? */
static bool is_of_making(hm_str text, hm_str headings, hm_arena *a) {
  static const char words[] =
      "added|antes|beispiel|copied|copy|create|created|creates|creating|crea|crear|e.g|ejemplo|"
      "erstellen|example|examples|exemple|exemplo|extract|extracted|former|formerly|generate|"
      "generates|legacy|make|makes|migrate|migrated|migration|modified|modify|move|moved|moves|"
      "old|output|plan|plans|previous|previously|produce|produces|proposed|refactor|rename|"
      "renamed|replace|replaced|replaces|sample|scratch|split|suggested|template|upstream|was|"
      "were|will|would|write|writes|your";
  static const char chinese[] = "\u521B\u5EFA|\u65B0\u5EFA|\u793A\u4F8B"; /* make, new, example */
  note_words above = note_split(headings, a);
  return note_any_word_in(&above, "new") || note_has_any(text, chinese) ||
      note_says_any(text, headings, words, a);
}

/* A folder in which something is said to live, "docs live in `docs/guide/`", is not there, nor
 * below another one, and none that a program makes. */
static void read_home(note_path_reader *r, uint32_t part, hm_str text, const hm_doc_span *span) {
  enum { ASKED = 16 };
  static const char kept[] = "backup|backups|checkpoints|data|database|db|memory|queue|reports|"
                             "results|screenshots|sessions|state|storage|uploads";
  static const char doubts[] =
      "can|cannot|could|created|filled|fills|generated|if|longer|may|might|must|never|new|no|not|"
      "nothing|should|unless|used|when|won't|written";
  note_words before = note_split(hm_str_sub(text, 0, span->from), r->a), w = note_split(text, r->a);
  size_t n = before.n;
  hm_str at, path = hm_str_sub(text, span->from, span->to - 1);
  bool lives = n > 1 && note_word_in(before.w[n - 2].low, "live|lives") &&
      note_word_in(before.w[n - 1].low, "at|in|inside|under");
  if (!lives || note_any_word_in(&w, doubts) || !path.n || strchr("./", path.p[0]) ||
      !note_path_is_plain(path, r->a) || note_path_is_full(r->out, part) ||
      note_names_repository(r->scripts, text, r->a) || r->homes++ >= ASKED)
    return;
  if (is_lacked(r, path, &at) && !hm_tree_files_have_folder(r->in, path) &&
      !note_path_has_word(hm_str_behind_last(at, '/'), kept, r->a) &&
      !note_path_is_made(HM_CAT(r->a, at, HM_STR("/")), r->a))
    note_path_add(r, part, at, at, false);
}

/* `src/io/file.c:12` in a sentence, where it is src/file.c. Names that many folders have may be of
 * another project. */
static void read_named(note_path_reader *r, uint32_t part, hm_str text, const hm_doc_span *spans,
                       uint32_t n) {
  static const char usual[] = "app|client|config|constants|helpers|index|init|__init__|lib|main|"
                              "mod|page|readme|server|setup|test|types|util|utils";
  for (uint32_t i = 0; i < n; i++) {
    hm_str path = hm_str_sub(text, spans[i].from, spans[i].to);
    if (spans[i].mark != HM_DOC_SPAN_CODE || !path.n || !memchr(path.p, '/', path.n))
      continue;
    if (memchr(path.p, ' ', path.n)) {
      note_words w = note_split(text, r->a);
      if (!note_any_word_in(
              &w,
              "avoid|don't|gone|in|inside|instead|longer|never|no|not|over|rather|wrong|\u274C"))
        read_path(r, part, file_run_by(path, r->a), true);
      continue;
    }
    if (hm_str_ends(path, "/")) {
      read_home(r, part, text, &spans[i]);
      continue;
    }
    hm_str name = note_lower(hm_str_behind_last(path, '/'), r->a);
    note_words before = note_split(hm_str_sub(text, 0, spans[i].from), r->a);
    const char *dot = name.n ? memchr(name.p, '.', name.n) : NULL;
    bool absent = false; /* "the new `a/b.c`", "No nested `web/AGENTS.md`" */
    for (size_t k = 1; k <= 2 && k <= before.n; k++)
      absent |= note_word_in(before.w[before.n - k].low, "new|no|without");
    if (dot && !absent && !note_word_in(hm_str_sub(name, 0, (size_t)(dot - name.p)), usual))
      read_path(r, part, path, false);
  }
}

static bool has_path(hm_str text, const hm_doc_span *spans, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (spans[i].mark == HM_DOC_SPAN_CODE && spans[i].to > spans[i].from &&
        memchr(text.p + spans[i].from, '/', spans[i].to - spans[i].from))
      return true;
  return false;
}

void note_moved_read(note_path_reader *r, uint32_t part) {
  const hm_doc_part *p = &r->doc->parts[part];
  bool has = has_path(p->text, p->spans, p->n_spans);
  for (uint32_t k = 0; k < p->n_cells && !has; k++)
    has = has_path(p->cells[k].text, p->cells[k].spans, p->cells[k].n_spans);
  if (!has || is_of_making(p->text, hm_doc_heading_path(r->doc, p->heading, r->a), r->a) ||
      is_of_making(note_lead_of(r->doc, part), HM_EMPTY, r->a))
    return;
  read_named(r, part, p->text, p->spans, p->n_spans);
  enum { HEAD = 60 };
  for (uint32_t k = 0; k < p->n_cells; k++)
    if (p->cells[k].n_spans &&
        (k >= p->n_head || !is_of_making(hm_text_cut(p->head[k].text, HEAD), HM_EMPTY, r->a)))
      read_named(r, part, p->cells[k].text, p->cells[k].spans, p->cells[k].n_spans);
}

bool note_is_run_by_others(const note_path_reader *r, uint32_t part) {
  const hm_document *doc = r->doc;
  uint32_t block = doc->parts[part].block;
  bool code = doc->parts[part].kind == HM_DOC_CODE;
  if (note_is_for_reader(doc, part, r->a) || hm_str_starts(doc->parts[part].text, "#!") ||
      note_names_repository(r->scripts, note_lead_of(doc, part), r->a))
    return true;
  for (size_t i = part; code && i < doc->n && doc->parts[i].block == block; i++)
    if (hm_char_at(doc->parts[i].text, 0, '#') &&
        note_names_repository(r->scripts, doc->parts[i].text, r->a))
      return true;
  return false;
}

/* Does a block before this one, below its heading, open a shell elsewhere: "docker compose exec app
 * bash"? */
static bool is_in_other_shell(const note_path_reader *r, uint32_t first) {
  enum { NEAR = 12 };
  static const char opens[] = "docker|docker-compose|kubectl|podman|ssh|vagrant";
  const hm_doc_part *p = &r->doc->parts[first];
  for (uint32_t i = first, n = 0; i && n < NEAR && p[-1].heading == p->heading; i--, n++) {
    p--;
    note_words w = note_split(p->kind == HM_DOC_CODE ? p->text : HM_EMPTY, r->a);
    size_t begins = w.n && note_word_in(w.w[0].s, "$|sudo");
    if (w.n <= begins || !note_word_in(w.w[begins].low, opens))
      continue;
    hm_str last = hm_str_behind_last(w.w[w.n - 1].low, '/');
    if (note_word_in(last, "ash|bash|sh|zsh") || note_word_in(w.w[begins].low, "ssh|vagrant"))
      return true;
  }
  return false;
}

/* Is the block that begins at part `first` of commands that are run where the document lies, with
 * the files that are there? */
static bool is_run_here(const note_path_reader *r, uint32_t first) {
  static const char makes[] = "cat|cd|clone|copy|cp|docker|mkdir|mv|podman|tee|touch";
  const hm_doc_part *p = &r->doc->parts[first];
  hm_str headings = hm_doc_heading_path(r->doc, p->heading, r->a);
  if (!note_is_shell(p->language, r->a) || note_is_run_by_others(r, first) ||
      is_in_other_shell(r, first) || is_of_making(note_lead_of(r->doc, first), headings, r->a))
    return false;
  for (uint32_t i = first; i < r->doc->n && r->doc->parts[i].block == p->block; i++) {
    note_words w = note_command_words(r->doc->parts[i].text, r->a);
    for (size_t k = 0; k < w.n; k++)
      if (note_command_begins(&w, k) &&
          (note_works_away(w.w[k].low) || note_word_in(w.w[k].low, makes)))
        return false;
  }
  return true;
}

void note_moved_read_block(note_path_reader *r, uint32_t first) {
  uint32_t block = r->doc->parts[first].block;
  if (!is_run_here(r, first))
    return;
  for (uint32_t i = first; i < r->doc->n && r->doc->parts[i].block == block; i++)
    read_path(r, i, file_run_by(r->doc->parts[i].text, r->a), true);
}
