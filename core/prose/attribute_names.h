/* Names of attributes that are one: "expiry" and "lifetime", "minimum" and "min". */
#ifndef HM_ATTRIBUTE_NAMES_H
#define HM_ATTRIBUTE_NAMES_H
#include "core/base/str.h"

/* What a value is: the expiry of a token is a lifetime, of a card a day. */
typedef enum { HM_OF_OTHER, HM_OF_TIME, HM_OF_DAY, HM_OF_ALL } hm_attribute_of;

/* The one name of an attribute with several ("maintainer": "owner"), folded; empty if it has no
 * other for such values. */
hm_str hm_attribute_synonym(hm_str words, hm_attribute_of of);
/* A folded name of a slot whose last words are a synonym, with its one name: "cache_lifetime" of
 * "cache_ttl"; "max_size" of "size_maximum" and "maximum_size". In a, or name itself. */
hm_str hm_attribute_one_name(hm_arena *a, hm_str name, hm_attribute_of of);
/* The name without the bound that it begins or ends with ("size" of "max_size"); empty if none. */
hm_str hm_attribute_behind_limit(hm_str name);
/* For the test: is the table sorted? */
bool hm_attribute_names_are_sorted(void);
#endif
