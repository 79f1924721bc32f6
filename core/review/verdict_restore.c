/* A row, or a field that a verdict took out of one, comes back. Where that contradicts another row
 * the detector opens a conflict, or revives one that awaits sign-off. */
#include "core/base/redacted.h"
#include "core/base/text.h"
#include "core/detect/finding.h"
#include "core/review/verdict_impl.h"
#include "core/store/removed_fields.h"

enum { SHOWN = 200, LISTED = 6 };

static int refuse_field(hm_verdict_run *v, const hm_standing *row, hm_code code, hm_str why,
                        hm_str fix) {
  hm_fail(v->err, code, hm_str_z(v->a, hm_text_cut(row->ref, SHOWN)), hm_str_z(v->a, why),
          hm_str_z(v->a, fix));
  return hm_err_at_field(v->err, HM_STR("field"));
}

/* Leaves the one that is meant, or all. */
static int choose(hm_verdict_run *v, const hm_standing *row, hm_str field, hm_removed_field *fields,
                  size_t *n) {
  hm_str list = HM_EMPTY;
  for (size_t i = 0; i < *n; i++) {
    if (field.n && hm_str_eq(fields[i].field, field)) {
      fields[0] = fields[i];
      *n = 1;
      return 0;
    }
    if (i < LISTED)
      list = HM_CAT(v->a, list, i ? HM_STR(", ") : HM_EMPTY, hm_text_cut(fields[i].field, 60));
  }
  if (!field.n) return 0;
  hm_str why = HM_CAT(v->a, HM_STR("no verdict took '"), hm_text_cut(field, 60),
                      HM_STR("' out of it, or it is back"));
  return refuse_field(v, row, HM_E_INPUT, why,
                      list.n ? HM_CAT(v->a, HM_STR("verdicts took out: "), list)
                             : HM_STR("nothing of it is to be restored"));
}

static int restore_fields(hm_verdict_run *v, const hm_standing *row, const hm_removed_field *fields,
                          size_t n, const hm_actor *who) {
  for (size_t i = 0; i < n; i++)
    if (hm_redacted_in(fields[i].value))
      return refuse_field(v, row, HM_E_STATE,
                          HM_CAT(v->a, HM_STR("what '"), hm_text_cut(fields[i].field, 60),
                                 HM_STR("' said was redacted")),
                          HM_STR("set it anew: hmirror edit"));
  if (hm_restore_fields(v->s, row->id, fields, n, who, v->a, v->err)) return -1;
  for (size_t i = 0; i < n; i++) {
    hm_str says = HM_CAT(v->a, fields[i].field, HM_STR(" = "), fields[i].value);
    hm_verdict_changed(v, row->ref, HM_CAT(v->a, fields[i].field, HM_STR(" not there")), says);
  }
  return 0;
}

static int restore_row(hm_verdict_run *v, const hm_standing *row, const hm_actor *who) {
  hm_str *relations = NULL;
  size_t n = 0;
  if (hm_unsupersede(v->s, row, who, v->a, &relations, &n, v->err)) return -1;
  hm_verdict_changed(v, row->ref, hm_standing_words(row, v->a), HM_STR("active"));
  for (size_t i = 0; i < n; i++)
    hm_verdict_changed(v, relations[i], HM_STR("active"), HM_STR("invalid"));
  return 0;
}

static int restore(hm_verdict_run *v, hm_str text, hm_str field) {
  hm_standing row;
  hm_removed_field *fields = NULL;
  size_t n = 0;
  hm_actor who = v->who;
  who.why = v->out->notes;
  if (hm_verdict_row(v, text, "row", &row) || hm_touch_row(v->touch, row.layer, row.id, v->err))
    return -1;
  if (row.layer == HM_ENTITY && hm_removed_fields(v->s, row.id, v->a, &fields, &n, v->err))
    return -1;
  if (choose(v, &row, field, fields, &n)) return -1;
  if (field.n && row.status != HM_ACTIVE)
    return refuse_field(v, &row, HM_E_STATE,
                        HM_CAT(v->a, HM_STR("it is "), hm_standing_words(&row, v->a)),
                        HM_STR("restore the row first: without --field"));
  if (row.status == HM_ACTIVE && n) return restore_fields(v, &row, fields, n, &who);
  return restore_row(v, &row, &who);
}

int hm_review_restore(hm_store *s, const hm_review *r, hm_str row, hm_str field, hm_str notes,
                      hm_arena *a, hm_verdict_report *out, hm_err *err) {
  hm_verdict_run v = { .s = s, .r = r, .a = a, .out = out, .err = err };
  int rc = hm_verdict_begin(&v, "restore", notes, "notes", false);
  return hm_verdict_end(&v, rc ? rc : restore(&v, row, field));
}
