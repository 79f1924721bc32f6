/* Is a commit of the mirror what the store gives today? Nothing is written. */
#ifndef HM_CHECK_DRIFT_H
#define HM_CHECK_DRIFT_H
#include "core/base/err.h"
#include "gen/site/site.h"
#include "gen/sink/git_read.h"

typedef enum { HM_DRIFT_CHANGED, HM_DRIFT_MISSING, HM_DRIFT_EXTRA, HM_DRIFT_MODE } hm_drift_kind;
const char *hm_drift_name(hm_drift_kind k);      /* changed | missing | extra | mode */

/* missing: of the site, not of the commit; extra: the other way round. mode: the same bytes, but no
 * plain file. */
typedef struct { hm_str path; hm_drift_kind kind; } hm_drift_file;

/* Something that explains a difference: what the newest publication at or before the commit says of
 * itself, and what holds now. */
typedef struct {
  const char *what;
  hm_str then, now;
} hm_drift_reason; /* "store", "time", "tool", "rules", "templates" */

typedef struct {
  char commit[41];
  hm_drift_file *files; size_t n;          /* by path */
  hm_drift_reason *reasons; size_t n_reasons;
  char published[41]; /* the newest publication at or before the commit (first parents); "": none */
  size_t by_hand;                          /* commits that came after it */
} hm_drift;

typedef struct {
  const hm_site *site;
  /* As a publication now would put them into trailers and manifest. */
  hm_str snapshot, now, tool, rules, templates;
  const char *const *keep; size_t n_keep;   /* publish.keep: these of the commit do not count */
  int threads;
} hm_drift_input;

/* Compares by git's ids of blobs: the site's bytes are hashed, those of the commit not read. Linear
 * in the site. Errors: those of the reader. commit: as hm_git_resolve gives it. */
int hm_drift_of(hm_git_reader *g, const char *commit, const hm_drift_input *in, hm_arena *a,
                hm_drift *out, hm_err *err);
#endif
