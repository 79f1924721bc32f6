/* A YAML file as a flat list of values, each with its path and line, checked against a table of
 * the keys that may stand in it. Library: libyaml.
 *
 * Refused with file, line and key: what is no YAML or no UTF-8, an unknown key (with the nearest
 * known one), a key given twice, a wrong type, a value or list over its bound, a missing key, a
 * second document, an alias, a NUL. "mirror.yml:7: publish.repoo: unknown key: did you mean
 * 'repo'?" */
#ifndef HM_YAML_KEYS_H
#define HM_YAML_KEYS_H
#include "core/base/err.h"
#include "core/base/str.h"

/* A text has at most 4,096 bytes, a LONG one 64 KiB. A NEEDED text must be there; every other value
 * may be absent, or null (but for a number). */
typedef enum { HM_YAML_TEXT, HM_YAML_LONG, HM_YAML_NEEDED, HM_YAML_NUMBER,
               HM_YAML_LIST, HM_YAML_PAIRS } hm_yaml_type;

/* A key that has a value: a text, a whole number of up to nine digits, a list of texts, or a
 * mapping whose keys are people's own, of up to 100 bytes, each with a text (PAIRS). In its
 * path '/' leads into a mapping and "[]/" into the mappings of a list: "publish/author/name",
 * "rules/tolerance[]/slot". Keys of one mapping stand together. */
typedef struct { const char *path; hm_yaml_type type; } hm_yaml_key;

enum { HM_YAML_ENTRIES = 10000, HM_YAML_KEYS = 128 };   /* of a list; of a table */

/* path: as messages show it, "rules.tolerance[2].slot". Of a list or of pairs: count, and its
 * entries after it; the path of a pair ends with its key, "rules.severity.slot/overlap". */
typedef struct { const char *path; size_t line; hm_str text; size_t count; } hm_yaml_value;
typedef struct { const char *name; hm_yaml_value *v; size_t n; hm_map by_path; } hm_yaml;

/* Reads bytes into out, all of it in a; name is what messages call the file. At most
 * HM_YAML_KEYS keys. */
int hm_yaml_read(hm_arena *a, hm_str bytes, const char *name, const hm_yaml_key *keys, size_t n,
                 hm_yaml *out, hm_err *err);
/* The value at a path; NULL when the file does not have it. */
const hm_yaml_value *hm_yaml_at(const hm_yaml *y, const char *path);
/* "mirror.yml:7: publish.branch"; without the line when the file does not have it. */
const char *hm_yaml_place(hm_arena *a, const hm_yaml *y, const char *path);
#endif
