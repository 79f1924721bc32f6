/* Suggestions for unknown names, and texts that look alike but differ: Latin A, Greek Α, Cyrillic
 * А. Pure. */
#ifndef HM_NEAR_NAMES_H
#define HM_NEAR_NAMES_H
#include "core/base/str.h"

/* Least number of single-byte insertions, deletions, replacements and swaps of neighbours from a to
 * b. Texts over 64 bytes count as far away. */
int hm_edit_distance(const char *a, const char *b);
/* The candidate nearest to word (the first of equals), or NULL if none is near enough: distance 1,
 * or 2 in words of five bytes or more. next(ctx, i) returns candidate i, NULL after the last. */
const char *hm_find_nearest_word(const char *word, const char *(*next)(void *ctx, size_t i),
                                 void *ctx);

/* The known name that people may mean by the unknown `name`, or empty. Tries in this order: one
 * with the same folded name (hm_text_fold_name); the nearest folded name as above, of 3 letters or
 * more, with a distance of 2 if both have five bytes, if both have the same digits and signs (p05
 * is no slip for p06, C++ none for C#); one that begins with `name` and continues with another
 * word. Returns the least of equally near ones. */
typedef struct {
  hm_str name, folded;
} hm_known_name;
hm_str hm_find_near_name(hm_str name, const hm_known_name *known, size_t n);
/* Folds a known name once for many searches; folded is in a. */
hm_known_name hm_known_name_fold(hm_str name, hm_arena *a);

/* The fix for an unknown word: "did you mean 'status'? known keys: kind, status", in a, cut to the
 * size of hm_err's texts. known: text before the list; NULL: no list. Suggests what
 * hm_find_near_name finds, else the first name that contains the word ("type" in entity_type). */
const char *hm_hint_names(hm_str word, const hm_str *names, size_t n, const char *known,
                          hm_arena *a);

/* The letters by which two texts that look alike differ, at most `most`: "U+0061 / U+0430, U+0063 /
 * U+0441", in a. Empty if they do not look alike or do not differ. Letters are compared and shown
 * in lower case. */
hm_str hm_find_lookalike_letters(hm_arena *a, hm_str x, hm_str y, size_t most);
#endif
