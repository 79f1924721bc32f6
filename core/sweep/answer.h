/* What a question about a conflict is answered: its JSON, and the same with names for people. A
 * recorded sweep stores these (core/store/swept.h). */
#ifndef HM_ANSWER_H
#define HM_ANSWER_H
#include "core/sweep/sweep.h"
#include "core/store/swept.h"

/* The answer about one conflict of the sweep's plan, in a. w needs details. */
hm_conflict_answer hm_conflict_answer_make(const hm_sweep *w, const hm_conflict_rec *rec,
                                           const hm_rules *rules, hm_arena *a);
/* Records the answers about all conflicts of the plan, and that the sweep holds (hm_swept_put); if
 * rules of people in SQL did not run, only that conflicts are exact. decided: hm_sweep_decided.
 * Inside the write transaction that the sweep read. */
int hm_answers_record(hm_store *s, const hm_sweep *w, const hm_rules *rules, hm_str decided,
                      bool without_sql, hm_arena *a, hm_err *err);

/* What a sweep counts, as a JSON object, in a: projects, also those that only rows name; rows by
 * layer and status; links; gaps; silent (hm_silence_json), compared (hm_compared_json);
 * ahead_of_clock, unread_times, unread_statuses (hm_odd_times, hm_unread). w has details and is of
 * this store. */
int hm_sweep_counts(hm_store *s, const hm_sweep *w, hm_arena *a, hm_str *out, hm_err *err);

/* Where answers come from: a sweep, or what is recorded, while that holds. */
typedef struct {
  hm_store *s; /* in an open transaction */
  const hm_rules *rules;
  const hm_sweep *sweep;    /* with details; NULL: what is recorded holds */
  hm_conflict_place behind; /* visits begin behind this conflict; empty: at the first */
} hm_answer_source;
/* Calls visit for each recorded conflict with this status (NULL: any) of the project with this id
 * (NULL: any), by slot key and id; conflicts that only a sweep knows yet are left out. Ends, and
 * returns what visit does, when that is not 0. */
int hm_answers_visit(const hm_answer_source *from, const hm_verdict *status, const hm_str *project,
                     hm_answer_visit *visit, void *ctx, hm_err *err);
/* How many open conflicts are disputed, and the ids of those that a later statement settles, by
 * slot key and id; in a. Reads no answer. */
int hm_answers_count_open(const hm_answer_source *from, hm_arena *a, size_t *disputed,
                          hm_str **settled, size_t *n_settled, hm_err *err);
/* The conflicts whose id begins with prefix, at most max, in a; also those that only a sweep knows.
 */
int hm_answers_find(const hm_answer_source *from, hm_str prefix, size_t max, hm_arena *a,
                    hm_conflict_answer **out, size_t *n, hm_err *err);
/* Is a member among these rows (hm_source_rows)? By the conflict's JSON. */
bool hm_conflict_answer_has_source(const hm_json *conflict, const hm_map *refs, hm_arena *tmp);

/* What it counts (hm_sweep_counts), as JSON; in a. HM_E_STORE: what was recorded is damaged. */
int hm_answers_counts(const hm_answer_source *from, hm_arena *a, const hm_json **out, hm_err *err);

/* How many findings nobody acknowledged, and how many of these are reports. Reads no finding. */
int hm_answers_count_findings(const hm_answer_source *from, size_t *n, size_t *reported,
                              hm_err *err);

/* The findings, by kind, project and id, in a or of the sweep. */
int hm_answers_findings(const hm_answer_source *from, hm_arena *a, const hm_finding **out,
                        size_t *n, hm_err *err);

/* The name of the entity at an end of a relation; its id when it has no name or is hidden (hidden:
 * parallel to the rows; NULL: none is). */
hm_str hm_relation_end_name(const hm_snapshot *snap, const bool *hidden, hm_str id);
/* Replaces the ends that relations claim by names, as on pages: with the id when two ends have the
 * same name. Changes tree, a conflict as JSON. */
void hm_conflict_set_end_names(hm_arena *a, const hm_snapshot *snap, const bool *hidden,
                               hm_json *tree);
/* The title of a conflict as its recorded answer has it, else that of its slot's key; in a. */
hm_str hm_answers_title(hm_store *s, hm_str id, hm_str slot_key, hm_arena *a);
#endif
