/* Sends JSON to a server and reads the answer: post.h.
 *
 * The deadline is for the whole request, so a server that sends a byte a second cannot hold it up.
 * An answer over its limit ends the request at once. No redirects, no cookies, no connection that
 * outlives the call. */
#include "core/net/post.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "core/base/credential.h"

enum { WHAT_MAX = 200 };

/* --- the URL --------------------------------------------------------------------- */

int hm_net_check_url(const char *url, const char *what, hm_err *err) {
  hm_str s = hm_str_c(url);
  size_t scheme = hm_str_starts(s, "https://") ? 8 : hm_str_starts(s, "http://") ? 7 : 0;
  static const char fix[] = "write it like https://api.example.org/v1/chat/completions";
  if (!scheme)
    return hm_fail(err, HM_E_USAGE, what, "not an http or https URL", fix);
  for (size_t i = 0; i < s.n; i++)
    if ((unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7f)
      return hm_fail(err, HM_E_USAGE, what, "a URL has no spaces and no control characters", fix);
  size_t host = strcspn(url + scheme, "/?#");
  if (!host)
    return hm_fail(err, HM_E_USAGE, what, "the URL names no server", fix);
  if (memchr(url + scheme, '@', host))
    return hm_fail(err, HM_E_USAGE, what, "a URL here holds no user and no password",
                   "give the key by the environment: key_env in mirror.yml");
  return 0;
}

/* By its usual names alone: what another name stands for, the network says. */
static bool is_this_machine(const char *host) {
  enum { LOOPBACK = 127 };
  char name[64];
  bool bracket = *host == '[';
  size_t n = strcspn(host, bracket ? "]/?#" : ":/?#") + bracket;
  unsigned char v4[4];
  if (n >= sizeof name || (host[n] && !strchr(":/?#", host[n])))
    return false;
  memcpy(name, host, n);
  name[n] = 0;
  return strcasecmp(name, "localhost") == 0 || strcmp(name, "[::1]") == 0 ||
      (inet_pton(AF_INET, name, v4) == 1 && v4[0] == LOOPBACK);
}

bool hm_net_hides_key(const char *url) {
  static const char plain[] = "http://";
  return strncmp(url, plain, sizeof plain - 1) != 0 || is_this_machine(url + sizeof plain - 1);
}

/* --- the request --------------------------------------------------------------------- */

/* One request under way. */
typedef struct {
  const hm_post *post;
  hm_buf body;
  bool too_large, stopped;
} exchange;

static size_t take_bytes(char *bytes, size_t size, size_t n, void *ctx) {
  exchange *x = ctx;
  size_t more = size * n;
  if (more > x->post->answer_max - x->body.n) {
    x->too_large = true;
    return CURL_WRITEFUNC_ERROR;
  }
  hm_buf_add(&x->body, bytes, more);
  return more;
}

static int stop_if_asked(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  exchange *x = ctx;
  (void)a, (void)b, (void)c, (void)d;
  x->stopped = x->post->is_stopped && x->post->is_stopped(x->post->ctx);
  return x->stopped;
}

/* format has one %s: the section of mirror.yml. Returns out, of WHAT_MAX bytes. */
__attribute__((format(printf, 2, 0))) static const char *about(const hm_post *post,
                                                               const char *format, char *out) {
  snprintf(out, WHAT_MAX, format, post->section);
  return out;
}

/* curl's own text is English whatever the locale, and names neither headers nor body. */
static int fail_for(const exchange *x, const char *what, CURLcode code, const char *told,
                    hm_err *err) {
  char fix[WHAT_MAX];
  if (x->too_large)
    return hm_failf(err, HM_E_INPUT, what, "see whether this is the address of an API",
                    "it answers with more than %zu bytes", x->post->answer_max);
  if (x->stopped)
    return hm_fail(err, HM_E_STATE, what, "stopped", "");
  if (code == CURLE_OPERATION_TIMEDOUT)
    return hm_failf(err, HM_E_OUTPUT, what,
                    about(x->post, "try again, or raise %s.timeout in mirror.yml", fix),
                    "no complete answer in %g seconds", x->post->timeout_ms / 1000.0);
  return hm_failf(err, HM_E_OUTPUT, what, "see that the server runs and can be reached from here",
                  "%s", told[0] ? told : curl_easy_strerror(code));
}

static struct curl_slist *headers_of(const hm_post *post) {
  struct curl_slist *list = curl_slist_append(NULL, "Content-Type: application/json");
  list = curl_slist_append(list, "Accept: application/json");
  list = curl_slist_append(list, "Expect:");
  if (!post->key)
    return list;
  size_t size = strlen(post->key) + sizeof "Authorization: Bearer ";
  char *line = hm_xmalloc(size);
  snprintf(line, size, "Authorization: Bearer %s", post->key);
  list = curl_slist_append(list, line);
  explicit_bzero(line, size);
  free(line);
  return list;
}

/* A key that could end its header line, or would not arrive as it is. */
static int check_key(const hm_post *post, const char *what, hm_err *err) {
  char fix[WHAT_MAX];
  if (post->key && !hm_net_hides_key(post->url))
    return hm_fail(err, HM_E_USAGE, what, "plain http, over which no key is sent",
                   "write https; this machine itself may have http");
  for (const char *c = post->key; c && *c; c++)
    if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f)
      return hm_fail(err, HM_E_USAGE, what,
                     "the key holds a space, a control character or a letter with an accent",
                     about(post, "see the environment variable that %s.key_env names", fix));
  return 0;
}

static void begin_curl(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

static CURLcode perform(CURL *curl, exchange *x, struct curl_slist *headers, char *told) {
  const hm_post *post = x->post;
  curl_easy_setopt(curl, CURLOPT_URL, post->url);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  /* A proxy of the environment would read what is plain. */
  if (hm_str_starts(hm_str_c(post->url), "http://") && post->key)
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "hmirror/" HM_VERSION);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, post->body.p);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)post->body.n);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)post->timeout_ms);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, x);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stop_if_asked);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, x);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, told);
  return curl_easy_perform(curl);
}

int hm_net_post(const hm_post *post, hm_arena *a, hm_post_answer *out, hm_err *err) {
  static pthread_once_t begun = PTHREAD_ONCE_INIT;
  char what[WHAT_MAX], url[WHAT_MAX], told[CURL_ERROR_SIZE] = "";
  exchange x = { .post = post };
  long status = 0;
  snprintf(what, sizeof what, "%.*s", HM_FMT(hm_address_shown(hm_str_c(post->url), a)));
  if (hm_net_check_url(post->url, about(post, "%s.url", url), err) || check_key(post, what, err))
    return -1;
  pthread_once(&begun, begin_curl);
  CURL *curl = curl_easy_init();
  if (!curl)
    return hm_fail(err, HM_E_INTERNAL, what, "libcurl cannot be used", "");
  struct curl_slist *headers = headers_of(post);
  CURLcode code = perform(curl, &x, headers, told);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  int rc = code == CURLE_OK ? 0 : fail_for(&x, what, code, told, err);
  if (!rc && status >= 300 && status < 400)
    rc = hm_failf(err, HM_E_OUTPUT, what, "configure the address that it names",
                  "it answers %ld, a redirect, and facts go to no other address", status);
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
  *out = (hm_post_answer){ (int)status, hm_buf_take(&x.body, a) };
  return rc;
}

int hm_net_check_status(const hm_post *post, int status, const char *otherwise, const char *later,
                        hm_err *err) {
  char buffer[WHAT_MAX];
  const char *why = otherwise,
             *fix = about(post, "see %1$s.url and %1$s.model in mirror.yml", buffer);
  if (status == 200)
    return 0;
  if (status >= 401 && status <= 403) {
    why = "refuses the key";
    fix = about(post, "see the environment variable that %s.key_env names", buffer);
  } else if (status == 404) {
    why = "knows no such address";
  } else if (status == 429) {
    why = "takes no more requests now", fix = later;
  } else if (status >= 500 && status <= 599) {
    why = "has failed", fix = later;
  }
  return hm_failf(err, HM_E_OUTPUT, post->section, fix, "the server %s (status %d)", why, status);
}
