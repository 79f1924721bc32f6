/* The part of mirror.yml that says which texts tell a story, and what families values have. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/story.h"
#include "gen/mirror/config_impl.h"

enum { GAP_MAX = 7 * 24 * 60 };

static int bad(hm_arena *a, const hm_yaml *y, const char *key, const char *why, const char *fix,
               hm_err *err) {
  return hm_fail(err, HM_E_USAGE, hm_yaml_place(a, y, key), why, fix);
}

/* "episodic", "Decision.note": folded, a point between. */
static int read_types(hm_arena *a, const hm_yaml *y, hm_story *story, hm_err *err) {
  const hm_yaml_value *v = hm_yaml_at(y, "story.types");
  size_t n = v ? v->count : 0;
  hm_str *types = hm_alloc_array(a, n, sizeof *types);
  for (size_t i = 0; i < n; i++) {
    hm_str text = v[1 + i].text;
    ptrdiff_t point = hm_str_find(text, ".");
    hm_str type = hm_str_trim(point < 0 ? text : hm_str_sub(text, 0, (size_t)point));
    hm_str key = hm_entity_type_key(a, type), field = HM_EMPTY;
    if (point >= 0) field = hm_text_name(a, hm_str_sub(text, (size_t)point + 1, text.n));
    if (!key.n || (point >= 0 && !field.n))
      return bad(a, y, v[1 + i].path, "names no type, or no field of one",
                 "write a memory type, as episodic, or a field of entities, as Decision.note", err);
    types[i] = point < 0 ? hm_str_fmt(a, "%.*s", HM_FMT(type))
                         : HM_CAT(a, key, HM_STR("."), field);
    for (char *p = (char *)types[i].p; point < 0 && p < types[i].p + types[i].n; p++)
      if (*p >= 'A' && *p <= 'Z') *p = (char)(*p + 32);
  }
  hm_strs_sort(types, n);
  story->types = types;
  story->n_types = n;
  return 0;
}

/* "REST|RESTful, GraphQL": values with a comma between, spellings of one with a bar. */
static hm_str *read_values(hm_arena *a, hm_str text, size_t *n) {
  hm_str *v = hm_alloc_array(a, text.n / 2 + 1, sizeof *v);
  *n = 0;
  while (text.n) {
    ptrdiff_t comma = hm_str_find(text, ",");
    hm_str value = comma < 0 ? text : hm_str_sub(text, 0, (size_t)comma);
    hm_buf b = { 0 };
    while (value.n) {
      ptrdiff_t bar = hm_str_find(value, "|");
      hm_str name = hm_text_name(a, bar < 0 ? value : hm_str_sub(value, 0, (size_t)bar));
      if (name.n && b.n) hm_buf_ch(&b, '|');
      hm_buf_str(&b, name);
      value = bar < 0 ? HM_EMPTY : hm_str_sub(value, (size_t)bar + 1, value.n);
    }
    if (b.n) v[(*n)++] = hm_buf_copy(&b, a);
    hm_buf_free(&b);
    text = comma < 0 ? HM_EMPTY : hm_str_sub(text, (size_t)comma + 1, text.n);
  }
  return v;
}

/* A family of a shipped one's name takes its place; "+ X, Y" adds to it. */
static int read_families(hm_arena *a, const hm_yaml *y, hm_story *story, hm_err *err) {
  static const char key[] = "story.families";
  const hm_yaml_value *given = hm_yaml_at(y, key);
  const hm_families *shipped = hm_families_shipped();
  if (!given || !given->count) return 0;
  hm_family *all = hm_alloc_array(a, shipped->n + given->count, sizeof *all);
  size_t n = shipped->n;
  memcpy(all, shipped->families, n * sizeof *all);
  for (size_t i = 0; i < given->count; i++) {
    const hm_yaml_value *e = &given[1 + i];
    hm_str name = hm_text_name(a, hm_str_c(e->path + sizeof key)), text = hm_str_trim(e->text);
    bool adds = text.n && text.p[0] == '+';
    size_t n_values, at = 0;
    hm_str *values = read_values(a, adds ? hm_str_sub(text, 1, text.n) : text, &n_values);
    if (!name.n || !n_values)
      return bad(a, y, e->path, "a family without a name or without values",
                 "write it as \"database: Postgres|PostgreSQL, MySQL\"", err);
    while (at < n && !hm_str_eq(all[at].name, name)) at++;
    if (at < n && adds) {
      hm_str *both = hm_alloc_array(a, all[at].n + n_values, sizeof *both);
      memcpy(both, all[at].values, all[at].n * sizeof *both);
      memcpy(both + all[at].n, values, n_values * sizeof *both);
      values = both;
      n_values += all[at].n;
    }
    n += at == n;
    all[at] = (hm_family){ .name = name, .values = values, .n = n_values };
  }
  hm_families *f = hm_alloc(a, sizeof *f);
  *f = (hm_families){ .families = all, .n = n };
  story->families = f;
  return 0;
}

int hm_config_read_story(hm_arena *a, const hm_yaml *y, hm_rules *rules, hm_err *err) {
  const hm_yaml_value *gap = hm_yaml_at(y, "story.session_gap"),
                      *compare = hm_yaml_at(y, "story.compare");
  hm_story *story = hm_alloc(a, sizeof *story);
  *story = (hm_story){ .gap = HM_SESSION_GAP };
  if (gap && strtoul(gap->text.p, NULL, 10) > GAP_MAX)
    return bad(a, y, "story.session_gap", "out of range", "give 0 to 10080 minutes", err);
  if (gap) story->gap = (int)strtoul(gap->text.p, NULL, 10) * 60;
  if (compare && !hm_str_is(compare->text, "on") && !hm_str_is(compare->text, "off") &&
      !hm_str_is(compare->text, "true") && !hm_str_is(compare->text, "false"))
    return bad(a, y, "story.compare", "neither on nor off", "write on or off", err);
  story->never_compare = compare && (hm_str_is(compare->text, "off") ||
                                     hm_str_is(compare->text, "false"));
  if (read_types(a, y, story, err) || read_families(a, y, story, err)) return -1;
  if (story->n_types || story->families || story->never_compare || story->gap != HM_SESSION_GAP)
    rules->story = story;
  return 0;
}
