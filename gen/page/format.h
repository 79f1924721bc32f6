/* Texts, dates and numbers in the form in which pages show them. */
#ifndef HM_FORMAT_H
#define HM_FORMAT_H
#include "core/base/json.h"
#include "core/claim/silence.h"

/* Text of a fact as one short line: at most max bytes of clean text, then "…" if cut. */
hm_str hm_shorten(hm_arena *a, hm_str s, size_t max);
/* As hm_shorten, for the text of a link: never empty. */
hm_str hm_link_label(hm_arena *a, hm_str s, size_t max);
/* "decision target" for decision_target; hm_format_field_name also shortens. */
hm_str hm_format_name(hm_arena *a, hm_str name);
hm_str hm_format_field_name(hm_arena *a, hm_str name);
/* Capitalizes the first letter when it is a to z. */
hm_str hm_capitalize(hm_arena *a, hm_str s);
/* A fact as a word of a shell command in a code fence, where nothing is escaped: the word is on one
 * line, visible, and cannot act as markup. Empty when the fact is too long, or no shell could pass
 * it on. */
hm_str hm_format_shell_word(hm_arena *a, hm_str s);
/* The bytes of a text on a page, in the largest of its forms, which escape it differently. */
size_t hm_page_bytes(hm_str text);

/* A property's value as text: strings as they are, lists of scalars with commas, else JSON. */
hm_str hm_format_json(const hm_json *j, hm_arena *a);
/* Elements of a JSON array of strings, or the text itself as the only one. */
size_t hm_format_json_list(hm_str json, hm_arena *a, hm_str **out);

/* "2 Apr 2026" for a date or time, "Apr 2026" for a month; anything else unchanged. */
hm_str hm_format_date(hm_arena *a, hm_str s);
/* "2026-01 to 2026-04", "since 2026-01", "until 2026-04", or empty. */
hm_str hm_format_window(hm_arena *a, hm_str from, hm_str until);
/* "10,485,760" */
hm_str hm_format_grouped_number(hm_arena *a, uint64_t n);
/* "1 claim", "2,000 claims" */
hm_str hm_format_count_phrase(hm_arena *a, uint64_t n, const char *one, const char *many);
/* What stands beside a count of disputes: "compared 134 values in 119 places; 2,467 of 2,590
 * memories state nothing that could be read". */
hm_str hm_compared_text(hm_arena *a, const hm_compared *c);
#endif
