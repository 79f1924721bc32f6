/* The history of a mirror, read from its branch: facts and conflicts, not lines.
 *
 * Reads facts from the data files beside the list pages (gen/page/data.c) and conflicts from
 * conflicts.json; both only where they differ. Does not read pages. Old commits without data files
 * have conflicts only.
 *
 * Order of calls: new; any; free. Writes nothing. */
#ifndef HM_HISTORY_H
#define HM_HISTORY_H
#include "core/value/rules.h"
#include "gen/history/event.h"
#include "gen/sink/git_read.h"

typedef struct hm_history hm_history;

/* tip: the commit from which the ids of projects are read (hm_git_resolve). g and rules must
 * outlive it. */
hm_history *hm_history_new(hm_git_reader *g, const char *tip, const hm_rules *rules);
void hm_history_free(hm_history *h);

/* What a history is about; empty texts: everything. */
typedef struct {
  hm_str folder; /* of one project: "p05"; `project` is its id */
  hm_str project;
  bool one_project;
  hm_str slot; /* name of a slot, folded; memory_type may restrict it */
  hm_str memory_type;
  hm_str conflict;     /* id */
  hm_str row;          /* "entity:p05-e14" */
  bool first_in_brief; /* for the first publication: count rows instead of listing them */
} hm_history_question;

/* Resolves a word to a question: the id of a conflict, or a unique beginning of one; a row as
 * "kind:id"; a project by id, alias, folder or name; a slot as "project / name" or by its name
 * alone. HM_E_UNKNOWN when no project has that id, or several conflicts' ids begin so. Does not
 * check that a slot has claims. */
int hm_history_resolve_question(hm_history *h, const char *word, hm_arena *a,
                                hm_history_question *out, hm_err *err);

typedef struct {
  hm_events events;      /* sorted; free with hm_events_free */
  size_t files;          /* files that differ, pages of every form and data */
  size_t rows, disputed; /* of a first publication: active rows, conflicts in dispute */
  bool without_facts;    /* one side has no data files, or files of a newer format */
  size_t untold;         /* then: number of the question's project's files that differ */
} hm_difference;

/* Compares two commits; from "": with nothing. */
int hm_history_compare(hm_history *h, const char *from, const char *to,
                       const hm_history_question *q, hm_arena *a, hm_difference *out, hm_err *err);

/* One commit of the branch, with what it changed. */
typedef struct {
  const hm_git_commit *commit;
  bool first;                      /* there is no older publication */
  bool cut;                        /* this clone lacks the older one: events is empty */
  const hm_difference *difference; /* since the publication before; NULL for a foreign commit */
  const hm_git_change *changes;
  size_t n_changes; /* of a foreign commit: since its parent */
} hm_publication;

/* Calls each for every commit from `tip` along first parents, newest first. Skips publications that
 * changed nothing that q is about, and foreign commits when q is about a slot, conflict or row.
 * each: as in hm_git_walk; *p lives until it returns. */
int hm_history_walk(hm_history *h, const char *tip, const hm_history_question *q,
                    int (*each)(void *ctx, const hm_publication *p, hm_err *err), void *ctx,
                    hm_err *err);

/* True when some compared publication has no data files. *from, which lives with h: the oldest
 * compared commit with data files, or "". */
bool hm_history_lacks_data_files(const hm_history *h, const char **from);
#endif
