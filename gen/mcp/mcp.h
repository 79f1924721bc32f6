/* The agents' door: a server of the Model Context Protocol over standard input and output, on the
 * API (gen/api). It adds no way to the store of its own: a tool is an operation under the name and
 * with the parameters that the specifications give it.
 * Source: modelcontextprotocol.io, versions 2024-11-05, 2025-06-18 and 2025-11-25. */
#ifndef HM_MCP_H
#define HM_MCP_H
#include "gen/api/api.h"

/* The pages of the mirror as they are now. Called by one thread at a time. */
typedef struct {
  void *ctx;
  /* Paths of all Markdown pages, sorted, in a. */
  int (*list)(void *ctx, hm_arena *a, hm_str **paths, size_t *n, hm_err *err);
  /* The page at path; *found false: there is none. */
  int (*read)(void *ctx, hm_str path, hm_arena *a, hm_str *text, bool *found, hm_err *err);
} hm_mcp_pages;

typedef struct {
  hm_api *api;               /* must outlive the session */
  const hm_mcp_pages *pages; /* NULL: there are none */
  hm_str agent;              /* the agent's name; empty: as the client calls itself */
  bool may_judge;            /* a person lets it give verdicts */
} hm_mcp_options;

enum { HM_MCP_LINE_MAX = 1 << 20 };   /* bytes of a message */

/* Speaks with one client until `in` ends, then answers what was asked and returns 0. Requests are
 * answered one after another, in their order; a ping at once, whatever runs. A request that is
 * cancelled before its turn is not run, one that runs is not answered. HM_E_OUTPUT: nobody reads
 * `out` any more. */
int hm_mcp_serve(const hm_mcp_options *opt, int in, int out, hm_err *err);
#endif
