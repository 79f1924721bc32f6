/* What the files of the agents' door share. Not for other folders. */
#ifndef HM_MCP_IMPL_H
#define HM_MCP_IMPL_H
#include "core/base/json.h"
#include "gen/mcp/mcp.h"

/* --- messages (session.c) --------------------------------------------------------------------- */

/* One message of the Model Context Protocol as it comes in: a line of JSON-RPC 2.0. Pure.
 *
 * What is no request, notification or response is an error with one of JSON-RPC's codes; the id is
 * given back as it was written. Batches are refused: the protocol has none since its version
 * 2025-06-18. */

enum {
  HM_RPC_PARSE = -32700,       /* not JSON */
  HM_RPC_REQUEST = -32600,     /* JSON, but no message of the protocol */
  HM_RPC_METHOD = -32601,      /* no such method */
  HM_RPC_PARAMS = -32602,      /* parameters that the method does not take; no such tool */
  HM_RPC_INTERNAL = -32603,
  HM_RPC_NO_RESOURCE = -32002  /* the protocol's own: no such resource */
};

enum { HM_MCP_ID_MAX = 200 };   /* bytes of an id as written */

typedef struct {
  hm_str id;               /* as written: a string with its quotes, or an integer; empty: none */
  hm_str method;           /* empty: a response */
  const hm_json *params;   /* an object, or NULL */
} hm_mcp_message;

typedef struct { int code; const char *why; } hm_mcp_fault;

/* Reads a line, which has no line feed. -1: *fault says why, and out->id is that of the message
 * where it could be read, else empty. Everything lives in a. */
int hm_mcp_parse_message(hm_str line, hm_arena *a, hm_mcp_message *out, hm_mcp_fault *fault);

/* Both append one line to b. id empty: null. */
void hm_mcp_write_result(hm_buf *b, hm_str id, hm_str result_json);
/* data: JSON or empty. */
void hm_mcp_write_error(hm_buf *b, hm_str id, int code, hm_str message, hm_str data);

/* --- the session (session.c) ------------------------------------------------------------------ */

/* What a client and the server know of each other, and the answer to each request. No threads and
 * no files here: server.c reads and writes. */

typedef struct hm_mcp_session hm_mcp_session;

hm_mcp_session *hm_mcp_session_new(const hm_mcp_options *opt);
void hm_mcp_session_free(hm_mcp_session *s);

/* Needs this request no turn: `initialize`, `ping`, and all while `initialize` was not answered? */
bool hm_mcp_answers_at_once(const hm_mcp_session *s, const hm_mcp_message *m);
/* Appends the answer to a request, a line. Those that need a turn from one thread at a time, after
 * `initialize` was answered. */
void hm_mcp_answer(hm_mcp_session *s, const hm_mcp_message *m, hm_arena *a, hm_buf *out);

/* --- resources (resources.c): the pages of the mirror, and open conflicts --------------------- */

/* Each appends its result, and returns 0; else *code (an error of the protocol) and err say why.
 * params: of the message, or NULL. */
int hm_resources_list(const hm_mcp_options *opt, const hm_json *params, hm_arena *a, hm_buf *out,
                      int *code, hm_err *err);
int hm_resources_read(const hm_mcp_options *opt, const hm_json *params, hm_arena *a, hm_buf *out,
                      int *code, hm_err *err);
extern const char hm_resource_templates[];   /* the result of resources/templates/list */

/* --- tools (tools.c, call.c): one table, from which they are listed and called ---------------- */

typedef enum {
  HM_TOOL_WRITES = 1,
  HM_TOOL_JUDGES = 2,        /* only where a person lets agents give verdicts */
  HM_TOOL_AGAIN_SAME = 4     /* the same call again changes nothing */
} hm_tool_flags;

typedef struct {
  const char *name, *title, *about;
  const char *operation;     /* of the API, by name; NULL: several, see call.c */
  const char *takes;         /* a table (gen/api/api.h) */
  const char *as;            /* "memory_id=row ...": arguments that the operation calls otherwise */
  const char *with;          /* "kind=anachronism ...": what the operation is given besides */
  const char *gives;         /* a type of the API, or of tools.c */
  unsigned flags;
} hm_tool;

const hm_tool *hm_tools(size_t *n);
const hm_tool *hm_find_tool(hm_str name);
/* The parameter of the operation that an argument of the tool becomes (`as`). */
hm_str hm_tool_param_of_argument(const hm_tool *t, hm_str argument);
/* The argument of the tool that becomes this parameter of the operation. */
hm_str hm_tool_argument_of_param(const hm_tool *t, hm_str called);
/* The fixed part of the operation's query, at most `most`; how many. */
size_t hm_tool_fixed_query(const hm_tool *t, hm_pair *out, size_t most);
/* All tools as JSON, an array for tools/list: names, input and output schemas. document: the
 * OpenAPI document, whose schemas the outputs are. may_judge: else tools that need it say so. In a.
 */
hm_str hm_tools_json(const hm_json *document, bool may_judge, hm_arena *a);

/* What an agent asked for. */
typedef struct {
  const hm_mcp_options *opt;
  hm_str agent;
  hm_arena *a;
} hm_tool_caller;

/* Calls a tool; arguments NULL: none. Appends the result (content, structuredContent, isError) as
 * JSON: what an agent can mend is a result with isError. */
void hm_tool_call(const hm_tool_caller *c, const hm_tool *t, const hm_json *arguments, hm_buf *out);
#endif
