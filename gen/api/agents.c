/* The limits of an agent that may give no verdicts: it may add memories, entities and relations,
 * as candidate or active, link rows, flag them, and run the rules. A verdict is any change that can
 * end a dispute: a row that another supersedes, a link or relation that says so, a row's id or type
 * that changes the meaning of other rows. With may_judge an agent may do everything, in its own
 * name. */
#include "core/base/text.h"
#include "core/claim/slot.h"
#include "core/detect/conflict.h"
#include "core/review/links.h"
#include "core/review/new_names.h"
#include "core/review/supersede.h"
#include "core/record/journal.h"
#include "core/store/links.h"
#include "gen/api/api_impl.h"

static const char FIX[] = "propose it to a person; 'hmirror mcp --allow-verdicts' lets an agent";

static int refuse(const char *field, const char *why, hm_err *err) {
  hm_fail(err, HM_E_STATE, field, why, FIX);
  return hm_err_at_field(err, hm_str_c(field));
}

/* --- rows ------------------------------------------------------------------------------ */

/* The only fields that an agent may set. Not the id, which could change what other rows refer to,
 * nor times of writing and authorship. */
static const char *const SAID[] = {
  "memory_type", "content",     "entity_type", "name",     "project", "description", "properties",
  "status",      "confidence",  "importance",  "polarity", "scope",   "tags",        "source_refs",
  "valid_from",  "valid_until", "type",        "from",     "to",
};

static int check_fields(const hm_json *record, hm_err *err) {
  for (const hm_json *m = record->child; m; m = m->next) {
    size_t i = 0;
    while (i < HM_COUNT(SAID) && !hm_str_is(m->key, SAID[i]))
      i++;
    if (i < HM_COUNT(SAID))
      continue;
    hm_fail(err, HM_E_INPUT, "the row", "a field that an agent does not set", "leave it out");
    return hm_err_at_field(err, m->key);
  }
  return 0;
}

/* Refuses a new type: it could exclude others' entities from a category of states with its name,
 * and so end their disputes. */
static int check_entity_type(hm_api_call_state *c, hm_err *err) {
  hm_str *names, type = hm_json_get_text(c->q->body, "entity_type");
  size_t n;
  hm_str key = hm_entity_type_key(c->a, type);
  bool known = hm_entity_type_find(key) != NULL;
  if (!known && hm_names_all(c->store, HM_NAME_ENTITY_TYPE, c->a, &names, &n, err))
    return -1;
  for (size_t i = 0; !known && i < n; i++)
    known = hm_str_eq(hm_entity_type_key(c->a, names[i]), key);
  return known
      ? 0
      : refuse("entity_type", "no entity has this type yet, and only a person brings one", err);
}

/* Relations that amount to a verdict: a row superseded, a summary in place of its sources. Compared
 * as traces and pages compare them, so "Super-sedes" is one of them. Sorted by strcmp. */
static const char *const JUDGING[] = { "derivedfrom", "replacedby",   "replaces",
                                       "sourceof",    "supersededby", "supersedes" };

static bool rel_judges(hm_str rel, hm_arena *a) {
  hm_str word = hm_entity_type_key(a, rel);
  for (size_t i = 0; i < HM_COUNT(JUDGING); i++)
    if (hm_str_is(word, JUDGING[i]))
      return true;
  return false;
}

/* Relations that tell two things of one name apart, which ends what is disputed between them. */
static const char *const PARTING[] = { "childof", "parentof" };

static int check_relation_type(hm_api_call_state *c, hm_err *err) {
  hm_str type = hm_json_get_text(c->q->body, "type"), word = hm_entity_type_key(c->a, type);
  if (rel_judges(type, c->a))
    return refuse("type", "this relation says which row stands", err);
  for (size_t i = 0; i < HM_COUNT(PARTING); i++)
    if (hm_str_is(word, PARTING[i]))
      return refuse("type", "this relation tells two things of one name apart", err);
  return 0;
}

static int check_row(hm_api_call_state *c, hm_err *err) {
  bool replaces, named;
  hm_api_param(c, "supersedes", &replaces);
  if (replaces)
    return refuse("supersedes", "only a person lets a row give way", err);
  hm_str policy = hm_api_param(c, "policy", &named);
  if (named && hm_str_is(policy, "supersede"))
    return refuse("policy", "only a person lets a row give way", err);
  if (check_fields(c->q->body, err))
    return -1;
  if (c->q->operation->layer == HM_RELATION)
    return check_relation_type(c, err);
  return c->q->operation->layer == HM_ENTITY ? check_entity_type(c, err) : 0;
}

/* --- links ----------------------------------------------------------------------------- */

/* Sets *own when this agent added the row. */
static int is_own(hm_api_call_state *c, hm_str row, bool *own, hm_err *err) {
  hm_named_row standing;
  hm_str record;
  hm_json *v;
  *own = false;
  if (hm_named_row_find(c->store, row, c->a, &standing, err) ||
      hm_journal_record_json(c->store, standing.ref, c->a, &record, err) ||
      hm_json_parse(c->a, record, &v, err))
    return hm_err_at_field(err, HM_STR("src"));
  *own = hm_json_get_text(v, "via").n && hm_str_eq(hm_json_get_text(v, "agent"), c->review.who.by);
  return 0;
}

/* Finds the links that would be removed by a dry run, since a relation such as refined_by reverses
 * a link. Each must start from a row of this agent, and be added by it. */
static int check_unlink(hm_api_call_state *c, hm_err *err) {
  hm_review dry = c->review;
  hm_link_report would;
  const hm_json *body = c->q->body;
  dry.dry_run = true;
  if (hm_review_unlink(c->store, &dry, hm_json_get_text(body, "src"), hm_json_get_text(body, "dst"),
                       hm_json_get_text(body, "rel"), c->a, &would, err))
    return -1;
  for (size_t i = 0; i < would.n_links; i++) {
    bool own, drawn = false;
    if (is_own(c, would.links[i].src, &own, err) ||
        hm_link_was_drawn_by(c->store, &would.links[i], dry.who.by, &drawn, c->a, err))
      return -1;
    if (!own)
      return refuse("src", "this agent did not write the row", err);
    if (!drawn)
      return refuse("rel", "this agent did not draw the link", err);
  }
  return 0;
}

static int check_link(hm_api_call_state *c, bool removes, hm_err *err) {
  hm_str rel = hm_json_get_text(c->q->body, "rel");
  if (rel_judges(rel, c->a))
    return refuse("rel", "this link says which row stands", err);
  if (removes && !hm_str_trim(rel).n)
    return refuse("rel", "one of its links may say which row stands: name one rel", err);
  return removes ? check_unlink(c, err) : 0;
}

/* --- all ------------------------------------------------------------------------------- */

static int check_agent(hm_api_call_state *c, hm_err *err) {
  const hm_api_request *q = c->q;
  bool named;
  hm_find_pair_value(q->query, q->n_query, "by", &named);
  if (named || hm_json_get(q->body, "by")) {
    hm_fail(err, HM_E_INPUT, "by", "an agent writes in its own name", "leave it out");
    return hm_err_at_field(err, HM_STR("by"));
  }
  if (q->may_judge)
    return 0;
  if (!(q->operation->flags & HM_API_OF_AGENTS))
    return hm_request_refuse(HM_E_STATE, q->operation->name, HM_EMPTY, "only a person decides this",
                             FIX, err);
  if (q->operation->run == hm_api_add_row)
    return check_row(c, err);
  if (q->operation->run == hm_api_link)
    return check_link(c, false, err);
  return q->operation->run == hm_api_unlink ? check_link(c, true, err) : 0;
}

int hm_api_run_write(hm_api_call_state *c, hm_err *err) {
  if (c->q->via.n && check_agent(c, err))
    return -1;
  return c->q->operation->run(c, err);
}
