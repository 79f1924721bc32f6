/* Escapes facts so that no byte of them acts as markup. Design section 12. Pure.
 *
 * First, for every place: UTF-8 is repaired, BOMs (U+FEFF) are removed, each run of line breaks,
 * tabs (LF, CR, TAB, VT, FF, U+0085, U+2028, U+2029) and spaces becomes one space, both ends are
 * trimmed (also of U+00A0 and the other Unicode spaces), and every other hidden character
 * (hm_cp_is_hidden) is shown as "⟦U+202E⟧". The sign of the marker, "⚠", is the program's own:
 * where a fact is escaped it becomes "⟦!⟧". A fact may stand anywhere in a line of Markdown except
 * in a code span or code block, where backslashes do not escape. */
#ifndef HM_ESCAPE_H
#define HM_ESCAPE_H
#include "core/base/str.h"

typedef enum {
  HM_IN_TEXT, /* Markdown or HTML text: paragraph, heading, list item, link text */
  HM_IN_CELL, /* table cell */
  HM_IN_URL   /* link target or href: a path that the program made, or http(s) from a fact */
} hm_place;

/* The fact cleaned as above, not escaped, with its "⚠". */
hm_str hm_clean_text(hm_arena *a, hm_str fact);
/* Escapes for Markdown (GFM: cmark-gfm, git hosts, marked, markdown-it). Only characters that could
 * act as markup change.
 * As references, because a parser that makes a bare address a link would swallow a backslash:
 * '<' "&lt;", '>' "&gt;", '&' "&amp;" unless a space follows.
 * With a backslash: \ ` * [ ] | ~ $ everywhere; '_' unless between two ASCII letters or digits; '#'
 * at the start, after a space or '#'; '!' before '[' and at the end (a '[' of the template may
 * follow); at the very start also ':', '(', and + - = unless a letter or digit follows; '(' after
 * ']'; the mark after leading digits before a space or the end ("1. a", "1)"); ':' that begins a
 * ":name:" emoji (times like 09:00:00 begin none).
 * So that no parser finds an address: "//" is written "/\/", the dot of "www.", of a domain (before
 * two letters) and of "1.2.3.4" gets a backslash, the '@' of an e-mail address is "`@`".
 * Unchanged: GF-PTFE, 2026-04-02, p05_x, -5, 4.8 kg, e.g.
 * parse(escape(s)) has exactly the text hm_clean_text(s), but for "⚠", in a paragraph, heading,
 * list item, table cell and link text; other programs' parsers show that '@' as code. */
void hm_md_escape(hm_buf *b, hm_str fact);
/* For a double-quoted href: percent-encodes all but [A-Za-z0-9-._~/?#&=%:@+,;!*'], writes '&' as
 * "&amp;". A URL that is not hm_url_is_safe becomes "#". */
void hm_html_escape_url(hm_buf *b, hm_str url);
/* For the target of a Markdown link, between "(" and ")": as hm_html_escape_url, with a backslash
 * before '*', and before '_' unless between two ASCII letters or digits. Some Markdown parsers see
 * emphasis in a target. Markdown undoes "&amp;" and the backslashes. */
void hm_md_escape_url(hm_buf *b, hm_str url);
/* For HTML text and quoted attribute values: cleans as above, then escapes & < > " '. */
void hm_html_escape(hm_buf *b, hm_str fact);
/* For XML text: as hm_html_escape, and U+FFFD for U+FFFE and U+FFFF, which XML cannot hold even as
 * references. */
void hm_xml_escape(hm_buf *b, hm_str fact);
/* True for a relative path as this program makes them ([A-Za-z0-9./_#-]+, no '/' at the start), or
 * http:// or https:// (lower case) with a host, valid UTF-8 and no white space, backslash or hidden
 * character. */
bool hm_url_is_safe(hm_str url);

/* --- for clean text and safe URLs ------------------------------------------------------- */

/* Writes & < > " as entities; changes nothing else. */
void hm_html_escape_clean(hm_buf *b, hm_str s);
/* Percent-encodes what may not stand in a URL, and writes & as &amp;. Good for the target of a
 * Markdown link and for a quoted attribute. */
void hm_url_escape_safe(hm_buf *b, hm_str url);
/* Writes any text as part of a URL: percent-encodes all but ASCII letters, digits and the bytes in
 * plain. */
void hm_url_encode(hm_buf *b, hm_str s, const char *plain);
/* True for "http://" or "https://" and a host. */
bool hm_url_is_web(hm_str url);
#endif
