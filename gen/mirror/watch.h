/* Has anything changed that the mirror is made from? By asking, a few times a second: unlike the
 * kernel's notices it works on every file system, sees files that editors replace, and needs no
 * watch for each folder.
 *
 * Order of calls: new; add...; then poll repeatedly, and accept when it says HM_WATCH_CHANGED.
 * One thread. */
#ifndef HM_MIRROR_WATCH_H
#define HM_MIRROR_WATCH_H
#include "core/store/store.h"

typedef struct hm_watcher hm_watcher;

typedef enum {
  HM_WATCH_STILL,  /* all is as it was at the last accept */
  HM_WATCH_MOVING, /* something changed, and may still be changing: since the last poll, or a
                       moment ago */
  HM_WATCH_CHANGED /* something changed, and has come to rest */
} hm_watch_state;

/* Nothing is watched yet. Never NULL. */
hm_watcher *hm_watcher_new(void);
void hm_watcher_free(hm_watcher *in);
/* The store, whoever commits to it: by an open connection's data version and its file's time, or by
 * the file alone while it cannot be opened. At most one; absent is a state as any other. src must
 * outlive in. */
void hm_watcher_add_store(hm_watcher *in, const hm_store_source *src);
/* A file, or a folder with all that is below it (the first 50,000 entries, 16 deep; hidden ones
 * too): names, sizes, times and inodes. It may be absent. A path that is watched already is passed
 * over; a new one counts as seen and taken as it is now, so add it before you read it. */
void hm_watcher_add_path(hm_watcher *in, const char *path);
/* Looks at everything. */
hm_watch_state hm_watcher_poll(hm_watcher *in);
/* Makes the state of the last poll the baseline for later changes. Call it before reading. */
void hm_watcher_accept(hm_watcher *in);
#endif
