/* The rules that the table names, each in a file of its own. Pure. */
#ifndef HM_RULES_SHIPPED_H
#define HM_RULES_SHIPPED_H
#include "core/detect/rule.h"

int hm_find_slot_conflicts(const hm_scope *s, hm_found *out, hm_err *err);     /* slot_rule.c */
int hm_find_possible_overlaps(const hm_scope *s, hm_found *out, hm_err *err);
void hm_explain_slot_conflict(hm_teller *t, const hm_dispute *d);

int hm_find_unread(const hm_scope *s, hm_found *out, hm_err *err);             /* row_rules.c */
int hm_find_dangling_from(const hm_scope *s, hm_found *out, hm_err *err);
int hm_find_dangling_to(const hm_scope *s, hm_found *out, hm_err *err);
int hm_find_dangling_successor(const hm_scope *s, hm_found *out, hm_err *err);
int hm_find_dangling_graduate(const hm_scope *s, hm_found *out, hm_err *err);
int hm_find_dangling_source(const hm_scope *s, hm_found *out, hm_err *err);
int hm_find_dangling_destination(const hm_scope *s, hm_found *out, hm_err *err);
int hm_find_unclear_projects(const hm_scope *s, hm_found *out, hm_err *err);

int hm_find_supersession_cycles(const hm_scope *s, hm_found *out, hm_err *err);
#endif
