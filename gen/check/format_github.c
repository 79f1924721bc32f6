#include "gen/check/format.h"

/* in_property: within "file=...,title=...". */
static void put(hm_buf *b, hm_str s, bool in_property) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    bool act = c == '%' || c == '\r' || c == '\n' || (in_property && (c == ':' || c == ','));
    if (act) hm_buf_fmt(b, "%%%02X", (unsigned)c);
    else hm_buf_ch(b, c);
  }
}

static void put_item(hm_buf *b, const hm_report_item *i, const hm_format_options *o,
                     hm_arena *tmp) {
  static const char *const commands[] = {
    [HM_NOTE] = "notice", [HM_WARNING] = "warning", [HM_ERROR] = "error"
  };
  hm_buf_fmt(b, "::%s file=", commands[i->level]);
  put(b, o->prefix, true);
  put(b, i->path, true);
  if (i->line) hm_buf_fmt(b, ",line=%zu", i->line);
  hm_buf_c(b, ",title=");
  put(b, hm_str_fmt(tmp, "%s: %.*s", hm_report_rules[i->rule].title, HM_FMT(i->subject)), true);
  hm_buf_c(b, "::");
  put(b, hm_report_message(i, tmp), false);
  if (i->see.n) {
    hm_buf_c(b, ". All sides: ");
    put(b, o->prefix, false);
    put(b, i->see, false);
  }
  hm_buf_ch(b, '\n');
}

void hm_format_github(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  for (int level = HM_ERROR; level >= HM_NOTE; level--)
    for (size_t i = 0; i < r->n; i++) {
      if ((int)r->items[i].level == level) put_item(out, &r->items[i], o, tmp);
      hm_arena_reset(tmp);
    }
  hm_arena_free(tmp);
}
