/* Rows that claim nothing, and gaps.
 *
 * A gap is a slot of which some row says that the value is not known, and no row gives a value.
 * Claims and silences that have ended do not count. Cost: one pass over the claims, and a sort of
 * the silences. */
#include "core/claim/silence.h"
#include "core/base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/claim/judged.h"
#include "core/claim/memory.h"
#include "core/claim/story.h"

/* --- rows that claim nothing --------------------------------------------------------- */

void hm_silence_collect(const hm_snapshot *snap, const hm_claims *claims, hm_arena *a,
                        hm_silence *out) {
  hm_map types;
  size_t cap = 0;
  *out = (hm_silence){ 0 };
  hm_map_init(&types, a, 16);
  for (size_t i = 0; i < snap->n_rows; i++) {
    const hm_row *row = &snap->rows[i];
    if (row->status != HM_ACTIVE || row->layer > HM_STATE)
      continue;
    out->active[row->layer]++;
    out->silent[row->layer] += !claims->speaks[i];
    if (row->layer != HM_MEMORY)
      continue;
    uint32_t type = hm_map_add(&types, row->type, (uint32_t)out->n);
    if (type == out->n) {
      out->types = hm_array_grow_in(a, out->types, out->n, &cap, sizeof *out->types);
      out->types[out->n++] = (hm_silence_type){ .type = row->type };
    }
    out->types[type].active++;
    out->types[type].silent += !claims->speaks[i];
  }
  if (out->n)
    qsort(out->types, out->n, sizeof *out->types, hm_order_str);
}

static const char *reason_of_memory(const hm_row *row) {
  if (hm_str_is(row->type, "episodic"))
    return "is episodic, which claims nothing";
  if (!hm_str_trim(row->text).n)
    return "has no text";
  return "says nothing of the form \"SUBJECT is VALUE\" that can be read";
}

static const char *reason_of_active(const hm_row *row) {
  switch (row->layer) {
    case HM_MEMORY:
      return reason_of_memory(row);
    case HM_STATE:
      return hm_str_trim(row->text).n ? "has no key that names anything" : "has no value";
    case HM_RELATION:
      return "is of a kind, or between types, that claim nothing";
    default:
      return row->props.n ? "has no property that claims: prose, empty, or of no value"
                          : "has no properties";
  }
}

static const char *reason_of(const hm_row *row) {
  static const char *const statuses[] = {
    [HM_CANDIDATE] = "is a candidate",
    [HM_SUPERSEDED] = "is superseded",
    [HM_INVALID] = "is invalid",
    [HM_GRADUATED] = "has become an entity",
    [HM_STATUS_OTHER] = "has a status that is not known",
  };
  return row->status == HM_ACTIVE ? reason_of_active(row) : statuses[row->status];
}

const char *hm_silence_reason(const hm_snapshot *snap, const hm_claims *claims, uint32_t row) {
  for (size_t i = 0; i < claims->n_findings; i++)
    for (size_t k = 0; k < claims->findings[i].n_rows; k++)
      if (hm_snapshot_ref(snap, HM_MEMORY, claims->findings[i].rows[k]) == row)
        return "cannot be read (see the findings of a sweep)";
  return reason_of_active(&snap->rows[row]);
}

const char **hm_silence_reasons(const hm_snapshot *snap, const hm_claims *claims, hm_arena *a) {
  const char **out = hm_alloc_array(a, snap->n_rows, sizeof *out);
  for (size_t i = 0; i < snap->n_rows; i++)
    out[i] = claims->speaks[i] ? NULL : reason_of(&snap->rows[i]);
  for (size_t i = 0; i < claims->n_silences; i++)
    if (out[claims->silences[i].row])
      out[claims->silences[i].row] = "says that its value is not known";
  for (size_t i = 0; i < claims->n_findings; i++)
    for (size_t k = 0; k < claims->findings[i].n_rows; k++) {
      uint32_t row = hm_snapshot_ref(snap, HM_MEMORY, claims->findings[i].rows[k]);
      if (row != HM_MAP_NONE && out[row])
        out[row] = "cannot be read (see the findings of a sweep)";
    }
  return out;
}

bool hm_silence_is_notable(const hm_silence *s) {
  return s->active[HM_MEMORY] >= 10 && 10 * s->silent[HM_MEMORY] > 9 * s->active[HM_MEMORY];
}

void hm_silence_json(hm_jw *w, const hm_silence *s) {
  hm_jw_obj(w, "silent");
  for (hm_layer l = HM_MEMORY; l <= HM_STATE; l++) {
    hm_jw_obj(w, hm_layer_name(l));
    hm_jw_int(w, "active", s->active[l]);
    hm_jw_int(w, "silent", s->silent[l]);
    if (l == HM_MEMORY) {
      hm_jw_arr(w, "types");
      for (size_t i = 0; i < s->n; i++) {
        const hm_silence_type *t = &s->types[i];
        hm_jw_obj(w, NULL);
        hm_jw_str(w, "type", t->type);
        hm_jw_int(w, "active", t->active);
        hm_jw_int(w, "silent", t->silent);
        hm_jw_end(w);
      }
      hm_jw_end(w);
    }
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static int64_t count_at(const hm_json *object, const char *key) {
  const hm_json *v = hm_json_get(object, key);
  double d;
  return v && hm_str_read_double(v->text, &d) ? (int64_t)d : 0;
}

void hm_silence_read(const hm_json *object, hm_arena *a, hm_silence *out) {
  const hm_json *silent = hm_json_get(object, "silent");
  *out = (hm_silence){ 0 };
  for (hm_layer l = HM_MEMORY; silent && l <= HM_STATE; l++) {
    const hm_json *of = hm_json_get(silent, hm_layer_name(l)), *types;
    out->active[l] = of ? count_at(of, "active") : 0;
    out->silent[l] = of ? count_at(of, "silent") : 0;
    if (l != HM_MEMORY || !of || !(types = hm_json_get(of, "types")))
      continue;
    out->types = hm_alloc_array(a, types->count + 1, sizeof *out->types);
    for (const hm_json *t = types->child; t; t = t->next)
      out->types[out->n++] = (hm_silence_type){ hm_json_get_text(t, "type"), count_at(t, "active"),
                                                count_at(t, "silent") };
  }
}

/* --- what was compared --------------------------------------------------------------- */

/* Adds a hash to a table of 2^n places, of which half at most are taken. False: it has it. */
static bool add_hash(uint64_t *table, size_t mask, uint64_t hash) {
  size_t i = (size_t)(hash ^ hash >> 32) & mask;
  hash += !hash; /* 0: an empty place */
  while (table[i] && table[i] != hash)
    i = (i + 1) & mask;
  bool added = !table[i];
  table[i] = hash;
  return added;
}

hm_compared *hm_compared_count(const hm_snapshot *snap, const hm_claims *claims, const bool *hidden,
                               bool (*shown)(void *ctx, const hm_claim *c), void *ctx,
                               hm_arena *a) {
  hm_arena *tmp = hm_arena_new();
  size_t size = 64;
  while (size < 2 * claims->n)
    size *= 2;
  uint64_t *slots = hm_alloc_array(tmp, size, sizeof *slots);
  hm_compared *out = hm_alloc_array(a, snap->n_projects + 1, sizeof *out);
  hm_compared *all = &out[snap->n_projects];
  for (size_t i = 0; i < claims->n; i++) {
    const hm_claim *c = &claims->claims[i];
    bool again = (c->said && (c->said->spelled || c->twin.n)) || hm_claim_is_judged(c);
    if (again /* told elsewhere */ || (hidden && hidden[c->row]) || (shown && !shown(ctx, c)))
      continue;
    out[c->project].values++;
    out[c->project].places += add_hash(slots, size - 1, c->hash);
  }
  for (size_t i = snap->first[HM_MEMORY]; i < snap->first[HM_MEMORY + 1]; i++) {
    if (snap->rows[i].status != HM_ACTIVE || (hidden && hidden[i]))
      continue;
    out[snap->rows[i].project].memories++;
    out[snap->rows[i].project].unread += !claims->speaks[i];
  }
  for (size_t i = 0; i < snap->n_projects; i++) {
    all->values += out[i].values;
    all->places += out[i].places;
    all->memories += out[i].memories;
    all->unread += out[i].unread;
  }
  hm_arena_free(tmp);
  return out;
}

void hm_compared_json(hm_jw *w, const hm_compared *c) {
  hm_jw_obj(w, "compared");
  hm_jw_int(w, "values", c->values);
  hm_jw_int(w, "places", c->places);
  hm_jw_int(w, "memories", c->memories);
  hm_jw_int(w, "unread", c->unread);
  hm_jw_end(w);
}

void hm_compared_read(const hm_json *object, hm_compared *out) {
  const hm_json *c = hm_json_get(object, "compared");
  *out = (hm_compared){ 0 };
  if (!c)
    return;
  out->values = count_at(c, "values");
  out->places = count_at(c, "places");
  out->memories = count_at(c, "memories");
  out->unread = count_at(c, "unread");
}

/* --- gaps ---------------------------------------------------------------------------- */

static int cmp_slot(const hm_claim *a, const hm_claim *b) {
  if (a->project != b->project)
    return a->project < b->project ? -1 : 1;
  int d = hm_str_cmp(a->space, b->space);
  return d ? d : hm_str_cmp(a->name, b->name);
}

static int by_slot(const void *item, const void *key) {
  return cmp_slot(*(const hm_claim *const *)item, key);
}

static int cmp_slot_and_row(const void *x, const void *y, void *ctx) {
  const hm_claim *a = *(const hm_claim *const *)x, *b = *(const hm_claim *const *)y;
  const hm_row *rows = ctx;
  int d = cmp_slot(a, b);
  if (!d && a->layer != b->layer)
    d = a->layer > b->layer ? -1 : 1;
  if (!d)
    d = hm_str_cmp(rows[a->row].id, rows[b->row].id);
  return d ? d : hm_str_cmp(a->field, b->field);
}

static bool is_over(const hm_snapshot *snap, const hm_claim *c) {
  return c->when->end.known && !c->when->at_now && c->when->may_until <= snap->now;
}

void hm_gaps_collect(const hm_snapshot *snap, const hm_claims *claims,
                     bool (*shown)(void *ctx, const hm_claim *c), void *ctx, hm_arena *a,
                     hm_gap **out, size_t *n) {
  const hm_claim **v = hm_alloc_array(a, claims->n_silences, sizeof *v); /* silent, by slot */
  bool *known = hm_alloc_array(a, claims->n_silences, sizeof *known); /* of the first of a slot */
  size_t n_v = 0, bits = 1024;
  *out = NULL;
  *n = 0;
  for (size_t i = 0; i < claims->n_silences; i++) {
    const hm_claim *c = &claims->silences[i];
    if (!is_over(snap, c) && (!shown || shown(ctx, c)))
      v[n_v++] = c;
  }
  if (!n_v)
    return;
  qsort_r(v, n_v, sizeof *v, cmp_slot_and_row, snap->rows);
  /* Few claims are of a silent slot: a table of hashes skips the others. */
  while (bits < 16 * n_v)
    bits *= 2;
  bool *may_be = hm_alloc_array(a, bits, sizeof *may_be);
  for (size_t i = 0; i < n_v; i++)
    may_be[v[i]->hash & (bits - 1)] = true;
  for (size_t i = 0; i < claims->n; i++) {
    const hm_claim *c = &claims->claims[i];
    if (!may_be[c->hash & (bits - 1)] || is_over(snap, c))
      continue;
    size_t lo = hm_lower_bound(v, n_v, sizeof *v, c, by_slot);
    if (lo < n_v && !cmp_slot(v[lo], c) && !known[lo] && (!shown || shown(ctx, c)))
      known[lo] = true;
  }
  *out = hm_alloc_array(a, n_v, sizeof **out);
  for (size_t i = 0, end; i < n_v; i = end) {
    for (end = i + 1; end < n_v && !cmp_slot(v[i], v[end]);)
      end++;
    if (!known[i])
      (*out)[(*n)++] = (hm_gap){ v[i]->project, hm_claim_slot_key(a, snap, v[i]), v + i, end - i };
  }
}

/* "the state", "2 states and the memory". */
static void write_sayers(hm_buf *b, const hm_gap *gap) {
  static const char *const one[] = {
    [HM_MEMORY] = "the memory", [HM_ENTITY] = "the entity", [HM_STATE] = "the state"
  };
  static const char *const many[] = {
    [HM_MEMORY] = "memories", [HM_ENTITY] = "entities", [HM_STATE] = "states"
  };
  size_t left = gap->n;
  for (hm_layer l = HM_STATE; l >= HM_MEMORY; l--) {
    size_t n = 0;
    for (size_t i = 0; i < gap->n; i++)
      n += gap->by[i]->layer == l;
    if (!n)
      continue;
    if (left < gap->n)
      hm_buf_c(b, left == n ? " and " : ", ");
    if (n == 1)
      hm_buf_c(b, one[l]);
    else
      hm_buf_fmt(b, "%zu %s", n, many[l]);
    left -= n;
  }
}

hm_finding hm_gap_finding(const hm_snapshot *snap, const hm_gap *gap, hm_arena *a) {
  hm_buf b = { 0 };
  hm_sha256 h;
  hm_called called = { .n = 0 };
  hm_str *rows = hm_alloc_array(a, gap->n, sizeof *rows);
  hm_sha256_init(&h);
  hm_sha256_field(&h, HM_STR("slot/gap"));
  hm_sha256_field(&h, gap->slot_key);
  for (size_t i = 0; i < gap->n; i++) {
    const hm_row *r = &snap->rows[gap->by[i]->row];
    rows[i] = hm_row_ref(a, r);
    hm_called_add(&called, gap->by[i]->called, gap->by[i]->name);
  }
  hm_buf_str(&b, hm_slot_title(a, gap->slot_key, hm_called_join(&called, gap->by[0]->name, a)));
  hm_buf_fmt(&b, ": not known yet, %s ", gap->n > 1 ? "say" : "says");
  write_sayers(&b, gap);
  hm_str message = hm_buf_take(&b, a), digest = hm_sha256_hex(&h, a, 12);
  return (hm_finding){ .id = hm_str_fmt(a, "f%.*s", HM_FMT(digest)),
                       .kind = HM_STR("gap"),
                       .severity = HM_STR("info"),
                       .rule = HM_STR("slot/gap"),
                       .project = snap->projects[gap->project].id,
                       .rows = rows,
                       .n_rows = gap->n,
                       .message = message,
                       .expected = HM_STR("a value"),
                       .actual = gap->by[0]->value.raw };
}
