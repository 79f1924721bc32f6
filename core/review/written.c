/* What a write answers about the conflicts around its row. */
#include "core/base/json.h"
#include "core/detect/explain.h"
#include "core/review/write_impl.h"

static bool is_member(const hm_dispute *d, uint32_t row) {
  for (size_t i = 0; i < d->n; i++)
    if (d->parties[i].claim->row == row) return true;
  return false;
}

static hm_str json_of(const hm_sweep *sweep, const hm_conflict_rec *c, hm_arena *a) {
  hm_buf b = { 0 };
  hm_conflict_json(&b, sweep, c, NULL, true, a);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

static void tell_conflicts(const hm_sweep *sweep, uint32_t row, hm_arena *a, hm_written *out) {
  const hm_plan *p = sweep->plan;
  out->conflicts = hm_alloc_array(a, p->n_conflicts, sizeof *out->conflicts);
  out->conflicts_json = hm_alloc_array(a, p->n_conflicts, sizeof *out->conflicts_json);
  for (size_t i = 0; i < p->n_conflicts; i++) {
    const hm_dispute *d = p->disputes[i];
    if (!d || !is_member(d, row)) continue;
    out->conflicts[out->n_conflicts] = p->conflicts[i].id;
    out->conflicts_json[out->n_conflicts++] = json_of(sweep, &p->conflicts[i], a);
  }
}

static bool overlaps(const hm_conflict_rec *rec, const hm_claim *c) {
  hm_time from, until, begin, end;
  hm_claim_stated(c, &from, &until);
  hm_conflict_stated(rec, &begin, &end);
  return from < end && begin < until;
}

/* Was there an open conflict before on a slot of the row, in a time of which the row speaks? */
static bool slot_was_open(const hm_sweep *sweep, uint32_t row, hm_arena *a) {
  const hm_plan *p = sweep->plan;
  for (size_t i = 0; i < sweep->claims->n; i++) {
    const hm_claim *c = &sweep->claims->claims[i];
    if (c->row != row) continue;
    hm_str key = hm_conflict_slot_key(a, sweep->snap, c);
    for (size_t k = 0; k < p->n_conflicts; k++) {
      const hm_conflict_rec *rec = &p->conflicts[k];
      if (rec->status == HM_OPEN && hm_str_eq(rec->slot_key, key) && overlaps(rec, c) &&
          !hm_plan_opens(p, rec->id))
        return true;
    }
  }
  return false;
}

void hm_written_tell(hm_written *out, const hm_touched *t, hm_layer layer, hm_str id, hm_arena *a) {
  uint32_t row = hm_snapshot_row(t->sweep.snap, layer, id);
  out->opened = t->opened;
  out->n_opened = t->n_opened;
  out->quieted = t->quieted;
  out->n_quieted = t->n_quieted;
  out->revived = t->revived;
  out->n_revived = t->n_revived;
  if (row == HM_MAP_NONE) return;
  tell_conflicts(&t->sweep, row, a, out);
  out->warn_open = layer == HM_STATE && out->changed && slot_was_open(&t->sweep, row, a);
}

void hm_written_json(hm_buf *b, const hm_written *w, bool dry) {
  hm_jw j;
  hm_buf more = { 0 };
  hm_jw_init(&j, &more, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_str(&j, "ref", w->ref);
  hm_jw_bool(&j, "dry_run", dry);
  hm_jw_bool(&j, "changed", w->changed);
  hm_jw_str_or_null(&j, "conflict_id", w->n_conflicts ? w->conflicts[0] : HM_EMPTY);
  hm_jw_arr(&j, "conflicts");
  for (size_t i = 0; i < w->n_conflicts; i++) hm_jw_raw(&j, NULL, w->conflicts_json[i]);
  hm_jw_end(&j);
  hm_jw_strs(&j, "opened", w->opened, w->n_opened);
  hm_jw_strs(&j, "revived", w->revived, w->n_revived);
  hm_jw_strs(&j, "quieted", w->quieted, w->n_quieted);
  if (w->warn_open) hm_jw_str(&j, "warning", hm_str_c(hm_warning_open));
  hm_jw_strs(&j, "warnings", w->warnings, w->n_warnings);
  hm_jw_end(&j);
  hm_buf_str(b, hm_str_sub(w->record, 0, w->record.n - 1));
  hm_buf_ch(b, ',');
  hm_buf_str(b, hm_str_sub(hm_buf_view(&more), 1, more.n));
  b->failed = b->failed || more.failed;
  hm_buf_free(&more);
}
