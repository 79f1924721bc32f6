/* How rows stand: see standing.h. A conflict's JSON says which rows it concerns, so what is
 * recorded (core/store/swept.h) answers as a sweep does. */
#include "core/sweep/standing.h"

struct hm_standings {
  hm_standing *v;
  size_t n;
  hm_map at; /* ref -> index into v */
  hm_arena *a;
  size_t *cap; /* beside v: of disputes, of findings */
};

static hm_standing *standing_at(const hm_standings *s, hm_str ref) {
  uint32_t i = hm_map_get(&s->at, ref);
  return i == HM_MAP_NONE ? NULL : &s->v[i];
}

static hm_standing *standing_of_json(const hm_standings *s, const hm_json *ref) {
  return ref->type == HM_JSON_STRING ? standing_at(s, ref->text) : NULL;
}

/* --- disputes -------------------------------------------------------------------------------- */

/* A member of a conflict, read once for all rows that it concerns. */
typedef struct {
  hm_str ref, value, source, field;
  bool flagged;
} side;

static side *read_sides(const hm_json *conflict, hm_arena *a, size_t *n) {
  const hm_json *members = hm_json_get(conflict, "members");
  side *v = hm_alloc_array(a, (members ? members->count : 0) + 1, sizeof *v);
  *n = 0;
  for (const hm_json *m = members ? members->child : NULL; m; m = m->next)
    v[(*n)++] = (side){ .ref = HM_CAT(a, hm_json_get_text(m, "member_kind"), HM_STR(":"),
                                      hm_json_get_text(m, "member_id")),
                        .value = hm_json_get_text(m, "value"),
                        .source = hm_json_get_text(m, "source"),
                        .field = hm_json_get_text(m, "field"),
                        .flagged = hm_json_get_true(m, "flagged") };
  return v;
}

static hm_row_dispute *add_dispute(hm_standings *s, hm_standing *of, hm_str json,
                                   const hm_json *conflict) {
  hm_str id = hm_json_get_text(conflict, "id");
  if (of->n && hm_str_eq(of->disputes[of->n - 1].conflict, id))
    return &of->disputes[of->n - 1];
  of->disputes =
      hm_array_grow_in(s->a, of->disputes, of->n, &s->cap[2 * (of - s->v)], sizeof *of->disputes);
  hm_row_dispute *d = &of->disputes[of->n++];
  *d = (hm_row_dispute){ .conflict = id, .json = json, .field = HM_EMPTY };
  return d;
}

/* What contradicts the row, or, of its subject, all sides. A row of which two sources differ has
 * each of them as another. */
static void add_others(hm_standings *s, hm_row_dispute *d, hm_str ref, const side *v, size_t n) {
  hm_map own;
  hm_str first = HM_EMPTY;
  hm_map_init(&own, s->a, 2);
  for (size_t i = 0; i < n; i++) {
    if (!hm_str_eq(v[i].ref, ref))
      continue;
    first = first.n ? first : v[i].value;
    hm_map_add(&own, v[i].value, 0);
  }
  d->others = hm_alloc_array(s->a, HM_SIDES_TOLD, sizeof *d->others);
  for (size_t i = 0; i < n && d->n_others < HM_SIDES_TOLD; i++) {
    bool is_own = hm_str_eq(v[i].ref, ref);
    if (is_own ? hm_str_eq(v[i].value, first) : hm_map_get(&own, v[i].value) != HM_MAP_NONE)
      continue;
    d->others[d->n_others++] = (hm_other_side){ v[i].ref, v[i].value, v[i].source };
  }
}

static void take_conflict(hm_standings *s, hm_str json) {
  const hm_json *c = hm_json_parse_as(s->a, json, HM_JSON_OBJECT);
  size_t n;
  const side *v = read_sides(c, s->a, &n);
  for (size_t i = 0; i < n; i++) {
    hm_standing *of = standing_at(s, v[i].ref);
    if (!of)
      continue;
    hm_row_dispute *d = add_dispute(s, of, json, c);
    d->flagged = d->flagged || v[i].flagged;
    if (d->field.n)
      continue;
    d->field = v[i].field;
    add_others(s, d, of->ref, v, n);
  }
  for (const hm_json *r = hm_json_get_items(c, "about"); r; r = r->next) {
    hm_standing *of = standing_of_json(s, r);
    if (of)
      add_others(s, add_dispute(s, of, json, c), of->ref, v, n);
  }
  for (const hm_json *r = hm_json_get_items(c, "inside"); r; r = r->next) {
    hm_standing *of = standing_of_json(s, r);
    if (of)
      of->inside++;
  }
}

static int take_answer(void *ctx, const hm_conflict_answer *x, hm_err *err) {
  hm_standings *s = ctx;
  (void)err;
  take_conflict(s, hm_str_dup(s->a, x->json));
  return 0;
}

/* Of a sweep, the disputes that concern one of the rows. */
static void take_of_sweep(hm_standings *s, const hm_answer_source *from) {
  const hm_sweep *w = from->sweep;
  for (size_t i = 0; i < w->plan->n_conflicts; i++) {
    size_t n;
    const hm_concern *c = hm_concerns_of_dispute(&w->concerns, (uint32_t)i, &n);
    bool concerns = false;
    for (size_t k = 0; k < n && !concerns; k++)
      concerns = standing_at(s, hm_row_ref(s->a, &w->snap->rows[c[k].row])) != NULL;
    if (concerns)
      take_conflict(s, hm_conflict_answer_make(w, &w->plan->conflicts[i], from->rules, s->a).json);
  }
}

/* --- findings -------------------------------------------------------------------------------- */

static int take_findings(hm_standings *s, const hm_answer_source *from, hm_err *err) {
  const hm_finding *all;
  size_t n;
  if (hm_answers_findings(from, s->a, &all, &n, err))
    return -1;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < all[i].n_rows && !all[i].acked; k++) {
      hm_standing *of = standing_at(s, all[i].rows[k]);
      if (!of || (of->n_findings && of->findings[of->n_findings - 1] == &all[i]))
        continue;
      of->findings = hm_array_grow_in(s->a, of->findings, of->n_findings,
                                      &s->cap[2 * (of - s->v) + 1], sizeof *of->findings);
      of->findings[of->n_findings++] = &all[i];
    }
  return 0;
}

/* --- all ------------------------------------------------------------------------------------- */

int hm_standings_read(const hm_answer_source *from, const hm_str *refs, size_t n, hm_arena *a,
                      hm_standings **out, hm_err *err) {
  hm_standings *s = hm_alloc(a, sizeof *s);
  *s = (hm_standings){ .a = a };
  s->v = hm_alloc_array(a, n + 1, sizeof *s->v);
  s->cap = hm_alloc_array(a, 2 * n + 1, sizeof *s->cap);
  hm_map_init(&s->at, a, n);
  for (size_t i = 0; i < n; i++)
    if (hm_map_add(&s->at, refs[i], (uint32_t)s->n) == s->n)
      s->v[s->n++] = (hm_standing){ .ref = refs[i] };
  if (from->sweep)
    take_of_sweep(s, from);
  else if (hm_answers_of_rows(from->s, refs, n, take_answer, s, err))
    return -1;
  for (size_t i = 0; i < s->n; i++)
    if (hm_row_given_read(from->s, s->v[i].ref, a, &s->v[i].given, err))
      return -1;
  *out = s;
  return take_findings(s, from, err);
}

const hm_standing *hm_standing_of(const hm_standings *s, hm_str ref) { return standing_at(s, ref); }

static void put_dispute(hm_jw *w, const hm_row_dispute *d) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "conflict", d->conflict);
  hm_jw_str_or_null(w, "field", d->field);
  hm_jw_bool(w, "flagged", d->flagged);
  hm_jw_arr(w, "others");
  for (size_t i = 0; i < d->n_others; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", d->others[i].ref);
    hm_jw_str(w, "value", d->others[i].value);
    if (d->others[i].source.n)
      hm_jw_str(w, "source", d->others[i].source);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_end(w);
}

/* Without its rows, of which there may be thousands. */
static void put_finding(hm_jw *w, const hm_finding *f) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "id", f->id);
  hm_jw_str(w, "kind", f->kind);
  hm_jw_str(w, "severity", f->severity);
  hm_jw_str(w, "rule", f->rule);
  hm_jw_str_or_null(w, "reason", f->reason);
  hm_jw_str(w, "message", f->message);
  hm_jw_end(w);
}

static void put_past(hm_jw *w, const hm_past_value *p) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "field", p->field);
  hm_jw_str(w, "value", p->value);
  hm_jw_str_or_null(w, "until", p->until);
  hm_jw_str_or_null(w, "source", p->source);
  hm_jw_end(w);
}

void hm_standing_json(hm_jw *w, const hm_standing *s) {
  hm_jw_str_or_null(w, "given_by", s->given.by);
  hm_jw_str_or_null(w, "given_at", s->given.at);
  hm_jw_arr(w, "was");
  for (size_t i = 0; i < s->given.n_was; i++)
    put_past(w, &s->given.was[i]);
  hm_jw_end(w);
  hm_jw_bool(w, "disputed", s->n > 0);
  hm_jw_arr(w, "disputes");
  for (size_t i = 0; i < s->n; i++)
    put_dispute(w, &s->disputes[i]);
  hm_jw_end(w);
  hm_jw_int(w, "disputed_inside", (int64_t)s->inside);
  hm_jw_arr(w, "findings");
  for (size_t i = 0; i < s->n_findings; i++)
    put_finding(w, s->findings[i]);
  hm_jw_end(w);
}

void hm_standing_tell(const void *ctx, hm_str ref, hm_jw *w) {
  const hm_standing none = { .ref = ref }, *s = standing_at(ctx, ref);
  hm_standing_json(w, s ? s : &none);
}

void hm_standing_tell_ids(const void *ctx, hm_str ref, hm_jw *w) {
  const hm_standing *s = standing_at(ctx, ref);
  hm_jw_arr(w, "conflicts");
  for (size_t i = 0; s && i < s->n; i++)
    hm_jw_str(w, NULL, s->disputes[i].conflict);
  hm_jw_end(w);
  hm_standing_tell(ctx, ref, w);
}
