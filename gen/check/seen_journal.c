/* See seen_journal.h. A hash covers all lines up to its own, so the commits of a store divide its
 * journal: up to the last line of those that fit it is as it was, and the first that does not fit
 * says up to where something else stands. */
#include "gen/check/seen_journal.h"

#include <stdlib.h>
#include <string.h>

#include "gen/check/check_impl.h"

typedef struct { hm_arena *a; hm_seen_commit *v; size_t n, cap; } walked;

/* "87 <64 hex digits>" */
static bool read_head(hm_str text, hm_arena *a, hm_seen_commit *out) {
  size_t i = 0;
  for (out->seq = 0; i < text.n && i < 18 && text.p[i] >= '0' && text.p[i] <= '9'; i++)
    out->seq = 10 * out->seq + (text.p[i] - '0');
  if (!i || text.n != i + 65 || text.p[i] != ' ') return false;
  out->head = hm_str_dup(a, hm_str_sub(text, i + 1, text.n));
  return true;
}

static int note_commit(void *ctx, const hm_git_commit *c, hm_err *err) {
  walked *w = ctx;
  hm_seen_commit one = { .when = c->when };
  (void)err;
  if (!c->ours) return 0;
  hm_str store = hm_check_trailer(c->message, "Mirror-Store: "),
         journal = hm_check_trailer(c->message, "Mirror-Journal: ");
  if (!store.n || !read_head(journal, w->a, &one)) return 0;
  memcpy(one.commit, c->id, sizeof one.commit);
  one.store = hm_str_dup(w->a, store);
  w->v = hm_array_grow_in(w->a, w->v, w->n, &w->cap, sizeof *w->v);
  w->v[w->n++] = one;
  return 0;
}

static void count_other(hm_seen_journal *j, const hm_seen_commit *c) {
  size_t i = 0;
  while (i < j->n_others && !hm_str_eq(j->others[i].store, c->store)) i++;
  if (i == j->n_others) {
    j->others[j->n_others++] = (hm_other_store){ .store = c->store };
    memcpy(j->others[i].newest, c->commit, sizeof c->commit);
  }
  j->others[i].n++;
}

typedef struct { hm_seen_commit *commit; hm_journal_sight sight; } numbered;

static int by_seq(const void *x, const void *y) {
  const int64_t a = ((const numbered *)x)->sight.seq, b = ((const numbered *)y)->sight.seq;
  return (a > b) - (a < b);
}

static int prove_seen(hm_store *s, hm_seen_journal *j, hm_arena *a, hm_err *err) {
  numbered *v = hm_alloc_array(a, j->n + 1, sizeof *v);
  hm_journal_sight *sights = hm_alloc_array(a, j->n + 1, sizeof *sights);
  for (size_t i = 0; i < j->n; i++) {
    hm_seen_commit *c = &j->commits[i];
    v[i] = (numbered){ c, { .seq = c->seq, .head = c->head } };
  }
  if (j->n) qsort(v, j->n, sizeof *v, by_seq);
  for (size_t i = 0; i < j->n; i++) sights[i] = v[i].sight;
  if (hm_journal_prove(s, sights, j->n, a, &j->proof, err)) return -1;
  for (size_t i = 0; i < j->n; i++) v[i].commit->seen = sights[i].seen;
  return 0;
}

static void judge(hm_seen_journal *j) {
  for (size_t i = j->n; i-- > 0;) {   /* oldest first */
    const hm_seen_commit *c = &j->commits[i];
    if (c->seq > j->seen_to) j->seen_to = c->seq;
    j->same += c->seen == HM_SEEN_SAME;
    if (c->seen != HM_SEEN_SAME && !j->changed) j->changed = c;
    if (j->proof.bad && c->seq >= j->proof.bad && !j->witness) j->witness = c;
  }
  for (size_t i = 0; j->changed && i < j->n; i++) {
    const hm_seen_commit *c = &j->commits[i];
    if (c->seen == HM_SEEN_SAME && c->seq < j->changed->seq && c->seq > j->from) j->from = c->seq;
  }
  j->from++;
}

bool hm_seen_journal_whole(const hm_seen_journal *j) {
  return !j->changed && !j->proof.bad && !j->n_others;
}

int hm_seen_journal_of(hm_git_reader *g, const char *commit, hm_store *s, hm_arena *a,
                       hm_seen_journal *out, hm_err *err) {
  walked w = { .a = a };
  hm_journal_stand stand;
  *out = (hm_seen_journal){ 0 };
  if (hm_git_walk(g, commit, note_commit, &w, err) || hm_journal_stand_of(s, a, &stand, err))
    return -1;
  out->commits = hm_alloc_array(a, w.n + 1, sizeof *out->commits);
  out->others = hm_alloc_array(a, w.n + 1, sizeof *out->others);
  for (size_t i = 0; i < w.n; i++)
    if (hm_str_eq(w.v[i].store, stand.store)) out->commits[out->n++] = w.v[i];
    else count_other(out, &w.v[i]);
  if (prove_seen(s, out, a, err)) return -1;
  judge(out);
  return 0;
}
