/* The transaction that removes a value from rows, conflicts, findings, verdicts and the journal. */
#include "core/review/redact.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/redaction.h"
#include "core/review/redact_target.h"
#include "core/review/write_check.h"
#include "core/store/recall_tables.h"
#include "core/store/store.h"
#include "core/record/journal.h"
#include "core/store/swept.h"
#include "core/record/texts.h"

typedef struct {
  hm_store *s;
  const hm_review *r;
  const hm_redact_order *order;
  hm_actor who;
  hm_write_check *check;
  hm_redact_field *fields;
  const hm_families *families;
  hm_needles own, names;
  hm_arena *a;
  hm_redacted *out;
  hm_err *err;
} redacting;

hm_str hm_redact_shown(const hm_redacted *r, hm_str text, hm_arena *a) {
  return hm_needles_replace(&r->values, text, HM_STR("[redacted]"), a);
}

/* --- what was asked for ----------------------------------------------------------- */

static int bad_reason(redacting *w, const char *why, const char *fix) {
  hm_fail(w->err, HM_E_INPUT, "--reason", why, fix);
  return hm_err_at_field(w->err, HM_STR("reason"));
}

static int check_reason(redacting *w) {
  hm_str reason = hm_str_trim(hm_text_repair(w->a, w->order->reason));
  if (!reason.n)
    return bad_reason(w, "it is missing", "say why; it will be seen in the place of the value");
  if (reason.n > HM_REDACT_REASON_MAX)
    return bad_reason(w, "it is too long", "say it in 300 bytes");
  if (memchr(reason.p, '\n', reason.n) || memchr(reason.p, '\r', reason.n))
    return bad_reason(w, "it has several lines", "say it in one");
  w->who = w->r->who;
  w->who.why = reason;
  w->out->mark = hm_redacted_mark(w->a, w->who.at, reason);
  return 0;
}

static int nothing(redacting *w) {
  const hm_named_row *row = &w->fields[0].row;
  enum { SHOWN = 120 };
  const char *what = hm_str_fmt(w->a, "%.*s", HM_FMT(hm_text_cut(row->ref, SHOWN))).p;
  if (w->order->earlier)
    return hm_fail(w->err, HM_E_STATE, what, "the journal knows no earlier value of the field", "");
  return hm_fail(w->err, HM_E_STATE, what,
                 "the field says nothing to redact: it is empty, yes or no, or was redacted before",
                 "--earlier takes out what it said before");
}

static int find_all(redacting *w) {
  hm_redacted *out = w->out;
  out->n_rows = w->order->n_rows;
  out->rows = hm_alloc_array(w->a, out->n_rows + 1, sizeof *out->rows);
  w->fields = hm_alloc_array(w->a, out->n_rows + 1, sizeof *w->fields);
  for (size_t i = 0; i < out->n_rows; i++) {
    if (hm_redact_find_field(w->s, w->order->rows[i], w->order->field, w->a, &w->fields[i], w->err))
      return -1;
    out->rows[i] = w->fields[i].row.ref;
  }
  for (size_t i = 0; i < out->n_rows; i++)
    if (hm_redact_collect_values(w->s, &w->fields[i], w->order->earlier, w->families, &w->own, w->a,
                                 w->err))
      return -1;
  if (!w->own.n)
    return nothing(w);
  if (hm_needles_found_in(&w->own, w->who.why))
    return bad_reason(w, "it holds the value", "say it in other words");
  for (size_t i = 0; i < w->own.n; i++) {
    hm_str name = hm_text_fold_name(w->a, w->own.v[i]);
    if (w->own.v[i].n >= HM_NEEDLE_FREE)
      hm_needles_add(&out->values, w->own.v[i], w->a);
    hm_str bare = hm_text_strip_name_signs(w->a, name);
    if (name.n >= HM_NEEDLE_WHOLE)
      hm_needles_add(&w->names, name, w->a);
    if (bare.n >= HM_NEEDLE_WHOLE && bare.n < name.n)
      hm_needles_add(&w->names, bare, w->a);
  }
  out->is_short = !out->values.n;
  return 0;
}

/* --- rows --------------------------------------------------------------------------- */

static hm_str json_string(hm_arena *a, const char *before, hm_str text, const char *behind) {
  hm_buf b = { 0 };
  hm_buf_c(&b, before);
  hm_json_write_str(&b, text);
  hm_buf_c(&b, behind);
  return hm_buf_take(&b, a);
}

/* The column with the mark in the place of the field. */
static hm_str marked(redacting *w, const hm_redact_field *f, hm_str column) {
  hm_json *v;
  if (f->column->kind == HM_TEXT_STRINGS)
    return json_string(w->a, "[", w->out->mark, "]");
  if (f->column->kind != HM_TEXT_OBJECT)
    return w->out->mark;
  if (!f->property.n || hm_json_parse(w->a, column, &v, NULL))
    return json_string(w->a, "{\"redacted\":", w->out->mark, "}");
  for (hm_json *p = v->child; p; p = p->next) {
    if (!hm_str_eq(p->key, f->property))
      continue;
    p->type = HM_JSON_STRING;
    p->text = w->out->mark;
    p->child = NULL;
  }
  return hm_json_as_text(v, w->a);
}

enum { COLUMNS_MAX = 12 };

typedef struct {
  hm_column v[COLUMNS_MAX];
  size_t n;
} columns;

static void set(columns *c, const char *column, hm_str value) {
  c->v[c->n++] = (hm_column){ column, value };
}

/* A JSON string is kept as text. */
static void set_value(redacting *w, columns *out, hm_str text, bool json) {
  hm_json *v;
  bool string = json && hm_json_parse(w->a, text, &v, NULL) == 0 && v->type == HM_JSON_STRING;
  set(out, "value", string ? v->text : text);
  set(out, "value_kind", json && !string ? HM_STR("json") : HM_STR("text"));
}

/* One column without the value; nothing when it does not hold it. */
static void clean_column(redacting *w, const hm_redaction *r, const hm_redact_field *f,
                         const hm_text_column *c, hm_str was, bool json, columns *out) {
  hm_str text = was;
  if (!was.n)
    return;
  if (c == f->column && !w->order->earlier) {
    text = marked(w, f, was);
    json = json && c->kind != HM_TEXT_VALUE;
  }
  if (!hm_redact_text(r, json, &text, w->a) && hm_str_eq(text, was))
    return;
  if (c->kind == HM_TEXT_VALUE)
    set_value(w, out, text, json);
  else
    set(out, c->column, text);
}

/* The field, and the value wherever else the row has it. */
static int change_row(redacting *w, const hm_redaction *r, const hm_redact_field *f) {
  hm_column now[COLUMNS_MAX] = { { .column = "value_kind" }, { .column = "status" } };
  const hm_text_column *all = hm_text_columns(f->row.layer);
  columns changed = { .n = 0 };
  size_t n = 2;
  bool found;
  for (const hm_text_column *c = all; c->column; c++)
    now[n++] = (hm_column){ .column = c->column };
  if (hm_store_get_columns(w->s, f->row.ref, now, n, &found, w->a, w->err))
    return -1;
  bool value_is_json = now[0].value.n && hm_str_is(now[0].value, "json");
  for (size_t i = 2; i < n; i++) {
    const hm_text_column *c = &all[i - 2];
    bool json = c->kind == HM_TEXT_STRINGS || c->kind == HM_TEXT_OBJECT ||
        (c->kind == HM_TEXT_VALUE && value_is_json);
    clean_column(w, r, f, c, now[i].value, json, &changed);
  }
  if (changed.n == 0)
    return 0;
  hm_status status = hm_status_parse(now[1].value);
  bool silent = !w->order->earlier && hm_redact_field_is_all(f);
  if (silent && (status == HM_ACTIVE || status == HM_CANDIDATE))
    set(&changed, "status", HM_STR("invalid"));
  w->out->changed[w->out->n_changed++] = f->row.ref;
  return hm_store_set_columns(w->s, f->row.ref, changed.v, changed.n, "redact", &w->who, w->a,
                              w->err);
}

/* --- where it still is ---------------------------------------------------------------------- */

/* Who holds one of the values, by kind: a walk over texts. */
typedef struct {
  redacting *w;
  const hm_needles *needles;
  bool rows; /* only rows and projects; else all else */
  hm_str last;
  size_t cap[4];
} holders;

static void add_ref(holders *h, hm_str **list, size_t *n, size_t *cap, hm_str ref) {
  for (size_t i = 0; i < *n; i++)
    if (hm_str_eq((*list)[i], ref))
      return;
  *list = hm_array_grow_in(h->w->a, *list, *n, cap, sizeof **list);
  (*list)[(*n)++] = ref;
}

static bool is_row(hm_str ref) {
  hm_layer layer;
  hm_str id;
  return hm_ref_parse(ref, &layer, &id) || hm_str_starts(ref, "project:");
}

static void see_row(holders *h, const hm_store_text *t, hm_str ref) {
  hm_redacted *out = h->w->out;
  (void)t;
  for (size_t i = 0; i < out->n_rows; i++)
    if (hm_str_eq(out->rows[i], ref)) {
      add_ref(h, &out->unreached, &out->n_unreached, &h->cap[0], ref);
      return;
    }
  add_ref(h, &out->others, &out->n_others, &h->cap[1], ref);
}

static void see_other(holders *h, const hm_store_text *t, hm_str ref) {
  static const char conflict[] = "conflict:";
  hm_redacted *out = h->w->out;
  if (hm_str_starts(ref, conflict)) {
    add_ref(h, &out->holding, &out->n_holding, &h->cap[2],
            hm_str_sub(ref, sizeof conflict - 1, ref.n));
    return;
  }
  size_t colon = (size_t)hm_str_find(ref, ":");
  out->elsewhere = hm_array_grow_in(h->w->a, out->elsewhere, out->n_elsewhere, &h->cap[3],
                                    sizeof *out->elsewhere);
  out->elsewhere[out->n_elsewhere++] =
      (hm_redact_place){ hm_str_sub(ref, 0, colon), hm_str_sub(ref, colon + 1, ref.n),
                         hm_str_dup(h->w->a, t->column) };
}

/* What a source says of a row that is not redacted is that row's; what it said is a quotation. */
static hm_str holder_of(const holders *h, const hm_store_text *t) {
  const hm_redacted *out = h->w->out;
  if (!hm_str_starts(t->ref, "evidence:") || !hm_str_is(t->column, "record") || !is_row(t->about))
    return t->ref;
  for (size_t i = 0; i < out->n_rows; i++)
    if (hm_str_eq(out->rows[i], t->about))
      return t->ref;
  return t->about;
}

static void see_text(void *ctx, const hm_store_text *t) {
  holders *h = ctx;
  hm_str ref = holder_of(h, t);
  bool row = is_row(ref);
  if (row != h->rows || (!row && hm_str_eq(ref, h->last)) ||
      !hm_needles_found_in(h->needles, t->text))
    return;
  h->last = hm_str_dup(h->w->a, ref);
  (row ? see_row : see_other)(h, t, h->last);
}

/* All else that holds it at the end, also folded as names are. */
static int find_elsewhere(redacting *w) {
  hm_needles all = { 0 };
  holders h = { .w = w, .needles = &all };
  hm_redacted *out = w->out;
  if (out->is_short)
    return 0;
  for (size_t i = 0; i < out->values.n; i++)
    hm_needles_add(&all, out->values.v[i], w->a);
  for (size_t i = 0; i < w->names.n; i++)
    hm_needles_add(&all, w->names.v[i], w->a);
  out->holding = NULL;
  out->n_holding = 0;
  if (hm_store_texts_walk(w->s, HM_TABLES_ALL, NULL, see_text, &h, w->err))
    return -1;
  size_t kept = 0;
  for (size_t i = 0; i < out->n_conflicts; i++) {
    size_t k = 0;
    while (k < out->n_holding && !hm_str_eq(out->holding[k], out->conflicts[i]))
      k++;
    if (k == out->n_holding)
      out->conflicts[kept++] = out->conflicts[i];
  }
  out->n_conflicts = kept;
  return 0;
}

/* --- what stays of earlier values ----------------------------------------------------------- */

typedef struct {
  redacting *w;
  const hm_redact_field *f;
  hm_needles values;
  bool of_row; /* the line of the journal at hand is about the row */
  size_t cap;
} earlier_search;

static void see_earlier(void *ctx, const hm_store_text *t) {
  earlier_search *x = ctx;
  hm_redacted *out = x->w->out;
  hm_str row = x->f->row.ref;
  bool journal = hm_str_starts(t->ref, "journal:");
  if (journal && hm_str_is(t->column, "ref"))
    x->of_row = hm_str_eq(t->text, row);
  bool about = journal ? x->of_row : hm_str_eq(t->about, row) && !hm_str_eq(t->ref, row);
  if (!about || !hm_needles_found_in(&x->values, t->text))
    return;
  size_t colon = (size_t)hm_str_find(t->ref, ":");
  const hm_redact_place place = { hm_str_sub(t->ref, 0, colon),
                                  hm_str_sub(t->ref, colon + 1, t->ref.n), HM_EMPTY };
  for (size_t i = out->n_earlier; i-- > 0;)
    if (hm_str_eq(out->earlier[i].kind, place.kind) && hm_str_eq(out->earlier[i].ref, place.ref))
      return;
  out->earlier =
      hm_array_grow_in(x->w->a, out->earlier, out->n_earlier, &x->cap, sizeof *out->earlier);
  out->earlier[out->n_earlier++] = (hm_redact_place){ hm_str_dup(x->w->a, place.kind),
                                                      hm_str_dup(x->w->a, place.ref), HM_EMPTY };
}

/* Where the store tells what the field said before: in the journal, by a source, in a conflict. */
static int find_earlier(redacting *w) {
  size_t cap = 0;
  for (size_t i = 0; i < w->out->n_rows && !w->order->earlier; i++) {
    earlier_search x = { .w = w, .f = &w->fields[i], .cap = cap };
    if (hm_redact_collect_values(w->s, x.f, true, w->families, &x.values, w->a, w->err) ||
        (x.values.n && hm_store_texts_walk(w->s, HM_TABLES_ALL, NULL, see_earlier, &x, w->err)))
      return -1;
    cap = x.cap;
  }
  return 0;
}

static void list_beside(redacting *w, const hm_redacted_records *l) {
  hm_redacted *out = w->out;
  out->beside = hm_alloc_array(w->a, l->n + 1, sizeof *out->beside);
  for (size_t i = 0; i < l->n; i++)
    out->beside[out->n_beside++] =
        (hm_redact_place){ hm_str_c(l->v[i].kind), l->v[i].ref, HM_EMPTY };
}

/* --- the journal ------------------------------------------------------------------------ */

/* "3, 7-9" */
static void put_lines(hm_buf *b, const int64_t *seq, size_t n) {
  for (size_t i = 0, k; i < n; i = k + 1) {
    for (k = i; k + 1 < n && seq[k + 1] == seq[k] + 1; k++)
      continue;
    hm_buf_fmt(b, "%s%lld", i ? ", " : "", (long long)seq[i]);
    if (k > i)
      hm_buf_fmt(b, "-%lld", (long long)seq[k]);
  }
}

static int leave_line(redacting *w) {
  hm_redacted *out = w->out;
  hm_buf b = { 0 };
  hm_buf_str(&b, w->who.why);
  hm_buf_c(&b, "; taken out of journal lines ");
  put_lines(&b, out->lines, out->n_lines);
  if (!out->n_lines)
    hm_buf_c(&b, "none");
  if (out->n_conflicts)
    hm_buf_c(&b, "; of conflicts ");
  for (size_t i = 0; i < out->n_conflicts; i++) {
    hm_buf_c(&b, i ? ", " : "");
    hm_buf_str(&b, out->conflicts[i]);
  }
  if (out->broken)
    hm_buf_fmt(&b, "; line %lld did not fit its chain before%s", (long long)out->broken,
               out->rehashed && out->rehashed <= out->broken ? ", which was then made anew" : "");
  hm_actor who = w->who;
  who.why = hm_needles_replace(&out->values, hm_buf_copy(&b, w->a), out->mark, w->a);
  hm_buf_free(&b);
  for (size_t i = 0; i < out->n_rows; i++)
    if (hm_journal_add(w->s, &who, "redact", out->rows[i], HM_EMPTY, HM_EMPTY, w->err))
      return -1;
  return 0;
}

/* --- one transaction ---------------------------------------------------------------------- */

/* Conflicts are brought up to date before they are cleaned: what that writes to the journal quotes
 * them. */
static int redact(redacting *w) {
  hm_redacted *out = w->out;
  if (hm_write_check_begin(w->s, w->r->rules, w->a, &w->check, w->err))
    return -1;
  if (find_all(w))
    return -1;
  hm_redaction r = { .named = out->rows,
                     .n_named = out->n_rows,
                     .own = &w->own,
                     .values = &out->values,
                     .names = &w->names,
                     .mark = out->mark };
  for (size_t i = 0; i < out->n_rows; i++) /* a memory's slot is named by what it says */
    r.lonely =
        r.lonely || (w->fields[i].row.layer == HM_MEMORY && hm_redact_field_is_all(&w->fields[i]));
  out->changed = hm_alloc_array(w->a, out->n_rows + 1, sizeof *out->changed);
  for (size_t i = 0; i < out->n_rows; i++)
    if (change_row(w, &r, &w->fields[i]))
      return -1;
  hm_write_result touched = { 0 };
  hm_write_check *t = w->check;
  w->check = NULL;
  if (hm_write_check_end(t, &w->who, &touched, w->err))
    return -1;
  out->quieted = touched.quieted;
  out->n_quieted = touched.n_quieted;
  hm_sweep_free(&touched.sweep);
  /* Rows and projects that still hold it: other rows, and named ones from which it cannot be
   * removed. Quotes of the former stay. */
  holders h = { .w = w, .needles = &w->out->values, .rows = true };
  if (!out->is_short && hm_store_texts_walk(w->s, HM_TABLES_EXPORTED, NULL, see_text, &h, w->err))
    return -1;
  r.others = out->others;
  r.n_others = out->n_others;
  hm_redacted_conflicts c;
  if (hm_redact_conflicts(w->s, &r, w->a, &c, w->err))
    return -1;
  out->conflicts = c.changed;
  out->n_conflicts = c.n_changed;
  r.renamed = c.renamed;
  r.n_renamed = c.n_renamed;
  if (hm_redact_findings(w->s, &r, w->a, &out->findings, w->err))
    return -1;
  hm_redacted_records beside = { 0 };
  if (hm_redact_evidence(w->s, &r, w->a, &beside, w->err) ||
      hm_redact_verdicts(w->s, &r, w->a, &beside, w->err) ||
      hm_redact_remarks(w->s, &r, w->a, &beside, w->err) || hm_swept_forget(w->s, w->err) ||
      hm_vectors_clear(w->s, w->err))
    return -1;
  list_beside(w, &beside);
  hm_journal_rewritten chain;
  if (hm_redact_journal(w->s, &r, &w->who, w->a, &out->lines, &out->n_lines, &chain, w->err))
    return -1;
  out->broken = chain.broken;
  out->rehashed = chain.rehashed;
  return leave_line(w) || find_elsewhere(w) || find_earlier(w) ? -1 : 0;
}

int hm_review_redact(hm_store *s, const hm_review *r, const hm_redact_order *order, hm_arena *a,
                     hm_redacted *out, hm_err *err) {
  hm_err own = { 0 };
  redacting w = { .s = s, .r = r, .order = order, .a = a, .out = out, .err = err ? err : &own };
  const hm_story *story = r->rules->story;
  w.families = hm_families_prepare(story ? story->families : NULL, a);
  *out = (hm_redacted){ 0 };
  if (hm_store_may_change(s, w.err) || check_reason(&w) || hm_store_delete_securely(s, w.err) ||
      hm_store_begin(s, true, w.err))
    return -1;
  int rc = redact(&w);
  hm_write_check_free(w.check);
  if (rc || r->dry_run) {
    hm_store_rollback(s);
    return rc;
  }
  if (hm_store_commit(s, w.err))
    return -1;
  hm_err why = { 0 };
  if (hm_store_compact(s, &why))
    out->not_compacted = why;
  return 0;
}
