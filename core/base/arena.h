/* Bump allocator: everything a build makes is freed at once.
 *
 * Memory that runs out ends the process with one line and exit code 2: every
 * file, store and ref is written by a step that is atomic on disk, so an exit
 * at any point loses nothing, and no caller has to check for NULL. */
#ifndef HM_ARENA_H
#define HM_ARENA_H
#include <stddef.h>
#include <stdint.h>

/* at, end: what is left of the block that is being filled, in steps of the widest alignment;
 * random: of hm_arena_random (str.h); the rest is the arena's own. */
typedef struct hm_arena {
  unsigned char *at, *end;
  struct hm_block *head;
  size_t next_cap, held;
  uint64_t random;
} hm_arena;

/* A new, empty arena. Never NULL. Not thread-safe: one arena, one thread. */
hm_arena *hm_arena_new(void);
/* Frees the arena and all that came from it. NULL is allowed. */
void hm_arena_free(hm_arena *a);
/* Moves the blocks of `from` into a and frees `from`. Pointers stay valid: threads can each fill an
 * arena, and the caller keeps one. */
void hm_arena_merge(hm_arena *a, hm_arena *from);
/* Forgets all that came from the arena, keeps its largest block for reuse. */
void hm_arena_reset(hm_arena *a);
/* hm_alloc when the block is full. */
void *hm_alloc_more(hm_arena *a, size_t n);
/* n bytes, zeroed, aligned for any object, valid until reset or free. */
static inline void *hm_alloc(hm_arena *a, size_t n) {
  if (n >= (size_t)(a->end - a->at)) return hm_alloc_more(a, n);
  void *p = a->at;
  a->at += (n + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
  return p;
}
/* n * size bytes as above; a product that overflows counts as out of memory. */
void *hm_alloc_array(hm_arena *a, size_t n, size_t size);
/* Bytes the arena holds from the system, for figures. */
size_t hm_arena_held(const hm_arena *a);

/* Makes malloc hold up to 32 MB of freed memory a heap for later requests, also those of libraries.
 * Returning it to the system and faulting it in again is a twentieth of the work of a publication.
 * Call it first in main. */
void hm_malloc_keep_freed(void);

/* malloc, realloc that never return NULL (see above); free with free(). */
void *hm_xmalloc(size_t n);
void *hm_xrealloc(void *p, size_t n);

/* Elements of an array whose size the compiler knows. */
#define HM_COUNT(array) (sizeof(array) / sizeof *(array))
/* Room for one more element of `size` bytes in v, which holds n and has room for *cap: v itself, or
 * its copy with more room. v is of malloc (NULL while *cap is 0). */
void *hm_array_grow(void *v, size_t n, size_t *cap, size_t size);
/* The same in an arena, where the old array stays as it is. */
void *hm_array_grow_in(hm_arena *a, void *v, size_t n, size_t *cap, size_t size);
#endif
