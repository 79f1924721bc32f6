/* Resolves a conflict: which members win, which are superseded, which stay.
 *
 * Several may win if they never contradict each other: two of a child's three parents. A verdict
 * changes only what it judges. It supersedes the winners' opponents, which are the parties of the
 * dispute that contradict a claim of a winner's row, or, if requested, every other member with a
 * claim in the slot. A losing row that claims anything else is superseded only if the scope says
 * so. Rows that still contradict each other are found by the sweep at the end of the transaction,
 * as a conflict of their own. Cost: claims of the slot's rows, and parties times claims of the
 * winners. Source: design section 7. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/detect/conflict.h"
#include "core/review/verdict_impl.h"
#include "core/record/record_edit.h"

enum { SHOWN = 200, LISTED = 6, FIELD_SHOWN = 60 };

/* A row of the conflict: a party of the current dispute, or a recorded member that is not a
 * party. */
typedef struct {
  hm_layer layer;
  hm_str id, ref;
  uint32_t row; /* HM_MAP_NONE: it is not stored */
  bool party;
} member;

typedef struct {
  hm_verdict_run *v;
  const hm_resolution *how;
  hm_conflict_before c;
  const hm_sweep *look;       /* the store before the verdict */
  const hm_conflict_rec *rec; /* NULL: it went on in another slot */
  const hm_dispute *dispute;  /* NULL: it awaits sign-off */
  member *members;
  size_t n;  /* each row once */
  hm_map at; /* ref -> index */
  const hm_claim **claims;
  size_t n_claims;     /* by row */
  uint32_t *claims_of; /* row r has the claims from claims_of[r] to claims_of[r + 1] */
  bool *judged,
      *elsewhere;    /* by claim: it gives way with its row; in dispute in another conflict */
  uint32_t *against; /* by claim: 1 + the first winner that it contradicts; 0: none */
  hm_named_row *winners;
  size_t n_winners; /* by reference */
  hm_loser *losers;
  size_t n_losers;
  const hm_claim **ended; /* what a source of a row said that stays; more than one source says */
  size_t n_ended;
} ruling;

/* --- members ---------------------------------------------------------- */

static member *add_member(ruling *u, hm_layer layer, hm_str id) {
  hm_str ref = hm_ref_text(u->v->a, layer, id);
  uint32_t at = hm_map_add(&u->at, ref, (uint32_t)u->n);
  if (at == u->n)
    u->members[u->n++] = (member){
      .layer = layer, .id = id, .ref = ref, .row = hm_snapshot_row(u->look->snap, layer, id)
    };
  return &u->members[at];
}

static size_t claim_index(const ruling *u, const hm_claim *c) {
  size_t k = u->claims_of[c->row];
  while (u->claims[k] != c)
    k++;
  return k;
}

static int by_row(const void *x, const void *y) {
  const hm_claim *a = *(const hm_claim *const *)x, *b = *(const hm_claim *const *)y;
  return a->row != b->row ? (a->row > b->row) - (a->row < b->row) : (a > b) - (a < b);
}

/* The claims of all rows, and what a rule of another kind made for the parties of its dispute. */
static void index_claims(ruling *u) {
  const hm_claims *all = u->look->claims;
  size_t rows = u->look->snap->n_rows, n = 0, n_disputes, room = all->n;
  const hm_dispute *d = hm_disputes_of_slot_key(u->look->disputes, u->c.slot_key, &n_disputes);
  for (size_t i = 0; i < n_disputes; i++)
    room += d[i].n;
  u->claims = hm_alloc_array(u->v->a, room, sizeof *u->claims);
  u->claims_of = hm_alloc_array(u->v->a, rows + 1, sizeof *u->claims_of);
  u->judged = hm_alloc_array(u->v->a, room, sizeof *u->judged);
  u->elsewhere = hm_alloc_array(u->v->a, room, sizeof *u->elsewhere);
  u->against = hm_alloc_array(u->v->a, room, sizeof *u->against);
  for (; n < all->n; n++)
    u->claims[n] = &all->claims[n];
  for (size_t i = 0; i < n_disputes; i++)
    for (size_t k = 0; k < d[i].n && d[i].pairs; k++) {
      const hm_claim *c = d[i].parties[k].claim;
      if (c < all->claims || c >= all->claims + all->n)
        u->claims[n++] = c;
    }
  u->n_claims = n;
  if (n > all->n)
    qsort(u->claims, n, sizeof *u->claims, by_row);
  n = 0;
  for (size_t r = 0; r <= rows; r++) {
    while (n < u->n_claims && u->claims[n]->row < r)
      n++;
    u->claims_of[r] = (uint32_t)n;
  }
  for (size_t i = 0; i < n_disputes; i++)
    for (size_t k = 0; k < d[i].n && &d[i] != u->dispute; k++)
      u->elsewhere[claim_index(u, d[i].parties[k].claim)] = true;
}

static int gather(ruling *u) {
  hm_verdict_run *v = u->v;
  if (hm_write_check_before(v->check, &u->look, v->err))
    return -1;
  const hm_plan *p = u->look->plan;
  for (size_t i = 0; i < p->n_conflicts; i++)
    if (hm_str_eq(p->conflicts[i].id, v->out->conflict))
      u->rec = &p->conflicts[i];
  u->dispute = u->rec ? hm_plan_dispute(p, u->rec) : NULL;
  size_t parties = u->dispute ? u->dispute->n : 0, all = parties + (u->rec ? u->rec->n_members : 0);
  u->members = hm_alloc_array(v->a, all, sizeof *u->members);
  u->losers = hm_alloc_array(v->a, all, sizeof *u->losers);
  u->ended = hm_alloc_array(v->a, u->look->claims->n + all + 1, sizeof *u->ended);
  hm_map_init(&u->at, v->a, all);
  for (size_t i = 0; i < parties; i++) {
    const hm_claim *c = u->dispute->parties[i].claim;
    add_member(u, c->layer, u->look->snap->rows[c->row].id)->party = true;
  }
  for (size_t i = 0; u->rec && i < u->rec->n_members; i++)
    add_member(u, u->rec->members[i].layer, u->rec->members[i].id);
  index_claims(u);
  return 0;
}

/* --- what was asked for ------------------------------------------------------ */

static int refuse(const ruling *u, const char *what, const char *why, const char *fix) {
  hm_fail(u->v->err, HM_E_INPUT, what, why, fix);
  return hm_err_at_field(u->v->err, hm_str_c(what));
}

static int check_request(const ruling *u) {
  const hm_resolution *how = u->how;
  if (how->link && how->action != HM_NO_ACTION)
    return refuse(u, "link", "sides are linked where all of them stay",
                  "give it together with no_action");
  if (how->from.n && how->n_winners != 1)
    return refuse(u, "winner_source", "one winner is named with its source",
                  "name one winner, or leave the source out");
  if (how->scope != HM_SCOPE_UNSAID && how->action == HM_NO_ACTION)
    return refuse(u, "scope", "no row gives way with no_action", "leave it out");
  return 0;
}

static hm_str list_members(const ruling *u) {
  hm_arena *a = u->v->a;
  hm_str list = HM_STR("its members are ");
  for (size_t i = 0; i < u->n && i < LISTED; i++)
    list = HM_CAT(a, list, i ? HM_STR(", ") : HM_EMPTY, hm_text_cut(u->members[i].ref, 60));
  return u->n > LISTED ? HM_CAT(a, list, HM_STR(" and more")) : list;
}

static int no_winner(const ruling *u, hm_str name, hm_code code, const char *why, const char *fix) {
  hm_str what = HM_CAT(u->v->a, HM_STR("winner '"), hm_text_cut(name, SHOWN), HM_STR("'"));
  hm_fail(u->v->err, code, hm_str_z(u->v->a, what), why, fix);
  return hm_err_at_field(u->v->err, HM_STR("winner_member_id"));
}

static int find_member(const ruling *u, hm_str text, const member **out) {
  uint32_t at = hm_map_get(&u->at, text);
  size_t n = 0;
  *out = at == HM_MAP_NONE ? NULL : &u->members[at];
  for (size_t i = 0; !*out && i < u->n; i++)
    n += hm_str_eq(u->members[i].id, text);
  if (n > 1)
    return no_winner(u, text, HM_E_INPUT, "members of several layers have this id",
                     list_members(u).p);
  for (size_t i = 0; !*out && i < u->n; i++)
    if (hm_str_eq(u->members[i].id, text))
      *out = &u->members[i];
  return *out
      ? 0
      : no_winner(u, text, HM_E_INPUT, "it is no member of this conflict", list_members(u).p);
}

/* --- judged claims ---------------------------------------------------------- */

static bool is_winner(const ruling *u, hm_str ref) {
  size_t w = 0;
  while (w < u->n_winners && !hm_str_eq(u->winners[w].ref, ref))
    w++;
  return w < u->n_winners;
}

/* Is it what the winner says: its row's, by the source that was named? */
static bool is_winning(const ruling *u, const hm_claim *c, uint32_t row) {
  return c->row == row && (!u->how->from.n || !c->source.n || hm_str_eq(c->source, u->how->from));
}

/* Two sources of the winner differ, and none is named. */
static int refuse_sources(const ruling *u, const hm_named_row *winner, const hm_claim *x,
                          const hm_claim *y) {
  hm_arena *a = u->v->a;
  hm_str why = HM_CAT(a, hm_text_cut(x->source, FIELD_SHOWN), HM_STR(" and "),
                      hm_text_cut(y->source, FIELD_SHOWN), HM_STR(" say different things of it"));
  hm_str fix = HM_CAT(a, HM_STR("name the source whose value stands: --from "),
                      hm_text_cut(x->source, FIELD_SHOWN), HM_STR(" (winner_source)"));
  return no_winner(u, winner->ref, HM_E_INPUT, hm_str_z(a, why), hm_str_z(a, fix));
}

/* A row that contradicts itself here cannot win. i: one of the two parties. */
static int refuse_own(const ruling *u, const hm_named_row *winner, const hm_opponents *o,
                      size_t i) {
  const hm_party *parties = u->dispute->parties;
  size_t k = 0;
  while (parties[k].claim->row != parties[i].claim->row || !hm_opponents_contradict(o, i, k))
    k++;
  if (parties[i].claim->source.n && parties[k].claim->source.n)
    return refuse_sources(u, winner, parties[i].claim, parties[k].claim);
  hm_str why =
      HM_CAT(u->v->a, HM_STR("its own fields "), hm_text_cut(parties[i].claim->field, FIELD_SHOWN),
             HM_STR(" and "), hm_text_cut(parties[k].claim->field, FIELD_SHOWN),
             HM_STR(" contradict each other, and not both can stand"));
  hm_str fix = HM_CAT(u->v->a, HM_STR("correct one of them first: hmirror edit "),
                      hm_text_cut(winner->ref, SHOWN));
  return no_winner(u, winner->ref, HM_E_INPUT, hm_str_z(u->v->a, why), hm_str_z(u->v->a, fix));
}

/* A winner supersedes every party that contradicts it. */
static int judge_parties(ruling *u) {
  const hm_dispute *d = u->dispute;
  hm_opponents *o = hm_opponents_new(u->look->snap, d, u->v->r->rules, u->v->a);
  bool *opposed = hm_alloc_array(u->v->a, d->n, sizeof *opposed);
  for (size_t w = 0; w < u->n_winners; w++) {
    const hm_named_row *winner = &u->winners[w];
    uint32_t row = hm_snapshot_row(u->look->snap, winner->layer, winner->id);
    bool stands = false;
    memset(opposed, 0, d->n * sizeof *opposed);
    for (size_t x = 0; x < d->n; x++) {
      if (!is_winning(u, d->parties[x].claim, row))
        continue;
      stands = true;
      for (size_t i = 0; i < d->n; i++)
        opposed[i] |= hm_opponents_contradict(o, x, i);
    }
    if (u->how->from.n && !stands)
      return no_winner(u, u->how->from, HM_E_INPUT, "no member of this conflict is of this source",
                       list_members(u).p);
    for (size_t i = 0; i < d->n; i++) {
      const hm_claim *c = d->parties[i].claim;
      size_t k = claim_index(u, c);
      if (is_winning(u, c, row) && opposed[i])
        return refuse_own(u, winner, o, i);
      if (c->row == row && opposed[i]) {
        u->ended[u->n_ended++] = c;
        continue;
      }
      if (opposed[i] && !u->against[k])
        u->against[k] = (uint32_t)w + 1;
      u->judged[k] = u->against[k] || u->how->action == HM_SUPERSEDE_OTHERS;
    }
  }
  return 0;
}

static bool holds_at(const hm_claim *c, hm_time t) {
  return c->when->from <= t && t < c->when->until;
}

/* How many values of these hold as this one begins; *last: a claim with the last of them. */
static size_t values_beside(const ruling *u, const hm_claim *const *claims, size_t n,
                            const hm_claim *c, const hm_claim **last) {
  hm_map values;
  hm_map_init(&values, u->v->a, n);
  for (size_t i = 0; i < n && holds_at(c, c->when->from); i++) {
    size_t had = values.n;
    if (!holds_at(claims[i], c->when->from))
      continue;
    hm_map_add(&values, claims[i]->value.key, 0);
    if (values.n > had && claims[i] != c)
      *last = claims[i];
  }
  return values.n;
}

/* No two winners may contradict each other; if several values may hold at once, the winners may
 * have at most that many. */
static int check_winners_agree(const ruling *u) {
  const hm_dispute *d = u->dispute;
  hm_arena *a = u->v->a;
  const hm_claim **claims = hm_alloc_array(a, d->n, sizeof *claims), *x = NULL, *y = NULL;
  size_t *party = hm_alloc_array(a, d->n, sizeof *party), n = 0;
  hm_opponents *o = hm_opponents_new(u->look->snap, d, u->v->r->rules, a);
  for (size_t i = 0; i < d->n; i++)
    if (is_winner(u, hm_row_ref(a, &u->look->snap->rows[d->parties[i].claim->row])))
      claims[n] = d->parties[i].claim, party[n++] = i;
  uint32_t at_once = d->pairs ? 1 : hm_relation_max_at_once(u->v->r->rules, d->anchor->space);
  for (size_t i = 0; i < n && !y; i++) {
    if (at_once > 1 && values_beside(u, claims, n, x = claims[i], &y) <= at_once)
      y = NULL;
    for (size_t k = 0; k < i && at_once == 1 && !y; k++)
      if (hm_opponents_contradict(o, party[i], party[k]))
        x = claims[k], y = claims[i];
  }
  if (!y)
    return 0;
  hm_str names[] = { hm_row_ref(a, &u->look->snap->rows[x->row]),
                     hm_row_ref(a, &u->look->snap->rows[y->row]) };
  hm_str why = at_once > 1
      ? hm_str_fmt(a, "with the others too many values hold at once; at most %u may", at_once)
      : hm_str_fmt(a, "it contradicts winner '%.*s'; at most 1 value may hold at once",
                   HM_FMT(hm_text_cut(names[0], SHOWN)));
  return no_winner(u, names[1], HM_E_INPUT, why.p, "name fewer");
}

/* Also judges claims that agree, or agree by now, unless they are in another conflict. */
static void judge_slot(ruling *u) {
  for (size_t i = 0; i < u->n; i++) {
    uint32_t row = u->members[i].row;
    for (size_t k = row == HM_MAP_NONE ? 1 : u->claims_of[row];
         row != HM_MAP_NONE && k < u->claims_of[row + 1]; k++)
      if (!u->elsewhere[k] &&
          hm_str_eq(hm_conflict_slot_key(u->v->a, u->look->snap, u->claims[k]), u->c.slot_key))
        u->judged[k] = true;
  }
}

/* Finds the row of a named winner; if others are superseded, it must be active. */
static int choose_winner(ruling *u, hm_str text, bool acts) {
  const member *m;
  hm_named_row *w = &u->winners[u->n_winners];
  if (find_member(u, text, &m))
    return -1;
  for (size_t i = 0; i < u->n_winners; i++)
    if (hm_str_eq(u->winners[i].ref, m->ref))
      return no_winner(u, text, HM_E_INPUT, "it is named twice", "name each winner once");
  if (hm_named_row_find(u->v->s, m->ref, u->v->a, w, u->v->err))
    return u->v->err->code == HM_E_UNKNOWN
        ? no_winner(u, text, HM_E_STATE, "its row is no longer stored", list_members(u).p)
        : -1;
  u->n_winners++;
  if (!acts)
    return 0;
  if (w->status != HM_ACTIVE) {
    hm_str why =
        HM_CAT(u->v->a, HM_STR("it is "), hm_text_cut(hm_named_row_status_text(w, u->v->a), SHOWN),
               HM_STR(", so it cannot stand"));
    return no_winner(u, text, HM_E_STATE, why.p, "restore it first, or name another");
  }
  if (u->dispute && !m->party)
    return no_winner(u, text, HM_E_STATE, "it says nothing in this slot that is in dispute now",
                     "name one that does");
  return 0;
}

static int by_ref(const void *x, const void *y) {
  return hm_str_cmp(((const hm_named_row *)x)->ref, ((const hm_named_row *)y)->ref);
}

static int choose_winners(ruling *u) {
  const hm_resolution *how = u->how;
  bool acts = how->action != HM_NO_ACTION;
  if (!how->n_winners && acts) {
    hm_fail(u->v->err, HM_E_INPUT, "winner", "it is missing",
            "name the member that stands, or change no row: no_action");
    return hm_err_at_field(u->v->err, HM_STR("winner_member_id"));
  }
  if (how->n_winners > HM_WINNERS_MAX)
    return no_winner(u, how->winners[0], HM_E_INPUT,
                     hm_str_fmt(u->v->a, "more than %d are named", HM_WINNERS_MAX).p, "name fewer");
  u->winners = hm_alloc_array(u->v->a, how->n_winners, sizeof *u->winners);
  for (size_t i = 0; i < how->n_winners; i++)
    if (choose_winner(u, how->winners[i], acts))
      return -1;
  if (u->n_winners)
    qsort(u->winners, u->n_winners, sizeof *u->winners, by_ref);
  if (!acts)
    return 0;
  if (u->dispute && u->n_winners > 1 && check_winners_agree(u))
    return -1;
  if (u->dispute && judge_parties(u))
    return -1;
  if (how->action == HM_SUPERSEDE_OTHERS)
    judge_slot(u);
  return 0;
}

/* --- losing rows ----------------------------------------------------------- */

static bool has_field(const hm_str *list, size_t n, hm_str field) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(list[i], field))
      return true;
  return false;
}

/* Of a losing row that by another source does not lose, what loses ends. */
static bool end_sources(ruling *u, const member *m, hm_loser *l) {
  size_t n = 0;
  for (uint32_t k = u->claims_of[m->row]; k < u->claims_of[m->row + 1]; k++) {
    const hm_claim *c = u->claims[k];
    bool spared = false;
    for (uint32_t i = u->claims_of[m->row]; u->judged[k] && i < u->claims_of[m->row + 1]; i++)
      spared |= !u->judged[i] && u->claims[i]->source.n && c->source.n &&
          hm_str_eq(u->claims[i]->field, c->field) && !hm_str_eq(u->claims[i]->source, c->source);
    if (u->judged[k] && !spared)
      return false;
    n += u->judged[k];
  }
  for (uint32_t k = u->claims_of[m->row]; k < u->claims_of[m->row + 1] && n; k++)
    if (u->judged[k])
      u->ended[u->n_ended++] = u->claims[k];
  (void)l;
  return n > 0;
}

/* Decides whether a member that is not a winner is superseded, or left alone and why. */
static int sort_member(ruling *u, const member *m) {
  hm_verdict_run *v = u->v;
  hm_loser l = { 0 };
  hm_str left = HM_EMPTY;
  if (hm_named_row_find(v->s, m->ref, v->a, &l.row, v->err)) {
    if (v->err->code != HM_E_UNKNOWN)
      return -1;
    left = HM_STR("is no longer stored");
  } else if (l.row.status != HM_ACTIVE) {
    left = HM_CAT(v->a, HM_STR("is "), hm_named_row_status_text(&l.row, v->a), HM_STR(" already"));
  } else if (m->row == HM_MAP_NONE) {
    left = HM_STR("is in dispute no more");
  } else {
    /* Its claims that are judged, by field, and the fields that are not. */
    uint32_t from = u->claims_of[m->row], to = u->claims_of[m->row + 1];
    bool elsewhere = false, found = false;
    l.fields = hm_alloc_array(v->a, to - from, sizeof *l.fields);
    l.others = hm_alloc_array(v->a, to - from, sizeof *l.others);
    for (uint32_t k = from; k < to; k++) {
      hm_str field = u->claims[k]->field;
      elsewhere |= u->elsewhere[k];
      if (u->judged[k] && !has_field(l.fields, l.n_fields, field))
        l.fields[l.n_fields++] = field;
      if (u->against[k] && !found)
        l.newer = u->against[k] - 1, found = true;
    }
    /* A relation is one fact, though it may speak of both ends. */
    for (uint32_t k = from; k < to && m->layer != HM_RELATION; k++) {
      hm_str field = u->claims[k]->field;
      bool repeats = u->claims[k]->twin.n > 0 && !u->judged[k]; /* what another claim of it says */
      if (!repeats && !has_field(l.fields, l.n_fields, field) &&
          !has_field(l.others, l.n_others, field))
        l.others[l.n_others++] = field;
    }
    if (l.n_fields && end_sources(u, m, &l))
      return 0;
    if (l.n_fields)
      left = HM_EMPTY;
    else if (m->party)
      left = HM_CAT(v->a, HM_STR("does not contradict "),
                    u->n_winners > 1 ? HM_STR("a winner") : u->winners[0].ref);
    else if (elsewhere)
      left = HM_STR("is in dispute in another conflict now");
    else
      left = HM_STR("is in dispute no more");
  }
  if (left.n)
    v->out->left[v->out->n_left++] = (hm_row_left){ m->ref, left };
  else if (hm_supersede_check(v->s, &l.row, &u->winners[l.newer], true, v->a, v->err))
    return -1;
  else
    u->losers[u->n_losers++] = l;
  return 0;
}

static hm_str field_list(const ruling *u, const hm_str *fields, size_t n) {
  hm_str list = HM_EMPTY;
  for (size_t i = 0; i < n && i < LISTED; i++)
    list = HM_CAT(u->v->a, list, i ? HM_STR(", ") : HM_EMPTY, hm_text_cut(fields[i], FIELD_SHOWN));
  return n > LISTED ? HM_CAT(u->v->a, list, HM_STR(" and more")) : list;
}

/* Fails if a losing row claims other things and no scope is given. */
static int check_scope(const ruling *u) {
  hm_arena *a = u->v->a;
  hm_str why = HM_EMPTY;
  const hm_loser *first = NULL;
  size_t n = 0;
  if (u->how->scope != HM_SCOPE_UNSAID)
    return 0;
  for (size_t i = 0; i < u->n_losers; i++) {
    const hm_loser *l = &u->losers[i];
    if (!l->n_others)
      continue;
    hm_str says = HM_CAT(a, HM_STR(" also says "), field_list(u, l->others, l->n_others));
    if (!first)
      first = l, why = HM_CAT(a, HM_STR("it"), says);
    else if (n < LISTED)
      why = HM_CAT(a, why, HM_STR("; "), hm_text_cut(l->row.ref, 60), says);
    else if (n == LISTED)
      why = HM_CAT(a, why, HM_STR("; and more rows do"));
    n++;
  }
  if (!first)
    return 0;
  hm_str fix = HM_CAT(a, HM_STR("retire it whole: --whole-row (scope whole_row); or take only "),
                      field_list(u, first->fields, first->n_fields),
                      HM_STR(" out of it: --field-only (scope field_only)"));
  hm_fail(u->v->err, HM_E_INPUT, hm_str_z(a, hm_text_cut(first->row.ref, SHOWN)), hm_str_z(a, why),
          hm_str_z(a, fix));
  return hm_err_at_field(u->v->err, HM_STR("scope"));
}

/* --- the verdict ------------------------------------------------------------- */

/* The recorded member, with its currently judged claim. */
static hm_member_rec member_rec(const ruling *u, const hm_claim *c, hm_str id) {
  hm_member_rec m = { .layer = c->layer, .id = id, .field = c->field, .conflicts_with = HM_EMPTY };
  for (size_t i = 0; u->rec && i < u->rec->n_members; i++) {
    const hm_member_rec *r = &u->rec->members[i];
    if (r->layer == c->layer && hm_str_eq(r->id, id) && hm_str_eq(r->field, c->field))
      m = *r;
  }
  m.value = c->value.raw;
  m.normal = c->value.norm;
  return m;
}

/* What a source says there is over; the row follows from the others. */
static int end_said(ruling *u, const hm_claim *c, hm_str why) {
  hm_verdict_run *v = u->v;
  const hm_row *row = &u->look->snap->rows[c->row];
  hm_actor who = v->who;
  hm_row_edited done;
  who.why = why;
  hm_verdict_report_change(
      v, hm_row_ref(v->a, row),
      HM_CAT(v->a, c->field, HM_STR(" = "), c->value.raw, HM_STR(" ("), c->source, HM_STR(")")),
      HM_STR("over"));
  hm_row_ending end = { row->layer, row->id, hm_claim_record_field(v->a, c), c->source,
                        v->out->conflict };
  return hm_row_end_said(v->s, &end, v->out->verb, &who, v->a, &done, v->err);
}

static int take_out(ruling *u, const hm_loser *l, hm_str why) {
  hm_verdict_run *v = u->v;
  uint32_t row = hm_snapshot_row(u->look->snap, l->row.layer, l->row.id);
  hm_member_rec *out = hm_alloc_array(v->a, l->n_fields, sizeof *out);
  hm_actor who = v->who;
  size_t n = 0;
  who.why = why;
  for (uint32_t k = u->claims_of[row]; k < u->claims_of[row + 1]; k++) {
    const hm_claim *c = u->claims[k];
    if (!u->judged[k] || n == l->n_fields)
      continue;
    hm_str said = HM_CAT(v->a, c->field, HM_STR(" = "), c->value.raw);
    out[n++] = member_rec(u, c, l->row.id);
    hm_verdict_report_change(v, l->row.ref, said, HM_STR("taken out of the row"));
  }
  return hm_remove_fields(v->s, v->out->conflict, out, n, &who, v->a, v->err);
}

static int apply(ruling *u) {
  hm_verdict_run *v = u->v;
  const hm_str none = { NULL, 0 };
  hm_str *refs = hm_alloc_array(v->a, u->n_winners, sizeof *refs);
  for (size_t i = 0; i < u->n_winners; i++)
    refs[i] = u->winners[i].ref;
  v->out->winner = hm_winners_text(v->a, refs, u->n_winners);
  v->out->action = hm_str_c(hm_action_name(u->how->action));
  v->out->scope = hm_str_c(hm_verdict_scope_name(u->how->scope));
  for (size_t i = 0; i < u->n_losers; i++) /* only an entity can lose some of its fields */
    if (u->how->scope != HM_SCOPE_FIELD_ONLY || u->losers[i].row.layer != HM_ENTITY)
      u->losers[i].n_fields = 0;
  if (v->r->dry_run && u->n_losers &&
      hm_verdict_preview_effects(v, u->losers, u->n_losers, u->winners, u->n_winners))
    return -1;
  if (hm_verdict_settle(v, &u->c, HM_RESOLVED, v->out->action, u->n_winners ? v->out->winner : none,
                        v->out->scope.n ? v->out->scope : none,
                        u->how->from.n ? u->how->from : none))
    return -1;
  hm_str why = HM_CAT(v->a, HM_STR("conflict "), v->out->conflict,
                      v->out->notes.n ? HM_STR(": ") : HM_EMPTY, v->out->notes);
  for (size_t i = 0; i < u->n_losers; i++) {
    const hm_loser *l = &u->losers[i];
    if (l->n_fields
            ? take_out(u, l, why)
            : hm_verdict_supersede_row(v, &l->row, &u->winners[l->newer], HM_EMPTY, true, why))
      return -1;
  }
  for (size_t i = 0; i < u->n_ended; i++)
    if (end_said(u, u->ended[i], why))
      return -1;
  return u->how->link && u->dispute ? hm_verdict_link_sides(v, u->look, u->dispute, why) : 0;
}

int hm_review_resolve(hm_store *s, const hm_review *r, hm_str id, const hm_resolution *how,
                      hm_arena *a, hm_verdict_report *out, hm_err *err) {
  hm_verdict_run v = { .s = s, .r = r, .a = a, .out = out, .err = err };
  ruling u = { .v = &v, .how = how };
  int rc = hm_verdict_begin(&v, "resolve", how->notes, "resolution_notes", false);
  if (!rc)
    rc = hm_verdict_read_conflict(&v, id, false, &u.c);
  if (!rc)
    rc = check_request(&u);
  if (!rc)
    rc = gather(&u);
  if (!rc)
    rc = choose_winners(&u);
  if (!rc && how->action != HM_NO_ACTION) {
    out->left = hm_alloc_array(a, u.n, sizeof *out->left);
    for (size_t i = 0; i < u.n && !rc; i++)
      if (!is_winner(&u, u.members[i].ref))
        rc = sort_member(&u, &u.members[i]);
    if (!rc)
      rc = check_scope(&u);
  }
  if (!rc)
    rc = apply(&u);
  return hm_verdict_end(&v, rc);
}
