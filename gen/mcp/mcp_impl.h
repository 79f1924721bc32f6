/* Shared by the files of gen/mcp. Not for other folders. */
#ifndef HM_MCP_IMPL_H
#define HM_MCP_IMPL_H
#include "core/base/json.h"
#include "gen/mcp/mcp.h"

/* --- messages (session.c) --------------------------------------------------------------------- */

/* One message of the Model Context Protocol: a line of JSON-RPC 2.0. Pure.
 *
 * Anything but a request, notification or response is an error with one of JSON-RPC's codes; the id
 * is returned as written. Batches are refused: the protocol has none since its version
 * 2025-06-18. */

enum {
  HM_RPC_PARSE = -32700,   /* not JSON */
  HM_RPC_REQUEST = -32600, /* JSON, but no message of the protocol */
  HM_RPC_METHOD = -32601,  /* no such method */
  HM_RPC_PARAMS = -32602,  /* parameters that the method does not take; no such tool */
  HM_RPC_INTERNAL = -32603,
  HM_RPC_NO_RESOURCE = -32002 /* the protocol's own: no such resource */
};

enum { HM_MCP_ID_MAX = 200 }; /* bytes of an id as written */
/* Bytes of a message that the server sends. */
enum {
  HM_MCP_ANSWER_MAX = 32 << 10,
  HM_MCP_ANSWER_ROOM = HM_MCP_ANSWER_MAX - 1500 /* without what stands around it */
};

typedef struct {
  hm_str id;               /* as written: a string with its quotes, or an integer; empty: none */
  hm_str method;           /* empty: a response */
  const hm_json *params;   /* an object, or NULL */
  hm_str progress;         /* the token for what is told of its progress, as written; empty: none */
  const atomic_bool *stop; /* becomes true when it is cancelled; or NULL */
} hm_mcp_message;

typedef struct {
  int code;
  const char *why;
} hm_mcp_fault;

/* Parses a line without its line feed, into a. Returns -1 with the reason in *fault; out->id is
 * then the message's id if it could be read, else empty. */
int hm_mcp_parse_message(hm_str line, hm_arena *a, hm_mcp_message *out, hm_mcp_fault *fault);

/* Reads a line that cannot be parsed, a piece after the other, for its id: without it the client
 * would wait for an answer to that request. Zero at first. */
typedef struct {
  size_t depth, n;
  bool in_text, escaped;                           /* inside a string, behind a backslash */
  char member[HM_MCP_ID_MAX + sizeof "\"id\" : "]; /* of the message, its first bytes */
  bool had;                                        /* it has an id; of two none is taken */
  char id[HM_MCP_ID_MAX + 1];                      /* as written; empty: none yet */
} hm_mcp_id_search;
void hm_mcp_id_search_add(hm_mcp_id_search *s, hm_str piece);

/* Append one line to b. An empty id is written as null. */
void hm_mcp_write_result(hm_buf *b, hm_str id, hm_str result_json);
/* That the request with this token has run for so many seconds. */
void hm_mcp_write_progress(hm_buf *b, hm_str token, int64_t seconds);
/* data: JSON or empty. */
void hm_mcp_write_error(hm_buf *b, hm_str id, int code, hm_str message, hm_str data);

/* --- the session (session.c) ------------------------------------------------------------------ */

/* The state of a session with a client, and the answer to each request. No threads and no files
 * here: server.c reads and writes. */

typedef struct hm_mcp_session hm_mcp_session;

hm_mcp_session *hm_mcp_session_new(const hm_mcp_options *opt);
void hm_mcp_session_free(hm_mcp_session *s);

/* True for a request that is answered out of turn: `initialize`, `ping`, and any request before
 * `initialize` was answered. */
bool hm_mcp_answers_at_once(const hm_mcp_session *s, const hm_mcp_message *m);
/* Appends the answer to a request, a line. Only one thread at a time may answer requests in turn,
 * after `initialize` was answered. */
void hm_mcp_answer(hm_mcp_session *s, const hm_mcp_message *m, hm_arena *a, hm_buf *out);

/* --- resources (resources.c): the pages of the mirror, and open conflicts --------------------- */

/* Append the result and return 0, or return -1 with *code (an error of the protocol) and err set.
 * params: of the message, or NULL. */
int hm_resources_list(const hm_mcp_options *opt, const hm_json *params, hm_arena *a, hm_buf *out,
                      int *code, hm_err *err);
int hm_resources_read(const hm_mcp_options *opt, const hm_json *params, hm_arena *a, hm_buf *out,
                      int *code, hm_err *err);
extern const char hm_resource_templates[]; /* the result of resources/templates/list */

/* --- tools (tools.c, tool_list.c, call.c): a table, by which they are listed and called ------- */

typedef enum {
  HM_TOOL_WRITES = 1,
  HM_TOOL_JUDGES = 2,     /* only with hm_mcp_options.may_judge */
  HM_TOOL_AGAIN_SAME = 4, /* idempotent: the same call again changes nothing */
  HM_TOOL_SHOWN = 8,      /* clients are shown it without asking for all */
  HM_TOOL_INNER = 16,     /* only routes lead to it */
  HM_TOOL_OWN = 32        /* of rows of the agent's own, which one has that the operator named */
} hm_tool_flags;

/* Where a call goes, by its arguments. The first that fits is taken. */
typedef struct {
  /* "a": a is given, and not false; "a=b": a is b; "a=b*": it begins with b, which is taken off
   * where it ends with a colon; "a:1": a is a list of one, which stands for it; "": always. A
   * boolean, and the a of "a=b", are not passed on. */
  const char *when;
  const char *tool; /* NULL ends the list */
  const char *as;   /* "row=memory_id ...": arguments with another name there */
} hm_tool_route;

typedef struct {
  const char *name, *title, *about;
  const char *operation; /* of the API, by name; NULL: see routes, or call.c */
  const char *takes;     /* a table (gen/api/api.h) */
  const char *more;      /* a table: what it also takes, and tells only who asks for all */
  const char *as;        /* "memory_id=row ...": arguments with another name in the operation */
  const char *with;      /* "kind=anachronism ...": fixed parameters of the operation */
  const char *gives;     /* a type of the API, or of tool_list.c; NULL: as its routes */
  const hm_tool_route *routes; /* or NULL */
  unsigned flags;
} hm_tool;

const hm_tool *hm_tools(size_t *n);
/* Also an inner one. */
const hm_tool *hm_find_tool(hm_str name);
/* All that it takes, a table in a: what reads takes a cursor, too. */
const char *hm_tool_table(const hm_tool *t, hm_arena *a);
/* By "from=to ...": what `from` is called, and back; another name is as it is. */
hm_str hm_tool_renamed(const char *as, hm_str name);
hm_str hm_tool_renamed_back(const char *as, hm_str name);
/* Writes the fixed part of the operation's query (`with`), at most `most` pairs. Returns how
 * many. */
size_t hm_tool_fixed_query(const hm_tool *t, hm_pair *out, size_t most);
/* A page of the tools, the result of tools/list, in a: those behind the tool `after` (NULL: all)
 * that fit into HM_MCP_ANSWER_ROOM. opt->all_tools: all, with all that they take and the schemas of
 * their answers from document, the OpenAPI document; those that need opt->may_judge and lack it say
 * so. Else, in a sixth of the words, those that are shown and not refused. */
hm_str hm_tools_json(const hm_json *document, const hm_mcp_options *opt, const hm_tool *after,
                     hm_arena *a);

/* What to do next, by the answer (JSON): a sentence or two in a, or empty (next_step.c). */
hm_str hm_next_step(const hm_tool *t, hm_str answer, hm_arena *a);

/* The caller of a tool. */
typedef struct {
  const hm_mcp_options *opt;
  hm_str agent;
  const atomic_bool *stop;
  bool structured; /* its protocol knows structuredContent */
  hm_arena *a;
} hm_tool_caller;

/* Calls a tool; arguments may be NULL. Appends the result as JSON: the answer, and a sentence on
 * what to do next. An error that the agent can mend is a result with isError. */
void hm_tool_call(const hm_tool_caller *c, const hm_tool *t, const hm_json *arguments, hm_buf *out);
#endif
