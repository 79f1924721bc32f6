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
 * Where the specification is silent: a bool, list or object prints nothing as {{x}}; indentation is
 * not put before empty lines; what a child gives for a block whose two tags have lines of their own
 * gets a line end when it has none; inside {{<parent}} only blocks, comments and delimiters may
 * stand (its text is ignored, other tags are an error); at most 64 sections and blocks inside each
 * other. */
#ifndef HM_TEMPLATE_H
#define HM_TEMPLATE_H
#include "core/base/err.h"
#include "gen/render/template_values.h"

/* --- templates --------------------------------------------------------- */
typedef struct hm_templates hm_templates;
typedef struct { hm_str name; hm_str bytes; hm_str origin; } hm_template_file;
/* name: "overview.md", "partials/marker.md" (path below templates/ without ".mustache");
 * origin: what messages call it (a path, or "built-in templates/overview.md.mustache"). */

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
/* As hmirror-templates(5) lists them: the program carries that manual, and tests hold it to the
 * models of real pages. */

/* part: empty for a variable of the template itself, "every page", or the shape that has it
 * ("link"). meaning: on one line, with shapes in brackets. */
typedef struct { hm_str part, name, meaning; } hm_variable;

/* The variables of a template by its name ("overview.md"): its own, those of every page, then those
 * of the shapes that they have, each part in the order of the manual. Of a partial those that it
 * uses. f's bytes are compiled for that, and refused as hm_templates_compile does. All in a. */
int hm_list_variables(const hm_template_file *f, hm_arena *a, hm_variable **out, size_t *n,
                      hm_err *err);
/* HM_E_INPUT naming file, line and the nearest known name, when the template asks for a name that
 * the manual does not give it. A partial, and a template that the manual does not know, may use the
 * names of all. */
int hm_variables_check(const hm_template_file *f, hm_arena *a, hm_err *err);
#endif
