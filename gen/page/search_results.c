/* How a result of search reads: one line of JSON for each document. */
#include "search.h"

#include <string.h>

enum { LABEL = 90, VALUE = 60, WHERE = 40 };

typedef struct { hm_str url, label, what, where, value, mark; } result;

static hm_str place(hm_arena *a, hm_str path, hm_str anchor) {
  hm_str link = hm_path_link(a, HM_STR("search.md"), path, anchor);
  const char *md = link.n ? memmem(link.p, link.n, ".md", 3) : NULL;
  if (!md) return link;
  hm_str stem = hm_str_sub(link, 0, (size_t)(md - link.p)),
         rest = hm_str_sub(link, (size_t)(md - link.p) + 3, link.n);
  if (hm_str_is(stem, "README") || hm_str_ends(stem, "/README"))
    stem = HM_CAT(a, hm_str_sub(stem, 0, stem.n - 6), HM_STR("index"));
  return HM_CAT(a, stem, HM_STR(".html"), rest);
}

static hm_str row_kind(const hm_view *v, uint32_t row, hm_arena *a) {
  static const char *const kinds[] = { [HM_MEMORY] = "memory", [HM_ENTITY] = "entity",
                                       [HM_STATE] = "curated value", [HM_RELATION] = "relation" };
  const hm_row *r = &v->snap->rows[row];
  const hm_group *g = &v->groups[v->parts[v->part_of[row]].group];
  hm_str what = hm_str_c(kinds[r->layer]);
  if (r->layer == HM_ENTITY)
    what = g->kind ? hm_str_c(g->kind->one) : hm_shorten(a, g->title, WHERE);
  if (v->rows[row].active) return what;
  return hm_str_fmt(a, "%.*s, %s", HM_FMT(what), hm_status_name(r->status));
}

static void row_result(const hm_view *v, uint32_t row, hm_arena *a, result *out) {
  const hm_row *r = &v->snap->rows[row];
  hm_str anchor, home = hm_view_find_row_page(v, row, a, &anchor);
  hm_str page = hm_view_subsystem_path(v, row);
  if (!page.n) page = hm_view_entity_path(v, row);
  size_t n;
  const hm_mark *marks = hm_view_marks(v, row, &n);
  out->url = page.n ? place(a, page, HM_EMPTY) : place(a, home, anchor);
  out->label = hm_link_label(a, hm_view_distinct_label(v, row, a), LABEL);
  if (r->layer == HM_RELATION)
    out->label =
        hm_str_fmt(a, "%.*s: %.*s", HM_FMT(out->label), HM_FMT(hm_shorten(a, r->type, 40)));
  out->what = row_kind(v, row, a);
  out->where =
      hm_shorten(a, v->projects[v->groups[v->parts[v->part_of[row]].group].project].label, WHERE);
  if (r->layer == HM_STATE) out->value = hm_shorten(a, hm_view_state_value(v, row, a), VALUE);
  if (n) out->mark = place(a, v->conflicts[marks[0].conflict].path, HM_EMPTY);
}

/* Of what it says; empty where that is withheld. */
static hm_str first_text(const hm_view *v, const hm_vconflict *c, hm_arena *a) {
  for (size_t i = 0; i < c->rec->n_members; i++)
    if (hm_view_member_shown(v, &c->rec->members[i], a)) return c->rec->members[i].value;
  return HM_EMPTY;
}

static void conflict_result(const hm_view *v, const hm_vconflict *c, hm_arena *a, result *out) {
  out->url = place(a, c->path, HM_EMPTY);
  out->label = hm_link_label(a, c->words, LABEL);
  if (c->project != HM_NONE) out->where = hm_shorten(a, v->projects[c->project].label, WHERE);
  if (c->proposed) out->value = hm_shorten(a, first_text(v, c, a), VALUE);
  out->what = c->rec->status != HM_OPEN ? HM_STR("conflict of the past") : HM_STR("open conflict");
  if (c->rec->status == HM_OPEN && c->dispute) out->mark = out->url;
}

/* As JSON, and without what could end a script: each '<' is escaped. */
static void put_text(hm_buf *out, hm_str text, hm_arena *a) {
  hm_buf b = { 0 };
  hm_json_write_str(&b, text);
  hm_str json = hm_buf_take(&b, a);
  for (const char *less; (less = json.n ? memchr(json.p, '<', json.n) : NULL);) {
    size_t n = (size_t)(less - json.p);
    hm_buf_str(out, hm_str_sub(json, 0, n));
    hm_buf_c(out, "\\u003c");
    json = hm_str_sub(json, n + 1, json.n);
  }
  hm_buf_str(out, json);
}

void hm_search_put_code(hm_buf *out, uint32_t code) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (int k = HM_DOC_CODE; k-- > 0;) hm_buf_ch(out, digits[code >> 6 * k & 63]);
}

void hm_search_doc_line(const hm_search *s, uint32_t doc, hm_arena *a, hm_buf *out) {
  const hm_doc *d = &s->docs[doc];
  const hm_view *v = s->v;
  result r = { .where = HM_EMPTY };
  if (d->of == HM_DOC_ROW) row_result(v, d->index, a, &r);
  if (d->of == HM_DOC_CONFLICT) conflict_result(v, &v->conflicts[d->index], a, &r);
  if (d->of == HM_DOC_PROJECT) {
    r.label = hm_link_label(a, v->projects[d->index].label, LABEL);
    r.url = place(a, HM_CAT(a, v->projects[d->index].dir, HM_STR("README.md")), HM_EMPTY);
    r.what = HM_STR("project");
  }
  if (d->of == HM_DOC_SOURCE) {
    hm_str anchor, label = hm_source_label(s->sources, d->index),
                   path = hm_find_source_page(s->sources, label, a, &anchor);
    r.label = hm_link_label(a, label, LABEL);
    r.url = place(a, path, anchor);
    r.what = HM_STR("source");
  }
  const hm_str fields[] = { r.url, r.label, r.what, r.where, r.value, r.mark };
  size_t n = HM_COUNT(fields);
  while (n && !fields[n - 1].n) n--;
  hm_buf_c(out, "[\"");
  hm_search_put_code(out, d->code);
  hm_buf_c(out, "\"");
  for (size_t i = 0; i < n; i++) {
    hm_buf_ch(out, ',');
    put_text(out, fields[i], a);
  }
  hm_buf_ch(out, ']');
}
