/* Finds a redacted value outside the store: collects the forms in which files may have it, and
 * searches files for them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/base/slug.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "gen/verbs/redact_search.h"
#include "gen/mirror/changes.h"
#include "core/markdown/escape.h"

typedef void escape_fn(hm_buf *b, hm_str s);

static void json_escape(hm_buf *b, hm_str s) {
  size_t from = b->n;
  hm_json_write_str(b, s);
  memmove(b->p + from, b->p + from + 1, b->n - from - 1); /* without its quotes */
  b->n -= 2;
}

/* As JSON is written now; what a mirror's old commits hold has no escaped directions. */
static void json_escape_all(hm_buf *b, hm_str s) {
  hm_arena *a = hm_arena_new();
  hm_buf one = { 0 };
  json_escape(&one, s);
  hm_buf_str(b, hm_json_escape_directions(a, hm_buf_view(&one)));
  hm_buf_free(&one);
  hm_arena_free(a);
}

/* Where text of a page stands, quotes may be left as they are. */
static void html_text(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] == '&')
      hm_buf_c(b, "&amp;");
    else if (s.p[i] == '<')
      hm_buf_c(b, "&lt;");
    else if (s.p[i] == '>')
      hm_buf_c(b, "&gt;");
    else
      hm_buf_ch(b, s.p[i]);
  }
}

static void html_double(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] == '"')
      hm_buf_c(b, "&quot;");
    else
      html_text(b, hm_str_sub(s, i, i + 1));
}

/* As Markdown was escaped when backslashes were all there was, and addresses stood whole.
 * A mirror keeps its old commits, and what they hold must be found. */
static void md_escape_old(hm_buf *b, hm_str s) {
  static const struct {
    const char *now, *then;
  } forms[] = { { "&lt;", "\\<" }, { "&gt;", "\\>" },    { "&amp;", "\\&" }, { "& ", "\\& " },
                { "`@`", "@" },    { "\\]\\(", "\\](" }, { "\\\\", "\\\\" }, { "\\. ", "\\. " },
                { "\\/", "/" },    { "\\.", "." } };
  hm_buf now = { 0 };
  hm_md_escape(&now, s);
  for (size_t i = 0; i < now.n;) {
    size_t k = 0, n_forms = HM_COUNT(forms);
    hm_str rest = hm_str_sub(hm_buf_view(&now), i, now.n);
    while (k < n_forms && !hm_str_starts(rest, forms[k].now))
      k++;
    if (k < n_forms)
      hm_buf_c(b, forms[k].then), i += strlen(forms[k].now);
    else
      hm_buf_ch(b, now.p[i++]);
  }
  hm_buf_free(&now);
}

/* Of a text that goes on the end is left off: what is escaped there depends on what follows. */
static void add_form(hm_needles *out, hm_str form, bool goes_on, hm_arena *a) {
  enum { UNSURE = 8 };
  if (goes_on && form.n > UNSURE)
    form = hm_text_cut(form, form.n - UNSURE);
  hm_needles_add(out, form, a);
}

/* The text as each kind of file has it. */
static void add_escaped(hm_needles *out, hm_str text, bool goes_on, hm_arena *a) {
  static escape_fn *const escapes[] = { hm_md_escape, md_escape_old, hm_html_escape, html_text,
                                        html_double,  json_escape,   json_escape_all };
  for (size_t i = 0; i < HM_COUNT(escapes); i++) {
    hm_buf b = { 0 };
    escapes[i](&b, text);
    add_form(out, hm_buf_view(&b), goes_on, a);
    hm_buf_free(&b);
  }
}

/* Labels and values that are cut: so many bytes of what a reader sees, and "…". */
static void add_cuts(hm_needles *out, hm_str value, size_t value_limit, hm_arena *a) {
  const size_t cuts[] = { 60, 80, 100, 120, 160, 200, 400, value_limit };
  for (size_t i = 0; i < HM_COUNT(cuts); i++) {
    hm_str clean = hm_clean_text(a, hm_text_cut(value, 8 * cuts[i]));
    if (clean.n <= cuts[i])
      continue;
    hm_str label = HM_CAT(a, hm_str_trim(hm_text_cut(clean, cuts[i])), HM_STR("…"));
    add_escaped(out, label, false, a);
    hm_needles_add(out, hm_commit_message_fact(a, label, label.n), a);
  }
}

/* Messages of earlier versions had the text without '#'. */
static hm_str without_hashes(hm_str s, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] != '#')
      hm_buf_ch(&b, s.p[i]);
  return hm_buf_take(&b, a);
}

static void add_forms(hm_needles *out, hm_str value, size_t value_limit, hm_arena *a) {
  hm_str head = hm_text_cut(value, HM_REDACT_WHOLE), clean = hm_clean_text(a, head),
         name = hm_text_fold_name(a, head), bare = hm_text_strip_name_signs(a, name);
  bool goes_on = head.n < value.n;
  add_form(out, head, goes_on, a);
  add_form(out, clean, goes_on, a);
  add_escaped(out, head, goes_on, a);
  add_escaped(out, clean, goes_on, a);
  add_form(out, hm_commit_message_fact(a, head, 2 * HM_REDACT_WHOLE), goes_on, a);
  if (head.n && memchr(head.p, '#', head.n))
    add_form(out, hm_commit_message_fact(a, without_hashes(head, a), 2 * HM_REDACT_WHOLE), goes_on,
             a);
  add_cuts(out, value, value_limit, a);
  if (hm_url_is_safe(clean)) {
    hm_buf b = { 0 };
    hm_md_escape_url(&b, clean);
    add_form(out, hm_buf_view(&b), goes_on, a);
    hm_buf_clear(&b);
    hm_html_escape_url(&b, clean);
    add_form(out, hm_buf_view(&b), goes_on, a);
    hm_buf_free(&b);
  }
  if (goes_on || name.n < HM_NEEDLE_WHOLE)
    return;
  hm_needles_add(out, name, a);
  if (bare.n < name.n && bare.n >= HM_NEEDLE_WHOLE)
    hm_needles_add(out, bare, a);
  for (hm_slug_script s = HM_SLUG_ASCII; s <= HM_SLUG_OWN; s++) {
    hm_str stem = hm_text_slug(a, head, s);
    hm_needles_add(out, stem, a);
    hm_needles_add(out, hm_path_as_url(a, stem), a);
  }
}

void hm_redact_search_build(const hm_needles *values, size_t value_limit, hm_arena *a,
                            hm_redact_search *out) {
  *out = (hm_redact_search){ 0 };
  hm_redact_collect_forms(values, value_limit, a, &out->forms);
  for (size_t i = 0; i < values->n; i++)
    hm_needles_add(&out->values, hm_text_cut(values->v[i], HM_REDACT_WHOLE), a);
}

void hm_redact_collect_forms(const hm_needles *values, size_t value_limit, hm_arena *a,
                             hm_needles *out) {
  *out = (hm_needles){ .exact = true };
  for (size_t i = 0; i < values->n; i++)
    add_forms(out, values->v[i], value_limit, a);
}

enum { CHUNK = 1 << 20, OVERLAP = 6 * HM_REDACT_WHOLE }; /* what any form is shorter than */

static ssize_t read_chunk(int fd, char *p, size_t n) {
  size_t done = 0;
  while (done < n) {
    ssize_t got = read(fd, p + done, n - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got < 0 ? -1 : (ssize_t)done;
    done += (size_t)got;
  }
  return (ssize_t)done;
}

bool hm_redact_bytes_hold(const hm_redact_search *what, hm_str bytes) {
  return hm_needles_found_in_bytes(&what->forms, bytes) ||
      hm_needles_found_in_bytes(&what->values, bytes);
}

bool hm_redact_file_holds(const char *path, const hm_redact_search *what) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return false;
  bool held = false;
  char *p = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? hm_xmalloc(CHUNK + OVERLAP) : NULL;
  size_t kept = 0;
  for (ssize_t got; p && !held && (got = read_chunk(fd, p + kept, CHUNK)) > 0;) {
    size_t n = kept + (size_t)got;
    held = hm_redact_bytes_hold(what, (hm_str){ p, n });
    kept = n < OVERLAP ? n : OVERLAP;
    memmove(p, p + n - kept, kept);
  }
  free(p);
  close(fd);
  return held;
}

enum { MOST = 1000 };

typedef bool name_test(hm_str name, hm_str base);

static bool is_backup(hm_str name, hm_str base) {
  return hm_str_starts(name, base.p) && hm_str_ends(name, ".bak");
}

static bool is_sibling_file(hm_str name, hm_str base) {
  static const char *const of_sqlite[] = { "", "-wal", "-journal", "-shm" };
  if (!hm_str_starts(name, base.p) || hm_str_ends(name, ".bak"))
    return false;
  for (size_t i = 0; i < HM_COUNT(of_sqlite); i++)
    if (hm_str_is(hm_str_sub(name, base.n, name.n), of_sqlite[i]))
      return false;
  return true;
}

static bool is_any(hm_str name, hm_str base) { return hm_str_starts(name, base.p); }

static size_t search_folder(hm_arena *a, const char *path, name_test *is_chosen,
                            const hm_redact_search *what, hm_str **out) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  hm_str folder = slash ? (hm_str){ path, (size_t)(slash - path) + 1 } : HM_EMPTY;
  size_t n = 0;
  *out = hm_alloc_array(a, MOST, sizeof **out);
  DIR *d = opendir(folder.n ? hm_str_z(a, folder) : ".");
  for (struct dirent *e; d && n < MOST && (e = readdir(d));) {
    hm_str name = hm_str_c(e->d_name);
    if (!is_chosen(name, hm_str_c(base)))
      continue;
    hm_str found = HM_CAT(a, folder, name);
    if (hm_redact_file_holds(found.p, what))
      (*out)[n++] = found;
  }
  if (d)
    closedir(d);
  hm_strs_sort(*out, n);
  return n;
}

size_t hm_redact_find_backups(hm_arena *a, const char *store, const hm_redact_search *what,
                              hm_str **out) {
  return search_folder(a, store, is_backup, what, out);
}

size_t hm_redact_find_files(hm_arena *a, const char *path, bool beside,
                            const hm_redact_search *what, hm_str **out) {
  return search_folder(a, path, beside ? is_sibling_file : is_any, what, out);
}
