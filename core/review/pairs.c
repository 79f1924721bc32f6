/* Pairs to judge: pairs.h. */
#include "core/review/pairs.h"

#include <stdlib.h>

#include "core/base/par.h"
#include "core/base/text.h"
#include "core/claim/judged.h"
#include "core/detect/conflict.h"
#include "core/recall/recall.h"
#include "core/record/given.h"
#include "core/slot/similar_groups.h"

enum { DAY = 10, SOURCE_SHOWN = 80 }; /* bytes */
enum { CHUNK = 64, TOGETHER = 32 /* rows of a finding whose pairs are known */ };
static const double DIFFERS = 0.2; /* how much likelier a pair is whose values differ */
static const double AS_NEAR = 0.6;

/* --- what was said of pairs ------------------------------------------------------------------- */

typedef struct {
  hm_map by_person, by_agent; /* "x y" of rows; findings, too; of agents the index in proposals */
} said;

static hm_str pair_key(uint32_t x, uint32_t y, hm_arena *a) {
  return hm_str_fmt(a, "%u %u", x < y ? x : y, x < y ? y : x);
}

static void add_pairs(hm_map *to, const hm_snapshot *snap, const hm_str *refs, size_t n,
                      uint32_t value, hm_arena *a) {
  for (size_t k = 0; k < n; k++)
    for (size_t m = 0; m < k; m++)
      hm_map_add(to,
                 pair_key(hm_snapshot_ref(snap, HM_MEMORY, refs[k]),
                          hm_snapshot_ref(snap, HM_MEMORY, refs[m]), a),
                 value);
}

static said read_said(const hm_sweep *w, hm_str asker, hm_arena *a) {
  const hm_snapshot *snap = w->snap;
  said s;
  hm_map_init(&s.by_person, a, 0);
  hm_map_init(&s.by_agent, a, 0);
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *p = &snap->proposals[i];
    bool denial = hm_str_is(p->says, HM_SAYS_AGREES);
    if (hm_str_is(p->says, HM_SAYS_WITHDRAWN) || p->taken_back || !hm_proposal_holds(snap, p, a))
      continue;
    bool of_others = denial && p->via.n && !(asker.n && hm_str_eq(p->by, asker));
    add_pairs(of_others ? &s.by_agent : &s.by_person, snap, p->rows, p->n, (uint32_t)i, a);
  }
  for (size_t i = 0; i < w->n_findings; i++)
    if (w->findings[i].n_rows <= TOGETHER)
      add_pairs(&s.by_person, snap, w->findings[i].rows, w->findings[i].n_rows, 0, a);
  return s;
}

/* --- the nearest of each row ---------------------------------------------------------------------
 */

typedef struct {
  const hm_sweep *w;
  const hm_vector *vectors;
  hm_pair_to_judge (*near)[HM_ALIKE_MOST]; /* of each row */
  size_t *n;
  const uint32_t *rows;
  size_t n_rows;
} looking;

/* How many of the rows near to one are as near as v[at], or nearly. */
static size_t count_as_near(const hm_alike_row *v, size_t n, size_t at) {
  size_t as_near = 0;
  for (size_t i = 0; i < n; i++)
    as_near += v[i].likeness >= AS_NEAR * v[at].likeness;
  return as_near;
}

/* Rows that are as near to many others are of one form and about different things. */
static hm_pair_to_judge pair_of(uint32_t x, const hm_alike_row *v, size_t n, size_t at) {
  const hm_alike_row *near = &v[at];
  double likely = near->likeness + (near->differs.kind ? DIFFERS : 0);
  return (hm_pair_to_judge){ .x = x < near->row ? x : near->row,
                             .y = x < near->row ? near->row : x,
                             .likely = likely / (double)count_as_near(v, n, at),
                             .denied = { HM_EMPTY, HM_EMPTY } };
}

static int look_chunk(void *ctx, size_t at, int worker) {
  const looking *l = ctx;
  hm_arena *a = hm_arena_new();
  (void)worker;
  for (size_t i = at * CHUNK; i < (at + 1) * CHUNK && i < l->n_rows; i++) {
    const hm_alike_source from = { .snap = l->w->snap,
                                   .claims = l->w->claims,
                                   .index = l->w->alike,
                                   .vectors = l->vectors,
                                   .threads = 1 };
    hm_alike_question q;
    hm_alike_row *v;
    hm_arena_reset(a);
    hm_alike_question_of_row(l->w->snap, l->w->claims, l->rows[i], a, &q);
    q.of_many = true;
    l->n[i] = hm_alike_find(&from, &q, a, &v);
    for (size_t k = 0; k < l->n[i]; k++)
      l->near[i][k] = pair_of(l->rows[i], v, l->n[i], k);
  }
  hm_arena_free(a);
  return 0;
}

static bool is_looked_at(const hm_sweep *w, const hm_pair_query *q, uint32_t row, hm_arena *a) {
  const hm_row *r = &w->snap->rows[row];
  hm_str *refs;
  if (r->status != HM_ACTIVE || (q->project != HM_MAP_NONE && r->project != q->project))
    return false;
  if (!q->source.n || hm_str_eq(r->agent, q->source))
    return true;
  size_t n = hm_sources_parse(a, r->layer, w->snap->details[row].source_refs, &refs);
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(refs[i], q->source))
      return true;
  return false;
}

static int likeliest_first(const void *x, const void *y) {
  const hm_pair_to_judge *a = x, *b = y;
  if (!a->denied.by.n != !b->denied.by.n)
    return a->denied.by.n ? 1 : -1;
  if (a->likely != b->likely)
    return a->likely > b->likely ? -1 : 1;
  if (a->x != b->x)
    return a->x < b->x ? -1 : 1;
  return (a->y > b->y) - (a->y < b->y);
}

/* --- all of them ---------------------------------------------------------------------------------
 */

/* A row, and how much it shares with a few others. */
typedef struct {
  float shared;
  uint32_t row;
} ordered;

static int most_shared_first(const void *x, const void *y) {
  const ordered *a = x, *b = y;
  if (a->shared != b->shared)
    return a->shared > b->shared ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

static uint32_t *order_rows(const hm_sweep *w, const hm_pair_query *q, size_t *n, hm_arena *a) {
  size_t all = w->snap->first[HM_RELATION];
  const float *shared = hm_alike_shared(w->alike, all, a);
  ordered *v = hm_alloc_array(a, all + 1, sizeof *v);
  uint32_t *rows = hm_alloc_array(a, all + 1, sizeof *rows);
  hm_arena *scratch = hm_arena_new();
  *n = 0;
  for (uint32_t i = 0; i < all; i++) {
    if (is_looked_at(w, q, i, scratch))
      v[(*n)++] = (ordered){ shared[i], i };
    hm_arena_reset(scratch);
  }
  if (*n)
    qsort(v, *n, sizeof *v, most_shared_first);
  for (size_t i = 0; i < *n; i++)
    rows[i] = v[i].row;
  hm_arena_free(scratch);
  return rows;
}

/* The pairs that were found so far. */
typedef struct {
  const hm_snapshot *snap;
  said *said;
  hm_map seen;
  hm_pair_to_judge *v;
  size_t n, cap;
  hm_arena *a;
} gathering;

/* Leaves out those from `from` on of which somebody dismissed a report, here or at another desk. */
static void leave_out_dismissed(gathering *g, size_t from) {
  hm_finding_list reports = { .a = g->a };
  size_t kept = from;
  for (size_t i = from; i < g->n; i++) {
    uint32_t pair[] = { g->v[i].x, g->v[i].y };
    bool turned = hm_similar_age_order(g->snap, pair[0], pair[1]) > 0;
    hm_str *rows = hm_alloc_array(g->a, 2, sizeof *rows);
    for (size_t k = 0; k < 2; k++)
      rows[k] = hm_row_ref(g->a, &g->snap->rows[pair[turned ? 1 - k : k]]);
    hm_finding_add(&reports,
                   (hm_finding){ .rule = HM_STR(HM_RULE_REPORTED), .rows = rows, .n_rows = 2 });
  }
  hm_findings_acknowledge(g->snap, reports.v, reports.n);
  for (size_t i = from; i < g->n; i++) {
    hm_str key = pair_key(g->v[i].x, g->v[i].y, g->a);
    if (reports.v[i - from].acked) {
      hm_map_add(&g->said->by_person, key, 0);
      continue;
    }
    hm_map_set(&g->seen, key, (uint32_t)kept);
    g->v[kept++] = g->v[i];
  }
  g->n = kept;
}

static void gather(gathering *g, const looking *l) {
  size_t from = g->n;
  for (size_t i = 0; i < l->n_rows; i++)
    for (size_t k = 0; k < l->n[i]; k++) {
      hm_pair_to_judge p = l->near[i][k];
      hm_str key = pair_key(p.x, p.y, g->a);
      if (g->said->by_person.n && hm_map_get(&g->said->by_person, key) != HM_MAP_NONE)
        continue;
      uint32_t before = g->n ? hm_map_get(&g->seen, key) : HM_MAP_NONE;
      if (before != HM_MAP_NONE) {
        if (g->v[before].likely < p.likely)
          g->v[before].likely = p.likely;
        continue;
      }
      hm_map_add(&g->seen, key, (uint32_t)g->n);
      uint32_t by = g->said->by_agent.n ? hm_map_get(&g->said->by_agent, key) : HM_MAP_NONE;
      if (by != HM_MAP_NONE)
        p.denied = (hm_pair_denial){ g->snap->proposals[by].by, g->snap->proposals[by].why };
      g->v = hm_array_grow_in(g->a, g->v, g->n, &g->cap, sizeof *g->v);
      g->v[g->n++] = p;
    }
  if (g->snap->n_remarks[HM_REMARK_ACK])
    leave_out_dismissed(g, from);
}

static int fail_source(const hm_pair_query *q, hm_arena *a, hm_err *err) {
  hm_str shown = hm_text_cut(q->source, SOURCE_SHOWN);
  hm_fail(err, HM_E_UNKNOWN, hm_str_fmt(a, "source '%.*s'", HM_FMT(shown)).p,
          "no active row has this agent or source", "give it whole, as the rows write it");
  return hm_err_at_field(err, HM_STR("source"));
}

int hm_pairs_to_judge(const hm_sweep *w, const hm_pair_query *q, int threads, hm_arena *a,
                      hm_pairs *out, hm_err *err) {
  hm_arena *tmp = hm_arena_new();
  hm_sweep indexed = *w;
  size_t n, at = 0, failed;
  if (!indexed.alike)
    indexed.alike = hm_alike_index_new(w->snap, threads, tmp);
  const uint32_t *rows = order_rows(&indexed, q, &n, tmp);
  said s = read_said(w, q->asker, tmp);
  gathering g = { .snap = w->snap, .said = &s, .a = tmp };
  size_t together = q->rows && q->rows < n ? q->rows : n;
  looking l = { .w = &indexed };
  l.vectors = together < n ? NULL : hm_alike_vectors_new(w->snap, threads, tmp);
  l.near = hm_alloc_array(tmp, together + 1, sizeof *l.near);
  l.n = hm_alloc_array(tmp, together + 1, sizeof *l.n);
  hm_map_init(&g.seen, tmp, together);
  for (; at < n && (!q->rows || !at || g.n < q->limit); at += l.n_rows) {
    l.rows = rows + at;
    l.n_rows = n - at < together ? n - at : together;
    hm_par_for((l.n_rows + CHUNK - 1) / CHUNK, threads, look_chunk, &l, &failed);
    gather(&g, &l);
  }
  if (g.n)
    qsort(g.v, g.n, sizeof *g.v, likeliest_first);
  size_t kept = g.n < q->limit ? g.n : q->limit;
  *out = (hm_pairs){ .n = kept, .more = g.n - kept, .rows_left = n - at };
  out->v = hm_alloc_array(a, kept + 1, sizeof *out->v);
  if (kept)
    memcpy(out->v, g.v, kept * sizeof *g.v);
  for (size_t i = 0; i < kept; i++) {
    hm_str x = hm_recall_row_text(&w->snap->rows[out->v[i].x], tmp);
    hm_str y = hm_recall_row_text(&w->snap->rows[out->v[i].y], tmp);
    out->v[i].differs = hm_alike_difference_of(x, y, a);
  }
  hm_arena_free(tmp);
  /* No pair of a source that is not there would read as nothing wrong with it. */
  return n || !q->source.n ? 0 : fail_source(q, a, err);
}

static hm_str shown_text(const hm_snapshot *snap, uint32_t row, hm_arena *a) {
  hm_str text = hm_str_trim(hm_recall_row_text(&snap->rows[row], a));
  hm_str cut = hm_text_cut(hm_text_repair(a, text), HM_ALIKE_SHOWN);
  return cut.n < text.n ? HM_CAT(a, cut, HM_STR("…")) : cut;
}

static hm_str day_of(const hm_snapshot *snap, uint32_t row) {
  hm_str at = hm_row_text_date(snap, row);
  return hm_str_sub(at, 0, at.n < DAY ? at.n : DAY);
}

void hm_pairs_json(hm_jw *j, const hm_snapshot *snap, const hm_pairs *p, hm_arena *a) {
  const hm_pair_to_judge *v = p->v;
  hm_jw_arr(j, "pairs");
  for (size_t i = 0; i < p->n; i++) {
    const hm_str rows[] = { hm_row_ref(a, &snap->rows[v[i].x]),
                            hm_row_ref(a, &snap->rows[v[i].y]) };
    const hm_str texts[] = { shown_text(snap, v[i].x, a), shown_text(snap, v[i].y, a) };
    const hm_str sources[] = { hm_alike_said_by(snap, v[i].x, a),
                               hm_alike_said_by(snap, v[i].y, a) };
    const hm_str dates[] = { day_of(snap, v[i].x), day_of(snap, v[i].y) };
    hm_jw_obj(j, NULL);
    hm_jw_strs(j, "rows", rows, 2);
    hm_jw_strs(j, "texts", texts, 2);
    hm_jw_strs(j, "sources", sources, 2);
    hm_jw_strs(j, "dates", dates, 2);
    hm_jw_str(j, "differs", hm_alike_difference_words(v[i].differs, a));
    if (v[i].denied.by.n) {
      hm_jw_str(j, "denied_by", v[i].denied.by);
      hm_jw_str(j, "denied_because", v[i].denied.why);
    }
    hm_jw_end(j);
  }
  hm_jw_end(j);
  hm_jw_int(j, "more", (int64_t)p->more);
  hm_jw_int(j, "rows_left", (int64_t)p->rows_left);
}
