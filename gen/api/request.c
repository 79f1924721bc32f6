/* Checks a request's parameters and body, by its operation's tables and the shapes of bodies, and
 * reads who writes. */
#include <stdio.h>
#include <string.h>
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/review/write_check.h"
#include "gen/api/api_impl.h"

/* --- parameters --------------------------------------------------------------------- */

hm_str hm_find_pair_value(const hm_pair *v, size_t n, const char *name, bool *found) {
  size_t i = 0;
  while (i < n && !hm_str_is(v[i].name, name))
    i++;
  if (found)
    *found = i < n;
  return i < n ? v[i].value : HM_EMPTY;
}

hm_str hm_api_param(const hm_api_call_state *c, const char *name, bool *found) {
  return hm_find_pair_value(c->q->query, c->q->n_query, name, found);
}

size_t hm_api_count_path_params(const hm_api_operation *op) {
  size_t n = 0;
  for (const char *p = op->path; *p; p++)
    n += *p == '{';
  return n;
}

static int refuse_parameter(hm_str name, const char *why, const char *fix, hm_err *err) {
  return hm_request_refuse(HM_E_INPUT, "the address", name, why, fix, err);
}

int hm_request_check_query(const hm_api_request *q, hm_arena *a, hm_err *err) {
  const hm_api_operation *op = q->operation;
  if (q->n_params != hm_api_count_path_params(op))
    return hm_request_refuse(HM_E_INPUT, op->name, HM_EMPTY, "too many or too few parameters",
                             hm_str_fmt(a, "its path is %s", op->path).p, err);
  for (size_t i = 0; i < q->n_query; i++) {
    hm_str name = q->query[i].name;
    hm_shape_field f;
    bool goes_on = op->method == HM_GET && hm_str_is(name, "after");
    if (!hm_shape_find_field(op->query, name, &f) && !goes_on)
      return refuse_parameter(name, "no such parameter", NULL, err);
    for (size_t k = 0; k < i; k++)
      if (hm_str_eq(q->query[k].name, name))
        return refuse_parameter(name, "given twice", "give it once", err);
    if (goes_on || hm_shape_fits_text(f.type, q->query[i].value))
      continue;
    hm_str fix = hm_str_is(f.type, "boolean") ? HM_STR("give true or false")
        : hm_str_is(f.type, "integer")        ? HM_STR("give a whole number")
                                              : hm_str_fmt(a, "give one of %.*s", HM_FMT(f.type));
    return refuse_parameter(name, "not a value that it has", hm_str_z(a, fix), err);
  }
  return 0;
}

/* --- bodies ------------------------------------------------------------------------- */

static const char RESOLVE[] =
    "resolution_notes   string   why\n"
    "winner_member_id?  string?  a member that stands: its id, or kind:id\n"
    "winner_member_ids?  [string]  several that stand together, where several values may hold at "
    "once\n"
    "winner_source?     string?  the source whose value of the winner stands, where its sources "
    "differ\n"
    "action?            supersede_opponents|supersede_others|no_action?  supersede_opponents: what "
    "contradicts the winner gives way (absent: this, where a winner is named); supersede_others: "
    "every other member does\n"
    "scope?             whole_row|field_only?  of a row that gives way and also says other things: "
    "needed where there is one\n"
    "link?              boolean  with no_action: link the sides as contradicts\n"
    "by?                string?  who decides; else the server's name for writers\n";
static const char REASON[] = "reason  string   why\n"
                             "by?     string?  who decides; else the server's name for writers\n";
static const char REOPEN[] =
    "reason      string   why\n"
    "keep_rows?  boolean  leave superseded what the verdict superseded\n"
    "by?         string?  who decides; else the server's name for writers\n";
static const char SUPERSEDE[] =
    "newer   string   the row that stands: kind:id, or an id that one row alone has\n"
    "notes?  string?  why\n"
    "by?     string?  who decides; else the server's name for writers\n";
static const char RESTORE[] =
    "field?  string?  give an entity back only this, which a verdict took out of it\n"
    "notes?  string?  why\n"
    "by?     string?  who decides; else the server's name for writers\n";
static const char BECAUSE[] = "reason?  string?  why\n"
                              "by?      string?  who decides; else the server's name for writers\n";
static const char NEW_LINK[] =
    "src   string   the row that it leads from: kind:id, or an id that one row alone has\n"
    "dst   string   the row that it leads to\n"
    "rel?  string?  refines, derived_from, example_of, contradicts, supersedes, related, or any "
    "other; absent: related, of a removal all\n";
static const char REFLECTION[] =
    "ids       [string]  the memories: kind:id, or an id that one row alone has\n"
    "text      string    what they come to\n"
    "type?     string?   memory_type of the summary; knowledge\n"
    "project?  string?   of the summary; that of the memories\n"
    "id?       string?   of the summary; made from it\n"
    "hard?     boolean   also take what the memories say out of the store; notes say why\n";
static const char SWEEP_ORDER[] =
    "scope?  string?  show only what concerns entity:ID, project:ID or era:ERA; all\n";
static const char NEW_REPORT[] =
    "rows      [string]  2 to 16 of them: kind:id, or an id that one row alone has\n"
    "question  string    for a person: what is to be decided\n"
    "why       string    what cannot both be true\n"
    "by?       string?   who says so; else the server's name for writers\n";
static const char NEW_DENIAL[] =
    "rows  [string]  2 to 16 of them: kind:id, or an id that one row alone has\n"
    "why   string    why both can be true\n"
    "by?   string?   who says so; else the server's name for writers\n";
static const char WITHDRAW_ORDER[] =
    "reporter  string   an agent, a person or a model\n"
    "reason?   string?  why\n"
    "by?       string?  who decides; else the server's name for writers\n";
static const hm_api_shape BODIES[] = {
  { "Resolve", NULL, "How a conflict is resolved.", RESOLVE },
  { "Dismiss", NULL, "Why it is no conflict.", REASON },
  { "Reopen", NULL, "Why a verdict does not hold.", REOPEN },
  { "Reason", NULL, "Why somebody says so.", REASON },
  { "Because", NULL, "Why, where there is more to say.", BECAUSE },
  { "NewLink", NULL, "A link between two rows.", NEW_LINK },
  { "NewReport", NULL, "Rows that contradict each other.", NEW_REPORT },
  { "NewDenial", NULL, "Rows that do not contradict each other.", NEW_DENIAL },
  { "Reflection", NULL, "Memories, and what they come to.", REFLECTION },
  { "ReporterToDismiss", NULL, "Whose reports are dismissed.", WITHDRAW_ORDER },
  { "Restore", NULL, "What comes back, and why.", RESTORE },
  { "Supersede", NULL, "Which row stands, and why.", SUPERSEDE },
  { "SweepOrder", NULL, "What a sweep shows.", SWEEP_ORDER },
  { "Nothing", NULL, "No body is needed; an empty object will do.", "" },
};
enum { N_BODIES = HM_COUNT(BODIES) };

/* The shape of a body ("#Resolve"), or NULL where it is a record, which core/ checks. */
static const hm_api_shape *find_body_shape(const char *type) {
  for (size_t i = 0; i < N_BODIES; i++)
    if (strcmp(type + 1, BODIES[i].name) == 0)
      return &BODIES[i];
  return NULL;
}

void hm_api_write_body_schemas(hm_jw *w) {
  for (size_t i = 0; i < N_BODIES; i++)
    hm_shape_write_schema(w, &BODIES[i], "");
}

int hm_request_check_body(const hm_api_request *q, hm_err *err) {
  if (!q->body && q->operation->flags & HM_API_BODY_OPTIONAL)
    return 0;
  const hm_api_shape *shape = find_body_shape(q->operation->takes);
  if (shape)
    return hm_shape_check(shape, q->body, err);
  if (q->body && q->body->type == HM_JSON_OBJECT)
    return 0;
  return hm_request_refuse(HM_E_INPUT, "the body", HM_EMPTY,
                           q->body ? "must be a JSON object" : "is missing", "send one JSON object",
                           err);
}

/* --- who writes --------------------------------------------------------------------- */

int hm_request_read_review(const hm_api_request *q, const hm_api_options *opt, hm_arena *a,
                           hm_review *out, hm_err *err) {
  bool in_query;
  hm_str by = hm_find_pair_value(q->query, q->n_query, "by", &in_query),
         dry = hm_find_pair_value(q->query, q->n_query, "dry_run", NULL),
         why = hm_find_pair_value(q->query, q->n_query, "notes", NULL);
  const hm_json *in_body = hm_json_get(q->body, "by");
  if (in_body && in_body->type == HM_JSON_STRING)
    by = in_body->text;
  else if (!in_query)
    by = q->by.n ? q->by : opt->by;
  by = hm_str_trim(by);
  if (!hm_actor_name_fits(by)) {
    hm_fail(err, HM_E_INPUT, "by", "not a name", "give 1 to 200 bytes without control characters");
    return hm_err_at_field(err, HM_STR("by"));
  }
  *out = (hm_review){
    .rules = opt->rules,
    .dry_run = hm_str_is(dry, "true"),
    .who = { .by = by, .at = hm_time_iso(a, hm_time_now()), .why = hm_str_trim(why) }
  };
  return 0;
}
