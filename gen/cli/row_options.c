#include "gen/cli/row_options.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "gen/mirror/files.h"
#include "gen/cli/out.h"

enum { LAYERS = HM_STATE + 1, RECORD_MAX = 64 << 20, SHOWN = 60 };

typedef enum { TEXT, NUMBER, LIST, FLAG } column_type;

/* An option, and the key that it has in a record of each layer (NULL: none). */
typedef struct { const char *option; column_type type; const char *key[LAYERS]; } column;

static const column columns[] = {
  { "id", TEXT, { NULL, "id", "id", "id" } },
  { "project", TEXT, { NULL, "project", "project", "project" } },
  { "type", TEXT, { NULL, "memory_type", "entity_type", NULL } },
  { "content", TEXT, { NULL, "content", NULL, NULL } },
  { "name", TEXT, { NULL, NULL, "name", NULL } },
  { "description", TEXT, { NULL, NULL, "description", NULL } },
  { "category", TEXT, { NULL, NULL, NULL, "category" } },
  { "key", TEXT, { NULL, NULL, NULL, "key" } },
  { "value", TEXT, { NULL, NULL, NULL, "value" } },
  { "status", TEXT, { NULL, "status", "status", "status" } },
  { "confidence", NUMBER, { NULL, "confidence", "confidence", "confidence" } },
  { "importance", NUMBER, { NULL, "importance", NULL, NULL } },
  { "polarity", NUMBER, { NULL, "polarity", NULL, NULL } },
  { "scope", TEXT, { NULL, "scope", NULL, NULL } },
  { "agent", TEXT, { NULL, "agent", NULL, NULL } },
  { "slot-rule", TEXT, { NULL, "slot_rule", NULL, NULL } },
  { "tag", LIST, { NULL, "tags", NULL, NULL } },
  { "source", LIST, { NULL, "source_refs", "source_refs", NULL } },
  { "source", TEXT, { NULL, NULL, NULL, "source" } },
  { "hand-authored", FLAG, { NULL, NULL, "hand_authored", NULL } },
  { "valid-from", TEXT, { NULL, "valid_from", "valid_from", "valid_from" } },
  { "valid-until", TEXT, { NULL, "valid_until", "valid_until", "valid_until" } },
  { "created-at", TEXT, { NULL, "created_at", "created_at", "created_at" } },
};
#define N_COLUMNS (sizeof columns / sizeof *columns)

/* An object in the making: what is set replaces what the file has of that name. */
typedef struct { hm_cli *cli; hm_buf b; hm_jw w; hm_map set; } draft;

static void begin(draft *d, hm_cli *cli) {
  *d = (draft){ .cli = cli };
  hm_jw_init(&d->w, &d->b, 0);
  hm_jw_obj(&d->w, NULL);
  hm_map_init(&d->set, cli->a, 32);
}

static int usage(draft *d, const char *what, const char *why, const char *fix) {
  hm_buf_free(&d->b);
  return hm_fail(&d->cli->err, HM_E_USAGE, what, why, fix);
}

/* Notes that key has a value now; an error when it had one. */
static int claim_key(draft *d, const char *key, const char *shown) {
  size_t had = d->set.n;
  hm_map_add(&d->set, hm_str_dup(d->cli->a, hm_str_c(key)), 0);
  return d->set.n > had ? 0 : usage(d, shown, "given twice", "give it once");
}

static int put_json(draft *d, const char *key, const char *text, const char *shown) {
  hm_json *v;
  hm_buf b = { 0 };
  if (hm_json_parse(d->cli->a, hm_str_c(text), &v, &d->cli->err)) {
    const char *why = hm_str_fmt(d->cli->a, "no JSON: %s", d->cli->err.why).p;
    return usage(d, shown, why, "a text is given by NAME=VALUE");
  }
  hm_json_put(&b, v);
  hm_jw_raw(&d->w, key, hm_buf_view(&b));
  hm_buf_free(&b);
  return 0;
}

static bool is_number(hm_arena *a, const char *text) {
  hm_json *v;
  return !hm_json_parse(a, hm_str_c(text), &v, NULL) && v->type == HM_JSON_NUMBER;
}

/* A number that is none goes in as text: the store's own check tells what is wrong with it. */
static void put_value(draft *d, const char *key, column_type type, const char *value) {
  if (type == NUMBER && is_number(d->cli->a, value)) hm_jw_raw(&d->w, key, hm_str_c(value));
  else if (type == FLAG && strcmp(value, "true") == 0) hm_jw_bool(&d->w, key, true);
  else if (type == FLAG && strcmp(value, "false") == 0) hm_jw_bool(&d->w, key, false);
  else hm_jw_str(&d->w, key, hm_str_c(value));
}

static void put_list(draft *d, const char *key, const char *option) {
  const hm_args *args = &d->cli->args;
  hm_jw_arr(&d->w, key);
  for (size_t i = 0; i < args->n_given; i++)
    if (strcmp(args->given[i].option->name, option) == 0)
      hm_jw_str(&d->w, NULL, hm_str_c(args->given[i].value));
  hm_jw_end(&d->w);
}

/* --- options ------------------------------------------------------------------ */

static bool layer_has(hm_layer layer, const char *option) {
  for (size_t i = 0; i < N_COLUMNS; i++)
    if (columns[i].key[layer] && strcmp(columns[i].option, option) == 0) return true;
  return false;
}

static bool is_column(const char *option) {
  for (size_t i = 0; i < N_COLUMNS; i++)
    if (strcmp(columns[i].option, option) == 0) return true;
  return false;
}

/* An option that means nothing for this layer is a mistake worth telling. */
static int check_options(draft *d, hm_layer layer) {
  const hm_args *args = &d->cli->args;
  for (size_t i = 0; i < args->n_given; i++) {
    const char *o = args->given[i].option->name;
    bool wrong = is_column(o)        ? !layer_has(layer, o)
        : strcmp(o, "property") == 0 ? layer != HM_ENTITY
                                     : strcmp(o, "value-json") == 0 && layer != HM_STATE;
    if (!wrong) continue;
    const char *why = hm_str_fmt(d->cli->a, "a %s has none", hm_layer_kind(layer)).p;
    return usage(d, args->given[i].shown, why, "");
  }
  return 0;
}

static int put_columns(draft *d, hm_layer layer) {
  for (size_t i = 0; i < N_COLUMNS; i++) {
    const column *c = &columns[i];
    const char *value = c->key[layer] ? hm_cli_option(d->cli, c->option) : NULL;
    if (!value) continue;
    if (claim_key(d, c->key[layer], hm_cli_shown(d->cli, c->option))) return -1;
    if (c->type == LIST) put_list(d, c->key[layer], c->option);
    else put_value(d, c->key[layer], c->type, c->type == FLAG ? "true" : value);
  }
  return 0;
}

/* --- NAME=VALUE --------------------------------------------------------------------- */

/* Splits "NAME=VALUE" and "NAME:=JSON". */
static int split(draft *d, const char *option, const char *pair, const char **name,
                 const char **value, bool *json) {
  const char *eq = strchr(pair, '=');
  size_t n = eq ? (size_t)(eq - pair) : 0;
  *json = n && pair[n - 1] == ':';
  if (*json) n--;
  const char *shown = hm_str_fmt(d->cli->a, "%s %.60s", option, pair).p;
  if (!n)
    return usage(d, shown, "no NAME=VALUE",
                 "write NAME=VALUE for a text, NAME:=JSON for anything else");
  *name = hm_str_z(d->cli->a, (hm_str){ pair, n });
  *value = eq + 1;
  return 0;
}

static int put_property(draft *d, hm_map *seen, const char *option, const char *pair) {
  const char *name, *value;
  bool json;
  if (split(d, option, pair, &name, &value, &json)) return -1;
  size_t had = seen->n;
  hm_map_add(seen, hm_str_c(name), 0);
  const char *shown = hm_str_fmt(d->cli->a, "%s %.60s", option, name).p;
  if (seen->n == had)
    return usage(d, shown, "given twice", "give several values as NAME:='[\"a\",\"b\"]'");
  if (json) return put_json(d, name, value, shown);
  hm_jw_str(&d->w, name, hm_str_c(value));
  return 0;
}

static int put_properties(draft *d) {
  const hm_args *args = &d->cli->args;
  hm_map seen;
  if (!hm_cli_option(d->cli, "property")) return 0;
  hm_map_init(&seen, d->cli->a, 8);
  if (claim_key(d, "properties", "--property")) return -1;
  hm_jw_obj(&d->w, "properties");
  for (size_t i = 0; i < args->n_given; i++)
    if (strcmp(args->given[i].option->name, "property") == 0 &&
        put_property(d, &seen, args->given[i].shown, args->given[i].value))
      return -1;
  hm_jw_end(&d->w);
  return 0;
}

/* The type of a column that --set names; text for what is not known, which the store will refuse.
 */
static column_type type_of(const char *key) {
  for (size_t i = 0; i < N_COLUMNS; i++)
    for (int l = HM_MEMORY; l < LAYERS; l++)
      if (columns[i].key[l] && strcmp(columns[i].key[l], key) == 0 && columns[i].type != LIST)
        return columns[i].type;
  return TEXT;
}

static int put_sets(draft *d) {
  const hm_args *args = &d->cli->args;
  for (size_t i = 0; i < args->n_given; i++) {
    const char *name, *value;
    bool json;
    if (strcmp(args->given[i].option->name, "set") != 0) continue;
    if (split(d, args->given[i].shown, args->given[i].value, &name, &value, &json)) return -1;
    const char *shown = hm_str_fmt(d->cli->a, "--set %.60s", name).p;
    if (claim_key(d, name, shown) || (json && put_json(d, name, value, shown))) return -1;
    if (!json) put_value(d, name, type_of(name), value);
  }
  return 0;
}

/* --- the file ------------------------------------------------------------------------- */

static int read_stdin(hm_cli *cli, hm_str *out) {
  char chunk[1 << 14];
  hm_buf b = { 0 };
  size_t n;
  while (b.n <= RECORD_MAX && (n = fread(chunk, 1, sizeof chunk, stdin)) > 0)
    hm_buf_add(&b, chunk, n);
  *out = hm_buf_keep(&b, cli->a);
  bool large = b.n > RECORD_MAX;
  hm_buf_free(&b);
  if (ferror(stdin)) return hm_fail(&cli->err, HM_E_INPUT, "-", strerror(errno), "");
  return large ? hm_failf(&cli->err, HM_E_INPUT, "-", "give a smaller record", "more than %d bytes",
                          RECORD_MAX)
               : 0;
}

/* Members that no option has set. */
static int put_file(draft *d) {
  hm_cli *cli = d->cli;
  const char *file = hm_cli_option(cli, "json");
  hm_str text;
  hm_json *v;
  if (!file) return 0;
  int rc = strcmp(file, "-") == 0
      ? read_stdin(cli, &text)
      : hm_file_read(cli->a, file, RECORD_MAX, HM_E_INPUT, &text, &cli->err);
  if (!rc && hm_json_parse(cli->a, text, &v, &cli->err))
    rc = hm_err_within(&cli->err, "%.200s", file);
  if (!rc && v->type != HM_JSON_OBJECT)
    rc = hm_fail(&cli->err, HM_E_INPUT, file, "no JSON object", "give one record");
  if (rc) {
    hm_buf_free(&d->b);
    return -1;
  }
  for (hm_json *m = v->child; m; m = m->next) {
    hm_json alone = *m;
    hm_buf b = { 0 };
    alone.next = NULL;
    if (hm_map_get(&d->set, m->key) != HM_MAP_NONE) continue;
    hm_json_put(&b, &alone);
    hm_jw_raw(&d->w, hm_str_z(cli->a, m->key), hm_buf_view(&b));
    hm_buf_free(&b);
  }
  return 0;
}

static int finish(draft *d, const hm_json **out) {
  hm_json *v;
  if (put_file(d)) return -1;
  hm_jw_end(&d->w);
  int rc = hm_json_parse(d->cli->a, hm_buf_view(&d->b), &v, &d->cli->err);
  hm_buf_free(&d->b);
  if (rc) return hm_err_within(&d->cli->err, "the record");
  *out = v;
  return 0;
}

/* --- words ------------------------------------------------------------------------------ */

static hm_str joined(hm_cli *cli, const char *const *words, size_t n) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++) {
    if (i) hm_buf_ch(&b, ' ');
    hm_buf_c(&b, words[i]);
  }
  hm_str out = hm_buf_keep(&b, cli->a);
  hm_buf_free(&b);
  return out;
}

static int put_word(draft *d, const char *key, hm_str text) {
  if (claim_key(d, key, hm_str_fmt(d->cli->a, "%s", key).p)) return -1;
  hm_jw_str(&d->w, key, text);
  return 0;
}

static int put_words(draft *d, hm_layer layer, const char *const *words, size_t n) {
  if (!n) return 0;
  if (layer == HM_MEMORY) return put_word(d, "content", joined(d->cli, words, n));
  if (layer == HM_ENTITY) return put_word(d, "name", joined(d->cli, words, n));
  if (put_word(d, "key", hm_str_c(words[0]))) return -1;
  return n > 1 ? put_word(d, "value", joined(d->cli, words + 1, n - 1)) : 0;
}

static int put_value_json(draft *d) {
  const char *value = hm_cli_option(d->cli, "value-json");
  return value &&
          (claim_key(d, "value", "--value-json") || put_json(d, "value", value, "--value-json"))
      ? -1
      : 0;
}

int hm_record_of_options(hm_cli *cli, hm_layer layer, const char *const *words, size_t n,
                         const hm_json **out) {
  draft d;
  begin(&d, cli);
  if (check_options(&d, layer) || put_columns(&d, layer) || put_words(&d, layer, words, n))
    return -1;
  if (put_value_json(&d) || put_properties(&d)) return -1;
  return finish(&d, out);
}

int hm_patch_of_options(hm_cli *cli, const hm_json **out) {
  draft d;
  begin(&d, cli);
  if (put_sets(&d) || put_properties(&d)) return -1;
  return finish(&d, out);
}
