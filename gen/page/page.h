/* Pages: lists them, and makes the model of each. One file a family. Pure. */
#ifndef HM_PAGE_H
#define HM_PAGE_H
#include "gen/render/template.h"
#include "view.h"

typedef struct hm_page hm_page;
typedef struct hm_model hm_model; /* one model in the making; model.h */
/* Fills the family's fields of one page's model. */
typedef void hm_page_fn(hm_model *m, hm_node *top);

struct hm_page {
  hm_str path;      /* "projects/p05-interferometer/README.md"; [a-z0-9./-] and README only */
  const char *tmpl; /* template name without suffix: "overview" */
  hm_page_fn *model;
  uint32_t project;  /* snapshot index or UINT32_MAX */
  uint32_t from, to; /* family's own: a range, an index */
  const void *data;  /* family's own */
};

/* A file that is no page: conflicts.json, data/... */
typedef struct hm_raw_file hm_raw_file;
/* Appends the file's bytes, or its source. Callable from any thread. */
typedef void hm_raw_bytes_fn(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out);

struct hm_raw_file {
  hm_str path;
  hm_raw_bytes_fn *bytes;
  hm_raw_bytes_fn *source; /* of a file that is slow to make: all that its bytes are made from. It
                              is not made while its source is the same. Else NULL */
  uint32_t index;          /* the maker's own */
  bool is_list;            /* one record a line: when it is long it becomes an index of parts
                              (gen/site/manifest.h) */
  const void *data;        /* the maker's own */
};

typedef struct {
  hm_page *pages;
  size_t n; /* sorted by path, no two alike */
  hm_raw_file *raws;
  size_t n_raws, cap_raws; /* sorted by path */
} hm_pages;

/* Lists all pages and raw files. gen/site adds manifest.json, assets/ and the HTML. */
int hm_list_pages(const hm_view *v, hm_arena *a, hm_pages **out, hm_err *err);
/* Lists only conflicts.json and the data files of rows, unsorted; no pages. */
void hm_list_conflict_and_row_files(const hm_view *v, hm_arena *a, hm_pages *out);
/* Makes a page's model, in a: its family's fields plus those of every page:
 *   title (text), description (text), root ("../../", path back to the root, raw), path (raw),
 * breadcrumbs (list of {name, url}), kind (raw: the tmpl name), generated (the banner's text),
 * is_root (bool). */
hm_node *hm_page_model(const hm_view *v, const hm_page *p, hm_arena *a);
#endif
