/* Addresses of an interface that documents list: "| GET | `/health` |" and "GET /api/health". Only
 * of documents that write what all addresses begin with before some of them: elsewhere it goes
 * without saying. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

static const char base[] = "/api/";

static bool is_of_address(char c) { return hm_is_alnum(c) || strchr("/_-.{}:<>[]$", c); }

/* The address behind a method in the text, from byte *at on; *method: which. Empty: there is none.
 */
static hm_str next_route(hm_str text, size_t *at, hm_str *method) {
  static const char *const methods[] = { "GET", "POST", "PUT", "PATCH", "DELETE" };
  for (size_t i = *at; i < text.n; i++)
    for (size_t k = 0; k < HM_COUNT(methods) && hm_is_upper(text.p[i]); k++) {
      size_t n = strlen(methods[k]), from = i + n, to;
      if (!hm_str_starts(hm_str_sub(text, i, text.n), methods[k]) ||
          (i && hm_is_alnum(text.p[i - 1])))
        continue;
      while (from < text.n && strchr(" |`", text.p[from]))
        from++;
      for (to = from; to < text.n && is_of_address(text.p[to]); to++) {
      }
      if (from == i + n || !hm_char_at(text, from, '/'))
        continue;
      while (to > from + 1 && strchr("/.:", text.p[to - 1]))
        to--;
      *method = hm_str_sub(text, i, i + n);
      *at = to;
      return hm_str_sub(text, from, to);
    }
  return HM_EMPTY;
}

void note_routes_read(note_routes *out, const hm_document *doc) {
  for (size_t i = 0; i < doc->n; i++) {
    size_t at = 0;
    hm_str method, route;
    while ((route = next_route(doc->parts[i].text, &at, &method)).n)
      if (hm_str_starts(route, base))
        out->with_base++;
      else
        out->without++;
  }
}

/* The address without its base and without the names of its parameters: "users/{}". */
static hm_str name_of(hm_str route, hm_arena *a) {
  hm_buf b = { 0 };
  size_t i = hm_str_starts(route, base) ? sizeof base - 1 : 1;
  for (; i < route.n; i++) {
    bool parameter = i && route.p[i - 1] == '/' && strchr("{:<[$", route.p[i]);
    hm_buf_ch(&b, parameter ? '_' : hm_ascii_lower(route.p[i]));
    while (parameter && i + 1 < route.n && route.p[i + 1] != '/')
      i++;
  }
  return hm_buf_take(&b, a);
}

void note_routes_claim(note_claims *out, const note_context *c, const note_routes *routes,
                       const hm_doc_part *p) {
  enum { LEAST = 3 };
  /* services have addresses of their own */
  static const char holders[] = "apps|functions|lambdas|modules|packages|plugins|projects|services";
  hm_str method, route, folder;
  size_t at = 0;
  hm_str part = hm_notes_component(c->file->path, out->a, &folder);
  hm_str above = hm_str_sub(folder, 0, folder.n - part.n - (folder.n > part.n));
  bool several = part.n && note_word_in(hm_str_behind_last(above, '/'), holders);
  if (routes->with_base < LEAST || c->file->library || several || p->quoted)
    return;
  while ((route = next_route(p->text, &at, &method)).n) {
    hm_str name = name_of(route, out->a);
    hm_str full = hm_str_starts(route, base) ? HM_STR("below /api") : HM_STR("at the top");
    if (name.n)
      note_claims_add(out, HM_CAT(out->a, c->scope, method, HM_STR(" "), name, HM_STR(" address")),
                      full, NOTE_SETTING);
  }
}
