/* Follows libyaml's events with a stack of open mappings and lists. Each has its path in two forms:
 * as in the table, to find keys, and as in messages. */
#include "gen/mirror/config_impl.h"
#include <string.h>
#include <yaml.h>
#include "core/base/near_names.h"
#include "core/base/text.h"

enum { DEEPEST = 8, PATH_MAX_BYTES = 200, OWN_KEY_MAX = 100 };

/* What is expected at a place. */
typedef enum {
  TEXT = HM_YAML_TEXT,
  LONG = HM_YAML_LONG,
  NEEDED = HM_YAML_NEEDED,
  NUMBER = HM_YAML_NUMBER,
  LIST = HM_YAML_LIST,
  PAIRS = HM_YAML_PAIRS,
  MAPPING,
  MAPPING_LIST
} expected;

/* An open mapping or list. */
typedef struct {
  expected type;
  size_t path, pattern;    /* lengths of its own, in yaml_scan */
  size_t header;           /* index of the list's value */
  size_t count, line;      /* entries of a list */
  bool seen[HM_YAML_KEYS]; /* mapping: rows of the table that have come */
  bool has_key;            /* mapping: a key has come, its value is next */
} level;

typedef struct {
  hm_arena *a;
  const hm_yaml_key *keys;
  size_t n_keys;
  yaml_parser_t parser;
  level levels[DEEPEST];
  int depth; /* levels open */
  char path[PATH_MAX_BYTES], pattern[PATH_MAX_BYTES];
  expected next; /* of the value after a key */
  hm_str bytes;  /* the file */
  hm_yaml *out;
  size_t cap;
  bool done; /* the document has ended */
  hm_err *err;
} yaml_scan;

static int bad(const yaml_scan *s, size_t line, const char *path, const char *why,
               const char *fix) {
  hm_str what = *path ? hm_str_fmt(s->a, "%s:%zu: %s", s->out->name, line, path)
                      : hm_str_fmt(s->a, "%s:%zu", s->out->name, line);
  return hm_fail(s->err, HM_E_USAGE, what.p, why, fix);
}

static hm_yaml_value *add_value(yaml_scan *s, size_t line, hm_str text) {
  hm_yaml *y = s->out;
  if (y->n == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 32;
    hm_yaml_value *v = hm_alloc_array(s->a, s->cap, sizeof *v);
    if (y->n)
      memcpy(v, y->v, y->n * sizeof *v);
    y->v = v;
  }
  hm_str path = hm_str_dup(s->a, hm_str_c(s->path));
  hm_map_add(&y->by_path, path, (uint32_t)y->n);
  y->v[y->n] = (hm_yaml_value){ .path = path.p, .line = line, .text = hm_str_dup(s->a, text) };
  return &y->v[y->n++];
}

/* --- keys --------------------------------------------------------------------------- */

/* Name of the i-th key of the mapping that s->pattern leads to, with its row; NULL: no more. */
static const char *key_of_level(const yaml_scan *s, size_t i, size_t *row) {
  size_t n = s->levels[s->depth - 1].pattern;
  hm_str last = HM_EMPTY;
  for (size_t k = 0; k < s->n_keys; k++) {
    const char *name = s->keys[k].path + n;
    if (strncmp(s->keys[k].path, s->pattern, n) != 0)
      continue;
    hm_str here = { name, strcspn(name, "/[") };
    if (hm_str_eq(here, last))
      continue;
    last = here;
    if (i-- > 0)
      continue;
    *row = k;
    return hm_str_z(s->a, here);
  }
  return NULL;
}

static const char *nth_key(void *ctx, size_t i) {
  size_t row;
  return key_of_level(ctx, i, &row);
}

static int unknown_key(yaml_scan *s, size_t line, const char *key) {
  size_t n = s->levels[s->depth - 1].path, row;
  hm_str path = hm_str_fmt(s->a, "%.*s%s%.60s", (int)n, s->path, n ? "." : "", key);
  const char *near = hm_find_nearest_word(key, nth_key, s), *name;
  if (near)
    return bad(s, line, path.p, "unknown key", hm_str_fmt(s->a, "did you mean '%s'?", near).p);
  hm_buf all = { 0 };
  for (size_t i = 0; (name = key_of_level(s, i, &row)); i++)
    hm_buf_fmt(&all, "%s%s", i ? ", " : "the keys here are ", name);
  hm_str fix = hm_buf_take(&all, s->a);
  return bad(s, line, path.p, "unknown key", fix.p);
}

static int take_key(yaml_scan *s, level *l, const char *key, size_t line) {
  size_t row = 0;
  const char *name;
  for (size_t i = 0; (name = key_of_level(s, i, &row)) && strcmp(name, key) != 0;)
    i++;
  if (!name)
    return unknown_key(s, line, key);
  const char *rest = s->keys[row].path + l->pattern + strlen(name);
  s->next = *rest == '/' ? MAPPING : *rest == '[' ? MAPPING_LIST : (expected)s->keys[row].type;
  snprintf(s->path + l->path, sizeof s->path - l->path, "%s%s", l->path ? "." : "", name);
  snprintf(s->pattern + l->pattern, sizeof s->pattern - l->pattern, "%s%s", name,
           *rest == '[' ? "[]/"
               : *rest  ? "/"
                        : "");
  if (l->seen[row])
    return bad(s, line, s->path, "this key was given before", "keep one of them");
  l->seen[row] = true;
  l->has_key = true;
  return 0;
}

/* A key of people's own, in a mapping of pairs. */
static int take_own_key(yaml_scan *s, level *l, const char *key, size_t line) {
  s->path[l->path] = 0;
  if (!*key || strlen(key) > OWN_KEY_MAX)
    return bad(s, line, s->path, "a key of 1 to 100 bytes is expected here", "");
  snprintf(s->path + l->path, sizeof s->path - l->path, ".%s", key);
  if (hm_map_get(&s->out->by_path, hm_str_c(s->path)) != HM_MAP_NONE)
    return bad(s, line, s->path, "this key was given before", "keep one of them");
  s->next = NEEDED;
  l->has_key = true;
  return 0;
}

/* --- values ------------------------------------------------------------------------- */

/* What the value that begins now must be; sets its path. */
static expected begin_value(yaml_scan *s) {
  if (!s->depth)
    return MAPPING;
  level *l = &s->levels[s->depth - 1];
  if (l->type == MAPPING || l->type == PAIRS)
    return s->next;
  snprintf(s->path + l->path, sizeof s->path - l->path, "[%zu]", l->count);
  return l->type == LIST ? TEXT : MAPPING;
}

static void end_value(yaml_scan *s) {
  if (!s->depth) {
    s->done = true;
    return;
  }
  s->levels[s->depth - 1].has_key = false;
  s->levels[s->depth - 1].count++;
}

static int wrong_type(const yaml_scan *s, size_t line, expected want) {
  static const char *const wanted[] = {
    [TEXT] = "a text is expected here",
    [LONG] = "a text is expected here",
    [NEEDED] = "a text is expected here",
    [NUMBER] = "a whole number is expected here",
    [LIST] = "a list is expected here: [one, two]",
    [PAIRS] = "keys and values are expected here",
    [MAPPING] = "keys and values are expected here",
    [MAPPING_LIST] = "a list is expected here: [one, two]",
  };
  return bad(s, line, s->path, wanted[want], "");
}

/* 010 would be read as 8 elsewhere. */
static bool is_whole_number(hm_str s) {
  return s.n > 0 && s.n <= 9 && (s.n == 1 || s.p[0] != '0') && hm_skip_digits(s, 0) == s.n;
}

static bool is_null(const yaml_event_t *e) {
  static const char *const nulls[] = { "", "~", "null", "Null", "NULL" };
  if (e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
    return false;
  for (size_t i = 0; i < HM_COUNT(nulls); i++)
    if (strcmp((const char *)e->data.scalar.value, nulls[i]) == 0)
      return true;
  return false;
}

static int take_scalar(yaml_scan *s, const yaml_event_t *e) {
  hm_str text = { (const char *)e->data.scalar.value, e->data.scalar.length };
  size_t line = e->start_mark.line + 1;
  level *l = s->depth ? &s->levels[s->depth - 1] : NULL;
  if (memchr(text.p, 0, text.n))
    return bad(s, line, "", "a NUL character", "remove \\0");
  if (l && l->type == MAPPING && !l->has_key)
    return take_key(s, l, text.p, line);
  if (l && l->type == PAIRS && !l->has_key)
    return take_own_key(s, l, text.p, line);
  expected want = begin_value(s);
  if (is_null(e) && l && l->type == MAPPING && want != NUMBER && want != NEEDED) {
    end_value(s);
    return 0;
  }
  if (want > NUMBER || (want == NUMBER && !is_whole_number(text)))
    return wrong_type(s, line, want);
  size_t max = want == LONG ? 65536 : 4096;
  if (text.n > max)
    return bad(s, line, s->path, "too long", hm_str_fmt(s->a, "at most %zu bytes", max).p);
  add_value(s, line, text);
  end_value(s);
  return 0;
}

static int open_level(yaml_scan *s, const yaml_event_t *e, bool sequence) {
  size_t line = e->start_mark.line + 1;
  level *l = s->depth ? &s->levels[s->depth - 1] : NULL;
  if (l && (l->type == MAPPING || l->type == PAIRS) && !l->has_key)
    return bad(s, line, s->path, "a key must be a plain word", "");
  expected want = begin_value(s);
  if (sequence ? want != LIST && want != MAPPING_LIST : want != MAPPING && want != PAIRS)
    return wrong_type(s, line, want);
  if (sequence || want == PAIRS)
    add_value(s, line, HM_EMPTY);
  s->levels[s->depth++] = (level){ .type = want,
                                   .path = strlen(s->path),
                                   .pattern = strlen(s->pattern),
                                   .header = s->out->n - 1,
                                   .line = line };
  return 0;
}

static int close_level(yaml_scan *s) {
  level *l = &s->levels[s->depth - 1];
  s->path[l->path] = s->pattern[l->pattern] = 0;
  size_t row;
  const char *name;
  for (size_t i = 0; l->type == MAPPING && (name = key_of_level(s, i, &row)); i++)
    if (s->keys[row].type == HM_YAML_NEEDED && !l->seen[row] &&
        !s->keys[row].path[l->pattern + strlen(name)])
      return bad(s, l->line, s->path, hm_str_fmt(s->a, "'%s' is missing", name).p, "");
  if (l->type != MAPPING && l->count > HM_YAML_ENTRIES)
    return bad(s, l->line, s->path, "too many entries", "");
  if (l->type != MAPPING)
    s->out->v[l->header].count = l->count;
  s->depth--;
  end_value(s);
  if (s->depth) {
    s->path[s->levels[s->depth - 1].path] = 0;
    s->pattern[s->levels[s->depth - 1].pattern] = 0;
  }
  return 0;
}

static int take_event(yaml_scan *s, const yaml_event_t *e) {
  size_t line = e->start_mark.line + 1;
  switch (e->type) {
    case YAML_SCALAR_EVENT:
      return take_scalar(s, e);
    case YAML_MAPPING_START_EVENT:
      return open_level(s, e, false);
    case YAML_SEQUENCE_START_EVENT:
      return open_level(s, e, true);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
      return close_level(s);
    case YAML_ALIAS_EVENT:
      return bad(s, line, s->path, "aliases (*name) are not read here", "write the value out");
    case YAML_DOCUMENT_START_EVENT:
      return s->done ? bad(s, line, "", "a second document", "keep one of them") : 0;
    default:
      return 0;
  }
}

/* Whether the line at fault is indented by a tab. */
static bool at_tab(const yaml_scan *s) {
  const char *line = hm_str_z(s->a, s->bytes);
  for (size_t i = s->parser.problem_mark.line; i && line; i--)
    if ((line = strchr(line, '\n')))
      line++;
  return line && line[strspn(line, " -")] == '\t';
}

static int not_yaml(const yaml_scan *s) {
  const yaml_parser_t *p = &s->parser;
  if (p->error == YAML_READER_ERROR)
    return hm_fail(s->err, HM_E_USAGE, s->out->name, p->problem, "save it as UTF-8 text");
  hm_str why = hm_str_fmt(s->a, "%s%s%s", p->context ? p->context : "", p->context ? ", " : "",
                          p->problem ? p->problem : "this is no YAML");
  bool is_left = p->problem && p->problem_mark.column &&
      strcmp(p->problem, "did not find expected key") == 0; /* as where its parent is a comment */
  return bad(s, p->problem_mark.line + 1, "", why.p,
             is_left ? "it belongs below no key: take the # away from the one above it, too, or "
                       "indent it as its neighbours are"
                 : at_tab(s)
                 ? "indent with spaces: YAML takes no tab there"
                 : "check its quotes, brackets and indentation; write a text with : or # in it "
                   "in quotes");
}

int hm_yaml_parse(hm_arena *a, hm_str bytes, const char *name, const hm_yaml_key *keys, size_t n,
                  hm_yaml *out, hm_err *err) {
  yaml_scan s = { .a = a, .keys = keys, .n_keys = n, .out = out, .err = err, .bytes = bytes };
  *out = (hm_yaml){ .name = name };
  hm_map_init(&out->by_path, a, 0);
  if (hm_text_repair(a, bytes).p != bytes.p)
    return hm_fail(err, HM_E_USAGE, name, "not valid UTF-8", "save it as UTF-8 text");
  if (!yaml_parser_initialize(&s.parser))
    return hm_fail(err, HM_E_INTERNAL, name, "libyaml does not start", NULL);
  yaml_parser_set_encoding(&s.parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&s.parser, (const unsigned char *)bytes.p, bytes.n);
  int rc = 0;
  for (bool end = false; !rc && !end;) {
    yaml_event_t e;
    if (!yaml_parser_parse(&s.parser, &e)) {
      rc = not_yaml(&s);
      break;
    }
    end = e.type == YAML_STREAM_END_EVENT;
    rc = take_event(&s, &e);
    yaml_event_delete(&e);
  }
  yaml_parser_delete(&s.parser);
  return rc;
}

const hm_yaml_value *hm_yaml_find_value(const hm_yaml *y, const char *path) {
  uint32_t i = y->n ? hm_map_get(&y->by_path, hm_str_c(path)) : HM_MAP_NONE;
  return i == HM_MAP_NONE ? NULL : &y->v[i];
}

const char *hm_yaml_place(hm_arena *a, const hm_yaml *y, const char *path) {
  const hm_yaml_value *v = hm_yaml_find_value(y, path);
  return v ? hm_str_fmt(a, "%s:%zu: %s", y->name, v->line, path).p
           : hm_str_fmt(a, "%s: %s", y->name, path).p;
}

int hm_yaml_fail(hm_arena *a, const hm_yaml *y, const char *path, const char *why, const char *fix,
                 hm_err *err) {
  return hm_fail(err, HM_E_USAGE, hm_yaml_place(a, y, path), why, fix);
}
