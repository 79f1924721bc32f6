/* Shared by the files that read a snapshot. */
#ifndef HM_SNAPSHOT_IMPL_H
#define HM_SNAPSHOT_IMPL_H
#include <pthread.h>
#include "core/base/time.h"
#include "core/store/lookup.h"
#include "core/sqlite/sql.h"

/* --- now: now.c -------------------------------------------------------------------- */

/* The instant at which a claim without an end still holds: hm_snapshot.now. Design, "Time".
 *
 * It is SOURCE_DATE_EPOCH (hm_store_source.epoch), else the newest readable created_at, updated_at
 * or superseded_at of a row of any status, else HM_TIME_MAX. A time more than a day after the run's
 * clock is a mistake of its writer and does not count. The run's clock is SOURCE_DATE_EPOCH, else
 * the system's when the transaction began, so that a transaction has one now. */
/* The newest of many times up to a limit: the instant, and its text if of the form
 * "2026-04-02T09:00:00Z". Most times have that form and are compared as texts, without parsing. */
typedef struct {
  hm_time t; /* HM_TIME_MIN: none */
  hm_time limit;
  hm_time ahead; /* the earliest after the limit; HM_TIME_MAX: none */
  char plain[20];
  bool is_plain;
} hm_newest;

hm_newest hm_newest_before(hm_time limit);
/* Adds a time if it is readable. */
void hm_newest_add(hm_newest *n, hm_str time);
void hm_newest_merge(hm_newest *to, const hm_newest *from);

/* Times of rows after this do not count. Call in a transaction. */
static inline hm_time hm_clock_limit(const hm_store *s) {
  const hm_time day = INT64_C(86400) * 1000000;
  return (s->dated ? s->epoch : s->clock) + day;
}
/* Now of the store, from the newest time of its rows (HM_TIME_MIN: none). */
hm_time hm_now_of(const hm_store *s, hm_time newest);

/* --- reading ------------------------------------------------------------------------- */

typedef struct {
  hm_str alias, project;
} hm_alias;

/* A snapshot being read. Projects are numbered in the order in which they are read until
 * hm_read_projects_end sorts them. */
typedef struct {
  hm_store *s;
  hm_arena *a;
  bool details;
  hm_snapshot *out;
  hm_err *err;
  hm_project *projects;
  size_t n_projects, cap_projects; /* malloc */
  hm_map ids;                      /* project id -> number */
  hm_alias *aliases;
  size_t n_aliases, cap_aliases; /* by alias, unless read by name */
  hm_map alias_of;               /* alias -> index into aliases */
  hm_project_names names;        /* ids, aliases and names of all declared ones, folded */
  size_t cap_loose;              /* of out->loose */
  hm_newest newest, verdicts;    /* of rows; of verdicts */
  pthread_mutex_t lock;          /* of a, while parts are read */
} hm_snapshot_reader;

/* Tables projects and project_aliases. */
int hm_read_projects(hm_snapshot_reader *r);
/* Number of the project that a row names: the declared one with this id, else with this alias, else
 * the only one that fits when folded (lookup.h), else a new, undeclared one. Copies name if
 * needed. */
uint32_t hm_read_project(hm_snapshot_reader *r, hm_str name);
/* Sorts the projects into the snapshot and renumbers the rows. */
void hm_read_projects_end(hm_snapshot_reader *r);

/* Rows of a layer's table: a range of rowids, or these ids. */
typedef struct {
  hm_snapshot_reader *r;
  hm_store *s; /* the connection that reads */
  hm_err *err;
  hm_layer layer;
  int64_t from, to;
  const hm_str *ids; /* n distinct ids; NULL: the range */
  hm_row *rows;
  hm_row_detail *details; /* filled; details may be NULL */
  size_t n;               /* room in rows */
  /* Out: */
  size_t got;
  hm_str *projects;
  size_t n_projects; /* malloc; project names as in the rows, indexed by rows[].project */
  hm_newest newest;
} hm_table_part;

int hm_read_part(hm_table_part *p);
/* Sorts out->rows by id within the ranges of first[] and fills by_id. */
int hm_read_namesakes(hm_snapshot_reader *r); /* after the rows */
/* For an export: when entities came that share an address, where nothing that is said of them tells
 * it. at: reference -> index into came. */
int hm_namesakes_came(hm_store *s, hm_arena *a, hm_map *at, hm_str **came, hm_err *err);
int hm_read_evidence(hm_snapshot_reader *r); /* after the rows are in their order */
int hm_read_links(hm_snapshot_reader *r);
int hm_read_conflicts(hm_snapshot_reader *r);
int hm_read_findings(hm_snapshot_reader *r);
/* Reads the remarks, and sets `ack` of the findings. */
int hm_read_remarks(hm_snapshot_reader *r);

#endif
