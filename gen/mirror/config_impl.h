/* What the files of config*.c share. Not for others. */
#ifndef HM_CONFIG_IMPL_H
#define HM_CONFIG_IMPL_H
#include <cyaml/cyaml.h>
#include "gen/mirror/config.h"

enum { HM_CONFIG_DEPTH = 8, HM_CONFIG_PATH = 200 };

typedef struct { char **v; unsigned n; } hm_raw_list;
typedef struct { char *slot, *value; } hm_raw_tolerance;

/* The file as libcyaml fills it: NULL and 0 where a key is absent or empty. */
typedef struct {
  hm_raw_list prose, text_fields, silence;
  hm_raw_tolerance *tolerance; unsigned n_tolerance;
} hm_raw_rules;
typedef struct { char *name, *email; } hm_raw_author;
typedef struct { hm_raw_list projects, types, statuses, tags, properties; } hm_raw_exclude;
typedef struct { hm_raw_list published; } hm_raw_check;
typedef struct {
  char *repo, *branch, *message, *pages, *push, *ssh_key, *credentials;
  unsigned push_timeout;
  hm_raw_author *author;
  hm_raw_list keep;
  hm_raw_exclude *exclude;
} hm_raw_publish;
typedef struct { char *layer, *table, *select; hm_raw_list columns; } hm_raw_map;
typedef struct {
  char *title, *store, *review, *output, *base_url, *theme, *templates, *statics;
  unsigned threads, list_limit, value_limit;
  hm_raw_map *map; unsigned n_map;
  hm_raw_rules *rules;
  hm_raw_publish *publish;
  hm_raw_check *check;
} hm_raw_config;

extern const cyaml_schema_value_t hm_config_schema;

/* Where each key's value stands. */
typedef struct { const char *path; size_t line; } hm_config_line;
typedef struct { hm_config_line *v; size_t n; const char *name; } hm_config_lines;

/* Reads the structure of a document: all that libcyaml would refuse is refused
 * here, with line and key, and what it would let pass as well (a second
 * document, "12x" for a number, a NUL). */
int hm_config_scan(hm_arena *a, hm_str bytes, const char *name, hm_config_lines *out, hm_err *err);
/* Line of the value at path; 0 when the file does not have it. */
size_t hm_config_line_of(const hm_config_lines *l, const char *path);
/* "mirror.yml:7: publish.branch". */
const char *hm_config_at(hm_arena *a, const hm_config_lines *l, const char *path);
/* One file being turned into a config. */
typedef struct {
  hm_arena *a;
  const char *folder;
  const hm_raw_config *raw;
  hm_config_lines lines;
  hm_config *out;
  hm_err *err;
} hm_reading;

/* An error at a key. Returns -1. */
int hm_config_bad(const hm_reading *r, const char *key, const char *why, const char *fix);
/* What is given, in the arena, or def; a path is taken from the file's folder. */
const char *hm_config_text(const hm_reading *r, const char *given, const char *def);
const char *hm_config_path(const hm_reading *r, const char *given, const char *def);
/* A text that ends up in a heading, an author, a message: one line. */
int hm_config_one_line(const hm_reading *r, const char *key, const char *given);

/* Parts of a file. */
int hm_config_publish(const hm_reading *r);
int hm_config_map(const hm_reading *r);
#endif
