/* What the preview puts around and into pages: its own templates, style and script, from
 * themes/serve inside the program. They are no part of the mirror's theme: a mistake in that one
 * must not keep the preview from saying so. */
#ifndef HM_CHROME_H
#define HM_CHROME_H
#include "gen/render/template.h"

typedef struct {
  hm_templates *templates;
  hm_str css, script;
  hm_str script_source;      /* "'sha256-...'", for a content security policy */
} hm_chrome;

/* Free with hm_chrome_free; texts live in a. Errors: HM_E_INTERNAL, HM_E_INPUT for a template that
 * does not compile. */
int hm_chrome_load(hm_arena *a, hm_chrome *out, hm_err *err);
void hm_chrome_free(hm_chrome *c);
/* A template of themes/serve, "problem.html", in a. What cannot be rendered is empty: no text of
 * ours can fail. */
hm_str hm_chrome_render(const hm_chrome *c, const char *name, const hm_tv *model, hm_arena *a);
/* n random bytes in hexadecimal digits, in a; empty when the system has none. */
hm_str hm_random_hex(hm_arena *a, size_t n);
#endif
