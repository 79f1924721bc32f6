/* Redaction: the mark in place of a removed value, and the search for removed texts that must not
 * come back. Pure. */
#ifndef HM_REDACTION_H
#define HM_REDACTION_H
#include "str.h"

/* The mark of a removed value. It claims no value, so it never disagrees with one. "[redacted
 * 2026-11-21: reason]"; at: an ISO time, of which the day is used. */
hm_str hm_redacted_mark(hm_arena *a, hm_str at, hm_str reason);
/* True if s, trimmed, is such a mark. */
bool hm_is_redacted(hm_str s);
/* True if s, which may be JSON, contains such a mark. */
bool hm_has_redacted_mark(hm_str s);

/* A short needle occurs by chance. One of fewer than HM_NEEDLE_FREE bytes matches only a whole
 * text; one of up to HM_NEEDLE_WHOLE only a separate word, with no letter or digit right before or
 * after it. A longer one matches anywhere. */
enum { HM_NEEDLE_WHOLE = 6, HM_NEEDLE_FREE = 4 };

/* Initialize with { 0 }; v lives in the arena of hm_needles_add. Unless exact is set, a needle
 * matches as in the leak check: letters and digits in any case, any white space or punctuation
 * where it has some. */
typedef struct {
  hm_str *v;
  size_t n, cap;
  bool exact;
} hm_needles;

/* Adds a copy of text, and of the trimmed text, each once. Ignores blank ones. */
void hm_needles_add(hm_needles *l, hm_str text, hm_arena *a);
/* True if the trimmed text equals a needle. */
bool hm_needles_equal(const hm_needles *l, hm_str text);
/* True if text equals a needle or contains one. */
bool hm_needles_found_in(const hm_needles *l, hm_str text);
/* text with each needle in it replaced by mark; text itself if it has none. */
hm_str hm_needles_replace(const hm_needles *l, hm_str text, hm_str mark, hm_arena *a);
/* True if bytes contain a needle, whatever is beside it. Ignores needles that match whole texts
 * only. */
bool hm_needles_found_in_bytes(const hm_needles *l, hm_str bytes);
#endif
