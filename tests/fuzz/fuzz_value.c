/* Two values, split at the first newline: compatible is symmetric and reflexive, equal norms are
 * compatible. */
#include <stdlib.h>
#include <string.h>
#include "core/value/value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_value(hm_value *v, hm_str s, hm_units *u, hm_arena *a) {
  hm_json *j = NULL;
  hm_err err = {0};
  memset(v, 0, sizeof *v);
  if (s.n && s.p[0] == '[' && !hm_json_parse(a, s, &j, &err))
    hm_value_parse_json(v, j, false, NULL, u, a);
  else hm_value_parse_text(v, s, false, u, a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_arena *a = hm_arena_new();
  hm_units *u = hm_units_new();
  hm_str s = {(const char *)data, size};
  ptrdiff_t cut = hm_str_find(s, "\n");
  hm_value x, y;
  read_value(&x, hm_str_sub(s, 0, cut < 0 ? size : (size_t)cut), u, a);
  read_value(&y, cut < 0 ? s : hm_str_sub(s, (size_t)cut + 1, size), u, a);
  if (x.kind != HM_V_NONE && y.kind != HM_V_NONE) {
    bool xy = hm_values_are_compatible(&x, &y, NULL);
    if (xy != hm_values_are_compatible(&y, &x, NULL)) abort();
    if (!hm_values_are_compatible(&x, &x, NULL)) abort();
    if (hm_str_eq(x.norm, y.norm) && !xy) abort();
    hm_value_describe_difference(a, &x, &y, NULL);
  }
  hm_units_free(u);
  hm_arena_free(a);
  return 0;
}
