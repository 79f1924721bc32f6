#include "gen/cli/finding_text.h"
#include <stdio.h>

static void one(hm_jw *w, const hm_finding *f) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "id", f->id);
  hm_jw_str(w, "kind", f->kind);
  hm_jw_str(w, "severity", f->severity);
  hm_jw_str(w, "rule", f->rule);
  hm_jw_str(w, "project", f->project);
  hm_jw_arr(w, "rows");
  for (size_t i = 0; i < f->n_rows; i++) hm_jw_str(w, NULL, f->rows[i]);
  hm_jw_end(w);
  hm_jw_str(w, "message", f->message);
  hm_jw_str(w, "expected", f->expected);
  hm_jw_str(w, "actual", f->actual);
  hm_jw_end(w);
}

void hm_findings_json(hm_jw *w, const hm_finding *f, size_t n) {
  hm_jw_arr(w, "findings");
  for (size_t i = 0; i < n; i++) one(w, &f[i]);
  hm_jw_end(w);
}

/* The row in front, unless the message begins with it. */
static const char *subject(hm_cli *cli, const hm_finding *f) {
  if (f->n_rows == 0 || hm_str_starts(f->message, hm_show(cli->a, f->rows[0], 80))) return "";
  return hm_str_fmt(cli->a, "%s: ", hm_show(cli->a, f->rows[0], 80)).p;
}

void hm_findings_list(hm_cli *cli, const hm_finding *f, size_t n, size_t most) {
  for (size_t i = 0; i < n && i < most; i++)
    printf("%s%s%s  %s  %s%s\n", hm_style_of(cli, HM_CYAN), hm_show(cli->a, f[i].kind, 40),
           hm_style_of(cli, HM_PLAIN), f[i].project.n ? hm_show(cli->a, f[i].project, 60) : "global",
           subject(cli, &f[i]), hm_show(cli->a, f[i].message, 300));
  if (n > most)
    printf("and %s more: see --verbose or --format json\n", hm_thousands(cli->a, (int64_t)(n - most)));
}
