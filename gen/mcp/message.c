/* A line as a message; message.h. */
#include "gen/mcp/message.h"

static int fault_is(hm_mcp_fault *fault, int code, const char *why) {
  *fault = (hm_mcp_fault){ code, why };
  return -1;
}

/* A string, or a number without fraction and exponent, as the protocol has it. */
static bool id_fits(const hm_json *id, hm_arena *a, hm_str *text) {
  if (id->type != HM_JSON_STRING && id->type != HM_JSON_NUMBER) return false;
  *text = hm_json_as_text(&(hm_json){ .type = id->type, .key = HM_EMPTY, .text = id->text }, a);
  for (size_t i = 0; i < text->n && id->type == HM_JSON_NUMBER; i++)
    if (text->p[i] != '-' && (text->p[i] < '0' || text->p[i] > '9')) return false;
  return text->n <= HM_MCP_ID_MAX;
}

int hm_mcp_read(hm_str line, hm_arena *a, hm_mcp_message *out, hm_mcp_fault *fault) {
  hm_json *v;
  hm_str id = HM_EMPTY;
  hm_err err = { 0 };
  *out = (hm_mcp_message){ .id = HM_EMPTY, .method = HM_EMPTY };
  if (hm_json_parse(a, line, &v, &err))
    return fault_is(fault, HM_RPC_PARSE, "the line is not one JSON value");
  if (v->type == HM_JSON_ARRAY)
    return fault_is(fault, HM_RPC_REQUEST, "batches are not taken: send one message a line");
  if (v->type != HM_JSON_OBJECT)
    return fault_is(fault, HM_RPC_REQUEST, "a message is a JSON object");
  const hm_json *given = hm_json_get(v, "id"), *method = hm_json_get(v, "method"),
                *params = hm_json_get(v, "params");
  if (given && !id_fits(given, a, &id))
    return fault_is(fault, HM_RPC_REQUEST, "id must be text or an integer, of 200 bytes at most");
  out->id = id;
  if (!hm_str_is(hm_json_get_text(v, "jsonrpc"), "2.0"))
    return fault_is(fault, HM_RPC_REQUEST, "jsonrpc must be \"2.0\"");
  if (!method && (hm_json_get(v, "result") || hm_json_get(v, "error"))) return 0;
  if (!method || method->type != HM_JSON_STRING || !method->text.n)
    return fault_is(fault, HM_RPC_REQUEST, "method must be a text");
  if (params && params->type != HM_JSON_OBJECT)
    return fault_is(fault, HM_RPC_PARAMS, "params must be an object");
  out->method = method->text;
  out->params = params;
  return 0;
}

static void begin(hm_buf *b, hm_str id) {
  hm_buf_c(b, "{\"jsonrpc\":\"2.0\",\"id\":");
  hm_buf_str(b, id.n ? id : HM_STR("null"));
}

void hm_mcp_write_result(hm_buf *b, hm_str id, hm_str result_json) {
  begin(b, id);
  hm_buf_c(b, ",\"result\":");
  hm_buf_str(b, result_json);
  hm_buf_c(b, "}\n");
}

void hm_mcp_write_error(hm_buf *b, hm_str id, int code, hm_str message, hm_str data) {
  begin(b, id);
  hm_buf_fmt(b, ",\"error\":{\"code\":%d,\"message\":", code);
  hm_json_write_str(b, message);
  if (data.n) hm_buf_c(b, ",\"data\":");
  hm_buf_str(b, data);
  hm_buf_c(b, "}}\n");
}
