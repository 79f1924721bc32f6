/* What was before, beside what stands: the verdict or sign-off on a value of a row, what its value
 * was before, and what else was said in the slot of a conflict.
 *
 * A settled conflict leaves a trace beside each value that it was about, as long as its row is
 * active and claims there what it claimed then; the latest verdict stands. One that awaits sign-off
 * leaves its trace as long as the row claims anything there. A value in dispute has its marker and
 * no trace. What was before is what the rows said that this one superseded.
 * In a slot it is the claims of superseded, invalid and graduated rows there, by the rules of
 * today. Only history rows of projects with a conflict are read, and of their claims only those in
 * a slot that has a conflict are kept.
 * Cost: the members of conflicts that are not in dispute, with a search of claims each; a row's
 * edges; one look at each row's status, the claims of those history rows, one hash lookup a claim.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/text.h"
#include "core/claim/claim.h"
#include "core/detect/conflict.h"
#include "model.h"

enum { REASON_BYTES = 60, BY_BYTES = 40, COMPARED = 40000, BEFORE_SHOWN = 3, BEFORE_BYTES = 80 };

/* --- which traces there are ------------------------------------------------------- */

static bool leaves_trace(const hm_view *v, const hm_vconflict *c) {
  bool open = c->rec->status == HM_OPEN;
  if (c->dispute || c->rec->status == HM_MERGED) return false;
  return !open || !hm_rule_is_off(v->rules, hm_conflict_rule(c->rec));
}

/* Does the row claim in this field what the member says, or, of one that awaits sign-off,
 * anything? */
static bool still_claims(const hm_view *v, uint32_t row, const hm_member_rec *m, bool open) {
  const hm_claims *all = v->sweep->claims;
  size_t i = all ? hm_find_first_of_row(all->claims, all->n, sizeof *all->claims, row) : 0;
  for (; all && i < all->n && all->claims[i].row == row; i++)
    if (hm_str_eq(all->claims[i].field, m->field))
      return open || (m->normal.n ? hm_str_eq(all->claims[i].value.norm, m->normal)
                                  : hm_str_eq(all->claims[i].value.raw, m->value));
  return false;
}

/* By row and field; of several the one that awaits sign-off first, then the latest verdict. */
static int by_trace(const void *first, const void *second, void *ctx) {
  const hm_mark *a = first, *b = second;
  const hm_view *v = ctx;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  int d = hm_str_cmp(a->field, b->field);
  if (d) return d;
  const hm_conflict_rec *x = v->conflicts[a->conflict].rec, *y = v->conflicts[b->conflict].rec;
  if ((x->status == HM_OPEN) != (y->status == HM_OPEN)) return x->status == HM_OPEN ? -1 : 1;
  d = hm_str_cmp(y->resolved_at, x->resolved_at);
  return d ? d : hm_str_cmp(x->id, y->id);
}

void hm_view_mark_past_conflicts(hm_view *v, hm_arena *tmp) {
  size_t n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    n += leaves_trace(v, &v->conflicts[i]) ? v->conflicts[i].rec->n_members : 0;
  v->traces = hm_alloc_array(v->a, n + 1, sizeof *v->traces);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_conflict_rec *rec = v->conflicts[i].rec;
    if (!leaves_trace(v, &v->conflicts[i])) continue;
    for (size_t k = 0; k < rec->n_members; k++) {
      const hm_member_rec *m = &rec->members[k];
      uint32_t row = hm_snapshot_row(v->snap, m->layer, m->id);
      if (row == HM_NONE || v->snap->rows[row].status != HM_ACTIVE || m->removed ||
          !hm_view_claim_shown(v, row, m->field, tmp) ||
          hm_view_find_field_dispute(v, row, m->field) != HM_NONE ||
          !still_claims(v, row, m, rec->status == HM_OPEN))
        continue;
      v->traces[v->n_traces++] = (hm_mark){ row, m->field, i };
    }
  }
  if (v->n_traces) qsort_r(v->traces, v->n_traces, sizeof *v->traces, by_trace, v);
}

const hm_mark *hm_view_past_conflict_marks(const hm_view *v, uint32_t row, size_t *n) {
  size_t from = hm_find_first_of_row(v->traces, v->n_traces, sizeof *v->traces, row), to = from;
  while (to < v->n_traces && v->traces[to].row == row) to++;
  *n = to - from;
  return *n ? &v->traces[from] : NULL;
}

/* --- a trace in words --------------------------------------------------------------- */

/* "✓ settled: two legs, kim, 3 May 2026", "awaits sign-off". */
static hm_str trace_words(hm_pm *m, const hm_vconflict *c) {
  const hm_conflict_rec *r = c->rec;
  if (r->status == HM_OPEN) return HM_STR("awaits sign-off");
  hm_str why = c->withheld ? HM_EMPTY : hm_shorten(m->a, r->resolution, REASON_BYTES);
  if (hm_str_ends(why, ".")) why.n--;
  const hm_str parts[] = { why,
                           hm_shorten(m->a, r->resolved_by, BY_BYTES),
                           hm_format_date(m->a, hm_str_trim(r->resolved_at)) };
  hm_str words = r->status == HM_DISMISSED ? HM_STR("✓ no contradiction") : HM_STR("✓ settled");
  bool any = false;
  for (size_t i = 0; i < HM_COUNT(parts); i++) {
    if (!parts[i].n) continue;
    words = HM_CAT(m->a, words, any ? HM_STR(", ") : HM_STR(": "), parts[i]);
    any = true;
  }
  return hm_shorten(m->a, words, 200);
}

void hm_pm_set_past_conflict(hm_pm *m, hm_tv *value, uint32_t row, hm_str field) {
  size_t n;
  const hm_mark *of = hm_view_past_conflict_marks(m->v, row, &n);
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(of[i].field, field)) {
      const hm_vconflict *c = &m->v->conflicts[of[i].conflict];
      hm_pm_set_ref(m, value, "trace", trace_words(m, c), c->path, HM_EMPTY);
      return;
    }
  hm_pm_set_bool(m, value, "trace", false);
}

/* Of a relation, whose ends have no place for it: a line of its own. */
void hm_pm_add_past_conflict_lines(hm_pm *m, hm_tv *lines, uint32_t row) {
  size_t n;
  const hm_mark *of = hm_view_past_conflict_marks(m->v, row, &n);
  for (size_t i = 0; i < n && i < HM_REFS; i++) {
    if (i && hm_str_eq(of[i].field, of[i - 1].field)) continue;
    const hm_vconflict *c = &m->v->conflicts[of[i].conflict];
    hm_tv *line = hm_pm_add_line(m, lines, "Conflict");
    hm_tv *ref = hm_pm_add_item(m, hm_pm_set_list(m, line, "refs"));
    hm_pm_set_text(m, ref, "label", hm_link_label(m->a, trace_words(m, c), 200));
    hm_pm_set_url(m, ref, "url", c->path, HM_EMPTY);
    hm_pm_set_ref_note(m, ref, HM_STR(" "), HM_EMPTY);
  }
}

/* --- what was before ------------------------------------------------------------------ */

/* "mass 4.8 kg": the properties of the older entity that the newer one has with another value. Of
 * entities that say very much nothing: their lists say it. */
static hm_str older_properties(hm_pm *m, uint32_t row, uint32_t older) {
  const hm_json *now = hm_view_props(m->v, row, m->a), *was = hm_view_props(m->v, older, m->a);
  hm_str list = HM_EMPTY;
  int n = 0;
  if (was && now && was->count * now->count > COMPARED) return list;
  for (const hm_json *p = was ? was->child : NULL; p && n < BEFORE_SHOWN; p = p->next) {
    hm_str name = hm_text_fold_name(m->a, p->key), text = hm_json_text(p, m->a);
    const hm_json *q = now ? now->child : NULL;
    while (q && !hm_str_eq(q->key, p->key)) q = q->next;
    if (!q || !hm_prop_may_be_value(name) || hm_str_eq(hm_json_text(q, m->a), text)) continue;
    hm_str one = hm_shorten(m->a, text, BEFORE_BYTES);
    if (!hm_str_is(name, "value"))
      one = HM_CAT(m->a, hm_shorten(m->a, p->key, BEFORE_BYTES), HM_STR(" "), one);
    list = n++ ? HM_CAT(m->a, list, HM_STR(", "), one) : one;
  }
  return list;
}

/* What a row said in place of what this one says; empty where the two say the same, or cannot be
 * compared. */
static hm_str said_before(hm_pm *m, uint32_t row, uint32_t older) {
  const hm_row *r = &m->v->snap->rows[row], *o = &m->v->snap->rows[older];
  if (r->layer == HM_ENTITY && o->layer == HM_ENTITY) return older_properties(m, row, older);
  if (r->layer != HM_STATE || (o->layer != HM_STATE && o->layer != HM_MEMORY)) return HM_EMPTY;
  hm_str was = o->layer == HM_STATE ? hm_pm_format_state_value(m, older) : o->text;
  return hm_str_eq(was, hm_pm_format_state_value(m, row)) ? HM_EMPTY
                                                          : hm_shorten(m->a, was, BEFORE_BYTES);
}

/* Into refs, or, where it is NULL, into a new line of lines. */
static void put_before(hm_pm *m, hm_tv *refs, hm_tv *lines, uint32_t row) {
  const hm_view *v = m->v;
  const hm_row *r = &v->snap->rows[row];
  int n = 0;
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1] && n < BEFORE_SHOWN; i++) {
    const hm_edge *e = &v->edges[i];
    if (e->kind != HM_EDGE_OLDER || e->other == HM_NONE || !hm_view_listed(v, e->other) ||
        !hm_view_edge_is_first(v, row, i) ||
        hm_view_find_deciding_conflict(v, e->other, row) != HM_NONE)
      continue;   /* what lost a dispute stood beside it, and not before it */
    hm_str was = said_before(m, row, e->other);
    if (!was.n) continue;
    if (!refs) {
      hm_tv *line = hm_pm_add_line(m, lines, "Since");
      hm_pm_set_date(m, line, "date", hm_str_trim(r->valid_from).n ? r->valid_from : r->created_at);
      refs = hm_pm_set_list(m, line, "refs");
    }
    hm_tv *ref = hm_pm_add_item(m, refs);
    hm_pm_set_row_link_fields(m, ref, e->other);
    hm_pm_set_text(m, ref, "label", hm_link_label(m->a, was, 300));
    hm_pm_set_ref_note(m, ref, n++ ? HM_STR("; ") : HM_STR("; before: "), HM_EMPTY);
  }
}

void hm_pm_add_earlier_values_line(hm_pm *m, hm_tv *lines, uint32_t row) {
  put_before(m, NULL, lines, row);
}

void hm_pm_set_earlier_values(hm_pm *m, hm_tv *item, uint32_t row) {
  put_before(m, hm_pm_set_list(m, item, "before"), NULL, row);
}

/* --- inputs ------------------------------------------------------------------------- */

void hm_inputs_add_row_history(const hm_page_inputs *x, uint32_t row, hm_buf *b) {
  const hm_view *v = hm_inputs_view(x);
  size_t n;
  const hm_mark *of = hm_view_past_conflict_marks(v, row, &n);
  for (size_t i = 0; i < n; i++) {
    hm_hash128 h = hm_inputs_conflict_hash(x, of[i].conflict);
    hm_buf_add(b, &h, sizeof h);
    hm_buf_str(b, of[i].field);
  }
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++)
    if (v->edges[i].kind == HM_EDGE_OLDER && v->edges[i].other != HM_NONE)
      hm_buf_add(b, &v->snap->sums->hashes[v->edges[i].other], sizeof *v->snap->sums->hashes);
}

/* --- what else was said in a slot ----------------------------------------------------------- */

static bool is_history(const hm_view *v, uint32_t row) {
  hm_status s = v->snap->rows[row].status;
  return hm_view_listed(v, row) && (s == HM_SUPERSEDED || s == HM_INVALID || s == HM_GRADUATED);
}

/* What the slot keys of the published conflicts say: a claim with another name, or of another
 * project, is in none. */
typedef struct { hm_map projects, names; } slots;

static void note_slots(const hm_view *v, slots *s, hm_arena *tmp) {
  hm_map_init(&s->projects, tmp, 64);
  hm_map_init(&s->names, tmp, v->n_conflicts);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    hm_json *key;
    if (hm_json_parse(tmp, v->recs[i]->slot_key, &key, NULL) || key->type != HM_JSON_ARRAY ||
        !key->child)
      continue;
    hm_map_add(&s->projects, key->child->text, 0);
    for (const hm_json *e = key->child->next; e; e = e->next) hm_map_add(&s->names, e->text, 0);
  }
}

/* The history rows of projects that have a conflict. */
static uint32_t *history_rows(const hm_view *v, const slots *s, hm_arena *tmp, size_t *n) {
  uint32_t *rows = hm_alloc_array(tmp, v->snap->n_rows + 1, sizeof *rows);
  bool *wanted = hm_alloc_array(tmp, v->snap->n_projects + 1, sizeof *wanted);
  for (size_t p = 0; p < v->snap->n_projects; p++)
    wanted[p] =
        hm_map_get(&s->projects, hm_text_repair(tmp, v->snap->projects[p].id)) != HM_MAP_NONE;
  *n = 0;
  for (uint32_t i = 0; i < v->snap->n_rows; i++)
    if (!v->rows[i].active && !v->rows[i].candidate && wanted[v->snap->rows[i].project] &&
        is_history(v, i))
      rows[(*n)++] = i;
  return rows;
}

/* First of the published conflicts of a slot, or HM_NONE. */
static uint32_t slot_at(const hm_view *v, hm_str slot_key) {
  uint32_t lo = 0, hi = v->n_conflicts;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (hm_str_cmp(v->recs[mid]->slot_key, slot_key) < 0) lo = mid + 1;
    else hi = mid;
  }
  return lo < v->n_conflicts && hm_str_eq(v->recs[lo]->slot_key, slot_key) ? lo : HM_NONE;
}

static int by_slot(const void *x, const void *y) {
  const hm_past_claim *a = x, *b = y;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return hm_str_cmp(a->field, b->field);
}

static void collect_past_claims(hm_view *v, const slots *s, const hm_claims *claims,
                                hm_arena *tmp) {
  hm_arena *of_one = hm_arena_new();
  v->past = hm_alloc_array(tmp, claims->n + 1, sizeof *v->past);
  for (size_t i = 0; i < claims->n; i++) {
    const hm_claim *c = &claims->claims[i];
    if (hm_map_get(&s->names, c->name) == HM_MAP_NONE) continue;
    uint32_t slot = slot_at(v, hm_claim_slot_key(of_one, v->snap, c));
    bool shown = slot != HM_NONE && hm_view_claim_shown(v, c->row, c->field, of_one);
    hm_arena_reset(of_one);
    if (!shown) continue;
    v->past[v->n_past++] =
        (hm_past_claim){ slot, c->row, hm_str_dup(v->a, c->field), hm_str_dup(v->a, c->value.raw) };
  }
  hm_arena_free(of_one);
  qsort(v->past, v->n_past, sizeof *v->past, by_slot);
  hm_past_claim *kept = hm_alloc_array(v->a, v->n_past + 1, sizeof *kept);
  memcpy(kept, v->past, v->n_past * sizeof *kept);
  v->past = kept;
}

int hm_view_build_past_claims(hm_view *v, hm_err *err) {
  if (v->n_conflicts == 0) return 0;
  hm_arena *tmp = hm_arena_new();
  hm_claims *claims = NULL;
  slots s;
  size_t n;
  note_slots(v, &s, tmp);
  const uint32_t *rows = history_rows(v, &s, tmp, &n);
  hm_snapshot snap = *v->snap;
  if (v->sweep->claims) snap.lives = v->sweep->claims->lives;
  int rc = n ? hm_claims_read_rows(&snap, v->rules, rows, n, hm_par_cores(), &claims, err) : 0;
  if (claims) collect_past_claims(v, &s, claims, tmp);
  hm_claims_free(claims);
  hm_arena_free(tmp);
  return rc;
}

uint32_t hm_view_find_past_claims(const hm_view *v, uint32_t conflict, uint32_t *n) {
  uint32_t lo = 0, hi = v->n_past;
  *n = 0;
  if (!v->n_past) return 0;
  uint32_t slot = slot_at(v, v->recs[conflict]->slot_key);
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (v->past[mid].slot < slot) lo = mid + 1;
    else hi = mid;
  }
  while (lo + *n < v->n_past && v->past[lo + *n].slot == slot) ++*n;
  return lo;
}
