/* What a publication changes. The tip's files with equal ids are not read. Cost: linear in the data
 * files. */
#include "gen/mirror/changes.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/record/journal.h"
#include "gen/check/check.h"
#include "gen/history/event.h"
#include "gen/sink/git_read.h"
#include "gen/site/site.h"

#define CONFLICTS "conflicts.json"

/* A file that differs. */
typedef struct {
  hm_str path, before, after;
} pair;

typedef struct {
  hm_mirror *m;
  const hm_snapshot *snap;
  const hm_view *view;
  const hm_tip_files *tip;
  hm_arena *a;
  pair *v;
  size_t n, cap;
  hm_map left_out;    /* rows of the tip that publish.exclude leaves out now */
  hm_map seen;        /* paths of this site's files */
  hm_needles removed; /* what the tip says in the place of marks of today */
  hm_map project_at;  /* folder -> ids */
  hm_str *ids;
  hm_str conflicts_before, conflicts_after;
} comparison;

/* --- files that differ ---------------------------------------------------------------- */

static bool is_edited(const hm_tip_files *tip, hm_str path) {
  for (size_t i = 0; i < tip->n_edited; i++)
    if (hm_str_eq(tip->edited[i], path))
      return true;
  return false;
}

static int read_whole(comparison *c, hm_str path, hm_str *out, hm_err *err) {
  if (c->tip->read(c->tip->ctx, path, c->a, out, err) != 0)
    return -1;
  return hm_parts_join(path, *out, c->tip->read, c->tip->ctx, HM_GIT_MAX_BLOB, c->a, out, err);
}

static void add_pair(comparison *c, hm_str path, hm_str before, hm_str after) {
  c->v = hm_array_grow(c->v, c->n, &c->cap, sizeof *c->v);
  c->v[c->n++] = (pair){ hm_str_dup(c->a, path), before, after };
}

/* hm_site_data_fn. */
static int on_file(void *ctx, hm_str path, hm_str bytes, hm_err *err) {
  comparison *c = ctx;
  hm_str before;
  hm_map_add(&c->seen, hm_str_dup(c->a, path), 1);
  if (hm_str_is(path, CONFLICTS)) {
    c->conflicts_after = hm_str_dup(c->a, bytes);
    return c->tip->exists ? read_whole(c, path, &c->conflicts_before, err) : 0;
  }
  if (!hm_is_data_file(path) || is_edited(c->tip, path))
    return 0;
  if (c->tip->has && c->tip->has(c->tip->ctx, path, bytes, c->a))
    return 0;
  if (c->tip->read(c->tip->ctx, path, c->a, &before, err) != 0)
    return -1;
  if (!hm_str_eq(before, bytes))
    add_pair(c, path, before, hm_str_dup(c->a, bytes));
  return 0;
}

/* Adds the data files of the tip that this site does not have. */
static int add_gone(comparison *c, hm_err *err) {
  for (size_t i = 0; i < c->tip->n; i++) {
    hm_str path = c->tip->paths[i], before;
    if (!hm_is_data_file(path) || hm_map_get(&c->seen, path) != HM_MAP_NONE)
      continue;
    if (c->tip->read(c->tip->ctx, path, c->a, &before, err) != 0)
      return -1;
    if (!is_edited(c->tip, path))
      add_pair(c, path, before, HM_EMPTY);
  }
  return 0;
}

/* --- projects ----------------------------------------------------------------------------- */

static void name_projects(comparison *c, const hm_snapshot *s) {
  c->ids = hm_alloc_array(c->a, s->n_projects + 1, sizeof *c->ids);
  hm_map_init(&c->project_at, c->a, s->n_projects);
  for (size_t i = 0; i < s->n_projects; i++) {
    hm_str folder = hm_project_folder(hm_view_project_path(c->view, s->projects[i].id, c->a));
    c->ids[i] = s->projects[i].id;
    if (folder.n)
      hm_map_add(&c->project_at, folder, (uint32_t)i);
  }
}

/* hm_folders: for a project that is gone, the id is on the second line of its file at the tip. */
static hm_str id_of_folder(void *ctx, hm_str folder) {
  comparison *c = ctx;
  hm_str path = hm_str_fmt(c->a, "data/%.*s/project.jsonl", HM_FMT(folder)), bytes, rows, line;
  uint32_t at = hm_map_get(&c->project_at, folder);
  size_t from = 0;
  hm_json *v;
  if (at != HM_MAP_NONE)
    return c->ids[at];
  if (c->tip->read(c->tip->ctx, path, c->a, &bytes, NULL) == 0 &&
      hm_data_file_find_rows(bytes, &rows) && hm_data_next_line(rows, &from, &line) &&
      hm_json_parse(c->a, line, &v, NULL) == 0 && hm_json_get(v, "id"))
    return hm_json_get_text(v, "id");
  return hm_str_is(folder, "global") ? HM_EMPTY : folder;
}

/* --- events ---------------------------------------------------------------------------- */

/* Does the tip tell its facts? Each project has a data file; without projects there is no fact. */
static bool has_data(const hm_tip_files *tip) {
  bool projects = false;
  for (size_t i = 0; i < tip->n; i++) {
    if (hm_is_data_file(tip->paths[i]) || hm_str_ends(tip->paths[i], "/project.jsonl"))
      return true;
    projects |= hm_str_starts(tip->paths[i], "projects/") &&
        hm_str_find(hm_str_sub(tip->paths[i], strlen("projects/"), tip->paths[i].n), "/") >= 0;
  }
  return !projects;
}

/* Ids by the names of their entities, but where two have the same. */
static void name_values(const comparison *c, const hm_snapshot *s, hm_str *values, size_t n) {
  hm_str *names = hm_alloc_array(c->a, n + 1, sizeof *names);
  for (size_t i = 0; i < n; i++)
    names[i] = hm_relation_end_name(s, hm_view_hidden_rows(c->view), values[i]);
  for (size_t i = 0; i < n; i++) {
    size_t same = 0;
    for (size_t k = 0; k < n; k++)
      same += hm_str_eq(names[i], names[k]);
    if (same == 1)
      values[i] = names[i];
  }
}

static void name_ends(const comparison *c, const hm_snapshot *s, hm_event *e) {
  if (!e->n_members || !hm_str_starts(e->members[0], "relation:") ||
      (!hm_str_is(e->fields[0], "from") && !hm_str_is(e->fields[0], "to")))
    return;
  name_values(c, s, e->values, e->n_values);
  name_values(c, s, e->stand, e->n_winners);
}

/* Sets the name of each conflict to that of its page. */
static void name_conflicts(const comparison *c, const hm_snapshot *s, hm_events *l) {
  hm_map at;
  size_t n;
  const hm_conflict_rec **recs = hm_view_conflicts(c->view, &n);
  hm_map_init(&at, c->a, n);
  for (size_t i = 0; i < n; i++)
    hm_map_add(&at, recs[i]->id, (uint32_t)i);
  for (size_t i = 0; i < l->n; i++) {
    hm_event *e = &l->v[i];
    uint32_t k = e->conflict.n ? hm_map_get(&at, e->conflict) : HM_MAP_NONE;
    if (e->conflict.n)
      name_ends(c, s, e);
    if (k == HM_MAP_NONE)
      continue;
    hm_str title = hm_conflict_title(c->view, recs[k], c->a),
           project = e->project.n ? e->project : HM_STR("global");
    bool starts = title.n > project.n + 3 && !memcmp(title.p, project.p, project.n) &&
        !memcmp(title.p + project.n, " / ", 3);
    e->name = starts ? hm_str_sub(title, project.n + 3, title.n) : title;
  }
}

/* --- what was redacted since the tip ------------------------------------------------------- */

/* A long text is cut where others quote it, so its beginning is looked for, too. */
static void add_removed(comparison *c, hm_str text) {
  enum { BEGIN = 40 };
  if (hm_has_redacted_mark(text))
    return;
  hm_needles_add(&c->removed, text, c->a);
  if (text.n > BEGIN)
    hm_needles_add(&c->removed, hm_text_cut(text, BEGIN), c->a);
}

/* Is there a mark now in the place of this field? A row that is on no page any more is looked up in
 * the store, whole. */
static bool is_marked(const comparison *c, const hm_fact_pair *p, hm_str field) {
  const hm_fact_field *now = p->after ? hm_fact_find_field(p->after, field, true) : NULL;
  if (p->after)
    return now && hm_has_redacted_mark(now->value);
  uint32_t row = hm_snapshot_ref(c->snap, HM_ENTITY, p->before->ref);
  return row != HM_MAP_NONE &&
      (hm_has_redacted_mark(c->snap->rows[row].text) ||
       hm_has_redacted_mark(c->snap->rows[row].props));
}

static void collect_removed_of(comparison *c, const hm_fact_pair *p, const hm_events *l) {
  const hm_fact *b = p->before;
  bool any = false;
  for (size_t i = 0; i < b->n; i++) {
    if (!b->shown[i].own || !is_marked(c, p, b->shown[i].name))
      continue;
    add_removed(c, b->shown[i].value);
    any = true;
  }
  uint32_t row = hm_snapshot_ref(c->snap, HM_ENTITY, b->ref);
  if (b->layer != HM_RELATION && row != HM_MAP_NONE &&
      hm_has_redacted_mark(c->snap->rows[row].name))
    add_removed(c, b->name);
  for (size_t i = 0; i < l->n && any; i++) /* the parts of a text that claim */
    if (hm_str_eq(l->v[i].row, b->ref) && is_marked(c, p, l->v[i].field)) {
      add_removed(c, l->v[i].kind == HM_EV_STATUS ? HM_EMPTY : l->v[i].before);
      add_removed(c, l->v[i].said);
    }
}

static void hide_slot(const comparison *c, hm_str *slot) {
  hm_json *key = hm_json_parse_as(c->a, *slot, HM_JSON_ARRAY);
  bool hidden = false;
  for (hm_json *part = key ? key->child : NULL; part; part = part->next) {
    if (!hm_needles_found_in(&c->removed, part->text))
      continue;
    part->text = HM_STR("[redacted]");
    hidden = true;
  }
  if (hidden)
    *slot = hm_json_as_text(key, c->a);
}

static void hide_removed(const comparison *c, hm_str *s) {
  if (s->n && hm_needles_found_in(&c->removed, *s))
    *s = HM_STR("[redacted]");
}

/* Other records name what was redacted, too: an end by its name, a slot, a title. */
static void hide_removed_from_events(const comparison *c, hm_events *l) {
  for (size_t i = 0; i < l->n && c->removed.n; i++) {
    hm_event *e = &l->v[i];
    hm_str *const all[] = { &e->before, &e->after, &e->said, &e->name, &e->by, &e->notes };
    hide_slot(c, &e->slot);
    for (size_t k = 0; k < HM_COUNT(all); k++)
      hide_removed(c, all[k]);
    for (size_t k = 0; k < e->n_values; k++)
      hide_removed(c, &e->values[k]);
    for (size_t k = 0; k < e->n_winners; k++)
      hide_removed(c, &e->stand[k]);
  }
}

/* Lines of earlier publications. */
static void hide_removed_from_lines(const comparison *c, hm_changes *all) {
  for (size_t i = 0; i < all->n && c->removed.n; i++)
    for (size_t k = 0; k < all->v[i].n; k++) {
      hm_change_line *line = &all->v[i].v[k];
      if (hm_needles_found_in(&c->removed, line->text) ||
          hm_needles_found_in(&c->removed, line->subject))
        hm_change_hide_text(line);
    }
}

/* --- all events ------------------------------------------------------------------------------ */

static int find_events(comparison *c, const hm_snapshot *s, hm_events *out, hm_err *err) {
  hm_data_rows rows;
  hm_folders folders = { id_of_folder, c };
  hm_data_rows_init(&rows, c->a);
  if (c->n)
    qsort(c->v, c->n, sizeof *c->v, hm_order_str);
  for (size_t i = 0; i < c->n; i++) {
    hm_str before, after;
    if (hm_data_file_find_rows(c->v[i].before, &before) &&
        hm_data_file_find_rows(c->v[i].after, &after)) {
      hm_data_rows_add(&rows, before, false);
      hm_data_rows_add(&rows, after, true);
    }
    if (i + 1 == c->n || !hm_same_project_folder(c->v[i].path, c->v[i + 1].path))
      hm_data_rows_join(&rows, hm_project_folder(c->v[i].path));
  }
  hm_collect_conflict_events(c->conflicts_before, c->conflicts_after, c->a, out);
  int rc = hm_collect_fact_events(rows.rows, rows.n, &folders, &c->m->config.rules, c->a, out, err);
  for (size_t i = 0; i < rows.n; i++)
    if (rows.rows[i].before)
      collect_removed_of(c, &rows.rows[i], out);
  hm_data_rows_free(&rows);
  name_conflicts(c, s, out);
  hide_removed_from_events(c, out);
  hm_events_sort(out);
  return rc;
}

/* --- as the pages have them ------------------------------------------------------------------ */

static void set_rows(hm_change_line *c, const hm_event *e, hm_arena *a) {
  size_t n = e->conflict.n ? e->n_members : 1;
  c->rows = hm_alloc_array(a, n + 1, sizeof *c->rows);
  c->fields = hm_alloc_array(a, n + 1, sizeof *c->fields);
  c->n_rows = n;
  for (size_t i = 0; i < n; i++) {
    c->rows[i] = e->conflict.n ? e->members[i] : e->row;
    c->fields[i] = e->conflict.n ? e->fields[i] : e->field;
  }
}

static hm_more_changes *more_of(hm_published *p, hm_str project) {
  for (size_t i = 0; i < p->n_more; i++)
    if (hm_str_eq(p->more[i].project, project))
      return &p->more[i];
  p->more[p->n_more] = (hm_more_changes){ .project = project };
  return &p->more[p->n_more++];
}

static hm_change_line line_of(const hm_event *e, hm_arena *a) {
  hm_change_line c = { .event = hm_str_c(hm_event_name(e->kind)),
                       .project = e->project,
                       .subject = hm_event_subject_short(e, a),
                       .text = hm_event_format_text(e, a),
                       .conflict = e->conflict };
  set_rows(&c, e, a);
  return c;
}

/* Adds conflicts first; counts the changes beyond the limit. */
static void tell_events(hm_published *p, const hm_events *l, hm_arena *a) {
  p->v = hm_alloc_array(a, HM_CHANGES_LISTED, sizeof *p->v);
  p->more = hm_alloc_array(a, l->n + 1, sizeof *p->more);
  for (int facts = 0; facts < 2; facts++)
    for (size_t i = 0; i < l->n; i++) {
      const hm_event *e = &l->v[i];
      if ((e->conflict.n == 0) != facts)
        continue;
      if (p->n == HM_CHANGES_LISTED) {
        more_of(p, e->project)->changes++;
        continue;
      }
      p->v[p->n++] = line_of(e, a);
    }
}

static void add_publication(comparison *c, const hm_sweep *sweep, const hm_events *l, bool first,
                            hm_changes *all) {
  hm_arena *a = c->m->a;
  int64_t at = hm_choose_publish_time(c->m, sweep, c->view);
  hm_published *v = hm_alloc_array(a, all->n + 1, sizeof *v);
  if (all->n)
    memcpy(v, all->v, all->n * sizeof *v);
  v[all->n] = (hm_published){ .number = all->n ? v[all->n - 1].number + 1 : 1,
                              .at = at ? hm_time_iso(a, at * 1000000) : HM_EMPTY,
                              .disputed = hm_view_get_counts(c->view)->disputed,
                              .left_out = first ? 0 : (int64_t)c->left_out.n,
                              .first = first };
  if (!first)
    tell_events(&v[all->n], l, a);
  *all = (hm_changes){ v, all->n + 1 };
  hm_changes_drop_oldest(all);
}

/* --- what may be shown ------------------------------------------------------------------------ */

static bool was_redacted(void *store, hm_str ref) {
  bool yes = false;
  hm_err ignored;
  return hm_journal_has(store, ref, "redact", &yes, &ignored) != 0 || yes;
}

static void hide(hm_str *s, hm_str mark) {
  if (s->n && !hm_has_redacted_mark(*s))
    *s = mark;
}

static void hide_texts(hm_event *e, hm_str mark) {
  hm_str *const all[] = { &e->before, &e->after, &e->said, &e->name };
  for (size_t k = 0; k < HM_COUNT(all); k++)
    hide(all[k], mark);
  for (size_t k = 0; k < e->n_values; k++)
    hide(&e->values[k], mark);
  for (size_t k = 0; k < e->n_winners; k++)
    hide(&e->stand[k], mark);
}

static void count_left_out(comparison *c, hm_str ref, hm_str field, bool *any) {
  uint32_t row = ref.n ? hm_snapshot_ref(c->snap, HM_ENTITY, ref) : HM_MAP_NONE;
  if (row == HM_MAP_NONE || hm_view_field_shown(c->view, row, field, c->a))
    return;
  hm_map_add(&c->left_out, ref, 0);
  *any = true;
}

/* The conflict is in the store, and on no page. */
static bool conflict_left_out(const comparison *c, hm_str id) {
  size_t n;
  const hm_conflict_rec **shown = hm_view_conflicts(c->view, &n);
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(shown[i]->id, id))
      return false;
  for (size_t i = 0; i < c->snap->n_conflicts; i++)
    if (hm_str_eq(c->snap->conflicts[i].id, id))
      return c->snap->conflicts[i].status != HM_MERGED;
  return false;
}

/* Takes the events that are about what is left out now from the list, and counts their rows: an id,
 * a name, a type or a key would say what was there. */
static void leave_out_events(comparison *c, hm_events *l) {
  size_t kept = 0;
  hm_map_init(&c->left_out, c->a, 8);
  if (!hm_view_withholds(c->view))
    return;
  for (size_t i = 0; i < l->n; i++) {
    const hm_event *e = &l->v[i];
    bool gone = e->conflict.n && conflict_left_out(c, e->conflict);
    count_left_out(c, e->row, e->field, &gone);
    if (e->kind == HM_EV_KNOWN || e->kind == HM_EV_STATUS) { /* they may name another row */
      count_left_out(c, e->before, HM_EMPTY, &gone);
      count_left_out(c, e->by, HM_EMPTY, &gone);
    }
    for (size_t k = 0; k < e->n_members; k++)
      count_left_out(c, e->members[k], e->fields[k], &gone);
    for (size_t k = 0; k < e->n_added; k++)
      count_left_out(c, e->added[k], HM_EMPTY, &gone);
    for (size_t k = 0; k < e->n_removed; k++)
      count_left_out(c, e->removed[k], HM_EMPTY, &gone);
    const hm_change_line line = line_of(e, c->a);
    if (!gone && hm_change_is_left_out(c->view, &line, c->a)) {
      hm_map_add(&c->left_out, e->conflict.n ? e->conflict : e->row, 0);
      gone = true;
    }
    if (!gone)
      l->v[kept++] = *e;
  }
  l->n = kept;
}

/* Hides texts that were redacted since the tip from the message. */
static void hide_from_message(hm_events *l, hm_store *s) {
  for (size_t i = 0; i < l->n; i++) {
    hm_event *e = &l->v[i];
    bool redacted = e->conflict.n == 0 && was_redacted(s, e->row);
    for (size_t k = 0; k < e->n_members; k++)
      redacted = redacted || was_redacted(s, e->members[k]);
    if (redacted)
      hide_texts(e, HM_STR("[redacted]"));
  }
}

int hm_collect_changes_since_tip(hm_mirror *m, hm_store *store, const hm_sweep *sweep,
                                 const hm_view *view, const hm_tip_files *tip, hm_tip_changes *out,
                                 hm_err *err) {
  comparison c = { .m = m,
                   .snap = sweep->snap,
                   .view = view,
                   .tip = tip,
                   .a = m->a,
                   .conflicts_before = HM_EMPTY,
                   .conflicts_after = HM_EMPTY };
  hm_str recorded = HM_EMPTY;
  hm_changes all = { 0 };
  int rc = -1;
  *out = (hm_tip_changes){ .compared = tip->exists && has_data(tip) };
  hm_map_init(&c.seen, c.a, 64);
  name_projects(&c, sweep->snap);
  if (hm_site_make_data_files(view, out->compared, on_file, &c, err) != 0 ||
      (out->compared && add_gone(&c, err) != 0) ||
      find_events(&c, sweep->snap, &out->events, err) != 0)
    goto done;
  if (tip->exists && !is_edited(tip, HM_STR(HM_CHANGES_PATH)) &&
      tip->read(tip->ctx, HM_STR(HM_CHANGES_PATH), c.a, &recorded, err) != 0)
    goto done;
  hm_changes_parse(recorded, m->a, &all);
  hide_removed_from_lines(&c, &all);
  leave_out_events(&c, &out->events);
  out->left_out = (int64_t)c.left_out.n;
  if (!tip->exists || out->events.n || out->left_out || !all.n)
    add_publication(&c, sweep, &out->events, !tip->exists, &all);
  hide_from_message(&out->events, store);
  hm_changes_filter_shown(view, &all, was_redacted, store, m->a, &out->all);
  rc = 0;
done:
  free(c.v);
  return rc;
}

/* --- the time of a publication ---------------------------------------------------------- */

static void take_newer(hm_time *t, hm_str time, hm_time limit) {
  hm_time at;
  hm_precision p;
  if (hm_time_parse(time, &at, &p) && at > *t && at <= limit)
    *t = at;
}

/* The time of the newest published row: the time of a row that is left out would reveal a fact.
 * Ignores times after now. */
static hm_time newest_row(const hm_snapshot *s, const bool *hidden) {
  hm_time t = HM_TIME_MIN;
  for (size_t i = 0; i < s->n_rows && s->now < HM_TIME_MAX; i++) {
    if (hidden[i])
      continue;
    take_newer(&t, s->rows[i].created_at, s->now);
    take_newer(&t, s->rows[i].updated_at, s->now);
    take_newer(&t, s->details[i].superseded_at, s->now);
  }
  return t;
}

static hm_time newest_verdict(const hm_view *view) {
  hm_time t = HM_TIME_MIN;
  size_t n;
  const hm_conflict_rec **c = hm_view_conflicts(view, &n);
  for (size_t i = 0; i < n; i++)
    if (c[i]->status != HM_OPEN)
      take_newer(&t, c[i]->resolved_at, HM_TIME_MAX);
  return t;
}

int64_t hm_choose_publish_time(const hm_mirror *m, const hm_sweep *sweep, const hm_view *view) {
  hm_time t = HM_TIME_MIN;
  if (hm_exclude_has_entries(&m->config.exclude)) {
    hm_time verdict = newest_verdict(view);
    t = newest_row(sweep->snap, hm_view_hidden_rows(view));
    if (verdict > t)
      t = verdict;
  } else {
    take_newer(&t, sweep->snap->newest, HM_TIME_MAX);
  }
  return t > 0 ? t / 1000000 : 0;
}

hm_str hm_now_trailer_text(const hm_mirror *m, const hm_sweep *sweep, const hm_view *view) {
  hm_time now = sweep->snap->now;
  bool of_facts = m->epoch < 0 && hm_exclude_has_entries(&m->config.exclude);
  if (of_facts && newest_row(sweep->snap, hm_view_hidden_rows(view)) != now)
    return HM_EMPTY;
  return hm_time_iso(m->a, now);
}
