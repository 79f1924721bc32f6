/* For a row, which rows a change of it affects, and on which rows it rests.
 *
 * Both walk relations, links and properties that name an entity, from row to row, nearest first.
 * One table (trace.c) has the meaning of relations: which end a change affects, which end is
 * evidence for the other. A relation that is not in the table affects both ends and is no
 * evidence. */
#ifndef HM_TRACE_H
#define HM_TRACE_H
#include "core/base/err.h"
#include "core/base/json.h"
#include "core/record/row.h"

typedef enum {
  HM_TRACE_TOUCHES,     /* a change of `from` affects it */
  HM_TRACE_SUPPORTS,    /* it is evidence for `from` */
  HM_TRACE_CONTRADICTS, /* it is evidence against `from` */
  HM_TRACE_BASIS,       /* `from` rests on it */
  HM_TRACE_REPLACED     /* it became `from`, or `from` replaced it */
} hm_trace_meaning;

/* A row that was reached: from which row, and by what. */
typedef struct {
  uint32_t row, from; /* of the snapshot */
  int depth;          /* from 1 */
  hm_trace_meaning meaning;
  hm_str word;  /* type of the relation or link; name of the column */
  bool reverse; /* its subject is `row`, not `from` */
  hm_str via;   /* "relation:r1"; empty: a link or a column */
} hm_trace_step;

/* By depth, then row. cut: there were more than HM_TRACE_MOST steps. */
typedef struct {
  uint32_t row;
  hm_trace_step *steps;
  size_t n;
  bool cut;
} hm_trace;

enum { HM_TRACE_DEPTH = 3, HM_TRACE_DEPTH_MAX = 10, HM_TRACE_MOST = 1000 };

/* The row that the text means: by kind:id, else by id, else by the name of an entity. HM_E_UNKNOWN:
 * none, or several. */
int hm_trace_find_row(const hm_snapshot *snap, hm_str text, hm_arena *a, uint32_t *row,
                      hm_err *err);
/* Rows that a change of this row affects, through active rows, at most `depth` steps away; each
 * once, by a shortest path. In a. Cost: one pass over relations, links and entities. */
void hm_trace_impact(const hm_snapshot *snap, uint32_t row, int depth, hm_arena *a, hm_trace *out);
/* Rows on which this row rests (evidence, basis, replaced rows), and evidence against any of them.
 * Rows of any status, since an invalid basis is what users look for. */
void hm_trace_evidence(const hm_snapshot *snap, uint32_t row, int depth, hm_arena *a,
                       hm_trace *out);

/* As JSON: {"row":..., "depth":..., "touches":[...], "cut":false}; evidence has "rests_on" instead,
 * and the sources, status and conflicts of each row. Needs details. tell: what else is known of
 * each row. */
void hm_impact_json(const hm_snapshot *snap, const hm_trace *t, int depth, hm_row_tell *tell,
                    const void *ctx, hm_jw *w, hm_arena *a);
void hm_evidence_json(const hm_snapshot *snap, const hm_trace *t, int depth, hm_row_tell *tell,
                      const void *ctx, hm_jw *w, hm_arena *a);
/* The rows of a trace, "kind:id", its own first; *n of them, in a. */
hm_str *hm_trace_refs(const hm_snapshot *snap, const hm_trace *t, hm_arena *a, size_t *n);
/* Texts of the row's sources, in a; returns their number. */
size_t hm_trace_sources(const hm_snapshot *snap, uint32_t row, hm_arena *a, hm_str **out);
#endif
