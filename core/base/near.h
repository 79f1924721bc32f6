/* Names that may be meant by one that is not known. Pure. */
#ifndef HM_NEAR_H
#define HM_NEAR_H
#include "core/base/str.h"

/* Least number of single-byte insertions, deletions, replacements and swaps of
 * neighbours between a and b; anything over 64 bytes counts as far away. */
int hm_edit_distance(const char *a, const char *b);
/* The candidate nearest to word, when it is near enough to be what was meant
 * (distance 1, or 2 in words of five bytes and more; the first of equals), else NULL.
 * next(ctx, i) gives candidate i, NULL ends. */
const char *hm_nearest(const char *word, const char *(*next)(void *ctx, size_t i), void *ctx);

/* The known name that people may mean by `name`, which is none of them; empty: none. In this order:
 * one that folds to the same (hm_text_name); the nearest as above, of the folded names and from 3
 * letters on, if both have the same digits (p05 is no slip for p06); one that begins with it and
 * goes on with another word. Of equally near ones the least. */
typedef struct { hm_str name, folded; } hm_known_name;
hm_str hm_near_name(hm_str name, const hm_known_name *known, size_t n);
/* One to be found, made ready once for any number of questions; folded lives in a. */
hm_known_name hm_known_name_of(hm_str name, hm_arena *a);
#endif
