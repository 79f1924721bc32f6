/* Keeps the rows of a store in memory up to date: answer.h.
 *
 * The snapshot has room after its texts and after its relations. A new row takes a free place, a
 * changed one keeps its place, a deleted one becomes a row of layer 0, which is no answer and is
 * not found by id. Code that depends on the order of rows uses hm_recall_is_before. Deleted texts
 * stay in memory; when the room is used up, after ROOM_LEAST plus a sixteenth of the rows changed,
 * everything is read again. Cost of an update: the rows that the change log names, and a scan of
 * one number per row. */
#include "core/recall/answer.h"

#include <stdlib.h>

#include "core/store/claim_index.h"
#include "core/store/partial_snapshot.h"

enum { WORTH_A_WRITE = 200 }; /* rows that are looked through one by one in half a millisecond */
enum { ROOM_LEAST = 1000 };

/* --- a snapshot with room -------------------------------------------------------------- */

static hm_fts_rows words_of(const hm_recaller *r) {
  return (hm_fts_rows){ r->snap, r->index->texts, r->hashes, r->index->n };
}

static void index_ids(hm_snapshot *s, size_t room, hm_arena *a) {
  size_t n[HM_RELATION + 1] = { 0 };
  for (size_t i = 0; i < s->n_rows; i++)
    n[s->rows[i].layer]++;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    hm_row_index_init(&s->by_id[l], a, n[l] + room);
  for (size_t i = 0; i < s->n_rows; i++)
    if (s->rows[i].layer)
      hm_row_index_add(&s->by_id[s->rows[i].layer], s->rows[i].id, (uint32_t)i);
}

static void make_room(hm_recaller *r) {
  hm_snapshot *s = r->snap;
  size_t texts = s->first[HM_RELATION], relations = s->n_rows - texts;
  r->room = ROOM_LEAST + s->n_rows / 16;
  r->free_text = texts;
  s->first[HM_RELATION] = texts + r->room;
  r->free_relation = s->first[HM_RELATION] + relations;
  size_t n = r->free_relation + r->room;
  hm_row *rows = hm_alloc_array(r->a, n, sizeof *rows);
  hm_row_detail *details = hm_alloc_array(r->a, n, sizeof *details);
  memcpy(rows, s->rows, texts * sizeof *rows);
  memcpy(details, s->details, texts * sizeof *details);
  memcpy(rows + s->first[HM_RELATION], s->rows + texts, relations * sizeof *rows);
  memcpy(details + s->first[HM_RELATION], s->details + texts, relations * sizeof *details);
  s->rows = rows;
  s->details = details;
  s->n_rows = s->first[HM_RELATION + 1] = n;
  s->graph = NULL;
  index_ids(s, r->room, r->a);
}

static void count_projects(hm_recaller *r) {
  const hm_snapshot *s = r->snap;
  r->rows_of = hm_alloc_array(r->a, s->n_projects + 1, sizeof *r->rows_of);
  for (size_t i = 0; i < s->n_rows; i++)
    r->rows_of[s->rows[i].project] += s->rows[i].layer != 0;
}

/* --- the whole store ------------------------------------------------------------------- */

/* Trusts the log if the index of claims does. */
static int read_stamp(hm_recaller *r, hm_store *s, hm_err *err) {
  r->stamped = false;
  if (!hm_store_in_txn(s))
    return 0;
  if (hm_index_is_current(s, (hm_str){ 0 }, &r->stamped, err))
    return -1;
  return r->stamped ? hm_log_read_stamp(s, &r->stamp, &r->stamped, err) : 0;
}

int hm_recaller_read(hm_store *s, const hm_rules *rules, int threads, hm_recaller **out,
                     hm_err *err) {
  hm_recaller *r = hm_xmalloc(sizeof *r);
  *r = (hm_recaller){ .a = hm_arena_new(), .looked = hm_arena_new(), .threads = threads };
  if (read_stamp(r, s, err) || hm_store_snapshot_undigested(s, r->a, &r->snap, err)) {
    hm_recaller_free(r);
    return -1;
  }
  r->rows_read = r->snap->n_rows;
  make_room(r);
  count_projects(r);
  r->index = hm_recall_index_new(r->snap, r->free_text, rules, threads, r->a);
  r->hashes = hm_alloc_array(r->a, r->index->n + 1, sizeof *r->hashes);
  r->changed = hm_alloc_array(r->a, r->room + 1, sizeof *r->changed);
  for (size_t i = 0; i < r->free_text; i++)
    r->hashes[i] = hm_str_hash(r->index->texts[i]);
  *out = r;
  return 0;
}

void hm_recaller_free(hm_recaller *r) {
  if (!r)
    return;
  hm_arena_free(r->looked);
  hm_arena_free(r->a);
  free(r);
}

const hm_recall_index *hm_recaller_rows(const hm_recaller *r) { return r->index; }

hm_recaller_cost hm_recaller_cost_so_far(const hm_recaller *r) {
  return (hm_recaller_cost){ r->rows_read, r->documents.read };
}

/* --- what changed ------------------------------------------------------------------------ */

/* The number of a project; adds a new one in order of ids, as in a snapshot. */
static uint32_t add_project(hm_recaller *r, const hm_project *p) {
  hm_snapshot *s = r->snap;
  uint32_t at = 0;
  while (at < s->n_projects && hm_str_cmp(s->projects[at].id, p->id) < 0)
    at++;
  if (at < s->n_projects && hm_str_eq(s->projects[at].id, p->id))
    return at;
  hm_project *all = hm_alloc_array(r->a, s->n_projects + 1, sizeof *all);
  memcpy(all, s->projects, at * sizeof *all);
  all[at] = *p;
  memcpy(all + at + 1, s->projects + at, (s->n_projects - at) * sizeof *all);
  s->projects = all;
  s->n_projects++;
  for (size_t i = 0; i < s->n_rows; i++)
    s->rows[i].project += s->rows[i].project >= at;
  count_projects(r);
  return at;
}

/* Updates the row from `now`. *same_projects false: it was the last one of an undeclared project,
 * which is gone. */
static void take_row(hm_recaller *r, hm_row_key key, const hm_snapshot *now, bool *same_projects) {
  hm_snapshot *s = r->snap;
  uint32_t from = hm_snapshot_row(now, key.layer, key.id),
           row = hm_snapshot_row(s, key.layer, key.id);
  bool is_new = row == HM_MAP_NONE, is_gone = from == HM_MAP_NONE;
  if (is_new && is_gone)
    return;
  uint32_t project = is_gone ? 0 : add_project(r, &now->projects[now->rows[from].project]), before;
  if (is_new)
    row = (uint32_t)(key.layer == HM_RELATION ? r->free_relation++ : r->free_text++);
  before = s->rows[row].project;
  if (!is_new)
    r->rows_of[before]--;
  if (!is_gone)
    r->rows_of[project]++;
  if (!is_new && !r->rows_of[before] && !s->projects[before].declared)
    *same_projects = false;
  if (row < r->index->n) {
    hm_recall_index_forget(r->index, row);
    r->hashes[row] = 0;
    r->changed[r->n_changed++] = row;
  }
  s->rows[row] = is_gone ? (hm_row){ 0 } : now->rows[from];
  s->details[row] = is_gone ? (hm_row_detail){ 0 } : now->details[from];
  if (is_gone)
    return;
  s->rows[row].project = project;
  if (is_new)
    hm_row_index_add(&s->by_id[key.layer], s->rows[row].id, row);
  if (row >= r->index->n)
    return;
  hm_recall_index_reread(r->index, row, r->a);
  r->hashes[row] = hm_str_hash(r->index->texts[row]);
}

static int take_rows(hm_recaller *r, hm_store *s, const hm_row_keys *keys, bool *same_projects,
                     hm_err *err) {
  hm_partial *p = hm_partial_new(s, true, r->a);
  hm_snapshot *now;
  for (size_t i = 0; i < keys->n; i++)
    hm_partial_want(p, keys->v[i].layer, keys->v[i].id);
  int rc = hm_partial_end(p, &now, err);
  hm_partial_free(p);
  if (rc)
    return -1;
  r->rows_read += now->n_rows;
  r->snap->now = now->now;
  for (size_t i = 0; i < keys->n; i++)
    take_row(r, keys->v[i], now, same_projects);
  return 0;
}

int hm_recaller_update(hm_recaller *r, hm_store *s, bool *current, hm_err *err) {
  hm_row_keys keys = { 0 };
  hm_log_stamp last;
  bool there = false, reliable;
  int rc = -1;
  *current = false;
  if (!r->stamped)
    return 0;
  if (hm_index_is_current(s, (hm_str){ 0 }, &reliable, err))
    return -1;
  if (!reliable)
    return 0;
  if (!hm_log_read_changed_rows(s, &r->stamp, r->room - r->taken, r->a, &keys, current, err) &&
      !(*current && hm_log_read_stamp(s, &last, &there, err)))
    rc = 0;
  *current = *current && there;
  if (!rc && *current) {
    r->taken += keys.n;
    r->stamp = last;
    rc = keys.n ? take_rows(r, s, &keys, current, err) : hm_store_now(s, &r->snap->now, err);
  }
  free(keys.v);
  return rc;
}

/* --- the index of words ------------------------------------------------------------------- */

int hm_recaller_read_word_index(hm_recaller *r, hm_store *s, hm_err *err) {
  hm_fts_rows rows = words_of(r);
  int rc;
  if (r->has_looked) {
    rc = hm_fts_compare_again(s, &rows, r->changed, r->n_changed, r->looked, &r->documents, err);
  } else {
    hm_arena_reset(r->looked);
    rc = hm_fts_compare(s, &rows, r->looked, &r->documents, err);
  }
  r->has_looked = !rc;
  r->n_changed = 0;
  return rc;
}

size_t hm_recaller_unindexed_rows(const hm_recaller *r) {
  const hm_fts_documents *d = &r->documents;
  if (!d->there || (d->built && d->n_missing <= WORTH_A_WRITE))
    return 0;
  return d->n_missing;
}

int hm_recaller_update_word_index(hm_recaller *r, hm_store *writer, hm_err *err) {
  hm_fts_rows rows = words_of(r);
  if (hm_store_begin(writer, true, err))
    return -1;
  if (hm_recaller_read_word_index(r, writer, err) ||
      hm_fts_update(writer, &rows, &r->documents, err)) {
    hm_store_rollback(writer);
    return -1;
  }
  return hm_store_commit(writer, err);
}
