#include "gen/serve/chrome.h"
#include <string.h>
#include <sys/random.h>
#include "core/base/digest.h"
#include "gen/render/builtin.h"

#define FOLDER "themes/serve/"

static int load_text(const char *path, hm_str *out, hm_err *err) {
  const hm_builtin *b = hm_builtin_find(path);
  if (!b) return hm_fail(err, HM_E_INTERNAL, path, "it is not in the program", NULL);
  *out = (hm_str){ b->bytes, b->n };
  return 0;
}

static int load_templates(hm_arena *a, hm_templates **out, hm_err *err) {
  static const char suffix[] = ".mustache";
  hm_template_file *files = hm_alloc_array(a, hm_n_builtins, sizeof *files);
  size_t n = 0;
  for (size_t i = 0; i < hm_n_builtins; i++) {
    hm_str path = hm_str_c(hm_builtins[i].path);
    if (!hm_str_starts(path, FOLDER) || !hm_str_ends(path, suffix)) continue;
    files[n++] =
        (hm_template_file){ .name = hm_str_sub(path, strlen(FOLDER), path.n - strlen(suffix)),
                            .origin = path,
                            .bytes = { hm_builtins[i].bytes, hm_builtins[i].n } };
  }
  return hm_templates_compile(files, n, out, err);
}

int hm_chrome_load(hm_arena *a, hm_chrome *out, hm_err *err) {
  *out = (hm_chrome){ 0 };
  if (load_text(FOLDER "serve.css", &out->css, err) ||
      load_text(FOLDER "live.js", &out->script, err))
    return -1;
  out->script_source = hm_str_fmt(a, "'sha256-%s'", hm_digest_base64(a, out->script).p);
  return load_templates(a, &out->templates, err);
}

void hm_chrome_free(hm_chrome *c) {
  hm_templates_free(c->templates);
  *c = (hm_chrome){ 0 };
}

hm_str hm_chrome_render(const hm_chrome *c, const char *name, const hm_tv *model, hm_arena *a) {
  hm_buf b = { 0 };
  hm_err err;
  int rc = hm_template_render(c->templates, hm_str_c(name), model, a, &b, &err);
  hm_str out = rc ? HM_EMPTY : hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

hm_str hm_random_hex(hm_arena *a, size_t n) {
  unsigned char bytes[32];
  hm_buf b = { 0 };
  if (n > sizeof bytes || getrandom(bytes, n, 0) != (ssize_t)n) return HM_EMPTY;
  for (size_t i = 0; i < n; i++) hm_buf_fmt(&b, "%02x", bytes[i]);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}
