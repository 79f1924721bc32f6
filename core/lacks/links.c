/* Where the links of a part lead: "[[Setup#Ports|the ports]]", "[ports](../setup.md#ports)". Only
 * notes that were read with it count. Cost: links times files. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/lacks/lacks_impl.h"

typedef struct {
  const hm_tree *tree;
  hm_str own; /* the path of the document */
  hm_str *out;
  size_t n;
  hm_arena *a;
} links;

/* "ports-and-hosts" of "Ports & hosts", as git hosts name the places of headings. */
static hm_str anchor_of(hm_str heading, hm_arena *a) {
  hm_str low = hm_text_fold_value(a, hm_str_trim(heading));
  hm_buf b = { 0 };
  for (size_t i = 0; i < low.n; i++) {
    char c = low.p[i];
    if (hm_is_alnum(c) || c == '-' || c == '_' || (unsigned char)c >= 0x80)
      hm_buf_ch(&b, c);
    else if (c == ' ')
      hm_buf_ch(&b, '-');
  }
  return hm_buf_take(&b, a);
}

static void add(links *l, hm_str source, hm_str anchor) {
  hm_str ref = anchor.n ? HM_CAT(l->a, source, HM_STR("#"), anchor) : source;
  if (l->n == NOTE_LINKS_MAX || (hm_str_eq(source, l->own) && !anchor.n))
    return;
  for (size_t i = 0; i < l->n; i++)
    if (hm_str_eq(l->out[i], ref))
      return;
  l->out[l->n++] = ref;
}

static bool is_note(const hm_tree_file *f) { return f->kind == HM_TREE_NOTES; }

/* The only note whose path ends with these words, without its suffix; letters of any case. */
static const hm_tree_file *find_named(const links *l, hm_str name) {
  const hm_tree_file *found = NULL;
  hm_str want = note_lower(name, l->a);
  if (hm_str_ends(want, ".md"))
    want.n -= 3;
  for (size_t i = 0; i < l->tree->n_files && want.n; i++) {
    const hm_tree_file *f = &l->tree->files[i];
    hm_str s = f->source;
    if (!is_note(f) || !hm_str_ends(s, ".md") || s.n < want.n + 3)
      continue;
    size_t at = s.n - 3 - want.n;
    bool same = (!at || s.p[at - 1] == '/') &&
        hm_str_eq(note_lower(hm_str_sub(s, at, s.n - 3), l->a), want);
    if (same && found)
      return NULL;
    if (same)
      found = f;
  }
  return found;
}

/* "[[NAME#HEADING|WORDS]]". */
static void read_wiki_links(links *l, hm_str text) {
  for (size_t i = 0; i + 4 < text.n; i++) {
    if (text.p[i] != '[' || text.p[i + 1] != '[')
      continue;
    ptrdiff_t end = hm_str_find(hm_str_sub(text, i, text.n), "]]");
    if (end < 0)
      return;
    hm_str name = hm_str_sub(text, i + 2, i + (size_t)end), heading = HM_EMPTY;
    i += (size_t)end + 1;
    const char *bar = name.n ? memchr(name.p, '|', name.n) : NULL;
    if (bar)
      name = hm_str_sub(name, 0, (size_t)(bar - name.p));
    while (name.n && name.p[name.n - 1] == '\\') /* before a bar in a table */
      name.n--;
    const char *hash = name.n ? memchr(name.p, '#', name.n) : NULL;
    if (hash) {
      heading = hm_str_sub(name, (size_t)(hash - name.p) + 1, name.n);
      name = hm_str_sub(name, 0, (size_t)(hash - name.p));
    }
    name = hm_str_trim(name);
    const hm_tree_file *f = name.n ? find_named(l, name) : NULL;
    hm_str source = f ? f->source : name.n ? HM_EMPTY : l->own;
    if (source.n && (name.n || heading.n))
      add(l, source, anchor_of(heading, l->a));
  }
}

static void read_spans(links *l, const hm_doc_span *spans, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    hm_str url = spans[i].url, anchor = HM_EMPTY;
    const char *hash = url.n ? memchr(url.p, '#', url.n) : NULL;
    if (spans[i].mark != HM_DOC_LINK || !url.n || hm_str_find(url, ":") >= 0 || url.p[0] == '/')
      continue;
    if (hash) {
      anchor = hm_str_sub(url, (size_t)(hash - url.p) + 1, url.n);
      url = hm_str_sub(url, 0, (size_t)(hash - url.p));
    }
    hm_str source = l->own;
    if (url.n && !note_path_resolve(hm_tree_folder(l->own), url, &source, l->a))
      continue;
    const hm_tree_file *f = hm_tree_find(l->tree, source);
    if (f && is_note(f))
      add(l, source, anchor_of(anchor, l->a));
  }
}

size_t note_links_read(const hm_tree *t, hm_str path, const hm_doc_part *p, hm_str *out,
                       hm_arena *a) {
  links l = { .tree = t, .own = path, .out = out, .a = a };
  if (!t || p->kind == HM_DOC_CODE)
    return 0;
  read_wiki_links(&l, p->text);
  read_spans(&l, p->spans, p->n_spans);
  for (uint32_t i = 0; i < p->n_cells; i++)
    read_spans(&l, p->cells[i].spans, p->cells[i].n_spans);
  return l.n;
}
