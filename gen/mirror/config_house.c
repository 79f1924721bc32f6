/* The house's own style in mirror.yml: extra_css, extra_head, logo, colours.
 *
 * Files are named as they stand in the mirror's folder, so that a checkout has all that its pages
 * are made with. Their last names are published: letters, digits and . _ - only. A colour is one of
 * those that the theme has, in hexadecimal, and nothing else can get into the style sheet. */
#include <string.h>
#include "core/base/near_names.h"
#include "gen/mirror/config_impl.h"

/* The custom properties of themes/default/style.css that are colours; sorted. */
static const char *const colour_names[] = { "accent", "alert", "alert-line", "alert-paper",
                                            "ink",    "line",  "link",       "paper",
                                            "quiet",  "sheet", "stripe",     "visited" };

typedef struct { hm_arena *a; const hm_yaml *yaml; hm_err *err; } house_reader;

static int bad(const house_reader *r, const char *key, const char *why, const char *fix) {
  return hm_fail(r->err, HM_E_USAGE, hm_yaml_place(r->a, r->yaml, key), why, fix);
}

/* --- files ------------------------------------------------------------------------------ */

static bool ends_in(hm_str name, const char *const *endings) {
  for (size_t i = 0; endings[i]; i++)
    if (hm_str_ends(name, endings[i])) return true;
  return false;
}

static int check_file(const house_reader *r, const char *key, hm_str name,
                      const char *const *endings, const char *fix) {
  static const char allowed[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/";
  hm_str framed = hm_str_fmt(r->a, "/%.*s/", HM_FMT(name));
  if (hm_str_find(framed, "//") >= 0 || hm_str_find(framed, "/../") >= 0 ||
      hm_str_find(framed, "/./") >= 0)
    return bad(r, key, "not a file of the mirror's folder", fix);
  for (size_t i = 0; i < name.n; i++)
    if (!name.p[i] || !strchr(allowed, name.p[i]))
      return bad(r, key, "its name cannot be published", "use letters, digits and . _ - in names");
  return ends_in(name, endings) ? 0 : bad(r, key, "not a file of that kind", fix);
}

/* One file, or NULL where none is named. */
static int read_file(const house_reader *r, const char *key, const char *const *endings,
                     const char *fix, const char **out) {
  const hm_yaml_value *v = hm_yaml_at(r->yaml, key);
  *out = v && v->text.n ? v->text.p : NULL;
  return *out ? check_file(r, key, v->text, endings, fix) : 0;
}

static int read_css(const house_reader *r, hm_house_config *out) {
  static const char *const endings[] = { ".css", NULL };
  const hm_yaml_value *v = hm_yaml_at(r->yaml, "extra_css");
  out->n_css = v ? v->count : 0;
  out->css = hm_alloc_array(r->a, out->n_css + 1, sizeof *out->css);
  for (size_t i = 0; i < out->n_css; i++) {
    const hm_yaml_value *e = &v[1 + i];
    out->css[i] = e->text.p;
    if (check_file(r, e->path, e->text, endings, "write brand.css or style/brand.css")) return -1;
  }
  return 0;
}

/* --- colours ---------------------------------------------------------------------------- */

static const char *nth_colour(void *ctx, size_t i) {
  (void)ctx;
  return i < HM_COUNT(colour_names) ? colour_names[i] : NULL;
}

static bool is_colour(hm_str s) {
  if (!hm_str_starts(s, "#") || (s.n != 4 && s.n != 7)) return false;
  return strspn(s.p + 1, "0123456789abcdefABCDEF") >= s.n - 1;
}

static int read_colour(const house_reader *r, const hm_yaml_value *e, hm_colour *out) {
  static const char fix[] = "write #14586e, or two of them: for light and for dark mode";
  const char *name = e->path + strlen("colours.");
  size_t i = 0;
  while (i < HM_COUNT(colour_names) && strcmp(colour_names[i], name) != 0) i++;
  if (i == HM_COUNT(colour_names)) {
    const char *near = hm_nearest(name, nth_colour, NULL);
    return bad(r, e->path, "the theme has no such colour",
               near ? hm_str_fmt(r->a, "did you mean '%s'?", near).p
                    : "see hmirror-config(5) for their names");
  }
  hm_str text = hm_str_trim(e->text);
  size_t n = strcspn(text.p, " ");
  hm_str light = hm_str_sub(text, 0, n < text.n ? n : text.n),
         dark = hm_str_trim(hm_str_sub(text, light.n, text.n));
  if (!dark.n) dark = light;
  if (!is_colour(light) || !is_colour(dark)) return bad(r, e->path, "not a colour", fix);
  *out = (hm_colour){ name, hm_str_z(r->a, light), hm_str_z(r->a, dark) };
  return 0;
}

static int read_colours(const house_reader *r, hm_house_config *out) {
  const hm_yaml_value *v = hm_yaml_at(r->yaml, "colours");
  out->n_colours = v ? v->count : 0;
  out->colours = hm_alloc_array(r->a, out->n_colours + 1, sizeof *out->colours);
  for (size_t i = 0; i < out->n_colours; i++)
    if (read_colour(r, &v[1 + i], &out->colours[i])) return -1;
  return 0;
}

int hm_config_read_house(hm_arena *a, const hm_yaml *y, const char *folder, hm_config *out,
                         hm_err *err) {
  static const char *const html[] = { ".html", NULL };
  static const char *const images[] = { ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp",
                                        ".avif", NULL };
  const house_reader r = { a, y, err };
  hm_house_config *h = &out->house;
  *h = (hm_house_config){ .folder = folder };
  return read_css(&r, h) ||
          read_file(&r, "extra_head", html, "write head.html or style/head.html", &h->head) ||
          read_file(&r, "logo", images, "name a .svg, .png, .jpg, .gif, .webp or .avif file",
                    &h->logo) ||
          read_colours(&r, h)
      ? -1
      : 0;
}
