/* Values that every page puts into its model: texts, links, dates, sentences.
 *
 * A date has its exact time, too, for the datetime of <time>. The value of a fact is never shown as
 * a date, since it must not be rewritten.
 *
 * Counts are sentences: "4 conflicts are disputed and 1 waits for sign-off. Recorded: 7 curated
 * values and 30 entities." Zeros are left out. */
#include "model.h"

#include "core/base/time.h"

hm_raw_file *hm_pages_add_file(hm_pages *out, hm_arena *a, hm_str path, hm_raw_bytes_fn *bytes,
                               uint32_t index) {
  out->raws = hm_array_grow_in(a, out->raws, out->n_raws, &out->cap_raws, sizeof *out->raws);
  hm_raw_file *f = &out->raws[out->n_raws++];
  *f = (hm_raw_file){ .path = path, .bytes = bytes, .index = index };
  return f;
}

/* --- texts and links ------------------------------------------------------------------------- */

void hm_model_set_titles(hm_model *m, hm_node *top, hm_str heading, hm_str title,
                         hm_str description) {
  hm_model_set_text(m, top, "heading", heading);
  hm_node_set_text(top, "title", title);
  hm_node_set_text(top, "description", description);
}

hm_node *hm_model_add_item(hm_model *m, hm_node *list) {
  m->bytes += 40;
  hm_node *item = hm_node_new_obj(m->a);
  hm_node_push(list, item);
  return item;
}

void hm_model_set_url(hm_model *m, hm_node *o, const char *key, hm_str path, hm_str anchor) {
  hm_str url = path.n ? hm_path_link(m->a, m->p->path, path, anchor) : HM_EMPTY;
  hm_model_count_text(m, url);
  if (url.n)
    hm_node_set_url(o, key, url);
  else
    hm_node_set_bool(o, key, false);
}

void hm_model_set_drawing_size(hm_model *m, hm_node *o, hm_draw_size size) {
  hm_model_set_raw(
      m, o, "size",
      size.w ? hm_str_fmt(m->a, "%d by %d pixels", size.w, size.h)
             : hm_str_fmt(m->a, "%s%d pixels high", size.guessed ? "about " : "", size.h));
}

hm_node *hm_model_set_ref(hm_model *m, hm_node *o, const char *key, hm_str label, hm_str path,
                          hm_str anchor) {
  hm_node *ref = hm_node_set_obj(o, key);
  hm_model_set_text(m, ref, "label", hm_link_label(m->a, label, 200));
  hm_model_set_url(m, ref, "url", path, anchor);
  return ref;
}

void hm_model_set_row_link_fields(hm_model *m, hm_node *o, uint32_t row) {
  bool hidden = m->v->hidden[row];
  hm_str anchor = HM_EMPTY, path = hidden ? HM_EMPTY : hm_view_entity_path(m->v, row);
  if (!hidden && !path.n)
    path = hm_view_find_row_page(m->v, row, m->a, &anchor);
  hm_model_set_text(m, o, "label",
                    hidden ? HM_STR("withheld") : hm_view_distinct_label(m->v, row, m->a));
  hm_model_set_url(m, o, "url", path, anchor);
}

void hm_model_set_row_link(hm_model *m, hm_node *o, const char *key, uint32_t row) {
  hm_model_set_row_link_fields(m, hm_node_set_obj(o, key), row);
}

void hm_model_set_named_row_link(hm_model *m, hm_node *o, const char *key, uint32_t row,
                                 hm_str label) {
  hm_str anchor = HM_EMPTY, path = hm_view_entity_path(m->v, row);
  if (!path.n)
    path = hm_view_find_row_page(m->v, row, m->a, &anchor);
  hm_model_set_ref(m, o, key, label, path, anchor);
}

void hm_model_set_row_link_by_ref(hm_model *m, hm_node *o, const char *key, hm_str ref) {
  uint32_t row = ref.n ? hm_snapshot_ref(m->v->snap, HM_ENTITY, ref) : HM_NONE;
  if (row != HM_NONE)
    hm_model_set_row_link(m, o, key, row);
  else
    hm_node_set_bool(o, key, false);
}

bool hm_add_row_if_new(hm_map *seen, hm_arena *a, uint32_t row) {
  hm_str key = { (const char *)&row, sizeof row };
  if (hm_map_get(seen, key) != HM_NONE)
    return false;
  hm_map_add(seen, hm_str_dup(a, key), 1);
  return true;
}

/* --- dates and periods ----------------------------------------------------------------------- */

enum { DATE_BYTES = 60 };

/* As HTML reads it in a datetime: the text itself where that has the form of one, else the instant
 * in UTC. Empty: no date, or one of a year that HTML does not know. */
static hm_str exact_of(hm_arena *a, hm_str s) {
  hm_time t;
  hm_precision p;
  if (!hm_time_parse(s, &t, &p) || hm_str_starts(s, "0000"))
    return HM_EMPTY;
  return p <= HM_P_DAY ? s : hm_time_to_second(a, hm_time_iso(a, t));
}

void hm_model_set_date(hm_model *m, hm_node *o, const char *key, hm_str text) {
  text = hm_str_trim(text);
  if (!text.n) {
    hm_node_set_bool(o, key, false);
    return;
  }
  hm_node *date = hm_node_set_obj(o, key);
  hm_str exact = exact_of(m->a, text);
  hm_str words = exact.n ? hm_format_date(m->a, text) : hm_shorten(m->a, text, DATE_BYTES);
  if (hm_str_eq(words, exact))
    exact = HM_EMPTY; /* a year says all of it */
  hm_model_set_raw(m, date, "exact", exact);
  hm_model_set_text(m, date, "words", words);
}

void hm_model_set_hour(hm_model *m, hm_node *o, const char *key, hm_str text) {
  hm_time t;
  hm_precision p;
  if (!hm_time_parse(text, &t, &p) || p <= HM_P_DAY)
    return;
  hm_str utc = hm_time_to_second(m->a, hm_time_iso(m->a, t));
  hm_node *date = hm_node_set_obj(o, key);
  hm_model_set_raw(m, date, "exact", exact_of(m->a, text));
  hm_model_set_text(m, date, "words",
                    HM_CAT(m->a, hm_format_date(m->a, utc), HM_STR(" "), hm_str_sub(utc, 11, 16)));
}

bool hm_row_has_window(const hm_row *r) {
  return hm_str_trim(r->valid_from).n || hm_str_trim(r->valid_until).n;
}

/* --- what a value was ---------------------------------------------------------------------------
 */

hm_str hm_model_format_refs(hm_model *m, hm_str refs) {
  hm_str *src;
  size_t n = hm_format_json_list(refs, m->a, &src);
  if (n <= 1)
    return n ? hm_shorten(m->a, src[0], 200) : HM_EMPTY;
  hm_buf b = { 0 };
  for (size_t i = 0; i < n && i < HM_REFS; i++) {
    if (i)
      hm_buf_c(&b, "; ");
    hm_buf_str(&b, hm_shorten(m->a, src[i], 200));
  }
  return hm_buf_take(&b, m->a);
}

/* "45 rpm", of a property its text. */
static hm_str past_value(hm_model *m, const hm_json *past) {
  hm_str value = hm_json_get_text(past, "value");
  const hm_json *v = NULL;
  if (value.n && !hm_json_parse(m->a, value, (hm_json **)&v, NULL) && v->type == HM_JSON_STRING)
    value = v->text;
  return hm_shorten(m->a, value, 120);
}

/* "45 rpm (card A) or 50 rpm (card B)": what several sources said until one edit outranked them. */
static hm_str past_values(hm_model *m, const hm_json *from) {
  enum { SHOWN = 5 };
  hm_str words = HM_EMPTY;
  size_t n = 0;
  for (const hm_json *p = from; p && n < SHOWN; p = p->next, n++)
    words = HM_CAT(m->a, words, n ? HM_STR(" or ") : HM_EMPTY, past_value(m, p), HM_STR(" ("),
                   hm_shorten(m->a, hm_json_get_text(p, "source"), 60), HM_STR(")"));
  for (n = 0; from; from = from->next)
    n++;
  return n > SHOWN ? HM_CAT(m->a, words, HM_STR(" or more")) : words;
}

hm_str hm_model_format_past(hm_model *m, hm_str past, hm_str refs) {
  if (hm_exclude_has_entries(&m->v->opt.exclude))
    return HM_EMPTY;
  const hm_json *list = hm_json_parse_as(m->a, past, HM_JSON_ARRAY), *first = NULL;
  hm_str until = HM_EMPTY;
  for (const hm_json *p = list ? list->child : NULL; p; p = p->next) {
    hm_str end = hm_json_get_text(p, "until");
    if (!first || !end.n || !hm_str_eq(end, until))
      first = p;
    until = end;
  }
  if (!first)
    return HM_EMPTY;
  hm_str words = first->next ? past_values(m, first) : past_value(m, first),
         source = hm_json_get_text(first, "source");
  words = HM_CAT(m->a, HM_STR("was "), words);
  if (until.n)
    words = HM_CAT(m->a, words, HM_STR(" until "), hm_format_date(m->a, until));
  if (first->next || !source.n || hm_str_eq(source, hm_model_format_refs(m, refs)))
    return words;
  return HM_CAT(m->a, words, HM_STR(" ("), hm_shorten(m->a, source, 120), HM_STR(")"));
}

typedef struct {
  const char *field, *words;
} past_field;

/* "name was leg until 3 May 2026; type was ...": of these fields of the row. */
static hm_str past_of(hm_model *m, uint32_t row, const past_field *fields, size_t n_fields) {
  hm_str words = HM_EMPTY;
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(m->v->snap, row, &n);
  for (size_t i = 0; e && i < n; i++)
    for (size_t k = 0; k < n_fields; k++) {
      const hm_said_value *f = hm_evidence_field(&e[i], hm_str_c(fields[k].field));
      hm_str was = f && !f->over ? hm_model_format_past(m, f->past, HM_EMPTY) : HM_EMPTY;
      if (was.n)
        words = HM_CAT(m->a, words, words.n ? HM_STR("; ") : HM_EMPTY, hm_str_c(fields[k].words),
                       HM_STR(" "), was);
    }
  return words;
}

static hm_str past_bounds(hm_model *m, const hm_row *r) {
  static const past_field bounds[] = { { "valid_from", "the begin" },
                                       { "valid_until", "the end" } };
  const hm_snapshot *s = m->v->snap;
  if (r < s->rows || r >= s->rows + s->n_rows)
    return HM_EMPTY;
  return past_of(m, (uint32_t)(r - s->rows), bounds, HM_COUNT(bounds));
}

hm_str hm_model_format_past_names(hm_model *m, uint32_t row) {
  static const past_field fields[] = { { "name", "name" },
                                       { "type", "type" },
                                       { "entity_type", "type" },
                                       { "memory_type", "type" },
                                       { "category", "category" },
                                       { "from", "from" },
                                       { "to", "to" } };
  return past_of(m, row, fields, HM_COUNT(fields));
}

void hm_model_set_period(hm_model *m, hm_node *o, const char *key, const hm_row *r) {
  hm_str from = hm_str_trim(r->valid_from), until = hm_str_trim(r->valid_until);
  if (!from.n && !until.n) {
    hm_node_set_bool(o, key, false);
    return;
  }
  hm_node *period = hm_node_set_obj(o, key);
  hm_model_set_date(m, period, "from", from);
  hm_model_set_date(m, period, "until", until);
  hm_model_set_text(m, period, "was", past_bounds(m, r));
}

/* --- sentences ------------------------------------------------------------------------------- */

/* "a", "a and b", "a, b and c" */
static hm_str joined(hm_arena *a, const hm_str *parts, size_t n) {
  hm_str out[16];
  size_t n_out = 0;
  for (size_t i = 0; i < n && n_out < HM_COUNT(out) - 1; i++) {
    if (i)
      out[n_out++] = i + 1 == n ? HM_STR(" and ") : HM_STR(", ");
    out[n_out++] = parts[i];
  }
  return hm_str_join(a, out, n_out);
}

hm_str hm_format_fact_counts(hm_arena *a, const int64_t *rows) {
  static const struct {
    hm_layer layer;
    const char *one, *many;
  } kinds[] = { { HM_STATE, "curated value", "curated values" },
                { HM_ENTITY, "entity", "entities" },
                { HM_MEMORY, "memory", "memories" },
                { HM_RELATION, "relation", "relations" } };
  hm_str parts[HM_COUNT(kinds)];
  size_t n = 0;
  for (size_t i = 0; i < HM_COUNT(kinds); i++)
    if (rows[kinds[i].layer])
      parts[n++] =
          hm_format_count_phrase(a, (uint64_t)rows[kinds[i].layer], kinds[i].one, kinds[i].many);
  return n ? joined(a, parts, n) : HM_STR("nothing");
}

hm_str hm_format_doubt_counts(hm_arena *a, const hm_doubts *d) {
  const struct {
    int64_t n;
    const char *one, *many;
  } doubts[] = { { d->disputed, "value is disputed", "values are disputed" },
                 { d->signoff, "waits for sign-off", "wait for sign-off" },
                 { d->findings, "finding stands", "findings stand" },
                 { d->unknown, "thing is not known", "things are not known" } };
  hm_str parts[HM_COUNT(doubts)];
  size_t n = 0;
  if (!d->disputed)
    parts[n++] = HM_STR("Nothing is disputed");
  for (size_t i = 0; i < HM_COUNT(doubts); i++)
    if (doubts[i].n)
      parts[n++] = hm_format_count_phrase(a, (uint64_t)doubts[i].n, doubts[i].one, doubts[i].many);
  return joined(a, parts, n);
}

void hm_model_set_compared(hm_model *m, hm_node *o, const hm_compared *c) {
  hm_model_set_text(m, o, "compared", hm_capitalize(m->a, hm_compared_text(m->a, c)));
}

void hm_model_set_shown_of_all(hm_model *m, hm_node *o, const char *key, uint64_t shown,
                               uint64_t all) {
  hm_str cut = HM_CAT(m->a, hm_format_grouped_number(m->a, shown), HM_STR(" of "),
                      hm_format_grouped_number(m->a, all));
  hm_model_set_text(m, o, key, shown < all ? cut : HM_EMPTY);
}

void hm_model_set_empty_sections(hm_model *m, hm_node *top, const hm_section_name *sections,
                                 size_t n) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++) {
    if (!sections[i].empty)
      continue;
    if (b.n)
      hm_buf_c(&b, ", ");
    hm_buf_c(&b, sections[i].name);
  }
  hm_model_set_text(m, top, "nothing", hm_buf_copy(&b, m->a));
  hm_buf_free(&b);
}
