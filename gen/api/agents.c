/* The limits of an agent that may give no verdicts: it may add memories, entities and relations,
 * as candidate or active, change and take back its own, link rows, flag them, and run the rules. A
 * verdict is any change that can
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
#include "core/store/lookup.h"
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

/* --- its own rows ------------------------------------------------------------------------ */

/* The only fields of its own row that an agent may change: not its type, its name or the ends of a
 * relation, by which other rows are read. */
static const char *const CHANGED[] = {
  "content",  "description", "properties", "status",      "confidence", "importance",
  "polarity", "scope",       "tags",       "source_refs", "valid_from", "valid_until",
};

/* Who wrote the lines of a row in the journal. Of a relation, which has no `via`, the line says
 * why: hm_api_add_row. */
typedef struct {
  hm_str by, via;
  bool others, by_agent;
  size_t n;
} writers;

static int see_writer(void *ctx, const hm_journal_line *l, hm_err *err) {
  writers *w = ctx;
  (void)err;
  if (hm_str_is(l->verb, "touch"))
    return 0;
  w->n++;
  w->others = w->others || !hm_str_eq(l->actor, w->by) || hm_str_is(l->verb, "import");
  w->by_agent = w->by_agent || (hm_str_is(l->verb, "add") && hm_str_eq(l->why, w->via));
  return 0;
}

/* Refuses what a verdict rests on: the row was a member of a settled conflict, or another gave way
 * to it. */
static int check_unjudged(hm_api_call_state *c, const hm_named_row *row, hm_err *err) {
  static const hm_str supersedes = { "supersedes", 10 };
  const hm_link_filter gave_way = {
    .rels = &supersedes, .n_rels = 1, .direction = HM_LINKS_OUT, .depth = 1, .cap = 1
  };
  hm_membership *m;
  hm_link_graph g;
  size_t n;
  if (hm_store_memberships(c->store, row->layer, row->id, c->a, &m, &n, err) ||
      hm_links_walk_refs(c->store, &row->ref, 1, &gave_way, false, c->a, &g, err))
    return -1;
  for (size_t i = 0; i < n; i++)
    if (m[i].status != HM_OPEN)
      return refuse("row", "a person gave a verdict on it", err);
  return g.n > 1 ? refuse("row", "another row gave way to it", err) : 0;
}

/* Its own: it was written under the name that the operator gave this agent, and by nobody since. */
static int check_edit(hm_api_call_state *c, hm_err *err) {
  hm_named_row row;
  hm_str record, ref = hm_ref_text(c->a, c->q->operation->layer, c->q->params[0]);
  hm_json *v;
  writers w = { .by = c->review.who.by, .via = c->q->via };
  if (!c->q->named)
    return hm_request_refuse(HM_E_STATE, c->q->operation->name, HM_EMPTY,
                             "an agent has rows of its own under a name that the operator gives it",
                             "start 'hmirror mcp' with --agent NAME", err);
  if (hm_named_row_find(c->store, ref, c->a, &row, err) ||
      hm_journal_record_json(c->store, row.ref, c->a, &record, err) ||
      hm_json_parse(c->a, record, &v, err) ||
      hm_journal_lines_of(c->store, row.ref, see_writer, &w, err))
    return hm_err_at_field(err, HM_STR("row"));
  bool by_agent = row.layer == HM_RELATION ? w.by_agent : hm_json_get_text(v, "via").n > 0;
  if (!w.n || w.others || !by_agent)
    return refuse("row", w.n && by_agent ? "others wrote it, too" : "this agent did not write it",
                  err);
  for (const hm_json *m = c->q->body->child; m; m = m->next) {
    size_t i = 0;
    while (i < HM_COUNT(CHANGED) && !hm_str_is(m->key, CHANGED[i]))
      i++;
    bool withdraws = hm_str_is(m->key, "status") && hm_str_is(m->text, "invalid");
    if (i == HM_COUNT(CHANGED) || (hm_str_is(m->key, "status") && !withdraws)) {
      hm_fail(err, HM_E_INPUT, "the row", "a field that an agent does not change", "leave it out");
      return hm_err_at_field(err, m->key);
    }
  }
  return check_unjudged(c, &row, err);
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
 * a link. Each must be drawn by this agent; unless the operator named it, from a row of its own. */
static int check_unlink(hm_api_call_state *c, hm_err *err) {
  hm_review dry = c->review;
  hm_link_report would;
  const hm_json *body = c->q->body;
  dry.dry_run = true;
  if (hm_review_unlink(c->store, &dry, hm_json_get_text(body, "src"), hm_json_get_text(body, "dst"),
                       hm_json_get_text(body, "rel"), c->a, &would, err))
    return -1;
  for (size_t i = 0; i < would.n_links; i++) {
    bool own;
    hm_link_past past;
    if (is_own(c, would.links[i].src, &own, err) ||
        hm_link_past_read(c->store, &would.links[i], &past, c->a, err))
      return -1;
    bool drawn = hm_str_eq(past.by, dry.who.by);
    if (!own && !(drawn && c->q->named))
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
  if (q->operation->run == hm_api_edit_row)
    return check_edit(c, err);
  if (q->operation->run == hm_api_link)
    return check_link(c, false, err);
  return q->operation->run == hm_api_unlink ? check_link(c, true, err) : 0;
}

int hm_api_run_write(hm_api_call_state *c, hm_err *err) {
  if (c->q->via.n && check_agent(c, err))
    return -1;
  return c->q->operation->run(c, err);
}
