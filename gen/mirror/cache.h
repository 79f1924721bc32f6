/* The cache: records of the last build and the last publications, in files beside the store, so the
 * next one makes only what changed.
 *
 * You can delete the cache at any time, and it is never believed against what stands there: where
 * anything is in doubt, everything is made. There is a file for each place that a site was put
 * ("hmirror.db.cache", "hmirror.db.cache-2", ...), at most HM_CACHE_PLACES of them; one place more
 * takes the file that was written longest ago. A file begins with the program that wrote it and the
 * name of the place ("dir /srv/www", "git /srv/mirror.git mirror"); that and the whole have a
 * checksum. Only the program that wrote it reads it. */
#ifndef HM_CACHE_H
#define HM_CACHE_H
#include "core/detect/sweep.h"
#include "gen/mirror/mirror.h"
#include "gen/mirror/theme.h"
#include "gen/site/site.h"

enum { HM_CACHE_PLACES = 4 };

/* Digest of the sources of this program, templates and theme included; the Makefile makes it. */
extern const char hm_build_id[];

/* What is said of a site. */
typedef struct { int64_t pages, files, disputed, open_conflicts, findings; } hm_made_counts;

typedef struct {
  unsigned char look[32];    /* digest of what every page was made with */
  unsigned char inputs[32];  /* digest of all that the site was made with, but for the store */
  bool recorded;             /* that sweep had nothing left to record */
  hm_made_counts counts;
  hm_sweep_last_result sweep;      /* of the store; digest is empty when that is not known */
  hm_str place;              /* its name; not empty */
  hm_str digest;             /* of the site */
  hm_str note;               /* the sink's own */
  hm_last_site known;            /* of the site that went there */
} hm_cache_entry;

/* Where the site goes: sort "dir" or "git", path of the folder or repository, and what else tells
 * it from others there (the branch), or "". same: what the sink does as well (publish.keep),
 * digested with the look. */
typedef struct {
  const char *sort, *path, *branch;
  const char *const *same; size_t n_same;
} hm_site_target;

typedef struct {
  hm_site_target to;
  const char *path;          /* of the first file */
  unsigned char look[32], inputs[32];   /* of this run */
  bool found;                /* entry is what the last site that went there left */
  hm_cache_entry entry;
} hm_cache;

/* Digests the look and the inputs of this run, and reads the place's entry, if it looks like this.
 * foreign: the store belongs to another program, so the cache stands beside the review file. full:
 * nothing is found, whatever is there. A file of another version or a damaged one is reported,
 * since the next save replaces it; everything else is a detail. Never an error. */
void hm_cache_load(const hm_mirror *m, const hm_appearance *look, hm_site_target to, bool foreign,
                   bool full, hm_cache *out);
/* Digest of all that a site is made with, but for the store and where it goes. */
void hm_site_inputs_digest(const hm_mirror *m, const hm_appearance *look, unsigned char out[32]);
/* Replaces the place's file, after the site went there. e: look, inputs and place are filled here.
 * What cannot be written is a detail. */
void hm_cache_save(const hm_mirror *m, const hm_cache *c, hm_cache_entry *e);

/* What a file holds between its head and its checksum; all but the place. Pure. False: damaged; *e
 * is then partly filled. Whatever bytes they are, nothing outside of them is read; texts borrow
 * from them. */
bool hm_cache_entry_parse(hm_arena *a, hm_str bytes, hm_cache_entry *e);
void hm_cache_entry_write(const hm_cache_entry *e, hm_buf *b);
#endif
