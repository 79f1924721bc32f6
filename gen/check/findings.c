#include <string.h>

#include "gen/check/check_impl.h"
#include "gen/render/escape.h"

enum { ROW_MAX = 120, MESSAGE_MAX = 300 };

static hm_report_rule_id rule_of(hm_str kind) {
  static const struct { const char *kind; hm_report_rule_id rule;
  } kinds[] = { { "anachronism", HM_R_ANACHRONISM },
                { "ontology_violation", HM_R_ONTOLOGY },
                { "orphan", HM_R_ORPHAN },
                { "stale", HM_R_STALE } };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (hm_str_is(kind, kinds[i].kind)) return kinds[i].rule;
  return HM_R_FINDING;
}

/* The project's overview, for a finding whose rows no page lists. */
static hm_spot spot_of(const hm_check_input *in, hm_spots *spots, const hm_finding *f) {
  const hm_snapshot *snap = hm_view_sweep(in->view)->snap;
  for (size_t i = 0; i < f->n_rows; i++) {
    uint32_t row = hm_snapshot_ref(snap, HM_ENTITY, f->rows[i]);
    hm_spot s = row == HM_MAP_NONE ? (hm_spot){ HM_EMPTY, 0 } : hm_spot_row(spots, row);
    if (s.path.n) return s;
  }
  return hm_spot_project(spots, f->project);
}

/* A message often begins with the row, which stands before it anyway. */
static hm_str message_of(const hm_finding *f) {
  hm_str m = f->message, row = f->n_rows ? f->rows[0] : HM_EMPTY;
  bool repeats = row.n && m.n > row.n + 2 && memcmp(m.p, row.p, row.n) == 0 &&
      hm_str_starts(hm_str_sub(m, row.n, m.n), ": ");
  return repeats ? hm_str_sub(m, row.n + 2, m.n) : m;
}

void hm_check_findings(const hm_check_input *in, hm_spots *spots, hm_report *r, hm_report_list *l) {
  size_t n, listed[HM_N_REPORT_RULES] = { 0 };
  hm_arena *a = l->a;
  const hm_finding **all = hm_view_findings(in->view, &n);
  for (size_t i = 0; i < n; i++) {
    const hm_finding *f = all[i];
    hm_report_rule_id rule = rule_of(f->kind);
    r->found[rule]++;
    if (listed[rule]++ >= HM_CHECK_FINDINGS) continue;
    hm_spot spot = spot_of(in, spots, f);
    hm_report_add(
        l,
        (hm_report_item){ .rule = rule,
                          .path = spot.path,
                          .line = spot.line,
                          .id = hm_clean(a, f->id),
                          .project = hm_clean(a, f->project),
                          .see = HM_EMPTY,
                          .subject = hm_short(a, f->n_rows ? f->rows[0] : f->kind, ROW_MAX),
                          .detail = hm_short(a, message_of(f), MESSAGE_MAX) });
  }
}
