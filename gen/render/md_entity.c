#include <stdlib.h>

#include "core/base/text.h"
#include "gen/render/md_impl.h"

/* By name. A page of ours has "&amp;" in targets and no other; a template of a user's may have more. */
static const struct { const char *name; uint32_t cp; } names[] = {
  { "amp", '&' }, { "apos", '\'' }, { "gt", '>' }, { "lt", '<' }, { "nbsp", 0xA0 }, { "quot", '"' },
};

/* At most seven digits, as Markdown has it. */
static uint32_t number(hm_str digits, int base) {
  char z[8] = { 0 };
  for (size_t i = 0; i < digits.n && i < sizeof z - 1; i++) z[i] = digits.p[i];
  unsigned long cp = strtoul(z, NULL, base);
  return cp == 0 || cp > 0x10FFFF || (cp >= 0xD800 && cp < 0xE000) ? 0xFFFD : (uint32_t)cp;
}

uint32_t hm_md_entity(hm_str entity) {
  hm_str name = hm_str_sub(entity, 1, entity.n - 1);
  if (hm_str_starts(name, "#x") || hm_str_starts(name, "#X")) return number(hm_str_sub(name, 2, name.n), 16);
  if (hm_str_starts(name, "#")) return number(hm_str_sub(name, 1, name.n), 10);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hm_str_is(name, names[i].name)) return names[i].cp;
  return 0;
}

bool hm_md_attribute(const MD_ATTRIBUTE *x, hm_arena *a, hm_str *out) {
  *out = (hm_str){ x->text, x->size };
  if (!x->size || (x->substr_types[0] == MD_TEXT_NORMAL && x->substr_offsets[1] == x->size)) return true;
  hm_buf b = { 0 };
  bool known = true;
  for (size_t i = 0; known && x->substr_offsets[i] < x->size; i++) {
    hm_str part = hm_str_sub(*out, x->substr_offsets[i], x->substr_offsets[i + 1]);
    uint32_t cp = x->substr_types[i] == MD_TEXT_ENTITY ? hm_md_entity(part) : 0;
    if (x->substr_types[i] == MD_TEXT_NORMAL) hm_buf_str(&b, part);
    else if (cp) hm_text_put(&b, cp);
    else known = false;
  }
  *out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return known;
}
