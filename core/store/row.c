/* Kinds, states and members of rows as words, and rows by id: see row.h. */
#include "core/store/row.h"
#include <stddef.h>
#include <string.h>
#include "core/base/json.h"
#include "core/base/par.h"
#include "core/base/text.h"

static const char *const KINDS[] = { NULL, "memory", "entity", "project_state", "relation" };
static const char *const STATUSES[] = { "candidate", "active",    "superseded",
                                        "invalid",   "graduated", "other" };
static const char *const VERDICTS[] = { "open", "resolved", "dismissed", "merged" };

const char *hm_layer_name(hm_layer l) { return KINDS[l]; }

int hm_layer_trust(hm_layer l) { return l == HM_RELATION ? HM_ENTITY : (int)l; }

int hm_layer_order(hm_layer a, hm_layer b) {
  int d = hm_layer_trust(b) - hm_layer_trust(a);
  return d ? d : (a > b) - (a < b);
}

hm_str hm_ref_text(hm_arena *a, hm_layer l, hm_str id) {
  return HM_CAT(a, hm_str_c(hm_layer_name(l)), HM_STR(":"), id);
}

hm_str hm_row_ref(hm_arena *a, const hm_row *r) { return hm_ref_text(a, r->layer, r->id); }

bool hm_layer_parse(hm_str kind, hm_layer *out) {
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    if (!hm_str_is(kind, KINDS[l]))
      continue;
    *out = (hm_layer)l;
    return true;
  }
  return false;
}

bool hm_ref_parse(hm_str ref, hm_layer *layer, hm_str *id) {
  const char *colon = ref.n ? memchr(ref.p, ':', ref.n) : NULL;
  if (!colon || !hm_layer_parse(hm_str_sub(ref, 0, (size_t)(colon - ref.p)), layer))
    return false;
  *id = hm_str_sub(ref, (size_t)(colon - ref.p) + 1, ref.n);
  return true;
}

const char *hm_status_name(hm_status s) { return STATUSES[s]; }

hm_status hm_status_parse(hm_str name) {
  int s = 0;
  while (s < HM_STATUS_OTHER && !hm_str_is(name, STATUSES[s]))
    s++;
  return (hm_status)s;
}

const char *hm_verdict_name(hm_verdict v) { return VERDICTS[v]; }

hm_verdict hm_verdict_parse(hm_str name) {
  int v = 0;
  while (v < HM_N_VERDICTS && !hm_str_is(name, VERDICTS[v]))
    v++;
  return v < HM_N_VERDICTS ? (hm_verdict)v : HM_DISMISSED;
}

size_t hm_sources_parse(hm_arena *a, hm_layer l, hm_str refs, hm_str **out) {
  const hm_json *list = l == HM_STATE ? NULL : hm_json_parse_as(a, refs, HM_JSON_ARRAY);
  if (list)
    return hm_json_texts(list, a, out);
  *out = hm_alloc_array(a, 1, sizeof **out);
  **out = refs;
  return refs.n > 0;
}

size_t hm_winners_parse(hm_arena *a, hm_str winner, hm_str **out) {
  const hm_json *list =
      hm_str_starts(winner, "[\"") ? hm_json_parse_as(a, winner, HM_JSON_ARRAY) : NULL;
  *out = hm_alloc_array(a, 1, sizeof **out);
  **out = winner;
  if (!list || list->count > HM_WINNERS_MAX)
    return winner.n > 0;
  size_t n = 0;
  hm_str *refs = hm_alloc_array(a, list->count, sizeof *refs);
  for (const hm_json *e = list->child; e; e = e->next)
    if (e->type == HM_JSON_STRING && e->text.n)
      refs[n++] = e->text;
  if (n != list->count)
    return 1; /* a reference that begins so */
  *out = refs;
  return n;
}

hm_str hm_winners_text(hm_arena *a, hm_str *refs, size_t n) {
  hm_buf b = { 0 };
  hm_jw w;
  if (n < 2)
    return n ? refs[0] : HM_EMPTY;
  hm_strs_sort(refs, n);
  hm_jw_init(&w, &b, 0);
  hm_jw_strs(&w, NULL, refs, n);
  return hm_buf_take(&b, a);
}

hm_str hm_winners_sentence(hm_arena *a, hm_str winner, size_t shown) {
  hm_str *refs, words = HM_EMPTY;
  size_t n = hm_winners_parse(a, winner, &refs);
  for (size_t i = 0; i < n; i++)
    words = HM_CAT(a, words,
                   !i              ? HM_EMPTY
                       : i + 1 < n ? HM_STR(", ")
                                   : HM_STR(" and "),
                   hm_text_cut(refs[i], shown));
  return HM_CAT(a, words, n > 1 ? HM_STR(" stand") : HM_STR(" stands"));
}

hm_str hm_anchor_text(hm_arena *a, hm_layer layer, hm_str id, hm_str field) {
  hm_buf b = { 0 };
  hm_buf_c(&b, hm_layer_name(layer));
  hm_buf_ch(&b, ':');
  for (size_t i = 0; i < id.n; i++) {
    if (id.p[i] == '%')
      hm_buf_c(&b, "%25");
    else if (id.p[i] == '#')
      hm_buf_c(&b, "%23");
    else
      hm_buf_ch(&b, id.p[i]);
  }
  hm_buf_ch(&b, '#');
  hm_buf_str(&b, field);
  return hm_buf_take(&b, a);
}

int hm_link_order(const void *x, const void *y) {
  const hm_link *a = x, *b = y;
  int c = hm_str_cmp(a->src, b->src);
  if (!c)
    c = hm_str_cmp(a->rel, b->rel);
  return c ? c : hm_str_cmp(a->dst, b->dst);
}

int hm_member_order(const void *x, const void *y) {
  const hm_member_rec *a = x, *b = y;
  int c = hm_layer_order(a->layer, b->layer);
  if (!c)
    c = hm_str_cmp(a->id, b->id);
  return c ? c : hm_str_cmp(a->field, b->field);
}

bool hm_anchor_parse(hm_arena *a, hm_str anchor, hm_layer *layer, hm_str *id, hm_str *field) {
  ptrdiff_t colon = hm_str_find(anchor, ":"), hash = hm_str_find(anchor, "#");
  if (colon < 0 || hash < colon || !hm_layer_parse(hm_str_sub(anchor, 0, (size_t)colon), layer))
    return false;
  hm_str text = hm_str_sub(anchor, (size_t)colon + 1, (size_t)hash);
  hm_buf b = { 0 };
  for (size_t i = 0; i < text.n; i++) {
    hm_str rest = hm_str_sub(text, i, text.n);
    bool escaped = hm_str_starts(rest, "%25") || hm_str_starts(rest, "%23");
    hm_buf_ch(&b, escaped ? (rest.p[2] == '5' ? '%' : '#') : text.p[i]);
    if (escaped)
      i += 2;
  }
  *id = hm_buf_copy(&b, a);
  *field = hm_str_sub(anchor, (size_t)hash + 1, anchor.n);
  hm_buf_free(&b);
  return true;
}

void hm_row_index_init(hm_row_index *x, hm_arena *a, size_t n) {
  size_t cap = 8;
  while (cap / 2 < n)
    cap *= 2;
  *x = (hm_row_index){ hm_alloc_array(a, cap, sizeof *x->places), cap - 1, hm_random_seed() };
}

/* A place holds the upper half of the hash, and the row's number plus one, so that none is 0. */
#define TAG ((uint64_t)UINT32_MAX << 32)

void hm_row_index_add(hm_row_index *x, hm_str id, uint32_t row) {
  uint64_t h = hm_str_hash_seeded(id, x->seed);
  size_t i = h & x->mask;
  while (x->places[i])
    i = (i + 1) & x->mask;
  x->places[i] = (h & TAG) | ((uint64_t)row + 1);
}

uint32_t hm_snapshot_row(const hm_snapshot *s, hm_layer l, hm_str id) {
  const hm_row_index *x = &s->by_id[l];
  if (!x->places)
    return HM_MAP_NONE;
  uint64_t h = hm_str_hash_seeded(id, x->seed);
  for (size_t i = h & x->mask; x->places[i]; i = (i + 1) & x->mask) {
    uint32_t row = (uint32_t)x->places[i] - 1;
    if ((x->places[i] & TAG) == (h & TAG) && hm_str_eq(s->rows[row].id, id))
      return row;
  }
  return HM_MAP_NONE;
}

uint32_t hm_snapshot_ref(const hm_snapshot *s, hm_layer layer, hm_str ref) {
  hm_layer named;
  hm_str id;
  uint32_t row = hm_ref_parse(ref, &named, &id) ? hm_snapshot_row(s, named, id) : HM_MAP_NONE;
  if (row != HM_MAP_NONE)
    return row;
  /* An id may itself begin like a reference. */
  return hm_snapshot_row(s, layer, ref);
}

static const size_t NAMING[HM_N_NAMES] = {
  [HM_NAMES_FROM] = offsetof(hm_row, from),
  [HM_NAMES_TO] = offsetof(hm_row, to),
  [HM_NAMES_SUPERSEDED_BY] = offsetof(hm_row, superseded_by),
  [HM_NAMES_GRADUATED_TO] = offsetof(hm_row, graduated_to),
};

hm_str hm_row_naming(const hm_row *r, hm_naming column) {
  return *(const hm_str *)(const void *)((const char *)r + NAMING[column]);
}

uint32_t hm_snapshot_named(const hm_snapshot *s, uint32_t row, hm_naming column) {
  if (s->named)
    return s->named[row][column];
  const hm_row *r = &s->rows[row];
  hm_layer within = column == HM_NAMES_SUPERSEDED_BY ? r->layer : HM_ENTITY;
  hm_str ref = hm_row_naming(r, column);
  return ref.n ? hm_snapshot_ref(s, within, ref) : HM_MAP_NONE;
}

enum { STRETCH = 4096 }; /* rows that a thread looks at */

typedef struct {
  const hm_snapshot *s;
  uint32_t (*named)[HM_N_NAMES];
} resolving;

static int resolve_stretch(void *ctx, size_t i, int worker) {
  const resolving *r = ctx;
  (void)worker;
  for (size_t k = i * STRETCH; k < (i + 1) * STRETCH && k < r->s->n_rows; k++)
    for (hm_naming c = 0; c < HM_N_NAMES; c++)
      r->named[k][c] = hm_snapshot_named(r->s, (uint32_t)k, c);
  return 0;
}

void hm_snapshot_resolve_refs(hm_snapshot *s, int threads, hm_arena *a) {
  resolving r = { s, hm_alloc_array(a, s->n_rows, sizeof *r.named) };
  hm_par_for((s->n_rows + STRETCH - 1) / STRETCH, threads, resolve_stretch, &r, NULL);
  s->named = r.named;
}

bool hm_member_is_removed(const hm_snapshot *s, const hm_member_rec *m, hm_arena *a) {
  uint32_t row = m->removed ? hm_snapshot_row(s, m->layer, m->id) : HM_MAP_NONE;
  if (row == HM_MAP_NONE)
    return false;
  const hm_json *props = hm_json_parse_as(a, s->rows[row].props, HM_JSON_OBJECT);
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next)
    if (hm_str_eq(p->key, m->field))
      return false;
  return true;
}
