/* GET /recall: the rows that answer a question.
 *
 * Reads the rows of the store once, and again when its data version changes. One question at a time
 * uses them. The store's writer updates the index of
 * words at first, then every few hundred changed rows. A thread makes the model's vectors
 * (gen/mirror/embedding.h); until all exist, recall uses the built-in ones. */
#include "core/base/par.h"
#include "core/recall/answer.h"
#include "gen/api/api_impl.h"
#include "gen/mirror/embedding.h"

struct hm_api_model {
  hm_embed_vectors rows;
};

/* Updates the index of words. The answer is the same without it, so a busy writer is no error. */
static int index_words(hm_api_call_state *c, hm_recaller *r, hm_err *err) {
  hm_store *writer;
  hm_err unheard = { 0 };
  if (!hm_recaller_unindexed_rows(r))
    return 0;
  hm_store_rollback(c->store);
  if (!hm_queue_take_writer(c->api->queue, &writer, &unheard)) {
    hm_recaller_update_word_index(r, writer, &unheard);
    hm_queue_return_writer(c->api->queue);
  }
  return hm_store_begin(c->store, false, err) || hm_recaller_read_word_index(r, c->store, err) ? -1
                                                                                               : 0;
}

static void drop_rows(hm_api_rows *rows) {
  hm_recaller_free(rows->recaller);
  rows->recaller = NULL;
}

void hm_api_rows_free(hm_api_rows *rows) {
  drop_rows(rows);
  hm_arena_free(rows->model_a);
}

static int read_rows(hm_api_call_state *c, hm_err *err) {
  hm_api_rows *rows = c->api->rows;
  drop_rows(rows);
  if (hm_recaller_read(c->store, c->api->opt.rules, hm_par_cores(), &rows->recaller, err))
    return -1;
  return hm_recaller_read_word_index(rows->recaller, c->store, err);
}

static int read_model(hm_api_call_state *c, hm_err *err) {
  hm_api_rows *rows = c->api->rows;
  const hm_embedding *e = c->api->opt.embedding;
  if (!e)
    return 0;
  if (!rows->model_a)
    rows->model_a = hm_arena_new();
  hm_arena_reset(rows->model_a);
  rows->model = hm_alloc(rows->model_a, sizeof *rows->model);
  return hm_embed_vectors_read(c->store, hm_recaller_rows(rows->recaller),
                               hm_str_c(hm_embedding_model(e)), rows->model_a, &rows->model->rows,
                               err);
}

/* Brings the rows and their vectors up to date. The caller has the shared reader, so no other
 * thread runs this. */
static int update_rows(hm_api_call_state *c, hm_recaller **out, hm_err *err) {
  hm_api_rows *rows = c->api->rows;
  uint64_t version = 0;
  if (hm_store_data_version(c->store, &version, err))
    return -1;
  if (!rows->recaller || rows->version != version) {
    if (read_rows(c, err) || read_model(c, err) || index_words(c, rows->recaller, err)) {
      drop_rows(rows);
      return -1;
    }
    rows->version = version; /* that of the transaction in which they were read */
  }
  *out = rows->recaller;
  return 0;
}

/* The model that the question is compared by; NULL: the built-in vectors. */
static const hm_recall_model *choose_model(hm_api_call_state *c, hm_recall_model *room,
                                           hm_str *note) {
  hm_embedding *e = c->api->opt.embedding;
  const hm_api_options *opt = &c->api->opt;
  *note = HM_EMPTY;
  if (!e && opt->embedding_off)
    *note = hm_embedding_off_note(opt->embedding_off, opt->embedding_named, c->store, c->a);
  if (!e)
    return NULL;
  return hm_embedding_ask_model(e, c->store, &c->api->rows->model->rows,
                                hm_api_param(c, "query", NULL), c->a, room, note)
      ? room
      : NULL;
}

int hm_api_recall(hm_api_call_state *c, hm_err *err) {
  hm_recall_option_texts t = { .k = hm_api_param(c, "k", NULL),
                               .mode = hm_api_param(c, "mode", NULL),
                               .type = hm_api_param(c, "type", NULL),
                               .tag = hm_api_param(c, "tag", NULL),
                               .project = hm_api_param(c, "project", NULL),
                               .min_importance = hm_api_param(c, "min_importance", NULL),
                               .as_of = hm_api_param(c, "as_of", NULL),
                               .clock = hm_api_param(c, "clock", NULL),
                               .weights = hm_api_param(c, "weights", NULL),
                               .overfetch = hm_api_param(c, "overfetch", NULL),
                               .expand = hm_api_param(c, "expand", NULL),
                               .depth = hm_api_param(c, "depth", NULL),
                               .cap = hm_api_param(c, "cap", NULL),
                               .include_superseded =
                                   hm_str_is(hm_api_param(c, "include_superseded", NULL), "true") };
  hm_recaller *r;
  hm_recall_options opt;
  hm_recall_expand expand;
  hm_recall_answer answer;
  hm_recall_model room;
  hm_str note;
  if (update_rows(c, &r, err) || hm_recall_options_parse(r, &t, c->a, &opt, &expand, err))
    return -1;
  const hm_recall_model *model = choose_model(c, &room, &note);
  if (hm_recaller_ask(r, c->store, hm_api_param(c, "query", NULL), &opt, &expand, model, c->a,
                      &answer, err))
    return -1;
  answer.note = note;
  hm_recall_json(r, &answer, c->a, &c->out);
  return 0;
}
