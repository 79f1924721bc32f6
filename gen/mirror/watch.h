/* Watches the mirror's inputs for changes by polling a few times a second. Unlike inotify this
 * works on every file system, sees files that editors replace, and needs no watch for each folder.
 *
 * Order of calls: new; add...; then poll repeatedly, and accept when it says HM_WATCH_CHANGED.
 * One thread. */
#ifndef HM_MIRROR_WATCH_H
#define HM_MIRROR_WATCH_H
#include "core/store/store.h"

typedef struct hm_watcher hm_watcher;

typedef enum {
  HM_WATCH_STILL,  /* nothing changed since the last accept */
  HM_WATCH_MOVING, /* something changed, and may still be changing: since the last poll, or a
                       moment ago */
  HM_WATCH_CHANGED /* something changed, and has come to rest */
} hm_watch_state;

/* Watches nothing yet. Never NULL. */
hm_watcher *hm_watcher_new(void);
void hm_watcher_free(hm_watcher *in);
/* Watches the store for commits of any program: by an open connection's data version and its file's
 * time, or by the file alone while it cannot be opened. At most one; it may be absent. src must
 * outlive in. */
void hm_watcher_add_store(hm_watcher *in, const hm_store_source *src);
/* Watches a file, or a folder with all that is below it (the first 50,000 entries, 16 deep; hidden
 * ones too): names, sizes, times and inodes. It may be absent. Ignores a path that is watched
 * already. The current state is the baseline, so add a path before you read it. */
void hm_watcher_add_path(hm_watcher *in, const char *path);
/* Compares everything with the baseline. */
hm_watch_state hm_watcher_poll(hm_watcher *in);
/* Makes the state of the last poll the baseline for later changes. Call it before reading. */
void hm_watcher_accept(hm_watcher *in);
#endif
