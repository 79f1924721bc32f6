/* A site into a directory, all of it or nothing. Design sections 9 and 13. */
#ifndef HM_SINK_DIR_H
#define HM_SINK_DIR_H
#include "gen/site/site.h"

typedef struct { size_t written, kept, removed; } hm_dir_counts;

/* Makes directory `path` hold the site. The new tree is made beside it ("<path>.hmirror-<pid>"), with hard links for
 * files whose bytes did not change (same inode, same mtime), and swapped in by renameat2(RENAME_EXCHANGE) (plain rename when path is
 * absent); then the old tree is removed. Files in path that the last manifest.json does not name are somebody's own: they move along,
 * unless path has no manifest of ours and is not empty: HM_E_OUTPUT. A foreign file where one of ours must go:
 * HM_E_OUTPUT. path may be a symlink to a directory; missing parents are made. Files are 0644 and folders 0755 whatever the umask. durable: fsync files and folders
 * before the swap. A lock file "<path>.hmirror-lock" (flock) keeps two builds apart; left-overs of a killed build are removed. threads: writers.
 * Nothing changed: nothing is written and no swap takes place. full: no file of ours is taken over from the old tree, every
 * one is written anew (for a folder whose blocks or times are not to be trusted). */
int hm_sink_dir(const hm_site *s, const char *path, bool full, bool durable, int threads, hm_dir_counts *counts, hm_err *err);
#endif
