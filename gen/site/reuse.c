/* What is the same as in the last site: such a file is held, which spares its HTML, its compression
 * and its writing; and what changed since then. */
#include <stdlib.h>
#include <string.h>

#include "gen/site/site_impl.h"
#include "core/base/sort.h"

/* The file of the last site at this path, if the sink still has it, else NULL. */
static const hm_file *find_held(const hm_build *b, hm_str path) {
  const hm_last_site *was = b->opt->known;
  const hm_sink_files *sink = b->opt->present;
  if (!was || !was->n || !sink)
    return NULL;
  hm_file key = { .path = path };
  const hm_file *f = bsearch(&key, was->files, was->n, sizeof key, hm_site_file_compare);
  if (!f || sink->all)
    return f;
  const hm_sink_file *there =
      sink->n ? bsearch(&path, sink->files, sink->n, sizeof *there, hm_order_str) : NULL;
  return there && there->size == f->bytes.n ? f : NULL;
}

static void hold(const hm_file *was, hm_str path, hm_arena *keep, hm_file *out) {
  *out = *was;
  out->path = path;
  out->held = true;
  if (was->bytes.p)
    out->bytes = hm_str_dup(keep, was->bytes);
}

bool hm_reuse_file(const hm_build *b, hm_str path, const unsigned char source[16], hm_arena *keep,
                   hm_file *out) {
  const hm_file *was = find_held(b, path);
  if (!was || memcmp(was->source, source, sizeof was->source) != 0)
    return false;
  hold(was, path, keep, out);
  return true;
}

bool hm_reuse_bytes(const hm_build *b, hm_file *f, hm_arena *keep) {
  const hm_file *was = find_held(b, f->path);
  if (!was || memcmp(was->sha256, f->sha256, sizeof f->sha256) != 0)
    return false;
  unsigned char source[16];
  memcpy(source, f->source, sizeof source);
  hold(was, f->path, keep, f);
  memcpy(f->source, source, sizeof source);
  return true;
}

/* One merge of two sorted lists. */
void hm_reuse_find_changes(const hm_build *b, hm_site *s, hm_arena *a) {
  const hm_last_site *was = b->opt->known;
  for (size_t i = 0; i < s->n; i++)
    s->n_made += !s->files[i].held;
  s->changed_pages = was ? 0 : -1;
  if (!was)
    return;
  s->gone = hm_alloc_array(a, was->n + 1, sizeof *s->gone);
  for (size_t i = 0, k = 0; i < was->n || k < s->n;) {
    int c = i == was->n ? 1 : k == s->n ? -1 : hm_site_file_compare(&was->files[i], &s->files[k]);
    const hm_file *old = c <= 0 ? &was->files[i++] : NULL, *now = c >= 0 ? &s->files[k++] : NULL;
    bool same = old && now && memcmp(old->sha256, now->sha256, sizeof old->sha256) == 0;
    s->changed_pages += !same && hm_str_ends(now ? now->path : old->path, ".md");
    if (!now)
      s->gone[s->n_gone++] = hm_str_dup(a, old->path);
  }
}

/* --- the list as bytes ------------------------------------------------------------------- */

/* Before each path. */
typedef struct {
  uint64_t size;
  uint32_t path;
  unsigned char sha256[32], source[16];
} list_line;

void hm_last_site_write(const hm_last_site *k, hm_buf *b) {
  enum { PATH_USUAL = 64 }; /* a guess to grow the buffer once; a longer path is fine */
  hm_buf_room(b, k->n * (sizeof(list_line) + PATH_USUAL));
  for (size_t i = 0; i < k->n; i++) {
    const hm_file *f = &k->files[i];
    list_line line;
    memset(&line, 0, sizeof line);
    line.size = f->bytes.n;
    line.path = (uint32_t)f->path.n;
    memcpy(line.sha256, f->sha256, sizeof line.sha256);
    memcpy(line.source, f->source, sizeof line.source);
    hm_buf_add(b, &line, sizeof line);
    hm_buf_str(b, f->path);
  }
}

bool hm_last_site_read(hm_str in, hm_arena *a, hm_last_site *out) {
  size_t cap = in.n / sizeof(list_line), n = 0;
  hm_file *files = hm_alloc_array(a, cap + 1, sizeof *files);
  for (list_line line; in.n; n++) {
    if (in.n < sizeof line)
      return false;
    memcpy(&line, in.p, sizeof line);
    in = hm_str_sub(in, sizeof line, in.n);
    if (in.n < line.path)
      return false;
    files[n] =
        (hm_file){ .path = hm_str_sub(in, 0, line.path), .bytes = { NULL, (size_t)line.size } };
    memcpy(files[n].sha256, line.sha256, sizeof line.sha256);
    memcpy(files[n].source, line.source, sizeof line.source);
    in = hm_str_sub(in, line.path, in.n);
    if (n && hm_str_cmp(files[n - 1].path, files[n].path) >= 0)
      return false;
  }
  *out = (hm_last_site){ files, n };
  return true;
}
