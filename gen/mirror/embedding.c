/* A model's vectors for recall.
 *
 * Sends texts in the order of the rows, AT_ONCE requests of HM_EMBED_BATCH texts at a time. Does
 * not send what publish.exclude leaves out: when it has entries, a view tells for each row whether
 * all of it is published. */
#include "gen/mirror/embedding.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/credential.h"
#include "core/base/par.h"

enum { AT_ONCE = 4, PORTION = AT_ONCE * HM_EMBED_BATCH, RETRY_SECONDS = 15, ERROR_SHOWN = 1100 };

/* --- the endpoint ------------------------------------------------------------------- */

const char *hm_embedding_why_off(const hm_mirror *m) {
  return hm_endpoint_why_off(m, &m->config.recall, "recall");
}

static hm_embed_endpoint endpoint_of(const hm_mirror *m, hm_arena *a) {
  const hm_endpoint *e = &m->config.recall;
  return (hm_embed_endpoint){ .url = hm_endpoint_url(e, "/embeddings", a),
                              .model = e->model,
                              .key = getenv(e->key_env),
                              .timeout_ms = e->timeout * 1000 };
}

static bool holds_secret(hm_str text) {
  hm_credential found;
  return hm_credential_find(HM_EMPTY, text, &found);
}

/* --- what is not sent ------------------------------------------------------------------- */

static void see_withheld(void *ctx, const hm_view_text *t) {
  (void)t;
  *(bool *)ctx = true;
}

/* Marks texts of rows that publish.exclude leaves out, wholly or in part. */
static int mark_excluded(hm_mirror *m, const hm_missing_vector *texts, size_t n, bool *withheld,
                         hm_err *err) {
  hm_sweep w;
  hm_view *view;
  if (!hm_exclude_has_entries(&m->config.exclude))
    return 0;
  if (hm_mirror_sweep(m, &(hm_sweep_options){ .details = true }, &w, err))
    return -1;
  int rc = hm_mirror_build_view(m, &w, &view, err);
  for (size_t i = 0; !rc && i < n; i++) {
    uint32_t row = hm_snapshot_ref(w.snap, HM_MEMORY, texts[i].ref);
    withheld[i] = withheld[i] || row == HM_MAP_NONE || hm_view_hidden_rows(view)[row];
    if (!withheld[i])
      hm_view_visit_row_texts(view, row, true, m->a, see_withheld, &withheld[i]);
  }
  hm_sweep_free(&w);
  return rc;
}

/* --- making vectors ----------------------------------------------------------------------- */

typedef struct {
  hm_arena *a;
  hm_embedded got;
  hm_err err;
} answer;

/* Some hundred texts and their answers. */
typedef struct {
  const hm_embed_endpoint *to;
  const hm_str *texts;
  size_t n;
  int dims;
  answer answers[AT_ONCE];
} portion;

static int ask_batch(void *ctx, size_t i, int worker) {
  portion *p = ctx;
  size_t first = i * HM_EMBED_BATCH, left = p->n - first,
         n = left < HM_EMBED_BATCH ? left : HM_EMBED_BATCH;
  answer *x = &p->answers[i];
  (void)worker;
  return hm_embed_request(p->to, p->texts + first, n, p->dims, x->a, &x->got, &x->err);
}

/* bytes: empty when the text was withheld. */
typedef struct {
  const hm_missing_vector *text;
  hm_str bytes;
} made_vector;

/* Stores no vector of a text that its row no longer has: it may have been redacted during the
 * request. */
static int store_current_vectors(hm_mirror *m, hm_store *s, const made_vector *v, size_t n,
                                 hm_arena *a, hm_err *err) {
  hm_arena *scratch = hm_arena_new();
  hm_snapshot *rows;
  int rc = hm_store_snapshot(s, a, false, &rows, err);
  for (size_t i = 0; i < n && !rc; i++) {
    hm_arena_reset(scratch);
    if (hm_missing_vector_is_current(v[i].text, rows, scratch))
      rc = hm_vectors_put(s, hm_str_c(m->config.recall.model),
                          (hm_str){ (const char *)v[i].text->digest, HM_DIGEST_BYTES }, v[i].bytes,
                          err);
  }
  hm_arena_free(scratch);
  return rc;
}

static int store_vectors(hm_mirror *m, const made_vector *v, size_t n, hm_err *err) {
  hm_store *s = NULL;
  if (!n)
    return 0;
  if (hm_mirror_open(m, HM_STORE_WRITE, &s, err))
    return -1;
  hm_arena *a = hm_arena_new();
  int rc = hm_store_begin(s, true, err);
  if (!rc)
    rc = store_current_vectors(m, s, v, n, a, err);
  if (!rc)
    rc = hm_store_commit(s, err);
  hm_arena_free(a);
  hm_store_close(s);
  return rc;
}

/* The vectors of the batches before the first that failed. texts: those that were sent. */
static size_t vectors_of_portion(const portion *p, const hm_missing_vector *const *texts,
                                 made_vector *out) {
  size_t n = 0;
  for (; n < p->n; n++) {
    const answer *x = &p->answers[n / HM_EMBED_BATCH];
    if (!x->got.v || x->err.code != HM_OK)
      break;
    const int8_t *own = x->got.v + n % HM_EMBED_BATCH * (size_t)x->got.dims;
    out[n] = (made_vector){ texts[n], { (const char *)own, (size_t)x->got.dims } };
  }
  return n;
}

/* Sends texts[0] to texts[n - 1] and stores the answers; *dims: the length of the vectors. */
static int build_portion(hm_mirror *m, const hm_embed_endpoint *to,
                         const hm_missing_vector *const *texts, size_t n, int *dims, hm_err *err) {
  hm_arena *a = hm_arena_new();
  hm_str *said = hm_alloc_array(a, n, sizeof *said);
  portion p = { .to = to, .texts = said, .n = n, .dims = *dims };
  size_t batches = (n + HM_EMBED_BATCH - 1) / HM_EMBED_BATCH, failed = 0;
  for (size_t i = 0; i < n; i++)
    said[i] = texts[i]->text;
  for (size_t i = 0; i < batches; i++)
    p.answers[i].a = hm_arena_new();
  int rc = hm_par_for(batches, AT_ONCE, ask_batch, &p, &failed);
  if (rc)
    *err = p.answers[failed].err;
  if (!*dims)
    *dims = p.answers[0].got.dims;
  hm_err unkept = { 0 };
  made_vector *made = hm_alloc_array(a, n + 1, sizeof *made);
  if (store_vectors(m, made, vectors_of_portion(&p, texts, made), &unkept) && !rc) {
    *err = unkept;
    rc = -1;
  }
  for (size_t i = 0; i < batches; i++)
    hm_arena_free(p.answers[i].a);
  hm_arena_free(a);
  return rc;
}

int hm_embedding_prune(hm_mirror *m, const hm_stale_vector *v, size_t n, hm_err *err) {
  hm_store *s = NULL;
  if (!n)
    return 0;
  if (hm_mirror_open(m, HM_STORE_WRITE, &s, err))
    return -1;
  int rc = hm_store_begin(s, true, err);
  for (size_t i = 0; i < n && !rc; i++)
    rc = hm_vectors_remove(s, v[i].model, (hm_str){ (const char *)v[i].digest, HM_DIGEST_BYTES },
                           err);
  if (!rc)
    rc = hm_store_commit(s, err);
  hm_store_close(s);
  return rc;
}

int hm_embedding_build(hm_mirror *m, const hm_missing_vector *texts, size_t n, int dims,
                       bool (*is_stopped)(void *ctx), void *ctx, hm_err *err) {
  hm_embed_endpoint to = endpoint_of(m, m->a);
  bool *withheld = hm_alloc_array(m->a, n + 1, sizeof *withheld);
  made_vector *none = hm_alloc_array(m->a, n + 1, sizeof *none);
  size_t n_none = 0;
  const hm_missing_vector **send = hm_alloc_array(m->a, n + 1, sizeof *send);
  size_t n_send = 0;
  if (!n)
    return 0;
  to.is_stopped = is_stopped;
  to.ctx = ctx;
  for (size_t i = 0; i < n; i++)
    withheld[i] = !hm_str_trim(texts[i].text).n || holds_secret(texts[i].text);
  if (mark_excluded(m, texts, n, withheld, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    if (withheld[i])
      none[n_none++] = (made_vector){ &texts[i], HM_EMPTY };
    else
      send[n_send++] = &texts[i];
  }
  if (store_vectors(m, none, n_none, err))
    return -1;
  /* The first batch is sent alone: it gives the length of a new model's vectors. */
  for (size_t at = 0, most; at < n_send; at += most) {
    most = dims ? PORTION : HM_EMBED_BATCH;
    if (most > n_send - at)
      most = n_send - at;
    if (build_portion(m, &to, send + at, most, &dims, err))
      return -1;
  }
  return 0;
}

/* --- what there is ------------------------------------------------------------------------- */

void hm_embedding_json(hm_jw *w, const char *off, const char *model, const hm_vector_model *kept,
                       size_t n) {
  hm_jw_obj(w, "vectors");
  hm_jw_bool(w, "on", !off);
  hm_jw_str_or_null(w, "why", hm_str_c(off));
  hm_jw_str_or_null(w, "model", off ? HM_EMPTY : hm_str_c(model));
  hm_jw_arr(w, "kept");
  for (size_t i = 0; i < n; i++) {
    const hm_vector_model *v = &kept[i];
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "model", v->model);
    hm_jw_int(w, "texts", v->texts);
    hm_jw_int(w, "withheld", v->withheld);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_end(w);
}

/* --- a question ----------------------------------------------------------------------------- */

hm_str hm_embedding_format_other_models(hm_store *s, hm_str but, hm_arena *a) {
  hm_vector_model *v;
  hm_buf b = { 0 };
  size_t n;
  if (hm_vectors_models(s, a, &v, &n, NULL))
    n = 0;
  for (size_t i = 0; i < n; i++)
    if (!hm_str_eq(v[i].model, but))
      hm_buf_fmt(&b, "%s%s of %.*s", b.n ? ", " : "; the store has ",
                 hm_format_count_plural(a, (uint64_t)v[i].texts, "vector", "vectors"),
                 HM_FMT(v[i].model));
  return hm_buf_take(&b, a);
}

static hm_str note_of(const char *why, hm_str others, hm_arena *a) {
  return HM_CAT(a, HM_STR("answered by the built-in vectors: "), hm_str_c(why), others);
}

hm_str hm_embedding_off_note(const char *off, bool named, hm_store *s, hm_arena *a) {
  hm_str others = hm_embedding_format_other_models(s, HM_EMPTY, a);
  return named || others.n ? note_of(off, others, a) : HM_EMPTY;
}

static hm_str error_note(const hm_err *err, hm_arena *a) {
  char line[ERROR_SHOWN];
  hm_err_format_line(err, line, sizeof line);
  return note_of(line, HM_EMPTY, a);
}

/* The vector of the question. */
static int ask_question(const hm_embed_endpoint *to, const hm_embed_vectors *rows, hm_str query,
                        hm_arena *a, hm_recall_model *out, hm_err *err) {
  hm_embedded got;
  if (holds_secret(query))
    return hm_fail(err, HM_E_INPUT, "the question", "holds a live secret, and is not sent", NULL);
  if (hm_embed_request(to, &query, 1, rows->dims, a, &got, err))
    return -1;
  *out = (hm_recall_model){ hm_str_dup(a, hm_str_c(to->model)), rows->rows, got.v };
  return 0;
}

bool hm_embedding_embed_question(hm_mirror *m, hm_store *s, const hm_embed_vectors *rows,
                                 hm_str query, hm_recall_model *out, hm_str *note) {
  const char *off = hm_embedding_why_off(m);
  hm_err err = { 0 };
  *note = HM_EMPTY;
  if (off) {
    *note = hm_embedding_off_note(off, m->config.recall.url, s, m->a);
    return false;
  }
  if (!rows->rows) {
    if (rows->n_missing)
      *note = note_of("some rows have no vector of the model", HM_EMPTY, m->a);
    return false;
  }
  const hm_embed_endpoint to = endpoint_of(m, m->a);
  if (!ask_question(&to, rows, query, m->a, out, &err))
    return true;
  *note = error_note(&err, m->a);
  return false;
}

/* --- for a server ----------------------------------------------------------------------------- */

struct hm_embedding {
  hm_mirror mirror; /* a copy; the thread has an arena of its own for each order */
  hm_arena *order_a;
  hm_missing_vector *texts;
  size_t n;
  hm_stale_vector *stale;
  size_t n_stale;
  int dims;
  pthread_t thread;
  bool started; /* there is a thread to wait for */
  atomic_bool busy, stopped;
  pthread_mutex_t lock; /* of the two below */
  hm_err failed;        /* what went wrong last; code HM_OK: nothing */
  time_t quiet_until;   /* no request before that; of the monotonic clock */
};

static bool is_stopped(void *ctx) { return atomic_load(&((hm_embedding *)ctx)->stopped); }

static time_t seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

static void set_failed(hm_embedding *e, const hm_err *err) {
  pthread_mutex_lock(&e->lock);
  e->failed = *err;
  e->quiet_until = seconds_now() + RETRY_SECONDS;
  pthread_mutex_unlock(&e->lock);
}

/* True while no request is made after a failure; *err: that failure. */
static bool is_quiet(hm_embedding *e, hm_err *err) {
  pthread_mutex_lock(&e->lock);
  bool quiet = e->failed.code != HM_OK && seconds_now() < e->quiet_until;
  if (quiet)
    *err = e->failed;
  pthread_mutex_unlock(&e->lock);
  return quiet;
}

hm_embedding *hm_embedding_start(const hm_mirror *m) {
  if (hm_embedding_why_off(m))
    return NULL;
  hm_embedding *e = hm_alloc(m->a, sizeof *e);
  e->mirror = hm_mirror_copy_for_background(m);
  e->order_a = hm_arena_new();
  pthread_mutex_init(&e->lock, NULL);
  return e;
}

static void *carry_out(void *ctx) {
  hm_embedding *e = ctx;
  hm_mirror m = e->mirror;
  hm_err err = { 0 };
  m.a = hm_arena_new();
  if (!hm_trust_still_holds(&m.trust)) {
    hm_arena_free(m.a);
    atomic_store(&e->busy, false);
    return NULL;
  }
  hm_embedding_prune(&m, e->stale, e->n_stale, &err); /* else the next order does */
  err = (hm_err){ 0 };
  if (hm_embedding_build(&m, e->texts, e->n, e->dims, is_stopped, e, &err))
    set_failed(e, &err);
  hm_arena_free(m.a);
  atomic_store(&e->busy, false);
  return NULL;
}

/* Orders what is missing, and that what is stale goes, unless an order is under way; texts are
 * copied. */
static void embedding_order(hm_embedding *e, const hm_embed_vectors *rows) {
  hm_err unheard;
  if (atomic_load(&e->busy) || is_quiet(e, &unheard))
    return;
  if (e->started)
    pthread_join(e->thread, NULL);
  hm_arena_reset(e->order_a);
  e->n = rows->n_missing;
  e->dims = rows->dims;
  e->texts = hm_alloc_array(e->order_a, e->n + 1, sizeof *e->texts);
  for (size_t i = 0; i < e->n; i++) {
    e->texts[i] = rows->missing[i];
    e->texts[i].ref = hm_str_dup(e->order_a, rows->missing[i].ref);
    e->texts[i].text = hm_str_dup(e->order_a, rows->missing[i].text);
  }
  e->n_stale = rows->n_stale;
  e->stale = hm_alloc_array(e->order_a, e->n_stale + 1, sizeof *e->stale);
  for (size_t i = 0; i < e->n_stale; i++) {
    e->stale[i] = rows->stale[i];
    e->stale[i].model = hm_str_dup(e->order_a, rows->stale[i].model);
  }
  atomic_store(&e->busy, true);
  e->started = !pthread_create(&e->thread, NULL, carry_out, e);
  if (!e->started)
    atomic_store(&e->busy, false);
}

bool hm_embedding_ask_model(hm_embedding *e, hm_store *s, const hm_embed_vectors *rows,
                            hm_str query, hm_arena *a, hm_recall_model *out, hm_str *note) {
  hm_err err = { 0 };
  *note = HM_EMPTY;
  if (!hm_trust_still_holds(&e->mirror.trust)) {
    *note =
        note_of("recall.url is not what was trusted any more: see 'hmirror trust'", HM_EMPTY, a);
    return false;
  }
  if (is_quiet(e, &err)) {
    *note = error_note(&err, a);
    return false;
  }
  if (rows->n_missing) {
    hm_str why = hm_str_fmt(a, "those of %s are being made, %s to go", hm_embedding_model(e),
                            hm_format_count_plural(a, rows->n_missing, "text", "texts"));
    embedding_order(e, rows);
    *note =
        note_of(why.p, hm_embedding_format_other_models(s, hm_str_c(hm_embedding_model(e)), a), a);
    return false;
  }
  if (rows->n_stale)
    embedding_order(e, rows);
  if (!rows->rows)
    return false;
  hm_embed_endpoint to = endpoint_of(&e->mirror, a);
  to.is_stopped = is_stopped;
  to.ctx = e;
  if (!ask_question(&to, rows, query, a, out, &err))
    return true;
  if (err.code != HM_E_INPUT)
    set_failed(e, &err);
  *note = error_note(&err, a);
  return false;
}

const char *hm_embedding_model(const hm_embedding *e) { return e->mirror.config.recall.model; }

void hm_embedding_stop(hm_embedding *e) {
  if (!e)
    return;
  atomic_store(&e->stopped, true);
  if (e->started)
    pthread_join(e->thread, NULL);
  pthread_mutex_destroy(&e->lock);
  hm_arena_free(e->order_a);
}
