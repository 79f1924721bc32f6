/* Which links are markers, and the folded parts of a page.
 *
 * A marker's text is "⚠ disputed", a badge's "⚠ 3": no fact has either (hm_link_label). A part of a
 * page folds between "<details>", with its "<summary>", and "</details>", each an HTML block of its
 * own at the top of the page: letters, digits and what stands between them in a sentence. Anything
 * else is text. Cost: linear. */
#include <string.h>

#include "gen/render/escape.h"
#include "gen/render/md_impl.h"

/* --- markers ------------------------------------------------------------------- */

static bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
      memchr(" ,.:-", c, 5);
}

const char *hm_md_mark_class(hm_str text) {
  static const char sign[] = "\u26A0 ";
  if (!hm_str_starts(text, sign)) return NULL;
  hm_str rest = hm_str_sub(text, sizeof sign - 1, text.n);
  if (hm_str_is(rest, "disputed")) return "disputed";
  for (size_t i = 0; i < rest.n; i++)
    if ((rest.p[i] < '0' || rest.p[i] > '9') && rest.p[i] != ',') return NULL;
  return rest.n ? "badge" : NULL;
}

/* --- what folds ------------------------------------------------------------------ */

bool hm_md_write_details(hm_str html, unsigned *open, hm_buf *out) {
  static const char begin[] = "<details>\n<summary>", end[] = "</summary>";
  if (hm_str_is(html, "</details>") && *open) {
    --*open;
    hm_buf_c(out, "</details>\n");
    return true;
  }
  if (!hm_str_starts(html, begin) || !hm_str_ends(html, end)) return false;
  hm_str words = hm_str_sub(html, sizeof begin - 1, html.n - (sizeof end - 1));
  for (size_t i = 0; i < words.n; i++)
    if (!is_plain(words.p[i])) return false;
  if (!words.n) return false;
  ++*open;
  hm_buf_fmt(out, "<details>\n<summary>%.*s</summary>\n", HM_FMT(words));
  return true;
}
