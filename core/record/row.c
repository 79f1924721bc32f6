/* Kinds, states and members of rows as words, rows by id, and the digest of a snapshot: see row.h.
 *
 * Equal stores have equal digests. A digest covers everything that can show, in sorted order, each
 * string with its length. Rows are hashed in chunks on all cores, each conflict alone, projects and
 * links together, then all these digests in order. */
#include <endian.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/base/sort.h"
#include "core/notes/notes.h"
#include "core/record/row.h"

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
  if (!c)
    c = hm_str_cmp(a->field, b->field);
  return c ? c : hm_str_cmp(a->source, b->source);
}

const hm_evidence *hm_snapshot_evidence(const hm_snapshot *s, uint32_t row, size_t *n) {
  *n = 0;
  if (!s->n_evidence)
    return NULL;
  size_t i = hm_lower_bound(s->evidence, s->n_evidence, sizeof *s->evidence, &row, hm_order_u32);
  while (i + *n < s->n_evidence && s->evidence[i + *n].row == row)
    ++*n;
  return *n ? &s->evidence[i] : NULL;
}

bool hm_snapshot_is_gone(const hm_snapshot *s, uint32_t row) {
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(s, row, &n);
  bool gone = e != NULL;
  for (size_t i = 0; i < n; i++)
    gone &= e[i].gone;
  return gone;
}

const hm_said_value *hm_evidence_field(const hm_evidence *e, hm_str field) {
  const hm_said_value key = { .field = field };
  if (!e->n_fields)
    return NULL;
  return bsearch(&key, e->fields, e->n_fields, sizeof *e->fields, hm_order_str);
}

int hm_conflict_order(const void *x, const void *y) {
  const hm_conflict_rec *a = x, *b = y;
  int d = hm_str_cmp(a->slot_key, b->slot_key);
  return d ? d : hm_str_cmp(a->id, b->id);
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

const hm_row *hm_snapshot_find_entity(const hm_snapshot *s, hm_str id) {
  uint32_t row = hm_snapshot_row(s, HM_ENTITY, id);
  if (row != HM_MAP_NONE)
    return &s->rows[row];
  return s->around ? hm_snapshot_find_entity(s->around, id) : NULL;
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

hm_str hm_row_file_line(const hm_row *r, hm_arena *a) {
  hm_str *refs;
  bool state = r->layer == HM_STATE && hm_str_starts(r->id, "s-");
  if (!r->sources.n || !(state || r->layer == HM_MEMORY) ||
      !hm_sources_parse(a, r->layer, r->sources, &refs))
    return HM_EMPTY;
  hm_str path = hm_tree_line_path(refs[0]);
  bool file = state ? path.n && hm_tree_kind_of(path) == HM_TREE_MANIFEST
                    : hm_notes_is_line(r->id, refs[0]);
  return file ? refs[0] : HM_EMPTY;
}

/* --- the digest of a snapshot --------------------------------------------------------------- */

static void put_int(hm_buf *b, uint64_t v) {
  v = htole64(v);
  hm_buf_add(b, &v, sizeof v);
}

static void put(hm_buf *b, hm_str s) {
  put_int(b, s.n);
  hm_buf_str(b, s);
}

/* As put, for many at once. */
static void put_fields(hm_buf *b, const hm_str *fields, size_t n) {
  size_t size = n * sizeof(uint64_t);
  for (size_t i = 0; i < n; i++)
    size += fields[i].n;
  if (!hm_buf_room(b, size))
    return;
  char *at = b->p + b->n;
  for (size_t i = 0; i < n; i++) {
    uint64_t length = htole64(fields[i].n);
    memcpy(at, &length, sizeof length);
    at += sizeof length;
    if (fields[i].n)
      memcpy(at, fields[i].p, fields[i].n);
    at += fields[i].n;
  }
  b->n = (size_t)(at - b->p);
}

/* Adds b to h and clears it if it has more than `beyond` bytes, since a buffer has a maximum
 * size. */
static void flush_digest(hm_sha256 *h, hm_buf *b, size_t beyond) {
  if (b->n <= beyond)
    return;
  hm_sha256_add(h, hm_buf_view(b));
  hm_buf_clear(b);
}

/* All that can show of a row, which needs details. Columns of the clock are left out. */
static void row_bytes(const hm_snapshot *s, size_t i, hm_buf *b) {
  const hm_row *row = &s->rows[i];
  const hm_row_detail *d = &s->details[i];
  put_int(b,
          (uint64_t)row->via << 24 | (uint64_t)row->layer << 16 | (uint64_t)row->status << 8 |
              (uint64_t)row->value_is_json << 1 | d->hand_authored);
  put(b, s->projects[row->project].id);
  const hm_str fields[] = { row->id,           row->type,       row->name,
                            row->text,         row->props,      row->from,
                            row->to,           row->slot_rule,  row->valid_from,
                            row->valid_until,  row->created_at, row->superseded_by,
                            row->graduated_to, d->source_refs,  row->tags,
                            d->confidence,     d->importance,   d->polarity,
                            row->scope,        row->agent,      d->superseded_at,
                            row->updated_at };
  put_fields(b, fields, HM_COUNT(fields));
  if (row->via)
    put(b, d->via);
}

static void project_bytes(const hm_project *p, hm_buf *b) {
  const hm_str fields[] = { p->id, p->name, p->description, p->created_at, p->updated_at };
  for (size_t k = 0; k < HM_COUNT(fields); k++)
    put(b, fields[k]);
  put_int(b, p->declared);
  put_int(b, p->n_aliases);
  for (size_t k = 0; k < p->n_aliases; k++)
    put(b, p->aliases[k]);
}

static void put_decision(const hm_past_decision *d, hm_buf *b) {
  if (!d) {
    put_int(b, 0);
    return;
  }
  const hm_str fields[] = { d->status, d->action, d->winner, d->notes, d->by, d->at };
  for (size_t k = 0; k < HM_COUNT(fields); k++)
    put(b, fields[k]);
}

/* Without detected_at: when a sweep ran is not part of the content. */
/* Appends all that can show of a conflict: equal bytes mean equal records. */
static void put_canonical(const hm_conflict_rec *c, hm_buf *b) {
  const hm_str fields[] = { c->id,          c->slot_kind,    c->slot_key,    c->project,
                            c->resolved_at, c->resolution,   c->resolved_by, c->action,
                            c->winner,      c->rule,         c->anchor,      c->merged_into,
                            c->window_from, c->window_until, c->scope };
  for (size_t k = 0; k < HM_COUNT(fields); k++)
    put(b, fields[k]);
  put_decision(c->taken_back, b);
  put_decision(c->reopened, b);
  if (c->winner_source.n)
    put(b, c->winner_source);
  put_int(b, c->status);
  put_int(b, (uint64_t)c->rule_version);
  put_int(b, c->n_members);
  for (size_t k = 0; k < c->n_members; k++) {
    const hm_member_rec *m = &c->members[k];
    const hm_str member[] = { m->id, m->field, m->value, m->normal, m->conflicts_with };
    put_int(b, (uint64_t)m->layer << 2 | (uint64_t)m->removed << 1 | m->flagged);
    for (size_t f = 0; f < HM_COUNT(member); f++)
      put(b, member[f]);
    if (m->source.n) {
      put_int(b, UINT64_MAX); /* no member begins so */
      put(b, m->source);
    }
  }
}

/* Texts of what sources say: only where a store has any. */
static void put_evidence(const hm_snapshot *s, const hm_evidence *e, hm_buf *b) {
  put_int(b, s->rows[e->row].layer);
  put(b, s->rows[e->row].id);
  put(b, e->source);
  put(b, e->date);
  put_int(b, e->n_fields);
  for (size_t i = 0; i < e->n_fields; i++) {
    const hm_said_value *f = &e->fields[i];
    put(b, f->field);
    put(b, f->value);
    put(b, f->at);
    put(b, f->past);
    put_int(b, f->over);
  }
}

/* --- the whole ------------------------------------------------------------- */

enum { FEW = 100 }; /* conflicts that are hashed on one thread */

static void sum_frame(const hm_snapshot *s, unsigned char out[32]) {
  hm_sha256 h;
  hm_buf b = { 0 };
  hm_sha256_init(&h);
  put_int(&b, s->n_projects);
  for (size_t i = 0; i < s->n_projects; i++) {
    project_bytes(&s->projects[i], &b);
    flush_digest(&h, &b, 1 << 16);
  }
  put_int(&b, s->n_links);
  for (size_t i = 0; i < s->n_links; i++) {
    put(&b, s->links[i].src);
    put(&b, s->links[i].dst);
    put(&b, s->links[i].rel);
    flush_digest(&h, &b, 1 << 16);
  }
  for (size_t i = 0; i < s->n_evidence; i++) {
    put_evidence(s, &s->evidence[i], &b);
    flush_digest(&h, &b, 1 << 16);
  }
  flush_digest(&h, &b, 0);
  hm_sha256_end(&h, out);
  hm_buf_free(&b);
}

/* --- rows by chunks ---------------------------------------------------------- */

/* A chunk begins at the first row and at each row whose id's hash says so, so a new row changes one
 * chunk's digest only. */
enum {
  ONE_IN = 1024, /* rows begin a chunk, about */
  STRETCH = 8192 /* rows that a thread looks at */
};

static bool begins_chunk(const hm_snapshot *s, size_t row) {
  return row == 0 || hm_str_hash(s->rows[row].id) % ONE_IN == 0;
}

/* Returns where the next chunk begins. */
static size_t add_chunk(hm_snapshot *s, size_t from, hm_buf *digests) {
  unsigned char digest[32];
  hm_sha256 h;
  hm_buf b = { 0 };
  size_t i = from;
  hm_sha256_init(&h);
  do {
    row_bytes(s, i, &b);
    flush_digest(&h, &b, 1 << 16);
  } while (++i < s->n_rows && !begins_chunk(s, i));
  flush_digest(&h, &b, 0);
  hm_sha256_end(&h, digest);
  hm_buf_add(digests, digest, sizeof digest);
  hm_buf_free(&b);
  return i;
}

typedef struct {
  hm_snapshot *s;
  hm_buf *digests; /* of the chunks that begin in each stretch of rows */
} job;

static int sum_part(void *ctx, size_t i, int worker) {
  job *j = ctx;
  size_t end = (i + 1) * STRETCH < j->s->n_rows ? (i + 1) * STRETCH : j->s->n_rows;
  (void)worker;
  size_t row = i * STRETCH;
  while (row < end && !begins_chunk(j->s, row))
    row++;
  while (row < end)
    row = add_chunk(j->s, row, &j->digests[i]);
  return 0;
}

/* Needs details. */
static void sum_rows(hm_snapshot *s, hm_arena *a) {
  size_t n = (s->n_rows + STRETCH - 1) / STRETCH, size = 0;
  unsigned char frame[32];
  hm_buf b = { 0 };
  hm_arena *tmp = hm_arena_new();
  job j = { s, hm_alloc_array(tmp, n, sizeof *j.digests) };
  s->rows_summed = hm_alloc(a, sizeof *s->rows_summed);
  hm_par_for(n, hm_par_cores(), sum_part, &j, NULL);
  for (size_t i = 0; i < n; i++)
    size += j.digests[i].n;
  put_int(&b, s->n_rows);
  put_int(&b, size / sizeof frame);
  for (size_t i = 0; i < n; i++) {
    hm_buf_str(&b, hm_buf_view(&j.digests[i]));
    hm_buf_free(&j.digests[i]);
  }
  sum_frame(s, frame);
  hm_buf_add(&b, frame, sizeof frame);
  hm_sha256_init(s->rows_summed);
  flush_digest(s->rows_summed, &b, 0);
  hm_buf_free(&b);
  hm_arena_free(tmp);
}

/* --- conflicts, and all ------------------------------------------------------- */

static int sum_conflict(void *ctx, size_t i, int worker) {
  const hm_snapshot *s = ctx;
  hm_conflict_rec *c = &s->conflicts[i];
  hm_buf b = { 0 };
  (void)worker;
  if (c->summed)
    return 0;
  put_canonical(c, &b);
  hm_sha256_digest(hm_buf_view(&b), c->sum);
  hm_buf_free(&b);
  c->summed = true;
  return 0;
}

static void sum_conflicts(hm_snapshot *s) {
  size_t missing = 0;
  for (size_t i = 0; i < s->n_conflicts; i++)
    missing += !s->conflicts[i].summed;
  hm_par_for(missing ? s->n_conflicts : 0, missing > FEW ? hm_par_cores() : 1, sum_conflict, s,
             NULL);
}

/* Adds nothing if there are no remarks. */
static void put_remarks(const hm_snapshot *s, hm_buf *b) {
  for (int k = 0; k < HM_N_REMARK_KINDS; k++)
    for (size_t i = 0; i < s->n_remarks[k]; i++) {
      const hm_remark *n = &s->remarks[k][i];
      const hm_str texts[] = { n->id, n->subject, n->evidence, n->reason, n->by, n->at };
      put_int(b, (size_t)k + 2 * n->withdrawn);
      for (size_t t = 0; t < HM_COUNT(texts); t++)
        put(b, texts[t]);
    }
}

/* Nothing where nothing was proposed. */
static void put_proposals(const hm_snapshot *s, hm_buf *b) {
  for (size_t k = 0; k < s->n_proposals; k++) {
    const hm_proposal *p = &s->proposals[k];
    const hm_str texts[] = { p->id, p->question, p->model, p->at, p->says, p->by, p->why, p->via };
    put_int(b, p->n);
    for (size_t t = 0; t < HM_COUNT(texts); t++)
      put(b, texts[t]);
    for (size_t i = 0; i < p->n; i++) {
      put(b, p->rows[i]);
      put(b, p->digests[i]);
    }
  }
}

/* Which namesakes share a source, whatever it is called; nothing where all have one. */
static void put_sources(const hm_snapshot *s, hm_buf *b, hm_arena *a) {
  hm_map numbers;
  hm_map_init(&numbers, a, 8);
  for (size_t i = 0; i < s->n_sources; i++)
    hm_map_add(&numbers, s->sources[i].source, (uint32_t)numbers.n);
  for (size_t i = 0; i < s->n_sources && numbers.n > 1; i++) {
    put_int(b, s->sources[i].row);
    put_int(b, hm_map_get(&numbers, s->sources[i].source));
  }
}

static void put_commits(const hm_snapshot *s, hm_buf *b) {
  for (size_t i = 0; i < s->n_commits; i++) {
    put(b, s->commits[i].ref);
    put(b, s->commits[i].place);
    put(b, s->commits[i].said);
  }
}

hm_str hm_snapshot_digest(hm_snapshot *s, hm_arena *a) {
  if (!s->details)
    return HM_EMPTY;
  hm_sha256 h;
  hm_buf b = { 0 };
  if (!s->rows_summed)
    sum_rows(s, a);
  sum_conflicts(s);
  h = *s->rows_summed;
  put_int(&b, s->n_conflicts);
  for (size_t i = 0; i < s->n_conflicts; i++)
    hm_buf_add(&b, s->conflicts[i].sum, sizeof s->conflicts[i].sum);
  put_remarks(s, &b);
  put_proposals(s, &b);
  put_sources(s, &b, a);
  put_commits(s, &b);
  flush_digest(&h, &b, 0);
  hm_buf_free(&b);
  return hm_sha256_hex(&h, a, 64);
}
