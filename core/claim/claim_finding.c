/* Rows that cannot be read as their type says. */
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/claim/claim_impl.h"

enum { SHOWN_MAX = 80 };

static hm_str shown_text(hm_reader *r, hm_str s) {
  hm_str cut = hm_text_cut(hm_text_repair(r->scratch, hm_str_sub(s, 0, 4 * SHOWN_MAX)), SHOWN_MAX);
  return cut.n < s.n ? hm_str_fmt(r->a, "%.*s…", HM_FMT(cut)) : hm_str_dup(r->a, cut);
}

static hm_str joined(hm_arena *a, const char *x, const char *sep, hm_str y) {
  hm_buf b = { 0 };
  hm_buf_c(&b, x);
  hm_buf_c(&b, sep);
  hm_buf_str(&b, y);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

static hm_str finding_id(hm_arena *a, hm_str rule, hm_str ref) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_add(&h, rule);
  hm_sha256_add(&h, HM_STR("\x1f"));
  hm_sha256_add(&h, ref);
  return joined(a, "f", "", hm_sha256_hex(&h, a, 12));
}

static void add(hm_reader *r, uint32_t i, hm_str rule, hm_str message, hm_str expected,
                hm_str actual) {
  if (r->n_findings == r->cap_findings) {
    r->cap_findings = r->cap_findings * 2 + 16;
    r->findings = hm_xrealloc(r->findings, r->cap_findings * sizeof *r->findings);
  }
  const hm_row *row = &r->snap->rows[i];
  hm_str *ref = hm_alloc(r->a, sizeof *ref);
  *ref = joined(r->a, hm_layer_kind(row->layer), ":", row->id);
  r->findings[r->n_findings++] = (hm_finding){
    .id = finding_id(r->a, rule, *ref),
    .kind = HM_STR("ontology_violation"),
    .severity = HM_STR("warn"),
    .rule = rule,
    .project = row->project < r->snap->n_projects ? r->snap->projects[row->project].id : HM_EMPTY,
    .rows = ref,
    .n_rows = 1,
    .message = message,
    .expected = expected,
    .actual = actual,
  };
}

void hm_find_properties(hm_reader *r, uint32_t i, hm_str why, hm_str shown) {
  hm_str reason = shown_text(r, why);
  add(r, i, HM_STR("row/properties"),
      hm_str_fmt(r->a, "the properties are no JSON object (%.*s); no field of them can be read",
                 HM_FMT(reason)),
      HM_STR("a JSON object"), shown_text(r, shown));
}

void hm_find_window(hm_reader *r, uint32_t i, const char *bound, hm_str shown) {
  add(r, i, HM_STR("row/window"),
      hm_str_fmt(r->a, "%s is no time, so when this holds is not known", bound),
      HM_STR("an ISO 8601 time, such as 2026-04 or 2026-04-02T09:00:00Z"), shown_text(r, shown));
}

void hm_find_empty_window(hm_reader *r, uint32_t i) {
  const hm_row *row = &r->snap->rows[i];
  hm_str from = shown_text(r, row->valid_from), until = shown_text(r, row->valid_until);
  add(r, i, HM_STR("row/window"),
      HM_STR("valid_until is not after valid_from, so this holds at no time"),
      HM_STR("valid_until after valid_from"),
      hm_str_fmt(r->a, "from %.*s until %.*s", HM_FMT(from), HM_FMT(until)));
}

void hm_find_value(hm_reader *r, uint32_t i, hm_str what, hm_str shown) {
  hm_str subject = shown_text(r, what);
  add(r, i, HM_STR("row/value"),
      hm_str_fmt(r->a,
                 "%.*s cannot be compared: it is no string, number, boolean or array of these",
                 HM_FMT(subject)),
      HM_STR("a string, a number, true, false or an array of these"), shown_text(r, shown));
}
