/* The API: reads and settles conflicts, reads and writes rows; plain data in, JSON out. It has no
 * sockets: a front end such as HTTP (gen/http) reads its own protocol, makes a hm_api_request of
 * it, and sends the answer of hm_api_call.
 * Source: specification, "API shape"; design section 10. */
#ifndef HM_API_H
#define HM_API_H
#include "core/base/json.h"
#include "core/value/rules.h"
#include "core/store/store.h"
#include "gen/site/verdict_dry_run.h"

/* --- shapes (shape.c, pure) ------------------------------------------------------------------- */

/* Shapes of JSON objects, as tables of text. The same table checks a request and becomes JSON
 * Schema in the OpenAPI document, so the two agree.
 *
 * A table has a line for each member, "NAME  TYPE  WHAT IT IS\n"; '?' after the name: the member is
 * optional. A type is "string", "integer", "number", "boolean", "object", "any"; "a|b|c": one of
 * these strings; "#Name": a schema of the document, "#A|#B": one of these;
 * "[T]": an array of T; "{T}": an object whose members are all T; "T?": T or null. */
typedef struct {
  hm_str name, type, about;
  bool optional;
} hm_shape_field;

/* Removes the first line from a table and parses it. Returns false when there is none. */
bool hm_shape_next_field(hm_str *table, hm_shape_field *out);
/* Finds the member of this name; returns false when there is none. */
bool hm_shape_find_field(const char *table, hm_str name, hm_shape_field *out);

typedef struct {
  const char *name; /* of the schema */
  const char *base; /* "#Name": includes all its members; or NULL */
  const char *about;
  const char *fields; /* a table */
} hm_api_shape;

/* Writes the type under key (NULL in an array); about may be empty. */
void hm_shape_write_type(hm_jw *w, const char *key, hm_str type, hm_str about);
/* Writes the schema under its name; it allows no members besides these and those of `also`, a table
 * or empty. */
void hm_shape_write_schema(hm_jw *w, const hm_api_shape *s, const char *also);
/* Checks that v (NULL: there was no body) has the shape: an object with known members of their
 * types (any object or array for "#Name" and "[T]"). Fails with HM_E_INPUT and the field. */
int hm_shape_check(const hm_api_shape *s, const hm_json *v, hm_err *err);
/* Refuses a part of the request: "the address" or "the body", and in it name (empty: all of it),
 * which is the field at fault. fix NULL: that of the code. Returns -1. */
int hm_request_refuse(hm_code code, const char *part, hm_str name, const char *why, const char *fix,
                      hm_err *err);
/* True when a text of a URL's query is of the type. */
bool hm_shape_fits_text(hm_str type, hm_str text);

/* --- the API ---------------------------------------------------------------------------------- */

typedef struct hm_api hm_api;
typedef struct hm_api_operation hm_api_operation;

typedef enum { HM_GET, HM_PATCH, HM_POST } hm_method;

typedef struct {
  hm_str name, value;
} hm_pair;

/* A bit mask: what an operation needs and does. */
typedef enum {
  HM_API_READS = 1,          /* reads the store */
  HM_API_READS_MUCH = 2,     /* reads much of it: concurrent requests share one reader */
  HM_API_WRITES = 4,         /* needs the store's only writer */
  HM_API_CREATES = 8,        /* answers 201 with a location; a dry run answers 200 */
  HM_API_BODY_OPTIONAL = 16, /* needs no body */
  HM_API_REPEATABLE = 32,    /* never answers 409: no state of the store forbids it */
  HM_API_SHARES = 128,       /* may share its find with other writes (core/review/write.h) */
  HM_API_ALONE = 256,        /* needs transactions of its own, or long: never in a batch */
  HM_API_OF_AGENTS = 64      /* also for an agent that may give no verdicts, within limits
                                (agents.c) */
} hm_api_flags;

/* The argument of an operation's function; api_impl.h. */
typedef struct hm_api_call_state hm_api_call_state;
typedef int hm_api_fn(hm_api_call_state *c, hm_err *err);

/* A row of the table of operations, from which the OpenAPI document is written too. */
struct hm_api_operation {
  hm_method method;
  const char *path;  /* "/conflicts/{id}": the names in braces are the parameters */
  const char *name;  /* "getConflict" */
  const char *about; /* one sentence */
  const char *query; /* a table of the query's parameters, or empty */
  const char *takes; /* type of the body, or NULL */
  const char *gives; /* type of the answer */
  unsigned flags;    /* hm_api_flags */
  hm_layer layer;    /* of the row; 0 when the operation is about no row */
  hm_api_fn *run;    /* NULL: answers the OpenAPI document */
};

/* Strings are borrowed until the call returns. */
typedef struct {
  const hm_api_operation *operation;
  const hm_str *params;
  size_t n_params; /* as its path has {names}, in their order */
  const hm_pair *query;
  size_t n_query;
  const hm_json *body; /* NULL: none */
  hm_str by;           /* the caller, unless query or body name one; may be empty */
  /* Set when an agent calls: the rows that it adds get this `via` and `by` as their agent, and the
   * request can name nobody else. Empty: a person or program calls. */
  hm_str via;
  bool may_judge; /* with via: the agent may give verdicts */
  bool named;     /* with via: the operator gave it its name, so that it has rows of its own */
  size_t most;    /* bytes of the answer, which is shortened to fit (fit.c); 0: as long as it is */
  bool quoted;    /* it goes into a JSON string, whose escapes count */
  /* When it becomes true what reads, waits for other programs or sweeps ends with an error; a write
   * that has begun is done all the same. NULL: nobody cancels. */
  const atomic_bool *stop;
} hm_api_request;

typedef struct {
  int status;      /* of HTTP: 200, 201, 404, 409, 422, 500, 503 */
  hm_str body;     /* JSON and a line feed; for an error see hm_api_error_json */
  hm_str location; /* with 201: the path at which getX reads the new row; else empty */
  hm_err err;      /* code HM_OK: no error */
  bool says_more;  /* body has the error and further data */
} hm_api_answer;

typedef int hm_api_trial(void *ctx, hm_store *s, hm_dry_run_verdict *give, void *give_ctx,
                         hm_arena *a, hm_verdict_report *out, hm_err *err);

typedef struct hm_api_options {
  const hm_store_source *store; /* must outlive the API */
  const hm_rules *rules;        /* must outlive the API */
  hm_str by;                    /* the journal's actor when a request names none */
  size_t queue;                 /* the most writes that may wait; 0: 1,000 */
  size_t reports_per_day;       /* see core/review/report.h; 0: 20 */
  int busy_ms;                  /* how long to wait for a store that another program writes */
  bool token;                   /* the document says that a token is required */
  /* Tries a verdict as hm_try_verdict does, with the shown pages; NULL: there are no pages. */
  hm_api_trial *trial;
  void *trial_ctx;
  struct hm_embedding *embedding; /* gen/mirror/embedding.h; NULL: the built-in vectors */
  const char *embedding_off;      /* why there is none (hm_embedding_why_off); NULL: unknown */
  bool embedding_named;           /* the config names a model */
} hm_api_options;

/* Opens the store for writing, which migrates it. Errors: those of hm_store_open. */
int hm_api_open(const hm_api_options *opt, hm_api **out, hm_err *err);
/* Call it when no hm_api_call runs any more. */
void hm_api_close(hm_api *api);

/* All operations, sorted by path, then method, so that a literal segment comes before a {name}. */
const hm_api_operation *hm_api_operations(size_t *n);
/* The operation of this name, or NULL. */
const hm_api_operation *hm_api_find_operation(hm_str name);
/* The number of {names} in its path. */
size_t hm_api_count_path_params(const hm_api_operation *op);
/* Checks the query and the body by the operation's tables, runs the operation, and fills *out, also
 * for an error. Texts of the answer live in a or as long as the API. Callable from any thread. */
void hm_api_call(hm_api *api, const hm_api_request *q, hm_arena *a, hm_api_answer *out);

/* What a door takes of an answer. */
typedef struct {
  size_t most;  /* bytes; 0: all */
  bool quoted;  /* it goes into a JSON string, whose escapes count */
  bool by_id;   /* its first list goes on behind an id, which the operation itself reads */
  bool goes_on; /* the rest can be asked for: it has `next` */
  hm_str after; /* where it begins, unless by_id: "members:40" (the next of an answer), or empty */
} hm_answer_bounds;
/* Shortens an answer, in a (fit.c). HM_E_UNKNOWN: it has no such part; HM_E_STATE: it does not
 * fit. */
int hm_answer_fit(const hm_answer_bounds *o, hm_str *body, hm_arena *a, hm_err *err);

/* The connection for writing, in its turn among the calls that write, for who holds transactions of
 * its own; return it. HM_E_BUSY: too many wait. */
int hm_api_take_writer(hm_api *api, hm_store **out, hm_err *err);
void hm_api_return_writer(hm_api *api);

/* The HTTP status for an error: HM_E_INPUT 422, HM_E_UNKNOWN 404, HM_E_STATE 409, HM_E_BUSY 503,
 * others 500. */
int hm_api_error_status(const hm_err *err);
/* {"error":{"code","what","why","fix","field"}} and a line feed, in a. */
hm_str hm_api_error_json(const hm_err *err, hm_arena *a);
/* The value of the first parameter of this name, empty when there is none; sets *found (may be
 * NULL). */
hm_str hm_find_pair_value(const hm_pair *v, size_t n, const char *name, bool *found);
#endif
