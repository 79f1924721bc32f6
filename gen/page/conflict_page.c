/* The page of one conflict: who says what, what differs, what to do, the reason for the flag, and
 * the history. Its sides and its words are in conflict_sides.c.
 *
 * All lists are cut to a maximum length, so the cost of a page is bounded. */
#include "core/claim/judged.h"
#include "core/claim/relation.h"
#include "core/detect/conflict.h"
#include "core/record/given.h"
#include "model.h"

enum {
  HISTORY_MAX = 100,
  NEIGHBOURS_MAX = 10,
  LINES_MAX = 400,
  COMMANDS_MAX = 50,
  VALUE_BYTES = 80,
  PAST_BYTES = HM_PART_BYTES * 3 / 4
};

/* Fields that left rows which stand otherwise. */
static void put_taken_out(hm_model *m, hm_node *top, const hm_side *s, size_t n) {
  hm_node *rows = NULL;
  size_t listed = 0;
  hm_node_set_bool(top, "taken_out", false);
  for (size_t i = 0; i < n && listed <= HM_REFS; i++) {
    if (!s[i].removed || s[i].row == HM_NONE || listed++ == HM_REFS)
      continue;
    if (!rows)
      rows = hm_node_set_list(hm_node_set_obj(top, "taken_out"), "rows");
    hm_node *item = hm_model_add_item(m, rows);
    hm_model_set_row_link_fields(m, item, s[i].row);
    hm_model_set_short(m, item, "field", s[i].field, 80);
    hm_model_set_short(m, item, "value", s[i].value, 80);
    hm_model_set_raw(m, item, "sep", listed > 1 ? HM_STR(", ") : HM_EMPTY);
  }
  hm_node_set_bool(top, "taken_out_more", listed > HM_REFS);
}

/* --- why ---------------------------------------------------------------- */

/* An explanation quotes every member: if one is withheld, the page explains only the visible
 * pairs. */
static void put_visible_why(hm_model *m, hm_node *list, const hm_vconflict *c) {
  const hm_dispute *d = c->dispute;
  int left = LINES_MAX;
  for (size_t i = 0; d && i < d->n && left > 0; i++) {
    const hm_claim *x = d->parties[i].claim, *y = d->parties[i].against;
    if (!y || !hm_view_claim_shown(m->v, x, m->a) || !hm_view_claim_shown(m->v, y, m->a))
      continue;
    left--;
    hm_node *line = hm_model_add_item(m, list);
    hm_model_set_short(m, line, "line",
                       hm_value_describe_difference(m->a, &x->value, &y->value, NULL), 1000);
  }
}

static bool is_hidden_id(const hm_view *v, hm_str text) {
  hm_str id = hm_value_parse_id(text);
  uint32_t row = id.n ? hm_snapshot_row(v->snap, HM_ENTITY, id) : HM_NONE;
  return row != HM_NONE && v->hidden[row];
}

static bool holds_hidden_id(const hm_view *v, const hm_json *j) {
  if (j->type == HM_JSON_STRING)
    return is_hidden_id(v, j->text);
  for (const hm_json *i = j->child; i; i = i->next)
    if (holds_hidden_id(v, i))
      return true;
  return false;
}

/* A value, as recorded, is or holds the id of a row that is left out: an explanation would tell its
 * name. */
static bool names_hidden(hm_model *m, hm_str value) {
  hm_json *parts = NULL;
  if (hm_str_starts(value, "[") || hm_str_starts(value, "{"))
    return !hm_json_parse(m->a, value, &parts, NULL) && holds_hidden_id(m->v, parts);
  return is_hidden_id(m->v, hm_str_starts(value, "not: ") ? hm_str_sub(value, 5, value.n) : value);
}

/* True when the explanation tells bounds that may not be shown: of the parties, or, where nothing
 * is in dispute, of what the members claim today. */
static bool has_hidden_bounds(const hm_view *v, const hm_vconflict *c) {
  const hm_claims *all = v->sweep->claims;
  for (size_t i = 0; c->dispute && i < c->dispute->n; i++)
    if (!hm_view_window_shown(v, c->dispute->parties[i].claim->when))
      return true;
  for (size_t i = 0; !c->dispute && i < c->rec->n_members; i++) {
    uint32_t row = hm_snapshot_row(v->snap, c->rec->members[i].layer, c->rec->members[i].id);
    size_t k = row == HM_NONE ? all->n
                              : hm_find_first_of_row(all->claims, all->n, sizeof *all->claims, row);
    for (; k < all->n && all->claims[k].row == row; k++)
      if (all->claims[k].when && !hm_view_window_shown(v, all->claims[k].when))
        return true;
  }
  return false;
}

static bool has_hidden_names(hm_model *m, const hm_vconflict *c) {
  if (has_hidden_bounds(m->v, c))
    return true;
  for (size_t i = 0; m->v->any_hidden && i < c->rec->n_members; i++)
    if (names_hidden(m, c->rec->members[i].value))
      return true;
  for (size_t i = 0; m->v->any_hidden && c->dispute && i < c->dispute->n; i++)
    if (names_hidden(m, c->dispute->parties[i].claim->value.raw))
      return true;
  return false;
}

/* An explanation tells of a row what all of its sources say. */
static bool has_left_out_source(const hm_view *v, const hm_vconflict *c) {
  for (size_t i = 0; c->dispute && i < c->dispute->n; i++)
    if (!hm_view_row_is_whole(v, c->dispute->parties[i].claim->row))
      return true;
  for (size_t i = 0; i < c->rec->n_members; i++) {
    uint32_t row = hm_snapshot_row(v->snap, c->rec->members[i].layer, c->rec->members[i].id);
    if (row != HM_NONE && !hm_view_row_is_whole(v, row))
      return true;
  }
  return false;
}

static void put_why(hm_model *m, hm_node *top, const hm_vconflict *c) {
  hm_node *list = hm_node_set_list(top, "why");
  if (has_hidden_names(m, c))
    return;
  if (c->withheld || !c->named || has_left_out_source(m->v, c)) {
    put_visible_why(m, list, c);
    return;
  }
  hm_explanation e;
  hm_explain_conflict(m->v->sweep, c->rec, m->v->rules, m->a, &e);
  size_t i = 0;
  for (; i < e.n && i < LINES_MAX && !hm_model_is_full(m, HM_PART_BYTES); i++)
    hm_model_set_text(m, hm_model_add_item(m, list), "line", e.lines[i]);
  if (i < e.n)
    hm_model_set_text(m, hm_model_add_item(m, list), "line",
                      HM_STR("There is more: hmirror explain tells all."));
}

/* --- what else was said -------------------------------------------------- */

typedef struct {
  hm_model *m;
  hm_node *list;
  hm_map seen;
  uint32_t queue[HISTORY_MAX];
  size_t n;
  hm_str field;
} past;

static void past_add(past *h, uint32_t row, hm_str recorded) {
  hm_model *m = h->m;
  if (h->n == HISTORY_MAX || hm_model_is_full(m, PAST_BYTES) || !hm_view_listed(m->v, row) ||
      !hm_add_row_if_new(&h->seen, m->a, row))
    return;
  h->queue[h->n++] = row;
  hm_node *item = hm_model_add_item(m, h->list);
  const hm_row *r = &m->v->snap->rows[row];
  bool is_recorded = recorded.n && r->layer != HM_STATE;
  if (r->layer == HM_RELATION)
    recorded = hm_view_relation_end_name(m->v, recorded, m->a);
  hm_model_set_row_link(m, item, "row", row);
  hm_model_set_plain_value(m, item, "v",
                           is_recorded ? recorded : hm_model_find_field_text(m, row, h->field));
  hm_model_set_text(m, item, "status",
                    hm_str_c(r->status == HM_ACTIVE ? "active, no longer in dispute"
                                                    : hm_status_name(r->status)));
  hm_model_set_date(m, item, "recorded", hm_row_text_date(m->v->snap, row));
  hm_model_add_supersession_lines(m, hm_node_set_list(item, "lines"), row);
}

static void past_members(past *h, const hm_conflict_rec *rec) {
  for (size_t i = 0; i < rec->n_members; i++) {
    const hm_member_rec *r = &rec->members[i];
    uint32_t row = hm_snapshot_row(h->m->v->snap, r->layer, r->id);
    if (row != HM_NONE && hm_view_member_shown(h->m->v, r, h->m->a))
      past_add(h, row, r->value);
  }
}

static void past_older(past *h, uint32_t row) {
  const hm_view *v = h->m->v;
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++)
    if (v->edges[i].kind == HM_EDGE_OLDER && v->edges[i].other != HM_NONE)
      past_add(h, v->edges[i].other, HM_EMPTY);
}

/* Conflicts of the same slot around this one, NEIGHBOURS_MAX to either side: a ruler's seat of
 * 20,000 terms may have thousands, each with a page. */
static uint32_t slot_neighbours(const hm_view *v, uint32_t at, uint32_t *to) {
  uint32_t from = at, last = at;
  hm_str key = v->recs[at]->slot_key;
  while (from > 0 && at - from < NEIGHBOURS_MAX && hm_str_eq(v->recs[from - 1]->slot_key, key))
    from--;
  while (last + 1 < v->n_conflicts && last - at < NEIGHBOURS_MAX &&
         hm_str_eq(v->recs[last + 1]->slot_key, key))
    last++;
  *to = last + 1;
  return from;
}

/* History that would claim the slot, rows of earlier conflicts of it, members that left, and all
 * that these and the sides superseded. */
static void put_past(hm_model *m, hm_node *top, uint32_t at, const hm_side *s, size_t n) {
  const hm_view *v = m->v;
  past h = { .m = m, .list = hm_node_set_list(top, "past"), .field = n ? s[0].field : HM_EMPTY };
  hm_map_init(&h.seen, m->a, 32);
  for (size_t i = 0; i < n; i++)
    if (s[i].row != HM_NONE)
      hm_add_row_if_new(&h.seen, m->a, s[i].row);
  uint32_t n_past, first = hm_view_find_past_claims(v, at, &n_past);
  for (uint32_t i = first; i < first + n_past; i++)
    past_add(&h, v->past[i].row, v->past[i].value);
  past_members(&h, v->conflicts[at].rec);
  uint32_t to, from = slot_neighbours(v, at, &to);
  for (uint32_t i = at; i-- > from;)
    past_members(&h, v->recs[i]);
  for (uint32_t i = at + 1; i < to; i++)
    past_members(&h, v->recs[i]);
  for (size_t i = 0; i < n; i++)
    if (s[i].row != HM_NONE)
      past_older(&h, s[i].row);
  for (size_t i = 0; i < h.n; i++)
    past_older(&h, h.queue[i]);
  hm_node_set_bool(top, "has_past", h.n > 0);
}

/* --- other conflicts of the slot ------------------------------------------ */

static void put_others(hm_model *m, hm_node *top, uint32_t at) {
  const hm_view *v = m->v;
  hm_node *list = hm_node_set_list(top, "others");
  uint32_t to, from = slot_neighbours(v, at, &to);
  uint32_t i = from;
  for (; i < to && !hm_model_is_full(m, HM_PART_BYTES); i++)
    if (i != at)
      hm_model_add_conflict_item(m, list, i);
  hm_str key = v->recs[at]->slot_key;
  bool before = from > 0 && hm_str_eq(v->recs[from - 1]->slot_key, key);
  bool behind = to < v->n_conflicts && hm_str_eq(v->recs[to]->slot_key, key);
  hm_node_set_bool(top, "more_others", before || behind || i < to);
  hm_node_set_bool(top, "has_others", to - from > 1);
  hm_model_set_url(m, top, "conflicts_url", HM_STR("conflicts/README.md"), HM_EMPTY);
}

/* --- commands ------------------------------------------------------------- */

/* One row of each value may be chosen: those that agree with it stay. */
static void put_winners(hm_model *m, hm_node *top, const hm_case_value *values, size_t n,
                        bool *placeholder) {
  hm_node *list = hm_node_set_list(top, "winners");
  for (size_t i = 0; i < n && i < COMMANDS_MAX; i++) {
    const hm_side *s = values[i].sides[0];
    hm_str member = hm_format_shell_word(m->a, hm_ref_text(m->a, s->layer, s->id));
    hm_str from = s->from.n ? hm_format_shell_word(m->a, s->from) : HM_EMPTY;
    if (member.n && from.n)
      member = HM_CAT(m->a, member, HM_STR(" --from "), from);
    if (!member.n || (s->from.n && !from.n)) {
      *placeholder = true;
      member = hm_str_fmt(m->a, "MEMBER-%zu", s->number);
    }
    hm_node *item = hm_model_add_item(m, list);
    hm_model_set_short(m, item, "value", s->value, VALUE_BYTES);
    hm_model_set_raw(m, item, "member", member);
  }
}

static void put_commands(hm_model *m, hm_node *top, const hm_vconflict *c,
                         const hm_case_value *values, size_t n) {
  hm_str id = hm_format_shell_word(m->a, c->rec->id);
  bool placeholder = !id.n;
  /* Nothing gives way where nothing is in dispute. */
  put_winners(m, top, values, c->dispute ? n : 0, &placeholder);
  hm_model_set_raw(m, top, "command_id", id.n ? id : HM_STR("ID"));
  hm_node_set_bool(top, "placeholder", placeholder);
  uint32_t at_once =
      c->dispute ? hm_relation_max_at_once(m->v->rules, c->dispute->anchor->space) : 1;
  hm_model_set_text(m, top, "at_once", at_once > 1 ? hm_str_fmt(m->a, "%u", at_once) : HM_EMPTY);
  hm_node_set_bool(top, "open", c->rec->status == HM_OPEN);
}

/* --- the verdict ---------------------------------------------------------- */

/* Links the conflict that this one was merged into, if that is published. */
static void put_merged(hm_model *m, hm_node *top, const hm_conflict_rec *r) {
  hm_node_set_bool(top, "merged", false);
  if (r->status != HM_MERGED)
    return;
  hm_node *merged = hm_node_set_obj(top, "merged");
  hm_node_set_bool(merged, "into", false);
  uint32_t into = hm_map_get(&m->v->conflict_at, r->merged_into);
  if (into != HM_NONE)
    hm_model_set_ref(m, merged, "into", m->v->conflicts[into].title, m->v->conflicts[into].path,
                     HM_EMPTY);
}

/* The verdict that was taken back, and by whom, when and why. */
static void put_taken_back(hm_model *m, hm_node *top, const hm_vconflict *c) {
  const hm_past_decision *was = c->rec->taken_back, *by = c->rec->reopened;
  hm_node_set_bool(top, "taken_back", false);
  if (!was)
    return;
  hm_node *item = hm_node_set_obj(top, "taken_back");
  hm_model_set_text(m, item, "verdict",
                    hm_str_is(was->status, "dismissed") ? HM_STR("Dismissed") : HM_STR("Resolved"));
  hm_model_set_date(m, item, "resolved_at", was->at);
  hm_model_set_short(m, item, "resolved_by", was->by, 120);
  hm_model_set_short(m, item, "resolution", c->withheld ? HM_EMPTY : was->notes, 1200);
  hm_model_set_date(m, item, "reopened_at", by->at);
  hm_model_set_short(m, item, "reopened_by", by->by, 120);
  hm_model_set_short(m, item, "reason", c->withheld ? HM_EMPTY : by->notes, 1200);
}

static void put_verdict(hm_model *m, hm_node *top, const hm_vconflict *c) {
  const hm_conflict_rec *r = c->rec;
  hm_node_set_bool(top, "disputed", c->dispute != NULL);
  bool off = r->status == HM_OPEN && hm_rule_is_off(m->v->rules, hm_conflict_rule(r));
  hm_node_set_bool(top, "signoff", r->status == HM_OPEN && !c->dispute && !off);
  hm_node_set_bool(top, "rule_off", off);
  hm_node_set_bool(top, "settled", hm_conflict_is_settled(c));
  put_merged(m, top, r);
  put_taken_back(m, top, c);
  hm_model_set_text(m, top, "verdict",
                    r->status == HM_DISMISSED ? HM_STR("Dismissed") : HM_STR("Resolved"));
  hm_model_set_date(m, top, "since", hm_format_since(m->v, c, m->a));
  hm_model_set_date(m, top, "resolved_at", r->resolved_at);
  hm_model_set_short(m, top, "resolved_by", r->resolved_by, 120);
  hm_node_set_bool(top, "from_file", r->from_file);
  if (c->withheld)
    hm_model_set_plain_value(m, top, "resolution", HM_EMPTY);
  else
    hm_model_set_plain_value(m, top, "resolution", r->resolution);
  hm_node_set_bool(top, "has_resolution", !c->withheld && r->resolution.n > 0);
  hm_model_set_text(m, top, "action", hm_format_verdict_action(m, r));
  hm_model_set_winners(m, top, r);
  hm_node_set_bool(top, "has_effect", r->action.n || r->winner.n);
}

/* Of one that a model proposed or a person confirmed: its question may quote any side. */
static void put_judged(hm_model *m, hm_node *top, const hm_vconflict *c) {
  const hm_proposal *p = hm_judged_find_proposal(m->v->snap, c->rec->slot_key, m->a);
  hm_node_set_bool(top, "judged", false);
  if (!p || c->withheld || !c->named)
    return;
  hm_node *by = hm_node_set_obj(top, "judged");
  hm_model_set_short(m, by, "model", p->model, 120);
  hm_model_set_short(m, by, "question", p->question, 1200);
}

/* All that the page says of the sides, but for the derivation. */
static void put_case(hm_model *m, hm_node *top, const hm_vconflict *c, const hm_side *s, size_t n) {
  size_t shown, n_values = 0;
  bool is_past = c->dispute == NULL;
  hm_model_set_sides(m, top, s, n, is_past, &shown);
  const hm_case_value *values = hm_collect_case_values(m, s, shown, &n_values);
  put_commands(m, top, c, values, n_values);
  hm_model_set_lead(m, top, values, n_values, is_past);
  hm_model_set_cards(m, top, c, values, n_values);
  hm_model_set_differences(m, top, values, n_values);
}

/* Many projects have a conflict of one name: a tab and a bookmark say of which. */
static void put_title(hm_model *m, hm_node *top, const hm_vconflict *c) {
  bool owned = c->project != HM_NONE;
  hm_str project = owned ? hm_shorten(m->a, m->v->projects[c->project].label, 120) : HM_EMPTY;
  hm_model_set_titles(m, top, c->words,
                      hm_str_fmt(m->a, "Conflict: %.*s%s%.*s", HM_FMT(c->words), owned ? " · " : "",
                                 HM_FMT(project)),
                      hm_str_fmt(m->a, "Who says what about %.*s%s%.*s, and what to do",
                                 HM_FMT(c->words), owned ? " in " : "", HM_FMT(project)));
}

void hm_page_conflict(hm_model *m, hm_node *top) {
  const hm_vconflict *c = &m->v->conflicts[m->p->from];
  hm_side *s;
  size_t n = hm_collect_conflict_sides(m, c, &s);
  put_title(m, top, c);
  hm_model_set_short(m, top, "id", c->rec->id, 80);
  hm_model_set_text(m, top, "slot", c->title);
  hm_model_set_text(
      m, top, "rule",
      hm_str_fmt(m->a, "%.*s/%d",
                 HM_FMT(hm_shorten(m->a, c->rec->rule.n ? c->rec->rule : HM_STR("slot"), 40)),
                 c->rec->rule_version));
  if (c->project == HM_NONE)
    hm_node_set_bool(top, "project", false);
  else
    hm_model_set_ref(m, top, "project", m->v->projects[c->project].label,
                     hm_str_fmt(m->a, "%.*sREADME.md", HM_FMT(m->v->projects[c->project].dir)),
                     HM_EMPTY);
  put_judged(m, top, c);
  put_verdict(m, top, c);
  hm_model_set_conflict_story(m, top, c);
  hm_model_set_superseded_rows(m, top, m->p->from);
  hm_model_set_text(m, top, "withheld", hm_model_format_withheld(m, c));
  put_case(m, top, c, s, n);
  hm_model_set_timeline(m, top, NULL, c);
  put_taken_out(m, top, s, n);
  put_past(m, top, m->p->from, s, n);
  put_others(m, top, m->p->from);
  put_why(m, top, c);
}
