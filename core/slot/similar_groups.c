/* Groups of similar memories: see similar_groups.h. */
#include "core/slot/similar_groups.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/par.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/claim/judged.h"
#include "core/claim/memory.h"
#include "core/slot/slot_claims.h"
#include "core/value/rules.h"
#include "core/value/window.h"
#include "core/claim/world.h"

/* What a memory is compared by. */
typedef struct {
  hm_similar_text text;
  const uint32_t *entities; /* numbers of those to which links lead, sorted */
  size_t n_entities;
  const uint64_t *tags;
  size_t n_tags; /* hashes */
  hm_vector vector;
} whole_text;

/* One memory that may be compared; whole: NULL until it is compared with another one. */
typedef struct {
  uint64_t key;
  hm_time created;
  const whole_text *whole;
  uint32_t row;
} entry;

typedef struct {
  uint32_t x, y;
} row_pair;

typedef struct {
  const hm_similar_input *q;
  hm_arena *a; /* of what outlives a bucket */
  hm_arena *scratch;
  hm_similar_vectors *vectors;
  row_pair *tied;
  size_t n_tied;   /* by links, sorted */
  row_pair *about; /* a memory and the number of an entity that are linked, sorted */
  size_t n_about;
  uint32_t *parent; /* of a bucket's entries, by pairs */
  hm_similar_group *groups;
  size_t n_groups, cap_groups;
} grouping;

/* --- rows ---------------------------------------------------------------------------------- */

static uint64_t row_key(const hm_row *row, hm_arena *scratch) {
  hm_similar_text t;
  if (row->layer != HM_MEMORY || row->status != HM_ACTIVE || !row->text.n)
    return 0;
  hm_str type = hm_text_fold_name(scratch, row->type);
  if (hm_str_is(type, "episodic"))
    return 0;
  hm_similar_text_parse(row->text, scratch, &t);
  return t.key ? hm_hash_mix(t.key, hm_str_hash(type)) | 1 : 0;
}

static bool holds_now(const grouping *g, const hm_row *row, uint32_t at) {
  const hm_snapshot *s = g->q->snap;
  hm_time now = s->now == HM_TIME_MAX ? s->now - 1 : s->now;
  hm_window w;
  if (!row->valid_from.n && !row->valid_until.n)
    return true;
  const hm_world *world =
      hm_world_find_by_row(s, g->q->rules ? g->q->rules->worlds : NULL, at, g->scratch);
  if (hm_window_parse(world, row->valid_from, row->valid_until, s->now, &w) != HM_WINDOW_OK)
    return false;
  return !w.axis && w.may_from <= now && now < w.may_until;
}

static size_t read_tags(hm_str tags, hm_arena *a, hm_arena *scratch, const uint64_t **out) {
  hm_str *texts;
  const hm_json *v = hm_json_parse_as(scratch, tags, HM_JSON_ARRAY);
  size_t n = 0, n_texts = hm_json_texts(v, scratch, &texts);
  if (!n_texts)
    return 0;
  uint64_t *all = hm_alloc_array(a, n_texts, sizeof *all);
  for (size_t i = 0; i < n_texts; i++)
    if (texts[i].n)
      all[n++] = hm_str_hash(hm_text_fold_name(scratch, texts[i]));
  *out = all;
  return n;
}

static hm_time time_of(hm_str text) {
  hm_time t;
  hm_precision p;
  return text.n && hm_time_parse(text, &t, &p) ? t : HM_TIME_MAX;
}

int hm_similar_age_order(const hm_snapshot *snap, uint32_t x, uint32_t y) {
  hm_time a = time_of(snap->rows[x].created_at), b = time_of(snap->rows[y].created_at);
  return a != b ? (a > b) - (a < b) : (x > y) - (x < y);
}

/* What it is about by its own fields: its slot_rule, or the subject of that, and its scope. */
static uint64_t subject_key(const hm_row *r, hm_arena *scratch) {
  hm_str subject;
  if (!hm_memory_parse_subject_rule(r, &subject))
    subject = r->slot_rule;
  return hm_hash_mix(hm_str_hash(hm_text_fold_name(scratch, subject)),
                     hm_str_hash(hm_text_fold_name(scratch, r->scope)));
}

/* Returns false if it is never compared. Parses the text's words into the arena a. */
static bool read_entry(grouping *g, uint32_t row, entry *e) {
  const hm_row *r = &g->q->snap->rows[row];
  uint64_t key = row_key(r, g->scratch);
  if (!key || !holds_now(g, r, row))
    return false;
  *e = (entry){ .key = hm_hash_mix(hm_hash_mix(key, r->project), subject_key(r, g->scratch)),
                .row = row };
  e->created = time_of(r->created_at);
  return true;
}

enum { PART_ROWS = 1024 };

/* Entries of rows; scratch: by worker. The key of an entry is 0 if its row is never compared. */
typedef struct {
  const hm_similar_input *q;
  const uint32_t *rows;
  size_t n;
  entry *v;
  hm_arena **scratch;
} row_reading;

static int read_part(void *ctx, size_t part, int worker) {
  row_reading *r = ctx;
  grouping g = { .q = r->q, .scratch = r->scratch[worker] };
  size_t from = part * PART_ROWS, end = from + PART_ROWS < r->n ? from + PART_ROWS : r->n;
  for (size_t i = from; i < end; i++, hm_arena_reset(g.scratch))
    if (!read_entry(&g, r->rows[i], &r->v[i]))
      r->v[i].key = 0;
  return 0;
}

/* Into v, which has room for n entries; returns how many there are. */
static size_t read_entries(const hm_similar_input *q, const uint32_t *rows, size_t n, entry *v,
                           hm_arena *a) {
  int threads = q->threads > 1 ? q->threads : 1;
  row_reading r = { q, rows, n, v, hm_alloc_array(a, (size_t)threads, sizeof *r.scratch) };
  size_t left = 0;
  for (int i = 0; i < threads; i++)
    r.scratch[i] = hm_arena_new();
  (void)hm_par_for((n + PART_ROWS - 1) / PART_ROWS, threads, read_part, &r, NULL);
  for (int i = 0; i < threads; i++)
    hm_arena_free(r.scratch[i]);
  for (size_t i = 0; i < n; i++)
    if (v[i].key)
      v[left++] = v[i];
  return left;
}

/* The entities to which links of the memory lead. */
static size_t entities_of(const grouping *g, uint32_t row, const uint32_t **out) {
  size_t lo = 0, n = 0;
  if (g->n_about)
    lo = hm_lower_bound(g->about, g->n_about, sizeof *g->about, &row, hm_order_u32);
  while (lo + n < g->n_about && g->about[lo + n].x == row)
    n++;
  uint32_t *v = hm_alloc_array(g->scratch, n, sizeof *v);
  for (size_t i = 0; i < n; i++)
    v[i] = g->about[lo + i].y;
  *out = v;
  return n;
}

static void read_whole(grouping *g, entry *e) {
  const hm_row *r = &g->q->snap->rows[e->row];
  whole_text *t = hm_alloc(g->scratch, sizeof *t);
  hm_similar_text_parse(r->text, g->scratch, &t->text);
  hm_similar_make_vector(g->vectors, t->text.said, g->scratch, &t->vector);
  t->n_entities = entities_of(g, e->row, &t->entities);
  t->n_tags = read_tags(r->tags, g->scratch, g->scratch, &t->tags);
  e->whole = t;
}

/* --- pairs --------------------------------------------------------------------------------- */

static bool meet_by_fields(const whole_text *x, const whole_text *y) {
  bool meet = !x->n_entities && !y->n_entities;
  for (size_t i = 0; i < x->n_entities && !meet; i++)
    for (size_t k = 0; k < y->n_entities && !meet; k++)
      meet = x->entities[i] == y->entities[k];
  if (!meet)
    return false;
  meet = !x->n_tags || !y->n_tags;
  for (size_t i = 0; i < x->n_tags && !meet; i++)
    for (size_t k = 0; k < y->n_tags && !meet; k++)
      meet = x->tags[i] == y->tags[k];
  return meet;
}

/* The memory that a reference names: rows of other layers are not read. */
static uint32_t memory_of(const hm_snapshot *s, hm_str ref) {
  static const char kind[] = "memory:";
  uint32_t row = HM_MAP_NONE;
  if (hm_str_starts(ref, kind))
    row = hm_snapshot_row(s, HM_MEMORY, hm_str_sub(ref, sizeof kind - 1, ref.n));
  return row != HM_MAP_NONE ? row : hm_snapshot_row(s, HM_MEMORY, ref);
}

/* A number for the entity that a reference names; HM_MAP_NONE: it names a row of another layer. */
static uint32_t entity_of(hm_numbering *entities, hm_str ref) {
  hm_layer layer;
  hm_str id;
  if (!hm_ref_parse(ref, &layer, &id))
    return hm_numbering_add(entities, ref);
  return layer == HM_ENTITY ? hm_numbering_add(entities, id) : HM_MAP_NONE;
}

static bool names(const hm_snapshot *s, uint32_t x, uint32_t y) {
  const hm_row *r = &s->rows[x];
  return r->superseded_by.n && memory_of(s, r->superseded_by) == y;
}

static int by_pair(const void *x, const void *y) {
  const row_pair *a = x, *b = y;
  return a->x != b->x ? (a->x < b->x ? -1 : 1) : (a->y > b->y) - (a->y < b->y);
}

static bool are_tied(const grouping *g, uint32_t x, uint32_t y) {
  row_pair p = x < y ? (row_pair){ x, y } : (row_pair){ y, x };
  return names(g->q->snap, x, y) || names(g->q->snap, y, x) ||
      (g->n_tied && bsearch(&p, g->tied, g->n_tied, sizeof p, by_pair));
}

/* Do two rows share a slot? CONFIRMED: only one in which somebody confirmed that they are alike. */
typedef enum { APART, CONFIRMED, SHARED } sharing;

static sharing share_slot(const hm_similar_input *q, hm_alike kind, uint32_t x, uint32_t y) {
  const hm_claims *c = q->claims;
  const char *space = kind == HM_ALIKE_DUPLICATE ? HM_CONFIRMED_SAME : HM_CONFIRMED_DENIED;
  size_t from = hm_claims_first_of_row(c, y);
  sharing found = APART;
  for (size_t i = hm_claims_first_of_row(c, x); i < c->n && c->claims[i].row == x; i++)
    for (size_t k = from; k < c->n && c->claims[k].row == y; k++) {
      const hm_claim *a = &c->claims[i], *b = &c->claims[k];
      bool whole = a->said && a->said->claim.shape == HM_SHAPE_SENTENCE;
      if (!hm_claims_share_slot(a, b) || (whole && hm_claim_values_agree(a, b, NULL)))
        continue;
      if (!hm_str_is(c->claims[i].space, space))
        return SHARED;
      found = CONFIRMED;
    }
  return found;
}

static hm_similarity compare(const grouping *g, const entry *x, const entry *y, sharing *slot) {
  const hm_row *rows = g->q->snap->rows;
  hm_similarity s = { HM_UNLIKE, NULL, 0 };
  *slot = APART;
  const whole_text *of_x = x->whole, *of_y = y->whole;
  if (!meet_by_fields(of_x, of_y))
    return s;
  s = hm_similar_compare(&of_x->text, rows[x->row].polarity, &of_x->vector, &of_y->text,
                         rows[y->row].polarity, &of_y->vector);
  if (!s.kind)
    return s;
  *slot = share_slot(g->q, s.kind, x->row, y->row);
  if ((*slot == SHARED && !g->q->in_slots) || are_tied(g, x->row, y->row))
    s.kind = HM_UNLIKE;
  return s;
}

/* --- groups -------------------------------------------------------------------------------- */

static uint32_t root_of(uint32_t *parent, uint32_t i) {
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

/* What a group knows before it has rows, by its root: the entry that is first by age. */
typedef struct {
  const char *reason;
  double cosine;
  bool any, news;
} forming;

static void take(forming *f, uint32_t *parent, uint32_t x, uint32_t y, hm_similarity s,
                 bool known) {
  uint32_t a = root_of(parent, x), b = root_of(parent, y);
  uint32_t to = a < b ? a : b, other = a < b ? b : a;
  parent[other] = to;
  if (!f[to].any)
    f[to] = (forming){ s.reason, s.cosine, true, false };
  if (f[other].any && f[other].cosine < f[to].cosine)
    f[to].cosine = f[other].cosine;
  if (s.cosine < f[to].cosine)
    f[to].cosine = s.cosine;
  f[to].news = f[to].news || f[other].news || !known;
}

static void add_group(grouping *g, hm_alike kind, const entry *v, const uint32_t *parent,
                      uint32_t n, uint32_t root, const forming *f) {
  hm_similar_group out = { kind, f->reason, f->cosine, NULL, 0 };
  out.rows = hm_alloc_array(g->a, n, sizeof *out.rows);
  for (uint32_t i = root; i < n; i++)
    if (parent[i] == root)
      out.rows[out.n++] = v[i].row;
  g->groups = hm_array_grow_in(g->a, g->groups, g->n_groups, &g->cap_groups, sizeof *g->groups);
  g->groups[g->n_groups++] = out;
}

/* Groups of one kind being built among the entries of one key, by age. */
typedef struct {
  uint32_t *parent;
  forming *f;
} connection;

static connection connect_none(grouping *g, uint32_t n) {
  connection c = { hm_alloc_array(g->scratch, n, sizeof *c.parent),
                   hm_alloc_array(g->scratch, n, sizeof *c.f) };
  for (uint32_t i = 0; i < n; i++)
    c.parent[i] = i;
  return c;
}

static void group_bucket(grouping *g, entry *v, uint32_t n) {
  connection of[] = {
    [HM_ALIKE_DUPLICATE] = connect_none(g, n), [HM_ALIKE_CONTRADICTION] = connect_none(g, n)
  };
  for (uint32_t i = 0; i < n; i++)
    read_whole(g, &v[i]);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i + 1; k < n && k <= i + HM_SIMILAR_REACH; k++) {
      sharing slot;
      hm_similarity s = compare(g, &v[i], &v[k], &slot);
      if (s.kind)
        take(of[s.kind].f, of[s.kind].parent, i, k, s, slot == CONFIRMED);
    }
  for (hm_alike kind = HM_ALIKE_DUPLICATE; kind <= HM_ALIKE_CONTRADICTION; kind++) {
    uint32_t *parent = of[kind].parent;
    for (uint32_t i = 0; i < n; i++)
      parent[i] = root_of(parent, i);
    for (uint32_t i = 0; i < n; i++)
      if (parent[i] == i && of[kind].f[i].news)
        add_group(g, kind, v, parent, n, i, &of[kind].f[i]);
  }
}

/* Rows of which one took the other's place, or was made from it; entities that memories are about.
 */
static void read_links(grouping *g) {
  const hm_snapshot *s = g->q->snap;
  hm_numbering entities;
  hm_numbering_init(&entities, g->a);
  g->tied = hm_alloc_array(g->a, s->n_links + 1, sizeof *g->tied);
  g->about = hm_alloc_array(g->a, s->n_links + 1, sizeof *g->about);
  for (size_t i = 0; i < s->n_links; i++) {
    const hm_link *l = &s->links[i];
    uint32_t x = memory_of(s, l->src), y = memory_of(s, l->dst);
    uint32_t entity = entity_of(&entities, x == HM_MAP_NONE ? l->src : l->dst);
    if ((x == HM_MAP_NONE) != (y == HM_MAP_NONE) && entity != HM_MAP_NONE)
      g->about[g->n_about++] = (row_pair){ x == HM_MAP_NONE ? y : x, entity };
    if (!hm_str_is(l->rel, "supersedes") && !hm_str_is(l->rel, "derived_from"))
      continue;
    if (x == HM_MAP_NONE || y == HM_MAP_NONE)
      continue;
    g->tied[g->n_tied++] = x < y ? (row_pair){ x, y } : (row_pair){ y, x };
  }
  if (g->n_tied)
    qsort(g->tied, g->n_tied, sizeof *g->tied, by_pair);
  if (g->n_about)
    qsort(g->about, g->n_about, sizeof *g->about, by_pair);
}

static int by_key_and_age(const void *x, const void *y) {
  const entry *a = x, *b = y;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  if (a->created != b->created)
    return a->created < b->created ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

static int by_first_row(const void *x, const void *y) {
  const hm_similar_group *a = x, *b = y;
  if (a->rows[0] != b->rows[0])
    return a->rows[0] < b->rows[0] ? -1 : 1;
  return (int)a->kind - (int)b->kind;
}

size_t hm_similar_find_groups(const hm_similar_input *q, const uint32_t *rows, size_t n,
                              hm_arena *a, hm_similar_group **out) {
  grouping g = { .q = q, .a = a, .scratch = hm_arena_new() };
  hm_arena *words = hm_arena_new();
  entry *v = hm_xmalloc((n + 1) * sizeof *v);
  size_t n_entries = read_entries(q, rows, n, v, a);
  g.vectors = hm_similar_vectors_new(words);
  if (n_entries)
    qsort(v, n_entries, sizeof *v, by_key_and_age);
  read_links(&g);
  for (size_t i = 0, end; i < n_entries; i = end, hm_arena_reset(g.scratch)) {
    for (end = i + 1; end < n_entries && v[end].key == v[i].key; end++)
      continue;
    if (end - i > 1)
      group_bucket(&g, v + i, (uint32_t)(end - i));
  }
  if (g.n_groups)
    qsort(g.groups, g.n_groups, sizeof *g.groups, by_first_row);
  free(v);
  hm_arena_free(words);
  hm_arena_free(g.scratch);
  *out = g.groups;
  return g.n_groups;
}

size_t hm_similar_find_rows(const hm_similar_input *q, uint32_t row, hm_arena *a,
                            hm_similar_row **out) {
  grouping g = { .q = q, .a = a, .scratch = hm_arena_new() };
  const hm_snapshot *s = q->snap;
  hm_similar_row *found = *out = hm_alloc_array(a, s->n_rows + 1, sizeof *found);
  entry own, other;
  size_t n = 0;
  sharing slot;
  g.vectors = hm_similar_vectors_new(g.scratch);
  read_links(&g);
  if (read_entry(&g, row, &own)) {
    read_whole(&g, &own);
    for (uint32_t i = 0; i < s->n_rows; i++) {
      bool apart = i == row || s->rows[i].project != s->rows[row].project;
      if (apart || !read_entry(&g, i, &other) || other.key != own.key)
        continue;
      read_whole(&g, &other);
      hm_similarity is = compare(&g, &own, &other, &slot);
      if (is.kind)
        found[n++] = (hm_similar_row){ i, is, slot != APART };
    }
  }
  hm_arena_free(g.scratch);
  return n;
}

/* --- what a judge is asked, and said --------------------------------------------------------- */

static uint64_t group_key(grouping *g, uint32_t row) {
  const hm_row *r = &g->q->snap->rows[row];
  return hm_hash_mix(hm_hash_mix(hm_str_hash(hm_text_fold_name(g->scratch, r->type)), r->project),
                     subject_key(r, g->scratch));
}

/* Are they alike, and words do not tell how? */
static bool is_undecided(grouping *g, entry *x, entry *y, double *cosine) {
  const hm_row *rows = g->q->snap->rows;
  read_whole(g, x);
  read_whole(g, y);
  const whole_text *of_x = x->whole, *of_y = y->whole;
  *cosine = hm_vector_cosine(&of_x->vector, &of_y->vector);
  if (*cosine < HM_SIMILAR_LEAST || of_x->text.asks || of_y->text.asks ||
      !meet_by_fields(of_x, of_y) || are_tied(g, x->row, y->row))
    return false;
  return !hm_similar_compare(&of_x->text, rows[x->row].polarity, &of_x->vector, &of_y->text,
                             rows[y->row].polarity, &of_y->vector)
              .kind &&
      share_slot(g->q, HM_ALIKE_DUPLICATE, x->row, y->row) == APART;
}

static int by_rows(const void *x, const void *y) {
  const hm_similar_pair *a = x, *b = y;
  return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : (a->y > b->y) - (a->y < b->y);
}

static int by_cosine(const void *x, const void *y) {
  const hm_similar_pair *a = x, *b = y;
  return a->cosine != b->cosine ? (a->cosine < b->cosine ? 1 : -1) : by_rows(x, y);
}

typedef struct {
  hm_similar_pair *v;
  size_t n, cap;
} pair_list;

static void add_pair(grouping *g, pair_list *l, hm_similar_pair p) {
  l->v = hm_array_grow_in(g->a, l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = p;
}

/* The rows with which new rows of one project and type are compared. */
typedef struct {
  entry *v;                 /* by age */
  const hm_vector *vectors; /* of their texts */
  hm_similar_candidates *near;
  const bool *is_new;
  size_t compared;
} bucket;

/* The nearest of entry i. Of two new ones the younger asks. */
static void add_nearest(grouping *g, bucket *b, uint32_t i, pair_list *out) {
  uint32_t others[HM_SIMILAR_COMPARED];
  size_t before = out->n, n = hm_similar_candidates_find(b->near, i, others);
  double cosine;
  b->compared += n;
  for (size_t k = 0; k < n; k++) {
    uint32_t other = others[k];
    if (other > i && b->is_new[b->v[other].row])
      continue;
    if (hm_vector_cosine(&b->vectors[i], &b->vectors[other]) < HM_SIMILAR_LEAST)
      continue;
    /* Copies, since data read for one pair is in scratch. */
    entry one = b->v[other < i ? other : i], two = b->v[other < i ? i : other];
    hm_arena_reset(g->scratch);
    if (is_undecided(g, &one, &two, &cosine))
      add_pair(g, out, (hm_similar_pair){ one.row, two.row, cosine, NULL });
  }
  if (out->n > before + 1)
    qsort(out->v + before, out->n - before, sizeof *out->v, by_cosine);
  if (out->n > before + HM_SIMILAR_ASKED)
    out->n = before + HM_SIMILAR_ASKED;
}

/* For the entries of one project and type. Returns the number of compared pairs. */
static size_t ask_bucket(grouping *g, entry *v, size_t n, const bool *is_new, pair_list *out) {
  hm_arena *kept = hm_arena_new();
  hm_vector *vectors = hm_alloc_array(kept, n, sizeof *vectors);
  hm_str *texts = hm_alloc_array(kept, n, sizeof *texts);
  for (size_t i = 0; i < n; i++) {
    hm_similar_text t;
    hm_arena_reset(g->scratch);
    hm_similar_text_parse(g->q->snap->rows[v[i].row].text, g->scratch, &t);
    hm_similar_make_vector(g->vectors, t.said, g->scratch, &vectors[i]);
    texts[i] = hm_str_dup(kept, t.said);
  }
  bucket b = { v, vectors, hm_similar_candidates_new(texts, n, kept), is_new, 0 };
  for (uint32_t i = 0; i < n; i++)
    if (is_new[v[i].row])
      add_nearest(g, &b, i, out);
  hm_arena_free(kept);
  return b.compared;
}

size_t hm_similar_undecided_pairs(const hm_similar_input *q, const bool *is_new, hm_arena *a,
                                  hm_similar_pair **out, size_t *compared) {
  grouping g = { .q = q, .a = a, .scratch = hm_arena_new() };
  const hm_snapshot *s = q->snap;
  hm_arena *words = hm_arena_new();
  entry *v = hm_xmalloc((s->n_rows + 1) * sizeof *v);
  pair_list pairs = { 0 };
  size_t n = 0, count = 0;
  g.vectors = hm_similar_vectors_new(words);
  read_links(&g);
  for (uint32_t i = (uint32_t)s->first[HM_MEMORY]; i < s->first[HM_MEMORY + 1]; i++) {
    hm_arena_reset(g.scratch);
    if (read_entry(&g, i, &v[n]))
      v[n++].key = group_key(&g, i);
  }
  if (n)
    qsort(v, n, sizeof *v, by_key_and_age);
  for (size_t i = 0, end; i < n; i = end) {
    bool any = false;
    for (end = i; end < n && v[end].key == v[i].key; end++)
      any = any || is_new[v[end].row];
    if (any && end - i > 1)
      count += ask_bucket(&g, v + i, end - i, is_new, &pairs);
  }
  if (pairs.n)
    qsort(pairs.v, pairs.n, sizeof *pairs.v, by_rows);
  free(v);
  hm_arena_free(words);
  hm_arena_free(g.scratch);
  if (compared)
    *compared = count;
  *out = pairs.v;
  return pairs.n;
}

/* Has the row still the judged text? */
static bool says_still(const grouping *g, uint32_t row, hm_str digest) {
  const hm_row *r = &g->q->snap->rows[row];
  hm_judged_row j;
  return hm_judged_row_read(r, g->scratch, &j) &&
      hm_str_eq(hm_judged_digest(r, &j, g->scratch), digest);
}

size_t hm_similar_judged_pairs(const hm_similar_input *q, hm_arena *a, hm_similar_pair **out) {
  grouping g = { .q = q, .a = a, .scratch = hm_arena_new() };
  const hm_snapshot *s = q->snap;
  hm_arena *words = hm_arena_new();
  pair_list pairs = { 0 };
  g.vectors = hm_similar_vectors_new(words);
  read_links(&g);
  for (size_t k = 0; k < s->n_proposals; k++) {
    const hm_proposal *p = &s->proposals[k];
    entry e[2];
    bool stands = hm_proposal_is_similar(p);
    hm_arena_reset(g.scratch);
    for (size_t i = 0; i < 2 && stands; i++) {
      uint32_t row = memory_of(s, p->rows[i]);
      stands =
          row != HM_MAP_NONE && read_entry(&g, row, &e[i]) && says_still(&g, row, p->digests[i]);
    }
    if (!stands || group_key(&g, e[0].row) != group_key(&g, e[1].row))
      continue;
    if (hm_similar_age_order(s, e[0].row, e[1].row) > 0) {
      entry other = e[0];
      e[0] = e[1];
      e[1] = other;
    }
    double cosine;
    if (is_undecided(&g, &e[0], &e[1], &cosine))
      add_pair(&g, &pairs, (hm_similar_pair){ e[0].row, e[1].row, cosine, p });
  }
  if (pairs.n)
    qsort(pairs.v, pairs.n, sizeof *pairs.v, by_rows);
  hm_arena_free(words);
  hm_arena_free(g.scratch);
  *out = pairs.v;
  return pairs.n;
}
