/* What a search beside a held sweep reads: the written rows, then the slots in which they claim or
 * claimed, with all rows of these; see beside.h. */
#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/claim/story.h"
#include "core/sweep/beside_impl.h"

hm_beside_search hm_beside_search_of(hm_beside *b, hm_store *s, const hm_row_name *written,
                                     size_t n, hm_arena *a, hm_err *err) {
  hm_beside_search f = { .b = b,
                         .s = s,
                         .base = b->base->sweep.snap,
                         .written = written,
                         .n_written = n,
                         .a = a,
                         .err = err };
  hm_map_init(&f.keys, a, 16);
  hm_map_init(&f.wanted, a, 64);
  return f;
}

static int by_number(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return (a > b) - (a < b);
}

static bool is_touched(const hm_beside_search *f, uint64_t slot) {
  return f->n_slots && bsearch(&slot, f->slots, f->n_slots, sizeof slot, by_number) != NULL;
}

static hm_str name_of(const hm_beside_search *f, hm_row_name n) {
  return hm_ref_text(f->a, n.layer, n.id);
}

static hm_row_name row_name(const hm_row *r) { return (hm_row_name){ r->layer, r->id }; }

static void want(hm_beside_search *f, hm_row_name n) {
  hm_str name = name_of(f, n);
  if (hm_map_get(&f->wanted, name) != HM_MAP_NONE)
    return;
  hm_map_add(&f->wanted, name, 0);
  uint32_t row = hm_beside_newer_row(f, n) || hm_snapshot_row(f->now, n.layer, n.id) != HM_MAP_NONE
      ? HM_MAP_NONE
      : hm_snapshot_row(f->base, n.layer, n.id);
  if (row != HM_MAP_NONE) {
    f->old = hm_array_grow_in(f->a, f->old, f->n_old, &f->cap_old, sizeof *f->old);
    f->old[f->n_old++] = row;
  } else {
    f->newer = hm_array_grow_in(f->a, f->newer, f->n_newer, &f->cap_newer, sizeof *f->newer);
    f->newer[f->n_newer++] = n;
  }
}

/* --- may it? ---------------------------------------------------------------------------------- */

static size_t count_second(const hm_beside_search *f, hm_time t) {
  uint64_t v = hm_time_as_number(t);
  size_t i = hm_lower_bound(f->b->seconds, f->b->n_seconds, sizeof v, &v, by_number), n = 0;
  while (i + n < f->b->n_seconds && f->b->seconds[i + n] == v)
    n++;
  for (size_t k = 0; k < f->b->n; k++)
    n += f->b->rows[k].written && f->b->rows[k].second == t;
  for (size_t k = 0; k < f->now->n_rows; k++) {
    hm_time other;
    const hm_row *r = &f->now->rows[k];
    bool is_new = r->layer == HM_MEMORY && !hm_beside_newer_row(f, row_name(r)) &&
        hm_snapshot_row(f->base, r->layer, r->id) == HM_MAP_NONE;
    n += is_new && hm_parse_written_second(r->created_at, &other) && other == t;
  }
  return n;
}

/* Has it another time than before? That could leave a crowd. */
static bool has_moved(const hm_beside_search *f, const hm_row *r) {
  hm_time t = 0, before;
  uint32_t old = hm_snapshot_row(f->base, r->layer, r->id);
  const hm_newer_row *newer = hm_beside_newer_row(f, row_name(r));
  bool is = hm_parse_written_second(r->created_at, &t), was = is;
  before = t;
  if (old != HM_MAP_NONE)
    was = hm_parse_written_second(f->base->rows[old].created_at, &before);
  else if (newer && (was = newer->written))
    before = newer->second;
  return was != is || (is && before != t);
}

static int by_time(const void *x, const void *y) {
  hm_time a = *(const hm_time *)x, b = *(const hm_time *)y;
  return (a > b) - (a < b);
}

/* The seconds that become crowded by the written memories. */
static void list_crowded(hm_beside_search *f) {
  const hm_beside *b = f->b;
  f->crowded = hm_alloc_array(f->a, b->n_crowded + f->now->n_rows + 1, sizeof *f->crowded);
  f->crossing = hm_alloc_array(f->a, f->now->n_rows + 1, sizeof *f->crossing);
  if (b->n_crowded)
    memcpy(f->crowded, b->crowded, b->n_crowded * sizeof *f->crowded);
  f->n_crowded = b->n_crowded;
  for (size_t i = 0; i < f->now->n_rows; i++) {
    const hm_row *r = &f->now->rows[i];
    hm_time t;
    if (r->layer != HM_MEMORY || !hm_parse_written_second(r->created_at, &t) ||
        hm_second_is_crowded(f->crowded, f->n_crowded, t) || count_second(f, t) < HM_CROWD)
      continue;
    f->crossing[f->n_crossing++] = f->crowded[f->n_crowded++] = t;
    qsort(f->crowded, f->n_crowded, sizeof t, by_time);
    qsort(f->crossing, f->n_crossing, sizeof t, by_time);
  }
}

static bool is_crossing(const hm_beside_search *f, hm_time t) {
  return hm_second_is_crowded(f->crossing, f->n_crossing, t);
}

static bool is_proposed(const hm_beside_search *f, hm_row_name n) {
  for (size_t i = 0; i < f->base->n_proposals; i++)
    for (size_t k = 0; k < f->base->proposals[i].n; k++)
      if (hm_str_eq(f->base->proposals[i].rows[k], name_of(f, n)) ||
          hm_str_eq(f->base->proposals[i].rows[k], n.id))
        return true;
  return false;
}

/* The number of the base's project with this id, or HM_MAP_NONE. */
static uint32_t project_of(const hm_beside_search *f, hm_str id) {
  size_t lo = 0, hi = f->base->n_projects;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (hm_str_cmp(f->base->projects[mid].id, id) < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  bool is = lo < f->base->n_projects && hm_str_eq(f->base->projects[lo].id, id);
  return is ? (uint32_t)lo : HM_MAP_NONE;
}

/* Rows that were read from the store get the base's projects. False: one has a project that the
 * base does not know. */
static bool use_projects(const hm_beside_search *f, hm_snapshot *read) {
  for (size_t i = 0; i < read->n_rows; i++) {
    uint32_t p = project_of(f, read->projects[read->rows[i].project].id);
    if (p == HM_MAP_NONE)
      return false;
    read->rows[i].project = p;
  }
  read->projects = f->base->projects;
  read->n_projects = f->base->n_projects;
  return true;
}

static void place_in_base(const hm_beside_search *f, hm_snapshot *part) {
  part->around = f->base;
  part->crowded = f->crowded;
  part->n_crowded = f->n_crowded;
  part->lives = f->b->base->sweep.claims->lives;
  if (f->b->now > part->now || !part->n_rows)
    part->now = f->b->now;
}

/* Reads the written rows. *may: they alone tell what else is to be read. */
int hm_beside_read_written(hm_beside_search *f, bool *may) {
  *may = false;
  if (hm_store_read_rows(f->s, f->written, f->n_written, f->a, &f->now, f->err))
    return -1;
  bool ok = f->now->ahead == HM_TIME_MAX && !f->now->n_evidence && use_projects(f, f->now);
  for (size_t i = 0; i < f->now->n_rows && ok; i++) {
    const hm_row *r = &f->now->rows[i];
    ok = (r->layer == HM_MEMORY && !has_moved(f, r)) || r->layer == HM_STATE ||
        (r->layer == HM_ENTITY && hm_beside_takes_entity(f, r));
    ok = ok && !is_proposed(f, row_name(r));
  }
  if (!ok)
    return 0;
  list_crowded(f);
  place_in_base(f, f->now);
  *may = true;
  return hm_claims_read(f->now, f->b->rules, 1, &f->claims, f->err);
}

/* --- which slots, which rows ------------------------------------------------------------------ */

static void touch(hm_beside_search *f, uint64_t slot) {
  f->slots = hm_array_grow_in(f->a, f->slots, f->n_slots, &f->cap_slots, sizeof *f->slots);
  f->slots[f->n_slots++] = slot;
}

static void touch_key(hm_beside_search *f, hm_str key) {
  if (hm_map_get(&f->keys, key) != HM_MAP_NONE)
    return;
  hm_map_add(&f->keys, key, 0);
  f->key_list = hm_array_grow_in(f->a, f->key_list, f->n_keys, &f->cap_keys, sizeof *f->key_list);
  f->key_list[f->n_keys++] = key;
}

/* Silences count like claims: beside a name "NA" is one. */
static void touch_claim(hm_beside_search *f, const hm_snapshot *snap, const hm_claim *c) {
  touch(f, c->hash);
  touch_key(f, hm_conflict_slot_key(f->a, snap, c));
}

/* The slots in which a row of the base claims. */
static void touch_old(hm_beside_search *f, uint32_t row) {
  const hm_claims *c = f->b->base->sweep.claims;
  const hm_claim *context = c->claims + c->n;
  size_t k = hm_lower_bound(context, c->n_context, sizeof *context, &row, hm_order_u32);
  for (size_t i = hm_claims_first_of_row(c, row); i < c->n && c->claims[i].row == row; i++)
    touch_claim(f, f->base, &c->claims[i]);
  for (; k < c->n_context && context[k].row == row; k++)
    touch_claim(f, f->base, &context[k]);
  for (k = 0; k < c->n_silences; k++)
    if (c->silences[k].row == row)
      touch_claim(f, f->base, &c->silences[k]);
}

/* The slots in which a row claimed before; also of the base where it was replaced since, which is
 * more than needed. */
static void touch_row(hm_beside_search *f, hm_row_name name) {
  const hm_newer_row *newer = hm_beside_newer_row(f, name);
  uint32_t old = hm_snapshot_row(f->base, name.layer, name.id);
  for (size_t k = 0; newer && k < newer->n_slots; k++) {
    touch(f, newer->slots[k]);
    touch_key(f, newer->keys[k]);
  }
  if (old != HM_MAP_NONE)
    touch_old(f, old);
}

static bool is_written(const hm_beside_search *f, const hm_member_rec *m) {
  size_t i = 0;
  while (i < f->n_written &&
         !(f->written[i].layer == m->layer && hm_str_eq(f->written[i].id, m->id)))
    i++;
  return i < f->n_written;
}

/* The conflict, as it is now, or NULL: the recorded ones of the base, then those that were opened
 * since. */
static const hm_conflict_rec *conflict_at(const hm_beside_search *f, size_t i) {
  const hm_beside *b = f->b;
  if (i >= f->base->n_conflicts)
    return &b->conflicts[i - f->base->n_conflicts].rec;
  const hm_conflict_rec *c = &f->base->conflicts[i];
  return b->n_conflicts && hm_map_get(&b->conflict_of, c->id) != HM_MAP_NONE ? NULL : c;
}

/* A conflict shows its members' rows also when they claim elsewhere by now. */
static void touch_conflicts(hm_beside_search *f) {
  for (size_t i = 0; i < f->base->n_conflicts + f->b->n_conflicts; i++) {
    const hm_conflict_rec *c = conflict_at(f, i);
    size_t k = 0;
    while (c && k < c->n_members && !is_written(f, &c->members[k]))
      k++;
    if (!c || k == c->n_members)
      continue;
    touch_key(f, c->slot_key);
    for (k = 0; k < c->n_members; k++)
      touch_row(f, (hm_row_name){ c->members[k].layer, c->members[k].id });
  }
}

/* Memories of a second that became crowded are read again: when they were written, or edited, is
 * not known any more. */
static void touch_crowds(hm_beside_search *f) {
  const hm_claims *c = f->b->base->sweep.claims;
  for (size_t i = 0; f->n_crossing && i < c->n + c->n_context; i++) {
    const hm_row *r = &f->base->rows[c->claims[i].row];
    if (r->layer == HM_MEMORY && is_crossing(f, c->claims[i].stands))
      touch_row(f, row_name(r));
  }
  for (size_t i = 0; f->n_crossing && i < f->b->n; i++)
    if (f->b->rows[i].name.layer == HM_MEMORY && is_crossing(f, f->b->rows[i].stands))
      touch_row(f, f->b->rows[i].name);
}

static void touch_slots(hm_beside_search *f) {
  for (size_t i = 0; i < f->n_written; i++)
    touch_row(f, f->written[i]);
  touch_conflicts(f);
  touch_crowds(f);
  for (size_t i = 0; i < f->claims->n + f->claims->n_context; i++)
    touch_claim(f, f->now, &f->claims->claims[i]);
  for (size_t i = 0; i < f->claims->n_silences; i++)
    touch_claim(f, f->now, &f->claims->silences[i]);
  if (f->n_slots)
    qsort(f->slots, f->n_slots, sizeof *f->slots, by_number);
}

static void want_rows(hm_beside_search *f) {
  const hm_claims *c = f->b->base->sweep.claims;
  for (size_t i = 0; i < f->n_written; i++)
    want(f, f->written[i]);
  for (size_t i = 0; f->n_slots && i < c->n + c->n_context; i++)
    if (is_touched(f, f->b->slots[i]))
      want(f, row_name(&f->base->rows[c->claims[i].row]));
  for (size_t i = 0; f->n_slots && i < c->n_silences; i++)
    if (is_touched(f, c->silences[i].hash))
      want(f, row_name(&f->base->rows[c->silences[i].row]));
  for (size_t i = 0; i < f->b->n; i++)
    for (size_t k = 0; k < f->b->rows[i].n_slots; k++)
      if (is_touched(f, f->b->rows[i].slots[k]))
        want(f, f->b->rows[i].name);
}

/* What stories and answers show of these: who superseded a row. */
static void want_newer(hm_beside_search *f) {
  for (size_t i = 0, n = f->n_old; i < n; i++) {
    uint32_t by = hm_snapshot_named(f->base, f->old[i], HM_NAMES_SUPERSEDED_BY);
    if (by != HM_MAP_NONE)
      want(f, row_name(&f->base->rows[by]));
  }
}

/* --- conflicts -------------------------------------------------------------------------------- */

/* A verdict on another slot counts for two rows that it judged. */
static bool judged_two(const hm_beside_search *f, const hm_conflict_rec *c) {
  size_t n = 0;
  bool settled = c->status == HM_RESOLVED || c->status == HM_DISMISSED;
  for (size_t i = 0; settled && i < c->n_members && n < 2; i++)
    n += hm_map_get(&f->wanted,
                    name_of(f, (hm_row_name){ c->members[i].layer, c->members[i].id })) !=
        HM_MAP_NONE;
  return n == 2;
}

static void list_conflicts(hm_beside_search *f) {
  size_t n = 0, cap = 0;
  hm_conflict_rec *out = NULL;
  for (size_t i = 0; i < f->base->n_conflicts + f->b->n_conflicts; i++) {
    const hm_conflict_rec *c = conflict_at(f, i);
    if (!c || (hm_map_get(&f->keys, c->slot_key) == HM_MAP_NONE && !judged_two(f, c)))
      continue;
    out = hm_array_grow_in(f->a, out, n, &cap, sizeof *out);
    out[n++] = *c;
  }
  f->part->conflicts = out;
  f->part->n_conflicts = n;
}

static void want_members(hm_beside_search *f) {
  for (size_t i = 0; i < f->part->n_conflicts; i++) {
    const hm_conflict_rec *c = &f->part->conflicts[i];
    for (size_t k = 0; k < c->n_members; k++)
      want(f, (hm_row_name){ c->members[k].layer, c->members[k].id });
  }
}

/* --- the part --------------------------------------------------------------------------------- */

typedef struct {
  hm_row row;
  hm_row_detail detail;
} whole_row;

static int by_layer_and_id(const void *x, const void *y) {
  const hm_row *a = &((const whole_row *)x)->row, *b = &((const whole_row *)y)->row;
  if (a->layer != b->layer)
    return a->layer < b->layer ? -1 : 1;
  return hm_str_cmp(a->id, b->id);
}

/* Puts the rows in their order. */
static void build_part(hm_beside_search *f, const hm_snapshot *newer) {
  hm_snapshot *p = f->part;
  size_t n = 0, all = f->n_old + newer->n_rows;
  whole_row *v = hm_alloc_array(f->a, all, sizeof *v);
  for (size_t i = 0; i < f->n_old; i++)
    v[n++] = (whole_row){ f->base->rows[f->old[i]], f->base->details[f->old[i]] };
  for (size_t i = 0; i < newer->n_rows; i++)
    v[n++] = (whole_row){ newer->rows[i], newer->details[i] };
  if (n)
    qsort(v, n, sizeof *v, by_layer_and_id);
  p->rows = hm_alloc_array(f->a, n, sizeof *p->rows);
  p->details = hm_alloc_array(f->a, n, sizeof *p->details);
  p->n_rows = n;
  for (int l = HM_MEMORY, i = 0; l <= HM_RELATION; l++) {
    p->first[l] = (size_t)i;
    for (; (size_t)i < n && v[i].row.layer == (hm_layer)l; i++) {
      p->rows[i] = v[i].row;
      p->details[i] = v[i].detail;
    }
    hm_row_index_init(&p->by_id[l], f->a, (size_t)i - p->first[l]);
    for (size_t k = p->first[l]; k < (size_t)i; k++)
      hm_row_index_add(&p->by_id[l], p->rows[k].id, (uint32_t)k);
    p->first[l + 1] = (size_t)i;
  }
  p->projects = f->base->projects;
  p->n_projects = f->base->n_projects;
  p->now = f->now->now;
  p->ahead = f->base->ahead;
  p->newest = f->base->newest;
  memcpy(p->remarks, f->base->remarks, sizeof p->remarks);
  memcpy(p->n_remarks, f->base->n_remarks, sizeof p->n_remarks);
  place_in_base(f, p);
}

/* Only the claims of the touched slots. */
static void keep_touched(const hm_beside_search *f, hm_claims *c) {
  size_t n = 0, n_context = 0;
  for (size_t i = 0; i < c->n + c->n_context; i++) {
    if (!is_touched(f, c->claims[i].hash))
      continue;
    if (i < c->n)
      n++;
    else
      n_context++;
    c->claims[n + n_context - 1] = c->claims[i];
  }
  c->n = n;
  c->n_context = n_context;
}

/* Reads the rows, and what they claim in the touched slots. */
static int read_part(hm_beside_search *f, hm_sweep *out, bool *may) {
  hm_snapshot *newer;
  f->part = hm_alloc(f->a, sizeof *f->part);
  list_conflicts(f);
  want_members(f);
  if (hm_store_read_rows(f->s, f->newer, f->n_newer, f->a, &newer, f->err))
    return -1;
  /* Do sources of a row that is wanted differ, or has one of its values a past? */
  size_t alike = 0, n = 0;
  while (alike < f->n_old && !hm_snapshot_evidence(f->base, f->old[alike], &n))
    alike++;
  *may = !newer->n_evidence && alike == f->n_old && use_projects(f, newer);
  build_part(f, newer);
  *may = *may && f->part->first[HM_RELATION] == f->part->n_rows;
  if (!*may)
    return 0;
  out->snap = f->part;
  if (hm_claims_read(f->part, f->b->rules, 1, &out->claims, f->err))
    return -1;
  keep_touched(f, out->claims);
  return 0;
}

int hm_beside_read_slots(hm_beside_search *f, hm_sweep *out, bool *may) {
  touch_slots(f);
  want_rows(f);
  want_newer(f);
  return read_part(f, out, may);
}
