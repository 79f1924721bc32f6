/* What a document shows and does not state: struck text, the words that stand for a picture, and
 * what a program prints below the command that calls it:
 *
 *     $ npm start
 *     API_PORT=3000
 *
 * Whoever reads claims finds blanks there. A row has its whole text all the same, of which its id
 * is made. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/notes/notes_impl.h"

static bool is_unsaid(const hm_doc_span *s) {
  return (s->mark == HM_DOC_STRUCK || s->mark == HM_DOC_PICTURE) && s->to > s->from;
}

static bool is_struck(const hm_doc_span *spans, uint32_t n, const hm_doc_span *s) {
  for (uint32_t i = 0; i < n; i++)
    if (spans[i].mark == HM_DOC_STRUCK && spans[i].from <= s->from && s->to <= spans[i].to)
      return true;
  return false;
}

/* Blanks what the text does not say, and takes out marks of what is struck: links, code. Returns
 * the marks that are left; NULL: it says all. */
static hm_doc_span *blank_text(hm_doc_cell *c, hm_arena *a) {
  uint32_t kept = 0, unsaid = 0;
  for (uint32_t i = 0; i < c->n_spans; i++)
    unsaid += is_unsaid(&c->spans[i]);
  if (!unsaid)
    return NULL;
  char *out = hm_alloc_array(a, c->text.n + 1, 1);
  hm_doc_span *v = hm_alloc_array(a, c->n_spans, sizeof *v);
  memcpy(out, c->text.p, c->text.n);
  for (uint32_t i = 0; i < c->n_spans; i++) {
    const hm_doc_span *s = &c->spans[i];
    if (is_unsaid(s))
      memset(out + s->from, ' ', s->to - s->from);
    if (s->mark == HM_DOC_STRUCK || !is_struck(c->spans, c->n_spans, s))
      v[kept++] = *s;
  }
  *c = (hm_doc_cell){ { out, c->text.n }, v, kept };
  return v;
}

static uint32_t within(uint32_t at, size_t from, size_t n) {
  size_t i = at > from ? at - from : 0;
  return (uint32_t)(i < n ? i : n);
}

/* Blanks what the cell does not say, and cuts the blanks off its ends. False: it says all. */
static bool blank_cell(hm_doc_cell *c, hm_arena *a) {
  hm_doc_span *spans = blank_text(c, a);
  if (!spans)
    return false;
  hm_str all = c->text;
  c->text = hm_str_trim(all);
  for (uint32_t i = 0; i < c->n_spans; i++) {
    size_t from = c->text.n ? (size_t)(c->text.p - all.p) : 0;
    spans[i].from = within(spans[i].from, from, c->text.n);
    spans[i].to = within(spans[i].to, from, c->text.n);
  }
  return true;
}

static void blank_cells(hm_doc_part *p, hm_arena *a) {
  hm_doc_cell *cells = hm_alloc_array(a, p->n_cells, sizeof *cells);
  bool any = false;
  hm_str text = HM_EMPTY;
  for (uint32_t i = 0; i < p->n_cells; i++) {
    cells[i] = p->cells[i];
    any |= blank_cell(&cells[i], a);
    text = i ? HM_CAT(a, text, HM_STR(" | "), cells[i].text) : cells[i].text;
  }
  if (!any)
    return;
  p->cells = cells;
  p->text = text;
}

static void blank_part(hm_doc_part *p, hm_arena *a) {
  hm_doc_cell all = { p->text, p->spans, p->n_spans };
  if (!blank_text(&all, a))
    return;
  if (p->label.n) {
    size_t at = (size_t)(p->label.p - p->text.p);
    p->label = hm_str_sub(all.text, at, at + p->label.n);
  }
  p->text = all.text;
  p->spans = all.spans;
  p->n_spans = all.n_spans;
}

static bool is_command(hm_str line) { return hm_str_starts(hm_str_trim(line), "$ "); }

static bool draws(hm_str line) {
  line = hm_str_trim(line);
  return hm_str_find(line, "\xE2\x94") >= 0 || hm_str_starts(line, "|--") ||
      hm_str_starts(line, "`--");
}

/* A line of a block in which "$ " begins commands is a command, goes on with the one before it, or
 * is a comment; others are printed, but for a drawing of folders, which says the same whoever drew
 * it. */
static void blank_output(hm_document *doc, uint32_t first) {
  uint32_t block = doc->parts[first].block, end = first;
  bool commands = false, goes_on = false;
  for (; end < doc->n && doc->parts[end].block == block; end++) {
    commands |= is_command(doc->parts[end].text);
    if (draws(doc->parts[end].text))
      return;
  }
  for (uint32_t i = first; commands && i < end; i++) {
    hm_str line = hm_str_trim(doc->parts[i].text);
    bool said = goes_on || is_command(line) || hm_char_at(line, 0, '#');
    goes_on = said && hm_str_ends(line, "\\");
    if (!said)
      doc->parts[i].text = HM_EMPTY;
  }
}

hm_str *note_unsaid_blank(hm_document *doc, hm_arena *a) {
  hm_str *whole = hm_alloc_array(a, doc->n, sizeof *whole);
  for (uint32_t i = 0; i < doc->n; i++)
    whole[i] = doc->parts[i].text;
  for (uint32_t i = 0; i < doc->n; i++) {
    hm_doc_part *p = &doc->parts[i];
    if (p->kind == HM_DOC_CODE && (!i || p[-1].block != p->block))
      blank_output(doc, i);
    if (p->kind == HM_DOC_HEADING) /* what stands below it is known by its words */
      continue;
    if (p->n_cells)
      blank_cells(p, a);
    else
      blank_part(p, a);
  }
  return whole;
}
