/* What sources say of a row, for a redaction: its texts, and these without the value; journal.h. */
#include "core/record/evidence.h"
#include "core/record/journal.h"

static const char SAID[] = "SELECT ref, source, record, history FROM evidence"
                           " WHERE record IS NOT NULL OR history IS NOT NULL";
static const char SAID_OF[] =
    "SELECT source, record, history FROM evidence WHERE ref = ?1 AND (record IS NOT NULL OR history"
    " IS NOT NULL) ORDER BY source";
static const char SET_SAID[] =
    "UPDATE evidence SET record = ?3, history = ?4 WHERE ref = ?1 AND source = ?2";

int hm_said_records(hm_store *s, hm_str ref, hm_said_record_fn *each, void *ctx, hm_arena *a,
                    hm_err *err) {
  hm_stmt *st;
  int rc;
  if (hm_sql_query(s, SAID_OF, HM_ARGS(hm_arg_text(ref)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1)
    each(ctx, hm_json_parse_as(a, hm_sql_copy(st, 1, a), HM_JSON_OBJECT),
         hm_json_parse_as(a, hm_sql_copy(st, 2, a), HM_JSON_OBJECT));
  return rc;
}

/* A history is any object; all its texts are facts. */
static bool redact_history(const hm_redaction *r, hm_str ref, hm_str *history, hm_arena *a) {
  hm_str whole = HM_CAT(a, HM_STR("{\"properties\":"), *history, HM_STR("}"));
  if (!history->n || !hm_redact_record(r, ref, &whole, a))
    return false;
  const hm_json *v = hm_json_parse_as(a, whole, HM_JSON_OBJECT);
  *history = v && v->child ? hm_json_as_text(&(hm_json){ .type = v->child->type,
                                                         .key = HM_EMPTY,
                                                         .text = v->child->text,
                                                         .child = v->child->child,
                                                         .count = v->child->count },
                                             a)
                           : HM_EMPTY;
  return true;
}

int hm_redact_evidence(hm_store *s, const hm_redaction *r, hm_arena *a, hm_redacted_records *out,
                       hm_err *err) {
  hm_stmt *st;
  int rc = hm_sql_cached(s, SAID, &st, err);
  typedef struct {
    hm_str ref, source, record, history;
  } changed;
  changed *v = NULL;
  size_t n = 0, cap = 0;
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    changed one = { hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a), hm_sql_copy(st, 2, a),
                    hm_sql_copy(st, 3, a) };
    bool any = one.record.n && hm_redact_record(r, one.ref, &one.record, a);
    any |= redact_history(r, one.ref, &one.history, a);
    rc = 0;
    if (!any)
      continue;
    v = hm_array_grow_in(a, v, n, &cap, sizeof *v);
    v[n++] = one;
  }
  for (size_t i = 0; i < n && !rc; i++) {
    hm_redacted_note(out, "evidence", HM_CAT(a, v[i].ref, HM_STR(" "), v[i].source), a);
    rc = hm_sql_do(s, SET_SAID,
                   HM_ARGS(hm_arg_text(v[i].ref), hm_arg_text(v[i].source),
                           hm_arg_text_or_null(v[i].record), hm_arg_text_or_null(v[i].history)),
                   err);
  }
  for (size_t i = 0; i < n && !rc; i++) { /* what the row has now, too, is a digest of it again */
    hm_cell row[HM_MAX_FIELDS + 1] = { { HM_CELL_TEXT, HM_EMPTY } };
    hm_said_set said;
    bool found;
    hm_kind_index k = hm_kind_parse_ref(v[i].ref, &row[0].text);
    if (k > HM_K_RELATION)
      continue;
    rc = hm_record_load(s, k, row, &found, a, err) ||
            hm_evidence_load(s, k, v[i].ref, found ? row : NULL, a, &said, err) ||
            hm_evidence_save(s, &said, found ? row : NULL, err)
        ? -1
        : 0;
  }
  return rc;
}
