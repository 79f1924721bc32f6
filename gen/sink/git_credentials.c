/* Credentials for a remote: a token or a line of a file over https, keys over ssh; a secret goes
 * only to the host that the user named. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/ascii.h"
#include "core/base/credential.h"
#include "gen/sink/git_impl.h"

enum { MAX_FILE = 1 << 20 };

/* --- addresses --------------------------------------------------------------- */

typedef struct {
  hm_str scheme, user, password, host;
} address; /* host with its port */

static address read_address(hm_str url) {
  address a = { HM_EMPTY, HM_EMPTY, HM_EMPTY, HM_EMPTY };
  ptrdiff_t sep = hm_str_find(url, "://");
  if (sep < 0)
    return a;
  a.scheme = hm_str_sub(url, 0, (size_t)sep);
  hm_str rest = hm_str_sub(url, (size_t)sep + 3, url.n);
  size_t at = hm_address_user_length(rest), end = at;
  while (end < rest.n && !memchr("/?#", rest.p[end], 3))
    end++;
  a.host = hm_str_sub(rest, at, end);
  if (!at)
    return a;
  a.user = hm_str_sub(rest, 0, at - 1);
  ptrdiff_t colon = hm_str_find(a.user, ":");
  if (colon < 0)
    return a;
  a.password = hm_str_sub(a.user, (size_t)colon + 1, a.user.n);
  a.user = hm_str_sub(a.user, 0, (size_t)colon);
  return a;
}

/* ":443" for a host that has none. */
static const char *port_of(const address *a) {
  if (a->host.p[a->host.n - 1] != ']' && memrchr(a->host.p, ':', a->host.n))
    return "";
  return hm_str_is(a->scheme, "https") ? ":443" : hm_str_is(a->scheme, "http") ? ":80" : "";
}

hm_str hm_remote_host(hm_arena *a, const char *url) {
  char *copy = hm_str_z(a, hm_str_c(url));
  for (char *p = copy; *p; p++)
    *p = hm_ascii_lower(*p);
  address at = read_address(hm_str_c(copy));
  return at.host.n ? HM_CAT(a, at.host, hm_str_c(port_of(&at))) : HM_EMPTY;
}

bool hm_remote_takes_token(const hm_remote_options *opt, hm_str host) {
  hm_str to = opt->token_host;
  bool any_port = to.n && (to.p[to.n - 1] == ']' || !memrchr(to.p, ':', to.n));
  if (any_port && host.n > to.n && host.p[to.n] == ':')
    host.n = to.n;
  return opt->token && to.n && host.n == to.n && strncasecmp(host.p, to.p, to.n) == 0;
}

hm_str hm_remote_hide_password(hm_arena *a, const char *text) {
  return hm_credential_hide(hm_str_c(text), a);
}

static const char *decode_percent(hm_arena *a, hm_str s) {
  char *out = hm_str_z(a, s), *to = out;
  for (const char *p = out; *p; p++) {
    bool pair = p[0] == '%' && hm_is_hex(p[1]) && hm_is_hex(p[2]);
    *to++ = pair ? (char)(hm_hex_value(p[1]) << 4 | hm_hex_value(p[2])) : *p;
    if (pair)
      p += 2;
  }
  *to = 0;
  return out;
}

static bool is_this_machine(hm_str host) {
  static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };
  for (size_t i = 0; i < HM_COUNT(names); i++)
    if (hm_str_starts(host, names[i]) &&
        (host.n == strlen(names[i]) || host.p[strlen(names[i])] == ':'))
      return true;
  return false;
}

/* --- https ------------------------------------------------------------------- */

static bool line_matches(hm_arena *a, hm_str line, const address *r, const char **user,
                         const char **password) {
  address c = read_address(hm_str_trim(line));
  if (!c.password.n || !hm_str_eq(c.scheme, r->scheme) || !hm_str_eq(c.host, r->host))
    return false;
  if (r->user.n && !hm_str_eq(c.user, r->user))
    return false;
  *user = decode_percent(a, c.user);
  *password = decode_percent(a, c.password);
  return true;
}

static bool find_in_file(hm_git_connection *l, const address *r, const char **user,
                         const char **password) {
  hm_str text;
  if (!l->opt->credentials ||
      hm_fs_read_at(AT_FDCWD, l->opt->credentials, MAX_FILE, l->a, &text) != 0)
    return false;
  while (text.n) {
    ptrdiff_t end = hm_str_find(text, "\n");
    hm_str line = end < 0 ? text : hm_str_sub(text, 0, (size_t)end);
    text = hm_str_sub(text, line.n + 1, text.n);
    if (line_matches(l->a, line, r, user, password))
      return true;
  }
  return false;
}

static int refuse_secret(const char *why) {
  git_error_set_str(GIT_ERROR_CALLBACK, why);
  return GIT_EUSER;
}

static int password_credential(git_credential **out, hm_git_connection *l, const char *url) {
  address r = read_address(hm_str_c(url)), named = read_address(hm_str_c(l->url));
  const char *user = "hmirror",
             *password = hm_remote_takes_token(l->opt, l->host) ? l->opt->token : NULL;
  if (l->tried++)
    return refuse_secret("it did not take the user and the password");
  if (!hm_str_eq(hm_remote_host(l->a, url), l->host))
    return refuse_secret("it asks for a password after a redirection to another host");
  if (!hm_str_is(r.scheme, "https") && !is_this_machine(r.host))
    return refuse_secret("it asks for a password, which is not sent over http");
  if (named.user.n)
    user = decode_percent(l->a, named.user);
  if (named.password.n)
    password = decode_percent(l->a, named.password);
  else if (!password && !find_in_file(l, &named, &user, &password))
    return refuse_secret("it asks for a password");
  return git_credential_userpass_plaintext_new(out, user, password);
}

/* --- ssh --------------------------------------------------------------------- */

/* The next key to try after those that were refused, or NULL; "" is the agent. */
static const char *next_key(hm_git_connection *l) {
  static const char *const usual[] = { "id_ed25519", "id_ecdsa", "id_rsa" };
  const char *home = getenv("HOME");
  for (;;) {
    int i = l->tried++;
    if (i == 0 && getenv("SSH_AUTH_SOCK"))
      return "";
    if (i == 1 && l->opt->ssh_key)
      return l->opt->ssh_key;
    if (i < 2)
      continue;
    if (i >= 2 + (int)(sizeof usual / sizeof *usual) || l->opt->ssh_key || !home)
      return NULL;
    const char *path = hm_str_fmt(l->a, "%s/.ssh/%s", home, usual[i - 2]).p;
    if (access(path, R_OK) == 0)
      return path;
  }
}

static int ssh_credential(git_credential **out, hm_git_connection *l, const char *user) {
  const char *path = next_key(l);
  if (!path)
    return refuse_secret("it took none of the keys");
  hm_err err;
  int file = -1;
  if (*path && hm_key_file_open(path, &file, &err))
    return refuse_secret(hm_str_fmt(l->a, "%s: %s", path, err.why).p);
  if (file >= 0)
    close(file);
  return *path ? git_credential_ssh_key_new(out, user, NULL, path, NULL)
               : git_credential_ssh_key_from_agent(out, user);
}

int hm_git_credentials(git_credential **out, const char *url, const char *user, unsigned allowed,
                       void *payload) {
  hm_git_connection *l = payload;
  hm_git_timeout_reset(l->watch);
  if (allowed & GIT_CREDENTIAL_USERNAME)
    return git_credential_username_new(out, user ? user : "git");
  if (allowed & GIT_CREDENTIAL_SSH_KEY)
    return ssh_credential(out, l, user ? user : "git");
  if (allowed & GIT_CREDENTIAL_USERPASS_PLAINTEXT)
    return password_credential(out, l, url);
  return GIT_EUSER;
}
