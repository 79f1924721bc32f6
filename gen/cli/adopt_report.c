/* adopt --dry-run: what a store's layers hold and claim: adopt_report.h.
 *
 * A row is counted once: it claims, or it is silent for one reason (hm_silence_reasons). Samples
 * are the first rows by id. Cost: a sweep, and a pass over the rows. */
#include "gen/cli/adopt_report.h"

#include <stdio.h>

#include "core/claim/silence.h"
#include "gen/cli/conflict_text.h"
#include "gen/cli/out.h"

enum { SAMPLES = 3, REASONS_MAX = 24, TEXT_SHOWN = 100 };

/* Rows of a layer that claim (why NULL), or that are silent for one reason. */
typedef struct { const char *why; int64_t rows; uint32_t samples[SAMPLES]; size_t n; } row_group;
typedef struct { int64_t read; row_group groups[REASONS_MAX]; size_t n; } layer_report;

static const char *const LAYERS[] = {
  [HM_MEMORY] = "memories", [HM_ENTITY] = "entities", [HM_STATE] = "project_state",
  [HM_RELATION] = "relations",
};

/* The words of a reason are static: one address, one reason. */
static void count_row(layer_report *l, uint32_t row, const char *why) {
  size_t i = 0;
  while (i < l->n && l->groups[i].why != why) i++;
  if (i == REASONS_MAX) return;
  if (i == l->n) l->groups[l->n++] = (row_group){ .why = why };
  row_group *g = &l->groups[i];
  l->read++;
  g->rows++;
  if (g->n < SAMPLES) g->samples[g->n++] = row;
}

/* "p05 / gain: 3", of the row's first claim. */
static hm_str claim_text(hm_cli *cli, const hm_sweep *w, uint32_t row) {
  for (size_t i = 0; i < w->claims->n; i++) {
    const hm_claim *c = &w->claims->claims[i];
    if (c->row != row) continue;
    hm_str project = w->snap->projects[c->project].id;
    return hm_str_fmt(cli->a, "%.*s%s%.*s: %.*s", HM_FMT(project), project.n ? " / " : "",
                      HM_FMT(c->name), HM_FMT(c->value.raw));
  }
  return HM_EMPTY;
}

/* What the row says, as far as one line has it. */
static hm_str row_text(hm_cli *cli, const hm_row *r) {
  switch (r->layer) {
    case HM_ENTITY: return hm_str_fmt(cli->a, "%.*s: %.*s", HM_FMT(r->type), HM_FMT(r->name));
    case HM_STATE: return hm_str_fmt(cli->a, "%.*s: %.*s", HM_FMT(r->name), HM_FMT(r->text));
    case HM_RELATION:
      return hm_str_fmt(cli->a, "%.*s %.*s %.*s", HM_FMT(r->from), HM_FMT(r->type), HM_FMT(r->to));
    default: return r->text;
  }
}

static hm_str sample_text(hm_cli *cli, const hm_sweep *w, const row_group *g, size_t i) {
  uint32_t row = g->samples[i];
  return g->why ? row_text(cli, &w->snap->rows[row]) : claim_text(cli, w, row);
}

static void print_group(hm_cli *cli, const hm_sweep *w, const row_group *g) {
  const char *rows = hm_thousands(cli->a, g->rows);
  if (g->why) printf("  %s silent; each %s:\n", rows, g->why);
  else printf("  %s claim:\n", rows);
  for (size_t i = 0; i < g->n; i++) {
    const hm_row *r = &w->snap->rows[g->samples[i]];
    printf("    %s:%s  %s\n", hm_layer_kind(r->layer), hm_show(cli->a, r->id, 40),
           hm_show(cli->a, sample_text(cli, w, g, i), TEXT_SHOWN));
  }
}

static void group_json(hm_cli *cli, hm_jw *j, const hm_sweep *w, const row_group *g) {
  hm_jw_obj(j, NULL);
  hm_jw_str_or_null(j, "silent", hm_str_c(g->why));
  hm_jw_int(j, "rows", g->rows);
  hm_jw_arr(j, "samples");
  for (size_t i = 0; i < g->n; i++) {
    const hm_row *r = &w->snap->rows[g->samples[i]];
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "row", hm_str_fmt(cli->a, "%s:%.*s", hm_layer_kind(r->layer), HM_FMT(r->id)));
    hm_jw_str(j, "text", hm_str_c(hm_show(cli->a, sample_text(cli, w, g, i), TEXT_SHOWN)));
    hm_jw_end(j);
  }
  hm_jw_end(j);
  hm_jw_end(j);
}

static int report_json(hm_cli *cli, const hm_sweep *w, const layer_report *all) {
  hm_jw *j = hm_json_begin(cli);
  hm_jw_arr(j, "layers");
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++) {
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "layer", hm_str_c(LAYERS[l]));
    hm_jw_int(j, "read", all[l].read);
    hm_jw_arr(j, "rows");
    for (size_t i = 0; i < all[l].n; i++) group_json(cli, j, w, &all[l].groups[i]);
    hm_jw_end(j);
    hm_jw_end(j);
  }
  hm_jw_end(j);
  hm_jw_int(j, "projects", w->snap->n_projects);
  hm_jw_int(j, "disputes", w->disputes->n);
  return hm_json_end(cli);
}

static void report_text(hm_cli *cli, const hm_sweep *w, const layer_report *all) {
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++) {
    printf("%s: %s\n", LAYERS[l],
           all[l].read ? hm_count_words(cli->a, all[l].read, "row is read", "rows are read")
                       : "nothing is read");
    for (size_t i = 0; i < all[l].n; i++) print_group(cli, w, &all[l].groups[i]);
  }
  printf("%s; nothing was copied or recorded\n", hm_count_text(cli->a, w->disputes->n, "dispute"));
}

int hm_adopt_report(hm_cli *cli) {
  hm_sweep w;
  layer_report all[HM_RELATION + 1] = { { 0 } };
  if (hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ 0 }, &w, &cli->err)) return -1;
  const char **why = hm_silence_reasons(w.snap, w.claims, cli->a);
  /* What claims comes first. */
  for (int silent = 0; silent <= 1; silent++)
    for (size_t i = 0; i < w.snap->n_rows; i++)
      if ((why[i] != NULL) == silent) count_row(&all[w.snap->rows[i].layer], (uint32_t)i, why[i]);
  hm_phase_end(cli);
  int rc = HM_EXIT_FINE;
  if (cli->json) rc = report_json(cli, &w, all);
  else report_text(cli, &w, all);
  hm_sweep_free(&w);
  return rc;
}
