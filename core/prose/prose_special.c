/* Forms after "is" that are in no table: "is rebuilt every 6 hours", "are deleted after 30 days",
 * "are retried up to 5 times", "is open from 8:00 to 20:00", "is at https://...", "is on Tuesdays
 * at 10:00", "is 32-year-old", "is using X for Y", "was raised to 60 s"; and "founded". */
#include "core/prose/prose_grammar.h"

/* --- every, after, times --------------------------------------------------------------------- */

/* Participles of what happens to a thing by itself, after a while. */
static const char happens[] =
    "archived|cancelled|canceled|cleared|closed|collected|compacted|deleted|disconnected|"
    "dropped|evicted|expired|flushed|invalidated|killed|locked|logged out|purged|refreshed|"
    "released|removed|renewed|restarted|rotated|terminated|unlocked";

static bool read_after(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  size_t after = prose_are(p, at, end, "logged out") ? at + 2 : at + 1;
  prose_quantity q;
  if (!prose_is(p, after, end, "after") || np->person || !prose_one_of(p, at, end, happens) ||
      !prose_read_quantity(p, &q, after + 1, end) || q.unit != UNIT_TIME)
    return false;
  hm_str attribute = HM_CAT(p->a, p->t[at].low, HM_STR("_after"));
  prose_claim_quantity(p, np, v, &q, end, hm_str_z(p->a, attribute));
  return true;
}

/* "nightly at 01:30", "every day at 6 am" at `at`: a time that comes back. */
static bool read_daily(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  static const char done[] = "executed|made|performed|run|sent|started|taken";
  bool part = prose_one_of(p, at, end, done) || hm_str_ends(p->t[at].low, "ed");
  size_t to, from = part ? at + 1 : at,
             n = prose_one_of(p, from, end, "daily|every day|every night|nightly");
  if (from == at || !prose_is(p, from + n, end, "at") || np->person || np->indefinite ||
      !prose_is_clock(p, from + n + 1, end, &to))
    return false;
  bool own = !prose_one_of(p, at, end, done); /* "generated daily at" */
  hm_str attribute = HM_CAT(p->a, p->t[at].low, HM_STR("_time"));
  return prose_claim_attribute(p, np, v, own ? hm_str_z(p->a, attribute) : "start_time",
                               from + n + 1, to, end);
}

/* "reports are sent every Monday at 9am", "bins are emptied on Tuesdays" at `at`. */
static bool read_done_on(prose *p, const prose_np *np, size_t from, size_t at, size_t end) {
  prose_np done = *np;
  bool held = prose_is(p, at, end, "held");
  if ((!hm_str_ends(p->t[at].low, "ed") && !prose_one_of(p, at, end, "held|run|sent|taken")) ||
      p->t[at].stop || (p->t[at].cls & (C_STATE | C_MOVED | C_UNSURE | C_ON | C_OFF)))
    return false;
  if (!held) {
    prose_make_all_subject(&done);
    prose_add_word(&done.subject, p->t[at].low);
  }
  return prose_read_schedule(p, &done, from, at + 1, end);
}

/* "checkpoints are saved every 500 steps" at `at`: by a count. */
static bool read_every_count(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  prose_quantity q;
  if (!prose_is(p, at + 1, end, "every") || !hm_str_ends(p->t[at].low, "ed") || np->person ||
      np->indefinite || !prose_read_quantity(p, &q, at + 2, end) || !q.plain || q.range ||
      q.to + 1 != end || p->t[q.to].cls & ~(C_HEADING | C_MEASURE) ||
      !hm_str_ends(p->t[q.to].low, "s"))
    return false;
  hm_str attribute = HM_CAT(p->a, p->t[at].low, HM_STR("_every_"), p->t[q.to].low);
  q.to++;
  return prose_claim_quantity(p, np, v, &q, end, hm_str_z(p->a, attribute));
}

static bool read_every(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  prose_quantity q;
  /* "the rotation is every 60 days" */
  if (prose_is(p, at, end, "every") && !np->person && prose_read_quantity(p, &q, at + 1, end) &&
      q.unit == UNIT_TIME)
    return prose_claim_quantity(p, np, v, &q, end, "interval");
  if (read_daily(p, np, v, at, end) || read_every_count(p, np, v, at, end))
    return true;
  if (!hm_str_ends(p->t[at].low, "ed") &&
      !prose_one_of(p, at, end, "done|due|held|made|paid|rebuilt|reset|run|sent|taken"))
    return false;
  if (prose_read_day_of_month(p, np, v, at + 1, end))
    return true;
  if (!prose_is(p, at + 1, end, "every"))
    return !np->person && prose_read_often(p, np, v, at + 1, end);
  if (!prose_read_quantity(p, &q, at + 2, end) || q.unit != UNIT_TIME)
    return false;
  prose_claim_quantity(p, np, v, &q, end, "interval");
  return true;
}

/* "The spare key is with Mrs Kolb": who has a thing of which there is one. */
static bool read_with(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  if (!prose_is(p, at, end, "with") || at + 1 >= end || end - at > 4 || np->person ||
      np->indefinite || np->value || v->denied || !prose_is(p, v->from, end, "the"))
    return false;
  for (size_t k = at + 1; k < end; k++)
    if (!p->t[k].capital || p->t[k].digit || (p->t[k].cls & (C_DAY | C_PRONOUN)))
      return false;
  return prose_claim_attribute(p, np, v, "holder", at + 1, end, end);
}

/* --- places -------------------------------------------------------------------------------- */

/* "[served] at https://api.example.org/v2" */
static bool read_url(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  if (prose_one_of(p, i, end, "available|hosted|served|reachable|located"))
    i++;
  if (!prose_is(p, i, end, "at") || i + 2 != end || np->person || v->denied)
    return false;
  if (hm_str_find(p->t[i + 1].s, "://") < 1 || np->indefinite)
    return false;
  if (hm_str_starts(p->t[i + 1].s, "<"))
    return false; /* a link's signs */
  return prose_claim_attribute(p, np, v, "url", i + 1, i + 2, end);
}

/* "The office is in Berlin": places that are in one town. */
static bool read_town(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  prose_match m;
  if (!prose_is(p, i, end, "in") || v->denied || np->indefinite || np->person)
    return false;
  size_t stop = prose_tail_start(p, i + 1, end);
  if (!prose_one_of(
          p, np->last, np->last + 1,
          "archive|depot|factory|headquarters|hq|lab|museum|office|offices|studio|warehouse") ||
      stop == i + 1 || stop > i + 4 || prose_value_at(p, i + 1, end, &m))
    return false;
  for (size_t k = i + 1; k < stop; k++)
    if (!p->t[k].capital || (p->t[k].cls & C_DAY) || p->t[k].digit)
      return false;
  return prose_claim_attribute(p, np, v, "location", i + 1, stop, end);
}

/* "was founded in 1998" at i. */
static bool read_founded(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  if (!prose_one_of(p, i, end, "founded|established") || !prose_is(p, i + 1, end, "in"))
    return false;
  if (i + 3 != end || !p->t[i + 2].digit || p->t[i + 2].s.n != 4 || np->indefinite)
    return false;
  return prose_claim_attribute(p, np, v, "founding_year", i + 2, i + 3, end);
}

/* --- all of them --------------------------------------------------------------------------- */

/* "is [a] 32-year-old engineer" */
static bool read_age(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  size_t age = prose_has(p, at, end, C_ARTICLE) ? at + 1 : at;
  if (!np->person || age >= end || !p->t[age].digit || !hm_str_ends(p->t[age].low, "-year-old"))
    return false;
  v->shape = HM_SHAPE_QUANTITY;
  v->value = hm_str_sub(p->t[age].s, 0, p->t[age].s.n - 9);
  v->to = age + 1;
  prose_set_attribute(np, "age");
  prose_claim(p, np, v);
  return true;
}

static bool read_retried(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  return prose_is(p, i, end, "retried") && prose_read_times(p, np, v, i + 1, end);
}

bool prose_read_special(prose *p, prose_np *np, prose_value *v, size_t at, size_t end, bool past) {
  static const prose_reader present[] = {
    read_every, read_after, prose_read_hours,     read_age,    read_url,
    read_town,  read_with,  prose_read_allergies, read_retried
  };
  static const prose_reader gone[] = { read_founded, prose_read_birth };
  /* A number is no word of them, and most values are one */
  if (p->t[at].digit && !prose_ends_in(p->t[at].low, "ed|-year-old"))
    return false;
  if (past && prose_read_first(p, np, v, at, end, gone, HM_COUNT(gone)))
    return true;
  if (!past && !v->denied && prose_read_first(p, np, v, at, end, present, HM_COUNT(present)))
    return true;
  if (!past && v->denied && prose_read_allergies(p, np, v, at, end))
    return true;
  size_t days = prose_is(p, at, end, "only") ? at + 1 : at;
  if (!past && !v->denied && !np->person &&
      (prose_read_schedule(p, np, v->from, days, end) || read_done_on(p, np, v->from, at, end)))
    return true;
  bool user =
      np->user || np->subject.n == 0 || (np->subject.n == 1 && hm_str_is(np->subject.w[0], "user"));
  if (prose_is(p, at, end, "using") && !v->denied && user) {
    prose_read_use(p, v->from, at + 1, end);
    return true;
  }
  bool to = prose_one_of(p, at + 1, end, "to|from");
  if (!(p->t[at].cls & C_MOVED) || !to || v->denied)
    return false;
  prose_read_moved(p, np, v, at + 1, end);
  return true;
}
