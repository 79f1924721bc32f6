/* What the pages are made with: built-in files, and the user's instead of them, one by one. */
#ifndef HM_THEME_H
#define HM_THEME_H
#include "gen/mirror/mirror.h"
#include "gen/mirror/house.h"

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
/* Warns of look->unused, in a run that repeats when there are others (m->unused_told). There only
 * the first making tells of those that are near to no other: they may be about to be named. */
void hm_appearance_warn(hm_mirror *m, const hm_appearance *look);
#endif
