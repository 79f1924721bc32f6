/* Files that a command takes as they lie in the tree, and which are nowhere in it: the sample that
 * it copies, "cp .env.example .env", or what its option names, "pip install -r requirements.txt",
 * "docker compose -f compose.dev.yml up". Where the document may stand in another folder, as behind
 * "cd", it is enough that some folder has a file of that name. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

/* ".env.example", "config.sample.yml": a file that lies there to be copied. */
static bool is_sample(hm_str name, hm_arena *a) {
  return name.n && memchr(name.p, '.', name.n) &&
      note_path_has_word(name, "dist|example|sample|template", a);
}

/* "-r requirements-dev.txt", "-f compose.dev.yml", "-f Dockerfile.slim". */
static bool is_input(hm_str option, hm_str name) {
  bool yaml = hm_str_ends(name, ".yml") || hm_str_ends(name, ".yaml");
  if (note_word_in(option, "-r|--requirement"))
    return hm_str_starts(name, "requirements") && hm_str_ends(name, ".txt");
  return note_word_in(option, "-f|--file") &&
      ((yaml && hm_str_find(name, "compose") >= 0) || hm_str_starts(name, "Dockerfile"));
}

/* Begins another command at word i, or where its output goes? */
static bool is_behind(const note_words *w, size_t i) {
  return note_word_in(w->w[i].s, "&&|>") || strchr("|;", w->w[i].before) ||
      (i && hm_str_is(w->w[i - 1].s, "&&"));
}

/* The file that the command takes that begins at word i; empty: none. */
static hm_str taken_by(const note_words *w, size_t i, hm_arena *a) {
  bool copies = hm_str_is(w->w[i].low, "cp");
  for (size_t k = i + 1; k < w->n && !is_behind(w, k); k++) {
    hm_str path = w->w[k].s, name = hm_str_behind_last(path, '/');
    if (hm_char_at(path, 0, '-'))
      continue;
    if (copies)
      return is_sample(name, a) ? path : HM_EMPTY;
    if (is_input(w->w[k - 1].s, name))
      return path;
  }
  return HM_EMPTY;
}

/* Does the document itself say how the file is made: "cat > NAME", "Create `NAME`", or what stands
 * in it, below a heading with its name? */
static bool is_made_here(const hm_document *doc, hm_str name, hm_arena *a) {
  static const char *const before[] = { "> ", ">", "touch ", "tee " };
  static const char makes[] = "add|create|creates|crea|crear|cr\u00E9er|make|new|save|write";
  const char *file = hm_str_z(a, name);
  for (size_t i = 0; i < doc->n; i++) {
    const hm_doc_part *p = &doc->parts[i];
    if (hm_str_find(p->text, file) < 0)
      continue;
    if (p->kind == HM_DOC_HEADING)
      return true;
    for (size_t k = 0; p->kind == HM_DOC_CODE && k < HM_COUNT(before); k++)
      if (hm_str_find(p->text, hm_str_z(a, HM_CAT(a, hm_str_c(before[k]), name))) >= 0)
        return true;
    note_words w = note_split(p->kind == HM_DOC_CODE ? HM_EMPTY : p->text, a);
    if (note_any_word_in(&w, makes) ||
        (hm_str_starts(p->text, "cp ") && hm_str_ends(p->text, file)))
      return true;
  }
  return false;
}

/* Only of letters, digits and the signs of names of files, and nobody's own. */
static bool is_plain(hm_str path, hm_arena *a) {
  for (size_t i = 0; i < path.n; i++)
    if (!hm_is_alnum(path.p[i]) && !strchr("._-/", path.p[i])) /* also NUL */
      return false;
  return path.n && path.n <= NOTE_PATH_LENGTH && path.p[0] != '/' && hm_str_find(path, "..") < 0 &&
      !note_path_has_word(path, "foo|my|name|path|xxx|your", a);
}

/* Tells the file where no folder of the tree has one of its name, and that is there in which its
 * path begins. */
static void tell(note_path_reader *r, uint32_t part, hm_str path) {
  size_t n;
  hm_str from_top, from_here, name = hm_str_behind_last(path, '/');
  if (hm_str_starts(path, "./"))
    path = hm_str_sub(path, 2, path.n);
  if (note_path_is_full(r->out, part) || !is_plain(path, r->a) || !name.n ||
      !note_path_resolve(r, HM_EMPTY, path, &from_top) ||
      !note_path_resolve(r, r->folder, path, &from_here))
    return;
  hm_tree_files_named(r->in, name, &n);
  hm_str at = r->readme ? from_here : from_top, around = hm_tree_folder(at);
  if (!n && hm_tree_files_ask(r->in, from_top) == HM_TREE_LACKS &&
      hm_tree_files_ask(r->in, from_here) == HM_TREE_LACKS &&
      (!around.n || hm_tree_files_ask(r->in, around) == HM_TREE_HAS) &&
      !is_made_here(r->doc, name, r->a))
    note_path_add(r, part, at, at, false);
}

static void read_command(note_path_reader *r, uint32_t part, hm_str line) {
  ptrdiff_t comment = hm_str_find(line, " #");
  note_words w = note_split(hm_str_sub(line, 0, comment < 0 ? line.n : (size_t)comment), r->a);
  for (size_t i = 0; i < w.n; i++) {
    bool begins = !i || is_behind(&w, i) || note_word_in(w.w[i - 1].s, "$|sudo");
    hm_str path = begins && !hm_char_at(line, 0, '#') ? taken_by(&w, i, r->a) : HM_EMPTY;
    if (path.n)
      tell(r, part, path);
  }
}

/* "Run `cp .env.example .env`", "Copy `.env.example` to `.env`". */
static void read_spans(note_path_reader *r, uint32_t part, hm_str text, const hm_doc_span *spans,
                       uint32_t n) {
  note_words w = note_split(text, r->a);
  bool copy = w.n && note_word_in(w.w[0].low, "copy|duplicate|rename");
  if (note_any_word_in(&w, "avoid|don't|instead|never|no|not"))
    return;
  for (uint32_t i = 0; i < n; i++) {
    hm_str said = hm_str_sub(text, spans[i].from, spans[i].to);
    if (spans[i].mark != HM_DOC_SPAN_CODE || !said.n)
      continue;
    if (memchr(said.p, ' ', said.n) &&
        !(i + 1 < n && note_is_where(text, &spans[i], &spans[i + 1])))
      read_command(r, part, said);
    else if (copy && is_sample(hm_str_behind_last(said, '/'), r->a))
      tell(r, part, said);
    copy = false;
  }
}

/* Is what the document runs of another repository, of whoever reads it, or still to be written? */
static bool is_of_others(const note_path_reader *r, uint32_t part) {
  const hm_doc_part *p = &r->doc->parts[part];
  bool lead = part && p[-1].heading == p->heading && p[-1].kind != HM_DOC_CODE;
  return note_is_for_reader(r->doc, part, r->a) || hm_str_starts(p->text, "#!") ||
      note_names_repository(r->scripts, p->text, r->a) ||
      (lead &&
       (note_names_repository(r->scripts, p[-1].text, r->a) || note_is_doubtful(p[-1].text, r->a)));
}

bool note_clones_others(const note_path_reader *r) {
  hm_str folder = hm_scripts_folder(r->scripts, r->path, r->a);
  for (size_t i = 0; i < r->doc->n; i++)
    if (r->doc->parts[i].kind == HM_DOC_CODE &&
        note_clones_other(r->scripts, folder, r->doc->parts[i].text, r->a))
      return true;
  return false;
}

/* Goes the line into a folder that is not there, and is no clone of the repository? */
static bool leaves(const note_path_reader *r, hm_str line) {
  hm_str at;
  note_words w = note_split(line, r->a);
  for (size_t i = 0; i + 1 < w.n; i++)
    if (hm_str_is(w.w[i].low, "cd") && (!i || is_behind(&w, i)) &&
        !(note_path_resolve(r, HM_EMPTY, w.w[i + 1].s, &at) &&
          hm_tree_files_ask(r->in, at) == HM_TREE_HAS) &&
        !(note_path_resolve(r, r->folder, w.w[i + 1].s, &at) &&
          hm_tree_files_ask(r->in, at) == HM_TREE_HAS))
      return true;
  return false;
}

static void read_block(note_path_reader *r, uint32_t first) {
  bool cloned = false;
  uint32_t block = r->doc->parts[first].block;
  for (uint32_t i = first; i < r->doc->n && r->doc->parts[i].block == block; i++) {
    hm_str line = r->doc->parts[i].text;
    cloned |= hm_str_find(line, "clone ") >= 0;
    if (!cloned && leaves(r, line))
      return;
    read_command(r, i, line);
  }
}

void note_taken_read(note_path_reader *r, uint32_t first) {
  const hm_doc_part *p = &r->doc->parts[first];
  bool code = p->kind == HM_DOC_CODE;
  if (note_is_doubtful(p->text, r->a) || (code && !note_is_shell(p->language, r->a)) ||
      is_of_others(r, first))
    return;
  if (code)
    read_block(r, first);
  read_spans(r, first, p->text, p->spans, p->n_spans);
  for (uint32_t k = 0; k < p->n_cells; k++)
    read_spans(r, first, p->cells[k].text, p->cells[k].spans, p->cells[k].n_spans);
}
