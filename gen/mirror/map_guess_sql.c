/* Names and lists in the SQL and the YAML of a map that is guessed. */
#include <string.h>

#include "core/base/json.h"
#include "gen/mirror/map_guess_impl.h"

static bool is_keyword(hm_str name) {
  static const char *const words[] = {
    "add",        "all",     "alter",  "and",    "as",      "between", "case",
    "check",      "collate", "commit", "create", "default", "delete",  "distinct",
    "drop",       "else",    "escape", "exists", "foreign", "from",    "group",
    "having",     "in",      "index",  "insert", "into",    "is",      "join",
    "limit",      "not",     "null",   "on",     "or",      "order",   "primary",
    "references", "select",  "set",    "table",  "then",    "to",      "transaction",
    "union",      "unique",  "update", "using",  "values",  "when",    "where",
  };
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (hm_column_name_matches(name, words[i]))
      return true;
  return false;
}

/* Writes a name in SQL, quoted unless it is plain. */
void hm_map_put_name(hm_buf *b, hm_str name) {
  size_t i = 0;
  while (i < name.n && (name.p[i] == '_' || (i ? hm_is_alnum : hm_is_letter)(name.p[i])))
    i++;
  if (i == name.n && !is_keyword(name))
    hm_buf_str(b, name);
  else
    hm_buf_quoted(b, name, '"');
}

enum { LINE_MAX_BYTES = 88 };

void hm_map_put_item(hm_map_items *i, hm_str item) {
  if (i->any)
    hm_buf_c(i->b, ",");
  if (i->any && i->b->n - i->line + item.n > LINE_MAX_BYTES) {
    hm_buf_fmt(i->b, "\n%s", i->indent);
    i->line = i->b->n - strlen(i->indent);
  } else if (i->any)
    hm_buf_c(i->b, " ");
  hm_buf_str(i->b, item);
  i->any = true;
}

/* A JSON string is one of YAML, too. */
void hm_map_put_yaml_name(hm_buf *b, hm_str name) {
  size_t i = 0;
  while (i < name.n && (name.p[i] == '_' || (i ? hm_is_alnum : hm_is_letter)(name.p[i])))
    i++;
  if (i == name.n)
    hm_buf_str(b, name);
  else
    hm_json_write_str(b, name);
}
