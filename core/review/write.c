/* Rows that people and programs write, and what a write answers about conflicts. */
#include "core/review/write.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/detect/conflict.h"
#include "core/detect/explain.h"
#include "core/review/new_names.h"
#include "core/review/row_findings.h"
#include "core/review/supersede.h"
#include "core/review/write_impl.h"
#include "core/store/journal.h"
#include "core/store/partial_snapshot.h"
#include "core/store/record_edit.h"

const char hm_warning_open[] = "you just wrote to a slot that has an open conflict";

enum { SHOWN = 200 };   /* bytes of a reference in a message */

typedef hm_writing writing;

/* --- what may be given ------------------------------------------------------------ */

static int refuse_field(writing *w, hm_layer layer, const char *field, const char *why,
                        const char *fix) {
  hm_fail(w->err, HM_E_INPUT, hm_str_fmt(w->a, "%s: %s", hm_layer_name(layer), field).p, why, fix);
  return hm_err_at_field(w->err, hm_str_c(field));
}

/* What only a verb of its own sets. */
static int check_owned(writing *w, hm_layer layer, const hm_json *fields) {
  static const struct { const char *key, *why, *fix;
  } owned[] = {
    { "superseded_by", "is set when another row supersedes this one",
      "use `hmirror supersede OLD NEW`" },
    { "superseded_at", "is set when another row supersedes this one",
      "use `hmirror supersede OLD NEW`" },
    { "graduated_to", "is set when the memory becomes an entity", "use `hmirror graduate MEMORY`" },
  };
  for (size_t i = 0; i < HM_COUNT(owned); i++)
    if (hm_json_get(fields, owned[i].key))
      return refuse_field(w, layer, owned[i].key, owned[i].why, owned[i].fix);
  return 0;
}

static bool is_text(const hm_json *v, const char *text) {
  return v && v->type == HM_JSON_STRING && hm_str_is(v->text, text);
}

static int check_new_status(writing *w, hm_layer layer, const hm_json *record) {
  const hm_json *status = hm_json_get(record, "status");
  if (!is_text(status, "superseded") && !is_text(status, "invalid") &&
      !is_text(status, "graduated"))
    return 0;
  return refuse_field(w, layer, "status", "a new row is active or a candidate",
                      "`hmirror import` takes history");
}

static int check_status_move(writing *w, const hm_named_row *row, const hm_json *patch) {
  const hm_json *status = hm_json_get(patch, "status");
  if (is_text(status, "superseded"))
    return refuse_field(w, row->layer, "status", "a row is superseded by another",
                        "use `hmirror supersede OLD NEW`");
  if (is_text(status, "graduated"))
    return refuse_field(w, row->layer, "status", "a memory graduates to an entity",
                        "use `hmirror graduate MEMORY`");
  if (row->status == HM_CANDIDATE &&
      (is_text(status, "active") || (status && status->type == HM_JSON_NULL)))
    return refuse_field(w, row->layer, "status", "a candidate becomes active by being promoted",
                        "use `hmirror promote ROW`");
  return 0;
}

/* A fact must say something; its value alone may be empty. */
static int check_said(writing *w, hm_layer layer, const hm_json *record) {
  static const char *const keys[] = { "memory_type", "content", "entity_type", "name", "key" };
  for (size_t i = 0; i < HM_COUNT(keys); i++) {
    const hm_json *v = hm_json_get(record, keys[i]);
    if (v && v->type == HM_JSON_STRING && !hm_str_trim(v->text).n)
      return refuse_field(w, layer, keys[i], "empty", "give it a value");
  }
  return 0;
}

/* object with this member before its others. */
static hm_json *with(hm_arena *a, const hm_json *object, const char *key, const hm_json *value) {
  hm_json *out = hm_alloc(a, sizeof *out), *member = hm_alloc(a, sizeof *member);
  *member = *value;
  member->key = hm_str_c(key);
  member->next = object->child;
  *out = *object;
  out->child = member;
  out->count++;
  return out;
}

static hm_json text_value(hm_str text) {
  return (hm_json){ .type = HM_JSON_STRING, .key = HM_EMPTY, .text = text };
}

static hm_str ref_of(const writing *w) { return hm_ref_text(w->a, w->layer, w->row.id); }

/* --- the answer ------------------------------------------------------------------ */

/* The disputed conflicts that have the row as a party. */
static void list_conflicts(const hm_sweep *sweep, uint32_t row, hm_arena *a, hm_written *out) {
  const hm_plan *p = sweep->plan;
  hm_buf b = { 0 };
  out->conflicts = hm_alloc_array(a, p->n_conflicts, sizeof *out->conflicts);
  out->conflicts_json = hm_alloc_array(a, p->n_conflicts, sizeof *out->conflicts_json);
  for (size_t i = 0; i < p->n_conflicts; i++) {
    const hm_dispute *d = p->disputes[i];
    size_t k = 0;
    while (d && k < d->n && d->parties[k].claim->row != row) k++;
    if (!d || k == d->n) continue;
    hm_buf_clear(&b);
    hm_conflict_json(&b, sweep, &p->conflicts[i], NULL, true, a);
    out->conflicts[out->n_conflicts] = p->conflicts[i].id;
    out->conflicts_json[out->n_conflicts++] = hm_buf_copy(&b, a);
  }
  hm_buf_free(&b);
}

/* True if a slot of the row already had an open conflict that overlaps the row's window. */
static bool slot_was_open(const hm_sweep *sweep, const hm_rules *rules, uint32_t row, hm_arena *a) {
  const hm_plan *p = sweep->plan;
  const hm_world *world = hm_world_find_by_row(sweep->snap, rules->worlds, row, a);
  for (size_t i = 0; i < sweep->claims->n; i++) {
    const hm_claim *c = &sweep->claims->claims[i];
    if (c->row != row) continue;
    hm_str key = hm_conflict_slot_key(a, sweep->snap, c);
    for (size_t k = 0; k < p->n_conflicts; k++) {
      const hm_conflict_rec *rec = &p->conflicts[k];
      hm_time from, until, begin, end;
      hm_claim_stated_window(c, &from, &until);
      hm_conflict_stated_window(rec, world, &begin, &end);
      if (rec->status == HM_OPEN && hm_str_eq(rec->slot_key, key) && from < end && begin < until &&
          !hm_plan_opens_conflict(p, rec->id))
        return true;
    }
  }
  return false;
}

/* Before the write a new row was not there. */
static int findings_of(writing *w, hm_row_findings *now) {
  hm_row_findings_query q = { .layer = w->layer, .id = w->row.id, .also = &w->before };
  if (hm_row_findings_collect(w->s, w->r->rules, &q, w->a, now, w->err)) return -1;
  q.also = NULL;
  q.without = true;
  return w->was_there ? 0
                      : hm_row_findings_collect(w->s, w->r->rules, &q, w->a, &w->before, w->err);
}

static void add_warnings(writing *w, hm_written *out, const hm_str *more, size_t n) {
  hm_str *all = hm_alloc_array(w->a, out->n_warnings + n, sizeof *all);
  if (out->n_warnings) memcpy(all, out->warnings, out->n_warnings * sizeof *all);
  if (n) memcpy(all + out->n_warnings, more, n * sizeof *all);
  out->warnings = all;
  out->n_warnings += n;
}

/* Of rules by slot those that the sweep of its slots found. */
static int list_findings(writing *w, const hm_sweep *sweep, hm_written *out) {
  hm_row_findings now;
  hm_sql_row_findings live;
  const hm_disputes *d = sweep->disputes;
  hm_str ref = ref_of(w);
  if (findings_of(w, &now) ||
      hm_sql_row_findings_collect(w->s, w->r->rules, w->layer, w->row.id, w->a, &live, w->err))
    return -1;
  size_t most = now.n_own + d->n_findings + live.n, before = w->before.n_own + w->before.n_others;
  out->findings = hm_alloc_array(w->a, most, sizeof(hm_finding *));
  if (now.n_own) memcpy(out->findings, now.own, now.n_own * sizeof(hm_finding *));
  out->n_findings = now.n_own;
  for (size_t i = 0; i < d->n_findings; i++)
    for (size_t k = 0; k < d->findings[i].n_rows; k++)
      if (hm_str_eq(d->findings[i].rows[k], ref)) {
        out->findings[out->n_findings++] = &d->findings[i];
        break;
      }
  for (size_t i = 0; i < live.n; i++) out->findings[out->n_findings++] = live.findings[i];
  add_warnings(w, out, live.notes, live.n_notes);
  out->appeared = hm_alloc_array(w->a, now.n_others, sizeof(hm_finding *));
  out->vanished = hm_alloc_array(w->a, before + w->live_before.n, sizeof(hm_finding *));
  if (!out->changed) return 0;
  out->n_appeared = hm_row_findings_add_new(&now, &w->before, true, out->appeared);
  out->n_vanished = hm_row_findings_add_new(&w->before, &now, false, out->vanished);
  out->n_vanished +=
      hm_row_findings_add_new(&w->before, &now, true, out->vanished + out->n_vanished);
  out->n_vanished +=
      hm_sql_row_findings_add_gone(&w->live_before, &live, out->vanished + out->n_vanished);
  size_t n = 0;
  for (size_t i = 0; i < out->n_vanished; i++)
    if (!hm_str_eq(out->vanished[i]->rows[0], w->made)) out->vanished[n++] = out->vanished[i];
  out->n_vanished = n;
  return 0;
}

static size_t without_similar(const hm_finding **f, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!hm_str_is(f[i]->rule, "similar")) f[kept++] = f[i];
  return kept;
}

static void leave_out_similar(hm_written *out) {
  out->n_findings = without_similar(out->findings, out->n_findings);
  out->n_appeared = without_similar(out->appeared, out->n_appeared);
  out->n_vanished = without_similar(out->vanished, out->n_vanished);
}

/* New names are looked for before hm_write_check_end has the index take the row in. */
static int answer(writing *w, hm_written *out) {
  hm_write_result t;
  hm_write_check *check = w->check;
  *out = (hm_written){ .ref = ref_of(w), .record = w->row.after, .changed = w->row.changed };
  if (hm_new_names_find_in_row(w->s, w->layer, w->row.after, w->a, &out->warnings, &out->n_warnings,
                               w->err))
    return -1;
  w->check = NULL;
  if (hm_write_check_end(check, &w->r->who, &t, w->err)) return -1;
  uint32_t row = hm_snapshot_row(t.sweep.snap, w->layer, w->row.id);
  out->opened = t.opened;
  out->n_opened = t.n_opened;
  out->quieted = t.quieted;
  out->n_quieted = t.n_quieted;
  out->revived = t.revived;
  out->n_revived = t.n_revived;
  if (row != HM_MAP_NONE) {
    list_conflicts(&t.sweep, row, w->a, out);
    hm_policy_meet_conflicts(w, &t.sweep, row);
    out->warn_open =
        w->layer == HM_STATE && out->changed && slot_was_open(&t.sweep, w->r->rules, row, w->a);
  }
  hm_str open = hm_str_c(hm_warning_open);
  add_warnings(w, out, &open, out->warn_open);
  int rc = list_findings(w, &t.sweep, out);
  hm_sweep_free(&t.sweep);
  out->met = w->met;
  out->n_met = w->n_met;
  out->action = w->superseded ? "superseded" : "stored";
  if (w->policy == HM_POLICY_IGNORE) leave_out_similar(out);
  return rc;
}

/* --- one transaction --------------------------------------------------------------- */

int hm_write_run(hm_store *s, const hm_review *r, hm_write_step *what, const void *in, hm_arena *a,
                 hm_written *out, hm_err *err) {
  hm_err own = { 0 };
  writing w = { .s = s, .r = r, .a = a, .made = HM_EMPTY, .err = err ? err : &own };
  if (hm_store_begin(s, true, w.err)) return -1;
  int rc = hm_write_check_begin(s, r->rules, a, &w.check, w.err);
  if (!rc) rc = what(&w, in);
  if (!rc) rc = answer(&w, out);
  hm_write_check_free(w.check);
  bool rejected = !rc && w.policy == HM_POLICY_RAISE && w.n_met;
  if (rejected) out->action = "rejected";
  if (!rc && !r->dry_run && !rejected) return hm_store_commit(s, w.err);
  hm_store_rollback(s);
  return rc;
}

/* --- the verbs ------------------------------------------------------------------------ */

typedef struct { hm_layer layer; hm_str ref; const hm_json *fields; } order;

int hm_write_add_row(hm_writing *w, hm_layer layer, const hm_json *record, const char *verb) {
  hm_json now = text_value(hm_time_to_second(w->a, w->r->who.at));
  if (check_owned(w, layer, record) || check_new_status(w, layer, record) ||
      check_said(w, layer, record))
    return -1;
  if (record->type == HM_JSON_OBJECT && !hm_json_get(record, "created_at"))
    record = with(w->a, record, "created_at", &now);
  w->layer = layer;
  return hm_store_add_row(w->s, layer, record, verb, &w->r->who, w->a, &w->row, w->err);
}

static int replace(writing *w, const void *in) {
  const order *o = in;
  hm_named_row older, newer;
  if (hm_named_row_find(w->s, o->ref, w->a, &older, w->err) ||
      hm_write_add_row(w, o->layer, o->fields, "add"))
    return -1;
  if (hm_named_row_find(w->s, ref_of(w), w->a, &newer, w->err) ||
      hm_write_check_row(w->check, older.layer, older.id, w->err))
    return -1;
  return hm_supersede(w->s, &older, &newer, w->r->who.why, false, &w->r->who, w->a, &w->made,
                      w->err);
}

int hm_review_replace(hm_store *s, const hm_review *r, hm_layer l, const hm_json *record,
                      hm_str older, hm_arena *a, hm_written *out, hm_err *err) {
  return hm_write_run(s, r, replace, &(order){ .layer = l, .fields = record, .ref = older }, a, out,
                      err);
}

/* --- which rows may change ------------------------------------------------------------- */

static int refuse_row(writing *w, const hm_named_row *row, const char *why, const char *fix) {
  return hm_fail(w->err, HM_E_STATE,
                 hm_str_fmt(w->a, "%.*s", HM_FMT(hm_text_cut(row->ref, SHOWN))).p, why, fix);
}

/* History and what has graduated are not written to. */
static int find_writable(writing *w, hm_str ref, hm_named_row *row) {
  if (hm_named_row_find(w->s, ref, w->a, row, w->err)) return -1;
  if (row->status == HM_GRADUATED) {
    hm_column to = { .column = "graduated_to" };
    bool found;
    if (hm_store_get_columns(w->s, row->ref, &to, 1, &found, w->a, w->err)) return -1;
    hm_str shown = to.value.n ? hm_text_cut(to.value, SHOWN) : HM_EMPTY;
    hm_str fix = hm_str_fmt(w->a, "change the entity that it became: '%.*s'", HM_FMT(shown));
    return refuse_row(w, row, "it has graduated and is frozen", shown.n ? fix.p : "");
  }
  if (row->status != HM_SUPERSEDED && row->status != HM_INVALID) return 0;
  hm_str words = hm_text_cut(hm_named_row_status_text(row, w->a), SHOWN);
  hm_str shown = hm_text_cut(row->ref, SHOWN);
  return refuse_row(
      w, row, hm_str_fmt(w->a, "it is %.*s, and history", HM_FMT(words)).p,
      hm_str_fmt(w->a, "`hmirror restore %.*s` makes it active again", HM_FMT(shown)).p);
}

/* --- rows that are there ---------------------------------------------------------------- */

/* An unchanged row is not compared again, but the answer lists its conflicts. */
static int patch_row(writing *w, const hm_named_row *row, const hm_json *patch, const char *verb,
                     hm_row_edited *out) {
  hm_membership *m;
  size_t n;
  if (hm_write_check_row(w->check, row->layer, row->id, w->err)) return -1;
  hm_row_findings_query q = { .layer = row->layer, .id = row->id };
  if (row->layer == HM_RELATION) {
    q.becomes[0] = hm_json_get_text(patch, "from");
    q.becomes[1] = hm_json_get_text(patch, "to");
  }
  if (out == &w->row &&
      (hm_row_findings_collect(w->s, w->r->rules, &q, w->a, &w->before, w->err) ||
       hm_sql_row_findings_collect(w->s, w->r->rules, row->layer, row->id, w->a, &w->live_before,
                                   w->err)))
    return -1;
  w->was_there = out == &w->row;
  if (hm_row_patch(w->s, row->layer, row->id, patch, verb, &w->r->who, w->a, out, w->err))
    return -1;
  if (out->changed) return 0;
  if (hm_store_memberships(w->s, row->layer, row->id, w->a, &m, &n, w->err)) return -1;
  for (size_t i = 0; i < n; i++)
    if (m[i].status == HM_OPEN) hm_write_check_slot(w->check, m[i].slot_key);
  return 0;
}

static int edit(writing *w, const void *in) {
  const order *o = in;
  hm_named_row row;
  if (find_writable(w, o->ref, &row)) return -1;
  if (check_owned(w, row.layer, o->fields) || check_status_move(w, &row, o->fields)) return -1;
  w->layer = row.layer;
  return patch_row(w, &row, o->fields, "edit", &w->row);
}

int hm_review_edit(hm_store *s, const hm_review *r, hm_str ref, const hm_json *patch, hm_arena *a,
                   hm_written *out, hm_err *err) {
  return hm_write_run(s, r, edit, &(order){ .ref = ref, .fields = patch }, a, out, err);
}

static const hm_json no_fields = { .type = HM_JSON_OBJECT, .key = { "", 0 }, .text = { "", 0 } };

static int promote(writing *w, const void *in) {
  const order *o = in;
  hm_named_row row;
  hm_json active = text_value(HM_STR("active"));
  if (find_writable(w, o->ref, &row)) return -1;
  if (row.status == HM_ACTIVE)
    return refuse_row(w, &row, "it is active already", "nothing is to be done");
  if (row.status != HM_CANDIDATE)
    return refuse_row(w, &row, "it is no candidate", "nothing is to be done");
  w->layer = row.layer;
  return patch_row(w, &row, with(w->a, &no_fields, "status", &active), "promote", &w->row);
}

int hm_review_promote(hm_store *s, const hm_review *r, hm_str ref, hm_arena *a, hm_written *out,
                      hm_err *err) {
  return hm_write_run(s, r, promote, &(order){ .ref = ref }, a, out, err);
}

/* What the entity has of the memory unless it says otherwise. */
static int inherit(writing *w, const hm_named_row *memory, const hm_json **entity) {
  static const char *const keys[] = { "confidence", "source_refs", "project" };
  hm_str record;
  hm_json *of;
  if ((*entity)->type != HM_JSON_OBJECT) return 0;
  if (hm_journal_record_json(w->s, memory->ref, w->a, &record, w->err) ||
      hm_json_parse(w->a, record, &of, w->err))
    return -1;
  for (size_t i = 0; i < HM_COUNT(keys); i++) {
    const hm_json *v = hm_json_get(of, keys[i]);
    if (v && !hm_json_get(*entity, keys[i])) *entity = with(w->a, *entity, keys[i], v);
  }
  return 0;
}

static int graduate(writing *w, const void *in) {
  const order *o = in;
  hm_named_row row;
  hm_row_edited memory;
  const hm_json *entity = o->fields;
  if (find_writable(w, o->ref, &row)) return -1;
  if (row.layer != HM_MEMORY)
    return refuse_row(w, &row, "only a memory graduates", "give a memory, as memory:id");
  if (row.status != HM_ACTIVE && row.status != HM_CANDIDATE)
    return refuse_row(w, &row, "it is neither active nor a candidate",
                      "give it one of these states first");
  if (inherit(w, &row, &entity) || hm_write_add_row(w, HM_ENTITY, entity, "graduate")) return -1;
  /* "entity:ID" where the bare id could be read as a reference itself. */
  bool like_ref = w->row.id.n && memchr(w->row.id.p, ':', w->row.id.n);
  hm_json status = text_value(HM_STR("graduated"));
  hm_json to = text_value(like_ref ? ref_of(w) : w->row.id);
  return patch_row(w, &row,
                   with(w->a, with(w->a, &no_fields, "graduated_to", &to), "status", &status),
                   "graduate", &memory);
}

int hm_review_graduate(hm_store *s, const hm_review *r, hm_str memory, const hm_json *entity,
                       hm_arena *a, hm_written *out, hm_err *err) {
  return hm_write_run(s, r, graduate, &(order){ .ref = memory, .fields = entity }, a, out, err);
}

static void put_findings(hm_jw *j, const char *key, const hm_finding **f, size_t n) {
  hm_jw_arr(j, key);
  for (size_t i = 0; i < n; i++) hm_finding_json(j, f[i]);
  hm_jw_end(j);
}

void hm_written_json(hm_buf *b, const hm_written *w, bool dry) {
  hm_jw j;
  hm_buf more = { 0 };
  hm_jw_init(&j, &more, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_str(&j, "ref", w->ref);
  hm_jw_bool(&j, "dry_run", dry);
  hm_jw_bool(&j, "changed", w->changed);
  hm_jw_str_or_null(&j, "conflict_id", w->n_conflicts ? w->conflicts[0] : HM_EMPTY);
  hm_jw_arr(&j, "conflicts");
  for (size_t i = 0; i < w->n_conflicts; i++) hm_jw_raw(&j, NULL, w->conflicts_json[i]);
  hm_jw_end(&j);
  hm_jw_strs(&j, "opened", w->opened, w->n_opened);
  hm_jw_strs(&j, "revived", w->revived, w->n_revived);
  hm_jw_strs(&j, "quieted", w->quieted, w->n_quieted);
  put_findings(&j, "findings", w->findings, w->n_findings);
  put_findings(&j, "appeared", w->appeared, w->n_appeared);
  put_findings(&j, "vanished", w->vanished, w->n_vanished);
  if (w->warn_open) hm_jw_str(&j, "warning", hm_str_c(hm_warning_open));
  hm_jw_strs(&j, "warnings", w->warnings, w->n_warnings);
  hm_met_json(&j, w);
  hm_jw_end(&j);
  hm_buf_str(b, hm_str_sub(w->record, 0, w->record.n - 1));
  hm_buf_ch(b, ',');
  hm_buf_str(b, hm_str_sub(hm_buf_view(&more), 1, more.n));
  b->failed = b->failed || more.failed;
  hm_buf_free(&more);
}

/* --- rows that were used ---------------------------------------------------------------- */

int hm_review_touch(hm_store *s, const hm_actor *who, const hm_str *refs, size_t n, hm_arena *a,
                    hm_err *err) {
  if (hm_store_may_change(s, err) || hm_store_begin(s, true, err)) return -1;
  hm_column used = { "last_accessed_at", hm_time_to_second(a, who->at) };
  for (size_t i = 0; i < n; i++) {
    if (!hm_str_starts(refs[i], "memory:")) continue;
    if (hm_store_set_columns(s, refs[i], &used, 1, "touch", who, a, err)) {
      hm_store_rollback(s);
      return -1;
    }
  }
  return hm_store_commit(s, err);
}
