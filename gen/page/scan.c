/* What the view asks of every row, found by one look at each, on all cores; and the rows of each
 * project. */
#include <stdlib.h>

#include "core/base/par.h"
#include "core/base/time.h"
#include "core/claim/claim.h"
#include "view_private.h"

enum { CHUNK = 4096, CORES = 64 };

/* The entity types that one core came upon, numbered as they came. */
typedef struct { hm_arena *a; hm_map number; hm_str *names; uint32_t *kinds, n, cap; } types;

typedef struct {
  hm_view *v;
  types of[CORES];
  unsigned char *core;
} scan; /* core: that did the chunk */

static uint32_t type_number(types *t, hm_str name) {
  if (!t->a) hm_map_init(&t->number, t->a = hm_arena_new(), 64);
  uint32_t at = hm_map_add(&t->number, name, t->n);
  if (at < t->n) return at;
  if (t->n == t->cap)
    t->names = hm_xrealloc(t->names, (t->cap = t->cap ? 2 * t->cap : 64) * sizeof *t->names);
  t->names[t->n++] = name;
  return at;
}

/* A time in UTC, as nearly all are, has the year that it begins with. */
static uint32_t year_of(const hm_row *r) {
  hm_time t;
  hm_precision p;
  hm_str s = hm_str_trim(r->created_at);
  if (!hm_time_parse(s, &t, &p)) return HM_UNDATED;
  if (s.p[s.n - 1] == 'Z')
    return (uint32_t)((s.p[0] - '0') * 1000 + (s.p[1] - '0') * 100 + (s.p[2] - '0') * 10 +
                      (s.p[3] - '0'));
  int year = hm_time_year(t);
  return year < 0 || year > HM_UNDATED ? HM_UNDATED : (uint32_t)year;
}

/* Of all but entities. */
static uint32_t plain_kind(const hm_row *r) {
  if (r->layer == HM_MEMORY) return HM_KIND_YEARS + year_of(r);
  return r->layer == HM_STATE ? HM_KIND_STATE : HM_KIND_RELATIONS;
}

static uint32_t kind_of(const hm_row *r, types *t) {
  return r->layer == HM_ENTITY ? HM_KIND_TYPES + type_number(t, r->type) : plain_kind(r);
}

static hm_seen look_at(const hm_view *v, uint32_t row, uint32_t kind) {
  const hm_row *r = &v->snap->rows[row];
  return (hm_seen){ .home = hm_row_home(v->snap, row),
                    .kind = kind,
                    .candidate = r->status == HM_CANDIDATE,
                    .active = r->status == HM_ACTIVE,
                    .odd_id = !hm_is_plain_id(r->id),
                    .refers = r->superseded_by.n || r->graduated_to.n || r->from.n || r->to.n,
                    .may_be_long = hm_view_may_be_long(v, row) };
}

static int scan_chunk(void *ctx, size_t chunk, int core) {
  scan *s = ctx;
  hm_view *v = s->v;
  size_t end = (chunk + 1) * CHUNK < v->snap->n_rows ? (chunk + 1) * CHUNK : v->snap->n_rows;
  s->core[chunk] = (unsigned char)core;
  for (size_t i = chunk * CHUNK; i < end; i++)
    v->seen[i] = look_at(v, (uint32_t)i, kind_of(&v->snap->rows[i], &s->of[core]));
  return 0;
}

/* Types that fold alike are one kind, whoever came upon them. */
static void share_types(scan *s, hm_arena *tmp) {
  hm_view *v = s->v;
  size_t all = 0;
  hm_map at;
  for (int c = 0; c < CORES; c++) all += s->of[c].n;
  hm_map_init(&at, tmp, all);
  v->types = hm_alloc_array(v->a, all + 1, sizeof *v->types);
  for (int c = 0; c < CORES; c++) {
    types *t = &s->of[c];
    t->kinds = hm_alloc_array(tmp, t->n + 1, sizeof *t->kinds);
    for (uint32_t i = 0; i < t->n; i++) {
      hm_str key = hm_entity_type_key(v->a, t->names[i]);
      uint32_t number = hm_map_add(&at, key, v->n_types);
      if (number == v->n_types) v->types[v->n_types++] = key;
      t->kinds[i] = HM_KIND_TYPES + number;
    }
  }
}

/* Kinds as all cores number them, and how many rows each project has: one step on, where its rows
 * will end. */
static void number_kinds(scan *s) {
  hm_view *v = s->v;
  for (size_t i = 0; i < v->snap->n_rows; i++) {
    hm_seen *x = &v->seen[i];
    v->home_from[x->home + 1]++;
    v->n_odd_ids += x->odd_id;
    v->n_maybe_long += x->may_be_long;
    if (x->kind >= HM_KIND_TYPES)
      x->kind = s->of[s->core[i / CHUNK]].kinds[x->kind - HM_KIND_TYPES];
  }
}

static void list_homes(hm_view *v, hm_arena *tmp) {
  size_t projects = v->snap->n_projects;
  uint32_t *at = hm_alloc_array(tmp, projects + 1, sizeof *at);
  for (size_t p = 0; p < projects; p++) at[p + 1] = v->home_from[p + 1] += v->home_from[p];
  v->homes = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->homes);
  for (uint32_t i = 0; i < v->snap->n_rows; i++) v->homes[at[v->seen[i].home]++] = i;
}

void hm_view_scan(hm_view *v) {
  size_t chunks = (v->snap->n_rows + CHUNK - 1) / CHUNK, failed;
  hm_arena *tmp = hm_arena_new();
  scan s = { .v = v, .core = hm_alloc(tmp, chunks + 1) };
  v->seen = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->seen);
  v->home_from = hm_alloc_array(v->a, v->snap->n_projects + 2, sizeof *v->home_from);
  hm_par_for(chunks, hm_par_cores(), scan_chunk, &s, &failed);
  share_types(&s, tmp);
  number_kinds(&s);
  list_homes(v, tmp);
  for (int c = 0; c < CORES; c++) {
    free(s.of[c].names);
    hm_arena_free(s.of[c].a);
  }
  hm_arena_free(tmp);
}
