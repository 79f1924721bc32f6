/* Side effects of a verdict, and its report as JSON, for the command and for the form that shows it
 * for confirmation.
 *
 * For a dry run: what the losing rows say in other slots, and which other rows say the same as
 * they; this reads the whole store. For a verdict: links between the sides of a dispute that stay.
 * Source: design section 7. */
#include <stddef.h>
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim.h"
#include "core/detect/conflict.h"
#include "core/detect/explain.h"
#include "core/review/verdict.h"
#include "core/review/verdict_impl.h"
#include "core/store/links.h"

/* A claim of a losing row. If the winner has a claim in its slot, the claim loses, else it is
 * withdrawn. */
typedef struct {
  const hm_claim *claim;
  uint32_t next;
  hm_withdrawal *withdrawn;
} lost;

typedef struct {
  hm_assertion *v;
  size_t n, cap;
} assertions;

typedef struct {
  hm_verdict_run *v;
  hm_snapshot *snap;
  const hm_row
      *rows; /* with the status that they have; in snap all are active, so that all claim */
  hm_claims *claims;
  const hm_loser **loses; /* by row; NULL: it does not */
  bool *wins;             /* by row */
  lost *chain;
  size_t n;
  hm_map by_value; /* value key -> its last in chain */
  assertions here, elsewhere;
} reach;

/* --- the rows that lose ---------------------------------------------------- */

static hm_str slot_of(const reach *r, const hm_claim *c) {
  return hm_claim_slot_key(r->v->a, r->snap, c);
}

/* The claim's slot and value. */
static hm_str said_by(const reach *r, const hm_claim *c) {
  return HM_CAT(r->v->a, slot_of(r, c), HM_STR("\x1f"), c->value.key);
}

static hm_withdrawal *withdraw(reach *r, const hm_claim *c) {
  hm_verdict_report *out = r->v->out;
  hm_arena *a = r->v->a;
  out->withdrawn[out->n_withdrawn] = (hm_withdrawal){ .ref = hm_row_ref(a, &r->rows[c->row]),
                                                      .slot = hm_str_dup(a, c->name),
                                                      .value = hm_str_dup(a, c->value.raw),
                                                      .alone = true };
  return &out->withdrawn[out->n_withdrawn++];
}

/* Does this claim end? */
static bool is_lost(const reach *r, const hm_claim *c) {
  const hm_loser *l = r->loses[c->row];
  if (!l || !l->n_fields)
    return l;
  for (size_t i = 0; i < l->n_fields; i++)
    if (hm_str_eq(l->fields[i], c->field))
      return true;
  return false;
}

static void read_sides(reach *r) {
  const hm_claims *all = r->claims;
  size_t losing = 0;
  hm_map of_winner, said;
  hm_map_init(&of_winner, r->v->a, 16);
  hm_map_init(&said, r->v->a, 16);
  for (size_t i = 0; i < all->n; i++) {
    losing += is_lost(r, &all->claims[i]);
    if (!r->wins[all->claims[i].row])
      continue;
    hm_map_add(&of_winner, slot_of(r, &all->claims[i]), 1);
    hm_map_add(&said, said_by(r, &all->claims[i]), 1);
  }
  r->chain = hm_alloc_array(r->v->a, losing, sizeof *r->chain);
  r->v->out->withdrawn = hm_alloc_array(r->v->a, losing, sizeof *r->v->out->withdrawn);
  hm_map_init(&r->by_value, r->v->a, losing);
  for (size_t i = 0; i < all->n; i++) {
    const hm_claim *c = &all->claims[i];
    /* A value that the winner also has stays, even if a row is superseded; what has a twin is told
     * in its slot. */
    if (!is_lost(r, c) || c->twin.n || hm_map_get(&said, said_by(r, c)) != HM_MAP_NONE)
      continue;
    bool answered = hm_map_get(&of_winner, slot_of(r, c)) != HM_MAP_NONE;
    r->chain[r->n] =
        (lost){ c, hm_map_get(&r->by_value, c->value.key), answered ? NULL : withdraw(r, c) };
    hm_map_set(&r->by_value, c->value.key, (uint32_t)r->n++);
  }
}

/* --- everybody else -------------------------------------------------------- */

static hm_str last_word(hm_str name) {
  size_t from = name.n;
  while (from > 0 && name.p[from - 1] != '_')
    from--;
  return hm_str_sub(name, from, name.n);
}

/* Names of one family end with the same word: lateral_support_material, base_material. */
static bool is_family(const hm_claim *a, const hm_claim *b) {
  return a->project == b->project && !a->space.n && !b->space.n &&
      hm_str_eq(last_word(a->name), last_word(b->name));
}

static void add(reach *r, assertions *l, const hm_claim *c) {
  hm_arena *a = r->v->a;
  const hm_row *row = &r->rows[c->row];
  l->v = hm_array_grow_in(a, l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = (hm_assertion){ .ref = hm_row_ref(a, row),
                                 .status = hm_str_c(hm_status_name(row->status)),
                                 .slot = hm_str_dup(a, c->name),
                                 .value = hm_str_dup(a, c->value.raw),
                                 .elsewhere = l == &r->elsewhere };
}

static void ask(reach *r, const hm_claim *c) {
  bool here = false, family = false;
  for (uint32_t i = hm_map_get(&r->by_value, c->value.key); i != HM_MAP_NONE;
       i = r->chain[i].next) {
    const lost *l = &r->chain[i];
    bool same_slot = l->claim->hash == c->hash && hm_claims_share_slot(l->claim, c);
    if (!l->withdrawn) {
      here = here || same_slot;
      family = family || is_family(l->claim, c);
    } else if (same_slot && r->rows[c->row].status == HM_ACTIVE) {
      l->withdrawn->alone = false;
    }
  }
  if (here || family)
    add(r, here ? &r->here : &r->elsewhere, c);
}

static void report(reach *r) {
  hm_verdict_report *out = r->v->out;
  size_t n = r->here.n;
  out->n_others = n + r->elsewhere.n;
  out->others = hm_alloc_array(r->v->a, out->n_others, sizeof *out->others);
  if (n)
    memcpy(out->others, r->here.v, n * sizeof *out->others);
  if (r->elsewhere.n)
    memcpy(out->others + n, r->elsewhere.v, r->elsewhere.n * sizeof *out->others);
}

/* --- the store, as if every row claimed ------------------------------------- */

static int read_store(reach *r) {
  hm_verdict_run *v = r->v;
  if (hm_store_snapshot(v->s, v->a, false, &r->snap, v->err))
    return -1;
  hm_row *rows = hm_alloc_array(v->a, r->snap->n_rows, sizeof *rows);
  if (r->snap->n_rows)
    memcpy(rows, r->snap->rows, r->snap->n_rows * sizeof *rows);
  r->rows = rows;
  for (size_t i = 0; i < r->snap->n_rows; i++)
    r->snap->rows[i].status = HM_ACTIVE;
  return hm_claims_read(r->snap, v->r->rules, hm_par_cores(), &r->claims, v->err);
}

int hm_verdict_preview_effects(hm_verdict_run *v, const hm_loser *older, size_t n,
                               const hm_named_row *newer, size_t n_newer) {
  reach r = { .v = v };
  if (read_store(&r))
    return -1;
  r.loses = hm_alloc_array(v->a, r.snap->n_rows, sizeof *r.loses);
  for (size_t i = 0; i < n; i++) {
    uint32_t row = hm_snapshot_row(r.snap, older[i].row.layer, older[i].row.id);
    if (row != HM_MAP_NONE)
      r.loses[row] = &older[i];
  }
  r.wins = hm_alloc_array(v->a, r.snap->n_rows, sizeof *r.wins);
  for (size_t i = 0; i < n_newer; i++) {
    uint32_t row = hm_snapshot_row(r.snap, newer[i].layer, newer[i].id);
    if (row != HM_MAP_NONE)
      r.wins[row] = true;
  }
  read_sides(&r);
  for (size_t i = 0; i < r.claims->n; i++)
    if (!r.loses[r.claims->claims[i].row])
      ask(&r, &r.claims->claims[i]);
  report(&r);
  hm_claims_free(r.claims);
  return 0;
}

/* --- links between the sides ----------------------------------------------------------------- */

/* One row a value, `contradicts` from the one of higher trust to each that contradicts it. Cost:
 * the square of at most HM_LINK_SIDES values. */
int hm_verdict_link_sides(hm_verdict_run *v, const hm_sweep *look, const hm_dispute *d,
                          hm_str why) {
  size_t sides[HM_LINK_SIDES], n = 0;
  hm_actor who = v->who;
  hm_map seen;
  who.why = why;
  hm_map_init(&seen, v->a, HM_LINK_SIDES);
  for (size_t i = 0; i < d->n; i++) {
    hm_str key = d->parties[i].claim->value.key;
    if (hm_map_get(&seen, key) != HM_MAP_NONE)
      continue;
    if (n == HM_LINK_SIDES) {
      hm_failf(v->err, HM_E_INPUT, "link",
               "leave it out, or link the rows that matter by an import",
               "the conflict has more than %d values", HM_LINK_SIDES);
      return hm_err_at_field(v->err, HM_STR("link"));
    }
    hm_map_add(&seen, key, (uint32_t)i);
    sides[n++] = i;
  }
  hm_opponents *o = hm_opponents_new(look->snap, d, v->r->rules, v->a);
  v->out->links = hm_alloc_array(v->a, n * n / 2 + 1, sizeof *v->out->links);
  for (size_t i = 0; i < n; i++)
    for (size_t k = i + 1; k < n; k++) {
      const hm_claim *x = d->parties[sides[i]].claim, *y = d->parties[sides[k]].claim;
      bool added;
      if (x->row == y->row || !hm_opponents_contradict(o, sides[i], sides[k]))
        continue;
      hm_link link = { hm_row_ref(v->a, &look->snap->rows[x->row]),
                       hm_row_ref(v->a, &look->snap->rows[y->row]), HM_STR("contradicts") };
      if (hm_store_add_link(v->s, &link, true, &who, &added, v->a, v->err))
        return -1;
      if (added)
        v->out->links[v->out->n_links++] = link;
    }
  return 0;
}

/* --- the report as JSON ---------------------------------------------------------------------- */

/* A list of the report is a row of `lists`, with the keys of its elements. */
typedef struct {
  const char *key;
  size_t at;
  bool flag;
} element;

#define LIST(name, type)                                                                           \
  offsetof(hm_verdict_report, name), offsetof(hm_verdict_report, n_##name), sizeof(type)
#define TEXT(key, type, field)                                                                     \
  { key, offsetof(type, field), false }
#define FLAG(key, type, field)                                                                     \
  { key, offsetof(type, field), true }

static const struct {
  const char *key;
  size_t at, n_at, size;
  bool dry; /* only of a dry run */
  element elements[5];
} lists[] = {
  { "changes",
    LIST(changes, hm_row_change),
    false,
    { TEXT("row", hm_row_change, ref), TEXT("before", hm_row_change, before),
      TEXT("after", hm_row_change, after) } },
  { "left",
    LIST(left, hm_row_left),
    false,
    { TEXT("row", hm_row_left, ref), TEXT("why", hm_row_left, why) } },
  { "opened", LIST(opened, hm_str), false, { { 0 } } },
  { "revived", LIST(revived, hm_str), false, { { 0 } } },
  { "quieted", LIST(quieted, hm_str), false, { { 0 } } },
  { "restorable", LIST(restorable, hm_str), false, { { 0 } } },
  { "removed",
    LIST(removed, hm_row_field),
    false,
    { TEXT("row", hm_row_field, ref), TEXT("field", hm_row_field, field) } },
  { "links",
    LIST(links, hm_link),
    false,
    { TEXT("src", hm_link, src), TEXT("dst", hm_link, dst), TEXT("rel", hm_link, rel) } },
  { "withdrawn",
    LIST(withdrawn, hm_withdrawal),
    true,
    { TEXT("row", hm_withdrawal, ref), TEXT("slot", hm_withdrawal, slot),
      TEXT("value", hm_withdrawal, value), FLAG("alone", hm_withdrawal, alone) } },
  { "others",
    LIST(others, hm_assertion),
    true,
    { TEXT("row", hm_assertion, ref), TEXT("status", hm_assertion, status),
      TEXT("slot", hm_assertion, slot), TEXT("value", hm_assertion, value),
      FLAG("elsewhere", hm_assertion, elsewhere) } },
  { "markers",
    LIST(markers, hm_marker_change),
    true,
    { TEXT("page", hm_marker_change, page), TEXT("conflict", hm_marker_change, conflict),
      FLAG("gained", hm_marker_change, gained) } },
};

static void write_list(hm_jw *w, const hm_verdict_report *r, size_t k) {
  const char *report = (const char *)r, *v = *(const char *const *)(report + lists[k].at);
  size_t n = *(const size_t *)(report + lists[k].n_at);
  hm_jw_arr(w, lists[k].key);
  for (size_t i = 0; i < n; i++, v += lists[k].size) {
    const element *e = lists[k].elements;
    if (!e->key) {
      hm_jw_str(w, NULL, *(const hm_str *)v);
      continue;
    }
    hm_jw_obj(w, NULL);
    for (; e < lists[k].elements + HM_COUNT(lists[k].elements) && e->key; e++)
      if (e->flag)
        hm_jw_bool(w, e->key, *(const bool *)(v + e->at));
      else
        hm_jw_str(w, e->key, *(const hm_str *)(v + e->at));
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

void hm_verdict_json(hm_buf *b, const hm_verdict_report *r, hm_arena *a) {
  hm_jw w;
  hm_str *winners;
  size_t n = hm_winners_parse(a, r->winner, &winners);
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "verb", hm_str_c(r->verb));
  hm_jw_bool(&w, "dry_run", r->dry_run);
  hm_jw_str_or_null(&w, "conflict", r->conflict);
  if (r->conflict.n)
    hm_slot_key_json(&w, r->slot_key, a);
  hm_jw_str_or_null(&w, "status", r->status);
  hm_jw_str(&w, "by", r->by);
  hm_jw_str(&w, "at", r->at);
  hm_jw_str(&w, "notes", r->notes);
  hm_jw_str_or_null(&w, "winner", n == 1 ? winners[0] : HM_EMPTY);
  hm_jw_strs(&w, "winners", winners, n);
  hm_jw_str_or_null(&w, "action", r->action);
  hm_jw_str_or_null(&w, "scope", r->scope);
  for (size_t k = 0; k < HM_COUNT(lists); k++)
    if (r->dry_run || !lists[k].dry)
      write_list(&w, r, k);
  hm_jw_strs(&w, "warnings", r->warnings, r->n_warnings);
  hm_jw_end(&w);
}
