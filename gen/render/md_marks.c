/* Which links are markers. A marker's text is "⚠ disputed", a badge's "⚠ 3": no fact has either
 * (hm_link_label). */
#include "gen/render/md_impl.h"

const char *hm_md_mark_class(hm_str text) {
  static const char sign[] = "\u26A0 ";
  if (!hm_str_starts(text, sign)) return NULL;
  hm_str rest = hm_str_sub(text, sizeof sign - 1, text.n);
  if (hm_str_is(rest, "disputed")) return "disputed";
  for (size_t i = 0; i < rest.n; i++)
    if ((rest.p[i] < '0' || rest.p[i] > '9') && rest.p[i] != ',') return NULL;
  return rest.n ? "badge" : NULL;
}
