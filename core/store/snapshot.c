#include "core/store/snapshot.h"
#include <stdlib.h>
#include <string.h>
#include "core/base/text.h"

int hm_read_count(hm_reader *r, const char *sql, size_t *n) {
  int64_t count;
  if (hm_sql_int(r->s, sql, &count, r->err)) return -1;
  *n = (size_t)count;
  return 0;
}

int hm_read_overrun(const hm_reader *r, hm_err *err) {
  return hm_fail(err, HM_E_STORE, r->s->what, "damaged: a table and its index differ",
                 "restore a backup, or save what is readable with the sqlite3 shell's .recover");
}

int hm_read_twice(const hm_reader *r, const char *layer, hm_str id) {
  hm_str shown = hm_text_cut(id, 80);
  return hm_failf(r->err, HM_E_STORE, r->s->what,
                  "select another column as id in mirror.yml: store.map",
                  "two rows of layer %s have the id \"%.*s\"", layer, HM_FMT(shown));
}

int hm_read_facts(hm_reader *r) {
  if (hm_read_projects(r) || hm_read_rows(r)) return -1;
  hm_read_projects_end(r);
  r->out->now = hm_now_of(r->s, r->newest.t);
  return hm_read_links(r);
}

int hm_read_end(hm_reader *r) {
  hm_newest_merge(&r->newest, &r->verdicts);
  r->out->newest = hm_time_iso(r->a, r->newest.t);
  if (r->seed && !r->out->sums) hm_snapshot_sum(r->out, r->seed, r->a);
  r->out->digest = hm_snapshot_digest(r->out, r->a);
  return 0;
}

static int read_all(hm_reader *r) {
  return hm_read_facts(r) || hm_read_conflicts(r) || hm_read_findings(r) ? -1 : hm_read_end(r);
}

static int read_snapshot(hm_store *s, hm_arena *a, bool details, uint64_t seed, hm_snapshot **out,
                         hm_err *err) {
  hm_snapshot *snap = hm_alloc(a, sizeof *snap);
  hm_reader r = { .s = s, .a = a, .details = details, .seed = seed, .out = snap, .err = err,
                  .verdicts = hm_newest_before(HM_TIME_MAX), .lock = PTHREAD_MUTEX_INITIALIZER };
  bool mine;
  if (hm_sql_txn(s, false, &mine, err)) return -1;
  r.newest = hm_newest_before(hm_clock_limit(s));
  bool was_on = hm_sql_limit_begin(s);   /* a writer's reading is bounded, too */
  int rc = read_all(&r);
  hm_sql_limit_end(s, was_on);
  rc = hm_sql_txn_end(s, mine, rc, err);
  free(r.projects);
  if (!rc) *out = snap;
  return rc;
}

int hm_store_snapshot(hm_store *s, hm_arena *a, bool details, hm_snapshot **out, hm_err *err) {
  return read_snapshot(s, a, details, 0, out, err);
}

int hm_store_snapshot_hashed(hm_store *s, hm_arena *a, uint64_t seed, hm_snapshot **out,
                             hm_err *err) {
  return read_snapshot(s, a, true, seed, out, err);
}
