/* One process at a time: a file beside the thing, held by flock. */
#ifndef HM_LOCK_H
#define HM_LOCK_H
#include <sys/types.h>
#include "core/base/err.h"
#include "core/base/str.h"

typedef struct {
  int dir, fd;
  char name[256];
  bool died;      /* the holder before us never let go: what it had begun may lie about */
} hm_lock;

#define HM_LOCK_WAIT_MS 10000

/* Takes the lock `name` in the open folder `dir` (borrowed until release), waits up to wait_ms for
 * a living holder. Errors: HM_E_BUSY with the holder's process id, HM_E_OUTPUT when the file cannot
 * be made. shown: how messages call it. */
int hm_lock_take(hm_lock *l, int dir, const char *name, const char *shown, int wait_ms,
                 hm_err *err);
/* Removes the file and lets go. A lock that was not taken ({ .fd = -1 }) is allowed. */
void hm_lock_release(hm_lock *l);
/* For what is made under a name of its own and then renamed: opens the file or folder `name` as
 * openat does, and waits up to wait_ms until nobody else holds it. The lock ends with the
 * descriptor; while it is held, and the thing has not been renamed or removed by the holder, no
 * other caller gets one. -1 and errno, EWOULDBLOCK when it is held still. */
int hm_lock_open(int dir, const char *name, int flags, mode_t mode, int wait_ms);
/* Sleeps for ms; for loops that wait for another process. */
void hm_pause_ms(int ms);
#endif
