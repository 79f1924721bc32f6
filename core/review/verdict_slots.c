/* Under which key the slot of an imported verdict is now.
 *
 * A kind of relation whose slots are told apart by the type of the other end (BELONGS_TO) once had
 * one slot for all types. So a verdict with such a key is about the slot in which two of its
 * members claim now what they claimed then, in the same field; about none where no two do.
 * In a store itself a record goes on by its members (conflict_match.c); here there is none yet.
 * Cost: the members of verdicts with such a key. */
#include "core/review/verdict_impl.h"

#include "core/base/json.h"
#include "core/claim/relation.h"
#include "core/detect/conflict.h"
#include "core/review/slot_sweep.h"

static bool is_older_key(const hm_rules *rules, hm_str slot_key, hm_arena *scratch) {
  const hm_json *key = hm_json_parse_as(scratch, slot_key, HM_JSON_ARRAY);
  if (!key || key->count != 3) return false;
  hm_str space = key->child->next->text;
  const hm_relation_kind *k = hm_relation_kind_of_space(hm_config_relation_kinds(rules), space);
  return k && k->by_type && hm_str_is(space, k->name);
}

/* Does this member of the verdict claim so now? */
static bool claims_still(const hm_member_rec *m, const hm_snapshot *snap, const hm_claim *c) {
  return m->layer == c->layer && hm_str_eq(m->id, snap->rows[c->row].id) &&
      hm_str_eq(m->field, c->field) && hm_str_eq(m->normal, c->value.norm);
}

static void find_slot(hm_verdict_line *v, const hm_snapshot *snap, const hm_claims *claims,
                      hm_arena *a) {
  hm_map slots;
  hm_map_init(&slots, a, v->n_members);
  for (size_t i = 0; i < v->n_members; i++)
    for (size_t k = 0; k < claims->n; k++) {
      if (!claims_still(&v->members[i], snap, &claims->claims[k])) continue;
      hm_str key = hm_conflict_slot_key(a, snap, &claims->claims[k]);
      if (hm_map_get(&slots, key) != HM_MAP_NONE) {
        v->slot_key = key;
        return;
      }
      hm_map_add(&slots, key, 0);
    }
}

static int set_slot(hm_store *s, const hm_rules *rules, hm_verdict_line *v, hm_arena *a,
                    hm_err *err) {
  hm_claim_reader r;
  hm_snapshot *snap;
  hm_claims *claims;
  hm_claim_reader_begin(&r, s, false, a);
  for (size_t i = 0; i < v->n_members; i++)
    hm_claim_reader_want(&r, v->members[i].layer, v->members[i].id);
  int rc = hm_claim_reader_read(&r, rules, &snap, &claims, err);
  hm_claim_reader_end(&r);
  if (rc) return -1;
  find_slot(v, snap, claims, a);
  hm_claims_free(claims);
  return 0;
}

int hm_verdicts_update_slot_keys(hm_store *s, const hm_rules *rules, hm_known_verdict *v, size_t n,
                                 hm_arena *a, hm_err *err) {
  for (size_t i = 0; i < n; i++) {
    if (v[i].state != HM_VERDICT_WAITS || !is_older_key(rules, v[i].line.slot_key, a)) continue;
    if (set_slot(s, rules, &v[i].line, a, err)) return -1;
  }
  return 0;
}
