#include "core/review/entries.h"

#include "core/base/digest.h"
#include "core/claim/depends.h"
#include "core/detect/conflict.h"

/* Says how claims are read from rows and slots are named: to be raised when either changes. */
static const char reading[] = "1";

uint64_t hm_slot_hash(hm_str slot_key) { return hm_str_hash(slot_key); }
uint64_t hm_names_hash(hm_str id) { return hm_str_hash(id); }
uint64_t hm_type_hash(hm_str type_key) { return hm_str_hash(type_key); }

static void add_list(hm_sha256 *h, const hm_str *v, size_t n) {
  unsigned char count[8];
  for (int i = 0; i < 8; i++) count[i] = (unsigned char)((uint64_t)n >> 8 * i);
  hm_sha256_add(h, (hm_str){ (const char *)count, sizeof count });
  for (size_t i = 0; i < n; i++) hm_sha256_field(h, v[i]);
}

/* Tolerances are not among them: they compare claims, and the index holds no values. */
hm_str hm_entries_rules(const hm_rules *rules, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, hm_str_c(reading));
  add_list(&h, rules->prose, rules->n_prose);
  add_list(&h, rules->text_fields, rules->n_text_fields);
  return hm_sha256_hex(&h, a, 16);
}

static void add_claims(const hm_snapshot *snap, const hm_claims *claims, const bool *only, hm_index_entries *out, hm_arena *scratch) {
  for (size_t i = 0; i < claims->n; i++) {
    const hm_claim *c = &claims->claims[i];
    if (only && !only[c->row]) continue;
    uint64_t key = hm_slot_hash(hm_conflict_slot_key(scratch, snap, c));
    hm_index_entries_add(out, (hm_index_entry){ key, (hm_index_kind)c->layer, snap->rows[c->row].id });
    hm_arena_reset(scratch);
  }
}

static void add_names(const hm_row *row, hm_index_entries *out, hm_arena *scratch) {
  hm_str ids[HM_ELEMENTS_MAX];
  size_t n = hm_depends_on_ids(row, ids, scratch);
  for (size_t i = 0; i < n; i++)
    hm_index_entries_add(out, (hm_index_entry){ hm_names_hash(ids[i]), HM_INDEX_NAMES, row->id });
}

/* An entity makes its type known whatever its status is. */
static void add_type(const hm_row *row, hm_index_entries *out, hm_arena *scratch) {
  hm_str type = hm_depends_on_type(row, scratch);
  hm_index_kind kind = row->layer == HM_ENTITY ? HM_INDEX_TYPE : HM_INDEX_CATEGORY;
  if (type.n) hm_index_entries_add(out, (hm_index_entry){ hm_type_hash(type), kind, row->id });
}

void hm_entries_of(const hm_snapshot *snap, const hm_claims *claims, const bool *only, hm_index_entries *out) {
  hm_arena *scratch = hm_arena_new();
  add_claims(snap, claims, only, out, scratch);
  for (size_t i = snap->first[HM_ENTITY]; i < snap->first[HM_RELATION]; i++) {
    const hm_row *row = &snap->rows[i];
    if (only && !only[i]) continue;
    if (row->layer == HM_ENTITY || row->status == HM_ACTIVE) add_type(row, out, scratch);
    if (row->layer == HM_ENTITY && row->status == HM_ACTIVE) add_names(row, out, scratch);
    hm_arena_reset(scratch);
  }
  hm_arena_free(scratch);
}
