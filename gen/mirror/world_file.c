/* The keys of world.yml, and what each value must be. core/claim/world_eras.c places its calendars;
 * its errors are reported with the line of the entry. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/text.h"
#include "core/claim/slot.h"
#include "gen/mirror/files.h"
#include "gen/mirror/config_impl.h"

enum { YEARS_MAX = 99999, KINDS_MAX = 500, KIND_MAX = 60 };

static const hm_yaml_key keys[] = {
  { "worlds[]/world", HM_YAML_NEEDED, HM_KEY_PLAIN },
  { "worlds[]/current", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "worlds[]/approximate", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "worlds[]/parent_age", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "worlds[]/born_after_death", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "worlds[]/parents_differ_in_gender", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "eras[]/world", HM_YAML_NEEDED, HM_KEY_PLAIN },
  { "eras[]/era", HM_YAML_NEEDED, HM_KEY_PLAIN },
  { "eras[]/parent", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "eras[]/begins", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "eras[]/ends", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "eras[]/unit", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "relations[]/kind", HM_YAML_NEEDED, HM_KEY_PLAIN },
  { "relations[]/subject", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "relations[]/at_once", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "relations[]/from", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "relations[]/to", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "relations[]/nests", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "relations[]/outlives", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "relations[]/words", HM_YAML_TEXT, HM_KEY_PLAIN },
};

const char *hm_world_file_key(hm_arena *a, size_t i) {
  if (i >= HM_COUNT(keys))
    return NULL;
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
  const hm_yaml_value *v = hm_yaml_find_value(&r->yaml, key_of(r, list, i, key));
  return v ? v->text : HM_EMPTY;
}

static int number(const world_reader *r, size_t i, const char *key, int *out) {
  const char *path = key_of(r, "worlds", i, key);
  const hm_yaml_value *v = hm_yaml_find_value(&r->yaml, path);
  *out = v ? atoi(v->text.p) : -1;
  if (*out <= YEARS_MAX)
    return 0;
  return hm_yaml_fail(r->a, &r->yaml, path, "out of range", "give 0 to 99999", r->err);
}

/* true or false; false where it is not given. */
static int choice(const world_reader *r, size_t i, const char *key, bool *out) {
  const char *path = key_of(r, "worlds", i, key);
  const hm_yaml_value *v = hm_yaml_find_value(&r->yaml, path);
  *out = v && hm_str_is(v->text, "true");
  if (!v || *out || hm_str_is(v->text, "false"))
    return 0;
  return hm_yaml_fail(r->a, &r->yaml, path, "neither true nor false", "give true or false", r->err);
}

static size_t count(const world_reader *r, const char *list) {
  const hm_yaml_value *v = hm_yaml_find_value(&r->yaml, list);
  return v ? v->count : 0;
}

/* --- kinds of relations ---------------------------------------------------------------- */

static int bad_kind(const world_reader *r, size_t i, const char *key, const char *why,
                    const char *fix) {
  return hm_yaml_fail(r->a, &r->yaml, key_of(r, "relations", i, key), why, fix, r->err);
}

/* "Lord of" as "LORD_OF". NULL: it has other characters than letters, digits and separators. */
static const char *kind_name(hm_arena *a, hm_str text) {
  char *name = hm_str_z(a, hm_str_trim(text));
  for (char *p = name; *p; p++) {
    if (*p == ' ' || *p == '-')
      *p = '_';
    else if (hm_is_alnum(*p))
      *p = hm_ascii_upper(*p);
    else if (*p != '_')
      return NULL;
  }
  return *name && strlen(name) <= KIND_MAX && strspn(name, "_") < strlen(name) ? name : NULL;
}

/* One of these words, as its number; -1: none of them. */
static int word_of(hm_str text, const char *const *words) {
  for (int i = 0; words[i]; i++)
    if (hm_str_is(text, words[i]))
      return i;
  return -1;
}

/* What the entry says; the rest of k stays. */
static int read_kind(const world_reader *r, size_t i, hm_relation_kind *k) {
  static const char *const subjects[] = { "from", "to", "both", NULL };
  static const char *const answers[] = { "no", "yes", NULL };
  hm_str subject = text(r, "relations", i, "subject"), nests = text(r, "relations", i, "nests");
  hm_str from = text(r, "relations", i, "from"), to = text(r, "relations", i, "to");
  hm_str words = text(r, "relations", i, "words"), at_once = text(r, "relations", i, "at_once");
  hm_str outlives = text(r, "relations", i, "outlives");
  int goes_on = word_of(outlives, answers);
  int number = word_of(subject, subjects), nested = word_of(nests, answers);
  if (subject.n && number < 0)
    return bad_kind(r, i, "subject", "no end of a relation", "write from, to or both");
  if (nests.n && nested < 0)
    return bad_kind(r, i, "nests", "neither yes nor no", "write yes or no");
  if (outlives.n && goes_on < 0)
    return bad_kind(r, i, "outlives", "neither yes nor no", "write yes or no");
  if (at_once.n > 4)
    return bad_kind(r, i, "at_once", "out of range", "give 0 to 9999");
  if (number >= 0)
    k->subject = (hm_relation_subject)number;
  if (nested >= 0)
    k->nests = nested;
  if (goes_on >= 0)
    k->outlives = goes_on;
  if (at_once.n)
    k->at_once = (uint32_t)atoi(at_once.p);
  if (from.n)
    k->from = hm_str_z(r->a, hm_entity_type_key(r->a, from));
  if (to.n)
    k->to = hm_str_z(r->a, hm_entity_type_key(r->a, to));
  if (words.n)
    k->words = hm_str_z(r->a, words);
  if (k->nests && (k->subject == HM_SUBJECT_BOTH || k->at_once > 1))
    return bad_kind(r, i, "nests", "such a kind speaks of one end, with one value at a time",
                    "leave it out, or write another subject or at_once");
  return 0;
}

static int by_name(const void *x, const void *y) {
  return strcmp(((const hm_relation_kind *)x)->name, ((const hm_relation_kind *)y)->name);
}

/* The shipped kinds, as the entries change them, and the new ones. One of which none may hold at
 * once claims nothing and is left out. */
static int read_kinds(const world_reader *r, size_t n, const hm_relation_kinds **out) {
  const hm_relation_kinds *shipped = hm_config_relation_kinds(NULL);
  hm_relation_kind *v = hm_alloc_array(r->a, shipped->n + n, sizeof *v);
  hm_relation_kinds *kinds = hm_alloc(r->a, sizeof *kinds);
  bool *said = hm_alloc_array(r->a, shipped->n + n, sizeof *said);
  size_t all = shipped->n, left = 0;
  if (n > KINDS_MAX)
    return bad_kind(r, 0, "kind", "too many kinds", "leave at most 500");
  memcpy(v, shipped->kinds, shipped->n * sizeof *v);
  for (size_t i = 0; i < n; i++) {
    hm_str kind = text(r, "relations", i, "kind");
    const char *name = kind_name(r->a, kind);
    if (!name)
      return bad_kind(r, i, "kind", "no name of a kind", "use letters, digits and _, at most 60");
    const hm_relation_kind *known =
        hm_relation_kind_find(&(hm_relation_kinds){ v, all }, hm_str_c(name));
    size_t at = known ? (size_t)(known - v) : all++;
    if (said[at])
      return bad_kind(r, i, "kind", "this kind stands above", "give each kind once");
    said[at] = true;
    if (!known) {
      char *words = hm_str_z(r->a, hm_text_fold_name(r->a, hm_str_c(name)));
      for (char *p = words; *p; p++)
        *p = *p == '_' ? ' ' : *p;
      v[at] = (hm_relation_kind){ .name = name, .words = words, .at_once = 1 };
    }
    if (read_kind(r, i, &v[at]))
      return -1;
  }
  for (size_t i = 0; i < all; i++)
    if (v[i].at_once)
      v[left++] = v[i];
  qsort(v, left, sizeof *v, by_name);
  *kinds = (hm_relation_kinds){ v, left };
  *out = kinds;
  return 0;
}

/* --- the file ---------------------------------------------------------------------------- */

int hm_world_file_parse(hm_arena *a, hm_str bytes, const char *name, hm_world_file *out,
                        hm_err *err) {
  world_reader r = { .a = a, .err = err };
  *out = (hm_world_file){ 0 };
  if (hm_str_starts(bytes, "\xEF\xBB\xBF"))
    bytes = hm_str_sub(bytes, 3, bytes.n);
  if (hm_yaml_parse(a, bytes, name, keys, HM_COUNT(keys), &r.yaml, err))
    return -1;
  size_t n_worlds = count(&r, "worlds"), n_eras = count(&r, "eras");
  hm_world_text *worlds = hm_alloc_array(a, n_worlds, sizeof *worlds);
  hm_era_text *eras = hm_alloc_array(a, n_eras, sizeof *eras);
  for (size_t i = 0; i < n_worlds; i++) {
    worlds[i].world = text(&r, "worlds", i, "world");
    worlds[i].current = text(&r, "worlds", i, "current");
    if (number(&r, i, "approximate", &worlds[i].approximate) ||
        number(&r, i, "parent_age", &worlds[i].parent_age) ||
        number(&r, i, "born_after_death", &worlds[i].born_after_death) ||
        choice(&r, i, "parents_differ_in_gender", &worlds[i].parents_differ))
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
  size_t n_kinds = count(&r, "relations");
  if (n_kinds && read_kinds(&r, n_kinds, &out->relations))
    return -1;
  if (hm_worlds_new(a, worlds, n_worlds, eras, n_eras, &out->worlds, &fault))
    return 0;
  const char *at = key_of(&r, fault.in_eras ? "eras" : "worlds", fault.at, fault.key);
  return hm_yaml_fail(a, &r.yaml, at, fault.why, fault.fix, err);
}

int hm_world_file_load(hm_arena *a, const char *path, hm_world_file *out, hm_err *err) {
  struct stat st;
  hm_str bytes;
  *out = (hm_world_file){ 0 };
  if (stat(path, &st) && errno == ENOENT)
    return 0;
  if (hm_file_read(a, path, HM_WORLD_FILE_MAX, HM_E_USAGE, &bytes, err))
    return -1;
  return hm_world_file_parse(a, bytes, path, out, err);
}
