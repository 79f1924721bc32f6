/* Timelines of entities and of conflicts between relations: windows to bars on one axis.
 *
 * A page of an entity has its existence and its relations, by kind; a page of a conflict has its
 * sides. What counts time by another calendar than most of them is left to the tables beside it,
 * and so is what has no time. What a bar contests is the time at which it certainly holds together
 * with one that contradicts it. An axis of eras leaves out the end of an era of which nobody says
 * how long it was. Nothing here depends on now.
 * A drawing has the first BARS lines and says how many it leaves out.
 * Cost: bounded a page: BARS bars, PARTIES sides of a dispute for each; a look at the windows of
 * what is left out. */
#include <stdlib.h>

#include "core/base/text.h"
#include "gen/draw/timeline.h"
#include "model.h"

enum { BARS = 60, PARTIES = 64, SPANS = 8, LABEL_BYTES = 60, STEPS = 6, BREAKS = 8 };

typedef struct {
  hm_str label;
  bool heading, life;
  hm_window w;
  hm_draw_span spans[SPANS];
  struct {
    hm_time from, until;
  } contested[SPANS];
  size_t n_spans;
} bar;

typedef struct {
  hm_pm *m;
  bar *bars;
  size_t n, more; /* drawn, left out since there are BARS */
  const hm_world *world; /* of the axis */
  uint16_t axis;
  hm_time lo, hi; /* what the axis shows, on it */
  struct {
    hm_time from, until;
  } breaks[BREAKS];
  size_t n_breaks;
} timeline;

/* --- bars --------------------------------------------------------------------------- */

static bar *add_bar(timeline *t, hm_str label, const hm_window *w) {
  if (t->n == BARS) {
    t->more += w != NULL;
    return NULL;
  }
  bar *b = &t->bars[t->n++];
  *b = (bar){ .label = hm_short(t->m->a, label, LABEL_BYTES), .heading = !w };
  if (w) b->w = *w;
  return b;
}

static hm_time stated_until(const hm_window *w) { return w->end.known ? w->until : HM_TIME_MAX; }

static void add_contested(bar *b, const hm_window *other) {
  const hm_window *own = &b->w;
  hm_time from = own->from > other->from ? own->from : other->from;
  hm_time x = stated_until(own), y = stated_until(other), until = x < y ? x : y;
  if (own->axis != other->axis || from >= until || b->n_spans == SPANS) return;
  size_t at = b->n_spans;
  for (; at && b->contested[at - 1].from > from; at--) b->contested[at] = b->contested[at - 1];
  b->contested[at].from = from;
  b->contested[at].until = until;
  b->n_spans++;
}

static bool are_pair(const hm_dispute *d, size_t x, size_t y, const hm_rules *rules) {
  if (!d->pairs) return hm_claim_disagree(d->parties[x].claim, d->parties[y].claim, rules, d->n);
  uint32_t lo = (uint32_t)(x < y ? x : y), hi = (uint32_t)(x < y ? y : x);
  for (size_t i = 0; i < d->n_pairs && i < PARTIES * PARTIES; i++)
    if (d->pairs[i].x == lo && d->pairs[i].y == hi) return true;
  return false;
}

/* What a party contests with those that it contradicts, as far as they are shown. */
static void contest(timeline *t, bar *b, const hm_dispute *d, size_t own) {
  const hm_view *v = t->m->v;
  for (size_t k = 0; k < d->n && k < PARTIES; k++) {
    const hm_claim *c = d->parties[k].claim;
    if (k == own || !c->when || !are_pair(d, own, k, v->rules) ||
        !hm_view_claim_shown(v, c->row, c->field, t->m->a))
      continue;
    add_contested(b, c->when);
  }
}

/* Bounds of which at least one is given; an exact pair that is no window is none. */
static bool is_drawn(const hm_window *w) { return w->begin.known || w->end.known; }

/* --- the axis ------------------------------------------------------------------------- */

/* That of most bars; of as many, that of dates. */
static void choose_axis(timeline *t) {
  uint32_t n[HM_AXES_MAX + 1] = { 0 };
  for (size_t i = 0; i < t->n; i++)
    if (!t->bars[i].heading) n[t->bars[i].w.axis]++;
  for (uint16_t x = 0; x <= HM_AXES_MAX; x++)
    if (n[x] > n[t->axis]) t->axis = x;
}

static void widen(timeline *t, const hm_bound *b, bool vague) {
  if (!b->known || b->vague != vague) return;
  bool none = t->lo > t->hi;
  if (vague && !none &&
      (b->last < t->lo || b->first > t->hi ||
       (__int128)b->last - b->first > 2 * ((__int128)t->hi - t->lo)))
    return;
  if (none || b->first < t->lo) t->lo = b->first;
  if (none || b->last > t->hi) t->hi = b->last;
}

/* The rest of eras of which nobody says how long they were, behind all that is drawn in them. */
static void find_breaks(timeline *t) {
  const hm_era_place *eras;
  size_t n = t->axis ? hm_world_places(t->world, t->m->a, &eras) : 0;
  for (size_t i = 0; i < n && t->n_breaks < BREAKS; i++) {
    if (eras[i].is_measured || eras[i].last >= t->hi || eras[i].last < t->lo) continue;
    hm_time used = eras[i].first > t->lo ? eras[i].first : t->lo;
    for (size_t k = 0; k < t->n; k++) {
      const hm_bound *b[] = { &t->bars[k].w.begin, &t->bars[k].w.end };
      for (int e = 0; e < 2 && t->bars[k].w.axis == t->axis && !t->bars[k].heading; e++)
        if (b[e]->known && b[e]->last <= eras[i].last - eras[i].tick && b[e]->last > used)
          used = b[e]->last;
    }
    used += (used - t->lo) / 20 + 10 * eras[i].tick;
    if (used >= eras[i].last) continue;
    t->breaks[t->n_breaks].from = used;
    t->breaks[t->n_breaks++].until = eras[i].last;
  }
}

/* Without what the breaks leave out, from lo on. */
static __int128 length_to(const timeline *t, hm_time at) {
  __int128 n = (__int128)at - t->lo;
  for (size_t i = 0; i < t->n_breaks; i++) {
    if (at <= t->breaks[i].from) break;
    n -= (__int128)(at < t->breaks[i].until ? at : t->breaks[i].until) - t->breaks[i].from;
  }
  return n;
}

static int place(const timeline *t, hm_time at) {
  if (at <= t->lo) return 0;
  if (at >= t->hi) return HM_DRAW_WIDTH;
  return (int)(length_to(t, at) * HM_DRAW_WIDTH / length_to(t, t->hi));
}

/* false: no bar has a time. */
static bool set_axis(timeline *t) {
  const hm_time day = (hm_time)86400 * 1000000;
  t->lo = HM_TIME_MAX, t->hi = HM_TIME_MIN;
  for (int vague = 0; vague < 2; vague++)
    for (size_t i = 0; i < t->n; i++)
      if (!t->bars[i].heading && t->bars[i].w.axis == t->axis) {
        widen(t, &t->bars[i].w.begin, vague);
        widen(t, &t->bars[i].w.end, vague);
      }
  if (t->lo > t->hi) return false;
  find_breaks(t);
  __int128 pad = length_to(t, t->hi) / 25;
  if (pad < 2) pad = t->axis ? 1 : day;
  __int128 lo = t->lo - pad, hi = t->hi + pad;
  t->lo = lo < -HM_TIME_MAX ? -HM_TIME_MAX : (hm_time)lo;
  t->hi = hi > HM_TIME_MAX - 1 ? HM_TIME_MAX - 1 : (hm_time)hi;
  return true;
}

/* --- its marks ------------------------------------------------------------------------- */

typedef struct {
  hm_draw_tick *v;
  size_t n;
} ticks;

/* Of two that are near each other the beginning of an era stays, and the later of two. */
static void add_tick(const timeline *t, ticks *k, hm_time at, hm_str label, bool strong) {
  if (k->n == HM_DRAW_TICKS_MAX || at < t->lo || at > t->hi) return;
  int to = place(t, at);
  bool near = k->n && to - k->v[k->n - 1].at < HM_DRAW_WIDTH / 8;
  if (near && !strong) return;
  k->n -= near;
  k->v[k->n++] = (hm_draw_tick){ to, label, strong };
}

/* The least of 1, 2, 5, 10, 20, ... of which at most STEPS fit. */
static int64_t nice_step(__int128 n) {
  static const int of[] = { 1, 2, 5 };
  int64_t power = 1;
  for (int i = 0;; i++) {
    if (i && i % 3 == 0) power *= 10;
    if (n / ((__int128)power * of[i % 3]) < STEPS || power > INT64_MAX / 100)
      return power * of[i % 3];
  }
}

static hm_str year_words(hm_arena *a, int year) {
  return year > 0 ? hm_str_fmt(a, "%d", year) : hm_str_fmt(a, "%d BC", 1 - year);
}

static void date_ticks(const timeline *t, ticks *k) {
  static const hm_precision units[] = { HM_P_YEAR, HM_P_MONTH, HM_P_DAY };
  static const size_t length[] = { 4, 7, 10 };
  const hm_time day = (hm_time)86400 * 1000000;
  static const int days[] = { 366, 31, 1 };
  int u = 0;
  while (u < 2 && (t->hi - t->lo) / (days[u] * day) < 3) u++;
  hm_arena *a = t->m->a;
  int64_t step = nice_step((t->hi - t->lo) / (days[u] * day) + 1);
  if (u == 1) step = step <= 3 ? step : step <= 6 ? 6 : 12;
  int year = hm_time_year(t->lo);
  hm_time first =
      hm_time_shift(0, HM_P_YEAR, year - 1970 - (u ? 0 : ((year % step) + step) % step));
  for (int64_t i = 0; i < 2000 && k->n < HM_DRAW_TICKS_MAX; i++) {
    hm_time at = hm_time_shift(first, units[u], i * step);
    if (at > t->hi) return;
    hm_str label =
        u ? hm_str_sub(hm_time_iso(a, at), 0, length[u]) : year_words(a, hm_time_year(at));
    add_tick(t, k, at, label, false);
  }
}

/* Where eras begin, and units of them. */
static void era_ticks(const timeline *t, ticks *k) {
  const hm_era_place *eras;
  hm_arena *a = t->m->a;
  size_t n = hm_world_places(t->world, a, &eras);
  for (size_t i = 0; i < n; i++) {
    const hm_era_place *e = &eras[i];
    if (e->last < t->lo || e->first > t->hi) continue;
    int64_t step = nice_step(length_to(t, t->hi) / e->tick + 1);
    hm_time from = t->lo > e->first ? t->lo : e->first;
    int64_t unit = e->first_unit + (from - e->first) / e->tick;
    hm_str name = hm_short(a, e->name, 30);
    add_tick(t, k, from, name, from == e->first);
    for (unit += (step - unit % step) % step; k->n < HM_DRAW_TICKS_MAX; unit += step) {
      hm_time at = e->first + (unit - e->first_unit) * e->tick;
      if (at > e->last || at > t->hi) break;
      bool skipped = false;
      for (size_t b = 0; b < t->n_breaks; b++)
        skipped |= at > t->breaks[b].from && at < t->breaks[b].until;
      if (skipped) break;
      add_tick(t, k, at, hm_str_fmt(a, "%.*s %lld", HM_FMT(e->unit), (long long)unit), false);
    }
  }
}

/* --- the drawing ------------------------------------------------------------------------- */

static void draw_bar(const timeline *t, bar *b, hm_draw_bar *out) {
  *out = (hm_draw_bar){ .label = b->label, .heading = b->heading, .life = b->life };
  if (b->heading) return;
  const hm_bound *begin = &b->w.begin, *end = &b->w.end;
  bool both = begin->known && end->known;
  out->open_from = !begin->known || begin->last < t->lo;
  out->open_until = !end->known || end->first > t->hi;
  int from = place(t, begin->first), until = end->known ? place(t, end->last) : HM_DRAW_WIDTH;
  int sure_from = place(t, both ? b->w.from : begin->last),
      sure_until = end->known ? place(t, both ? b->w.until : end->first) : HM_DRAW_WIDTH;
  if (!begin->known) sure_from = from = sure_until - HM_DRAW_WIDTH / 10;
  out->possible = (hm_draw_span){ from, until };
  out->certain = (hm_draw_span){ sure_from, sure_until };
  for (size_t i = 0; i < b->n_spans; i++)
    b->spans[i] = (hm_draw_span){ place(t, b->contested[i].from), place(t, b->contested[i].until) };
  out->contested = b->spans;
  out->n_contested = b->n_spans;
}

/* Headings of nothing are left out. */
static void draw(timeline *t, hm_str label, hm_buf *out) {
  hm_draw_bar *bars = hm_alloc_array(t->m->a, BARS + 1, sizeof *bars);
  ticks k = { hm_alloc_array(t->m->a, HM_DRAW_TICKS_MAX, sizeof *k.v), 0 };
  size_t n = 0, left_out = 0;
  choose_axis(t);
  for (size_t i = 0; i < t->n && !t->world; i++)
    if (!t->bars[i].heading && t->bars[i].w.axis == t->axis)
      t->world = hm_world_of_axis(t->m->v->rules->worlds, t->axis);
  bool timed = set_axis(t);
  for (size_t i = 0; timed && i < t->n; i++) {
    bool other = !t->bars[i].heading && t->bars[i].w.axis != t->axis;
    left_out += other;
    if (t->bars[i].heading && n && bars[n - 1].heading) n--;
    if (!other) draw_bar(t, &t->bars[i], &bars[n++]);
  }
  if (n && bars[n - 1].heading) n--;
  if (t->more)
    bars[n++] = (hm_draw_bar){ .label = hm_str_fmt(t->m->a, "and %zu more", t->more),
                               .heading = true };
  if (timed && t->axis) era_ticks(t, &k);
  else if (timed) date_ticks(t, &k);
  hm_str desc = HM_STR("The tables of the page say the same.");
  if (left_out)
    desc = hm_str_fmt(t->m->a, "%.*s %zu of another calendar stand there only.", HM_FMT(desc),
                      left_out);
  hm_draw_timeline model = { .title = hm_str_fmt(t->m->a, "Timeline: %.*s", HM_FMT(label)),
                             .desc = desc,
                             .bars = bars,
                             .n_bars = n,
                             .ticks = k.v,
                             .n_ticks = k.n };
  hm_draw_timeline_svg(&model, out);
}

/* --- of an entity -------------------------------------------------------------------------- */

static void add_lives(timeline *t, uint32_t row) {
  const hm_window *w;
  bool happened;
  uint32_t n = hm_view_lives(t->m->v, row, &w, &happened);
  for (uint32_t i = 0; i < n && i < SPANS; i++) {
    const hm_bound *b[] = { &w[i].begin, &w[i].end };
    for (int e = 0; e < 2; e++) {
      hm_pm_note_int(t->m, (uint64_t)b[e]->first);
      hm_pm_note_int(t->m, (uint64_t)b[e]->last);
      hm_pm_note_int(t->m, (uint64_t)b[e]->axis << 2 | (uint64_t)b[e]->known << 1 | b[e]->vague);
    }
    bar *life = is_drawn(&w[i])
        ? add_bar(t, happened ? HM_STR("happened") : HM_STR("existed"), &w[i])
        : NULL;
    if (life) life->life = true;
  }
}

/* What a relation's disputes read besides the relation: conflicts, and the rows of their sides. */
static void contest_relation(timeline *t, bar *b, uint32_t row) {
  hm_pm *m = t->m;
  size_t n;
  const hm_mark *marks = hm_view_marks(m->v, row, &n);
  for (size_t i = 0; i < n && i < SPANS; i++) {
    const hm_dispute *d = m->v->conflicts[marks[i].conflict].dispute;
    hm_pm_whole_conflict(m, marks[i].conflict);
    for (size_t k = 0; m->inputs && k < d->n && k < PARTIES; k++)
      hm_pm_whole_row(m, d->parties[k].claim->row);
    for (size_t k = 0; b && k < d->n && k < PARTIES; k++)
      if (d->parties[k].claim->row == row) contest(t, b, d, k);
  }
}

static void entity_timeline(hm_pm *m, const hm_ventity *e, hm_buf *out) {
  const hm_view *v = m->v;
  timeline t = { .m = m, .bars = hm_alloc_array(m->a, BARS, sizeof *t.bars) };
  size_t n;
  const hm_relation_item *all = hm_pm_relations(m, e, &n);
  hm_pm_whole_row(m, e->row);
  add_lives(&t, e->row);
  size_t i = 0;
  for (; i < n && t.n < BARS; i++) {
    uint32_t via = all[i].edge->via;
    hm_window w;
    hm_pm_whole_row(m, via);
    bool out_edge = all[i].edge->kind == HM_EDGE_REL_OUT;
    if (!i || hm_relation_item_kind(&all[i - 1], &all[i])) {
      hm_str type = hm_short(m->a, v->snap->rows[via].type, LABEL_BYTES);
      add_bar(&t, hm_str_fmt(m->a, out_edge ? "%.*s \u2192" : "\u2190 %.*s", HM_FMT(type)), NULL);
    }
    if (!hm_view_window(v, via, m->a, &w) || !is_drawn(&w)) continue;
    hm_str label =
        all[i].edge->other != HM_NONE ? hm_view_label(v, all[i].edge->other, m->a) : all[i].label;
    hm_str kind = hm_view_claim_kind(v, via, m->a);
    if (kind.n)
      label = hm_str_fmt(m->a, "%.*s (%.*s)", HM_FMT(hm_short(m->a, label, LABEL_BYTES / 2)),
                         HM_FMT(kind));
    contest_relation(&t, add_bar(&t, label, &w), via);
  }
  for (; i < n; i++) {
    hm_window w;
    t.more += hm_view_window(v, all[i].edge->via, m->a, &w) && is_drawn(&w);
  }
  hm_pm_note_input(m, t.more);
  if (!m->inputs) draw(&t, hm_view_label(v, e->row, m->a), out);
}

/* --- of a conflict --------------------------------------------------------------------------- */

bool hm_conflict_is_timed(const hm_view *v, const hm_vconflict *c) {
  const hm_dispute *d = c->dispute;
  if (!d || d->parties[0].claim->layer != HM_RELATION) return false;
  for (size_t i = 0; i < d->n && i < BARS; i++) {
    const hm_window *w = d->parties[i].claim->when;
    if (w && is_drawn(w) && !v->hidden[d->parties[i].claim->row]) return true;
  }
  return false;
}

static void conflict_timeline(hm_pm *m, uint32_t conflict, hm_buf *out) {
  const hm_vconflict *c = &m->v->conflicts[conflict];
  const hm_dispute *d = c->dispute;
  timeline t = { .m = m, .bars = hm_alloc_array(m->a, BARS, sizeof *t.bars) };
  hm_pm_whole_conflict(m, conflict);
  for (size_t i = 0; i < d->n; i++) {
    const hm_claim *claim = d->parties[i].claim;
    bool drawn = hm_view_claim_shown(m->v, claim->row, claim->field, m->a) && claim->when &&
        is_drawn(claim->when);
    if (i >= PARTIES) {
      t.more += drawn;
      continue;
    }
    hm_pm_whole_row(m, claim->row);
    if (!drawn || m->inputs) continue;
    bar *b = add_bar(&t, hm_view_end_name(m->v, claim->value.raw, m->a), claim->when);
    if (b) contest(&t, b, d, i);
  }
  hm_pm_note_input(m, t.more);
  if (!m->inputs) draw(&t, c->title, out);
}

/* --- files ------------------------------------------------------------------------------------ */

hm_str hm_timeline_path(hm_arena *a, hm_str page) {
  return HM_CAT(a, hm_str_sub(page, 0, page.n - 3), HM_STR(".svg"));
}

void hm_pm_timeline(hm_pm *m, hm_tv *model, bool timed) {
  hm_pm_flag(m, model, "timeline", false);
  hm_pm_note_input(m, timed);
  if (timed)
    hm_pm_url(m, hm_pm_obj(m, model, "timeline"), "url", hm_timeline_path(m->a, m->p->path),
              HM_EMPTY);
}

static int entity_file(const hm_view *v, const hm_raw_file *f, uint32_t piece, hm_arena *a,
                       hm_buf *out, hm_err *err) {
  hm_pm m = { .v = v, .a = a };
  (void)piece;
  (void)err;
  entity_timeline(&m, &v->entities[f->index], out);
  return 0;
}

static int conflict_file(const hm_view *v, const hm_raw_file *f, uint32_t piece, hm_arena *a,
                         hm_buf *out, hm_err *err) {
  hm_pm m = { .v = v, .a = a };
  (void)piece;
  (void)err;
  conflict_timeline(&m, f->index, out);
  return 0;
}

static void entity_inputs(const hm_page_inputs *x, const hm_raw_file *f, hm_buf *out) {
  hm_arena *a = hm_arena_new();
  hm_pm m = { .v = hm_inputs_view(x), .a = a, .of = x, .inputs = out };
  entity_timeline(&m, &m.v->entities[f->index], out);
  hm_arena_free(a);
}

static void conflict_inputs(const hm_page_inputs *x, const hm_raw_file *f, hm_buf *out) {
  hm_arena *a = hm_arena_new();
  hm_pm m = { .v = hm_inputs_view(x), .a = a, .of = x, .inputs = out };
  conflict_timeline(&m, f->index, out);
  hm_arena_free(a);
}

uint32_t hm_count_timelines(const hm_view *v) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->n_entities; i++) n += v->entities[i].timed;
  for (uint32_t i = 0; i < v->n_conflicts; i++) n += hm_conflict_is_timed(v, &v->conflicts[i]);
  return n;
}

void hm_timeline_files(const hm_view *v, hm_arena *a, hm_pages *out) {
  for (uint32_t i = 0; i < v->n_entities; i++)
    if (v->entities[i].timed)
      out->raws[out->n_raws++] = (hm_raw_file){ .path = hm_timeline_path(a, v->entities[i].path),
                                                .bytes = entity_file,
                                                .pieces = 1,
                                                .index = i,
                                                .inputs = entity_inputs };
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    if (hm_conflict_is_timed(v, &v->conflicts[i]))
      out->raws[out->n_raws++] = (hm_raw_file){ .path = hm_timeline_path(a, v->conflicts[i].path),
                                                .bytes = conflict_file,
                                                .pieces = 1,
                                                .index = i,
                                                .inputs = conflict_inputs };
}
