#include "gen/mirror/settled_text.h"

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

static void line(const hm_mirror *m, const hm_settled_verdict *v) {
  const char *id = hm_show(m->a, v->conflict, ID_SHOWN), *why = hm_show(m->a, v->why, WHY_SHOWN);
  if (v->what == HM_SETTLE_CONTESTED)
    hm_warn(&m->say, "conflict %s: two verdicts differ: %s: decide anew", id, why);
  else
    hm_warn(&m->say, "conflict %s: an imported verdict no longer fits, so it stays open: %s", id, why);
}

void hm_settled_warn(const hm_mirror *m, const hm_settled *s, bool news) {
  size_t shown = 0, more = 0;
  if (s->counts[HM_SETTLED])
    hm_warn(&m->say, "%s carried out",
            hm_count_text(m->a, (int64_t)s->counts[HM_SETTLED], "imported verdict was",
                     "imported verdicts were"));
  if (s->counts[HM_SETTLE_WAITS] && !news)
    hm_warn(&m->say, "%s for a conflict that is not there yet",
            hm_count_text(m->a, (int64_t)s->counts[HM_SETTLE_WAITS], "imported verdict waits",
                     "imported verdicts wait"));
  for (size_t i = 0; i < s->n; i++) {
    if (!stays_open(&s->v[i]) || (news && !s->v[i].news)) continue;
    if (shown == SHOWN) more++;
    else if (!is_told(s, i)) line(m, &s->v[i]), shown++;
  }
  if (more)
    hm_warn(&m->say, "and %s more: see 'hmirror health --format json'",
            hm_count_text(m->a, (int64_t)more, "verdict", NULL));
}
