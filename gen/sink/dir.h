/* Puts a site into a directory, all of it or nothing. Design sections 9 and 13.
 *
 * Order of calls: hm_dir_open; hm_dir_put_file for any of the files; hm_dir_finish; hm_dir_close,
 * also after an error.
 *
 * The new tree is made beside the folder ("<path>.hmirror-<pid>"), with hard links for files whose
 * bytes did not change (same inode, same mtime), and swapped in by renameat2(RENAME_EXCHANGE)
 * (plain rename when path is absent); then the old tree is removed. When nothing changed, nothing
 * is written or swapped. Files in path that the last site's manifests do not name are foreign: they
 * move into the new tree. path may be a symlink to a directory. Files and folders have the rights
 * that the umask leaves, and their owner's. Until the swap, and after a failure or a kill before
 * it, the folder is unchanged. */
#ifndef HM_SINK_DIR_H
#define HM_SINK_DIR_H
#include "gen/site/site.h"

typedef struct {
  bool full;    /* write each of our files again and reuse none from the old tree (for a folder
                   whose blocks or times cannot be trusted) */
  bool durable; /* sync files and folders to disk before the swap, many while others are still
                   written */
  int threads;  /* that hm_dir_finish may use */
  hm_str note;  /* from hm_dir_write_note after the last site (hm_site_options.known), or empty */
  size_t noted_files; /* how many files that site had */
} hm_dir_options;

typedef struct {
  size_t written, kept, removed;
} hm_dir_counts;

typedef struct hm_dir hm_dir;

/* Locks and scans the folder, creates missing parents, removes left-overs of a killed build. A lock
 * file "<path>.hmirror-lock" (flock) keeps a second build out until hm_dir_close. HM_E_BUSY:
 * another build holds it; HM_E_OUTPUT: path is no folder, cannot be used, or is not empty and has
 * no manifest of ours. On failure *out is NULL. path is borrowed. */
int hm_dir_open(const char *path, const hm_dir_options *opt, hm_dir **out, hm_err *err);
/* The unchanged files in the folder, by the note, for hm_site_options.present: if the site holds
 * such a file, the new tree reuses it unread. Lives as long as d. */
const hm_sink_files *hm_dir_present_files(const hm_dir *d);
/* Accepts a file before the site is complete: compares it with the file on disk, or writes it.
 * Callable from any thread; each path once. The caller may free f's bytes afterwards. HM_E_OUTPUT;
 * after one failed file every further call fails with the same error. */
int hm_dir_put_file(hm_dir *d, const hm_file *f, hm_err *err);
/* Makes the folder hold the site: the files that were put or are held (their bytes.p is NULL now)
 * and all others. HM_E_OUTPUT, also when a foreign file stands in the place of one of ours. Call it
 * once. */
int hm_dir_finish(hm_dir *d, const hm_site *s, hm_dir_counts *counts, hm_err *err);
/* After hm_dir_finish: appends the stat results of the site's files, in this machine's byte order.
 * By ctime, the next build sees a change that keeps size and mtime, unless the clock was set back
 * for it. HM_E_OUTPUT. */
int hm_dir_write_note(hm_dir *d, const hm_site *s, hm_buf *out, hm_err *err);
/* Releases the folder. If hm_dir_finish was not reached or failed, removes the written files. NULL
 * is allowed. */
void hm_dir_close(hm_dir *d);
#endif
