/* Mustache with inheritance: templates compiled once, rendered from any thread.
 *
 * Tags: {{x}} {{{x}}} {{&x}} {{#x}} {{^x}} {{/x}} {{!c}} {{>p}} {{>*dynamic}} {{<parent}}
 * {{$block}} {{=<% %>=}}, dotted names, implicit iterator, stand-alone lines, indentation of
 * partials: as the Mustache specification's suites comments, delimiters, interpolation, inverted,
 * partials, sections, inheritance, dynamic-names say. No lambdas. Escaping by the template's file
 * name: NAME.md.mustache escapes for Markdown, NAME.html.mustache for HTML, by the place that the
 * value carries. A partial is looked up with the suffix of the template that asks. A name with
 * neither suffix is plain Mustache: escaped for HTML, and partials that do not exist render
 * nothing.
 *
 * Where the specification is silent: a bool, list or object prints nothing as {{x}}; empty lines
 * are not indented; a child's content for a block whose two tags stand alone on their lines gets a
 * line end when it has none; inside {{<parent}} only blocks, comments and delimiters may stand (its
 * text is ignored, other tags are an error); sections and blocks nest at most 64 deep. */
#ifndef HM_TEMPLATE_H
#define HM_TEMPLATE_H
#include "core/base/digest.h"
#include "core/base/err.h"
#include "core/markdown/escape.h"

/* --- values (template_render.c) ----------------------------------------- */
/* Objects, lists, texts, numbers, yes and no. False in a section: false, empty text, empty list,
 * absent, integer 0. */

typedef struct hm_node hm_node; /* lives in the arena it was made in; immutable once rendered */

hm_node *hm_node_new_obj(hm_arena *a);
hm_node *hm_node_new_list(hm_arena *a);
hm_node *hm_node_new_bool(hm_arena *a, bool v);
/* A fact or any other text; escaped when it is printed, whatever the tag. bytes are borrowed. */
hm_node *hm_node_new_text(hm_arena *a, hm_str s, hm_place place);
/* Bytes that the program made (rendered Markdown, a number, a path that was made by hm_text_slug).
 * The only thing that {{{x}}} takes; {{x}} escapes it like a text. */
hm_node *hm_node_new_raw(hm_arena *a, hm_str s);
/* A name with what is compared first: its length, above, and its first four bytes. Of a literal all
 * of it is known before the program runs. */
typedef struct {
  const char *p;
  uint64_t tag;
} hm_key;
static inline hm_key hm_key_from_str(hm_str s) {
  uint32_t first = 0;
  if (s.n >= 4)
    memcpy(&first, s.p, 4);
  else
    for (size_t i = 0; i < s.n; i++)
      first |= (uint32_t)(unsigned char)s.p[i] << 8 * i;
  return (hm_key){ s.p, (uint64_t)s.n << 32 | first };
}
static inline hm_key hm_key_c(const char *z) { return hm_key_from_str((hm_str){ z, strlen(z) }); }

void hm_node_put(hm_node *obj, hm_key key, hm_node *v);
void hm_node_put_text(hm_node *obj, hm_key key, hm_str s, hm_place place);
void hm_node_put_int(hm_node *obj, hm_key key, int64_t n);
void hm_node_put_bool(hm_node *obj, hm_key key, bool v);
/* key is borrowed and must be [a-z0-9_]+. Setting a key twice replaces it. Returns obj. */
static inline hm_node *hm_node_set(hm_node *obj, const char *key, hm_node *v) {
  hm_node_put(obj, hm_key_c(key), v);
  return obj;
}
void hm_node_push(hm_node *list, hm_node *v);
/* Sets a new list, or a new object, in obj's arena. */
hm_node *hm_node_set_list(hm_node *obj, const char *key);
hm_node *hm_node_set_obj(hm_node *obj, const char *key);
/* Shorthands that make the value in obj's arena. An int is raw, and 0 is false in a section. */
static inline void hm_node_set_text(hm_node *obj, const char *key, hm_str s) {
  hm_node_put_text(obj, hm_key_c(key), s, HM_IN_TEXT);
}
static inline void hm_node_set_url(hm_node *obj, const char *key, hm_str s) {
  hm_node_put_text(obj, hm_key_c(key), s, HM_IN_URL);
}
static inline void hm_node_set_int(hm_node *obj, const char *key, int64_t n) {
  hm_node_put_int(obj, hm_key_c(key), n);
}
static inline void hm_node_set_bool(hm_node *obj, const char *key, bool v) {
  hm_node_put_bool(obj, hm_key_c(key), v);
}
/* Names the row this object shows ("memory:m1"), for messages. */
void hm_node_set_row(hm_node *obj, hm_str ref);

/* Reading back what was set, for models that are made from models: the value of a key, or NULL
 * (also when obj is NULL or no object); the number of a list's items (0: no list); its item i <
 * count; the bytes of a text or raw value, else empty. */
const hm_node *hm_node_at(const hm_node *obj, const char *key);
size_t hm_node_count(const hm_node *list);
const hm_node *hm_node_item(const hm_node *list, size_t i);
hm_str hm_node_str(const hm_node *v);
/* Adds all that a template can print of v. */
void hm_node_digest(const hm_node *v, hm_sha256 *h);

/* --- templates --------------------------------------------------------- */
typedef struct hm_templates hm_templates;
typedef struct {
  hm_str name;
  hm_str bytes;
  hm_str origin;
} hm_template_file;
/* name: "overview.md", "partials/marker.md" (path below templates/ without ".mustache");
 * origin: its name in messages (a path, or "built-in templates/overview.md.mustache"). */

/* Compiles all. A later file of the same name replaces an earlier one. Errors (HM_E_INPUT):
 * "ORIGIN:LINE: ...": unclosed section or tag, wrong closing name, bad delimiters, a partial or
 * parent that does not exist (static names only). Partials are named as {{>partials/marker}} or
 * {{>marker}} (partials/ is implied). */
int hm_templates_compile(const hm_template_file *files, size_t n, hm_templates **out, hm_err *err);
void hm_templates_free(hm_templates *t);
bool hm_templates_has(const hm_templates *t, hm_str name);
/* Digest over names and bytes of all templates: hex, borrowed from t. */
hm_str hm_templates_digest(const hm_templates *t);

/* Renders template `name` with model into out (appended). Thread-safe for distinct out and a.
 * Errors name origin, line and the innermost row ("ORIGIN:LINE (memory:m1)" as what; HM_E_INPUT):
 * {{{x}}} of a fact, depth of partials and blocks over 64, over 20 million of them, output over 256
 * MiB. Unknown names render nothing, as in Mustache. */
int hm_template_render(const hm_templates *t, hm_str name, const hm_node *model, hm_arena *a,
                       hm_buf *out, hm_err *err);

/* --- the variables of templates (variables.c) --------------------------- */
/* As hmirror-templates(5) lists them. The manual is built into the program; tests compare it with
 * the models of real pages. */

/* part: empty for a variable of the template itself, "every page", or the shape ("link") that the
 * variable belongs to. meaning: on one line, with shapes in brackets. */
typedef struct {
  hm_str part, name, meaning;
} hm_variable;

/* Lists the variables of a template by its name ("overview.md"): its own, those of every page, then
 * those of the shapes that these use, each part in the order of the manual. For a partial: the
 * variables that it uses, for which f's bytes are compiled. Errors as hm_templates_compile. All in
 * a. */
int hm_list_variables(const hm_template_file *f, hm_arena *a, hm_variable **out, size_t *n,
                      hm_err *err);
/* Fails with HM_E_INPUT (naming file, line and the nearest known name) when the template uses a
 * name that the manual does not list for it. A partial, and a template that is not in the manual,
 * may use every listed name. */
int hm_variables_check(const hm_template_file *f, hm_arena *a, hm_err *err);
#endif
