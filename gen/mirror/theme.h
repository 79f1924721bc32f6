/* What the pages are made with: built-in files, and the user's instead of them, one by one. */
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
  const char *path;        /* the user's file, where it is or would be */
  bool builtin, own;       /* which of the two there are */
  hm_str builtin_bytes, own_bytes;
} hm_theme_file;

typedef struct { hm_theme_file *v; size_t n; } hm_theme;

/* All files, templates first, by name. Errors: a folder that is named in the config and absent, a
 * template whose name does not end in .md.mustache or .html.mustache, a file over its limits. */
int hm_theme_load(const hm_mirror *m, hm_theme *out, hm_err *err);

/* A template of the user that no page has and no other names; near: the one that is perhaps meant,
 * or empty. */
typedef struct { const char *path; hm_str near; } hm_unused_template;

typedef struct {
  hm_templates *templates;
  hm_template_file *assets; size_t n_assets;
  hm_template_file *statics; size_t n_statics;
  hm_site_house house;
  hm_unused_template *unused; size_t n_unused;
} hm_appearance;
/* Compiled templates, assets and the user's static files, as hm_site_build takes them. Free
 * templates with hm_templates_free. HM_E_INPUT: those of hm_theme_load, hm_house_load and
 * hm_templates_compile; a name in a template of the user's that is none of its variables, with file
 * and line and the nearest one. */
int hm_appearance_load(const hm_mirror *m, hm_appearance *out, hm_err *err);
/* Warns of look->unused, in a run that repeats when there are others (m->unused_warned). There only
 * the first run warns of those that are near to no other: they may be about to be named. */
void hm_warn_unused_templates(hm_mirror *m, const hm_appearance *look);

/* A style sheet without comments and without the space that says nothing, in a. For our own sheet:
 * a string or comment that does not end goes on to the end of the text. */
hm_str hm_css_compact(hm_str css, hm_arena *a);

/* --- the house's own style (house.c) ---------------------------------------------------- */
/* hm_house_config as what pages are made with: assets, a template, and the names that pages link
 * to. */

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

/* --- its colours against the contrast that readers need (house.c) ----------------------- */

/* front stands on back, in light or dark mode: with `ratio` to one, where `least` is asked for. */
typedef struct {
  const char *front, *back;              /* names */
  const char *front_colour, *back_colour; /* "#14586e" */
  bool dark;
  double ratio, least;
} hm_low_contrast;

/* How much lighter the one is than the other, by WCAG 2.2: 1 to 21. Both are "#rgb" or
 * "#rrggbb". */
double hm_contrast_ratio(const char *x, const char *y);
/* The pairs that are too close, of those that the theme puts upon each other and of which the house
 * set at least one; css: the theme's style sheet, which has the others as custom properties. A
 * colour that neither knows is passed over. *n of them, in a; no error. */
const hm_low_contrast *hm_low_contrasts(const hm_house_config *house, hm_str css, hm_arena *a,
                                        size_t *n);
#endif
