/* Facts to text that cannot act where it stands. Design section 12. Pure.
 *
 * First, for every place: UTF-8 repaired, BOM (U+FEFF) removed, each run of line
 * breaks, tabs (LF, CR, TAB, VT, FF, U+0085, U+2028, U+2029) and spaces one space, trimmed
 * (U+00A0 and the other Unicode spaces too), every other hidden character
 * (hm_cp_is_hidden) shown as "⟦U+202E⟧". A fact may stand anywhere in a line of Markdown but
 * inside a code span or code block, where backslashes do not act. */
#ifndef HM_ESCAPE_H
#define HM_ESCAPE_H
#include "core/base/str.h"

typedef enum {
  HM_IN_TEXT,   /* Markdown or HTML text: paragraph, heading, list item, link text */
  HM_IN_CELL,   /* table cell */
  HM_IN_URL     /* link target or href: a path that the program made, or http(s) from a fact */
} hm_place;

/* The cleaned text as above, unescaped (what a reader sees). */
hm_str hm_clean_text(hm_arena *a, hm_str fact);
/* Markdown (GFM, for cmark-gfm, git hosts, marked, markdown-it). Writes otherwise what can act and
 * nothing else.
 * As references, which stay whole where a reader takes a backslash into a link of its own making:
 * '<' "&lt;", '>' "&gt;", '&' "&amp;" unless a space follows.
 * With a backslash: \ ` * [ ] | ~ $ everywhere; '_' unless between two ASCII letters or digits; '#'
 * at the start, after a space or '#'; '!' before '[' and at the end (a '[' of the template may
 * follow); at the very start also ':', '(', and + - = unless a letter or digit follows; '(' after
 * ']'; the mark after leading digits before a space or the end ("1. a", "1)"); ':' that begins a
 * ":name:" emoji (times like 09:00:00 begin none).
 * So that no reader finds an address: "//" is written "/\/", the dot of "www.", of a domain (before
 * two letters) and of "1.2.3.4" gets a backslash, the '@' of an e-mail address is "`@`".
 * Rule for the reader: GF-PTFE, 2026-04-02, p05_x, -5, 4.8 kg, e.g. stand as they are.
 * parse(escape(s)) has exactly the text hm_clean_text(s) in a paragraph, heading, list item, table
 * cell and link text; a reader other than ours shows that '@' as code. */
void hm_md_escape(hm_buf *b, hm_str fact);
/* In a double-quoted href: percent-encodes all but [A-Za-z0-9-._~/?#&=%:@+,;!*'], writes '&' as
 * "&amp;". A URL that is not hm_url_is_safe becomes "#". */
void hm_html_escape_url(hm_buf *b, hm_str url);
/* Between "(" and ")" of a Markdown link: the same, which Markdown undoes too, with a backslash
 * before '*', and before '_' unless between two ASCII letters or digits, which in a target mean
 * nothing, but not to every reader of Markdown. */
void hm_md_escape_url(hm_buf *b, hm_str url);
/* HTML text and quoted attribute values: & < > " ' after the cleaning above. */
void hm_html_escape(hm_buf *b, hm_str fact);
/* XML text: the same, and U+FFFE and U+FFFF, which XML does not have however they are written, as
 * U+FFFD. */
void hm_xml_escape(hm_buf *b, hm_str fact);
/* Relative path of ours ([A-Za-z0-9./_#-]+, not beginning with '/'), or http:// or https:// (lower
 * case) followed by a host; valid UTF-8, no white space, backslash or hidden character. */
bool hm_url_is_safe(hm_str url);

/* --- for text that is already clean, and URLs that are known to be safe ---------------- */

/* & < > " as entities, nothing else. */
void hm_html_escape_clean(hm_buf *b, hm_str s);
/* Percent-encodes what may not stand in a URL, and writes & as &amp;: good between the brackets of
 * a Markdown link and in a quoted attribute alike. */
void hm_url_escape_safe(hm_buf *b, hm_str url);
/* Any text as a part of a URL: percent-encodes all but ASCII letters, digits and the bytes of
 * plain. */
void hm_url_encode(hm_buf *b, hm_str s, const char *plain);
/* "http://" or "https://" and a host. */
bool hm_url_is_web(hm_str url);
#endif
