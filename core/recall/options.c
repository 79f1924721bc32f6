/* What a question is asked with: defaults, checks, and reading it from texts. */
#include <stdio.h>
#include <stdlib.h>

#include "core/recall/answer.h"
#include "core/store/lookup.h"

hm_recall_options hm_recall_defaults(void) {
  return (hm_recall_options){ .k = HM_RECALL_K,
                              .overfetch = HM_RECALL_OVERFETCH,
                              .weights = { .lexical = 0.20,
                                           .semantic = 0.55,
                                           .recency = 0.15,
                                           .importance = 0.10 },
                              .decay = 0.1,
                              .project = HM_MAP_NONE };
}

static int refuse(const char *field, const char *why, const char *fix, hm_err *err) {
  hm_fail(err, HM_E_INPUT, field, why, fix);
  return hm_err_at_field(err, hm_str_c(field));
}

int hm_recall_check(const hm_recall_options *opt, hm_err *err) {
  const hm_recall_weights *w = &opt->weights;
  const double all[] = { w->lexical, w->semantic, w->recency, w->importance };
  double sum = 0;
  if (opt->k < 1 || opt->k > HM_RECALL_K_MAX) return refuse("k", "not 1 to 1000", NULL, err);
  if (opt->overfetch < 1 || opt->overfetch > HM_OVERFETCH_MAX)
    return refuse("overfetch", "not 1 to 100", NULL, err);
  for (size_t i = 0; i < HM_COUNT(all); i++) {
    if (!(all[i] >= 0 && all[i] <= 1000)) return refuse("weights", "not 0 to 1000", NULL, err);
    sum += all[i];
  }
  if (!(sum > 0))
    return refuse("weights", "all of them are 0, so nothing would order the hits",
                  "give at least one of lexical, semantic, recency, importance", err);
  if (!(opt->min_importance >= 0 && opt->min_importance <= 1))
    return refuse("min_importance", "not 0 to 1", NULL, err);
  return 0;
}

int hm_recall_weights_read(hm_str text, hm_recall_weights *w, hm_err *err) {
  const struct { const char *name; double *weight; } names[] = {
    { "lexical", &w->lexical },
    { "semantic", &w->semantic },
    { "recency", &w->recency },
    { "importance", &w->importance },
  };
  while (text.n) {
    char number[32], *end = number;
    size_t comma = 0, equals = 0, i = 0;
    while (comma < text.n && text.p[comma] != ',') comma++;
    hm_str part = hm_str_trim(hm_str_sub(text, 0, comma));
    text = hm_str_sub(text, comma + 1, text.n);
    while (equals < part.n && part.p[equals] != '=') equals++;
    hm_str name = hm_str_sub(part, 0, equals), value = hm_str_sub(part, equals + 1, part.n);
    while (i < HM_COUNT(names) && !hm_str_is(name, names[i].name)) i++;
    if (value.n && value.n < sizeof number) {
      memcpy(number, value.p, value.n);
      number[value.n] = 0;
      if (i < HM_COUNT(names)) *names[i].weight = strtod(number, &end);
    }
    if (end == number || *end)
      return refuse("weights", "not a list as lexical=0.2,semantic=0.55",
                    "the names are lexical, semantic, recency, importance", err);
  }
  return 0;
}

/* --- from texts ------------------------------------------------------------------- */

static int read_count(hm_str text, const char *field, long least, long most, size_t *out,
                      hm_err *err) {
  char z[16], *end;
  if (!text.n) return 0;
  if (text.n >= sizeof z) text.n = sizeof z - 1;
  memcpy(z, text.p, text.n);
  z[text.n] = 0;
  long n = strtol(z, &end, 10);
  char why[48];
  snprintf(why, sizeof why, "not a number from %ld to %ld", least, most);
  if (end == z || *end || n < least || n > most) return refuse(field, why, NULL, err);
  *out = (size_t)n;
  return 0;
}

static int read_time(hm_str text, const char *field, bool *given, hm_time *out, hm_err *err) {
  hm_precision p;
  *given = text.n > 0;
  if (!text.n || hm_time_parse(text, out, &p)) return 0;
  return refuse(field, "not a time", "write it as 2026-04-02T09:00:00Z or 2026-04-02", err);
}

static int read_project(const hm_snapshot *snap, hm_str name, hm_arena *a, uint32_t *out,
                        hm_err *err) {
  hm_project_fit fit = { 0 };
  if (!name.n) return 0;
  *out = hm_snapshot_project(snap, name, a, &fit);
  if (*out != HM_MAP_NONE) return 0;
  hm_project_unknown(name, &fit, err);
  return hm_err_at_field(err, HM_STR("project"));
}

int hm_recall_texts_read(const hm_recaller *r, const hm_recall_texts_given *t, hm_arena *a,
                         hm_recall_options *opt, hm_recall_expand *expand, hm_err *err) {
  const hm_snapshot *snap = hm_recall_snapshot(hm_recaller_rows(r));
  size_t depth = HM_EXPAND_DEPTH, cap = HM_EXPAND_CAP;
  *opt = hm_recall_defaults();
  opt->semantic = hm_str_is(t->mode, "semantic");
  if (t->mode.n && !opt->semantic && !hm_str_is(t->mode, "hybrid"))
    return refuse("mode", "neither semantic nor hybrid", NULL, err);
  if (t->min_importance.n) {
    char *z = hm_str_z(a, t->min_importance), *end;
    opt->min_importance = strtod(z, &end);
    if (end == z || *end) return refuse("min_importance", "not 0 to 1", NULL, err);
  }
  if (read_count(t->k, "k", 1, HM_RECALL_K_MAX, &opt->k, err) ||
      read_count(t->overfetch, "overfetch", 1, HM_OVERFETCH_MAX, &opt->overfetch, err) ||
      read_count(t->depth, "depth", 1, HM_EXPAND_DEPTH_MAX, &depth, err) ||
      read_count(t->cap, "cap", 1, HM_EXPAND_CAP_MAX, &cap, err) ||
      read_time(t->clock, "clock", &opt->clocked, &opt->clock, err) ||
      read_time(t->as_of, "as_of", &opt->dated, &opt->as_of, err) ||
      hm_recall_weights_read(t->weights, &opt->weights, err) ||
      read_project(snap, t->project, a, &opt->project, err))
    return -1;
  opt->type = t->type;
  opt->tag = t->tag;
  opt->include_superseded = t->include_superseded;
  *expand = (hm_recall_expand){ t->expand, (int)depth, (int)cap };
  return hm_recall_check(opt, err);
}
