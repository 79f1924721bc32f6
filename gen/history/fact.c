#include "gen/history/fact.h"

#include <string.h>

#include "core/claim/claim.h"
#include "core/claim/slot.h"
#include "gen/history/inline.h"

/* --- lines: "- Name: value", "- **property:** value" ---------------------------- */

static bool next_item(hm_str lines, size_t *at, hm_str *item) {
  while (*at < lines.n) {
    const char *nl = memchr(lines.p + *at, '\n', lines.n - *at);
    size_t end = nl ? (size_t)(nl - lines.p) : lines.n;
    hm_str line = hm_str_trim(hm_str_sub(lines, *at, end));
    *at = end + 1;
    if (!hm_str_starts(line, "- ")) continue;
    *item = hm_str_trim(hm_str_sub(line, 2, line.n));
    return true;
  }
  return false;
}

/* Relations and links are told by their own rows, at both ends of the arrow. */
static bool is_arrow(hm_str item) {
  ptrdiff_t arrow = hm_inline_find(item, 0, " → "), colon = hm_inline_find(item, 0, ":");
  return hm_str_starts(item, "← ") || (arrow >= 0 && (colon < 0 || arrow < colon) && !hm_str_starts(item, "**"));
}

/* The name of the entity that a property refers to stands behind an arrow: "p05-e7 → [Leg](...)". A
 * fact may end in an arrow, too, and the marker of a dispute follow. */
static hm_str take_referred(hm_str *md, hm_arena *a) {
  hm_inline_link link;
  size_t at = 0;
  if (!hm_inline_last_link(*md, "", &at, &link) || hm_str_find(link.url, "#entity-") < 0) return HM_EMPTY;
  hm_str before = hm_str_sub(*md, 0, at);
  if (!hm_str_ends(before, " → ")) return HM_EMPTY;
  *md = hm_str_sub(before, 0, before.n - strlen(" → "));
  return hm_inline_text(link.label, a);
}

static bool read_item(hm_str item, hm_arena *a, hm_shown *out) {
  bool own = hm_str_starts(item, "**");
  ptrdiff_t colon = own ? hm_inline_find(item, 2, ":**") : hm_inline_find(item, 0, ":");
  if (colon < 0 || is_arrow(item)) return false;
  hm_str rest = hm_str_sub(item, (size_t)colon + (own ? 3 : 1), item.n);
  *out = (hm_shown){ .name = hm_inline_text(hm_str_sub(item, own ? 2 : 0, (size_t)colon), a), .own = own,
                     .refers = own ? take_referred(&rest, a) : HM_EMPTY };
  hm_inline_value v = hm_inline_value_of(rest, a);
  out->value = v.text;
  out->whole = v.whole;
  return true;
}

/* The row that the first link of a line leads to: "entity:p05-e16"; else the line's text. */
static hm_str led_to(hm_str md, hm_arena *a) {
  static const struct { const char *prefix; hm_layer layer; } kinds[] = {
    { "memory-", HM_MEMORY }, { "entity-", HM_ENTITY }, { "state-", HM_STATE }, { "relation-", HM_RELATION } };
  hm_inline_link link;
  md = hm_str_trim(md);
  ptrdiff_t hash = hm_inline_link_at(md, 0, &link) ? hm_str_find(link.url, "#") : -1;
  hm_str anchor = hash < 0 ? HM_EMPTY : hm_str_sub(link.url, (size_t)hash + 1, link.url.n);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (hm_str_starts(anchor, kinds[i].prefix))
      return hm_str_fmt(a, "%s:%.*s", hm_layer_kind(kinds[i].layer), HM_FMT(hm_str_sub(anchor, strlen(kinds[i].prefix), anchor.n)));
  ptrdiff_t dash = hm_inline_find(md, 0, " — ");
  return hm_inline_text(dash < 0 ? md : hm_str_sub(md, 0, (size_t)dash), a);
}

/* --- the row ------------------------------------------------------------------ */

static size_t count(hm_str s, char c) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) n += s.p[i] == c;
  return n;
}

/* At least as many as the row can show: one a line, one a cell, one in its head. */
static size_t most_shown(const hm_block *b) {
  return count(b->lines, '\n') + (b->columns.n ? count(b->head, '|') : 0) + 2;
}

static hm_shown *add(hm_fact *f, const char *name, hm_inline_value v, bool own) {
  hm_shown *s = &f->shown[f->n++];
  *s = (hm_shown){ .name = hm_str_c(name), .value = v.text, .whole = v.whole, .refers = HM_EMPTY, .own = own };
  return s;
}

static void read_lines(hm_fact *f, hm_str lines, hm_arena *a) {
  hm_str item;
  for (size_t at = 0; next_item(lines, &at, &item);) {
    hm_shown s;
    if (!read_item(item, a, &s)) continue;
    hm_str rest = hm_str_sub(item, s.name.n + 1, item.n);
    if (s.own) f->shown[f->n++] = s;
    else if (hm_str_is(s.name, "Status")) f->status = s.value;
    else if (hm_str_is(s.name, "Superseded by") || hm_str_is(s.name, "Graduated to")) f->by = led_to(rest, a);
    else if (!hm_str_is(s.name, "Id")) f->shown[f->n++] = s;
  }
}

/* "2026-03-20 knowledge: text". The day is the beginning of when it was recorded. */
static void read_memory(hm_fact *f, const hm_block *b, hm_arena *a) {
  const hm_shown *recorded = hm_fact_shown(f, HM_STR("Recorded"), false);
  hm_str head = b->head, day = recorded ? hm_str_sub(recorded->value, 0, 10) : HM_EMPTY;
  ptrdiff_t colon = hm_inline_find(head, 0, ": ");
  hm_str before = hm_inline_text(hm_str_sub(head, 0, colon < 0 ? 0 : (size_t)colon), a);
  if (day.n && before.n > day.n && memcmp(before.p, day.p, day.n) == 0) before = hm_str_sub(before, day.n, before.n);
  f->type = hm_str_trim(before);
  add(f, "content", hm_inline_value_of(hm_str_sub(head, colon < 0 ? 0 : (size_t)colon + 2, head.n), a), true);
}

/* A table's row, and as many names of the table's head: a long head would else be read for every row. */
static size_t cells_of(const hm_block *b, hm_arena *a, hm_str **names, hm_str **cells, size_t *n_cells) {
  *n_cells = hm_inline_cells(b->head, SIZE_MAX, a, cells);
  return hm_inline_cells(b->columns, *n_cells, a, names);
}

static void read_cells(hm_fact *f, const hm_block *b, hm_arena *a) {
  hm_str *names, *cells;
  size_t m, n = cells_of(b, a, &names, &cells, &m);
  f->type = hm_inline_text(b->section, a);
  if (hm_str_is(f->type, "No category")) f->type = HM_EMPTY;
  if (m) f->name = hm_inline_text(cells[0], a);
  for (size_t i = 1; i < n; i++) {
    if (!cells[i].n || hm_str_is(names[i], "Id")) continue;
    bool value = hm_str_is(names[i], "Value");
    add(f, "", hm_inline_value_of(cells[i], a), value)->name = value ? HM_STR("value") : hm_inline_text(names[i], a);
  }
}

/* History: "category / key: value (superseded)". */
static void read_past_state(hm_fact *f, hm_str head, hm_arena *a) {
  ptrdiff_t slash = hm_inline_find(head, 0, " / "), colon = hm_inline_find(head, 0, ": ");
  if (slash >= 0 && slash < colon) {
    f->type = hm_inline_text(hm_str_sub(head, 0, (size_t)slash), a);
    head = hm_str_sub(head, (size_t)slash + 3, head.n);
    colon -= slash + 3;
  }
  f->name = hm_inline_text(hm_str_sub(head, 0, colon < 0 ? head.n : (size_t)colon), a);
  hm_str value = hm_str_sub(head, colon < 0 ? head.n : (size_t)colon + 2, head.n);
  size_t open = value.n;
  while (open && value.p[open - 1] != '(') open--;
  if (open && value.p[value.n - 1] == ')') {
    f->status = hm_str_sub(value, open, value.n - 1);
    value = hm_str_sub(value, 0, open - 1);
  }
  add(f, "value", hm_inline_value_of(value, a), true);
}

/* An end of a relation, a link or bare. */
static hm_str take_end(hm_str *md, hm_arena *a) {
  hm_inline_link link;
  ptrdiff_t arrow = hm_inline_find(*md, 0, " → ");
  bool linked = hm_inline_link_at(*md, 0, &link);
  size_t end = linked ? link.end : arrow < 0 ? md->n : (size_t)arrow;
  hm_str text = hm_inline_text(hm_str_sub(*md, 0, end), a), rest = hm_str_sub(*md, end, md->n);
  *md = hm_str_starts(rest, " → ") ? hm_str_sub(rest, strlen(" → "), rest.n) : rest;
  return text;
}

static void read_relation(hm_fact *f, hm_str head, hm_arena *a) {
  hm_str from = take_end(&head, a), type = take_end(&head, a), to = take_end(&head, a);
  f->type = type;
  f->name = hm_str_fmt(a, "%.*s %.*s %.*s", HM_FMT(from), HM_FMT(type), HM_FMT(to));
}

/* A list of a type that the program knows has a file name that folds to it and a title of the
 * program's; of another type the title is the type. */
static hm_str entity_type(const hm_block *b, hm_arena *a) {
  if (hm_str_is(b->list, "untyped")) return HM_EMPTY;
  return hm_entity_type_find(hm_entity_type_key(a, b->list)) ? b->list : hm_inline_text(b->title, a);
}

static hm_str id_in_lines(const hm_block *b, hm_arena *a) {
  hm_str item, id = HM_EMPTY;
  for (size_t at = 0; next_item(b->lines, &at, &item);)
    if (hm_str_starts(item, "Id: ")) id = hm_inline_text(hm_str_sub(item, 4, item.n), a);
  return id;
}

static hm_str id_in_cells(const hm_block *b, hm_arena *a) {
  hm_str *names, *cells;
  size_t m, n = cells_of(b, a, &names, &cells, &m);
  for (size_t i = 0; i < n; i++)
    if (hm_str_is(names[i], "Id")) return hm_inline_text(cells[i], a);
  return HM_EMPTY;
}

static hm_str id_of(const hm_block *b, hm_arena *a) {
  hm_str id = b->columns.n ? id_in_cells(b, a) : id_in_lines(b, a);
  return id.n ? id : hm_str_sub(b->anchor, (size_t)hm_str_find(b->anchor, "-") + 1, b->anchor.n);
}

hm_str hm_block_ref(const hm_block *b, hm_arena *a) {
  return hm_str_fmt(a, "%s:%.*s", hm_layer_kind(b->layer), HM_FMT(id_of(b, a)));
}

void hm_fact_of(const hm_block *b, hm_arena *a, hm_fact *f) {
  *f = (hm_fact){ .layer = b->layer, .folder = b->folder, .id = id_of(b, a), .type = HM_EMPTY, .name = HM_EMPTY,
                  .status = HM_STR("active"), .by = HM_EMPTY };
  f->ref = hm_str_fmt(a, "%s:%.*s", hm_layer_kind(b->layer), HM_FMT(f->id));
  f->shown = hm_alloc_array(a, most_shown(b), sizeof *f->shown);
  read_lines(f, b->lines, a);
  if (b->layer == HM_MEMORY) read_memory(f, b, a);
  else if (b->layer == HM_RELATION) read_relation(f, b->head, a);
  else if (b->layer == HM_ENTITY) f->name = hm_inline_text(b->head, a), f->type = entity_type(b, a);
  else if (b->columns.n) read_cells(f, b, a);
  else read_past_state(f, b->head, a);
}

const hm_shown *hm_fact_shown(const hm_fact *f, hm_str name, bool own) {
  for (size_t i = 0; i < f->n; i++)
    if (f->shown[i].own == own && hm_str_eq(f->shown[i].name, name)) return &f->shown[i];
  return NULL;
}

enum { WORTH_A_MAP = 16 };

void hm_fact_index_of(const hm_fact *f, hm_arena *a, hm_fact_index *out) {
  *out = (hm_fact_index){ .fact = f, .mapped = f->n > WORTH_A_MAP };
  for (int own = 0; own < 2 && out->mapped; own++) hm_map_init(&out->by_name[own], a, f->n);
  for (size_t i = 0; i < f->n && out->mapped; i++) hm_map_add(&out->by_name[f->shown[i].own], f->shown[i].name, (uint32_t)i);
}

const hm_shown *hm_fact_find(const hm_fact_index *x, hm_str name, bool own) {
  if (!x->mapped) return hm_fact_shown(x->fact, name, own);
  uint32_t i = hm_map_get(&x->by_name[own], name);
  return i == HM_MAP_NONE ? NULL : &x->fact->shown[i];
}
