/* GET /recall: the rows that answer a question.
 *
 * The rows of the store are read once and kept while its data version stays the same; questions
 * take turns on them. The index of words is brought up to date by the store's writer, when that is
 * worth a write: first of all, then every few hundred changed rows. */
#include "core/base/par.h"
#include "core/recall/answer.h"
#include "gen/api/api_impl.h"

static hm_str asked(const hm_api_call_state *c, const char *name) {
  return hm_pair_value(c->q->query, c->q->n_query, name, NULL);
}

/* Without it the answer is the same: a writer that is busy is no error. */
static int index_words(hm_api_call_state *c, hm_recaller *r, hm_err *err) {
  hm_store *writer;
  hm_err unheard = { 0 };
  if (!hm_recaller_behind(r)) return 0;
  hm_store_rollback(c->store);
  if (!hm_pool_take_writer(c->api->pool, &writer, &unheard)) {
    hm_recaller_index(r, writer, &unheard);
    hm_pool_give_writer(c->api->pool);
  }
  return hm_store_begin(c->store, false, err) || hm_recaller_look(r, c->store, err) ? -1 : 0;
}

/* The rows as the store has them now. The caller has the reader for what reads much, so nobody else
 * is here. */
static int bring_rows(hm_api_call_state *c, hm_recaller **out, hm_err *err) {
  hm_api_rows *rows = c->api->rows;
  uint64_t version;
  if (hm_store_data_version(c->store, &version, err)) return -1;
  if (!rows->recaller || rows->version != version) {
    hm_recaller_free(rows->recaller);
    rows->recaller = NULL;
    if (hm_recaller_read(c->store, c->api->opt.rules, hm_par_cores(), &rows->recaller, err) ||
        hm_recaller_look(rows->recaller, c->store, err) ||
        index_words(c, rows->recaller, err) ||
        hm_store_data_version(c->store, &rows->version, err)) {
      hm_recaller_free(rows->recaller);
      rows->recaller = NULL;
      return -1;
    }
  }
  *out = rows->recaller;
  return 0;
}

int hm_api_recall(hm_api_call_state *c, hm_err *err) {
  hm_recall_texts_given t = { .k = asked(c, "k"),
                              .mode = asked(c, "mode"),
                              .type = asked(c, "type"),
                              .tag = asked(c, "tag"),
                              .project = asked(c, "project"),
                              .min_importance = asked(c, "min_importance"),
                              .as_of = asked(c, "as_of"),
                              .clock = asked(c, "clock"),
                              .weights = asked(c, "weights"),
                              .overfetch = asked(c, "overfetch"),
                              .expand = asked(c, "expand"),
                              .depth = asked(c, "depth"),
                              .cap = asked(c, "cap"),
                              .include_superseded =
                                  hm_str_is(asked(c, "include_superseded"), "true") };
  hm_recaller *r;
  hm_recall_options opt;
  hm_recall_expand expand;
  hm_recall_answer answer;
  if (bring_rows(c, &r, err) || hm_recall_texts_read(r, &t, c->a, &opt, &expand, err) ||
      hm_recaller_ask(r, c->store, asked(c, "query"), &opt, &expand, c->a, &answer, err))
    return -1;
  hm_recall_json(r, &answer, c->a, &c->out);
  return 0;
}
