/* First what need not be made is looked for, then the rest is made one by one, so that no core is
 * left with more than one page when the others have ended. */
#include "core/base/par.h"
#include "gen/site/site_impl.h"

static int put_piece(hm_work *w, const hm_raw_file *r, uint32_t piece, hm_hand *h, hm_buf *out,
                     hm_err *err) {
  hm_arena_reset(h->scratch);
  int rc = r->bytes(w->b.v, r, piece, h->scratch, out, err);
  if (rc == 0 && out->failed) rc = hm_fail(err, HM_E_INTERNAL, NULL, "too long", NULL);
  return rc == 0 ? 0 : hm_err_within(err, "%.*s", HM_FMT(r->path));
}

static int hand_on_raw(hm_work *w, size_t i, hm_hand *h, hm_err *err) {
  if (h->md.failed) return hm_fail(err, HM_E_INTERNAL, "page", "too long", NULL);
  return hm_hand_on(&w->b, h, w->b.pages->raws[i].path, hm_buf_view(&h->md),
                    &w->rendered[w->b.pages->n * w->forms + i], err);
}

static int render_raw(hm_work *w, size_t i, hm_hand *h, hm_err *err) {
  const hm_raw_file *r = &w->b.pages->raws[i];
  hm_buf_clear(&h->md);
  for (uint32_t k = 0; k < r->pieces; k++)
    if (put_piece(w, r, k, h, &h->md, err) != 0) return -1;
  return hand_on_raw(w, i, h, err);
}

/* Who made the last of its pieces puts them together. */
static int render_piece(hm_work *w, size_t i, uint32_t piece, hm_hand *h, hm_err *err) {
  const hm_raw_file *r = &w->b.pages->raws[i];
  hm_pieces *p = &w->pieces[i];
  if (put_piece(w, r, piece, h, &p->of[piece], err) != 0) return -1;
  if (atomic_fetch_sub(&p->missing, 1) != 1) return 0;
  hm_buf_clear(&h->md);
  for (uint32_t k = 0; k < r->pieces; k++) hm_buf_str(&h->md, hm_buf_view(&p->of[k]));
  return hand_on_raw(w, i, h, err);
}

/* Where the files of a page go. */
typedef struct { hm_file *md, *html; } slots;

static slots slots_of(const hm_work *w, size_t page) {
  hm_file *first = &w->rendered[page * w->forms];
  return (slots){ w->b.opt->markdown ? first + w->b.opt->html : NULL,
                  w->b.opt->html ? first : NULL };
}

static int render(hm_work *w, const hm_todo *t, hm_hand *h, hm_err *err) {
  if (t->at >= w->b.pages->n) return render_raw(w, t->at - w->b.pages->n, h, err);
  slots s = slots_of(w, t->at);
  return hm_render_page(&w->b, &w->b.pages->pages[t->at], h, s.md, s.html, err);
}

static void note_done(hm_work *w) {
  size_t done = atomic_fetch_add_explicit(&w->done, 1, memory_order_relaxed) + 1;
  if (w->b.opt->progress)
    w->b.opt->progress(w->b.opt->ctx, done, w->b.pages->n + w->b.pages->n_raws);
}

static int render_one(void *ctx, size_t i, int worker) {
  hm_work *w = ctx;
  hm_hand *h = &w->hands[worker];
  const hm_todo *t = &w->todo[i];
  size_t raw = t->at - w->b.pages->n;
  bool piece = t->at >= w->b.pages->n && w->pieces[raw].of;
  if (w->b.opt->proceed && !w->b.opt->proceed(w->b.opt->proceed_ctx)) return -1;
  if ((piece ? render_piece(w, raw, t->piece, h, &h->ignored) : render(w, t, h, &h->ignored)) != 0)
    return -1;
  if (t->piece == 0) note_done(w);
  return 0;
}

static int reuse_one(void *ctx, size_t i, int worker) {
  hm_work *w = ctx;
  hm_page *p = &w->b.pages->pages[i];
  slots s = slots_of(w, i);
  hm_arena_reset(w->hands[worker].scratch);
  if (hm_reuse_all(&w->b, p, &w->hands[worker], s.md, s.html)) note_done(w);
  return 0;
}

static int reuse_one_raw(void *ctx, size_t i, int worker) {
  hm_work *w = ctx;
  hm_file *out = &w->rendered[w->b.pages->n * w->forms + i];
  if (hm_reuse_raw(&w->b, &w->b.pages->raws[i], &w->hands[worker], &w->b.raw_inputs[i], out)) note_done(w);
  return 0;
}

static void todo_raw(hm_work *w, size_t i) {
  uint32_t n = w->b.pages->raws[i].pieces;
  if (n > 1) w->pieces[i].of = hm_alloc_array(w->a, n, sizeof(hm_buf));
  atomic_init(&w->pieces[i].missing, n);
  for (uint32_t k = 0; k < n; k++)
    w->todo[w->n_todo++] = (hm_todo){ (uint32_t)(w->b.pages->n + i), k };
}

/* Raw files stand first, since one of them takes longest. */
static void find_todo(hm_work *w) {
  const hm_pages *p = w->b.pages;
  bool known = w->b.known && w->b.inputs;
  size_t failed, n = p->n;
  if (known) hm_par_for(p->n, w->n_hands, reuse_one, w, &failed);
  if (w->b.inputs) hm_par_for(p->n_raws, w->n_hands, reuse_one_raw, w, &failed);
  for (size_t i = 0; i < p->n_raws; i++) n += p->raws[i].pieces;
  w->todo = hm_alloc_array(w->a, n, sizeof *w->todo);
  w->pieces = hm_alloc_array(w->a, p->n_raws, sizeof *w->pieces);
  for (size_t i = 0; i < p->n_raws; i++)
    if (!w->rendered[p->n * w->forms + i].held) todo_raw(w, i);
  for (size_t i = 0; i < p->n; i++)
    if (!known || w->b.now[i].path.n == 0) {
      w->todo[w->n_todo++] = (hm_todo){ (uint32_t)i, 0 };
      w->site->modelled++;
    }
}

static void free_pieces(hm_work *w) {
  for (size_t i = 0; i < w->b.pages->n_raws; i++)
    for (uint32_t k = 0; w->pieces[i].of && k < w->b.pages->raws[i].pieces; k++)
      hm_buf_free(&w->pieces[i].of[k]);
}

/* The first one that fails is the same on every run; it is rendered once more to hear why. */
int hm_render_all(hm_work *w, hm_err *err) {
  size_t bad = 0;
  find_todo(w);
  int rc = hm_par_for(w->n_todo, w->n_hands, render_one, w, &bad);
  free_pieces(w);
  if (rc == 0) return 0;
  if (render(w, &w->todo[bad], &w->hands[0], err) == 0)
    return hm_fail(err, HM_E_INTERNAL, "page", "it failed once and then did not", NULL);
  return -1;
}
