/* world.yml in an export and an import: one record {"kind":"world","text":"..."} with the whole
 * file, before the facts that name its eras. */
#ifndef HM_WORLD_RECORD_H
#define HM_WORLD_RECORD_H
#include "gen/cli/cli.h"

/* The line; none where the mirror has no world.yml. */
int hm_world_record_write(hm_cli *cli, FILE *out);

/* A world.yml that an import brought and the mirror did not have; empty: none. */
typedef struct {
  hm_cli *cli;
  hm_str text;
} hm_world_record;
/* hm_import_world; ctx: an hm_world_record. From now on its eras are known, to the store and the
 * config. A mirror that has another world.yml keeps its own, with a warning. */
int hm_world_record_take(void *ctx, hm_store *s, hm_str text, bool *is_new, hm_err *err);
/* Writes the file, if one was brought. */
int hm_world_record_save(const hm_world_record *w, hm_err *err);
#endif
