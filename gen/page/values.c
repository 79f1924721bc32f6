/* Facts as pages show them: properties as text, short labels, and a file of
 * its own for what is too long for a page. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/claim/slot.h"
#include "gen/render/escape.h"
#include "view_private.h"

enum {
  LABEL_BYTES = 120,
  PATH_DIGITS = 32,
  HIDDEN = 12,               /* "⟦U+202E⟧" */
  PROP_BYTES = 60,           /* what stands around a property */
  PROPS_BYTES = 512 << 10
};

const hm_json *hm_view_props(const hm_view *v, uint32_t row, hm_arena *a) {
  hm_json *j = NULL;
  hm_str props = v->snap->rows[row].props;
  if (hm_str_trim(props).n == 0 || hm_json_parse(a, props, &j, NULL) || j->type != HM_JSON_OBJECT)
    return NULL;
  return hm_view_filter_json(v, j, a);
}

hm_str hm_view_claim_kind(const hm_view *v, uint32_t row, hm_arena *a) {
  hm_str props = v->snap->rows[row].props,
         kind = props.n ? hm_props_claim_kind(props, a) : HM_EMPTY;
  return kind.n && !hm_view_prop_hidden(v, HM_STR("claim_kind"), a) ? kind : HM_EMPTY;
}

static bool is_scalar(const hm_json *j) {
  return j->type != HM_JSON_ARRAY && j->type != HM_JSON_OBJECT;
}

static hm_str scalar_text(const hm_json *j) {
  switch (j->type) {
  case HM_JSON_NULL: return HM_STR("not set");
  case HM_JSON_FALSE: return HM_STR("false");
  case HM_JSON_TRUE: return HM_STR("true");
  default: return j->text;
  }
}

static bool is_flat_list(const hm_json *j) {
  if (j->type != HM_JSON_ARRAY) return false;
  for (const hm_json *c = j->child; c; c = c->next)
    if (!is_scalar(c)) return false;
  return true;
}

hm_str hm_json_text(const hm_json *j, hm_arena *a) {
  if (is_scalar(j)) return scalar_text(j);
  hm_buf b = { 0 };
  if (is_flat_list(j) && j->child)
    for (const hm_json *c = j->child; c; c = c->next) {
      hm_buf_str(&b, scalar_text(c));
      if (c->next) hm_buf_c(&b, ", ");
    }
  else hm_json_write(&b, j);
  return hm_buf_take(&b, a);
}

/* ["a","b"] of plain ASCII, as nearly all are: what stands between the quotes
 * needs no parser. *n: how many strings; false: not of that form. */
static bool is_plain_list(hm_str s, size_t *n) {
  size_t i = 1;
  for (*n = 0; i < s.n && s.p[i] == '"'; i += s.p[i] == ',') {
    for (i++; i < s.n && s.p[i] != '"'; i++)
      if (s.p[i] < 0x20 || s.p[i] > 0x7e || s.p[i] == '\\') return false;
    if (++i >= s.n || !(s.p[i] == ',' || i + 1 == s.n)) return false;
    ++*n;
  }
  return *n && i + 1 == s.n && s.p[0] == '[' && s.p[i] == ']' && s.p[i - 1] == '"';
}

static size_t plain_list(hm_str s, hm_str *out) {
  size_t n = 0;
  for (const char *p = s.p + 1, *end; *p == '"'; p = end[1] == ',' ? end + 2 : end + 1) {
    end = memchr(p + 1, '"', (size_t)(s.p + s.n - p - 1));
    if (end > p + 1) out[n++] = (hm_str){ p + 1, (size_t)(end - p - 1) };
  }
  return n;
}

size_t hm_json_strings(hm_str json, hm_arena *a, hm_str **out) {
  hm_json *j = NULL;
  hm_str trimmed = hm_str_trim(json);
  size_t plain;
  *out = NULL;
  if (trimmed.n == 0) return 0;
  if (is_plain_list(trimmed, &plain)) {
    *out = hm_alloc_array(a, plain, sizeof **out);
    return plain_list(trimmed, *out);
  }
  if (trimmed.p[0] != '[' || hm_json_parse(a, trimmed, &j, NULL)) {
    *out = hm_alloc(a, sizeof **out);
    **out = trimmed;
    return 1;
  }
  size_t n = 0;
  *out = hm_alloc_array(a, j->count + 1, sizeof **out);
  for (const hm_json *c = j->child; c; c = c->next) {
    hm_str s = hm_json_text(c, a);
    if (c->type != HM_JSON_NULL && s.n) (*out)[n++] = s;
  }
  return n;
}

hm_str hm_shorten(hm_arena *a, hm_str s, size_t max) {
  hm_str head = hm_clean_text(a, s.n > 8 * max ? hm_text_cut(s, 8 * max) : s);
  if (head.n <= max && s.n <= 8 * max) return head;
  head = hm_str_trim(hm_text_cut(head, max));
  return hm_str_fmt(a, "%.*s…", HM_FMT(head));
}

/* Or like a badge that counts them. To the eye, whatever spaces and marks are between: U+FE0F,
 * which makes a picture of the sign, is in the folded name too. */
static bool is_like_marker(hm_str label, hm_arena *a) {
  enum { MARK = 4 };
  if (!hm_str_starts(label, "⚠")) return false;
  hm_str name = hm_text_strip_name_signs(a, hm_text_fold_name(a, label)), word = HM_STR("disputed");
  if (hm_str_ends(name, word.p) && name.n <= word.n + MARK) return true;
  for (size_t i = strlen("⚠"); i < label.n; i++)
    if (label.p[i] != ' ' && label.p[i] != ',' && (label.p[i] < '0' || label.p[i] > '9'))
      return false;
  return true;
}

hm_str hm_link_label(hm_arena *a, hm_str s, size_t max) {
  hm_str label = hm_shorten(a, s, max);
  if (is_like_marker(label, a)) return hm_str_fmt(a, "“%.*s”", HM_FMT(label));
  return label.n ? label : HM_STR("unnamed");
}

hm_str hm_view_label_source(const hm_view *v, uint32_t row) {
  const hm_row *r = &v->snap->rows[row];
  if (r->layer == HM_MEMORY) return r->text.n ? r->text : r->id;
  if (r->layer == HM_RELATION) return r->id;
  return r->name.n ? r->name : r->id;
}

hm_str hm_view_relation_end_name(const hm_view *v, hm_str ref, hm_arena *a) {
  uint32_t row = hm_snapshot_ref(v->snap, HM_ENTITY, ref);
  return row == HM_NONE || v->hidden[row] ? ref : hm_shorten(a, hm_view_label_source(v, row), 200);
}

hm_str hm_view_label(const hm_view *v, uint32_t row, hm_arena *a) {
  return hm_link_label(a, hm_view_label_source(v, row), LABEL_BYTES);
}

hm_str hm_view_distinct_label(const hm_view *v, uint32_t row, hm_arena *a) {
  enum { APART_BYTES = 40 };
  hm_str label = hm_view_label(v, row, a), by = HM_EMPTY;
  const hm_row *r = &v->snap->rows[row];
  if (v->rows[row].twin_id) by = hm_shorten(a, r->id, APART_BYTES);
  else if (v->rows[row].twin_type) by = hm_shorten(a, r->type, APART_BYTES);
  return by.n ? hm_str_fmt(a, "%.*s (%.*s)", HM_FMT(label), HM_FMT(by)) : label;
}

hm_str hm_view_row_words(const hm_view *v, uint32_t row, hm_arena *a) {
  const hm_row *r = &v->snap->rows[row];
  if (r->layer != HM_RELATION) return hm_view_distinct_label(v, row, a);
  return HM_CAT(a, hm_view_relation_end_name(v, r->from, a), HM_STR(" "), r->type, HM_STR(" "),
                hm_view_relation_end_name(v, r->to, a));
}

hm_str hm_view_state_value(const hm_view *v, uint32_t row, hm_arena *a) {
  const hm_row *r = &v->snap->rows[row];
  hm_json *j = NULL;
  if (!r->value_is_json || hm_json_parse(a, r->text, &j, NULL)) return r->text;
  return hm_json_text(hm_view_filter_json(v, j, a), a);
}

/* --- long values -------------------------------------------------------- */

static void add_long_value(hm_view *v, hm_str s) {
  if (s.n <= v->opt.value_limit || hm_map_get(&v->long_at, s) != HM_NONE) return;
  if (v->n_longs == v->cap_longs) {
    v->cap_longs = v->cap_longs ? 2 * v->cap_longs : 16;
    v->longs = hm_xrealloc(v->longs, v->cap_longs * sizeof *v->longs);
  }
  hm_str bytes = hm_str_dup(v->a, s), hex = hm_str_digest_hex(v->a, s, PATH_DIGITS);
  v->longs[v->n_longs] = (hm_long_value){ hm_str_fmt(v->a, "data/%.*s.txt", HM_FMT(hex)), bytes };
  hm_map_add(&v->long_at, bytes, v->n_longs++);
}

static void add_long_strings(hm_view *v, hm_str json, hm_arena *tmp) {
  hm_str *s;
  size_t n = json.n > v->opt.value_limit ? hm_json_strings(json, tmp, &s) : 0;
  for (size_t i = 0; i < n; i++) add_long_value(v, s[i]);
}

size_t hm_page_bytes(hm_str text) {
  static const unsigned char more[128] = {
    ['&'] = 4, ['<'] = 3, ['>'] = 3, ['"'] = 5, ['\''] = 4, ['@'] = 2, ['\\'] = 1, ['`'] = 1,
    ['*'] = 1, ['['] = 1, [']'] = 1, ['|'] = 1, ['~'] = 1, ['$'] = 1, ['_'] = 1, ['#'] = 1,
    [1 ... 8] = HIDDEN, [14 ... 31] = HIDDEN, [127] = HIDDEN };
  size_t n = text.n;
  for (size_t i = 0; i < text.n;) {
    unsigned char c = (unsigned char)text.p[i];
    if (c < 0x80) n += more[c], i++;
    else if (hm_cp_is_hidden(hm_text_next(text, &i))) n += HIDDEN;
  }
  return n;
}

size_t hm_view_count_fitting_props(const hm_view *v, uint32_t row, const hm_json *props,
                                   hm_arena *a) {
  size_t limit = v->opt.value_limit, n = 0, bytes = 0;
  if (v->snap->rows[row].props.n < PROPS_BYTES / HIDDEN || !props) return SIZE_MAX;
  for (const hm_json *p = props->child; p; p = p->next, n++) {
    bytes += PROP_BYTES + hm_page_bytes(p->key) +
             hm_page_bytes(hm_text_cut(hm_json_text(p, a), limit));
    if (bytes > PROPS_BYTES) return n;
  }
  return SIZE_MAX;
}

static void add_long_props(hm_view *v, uint32_t row, hm_arena *tmp) {
  if (v->snap->rows[row].props.n <= v->opt.value_limit) return;
  const hm_json *props = hm_view_props(v, row, tmp);
  if (hm_view_count_fitting_props(v, row, props, tmp) != SIZE_MAX)
    add_long_value(v, hm_json_text(props, tmp));
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next) {
    add_long_value(v, p->key);
    add_long_value(v, hm_json_text(p, tmp));
  }
  if (!props && !v->n_props) add_long_value(v, v->snap->rows[row].props);
}

/* The text of a JSON value is at most twice as long as it. */
bool hm_view_may_be_long(const hm_view *v, uint32_t row) {
  const hm_row *r = &v->snap->rows[row];
  size_t limit = v->opt.value_limit,
         n = r->id.n | r->type.n | r->name.n | r->from.n | r->to.n | r->props.n;
  size_t text = r->value_is_json ? 2 * r->text.n : r->text.n;
  if (n > limit || text > limit || !v->snap->details) return n > limit || text > limit;
  const hm_row_detail *d = &v->snap->details[row];
  return (d->source_refs.n | d->tags.n | d->scope.n | d->agent.n | d->via.n | d->confidence.n |
          d->importance.n | d->polarity.n) > limit;
}

static void add_long_row(hm_view *v, uint32_t row, hm_arena *tmp) {
  const hm_row *r = &v->snap->rows[row];
  const hm_str shown[] = {
    r->id, r->type, r->name, hm_view_state_value(v, row, tmp), r->from, r->to
  };
  for (size_t i = 0; i < HM_COUNT(shown); i++) add_long_value(v, shown[i]);
  add_long_props(v, row, tmp);
  const hm_row_detail *d = hm_view_detail(v, row);
  if (!d) return;
  add_long_strings(v, d->source_refs, tmp);
  add_long_strings(v, d->tags, tmp);
  add_long_value(v, d->confidence);
  add_long_value(v, d->importance);
  add_long_value(v, d->polarity);
  add_long_value(v, d->scope);
  add_long_value(v, d->agent);
  add_long_value(v, d->via);
}

static void add_long_conflict(hm_view *v, const hm_vconflict *c, hm_arena *tmp) {
  if (c->withheld == 0) add_long_value(v, c->rec->resolution);
  for (size_t i = 0; i < c->rec->n_members; i++) {
    const hm_member_rec *m = &c->rec->members[i];
    if (m->value.n > v->opt.value_limit && hm_view_member_shown(v, m, tmp))
      add_long_value(v, m->value);
  }
  for (size_t i = 0; c->dispute && i < c->dispute->n; i++) {
    const hm_claim *claim = c->dispute->parties[i].claim;
    if (claim->value.raw.n > v->opt.value_limit &&
        hm_view_claim_shown(v, claim->row, claim->field, tmp))
      add_long_value(v, claim->value.raw);
  }
}

void hm_view_build_long_values(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  hm_map_init(&v->long_at, v->a, 16);
  for (uint32_t i = 0; i < v->n_projects; i++) {
    const hm_project *p = &v->snap->projects[v->projects[i].snap];
    add_long_value(v, p->id);
    add_long_value(v, p->name);
    add_long_value(v, p->description);
  }
  for (uint32_t i = 0; v->n_maybe_long && i < v->snap->n_rows; i++)
    if (v->rows[i].may_be_long && hm_view_listed(v, i)) add_long_row(v, i, tmp);
  hm_arena_reset(tmp);
  for (uint32_t i = 0; i < v->n_conflicts; i++) add_long_conflict(v, &v->conflicts[i], tmp);
  for (uint32_t i = 0; i < v->n_past; i++) add_long_value(v, v->past[i].value);
  hm_arena_free(tmp);
  hm_long_value *kept = hm_alloc_array(v->a, v->n_longs + 1, sizeof *kept);
  if (v->n_longs) memcpy(kept, v->longs, v->n_longs * sizeof *kept);
  free(v->longs);
  v->longs = kept;
}

const hm_long_value *hm_view_find_long_value(const hm_view *v, hm_str value) {
  if (value.n <= v->opt.value_limit) return NULL;
  uint32_t i = hm_map_get(&v->long_at, value);
  return i == HM_NONE ? NULL : &v->longs[i];
}
