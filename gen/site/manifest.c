#include "core/base/digest.h"
#include "core/base/json.h"
#include "gen/site/site_impl.h"

static void put_hex(hm_buf *b, const unsigned char sum[32]) {
  static const char hex[] = "0123456789abcdef";
  char text[64];
  for (int i = 0; i < 32; i++) {
    text[2 * i] = hex[sum[i] >> 4];
    text[2 * i + 1] = hex[sum[i] & 15];
  }
  hm_buf_add(b, text, sizeof text);
}

static void put_number(hm_buf *b, uint64_t n) {
  char text[20];
  size_t at = sizeof text;
  do text[--at] = (char)('0' + n % 10);
  while (n /= 10);
  hm_buf_add(b, text + at, sizeof text - at);
}

static void put_member(hm_buf *b, const char *key, hm_str value) {
  hm_buf_fmt(b, "\"%s\":", key);
  hm_json_put_str(b, value);
  hm_buf_c(b, ",\n");
}

/* A line a file, so that a diff of two publications shows which changed. */
static void put_file(hm_buf *b, const hm_file *f, bool last) {
  hm_buf_c(b, "{\"path\":");
  hm_json_put_str(b, f->path);
  hm_buf_c(b, ",\"sha256\":\"");
  put_hex(b, f->sha256);
  hm_buf_c(b, "\",\"bytes\":");
  put_number(b, f->bytes.n);
  hm_buf_c(b, last ? "}\n" : "},\n");
}

hm_file hm_manifest_of(const hm_build *b, const hm_file *files, size_t n, hm_arena *a) {
  hm_buf out = { 0 };
  hm_buf_ch(&out, '{');
  put_member(&out, "tool", b->tool);
  put_member(&out, "snapshot", hm_view_sweep(b->v)->snap->digest);
  put_member(&out, "templates", hm_templates_digest(b->t));
  hm_buf_c(&out, "\"files\":[\n");
  for (size_t i = 0; i < n; i++) put_file(&out, &files[i], i + 1 == n);
  hm_buf_c(&out, "]}\n");
  hm_file f = hm_file_of(a, HM_STR("manifest.json"), hm_buf_view(&out));
  hm_buf_free(&out);
  return f;
}

hm_str hm_site_digest(const hm_file *files, size_t n, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < n; i++) {
    hm_sha256_field(&h, files[i].path);
    hm_sha256_field(&h, (hm_str){ (const char *)files[i].sha256, 32 });
  }
  return hm_sha256_hex(&h, a, 64);
}
