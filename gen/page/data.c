/* Files that are no pages: data files, that is the rows of a list page, and the head of an
 * overview, as JSON, one fact a line; conflicts.json, findings.json, health.json, long values.
 *
 * "projects/p05/entities/decision.md" has "data/p05/entities/decision.jsonl", an overview has
 * "data/p05/project.jsonl". A file holds the rows of its page in their order, with the fields that
 * the page shows: what the page leaves out, cuts or withholds, the file does too. Texts are as a
 * reader of the page sees them; of one that is cut KEY_whole says where the whole of it stands,
 * from the root of the site. Keys have one order and are left out where there is nothing to say.
 * gen/history reads these files, so a change of a key or of its meaning needs another number of the
 * format. */
#include <string.h>

#include "core/base/text.h"
#include "core/markdown/escape.h"
#include "model.h"
#include "search.h"

static const char first_line[] = "{\"kind\":\"mirror-data\",\"format\":1}\n";

/* --- texts ------------------------------------------------------------------- */

/* Writes a value as pages show it, cut where they cut it. */
static void put_value(hm_model *m, hm_jw *w, const char *key, hm_str value) {
  size_t limit = m->v->opt.value_limit;
  hm_str shown = hm_clean_text(m->a, hm_text_cut(value, limit));
  const hm_long_value *whole = hm_view_find_long_value(m->v, value);
  if (value.n > limit)
    shown = hm_str_fmt(m->a, "%.*s…", HM_FMT(shown));
  hm_jw_str(w, key, shown);
  if (whole)
    hm_jw_str(w, hm_str_fmt(m->a, "%s_whole", key).p, whole->path);
}

static void put_any_value(hm_model *m, hm_jw *w, const char *key, hm_str value) {
  if (hm_str_trim(value).n)
    put_value(m, w, key, value);
}

static void put_short(hm_model *m, hm_jw *w, const char *key, hm_str text, size_t max) {
  hm_str shown = hm_shorten(m->a, text, max);
  if (shown.n)
    hm_jw_str(w, key, shown);
}

/* An array of what a JSON array in the store holds: sources, tags. */
static void put_strings(hm_model *m, hm_jw *w, const char *key, hm_str json, size_t most,
                        size_t max) {
  hm_str *s;
  size_t n = hm_format_json_list(json, m->a, &s);
  if (n == 0)
    return;
  hm_jw_arr(w, key);
  for (size_t i = 0; i < n && i < most; i++)
    hm_jw_str(w, NULL, hm_shorten(m->a, s[i], max));
  hm_jw_end(w);
}

/* --- other rows ----------------------------------------------------------------- */

/* "entity:p05-e14"; of a row that no page lists the label that a link to it would have. */
static hm_str ref_of(hm_model *m, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  if (m->v->hidden[row])
    return HM_STR("withheld");
  if (!hm_view_listed(m->v, row))
    return hm_view_label(m->v, row, m->a);
  hm_str id = hm_clean_text(m->a, hm_text_cut(r->id, m->v->opt.value_limit));
  return hm_ref_text(m->a, r->layer, id);
}

/* The end of a relation, and its label there. */
static void put_end(hm_model *m, hm_jw *w, const char *key, hm_str ref) {
  uint32_t row = hm_snapshot_ref(m->v->snap, HM_ENTITY, ref);
  bool listed = row != HM_NONE && hm_view_listed(m->v, row);
  hm_jw_str(w, key, listed ? ref_of(m, row) : hm_link_label(m->a, ref, 200));
  if (listed)
    hm_jw_str(w, hm_str_fmt(m->a, "%s_name", key).p, hm_view_label(m->v, row, m->a));
}

/* The rows on one side of it. Returns how many there are. */
static int put_chain(hm_model *m, hm_jw *w, const char *key, uint32_t row, hm_edge_kind kind) {
  const hm_view *v = m->v;
  int n = 0;
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1] && n < HM_REFS; i++) {
    if (v->edges[i].kind != kind || v->edges[i].other == HM_NONE ||
        !hm_view_edge_is_first(v, row, i))
      continue;
    if (n++ == 0)
      hm_jw_arr(w, key);
    const hm_edge *e = &v->edges[i];
    uint32_t conflict;
    hm_str why = hm_model_format_reason(m, row, e, &conflict);
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", ref_of(m, e->other));
    put_short(m, w, "why", why, 400);
    if (conflict != HM_NONE)
      hm_jw_str(w, "conflict", v->conflicts[conflict].rec->id);
    hm_jw_end(w);
  }
  if (n)
    hm_jw_end(w);
  return n;
}

/* A row that a column names but no page lists is given as the column's text. */
static void put_superseded_by(hm_model *m, hm_jw *w, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  if (put_chain(m, w, "superseded_by", row, HM_EDGE_NEWER) || !r->superseded_by.n)
    return;
  uint32_t by = hm_snapshot_named(m->v->snap, row, HM_NAMES_SUPERSEDED_BY);
  if (by != HM_NONE && hm_view_listed(m->v, by))
    return; /* itself */
  bool hidden = by != HM_NONE && m->v->hidden[by];
  hm_jw_arr(w, "superseded_by");
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "row", hidden ? HM_STR("withheld") : hm_shorten(m->a, r->superseded_by, 200));
  hm_jw_end(w);
  hm_jw_end(w);
}

static void put_graduated_to(hm_model *m, hm_jw *w, hm_str ref) {
  uint32_t to = ref.n ? hm_snapshot_ref(m->v->snap, HM_ENTITY, ref) : HM_NONE;
  if (to != HM_NONE)
    hm_jw_str(w, "graduated_to", ref_of(m, to));
  else
    put_short(m, w, "graduated_to", ref, 200);
}

/* What each source says of a field on which the sources of the row differ. */
static void put_said(hm_model *m, hm_jw *w, const hm_dispute *d, const hm_mark *mark) {
  size_t n = 0;
  for (size_t i = 0; d && i < d->n; i++) {
    const hm_claim *c = d->parties[i].claim;
    if (c->row != mark->row || !c->source.n || !hm_str_eq(c->field, mark->field) ||
        !hm_view_claim_shown(m->v, c, m->a))
      continue;
    if (!n++)
      hm_jw_arr(w, "said");
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "value", hm_shorten(m->a, c->value.raw, 200));
    hm_jw_str(w, "source", hm_shorten(m->a, c->source, 200));
    hm_jw_end(w);
  }
  if (n)
    hm_jw_end(w);
}

/* Each dispute of which it is a member, by field, or the subject. Withheld members are only
 * counted. */
static void put_conflicts(hm_model *m, hm_jw *w, uint32_t row) {
  size_t n;
  const hm_mark *marks = hm_view_marks(m->v, row, &n);
  if (n == 0)
    return;
  hm_jw_bool(w, "disputed", true);
  hm_jw_arr(w, "conflicts");
  for (size_t i = 0; i < n; i++) {
    const hm_vconflict *c = &m->v->conflicts[marks[i].conflict];
    if (i && marks[i - 1].conflict == marks[i].conflict &&
        hm_str_eq(marks[i - 1].field, marks[i].field))
      continue; /* the same field, as another source says it */
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "id", c->rec->id);
    hm_jw_bool(w, "disputed", c->dispute != NULL);
    if (marks[i].field.n)
      hm_jw_str(w, "field", hm_shorten(m->a, marks[i].field, 200));
    else
      hm_jw_bool(w, "subject", true);
    put_said(m, w, c->dispute, &marks[i]);
    if (c->withheld)
      hm_jw_str(w, "withheld", hm_model_format_withheld(m, c));
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

/* Relations that this one contradicts, in published conflicts: at most HM_REFS of the first PARTIES
 * members. */
static void put_disputed_with(hm_model *m, hm_jw *w, uint32_t row) {
  enum { PARTIES = 1000 };
  const hm_view *v = m->v;
  size_t n, listed = 0;
  hm_map seen;
  const hm_mark *marks = hm_view_marks(v, row, &n);
  hm_jw_bool(w, "is_disputed", n > 0);
  if (n == 0)
    return;
  hm_map_init(&seen, m->a, 8);
  hm_add_row_if_new(&seen, m->a, row);
  hm_jw_arr(w, "disputed_with");
  for (size_t i = 0; i < n; i++) {
    const hm_dispute *d = v->conflicts[marks[i].conflict].dispute;
    size_t own = 0;
    while (own < d->n && d->parties[own].claim->row != row)
      own++;
    for (size_t k = 0; own < d->n && k < d->n && k < PARTIES && listed < HM_REFS; k++) {
      const hm_claim *c = d->parties[k].claim;
      if (!hm_parties_contradict(d, own, k, v->rules) || !hm_view_listed(v, c->row) ||
          !hm_add_row_if_new(&seen, m->a, c->row))
        continue;
      hm_jw_str(w, NULL, ref_of(m, c->row));
      listed++;
    }
  }
  hm_jw_end(w);
}

/* Fields whose value may hold at one time with another that contradicts it. */
static void put_may_overlap(hm_model *m, hm_jw *w, uint32_t row) {
  size_t n;
  const hm_mark *marks = hm_view_may_marks(m->v, row, &n);
  if (n == 0)
    return;
  hm_jw_arr(w, "may_overlap");
  for (size_t i = 0; i < n; i++)
    hm_jw_str(w, NULL, hm_shorten(m->a, marks[i].field, 200));
  hm_jw_end(w);
}

/* The ids of findings about it that nobody acknowledged; findings.json has them whole. */
static void put_row_findings(hm_model *m, hm_jw *w, uint32_t row) {
  size_t n, shown = 0;
  const hm_row_finding *of = hm_view_find_row_findings(m->v, row, &n);
  for (size_t i = 0; i < n; i++) {
    const hm_finding *f = m->v->findings[of[i].finding];
    if (f->acked || (i && of[i - 1].finding == of[i].finding))
      continue;
    if (!shown++)
      hm_jw_arr(w, "findings");
    hm_jw_str(w, NULL, f->id);
  }
  if (shown)
    hm_jw_end(w);
}

/* --- a row ------------------------------------------------------------------------ */

/* An entity of the same project that a property names is given with its name, too. */
static void put_property(hm_model *m, hm_jw *w, uint32_t row, const hm_json *p) {
  const hm_snapshot *snap = m->v->snap;
  uint32_t other = p->type == HM_JSON_STRING ? hm_snapshot_row(snap, HM_ENTITY, p->text) : HM_NONE;
  bool refers = other != HM_NONE && other != row && hm_view_listed(m->v, other) &&
      snap->rows[other].project == snap->rows[row].project;
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "name", hm_shorten(m->a, p->key, 200));
  put_value(m, w, "value", hm_format_json(p, m->a));
  if (refers)
    hm_jw_str(w, "refers_to", hm_view_label(m->v, other, m->a));
  hm_jw_end(w);
}

static void put_properties(hm_model *m, hm_jw *w, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  bool described = r->layer == HM_ENTITY && !hm_view_prop_hidden(m->v, HM_STR("description"), m->a);
  const hm_json *props = hm_view_props(m->v, row, m->a);
  if (described)
    put_any_value(m, w, "description", r->text);
  if (!props && !m->v->n_props)
    put_any_value(m, w, "properties_not_readable", r->props);
  if (!props || !props->child)
    return;
  hm_jw_arr(w, "properties");
  size_t fit = hm_view_count_fitting_props(m->v, row, props, m->a), n = 0;
  for (const hm_json *p = props->child; p; p = p->next)
    if (n++ < fit || hm_view_is_disputed(m->v, row, p->key))
      put_property(m, w, row, p);
  hm_jw_end(w);
  const hm_long_value *whole =
      n > fit ? hm_view_find_long_value(m->v, hm_format_json(props, m->a)) : NULL;
  if (whole)
    hm_jw_str(w, "properties_whole", whole->path);
}

static void put_memory(hm_model *m, hm_jw *w, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  put_short(m, w, "type", r->type, 80);
  put_value(m, w, "content", r->text);
  put_short(m, w, "slot_rule", r->slot_rule, 200);
}

static void put_entity(hm_model *m, hm_jw *w, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  put_short(m, w, "type", r->type, 120);
  put_short(m, w, "name", r->name, 120);
  put_properties(m, w, row);
}

static void put_state(hm_model *m, hm_jw *w, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  put_short(m, w, "category", r->type, 120);
  put_short(m, w, "key", r->name, 120);
  put_value(m, w, "value", hm_view_state_value(m->v, row, m->a));
}

static void put_relation(hm_model *m, hm_jw *w, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  hm_jw_str(w, "type", hm_shorten(m->a, r->type.n ? r->type : HM_STR("untyped"), 120));
  put_end(m, w, "from", r->from);
  put_end(m, w, "to", r->to);
  put_properties(m, w, row);
}

static void (*const put_own[])(hm_model *m, hm_jw *w,
                               uint32_t row) = { [HM_MEMORY] = put_memory,
                                                 [HM_ENTITY] = put_entity,
                                                 [HM_STATE] = put_state,
                                                 [HM_RELATION] = put_relation };

/* Writes what pages show of a row besides its fields; for state they show less. */
static void put_known(hm_model *m, hm_jw *w, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  const hm_row_detail *d = hm_view_detail(m->v, row);
  bool state = r->layer == HM_STATE;
  if (d)
    put_any_value(m, w, "confidence", state ? hm_shorten(m->a, d->confidence, 40) : d->confidence);
  if (d && !state) {
    put_any_value(m, w, "importance", d->importance);
    put_any_value(m, w, "polarity", d->polarity);
    put_any_value(m, w, "scope", r->scope);
    put_any_value(m, w, "agent", r->agent);
    put_any_value(m, w, "via", d->via);
    put_strings(m, w, "tags", r->tags, HM_REFS * 2, 100);
    if (d->hand_authored)
      hm_jw_bool(w, "hand_authored", true);
  }
  put_short(m, w, "valid_from", r->valid_from, 40);
  put_short(m, w, "valid_until", r->valid_until, 40);
  put_short(m, w, "created_at", r->created_at, 60);
  if (d && !hm_str_eq(r->updated_at, r->created_at))
    put_short(m, w, "updated_at", r->updated_at, 60);
  if (d && !state)
    put_short(m, w, "superseded_at", d->superseded_at, 60);
  if (d)
    put_strings(m, w, "sources", d->source_refs, state ? HM_REFS : HM_REFS * 2, 200);
}

static void put_row(hm_model *m, hm_buf *out, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  hm_jw w;
  hm_jw_init(&w, out, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "kind", hm_str_c(hm_layer_name(r->layer)));
  put_value(m, &w, "id", r->id);
  put_own[r->layer](m, &w, row);
  hm_jw_str(&w, "status", hm_str_c(hm_status_name(r->status)));
  put_known(m, &w, row);
  if (r->layer != HM_STATE ||
      r->status != HM_ACTIVE) { /* the table of what is active has no room for it */
    put_superseded_by(m, &w, row);
    put_chain(m, &w, "supersedes", row, HM_EDGE_OLDER);
  }
  if (r->layer != HM_STATE)
    put_graduated_to(m, &w, r->graduated_to);
  put_conflicts(m, &w, row);
  if (r->layer == HM_RELATION)
    put_disputed_with(m, &w, row);
  put_may_overlap(m, &w, row);
  uint32_t inside = hm_view_count_inside(m->v, row);
  if (inside)
    hm_jw_int(&w, "disputed_inside", inside);
  put_row_findings(m, &w, row);
  hm_jw_end(&w);
  hm_buf_ch(out, '\n');
}

/* --- files ------------------------------------------------------------------------- */

static void list_file(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  const hm_list_part *p = &v->parts[f->index];
  hm_model m = { .v = v, .a = a };
  hm_buf_c(out, first_line);
  for (uint32_t i = p->from; i < p->to; i++)
    put_row(&m, out, v->by_bytes[i]);
}

static void project_file(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  const hm_project *p = &v->snap->projects[v->projects[f->index].snap];
  hm_model m = { .v = v, .a = a };
  hm_jw w;
  hm_buf_c(out, first_line);
  hm_jw_init(&w, out, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "kind", HM_STR("project"));
  hm_jw_str(&w, "id", hm_shorten(a, p->id, 200));
  put_short(&m, &w, "name", v->projects[f->index].label, 200);
  if (p->n_aliases)
    hm_jw_arr(&w, "aliases");
  for (size_t i = 0; i < p->n_aliases && i < 50; i++)
    hm_jw_str(&w, NULL, hm_shorten(a, p->aliases[i], 100));
  if (p->n_aliases)
    hm_jw_end(&w);
  put_any_value(&m, &w, "description", p->description);
  hm_jw_end(&w);
  hm_buf_ch(out, '\n');
}

/* "projects/p05/state.md" -> "data/p05/state.jsonl". */
static hm_str path_of(hm_arena *a, hm_str page) {
  hm_str below = hm_str_sub(page, sizeof "projects" - 1, page.n - 3);
  return HM_CAT(a, HM_STR("data"), below, HM_STR(".jsonl"));
}

/* Adds the data files of lists and overviews (data.c). */
static void list_data_files(const hm_view *v, hm_arena *a, hm_pages *out) {
  for (uint32_t i = 0; i < v->n_projects; i++)
    hm_pages_add_file(out, a,
                      path_of(a, hm_str_fmt(a, "%.*sproject.md", HM_FMT(v->projects[i].dir))),
                      project_file, i);
  for (uint32_t i = 0; i < v->n_parts; i++)
    hm_pages_add_file(out, a, path_of(a, v->parts[i].path), list_file, i);
}

/* Row and field decide what shows, the JSON knows of rows only: members that hide by their field
 * are hidden for the time that their conflict is written. */
typedef struct {
  const hm_view *v;
  bool *hidden;
  hm_arena *a;
} hidden_members;

static void set_members_hidden(hidden_members *w, const hm_vconflict *c, bool on) {
  if (!w->v->any_hidden)
    return;
  size_t n = c->dispute ? c->dispute->n : c->rec->n_members;
  for (size_t i = 0; i < n; i++) {
    const hm_member_rec *m = c->dispute ? NULL : &c->rec->members[i];
    const hm_claim *claim = m ? NULL : c->dispute->parties[i].claim;
    uint32_t row = m ? hm_snapshot_row(w->v->snap, m->layer, m->id) : claim->row;
    if (row != HM_NONE)
      w->hidden[row] = w->v->hidden[row] ||
          (on && !hm_view_field_shown(w->v, row, m ? m->field : claim->field, w->a));
  }
}

static bool claim_shown(void *ctx, const hm_claim *c, const hm_evidence **said_by) {
  const hidden_members *w = ctx;
  *said_by = hm_view_claim_source(w->v, c, w->a);
  return hm_view_claim_shown(w->v, c, w->a);
}

static bool bounds_shown(void *ctx, const hm_claim *c) {
  return hm_view_bounds_shown(((const hidden_members *)ctx)->v, c);
}

static bool member_shown(void *ctx, const hm_member_rec *m) {
  const hidden_members *w = ctx;
  return hm_view_member_shown(w->v, m, w->a);
}

/* Members whose rows are gone cannot be hidden by row. */
static bool has_withheld_gone_row(const hm_view *v, const hm_vconflict *c, hm_arena *a) {
  for (size_t i = 0; !c->dispute && i < c->rec->n_members; i++) {
    const hm_member_rec *m = &c->rec->members[i];
    if (hm_snapshot_row(v->snap, m->layer, m->id) == HM_NONE && !hm_view_member_shown(v, m, a))
      return true;
  }
  return false;
}

static void put_conflict(hidden_members *w, const hm_vconflict *c, hm_buf *out) {
  hm_conflict_rec rec = *c->rec;
  if (c->withheld) {
    rec.resolution = HM_EMPTY;
    rec.taken_back = rec.reopened = NULL;
  }
  rec.window_from = c->window_from;
  rec.window_until = c->window_until;
  hm_str *winners;
  size_t n_winners = c->withheld ? hm_winners_parse(w->a, rec.winner, &winners) : 0, there = 0;
  for (size_t i = 0; i < n_winners; i++)
    if (hm_snapshot_ref(w->v->snap, HM_ENTITY, winners[i]) != HM_NONE)
      winners[there++] = winners[i];
  if (c->withheld)
    rec.winner = hm_winners_text(w->a, winners, there);
  if (has_withheld_gone_row(w->v, c, w->a)) {
    hm_member_rec *kept = hm_alloc_array(w->a, rec.n_members + 1, sizeof *kept);
    size_t n = 0;
    for (size_t i = 0; i < rec.n_members; i++)
      if (hm_snapshot_row(w->v->snap, rec.members[i].layer, rec.members[i].id) != HM_NONE ||
          hm_view_member_shown(w->v, &rec.members[i], w->a))
        kept[n++] = rec.members[i];
    rec.members = kept;
    rec.n_members = n;
  }
  set_members_hidden(w, c, true);
  hm_conflict_shown shown = { .hidden = w->hidden,
                              .claim = claim_shown,
                              .bounds = bounds_shown,
                              .member = member_shown,
                              .ctx = w,
                              .past = !hm_exclude_has_entries(&w->v->opt.exclude),
                              .unnamed = !c->named,
                              .since = c->since };
  uint32_t at = (uint32_t)(c - w->v->conflicts);
  shown.concerns = hm_concerns_of_dispute(&w->v->concerns, at, &shown.n_concerns);
  hm_conflict_json(out, w->v->sweep, &rec, &shown, false, w->a);
  set_members_hidden(w, c, false);
}

static void conflicts_json(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  hm_arena *tmp = hm_arena_new();
  hidden_members w = { .v = v, .a = tmp, .hidden = v->hidden };
  (void)f;
  if (v->any_hidden) {
    w.hidden = hm_alloc_array(a, v->snap->n_rows + 1, sizeof *w.hidden);
    memcpy(w.hidden, v->hidden, v->snap->n_rows);
  }
  hm_buf_c(out, "{\"conflicts\":[");
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    hm_buf one = { 0 };
    hm_buf_c(out, i ? ",\n" : "\n");
    put_conflict(&w, &v->conflicts[i], &one);
    hm_buf_str(out, hm_json_escape_directions(tmp, hm_buf_view(&one)));
    hm_buf_free(&one);
    hm_arena_reset(tmp);
  }
  hm_buf_fmt(out, "%s],\"count\":%u}\n", v->n_conflicts ? "\n" : "", v->n_conflicts);
  hm_arena_free(tmp);
}

/* In the order of the sweep: by kind, project and id. */
static void findings_json(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  (void)f, (void)a;
  hm_buf_c(out, "{\"findings\":[");
  for (uint32_t i = 0; i < v->n_findings; i++) {
    hm_jw w;
    hm_buf_c(out, i ? ",\n" : "\n");
    hm_jw_init(&w, out, 0);
    hm_finding_json(&w, v->findings[i]);
  }
  hm_buf_fmt(out, "%s],\"count\":%u}\n", v->n_findings ? "\n" : "", v->n_findings);
}

static void put_findings(hm_jw *w, const hm_view *v) {
  static const char *const kinds[] = { "anachronism", "ontology_violation", "orphan", "stale" };
  int64_t n[5] = { 0 };
  for (uint32_t i = 0; i < v->n_findings; i++) {
    size_t k = 0;
    while (k < 4 && !hm_str_is(v->findings[i]->kind, kinds[k]))
      k++;
    n[k]++;
  }
  hm_jw_obj(w, "findings");
  for (size_t k = 0; k < 4; k++)
    hm_jw_int(w, kinds[k], n[k]);
  if (n[4])
    hm_jw_int(w, "other", n[4]);
  hm_jw_end(w);
}

static void health_json(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  (void)f;
  (void)a;
  const hm_view_counts *n = &v->counts;
  hm_jw w;
  hm_jw_init(&w, out, 2);
  hm_jw_obj(&w, NULL);
  hm_jw_int(&w, "open_conflicts_count", n->open_conflicts);
  hm_jw_int(&w, "disputed_count", n->disputed);
  hm_compared_json(&w, &n->compared);
  hm_jw_int(&w, "signoff_count", n->signoff);
  hm_jw_int(&w, "resolved_count", n->resolved);
  hm_jw_int(&w, "dismissed_count", n->dismissed);
  hm_jw_int(&w, "findings_count", n->findings);
  put_findings(&w, v);
  hm_jw_int(&w, "gaps_count", n->gaps);
  hm_jw_int(&w, "projects", n->projects);
  hm_jw_obj(&w, "rows");
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    hm_jw_int(&w, hm_layer_name((hm_layer)l), n->rows[l]);
  hm_jw_end(&w);
  hm_jw_int(&w, "candidates", n->candidates);
  hm_jw_end(&w);
  hm_buf_ch(out, '\n');
}

static void long_value(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  (void)a;
  hm_buf_str(out, v->longs[f->index].bytes);
}

void hm_list_conflict_and_row_files(const hm_view *v, hm_arena *a, hm_pages *out) {
  *out = (hm_pages){ 0 };
  hm_pages_add_file(out, a, HM_STR("conflicts.json"), conflicts_json, 0)->is_list = true;
  list_data_files(v, a, out);
}

void hm_list_non_page_files(const hm_view *v, const hm_source_list *sources, hm_arena *a,
                            hm_pages *out) {
  const hm_search *search = v->opt.search ? hm_search_new(v, sources, a) : NULL;
  hm_pages_add_file(out, a, HM_STR("conflicts.json"), conflicts_json, 0)->is_list = true;
  hm_pages_add_file(out, a, HM_STR("findings.json"), findings_json, 0)->is_list = true;
  hm_pages_add_file(out, a, HM_STR("health.json"), health_json, 0);
  for (uint32_t i = 0; i < v->n_longs; i++)
    hm_pages_add_file(out, a, v->longs[i].path, long_value, i);
  list_data_files(v, a, out);
  hm_list_timeline_files(v, a, out);
  hm_list_change_files(v, a, out);
  hm_list_graph_files(v, a, out);
  hm_list_chart_files(v, a, out);
  if (search)
    hm_search_list_files(search, a, out);
}
