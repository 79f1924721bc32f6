/* Sections of mirror.yml with their own readers, and checks shared by keys and the options of the
 * same meaning.
 *
 * The user's own style: its files must be in the mirror's folder, so that a checkout has all that
 * its pages are made with. Their base names are published: letters, digits and . _ - only. A colour
 * must be one of the theme's names, with a hexadecimal value, so nothing else can get into the
 * style sheet. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/credential.h"
#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/claim/story.h"
#include "gen/mirror/config_impl.h"
#include "gen/mirror/files.h"
#include "core/markdown/escape.h"
#include "gen/sink/signer.h"

/* --- what options must be, too ---------------------------------------------------------- */

bool hm_config_is_key(const char *env) {
  enum { NAME_MAX = 20 };
  hm_credential found;
  size_t name = strspn(env, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
  bool odd = env[name] || strspn(env, "0123456789abcdefABCDEF") == strlen(env);
  return hm_credential_find(HM_STR("token"), hm_str_c(env), &found) ||
      (odd && strlen(env) > NAME_MAX);
}

int hm_check_base_url(hm_arena *a, const char *url, const char *what, hm_str *out, hm_err *err) {
  hm_str s = hm_str_trim(hm_str_c(url));
  *out = s;
  if (!s.n)
    return 0;
  bool http = hm_str_starts(s, "http://") || hm_str_starts(s, "https://");
  if (!http || !hm_url_is_safe(s) || memchr(s.p, '?', s.n) || memchr(s.p, '#', s.n))
    return hm_fail(err, HM_E_USAGE, what, "not an address of a folder on the web",
                   "write it as https://host/path/");
  *out = hm_str_fmt(a, "%.*s%s", HM_FMT(s), hm_str_ends(s, "/") ? "" : "/");
  return 0;
}

int hm_check_branch(const char *branch, const char *what, hm_err *err) {
  static const char allowed[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-";
  const char *framed_by[] = { "..", "//", "/.", ".lock" };
  size_t n = strlen(branch);
  bool ok = n > 0 && n <= 100 && !strchr("-/.", branch[0]) && !strchr("/.", branch[n - 1]) &&
      strspn(branch, allowed) == n && strcmp(branch, "HEAD") != 0;
  for (size_t i = 0; i < HM_COUNT(framed_by); i++)
    ok = ok && !strstr(branch, framed_by[i]);
  return ok ? 0
            : hm_failf(err, HM_E_USAGE, what, "use letters, digits and . _ / -",
                       "'%.60s' is no name for a branch", branch);
}

int hm_check_threads(const char *given, const char *what, int *out, hm_err *err) {
  char *end;
  errno = 0;
  long n = hm_is_digit(given[0]) ? strtol(given, &end, 10) : -1;
  if (n < 0 || n > 256 || errno || *end)
    return hm_failf(err, HM_E_USAGE, what, "give 1 to 256, or 0 for one a core",
                    "'%.40s' is no number of threads", given);
  *out = (int)n;
  return 0;
}

int hm_check_push_remote(const char *remote, const char *what, hm_err *err) {
  static const char fix[] = "write origin, ../mirror.git or https://host/mirror.git";
  for (const char *p = remote; *p; p++)
    if ((unsigned char)*p <= 0x20 || *p == 0x7f || *remote == '-')
      return hm_fail(err, HM_E_USAGE, what, "not the name or the address of a remote", fix);
  return *remote ? 0 : hm_fail(err, HM_E_USAGE, what, "empty", fix);
}

int hm_check_push_timeout(const char *given, const char *what, int *out, hm_err *err) {
  char *end;
  long n = strtol(given, &end, 10);
  if (end == given || *end || n < 1 || n > 3600)
    return hm_fail(err, HM_E_USAGE, what, "not a number of seconds from 1 to 3600", NULL);
  *out = (int)n;
  return 0;
}

/* --- sources --------------------------------------------------------------------------- */

int hm_config_read_sources(hm_arena *a, const hm_yaml *y, hm_config *c, hm_err *err) {
  const hm_yaml_value *given = hm_yaml_find_value(y, "sources");
  c->n_sources = given ? given->count : 0;
  c->sources = hm_alloc_array(a, c->n_sources + 1, sizeof *c->sources);
  hm_str *additions = hm_alloc_array(a, c->n_sources + 1, sizeof *additions);
  for (size_t i = 0; i < c->n_sources; i++) {
    const char *key = hm_str_fmt(a, "sources[%zu].complete", i).p,
               *name_key = hm_str_fmt(a, "sources[%zu].name", i).p;
    hm_str complete = hm_yaml_find_value(y, key)->text,
           name = hm_yaml_find_value(y, name_key)->text;
    bool is = hm_str_is(complete, "true");
    if (!is && !hm_str_is(complete, "false"))
      return hm_yaml_fail(
          a, y, key, "neither true nor false",
          "true: what it does not name any more has ended; false: it has additions only", err);
    for (size_t k = 0; k < i; k++)
      if (hm_str_eq(c->sources[k].name, name))
        return hm_yaml_fail(a, y, name_key, "the name of an earlier one", "name each source once",
                            err);
    c->sources[i] = (hm_source_config){ name, is };
    if (!is)
      additions[c->rules.n_additions++] = name;
  }
  c->rules.additions = additions;
  return 0;
}

const hm_source_config *hm_config_source(const hm_config *c, hm_str source) {
  for (size_t i = 0; i < c->n_sources; i++)
    if (hm_source_is_named(source, c->sources[i].name))
      return &c->sources[i];
  return NULL;
}

/* --- names of files: pages.ascii ---------------------------------------------------------- */

int hm_config_read_script(hm_arena *a, const hm_yaml *y, hm_slug_script *out, hm_err *err) {
  static const struct {
    const char *word;
    hm_slug_script script;
  } scripts[] = { { "true", HM_SLUG_ASCII }, { "latin", HM_SLUG_LATIN }, { "false", HM_SLUG_OWN } };
  const hm_yaml_value *v = hm_yaml_find_value(y, "pages.ascii");
  *out = HM_SLUG_ASCII;
  for (size_t i = 0; v && v->text.n && i < HM_COUNT(scripts); i++) {
    *out = scripts[i].script;
    if (hm_str_is(v->text, scripts[i].word))
      return 0;
  }
  return v && v->text.n ? hm_yaml_fail(a, y, "pages.ascii", "neither true, false nor latin",
                                       "write true, false or latin", err)
                        : 0;
}

/* --- the house: extra_css, extra_head, logo, colours ------------------------------------ */

/* The custom properties of themes/default/style.css that are colours; sorted. */
static const char *const colour_names[] = { "accent", "alert", "alert-line", "alert-paper",
                                            "ink",    "line",  "link",       "paper",
                                            "quiet",  "sheet", "stripe",     "visited" };

typedef struct {
  hm_arena *a;
  const hm_yaml *yaml;
  hm_err *err;
} house_reader;

static int bad(const house_reader *r, const char *key, const char *why, const char *fix) {
  return hm_yaml_fail(r->a, r->yaml, key, why, fix, r->err);
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
  for (size_t i = 0; endings[i]; i++)
    if (hm_str_ends(name, endings[i]))
      return 0;
  return bad(r, key, "not a file of that kind", fix);
}

/* One file, or NULL where none is named. */
static int read_file(const house_reader *r, const char *key, const char *const *endings,
                     const char *fix, const char **out) {
  const hm_yaml_value *v = hm_yaml_find_value(r->yaml, key);
  *out = v && v->text.n ? v->text.p : NULL;
  return *out ? check_file(r, key, v->text, endings, fix) : 0;
}

static int read_css(const house_reader *r, hm_house_config *out) {
  static const char *const endings[] = { ".css", NULL };
  const hm_yaml_value *v = hm_yaml_find_value(r->yaml, "extra_css");
  out->n_css = v ? v->count : 0;
  out->css = hm_alloc_array(r->a, out->n_css + 1, sizeof *out->css);
  for (size_t i = 0; i < out->n_css; i++) {
    const hm_yaml_value *e = &v[1 + i];
    out->css[i] = e->text.p;
    if (check_file(r, e->path, e->text, endings, "write brand.css or style/brand.css"))
      return -1;
  }
  return 0;
}

static const char *nth_colour(void *ctx, size_t i) {
  (void)ctx;
  return i < HM_COUNT(colour_names) ? colour_names[i] : NULL;
}

static bool is_colour(hm_str s) {
  if (!hm_str_starts(s, "#") || (s.n != 4 && s.n != 7))
    return false;
  return strspn(s.p + 1, "0123456789abcdefABCDEF") >= s.n - 1;
}

static int read_colour(const house_reader *r, const hm_yaml_value *e, hm_colour *out) {
  static const char fix[] = "write \"#14586e\" in quotes; a second one is that of dark mode";
  const char *name = e->path + strlen("colours.");
  size_t i = 0;
  while (i < HM_COUNT(colour_names) && strcmp(colour_names[i], name) != 0)
    i++;
  if (i == HM_COUNT(colour_names)) {
    const char *near = hm_find_nearest_word(name, nth_colour, NULL);
    return bad(r, e->path, "the theme has no such colour",
               near ? hm_str_fmt(r->a, "did you mean '%s'?", near).p
                    : "see hmirror-config(5) for their names");
  }
  hm_str text = hm_str_trim(e->text);
  size_t n = strcspn(text.p, " ");
  hm_str light = hm_str_sub(text, 0, n < text.n ? n : text.n),
         dark = hm_str_trim(hm_str_sub(text, light.n, text.n));
  if (!dark.n)
    dark = light;
  if (!is_colour(light) || !is_colour(dark))
    return bad(r, e->path, "not a colour", fix);
  *out = (hm_colour){ name, hm_str_z(r->a, light), hm_str_z(r->a, dark) };
  return 0;
}

static int read_colours(const house_reader *r, hm_house_config *out) {
  const hm_yaml_value *v = hm_yaml_find_value(r->yaml, "colours");
  out->n_colours = v ? v->count : 0;
  out->colours = hm_alloc_array(r->a, out->n_colours + 1, sizeof *out->colours);
  for (size_t i = 0; i < out->n_colours; i++)
    if (read_colour(r, &v[1 + i], &out->colours[i]))
      return -1;
  return 0;
}

int hm_config_read_house(hm_arena *a, const hm_yaml *y, const char *folder, hm_config *out,
                         hm_err *err) {
  static const char *const html[] = { ".html", NULL };
  static const char *const images[] = { ".svg", ".png",  ".jpg",  ".jpeg",
                                        ".gif", ".webp", ".avif", NULL };
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

/* --- what commits prove: publish.sign to publish.journal -------------------------------- */

static const char *text_at(const hm_yaml *y, const char *key) {
  const hm_yaml_value *v = hm_yaml_find_value(y, key);
  return v && v->text.n ? v->text.p : NULL;
}

/* The end of a fingerprint may be the end of another key's, too: only a whole one counts. */
static bool read_fingerprint(hm_str text, hm_arena *a, hm_str *out) {
  enum { V4 = 40, V5 = 64 };
  char *p = hm_alloc(a, text.n + 1);
  size_t n = 0;
  text = hm_str_trim(text);
  for (size_t i = hm_str_starts(text, "0x") ? 2 : 0; i < text.n; i++) {
    if (text.p[i] == ' ')
      continue;
    if (!hm_is_hex(text.p[i]))
      return false;
    p[n++] = hm_ascii_upper(text.p[i]);
  }
  *out = (hm_str){ p, n };
  return n == V4 || n == V5;
}

static int read_allowed_keys(hm_arena *a, const hm_yaml *y, hm_config *out, hm_err *err) {
  static const char key[] = "publish.allowed_keys";
  const hm_yaml_value *v = hm_yaml_find_value(y, key);
  out->n_allowed_keys = v ? v->count : 0;
  out->allowed_keys = hm_alloc_array(a, out->n_allowed_keys + 1, sizeof *out->allowed_keys);
  for (size_t i = 0; i < out->n_allowed_keys; i++)
    if (!read_fingerprint(v[1 + i].text, a, &out->allowed_keys[i]))
      return hm_yaml_fail(a, y, hm_str_fmt(a, "%s[%zu]", key, i).p, "not the fingerprint of a key",
                          "write all 40 hex digits, as 'gpg --fingerprint' shows them", err);
  return 0;
}

static int read_journal(hm_arena *a, const hm_yaml *y, hm_config *out, hm_err *err) {
  static const char key[] = "publish.journal";
  const hm_yaml_value *v = hm_yaml_find_value(y, key);
  out->journal = v && hm_str_is(v->text, "true");
  if (!v || !v->text.n || out->journal || hm_str_is(v->text, "false"))
    return 0;
  return hm_yaml_fail(a, y, key, "neither true nor false", "write true or false", err);
}

/* What stands for a path and a line is as safe as "x" is. */
int hm_config_read_source_url(hm_arena *a, const hm_yaml *y, hm_config *out, hm_err *err) {
  static const char key[] = "source_url";
  hm_str s = hm_str_trim(hm_str_c(text_at(y, key)));
  bool http = hm_str_starts(s, "https://") || hm_str_starts(s, "http://");
  ptrdiff_t path = hm_str_find(s, "{path}");
  hm_str plain = HM_CAT(a, hm_str_sub(s, 0, path < 0 ? 0 : (size_t)path), HM_STR("x"));
  out->source_url = s;
  if (!s.n || (http && path > 0 && hm_url_is_safe(plain)))
    return 0;
  return hm_yaml_fail(a, y, key, "not an address on the web with {path} in it",
                      "write it as https://host/team/repo/blob/main/{path}#L{line}", err);
}

int hm_config_read_sign(hm_arena *a, const hm_yaml *y, const char *folder, hm_config *out,
                        hm_err *err) {
  static const char key[] = "publish.sign_key";
  const char *sign = text_at(y, "publish.sign"), *with = text_at(y, key),
             *allowed = text_at(y, "publish.allowed_signers");
  hm_sign_kind kind;
  out->sign = sign ? sign : "off";
  if (!hm_sign_kind_parse(out->sign, &kind))
    return hm_yaml_fail(a, y, "publish.sign", "no such kind", "write off, ssh or openpgp", err);
  if (with && (with[0] == '-' || strpbrk(with, "\n\r")))
    return hm_yaml_fail(a, y, key, "not a key", "name a key file, or a user id of gpg", err);
  bool is_file = with && kind != HM_SIGN_OPENPGP;
  out->sign_key = is_file ? hm_path_join(a, folder, with) : with;
  out->allowed_signers = allowed ? hm_path_join(a, folder, allowed) : NULL;
  return read_allowed_keys(a, y, out, err) || read_journal(a, y, out, err) ? -1 : 0;
}

/* --- which texts tell a story, what families values have -------------------------------- */

enum { GAP_MAX = 7 * 24 * 60 };

/* "episodic", "Decision.note": folded, a point between. */
static int read_types(hm_arena *a, const hm_yaml *y, hm_story *story, hm_err *err) {
  const hm_yaml_value *v = hm_yaml_find_value(y, "story.types");
  size_t n = v ? v->count : 0;
  hm_str *types = hm_alloc_array(a, n, sizeof *types);
  for (size_t i = 0; i < n; i++) {
    hm_str text = v[1 + i].text;
    ptrdiff_t point = hm_str_find(text, ".");
    hm_str type = hm_str_trim(point < 0 ? text : hm_str_sub(text, 0, (size_t)point));
    hm_str key = hm_entity_type_key(a, type), field = HM_EMPTY;
    if (point >= 0)
      field = hm_text_fold_name(a, hm_str_sub(text, (size_t)point + 1, text.n));
    if (!key.n || (point >= 0 && !field.n))
      return hm_yaml_fail(
          a, y, v[1 + i].path, "names no type, or no field of one",
          "write a memory type, as episodic, or a field of entities, as Decision.note", err);
    types[i] = point < 0 ? hm_str_fmt(a, "%.*s", HM_FMT(type)) : HM_CAT(a, key, HM_STR("."), field);
    for (char *p = (char *)types[i].p; point < 0 && p < types[i].p + types[i].n; p++)
      *p = hm_ascii_lower(*p);
  }
  hm_strs_sort(types, n);
  story->types = types;
  story->n_types = n;
  return 0;
}

/* "REST|RESTful, GraphQL", values with a comma between, spellings of one with a bar, as in
 * hm_family: "rest|restful graphql". */
static hm_str read_values(hm_arena *a, hm_str text) {
  hm_buf b = { 0 };
  char sign = 0;
  for (size_t from = 0, to; from < text.n; from = to + 1) {
    for (to = from; to < text.n && text.p[to] != ',' && text.p[to] != '|';)
      to++;
    hm_str name = hm_text_fold_name(a, hm_str_sub(text, from, to));
    if (name.n && b.n)
      hm_buf_ch(&b, sign);
    hm_buf_str(&b, name);
    if (name.n)
      sign = '|';
    if (to < text.n && text.p[to] == ',')
      sign = ' ';
  }
  return hm_buf_take(&b, a);
}

/* A family of a shipped one's name takes its place; "+ X, Y" adds to it. */
static int read_families(hm_arena *a, const hm_yaml *y, hm_story *story, hm_err *err) {
  static const char key[] = "story.families";
  const hm_yaml_value *given = hm_yaml_find_value(y, key);
  const hm_families *shipped = hm_families_shipped();
  if (!given || !given->count)
    return 0;
  hm_family *all = hm_alloc_array(a, shipped->n + given->count, sizeof *all);
  size_t n = shipped->n;
  memcpy(all, shipped->families, n * sizeof *all);
  for (size_t i = 0; i < given->count; i++) {
    const hm_yaml_value *e = &given[1 + i];
    hm_str name = hm_text_fold_name(a, hm_str_c(e->path + sizeof key)), text = hm_str_trim(e->text);
    bool adds = text.n && text.p[0] == '+';
    size_t at = 0;
    hm_str values = read_values(a, adds ? hm_str_sub(text, 1, text.n) : text);
    if (!name.n || !values.n)
      return hm_yaml_fail(a, y, e->path, "a family without a name or without values",
                          "write it as \"database: Postgres|PostgreSQL, MySQL\"", err);
    while (at < n && !hm_str_is(name, all[at].name))
      at++;
    if (at < n && adds)
      values = HM_CAT(a, hm_str_c(all[at].values), HM_STR(" "), values);
    if (at == n)
      all[n++] = (hm_family){ .name = hm_str_z(a, name) };
    all[at].values = hm_str_z(a, values);
  }
  hm_families *f = hm_alloc(a, sizeof *f);
  *f = (hm_families){ .families = all, .n = n };
  story->families = f;
  return 0;
}

int hm_config_read_story(hm_arena *a, const hm_yaml *y, hm_rules *rules, hm_err *err) {
  const hm_yaml_value *gap = hm_yaml_find_value(y, "story.session_gap"),
                      *compare = hm_yaml_find_value(y, "story.compare");
  hm_story *story = hm_alloc(a, sizeof *story);
  *story = (hm_story){ .gap = HM_SESSION_GAP };
  if (gap && strtoul(gap->text.p, NULL, 10) > GAP_MAX)
    return hm_yaml_fail(a, y, "story.session_gap", "out of range", "give 0 to 10080 minutes", err);
  if (gap)
    story->gap = (int)strtoul(gap->text.p, NULL, 10) * 60;
  if (compare && !hm_str_is(compare->text, "on") && !hm_str_is(compare->text, "off") &&
      !hm_str_is(compare->text, "true") && !hm_str_is(compare->text, "false"))
    return hm_yaml_fail(a, y, "story.compare", "neither on nor off", "write on or off", err);
  story->never_compare =
      compare && (hm_str_is(compare->text, "off") || hm_str_is(compare->text, "false"));
  if (read_types(a, y, story, err) || read_families(a, y, story, err))
    return -1;
  if (story->n_types || story->families || story->never_compare || story->gap != HM_SESSION_GAP)
    rules->story = story;
  return 0;
}
