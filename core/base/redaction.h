/* What is removed on purpose: the mark in its place, and the search for texts that must not come
 * back. Pure. */
#ifndef HM_REDACTION_H
#define HM_REDACTION_H
#include "str.h"

/* The mark of a removed value. It claims nothing: no value is known, and so none can disagree.
 * "[redacted 2026-11-21: reason]"; at: a time, of which the day is taken. */
hm_str hm_redacted_mark(hm_arena *a, hm_str at, hm_str reason);
/* s, without the white space around it, is such a mark. */
bool hm_is_redacted(hm_str s);
/* Such a mark is anywhere in s, which may be JSON. */
bool hm_has_redacted_mark(hm_str s);

/* A needle of fewer bytes than HM_NEEDLE_FREE matches only a whole text, since it occurs by chance;
 * up to HM_NEEDLE_WHOLE it matches as a separate word: no letter or digit right before or behind
 * it. Longer ones count anywhere. */
enum { HM_NEEDLE_WHOLE = 6, HM_NEEDLE_FREE = 4 };

/* Begin with { 0 }; v lives in the arena of hm_needles_add. Unless exact is set a needle is found
 * as the leak check finds a text: by its letters and digits in any case, with any white space or
 * punctuation where it has some. */
typedef struct { hm_str *v; size_t n, cap; bool exact; } hm_needles;

/* Adds text (copied), as it is and without the white space around it; each once. Blank ones are
 * none. */
void hm_needles_add(hm_needles *l, hm_str text, hm_arena *a);
/* text is one of them, white space around it aside. */
bool hm_needles_equal(const hm_needles *l, hm_str text);
/* text is one of them, or one is in it. */
bool hm_needles_found_in(const hm_needles *l, hm_str text);
/* text with mark in the place of each one that is in it; text itself when none does. */
hm_str hm_needles_replace(const hm_needles *l, hm_str text, hm_str mark, hm_arena *a);
/* One is in these bytes, whatever is beside it; only such as count anywhere or as a word. */
bool hm_needles_found_in_bytes(const hm_needles *l, hm_str bytes);
#endif
