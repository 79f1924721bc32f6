/* Memory blocks and allocation from them: arena.h.
 *
 * An arena fills one block, then opens the next, twice as big up to 4 MB; a request of a quarter of
 * a block or more gets its own. Blocks of 2 MB and more are mapped as huge pages. */
#include "core/base/arena.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALIGN _Alignof(max_align_t)

/* Under AddressSanitizer each allocation is a block of its own, so that a read past an object is
 * detected. */
#ifdef __SANITIZE_ADDRESS__
static const size_t BLOCK_MIN = 0, BLOCK_MAX = 0;
#else
static const size_t BLOCK_MIN = 4 << 10, BLOCK_MAX = 4 << 20;
#endif

/* From this size on, use huge pages: creating and freeing small ones took a third of a sweep over a
 * million rows. A system without huge pages gives small ones. */
static const size_t HUGE_PAGE = 2 << 20;

typedef struct hm_block {
  struct hm_block *next;
  size_t cap, used; /* used: not kept while the block is being filled */
  _Alignas(max_align_t) unsigned char bytes[];
} block;

/* The head is the block being filled, if any (at is not NULL); its unused bytes are zero. */

static _Noreturn void out_of_memory(void) {
  static const char line[] =
      "hmirror: out of memory: the system gave no more: close programs or build a smaller store\n";
  if (write(STDERR_FILENO, line, sizeof line - 1) < 0)
    _exit(2);
  _exit(2);
}

void hm_malloc_keep_freed(void) {
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 32 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
}

void *hm_xmalloc(size_t n) {
  bool huge = BLOCK_MAX && n >= 2 * HUGE_PAGE;
  void *p = NULL;
  if (!huge)
    p = malloc(n ? n : 1);
  else if (posix_memalign(&p, HUGE_PAGE, n) != 0)
    p = NULL;
  if (!p)
    out_of_memory();
  if (huge)
    madvise(p, n, MADV_HUGEPAGE);
  return p;
}

void *hm_xrealloc(void *p, size_t n) {
  void *q = realloc(p, n ? n : 1);
  if (!q)
    out_of_memory();
  return q;
}

hm_arena *hm_arena_new(void) {
  hm_arena *a = hm_xmalloc(sizeof *a);
  *a = (hm_arena){ .next_cap = BLOCK_MIN };
  return a;
}

/* size: a multiple of HUGE_PAGE. Zeroed, and aligned to a huge page. */
static void *map_huge(size_t size) {
  char *p =
      mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    return NULL;
  size_t before = -(uintptr_t)p % HUGE_PAGE, after = HUGE_PAGE - before;
  if (before)
    munmap(p, before);
  if (after)
    munmap(p + before + size, after);
  madvise(p + before, size, MADV_HUGEPAGE);
  return p + before;
}

static bool is_huge(size_t size) { return BLOCK_MAX && size >= HUGE_PAGE; }

static void block_free(block *b) {
  size_t size = sizeof *b + b->cap;
  if (is_huge(size))
    munmap(b, size);
  else
    free(b);
}

static void free_blocks(block *b) {
  while (b) {
    block *next = b->next;
    block_free(b);
    b = next;
  }
}

void hm_arena_free(hm_arena *a) {
  if (!a)
    return;
  free_blocks(a->head);
  free(a);
}

/* Takes the largest block out of the list, or returns NULL. */
static block *take_largest(hm_arena *a) {
  block **best = &a->head;
  for (block **p = &a->head; *p; p = &(*p)->next)
    if ((*p)->cap > (*best)->cap)
      best = p;
  block *b = *best;
  if (b)
    *best = b->next;
  return b;
}

/* Makes b the block being filled; NULL: none. */
static void fill_block(hm_arena *a, block *b) {
  a->at = b ? b->bytes + b->used : NULL;
  a->end = b ? b->bytes + b->cap : NULL;
}

static void note_used(hm_arena *a) {
  if (a->at)
    a->head->used = (size_t)(a->at - a->head->bytes);
}

void hm_arena_reset(hm_arena *a) {
  if (a->head && a->at == a->head->bytes && !a->head->next)
    return;
  note_used(a);
  block *keep = BLOCK_MAX ? take_largest(a) : NULL;
  free_blocks(a->head);
  a->head = keep;
  a->held = keep ? sizeof *keep + keep->cap : 0;
  if (keep) {
    memset(keep->bytes, 0, keep->used);
    keep->used = 0;
    keep->next = NULL;
  }
  fill_block(a, keep);
}

/* Inserts the blocks behind the one that a is filling, if any. */
void hm_arena_merge(hm_arena *a, hm_arena *from) {
  note_used(from);
  block **at = a->at ? &a->head->next : &a->head, *last = from->head;
  while (last && last->next)
    last = last->next;
  if (last) {
    last->next = *at;
    *at = from->head;
  }
  a->held += from->held;
  free(from);
}

static block *block_new(hm_arena *a, size_t cap) {
  size_t size = sizeof(block) + cap;
  if (is_huge(size))
    size = (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
  block *b = is_huge(size) ? map_huge(size) : calloc(1, size);
  if (!b)
    out_of_memory();
  b->cap = size - sizeof *b;
  a->held += size;
  return b;
}

/* A big request gets its own block behind the head, which stays the block being filled. */
static void *alloc_alone(hm_arena *a, size_t n) {
  block *b = block_new(a, n);
  b->used = n;
  block **at = a->at ? &a->head->next : &a->head;
  b->next = *at;
  *at = b;
  return b->bytes;
}

/* Capacities are whole steps of the alignment, and so is what hm_alloc takes of them. */
void *hm_alloc_more(hm_arena *a, size_t n) {
  if (n > PTRDIFF_MAX - sizeof(block) - 2 * HUGE_PAGE)
    out_of_memory();
  size_t room = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  if (!BLOCK_MAX)
    return alloc_alone(a, n);
  size_t cap = a->next_cap;
  if (cap < BLOCK_MAX)
    a->next_cap *= 2;
  if (room >= cap / 4)
    return alloc_alone(a, room);
  note_used(a);
  block *b = block_new(a, cap - sizeof *b);
  b->used = room;
  b->next = a->head;
  a->head = b;
  fill_block(a, b);
  return b->bytes;
}

void *hm_alloc_array(hm_arena *a, size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes))
    out_of_memory();
  return hm_alloc(a, bytes);
}

void *hm_array_grow(void *v, size_t n, size_t *cap, size_t size) {
  if (n < *cap)
    return v;
  *cap = 2 * *cap + 16;
  return hm_xrealloc(v, *cap * size);
}

void *hm_array_grow_in(hm_arena *a, void *v, size_t n, size_t *cap, size_t size) {
  if (n < *cap)
    return v;
  *cap = 2 * *cap + 16;
  void *more = hm_alloc_array(a, *cap, size);
  if (n)
    memcpy(more, v, n * size);
  return more;
}

size_t hm_arena_held(const hm_arena *a) { return a->held; }
