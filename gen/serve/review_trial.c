/* What a verdict would change, as the form tells it. */
#include <string.h>
#include "core/base/text.h"
#include "gen/serve/review.h"

enum { SHOWN = 50 };

static hm_tv *item(hm_tv *list, hm_arena *a) {
  hm_tv *o = hm_tv_obj(a);
  hm_tv_push(list, o);
  return o;
}

/* A list at key, whether it has anything at has_KEY, and how many there are beyond those shown. */
static hm_tv *list_of(hm_tv *o, const char *key, size_t n, hm_arena *a) {
  hm_tv *list = hm_tv_list(a);
  hm_tv_set(o, key, list);
  hm_tv_set_bool(o, hm_str_fmt(a, "has_%s", key).p, n > 0);
  hm_tv_set_int(o, hm_str_fmt(a, "more_%s", key).p, n > SHOWN ? (int64_t)(n - SHOWN) : 0);
  return list;
}

static hm_str value_of(const hm_review_case *c, hm_str ref) {
  for (size_t i = 0; i < c->n; i++)
    if (hm_str_eq(c->claims[i].ref, ref)) return c->claims[i].values;
  return HM_EMPTY;
}

static hm_str sum_of(const hm_review_case *c, const hm_verdict_report *r, hm_arena *a) {
  if (strcmp(r->verb, "dismiss") == 0)
    return HM_STR("The conflict is dismissed: it is no contradiction. No row changes.");
  if (!r->winner.n) return HM_STR("The conflict is settled without a winner. No row changes.");
  hm_str value = value_of(c, r->winner);
  size_t n = r->n_changes;
  if (hm_str_is(r->action, "no_action"))
    return hm_str_fmt(a, "“%.*s” stands. No row changes.", HM_FMT(value));
  if (hm_str_is(r->scope, "field_only"))
    return hm_str_fmt(a, "“%.*s” stands, and %zu other %s away.", HM_FMT(value), n,
                      n == 1 ? "value goes" : "values go");
  return hm_str_fmt(a, "“%.*s” stands, and %zu other %s superseded.", HM_FMT(value), n,
                    n == 1 ? "row is" : "rows are");
}

static void put_changes(hm_tv *o, const hm_review_case *c, const hm_verdict_report *r,
                        hm_arena *a) {
  hm_tv *list = list_of(o, "rows", r->n_changes, a);
  for (size_t i = 0; i < r->n_changes && i < SHOWN; i++) {
    hm_tv *row = item(list, a);
    hm_tv_set_text(row, "ref", r->changes[i].ref);
    hm_tv_set_text(row, "value", value_of(c, r->changes[i].ref));
    hm_tv_set_text(row, "before", r->changes[i].before);
    hm_tv_set_text(row, "after", r->changes[i].after);
  }
  list = list_of(o, "left", r->n_left, a);
  for (size_t i = 0; i < r->n_left && i < SHOWN; i++) {
    hm_tv *row = item(list, a);
    hm_tv_set_text(row, "ref", r->left[i].ref);
    hm_tv_set_text(row, "value", value_of(c, r->left[i].ref));
    hm_tv_set_text(row, "why", r->left[i].why);
  }
}

/* Slot keys are JSON arrays; what a reader wants of them is the last part. */
static hm_str name_of(hm_str slot_key, hm_arena *a) {
  hm_json *key;
  hm_str name = slot_key;
  if (hm_json_parse(a, slot_key, &key, NULL)) return name;
  for (const hm_json *e = key->child; e; e = e->next) name = e->text;
  return name;
}

static void put_assertions(hm_tv *o, const hm_verdict_report *r, hm_arena *a) {
  hm_tv *list = list_of(o, "withdrawn", r->n_withdrawn, a);
  for (size_t i = 0; i < r->n_withdrawn && i < SHOWN; i++) {
    hm_tv *row = item(list, a);
    hm_tv_set_text(row, "ref", r->withdrawn[i].ref);
    hm_tv_set_text(row, "slot", name_of(r->withdrawn[i].slot, a));
    hm_tv_set_text(row, "value", r->withdrawn[i].value);
    hm_tv_set_bool(row, "alone", r->withdrawn[i].alone);
  }
  list = list_of(o, "others", r->n_others, a);
  for (size_t i = 0; i < r->n_others && i < SHOWN; i++) {
    hm_tv *row = item(list, a);
    hm_tv_set_text(row, "ref", r->others[i].ref);
    hm_tv_set_text(row, "status", r->others[i].status);
    hm_tv_set_text(row, "value", r->others[i].value);
    hm_tv_set_text(row, "slot", r->others[i].elsewhere ? name_of(r->others[i].slot, a) : HM_EMPTY);
  }
}

static void put_links(hm_tv *o, const hm_verdict_report *r, hm_arena *a) {
  hm_tv *list = list_of(o, "links", r->n_links, a);
  for (size_t i = 0; i < r->n_links && i < SHOWN; i++) {
    hm_tv *link = item(list, a);
    hm_tv_set_text(link, "src", r->links[i].src);
    hm_tv_set_text(link, "dst", r->links[i].dst);
  }
}

static void put_ids(hm_tv *o, const char *key, const hm_str *ids, size_t n, hm_arena *a) {
  hm_tv *list = list_of(o, key, n, a);
  for (size_t i = 0; i < n && i < SHOWN; i++) hm_tv_set_text(item(list, a), "id", ids[i]);
}

/* "projects/p/README.md" as it is reached from a conflict's page. */
static hm_str url_of(hm_str md, hm_arena *a) {
  hm_str stem = hm_str_sub(md, 0, md.n - strlen(".md"));
  bool folder = hm_str_ends(stem, "README");
  if (folder) stem.n -= strlen("README");
  return hm_str_fmt(a, "../%.*s%s.html", HM_FMT(stem), folder ? "index" : "");
}

static void put_pages(hm_tv *o, const char *key, const hm_verdict_report *r, bool gained,
                      hm_arena *a) {
  size_t n = 0;
  for (size_t i = 0; i < r->n_markers; i++) n += r->markers[i].gained == gained;
  hm_tv *list = list_of(o, key, n, a);
  for (size_t i = 0, shown = 0; i < r->n_markers && shown < SHOWN; i++) {
    if (r->markers[i].gained != gained) continue;
    shown++;
    hm_tv *page = item(list, a);
    hm_tv_set_url(page, "url", url_of(r->markers[i].page, a));
    hm_tv_set_text(page, "path", r->markers[i].page);
  }
}

hm_tv *hm_review_trial(const hm_review_case *c, const hm_verdict_report *r, hm_arena *a) {
  hm_tv *o = hm_tv_obj(a);
  hm_tv_set_text(o, "sum", sum_of(c, r, a));
  put_changes(o, c, r, a);
  put_links(o, r, a);
  put_assertions(o, r, a);
  put_ids(o, "opened", r->opened, r->n_opened, a);
  put_ids(o, "quieted", r->quieted, r->n_quieted, a);
  put_pages(o, "lost", r, false, a);
  put_pages(o, "gained", r, true, a);
  return o;
}
