#include <stdlib.h>
#include <string.h>
#include "core/base/time.h"
#include "gen/cli/publish.h"

#define SECOND 1000000
#define YEAR_9999 253402300799

static void newest(hm_time *t, hm_str time) {
  hm_time at;
  hm_precision p;
  if (hm_time_parse(time, &at, &p) && at > *t) *t = at;
}

/* As hm_snapshot.newest, of what is published: the time of a row that is left out is a fact about it. */
static hm_time newest_published(const hm_sweep *w, const hm_view *view) {
  const hm_snapshot *s = w->snap;
  const bool *hidden = hm_view_hidden(view);
  hm_time t = HM_TIME_MIN;
  for (size_t i = 0; i < s->n_rows; i++) {
    if (hidden[i]) continue;
    newest(&t, s->rows[i].created_at);
    newest(&t, s->details[i].updated_at);
    newest(&t, s->details[i].superseded_at);
  }
  size_t n;
  const hm_conflict_rec **c = hm_view_conflicts(view, &n);
  for (size_t i = 0; i < n; i++)
    if (c[i]->status != HM_OPEN) newest(&t, c[i]->resolved_at);
  return t;
}

static bool leaves_out_rows(const hm_exclude *x) {
  return x->n_projects || x->n_types || x->n_statuses || x->n_tags || x->n_properties;
}

int hm_publish_epoch(hm_cli *cli, int64_t *out) {
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  size_t n = epoch ? strlen(epoch) : 0;
  *out = -1;
  if (!n) return 0;
  if (n <= 12 && strspn(epoch, "0123456789") == n) *out = strtoll(epoch, NULL, 10);
  if (*out >= 0 && *out <= YEAR_9999) return 0;
  return hm_failf(&cli->err, HM_E_USAGE, "SOURCE_DATE_EPOCH", "give seconds since 1970 in digits, or unset it",
                  "'%.40s' is no time", epoch);
}

int64_t hm_publish_when(const hm_cli *cli, const hm_sweep *sweep, const hm_view *view) {
  hm_time t = HM_TIME_MIN;
  if (leaves_out_rows(&cli->config.exclude)) t = newest_published(sweep, view);
  else newest(&t, sweep->snap->newest);
  return t > 0 ? t / SECOND : 0;
}
