/* What the files of the API share. Not for other folders. */
#ifndef HM_API_IMPL_H
#define HM_API_IMPL_H
#include "core/detect/sweep.h"
#include "core/review/write.h"
#include "core/store/change_log.h"
#include "core/store/lookup.h"
#include "gen/api/api.h"

/* --- connections to the store (pool.c) ------------------------------------------- */

/* One for writing, which writes take in turns; one for what reads much, so that it is read once for
 * all who ask; and some for everything else, opened when first needed and kept. */
typedef struct hm_pool hm_pool;

enum { HM_POOL_READERS = 16, HM_POOL_ANSWERS = 256 };   /* how many, and answers each caches */

/* A connection for reading, and what it answered last. One thread has it at a time. */
typedef struct hm_pool_reader {
  hm_store *store;
  struct hm_pool_reader *next;
  size_t cache_bytes;          /* what the cached answers may take, about */
  uint64_t version;            /* of the store, at which they hold (lookup.h) */
  hm_arena *a;                 /* theirs */
  hm_map answers;              /* request -> index into bodies */
  hm_str *bodies; size_t n;
  hm_sweep *sweep;             /* at the same version, for all that is asked of findings; or NULL */
  hm_arena *sweep_a;           /* its */
} hm_pool_reader;

/* Opens src, which must outlive the pool, for writing, which migrates it; busy_ms: how long other
 * programs, and other writes of ours, are waited for. */
int hm_pool_open(const hm_store_source *src, int busy_ms, hm_pool **out, hm_err *err);
/* When all connections have been returned. */
void hm_pool_close(hm_pool *p);
/* The connection for writing, to be returned; HM_E_BUSY when others have it for too long. */
int hm_pool_take_writer(hm_pool *p, hm_store **out, hm_err *err);
void hm_pool_return_writer(hm_pool *p);
/* A reader in an open transaction, to be returned, which ends it. Waits while all are taken;
 * shared: the one for what reads much. */
int hm_pool_take_reader(hm_pool *p, bool shared, hm_pool_reader **out, hm_err *err);
void hm_pool_return_reader(hm_pool *p, hm_pool_reader *r);
/* The cached answer to this request, borrowed until the reader is returned; false: none. */
bool hm_pool_find_answer(const hm_pool_reader *r, hm_str request, hm_str *body);
/* Findings at the reader's version, with details: swept once, then borrowed until the reader is
 * given back. It takes the memory of a sweep. Errors: those of hm_sweep_run_all. */
int hm_pool_get_sweep(hm_pool_reader *r, const hm_rules *rules, const hm_sweep **out, hm_err *err);
/* Caches an answer, unless there are many or they are large. */
void hm_pool_store_answer(hm_pool_reader *r, hm_str request, hm_str body);

/* --- one call --------------------------------------------------------------------- */

/* The rows that recall asks (core/recall/answer.h), the vectors of the configured model for them
 * (core/recall/embed.h), and the data version that they are of; for who has the reader for what
 * reads much. */
typedef struct {
  struct hm_recaller *recaller;
  hm_arena *model_a;           /* NULL before the first read */
  struct hm_api_model *model;
  uint64_t version;
} hm_api_rows;
/* recall.c */
void hm_api_rows_free(hm_api_rows *rows);

struct hm_api {
  hm_arena *a;
  hm_pool *pool;
  hm_api_rows *rows;
  hm_api_options opt;
  hm_str document;             /* OpenAPI */
};

/* Functions append their answer's JSON to out; the line feed is not theirs. */
struct hm_api_call_state {
  const hm_api *api;
  const hm_api_request *q;
  hm_arena *a;
  hm_store *store;             /* of HM_API_READS* in an open transaction, of HM_API_WRITES not */
  hm_pool_reader *reader;      /* of HM_API_READS* */
  hm_review review;            /* of HM_API_WRITES: who writes, when, and whether it is dry */
  hm_buf out;
  bool rejected;               /* out has what the error says besides */
  hm_str location;
  bool uncached;               /* the answer depends on more than the store */
};

hm_api_fn hm_api_list_conflicts, hm_api_get_conflict, hm_api_get_row, hm_api_get_health,
    hm_api_resolve, hm_api_dismiss, hm_api_reopen, hm_api_add_row, hm_api_edit_row,
    hm_api_promote_row, hm_api_graduate, hm_api_get_impact, hm_api_get_evidence, hm_api_get_query,
    hm_api_list_findings, hm_api_explain_finding, hm_api_confirm, hm_api_ack, hm_api_unack,
    hm_api_flag,
    hm_api_unflag, hm_api_link, hm_api_unlink, hm_api_get_neighbors, hm_api_get_subgraph,
    hm_api_reflect, hm_api_get_latest_sweep, hm_api_recall, hm_api_explain_conflict,
    hm_api_supersede, hm_api_restore, hm_api_sweep, hm_api_list_rules;

/* What an agent may not (agents.c); before the write that it asks for. HM_E_STATE: only a person
 * may; HM_E_INPUT with field. */
int hm_api_check_agent(hm_api_call_state *c, hm_err *err);
/* Where the row that was written can be read, in a (writes.c). */
hm_str hm_api_row_path(const hm_written *w, hm_arena *a);

/* --- what a request says (request.c) ---------------------------------------------- */

/* A parameter of the call's query; *found (may be NULL) whether it was given. Empty when not. */
hm_str hm_api_param(const hm_api_call_state *c, const char *name, bool *found);
/* Each name is known and given once, each value is of its type. HM_E_INPUT with field. */
int hm_request_check_query(const hm_api_request *q, hm_arena *a, hm_err *err);
/* The body is of the operation's shape; of a record only that there is one, which core/review
 * checks further. HM_E_INPUT with field. */
int hm_request_check_body(const hm_api_request *q, hm_err *err);
/* Who writes (`by` of the body, else of the query, else who asks, else the server's), and when; in
 * a. HM_E_INPUT with field. */
int hm_request_read_review(const hm_api_request *q, const hm_api_options *opt, hm_arena *a,
                           hm_review *out, hm_err *err);

/* --- the tables -------------------------------------------------------------------- */

/* The schemas of all bodies, into the object that is open. */
void hm_api_write_body_schemas(hm_jw *w);
/* Writes the schemas that types name by '#', one after another, into an open object. */
void hm_api_write_schemas(hm_jw *w);
/* The OpenAPI 3.1 document of the operations, in a. token: says that one is asked for. */
hm_str hm_openapi_document(const hm_api_operation *v, size_t n, bool token, hm_arena *a);
#endif
