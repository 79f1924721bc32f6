#include "gen/history/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "gen/history/inline.h"

typedef struct { hm_block *v; size_t n, cap; } blocks;
typedef enum { OUTSIDE, BELOW_HEADING, BELOW_ITEM } place;

hm_str hm_project_folder(hm_str path) {
  if (!hm_str_starts(path, "projects/")) return HM_EMPTY;
  hm_str rest = hm_str_sub(path, 9, path.n);
  ptrdiff_t slash = hm_str_find(rest, "/");
  return slash < 0 ? HM_EMPTY : hm_str_sub(rest, 0, (size_t)slash);
}

/* A name, or the name of one of the pages that its list is cut into. */
static bool is_named(hm_str file, const char *name) {
  hm_str rest = hm_str_sub(file, strlen(name), file.n);
  return hm_str_starts(file, name) && (hm_str_is(rest, ".md") || hm_str_starts(rest, "-"));
}

bool hm_is_list_page(hm_str path) {
  hm_str folder = hm_project_folder(path);
  if (!folder.n || !hm_str_ends(path, ".md")) return false;
  hm_str file = hm_str_sub(path, 9 + folder.n + 1, path.n);
  if (hm_str_starts(file, "entities/") || hm_str_starts(file, "memories/")) return !hm_str_ends(file, "/README.md");
  return is_named(file, "state") || is_named(file, "relations");
}

/* --- lines ------------------------------------------------------------------ */

static const struct { const char *prefix; hm_layer layer; } layers[] = {
  { "memory-", HM_MEMORY }, { "entity-", HM_ENTITY }, { "state-", HM_STATE }, { "relation-", HM_RELATION } };

/* Takes the anchor that a row's line begins with. */
static bool begin_row(hm_str line, hm_block *b) {
  static const char open[] = "<a id=\"", close[] = "\"></a>";
  size_t at = 0;
  while (at < line.n && memchr(" #|-*+", line.p[at], 6)) at++;
  hm_str rest = hm_str_sub(line, at, line.n);
  if (at == 0 || !hm_str_starts(rest, open)) return false;
  rest = hm_str_sub(rest, sizeof open - 1, rest.n);
  ptrdiff_t end = hm_str_find(rest, close);
  if (end < 0) return false;
  b->anchor = hm_str_sub(rest, 0, (size_t)end);
  b->head = hm_str_trim(hm_str_sub(rest, (size_t)end + sizeof close - 1, rest.n));
  for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
    if (hm_str_starts(b->anchor, layers[i].prefix)) {
      b->layer = layers[i].layer;
      return true;
    }
  return false;
}

static hm_block *add(blocks *l, hm_block b) {
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 64;
    l->v = hm_xrealloc(l->v, l->cap * sizeof *l->v);
  }
  l->v[l->n] = b;
  return &l->v[l->n++];
}

static hm_str next_line(hm_str md, size_t *at) {
  const char *nl = memchr(md.p + *at, '\n', md.n - *at);
  size_t end = nl ? (size_t)(nl - md.p) : md.n;
  hm_str line = hm_str_sub(md, *at, end);
  *at = end + 1;
  if (hm_str_ends(line, "\r")) line.n--;
  return line;
}

static void extend(hm_block *b, hm_str line) {
  if (!b->lines.n) b->lines = line;
  else b->lines.n = (size_t)(line.p + line.n - b->lines.p);
}

/* Whether a line that begins no row belongs to the row above it. */
static bool belongs(place p, hm_str line) {
  if (p == BELOW_HEADING) return !line.n || line.p[0] == '-' || line.p[0] == ' ';
  return p == BELOW_ITEM && line.n && line.p[0] == ' ';
}

/* --- pages ------------------------------------------------------------------ */

typedef struct {
  blocks l;
  place place;
  hm_block next;      /* what a row that begins now has from what stands above it */
} reading;

static void begin(reading *r, hm_str line, hm_block b) {
  bool cells = line.p[0] == '|';
  if (cells) b.head = line;
  else b.columns = HM_EMPTY;
  add(&r->l, b);
  r->place = line.p[0] == '#' ? BELOW_HEADING : cells ? OUTSIDE : BELOW_ITEM;
}

/* A page that is part of a list links to it: "decision-a-c.md" to "decision.md". */
static void find_list(reading *r, hm_str line) {
  hm_inline_link link;
  ptrdiff_t at = hm_inline_find(line, 0, "[");
  if (at < 0 || !hm_inline_link_at(line, (size_t)at, &link) || !hm_str_ends(link.url, ".md")) return;
  hm_str stem = hm_str_sub(link.url, 0, link.url.n - 3), rest = hm_str_sub(r->next.list, stem.n, r->next.list.n);
  if (stem.n && r->next.list.n > stem.n && memcmp(stem.p, r->next.list.p, stem.n) == 0 && rest.p[0] == '-') {
    r->next.list = stem;
    r->next.title = link.label;
  }
}

static void between(reading *r, hm_str line) {
  r->place = OUTSIDE;
  if (hm_str_starts(line, "# ")) r->next.title = hm_str_trim(hm_str_sub(line, 2, line.n));
  if (hm_str_starts(line, "## ")) r->next.section = hm_str_trim(hm_str_sub(line, 3, line.n));
  if (hm_str_starts(line, "|") && !r->next.columns.n) r->next.columns = line;
  if (!line.n) r->next.columns = HM_EMPTY;
  if (r->l.n == 0) find_list(r, line);
}

static hm_str stem_of(hm_str path) {
  size_t from = path.n;
  while (from && path.p[from - 1] != '/') from--;
  return hm_str_sub(path, from, path.n - 3);
}

size_t hm_blocks_of(hm_str path, hm_str md, hm_arena *a, hm_block **out) {
  reading r = { .next = { .section = HM_EMPTY, .columns = HM_EMPTY, .lines = HM_EMPTY, .folder = hm_project_folder(path),
                          .list = stem_of(path), .title = HM_EMPTY } };
  for (size_t at = 0; at < md.n;) {
    hm_str line = next_line(md, &at);
    hm_block b = r.next;
    if (hm_str_is(line, "---")) r.place = OUTSIDE;   /* the page's end */
    else if (begin_row(line, &b)) begin(&r, line, b);
    else if (r.place == OUTSIDE || !belongs(r.place, line)) between(&r, line);
    else if (line.n) extend(&r.l.v[r.l.n - 1], line);
  }
  *out = hm_alloc_array(a, r.l.n + 1, sizeof **out);
  if (r.l.n) memcpy(*out, r.l.v, r.l.n * sizeof **out);
  free(r.l.v);
  return r.l.n;
}

bool hm_block_same(const hm_block *a, const hm_block *b) {
  return hm_str_eq(a->head, b->head) && hm_str_eq(a->lines, b->lines) && hm_str_eq(a->section, b->section) &&
         hm_str_eq(a->columns, b->columns) && hm_str_eq(a->folder, b->folder) && hm_str_eq(a->list, b->list) &&
         hm_str_eq(a->title, b->title);
}
