#include "gen/serve/base64.h"
#include <string.h>

size_t hm_base64_decode(hm_str s, char *out, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t n = 0;
  unsigned bits = 0, have = 0;
  for (size_t i = 0; i < 2 && hm_str_ends(s, "="); i++) s.n--;
  for (size_t i = 0; i < s.n; i++) {
    const char *at = s.p[i] ? strchr(digits, s.p[i]) : NULL;
    if (!at) return 0;
    bits = (bits << 6 | (unsigned)(at - digits)) & 0xffff;
    have += 6;
    if (have < 8) continue;
    if (n == size) return 0;
    have -= 8;
    out[n++] = (char)(bits >> have);
  }
  return n;
}
