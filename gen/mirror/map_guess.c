/* Guesses a mirror.yml for another program's store.
 *
 * Of the tables that fit a layer (map_guess_names.c), it maps the one with rows, a word of the
 * layer and most roles, by a SELECT. Comments list the tables and columns that it does not map, so
 * that the user sees them. Cost: reads the schema, and the ids and some statuses of the mapped
 * tables. */
#include "gen/mirror/map_guess_impl.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "gen/mirror/mirror.h"

/* Other programs' words for statuses. */
static const struct {
  const char *theirs, *ours;
} STATUS_WORDS[] = {
  { "open", "active" },          { "current", "active" },      { "live", "active" },
  { "valid", "active" },         { "enabled", "active" },      { "published", "active" },
  { "approved", "active" },      { "accepted", "active" },     { "confirmed", "active" },
  { "true", "active" },          { "ok", "active" },           { "superseded", "superseded" },
  { "replaced", "superseded" },  { "outdated", "superseded" }, { "obsolete", "superseded" },
  { "stale", "superseded" },     { "expired", "superseded" },  { "deleted", "invalid" },
  { "removed", "invalid" },      { "archived", "invalid" },    { "rejected", "invalid" },
  { "disabled", "invalid" },     { "retracted", "invalid" },   { "false", "invalid" },
  { "forgotten", "invalid" },    { "inactive", "invalid" },    { "draft", "candidate" },
  { "pending", "candidate" },    { "proposed", "candidate" },  { "new", "candidate" },
  { "unverified", "candidate" },
};

enum { COLUMNS_MAX = 60, TABLES_MAX = 200, NAME_SHOWN = 60 };

/* --- writing ----------------------------------------------------------------------- */

typedef struct {
  hm_store *s;
  hm_arena *a;
  hm_buf b;
  hm_str rows; /* what the file of the rows is called; empty: it is a store */
  hm_err *err;
} writer;

/* The column whose lists of texts are the facts of a table, or NULL. Their elements come from a
 * subquery under these names; where a column is computed, there is no reading all of them. */
#define FACT "a_fact"
#define FACT_NUMBER "a_fact_number"
static const hm_foreign_column *list_of_facts(const hm_guess_reading *r) {
  const hm_foreign_column *c = r->layer == MEMORIES ? r->columns[R_CONTENT] : NULL;
  for (size_t i = 0; i < r->table->n_columns; i++)
    if (r->table->columns[i].computed)
      return NULL;
  return c && c->lists ? c : NULL;
}

/* The column, or the member of one that it is. */
static void put_column(writer *w, hm_buf *b, const hm_foreign_column *c) {
  if (c->path.n)
    hm_buf_str(b, hm_foreign_column_sql(c, w->a));
  else
    hm_map_put_name(b, c->name);
}

/* How its numbers become times, where they are neither of Unix nor of the Julian calendar. */
static const struct {
  const char *before, *after, *is;
} epochs[] = {
  { "", "", "" },
  { "date((", " - 25569) * 86400, 'unixepoch')", " (days of a spreadsheet)" },
  { "", " + 978307200", " (seconds since 2001)" },
};

static bool is_time(hm_role role) {
  return role == R_CREATED || role == R_UPDATED || role == R_BEGIN || role == R_END;
}

static size_t epoch_of(const hm_foreign_column *c) {
  return c->all_days ? 1 : c->core_data && c->numbers && c->all_times ? 2 : 0;
}

static hm_str time_item(writer *w, const hm_foreign_column *c, const char *ours) {
  size_t e = epoch_of(c);
  hm_buf b = { 0 };
  hm_buf_c(&b, epochs[e].before);
  put_column(w, &b, c);
  hm_buf_c(&b, epochs[e].after);
  hm_buf_fmt(&b, " AS %s", ours);
  return hm_buf_take(&b, w->a);
}

static hm_str item_text(writer *w, const hm_foreign_column *c, const char *ours) {
  hm_buf b = { 0 };
  put_column(w, &b, c);
  if (ours && !hm_str_is(c->name, ours)) {
    hm_buf_c(&b, " AS ");
    hm_map_put_name(&b, hm_str_c(ours));
  }
  return hm_buf_take(&b, w->a);
}

/* "45 rpm", of a value and its unit in two columns. */
static hm_str value_with_unit(writer *w, const hm_guess_reading *r) {
  hm_buf b = { 0 };
  put_column(w, &b, r->columns[R_VALUE]);
  hm_buf_c(&b, " || coalesce(' ' || ");
  put_column(w, &b, r->columns[R_UNIT]);
  hm_buf_c(&b, ", '') AS value");
  return hm_buf_take(&b, w->a);
}

/* The single key column, else a column that is called id. */
static const hm_foreign_column *id_column(const hm_guess_reading *r, hm_arena *a) {
  const hm_foreign_column *key = NULL;
  size_t keys = 0;
  for (size_t i = 0; i < r->table->n_columns; i++)
    if (r->table->columns[i].key && hm_column_name_is_writable(r->table->columns[i].name, a))
      key = &r->table->columns[i], keys++;
  return keys == 1 ? key : r->columns[R_ID];
}

/* That column, if it holds each value once; else the row number. */
static int put_id(writer *w, const hm_guess_reading *r, hm_map_items *out) {
  const hm_foreign_column *id = id_column(r, w->a);
  bool unique = false;
  hm_buf b = { 0 };
  if (id && hm_foreign_column_is_unique(w->s, r->table->name, id->name, &unique, w->err))
    return -1;
  if (unique) {
    hm_map_put_name(&b, id->name);
    if (list_of_facts(r))
      hm_buf_c(&b, " || '-' || " FACT_NUMBER);
    if (list_of_facts(r) || !hm_str_is(id->name, "id"))
      hm_buf_c(&b, " AS id");
    hm_map_put_item(out, hm_buf_take(&b, w->a));
    return 0;
  }
  if (!r->table->rowid) { /* it has a key of several columns */
    const char *sep = "";
    for (size_t i = 0; i < r->table->n_columns; i++)
      if (r->table->columns[i].key) {
        hm_buf_c(&b, sep);
        hm_map_put_name(&b, r->table->columns[i].name);
        sep = " || ':' || ";
      }
  } else if (w->rows.n && r->layer != ENTITIES && !list_of_facts(r)) {
    hm_buf_c(&b, "'" HM_ROW_NUMBER "' || rowid");
  } else {
    bool named = false; /* a column is called rowid */
    for (size_t i = 0; i < r->table->n_columns; i++)
      named |= hm_column_name_matches(r->table->columns[i].name, "rowid");
    hm_buf_c(&b, list_of_facts(r) ? "a_row" : named ? "_rowid_" : "rowid");
  }
  if (list_of_facts(r))
    hm_buf_c(&b, " || '-' || " FACT_NUMBER);
  hm_buf_c(&b, " AS id");
  hm_map_put_item(out, hm_buf_take(&b, w->a));
  return 0;
}

/* Other programs' memory types are seldom ours; then a text is knowledge. */
static void put_memory(writer *w, const hm_guess_reading *r, hm_map_items *out) {
  const hm_foreign_column *type = r->columns[R_TYPE];
  hm_buf b = { 0 };
  if (!type)
    hm_buf_c(&b, "'knowledge'");
  else {
    hm_buf_c(&b, "CASE WHEN ");
    put_column(w, &b, type);
    hm_buf_c(&b, " IN ('identity', 'preference', 'episodic') THEN ");
    put_column(w, &b, type);
    hm_buf_c(&b, " ELSE 'knowledge' END");
  }
  hm_buf_c(&b, " AS memory_type");
  hm_map_put_item(out, hm_buf_take(&b, w->a));
  if (r->columns[R_SUBJECT])
    hm_map_put_item(out, item_text(w, r->columns[R_SUBJECT], "subject"));
  else
    hm_map_put_item(out, HM_STR("'*' AS slot_rule"));
}

/* True when the column of an entity's row becomes a property. */
static bool is_property(const hm_guess_reading *r, const hm_foreign_column *c, hm_arena *a) {
  static const char *const no[] = { "id", "embedding", "vector", "hash", "checksum" };
  return r->layer == ENTITIES && !r->columns[R_PROPERTIES] && !hm_guess_column_has_role(r, c) &&
      !c->computed && !hm_column_is_blob(c) && !c->key && !c->path.n &&
      !hm_column_name_has_word(c->name, no, HM_COUNT(no)) &&
      hm_column_name_is_writable(c->name, a) && !memchr(c->name.p, '\'', c->name.n);
}

/* Maps the row's other columns to properties. */
static void put_properties(writer *w, const hm_guess_reading *r, hm_map_items *out) {
  const char *sep = "json_object(";
  hm_buf b = { 0 };
  if (!r->columns[R_TYPE]) {
    hm_buf one = { 0 };
    hm_buf_quoted(&one, r->words, '\'');
    hm_buf_c(&one, " AS entity_type");
    hm_map_put_item(out, hm_buf_take(&one, w->a));
  }
  size_t n = 0;
  for (size_t i = 0; i < r->table->n_columns && n < COLUMNS_MAX; i++) {
    const hm_foreign_column *c = &r->table->columns[i];
    if (!is_property(r, c, w->a))
      continue;
    hm_buf_fmt(&b, "%s%s'%.*s', ", sep, n++ && n % 4 == 0 ? "\n          " : "", HM_FMT(c->name));
    if (!c->type.n) { /* it may hold BLOBs, which JSON cannot */
      hm_buf_c(&b, "CASE WHEN typeof(");
      hm_map_put_name(&b, c->name);
      hm_buf_c(&b, ") <> 'blob' THEN ");
    }
    hm_map_put_name(&b, c->name);
    if (!c->type.n)
      hm_buf_c(&b, " END");
    sep = ", ";
  }
  if (!n)
    return;
  hm_buf_c(&b, ") AS properties");
  hm_map_put_item(out, hm_buf_take(&b, w->a));
}

/* Maps a status column, else a column that marks deleted rows. False, and a time that never was,
 * may be an empty text, a zero or a word. */
static void put_status(writer *w, const hm_guess_reading *r, hm_map_items *out) {
  static const struct {
    hm_role role;
    const char *after;
  } forms[] = {
    { R_GONE, "'active' ELSE 'invalid' END AS status" },
    { R_GONE_AT, "'active' ELSE 'invalid' END AS status" },
    { R_LIVE, "'invalid' ELSE 'active' END AS status" },
  };
  if (r->columns[R_STATUS])
    hm_map_put_item(out, item_text(w, r->columns[R_STATUS], "status"));
  for (size_t i = 0; i < HM_COUNT(forms) && !r->columns[R_STATUS]; i++) {
    hm_buf b = { 0 };
    if (!r->columns[forms[i].role])
      continue;
    hm_buf_c(&b, "CASE WHEN lower(coalesce(");
    put_column(w, &b, r->columns[forms[i].role]);
    hm_buf_c(&b, ", '')) IN ('', '0', '0.0', 'f', 'false', 'n', 'no') THEN ");
    hm_buf_c(&b, forms[i].after);
    hm_map_put_item(out, hm_buf_take(&b, w->a));
    return;
  }
}

/* Maps their words for statuses, those that are known. */
static int put_statuses(writer *w, const hm_guess_reading *r) {
  hm_str *values;
  size_t n, known = 0, unknown = 0;
  hm_buf left = { 0 };
  if (!r->columns[R_STATUS])
    return 0;
  if (hm_foreign_column_values(w->s, r->table->name, r->columns[R_STATUS], 20, w->a, &values, &n,
                               w->err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    const char *ours = NULL;
    for (size_t k = 0; k < HM_COUNT(STATUS_WORDS) && !ours; k++)
      if (hm_column_name_matches(values[i], STATUS_WORDS[k].theirs))
        ours = STATUS_WORDS[k].ours;
    bool is_ours = hm_status_parse(hm_text_fold_name(w->a, values[i])) != HM_STATUS_OTHER;
    if (is_ours || !values[i].n)
      continue;
    if (!ours) {
      hm_str shown = hm_text_cut(values[i], 40);
      hm_buf_c(&left, unknown++ ? ", " : "");
      hm_json_write_str(&left, shown);
      continue;
    }
    hm_buf_c(&w->b, known++ ? ", " : "    statuses: [");
    hm_json_write_str(&w->b, hm_str_fmt(w->a, "%s = %.*s", ours, HM_FMT(values[i])));
  }
  if (known)
    hm_buf_c(&w->b, "]\n");
  hm_str rest = hm_buf_take(&left, w->a);
  if (unknown)
    hm_buf_fmt(&w->b,
               "    # Say what these mean, or their rows claim nothing: statuses: [active = "
               "...]: %.*s\n",
               HM_FMT(rest));
  return 0;
}

/* Writes names of columns into lines of a comment: those that r does not read, or all. */
static void put_columns(writer *w, const char *indent, const hm_foreign_table *t,
                        const hm_guess_reading *r) {
  hm_map_items out = { &w->b, indent, w->b.n, false };
  size_t shown = 0, left = 0;
  for (size_t i = 0; i < t->n_columns; i++) {
    const hm_foreign_column *c = &t->columns[i];
    bool is_id = r && (c == id_column(r, w->a) || (c->key && !t->rowid)), is_read = false;
    for (size_t k = 0; r && k < t->n_columns; k++)
      is_read |= t->columns[k].path.n && hm_str_eq(t->columns[k].of, c->name) &&
          hm_guess_column_has_role(r, &t->columns[k]);
    if (is_id || is_read || c->path.n ||
        (r && (hm_guess_column_has_role(r, c) || is_property(r, c, w->a))))
      continue;
    if (shown++ < COLUMNS_MAX)
      hm_map_put_item(&out, hm_str_c(hm_terminal_line(w->a, c->name, NAME_SHOWN)));
    else
      left++;
  }
  if (left)
    hm_buf_fmt(&w->b, " and %zu more", left);
}

/* The table, or its rows once for each fact of their list. */
static void put_from(writer *w, const hm_guess_reading *r) {
  const hm_foreign_column *list = list_of_facts(r);
  if (!list) {
    hm_map_put_name(&w->b, r->table->name);
    return;
  }
  hm_buf_c(&w->b, "(SELECT t.*");
  if (r->table->rowid)
    hm_buf_c(&w->b, ", t.rowid AS a_row");
  hm_buf_c(&w->b, ", j.key AS " FACT_NUMBER ", j.value AS " FACT "\n        FROM ");
  hm_map_put_name(&w->b, r->table->name);
  hm_buf_c(&w->b, " AS t, json_each(CASE WHEN json_valid(t.");
  hm_map_put_name(&w->b, list->name);
  hm_buf_c(&w->b, ") THEN t.");
  hm_map_put_name(&w->b, list->name);
  hm_buf_c(&w->b, " ELSE '[]' END) AS j)");
}

/* The columns that a layer was guessed from, for the user: "content from body, project from topic",
 * and those that say when and are not read. */
static hm_str reads_text(const hm_guess_reading *r, hm_arena *a) {
  const hm_guess_shape *s = &hm_guess_shapes[r->layer];
  hm_buf b = { 0 };
  for (int i = 0; i < FIELDS_MAX && s->fields[i].ours; i++) {
    const hm_foreign_column *c = r->columns[s->fields[i].role];
    if (c && !*s->fields[i].ours)
      hm_buf_fmt(&b, " and %s", hm_terminal_line(a, c->name, NAME_SHOWN));
    else if (c)
      hm_buf_fmt(&b, "%s%s from %s%s", b.n ? ", " : "", s->fields[i].ours,
                 hm_terminal_line(a, c->name, NAME_SHOWN),
                 is_time(s->fields[i].role) ? epochs[epoch_of(c)].is : "");
  }
  static const struct {
    hm_role role;
    const char *ours;
  } more[] = { { R_SUBJECT, "subject" },
               { R_STATUS, "status" },
               { R_LIVE, "status" },
               { R_GONE, "status" },
               { R_GONE_AT, "status" } };
  bool status = false;
  for (size_t i = 0; i < HM_COUNT(more); i++) {
    const hm_foreign_column *c = r->columns[more[i].role];
    if (!c || r->layer == PROJECTS || (i && status))
      continue;
    hm_buf_fmt(&b, ", %s from %s", more[i].ours, hm_terminal_line(a, c->name, NAME_SHOWN));
    status |= i > 0;
  }
  if (list_of_facts(r))
    hm_buf_c(&b, ", one for each of its list");
  const char *sep = "; not read as a time: ";
  for (size_t i = 0; i < r->table->n_columns; i++) {
    const hm_foreign_column *c = &r->table->columns[i];
    if (!hm_guess_is_unread_time(r, c) || is_property(r, c, a))
      continue;
    hm_buf_fmt(&b, "%s%s", sep, hm_terminal_line(a, c->name, NAME_SHOWN));
    sep = ", ";
  }
  return hm_buf_take(&b, a);
}

static int put_layer(writer *w, const hm_guess_reading *r, bool project_ids) {
  const hm_guess_shape *s = &hm_guess_shapes[r->layer];
  hm_buf_fmt(&w->b, "  - layer: %s\n    select: >-\n      SELECT ", s->layer);
  hm_map_items out = { &w->b, "        ", w->b.n - 13, false };
  if (r->layer == PROJECTS && !project_ids)
    hm_map_put_item(&out, item_text(w, r->columns[R_NAME], "id"));
  else if (put_id(w, r, &out))
    return -1;
  if (r->layer == MEMORIES)
    put_memory(w, r, &out);
  for (int i = 0; i < FIELDS_MAX && s->fields[i].ours; i++)
    if (r->columns[s->fields[i].role] && s->fields[i].role == R_CONTENT && list_of_facts(r))
      hm_map_put_item(&out, HM_STR(FACT " AS content"));
    else if (r->columns[R_UNIT] && s->fields[i].role == R_VALUE)
      hm_map_put_item(&out, value_with_unit(w, r));
    else if (!*s->fields[i].ours)
      continue;
    else if (!r->columns[s->fields[i].role])
      continue;
    else if (epoch_of(r->columns[s->fields[i].role]) && is_time(s->fields[i].role))
      hm_map_put_item(&out, time_item(w, r->columns[s->fields[i].role], s->fields[i].ours));
    else
      hm_map_put_item(&out, item_text(w, r->columns[s->fields[i].role], s->fields[i].ours));
  if (r->layer == ENTITIES)
    put_properties(w, r, &out);
  if (r->layer == RELATIONS && !r->columns[R_RELATION])
    hm_map_put_item(&out, HM_STR("'LINK' AS type"));
  if (r->layer != PROJECTS)
    put_status(w, r, &out);
  hm_buf_c(&w->b, "\n      FROM ");
  put_from(w, r);
  hm_buf_c(&w->b, "\n");
  return r->layer == PROJECTS ? 0 : put_statuses(w, r);
}

/* The ends of relations, where no table lists them, so that they lead to something. */
static void put_ends(writer *w, const hm_guess_reading *r) {
  static const hm_role ends[] = { R_FROM, R_TO };
  hm_buf_c(&w->b, "  # The ends of the relations\n  - layer: entities\n    select: >-\n      ");
  for (size_t i = 0; i < HM_COUNT(ends); i++) {
    hm_buf name = { 0 };
    put_column(w, &name, r->columns[ends[i]]);
    hm_str of = hm_buf_take(&name, w->a);
    hm_buf_fmt(&w->b, "%sSELECT %.*s AS id, 'Thing' AS entity_type, %.*s AS name\n      FROM ",
               i ? "\n      UNION " : "", HM_FMT(of), HM_FMT(of));
    put_from(w, r);
  }
  hm_buf_c(&w->b, "\n");
}

static const char MAP_HEAD[] =
    "# Made by `hmirror init --from` from the names and values of the columns of a file: a start,\n"
    "# to be corrected. How to use it:  hmirror import --map THIS FILE\n"
    "# Each row is one of the table `rows`, or of the list of its name. Every key: man\n"
    "# hmirror-config, store.map.\n";
static const char HEAD[] =
    "# Made by `hmirror init --from` from the names and values of the columns of the store: a\n"
    "# start, to be corrected. `hmirror adopt --dry-run` shows for each layer what is read, what\n"
    "# it claims, and what is silent and why. Every key: man hmirror-config.\n"
    "title: Human Mirror\n";

static void put_unread(writer *w, const hm_guess_reading *all, size_t n,
                       const hm_guess_reading *const *used) {
  size_t shown = 0, left = 0;
  for (size_t i = 0; i < n; i++) {
    bool is_used = false;
    for (int k = 0; k < HM_GUESS_LAYERS; k++)
      is_used |= used[k] == &all[i];
    if (is_used)
      continue;
    if (shown >= TABLES_MAX) {
      left++;
      continue;
    }
    if (!shown++)
      hm_buf_c(&w->b, "\n# What is not read, with its columns:\n");
    hm_buf_fmt(&w->b, "#   %s%s: ", all[i].table->is_view ? "view " : "",
               hm_terminal_line(w->a, all[i].table->name, NAME_SHOWN));
    put_columns(w, "#     ", all[i].table, NULL);
    hm_buf_c(&w->b, "\n");
  }
  if (left)
    hm_buf_fmt(&w->b, "#   and %zu more\n", left);
}

static int put_config(writer *w, const char *path, const hm_guess_reading *all, size_t n,
                      const hm_guess_reading *const *used, bool facts) {
  bool project_ids = false;
  hm_buf_c(&w->b, w->rows.n ? MAP_HEAD : HEAD);
  if (!w->rows.n) {
    hm_buf_c(&w->b, "store: ");
    hm_json_write_str(&w->b, hm_str_c(path));
    hm_buf_ch(&w->b, '\n');
  }
  hm_buf_c(&w->b,
           facts ? "store.map:\n"
                 : "# No table looks as if it held facts. Say where they are:\n#store.map:\n"
                   "#  - layer: memories\n#    select: SELECT id, 'knowledge' AS memory_type,"
                   " body AS content FROM notes\n");
  for (int k = 0; k < PROJECTS; k++) {
    const hm_foreign_column *c = used[k] ? used[k]->columns[R_PROJECT] : NULL;
    project_ids |= c && (hm_str_ends(c->name, "id") || hm_str_ends(c->name, "Id"));
  }
  for (int k = 0; k < HM_GUESS_LAYERS && facts; k++) {
    if (!used[k])
      continue;
    hm_buf_fmt(&w->b, "  # %s; not read of it: ",
               hm_terminal_line(w->a, used[k]->table->name, NAME_SHOWN));
    size_t before = w->b.n;
    put_columns(w, "  #   ", used[k]->table, used[k]);
    hm_buf_c(&w->b, w->b.n == before ? "nothing\n" : "\n");
    if (put_layer(w, used[k], project_ids))
      return -1;
  }
  if (w->rows.n && used[RELATIONS] && !used[ENTITIES])
    put_ends(w, used[RELATIONS]);
  put_unread(w, all, n, used);
  return 0;
}

/* The table as a matrix, for a map; empty: it is none. */
static hm_str matrix_text(const hm_foreign_table *t, hm_arena *a) {
  enum { SHOWN = 6 };
  const hm_foreign_column *key, *columns[SHOWN];
  size_t n = hm_guess_matrix(t, &key, columns, SHOWN);
  hm_buf b = { 0 };
  if (n < 2)
    return HM_EMPTY;
  hm_buf_c(&b, "matrix: {key: ");
  hm_map_put_yaml_name(&b, key->name);
  hm_buf_c(&b, ", columns: [");
  for (size_t i = 0; i < n; i++) {
    hm_buf_c(&b, i ? ", " : "");
    hm_map_put_yaml_name(&b, columns[i]->name);
  }
  hm_buf_c(&b, "]}");
  return hm_buf_take(&b, a);
}

/* A map for rows that no guess understands: the first table that may be a matrix as one, else the
 * first column of all as the texts of memories. */
static void put_map_to_try(hm_map_guess *out, const hm_foreign_table *tables, size_t n,
                           hm_arena *a) {
  const hm_foreign_table *t = tables;
  hm_str matrix = HM_EMPTY;
  hm_buf b = { 0 }, select = { 0 };
  for (size_t i = 0; i < n && !matrix.n; i++) {
    matrix = matrix_text(&tables[i], a);
    t = matrix.n ? &tables[i] : t;
  }
  out->matrix = matrix.n > 0;
  if (matrix.n) {
    hm_buf_c(&b, "store.map: [{layer: project_state, table: ");
    hm_json_write_str(&b, t->name);
    hm_buf_fmt(&b, ", %.*s}]", HM_FMT(matrix));
  } else if (n && t->n_columns) {
    hm_buf_c(&select, "SELECT rowid AS id, 'knowledge' AS memory_type, ");
    hm_map_put_name(&select, t->columns[0].name);
    hm_buf_c(&select, " AS content FROM ");
    hm_map_put_name(&select, t->name);
    hm_buf_c(&b, "store.map: [{layer: memories, select: ");
    hm_json_write_str(&b, hm_buf_take(&select, a));
    hm_buf_c(&b, "}]");
  }
  out->to_try = hm_buf_take(&b, a);
}

int hm_guess_store_map(hm_store *s, const char *path, hm_str rows, hm_arena *a, hm_map_guess *out,
                       hm_err *err) {
  hm_foreign_table *tables;
  size_t n, facts = 0, n_prose = 0;
  const hm_guess_reading *used[HM_GUESS_LAYERS] = { NULL };
  writer w = { .s = s, .a = a, .rows = rows, .err = err };
  *out = (hm_map_guess){ .facts = false };
  if (hm_foreign_tables(s, a, &tables, &n, err))
    return -1;
  hm_guess_reading *all = hm_alloc_array(a, n, sizeof *all);
  for (size_t i = 0; i < n; i++) {
    if (hm_guess_may_hold_facts(&tables[i], rows, a) &&
        hm_foreign_look_at_values(s, &tables[i], a, err))
      return -1;
    all[i] = hm_guess_table_layer(&tables[i], rows, a);
    int k = all[i].layer;
    facts += k >= 0 && k != PROJECTS;
    if (k >= 0 && (!used[k] || all[i].score > used[k]->score))
      used[k] = &all[i];
  }
  for (size_t i = 0; i < n && !facts; i++) {
    if (all[i].layer >= 0)
      continue;
    all[i] = hm_guess_table_prose(&tables[i], rows, a);
    n_prose += all[i].layer == MEMORIES;
    if (all[i].layer == MEMORIES)
      used[MEMORIES] = &all[i];
  }
  if (n_prose > 1) /* nobody knows which of them */
    used[MEMORIES] = NULL;
  for (int k = 0; k < HM_GUESS_LAYERS; k++) {
    out->layers[k] = (hm_guessed_layer){ hm_guess_shapes[k].layer, HM_EMPTY, 0, HM_EMPTY };
    if (used[k])
      out->layers[k] = (hm_guessed_layer){ hm_guess_shapes[k].layer, used[k]->table->name,
                                           used[k]->table->rows, reads_text(used[k], a) };
    out->facts |= used[k] && k != PROJECTS;
  }
  if (!out->facts)
    put_map_to_try(out, tables, n, a);
  int rc = put_config(&w, path, all, n, used, out->facts);
  out->config = hm_buf_take(&w.b, a);
  return rc;
}
