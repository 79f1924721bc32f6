/* The cache: records of the last build and the last publications, in files beside the store, so the
 * next one makes only what changed.
 *
 * You can delete the cache at any time. It is compared with what the place holds; in doubt,
 * everything is made. Each place where a site was put has a file ("hmirror.db.cache",
 * "hmirror.db.cache-2", ...), at most HM_CACHE_PLACES; a further place replaces the oldest file. A
 * file begins with the program that wrote it and the name of the place ("dir /srv/www", "git
 * /srv/mirror.git mirror"); this head and the whole file each have a checksum. Only the program
 * that wrote a file reads it. */
#ifndef HM_CACHE_H
#define HM_CACHE_H
#include "core/sweep/sweep.h"
#include "gen/mirror/mirror.h"
#include "gen/mirror/theme.h"
#include "gen/site/site.h"

enum { HM_CACHE_PLACES = 4 };

/* Digest of the sources of this program, templates and theme included; the Makefile makes it. */
extern const char hm_build_id[];

/* The numbers reported of a site. */
typedef struct {
  int64_t pages, files, disputed, open_conflicts, findings;
  hm_compared compared;
} hm_made_counts;

typedef struct {
  unsigned char inputs[32]; /* digest of all inputs of the site except the store */
  bool recorded;            /* that sweep had nothing left to record */
  hm_made_counts counts;
  hm_sweep_last_result sweep; /* of the store; digest is empty when unknown */
  hm_str place;               /* its name; not empty */
  hm_str digest;              /* of the site */
  hm_str note;                /* the sink's own */
  hm_last_site known;         /* of the site that went there */
} hm_cache_entry;

/* Where the site goes: sort "dir" or "git", path of the folder or repository, and the branch or "".
 * same: further settings of the sink (publish.keep), digested with the inputs. */
typedef struct {
  const char *sort, *path, *branch;
  const char *const *same;
  size_t n_same;
} hm_site_target;

typedef struct {
  hm_site_target to;
  const char *path;         /* of the first file */
  unsigned char inputs[32]; /* of this run */
  bool found;               /* entry is the record of the last site at this place, which was made
                               with these inputs */
  hm_cache_entry entry;
} hm_cache;

/* Digests the inputs of this run, and reads the place's entry if it has the same inputs. foreign:
 * the store belongs to another program, so the cache stands beside the review file. full: ignores
 * the entry. Reports a damaged file or one of another version, which the next save replaces;
 * reports all else as a detail. Never fails. */
void hm_cache_load(const hm_mirror *m, const hm_appearance *look, hm_site_target to, bool foreign,
                   bool full, hm_cache *out);
/* Digest of all inputs of a site except the store and its place. */
void hm_site_inputs_digest(const hm_mirror *m, const hm_appearance *look, unsigned char out[32]);
/* Replaces the place's file, after the site went there. Fills inputs and place of e. Reports a
 * failure to write as a detail. */
void hm_cache_save(const hm_mirror *m, const hm_cache *c, hm_cache_entry *e);

/* Parses the bytes between a file's head and its checksum: all fields except the place. Pure.
 * Returns false, with *e partly filled, when they are damaged. Safe for any bytes; texts borrow
 * from them. */
bool hm_cache_entry_parse(hm_arena *a, hm_str bytes, hm_cache_entry *e);
void hm_cache_entry_write(const hm_cache_entry *e, hm_buf *b);
#endif
