/* Switching a rule in mirror.yml: the list rules.off changes, every other line stays as it is. */
#ifndef HM_RULE_SWITCH_H
#define HM_RULE_SWITCH_H
#include "core/base/err.h"
#include "core/base/str.h"

/* The bytes of a mirror.yml in which the rule is on, or off; *out is bytes itself where it is so
 * already. In a. HM_E_STATE: the list is written in a way that this does not edit. name: of the
 * file, for messages. */
int hm_rule_switch(hm_arena *a, hm_str bytes, const char *name, hm_str rule, bool on, hm_str *out,
                   hm_err *err);
#endif
