/* Bump allocator: everything a build makes is freed at once.
 *
 * Out of memory ends the process with one line and exit code 2, so no caller checks for NULL.
 * Files, stores and refs are written in steps that are atomic on disk, so an exit at any point
 * loses nothing. */
#ifndef HM_ARENA_H
#define HM_ARENA_H
#include <stddef.h>
#include <stdint.h>

/* at, end: the free part of the current block, in steps of the widest alignment; random: state of
 * hm_arena_random (str.h); the rest is private. */
typedef struct hm_arena {
  unsigned char *at, *end;
  struct hm_block *head;
  size_t next_cap, held;
  uint64_t random;
} hm_arena;

/* A new, empty arena. Never NULL. Not thread-safe: one arena, one thread. */
hm_arena *hm_arena_new(void);
/* Frees the arena and all its memory. NULL is allowed. */
void hm_arena_free(hm_arena *a);
/* Moves the blocks of `from` into a and frees `from`. Pointers stay valid, so each thread can fill
 * an arena of its own and the caller keeps one. */
void hm_arena_merge(hm_arena *a, hm_arena *from);
/* Invalidates all its memory and keeps the largest block for reuse. */
void hm_arena_reset(hm_arena *a);
/* hm_alloc for a full block; called by hm_alloc only. */
void *hm_alloc_more(hm_arena *a, size_t n);
/* n bytes, zeroed, aligned for any object, valid until reset or free. */
static inline void *hm_alloc(hm_arena *a, size_t n) {
  if (n >= (size_t)(a->end - a->at))
    return hm_alloc_more(a, n);
  void *p = a->at;
  a->at += (n + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
  return p;
}
/* n * size bytes as above; an overflow counts as out of memory. */
void *hm_alloc_array(hm_arena *a, size_t n, size_t size);
/* Bytes that the arena has from the system, for statistics. */
size_t hm_arena_held(const hm_arena *a);

/* Makes malloc keep up to 32 MB of freed memory per heap for later requests, also those of
 * libraries. Returning it and faulting it in again took 5% of the time of a publication. Call it
 * first in main. */
void hm_malloc_keep_freed(void);

/* malloc and realloc that never return NULL (see above). The caller frees with free(). */
void *hm_xmalloc(size_t n);
void *hm_xrealloc(void *p, size_t n);

/* Number of elements of an array of known size. */
#define HM_COUNT(array) (sizeof(array) / sizeof *(array))
/* Makes room for one more element of `size` bytes in v, which holds n of *cap. Returns v or its
 * reallocated copy. v is from malloc, NULL while *cap is 0. */
void *hm_array_grow(void *v, size_t n, size_t *cap, size_t size);
/* The same in an arena; the old array stays as it is. */
void *hm_array_grow_in(hm_arena *a, void *v, size_t n, size_t *cap, size_t size);
#endif
