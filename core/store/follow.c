#include "core/store/follow.h"
#include <stdlib.h>
#include <string.h>
#include "core/store/partial.h"
#include "core/store/snapshot.h"
#include "core/store/splice.h"
#include "core/store/trace.h"

enum {
  SPARE = 4096,            /* rows that are added before all are read anew */
  ROWS_MAX = 1000,         /* of one reading */
  CONFLICTS_MAX = 200,
  OLD_MAX = 8 << 20        /* bytes of texts that nobody shows any more: so much, and a quarter of all, is kept */
};

struct hm_follow {
  hm_arena *a;             /* rows and all that they are read with */
  hm_arena *found;         /* recorded conflicts */
  hm_arena *round;         /* what is read each time */
  hm_reader r;
  hm_snapshot snap;
  hm_newest facts;         /* newest time of facts, without verdicts */
  hm_trace at;             /* not known: nothing holds */
  size_t room;             /* for rows */
  size_t held;             /* by a, when all was read */
  size_t found_held;       /* by found, likewise */
  hm_conflict_rec *merged; /* the conflicts, once some were changed; malloc */
};

hm_follow *hm_follow_new(void) {
  hm_follow *f = memset(hm_xmalloc(sizeof *f), 0, sizeof *f);
  f->a = hm_arena_new();
  f->found = hm_arena_new();
  f->round = hm_arena_new();
  return f;
}

size_t hm_follow_held(const hm_follow *f) { return hm_arena_held(f->a) + hm_arena_held(f->found) + hm_arena_held(f->round); }

void hm_follow_free(hm_follow *f) {
  if (!f) return;
  hm_arena_free(f->a);
  hm_arena_free(f->found);
  hm_arena_free(f->round);
  free(f->merged);
  free(f->r.projects);
  free(f);
}

/* --- everything ------------------------------------------------------------------ */

static int read_facts(hm_follow *f, hm_store *s, hm_err *err) {
  hm_arena_free(f->a);
  free(f->r.projects);
  f->a = hm_arena_new();
  f->snap = (hm_snapshot){ 0 };
  f->r = (hm_reader){ .s = s, .a = f->a, .details = true, .out = &f->snap, .err = err, .newest = { .t = HM_TIME_MIN },
                      .lock = PTHREAD_MUTEX_INITIALIZER, .spare = SPARE };
  if (hm_read_facts(&f->r)) return -1;
  f->room = f->snap.n_rows + SPARE;
  hm_snapshot_sum(&f->snap, SPARE, 0, f->a);
  f->facts = f->r.newest;
  f->held = hm_arena_held(f->a);
  return 0;
}

/* Texts that nobody shows any more are kept until there are too many of them. */
static bool is_full(const hm_arena *a, size_t held) { return hm_arena_held(a) - held > held / 4 + OLD_MAX; }

static int read_conflicts(hm_follow *f, hm_store *s, hm_err *err) {
  hm_arena_reset(f->found);
  free(f->merged);
  f->merged = NULL;
  f->snap.n_conflicts = 0;
  f->r.s = s;
  f->r.err = err;
  f->r.a = f->found;
  int rc = hm_read_conflicts(&f->r);
  f->found_held = hm_arena_held(f->found);
  return rc;
}

/* Findings are in no journal, and few. */
static int read_rest(hm_follow *f, hm_store *s, hm_err *err) {
  f->snap.n_findings = 0;
  f->r.s = s;
  f->r.err = err;
  f->r.a = f->round;
  f->r.newest = f->facts;
  for (size_t i = 0; i < f->snap.n_conflicts; i++)
    if (f->snap.conflicts[i].status != HM_OPEN) hm_newest_add(&f->r.newest, f->snap.conflicts[i].resolved_at);
  return hm_read_findings(&f->r) ? -1 : hm_read_end(&f->r);
}

/* --- news ------------------------------------------------------------------------------ */

uint32_t hm_row_moved(uint32_t row, const uint32_t *inserted, size_t n) {
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (inserted[mid] - mid <= row) lo = mid + 1;
    else hi = mid;
  }
  return row + (uint32_t)lo;
}

/* --- some conflicts ------------------------------------------------------------------ */

static int by_slot(const hm_conflict_rec *a, const hm_conflict_rec *b) {
  int c = hm_str_cmp(a->slot_key, b->slot_key);
  return c ? c : hm_str_cmp(a->id, b->id);
}

/* Those that changed instead of what they were; both lists are in order. */
static void merge_conflicts(hm_follow *f, const hm_map *changed, const hm_snapshot *now) {
  hm_snapshot *snap = &f->snap;
  hm_conflict_rec *all = hm_xmalloc((snap->n_conflicts + now->n_conflicts + 1) * sizeof *all);
  size_t n = 0, k = 0;
  for (size_t i = 0; i < snap->n_conflicts; i++) {
    if (hm_map_get(changed, snap->conflicts[i].id) != HM_MAP_NONE) continue;
    while (k < now->n_conflicts && by_slot(&now->conflicts[k], &snap->conflicts[i]) < 0) all[n++] = now->conflicts[k++];
    all[n++] = snap->conflicts[i];
  }
  while (k < now->n_conflicts) all[n++] = now->conflicts[k++];
  free(f->merged);
  snap->conflicts = f->merged = all;
  snap->n_conflicts = n;
}

static int read_some_conflicts(hm_follow *f, hm_store *s, const hm_row_keys *ids, bool *fits, hm_err *err) {
  hm_partial *partial = hm_partial_new(s, false, f->found);
  hm_str *once = hm_alloc_array(f->round, ids->n + 1, sizeof *once);
  hm_map changed;
  hm_map_init(&changed, f->round, ids->n);
  for (size_t i = 0; i < ids->n; i++) {
    size_t had = changed.n;
    hm_map_add(&changed, ids->v[i].id, 0);
    if (changed.n > had) once[had] = ids->v[i].id;
  }
  int rc = hm_partial_conflicts_of(partial, once, changed.n, err);
  const hm_snapshot *now = hm_partial_snapshot(partial);
  *fits = !rc && now->n_conflicts == changed.n;
  if (*fits) merge_conflicts(f, &changed, now);
  hm_partial_free(partial);
  return rc;
}

static int follow_conflicts(hm_follow *f, hm_store *s, const hm_row_keys *ids, hm_err *err) {
  bool fits = ids->n <= CONFLICTS_MAX && !is_full(f->found, f->found_held);
  if (fits && ids->n && read_some_conflicts(f, s, ids, &fits, err)) return -1;
  return fits ? 0 : read_conflicts(f, s, err);
}

/* --- some rows --------------------------------------------------------------------- */

typedef struct {
  hm_follow *f;
  hm_snapshot *part;       /* the changed rows as they are now */
  hm_splice inserts;
  hm_follow_news *news;
  bool older;              /* the newest time may have gone */
  bool moves;              /* a row goes from one project to another, which may then be nobody's */
} patch;

static uint32_t project_in(const hm_snapshot *s, hm_str id) {
  size_t lo = 0, hi = s->n_projects;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (hm_str_cmp(s->projects[mid].id, id) < 0) lo = mid + 1;
    else hi = mid;
  }
  return lo < s->n_projects && hm_str_eq(s->projects[lo].id, id) ? (uint32_t)lo : HM_MAP_NONE;
}

/* False when a row is of a project that the snapshot does not have. */
static bool number_projects(patch *p) {
  uint32_t *number = hm_alloc_array(p->f->round, p->part->n_projects + 1, sizeof *number);
  for (size_t i = 0; i < p->part->n_projects; i++) number[i] = project_in(&p->f->snap, p->part->projects[i].id);
  for (size_t i = 0; i < p->part->n_rows; i++) {
    hm_row *row = &p->part->rows[i];
    row->project = number[row->project];
    if (row->project == HM_MAP_NONE) return false;
  }
  return true;
}

static hm_newest newest_of(const hm_snapshot *s, size_t row) {
  hm_newest n = { .t = HM_TIME_MIN };
  hm_newest_add(&n, s->rows[row].created_at);
  hm_newest_add(&n, s->details[row].updated_at);
  hm_newest_add(&n, s->details[row].superseded_at);
  return n;
}

static bool refers_as_before(const hm_row *was, const hm_row *now) {
  const hm_str refs[][2] = { { was->superseded_by, now->superseded_by }, { was->graduated_to, now->graduated_to },
                             { was->from, now->from }, { was->to, now->to } };
  bool any = now->layer == HM_RELATION, same = true;
  for (size_t i = 0; i < sizeof refs / sizeof *refs; i++) {
    same = same && hm_str_eq(refs[i][0], refs[i][1]);
    any = any || refs[i][1].n;
  }
  return same && (!any || was->status == now->status);
}

static void update(patch *p, uint32_t at, size_t i) {
  hm_snapshot *snap = &p->f->snap;
  const hm_row *now = &p->part->rows[i], *was = &snap->rows[at];
  hm_newest before = newest_of(snap, at), after = newest_of(p->part, i);
  p->older |= before.t == p->f->facts.t && after.t < before.t;
  hm_newest_merge(&p->f->facts, &after);
  p->moves |= now->project != was->project;
  p->news->names |= now->layer == HM_ENTITY && !hm_str_eq(now->name, was->name);
  p->news->refers |= !refers_as_before(was, now);
  p->news->types |= now->layer == HM_ENTITY && !hm_str_eq(now->type, was->type);
  snap->rows[at] = *now;
  snap->details[at] = p->part->details[i];
  p->news->updated[p->news->n_updated++] = at;
}

static void sort_out(patch *p) {
  for (size_t i = 0; i < p->part->n_rows; i++) {
    const hm_row *row = &p->part->rows[i];
    uint32_t at = hm_snapshot_row(&p->f->snap, row->layer, row->id);
    if (at != HM_MAP_NONE) {
      update(p, at, i);
      continue;
    }
    hm_newest n = newest_of(p->part, i);
    hm_newest_merge(&p->f->facts, &n);
    p->news->names |= row->layer == HM_ENTITY;
    hm_splice_add(&p->inserts, &p->f->snap, row, &p->part->details[i]);
  }
}

/* Updated rows have moved with what was put in before them. */
static void number_news(patch *p) {
  hm_follow_news *n = p->news;
  for (size_t i = 0; i < n->n_updated; i++) n->updated[i] = hm_splice_moved(&p->inserts, n->updated[i]);
  n->n_inserted = p->inserts.n;
  for (size_t i = 0; i < p->inserts.n; i++) n->inserted[i] = p->inserts.at[i] + (uint32_t)i;
}

static void find_newest(hm_follow *f) {
  f->facts = (hm_newest){ .t = HM_TIME_MIN };
  for (size_t i = 0; i < f->snap.n_projects; i++) {
    hm_newest_add(&f->facts, f->snap.projects[i].created_at);
    hm_newest_add(&f->facts, f->snap.projects[i].updated_at);
  }
  for (size_t i = 0; i < f->snap.n_rows; i++) {
    hm_newest_add(&f->facts, f->snap.rows[i].created_at);
    hm_newest_add(&f->facts, f->snap.details[i].updated_at);
    hm_newest_add(&f->facts, f->snap.details[i].superseded_at);
  }
}

static void take_in(patch *p) {
  hm_snapshot *snap = &p->f->snap;
  const hm_follow_news *n = p->news;
  number_news(p);
  hm_snapshot_rows_inserted(snap, n->inserted, n->n_inserted);
  hm_snapshot_rows_changed(snap, n->updated, n->n_updated);
  if (p->older) find_newest(p->f);
}

static void begin_news(patch *p, size_t n) {
  p->news->updated = hm_alloc_array(p->f->round, n + 1, sizeof(uint32_t));
  p->news->inserted = hm_alloc_array(p->f->round, n + 1, sizeof(uint32_t));
  hm_splice_begin(&p->inserts, n, p->f->round);
}

/* False: all has to be read. */
static bool put_in(patch *p, size_t wanted) {
  if (p->part->n_rows != wanted || !number_projects(p)) return false;
  begin_news(p, wanted);
  sort_out(p);
  if (p->moves || !hm_splice_end(&p->inserts, &p->f->snap, p->f->room)) return false;
  take_in(p);
  return true;
}

static int read_rows(hm_follow *f, hm_store *s, const hm_row_keys *rows, hm_follow_news *news, bool *fits, hm_err *err) {
  hm_partial *partial = hm_partial_new(s, true, f->round);
  patch p = { .f = f, .news = news };
  hm_partial_texts(partial, f->a);
  for (size_t i = 0; i < rows->n; i++) hm_partial_want(partial, rows->v[i].layer, rows->v[i].id);
  int rc = hm_partial_end(partial, &p.part, err);
  *fits = !rc && put_in(&p, hm_partial_wanted(partial));
  hm_partial_free(partial);
  return rc;
}

/* *fits: what changed is known and in the snapshot. */
static int go_on(hm_follow *f, hm_store *s, const hm_trace *now, hm_follow_news *news, bool *fits, hm_err *err) {
  hm_trace_changes changes = { 0 };
  *fits = false;
  if (!f->at.known || !now->known || is_full(f->a, f->held)) return 0;
  int rc = hm_trace_told(s, &f->at, now, ROWS_MAX, f->round, &changes, fits, err);
  if (!rc && *fits && changes.rows.n) rc = read_rows(f, s, &changes.rows, news, fits, err);
  if (!rc && *fits) rc = follow_conflicts(f, s, &changes.conflicts, err);
  free(changes.rows.v);
  free(changes.conflicts.v);
  return rc;
}

/* --- both ----------------------------------------------------------------------------- */

static int read_changes(hm_follow *f, hm_store *s, const hm_trace *now, hm_follow_news *news, hm_err *err) {
  bool fits;
  hm_arena_reset(f->round);
  if (go_on(f, s, now, news, &fits, err)) return -1;
  if (!fits) {
    *news = (hm_follow_news){ .all = true };
    if (read_facts(f, s, err) || read_conflicts(f, s, err)) return -1;
  }
  return read_rest(f, s, err);
}

static int read_now(hm_follow *f, hm_store *s, hm_follow_news *news, hm_err *err) {
  hm_trace now;
  *news = (hm_follow_news){ 0 };
  if (hm_trace_read(s, &now, err)) return -1;
  if (hm_trace_same(&f->at, &now)) return 0;
  int rc = read_changes(f, s, &now, news, err);
  f->at = rc ? (hm_trace){ 0 } : now;
  return rc;
}

int hm_follow_read(hm_follow *f, hm_store *s, hm_snapshot *out, hm_follow_news *news, hm_err *err) {
  bool mine;
  if (hm_sql_txn(s, false, &mine, err)) return -1;
  int rc = hm_sql_txn_end(s, mine, read_now(f, s, news, err), err);
  if (rc) f->at = (hm_trace){ 0 };
  else *out = f->snap;
  return rc;
}

void hm_follow_settle(hm_follow *f, hm_store *s) {
  hm_trace now;
  hm_err ignored;
  if (!f->at.known || hm_store_begin(s, false, &ignored)) return;
  if (!hm_trace_read(s, &now, &ignored) && hm_trace_one_run_on(&f->at, &now)) f->at = now;
  hm_store_rollback(s);
}
