/* Files that are no pages: conflicts.json, findings.json, health.json, long values; data files are
 * in data.c. */
#include <string.h>

#include "search.h"

/* Row and field decide what shows, the JSON knows of rows only: members that hide by their field
 * are hidden for the time that their conflict is written. */
typedef struct {
  const hm_view *v;
  bool *hidden;
  hm_arena *a;
} hidden_members;

static void hide_member(hidden_members *w, uint32_t row, hm_str field) {
  if (row == HM_NONE || w->hidden[row] || hm_view_claim_shown(w->v, row, field, w->a))
    return;
  w->hidden[row] = true;
}

static void show_member_again(hidden_members *w, uint32_t row) {
  if (row != HM_NONE)
    w->hidden[row] = w->v->hidden[row];
}

static void set_members_hidden(hidden_members *w, const hm_vconflict *c, bool on) {
  if (!w->v->any_hidden)
    return;
  size_t n = c->dispute ? c->dispute->n : c->rec->n_members;
  for (size_t i = 0; i < n; i++) {
    const hm_member_rec *m = c->dispute ? NULL : &c->rec->members[i];
    const hm_claim *claim = m ? NULL : c->dispute->parties[i].claim;
    uint32_t row = m ? hm_snapshot_row(w->v->snap, m->layer, m->id) : claim->row;
    if (on)
      hide_member(w, row, m ? m->field : claim->field);
    else
      show_member_again(w, row);
  }
}

/* The name of a slot can be a withheld row's; the rest of the key is the project and a memory type.
 */
static void put_named(const hm_vconflict *c, hm_str json, hm_buf *out) {
  ptrdiff_t from = hm_str_find(json, "\"slot_key\":["), to = hm_str_find(json, "],\"project\":");
  if (c->named || from < 0 || to < from) {
    hm_buf_str(out, json);
    return;
  }
  hm_buf_str(out, hm_str_sub(json, 0, (size_t)from));
  hm_buf_c(out, "\"slot_key\":[");
  hm_json_write_str(out, c->rec->project);
  hm_buf_c(out, ",null");
  hm_buf_str(out, hm_str_sub(json, (size_t)to, json.n));
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
  if (c->withheld)
    rec.resolution = HM_EMPTY;
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
  hm_buf b = { 0 };
  set_members_hidden(w, c, true);
  hm_conflict_shown shown = { w->hidden, c->since };
  hm_conflict_json(&b, w->v->sweep, &rec, &shown, false, w->a);
  set_members_hidden(w, c, false);
  put_named(c, hm_buf_view(&b), out);
  hm_buf_free(&b);
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
    hm_buf_c(out, i ? ",\n" : "\n");
    put_conflict(&w, &v->conflicts[i], out);
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
  hm_list_data_files(v, a, out);
}

void hm_list_non_page_files(const hm_view *v, const hm_source_list *sources, hm_arena *a,
                            hm_pages *out) {
  const hm_search *search = v->opt.search ? hm_search_new(v, sources, a) : NULL;
  hm_pages_add_file(out, a, HM_STR("conflicts.json"), conflicts_json, 0)->is_list = true;
  hm_pages_add_file(out, a, HM_STR("findings.json"), findings_json, 0)->is_list = true;
  hm_pages_add_file(out, a, HM_STR("health.json"), health_json, 0);
  for (uint32_t i = 0; i < v->n_longs; i++)
    hm_pages_add_file(out, a, v->longs[i].path, long_value, i);
  hm_list_data_files(v, a, out);
  hm_list_timeline_files(v, a, out);
  hm_list_change_files(v, a, out);
  hm_list_graph_files(v, a, out);
  hm_list_chart_files(v, a, out);
  if (search)
    hm_search_list_files(search, a, out);
}
