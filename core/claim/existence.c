/* Existence of entities: their properties, then the relations from them.
 *
 * Entities are read in chunks, by threads with memory of their own; the few relations that say when
 * something existed are sorted by the entity that they come from and read after that.
 * Cost: linear in entities and the bytes of their properties; a look at the type of each relation.
 * Source: existence.h. */
#include "core/claim/existence.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/claim/slot.h"

enum { CHUNK_ROWS = 4096, ERA_TEXT_MAX = 200 };
enum { PARTS = HM_WORD_ERA + 1, FAMILIES = HM_WORD_IN_USE + 1 };

/* One worker. */
typedef struct {
  hm_arena *a, *scratch;
  hm_str type; /* of the last entity, which most share, and its class */
  hm_existence_class is;
} reader;

typedef struct {
  const hm_snapshot *snap;
  const hm_rules *rules;
  hm_existences *out;
  reader *workers;
} reading;

static hm_window *window_of(const hm_bound *begin, const hm_bound *end, hm_arena *a) {
  hm_window *w = hm_alloc(a, sizeof *w);
  hm_window_of_bounds(begin, end, HM_TIME_MAX, w);
  return w;
}

static hm_window *moment_of(const hm_bound *at, hm_arena *a) {
  hm_window *w = hm_alloc(a, sizeof *w);
  hm_window_of_moment(at, w);
  return w;
}

/* Inverted windows, and those on two axes, hold never. */
static bool holds_ever(const hm_window *w) { return w && w->may_from < w->may_until; }

/* --- properties ------------------------------------------------------------------------ */

/* A value inside its list of one, or under the name of a date. */
static const hm_json *plain_value(const hm_json *v) {
  if (v->type == HM_JSON_ARRAY && v->count == 1)
    v = v->child;
  if (v->type != HM_JSON_OBJECT)
    return v;
  const hm_json *date = hm_json_get(v, "date");
  return date ? date : hm_json_get(v, "year");
}

static bool is_number(hm_str s) { return s.n && hm_skip_digits(s, 0) == s.n; }

/* A number beside an era is a year of it; a JSON number of one or two digits is a year. */
static bool read_time(const hm_world *world, const hm_json *v, hm_str era, reader *r,
                      hm_bound *out) {
  v = plain_value(v);
  if (!v || (v->type != HM_JSON_STRING && v->type != HM_JSON_NUMBER))
    return false;
  hm_str s = hm_str_trim(v->text), year = HM_EMPTY;
  if (is_number(s) && era.n)
    year = HM_CAT(r->scratch, era, HM_STR(".year_"), s);
  else if (is_number(s) && s.n < 3 && v->type == HM_JSON_NUMBER)
    year = hm_str_sub(HM_CAT(r->scratch, HM_STR("000"), s), s.n - 1, s.n + 3);
  bool is_read = (year.n && hm_bound_parse(world, year, out)) || hm_bound_parse(world, s, out);
  if (!is_read || !out->known)
    return false;
  if (out->text)
    out->text = hm_str_dup(r->a, (hm_str){ out->text, out->text_n }).p;
  return true;
}

/* What the properties of one entity give: the best word of each part and family. */
typedef struct {
  hm_bound at[PARTS][FAMILIES];
  const hm_time_word *by[PARTS][FAMILIES];
  hm_str name[PARTS][FAMILIES]; /* of the property, folded */
} times;

static void read_part(times *t, const hm_prop *p, const hm_time_word *w, const hm_world *world,
                      hm_str era, reader *r) {
  const hm_time_word **by = &t->by[w->part][w->family];
  hm_bound b;
  bool holds_still =
      w->part == HM_WORD_END && p->v->type == HM_JSON_STRING && hm_time_is_present(p->v->text);
  if ((*by && *by < w) || holds_still || !read_time(world, p->v, era, r, &b))
    return;
  /* `created` is mostly when the record was; in a story it is a year. */
  if (!strcmp(w->name, "created") && !b.axis && !b.vague && b.precision != HM_P_YEAR)
    return;
  *by = w;
  t->name[w->part][w->family] = p->name;
  t->at[w->part][w->family] = b;
}

static void read_times(times *t, const hm_json *object, const hm_world *world, reader *r) {
  const hm_prop *props = hm_props_collect(object, r->scratch);
  hm_str era = HM_EMPTY;
  *t = (times){ 0 };
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = 0; k < object->count; k++) {
      const hm_prop *p = &props[k];
      const hm_time_word *w = hm_time_word_find(p->name);
      if (!w || (w->part == HM_WORD_ERA) != !pass)
        continue;
      read_part(t, p, w, world, pass ? era : HM_EMPTY, r);
      if (!pass && t->by[HM_WORD_ERA][HM_WORD_STARTS] == w && p->v->type == HM_JSON_STRING)
        era = hm_str_trim(p->v->text);
    }
}

/* Of the first family that gives it, from `first` on; adds its word to the names. */
static hm_bound first_of(const times *t, hm_time_part part, int first, int until, hm_str *words,
                         hm_arena *a) {
  for (int f = first; f < until; f++) {
    if (!t->by[part][f])
      continue;
    *words = HM_CAT(a, *words, words->n ? HM_STR(", ") : HM_EMPTY, t->name[part][f]);
    return t->at[part][f];
  }
  return (hm_bound){ 0 };
}

static const hm_time_sources *said_by_words(hm_str words, hm_arena *a) {
  hm_time_sources *by = hm_alloc(a, sizeof *by);
  *by = (hm_time_sources){ .words = words };
  return by;
}

static void set_stated(hm_existence *x, const times *t, hm_arena *a) {
  int until = x->is == HM_IS_EVENT || x->is == HM_IS_ERA ? FAMILIES : HM_WORD_STARTS;
  hm_str words = HM_EMPTY;
  hm_bound begin = first_of(t, HM_WORD_BEGIN, 0, until, &words, a);
  hm_bound end = first_of(t, HM_WORD_END, 0, until, &words, a);
  x->is_born = t->by[HM_WORD_BEGIN][HM_WORD_BORN] || t->by[HM_WORD_END][HM_WORD_BORN];
  if (!begin.known && !end.known)
    return;
  x->stated = window_of(&begin, &end, a);
  x->stated_by = said_by_words(words, a);
  if (!holds_ever(x->stated))
    return;
  x->windows = x->stated;
  x->existed_by = x->stated_by;
  x->n = 1;
}

static void set_happened(hm_existence *x, const times *t, hm_arena *a) {
  hm_str words = HM_EMPTY;
  hm_bound begin = first_of(t, HM_WORD_BEGIN, HM_WORD_BEGINS, FAMILIES, &words, a);
  hm_bound end = first_of(t, HM_WORD_END, HM_WORD_BEGINS, FAMILIES, &words, a);
  hm_bound date = first_of(t, HM_WORD_DATE, 0, FAMILIES, &words, a);
  hm_bound era = first_of(t, HM_WORD_ERA, 0, FAMILIES, &words, a);
  const hm_window *w = NULL;
  if (date.known && !end.known)
    w = moment_of(&date, a);
  else if (date.known || begin.known || end.known)
    w = window_of(date.known ? &date : &begin, &end, a);
  else if (era.known)
    w = moment_of(&era, a);
  if (!holds_ever(w))
    return;
  x->happened = w;
  x->happened_by = said_by_words(words, a);
}

static void read_entity(const reading *g, uint32_t row, reader *r) {
  const hm_row *e = &g->snap->rows[row];
  hm_existence *x = &g->out->of[row - g->snap->first[HM_ENTITY]];
  hm_str props = hm_str_trim(e->props);
  times t;
  if (e->status != HM_ACTIVE)
    return;
  x->active = true;
  if (e->type.p != r->type.p || e->type.n != r->type.n) {
    r->type = e->type;
    r->is = hm_existence_class_of(hm_entity_type_key(r->scratch, e->type));
  }
  x->id = e->id;
  x->name = e->name.n ? e->name : e->id;
  x->is = r->is;
  x->world = hm_world_find(g->rules->worlds, g->snap->projects[e->project].id, props, r->scratch);
  /* Most entities have no property of a time, and are not parsed for one */
  bool parse = props.n > 2 && hm_props_may_say_time(props);
  const hm_json *object = parse ? hm_json_parse_as(r->scratch, props, HM_JSON_OBJECT) : NULL;
  if (object) {
    read_times(&t, object, x->world, r);
    set_stated(x, &t, r->a);
    set_happened(x, &t, r->a);
    /* An issue that is closed is what it was. */
    const hm_bound *end = &t.at[HM_WORD_END][HM_WORD_IN_USE], never = { 0 };
    if (x->is != HM_IS_TASK && end->known)
      x->in_use = window_of(&never, end, r->a);
  }
  hm_arena_reset(r->scratch);
}

static int read_chunk(void *ctx, size_t i, int worker) {
  const reading *g = ctx;
  size_t first = g->snap->first[HM_ENTITY] + i * CHUNK_ROWS, end = first + CHUNK_ROWS;
  if (end > g->snap->first[HM_ENTITY + 1])
    end = g->snap->first[HM_ENTITY + 1];
  for (; first < end; first++)
    read_entity(g, (uint32_t)first, &g->workers[worker]);
  return 0;
}

/* --- relations -------------------------------------------------------------------------- */

static bool says_time(hm_str type, bool *occurred) {
  char c = type.n ? (char)(type.p[0] | 0x20) : 0;
  *occurred = c == 'o';
  return (c == 'e' && hm_relation_type_is(type, "EXISTED_DURING")) ||
      (c == 'o' && hm_relation_type_is(type, "OCCURRED_DURING"));
}

/* The bounds of an era by its name: of world.yml, or a time such as 1066. */
static bool read_era_name(const hm_world *world, hm_str name, hm_bound b[2]) {
  return hm_bounds_parse(world, name, name, &b[0], &b[1]) == HM_WINDOW_OK &&
      (b[0].known || b[1].known);
}

bool hm_existence_leads_to_era(const hm_world *world, hm_str type, hm_str to) {
  bool occurred;
  hm_bound b[2];
  return says_time(type, &occurred) && read_era_name(world, hm_relation_entity_id(to), b);
}

/* The era that a relation leads to. eras_only: another thing that existed then is none. */
static bool read_era(const reading *g, const hm_existence *x, uint32_t relation, bool eras_only,
                     hm_bound b[2], hm_str *name, hm_time_source_list *by) {
  uint32_t to = hm_snapshot_named(g->snap, relation, HM_NAMES_TO);
  *name = hm_relation_entity_id(g->snap->rows[relation].to);
  if (to == HM_MAP_NONE)
    return read_era_name(x->world, *name, b);
  const hm_existence *era = hm_existence_find(g->out, to);
  if (!era)
    return false;
  const hm_window *w = holds_ever(era->stated) ? era->stated : era->happened;
  hm_str id = *name;
  *name = era->name;
  hm_time_source_list_add_row(by, to);
  if (w && eras_only && era->is != HM_IS_ERA)
    return false;
  if (w) {
    const hm_time_sources *said = w == era->stated ? era->stated_by : era->happened_by;
    b[0] = w->begin;
    b[1] = w->end;
    hm_time_source_list_add_words(by, said->words);
  }
  return w || read_era_name(x->world, era->name, b) || read_era_name(x->world, id, b);
}

static int by_begin(const void *x, const void *y) {
  const hm_window *a = x, *b = y;
  if (a->axis != b->axis)
    return a->axis < b->axis ? -1 : 1;
  if (a->may_from != b->may_from)
    return a->may_from < b->may_from ? -1 : 1;
  if (a->begin.last != b->begin.last)
    return a->begin.last < b->begin.last ? -1 : 1;
  return (a->may_until > b->may_until) - (a->may_until < b->may_until);
}

/* Makes one of those that touch or overlap; returns how many are left. */
static uint32_t merge_windows(hm_window *w, uint32_t n) {
  uint32_t kept = 0;
  if (n)
    qsort(w, n, sizeof *w, by_begin);
  for (uint32_t i = 1; i < n; i++) {
    hm_window *last = &w[kept];
    bool apart = last->axis != w[i].axis || hm_bound_before(&last->end, &w[i].begin) != HM_NO;
    if (apart) {
      w[++kept] = w[i];
      continue;
    }
    bool longer = !w[i].end.known || (last->end.known && w[i].end.last > last->end.last);
    hm_bound begin = last->begin, end = longer ? w[i].end : last->end;
    hm_window_of_bounds(&begin, &end, HM_TIME_MAX, last);
  }
  return n ? kept + 1 : 0;
}

/* One relation whose bounds nobody knows leaves all of the existence unknown. */
static void set_windows(const reading *g, hm_existence *x, const uint32_t *relations, size_t n,
                        hm_arena *a, hm_arena *scratch) {
  hm_window *w = hm_alloc_array(a, n, sizeof *w);
  bool known = true, by_era = false;
  hm_time_source_list by = { .snap = g->snap };
  for (size_t i = 0; i < n && known; i++) {
    const hm_row *r = &g->snap->rows[relations[i]];
    hm_time_source_list_add_row(&by, relations[i]);
    hm_bound b[2];
    hm_str name;
    const hm_world *world = hm_world_find_by_row(g->snap, g->rules->worlds, relations[i], scratch);
    known = hm_bounds_parse(world, r->valid_from, r->valid_until, &b[0], &b[1]) == HM_WINDOW_OK;
    if (known && !b[0].known && !b[1].known)
      by_era = known = read_era(g, x, relations[i], true, b, &name, &by);
    known = known && hm_window_of_bounds(&b[0], &b[1], HM_TIME_MAX, &w[i]);
  }
  x->existed_by = hm_time_source_list_finish(&by, a);
  known = known && x->existed_by;
  x->windows = known ? w : NULL;
  x->n = known ? merge_windows(w, (uint32_t)n) : 0;
  x->by_era = by_era;
}

/* Some time in the eras, from the begin of the first to the end of the last. */
static void set_eras(const reading *g, hm_existence *x, const uint32_t *relations, size_t n,
                     hm_arena *a) {
  hm_bound at = { .known = true, .vague = true, .first = HM_TIME_MAX, .last = HM_TIME_MIN };
  hm_str names = HM_EMPTY;
  hm_time_source_list by = { .snap = g->snap };
  for (size_t i = 0; i < n; i++) {
    hm_time_source_list_add_row(&by, relations[i]);
    hm_bound b[2];
    hm_str name;
    hm_time first, until;
    if (!read_era(g, x, relations[i], false, b, &name, &by))
      return;
    uint16_t axis = b[0].known ? b[0].axis : b[1].axis;
    if (i && axis != at.axis)
      return;
    hm_axis_range(axis, &first, &until);
    first = b[0].known ? b[0].first : first;
    until = b[1].known ? b[1].last - (b[1].first == b[1].last) : until - 1;
    if (first < at.first)
      at.first = first;
    if (until > at.last)
      at.last = until;
    at.axis = axis;
    at.era = n == 1 && b[0].known ? b[0].era : 0;
    if (names.n < ERA_TEXT_MAX)
      names = names.n ? HM_CAT(a, names, HM_STR(", "), name) : name;
  }
  names = hm_text_cut(hm_text_repair(a, names), ERA_TEXT_MAX);
  at.text = names.p;
  at.text_n = (uint8_t)names.n;
  const hm_time_sources *said = hm_time_source_list_finish(&by, a);
  if (at.first > at.last || !said)
    return;
  x->happened = moment_of(&at, a);
  x->happened_by = said;
}

/* Those of an entity that say when it existed, or when it occurred, in out; returns their number.
 */
static size_t list_relations(const hm_snapshot *snap, const hm_row_graph *graph, uint32_t row,
                             bool occurrences, uint32_t *out) {
  size_t n = 0;
  for (uint32_t i = graph->first[row]; i < graph->first[row + 1]; i++) {
    const hm_namer *x = &graph->namers[i];
    bool occurred;
    if (x->by != HM_NAMES_FROM || snap->rows[x->of].status != HM_ACTIVE)
      continue;
    if (says_time(snap->rows[x->of].type, &occurred) && occurred == occurrences)
      out[n++] = x->of;
  }
  return n;
}

typedef struct {
  hm_existence *at, is;
} change;

static void read_relations(const reading *g, const hm_row_graph *graph, hm_arena *a) {
  const hm_snapshot *snap = g->snap;
  change *v = NULL;
  size_t n = 0, cap = 0;
  hm_arena *scratch = hm_arena_new();
  for (size_t row = snap->first[HM_ENTITY]; row < snap->first[HM_ENTITY + 1]; row++) {
    hm_existence *x = &g->out->of[row - snap->first[HM_ENTITY]];
    size_t namers = graph->first[row + 1] - graph->first[row];
    if (!x->active || !namers)
      continue;
    change c = { x, *x };
    uint32_t *relations = hm_alloc_array(scratch, namers, sizeof *relations);
    size_t existed = list_relations(snap, graph, (uint32_t)row, false, relations);
    if (existed)
      set_windows(g, &c.is, relations, existed, a, scratch);
    size_t occurred = list_relations(snap, graph, (uint32_t)row, true, relations);
    if (occurred && !x->happened)
      set_eras(g, &c.is, relations, occurred, a);
    if (existed || occurred) {
      v = hm_array_grow(v, n, &cap, sizeof *v);
      v[n++] = c;
    }
    hm_arena_reset(scratch);
  }
  /* Only now: an era is what its properties say. */
  for (size_t i = 0; i < n; i++)
    *v[i].at = v[i].is;
  hm_arena_free(scratch);
  free(v);
}

/* --- all ----------------------------------------------------------------------------------- */

void hm_existences_build(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_arena *a,
                         hm_existences *out) {
  size_t n = snap->first[HM_ENTITY + 1] - snap->first[HM_ENTITY], failed;
  if (threads < 1)
    threads = 1;
  reading g = { .snap = snap, .rules = rules, .out = out };
  *out = (hm_existences){ snap, hm_alloc_array(a, n, sizeof *out->of) };
  g.workers = hm_alloc_array(a, (size_t)threads, sizeof *g.workers);
  for (int i = 0; i < threads; i++)
    g.workers[i] = (reader){ .a = hm_arena_new(), .scratch = hm_arena_new() };
  hm_par_for((n + CHUNK_ROWS - 1) / CHUNK_ROWS, threads, read_chunk, &g, &failed);
  for (int i = 0; i < threads; i++) {
    hm_arena_merge(a, g.workers[i].a);
    hm_arena_free(g.workers[i].scratch);
  }
  hm_arena *tmp = hm_arena_new();
  read_relations(&g, hm_snapshot_graph(snap, threads, tmp), a);
  hm_arena_free(tmp);
}

const hm_existence *hm_existence_find(const hm_existences *x, uint32_t row) {
  const hm_snapshot *s = x->snap;
  if (row == HM_MAP_NONE || row < s->first[HM_ENTITY] || row >= s->first[HM_ENTITY + 1])
    return NULL;
  const hm_existence *e = &x->of[row - s->first[HM_ENTITY]];
  return e->active ? e : NULL;
}

/* --- answers -------------------------------------------------------------------------------- */

/* Its own windows first; of what is born by its properties, and of a being by either. */
static const hm_window *life_of(const hm_existence *x, bool last) {
  bool own = x->n && x->windows != x->stated && !x->by_era;
  if (!x->is_born && x->is != HM_IS_BEING)
    return NULL;
  return own ? &x->windows[last ? x->n - 1 : 0] : holds_ever(x->stated) ? x->stated : NULL;
}

const hm_bound *hm_existence_bound(const hm_existence *x, bool last) {
  if (!x || !x->n)
    return NULL;
  const hm_window *w = x->by_era && holds_ever(x->stated) ? x->stated : NULL;
  const hm_bound *stated = !w ? NULL : last ? &w->end : &w->begin;
  if (stated && stated->known)
    return stated;
  return last ? &x->windows[x->n - 1].end : &x->windows[0].begin;
}

hm_bound hm_existence_end(const hm_existence *x, uint16_t axis) {
  const hm_bound *end = hm_existence_bound(x, true);
  if (end && end->known)
    return end->axis == axis ? *end : (hm_bound){ 0 };
  bool used = x && x->in_use && x->in_use->axis == axis;
  return used ? x->in_use->end : (hm_bound){ 0 };
}

const hm_existence *hm_existence_ending_window(const hm_existences *x, const hm_window *w) {
  return x && x->of && w->ends_with ? &x->of[w->ends_with - 1] : NULL;
}

const char *hm_existence_end_word(const hm_existence *x) {
  return x->is_born || x->is == HM_IS_BEING ? "death" : "end";
}

void hm_existence_birth(const hm_existence *x, hm_bound *out) {
  const hm_window *w = life_of(x, false);
  *out = w ? w->begin : (hm_bound){ 0 };
}

void hm_existence_death(const hm_existence *x, hm_bound *out) {
  const hm_window *w = life_of(x, true);
  *out = w ? w->end : (hm_bound){ 0 };
}

const hm_time_sources *hm_existence_life_sources(const hm_existence *x) {
  const hm_window *w = life_of(x, false);
  return !w ? NULL : w == x->stated ? x->stated_by : x->existed_by;
}

hm_existed hm_existed_at(const hm_window *time, bool throughout, unsigned bounds,
                         const hm_window *windows, size_t n) {
  hm_certainty best = HM_NO;
  if (!n)
    return HM_EXISTED;
  hm_window all = windows[0];
  all.end = windows[n - 1].end;
  if (!(bounds & HM_ITS_BEGIN))
    all.begin = (hm_bound){ .axis = all.axis };
  if (!(bounds & HM_ITS_END))
    all.end = (hm_bound){ .axis = all.axis };
  for (size_t i = 0; i < n; i++) {
    if (windows[i].axis != time->axis)
      return HM_EXISTED;
    const hm_window *w = bounds == HM_BOTH_ENDS ? &windows[i] : &all;
    hm_certainty answer = hm_window_was_there(time, throughout, w);
    if (answer > best)
      best = answer;
  }
  if (best != HM_NO)
    return best == HM_CERTAIN ? HM_EXISTED : HM_MAY_HAVE_EXISTED;
  bool before = hm_bound_before(&time->end, &all.begin) == HM_CERTAIN;
  bool after = hm_bound_before(&all.end, &time->begin) == HM_CERTAIN;
  if (throughout) {
    before = before || hm_bound_before(&time->begin, &all.begin) == HM_CERTAIN;
    after = after || hm_bound_before(&all.end, &time->end) == HM_CERTAIN;
  }
  return before == after ? HM_EXISTED_DURING_MISMATCH
      : before           ? HM_EXISTED_BEFORE
                         : HM_EXISTED_AFTER;
}
