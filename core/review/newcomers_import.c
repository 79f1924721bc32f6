/* The new names of an import, which are told together. */
#include <stdlib.h>
#include <string.h>

#include "core/review/newcomers.h"
#include "core/store/project_names.h"

/* Names of a kind for which a near one is looked for, and with how many names they are compared in
 * all. */
enum { LOOKED_AT = 500, COMPARED = 2000000 };

typedef struct { hm_str name; int64_t rows; bool known; } met;

struct hm_newcomers {
  hm_arena *a;
  hm_map seen[HM_NAME_KINDS];      /* name -> index into met */
  met *met[HM_NAME_KINDS]; size_t n[HM_NAME_KINDS], cap[HM_NAME_KINDS];
  hm_map before[HM_NAME_KINDS];    /* names that rows of the store had, once they were read */
  bool read[HM_NAME_KINDS];
};

hm_newcomers *hm_newcomers_new(void) {
  hm_newcomers *c = memset(hm_xmalloc(sizeof *c), 0, sizeof *c);
  c->a = hm_arena_new();
  for (int k = 0; k < HM_NAME_KINDS; k++) hm_map_init(&c->seen[k], c->a, 16);
  return c;
}

void hm_newcomers_free(hm_newcomers *c) {
  if (!c) return;
  for (int k = 0; k < HM_NAME_KINDS; k++) free(c->met[k]);
  hm_arena_free(c->a);
  free(c);
}

/* What the rows have before the first name comes that is not known otherwise. */
static int was_before(hm_newcomers *c, hm_store *s, hm_name_kind kind, hm_str name, bool *known,
                      hm_err *err) {
  *known = hm_newcomers_specified(kind, name);
  if (!*known && kind == HM_NAME_PROJECT && hm_names_declared(s, name, known, err)) return -1;
  if (*known) return 0;
  if (!c->read[kind]) {
    hm_str *names;
    size_t n;
    if (hm_names_all(s, kind, c->a, &names, &n, err)) return -1;
    hm_map_init(&c->before[kind], c->a, n);
    for (size_t i = 0; i < n; i++)
      if (names[i].n && hm_map_get(&c->seen[kind], names[i]) == HM_MAP_NONE)
        hm_map_add(&c->before[kind], names[i], 0);
    c->read[kind] = true;
  }
  *known = hm_map_get(&c->before[kind], name) != HM_MAP_NONE;
  return 0;
}

int hm_newcomers_see(void *ctx, hm_store *s, hm_name_kind kind, hm_str name, hm_err *err) {
  hm_newcomers *c = ctx;
  uint32_t i = hm_map_get(&c->seen[kind], name);
  if (i != HM_MAP_NONE) {
    c->met[kind][i].rows++;
    return 0;
  }
  bool known;
  if (was_before(c, s, kind, name, &known, err)) return -1;
  if (c->n[kind] == c->cap[kind])
    c->met[kind] = hm_xrealloc(c->met[kind], (c->cap[kind] = 2 * c->cap[kind] + 16) * sizeof(met));
  name = hm_str_dup(c->a, name);
  hm_map_add(&c->seen[kind], name, (uint32_t)c->n[kind]);
  c->met[kind][c->n[kind]++] = (met){ name, 1, known };
  return 0;
}

/* A name that another may be meant to be, and what the import met of it; NULL: nothing. */
typedef struct { hm_known_name *names; const met **met; size_t n; } known;

static int read_known(hm_newcomers *c, hm_store *s, hm_name_kind kind, hm_arena *a, known *out,
                      hm_err *err) {
  hm_str *all;
  size_t n;
  if (hm_names_all(s, kind, a, &all, &n, err)) return -1;
  out->n = hm_newcomers_known(kind, all, n, a, &out->names);
  out->met = hm_alloc_array(a, out->n, sizeof *out->met);
  for (size_t i = 0; i < n; i++) {
    uint32_t k = hm_map_get(&c->seen[kind], all[i]);
    out->met[i] = k == HM_MAP_NONE ? NULL : &c->met[kind][k];
  }
  return 0;
}

/* Those that are there now, but new ones only with more rows. some: room for all of them. */
static hm_str nearest(const known *all, const met *one, hm_known_name *some) {
  size_t n = 0;
  for (size_t i = 0; i < all->n; i++)
    if (!all->met[i] || all->met[i]->known || all->met[i]->rows > one->rows)
      some[n++] = all->names[i];
  return hm_near_name(one->name, some, n);
}

static int by_name(const void *x, const void *y) {
  const hm_new_name *a = x, *b = y;
  return a->kind != b->kind ? (int)a->kind - (int)b->kind : hm_str_cmp(a->name, b->name);
}

/* A store that had no project yet learns them all: then only a near one is worth a word. */
static int judge(hm_newcomers *c, hm_store *s, hm_name_kind kind, hm_arena *a, hm_new_name *out,
                 size_t *n, hm_err *err) {
  known all = { 0 };
  hm_project_names names;
  hm_project_names_init(&names, c->a);
  if (kind == HM_NAME_PROJECT && hm_project_names_read(s, c->a, &names, err)) return -1;
  hm_known_name *some = NULL;
  size_t looked_at = 0, compared = 0;
  for (size_t i = 0; i < c->n[kind]; i++) {
    const met *m = &c->met[kind][i];
    const hm_project_fit *fit = hm_project_names_find(&names, m->name);
    bool twofold = fit && fit->other.n, declared = m->known && !twofold;
    if (!declared && kind == HM_NAME_PROJECT && hm_names_declared(s, m->name, &declared, err))
      return -1;
    if (declared || (fit && !twofold)) continue;
    if (twofold) {
      out[(*n)++] = (hm_new_name){ kind, hm_str_dup(a, m->name), HM_EMPTY, m->rows,
                                   { hm_str_dup(a, fit->project), hm_str_dup(a, fit->other) } };
      continue;
    }
    if (!some && read_known(c, s, kind, c->a, &all, err)) return -1;
    if (!some) some = hm_alloc_array(c->a, all.n, sizeof *some);
    hm_new_name found = { kind, hm_str_dup(a, m->name), HM_EMPTY, m->rows, { HM_EMPTY, HM_EMPTY } };
    if (looked_at++ < LOOKED_AT && compared < COMPARED)
      found.nearest = hm_str_dup(a, nearest(&all, m, some));
    compared += all.n;
    if (found.nearest.n || (kind == HM_NAME_PROJECT && c->before[kind].n)) out[(*n)++] = found;
  }
  return 0;
}

int hm_newcomers_end(hm_newcomers *c, hm_store *s, hm_arena *a, hm_new_name **out, size_t *n,
                     hm_err *err) {
  size_t most = 0;
  for (int k = 0; k < HM_NAME_KINDS; k++) most += c->n[k];
  *out = hm_alloc_array(a, most, sizeof **out);
  *n = 0;
  for (int k = 0; k < HM_NAME_KINDS; k++)
    if (judge(c, s, (hm_name_kind)k, a, *out, n, err)) return -1;
  if (*n) qsort(*out, *n, sizeof **out, by_name);
  return 0;
}
