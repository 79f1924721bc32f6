/* Versions as numbers: "14.2" is above "14.1", and is "14" said more exactly. */
#include "core/claim/version.h"

#include <string.h>

/* The next number of a version, without leading zeros; false: the text is at its end. */
static bool next_part(hm_str *s, hm_str *out) {
  size_t i = 0, n;
  if (!s->n) return false;
  for (n = 0; n < s->n && s->p[n] != '.'; n++) {}
  while (i + 1 < n && s->p[i] == '0') i++;
  *out = hm_str_sub(*s, i, n);
  *s = hm_str_sub(*s, n < s->n ? n + 1 : n, s->n);
  return true;
}

static hm_str bare(hm_str s) {
  return s.n > 1 && (s.p[0] | 0x20) == 'v' ? hm_str_sub(s, 1, s.n) : s;
}

bool hm_is_version(hm_str s) {
  s = bare(s);
  if (!s.n) return false;
  for (size_t i = 0; i < s.n; i++)
    if ((s.p[i] < '0' || s.p[i] > '9') && !(s.p[i] == '.' && i && i + 1 < s.n && s.p[i - 1] != '.'))
      return false;
  return true;
}

/* By numbers; the shorter of two that begin alike is first, and *refines is set. */
static int compare_versions(hm_str x, hm_str y, bool *refines) {
  hm_str a, b;
  *refines = false;
  for (;;) {
    bool more = next_part(&x, &a), other = next_part(&y, &b);
    if (!more || !other) {
      *refines = more || other;
      return more - other;
    }
    if (a.n != b.n) return a.n < b.n ? -1 : 1;
    int d = memcmp(a.p, b.p, a.n);
    if (d) return d;
  }
}

int hm_version_compare(hm_str x, hm_str y) {
  bool refines;
  return compare_versions(bare(x), bare(y), &refines);
}

bool hm_version_above(hm_str x, hm_str y) {
  bool refines;
  x = bare(x);
  y = bare(y);
  return hm_is_version(x) && hm_is_version(y) && compare_versions(x, y, &refines) > 0 && !refines;
}

bool hm_version_refines(hm_str x, hm_str y) {
  bool refines;
  x = bare(x);
  y = bare(y);
  return hm_is_version(x) && hm_is_version(y) && compare_versions(x, y, &refines) && refines;
}
