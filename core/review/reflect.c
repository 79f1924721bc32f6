/* Checks the sources, adds the summary, supersedes and links the sources; see write.h. */
#include "core/review/write.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/review/supersede.h"
#include "core/review/write_impl.h"
#include "core/store/links.h"
#include "core/store/lookup.h"

enum { SHOWN = 200 };

typedef struct {
  const hm_reflect_order *order;
  hm_named_row *rows;
} reflecting;

/* --- the sources ------------------------------------------------------------------------ */

static int bad(hm_writing *w, hm_code code, const char *field, const char *what, const char *why,
               const char *fix) {
  hm_fail(w->err, code, what, why, fix);
  return hm_err_at_field(w->err, hm_str_c(field));
}

static const char *shown(hm_writing *w, hm_str ref) {
  return hm_str_fmt(w->a, "%.*s", HM_FMT(hm_text_cut(ref, SHOWN))).p;
}

static int check_source(hm_writing *w, const hm_named_row *row) {
  hm_column type = { .column = "memory_type" };
  bool found;
  if (row->layer != HM_MEMORY)
    return bad(w, HM_E_INPUT, "ids", shown(w, row->ref), "only memories are summed up",
               "name episodic memories");
  if (hm_store_get_columns(w->s, row->ref, &type, 1, &found, w->a, w->err))
    return -1;
  if (!type.value.n || !hm_str_is(hm_text_fold_name(w->a, type.value), "episodic"))
    return bad(w, HM_E_INPUT, "ids", shown(w, row->ref), "it is no episodic memory",
               "what states a fact is replaced by 'hmirror supersede OLD NEW'");
  if (row->status == HM_ACTIVE)
    return 0;
  hm_str words = hm_named_row_status_text(row, w->a);
  hm_str why =
      hm_str_fmt(w->a, "it is %.*s, and only active memories are summed up", HM_FMT(words));
  return bad(w, HM_E_STATE, "ids", shown(w, row->ref), why.p, "leave it out");
}

static int read_sources(hm_writing *w, reflecting *f) {
  const hm_reflect_order *o = f->order;
  hm_map seen;
  hm_map_init(&seen, w->a, o->n_rows);
  if (!o->n_rows || o->n_rows > HM_REFLECT_MAX)
    return bad(w, HM_E_INPUT, "ids", "ids", o->n_rows ? "too many" : "no memory is named",
               "name the memories to sum up, 1000 at most");
  f->rows = hm_alloc_array(w->a, o->n_rows, sizeof *f->rows);
  for (size_t i = 0; i < o->n_rows; i++) {
    hm_named_row *row = &f->rows[i];
    if (hm_named_row_find(w->s, o->rows[i], w->a, row, w->err))
      return hm_err_at_field(w->err, HM_STR("ids"));
    if (hm_map_get(&seen, row->ref) != HM_MAP_NONE)
      return bad(w, HM_E_INPUT, "ids", shown(w, row->ref), "it is named twice", "name it once");
    hm_map_add(&seen, row->ref, 0);
    if (check_source(w, row))
      return -1;
  }
  return 0;
}

/* That which was said, else the one that all sources are of. */
static int project_of(hm_writing *w, const reflecting *f, hm_str *out) {
  hm_str first, other;
  *out = f->order->project;
  if (out->n)
    return 0;
  *out = f->rows[0].project;
  if (hm_lookup_project_id(w->s, *out, w->a, &first, w->err))
    return -1;
  for (size_t i = 1; i < f->order->n_rows; i++) {
    if (hm_lookup_project_id(w->s, f->rows[i].project, w->a, &other, w->err))
      return -1;
    if (!hm_str_eq(first, other))
      return bad(w, HM_E_INPUT, "project", "project", "the memories are of several",
                 "say of which the summary is: --project");
  }
  return 0;
}

/* --- the summary ------------------------------------------------------------------------ */

static int add_summary(hm_writing *w, const reflecting *f) {
  const hm_reflect_order *o = f->order;
  hm_str project;
  hm_json *record;
  hm_buf b = { 0 };
  hm_jw j;
  if (!hm_str_trim(o->text).n)
    return bad(w, HM_E_INPUT, "text", "text", "it is missing", "say what the memories come to");
  if (project_of(w, f, &project))
    return -1;
  hm_jw_init(&j, &b, 0);
  hm_jw_obj(&j, NULL);
  if (o->id.n)
    hm_jw_str(&j, "id", o->id);
  hm_jw_str(&j, "memory_type", o->type.n ? o->type : HM_STR("knowledge"));
  hm_jw_str(&j, "content", o->text);
  if (project.n)
    hm_jw_str(&j, "project", project);
  hm_jw_end(&j);
  if (hm_json_parse(w->a, hm_buf_take(&b, w->a), &record, w->err))
    return -1;
  return hm_write_add_row(w, HM_MEMORY, record, "reflect");
}

static int reflect(hm_writing *w, const void *in) {
  reflecting f = { .order = in };
  hm_named_row summary;
  hm_actor who = w->r->who;
  hm_str none;
  bool added;
  who.at = hm_time_to_second(w->a, who.at); /* it is shown */
  if (read_sources(w, &f) || add_summary(w, &f) ||
      hm_named_row_find(w->s, hm_ref_text(w->a, HM_MEMORY, w->row.id), w->a, &summary, w->err))
    return -1;
  for (size_t i = 0; i < f.order->n_rows; i++) {
    const hm_link link = { summary.ref, f.rows[i].ref, HM_STR("derived_from") };
    if (hm_supersede(w->s, &f.rows[i], &summary, HM_EMPTY, false, &who, w->a, &none, w->err) ||
        hm_store_add_link(w->s, &link, false, &who, &added, w->a, w->err))
      return -1;
  }
  return 0;
}

/* --- the call ----------------------------------------------------------------------------- */

int hm_review_reflect(hm_store *s, const hm_review *r, const hm_reflect_order *order, hm_arena *a,
                      hm_reflected *out, hm_err *err) {
  const hm_redact_order redaction = { .rows = order->rows,
                                      .n_rows = order->n_rows,
                                      .field = HM_EMPTY,
                                      .reason = r->who.why.n ? r->who.why : HM_EMPTY };
  hm_review trial = *r;
  *out = (hm_reflected){ .hard = order->hard };
  trial.dry_run = true;
  if (hm_write_run(s, order->hard ? &trial : r, reflect, order, a, &out->written, err))
    return -1;
  out->sources = hm_alloc_array(a, order->n_rows, sizeof *out->sources);
  for (size_t i = 0; i < order->n_rows; i++) {
    hm_named_row row;
    if (hm_named_row_find(s, order->rows[i], a, &row, err))
      return -1;
    out->sources[out->n_sources++] = row.ref;
  }
  if (!order->hard)
    return 0;
  /* Both are tried before either is done. */
  if (hm_review_redact(s, &trial, &redaction, a, &out->redacted, err))
    return -1;
  if (r->dry_run)
    return 0;
  if (hm_write_run(s, r, reflect, order, a, &out->written, err))
    return -1;
  return hm_review_redact(s, r, &redaction, a, &out->redacted, err);
}

static void put_redacted(hm_jw *j, const hm_reflected *r, bool dry, hm_arena *a) {
  const hm_redacted *d = &r->redacted;
  if (!r->hard)
    return;
  hm_jw_obj(j, "redacted");
  hm_jw_strs(j, "rows", d->changed, d->n_changed);
  hm_jw_arr(j, "others");
  for (size_t i = 0; i < d->n_others; i++)
    hm_jw_str(j, NULL, hm_redact_shown(d, d->others[i], a));
  hm_jw_end(j);
  hm_jw_int(j, "journal_lines", (int64_t)d->n_lines);
  hm_jw_bool(j, "compacted", !dry && !d->not_compacted.code);
  hm_jw_end(j);
}

void hm_reflected_json(hm_buf *b, const hm_reflected *r, bool dry, hm_arena *a) {
  hm_buf row = { 0 };
  hm_jw j;
  hm_written_json(&row, &r->written, dry, a);
  hm_jw_init(&j, b, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_members(&j, hm_buf_view(&row));
  hm_jw_strs(&j, "sources", r->sources, r->n_sources);
  put_redacted(&j, r, dry, a);
  hm_jw_end(&j);
  b->failed = b->failed || row.failed;
  hm_buf_free(&row);
}
