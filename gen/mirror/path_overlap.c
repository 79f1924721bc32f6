#include "gen/mirror/path_overlap.h"
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

/* Of what is absent, the folder that it would stand in. NULL: that is absent, too. */
static char *place_of(const char *path) {
  char *real = realpath(path, NULL), *copy = real ? NULL : strdup(path);
  if (copy) real = realpath(dirname(copy), NULL);
  free(copy);
  return real;
}

static bool is_in(const char *place, const char *folder) {
  size_t n = strlen(folder);
  if (n == 1) return true;   /* the root */
  return strncmp(place, folder, n) == 0 && (!place[n] || place[n] == '/');
}

static int check_folder(const hm_mirror *m, const char *key, const char *folder,
                        const char *what, const char *path, hm_err *err) {
  char *outer = realpath(folder, NULL), *inner = place_of(path);
  bool bad = outer && inner && is_in(inner, outer);
  free(outer);
  free(inner);
  if (!bad) return 0;
  const char *file = m->config.file ? m->config.file : "mirror.yml";
  return hm_failf(err, HM_E_USAGE, hm_str_fmt(m->a, "%s: %s", file, key).p,
                  "name a folder that holds nothing else than what is to be published",
                  "its folder %s holds %s, %s, which would be published, too",
                  hm_show(m->a, hm_str_c(folder), 200), what, hm_show(m->a, hm_str_c(path), 200));
}

int hm_check_path_overlap(const hm_mirror *m, const char *what, const char *path, hm_err *err) {
  const hm_config *c = &m->config;
  return check_folder(m, "static", c->statics, what, path, err) ||
          check_folder(m, "theme", c->theme, what, path, err)
      ? -1
      : 0;
}
