/* What a page holds, in a sentence: "4 conflicts are disputed and 1 waits for sign-off. Recorded: 7
 * curated values and 30 entities." Zeros are left out. And which sections of an overview have
 * nothing, in a line. */
#include "model.h"

/* "a", "a and b", "a, b and c" */
static hm_str joined(hm_arena *a, const hm_str *parts, size_t n) {
  hm_str out[16];
  size_t n_out = 0;
  for (size_t i = 0; i < n && n_out < HM_COUNT(out) - 1; i++) {
    if (i) out[n_out++] = i + 1 == n ? HM_STR(" and ") : HM_STR(", ");
    out[n_out++] = parts[i];
  }
  return hm_str_join(a, out, n_out);
}

hm_str hm_facts_words(hm_arena *a, const int64_t *rows) {
  static const struct { hm_layer layer; const char *one, *many; } kinds[] = {
    { HM_STATE, "curated value", "curated values" },
    { HM_ENTITY, "entity", "entities" },
    { HM_MEMORY, "memory", "memories" },
    { HM_RELATION, "relation", "relations" } };
  hm_str parts[HM_COUNT(kinds)];
  size_t n = 0;
  for (size_t i = 0; i < HM_COUNT(kinds); i++)
    if (rows[kinds[i].layer])
      parts[n++] = hm_counted(a, (uint64_t)rows[kinds[i].layer], kinds[i].one, kinds[i].many);
  return n ? joined(a, parts, n) : HM_STR("nothing");
}

hm_str hm_doubt_words(hm_arena *a, const hm_doubts *d) {
  const struct { int64_t n; const char *one, *many; } doubts[] = {
    { d->disputed, "value is disputed", "values are disputed" },
    { d->signoff, "waits for sign-off", "wait for sign-off" },
    { d->findings, "finding stands", "findings stand" },
    { d->unknown, "thing is not known", "things are not known" } };
  hm_str parts[HM_COUNT(doubts)];
  size_t n = 0;
  if (!d->disputed) parts[n++] = HM_STR("Nothing is disputed");
  for (size_t i = 0; i < HM_COUNT(doubts); i++)
    if (doubts[i].n)
      parts[n++] = hm_counted(a, (uint64_t)doubts[i].n, doubts[i].one, doubts[i].many);
  return joined(a, parts, n);
}

void hm_pm_cut(hm_pm *m, hm_tv *o, const char *key, uint64_t shown, uint64_t all) {
  hm_str cut = HM_CAT(m->a, hm_grouped(m->a, shown), HM_STR(" of "), hm_grouped(m->a, all));
  hm_pm_text(m, o, key, shown < all ? cut : HM_EMPTY);
}

void hm_pm_nothing(hm_pm *m, hm_tv *model, const hm_section_name *sections, size_t n) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++) {
    if (!sections[i].empty) continue;
    if (b.n) hm_buf_c(&b, ", ");
    hm_buf_c(&b, sections[i].name);
  }
  hm_pm_text(m, model, "nothing", hm_buf_copy(&b, m->a));
  hm_buf_free(&b);
}
