/* Impact and evidence as JSON, for the command and the API. */
#include "core/claim/slot.h"
#include "core/detect/trace.h"

static void put_row(const hm_snapshot *s, uint32_t row, hm_jw *w, hm_arena *a) {
  const hm_row *r = &s->rows[row];
  hm_jw_str(w, "row", hm_row_ref(a, r));
  hm_jw_str(w, "type", r->type);
  hm_jw_str(w, "name", r->name);
  hm_jw_str(w, "status", hm_str_c(hm_status_name(r->status)));
}

static void put_step(const hm_snapshot *s, const hm_trace_step *t, hm_jw *w, hm_arena *a) {
  put_row(s, t->row, w, a);
  hm_jw_int(w, "depth", t->depth);
  hm_jw_str(w, "from", hm_row_ref(a, &s->rows[t->from]));
  hm_jw_str(w, "relation", t->word);
  hm_jw_str(w, "direction", t->reverse ? HM_STR("incoming") : HM_STR("outgoing"));
  hm_jw_str_or_null(w, "via", t->via);
}

void hm_impact_json(const hm_snapshot *snap, const hm_trace *t, int depth, hm_jw *w, hm_arena *a) {
  put_row(snap, t->row, w, a);
  hm_jw_int(w, "depth", depth);
  hm_jw_arr(w, "touches");
  for (size_t i = 0; i < t->n; i++) {
    hm_jw_obj(w, NULL);
    put_step(snap, &t->steps[i], w, a);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_int(w, "count", (int64_t)t->n);
  hm_jw_bool(w, "cut", t->cut);
}

/* --- evidence ------------------------------------------------------------------------------ */

size_t hm_trace_sources(const hm_snapshot *snap, uint32_t row, hm_arena *a, hm_str **out) {
  hm_str refs = snap->details ? hm_str_trim(snap->details[row].source_refs) : HM_EMPTY;
  hm_json *list = NULL;
  size_t n = 0;
  *out = hm_alloc(a, sizeof **out);
  if (!refs.n) return 0;
  if (*refs.p != '[' || hm_json_parse(a, refs, &list, NULL)) return **out = refs, 1;
  *out = hm_alloc_array(a, list->count, sizeof **out);
  for (const hm_json *v = list->child; v; v = v->next)
    if (v->text.n) (*out)[n++] = v->text;
  return n;
}

/* Conflicts in which it is a member, open and settled. */
static void put_conflicts(const hm_snapshot *s, uint32_t row, hm_jw *w) {
  const hm_row *r = &s->rows[row];
  hm_jw_arr(w, "conflicts");
  for (size_t i = 0; i < s->n_conflicts; i++) {
    const hm_conflict_rec *c = &s->conflicts[i];
    size_t k = 0;
    while (k < c->n_members &&
           (c->members[k].layer != r->layer || !hm_str_eq(c->members[k].id, r->id)))
      k++;
    if (k == c->n_members) continue;
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "id", c->id);
    hm_jw_str(w, "status", hm_str_c(hm_verdict_name(c->status)));
    hm_jw_str_or_null(w, "winner", c->winner);
    hm_jw_str_or_null(w, "resolution", c->resolution);
    hm_jw_str_or_null(w, "resolved_by", c->resolved_by);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static void put_grounds(const hm_snapshot *s, uint32_t row, hm_jw *w, hm_arena *a) {
  hm_str *sources;
  size_t n = hm_trace_sources(s, row, a, &sources);
  hm_jw_strs(w, "sources", sources, n);
  if (s->details && s->details[row].hand_authored) hm_jw_bool(w, "hand_authored", true);
  put_conflicts(s, row, w);
}

void hm_evidence_json(const hm_snapshot *snap, const hm_trace *t, int depth, hm_jw *w,
                      hm_arena *a) {
  put_row(snap, t->row, w, a);
  put_grounds(snap, t->row, w, a);
  hm_jw_int(w, "depth", depth);
  hm_jw_arr(w, "rests_on");
  for (size_t i = 0; i < t->n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "meaning", hm_str_c(hm_trace_meaning_name(t->steps[i].meaning)));
    put_step(snap, &t->steps[i], w, a);
    put_grounds(snap, t->steps[i].row, w, a);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_int(w, "count", (int64_t)t->n);
  hm_jw_bool(w, "cut", t->cut);
}
