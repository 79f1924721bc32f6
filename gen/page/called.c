/* What conflicts are called: titles, files, and the keys by which they stand in lists. A slot's name is taken apart once, for the views that come
 * after, too. */
#include <stdlib.h>

#include "called.h"
#include "core/base/text.h"

typedef struct { hm_str slot_key, id, slug, path, title, name, list_key; } called;

/* Of the conflicts of the last view, in its order. */
struct hm_called_keep { hm_arena *a; called *v; size_t n; };

hm_called_keep *hm_called_keep_new(void) {
  hm_called_keep *k = hm_xmalloc(sizeof *k);
  *k = (hm_called_keep){ .a = hm_arena_new() };
  return k;
}

void hm_called_keep_free(hm_called_keep *k) {
  hm_arena_free(k->a);
  free(k);
}

size_t hm_called_keep_held(const hm_called_keep *k) { return hm_arena_held(k->a); }

/* --- one of them ------------------------------------------------------------- */

hm_str hm_list_key(hm_arena *a, hm_str title, hm_str id) {
  hm_str head = hm_text_name(a, title), nul = { "", 1 };
  return hm_str_join(a, (hm_str[]){ head, nul, id }, 3);
}

/* "p05 / lateral_support_material", "p05 / preference: workflow"; the name is what stands after the slash. */
static void set_title(const hm_view *v, hm_vconflict *c, hm_teller *teller, hm_arena *tmp) {
  hm_json *key = NULL;
  c->named = !v->any_hidden;
  if (hm_json_parse(tmp, c->rec->slot_key, &key, NULL) || key->type != HM_JSON_ARRAY || key->count < 2 || key->count > 3) {
    c->title = c->name = v->any_hidden ? HM_STR("(name withheld)") : hm_short(v->a, c->rec->slot_key, 200);
    return;
  }
  hm_str part[3] = { HM_EMPTY, HM_EMPTY, HM_EMPTY };
  size_t n = 0;
  for (const hm_json *e = key->child; e; e = e->next) part[n++] = e->text;
  hm_str project = part[0].n ? part[0] : HM_STR("global"), name = part[n - 1];
  c->named = hm_teller_may_name(teller, c, name);
  if (!c->named) name = HM_STR("(name withheld)");
  hm_buf b = { 0 };
  hm_buf_str(&b, hm_short(tmp, project, 120));
  hm_buf_c(&b, " / ");
  size_t head = b.n;
  if (n == 3) hm_buf_str(&b, hm_short(tmp, part[1], 120)), hm_buf_c(&b, ": ");
  hm_buf_str(&b, hm_short(tmp, name, 200));
  c->title = hm_buf_keep(&b, v->a);
  c->name = hm_str_sub(c->title, head, c->title.n);
  hm_buf_free(&b);
}

/* --- all of them --------------------------------------------------------------- */

static hm_str path_of(const hm_view *v, hm_str slug) {
  return hm_str_join(v->a, (hm_str[]){ HM_STR("conflicts/"), slug, HM_STR(".md") }, 3);
}

static void name_files(hm_view *v, hm_arena *tmp) {
  static const char *const reserved[] = { "readme", "index", "archive", NULL };
  hm_named *names = hm_alloc_array(tmp, v->n_conflicts + 1, sizeof *names);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    names[i] = (hm_named){ .name = v->conflicts[i].rec->id, .id = v->conflicts[i].rec->id };
  hm_slugs(names, v->n_conflicts, reserved, v->a);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    v->conflicts[i].slug = names[i].slug;
    v->conflicts[i].path = path_of(v, names[i].slug);
  }
}

static int by_place(const called *k, const hm_conflict_rec *c) {
  int d = hm_str_cmp(k->slot_key, c->slot_key);
  return d ? d : hm_str_cmp(k->id, c->id);
}

static void take(hm_vconflict *c, const called *from) {
  c->slug = from->slug;
  c->path = from->path;
  c->title = from->title;
  c->name = from->name;
  c->list_key = from->list_key;
  c->named = true;
}

/* The title follows from the slot's name alone, and the key from both. Returns how many conflicts were called before. */
static size_t recall(hm_view *v, const hm_called_keep *k) {
  size_t met = 0;
  for (uint32_t i = 0, at = 0; k && i < v->n_conflicts; i++) {
    hm_vconflict *c = &v->conflicts[i];
    while (at < k->n && by_place(&k->v[at], c->rec) < 0) at++;
    if (at == k->n || by_place(&k->v[at], c->rec) != 0) continue;
    take(c, &k->v[at]);
    met++;
  }
  return met;
}

/* And calls them by what is kept from now on: what was kept goes. */
static void remember(hm_view *v, hm_called_keep *k) {
  hm_arena *a = hm_arena_new();
  called *all = hm_alloc_array(a, v->n_conflicts + 1, sizeof *all);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    hm_vconflict *c = &v->conflicts[i];
    hm_str title = hm_str_dup(a, c->title);
    all[i] = (called){ .slot_key = hm_str_dup(a, c->rec->slot_key), .id = hm_str_dup(a, c->rec->id), .slug = hm_str_dup(a, c->slug),
                       .path = hm_str_dup(a, c->path), .title = title, .name = hm_str_sub(title, title.n - c->name.n, title.n),
                       .list_key = hm_str_dup(a, c->list_key) };
    take(c, &all[i]);
  }
  hm_arena_free(k->a);
  *k = (hm_called_keep){ a, all, v->n_conflicts };
}

/* A file's name depends on all that are there; what is left out, on whom one may speak of. */
void hm_view_called(hm_view *v, hm_arena *tmp) {
  hm_called_keep *k = v->any_hidden ? NULL : hm_view_called_keep(v);
  size_t met = recall(v, k);
  if (k && met == v->n_conflicts && met == k->n) return;
  name_files(v, tmp);
  hm_teller *teller = hm_teller_new(v, tmp);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    hm_vconflict *c = &v->conflicts[i];
    if (c->title.n) continue;
    set_title(v, c, teller, tmp);
    c->list_key = hm_list_key(v->a, c->title, c->rec->id);
  }
  if (k) remember(v, k);
}
