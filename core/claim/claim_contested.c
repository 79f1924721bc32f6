/* The claims that somebody may contest: all rows are read in brief, and few of them whole. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim_impl.h"

enum { FEW = 1000 };   /* rows that are read on one thread */

/* --- in brief ------------------------------------------------------------------ */

static void be_brief(hm_claims_job *j, hm_claims_keep *k) {
  for (int i = 0; i < j->n_workers && i < k->n_workers; i++) {
    hm_reader *r = &j->workers[i];
    r->briefs = k->briefs[i];
    r->a = r->scratch;
    r->told = k->told[i];
    r->speaks = k->speaks;
  }
}

/* Only an entity that is new or was changed can bring a type or take it away. */
static const hm_map *keep_types(hm_claims_keep *k, const hm_snapshot *snap) {
  if (k->of_types) return &k->types;
  k->of_types = hm_arena_new();
  k->types = hm_claims_types(snap, k->of_types);
  return &k->types;
}

/* The types are looked for beside: what is brief does not ask for them. */
static int read_brief_chunk(void *ctx, size_t i, int worker) {
  hm_claims_job *j = ctx;
  if (i > 0) return hm_claims_read_chunk(j, i - 1, worker);
  keep_types(j->keep, j->snap);
  return 0;
}

static void read_all_briefs(hm_claims_job *j, hm_claims_keep *k) {
  if (j->n_workers > 1) hm_units_expect();   /* rows in brief need no units, those that are contested do */
  hm_keep_begin(k, j->n_workers, j->snap->n_rows);
  be_brief(j, k);
  j->keep = k;
  hm_par_for(j->n_chunks + 1, j->n_workers, read_brief_chunk, j, NULL);
  hm_claims_put_together(j);
  hm_keep_findings(k, j->out->findings, j->out->n_findings);
  k->brief_held = hm_keep_brief_held(k);
  k->has = true;
}

/* The next row from there on that is marked with a 1, or n. */
static size_t next_of(const unsigned char *marked, size_t from, size_t n) {
  const unsigned char *at = from < n ? memchr(marked + from, 1, n - from) : NULL;
  return at ? (size_t)(at - marked) : n;
}

/* A few rows, on this thread. */
static void read_stale_briefs(hm_claims_job *j, hm_claims_keep *k) {
  hm_reader *r = &j->workers[0];
  if (!k->n_stale) return;
  be_brief(j, k);
  for (size_t i = next_of(k->stale, 0, k->n_rows); i < k->n_rows; i = next_of(k->stale, i + 1, k->n_rows)) {
    hm_read_row(r, (uint32_t)i);
    k->stale[i] = 0;
  }
  hm_slots_add(k->slots, r->briefs);
  hm_keep_findings(k, r->findings, r->n_findings);
  free(r->findings);
  r->findings = NULL;
  r->n_findings = r->cap_findings = 0;
  k->n_stale = 0;
}

/* Every row in brief: findings, counts, and the rows that are worth reading whole. */
static void read_briefs(hm_claims_job *j, hm_claims_keep *k, unsigned char *contested) {
  hm_claims *out = j->out;
  if (k->has) read_stale_briefs(j, k);
  else {
    read_all_briefs(j, k);
    if (k->lasts) k->slots = hm_slots_new(k->briefs, k->n_workers, j->n_workers);
  }
  if (k->slots) hm_slots_judge(k->slots, contested, &out->total, &out->slots);
  else hm_briefs_judge(k->briefs, k->n_workers, j->n_workers, contested, &out->total, &out->slots);
  out->speaks = k->speaks;
  out->n_findings = k->n_findings;
  out->findings = hm_xrealloc(out->findings, (k->n_findings + 1) * sizeof *out->findings);
  if (k->n_findings) memcpy(out->findings, k->findings, k->n_findings * sizeof *out->findings);
}

/* --- whole ----------------------------------------------------------------------- */

static void be_whole(hm_claims_job *j, hm_claims_keep *k) {
  j->types = *keep_types(k, j->snap);
  for (int i = 0; i < j->n_workers; i++) {
    hm_reader *r = &j->workers[i];
    r->briefs = NULL;
    r->a = k->lasts ? k->texts[i] : j->out->arenas[i];
    r->told = NULL;
    r->speaks = k->speaks;
  }
}

static void read_few(hm_claims_job *j) {
  hm_reader *r = &j->workers[0];
  for (size_t i = next_of(j->wanted, 0, j->snap->n_rows); i < j->snap->n_rows; i = next_of(j->wanted, i + 1, j->snap->n_rows))
    hm_read_row(r, (uint32_t)i);
  free(j->out->claims);
  j->out->claims = r->claims;
  j->out->n = r->n;
}

static bool are_few(const unsigned char *wanted, size_t n) {
  size_t found = 0;
  for (size_t i = next_of(wanted, 0, n); i < n && found <= FEW; i = next_of(wanted, i + 1, n)) found++;
  return found <= FEW;
}

static void tell_moves(hm_claims_moves *m, hm_claims *out) {
  if (m->told) m->n = 0;
  out->look = ++m->looks;
  out->moved = m->v;
  out->n_moved = m->n;
  out->anew = m->all;
  m->told = true;
  m->all = false;
}

/* Those that are not kept are read, and all are lent. */
static void read_the_rest(hm_claims_job *j, hm_claims_keep *k, unsigned char *wanted) {
  hm_claims *out = j->out;
  hm_keep_whole_choose(k, wanted);
  if (are_few(wanted, j->snap->n_rows)) read_few(j);
  else hm_claims_read(j);
  hm_keep_whole_add(k, out->claims, out->n);
  free(out->claims);
  out->claims = k->whole;
  out->n = k->n_whole;
  out->lent = true;
  tell_moves(&k->moves, out);
}

static void look(hm_claims_job *j, hm_claims_keep *k) {
  unsigned char *wanted = hm_keep_marks(k, j->snap->n_rows);
  read_briefs(j, k, wanted);
  hm_members_want(&k->members, j->snap, wanted);   /* what is told of a settled conflict, or of one that awaits sign-off, is what its members claim now */
  if (k->lasts) hm_keep_whole_begin(k, j->n_workers);
  be_whole(j, k);
  j->wanted = wanted;
  if (k->lasts) read_the_rest(j, k, wanted);
  else hm_claims_read(j);
}

int hm_claims_contested_again(hm_claims_keep *k, const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out, hm_err *err) {
  hm_claims_job j;
  if (hm_claims_check_rows(snap, err)) return -1;
  hm_claims_begin(&j, snap, rules, threads);
  look(&j, k);
  *out = hm_claims_end(&j);
  return 0;
}

int hm_claims_contested(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out, hm_err *err) {
  hm_claims_keep *k = hm_claims_keep_new();
  k->lasts = false;
  if (hm_claims_contested_again(k, snap, rules, threads, out, err)) {
    hm_claims_keep_free(k);
    return -1;
  }
  hm_keep_drop_briefs(k);
  (*out)->keep = k;
  return 0;
}
