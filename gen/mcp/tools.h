/* The tools: one table, from which they are listed and called. */
#ifndef HM_MCP_TOOLS_H
#define HM_MCP_TOOLS_H
#include "gen/mcp/mcp.h"

typedef enum {
  HM_TOOL_WRITES = 1,
  HM_TOOL_JUDGES = 2,        /* only where a person lets agents give verdicts */
  HM_TOOL_AGAIN_SAME = 4     /* the same call again changes nothing */
} hm_tool_flags;

typedef struct {
  const char *name, *title, *about;
  const char *operation;     /* of the API, by name; NULL: several, see call.c */
  const char *takes;         /* a table (shape.h) */
  const char *as;            /* "memory_id=row ...": arguments that the operation calls otherwise */
  const char *with;          /* "kind=anachronism ...": what the operation is given besides */
  const char *gives;         /* a type of the API (shape.h), or of tools.c */
  unsigned flags;
} hm_tool;

const hm_tool *hm_tools(size_t *n);
const hm_tool *hm_tool_named(hm_str name);
/* The "where" of `as` for an argument. */
hm_str hm_tool_calls(const hm_tool *t, hm_str argument);
/* The other way: how the tool calls what the operation calls so. */
hm_str hm_tool_argument(const hm_tool *t, hm_str called);
/* The fixed part of the operation's query, at most `most`; how many. */
size_t hm_tool_with(const hm_tool *t, hm_pair *out, size_t most);
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
