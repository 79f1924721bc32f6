/* Parses Markdown to a tree with cmark-gfm, within limits of time (md_bounds.c) and memory.
 *
 * Memory. The library's allocator has no context argument, so each thread notes the arena of the
 * page that it parses. Nothing is freed before the arena is reset. */
#include "core/markdown/markdown.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/ascii.h"
#include "core/markdown/md_impl.h"

enum { MAX_MARKDOWN = 16 << 20 };

/* --- memory ---------------------------------------------------------------- */

static _Thread_local hm_arena *page_arena;

/* Stands before each allocation, since realloc is not told the old size; as wide as the widest
 * alignment. */
typedef struct {
  _Alignas(max_align_t) size_t size;
} piece;

static void *page_calloc(size_t n, size_t size) {
  bool fits = !n || size <= SIZE_MAX / 2 / n;
  size_t pieces = fits ? (n * size + sizeof(piece) - 1) / sizeof(piece) + 1 : SIZE_MAX;
  piece *p = hm_alloc_array(page_arena, pieces, sizeof *p); /* overflow ends the process */
  p->size = n * size;
  return p + 1;
}

static void *page_realloc(void *old, size_t size) {
  size_t had = old ? ((piece *)old - 1)->size : 0;
  if (old && had >= size)
    return old;
  void *p = page_calloc(1, size);
  if (had)
    memcpy(p, old, had);
  return p;
}

static void page_free(void *p) { (void)p; }

static cmark_mem page_memory = { page_calloc, page_realloc, page_free };

/* --- parse ------------------------------------------------------------------ */

static cmark_syntax_extension *table, *tasklist, *strikethrough;

static void find_extensions(void) {
  cmark_gfm_core_extensions_ensure_registered();
  table = cmark_find_syntax_extension("table");
  tasklist = cmark_find_syntax_extension("tasklist");
  strikethrough = cmark_find_syntax_extension("strikethrough");
}

static int check_bounds(hm_str md, hm_err *err) {
  hm_md_bounds b = { .markers = 100, .columns = 256 };
  const char *why = md.n > MAX_MARKDOWN ? "its Markdown is over 16 MiB" : NULL;
  for (size_t i = 0; i < md.n && !why; i++) {
    const char *nl = memchr(md.p + i, '\n', md.n - i);
    size_t end = nl ? (size_t)(nl - md.p) : md.n;
    why = hm_md_check_line(&b, hm_str_sub(md, i, end));
    i = end;
  }
  if (!why)
    return 0;
  const char *fix = "change its template, or split its list (list_limit)";
  return hm_fail(err, HM_E_INTERNAL, "page", why, fix);
}

cmark_node *hm_md_tree(hm_str md, hm_arena *a, bool struck) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_extensions);
  page_arena = a;
  cmark_parser *p = cmark_parser_new_with_mem(CMARK_OPT_DEFAULT, &page_memory);
  cmark_parser_attach_syntax_extension(p, table);
  cmark_parser_attach_syntax_extension(p, tasklist);
  if (struck)
    cmark_parser_attach_syntax_extension(p, strikethrough);
  cmark_parser_feed(p, md.n ? md.p : "", md.n);
  return cmark_parser_finish(p);
}

int hm_md_parse(hm_str md, hm_arena *a, cmark_node **root, hm_err *err) {
  if (check_bounds(md, err) != 0)
    return -1;
  *root = hm_md_tree(md, a, false);
  return 0;
}

void hm_md_release(void) { page_arena = NULL; }

hm_str hm_markdown_library_version(hm_arena *a) {
  Dl_info at;
  struct stat st;
  if (!dladdr((void *)(uintptr_t)cmark_parser_finish, &at))
    return HM_EMPTY;
  if (stat(at.dli_fname, &st) != 0)
    return HM_EMPTY;
  char *path = realpath(at.dli_fname, NULL);
  hm_str s = hm_str_fmt(a, "%s %s %lld %lld", cmark_version_string(), path ? path : "",
                        (long long)st.st_size, (long long)st.st_mtim.tv_sec);
  free(path);
  return s;
}

/* --- the markup of our templates besides anchors --------------------------------------------- */

/* Boxes, folded text, times, and which links are markers.
 *
 *   <!-- begin NAME -->   <!-- end NAME -->          a box; a comment, so a git host shows none
 *   <!-- begin markdown -->                          what stands in it is in no HTML
 *   <details>\n<summary>Words</summary>   </details>  folded text, as git hosts have it
 *   <time datetime="...">2 Apr 2026</time>
 *
 * All of it is matched letter by letter: a name of the list below, a summary of letters and plain
 * signs, a time of digits and its signs. Anything else is raw HTML like any other, which becomes
 * text. A fact cannot write it, since its '<' is escaped. Boxes are closed in the order in which
 * they were opened; what closes none is text. A marker's text is "⚠ disputed", a badge's "⚠ 3":
 * no fact has either (hm_link_label). */

static const char *const names[] = { "cards", "case", "do", "sides", "markdown" };

enum { MARKDOWN = HM_COUNT(names) - 1, DETAILS };

/* The number of "<!-- VERB NAME -->", or -1. */
static int box_of(hm_str html, const char *verb) {
  hm_str head = hm_str_c(verb);
  if (html.n < head.n + 4 || !hm_str_starts(html, verb) || !hm_str_ends(html, " -->"))
    return -1;
  hm_str name = hm_str_sub(html, head.n, html.n - 4);
  for (int i = 0; i < (int)HM_COUNT(names); i++)
    if (hm_str_is(name, names[i]))
      return i;
  return -1;
}

/* Of "<details>\n<summary>WORDS</summary>"; empty: it is something else. */
static hm_str summary_of(hm_str html) {
  static const char begin[] = "<details>\n<summary>", end[] = "</summary>";
  if (!hm_str_starts(html, begin) || !hm_str_ends(html, end) ||
      html.n < sizeof begin + sizeof end - 1)
    return HM_EMPTY;
  hm_str words = hm_str_sub(html, sizeof begin - 1, html.n - (sizeof end - 1));
  for (size_t i = 0; i < words.n; i++) {
    char c = words.p[i];
    if (!hm_is_alnum(c) && !memchr(" ,.-?:", c, 6))
      return HM_EMPTY;
  }
  return words;
}

static bool open_box(hm_md_boxes *b, int box, const hm_buf *out) {
  if (b->n == HM_COUNT(b->open))
    return false;
  b->at[b->n] = out->n;
  b->open[b->n++] = (unsigned char)box;
  return true;
}

void hm_md_close_box(hm_md_boxes *b, hm_buf *out) {
  int box = b->open[--b->n];
  if (box == MARKDOWN)
    out->n = b->at[b->n];
  else
    hm_buf_c(out, box == DETAILS ? "</details>\n" : "</div>\n");
}

bool hm_md_write_box(hm_md_boxes *b, hm_str html, hm_buf *out) {
  int begin = box_of(html, "<!-- begin "), end = box_of(html, "<!-- end ");
  hm_str summary = summary_of(html);
  if (hm_str_is(html, "</details>"))
    end = DETAILS;
  if (begin >= 0 && open_box(b, begin, out)) {
    hm_buf_fmt(out, "<div class=\"%s\">\n", names[begin]);
    return true;
  }
  if (summary.n && open_box(b, DETAILS, out)) {
    hm_buf_fmt(out, "<details>\n<summary>%.*s</summary>\n", HM_FMT(summary));
    return true;
  }
  if (end < 0 || !b->n || b->open[b->n - 1] != end)
    return false;
  hm_md_close_box(b, out);
  return true;
}

hm_str hm_md_parse_datetime(hm_str tag) {
  static const char begin[] = "<time datetime=\"";
  if (!hm_str_starts(tag, begin) || !hm_str_ends(tag, "\">"))
    return HM_EMPTY;
  hm_str at = hm_str_sub(tag, sizeof begin - 1, tag.n - 2);
  if (at.n > 30)
    return HM_EMPTY;
  for (size_t i = 0; i < at.n; i++)
    if (!hm_is_digit(at.p[i]) && !memchr("-:TZ+.", at.p[i], 6))
      return HM_EMPTY;
  return at;
}

const char *hm_md_mark_class(hm_str text) {
  static const char sign[] = "\u26A0 ";
  if (!hm_str_starts(text, sign))
    return NULL;
  hm_str rest = hm_str_sub(text, sizeof sign - 1, text.n);
  if (hm_str_is(rest, "disputed"))
    return "disputed";
  for (size_t i = 0; i < rest.n; i++)
    if (!hm_is_digit(rest.p[i]) && rest.p[i] != ',')
      return NULL;
  return rest.n ? "badge" : NULL;
}

bool hm_md_is_relative(hm_str url) {
  if (!url.n || hm_str_starts(url, "//"))
    return false;
  for (size_t i = 0; i < url.n && !memchr("/?#", url.p[i], 3); i++)
    if (url.p[i] == ':')
      return false;
  return true;
}

/* Reads "596 by 130 pixels", "152 pixels high" or "about 500 pixels high"; else all is 0. */
static hm_md_drawing_size read_size(const char *text) {
  hm_md_drawing_size s = { .guessed = strncmp(text, "about ", 6) == 0 };
  int end = 0;
  if (s.guessed)
    text += 6;
  bool number = *text >= '1' && *text <= '9';
  if (number && sscanf(text, "%5d pixels high%n", &s.h, &end) == 1 && end && !text[end])
    return s;
  end = 0;
  number &= !s.guessed && sscanf(text, "%5d by %5d pixels%n", &s.w, &s.h, &end) == 2;
  return number && s.h > 0 && end && !text[end] ? s : (hm_md_drawing_size){ 0 };
}

hm_md_drawing_size hm_md_cut_drawing_size(hm_str *title) {
  const char *last = title->n ? strrchr(title->p, ';') : NULL, *text = last ? last + 1 : title->p;
  if (last && *text == ' ')
    text++;
  hm_md_drawing_size s = read_size(title->n ? text : "");
  if (s.h)
    title->n = last ? (size_t)(last - title->p) : 0;
  return s;
}
