/* Cells that hold more than one text: a project's aliases, a conflict's members and winners, its
 * rule with the version. From JSON and back, in one spelling whatever the order given. */
#include <stdlib.h>

#include "core/base/text.h"
#include "core/store/records_impl.h"

static int bad(hm_err *err, const char *why, const char *fix) {
  return hm_fail(err, HM_E_INPUT, "", why, fix);
}

/* --- aliases --------------------------------------------------------------- */

hm_str hm_aliases_text(hm_str *list, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_strs_sort(list, n);
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (size_t i = 0; i < n; i++)
    if (!i || !hm_str_eq(list[i - 1], list[i])) hm_jw_str(&w, NULL, list[i]);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

int hm_aliases_to_cell(const hm_json *v, hm_str *out, hm_arena *a, hm_err *err) {
  static const char why[] = "must be an array of strings, none of them empty";
  if (v->type != HM_JSON_ARRAY) return bad(err, why, "");
  hm_str *list = hm_alloc_array(a, v->count, sizeof *list);
  size_t n = 0;
  for (const hm_json *e = v->child; e; e = e->next) {
    if (e->type != HM_JSON_STRING || !e->text.n) return bad(err, why, "");
    list[n++] = e->text;
  }
  *out = hm_aliases_text(list, n, a);
  return 0;
}

/* --- members --------------------------------------------------------------- */

static void put_text(hm_jw *w, const char *key, hm_str s) {
  if (s.n) hm_jw_str(w, key, s);
}

void hm_members_put(hm_jw *w, const hm_member_rec *list, size_t n, bool seen) {
  for (const hm_member_rec *m = list; m < list + n; m++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "member_kind", hm_str_c(hm_layer_name(m->layer)));
    hm_jw_str(w, "member_id", m->id);
    put_text(w, "field", m->field);
    put_text(w, "value", m->value);
    put_text(w, "normal", m->normal);
    if (seen) {
      hm_jw_bool(w, "flagged", m->flagged);
      put_text(w, "conflicts_with", m->conflicts_with);
      if (m->removed) hm_jw_bool(w, "removed", true);
    }
    hm_jw_end(w);
  }
}

hm_str hm_members_text(hm_member_rec *list, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  if (n) qsort(list, n, sizeof *list, hm_member_order);
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  hm_members_put(&w, list, n, true);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

static int read_member_field(const hm_json *v, hm_member_rec *m, hm_err *err) {
  const struct { const char *key; hm_str *text; bool *flag;
  } keys[] = {
    { "member_id", &m->id, NULL },        { "field", &m->field, NULL },
    { "value", &m->value, NULL },         { "normal", &m->normal, NULL },
    { "flagged", NULL, &m->flagged },     { "conflicts_with", &m->conflicts_with, NULL },
    { "removed", NULL, &m->removed },
  };
  if (hm_str_is(v->key, "member_kind")) {
    if (v->type == HM_JSON_STRING && hm_layer_parse(v->text, &m->layer)) return 0;
    return bad(err, "member_kind: unknown", "use one of: memory, entity, project_state, relation");
  }
  for (size_t i = 0; i < HM_COUNT(keys); i++) {
    if (!hm_str_is(v->key, keys[i].key)) continue;
    if (keys[i].flag) *keys[i].flag = v->type == HM_JSON_TRUE;
    else *keys[i].text = v->text;
    bool fits = keys[i].flag ? v->type == HM_JSON_TRUE || v->type == HM_JSON_FALSE
                             : v->type == HM_JSON_STRING || v->type == HM_JSON_NULL;
    if (fits) return 0;
    return hm_failf(err, HM_E_INPUT, "", "", "%s: must be %s", keys[i].key,
                    keys[i].flag ? "true or false" : "a string");
  }
  return hm_failf(err, HM_E_INPUT, "",
                  "known keys: member_kind, member_id, field, value, normal, flagged,"
                  " conflicts_with, removed",
                  "unknown key \"%.*s\" in a member", HM_FMT(hm_text_cut(v->key, 60)));
}

static int read_member(const hm_json *v, hm_member_rec *m, hm_err *err) {
  *m = (hm_member_rec){ .layer = 0, .id = HM_EMPTY, .field = HM_EMPTY, .value = HM_EMPTY,
                        .normal = HM_EMPTY, .conflicts_with = HM_EMPTY };
  if (v->type != HM_JSON_OBJECT) return bad(err, "each member must be an object", "");
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member_field(e, m, err)) return -1;
  return m->layer && m->id.n ? 0 : bad(err, "a member lacks member_kind or member_id", "");
}

int hm_members_to_cell(const hm_json *v, hm_str *out, hm_arena *a, hm_err *err) {
  if (v->type != HM_JSON_ARRAY) return bad(err, "must be an array of objects", "");
  hm_member_rec *list = hm_alloc_array(a, v->count, sizeof *list);
  size_t n = 0;
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member(e, &list[n++], err)) return -1;
  *out = hm_members_text(list, n, a);
  for (size_t i = 1; i < n; i++)
    if (!hm_member_order(&list[i - 1], &list[i]))
      return bad(err, "one field of one row is a member twice", "keep one of the two");
  return 0;
}

int hm_members_parse_cell(hm_str cell, hm_member_rec **out, size_t *n, hm_arena *a, hm_err *err) {
  hm_json *v;
  *out = NULL;
  *n = 0;
  if (!cell.n) return 0;
  if (hm_json_parse(a, cell, &v, err)) return -1;
  *out = hm_alloc_array(a, v->count, sizeof **out);
  for (const hm_json *e = v->child; e; e = e->next)
    if (read_member(e, &(*out)[(*n)++], err)) return -1;
  return 0;
}

/* --- winners --------------------------------------------------------------- */

int hm_winners_to_cell(const hm_json *v, hm_str *out, hm_arena *a, hm_err *err) {
  size_t n = 0;
  if (v->type != HM_JSON_STRING && (v->type != HM_JSON_ARRAY || !v->count))
    return hm_fail(err, HM_E_INPUT, "", "must be a row, as kind:id, or an array of rows", "");
  if (v->count > HM_WINNERS_MAX)
    return hm_failf(err, HM_E_INPUT, "", "", "names more than %d rows", HM_WINNERS_MAX);
  hm_str *refs = hm_alloc_array(a, v->count + 1, sizeof *refs);
  if (v->type == HM_JSON_STRING) refs[n++] = v->text;
  for (const hm_json *e = v->child; e; e = e->next) {
    if (e->type != HM_JSON_STRING || !e->text.n)
      return hm_fail(err, HM_E_INPUT, "", "must be an array of rows, as kind:id", "");
    refs[n++] = e->text;
  }
  *out = hm_winners_text(a, refs, n);
  for (size_t i = 1; i < n; i++)
    if (hm_str_eq(refs[i - 1], refs[i]))
      return hm_failf(err, HM_E_INPUT, "", "name it once", "names \"%.*s\" twice",
                      HM_FMT(hm_text_cut(refs[i], 60)));
  return 0;
}

/* --- rule and version --------------------------------------------------------- */

ptrdiff_t hm_rule_slash(hm_str s) {
  ptrdiff_t i = (ptrdiff_t)s.n;
  while (i > 0 && hm_is_digit(s.p[i - 1])) i--;
  size_t digits = s.n - (size_t)i;
  return i > 1 && s.p[i - 1] == '/' && digits && digits <= 9 ? i - 1 : -1;
}

int hm_rule_read(const hm_json *v, hm_str *out, hm_err *err) {
  *out = v->text;
  if (v->type == HM_JSON_STRING && hm_rule_slash(v->text) > 0) return 0;
  return bad(err, "must be a rule and its version", "write it like \"slot/1\"");
}
