/* Reads and writes data/changes.jsonl, and decides which of its changes a reader may see today.
 *
 * The file may hold texts of rows that were left out or redacted later; today's pages must not show
 * them again. Cost: linear in the file. */
#include "gen/page/changes_file.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/redaction.h"
#include "view_private.h"

static const char first_line[] = "{\"kind\":\"mirror-data\",\"format\":1}\n";

/* --- sorts ----------------------------------------------------------------------- */

/* By event; all others are facts. */
static const struct {
  const char *event;
  hm_change_sort sort;
} sorts[] = {
  { "disputed", HM_CHANGE_OPENED }, { "members", HM_CHANGE_SIDES },
  { "reopened", HM_CHANGE_OPENED }, { "quiet", HM_CHANGE_SETTLED },
  { "settled", HM_CHANGE_SETTLED },
};

hm_change_sort hm_classify_change(hm_str event) {
  for (size_t i = 0; i < HM_COUNT(sorts); i++)
    if (hm_str_is(event, sorts[i].event))
      return sorts[i].sort;
  return HM_CHANGE_FACT;
}

/* --- reading ---------------------------------------------------------------------- */

enum { ROWS_MAX = 1000 }; /* of a change that is read */

typedef struct {
  hm_arena *a;
  hm_changes *out;
  size_t cap;
  size_t cap_changes, cap_more; /* of the publication at hand */
} reading;

/* A count that is no more than a reader would believe; 0: none. */
static int64_t count_of(const hm_json *v, const char *key) {
  const hm_json *n = hm_json_get(v, key);
  int64_t all = 0;
  if (!n || n->type != HM_JSON_NUMBER || n->text.n > 12)
    return 0;
  for (size_t i = 0; i < n->text.n; i++) {
    if (n->text.p[i] < '0' || n->text.p[i] > '9')
      return 0;
    all = all * 10 + (n->text.p[i] - '0');
  }
  return all;
}

static void *grow(hm_arena *a, void *old, size_t n, size_t *cap, size_t size) {
  if (n < *cap)
    return old;
  *cap = *cap ? 2 * *cap : 16;
  void *more = hm_alloc_array(a, *cap, size);
  if (n)
    memcpy(more, old, n * size);
  return more;
}

static void read_publication(reading *r, const hm_json *v) {
  hm_changes *c = r->out;
  c->v = grow(r->a, c->v, c->n, &r->cap, sizeof *c->v);
  c->v[c->n++] = (hm_published){ .number = count_of(v, "number"),
                                 .at = hm_json_get_text(v, "at"),
                                 .disputed = count_of(v, "disputed"),
                                 .left_out = count_of(v, "left_out"),
                                 .first = hm_json_get_true(v, "first") };
  r->cap_changes = r->cap_more = 0;
}

static void read_change(reading *r, const hm_json *v) {
  hm_published *p = &r->out->v[r->out->n - 1];
  const hm_json *row = hm_json_get_items(v, "rows"), *field = hm_json_get_items(v, "fields");
  if (p->n >= HM_CHANGES_LISTED)
    return;
  p->v = grow(r->a, p->v, p->n, &r->cap_changes, sizeof *p->v);
  hm_change_line *c = &p->v[p->n++];
  *c = (hm_change_line){ .event = hm_json_get_text(v, "event"),
                         .project = hm_json_get_text(v, "project"),
                         .subject = hm_json_get_text(v, "subject"),
                         .text = hm_json_get_text(v, "text"),
                         .conflict = hm_json_get_text(v, "conflict") };
  for (const hm_json *x = row; x && c->n_rows < ROWS_MAX; x = x->next)
    c->n_rows++;
  c->rows = hm_alloc_array(r->a, c->n_rows + 1, sizeof *c->rows);
  c->fields = hm_alloc_array(r->a, c->n_rows + 1, sizeof *c->fields);
  for (size_t i = 0; i < c->n_rows; i++, row = row->next, field = field ? field->next : NULL) {
    c->rows[i] = row->type == HM_JSON_STRING ? row->text : HM_EMPTY;
    c->fields[i] = field && field->type == HM_JSON_STRING ? field->text : HM_EMPTY;
  }
}

static void read_more(reading *r, const hm_json *v) {
  hm_published *p = &r->out->v[r->out->n - 1];
  p->more = grow(r->a, p->more, p->n_more, &r->cap_more, sizeof *p->more);
  p->more[p->n_more++] =
      (hm_more_changes){ hm_json_get_text(v, "project"), count_of(v, "changes") };
}

bool hm_changes_parse(hm_str jsonl, hm_arena *a, hm_changes *out) {
  reading r = { .a = a, .out = out };
  *out = (hm_changes){ 0 };
  if (!hm_str_starts(jsonl, first_line))
    return false;
  hm_str rest = hm_str_sub(jsonl, sizeof first_line - 1, jsonl.n);
  while (rest.n) {
    const char *nl = memchr(rest.p, '\n', rest.n);
    hm_str line = hm_str_sub(rest, 0, nl ? (size_t)(nl - rest.p) : rest.n);
    hm_json *v;
    rest = hm_str_sub(rest, line.n + 1, rest.n);
    if (!line.n || hm_json_parse(a, line, &v, NULL) != 0)
      continue;
    hm_str kind = hm_json_get_text(v, "kind");
    if (hm_str_is(kind, "publication"))
      read_publication(&r, v);
    else if (out->n && hm_str_is(kind, "change"))
      read_change(&r, v);
    else if (out->n && hm_str_is(kind, "more"))
      read_more(&r, v);
  }
  return true;
}

/* --- writing ---------------------------------------------------------------------- */

static void write_change(hm_buf *out, const hm_change_line *c) {
  hm_jw w;
  hm_jw_init(&w, out, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "kind", HM_STR("change"));
  hm_jw_str(&w, "event", c->event);
  hm_jw_str(&w, "project", c->project);
  hm_jw_str(&w, "subject", c->subject);
  hm_jw_str(&w, "text", c->text);
  if (c->conflict.n)
    hm_jw_str(&w, "conflict", c->conflict);
  hm_jw_strs(&w, "rows", c->rows, c->n_rows);
  hm_jw_strs(&w, "fields", c->fields, c->n_rows);
  hm_jw_end(&w);
  hm_buf_ch(out, '\n');
}

static void write_publication(hm_buf *out, const hm_published *p) {
  hm_jw w;
  hm_jw_init(&w, out, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "kind", HM_STR("publication"));
  hm_jw_int(&w, "number", p->number);
  if (p->at.n)
    hm_jw_str(&w, "at", p->at);
  hm_jw_int(&w, "disputed", p->disputed);
  if (p->left_out)
    hm_jw_int(&w, "left_out", p->left_out);
  if (p->first)
    hm_jw_bool(&w, "first", true);
  hm_jw_end(&w);
  hm_buf_ch(out, '\n');
  for (size_t i = 0; i < p->n; i++)
    write_change(out, &p->v[i]);
  for (size_t i = 0; i < p->n_more; i++) {
    hm_jw_init(&w, out, 0);
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "kind", HM_STR("more"));
    hm_jw_str(&w, "project", p->more[i].project);
    hm_jw_int(&w, "changes", p->more[i].changes);
    hm_jw_end(&w);
    hm_buf_ch(out, '\n');
  }
}

void hm_changes_write(const hm_changes *c, hm_buf *out) {
  hm_buf_c(out, first_line);
  for (size_t i = 0; i < c->n; i++)
    write_publication(out, &c->v[i]);
}

void hm_changes_drop_oldest(hm_changes *c) {
  size_t from = c->n, bytes = sizeof first_line;
  while (from > 0 && c->n - from < HM_CHANGES_PUBLICATIONS) {
    hm_buf one = { 0 };
    write_publication(&one, &c->v[from - 1]);
    bytes += one.n;
    hm_buf_free(&one);
    if (bytes > HM_CHANGES_BYTES && from < c->n)
      break;
    from--;
  }
  c->v += from;
  c->n -= from;
}

/* --- what a reader may see ------------------------------------------------------------ */

typedef enum { SHOWN, REDACTED, WITHHELD } visibility;

typedef struct {
  const hm_view *v;
  bool (*is_redacted)(void *ctx, hm_str ref);
  void *ctx;
  hm_arena *a;
} showing;

static bool has_mark(const hm_view *v, uint32_t row) {
  const hm_row *r = &v->snap->rows[row];
  return hm_has_redacted_mark(r->text) || hm_has_redacted_mark(r->props) ||
      hm_has_redacted_mark(r->name);
}

static visibility of_row(const showing *s, hm_str ref, hm_str field) {
  uint32_t row = hm_snapshot_ref(s->v->snap, HM_ENTITY, ref);
  if (row != HM_NONE && !hm_view_field_shown(s->v, row, field, s->a))
    return WITHHELD;
  if (row != HM_NONE && has_mark(s->v, row))
    return REDACTED;
  return s->is_redacted && s->is_redacted(s->ctx, ref) ? REDACTED : SHOWN;
}

/* --- a line whose text tells what is left out --- */

/* The parts of a text between the words that lines are made of: names and values, and what is not.
 * Calls each with every one that begins behind such a word and ends before one; the first that
 * each returns true for ends it. */
typedef bool part_fn(void *ctx, hm_str part);

static bool find_part(hm_str text, part_fn *each, void *ctx) {
  static const char *const before[] = { ": ",    " by ", " to ", ", ", " and ",
                                        " was ", "-> ",  " (",   " | " };
  static const char *const behind[] = { ": ", " (", ", ", ")", " and ", " stands", " ->", " | " };
  for (size_t i = 0; i < text.n; i++) {
    size_t from = 0;
    hm_str rest = hm_str_sub(text, i, text.n);
    for (size_t k = 0; k < HM_COUNT(before) && !from; k++)
      from = hm_str_starts(rest, before[k]) ? i + strlen(before[k]) : 0;
    for (size_t to = from + 1; from && to <= text.n; to++) {
      bool ends = to == text.n;
      for (size_t k = 0; k < HM_COUNT(behind) && !ends; k++)
        ends = hm_str_starts(hm_str_sub(text, to, text.n), behind[k]);
      if (ends && each(ctx, hm_str_sub(text, from, to)))
        return true;
    }
  }
  return false;
}

typedef struct {
  const showing *s;
  hm_layer layer; /* of a bare id */
  uint32_t row;   /* whose line it is, or HM_NONE */
  hm_str field;
} told;

/* A long name is cut (gen/history/event.c). */
enum { CUT_LEAST = 50, CUT_MOST = 70 };

static bool is_cut_id(const hm_view *v, hm_str name) {
  static const char cut[] = "…";
  if (!hm_str_ends(name, cut) || name.n < CUT_LEAST || name.n > CUT_MOST)
    return false;
  name.n -= sizeof cut - 1;
  hm_str bare = hm_str_sub(name, (size_t)(hm_str_find(name, ":") + 1), name.n);
  for (size_t i = 0; i < v->snap->n_rows; i++) {
    hm_str id = v->snap->rows[i].id;
    if (v->hidden[i] &&
        ((id.n > name.n && !memcmp(id.p, name.p, name.n)) ||
         (id.n > bare.n && !memcmp(id.p, bare.p, bare.n))))
      return true;
  }
  return false;
}

static bool names_hidden_row(void *ctx, hm_str part) {
  const told *t = ctx;
  const hm_view *v = t->s->v;
  uint32_t row = hm_snapshot_ref(v->snap, t->layer, part);
  return (row != HM_NONE && v->hidden[row]) || is_cut_id(v, part);
}

/* Of a relation an end may be there by its name, alone or in "Ann RULES Keep". */
static bool names_hidden_end(void *ctx, hm_str part) {
  const told *t = ctx;
  const hm_map *names = &t->s->v->hidden_names;
  if (names_hidden_row(ctx, part) || hm_map_get(names, part) != HM_NONE)
    return true;
  for (size_t i = 1; i + 1 < part.n; i++)
    if (part.p[i] == ' ' &&
        (hm_map_get(names, hm_str_sub(part, 0, i)) != HM_NONE ||
         hm_map_get(names, hm_str_sub(part, i + 1, part.n)) != HM_NONE))
      return true;
  return false;
}

static bool is_hidden_type(void *ctx, hm_str part) {
  const told *t = ctx;
  return hm_view_value_left_out(t->s->v, t->layer, t->field, part, t->s->a);
}

static bool is_of_hidden_source(void *ctx, hm_str part) {
  const told *t = ctx;
  return hm_view_source_says(t->s->v, t->row, part);
}

/* The field of a record that a line calls so. */
static hm_str record_field(hm_layer layer, hm_str field) {
  static const char *const types[] = { NULL, "memory_type", "entity_type", "category", "type" };
  if (hm_str_is(field, "type") || hm_str_is(field, "category"))
    return hm_str_c(types[layer]);
  return hm_str_is(field, "Tags") ? HM_STR("tags") : field;
}

/* Does the text of a line about this row, which is shown, tell what is left out: another row, a
 * type, a key, what a left-out source says? */
static bool tells_left_out(const showing *s, const hm_change_line *c, size_t i) {
  const hm_exclude *x = &s->v->opt.exclude;
  told t = { .s = s, .layer = HM_ENTITY, .row = HM_NONE };
  hm_str id;
  if (!hm_ref_parse(c->rows[i], &t.layer, &id))
    return false;
  t.row = hm_snapshot_ref(s->v->snap, t.layer, c->rows[i]);
  t.field = record_field(t.layer, c->fields[i]);
  bool of_value = hm_str_is(c->event, "changed") || hm_str_is(c->event, "known");
  bool of_end = of_value && (t.layer == HM_RELATION || hm_str_ends(c->fields[i], "_id"));
  if (of_end)
    t.layer = HM_ENTITY;
  /* A slot is named after the type of its entity. */
  if (t.layer == HM_ENTITY && !hm_str_starts(c->subject, "entity:") &&
      hm_exclude_begins(x->types, x->n_types, c->subject, s->a))
    return true;
  if (of_end && find_part(c->text, names_hidden_end, &t))
    return true;
  if (!of_value && find_part(c->text, names_hidden_row, &t))
    return true;
  if (of_value && !of_end && find_part(c->text, is_hidden_type, &t))
    return true;
  if (t.row == HM_NONE || hm_view_row_is_whole(s->v, t.row))
    return false;
  size_t members = 0;
  for (size_t k = 0; k < c->n_rows; k++)
    members += hm_str_eq(c->rows[k], c->rows[i]) && hm_str_eq(c->fields[k], c->fields[i]);
  return members > hm_view_count_sources(s->v, t.row) ||
      find_part(c->text, is_of_hidden_source, &t) || is_of_hidden_source(&t, c->subject);
}

bool hm_change_is_left_out(const hm_view *v, const hm_change_line *c, hm_arena *a) {
  const showing s = { v, NULL, NULL, a };
  for (size_t i = 0; i < c->n_rows && hm_view_withholds(v); i++)
    if (tells_left_out(&s, c, i))
      return true;
  return false;
}

/* --- each line ------------------------------------------------------------------------- */

static visibility of_change(const showing *s, const hm_change_line *c) {
  visibility worst = hm_change_is_left_out(s->v, c, s->a) ? WITHHELD : SHOWN;
  for (size_t i = 0; i < c->n_rows && worst != WITHHELD; i++) {
    visibility one = of_row(s, c->rows[i], c->fields[i]);
    if (one > worst)
      worst = one;
  }
  return worst;
}

static bool project_shown(const hm_view *v, hm_str id) {
  for (size_t i = 0; i < v->snap->n_projects; i++)
    if (hm_str_eq(v->snap->projects[i].id, id))
      return !v->project_hidden[i];
  return true; /* it is gone */
}

static const char hidden_text[] = "changed; its text was redacted";

void hm_change_hide_text(hm_change_line *c) {
  c->text = HM_STR(hidden_text);
  c->subject = c->conflict.n ? c->conflict : c->n_rows ? c->rows[0] : HM_EMPTY;
}

/* Names and values in lines of redacted rows that are not hidden yet: other lines may repeat them.
 */
typedef struct {
  hm_needles said;
  hm_arena *a;
} removed_parts;

static bool add_part(void *ctx, hm_str part) {
  removed_parts *x = ctx;
  hm_layer layer;
  hm_str id;
  if (part.n > HM_NEEDLE_WHOLE && !hm_has_redacted_mark(part) && !hm_ref_parse(part, &layer, &id))
    hm_needles_add(&x->said, part, x->a);
  return false;
}

static void collect_removed(const showing *s, const hm_changes *before, removed_parts *out) {
  for (size_t i = 0; i < before->n; i++)
    for (size_t k = 0; k < before->v[i].n; k++) {
      const hm_change_line *c = &before->v[i].v[k];
      if (of_change(s, c) == REDACTED && !hm_str_is(c->text, hidden_text))
        find_part(c->text, add_part, out);
    }
}

static void show_publication(const showing *s, const hm_published *p, const hm_needles *removed,
                             hm_published *out) {
  *out = *p;
  out->v = hm_alloc_array(s->a, p->n + 1, sizeof *out->v);
  out->more = hm_alloc_array(s->a, p->n_more + 1, sizeof *out->more);
  out->n = out->n_more = 0;
  for (size_t i = 0; i < p->n; i++) {
    visibility is = project_shown(s->v, p->v[i].project) ? of_change(s, &p->v[i]) : WITHHELD;
    if (is == WITHHELD)
      continue;
    hm_change_line *c = &out->v[out->n++];
    *c = p->v[i];
    if (is == REDACTED || hm_needles_found_in(removed, c->text) ||
        hm_needles_found_in(removed, c->subject))
      hm_change_hide_text(c);
  }
  for (size_t i = 0; i < p->n_more; i++)
    if (project_shown(s->v, p->more[i].project))
      out->more[out->n_more++] = p->more[i];
}

void hm_changes_filter_shown(const hm_view *v, const hm_changes *all,
                             bool (*is_redacted)(void *ctx, hm_str ref), void *ctx, hm_arena *a,
                             hm_changes *out) {
  const showing s = { v, is_redacted, ctx, a };
  removed_parts removed = { .a = a };
  const hm_changes before = { all->v, all->n ? all->n - 1 : 0 };
  *out = (hm_changes){ hm_alloc_array(a, all->n + 1, sizeof *out->v), all->n };
  collect_removed(&s, &before, &removed);
  for (size_t i = 0; i < all->n; i++)
    show_publication(&s, &all->v[i], &removed.said, &out->v[i]);
}

void hm_view_set_changes(hm_view *v, const hm_changes *c) { v->changes = c; }

bool hm_view_has_changes(const hm_view *v) { return v->changes != NULL; }
