/* One function: sends JSON to an HTTP server and takes its answer, by a deadline (library:
 * libcurl). */
#ifndef HM_NET_POST_H
#define HM_NET_POST_H
#include "core/base/err.h"
#include "core/base/str.h"

typedef struct {
  const char *url;         /* http or https, without user or password in it */
  hm_str body;             /* JSON */
  const char *key;         /* sent as a bearer token; NULL: none. No message shows it */
  const char *section;     /* of mirror.yml, which says url, key_env and timeout; for messages */
  int timeout_ms;          /* for the whole, from looking up the name to the last byte */
  size_t answer_max;       /* bytes */
  /* Asked a few times a second: true ends the request. NULL: never. */
  bool (*is_stopped)(void *ctx);
  void *ctx;
} hm_post;

typedef struct {
  int status;              /* as the server gave it: 200, 429, ... */
  hm_str body;             /* any bytes; in the arena */
} hm_post_answer;

/* Sends it. Returns 0 for an answer of any status but a redirect, which is not followed: the key
 * and the facts go to the server that is configured, and no other. May run in many threads.
 * Errors: HM_E_USAGE: the URL or the key cannot be sent; HM_E_OUTPUT: no connection, no answer in
 * time, a closed connection, a redirect; HM_E_INPUT: an answer larger than answer_max;
 * HM_E_STATE: stopped. What: the URL up to its query. */
int hm_net_post(const hm_post *post, hm_arena *a, hm_post_answer *out, hm_err *err);
/* Is this a URL that hm_net_post takes? Else -1, with HM_E_USAGE. what: what messages call it. */
int hm_net_check_url(const char *url, const char *what, hm_err *err);
#endif
