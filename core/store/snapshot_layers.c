/* The four layers: each table read, in parts when it is large, then sorted by
 * id in memory and indexed. */
#include <stdlib.h>
#include <string.h>
#include "core/base/par.h"
#include "core/store/snapshot.h"

#define MAX_PARTS 8
/* Below this starting threads costs more than they save. */
#define WORTH_THREADS 20000

static const char *const COUNTS[] = {
  [HM_MEMORY] = "SELECT count(*) FROM memories", [HM_ENTITY] = "SELECT count(*) FROM entities",
  [HM_STATE] = "SELECT count(*) FROM project_state", [HM_RELATION] = "SELECT count(*) FROM relations",
};
static const char *const BOUNDS[][2] = {
  [HM_MEMORY] = { "SELECT min(rowid) FROM memories", "SELECT max(rowid) FROM memories" },
  [HM_ENTITY] = { "SELECT min(rowid) FROM entities", "SELECT max(rowid) FROM entities" },
  [HM_STATE] = { "SELECT min(rowid) FROM project_state", "SELECT max(rowid) FROM project_state" },
  [HM_RELATION] = { "SELECT min(rowid) FROM relations", "SELECT max(rowid) FROM relations" },
};

static int read_one(void *ctx, size_t i, int worker) {
  (void)worker;
  return hm_read_part(&((hm_part *)ctx)[i]);
}

void hm_adopt_part(hm_reader *r, hm_part *p) {
  uint32_t *number = hm_xmalloc((p->n_projects + 1) * sizeof *number);
  for (size_t i = 0; i < p->n_projects; i++) number[i] = hm_read_project(r, p->projects[i]);
  for (size_t i = 0; i < p->got; i++) p->rows[i].project = number[p->rows[i].project];
  hm_newest_merge(&r->newest, &p->newest);
  free(number);
}

static hm_part part_of(hm_reader *r, hm_layer layer, size_t at, size_t n) {
  return (hm_part){ .r = r, .s = r->s, .err = r->err, .layer = layer, .from = INT64_MIN, .to = INT64_MAX,
                    .rows = r->out->rows + at, .details = r->details ? r->out->details + at : NULL, .n = n };
}

static int read_whole(hm_reader *r, hm_layer layer, size_t n) {
  hm_part p = part_of(r, layer, r->out->first[layer], n);
  int rc = hm_read_part(&p);
  if (!rc) hm_adopt_part(r, &p);
  r->out->first[layer + 1] = r->out->first[layer] + p.got;
  free(p.projects);
  return rc;
}

/* Rows without a gap between their numbers, as imports leave them, tell each
 * part beforehand where its rows go. */
static bool is_dense(hm_reader *r, hm_layer layer, size_t n, int64_t *first) {
  int64_t last;
  return !hm_sql_int(r->s, BOUNDS[layer][0], first, NULL) && !hm_sql_int(r->s, BOUNDS[layer][1], &last, NULL) &&
         *first >= 0 && last - *first == (int64_t)n - 1;
}

/* False when the table has to be read whole: nothing was lost but time. */
static bool read_parts(hm_reader *r, hm_layer layer, size_t n) {
  hm_part parts[MAX_PARTS] = { 0 };
  hm_store *twins[MAX_PARTS] = { NULL };
  int cores = hm_par_cores(), k = cores < MAX_PARTS ? cores : MAX_PARTS;
  int64_t first;
  size_t failed;
  if (n < WORTH_THREADS || k < 2 || !is_dense(r, layer, n, &first)) return false;
  bool ok = true;
  for (int i = 0; i < k && ok; i++) {
    size_t from = n / (size_t)k * (size_t)i, to = i == k - 1 ? n : n / (size_t)k * (size_t)(i + 1);
    parts[i] = part_of(r, layer, r->out->first[layer] + from, to - from);
    parts[i].from = first + (int64_t)from;
    parts[i].to = first + (int64_t)to - 1;
    parts[i].err = NULL;
    if (i) ok = (parts[i].s = twins[i] = hm_store_twin(r->s)) != NULL;
  }
  ok = ok && hm_par_for((size_t)k, k, read_one, parts, &failed) == 0;
  for (int i = 0; i < k; i++) {
    ok = ok && parts[i].got == parts[i].n;
    hm_store_close(twins[i]);
  }
  for (int i = 0; i < k; i++) {
    if (ok) hm_adopt_part(r, &parts[i]);
    free(parts[i].projects);
  }
  r->out->first[layer + 1] = r->out->first[layer] + n;
  return ok;
}

#define LINE 64

static void fetch(const char *p, size_t size) {
  for (size_t i = 0; i < size; i += LINE) __builtin_prefetch(p + i);
}

/* items[i] = items[order[i]] for all i, each moved once, cycle by cycle. The
 * item after the next is on its way from memory while one is moved. */
static void permute(void *items, size_t size, const uint32_t *order, size_t n) {
  char held[sizeof(hm_row) > sizeof(hm_row_detail) ? sizeof(hm_row) : sizeof(hm_row_detail)], *p = items;
  bool *done = memset(hm_xmalloc(n), 0, n);
  for (size_t i = 0; i < n; i++) {
    if (done[i] || order[i] == i) continue;
    memcpy(held, p + i * size, size);
    size_t to = i;
    for (size_t from; (from = order[to]) != i; to = from) {
      fetch(p + (size_t)order[from] * size, size);
      memcpy(p + to * size, p + from * size, size);
      done[to] = true;
    }
    memcpy(p + to * size, held, size);
    done[to] = true;
  }
  free(done);
}

/* One layer's rows, read and unsorted. order: NULL when they are sorted already. */
typedef struct { hm_snapshot *out; hm_layer layer; size_t first, n; uint32_t *order; hm_str *ids; } unsorted;

static int order_layer(void *ctx, size_t i, int worker) {
  unsorted *u = (unsorted *)ctx + i;
  (void)worker;
  for (size_t k = 0; k < u->n; k++) u->ids[k] = u->out->rows[u->first + k].id;
  if (u->n && hm_sort_order(u->ids, sizeof *u->ids, u->n, u->order)) return 0;
  free(u->order);
  u->order = NULL;
  return 0;
}

static void index_layer(const unsorted *u) {
  for (size_t i = 0; i < u->n; i++) hm_map_add(&u->out->by_id[u->layer], u->ids[u->order ? u->order[i] : i], (uint32_t)(u->first + i));
}

enum { INDEX, MOVE_ROWS, MOVE_DETAILS, N_TASKS };

/* The tasks of a layer share nothing but the order and a copy of the ids. */
static int sort_task(void *ctx, size_t i, int worker) {
  const unsorted *u = (const unsorted *)ctx + i % HM_RELATION;
  size_t task = i / HM_RELATION;
  (void)worker;
  if (task == INDEX) index_layer(u);
  else if (task == MOVE_ROWS && u->order) permute(u->out->rows + u->first, sizeof(hm_row), u->order, u->n);
  else if (task == MOVE_DETAILS && u->order && u->out->details) permute(u->out->details + u->first, sizeof(hm_row_detail), u->order, u->n);
  return 0;
}

/* All layers at once, so that the largest has a core to itself. */
void hm_sort_rows(hm_reader *r) {
  hm_snapshot *out = r->out;
  unsorted layers[HM_RELATION];
  size_t failed;
  int threads = out->n_rows < WORTH_THREADS ? 1 : hm_par_cores();
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    size_t first = out->first[l], n = out->first[l + 1] - first;
    hm_map_init(&out->by_id[l], r->a, n);
    layers[l - HM_MEMORY] = (unsorted){ out, (hm_layer)l, first, n, hm_xmalloc(n * sizeof(uint32_t)), hm_xmalloc(n * sizeof(hm_str)) };
  }
  hm_par_for(HM_RELATION, threads, order_layer, layers, &failed);
  hm_par_for(N_TASKS * HM_RELATION, threads, sort_task, layers, &failed);
  for (size_t i = 0; i < HM_RELATION; i++) {
    free(layers[i].order);
    free(layers[i].ids);
  }
}

int hm_read_rows(hm_reader *r) {
  hm_snapshot *out = r->out;
  size_t counts[HM_RELATION + 1], total = 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    if (hm_read_count(r, COUNTS[l], &counts[l])) return -1;
    total += counts[l];
  }
  if (total >= HM_MAP_NONE) return hm_fail(r->err, HM_E_STORE, r->s->what, "it holds more than 4 billion rows", "split it");
  out->rows = hm_alloc_array(r->a, total, sizeof *out->rows);
  if (r->details) out->details = hm_alloc_array(r->a, total, sizeof *out->details);
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    if (!read_parts(r, (hm_layer)l, counts[l]) && read_whole(r, (hm_layer)l, counts[l])) return -1;
  out->n_rows = out->first[HM_RELATION + 1];
  hm_sort_rows(r);
  return 0;
}
