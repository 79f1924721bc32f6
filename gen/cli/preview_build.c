/* Each build is a run of the program of its own: options and working folder are those of the
 * server, all else is read again. */
#include "gen/cli/preview_build.h"
#include <stdlib.h>
#include "gen/cli/out.h"
#include "gen/cli/watch_loop.h"
#include "gen/mirror/make.h"

typedef struct { hm_cli *cli; hm_made made; } build_run;

static void free_run(build_run *r) {
  hm_made_free(&r->made);
  hm_arena_free(r->cli->a);
  hm_rerun_free(r->cli);
  free(r);
}

/* Writes are compared by the rules that the server began with. */
static int check_rules(hm_cli *now, const hm_cli *served) {
  const hm_config *c = &now->mirror.config;
  if (hm_str_eq(hm_rules_digest(&c->rules, now->a),
                hm_rules_digest(&served->mirror.config.rules, now->a)))
    return 0;
  return hm_fail(&now->err, HM_E_USAGE,
                 hm_str_fmt(now->a, "%s: rules", c->file ? c->file : "mirror.yml").p,
                 "they differ from those that writes to this server are compared by",
                 "start `hmirror serve` again");
}

static int begin_build(void *ctx, hm_inputs *w, hm_preview_build *out, hm_err *err) {
  build_run *r = hm_xmalloc(sizeof *r);
  *r = (build_run){ .cli = hm_rerun_new(ctx, hm_arena_new()) };
  hm_cli *cli = r->cli;
  cli->progress = NULL;
  cli->quiet = true;
  cli->verbose = false;
  if (hm_rerun_config(cli, ctx, w) || check_rules(cli, ctx) ||
      hm_make_preview(&cli->mirror, &r->made, &cli->err)) {
    *err = cli->err;
    free_run(r);
    return -1;
  }
  *out = (hm_preview_build){ .view = r->made.view,
                             .rules = &cli->mirror.config.rules,
                             .templates = r->made.look.templates,
                             .inputs = hm_make_inputs,
                             .threads = cli->mirror.threads,
                             .assets = hm_site_draft_assets(r->made.draft),
                             .own = r };
  return 0;
}

static int render_file(void *ctx, const hm_preview_build *b, hm_str path, hm_arena *a, hm_file *out,
                       hm_err *err) {
  const build_run *r = b->own;
  (void)ctx;
  return hm_site_draft_file(r->made.draft, path, a, out, err);
}

static int finish_build(void *ctx, const hm_preview_build *b, bool (*proceed)(void *),
                        void *proceed_ctx, const hm_site **out, hm_err *err) {
  build_run *r = b->own;
  const hm_cli *served = ctx;
  size_t first = hm_site_draft_rendered(r->made.draft);
  if (hm_make_preview_site(&r->cli->mirror, &r->made, proceed, proceed_ctx, err)) return -1;
  *out = r->made.site;
  if (served->verbose)
    fprintf(stderr, "hmirror: all %zu pages rendered, %zu of them when asked for before\n",
            r->made.site->pages, first);
  return 0;
}

static void free_build(void *ctx, hm_preview_build *b) {
  (void)ctx;
  free_run(b->own);
}

static void report_build(void *ctx, const hm_preview_build *b, const hm_err *problem,
                         double seconds) {
  const hm_cli *cli = ctx;
  char line[2048];
  if (problem) {
    hm_err_line(problem, line, sizeof line);
    fprintf(stderr, "hmirror: %s\n", line);
  } else if (cli->verbose) {
    const build_run *r = b->own;
    fprintf(stderr, "hmirror: %zu pages to show, after %.2f s\n",
            hm_site_draft_pages(r->made.draft), seconds);
  }
}

hm_preview_builder hm_preview_builder_of(hm_cli *cli) {
  return (hm_preview_builder){ .ctx = cli,
                               .begin = begin_build,
                               .file = render_file,
                               .finish = finish_build,
                               .free = free_build,
                               .report = report_build };
}
