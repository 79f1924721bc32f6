/* Reads mirror.yml and world.yml: a YAML file checked against a table of keys (yaml_keys.c), and
 * sections of mirror.yml (config_sections.c). For gen/mirror only. */
#ifndef HM_CONFIG_IMPL_H
#define HM_CONFIG_IMPL_H
#include "gen/mirror/config.h"

/* --- a YAML file (yaml_keys.c) --- */
/* A YAML file as a flat list of values, each with its path and line, checked against a table of
 * the keys that may stand in it. Library: libyaml.
 *
 * Errors name file, line and key: invalid YAML or UTF-8, an unknown key (with the nearest known
 * one), a key given twice, a wrong type, a value or list over its limit, a missing key, a second
 * document, an alias, a NUL. "mirror.yml:7: publish.repoo: unknown key: did you mean 'repo'?" */

/* A text has at most 4,096 bytes, a LONG one 64 KiB. A NEEDED text must be present; every other
 * value may be absent, or null (except a number). */
typedef enum {
  HM_YAML_TEXT,
  HM_YAML_LONG,
  HM_YAML_NEEDED,
  HM_YAML_NUMBER,
  HM_YAML_LIST,
  HM_YAML_PAIRS
} hm_yaml_type;

/* A key that has a value: a text, a whole number of up to nine digits, a list of texts, or a
 * mapping whose keys are people's own, of up to 100 bytes, each with a text (PAIRS). In its
 * path '/' leads into a mapping and "[]/" into the mappings of a list: "publish/author/name",
 * "rules/tolerance[]/slot". Keys of one mapping stand together. */
typedef struct {
  const char *path;
  hm_yaml_type type;
  hm_key_class class;
} hm_yaml_key;

enum { HM_YAML_ENTRIES = 10000, HM_YAML_KEYS = 128 }; /* of a list; of a table */

/* path: as messages show it, "rules.tolerance[2].slot". Of a list or of pairs: count, and its
 * entries after it; the path of a pair ends with its key, "rules.severity.slot/overlap". */
typedef struct {
  const char *path;
  size_t line;
  hm_str text;
  size_t count;
} hm_yaml_value;
typedef struct {
  const char *name;
  hm_yaml_value *v;
  size_t n;
  hm_map by_path;
} hm_yaml;

/* Reads bytes into out, all in a; name: of the file, for messages. At most HM_YAML_KEYS keys. */
int hm_yaml_parse(hm_arena *a, hm_str bytes, const char *name, const hm_yaml_key *keys, size_t n,
                  hm_yaml *out, hm_err *err);
/* The value at a path; NULL when the file does not have it. */
const hm_yaml_value *hm_yaml_find_value(const hm_yaml *y, const char *path);
/* "mirror.yml:7: publish.branch"; without the line when the file does not have it. */
const char *hm_yaml_place(hm_arena *a, const hm_yaml *y, const char *path);
/* Fails with HM_E_USAGE and that place: always -1. */
int hm_yaml_fail(hm_arena *a, const hm_yaml *y, const char *path, const char *why, const char *fix,
                 hm_err *err);

/* --- parts of mirror.yml (config_sections.c); for config.c only --- */

/* True for a key where the name of a variable belongs: by its shape, or by signs and digits that
 * such names do not have. Then nobody is shown it. */
bool hm_config_is_key(const char *name);
/* Sets rules->story from story.*; leaves it NULL when all is default. In a. -1: err is set. */
int hm_config_read_story(hm_arena *a, const hm_yaml *y, hm_rules *rules, hm_err *err);
/* Sets out->house from extra_css, extra_head, logo and colours; folder: the mirror's. In a. -1: err
 * is set. */
int hm_config_read_house(hm_arena *a, const hm_yaml *y, const char *folder, hm_config *out,
                         hm_err *err);
/* Sets out->sources, and after the rules those that are files of additions, in the same way. */
int hm_config_read_sources(hm_arena *a, const hm_yaml *y, hm_config *out, hm_err *err);
/* Sets *out from pages.ascii, in the same way. */
int hm_config_read_script(hm_arena *a, const hm_yaml *y, hm_slug_script *out, hm_err *err);
/* Sets out->sign, sign_key, allowed_signers, allowed_keys and journal, in the same way. */
int hm_config_read_sign(hm_arena *a, const hm_yaml *y, const char *folder, hm_config *out,
                        hm_err *err);
/* Sets out->source_url: the address of a line of a note, with {path}; or empty. */
int hm_config_read_source_url(hm_arena *a, const hm_yaml *y, hm_config *out, hm_err *err);
#endif
