/* Making findings; for the rules. */
#ifndef HM_FINDING_H
#define HM_FINDING_H
#include "core/store/row.h"

/* A list that grows in an arena. */
typedef struct { hm_finding *v; size_t n, cap; hm_arena *a; } hm_finding_list;

/* Adds f, with an id over its rule and rows where it has none. */
void hm_finding_add(hm_finding_list *l, hm_finding f);
/* By (kind, project, id), then what is left. */
void hm_findings_sort(hm_finding *f, size_t n);
/* Both, sorted, say the same. */
bool hm_findings_equal(const hm_finding *a, size_t n, const hm_finding *b, size_t m);
/* "kind:id" of a row, of any bytes, in a. */
hm_str hm_row_ref(hm_arena *a, const hm_row *r);
/* The strings up to one whose p is NULL, joined, in a: unlike "%.*s" it does not end at a NUL. */
hm_str hm_str_cat(hm_arena *a, const hm_str *parts);
#define HM_CAT(a, ...) hm_str_cat((a), (const hm_str[]){ __VA_ARGS__, { NULL, 0 } })
#endif
