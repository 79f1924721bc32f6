/* What conflicts are called: titles, files, and the keys by which they stand in lists. */
#include "called.h"
#include "core/base/text.h"

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

void hm_view_called(hm_view *v, hm_arena *tmp) {
  name_files(v, tmp);
  hm_teller *teller = hm_teller_new(v, tmp);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    hm_vconflict *c = &v->conflicts[i];
    set_title(v, c, teller, tmp);
    c->list_key = hm_list_key(v->a, c->title, c->rec->id);
  }
}
