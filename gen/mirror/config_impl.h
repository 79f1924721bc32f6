/* Between config.c, config_story.c, config_house.c and config_sign.c. */
#ifndef HM_CONFIG_IMPL_H
#define HM_CONFIG_IMPL_H
#include "gen/mirror/config.h"
#include "gen/mirror/yaml_keys.h"

/* rules->story from story.*; left NULL where all is as by default. In a. -1: err is set. */
int hm_config_read_story(hm_arena *a, const hm_yaml *y, hm_rules *rules, hm_err *err);
/* out->house from extra_css, extra_head, logo and colours; folder is the mirror's. In a. -1: err is
 * set. */
int hm_config_read_house(hm_arena *a, const hm_yaml *y, const char *folder, hm_config *out,
                         hm_err *err);
/* out->sign, sign_key, allowed_signers, allowed_keys and journal; likewise. */
int hm_config_read_sign(hm_arena *a, const hm_yaml *y, const char *folder, hm_config *out,
                        hm_err *err);
#endif
