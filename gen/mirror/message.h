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
 * each change in the words of `hmirror diff`; more than HM_MESSAGE_LINES are counted by project.
 * Facts stand in it on one line, without anything that a git host or git would act on. */
#ifndef HM_MESSAGE_H
#define HM_MESSAGE_H
#include "core/base/str.h"
#include "gen/history/event.h"

typedef struct {
  hm_str summary;               /* the user's own; empty: what changed, in words */
  bool first;                   /* the branch has no commit yet */
  const hm_events *events;      /* since the tip, sorted; of a first one its open disputes */
  const hm_str *edited; size_t n_edited;            /* pages restored, by path */
  int64_t projects, facts, pages_changed;           /* pages_changed -1: unknown */
  size_t open_conflicts;
  hm_str snapshot, now, tool, rules; /* for the trailers; now empty: none */
  hm_str store, journal;        /* likewise: the store's id, and "SEQ HASH" of its last line; or
                                   both empty */
} hm_message_input;

enum { HM_MESSAGE_LINES = 100 }; /* of the body; trailers are complete */

/* The message, ending in a line feed, in a. */
hm_str hm_message(const hm_message_input *in, hm_arena *a);
/* A fact for a message: cleaned to one line of at most max bytes; '@' is "(at)", '#' goes, "://" is
 * ": //", brackets and braces are parentheses, '*' goes, "GH-1" is "GH 1". */
hm_str hm_message_fact(hm_arena *a, hm_str fact, size_t max);
#endif
