/* What manifests of a tree state, as lines of records (core/tree/manifest.h). A state is about the
 * folder in which its file lies, below the folder that holds all manifests of the tree; one folder
 * of parts, "packages", "docs", is never that of the whole. */
#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/notes/notes_impl.h"
#include "core/tree/manifest.h"

/* The bytes of both, whole parts, that begin alike. */
static size_t common_folder(hm_str x, hm_str y) {
  size_t i = 0, whole = 0;
  for (; i <= x.n && i <= y.n; i++) {
    bool ends_x = i == x.n || x.p[i] == '/', ends_y = i == y.n || y.p[i] == '/';
    if (ends_x && ends_y)
      whole = i;
    if (i == x.n || i == y.n || x.p[i] != y.p[i])
      break;
  }
  return whole;
}

static hm_str component_of(hm_str below, hm_arena *a) {
  note_file file;
  note_file_read(&file, HM_CAT(a, below, HM_STR("/x")), note_first_folder(below), a);
  return file.component;
}

/* A manifest, and what its place says. */
typedef struct {
  const hm_tree_file *file;
  hm_str folder, component;
  bool states_nothing;
} placed;

struct hm_notes_manifests {
  const hm_tree *tree;
  placed *v;
  size_t n;
  size_t top;       /* bytes of the folder that holds all that state something */
  hm_map of_file;   /* by source: the index in v */
  hm_map languages; /* folders: the number of manifests of a language in them */
  hm_map namesakes; /* names of folders and components: the folder in v of the first that has it,
                     * or SEVERAL */
};
enum { SEVERAL = UINT32_MAX - 1 };

/* Lies it in a folder of what was, or of what others made? */
static bool is_of_past(hm_str source) {
  static const char folders[] =
      "archive|archived|Deprecated|deprecated|legacy|obsolete|old|third-party|third_party|vendor|"
      "vendored";
  for (hm_str f = hm_tree_folder(source); f.n; f = hm_tree_folder(f))
    if (note_word_in(hm_str_behind_last(f, '/'), folders))
      return true;
  return false;
}

/* Makefiles and their like say what can be run, and no more; files that tests read, those of the
 * host, ".github/actions/package.json", of the past, "legacy/package.json", and copies of other
 * repositories are about no project. */
static bool states_nothing(const hm_tree *t, const hm_tree_file *f, hm_arena *a) {
  hm_script_kind kind = hm_scripts_kind_of(f->source);
  if (hm_str_starts(f->below, ".github/") || is_of_past(f->source) ||
      note_is_test_data(f->source, a) || (kind != HM_SCRIPT_NONE && kind != HM_SCRIPT_PACKAGE))
    return true;
  hm_str folder = hm_tree_file_folder(f, a);
  const hm_tree_files *in = hm_tree_files_around(t, folder);
  return in && hm_tree_files_copied(in, folder);
}

/* Does its name say which language the folder is written in? */
static bool is_of_language(const hm_tree_file *f, hm_arena *a) {
  static const char names[] = "cargo.toml|package.json|pyproject.toml";
  return note_word_in(note_lower(hm_str_behind_last(f->below, '/'), a), names);
}

/* Has the folder a manifest of another language? Then nobody knows whose version is the project's.
 */
static bool is_one_of_several(const hm_notes_manifests *m, const placed *p, hm_arena *a) {
  uint32_t n = hm_map_get(&m->languages, p->folder);
  return n != HM_MAP_NONE && n > is_of_language(p->file, a);
}

/* The bytes of the folder of f, at most `top`, before a folder that holds parts of a project or
 * what stands beside it: the only manifest may lie there. */
static size_t before_parts(const hm_tree_file *f, hm_str folder, size_t top) {
  static const char parts[] =
      "bench|benchmark|benchmarks|bindings|clients|demo|demos|doc|docs|documentation|e2e|example|"
      "examples|extensions|infra|infrastructure|integrations|packages|plugins|sample|samples|"
      "scripts|services|site|tests|tools|website";
  hm_str below = hm_tree_folder(f->below);
  size_t from = folder.n - below.n;
  for (size_t i = from; below.n && i <= top; i++) {
    if (i < folder.n && folder.p[i] != '/')
      continue;
    if (note_word_in(hm_str_sub(folder, from, i), parts))
      return from - 1;
    from = i + 1;
  }
  return top;
}

static hm_str below_top(const hm_notes_manifests *m, hm_str folder) {
  return hm_str_sub(folder, m->top + (m->top < folder.n), folder.n);
}

static void note_name(hm_notes_manifests *m, hm_str name, uint32_t at) {
  uint32_t first = hm_map_add(&m->namesakes, name, at);
  if (first != at && first != SEVERAL && !hm_str_eq(m->v[first].folder, m->v[at].folder))
    hm_map_set(&m->namesakes, name, SEVERAL);
}

hm_notes_manifests *hm_notes_manifests_of(const hm_tree *t, hm_arena *a) {
  hm_notes_manifests *m = hm_alloc_array(a, 1, sizeof *m);
  m->tree = t;
  m->v = hm_alloc_array(a, t->n_files + 1, sizeof *m->v);
  hm_map_init(&m->of_file, a, 16);
  hm_map_init(&m->languages, a, 16);
  hm_map_init(&m->namesakes, a, 16);
  const placed *first = NULL;
  for (size_t i = 0; i < t->n_files; i++) {
    const hm_tree_file *f = &t->files[i];
    if (f->kind != HM_TREE_MANIFEST)
      continue;
    placed *p = &m->v[m->n];
    *p = (placed){ f, hm_tree_file_folder(f, a), HM_EMPTY, states_nothing(t, f, a) };
    hm_map_add(&m->of_file, f->source, (uint32_t)m->n++);
    if (is_of_language(f, a))
      hm_map_set(&m->languages, p->folder, hm_map_add(&m->languages, p->folder, 0) + 1);
    if (p->states_nothing)
      continue;
    first = first ? first : p;
    m->top =
        p == first ? p->folder.n : common_folder(hm_str_sub(first->folder, 0, m->top), p->folder);
  }
  if (first)
    m->top = before_parts(first->file, first->folder, m->top);
  for (uint32_t i = 0; i < m->n; i++) {
    placed *p = &m->v[i];
    hm_str below = first && hm_tree_lies_in(p->folder, hm_str_sub(first->folder, 0, m->top))
        ? below_top(m, p->folder)
        : HM_EMPTY;
    p->component = below.n ? component_of(below, a) : HM_EMPTY;
    if (below.n)
      note_name(m, below, i);
    if (p->component.n)
      note_name(m, p->component, i);
  }
  return m;
}

/* The words before the keys of a file's states: the component of its folder, else the folder. */
static hm_str subject_of(const hm_notes_manifests *m, const placed *p, hm_arena *a) {
  hm_str name = p->component;
  if (!name.n || hm_map_get(&m->namesakes, name) == SEVERAL)
    name = below_top(m, p->folder);
  return name.n ? HM_CAT(a, name, HM_STR(" ")) : HM_EMPTY;
}

/* before: how many states of the file have the same key: a version of a package manager that is
 * pinned, and the one that engines want. */
static void write_state(hm_buf *b, hm_str source, const hm_tree_state *s, hm_str subject,
                        size_t before, hm_arena *a) {
  hm_jw w;
  hm_str key = HM_CAT(a, subject, s->key), made_of = HM_CAT(a, source, HM_STR("\n"), key);
  if (before)
    made_of = hm_str_fmt(a, "%.*s\n%zu", HM_FMT(made_of), before + 1);
  hm_str digest = hm_str_digest_hex(a, made_of, 16);
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "kind", HM_STR("project_state"));
  hm_jw_str(&w, "id", HM_CAT(a, HM_STR("s-"), digest));
  hm_jw_str(&w, "key", key);
  hm_jw_raw(&w, "value", s->value);
  hm_jw_str(&w, "source", hm_str_fmt(a, "%.*s:%zu", HM_FMT(source), s->line));
  hm_jw_end(&w);
  hm_buf_ch(b, '\n');
}

/* The first number of a version as JSON, "\"^18.2\"". */
static hm_str major_of(hm_str value) {
  size_t from = 0;
  while (from < value.n && !hm_is_digit(value.p[from]))
    from++;
  return hm_str_sub(value, from, hm_skip_digits(value, from));
}

/* Adds the packages among v of which another manifest has another release: nobody knows of which of
 * them a document speaks. Examples are beside the point. */
static int find_other_releases(const hm_notes_manifests *m, const placed *p, const hm_tree_state *v,
                               size_t n, hm_map *several, hm_arena *a, hm_err *err) {
  static const char name[] = "package.json";
  hm_arena *work = hm_arena_new();
  hm_map own;
  int rc = 0;
  hm_map_init(&own, work, n + 1);
  hm_map_init(several, a, 16);
  for (size_t i = 0; i < n; i++)
    if (v[i].package)
      hm_map_add(&own, v[i].key, (uint32_t)i);
  for (size_t i = 0; i < m->n && own.n && !rc; i++) {
    const hm_tree_file *o = m->v[i].file;
    hm_tree_state *other = NULL;
    size_t n_other = 0, bad_line;
    if (&m->v[i] == p || !hm_str_is(hm_str_behind_last(o->below, '/'), name) ||
        m->v[i].states_nothing || note_is_pattern(o->source, work))
      continue;
    rc = hm_tree_states(m->tree, o, work, &other, &n_other, &bad_line, err);
    for (size_t k = 0; k < n_other && !rc; k++) {
      uint32_t at = other[k].package ? hm_map_get(&own, other[k].key) : HM_MAP_NONE;
      if (at != HM_MAP_NONE && !hm_str_eq(major_of(v[at].value), major_of(other[k].value)))
        hm_map_add(several, v[at].key, 0);
    }
  }
  hm_arena_free(work);
  return rc;
}

int hm_notes_manifest_lines(const hm_notes_manifests *m, const hm_tree_file *f, hm_arena *a,
                            hm_str *lines, hm_notes_told *told, hm_err *err) {
  hm_tree_state *v;
  size_t n, bad_line;
  hm_buf b = { 0 };
  *lines = HM_EMPTY;
  uint32_t at = hm_map_get(&m->of_file, f->source);
  if (at == HM_MAP_NONE || m->v[at].states_nothing)
    return 0;
  const placed *p = &m->v[at];
  if (hm_tree_states(m->tree, f, a, &v, &n, &bad_line, err))
    return -1;
  if (bad_line) {
    told->limit = "not valid JSON";
    told->limit_line = (uint32_t)bad_line;
    told->unread[HM_NOTES_LIMITS]++;
    return 0;
  }
  if (!n) {
    hm_str bytes;
    if (hm_tree_read(f, a, &bytes, err))
      return -1;
    note_config_read(f->source, f->top, bytes, a, &v, &n);
  }
  hm_str subject = subject_of(m, p, a);
  hm_map times, several;
  hm_map_init(&times, a, n);
  if (find_other_releases(m, p, v, subject.n ? 0 : n, &several, a, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    const char *program = v[i].package ? note_program_of_package(v[i].key) : "";
    if (!program || (v[i].package && hm_map_get(&several, v[i].key) != HM_MAP_NONE))
      continue; /* nobody writes of it as of a program */
    if (hm_str_is(v[i].key, "current version") && is_one_of_several(m, p, a))
      continue;
    if (v[i].package)
      v[i].key = HM_CAT(a, hm_str_c(program), HM_STR(" version"));
    uint32_t before = hm_map_add(&times, v[i].key, 0);
    hm_map_set(&times, v[i].key, before + 1);
    write_state(&b, f->source, &v[i], v[i].whole ? HM_EMPTY : subject, before, a);
  }
  *lines = hm_buf_take(&b, a);
  return 0;
}

void hm_notes_record_count_line(const hm_tree *t, const hm_decisions *records, size_t at,
                                hm_arena *a, hm_str *folder, hm_str *line) {
  size_t n;
  const hm_decision_folder *all = hm_decisions_folders(records, &n), *f = &all[at];
  hm_buf b = { 0 };
  *line = HM_EMPTY;
  *folder = f->source;
  /* Would another record there have been found? */
  if (f->n < 2 || !folder->n || !hm_tree_covers(t, HM_CAT(a, *folder, HM_STR("0000-x.md")), a))
    return;
  for (size_t i = 0; i < t->n_skips; i++)
    if (hm_str_starts(t->skips[i].source, hm_str_z(a, *folder)))
      return;
  for (size_t i = 0; i < n; i++) /* nobody knows whether those below it are counted */
    if (i != at && hm_str_starts(all[i].source, hm_str_z(a, *folder)))
      return;
  folder->n--;
  const hm_tree_state count = { .key = HM_STR("decision records"),
                                .value = hm_str_fmt(a, "\"%zu\"", f->n),
                                .line = 1 };
  hm_str subject = n > 1 ? HM_CAT(a, *folder, HM_STR(" ")) : HM_EMPTY;
  write_state(&b, *folder, &count, subject, 0, a);
  *line = hm_buf_take(&b, a);
}
