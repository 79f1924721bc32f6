/* JSON parser and writer (library: yajl, the only packaged one that passes the text of a number:
 * 4.80 or 12345678901234567890 in a fact must not become a double). */
#ifndef HM_JSON_H
#define HM_JSON_H
#include "err.h"
#include "str.h"

typedef enum {
  HM_JSON_NULL,
  HM_JSON_FALSE,
  HM_JSON_TRUE,
  HM_JSON_NUMBER,
  HM_JSON_STRING,
  HM_JSON_ARRAY,
  HM_JSON_OBJECT
} hm_json_type;

typedef struct hm_json {
  hm_json_type type;
  uint32_t at;           /* byte offset of the value, of a member its key; from 1 */
  hm_str key;            /* name within the parent object, else empty */
  hm_str text;           /* STRING: decoded (may hold NUL); NUMBER: as written */
  struct hm_json *child; /* first element of an ARRAY or OBJECT */
  struct hm_json *next;  /* next sibling */
  size_t count;          /* elements of an ARRAY or OBJECT */
} hm_json;

#define HM_JSON_MAX_DEPTH 64

/* Parses exactly one value. Repairs invalid UTF-8 first. Errors, HM_E_INPUT: a repeated key in one
 * object, a depth over HM_JSON_MAX_DEPTH, a lone surrogate, anything after the value. err->why is
 * yajl's reason on one line, err->at the byte; the caller sets err->what. The tree lives in a and
 * does not refer to src. */
int hm_json_parse(hm_arena *a, hm_str src, hm_json **out, hm_err *err);
/* Parses a value of one type. NULL if src is not JSON, or JSON of another type. */
hm_json *hm_json_parse_as(hm_arena *a, hm_str src, hm_json_type type);
/* Lists the strings among the elements of an array; none if v is NULL or not an array. Returns how
 * many. The list is in a and borrows from v. */
size_t hm_json_texts(const hm_json *v, hm_arena *a, hm_str **out);
/* Member of an object by name, or NULL (also if v is NULL or not an object). */
const hm_json *hm_json_get(const hm_json *v, const char *key);
/* The member as one type: the text of a string, else empty; true for `true` only; the first element
 * of an array, else NULL. */
hm_str hm_json_get_text(const hm_json *v, const char *key);
bool hm_json_get_true(const hm_json *v, const char *key);
const hm_json *hm_json_get_items(const hm_json *v, const char *key);
/* Appends v as compact JSON: members in their order, numbers as written. */
void hm_json_write(hm_buf *b, const hm_json *v);
/* The same, in a. */
hm_str hm_json_as_text(const hm_json *v, hm_arena *a);
/* Appends s as a JSON string with quotes, as valid UTF-8. Escapes '"', '\\', controls, DEL, U+2028
 * and U+2029, but not '/'. Writes the '<' of "</" and "<!" as \u003c, so that the text is safe in a
 * script element. */
void hm_json_write_str(hm_buf *b, hm_str s);
/* JSON text in which the control characters of direction (U+061C, U+200E, U+200F, U+202A to U+202E,
 * U+2066 to U+2069) are written as \uXXXX, so that a reader sees its lines in their order: for what
 * leaves the program. json itself if it has none; else in a. */
hm_str hm_json_escape_directions(hm_arena *a, hm_str json);

/* Streaming writer; it adds the commas. */
typedef struct {
  hm_buf *b;
  int depth, indent;
  bool comma[HM_JSON_MAX_DEPTH];
  char close[HM_JSON_MAX_DEPTH];
} hm_jw;
/* indent 0: compact. Else each value down to depth `indent` has its own line, indented by two
 * spaces per level. A depth over HM_JSON_MAX_DEPTH, or one hm_jw_end too many, fails the buffer. */
void hm_jw_init(hm_jw *w, hm_buf *b, int indent);
void hm_jw_obj(hm_jw *w, const char *key); /* key NULL inside arrays and at the top */
void hm_jw_arr(hm_jw *w, const char *key);
void hm_jw_end(hm_jw *w); /* closes the innermost object or array */
void hm_jw_str(hm_jw *w, const char *key, hm_str s);
void hm_jw_str_or_null(hm_jw *w, const char *key, hm_str s); /* empty gives null */
void hm_jw_int(hm_jw *w, const char *key, int64_t v);
void hm_jw_bool(hm_jw *w, const char *key, bool v);
void hm_jw_null(hm_jw *w, const char *key);
void hm_jw_strs(hm_jw *w, const char *key, const hm_str *v, size_t n); /* an array of them */
void hm_jw_raw(hm_jw *w, const char *key, hm_str json);                /* already JSON */
/* Adds the members of an object that is JSON already ("{...}", one line) to the open object. */
void hm_jw_members(hm_jw *w, hm_str object);
#endif
