/* The tables acknowledgements and flags; see remarks.h. */
#include "core/store/remarks.h"

#include <stdlib.h>

#include "core/base/digest.h"
#include "core/store/record_edit.h"
#include "core/store/records_impl.h"

enum { ALL, ON };
static const char *const SQL[][HM_N_REMARK_KINDS] = {
  [ALL] = { [HM_REMARK_ACK] = "SELECT id, finding, evidence, rule, status, reason, actor, at,"
                              " replaces FROM acknowledgements ORDER BY finding, id",
            [HM_REMARK_FLAG] = "SELECT id, subject, '', '', status, reason, actor, at, replaces"
                               " FROM flags ORDER BY subject, id" },
  [ON] = { [HM_REMARK_ACK] = "SELECT id, status, replaces FROM acknowledgements WHERE finding = ?1"
                             " ORDER BY id",
           [HM_REMARK_FLAG] = "SELECT id, status, replaces FROM flags WHERE subject = ?1"
                              " ORDER BY id" },
};
static const char *const KINDS[] = {
  [HM_REMARK_ACK] = "acknowledgement:", [HM_REMARK_FLAG] = "flag:"
};

/* The ids in a list of texts as JSON; what is none has none. */
static void add_ids(hm_map *ids, hm_str json, hm_arena *a) {
  hm_json *v;
  if (hm_json_parse(a, json, &v, NULL) || v->type != HM_JSON_ARRAY) return;
  for (const hm_json *e = v->child; e; e = e->next)
    if (e->type == HM_JSON_STRING) hm_map_add(ids, e->text, 0);
}

int hm_remarks_replaced(hm_store *s, hm_remark_kind kind, hm_arena *a, hm_map *out, hm_err *err) {
  hm_stmt *st;
  int rc;
  hm_map_init(out, a, 0);
  if (s->version < 5) return 0;
  if (hm_sql_cached(s, SQL[ALL][kind], &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) add_ids(out, hm_sql_copy(st, 8, a), a);
  return rc;
}

int hm_remarks_standing(hm_store *s, hm_remark_kind kind, hm_arena *a, hm_remark **out, size_t *n,
                        hm_err *err) {
  hm_stmt *st;
  hm_map replaced;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (s->version < 5) return 0;
  if (hm_remarks_replaced(s, kind, a, &replaced, err) || hm_sql_cached(s, SQL[ALL][kind], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_remark note = { .id = hm_sql_copy(st, 0, a),
                       .subject = hm_sql_copy(st, 1, a),
                       .evidence = hm_sql_copy(st, 2, a),
                       .rule = hm_sql_copy(st, 3, a),
                       .withdrawn = hm_str_is(hm_sql_text(st, 4, a), "withdrawn"),
                       .reason = hm_sql_copy(st, 5, a),
                       .by = hm_sql_copy(st, 6, a),
                       .at = hm_sql_copy(st, 7, a) };
    if (hm_map_get(&replaced, note.id) != HM_MAP_NONE) continue;
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = note;
  }
  return rc;
}

static int by_bytes(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

typedef struct {
  hm_str *v;
  size_t n;
} ids;

/* All lines about the subject; a flag leaves those of others that stand. */
static int find_replaced(hm_store *s, hm_remark_kind kind, const hm_remark *note, hm_arena *a,
                         ids *out, hm_err *err) {
  hm_map old;
  hm_stmt *st;
  ids all = { 0 };
  bool *stands = NULL;
  size_t cap = 0, cap_stands = 0;
  int rc;
  hm_map_init(&old, a, 0);
  if (hm_sql_query(s, SQL[ON][kind], HM_ARGS(hm_arg_text(note->subject)), &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    size_t n = all.n;
    all.v = hm_array_grow_in(a, all.v, n, &cap, sizeof *all.v);
    stands = hm_array_grow_in(a, stands, n, &cap_stands, sizeof *stands);
    all.v[all.n++] = hm_sql_copy(st, 0, a);
    stands[n] = !hm_str_is(hm_sql_text(st, 1, a), "withdrawn");
    add_ids(&old, hm_sql_copy(st, 2, a), a);
  }
  out->v = hm_alloc_array(a, all.n, sizeof *out->v);
  out->n = 0;
  for (size_t i = 0; i < all.n; i++) {
    bool kept = kind == HM_REMARK_FLAG && !note->withdrawn && stands[i] &&
        hm_map_get(&old, all.v[i]) == HM_MAP_NONE;
    if (!kept) out->v[out->n++] = all.v[i];
  }
  if (out->n) qsort(out->v, out->n, sizeof *out->v, by_bytes);
  return rc;
}

static hm_str id_of(hm_remark_kind kind, const hm_remark *n, const hm_actor *who,
                    const ids *replaced, hm_arena *a) {
  const hm_str parts[] = { n->subject, n->evidence, n->withdrawn ? HM_STR("withdrawn") : HM_EMPTY,
                           n->reason,  who->by,     who->at };
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < HM_COUNT(parts); i++) hm_sha256_field(&h, parts[i]);
  for (size_t i = 0; i < replaced->n; i++) hm_sha256_field(&h, replaced->v[i]);
  return hm_str_fmt(a, "%c-%.*s", KINDS[kind][0], HM_FMT(hm_sha256_hex(&h, a, 16)));
}

static hm_str as_list(const hm_str *v, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_strs(&w, NULL, v, n);
  return hm_buf_take(&b, a);
}

int hm_remark_add(hm_store *s, hm_remark_kind kind, const hm_remark *n, const hm_str *rows,
                  size_t n_rows, const char *verb, const hm_actor *who, hm_arena *a, hm_str *id,
                  hm_err *err) {
  const hm_str nothing = { NULL, 0 };
  ids replaced;
  bool there;
  hm_column have[] = { { "id", nothing } };
  if (find_replaced(s, kind, n, a, &replaced, err)) return -1;
  *id = id_of(kind, n, who, &replaced, a);
  hm_str ref = HM_CAT(a, hm_str_c(KINDS[kind]), *id);
  if (hm_store_get_columns(s, ref, have, 1, &there, a, err) || there) return there ? 0 : -1;
  const hm_column columns[] = {
    { "finding", n->subject },
    { "subject", n->subject },
    { "evidence", n->evidence.n ? n->evidence : HM_EMPTY },
    { "rule", n->rule },
    { "about", n_rows ? as_list(rows, n_rows, a) : nothing },
    { "status",
      n->withdrawn                ? HM_STR("withdrawn")
          : kind == HM_REMARK_ACK ? HM_STR("acknowledged")
                                  : HM_STR("flagged") },
    { "reason", n->reason.n ? n->reason : nothing },
    { "actor", who->by },
    { "at", who->at },
    { "replaces", replaced.n ? as_list(replaced.v, replaced.n, a) : nothing },
  };
  return hm_store_insert_record(s, ref, columns, HM_COUNT(columns), verb, who, a, err);
}
