/* Extraction and arcs over prose, on one core: texts ROWS prints the seconds of claims and of
 * conflicts.
 *
 * Memories as agents write them, of 400 rows a project: a third state something checkable
 * (quantities, switches, versions, choices), some of it again and otherwise later; the rest is what
 * must be read and claims nothing: work in progress, plans, opinions, logs, long notes. The same
 * rows on every machine. Nothing is read from a store or written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/claim/claim.h"
#include "core/detect/rule.h"

enum { ROWS_A_PROJECT = 400, TEXT_MAX = 400 };

/* %s: a part of the system; %d: a number. */
static const char *const TEXTS[] = {
  "%s timeout is %d s.",
  "The %s rate limit is %d req/s per IP.",
  "%s: we raised the retry limit to %d after the incident on Tuesday, since the upstream is slow.",
  "Postgres 1%d is the database version of the %s.",
  "We switched the %s to GraphQL.",
  "The %s is deployed to eu-west-%d.",
  "Debug mode of the %s is enabled.",
  "MAX_%s_CONNS=%d",
  "The %s cache TTL is %d seconds; see the design review for why it is no longer an hour.",
  "Spent the morning on the %s. The failing test turned out to be a race between two workers, and %d"
  " runs later it did not come back.",
  "Next: look into why the %s is slower than last week, perhaps the index of %d columns.",
  "We are considering to move the %s behind a queue, but nobody has decided anything.",
  "2026-02-14 10:2%d  %s: restarted by hand, came back at once",
  "I think the %s is a bit too clever; it would be nice to have %d of these in one place.",
  "Reviewed the pull request of the %s: naming, one missing check for NULL, tests for the empty list."
  " The author agreed with %d of the remarks and will follow up in another one.",
  "The user asked for a summary of the %s in %d bullet points.",
  "TODO write down how the %s is rolled back",
  "Two colleagues met about the %s; they talked about costs, the roadmap, and who is on call in week"
  " %d. Nothing came of it that we could use, other than that the dashboard should be shared.",
};
static const char *const PARTS[] = { "API",     "gateway", "billing service", "auth service",
                                     "indexer", "search",  "scheduler",       "mail worker",
                                     "importer", "ledger",  "frontend",        "session store" };
static const char *const AGENTS[] = { "claude", "codex", "gemini", "kim", "" };

static uint32_t next(uint32_t *state) {
  *state = *state * 1664525 + 1013904223;
  return *state >> 8;
}

/* Some texts name the number first. */
static hm_str text_of(hm_arena *a, uint32_t *state) {
  const char *form = TEXTS[next(state) % HM_COUNT(TEXTS)];
  const char *part = PARTS[next(state) % HM_COUNT(PARTS)];
  char text[TEXT_MAX];
  size_t n = 0;
  int number = 1 + (int)(next(state) % 3);
  for (const char *p = form; *p && n + 64 < sizeof text; p++) {
    if (*p != '%') {
      text[n++] = *p;
      continue;
    }
    p++;
    if (*p == 's') n += (size_t)snprintf(text + n, sizeof text - n, "%s", part);
    else n += (size_t)snprintf(text + n, sizeof text - n, "%d", number);
  }
  return hm_str_dup(a, (hm_str){ text, n });
}

static hm_snapshot *snapshot_of(hm_arena *a, size_t n) {
  hm_snapshot *s = hm_alloc(a, sizeof *s);
  uint32_t state = 1;
  s->n_projects = n / ROWS_A_PROJECT + 1;
  s->projects = hm_alloc_array(a, s->n_projects, sizeof *s->projects);
  s->now = HM_TIME_MAX;
  for (size_t i = 0; i < s->n_projects; i++)
    s->projects[i] = (hm_project){ .id = hm_str_fmt(a, "p%06zu", i), .declared = true };
  s->rows = hm_alloc_array(a, n, sizeof *s->rows);
  s->n_rows = n;
  for (size_t i = 0; i < n; i++) {
    unsigned minute = (unsigned)(i % ROWS_A_PROJECT) * 37;
    s->rows[i] = (hm_row){
      .layer = HM_MEMORY,
      .status = HM_ACTIVE,
      .project = (uint32_t)(i / ROWS_A_PROJECT),
      .id = hm_str_fmt(a, "m%08zu", i),
      .type = HM_STR("knowledge"),
      .text = text_of(a, &state),
      .agent = hm_str_c(AGENTS[next(&state) % HM_COUNT(AGENTS)]),
      .created_at = hm_str_fmt(a, "2026-03-%02uT%02u:%02u:00Z", 1 + minute / 1440,
                               minute / 60 % 24, minute % 60),
    };
  }
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) s->first[l + 1] = n;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    hm_row_index_init(&s->by_id[l], a, l == HM_MEMORY ? n : 0);
  for (size_t i = 0; i < n; i++)
    hm_row_index_add(&s->by_id[HM_MEMORY], s->rows[i].id, (uint32_t)i);
  return s;
}

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
  hm_arena *a = hm_arena_new();
  hm_err err;
  hm_claims *claims;
  hm_disputes *d;
  hm_snapshot *snap = snapshot_of(a, n);
  double start = processor_seconds();
  if (hm_claims_read(snap, hm_rules_default(), 1, &claims, &err)) return 2;
  double read = processor_seconds();
  if (hm_disputes_find(snap, claims, hm_rules_default(), 1, a, &d, &err)) return 2;
  double end = processor_seconds();
  printf("%zu %.3f %.3f %zu %zu\n", n, read - start, end - read, claims->n, d->n);
  hm_claims_free(claims);
  hm_arena_free(a);
  return 0;
}
