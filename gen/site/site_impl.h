/* The parts of the site. Not for others. */
#ifndef HM_SITE_IMPL_H
#define HM_SITE_IMPL_H
#include <stdatomic.h>
#include "core/base/map.h"
#include "gen/site/markers.h"
#include "gen/site/site.h"

/* What all pages of one build share; immutable while they are rendered. */
typedef struct {
  const hm_view *v;
  const hm_templates *t;
  const hm_site_options *opt;
  const hm_known *known;           /* of the last site, or NULL */
  hm_str title, base_url, tool;    /* base_url ends in '/' or is empty */
  const hm_pages *pages;
  const hm_conflict_rec **conflicts; size_t n_conflicts;
  hm_map conflict_at;              /* path of a conflict's page -> index into conflicts */
  uint64_t seed;                   /* of the keys of pages */
  hm_page_inputs *inputs;          /* NULL: all pages are made */
  hm_known_page *now;              /* beside pages: filled as they are made */
  hm_hash128 *raw_inputs; /* beside raw files: of what each is made from; zero: not known */
} hm_build;

/* One thread's own. */
typedef struct {
  hm_arena *keep;        /* what becomes part of the site */
  hm_arena *scratch;     /* one page's, forgotten after it */
  hm_buf md, body, html;
  bool *marked;          /* for each conflict: a marker that leads to it was seen */
  hm_buf marks;          /* of the page: where its markers lead, as in hm_known_page */
  const hm_known_page *was;   /* the last page that was looked for and known */
  hm_err ignored;        /* of a page that failed; render_all asks again */
} hm_hand;

enum { HM_HANDS_MAX = 64 };

/* What has to be made: a page by its index, or a piece of a raw file by the number of pages and the
 * file's index. */
typedef struct { uint32_t at, piece; } hm_todo;

/* A raw file in several pieces, until the last one is there. */
typedef struct { hm_buf *of; atomic_uint missing; } hm_pieces;

/* One site in the making. */
typedef struct {
  hm_build b;
  hm_arena *a;             /* of the whole site */
  hm_hand hands[HM_HANDS_MAX];
  int n_hands;
  hm_file *rendered;       /* a slot for each page and form, HTML first, then the raw files */
  size_t forms;            /* files a page becomes */
  hm_todo *todo; size_t n_todo;
  hm_pieces *pieces;       /* beside raw files */
  atomic_size_t done;
  hm_site *site;
} hm_work;

/* site.c: what a build needs before its pages are listed, and after. */
void hm_build_begin(hm_build *b, const hm_view *v, const hm_templates *t,
                    const hm_site_options *opt, hm_arena *a);
void hm_build_index_conflicts(hm_build *b, hm_arena *a);
/* All but `keep`. */
void hm_hand_free(hm_hand *h);

/* render.c: fills w->rendered, w->b.now and the hands' marked. */
int hm_render_all(hm_work *w, hm_err *err);
/* collect.c: w->site's files, known and gone from what was rendered and what is there besides; its
 * digest, and manifest.json. */
int hm_collect(hm_work *w, hm_err *err);

/* render_page.c: model -> Markdown -> HTML, whatever is known of the page. Either out may be NULL.
 */
int hm_render_page(const hm_build *b, const hm_page *p, hm_hand *h, hm_file *md, hm_file *html,
                   hm_err *err);
int hm_render_404(const hm_build *b, hm_hand *h, hm_file *out, hm_err *err);
/* A file of the site: bytes are copied into a. */
hm_file hm_file_of(hm_arena *a, hm_str path, hm_str bytes);
/* Its digest, of its bytes. */
void hm_file_seal(hm_file *f);
/* A file that was rendered: kept in h->keep, or handed on. */
int hm_hand_on(const hm_build *b, hm_hand *h, hm_str path, hm_str bytes, hm_file *out, hm_err *err);

/* reuse.c: which pages need not be made. */
/* Zero where it is not known what the page's model is made from. */
hm_hash128 hm_reuse_inputs(const hm_build *b, const hm_page *p, hm_hand *h);
/* The file is as it is known to be and the sink has it so: fills out. False: it has to be made. */
bool hm_reuse_file(const hm_build *b, hm_str path, const hm_known_bytes *is, hm_file *out);
/* The page as it is known, or NULL. */
const hm_known_page *hm_reuse_was(const hm_build *b, const hm_page *p, hm_hand *h);
/* A raw file that is made from what is known to have made it, and that the sink has: fills out, and
 * *inputs always. False: it has to be made. */
bool hm_reuse_raw(const hm_build *b, const hm_raw_file *r, hm_hand *h, hm_hash128 *inputs,
                  hm_file *out);
/* Does all that is to be done for a page that is known to be made from the same, and whose files
 * the sink has. False: it has to be made. */
bool hm_reuse_all(const hm_build *b, const hm_page *p, hm_hand *h, hm_file *md, hm_file *html);
/* Of the Markdown, which is h->md, and of what the shell takes from the model. h->html is used. */
hm_hash128 hm_reuse_key(const hm_build *b, const hm_tv *model, hm_hand *h);
/* Fills the page's files, and h->marks, from what is known of it (was; NULL: nothing). False: it
 * has to be made. */
bool hm_reuse_page(const hm_build *b, const hm_page *p, const hm_known_page *was, hm_hash128 key,
                   hm_hand *h, hm_file *md, hm_file *html);
/* The page is as inputs, key, h->marks and its files say. */
void hm_reuse_note(const hm_build *b, const hm_page *p, hm_hash128 inputs, hm_hash128 key,
                   hm_hand *h, const hm_file *md, const hm_file *html);
/* Fills s->known; others: the files that are no pages, raw files first, in their order. */
void hm_reuse_remember(const hm_build *b, hm_site *s, const hm_file *others, size_t n, hm_arena *a);
/* Fills s->gone; s->files are sorted. */
void hm_reuse_gone(const hm_build *b, hm_site *s, hm_arena *a);
/* Fills s->made and s->changed_pages, after all else. */
void hm_reuse_made(const hm_build *b, hm_site *s, hm_arena *a);

/* shell.c: what the shell of an HTML page asks for. */
enum { HM_SHELL_KEYS = 7 };
/* What it takes from a page's model; besides that it takes the body, and what is the same for all
 * pages of one path. */
extern const char *const hm_shell_keys[HM_SHELL_KEYS];
hm_tv *hm_shell_model(const hm_build *b, const hm_page *p, const hm_tv *page, hm_str body,
                      hm_arena *a);
hm_tv *hm_shell_model_404(const hm_build *b, hm_arena *a);

/* check.c */
/* Every marker in the page leads to the page of a conflict; noted in h->marked. HM_E_INTERNAL
 * naming the page. */
int hm_check_markers(const hm_build *b, hm_str path, hm_str md, hm_hand *h, hm_err *err);
/* Every open, disputed conflict is in `marked`. HM_E_INTERNAL naming the conflict. */
int hm_check_conflicts(const hm_build *b, const bool *marked, hm_err *err);
/* Paths are sound, no two are alike, none is the folder of another. What the sink has was looked at
 * when it was made. */
int hm_check_paths(const hm_build *b, const hm_site *s, hm_err *err);

/* folders.c: the manifests of the folders of a large site. */
/* One for each, with a path and `names`; others: the files that are no pages. In no order. */
hm_file *hm_folders_list(const hm_work *w, const hm_file *others, size_t n_others, size_t *n);
/* Fills those n_folders where they stand among w->site's files, which are sorted and all. Returns
 * what is left for the root's to name, by path, and the root's among it. */
hm_file *hm_folders_seal(hm_work *w, size_t n_folders, size_t *n);

/* manifest.c: the bytes of manifest.json, of the root or of a folder, and the digest of the site,
 * of files sorted by path; skip is not one of them. A path that is not sound makes no JSON. */
hm_str hm_manifest_of(const hm_build *b, const hm_file *files, size_t n, const hm_file *skip,
                      int threads, hm_arena *a);
hm_str hm_manifest_of_folder(hm_str folder, const hm_file *files, size_t n, const hm_file *skip,
                             hm_arena *a);
hm_str hm_site_digest(const hm_file *files, size_t n, const hm_file *skip, hm_arena *a);
#endif
