/* Of many texts, those that may be alike to one: candidates for a cosine of HM_SIMILAR_LEAST.
 *
 * Two texts so alike have three of five content words of each in common, by stems: so they share
 * one of the rarest words of each, too, of any two fifths and one (prefix filtering). Only these
 * words are looked up, rarest first, and of a word's texts the nearest by number first, up to
 * HM_SIMILAR_COMPARED in all: where thousands of texts are made alike, a text meets those beside
 * it. Deterministic. Cost: O(words log words) once; a text at most its words and COMPARED. */
#ifndef HM_SIMILAR_NEAR_H
#define HM_SIMILAR_NEAR_H
#include "core/base/str.h"

enum { HM_SIMILAR_COMPARED = 500 };

typedef struct hm_similar_near hm_similar_near;
/* Reads the words of the texts; of one without content words those of grammar. In a. */
hm_similar_near *hm_similar_near_new(const hm_str *texts, size_t n, hm_arena *a);
/* The candidates of text i, each once and not itself, in no order that matters; how many. */
size_t hm_similar_near_of(hm_similar_near *x, uint32_t i, uint32_t out[HM_SIMILAR_COMPARED]);
#endif
