/* The parts of the site. Not for others. */
#ifndef HM_SITE_IMPL_H
#define HM_SITE_IMPL_H
#include "core/base/map.h"
#include "gen/site/markers.h"
#include "gen/site/site.h"

/* What all pages of one build share; immutable while they are rendered. */
typedef struct {
  const hm_view *v;
  const hm_templates *t;
  const hm_site_options *opt;
  hm_str title, base_url, tool;    /* base_url ends in '/' or is empty */
  const hm_pages *pages;
  const hm_conflict_rec **conflicts; size_t n_conflicts;
  hm_map conflict_at;              /* path of a conflict's page -> index into conflicts */
  uint64_t seed;                   /* of the keys of pages */
  hm_hash128 *inputs;              /* of the pages of each project, or NULL */
  hm_known_page *now;              /* beside pages: filled as they are made */
} hm_build;

/* One thread's own. */
typedef struct {
  hm_arena *keep;        /* what becomes part of the site */
  hm_arena *scratch;     /* one page's, forgotten after it */
  hm_buf md, body, html;
  bool *marked;          /* for each conflict: a marker that leads to it was seen */
  hm_buf marks;          /* of the page: where its markers lead, as in hm_known_page */
  hm_err ignored;        /* of a page that failed; render_all asks again */
} hm_hand;

/* render_page.c: model -> Markdown -> HTML. Either out may be NULL. */
int hm_render_page(const hm_build *b, const hm_page *p, hm_hand *h, hm_file *md, hm_file *html, hm_err *err);
int hm_render_404(const hm_build *b, hm_hand *h, hm_file *out, hm_err *err);
/* A file of the site: bytes are copied into a. */
hm_file hm_file_of(hm_arena *a, hm_str path, hm_str bytes);
/* A file that was rendered: kept in h->keep, or handed on. */
int hm_hand_on(const hm_build *b, hm_hand *h, hm_str path, hm_str bytes, hm_file *out, hm_err *err);

/* reuse.c: which pages need not be made. */
/* Zero where it is not known what the page's model is made from. */
hm_hash128 hm_reuse_inputs(const hm_build *b, const hm_page *p);
/* The key that a page had when its model was made from the same; false: it is not known. */
bool hm_reuse_known(const hm_build *b, const hm_page *p, hm_hash128 inputs, hm_hash128 *key);
/* Of the Markdown, which is h->md, and of what the shell takes from the model. h->html is used. */
hm_hash128 hm_reuse_key(const hm_build *b, const hm_tv *model, hm_hand *h);
/* Fills the page's files, and h->marks, from what is known. False: it has to be made. */
bool hm_reuse_page(const hm_build *b, const hm_page *p, hm_hash128 key, hm_hand *h, hm_file *md, hm_file *html);
/* The page is as inputs, key, h->marks and its files say. */
void hm_reuse_note(const hm_build *b, const hm_page *p, hm_hash128 inputs, hm_hash128 key, hm_hand *h, const hm_file *md,
                   const hm_file *html);
/* Fills s->known; others: the files that are no pages. */
void hm_reuse_remember(const hm_build *b, hm_site *s, const hm_file *others, size_t n, hm_arena *a);
/* Fills s->gone; s->files are sorted. */
void hm_reuse_gone(const hm_build *b, hm_site *s, hm_arena *a);

/* shell.c: what the shell of an HTML page asks for. */
enum { HM_SHELL_KEYS = 7 };
/* What it takes from a page's model; besides that it takes the body, and what is the same for all pages of one path. */
extern const char *const hm_shell_keys[HM_SHELL_KEYS];
hm_tv *hm_shell_model(const hm_build *b, const hm_page *p, const hm_tv *page, hm_str body, hm_arena *a);
hm_tv *hm_shell_model_404(const hm_build *b, hm_arena *a);

/* check.c */
/* Every marker in the page leads to the page of a conflict; noted in h->marked. HM_E_INTERNAL naming the page. */
int hm_check_markers(const hm_build *b, hm_str path, hm_str md, hm_hand *h, hm_err *err);
/* Every open, disputed conflict is in `marked`. HM_E_INTERNAL naming the conflict. */
int hm_check_conflicts(const hm_build *b, const bool *marked, hm_err *err);
/* Paths are sound, no two are alike, none is the folder of another. What the sink has was looked at when it was made. */
int hm_check_paths(const hm_build *b, const hm_site *s, hm_err *err);

/* manifest.c: manifest.json and the digest of the site, over files sorted by path. */
hm_file hm_manifest_of(const hm_build *b, const hm_file *files, size_t n, hm_arena *a);
hm_str hm_site_digest(const hm_file *files, size_t n, hm_arena *a);
#endif
