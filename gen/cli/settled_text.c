#include "gen/cli/settled_text.h"

#include "gen/cli/out.h"

enum { SHOWN = 10, ID_SHOWN = 60, WHY_SHOWN = 400 };

static bool stays_open(const hm_settled_verdict *v) {
  return v->what == HM_SETTLE_UNFIT || v->what == HM_SETTLE_CONTESTED;
}

/* Two verdicts that differ are told once. */
static bool is_told(const hm_settled *s, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (s->v[k].what == s->v[i].what && hm_str_eq(s->v[k].conflict, s->v[i].conflict) &&
        hm_str_eq(s->v[k].why, s->v[i].why))
      return true;
  return false;
}

static void line(hm_cli *cli, const hm_settled_verdict *v) {
  const char *id = hm_show(cli, v->conflict, ID_SHOWN), *why = hm_show(cli, v->why, WHY_SHOWN);
  if (v->what == HM_SETTLE_CONTESTED)
    hm_note(cli, "conflict %s: two verdicts differ: %s: decide anew", id, why);
  else
    hm_note(cli, "conflict %s: an imported verdict no longer fits, so it stays open: %s", id, why);
}

void hm_settled_note(hm_cli *cli, const hm_settled *s, bool news) {
  size_t shown = 0, more = 0;
  if (s->counts[HM_SETTLED])
    hm_note(cli, "%s carried out",
            hm_count(cli, (int64_t)s->counts[HM_SETTLED], "imported verdict was",
                     "imported verdicts were"));
  if (s->counts[HM_SETTLE_WAITS] && !news)
    hm_note(cli, "%s for a conflict that is not there yet",
            hm_count(cli, (int64_t)s->counts[HM_SETTLE_WAITS], "imported verdict waits",
                     "imported verdicts wait"));
  for (size_t i = 0; i < s->n; i++) {
    if (!stays_open(&s->v[i]) || (news && !s->v[i].news)) continue;
    if (shown == SHOWN) more++;
    else if (!is_told(s, i)) line(cli, &s->v[i]), shown++;
  }
  if (more)
    hm_note(cli, "and %s more: see 'hmirror health --format json'",
            hm_count(cli, (int64_t)more, "verdict", NULL));
}

void hm_settled_json(hm_jw *w, const hm_settled *s) {
  hm_jw_obj(w, "verdicts");
  hm_jw_int(w, "carried_out", (int64_t)s->counts[HM_SETTLED]);
  hm_jw_int(w, "known", (int64_t)s->counts[HM_SETTLED_BEFORE]);
  hm_jw_int(w, "waiting", (int64_t)s->counts[HM_SETTLE_WAITS]);
  hm_jw_int(w, "replaced", (int64_t)s->counts[HM_SETTLE_REPLACED]);
  hm_jw_arr(w, "stays_open");
  for (size_t i = 0; i < s->n; i++) {
    if (!stays_open(&s->v[i])) continue;
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "conflict", s->v[i].conflict);
    hm_jw_str(w, "verdict", s->v[i].verdict);
    hm_jw_str(w, "why", s->v[i].why);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_end(w);
}
