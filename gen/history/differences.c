/* Turns rows and conflicts before and after into events: event.h.
 *
 * A row that claims slots gives an event for each slot, any other row for each field. A conflict
 * gives events for its status and its members. Equal versions give none, nor does a move of a row
 * within the files. Cost: linear in what differs. */
#include "gen/history/event.h"

#include <string.h>

#include "core/base/str.h"

/* --- rows ---------------------------------------------------------------------------- */

typedef struct {
  const hm_fact_claims *all;
  bool mapped;
  hm_map by_field;
} claim_index;

typedef struct {
  const hm_fact *before, *after;
  const hm_fact_claims *claims_before, *claims_after; /* never NULL */
  claim_index by_before, by_after;                    /* the same, while all is compared */
  hm_str project;
  hm_events *out;
  hm_arena *a;
} pair;

/* --- what is said ------------------------------------------------------------- */

enum { WORTH_A_MAP = 16 };

static void index_claims(claim_index *x, const hm_fact_claims *s, hm_arena *a) {
  *x = (claim_index){ .all = s, .mapped = s->n > WORTH_A_MAP };
  if (x->mapped)
    hm_map_init(&x->by_field, a, s->n);
  for (size_t i = 0; i < s->n && x->mapped; i++)
    hm_map_add(&x->by_field, s->v[i].field, (uint32_t)i);
}

static const hm_fact_claim *claim_of_field(const claim_index *x, hm_str field) {
  const hm_fact_claims *s = x->all;
  uint32_t k = x->mapped ? hm_map_get(&x->by_field, field) : HM_MAP_NONE;
  if (x->mapped)
    return k == HM_MAP_NONE ? NULL : &s->v[k];
  for (size_t i = 0; i < s->n; i++)
    if (hm_str_eq(s->v[i].field, field))
      return &s->v[i];
  return NULL;
}

/* All of the row in one line, for a row that claims no slot. */
static hm_str summary_of(const hm_fact *f) {
  const hm_fact_field *content = hm_fact_find_field(f, HM_STR("content"), true),
                      *value = hm_fact_find_field(f, HM_STR("value"), true);
  if (content)
    return content->value;
  if (value)
    return value->value;
  return f->layer == HM_RELATION ? f->name : HM_EMPTY;
}

static hm_event *add_row_event(pair *p, hm_event_kind kind, const hm_fact_claim *said,
                               hm_str field) {
  const hm_fact *f = p->after ? p->after : p->before;
  hm_event *e = hm_event_add(p->out, kind);
  e->project = p->project;
  e->row = f->ref;
  e->slot = said ? said->key : HM_EMPTY;
  e->called = said ? said->called : HM_EMPTY;
  e->field = field;
  if (f->layer == HM_ENTITY || f->layer == HM_STATE)
    e->name = f->name;
  return e;
}

/* --- rows that came, went, changed status ------------------------------------- */

static void add_appeared(pair *p, const hm_fact_claim *said, hm_str text) {
  hm_event *e = add_row_event(p, HM_EV_APPEARED, said, said ? said->field : HM_EMPTY);
  e->after = text;
  if (!hm_str_is(p->after->status, "active")) {
    e->status = p->after->status;
    e->by = p->after->by;
  }
}

static void add_gone(pair *p, const hm_fact_claim *said, hm_str text) {
  hm_event *e = add_row_event(p, HM_EV_GONE, said, said ? said->field : HM_EMPTY);
  e->before = text;
  e->again = p->after != NULL;
}

static void add_status(pair *p, const hm_fact_claim *said, hm_str text) {
  hm_event *e = add_row_event(p, HM_EV_STATUS, said, said ? said->field : HM_EMPTY);
  e->before = p->before->status;
  e->after = p->after->status;
  e->said = text;
  e->by = p->after->by;
}

static hm_str title_of(const hm_fact_claim *c, hm_arena *a) {
  return c->called.n ? c->called : hm_slot_title(a, c->key, HM_EMPTY);
}

/* A text may be read for two slots that are called alike: its event stands there once. */
static bool is_told(const hm_fact_claims *s, size_t claim, hm_arena *a) {
  const hm_fact_claim *c = &s->v[claim];
  for (size_t i = 0; i < claim; i++)
    if (hm_str_eq(s->v[i].value, c->value) && hm_str_eq(title_of(&s->v[i], a), title_of(c, a)))
      return true;
  return false;
}

static void for_each_claim(pair *p, const hm_fact_claims *s, const hm_fact *f,
                           void (*add_event)(pair *p, const hm_fact_claim *said, hm_str text)) {
  for (size_t i = 0; i < s->n; i++)
    if (f->layer != HM_MEMORY || !is_told(s, i, p->a))
      add_event(p, &s->v[i], s->v[i].value);
  if (s->n == 0)
    add_event(p, NULL, summary_of(f));
}

/* --- fields --------------------------------------------------------------------- */

static bool same_shown(const hm_fact_field *x, const hm_fact_field *y) {
  if (!x || !y)
    return x == y;
  return hm_str_eq(x->value, y->value) && hm_str_eq(x->whole, y->whole);
}

static void add_change(pair *p, hm_event_kind kind, const hm_fact_claim *said, hm_str field,
                       hm_str before, hm_str after) {
  hm_event *e = add_row_event(p, kind, said, field);
  e->before = before;
  e->after = after;
}

static hm_str value_of(const hm_fact_field *s) { return s ? s->value : HM_EMPTY; }

static void compare_field(pair *p, hm_str field, const hm_fact_field *before,
                          const hm_fact_field *after) {
  const hm_fact_claim *x = claim_of_field(&p->by_before, field),
                      *y = claim_of_field(&p->by_after, field);
  if (x && y && hm_str_eq(x->key, y->key)) {
    bool same = hm_str_eq(x->value, y->value), reworded = !same_shown(before, after);
    if (!same || reworded)
      add_change(p, HM_EV_CHANGED, same && p->after->layer == HM_MEMORY ? NULL : y, field,
                 same ? value_of(before) : x->value, same ? value_of(after) : y->value);
    return;
  }
  if (x)
    add_gone(p, x, x->value);
  if (y)
    add_appeared(p, y, y->value);
  if (!x && !y && !same_shown(before, after))
    add_change(p, HM_EV_CHANGED, NULL, field, value_of(before), value_of(after));
}

static void compare_shown(pair *p, hm_str name, bool own, const hm_fact_field *before,
                          const hm_fact_field *after) {
  /* Lines that repeat an event of another row, or of the status. */
  bool again = hm_str_is(name, "Superseded on") || hm_str_is(name, "Updated") ||
      hm_str_is(name, "Slot rule");
  if (own)
    compare_field(p, name, before, after);
  else if (!again && !same_shown(before, after))
    add_change(p, HM_EV_KNOWN, NULL, name, value_of(before), value_of(after));
}

static void compare_facts(pair *p) {
  const hm_fact *b = p->before, *f = p->after;
  hm_fact_index then, now;
  hm_fact_index_init(b, p->a, &then);
  hm_fact_index_init(f, p->a, &now);
  index_claims(&p->by_before, p->claims_before, p->a);
  index_claims(&p->by_after, p->claims_after, p->a);
  /* When not all properties are shown, a missing one may exist: then only `rest` is compared. */
  for (size_t i = 0; i < b->n; i++) {
    const hm_fact_field *x = &b->shown[i], *y = hm_fact_index_find_field(&now, x->name, x->own);
    if (y || !x->own || !f->rest.n)
      compare_shown(p, x->name, x->own, x, y);
  }
  for (size_t i = 0; i < f->n; i++) {
    const hm_fact_field *y = &f->shown[i];
    if (!hm_fact_index_find_field(&then, y->name, y->own) && (!y->own || !b->rest.n))
      compare_shown(p, y->name, y->own, NULL, y);
  }
  if (!hm_str_eq(b->rest, f->rest))
    add_change(p, HM_EV_KNOWN, NULL, HM_STR("All properties"), b->rest, f->rest);
  const struct {
    const char *name;
    hm_str before, after;
  } heads[] = { { f->layer == HM_STATE ? "key" : "name", b->name, f->name },
                { f->layer == HM_STATE ? "category" : "type", b->type, f->type } };
  for (size_t i = 0; i < 2; i++)
    if (!hm_str_eq(heads[i].before, heads[i].after))
      add_change(p, HM_EV_CHANGED, NULL, hm_str_c(heads[i].name), heads[i].before, heads[i].after);
}

int hm_collect_fact_events(const hm_fact_pair *pairs, size_t n, const hm_folders *folders,
                           const hm_rules *rules, hm_arena *a, hm_events *out, hm_err *err) {
  static const hm_fact_claims none = { NULL, 0 };
  const hm_fact **facts = hm_alloc_array(a, 2 * n + 1, sizeof *facts);
  hm_fact_claims *said;
  size_t m = 0;
  for (size_t i = 0; i < n; i++) {
    if (pairs[i].before)
      facts[m++] = pairs[i].before;
    if (pairs[i].after)
      facts[m++] = pairs[i].after;
  }
  if (hm_fact_build_claims(facts, m, folders, rules, a, &said, err) != 0)
    return -1;
  m = 0;
  for (size_t i = 0; i < n; i++) {
    pair p = { .before = pairs[i].before,
               .after = pairs[i].after,
               .claims_before = &none,
               .claims_after = &none,
               .out = out,
               .a = a };
    p.project = folders->project(folders->ctx, (p.after ? p.after : p.before)->folder);
    if (p.before)
      p.claims_before = &said[m++];
    if (p.after)
      p.claims_after = &said[m++];
    if (!p.before) {
      for_each_claim(&p, p.claims_after, p.after, add_appeared);
    } else if (!p.after) {
      for_each_claim(&p, p.claims_before, p.before, add_gone);
    } else {
      if (!hm_str_eq(p.before->status, p.after->status))
        for_each_claim(&p, p.claims_after, p.after, add_status);
      compare_facts(&p);
    }
  }
  return 0;
}

/* --- conflicts ----------------------------------------------------------------------- */

typedef struct {
  const hm_json *before, *after;
} conflict_pair;

static bool is_open(const hm_json *c) { return hm_str_is(hm_json_get_text(c, "status"), "open"); }

/* --- lines ------------------------------------------------------------------ */

/* The next line that is an object, without the comma behind it. */
static bool next_conflict(hm_str json, size_t *at, hm_str *line) {
  while (*at < json.n) {
    const char *nl = memchr(json.p + *at, '\n', json.n - *at);
    size_t end = nl ? (size_t)(nl - json.p) : json.n;
    *line = hm_str_sub(json, *at, end);
    *at = end + 1;
    if (hm_str_ends(*line, ","))
      line->n--;
    if (hm_str_starts(*line, "{\"id\":") && hm_str_ends(*line, "}"))
      return true;
  }
  return false;
}

static size_t count_lines(hm_str s) {
  size_t n = 1;
  for (size_t i = 0; i < s.n; i++)
    n += s.p[i] == '\n';
  return n;
}

/* Lines of json that `other` does not have, parsed. */
static size_t differing_conflicts(hm_str json, hm_str other, hm_arena *a, const hm_json ***out) {
  hm_map there;
  hm_str line;
  size_t n = 0;
  hm_map_init(&there, a, count_lines(other));
  for (size_t at = 0; next_conflict(other, &at, &line);)
    hm_map_add(&there, line, 1);
  *out = hm_alloc_array(a, count_lines(json), sizeof **out);
  for (size_t at = 0; next_conflict(json, &at, &line);) {
    hm_json *v;
    if (hm_map_get(&there, line) != HM_MAP_NONE || hm_json_parse(a, line, &v, NULL) != 0)
      continue;
    hm_str status = hm_json_get_text(v, "status");
    if (is_open(v) || hm_str_is(status, "resolved") || hm_str_is(status, "dismissed") ||
        hm_str_is(status, "merged"))
      (*out)[n++] = v;
  }
  return n;
}

size_t hm_count_disputed_conflicts(hm_str json) {
  hm_str line;
  size_t n = 0;
  for (size_t at = 0; next_conflict(json, &at, &line);)
    n += hm_str_find(line, "\"disputed\":true") >= 0;
  return n;
}

/* --- one conflict ----------------------------------------------------------- */

static size_t count_members(const hm_json *m) {
  size_t n = 0;
  for (; m; m = m->next)
    n++;
  return n;
}

static hm_str ref_of(const hm_json *m, hm_arena *a) {
  return hm_str_fmt(a, "%.*s:%.*s", HM_FMT(hm_json_get_text(m, "member_kind")),
                    HM_FMT(hm_json_get_text(m, "member_id")));
}

static bool has_text(const hm_str *list, size_t n, hm_str s) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(list[i], s))
      return true;
  return false;
}

enum { DISTINCT_MAX = 64 }; /* of the values of a slot; more are not distinguished */

static void set_values(hm_event *e, const hm_json *c, hm_arena *a) {
  const hm_json *m = hm_json_get_items(c, "members");
  e->values = hm_alloc_array(a, count_members(m) + 1, sizeof *e->values);
  for (; m && e->n_values < DISTINCT_MAX; m = m->next) {
    hm_str v = hm_json_get_text(m, "value");
    if (!has_text(e->values, e->n_values, v))
      e->values[e->n_values++] = v;
  }
  const hm_json *withheld = hm_json_get(c, "withheld");
  if (withheld && withheld->type == HM_JSON_NUMBER)
    for (size_t i = 0; i < withheld->text.n && i < 9; i++)
      e->withheld = e->withheld * 10 + (withheld->text.p[i] - '0');
}

static void set_members(hm_event *e, const hm_json *c, hm_arena *a) {
  const hm_json *first = hm_json_get_items(c, "members");
  size_t n = count_members(first);
  e->members = hm_alloc_array(a, n + 1, sizeof *e->members);
  e->fields = hm_alloc_array(a, n + 1, sizeof *e->fields);
  for (const hm_json *m = first; m; m = m->next, e->n_members++) {
    e->members[e->n_members] = ref_of(m, a);
    e->fields[e->n_members] = hm_json_get_text(m, "field");
  }
}

/* Members of c that other does not have, by reference and field. */
static size_t missing_members(const hm_json *c, const hm_json *other, hm_arena *a, hm_str **out) {
  hm_map there;
  size_t n = 0;
  hm_map_init(&there, a, count_members(hm_json_get_items(other, "members")));
  for (const hm_json *m = hm_json_get_items(other, "members"); m; m = m->next)
    hm_map_add(
        &there,
        hm_str_fmt(a, "%.*s\x1f%.*s", HM_FMT(ref_of(m, a)), HM_FMT(hm_json_get_text(m, "field"))),
        1);
  *out = hm_alloc_array(a, count_members(hm_json_get_items(c, "members")) + 1, sizeof **out);
  for (const hm_json *m = hm_json_get_items(c, "members"); m; m = m->next) {
    hm_str ref = ref_of(m, a);
    hm_str key = hm_str_fmt(a, "%.*s\x1f%.*s", HM_FMT(ref), HM_FMT(hm_json_get_text(m, "field")));
    if (hm_map_get(&there, key) == HM_MAP_NONE &&
        !has_text(*out, n < DISTINCT_MAX ? n : DISTINCT_MAX, ref))
      (*out)[n++] = ref;
  }
  return n;
}

static hm_event *add_conflict_event(hm_events *out, hm_event_kind kind, const hm_json *c,
                                    hm_arena *a) {
  hm_event *e = hm_event_add(out, kind);
  const hm_json *key = hm_json_get(c, "slot_key");
  e->conflict = hm_json_get_text(c, "id");
  e->project = hm_json_get_text(c, "project");
  e->status = hm_json_get_text(c, "status");
  if (key)
    e->slot = hm_json_as_text(key, a);
  e->called = hm_json_get_text(c, "title");
  set_values(e, c, a);
  set_members(e, c, a);
  return e;
}

/* An older publication has `winner` instead of `winners`. */
static hm_str *winners_of(const hm_json *c, hm_arena *a, size_t *n) {
  const hm_json *list = hm_json_get(c, "winners");
  hm_str one = hm_json_get_text(c, "winner"), *out;
  if (list && list->type == HM_JSON_ARRAY) {
    *n = hm_json_texts(list, a, &out);
    if (*n > HM_WINNERS_MAX)
      *n = HM_WINNERS_MAX;
    return out;
  }
  *n = one.n > 0;
  return memcpy(hm_alloc(a, sizeof one), &one, sizeof one);
}

static bool same_winners(const hm_json *x, const hm_json *y, hm_arena *a) {
  size_t n, m, i = 0;
  const hm_str *p = winners_of(x, a, &n), *q = winners_of(y, a, &m);
  while (i < n && i < m && hm_str_eq(p[i], q[i]))
    i++;
  return i == n && i == m;
}

static void add_settled(hm_events *out, const hm_json *c, hm_arena *a) {
  hm_event *e = add_conflict_event(out, HM_EV_SETTLED, c, a);
  e->action = hm_json_get_text(c, "action");
  e->winners = winners_of(c, a, &e->n_winners);
  e->stand = hm_alloc_array(a, e->n_winners, sizeof *e->stand);
  e->by = hm_json_get_text(c, "resolved_by");
  e->at = hm_json_get_text(c, "resolved_at");
  e->notes = hm_json_get_text(c, "resolution");
  for (const hm_json *m = hm_json_get_items(c, "members"); m && e->n_winners; m = m->next)
    for (size_t i = 0; i < e->n_winners; i++)
      if (hm_str_eq(ref_of(m, a), e->winners[i]))
        e->stand[i] = hm_json_get_text(m, "value");
}

static bool same_values(const hm_event *e, const hm_json *before, hm_arena *a) {
  hm_event was = { .kind = e->kind };
  set_values(&was, before, a);
  if (was.n_values != e->n_values || was.withheld != e->withheld)
    return false;
  for (size_t i = 0; i < was.n_values; i++)
    if (!has_text(e->values, e->n_values, was.values[i]))
      return false;
  return true;
}

static void add_disputed(hm_events *out, const hm_json *before, const hm_json *after, hm_arena *a) {
  bool was = before && hm_json_get_true(before, "disputed");
  hm_event *e = add_conflict_event(out, was ? HM_EV_MEMBERS : HM_EV_DISPUTED, after, a);
  e->again = before != NULL;
  e->n_added = missing_members(after, before, a, &e->added);
  e->n_removed = before ? missing_members(before, after, a, &e->removed) : 0;
  if (was && !e->n_added && !e->n_removed && same_values(e, before, a))
    out->n--;
}

static void compare_conflict(hm_events *out, const hm_json *b, const hm_json *c, hm_arena *a) {
  if (!c)
    add_conflict_event(out, HM_EV_DROPPED, b, a);
  else if (!is_open(c)) {
    if (!b)
      add_conflict_event(out, HM_EV_DISPUTED, c, a)->status = HM_STR("open");
    bool same = b && !is_open(b) &&
        hm_str_eq(hm_json_get_text(b, "resolution"), hm_json_get_text(c, "resolution")) &&
        hm_str_eq(hm_json_get_text(b, "status"), hm_json_get_text(c, "status")) &&
        same_winners(b, c, a);
    if (!same)
      add_settled(out, c, a);
  } else if (b && !is_open(b))
    add_conflict_event(out, HM_EV_REOPENED, c, a);
  else if (hm_json_get_true(c, "disputed"))
    add_disputed(out, b, c, a);
  else if (!b || hm_json_get_true(b, "disputed"))
    add_conflict_event(out, HM_EV_QUIET, c, a);
}

void hm_collect_conflict_events(hm_str before, hm_str after, hm_arena *a, hm_events *out) {
  const hm_json **olds, **news;
  size_t n_olds = differing_conflicts(before, after, a, &olds),
         n_news = differing_conflicts(after, before, a, &news), n = 0;
  conflict_pair *pairs = hm_alloc_array(a, n_olds + n_news + 1, sizeof *pairs);
  hm_map by_id;
  hm_map_init(&by_id, a, n_olds);
  for (size_t i = 0; i < n_olds; i++) {
    hm_map_set(&by_id, hm_json_get_text(olds[i], "id"), (uint32_t)n);
    pairs[n++].before = olds[i];
  }
  for (size_t i = 0; i < n_news; i++) {
    uint32_t at = hm_map_get(&by_id, hm_json_get_text(news[i], "id"));
    pairs[at == HM_MAP_NONE ? n++ : at].after = news[i];
  }
  for (size_t i = 0; i < n; i++)
    compare_conflict(out, pairs[i].before, pairs[i].after, a);
}
