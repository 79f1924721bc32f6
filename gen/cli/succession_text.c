#include "gen/cli/succession_text.h"
#include <stdio.h>
#include "core/detect/explain.h"
#include "core/detect/finding.h"
#include "gen/cli/out.h"
#include "gen/cli/work.h"

enum { REF = 200, NOTES = 240, WHEN = 40 };

static void put_json(hm_cli *cli, hm_jw *w, const hm_snapshot *snap, const hm_succession *s) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "winner", hm_row_ref(cli->a, &snap->rows[s->winner]));
  hm_jw_arr(w, "rows");
  for (size_t i = 0; i < s->n; i++) hm_jw_str(w, NULL, hm_row_ref(cli->a, &snap->rows[s->rows[i]]));
  hm_jw_end(w);
  hm_jw_str(w, "conflict", s->conflict->id);
  hm_slot_key_json(w, s->conflict->slot_key, cli->a);
  hm_jw_str_or_null(w, "resolved_at", s->conflict->resolved_at);
  hm_jw_str_or_null(w, "resolved_by", s->conflict->resolved_by);
  hm_jw_str(w, "resolution", s->conflict->resolution);
  hm_jw_end(w);
}

static const char *ref(hm_cli *cli, const hm_snapshot *snap, uint32_t row) {
  return hm_show(cli->a, hm_row_ref(cli->a, &snap->rows[row]), REF);
}

static void show(hm_cli *cli, const hm_snapshot *snap, const hm_succession *s) {
  const hm_conflict_rec *c = s->conflict;
  printf("%s superseded ", ref(cli, snap, s->winner));
  for (size_t i = 0; i < s->n; i++) printf("%s%s", i ? ", " : "", ref(cli, snap, s->rows[i]));
  printf(" because of %s%s%s (%s)", hm_style_of(cli, HM_BOLD), hm_show(cli->a, c->id, WHEN),
         hm_style_of(cli, HM_PLAIN), hm_show(cli->a, hm_slot_title(cli->a, c->slot_key), REF));
  if (c->resolved_at.n) printf(", %s", hm_show(cli->a, c->resolved_at, WHEN));
  if (c->resolved_by.n) printf(", by %s", hm_show(cli->a, c->resolved_by, REF));
  if (c->resolution.n) printf(": %s", hm_show(cli->a, c->resolution, NOTES));
  putchar('\n');
}

void hm_successions_show(hm_cli *cli, hm_jw *json, const hm_snapshot *snap,
                         const hm_succession *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (json) put_json(cli, json, snap, &list[i]);
    else show(cli, snap, &list[i]);
}
