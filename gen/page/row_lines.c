/* A row as lines of a list, one fact a line; what it links to, and what links to it. A row that is
 * left out has no link here; one that is in dispute is marked. */
#include <stdlib.h>

#include "core/markdown/escape.h"
#include "core/record/given.h"
#include "core/tree/tree.h"
#include "model.h"

/* --- properties -------------------------------------------------------- */

static void prop_line(hm_model *m, hm_node *lines, uint32_t row, const hm_json *p) {
  hm_node *line = hm_model_add_line(m, lines, "");
  hm_model_set_text(m, line, "name", hm_format_field_name(m->a, p->key));
  hm_node_set_bool(line, "prop", true);
  hm_model_set_value(m, line, hm_format_json(p, m->a), row, p->key);
  uint32_t other =
      p->type == HM_JSON_STRING ? hm_snapshot_row(m->v->snap, HM_ENTITY, p->text) : HM_NONE;
  if (other == HM_NONE || other == row || !hm_view_listed(m->v, other))
    return;
  if (m->v->snap->rows[other].project != m->v->snap->rows[row].project)
    return;
  hm_node *refs = hm_node_set_list(line, "refs"), *ref = hm_model_add_item(m, refs);
  hm_model_set_row_link_fields(m, ref, other);
  hm_model_set_text(m, ref, "note", HM_EMPTY);
  hm_model_set_raw(m, ref, "sep", HM_STR(" → "));
}

/* Adds lines for disputed fields that are no properties, such as an end of a relation. */
static void disputed_lines(hm_model *m, hm_node *lines, uint32_t row, const hm_json *props) {
  size_t n;
  const hm_mark *marks = hm_view_marks(m->v, row, &n);
  for (size_t i = 0; i < n; i++) {
    const hm_json *p = props ? props->child : NULL;
    while (p && !hm_str_eq(p->key, marks[i].field))
      p = p->next;
    bool again = i && hm_str_eq(marks[i].field, marks[i - 1].field);
    if (!marks[i].field.n)
      continue;
    const hm_dispute *d = m->v->conflicts[marks[i].conflict].dispute;
    for (size_t k = 0; k < d->n && !p && !again; k++) {
      const hm_claim *c = d->parties[k].claim;
      if (c->row != row || !hm_str_eq(c->field, marks[i].field))
        continue;
      hm_node *line = hm_model_add_line(m, lines, "");
      hm_model_set_text(m, line, "name", hm_format_field_name(m->a, c->field));
      hm_node_set_bool(line, "prop", true);
      bool end = c->layer == HM_RELATION;
      hm_model_set_value(m, line,
                         end ? hm_view_relation_end_name(m->v, c->value.raw, m->a) : c->value.raw,
                         row, c->field);
      break;
    }
  }
}

void hm_model_add_field_lines(hm_model *m, hm_node *lines, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  if (r->layer == HM_ENTITY && r->text.n && !hm_view_prop_hidden(m->v, HM_STR("description"), m->a))
    hm_model_add_text_line(m, lines, "Description", r->text);
  const hm_json *props = hm_view_props(m->v, row, m->a);
  size_t fit = hm_view_count_fitting_props(m->v, row, props, m->a), n = 0;
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next)
    if (n++ < fit || hm_view_is_disputed(m->v, row, p->key))
      prop_line(m, lines, row, p);
  if (n > fit)
    hm_model_add_text_line(m, lines, "All properties", hm_format_json(props, m->a));
  if (!props && hm_str_trim(r->props).n && !m->v->n_props)
    hm_model_add_text_line(m, lines, "Properties (not readable)", r->props);
  disputed_lines(m, lines, row, props);
}

/* --- relations and links ----------------------------------------------- */

static void ref_plain(hm_model *m, hm_node *ref) {
  hm_model_set_ref_note(m, ref, HM_STR(" "), HM_EMPTY);
}

void hm_model_add_relation_line(hm_model *m, hm_node *lines, const hm_edge *e) {
  const hm_row *r = &m->v->snap->rows[e->via];
  bool out = e->kind == HM_EDGE_REL_OUT;
  hm_node *line = hm_model_add_line(m, lines, "");
  hm_model_set_short(m, line, "name", r->type, 80);
  hm_node *rel = hm_node_set_obj(line, "rel");
  hm_node_set_bool(rel, "out", out);
  hm_node_set_bool(rel, "link", false);
  hm_model_set_relation_marks(m, rel, e->via);
  hm_model_set_claim_kind(m, rel, e->via);
  hm_node *ref = hm_model_add_item(m, hm_node_set_list(line, "refs"));
  if (e->other != HM_NONE)
    hm_model_set_row_link_fields(m, ref, e->other);
  else {
    hm_model_set_short(m, ref, "label", out ? r->to : r->from, 120);
    hm_node_set_bool(ref, "url", false);
  }
  ref_plain(m, ref);
  hm_model_set_period(m, ref, "period", r);
}

static bool is_link(const hm_edge *e) {
  return e->kind == HM_EDGE_LINK_OUT || e->kind == HM_EDGE_LINK_IN;
}

static void link_line(hm_model *m, hm_node *lines, const hm_edge *e) {
  hm_node *line = hm_model_add_line(m, lines, "");
  hm_model_set_short(m, line, "name", m->v->snap->links[e->via].rel, 80);
  hm_node *rel = hm_node_set_obj(line, "rel");
  hm_node_set_bool(rel, "out", e->kind == HM_EDGE_LINK_OUT);
  hm_node_set_bool(rel, "link", true);
  hm_node_set_list(rel, "marks"); /* a dispute of the other row is none of this one */
  hm_node_set_bool(rel, "may", false);
  hm_node_set_bool(rel, "claim_kind", false);
  size_t n;
  hm_view_marks(m->v, e->other, &n);
  hm_node *ref = hm_model_add_item(m, hm_node_set_list(line, "refs"));
  hm_model_set_row_link_fields(m, ref, e->other);
  hm_model_set_text(m, ref, "note", n ? HM_STR("disputed") : HM_EMPTY);
  hm_model_set_raw(m, ref, "sep", HM_STR(" "));
}

static void more_links(hm_model *m, hm_node *lines) {
  hm_model_add_text_line(m, lines, "More links", HM_STR("hmirror neighbors lists them all"));
}

void hm_model_add_link_lines(hm_model *m, hm_node *lines, uint32_t row) {
  int left = HM_REFS;
  for (uint32_t i = m->v->edge_from[row]; i < m->v->edge_from[row + 1] && left >= 0; i++) {
    if (!is_link(&m->v->edges[i]))
      continue;
    if (left-- > 0)
      link_line(m, lines, &m->v->edges[i]);
    else
      more_links(m, lines);
  }
}

/* There is more: on its own page, or in the list of relations. e: the first that is not shown;
 * links come last, and have no list. */
static void more_line(hm_model *m, hm_node *lines, uint32_t row, const hm_edge *e) {
  hm_str page = hm_view_entity_path(m->v, row);
  if (is_link(e)) {
    more_links(m, lines);
    return;
  }
  if (!page.n) {
    hm_model_add_text_line(m, lines, "More", HM_STR("see the list of relations"));
    return;
  }
  hm_node *ref =
      hm_model_add_item(m, hm_node_set_list(hm_model_add_line(m, lines, "More"), "refs"));
  hm_model_set_text(m, ref, "label", HM_STR("all relations"));
  hm_model_set_url(m, ref, "url", page, HM_EMPTY);
  ref_plain(m, ref);
}

static void edge_lines(hm_model *m, hm_node *lines, uint32_t row) {
  const hm_view *v = m->v;
  int left = HM_REFS;
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++) {
    const hm_edge *e = &v->edges[i];
    bool rel = e->kind == HM_EDGE_REL_OUT || e->kind == HM_EDGE_REL_IN;
    if (!rel && !is_link(e))
      continue;
    if (left-- == 0) {
      more_line(m, lines, row, e);
      return;
    }
    if (rel)
      hm_model_add_relation_line(m, lines, e);
    else
      link_line(m, lines, e);
  }
}

/* --- provenance -------------------------------------------------------- */

/* Of a note at a line, or at a heading: then what the address has behind '#' gives way. */
hm_str hm_model_source_address(hm_model *m, hm_str source, bool gone) {
  enum { LONGEST = 2000 };
  hm_str path = hm_tree_line_path(source), url = m->v->opt.source_url, place = HM_EMPTY;
  bool http = hm_str_starts(source, "http://") || hm_str_starts(source, "https://");
  hm_buf b = { 0 };
  if (source.n > LONGEST)
    return HM_EMPTY;
  if (http)
    return hm_url_is_safe(source) ? source : HM_EMPTY;
  if ((path.n && gone) || (!path.n && hm_tree_link_path(source).n)) {
    const char *hash = url.n ? memchr(url.p, '#', url.n) : NULL;
    place = path.n ? HM_EMPTY : hm_str_sub(source, hm_tree_link_path(source).n, source.n);
    path = path.n ? path : hm_tree_link_path(source);
    url = hash ? hm_str_sub(url, 0, (size_t)(hash - url.p)) : url;
    if (hm_str_find(url, "{line}") >= 0)
      return HM_EMPTY;
  }
  for (size_t i = 0; path.n && i < url.n; i++) {
    hm_str rest = hm_str_sub(url, i, url.n);
    if (hm_str_starts(rest, "{path}")) {
      hm_url_encode(&b, path, "-._~/");
      i += sizeof "{path}" - 2;
    } else if (hm_str_starts(rest, "{line}")) {
      hm_buf_str(&b, hm_str_sub(source, path.n + 1, source.n));
      i += sizeof "{line}" - 2;
    } else {
      hm_buf_ch(&b, url.p[i]);
    }
  }
  if (place.n) {
    hm_buf_ch(&b, '#');
    hm_url_encode(&b, hm_str_sub(place, 1, place.n), "-._~");
  }
  hm_str out = hm_buf_take(&b, m->a);
  return hm_url_is_safe(out) ? out : HM_EMPTY;
}

bool hm_model_row_is_gone(const hm_model *m, uint32_t row) {
  hm_status status = m->v->snap->rows[row].status;
  return status == HM_SUPERSEDED || status == HM_INVALID;
}

void hm_model_set_source_url(hm_model *m, hm_node *o, hm_str refs, bool gone) {
  hm_str *src;
  size_t n = hm_format_json_list(refs, m->a, &src);
  bool note = n > 1 && hm_tree_line_path(src[0]).n && hm_tree_link_path(src[1]).n;
  hm_str url = n == 1 || note ? hm_model_source_address(m, src[0], gone) : HM_EMPTY;
  if (url.n)
    hm_node_set_url(o, "source_url", url);
  else
    hm_node_set_bool(o, "source_url", false);
}

static int by_ref(const void *x, const void *y) {
  const hm_str *a = x;
  const hm_line_commit *b = y;
  return hm_str_cmp(*a, b->ref);
}

hm_str hm_model_find_commit(const hm_model *m, uint32_t row, hm_str refs) {
  const hm_snapshot *snap = m->v->snap;
  hm_str *places, ref = hm_row_ref(m->a, &snap->rows[row]);
  if (!snap->n_commits || hm_model_row_is_gone(m, row))
    return HM_EMPTY;
  const hm_line_commit *c =
      bsearch(&ref, snap->commits, snap->n_commits, sizeof *snap->commits, by_ref);
  bool there = c && hm_format_json_list(refs, m->a, &places) && hm_str_eq(places[0], c->place);
  return there ? c->said : HM_EMPTY;
}

static hm_node *add_source_ref(hm_model *m, hm_node *refs, hm_str source, bool gone, bool first) {
  hm_node *ref = hm_model_add_item(m, refs);
  hm_str url = hm_model_source_address(m, source, gone);
  hm_model_set_text(m, ref, "label", hm_link_label(m->a, source, 200));
  if (url.n)
    hm_node_set_url(ref, "url", url);
  else
    hm_node_set_bool(ref, "url", false);
  hm_model_set_text(m, ref, "note", HM_EMPTY);
  hm_model_set_raw(m, ref, "sep", first ? HM_STR(" ") : HM_STR("; "));
  return ref;
}

/* "mass, finish": the properties that the row has by this source. */
static hm_str fields_given(hm_model *m, const hm_evidence *e) {
  static const char prefix[] = "properties.";
  hm_buf b = { 0 };
  for (size_t i = 0; i < e->n_fields && !e->gone; i++) {
    const hm_said_value *f = &e->fields[i];
    if (!f->value.n || f->over || !hm_str_starts(f->field, prefix))
      continue;
    hm_str name = hm_str_sub(f->field, sizeof prefix - 1, f->field.n);
    if (hm_view_prop_hidden(m->v, name, m->a))
      continue;
    if (b.n)
      hm_buf_c(&b, ", ");
    hm_buf_str(&b, hm_format_field_name(m->a, name));
  }
  return hm_shorten(m->a, hm_buf_take(&b, m->a), 200);
}

static hm_str *sources_given(hm_model *m, const hm_evidence *e, size_t *n) {
  hm_str *src;
  *n = hm_format_json_list(e->detail.source_refs, m->a, &src);
  if (*n)
    return src;
  *n = 1;
  src = hm_alloc(m->a, sizeof *src);
  *src = e->source;
  return src;
}

/* Of an entity of which several sources give fields: each with those. False: it is none. */
static bool add_sources_of_fields(hm_model *m, hm_node *lines, uint32_t row) {
  size_t n, n_src, giving = 0;
  const hm_evidence *e = hm_snapshot_evidence(m->v->snap, row, &n);
  if (!e || n < 2 || m->v->snap->rows[row].layer != HM_ENTITY)
    return false;
  for (size_t i = 0; i < n; i++)
    giving += fields_given(m, &e[i]).n > 0;
  if (giving < 2)
    return false;
  hm_node *refs = hm_node_set_list(hm_model_add_line(m, lines, "Sources"), "refs");
  bool first = true;
  for (size_t i = 0; i < n; i++) {
    hm_str fields = fields_given(m, &e[i]), *src = sources_given(m, &e[i], &n_src);
    for (size_t k = 0; fields.n && k < n_src && k < HM_REFS; k++, first = false) {
      hm_node *ref = add_source_ref(m, refs, src[k], false, first);
      if (k + 1 == n_src || k + 1 == HM_REFS)
        hm_model_set_text(m, ref, "note", fields);
    }
  }
  return true;
}

void hm_model_add_source_line(hm_model *m, hm_node *lines, uint32_t row) {
  const hm_row_detail *d = hm_view_detail(m->v, row);
  hm_str *src;
  size_t n = d ? hm_format_json_list(d->source_refs, m->a, &src) : 0;
  if (n == 0 || add_sources_of_fields(m, lines, row))
    return;
  hm_node *line = hm_model_add_line(m, lines, n == 1 ? "Source" : "Sources"),
          *refs = hm_node_set_list(line, "refs");
  for (size_t i = 0; i < n && i < HM_REFS * 2; i++)
    add_source_ref(m, refs, src[i], hm_model_row_is_gone(m, row), i == 0);
}

hm_str hm_model_format_sources(hm_model *m, uint32_t row) {
  const hm_row_detail *d = hm_view_detail(m->v, row);
  return d ? hm_model_format_refs(m, d->source_refs) : HM_EMPTY;
}

static void detail_lines(hm_model *m, hm_node *lines, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  const hm_row_detail *d = hm_view_detail(m->v, row);
  if (!d)
    return;
  const struct {
    const char *name;
    hm_str text;
  } plain[] = { { "Confidence", d->confidence }, { "Importance", d->importance },
                { "Polarity", d->polarity },     { "Scope", r->scope },
                { "Agent", r->agent },           { "Via", d->via } };
  for (size_t i = 0; i < HM_COUNT(plain); i++)
    hm_model_add_text_line(m, lines, plain[i].name, plain[i].text);
  hm_str *tag;
  size_t n = hm_format_json_list(r->tags, m->a, &tag);
  hm_buf b = { 0 };
  for (size_t i = 0; i < n && i < HM_REFS * 2; i++) {
    if (i)
      hm_buf_c(&b, ", ");
    hm_buf_str(&b, hm_shorten(m->a, tag[i], 100));
  }
  hm_model_add_text_line(m, lines, "Tags", hm_buf_copy(&b, m->a));
  hm_buf_free(&b);
  if (d->hand_authored)
    hm_model_add_text_line(m, lines, "Written by hand", HM_STR("yes"));
}

static void time_lines(hm_model *m, hm_node *lines, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  const hm_row_detail *d = hm_view_detail(m->v, row);
  if (hm_str_trim(r->valid_from).n || hm_str_trim(r->valid_until).n)
    hm_model_set_period(m, hm_model_add_line(m, lines, "Valid"), "period", r);
  /* Names, types and ends that were others; a value and a period tell it beside themselves. */
  hm_model_add_text_line(m, lines, "Changed", hm_model_format_past_names(m, row));
  if (r->layer != HM_MEMORY) /* which begins with it */
    hm_model_add_date_line(m, lines, "Recorded", r->created_at);
  hm_str updated = r->layer == HM_MEMORY ? r->updated_at : hm_row_text_date(m->v->snap, row);
  if (d && !hm_str_eq(updated, r->created_at))
    hm_model_add_date_line(m, lines, "Updated", updated);
  if (d)
    hm_model_add_date_line(m, lines, "Superseded on", d->superseded_at);
}

/* Links the entity or state that a memory graduated to. */
static void graduated_line(hm_model *m, hm_node *lines, uint32_t row) {
  hm_str graduated_to = m->v->snap->rows[row].graduated_to;
  if (graduated_to.n == 0)
    return;
  uint32_t to = hm_snapshot_named(m->v->snap, row, HM_NAMES_GRADUATED_TO);
  if (to == HM_NONE) {
    hm_model_add_text_line(m, lines, "Graduated to", hm_shorten(m->a, graduated_to, 200));
    return;
  }
  hm_node *line = hm_model_add_line(m, lines, "Graduated to"),
          *ref = hm_model_add_item(m, hm_node_set_list(line, "refs"));
  hm_model_set_row_link_fields(m, ref, to);
  ref_plain(m, ref);
}

static void row_lines(hm_model *m, hm_node *o, uint32_t row, bool edges) {
  const hm_row *r = &m->v->snap->rows[row];
  hm_node *lines = hm_node_set_list(o, "lines");
  if (r->status != HM_ACTIVE)
    hm_model_add_text_line(m, lines, "Status", hm_view_status_text(m->v, row, m->a));
  hm_model_add_standing_lines(m, lines, row, edges);
  if (r->layer == HM_ENTITY || r->layer == HM_RELATION)
    hm_model_add_field_lines(m, lines, row);
  if (r->layer == HM_MEMORY && !hm_str_is(r->slot_rule, "="))
    hm_model_add_text_line(m, lines, "Slot rule", hm_shorten(m->a, r->slot_rule, 200));
  if (r->layer == HM_RELATION)
    hm_model_add_past_conflict_lines(m, lines, row);
  hm_model_add_earlier_values_line(m, lines, row);
  hm_model_add_supersession_lines(m, lines, row);
  hm_model_add_overtaken_lines(m, lines, row);
  graduated_line(m, lines, row);
  if (edges)
    edge_lines(m, lines, row);
  detail_lines(m, lines, row);
  hm_model_add_source_line(m, lines, row);
  time_lines(m, lines, row);
  hm_model_add_text_line(m, lines, "Id", r->id);
}

void hm_model_set_row_lines(hm_model *m, hm_node *o, uint32_t row) { row_lines(m, o, row, true); }
void hm_model_set_own_lines(hm_model *m, hm_node *o, uint32_t row) { row_lines(m, o, row, false); }

hm_node *hm_model_add_row_item(hm_model *m, hm_node *list, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  hm_node *item = hm_model_add_item(m, list);
  hm_node_set_row(item, hm_ref_text(m->a, r->layer, hm_shorten(m->a, r->id, 80)));
  hm_model_set_raw(m, item, "anchor", hm_view_anchor(m->v, row, m->a));
  hm_model_set_row_link_fields(m, item, row);
  hm_model_set_text(m, item, "status", hm_view_status_text(m->v, row, m->a));
  hm_model_set_claim_kind(m, item, row);
  return item;
}
