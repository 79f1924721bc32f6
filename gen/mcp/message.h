/* One message of the Model Context Protocol as it comes in: a line of JSON-RPC 2.0. Pure.
 *
 * What is no request, notification or response is an error with one of JSON-RPC's codes; the id is
 * given back as it was written. Batches are refused: the protocol has none since its version
 * 2025-06-18. */
#ifndef HM_MCP_MESSAGE_H
#define HM_MCP_MESSAGE_H
#include "core/base/json.h"

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
int hm_mcp_read(hm_str line, hm_arena *a, hm_mcp_message *out, hm_mcp_fault *fault);

/* Both append one line to b. id empty: null. */
void hm_mcp_write_result(hm_buf *b, hm_str id, hm_str result_json);
/* data: JSON or empty. */
void hm_mcp_write_error(hm_buf *b, hm_str id, int code, hm_str message, hm_str data);
#endif
