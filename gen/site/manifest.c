/* Half of it are digests, and it is as long as all pages of one change together: so it is written
 * once, in its place, on all cores. */
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/par.h"
#include "gen/site/site_impl.h"

enum { CHUNK = 2048 };

static const char before_path[] = "{\"path\":\"", before_sum[] = "\",\"sha256\":\"",
                  before_size[] = "\",\"bytes\":", before_names[] = ",\"files\":";

static size_t digits_of(uint64_t n) {
  size_t digits = 1;
  for (; n >= 10; n /= 10) digits++;
  return digits;
}

/* A line a file, so that a diff of two publications shows which changed. The last one has no comma.
 */
static size_t line_size(const hm_file *f) {
  size_t names = f->names ? sizeof before_names - 1 + digits_of(f->names) : 0;
  return sizeof before_path - 1 + f->path.n + sizeof before_sum - 1 + 64 + sizeof before_size - 1 +
      digits_of(f->bytes.n) + names + sizeof "},\n" - 1;
}

static char *put(char *at, const char *p, size_t n) {
  memcpy(at, p, n);
  return at + n;
}

static char *put_hex(char *at, const unsigned char sum[32]) {
  static const char hex[] = "0123456789abcdef";
  for (int i = 0; i < 32; i++) {
    *at++ = hex[sum[i] >> 4];
    *at++ = hex[sum[i] & 15];
  }
  return at;
}

static char *put_number(char *at, uint64_t n) {
  char text[20];
  size_t from = sizeof text;
  do text[--from] = (char)('0' + n % 10);
  while (n /= 10);
  return put(at, text + from, sizeof text - from);
}

/* Nothing in a path needs an escape. */
static char *put_line(char *at, const hm_file *f) {
  at = put(at, before_path, sizeof before_path - 1);
  at = put(at, f->path.p, f->path.n);
  at = put(at, before_sum, sizeof before_sum - 1);
  at = put_hex(at, f->sha256);
  at = put(at, before_size, sizeof before_size - 1);
  at = put_number(at, f->bytes.n);
  if (f->names) at = put_number(put(at, before_names, sizeof before_names - 1), f->names);
  return put(at, "},\n", 3);
}

typedef struct {
  const hm_file *files, *skip;
  size_t n;
  char **at;
} lines; /* at: where each chunk's begin */

static size_t chunk_end(const lines *l, size_t chunk) {
  return (chunk + 1) * CHUNK < l->n ? (chunk + 1) * CHUNK : l->n;
}

static int put_chunk(void *ctx, size_t chunk, int worker) {
  const lines *l = ctx;
  char *at = l->at[chunk];
  (void)worker;
  for (size_t i = chunk * CHUNK; i < chunk_end(l, chunk); i++)
    if (&l->files[i] != l->skip) at = put_line(at, &l->files[i]);
  return 0;
}

static size_t chunk_size(const lines *l, size_t chunk) {
  size_t n = 0;
  for (size_t i = chunk * CHUNK; i < chunk_end(l, chunk); i++)
    if (&l->files[i] != l->skip) n += line_size(&l->files[i]);
  return n;
}

static void put_member(hm_buf *b, const char *key, hm_str value) {
  hm_buf_fmt(b, "\"%s\":", key);
  hm_json_put_str(b, value);
  hm_buf_c(b, ",\n");
}

static void put_list(hm_buf *b) { hm_buf_c(b, "\"files\":[\n"); }

static void put_head(const hm_build *b, hm_buf *out) {
  hm_buf_ch(out, '{');
  put_member(out, "tool", b->tool);
  put_member(out, "snapshot", hm_view_sweep(b->v)->snap->digest);
  put_member(out, "templates", hm_templates_digest(b->t));
  put_list(out);
}

static hm_str put_all(hm_str head, const hm_file *files, size_t n, const hm_file *skip, int threads,
                      hm_arena *a) {
  static const char end[] = "]}\n";
  size_t chunks = (n + CHUNK - 1) / CHUNK, failed;
  size_t *sizes = hm_alloc_array(a, chunks + 1, sizeof *sizes), size = 0;
  lines l = { files, skip, n, hm_alloc_array(a, chunks + 1, sizeof *l.at) };
  for (size_t i = 0; i < chunks; i++) size += sizes[i] = chunk_size(&l, i);
  char *p = hm_alloc(a, head.n + size + sizeof end), *at = put(p, head.p, head.n);
  for (size_t i = 0; i < chunks; at += sizes[i++]) l.at[i] = at;
  hm_par_for(chunks, threads, put_chunk, &l, &failed);
  if (size) at = put(at - 2, "\n", 1);
  at = put(at, end, sizeof end - 1);
  return (hm_str){ p, (size_t)(at - p) };
}

hm_str hm_manifest_of(const hm_build *b, const hm_file *files, size_t n, const hm_file *skip,
                      int threads, hm_arena *a) {
  hm_buf head = { 0 };
  put_head(b, &head);
  hm_str all = put_all(hm_buf_view(&head), files, n, skip, threads, a);
  hm_buf_free(&head);
  return all;
}

hm_str hm_manifest_of_folder(hm_str folder, const hm_file *files, size_t n, const hm_file *skip,
                             hm_arena *a) {
  hm_buf head = { 0 };
  hm_buf_ch(&head, '{');
  put_member(&head, "folder", folder);
  put_list(&head);
  hm_str all = put_all(hm_buf_view(&head), files, n, skip, 1, a);
  hm_buf_free(&head);
  return all;
}

hm_str hm_site_digest(const hm_file *files, size_t n, const hm_file *skip, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < n; i++) {
    if (&files[i] == skip) continue;
    hm_sha256_field(&h, files[i].path);
    hm_sha256_field(&h, (hm_str){ (const char *)files[i].sha256, 32 });
  }
  return hm_sha256_hex(&h, a, 64);
}
