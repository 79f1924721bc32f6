/* The user's own style: style sheets, a logo, markup for <head>, colours.
 *
 * Style sheets and the logo are published as assets under their base names, beside the files of the
 * theme, so that a sheet finds pictures of the theme as url(NAME). Colours become a separate sheet,
 * since pages allow no inline style.
 *
 * Rule: WCAG 2.2, success criteria 1.4.3 (text: 4.5) and 1.4.11 (the focus indicator: 3), with its
 * relative luminance. Colours that the user did not set are read from the theme's sheet: the first
 * "--ink:" is that of light mode, the second that of dark mode. The table of pairs follows
 * themes/default/style.css. Cost: O(pairs * sheet). */
#include <math.h>
#include <string.h>
#include <strings.h>
#include "core/base/text.h"
#include "gen/mirror/files.h"
#include "gen/mirror/theme.h"

#define ASSET_MAX ((size_t)4 << 20)
#define HEAD_MAX ((size_t)64 << 10)
static const char colours_name[] = "colours.css";

/* --- contrast -------------------------------------------------------------------------- */

#define TEXT 4.5
#define SHAPE 3.0

static const struct {
  const char *front, *back;
  double least;
} pairs[] = {
  { "accent", "paper", SHAPE },   { "alert", "alert-paper", TEXT },
  { "ink", "alert-paper", TEXT }, { "ink", "paper", TEXT },
  { "ink", "sheet", TEXT },       { "ink", "stripe", TEXT },
  { "link", "paper", TEXT },      { "link", "sheet", TEXT },
  { "link", "stripe", TEXT },     { "quiet", "alert-paper", TEXT },
  { "quiet", "paper", TEXT },     { "quiet", "sheet", TEXT },
  { "visited", "paper", TEXT },   { "visited", "sheet", TEXT },
  { "visited", "stripe", TEXT },
};

static double luminance(const char *s) {
  static const double weight[] = { 0.2126, 0.7152, 0.0722 };
  bool is_long = strspn(s + 1, "0123456789abcdefABCDEF") >= 6;
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    int value = is_long ? hm_hex_value(s[1 + 2 * i]) * 16 + hm_hex_value(s[2 + 2 * i])
                        : hm_hex_value(s[1 + i]) * 17;
    double x = value / 255.0;
    sum += weight[i] * (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double hm_contrast_ratio(const char *x, const char *y) {
  double a = luminance(x), b = luminance(y);
  return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

/* The colour of the property's first or second definition in the sheet, or NULL. */
static const char *colour_in(hm_str css, const char *name, bool second, hm_arena *a) {
  char want[40];
  snprintf(want, sizeof want, "--%s:", name);
  for (int left = second; left >= 0; left--) {
    ptrdiff_t at = hm_str_find(css, want);
    if (at < 0)
      return NULL;
    css = hm_str_sub(css, (size_t)at + strlen(want), css.n);
  }
  hm_str value = hm_str_trim(hm_str_sub(css, 0, css.n < 40 ? css.n : 40));
  const char *z = hm_str_z(a, value);
  size_t digits = *z == '#' ? strspn(z + 1, "0123456789abcdefABCDEF") : 0;
  return digits == 3 || digits == 6 ? hm_str_z(a, hm_str_sub(value, 0, digits + 1)) : NULL;
}

static const hm_colour *set_by(const hm_house_config *house, const char *name) {
  for (size_t i = 0; i < house->n_colours; i++)
    if (strcmp(house->colours[i].name, name) == 0)
      return &house->colours[i];
  return NULL;
}

static const char *colour_of(const hm_house_config *house, hm_str css, const char *name, bool dark,
                             hm_arena *a) {
  const hm_colour *c = set_by(house, name);
  return !c ? colour_in(css, name, dark, a) : dark ? c->dark : c->light;
}

const hm_low_contrast *hm_low_contrasts(const hm_house_config *house, hm_str css, hm_arena *a,
                                        size_t *n) {
  hm_low_contrast *v = hm_alloc_array(a, 2 * HM_COUNT(pairs), sizeof *v);
  *n = 0;
  for (int dark = 0; dark < 2; dark++)
    for (size_t i = 0; i < HM_COUNT(pairs); i++) {
      const char *front = pairs[i].front, *back = pairs[i].back;
      if (!set_by(house, front) && !set_by(house, back))
        continue;
      const char *x = colour_of(house, css, front, dark, a),
                 *y = colour_of(house, css, back, dark, a);
      double ratio = x && y ? hm_contrast_ratio(x, y) : 21;
      if (ratio >= pairs[i].least)
        continue;
      v[(*n)++] = (hm_low_contrast){ front, back, x, y, dark, ratio, pairs[i].least };
    }
  return v;
}

/* --- assets ----------------------------------------------------------------------------- */

typedef struct {
  const hm_mirror *m;
  const hm_template_file *theme;
  size_t n_theme;
  hm_house *out;
  hm_str *styles;
  hm_err *err;
} house_loader;

static const hm_template_file *find_asset(const hm_template_file *v, size_t n, hm_str name) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(v[i].name, name))
      return &v[i];
  return NULL;
}

static int add_asset(house_loader *l, hm_str name, hm_str bytes, const char *path) {
  hm_house *h = l->out;
  const hm_template_file *same = find_asset(l->theme, l->n_theme, name);
  if (!same)
    same = find_asset(h->assets, h->n_assets, name);
  if (same)
    return hm_failf(l->err, HM_E_INPUT, path, "give it another name",
                    "%.*s would be published as assets/%.*s, too", HM_FMT(same->origin),
                    HM_FMT(name));
  h->assets[h->n_assets++] = (hm_template_file){ name, bytes, hm_str_c(path) };
  return 0;
}

static int add_file(house_loader *l, const char *key, const char *name, hm_str *published) {
  const char *path = hm_path_join(l->m->a, l->m->config.house.folder, name);
  hm_str bytes;
  *published = hm_str_behind_last(hm_str_c(name), '/');
  if (hm_trust_check(&l->m->trust, name, l->err))
    return -1;
  if (hm_file_read(l->m->a, path, ASSET_MAX, HM_E_INPUT, &bytes, l->err))
    return hm_err_within(l->err, "%s: %s", l->m->config.file, key);
  return add_asset(l, *published, bytes, path);
}

static void add_properties(hm_buf *b, const hm_house_config *c, bool dark, const char *indent) {
  hm_buf_fmt(b, "%s:root {\n", indent);
  for (size_t i = 0; i < c->n_colours; i++)
    hm_buf_fmt(b, "%s  --%s: %s;\n", indent, c->colours[i].name,
               dark ? c->colours[i].dark : c->colours[i].light);
  hm_buf_fmt(b, "%s}\n", indent);
}

/* Warns with one line for each of the two modes: the worst pair, and how many there are. */
static void warn_of_contrast(const house_loader *l) {
  const hm_template_file *sheet = find_asset(l->theme, l->n_theme, HM_STR("style.css"));
  size_t n;
  const hm_low_contrast *v =
      hm_low_contrasts(&l->m->config.house, sheet ? sheet->bytes : HM_EMPTY, l->m->a, &n);
  for (int dark = 0; dark < 2; dark++) {
    const hm_low_contrast *worst = NULL;
    size_t all = 0;
    for (size_t i = 0; i < n; i++) {
      if (v[i].dark != dark)
        continue;
      if (!worst || v[i].ratio / v[i].least < worst->ratio / worst->least)
        worst = &v[i];
      all++;
    }
    if (!worst)
      continue;
    hm_str more = all > 1 ? hm_str_fmt(l->m->a, " (and %zu more such pairs)", all - 1) : HM_EMPTY;
    hm_warn(&l->m->say,
            "%s: colours: in %s mode %s %s stands on %s %s with a contrast of %.2f, and many "
            "readers need %.1f (WCAG AA)%.*s: make one of them darker or lighter",
            l->m->config.file ? l->m->config.file : "mirror.yml", dark ? "dark" : "light",
            worst->front, worst->front_colour, worst->back, worst->back_colour, worst->ratio,
            worst->least, HM_FMT(more));
  }
}

static int add_colours(house_loader *l) {
  const hm_house_config *c = &l->m->config.house;
  hm_buf b = { 0 };
  if (!c->n_colours)
    return 0;
  warn_of_contrast(l);
  hm_buf_c(&b, "/* Made by hmirror from `colours` in mirror.yml. */\n");
  add_properties(&b, c, false, "");
  hm_buf_c(&b, "@media (prefers-color-scheme: dark) {\n");
  add_properties(&b, c, true, "  ");
  hm_buf_c(&b, "}\n");
  l->styles[l->out->links.n_styles++] = hm_str_c(colours_name);
  return add_asset(l, hm_str_c(colours_name), hm_buf_take(&b, l->m->a), "colours");
}

/* --- <head> ----------------------------------------------------------------------------- */

/* Finds the next tag of that name; *attributes: the text after its name, up to '>'. Returns false
 * when there is no more. */
static bool next_tag(hm_str *html, const char *name, hm_str *attributes) {
  size_t n = strlen(name);
  while (html->n > n) {
    const char *open = memchr(html->p, '<', html->n - n);
    if (!open)
      return false;
    *html = hm_str_sub(*html, (size_t)(open - html->p) + 1, html->n);
    if (html->n <= n || strncasecmp(html->p, name, n) != 0 || !memchr(" \t\r\n>", html->p[n], 5))
      continue;
    const char *end = memchr(html->p, '>', html->n);
    *attributes = hm_str_sub(*html, n, end ? (size_t)(end - html->p) : html->n);
    return true;
  }
  return false;
}

static bool has_source(hm_str attributes) {
  for (size_t i = 0; i + 4 < attributes.n; i++)
    if (strncasecmp(attributes.p + i, "src", 3) == 0 &&
        memchr(" \t\r\n", attributes.p[i - !!i], 4) && memchr("= \t\r\n", attributes.p[i + 3], 5))
      return true;
  return false;
}

static void warn_of_inline(const hm_mirror *m, const char *path, hm_str html, bool *scripts) {
  hm_str rest = html, attributes;
  *scripts = false;
  while (next_tag(&rest, "script", &attributes)) {
    *scripts |= has_source(attributes);
    if (!has_source(attributes))
      hm_warn(&m->say,
              "%s: an inline script, which browsers will not run: pages allow scripts "
              "only from files; put it into the theme folder and write "
              "<script src=\"{{root}}assets/NAME.js\"></script>",
              path);
  }
  rest = html;
  if (next_tag(&rest, "style", &attributes))
    hm_warn(&m->say,
            "%s: an inline style, which browsers will not use: pages allow styles only "
            "from files; name a file in extra_css",
            path);
}

static int load_head(house_loader *l) {
  const hm_house_config *c = &l->m->config.house;
  hm_arena *a = l->m->a;
  hm_str bytes;
  if (!c->head)
    return 0;
  const char *path = hm_path_join(a, c->folder, c->head);
  if (hm_trust_check(&l->m->trust, c->head, l->err))
    return -1;
  if (hm_file_read(a, path, HEAD_MAX, HM_E_INPUT, &bytes, l->err))
    return hm_err_within(l->err, "%s: extra_head", l->m->config.file);
  if (hm_text_repair(a, bytes).p != bytes.p)
    return hm_fail(l->err, HM_E_INPUT, path, "not valid UTF-8", "save it as UTF-8 text");
  warn_of_inline(l->m, path, bytes, &l->out->links.scripts);
  l->out->has_head = true;
  l->out->head = (hm_template_file){ HM_STR("partials/extra_head.html"), bytes, hm_str_c(path) };
  return 0;
}

/* --- all of it -------------------------------------------------------------------------- */

int hm_house_load(const hm_mirror *m, const hm_template_file *theme, size_t n_theme, hm_house *out,
                  hm_err *err) {
  const hm_house_config *c = &m->config.house;
  house_loader l = { .m = m, .theme = theme, .n_theme = n_theme, .out = out, .err = err };
  *out = (hm_house){ .assets = hm_alloc_array(m->a, c->n_css + 2, sizeof *out->assets) };
  if (c->n_css > HM_HOUSE_FILES - 2)
    return hm_failf(err, HM_E_INPUT, "extra_css", "put some of them together",
                    "at most %d style sheets are taken", HM_HOUSE_FILES - 2);
  out->links.styles = l.styles = hm_alloc_array(m->a, c->n_css + 1, sizeof *l.styles);
  if (add_colours(&l))
    return -1;
  for (size_t i = 0; i < c->n_css; i++)
    if (add_file(&l, "extra_css", c->css[i], &l.styles[out->links.n_styles++]))
      return -1;
  if (c->logo && add_file(&l, "logo", c->logo, &out->links.logo))
    return -1;
  return load_head(&l);
}

const char **hm_house_files(const hm_config *c, hm_arena *a, size_t *n) {
  const hm_house_config *h = &c->house;
  const char **v = hm_alloc_array(a, h->n_css + 2, sizeof *v);
  *n = 0;
  for (size_t i = 0; i < h->n_css; i++)
    v[(*n)++] = hm_path_join(a, h->folder, h->css[i]);
  if (h->logo)
    v[(*n)++] = hm_path_join(a, h->folder, h->logo);
  if (h->head)
    v[(*n)++] = hm_path_join(a, h->folder, h->head);
  return v;
}
