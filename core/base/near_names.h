/* Names that may be meant by one that is not known, and texts that look the same and are not: Latin
 * A, Greek Α, Cyrillic А. Pure. */
#ifndef HM_NEAR_NAMES_H
#define HM_NEAR_NAMES_H
#include "core/base/str.h"

/* Least number of single-byte insertions, deletions, replacements and swaps of
 * neighbours between a and b; anything over 64 bytes counts as far away. */
int hm_edit_distance(const char *a, const char *b);
/* The candidate nearest to word, when it is near enough to be what was meant
 * (distance 1, or 2 in words of five bytes and more; the first of equals), else NULL.
 * next(ctx, i) gives candidate i, NULL ends. */
const char *hm_find_nearest_word(const char *word, const char *(*next)(void *ctx, size_t i),
                                 void *ctx);

/* The known name that people may mean by `name`, which is none of them; empty: none. In this order:
 * one that folds to the same (hm_text_fold_name); the nearest as above, of the folded names and
 * from 3 letters on, with a distance of 2 where both have five bytes, if both have the same digits
 * and signs (p05 is no slip for p06, C++ none for C#); one that begins with it and goes on with
 * another word. Of equally near ones the least. */
typedef struct { hm_str name, folded; } hm_known_name;
hm_str hm_find_near_name(hm_str name, const hm_known_name *known, size_t n);
/* A name to be found, folded once for any number of questions; folded is in a. */
hm_known_name hm_known_name_fold(hm_str name, hm_arena *a);

/* What helps against a word that is none of the names: "did you mean 'status'? known keys: kind,
 * status", in a, cut to a text of hm_err. known: what stands before the list; NULL: no list. Meant
 * is what hm_find_near_name finds, else the first name that has the word as one of its own ("type"
 * is one of entity_type). */
const char *hm_hint_names(hm_str word, const hm_str *names, size_t n, const char *known,
                          hm_arena *a);

/* Where two texts differ that look alike, at most `most` places: "U+0061 / U+0430, U+0063 /
 * U+0441", in a. Empty when they do not look alike, or do not differ. Lower case. */
hm_str hm_find_lookalike_letters(hm_arena *a, hm_str x, hm_str y, size_t most);
#endif
