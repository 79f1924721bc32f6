/* The tools as a client is shown them, a page at a time: input schemas from the table of tools,
 * output schemas from the API's. */
#include "gen/mcp/mcp_impl.h"
#include <string.h>

/* --- input schemas ---------------------------------------------------------------------------- */

/* strict: nothing else may be given. */
static void write_fields(hm_jw *w, const char *table, bool strict) {
  hm_shape_field f;
  hm_jw_str(w, "type", HM_STR("object"));
  hm_jw_obj(w, "properties");
  for (hm_str rest = hm_str_c(table); hm_shape_next_field(&rest, &f);) {
    char name[64] = { 0 };
    memcpy(name, f.name.p, f.name.n < sizeof name ? f.name.n : sizeof name - 1);
    hm_shape_write_type(w, name, f.type, f.about);
  }
  hm_jw_end(w);
  hm_jw_arr(w, "required");
  for (hm_str rest = hm_str_c(table); hm_shape_next_field(&rest, &f);)
    if (!f.optional)
      hm_jw_str(w, NULL, f.name);
  hm_jw_end(w);
  if (strict)
    hm_jw_bool(w, "additionalProperties", false);
}

/* --- output schemas --------------------------------------------------------------------------- */

/* An output schema stands alone: what it refers to comes with it, under $defs. */

#define CUT                                                                                        \
  "left_out?  object  where it was cut: how many more each of its lists has\n"                     \
  "next?      string  what to give as cursor for the rest; absent: there is none\n"

/* Answers that are made of several operations. */
static const struct {
  const char *name, *table;
} OWN[] = {
  { "Explained",
    "id         string\n"
    "lines      [string]   sentences: rule, expected and found, rows and sources\n"
    "findings?  [#Finding]  it, where it is a finding\n"
    "disputed?  boolean\n"
    "question?  string?\n"
    "arc?       [string]\n"
    "conflict?  #Conflict   it, where it is a conflict\n" CUT },
  { "FoundConflicts",
    "row?       string?     the row that was asked about\n"
    "read?      [#ReadValue]  what was read of the text or row; empty: see unread\n"
    "unread?    string?     why nothing was read of it: then no conflict says nothing\n"
    "conflicts  [#Conflict]  that it is in, or would be\n"
    "findings   [#Finding]   about it\n"
    "alike?     [#AlikeRow]  rows about the same thing that no rule compared with it\n"
    "alike_advice?  string   what to do with them\n"
    "warnings   [string]     names that may be mistyped; live secrets\n" CUT },
};

static const char REF[] = "#/components/schemas/";
static const char OWN_REF[] = "#/$defs/";

/* text with the references of the document turned to ours; needed: the names that it refers to. */
static hm_str rewrite_refs(hm_str text, hm_map *needed, hm_str *names, hm_arena *a) {
  hm_buf b = { 0 };
  size_t length = strlen(REF);
  for (ptrdiff_t at; (at = hm_str_find(text, REF)) >= 0;) {
    hm_buf_str(&b, hm_str_sub(text, 0, (size_t)at));
    hm_buf_c(&b, OWN_REF);
    text = hm_str_sub(text, (size_t)at + length, text.n);
    hm_str name = hm_str_sub(text, 0, (size_t)hm_str_find(text, "\""));
    uint32_t next = (uint32_t)needed->n;
    if (hm_map_add(needed, name, next) == next)
      names[next] = name;
  }
  hm_buf_str(&b, text);
  return hm_buf_take(&b, a);
}

static hm_str schema_text(const hm_json *schemas, hm_str name, hm_arena *a) {
  hm_jw w;
  hm_buf b = { 0 };
  for (size_t i = 0; i < HM_COUNT(OWN); i++)
    if (hm_str_is(name, OWN[i].name)) {
      hm_jw_init(&w, &b, 0);
      hm_jw_obj(&w, NULL);
      write_fields(&w, OWN[i].table, true);
      hm_jw_end(&w);
    }
  return b.n ? hm_buf_take(&b, a) : hm_json_as_text(hm_json_get(schemas, hm_str_z(a, name)), a);
}

/* The types that a tool, or a tool that its routes lead to, gives, as references. */
static hm_str answer_types(const hm_tool *t, hm_arena *a) {
  hm_jw w;
  hm_buf b = { 0 };
  hm_map seen;
  hm_map_init(&seen, a, 8);
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (const hm_tool_route *r = t->routes;; r++) {
    const char *gives = r && r->tool ? hm_find_tool(hm_str_c(r->tool))->gives : t->gives;
    uint32_t next = (uint32_t)seen.n;
    if (gives && hm_map_add(&seen, hm_str_c(gives), next) == next) {
      hm_jw_obj(&w, NULL);
      hm_jw_str(&w, "$ref", hm_str_fmt(a, "%s%s", REF, gives + (*gives == '#')));
      hm_jw_end(&w);
    }
    if (!r || !r->tool)
      break;
  }
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

static hm_str output_schema(const hm_json *schemas, const hm_tool *t, hm_arena *a) {
  hm_map needed;
  hm_jw w;
  hm_buf b = { 0 };
  hm_str *names = hm_alloc_array(a, schemas->count + HM_COUNT(OWN) + 1, sizeof *names);
  hm_map_init(&needed, a, 16);
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "type", HM_STR("object"));
  hm_jw_raw(&w, "anyOf", rewrite_refs(answer_types(t, a), &needed, names, a));
  hm_jw_obj(&w, "$defs");
  for (size_t i = 0; i < needed.n; i++) /* it grows by what these refer to */
    hm_jw_raw(&w, hm_str_z(a, names[i]),
              rewrite_refs(schema_text(schemas, names[i], a), &needed, names, a));
  hm_jw_end(&w);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

/* --- tools/list ---------------------------------------------------------------------- */

static void write_hints(hm_jw *w, const hm_tool *t) {
  bool writes = t->flags & HM_TOOL_WRITES;
  hm_jw_obj(w, "annotations");
  hm_jw_bool(w, "readOnlyHint", !writes);
  if (writes) {
    hm_jw_bool(w, "destructiveHint", t->flags & HM_TOOL_JUDGES);
    hm_jw_bool(w, "idempotentHint", t->flags & HM_TOOL_AGAIN_SAME);
  }
  hm_jw_bool(w, "openWorldHint", false);
  hm_jw_end(w);
}

static void write_tool(hm_jw *w, const hm_tool *t, const hm_json *schemas, bool refused, bool all,
                       hm_arena *a) {
  hm_str note =
      refused ? HM_STR(" Refused here: only people decide. Propose it to one.") : HM_EMPTY;
  const char *cursor =
      t->flags & HM_TOOL_WRITES || !*t->takes ? "" : "cursor?  string  next of the answer before\n";
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "name", hm_str_c(t->name));
  hm_jw_str(w, "title", hm_str_c(t->title));
  hm_jw_str(w, "description", HM_CAT(a, hm_str_c(t->about), note));
  hm_jw_obj(w, "inputSchema");
  write_fields(w, all ? hm_tool_table(t, a) : hm_str_fmt(a, "%s%s", t->takes, cursor).p, all);
  hm_jw_end(w);
  if (all)
    hm_jw_raw(w, "outputSchema", output_schema(schemas, t, a));
  write_hints(w, t);
  hm_jw_end(w);
}

static bool is_listed(const hm_tool *t, const hm_mcp_options *opt) {
  bool refused = t->flags & HM_TOOL_JUDGES && !opt->may_judge,
       nobody = t->flags & HM_TOOL_OWN && !opt->agent.n && !opt->may_judge,
       shown = t->flags & HM_TOOL_SHOWN && !refused && !nobody;
  return !(t->flags & HM_TOOL_INNER) && (shown || opt->all_tools);
}

hm_str hm_tools_json(const hm_json *document, const hm_mcp_options *opt, const hm_tool *after,
                     hm_arena *a) {
  size_t n;
  hm_jw w;
  hm_buf b = { 0 };
  const hm_tool *tools = hm_tools(&n), *last = NULL, *next = NULL;
  const hm_json *schemas = hm_json_get(hm_json_get(document, "components"), "schemas");
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_arr(&w, "tools");
  for (const hm_tool *t = after ? after + 1 : tools; t < tools + n && !next; t++) {
    hm_buf one = { 0 };
    hm_jw alone;
    if (!is_listed(t, opt))
      continue;
    hm_jw_init(&alone, &one, 0);
    write_tool(&alone, t, schemas, t->flags & HM_TOOL_JUDGES && !opt->may_judge, opt->all_tools, a);
    if (last && b.n + one.n > HM_MCP_ANSWER_ROOM) {
      next = last;
    } else {
      hm_jw_raw(&w, NULL, hm_buf_view(&one));
      last = t;
    }
    b.failed = b.failed || one.failed;
    hm_buf_free(&one);
  }
  hm_jw_end(&w);
  if (next)
    hm_jw_str(&w, "nextCursor", hm_str_c(next->name));
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}
