/* Along the branch. A publication is told from the publication before it, not from its parent: what
 * somebody committed between the two was never a fact, and the later one undid it. */
#include <stdlib.h>
#include <string.h>

#include "gen/history/history_impl.h"

typedef struct {
  hm_history *h;
  const hm_question *q;
  int (*each)(void *ctx, const hm_publication *p, hm_err *err);
  void *ctx;
  hm_arena *a, *kept;
  hm_git_commit *later;
  size_t n_later, cap; /* our newest that is not told yet, and those of others before it */
} walk;

static bool asks_one_thing(const hm_question *q) { return q->slot.n || q->conflict.n || q->row.n; }

static bool is_below(hm_str path, const hm_question *q) {
  return !q->one_project || hm_str_eq(hm_project_folder(path), q->folder);
}

static int tell_foreign(walk *w, const hm_git_commit *c, hm_err *err) {
  hm_git_change *all;
  size_t n, kept = 0;
  if (asks_one_thing(w->q)) return 0;
  if (hm_git_changed(w->h->g, c->parent, c->id, w->a, &all, &n, err) != 0) return -1;
  for (size_t i = 0; i < n; i++)
    if (is_below(all[i].path, w->q)) all[kept++] = all[i];
  hm_publication p = { .commit = c, .changes = all, .n_changes = kept };
  return kept ? w->each(w->ctx, &p, err) : 0;
}

static int tell_ours(walk *w, const hm_git_commit *c, const hm_git_commit *before, bool cut,
                     hm_err *err) {
  hm_difference d = { 0 };
  int rc = 0;
  if (!cut && hm_history_between(w->h, before ? before->id : "", c->id, w->q, w->a, &d, err) != 0)
    return -1;
  hm_publication p = { .commit = c, .first = !before && !cut, .cut = cut, .difference = &d };
  bool counted = p.first && w->q->first_in_brief && d.rows,
       named = d.untold && !asks_one_thing(w->q);
  if (d.events.n || counted || named || cut) rc = w->each(w->ctx, &p, err);
  hm_events_free(&d.events);
  return rc;
}

/* All that waits, now that the one before it is known (NULL: there is none). */
static int flush(walk *w, const hm_git_commit *before, bool cut, hm_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < w->n_later; i++) {
    const hm_git_commit *c = &w->later[i];
    rc = c->ours ? tell_ours(w, c, before, cut, err) : tell_foreign(w, c, err);
    hm_arena_reset(w->a);
  }
  w->n_later = 0;
  hm_arena_reset(w->kept);
  return rc;
}

static void wait(walk *w, const hm_git_commit *c) {
  if (w->n_later == w->cap) {
    w->cap = w->cap ? 2 * w->cap : 16;
    w->later = hm_xrealloc(w->later, w->cap * sizeof *w->later);
  }
  hm_git_commit *kept = &w->later[w->n_later++];
  *kept = *c;
  kept->author = hm_str_dup(w->kept, c->author);
  kept->message = hm_str_dup(w->kept, c->message);
}

static int step(void *ctx, const hm_git_commit *c, hm_err *err) {
  walk *w = ctx;
  int rc = 0;
  if (c->ours && w->n_later) rc = flush(w, c, false, err);
  wait(w, c);
  if (rc == 0 && !*c->parent) rc = flush(w, NULL, c->parents > 0, err);
  return rc;
}

int hm_history_walk(hm_history *h, const char *tip, const hm_question *q,
                    int (*each)(void *ctx, const hm_publication *p, hm_err *err), void *ctx,
                    hm_err *err) {
  walk w = {
    .h = h, .q = q, .each = each, .ctx = ctx, .a = hm_arena_new(), .kept = hm_arena_new()
  };
  int rc = hm_git_walk(h->g, tip, step, &w, err);
  free(w.later);
  hm_arena_free(w.a);
  hm_arena_free(w.kept);
  return rc;
}
