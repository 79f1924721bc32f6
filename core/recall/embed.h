/* Vectors of texts by a model behind an HTTP endpoint, as OpenAI has it: {"model","input":[...]}
 * to {"data":[{"index","embedding":[numbers]}]}.
 *
 * What comes back is checked as a whole: a vector for each text, all of one length, of numbers that
 * are numbers. An answer with one fault in it gives no vector. */
#ifndef HM_EMBED_H
#define HM_EMBED_H
#include "core/base/err.h"
#include "core/base/str.h"

enum { HM_EMBED_BATCH = 64, HM_EMBED_TEXT = 8000 };   /* texts of a request; bytes of one */

typedef struct {
  const char *url, *model, *key;
  int timeout_ms;                  /* of one request */
  bool (*is_stopped)(void *ctx);   /* as hm_post has it */
  void *ctx;
} hm_embed_endpoint;

/* Bytes of vectors: those of text i begin at v + i * dims. */
typedef struct { int8_t *v; int dims; } hm_embedded;

/* Asks for the vectors of at most HM_EMBED_BATCH texts, none of them empty; of a longer one its
 * first HM_EMBED_TEXT bytes are sent. dims: how long they must be; 0: any. All in a. May run in
 * many threads. Errors: those of hm_net_post; HM_E_OUTPUT: another status than 200; HM_E_INPUT: the
 * answer is not what was asked for. Nothing shows the key, or what was sent. */
int hm_embed_ask(const hm_embed_endpoint *to, const hm_str *texts, size_t n, int dims, hm_arena *a,
                 hm_embedded *out, hm_err *err);
/* Reads an answer. Pure. */
int hm_embed_read(hm_str body, size_t n, int dims, hm_arena *a, hm_embedded *out, hm_err *err);
#endif
