/* Timelines of entities, and of conflicts whose sides have times: bars on one axis.
 *
 * A page of an entity has its existence and its relations, by kind; a page of a conflict has its
 * sides. Windows in another calendar than most, or without a time, are only in the tables beside
 * the drawing. A bar's contested span is the time at which it certainly holds together with one
 * that contradicts it. A relation without an end of its own ends with its entities, as in
 * conflicts, and its label says so. An axis of eras leaves out the end of an era of unknown length.
 * Nothing here depends on now.
 * A drawing has the first BARS lines and says how many it leaves out.
 * Cost: bounded for each page: BARS bars, PARTIES sides of a dispute for each; and the windows of
 * the bars left out. */
#include "core/claim/relation.h"
#include "gen/draw/draw.h"
#include "model.h"

enum { SPANS = 8, BREAKS = 8 };

typedef struct {
  hm_str label;
  bool heading, life;
  hm_window w;
  hm_draw_span spans[SPANS];
  struct {
    hm_time from, until;
  } contested[SPANS];
  size_t n_spans;
} timeline_bar;

typedef struct {
  hm_model *m;
  timeline_bar *bars;
  size_t n, more;        /* drawn bars; bars left out beyond the limit BARS */
  bool any_ended;        /* a relation's bar ends because one of its entities ended */
  const hm_world *world; /* of the axis */
  uint16_t axis;
  hm_time lo, hi; /* the ends of the axis */
  struct {
    hm_time from, until;
  } breaks[BREAKS];
  size_t n_breaks;
} timeline;

typedef struct {
  hm_draw_tick *v;
  size_t n;
} timeline_ticks;

enum { STEPS = 6 };

/* --- the axis ------------------------------------------------------------------------- */

static void choose_axis(timeline *t) {
  uint32_t n[HM_AXES_MAX + 1] = { 0 };
  for (size_t i = 0; i < t->n; i++)
    if (!t->bars[i].heading)
      n[t->bars[i].w.axis]++;
  for (uint16_t x = 0; x <= HM_AXES_MAX; x++)
    if (n[x] > n[t->axis])
      t->axis = x;
}

/* Only the limit of "before 1340" and "after 1340" has a place. */
static void widen(timeline *t, const hm_bound *b, bool vague) {
  if (!b->known || b->vague != vague)
    return;
  bool none = t->lo > t->hi, limit = hm_bound_is_limit(b);
  hm_time first = limit && b->first == HM_DATES_FIRST ? b->last : b->first;
  hm_time last = limit && b->last == HM_DATES_LAST ? b->first : b->last;
  if (vague && !none &&
      (last < t->lo || first > t->hi || (__int128)last - first > 2 * ((__int128)t->hi - t->lo)))
    return;
  if (none || first < t->lo)
    t->lo = first;
  if (none || last > t->hi)
    t->hi = last;
}

/* The rest of eras of which nobody says how long they were, behind all that is drawn in them. */
static void find_breaks(timeline *t) {
  const hm_era_place *eras;
  size_t n = t->axis ? hm_world_list_era_places(t->world, t->m->a, &eras) : 0;
  for (size_t i = 0; i < n && t->n_breaks < BREAKS; i++) {
    if (eras[i].is_measured || eras[i].last >= t->hi || eras[i].last < t->lo)
      continue;
    hm_time used = eras[i].first > t->lo ? eras[i].first : t->lo;
    for (size_t k = 0; k < t->n; k++) {
      const hm_bound *b[] = { &t->bars[k].w.begin, &t->bars[k].w.end };
      for (int e = 0; e < 2 && t->bars[k].w.axis == t->axis && !t->bars[k].heading; e++)
        if (b[e]->known && b[e]->last <= eras[i].last - eras[i].tick && b[e]->last > used)
          used = b[e]->last;
    }
    used += (used - t->lo) / 20 + 10 * eras[i].tick;
    if (used >= eras[i].last)
      continue;
    t->breaks[t->n_breaks].from = used;
    t->breaks[t->n_breaks++].until = eras[i].last;
  }
}

/* Without what the breaks leave out, from lo on. */
static __int128 length_to(const timeline *t, hm_time at) {
  __int128 n = (__int128)at - t->lo;
  for (size_t i = 0; i < t->n_breaks; i++) {
    if (at <= t->breaks[i].from)
      break;
    n -= (__int128)(at < t->breaks[i].until ? at : t->breaks[i].until) - t->breaks[i].from;
  }
  return n;
}

/* The place of an instant, from 0 to HM_DRAW_WIDTH. */
static int place_of(const timeline *t, hm_time at) {
  if (at <= t->lo)
    return 0;
  if (at >= t->hi)
    return HM_DRAW_WIDTH;
  return (int)(length_to(t, at) * HM_DRAW_WIDTH / length_to(t, t->hi));
}

/* Sets the range of the axis. Returns false when no bar has a time. */
static bool set_axis(timeline *t) {
  const hm_time day = (hm_time)86400 * 1000000;
  t->lo = HM_TIME_MAX, t->hi = HM_TIME_MIN;
  /* What is exact, what is vague, and last the ends that no row gives. */
  for (int pass = 0; pass < 3; pass++)
    for (size_t i = 0; i < t->n; i++) {
      const hm_window *w = &t->bars[i].w;
      if (t->bars[i].heading || w->axis != t->axis)
        continue;
      if (pass < 2)
        widen(t, &w->begin, pass);
      if (pass < 2 ? !w->ends_with : !!w->ends_with)
        widen(t, &w->end, pass < 2 ? pass : w->end.vague);
    }
  if (t->lo > t->hi)
    return false;
  find_breaks(t);
  __int128 pad = length_to(t, t->hi) / 25;
  if (pad < 2)
    pad = t->axis ? 1 : day;
  __int128 lo = t->lo - pad, hi = t->hi + pad;
  t->lo = lo < -HM_TIME_MAX ? -HM_TIME_MAX : (hm_time)lo;
  t->hi = hi > HM_TIME_MAX - 1 ? HM_TIME_MAX - 1 : (hm_time)hi;
  return true;
}

/* --- its marks ------------------------------------------------------------------------- */

/* When the tick is too near the last one, skips it, unless it begins an era: then it replaces the
 * last one. */
static void add_tick(const timeline *t, timeline_ticks *k, hm_time at, hm_str label, bool strong) {
  if (k->n == HM_DRAW_TICKS_MAX || at < t->lo || at > t->hi)
    return;
  int to = place_of(t, at);
  bool near = k->n && to - k->v[k->n - 1].at < HM_DRAW_WIDTH / 8;
  if (near && !strong)
    return;
  k->n -= near;
  k->v[k->n++] = (hm_draw_tick){ to, label, strong };
}

/* The least of 1, 2, 5, 10, 20, ... of which at most STEPS fit. */
static int64_t nice_step(__int128 n) {
  static const int of[] = { 1, 2, 5 };
  int64_t power = 1;
  for (int i = 0;; i++) {
    if (i && i % 3 == 0)
      power *= 10;
    if (n / ((__int128)power * of[i % 3]) < STEPS || power > INT64_MAX / 100)
      return power * of[i % 3];
  }
}

static void add_date_ticks(const timeline *t, timeline_ticks *k) {
  static const hm_precision units[] = { HM_P_YEAR, HM_P_MONTH, HM_P_DAY };
  static const size_t length[] = { 4, 7, 10 };
  const hm_time day = (hm_time)86400 * 1000000;
  static const int days[] = { 366, 31, 1 };
  int u = 0;
  while (u < 2 && (t->hi - t->lo) / (days[u] * day) < 3)
    u++;
  hm_arena *a = t->m->a;
  int64_t step = nice_step((t->hi - t->lo) / (days[u] * day) + 1);
  if (u == 1)
    step = step <= 3 ? step : step <= 6 ? 6 : 12;
  int year = hm_time_year(t->lo);
  hm_time first =
      hm_time_shift(0, HM_P_YEAR, year - 1970 - (u ? 0 : ((year % step) + step) % step));
  for (int64_t i = 0; i < 2000 && k->n < HM_DRAW_TICKS_MAX; i++) {
    hm_time at = hm_time_shift(first, units[u], i * step);
    if (at > t->hi)
      return;
    int y = hm_time_year(at);
    hm_str label = u ? hm_format_date(a, hm_str_sub(hm_time_iso(a, at), 0, length[u]))
        : y > 0      ? hm_str_fmt(a, "%d", y)
                     : hm_str_fmt(a, "%d BC", 1 - y);
    add_tick(t, k, at, label, false);
  }
}

/* The beginnings of eras, and units of them. */
static void add_era_ticks(const timeline *t, timeline_ticks *k) {
  const hm_era_place *eras;
  hm_arena *a = t->m->a;
  size_t n = hm_world_list_era_places(t->world, a, &eras);
  for (size_t i = 0; i < n; i++) {
    const hm_era_place *e = &eras[i];
    if (e->last < t->lo || e->first > t->hi)
      continue;
    int64_t step = nice_step(length_to(t, t->hi) / e->tick + 1);
    hm_time from = t->lo > e->first ? t->lo : e->first;
    int64_t unit = e->first_unit + (from - e->first) / e->tick;
    hm_str name = hm_shorten(a, e->name, 30);
    add_tick(t, k, from, name, from == e->first);
    for (unit += (step - unit % step) % step; k->n < HM_DRAW_TICKS_MAX; unit += step) {
      hm_time at = e->first + (unit - e->first_unit) * e->tick;
      if (at > e->last || at > t->hi)
        break;
      bool skipped = false;
      for (size_t b = 0; b < t->n_breaks; b++)
        skipped |= at > t->breaks[b].from && at < t->breaks[b].until;
      if (skipped)
        break;
      add_tick(t, k, at, hm_str_fmt(a, "%.*s %lld", HM_FMT(e->unit), (long long)unit), false);
    }
  }
}

enum { BARS = 60, PARTIES = 64, LABEL_BYTES = 60 };

/* --- bars --------------------------------------------------------------------------- */

static timeline_bar *add_bar(timeline *t, hm_str label, const hm_window *w) {
  if (t->n == BARS) {
    t->more += w != NULL;
    return NULL;
  }
  timeline_bar *b = &t->bars[t->n++];
  *b = (timeline_bar){ .label = hm_shorten(t->m->a, label, LABEL_BYTES), .heading = !w };
  if (w)
    b->w = *w;
  return b;
}

static hm_time stated_until(const hm_window *w, bool certainly) {
  if (!w->end.known)
    return HM_TIME_MAX;
  return certainly ? w->until : w->end.last;
}

/* From when it may hold, or certainly does, whenever now is: hm_window.from can be now. */
static hm_time stated_from(const hm_window *w, bool certainly) {
  if (w->begin.known && w->end.known)
    return certainly ? w->from : w->begin.first;
  if (w->begin.known)
    return certainly ? w->begin.last : w->begin.first;
  return w->end.known ? w->end.first - 1 : HM_TIME_MIN;
}

/* Where both certainly hold; else, as of two that have only begun, where both may. */
static void add_contested(timeline_bar *b, const hm_window *other) {
  const hm_window *own = &b->w;
  hm_time from = 0, until = 0;
  for (int certainly = 1; certainly >= 0 && from >= until; certainly--) {
    hm_time f = stated_from(own, certainly), g = stated_from(other, certainly);
    hm_time x = stated_until(own, certainly), y = stated_until(other, certainly);
    from = f > g ? f : g;
    until = x < y ? x : y;
  }
  if (own->axis != other->axis || from >= until || b->n_spans == SPANS)
    return;
  size_t at = b->n_spans;
  for (; at && b->contested[at - 1].from > from; at--)
    b->contested[at] = b->contested[at - 1];
  b->contested[at].from = from;
  b->contested[at].until = until;
  b->n_spans++;
}

/* Of a claim, without bounds that no page may show. */
static const hm_window *shown_window(const hm_view *v, const hm_claim *c, hm_window *room) {
  bool shown = hm_view_bounds_shown(v, c);
  if (shown && hm_view_window_shown(v, c->when))
    return c->when;
  *room = *c->when;
  if (!shown || c->when->of_props)
    room->begin = (hm_bound){ .axis = room->axis };
  room->end = (hm_bound){ .axis = room->axis };
  return room;
}

/* What a party contests with those that it contradicts, as far as they are shown. */
static void contest(timeline *t, timeline_bar *b, const hm_dispute *d, size_t own) {
  const hm_view *v = t->m->v;
  hm_window room;
  for (size_t k = 0; k < d->n && k < PARTIES; k++) {
    const hm_claim *c = d->parties[k].claim;
    if (k == own || !c->when || !hm_parties_contradict(d, own, k, v->rules) ||
        !hm_view_claim_shown(v, c, t->m->a))
      continue;
    add_contested(b, shown_window(v, c, &room));
  }
}

/* Bounds of which at least one is given; an exact pair that is no window is none. */
static bool is_drawn(const hm_window *w) { return w->begin.known || w->end.known; }

/* --- the drawing ------------------------------------------------------------------------- */

static void draw_bar(const timeline *t, timeline_bar *b, hm_draw_bar *out) {
  *out = (hm_draw_bar){ .label = b->label, .heading = b->heading, .life = b->life };
  if (b->heading)
    return;
  const hm_bound *begin = &b->w.begin, *end = &b->w.end;
  bool both = begin->known && end->known;
  out->open_from = !begin->known || begin->last < t->lo;
  out->open_until = !end->known || end->first > t->hi;
  int from = place_of(t, begin->first), until = end->known ? place_of(t, end->last) : HM_DRAW_WIDTH;
  int sure_from = place_of(t, both ? b->w.from : begin->last),
      sure_until = !end->known ? HM_DRAW_WIDTH : place_of(t, both ? b->w.until : end->first);
  if (!begin->known)
    sure_from = from = sure_until - HM_DRAW_WIDTH / 10;
  out->possible = (hm_draw_span){ from, until };
  out->certain = (hm_draw_span){ sure_from, sure_until };
  for (size_t i = 0; i < b->n_spans; i++)
    b->spans[i] =
        (hm_draw_span){ place_of(t, b->contested[i].from), place_of(t, b->contested[i].until) };
  out->contested = b->spans;
  out->n_contested = b->n_spans;
}

/* Headings of nothing are left out. */
static hm_draw_timeline draw(timeline *t, hm_str label) {
  hm_draw_bar *bars = hm_alloc_array(t->m->a, BARS + 1, sizeof *bars);
  timeline_ticks k = { hm_alloc_array(t->m->a, HM_DRAW_TICKS_MAX, sizeof *k.v), 0 };
  size_t n = 0, left_out = 0;
  choose_axis(t);
  for (size_t i = 0; i < t->n && !t->world; i++)
    if (!t->bars[i].heading && t->bars[i].w.axis == t->axis)
      t->world = hm_world_of_axis(t->m->v->rules->worlds, t->axis);
  bool timed = set_axis(t);
  for (size_t i = 0; timed && i < t->n; i++) {
    bool other = !t->bars[i].heading && t->bars[i].w.axis != t->axis;
    left_out += other;
    if (t->bars[i].heading && n && bars[n - 1].heading)
      n--;
    if (!other)
      draw_bar(t, &t->bars[i], &bars[n++]);
  }
  if (n && bars[n - 1].heading)
    n--;
  if (t->more)
    bars[n++] =
        (hm_draw_bar){ .label = hm_str_fmt(t->m->a, "and %zu more", t->more), .heading = true };
  if (timed && t->axis)
    add_era_ticks(t, &k);
  else if (timed)
    add_date_ticks(t, &k);
  hm_str desc = HM_STR("The tables of the page say the same.");
  if (t->any_ended)
    desc = HM_CAT(t->m->a, desc,
                  HM_STR(" Where no row gives an end, a bar marked \"until death\" "
                         "or \"until end\" ends when one of its ends did."));
  if (left_out)
    desc = hm_str_fmt(t->m->a, "%.*s %zu of another calendar stand there only.", HM_FMT(desc),
                      left_out);
  return (hm_draw_timeline){ .title = hm_str_fmt(t->m->a, "Timeline: %.*s", HM_FMT(label)),
                             .desc = desc,
                             .bars = bars,
                             .n_bars = n,
                             .ticks = k.v,
                             .n_ticks = k.n };
}

/* --- of an entity -------------------------------------------------------------------------- */

static void add_lives(timeline *t, uint32_t row) {
  const hm_window *w;
  bool happened;
  uint32_t n = hm_view_find_existence_windows(t->m->v, row, &w, &happened);
  for (uint32_t i = 0; i < n && i < SPANS; i++) {
    timeline_bar *life = is_drawn(&w[i])
        ? add_bar(t, happened ? HM_STR("happened") : HM_STR("existed"), &w[i])
        : NULL;
    if (life)
      life->life = true;
  }
}

static void contest_relation(timeline *t, timeline_bar *b, uint32_t row) {
  const hm_view *v = t->m->v;
  size_t n;
  const hm_mark *marks = hm_view_marks(v, row, &n);
  for (size_t i = 0; b && i < n && i < SPANS; i++) {
    const hm_dispute *d = v->conflicts[marks[i].conflict].dispute;
    for (size_t k = 0; k < d->n && k < PARTIES; k++)
      if (d->parties[k].claim->row == row)
        contest(t, b, d, k);
  }
}

/* What the row states, and NULL. Without an end there, that of what the relation ties, as its kind
 * counts and as far as it may be shown: "death" or "end". */
static const char *window_of_bar(const hm_view *v, uint32_t row, bool is_fact, hm_arena *a,
                                 hm_window *w) {
  const hm_relation_kinds *kinds = hm_config_relation_kinds(v->rules);
  if (!hm_view_find_row_window(v, row, a, w))
    *w = (hm_window){ 0 };
  if (!is_fact || !v->existences.of || !w->begin.known ||
      !hm_relation_kind_find(kinds, v->snap->rows[row].type))
    return NULL;
  hm_window cut = *w;
  hm_relation_read_window(&v->existences, kinds, row, &cut);
  if (!cut.ends_with || !hm_view_window_end_shown(v, &cut))
    return NULL;
  *w = cut;
  return hm_existence_end_word(hm_existence_ending_window(&v->existences, &cut));
}

static hm_str marked(const timeline *t, hm_str label, hm_str mark) {
  return hm_str_fmt(t->m->a, "%.*s (%.*s)", HM_FMT(hm_shorten(t->m->a, label, LABEL_BYTES / 2)),
                    HM_FMT(mark));
}

static hm_str marked_end(timeline *t, hm_str label, const char *end) {
  t->any_ended = true;
  return marked(t, label, hm_str_fmt(t->m->a, "until %s", end));
}

static hm_draw_timeline entity_timeline(hm_model *m, const hm_ventity *e) {
  const hm_view *v = m->v;
  timeline t = { .m = m, .bars = hm_alloc_array(m->a, BARS, sizeof *t.bars) };
  size_t n;
  const hm_relation_item *all = hm_view_list_relations(v, e, m->a, &n);
  add_lives(&t, e->row);
  size_t i = 0;
  for (; i < n && t.n < BARS; i++) {
    uint32_t via = all[i].edge->via;
    hm_window w;
    bool out_edge = all[i].edge->kind == HM_EDGE_REL_OUT;
    if (!i || hm_relation_item_kind_cmp(&all[i - 1], &all[i])) {
      hm_str type = hm_shorten(m->a, v->snap->rows[via].type, LABEL_BYTES);
      add_bar(&t, hm_str_fmt(m->a, out_edge ? "%.*s \u2192" : "\u2190 %.*s", HM_FMT(type)), NULL);
    }
    hm_str kind = hm_view_claim_kind(v, via, m->a);
    const char *ended = window_of_bar(v, via, !kind.n, m->a, &w);
    if (!is_drawn(&w))
      continue;
    hm_str label =
        all[i].edge->other != HM_NONE ? hm_view_label(v, all[i].edge->other, m->a) : all[i].label;
    if (kind.n)
      label = marked(&t, label, kind);
    else if (ended)
      label = marked_end(&t, label, ended);
    contest_relation(&t, add_bar(&t, label, &w), via);
  }
  for (; i < n; i++) {
    hm_window w;
    t.more += hm_view_find_row_window(v, all[i].edge->via, m->a, &w) && is_drawn(&w);
  }
  return draw(&t, hm_view_label(v, e->row, m->a));
}

/* --- of a conflict --------------------------------------------------------------------------- */

/* True when a shown text with a time takes part. */
static bool is_story_timed(const hm_view *v, const hm_dispute *d) {
  for (size_t i = 0; d && d->story && i < d->n && i < BARS; i++) {
    const hm_claim *c = d->parties[i].claim;
    if (c->said && c->said->at != HM_TIME_MIN && hm_view_bounds_shown(v, c))
      return true;
  }
  return false;
}

/* True when sides have validity times, or texts the time at which they were said. */
static bool is_conflict_timed(const hm_view *v, const hm_vconflict *c) {
  const hm_dispute *d = c->dispute;
  if (is_story_timed(v, d))
    return true;
  for (size_t i = 0; d && i < d->n && i < BARS; i++) {
    const hm_claim *claim = d->parties[i].claim;
    hm_window room;
    if (claim->when && hm_view_bounds_shown(v, claim) && is_drawn(shown_window(v, claim, &room)))
      return true;
  }
  return false;
}

/* From when a claim that holds is contested: since another holds with it that says something else;
 * a return by itself. */
static hm_time contested_from(const hm_conflict_story *s, const hm_story_line *l) {
  hm_time from = HM_TIME_MAX;
  for (size_t i = 0; i < s->n; i++) {
    const hm_story_line *o = &s->lines[i];
    if (o->party && o->state == HM_ARC_HOLDS && o->value != l->value && o->at < from)
      from = o->at;
  }
  return from == HM_TIME_MAX || from < l->at ? l->at : from;
}

/* Each text from when it was said until it was overtaken. */
static void add_story(timeline *t, const hm_vconflict *c) {
  hm_conflict_story s;
  if (!hm_view_find_story(t->m->v, c, t->m->a, &s))
    return;
  for (size_t i = 0; i < s.n; i++) {
    const hm_story_line *l = &s.lines[i];
    hm_time end = l->by && l->by->said ? l->by->said->at : HM_TIME_MIN;
    hm_window w = { .from = l->at, .until = end == HM_TIME_MIN ? HM_TIME_MAX : end };
    if (l->at == HM_TIME_MIN)
      continue;
    w.begin = (hm_bound){ .known = true, .first = l->at, .last = l->at };
    if (end != HM_TIME_MIN)
      w.end = (hm_bound){ .known = true, .first = end, .last = end };
    timeline_bar *b = add_bar(t, l->claim->value.raw, &w);
    if (!b || !l->party || l->state != HM_ARC_HOLDS)
      continue;
    b->contested[b->n_spans].from = contested_from(&s, l);
    b->contested[b->n_spans++].until = w.until;
  }
}

static hm_draw_timeline conflict_timeline(hm_model *m, const hm_vconflict *c) {
  const hm_dispute *d = c->dispute;
  timeline t = { .m = m, .bars = hm_alloc_array(m->a, BARS, sizeof *t.bars) };
  bool story = is_story_timed(m->v, d);
  if (story)
    add_story(&t, c);
  for (size_t i = 0; i < d->n && !story; i++) {
    const hm_claim *claim = d->parties[i].claim;
    hm_window room;
    const hm_window *w = claim->when ? shown_window(m->v, claim, &room) : NULL;
    bool drawn = w && is_drawn(w) && hm_view_claim_shown(m->v, claim, m->a);
    if (i >= PARTIES) {
      t.more += drawn;
      continue;
    }
    if (!drawn)
      continue;
    hm_str value = claim->value.raw;
    if (claim->layer == HM_RELATION)
      value = hm_view_relation_end_name(m->v, value, m->a);
    const hm_existence *ended = hm_existence_ending_window(&m->v->existences, w);
    if (ended && w->end.known)
      value = marked_end(&t, value, hm_existence_end_word(ended));
    timeline_bar *b = add_bar(&t, value, w);
    if (b)
      contest(&t, b, d, i);
  }
  return draw(&t, c->title);
}

/* --- files ------------------------------------------------------------------------------------ */

void hm_model_set_timeline(hm_model *m, hm_node *top, const hm_ventity *e, const hm_vconflict *c) {
  bool timed = e ? e->timed : is_conflict_timed(m->v, c);
  hm_node_set_bool(top, "timeline", false);
  if (!timed)
    return;
  hm_model drawing = { .v = m->v, .a = m->a };
  hm_draw_timeline t = e ? entity_timeline(&drawing, e) : conflict_timeline(&drawing, c);
  hm_draw_signs signs = hm_draw_timeline_signs(&t);
  hm_node *o = hm_node_set_obj(top, "timeline");
  hm_model_set_url(m, o, "url", hm_drawing_path(m->a, m->p->path), HM_EMPTY);
  hm_model_set_drawing_size(m, o, (hm_draw_size){ .h = hm_draw_timeline_height(&t) });
  hm_node_set_bool(o, "hatched", signs.hatched);
  hm_node_set_bool(o, "dashed", signs.dashed);
  hm_node_set_bool(o, "fading", signs.fading);
}

/* data: the conflict; NULL: the entity with that index. */
static void timeline_file(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  hm_model m = { .v = v, .a = a };
  hm_draw_timeline t =
      f->data ? conflict_timeline(&m, f->data) : entity_timeline(&m, &v->entities[f->index]);
  hm_draw_timeline_svg(&t, out);
}

void hm_list_timeline_files(const hm_view *v, hm_arena *a, hm_pages *out) {
  for (uint32_t i = 0; i < v->n_entities; i++)
    if (v->entities[i].timed)
      hm_pages_add_file(out, a, hm_drawing_path(a, v->entities[i].path), timeline_file, i);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    if (is_conflict_timed(v, &v->conflicts[i]))
      hm_pages_add_file(out, a, hm_drawing_path(a, v->conflicts[i].path), timeline_file, i)->data =
          &v->conflicts[i];
}
