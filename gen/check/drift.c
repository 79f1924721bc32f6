/* Is a commit of the mirror what the store gives today, and if not, why? drift.h.
 *
 * Files are compared by git's ids of blobs: the site's bytes are hashed on all cores, those of the
 * commit are not read. Reasons come from the trailers of the newest publication. */
#include "gen/check/drift.h"

#include <stdio.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/digest.h"
#include "gen/sink/git.h"
#include "gen/check/check_impl.h"
#include "gen/site/manifest.h"

enum { PLAIN_FILE = 0100644 };

const char *hm_drift_name(hm_drift_kind k) {
  static const char *const names[] = { "changed", "missing", "extra", "mode" };
  return names[k];
}

/* --- files ------------------------------------------------------------------- */

typedef struct { const hm_site *s; char (*ids)[41]; } hashing;

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
  for (int k = 0; k < 20; k++) snprintf(&h->ids[i][2 * k], 3, "%02x", sum[k]);
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
    if (c < 0) add_file(out, s->files[i].path, HM_DRIFT_MISSING);
    else if (hm_git_path_kept(in->keep, in->n_keep, f[k].path))
      ; /* a publication leaves it as it is */
    else if (c > 0) add_file(out, f[k].path, HM_DRIFT_EXTRA);
    else if (strcmp(ids[i], f[k].id) != 0) add_file(out, f[k].path, HM_DRIFT_CHANGED);
    else if (f[k].mode != PLAIN_FILE) add_file(out, f[k].path, HM_DRIFT_MODE);
    i += c <= 0;
    k += c >= 0;
  }
}

/* --- why ------------------------------------------------------------------------ */

typedef struct { hm_drift *out; hm_arena *a; hm_str message; } search;

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

hm_str hm_check_trailer(hm_str message, const char *name) {
  hm_str found = HM_EMPTY;
  while (message.n) {
    const char *end = memchr(message.p, '\n', message.n);
    size_t n = end ? (size_t)(end - message.p) : message.n;
    hm_str line = hm_str_sub(message, 0, n);
    if (hm_str_starts(line, name)) found = hm_str_trim(hm_str_sub(line, strlen(name), n));
    message = hm_str_sub(message, n + 1, message.n);
  }
  return found;
}

static void add_reason(hm_drift *d, const char *what, hm_str then, hm_str now) {
  if (!then.n || hm_str_eq(then, now)) return;
  d->reasons[d->n_reasons++] = (hm_drift_reason){ what, then, now };
}

/* The digest that the commit's manifest has of the templates; empty when it cannot be read. */
static int templates_then(hm_git_reader *g, const char *commit, hm_arena *a, hm_str *out,
                          hm_err *err) {
  hm_str bytes;
  hm_manifest m;
  bool found;
  *out = HM_EMPTY;
  if (hm_git_blob(g, commit, HM_STR("manifest.json"), a, &bytes, &found, err) != 0) return -1;
  if (found && hm_manifest_read(bytes, NULL, NULL, a, &m)) *out = m.templates;
  return 0;
}

static int explain(hm_git_reader *g, const hm_drift_input *in, hm_arena *a, hm_drift *out,
                   hm_err *err) {
  search l = { .out = out, .a = a, .message = HM_EMPTY };
  hm_str templates;
  if (hm_git_walk(g, out->commit, on_commit, &l, err) != 0) return -1;
  out->reasons = hm_alloc_array(a, 5, sizeof *out->reasons);
  if (!out->published[0]) return 0;
  add_reason(out, "store", hm_check_trailer(l.message, "Mirror-Snapshot: "), in->snapshot);
  /* Most days nothing ends or begins, and now explains nothing. */
  if (out->n && in->now.n)
    add_reason(out, "time", hm_check_trailer(l.message, "Mirror-Now: "), in->now);
  add_reason(out, "tool", hm_check_trailer(l.message, "Mirror-Tool: "), in->tool);
  add_reason(out, "rules", hm_check_trailer(l.message, "Mirror-Rules: "), in->rules);
  if (templates_then(g, out->published, a, &templates, err) != 0) return -1;
  add_reason(out, "templates", templates, in->templates);
  return 0;
}

int hm_drift_of(hm_git_reader *g, const char *commit, const hm_drift_input *in, hm_arena *a,
                hm_drift *out, hm_err *err) {
  hm_git_file *files;
  size_t n;
  *out = (hm_drift){ 0 };
  memcpy(out->commit, commit, sizeof out->commit);
  if (hm_git_files(g, commit, a, &files, &n, err) != 0) return -1;
  hashing h = { .s = in->site, .ids = hm_alloc_array(a, in->site->n + 1, sizeof *h.ids) };
  hm_par_for(in->site->n, in->threads, hash_file, &h, NULL);
  out->files = hm_alloc_array(a, in->site->n + n + 1, sizeof *out->files);
  compare_files(in, files, n, h.ids, out);
  return explain(g, in, a, out, err);
}
