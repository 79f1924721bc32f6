/* The part of mirror.yml that says where pages are published, and which. */
#include <stdlib.h>
#include <string.h>
#include "core/base/text.h"
#include "gen/mirror/config_impl.h"

static const hm_str *strings(const hm_reading *r, const hm_raw_list *in, size_t *n) {
  hm_str *v = hm_alloc_array(r->a, in->n + 1, sizeof *v);
  for (unsigned i = 0; i < in->n; i++) v[i] = hm_str_dup(r->a, hm_str_c(in->v[i]));
  *n = in->n;
  return v;
}

static int read_exclude(const hm_reading *r, const hm_raw_exclude *raw) {
  static const hm_raw_exclude none;
  hm_exclude *x = &r->out->exclude;
  if (!raw) raw = &none;
  x->projects = strings(r, &raw->projects, &x->n_projects);
  x->types = strings(r, &raw->types, &x->n_types);
  x->statuses = strings(r, &raw->statuses, &x->n_statuses);
  x->tags = strings(r, &raw->tags, &x->n_tags);
  x->properties = strings(r, &raw->properties, &x->n_properties);
  for (size_t i = 0; i < x->n_statuses; i++)
    if (hm_status_of(x->statuses[i]) == HM_STATUS_OTHER)
      return hm_config_bad(r, hm_str_fmt(r->a, "publish.exclude.statuses[%zu]", i).p,
                           "no such status",
                           "one of candidate, active, superseded, invalid, graduated");
  return 0;
}

/* Paths in the tree of the branch: relative, and inside it. */
static int read_keep(const hm_reading *r, const hm_raw_list *in) {
  r->out->keep = hm_alloc_array(r->a, in->n + 1, sizeof *r->out->keep);
  for (unsigned i = 0; i < in->n; i++) {
    const char *p = hm_str_dup(r->a, hm_str_c(in->v[i])).p;
    hm_str framed = hm_str_fmt(r->a, "/%s/", p);
    if (!*p || *p == '/' || strstr(framed.p, "/../") || strstr(framed.p, "/./") ||
        strstr(framed.p, "/.git/"))
      return hm_config_bad(r, hm_str_fmt(r->a, "publish.keep[%u]", i).p,
                           "not a path inside the branch", "write CNAME or docs/");
    r->out->keep[i] = p;
  }
  r->out->n_keep = in->n;
  return 0;
}

static int read_author(const hm_reading *r, const hm_raw_author *raw) {
  static const hm_raw_author none;
  if (!raw) raw = &none;
  r->out->author_name = hm_config_text(r, raw->name, "hmirror");
  r->out->author_email = hm_config_text(r, raw->email, "hmirror@localhost");
  if (hm_config_one_line(r, "publish.author.name", raw->name) ||
      hm_config_one_line(r, "publish.author.email", raw->email))
    return -1;
  if (strpbrk(r->out->author_name, "<>") || !*r->out->author_name)
    return hm_config_bad(r, "publish.author.name", "git takes no empty name and no < or > in one",
                         NULL);
  if (strpbrk(r->out->author_email, "<> ") || !*r->out->author_email)
    return hm_config_bad(r, "publish.author.email", "not an address", "write it as name@host");
  return 0;
}

static int read_content(const hm_reading *r, const char *pages) {
  static const struct { const char *name; bool markdown, html; } known[] = {
    { "both", true, true }, { "markdown", true, false }, { "html", false, true }
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(pages, known[i].name) != 0) continue;
    r->out->markdown = known[i].markdown;
    r->out->html = known[i].html;
    return 0;
  }
  return hm_config_bad(r, "publish.pages", "no such choice", "write both, markdown or html");
}

int hm_check_push(const char *remote, const char *what, hm_err *err) {
  for (const char *p = remote; *p; p++)
    if ((unsigned char)*p <= 0x20 || *p == 0x7f || *remote == '-')
      return hm_fail(err, HM_E_USAGE, what, "not the name or the address of a remote",
                     "write origin, ../mirror.git or https://host/mirror.git");
  return *remote ? 0
                 : hm_fail(err, HM_E_USAGE, what, "empty",
                           "write origin, ../mirror.git or https://host/mirror.git");
}

int hm_check_push_timeout(const char *text_, const char *what, int *out, hm_err *err) {
  char *end;
  long n = strtol(text_, &end, 10);
  if (end == text_ || *end || n < 1 || n > 3600)
    return hm_fail(err, HM_E_USAGE, what, "not a number of seconds from 1 to 3600", NULL);
  *out = (int)n;
  return 0;
}

static int read_remote(const hm_reading *r, const hm_raw_publish *raw) {
  hm_config *c = r->out;
  bool given = raw->push && *raw->push;
  if (given && hm_check_push(raw->push, hm_config_at(r->a, &r->lines, "publish.push"), r->err))
    return -1;
  if (raw->push_timeout > 3600)
    return hm_config_bad(r, "publish.push_timeout", "not a number of seconds from 1 to 3600", NULL);
  /* A path of this file is taken from its folder, as its other paths are; the name of a remote is
   * not a path. */
  if (given)
    c->push =
        *raw->push == '.' ? hm_config_path(r, raw->push, NULL) : hm_config_text(r, raw->push, NULL);
  c->push_timeout = raw->push_timeout ? (int)raw->push_timeout : 60;
  c->ssh_key = raw->ssh_key && *raw->ssh_key ? hm_config_path(r, raw->ssh_key, NULL) : NULL;
  c->credentials =
      raw->credentials && *raw->credentials ? hm_config_path(r, raw->credentials, NULL) : NULL;
  return 0;
}

static void read_check(const hm_reading *r) {
  static const hm_raw_check none;
  const hm_raw_check *raw = r->raw->check ? r->raw->check : &none;
  r->out->published = strings(r, &raw->published, &r->out->n_published);
}

int hm_config_publish(const hm_reading *r) {
  static const hm_raw_publish none;
  const hm_raw_publish *raw = r->raw->publish ? r->raw->publish : &none;
  hm_config *c = r->out;
  read_check(r);
  c->repo = hm_config_path(r, raw->repo, "mirror.git");
  c->branch = hm_config_text(r, raw->branch, "mirror");
  c->message = hm_str_c(hm_config_text(r, raw->message, ""));
  if (hm_check_branch(c->branch, hm_config_at(r->a, &r->lines, "publish.branch"), r->err))
    return -1;
  if (hm_config_one_line(r, "publish.message", raw->message)) return -1;
  if (read_content(r, hm_config_text(r, raw->pages, "both")) || read_remote(r, raw)) return -1;
  if (read_author(r, raw->author) || read_keep(r, &raw->keep)) return -1;
  return read_exclude(r, raw->exclude);
}
