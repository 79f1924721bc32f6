/* What the last build and the last publications left, in files beside the store, so that the next
 * need only make what changed. Safe to delete, and never believed against what stands there: a site
 * is made anew where anything is in doubt.
 *
 * There is a file for each place that a site was put ("hmirror.db.cache", "hmirror.db.cache-2",
 * ...), at most HM_CACHE_PLACES of them; one place more takes the file that was written longest
 * ago. It begins with who wrote it and the name of the place
 * ("dir /srv/www", "git /srv/mirror.git mirror"); that and the whole have a checksum. Only the
 * program that wrote it reads it. */
#ifndef HM_CACHE_H
#define HM_CACHE_H
#include "gen/mirror/mirror.h"
#include "core/detect/sweep.h"
#include "gen/site/site.h"

enum { HM_CACHE_PLACES = 4 };

/* What is said of a site. */
typedef struct { int64_t pages, files, disputed, open_conflicts, findings; } hm_made_counts;

typedef struct {
  hm_str place;              /* its name; not empty */
  unsigned char inputs[32];  /* digest of all that the site was made with, but for the store */
  hm_str digest;             /* of the site */
  hm_sweep_known sweep;      /* of the store; digest is empty when that is not known */
  bool recorded;             /* that sweep had nothing left to record */
  hm_made_counts counts;
  unsigned char look[32];    /* digest of what every page was made with */
  hm_str note;               /* the sink's own */
  hm_str recorded_as;        /* what its conflicts.json tells, as of hm_recorded_put */
  hm_known known;            /* of the site that went there */
} hm_cache_entry;

typedef struct {
  const char *path;          /* of the first file */
  bool found;                /* entry is filled */
  hm_cache_entry entry;
} hm_cache;

/* Reads what is left of the place, if all is well and it looks like look; else nothing is found.
 * That a file is of another version or damaged is said, since the next save puts it right, all else
 * with -v. path: of the first file. Never an error. */
void hm_cache_load(const hm_mirror *m, const char *path, hm_str place, const unsigned char look[32],
                   hm_cache *out);
/* Replaces the place's file. What cannot be written is said with -v. */
void hm_cache_save(const hm_mirror *m, const hm_cache *c, const hm_cache_entry *e);

/* What a file holds between its head and its checksum; all but the place. Pure. False: damaged; *e
 * is then partly filled. Whatever bytes they are, nothing outside of them is read; texts borrow
 * from them. */
bool hm_cache_entry_get(hm_arena *a, hm_str bytes, hm_cache_entry *e);
void hm_cache_entry_put(const hm_cache_entry *e, hm_buf *b);
#endif
