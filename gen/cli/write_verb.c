#include "gen/cli/write_verb.h"
#include <stdio.h>
#include "core/base/time.h"
#include "gen/check/recorded.h"
#include "gen/cli/conflict_text.h"
#include "gen/cli/out.h"
#include "gen/cli/work.h"

enum { VALUE_SHOWN = 40 };

/* --- JSON ------------------------------------------------------------------------- */

static int as_json(hm_cli *cli, const hm_written *w, bool dry) {
  hm_jw j;
  hm_buf b;
  hm_json_begin(&j, &b);
  hm_jw_str(&j, "ref", w->ref);
  hm_jw_raw(&j, "record", w->record);
  hm_jw_bool(&j, "changed", w->changed);
  hm_jw_bool(&j, "dry_run", dry);
  hm_jw_str_or_null(&j, "conflict_id", w->n_conflicts ? w->conflicts[0] : HM_EMPTY);
  hm_jw_strs(&j, "conflicts", w->conflicts, w->n_conflicts);
  hm_jw_strs(&j, "opened", w->opened, w->n_opened);
  hm_jw_strs(&j, "quieted", w->quieted, w->n_quieted);
  hm_jw_str_or_null(&j, "warning", w->warn_open ? hm_str_c(hm_warning_open) : HM_EMPTY);
  return hm_json_end(cli, &j, &b);
}

/* --- text ------------------------------------------------------------------------- */

static bool is_among(hm_str id, const hm_str *ids, size_t n) {
  size_t i = 0;
  while (i < n && !hm_str_eq(ids[i], id)) i++;
  return i < n;
}

static int disputed_line(hm_cli *cli, hm_str id, hm_str json, bool dry) {
  hm_json *tree;
  hm_buf key = { 0 };
  if (hm_json_parse(cli->a, json, &tree, &cli->err)) return -1;
  hm_json_put(&key, hm_json_get(tree, "slot_key"));
  const char *title = hm_show(cli, hm_slot_title(cli->a, hm_buf_view(&key)), 120), *shown = hm_show(cli, id, VALUE_SHOWN);
  hm_buf_free(&key);
  printf("%s⚠ disputed%s: %s  %s: %s", hm_style_of(cli, HM_YELLOW), hm_style_of(cli, HM_PLAIN), shown, title,
         hm_show(cli, hm_conflict_values(cli->a, tree, VALUE_SHOWN), 240));
  if (dry) puts("");
  else printf(" (hmirror conflicts show %s)\n", shown);
  return 0;
}

/* What the write did between other rows. */
static void other_lines(hm_cli *cli, const hm_written *w) {
  for (size_t i = 0; i < w->n_opened; i++) {
    if (is_among(w->opened[i], w->conflicts, w->n_conflicts)) continue;
    printf("%s⚠ disputed%s: %s, between other rows\n", hm_style_of(cli, HM_YELLOW), hm_style_of(cli, HM_PLAIN),
           hm_show(cli, w->opened[i], VALUE_SHOWN));
  }
  for (size_t i = 0; i < w->n_quieted; i++)
    printf("no longer disputed, awaiting sign-off: %s\n", hm_show(cli, w->quieted[i], VALUE_SHOWN));
}

static int as_text(hm_cli *cli, const hm_written *w, const char *done, bool dry) {
  const char *ref = hm_show(cli, w->ref, 0);
  if (cli->quiet) return puts(ref) < 0 ? -1 : 0;
  if (!w->changed) printf("%s: nothing to change\n", ref);
  else printf("%s%s: %s\n", dry ? "dry run, would be " : "", done, ref);
  if (w->warn_open) printf("warning: %s\n", hm_warning_open);
  for (size_t i = 0; i < w->n_conflicts; i++)
    if (disputed_line(cli, w->conflicts[i], w->conflicts_json[i], dry && is_among(w->conflicts[i], w->opened, w->n_opened))) return -1;
  other_lines(cli, w);
  return 0;
}

int hm_write_verb(hm_cli *cli, hm_write_fn *fn, void *ctx, const char *done) {
  hm_store *store = NULL;
  hm_written out;
  hm_review r = { .rules = &cli->config.rules, .dry_run = hm_cli_option(cli, "dry-run") != NULL };
  if (hm_actor_of(cli, &r.who)) return -1;
  r.who.why = hm_str_trim(hm_str_c(hm_cli_option(cli, "notes")));
  if (hm_cli_open_writer(cli, r.dry_run, &store)) return -1;
  hm_progress_phase(cli->progress, "writing; the first write makes the index of the claims");
  hm_time began = hm_time_now();
  int rc = fn(ctx, store, &r, cli->a, &out, &cli->err);
  hm_store_close(store);
  hm_progress_clear(cli->progress);
  if (rc) return -1;
  hm_detail(cli, "%s: written in %.2f ms", cli->store, (double)(hm_time_now() - began) / 1000);
  return cli->json ? as_json(cli, &out, r.dry_run) : as_text(cli, &out, done, r.dry_run);
}
