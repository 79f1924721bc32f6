/* What world.yml says: its keys, and what each value must be. The calendars that it gives are
 * placed by core/claim/world.c, whose faults are told with the line of the entry. */
#include "gen/mirror/world_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gen/mirror/files.h"
#include "gen/mirror/yaml_keys.h"

enum { YEARS_MAX = 99999 };

static const hm_yaml_key keys[] = {
  { "worlds[]/world", HM_YAML_NEEDED },
  { "worlds[]/current", HM_YAML_TEXT },
  { "worlds[]/approximate", HM_YAML_NUMBER },
  { "worlds[]/parent_age", HM_YAML_NUMBER },
  { "worlds[]/born_after_death", HM_YAML_NUMBER },
  { "eras[]/world", HM_YAML_NEEDED },
  { "eras[]/era", HM_YAML_NEEDED },
  { "eras[]/parent", HM_YAML_TEXT },
  { "eras[]/begins", HM_YAML_TEXT },
  { "eras[]/ends", HM_YAML_TEXT },
  { "eras[]/unit", HM_YAML_TEXT },
};

const char *hm_world_file_key(hm_arena *a, size_t i) {
  if (i >= HM_COUNT(keys)) return NULL;
  char *path = hm_str_z(a, hm_str_c(keys[i].path));
  *strchr(path, '/') = '.';
  return path;
}

typedef struct {
  hm_arena *a;
  hm_yaml yaml;
  hm_err *err;
} world_reader;

static const char *key_of(const world_reader *r, const char *list, size_t i, const char *key) {
  return hm_str_fmt(r->a, "%s[%zu].%s", list, i, key).p;
}

static hm_str text(const world_reader *r, const char *list, size_t i, const char *key) {
  const hm_yaml_value *v = hm_yaml_at(&r->yaml, key_of(r, list, i, key));
  return v ? v->text : HM_EMPTY;
}

static int number(const world_reader *r, size_t i, const char *key, int *out) {
  const char *path = key_of(r, "worlds", i, key);
  const hm_yaml_value *v = hm_yaml_at(&r->yaml, path);
  *out = v ? atoi(v->text.p) : -1;
  if (*out <= YEARS_MAX) return 0;
  return hm_fail(r->err, HM_E_USAGE, hm_yaml_place(r->a, &r->yaml, path), "out of range",
                 "give 0 to 99999");
}

static size_t count(const world_reader *r, const char *list) {
  const hm_yaml_value *v = hm_yaml_at(&r->yaml, list);
  return v ? v->count : 0;
}

int hm_world_file_read(hm_arena *a, hm_str bytes, const char *name, hm_worlds **out, hm_err *err) {
  world_reader r = { .a = a, .err = err };
  if (hm_str_starts(bytes, "\xEF\xBB\xBF")) bytes = hm_str_sub(bytes, 3, bytes.n);
  if (hm_yaml_read(a, bytes, name, keys, HM_COUNT(keys), &r.yaml, err)) return -1;
  size_t n_worlds = count(&r, "worlds"), n_eras = count(&r, "eras");
  hm_world_text *worlds = hm_alloc_array(a, n_worlds, sizeof *worlds);
  hm_era_text *eras = hm_alloc_array(a, n_eras, sizeof *eras);
  for (size_t i = 0; i < n_worlds; i++) {
    worlds[i].world = text(&r, "worlds", i, "world");
    worlds[i].current = text(&r, "worlds", i, "current");
    if (number(&r, i, "approximate", &worlds[i].approximate) ||
        number(&r, i, "parent_age", &worlds[i].parent_age) ||
        number(&r, i, "born_after_death", &worlds[i].born_after_death))
      return -1;
  }
  for (size_t i = 0; i < n_eras; i++)
    eras[i] = (hm_era_text){
      .world = text(&r, "eras", i, "world"),
      .era = text(&r, "eras", i, "era"),
      .parent = text(&r, "eras", i, "parent"),
      .begins = text(&r, "eras", i, "begins"),
      .ends = text(&r, "eras", i, "ends"),
      .unit = text(&r, "eras", i, "unit"),
    };
  hm_world_fault fault;
  if (hm_worlds_new(a, worlds, n_worlds, eras, n_eras, out, &fault)) return 0;
  const char *at = key_of(&r, fault.in_eras ? "eras" : "worlds", fault.at, fault.key);
  return hm_fail(err, HM_E_USAGE, hm_yaml_place(a, &r.yaml, at), fault.why, fault.fix);
}

int hm_world_file_load(hm_arena *a, const char *path, hm_worlds **out, hm_err *err) {
  struct stat st;
  hm_str bytes;
  *out = NULL;
  if (stat(path, &st) && errno == ENOENT) return 0;
  if (hm_file_read(a, path, HM_WORLD_FILE_MAX, HM_E_USAGE, &bytes, err)) return -1;
  return hm_world_file_read(a, bytes, path, out, err);
}
