/* From the store to the site, as `build` and `publish` both need it. */
#ifndef HM_MAKE_H
#define HM_MAKE_H
#include "core/base/json.h"
#include "gen/cli/theme.h"
#include "gen/cli/work.h"
#include "gen/site/site.h"

typedef struct {
  hm_appearance look;
  bool foreign;              /* the store is not ours */
  hm_sweep sweep; bool swept;
  hm_view *view;
  hm_site *site;
} hm_made;

/* Templates and theme; then that the store can be opened as the sweep will open it. Nothing is written. */
int hm_make_ready(hm_cli *cli, hm_made *m);
/* --markdown-only, --html-only: what the pages are made as, into the config. Both together are an error. */
int hm_make_forms(hm_cli *cli);
/* What the sink brings: see hm_site_options. */
typedef struct {
  int (*take)(void *ctx, const hm_file *f, hm_err *err);
  bool (*holds)(void *ctx, const hm_file *f);
  const hm_known *known;
  void *ctx;
} hm_make_sink;
/* Sweeps (recording unless --no-sweep), lays out and renders. */
int hm_make_site(hm_cli *cli, hm_made *m, const hm_make_sink *sink);
/* All of that for looking only: nothing is recorded, the store need not be writable, and there is HTML in any case. */
int hm_make_preview(hm_cli *cli, hm_made *m);
void hm_made_free(hm_made *m);
/* "pages", "files", "digest" and the counts of conflicts, for --format json. */
void hm_made_json(hm_jw *w, const hm_made *m);
#endif
