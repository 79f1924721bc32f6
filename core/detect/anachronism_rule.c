/* Does a relation need its ends at a time when they did not exist?
 *
 * A table says for each type of relation at which time each end must exist: in the relation's own
 * window (all of it, some time in it, or its begin), and at the time of the other end, if that is
 * an event or a created thing. hm_existed_at compares this with the end's existence. An end that
 * did not exist then gives an anachronism, at most one per end; an end that may not have existed
 * gives a possible overlap.
 *
 * Not anachronisms: an effect after its cause is over; a soldier who dies before the war ends (some
 * time of the event is enough); a work that took longer than its maker lived (its begin counts); a
 * ruin that is still where it was; parents after a child's birth (life_rules.c checks births). A
 * relation marked as posthumous or honorary needs nobody alive, and a prophecy needs nobody
 * (hm_relation_marks). Cost: O(1) per relation. Source: lore consistency engine, category B. */
#include "core/base/text.h"
#include "core/claim/relation.h"
#include "core/detect/rule.h"

#include <string.h>

enum { NAME_SHOWN = 80 };

typedef enum {
  ALL_OF_IT,  /* its own bounds: from begin to end */
  SOME_OF_IT, /* some time between them */
  AT_BEGIN,   /* its begin, else some time before its end */
  AT_BIRTH    /* the same, where nobody says when the other end was born */
} own_need;
typedef enum {
  NOTHING,
  IF_EVENT,     /* some time of the other end, if that is an event */
  AS_EVENT,     /* of the other end, which is one in such a relation */
  AT_ITS_BEGIN, /* the begin of the other end, of an event some time of it, where the relation has
                   no bounds */
  COEXIST       /* some time of the other end's existence, likewise */
} other_need;
typedef struct {
  own_need own;
  other_need other;
  bool is_event;   /* this end is one in such a relation: it existed when it happened */
  bool ruins;      /* a place that ended is still what it was */
  unsigned bounds; /* of this end's existence */
} end_needs;

static const struct {
  const char *type;
  end_needs ends[2]; /* from, to */
} NEEDS[] = {
  { "CAUSED",
    { { AT_BEGIN, AT_ITS_BEGIN, false, false, HM_ITS_BEGIN },
      { AT_BEGIN, NOTHING, false, false, HM_ITS_END } } },
  { "CREATED",
    { { AT_BEGIN, AT_ITS_BEGIN, false, false, HM_BOTH_ENDS },
      { SOME_OF_IT, NOTHING, false, false, HM_BOTH_ENDS } } },
  { "LOCATED_IN",
    { { ALL_OF_IT, NOTHING, false, true, HM_BOTH_ENDS },
      { ALL_OF_IT, IF_EVENT, false, false, HM_BOTH_ENDS } } },
  { "MEMBER_OF",
    { { ALL_OF_IT, NOTHING, false, false, HM_BOTH_ENDS },
      { ALL_OF_IT, COEXIST, false, false, HM_BOTH_ENDS } } },
  { "OCCURRED_AT",
    { { SOME_OF_IT, NOTHING, true, false, HM_BOTH_ENDS },
      { SOME_OF_IT, AS_EVENT, false, false, HM_BOTH_ENDS } } },
  { "PARENT_OF",
    { { AT_BIRTH, NOTHING, false, false, HM_ITS_BEGIN },
      { AT_BEGIN, NOTHING, false, false, HM_BOTH_ENDS } } },
  { "PARTICIPATED_IN",
    { { ALL_OF_IT, AS_EVENT, false, false, HM_BOTH_ENDS },
      { SOME_OF_IT, NOTHING, true, false, HM_BOTH_ENDS } } },
  { "POSSESSES",
    { { ALL_OF_IT, NOTHING, false, false, HM_BOTH_ENDS },
      { ALL_OF_IT, COEXIST, false, false, HM_BOTH_ENDS } } },
  { "SPOUSE_OF",
    { { ALL_OF_IT, NOTHING, false, false, HM_BOTH_ENDS },
      { ALL_OF_IT, COEXIST, false, false, HM_BOTH_ENDS } } },
  { "WITNESSED",
    { { ALL_OF_IT, AS_EVENT, false, false, HM_BOTH_ENDS },
      { SOME_OF_IT, NOTHING, true, false, HM_BOTH_ENDS } } },
};
const char *const hm_anachronism_types[] = { "CAUSED",          "CREATED",     "LOCATED_IN",
                                             "MEMBER_OF",       "OCCURRED_AT", "PARENT_OF",
                                             "PARTICIPATED_IN", "POSSESSES",   "SPOUSE_OF",
                                             "WITNESSED",       NULL };

/* A relation, its own time, its ends. */
typedef struct {
  const hm_row *row;
  const end_needs *needs;
  const hm_existence *end[2];
  hm_window own;
  bool has_own;
} relation;

/* --- times ------------------------------------------------------------------------- */

/* When an end existed, or, of an event, happened; returns how many windows. */
static size_t existence_of(const hm_existence *x, bool is_event, const hm_window **out) {
  bool by_date = x->happened && (is_event || x->is == HM_IS_EVENT);
  *out = by_date ? x->happened : x->windows;
  return by_date ? 1 : x->n;
}

/* From its first begin to its last end. false: nothing is known. */
static bool whole_of(const hm_existence *x, bool is_event, hm_window *out) {
  const hm_window *w;
  size_t n = existence_of(x, is_event, &w);
  if (!n || w[0].axis != w[n - 1].axis)
    return false;
  *out = w[0];
  out->end = w[n - 1].end;
  return true;
}

static void cut_to_begin(hm_window *w) {
  hm_bound at = w->begin;
  if (at.known)
    hm_window_of_moment(&at, w);
}

/* The time of the other end that this one needs; *out is then some of its time. */
static bool time_of_other(const relation *r, int end, hm_window *out) {
  const hm_existence *other = r->end[!end];
  other_need need = r->needs[end].other;
  bool is_event = other && other->is == HM_IS_EVENT;
  if (!other || need == NOTHING || (need == IF_EVENT && !is_event))
    return false;
  if (r->has_own && (need == AT_ITS_BEGIN || need == COEXIST))
    return false;
  if (!whole_of(other, need == AS_EVENT, out))
    return false;
  if (need == AT_ITS_BEGIN && !is_event)
    cut_to_begin(out);
  return true;
}

static bool own_time(const relation *r, int end, hm_window *out) {
  own_need need = r->needs[end].own;
  hm_bound birth = { 0 };
  *out = r->own;
  if (need == AT_BIRTH && r->end[!end])
    hm_existence_birth(r->end[!end], &birth);
  if (need == AT_BEGIN || need == AT_BIRTH)
    cut_to_begin(out);
  return r->has_own && !birth.known;
}

/* The worst result for one end, and the time at which the relation needs it: its own, or that of
 * the other end. */
static hm_existed check_end(const relation *r, int end, hm_window *time, bool *of_other) {
  const end_needs *needs = &r->needs[end];
  const hm_existence *x = r->end[end];
  const hm_window *w;
  hm_window t;
  hm_existed worst = HM_EXISTED;
  size_t n = x ? existence_of(x, needs->is_event, &w) : 0;
  *of_other = false;
  unsigned bounds = needs->ruins && x && x->is == HM_IS_PLACE ? HM_ITS_BEGIN : needs->bounds;
  if (n && own_time(r, end, &t)) {
    worst = hm_existed_at(&t, needs->own == ALL_OF_IT, bounds, w, n);
    *time = t;
  }
  if (n && worst <= HM_MAY_HAVE_EXISTED && time_of_other(r, end, &t)) {
    hm_existed by_other = hm_existed_at(&t, false, bounds, w, n);
    if (needs->other == COEXIST && by_other == HM_MAY_HAVE_EXISTED)
      by_other = HM_EXISTED;
    if (by_other > worst) {
      worst = by_other;
      *time = t;
      *of_other = true;
    }
  }
  return worst;
}

/* --- findings -------------------------------------------------------------------------- */

static void append_window(hm_buf *b, const hm_window *w, hm_arena *a) {
  hm_str begin = hm_bound_text(a, &w->begin), end = hm_bound_text(a, &w->end);
  if (w->moment)
    hm_buf_str(b, begin);
  else if (!end.n)
    hm_buf_fmt(b, "from %.*s", HM_FMT(begin));
  else if (!begin.n)
    hm_buf_fmt(b, "until %.*s", HM_FMT(end));
  else
    hm_buf_fmt(b, "%.*s to %.*s", HM_FMT(begin), HM_FMT(end));
}

static hm_str windows_text(const hm_window *w, size_t n, hm_arena *a) {
  enum { SHOWN = 10 };
  hm_buf b = { 0 };
  for (size_t i = 0; i < n && i < SHOWN; i++) {
    if (i)
      hm_buf_c(&b, ", ");
    append_window(&b, &w[i], a);
  }
  if (n > SHOWN)
    hm_buf_c(&b, ", ...");
  return hm_buf_take(&b, a);
}

static hm_str name_of(const hm_scope *s, int end, const hm_existence *x, hm_arena *a) {
  hm_str name = x ? x->name : s->cards[end].ref;
  return hm_text_cut(hm_text_repair(a, hm_str_sub(name, 0, 4 * NAME_SHOWN)), NAME_SHOWN);
}

static void add_finding(const hm_scope *s, hm_found *out, const hm_rule *rule, const relation *r,
                        int end, hm_existed how, const hm_window *time, bool of_other) {
  static const char *const words[] = { [HM_MAY_HAVE_EXISTED] = "when it may not have existed",
                                       [HM_EXISTED_BEFORE] = "before it existed",
                                       [HM_EXISTED_AFTER] = "after it existed",
                                       [HM_EXISTED_DURING_MISMATCH] = "when it did not exist" };
  hm_arena *a = hm_found_arena(out);
  const hm_existence *x = r->end[end], *other = r->end[!end];
  const hm_window *w;
  size_t n = existence_of(x, r->needs[end].is_event, &w);
  hm_finding f = { .rows = hm_alloc_array(a, 3, sizeof *f.rows) };
  f.rows[f.n_rows++] = hm_row_ref(a, r->row);
  f.rows[f.n_rows++] = hm_ref_text(a, HM_ENTITY, x->id);
  if (other && other != x)
    f.rows[f.n_rows++] = hm_ref_text(a, HM_ENTITY, other->id);
  f.expected = windows_text(w, n, a);
  f.actual = windows_text(time, 1, a);
  uint32_t project = r->row->project;
  if (!s->snap->projects[project].id.n)
    project = s->cards[end].project;
  f.project = s->snap->projects[project].id;
  hm_str from = name_of(s, 0, r->end[0], a), to = name_of(s, 1, r->end[1], a);
  hm_str type = hm_text_repair(a, hm_str_sub(r->row->type, 0, NAME_SHOWN));
  f.message = hm_str_fmt(a, "%.*s %.*s %.*s: this needs %.*s %s%.*s, %s (%.*s)", HM_FMT(from),
                         HM_FMT(type), HM_FMT(to), HM_FMT(end ? to : from),
                         time->begin.known && time->end.known ? "in " : "", HM_FMT(f.actual),
                         words[how], HM_FMT(f.expected));
  bool by_date = w == x->happened;
  const hm_time_sources *by[2] = { by_date ? x->happened_by : x->existed_by, NULL };
  if (of_other) {
    existence_of(other, r->needs[end].other == AS_EVENT, &w);
    by[1] = w == other->happened ? other->happened_by : other->existed_by;
  }
  hm_finding_add_time_sources(&f, by, a);
  hm_found_add_rule_finding(out, rule, f);
}

/* What the rule tells. */
static hm_existed told_by(const hm_rule *rule) {
  static const char *const reasons[] = { [HM_EXISTED_BEFORE] = "EXISTED_BEFORE",
                                         [HM_EXISTED_AFTER] = "EXISTED_AFTER",
                                         [HM_EXISTED_DURING_MISMATCH] = "EXISTED_DURING_MISMATCH" };
  for (int i = HM_EXISTED_BEFORE; rule->reason && i <= HM_EXISTED_DURING_MISMATCH; i++)
    if (!strcmp(rule->reason, reasons[i]))
      return (hm_existed)i;
  return HM_MAY_HAVE_EXISTED;
}

const hm_world *hm_relation_world(const hm_scope *s, const hm_existence *from) {
  const hm_row *r = &s->snap->rows[s->rows[0]];
  hm_str project = s->snap->projects[r->project].id;
  if (from && !hm_world_name_from_props(project, r->props, s->scratch).n)
    return from->world;
  return hm_world_find(s->config->worlds, project, r->props, s->scratch);
}

static bool read_relation(const hm_scope *s, relation *r) {
  size_t k = 0;
  *r = (relation){ .row = &s->snap->rows[s->rows[0]] };
  if (r->row->status != HM_ACTIVE || s->n_cards != 2)
    return false;
  for (int i = 0; i < 2; i++)
    r->end[i] = hm_existence_find(s->lives, s->cards[i].to);
  if ((!r->end[0] || !(r->end[0]->n || r->end[0]->happened)) &&
      (!r->end[1] || !(r->end[1]->n || r->end[1]->happened)))
    return false;
  while (k < HM_COUNT(NEEDS) && !hm_relation_type_is(r->row->type, NEEDS[k].type))
    k++;
  if (k == HM_COUNT(NEEDS))
    return false;
  r->needs = NEEDS[k].ends;
  if (!hm_relation_may_have_bounds(r->row))
    return true;
  const hm_world *world = hm_relation_world(s, r->end[0]);
  hm_str from, until;
  bool by_props = hm_relation_read_bounds(world, r->row, s->scratch, s->scratch, &from, &until);
  r->has_own = hm_window_parse(world, from, until, HM_TIME_MAX, &r->own) == HM_WINDOW_OK;
  bool is_open = r->has_own && !r->own.begin.known && !r->own.end.known;
  if (is_open)
    r->has_own = false;
  return r->has_own || is_open || by_props;
}

void hm_find_anachronisms(const hm_scope *s, hm_found *out) {
  relation r;
  hm_window time;
  bool of_other;
  if (!read_relation(s, &r))
    return;
  for (int end = 0; end < 2; end++) {
    hm_existed how = check_end(&r, end, &time, &of_other);
    const hm_rule *rule = s->rule, *last = s->rule + s->n_alike;
    while (rule < last && told_by(rule) != how)
      rule++;
    if (rule == last)
      continue;
    unsigned marks = hm_relation_marks(r.row->props, s->scratch);
    if (marks & HM_MARK_NO_FACT || (marks & HM_MARK_POSTHUMOUS && how != HM_EXISTED_BEFORE))
      continue;
    add_finding(s, out, rule, &r, end, how, &time, of_other);
  }
}
