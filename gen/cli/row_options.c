/* Makes a record, one JSON object, from options, words and a file. A value from options or words
 * replaces the file's value of that name. */
#include "gen/cli/row_options.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "core/base/text.h"
#include "gen/cli/cli.h"
#include "gen/mirror/files.h"

enum {
  RECORD_MAX = 64 << 20,
  MEMORY = 1 << HM_MEMORY,
  ENTITY = 1 << HM_ENTITY,
  STATE = 1 << HM_STATE,
  RELATION = 1 << HM_RELATION,
  ALL = MEMORY | ENTITY | STATE | RELATION
};

typedef enum { TEXT, NUMBER, LIST, FLAG } column_type;

/* An option, and the column that it is in records of these layers. */
static const struct {
  const char *option, *column;
  column_type type;
  unsigned layers;
} columns[] = {
  { "id", "id", TEXT, ALL },
  { "project", "project", TEXT, ALL },
  { "type", "memory_type", TEXT, MEMORY },
  { "type", "entity_type", TEXT, ENTITY },
  { "type", "type", TEXT, RELATION },
  { "content", "content", TEXT, MEMORY },
  { "name", "name", TEXT, ENTITY },
  { "description", "description", TEXT, ENTITY },
  { "category", "category", TEXT, STATE },
  { "key", "key", TEXT, STATE },
  { "value", "value", TEXT, STATE },
  { "status", "status", TEXT, ALL },
  { "confidence", "confidence", NUMBER, ALL },
  { "importance", "importance", NUMBER, MEMORY },
  { "polarity", "polarity", NUMBER, MEMORY },
  { "scope", "scope", TEXT, MEMORY },
  { "agent", "agent", TEXT, MEMORY },
  { "slot-rule", "slot_rule", TEXT, MEMORY },
  { "tag", "tags", LIST, MEMORY },
  { "source", "source_refs", LIST, MEMORY | ENTITY | RELATION },
  { "source", "source", TEXT, STATE },
  { "hand-authored", "hand_authored", FLAG, ENTITY },
  { "valid-from", "valid_from", TEXT, ALL },
  { "valid-until", "valid_until", TEXT, ALL },
  { "created-at", "created_at", TEXT, ALL },
  { "property", "properties", LIST, ENTITY | RELATION },
  { "value-json", "value", LIST, STATE },
};
enum { N_COLUMNS = HM_COUNT(columns) };

/* --- values --------------------------------------------------------------------------- */

static hm_json *new_json(hm_cli *cli, hm_json_type type, hm_str text) {
  hm_json *v = hm_alloc(cli->a, sizeof *v);
  *v = (hm_json){ .type = type, .text = hm_text_repair(cli->a, text) };
  return v;
}

static void add_member(hm_json *to, hm_str key, hm_json *v) {
  hm_json **end = &to->child;
  while (*end)
    end = &(*end)->next;
  v->key = key;
  *end = v;
  to->count++;
}

/* Adds a member; an error when there is one of that name. fix: what to do then. */
static int set_member(hm_cli *cli, hm_json *to, const char *key, hm_json *v, const char *shown,
                      const char *fix) {
  if (hm_json_get(to, key))
    return hm_fail_usage(cli, shown, "given twice", fix);
  add_member(to, hm_text_repair(cli->a, hm_str_c(key)), v);
  return 0;
}

/* The value as its column has it. A number that is none stays a text: the store's own check tells
 * what is wrong with it. */
static hm_json *value_of(hm_cli *cli, column_type type, const char *value) {
  hm_json *v;
  if (type == NUMBER && !hm_json_parse(cli->a, hm_str_c(value), &v, NULL) &&
      v->type == HM_JSON_NUMBER)
    return v;
  if (type == FLAG && strcmp(value, "true") == 0)
    return new_json(cli, HM_JSON_TRUE, HM_EMPTY);
  if (type == FLAG && strcmp(value, "false") == 0)
    return new_json(cli, HM_JSON_FALSE, HM_EMPTY);
  return new_json(cli, HM_JSON_STRING, hm_str_c(value));
}

static int parse_value(hm_cli *cli, const char *text, const char *shown, hm_json **out) {
  return hm_json_parse(cli->a, hm_str_c(text), out, &cli->err)
      ? hm_fail_usage(cli, shown, hm_str_fmt(cli->a, "no JSON: %s", cli->err.why).p,
                      "a text is given by NAME=VALUE")
      : 0;
}

/* Sets what "NAME=VALUE" or "NAME:=JSON" says, for each such option; type: of a column, or NULL. */
static int set_pairs(hm_cli *cli, hm_json *to, const char *option,
                     column_type (*type)(const char *), const char *fix) {
  for (size_t i = 0; i < cli->args.n_given; i++) {
    const hm_given_option *g = &cli->args.given[i];
    if (strcmp(g->option->name, option) != 0)
      continue;
    const char *eq = strchr(g->value, '=');
    size_t n = eq ? (size_t)(eq - g->value) : 0;
    bool json = n && g->value[n - 1] == ':';
    n -= json;
    if (!n)
      return hm_fail_usage(cli, hm_str_fmt(cli->a, "%s %.60s", g->shown, g->value).p,
                           "no NAME=VALUE",
                           "write NAME=VALUE for a text, NAME:=JSON for anything else");
    const char *name = hm_str_z(cli->a, (hm_str){ g->value, n }),
               *shown = hm_str_fmt(cli->a, "%s %.60s", type ? "--set" : g->shown, name).p;
    hm_json *v = NULL;
    if (json && parse_value(cli, eq + 1, shown, &v))
      return -1;
    if (!json)
      v = value_of(cli, type ? type(name) : TEXT, eq + 1);
    if (set_member(cli, to, name, v, shown, fix))
      return -1;
  }
  return 0;
}

static int set_properties(hm_cli *cli, hm_json *to) {
  hm_json *properties = new_json(cli, HM_JSON_OBJECT, HM_EMPTY);
  if (!hm_cli_get_option(cli, "property"))
    return 0;
  return set_member(cli, to, "properties", properties, "--property", "give it once") ||
          set_pairs(cli, properties, "property", NULL,
                    "give several values as NAME:='[\"a\",\"b\"]'")
      ? -1
      : 0;
}

/* --- columns and words ------------------------------------------------------------------ */

/* An option that means nothing for this layer is a mistake worth telling. */
static int check_options(hm_cli *cli, hm_layer layer) {
  for (size_t i = 0; i < cli->args.n_given; i++) {
    unsigned of = 0;
    for (size_t k = 0; k < N_COLUMNS; k++)
      if (strcmp(columns[k].option, cli->args.given[i].option->name) == 0)
        of |= columns[k].layers;
    if (of && !(of & 1u << layer))
      return hm_fail_usage(cli, cli->args.given[i].shown,
                           hm_str_fmt(cli->a, "a %s has none", hm_layer_name(layer)).p, "");
  }
  return 0;
}

static int set_columns(hm_cli *cli, hm_layer layer, hm_json *to) {
  for (size_t i = 0; i < N_COLUMNS; i++) {
    const char *option = columns[i].option, *value = hm_cli_get_option(cli, option);
    if (!value || !(columns[i].layers & 1u << layer) || strcmp(option, "property") == 0)
      continue;
    const char *shown = hm_cli_option_as_typed(cli, option);
    hm_json *v = NULL;
    if (strcmp(option, "value-json") == 0) {
      if (parse_value(cli, value, shown, &v))
        return -1;
    } else if (columns[i].type == LIST) {
      v = new_json(cli, HM_JSON_ARRAY, HM_EMPTY);
      for (size_t k = 0; k < cli->args.n_given; k++)
        if (strcmp(cli->args.given[k].option->name, option) == 0)
          add_member(v, HM_EMPTY, value_of(cli, TEXT, cli->args.given[k].value));
    } else {
      v = value_of(cli, columns[i].type, columns[i].type == FLAG ? "true" : value);
    }
    if (set_member(cli, to, columns[i].column, v, shown, "give it once"))
      return -1;
  }
  return 0;
}

static int set_words(hm_cli *cli, hm_json *to, const char *key, size_t first, size_t n) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++)
    hm_buf_fmt(&b, "%s%s", i ? " " : "", cli->args.words[first + i]);
  hm_json *v = new_json(cli, HM_JSON_STRING, hm_buf_copy(&b, cli->a));
  hm_buf_free(&b);
  return n ? set_member(cli, to, key, v, key, "give it once") : 0;
}

/* The type of a column that --set names; text for what is not known, which the store will refuse.
 */
static column_type type_of(const char *column) {
  for (size_t i = 0; i < N_COLUMNS; i++)
    if (strcmp(columns[i].column, column) == 0 && columns[i].type != LIST)
      return columns[i].type;
  return TEXT;
}

/* --- the file --------------------------------------------------------------------------- */

static int read_stdin(hm_cli *cli, hm_str *out) {
  char chunk[1 << 14];
  hm_buf b = { 0 };
  size_t n;
  while (b.n <= RECORD_MAX && (n = fread(chunk, 1, sizeof chunk, stdin)) > 0)
    hm_buf_add(&b, chunk, n);
  *out = hm_buf_copy(&b, cli->a);
  bool large = b.n > RECORD_MAX;
  hm_buf_free(&b);
  if (ferror(stdin))
    return hm_fail(&cli->err, HM_E_INPUT, "-", strerror(errno), "");
  return large ? hm_failf(&cli->err, HM_E_INPUT, "-", "give a smaller record", "more than %d bytes",
                          RECORD_MAX)
               : 0;
}

/* Adds what the file of --json has and `to` has not. */
static int add_file(hm_cli *cli, hm_json *to) {
  const char *file = hm_cli_get_option(cli, "json");
  hm_str text;
  hm_json *v;
  if (!file)
    return 0;
  if (strcmp(file, "-") == 0 ? read_stdin(cli, &text)
                             : hm_file_read(cli->a, file, RECORD_MAX, HM_E_INPUT, &text, &cli->err))
    return -1;
  if (hm_json_parse(cli->a, text, &v, &cli->err))
    return hm_err_within(&cli->err, "%.200s", file);
  if (v->type != HM_JSON_OBJECT)
    return hm_fail(&cli->err, HM_E_INPUT, file, "no JSON object", "give one record");
  for (hm_json *m = v->child, *next; m; m = next) {
    next = m->next;
    m->next = NULL;
    if (!hm_json_get(to, hm_str_z(cli->a, m->key)))
      add_member(to, m->key, m);
  }
  return 0;
}

/* Words of their own, each a column; what follows is one text. */
static int set_all_words(hm_cli *cli, hm_layer layer, hm_json *to) {
  enum { FIRST = 1 }; /* the word before names the layer or the memory */
  static const struct {
    const char *single[3], *rest;
  } words[] = {
    [HM_MEMORY] = { { 0 }, "content" },
    [HM_ENTITY] = { { 0 }, "name" },
    [HM_STATE] = { { "key" }, "value" },
    [HM_RELATION] = { { "from", "type", "to" }, "to" },
  };
  size_t n = cli->args.n_words - FIRST, k = 0;
  for (; k < 3 && words[layer].single[k] && k < n; k++)
    if (set_words(cli, to, words[layer].single[k], FIRST + k, 1))
      return -1;
  return set_words(cli, to, words[layer].rest, FIRST + k, n - k);
}

/* What a record must have, by the option or words that give it. */
static int check_required(hm_cli *cli, hm_layer layer, const hm_json *to) {
  static const struct {
    unsigned layer;
    const char *column, *fix;
  } required[] = {
    { MEMORY, "memory_type", "give --type, such as knowledge or preference" },
    { MEMORY, "content", "give the sentence as words, or with --content" },
    { ENTITY, "entity_type", "give --type, such as Component or Decision" },
    { ENTITY, "name", "give the name as words, or with --name" },
    { STATE, "key", "give KEY VALUE as words, or with --key and --value" },
    { STATE, "value", "give KEY VALUE as words, or with --key and --value" },
    { RELATION, "from", "give FROM TYPE TO as words" },
    { RELATION, "type", "give FROM TYPE TO as words" },
    { RELATION, "to", "give FROM TYPE TO as words" },
  };
  for (size_t i = 0; i < HM_COUNT(required); i++)
    if (required[i].layer & 1u << layer && !hm_json_get(to, required[i].column))
      return hm_fail_usage(cli,
                           hm_str_fmt(cli->a, "%s: %s", hm_layer_name(layer), required[i].column).p,
                           "missing", required[i].fix);
  return 0;
}

int hm_build_record_from_options(hm_cli *cli, hm_layer layer, const hm_json **out) {
  hm_json *to = new_json(cli, HM_JSON_OBJECT, HM_EMPTY);
  *out = to;
  return check_options(cli, layer) || set_columns(cli, layer, to) ||
          set_all_words(cli, layer, to) || set_properties(cli, to) || add_file(cli, to) ||
          check_required(cli, layer, to)
      ? -1
      : 0;
}

int hm_build_patch_from_options(hm_cli *cli, const hm_json **out) {
  hm_json *to = new_json(cli, HM_JSON_OBJECT, HM_EMPTY);
  *out = to;
  return set_pairs(cli, to, "set", type_of, "give it once") || set_properties(cli, to) ||
          add_file(cli, to)
      ? -1
      : 0;
}

int hm_add_source_to_patch(hm_cli *cli, hm_layer layer, const hm_json *patch) {
  size_t n = 0;
  for (size_t i = 0; i < cli->args.n_given; i++)
    n += strcmp(cli->args.given[i].option->name, "source") == 0;
  if (n > 1 && layer == HM_STATE)
    return hm_fail_usage(cli, "--source", "given more than once", "a state has one");
  return set_columns(cli, layer, (hm_json *)patch);
}
