/* Superseding rows and restoring them: checks, columns, relations, the journal. */
#include "core/review/supersede.h"

#include <stdio.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/record/judge_queue.h"
#include "core/store/links.h"
#include "core/record/record_edit.h"

enum { SHOWN = 200 };

static const hm_str NOTHING = { NULL, 0 };

/* --- rows ------------------------------------------------------------------ */

static int read_row(hm_store *s, hm_layer layer, hm_str id, hm_named_row *out, bool *found,
                    hm_arena *a, hm_err *err) {
  hm_column c[] = { { "status", NOTHING }, { "superseded_by", NOTHING }, { "project", NOTHING } };
  *out =
      (hm_named_row){ .layer = layer, .id = hm_str_dup(a, id), .ref = hm_ref_text(a, layer, id) };
  if (hm_store_get_columns(s, out->ref, c, 3, found, a, err))
    return -1;
  out->status = hm_status_parse(c[0].value);
  out->project = c[2].value.n ? c[2].value : HM_EMPTY;
  out->superseded_by = HM_EMPTY;
  return *found ? hm_store_successor(s, layer, c[1].value, a, &out->superseded_by, err) : 0;
}

static const char *named(hm_arena *a, hm_str text) {
  return hm_str_fmt(a, "row '%.*s'", HM_FMT(hm_text_cut(text, SHOWN))).p;
}

static const char *next_layer(void *ctx, size_t i) {
  (void)ctx;
  return HM_MEMORY + i <= HM_RELATION ? hm_layer_name((hm_layer)(HM_MEMORY + i)) : NULL;
}

/* What helps where no row has this name: its kind may be mistyped, or its id. */
static const char *unknown_row_fix(hm_arena *a, hm_str text) {
  hm_layer layer;
  hm_str id;
  if (hm_ref_parse(text, &layer, &id))
    return "check the id; `hmirror recall` finds rows by their words";
  const char *colon = text.n ? memchr(text.p, ':', text.n) : NULL;
  hm_str kind = hm_str_sub(text, 0, colon ? (size_t)(colon - text.p) : 0);
  const char *meant = kind.n ? hm_find_nearest_word(hm_str_z(a, kind), next_layer, NULL) : NULL;
  if (!meant)
    return "give it as kind:id, for example entity:e1";
  hm_str rest = hm_text_cut(hm_str_sub(text, kind.n, text.n), SHOWN);
  return hm_str_fmt(a, "did you mean '%s%.*s'?", meant, HM_FMT(rest)).p;
}

int hm_named_row_find(hm_store *s, hm_str text, hm_arena *a, hm_named_row *out, hm_err *err) {
  hm_layer layer;
  hm_str id;
  bool found = false;
  size_t n = 0;
  if (hm_ref_parse(text, &layer, &id) && (read_row(s, layer, id, out, &found, a, err) || found))
    return found ? 0 : -1;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    hm_named_row row;
    if (read_row(s, (hm_layer)l, text, &row, &found, a, err))
      return -1;
    if (found && !n++)
      *out = row;
  }
  if (n == 1)
    return 0;
  if (n)
    return hm_fail(
        err, HM_E_INPUT, named(a, text), "several layers have a row with this id",
        hm_str_fmt(a, "name its layer too: %.*s", HM_FMT(hm_text_cut(out->ref, SHOWN))).p);
  return hm_fail(err, HM_E_UNKNOWN, named(a, text), "there is none", unknown_row_fix(a, text));
}

hm_str hm_named_row_status_text(const hm_named_row *r, hm_arena *a) {
  hm_str status = hm_str_c(hm_status_name(r->status));
  if (r->status != HM_SUPERSEDED || !r->superseded_by.n)
    return status;
  return HM_CAT(a, status, HM_STR(" by "), r->superseded_by);
}

/* --- may it? --------------------------------------------------------------- */

static int refuse(const hm_named_row *row, hm_code code, const char *why, const char *fix,
                  hm_arena *a, hm_err *err) {
  return hm_fail(err, code, hm_str_z(a, hm_text_cut(row->ref, SHOWN)), why, fix);
}

static const char *const older_fix[] = {
  [HM_CANDIDATE] = "promote it first, or leave it: a candidate claims nothing",
  [HM_GRADUATED] = "supersede the entity that it became",
  [HM_SUPERSEDED] = "restore it first: hmirror restore ROW",
  [HM_INVALID] = "restore it first: hmirror restore ROW",
  [HM_STATUS_OTHER] = "correct its status by an import",
};

/* A circle that is there already and that older is not part of ends the walk as well. */
static int check_circle(hm_store *s, const hm_named_row *older, const hm_named_row *newer,
                        hm_arena *a, hm_err *err) {
  hm_map seen;
  hm_named_row at = *newer;
  hm_map_init(&seen, a, 16);
  while (at.superseded_by.n && hm_map_add(&seen, at.ref, 1) &&
         hm_map_get(&seen, at.superseded_by) == HM_MAP_NONE) {
    hm_layer layer;
    hm_str id;
    bool found = false;
    if (hm_str_eq(at.superseded_by, older->ref)) {
      hm_str through = hm_str_eq(at.ref, newer->ref)
          ? HM_EMPTY
          : HM_CAT(a, HM_STR(", through "), hm_text_cut(at.ref, SHOWN));
      hm_str why = HM_CAT(a, HM_STR("it is superseded by "), hm_text_cut(older->ref, SHOWN),
                          through, HM_STR(" itself: that would be a circle"));
      return refuse(newer, HM_E_STATE, why.p, "restore one of the two first", a, err);
    }
    if (!hm_ref_parse(at.superseded_by, &layer, &id) || read_row(s, layer, id, &at, &found, a, err))
      return -1;
    if (!found)
      return 0;
  }
  return 0;
}

int hm_supersede_check(hm_store *s, const hm_named_row *older, const hm_named_row *newer,
                       bool across, hm_arena *a, hm_err *err) {
  if (hm_str_eq(older->ref, newer->ref))
    return refuse(older, HM_E_INPUT, "a row cannot supersede itself", "name two rows", a, err);
  if (older->layer != newer->layer && !across) {
    const char *why = hm_str_fmt(a, "%s is of another layer", hm_layer_name(newer->layer)).p;
    return refuse(older, HM_E_INPUT, why,
                  "layers are settled by their conflict: hmirror conflicts resolve ID --winner ROW",
                  a, err);
  }
  if (older->status != HM_ACTIVE) {
    hm_str words = hm_named_row_status_text(older, a);
    hm_str why = hm_str_fmt(a, "it is %.*s, and only an active row can give way", HM_FMT(words));
    return refuse(older, HM_E_STATE, why.p, older_fix[older->status], a, err);
  }
  if (newer->status != HM_ACTIVE && newer->status != HM_SUPERSEDED) {
    const char *status = hm_status_name(newer->status);
    hm_str why = hm_str_fmt(a, "it is %s, and nothing can give way to it", status);
    bool candidate = newer->status == HM_CANDIDATE;
    return refuse(newer, HM_E_STATE, why.p,
                  candidate ? "promote it first" : "name the row that stands", a, err);
  }
  return check_circle(s, older, newer, a, err);
}

/* --- there ----------------------------------------------------------------- */

/* Adds a relation SUPERSEDES with the reason. Its id is a digest of its content and time; tries
 * another if that is taken. */
static int put_reason(hm_store *s, const hm_named_row *older, const hm_named_row *newer,
                      hm_str notes, const hm_actor *who, hm_arena *a, hm_str *relation,
                      hm_err *err) {
  bool taken = true;
  for (int attempt = 0; taken; attempt++) {
    const hm_str parts[] = { newer->ref, older->ref, who->at, hm_str_fmt(a, "%d", attempt) };
    hm_sha256 h;
    hm_sha256_init(&h);
    for (size_t i = 0; i < HM_COUNT(parts); i++)
      hm_sha256_field(&h, parts[i]);
    *relation = HM_CAT(a, HM_STR("relation:r-"), hm_sha256_hex(&h, a, 16));
    if (hm_store_get_columns(s, *relation, NULL, 0, &taken, a, err))
      return -1;
  }
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "rationale", notes);
  hm_jw_str(&w, "decided_by", who->by);
  hm_jw_end(&w);
  const hm_column c[] = { { "type", HM_STR("SUPERSEDES") },
                          { "project", older->project },
                          { "from_id", newer->ref },
                          { "to_id", older->ref },
                          { "properties", hm_buf_take(&b, a) },
                          { "created_at", who->undated ? NOTHING : who->at } };
  return hm_store_insert_record(s, *relation, c, HM_COUNT(c), "supersede", who, a, err);
}

int hm_supersede(hm_store *s, const hm_named_row *older, const hm_named_row *newer, hm_str notes,
                 bool across, const hm_actor *who, hm_arena *a, hm_str *relation, hm_err *err) {
  *relation = HM_EMPTY;
  if (hm_supersede_check(s, older, newer, across, a, err))
    return -1;
  /* The bare id in one layer, unless it could be read as a reference. */
  hm_layer layer;
  hm_str id;
  bool bare = older->layer == newer->layer && !hm_ref_parse(newer->id, &layer, &id);
  const hm_column c[] = { { "status", HM_STR("superseded") },
                          { "superseded_by", bare ? newer->id : newer->ref },
                          { "superseded_at", who->undated ? NOTHING : who->at } };
  const hm_link link = { newer->ref, older->ref, HM_STR("supersedes") };
  bool added;
  if (hm_store_add_link(s, &link, false, who, &added, a, err) ||
      hm_store_set_columns(s, older->ref, c, HM_COUNT(c), "supersede", who, a, err))
    return -1;
  return notes.n ? put_reason(s, older, newer, notes, who, a, relation, err) : 0;
}

/* --- and back -------------------------------------------------------------- */

int hm_unsupersede(hm_store *s, const hm_named_row *row, const hm_actor *who, hm_arena *a,
                   hm_str **relations, size_t *n, hm_err *err) {
  static const char *const fix[] = {
    [HM_ACTIVE] = "nothing is to be done",
    [HM_CANDIDATE] = "promote it",
    [HM_GRADUATED] = "change the entity that it became",
    [HM_STATUS_OTHER] = "correct its status by an import",
  };
  *relations = NULL;
  *n = 0;
  if (row->status != HM_SUPERSEDED && row->status != HM_INVALID) {
    hm_str why = hm_str_fmt(a, "it is %s, and only a superseded or invalid row can be restored",
                            hm_status_name(row->status));
    return refuse(row, HM_E_STATE, why.p, fix[row->status], a, err);
  }
  const hm_column c[] = { { "status", HM_STR("active") },
                          { "superseded_by", NOTHING },
                          { "superseded_at", NOTHING } };
  const hm_column invalid = { "status", HM_STR("invalid") };
  const hm_link link = { row->superseded_by, row->ref, HM_STR("supersedes") };
  bool removed;
  if (row->superseded_by.n && hm_store_remove_link(s, &link, who, &removed, a, err))
    return -1;
  if (hm_store_set_columns(s, row->ref, c, HM_COUNT(c), "restore", who, a, err) ||
      hm_judge_queue_add(s, row->ref, err))
    return -1;
  if (!row->superseded_by.n)
    return 0;
  if (hm_store_supersessions(s, row->ref, row->superseded_by, a, relations, n, err))
    return -1;
  for (size_t i = 0; i < *n; i++)
    if (hm_store_set_columns(s, (*relations)[i], &invalid, 1, "restore", who, a, err))
      return -1;
  return 0;
}
