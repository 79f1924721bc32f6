/* The frame of every verdict (transaction, notes, report), and the verdicts that need no ruling:
 * dismiss, reopen, supersede, restore. verdict_resolve.c resolves. */
#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/claim/relation.h"
#include "core/detect/conflict.h"
#include "core/review/verdict.h"
#include "core/review/verdict_impl.h"
#include "core/record/record_edit.h"
#include "core/record/texts.h"
#include "core/sweep/answer.h"

enum { SHOWN = 200, ID_SHOWN = 60, NAME_SHOWN = 80, NOTES_SHOWN = 160, LISTED = 6 };

static const hm_str NOTHING = { NULL, 0 };

/* --- names ----------------------------------------------------------------- */

const char *hm_action_name(hm_action a) {
  static const char *const names[HM_N_ACTIONS] = { [HM_NO_ACTION] = "no_action",
                                                   [HM_SUPERSEDE_OPPONENTS] = "supersede_opponents",
                                                   [HM_SUPERSEDE_OTHERS] = "supersede_others" };
  return names[a];
}

hm_action hm_action_parse(hm_str name) {
  int a = HM_N_ACTIONS - 1;
  while (a > 0 && !hm_str_is(name, hm_action_name((hm_action)a)))
    a--;
  return (hm_action)a;
}

static const char *const scopes[HM_N_SCOPES] = {
  [HM_SCOPE_UNSAID] = "", [HM_SCOPE_WHOLE_ROW] = "whole_row", [HM_SCOPE_FIELD_ONLY] = "field_only"
};

const char *hm_verdict_scope_name(hm_verdict_scope s) { return scopes[s]; }

hm_verdict_scope hm_verdict_scope_parse(hm_str name) {
  int s = HM_N_SCOPES - 1;
  while (s > 0 && !hm_str_is(name, scopes[s]))
    s--;
  return (hm_verdict_scope)s;
}

/* --- the frame ------------------------------------------------------------- */

hm_str hm_decision_time(hm_str at, hm_arena *a) {
  enum { SECOND = 1000000 };
  hm_time t;
  hm_precision p;
  return hm_time_parse(at, &t, &p) && p == HM_P_FRACTION ? hm_time_iso(a, t - t % SECOND) : at;
}

int hm_verdict_begin(hm_verdict_run *v, const char *verb, hm_str notes, const char *field,
                     bool needed) {
  const hm_decided *decided = v->r->decided;
  v->who = v->r->who;
  v->who.at = hm_decision_time(v->who.at, v->a);
  if (decided && decided->at.n)
    v->who.at = decided->at;
  if (decided && decided->by.n)
    v->who.by = decided->by;
  v->who.undated = decided && !decided->at.n;
  v->unnamed = decided && !decided->by.n;
  *v->out = (hm_verdict_report){ .verb = verb,
                                 .dry_run = v->r->dry_run,
                                 .by = v->who.by,
                                 .at = v->who.at,
                                 .conflict = HM_EMPTY,
                                 .slot_key = HM_EMPTY,
                                 .title = HM_EMPTY,
                                 .status = HM_EMPTY,
                                 .winner = HM_EMPTY,
                                 .action = HM_EMPTY,
                                 .scope = HM_EMPTY };
  if (decided) /* and read with its line */
    v->out->notes = hm_str_dup(v->a, hm_str_trim(hm_text_repair(v->a, notes)));
  else if (hm_review_read_reason(notes, field, needed, v->a, &v->out->notes, v->err))
    return -1;
  if (hm_store_txn(v->s, true, &v->mine, v->err))
    return -1;
  if (!v->r->swept_later)
    return hm_write_check_begin(v->s, v->r->rules, v->a, &v->check, v->err);
  v->check = hm_write_check_new(v->s, v->r->rules, v->r->look, v->a);
  return 0;
}

int hm_verdict_end(hm_verdict_run *v, int rc) {
  hm_write_result touched = { 0 };
  if (!rc && !v->r->swept_later) {
    rc = hm_write_check_end(v->check, &v->who, &touched, v->err);
    v->check = NULL;
    v->out->opened = touched.opened;
    v->out->n_opened = touched.n_opened;
    v->out->revived = touched.revived;
    v->out->n_revived = touched.n_revived;
    v->out->quieted = touched.quieted;
    v->out->n_quieted = touched.n_quieted;
  }
  hm_write_check_free(v->check);
  hm_store_secrets_tell(v->s, v->a, &v->out->warnings, &v->out->n_warnings);
  rc = hm_review_end(v->s, v->r, v->mine, rc, v->err);
  if (!rc && !v->r->dry_run && touched.sweep.snap)
    hm_write_finish(v->s, v->r, &touched.sweep, v->a);
  hm_sweep_free(&touched.sweep);
  return rc;
}

void hm_verdict_report_change(hm_verdict_run *v, hm_str ref, hm_str before, hm_str after) {
  hm_verdict_report *r = v->out;
  r->changes =
      hm_array_grow_in(v->a, r->changes, r->n_changes, &v->cap_changes, sizeof *r->changes);
  r->changes[r->n_changes++] = (hm_row_change){ ref, before, after };
}

int hm_verdict_supersede_row(hm_verdict_run *v, const hm_named_row *older,
                             const hm_named_row *newer, hm_str notes, bool across, hm_str why) {
  hm_actor who = v->who;
  hm_str relation;
  who.why = why;
  if (hm_supersede(v->s, older, newer, notes, across, &who, v->a, &relation, v->err))
    return -1;
  hm_verdict_report_change(v, older->ref, hm_named_row_status_text(older, v->a),
                           HM_CAT(v->a, HM_STR("superseded by "), newer->ref));
  if (relation.n)
    hm_verdict_report_change(v, relation, HM_STR("not there"), HM_STR("says why"));
  return 0;
}

/* --- a conflict ------------------------------------------------------------ */

static const char *what_of(hm_verdict_run *v, hm_str id) {
  return hm_str_fmt(v->a, "conflict %.*s", HM_FMT(hm_text_cut(id, ID_SHOWN))).p;
}

static hm_str or_else(hm_str s, const char *words) { return s.n ? s : hm_str_c(words); }

/* The existing verdict in words, for a person who decides too late. */
static hm_str verdict_words(const hm_conflict_before *c, hm_arena *a) {
  hm_str how = HM_EMPTY, notes = HM_EMPTY;
  if (hm_str_is(c->action, "supersede_others") || hm_str_is(c->action, "supersede_opponents"))
    how = HM_CAT(a, HM_STR(", "),
                 hm_winners_sentence(a, or_else(c->winner, "its winner"), NAME_SHOWN));
  if (hm_str_is(c->action, "no_action"))
    how = HM_STR(", no row changed");
  if (c->resolution.n)
    notes = HM_CAT(a, HM_STR(": \""), hm_text_cut(c->resolution, NOTES_SHOWN), HM_STR("\""));
  return HM_CAT(a, HM_STR("it was "), c->status, HM_STR(" by "),
                hm_text_cut(or_else(c->by, "nobody named"), NAME_SHOWN), HM_STR(" at "),
                hm_text_cut(or_else(c->at, "a time not recorded"), 40), how, notes);
}

int hm_verdict_read_conflict(hm_verdict_run *v, hm_str id, bool any, hm_conflict_before *out) {
  hm_column c[] = { { "slot_key", NOTHING },    { "status", NOTHING },
                    { "resolved_at", NOTHING }, { "resolved_by", NOTHING },
                    { "resolution", NOTHING },  { "action", NOTHING },
                    { "winner", NOTHING },      { "merged_into", NOTHING } };
  bool found;
  *out = (hm_conflict_before){ .ref = HM_CAT(v->a, HM_STR("conflict:"), id) };
  if (hm_store_get_columns(v->s, out->ref, c, HM_COUNT(c), &found, v->a, v->err))
    return -1;
  if (!found)
    return hm_fail(v->err, HM_E_UNKNOWN, what_of(v, id), "there is none",
                   "see 'hmirror conflicts list --status all'; "
                   "one that only a page shows is recorded by 'hmirror sweep'");
  hm_str *const to[] = { &out->slot_key,   &out->status, &out->at,     &out->by,
                         &out->resolution, &out->action, &out->winner, &out->merged_into };
  for (size_t i = 0; i < HM_COUNT(to); i++)
    *to[i] = c[i].value.p ? c[i].value : HM_EMPTY;
  v->out->conflict = hm_str_dup(v->a, id);
  v->out->slot_key = out->slot_key;
  v->out->title = hm_answers_title(v->s, v->out->conflict, out->slot_key, v->a);
  if (hm_str_is(out->status, "merged")) {
    hm_str into = hm_text_cut(out->merged_into, ID_SHOWN);
    hm_str why = HM_CAT(v->a, HM_STR("it went on in conflict "), into,
                        HM_STR(", whose claims contradict its own"));
    hm_str fix = HM_CAT(v->a, HM_STR("decide there: hmirror conflicts show "), into);
    return hm_fail(v->err, HM_E_STATE, what_of(v, id), why.p, fix.p);
  }
  if (any || hm_str_is(out->status, "open"))
    return 0;
  return hm_fail(v->err, HM_E_STATE, what_of(v, id), verdict_words(out, v->a).p,
                 hm_str_fmt(v->a, "to decide anew, reopen it: hmirror conflicts reopen %.*s",
                            HM_FMT(hm_text_cut(id, ID_SHOWN)))
                     .p);
}

int hm_verdict_settle(hm_verdict_run *v, const hm_conflict_before *c, hm_verdict status,
                      hm_str action, hm_str winner, hm_str scope, hm_str source) {
  hm_actor who = v->who;
  bool open = status == HM_OPEN;
  const hm_column columns[] = { { "status", hm_str_c(hm_verdict_name(status)) },
                                { "resolved_at", open || who.undated ? NOTHING : who.at },
                                { "resolution", open ? HM_EMPTY : v->out->notes },
                                { "resolved_by", open || v->unnamed ? NOTHING : who.by },
                                { "action", action },
                                { "winner", winner },
                                { "scope", scope },
                                { "winner_source", source } };
  who.why = v->out->notes;
  v->out->status = hm_str_c(hm_verdict_name(status));
  return hm_store_set_columns(v->s, c->ref, columns, HM_COUNT(columns), v->out->verb, &who, v->a,
                              v->err);
}

/* --- dismiss --------------------------------------------------------------- */

int hm_review_dismiss(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                      hm_verdict_report *out, hm_err *err) {
  hm_verdict_run v = { .s = s, .r = r, .a = a, .out = out, .err = err };
  hm_conflict_before c;
  int rc = hm_verdict_begin(&v, "dismiss", reason, "reason", true);
  if (!rc)
    rc = hm_verdict_read_conflict(&v, id, false, &c);
  if (!rc)
    rc = hm_verdict_settle(&v, &c, HM_DISMISSED, NOTHING, NOTHING, NOTHING, NOTHING);
  return hm_verdict_end(&v, rc);
}

/* --- reopen ---------------------------------------------------------------- */

static int check_reopen(hm_verdict_run *v, hm_str id, const hm_conflict_before *c) {
  hm_str other;
  if (hm_str_is(c->status, "open"))
    return hm_fail(v->err, HM_E_STATE, what_of(v, id), "it is open", "there is nothing to reopen");
  if (hm_store_open_rival(v->s, id, v->a, &other, v->err))
    return -1;
  if (!other.n)
    return 0;
  const char *why = hm_str_fmt(v->a, "conflict %.*s is open between its members",
                               HM_FMT(hm_text_cut(other, ID_SHOWN)))
                        .p;
  return hm_fail(v->err, HM_E_STATE, what_of(v, id), why, "settle that one");
}

/* A field that this verdict took out of a row that lacks it still. */
static int add_removed(hm_verdict_run *v, const hm_member_rec *m) {
  hm_verdict_report *out = v->out;
  hm_removed_field *fields;
  size_t n;
  if (!m->removed)
    return 0;
  if (hm_removed_fields(v->s, m->id, v->a, &fields, &n, v->err))
    return -1;
  hm_str ref = hm_ref_text(v->a, m->layer, m->id);
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(fields[i].field, m->field))
      out->removed[out->n_removed++] = (hm_row_field){ ref, fields[i].field };
  return 0;
}

static void add_restorable(hm_verdict_run *v, const hm_conflict_before *c, const hm_member_rec *m) {
  hm_verdict_report *out = v->out;
  hm_named_row row;
  hm_err gone;
  hm_str ref = hm_ref_text(v->a, m->layer, m->id);
  if (out->n_restorable && hm_str_eq(out->restorable[out->n_restorable - 1], ref))
    return;
  if (hm_named_row_find(v->s, ref, v->a, &row, &gone))
    return;
  if (row.status != HM_SUPERSEDED)
    return;
  hm_str *winners;
  size_t n = hm_winners_parse(v->a, c->winner, &winners), k = 0;
  while (k < n && !hm_str_eq(row.superseded_by, winners[k]))
    k++;
  if (k < n)
    out->restorable[out->n_restorable++] = row.ref;
}

/* The conflict as it was recorded before the verdict; NULL: it is not. */
static const hm_conflict_rec *find_conflict(const hm_sweep *look, hm_str id) {
  for (size_t i = 0; i < look->plan->n_conflicts; i++)
    if (hm_str_eq(look->plan->conflicts[i].id, id))
      return &look->plan->conflicts[i];
  return NULL;
}

/* Rows that the verdict superseded, and fields that it took out, and that are so still. */
static int list_restorable(hm_verdict_run *v, const hm_conflict_before *c) {
  const hm_sweep *look;
  int rc = 0;
  if (!c->winner.n)
    return 0;
  if (hm_write_check_before(v->check, &look, v->err))
    return -1;
  const hm_conflict_rec *rec = find_conflict(look, v->out->conflict);
  if (!rec)
    return 0;
  v->out->restorable = hm_alloc_array(v->a, rec->n_members, sizeof *v->out->restorable);
  v->out->removed = hm_alloc_array(v->a, rec->n_members, sizeof *v->out->removed);
  for (size_t k = 0; k < rec->n_members && !rc; k++) {
    add_restorable(v, c, &rec->members[k]);
    rc = add_removed(v, &rec->members[k]);
  }
  return rc;
}

/* --- rows ------------------------------------------------------------------ */

/* The row that text names; an error is at this field of the request. */
static int verdict_row(hm_verdict_run *v, hm_str text, const char *field, hm_named_row *out) {
  return hm_named_row_find(v->s, text, v->a, out, v->err) ? hm_err_at_field(v->err, hm_str_c(field))
                                                          : 0;
}

static int supersede(hm_verdict_run *v, hm_str older, hm_str newer) {
  hm_named_row old, new;
  if (verdict_row(v, older, "old", &old) || verdict_row(v, newer, "new", &new))
    return -1;
  if (hm_supersede_check(v->s, &old, &new, false, v->a, v->err))
    return -1;
  if (v->r->dry_run && hm_verdict_preview_effects(v, &(hm_loser){ .row = old }, 1, &new, 1))
    return -1;
  return hm_verdict_supersede_row(v, &old, &new, v->out->notes, false, v->out->notes);
}

int hm_review_supersede(hm_store *s, const hm_review *r, hm_str older, hm_str newer, hm_str notes,
                        hm_arena *a, hm_verdict_report *out, hm_err *err) {
  hm_verdict_run v = { .s = s, .r = r, .a = a, .out = out, .err = err };
  int rc = hm_verdict_begin(&v, "supersede", notes, "notes", false);
  return hm_verdict_end(&v, rc ? rc : supersede(&v, older, newer));
}

/* --- restore ---------------------------------------------------------------------
 * Where a row or a field that comes back contradicts another row, the detector opens a conflict, or
 * revives one that awaits sign-off. */

static int refuse_field(hm_verdict_run *v, const hm_named_row *row, hm_code code, hm_str why,
                        hm_str fix) {
  hm_fail(v->err, code, hm_str_z(v->a, hm_text_cut(row->ref, SHOWN)), hm_str_z(v->a, why),
          hm_str_z(v->a, fix));
  return hm_err_at_field(v->err, HM_STR("field"));
}

/* Leaves the one that is meant, or all. */
static int choose(hm_verdict_run *v, const hm_named_row *row, hm_str field,
                  hm_removed_field *fields, size_t *n) {
  hm_str list = HM_EMPTY;
  for (size_t i = 0; i < *n; i++) {
    if (field.n && hm_str_eq(fields[i].field, field)) {
      fields[0] = fields[i];
      *n = 1;
      return 0;
    }
    if (i < LISTED)
      list = HM_CAT(v->a, list, i ? HM_STR(", ") : HM_EMPTY, hm_text_cut(fields[i].field, 60));
  }
  if (!field.n)
    return 0;
  hm_str why = HM_CAT(v->a, HM_STR("no verdict took '"), hm_text_cut(field, 60),
                      HM_STR("' out of it, or it is back"));
  return refuse_field(v, row, HM_E_INPUT, why,
                      list.n ? HM_CAT(v->a, HM_STR("verdicts took out: "), list)
                             : HM_STR("nothing of it is to be restored"));
}

static int restore_fields(hm_verdict_run *v, const hm_named_row *row,
                          const hm_removed_field *fields, size_t n, const hm_actor *who) {
  for (size_t i = 0; i < n; i++)
    if (hm_has_redacted_mark(fields[i].value))
      return refuse_field(v, row, HM_E_STATE,
                          HM_CAT(v->a, HM_STR("what '"), hm_text_cut(fields[i].field, 60),
                                 HM_STR("' said was redacted")),
                          HM_STR("set it anew: hmirror edit"));
  if (hm_restore_fields(v->s, row->id, fields, n, who, v->a, v->err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    hm_str says = HM_CAT(v->a, fields[i].field, HM_STR(" = "), fields[i].value);
    hm_verdict_report_change(v, row->ref, HM_CAT(v->a, fields[i].field, HM_STR(" not there")),
                             says);
  }
  return 0;
}

static int restore_row(hm_verdict_run *v, const hm_named_row *row, const hm_actor *who) {
  hm_str *relations = NULL;
  size_t n = 0;
  if (hm_unsupersede(v->s, row, who, v->a, &relations, &n, v->err))
    return -1;
  hm_verdict_report_change(v, row->ref, hm_named_row_status_text(row, v->a), HM_STR("active"));
  for (size_t i = 0; i < n; i++)
    hm_verdict_report_change(v, relations[i], HM_STR("active"), HM_STR("invalid"));
  return 0;
}

static int restore(hm_verdict_run *v, hm_str text, hm_str field) {
  hm_named_row row;
  hm_removed_field *fields = NULL;
  size_t n = 0;
  hm_actor who = v->who;
  who.why = v->out->notes;
  if (verdict_row(v, text, "row", &row))
    return -1;
  if (row.layer == HM_ENTITY && hm_removed_fields(v->s, row.id, v->a, &fields, &n, v->err))
    return -1;
  if (choose(v, &row, field, fields, &n))
    return -1;
  if (field.n && row.status != HM_ACTIVE)
    return refuse_field(v, &row, HM_E_STATE,
                        HM_CAT(v->a, HM_STR("it is "), hm_named_row_status_text(&row, v->a)),
                        HM_STR("restore the row first: without --field"));
  if (row.status == HM_ACTIVE && n)
    return restore_fields(v, &row, fields, n, &who);
  return restore_row(v, &row, &who);
}

int hm_review_restore(hm_store *s, const hm_review *r, hm_str row, hm_str field, hm_str notes,
                      hm_arena *a, hm_verdict_report *out, hm_err *err) {
  hm_verdict_run v = { .s = s, .r = r, .a = a, .out = out, .err = err };
  int rc = hm_verdict_begin(&v, "restore", notes, "notes", false);
  return hm_verdict_end(&v, rc ? rc : restore(&v, row, field));
}

/* --- reopen ---------------------------------------------------------------- */

/* Brings back what the verdict retired. What cannot come back stays listed, and reopens nothing. */
static int restore_all(hm_verdict_run *v) {
  hm_verdict_report *out = v->out;
  size_t kept = 0;
  for (size_t i = 0; i < out->n_restorable; i++)
    if (restore(v, out->restorable[i], HM_EMPTY))
      return -1;
  out->n_restorable = 0;
  for (size_t i = 0; i < out->n_removed; i++) {
    const hm_row_field *f = &out->removed[i];
    if (!restore(v, f->ref, f->field))
      continue;
    if (v->err->code != HM_E_STATE)
      return -1;
    memset(v->err, 0, sizeof *v->err);
    out->removed[kept++] = *f;
  }
  out->n_removed = kept;
  return 0;
}

/* What the verdict ended of the members' rows counts again; or is listed, where it stays over. */
static int revive_said(hm_verdict_run *v, bool keep) {
  const hm_sweep *look;
  hm_verdict_report *out = v->out;
  size_t room = 0;
  hm_str last = HM_EMPTY;
  hm_actor who = v->who;
  who.why =
      HM_CAT(v->a, HM_STR("conflict "), v->out->conflict, HM_STR(" reopened: "), v->out->notes);
  if (hm_write_check_before(v->check, &look, v->err))
    return -1;
  const hm_conflict_rec *rec = find_conflict(look, v->out->conflict);
  for (size_t i = 0; rec && i < rec->n_members; i++) {
    const hm_member_rec *m = &rec->members[i];
    hm_str ref = hm_ref_text(v->a, m->layer, m->id);
    hm_row_revived *said;
    size_t n;
    if (hm_str_eq(ref, last))
      continue;
    last = ref;
    if (keep ? hm_row_list_ended(v->s, m->layer, m->id, out->conflict, v->a, &said, &n, v->err)
             : hm_row_revive_said(v->s, m->layer, m->id, out->conflict, out->verb, &who, v->a,
                                  &said, &n, v->err))
      return -1;
    for (size_t k = 0; k < n; k++) {
      hm_str says = HM_CAT(v->a, said[k].field, HM_STR(" = "), said[k].value, HM_STR(" ("),
                           said[k].source, HM_STR(")"));
      if (!keep) {
        hm_verdict_report_change(v, ref, HM_CAT(v->a, says, HM_STR(", over")), HM_STR("active"));
        continue;
      }
      out->left = hm_array_grow_in(v->a, out->left, out->n_left, &room, sizeof *out->left);
      out->left[out->n_left++] = (hm_row_left){ ref, HM_CAT(v->a, says, HM_STR(" stays over")) };
    }
  }
  return 0;
}

int hm_review_reopen(hm_store *s, const hm_review *r, hm_str id, hm_str reason, bool keep_rows,
                     hm_arena *a, hm_verdict_report *out, hm_err *err) {
  hm_verdict_run v = { .s = s, .r = r, .a = a, .out = out, .err = err };
  hm_conflict_before c;
  int rc = hm_verdict_begin(&v, "reopen", reason, "reason", false);
  if (!rc)
    rc = hm_verdict_read_conflict(&v, id, true, &c);
  if (!rc)
    rc = check_reopen(&v, id, &c);
  if (!rc)
    rc = list_restorable(&v, &c);
  if (!rc)
    rc = hm_verdict_settle(&v, &c, HM_OPEN, NOTHING, NOTHING, NOTHING, NOTHING);
  if (!rc && !keep_rows)
    rc = restore_all(&v);
  if (!rc)
    rc = revive_said(&v, keep_rows);
  return hm_verdict_end(&v, rc);
}

/* --- under which key the slot of an imported verdict is now ---------------------------------- */

/* A kind of relation whose slots are told apart by the type of the other end (BELONGS_TO) once had
 * one slot for all types. So a verdict with such a key is about the slot in which two of its
 * members claim now what they claimed then, in the same field; about none where no two do.
 * In a store itself a record goes on by its members (conflict_match.c); here there is none yet.
 * Cost: the members of verdicts with such a key. */

static bool is_older_key(const hm_rules *rules, hm_str slot_key, hm_arena *scratch) {
  const hm_json *key = hm_json_parse_as(scratch, slot_key, HM_JSON_ARRAY);
  if (!key || key->count != 3)
    return false;
  hm_str space = key->child->next->text;
  const hm_relation_kind *k = hm_relation_kind_of_space(hm_config_relation_kinds(rules), space);
  return k && k->by_type && hm_str_is(space, k->name);
}

/* Does this member of the verdict claim so now? */
static bool claims_still(const hm_member_rec *m, const hm_snapshot *snap, const hm_claim *c) {
  return m->layer == c->layer && hm_str_eq(m->id, snap->rows[c->row].id) &&
      hm_str_eq(m->field, c->field) && hm_str_eq(m->normal, c->value.norm);
}

static void find_slot(hm_verdict_line *v, const hm_snapshot *snap, const hm_claims *claims,
                      hm_arena *a) {
  hm_map slots;
  hm_map_init(&slots, a, v->n_members);
  for (size_t i = 0; i < v->n_members; i++)
    for (size_t k = 0; k < claims->n; k++) {
      if (!claims_still(&v->members[i], snap, &claims->claims[k]))
        continue;
      hm_str key = hm_conflict_slot_key(a, snap, &claims->claims[k]);
      if (hm_map_get(&slots, key) != HM_MAP_NONE) {
        v->slot_key = key;
        return;
      }
      hm_map_add(&slots, key, 0);
    }
}

void hm_verdicts_update_slot_keys(const hm_sweep *w, const hm_rules *rules, hm_known_verdict *v,
                                  size_t n, hm_arena *a) {
  for (size_t i = 0; i < n; i++)
    if (v[i].state == HM_VERDICT_WAITS && is_older_key(rules, v[i].line.slot_key, a))
      find_slot(&v[i].line, w->snap, w->claims, a);
}
