/* What parts of long lists are made from: so that a change of one project makes the parts anew in
 * which it stands, and no other. */
#include "model.h"

static void put_int(hm_buf *b, uint64_t n) { hm_buf_add(b, &n, sizeof n); }

static void put(hm_buf *b, hm_str s) {
  put_int(b, s.n);
  hm_buf_str(b, s);
}

static const hm_cpart *put_part(const hm_page *p, hm_buf *b) {
  const hm_clist *list = p->data;
  const hm_cpart *part = &list->parts[p->from];
  put(b, list->path);
  put(b, list->year);
  put_int(b, list->n);
  put(b, part->path);
  put(b, part->label);
  put_int(b, part->to - part->from);
  return part;
}

/* All that a list says of a conflict is in its project's digest; of one without a project nobody
 * knows. */
bool hm_inputs_of_conflicts(const hm_view *v, const hm_page *p, const hm_hash128 *projects,
                            hm_buf *out) {
  const hm_clist *list = p->data;
  const hm_cpart *part = put_part(p, out);
  for (uint32_t i = part->from; i < part->to; i++) {
    const hm_vconflict *c = &v->conflicts[list->order[i]];
    if (c->project == HM_NONE) return false;
    put(out, c->path);
    hm_buf_add(out, &projects[c->project], sizeof *projects);
  }
  return true;
}

bool hm_inputs_of_projects(const hm_view *v, const hm_page *p, const hm_hash128 *projects,
                           hm_buf *out) {
  const hm_cpart *part = put_part(p, out);
  (void)projects;
  for (uint32_t i = part->from; i < part->to; i++) {
    const hm_vproject *pr = &v->projects[i];
    put(out, pr->label);
    put(out, pr->dir);
    put(out, v->snap->projects[pr->snap].id);
    hm_buf_add(out, pr->active, sizeof pr->active);
    put_int(out, (uint64_t)pr->disputed);
    put_int(out, (uint64_t)pr->signoff);
  }
  return true;
}
