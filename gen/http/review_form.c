/* The review form as HTML: the claims to choose from, what is filled in, what went wrong, and what a
 * verdict would change. */
#include <string.h>
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/detect/finding.h"
#include "gen/http/review.h"

#define FOLDER "conflicts/"

enum { CLAIMS_SHOWN = 100, VALUE_SHOWN = 400, SOURCES_SHOWN = 200, CHANGES_SHOWN = 50 };

/* --- the case -------------------------------------------------------------------- */

static hm_str text_of(const hm_json *o, const char *key) {
  const hm_json *v = hm_json_get(o, key);
  return v ? v->text : HM_EMPTY;
}

static bool is_withheld(const hm_preview_ref *at, hm_str ref) {
  uint32_t row = hm_snapshot_ref(hm_view_sweep(at->build->view)->snap, HM_ENTITY, ref);
  return row != HM_MAP_NONE && hm_view_hidden(at->build->view)[row];
}

static hm_str cut(hm_arena *a, hm_str s, size_t max) {
  if (s.n <= max) return s;
  return hm_str_fmt(a, "%.*s…", HM_FMT(hm_text_cut(s, max)));
}

/* A row that claims several fields of the slot is one claim with several values. */
static void add_member(const hm_preview_ref *at, hm_review_case *c, const hm_json *m, hm_arena *a) {
  hm_str kind = text_of(m, "member_kind"), id = text_of(m, "member_id");
  hm_str ref = HM_CAT(a, kind, HM_STR(":"), id), value = cut(a, text_of(m, "value"), VALUE_SHOWN);
  for (size_t i = 0; i < c->n; i++) {
    if (!hm_str_eq(c->claims[i].ref, ref)) continue;
    c->claims[i].values = hm_str_fmt(a, "%.*s; %.*s", HM_FMT(c->claims[i].values), HM_FMT(value));
    return;
  }
  if (c->n < CLAIMS_SHOWN)
    c->claims[c->n++] = (hm_review_claim){
      .ref = ref, .values = value, .others = HM_EMPTY, .member = m, .withheld = is_withheld(at, ref)
    };
}

static bool is_judged(const hm_json *members, hm_str ref, hm_str field, hm_arena *a) {
  for (const hm_json *m = members ? members->child : NULL; m; m = m->next) {
    hm_str own = HM_CAT(a, text_of(m, "member_kind"), HM_STR(":"), text_of(m, "member_id"));
    if (hm_str_eq(own, ref) && hm_str_eq(text_of(m, "field"), field)) return true;
  }
  return false;
}

/* The first claim of a row. */
static size_t first_claim(const hm_claims *all, uint32_t row) {
  size_t from = 0, to = all->n;
  while (from < to) {
    size_t mid = from + (to - from) / 2;
    if (all->claims[mid].row < row) from = mid + 1;
    else to = mid;
  }
  return from;
}

/* What a row says besides: the fields of its claims that are no members. */
static void read_others(const hm_preview_ref *at, hm_review_case *c, const hm_json *members,
                        hm_arena *a) {
  const hm_sweep *w = hm_view_sweep(at->build->view);
  const hm_claims *all = w->claims;
  for (size_t i = 0; i < c->n; i++) {
    hm_str *list = &c->claims[i].others;
    uint32_t row = hm_snapshot_ref(w->snap, HM_ENTITY, c->claims[i].ref);
    if (row == HM_MAP_NONE) continue;
    for (size_t k = first_claim(all, row);
         k < all->n && all->claims[k].row == row && list->n < SOURCES_SHOWN; k++)
      if (!is_judged(members, c->claims[i].ref, all->claims[k].field, a))
        *list =
            HM_CAT(a, *list, list->n ? HM_STR(", ") : HM_EMPTY, cut(a, all->claims[k].field, 60));
  }
}

static void read_members(const hm_preview_ref *at, hm_review_case *c, hm_arena *a) {
  hm_buf b = { 0 };
  hm_json *json = NULL;
  hm_conflict_json(&b, hm_view_sweep(at->build->view), c->rec, NULL, false, a);
  c->seen = hm_digest_hex(a, hm_buf_view(&b), 16);
  hm_json_parse(a, hm_buf_view(&b), &json, NULL);
  const hm_json *members = hm_json_get(json, "members");
  c->claims = hm_alloc_array(a, CLAIMS_SHOWN, sizeof *c->claims);
  for (const hm_json *m = members ? members->child : NULL; m; m = m->next) add_member(at, c, m, a);
  read_others(at, c, members, a);
  hm_buf_free(&b);
}

static const hm_conflict_rec *find_conflict(const hm_view *v, hm_str md, hm_arena *a) {
  size_t n;
  const hm_conflict_rec **all = hm_view_conflicts(v, &n);
  hm_str stem = hm_str_sub(md, strlen(FOLDER), md.n - strlen(".md"));
  /* A page is called as its conflict, but for ids that are no file names. */
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(all[i]->id, stem) && hm_str_eq(hm_view_conflict_path(v, all[i], a), md))
      return all[i];
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(hm_view_conflict_path(v, all[i], a), md)) return all[i];
  return NULL;
}

bool hm_review_case_of(const hm_preview_ref *at, hm_str path, hm_arena *a, hm_review_case *out) {
  static const char end[] = ".html";
  if (!at->build || !hm_str_starts(path, FOLDER) || !hm_str_ends(path, end)) return false;
  hm_str md = hm_str_fmt(a, "%.*s.md", HM_FMT(hm_str_sub(path, 0, path.n - strlen(end))));
  *out = (hm_review_case){ .rec = find_conflict(at->build->view, md, a),
                           .page = hm_str_sub(path, strlen(FOLDER), path.n) };
  if (!out->rec) return false;
  read_members(at, out, a);
  return true;
}

/* Of a row; empty when it is no claim of the case. */
static hm_str claim_value(const hm_review_case *c, hm_str ref) {
  for (size_t i = 0; i < c->n; i++)
    if (hm_str_eq(c->claims[i].ref, ref)) return c->claims[i].values;
  return HM_EMPTY;
}

/* --- the model ------------------------------------------------------------------------ */

static hm_str layer_of(const hm_json *m) {
  hm_str kind = text_of(m, "member_kind");
  return hm_str_is(kind, "project_state") ? HM_STR("trusted state") : kind;
}

static hm_str sources_of(const hm_json *m, hm_arena *a) {
  const hm_json *refs = hm_json_get(m, "source_refs");
  hm_buf b = { 0 };
  for (const hm_json *s = refs ? refs->child : NULL; s; s = s->next) {
    if (b.n) hm_buf_c(&b, "; ");
    hm_buf_str(&b, s->text);
  }
  hm_str out = cut(a, hm_buf_keep(&b, a), SOURCES_SHOWN);
  hm_buf_free(&b);
  return out;
}

static void set_claims(hm_tv *model, const hm_review_case *c, const hm_review_input *in,
                       hm_arena *a) {
  hm_tv *list = hm_tv_list(a);
  bool says_more = false;
  for (size_t i = 0; i < c->n; i++) {
    const hm_review_claim *claim = &c->claims[i];
    hm_tv *o = hm_tv_obj(a);
    const hm_json *flagged = hm_json_get(claim->member, "flagged");
    hm_str number = hm_str_fmt(a, "%zu", i + 1), status = text_of(claim->member, "status");
    hm_tv_set_text(o, "number", number);
    hm_tv_set_text(o, "ref", claim->ref);
    hm_tv_set_text(o, "value", claim->values);
    hm_tv_set_text(o, "layer", layer_of(claim->member));
    hm_tv_set_text(o, "sources", sources_of(claim->member, a));
    hm_tv_set_text(o, "others", claim->others);
    says_more = says_more || claim->others.n;
    hm_tv_set_text(o, "gone", hm_str_is(status, "active") ? HM_EMPTY : status);
    hm_tv_set_bool(o, "withheld", claim->withheld);
    hm_tv_set_bool(o, "flagged", flagged && flagged->type == HM_JSON_TRUE);
    hm_tv_set_bool(o, "checked", hm_str_eq(in->choice, number));
    hm_tv_push(list, o);
  }
  hm_tv_set(model, "choices", list);
  hm_tv_set_bool(model, "more_choices", c->n == CLAIMS_SHOWN);
  hm_tv_set_bool(model, "says_more", says_more || c->n == CLAIMS_SHOWN);
}

static void set_verdict(hm_tv *model, const hm_review_case *c, hm_arena *a) {
  const hm_conflict_rec *r = c->rec;
  hm_str value = claim_value(c, r->winner);
  hm_tv_set_bool(model, "open", r->status == HM_OPEN);
  hm_tv_set_bool(model, "settled", r->status == HM_DISMISSED || r->status == HM_RESOLVED);
  hm_tv_set_text(model, "verdict",
                 r->status == HM_DISMISSED ? HM_STR("Dismissed") : HM_STR("Resolved"));
  hm_tv_set_text(model, "resolved_by", r->resolved_by);
  hm_tv_set_text(model, "resolved_at", hm_str_sub(r->resolved_at, 0, strlen("2026-04-02")));
  hm_tv_set_text(model, "winner", value.n ? value : r->winner);
  hm_tv_set_text(model, "resolution", cut(a, r->resolution, 1000));
}

static void set_input(hm_tv *model, const hm_preview_http *f, const hm_review_case *c,
                      const hm_review_input *in) {
  hm_tv_set_text(model, "token", f->token);
  hm_tv_set_text(model, "seen", c->seen);
  hm_tv_set_text(model, "choice", in->choice);
  hm_tv_set_text(model, "do", in->action);
  hm_tv_set_text(model, "notes", in->notes);
  hm_tv_set_text(model, "by", in->by);
  hm_tv_set_bool(model, "none_checked", hm_str_is(in->choice, "none"));
  hm_tv_set_bool(model, "dismiss_checked", hm_str_is(in->choice, "dismiss"));
  hm_tv_set_bool(model, "leave_checked", hm_str_is(in->action, "no_action"));
  hm_tv_set_bool(model, "all_checked", hm_str_is(in->action, "supersede_others"));
  hm_tv_set_bool(model, "opponents_checked",
                 !hm_str_is(in->action, "no_action") && !hm_str_is(in->action, "supersede_others"));
  hm_tv_set_text(model, "scope", in->scope);
  hm_tv_set_bool(model, "row_checked", hm_str_is(in->scope, "whole_row"));
  hm_tv_set_bool(model, "field_checked", hm_str_is(in->scope, "field_only"));
  hm_tv_set_text(model, "link", in->link);
  hm_tv_set_bool(model, "link_checked", hm_str_is(in->link, "yes"));
}

static void set_alert(hm_tv *model, const char *label, const hm_err *err, hm_arena *a) {
  hm_tv_set_bool(model, "alert", false);
  if (!err) return;
  hm_tv *alert = hm_tv_obj(a);
  hm_tv_set_text(alert, "label", hm_str_c(label));
  hm_tv_set_text(alert, "what", hm_str_c(err->what));
  hm_tv_set_text(alert, "why", hm_str_c(err->why));
  hm_tv_set_text(alert, "fix", hm_str_c(err->fix));
  hm_tv_set(model, "alert", alert);
}

/* --- what a verdict would change ------------------------------------------------------ */

static hm_tv *add_item(hm_tv *list, hm_arena *a) {
  hm_tv *o = hm_tv_obj(a);
  hm_tv_push(list, o);
  return o;
}

/* A list at key, whether it has anything at has_KEY, and how many there are beyond those shown. */
static hm_tv *add_list(hm_tv *o, const char *key, size_t n, hm_arena *a) {
  hm_tv *list = hm_tv_list(a);
  hm_tv_set(o, key, list);
  hm_tv_set_bool(o, hm_str_fmt(a, "has_%s", key).p, n > 0);
  hm_tv_set_int(o, hm_str_fmt(a, "more_%s", key).p, n > CHANGES_SHOWN ? (int64_t)(n - CHANGES_SHOWN) : 0);
  return list;
}

static hm_str verdict_sum(const hm_review_case *c, const hm_verdict_report *r, hm_arena *a) {
  if (strcmp(r->verb, "dismiss") == 0)
    return HM_STR("The conflict is dismissed: it is no contradiction. No row changes.");
  if (!r->winner.n) return HM_STR("The conflict is settled without a winner. No row changes.");
  hm_str value = claim_value(c, r->winner);
  size_t n = r->n_changes;
  if (hm_str_is(r->action, "no_action"))
    return hm_str_fmt(a, "“%.*s” stands. No row changes.", HM_FMT(value));
  if (hm_str_is(r->scope, "field_only"))
    return hm_str_fmt(a, "“%.*s” stands, and %zu other %s away.", HM_FMT(value), n,
                      n == 1 ? "value goes" : "values go");
  return hm_str_fmt(a, "“%.*s” stands, and %zu other %s superseded.", HM_FMT(value), n,
                    n == 1 ? "row is" : "rows are");
}

static void set_changes(hm_tv *o, const hm_review_case *c, const hm_verdict_report *r,
                        hm_arena *a) {
  hm_tv *list = add_list(o, "rows", r->n_changes, a);
  for (size_t i = 0; i < r->n_changes && i < CHANGES_SHOWN; i++) {
    hm_tv *row = add_item(list, a);
    hm_tv_set_text(row, "ref", r->changes[i].ref);
    hm_tv_set_text(row, "value", claim_value(c, r->changes[i].ref));
    hm_tv_set_text(row, "before", r->changes[i].before);
    hm_tv_set_text(row, "after", r->changes[i].after);
  }
  list = add_list(o, "left", r->n_left, a);
  for (size_t i = 0; i < r->n_left && i < CHANGES_SHOWN; i++) {
    hm_tv *row = add_item(list, a);
    hm_tv_set_text(row, "ref", r->left[i].ref);
    hm_tv_set_text(row, "value", claim_value(c, r->left[i].ref));
    hm_tv_set_text(row, "why", r->left[i].why);
  }
}

/* Slot keys are JSON arrays; what a reader wants of them is the last part. */
static hm_str slot_name(hm_str slot_key, hm_arena *a) {
  hm_json *key;
  hm_str name = slot_key;
  if (hm_json_parse(a, slot_key, &key, NULL)) return name;
  for (const hm_json *e = key->child; e; e = e->next) name = e->text;
  return name;
}

static void set_assertions(hm_tv *o, const hm_verdict_report *r, hm_arena *a) {
  hm_tv *list = add_list(o, "withdrawn", r->n_withdrawn, a);
  for (size_t i = 0; i < r->n_withdrawn && i < CHANGES_SHOWN; i++) {
    hm_tv *row = add_item(list, a);
    hm_tv_set_text(row, "ref", r->withdrawn[i].ref);
    hm_tv_set_text(row, "slot", slot_name(r->withdrawn[i].slot, a));
    hm_tv_set_text(row, "value", r->withdrawn[i].value);
    hm_tv_set_bool(row, "alone", r->withdrawn[i].alone);
  }
  list = add_list(o, "others", r->n_others, a);
  for (size_t i = 0; i < r->n_others && i < CHANGES_SHOWN; i++) {
    hm_tv *row = add_item(list, a);
    hm_tv_set_text(row, "ref", r->others[i].ref);
    hm_tv_set_text(row, "status", r->others[i].status);
    hm_tv_set_text(row, "value", r->others[i].value);
    hm_tv_set_text(row, "slot", r->others[i].elsewhere ? slot_name(r->others[i].slot, a) : HM_EMPTY);
  }
}

static void set_links(hm_tv *o, const hm_verdict_report *r, hm_arena *a) {
  hm_tv *list = add_list(o, "links", r->n_links, a);
  for (size_t i = 0; i < r->n_links && i < CHANGES_SHOWN; i++) {
    hm_tv *link = add_item(list, a);
    hm_tv_set_text(link, "src", r->links[i].src);
    hm_tv_set_text(link, "dst", r->links[i].dst);
  }
}

static void set_ids(hm_tv *o, const char *key, const hm_str *ids, size_t n, hm_arena *a) {
  hm_tv *list = add_list(o, key, n, a);
  for (size_t i = 0; i < n && i < CHANGES_SHOWN; i++) hm_tv_set_text(add_item(list, a), "id", ids[i]);
}

/* "projects/p/README.md" as it is reached from a conflict's page. */
static hm_str url_of(hm_str md, hm_arena *a) {
  hm_str stem = hm_str_sub(md, 0, md.n - strlen(".md"));
  bool folder = hm_str_ends(stem, "README");
  if (folder) stem.n -= strlen("README");
  return hm_str_fmt(a, "../%.*s%s.html", HM_FMT(stem), folder ? "index" : "");
}

static void set_pages(hm_tv *o, const char *key, const hm_verdict_report *r, bool gained,
                      hm_arena *a) {
  size_t n = 0;
  for (size_t i = 0; i < r->n_markers; i++) n += r->markers[i].gained == gained;
  hm_tv *list = add_list(o, key, n, a);
  for (size_t i = 0, shown = 0; i < r->n_markers && shown < CHANGES_SHOWN; i++) {
    if (r->markers[i].gained != gained) continue;
    shown++;
    hm_tv *page = add_item(list, a);
    hm_tv_set_url(page, "url", url_of(r->markers[i].page, a));
    hm_tv_set_text(page, "path", r->markers[i].page);
  }
}

static hm_tv *trial_model(const hm_review_case *c, const hm_verdict_report *r, hm_arena *a) {
  hm_tv *o = hm_tv_obj(a);
  hm_tv_set_text(o, "sum", verdict_sum(c, r, a));
  set_changes(o, c, r, a);
  set_links(o, r, a);
  set_assertions(o, r, a);
  set_ids(o, "opened", r->opened, r->n_opened, a);
  set_ids(o, "quieted", r->quieted, r->n_quieted, a);
  set_pages(o, "lost", r, false, a);
  set_pages(o, "gained", r, true, a);
  return o;
}

/* --- the whole --------------------------------------------------------------------------- */

hm_str hm_review_jump(const hm_preview_http *f, const hm_review_case *c, hm_arena *a) {
  hm_tv *model = hm_tv_obj(a);
  set_verdict(model, c, a);
  return hm_preview_theme_render(&f->theme, "review_jump.html", model, a);
}

hm_str hm_review_html(const hm_preview_http *f, const hm_review_case *c, const hm_review_input *in,
                      const char *label, const hm_err *err, const hm_verdict_report *trial,
                      hm_arena *a) {
  hm_tv *model = hm_tv_obj(a);
  hm_tv_set_url(model, "action", hm_str_fmt(a, "%.*s#review-answer", HM_FMT(c->page)));
  set_verdict(model, c, a);
  set_claims(model, c, in, a);
  set_input(model, f, c, in);
  set_alert(model, label, err, a);
  hm_tv_set(model, "trial", trial ? trial_model(c, trial, a) : hm_tv_bool(a, false));
  hm_tv_set_bool(model, "ask", !trial && c->rec->status == HM_OPEN);
  return hm_preview_theme_render(&f->theme, "review.html", model, a);
}
