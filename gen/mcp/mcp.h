/* A Model Context Protocol server for agents, over standard input and output, on the API (gen/api).
 * It has no access to the store of its own: a tool is an operation of the API, with the name and
 * the parameters of the specifications.
 * Source: modelcontextprotocol.io, versions 2024-11-05, 2025-06-18 and 2025-11-25. */
#ifndef HM_MCP_H
#define HM_MCP_H
#include "gen/api/api.h"

/* The current pages of the mirror. One thread calls it at a time. */
typedef struct {
  void *ctx;
  /* Paths of all Markdown pages, sorted, in a. */
  int (*list)(void *ctx, hm_arena *a, hm_str **paths, size_t *n, hm_err *err);
  /* Reads the page at path; *found is false when there is none. */
  int (*read)(void *ctx, hm_str path, hm_arena *a, hm_str *text, bool *found, hm_err *err);
} hm_mcp_pages;

typedef struct {
  hm_api *api;               /* must outlive the session */
  const hm_mcp_pages *pages; /* NULL: there are none */
  hm_str agent;              /* the agent's name; empty: the client's own name */
  bool may_judge;            /* it may give verdicts */
  bool all_tools;            /* list what it would be refused, and what each answer holds, too */
} hm_mcp_options;

enum { HM_MCP_LINE_MAX = 1 << 20 }; /* bytes of a message */

/* Serves one client until `in` ends, then answers the remaining requests and returns 0. Answers
 * requests one by one, in their order, but a ping at once. A request that is cancelled before its
 * turn is not run; one that is cancelled while it runs ends soon, and is not answered. Tells each
 * second of the progress of a request with a progressToken. HM_E_OUTPUT: nobody reads
 * `out` any more. */
int hm_mcp_serve(const hm_mcp_options *opt, int in, int out, hm_err *err);
#endif
