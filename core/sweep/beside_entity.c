/* May an entity that was written be found beside a held sweep (beside.h)? A new one of which no
 * other row knows, and that names none: all that it changes is then in its own slots. */
#include <string.h>

#include "core/claim/belongs.h"
#include "core/claim/slot.h"
#include "core/sweep/beside_impl.h"

static bool contains(hm_str text, hm_str id) {
  return id.n && text.n >= id.n && memmem(text.p, text.n, id.p, id.n);
}

/* Could the row name one with this id? By a column, or by a property of an entity. */
static bool may_name(const hm_row *r, hm_str id) {
  for (hm_naming by = 0; by < HM_N_NAMES; by++)
    if (contains(hm_row_naming(r, by), id))
      return true;
  return r->layer == HM_ENTITY && contains(r->props, id);
}

hm_str hm_beside_names_of(const hm_row *r, hm_arena *a) {
  hm_buf b = { 0 };
  for (hm_naming by = 0; by < HM_N_NAMES; by++) {
    hm_buf_str(&b, hm_row_naming(r, by));
    hm_buf_ch(&b, '\n');
  }
  if (r->layer == HM_ENTITY)
    hm_buf_str(&b, r->props);
  hm_str out = hm_str_dup(a, (hm_str){ b.p, b.n });
  hm_buf_free(&b);
  return out;
}

static bool is_named(const hm_beside_search *f, const hm_row *entity) {
  for (size_t i = 0; i < f->base->n_rows; i++)
    if (may_name(&f->base->rows[i], entity->id))
      return true;
  for (size_t i = 0; i < f->b->n; i++)
    if (contains(f->b->rows[i].names, entity->id))
      return true;
  for (size_t i = 0; i < f->now->n_rows; i++)
    if (&f->now->rows[i] != entity && may_name(&f->now->rows[i], entity->id))
      return true;
  return false;
}

static bool is_entity(const hm_beside_search *f, hm_str id) {
  hm_row_name name = { HM_ENTITY, hm_str_starts(id, "entity:") ? hm_str_sub(id, 7, id.n) : id };
  return hm_snapshot_row(f->base, HM_ENTITY, name.id) != HM_MAP_NONE ||
      hm_snapshot_row(f->now, HM_ENTITY, name.id) != HM_MAP_NONE || hm_beside_newer_row(f, name);
}

static bool names_another(const hm_beside_search *f, const hm_row *entity, hm_arena *tmp) {
  for (hm_naming by = 0; by < HM_N_NAMES; by++)
    if (hm_row_naming(entity, by).n)
      return true;
  const hm_json *o = hm_json_parse_as(tmp, hm_str_trim(entity->props), HM_JSON_OBJECT);
  for (const hm_json *p = o ? o->child : NULL; p; p = p->next)
    if (p->type == HM_JSON_STRING && is_entity(f, p->text))
      return true;
  return false;
}

/* A type that the store brings anew could be the category of a state. */
static bool is_type_known(const hm_beside_search *f, const hm_row *entity) {
  const hm_snapshot *s = f->base;
  size_t i = s->first[HM_ENTITY];
  while (i < s->first[HM_ENTITY + 1] && !hm_str_eq(s->rows[i].type, entity->type))
    i++;
  return i < s->first[HM_ENTITY + 1];
}

bool hm_beside_takes_entity(const hm_beside_search *f, const hm_row *r) {
  hm_arena *tmp = hm_arena_new();
  bool is_new = hm_snapshot_row(f->base, r->layer, r->id) == HM_MAP_NONE &&
      !hm_beside_newer_row(f, (hm_row_name){ r->layer, r->id });
  /* Of other types a name is no identity: namesakes and lives decide (core/claim/things.h). */
  bool may = is_new && hm_entity_type_find(hm_entity_type_key(tmp, r->type)) &&
      !hm_row_is_part(r, tmp) && is_type_known(f, r) && !names_another(f, r, tmp) &&
      !is_named(f, r);
  hm_arena_free(tmp);
  return may;
}
