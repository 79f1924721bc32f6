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

typedef struct {
  hm_str id;             /* as written: a string with its quotes, or an integer; empty: none */
  hm_str method;         /* empty: a response */
  const hm_json *params; /* an object, or NULL */
} hm_mcp_message;

typedef struct {
  int code;
  const char *why;
} hm_mcp_fault;

/* Parses a line without its line feed, into a. Returns -1 with the reason in *fault; out->id is
 * then the message's id if it could be read, else empty. */
int hm_mcp_parse_message(hm_str line, hm_arena *a, hm_mcp_message *out, hm_mcp_fault *fault);

/* Append one line to b. An empty id is written as null. */
void hm_mcp_write_result(hm_buf *b, hm_str id, hm_str result_json);
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

/* --- tools (tools.c, call.c): one table, by which they are listed and called ------------------ */

typedef enum {
  HM_TOOL_WRITES = 1,
  HM_TOOL_JUDGES = 2,    /* only with hm_mcp_options.may_judge */
  HM_TOOL_AGAIN_SAME = 4 /* idempotent: the same call again changes nothing */
} hm_tool_flags;

typedef struct {
  const char *name, *title, *about;
  const char *operation; /* of the API, by name; NULL: several, see call.c */
  const char *takes;     /* a table (gen/api/api.h) */
  const char *as;        /* "memory_id=row ...": arguments with another name in the operation */
  const char *with;      /* "kind=anachronism ...": fixed parameters of the operation */
  const char *gives;     /* a type of the API, or of tools.c */
  unsigned flags;
} hm_tool;

const hm_tool *hm_tools(size_t *n);
const hm_tool *hm_find_tool(hm_str name);
/* The parameter of the operation that an argument of the tool becomes (`as`). */
hm_str hm_tool_param_of_argument(const hm_tool *t, hm_str argument);
/* The argument of the tool that becomes this parameter of the operation. */
hm_str hm_tool_argument_of_param(const hm_tool *t, hm_str called);
/* Writes the fixed part of the operation's query (`with`), at most `most` pairs. Returns how
 * many. */
size_t hm_tool_fixed_query(const hm_tool *t, hm_pair *out, size_t most);
/* The tools as JSON, an array for tools/list. opt->all_tools: all, with schemas of their answers
 * from document, the OpenAPI document; those that need opt->may_judge and lack it say so. Else, in
 * a sixth of the words, those that are not refused, without these schemas. In a. */
hm_str hm_tools_json(const hm_json *document, const hm_mcp_options *opt, hm_arena *a);

/* The caller of a tool. */
typedef struct {
  const hm_mcp_options *opt;
  hm_str agent;
  hm_arena *a;
} hm_tool_caller;

/* Calls a tool; arguments may be NULL. Appends the result (content, structuredContent, isError) as
 * JSON: an error that the agent can mend is a result with isError. */
void hm_tool_call(const hm_tool_caller *c, const hm_tool *t, const hm_json *arguments, hm_buf *out);
#endif
