/* A snapshot: the whole store at one instant, in memory.
 *
 * The four layers are most of it. They are read on all cores when they are large and a second
 * connection sees the same state (hm_store_second_reader), each in parts or, where rows have
 * no numbers, as a whole; then they are sorted by id in memory and indexed. */
#include "core/store/line_commits.h"
#include "core/store/remarks.h"
#include "core/record/records.h"
#include "core/store/snapshot_impl.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/sort.h"

enum { MAX_THREADS = 8, PARTS = 8, LAYERS = HM_RELATION };
/* Below this many rows starting threads costs more than they save. */
#define WORTH_THREADS 20000

#define TABLE_OF(table)                                                                            \
  {                                                                                                \
    "SELECT count(1) FROM " table, "SELECT min(rowid) FROM " table,                                \
        "SELECT (SELECT max(rowid) FROM " table ") - (SELECT min(rowid) FROM " table ") + 1"       \
  }
static const struct {
  const char *count, *first, *span;
} SQL[] = {
  [HM_MEMORY] = TABLE_OF("memories"),
  [HM_ENTITY] = TABLE_OF("entities"),
  [HM_STATE] = TABLE_OF("project_state"),
  [HM_RELATION] = TABLE_OF("relations"),
};

/* --- the tables, in parts --------------------------------------------------------------- */

static void adopt_part(hm_snapshot_reader *r, hm_table_part *p) {
  uint32_t *number = hm_xmalloc((p->n_projects + 1) * sizeof *number);
  for (size_t i = 0; i < p->n_projects; i++)
    number[i] = hm_read_project(r, p->projects[i]);
  for (size_t i = 0; i < p->got; i++)
    p->rows[i].project = number[p->rows[i].project];
  hm_newest_merge(&r->newest, &p->newest);
  free(number);
}

static hm_table_part part_of(hm_snapshot_reader *r, hm_layer layer, size_t at, size_t n) {
  return (hm_table_part){ .r = r,
                          .s = r->s,
                          .err = r->err,
                          .layer = layer,
                          .from = INT64_MIN,
                          .to = INT64_MAX,
                          .rows = r->out->rows + at,
                          .details = r->details ? r->out->details + at : NULL,
                          .n = n };
}

static int make_room(hm_snapshot_reader *r, size_t total) {
  if (total >= HM_MAP_NONE)
    return hm_fail(r->err, HM_E_STORE, r->s->what, "it holds more than 4 billion rows", "split it");
  r->out->rows = hm_alloc_array(r->a, total, sizeof *r->out->rows);
  if (r->details)
    r->out->details = hm_alloc_array(r->a, total, sizeof *r->out->details);
  return 0;
}

/* All tables at once. Each is either divided into parts by row numbers, so that each part knows
 * beforehand where its rows go, or is one part, for any row numbers. */
typedef struct {
  bool whole;
  int64_t first[HM_RELATION + 1];
  size_t room[HM_RELATION + 1], total;
  hm_table_part parts[PARTS * HM_RELATION];
  size_t n;
  hm_err errs[HM_RELATION + 1]; /* of whole tables */
  hm_store *connections[MAX_THREADS];
  int n_connections;
} division;

/* False when rows have no numbers, or these have such gaps that there is not room for all of
 * them. */
static bool find_bounds(hm_snapshot_reader *r, division *d) {
  int64_t most = hm_sql_most_rows(r->s), span;
  if (most < 0)
    return false;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    if (hm_sql_int(r->s, SQL[l].first, &d->first[l], NULL) ||
        hm_sql_int(r->s, SQL[l].span, &span, NULL))
      return false;
    if (span < 0 || span > most || d->first[l] < 0)
      return false;
    most -= span;
    d->room[l] = (size_t)span;
    d->total += (size_t)span;
  }
  return true;
}

static int count_rows(hm_snapshot_reader *r, division *d) {
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    int64_t count;
    if (hm_sql_int(r->s, SQL[l].count, &count, r->err))
      return -1;
    d->room[l] = (size_t)count;
    d->total += (size_t)count;
  }
  return 0;
}

static void connect_all(hm_snapshot_reader *r, division *d) {
  int wanted = d->total < WORTH_THREADS ? 1 : hm_par_cores();
  d->connections[d->n_connections++] = r->s;
  while (d->n_connections < wanted && d->n_connections < MAX_THREADS) {
    hm_store *twin = hm_store_second_reader(r->s);
    if (!twin)
      return;
    d->connections[d->n_connections++] = twin;
  }
}

/* Reads one part even of an empty table, to report foreign columns. */
static void divide(hm_snapshot_reader *r, division *d) {
  size_t pieces = d->n_connections > 1 && !d->whole ? PARTS : 1, at = 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; at += d->room[l++])
    for (size_t i = 0; i < pieces; i++) {
      size_t from = d->room[l] * i / pieces, to = d->room[l] * (i + 1) / pieces;
      if (from == to && i)
        continue;
      hm_table_part *p = &d->parts[d->n++];
      *p = part_of(r, (hm_layer)l, at + from, to - from);
      p->err = d->whole ? &d->errs[l] : NULL;
      if (d->whole)
        continue;
      p->from = d->first[l] + (int64_t)from;
      p->to = d->first[l] + (int64_t)to - 1;
    }
}

static int read_one(void *ctx, size_t i, int worker) {
  division *d = ctx;
  d->parts[i].s = d->connections[worker];
  return hm_read_part(&d->parts[i]);
}

/* The parts in their order, without the gaps that numbers without a row left. */
static void close_gaps(hm_snapshot_reader *r, division *d) {
  hm_snapshot *out = r->out;
  size_t at = 0, i = 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    out->first[l] = at;
    for (; i < d->n && d->parts[i].layer == (hm_layer)l; i++) {
      hm_table_part *p = &d->parts[i];
      adopt_part(r, p);
      if (p->rows != out->rows + at) {
        memmove(out->rows + at, p->rows, p->got * sizeof *out->rows);
        if (p->details)
          memmove(out->details + at, p->details, p->got * sizeof *out->details);
      }
      at += p->got;
    }
  }
  out->first[HM_RELATION + 1] = at;
}

/* Returns -1 with whole false if the tables must be read whole instead; only time is lost. */
static int read_tables(hm_snapshot_reader *r, bool whole) {
  division d = { .whole = whole };
  size_t failed = 0;
  if (whole ? count_rows(r, &d) : !find_bounds(r, &d))
    return -1;
  if (make_room(r, d.total))
    return -1;
  connect_all(r, &d);
  divide(r, &d);
  if (d.n_connections > 1)
    hm_sql_set_cache_size(r->s, true);
  int rc = hm_par_for(d.n, d.n_connections, read_one, &d, &failed);
  if (rc && whole)
    *r->err = *d.parts[failed].err;
  if (d.n_connections > 1)
    hm_sql_set_cache_size(r->s, false);
  for (int i = 1; i < d.n_connections; i++)
    hm_store_close(d.connections[i]);
  if (!rc)
    close_gaps(r, &d);
  for (size_t i = 0; i < d.n; i++)
    free(d.parts[i].projects);
  return rc;
}

/* --- in the order of ids ------------------------------------------------------------------ */

/* items[i] = items[order[i]] for all i, each moved once, cycle by cycle. The
 * item after the next is on its way from memory while one is moved. */
static void permute(void *items, size_t size, const uint32_t *order, size_t n) {
  char held[sizeof(hm_row) > sizeof(hm_row_detail) ? sizeof(hm_row) : sizeof(hm_row_detail)],
      *p = items;
  bool *done = memset(hm_xmalloc(n), 0, n);
  for (size_t i = 0; i < n; i++) {
    if (done[i] || order[i] == i)
      continue;
    memcpy(held, p + i * size, size);
    size_t to = i;
    for (size_t from; (from = order[to]) != i; to = from) {
      for (size_t k = 0; k < size; k += 64) /* a line of the cache */
        __builtin_prefetch(p + (size_t)order[from] * size + k);
      memcpy(p + to * size, p + from * size, size);
      done[to] = true;
    }
    memcpy(p + to * size, held, size);
    done[to] = true;
  }
  free(done);
}

/* One layer's rows, read and unsorted. order: NULL when they are sorted already. */
typedef struct {
  hm_snapshot *out;
  hm_layer layer;
  size_t first, n;
  uint32_t *order;
  hm_str *ids;
} unsorted;

static int order_layer(void *ctx, size_t i, int worker) {
  unsorted *u = (unsorted *)ctx + i;
  (void)worker;
  for (size_t k = 0; k < u->n; k++)
    u->ids[k] = u->out->rows[u->first + k].id;
  if (u->n && hm_strs_order(u->ids, sizeof *u->ids, u->n, u->order))
    return 0;
  free(u->order);
  u->order = NULL;
  return 0;
}

/* In the order of the file, in which the ids are near each other in memory. */
static void index_layer(const unsorted *u) {
  uint32_t *rank = u->order ? hm_xmalloc(u->n * sizeof *rank) : NULL;
  for (size_t i = 0; rank && i < u->n; i++)
    rank[u->order[i]] = (uint32_t)i;
  for (size_t i = 0; i < u->n; i++)
    hm_row_index_add(&u->out->by_id[u->layer], u->ids[i],
                     (uint32_t)(u->first + (rank ? rank[i] : i)));
  free(rank);
}

enum { INDEX, MOVE_ROWS, MOVE_DETAILS, N_TASKS };

/* The tasks of a layer share nothing but the order and a copy of the ids. */
static int sort_task(void *ctx, size_t i, int worker) {
  const unsorted *u = (const unsorted *)ctx + i % HM_RELATION;
  size_t task = i / HM_RELATION;
  (void)worker;
  if (task == INDEX)
    index_layer(u);
  else if (task == MOVE_ROWS && u->order)
    permute(u->out->rows + u->first, sizeof(hm_row), u->order, u->n);
  else if (task == MOVE_DETAILS && u->order && u->out->details)
    permute(u->out->details + u->first, sizeof(hm_row_detail), u->order, u->n);
  return 0;
}

/* All layers at once, so that the largest has a core to itself. */
static void sort_rows(hm_snapshot_reader *r) {
  hm_snapshot *out = r->out;
  unsorted layers[HM_RELATION];
  size_t failed;
  int threads = out->n_rows < WORTH_THREADS ? 1 : hm_par_cores();
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    size_t first = out->first[l], n = out->first[l + 1] - first;
    hm_row_index_init(&out->by_id[l], r->a, n);
    layers[l - HM_MEMORY] = (unsorted){
      out, (hm_layer)l, first, n, hm_xmalloc(n * sizeof(uint32_t)), hm_xmalloc(n * sizeof(hm_str))
    };
  }
  hm_par_for(HM_RELATION, threads, order_layer, layers, &failed);
  hm_par_for(N_TASKS * HM_RELATION, threads, sort_task, layers, &failed);
  for (size_t i = 0; i < HM_RELATION; i++) {
    free(layers[i].order);
    free(layers[i].ids);
  }
}

/* --- the whole ---------------------------------------------------------------------------- */

static int read_rows(hm_snapshot_reader *r) {
  const hm_snapshot *out = r->out;
  if (read_tables(r, false) && read_tables(r, true))
    return -1;
  r->out->n_rows = out->first[HM_RELATION + 1];
  sort_rows(r);
  /* Our own tables see to it themselves that ids are unique. */
  for (size_t i = 1; r->s->theirs && i < out->n_rows; i++) {
    const hm_row *a = &out->rows[i - 1], *b = &out->rows[i];
    if (a->layer == b->layer && hm_str_eq(a->id, b->id))
      return hm_fail_duplicate_row(r->s, hm_layer_name(a->layer), a->id, r->err);
  }
  return 0;
}

static int read_all(hm_snapshot_reader *r) {
  if (hm_read_projects(r) || read_rows(r))
    return -1;
  hm_read_projects_end(r);
  r->out->now = hm_now_of(r->s, r->newest.t);
  r->out->ahead = r->newest.ahead;
  if (hm_read_namesakes(r) || hm_read_evidence(r) || hm_read_links(r) || hm_read_conflicts(r) ||
      hm_read_findings(r))
    return -1;
  if (r->details && hm_line_commits_read(r->s, r->a, &r->out->commits, &r->out->n_commits, r->err))
    return -1;
  if (hm_read_remarks(r) ||
      hm_proposals_read(r->s, r->a, &r->out->proposals, &r->out->n_proposals, r->err))
    return -1;
  hm_newest_merge(&r->newest, &r->verdicts);
  r->out->newest = hm_time_iso(r->a, r->newest.t);
  r->out->digest = HM_EMPTY;
  return 0;
}

int hm_store_snapshot(hm_store *s, hm_arena *a, bool details, hm_snapshot **out, hm_err *err) {
  hm_snapshot *snap = hm_alloc(a, sizeof *snap);
  hm_snapshot_reader r = { .s = s,
                           .a = a,
                           .details = details,
                           .out = snap,
                           .err = err,
                           .verdicts = hm_newest_before(HM_TIME_MAX),
                           .lock = PTHREAD_MUTEX_INITIALIZER };
  bool mine;
  if (hm_store_txn(s, false, &mine, err))
    return -1;
  r.newest = hm_newest_before(hm_clock_limit(s));
  bool was_on = hm_sql_limit_begin(s); /* a writer's reading is bounded, too */
  int rc = read_all(&r);
  hm_sql_limit_end(s, was_on);
  rc = hm_store_txn_end(s, mine, rc, err);
  free(r.projects);
  if (!rc)
    *out = snap;
  return rc;
}

/* --- some rows ---------------------------------------------------------------------------- */

static int by_name(const void *x, const void *y) {
  const hm_row_name *a = x, *b = y;
  if (a->layer != b->layer)
    return a->layer < b->layer ? -1 : 1;
  return hm_str_cmp(a->id, b->id);
}

/* names: sorted. */
static int read_named(hm_snapshot_reader *r, const hm_row_name *names, size_t n) {
  hm_str *ids = hm_alloc_array(r->a, n, sizeof *ids);
  size_t k = 0, at = 0;
  if (make_room(r, n))
    return -1;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    size_t first = 0;
    r->out->first[l] = at;
    for (; k < n && names[k].layer == (hm_layer)l; k++)
      if (!first || !hm_str_eq(ids[first - 1], names[k].id))
        ids[first++] = names[k].id;
    if (!first)
      continue;
    hm_table_part p = part_of(r, (hm_layer)l, at, first);
    p.ids = ids;
    int rc = hm_read_part(&p);
    if (!rc)
      adopt_part(r, &p);
    free(p.projects);
    if (rc)
      return -1;
    at += p.got;
  }
  r->out->n_rows = r->out->first[HM_RELATION + 1] = at;
  sort_rows(r);
  return 0;
}

int hm_store_read_rows(hm_store *s, const hm_row_name *names, size_t n, hm_arena *a,
                       hm_snapshot **out, hm_err *err) {
  hm_snapshot *snap = hm_alloc(a, sizeof *snap);
  hm_snapshot_reader r = {
    .s = s, .a = a, .details = true, .out = snap, .err = err, .lock = PTHREAD_MUTEX_INITIALIZER
  };
  hm_row_name *sorted = hm_alloc_array(a, n, sizeof *sorted);
  bool mine;
  if (n)
    memcpy(sorted, names, n * sizeof *sorted);
  if (n)
    qsort(sorted, n, sizeof *sorted, by_name);
  if (hm_store_txn(s, false, &mine, err))
    return -1;
  r.newest = hm_newest_before(hm_clock_limit(s));
  int rc = hm_read_projects(&r) || read_named(&r, sorted, n) || hm_read_evidence(&r) ? -1 : 0;
  rc = hm_store_txn_end(s, mine, rc, err);
  if (!rc) {
    hm_read_projects_end(&r);
    snap->now = hm_now_of(s, r.newest.t);
    snap->ahead = r.newest.ahead;
    *out = snap;
  }
  free(r.projects);
  return rc;
}
