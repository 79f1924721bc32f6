/* Words of headings and paths that keep apart what is said below them: environments, systems,
 * versions, roles, places. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/words/words.h"

hm_str note_environment(const note_words *w, size_t i) {
  static const char *const names[][2] = {
    { "dev", "development" },
    { "prod|produccion|producci\u00F3n|produktion|producao|produ\u00E7\u00E3o", "production" },
    { "test|tests", "testing" },
  };
  hm_str word = w->w[i].low;
  if (w->n == 1 && hm_str_is(word, "stage")) /* and not "Stage 2" */
    return HM_STR("staging");
  for (size_t k = 0; k < HM_COUNT(names); k++)
    if (note_word_in(word, names[k][0]))
      return hm_str_c(names[k][1]);
  return word;
}

/* Words of headings and paths that keep apart what is said below them: environments, systems. */
static const char scopes[] =
    "android|aws|azure|ci|cloud|compose|container|cpu|debian|docker|fedora|gpu|helm|ios|"
    "k8s|kubernetes|legacy|linux|mac|macos|mobile|production|raspberry|self-hosted|staging|"
    "ubuntu|windows|wsl";

bool note_keeps_apart(hm_str word) {
  if (note_word_in(word, scopes))
    return true;
  size_t i = 1;
  while (i < word.n && (hm_is_digit(word.p[i]) || (word.p[i] == '.' && i > 1)))
    i++;
  i += i > 2 && i + 1 == word.n && word.p[i - 1] == '.' && word.p[i] == 'x'; /* "v1.x" */
  return word.n > 1 && word.p[0] == 'v' && i == word.n;
}

hm_str note_scope_with(hm_str scope, hm_str word, hm_arena *a) {
  hm_str part = HM_CAT(a, word, HM_STR(" "));
  bool had = !word.n || hm_str_find(scope, hm_str_z(a, part)) >= 0;
  return had ? scope : HM_CAT(a, part, scope);
}

bool note_is_for_users(const note_words *w, hm_arena *a) {
  static const char roles[] =
      "admin|admins|administrator|administrators|customer|customers|end-user|end-users|guest|"
      "guests|user|users";
  bool role = false;
  for (size_t i = 0; i < w->n; i++) {
    bool one = note_word_in(w->w[i].low, roles);
    role |= one;
    if (!one && !note_heading_is_generic(w->w[i].s, a))
      return false;
  }
  return role;
}

static const char places[] =
    "cities|clients|countries|customers|locations|members|offices|people|persons|profiles|regions|"
    "sites|staff|stores|team|teams|tenants|venues";

bool note_names_places(const note_words *w) {
  return w->n && note_word_in(w->w[w->n - 1].low, places);
}

bool note_heading_keeps_apart(hm_str heading, hm_arena *a) {
  static const char things[] =
      "agent|api|app|backend|branch|client|cluster|component|crate|edition|environment|frontend|"
      "mode|model|module|office|package|plan|plugin|profile|provider|region|sdk|server|service|"
      "shop|site|tier|variant|version|warehouse|worker|workshop";
  note_words w = note_split(heading, a);
  if (w.n && note_word_in(w.w[w.n - 1].low, things))
    return true;
  for (size_t i = 0; i < w.n; i++) {
    bool number = !i && w.n > 1 && strspn(hm_str_z(a, w.w[0].s), "0123456789.") == w.w[0].s.n;
    if (!number && (note_is_identifier(w.w[i].s) || hm_text_has_digit(w.w[i].s)))
      return true; /* "4.2 Tokens" is about tokens */
  }
  return w.n == 1 && memchr(w.w[0].s.p, '-', w.w[0].s.n);
}
