/* Templates and assets of pages: built-in files, each of which a file of the user can replace. */
#ifndef HM_THEME_H
#define HM_THEME_H
#include "gen/mirror/mirror.h"
#include "gen/render/template.h"
#include "gen/site/site.h"

typedef enum { HM_THEME_TEMPLATE, HM_THEME_ASSET } hm_theme_kind;

/* One file, by its name: "overview.md.mustache" below templates/, "style.css" below the theme. */
typedef struct {
  hm_theme_kind kind;
  hm_str name;
  const char *path;  /* the user's file, where it is or would be */
  bool builtin, own; /* whether there is a built-in file, a file of the user */
  hm_str builtin_bytes, own_bytes;
} hm_theme_file;

typedef struct {
  hm_theme_file *v;
  size_t n;
} hm_theme;

/* All files, templates first, by name. Errors: a folder that is named in the config and absent, a
 * template whose name does not end in .md.mustache or .html.mustache, a file over its limits. */
int hm_theme_load(const hm_mirror *m, hm_theme *out, hm_err *err);

/* A template of the user that no page and no other template uses; near: the template that may be
 * meant, or empty. */
typedef struct {
  const char *path;
  hm_str near;
} hm_unused_template;

typedef struct {
  hm_templates *templates;
  hm_template_file *assets;
  size_t n_assets;
  hm_template_file *statics;
  size_t n_statics;
  hm_site_house house;
  hm_unused_template *unused;
  size_t n_unused;
} hm_appearance;
/* Compiled templates, assets and the user's static files, as hm_site_build takes them. Free
 * templates with hm_templates_free. HM_E_INPUT: those of hm_theme_load, hm_house_load and
 * hm_templates_compile; an unknown variable in a template of the user, with file, line and the
 * nearest known one. */
int hm_appearance_load(const hm_mirror *m, hm_appearance *out, hm_err *err);
/* Warns of look->unused. A run that watches warns again only when the list changed
 * (m->unused_warned), and after the first time only of templates that may be typos: the user may be
 * about to use the others. */
void hm_warn_unused_templates(hm_mirror *m, const hm_appearance *look);

/* A style sheet without comments and needless white space, in a. Meant for our own sheet: an
 * unterminated string or comment goes on to the end of the text. */
hm_str hm_css_compact(hm_str css, hm_arena *a);

/* --- the user's own style (house.c) ----------------------------------------------------- */
/* Loads hm_house_config: assets, a template, and the names that pages link to. */

enum { HM_HOUSE_FILES = 102 }; /* assets at most: style sheets, the colours, the logo */

typedef struct {
  hm_template_file *assets;
  size_t n_assets;
  bool has_head;
  hm_template_file head; /* partials/extra_head.html, with has_head */
  hm_site_house links;
} hm_house;

/* Reads the files that the config names, in m's arena. Warns of what the pages'
 * Content-Security-Policy blocks (an inline script, an inline style) and of colours with too little
 * contrast. HM_E_INPUT: a file is absent, too long, no UTF-8, outside of the mirror's folder, or
 * has the name of another one or of a file in `theme`. */
int hm_house_load(const hm_mirror *m, const hm_template_file *theme, size_t n_theme, hm_house *out,
                  hm_err *err);
/* Paths of the files that the config names, for a watcher; *n of them, in a. */
const char **hm_house_files(const hm_config *c, hm_arena *a, size_t *n);

/* --- contrast of the user's colours (house.c) ------------------------------------------- */

/* The colour front on back, in light or dark mode, has a contrast of `ratio`, below `least`. */
typedef struct {
  const char *front, *back;               /* names */
  const char *front_colour, *back_colour; /* "#14586e" */
  bool dark;
  double ratio, least;
} hm_low_contrast;

/* The contrast ratio of two colours by WCAG 2.2: 1 to 21. Both are "#rgb" or "#rrggbb". */
double hm_contrast_ratio(const char *x, const char *y);
/* Finds pairs with too little contrast, among those that the theme puts on each other and of which
 * the user set at least one. css: the theme's style sheet, which has the other colours as custom
 * properties. Skips a colour that neither has. *n pairs, in a; never fails. */
const hm_low_contrast *hm_low_contrasts(const hm_house_config *house, hm_str css, hm_arena *a,
                                        size_t *n);
#endif
