/* GET /recall: the rows that answer a question.
 *
 * Asks the rows of the held sweep, or rows of its own, which the first question after a write
 * reads: how they stand is recorded, so nobody waits for a sweep. One question at a time does. A
 * thread makes the model's vectors (gen/mirror/embedding.h); until all exist, recall uses the
 * built-in ones. */
#include <stdlib.h>
#include <string.h>
#include "core/base/par.h"
#include "core/claim/trace.h"
#include "core/review/nearest.h"
#include "core/review/recalled.h"
#include "core/review/pairs.h"
#include "core/store/swept.h"
#include "gen/api/api_impl.h"
#include "gen/mirror/embedding.h"

/* Reads the model's vectors and the last uses of these rows. */
static int read_beside(hm_api_call_state *c, const hm_recaller *r, hm_err *err) {
  hm_api_recall_state *m = c->api->recall;
  const hm_embedding *e = c->api->opt.embedding;
  hm_arena_free(m->a);
  m->a = hm_arena_new();
  m->vectors = (hm_embed_vectors){ 0 };
  m->of = NULL;
  if (hm_recall_read_uses(hm_recaller_rows(r), c->store, err))
    return -1;
  return e ? hm_embed_vectors_read(c->store, hm_recaller_rows(r), hm_str_c(hm_embedding_model(e)),
                                   m->a, &m->vectors, err)
           : 0;
}

static void drop_own_rows(hm_api_recall_state *m) {
  hm_recaller_free(m->own);
  hm_arena_free(m->own_a);
  m->own = NULL;
  m->own_a = NULL;
}

void hm_api_recall_free(hm_api_recall_state *m) {
  drop_own_rows(m);
  hm_arena_free(m->a);
}

/* Reads the rows as they are now, without a sweep. */
static int read_own_rows(hm_api_call_state *c, uint64_t facts, hm_err *err) {
  hm_api_recall_state *m = c->api->recall;
  drop_own_rows(m);
  m->own_a = hm_arena_new();
  if (hm_store_snapshot(c->store, m->own_a, true, &m->own_snap, err)) {
    drop_own_rows(m);
    return -1;
  }
  m->own = hm_recaller_new(m->own_snap, c->api->opt.rules, hm_par_cores());
  m->own_version = facts;
  return 0;
}

/* The rows of the held sweep if that is of this state or only a sweep can tell how rows stand; else
 * its own. */
static int choose_rows(hm_api_call_state *c, uint64_t facts, const hm_recaller **out,
                       const hm_snapshot **snap, hm_err *err) {
  hm_api_recall_state *m = c->api->recall;
  hm_answer_source from;
  if (!m->own || m->own_version != facts || !hm_now_holds(c->store, m->own_snap)) {
    const hm_sweep *w = hm_pool_last_sweep(c->api->pool, c->reader);
    bool holds = w && c->reader->held->version == facts && hm_now_holds(c->store, w->snap);
    if (w && !holds)
      hm_pool_drop_sweep(c->api->pool, c->reader);
    if (hm_api_answer_source(c, &from, NULL, err) ||
        (!holds && !from.sweep && read_own_rows(c, facts, err)))
      return -1;
  }
  hm_held_sweep *held = c->reader->held;
  if (held && !held->recaller)
    held->recaller = hm_recaller_new(held->sweep.snap, c->api->opt.rules, hm_par_cores());
  if (held)
    drop_own_rows(m);
  *out = held ? held->recaller : m->own;
  *snap = held ? held->sweep.snap : m->own_snap;
  return 0;
}

/* The caller has the shared reader, so no other thread runs this. */
static int read_rows(hm_api_call_state *c, const hm_recaller **out, hm_err *err) {
  hm_api_recall_state *m = c->api->recall;
  const hm_snapshot *snap;
  uint64_t facts, version;
  if (hm_facts_version(c->store, &facts, err) || hm_store_data_version(c->store, &version, err) ||
      choose_rows(c, facts, out, &snap, err))
    return -1;
  if (m->of == *out && m->facts == facts && m->now == snap->now && m->version == version)
    return 0;
  if (read_beside(c, *out, err))
    return -1;
  m->of = *out;
  m->facts = facts;
  m->now = snap->now;
  m->version = version;
  return 0;
}

/* The model that the question is compared by; NULL: the built-in vectors. */
static const hm_recall_model *choose_model(hm_api_call_state *c, const char *asked,
                                           hm_recall_model *room, hm_str *note) {
  hm_embedding *e = c->api->opt.embedding;
  const hm_api_options *opt = &c->api->opt;
  *note = HM_EMPTY;
  if (!e && opt->embedding_off)
    *note = hm_embedding_off_note(opt->embedding_off, opt->embedding_named, c->store, c->a);
  if (!e)
    return NULL;
  return hm_embedding_ask_model(e, c->store, &c->api->recall->vectors, hm_api_param(c, asked, NULL),
                                c->a, room, note)
      ? room
      : NULL;
}

/* The project of a text's neighbours; *id NULL: any. */
static int read_alike_project(hm_api_call_state *c, hm_str *room, const hm_str **id, hm_err *err) {
  bool given;
  hm_str name = hm_api_param(c, "project", &given);
  *id = given ? room : NULL;
  if (given && hm_lookup_project(c->store, name, c->a, room, err))
    return hm_err_at_field(err, HM_STR("project"));
  return 0;
}

/* GET /alike */
int hm_api_get_alike(hm_api_call_state *c, hm_err *err) {
  bool by_row, by_text;
  hm_str named = hm_api_param(c, "row", &by_row), text = hm_api_param(c, "text", &by_text), room;
  const hm_str *project;
  const hm_sweep *w;
  uint32_t at = HM_MAP_NONE;
  hm_alike_row *v;
  size_t n;
  hm_jw j;
  if (by_row == by_text || (by_text && !hm_str_trim(text).n))
    return hm_request_refuse(HM_E_INPUT, "the address", HM_STR("row"), "give one of row and text",
                             NULL, err);
  if (hm_pool_get_sweep(c->api->pool, c->reader, &w, err) ||
      read_alike_project(c, &room, &project, err))
    return -1;
  hm_held_index(hm_pool_held(c->api->pool), c->reader->held);
  if (by_row && hm_trace_find_row(w->snap, named, c->a, &at, err))
    return hm_err_at_field(err, HM_STR("row"));
  n = by_row ? hm_nearest_to_row(w, at, w, hm_par_cores(), c->a, &v)
             : hm_nearest_to_text(text, project, w, hm_par_cores(), c->a, &v);
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_str_or_null(&j, "row", by_row ? hm_row_ref(c->a, &w->snap->rows[at]) : HM_EMPTY);
  hm_alike_json(&j, v, n, c->a);
  hm_jw_end(&j);
  return 0;
}

enum { PAIRS_MOST = 100, PAIR_ROWS = 1500 /* that are looked at for one answer */ };

/* GET /pairs */
int hm_api_list_pairs(hm_api_call_state *c, hm_err *err) {
  bool limited;
  hm_str limit = hm_api_param(c, "limit", &limited), project = hm_api_param(c, "project", NULL);
  const hm_sweep *w;
  hm_project_fit fit;
  hm_pair_query q = { .project = HM_MAP_NONE,
                      .rows = PAIR_ROWS,
                      .source = hm_api_param(c, "source", NULL),
                      .asker = c->q->via.n ? c->q->by : HM_EMPTY };
  hm_pairs pairs;
  hm_jw j;
  long most = limited ? strtol(hm_str_z(c->a, limit), NULL, 10) : 1;
  if (most < 1 || most > PAIRS_MOST)
    return hm_request_refuse(HM_E_INPUT, "the address", HM_STR("limit"), "out of range",
                             "give 1 to 100", err);
  q.limit = (size_t)most;
  if (hm_pool_get_sweep(c->api->pool, c->reader, &w, err))
    return -1;
  if (project.n)
    q.project = hm_snapshot_project(w->snap, project, c->a, &fit);
  if (project.n && q.project == HM_MAP_NONE) {
    hm_project_fail_unknown(project, &fit, err);
    return hm_err_at_field(err, HM_STR("project"));
  }
  hm_held_index(hm_pool_held(c->api->pool), c->reader->held);
  if (hm_pairs_to_judge(w, &q, hm_par_cores(), c->a, &pairs, err))
    return -1;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_pairs_json(&j, w->snap, &pairs, c->a);
  hm_jw_end(&j);
  return 0;
}

/* tokens: of context; 0: recall. */
static int recall_or_context(hm_api_call_state *c, const char *asked, size_t tokens, hm_err *err) {
  hm_recall_option_texts t = { .k = hm_api_param(c, "k", NULL),
                               .mode = hm_api_param(c, "mode", NULL),
                               .type = hm_api_param(c, "type", NULL),
                               .tag = hm_api_param(c, "tag", NULL),
                               .project = hm_api_param(c, "project", NULL),
                               .min_importance = hm_api_param(c, "min_importance", NULL),
                               .as_of = hm_api_param(c, "as_of", NULL),
                               .true_at = hm_api_param(c, "was_true_at", NULL),
                               .clock = hm_api_param(c, "clock", NULL),
                               .weights = hm_api_param(c, "weights", NULL),
                               .overfetch = hm_api_param(c, "overfetch", NULL),
                               .expand = hm_api_param(c, "expand", NULL),
                               .depth = hm_api_param(c, "depth", NULL),
                               .cap = hm_api_param(c, "cap", NULL),
                               .include_superseded =
                                   hm_str_is(hm_api_param(c, "include_superseded", NULL), "true"),
                               .below_floor = hm_str_is(hm_api_param(c, "any", NULL), "true") };
  const hm_recaller *r;
  hm_recall_options opt;
  hm_recall_expand expand;
  hm_recall_answer answer;
  hm_recall_model room;
  hm_str note;
  if (read_rows(c, &r, err) ||
      hm_recall_options_parse(hm_recaller_rows(r), &t, c->a, &opt, &expand, err))
    return -1;
  if (tokens)
    opt.k = HM_CONTEXT_HITS;
  const hm_recall_model *model = choose_model(c, asked, &room, &note);
  hm_str text = hm_api_param(c, asked, NULL);
  if (tokens ? hm_recaller_ask_task(r, c->store, text, &opt, model, c->a, &answer, err)
             : hm_recaller_ask(r, c->store, text, &opt, &expand, model, c->a, &answer, err))
    return !strcmp(err->field, "query") ? hm_err_at_field(err, hm_str_c(asked)) : -1;
  answer.note = note;
  size_t n;
  hm_standings *standings;
  const hm_str *refs = hm_recall_refs(r, &answer, c->a, &n);
  if (hm_api_read_standings(c, refs, n, &standings, &answer.pending, err))
    return -1;
  hm_recalled_order(r, standings, &answer, c->a);
  if (tokens) {
    hm_context lines;
    hm_recalled_context(r, standings, &answer, tokens, c->a, &lines);
    hm_context_json(text, &lines, &c->out);
  } else
    hm_recall_json(r, &answer, hm_standing_tell_ids, standings, c->a, &c->out);
  return 0;
}

int hm_api_recall(hm_api_call_state *c, hm_err *err) {
  return recall_or_context(c, "query", 0, err);
}

/* GET /context */
int hm_api_get_context(hm_api_call_state *c, hm_err *err) {
  double tokens = HM_CONTEXT_TOKENS;
  hm_str given = hm_api_param(c, "tokens", NULL);
  if (given.n &&
      (!hm_str_read_double(given, &tokens) || !(tokens >= 1 && tokens <= HM_CONTEXT_TOKENS_MAX)))
    return hm_request_refuse(HM_E_INPUT, "the address", HM_STR("tokens"), "not 1 to 8000", NULL,
                             err);
  return recall_or_context(c, "task", (size_t)tokens, err);
}
