/* Rows to claims: "this row says that slot S has value V, from T1 until T2".
 *
 * Rows are read in chunks, by threads with memory of their own, and the chunks are put together
 * in their order, so the result is the same for any number of threads. A row, or a field, that
 * cannot be read as its type says claims nothing and gives a finding.
 * Cost: linear in the rows and the bytes of their texts.
 * Source: design section 6. The grammar of memories is memory.c, slots of entities slot.c. */
#include "core/claim/claim_impl.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/claim/slot.h"
#include "core/claim/world.h"

enum { CHUNK_ROWS = 1024, STRETCH = 32, SHOWN_MAX = 80 };

/* --- findings ---------------------------------------------------------------------- */

/* At most 80 bytes of s, repaired. */
static hm_str shown_text(reader *r, hm_str s) {
  hm_str cut = hm_text_cut(hm_text_repair(r->scratch, hm_str_sub(s, 0, 4 * SHOWN_MAX)), SHOWN_MAX);
  return cut.n < s.n ? hm_str_fmt(r->a, "%.*s…", HM_FMT(cut)) : hm_str_dup(r->a, cut);
}

static void add_finding(reader *r, hm_str rule, hm_str message, hm_str expected, hm_str actual) {
  chunk *c = r->out;
  uint32_t project = r->row->project;
  if (r->past) return;
  hm_str *ref = hm_alloc(r->a, sizeof *ref);
  *ref = hm_row_ref(r->a, r->row);
  hm_str said = HM_CAT(r->scratch, rule, HM_STR("\x1f"), *ref);
  hm_str digest = hm_str_digest_hex(r->scratch, said, 12);
  c->findings =
      hm_array_grow(c->findings, c->n_findings, &c->cap_findings, sizeof *c->findings);
  c->findings[c->n_findings++] = (hm_finding){
    .id = hm_str_fmt(r->a, "f%.*s", HM_FMT(digest)),
    .kind = HM_STR("ontology_violation"),
    .severity = HM_STR("warn"),
    .rule = rule,
    .project = project < r->snap->n_projects ? r->snap->projects[project].id : HM_EMPTY,
    .rows = ref,
    .n_rows = 1,
    .message = message,
    .expected = expected,
    .actual = actual,
  };
}

/* --- what the layers share ------------------------------------------------------------ */

void hm_row_add_claim(reader *r, hm_str name, hm_str field, hm_str compare, const hm_value *v) {
  if (v->kind == HM_V_NONE && !v->silent) return;
  claim_list *l = v->kind == HM_V_NONE ? &r->out->silences : &r->out->claims;
  if (r->proto.said && hm_story_claim_is_context(r->proto.said)) l = &r->out->context;
  if (v->kind == HM_V_NONE && l == &r->out->context) return;
  l->v = hm_array_grow(l->v, l->n, &l->cap, sizeof *l->v);
  hm_claim *c = &l->v[l->n++];
  *c = r->proto;
  if (c->layer != HM_RELATION && !c->space.n) name = hm_slot_drop_redundant_word(name);
  c->name = name;
  c->field = field;
  c->compare = compare;
  c->value = *v;
  c->hash = hm_hash_mix(hm_hash_mix(c->project, hm_str_hash(c->space)), hm_str_hash(name));
  if (l == &r->out->claims) r->speaks[c->row] = 1;
}

/* hm_value_reading.name_of. */
static hm_str name_of_id(void *ctx, hm_str id) {
  const reader *r = ctx;
  uint32_t at = hm_snapshot_row(r->snap, HM_ENTITY, id);
  if (at == HM_MAP_NONE) return HM_EMPTY;
  const hm_row *entity = &r->snap->rows[at];
  bool near = entity->project == r->row->project || !r->snap->projects[entity->project].id.n;
  return near ? entity->name : HM_EMPTY;
}

/* The window of these bounds: many rows of a world share one. NULL: *fault says why. */
static const hm_window *window_of(reader *r, hm_str from, hm_str until, hm_window_fault *fault) {
  uint32_t at = (uint32_t)(r->row - r->snap->rows);
  const hm_world *world = hm_world_find_by_row(r->snap, r->rules->worlds, at, r->scratch);
  uint64_t hash = hm_hash_mix(hm_str_hash(from), hm_str_hash(until));
  read_bounds *kept = &r->windows[hash % WINDOWS_KEPT];
  *fault = HM_WINDOW_OK;
  if (kept->window && kept->world == world && hm_str_eq(kept->from, from) &&
      hm_str_eq(kept->until, until))
    return kept->window;
  hm_window *w = hm_alloc(r->a, sizeof *w);
  *fault = hm_window_parse(world, from, until, r->snap->now, w);
  if (*fault != HM_WINDOW_OK) return NULL;
  *kept = (read_bounds){ world, from, until, w };
  return w;
}

bool hm_row_read_window(reader *r) {
  hm_claim *c = &r->proto;
  hm_str from = r->row->valid_from, until = r->row->valid_until;
  hm_window_fault fault = HM_WINDOW_OK;
  const hm_window *w = from.n || until.n ? window_of(r, from, until, &fault) : r->open;
  if (!w) {
    hm_fault_words say = hm_window_fault_words(fault);
    hm_str begin = shown_text(r, from), end = shown_text(r, until);
    hm_str both = hm_str_fmt(r->a, "from %.*s until %.*s", HM_FMT(begin), HM_FMT(end));
    add_finding(r, HM_STR("row/window"), hm_str_c(say.message), hm_str_c(say.expected),
                fault == HM_WINDOW_BAD_FROM        ? begin
                    : fault == HM_WINDOW_BAD_UNTIL ? end
                                                   : both);
    return false;
  }
  c->when = w;
  const hm_bound *begins = &c->when->begin;
  if (begins->known && !begins->axis && !begins->vague) c->stands = begins->first;
  else hm_time_parse(r->row->created_at, &c->stands, &(hm_precision){ 0 });
  return true;
}

/* --- project state ---------------------------------------------------------------------- */

static void read_state(reader *r) {
  const hm_row *row = r->row;
  hm_str name = hm_text_fold_name(r->a, row->name);
  hm_json *json = NULL;
  hm_value v;
  hm_err ignored;
  if (!name.n) return;
  bool as_text = hm_rules_is_text(r->rules, name);
  r->by.ordered = hm_rules_is_ordered(r->rules, name);
  if (!row->value_is_json) {
    hm_value_parse(&v, row->text, as_text, &r->by, r->units, r->a);
  } else if (hm_json_parse(r->a, row->text, &json, &ignored)) {
    add_finding(r, HM_STR("row/value"), HM_STR("the value cannot be compared: it is no JSON"),
                HM_STR("JSON"), shown_text(r, row->text));
    return;
  } else {
    hm_value_parse_json(&v, json, as_text, &r->by, r->units, r->a);
  }
  if (v.kind == HM_V_NONE && !v.silent) return;
  /* hm_claim.compare: the entity type that the category names, else the category. */
  hm_str type = hm_entity_type_key(r->scratch, row->type), other = HM_EMPTY;
  if (!type.n || !(hm_entity_type_find(type) || hm_map_get(r->types, type) != HM_MAP_NONE)) {
    type = HM_EMPTY;
    other = hm_slot_shorten_part(r->scratch, row->type);
  }
  hm_row_add_claim(r, name, HM_STR("value"),
                   hm_str_fmt(r->a, "%.*s\x1f%.*s", HM_FMT(type), HM_FMT(other)), &v);
}

/* --- entities ------------------------------------------------------------------------------ */

/* An entity while its properties are read: one claim for each that is neither an element of the
 * slot nor prose. */
typedef struct {
  reader *r;
  hm_entity_slot slot;
  const hm_prop *props; size_t n;
  const hm_prop *main;
  const hm_prop *unit;     /* taken into the main value */
} entity;

/* NULL, with a finding: the properties are no object. */
static const hm_json *parse_props(reader *r) {
  static const hm_json none = { .type = HM_JSON_OBJECT, .key = { "", 0 }, .text = { "", 0 } };
  hm_str text = hm_str_trim(r->row->props), why = HM_STR("another kind of value");
  if (!text.n || hm_str_is(text, "{}")) return &none;
  hm_json *v = NULL;
  hm_err err;
  if (hm_json_parse(r->scratch, text, &v, &err)) why = hm_str_c(err.why);
  else if (v->type == HM_JSON_NULL) return &none;
  else if (v->type == HM_JSON_OBJECT) return v;
  why = shown_text(r, why);
  add_finding(r, HM_STR("row/properties"),
              hm_str_fmt(r->a,
                         "the properties are no JSON object (%.*s); no field of them can be read",
                         HM_FMT(why)),
              HM_STR("a JSON object"), shown_text(r, text));
  return NULL;
}

/* The property `unit` or `units` that says something, or NULL. */
static const hm_prop *find_unit(const entity *e) {
  for (const hm_prop *p = e->props; p < e->props + e->n; p++) {
    bool named = hm_str_is(p->name, "unit") || hm_str_is(p->name, "units");
    if (named && p->v->type == HM_JSON_STRING && hm_str_trim(p->v->text).n) return p;
  }
  return NULL;
}

/* "Value" beside "value" says something of the same field. */
static bool is_main(const entity *e, const hm_prop *p) {
  return e->main && hm_str_eq(p->name, e->main->name);
}

static bool claims_nothing(const entity *e, const hm_prop *p) {
  if (is_main(e, p)) return false;
  if (p == e->unit || (e->slot.type && e->slot.type->main_only) || !p->name.n) return true;
  if (hm_str_is(p->name, "claim_kind")) return true;
  return hm_slot_is_element(&e->slot, p->name) || hm_rules_is_prose(e->r->rules, p->name);
}

/* The tree of the properties goes with the row, what is shown stays. */
static void copy_raw(hm_value *v, hm_arena *a) {
  if (!hm_value_has_parts(v)) v->raw = hm_str_dup(a, v->raw);
  for (size_t i = 0; i < v->n_items; i++) copy_raw(&v->items[i], a);
}

/* name: the slot's. */
static void read_prop(entity *e, const hm_prop *p, hm_str name, hm_value *out) {
  reader *r = e->r;
  bool as_text = hm_rules_is_text(r->rules, name);
  r->by.ordered = hm_rules_is_ordered(r->rules, name);
  hm_value_parse_json(out, p->v, as_text, &r->by, r->units, r->a);
  if (out->kind != HM_V_NONE || out->silent) copy_raw(out, r->a);
  const hm_prop *unit = !as_text && is_main(e, p) ? find_unit(e) : NULL;
  if (unit && hm_value_add_unit(out, hm_str_trim(unit->v->text), r->units, r->a)) e->unit = unit;
}

static bool reads_story(reader *r, const entity *e, const hm_prop *p) {
  return p->v->type == HM_JSON_STRING && r->rules->story &&
      hm_story_reads_field(r->rules->story, e->slot.key, p->name, r->scratch);
}

static void read_entity(reader *r) {
  const hm_json *object = parse_props(r);
  hm_value main, v;
  if (!object) return;
  entity e = { .r = r, .n = object->count, .props = hm_props_collect(object, r->scratch) };
  hm_entity_slot_read(&e.slot, r->snap, r->row, e.props, e.n, r->scratch);
  if (e.slot.type && e.slot.type->silent) return;
  e.main = hm_slot_main_prop(&e.slot, e.props, e.n);
  /* First: what it takes as its unit claims nothing. */
  if (e.main) read_prop(&e, e.main, hm_slot_name(r->scratch, &e.slot, HM_EMPTY), &main);
  for (const hm_prop *p = e.props; p < e.props + e.n; p++) {
    if (reads_story(r, &e, p)) {
      hm_row_read_prose(r, hm_str_dup(r->a, p->v->text), r->row->name, hm_str_dup(r->a, p->v->key),
                        hm_str_dup(r->a, e.slot.key));
      continue;
    }
    if (claims_nothing(&e, p)) continue;
    hm_str field = is_main(&e, p) ? HM_EMPTY : p->name;
    hm_str name = hm_slot_name(r->a, &e.slot, field);
    if (!name.n) continue;
    if (p == e.main) v = main;
    else read_prop(&e, p, name, &v);
    if (v.kind != HM_V_NONE || v.silent)
      hm_row_add_claim(r, name, hm_str_dup(r->a, p->v->key),
                       hm_claim_compare_key(r->a, &e.slot, field), &v);
  }
}

/* --- all rows -------------------------------------------------------------------------------- */

static void read_row(reader *r, uint32_t i) {
  const hm_row *row = r->row = &r->snap->rows[i];
  bool past = row->status == HM_SUPERSEDED && !r->any_status;
  if (row->status != HM_ACTIVE && !r->any_status && !past) return;
  if (past && !hm_story_reads_row(r->rules->story, row)) return;
  r->past = past;
  r->proto = (hm_claim){ .row = i,
                         .project = row->project,
                         .layer = row->layer,
                         .space = HM_EMPTY,
                         .stands = HM_TIME_MIN };
  hm_arena_reset(r->scratch);
  if (hm_props_claim_kind(row->props, r->scratch).n) return;
  if (row->layer == HM_RELATION) hm_row_read_relation(r);
  else if (!hm_row_read_window(r)) return;
  if (row->layer == HM_MEMORY) hm_row_read_memory(r);
  if (row->layer == HM_STATE) read_state(r);
  if (row->layer == HM_ENTITY) read_entity(r);
}

/* Chunks are read a stretch at a time, and the claims of a stretch are put in their place before
 * the next is read: so all claims stand in memory once, and those of a few chunks for each worker
 * a second time. */
typedef struct {
  const uint32_t *rows; size_t n_rows;   /* rows NULL: all of the snapshot */
  reader *workers; int n_workers;
  chunk *chunks; size_t n_chunks;
  size_t first, end;                     /* chunks of the stretch that is read: at most STRETCH */
  claim_list room[STRETCH];              /* for the claims of its chunks */
  size_t cap;                            /* of out->claims */
  hm_containment *containment;
  hm_claims *out;
} job;

static int read_chunk(void *ctx, size_t i, int worker) {
  job *j = ctx;
  reader *r = &j->workers[worker];
  size_t k = (j->first + i) * CHUNK_ROWS;
  size_t end = k + CHUNK_ROWS < j->n_rows ? k + CHUNK_ROWS : j->n_rows;
  r->out = &j->chunks[j->first + i];
  r->out->claims = j->room[i];
  for (; k < end; k++) read_row(r, j->rows ? j->rows[k] : (uint32_t)k);
  j->room[i] = (claim_list){ .v = r->out->claims.v, .cap = r->out->claims.cap };
  return 0;
}

static int place_claims(void *ctx, size_t i, int worker) {
  (void)worker;
  const job *j = ctx;
  const chunk *c = &j->chunks[j->first + i];
  if (c->claims.n)
    memcpy(j->out->claims + c->claims_at, c->claims.v, c->claims.n * sizeof *j->out->claims);
  return 0;
}

static void make_room(job *j, size_t n) {
  if (n <= j->cap) return;
  j->cap = n + n / 2;
  j->out->claims = hm_xrealloc(j->out->claims, j->cap * sizeof *j->out->claims);
}

static void read_chunks(job *j) {
  hm_claims *out = j->out;
  size_t stretch = (size_t)j->n_workers * 4 < STRETCH ? (size_t)j->n_workers * 4 : STRETCH;
  j->cap = j->n_rows;   /* most rows claim one thing */
  out->claims = hm_xmalloc(j->cap * sizeof *out->claims);
  for (j->first = 0; j->first < j->n_chunks; j->first = j->end) {
    j->end = j->first + stretch < j->n_chunks ? j->first + stretch : j->n_chunks;
    hm_par_for(j->end - j->first, j->n_workers, read_chunk, j, NULL);
    for (chunk *c = j->chunks + j->first; c < j->chunks + j->end; c++) {
      c->claims_at = out->n;
      out->n += c->claims.n;
    }
    make_room(j, out->n);
    hm_par_for(j->end - j->first, j->n_workers, place_claims, j, NULL);
  }
  for (size_t i = 0; i < STRETCH; i++) free(j->room[i].v);
}

static void move_array(void *to, void *from, size_t bytes) {
  if (bytes) memcpy(to, from, bytes);
  free(from);
}

/* All but the claims. */
static int place_chunk(void *ctx, size_t i, int worker) {
  (void)worker;
  job *j = ctx;
  chunk *c = &j->chunks[i];
  hm_claims *out = j->out;
  move_array(out->claims + out->n + c->context_at, c->context.v,
             c->context.n * sizeof *out->claims);
  move_array(out->silences + c->silences_at, c->silences.v, c->silences.n * sizeof *out->silences);
  move_array(out->findings + c->findings_at, c->findings, c->n_findings * sizeof *out->findings);
  return 0;
}

static int by_id(const void *x, const void *y) {
  return hm_str_cmp(((const hm_finding *)x)->id, ((const hm_finding *)y)->id);
}

static void place_chunks(job *j) {
  hm_claims *out = j->out;
  hm_arena *a = out->arenas[j->n_workers];
  hm_inclusions **inclusions = hm_alloc_array(a, j->n_chunks, sizeof *inclusions);
  for (chunk *c = j->chunks; c < j->chunks + j->n_chunks; c++) {
    inclusions[c - j->chunks] = &c->inclusions;
    c->context_at = out->n_context;
    c->silences_at = out->n_silences;
    c->findings_at = out->n_findings;
    out->n_context += c->context.n;
    out->n_silences += c->silences.n;
    out->n_findings += c->n_findings;
  }
  make_room(j, out->n + out->n_context);
  out->silences = hm_xmalloc(out->n_silences * sizeof *out->silences);
  out->findings = hm_xmalloc(out->n_findings * sizeof *out->findings);
  hm_par_for(j->n_chunks, j->n_workers, place_chunk, j, NULL);
  hm_containment_fill(j->containment, inclusions, j->n_chunks, a);
  if (out->n_findings) qsort(out->findings, out->n_findings, sizeof *out->findings, by_id);
}

/* Keys of the types that the store brought: a state's category may name one. Rows of one type
 * mostly share its text. */
static hm_map types_of(const hm_snapshot *snap, hm_arena *a) {
  hm_map types, seen;
  hm_str last = HM_EMPTY;
  hm_map_init(&types, a, 32);
  hm_map_init(&seen, a, 32);
  for (size_t i = snap->first[HM_ENTITY]; i < snap->first[HM_ENTITY + 1]; i++) {
    hm_str type = snap->rows[i].type;
    if (i > snap->first[HM_ENTITY] && type.p == last.p && type.n == last.n) continue;
    size_t before = seen.n;
    last = type;
    hm_map_add(&seen, type, 0);
    if (seen.n != before) hm_map_add(&types, hm_entity_type_key(a, type), 0);
  }
  return types;
}

/* Lives in a, or borrows from snap. */
static const hm_existences *lives_of(const hm_snapshot *snap, const hm_rules *rules, int threads,
                                     hm_arena *a) {
  if (snap->lives || snap->first[HM_RELATION] == snap->first[HM_RELATION + 1]) return snap->lives;
  hm_existences *lives = hm_alloc(a, sizeof *lives);
  hm_existences_build(snap, rules, threads, a, lives);
  return lives;
}

/* rows NULL: all, the active ones; else n of them, whatever their status is. */
static int read_claims(const hm_snapshot *snap, const hm_rules *rules, const uint32_t *rows,
                       size_t n, int threads, hm_claims **out, hm_err *err) {
  if (snap->n_rows >= UINT32_MAX)
    return hm_fail(err, HM_E_STORE, "claims", "more than 4294967294 rows", "split the store");
  hm_arena *a = hm_arena_new();
  hm_claims *claims = hm_xmalloc(sizeof *claims);
  job j = {
    .rows = rows, .n_rows = n, .out = claims, .n_chunks = (n + CHUNK_ROWS - 1) / CHUNK_ROWS
  };
  j.n_workers = (size_t)threads > j.n_chunks ? (int)j.n_chunks : threads;
  if (j.n_workers < 1) j.n_workers = 1;
  if (j.n_workers > 1) hm_units_preload();
  j.workers = hm_alloc_array(a, (size_t)j.n_workers, sizeof *j.workers);
  j.chunks = hm_alloc_array(a, j.n_chunks, sizeof *j.chunks);
  hm_map types = types_of(snap, a);
  j.containment = hm_containment_new(a);
  const hm_families *families =
      hm_families_prepare(rules->story ? rules->story->families : NULL, a);
  size_t n_crowded;
  const hm_time *crowded = hm_list_crowded_seconds(snap, a, &n_crowded);
  *claims = (hm_claims){ .n_arenas = j.n_workers + 1,
                         .speaks = hm_alloc_array(a, snap->n_rows, sizeof *claims->speaks) };
  claims->arenas = hm_xmalloc((size_t)claims->n_arenas * sizeof *claims->arenas);
  claims->arenas[j.n_workers] = a;
  hm_window_parse(NULL, HM_EMPTY, HM_EMPTY, snap->now, &claims->open);
  claims->lives = lives_of(snap, rules, j.n_workers, a);
  for (int i = 0; i < j.n_workers; i++) {
    reader *r = &j.workers[i];
    claims->arenas[i] = hm_arena_new();
    *r = (reader){ .snap = snap,
                   .rules = rules,
                   .types = &types,
                   .containment = j.containment,
                   .lives = claims->lives,
                   .families = families,
                   .crowded = crowded,
                   .n_crowded = n_crowded,
                   .a = claims->arenas[i],
                   .scratch = hm_arena_new(),
                   .units = hm_units_new(),
                   .by = { rules, name_of_id, r, false, families },
                   .open = &claims->open,
                   .windows = hm_alloc_array(a, WINDOWS_KEPT, sizeof *r->windows),
                   .speaks = claims->speaks,
                   .any_status = rows != NULL };
  }
  read_chunks(&j);
  place_chunks(&j);
  hm_claims_reread_values(claims, a);
  hm_judged_claims_add(claims, snap, rows, n, a);
  for (int i = 0; i < j.n_workers; i++) {
    hm_arena_free(j.workers[i].scratch);
    hm_units_free(j.workers[i].units);
  }
  *out = claims;
  return 0;
}

int hm_claims_read(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out,
                   hm_err *err) {
  return read_claims(snap, rules, NULL, snap->n_rows, threads, out, err);
}

int hm_claims_read_rows(const hm_snapshot *snap, const hm_rules *rules, const uint32_t *rows,
                        size_t n, int threads, hm_claims **out, hm_err *err) {
  return read_claims(snap, rules, rows, n, threads, out, err);
}

void hm_claims_free(hm_claims *c) {
  if (!c) return;
  for (int i = 0; i < c->n_arenas; i++) hm_arena_free(c->arenas[i]);
  free(c->arenas);
  free(c->claims);
  free(c->silences);
  free(c->findings);
  free(c);
}
