/* Searches the site for what publish.exclude leaves out, and published fields for live secrets.
 * check_impl.h says what counts as a leak.
 *
 * Leaks: three rounds, on all cores: collect the texts that are left out; drop those that are also
 * published; search files and paths for the rest. Cost: linear in the bytes of the site.
 *
 * Live secrets: those of the store that stand in what is published, so that nothing left out is
 * reported. */
#include <stdlib.h>
#include <string.h>
#include "core/base/par.h"
#include "core/base/text.h"
#include "gen/check/check_impl.h"
#include "gen/check/withheld.h"
#include "gen/render/builtin.h"
#include "core/markdown/escape.h"

enum { WORKERS_MAX = 64, ROWS_AT_ONCE = 512, FOUND_IN_FILE = 100, LABEL_MAX = 160 };

typedef struct {
  uint32_t secret;
  bool in_path;
  size_t at;
} found;
typedef struct {
  found *v;
  size_t n;
} file_found;

/* One thread's own. */
typedef struct {
  hm_arena *keep, *scratch;
  char *words;
  size_t cap;
  bool *published; /* by secret */
  struct work *w;
  file_found *file; /* being searched */
  bool in_path;
} worker_state;

typedef struct work {
  const hm_check_input *in;
  hm_report *r;
  hm_arena *a;
  hm_withheld secrets;
  hm_view_text *sources;
  size_t n_sources, cap_sources;
  bool *published;
  worker_state workers[WORKERS_MAX];
  int n_workers;
  file_found *files;
} work;

static hm_str words_in(worker_state *h, hm_str s, hm_words_format as) {
  size_t n;
  if (h->cap < s.n + 2) {
    h->cap = 2 * s.n + 4096;
    free(h->words);
    h->words = hm_xmalloc(h->cap);
  }
  hm_extract_words(h->words, &n, s, as, SIZE_MAX);
  return (hm_str){ h->words, n };
}

/* --- what is left out ------------------------------------------------------------- */

static void on_withheld(void *ctx, const hm_view_text *t) {
  work *w = ctx;
  w->sources =
      hm_array_grow_in(w->a, w->sources, w->n_sources, &w->cap_sources, sizeof *w->sources);
  w->r->withheld++;
  if (!hm_withheld_add(&w->secrets, t->text, (uint32_t)w->n_sources)) {
    w->r->unsearchable++;
    return;
  }
  hm_view_text *kept = &w->sources[w->n_sources++];
  *kept = *t;
  kept->text = HM_EMPTY; /* goes with the arena that it came in, and no report may have it */
  kept->field = hm_str_dup(w->a, t->field);
}

static void gather_withheld(work *w) {
  hm_arena *tmp = w->workers[0].scratch;
  size_t rows = hm_view_sweep(w->in->view)->snap->n_rows;
  for (size_t i = 0; i < rows; i++) {
    hm_arena_reset(tmp);
    hm_view_visit_row_texts(w->in->view, (uint32_t)i, true, tmp, on_withheld, w);
  }
  hm_arena_reset(tmp);
  hm_view_visit_other_texts(w->in->view, true, tmp, on_withheld, w);
  hm_withheld_seal(&w->secrets);
}

/* --- what is published -------------------------------------------------------------- */

static void is_published(void *ctx, uint32_t secret, size_t at) {
  worker_state *h = ctx;
  (void)at;
  h->published[secret] = true;
}

/* A withheld text that is found in a published one is published. */
static void subtract_text(worker_state *h, hm_str text, hm_words_format as, bool begun) {
  hm_withheld_search(&h->w->secrets, words_in(h, text, as), begun, is_published, h);
}

/* Parts of lists are named after the beginnings of names, and of a time a page may show only the
 * day. */
static bool may_be_cut(const hm_view_text *t) {
  static const char *const cut[] = { "name", "key", "id", "time" };
  for (size_t i = 0; i < HM_COUNT(cut); i++)
    if (strcmp(t->what, cut[i]) == 0)
      return true;
  return false;
}

static void on_shown(void *ctx, const hm_view_text *t) {
  worker_state *h = ctx;
  bool coded, wide, begun = may_be_cut(t);
  hm_words_detect_encoding(t->text, &coded, &wide);
  subtract_text(h, t->text, HM_WORDS_PLAIN, begun);
  if (coded)
    subtract_text(h, t->text, HM_WORDS_HTML, begun);
  if (wide)
    subtract_text(h, hm_text_fold_name(h->scratch, t->text), HM_WORDS_PLAIN, begun);
}

static int on_rows(void *ctx, size_t i, int worker) {
  work *w = ctx;
  worker_state *h = &w->workers[worker];
  size_t rows = hm_view_sweep(w->in->view)->snap->n_rows, to = (i + 1) * ROWS_AT_ONCE;
  for (size_t row = i * ROWS_AT_ONCE; row < to && row < rows; row++) {
    hm_arena_reset(h->scratch);
    hm_view_visit_row_texts(w->in->view, (uint32_t)row, false, h->scratch, on_shown, h);
  }
  return 0;
}

static void subtract_published(work *w, int threads) {
  worker_state *h = &w->workers[0];
  size_t rows = hm_view_sweep(w->in->view)->snap->n_rows;
  for (int i = 0; i < w->n_workers; i++)
    w->workers[i].published = hm_alloc_array(w->a, w->secrets.n + 1, sizeof(bool));
  hm_par_for(rows / ROWS_AT_ONCE + 1, threads, on_rows, w, NULL);
  hm_arena_reset(h->scratch);
  hm_view_visit_other_texts(w->in->view, false, h->scratch, on_shown, h);
  for (size_t i = 0; i < w->in->n_published; i++)
    subtract_text(h, w->in->published[i], HM_WORDS_PLAIN, false);
  for (size_t i = 0; i < hm_n_builtins; i++)
    subtract_text(h, (hm_str){ hm_builtins[i].bytes, hm_builtins[i].n }, HM_WORDS_PLAIN, false);
  w->published = h->published;
  for (int k = 1; k < w->n_workers; k++)
    for (size_t i = 0; i < w->secrets.n; i++)
      w->published[i] |= w->workers[k].published[i];
  /* Counts whole texts, not their blocks and forms. */
  bool *counted = hm_alloc_array(w->a, w->n_sources + 1, sizeof *counted);
  for (size_t i = 0; i < w->secrets.n; i++) {
    bool *done = &counted[w->secrets.v[i].source];
    w->r->published += w->published[i] && !*done;
    *done |= w->published[i];
  }
}

/* --- what got out -------------------------------------------------------------------- */

static void is_found(void *ctx, uint32_t secret, size_t at) {
  worker_state *h = ctx;
  file_found *f = h->file;
  const hm_withheld_text *all = h->w->secrets.v;
  if (h->w->published[secret] || f->n == FOUND_IN_FILE)
    return;
  for (size_t i = 0; i < f->n; i++)
    if (all[f->v[i].secret].source == all[secret].source)
      return;
  if (!f->n)
    f->v = hm_alloc_array(h->keep, FOUND_IN_FILE, sizeof *f->v);
  f->v[f->n++] = (found){ secret, h->in_path, at };
}

static int on_file(void *ctx, size_t i, int worker) {
  work *w = ctx;
  worker_state *h = &w->workers[worker];
  const hm_file *f = &w->in->site->files[i];
  h->file = &w->files[i];
  h->in_path = false;
  hm_withheld_search(&w->secrets, words_in(h, f->bytes, hm_words_format_of_path(f->path)), false,
                     is_found, h);
  h->in_path = true;
  hm_withheld_search(&w->secrets, words_in(h, f->path, HM_WORDS_PLAIN), false, is_found, h);
  return 0;
}

static size_t line_of(worker_state *h, const hm_file *f, const found *x) {
  size_t n, line = 1;
  if (x->in_path)
    return 0;
  words_in(h, f->bytes, HM_WORDS_PLAIN); /* room */
  size_t end = hm_extract_words(h->words, &n, f->bytes, hm_words_format_of_path(f->path), x->at);
  for (size_t i = 0; i < end; i++)
    line += f->bytes.p[i] == '\n';
  return line;
}

/* "the name of entity:e9", "property cost of entity:e1". */
static hm_str label_of(const work *w, const hm_view_text *t, hm_arena *a) {
  hm_str owner = t->owner;
  const char *kind = t->kind;
  if (t->row != UINT32_MAX) {
    const hm_row *r = &hm_view_sweep(w->in->view)->snap->rows[t->row];
    owner = r->id;
    kind = hm_layer_name(r->layer);
  }
  hm_str field = hm_shorten(a, t->field, LABEL_MAX), id = hm_shorten(a, owner, LABEL_MAX);
  return hm_str_fmt(a, "%s%s%.*s of %s:%.*s", t->what, field.n ? " " : "", HM_FMT(field), kind,
                    HM_FMT(id));
}

static void add_leak(work *w, const hm_file *f, const found *x, size_t *listed, hm_report_list *l) {
  hm_arena *a = l->a;
  const hm_withheld_text *s = &w->secrets.v[x->secret];
  hm_str label = label_of(w, &w->sources[s->source], a);
  w->r->found[HM_R_LEAK]++;
  if (listed[s->source]++ >= HM_LEAKS_ALIKE || w->r->found[HM_R_LEAK] > HM_LEAKS_LISTED)
    return;
  hm_str id =
      hm_report_make_item_id(a, (const hm_str[]){ HM_STR("leak"), f->path, label, { NULL, 0 } });
  hm_report_add(
      l,
      (hm_report_item){ .rule = HM_R_LEAK,
                        .fails = true,
                        .path = f->path,
                        .line = line_of(&w->workers[0], f, x),
                        .id = id,
                        .project = HM_EMPTY,
                        .subject = label,
                        .see = HM_EMPTY,
                        .detail = x->in_path
                            ? HM_STR("publish.exclude leaves it out, and it is in the file's name")
                            : HM_STR("publish.exclude leaves it out, and it is here") });
}

static void search_site(work *w, int threads, hm_report_list *l) {
  const hm_site *s = w->in->site;
  w->files = hm_alloc_array(w->a, s->n + 1, sizeof *w->files);
  hm_par_for(s->n, threads, on_file, w, NULL);
  size_t *listed = hm_alloc_array(w->a, w->n_sources + 1, sizeof *listed);
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; k < w->files[i].n; k++)
      add_leak(w, &s->files[i], &w->files[i].v[k], listed, l);
}

void hm_check_leaks(const hm_check_input *in, hm_report *r, hm_report_list *l) {
  if (!hm_view_withholds(in->view))
    return;
  work *w = hm_xmalloc(sizeof *w);
  *w = (work){ .in = in,
               .r = r,
               .a = hm_arena_new(),
               .n_workers = in->threads < 1    ? 1
                   : in->threads > WORKERS_MAX ? WORKERS_MAX
                                               : in->threads };
  for (int i = 0; i < w->n_workers; i++)
    w->workers[i] = (worker_state){ .keep = hm_arena_new(), .scratch = hm_arena_new(), .w = w };
  hm_withheld_init(&w->secrets, w->a);
  gather_withheld(w);
  subtract_published(w, w->n_workers);
  search_site(w, w->n_workers, l);
  for (int i = 0; i < w->n_workers; i++) {
    hm_arena_free(w->workers[i].keep);
    hm_arena_free(w->workers[i].scratch);
    free(w->workers[i].words);
  }
  hm_arena_free(w->a);
  free(w);
}

/* --- live secrets ----------------------------------------------------------------------------- */

/* May pages show this field of the row that a reference names? Of a row that the store lacks they
 * may show what others say of it. A bare id at the end of a link names a memory. */
static bool row_is_shown(const hm_view *v, hm_str ref, hm_str field, hm_arena *a) {
  uint32_t row = hm_snapshot_ref(hm_view_sweep(v)->snap, HM_MEMORY, ref);
  hm_str anchor;
  return row == HM_MAP_NONE ||
      (hm_view_find_row_page(v, row, a, &anchor).n && hm_view_field_shown(v, row, field, a));
}

static bool conflict_is_shown(const hm_view *v, hm_str id) {
  size_t n;
  const hm_conflict_rec **all = hm_view_conflicts(v, &n);
  size_t i = 0;
  while (i < n && !hm_str_eq(all[i]->id, id))
    i++;
  return i < n;
}

/* Whose text it is: all rows that it speaks of are shown, and a conflict, a project is. */
static bool is_shown(const hm_view *v, const hm_live_secret *s, hm_arena *a) {
  static const char conflict[] = "conflict:", project[] = "project:";
  hm_str one = s->about.n ? s->about : s->ref, *rows = &one, none = HM_EMPTY;
  size_t n = 1;
  hm_layer layer;
  hm_str id;
  if (hm_str_starts(s->ref, project))
    return hm_view_project_path(v, hm_str_sub(s->ref, sizeof project - 1, s->ref.n), a).n > 0;
  if (hm_str_starts(s->ref, conflict) &&
      !conflict_is_shown(v, hm_str_sub(s->ref, sizeof conflict - 1, s->ref.n)))
    return false;
  if (s->about.n && s->about.p[0] == '[')
    n = hm_json_texts(hm_json_parse_as(a, s->about, HM_JSON_ARRAY), a, &rows);
  else if (!s->about.n && !hm_ref_parse(s->ref, &layer, &id))
    n = 0; /* it speaks of no row */
  for (size_t i = 0; i < n; i++)
    if (!row_is_shown(v, rows[i], s->about.n ? none : s->field, a))
      return false;
  return true;
}

int hm_live_secrets_find(const hm_view *v, hm_store *s, hm_arena *a, hm_live_secrets *out,
                         hm_err *err) {
  size_t kept = 0;
  if (hm_store_secrets_find(s, false, a, out, err))
    return -1;
  for (size_t i = 0; i < out->n; i++)
    if (!hm_str_starts(out->v[i].ref, "verdict:") && is_shown(v, &out->v[i], a))
      out->v[kept++] = out->v[i];
  out->n = kept;
  return 0;
}
