/* Loads the theme: built-in files, and the user's files, which replace those of the same name. */
#include "gen/mirror/theme.h"
#include <string.h>
#include "core/base/near_names.h"
#include "gen/mirror/files.h"
#include "gen/render/builtin.h"
#include "gen/render/template.h"

static const char *const builtin_folder[] = { "templates/", "themes/default/" };

static const hm_folder_limits theme_limits = { "templates or theme files", 1000, (size_t)4 << 20 };
static const hm_folder_limits static_limits = { "static files", 20000, (size_t)64 << 20 };

static const char *folder_of(const hm_mirror *m, hm_theme_kind kind) {
  return kind == HM_THEME_TEMPLATE ? m->config.templates : m->config.theme;
}

static void add_builtins(const hm_mirror *m, hm_theme *t, hm_theme_kind kind) {
  size_t skip = strlen(builtin_folder[kind]);
  for (size_t i = 0; i < hm_n_builtins; i++) {
    hm_str path = hm_str_c(hm_builtins[i].path);
    if (!hm_str_starts(path, builtin_folder[kind]))
      continue;
    hm_str name = hm_str_sub(path, skip, path.n);
    t->v[t->n++] =
        (hm_theme_file){ .kind = kind,
                         .name = name,
                         .builtin = true,
                         .path = hm_path_join(m->a, folder_of(m, kind), hm_str_z(m->a, name)),
                         .builtin_bytes = { hm_builtins[i].bytes, hm_builtins[i].n } };
  }
}

static hm_theme_file *find_file(hm_theme *t, size_t from, hm_str name) {
  for (size_t i = from; i < t->n; i++)
    if (hm_str_eq(t->v[i].name, name))
      return &t->v[i];
  return NULL;
}

/* Templates may lie beside a README; a .mustache of neither kind is a mistake. */
static int check_template_name(const hm_folder_file *f, bool *take, hm_err *err) {
  *take = hm_str_ends(f->name, ".md.mustache") || hm_str_ends(f->name, ".html.mustache");
  if (*take || !hm_str_ends(f->name, ".mustache"))
    return 0;
  return hm_fail(err, HM_E_INPUT, f->path, "neither a Markdown nor an HTML template",
                 "end its name in .md.mustache or .html.mustache");
}

static int add_own(hm_theme *t, size_t from, hm_theme_kind kind, const hm_folder *own,
                   hm_err *err) {
  for (size_t i = 0; i < own->n; i++) {
    const hm_folder_file *f = &own->v[i];
    bool take = true;
    if (kind == HM_THEME_TEMPLATE && check_template_name(f, &take, err))
      return -1;
    if (!take)
      continue;
    hm_theme_file *known = find_file(t, from, f->name);
    if (!known) {
      known = &t->v[t->n++];
      *known = (hm_theme_file){ .kind = kind, .name = f->name };
    }
    known->path = f->path;
    known->own = true;
    known->own_bytes = f->bytes;
  }
  return 0;
}

/* Insertion sort: built-in files are sorted, and own ones that are new are few. */
static void sort_files(hm_theme_file *v, size_t n) {
  for (size_t i = 1; i < n; i++) {
    hm_theme_file f = v[i];
    size_t k = i;
    for (; k && hm_str_cmp(v[k - 1].name, f.name) > 0; k--)
      v[k] = v[k - 1];
    v[k] = f;
  }
}

int hm_theme_load(const hm_mirror *m, hm_theme *out, hm_err *err) {
  static const hm_theme_kind kinds[] = { HM_THEME_TEMPLATE, HM_THEME_ASSET };
  const bool named[] = { m->config.templates_named, m->config.theme_named };
  hm_folder own[2];
  size_t room = 0;
  for (int k = 0; k < 2; k++) {
    if (hm_trust_check(&m->trust, folder_of(m, kinds[k]), err) ||
        hm_folder_read(m->a, folder_of(m, kinds[k]), named[k], false, &theme_limits, &own[k], err))
      return -1;
    room += own[k].n;
    for (size_t i = 0; i < hm_n_builtins; i++)
      room += hm_str_starts(hm_str_c(hm_builtins[i].path), builtin_folder[kinds[k]]);
  }
  *out = (hm_theme){ .v = hm_alloc_array(m->a, room + 1, sizeof *out->v) };
  for (int k = 0; k < 2; k++) {
    size_t from = out->n;
    add_builtins(m, out, kinds[k]);
    if (add_own(out, from, kinds[k], &own[k], err))
      return -1;
    sort_files(out->v + from, out->n - from);
  }
  return 0;
}

/* --- a style sheet as browsers need it --------------------------------- */
/* Every page loads it, and half of it was for its writers.
 *
 * Comments go. A run of space is one space, and none at the beginning of a line's rule, beside
 * { } ; , and after a colon; strings stay as they are. Space before a colon stays ("a :hover" is
 * not "a:hover"), and so does that around signs, which calc() needs. Cost: O(n). */

/* Where the string or comment that begins at i ends. */
static size_t end_of_string(hm_str s, size_t i) {
  char quote = s.p[i++];
  while (i < s.n && s.p[i] != quote)
    i += s.p[i] == '\\' ? 2 : 1;
  return i < s.n ? i + 1 : s.n;
}

static size_t end_of_comment(hm_str s, size_t i) {
  ptrdiff_t at = hm_str_find(hm_str_sub(s, i + 2, s.n), "*/");
  return at < 0 ? s.n : i + 2 + (size_t)at + 2;
}

hm_str hm_css_compact(hm_str s, hm_arena *a) {
  hm_buf b = { 0 };
  bool space = false;
  for (size_t i = 0; i < s.n;) {
    bool comment = s.p[i] == '/' && i + 1 < s.n && s.p[i + 1] == '*';
    if (comment || (s.p[i] == ' ' || s.p[i] == '\n' || s.p[i] == '\t' || s.p[i] == '\r')) {
      space = true;
      i = comment ? end_of_comment(s, i) : i + 1;
      continue;
    }
    bool after = b.n == 0 || strchr("{};,:", b.p[b.n - 1]), before = strchr("{};,", s.p[i]);
    if (space && !after && !before)
      hm_buf_ch(&b, ' ');
    space = false;
    if (s.p[i] == '}' && b.n && b.p[b.n - 1] == ';')
      b.n--;
    size_t end = s.p[i] == '"' || s.p[i] == '\'' ? end_of_string(s, i) : i + 1;
    hm_buf_str(&b, hm_str_sub(s, i, end));
    i = end;
  }
  if (b.n)
    hm_buf_ch(&b, '\n');
  return hm_buf_take(&b, a);
}

/* --- for the site -------------------------------------------------------- */

/* Our own style sheet is published without what is for its readers; that of a user as it is. */
static hm_template_file as_file(const hm_mirror *m, const hm_theme_file *f) {
  hm_str name = f->name, bytes = f->own ? f->own_bytes : f->builtin_bytes;
  if (!f->own && hm_str_ends(name, ".css"))
    bytes = hm_css_compact(bytes, m->a);
  if (f->kind == HM_THEME_TEMPLATE)
    name = hm_str_sub(name, 0, name.n - strlen(".mustache"));
  return (hm_template_file){
    .name = name,
    .bytes = bytes,
    .origin = f->own ? hm_str_c(f->path)
                     : hm_str_fmt(m->a, "built-in %s%.*s", builtin_folder[f->kind], HM_FMT(f->name))
  };
}

/* A path that every host can serve, and that cannot leave the site. */
static int check_public_name(const char *path, hm_str name, hm_err *err) {
  static const char allowed[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/";
  for (size_t i = 0; i < name.n; i++)
    if (!name.p[i] || !strchr(allowed, name.p[i]))
      return hm_fail(err, HM_E_INPUT, path, "its name cannot be published",
                     "use letters, digits and . _ - in names");
  return 0;
}

static int load_statics(const hm_mirror *m, hm_appearance *out, hm_err *err) {
  hm_folder own;
  if (hm_trust_check(&m->trust, m->config.statics, err) ||
      hm_folder_read(m->a, m->config.statics, m->config.statics_named, true, &static_limits, &own,
                     err))
    return -1;
  out->statics = hm_alloc_array(m->a, own.n + 1, sizeof *out->statics);
  for (size_t i = 0; i < own.n; i++) {
    if (check_public_name(own.v[i].path, own.v[i].name, err))
      return -1;
    if (hm_str_is(own.v[i].name, ".git") || hm_str_starts(own.v[i].name, ".git/"))
      return hm_fail(err, HM_E_INPUT, own.v[i].path, "a repository inside the static folder",
                     "move it elsewhere");
    out->statics[out->n_statics++] =
        (hm_template_file){ own.v[i].name, own.v[i].bytes, hm_str_c(own.v[i].path) };
  }
  return 0;
}

/* Does another template of the user name it? */
static bool is_included(const hm_theme *theme, const hm_theme_file *f) {
  hm_str word = hm_str_sub(f->name, 0, (size_t)hm_str_find(f->name, "."));
  if (hm_str_starts(word, "partials/"))
    word = hm_str_sub(word, sizeof "partials", word.n);
  for (size_t i = 0; i < theme->n && word.n; i++) {
    const hm_theme_file *by = &theme->v[i];
    if (by != f && by->own && by->kind == HM_THEME_TEMPLATE &&
        memmem(by->own_bytes.p, by->own_bytes.n, word.p, word.n))
      return true;
  }
  return false;
}

static void find_unused(const hm_mirror *m, const hm_theme *theme, hm_appearance *out) {
  hm_known_name *known = NULL;
  size_t n = 0;
  for (size_t i = 0; i < theme->n; i++) {
    const hm_theme_file *f = &theme->v[i];
    if (!(f->kind == HM_THEME_TEMPLATE && f->own && !f->builtin && !is_included(theme, f)))
      continue;
    if (!known) {
      known = hm_alloc_array(m->a, theme->n + 1, sizeof *known);
      out->unused = hm_alloc_array(m->a, theme->n + 1, sizeof *out->unused);
      for (size_t k = 0; k < theme->n; k++)
        if (theme->v[k].builtin && theme->v[k].kind == HM_THEME_TEMPLATE)
          known[n++] = hm_known_name_fold(theme->v[k].name, m->a);
    }
    out->unused[out->n_unused++] =
        (hm_unused_template){ f->path, hm_find_near_name(f->name, known, n) };
  }
}

void hm_warn_unused_templates(hm_mirror *m, const hm_appearance *look) {
  uint64_t hash = 1;
  for (size_t i = 0; i < look->n_unused; i++)
    hash = hm_hash_mix(hash, hm_str_hash(hm_str_c(look->unused[i].path)));
  if (!hash)
    hash = 1;
  bool is_first = !m->unused_warned;
  for (size_t i = 0; i < look->n_unused && hash != m->unused_warned; i++) {
    const hm_unused_template *u = &look->unused[i];
    if (u->near.n)
      hm_warn(&m->say, "%s: no page has this template, and no other names it: did you mean %.*s?",
              u->path, HM_FMT(u->near));
    else if (is_first)
      hm_warn(&m->say,
              "%s: no page has this template, and no other names it: "
              "see 'hmirror theme list'",
              u->path);
  }
  m->unused_warned = hash;
}

/* Checks the user's templates for unknown variables; tests check the built-in ones. */
static int check_names(const hm_mirror *m, const hm_theme *theme, const hm_house *house,
                       hm_err *err) {
  for (size_t i = 0; i < theme->n; i++) {
    const hm_theme_file *f = &theme->v[i];
    if (f->kind == HM_THEME_TEMPLATE && f->own &&
        hm_variables_check(
            &(hm_template_file){ as_file(m, f).name, f->own_bytes, hm_str_c(f->path) }, m->a, err))
      return -1;
  }
  return house->has_head ? hm_variables_check(&house->head, m->a, err) : 0;
}

int hm_appearance_load(const hm_mirror *m, hm_appearance *out, hm_err *err) {
  hm_theme theme;
  *out = (hm_appearance){ 0 };
  if (hm_theme_load(m, &theme, err) || load_statics(m, out, err))
    return -1;
  hm_house house;
  hm_template_file *templates = hm_alloc_array(m->a, theme.n + 2, sizeof *templates);
  out->assets = hm_alloc_array(m->a, theme.n + HM_HOUSE_FILES, sizeof *out->assets);
  size_t n = 0;
  for (size_t i = 0; i < theme.n; i++) {
    hm_template_file f = as_file(m, &theme.v[i]);
    if (theme.v[i].kind == HM_THEME_TEMPLATE) {
      templates[n++] = f;
      continue;
    }
    if (theme.v[i].own && check_public_name(theme.v[i].path, f.name, err))
      return -1;
    out->assets[out->n_assets++] = f;
  }
  if (hm_house_load(m, out->assets, out->n_assets, &house, err))
    return -1;
  for (size_t i = 0; i < house.n_assets; i++)
    out->assets[out->n_assets++] = house.assets[i];
  if (house.has_head)
    templates[n++] = house.head;
  out->house = house.links;
  if (hm_templates_compile(templates, n, &out->templates, err))
    return -1;
  find_unused(m, &theme, out);
  if (!check_names(m, &theme, &house, err))
    return 0;
  hm_templates_free(out->templates);
  out->templates = NULL;
  return -1;
}
