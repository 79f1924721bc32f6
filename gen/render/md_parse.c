/* Markdown to a tree, by cmark-gfm, within bounds.
 *
 * Time. What the escaper writes is read in linear time. But structure that is not ours, from a
 * template or a page of a person, could take the library minutes: version 0.29.0.gfm.6 appends to a
 * list of cells by walking it, gives every row of a table all of its columns, reads the paragraph
 * above each line of dashes again, and goes through all open quotations at every line. So a page is
 * looked through first, and refused where lines open too many blocks or tables are too wide or too
 * large.
 *
 * Memory. The library asks for it without saying for whom, so each thread notes the arena of the
 * page that it reads. Nothing is given back before the arena is reset. */
#include "gen/render/markdown.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/ascii.h"
#include "gen/render/md_impl.h"

enum {
  MAX_MARKDOWN = 16 << 20,
  MAX_MARKERS = 100,          /* of quotations and lists, that one line begins or goes on */
  MAX_COLUMNS = 256,
  MAX_CELLS = 1 << 20,        /* of one table, those that the library fills up counted */
  MAX_REREAD = 256 << 20      /* bytes above lines of dashes, which may be heads of tables */
};

/* --- memory ---------------------------------------------------------------- */

static _Thread_local hm_arena *page_arena;

/* Before each piece, since the library does not tell the old size; as wide as the widest alignment.
 * */
typedef struct { _Alignas(max_align_t) size_t size; } piece;

static void *page_calloc(size_t n, size_t size) {
  bool fits = !n || size <= SIZE_MAX / 2 / n;
  size_t pieces = fits ? (n * size + sizeof(piece) - 1) / sizeof(piece) + 1 : SIZE_MAX;
  piece *p = hm_alloc_array(page_arena, pieces, sizeof *p);   /* too much ends the process */
  p->size = n * size;
  return p + 1;
}

static void *page_realloc(void *old, size_t size) {
  size_t had = old ? ((piece *)old - 1)->size : 0;
  if (old && had >= size) return old;
  void *p = page_calloc(1, size);
  if (had) memcpy(p, old, had);
  return p;
}

static void page_free(void *p) { (void)p; }

static cmark_mem page_memory = { page_calloc, page_realloc, page_free };

/* --- bounds ---------------------------------------------------------------- */

/* The lines of a block that a blank line has not ended yet. */
typedef struct {
  size_t bytes, lines;
  size_t columns;         /* of the widest head of a table that may have begun */
  size_t reread;          /* on the whole page */
} block;

/* Quotation marks and list markers with which the line begins. */
static size_t count_markers(hm_str line) {
  size_t n = 0;
  for (size_t i = 0; i < line.n; i++) {
    char c = line.p[i], next = i + 1 < line.n ? line.p[i + 1] : ' ';
    bool ends = next == ' ' || next == '\t';
    if (c == '>') n++;
    else if (c == '-' || c == '*' || c == '+' || c == '.' || c == ')') n += ends;
    else if (c != ' ' && c != '\t' && !hm_is_digit(c)) return n;
  }
  return n;
}

static size_t count_pipes(hm_str line) {
  size_t n = 0;
  const char *p = line.p, *end = p + line.n;
  for (; p < end && (p = memchr(p, '|', (size_t)(end - p))); p++) {
    const char *slash = p;
    while (slash > line.p && slash[-1] == '\\') slash--;
    n += (p - slash) % 2 == 0;
  }
  return n;
}

/* Could it be the line of dashes below the head of a table? Nothing but dashes is a rule. */
static bool is_dashes(hm_str line) {
  bool dash = false, edge = false;
  for (size_t i = 0; i < line.n; i++) {
    if (!memchr("|-: \t>\r", line.p[i], 7)) return false;
    dash |= line.p[i] == '-';
    edge |= line.p[i] == '|' || line.p[i] == ':';
  }
  return dash && edge;
}

/* Why the page is refused at this line, or NULL. */
static const char *check_line(block *b, hm_str line) {
  size_t pipes = count_pipes(line);
  if (count_markers(line) > MAX_MARKERS) return "its quotations or lists are nested too deeply";
  if (pipes > MAX_COLUMNS) return "it has a table of too many columns";
  if (!hm_str_trim(line).n) {
    *b = (block){ .reread = b->reread };
    return NULL;
  }
  if (is_dashes(line)) {
    b->reread += b->bytes;
    if (pipes + 1 > b->columns) b->columns = pipes + 1;
  }
  b->bytes += line.n;
  b->lines++;
  bool fits = b->columns * b->lines <= MAX_CELLS && b->reread <= MAX_REREAD;
  return fits ? NULL : "it has a table of too many rows";
}

static int check_bounds(hm_str md, hm_err *err) {
  block b = { 0 };
  const char *why = md.n > MAX_MARKDOWN ? "its Markdown is over 16 MiB" : NULL;
  for (size_t i = 0; i < md.n && !why; i++) {
    const char *nl = memchr(md.p + i, '\n', md.n - i);
    size_t end = nl ? (size_t)(nl - md.p) : md.n;
    why = check_line(&b, hm_str_sub(md, i, end));
    i = end;
  }
  if (!why) return 0;
  const char *fix = "change its template, or split its list (list_limit)";
  return hm_fail(err, HM_E_INTERNAL, "page", why, fix);
}

/* --- parse ------------------------------------------------------------------ */

static cmark_syntax_extension *table, *tasklist;

static void find_extensions(void) {
  cmark_gfm_core_extensions_ensure_registered();
  table = cmark_find_syntax_extension("table");
  tasklist = cmark_find_syntax_extension("tasklist");
}

int hm_md_parse(hm_str md, hm_arena *a, cmark_node **root, hm_err *err) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (check_bounds(md, err) != 0) return -1;
  pthread_once(&once, find_extensions);
  page_arena = a;
  cmark_parser *p = cmark_parser_new_with_mem(CMARK_OPT_DEFAULT, &page_memory);
  cmark_parser_attach_syntax_extension(p, table);
  cmark_parser_attach_syntax_extension(p, tasklist);
  cmark_parser_feed(p, md.n ? md.p : "", md.n);
  *root = cmark_parser_finish(p);
  return 0;
}

void hm_md_release(void) { page_arena = NULL; }

hm_str hm_markdown_library_version(hm_arena *a) {
  Dl_info at;
  struct stat st;
  if (!dladdr((void *)(uintptr_t)cmark_parser_finish, &at)) return HM_EMPTY;
  if (stat(at.dli_fname, &st) != 0) return HM_EMPTY;
  char *path = realpath(at.dli_fname, NULL);
  hm_str s = hm_str_fmt(a, "%s %s %lld %lld", cmark_version_string(), path ? path : "",
                        (long long)st.st_size, (long long)st.st_mtim.tv_sec);
  free(path);
  return s;
}
