/* Links of a document to a heading that it does not have: "[Setup](#set-up)". A place is named by
 * the letters and digits of its heading, whatever a git host makes of the rest. Quiet where marks
 * of HTML or a program may make places, and where most links of the document lead nowhere: they
 * follow another rule. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/lacks/lacks_impl.h"

/* The bytes of a sign or a picture at i, as of C2, E2 80 to E2 BF, E3 80 and F0, or of the middle
 * dot of Japanese, of multiplication and division; 0: there is none. */
static size_t sign_at(hm_str s, size_t i) {
  static const char *const more[] = { "\u00D7", "\u00F7", "\u30FB" };
  unsigned char c = (unsigned char)s.p[i], next = i + 1 < s.n ? (unsigned char)s.p[i + 1] : 0;
  hm_str rest = hm_str_sub(s, i, s.n);
  for (size_t k = 0; k < HM_COUNT(more); k++)
    if (hm_str_starts(rest, more[k]))
      return strlen(more[k]);
  if (c == 0xE2 || c == 0xEF || (c == 0xE3 && next == 0x80))
    return 3;
  return c == 0xF0 ? 4 : c == 0xC2 ? 2 : 0;
}

/* Letters and digits alone, small. */
static hm_str squeeze(hm_str s, hm_arena *a) {
  hm_buf b = { 0 };
  hm_str low = hm_text_fold_value(a, s);
  for (size_t i = 0; i < low.n; i++) {
    size_t sign = sign_at(low, i);
    if (sign)
      i += sign - 1;
    else if ((unsigned char)low.p[i] >= 0x80 || hm_is_alnum(low.p[i]))
      hm_buf_ch(&b, low.p[i]);
  }
  return hm_buf_take(&b, a);
}

/* The text of a heading without the words of its pictures, of which no host makes a name. */
static hm_str without_pictures(const hm_doc_part *p, hm_arena *a) {
  hm_buf b = { 0 };
  size_t at = 0;
  for (uint32_t i = 0; i < p->n_spans; i++) {
    const hm_doc_span *s = &p->spans[i];
    if (s->mark != HM_DOC_PICTURE || s->from < at)
      continue;
    hm_buf_str(&b, hm_str_sub(p->text, at, s->from));
    at = s->to;
  }
  hm_buf_str(&b, hm_str_sub(p->text, at, p->text.n));
  return hm_buf_take(&b, a);
}

/* "setup" of "setup-1", which is the second of that name. */
static hm_str without_number(hm_str s) {
  size_t n = s.n;
  while (n && hm_is_digit(s.p[n - 1]))
    n--;
  return n < s.n && n > 1 && s.p[n - 1] == '-' ? hm_str_sub(s, 0, n - 1) : s;
}

static bool makes_places(hm_str text) {
  return note_has_any(text,
                      "<a |<h1|<h2|<h3|<h4|<h5|<h6|id=|name=|{#|{{|{%|[[|--8<--|:::|include|"
                      "import |^^|<!-- toc|.. ");
}

static bool is_link_inside(const hm_doc_span *s) {
  return s->mark == HM_DOC_LINK && hm_str_starts(s->url, "#") && s->url.n > 2;
}

static bool has_links(const hm_document *doc) {
  for (size_t i = 0; i < doc->n; i++)
    for (uint32_t k = 0; k < doc->parts[i].n_spans; k++)
      if (is_link_inside(&doc->parts[i].spans[k]))
        return true;
  return false;
}

/* Adds the place of the link where no heading has its name. Returns whether it leads to one. */
static bool read_link(note_anchors *out, const hm_map *names, uint32_t part, hm_str url,
                      hm_arena *a) {
  hm_str anchor = hm_str_sub(url, 1, url.n);
  hm_str whole = squeeze(anchor, a), first = squeeze(without_number(anchor), a);
  if (!whole.n || hm_map_get(names, whole) != HM_MAP_NONE ||
      hm_map_get(names, first) != HM_MAP_NONE)
    return true;
  out->v = hm_array_grow_in(a, out->v, out->n, &out->cap, sizeof *out->v);
  out->v[out->n++] = (note_anchor){ part, anchor };
  return false;
}

void note_anchors_read(note_anchors *out, const hm_document *doc, hm_str text, hm_arena *a) {
  enum { MOST = 1000 }; /* each part and the title look at all */
  hm_map names;
  size_t there = 0;
  *out = (note_anchors){ .title = HM_DOC_NONE };
  if (doc->n_unread || !has_links(doc) || makes_places(text))
    return;
  hm_map_init(&names, a, 64);
  hm_map_add(&names, HM_STR("top"), 0);
  for (uint32_t i = 0; i < doc->n; i++)
    if (doc->parts[i].kind == HM_DOC_HEADING) {
      hm_map_add(&names, squeeze(without_pictures(&doc->parts[i], a), a), i);
      if (out->title == HM_DOC_NONE)
        out->title = i;
    }
  for (uint32_t i = 0; i < doc->n; i++) {
    const hm_doc_part *p = &doc->parts[i];
    for (uint32_t k = 0; k < p->n_spans && !p->quoted; k++) {
      hm_str url = p->spans[k].url;
      if (is_link_inside(&p->spans[k]) && !memchr(url.p, '%', url.n) &&
          !memchr(url.p, ':', url.n) && !memchr(url.p, '/', url.n))
        there += read_link(out, &names, i, url, a);
    }
  }
  if (there < 2 * out->n || out->n > MOST || out->title == HM_DOC_NONE)
    out->n = 0;
}

void note_anchor_claim(note_claims *link, note_claims *title, hm_str path, const note_anchor *x) {
  hm_str slot = HM_CAT(link->a, path, HM_STR(" place "), x->name);
  note_claims_add(link, slot, HM_STR("linked"), NOTE_SAID);
  note_claims_add(title, slot, HM_STR("no heading has this name"), NOTE_SAID);
}
