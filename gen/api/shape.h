/* Shapes of JSON objects, as tables of text: checked when one comes in, and written as JSON Schema
 * into the OpenAPI document, so that the two say the same. Pure.
 *
 * A table has a line for each member, "NAME  TYPE  WHAT IT IS\n"; with '?' behind its name the
 * member may be left out. A type is "string", "integer", "number", "boolean",
 * "object", "any"; "a|b|c", one of these strings; "#Name", a schema of the document; "[T]", an
 * array of T; T with '?' behind it: or null.
 */
#ifndef HM_SHAPE_H
#define HM_SHAPE_H
#include "core/base/json.h"

typedef struct { hm_str name, type, about; bool optional; } hm_shape_field;

/* Takes the first line off a table. False: there is none. */
bool hm_shape_next(hm_str *table, hm_shape_field *out);
/* The member of this name. */
bool hm_shape_find(const char *table, hm_str name, hm_shape_field *out);

typedef struct {
  const char *name;            /* of the schema */
  const char *base;            /* "#Name": has all of that too; or NULL */
  const char *about;
  const char *fields;          /* a table */
} hm_api_shape;

/* Writes the type under key (NULL in an array); about may be empty. */
void hm_shape_type(hm_jw *w, const char *key, hm_str type, hm_str about);
/* Writes the schema under its name. Members that are not named are none of it. */
void hm_shape_schema(hm_jw *w, const hm_api_shape *s);
/* Whether v (NULL: there was no body) is of the shape: an object with known members of their types
 * (any object or array for "#Name" and "[T]"). HM_E_INPUT with the field. */
int hm_shape_check(const hm_api_shape *s, const hm_json *v, hm_err *err);
/* A member that is a string; empty when it is absent or null. */
hm_str hm_shape_text(const hm_json *v, const char *name);
/* Whether a text, of the query of an address, is of the type. */
bool hm_shape_fits_text(hm_str type, hm_str text);
#endif
