/* What is known of a site that was made: enough to tell which pages another one need not make
 * again.
 *
 * A page's key is a digest of its Markdown and of what its HTML takes from the model besides. Of
 * two sites made with one look (program, templates, title, address, forms: the caller's to compare)
 * a page with the same path and key has the same bytes, whichever store it was made from. */
#ifndef HM_KNOWN_H
#define HM_KNOWN_H
#include "gen/page/page.h"

typedef struct { uint64_t size; unsigned char sha256[32]; } hm_known_bytes;

enum { HM_FORM_MD, HM_FORM_HTML, HM_FORMS };

typedef struct {
  hm_str path;                       /* of its Markdown */
  hm_str marks; /* paths of the conflicts' pages that its markers lead to, each with a line end */
  hm_hash128 key;
  hm_hash128 inputs;                 /* of what its model is made from; zero: not known */
  hm_known_bytes form[HM_FORMS];
} hm_known_page;

/* names: as in hm_file. inputs: of what a data file is made from; zero: not known. */
typedef struct { hm_str path; hm_known_bytes is; uint32_t names; hm_hash128 inputs; } hm_known_file;

typedef struct {
  uint64_t seed; /* of the keys; a secret, so that no fact can be written to have another's key */
  bool markdown, html;               /* the forms that there are */
  hm_known_page *pages; size_t n_pages;      /* by path */
  hm_known_file *others; size_t n_others;    /* all other files, by path */
} hm_known;

/* Appends it as bytes; of this machine, for hm_known_get in the same program. */
void hm_known_put(const hm_known *k, hm_buf *out);
/* False when these are no such bytes. Strings are borrowed from them, arrays live in a. */
bool hm_known_get(hm_str bytes, hm_arena *a, hm_known *out);
/* The page at path, or the other file, or NULL. */
const hm_known_page *hm_known_page_at(const hm_known *k, hm_str path);
const hm_known_file *hm_known_file_at(const hm_known *k, hm_str path);
#endif
