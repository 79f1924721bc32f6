/* What a publication changes: compares the facts of this site with those of the branch's tip, and
 * writes the commit message. */
#ifndef HM_MIRROR_CHANGES_H
#define HM_MIRROR_CHANGES_H
#include "gen/history/event.h"
#include "gen/mirror/mirror.h"
#include "gen/page/changes_file.h"
#include "gen/site/site.h"

/* The commit on which a publication stands. */
typedef struct {
  bool exists; /* the branch has a commit */
  hm_part_read *read;
  void *ctx; /* reads its file at a path; empty: none */
  /* True when its file at path has these bytes, without reading it. May be NULL. */
  bool (*has)(void *ctx, hm_str path, hm_str bytes, hm_arena *a);
  const hm_str *paths;
  size_t n; /* of its files, in any order */
  const hm_str *edited;
  size_t n_edited; /* paths changed by hand: not compared */
} hm_tip_files;

typedef struct {
  hm_events events; /* since the tip, sorted; events of facts only when it has data files;
                       for a first publication its disputes. Owned */
  int64_t left_out; /* facts of the tip that publish.exclude leaves out now; in no event */
  bool compared;    /* the tip has data files */
  hm_changes all;   /* the shown changes of the last publications, with this one when it
                       changes facts; in m->a */
} hm_tip_changes;

/* Compares the data files and conflicts.json of view (hm_site_make_data_files) with those of the
 * tip; reads no history. store: for what is redacted. Leaves out changes of facts in files that
 * were edited by hand. Free out's events, also after an error. Returns -1 when the tip cannot be
 * read. */
int hm_collect_changes_since_tip(hm_mirror *m, hm_store *store, const hm_sweep *sweep,
                                 const hm_view *view, const hm_tip_files *tip, hm_tip_changes *out,
                                 hm_err *err);

/* --- the time of a publication ---------------------------------------------------------- */

/* The time of a commit without SOURCE_DATE_EPOCH: seconds since 1970 of now or the newest verdict,
 * whichever is later, else 0. Uses only published rows and verdicts. */
int64_t hm_choose_publish_time(const hm_mirror *m, const hm_sweep *sweep, const hm_view *view);
/* Now for the trailer Mirror-Now; empty when there is none, or when only rows that are left out
 * have that time. */
hm_str hm_now_trailer_text(const hm_mirror *m, const hm_sweep *sweep, const hm_view *view);

/* --- its commit message (message.c) ----------------------------------------------------- */
/* The commit message of a publication. Design section 9. Pure.
 *
 *   p06-polisher: spindle speed 45 -> 50 rpm, and 1 more
 *
 *   - p06-polisher / spindle_speed: changed: 45 rpm -> 50 rpm (project_state:p06-s1)
 *   - p06-polisher / spindle_speed: became disputed (c049...): 50 rpm | 55 rpm
 *   - restored projects/p05/README.md, which was edited by hand
 *
 *   Mirror-Snapshot: ...            (trailers)
 *
 * The subject names the weightiest change: a dispute before a verdict before a fact. The body has
 * each change in the words of `hmirror diff`, and only the number of facts that publish.exclude
 * leaves out since the tip; live secrets are cut short; changes beyond HM_COMMIT_MESSAGE_LINES are
 * counted by project. Each fact is on one line, without anything that git or a git host would act
 * on. */

typedef struct {
  hm_str summary;          /* the user's own; empty: what changed, in words */
  bool first;              /* the branch has no commit yet */
  const hm_events *events; /* since the tip, sorted; for a first commit its open disputes */
  int64_t left_out;        /* facts that publish.exclude leaves out since the tip */
  const hm_str *edited;
  size_t n_edited;                        /* pages restored, by path */
  int64_t projects, facts, pages_changed; /* pages_changed -1: unknown */
  size_t disputed, open_conflicts;
  hm_str snapshot, now, tool, rules; /* for the trailers; now empty: none */
  hm_str store, journal; /* likewise: the store's id, and "SEQ HASH" of its last line; or
                            both empty */
} hm_commit_message_input;

enum { HM_COMMIT_MESSAGE_LINES = 100 }; /* of the body; trailers are complete */

/* The message, ending in a line feed, in a. */
hm_str hm_commit_message(const hm_commit_message_input *in, hm_arena *a);
/* A fact for a message: cleaned to one line of at most max bytes. Writes '@' as "(at)", "://" as
 * ": //", brackets and braces as parentheses, "GH-1" as "GH 1", "#1" as
 * "# 1"; drops '*'. */
hm_str hm_commit_message_fact(hm_arena *a, hm_str fact, size_t max);
#endif
