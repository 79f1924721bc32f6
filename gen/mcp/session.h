/* What a client and the server know of each other, and the answer to each request. No threads and
 * no files here: server.c reads and writes. */
#ifndef HM_MCP_SESSION_H
#define HM_MCP_SESSION_H
#include "gen/mcp/mcp.h"
#include "gen/mcp/message.h"

typedef struct hm_mcp_session hm_mcp_session;

hm_mcp_session *hm_mcp_session_new(const hm_mcp_options *opt);
void hm_mcp_session_free(hm_mcp_session *s);

/* Needs this request no turn: `initialize`, `ping`, and all while `initialize` was not answered? */
bool hm_mcp_answers_at_once(const hm_mcp_session *s, const hm_mcp_message *m);
/* Appends the answer to a request, a line. Those that need a turn from one thread at a time, after
 * `initialize` was answered. */
void hm_mcp_answer(hm_mcp_session *s, const hm_mcp_message *m, hm_arena *a, hm_buf *out);
#endif
