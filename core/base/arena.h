/* Bump allocator: everything a build makes is freed at once.
 *
 * Memory that runs out ends the process with one line and exit code 2: every
 * file, store and ref is written by a step that is atomic on disk, so an exit
 * at any point loses nothing, and no caller has to check for NULL. */
#ifndef HM_ARENA_H
#define HM_ARENA_H
#include <stddef.h>

typedef struct hm_arena hm_arena;

/* A new, empty arena. Never NULL. Not thread-safe: one arena, one thread. */
hm_arena *hm_arena_new(void);
/* Frees the arena and all that came from it. NULL is allowed. */
void hm_arena_free(hm_arena *a);
/* Forgets all that came from the arena, keeps its largest block for reuse. */
void hm_arena_reset(hm_arena *a);
/* n bytes, zeroed, aligned for any object, valid until reset or free. */
void *hm_alloc(hm_arena *a, size_t n);
/* n * size bytes as above; a product that overflows counts as out of memory. */
void *hm_alloc_array(hm_arena *a, size_t n, size_t size);
/* Bytes the arena holds from the system, for figures. */
size_t hm_arena_held(const hm_arena *a);

/* malloc, realloc that never return NULL (see above); free with free(). */
void *hm_xmalloc(size_t n);
void *hm_xrealloc(void *p, size_t n);
#endif
