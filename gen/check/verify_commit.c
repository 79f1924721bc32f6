/* Compares a commit of the mirror with the store's site of today and gives reasons for differences;
 * compares the journal with the one that the commits saw. See verify_commit.h.
 *
 * Compares files by git's ids of blobs: hashes the site's bytes on all cores, does not read the
 * commit's. Reasons come from the trailers of the newest publication. A hash covers all lines of
 * the journal up to its own. So the journal is unchanged up to the last line that a fitting commit
 * saw, and changed somewhere after it, up to the line that the first commit that does not fit
 * saw. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/par.h"
#include "gen/check/verify_commit.h"
#include "gen/sink/git.h"
#include "gen/site/manifest.h"

enum { PLAIN_FILE = 0100644 };

const char *hm_drift_name(hm_drift_kind k) {
  static const char *const names[] = { "changed", "missing", "extra", "mode" };
  return names[k];
}

/* --- files ------------------------------------------------------------------- */

typedef struct {
  const hm_site *s;
  char (*ids)[41];
} hashing;

static int hash_file(void *ctx, size_t i, int worker) {
  hashing *h = ctx;
  hm_sha1 sha;
  char head[32];
  unsigned char sum[20];
  (void)worker;
  hm_str bytes = h->s->files[i].bytes;
  int n = snprintf(head, sizeof head, "blob %zu", bytes.n);
  hm_sha1_init(&sha);
  hm_sha1_add(&sha, (hm_str){ head, (size_t)n + 1 });
  hm_sha1_add(&sha, bytes);
  hm_sha1_end(&sha, sum);
  for (int k = 0; k < 20; k++)
    snprintf(&h->ids[i][2 * k], 3, "%02x", sum[k]);
  return 0;
}

static void add_file(hm_drift *d, hm_str path, hm_drift_kind kind) {
  d->files[d->n++] = (hm_drift_file){ path, kind };
}

/* Both are sorted by path. */
static void compare_files(const hm_drift_input *in, const hm_git_file *f, size_t n, char (*ids)[41],
                          hm_drift *out) {
  const hm_site *s = in->site;
  for (size_t i = 0, k = 0; i < s->n || k < n;) {
    int c = i == s->n ? 1 : k == n ? -1 : hm_str_cmp(s->files[i].path, f[k].path);
    if (c < 0)
      add_file(out, s->files[i].path, HM_DRIFT_MISSING);
    else if (hm_git_path_kept(in->keep, in->n_keep, f[k].path))
      ; /* a publication leaves it as it is */
    else if (c > 0)
      add_file(out, f[k].path, HM_DRIFT_EXTRA);
    else if (strcmp(ids[i], f[k].id) != 0)
      add_file(out, f[k].path, HM_DRIFT_CHANGED);
    else if (f[k].mode != PLAIN_FILE)
      add_file(out, f[k].path, HM_DRIFT_MODE);
    i += c <= 0;
    k += c >= 0;
  }
}

/* --- why ------------------------------------------------------------------------ */

typedef struct {
  hm_drift *out;
  hm_arena *a;
  hm_str message;
} search;

static int on_commit(void *ctx, const hm_git_commit *c, hm_err *err) {
  search *l = ctx;
  (void)err;
  if (!c->ours) {
    l->out->by_hand++;
    return 0;
  }
  memcpy(l->out->published, c->id, sizeof l->out->published);
  l->message = hm_str_dup(l->a, c->message);
  return 1;
}

/* The text behind name ("Mirror-Tool: ") on the last line of the message that begins so; borrowed.
 */
static hm_str find_trailer(hm_str message, const char *name) {
  hm_str found = HM_EMPTY;
  while (message.n) {
    const char *end = memchr(message.p, '\n', message.n);
    size_t n = end ? (size_t)(end - message.p) : message.n;
    hm_str line = hm_str_sub(message, 0, n);
    if (hm_str_starts(line, name))
      found = hm_str_trim(hm_str_sub(line, strlen(name), n));
    message = hm_str_sub(message, n + 1, message.n);
  }
  return found;
}

static void add_reason(hm_drift *d, const char *what, hm_str then, hm_str now) {
  if (!then.n || hm_str_eq(then, now))
    return;
  d->reasons[d->n_reasons++] = (hm_drift_reason){ what, then, now };
}

/* The digest that the commit's manifest has of the templates; empty when it cannot be read. */
static int templates_then(hm_git_reader *g, const char *commit, hm_arena *a, hm_str *out,
                          hm_err *err) {
  hm_str bytes;
  hm_manifest m;
  bool found;
  *out = HM_EMPTY;
  if (hm_git_read_blob(g, commit, HM_STR("manifest.json"), a, &bytes, &found, err) != 0)
    return -1;
  if (found && hm_manifest_read(bytes, NULL, NULL, a, &m))
    *out = m.templates;
  return 0;
}

static int explain(hm_git_reader *g, const hm_drift_input *in, hm_arena *a, hm_drift *out,
                   hm_err *err) {
  search l = { .out = out, .a = a, .message = HM_EMPTY };
  hm_str templates;
  if (hm_git_walk(g, out->commit, on_commit, &l, err) != 0)
    return -1;
  out->reasons = hm_alloc_array(a, 5, sizeof *out->reasons);
  if (!out->published[0])
    return 0;
  add_reason(out, "store", find_trailer(l.message, "Mirror-Snapshot: "), in->snapshot);
  /* On most days no validity begins or ends, so a different time is no reason. */
  if (out->n && in->now.n)
    add_reason(out, "time", find_trailer(l.message, "Mirror-Now: "), in->now);
  add_reason(out, "tool", find_trailer(l.message, "Mirror-Tool: "), in->tool);
  add_reason(out, "rules", find_trailer(l.message, "Mirror-Rules: "), in->rules);
  if (templates_then(g, out->published, a, &templates, err) != 0)
    return -1;
  add_reason(out, "templates", templates, in->templates);
  return 0;
}

int hm_drift_compare(hm_git_reader *g, const char *commit, const hm_drift_input *in, hm_arena *a,
                     hm_drift *out, hm_err *err) {
  hm_git_file *files;
  size_t n;
  *out = (hm_drift){ 0 };
  memcpy(out->commit, commit, sizeof out->commit);
  if (hm_git_commit_files(g, commit, a, &files, &n, err) != 0)
    return -1;
  hashing h = { .s = in->site, .ids = hm_alloc_array(a, in->site->n + 1, sizeof *h.ids) };
  hm_par_for(in->site->n, in->threads, hash_file, &h, NULL);
  out->files = hm_alloc_array(a, in->site->n + n + 1, sizeof *out->files);
  compare_files(in, files, n, h.ids, out);
  return explain(g, in, a, out, err);
}

/* --- the journal ------------------------------------------------------------------------------ */

typedef struct {
  hm_arena *a;
  hm_seen_commit *v;
  size_t n, cap;
} walked;

/* "87 <64 hex digits>" */
static bool read_head(hm_str text, hm_arena *a, hm_seen_commit *out) {
  size_t i = 0;
  for (out->seq = 0; i < text.n && i < 18 && hm_is_digit(text.p[i]); i++)
    out->seq = 10 * out->seq + (text.p[i] - '0');
  if (!i || text.n != i + 65 || text.p[i] != ' ')
    return false;
  out->head = hm_str_dup(a, hm_str_sub(text, i + 1, text.n));
  return true;
}

static int note_commit(void *ctx, const hm_git_commit *c, hm_err *err) {
  walked *w = ctx;
  hm_seen_commit one = { .when = c->when };
  (void)err;
  if (!c->ours)
    return 0;
  hm_str store = find_trailer(c->message, "Mirror-Store: "),
         journal = find_trailer(c->message, "Mirror-Journal: ");
  if (!store.n || !read_head(journal, w->a, &one))
    return 0;
  memcpy(one.commit, c->id, sizeof one.commit);
  one.store = hm_str_dup(w->a, store);
  w->v = hm_array_grow_in(w->a, w->v, w->n, &w->cap, sizeof *w->v);
  w->v[w->n++] = one;
  return 0;
}

static void count_other(hm_seen_journal *j, const hm_seen_commit *c) {
  size_t i = 0;
  while (i < j->n_others && !hm_str_eq(j->others[i].store, c->store))
    i++;
  if (i == j->n_others) {
    j->others[j->n_others++] = (hm_other_store){ .store = c->store };
    memcpy(j->others[i].newest, c->commit, sizeof c->commit);
  }
  j->others[i].n++;
}

typedef struct {
  hm_seen_commit *commit;
  hm_journal_noted sight;
} numbered;

static int by_seq(const void *x, const void *y) {
  const int64_t a = ((const numbered *)x)->sight.seq, b = ((const numbered *)y)->sight.seq;
  return (a > b) - (a < b);
}

static int prove_seen_lines(hm_store *s, hm_seen_journal *j, hm_arena *a, hm_err *err) {
  numbered *v = hm_alloc_array(a, j->n + 1, sizeof *v);
  hm_journal_noted *sights = hm_alloc_array(a, j->n + 1, sizeof *sights);
  for (size_t i = 0; i < j->n; i++) {
    hm_seen_commit *c = &j->commits[i];
    v[i] = (numbered){ c, { .seq = c->seq, .head = c->head } };
  }
  if (j->n)
    qsort(v, j->n, sizeof *v, by_seq);
  for (size_t i = 0; i < j->n; i++)
    sights[i] = v[i].sight;
  if (hm_journal_prove(s, sights, j->n, a, &j->proof, err))
    return -1;
  for (size_t i = 0; i < j->n; i++)
    v[i].commit->seen = sights[i].seen;
  return 0;
}

static void summarize_seen(hm_seen_journal *j) {
  for (size_t i = j->n; i-- > 0;) { /* oldest first */
    const hm_seen_commit *c = &j->commits[i];
    if (c->seq > j->seen_to)
      j->seen_to = c->seq;
    j->same += c->seen == HM_SEEN_SAME;
    if (c->seen != HM_SEEN_SAME && !j->changed)
      j->changed = c;
    if (j->proof.bad && c->seq >= j->proof.bad && !j->witness)
      j->witness = c;
  }
  for (size_t i = 0; j->changed && i < j->n; i++) {
    const hm_seen_commit *c = &j->commits[i];
    if (c->seen == HM_SEEN_SAME && c->seq < j->changed->seq && c->seq > j->from)
      j->from = c->seq;
  }
  j->from++;
}

bool hm_seen_journal_is_intact(const hm_seen_journal *j) {
  return !j->changed && !j->proof.bad && !j->n_others;
}

int hm_seen_journal_compare(hm_git_reader *g, const char *commit, hm_store *s, hm_arena *a,
                            hm_seen_journal *out, hm_err *err) {
  walked w = { .a = a };
  hm_journal_head stand;
  *out = (hm_seen_journal){ 0 };
  if (hm_git_walk(g, commit, note_commit, &w, err) || hm_journal_read_head(s, a, &stand, err))
    return -1;
  out->commits = hm_alloc_array(a, w.n + 1, sizeof *out->commits);
  out->others = hm_alloc_array(a, w.n + 1, sizeof *out->others);
  for (size_t i = 0; i < w.n; i++)
    if (hm_str_eq(w.v[i].store, stand.store))
      out->commits[out->n++] = w.v[i];
    else
      count_other(out, &w.v[i]);
  if (prove_seen_lines(s, out, a, err))
    return -1;
  summarize_seen(out);
  return 0;
}
