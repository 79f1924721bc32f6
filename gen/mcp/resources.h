/* Resources: the pages of the mirror, and open conflicts. */
#ifndef HM_MCP_RESOURCES_H
#define HM_MCP_RESOURCES_H
#include "gen/mcp/mcp.h"
#include "gen/mcp/message.h"

/* Each appends its result, and returns 0; else *code (an error of the protocol) and err say why.
 * params: of the message, or NULL. */
int hm_resources_list(const hm_mcp_options *opt, const hm_json *params, hm_arena *a, hm_buf *out,
                      int *code, hm_err *err);
int hm_resources_read(const hm_mcp_options *opt, const hm_json *params, hm_arena *a, hm_buf *out,
                      int *code, hm_err *err);
extern const char hm_resource_templates[];   /* the result of resources/templates/list */
#endif
