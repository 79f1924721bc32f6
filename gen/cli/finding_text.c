/* What a sweep saw besides conflicts: findings, and rows that claim nothing. */
#include "gen/cli/finding_text.h"
#include <stdio.h>

static void put_finding(hm_jw *w, const hm_finding *f) {
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
  for (size_t i = 0; i < n; i++) put_finding(w, &f[i]);
  hm_jw_end(w);
}

/* The row in front, unless the message begins with it. */
static const char *subject(hm_cli *cli, const hm_finding *f) {
  if (f->n_rows == 0 || hm_str_starts(f->message, hm_show(cli->a, f->rows[0], 80))) return "";
  return hm_str_fmt(cli->a, "%s: ", hm_show(cli->a, f->rows[0], 80)).p;
}

void hm_findings_list(hm_cli *cli, const hm_finding *f, size_t n, size_t most) {
  for (size_t i = 0; i < n && i < most; i++)
    printf("%s%s%s  %s  %s%s\n", cli->cyan, hm_show(cli->a, f[i].kind, 40),
           cli->plain, f[i].project.n ? hm_show(cli->a, f[i].project, 60) : "global",
           subject(cli, &f[i]), hm_show(cli->a, f[i].message, 300));
  if (n > most)
    printf("and %s more: see --verbose or --format json\n", hm_thousands(cli->a, (n - most)));
}

enum { TYPES_SHOWN = 8 };

static void type_list(hm_cli *cli, const hm_silence *s) {
  size_t shown = 0, left = 0;
  for (size_t i = 0; i < s->n; i++) {
    const hm_silence_type *t = &s->types[i];
    if (!t->silent) continue;
    if (shown == TYPES_SHOWN) { left++; continue; }
    printf("%s%s of %s %s", shown++ ? ", " : " (", hm_thousands(cli->a, t->silent),
           hm_thousands(cli->a, t->active),
           t->type.n ? hm_show(cli->a, t->type, 40) : "without a type");
  }
  if (left) printf(", and %s", hm_count_text(cli->a, left, "more type"));
  if (shown) printf(")");
}

void hm_silence_line(hm_cli *cli, const hm_silence *s) {
  static const char *const many[] = {
    [HM_MEMORY] = "memories", [HM_ENTITY] = "entities", [HM_STATE] = "states"
  };
  const char *sep = "";
  if (!(s->silent[HM_MEMORY] + s->silent[HM_ENTITY] + s->silent[HM_STATE])) return;
  printf("  %-14s ", "claim nothing");
  for (hm_layer l = HM_MEMORY; l <= HM_STATE; l++) {
    if (!s->silent[l]) continue;
    printf("%s%s of %s active %s", sep, hm_thousands(cli->a, s->silent[l]),
           hm_thousands(cli->a, s->active[l]), many[l]);
    if (l == HM_MEMORY) type_list(cli, s);
    sep = "; ";
  }
  puts("");
}

void hm_silence_note(hm_cli *cli, const hm_silence *s) {
  if (!hm_silence_is_notable(s)) return;
  hm_note(
      cli,
      "%s of %s active memories claim nothing, so nothing can contradict them: prose is not read "
      "unless it says "
      "'SUBJECT is VALUE' or the like; a slot_rule names what a memory is about (see 'hmirror "
      "health')",
      hm_thousands(cli->a, s->silent[HM_MEMORY]), hm_thousands(cli->a, s->active[HM_MEMORY]));
}
