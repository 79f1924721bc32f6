/* Environments beside the one that people use: staging, tests, a developer's machine. */
#ifndef HM_SIDE_ENVIRONMENT_H
#define HM_SIDE_ENVIRONMENT_H
#include "core/base/str.h"

/* A folded qualifier without a last word that says only that it is one: "production" for
 * "production_environment". A slice of it. */
hm_str hm_qualifier_plain(hm_str qualifier);

/* The side environment that a folded qualifier names, spelled in one way: "staging" for "staging"
 * and "staging_cluster", "load_test" for "load_test_environment"; empty if it names none. What
 * holds there is no statement about what people use. A word that the slot's name has, too, is its
 * subject, and no environment: the tool for tests. A slice of qualifier. */
hm_str hm_side_environment(hm_str qualifier, hm_str slot);
#endif
