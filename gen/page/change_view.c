/* Which of the recorded changes a reader may see today: changes.h.
 *
 * What was published once stands in the branch's history; the pages of today must not repeat it
 * when a row was left out or redacted since. */
#include "core/base/redaction.h"
#include "view_private.h"

typedef enum { SHOWN, REDACTED, WITHHELD } visibility;

typedef struct {
  const hm_view *v;
  bool (*is_redacted)(void *ctx, hm_str ref);
  void *ctx;
  hm_arena *a;
} showing;

static bool has_mark(const hm_view *v, uint32_t row) {
  const hm_row *r = &v->snap->rows[row];
  return hm_redacted_in(r->text) || hm_redacted_in(r->props) || hm_redacted_in(r->name);
}

static visibility of_row(const showing *s, hm_str ref, hm_str field) {
  uint32_t row = hm_snapshot_ref(s->v->snap, HM_ENTITY, ref);
  if (row != HM_NONE && !hm_view_claim_shown(s->v, row, field, s->a)) return WITHHELD;
  if (row != HM_NONE && has_mark(s->v, row)) return REDACTED;
  return s->is_redacted && s->is_redacted(s->ctx, ref) ? REDACTED : SHOWN;
}

static visibility of_change(const showing *s, const hm_change_line *c) {
  visibility worst = SHOWN;
  for (size_t i = 0; i < c->n_rows && worst != WITHHELD; i++) {
    visibility one = of_row(s, c->rows[i], c->fields[i]);
    if (one > worst) worst = one;
  }
  return worst;
}

static bool project_shown(const hm_view *v, hm_str id) {
  for (size_t i = 0; i < v->snap->n_projects; i++)
    if (hm_str_eq(v->snap->projects[i].id, id)) return !v->project_hidden[i];
  return true;   /* it is gone */
}

static void show_publication(const showing *s, const hm_published *p, hm_published *out) {
  *out = *p;
  out->v = hm_alloc_array(s->a, p->n + 1, sizeof *out->v);
  out->more = hm_alloc_array(s->a, p->n_more + 1, sizeof *out->more);
  out->n = out->n_more = 0;
  for (size_t i = 0; i < p->n; i++) {
    visibility is = project_shown(s->v, p->v[i].project) ? of_change(s, &p->v[i]) : WITHHELD;
    if (is == WITHHELD) continue;
    hm_change_line *c = &out->v[out->n++];
    *c = p->v[i];
    if (is != REDACTED) continue;
    c->text = HM_STR("changed; its text was redacted");
    c->subject = c->conflict.n ? c->conflict : c->rows[0];
  }
  for (size_t i = 0; i < p->n_more; i++)
    if (project_shown(s->v, p->more[i].project)) out->more[out->n_more++] = p->more[i];
}

void hm_changes_shown(const hm_view *v, const hm_changes *all,
                      bool (*is_redacted)(void *ctx, hm_str ref), void *ctx, hm_arena *a,
                      hm_changes *out) {
  const showing s = { v, is_redacted, ctx, a };
  *out = (hm_changes){ hm_alloc_array(a, all->n + 1, sizeof *out->v), all->n };
  for (size_t i = 0; i < all->n; i++) show_publication(&s, &all->v[i], &out->v[i]);
}

void hm_view_set_changes(hm_view *v, const hm_changes *c) { v->changes = c; }

bool hm_view_has_changes(const hm_view *v) { return v->changes != NULL; }
