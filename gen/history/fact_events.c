#include "gen/history/fact_events.h"

typedef struct { const hm_saids *all; bool mapped; hm_map by_field; } said_index;

typedef struct {
  const hm_fact *before, *after;
  const hm_saids *said_before, *said_after;    /* never NULL */
  said_index by_before, by_after;              /* the same, while all is compared */
  hm_str project;
  hm_events *out;
  hm_arena *a;
} pair;

/* --- what is said ------------------------------------------------------------- */

enum { WORTH_A_MAP = 16 };

static void index_saids(said_index *x, const hm_saids *s, hm_arena *a) {
  *x = (said_index){ .all = s, .mapped = s->n > WORTH_A_MAP };
  if (x->mapped) hm_map_init(&x->by_field, a, s->n);
  for (size_t i = 0; i < s->n && x->mapped; i++)
    hm_map_add(&x->by_field, s->v[i].field, (uint32_t)i);
}

static const hm_said *said_of(const said_index *x, hm_str field) {
  const hm_saids *s = x->all;
  uint32_t k = x->mapped ? hm_map_get(&x->by_field, field) : HM_MAP_NONE;
  if (x->mapped) return k == HM_MAP_NONE ? NULL : &s->v[k];
  for (size_t i = 0; i < s->n; i++)
    if (hm_str_eq(s->v[i].field, field)) return &s->v[i];
  return NULL;
}

/* All of the row in one line, where no slot tells what it is about. */
static hm_str summary(const hm_fact *f) {
  const hm_shown *content = hm_fact_shown(f, HM_STR("content"), true),
                 *value = hm_fact_shown(f, HM_STR("value"), true);
  if (content) return content->value;
  if (value) return value->value;
  return f->layer == HM_RELATION ? f->name : HM_EMPTY;
}

static hm_event *add(pair *p, hm_event_kind kind, const hm_said *said, hm_str field) {
  const hm_fact *f = p->after ? p->after : p->before;
  hm_event *e = hm_event_add(p->out, kind);
  e->project = p->project;
  e->row = f->ref;
  e->slot = said ? said->key : HM_EMPTY;
  e->field = field;
  if (f->layer == HM_ENTITY || f->layer == HM_STATE) e->name = f->name;
  return e;
}

static bool is_active(const hm_fact *f) { return hm_str_is(f->status, "active"); }

/* --- rows that came, went, changed status ------------------------------------- */

static void appear(pair *p, const hm_said *said, hm_str text) {
  hm_event *e = add(p, HM_EV_APPEARED, said, said ? said->field : HM_EMPTY);
  e->after = text;
  if (!is_active(p->after)) {
    e->status = p->after->status;
    e->by = p->after->by;
  }
}

static void leave(pair *p, const hm_said *said, hm_str text) {
  hm_event *e = add(p, HM_EV_GONE, said, said ? said->field : HM_EMPTY);
  e->before = text;
  e->again = p->after != NULL;
}

static void change_status(pair *p, const hm_said *said, hm_str text) {
  hm_event *e = add(p, HM_EV_STATUS, said, said ? said->field : HM_EMPTY);
  e->before = p->before->status;
  e->after = p->after->status;
  e->said = text;
  e->by = p->after->by;
}

static void each_said(pair *p, const hm_saids *s, const hm_fact *f,
                      void (*tell)(pair *p, const hm_said *said, hm_str text)) {
  for (size_t i = 0; i < s->n; i++) tell(p, &s->v[i], s->v[i].value);
  if (s->n == 0) tell(p, NULL, summary(f));
}

/* --- fields --------------------------------------------------------------------- */

static bool same_shown(const hm_shown *x, const hm_shown *y) {
  if (!x || !y) return x == y;
  return hm_str_eq(x->value, y->value) && hm_str_eq(x->whole, y->whole);
}

static void change(pair *p, hm_event_kind kind, const hm_said *said, hm_str field, hm_str before,
                   hm_str after) {
  hm_event *e = add(p, kind, said, field);
  e->before = before;
  e->after = after;
}

static hm_str value_of(const hm_shown *s) { return s ? s->value : HM_EMPTY; }

static void compare_field(pair *p, hm_str field, const hm_shown *before, const hm_shown *after) {
  const hm_said *x = said_of(&p->by_before, field), *y = said_of(&p->by_after, field);
  if (x && y && hm_str_eq(x->key, y->key)) {
    bool same = hm_str_eq(x->value, y->value), reworded = !same_shown(before, after);
    if (!same || reworded)
      change(p, HM_EV_CHANGED, same && p->after->layer == HM_MEMORY ? NULL : y, field,
             same ? value_of(before) : x->value, same ? value_of(after) : y->value);
    return;
  }
  if (x) leave(p, x, x->value);
  if (y) appear(p, y, y->value);
  if (!x && !y && !same_shown(before, after))
    change(p, HM_EV_CHANGED, NULL, field, value_of(before), value_of(after));
}

/* Lines that say again what an event of another row, or of the status, says. */
static bool is_told_elsewhere(hm_str name) {
  static const char *const names[] = { "Superseded on", "Updated", "Slot rule" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hm_str_is(name, names[i])) return true;
  return false;
}

static void compare_shown(pair *p, hm_str name, bool own, const hm_shown *before,
                          const hm_shown *after) {
  if (own) compare_field(p, name, before, after);
  else if (!is_told_elsewhere(name) && !same_shown(before, after))
    change(p, HM_EV_KNOWN, NULL, name, value_of(before), value_of(after));
}

static void compare_all(pair *p) {
  const hm_fact *b = p->before, *f = p->after;
  hm_fact_index then, now;
  hm_fact_index_of(b, p->a, &then);
  hm_fact_index_of(f, p->a, &now);
  index_saids(&p->by_before, p->said_before, p->a);
  index_saids(&p->by_after, p->said_after, p->a);
  for (size_t i = 0; i < b->n; i++)
    compare_shown(p, b->shown[i].name, b->shown[i].own, &b->shown[i],
                  hm_fact_find(&now, b->shown[i].name, b->shown[i].own));
  for (size_t i = 0; i < f->n; i++)
    if (!hm_fact_find(&then, f->shown[i].name, f->shown[i].own))
      compare_shown(p, f->shown[i].name, f->shown[i].own, NULL, &f->shown[i]);
  const struct { const char *name; hm_str before, after;
  } heads[] = { { f->layer == HM_STATE ? "key" : "name", b->name, f->name },
                { f->layer == HM_STATE ? "category" : "type", b->type, f->type } };
  for (size_t i = 0; i < 2; i++)
    if (!hm_str_eq(heads[i].before, heads[i].after))
      change(p, HM_EV_CHANGED, NULL, hm_str_c(heads[i].name), heads[i].before, heads[i].after);
}

static void tell(pair *p) {
  if (!p->before) each_said(p, p->said_after, p->after, appear);
  else if (!p->after) each_said(p, p->said_before, p->before, leave);
  else {
    if (!hm_str_eq(p->before->status, p->after->status))
      each_said(p, p->said_after, p->after, change_status);
    compare_all(p);
  }
}

int hm_fact_events(const hm_fact_pair *pairs, size_t n, const hm_folders *folders,
                   const hm_rules *rules, hm_arena *a, hm_events *out, hm_err *err) {
  static const hm_saids none = { NULL, 0 };
  const hm_fact **facts = hm_alloc_array(a, 2 * n + 1, sizeof *facts);
  hm_saids *said;
  size_t m = 0;
  for (size_t i = 0; i < n; i++) {
    if (pairs[i].before) facts[m++] = pairs[i].before;
    if (pairs[i].after) facts[m++] = pairs[i].after;
  }
  if (hm_slots_of(facts, m, folders, rules, a, &said, err) != 0) return -1;
  m = 0;
  for (size_t i = 0; i < n; i++) {
    pair p = { .before = pairs[i].before,
               .after = pairs[i].after,
               .said_before = &none,
               .said_after = &none,
               .out = out,
               .a = a };
    p.project = folders->project(folders->ctx, (p.after ? p.after : p.before)->folder);
    if (p.before) p.said_before = &said[m++];
    if (p.after) p.said_after = &said[m++];
    tell(&p);
  }
  return 0;
}
