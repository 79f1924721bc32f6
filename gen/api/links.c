/* Links: adding, removing and walking them; reflection, which writes them; the impact and the
 * evidence of a row; and queries of a project. A walk uses the index of links and reads only rows
 * that it reaches; the others read the whole store: one snapshot, or one sweep with one rule in
 * SQL. */
#include <stdlib.h>
#include "core/detect/rule_list.h"
#include "core/claim/trace.h"
#include "core/review/links.h"
#include "core/review/write.h"
#include "gen/api/api_impl.h"

/* --- one link -------------------------------------------------------------------------- */

typedef int link_fn(hm_store *s, const hm_review *r, hm_str src, hm_str dst, hm_str rel,
                    hm_arena *a, hm_link_report *out, hm_err *err);

static int write_link(hm_api_call_state *c, link_fn *fn, hm_err *err) {
  const hm_json *body = c->q->body;
  hm_link_report report;
  if (fn(c->store, &c->review, hm_json_get_text(body, "src"), hm_json_get_text(body, "dst"),
         hm_json_get_text(body, "rel"), c->a, &report, err))
    return -1;
  hm_link_report_json(&c->out, &report);
  return 0;
}

int hm_api_link(hm_api_call_state *c, hm_err *err) { return write_link(c, hm_review_link, err); }
int hm_api_unlink(hm_api_call_state *c, hm_err *err) {
  return write_link(c, hm_review_unlink, err);
}

/* --- the graph --------------------------------------------------------------------------- */

/* A number from 1; a missing one leaves *out. */
static int read_number(const hm_api_call_state *c, const char *name, long most, long *out,
                       hm_err *err) {
  bool given;
  hm_str text = hm_api_param(c, name, &given);
  if (given)
    *out = strtol(hm_str_z(c->a, text), NULL, 10);
  if (*out >= 1 && *out <= most)
    return 0;
  return hm_request_refuse(HM_E_INPUT, "the address", hm_str_c(name), "out of range",
                           hm_str_fmt(c->a, "give 1 to %ld", most).p, err);
}

static int write_graph(hm_api_call_state *c, bool edges, hm_err *err) {
  hm_link_filter f = { .relations = true };
  hm_link_graph g;
  hm_jw j;
  bool given;
  hm_str *list = NULL;
  long depth = 1, cap = HM_LINK_CAP;
  hm_str direction = hm_api_param(c, "direction", &given);
  if (given)
    hm_link_direction_parse(direction, &f.direction); /* checked by the table */
  if (read_number(c, "depth", HM_LINK_DEPTH_MAX, &depth, err) ||
      read_number(c, "cap", HM_LINK_CAP, &cap, err))
    return -1;
  f.depth = (int)depth;
  f.cap = (size_t)cap;
  hm_str rels = hm_api_param(c, "rel", &given);
  f.n_rels = given ? hm_str_split_commas(rels, c->a, &list) : 0;
  f.rels = list;
  if (hm_links_walk(c->store, &c->q->params[0], 1, &f, edges, c->a, &g, err))
    return -1;
  hm_str *refs = hm_alloc_array(c->a, g.n + 1, sizeof *refs);
  hm_standings *standings;
  for (size_t i = 0; i < g.n; i++)
    refs[i] = g.nodes[i].ref;
  if (hm_api_read_standings(c, refs, g.n, &standings, NULL, err))
    return -1;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  if (edges)
    hm_subgraph_json(&j, &g, f.depth, hm_standing_tell, standings);
  else
    hm_neighbors_json(&j, &g, f.depth, hm_standing_tell, standings);
  hm_jw_end(&j);
  return 0;
}

int hm_api_get_neighbors(hm_api_call_state *c, hm_err *err) { return write_graph(c, false, err); }
int hm_api_get_subgraph(hm_api_call_state *c, hm_err *err) { return write_graph(c, true, err); }

/* --- reflection ----------------------------------------------------------------------------- */

int hm_api_reflect(hm_api_call_state *c, hm_err *err) {
  const hm_json *body = c->q->body, *list = hm_json_get(body, "ids"), *hard;
  hm_str *ids = hm_alloc_array(c->a, list ? list->count : 0, sizeof *ids);
  hm_reflect_order order = { .rows = ids,
                             .text = hm_json_get_text(body, "text"),
                             .type = hm_json_get_text(body, "type"),
                             .project = hm_json_get_text(body, "project"),
                             .id = hm_json_get_text(body, "id") };
  hm_reflected out;
  hard = hm_json_get(body, "hard");
  order.hard = hard && hard->type == HM_JSON_TRUE;
  for (const hm_json *e = list ? list->child : NULL; e; e = e->next) {
    if (e->type != HM_JSON_STRING)
      return hm_request_refuse(HM_E_INPUT, "the body", HM_STR("ids"), "not all of it is text",
                               "give ids", err);
    ids[order.n_rows++] = e->text;
  }
  if (hm_review_reflect(c->store, &c->review, &order, c->a, &out, err))
    return -1;
  hm_reflected_json(&c->out, &out, c->review.dry_run, c->a);
  if (!c->review.dry_run)
    c->location = hm_api_row_path(&out.written, c->a);
  return 0;
}

/* --- impact, evidence ------------------------------------------------------------------------- */

static int write_trace(hm_api_call_state *c, bool evidence, hm_err *err) {
  hm_snapshot *snap;
  hm_trace t;
  hm_jw j;
  uint32_t row;
  long most = HM_TRACE_DEPTH;
  if (read_number(c, "depth", HM_TRACE_DEPTH_MAX, &most, err) ||
      hm_store_snapshot(c->store, c->a, true, &snap, err) ||
      hm_trace_find_row(snap, c->q->params[0], c->a, &row, err))
    return -1;
  const int depth = (int)most;
  hm_standings *standings;
  size_t n;
  (evidence ? hm_trace_evidence : hm_trace_impact)(snap, row, depth, c->a, &t);
  const hm_str *refs = hm_trace_refs(snap, &t, c->a, &n);
  if (hm_api_read_standings(c, refs, n, &standings, NULL, err))
    return -1;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  (evidence ? hm_evidence_json : hm_impact_json)(snap, &t, depth, hm_standing_tell, standings, &j,
                                                 c->a);
  hm_jw_end(&j);
  return 0;
}

int hm_api_get_impact(hm_api_call_state *c, hm_err *err) { return write_trace(c, false, err); }
int hm_api_get_evidence(hm_api_call_state *c, hm_err *err) { return write_trace(c, true, err); }

/* --- questions -------------------------------------------------------------------------------- */

static void write_answer(hm_api_call_state *c, const hm_sql_question *q,
                         const hm_sql_result *found) {
  hm_jw j;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_str(&j, "query", hm_str_c(q->name));
  hm_jw_str(&j, "question", hm_str_c(q->question));
  hm_jw_arr(&j, "findings");
  for (size_t i = 0; i < found->n; i++)
    hm_finding_json(&j, &found->findings[i]);
  hm_jw_end(&j);
  hm_jw_int(&j, "count", (int64_t)found->n);
  hm_jw_end(&j);
}

int hm_api_get_query(hm_api_call_state *c, hm_err *err) {
  const hm_sql_question *q = hm_sql_question_named(c->q->params[0]);
  hm_rules rules = *c->api->opt.rules;
  hm_sweep w;
  if (!q)
    return hm_fail(err, HM_E_UNKNOWN,
                   hm_str_fmt(c->a, "query '%.60s'", hm_str_z(c->a, c->q->params[0])).p,
                   "there is none", "ask for requirements, decisions or claims");
  rules.sql = hm_sql_question_rules(q, rules.sql, c->a, err);
  const hm_sweep_options opt = { .rules = &rules, .threads = 1, .details = true };
  if (!rules.sql || hm_sweep_run_all(c->store, &opt, c->a, &w, err))
    return -1;
  bool failed = w.sql.runs[0].failed;
  if (failed)
    hm_fail(err, HM_E_STATE, w.sql.runs[0].why, "its rule did not run", "correct it");
  else
    write_answer(c, q, &w.sql);
  hm_sweep_free(&w);
  return failed ? -1 : 0;
}
