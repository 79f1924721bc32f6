/* Live secrets in what the mirror publishes, and the words about one, which never hold it. */
#ifndef HM_LIVE_SECRETS_H
#define HM_LIVE_SECRETS_H
#include "core/base/credential.h"
#include "gen/page/view.h"

typedef struct {
  uint32_t row;
  hm_str field; /* a column, or a property */
  hm_str shown; /* of hm_credential_shown */
} hm_live_secret;

/* Every field of a row that a page lists and that holds one, in the order of rows. In a; the same
 * for any number of threads. Cost: one pass over the texts of all rows. */
size_t hm_live_secrets_find(const hm_view *v, int threads, hm_arena *a, hm_live_secret **out);

/* "looks like a live secret (a GitHub token, ghp_… of 40 characters): change it where it is used,
 * then: hmirror redact memory:m1 --reason TEXT", and the same with row and field before it. In a.
 */
hm_str hm_live_secret_detail(hm_str ref, hm_str field, hm_str shown, hm_arena *a);
hm_str hm_live_secret_words(hm_str ref, hm_str field, hm_str shown, hm_arena *a);
#endif
