/* A line on the terminal for what takes over a second, erased at the end. */
#ifndef HM_PROGRESS_H
#define HM_PROGRESS_H
#include <stdbool.h>
#include <stddef.h>

typedef struct hm_progress hm_progress;

/* NULL when on is false or standard error is no terminal; the others then do nothing. */
hm_progress *hm_progress_new(bool on);
/* Erases the line and ends the thread that paints it. NULL is allowed. */
void hm_progress_free(hm_progress *p);
/* What is going on now; text must outlive it. */
void hm_progress_phase(hm_progress *p, const char *text);
/* done of all, from any thread; ctx is the hm_progress. */
void hm_progress_count(void *ctx, size_t done, size_t all);
/* Erases the line before something else is written there; it comes back. */
void hm_progress_clear(hm_progress *p);
#endif
