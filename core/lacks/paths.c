/* Files that a document points to and the tree has not: links, drawings of folders, the text of the
 * license. Where one cannot be sure nothing is said: the tree is not known whole (hm_tree_files),
 * the path may be made by a build, be ignored, or be somebody's example. Files that are only named:
 * moved.c. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/lacks/lacks_impl.h"

/* --- links -------------------------------------------------------------------------------------
 */

/* Is it a name that nearly every folder has? */
static bool is_index_name(hm_str name, hm_arena *a) {
  return note_word_in(note_lower(name, a), "index.md|readme.md");
}

/* The outermost folder of the path that is not there: of ten links into a folder that is gone all
 * ten say one thing. The path where that is there, or one file of its name is elsewhere. */
static hm_str outermost_lack(const note_path_reader *r, hm_str path) {
  size_t n;
  hm_str name = hm_str_behind_last(path, '/');
  hm_tree_files_named(r->in, name, &n);
  bool elsewhere = n == 1 && !is_index_name(name, r->a);
  for (size_t i = 1; !elsewhere && i < path.n; i++)
    if (path.p[i] == '/' && hm_tree_files_ask(r->in, hm_str_sub(path, 0, i)) == HM_TREE_LACKS)
      return hm_str_sub(path, 0, i);
  return path;
}

/* The text of a URL: "%20" is a blank. False: it holds what no name of a file does. */
static bool decode(hm_str url, hm_str *out, hm_arena *a) {
  static const char digits[] = "0123456789abcdef";
  hm_buf b = { 0 };
  for (size_t i = 0; i < url.n; i++) {
    const char *high = NULL, *low = NULL;
    if (url.p[i] == '%' && i + 2 < url.n && url.p[i + 1] && url.p[i + 2]) {
      high = strchr(digits, hm_ascii_lower(url.p[i + 1]));
      low = strchr(digits, hm_ascii_lower(url.p[i + 2]));
    }
    hm_buf_ch(&b, high && low ? (char)((high - digits) * 16 + (low - digits)) : url.p[i]);
    i += high && low ? 2 : 0;
  }
  *out = hm_buf_take(&b, a);
  bool fits = hm_text_valid_prefix(*out) == out->n;
  for (size_t i = 0; fits && i < out->n;)
    fits = !hm_cp_is_hidden(hm_text_next(*out, &i));
  return fits;
}

static bool has_sign(hm_str s, const char *signs) {
  for (size_t i = 0; i < s.n; i++)
    if (strchr(signs, s.p[i])) /* also NUL */
      return true;
  return false;
}

/* Does it lead out of the document's folder into one that is nowhere? A site may lay it beside. */
static bool leads_beside(const note_path_reader *r, hm_str url, hm_str path) {
  const char *slash = memchr(path.p, '/', path.n);
  return slash && !r->agents && hm_str_starts(url, "../") &&
      hm_tree_files_ask(r->in, hm_str_sub(path, 0, (size_t)(slash - path.p))) == HM_TREE_LACKS;
}

/* Is it a link of a page of Docusaurus or docsify, which begins at a folder around it, too? The
 * configuration lies beside the folder "docs", in it, or beside one around it. */
static bool is_from_site(const note_path_reader *r, hm_str url) {
  static const char *const names[] = { "docusaurus.config.js", "docusaurus.config.mjs",
                                       "docusaurus.config.ts", "siteConfig.js", "_sidebar.md" };
  bool site = false;
  hm_str at;
  if (url.p[0] == '.')
    return false;
  for (size_t i = 0, n; i < HM_COUNT(names) && !site; i++) {
    const hm_str *v = hm_tree_files_named(r->in, hm_str_c(names[i]), &n);
    for (size_t k = 0; k < n && !site; k++) {
      hm_str around = hm_tree_folder(hm_tree_folder(v[k]));
      site = !around.n || hm_tree_lies_in(r->folder, around);
    }
  }
  for (hm_str f = hm_tree_folder(r->folder); site && f.n; f = hm_tree_folder(f)) {
    bool docs = hm_str_is(hm_str_behind_last(f, '/'), "docs") || hm_str_starts(f, "docs/") ||
        hm_str_find(f, "/docs/") >= 0;
    if (docs && note_path_resolve(f, url, &at, r->a) && hm_tree_files_ask(r->in, at) == HM_TREE_HAS)
      return true;
  }
  return false;
}

/* Is it a document, a program, a setting, data or a picture? HTML, and what programs give a known
 * name, is made by a build. */
static bool is_kept(hm_str path, hm_arena *a) {
  static const char suffixes[] = "conf|csv|gif|hcl|ini|jpeg|jpg|json|pdf|png|svg|toml|tpl|txt|webp|"
                                 "xlsx|xml|yaml|yml";
  static const char made[] = "coverage.svg|coverage.xml|feed.xml|openapi.json|openapi.yaml|"
                             "report.json|sitemap.xml|swagger.json";
  hm_str name = note_lower(hm_str_behind_last(path, '/'), a);
  hm_str suffix = hm_str_behind_last(name, '.');
  return note_path_is_readable(path) ||
      (suffix.n < name.n && note_word_in(suffix, suffixes) && !note_word_in(name, made));
}

/* Does a site find the file in a folder of its own, "static/img/a.png" by "img/a.png"? */
static bool is_of_site(const note_path_reader *r, hm_str url) {
  static const char folders[] = "assets|attachments|public|resources|static";
  size_t n;
  const hm_str *same = hm_tree_files_named(r->in, hm_str_behind_last(url, '/'), &n);
  while (hm_str_starts(url, "./") || hm_str_starts(url, "../"))
    url = hm_str_sub(url, hm_str_starts(url, "./") ? 2 : 3, url.n);
  const char *end = hm_str_z(r->a, HM_CAT(r->a, HM_STR("/"), url));
  for (size_t i = 0; i < n; i++)
    if (hm_str_ends(same[i], end) && note_path_has_word(same[i], folders, r->a))
      return true;
  return false;
}

/* Is it there from where a site lays the page: in a folder of its name, or, below "source", beside
 * that? Or what it is made of, "a.conf.in"? */
static bool is_laid(const note_path_reader *r, hm_str url, hm_str path) {
  hm_str page = note_path_stem(hm_str_behind_last(r->path, '/')), at;
  hm_str own = r->folder.n ? HM_CAT(r->a, r->folder, HM_STR("/"), page) : page;
  bool source = note_word_in(hm_str_behind_last(r->folder, '/'), "source|src");
  return (note_path_resolve(own, url, &at, r->a) && hm_tree_files_ask(r->in, at) == HM_TREE_HAS) ||
      (source && note_path_resolve(hm_tree_folder(r->folder), url, &at, r->a) &&
       hm_tree_files_ask(r->in, at) == HM_TREE_HAS) ||
      hm_tree_files_ask(r->in, HM_CAT(r->a, path, HM_STR(".in"))) == HM_TREE_HAS;
}

/* Does the link lead nowhere? */
static bool is_broken(const note_path_reader *r, hm_str url, hm_str *path) {
  hm_str from_top;
  /* "@site/static/a.png", "~assets/a.png": names that a site resolves */
  bool named = url.n && strchr("/@~", url.p[0]);
  if (!url.n || url.n > NOTE_PATH_LENGTH || named || has_sign(url, ":*<>{}$|\\") ||
      note_path_is_numbered(hm_str_behind_last(url, '/'), r->a) || !decode(url, &url, r->a) ||
      !is_kept(url, r->a) || !note_path_resolve(r->folder, url, path, r->a) ||
      note_path_is_made(*path, r->a) || hm_str_find(*path, ".html.") >= 0)
    return false;
  if (r->agents && note_path_resolve(HM_EMPTY, url, &from_top, r->a) &&
      hm_tree_files_ask(r->in, from_top) != HM_TREE_LACKS)
    return false;
  if (leads_beside(r, url, *path) || is_from_site(r, url) ||
      (!note_path_is_readable(url) && (is_of_site(r, url) || is_laid(r, url, *path))))
    return false;
  size_t elsewhere = 0;
  bool sample = r->rules && !memchr(url.p, '/', url.n) && !is_index_name(url, r->a);
  if (sample)
    hm_tree_files_named(r->in, url, &elsewhere);
  if (elsewhere)
    return false;
  /* a site makes one page of both */
  bool page = hm_str_ends(*path, ".md") &&
      hm_tree_files_ask(r->in, HM_CAT(r->a, *path, HM_STR("x"))) == HM_TREE_HAS;
  return !page && hm_tree_files_ask(r->in, *path) == HM_TREE_LACKS;
}

/* Is it surely a path: "./plans", "plans/", or one whose first folder is there? "issues/new" is a
 * page of the git host. */
static bool leads_into_tree(const note_path_reader *r, hm_str url) {
  static const char pages[] = "actions|blob|branches|commit|commits|compare|discussions|issues|"
                              "projects|pull|pulls|raw|releases|security|settings|tags|tree|wiki";
  hm_str at, first = url;
  const char *slash = memchr(url.p, '/', url.n);
  first.n = slash ? (size_t)(slash - url.p) : 0;
  if (!first.n || hm_str_is(first, "..") || note_word_in(first, pages))
    return false;
  return hm_str_is(first, ".") || hm_str_ends(url, "/") ||
      (note_path_resolve(r->folder, first, &at, r->a) &&
       hm_tree_files_ask(r->in, at) == HM_TREE_HAS);
}

/* Is a page there of which a site makes the path? */
static bool is_page_there(const note_path_reader *r, hm_str path) {
  static const char *const ends[] = { ".adoc", ".html", ".ipynb",      ".md",       ".mdx",
                                      ".rst",  ".txt",  "/index.html", "/index.md", "/index.mdx" };
  for (size_t i = 0; i < HM_COUNT(ends); i++)
    if (hm_tree_files_ask(r->in, HM_CAT(r->a, path, hm_str_c(ends[i]))) == HM_TREE_HAS)
      return true;
  return false;
}

/* Is it a link to a folder, "[src/data](./src/data)", which is not there? Only where its text is
 * its address, or it stands in a README.md and is surely a path: others may be pages that a site
 * makes. said: the whole text, which may say that it is made. */
static bool is_broken_folder(const note_path_reader *r, hm_str said, hm_str text, hm_str url,
                             hm_str *path) {
  if (!url.n || (!r->readme && !memchr(url.p, '/', url.n))) /* a page of a site beside this one */
    return false;
  bool any = r->readme && leads_into_tree(r, url);
  hm_str *both[] = { &text, &url };
  for (size_t i = 0; i < HM_COUNT(both); i++) {
    size_t from = hm_str_starts(*both[i], "./") ? 2 : 0;
    *both[i] = hm_str_sub(*both[i], from, both[i]->n - hm_str_ends(*both[i], "/"));
  }
  hm_str top;
  if (r->agents && note_path_resolve(HM_EMPTY, url, &top, r->a) &&
      hm_tree_files_ask(r->in, top) != HM_TREE_LACKS)
    return false;
  bool broken = url.n && url.n <= NOTE_PATH_LENGTH && (any || hm_str_eq(text, url)) &&
      url.p[0] != '/' && !has_sign(url, ".:*<>{}$|\\%") &&
      note_path_resolve(r->folder, url, path, r->a) &&
      !note_path_is_made(HM_CAT(r->a, *path, HM_STR("/")), r->a) &&
      hm_tree_files_ask(r->in, *path) == HM_TREE_LACKS && !is_page_there(r, *path);
  note_words w = note_split(broken ? said : HM_EMPTY, r->a);
  return broken && !note_any_word_in(&w, "creates|downloads|ignore|installs|never|not");
}

/* Stands byte `at` between quotation marks, as in "(e.g., "See [Install](install.md)")"? */
static bool is_in_quotes(hm_str text, size_t at) {
  bool inside = false;
  for (size_t i = 0; i < at; i++)
    inside ^= text.p[i] == '"';
  return inside && memchr(text.p + at, '"', text.n - at);
}

/* A link to what is to come, or to a program, is followed only from what speaks of now. */
static void read_links(note_path_reader *r, uint32_t part, hm_str text, const hm_doc_span *spans,
                       uint32_t n) {
  static const char comes[] = "add|build|create|implement|new|removed|will|would|write";
  static const char makes[] = "creates|generates|like|output|outputs|writes";
  note_words w = note_split(n ? text : HM_EMPTY, r->a);
  bool follow = !note_any_word_in(&w, comes), made = note_any_word_in(&w, makes);
  for (uint32_t i = 0; i < n && !note_path_is_full(r->out, part); i++) {
    hm_str url = spans[i].url, path;
    bool gap = hm_str_find(url, "path/to/") >= 0 || note_path_has_word(url, "filename", r->a);
    if (spans[i].mark != HM_DOC_LINK || gap || is_in_quotes(text, spans[i].from))
      continue;
    for (size_t k = 0; k < url.n; k++)
      if (url.p[k] == '#' || url.p[k] == '?')
        url.n = k;
    if ((is_broken(r, url, &path) && !(made && !note_path_is_readable(url))) ||
        is_broken_folder(r, text, hm_str_sub(text, spans[i].from, spans[i].to), url, &path))
      note_path_add(r, part, path, outermost_lack(r, path), follow && !hm_tree_is_source(path));
  }
}

/* --- drawings ----------------------------------------------------------------------------------
 */

/* The path of the entry, from where the drawing begins, without the first line of it where
 * `without`; empty: nobody knows. */
static hm_str path_of(const note_path_reader *r, const note_drawn *v, size_t i, bool without) {
  hm_str path = v[i].name;
  while (v[i].above != SIZE_MAX && path.n) {
    i = v[i].above;
    if (!v[i].drawn && (without || hm_str_is(v[i].name, ".")))
      break;
    path = v[i].name.n ? HM_CAT(r->a, v[i].name, HM_STR("/"), path) : HM_EMPTY;
  }
  return path;
}

/* Does the entry stand below the first line of the block, or has that no root? */
static bool is_of_first(const note_drawn *v, size_t i) {
  while (v[i].above != SIZE_MAX)
    i = v[i].above;
  return !i || v[0].drawn;
}

/* How many of the entries are there, where it begins in `base`; *n_known: of how many. */
static size_t count_there(const note_path_reader *r, const note_drawn *v, size_t n, hm_str base,
                          bool without, size_t *n_known) {
  size_t there = 0;
  *n_known = 0;
  for (size_t i = 0; i < n; i++) {
    hm_str at, path = v[i].drawn ? path_of(r, v, i, without) : HM_EMPTY;
    if (!path.n || !note_path_resolve(base, path, &at, r->a))
      continue;
    hm_tree_presence is = hm_tree_files_ask(r->in, at);
    there += is == HM_TREE_HAS;
    *n_known += is != HM_TREE_UNSURE;
  }
  return there;
}

static bool is_drawn_doubtful(const note_path_reader *r, hm_str comment) {
  static const char doubts[] =
      "auto|auto-created|auto-generated|autogenerated|created|example|generated|gitignored|"
      "ignored|legacy|local|milestone|new|not|optional|output|phase|will|your";
  note_words w = note_split(comment, r->a);
  for (size_t i = 0; i < w.n; i++) /* "v0.7.0": when it comes, or came */
    if (hm_char_at(w.w[i].low, 0, 'v') && hm_digit_at(w.w[i].low, 1) &&
        memchr(w.w[i].low.p, '.', w.w[i].low.n))
      return true;
  return note_is_doubtful(comment, r->a) || note_any_word_in(&w, doubts);
}

/* A setting or data by its name; in a hidden folder it may be a user's own. */
static bool is_setting(hm_str path) {
  static const char suffixes[] =
      "cfg|conf|csproj|gradle|html|ini|json|properties|toml|xml|yaml|yml";
  bool hidden = path.p[0] == '.' || hm_str_find(path, "/.") >= 0;
  return note_word_in(hm_str_behind_last(path, '.'), suffixes) &&
      (!hidden || hm_str_starts(path, ".github/"));
}

/* "README.md" of "readme.md": a drawing is no link, which would be dead. */
static bool is_there_in_other_case(const note_path_reader *r, hm_str path) {
  hm_str near = hm_tree_files_nearest(r->in, path, r->a);
  return near.n && hm_str_eq(note_lower(near, r->a), note_lower(path, r->a));
}

/* A drawing of which nearly all is there shows which files are, too; a folder may be empty, or made
 * by whoever runs the program. */
static void read_drawing(note_path_reader *r, uint32_t first) {
  enum { LEAST = 4, SHARE = 3, LACKS = 6, ENTRIES = 400 }; /* a third may be missing */
  note_drawn *v;
  size_t n = note_drawing_read(r->doc, first, &v, r->a), best = 0, known = 0, n_known;
  hm_str base = HM_EMPTY,
         headings = hm_doc_heading_path(r->doc, r->doc->parts[first].heading, r->a);
  bool without = false;
  /* "my-app/": somebody's own, but where the tree is called so */
  hm_str root = n && !v[0].drawn ? v[0].name : HM_EMPTY;
  bool example = root.n && note_path_is_gap(root, r->a) &&
      !hm_str_eq(root, hm_str_behind_last(hm_tree_files_top(r->in), '/')) &&
      hm_tree_files_ask(r->in, root) != HM_TREE_HAS;
  static const char added[] = "\u65B0\u589E|\u65B0\u5EFA"; /* newly added, made */
  /* "Afterwards the project will look so:" */
  static const char times[] =
      "after|become|becomes|before|despu\u00E9s|example|organized|proposed|quedar\u00E1|target|"
      "would";
  if (!n || n > ENTRIES || example || note_is_of_other_time(HM_EMPTY, headings, r->a) ||
      note_has_any(headings, added) ||
      note_says_any(note_lead_of(r->doc, first), HM_EMPTY, times, r->a))
    return;
  for (hm_str b = r->folder;; b = hm_tree_folder(b)) {
    for (int k = 0; k < 2; k++) {
      size_t there = count_there(r, v, n, b, k, &n_known);
      if (there <= best)
        continue;
      best = there;
      known = n_known;
      base = b;
      without = k;
    }
    if (!b.n)
      break;
  }
  if (known < LEAST || (known - best) * SHARE > known || known - best > LACKS)
    return;
  for (size_t i = 0; i < n; i++) {
    bool own = is_of_first(v, i); /* else its root is a folder, and not the project */
    hm_str at, path = v[i].drawn ? path_of(r, v, i, without && own) : HM_EMPTY;
    bool file = !v[i].folder && (note_path_is_readable(path) || is_setting(path));
    if (!path.n || !file || is_drawn_doubtful(r, v[i].comment) || !note_path_is_plain(path, r->a) ||
        !note_path_resolve(base, path, &at, r->a) ||
        note_path_is_made(HM_CAT(r->a, at, HM_STR("/")), r->a) ||
        hm_tree_files_ask(r->in, at) != HM_TREE_LACKS ||
        hm_tree_files_ask(r->in, hm_tree_folder(at)) != HM_TREE_HAS ||
        is_there_in_other_case(r, at))
      continue;
    hm_str other = own ? HM_EMPTY : path_of(r, v, i, true);
    if (!note_path_resolve(HM_EMPTY, other, &other, r->a) ||
        hm_tree_files_ask(r->in, other) != HM_TREE_HAS)
      note_path_add(r, v[i].part, at, at, false);
  }
}

/* --- the license -------------------------------------------------------------------------------
 */

/* "MIT, see the LICENSE file for details". */
static void read_license(note_path_reader *r, uint32_t part, hm_str text) {
  static const char names[] = "licence|licence.md|license|license.md|license.txt";
  static const char sees[] = "check|consult|details|in|read|refer|see";
  hm_str where;
  if (hm_str_find(text, "LICEN") < 0)
    return;
  note_words w = note_split(text, r->a);
  size_t i = 0;
  if (note_any_word_in(&w, "add|adding|each|every|your")) /* "in each component's folder" */
    return;
  while (i + 1 < w.n &&
         !(hm_str_starts(w.w[i].s, "LICEN") && note_word_in(w.w[i].low, names) &&
           hm_str_is(w.w[i + 1].low, "file")))
    i++;
  if (i + 1 < w.n && note_any_word_in(&w, sees) && !hm_tree_files_licensed(r->in, r->folder) &&
      note_path_resolve(r->folder, w.w[i].s, &where, r->a) &&
      hm_tree_files_ask(r->in, where) == HM_TREE_LACKS)
    note_path_add(r, part, where, where, false);
}

/* --- a document ------------------------------------------------------------------------------- */

/* The tree around a document whose words are about it; NULL: it is not known whole, or the document
 * shows how others may do it. *tells: it is no plan and no report. */
static const hm_tree_files *tree_around(const hm_scripts *scripts, hm_str path, bool *tells,
                                        hm_arena *a) {
  static const char plans[] =
      "adr|adrs|archive|artifacts|audit|backlog|decision|decisions|design|designs|draft|drafts|"
      "epic|epics|estudio|history|investigacion|investigation|issues|phase|phases|plan|planning|"
      "plans|prd|prompt|proposal|proposals|propuesta|remaining|report|reports|research|review|"
      "reviews|rfc|rfcs|roadmap|sdd|session|sessions|spec|specs|stories|story|summaries|summary|"
      "task|tasks|todo";
  static const char tongues[] =
      "ar|cn|cs|de|es|fa|fr|i18n|ja|jp|ko|kr|l10n|locale|locales|nl|pl|pt|ru|sv|th|tr|"
      "translations|uk|vi|zh";
  /* what agents fill in; translations, whose site has the other pages from the original */
  bool others = note_path_has_word(hm_tree_folder(path), "workflows", a) ||
      note_path_has_word(hm_tree_folder(path), tongues, a);
  *tells = !note_path_has_word(path, plans, a);
  if (!scripts || !scripts->tree || others || note_is_pattern(path, a) ||
      note_is_test_data(path, a))
    return NULL;
  hm_str folder = hm_scripts_folder(scripts, path, a);
  return folder.n ? hm_tree_files_around(scripts->tree, folder) : NULL;
}

void note_paths_read(note_paths *out, const hm_scripts *scripts, const hm_document *doc,
                     hm_str path, hm_arena *a) {
  note_path_reader r = { .scripts = scripts, .doc = doc, .path = path, .out = out, .a = a };
  bool tells;
  *out = (note_paths){ .n = 0 };
  r.in = tree_around(scripts, path, &tells, a);
  hm_map_init(&r.given, a, 16);
  if (!r.in)
    return;
  bool hidden = path.p[0] == '.' || hm_str_find(path, "/.") >= 0;
  r.readme = hm_str_is(note_lower(hm_str_behind_last(path, '/'), a), "readme.md");
  r.rules = hidden && hm_str_find(path, ".github/") < 0;
  r.agents = note_is_for_agents(path, a) || hidden;
  r.folder = hm_tree_files_below(r.in, hm_scripts_folder(scripts, path, a));
  bool takes = tells && !note_works_elsewhere(&r);
  for (uint32_t i = 0; i < doc->n; i++) {
    const hm_doc_part *p = &doc->parts[i];
    bool begins = p->kind == HM_DOC_CODE && (!i || p[-1].block != p->block);
    if (begins && tells && !p->quoted) {
      read_drawing(&r, i);
      note_moved_read_block(&r, i);
    }
    if (takes && (begins || p->kind != HM_DOC_CODE) && !p->quoted && !p->task)
      note_taken_read(&r, i);
    if (p->quoted || p->task || p->kind == HM_DOC_CODE)
      continue;
    if (note_is_doubtful(p->text, a))
      continue;
    if (p->kind != HM_DOC_HEADING)
      read_license(&r, i, p->text);
    read_links(&r, i, p->text, p->spans, p->n_spans);
    for (uint32_t k = 0; k < p->n_cells; k++)
      read_links(&r, i, p->cells[k].text, p->cells[k].spans, p->cells[k].n_spans);
    if (tells)
      note_moved_read(&r, i);
  }
}
