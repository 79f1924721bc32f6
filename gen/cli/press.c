#include "gen/cli/press.h"
#include <stdlib.h>
#include "gen/cli/watch_loop.h"
#include "gen/mirror/make.h"
#include "gen/cli/out.h"

/* One edition's own run of the program: options and working folder are those of the server, all
 * else is read anew. */
typedef struct { hm_cli *cli; hm_made made; } sheet;

static sheet *new_sheet(const hm_cli *cli) {
  sheet *s = hm_xmalloc(sizeof *s);
  *s = (sheet){ .cli = hm_rerun_new(cli, hm_arena_new()) };
  s->cli->progress = NULL;
  s->cli->quiet = true;
  s->cli->verbose = false;
  return s;
}

static void free_sheet(sheet *s) {
  hm_made_free(&s->made);
  hm_arena_free(s->cli->a);
  hm_rerun_free(s->cli);
  free(s);
}

/* Writes are compared by the rules that the server began with. */
static int same_rules(hm_cli *now, const hm_cli *served) {
  if (hm_str_eq(hm_rules_digest(&now->mirror.config.rules, now->a),
                hm_rules_digest(&served->mirror.config.rules, now->a)))
    return 0;
  return hm_fail(
      &now->err, HM_E_USAGE,
      hm_str_fmt(now->a, "%s: rules", now->mirror.config.file ? now->mirror.config.file : "mirror.yml").p,
      "they differ from those that writes to this server are compared by",
      "start `hmirror serve` again");
}

static int print(sheet *s, const hm_cli *served, hm_inputs *in) {
  if (hm_rerun_config(s->cli, served, in) || same_rules(s->cli, served)) return -1;
  return hm_make_preview(&s->cli->mirror, &s->made, &s->cli->err);
}

static int make(void *ctx, hm_inputs *in, hm_edition *out, hm_err *err) {
  sheet *s = new_sheet(ctx);
  if (print(s, ctx, in)) {
    *err = s->cli->err;
    free_sheet(s);
    return -1;
  }
  *out = (hm_edition){ .site = s->made.site,
                       .view = s->made.view,
                       .rules = &s->cli->mirror.config.rules,
                       .templates = s->made.look.templates,
                       .inputs = hm_make_inputs,
                       .threads = s->cli->mirror.threads,
                       .own = s };
  return 0;
}

static void unmake(void *ctx, hm_edition *e) {
  (void)ctx;
  free_sheet(e->own);
}

static void told(void *ctx, const hm_edition *e, const hm_err *problem, double seconds) {
  const hm_cli *cli = ctx;
  char line[2048];
  if (cli->quiet && !problem) return;
  if (problem) hm_err_line(problem, line, sizeof line);
  if (problem) fprintf(stderr, "hmirror: %s\n", line);
  else if (cli->verbose)
    fprintf(stderr, "hmirror: made anew in %.2f s: %zu pages\n", seconds, e->site->pages);
}

hm_press hm_cli_press(hm_cli *cli) {
  return (hm_press){ .ctx = cli, .make = make, .free = unmake, .told = told };
}
