/* The parts of hm_site_keep. Not for others. */
#ifndef HM_KEEP_IMPL_H
#define HM_KEEP_IMPL_H
#include "gen/site/site_impl.h"

/* Elements of `size` bytes that begin with their path, by path, and whose each one is. */
typedef struct { char *v; uint32_t *owner; size_t n, size; } hm_kept_list;

/* What is to stand in a list instead of all that owners have who are dropped: as long as it and as the list. */
typedef struct hm_kept_change {
  const char *v; const uint32_t *owner; size_t n;
  uint32_t *at; bool *inserted;        /* of each: where it stands now, and whether nothing of its path stood there */
  hm_str *gone; size_t n_gone;         /* paths, sorted */
} hm_kept_change;

/* keep_list.c. put: an element in the place of one that has the same path, which it need not replace. False: what is new has the path of one that stays. */
bool hm_kept_patch(hm_kept_list *l, const bool *drop, hm_kept_change *c, void (*put)(void *old, const void *element), hm_arena *a);

typedef struct hm_kept_news { hm_kept_change files, pages, others; } hm_kept_news;

/* What the pieces of the one raw file that has many said, each of what is known to have made it. */
typedef struct { hm_hash128 is, to_be; bool same; hm_buf bytes; } hm_kept_piece;   /* is: of bytes; zero: of nothing */
typedef struct hm_kept_pieces { hm_kept_piece *v; size_t n; } hm_kept_pieces;
void hm_kept_pieces_free(hm_kept_pieces *k);

/* Owners that are no project: counted from the number of projects. */
enum { HM_OF_NOBODY, HM_OF_RAWS, HM_OF_LOOK, HM_OF_MANIFESTS, HM_OWNERS };   /* pages of no project; raw files; what all sites of these inputs have */

struct hm_site_keep {
  hm_arena *a;                         /* strings */
  size_t held;                         /* of a, when it was new */
  hm_str name;                         /* empty: it is of no site; else in a buffer of its own */
  hm_kept_list files, pages, others;
  hm_known known;                      /* pages and others */
  size_t n_manifests;                  /* of folders */
  uint32_t *root; size_t n_root;       /* indices of the files that the root's manifest names; n_root 0: not made yet */
  uint32_t n_projects;
  hm_str *dirs;
  hm_hash128 *inputs;
  hm_kept_pieces pieces;
  unsigned char with[32];
};
#endif
