/* Sends JSON to an HTTP server and reads the answer, with a deadline (library: libcurl). */
#ifndef HM_NET_POST_H
#define HM_NET_POST_H
#include "core/base/err.h"
#include "core/base/str.h"

typedef struct {
  const char *url;     /* http or https, without user or password in it */
  hm_str body;         /* JSON */
  const char *key;     /* sent as a bearer token, never in a message; NULL: none. Needs a URL that
                          hides it */
  const char *section; /* of mirror.yml, which sets url, key_env and timeout; for messages */
  int timeout_ms;      /* for the whole request, from name lookup to the last byte */
  size_t answer_max;   /* bytes */
  /* Called a few times a second; true ends the request. NULL: never. */
  bool (*is_stopped)(void *ctx);
  void *ctx;
} hm_post;

typedef struct {
  int status;  /* HTTP status: 200, 429, ... */
  hm_str body; /* any bytes; in the arena */
} hm_post_answer;

/* Sends it. Returns 0 for an answer of any status but a redirect. Follows no redirect, so the key
 * and the facts go to the configured server only. Thread-safe. Errors: HM_E_USAGE: the URL or the
 * key cannot be sent; HM_E_OUTPUT: no connection, no answer in time, a closed connection, a
 * redirect; HM_E_INPUT: an answer larger than answer_max; HM_E_STATE: stopped. err->what is the URL
 * as hm_address_shown has it. */
int hm_net_post(const hm_post *post, hm_arena *a, hm_post_answer *out, hm_err *err);
/* Returns 0 for status 200. Else fails with HM_E_OUTPUT, which says what the server did ("refuses
 * the key") and what helps. otherwise: what it did, for a status that says nothing; later: what
 * helps if it is busy. The message omits the body, which may quote the key or what was sent. */
int hm_net_check_status(const hm_post *post, int status, const char *otherwise, const char *later,
                        hm_err *err);
/* True for https, and for http to this machine itself: where a key may be sent. */
bool hm_net_hides_key(const char *url);
/* Returns 0 if hm_net_post accepts the URL, else -1 with HM_E_USAGE. what: its name in messages. */
int hm_net_check_url(const char *url, const char *what, hm_err *err);
#endif
