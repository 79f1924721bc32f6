/* The list of tools: input schemas from their tables, output schemas from those of the API.
 *
 * An output schema stands alone: what it refers to comes with it, under $defs. */
#include <string.h>
#include "gen/mcp/tools.h"

/* --- input --------------------------------------------------------------------------- */

static void write_fields(hm_jw *w, const char *table) {
  hm_shape_field f;
  hm_jw_str(w, "type", HM_STR("object"));
  hm_jw_obj(w, "properties");
  for (hm_str rest = hm_str_c(table); hm_shape_next(&rest, &f);) {
    char name[64] = { 0 };
    memcpy(name, f.name.p, f.name.n < sizeof name ? f.name.n : sizeof name - 1);
    hm_shape_type(w, name, f.type, f.about);
  }
  hm_jw_end(w);
  hm_jw_arr(w, "required");
  for (hm_str rest = hm_str_c(table); hm_shape_next(&rest, &f);)
    if (!f.optional) hm_jw_str(w, NULL, f.name);
  hm_jw_end(w);
  hm_jw_bool(w, "additionalProperties", false);
}

/* --- output -------------------------------------------------------------------------- */

/* Answers that are made of several operations. */
static const struct { const char *name, *table; } OWN[] = {
  { "Explained", "id         string\n"
                 "lines      [string]   sentences: rule, expected and found, rows and sources\n"
                 "findings?  [#Finding]  it, where it is a finding\n"
                 "disputed?  boolean\n"
                 "question?  string?\n"
                 "arc?       [string]\n"
                 "conflict?  #Conflict   it, where it is a conflict\n" },
  { "FoundConflicts", "row?       string?     the row that was asked about\n"
                      "conflicts  [#Conflict]  that it is in, or would be\n"
                      "findings   [#Finding]   about it\n"
                      "warnings   [string]     names that are new and may be mistyped\n" },
};

static const char REF[] = "#/components/schemas/";
static const char OWN_REF[] = "#/$defs/";

/* text with the references of the document turned to ours; needed: the names that it refers to. */
static hm_str turn_refs(hm_str text, hm_map *needed, hm_str *names, hm_arena *a) {
  hm_buf b = { 0 };
  size_t length = strlen(REF);
  for (ptrdiff_t at; (at = hm_str_find(text, REF)) >= 0;) {
    hm_buf_str(&b, hm_str_sub(text, 0, (size_t)at));
    hm_buf_c(&b, OWN_REF);
    text = hm_str_sub(text, (size_t)at + length, text.n);
    hm_str name = hm_str_sub(text, 0, (size_t)hm_str_find(text, "\""));
    uint32_t next = (uint32_t)needed->n;
    if (hm_map_add(needed, name, next) == next) names[next] = name;
  }
  hm_buf_str(&b, text);
  return hm_buf_take(&b, a);
}

/* Without its closing brace, so that $defs can follow. */
static void open_root(hm_buf *b, hm_str object) {
  hm_buf_str(b, hm_str_sub(object, 0, object.n - 1));
  hm_buf_c(b, ",\"$defs\":{");
}

static hm_str own_schema(const char *name, hm_arena *a) {
  hm_jw w;
  hm_buf b = { 0 };
  size_t i = 0;
  while (i + 1 < HM_COUNT(OWN) && strcmp(OWN[i].name, name)) i++;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  write_fields(&w, OWN[i].table);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

static hm_str output_schema(const hm_json *schemas, const char *gives, hm_arena *a) {
  hm_map needed;
  hm_buf b = { 0 };
  hm_str *names = hm_alloc_array(a, schemas->count + 1, sizeof *names);
  hm_str root = *gives == '#' ? hm_json_as_text(hm_json_get(schemas, gives + 1), a)
                              : own_schema(gives, a);
  hm_map_init(&needed, a, 16);
  open_root(&b, turn_refs(root, &needed, names, a));
  for (size_t i = 0; i < needed.n; i++) {   /* it grows by what these refer to */
    if (i) hm_buf_ch(&b, ',');
    hm_json_write_str(&b, names[i]);
    hm_buf_ch(&b, ':');
    hm_str text = hm_json_as_text(hm_json_get(schemas, hm_str_z(a, names[i])), a);
    hm_buf_str(&b, turn_refs(text, &needed, names, a));
  }
  hm_buf_c(&b, "}}");
  return hm_buf_take(&b, a);
}

/* --- tools/list ---------------------------------------------------------------------- */

static void write_hints(hm_jw *w, const hm_tool *t) {
  bool writes = t->flags & HM_TOOL_WRITES;
  hm_jw_obj(w, "annotations");
  hm_jw_str(w, "title", hm_str_c(t->title));
  hm_jw_bool(w, "readOnlyHint", !writes);
  if (writes) hm_jw_bool(w, "destructiveHint", t->flags & HM_TOOL_JUDGES);
  hm_jw_bool(w, "idempotentHint", !writes || t->flags & HM_TOOL_AGAIN_SAME);
  hm_jw_bool(w, "openWorldHint", false);
  hm_jw_end(w);
}

hm_str hm_tools_json(const hm_json *document, bool may_judge, hm_arena *a) {
  size_t n;
  hm_jw w;
  hm_buf b = { 0 };
  const hm_tool *tools = hm_tools(&n);
  const hm_json *schemas = hm_json_get(hm_json_get(document, "components"), "schemas");
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (size_t i = 0; i < n; i++) {
    const hm_tool *t = &tools[i];
    bool refused = t->flags & HM_TOOL_JUDGES && !may_judge;
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "name", hm_str_c(t->name));
    hm_jw_str(&w, "title", hm_str_c(t->title));
    hm_jw_str(&w, "description",
              HM_CAT(a, hm_str_c(t->about),
                     hm_str_c(refused ? " Refused here: only people decide. Propose it to one."
                                      : "")));
    hm_jw_obj(&w, "inputSchema");
    write_fields(&w, t->takes);
    hm_jw_end(&w);
    hm_jw_raw(&w, "outputSchema", output_schema(schemas, t->gives, a));
    write_hints(&w, t);
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}
