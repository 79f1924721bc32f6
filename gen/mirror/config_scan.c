#include <string.h>
#include <yaml.h>
#include "core/base/near.h"
#include "core/base/text.h"
#include "gen/mirror/config_impl.h"

/* A mapping or a list that is open. */
typedef struct {
  const cyaml_schema_value_t *schema;
  const cyaml_schema_field_t *field;   /* mapping: whose value comes next; NULL: a key comes */
  uint64_t seen;                       /* mapping: fields that have come, by index */
  size_t path, count, line;            /* length of its own path; entries of a list */
} level;

typedef struct {
  hm_arena *a;
  const char *name;
  yaml_parser_t parser;
  level levels[HM_CONFIG_DEPTH];
  int depth;                           /* levels open */
  char path[HM_CONFIG_PATH];
  hm_config_lines *out;
  size_t cap;
  bool done;                           /* the document has ended */
  hm_err *err;
} scan;

static int bad(scan *s, size_t line, const char *path, const char *fix, const char *why) {
  hm_str what = *path ? hm_str_fmt(s->a, "%s:%zu: %s", s->name, line, path)
                      : hm_str_fmt(s->a, "%s:%zu", s->name, line);
  return hm_fail(s->err, HM_E_USAGE, what.p, why, fix);
}

static void remember(scan *s, size_t line) {
  if (s->out->n == s->cap) {
    size_t cap = s->cap ? 2 * s->cap : 32;
    hm_config_line *v = hm_alloc_array(s->a, cap, sizeof *v);
    if (s->out->n) memcpy(v, s->out->v, s->out->n * sizeof *v);
    s->out->v = v;
    s->cap = cap;
  }
  s->out->v[s->out->n++] = (hm_config_line){ hm_str_dup(s->a, hm_str_c(s->path)).p, line };
}

static const char *nth_key(void *ctx, size_t i) {
  return ((const cyaml_schema_field_t *)ctx)[i].key;
}

static int unknown_key(scan *s, size_t line, const level *l, const char *key) {
  hm_str path = l->path ? hm_str_fmt(s->a, "%.*s.%.60s", (int)l->path, s->path, key)
                        : hm_str_fmt(s->a, "%.60s", key);
  const char *near = hm_nearest(key, nth_key, (void *)l->schema->mapping.fields);
  if (near)
    return bad(s, line, path.p, hm_str_fmt(s->a, "did you mean '%s'?", near).p, "unknown key");
  hm_buf all = { 0 };
  for (const cyaml_schema_field_t *f = l->schema->mapping.fields; f->key; f++)
    hm_buf_fmt(&all, "%s%s", all.n ? ", " : "the keys here are ", f->key);
  hm_str fix = hm_buf_keep(&all, s->a);
  hm_buf_free(&all);
  return bad(s, line, path.p, fix.p, "unknown key");
}

/* A scalar where the innermost mapping wants a key. */
static int take_key(scan *s, level *l, const char *key, size_t n, size_t line) {
  const cyaml_schema_field_t *f = l->schema->mapping.fields;
  while (f->key && (strlen(f->key) != n || memcmp(f->key, key, n) != 0)) f++;
  if (!f->key) return unknown_key(s, line, l, key);
  uint64_t bit = (uint64_t)1 << (f - l->schema->mapping.fields);
  snprintf(s->path + l->path, sizeof s->path - l->path, "%s%s", l->path ? "." : "", f->key);
  if (l->seen & bit) return bad(s, line, s->path, "keep one of them", "this key was given before");
  l->seen |= bit;
  l->field = f;
  return 0;
}

/* What the value that begins now must be, and its path. NULL: the top. */
static const cyaml_schema_value_t *expected(scan *s) {
  if (!s->depth) return &hm_config_schema;
  level *l = &s->levels[s->depth - 1];
  if (l->schema->type == CYAML_MAPPING) return &l->field->value;
  snprintf(s->path + l->path, sizeof s->path - l->path, "[%zu]", l->count);
  return l->schema->sequence.entry;
}

/* The value that began with expected() has ended. */
static void ended(scan *s) {
  if (!s->depth) { s->done = true; return; }
  level *l = &s->levels[s->depth - 1];
  l->field = NULL;
  l->count++;
}

static const char *wanted(cyaml_type_e t) {
  switch (t) {
    case CYAML_MAPPING: return "keys and values are expected here";
    case CYAML_SEQUENCE: return "a list is expected here: [one, two]";
    case CYAML_UINT: return "a whole number is expected here";
    default: return "a text is expected here";
  }
}

static bool is_number(const char *p, size_t n) {
  if (n == 0 || n > 9 || (n > 1 && p[0] == '0')) return false;   /* 010 would be read as 8 */
  for (size_t i = 0; i < n; i++)
    if (p[i] < '0' || p[i] > '9') return false;
  return true;
}

/* cyaml's notion of "nothing": the default stays. */
static bool is_null(const yaml_event_t *e) {
  static const char *const nulls[] = { "", "~", "null", "Null", "NULL" };
  if (e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) return false;
  for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
    if (strcmp((const char *)e->data.scalar.value, nulls[i]) == 0) return true;
  return false;
}

static int take_scalar(scan *s, const yaml_event_t *e) {
  const char *p = (const char *)e->data.scalar.value;
  size_t n = e->data.scalar.length, line = e->start_mark.line + 1;
  level *l = s->depth ? &s->levels[s->depth - 1] : NULL;
  if (memchr(p, 0, n)) return bad(s, line, "", "remove \\0", "a NUL character");
  if (l && l->schema->type == CYAML_MAPPING && !l->field) return take_key(s, l, p, n, line);
  const cyaml_schema_value_t *want = expected(s);
  if (is_null(e) && (want->flags & CYAML_FLAG_POINTER_NULL) == CYAML_FLAG_POINTER_NULL) {
    ended(s);
    return 0;
  }
  if (want->type != CYAML_STRING && !(want->type == CYAML_UINT && is_number(p, n)))
    return bad(s, line, s->path, "", wanted(want->type));
  if (want->type == CYAML_STRING && n > want->string.max)
    return bad(s, line, s->path, hm_str_fmt(s->a, "at most %u bytes", (unsigned)want->string.max).p,
               "too long");
  remember(s, line);
  ended(s);
  return 0;
}

static int open_level(scan *s, const yaml_event_t *e, cyaml_type_e type) {
  size_t line = e->start_mark.line + 1;
  level *l = s->depth ? &s->levels[s->depth - 1] : NULL;
  if (l && l->schema->type == CYAML_MAPPING && !l->field)
    return bad(s, line, s->path, "", "a key must be a plain word");
  const cyaml_schema_value_t *want = expected(s);
  if (want->type != type) return bad(s, line, s->path, "", wanted(want->type));
  if (type == CYAML_SEQUENCE) remember(s, line);
  s->levels[s->depth++] = (level){ .schema = want, .path = strlen(s->path), .line = line };
  return 0;
}

static int close_level(scan *s) {
  level *l = &s->levels[--s->depth];
  s->path[l->path] = 0;
  if (l->schema->type == CYAML_MAPPING) {
    size_t i = 0;
    for (const cyaml_schema_field_t *f = l->schema->mapping.fields; f->key; f++, i++)
      if (!(f->value.flags & CYAML_FLAG_OPTIONAL) && !(l->seen >> i & 1))
        return bad(s, l->line, s->path, "", hm_str_fmt(s->a, "'%s' is missing", f->key).p);
  } else if (l->count > l->schema->sequence.max) {
    return bad(s, l->line, s->path, "", "too many entries");
  }
  ended(s);
  if (s->depth) s->path[s->levels[s->depth - 1].path] = 0;
  return 0;
}

static int take(scan *s, const yaml_event_t *e) {
  size_t line = e->start_mark.line + 1;
  switch (e->type) {
    case YAML_SCALAR_EVENT: return take_scalar(s, e);
    case YAML_MAPPING_START_EVENT: return open_level(s, e, CYAML_MAPPING);
    case YAML_SEQUENCE_START_EVENT: return open_level(s, e, CYAML_SEQUENCE);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT: return close_level(s);
    case YAML_ALIAS_EVENT:
      return bad(s, line, s->path, "write the value out", "aliases (*name) are not read here");
    case YAML_DOCUMENT_START_EVENT:
      if (s->done) return bad(s, line, "", "keep one of them", "a second document");
      return 0;
    default: return 0;
  }
}

static int not_yaml(scan *s) {
  const yaml_parser_t *p = &s->parser;
  size_t line = p->problem_mark.line + 1;
  if (p->error == YAML_READER_ERROR)
    return hm_fail(s->err, HM_E_USAGE, s->name, p->problem, "save it as UTF-8 text");
  return bad(s, line, "", "",
             hm_str_fmt(s->a, "%s%s%s", p->context ? p->context : "", p->context ? ", " : "",
                        p->problem ? p->problem : "this is no YAML")
                 .p);
}

int hm_config_scan(hm_arena *a, hm_str bytes, const char *name, hm_config_lines *out, hm_err *err) {
  scan s = { .a = a, .name = name, .out = out, .err = err };
  *out = (hm_config_lines){ .name = name };
  if (hm_text_repair(a, bytes).p != bytes.p)
    return hm_fail(err, HM_E_USAGE, name, "not valid UTF-8", "save it as UTF-8 text");
  if (!yaml_parser_initialize(&s.parser))
    return hm_fail(err, HM_E_INTERNAL, name, "libyaml does not start", NULL);
  yaml_parser_set_encoding(&s.parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&s.parser, (const unsigned char *)bytes.p, bytes.n);
  int rc = 0;
  for (bool end = false; !rc && !end; ) {
    yaml_event_t e;
    if (!yaml_parser_parse(&s.parser, &e)) { rc = not_yaml(&s); break; }
    end = e.type == YAML_STREAM_END_EVENT;
    rc = take(&s, &e);
    yaml_event_delete(&e);
  }
  yaml_parser_delete(&s.parser);
  return rc;
}

size_t hm_config_line_of(const hm_config_lines *l, const char *path) {
  for (size_t i = 0; i < l->n; i++)
    if (strcmp(l->v[i].path, path) == 0) return l->v[i].line;
  return 0;
}

const char *hm_config_at(hm_arena *a, const hm_config_lines *l, const char *path) {
  size_t line = hm_config_line_of(l, path);
  return line ? hm_str_fmt(a, "%s:%zu: %s", l->name, line, path).p
              : hm_str_fmt(a, "%s: %s", l->name, path).p;
}
