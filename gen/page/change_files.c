/* Files of the recorded changes: data/changes.jsonl, an Atom feed (RFC 4287) of all projects and
 * one of each, and the drawing of how many disputes each publication left.
 *
 * Feeds do not use the clock: an entry's time is that of the newest fact that its publication
 * shows, the feed's that of its newest entry, so a publication changes only feeds with an entry of
 * it. An entry's id is a UUID (RFC 9562, version 8) made from its content: an equal entry keeps its
 * id. */
#include <string.h>

#include "core/base/digest.h"
#include "gen/draw/draw.h"
#include "gen/render/escape.h"
#include "model.h"

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

static size_t places_for(size_t n) {
  size_t places = FEWEST_PLACES;
  while (places < n)
    places *= 2;
  return places;
}

static void line_file(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  const hm_changes *c = v->changes;
  int64_t *counts = hm_alloc_array(a, c->n, sizeof *counts);
  size_t from = first_drawn(c), n = c->n - from;
  (void)f;
  for (size_t i = 0; i < n; i++)
    counts[i] = c->v[from + i].disputed;
  hm_draw_column_chart_svg(
      &(hm_draw_column_chart){ .title = HM_STR("Open disputes after each publication"),
                               .desc = HM_STR("The page of changes has the numbers."),
                               .counts = counts,
                               .n = n,
                               .places = places_for(n),
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

static void put_page_link(hm_buf *out, const hm_view *v, hm_str dir, const hm_published *p,
                          hm_arena *a) {
  hm_str base = v->opt.base_url;
  hm_buf_c(out, "<link rel=\"alternate\" type=\"text/html\" href=\"");
  if (base.n) {
    hm_html_escape_url(out, base);
    if (!hm_str_ends(base, "/"))
      hm_buf_ch(out, '/');
    hm_html_escape_url(out, dir);
  }
  hm_buf_c(out, "changes.html");
  if (p) {
    hm_buf_ch(out, '#');
    hm_html_escape_url(out, hm_publication_anchor(a, p));
  }
  hm_buf_c(out, "\"/>");
}

static void put_content(hm_buf *out, const hm_view *v, const hm_published *p,
                        const hm_vproject *project, hm_arena *a) {
  hm_buf html = { 0 };
  hm_buf_c(&html, "<ul>");
  for (size_t i = 0; i < p->n; i++) {
    if (!hm_change_is_of(&p->v[i], project, v))
      continue;
    hm_buf_c(&html, "<li>");
    if (!project && p->v[i].project.n) {
      hm_html_escape(&html, p->v[i].project);
      hm_buf_c(&html, " / ");
    }
    hm_html_escape(&html, p->v[i].subject);
    hm_buf_c(&html, ": ");
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
  hm_buf content = { 0 };
  hm_buf_c(out, "<entry>");
  put_element(out, "title", hm_format_publication_summary(a, v, p, project));
  put_content(&content, v, p, project, a);
  put_id(out, (hm_str[]){ v->opt.title, dir, number, p->at, hm_buf_view(&content) }, 5);
  put_element(out, "updated", time_of(p->at));
  put_page_link(out, v, dir, p, a);
  hm_buf_str(out, hm_buf_view(&content));
  hm_buf_c(out, "</entry>\n");
  hm_buf_free(&content);
}

static void put_feed(hm_buf *out, const hm_view *v, const hm_vproject *project, hm_arena *a) {
  const hm_changes *c = v->changes;
  hm_str dir = project ? project->dir : HM_EMPTY, at = HM_EMPTY;
  for (size_t i = c->n; i-- > 0 && !at.n;)
    if (!project || hm_publication_is_of(v, &c->v[i], project))
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
    if (project && !hm_publication_is_of(v, &c->v[i], project))
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
