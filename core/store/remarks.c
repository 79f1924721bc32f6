/* The tables acknowledgements, flags and proposals; see remarks.h. */
#include "core/store/remarks.h"

#include <stdlib.h>

#include "core/base/digest.h"
#include "core/base/sort.h"
#include "core/record/record_edit.h"
#include "core/record/records.h"

#define SELECT_PROPOSALS "SELECT id, members, digests, question, model, at, actor"
/* Statements on remarks, by kind: ALL_REMARKS + kind. */
enum {
  ALL_REMARKS,
  REMARKS_ON = ALL_REMARKS + HM_N_REMARK_KINDS,
  ALL_PROPOSALS = REMARKS_ON + HM_N_REMARK_KINDS,
  ALL_PROPOSALS_V7 /* before HM_STORE_REPORTS_VERSION */
};
static const char *const SQL[] = {
  [ALL_REMARKS + HM_REMARK_ACK] = "SELECT id, finding, evidence, rule, status, reason, actor, at,"
                                  " replaces FROM acknowledgements ORDER BY finding, id",
  [ALL_REMARKS + HM_REMARK_FLAG] = "SELECT id, subject, '', '', status, reason, actor, at, replaces"
                                   " FROM flags ORDER BY subject, id",
  [REMARKS_ON + HM_REMARK_ACK] =
      "SELECT id, status, replaces FROM acknowledgements WHERE finding = ?1 ORDER BY id",
  [REMARKS_ON + HM_REMARK_FLAG] =
      "SELECT id, status, replaces FROM flags WHERE subject = ?1 ORDER BY id",
  [ALL_PROPOSALS] = SELECT_PROPOSALS ", says, why, via FROM proposals ORDER BY id",
  [ALL_PROPOSALS_V7] = SELECT_PROPOSALS ", NULL, NULL, NULL FROM proposals ORDER BY id",
};
static const char *const KINDS[] = {
  [HM_REMARK_ACK] = "acknowledgement:", [HM_REMARK_FLAG] = "flag:"
};

/* The texts of a JSON array; none if it is not an array. */
static size_t texts_of(hm_str json, hm_arena *a, hm_str **out) {
  return hm_json_texts(hm_json_parse_as(a, json, HM_JSON_ARRAY), a, out);
}

static void add_ids(hm_map *to, hm_str json, hm_arena *a) {
  hm_str *v;
  for (size_t i = 0, n = texts_of(json, a, &v); i < n; i++)
    hm_map_add(to, v[i], 0);
}

int hm_remarks_replaced(hm_store *s, hm_remark_kind kind, hm_arena *a, hm_map *out, hm_err *err) {
  hm_stmt *st;
  int rc;
  hm_map_init(out, a, 0);
  if (s->version < 5)
    return 0;
  if (hm_sql_cached(s, SQL[ALL_REMARKS + kind], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1)
    add_ids(out, hm_sql_copy(st, 8, a), a);
  return rc;
}

int hm_remarks_unreplaced(hm_store *s, hm_remark_kind kind, hm_arena *a, hm_remark **out, size_t *n,
                          hm_err *err) {
  hm_stmt *st;
  hm_map replaced;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (s->version < 5)
    return 0;
  if (hm_remarks_replaced(s, kind, a, &replaced, err))
    return -1;
  if (hm_sql_cached(s, SQL[ALL_REMARKS + kind], &st, err))
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
    if (hm_map_get(&replaced, note.id) != HM_MAP_NONE)
      continue;
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = note;
  }
  return rc;
}

typedef struct {
  hm_str *v;
  size_t n;
} id_list;

/* All lines about the subject; a flag leaves those that no other replaced. */
static int find_replaced(hm_store *s, hm_remark_kind kind, const hm_remark *note, hm_arena *a,
                         id_list *out, hm_err *err) {
  hm_map old;
  hm_stmt *st;
  id_list all = { 0 };
  bool *in_force = NULL;
  size_t cap = 0, cap_stands = 0;
  int rc;
  hm_map_init(&old, a, 0);
  if (hm_sql_query(s, SQL[REMARKS_ON + kind], HM_ARGS(hm_arg_text(note->subject)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    size_t n = all.n;
    all.v = hm_array_grow_in(a, all.v, n, &cap, sizeof *all.v);
    in_force = hm_array_grow_in(a, in_force, n, &cap_stands, sizeof *in_force);
    all.v[all.n++] = hm_sql_copy(st, 0, a);
    in_force[n] = !hm_str_is(hm_sql_text(st, 1, a), "withdrawn");
    add_ids(&old, hm_sql_copy(st, 2, a), a);
  }
  out->v = hm_alloc_array(a, all.n, sizeof *out->v);
  out->n = 0;
  for (size_t i = 0; i < all.n; i++) {
    bool kept = kind == HM_REMARK_FLAG && !note->withdrawn && in_force[i] &&
        hm_map_get(&old, all.v[i]) == HM_MAP_NONE;
    if (!kept)
      out->v[out->n++] = all.v[i];
  }
  hm_strs_sort(out->v, out->n);
  return rc;
}

static hm_str id_of(hm_remark_kind kind, const hm_remark *n, const hm_actor *who,
                    const id_list *replaced, hm_arena *a) {
  const hm_str parts[] = { n->subject, n->evidence, n->withdrawn ? HM_STR("withdrawn") : HM_EMPTY,
                           n->reason,  who->by,     who->at };
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < HM_COUNT(parts); i++)
    hm_sha256_field(&h, parts[i]);
  for (size_t i = 0; i < replaced->n; i++)
    hm_sha256_field(&h, replaced->v[i]);
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
  id_list replaced;
  bool there;
  hm_column have[] = { { "id", nothing } };
  if (find_replaced(s, kind, n, a, &replaced, err))
    return -1;
  *id = id_of(kind, n, who, &replaced, a);
  hm_str ref = HM_CAT(a, hm_str_c(KINDS[kind]), *id);
  if (hm_store_get_columns(s, ref, have, 1, &there, a, err) || there)
    return there ? 0 : -1;
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

/* --- proposals ------------------------------------------------------------------------------- */

static hm_proposal proposal_of(hm_stmt *st, hm_arena *a) {
  hm_proposal p = { .id = hm_sql_copy(st, 0, a),
                    .question = hm_sql_copy(st, 3, a),
                    .model = hm_sql_copy(st, 4, a),
                    .at = hm_sql_copy(st, 5, a),
                    .by = hm_sql_copy(st, 6, a),
                    .says = hm_sql_copy(st, 7, a),
                    .why = hm_sql_copy(st, 8, a),
                    .via = hm_sql_copy(st, 9, a) };
  p.n = texts_of(hm_sql_text(st, 1, a), a, &p.rows);
  if (texts_of(hm_sql_text(st, 2, a), a, &p.digests) != p.n)
    p.n = 0;
  return p;
}

/* Whose it is, and what of: texts, too. */
static hm_str key_of_said(hm_str by, const hm_proposal *p, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_fmt(&b, "%zu %.*s ", by.n, HM_FMT(by));
  for (size_t i = 0; i < p->n; i++)
    hm_buf_fmt(&b, "%zu %.*s %.*s ", p->rows[i].n, HM_FMT(p->rows[i]), HM_FMT(p->digests[i]));
  return hm_buf_take(&b, a);
}

static void mark_taken_back(hm_proposal *v, size_t n) {
  hm_arena *a = hm_arena_new();
  hm_map last; /* withdrawal of what somebody said */
  hm_map_init(&last, a, 0);
  for (size_t i = 0; i < n; i++) {
    if (!hm_str_is(v[i].says, HM_SAYS_WITHDRAWN))
      continue;
    hm_str key = key_of_said(v[i].model, &v[i], a);
    uint32_t had = hm_map_get(&last, key);
    if (had == HM_MAP_NONE || hm_str_cmp(v[had].at, v[i].at) < 0)
      hm_map_set(&last, key, (uint32_t)i);
  }
  for (size_t i = 0; last.n && i < n; i++) {
    bool reported = hm_str_is(v[i].says, HM_SAYS_REPORTED);
    if (!reported && (v[i].says.n || !v[i].model.n))
      continue;
    uint32_t by = hm_map_get(&last, key_of_said(reported ? v[i].by : v[i].model, &v[i], a));
    v[i].taken_back = by != HM_MAP_NONE && hm_str_cmp(v[i].at, v[by].at) <= 0;
  }
  hm_arena_free(a);
}

int hm_proposals_read(hm_store *s, hm_arena *a, hm_proposal **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (s->version < HM_STORE_JUDGE_VERSION)
    return 0;
  const int all = s->version < HM_STORE_REPORTS_VERSION ? ALL_PROPOSALS_V7 : ALL_PROPOSALS;
  if (hm_sql_cached(s, SQL[all], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = proposal_of(st, a);
  }
  mark_taken_back(*out, *n);
  return rc;
}

typedef struct {
  hm_str row, digest;
} judged_row;

/* Sorts the rows and makes the id from them, so that a repeated proposal is recognized. */
static void complete(hm_proposal *p, const hm_actor *who, hm_arena *a) {
  judged_row *v = hm_alloc_array(a, p->n, sizeof *v);
  hm_sha256 h;
  for (size_t i = 0; i < p->n; i++)
    v[i] = (judged_row){ p->rows[i], p->digests[i] };
  qsort(v, p->n, sizeof *v, hm_order_str);
  hm_sha256_init(&h);
  for (size_t i = 0; i < p->n; i++) {
    p->rows[i] = v[i].row;
    p->digests[i] = v[i].digest;
    hm_sha256_field(&h, v[i].row);
    hm_sha256_field(&h, v[i].digest);
  }
  if (p->says.n)
    hm_sha256_field(&h, p->says);
  if (!p->model.n || p->says.n) {
    hm_sha256_field(&h, p->question);
    hm_sha256_field(&h, who->by);
    hm_sha256_field(&h, who->at);
  }
  p->id = hm_str_fmt(a, "j-%.*s", HM_FMT(hm_sha256_hex(&h, a, 16)));
}

static hm_str text_or_null(hm_str text) { return text.n ? text : (hm_str){ NULL, 0 }; }

/* As the journal has it. */
static const char *verb_of(const hm_proposal *p) {
  if (hm_str_is(p->says, HM_SAYS_REPORTED))
    return "report";
  if (hm_str_is(p->says, HM_SAYS_WITHDRAWN))
    return "withdraw";
  if (hm_str_is(p->says, HM_SAYS_AGREES))
    return "agree";
  return p->model.n && !p->says.n ? "propose" : "confirm";
}

int hm_proposal_add(hm_store *s, hm_proposal *p, const hm_actor *who, hm_arena *a, bool *added,
                    hm_err *err) {
  hm_column have[] = { { "id", HM_EMPTY } };
  bool there;
  complete(p, who, a);
  hm_str ref = HM_CAT(a, HM_STR("proposal:"), p->id);
  if (hm_store_get_columns(s, ref, have, 1, &there, a, err))
    return -1;
  *added = !there;
  if (there)
    return 0;
  const hm_column columns[] = {
    { "members", as_list(p->rows, p->n, a) },
    { "digests", as_list(p->digests, p->n, a) },
    { "question", p->question },
    { "model", p->model },
    { "actor", who->by },
    { "at", who->at },
    { "says", text_or_null(p->says) },
    { "why", text_or_null(p->why) },
    { "via", text_or_null(p->via) },
  };
  return hm_store_insert_record(s, ref, columns, HM_COUNT(columns), verb_of(p), who, a, err);
}
