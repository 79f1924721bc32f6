/* A stream as lines in UTF-8. Memory is bounded by the longest line. */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/foreign/readers.h"

/* --- bytes ------------------------------------------------------------------- */

const char *hm_encoding_name(hm_encoding e) {
  static const char *const names[] = { "utf-8", "latin1", "windows-1252" };
  return names[e];
}

/* 0x80 to 0x9F of windows-1252; 0: not assigned. */
static const uint16_t WINDOWS[32] = {
  0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
  0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
  0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178,
};

int hm_line_decode(const hm_record_place *p, hm_encoding encoding, hm_str *line, hm_buf *b) {
  bool utf8 = encoding == HM_UTF_8;
  if (utf8 && p->number == 1 && hm_str_starts(*line, "\xEF\xBB\xBF"))
    *line = hm_str_sub(*line, 3, line->n);
  size_t good = utf8 ? hm_text_valid_prefix(*line) : 0;
  hm_buf_clear(b);
  for (uint32_t c; !utf8 && good < line->n; good++) {
    c = (unsigned char)line->p[good];
    if (encoding == HM_WINDOWS_1252 && c >= 0x80 && c < 0xA0)
      c = WINDOWS[c - 0x80];
    if (!c && line->p[good])
      break;
    hm_text_append(b, c);
  }
  if (good < line->n) {
    hm_record_place here = *p;
    char where[40] = "";
    hm_failf(p->err, HM_E_INPUT, "",
             utf8 ? "save the file as UTF-8, or give its encoding: --encoding windows-1252 (as of"
                    " Excel) or latin1"
                  : "check the file's encoding",
             "0x%02X is not %s", (unsigned)(unsigned char)line->p[good],
             utf8 ? "UTF-8" : hm_encoding_name(encoding));
    here.text = utf8 ? *line : hm_buf_view(b);
    if (p->of_table)
      snprintf(where, sizeof where, "byte %zu", good + 1);
    else if (p->err)
      p->err->at = (utf8 ? good : b->n) + 1;
    return hm_record_error(&here, hm_str_c(where));
  }
  if (b->failed)
    return hm_record_bad(p, "", "larger than 2 GB", "split the record");
  if (!utf8)
    *line = hm_buf_view(b);
  return 0;
}

/* --- lines -------------------------------------------------------------------- */

int hm_lines_next(hm_lines *l, hm_str *line) {
  bool any = false;
  hm_buf_clear(&l->line);
  l->too_long = false;
  l->number++;
  for (;;) {
    if (l->at == l->n) {
      l->at = 0;
      l->n = fread(l->chunk, 1, sizeof l->chunk, l->in);
      if (!l->n && ferror(l->in))
        return -1;
      if (!l->n)
        break;
      if (!l->n_head) {
        l->n_head = l->n < sizeof l->head ? l->n : sizeof l->head;
        memcpy(l->head, l->chunk, l->n_head);
      }
    }
    any = true;
    const char *from = l->chunk + l->at, *end = memchr(from, '\n', l->n - l->at);
    size_t n = end ? (size_t)(end - from) : l->n - l->at;
    size_t room = HM_RECORD_MAX_LINE - l->line.n;
    l->too_long |= n > room;
    hm_buf_add(&l->line, from, n < room ? n : room);
    l->at += n + (end != NULL);
    if (end || (l->too_long && !l->skips))
      break;
  }
  *line = hm_buf_view(&l->line);
  return any;
}
