/* The commit message of a publication. Design section 9. Pure.
 *
 *   Mirror: 2 disputes opened, 1 resolved        (or the only one: p05 / mass disputed: 5 kg | 6
 * kg)
 *
 *   - opened c1f0...: p05-interferometer / lateral_support_material: GF-PTFE | PEEK
 *   - restored projects/p05/README.md, which was edited by hand
 *
 *   Mirror-Snapshot: ...            (trailers)
 *
 * Facts stand in it on one line, without anything that a git host or git would act on. */
#ifndef HM_MESSAGE_H
#define HM_MESSAGE_H
#include "core/base/str.h"
#include "core/store/row.h"

/* A published conflict as it stands now. */
typedef struct { hm_str id, title, values; hm_verdict status; bool disputed; } hm_message_conflict;

typedef struct {
  hm_str summary;               /* the user's own; empty: what changed, in words */
  bool first;                   /* the branch has no commit yet */
  const hm_message_conflict *conflicts; size_t n;   /* in the order in which they are listed */
  hm_str (*values)(void *ctx, size_t i);
  void *ctx; /* of conflicts[i], asked for those that a line tells of; NULL: they are in it */
  hm_str
      old_conflicts; /* conflicts.json at the tip of the branch; empty or unreadable: none known */
  const hm_map *old; /* the same as hm_recorded_read gives it, when that is known; else NULL */
  const hm_str *edited; size_t n_edited;            /* pages restored, by path */
  int64_t projects, facts, pages_changed;           /* pages_changed -1: unknown */
  hm_str snapshot, now, tool, rules; /* for the trailers; now empty: none */
} hm_message_input;

enum {
  HM_MESSAGE_LINES = 200
}; /* of each sort; what is beyond is counted. Trailers are complete */

/* The message, ending in a line feed, in a. */
hm_str hm_message(const hm_message_input *in, hm_arena *a);
/* A fact for a message: cleaned to one line of at most max bytes; '@' is "(at)", '#' goes, "://" is
 * ": //", brackets and braces are parentheses, '*' goes, "GH-1" is "GH 1". */
hm_str hm_message_fact(hm_arena *a, hm_str fact, size_t max);
#endif
