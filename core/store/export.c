/* Exports the store as JSON Lines: every record by kind and key, or only what people decided.
 *
 * Equal stores give equal bytes: export(import(export(s))) is export(s), and the same verdicts give
 * the same lines in every store, however they got there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/store/import.h"
#include "core/store/remarks.h"
#include "core/record/records.h"
#include "core/store/snapshot_impl.h"
#include "core/store/verdict_lines.h"

/* --- records -------------------------------------------------------------------- */

static int fail_output(hm_err *err) {
  return hm_fail(err, HM_E_OUTPUT, "export", strerror(errno), "make room and try again");
}

/* Is a proposal what a person confirmed or denied? */
static bool is_of_person(hm_kind_index k, const hm_cell *cells) {
  hm_str says = hm_cell_text(&hm_kinds[k], cells, "says");
  if (!says.n)
    return !hm_cell_text(&hm_kinds[k], cells, "model").n;
  return hm_str_is(says, HM_SAYS_CONFIRMED) ||
      (hm_str_is(says, HM_SAYS_AGREES) && !hm_cell_text(&hm_kinds[k], cells, "via").n);
}

/* left_out: ids to omit; NULL: none. */
/* confirmed: write only proposals that a person confirmed or denied. */
static int export_some(hm_store *s, hm_kind_index k, const hm_map *left_out, bool confirmed,
                       FILE *out, hm_err *err) {
  hm_stmt *st;
  hm_cell cells[HM_MAX_FIELDS + 1];
  hm_buf b = { 0 };
  if (s->version < hm_kinds[k].since)
    return 0;
  hm_arena *a = hm_arena_new();
  int rc = hm_records_select_all(s, k, &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(a);
    hm_buf_clear(&b);
    rc = hm_records_read_row(s, k, st, cells, a, err);
    if (rc)
      break;
    if (k == HM_K_LINK && hm_str_eq(cells[0].text, cells[1].text))
      continue; /* says nothing, and no import takes it */
    if (left_out && hm_map_get(left_out, cells[0].text) != HM_MAP_NONE)
      continue;
    if (confirmed && !is_of_person(k, cells))
      continue;
    hm_record_put(&b, &hm_kinds[k], cells, a);
    hm_buf_ch(&b, '\n');
    hm_str line = hm_json_escape_directions(a, hm_buf_view(&b));
    if (b.failed)
      rc = hm_fail(err, HM_E_STORE, "export", "a record is larger than 2 GB", "");
    else if (fwrite(line.p, 1, line.n, out) != line.n)
      rc = fail_output(err);
  }
  hm_buf_free(&b);
  hm_arena_free(a);
  return rc;
}

static int export_kind(hm_store *s, hm_kind_index k, const hm_map *left_out, FILE *out,
                       hm_err *err) {
  return export_some(s, k, left_out, false, out, err);
}

/* history with when the row came: a restored store has the order of addresses from it. */
static hm_str with_came(hm_str history, hm_str came, hm_arena *a) {
  hm_str rest = history.n > 2 ? hm_str_sub(history, 1, history.n) : HM_EMPTY;
  const hm_str parts[] = { HM_STR("{\"came\":\""), came, rest.n ? HM_STR("\",") : HM_STR("\"}"),
                           rest };
  return hm_str_join(a, parts, HM_COUNT(parts));
}

/* The first statement of a row tells when it came, if another entity has its address. */
static void tell_came(hm_cell *cells, hm_map *at, hm_str *came, hm_arena *a) {
  enum { ROW, SOURCE, AT, RECORD, HISTORY };
  uint32_t i = hm_map_get(at, cells[ROW].text);
  if (i == HM_MAP_NONE || !came[i].n || !cells[SOURCE].text.n)
    return;
  hm_str history = cells[HISTORY].state == HM_CELL_TEXT ? cells[HISTORY].text : HM_EMPTY;
  cells[HISTORY] = (hm_cell){ HM_CELL_TEXT, with_came(history, came[i], a) };
  came[i] = HM_EMPTY;
}

/* What sources say; and of each row of which nobody is known to have said anything, that: an import
 * of the lines then makes the same store. What another program deleted says nothing here. */
static int export_evidence(hm_store *s, FILE *out, hm_err *err) {
#define SAYS(kind, table)                                                                          \
  " UNION ALL SELECT '" kind                                                                       \
  ":' || r.id, coalesce(e.source, ''), e.at, e.record, e.history FROM " table                      \
  " r LEFT JOIN evidence e ON e.ref = '" kind ":' || r.id"
  static const char all[] =
      "SELECT * FROM (SELECT '' AS ref, '' AS source, NULL, NULL, NULL WHERE 0" SAYS(
          "project", "projects") SAYS("memory", "memories") SAYS("entity", "entities")
          SAYS("project_state", "project_state")
              SAYS("relation", "relations") ") ORDER BY repaired(ref), ref, source";
  hm_stmt *st = NULL;
  hm_cell cells[HM_MAX_FIELDS + 1];
  hm_buf b = { 0 };
  if (s->version < HM_STORE_EVIDENCE_VERSION || s->theirs)
    return 0;
  hm_arena *a = hm_arena_new(), *names = hm_arena_new();
  hm_map at;
  hm_str *came;
  int rc = hm_namesakes_came(s, names, &at, &came, err);
  if (!rc)
    rc = hm_sql_prepare(s, all, &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(a);
    hm_buf_clear(&b);
    rc = hm_records_read_row(s, HM_K_EVIDENCE, st, cells, a, err);
    tell_came(cells, &at, came, a);
    hm_record_put(&b, &hm_kinds[HM_K_EVIDENCE], cells, a);
    hm_buf_ch(&b, '\n');
    hm_str line = hm_json_escape_directions(a, hm_buf_view(&b));
    if (!rc && fwrite(line.p, 1, line.n, out) != line.n)
      rc = fail_output(err);
  }
  hm_sql_finalize(st);
  hm_buf_free(&b);
  hm_arena_free(names);
  hm_arena_free(a);
  return rc;
}

/* --- verdicts -------------------------------------------------------------------- */

typedef struct {
  hm_str slot_key, from, conflict, id, text;
} out_line;

typedef struct {
  hm_store *s;
  bool open_only; /* what the records of conflicts do not say */
  hm_arena *a;
  hm_known_verdict *known;
  size_t n_known;
  hm_map by_id;     /* of the known -> index */
  hm_map by_target; /* conflict -> the first of the known about it; next: the others */
  uint32_t *next;
  hm_map written;  /* ids of lines that are written */
  hm_map replaced; /* ids that some line names so */
  out_line *v;
  size_t n, cap;
  hm_err *err;
} exporting;

static void keep_line(exporting *x, const hm_verdict_line *v, hm_str text) {
  size_t had = x->written.n;
  hm_map_add(&x->written, v->id, 0);
  if (x->written.n == had)
    return;
  x->v = hm_array_grow(x->v, x->n, &x->cap, sizeof *x->v);
  x->v[x->n++] = (out_line){ v->slot_key, v->window_from, v->conflict, v->id, text };
}

static void add_replaced(hm_verdict_line *v, hm_str id, size_t *cap, hm_arena *a) {
  if (hm_str_eq(id, v->id))
    return;
  for (size_t i = 0; i < v->n_replaces; i++)
    if (hm_str_eq(v->replaces[i], id))
      return;
  v->replaces = hm_array_grow_in(a, v->replaces, v->n_replaces, cap, sizeof *v->replaces);
  v->replaces[v->n_replaces++] = id;
}

/* It replaces the earlier verdicts of this store, and the imported ones that a person saw. */
static void complete(exporting *x, hm_verdict_line *v, const hm_verdict_line *past, size_t n_past,
                     hm_str conflict) {
  size_t cap = 0;
  for (size_t i = 0; i < n_past; i++)
    add_replaced(v, past[i].id, &cap, x->a);
  for (uint32_t i = hm_map_get(&x->by_target, conflict); i != HM_MAP_NONE; i = x->next[i]) {
    const hm_known_verdict *k = &x->known[i];
    if (hm_str_eq(k->against, v->id))
      continue;
    add_replaced(v, k->line.id, &cap, x->a);
    for (size_t r = 0; r < k->line.n_replaces; r++)
      add_replaced(v, k->line.replaces[r], &cap, x->a);
  }
  hm_strs_sort(v->replaces, v->n_replaces);
}

/* The verdict that an import brought and that holds for this conflict now; or NULL. It is written
 * as it came, so that it is one line in every store. */
static const hm_known_verdict *as_it_came(const exporting *x, const hm_verdict_line *v) {
  uint32_t same = hm_map_get(&x->by_id, v->id);
  if (same != HM_MAP_NONE)
    return &x->known[same];
  for (uint32_t i = hm_map_get(&x->by_target, v->conflict); i != HM_MAP_NONE; i = x->next[i]) {
    const hm_known_verdict *k = &x->known[i];
    if (k->state == HM_VERDICT_APPLIED && hm_str_eq(k->line.by, v->by) &&
        hm_str_eq(k->line.at, v->at) && hm_str_eq(k->line.notes, v->notes) &&
        hm_verdict_lines_agree(&k->line, v, x->a))
      return k;
  }
  return NULL;
}

static int read_known(exporting *x) {
  if (hm_verdicts_all(x->s, x->a, &x->known, &x->n_known, x->err))
    return -1;
  hm_map_init(&x->by_id, x->a, x->n_known);
  hm_map_init(&x->by_target, x->a, x->n_known);
  hm_map_init(&x->written, x->a, x->n_known);
  hm_map_init(&x->replaced, x->a, x->n_known);
  x->next = hm_alloc_array(x->a, x->n_known, sizeof *x->next);
  for (size_t i = x->n_known; i-- > 0;) {
    hm_map_add(&x->by_id, x->known[i].line.id, (uint32_t)i);
    x->next[i] = hm_map_get(&x->by_target, x->known[i].target);
    hm_map_set(&x->by_target, x->known[i].target, (uint32_t)i);
  }
  return 0;
}

static int export_conflict(exporting *x, const hm_cell *cells) {
  hm_verdict_line *past, v;
  size_t n;
  hm_verdict_from_cells(cells, &v);
  bool settled = hm_str_is(v.status, "resolved") || hm_str_is(v.status, "dismissed");
  if (settled ? x->open_only : !hm_str_is(v.status, "open"))
    return 0;
  if (hm_verdict_history(x->s, v.conflict, x->a, &past, &n, x->err))
    return -1;
  if (!settled) {
    if (!n || !hm_str_is(past[n - 1].status, "reopened"))
      return 0;
    hm_verdict_line now = v;
    v = past[n - 1];
    v.taken_back = n > 1 ? &past[n - 2] : NULL;
    v.rule = now.rule, v.slot_key = now.slot_key;
    v.window_from = now.window_from, v.window_until = now.window_until;
  }
  v.id = hm_verdict_line_id(&v, x->a);
  if (hm_members_parse_cell(hm_cell_text(&hm_kinds[HM_K_CONFLICT], cells, "members"), &v.members,
                            &v.n_members, x->a, x->err))
    return -1;
  const hm_known_verdict *known = as_it_came(x, &v);
  if (known) {
    keep_line(x, &known->line, known->record);
    return 0;
  }
  complete(x, &v, past, n, v.conflict);
  for (size_t i = 0; i < v.n_replaces; i++)
    hm_map_add(&x->replaced, v.replaces[i], 0);
  hm_buf b = { 0 };
  hm_verdict_line_json(&b, &v, x->a);
  keep_line(x, &v, hm_buf_take(&b, x->a));
  return 0;
}

static int export_conflicts(exporting *x) {
  hm_stmt *st;
  hm_cell cells[HM_MAX_FIELDS + 1];
  int rc = hm_records_select_all(x->s, HM_K_CONFLICT, &st, x->err);
  while (!rc && (rc = hm_sql_step(x->s, st, x->err)) == 1) {
    rc = hm_records_read_row(x->s, HM_K_CONFLICT, st, cells, x->a, x->err);
    if (!rc)
      rc = export_conflict(x, cells);
  }
  return rc;
}

/* What waits; and what opened a conflict again that was never settled here, which keeps older
 * lines from settling it elsewhere. */
static void keep_others(exporting *x) {
  for (size_t i = 0; i < x->n_known; i++)
    for (size_t k = 0; k < x->known[i].line.n_replaces; k++)
      hm_map_add(&x->replaced, x->known[i].line.replaces[k], 0);
  for (size_t i = 0; i < x->n_known; i++) {
    const hm_known_verdict *k = &x->known[i];
    bool reopened = k->state == HM_VERDICT_APPLIED && hm_str_is(k->line.status, "reopened");
    if ((k->state == HM_VERDICT_WAITS || reopened) &&
        hm_map_get(&x->replaced, k->line.id) == HM_MAP_NONE)
      keep_line(x, &k->line, k->record);
  }
}

static int by_slot(const void *x, const void *y) {
  const out_line *p = x, *q = y;
  int d = hm_str_cmp(p->slot_key, q->slot_key);
  if (!d)
    d = hm_str_cmp(p->from, q->from);
  if (!d)
    d = hm_str_cmp(p->conflict, q->conflict);
  return d ? d : hm_str_cmp(p->id, q->id);
}

static int write_lines(exporting *x, FILE *out) {
  if (x->n)
    qsort(x->v, x->n, sizeof *x->v, by_slot);
  for (size_t i = 0; i < x->n; i++) {
    hm_str line = hm_json_escape_directions(x->a, x->v[i].text);
    if (fwrite(line.p, 1, line.n, out) != line.n || fputc('\n', out) == EOF)
      break;
  }
  if (!ferror(out) && !fflush(out))
    return 0;
  return fail_output(x->err);
}

/* Acknowledgements and flags, with withdrawals; confirmations. */
static int export_remarks(hm_store *s, FILE *out, hm_arena *a, hm_err *err) {
  for (hm_remark_kind k = 0; k < HM_N_REMARK_KINDS; k++) {
    hm_map replaced;
    if (hm_remarks_replaced(s, k, a, &replaced, err) ||
        export_kind(s, k == HM_REMARK_ACK ? HM_K_ACKNOWLEDGEMENT : HM_K_FLAG, &replaced, out, err))
      return -1;
  }
  return export_some(s, HM_K_PROPOSAL, NULL, true, out, err);
}

/* open_only: only the verdicts that no conflict record holds: waiting ones, and those that
 * reopened a conflict. */
static int export_lines(hm_store *s, bool open_only, FILE *out, hm_err *err) {
  exporting x = { .s = s, .open_only = open_only, .a = hm_arena_new(), .err = err };
  bool mine;
  int rc = hm_store_txn(s, false, &mine, err);
  if (!rc) {
    rc = read_known(&x);
    if (!rc)
      rc = export_conflicts(&x);
    if (!rc)
      keep_others(&x);
    if (!rc)
      rc = write_lines(&x, out);
    if (!rc && !open_only)
      rc = export_remarks(s, out, x.a, err);
    if (!rc && fflush(out))
      rc = fail_output(err);
    rc = hm_store_txn_end(s, mine, rc, err);
  }
  free(x.v);
  hm_arena_free(x.a);
  return rc;
}

int hm_export_verdicts(hm_store *s, FILE *out, hm_err *err) {
  return export_lines(s, false, out, err);
}

/* The tables of other programs may have an id twice. No import takes such a file, so none is
 * begun. */
static int check_ids(hm_store *s, hm_err *err) {
  hm_arena *a = hm_arena_new();
  int rc = 0;
  for (hm_kind_index k = HM_K_PROJECT; k <= HM_K_RELATION && !rc; k++) {
    hm_stmt *st = NULL;
    rc = hm_sql_prepare(s,
                        hm_str_fmt(a,
                                   "SELECT CAST(id AS TEXT) FROM %s GROUP BY 1 HAVING count(1) > 1 "
                                   "ORDER BY 1 LIMIT 1",
                                   hm_kinds[k].table)
                            .p,
                        &st, err);
    int found = rc ? rc : hm_sql_step(s, st, err);
    rc = found > 0 ? hm_fail_duplicate_row(s, hm_kinds[k].name, hm_sql_copy(st, 0, a), err) : found;
    hm_sql_finalize(st);
  }
  hm_arena_free(a);
  return rc;
}

int hm_export(hm_store *s, FILE *out, hm_err *err) {
  bool mine;
  int rc = hm_store_txn(s, false, &mine, err);
  if (rc)
    return rc;
  if (s->theirs)
    rc = check_ids(s, err);
  for (int k = 0; k < HM_K_EVIDENCE && !rc; k++)
    rc = export_kind(s, (hm_kind_index)k, NULL, out, err);
  if (!rc)
    rc = export_evidence(s, out, err);
  if (!rc)
    rc = export_lines(s, true, out, err);
  if (!rc && fflush(out))
    rc = fail_output(err);
  return hm_store_txn_end(s, mine, rc, err);
}
