/* Lines for people. A fact may hold anything, a terminal obeys control characters: every fact in a
 * line goes through hm_show. */
#include "gen/mirror/say.h"
#include "core/base/text.h"
#include "gen/render/escape.h"

static void say(void (*hear)(void *ctx, const char *line), void *ctx, const char *fmt,
                va_list ap) {
  hm_buf b = { 0 };
  if (!hear) return;
  hm_buf_vfmt(&b, fmt, ap);
  hm_buf_ch(&b, 0);
  if (!b.failed) hear(ctx, b.p);
  hm_buf_free(&b);
}

void hm_warn(const hm_reporter *r, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say(r->warn, r->ctx, fmt, ap);
  va_end(ap);
}

void hm_say_detail(const hm_reporter *r, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say(r->detail, r->ctx, fmt, ap);
  va_end(ap);
}

void hm_say_phase(const hm_reporter *r, const char *text) {
  if (r->phase) r->phase(r->ctx, text);
}

const char *hm_show(hm_arena *a, hm_str fact, size_t max) {
  /* A long fact is cut before it is cleaned as well: what is shown decides the work. */
  hm_str s = hm_clean(a, max ? hm_text_cut(fact, 8 * max) : fact);
  if (!max || s.n <= max) return hm_str_z(a, s);
  return hm_str_fmt(a, "%.*s…", HM_FMT(hm_text_cut(s, max))).p;
}

const char *hm_thousands(hm_arena *a, uint64_t n) {
  char grouped[32], *p = grouped + sizeof grouped;
  *--p = 0;
  for (int digits = 0; !digits || n; n /= 10) {
    if (digits && digits % 3 == 0) *--p = ',';
    *--p = (char)('0' + n % 10);
    digits++;
  }
  return hm_str_dup(a, hm_str_c(p)).p;
}

const char *hm_count_words(hm_arena *a, uint64_t n, const char *one, const char *many) {
  return hm_str_fmt(a, "%s %s", hm_thousands(a, n), n == 1 ? one : many).p;
}

const char *hm_count_text(hm_arena *a, uint64_t n, const char *one) {
  return hm_str_fmt(a, "%s %s%s", hm_thousands(a, n), one, n == 1 ? "" : "s").p;
}
