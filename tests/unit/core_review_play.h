/* Random writes into a store of a few slots, and the properties that they must keep: after a write
 * the recorded conflicts are those that a sweep would record, and while what is recorded holds, it
 * answers as a sweep does. */
#ifndef CORE_REVIEW_PLAY_H
#define CORE_REVIEW_PLAY_H
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_review_help.h"
#include "core/detect/explain.h"
#include "core/sweep/answer.h"
#include "core/review/verdict.h"
#include "core/store/lookup.h"
#include "core/sqlite/sqlite_impl.h"

typedef struct {
  world *w;
  uint64_t rng;
  bool verdicts;
  bool places; /* nothing but places in places is written */
  size_t opened, quieted, given;
  hm_time nows[2];
  size_t n_nows, moved;
  size_t asked, answered, unrecorded;
  bool copied;
  char record[1024];
} play;

HELP_UNUSED static unsigned roll(play *p, unsigned n) { return (unsigned)(prng(&p->rng) % n); }
#define PICK(p, ...)                                                                               \
  ((const char *const[]){                                                                          \
      __VA_ARGS__ }[roll((p), sizeof(const char *const[]){ __VA_ARGS__ } / sizeof(char *))])

HELP_UNUSED static const char *project(play *p) {
  return PICK(p, "p", "p", "p", "q", "alias", "other", "P", "Alias", "Big  Name", "OTHER", "");
}
/* When rows are written; some lie ahead of every clock. */
HELP_UNUSED static const char *moment(play *p) {
  return PICK(p, "2026-01-15T00:00:00Z", "2026-02", "2026-04-10T08:00:00Z", "2026-05-02T10:00:00Z",
              "2026-05-02T10:00:00.000001Z", "2026-06-01T10:00:00Z", "9000-01-01T00:00:00Z");
}

HELP_UNUSED static hm_review review_at(play *p) {
  hm_review r = review();
  r.who.at = hm_str_c(PICK(p, "2026-01-10T10:00:00Z", "2026-01-10T10:00:00Z",
                           "2026-01-10T10:00:00Z", "2026-02-10T10:00:00Z", "2026-04-10T08:00:00Z",
                           "2026-05-02T10:00:00Z", "2026-06-01T10:00:00Z"));
  return r;
}

/* A reference to some row, in full; empty when there is none of that layer. */
HELP_UNUSED static const char *any(play *p, hm_layer layer, const char *where) {
  static const char *const tables[] = { "", "memories", "entities", "project_state" };
  char q[256];
  snprintf(
      q, sizeof q,
      "SELECT '%s:' || id FROM %s WHERE %s ORDER BY id LIMIT 1 OFFSET %u %% max(1, (SELECT count(*) FROM %s WHERE %s))",
      hm_layer_name(layer), tables[layer], where, roll(p, 1000), tables[layer], where);
  return ask(p->w, q);
}

/* false: refused, for a reason that is the row's. */
HELP_UNUSED static bool done(play *p, int rc, const hm_written *out) {
  if (rc) {
    assert_true(p->w->err.code == HM_E_STATE || p->w->err.code == HM_E_INPUT ||
                p->w->err.code == HM_E_UNKNOWN);
    return false;
  }
  p->opened += out->n_opened;
  p->quieted += out->n_quieted;
  return true;
}

HELP_UNUSED static bool write_nothing(play *p) {
  const char *ref = any(p, HM_STATE, "status = 'active'");
  hm_review r = review_at(p);
  hm_written out;
  if (!*ref) return false;
  return done(
      p, hm_review_edit(p->w->s, &r, hm_str_c(ref), json(p->w, "{}"), p->w->a, &out, &p->w->err),
      &out);
}

/* The id of some conflict with this status, or of none. */
HELP_UNUSED static hm_str some_conflict(play *p, const char *status) {
  char q[200];
  snprintf(
      q, sizeof q,
      "SELECT id FROM conflicts WHERE status %s 'open' ORDER BY id LIMIT 1 OFFSET %u %% max(1, (SELECT count(*) FROM conflicts WHERE status %s 'open'))",
      status, roll(p, 1000), status);
  return hm_str_c(ask(p->w, q));
}

HELP_UNUSED static hm_str some_member(play *p, hm_str conflict) {
  const char *q =
      hm_str_fmt(
          p->w->a,
          "SELECT member_kind || ':' || member_id FROM conflict_members WHERE conflict_id = '%.*s' ORDER BY member_id LIMIT 1 OFFSET %u %% (SELECT max(1, count(*)) FROM conflict_members WHERE conflict_id = '%.*s')",
          HM_FMT(conflict), roll(p, 100), HM_FMT(conflict))
          .p;
  return hm_str_c(ask(p->w, q));
}

HELP_UNUSED static bool gives_verdict(play *p) {
  world *w = p->w;
  hm_review r = review_at(p);
  hm_verdict_report out = { 0 };
  hm_str open = some_conflict(p, "="), settled = some_conflict(p, "<>"), why = HM_STR("so");
  hm_layer l = (hm_layer)(1 + roll(p, 3));
  hm_str winners[] = { some_member(p, open), HM_EMPTY };
  hm_resolution win = { .winners = winners,
                        .n_winners = 1,
                        .action = roll(p, 2) ? HM_SUPERSEDE_OPPONENTS : HM_SUPERSEDE_OTHERS,
                        .scope = roll(p, 2) ? HM_SCOPE_FIELD_ONLY : HM_SCOPE_WHOLE_ROW,
                        .notes = why };
  hm_resolution none = { .action = HM_NO_ACTION, .link = roll(p, 2), .notes = why };
  int rc, verdict = roll(p, 7);
  if (verdict == 6) winners[win.n_winners++] = some_member(p, open);
  switch (verdict) {
    case 6:
    case 0: rc = hm_review_resolve(w->s, &r, open, &win, w->a, &out, &w->err); break;
    case 1: rc = hm_review_resolve(w->s, &r, open, &none, w->a, &out, &w->err); break;
    case 2: rc = hm_review_reopen(w->s, &r, settled, why, roll(p, 2), w->a, &out, &w->err); break;
    case 3:
      rc = hm_review_supersede(w->s, &r, hm_str_c(any(p, l, "status = 'active'")),
                               hm_str_c(any(p, l, "status = 'active'")), why, w->a, &out, &w->err);
      break;
    case 4:
      rc = hm_review_restore(w->s, &r, hm_str_c(any(p, l, "status IN ('superseded', 'invalid')")),
                             HM_EMPTY, why, w->a, &out, &w->err);
      break;
    default:
      rc = hm_review_restore(
          w->s, &r,
          hm_str_c(
              any(p, HM_ENTITY, "id IN (SELECT member_id FROM conflict_members WHERE removed)")),
          HM_EMPTY, why, w->a, &out, &w->err);
  }
  p->given += !rc;
  return done(p, rc, &(hm_written){ .n_opened = out.n_opened, .n_quieted = out.n_quieted });
}

/* --- the two properties ------------------------------------------------------------------ */

/* What is disputed, by whom, who is flagged. awaiting: conflicts that nobody disputes any more are
 * no part of it. */
HELP_UNUSED static const char *disputed(world *w, const char *path) {
  hm_store *s;
  hm_sweep sweep;
  hm_sweep_options opt = { .rules = hm_rules_default(), .threads = 1 };
  ok(w, hm_store_open(&s, path, HM_STORE_READ, 50, &w->err));
  ok(w, hm_sweep_run_all(s, &opt, w->a, &sweep, &w->err));
  hm_buf b = { 0 };
  for (size_t i = 0; i < sweep.disputes->n; i++) {
    const hm_dispute *d = &sweep.disputes->disputes[i];
    const hm_conflict_rec *c = NULL;
    for (size_t k = 0; k < sweep.plan->n_conflicts; k++)
      if (sweep.plan->disputes[k] == d) c = &sweep.plan->conflicts[k];
    if (!c) continue;
    hm_buf_fmt(&b, "%.*s %.*s %.*s %.*s\n", HM_FMT(c->slot_key), HM_FMT(c->slot_kind),
               HM_FMT(c->window_from), HM_FMT(c->window_until));
    for (size_t k = 0; k < c->n_members; k++) {
      const hm_member_rec *m = &c->members[k];
      bool now = false;
      for (size_t n = 0; n < d->n; n++)
        now |= d->parties[n].claim->layer == m->layer &&
            hm_str_eq(sweep.snap->rows[d->parties[n].claim->row].id, m->id) &&
            hm_str_eq(d->parties[n].claim->field, m->field);
      if (now)
        hm_buf_fmt(&b, "  %d %.*s %.*s %.*s %d %.*s\n", (int)m->layer, HM_FMT(m->id),
                   HM_FMT(m->field), HM_FMT(m->normal), m->flagged, HM_FMT(m->conflicts_with));
    }
  }
  const char *text = hm_buf_copy(&b, w->a).p;
  hm_buf_free(&b);
  hm_sweep_free(&sweep);
  hm_store_close(s);
  return text;
}

/* A copy that has never been looked at, swept. */
HELP_UNUSED static void expect_as_swept_afresh(play *p) {
  world *w = p->w;
  char copy[128], q[200];
  hm_store *s;
  hm_sweep sweep;
  hm_sweep_options opt = {
    .rules = hm_rules_default(), .threads = 1, .record = true, .who = review().who
  };
  snprintf(copy, sizeof copy, "%s/t.db", w->dir);
  snprintf(q, sizeof q, "VACUUM INTO '%s'", copy);
  sql(w, q);
  sqlite3 *db;
  assert_int_equal(sqlite3_open(copy, &db), SQLITE_OK);
  assert_int_equal(
      sqlite3_exec(db, "DELETE FROM conflict_members; DELETE FROM conflicts", NULL, NULL, NULL),
      SQLITE_OK);
  sqlite3_close(db);
  ok(w, hm_store_open(&s, copy, HM_STORE_WRITE, 50, &w->err));
  ok(w, hm_sweep_run_all(s, &opt, w->a, &sweep, &w->err));
  hm_sweep_free(&sweep);
  hm_store_close(s);
  assert_string_equal(disputed(w, w->path), disputed(w, copy));
  unlink(copy);
}

/* A sweep would change nothing, and agrees that what was opened since that line of the journal is
 * disputed. */
HELP_UNUSED static void expect_agreement(play *p, const char *since) {
  world *w = p->w;
  hm_sweep_options opt = { .rules = hm_rules_default(), .threads = 1 };
  hm_arena *a = hm_arena_new();
  hm_sweep sweep;
  char q[200];
  ok(w, hm_sweep_run_all(w->s, &opt, a, &sweep, &w->err));
  p->nows[p->n_nows++ % 2] = sweep.snap->now;
  p->moved += p->nows[0] != p->nows[1];
  if (sweep.plan->n) {
    const hm_conflict_rec *c = &sweep.plan->changes[0].rec;
    fail_msg(
        "a sweep would change (%d) %.*s on %.*s, anchor %.*s, time %.*s to %.*s, %zu members, into %.*s",
        (int)sweep.plan->changes[0].kind, HM_FMT(c->id), HM_FMT(c->slot_key), HM_FMT(c->anchor),
        HM_FMT(c->window_from), HM_FMT(c->window_until), c->n_members, HM_FMT(c->merged_into));
  }
  snprintf(q, sizeof q, "SELECT group_concat(ref) FROM journal WHERE verb = 'open' AND seq > %s",
           since);
  const char *opened = ask(w, q);
  for (size_t i = 0; i < sweep.snap->n_conflicts; i++) {
    const hm_conflict_rec *c = &sweep.snap->conflicts[i];
    if (strstr(opened, c->id.p) && c->status == HM_OPEN && !hm_plan_dispute(sweep.plan, c))
      fail_msg("nobody disputes %.*s, which was opened", HM_FMT(c->slot_key));
  }
  hm_sweep_free(&sweep);
  hm_arena_free(a);
}

/* --- recorded answers -------------------------------------------------------------------- */

HELP_UNUSED static int tell(void *ctx, const hm_conflict_answer *x, hm_err *err) {
  (void)err;
  hm_buf_fmt(ctx, "%d %d %.*s\n%.*s\n", x->disputed, x->settled, HM_FMT(x->json), HM_FMT(x->shown));
  return 0;
}

HELP_UNUSED static const char *told(play *p, const hm_sweep *sweep, const hm_verdict *status,
                                    const hm_str *of_project, hm_arena *a) {
  hm_answer_source from = { .s = p->w->s, .rules = hm_rules_default(), .sweep = sweep };
  hm_buf b = { 0 };
  ok(p->w, hm_answers_visit(&from, status, of_project, tell, &b, &p->w->err));
  const char *text = hm_str_z(a, hm_buf_copy(&b, a));
  hm_buf_free(&b);
  return text;
}

HELP_UNUSED static void expect_answer(play *p, const hm_sweep *whole, const hm_verdict *status,
                                      const hm_str *of_project, hm_arena *a) {
  const char *recorded = told(p, NULL, status, of_project, a),
             *swept = told(p, whole, status, of_project, a);
  size_t same = 0;
  while (recorded[same] && recorded[same] == swept[same]) same++;
  size_t from = same > 300 ? same - 300 : 0;
  if (recorded[same] != swept[same])
    fail_msg("recorded is\n%.600s\nand a sweep says\n%.600s", recorded + from, swept + from);
}

HELP_UNUSED static void expect_found(play *p, const hm_sweep *whole, hm_str prefix, hm_arena *a) {
  hm_answer_source recorded = { .s = p->w->s, .rules = hm_rules_default() },
                   swept = { .s = p->w->s, .rules = hm_rules_default(), .sweep = whole };
  hm_conflict_answer *x, *y;
  size_t n, m, same = 0;
  ok(p->w, hm_answers_find(&recorded, prefix, 100, a, &x, &n, &p->w->err));
  ok(p->w, hm_answers_find(&swept, prefix, 100, a, &y, &m, &p->w->err));
  assert_int_equal(n, m);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m; k++) same += hm_str_eq(x[i].json, y[k].json);
  assert_int_equal(same, n);
}

/* Whoever changed what: while what is recorded holds, it is what a sweep says. */
HELP_UNUSED static void expect_answers_as_swept(play *p) {
  world *w = p->w;
  const hm_rules *rules = hm_rules_default();
  hm_sweep_options opt = { .rules = rules, .threads = 1, .details = true, .who.at = HM_EMPTY };
  hm_arena *a = hm_arena_new();
  hm_sweep whole;
  hm_swept holds;
  hm_verdict open = HM_OPEN;
  hm_finding *findings;
  size_t n;
  uint64_t rng = p->rng; /* what is written does not hang on what is asked */
  ok(w, hm_store_begin(w->s, false, &w->err));
  ok(w, hm_sweep_run_all(w->s, &opt, a, &whole, &w->err));
  ok(w, hm_swept_read(w->s, hm_sweep_decided(rules, a), &holds, &w->err));
  p->asked++;
  p->unrecorded += whole.plan->n > 0;
  if (holds == HM_SWEPT_WHOLE) {
    p->answered++;
    assert_int_equal(whole.plan->n, 0);
    expect_answer(p, &whole, NULL, NULL, a);
    expect_answer(p, &whole, &open, NULL, a);
    if (whole.snap->n_projects)
      expect_answer(p, &whole, NULL, &whole.snap->projects[roll(p, 1000) % whole.snap->n_projects].id,
                    a);
    if (whole.plan->n_conflicts) {
      hm_str id = whole.plan->conflicts[roll(p, 1000) % whole.plan->n_conflicts].id;
      expect_found(p, &whole, hm_str_sub(id, 0, 2 + roll(p, 12)), a);
    }
    ok(w, hm_store_findings(w->s, a, &findings, &n, &w->err));
    if (!hm_findings_equal(findings, n, whole.findings, whole.n_findings)) {
      for (size_t i = 0; i < n; i++) print_error("recorded %.*s %.*s\n", HM_FMT(findings[i].id), HM_FMT(findings[i].message));
      for (size_t i = 0; i < whole.n_findings; i++) print_error("swept %.*s %.*s\n", HM_FMT(whole.findings[i].id), HM_FMT(whole.findings[i].message));
      fail();
    }
  }
  hm_store_rollback(w->s);
  p->rng = rng;
  hm_sweep_free(&whole);
  hm_arena_free(a);
}

HELP_UNUSED static void begin_run(world *w) {
  create(w);
  assert_int_equal(sqlite3_exec(w->s->sqlite->db, "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
  import(
      w,
      "{\"kind\":\"project\",\"id\":\"p\",\"aliases\":[\"alias\"]}\n{\"kind\":\"project\",\"id\":\"q\"}\n");
}
#endif
