#include "gen/render/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <pthread.h>
#include <string.h>

#include "gen/render/md_impl.h"

enum { MAX_MARKDOWN = 64 << 20 };

/* --- memory ------------------------------------------------------------ */

/* cmark's allocator has no context: the arena of the page that this thread is
 * at. Nothing is freed but with it, which saves a third of the time. */
static _Thread_local hm_arena *page_arena;

/* Each piece has its size before it, for realloc. */
typedef union { size_t n; max_align_t align; } piece;

static void *page_calloc(size_t count, size_t size) {
  size_t n;
  if (__builtin_mul_overflow(count, size, &n) || n > SIZE_MAX - sizeof(piece)) n = SIZE_MAX - sizeof(piece);
  piece *p = hm_alloc(page_arena, sizeof *p + n);
  p->n = n;
  return p + 1;
}

static void *page_realloc(void *old, size_t n) {
  size_t had = old ? ((piece *)old - 1)->n : 0;
  if (n <= had) return old;
  void *p = page_calloc(1, n);
  if (had) memcpy(p, old, had);
  return p;
}

static void page_free(void *p) { (void)p; }

static cmark_mem page_mem = { page_calloc, page_realloc, page_free };

/* --- parsing ----------------------------------------------------------- */

static void init_once(void) { cmark_gfm_core_extensions_ensure_registered(); }

void hm_markdown_init(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, init_once);
}

/* Only these: autolink and strikethrough write a table that all threads share. */
static const char *const extensions[] = { "table", "tasklist", "tagfilter" };

static cmark_node *parse(hm_str md) {
  cmark_parser *p = cmark_parser_new_with_mem(CMARK_OPT_DEFAULT, &page_mem);
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    cmark_parser_attach_syntax_extension(p, cmark_find_syntax_extension(extensions[i]));
  cmark_parser_feed(p, md.p, md.n);
  cmark_node *root = cmark_parser_finish(p);
  cmark_parser_free(p);
  return root;
}

static int check_size(hm_str md, hm_err *err) {
  if (md.n <= MAX_MARKDOWN) return 0;
  return hm_fail(err, HM_E_INTERNAL, "page", "its Markdown is over 64 MiB", "split its list (publish.list_limit)");
}

int hm_markdown_html(hm_str md, hm_arena *a, hm_buf *out, hm_err *err) {
  if (check_size(md, err) != 0) return -1;
  page_arena = a;
  hm_md_writer w = { .a = a, .out = out, .start = out->n, .ids = { .a = a } };
  cmark_node *root = parse(md);
  hm_md_ids_anchors(&w.ids, root, md);
  hm_md_write(&w, root);
  page_arena = NULL;
  return 0;
}

int hm_markdown_visit(hm_str md, hm_arena *a, const hm_markdown_visitor *v, void *ctx, hm_err *err) {
  if (check_size(md, err) != 0) return -1;
  page_arena = a;
  hm_md_ids ids = { .a = a };
  cmark_node *root = parse(md);
  hm_md_ids_anchors(&ids, root, md);
  hm_md_visit(root, &ids, v, ctx);
  page_arena = NULL;
  return 0;
}

hm_str hm_markdown_version(void) { return hm_str_c(cmark_version_string()); }
