/* Files that a command takes as they lie in the tree, and which are nowhere in it: the sample that
 * it copies, "cp .env.example .env", or what its option names, "pip install -r requirements.txt",
 * "docker compose -f compose.dev.yml up". Which folder it is run in is seldom sure, so that it is
 * told only where no folder has a file of that name. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/lacks/lacks_impl.h"

/* --- the file -----------------------------------------------------------------------------------
 */

/* ".env.example", "config.sample.yml", "compose.yml.dist": a file that lies there to be copied. */
static bool is_sample(hm_str name, hm_arena *a) {
  note_words w = note_split_name(name, a);
  if (!w.n || !memchr(name.p, '.', name.n))
    return false;
  hm_str last = w.w[w.n - 1].low, before = w.n > 1 ? w.w[w.n - 2].low : HM_EMPTY;
  return note_word_in(last, "dist|example|sample|template") ||
      (note_word_in(before, "example|sample|template") && !note_word_in(last, "com|net|org"));
}

/* Does a command end before word i? */
static bool ends_before(const note_words *w, size_t i) {
  return note_word_in(w->w[i].s, "&&|>") || strchr("|;", w->w[i].before);
}

/* Does the command at word i of which word k is the option read such a file: "pip install -r
 * requirements.txt", "docker compose -f compose.dev.yml", "docker build -f Dockerfile.slim"? */
static bool reads_file(const note_words *w, size_t i, size_t k, hm_str name) {
  static const char composes[] = "container-compose|docker-compose|podman-compose";
  hm_str option = w->w[k].s, head = w->w[i].low, next = i + 1 < k ? w->w[i + 1].low : HM_EMPTY;
  bool python = note_word_in(head, "python|python3|uv");
  bool pip = note_word_in(head, "pip|pip3") || (python && note_word_in(next, "pip|-m"));
  bool docker = note_word_in(head, "docker|podman");
  bool yaml = hm_str_ends(name, ".yml") || hm_str_ends(name, ".yaml");
  if (pip)
    return note_word_in(option, "-r|--requirement") && hm_str_starts(name, "requirements") &&
        hm_str_ends(name, ".txt");
  if (!note_word_in(option, "-f|--file"))
    return false;
  bool compose = note_word_in(head, composes) || (docker && hm_str_is(next, "compose"));
  return compose
      ? yaml && hm_str_find(name, "compose") >= 0
      : docker && note_word_in(next, "build|buildx") && hm_str_starts(name, "Dockerfile.");
}

/* The file that the command takes that begins at word i; empty: none. */
static hm_str taken_by(const note_words *w, size_t i, hm_arena *a) {
  bool copies = note_word_in(w->w[i].low, "copy|cp");
  for (size_t k = i + 1; k < w->n && !ends_before(w, k); k++) {
    hm_str path = w->w[k].s, name = hm_str_behind_last(path, '/');
    bool whole = !strchr("*[{", w->w[k].before); /* "*.example" is many */
    if (hm_char_at(path, 0, '-'))
      continue;
    if (copies)
      return whole && is_sample(name, a) ? path : HM_EMPTY;
    if (whole && reads_file(w, i, k - 1, name))
      return path;
  }
  return HM_EMPTY;
}

/* Only of letters, digits and the signs of names of files, and no name that stands for one of the
 * reader's. */
static bool is_plain(hm_str path, hm_arena *a) {
  for (size_t i = 0; i < path.n; i++)
    if (!hm_is_alnum(path.p[i]) && !strchr("._-/", path.p[i])) /* also NUL */
      return false;
  return path.n && path.n <= NOTE_PATH_LENGTH && path.p[0] != '/' && hm_str_find(path, "..") < 0 &&
      !note_path_has_word(path, "foo|my|name|path|xxx|your", a);
}

/* Tells the file where no folder of the tree has one of its name, that is there in which its path
 * begins, and the document does not make it. */
static void tell(note_path_reader *r, uint32_t part, hm_str path) {
  size_t n;
  hm_str from_top, from_here, name = hm_str_behind_last(path, '/');
  if (hm_str_starts(path, "./"))
    path = hm_str_sub(path, 2, path.n);
  if (note_path_is_full(r->out, part) || !is_plain(path, r->a) || !name.n ||
      !note_path_resolve(HM_EMPTY, path, &from_top, r->a) ||
      !note_path_resolve(r->folder, path, &from_here, r->a))
    return;
  hm_tree_files_named(r->in, name, &n);
  hm_str at = r->readme ? from_here : from_top, around = hm_tree_folder(at);
  if (!n && hm_tree_files_ask(r->in, from_top) == HM_TREE_LACKS &&
      hm_tree_files_ask(r->in, from_here) == HM_TREE_LACKS &&
      (!around.n || hm_tree_files_ask(r->in, around) == HM_TREE_HAS) &&
      !note_path_is_given(r, name))
    note_path_add(r, part, at, at, false);
}

/* --- commands -----------------------------------------------------------------------------------
 */

/* Is it done on another machine, or in a folder that is not there, or with what it fetches? */
static bool is_elsewhere(const note_path_reader *r, const note_words *w, bool cloned) {
  hm_str at;
  for (size_t i = 0; i < w->n; i++) {
    hm_str next = i + 1 < w->n ? w->w[i + 1].s : HM_EMPTY;
    if (!note_command_begins(w, i))
      continue;
    if (note_works_away(w->w[i].low) || hm_str_starts(next, "create-") || hm_str_is(next, "degit"))
      return true;
    if (cloned || !hm_str_is(w->w[i].low, "cd"))
      continue;
    bool there = (note_path_resolve(HM_EMPTY, next, &at, r->a) &&
                  hm_tree_files_ask(r->in, at) == HM_TREE_HAS) ||
        (note_path_resolve(r->folder, next, &at, r->a) &&
         hm_tree_files_ask(r->in, at) == HM_TREE_HAS);
    if (!there && !note_word_in(next, "..|-|."))
      return true;
  }
  return false;
}

static void read_command(note_path_reader *r, uint32_t part, const note_words *w) {
  for (size_t i = 0; i < w->n; i++) {
    hm_str path = note_command_begins(w, i) ? taken_by(w, i, r->a) : HM_EMPTY;
    if (path.n)
      tell(r, part, path);
  }
}

/* "Run `cp .env.example .env`", "Copy `.env.example` to `.env`", and not "It runs". */
static void read_text(note_path_reader *r, uint32_t part) {
  static const char tells[] =
      "and|build|copy|duplicate|execute|first|install|next|rename|run|start|then|use";
  static const char doubts[] = "before|from|if|in|inside|when|your";
  static const char denials[] =
      "avoid|don't|gone|instead|longer|never|no|not|over|rather|would|wrong|\u274C";
  const hm_doc_part *p = &r->doc->parts[part];
  uint32_t begins = p->n_spans ? p->spans[0].from : 0;
  note_words w = note_split(p->text, r->a), lead = note_split(hm_str_sub(p->text, 0, begins), r->a);
  bool copy = lead.n && note_word_in(lead.w[0].low, "copy|duplicate|rename");
  bool told = !lead.n || note_word_in(lead.w[0].low, tells);
  if (!p->n_spans || !told || note_any_word_in(&lead, doubts) || note_any_word_in(&w, denials) ||
      note_names_repository(r->scripts, p->text, r->a))
    return;
  for (uint32_t i = 0; i < p->n_spans; i++) {
    hm_str said = hm_str_sub(p->text, p->spans[i].from, p->spans[i].to);
    if (p->spans[i].mark != HM_DOC_SPAN_CODE || !said.n)
      continue;
    note_words command = note_command_words(said, r->a);
    bool where = i + 1 < p->n_spans && note_is_where(p->text, &p->spans[i], &p->spans[i + 1]);
    if (command.n > 1 && !where && !is_elsewhere(r, &command, false))
      read_command(r, part, &command);
    else if (copy && command.n == 1 && is_sample(hm_str_behind_last(said, '/'), r->a))
      tell(r, part, said);
    copy = false;
  }
}

/* Without a language a block may be of another kind: "FROM python", "- run: x", "install:". */
static bool is_other_code(const hm_doc_part *p) {
  hm_str line = p->text;
  return !p->language.n &&
      (hm_str_starts(line, "FROM ") || hm_str_starts(line, "RUN ") || hm_char_at(line, 0, '\t') ||
       hm_str_starts(hm_str_trim(line), "- ") || hm_str_ends(line, ":"));
}

static void read_block(note_path_reader *r, uint32_t first) {
  bool cloned = false;
  uint32_t block = r->doc->parts[first].block;
  for (uint32_t i = first; i < r->doc->n && r->doc->parts[i].block == block; i++) {
    hm_str line = r->doc->parts[i].text;
    note_words w = note_command_words(line, r->a);
    cloned |= hm_str_find(line, "git clone ") >= 0;
    if (is_other_code(&r->doc->parts[i]) || is_elsewhere(r, &w, cloned))
      return;
    read_command(r, i, &w);
  }
}

/* --- a document ---------------------------------------------------------------------------------
 */

/* Says what leads in to the part that it is of whoever reads it, or is what a program prints? */
static bool is_led_elsewhere(const note_path_reader *r, uint32_t part) {
  static const char doubts[] = "output|prints|says|see|shows|your";
  const hm_doc_part *p = &r->doc->parts[part];
  hm_str lead = note_lead_of(r->doc, part);
  note_words w = note_split(lead, r->a);
  return note_is_doubtful(lead, r->a) || (p->kind == HM_DOC_CODE && note_any_word_in(&w, doubts));
}

bool note_works_elsewhere(const note_path_reader *r) {
  hm_str folder = hm_scripts_folder(r->scripts, r->path, r->a);
  for (size_t i = 0; i < r->doc->n; i++)
    if (note_clones_other(r->scripts, folder, r->doc->parts[i].text, r->a) ||
        hm_str_find(r->doc->parts[i].text, "cd ../") >= 0)
      return true;
  return false;
}

void note_taken_read(note_path_reader *r, uint32_t first) {
  const hm_doc_part *p = &r->doc->parts[first];
  bool code = p->kind == HM_DOC_CODE, text = p->kind == HM_DOC_SENTENCE || p->kind == HM_DOC_ITEM;
  if (note_is_doubtful(p->text, r->a) || note_is_run_by_others(r, first) ||
      is_led_elsewhere(r, first))
    return;
  if (code && note_is_shell(p->language, r->a))
    read_block(r, first);
  else if (text)
    read_text(r, first);
}
