/* world.yml: the worlds that the facts tell of, and their eras (core/claim/world.h).
 *
 * It lies beside mirror.yml and travels with it. An unknown key, a wrong type and an era that
 * cannot be placed are errors that name line and key, as those of mirror.yml. */
#ifndef HM_WORLD_FILE_H
#define HM_WORLD_FILE_H
#include "core/base/err.h"
#include "core/claim/relation.h"
#include "core/claim/world.h"

enum { HM_WORLD_FILE_MAX = 1 << 20 };

/* relations: the shipped kinds and those of the file, sorted; NULL where it has none. */
typedef struct {
  hm_worlds *worlds;
  const hm_relation_kinds *relations;
} hm_world_file;

/* Reads bytes into out, all of it in a; name is what messages call them. */
int hm_world_file_read(hm_arena *a, hm_str bytes, const char *name, hm_world_file *out,
                       hm_err *err);
/* The same from a file; absent: both are NULL. */
int hm_world_file_load(hm_arena *a, const char *path, hm_world_file *out, hm_err *err);
/* Path of the i-th key ("eras[].begins"); NULL after the last. */
const char *hm_world_file_key(hm_arena *a, size_t i);
#endif
