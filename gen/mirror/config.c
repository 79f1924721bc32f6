/* Reads mirror.yml: its keys, their defaults, and what each value must be. */
#include "gen/mirror/config.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "core/claim/slot.h"
#include "core/base/near_names.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/value/rules.h"
#include "core/value/value.h"
#include "core/net/post.h"
#include "gen/mirror/files.h"
#include "gen/mirror/config_impl.h"

static const hm_yaml_key keys[] = {
  { "title", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "store", HM_YAML_TEXT, HM_KEY_PATH },
  { "store.map[]/layer", HM_YAML_NEEDED, HM_KEY_PLAIN },
  { "store.map[]/table", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "store.map[]/select", HM_YAML_LONG, HM_KEY_PLAIN },
  { "store.map[]/columns", HM_YAML_LIST, HM_KEY_PLAIN },
  { "store.map[]/matrix/key", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "store.map[]/matrix/columns", HM_YAML_LIST, HM_KEY_PLAIN },
  { "store.map[]/several", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "store.map[]/times", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "store.map[]/statuses", HM_YAML_LIST, HM_KEY_PLAIN },
  { "sources[]/name", HM_YAML_NEEDED, HM_KEY_PLAIN },
  { "sources[]/complete", HM_YAML_NEEDED, HM_KEY_PLAIN },
  { "review", HM_YAML_TEXT, HM_KEY_PATH },
  { "output", HM_YAML_TEXT, HM_KEY_PATH },
  { "base_url", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "source_url", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "theme", HM_YAML_TEXT, HM_KEY_PATH },
  { "templates", HM_YAML_TEXT, HM_KEY_PATH },
  { "static", HM_YAML_TEXT, HM_KEY_PATH },
  { "extra_css", HM_YAML_LIST, HM_KEY_PATH },
  { "extra_head", HM_YAML_TEXT, HM_KEY_PATH },
  { "logo", HM_YAML_TEXT, HM_KEY_PATH },
  { "colours", HM_YAML_PAIRS, HM_KEY_PLAIN },
  { "threads", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "list_limit", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "value_limit", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "pages/ascii", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "rules/prose", HM_YAML_LIST, HM_KEY_PLAIN },
  { "rules/text_fields", HM_YAML_LIST, HM_KEY_PLAIN },
  { "rules/ordered_fields", HM_YAML_LIST, HM_KEY_PLAIN },
  { "rules/silence", HM_YAML_LIST, HM_KEY_PLAIN },
  { "values/several", HM_YAML_LIST, HM_KEY_PLAIN },
  { "rules/off", HM_YAML_LIST, HM_KEY_PLAIN },
  { "rules/severity", HM_YAML_PAIRS, HM_KEY_PLAIN },
  { "rules/slots", HM_YAML_PAIRS, HM_KEY_PLAIN },
  { "rules/tolerance[]/slot", HM_YAML_NEEDED, HM_KEY_PLAIN },
  { "rules/tolerance[]/value", HM_YAML_NEEDED, HM_KEY_PLAIN },
  { "story/types", HM_YAML_LIST, HM_KEY_PLAIN },
  { "story/session_gap", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "story/compare", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "story/families", HM_YAML_PAIRS, HM_KEY_PLAIN },
  { "publish/repo", HM_YAML_TEXT, HM_KEY_PATH },
  { "publish/branch", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "publish/message", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "publish/pages", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "publish/push", HM_YAML_TEXT, HM_KEY_SENDS },
  { "publish/push_timeout", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "publish/ssh_key", HM_YAML_TEXT, HM_KEY_PATH },
  { "publish/credentials", HM_YAML_TEXT, HM_KEY_PATH },
  { "publish/sign", HM_YAML_TEXT, HM_KEY_SIGNS },
  { "publish/sign_key", HM_YAML_TEXT, HM_KEY_SIGNS },
  { "publish/allowed_signers", HM_YAML_TEXT, HM_KEY_PATH },
  { "publish/allowed_keys", HM_YAML_LIST, HM_KEY_PLAIN },
  { "publish/journal", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "publish/author/name", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "publish/author/email", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "publish/keep", HM_YAML_LIST, HM_KEY_PLAIN },
  { "publish/exclude/projects", HM_YAML_LIST, HM_KEY_PLAIN },
  { "publish/exclude/types", HM_YAML_LIST, HM_KEY_PLAIN },
  { "publish/exclude/statuses", HM_YAML_LIST, HM_KEY_PLAIN },
  { "publish/exclude/tags", HM_YAML_LIST, HM_KEY_PLAIN },
  { "publish/exclude/properties", HM_YAML_LIST, HM_KEY_PLAIN },
  { "check/public", HM_YAML_LIST, HM_KEY_PLAIN },
  { "judge/url", HM_YAML_TEXT, HM_KEY_SENDS },
  { "judge/model", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "judge/timeout", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "judge/key_env", HM_YAML_TEXT, HM_KEY_VARIABLE },
  { "judge/pick", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "serve/queue", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "agents/reports_per_day", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "recall/url", HM_YAML_TEXT, HM_KEY_SENDS },
  { "recall/model", HM_YAML_TEXT, HM_KEY_PLAIN },
  { "recall/timeout", HM_YAML_NUMBER, HM_KEY_PLAIN },
  { "recall/key_env", HM_YAML_TEXT, HM_KEY_VARIABLE },
};
enum { N_KEYS = HM_COUNT(keys) };

const char *hm_config_key(hm_arena *a, size_t i) {
  if (i >= N_KEYS)
    return NULL;
  char *path = hm_str_z(a, hm_str_c(keys[i].path));
  for (char *p = path; (p = strchr(p, '/'));)
    *p = '.';
  return path;
}

hm_key_class hm_config_key_class(size_t i) { return i < N_KEYS ? keys[i].class : HM_KEY_UNCLASSED; }

const char *hm_config_file_name(const hm_config *c) { return c->file ? c->file : "mirror.yml"; }

/* One file being turned into a config. */
typedef struct {
  hm_arena *a;
  const char *folder; /* the base of its paths */
  hm_yaml yaml;
  hm_config *out;
  hm_err *err;
} config_reader;

static int bad(const config_reader *r, const char *key, const char *why, const char *fix) {
  return hm_yaml_fail(r->a, &r->yaml, key, why, fix, r->err);
}

static int bad_entry(const config_reader *r, const char *list, size_t i, const char *why,
                     const char *fix) {
  return bad(r, hm_str_fmt(r->a, "%s[%zu]", list, i).p, why, fix);
}

/* The given value, or def. */
static const char *text(const config_reader *r, const char *key, const char *def) {
  const hm_yaml_value *v = hm_yaml_find_value(&r->yaml, key);
  return v ? v->text.p : def;
}

static const char *path(const config_reader *r, const char *key, const char *def) {
  return hm_path_join(r->a, r->folder, text(r, key, def));
}

/* A text that ends up in a heading, an author, a message. */
static int check_one_line(const config_reader *r, const char *key) {
  for (const char *p = text(r, key, ""); *p; p++)
    if ((unsigned char)*p < 0x20 || *p == 0x7f)
      return bad(r, key, "a control character", "keep it on one line");
  return 0;
}

static int number(const config_reader *r, const char *key, size_t least, size_t most, size_t *out) {
  const hm_yaml_value *v = hm_yaml_find_value(&r->yaml, key);
  if (!v)
    return 0;
  *out = strtoul(v->text.p, NULL, 10);
  return *out >= least && *out <= most
      ? 0
      : bad(r, key, "out of range", hm_str_fmt(r->a, "give %zu to %zu", least, most).p);
}

/* The entries of a list of texts; NULL when the file does not have it. */
static hm_str *list(const config_reader *r, const char *key, size_t *n) {
  const hm_yaml_value *v = hm_yaml_find_value(&r->yaml, key);
  *n = v ? v->count : 0;
  hm_str *out = v ? hm_alloc_array(r->a, *n + 1, sizeof *out) : NULL;
  for (size_t i = 0; i < *n; i++)
    out[i] = v[1 + i].text;
  return out;
}

/* --- files and pages ------------------------------------------------------------------ */

static int read_files(const config_reader *r) {
  hm_config *c = r->out;
  c->store = path(r, "store", "hmirror.db");
  c->review = path(r, "review", "hmirror-review.db");
  c->output = path(r, "output", "site");
  c->theme = path(r, "theme", "theme");
  c->templates = path(r, "templates", "templates");
  c->statics = path(r, "static", "static");
  c->theme_named = strcmp(text(r, "theme", "theme"), "theme") != 0;
  c->templates_named = strcmp(text(r, "templates", "templates"), "templates") != 0;
  c->statics_named = strcmp(text(r, "static", "static"), "static") != 0;
  return 0;
}

static int read_pages(const config_reader *r) {
  hm_config *c = r->out;
  size_t threads = 0;
  c->list_limit = 150;
  c->value_limit = 2000;
  c->title = hm_str_c(text(r, "title", "Human Mirror"));
  if (check_one_line(r, "title") ||
      hm_check_base_url(r->a, text(r, "base_url", ""), hm_yaml_place(r->a, &r->yaml, "base_url"),
                        &c->base_url, r->err) ||
      number(r, "threads", 0, 256, &threads) ||
      number(r, "list_limit", 10, 100000, &c->list_limit) ||
      number(r, "value_limit", 40, 1000000, &c->value_limit))
    return -1;
  c->threads = (int)threads;
  return hm_config_read_source_url(r->a, &r->yaml, c, r->err);
}

/* Reads a list of entries "content = body": our name, theirs. */
static int read_pairs(const config_reader *r, const char *key, const char *example,
                      const hm_store_column **out, size_t *n) {
  const hm_str *pairs = list(r, key, n);
  hm_store_column *v = hm_alloc_array(r->a, *n, sizeof *v);
  *out = v;
  for (size_t i = 0; i < *n; i++) {
    ptrdiff_t eq = hm_str_find(pairs[i], "=");
    if (eq > 0)
      v[i] = (hm_store_column){ hm_str_trim(hm_str_sub(pairs[i], 0, (size_t)eq)),
                                hm_str_trim(hm_str_sub(pairs[i], (size_t)eq + 1, pairs[i].n)) };
    if (!v[i].ours.n || !v[i].theirs.n)
      return bad_entry(r, key, i, "not a pair of names",
                       hm_str_fmt(r->a, "write OURS = THEIRS, as in %s", example).p);
  }
  return 0;
}

static const char *of_map(const config_reader *r, size_t i, const char *key) {
  return hm_str_fmt(r->a, "store.map[%zu].%s", i, key).p;
}

static int read_store_map(const config_reader *r) {
  hm_config *c = r->out;
  const hm_yaml_value *map = hm_yaml_find_value(&r->yaml, "store.map");
  c->n_map = map ? map->count : 0;
  c->map = hm_alloc_array(r->a, c->n_map, sizeof *c->map);
  for (size_t i = 0; i < c->n_map; i++) {
    hm_store_map *m = &c->map[i];
    *m = (hm_store_map){ .layer = hm_str_c(text(r, of_map(r, i, "layer"), "")),
                         .table = hm_str_c(text(r, of_map(r, i, "table"), "")),
                         .select = hm_str_trim(hm_str_c(text(r, of_map(r, i, "select"), ""))),
                         .matrix_key = hm_str_c(text(r, of_map(r, i, "matrix.key"), "")),
                         .several = hm_str_c(text(r, of_map(r, i, "several"), "")),
                         .times = hm_str_c(text(r, of_map(r, i, "times"), "")) };
    m->matrix = list(r, of_map(r, i, "matrix.columns"), &m->n_matrix);
    if (read_pairs(r, of_map(r, i, "columns"), "content = body", &m->columns, &m->n_columns) ||
        read_pairs(r, of_map(r, i, "statuses"), "active = open", &m->statuses, &m->n_statuses))
      return -1;
  }
  return 0;
}

/* --- rules ------------------------------------------------------------------------------ */

/* Names, folded, with the '*' of a pattern and the '_' before it kept. An absent list leaves the
 * default, an empty one is none. */
static int read_patterns(const config_reader *r, const char *key, const hm_str **out, size_t *n) {
  size_t given;
  hm_str *v = list(r, key, &given);
  if (!v)
    return 0;
  for (size_t i = 0; i < given; i++) {
    hm_str s = hm_str_trim(v[i]), stem = hm_str_sub(s, 0, s.n - hm_str_ends(s, "*"));
    v[i] = hm_text_fold_name(r->a, stem);
    if (stem.n < s.n)
      v[i] = hm_str_fmt(r->a, "%.*s%s*", HM_FMT(v[i]), v[i].n && hm_str_ends(stem, "_") ? "_" : "");
    if (!v[i].n)
      return bad_entry(r, key, i, "holds no letter or digit", NULL);
  }
  *out = v;
  *n = given;
  return 0;
}

static int read_silence(const config_reader *r, hm_rules *rules) {
  hm_str *v = list(r, "rules.silence", &rules->n_silence);
  for (size_t i = 0; i < rules->n_silence; i++) {
    v[i] = hm_silence_fold(v[i], r->a);
    if (!v[i].n)
      return bad_entry(r, "rules.silence", i, "is empty or longer than 64 bytes",
                       "give a word or a few that stand for 'not known'");
  }
  hm_strs_sort(v, rules->n_silence);
  rules->silence = v;
  return 0;
}

/* Reads which rules run, and their severities. Does not check the names: users' rules are in other
 * files. */
static int read_switches(const config_reader *r, hm_rules *rules) {
  static const char key[] = "rules.severity";
  hm_str *off = list(r, "rules.off", &rules->n_off);
  for (size_t i = 0; i < rules->n_off; i++)
    off[i] = hm_str_trim(off[i]);
  hm_strs_sort(off, rules->n_off);
  rules->off = off;
  const hm_yaml_value *v = hm_yaml_find_value(&r->yaml, key);
  rules->n_severities = v ? v->count : 0;
  hm_rule_severity *s = hm_alloc_array(r->a, rules->n_severities, sizeof *s);
  for (size_t i = 0; i < rules->n_severities; i++) {
    const hm_yaml_value *e = &v[1 + i];
    s[i] = (hm_rule_severity){ hm_str_c(e->path + sizeof key), hm_str_trim(e->text) };
    if (!hm_str_is(s[i].severity, "error") && !hm_str_is(s[i].severity, "warn") &&
        !hm_str_is(s[i].severity, "info"))
      return bad(r, e->path, "no such severity", "write error, warn or info");
  }
  if (rules->n_severities)
    qsort(s, rules->n_severities, sizeof *s, hm_order_str);
  rules->severities = s;
  return 0;
}

/* "Ticket: number", "Meeting: name, date": a type of the store and the properties that say which.
 */
static int read_slot(const config_reader *r, const hm_yaml_value *e, hm_str type,
                     hm_type_slot *out) {
  hm_str rest = e->text;
  *out = (hm_type_slot){ .type = hm_entity_type_key(r->a, type) };
  if (!out->type.n)
    return bad(r, e->path, "a type without a letter or digit", NULL);
  if (hm_entity_type_find(out->type))
    return bad(r, e->path, "a type that has a slot already",
               "name a type of your own; hmirror-facts(5) lists the others");
  while (rest.n) {
    const char *comma = memchr(rest.p, ',', rest.n);
    size_t end = comma ? (size_t)(comma - rest.p) : rest.n;
    hm_str name = hm_text_fold_name(r->a, hm_str_sub(rest, 0, end));
    rest = hm_str_sub(rest, end + (comma != NULL), rest.n);
    if (!name.n || out->n == HM_TYPE_SLOT_MAX)
      return bad(r, e->path, "not one or two names of properties",
                 "write it as 'number', 'name' or 'name, date'");
    out->elements[out->n++] = name;
  }
  return out->n ? 0
                : bad(r, e->path, "no property", "write it as 'number', 'name' or 'name, date'");
}

static int read_slots(const config_reader *r, hm_rules *rules) {
  static const char key[] = "rules.slots";
  const hm_yaml_value *v = hm_yaml_find_value(&r->yaml, key);
  rules->n_slots = v ? v->count : 0;
  hm_type_slot *s = hm_alloc_array(r->a, rules->n_slots, sizeof *s);
  for (size_t i = 0; i < rules->n_slots; i++)
    if (read_slot(r, &v[1 + i], hm_str_c(v[1 + i].path + sizeof key), &s[i]))
      return -1;
  rules->slots = s;
  return 0;
}

/* "0.05 kg", "0.05", "1 %": a number and what follows it. */
static int read_tolerance(const config_reader *r, size_t i, hm_units *units, hm_tolerance *out) {
  const char *slot_key = hm_str_fmt(r->a, "rules.tolerance[%zu].slot", i).p;
  const char *key = hm_str_fmt(r->a, "rules.tolerance[%zu].value", i).p;
  hm_str slot = hm_text_fold_name(r->a, hm_str_c(text(r, slot_key, "")));
  hm_str value = hm_str_dup(r->a, hm_str_trim(hm_str_c(text(r, key, ""))));
  if (!slot.n)
    return bad(r, slot_key, "holds no letter or digit", NULL);
  char *end;
  bool hex = value.n > 1 && value.p[0] == '0' && (value.p[1] | 32) == 'x';
  double d = !hex && strspn(value.p, "0123456789.") ? strtod(value.p, &end) : -1;
  if (!(d >= 0) || d > 1e300)
    return bad(r, key, "not a number with an optional unit", "write it as 0.05, 0.05 kg or 1 %");
  hm_str unit = hm_str_dup(r->a, hm_str_trim(hm_str_c(end)));
  hm_value v = { 0 };
  if (unit.n)
    hm_value_parse_text(&v, hm_str_fmt(r->a, "1 %s", unit.p), false, units, r->a);
  if (unit.n && !hm_str_is(unit, "%") && v.kind != HM_V_QUANTITY && v.kind != HM_V_NUMBER)
    return bad(r, key, hm_str_fmt(r->a, "'%.40s' is no unit", unit.p).p,
               "write it as 0.05, 0.05 kg or 1 %");
  *out = (hm_tolerance){ .slot = hm_slot_one_name(r->a, slot, &v), .value = d, .unit = unit };
  return 0;
}

static int read_rules(const config_reader *r) {
  hm_rules *rules = &r->out->rules;
  const hm_yaml_value *given = hm_yaml_find_value(&r->yaml, "rules.tolerance");
  *rules = *hm_rules_default();
  if (read_patterns(r, "rules.prose", &rules->prose, &rules->n_prose) ||
      read_patterns(r, "rules.text_fields", &rules->text_fields, &rules->n_text_fields) ||
      read_patterns(r, "rules.ordered_fields", &rules->ordered_fields, &rules->n_ordered_fields) ||
      read_patterns(r, "values.several", &rules->several, &rules->n_several) ||
      read_silence(r, rules) || read_switches(r, rules) || read_slots(r, rules) ||
      hm_config_read_story(r->a, &r->yaml, rules, r->err))
    return -1;
  if (!given || !given->count)
    return 0;
  hm_tolerance *v = hm_alloc_array(r->a, given->count, sizeof *v);
  hm_units *units = hm_units_new();
  int rc = 0;
  for (size_t i = 0; !rc && i < given->count; i++)
    rc = read_tolerance(r, i, units, &v[i]);
  hm_units_free(units);
  rules->tolerances = v;
  rules->n_tolerances = given->count;
  return rc;
}

/* --- publishing ----------------------------------------------------------------------- */

/* A path is relative to the config's folder, as its other paths are; the name of a remote is no
 * path. */
static int read_remote(const config_reader *r) {
  hm_config *c = r->out;
  const char *push = text(r, "publish.push", "");
  const char *timeout = text(r, "publish.push_timeout", "0");
  if (*push && hm_check_push_remote(push, hm_yaml_place(r->a, &r->yaml, "publish.push"), r->err))
    return -1;
  c->push_timeout = 60;
  if (strcmp(timeout, "0") != 0 &&
      hm_check_push_timeout(timeout, hm_yaml_place(r->a, &r->yaml, "publish.push_timeout"),
                            &c->push_timeout, r->err))
    return -1;
  c->push = !*push ? NULL : *push == '.' ? path(r, "publish.push", "") : push;
  c->ssh_key = *text(r, "publish.ssh_key", "") ? path(r, "publish.ssh_key", "") : NULL;
  c->credentials = *text(r, "publish.credentials", "") ? path(r, "publish.credentials", "") : NULL;
  return 0;
}

static int read_author(const config_reader *r) {
  hm_config *c = r->out;
  c->author_name = text(r, "publish.author.name", "hmirror");
  c->author_email = text(r, "publish.author.email", "hmirror@localhost");
  if (check_one_line(r, "publish.author.name") || check_one_line(r, "publish.author.email"))
    return -1;
  if (strpbrk(c->author_name, "<>") || !*c->author_name)
    return bad(r, "publish.author.name", "git takes no empty name and no < or > in one",
               "write a name, such as Workshop mirror");
  return strpbrk(c->author_email, "<> ") || !*c->author_email
      ? bad(r, "publish.author.email", "not an address", "write it as name@host")
      : 0;
}

/* Reads paths in the tree of the branch, which must be relative and inside it. */
static int read_keep(const config_reader *r) {
  static const char *const outside[] = { "//", "/../", "/./", "/.git/" };
  hm_config *c = r->out;
  const hm_str *v = list(r, "publish.keep", &c->n_keep);
  c->keep = hm_alloc_array(r->a, c->n_keep + 1, sizeof *c->keep);
  for (size_t i = 0; i < c->n_keep; i++) {
    hm_str framed = hm_str_fmt(r->a, "/%.*s/", HM_FMT(v[i]));
    for (size_t k = 0; k < HM_COUNT(outside); k++)
      if (k ? hm_str_find(framed, outside[k]) >= 0 : hm_str_starts(framed, outside[k]))
        return bad_entry(r, "publish.keep", i, "not a path inside the branch",
                         "write CNAME or docs/");
    c->keep[i] = v[i].p;
  }
  return 0;
}

static int read_exclude(const config_reader *r) {
  hm_exclude *x = &r->out->exclude;
  hm_str statuses[HM_STATUS_OTHER];
  for (size_t i = 0; i < HM_STATUS_OTHER; i++)
    statuses[i] = hm_str_c(hm_status_name((hm_status)i));
  x->projects = list(r, "publish.exclude.projects", &x->n_projects);
  x->types = list(r, "publish.exclude.types", &x->n_types);
  x->statuses = list(r, "publish.exclude.statuses", &x->n_statuses);
  x->tags = list(r, "publish.exclude.tags", &x->n_tags);
  x->properties = list(r, "publish.exclude.properties", &x->n_properties);
  for (size_t i = 0; i < x->n_statuses; i++)
    if (hm_status_parse(x->statuses[i]) == HM_STATUS_OTHER)
      return bad_entry(
          r, "publish.exclude.statuses", i, "no such status",
          hm_hint_names(x->statuses[i], statuses, HM_STATUS_OTHER, "use one of: ", r->a));
  return 0;
}

static int read_publish(const config_reader *r) {
  hm_config *c = r->out;
  const char *pages = text(r, "publish.pages", "both");
  c->markdown = strcmp(pages, "html") != 0;
  c->html = strcmp(pages, "markdown") != 0;
  c->repo = path(r, "publish.repo", "mirror.git");
  c->branch = text(r, "publish.branch", "mirror");
  c->message = hm_str_c(text(r, "publish.message", ""));
  c->published = list(r, "check.public", &c->n_published);
  if (hm_check_branch(c->branch, hm_yaml_place(r->a, &r->yaml, "publish.branch"), r->err) ||
      check_one_line(r, "publish.message"))
    return -1;
  if (c->markdown && c->html && strcmp(pages, "both") != 0)
    return bad(r, "publish.pages", "no such choice", "write both, markdown or html");
  return read_remote(r) || read_author(r) || read_keep(r) || read_exclude(r) ? -1 : 0;
}

/* The config names only the environment variable of the key, since the file may be published. out
 * must have the defaults of model and timeout. */
static int read_endpoint(const config_reader *r, const char *section, hm_endpoint *out) {
  const char *key[4], *const names[] = { "url", "model", "timeout", "key_env" };
  enum { URL, MODEL, TIMEOUT, KEY_ENV };
  for (int i = 0; i < 4; i++)
    key[i] = hm_str_fmt(r->a, "%s.%s", section, names[i]).p;
  const char *url = text(r, key[URL], ""), *env = text(r, key[KEY_ENV], "OPENAI_API_KEY");
  size_t seconds = (size_t)out->timeout;
  if (number(r, key[TIMEOUT], 1, 3600, &seconds) || check_one_line(r, key[MODEL]) ||
      (*url && hm_net_check_url(url, hm_yaml_place(r->a, &r->yaml, key[URL]), r->err)))
    return -1;
  if (hm_config_is_key(env))
    return bad(r, key[KEY_ENV], "a key, and not the name of the variable that holds it",
               "put the key into the environment, name its variable here, and replace the key: the "
               "file may be published");
  if (!*env || strpbrk(env, "= ") || check_one_line(r, key[KEY_ENV]))
    return bad(r, key[KEY_ENV], "not the name of an environment variable", NULL);
  if (!strcmp(env, "HMIRROR_TOKEN") || !strcmp(env, "HMIRROR_GIT_TOKEN"))
    return bad(r, key[KEY_ENV], "that token is for another use, and no model gets it",
               "name a variable with the model's key");
  out->url = *url ? url : NULL;
  out->model = text(r, key[MODEL], out->model);
  out->timeout = (int)seconds;
  out->key_env = env;
  return 0;
}

static int read_serve(const config_reader *r) {
  if (number(r, "agents.reports_per_day", 1, 100000, &r->out->reports_per_day))
    return -1;
  return number(r, "serve.queue", 1, 1000000, &r->out->queue);
}

static int read_endpoints(const config_reader *r) {
  r->out->judge = (hm_endpoint){ .model = "gpt-4o-mini", .timeout = 60 };
  r->out->recall = (hm_endpoint){ .model = "text-embedding-3-small", .timeout = 10 };
  const char *pick = text(r, "judge.pick", "near");
  r->out->judge_story = !strcmp(pick, "story");
  if (!r->out->judge_story && strcmp(pick, "near") != 0)
    return bad(r, "judge.pick", "no such choice", "write near or story");
  int rc = read_endpoint(r, "judge", &r->out->judge);
  return rc ? rc : read_endpoint(r, "recall", &r->out->recall);
}

/* --- loading -------------------------------------------------------------------------- */

int hm_config_parse(hm_arena *a, hm_str bytes, const char *name, const char *folder, hm_config *out,
                    hm_err *err) {
  config_reader r = { .a = a, .folder = folder, .out = out, .err = err };
  *out = (hm_config){ .file = name, .queue = 1000 };
  if (hm_str_starts(bytes, "\xEF\xBB\xBF"))
    bytes = hm_str_sub(bytes, 3, bytes.n);
  return hm_yaml_parse(a, bytes, name, keys, N_KEYS, &r.yaml, err) || read_files(&r) ||
          read_store_map(&r) || read_pages(&r) || read_rules(&r) ||
          hm_config_read_sources(a, &r.yaml, out, err) || read_publish(&r) || read_serve(&r) ||
          read_endpoints(&r) || hm_config_read_script(a, &r.yaml, &out->script, err) ||
          hm_config_read_house(a, &r.yaml, folder, out, err) ||
          hm_config_read_sign(a, &r.yaml, folder, out, err)
      ? -1
      : 0;
}

static const char *folder_of(hm_arena *a, const char *file) {
  const char *slash = strrchr(file, '/');
  return slash ? hm_str_z(a, (hm_str){ file, slash == file ? 1 : (size_t)(slash - file) }) : "";
}

const char *hm_config_world_file(hm_arena *a, const char *file) {
  return hm_path_join(a, folder_of(a, file ? file : "mirror.yml"), "world.yml");
}

const char *hm_config_rules_folder(hm_arena *a, const char *file) {
  return hm_path_join(a, folder_of(a, file ? file : "mirror.yml"), "rules");
}

/* Who gives us a folder must not choose what else of this machine goes into pages. */
static int check_inside(hm_arena *a, const char *file, const char *path, const char *fix,
                        hm_err *err) {
  return hm_path_leads_out(a, folder_of(a, file), path)
      ? hm_fail(err, HM_E_USAGE, path, "a link out of the mirror's folder", fix)
      : 0;
}

/* Loads the files beside it: world.yml, and rules. */
static int load_beside(hm_arena *a, const char *file, hm_config *out, hm_err *err) {
  hm_world_file world;
  hm_sql_rules *sql;
  if (check_inside(a, file, hm_config_world_file(a, file), "put a copy there", err) ||
      check_inside(a, file, hm_config_rules_folder(a, file), "put a copy there", err) ||
      hm_world_file_load(a, hm_config_world_file(a, file), &world, err))
    return -1;
  out->rules.worlds = world.worlds;
  out->rules.relations = world.relations;
  if (hm_rule_files_load(a, hm_config_rules_folder(a, file), &out->rules, &sql, err))
    return -1;
  out->rules.sql = sql;
  return 0;
}

int hm_config_load(hm_arena *a, const char *file, hm_config *out, hm_err *err) {
  struct stat st;
  hm_str bytes;
  if (!file) {
    file = "mirror.yml";
    if (check_inside(a, file, file, "put a copy there, or name it: --config mirror.yml", err))
      return -1;
    if (stat(file, &st) && errno == ENOENT) {
      int rc = hm_config_parse(a, HM_EMPTY, "defaults", "", out, err);
      out->file = NULL;
      return rc ? rc : load_beside(a, file, out, err);
    }
  }
  if (hm_file_read(a, file, HM_CONFIG_MAX, HM_E_USAGE, &bytes, err))
    return -1;
  int rc = hm_config_parse(a, bytes, file, folder_of(a, file), out, err);
  return rc ? rc : load_beside(a, file, out, err);
}
