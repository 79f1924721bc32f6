/* YAML as JSON, so that one reader serves both: each document is a line.
 *
 * Follows libyaml's events, so memory is bounded by the depth. A plain scalar is null, true, false
 * or a number where YAML's core schema and JSON agree on it, else a text: `no` is a text, and a
 * number keeps its digits. An alias would multiply what stands once, and is refused, as is a key
 * that is no scalar. Cost: linear. */
#include <errno.h>
#include <string.h>
#include <yaml.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/foreign/readers.h"
#include "gen/mirror/mirror.h"

/* An open mapping or list. */
typedef struct {
  bool mapping;
  size_t count; /* of keys and values */
} level;

typedef struct {
  FILE *out;
  const char *name;
  hm_buf text; /* of one scalar */
  level levels[HM_JSON_MAX_DEPTH];
  int depth;
  hm_err *err;
} yaml_writer;

#define BY_YQ "yq . FILE >rows.json && hmirror init --from rows.json mirror"

/* fix: FILE is the name of the file. */
static int bad(const yaml_writer *w, size_t line, const char *why, const char *fix) {
  char what[480];
  hm_arena *a = hm_arena_new();
  snprintf(what, sizeof what, "%.400s:%zu", w->name, line + 1);
  int rc = hm_fail(w->err, HM_E_INPUT, what, why, hm_format_fill(a, fix, hm_str_c(w->name)).p);
  hm_arena_free(a);
  return rc;
}

/* -1, 0.5, 2e9: a number of JSON, too. */
static bool is_number(hm_str s) {
  size_t i = s.n && s.p[0] == '-', from = i, digits = hm_skip_digits(s, i);
  if (digits == from || (s.p[from] == '0' && digits > from + 1))
    return false;
  i = digits;
  if (i < s.n && s.p[i] == '.') {
    digits = hm_skip_digits(s, ++i);
    if (digits == i)
      return false;
    i = digits;
  }
  if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
    i += 1 + (i + 1 < s.n && strchr("+-", s.p[i + 1]));
    digits = hm_skip_digits(s, i);
    if (digits == i)
      return false;
    i = digits;
  }
  return i == s.n;
}

/* What a plain scalar is in JSON, or NULL: a text. */
static const char *plain_word(hm_str s) {
  static const struct {
    const char *yaml, *json;
  } words[] = {
    { "", "null" },       { "~", "null" },      { "null", "null" },   { "Null", "null" },
    { "NULL", "null" },   { "true", "true" },   { "True", "true" },   { "TRUE", "true" },
    { "false", "false" }, { "False", "false" }, { "FALSE", "false" },
  };
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (hm_str_is(s, words[i].yaml))
      return words[i].json;
  return NULL;
}

/* Puts what stands between this value and the one before it. */
static int begin_value(yaml_writer *w, const yaml_event_t *e) {
  level *l = w->depth ? &w->levels[w->depth - 1] : NULL;
  if (!l)
    return 0;
  if (l->mapping && l->count % 2 == 0 && e->type != YAML_SCALAR_EVENT)
    return bad(w, e->start_mark.line, "a key of YAML that is a list or a mapping", BY_YQ);
  if (l->count)
    fputc(l->mapping && l->count % 2 ? ':' : ',', w->out);
  l->count++;
  return 0;
}

static int put_scalar(yaml_writer *w, const yaml_event_t *e) {
  hm_str s = { (const char *)e->data.scalar.value, e->data.scalar.length };
  const level *l = w->depth ? &w->levels[w->depth - 1] : NULL;
  bool key = l && l->mapping && l->count % 2 == 0, plain = e->data.scalar.plain_implicit && !key;
  const char *word = plain ? plain_word(s) : NULL;
  if (begin_value(w, e))
    return -1;
  if (word) {
    fputs(word, w->out);
    return 0;
  }
  hm_buf_clear(&w->text);
  if (plain && is_number(s))
    hm_buf_str(&w->text, s);
  else
    hm_json_write_str(&w->text, s);
  hm_str out = hm_buf_view(&w->text);
  fwrite(out.p, 1, out.n, w->out);
  return 0;
}

static int open_level(yaml_writer *w, const yaml_event_t *e) {
  bool mapping = e->type == YAML_MAPPING_START_EVENT;
  if (begin_value(w, e))
    return -1;
  if (w->depth == HM_JSON_MAX_DEPTH)
    return bad(w, e->start_mark.line, "more levels of nesting than 64", "give flatter records");
  w->levels[w->depth++] = (level){ mapping, 0 };
  fputc(mapping ? '{' : '[', w->out);
  return 0;
}

static int take_event(yaml_writer *w, const yaml_event_t *e) {
  switch (e->type) {
    case YAML_SCALAR_EVENT:
      return put_scalar(w, e);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
      return open_level(w, e);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      fputc(w->levels[--w->depth].mapping ? '}' : ']', w->out);
      return 0;
    case YAML_ALIAS_EVENT:
      return bad(w, e->start_mark.line, "an alias of YAML, *NAME", BY_YQ);
    case YAML_DOCUMENT_END_EVENT:
      fputc('\n', w->out);
      return 0;
    default:
      return 0;
  }
}

static int write_json(yaml_writer *w, FILE *in) {
  yaml_parser_t parser;
  int rc = 0;
  if (!yaml_parser_initialize(&parser))
    return hm_fail(w->err, HM_E_INTERNAL, w->name, "libyaml does not start", NULL);
  yaml_parser_set_input_file(&parser, in);
  for (bool end = false; !rc && !end;) {
    yaml_event_t e;
    if (!yaml_parser_parse(&parser, &e)) {
      rc = bad(w, parser.problem_mark.line, "not valid YAML",
               "check its quotes, brackets and indentation");
      break;
    }
    end = e.type == YAML_STREAM_END_EVENT;
    rc = take_event(w, &e);
    yaml_event_delete(&e);
  }
  yaml_parser_delete(&parser);
  return rc;
}

FILE *hm_yaml_as_json(FILE *in, const char *name, hm_err *err) {
  FILE *out = tmpfile();
  yaml_writer w = { .out = out, .name = name, .err = err };
  if (!out) {
    hm_fail(err, HM_E_OUTPUT, "a temporary file", strerror(errno), hm_errno_suggest_fix(errno));
    return NULL;
  }
  int rc = write_json(&w, in);
  if (!rc && (fflush(out) || ferror(out)))
    rc =
        hm_fail(err, HM_E_OUTPUT, "a temporary file", strerror(errno), hm_errno_suggest_fix(errno));
  hm_buf_free(&w.text);
  rewind(out);
  if (!rc)
    return out;
  fclose(out);
  return NULL;
}
