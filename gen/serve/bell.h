/* Tells browsers that something is new: a stream of server-sent events for each that listens. */
#ifndef HM_BELL_H
#define HM_BELL_H
#include "gen/serve/server.h"

typedef struct hm_bell hm_bell;

enum { HM_BELL_LISTENERS = 64 };

/* Never NULL. Free it when nobody listens any more: after the server. */
hm_bell *hm_bell_new(void);
void hm_bell_free(hm_bell *b);
/* Every listener gets an event; from any thread. */
void hm_bell_ring(hm_bell *b);
/* Somebody listens. */
bool hm_bell_has_listeners(hm_bell *b);
/* A listener's stream, which the server ends by its `done`. The first event comes at once, so that
 * who was away hears of what was missed. An event is "data: N", N counts the rings. false: there
 * are HM_BELL_LISTENERS already. */
bool hm_bell_listen(hm_bell *b, hm_events *out);
#endif
