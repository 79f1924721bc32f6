/* Records of decisions beside each other: which supersedes which, and where they do not fit. Pure.
 */
#ifndef HM_DECISION_SERIES_H
#define HM_DECISION_SERIES_H
#include "core/decision/decision.h"

/* Records that name each other. Lives in its arena. */
typedef struct hm_decisions hm_decisions;
hm_decisions *hm_decisions_new(hm_arena *a);
/* Adds a file, if it is a record, an index of records or names some. An index is any README.md or
 * index.md that speaks of records. source and text are copied as far as they are needed. work: the
 * caller resets it. */
void hm_decisions_add(hm_decisions *d, hm_str source, hm_str text, hm_arena *work);
/* Call after the last one. Cost: O(n log n) in records. */
void hm_decisions_finish(hm_decisions *d);

typedef struct {
  hm_str source; /* of the other record */
  uint32_t line; /* where this one says it */
  bool in_part;
} hm_decision_tie;

typedef struct {
  hm_str source;
  hm_decision_standing standing; /* OVER also where only the other record says so */
  hm_decision_standing own;      /* by what the record says itself */
  hm_str superseded_by;          /* the source of its successor, or empty */
  hm_decision_tie *over, *by;    /* what it says itself, as far as the others were added */
  size_t n_over, n_by;
} hm_decision_record;

/* NULL: the file is no record. */
const hm_decision_record *hm_decisions_get(const hm_decisions *d, hm_str source);

/* A folder of records, as their sources have it, with its slash; n: how many lie in it, without
 * translations. */
typedef struct {
  hm_str source;
  size_t n;
} hm_decision_folder;
/* In the order of their first records. */
const hm_decision_folder *hm_decisions_folders(const hm_decisions *d, size_t *n);

typedef enum {
  HM_DECISION_ONE_NUMBER,   /* several records of a series with one number */
  HM_DECISION_HEADING,      /* the number in the title is not the file's; with the record of it */
  HM_DECISION_NOWHERE,      /* supersedes, or is superseded by, a record that is not there */
  HM_DECISION_ONE_SIDED,    /* a supersession that the other record does not mention */
  HM_DECISION_NOT_IN_FORCE, /* superseded by a record that is not in force */
  HM_DECISION_INDEX,        /* an index gives another status or title than the record */
  HM_DECISION_REFERENCE     /* a document names a record by the number of another one, or by one
                             * that none has */
} hm_decision_fault_kind;

typedef struct {
  hm_str source;
  uint32_t line;
  hm_str says; /* "supersedes 7", "is accepted" */
} hm_decision_place;

typedef struct {
  hm_decision_fault_kind kind;
  hm_decision_place *places; /* at least one; sorted by source but that the first one is at fault */
  size_t n;
  hm_str message;
} hm_decision_fault;

/* What does not fit, in the order of its first places. Supersessions in part or under a condition
 * are none, nor is a chain of them, nor a missing status. */
const hm_decision_fault *hm_decisions_faults(const hm_decisions *d, size_t *n);
/* "number", "supersession", ...: a name for rules and reports. */
const char *hm_decision_fault_name(hm_decision_fault_kind kind);
#endif
