/* One walk over every text of the store: texts.h.
 *
 * The names of tables, and what each is, come from schema.sql; the columns from the file that is
 * open, of a foreign store from the views on it. JSON in a column is taken apart, since its strings
 * may be spelled in many ways. Cost: one read of the tables. */
#include "core/record/texts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/credential.h"
#include "core/base/json.h"
#include "core/sqlite/sql.h"

/* What has the texts of a table, by which columns, in whose order they are read, and the rows that
 * they speak of, as SQL. A table that is not here goes by its name and its key. named: the column
 * beside whose text that of `value` stands. */
static const struct {
  const char *table, *kind, *key, *about, *named;
} OWNERS[] = {
  { "projects", "project", "id", NULL, NULL },
  { "project_aliases", "project", "project", NULL, NULL },
  { "memories", "memory", "id", NULL, NULL },
  { "entities", "entity", "id", NULL, NULL },
  { "project_state", "project_state", "id", NULL, "key" },
  { "relations", "relation", "id", NULL, NULL },
  { "links", "link", "src, dst, rel", "json_array(src, dst)", NULL },
  { "conflicts", "conflict", "id", NULL, NULL },
  { "conflict_members", "conflict", "conflict_id", "member_kind || ':' || member_id", "field" },
  { "conflict_answers", "conflict", "conflict_id", NULL, NULL },
  { "conflict_rows", "conflict", "conflict_id", "ref", NULL },
  { "acknowledgements", "acknowledgement", "id", "about", NULL },
  { "flags", "flag", "id", "subject", NULL },
  { "proposals", "proposal", "id", "members", NULL },
  { "proposal_rows", "proposal", "proposal", "ref", NULL },
  { "findings", "finding", "id", "\"rows\"", NULL },
  { "verdicts", "verdict", "id", NULL, NULL },
  { "journal", "journal", "seq", NULL, NULL },
  { "evidence", "evidence", "ref, source", "ref", NULL },
};

/* --- one text ------------------------------------------------------------------------- */

typedef struct {
  hm_store_text at;
  hm_store_text_fn *each;
  void *ctx;
} visit;

static void visit_text(visit *v, hm_str name, hm_str text) {
  v->at.name = name;
  v->at.text = text;
  if (text.n)
    v->each(v->ctx, &v->at);
}

/* Depth is bounded by the parser. name: of the nearest member. */
static void visit_json(visit *v, const hm_json *j, hm_str name) {
  if (j->type == HM_JSON_STRING || j->type == HM_JSON_NUMBER)
    visit_text(v, name, j->text);
  for (const hm_json *c = j->child; c; c = c->next) {
    bool object = j->type == HM_JSON_OBJECT, outermost = object && !v->at.member.n;
    if (outermost)
      v->at.member = c->key;
    if (object)
      visit_text(v, HM_EMPTY, c->key);
    visit_json(v, c, object ? c->key : name);
    if (outermost)
      v->at.member = HM_EMPTY;
  }
}

/* What a column holds. */
static void visit_raw(visit *v, hm_str name, hm_str raw, bool (*might)(hm_str raw), hm_arena *a) {
  hm_json *j;
  bool open = raw.n && (raw.p[0] == '[' || raw.p[0] == '{');
  v->at.member = HM_EMPTY;
  if (!open || hm_json_parse(a, raw, &j, NULL))
    visit_text(v, name, raw);
  else if (!might || might(raw))
    visit_json(v, j, name);
}

/* --- one table ------------------------------------------------------------------------- */

typedef struct {
  hm_str name;
  hm_table_class class;
} table;

typedef struct {
  hm_store *s;
  bool (*might)(hm_str raw);
  visit v;
  hm_arena *a, *row;
  hm_err *err;
} walk;

enum { REF, ABOUT, NAMED, FIRST }; /* columns of a table's statement */

/* The columns with texts, in the order of the table; *ref: the SQL of what has them. */
static int read_columns(walk *w, hm_str of, hm_str **out, size_t *n, hm_str *key) {
  static const char sql[] =
      "SELECT name, pk FROM pragma_table_xinfo(?1) WHERE upper(type) NOT IN ('INTEGER', 'REAL',"
      " 'BLOB') OR pk ORDER BY cid";
  hm_stmt *st;
  hm_buf b = { 0 };
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_query(w->s, sql, HM_ARGS(hm_arg_text(of)), &st, w->err))
    return -1;
  while ((rc = hm_sql_step(w->s, st, w->err)) == 1) {
    *out = hm_array_grow_in(w->a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = hm_sql_copy(st, 0, w->a);
    if (!hm_sql_number(st, 1))
      continue;
    hm_buf_c(&b, b.n ? ", " : "");
    hm_sql_put_name(&b, (*out)[*n - 1]);
  }
  *key = b.n ? hm_buf_copy(&b, w->a) : HM_STR("''");
  hm_buf_free(&b);
  return rc;
}

static hm_str select_of(walk *w, hm_str name, const hm_str *columns, size_t n, hm_str key) {
  const char *kind = NULL, *about = "''", *named = "NULL";
  for (size_t i = 0; i < HM_COUNT(OWNERS); i++) {
    if (!hm_str_is(name, OWNERS[i].table))
      continue;
    kind = OWNERS[i].kind;
    key = hm_str_c(OWNERS[i].key);
    about = OWNERS[i].about ? OWNERS[i].about : about;
    named = OWNERS[i].named ? OWNERS[i].named : named;
  }
  hm_str of = kind ? hm_str_c(kind) : name;
  hm_buf b = { 0 };
  hm_buf_fmt(&b, "SELECT '%.*s:'", HM_FMT(of));
  hm_str *parts;
  size_t n_parts = hm_str_split_commas(key, w->a, &parts);
  for (size_t i = 0; i < n_parts; i++)
    hm_buf_fmt(&b, "%s || %.*s", i ? " || ' '" : "", HM_FMT(parts[i]));
  hm_buf_fmt(&b, ", %s, %s", about, named);
  for (size_t i = 0; i < n; i++) {
    hm_buf_c(&b, ", ");
    hm_sql_put_name(&b, columns[i]);
  }
  hm_buf_c(&b, " FROM ");
  hm_sql_put_name(&b, name);
  hm_buf_fmt(&b, " ORDER BY %.*s", HM_FMT(key));
  return hm_buf_take(&b, w->a);
}

static void walk_row(walk *w, hm_stmt *st, const hm_str *columns, size_t n) {
  double d;
  w->v.at.ref = hm_sql_text(st, REF, w->row);
  w->v.at.about = hm_sql_text(st, ABOUT, w->row);
  hm_str named = hm_sql_text(st, NAMED, w->row);
  for (size_t i = 0; i < n; i++) {
    int at = FIRST + (int)i;
    if (hm_sql_is_null(st, at) || hm_sql_is_int(st, at) || hm_sql_is_real(st, at, &d))
      continue;
    bool beside =
        named.n && (hm_str_is(columns[i], "value") || hm_str_is(columns[i], "value_detected"));
    w->v.at.column = columns[i];
    visit_raw(&w->v, beside ? named : columns[i], hm_sql_plain(st, at), beside ? NULL : w->might,
              w->row);
  }
}

static int walk_table(walk *w, const table *t) {
  hm_str *columns, key;
  size_t n;
  hm_stmt *st;
  if (read_columns(w, t->name, &columns, &n, &key))
    return -1;
  if (!n)
    return 0; /* a store of an older version lacks it */
  if (hm_sql_prepare(w->s, select_of(w, t->name, columns, n, key).p, &st, w->err))
    return -1;
  int rc;
  w->v.at.class = t->class;
  while ((rc = hm_sql_step(w->s, st, w->err)) == 1) {
    hm_arena_reset(w->row);
    walk_row(w, st, columns, n);
  }
  hm_sql_finalize(st);
  return rc;
}

/* --- all tables ------------------------------------------------------------------------- */

/* The next table of the schema; false: there is none. One that does not say what it is counts as
 * exported, so that nothing in it is missed. */
static bool next_table(const char **schema, table *out) {
  static const char create[] = "CREATE TABLE IF NOT EXISTS ";
  const char *begin = strstr(*schema, create);
  if (!begin)
    return false;
  begin += sizeof create - 1;
  const char *end = strchr(begin, '\n'), *space = strchr(begin, ' ');
  hm_str line = { begin, (size_t)(end - begin) };
  *schema = end;
  *out = (table){ { begin, (size_t)(space - begin) }, HM_TABLES_EXPORTED };
  if (hm_str_ends(line, "-- derived"))
    out->class = HM_TABLES_DERIVED;
  else if (hm_str_ends(line, "-- local"))
    out->class = HM_TABLES_LOCAL;
  return true;
}

int hm_store_texts_walk(hm_store *s, unsigned classes, bool (*might)(hm_str raw),
                        hm_store_text_fn *each, void *ctx, hm_err *err) {
  walk w = { .s = s, .might = might, .v = { .each = each, .ctx = ctx }, .err = err };
  const char *schema = hm_schema_sql;
  table t;
  bool mine;
  if (hm_store_txn(s, false, &mine, err))
    return -1;
  w.a = hm_arena_new();
  w.row = hm_arena_new();
  int rc = 0;
  while (!rc && next_table(&schema, &t))
    if (t.class & classes)
      rc = walk_table(&w, &t);
  hm_arena_free(w.row);
  hm_arena_free(w.a);
  return hm_store_txn_end(s, mine, rc, err);
}

/* --- live secrets ------------------------------------------------------------------------ */

typedef struct {
  hm_live_secrets *out;
  bool statements;
} search;

/* JSON may spell a text in many ways. */
static bool may_hold_secret(hm_str raw) {
  hm_credential found;
  return memchr(raw.p, '\\', raw.n) || hm_credential_find(HM_EMPTY, raw, &found);
}

static bool is_statement(hm_str ref) {
  static const char *const kinds[] = { "conflict:", "acknowledgement:", "flag:", "proposal:",
                                       "verdict:" };
  for (size_t i = 0; i < HM_COUNT(kinds); i++)
    if (hm_str_starts(ref, kinds[i]))
      return true;
  return false;
}

/* `redact` takes texts out of rows, not what a row is found by. */
static bool is_redactable(const hm_store_text *t) {
  static const char *const kept[] = {
    "id",          "project",    "status",        "from",          "to",
    "from_id",     "to_id",      "superseded_by", "graduated_to",  "valid_from",
    "valid_until", "created_at", "updated_at",    "superseded_at", "last_accessed_at"
  };
  hm_layer layer;
  hm_str id;
  if (!hm_ref_parse(t->ref, &layer, &id))
    return false;
  for (size_t i = 0; i < HM_COUNT(kept); i++)
    if (hm_str_is(t->column, kept[i]))
      return false;
  return t->name.n > 0; /* not the name of a member */
}

static void note_secret(hm_live_secrets *l, const hm_store_text *t, const hm_credential *found) {
  hm_str field = t->member.n ? t->member : t->column;
  if (!l->texts.n)
    hm_map_init(&l->texts, l->a, 8);
  bool known = hm_map_get(&l->texts, found->text) != HM_MAP_NONE;
  if (!known && l->texts.n < HM_SECRETS_LISTED)
    hm_map_add(&l->texts, hm_str_dup(l->a, found->text), 0);
  if (known && hm_str_starts(t->ref, "conflict:"))
    return; /* it only quotes a row */
  for (size_t i = l->n; i-- > 0 && hm_str_eq(l->v[i].ref, t->ref);)
    if (hm_str_eq(l->v[i].field, field))
      return;
  l->all++;
  if (l->n == HM_SECRETS_LISTED)
    return;
  l->v = hm_array_grow_in(l->a, l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = (hm_live_secret){ .ref = hm_str_dup(l->a, t->ref),
                                   .about = hm_str_dup(l->a, t->about),
                                   .field = hm_str_dup(l->a, field),
                                   .shown = hm_credential_mask(found, l->a),
                                   .redactable = is_redactable(t) };
}

static void see_text(void *ctx, const hm_store_text *t) {
  search *x = ctx;
  hm_credential found;
  if (x->statements && !is_statement(t->ref))
    return;
  if (hm_credential_find(t->name, t->text, &found))
    note_secret(x->out, t, &found);
}

int hm_store_secrets_find(hm_store *s, bool statements, hm_arena *a, hm_live_secrets *out,
                          hm_err *err) {
  search x = { out, statements };
  *out = (hm_live_secrets){ .a = a };
  return hm_store_texts_walk(s, HM_TABLES_EXPORTED, may_hold_secret, see_text, &x, err);
}

/* --- live secrets in what is written -------------------------------------------------------- */

static hm_live_secrets *written(hm_store *s) {
  if (!s->secrets) {
    s->secrets_arena = hm_arena_new();
    s->secrets = hm_alloc(s->secrets_arena, sizeof *s->secrets);
    s->secrets->a = s->secrets_arena;
  }
  return s->secrets;
}

/* Why somebody wrote, and who it was, are no part of a record; a verdict's reason is. */
static void see_words(hm_store *s, hm_str ref, const char *field, hm_str text) {
  hm_credential found;
  if (!hm_credential_find(HM_EMPTY, text, &found))
    return;
  hm_live_secrets *l = written(s);
  const hm_store_text t = {
    .class = HM_TABLES_LOCAL, .ref = ref, .column = hm_str_c(field), .text = text
  };
  if (!l->texts.n || hm_map_get(&l->texts, found.text) == HM_MAP_NONE)
    note_secret(l, &t, &found);
}

/* A record as a line of the journal has it. */
static void walk_record(hm_str ref, hm_str record, hm_store_text_fn *each, void *ctx, hm_arena *a) {
  hm_json *fields = hm_json_parse_as(a, record, HM_JSON_OBJECT);
  visit v = { .at = { .class = HM_TABLES_EXPORTED, .ref = ref }, .each = each, .ctx = ctx };
  hm_str key = hm_str_starts(ref, "project_state:") ? hm_json_get_text(fields, "key") : HM_EMPTY;
  for (const hm_json *f = fields ? fields->child : NULL; f; f = f->next) {
    v.at.column = f->key;
    v.at.member = HM_EMPTY;
    visit_json(&v, f, hm_str_is(f->key, "value") && key.n ? key : f->key);
  }
}

/* The conflicts that a sweep records quote what its rows said when they were written. */
void hm_secrets_note_written(hm_store *s, const hm_actor *who, const char *verb, hm_str ref,
                             hm_str record) {
  hm_credential found;
  bool of_sweep =
      hm_str_starts(ref, "conflict:") && (!strcmp(verb, "open") || !strcmp(verb, "update"));
  bool state = hm_str_starts(ref, "project_state:");
  if (record.n && !of_sweep && (state || hm_credential_find(HM_EMPTY, record, &found))) {
    hm_arena *a = hm_arena_new();
    search x = { written(s), false };
    walk_record(ref, record, see_text, &x, a);
    hm_arena_free(a);
  }
  see_words(s, ref, "notes", who->why);
  see_words(s, ref, "by", who->by);
}

const hm_live_secrets *hm_store_secrets_written(const hm_store *s) {
  static const hm_live_secrets none;
  return s->secrets ? s->secrets : &none;
}

void hm_store_secrets_tell(const hm_store *s, hm_arena *a, hm_str **warnings, size_t *n) {
  const hm_live_secrets *l = hm_store_secrets_written(s);
  hm_str *all = hm_alloc_array(a, *n + l->n + 1, sizeof *all);
  for (size_t i = 0; i < l->n; i++)
    all[i] = hm_live_secret_words(&l->v[i], a);
  for (size_t i = 0; i < *n; i++)
    all[l->n + i] = hm_credential_hide((*warnings)[i], a);
  *warnings = all;
  *n += l->n;
}

/* --- live secrets: words ---------------------------------------------------------------------- */

hm_str hm_live_secret_detail(const hm_live_secret *s, hm_arena *a) {
  bool all = (hm_str_starts(s->ref, "memory:") && hm_str_is(s->field, "content")) ||
      (hm_str_starts(s->ref, "project_state:") && hm_str_is(s->field, "value"));
  hm_str what = hm_str_fmt(a, "looks like a live secret (%.*s): change it where it is used",
                           HM_FMT(s->shown));
  if (!s->redactable)
    return HM_CAT(a, what, HM_STR(", then import this anew without it: `redact` cannot reach it"));
  hm_str command = hm_credential_redact_command(s->ref, all ? HM_EMPTY : s->field, a);
  return HM_CAT(a, what, HM_STR(", then: "), command);
}

hm_str hm_live_secret_words(const hm_live_secret *s, hm_arena *a) {
  return hm_str_fmt(a, "%.*s: %.*s: %.*s", HM_FMT(hm_credential_hide(s->ref, a)),
                    HM_FMT(hm_credential_hide(s->field, a)), HM_FMT(hm_live_secret_detail(s, a)));
}
