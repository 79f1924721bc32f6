/* The variables of templates, as hmirror-templates(5) lists them: the program carries that manual,
 * and tests hold it to the models of real pages. */
#ifndef HM_VARIABLES_H
#define HM_VARIABLES_H
#include "gen/render/template.h"

/* part: empty for a variable of the template itself, "every page", or the shape that has it
 * ("link"). meaning: on one line, with shapes in brackets. */
typedef struct { hm_str part, name, meaning; } hm_variable;

/* The variables of a template by its name ("overview.md"): its own, those of every page, then those
 * of the shapes that they have, each part in the order of the manual. Of a partial those that it
 * uses. f's bytes are compiled for that, and refused as hm_templates_compile does. All in a. */
int hm_variables_of(const hm_template_file *f, hm_arena *a, hm_variable **out, size_t *n,
                    hm_err *err);
/* HM_E_INPUT naming file, line and the nearest known name, when the template asks for a name that
 * the manual does not give it. A partial, and a template that the manual does not know, may use the
 * names of all. */
int hm_variables_check(const hm_template_file *f, hm_arena *a, hm_err *err);
#endif
