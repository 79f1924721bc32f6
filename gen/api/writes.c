/* Operations that write: verdicts, and rows added, edited, promoted, graduated. The answer to a
 * verdict is its report; that to a row is the row as it is now and what it contradicts. */
#include "core/detect/conflict.h"
#include "core/review/write.h"
#include "core/review/verdict.h"
#include "gen/api/api_impl.h"
#include "core/markdown/escape.h"

/* --- verdicts ------------------------------------------------------------------------- */

/* Everything happens in the call's arena. */
static int resolve(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  const hm_api_call_state *c = ctx;
  const hm_json *body = c->q->body, *link = hm_json_get(body, "link");
  hm_str action = hm_json_get_text(body, "action");
  const hm_json *list = hm_json_get(body, "winner_member_ids");
  hm_str one = hm_json_get_text(body, "winner_member_id"),
         *winners = hm_alloc_array(c->a, 1 + (list ? list->count : 0), sizeof *winners);
  hm_resolution how = { .winners = winners,
                        .action = hm_action_parse(action),
                        .link = link && link->type == HM_JSON_TRUE,
                        .scope = hm_verdict_scope_parse(hm_json_get_text(body, "scope")),
                        .from = hm_json_get_text(body, "winner_source"),
                        .notes = hm_json_get_text(body, "resolution_notes") };
  /* Naming a winner means that what contradicts it gives way, unless it is said otherwise. */
  if (one.n)
    winners[how.n_winners++] = one;
  for (const hm_json *e = list ? list->child : NULL; e; e = e->next)
    winners[how.n_winners++] = e->text;
  if (!action.n && how.n_winners)
    how.action = HM_SUPERSEDE_OPPONENTS;
  (void)a;
  return hm_review_resolve(s, &c->review, c->q->params[0], &how, c->a, out, err);
}

static int dismiss(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  const hm_api_call_state *c = ctx;
  (void)a;
  return hm_review_dismiss(s, &c->review, c->q->params[0], hm_json_get_text(c->q->body, "reason"),
                           c->a, out, err);
}

static int reopen(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  const hm_api_call_state *c = ctx;
  (void)a;
  const hm_json *keep = hm_json_get(c->q->body, "keep_rows");
  return hm_review_reopen(s, &c->review, c->q->params[0], hm_json_get_text(c->q->body, "reason"),
                          keep && keep->type == HM_JSON_TRUE, c->a, out, err);
}

static int give_verdict(hm_api_call_state *c, hm_dry_run_verdict *give, hm_err *err) {
  const hm_api_options *opt = &c->api->opt;
  hm_verdict_report report;
  bool pages = hm_str_is(hm_api_param(c, "pages", NULL), "true");
  int rc;
  if (pages && !c->review.dry_run)
    return hm_request_refuse(HM_E_INPUT, "the address", HM_STR("pages"),
                             "only a dry run can tell what becomes of the pages",
                             "add dry_run=true", err);
  if (!pages)
    rc = give(c, c->store, c->a, &report, err);
  else if (opt->trial)
    rc = opt->trial(opt->trial_ctx, c->store, give, c, c->a, &report, err);
  else
    rc = hm_request_refuse(HM_E_STATE, "the address", HM_STR("pages"), "this server shows no pages",
                           "start it without --api-only", err);
  if (!rc)
    hm_verdict_json(&c->out, &report, c->a);
  return rc;
}

static int supersede(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  const hm_api_call_state *c = ctx;
  const hm_json *body = c->q->body;
  (void)a;
  return hm_review_supersede(s, &c->review, c->q->params[0], hm_json_get_text(body, "newer"),
                             hm_json_get_text(body, "notes"), c->a, out, err);
}

static int restore(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  const hm_api_call_state *c = ctx;
  const hm_json *body = c->q->body;
  (void)a;
  return hm_review_restore(s, &c->review, c->q->params[0], hm_json_get_text(body, "field"),
                           hm_json_get_text(body, "notes"), c->a, out, err);
}

int hm_api_supersede(hm_api_call_state *c, hm_err *err) { return give_verdict(c, supersede, err); }
int hm_api_restore(hm_api_call_state *c, hm_err *err) { return give_verdict(c, restore, err); }
int hm_api_resolve(hm_api_call_state *c, hm_err *err) { return give_verdict(c, resolve, err); }
int hm_api_dismiss(hm_api_call_state *c, hm_err *err) { return give_verdict(c, dismiss, err); }
int hm_api_reopen(hm_api_call_state *c, hm_err *err) { return give_verdict(c, reopen, err); }

/* --- rows ------------------------------------------------------------------------------ */

static void add_segment(hm_buf *b, hm_str s) {
  hm_buf_ch(b, '/');
  hm_url_encode(b, s, s.n > 2 ? "-_." : "-_"); /* "." and ".." are no names */
}

hm_str hm_api_row_path(const hm_written *w, hm_arena *a) {
  static const char *const folders[] = { [HM_MEMORY] = "/memory",
                                         [HM_ENTITY] = "/entities",
                                         [HM_STATE] = "/project/state",
                                         [HM_RELATION] = "/relations" };
  hm_json *record;
  hm_buf b = { 0 };
  hm_layer layer;
  hm_str id;
  if (!hm_ref_parse(w->ref, &layer, &id) || hm_json_parse(a, w->record, &record, NULL))
    return HM_EMPTY;
  hm_buf_c(&b, folders[layer]);
  if (layer == HM_ENTITY)
    add_segment(&b, hm_json_get_text(record, "entity_type"));
  add_segment(&b, hm_json_get_text(record, "id"));
  return hm_buf_take(&b, a);
}

int hm_api_finish_write(hm_api_call_state *c, hm_err *err) {
  (void)err;
  if (!c->written)
    return 0;
  hm_written_json(&c->out, c->written, c->review.dry_run, c->a);
  if (c->q->operation->flags & HM_API_CREATES && !c->review.dry_run)
    c->location = hm_api_row_path(c->written, c->a);
  return 0;
}

static hm_written *new_written(hm_api_call_state *c) {
  return c->written = hm_alloc(c->a, sizeof *c->written);
}

static hm_str row_ref(const hm_api_call_state *c) {
  return hm_ref_text(c->a, c->q->operation->layer, c->q->params[0]);
}

/* Nothing was stored: the answer is an error that says what the row met. */
static int reply_rejected(hm_api_call_state *c, const hm_written *w, hm_err *err) {
  hm_jw j;
  hm_buf_clear(&c->out);
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_met_json(&j, w);
  hm_jw_end(&j);
  c->rejected = true;
  return hm_fail(err, HM_E_STATE, "the row was rejected",
                 hm_str_z(c->a, hm_met_text(w->met, w->n_met, c->a)),
                 "leave it, or add it by another policy");
}

static hm_json *text_member(hm_api_call_state *c, const char *key, hm_str text) {
  hm_json *m = hm_alloc(c->a, sizeof *m);
  *m = (hm_json){ .type = HM_JSON_STRING, .key = hm_str_c(key), .text = text };
  return m;
}

/* The record that an agent's body becomes: with its name and the way, in the call's arena. */
static const hm_json *agent_record(hm_api_call_state *c) {
  hm_json *out = hm_alloc(c->a, sizeof *out), **end = &out->child;
  *out = *c->q->body;
  out->child = NULL;
  for (const hm_json *m = c->q->body->child; m; m = m->next) {
    if (hm_str_is(m->key, "agent") || hm_str_is(m->key, "via"))
      continue;
    *end = hm_alloc(c->a, sizeof **end);
    **end = *m;
    end = &(*end)->next;
  }
  if (c->q->operation->layer != HM_RELATION) {
    *end = text_member(c, "via", c->q->via);
    end = &(*end)->next;
  }
  if (c->q->operation->layer == HM_MEMORY)
    *end = text_member(c, "agent", c->review.who.by);
  out->count = 0;
  for (const hm_json *m = out->child; m; m = m->next)
    out->count++;
  return out;
}

int hm_api_add_row(hm_api_call_state *c, hm_err *err) {
  bool replaces, by_policy;
  hm_policy policy = HM_POLICY_WARN;
  hm_layer layer = c->q->operation->layer;
  hm_str older = hm_api_param(c, "supersedes", &replaces);
  hm_str name = hm_api_param(c, "policy", &by_policy);
  if (by_policy && hm_policy_parse(name, &policy, err))
    return -1;
  if (by_policy && replaces)
    return hm_request_refuse(HM_E_INPUT, "the address", HM_STR("policy"),
                             "policy and supersedes exclude each other", "give one of them", err);
  const hm_json *record = c->q->via.n ? agent_record(c) : c->q->body;
  if (layer == HM_RELATION && c->q->via.n)
    c->review.who.why = c->q->via;
  hm_written *w = new_written(c);
  int rc = replaces ? hm_review_replace(c->store, &c->review, layer, record, older, c->a, w, err)
                    : hm_review_add_by(c->store, &c->review, layer, record, policy, c->a, w, err);
  if (!rc && policy == HM_POLICY_RAISE && hm_str_is(hm_str_c(w->action), "rejected"))
    return reply_rejected(c, w, err);
  return rc;
}

int hm_api_edit_row(hm_api_call_state *c, hm_err *err) {
  return hm_review_edit(c->store, &c->review, row_ref(c), c->q->body, c->a, new_written(c), err);
}

int hm_api_promote_row(hm_api_call_state *c, hm_err *err) {
  return hm_review_promote(c->store, &c->review, row_ref(c), c->a, new_written(c), err);
}

int hm_api_graduate(hm_api_call_state *c, hm_err *err) {
  return hm_review_graduate(c->store, &c->review, row_ref(c), c->q->body, c->a, new_written(c),
                            err);
}
