/* Between config.c and config_story.c. */
#ifndef HM_CONFIG_IMPL_H
#define HM_CONFIG_IMPL_H
#include "gen/mirror/config.h"
#include "gen/mirror/yaml_keys.h"

/* rules->story from story.*; left NULL where all is as by default. In a. -1: err is set. */
int hm_config_read_story(hm_arena *a, const hm_yaml *y, hm_rules *rules, hm_err *err);
#endif
