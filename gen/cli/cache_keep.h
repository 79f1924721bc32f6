/* What a program that goes on said of its last site: it need not be read back from the file, nor does anybody wait for its writing. */
#ifndef HM_CACHE_KEEP_H
#define HM_CACHE_KEEP_H
#include "core/base/str.h"

typedef struct hm_cache_keep hm_cache_keep;
hm_cache_keep *hm_cache_keep_new(void);        /* never NULL */
/* Waits for what is being written. NULL is allowed. */
void hm_cache_keep_free(hm_cache_keep *k);
/* The bytes of the last file that was written, or is being written, in place of `first`, the first of its files; empty when there is none, or it was
 * replaced or deleted since. They stay until the
 * second hm_cache_keep_write from now, or the hm_cache_keep_spare before that. */
hm_str hm_cache_keep_bytes(hm_cache_keep *k, const char *first);
/* An empty buffer with room, the caller's: what was written before the last time, since memory that was in use costs less than new one. */
hm_buf hm_cache_keep_spare(hm_cache_keep *k);
/* Takes the bytes and has them written, by write(path, bytes) on a thread of its own, which returns 0, or -1 with errno. Before that, waits for what was
 * being written; returns the errno with which that ended, or 0. */
int hm_cache_keep_write(hm_cache_keep *k, const char *first, const char *path, hm_buf *bytes, int (*write)(const char *path, hm_str bytes));
#endif
