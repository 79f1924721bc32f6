/* The order of recall by how rows stand, and its lines for an agent: recalled.h. */
#include "core/review/recalled.h"

#include "core/base/text.h"
#include "core/detect/conflict.h"

static const double IS_ITS_NAME = 0.9; /* likeness of a question that is a name */
static const double WHOLE = 0.999;     /* rounding aside */
enum { TEXT_SHOWN = 240, VALUE_SHOWN = 120, SIDES_SHOWN = 3 };

static hm_str ref_of(const hm_recaller *r, uint32_t row, hm_arena *a) {
  return hm_row_ref(a, &hm_recall_snapshot(hm_recaller_rows(r))->rows[row]);
}

/* --- the order ---------------------------------------------------------------------------- */

static bool is_side(const hm_row_dispute *d, hm_str ref) {
  for (size_t i = 0; i < d->n_others; i++)
    if (hm_str_eq(d->others[i].ref, ref))
      return true;
  return false;
}

/* Does the row `by` contradict this one, with higher trust? */
static bool is_outdone(const hm_recaller *r, const hm_standings *s, uint32_t row, uint32_t by,
                       hm_arena *a) {
  const hm_row *rows = hm_recall_snapshot(hm_recaller_rows(r))->rows;
  const hm_standing *own = hm_standing_of(s, ref_of(r, row, a));
  if (hm_layer_trust(rows[by].layer) <= hm_layer_trust(rows[row].layer))
    return false;
  for (size_t i = 0; i < own->n; i++)
    if (own->disputes[i].flagged && is_side(&own->disputes[i], ref_of(r, by, a)))
      return true;
  return false;
}

static void move_behind(hm_recall_answer *x, size_t i, size_t last) {
  hm_recall_hit hit = x->hits[i];
  hm_recall_context ties = x->hit_ties[i];
  for (; i < last; i++) {
    x->hits[i] = x->hits[i + 1];
    x->hit_ties[i] = x->hit_ties[i + 1];
  }
  x->hits[last] = hit;
  x->hit_ties[last] = ties;
}

/* Rows that have all of what is asked for stand before those that lack some of it. */
static void put_whole_first(hm_recall_answer *x) {
  for (size_t done = 0, i = 0; done < x->n; done++) {
    if (x->hits[i].share < WHOLE)
      move_behind(x, i, x->n - 1);
    else
      i++;
  }
}

/* Is it a relation of this entity, by its id or, where a source knows no better, by its name? */
static bool has_end(const hm_snapshot *snap, uint32_t relation, uint32_t entity) {
  const hm_row *r = &snap->rows[relation];
  const hm_str ends[] = { r->from, r->to };
  for (size_t i = 0; i < HM_COUNT(ends) && r->layer == HM_RELATION; i++)
    if (hm_snapshot_ref(snap, HM_ENTITY, ends[i]) == entity ||
        hm_str_eq(ends[i], snap->rows[entity].name))
      return true;
  return false;
}

/* Who asks who heads a team is answered by the relation, and not by the team's name. */
static void put_relations_first(const hm_snapshot *snap, hm_recall_answer *x) {
  for (size_t i = x->n; i-- > 0;) {
    const hm_row *r = &snap->rows[x->hits[i].row];
    size_t k = i + 1;
    if (r->layer != HM_ENTITY || r->text.n || r->props.n > 2 || x->hits[i].likeness > IS_ITS_NAME)
      continue;
    while (k < x->n && !has_end(snap, x->hits[k].row, x->hits[i].row))
      k++;
    if (k < x->n)
      move_behind(x, i, k);
  }
}

void hm_recalled_order(const hm_recaller *r, const hm_standings *s, hm_recall_answer *x,
                       hm_arena *a) {
  put_whole_first(x);
  put_relations_first(hm_recall_snapshot(hm_recaller_rows(r)), x);
  for (size_t done = 0, i = 0; done < x->n && i < x->n; done++) {
    size_t last = i;
    bool flagged = hm_standing_of(s, ref_of(r, x->hits[i].row, a))->n > 0;
    for (size_t k = i + 1; flagged && k < x->n; k++)
      if (is_outdone(r, s, x->hits[i].row, x->hits[k].row, a))
        last = k;
    if (last > i)
      move_behind(x, i, last);
    else
      i++;
  }
}

/* --- lines -------------------------------------------------------------------------------- */

/* " REPORTED beside memory:m2, f1c0...": readers say that they contradict each other. */
static void tell_report(hm_buf *b, const hm_finding *f, hm_str ref) {
  const char *before = " REPORTED beside ";
  if (!hm_str_is(f->rule, HM_RULE_REPORTED))
    return;
  for (size_t i = 0, told = 0; i < f->n_rows && told < SIDES_SHOWN; i++) {
    if (hm_str_eq(f->rows[i], ref))
      continue;
    hm_buf_fmt(b, "%s%.*s", before, HM_FMT(f->rows[i]));
    before = ", ";
    told++;
  }
  hm_buf_fmt(b, ", %.*s", HM_FMT(f->id));
}

static hm_str line_of(const hm_recaller *r, const hm_standing *st, uint32_t row, hm_arena *a) {
  const hm_recall_index *x = hm_recaller_rows(r);
  const hm_snapshot *snap = hm_recall_snapshot(x);
  hm_str text = hm_str_trim(hm_recall_text(x, row)), cut = hm_text_cut(text, TEXT_SHOWN);
  hm_str date = hm_str_sub(hm_row_text_date(snap, row), 0, sizeof "2026-04-02" - 1);
  hm_buf b = { 0 };
  for (size_t i = 0; i < cut.n; i++)
    hm_buf_ch(&b, (unsigned char)cut.p[i] < ' ' ? ' ' : cut.p[i]);
  hm_buf_fmt(&b, "%s (%.*s%s%.*s)", cut.n < text.n ? "…" : "", HM_FMT(st->ref), date.n ? ", " : "",
             HM_FMT(date));
  for (size_t i = 0; i < st->n; i++) {
    const hm_row_dispute *d = &st->disputes[i];
    hm_buf_fmt(&b, " DISPUTED, %.*s", HM_FMT(d->conflict));
    for (size_t k = 0; k < d->n_others && k < SIDES_SHOWN; k++) {
      const hm_other_side *o = &d->others[k];
      hm_str value = hm_text_cut(o->value, VALUE_SHOWN);
      hm_buf_fmt(&b, "; %.*s says \"%.*s%s\"", HM_FMT(o->ref), HM_FMT(value),
                 value.n < o->value.n ? "…" : "");
    }
    if (d->n_others > SIDES_SHOWN)
      hm_buf_fmt(&b, "; and %zu more", d->n_others - SIDES_SHOWN);
  }
  for (size_t i = 0; i < st->n_findings; i++)
    tell_report(&b, st->findings[i], st->ref);
  return hm_buf_take(&b, a);
}

/* Is it told as another side of a line before? */
static bool is_told(const hm_standings *s, const hm_context *c, hm_str ref) {
  for (size_t i = 0; i < c->n; i++) {
    const hm_standing *st = hm_standing_of(s, c->refs[i]);
    for (size_t k = 0; k < st->n; k++)
      for (size_t o = 0; o < st->disputes[k].n_others && o < SIDES_SHOWN; o++)
        if (hm_str_eq(st->disputes[k].others[o].ref, ref))
          return true;
  }
  return false;
}

void hm_recalled_context(const hm_recaller *r, const hm_standings *s, const hm_recall_answer *x,
                         size_t tokens, hm_arena *a, hm_context *out) {
  size_t bytes = 0;
  *out = (hm_context){ .lines = hm_alloc_array(a, x->n + 1, sizeof *out->lines),
                       .refs = hm_alloc_array(a, x->n + 1, sizeof *out->refs) };
  for (size_t i = 0; i < x->n; i++) {
    hm_str ref = ref_of(r, x->hits[i].row, a);
    if (is_told(s, out, ref))
      continue;
    hm_str line = line_of(r, hm_standing_of(s, ref), x->hits[i].row, a);
    if (bytes + line.n + 1 > 4 * tokens) {
      out->left++;
      continue;
    }
    bytes += line.n + 1;
    out->refs[out->n] = ref;
    out->lines[out->n++] = line;
  }
  out->tokens = (bytes + 3) / 4;
}

void hm_context_json(hm_str task, const hm_context *c, hm_buf *out) {
  hm_jw j;
  hm_jw_init(&j, out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_str(&j, "task", task);
  hm_jw_strs(&j, "lines", c->lines, c->n);
  hm_jw_int(&j, "tokens", (int64_t)c->tokens);
  hm_jw_int(&j, "left", (int64_t)c->left);
  hm_jw_end(&j);
}
