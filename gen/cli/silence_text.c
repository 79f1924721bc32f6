#include "gen/cli/silence_text.h"
#include <stdio.h>
#include "gen/cli/out.h"

enum { TYPES_SHOWN = 8 };

static void type_list(hm_cli *cli, const hm_silence *s) {
  size_t shown = 0, left = 0;
  for (size_t i = 0; i < s->n; i++) {
    const hm_silence_type *t = &s->types[i];
    if (!t->silent) continue;
    if (shown == TYPES_SHOWN) { left++; continue; }
    printf("%s%s of %s %s", shown++ ? ", " : " (", hm_thousands(cli->a, t->silent),
           hm_thousands(cli->a, t->active), t->type.n ? hm_show(cli->a, t->type, 40) : "without a type");
  }
  if (left) printf(", and %s", hm_count_text(cli->a, (int64_t)left, "more type", NULL));
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
    printf("%s%s of %s active %s", sep, hm_thousands(cli->a, s->silent[l]), hm_thousands(cli->a, s->active[l]),
           many[l]);
    if (l == HM_MEMORY) type_list(cli, s);
    sep = "; ";
  }
  puts("");
}

void hm_silence_note(hm_cli *cli, const hm_silence *s) {
  if (!hm_silence_is_notable(s)) return;
  hm_note(
      cli,
      "%s of %s active memories claim nothing, so nothing can contradict them: prose is not read unless it says "
      "'SUBJECT is VALUE' or the like; a slot_rule names what a memory is about (see 'hmirror health')",
      hm_thousands(cli->a, s->silent[HM_MEMORY]), hm_thousands(cli->a, s->active[HM_MEMORY]));
}
