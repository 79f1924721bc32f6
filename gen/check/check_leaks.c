/* Searches the site for what publish.exclude leaves out, and published fields for live secrets.
 * check_impl.h says what counts as a leak.
 *
 * Leaks: three rounds, on all cores: collect the texts that are left out; drop those that are also
 * published; search files and paths for the rest. Cost: linear in the bytes of the site.
 *
 * Live secrets: searches all rows as stored, on all cores; when a row has a match, searches its
 * published texts one by one, so that nothing left out is reported. */
#include <stdlib.h>
#include <string.h>
#include "core/base/par.h"
#include "core/base/text.h"
#include "gen/check/check_impl.h"
#include "gen/check/withheld.h"
#include "gen/render/builtin.h"
#include "gen/render/escape.h"

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

typedef struct {
  const hm_view *v;
  const hm_snapshot *snap;
  bool *suspect; /* by row */
  hm_arena *a, *row_a;
  uint32_t row;
  hm_live_secret *found;
  size_t n, cap;
} search;

/* --- live secrets: rows as they are stored ---------------------------------------------------- */

static bool is_suspect(const hm_row *r, const hm_row_detail *d) {
  const hm_str texts[] = { r->text,  r->props, r->name, r->slot_rule,  r->scope,
                           r->agent, d->via,   r->tags, d->source_refs };
  hm_credential c;
  for (size_t i = 0; i < HM_COUNT(texts); i++)
    if (texts[i].n &&
        hm_credential_find(r->layer == HM_STATE && !i ? r->name : HM_EMPTY, texts[i], &c))
      return true;
  return false;
}

static int search_rows(void *ctx, size_t i, int worker) {
  search *s = ctx;
  size_t to = (i + 1) * ROWS_AT_ONCE;
  (void)worker;
  for (size_t row = i * ROWS_AT_ONCE; row < to && row < s->snap->n_rows; row++)
    s->suspect[row] = is_suspect(&s->snap->rows[row], &s->snap->details[row]);
  return 0;
}

/* --- live secrets: texts as they are published ------------------------------------------------ */

/* The field with this text, as `redact` names it; empty when it could not remove the text. */
static hm_str field_of(const hm_view_text *t, const hm_row *r) {
  static const struct {
    const char *what, *field;
  } fields[] = {
    { "content", "content" }, { "value", "value" },
    { "name", "name" },       { "key", "key" },
    { "tag", "tags" },        { "scope", "scope" },
    { "agent", "agent" },     { "via", "via" },
    { "slot", "slot_rule" },  { "description", "description" },
  };
  if (!strcmp(t->what, "property"))
    return r->layer == HM_STATE ? HM_STR("value") : t->field;
  if (!strcmp(t->what, "source"))
    return r->layer == HM_STATE ? HM_STR("source") : HM_STR("source_refs");
  for (size_t i = 0; i < HM_COUNT(fields); i++)
    if (!strcmp(t->what, fields[i].what))
      return hm_str_c(fields[i].field);
  return HM_EMPTY;
}

static void search_text(void *ctx, const hm_view_text *t) {
  search *s = ctx;
  const hm_row *r = &s->snap->rows[s->row];
  hm_str field = field_of(t, r),
         name = hm_str_is(field, "value") && r->layer == HM_STATE ? r->name : field;
  hm_credential c;
  if (!field.n || !hm_credential_find(name, t->text, &c))
    return;
  for (size_t i = s->n; i-- > 0 && s->found[i].row == s->row;)
    if (hm_str_eq(s->found[i].field, field))
      return;
  s->found = hm_array_grow_in(s->a, s->found, s->n, &s->cap, sizeof *s->found);
  s->found[s->n++] =
      (hm_live_secret){ s->row, hm_str_dup(s->a, field), hm_credential_mask(&c, s->a) };
}

size_t hm_live_secrets_find(const hm_view *v, int threads, hm_arena *a, hm_live_secret **out) {
  search s = { .v = v, .snap = hm_view_sweep(v)->snap, .a = a, .row_a = hm_arena_new() };
  s.suspect = hm_alloc_array(s.row_a, s.snap->n_rows + 1, sizeof *s.suspect);
  hm_par_for(s.snap->n_rows / ROWS_AT_ONCE + 1, threads, search_rows, &s, NULL);
  hm_arena *texts = hm_arena_new();
  for (size_t row = 0; row < s.snap->n_rows; row++) {
    if (!s.suspect[row])
      continue;
    s.row = (uint32_t)row;
    hm_arena_reset(texts);
    hm_view_visit_row_texts(v, s.row, false, texts, search_text, &s);
  }
  hm_arena_free(texts);
  hm_arena_free(s.row_a);
  *out = s.found;
  return s.n;
}

/* --- live secrets: words ---------------------------------------------------------------------- */

hm_str hm_live_secret_detail(hm_str ref, hm_str field, hm_str shown, hm_arena *a) {
  bool all = (hm_str_starts(ref, "memory:") && hm_str_is(field, "content")) ||
      (hm_str_starts(ref, "project_state:") && hm_str_is(field, "value"));
  hm_str command = hm_credential_redact_command(ref, all ? HM_EMPTY : field, a);
  return hm_str_fmt(a, "looks like a live secret (%.*s): change it where it is used, then: %.*s",
                    HM_FMT(shown), HM_FMT(command));
}

hm_str hm_live_secret_words(hm_str ref, hm_str field, hm_str shown, hm_arena *a) {
  return hm_str_fmt(a, "%.*s: %.*s: %.*s", HM_FMT(ref), HM_FMT(field),
                    HM_FMT(hm_live_secret_detail(ref, field, shown, a)));
}
