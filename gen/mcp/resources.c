/* resources/list and resources/read.
 *
 * hmirror://page/PATH is a page as Markdown, as it would be published; hmirror://conflict/ID a
 * conflict as JSON. What is longer than HM_MCP_ANSWER_ROOM is cut; of a page the last line then
 * names the URI of the rest. A list names all pages by path, then open conflicts by slot, a hundred
 * at a time or as many as fit; a cursor names the last one, so that pages and conflicts that come
 * or go between two calls shift nothing. */
#include "gen/mcp/mcp_impl.h"
#include <string.h>
#include "core/base/text.h"

#define PAGE_URI "hmirror://page/"
#define CONFLICT_URI "hmirror://conflict/"

const char hm_resource_templates[] =
    "{\"resourceTemplates\":["
    "{\"uriTemplate\":\"" PAGE_URI "{+path}\",\"name\":\"page\",\"title\":\"Page of the mirror\","
    "\"description\":\"A page as Markdown, such as README.md or projects/p05/README.md. What is "
    "contested is marked as disputed.\",\"mimeType\":\"text/markdown\"},"
    "{\"uriTemplate\":\"" CONFLICT_URI "{id}\",\"name\":\"conflict\",\"title\":\"Conflict\","
    "\"description\":\"A conflict with all of its members, open or settled.\","
    "\"mimeType\":\"application/json\"}]}";

enum { PART = 100 };

static int fail_resource(int *code, int is, hm_err *err, const char *what, const char *why) {
  *code = is;
  return hm_fail(err, HM_E_INPUT, what, why, "");
}

/* --- the list -------------------------------------------------------------------------------- */

typedef struct {
  hm_jw w;
  hm_str last; /* URI that was written last */
  size_t n;
  bool more;
} listing;

/* False: the part is full. */
static bool list_one(listing *l, hm_str uri, hm_str name, hm_str about, const char *type) {
  size_t bytes = 2 * (uri.n + name.n + about.n) + 100; /* with escapes */
  if (l->n == PART || l->w.b->n + bytes > HM_MCP_ANSWER_ROOM) {
    l->more = true;
    return false;
  }
  hm_jw_obj(&l->w, NULL);
  hm_jw_str(&l->w, "uri", uri);
  hm_jw_str(&l->w, "name", name);
  if (about.n)
    hm_jw_str(&l->w, "description", about);
  hm_jw_str(&l->w, "mimeType", hm_str_c(type));
  hm_jw_end(&l->w);
  l->last = uri;
  l->n++;
  return true;
}

static int list_pages(listing *l, const hm_mcp_options *opt, hm_str after, hm_arena *a,
                      hm_err *err) {
  hm_str *paths = NULL;
  size_t n = 0;
  if (!opt->pages)
    return 0;
  if (opt->pages->list(opt->pages->ctx, a, &paths, &n, err))
    return -1;
  for (size_t i = 0; i < n && !l->more; i++)
    if (!after.n || hm_str_cmp(paths[i], after) > 0)
      list_one(l, HM_CAT(a, HM_STR(PAGE_URI), paths[i]), paths[i], HM_EMPTY, "text/markdown");
  return 0;
}

/* "p05 / spindle_speed" */
static hm_str name_of(const hm_json *conflict, hm_arena *a) {
  hm_buf b = { 0 };
  hm_str title = hm_json_get_text(conflict, "title");
  if (title.n)
    return title;
  for (const hm_json *e = hm_json_get_items(conflict, "slot_key"); e; e = e->next) {
    if (!e->text.n)
      continue;
    if (b.n)
      hm_buf_c(&b, " / ");
    hm_buf_str(&b, e->text);
  }
  return b.n ? hm_buf_take(&b, a) : HM_STR("conflict");
}

static int list_conflicts(listing *l, const hm_mcp_options *opt, hm_str after, hm_arena *a,
                          hm_err *err) {
  const hm_pair query[] = { { HM_STR("limit"), HM_STR("101") }, { HM_STR("after"), after } };
  const hm_api_request q = { .operation = hm_api_find_operation(HM_STR("listConflicts")),
                             .query = query,
                             .n_query = after.n ? 2 : 1 };
  hm_api_answer answer;
  hm_json *v;
  hm_api_call(opt->api, &q, a, &answer);
  *err = answer.err;
  if (err->code != HM_OK || hm_json_parse(a, answer.body, &v, err))
    return -1;
  for (const hm_json *c = hm_json_get_items(v, "conflicts"); c && !l->more; c = c->next)
    list_one(l, HM_CAT(a, HM_STR(CONFLICT_URI), hm_json_get_text(c, "id")), name_of(c, a),
             HM_STR("An open conflict."), "application/json");
  return 0;
}

int hm_resources_list(const hm_mcp_options *opt, const hm_json *params, hm_arena *a, hm_buf *out,
                      int *code, hm_err *err) {
  const hm_json *cursor = hm_json_get(params, "cursor");
  hm_str at = hm_json_get_text(params, "cursor"), page = HM_EMPTY, conflict = HM_EMPTY;
  listing l = { .last = HM_EMPTY };
  if (hm_str_starts(at, PAGE_URI))
    page = hm_str_sub(at, strlen(PAGE_URI), at.n);
  else if (hm_str_starts(at, CONFLICT_URI))
    conflict = hm_str_sub(at, strlen(CONFLICT_URI), at.n);
  else if (cursor)
    return fail_resource(code, HM_RPC_PARAMS, err, "cursor", "not one that a list gave");
  *code = HM_RPC_INTERNAL;
  hm_jw_init(&l.w, out, 0);
  hm_jw_obj(&l.w, NULL);
  hm_jw_arr(&l.w, "resources");
  if (!conflict.n && list_pages(&l, opt, page, a, err))
    return -1;
  if (!l.more && list_conflicts(&l, opt, conflict, a, err)) {
    if (conflict.n && err->code == HM_E_UNKNOWN)
      *code = HM_RPC_PARAMS;
    return -1;
  }
  hm_jw_end(&l.w);
  if (l.more)
    hm_jw_str(&l.w, "nextCursor", l.last);
  hm_jw_end(&l.w);
  return 0;
}

/* --- one ------------------------------------------------------------------------------------- */

static void write_contents(hm_buf *out, hm_str uri, const char *type, hm_str text) {
  hm_jw w;
  hm_jw_init(&w, out, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_arr(&w, "contents");
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "uri", uri);
  hm_jw_str(&w, "mimeType", hm_str_c(type));
  hm_jw_str(&w, "text", text);
  hm_jw_end(&w);
  hm_jw_end(&w);
  hm_jw_end(&w);
}

/* Bytes of the text as JSON. */
static size_t quoted_bytes(hm_str text) {
  hm_buf b = { 0 };
  hm_json_write_str(&b, text);
  size_t n = b.n;
  hm_buf_free(&b);
  return n;
}

/* Cuts a page at a line, and says where it goes on. path: of the page, without its `from`. */
static hm_str cut_page(hm_str path, size_t from, hm_str text, hm_arena *a) {
  hm_str part = hm_str_sub(text, from, text.n);
  if (quoted_bytes(part) <= HM_MCP_ANSWER_ROOM)
    return part;
  while (quoted_bytes(part) > HM_MCP_ANSWER_ROOM - 500)
    part = hm_text_cut(part, part.n * 7 / 8);
  size_t n = part.n;
  while (n && part.p[n - 1] != '\n')
    n--;
  part.n = n ? n : part.n;
  return hm_str_fmt(a, "%.*s\n(%zu more bytes: read " PAGE_URI "%.*s?from=%zu)\n", HM_FMT(part),
                    text.n - from - part.n, HM_FMT(path), from + part.n);
}

static int no_resource(int *code, hm_err *err) {
  return fail_resource(code, HM_RPC_NO_RESOURCE, err, "uri", "there is no such resource");
}

static int read_page(const hm_mcp_options *opt, hm_str uri, hm_arena *a, hm_buf *out, int *code,
                     hm_err *err) {
  bool found = false;
  double from = 0;
  hm_str text = HM_EMPTY, path = hm_str_sub(uri, strlen(PAGE_URI), uri.n);
  ptrdiff_t at = hm_str_find(path, "?from=");
  if (at >= 0 && !hm_str_read_double(hm_str_sub(path, (size_t)at + 6, path.n), &from))
    return no_resource(code, err);
  path = at >= 0 ? hm_str_sub(path, 0, (size_t)at) : path;
  *code = HM_RPC_INTERNAL;
  if (opt->pages && opt->pages->read(opt->pages->ctx, path, a, &text, &found, err))
    return -1;
  if (!found || from < 0 || from > (double)text.n)
    return no_resource(code, err);
  write_contents(out, uri, "text/markdown", cut_page(path, (size_t)from, text, a));
  return 0;
}

static int read_conflict(const hm_mcp_options *opt, hm_str uri, hm_arena *a, hm_buf *out, int *code,
                         hm_err *err) {
  const hm_str id = hm_str_sub(uri, strlen(CONFLICT_URI), uri.n);
  const hm_api_request q = { .operation = hm_api_find_operation(HM_STR("getConflict")),
                             .params = &id,
                             .n_params = 1,
                             .most = HM_MCP_ANSWER_ROOM,
                             .quoted = true };
  hm_api_answer answer;
  hm_api_call(opt->api, &q, a, &answer);
  if (answer.err.code == HM_E_UNKNOWN)
    return no_resource(code, err);
  *err = answer.err;
  *code = HM_RPC_INTERNAL;
  if (err->code != HM_OK)
    return -1;
  write_contents(out, uri, "application/json", hm_str_trim(answer.body));
  return 0;
}

int hm_resources_read(const hm_mcp_options *opt, const hm_json *params, hm_arena *a, hm_buf *out,
                      int *code, hm_err *err) {
  const hm_json *given = hm_json_get(params, "uri");
  hm_str uri = hm_json_get_text(params, "uri");
  if (!given || given->type != HM_JSON_STRING)
    return fail_resource(code, HM_RPC_PARAMS, err, "uri", "is missing, or no text");
  if (hm_str_starts(uri, PAGE_URI))
    return read_page(opt, uri, a, out, code, err);
  if (hm_str_starts(uri, CONFLICT_URI))
    return read_conflict(opt, uri, a, out, code, err);
  return no_resource(code, err);
}
