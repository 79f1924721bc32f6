/* The markup that our templates write into Markdown besides anchors: boxes, folded text, times, and
 * which links are markers.
 *
 *   <!-- begin NAME -->   <!-- end NAME -->          a box; a comment, so a git host shows none
 *   <!-- begin markdown -->                          what stands in it is in no HTML
 *   <details>\n<summary>Words</summary>   </details>  folded text, as git hosts have it
 *   <time datetime="...">2 Apr 2026</time>
 *
 * All of it is matched letter by letter: a name of the list below, a summary of letters and plain
 * signs, a time of digits and its signs. Anything else is raw HTML like any other, which becomes
 * text. A fact cannot write it, since its '<' is escaped. Boxes are closed in the order in which
 * they were opened; what closes none is text. A marker's text is "⚠ disputed", a badge's "⚠ 3":
 * no fact has either (hm_link_label). */
#include <string.h>

#include "core/base/ascii.h"
#include "gen/render/md_impl.h"

static const char *const names[] = { "cards", "case", "do", "sides", "markdown" };

enum { MARKDOWN = HM_COUNT(names) - 1, DETAILS };

/* The number of "<!-- VERB NAME -->", or -1. */
static int box_of(hm_str html, const char *verb) {
  hm_str head = hm_str_c(verb);
  if (html.n < head.n + 4 || !hm_str_starts(html, verb) || !hm_str_ends(html, " -->")) return -1;
  hm_str name = hm_str_sub(html, head.n, html.n - 4);
  for (int i = 0; i < (int)HM_COUNT(names); i++)
    if (hm_str_is(name, names[i])) return i;
  return -1;
}

/* Of "<details>\n<summary>WORDS</summary>"; empty: it is something else. */
static hm_str summary_of(hm_str html) {
  static const char begin[] = "<details>\n<summary>", end[] = "</summary>";
  if (!hm_str_starts(html, begin) || !hm_str_ends(html, end) ||
      html.n < sizeof begin + sizeof end - 1)
    return HM_EMPTY;
  hm_str words = hm_str_sub(html, sizeof begin - 1, html.n - (sizeof end - 1));
  for (size_t i = 0; i < words.n; i++) {
    char c = words.p[i];
    if (!hm_is_alnum(c) && !memchr(" ,.-?:", c, 6)) return HM_EMPTY;
  }
  return words;
}

static bool open_box(hm_md_boxes *b, int box, const hm_buf *out) {
  if (b->n == HM_COUNT(b->open)) return false;
  b->at[b->n] = out->n;
  b->open[b->n++] = (unsigned char)box;
  return true;
}

void hm_md_close_box(hm_md_boxes *b, hm_buf *out) {
  int box = b->open[--b->n];
  if (box == MARKDOWN) out->n = b->at[b->n];
  else hm_buf_c(out, box == DETAILS ? "</details>\n" : "</div>\n");
}

bool hm_md_write_box(hm_md_boxes *b, hm_str html, hm_buf *out) {
  int begin = box_of(html, "<!-- begin "), end = box_of(html, "<!-- end ");
  hm_str summary = summary_of(html);
  if (hm_str_is(html, "</details>")) end = DETAILS;
  if (begin >= 0 && open_box(b, begin, out)) {
    hm_buf_fmt(out, "<div class=\"%s\">\n", names[begin]);
    return true;
  }
  if (summary.n && open_box(b, DETAILS, out)) {
    hm_buf_fmt(out, "<details>\n<summary>%.*s</summary>\n", HM_FMT(summary));
    return true;
  }
  if (end < 0 || !b->n || b->open[b->n - 1] != end) return false;
  hm_md_close_box(b, out);
  return true;
}

hm_str hm_md_parse_datetime(hm_str tag) {
  static const char begin[] = "<time datetime=\"";
  if (!hm_str_starts(tag, begin) || !hm_str_ends(tag, "\">")) return HM_EMPTY;
  hm_str at = hm_str_sub(tag, sizeof begin - 1, tag.n - 2);
  if (at.n > 30) return HM_EMPTY;
  for (size_t i = 0; i < at.n; i++)
    if (!hm_is_digit(at.p[i]) && !memchr("-:TZ+.", at.p[i], 6)) return HM_EMPTY;
  return at;
}

const char *hm_md_mark_class(hm_str text) {
  static const char sign[] = "\u26A0 ";
  if (!hm_str_starts(text, sign)) return NULL;
  hm_str rest = hm_str_sub(text, sizeof sign - 1, text.n);
  if (hm_str_is(rest, "disputed")) return "disputed";
  for (size_t i = 0; i < rest.n; i++)
    if (!hm_is_digit(rest.p[i]) && rest.p[i] != ',') return NULL;
  return rest.n ? "badge" : NULL;
}
