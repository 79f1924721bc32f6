/* One claim stands, or all do: who wins, who gives way, and who is left alone. */
#include <string.h>

#include "core/base/text.h"
#include "core/detect/finding.h"
#include "core/review/verdict_impl.h"

enum { SHOWN = 200, LISTED = 6 };

/* A row of the conflict: a party of the dispute as it is now, or a recorded member that is in dispute no more. */
typedef struct { hm_layer layer; hm_str id, ref; bool party; } member;

typedef struct {
  hm_verdict_run *v;
  hm_case c;
  hm_sweep look;
  const hm_dispute *dispute;    /* NULL: it awaits sign-off */
  member *members; size_t n;    /* each row once */
  hm_map at;                    /* ref -> index */
  hm_standing winner; bool has_winner;
  hm_standing *losers; size_t n_losers;
} ruling;

/* --- who is there ---------------------------------------------------------- */

static member *add_member(ruling *u, hm_layer layer, hm_str id) {
  hm_str ref = HM_CAT(u->v->a, hm_str_c(hm_layer_kind(layer)), HM_STR(":"), id);
  uint32_t at = hm_map_add(&u->at, ref, (uint32_t)u->n);
  if (at == u->n) u->members[u->n++] = (member){ .layer = layer, .id = id, .ref = ref };
  return &u->members[at];
}

static member *member_of(ruling *u, const hm_party *p) {
  return add_member(u, p->claim->layer, u->look.snap->rows[p->claim->row].id);
}

static const hm_conflict_rec *recorded(const ruling *u) {
  const hm_plan *p = u->look.plan;
  for (size_t i = 0; i < p->n_conflicts; i++)
    if (hm_str_eq(p->conflicts[i].id, u->v->out->conflict)) return &p->conflicts[i];
  return NULL;
}

static int gather(ruling *u) {
  hm_verdict_run *v = u->v;
  if (hm_look(v->s, v->r->rules, &u->c.slot_key, 1, v->a, &u->look, v->err)) return -1;
  const hm_conflict_rec *rec = recorded(u);
  u->dispute = rec ? hm_plan_dispute(u->look.plan, rec) : NULL;
  size_t parties = u->dispute ? u->dispute->n : 0, all = parties + (rec ? rec->n_members : 0);
  u->members = hm_alloc_array(v->a, all, sizeof *u->members);
  u->losers = hm_alloc_array(v->a, all, sizeof *u->losers);
  hm_map_init(&u->at, v->a, all);
  for (size_t i = 0; i < parties; i++) member_of(u, &u->dispute->parties[i])->party = true;
  for (size_t i = 0; rec && i < rec->n_members; i++) add_member(u, rec->members[i].layer, rec->members[i].id);
  return 0;
}

/* --- who wins -------------------------------------------------------------- */

static hm_str list_members(const ruling *u) {
  hm_arena *a = u->v->a;
  hm_str list = HM_STR("its members are ");
  for (size_t i = 0; i < u->n && i < LISTED; i++)
    list = HM_CAT(a, list, i ? HM_STR(", ") : HM_EMPTY, hm_text_cut(u->members[i].ref, 60));
  return u->n > LISTED ? HM_CAT(a, list, HM_STR(" and more")) : list;
}

static int no_winner(const ruling *u, hm_str text, hm_code code, const char *why, const char *fix) {
  hm_str what = HM_CAT(u->v->a, HM_STR("winner '"), hm_text_cut(text, SHOWN), HM_STR("'"));
  hm_fail(u->v->err, code, hm_str_z(u->v->a, what), why, fix);
  return hm_err_at_field(u->v->err, HM_STR("winner_member_id"));
}

static int find_member(const ruling *u, hm_str text, const member **out) {
  uint32_t at = hm_map_get(&u->at, text);
  size_t n = 0;
  *out = at == HM_MAP_NONE ? NULL : &u->members[at];
  for (size_t i = 0; !*out && i < u->n; i++) n += hm_str_eq(u->members[i].id, text);
  if (n > 1) return no_winner(u, text, HM_E_INPUT, "members of several layers have this id", list_members(u).p);
  for (size_t i = 0; !*out && i < u->n; i++)
    if (hm_str_eq(u->members[i].id, text)) *out = &u->members[i];
  return *out ? 0 : no_winner(u, text, HM_E_INPUT, "it is no member of this conflict", list_members(u).p);
}

static int choose_winner(ruling *u, hm_str text, hm_action action) {
  const member *m;
  hm_arena *a = u->v->a;
  if (!text.n && action == HM_NO_ACTION) return 0;
  if (!text.n) {
    hm_fail(u->v->err, HM_E_INPUT, "winner", "it is missing", "name the member that stands, or change no row: no_action");
    return hm_err_at_field(u->v->err, HM_STR("winner_member_id"));
  }
  if (find_member(u, text, &m)) return -1;
  if (hm_standing_of(u->v->s, m->ref, a, &u->winner, u->v->err))
    return u->v->err->code == HM_E_UNKNOWN ? no_winner(u, text, HM_E_STATE, "its row is no longer stored", list_members(u).p) : -1;
  u->has_winner = true;
  if (action == HM_NO_ACTION) return 0;
  if (u->winner.status != HM_ACTIVE) {
    hm_str why = HM_CAT(a, HM_STR("it is "), hm_text_cut(hm_standing_words(&u->winner, a), SHOWN), HM_STR(", so it cannot stand"));
    return no_winner(u, text, HM_E_STATE, why.p, "restore it first, or name another");
  }
  if (u->dispute && !m->party)
    return no_winner(u, text, HM_E_STATE, "it says nothing in this slot that is in dispute now", "name one that does");
  return 0;
}

/* --- who gives way --------------------------------------------------------- */

static void leave(ruling *u, hm_str ref, hm_str why) {
  hm_verdict_report *out = u->v->out;
  out->left[out->n_left++] = (hm_row_left){ ref, why };
}

static int sort_member(ruling *u, const member *m) {
  hm_verdict_run *v = u->v;
  hm_standing row;
  if (hm_standing_of(v->s, m->ref, v->a, &row, v->err)) {
    if (v->err->code != HM_E_UNKNOWN) return -1;
    leave(u, m->ref, HM_STR("is no longer stored"));
    return 0;
  }
  if (row.status != HM_ACTIVE) leave(u, m->ref, HM_CAT(v->a, HM_STR("is "), hm_standing_words(&row, v->a), HM_STR(" already")));
  else if (!m->party) leave(u, m->ref, HM_STR("is in dispute no more"));
  else if (hm_supersede_check(v->s, &row, &u->winner, true, v->a, v->err)) return -1;
  else u->losers[u->n_losers++] = row;
  return 0;
}

static int sort_members(ruling *u) {
  u->v->out->left = hm_alloc_array(u->v->a, u->n, sizeof *u->v->out->left);
  for (size_t i = 0; i < u->n; i++)
    if (!hm_str_eq(u->members[i].ref, u->winner.ref) && sort_member(u, &u->members[i])) return -1;
  return 0;
}

/* --- the verdict ----------------------------------------------------------- */

static int apply(ruling *u, hm_action action) {
  hm_verdict_run *v = u->v;
  v->out->winner = u->has_winner ? u->winner.ref : HM_EMPTY;
  v->out->action = action == HM_NO_ACTION ? HM_STR("no_action") : HM_STR("supersede_others");
  if (v->r->dry_run && u->n_losers && hm_verdict_reach(v, u->losers, u->n_losers, &u->winner)) return -1;
  if (hm_verdict_settle(v, &u->c, HM_RESOLVED, v->out->action, u->has_winner ? u->winner.ref : (hm_str){ NULL, 0 })) return -1;
  hm_str why = HM_CAT(v->a, HM_STR("conflict "), v->out->conflict, v->out->notes.n ? HM_STR(": ") : HM_EMPTY, v->out->notes);
  for (size_t i = 0; i < u->n_losers; i++)
    if (hm_verdict_give_way(v, &u->losers[i], &u->winner, HM_EMPTY, true, why)) return -1;
  return 0;
}

static int resolve(hm_verdict_run *v, hm_str id, hm_str winner, hm_action action) {
  ruling u = { .v = v };
  int rc = hm_verdict_case(v, id, false, &u.c);
  if (!rc) rc = gather(&u);
  if (!rc) rc = choose_winner(&u, winner, action);
  if (!rc && action == HM_SUPERSEDE_OTHERS) rc = sort_members(&u);
  if (!rc) rc = apply(&u, action);
  hm_sweep_free(&u.look);
  return rc;
}

int hm_review_resolve(hm_store *s, const hm_review *r, hm_str id, hm_str winner, hm_action action, hm_str notes,
                      hm_arena *a, hm_verdict_report *out, hm_err *err) {
  hm_verdict_run v = { .s = s, .r = r, .a = a, .out = out, .err = err };
  int rc = hm_verdict_begin(&v, "resolve", notes, "resolution_notes", false);
  return hm_verdict_end(&v, rc ? rc : resolve(&v, id, winner, action));
}
