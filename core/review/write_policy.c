/* A new row and what it meets: see write.h.
 *
 * What it meets is known after the sweep of the write, which is too late to supersede it. So under
 * `supersede` the write is first tried and rolled back. Cost: that of an add, twice. */
#include "core/review/write.h"

#include <stdlib.h>

#include "core/base/text.h"
#include "core/review/supersede.h"
#include "core/review/write_impl.h"

enum { SHOWN = 120, MET_SHOWN = 5 };

static const char *const NAMES[] = { "warn", "ignore", "supersede", "raise" };
static const char DUPLICATE[] = "duplicate", CONTRADICTION[] = "contradiction";

int hm_policy_parse(hm_str name, hm_policy *out, hm_err *err) {
  for (size_t i = 0; i < HM_COUNT(NAMES); i++)
    if (hm_str_is(name, NAMES[i]))
      return *out = (hm_policy)i, 0;
  hm_failf(err, HM_E_INPUT, "policy", "give ignore, warn, supersede or raise", "unknown: '%.*s'",
           HM_FMT(hm_text_cut(name, SHOWN)));
  return hm_err_at_field(err, HM_STR("policy"));
}

/* --- superseded rows ----------------------------------------------------------------------- */

/* From 0 to 1; anything else, as another program may have written it, is the usual 0.5. */
static double importance_of(hm_str text) {
  double d;
  return hm_str_read_double(text, &d) && d >= 0 && d <= 1 ? d : 0.5;
}

static int raise_importance(hm_writing *w, const hm_named_row *older) {
  hm_column was = { .column = "importance" }, is = { .column = "importance" };
  hm_str own = hm_ref_text(w->a, w->layer, w->row.id);
  bool found;
  if (hm_store_get_columns(w->s, older->ref, &was, 1, &found, w->a, w->err) ||
      hm_store_get_columns(w->s, own, &is, 1, &found, w->a, w->err))
    return -1;
  double before = importance_of(was.value), other = importance_of(is.value);
  double now = other > before ? other : before + 0.1 < 1 ? before + 0.1 : 1;
  hm_json value = { .type = HM_JSON_NUMBER,
                    .key = HM_STR("importance"),
                    .text = hm_str_fmt(w->a, "%.6g", now) };
  hm_json patch = {
    .type = HM_JSON_OBJECT, .key = HM_EMPTY, .text = HM_EMPTY, .child = &value, .count = 1
  };
  hm_row_edited done;
  return hm_row_patch(w->s, older->layer, older->id, &patch, "edit", &w->r->who, w->a, &done,
                      w->err);
}

static int give_way(hm_writing *w, hm_str older_ref, hm_str newer_ref) {
  hm_named_row older, newer;
  if (hm_named_row_find(w->s, older_ref, w->a, &older, w->err) ||
      hm_named_row_find(w->s, newer_ref, w->a, &newer, w->err))
    return -1;
  if (older.layer != newer.layer || older.status != HM_ACTIVE)
    return 0;
  if (hm_supersede(w->s, &older, &newer, w->r->who.why, false, &w->r->who, w->a, &w->made, w->err))
    return -1;
  w->superseded = true;
  return 0;
}

/* The oldest duplicate supersedes the new row; the row that stays supersedes those that contradict
 * it. Reads the row's record again, since it may be history by now. */
static int supersede(hm_writing *w, const hm_met *met, size_t n) {
  static const hm_json nothing = { .type = HM_JSON_OBJECT, .key = { "", 0 }, .text = { "", 0 } };
  hm_str own = hm_ref_text(w->a, w->layer, w->row.id);
  hm_named_row same;
  hm_row_edited now;
  size_t first = 0;
  while (first < n && !hm_str_is(hm_str_c(met[first].kind), DUPLICATE))
    first++;
  if (first < n) {
    if (hm_named_row_find(w->s, met[first].ref, w->a, &same, w->err) ||
        raise_importance(w, &same) || give_way(w, own, same.ref))
      return -1;
  }
  for (size_t i = 0; i < n; i++)
    if (hm_str_is(hm_str_c(met[i].kind), CONTRADICTION) &&
        give_way(w, met[i].ref, first < n ? same.ref : own))
      return -1;
  if (hm_row_patch(w->s, w->layer, w->row.id, &nothing, "edit", &w->r->who, w->a, &now, w->err))
    return -1;
  w->row.after = now.after;
  return 0;
}

/* --- the write --------------------------------------------------------------------------- */

typedef struct {
  hm_layer layer;
  const hm_json *record;
  hm_policy policy;
  const hm_met *met;
  size_t n_met; /* of the trial */
} policy_order;

static int add(hm_writing *w, const void *in) {
  const policy_order *o = in;
  w->policy = o->policy;
  w->adds = true;
  if (hm_write_add_row(w, o->layer, o->record, "add"))
    return -1;
  w->alone = o->policy != HM_POLICY_SUPERSEDE || !o->n_met;
  if (w->alone)
    return 0;
  for (size_t i = 0; i < o->n_met; i++)
    hm_write_meet(w, o->met[i]);
  return supersede(w, w->met, w->n_met);
}

int hm_review_add_by(hm_store *s, const hm_review *r, hm_layer l, const hm_json *record,
                     hm_policy policy, hm_arena *a, hm_written *out, hm_err *err) {
  policy_order o = { .layer = l, .record = record, .policy = policy };
  hm_review alone = *r;
  alone.shared = NULL;
  if (policy == HM_POLICY_SUPERSEDE) {
    hm_review trial = alone;
    trial.dry_run = true;
    if (hm_write_run(s, &trial, add, &o, a, out, err))
      return -1;
    o.met = out->met;
    o.n_met = out->n_met;
  }
  bool decides = policy == HM_POLICY_SUPERSEDE || policy == HM_POLICY_RAISE;
  return hm_write_run(s, decides ? &alone : r, add, &o, a, out, err);
}

int hm_review_add(hm_store *s, const hm_review *r, hm_layer l, const hm_json *record, hm_arena *a,
                  hm_written *out, hm_err *err) {
  return hm_review_add_by(s, r, l, record, HM_POLICY_WARN, a, out, err);
}

/* --- in words ---------------------------------------------------------------------------- */

hm_str hm_met_text(const hm_met *m, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < n && i < MET_SHOWN; i++) {
    bool same = hm_str_is(hm_str_c(m[i].kind), DUPLICATE);
    hm_str text = hm_text_cut(hm_text_repair(a, m[i].text), SHOWN);
    hm_buf_fmt(&b, "%s%.*s %s: \"%.*s\"", i ? "; " : "", HM_FMT(hm_text_cut(m[i].ref, SHOWN)),
               same ? "says the same" : "contradicts it", HM_FMT(text));
  }
  if (n > MET_SHOWN)
    hm_buf_fmt(&b, "; and %zu more", n - MET_SHOWN);
  return hm_buf_take(&b, a);
}
