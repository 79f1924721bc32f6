/* What an agent should do next, in sentences beside the answer of a tool. */
#include "gen/mcp/mcp_impl.h"
#include <string.h>
#include "core/base/time.h"

/* OLD: it is a time, more than a day ago. */
typedef enum { HAS, LACKS, OLD } test;

#define MET "It contradicts other rows: tell your user of the conflict. People settle it."
#define ALIKE "Read `alike`, and report_contradiction those that cannot be true beside it."
#define SETTLE "People settle it: tell your user."

/* By tool; each that fits is told. A path leads through members, of a list to any item; of
 * "a|b" it is enough to have one. */
static const struct {
  const char *tool, *path;
  test is;
  const char *say;
} STEPS[] = {
  { "recall", "hits", LACKS, "Nothing fits: say that it is not recorded." },
  { "recall", "hits/disputed", HAS,
    "Name both sides of what is disputed, and say that it is not settled." },
  { "recall", "hits/findings", HAS, "Read `findings` of a hit before you rely on it." },
  { "context", "lines|left", LACKS, "Nothing is recorded for this." },
  { "context", "left", HAS, "More is recorded: ask with more tokens." },
  { "remember", "conflicts", HAS, MET },
  { "remember", "unread", HAS,
    "Nothing in it can be compared: a fact reads best as one plain sentence." },
  { "remember", "alike", HAS, ALIKE },
  { "remember", "warnings", HAS, "Read `warnings`: a name may be mistyped." },
  { "remember", "entity_type", HAS, "Then check what is new, with scope entity:ID." },
  { "relate", "conflicts", HAS, MET },
  { "relate", "findings", HAS, "Read `findings`: an end may be missing, or the time wrong." },
  { "relate", "warnings", HAS, "Read `warnings`: a name may be mistyped." },
  { "edit", "conflicts", HAS, MET },
  { "edit", "alike", HAS, ALIKE },
  { "check", "conflicts", HAS, "Tell your user what it contradicts." },
  { "check", "disputed", HAS,
    "Take back or qualify what you claimed of these; tell your user of the others." },
  { "check", "count", HAS,
    "Read `findings`: of what an orphan lacks say that it is unknown, not that there is none." },
  { "check", "unread", HAS, "Nothing in it can be compared, so that no conflict says nothing." },
  { "check", "alike", HAS, ALIKE },
  { "conflicts", "conflicts", HAS, "Tell your user of those that bear on your answer." },
  { "conflicts", "conflicts|id", LACKS,
    "No rule sees one here. review_next has pairs that no rule compared, list with kind finding "
    "what readers reported." },
  { "get", "disputes", HAS, "It is disputed: name both sides, and say that it is not settled." },
  { "get", "findings", HAS, "Read its `findings` before you rely on it." },
  { "report_contradiction", "finding", HAS, "A person confirms or dismisses it." },
  { "report_contradiction", "row", HAS, "A person looks at it." },
  { "report_contradiction", "denied_by", HAS,
    "It is not reported: a person looked at them as they are, see `denied_because`." },
  { "report_contradiction", "conflict_id", HAS, "It is an open conflict already. " SETTLE },
  { "not_a_contradiction", "conflict_id", HAS, "They are in an open conflict. " SETTLE },
  { "not_a_contradiction", "conflict_id", LACKS,
    "You are not asked about them again; people are." },
  { "review_next", "pairs", LACKS, "No pair is left." },
  { "review_next", "pairs", HAS, "Read both; then report_contradiction or not_a_contradiction." },
  { "health", "last_run", LACKS, "No check ran yet: check with scope all." },
  { "health", "last_run/finished_at", OLD,
    "The last check is more than a day old: say so with your answer, or check with scope all." },
};

static bool is_old(hm_str time) {
  hm_time at;
  hm_precision precision;
  return hm_time_parse(time, &at, &precision) && at < hm_time_shift(hm_time_now(), HM_P_DAY, -1);
}

static bool is_there(const hm_json *v, test is) {
  return v && v->type != HM_JSON_NULL && v->type != HM_JSON_FALSE &&
      (v->type != HM_JSON_ARRAY || v->count) && (v->type != HM_JSON_STRING || v->text.n) &&
      (v->type != HM_JSON_NUMBER || !hm_str_is(v->text, "0")) && (is != OLD || is_old(v->text));
}

static bool has(const hm_json *v, const char *path, test is, hm_arena *a) {
  size_t n = strcspn(path, "/|");
  const hm_json *m = hm_json_get(v, hm_str_z(a, (hm_str){ path, n }));
  if (path[n] != '/')
    return is_there(m, is) || (path[n] && has(v, path + n + 1, is, a));
  const hm_json *e = m && m->type == HM_JSON_ARRAY ? m->child : m;
  while (e && !has(e, path + n + 1, is, a))
    e = m->type == HM_JSON_ARRAY ? e->next : NULL;
  return e != NULL;
}

hm_str hm_next_step(const hm_tool *t, hm_str answer, hm_arena *a) {
  hm_json *v = hm_json_parse_as(a, answer, HM_JSON_OBJECT);
  hm_str next = hm_json_get_text(v, "next"), said = HM_EMPTY, more = HM_EMPTY;
  for (size_t i = 0; i < HM_COUNT(STEPS); i++)
    if (!strcmp(t->name, STEPS[i].tool) &&
        has(v, STEPS[i].path, STEPS[i].is, a) == (STEPS[i].is != LACKS))
      said = HM_CAT(a, said, hm_str_c(said.n ? " " : ""), hm_str_c(STEPS[i].say));
  if (next.n)
    more = hm_str_fmt(a, "There is more: ask again with cursor \"%.*s\".", HM_FMT(next));
  else if (hm_json_get(v, "left_out"))
    more = HM_STR("It was cut: left_out says how much is missing.");
  return HM_CAT(a, said, hm_str_c(said.n && more.n ? " " : ""), more);
}
