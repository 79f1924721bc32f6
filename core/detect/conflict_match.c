/* Decides which recorded conflict continues as which dispute.
 *
 * An open or merged record belongs to the dispute of its rule and slot key that has one of its
 * members (layer, id, field): of several, the one with its anchor, else the one with most of its
 * members, else the first. A record from before anchors were stored counts as anchored at its
 * earliest remaining member. Of several open records in one dispute, the one with the older anchor
 * continues and the others merge into it.
 *
 * A dispute without a record on its key may continue one of another key: slot keys change when
 * folding changes or a project is renamed, and a conflict keeps its id. The record must share two
 * members, its rule must read by slot, and no claim may have its old key any more. So editing one
 * row does not move a conflict, and the outcome of a slot does not depend on other slots. A verdict
 * on another key also counts if it shares two members, since it judged these two rows; it does not
 * count for a single row that was edited to be about something else. */
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/sort.h"
#include "core/detect/conflict_plan.h"
#include "core/detect/rule.h"

/* A record and a dispute that belong together. */
typedef struct {
  uint32_t rec, dispute;
  uint32_t shared; /* parties that are recorded members */
  bool same_key;
  const hm_claim *anchor;   /* the party that is the record's anchor, or NULL */
  const hm_claim *earliest; /* of the shared ones */
} tie;

typedef struct {
  const hm_snapshot *snap;
  const hm_disputes *d;
  const hm_conflict_rec *recs;
  size_t n;
  hm_map parties; /* member key -> index of `party` */
  struct {
    uint32_t dispute;
    const hm_claim *claim;
  } * party;
  tie *ties;
  size_t n_ties, cap_ties; /* by record */
  size_t *first;           /* record r: ties[first[r]] up to ties[first[r + 1]] */
  size_t *tie_at;          /* of each dispute: 1 + its last tie */
  hm_map asked;            /* slot keys to look up by find_claimed -> index of `claimed` */
  bool *claimed;           /* somebody claims by this key */
  hm_matches *out;
  hm_arena *a, *scratch;
} matching;

/* --- shared members ------------------------------------------------ */

hm_str hm_slot_key_name(hm_str slot_key, hm_arena *a) {
  const hm_json *key = hm_json_parse_as(a, slot_key, HM_JSON_ARRAY);
  if (!key || key->count < 2)
    return HM_EMPTY;
  const hm_json *name = key->child->next;
  return name->next ? name->next->text : name->text;
}

/* A row is in one dispute of a rule by slot at most by one field; where it may be in several, in
 * one by the slot's name; of another rule, in one on a key. */
static hm_str member_space(const matching *m, hm_str rule, hm_str slot_key) {
  const hm_rule *r = hm_rule_named(m->d->table, rule);
  if (!r || r->by != HM_BY_SLOT)
    return HM_CAT(m->scratch, rule, slot_key);
  return r->rows_again ? HM_CAT(m->scratch, rule, hm_slot_key_name(slot_key, m->scratch)) : rule;
}

/* source: empty, for any. */
static hm_str member_key(const matching *m, hm_layer layer, hm_str id, hm_str field, hm_str source,
                         hm_str space) {
  return HM_CAT(m->scratch, (hm_str){ (const char *)&id.n, sizeof id.n },
                hm_str_c(hm_layer_name(layer)), id.n ? id : HM_EMPTY,
                (hm_str){ (const char *)&field.n, sizeof field.n }, field.n ? field : HM_EMPTY,
                (hm_str){ (const char *)&source.n, sizeof source.n }, source.n ? source : HM_EMPTY,
                space);
}

static void list_parties(matching *m) {
  size_t total = 0, at = 0;
  for (size_t i = 0; i < m->d->n; i++)
    total += m->d->disputes[i].n;
  hm_map_init(&m->parties, m->scratch, total);
  m->party = hm_alloc_array(m->scratch, total, sizeof *m->party);
  for (size_t i = 0; i < m->d->n; i++) {
    const hm_dispute *d = &m->d->disputes[i];
    hm_str space = member_space(m, hm_str_c(d->rule->name), d->slot_key);
    for (size_t k = 0; k < d->n; k++, at++) {
      const hm_claim *c = d->parties[k].claim;
      m->party[at].dispute = (uint32_t)i;
      m->party[at].claim = c;
      hm_str id = m->snap->rows[c->row].id;
      hm_map_add(&m->parties, member_key(m, c->layer, id, c->field, HM_EMPTY, space), (uint32_t)at);
      if (c->source.n)
        hm_map_add(&m->parties, member_key(m, c->layer, id, c->field, c->source, space),
                   (uint32_t)at);
    }
  }
}

/* The record's tie to the dispute in which this member is a party, or NULL: of its source, else of
 * any, since sources of a row come and go. */
static tie *tie_by(matching *m, uint32_t rec, const hm_member_rec *x, hm_str space,
                   const hm_claim **claim) {
  uint32_t p = HM_MAP_NONE;
  if (x->source.n)
    p = hm_map_get(&m->parties, member_key(m, x->layer, x->id, x->field, x->source, space));
  if (p == HM_MAP_NONE)
    p = hm_map_get(&m->parties, member_key(m, x->layer, x->id, x->field, HM_EMPTY, space));
  if (p == HM_MAP_NONE)
    return NULL;
  uint32_t dispute = m->party[p].dispute;
  *claim = m->party[p].claim;
  if (m->tie_at[dispute] <= m->first[rec]) {
    m->ties = hm_array_grow_in(m->scratch, m->ties, m->n_ties, &m->cap_ties, sizeof *m->ties);
    bool same_key = hm_str_eq(m->recs[rec].slot_key, m->d->disputes[dispute].slot_key);
    m->ties[m->n_ties] = (tie){ .rec = rec, .dispute = dispute, .same_key = same_key };
    m->tie_at[dispute] = ++m->n_ties;
  }
  tie *t = &m->ties[m->tie_at[dispute] - 1];
  if (!t->earliest || hm_anchor_order(m->snap, *claim, t->earliest) < 0)
    t->earliest = *claim;
  return t;
}

static void tie_record(matching *m, uint32_t rec) {
  const hm_conflict_rec *r = &m->recs[rec];
  hm_str space = member_space(m, hm_conflict_rule(r), r->slot_key), id, field;
  const hm_claim *claim;
  hm_layer layer;
  tie *t, *oldest = NULL;
  m->first[rec] = m->n_ties;
  for (size_t i = 0; i < r->n_members; i++) {
    const hm_member_rec *x = &r->members[i];
    bool again = i && x->layer == x[-1].layer && hm_str_eq(x->id, x[-1].id) &&
        hm_str_eq(x->field, x[-1].field); /* another source of the row */
    if ((t = tie_by(m, rec, x, space, &claim)))
      t->shared += !again;
  }
  if (hm_anchor_parse(m->scratch, r->anchor, &layer, &id, &field)) {
    const hm_member_rec anchor = { .layer = layer, .id = id, .field = field, .source = HM_EMPTY };
    if ((t = tie_by(m, rec, &anchor, space, &claim)))
      t->anchor = claim;
  }
  /* Before anchors were kept: the earliest member that is left. */
  for (size_t i = m->first[rec]; i < m->n_ties && !r->anchor.n; i++)
    if (!oldest || hm_anchor_order(m->snap, m->ties[i].earliest, oldest->earliest) < 0)
      oldest = &m->ties[i];
  if (oldest)
    oldest->anchor = oldest->earliest;
}

/* --- which dispute a record belongs to ------------------------------------------------ */

static bool is_settled(const hm_conflict_rec *r) {
  return r->status == HM_RESOLVED || r->status == HM_DISMISSED;
}

/* Does it share enough with a dispute of another key to continue there, or to be a verdict on
 * it? */
static bool may_move(const tie *t) { return !t->same_key && t->shared > 1; }

static bool is_better(const tie *a, const tie *b) {
  if (!a->anchor != !b->anchor)
    return a->anchor != NULL;
  if (a->shared != b->shared)
    return a->shared > b->shared;
  return a->dispute < b->dispute;
}

/* The best tie to a dispute of its own key [true], and to one of another key where it may continue
 * [false]. */
static void best_ties(const matching *m, uint32_t rec, const tie *best[2]) {
  best[false] = best[true] = NULL;
  for (size_t i = m->first[rec]; i < m->first[rec + 1]; i++) {
    const tie *t = &m->ties[i], **at = &best[t->same_key];
    bool moves = may_move(t) && m->d->disputes[t->dispute].rule->by == HM_BY_SLOT;
    if ((t->same_key || moves) && (!*at || is_better(t, *at)))
      *at = t;
  }
}

/* Does any claim have this slot key? One pass over all claims answers for all keys; the name alone
 * rules out most claims. */
static void find_claimed(matching *m) {
  hm_map names;
  hm_map_init(&names, m->scratch, 16);
  hm_map_init(&m->asked, m->scratch, 16);
  for (uint32_t r = 0; r < m->n; r++) {
    const tie *best[2];
    best_ties(m, r, best);
    if (is_settled(&m->recs[r]) || best[true] || !best[false])
      continue;
    hm_map_add(&m->asked, m->recs[r].slot_key, (uint32_t)m->asked.n);
    hm_map_add(&names, hm_slot_key_name(m->recs[r].slot_key, m->scratch), 0);
  }
  if (!m->asked.n)
    return;
  m->claimed = hm_alloc_array(m->scratch, m->asked.n, sizeof *m->claimed);
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < m->d->claims->n; i++) {
    const hm_claim *c = &m->d->claims->claims[i];
    if (hm_map_get(&names, c->name) == HM_MAP_NONE)
      continue;
    uint32_t k = hm_map_get(&m->asked, hm_conflict_slot_key(a, m->snap, c));
    if (k != HM_MAP_NONE)
      m->claimed[k] = true;
    hm_arena_reset(a);
  }
  hm_arena_free(a);
}

/* --- which record a dispute goes on as -------------------------------------------------- */

/* Orders records by the age of their anchors; those without their anchor in the dispute come
 * last. */
static bool goes_before(const matching *m, const tie *a, const tie *b) {
  if (!a->anchor != !b->anchor)
    return a->anchor != NULL;
  int d = hm_anchor_order(m->snap, a->anchor ? a->anchor : a->earliest,
                          b->anchor ? b->anchor : b->earliest);
  const hm_conflict_rec *x = &m->recs[a->rec], *y = &m->recs[b->rec];
  if (!d)
    d = hm_str_cmp(x->detected_at, y->detected_at);
  return d ? d < 0 : hm_str_cmp(x->id, y->id) < 0;
}

static hm_match_way way_of(const matching *m, const tie *t) {
  return (m->recs[t->rec].status == HM_MERGED ? HM_MATCH_MERGED : HM_MATCH_OPEN) + !t->same_key;
}

/* Each unsettled record continues as at most one dispute: of its own key; or of another key, if no
 * dispute of its own key has a member and no claim has that key. */
static void choose_records(matching *m) {
  const tie **chosen = hm_alloc_array(m->scratch, m->n, sizeof *chosen);
  const tie *(*best)[HM_MATCH_WAYS] = hm_alloc_array(m->scratch, m->d->n, sizeof *best);
  size_t n = 0;
  for (uint32_t r = 0; r < m->n; r++) {
    const tie *own[2];
    best_ties(m, r, own);
    if (is_settled(&m->recs[r]) || (!own[true] && !own[false]))
      continue;
    if (!own[true] && m->claimed[hm_map_get(&m->asked, m->recs[r].slot_key)])
      continue;
    const tie *t = chosen[n++] = own[true] ? own[true] : own[false];
    const tie **at = &best[t->dispute][way_of(m, t)];
    if (!*at || goes_before(m, t, *at))
      *at = t;
  }
  for (size_t i = 0; i < m->d->n; i++)
    for (int way = 0; way < HM_MATCH_WAYS; way++) {
      const tie *t = best[i][way];
      m->out->of[i].rec[way] = t ? t->rec : HM_MATCH_NONE;
      m->out->of[i].anchored[way] = t && t->anchor;
    }
  for (size_t i = 0; i < n; i++) {
    const tie *t = chosen[i];
    hm_match_way way = way_of(m, t);
    uint32_t goes_on = m->out->of[t->dispute].rec[HM_MATCH_OPEN];
    if (way == HM_MATCH_OPEN && goes_on != t->rec)
      m->out->into[t->rec] = goes_on;
    if (way == HM_MATCH_OPEN_MOVED)
      m->out->moved_to[t->rec] = t->dispute;
  }
}

/* --- verdicts ------------------------------------------------------------------------------ */

typedef struct {
  uint32_t dispute, rec;
} verdict_on;

/* The settled records, still by slot key: a slot may have thousands of others. */
static uint32_t *settled_records(const matching *m, size_t *n) {
  uint32_t *settled = hm_alloc_array(m->scratch, m->n, sizeof *settled);
  *n = 0;
  for (size_t r = 0; r < m->n; r++)
    if (is_settled(&m->recs[r]))
      settled[(*n)++] = (uint32_t)r;
  return settled;
}

typedef struct {
  const hm_conflict_rec *recs;
  hm_str slot_key;
} slot_of_recs;

static int by_slot_key(const void *item, const void *key) {
  const slot_of_recs *k = key;
  return hm_str_cmp(k->recs[*(const uint32_t *)item].slot_key, k->slot_key);
}

/* Lists verdicts of the same rule on the dispute's slot key, and on other keys by ties. */
static void list_settled(matching *m) {
  const hm_disputes *d = m->d;
  hm_matches *out = m->out;
  verdict_on *v = NULL;
  size_t n = 0, cap = 0, at = 0, k = 0, n_settled;
  const uint32_t *settled = settled_records(m, &n_settled);
  for (size_t i = 0; i < d->n; i++) {
    const hm_dispute *x = &d->disputes[i];
    const slot_of_recs slot = { m->recs, x->slot_key };
    size_t s = hm_lower_bound(settled, n_settled, sizeof *settled, &slot, by_slot_key);
    for (; s < n_settled && hm_str_eq(m->recs[settled[s]].slot_key, x->slot_key); s++) {
      if (!hm_str_is(hm_conflict_rule(&m->recs[settled[s]]), x->rule->name))
        continue;
      v = hm_array_grow(v, n, &cap, sizeof *v);
      v[n++] = (verdict_on){ (uint32_t)i, settled[s] };
    }
  }
  v = hm_xrealloc(v, (n + m->n_ties + 1) * sizeof *v);
  for (size_t i = 0; i < m->n_ties; i++)
    if (is_settled(&m->recs[m->ties[i].rec]) && may_move(&m->ties[i]))
      v[n++] = (verdict_on){ m->ties[i].dispute, m->ties[i].rec };
  if (n)
    qsort(v, n, sizeof *v, hm_order_u32_pair);
  out->settled = hm_alloc_array(m->a, n, sizeof *out->settled);
  out->first = hm_alloc_array(m->a, d->n + 1, sizeof *out->first);
  for (size_t i = 0; i < d->n; i++) {
    out->first[i] = at;
    for (; k < n && v[k].dispute == i; k++)
      if (at == out->first[i] || out->settled[at - 1] != v[k].rec)
        out->settled[at++] = v[k].rec;
  }
  out->first[d->n] = at;
  free(v);
}

void hm_match_conflicts(const hm_snapshot *snap, const hm_disputes *d, const hm_conflict_rec *recs,
                        size_t n, hm_arena *a, hm_matches *out) {
  matching m = {
    .snap = snap, .d = d, .recs = recs, .n = n, .out = out, .a = a, .scratch = hm_arena_new()
  };
  *out = (hm_matches){ .of = hm_alloc_array(a, d->n, sizeof *out->of),
                       .into = hm_alloc_array(a, n, sizeof *out->into),
                       .moved_to = hm_alloc_array(a, n, sizeof *out->moved_to) };
  for (size_t i = 0; i < n; i++)
    out->into[i] = out->moved_to[i] = HM_MATCH_NONE;
  m.tie_at = hm_alloc_array(m.scratch, d->n, sizeof *m.tie_at);
  m.first = hm_alloc_array(m.scratch, n + 1, sizeof *m.first);
  list_parties(&m);
  for (uint32_t r = 0; r < n; r++)
    tie_record(&m, r);
  m.first[n] = m.n_ties;
  find_claimed(&m);
  choose_records(&m);
  list_settled(&m);
  hm_arena_free(m.scratch);
}
