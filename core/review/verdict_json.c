/* A verdict's report as JSON: for the command, and for the form that shows it before it is
 * confirmed. */
#include "core/detect/explain.h"
#include "core/review/verdict.h"

static void put_rows(hm_jw *w, const hm_verdict_report *r) {
  hm_jw_arr(w, "changes");
  for (size_t i = 0; i < r->n_changes; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", r->changes[i].ref);
    hm_jw_str(w, "before", r->changes[i].before);
    hm_jw_str(w, "after", r->changes[i].after);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_arr(w, "left");
  for (size_t i = 0; i < r->n_left; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", r->left[i].ref);
    hm_jw_str(w, "why", r->left[i].why);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static void put_withdrawn(hm_jw *w, const hm_verdict_report *r) {
  hm_jw_arr(w, "withdrawn");
  for (size_t i = 0; i < r->n_withdrawn; i++) {
    const hm_withdrawal *x = &r->withdrawn[i];
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", x->ref);
    hm_jw_str(w, "slot", x->slot);
    hm_jw_str(w, "value", x->value);
    hm_jw_bool(w, "alone", x->alone);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static void put_others(hm_jw *w, const hm_verdict_report *r) {
  hm_jw_arr(w, "others");
  for (size_t i = 0; i < r->n_others; i++) {
    const hm_assertion *x = &r->others[i];
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", x->ref);
    hm_jw_str(w, "status", x->status);
    hm_jw_str(w, "slot", x->slot);
    hm_jw_str(w, "value", x->value);
    hm_jw_bool(w, "elsewhere", x->elsewhere);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static void put_markers(hm_jw *w, const hm_verdict_report *r) {
  hm_jw_arr(w, "markers");
  for (size_t i = 0; i < r->n_markers; i++) {
    const hm_marker_change *x = &r->markers[i];
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "page", x->page);
    hm_jw_str(w, "conflict", x->conflict);
    hm_jw_bool(w, "gained", x->gained);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static void put_removed(hm_jw *w, const hm_verdict_report *r) {
  hm_jw_arr(w, "removed");
  for (size_t i = 0; i < r->n_removed; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", r->removed[i].ref);
    hm_jw_str(w, "field", r->removed[i].field);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static void put_links(hm_jw *w, const hm_verdict_report *r) {
  hm_jw_arr(w, "links");
  for (size_t i = 0; i < r->n_links; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "src", r->links[i].src);
    hm_jw_str(w, "dst", r->links[i].dst);
    hm_jw_str(w, "rel", r->links[i].rel);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

void hm_verdict_json(hm_buf *b, const hm_verdict_report *r, hm_arena *a) {
  hm_jw w;
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "verb", hm_str_c(r->verb));
  hm_jw_bool(&w, "dry_run", r->dry_run);
  hm_jw_str_or_null(&w, "conflict", r->conflict);
  if (r->conflict.n) hm_slot_key_json(&w, r->slot_key, a);
  hm_jw_str_or_null(&w, "status", r->status);
  hm_jw_str(&w, "by", r->by);
  hm_jw_str(&w, "at", r->at);
  hm_jw_str(&w, "notes", r->notes);
  hm_jw_str_or_null(&w, "winner", r->winner);
  hm_jw_str_or_null(&w, "action", r->action);
  hm_jw_str_or_null(&w, "scope", r->scope);
  put_rows(&w, r);
  hm_jw_strs(&w, "opened", r->opened, r->n_opened);
  hm_jw_strs(&w, "revived", r->revived, r->n_revived);
  hm_jw_strs(&w, "quieted", r->quieted, r->n_quieted);
  hm_jw_strs(&w, "restorable", r->restorable, r->n_restorable);
  put_removed(&w, r);
  put_links(&w, r);
  if (r->dry_run) {
    put_withdrawn(&w, r);
    put_others(&w, r);
    put_markers(&w, r);
  }
  hm_jw_end(&w);
}
