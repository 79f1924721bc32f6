/* Shared by the files of the API. Not for other folders. */
#ifndef HM_API_IMPL_H
#define HM_API_IMPL_H
#include "core/sweep/answer.h"
#include "core/sweep/held.h"
#include "core/sweep/standing.h"
#include "core/review/write.h"
#include "core/store/lookup.h"
#include "gen/api/api.h"

/* --- the writers (queue.c) -------------------------------------------------------- */

/* The connection for writing, and who waits for it. */
typedef struct hm_queue hm_queue;

/* Of fewer rows a write sweeps all at once. */
enum { HM_API_SWEPT_AT_ONCE = 2000 };

/* Opens src for writing, which migrates it; one that cannot be written is opened for reading, and
 * writers are refused. busy_ms: how long to wait for other programs; most: how
 * many writers may wait, 0: 1,000. */
int hm_queue_open(const hm_store_source *src, int busy_ms, size_t most, hm_queue **out,
                  hm_err *err);
/* From now on writes are found beside the sweep that the pool holds, where that is enough. pending
 * is called after each batch that awaits a sweep. */
void hm_queue_hold(hm_queue *q, hm_held *held, const hm_rules *rules, size_t least,
                   void (*pending)(void *ctx), void *ctx);
/* Records a sweep that was read before (hm_beside_take), in its turn; takes over w and a. */
int hm_queue_record_sweep(hm_queue *q, const hm_sweep_options *opt, hm_sweep *w, hm_arena *a,
                          hm_err *err);
void hm_queue_close(hm_queue *q); /* when nobody writes any more */
/* Carries the command out, in a batch with others that wait, and returns when it is stored. */
int hm_queue_run(hm_queue *q, hm_api_call_state *c, hm_err *err);
/* Takes the connection for who needs transactions of his own; return it. HM_E_BUSY: too many
 * wait. */
int hm_queue_take_writer(hm_queue *q, hm_store **out, hm_err *err);
void hm_queue_return_writer(hm_queue *q);

/* --- the sweep that follows (background.c) ------------------------------------------ */

/* Sweeps in a thread of its own, and records it. */
typedef struct hm_background hm_background;
/* Borrows both. The thread begins when it is first told. */
hm_background *hm_background_new(const struct hm_api_options *opt, hm_queue *queue);
void hm_background_tell(hm_background *b); /* something awaits a sweep */
/* Waits for a sweep that runs. NULL is allowed. */
void hm_background_end(hm_background *b);

/* --- connections for reading (pool.c) --------------------------------------------- */

/* One for operations that read much, so that concurrent requests read only once; and some for
 * everything else, opened when first needed and kept. */
typedef struct hm_pool hm_pool;

enum { HM_POOL_READERS = 16 };

/* A connection for reading. One thread has it at a time. */
typedef struct hm_pool_reader {
  hm_store *store;
  struct hm_pool_reader *next;
  hm_held_sweep *held; /* that a request uses; or NULL */
} hm_pool_reader;

/* src must outlive the pool, and be migrated; busy_ms: how long to wait for other programs. */
int hm_pool_open(const hm_store_source *src, int busy_ms, const hm_rules *rules, hm_pool **out,
                 hm_err *err);
/* Call it when all connections have been returned. */
void hm_pool_close(hm_pool *p);
/* Takes a reader, in an open transaction that ends when it is returned. Waits while all are taken.
 * shared: takes the one for operations that read much. */
int hm_pool_take_reader(hm_pool *p, bool shared, hm_pool_reader **out, hm_err *err);
void hm_pool_return_reader(hm_pool *p, hm_pool_reader *r);
/* What its readers share; lives as long as the pool. */
hm_held *hm_pool_held(hm_pool *p);
/* The sweep of the state that the reader's transaction reads (core/sweep/held.h); borrowed until
 * the reader is returned. */
int hm_pool_get_sweep(hm_pool *p, hm_pool_reader *r, const hm_sweep **out, hm_err *err);
/* The held sweep, of whatever state; NULL: none. Borrowed until then, too; hm_pool_get_sweep gives
 * the same one from now on, until hm_pool_drop_sweep returns it. */
const hm_sweep *hm_pool_last_sweep(hm_pool *p, hm_pool_reader *r);
void hm_pool_drop_sweep(hm_pool *p, hm_pool_reader *r);

/* --- one call --------------------------------------------------------------------- */

/* What recall reads: rows of its own where no sweep of the store's state is held, but what one
 * would say is recorded; and beside the rows the vectors of the configured model for them
 * (core/recall/embed.h), and when memories were used last. Only the holder of the shared reader may
 * use it. */
typedef struct {
  hm_arena *own_a; /* of its own rows; NULL: none */
  hm_snapshot *own_snap;
  hm_recaller *own;
  uint64_t own_version; /* hm_facts_version */
  hm_arena *a;          /* NULL before the first read */
  hm_embed_vectors vectors;
  const hm_recaller *of; /* whose rows */
  uint64_t facts;        /* of the rows: hm_facts_version, */
  hm_time now;           /* and their now */
  uint64_t version;      /* data version of the store */
} hm_api_recall_state;

void hm_api_recall_free(hm_api_recall_state *m);

struct hm_api {
  hm_arena *a;
  hm_queue *queue;
  hm_background *background;
  hm_pool *pool;
  hm_api_recall_state *recall;
  hm_api_options opt;
  hm_str document; /* OpenAPI */
};

/* Functions append their answer's JSON to out, without the line feed. */
struct hm_api_call_state {
  const hm_api *api;
  const hm_api_request *q;
  hm_arena *a;
  hm_store *store;        /* for HM_API_READS* in an open transaction, for HM_API_WRITES not */
  hm_pool_reader *reader; /* for HM_API_READS* */
  hm_review review;       /* for HM_API_WRITES: who writes, when, whether it is a dry run */
  bool shares;            /* it may share its find with other writes (core/review/write.h) */
  hm_written *written;    /* of an operation that writes a row: hm_api_finish_write tells it */
  hm_buf out;
  bool rejected; /* the call failed, and out has further data about the error */
  hm_str location;
};

hm_api_fn hm_api_list_conflicts, hm_api_get_conflict, hm_api_get_row, hm_api_get_row_of_any_kind,
    hm_api_list_rows, hm_api_get_health, hm_api_resolve, hm_api_dismiss, hm_api_reopen,
    hm_api_add_row, hm_api_edit_row, hm_api_promote_row, hm_api_graduate, hm_api_get_impact,
    hm_api_get_evidence, hm_api_get_query, hm_api_list_findings, hm_api_explain_finding,
    hm_api_confirm, hm_api_ack, hm_api_unack, hm_api_flag, hm_api_unflag, hm_api_link,
    hm_api_unlink, hm_api_get_neighbors, hm_api_get_subgraph, hm_api_reflect,
    hm_api_get_latest_sweep, hm_api_recall, hm_api_explain_conflict, hm_api_supersede,
    hm_api_restore, hm_api_sweep, hm_api_list_rules, hm_api_get_alike, hm_api_get_context,
    hm_api_report, hm_api_agree, hm_api_withdraw, hm_api_list_pairs, hm_api_list_projects;

/* Where answers about conflicts come from: what is recorded, while that holds, else the held sweep.
 * *pending (may be NULL): only the conflicts of written slots are up to date. */
int hm_api_answer_source(hm_api_call_state *c, hm_answer_source *out, bool *pending, hm_err *err);

/* How these rows stand; pending as above. */
int hm_api_read_standings(hm_api_call_state *c, const hm_str *refs, size_t n, hm_standings **out,
                          bool *pending, hm_err *err);

/* Carries a write out, in the transaction that its store has, or in its own; checks before what an
 * agent may write (agents.c). HM_E_STATE: only a person may; HM_E_INPUT with field. */
int hm_api_run_write(hm_api_call_state *c, hm_err *err);
/* Tells what was written, once it is stored (writes.c). */
int hm_api_finish_write(hm_api_call_state *c, hm_err *err);

/* The API's path of the written row, in a (writes.c). */
hm_str hm_api_row_path(const hm_written *w, hm_arena *a);

/* --- parts of a request (request.c) ------------------------------------------------ */

/* A parameter of the call's query, empty when absent; sets *found (may be NULL). */
hm_str hm_api_param(const hm_api_call_state *c, const char *name, bool *found);
/* Checks that each name is known and given once, and each value is of its type. HM_E_INPUT with
 * field. */
int hm_request_check_query(const hm_api_request *q, hm_arena *a, hm_err *err);
/* Checks that the body has the operation's shape; for a record only that there is one: core/review
 * checks the rest. HM_E_INPUT with field. */
int hm_request_check_body(const hm_api_request *q, hm_err *err);
/* Reads who writes (`by` of the body, else of the query, else of the request, else of the server),
 * and when; in a. HM_E_INPUT with field. */
int hm_request_read_review(const hm_api_request *q, const hm_api_options *opt, hm_arena *a,
                           hm_review *out, hm_err *err);

/* --- the tables -------------------------------------------------------------------- */

/* Writes the schemas of all bodies into the open object. */
void hm_api_write_body_schemas(hm_jw *w);
/* A table of what an answer of this shape has more where it was cut (fit.c); empty for a body. */
const char *hm_api_cut_members(const hm_api_shape *s);
/* Writes the schemas that types name by '#', one after another, into an open object. */
void hm_api_write_schemas(hm_jw *w);
/* The OpenAPI 3.1 document of the operations, in a. token: says that a token is required. */
hm_str hm_openapi_document(const hm_api_operation *v, size_t n, bool token, hm_arena *a);
#endif
