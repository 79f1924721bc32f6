/* What a publication changes: the facts of this site beside those of the branch's tip. */
#ifndef HM_MIRROR_CHANGES_H
#define HM_MIRROR_CHANGES_H
#include "gen/history/event.h"
#include "gen/mirror/mirror.h"
#include "gen/page/changes.h"
#include "gen/site/site.h"

/* The commit on which a publication stands. */
typedef struct {
  bool exists;               /* there is one */
  hm_part_read *read; void *ctx;      /* bytes of its file at a path; empty: none */
  /* True: its file at path has these bytes, known without reading it. NULL: nobody knows. */
  bool (*has)(void *ctx, hm_str path, hm_str bytes, hm_arena *a);
  const hm_str *paths; size_t n;      /* of its files, in any order */
  const hm_str *edited; size_t n_edited;   /* paths that somebody changed by hand: not compared */
} hm_tip_files;

typedef struct {
  hm_events events;          /* since the tip, sorted; those of facts only where it has data files,
                                of a first publication its disputes. Owned */
  bool compared;             /* the tip has data files */
  hm_changes all;            /* of the last publications, with this one where it changes facts, as a
                                reader may see them; in m->a */
} hm_told_changes;

/* Compares the data files and conflicts.json that view and opt give with those of the tip, which
 * hm_site_data tells apart; reads no history. A fact that changed in a file which was edited by
 * hand is not told. out: free its events, also on an error. -1: the tip cannot be read. */
int hm_changes_since(hm_mirror *m, const hm_sweep *sweep, const hm_view *view,
                     const hm_site_options *opt, const hm_tip_files *tip, hm_told_changes *out,
                     hm_err *err);
#endif
