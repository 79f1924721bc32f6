/* What the files that read a snapshot share. */
#ifndef HM_SNAPSHOT_IMPL_H
#define HM_SNAPSHOT_IMPL_H
#include <pthread.h>
#include "core/base/digest.h"
#include "core/base/time.h"
#include "core/store/now.h"
#include "core/store/lookup.h"
#include "core/store/sql_impl.h"

typedef struct { hm_str alias, project; } hm_alias;

/* A snapshot in the making. Projects have numbers in the order in which they
 * were met until hm_read_projects_end sorts them. */
typedef struct {
  hm_store *s;
  hm_arena *a;
  bool details;
  hm_snapshot *out;
  hm_err *err;
  hm_project *projects; size_t n_projects, cap_projects;   /* malloc */
  hm_map ids;                                              /* project id -> number */
  hm_alias *aliases; size_t n_aliases, cap_aliases;        /* by alias, unless read by name */
  hm_map alias_of;                                         /* alias -> index into aliases */
  hm_project_names names; /* ids, aliases and names of all declared ones, folded */
  size_t cap_loose;       /* of out->loose */
  hm_map named;           /* names that hm_read_projects_named was asked for */
  hm_newest newest, verdicts;                              /* times of rows, and of verdicts */
  pthread_mutex_t lock;                                    /* of a, while parts are read */
  uint64_t seed;                                           /* of hm_snapshot_sum */
} hm_reader;

/* Tables projects and project_aliases. */
int hm_read_projects(hm_reader *r);
/* Number of the project that a row names: the declared one of that id, else the
 * one that it is an alias of, else the only one that fits when folded (project_names.h), else a
 * new, undeclared one. name is copied when kept. */
uint32_t hm_read_project(hm_reader *r, hm_str name);
/* The id of that project, without making one. */
hm_str hm_read_project_id(const hm_reader *r, hm_str name);
/* Only what both tables say of this name; instead of hm_read_projects, for each name. */
int hm_read_projects_named(hm_reader *r, hm_str name);
/* Sorts the projects into the snapshot and renumbers the rows. */
void hm_read_projects_end(hm_reader *r);

/* Rows of a layer's table: a range of rowids, or these ids. */
typedef struct {
  hm_reader *r;
  hm_store *s;                    /* the connection to read with */
  hm_err *err;
  hm_layer layer;
  int64_t from, to;
  const hm_str *ids;              /* n of them, each once; NULL: the range */
  hm_row *rows; hm_row_detail *details;   /* where they go; details NULL: not asked for */
  size_t n;                       /* room in rows */
  /* Out: */
  size_t got;
  hm_str *projects;
  size_t n_projects; /* malloc; what rows[].project counts in, as the rows name them */
  hm_newest newest;
} hm_part;

int hm_read_part(hm_part *p);
/* The numbers of the part's own projects become those of the reader. */
void hm_adopt_part(hm_reader *r, hm_part *p);
/* Sorts out->rows, n_rows of them in the ranges of first[], by id and fills by_id. */
void hm_sort_rows(hm_reader *r);
int hm_read_links(hm_reader *r);
int hm_read_conflicts(hm_reader *r);
/* Those on these slot keys, or with these ids; each key once. */
int hm_read_conflicts_on(hm_reader *r, const hm_str *slot_keys, size_t n);
int hm_read_conflicts_of(hm_reader *r, const hm_str *ids, size_t n);
int hm_read_findings(hm_reader *r);

/* Adds what is in b to h once it is more than that, and clears it: a buffer has an upper bound, a
 * digest has none. */
void hm_sha256_flush(hm_sha256 *h, hm_buf *b, size_t beyond);
/* s->sums->frame: the digest of projects and links. */
void hm_snapshot_sum_frame(hm_snapshot *s);

/* Rows of a table, for the size of an array; with a bound check in the loop,
 * since a damaged file can give more. */
int hm_read_count(hm_reader *r, const char *sql, size_t *n);
/* order[i]: index of the i-th string in byte order (equal ones in their own order). Returns false,
 * and leaves order alone, when they are sorted already. stride: bytes from one string to the next.
 */
bool hm_sort_order(const hm_str *first, size_t stride, size_t n, uint32_t *order);

/* -1 with an error that says that two rows of a layer of a foreign store have one id. */
int hm_read_twice(const hm_reader *r, const char *layer, hm_str id);
/* -1 with an error that says the table gave more rows than it has. */
int hm_read_overrun(const hm_reader *r, hm_err *err);

#endif
