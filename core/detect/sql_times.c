/* Times in the tables of rules in SQL.
 *
 * A rule in SQL counts as the built-in ones do: a relation without an end ends with what it ties, a
 * thing existed when its relations or properties say. So a rule that compares the bounds of two
 * relations finds no two realms in one place of which one was gone before the other came.
 * Cost: two bounds are read a cell; where one of a relation is missing, a look at its ends. */
#include "core/detect/sql_times.h"

#include "core/claim/relation.h"

hm_sandbox_cell hm_sql_bound_cell(const hm_sql_facts *f, uint32_t row, hm_sql_bound which,
                                  hm_arena *scratch) {
  const hm_row *r = &f->snap->rows[row];
  hm_window w = {
    .from = HM_TIME_MAX, .until = HM_TIME_MIN, .may_from = HM_TIME_MAX, .may_until = HM_TIME_MIN
  };
  const hm_world *world = hm_world_of(f->snap, f->rules->worlds, row, scratch);
  hm_str from = r->valid_from, until = r->valid_until;
  if (r->layer == HM_RELATION) hm_relation_bounds(world, r, scratch, scratch, &from, &until);
  hm_window_fault fault = hm_window_read(world, from, until, f->snap->now, &w);
  if (r->layer == HM_RELATION && f->lives && fault == HM_WINDOW_OK)
    hm_relation_window_of_row(f->lives, hm_relation_kinds_of(f->rules), row, &w);
  return hm_sandbox_cell_int(which == HM_SQL_CERTAIN_FROM        ? w.from
                                 : which == HM_SQL_CERTAIN_UNTIL ? w.until
                                 : which == HM_SQL_POSSIBLE_FROM ? w.may_from
                                                                 : w.may_until);
}

hm_sandbox_cell hm_sql_existed_cell(const hm_sql_facts *f, uint32_t row, bool until, hm_arena *a) {
  const hm_existence *x = f->lives ? hm_existence_of(f->lives, row) : NULL;
  const hm_bound *b = hm_existence_bound(x, until);
  if (!b) return (hm_sandbox_cell){ .type = HM_CELL_NULL };
  hm_sandbox_cell c = hm_sandbox_cell_text(hm_bound_text(a, b));
  c.temporary = true;
  return c;
}

static void bytes_of_bound(const hm_bound *b, hm_buf *out) {
  int64_t said[] = { b->known, b->first, b->last, b->axis, b->era, b->vague };
  hm_buf_add(out, said, sizeof said);
}

/* Of the existence of an end what hm_relation_window_of_row looks at. */
static void bytes_of_end(const hm_sql_facts *f, uint32_t row, hm_naming end, hm_buf *out) {
  const hm_existence *x = hm_existence_of(f->lives, hm_snapshot_named(f->snap, row, end));
  hm_buf_ch(out, x ? (char)(2 * !!x->in_use + !!x->n) : '.');
  if (!x) return;
  hm_buf_ch(out, (char)('0' + x->is));
  if (x->n) {
    bytes_of_bound(hm_existence_bound(x, false), out);
    bytes_of_bound(hm_existence_bound(x, true), out);
  }
  if (x->in_use) bytes_of_bound(&x->in_use->end, out);
}

static void bytes_of_text(hm_str s, hm_buf *out) {
  hm_buf_add(out, &s.n, sizeof s.n);
  hm_buf_str(out, s);
}

void hm_sql_bound_bytes(const hm_sql_facts *f, uint32_t row, hm_arena *scratch, hm_buf *out) {
  const hm_row *r = &f->snap->rows[row];
  bool tied = r->layer == HM_RELATION && f->lives && hm_relation_lacks_bound(r);
  hm_buf_ch(out, (char)(2 * tied + (r->valid_from.n || r->valid_until.n)));
  if (tied) {
    bytes_of_text(r->type, out);
    bytes_of_end(f, row, HM_NAMES_FROM, out);
    bytes_of_end(f, row, HM_NAMES_TO, out);
  }
  if (r->layer == HM_RELATION && !r->valid_from.n && !r->valid_until.n)
    bytes_of_text(r->props, out);
  if (!r->valid_from.n && !r->valid_until.n && r->props.n <= 2) return;
  bytes_of_text(r->valid_from, out);
  bytes_of_text(r->valid_until, out);
  bytes_of_text(hm_world_name(hm_world_of(f->snap, f->rules->worlds, row, scratch)), out);
}
