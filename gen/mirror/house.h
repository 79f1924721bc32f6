/* The house's own style (hm_house_config) as what pages are made with: assets, a template, and the
 * names that pages link to. */
#ifndef HM_HOUSE_H
#define HM_HOUSE_H
#include "gen/mirror/mirror.h"
#include "gen/render/template.h"
#include "gen/site/site.h"

enum { HM_HOUSE_FILES = 102 };   /* assets at most: style sheets, the colours, the logo */

typedef struct {
  hm_template_file *assets; size_t n_assets;
  bool has_head;
  hm_template_file head;         /* partials/extra_head.html, when it has one */
  hm_site_house links;
} hm_house;

/* Reads the files that the config names, in m's arena. Tells of what the pages' policy for content
 * will not run (an inline script, an inline style) and of colours with too little contrast.
 * HM_E_INPUT: a file that is absent, too long, no UTF-8, outside of the mirror's folder, or of a
 * name that `theme` or another has already. */
int hm_house_load(const hm_mirror *m, const hm_template_file *theme, size_t n_theme, hm_house *out,
                  hm_err *err);
/* Paths of the files that it is made from, for who watches them; *n of them, in a. */
const char **hm_house_files(const hm_config *c, hm_arena *a, size_t *n);
#endif
