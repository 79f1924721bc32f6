/* Bytes of an imported line to UTF-8. What is not of the encoding is refused, never replaced: a
 * fact whose letters were lost would be stored as if somebody had said it. */
#include <stdio.h>

#include "core/base/text.h"
#include "core/store/import_impl.h"

const char *hm_encoding_name(hm_encoding e) {
  static const char *const names[] = { "utf-8", "latin1", "windows-1252" };
  return names[e];
}

/* 0x80 to 0x9F of windows-1252; 0 where it has nothing. */
static const uint16_t WINDOWS[32] = {
  0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
  0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
  0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178,
};

static int bad_byte(const hm_import_place *p, hm_encoding e, hm_str line, size_t at) {
  const char *fix = e == HM_UTF_8
                        ? "save the file as UTF-8, or give its encoding: --encoding latin1"
                        : "check the file's encoding";
  char where[40];
  snprintf(where, sizeof where, "byte %zu", at + 1);
  hm_failf(p->err, HM_E_INPUT, "", fix, "0x%02X is not %s", (unsigned)(unsigned char)line.p[at],
           e == HM_UTF_8 ? "UTF-8" : hm_encoding_name(e));
  return hm_import_at(p, hm_str_c(where));
}

int hm_import_decode(const hm_import_place *p, hm_encoding encoding, hm_str *line, hm_buf *b) {
  hm_buf_clear(b);
  if (encoding == HM_UTF_8) {
    size_t valid = hm_text_valid_prefix(*line);
    if (valid < line->n) return bad_byte(p, encoding, *line, valid);
    if (p->number == 1 && hm_str_starts(*line, "\xEF\xBB\xBF"))
      *line = hm_str_sub(*line, 3, line->n);
    return 0;
  }
  for (size_t i = 0; i < line->n; i++) {
    uint32_t c = (unsigned char)line->p[i];
    if (encoding == HM_WINDOWS_1252 && c >= 0x80 && c < 0xA0) c = WINDOWS[c - 0x80];
    if (!c && line->p[i]) return bad_byte(p, encoding, *line, i);
    hm_text_put(b, c);
  }
  if (b->failed) return hm_import_bad_field(p, "", "larger than 2 GB", "split the record");
  *line = hm_buf_view(b);
  return 0;
}
