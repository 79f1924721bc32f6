/* Places the eras of world.yml on their axes.
 *
 * Eras are placed in file order, so each may name those above it. Eras without begin, end and
 * parent follow each other on the world's own axis; one without a last unit gets room for
 * HM_ERA_UNITS_MAX, which none of its times can exceed.
 * Cost: quadratic in the eras of a world, once per run.
 * Source: world.h. */
#include "core/claim/world.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/claim/world_impl.h"

enum { ERAS_MAX = 1000 };

struct hm_worlds {
  hm_world *v;
  size_t n;
  hm_str *eras;
  size_t n_eras;
  hm_str digest;
};

/* Worlds while they are read. */
typedef struct {
  hm_arena *a;
  hm_worlds *out;
  hm_world_fault *fault;
  size_t era; /* the entry that is being placed */
  hm_world *w;
  hm_time next; /* free on the world's own axis */
} placing;

static bool bad_era(placing *p, const char *key, const char *why, const char *fix) {
  *p->fault = (hm_world_fault){ true, p->era, key, why, fix };
  return false;
}

/* --- one era ------------------------------------------------------------------------ */

/* A begin or an end: a bound, or the number of a unit of its own. */
static bool read_limit(placing *p, const hm_era *e, hm_str text, const char *key, hm_bound *out,
                       int *number) {
  static const char why[] = "neither a date, nor a time of an era above, nor a unit of its own";
  static const char fix[] = "write 1837, 2nd_age.year_3441 or year_1";
  *out = (hm_bound){ 0 };
  hm_str trimmed = hm_str_trim(text), unit;
  if (!trimmed.n)
    return true;
  /* "year_345" without an era: a unit of the era itself */
  if (hm_era_unit_parse(trimmed, &unit, number) && hm_era_name_eq(unit, e->unit))
    return true;
  return hm_bound_parse(p->w, text, out) || bad_era(p, key, why, fix);
}

static hm_bound exact_bound(hm_time t, uint16_t axis, hm_str name) {
  return (hm_bound){ .known = true,
                     .precision = HM_P_FRACTION,
                     .first = t,
                     .last = t,
                     .axis = axis,
                     .text = name.p,
                     .text_n = (uint8_t)name.n };
}

/* After what is on the world's own axis. */
static void place_next(placing *p, hm_era *e) {
  hm_time units = e->is_measured ? e->last_unit - e->first_unit + 1 : HM_ERA_UNITS_MAX;
  e->axis = p->w->axis;
  e->on_own_axis = e->is_counted = p->w->has_own_axis = true;
  e->begins = exact_bound(p->next, e->axis, e->name);
  p->next += units * HM_ERA_TICK;
  e->ends = exact_bound(p->next, e->axis, e->name);
  e->first = e->begins.first;
  e->last = p->next - 1;
}

/* Are units of this name counted where it begins? */
static bool has_step(const hm_world *w, hm_era *e) {
  if (!e->axis)
    return hm_precision_parse(e->unit, &e->step) && e->step <= HM_P_DAY;
  for (size_t i = 0; i < w->n; i++) {
    const hm_era *o = &w->eras[i];
    if (o->on_own_axis && o->first <= e->begins.first && e->begins.first <= o->last)
      return hm_era_name_eq(o->unit, e->unit);
  }
  return false;
}

/* Places it by its begin, its end, or both; a missing one is its parent's. */
static bool place_at(placing *p, hm_era *e, const hm_era *parent) {
  e->axis = e->begins.known ? e->begins.axis : e->ends.axis;
  if (e->begins.known && e->ends.known && e->ends.axis != e->axis)
    return bad_era(p, "ends", "on another calendar than its begin", "write both alike");
  hm_time first = HM_DATES_FIRST, until = HM_DATES_LAST;
  if (e->axis)
    hm_axis_range(e->axis, &first, &until);
  bool within = parent && parent->axis == e->axis;
  e->first = e->begins.known ? e->begins.first : within ? parent->first : first;
  e->is_counted = e->begins.known && !e->begins.era && has_step(p->w, e);
  if (e->is_measured && e->is_counted && !e->ends.known) {
    int64_t units = (int64_t)e->last_unit - e->first_unit + 1;
    e->ends = exact_bound(hm_era_later(e, e->begins.first, units), e->axis, e->name);
    if (e->begins.vague)
      e->ends.last = hm_era_later(e, e->begins.last + 1, units) - 1;
    e->ends.vague = e->begins.vague;
  }
  bool is_exact = e->ends.first == e->ends.last;
  e->last = e->ends.known ? e->ends.last - is_exact : within ? parent->last : until - 1;
  return e->first <= e->last || bad_era(p, "ends", "it ends before it begins", NULL);
}

static bool place_era(placing *p, const hm_era_text *t) {
  hm_world *w = p->w;
  hm_str unit = hm_str_trim(t->unit), parent_name = hm_str_trim(t->parent);
  hm_era *e = &w->eras[w->n];
  *e = (hm_era){ .name = hm_str_trim(t->era),
                 .unit = unit.n ? unit : HM_STR("year"),
                 .first_unit = -1,
                 .last_unit = -1 };
  const hm_era *parent = parent_name.n ? hm_world_era(w, parent_name) : NULL;
  if (!hm_era_name_ok(e->name))
    return bad_era(p, "era", "not a name of an era",
                   "use letters, digits and _, at most 64 bytes, and not 'current'");
  if (hm_world_era(w, e->name))
    return bad_era(p, "era", "this era was given before", NULL);
  if (parent_name.n && !parent)
    return bad_era(p, "parent", "no era above has this name", "put the parent above it");
  if (!read_limit(p, e, t->begins, "begins", &e->begins, &e->first_unit) ||
      !read_limit(p, e, t->ends, "ends", &e->ends, &e->last_unit))
    return false;
  bool is_placed = e->begins.known || e->ends.known;
  e->is_measured = e->last_unit >= 0;
  if (e->first_unit < 0)
    e->first_unit = is_placed || e->is_measured;
  int most = is_placed ? HM_PLACED_UNITS_MAX : HM_ERA_UNITS_MAX;
  if (!e->is_measured)
    e->last_unit = e->first_unit + most - 1;
  if (e->last_unit - e->first_unit >= most)
    return bad_era(p, "ends", "too many units", "at most 100,000 after a date, else 10,000,000");
  if (e->last_unit < e->first_unit)
    return bad_era(p, "ends", "it ends before it begins", NULL);
  if (is_placed) {
    if (!place_at(p, e, parent))
      return false;
  } else if (parent) {
    e->axis = parent->axis;
    e->first = parent->first;
    e->last = parent->last;
    e->unplaced = (uint16_t)(1 + (e - w->eras)); /* somewhere in its parent */
  } else {
    place_next(p, e);
  }
  p->out->eras[p->out->n_eras++] = e->name;
  w->n++;
  return true;
}

/* --- worlds ---------------------------------------------------------------------------- */

static hm_world *find_world(const hm_worlds *worlds, hm_str name) {
  for (size_t i = 0; i < worlds->n; i++)
    if (hm_era_name_eq(worlds->v[i].name, name))
      return &worlds->v[i];
  return NULL;
}

static bool add_world(placing *p, const hm_world_text *t) {
  hm_worlds *out = p->out;
  if (out->n == HM_AXES_MAX) {
    p->fault->why = "too many worlds: at most 256";
    return false;
  }
  hm_allowances allows = hm_world_allows(NULL);
  if (t->approximate >= 0)
    allows.approximate = t->approximate;
  if (t->parent_age >= 0)
    allows.parent_age = t->parent_age;
  if (t->born_after_death >= 0)
    allows.born_after_death = t->born_after_death;
  allows.parents_differ = t->parents_differ;
  out->n++;
  out->v[out->n - 1] =
      (hm_world){ .name = hm_str_trim(t->world), .axis = (uint16_t)out->n, .allows = allows };
  return true;
}

/* Those that have an entry, then those that only eras name. */
static bool add_worlds(placing *p, const hm_world_text *worlds, size_t n, const hm_era_text *eras,
                       size_t n_eras) {
  for (size_t i = 0; i < n; i++) {
    *p->fault = (hm_world_fault){ false, i, "world", "this world was given before", NULL };
    if (find_world(p->out, hm_str_trim(worlds[i].world)) || !add_world(p, &worlds[i]))
      return false;
  }
  for (size_t i = 0; i < n_eras; i++) {
    hm_world_text t = { eras[i].world, HM_EMPTY, -1, -1, -1, false };
    *p->fault = (hm_world_fault){ true, i, "world", NULL, NULL };
    if (!find_world(p->out, hm_str_trim(t.world)) && !add_world(p, &t))
      return false;
  }
  return true;
}

static bool place_eras(placing *p, const hm_era_text *eras, size_t n) {
  size_t count = 0;
  hm_time until;
  for (size_t i = 0; i < n; i++)
    count += hm_era_name_eq(hm_str_trim(eras[i].world), p->w->name);
  p->w->eras = hm_alloc_array(p->a, count, sizeof *p->w->eras);
  hm_axis_range(p->w->axis, &p->next, &until);
  for (size_t i = 0; i < n; i++) {
    if (!hm_era_name_eq(hm_str_trim(eras[i].world), p->w->name))
      continue;
    p->era = i;
    if (count > ERAS_MAX)
      return bad_era(p, "world", "too many eras in this world: at most 1,000", NULL);
    if (!place_era(p, &eras[i]))
      return false;
  }
  return true;
}

static void digest_texts(hm_worlds *out, const hm_world_text *worlds, size_t n,
                         const hm_era_text *eras, size_t n_eras, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < n; i++) {
    const hm_world_text *t = &worlds[i];
    hm_sha256_field(&h, t->world);
    hm_sha256_field(&h, t->current);
    hm_sha256_field(&h,
                    hm_str_fmt(a, "%d %d %d %d", t->approximate, t->parent_age, t->born_after_death,
                               t->parents_differ));
  }
  for (size_t i = 0; i < n_eras; i++) {
    const hm_era_text *t = &eras[i];
    const hm_str fields[] = { t->world, t->era, t->parent, t->begins, t->ends, t->unit };
    for (size_t k = 0; k < HM_COUNT(fields); k++)
      hm_sha256_field(&h, fields[k]);
  }
  out->digest = hm_sha256_hex(&h, a, 16);
}

bool hm_worlds_new(hm_arena *a, const hm_world_text *worlds, size_t n_worlds,
                   const hm_era_text *eras, size_t n_eras, hm_worlds **out, hm_world_fault *fault) {
  placing p = { .a = a, .out = hm_alloc(a, sizeof *p.out), .fault = fault };
  *p.out = (hm_worlds){ .v = hm_alloc_array(a, HM_AXES_MAX, sizeof *p.out->v),
                        .eras = hm_alloc_array(a, n_eras + 1, sizeof *p.out->eras) };
  p.out->eras[p.out->n_eras++] = HM_STR("current");
  if (!add_worlds(&p, worlds, n_worlds, eras, n_eras))
    return false;
  for (size_t i = 0; i < p.out->n; i++) {
    p.w = &p.out->v[i];
    if (!place_eras(&p, eras, n_eras))
      return false;
    if (i >= n_worlds || !hm_str_trim(worlds[i].current).n)
      continue;
    *fault = (hm_world_fault){ false, i, "current", "no time in this world",
                               "write a date, or a time of one of its eras" };
    if (!hm_bound_parse(p.w, worlds[i].current, &p.w->current) || !p.w->current.known)
      return false;
  }
  digest_texts(p.out, worlds, n_worlds, eras, n_eras, a);
  *out = p.out;
  return true;
}

hm_str hm_world_name_from_props(hm_str project, hm_str props, hm_arena *scratch) {
  if (!props.n || !memmem(props.p, props.n, "\"world\"", 7))
    return project;
  const hm_json *json = hm_json_parse_as(scratch, props, HM_JSON_OBJECT);
  hm_str name = hm_str_trim(hm_json_get_text(json, "world"));
  return name.n ? name : project;
}

const hm_world *hm_world_find(const hm_worlds *worlds, hm_str project, hm_str props,
                              hm_arena *scratch) {
  return worlds ? find_world(worlds, hm_world_name_from_props(project, props, scratch)) : NULL;
}

const hm_world *hm_world_find_by_row(const hm_snapshot *snap, const hm_worlds *worlds, uint32_t row,
                                     hm_arena *scratch) {
  const hm_row *r = &snap->rows[row];
  if (!worlds || r->project >= snap->n_projects)
    return NULL;
  hm_str project = snap->projects[r->project].id;
  hm_str name = hm_world_name_from_props(project, r->props, scratch);
  if (r->layer == HM_RELATION && !name.n) {
    uint32_t from = hm_snapshot_named(snap, row, HM_NAMES_FROM);
    if (from != HM_MAP_NONE && snap->rows[from].layer != HM_RELATION)
      return hm_world_find_by_row(snap, worlds, from, scratch);
  }
  return find_world(worlds, name);
}

hm_str hm_worlds_digest(const hm_worlds *worlds) { return worlds ? worlds->digest : HM_EMPTY; }

const hm_str *hm_worlds_list_era_names(const hm_worlds *worlds, size_t *n) {
  *n = worlds ? worlds->n_eras : 0;
  return worlds ? worlds->eras : NULL;
}

size_t hm_world_list_era_places(const hm_world *world, hm_arena *a, const hm_era_place **out) {
  size_t n = 0;
  hm_era_place *places = hm_alloc_array(a, world ? world->n + 1 : 1, sizeof *places);
  for (size_t i = 0; world && i < world->n; i++) {
    const hm_era *e = &world->eras[i];
    if (!e->on_own_axis)
      continue;
    places[n++] = (hm_era_place){ .name = e->name,
                                  .unit = e->unit,
                                  .first = e->first,
                                  .last = e->last,
                                  .tick = HM_ERA_TICK,
                                  .first_unit = e->first_unit,
                                  .is_measured = e->is_measured };
  }
  *out = places;
  return n;
}

const hm_world *hm_world_of_axis(const hm_worlds *worlds, uint16_t axis) {
  return worlds && axis && axis <= worlds->n ? &worlds->v[axis - 1] : NULL;
}
