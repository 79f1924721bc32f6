/* The long objects of the last publications of this process: so the next one neither inflates them to see what is the same, nor deflates
 * that again. */
#include <stdlib.h>

#include "gen/sink/git_impl.h"

enum { AHEAD = 8, TREES = 64 };
#define BYTES_MAX ((size_t)96 << 20)

struct hm_git_remembered {
  char *key; size_t key_n;
  git_oid id;
  const hm_git_remembered_piece **pieces; size_t n;
  size_t size;         /* of all its bytes */
};

typedef struct { git_oid id; char *bytes; size_t n; } small_tree;

struct hm_git_memory {
  hm_git_remembered *of; size_t n, held;
  small_tree trees[TREES]; size_t n_trees;   /* that the last publication read or made */
};

/* --- pieces ------------------------------------------------------------------------ */

static size_t cost(const hm_git_remembered_piece *p) { return sizeof *p + p->bytes.n + p->deflated.n; }

/* In one block. */
static const hm_git_remembered_piece *copy(hm_git_memory *m, const hm_git_piece *from) {
  hm_git_remembered_piece *p = hm_xmalloc(sizeof *p + from->bytes.n + from->deflated.n);
  char *bytes = (char *)(p + 1), *deflated = bytes + from->bytes.n;
  memcpy(bytes, from->bytes.p, from->bytes.n);
  memcpy(deflated, from->deflated.p, from->deflated.n);
  *p = (hm_git_remembered_piece){ { bytes, from->bytes.n }, { deflated, from->deflated.n } };
  m->held += cost(p);
  return p;
}

static void drop(hm_git_memory *m, const hm_git_remembered_piece *p) {
  if (!p) return;
  m->held -= cost(p);
  free((void *)(uintptr_t)p);
}

/* --- objects ----------------------------------------------------------------------- */

hm_git_memory *hm_git_memory_new(void) {
  hm_git_memory *m = hm_xmalloc(sizeof *m);
  *m = (hm_git_memory){ 0 };
  return m;
}

static void forget(hm_git_memory *m) {
  for (size_t i = 0; i < m->n; i++) {
    for (size_t k = 0; k < m->of[i].n; k++) drop(m, m->of[i].pieces[k]);
    free(m->of[i].pieces);
    free(m->of[i].key);
  }
  m->n = 0;
}

static void forget_trees(hm_git_memory *m) {
  for (size_t i = 0; i < m->n_trees; i++) free(m->trees[i].bytes);
  m->n_trees = 0;
}

void hm_git_memory_free(hm_git_memory *m) {
  if (!m) return;
  forget(m);
  forget_trees(m);
  free(m->of);
  free(m);
}

static hm_git_remembered *find(const hm_git_memory *m, hm_str key) {
  for (size_t i = 0; i < m->n; i++)
    if (hm_str_eq((hm_str){ m->of[i].key, m->of[i].key_n }, key)) return &m->of[i];
  return NULL;
}

const hm_git_remembered *hm_git_memory_find(const hm_git_memory *m, hm_str key) { return m ? find(m, key) : NULL; }

static bool find_small(const hm_git_memory *m, const git_oid *id, hm_arena *a, hm_str *bytes) {
  for (size_t i = 0; m && i < m->n_trees; i++)
    if (git_oid_equal(&m->trees[i].id, id)) {
      *bytes = hm_str_dup(a, (hm_str){ m->trees[i].bytes, m->trees[i].n });
      return true;
    }
  return false;
}

bool hm_git_memory_tree(const hm_git_memory *m, const git_oid *id, hm_arena *a, hm_str *bytes) {
  const hm_git_remembered *r = NULL;
  for (size_t i = 0; m && !r && i < m->n; i++)
    if (git_oid_equal(&m->of[i].id, id)) r = &m->of[i];
  if (!r) return find_small(m, id, a, bytes);
  char *p = hm_alloc(a, r->size + 1), *at = p;
  for (size_t k = 0; k < r->n; at += r->pieces[k++]->bytes.n) memcpy(at, r->pieces[k]->bytes.p, r->pieces[k]->bytes.n);
  *bytes = (hm_str){ p, r->size };
  return true;
}

/* The last piece of an object ends where that ends, and not where a piece would. What was edited is a piece or two, behind which others follow
 * that are as they were. */
const hm_git_remembered_piece *hm_git_remembered_find(const hm_git_remembered *r, hm_str bytes, size_t *next) {
  for (size_t k = *next; r && k < r->n && k < *next + AHEAD; k++) {
    const hm_git_remembered_piece *p = r->pieces[k];
    if (p->bytes.n > bytes.n || (k + 1 == r->n && p->bytes.n != bytes.n) || memcmp(p->bytes.p, bytes.p, p->bytes.n) != 0) continue;
    *next = k + 1;
    return p;
  }
  return NULL;
}

/* --- what a publication leaves ------------------------------------------------------ */

static hm_git_remembered *place_of(hm_git_memory *m, hm_str key) {
  hm_git_remembered *r = find(m, key);
  if (r) return r;
  m->of = hm_xrealloc(m->of, (m->n + 1) * sizeof *m->of);
  r = &m->of[m->n++];
  *r = (hm_git_remembered){ .key = hm_xmalloc(key.n + 1), .key_n = key.n };
  memcpy(r->key, key.p, key.n);
  return r;
}

/* They stand in the order in which they were found. */
static const hm_git_remembered_piece *take(hm_git_memory *m, hm_git_remembered *was, size_t *next, const hm_git_piece *p) {
  if (!p->from) return copy(m, p);
  while (was->pieces[*next] != p->from) ++*next;
  was->pieces[(*next)++] = NULL;
  return p->from;
}

static void put(hm_git_memory *m, const hm_git_long *l, const git_oid *id) {
  hm_git_remembered *r = place_of(m, l->key);
  const hm_git_remembered_piece **pieces = hm_xmalloc((l->n + 1) * sizeof *pieces);
  for (size_t i = 0, next = 0; i < l->n; i++) pieces[i] = take(m, r, &next, &l->pieces[i]);
  for (size_t k = 0; k < r->n; k++) drop(m, r->pieces[k]);
  free(r->pieces);
  r->pieces = pieces;
  r->n = l->n;
  r->size = l->bytes.n;
  r->id = *id;
}

static void put_small(hm_git_memory *m, const git_oid *id, hm_str bytes) {
  if (m->n_trees == TREES || bytes.n > HM_PIECE_MAX) return;
  small_tree *t = &m->trees[m->n_trees++];
  *t = (small_tree){ *id, hm_xmalloc(bytes.n + 1), bytes.n };
  memcpy(t->bytes, bytes.p, bytes.n);
}

void hm_git_memory_put(hm_git_memory *m, const hm_git_objects *l, const hm_git_tree_read *read, size_t n_read) {
  if (!m) return;
  forget_trees(m);
  for (size_t i = 0; i < n_read; i++) put_small(m, &read[i].id, read[i].bytes);
  for (size_t i = 0; i < l->n; i++) {
    if (l->o[i].pieces) put(m, l->o[i].pieces, &l->o[i].id);
    else if (l->o[i].type == GIT_OBJECT_TREE) put_small(m, &l->o[i].id, l->o[i].bytes);
  }
  if (m->held > BYTES_MAX) forget(m);
}
