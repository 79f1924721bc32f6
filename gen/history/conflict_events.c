#include "gen/history/conflict_events.h"

#include <string.h>

#include "core/base/map.h"

typedef struct { const hm_json *before, *after; } pair;

static hm_str text_of(const hm_json *c, const char *key) {
  const hm_json *v = hm_json_get(c, key);
  return v && v->type == HM_JSON_STRING ? v->text : HM_EMPTY;
}

static bool is_true(const hm_json *c, const char *key) {
  const hm_json *v = hm_json_get(c, key);
  return v && v->type == HM_JSON_TRUE;
}

static bool is_open(const hm_json *c) { return hm_str_is(text_of(c, "status"), "open"); }

/* --- lines ------------------------------------------------------------------ */

/* The next line that is an object, without the comma behind it. */
static bool next_line(hm_str json, size_t *at, hm_str *line) {
  while (*at < json.n) {
    const char *nl = memchr(json.p + *at, '\n', json.n - *at);
    size_t end = nl ? (size_t)(nl - json.p) : json.n;
    *line = hm_str_sub(json, *at, end);
    *at = end + 1;
    if (hm_str_ends(*line, ",")) line->n--;
    if (hm_str_starts(*line, "{\"id\":") && hm_str_ends(*line, "}")) return true;
  }
  return false;
}

static size_t count_lines(hm_str s) {
  size_t n = 1;
  for (size_t i = 0; i < s.n; i++) n += s.p[i] == '\n';
  return n;
}

/* Lines of json that `other` does not have, parsed. */
static size_t differing(hm_str json, hm_str other, hm_arena *a, const hm_json ***out) {
  hm_map there;
  hm_str line;
  size_t n = 0;
  hm_map_init(&there, a, count_lines(other));
  for (size_t at = 0; next_line(other, &at, &line);) hm_map_add(&there, line, 1);
  *out = hm_alloc_array(a, count_lines(json), sizeof **out);
  for (size_t at = 0; next_line(json, &at, &line);) {
    hm_json *v;
    if (hm_map_get(&there, line) != HM_MAP_NONE || hm_json_parse(a, line, &v, NULL) != 0) continue;
    if (is_open(v) || hm_str_is(text_of(v, "status"), "resolved") ||
        hm_str_is(text_of(v, "status"), "dismissed") || hm_str_is(text_of(v, "status"), "merged"))
      (*out)[n++] = v;
  }
  return n;
}

size_t hm_count_disputed(hm_str json) {
  hm_str line;
  size_t n = 0;
  for (size_t at = 0; next_line(json, &at, &line);)
    n += hm_str_find(line, "\"disputed\":true") >= 0;
  return n;
}

/* --- one conflict ----------------------------------------------------------- */

static const hm_json *members_of(const hm_json *c) {
  const hm_json *m = c ? hm_json_get(c, "members") : NULL;
  return m && m->type == HM_JSON_ARRAY ? m->child : NULL;
}

static size_t count(const hm_json *m) {
  size_t n = 0;
  for (; m; m = m->next) n++;
  return n;
}

static hm_str ref_of(const hm_json *m, hm_arena *a) {
  return hm_str_fmt(a, "%.*s:%.*s", HM_FMT(text_of(m, "member_kind")),
                    HM_FMT(text_of(m, "member_id")));
}

static bool has_text(const hm_str *list, size_t n, hm_str s) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(list[i], s)) return true;
  return false;
}

enum { DISTINCT_MAX = 64 };   /* of the values of a slot; more are not told apart */

static void set_values(hm_event *e, const hm_json *c, hm_arena *a) {
  const hm_json *m = members_of(c);
  e->values = hm_alloc_array(a, count(m) + 1, sizeof *e->values);
  for (; m && e->n_values < DISTINCT_MAX; m = m->next) {
    hm_str v = text_of(m, "value");
    if (!has_text(e->values, e->n_values, v)) e->values[e->n_values++] = v;
  }
  const hm_json *withheld = hm_json_get(c, "withheld");
  if (withheld && withheld->type == HM_JSON_NUMBER)
    for (size_t i = 0; i < withheld->text.n && i < 9; i++)
      e->withheld = e->withheld * 10 + (withheld->text.p[i] - '0');
}

/* Members of c that other does not have, by reference and field. */
static size_t missing(const hm_json *c, const hm_json *other, hm_arena *a, hm_str **out) {
  hm_map there;
  size_t n = 0;
  hm_map_init(&there, a, count(members_of(other)));
  for (const hm_json *m = members_of(other); m; m = m->next)
    hm_map_add(&there,
               hm_str_fmt(a, "%.*s\x1f%.*s", HM_FMT(ref_of(m, a)), HM_FMT(text_of(m, "field"))), 1);
  *out = hm_alloc_array(a, count(members_of(c)) + 1, sizeof **out);
  for (const hm_json *m = members_of(c); m; m = m->next) {
    hm_str ref = ref_of(m, a);
    hm_str key = hm_str_fmt(a, "%.*s\x1f%.*s", HM_FMT(ref), HM_FMT(text_of(m, "field")));
    if (hm_map_get(&there, key) == HM_MAP_NONE &&
        !has_text(*out, n < DISTINCT_MAX ? n : DISTINCT_MAX, ref))
      (*out)[n++] = ref;
  }
  return n;
}

static hm_event *add(hm_events *out, hm_event_kind kind, const hm_json *c, hm_arena *a) {
  hm_event *e = hm_event_add(out, kind);
  const hm_json *key = hm_json_get(c, "slot_key");
  e->conflict = text_of(c, "id");
  e->project = text_of(c, "project");
  e->status = text_of(c, "status");
  if (key) e->slot = hm_json_keep(key, a);
  set_values(e, c, a);
  return e;
}

static void settled(hm_events *out, const hm_json *c, hm_arena *a) {
  hm_event *e = add(out, HM_EV_SETTLED, c, a);
  e->action = text_of(c, "action");
  e->winner = text_of(c, "winner");
  e->by = text_of(c, "resolved_by");
  e->at = text_of(c, "resolved_at");
  e->notes = text_of(c, "resolution");
  for (const hm_json *m = members_of(c); m && e->winner.n; m = m->next)
    if (hm_str_eq(ref_of(m, a), e->winner)) e->said = text_of(m, "value");
}

static bool same_values(const hm_event *e, const hm_json *before, hm_arena *a) {
  hm_event was = { .kind = e->kind };
  set_values(&was, before, a);
  if (was.n_values != e->n_values || was.withheld != e->withheld) return false;
  for (size_t i = 0; i < was.n_values; i++)
    if (!has_text(e->values, e->n_values, was.values[i])) return false;
  return true;
}

static void disputed(hm_events *out, const hm_json *before, const hm_json *after, hm_arena *a) {
  bool was = before && is_true(before, "disputed");
  hm_event *e = add(out, was ? HM_EV_MEMBERS : HM_EV_DISPUTED, after, a);
  e->again = before != NULL;
  e->n_added = missing(after, before, a, &e->added);
  e->n_removed = before ? missing(before, after, a, &e->removed) : 0;
  if (was && !e->n_added && !e->n_removed && same_values(e, before, a)) out->n--;
}

static void tell(hm_events *out, const pair *p, hm_arena *a) {
  const hm_json *b = p->before, *c = p->after;
  if (!c) add(out, HM_EV_DROPPED, b, a);
  else if (!is_open(c)) {
    if (!b) add(out, HM_EV_DISPUTED, c, a)->status = HM_STR("open");
    bool same = b && !is_open(b) && hm_str_eq(text_of(b, "resolution"), text_of(c, "resolution")) &&
        hm_str_eq(text_of(b, "status"), text_of(c, "status")) &&
        hm_str_eq(text_of(b, "winner"), text_of(c, "winner"));
    if (!same) settled(out, c, a);
  } else if (b && !is_open(b)) add(out, HM_EV_REOPENED, c, a);
  else if (is_true(c, "disputed")) disputed(out, b, c, a);
  else if (!b || is_true(b, "disputed")) add(out, HM_EV_QUIET, c, a);
}

void hm_conflict_events(hm_str before, hm_str after, hm_arena *a, hm_events *out) {
  const hm_json **olds, **news;
  size_t n_olds = differing(before, after, a, &olds), n_news = differing(after, before, a, &news),
         n = 0;
  pair *pairs = hm_alloc_array(a, n_olds + n_news + 1, sizeof *pairs);
  hm_map by_id;
  hm_map_init(&by_id, a, n_olds);
  for (size_t i = 0; i < n_olds; i++) {
    hm_map_set(&by_id, text_of(olds[i], "id"), (uint32_t)n);
    pairs[n++].before = olds[i];
  }
  for (size_t i = 0; i < n_news; i++) {
    uint32_t at = hm_map_get(&by_id, text_of(news[i], "id"));
    pairs[at == HM_MAP_NONE ? n++ : at].after = news[i];
  }
  for (size_t i = 0; i < n; i++) tell(out, &pairs[i], a);
}
