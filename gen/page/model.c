/* Values into a page's model: texts, links, values of rows, dates, numbers, sentences.
 *
 * Dates are written for people: "2 Apr 2026" of 2026-04-02T15:00:00Z, "Apr 2026" of 2026-04. Every
 * page writes them through here. The exact time goes with it, for the datetime of <time>. A text
 * that is no plain date stays as it is, times of other calendars too; so does what a fact says as
 * its value, which nobody may write otherwise. A day is that of the text, whatever its zone.
 *
 * What a page holds is a sentence: "4 conflicts are disputed and 1 waits for sign-off. Recorded: 7
 * curated values and 30 entities." Zeros are left out. */
#include "model.h"

#include <string.h>

#include "core/base/text.h"
#include "core/base/time.h"

/* --- values and links ------------------------------------------------------------------------ */

void hm_pm_note_input(hm_pm *m, uint64_t n) {
  if (m->inputs) hm_buf_add(m->inputs, &n, sizeof n);
}

void hm_pm_note_shown_text(hm_pm *m, hm_str s) {
  hm_pm_note_input(m, s.n);
  if (m->inputs) hm_buf_str(m->inputs, s);
  else m->bytes += 16 + hm_page_bytes(s);
}

void hm_pm_set_titles(hm_pm *m, hm_tv *model, hm_str heading, hm_str title, hm_str description) {
  hm_pm_set_text(m, model, "heading", heading);
  if (m->inputs) {
    hm_pm_note_shown_text(m, title);
    hm_pm_note_shown_text(m, description);
    return;
  }
  hm_tv_set_text(model, "title", title);
  hm_tv_set_text(model, "description", description);
}

hm_tv *hm_pm_add_item(hm_pm *m, hm_tv *list) {
  hm_pm_note_input(m, 1);
  if (m->inputs) return m->nothing;
  m->bytes += 40;
  hm_tv *item = hm_tv_new_obj(m->a);
  hm_tv_push(list, item);
  return item;
}

void hm_pm_set_url(hm_pm *m, hm_tv *o, const char *key, hm_str path, hm_str anchor) {
  hm_str url = path.n ? hm_path_link(m->a, m->p->path, path, anchor) : HM_EMPTY;
  hm_pm_note_shown_text(m, url);
  if (m->inputs) return;
  if (url.n) hm_tv_set_url(o, key, url);
  else hm_tv_set_bool(o, key, false);
}

hm_tv *hm_pm_set_ref(hm_pm *m, hm_tv *o, const char *key, hm_str label, hm_str path,
                     hm_str anchor) {
  hm_tv *ref = hm_pm_set_obj(m, o, key);
  hm_pm_set_text(m, ref, "label", hm_link_label(m->a, label, 200));
  hm_pm_set_url(m, ref, "url", path, anchor);
  return ref;
}

void hm_pm_set_row_link_fields(hm_pm *m, hm_tv *o, uint32_t row) {
  if (m->inputs) {
    hm_inputs_add_link_to_row(m->of, row, m->inputs);
    return;
  }
  bool hidden = m->v->hidden[row];
  hm_str anchor = HM_EMPTY, path = hidden ? HM_EMPTY : hm_view_entity_path(m->v, row);
  if (!hidden && !path.n) path = hm_view_find_row_page(m->v, row, m->a, &anchor);
  hm_pm_set_text(m, o, "label",
                 hidden ? HM_STR("withheld") : hm_view_distinct_label(m->v, row, m->a));
  hm_pm_set_url(m, o, "url", path, anchor);
}

void hm_pm_set_row_link(hm_pm *m, hm_tv *o, const char *key, uint32_t row) {
  hm_pm_set_row_link_fields(m, hm_pm_set_obj(m, o, key), row);
}

void hm_pm_set_named_row_link(hm_pm *m, hm_tv *o, const char *key, uint32_t row, hm_str label) {
  hm_str anchor = HM_EMPTY, path = hm_view_entity_path(m->v, row);
  if (!path.n) path = hm_view_find_row_page(m->v, row, m->a, &anchor);
  hm_pm_set_ref(m, o, key, label, path, anchor);
}

void hm_pm_set_row_link_by_ref(hm_pm *m, hm_tv *o, const char *key, hm_str ref) {
  uint32_t row = ref.n ? hm_snapshot_ref(m->v->snap, HM_ENTITY, ref) : HM_NONE;
  if (row != HM_NONE) hm_pm_set_row_link(m, o, key, row);
  else hm_pm_set_bool(m, o, key, false);
}

bool hm_add_row_if_new(hm_map *seen, hm_arena *a, uint32_t row) {
  hm_str key = { (const char *)&row, sizeof row };
  if (hm_map_get(seen, key) != HM_NONE) return false;
  hm_map_add(seen, hm_str_dup(a, key), 1);
  return true;
}

static hm_str cut_text(hm_arena *a, hm_str s, size_t limit) {
  hm_str head = hm_text_cut(s, limit);
  char *p = hm_alloc(a, head.n + 4);
  memcpy(p, head.p, head.n);
  memcpy(p + head.n, "…", 3);
  return (hm_str){ p, head.n + 3 };
}

/* Cut at the limit, with the way to the whole. */
static hm_tv *value_obj(hm_pm *m, hm_tv *o, const char *key, hm_str value) {
  hm_tv *v = hm_pm_set_obj(m, o, key);
  size_t limit = m->v->opt.value_limit;
  bool cut = value.n > limit;
  const hm_long_value *whole = cut ? hm_view_find_long_value(m->v, value) : NULL;
  hm_pm_set_text(m, v, "value", cut ? cut_text(m->a, value, limit) : value);
  if (!whole) hm_pm_set_bool(m, v, "full", false);
  if (!whole) return v;
  hm_tv *full = hm_pm_set_obj(m, v, "full");
  hm_pm_set_url(m, full, "url", whole->path, HM_EMPTY);
  hm_pm_set_raw(m, full, "bytes", hm_format_grouped_number(m->a, value.n));
  return v;
}

void hm_pm_set_value(hm_pm *m, hm_tv *o, hm_str value, uint32_t row, hm_str field) {
  hm_tv *v = value_obj(m, o, "v", value);
  uint32_t c = hm_view_find_field_dispute(m->v, row, field);
  hm_pm_set_bool(m, v, "may", hm_view_may_overlap(m->v, row, field));
  if (c == HM_NONE) hm_pm_set_bool(m, v, "mark", false);
  else hm_pm_set_url(m, hm_pm_set_obj(m, v, "mark"), "url", m->v->conflicts[c].path, HM_EMPTY);
  hm_pm_set_past_conflict(m, v, row, field);
}

void hm_pm_set_plain_value(hm_pm *m, hm_tv *o, const char *key, hm_str value) {
  hm_tv *v = value_obj(m, o, key, value);
  hm_pm_set_bool(m, v, "mark", false);
  hm_pm_set_bool(m, v, "may", false);
  hm_pm_set_bool(m, v, "trace", false);
}

/* --- dates, periods, numbers ----------------------------------------------------------------- */

enum { DATE_BYTES = 60 };

static bool is_digits(hm_str s, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (s.p[i] < '0' || s.p[i] > '9') return false;
  return true;
}

/* As HTML reads it in a datetime: the text itself where that has the form of one, else the instant
 * in UTC. Empty: no date, or one of a year that HTML does not know. */
static hm_str exact_of(hm_arena *a, hm_str s) {
  hm_time t;
  hm_precision p;
  if (!hm_time_parse(s, &t, &p) || hm_str_starts(s, "0000")) return HM_EMPTY;
  return p <= HM_P_DAY ? s : hm_time_to_second(a, hm_time_iso(a, t));
}

hm_str hm_format_date(hm_arena *a, hm_str s) {
  static const char months[] = "Jan\0Feb\0Mar\0Apr\0May\0Jun\0Jul\0Aug\0Sep\0Oct\0Nov\0Dec";
  if (s.n < 7 || !is_digits(s, 0, 4) || s.p[4] != '-' || !is_digits(s, 5, 7)) return s;
  int month = (s.p[5] - '0') * 10 + s.p[6] - '0', day = 0;
  if (month < 1 || month > 12) return s;
  const char *name = months + 4 * (month - 1);
  if (s.n == 7) return hm_str_fmt(a, "%s %.4s", name, s.p);
  if (s.n < 10 || s.p[7] != '-' || !is_digits(s, 8, 10)) return s;
  day = (s.p[8] - '0') * 10 + s.p[9] - '0';
  return hm_str_fmt(a, "%d %s %.4s", day, name, s.p);
}

void hm_pm_set_date(hm_pm *m, hm_tv *o, const char *key, hm_str text) {
  text = hm_str_trim(text);
  if (!text.n) {
    hm_pm_set_bool(m, o, key, false);
    return;
  }
  hm_tv *date = hm_pm_set_obj(m, o, key);
  hm_str exact = exact_of(m->a, text);
  hm_str words = exact.n ? hm_format_date(m->a, text) : hm_shorten(m->a, text, DATE_BYTES);
  if (hm_str_eq(words, exact)) exact = HM_EMPTY;   /* a year says all of it */
  hm_pm_set_raw(m, date, "exact", exact);
  hm_pm_set_text(m, date, "words", words);
}

bool hm_row_has_window(const hm_row *r) {
  return hm_str_trim(r->valid_from).n || hm_str_trim(r->valid_until).n;
}

void hm_pm_set_period(hm_pm *m, hm_tv *o, const char *key, const hm_row *r) {
  hm_str from = hm_str_trim(r->valid_from), until = hm_str_trim(r->valid_until);
  if (!from.n && !until.n) {
    hm_pm_set_bool(m, o, key, false);
    return;
  }
  hm_tv *period = hm_pm_set_obj(m, o, key);
  hm_pm_set_date(m, period, "from", from);
  hm_pm_set_date(m, period, "until", until);
}

hm_str hm_format_grouped_number(hm_arena *a, uint64_t n) {
  char out[32], *p = out + sizeof out;
  int digits = 0;
  do {
    if (digits && digits % 3 == 0) *--p = ',';
    *--p = (char)('0' + n % 10);
    digits++;
  } while (n /= 10);
  return hm_str_dup(a, (hm_str){ p, (size_t)(out + sizeof out - p) });
}

hm_str hm_format_count_phrase(hm_arena *a, uint64_t n, const char *one, const char *many) {
  return hm_str_fmt(a, "%.*s %s", HM_FMT(hm_format_grouped_number(a, n)), n == 1 ? one : many);
}

/* --- sentences ------------------------------------------------------------------------------- */

/* "a", "a and b", "a, b and c" */
static hm_str joined(hm_arena *a, const hm_str *parts, size_t n) {
  hm_str out[16];
  size_t n_out = 0;
  for (size_t i = 0; i < n && n_out < HM_COUNT(out) - 1; i++) {
    if (i) out[n_out++] = i + 1 == n ? HM_STR(" and ") : HM_STR(", ");
    out[n_out++] = parts[i];
  }
  return hm_str_join(a, out, n_out);
}

hm_str hm_format_fact_counts(hm_arena *a, const int64_t *rows) {
  static const struct { hm_layer layer; const char *one, *many; } kinds[] = {
    { HM_STATE, "curated value", "curated values" },
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
  const struct { int64_t n; const char *one, *many; } doubts[] = {
    { d->disputed, "value is disputed", "values are disputed" },
    { d->signoff, "waits for sign-off", "wait for sign-off" },
    { d->findings, "finding stands", "findings stand" },
    { d->unknown, "thing is not known", "things are not known" } };
  hm_str parts[HM_COUNT(doubts)];
  size_t n = 0;
  if (!d->disputed) parts[n++] = HM_STR("Nothing is disputed");
  for (size_t i = 0; i < HM_COUNT(doubts); i++)
    if (doubts[i].n)
      parts[n++] = hm_format_count_phrase(a, (uint64_t)doubts[i].n, doubts[i].one, doubts[i].many);
  return joined(a, parts, n);
}

void hm_pm_set_shown_of_all(hm_pm *m, hm_tv *o, const char *key, uint64_t shown, uint64_t all) {
  hm_str cut = HM_CAT(m->a, hm_format_grouped_number(m->a, shown), HM_STR(" of "),
                      hm_format_grouped_number(m->a, all));
  hm_pm_set_text(m, o, key, shown < all ? cut : HM_EMPTY);
}

void hm_pm_set_empty_sections(hm_pm *m, hm_tv *model, const hm_section_name *sections, size_t n) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++) {
    if (!sections[i].empty) continue;
    if (b.n) hm_buf_c(&b, ", ");
    hm_buf_c(&b, sections[i].name);
  }
  hm_pm_set_text(m, model, "nothing", hm_buf_copy(&b, m->a));
  hm_buf_free(&b);
}
