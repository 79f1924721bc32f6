/* Writes the review form as HTML: the claims to choose from, the entered values, errors, and what a
 * verdict would change. */
#include <stdio.h>
#include <string.h>
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/detect/conflict.h"
#include "gen/check/check.h"
#include "gen/http/review.h"
#include "gen/page/view.h"

#define FOLDER "conflicts/"

enum { CLAIMS_SHOWN = 100, VALUE_SHOWN = 400, SOURCES_SHOWN = 200, CHANGES_SHOWN = 50 };

/* --- the case -------------------------------------------------------------------- */

static hm_str text_of(const hm_json *o, const char *key) {
  const hm_json *v = hm_json_get(o, key);
  return v ? v->text : HM_EMPTY;
}

static hm_str ref_of(const hm_json *member, hm_arena *a) {
  return HM_CAT(a, text_of(member, "member_kind"), HM_STR(":"), text_of(member, "member_id"));
}

static hm_str cut(hm_arena *a, hm_str s, size_t max) {
  if (s.n <= max)
    return s;
  return hm_str_fmt(a, "%.*s…", HM_FMT(hm_text_cut(s, max)));
}

static hm_review_claim *find_claim(const hm_review_case *c, hm_str ref) {
  for (size_t i = 0; i < c->n; i++)
    if (hm_str_eq(c->claims[i].ref, ref))
      return &c->claims[i];
  return NULL;
}

/* The claimed value of a row; empty when the row has no claim in the case. */
static hm_str claim_value(const hm_review_case *c, hm_str ref) {
  const hm_review_claim *claim = find_claim(c, ref);
  return claim ? claim->values : HM_EMPTY;
}

/* The winners' values, each between quotes: “a”, “b” and “c”; for a row without a value here, its
 * name. *n: how many. */
static hm_str winner_values(const hm_review_case *c, hm_str winner, const char *quotes[2],
                            hm_arena *a, size_t *n) {
  hm_str *refs, list = HM_EMPTY;
  *n = hm_winners_parse(a, winner, &refs);
  for (size_t i = 0; i < *n; i++) {
    hm_str value = claim_value(c, refs[i]);
    list = HM_CAT(a, list,
                  !i               ? HM_EMPTY
                      : i + 1 < *n ? HM_STR(", ")
                                   : HM_STR(" and "),
                  hm_str_c(quotes[0]), value.n ? value : refs[i], hm_str_c(quotes[1]));
  }
  return list;
}

/* The other claimed fields of a row: those that are not members of the conflict. */
static hm_str other_fields(const hm_claims *all, uint32_t row, hm_str ref, const hm_json *members,
                           hm_arena *a) {
  hm_str list = HM_EMPTY;
  size_t from = hm_claims_first_of_row(all, row);
  for (; from < all->n && all->claims[from].row == row && list.n < SOURCES_SHOWN; from++) {
    hm_str field = all->claims[from].field;
    const hm_json *m = members->child;
    while (m && !(hm_str_eq(ref_of(m, a), ref) && hm_str_eq(text_of(m, "field"), field)))
      m = m->next;
    if (!m)
      list = HM_CAT(a, list, list.n ? HM_STR(", ") : HM_EMPTY, cut(a, field, 60));
  }
  return list;
}

/* The answer to the question that this claim gives. */
static hm_str answer_of(const hm_json *arc, hm_str ref) {
  for (const hm_json *l = arc ? arc->child : NULL; l; l = l->next)
    if (hm_str_eq(text_of(l, "row"), ref)) {
      hm_str answer = text_of(l, "answer");
      if (answer.n)
        return hm_str_is(answer, "yes") ? HM_STR("Yes") : HM_STR("No");
    }
  return HM_EMPTY;
}

/* A row that claims several fields of the slot is one claim with several values. */
static void read_members(const hm_preview_ref *at, hm_review_case *c, hm_arena *a) {
  const hm_sweep *w = hm_view_sweep(at->build->view);
  hm_buf b = { 0 };
  hm_json *json = NULL;
  hm_conflict_json(&b, w, c->rec, NULL, false, a);
  c->seen = hm_str_digest_hex(a, hm_buf_view(&b), 16);
  hm_json_parse(a, hm_buf_view(&b), &json, NULL);
  hm_conflict_set_end_names(a, w->snap, NULL, json);
  hm_buf_free(&b);
  const hm_json *members = hm_json_get(json, "members");
  const hm_json *arc = hm_json_get(json, "arc");
  c->question = text_of(json, "question");
  c->claims = hm_alloc_array(a, CLAIMS_SHOWN, sizeof *c->claims);
  for (const hm_json *m = members ? members->child : NULL; m; m = m->next) {
    hm_str ref = ref_of(m, a), value = cut(a, text_of(m, "value"), VALUE_SHOWN);
    hm_review_claim *claim = find_claim(c, ref);
    if (claim)
      claim->values = HM_CAT(a, claim->values, HM_STR("; "), value);
    if (claim || c->n == CLAIMS_SHOWN)
      continue;
    uint32_t row = hm_snapshot_ref(w->snap, HM_ENTITY, ref);
    bool found = row != HM_MAP_NONE;
    c->claims[c->n++] =
        (hm_review_claim){ .ref = ref,
                           .values = value,
                           .answer = answer_of(arc, ref),
                           .others =
                               found ? other_fields(w->claims, row, ref, members, a) : HM_EMPTY,
                           .member = m,
                           .withheld = found && hm_view_hidden_rows(at->build->view)[row] };
  }
}

bool hm_review_find_case(const hm_preview_ref *at, hm_str path, hm_arena *a, hm_review_case *out) {
  static const char end[] = ".html";
  size_t n;
  if (!at->build || !hm_str_starts(path, FOLDER) || !hm_str_ends(path, end))
    return false;
  const hm_view *v = at->build->view;
  const hm_conflict_rec **all = hm_view_conflicts(v, &n), *rec = NULL;
  hm_str stem = hm_str_sub(path, strlen(FOLDER), path.n - strlen(end)),
         md = hm_str_fmt(a, FOLDER "%.*s.md", HM_FMT(stem));
  /* A page is called as its conflict, but for ids that are no file names. */
  for (size_t i = 0; i < n && !rec; i++)
    if (hm_str_eq(all[i]->id, stem) && hm_str_eq(hm_view_conflict_path(v, all[i], a), md))
      rec = all[i];
  for (size_t i = 0; i < n && !rec; i++)
    if (hm_str_eq(hm_view_conflict_path(v, all[i], a), md))
      rec = all[i];
  *out = (hm_review_case){ .rec = rec, .page = hm_str_sub(path, strlen(FOLDER), path.n) };
  if (rec)
    read_members(at, out, a);
  const hm_dispute *d = rec ? hm_plan_dispute(hm_view_sweep(v)->plan, rec) : NULL;
  out->agreed = !d;
  out->at_once = d ? hm_relation_max_at_once(at->build->rules, d->anchor->space) : 1;
  return rec != NULL;
}

/* --- the model ------------------------------------------------------------------------ */

static hm_str sources_of(const hm_json *m, hm_arena *a) {
  const hm_json *refs = hm_json_get(m, "source_refs");
  hm_str out = HM_EMPTY;
  for (const hm_json *s = refs ? refs->child : NULL; s; s = s->next)
    out = HM_CAT(a, out, out.n ? HM_STR("; ") : HM_EMPTY, s->text);
  return cut(a, out, SOURCES_SHOWN);
}

bool hm_review_is_chosen(hm_str choice, size_t number) {
  char text[24];
  snprintf(text, sizeof text, "%zu", number);
  for (hm_str rest = choice; rest.n;) {
    ptrdiff_t space = hm_str_find(rest, " ");
    if (hm_str_is(space < 0 ? rest : hm_str_sub(rest, 0, (size_t)space), text))
      return true;
    rest = space < 0 ? HM_EMPTY : hm_str_sub(rest, (size_t)space + 1, rest.n);
  }
  return false;
}

static void set_claims(hm_node *model, const hm_review_case *c, const hm_review_input *in,
                       hm_arena *a) {
  hm_node *list = hm_node_new_list(a);
  bool says_more = c->n == CLAIMS_SHOWN;
  for (size_t i = 0; i < c->n; i++) {
    const hm_review_claim *claim = &c->claims[i];
    hm_node *o = hm_node_new_obj(a);
    const hm_json *flagged = hm_json_get(claim->member, "flagged");
    hm_str number = hm_str_fmt(a, "%zu", i + 1), status = text_of(claim->member, "status"),
           layer = text_of(claim->member, "member_kind");
    bool state = hm_str_is(layer, "project_state");
    hm_node_set_text(o, "number", number);
    hm_node_set_text(o, "ref", claim->ref);
    hm_node_set_text(o, "value", claim->values);
    hm_node_set_text(o, "answer", claim->answer);
    hm_node_set_text(o, "layer", state ? HM_STR("curated state") : layer);
    hm_node_set_text(o, "sources", sources_of(claim->member, a));
    hm_node_set_text(o, "others", claim->others);
    hm_node_set_text(o, "gone", hm_str_is(status, "active") ? HM_EMPTY : status);
    hm_node_set_bool(o, "withheld", claim->withheld);
    hm_node_set_bool(o, "flagged", flagged && flagged->type == HM_JSON_TRUE);
    hm_node_set_bool(o, "checked", hm_review_is_chosen(in->choice, i + 1));
    hm_node_push(list, o);
    says_more = says_more || claim->others.n;
  }
  hm_node_set(model, "choices", list);
  hm_node_set_text(model, "question", c->question);
  hm_node_set_bool(model, "more_choices", c->n == CLAIMS_SHOWN);
  hm_node_set_bool(model, "says_more", says_more);
  hm_node_set_bool(model, "agreed", c->agreed);
  hm_node_set_bool(model, "several_may", c->at_once != 1);
  hm_node_set_text(model, "at_once", c->at_once > 1 ? hm_str_fmt(a, "%u", c->at_once) : HM_EMPTY);
}

static void set_verdict(hm_node *model, const hm_review_case *c, hm_arena *a) {
  const hm_conflict_rec *r = c->rec;
  bool dismissed = r->status == HM_DISMISSED;
  size_t n;
  hm_str values = winner_values(c, r->winner, (const char *[]){ "", "" }, a, &n);
  hm_node_set_bool(model, "open", r->status == HM_OPEN);
  hm_node_set_bool(model, "settled", dismissed || r->status == HM_RESOLVED);
  hm_node_set_text(model, "verdict", dismissed ? HM_STR("Dismissed") : HM_STR("Resolved"));
  hm_node_set_text(model, "resolved_by", r->resolved_by);
  hm_node_set_text(model, "resolved_at", hm_format_date(a, r->resolved_at));
  hm_node_set_text(model, "winner", values);
  hm_node_set_bool(model, "retired", r->winner.n > 0);
  hm_node_set_bool(model, "several", n > 1);
  hm_node_set_text(model, "resolution", cut(a, r->resolution, 1000));
}

static void set_input(hm_node *model, const hm_preview_http *f, const hm_review_case *c,
                      const hm_review_input *in) {
  const struct {
    const char *key;
    hm_str text;
  } texts[] = {
    { "token", f->token },  { "seen", c->seen }, { "choice", in->choice }, { "do", in->action },
    { "notes", in->notes }, { "by", in->by },    { "scope", in->scope },   { "link", in->link },
  };
  const struct {
    const char *key;
    hm_str text;
    const char *is;
  } checks[] = {
    { "none_checked", in->choice, "none" },       { "dismiss_checked", in->choice, "dismiss" },
    { "leave_checked", in->action, "no_action" }, { "all_checked", in->action, "supersede_others" },
    { "row_checked", in->scope, "whole_row" },    { "field_checked", in->scope, "field_only" },
    { "link_checked", in->link, "yes" },          { "keep_checked", in->keep_rows, "yes" },
  };
  for (size_t i = 0; i < HM_COUNT(texts); i++)
    hm_node_set_text(model, texts[i].key, texts[i].text);
  for (size_t i = 0; i < HM_COUNT(checks); i++)
    hm_node_set_bool(model, checks[i].key, hm_str_is(checks[i].text, checks[i].is));
  hm_node_set_bool(model, "opponents_checked",
                   !hm_str_is(in->action, "no_action") &&
                       !hm_str_is(in->action, "supersede_others"));
}

/* --- what a verdict would change ------------------------------------------------------ */

/* The text of a row at a key; the last one has no key. */
typedef struct {
  const char *key;
  hm_str text;
} keyed_text;

#define ADD_ROW(list, a, ...)                                                                      \
  add_row(list, (const keyed_text[]){ __VA_ARGS__, { NULL, HM_EMPTY } }, a)

static hm_node *add_row(hm_node *list, const keyed_text *texts, hm_arena *a) {
  hm_node *o = hm_node_new_obj(a);
  for (; texts->key; texts++)
    hm_node_set_text(o, texts->key, texts->text);
  hm_node_push(list, o);
  return o;
}

/* A list at key, whether it has anything at has_KEY, and how many there are beyond those shown.
 * Returns how many are. */
static size_t add_list(hm_node *o, const char *key, size_t n, hm_arena *a, hm_node **list) {
  size_t shown = n < CHANGES_SHOWN ? n : CHANGES_SHOWN;
  hm_node_set(o, key, *list = hm_node_new_list(a));
  hm_node_set_bool(o, hm_str_fmt(a, "has_%s", key).p, n > 0);
  hm_node_set_int(o, hm_str_fmt(a, "more_%s", key).p, (int64_t)(n - shown));
  return shown;
}

static hm_str verdict_sum(const hm_review_case *c, const hm_verdict_report *r, hm_arena *a) {
  if (strcmp(r->verb, "dismiss") == 0)
    return HM_STR("The conflict is dismissed: it is no contradiction. No row changes.");
  if (!r->winner.n)
    return HM_STR("The conflict is settled without a winner. No row changes.");
  size_t n = r->n_changes, winners;
  hm_str values = winner_values(c, r->winner, (const char *[]){ "“", "”" }, a, &winners);
  const char *stand = winners > 1 ? "stand" : "stands";
  if (hm_str_is(r->action, "no_action"))
    return hm_str_fmt(a, "%.*s %s. No row changes.", HM_FMT(values), stand);
  bool fields = hm_str_is(r->scope, "field_only");
  return hm_str_fmt(a, "%.*s %s, and %zu other %s %s.", HM_FMT(values), stand, n,
                    fields       ? n == 1 ? "value goes" : "values go"
                        : n == 1 ? "row is"
                                 : "rows are",
                    fields ? "away" : "superseded");
}

/* The last part of a slot key, which is a JSON array. */
static hm_str slot_name(hm_str slot_key, hm_arena *a) {
  hm_json *key;
  hm_str name = slot_key;
  if (hm_json_parse(a, slot_key, &key, NULL))
    return name;
  for (const hm_json *e = key->child; e; e = e->next)
    name = e->text;
  return name;
}

static void set_pages(hm_node *o, const char *key, const hm_verdict_report *r, bool gained,
                      hm_arena *a) {
  size_t n = 0;
  hm_node *list;
  for (size_t i = 0; i < r->n_markers; i++)
    n += r->markers[i].gained == gained;
  n = add_list(o, key, n, a, &list);
  for (size_t i = 0; n; i++) {
    if (r->markers[i].gained != gained)
      continue;
    hm_str page = r->markers[i].page;
    hm_node *row = ADD_ROW(list, a, { "path", page });
    /* as it is reached from a conflict's page */
    hm_node_set_url(row, "url", HM_CAT(a, HM_STR("../"), hm_path_as_url(a, hm_html_path(page, a))));
    n--;
  }
}

static hm_node *trial_model(const hm_review_case *c, const hm_verdict_report *r, hm_arena *a) {
  hm_node *o = hm_node_new_obj(a), *list;
  hm_node_set_text(o, "sum", verdict_sum(c, r, a));
  size_t n = add_list(o, "rows", r->n_changes, a, &list);
  for (const hm_row_change *x = r->changes; n--; x++)
    ADD_ROW(list, a, { "ref", x->ref }, { "value", claim_value(c, x->ref) },
            { "before", x->before }, { "after", x->after });
  n = add_list(o, "left", r->n_left, a, &list);
  for (const hm_row_left *x = r->left; n--; x++)
    ADD_ROW(list, a, { "ref", x->ref }, { "value", claim_value(c, x->ref) }, { "why", x->why });
  n = add_list(o, "links", r->n_links, a, &list);
  for (const hm_link *x = r->links; n--; x++)
    ADD_ROW(list, a, { "src", x->src }, { "dst", x->dst });
  n = add_list(o, "withdrawn", r->n_withdrawn, a, &list);
  for (const hm_withdrawal *x = r->withdrawn; n--; x++)
    hm_node_set_bool(ADD_ROW(list, a, { "ref", x->ref }, { "slot", slot_name(x->slot, a) },
                             { "value", x->value }),
                     "alone", x->alone);
  n = add_list(o, "others", r->n_others, a, &list);
  for (const hm_assertion *x = r->others; n--; x++)
    ADD_ROW(list, a, { "ref", x->ref }, { "status", x->status }, { "value", x->value },
            { "slot", x->elsewhere ? slot_name(x->slot, a) : HM_EMPTY });
  n = add_list(o, "opened", r->n_opened, a, &list);
  for (const hm_str *id = r->opened; n--; id++)
    ADD_ROW(list, a, { "id", *id });
  n = add_list(o, "quieted", r->n_quieted, a, &list);
  for (const hm_str *id = r->quieted; n--; id++)
    ADD_ROW(list, a, { "id", *id });
  set_pages(o, "lost", r, false, a);
  set_pages(o, "gained", r, true, a);
  return o;
}

/* --- the whole --------------------------------------------------------------------------- */

hm_str hm_review_jump_link(const hm_preview_http *f, const hm_review_case *c, hm_arena *a) {
  hm_node *model = hm_node_new_obj(a);
  set_verdict(model, c, a);
  return hm_preview_theme_render(&f->theme, "review_jump.html", model, a);
}

hm_str hm_review_html(const hm_preview_http *f, const hm_review_case *c, const hm_review_input *in,
                      const char *label, const hm_err *err, const hm_verdict_report *trial,
                      hm_arena *a) {
  hm_node *model = hm_node_new_obj(a), *alerts = hm_node_new_list(a);
  hm_node_set_url(model, "action", hm_str_fmt(a, "%.*s#review-answer", HM_FMT(c->page)));
  set_verdict(model, c, a);
  set_claims(model, c, in, a);
  set_input(model, f, c, in);
  if (err)
    ADD_ROW(alerts, a, { "label", hm_str_c(label) }, { "what", hm_str_c(err->what) },
            { "why", hm_str_c(err->why) }, { "fix", hm_str_c(err->fix) });
  hm_node_set(model, "alert", alerts);
  hm_node_set(model, "trial", trial ? trial_model(c, trial, a) : hm_node_new_bool(a, false));
  hm_node_set_bool(model, "ask", !trial && c->rec->status == HM_OPEN);
  return hm_preview_theme_render(&f->theme, "review.html", model, a);
}
