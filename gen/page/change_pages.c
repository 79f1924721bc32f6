/* What the last publications opened, settled and changed: a page of all projects, one a project,
 * the lines of it on the front page and the overviews; and its files: data/changes.jsonl, an Atom
 * feed (RFC 4287) of all projects and one of each, and the drawing of how many disputes each
 * publication left.
 *
 * A page begins with the newest publication and ends where it would be too long. Cost: linear in
 * the recorded changes.
 *
 * Feeds do not use the clock: an entry's time is that of the newest fact that its publication
 * shows, the feed's that of its newest entry, so a publication changes only feeds with an entry of
 * it. An entry's id is a UUID (RFC 9562, version 8) made from its content: an equal entry keeps its
 * id. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "gen/draw/draw.h"
#include "core/markdown/escape.h"
#include "model.h"

enum {
  TEXT_BYTES = 400,
  SUBJECT_BYTES = 120,
  SIDES = 20,
  FRONT_CHANGES = 10,
  OVERVIEW_CHANGES = 5,
  PAGE_BYTES = 80 << 10
};

/* --- counting -------------------------------------------------------------------------- */

typedef struct {
  int64_t n[HM_CHANGE_SORTS], more, left_out; /* left_out: only counted of all projects */
} change_counts;

static bool is_of(hm_str project, const hm_vproject *p, const hm_view *v) {
  return !p || hm_str_eq(project, v->snap->projects[p->snap].id);
}

static change_counts count_changes(const hm_view *v, const hm_published *p,
                                   const hm_vproject *project) {
  change_counts c = { .left_out = project ? 0 : p->left_out };
  for (size_t i = 0; i < p->n; i++)
    c.n[hm_classify_change(p->v[i].event)] += is_of(p->v[i].project, project, v);
  for (size_t i = 0; i < p->n_more; i++)
    if (is_of(p->more[i].project, project, v))
      c.more += p->more[i].changes;
  return c;
}

/* "2 disputes opened, 3 changes of facts"; of the first publication that it is the first. */
static hm_str count_words(hm_arena *a, const hm_published *p, const change_counts *c) {
  static const char *const one[] = { "dispute opened", "dispute has other sides",
                                     "dispute settled or quiet", "change of a fact" },
                           *const many[] = { "disputes opened", "disputes have other sides",
                                             "disputes settled or quiet", "changes of facts" };
  hm_buf b = { 0 };
  if (p->first)
    return HM_STR("First publication");
  for (int s = 0; s < HM_CHANGE_SORTS; s++) {
    int64_t n = c->n[s] + (s == HM_CHANGE_FACT ? c->more : 0);
    if (!n)
      continue;
    hm_buf_c(&b, b.n ? ", " : "");
    hm_buf_str(&b, hm_format_count_phrase(a, (uint64_t)n, one[s], many[s]));
  }
  if (c->left_out) {
    hm_buf_c(&b, b.n ? ", " : "");
    hm_buf_str(&b,
               hm_format_count_phrase(a, (uint64_t)c->left_out, "fact left out", "facts left out"));
  }
  return b.n ? hm_buf_take(&b, a) : HM_STR("No fact changed");
}

/* --- what the last publications changed (change_pages.c, change_files.c) --- */
static bool publication_is_of(const hm_view *v, const hm_published *p, const hm_vproject *project) {
  change_counts n = count_changes(v, p, project);
  int64_t all = n.more + n.left_out;
  for (int s = 0; s < HM_CHANGE_SORTS; s++)
    all += n.n[s];
  return all > 0;
}

/* The day in words, or that no fact has a date. */
static hm_str day_of(hm_arena *a, hm_str at) {
  hm_str day = hm_clean_text(a, hm_str_sub(at, 0, 10));
  return day.n ? hm_format_date(a, day) : HM_STR("Undated");
}

/* The name of its heading on the page of changes: "2-apr-2026-publication-3". */
static hm_str publication_anchor(hm_arena *a, const hm_published *p) {
  hm_str words =
      hm_str_fmt(a, "%.*s-publication-%lld", HM_FMT(day_of(a, p->at)), (long long)p->number);
  char *z = hm_str_z(a, words);
  for (size_t i = 0; i < words.n; i++)
    z[i] = z[i] == ' ' ? '-' : hm_ascii_lower(z[i]);
  return (hm_str){ z, words.n };
}

/* --- one change -------------------------------------------------------------------------- */

static void put_link(hm_model *m, hm_node *item, const hm_change_line *c, hm_str label) {
  const hm_view *v = m->v;
  uint32_t at = c->conflict.n ? hm_map_get(&v->conflict_at, c->conflict) : HM_NONE,
           row = c->n_rows == 1 ? hm_snapshot_ref(v->snap, HM_ENTITY, c->rows[0]) : HM_NONE;
  hm_str anchor = HM_EMPTY, home = HM_EMPTY;
  if (at != HM_NONE)
    home = v->conflicts[at].path;
  else if (row != HM_NONE && !v->hidden[row] && hm_view_listed(v, row))
    home = hm_view_find_row_page(v, row, m->a, &anchor);
  hm_model_set_text(m, item, "label", label);
  if (home.n)
    hm_model_set_url(m, item, "url", home, anchor);
  else
    hm_node_set_bool(item, "url", false);
}

/* text without " (part)", which the link beside it says. */
static hm_str without(hm_arena *a, hm_str text, hm_str part) {
  hm_str said = hm_str_fmt(a, " (%.*s)", HM_FMT(part));
  ptrdiff_t at = part.n ? hm_str_find(text, said.p) : -1;
  if (at < 0)
    return text;
  return HM_CAT(a, hm_str_sub(text, 0, (size_t)at), hm_str_sub(text, (size_t)at + said.n, text.n));
}

/* Without the ids that links have: of its conflict, and of the rows in it. */
static hm_str without_ids(hm_arena *a, const hm_change_line *c) {
  hm_str text = without(a, c->text, c->conflict);
  if (!c->conflict.n)
    return c->n_rows ? without(a, text, c->rows[0]) : text;
  for (size_t i = 0; i < c->n_rows && i < SIDES; i++)
    text = without(a, text, c->rows[i]);
  return text;
}

static bool is_instant(hm_str s) {
  static const char like[] = "0000-00-00T00:00:00Z";
  for (size_t i = 0; like[i]; i++)
    if (i >= s.n || (like[i] == '0' ? s.p[i] < '0' || s.p[i] > '9' : s.p[i] != like[i]))
      return false;
  return true;
}

/* A verdict's "by kim on 2026-05-03T09:00:00Z" with the day in words. */
static hm_str with_day(hm_arena *a, hm_str text) {
  enum { DAY = 10, INSTANT = 20 };
  static const char on[] = " on ";
  for (size_t from = 0;;) {
    ptrdiff_t found = hm_str_find(hm_str_sub(text, from, text.n), on);
    if (found < 0)
      return text;
    from += (size_t)found + sizeof on - 1;
    hm_str rest = hm_str_sub(text, from, text.n);
    if (!is_instant(rest))
      continue;
    return HM_CAT(a, hm_str_sub(text, 0, from), hm_format_date(a, hm_str_sub(rest, 0, DAY)),
                  hm_str_sub(rest, INSTANT, rest.n));
  }
}

/* The row that is shown by that name, or HM_NONE. */
static uint32_t row_named(hm_model *m, hm_str ref) {
  uint32_t row = hm_snapshot_ref(m->v->snap, HM_ENTITY, ref);
  return row == HM_NONE || m->v->hidden[row] || !hm_view_listed(m->v, row) ? HM_NONE : row;
}

/* "superseded by relation:r1: ..." with the words of that row. */
static hm_str with_label(hm_model *m, hm_str text) {
  static const char by[] = "superseded by ";
  if (!hm_str_starts(text, by))
    return text;
  hm_str rest = hm_str_sub(text, sizeof by - 1, text.n);
  ptrdiff_t end = hm_str_find(rest, ": ");
  hm_str ref = hm_str_sub(rest, 0, end < 0 ? rest.n : (size_t)end);
  uint32_t row = row_named(m, ref);
  if (row == HM_NONE)
    return text;
  return HM_CAT(m->a, hm_str_c(by), hm_view_row_words(m->v, row, m->a),
                hm_str_sub(rest, ref.n, rest.n));
}

static hm_str words_of(hm_model *m, const hm_change_line *c, hm_str subject) {
  hm_str text = without_ids(m->a, c);
  bool verdict = c->conflict.n && hm_classify_change(c->event) == HM_CHANGE_SETTLED;
  if (verdict)
    return with_day(m->a, text);
  /* what it says ends with what it is called */
  hm_str again = HM_CAT(m->a, HM_STR(": "), subject);
  text = with_label(m, text);
  size_t end = text.n > again.n ? text.n - again.n : 0;
  return hm_str_eq(hm_str_sub(text, end, text.n), again) ? hm_str_sub(text, 0, end) : text;
}

/* A conflict has the name of its page, a relation that of its ends; others keep their text. */
static hm_str subject_of(hm_model *m, const hm_change_line *c) {
  uint32_t at = c->conflict.n ? hm_map_get(&m->v->conflict_at, c->conflict) : HM_NONE,
           row = !c->conflict.n && c->n_rows == 1 ? row_named(m, c->rows[0]) : HM_NONE;
  if (at != HM_NONE && m->v->conflicts[at].words.n)
    return m->v->conflicts[at].words;
  if (row != HM_NONE && m->v->snap->rows[row].layer == HM_RELATION)
    return hm_view_row_words(m->v, row, m->a);
  return c->subject.n ? c->subject : HM_STR("?");
}

static void put_change(hm_model *m, hm_node *list, const hm_change_line *c, bool with_project) {
  hm_node *item = hm_model_add_item(m, list);
  bool known;
  uint32_t p = hm_view_project(m->v, c->project, &known);
  hm_str called = subject_of(m, c), subject = hm_link_label(m->a, called, SUBJECT_BYTES),
         project = p != HM_NONE ? m->v->projects[p].label : c->project;
  if (with_project && project.n)
    subject = hm_str_fmt(m->a, "%.*s: %.*s", HM_FMT(hm_link_label(m->a, project, SUBJECT_BYTES)),
                         HM_FMT(subject));
  put_link(m, item, c, subject);
  hm_model_set_short(m, item, "text", words_of(m, c, called), TEXT_BYTES);
}

typedef struct {
  const hm_change_line *c;
  hm_str subject;
  size_t run;
} told_change;

static int by_subject(const void *x, const void *y) {
  const told_change *a = x, *b = y;
  if (a->run != b->run)
    return a->run < b->run ? -1 : 1;
  int d = hm_str_natural_cmp(a->subject, b->subject);
  return d ? d : (a->c > b->c) - (a->c < b->c);
}

/* Up to `most` of them: those of one sort, or (HM_CHANGE_SORTS) of all. They stand as they were
 * recorded; those of one project and sort that follow one another, in natural order of what they
 * are called ("lamp 2" before "lamp 10"). Returns how many are left out. */
static size_t put_changes(hm_model *m, hm_node *list, const hm_published *p, hm_change_sort sort,
                          const hm_vproject *project, size_t most) {
  told_change *all = hm_alloc_array(m->a, p->n + 1, sizeof *all);
  size_t n = 0, run = 0;
  for (size_t i = 0; i < p->n; i++) {
    const hm_change_line *c = &p->v[i], *before = n ? all[n - 1].c : c;
    hm_change_sort is = hm_classify_change(c->event);
    if (sort != HM_CHANGE_SORTS && is != sort)
      continue;
    if (!is_of(c->project, project, m->v))
      continue;
    run += !hm_str_eq(before->project, c->project) || hm_classify_change(before->event) != is;
    all[n++] = (told_change){ c, subject_of(m, c), run };
  }
  if (n)
    qsort(all, n, sizeof *all, by_subject);
  for (size_t i = 0; i < n && i < most; i++)
    put_change(m, list, all[i].c, !project);
  return n > most ? n - most : 0;
}

static void put_more(hm_model *m, hm_node *item, const hm_published *p,
                     const hm_vproject *project) {
  hm_node *list = hm_node_set_list(item, "more");
  bool any = false;
  for (size_t i = 0; i < p->n_more; i++) {
    const hm_more_changes *x = &p->more[i];
    bool known;
    uint32_t at = hm_view_project(m->v, x->project, &known);
    if (!is_of(x->project, project, m->v))
      continue;
    hm_node *o = hm_model_add_item(m, list);
    const hm_vproject *of = at != HM_NONE ? &m->v->projects[at] : NULL;
    hm_str label = of ? of->label : x->project;
    any = true;
    hm_model_set_text(m, o, "label", hm_link_label(m->a, label, SUBJECT_BYTES));
    hm_model_set_url(m, o, "url", of ? HM_CAT(m->a, of->dir, HM_STR("README.md")) : HM_EMPTY,
                     HM_EMPTY);
    hm_model_set_raw(
        m, o, "count_text",
        hm_format_count_phrase(m->a, (uint64_t)x->changes, "more change", "more changes"));
  }
  hm_node_set_bool(item, "has_more", any);
}

/* --- pages ------------------------------------------------------------------------------- */

static void put_publication(hm_model *m, hm_node *list, const hm_published *p,
                            const hm_vproject *project) {
  static const struct {
    const char *words, *id;
  } titles[] = { { "Disputes opened", "opened" },
                 { "Disputes with other sides", "other-sides" },
                 { "Disputes settled or quiet", "settled" },
                 { "Facts", "facts" } };
  change_counts counts = count_changes(m->v, p, project);
  hm_node *item = hm_model_add_item(m, list), *sorts = hm_node_set_list(item, "sorts");
  hm_model_set_text(m, item, "day", day_of(m->a, p->at));
  hm_node_set_int(item, "number", p->number);
  hm_model_set_raw(m, item, "counts", count_words(m->a, p, &counts));
  hm_node_set_bool(item, "disputed", false);
  if (!project)
    hm_model_set_count(m, hm_node_set_obj(item, "disputed"), "n", p->disputed);
  for (hm_change_sort s = HM_CHANGE_OPENED; s < HM_CHANGE_SORTS; s++) {
    if (!counts.n[s])
      continue;
    hm_node *o = hm_model_add_item(m, sorts);
    hm_model_set_raw(m, o, "title", hm_str_c(titles[s].words));
    hm_model_set_raw(m, o, "anchor",
                     hm_str_fmt(m->a, "%s-%lld", titles[s].id, (long long)p->number));
    put_changes(m, hm_node_set_list(o, "changes"), p, s, project, HM_CHANGES_LISTED);
  }
  put_more(m, item, p, project);
}

/* "line": the chart of the open disputes, on pages about all projects, once it has two columns. */
static void put_line(hm_model *m, hm_node *o, const hm_changes *c, const hm_vproject *project) {
  hm_node_set_bool(o, "line", false);
  if (project || c->n < 2)
    return;
  hm_node *line = hm_node_set_obj(o, "line");
  hm_model_set_url(m, line, "image", HM_STR("changes.svg"), HM_EMPTY);
  hm_model_set_drawing_size(m, line, (hm_draw_size){ .h = hm_draw_column_chart_height() });
}

void hm_page_changes(hm_model *m, hm_node *top) {
  const hm_changes *c = m->v->changes;
  const hm_vproject *project = m->p->project == HM_NONE ? NULL : &m->v->projects[m->p->project];
  hm_str title =
      project ? hm_str_fmt(m->a, "Changes: %.*s", HM_FMT(project->label)) : HM_STR("Changes");
  hm_model_set_heading(m, top, title, HM_STR("What each publication opened, settled and changed"));
  hm_node *list = hm_node_set_list(top, "publications");
  bool more = false;
  for (size_t i = c->n; i-- > 0 && !more;) {
    if (project && !publication_is_of(m->v, &c->v[i], project))
      continue;
    more = hm_model_is_full(m, PAGE_BYTES);
    if (!more)
      put_publication(m, list, &c->v[i], project);
  }
  hm_node_set_bool(top, "older", more || (c->n && c->v[0].number > 1));
  hm_model_set_url(m, top, "feed_url",
                   project ? HM_CAT(m->a, project->dir, HM_STR("feed.atom")) : HM_STR("feed.atom"),
                   HM_EMPTY);
  put_line(m, top, c, project);
}

bool hm_project_has_changes(const hm_view *v, uint32_t project) {
  for (size_t i = 0; v->changes && i < v->changes->n; i++)
    if (publication_is_of(v, &v->changes->v[i], &v->projects[project]))
      return true;
  return false;
}

/* --- on other pages -------------------------------------------------------------------------- */

/* The newest publication that changed the project; of all, the newest. */
static const hm_published *newest(const hm_view *v, const hm_vproject *project) {
  const hm_changes *c = v->changes;
  for (size_t i = c ? c->n : 0; i-- > 0;)
    if (!project || publication_is_of(v, &c->v[i], project))
      return &c->v[i];
  return NULL;
}

void hm_model_set_newest_changes(hm_model *m, hm_node *top, uint32_t at) {
  const hm_vproject *project = at == HM_NONE ? NULL : &m->v->projects[at];
  const hm_published *p = newest(m->v, project);
  hm_node_set_bool(top, "changed", false);
  if (!p)
    return;
  hm_node *o = hm_node_set_obj(top, "changed");
  change_counts counts = count_changes(m->v, p, project);
  hm_model_set_text(m, o, "day", day_of(m->a, p->at));
  hm_model_set_raw(m, o, "counts", count_words(m->a, p, &counts));
  hm_model_set_url(
      m, o, "url",
      project ? HM_CAT(m->a, project->dir, HM_STR("changes.md")) : HM_STR("changes.md"), HM_EMPTY);
  size_t left = put_changes(m, hm_node_set_list(o, "changes"), p, HM_CHANGE_SORTS, project,
                            project ? OVERVIEW_CHANGES : FRONT_CHANGES);
  hm_node_set_bool(o, "more", left || counts.more);
  put_line(m, o, m->v->changes, project);
}

enum { ENTRIES = 50 };

/* --- data ---------------------------------------------------------------------------- */

static void changes_file(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  (void)f, (void)a;
  hm_changes_write(v->changes, out);
}

/* --- the drawing --------------------------------------------------------------------- */

enum { BLOCK = 100, FEWEST_PLACES = 25 };

static hm_str name_of(const hm_published *p, hm_arena *a) {
  return p->at.n ? hm_format_date(a, hm_clean_text(a, hm_str_sub(p->at, 0, 10)))
                 : hm_str_fmt(a, "publication %lld", (long long)p->number);
}

/* The first that is drawn: of more than BLOCK a whole block and what came after it, so that a
 * publication moves the columns of others once in BLOCK times. */
static size_t first_drawn(const hm_changes *c) {
  int64_t after = (c->v[c->n - 1].number - 1) / BLOCK * BLOCK - BLOCK;
  size_t i = 0;
  while (c->n > BLOCK && c->v[i].number <= after)
    i++;
  return i;
}

static void line_file(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  const hm_changes *c = v->changes;
  int64_t *counts = hm_alloc_array(a, c->n, sizeof *counts);
  size_t from = first_drawn(c), n = c->n - from;
  (void)f;
  for (size_t i = 0; i < n; i++)
    counts[i] = c->v[from + i].disputed;
  size_t places = FEWEST_PLACES;
  while (places < n)
    places *= 2;
  hm_draw_column_chart_svg(
      &(hm_draw_column_chart){ .title = HM_STR("Open disputes after each publication"),
                               .desc = HM_STR("The page of changes has the numbers."),
                               .counts = counts,
                               .n = n,
                               .places = places,
                               .below = HM_CAT(a, name_of(&c->v[from], a), HM_STR(" to "),
                                               name_of(&c->v[c->n - 1], a)) },
      out);
}

/* --- feeds --------------------------------------------------------------------------- */

static void put_element(hm_buf *out, const char *name, hm_str text) {
  hm_buf_fmt(out, "<%s>", name);
  hm_xml_escape(out, text);
  hm_buf_fmt(out, "</%s>", name);
}

/* "urn:uuid:..." of what these texts say. */
static void put_id(hm_buf *out, const hm_str *texts, size_t n) {
  hm_sha256 h;
  unsigned char d[32];
  char hex[32];
  hm_sha256_init(&h);
  for (size_t i = 0; i < n; i++)
    hm_sha256_field(&h, texts[i]);
  hm_sha256_end(&h, d);
  d[6] = (unsigned char)((d[6] & 0x0f) | 0x80);
  d[8] = (unsigned char)((d[8] & 0x3f) | 0x80);
  hm_hex_encode(d, 16, hex);
  hm_buf_fmt(out, "<id>urn:uuid:%.8s-%.4s-%.4s-%.4s-%.12s</id>", hex, hex + 8, hex + 12, hex + 16,
             hex + 20);
}

/* Atom has no entry without a time. */
static hm_str time_of(hm_str at) { return at.n ? at : HM_STR("1970-01-01T00:00:00Z"); }

/* A link from a feed in this folder to a page, "conflicts/x.md": whole where the site has an
 * address. */
static void put_address(hm_buf *out, const hm_view *v, hm_str dir, hm_str page, hm_str anchor,
                        hm_arena *a) {
  hm_str base = v->opt.base_url, to = page, hash = HM_EMPTY;
  hm_str file = HM_CAT(a, hm_str_sub(page, 0, page.n - 3), HM_STR(".html"));
  if (anchor.n)
    hash = HM_CAT(a, HM_STR("#"), anchor);
  if (base.n)
    to = HM_CAT(a, base, hm_str_ends(base, "/") ? HM_EMPTY : HM_STR("/"), hm_path_as_url(a, file),
                hash);
  else
    to = HM_CAT(a, hm_path_link(a, HM_CAT(a, dir, HM_STR("feed.atom")), file, HM_EMPTY), hash);
  hm_html_escape_url(out, to);
}

static void put_page_link(hm_buf *out, const hm_view *v, hm_str dir, const hm_published *p,
                          hm_arena *a) {
  hm_buf_c(out, "<link rel=\"alternate\" type=\"text/html\" href=\"");
  put_address(out, v, dir, HM_CAT(a, dir, HM_STR("changes.md")),
              p ? publication_anchor(a, p) : HM_EMPTY, a);
  hm_buf_c(out, "\"/>");
}

/* linked: with links to the conflicts that have a page. */
static void put_content(hm_buf *out, const hm_view *v, const hm_published *p,
                        const hm_vproject *project, bool linked, hm_arena *a) {
  hm_str dir = project ? project->dir : HM_EMPTY;
  hm_buf html = { 0 };
  hm_buf_c(&html, "<ul>");
  for (size_t i = 0; i < p->n; i++) {
    if (!is_of(p->v[i].project, project, v))
      continue;
    hm_buf_c(&html, "<li>");
    if (!project && p->v[i].project.n) {
      hm_html_escape(&html, p->v[i].project);
      hm_buf_c(&html, " / ");
    }
    hm_str conflict = p->v[i].conflict;
    uint32_t at = linked && conflict.n ? hm_map_get(&v->conflict_at, conflict) : HM_NONE;
    if (at != HM_NONE) {
      hm_buf_c(&html, "<a href=\"");
      put_address(&html, v, dir, v->conflicts[at].path, HM_EMPTY, a);
      hm_buf_c(&html, "\">");
    }
    hm_html_escape(&html, p->v[i].subject);
    hm_buf_c(&html, at != HM_NONE ? "</a>: " : ": ");
    hm_html_escape(&html, p->v[i].text);
    hm_buf_c(&html, "</li>");
  }
  hm_buf_c(&html, "</ul>");
  hm_buf_c(out, "<content type=\"html\">");
  hm_xml_escape(out, hm_buf_copy(&html, a));
  hm_buf_c(out, "</content>");
  hm_buf_free(&html);
}

/* Writes an entry on a line of its own, so that a new one adds one line. */
static void put_entry(hm_buf *out, const hm_view *v, const hm_published *p,
                      const hm_vproject *project, hm_arena *a) {
  hm_str dir = project ? project->dir : HM_EMPTY,
         number = hm_str_fmt(a, "%lld", (long long)p->number);
  hm_buf said = { 0 };
  change_counts n = count_changes(v, p, project);
  hm_buf_c(out, "<entry>");
  put_element(out, "title", count_words(a, p, &n)); /* "2 disputes opened, 3 changes of facts" */
  put_content(&said, v, p, project, false, a);      /* the id outlives the addresses */
  put_id(out, (hm_str[]){ v->opt.title, dir, number, p->at, hm_buf_view(&said) }, 5);
  put_element(out, "updated", time_of(p->at));
  put_page_link(out, v, dir, p, a);
  put_content(out, v, p, project, true, a);
  hm_buf_c(out, "</entry>\n");
  hm_buf_free(&said);
}

static void put_feed(hm_buf *out, const hm_view *v, const hm_vproject *project, hm_arena *a) {
  const hm_changes *c = v->changes;
  hm_str dir = project ? project->dir : HM_EMPTY, at = HM_EMPTY;
  for (size_t i = c->n; i-- > 0 && !at.n;)
    if (!project || publication_is_of(v, &c->v[i], project))
      at = c->v[i].at;
  hm_buf_c(out,
           "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
           "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
  put_element(out, "title",
              project ? hm_str_fmt(a, "%.*s: %.*s", HM_FMT(v->opt.title), HM_FMT(project->label))
                      : v->opt.title);
  hm_buf_ch(out, '\n');
  put_id(out, (hm_str[]){ v->opt.title, dir }, 2);
  hm_buf_ch(out, '\n');
  put_element(out, "updated", time_of(at));
  hm_buf_c(out, "\n<author><name>hmirror</name></author>\n");
  put_page_link(out, v, dir, NULL, a);
  hm_buf_ch(out, '\n');
  size_t n = 0;
  for (size_t i = c->n; i-- > 0 && n < ENTRIES;) {
    if (project && !publication_is_of(v, &c->v[i], project))
      continue;
    put_entry(out, v, &c->v[i], project, a);
    n++;
  }
  hm_buf_c(out, "</feed>\n");
}

static void feed_file(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  put_feed(out, v, f->index == HM_NONE ? NULL : &v->projects[f->index], a);
}

/* --- all of them ----------------------------------------------------------------------- */

void hm_list_change_files(const hm_view *v, hm_arena *a, hm_pages *out) {
  if (!v->changes)
    return;
  hm_pages_add_file(out, a, HM_STR(HM_CHANGES_PATH), changes_file, 0);
  hm_pages_add_file(out, a, HM_STR("feed.atom"), feed_file, HM_NONE);
  if (v->changes->n > 1)
    hm_pages_add_file(out, a, HM_STR("changes.svg"), line_file, 0);
  for (uint32_t p = 0; p < v->n_projects; p++)
    if (hm_project_has_changes(v, p))
      hm_pages_add_file(out, a, HM_CAT(a, v->projects[p].dir, HM_STR("feed.atom")), feed_file, p);
}
