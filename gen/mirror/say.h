/* What a making of a mirror says while it runs, and how facts and numbers stand in such lines. */
#ifndef HM_MIRROR_SAY_H
#define HM_MIRROR_SAY_H
#include <stdint.h>
#include "core/base/str.h"

/* Who hears it. Each function may be NULL: nobody does. */
typedef struct {
  void *ctx;
  void (*warn)(void *ctx, const char *line);     /* a hint or a warning, without a prefix */
  void (*detail)(void *ctx, const char *line);   /* what was done */
  void (*phase)(void *ctx, const char *text);    /* what is going on now; text is static */
  void (*count)(void *ctx, size_t done, size_t all);   /* of the phase; from any thread */
} hm_reporter;

void hm_warn(const hm_reporter *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hm_say_detail(const hm_reporter *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void hm_say_phase(const hm_reporter *r, const char *text);

/* A fact as a terminal may show it: one line, nothing hidden, at most max bytes (0: all). */
const char *hm_show(hm_arena *a, hm_str fact, size_t max);
/* "1,234". */
const char *hm_thousands(hm_arena *a, uint64_t n);
/* "1 page", "1,234 pages". */
const char *hm_count_text(hm_arena *a, uint64_t n, const char *one);
/* The same with a plural of its own: "1 file differs", "2 files differ". */
const char *hm_count_words(hm_arena *a, uint64_t n, const char *one, const char *many);
#endif
