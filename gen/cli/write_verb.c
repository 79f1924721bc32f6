#include "gen/cli/write_verb.h"
#include <stdio.h>
#include "core/base/time.h"
#include "gen/check/recorded.h"
#include "gen/cli/conflict_text.h"
#include "gen/cli/out.h"
#include "gen/cli/work.h"

enum { VALUE_SHOWN = 40 };

static int as_json(hm_cli *cli, const hm_written *w, bool dry) {
  hm_buf b = { 0 };
  hm_written_json(&b, w, dry);
  return hm_json_print(cli, &b);
}

/* --- text ------------------------------------------------------------------------- */

static bool is_among(hm_str id, const hm_str *ids, size_t n) {
  size_t i = 0;
  while (i < n && !hm_str_eq(ids[i], id)) i++;
  return i < n;
}

static int disputed_line(hm_cli *cli, hm_str id, hm_str json, bool again, bool dry) {
  hm_json *tree;
  hm_buf key = { 0 };
  if (hm_json_parse(cli->a, json, &tree, &cli->err)) return -1;
  hm_json_put(&key, hm_json_get(tree, "slot_key"));
  const char *title = hm_show(cli->a, hm_slot_title(cli->a, hm_buf_view(&key)), 120),
             *shown = hm_show(cli->a, id, VALUE_SHOWN);
  hm_buf_free(&key);
  printf("%s⚠ disputed%s%s: %s  %s: %s", hm_style_of(cli, HM_YELLOW), again ? " again" : "",
         hm_style_of(cli, HM_PLAIN), shown, title,
         hm_show(cli->a, hm_conflict_values(cli->a, tree, VALUE_SHOWN), 240));
  if (dry) puts("");
  else printf(" (hmirror conflicts show %s)\n", shown);
  return 0;
}

/* What the write did between other rows. */
static void other_lines(hm_cli *cli, const hm_written *w) {
  for (size_t i = 0; i < w->n_opened; i++) {
    if (is_among(w->opened[i], w->conflicts, w->n_conflicts)) continue;
    printf("%s⚠ disputed%s: %s, between other rows\n", hm_style_of(cli, HM_YELLOW),
           hm_style_of(cli, HM_PLAIN), hm_show(cli->a, w->opened[i], VALUE_SHOWN));
  }
  for (size_t i = 0; i < w->n_revived; i++)
    if (!is_among(w->revived[i], w->conflicts, w->n_conflicts))
      printf("%s⚠ disputed again%s: %s, between other rows\n", hm_style_of(cli, HM_YELLOW),
             hm_style_of(cli, HM_PLAIN), hm_show(cli->a, w->revived[i], VALUE_SHOWN));
  for (size_t i = 0; i < w->n_quieted; i++)
    printf("no longer disputed, awaiting sign-off: %s\n", hm_show(cli->a, w->quieted[i], VALUE_SHOWN));
}

static int as_text(hm_cli *cli, const hm_written *w, const char *done, bool dry) {
  const char *ref = hm_show(cli->a, w->ref, 0);
  if (cli->quiet) return puts(ref) < 0 ? -1 : 0;
  if (!w->changed) printf("%s: nothing to change\n", ref);
  else printf("%s%s: %s\n", dry ? "dry run, would be " : "", done, ref);
  for (size_t i = 0; i < w->n_conflicts; i++) {
    hm_str id = w->conflicts[i];
    bool again = is_among(id, w->revived, w->n_revived),
         unknown = dry && is_among(id, w->opened, w->n_opened);
    if (disputed_line(cli, id, w->conflicts_json[i], again, unknown)) return -1;
  }
  other_lines(cli, w);
  return 0;
}

int hm_write_verb(hm_cli *cli, hm_write_fn *fn, void *ctx, const char *done) {
  hm_store *store = NULL;
  hm_written out;
  hm_review r = { .rules = &cli->mirror.config.rules, .dry_run = hm_cli_option(cli, "dry-run") != NULL };
  if (hm_mirror_actor(&cli->mirror, &r.who, &cli->err)) return -1;
  r.who.why = hm_str_trim(hm_str_c(hm_cli_option(cli, "notes")));
  if (hm_cli_open_writer(cli, r.dry_run, &store)) return -1;
  hm_progress_phase(cli->progress, "writing; the first write makes the index of the claims");
  hm_time began = hm_time_now();
  int rc = fn(ctx, store, &r, cli->a, &out, &cli->err);
  hm_store_close(store);
  hm_progress_clear(cli->progress);
  if (rc) return -1;
  hm_detail(cli, "%s: written in %.2f ms", cli->mirror.store, (double)(hm_time_now() - began) / 1000);
  rc = cli->json ? as_json(cli, &out, r.dry_run) : as_text(cli, &out, done, r.dry_run);
  for (size_t i = 0; i < out.n_warnings && !cli->json; i++)
    hm_note(cli, "%s", hm_show(cli->a, out.warnings[i], 0));
  return rc;
}
