/* The history of a mirror, read from its branch: facts and conflicts, not lines.
 *
 * Facts are read from the data files beside the list pages (gen/page/data.c), conflicts from
 * conflicts.json; both only where they differ. Pages are not read. Commits that were published
 * before there were data files have conflicts only.
 *
 * Order of calls: new; any; free. Nothing is written. */
#ifndef HM_HISTORY_H
#define HM_HISTORY_H
#include "core/claim/rules.h"
#include "gen/history/event.h"
#include "gen/sink/git_read.h"

typedef struct hm_history hm_history;

/* tip: the commit from which the ids of projects are read (hm_git_resolve). g and rules must
 * outlive it. */
hm_history *hm_history_new(hm_git_reader *g, const char *tip, const hm_rules *rules);
void hm_history_free(hm_history *h);

/* What is asked about; empty texts ask about everything. */
typedef struct {
  hm_str folder;      /* of one project: "p05"; its id is `project` then */
  hm_str project;
  bool one_project;
  hm_str slot;        /* name of a slot, folded; with memory_type when that is asked for */
  hm_str memory_type;
  hm_str conflict;    /* id */
  hm_str row;         /* "entity:p05-e14" */
  bool first_in_brief;   /* of the first publication: count its rows, list its conflicts */
} hm_history_question;

/* What a word asks about: the id of a conflict, or the only one that begins so; a row as "kind:id";
 * a project by id, alias, folder or name; a slot as "project / name" or by its name alone.
 * HM_E_UNKNOWN when no project has that id, or when a conflict's id begins several. A slot that
 * nobody speaks of is no error here. */
int hm_history_resolve_question(hm_history *h, const char *word, hm_arena *a,
                                hm_history_question *out, hm_err *err);

typedef struct {
  hm_events events;            /* sorted; free with hm_events_free */
  size_t files;                /* files that differ, pages of every form and data */
  size_t rows, disputed;       /* of a first publication: rows that stand, conflicts in dispute */
  bool without_facts;          /* one side has no data files, or of a later format */
  size_t untold;               /* then: files that differ, of the project that is asked about */
} hm_difference;

/* From one commit to another; from "": everything there is. */
int hm_history_compare(hm_history *h, const char *from, const char *to,
                       const hm_history_question *q, hm_arena *a, hm_difference *out, hm_err *err);

/* One commit of the branch, with what it changed. */
typedef struct {
  const hm_git_commit *commit;
  bool first;                  /* nothing of ours is older */
  bool cut;                    /* something is, but not in this clone: events is empty */
  const hm_difference *difference; /* from our commit before; NULL for a commit of somebody else */
  const hm_git_change *changes; size_t n_changes;   /* of somebody else's: from its parent */
} hm_publication;

/* Reports each commit from `tip` back along first parents, newest first, but for publications in
 * which nothing changed that q asks about. Commits of others are reported only where q asks about
 * no slot, conflict or row. each: as in hm_git_walk; *p lives until it returns. */
int hm_history_walk(hm_history *h, const char *tip, const hm_history_question *q,
                    int (*each)(void *ctx, const hm_publication *p, hm_err *err), void *ctx,
                    hm_err *err);

/* True when a publication that was compared has no data files. *from, which lives with h: the
 * oldest commit met that has data files, or "". */
bool hm_history_lacks_data_files(const hm_history *h, const char **from);
#endif
