/* Tells browsers that something is new: a stream of server-sent events for each that listens. */
#ifndef HM_EVENTS_H
#define HM_EVENTS_H
#include "gen/http/http.h"

typedef struct hm_event_feed hm_event_feed;

enum { HM_EVENT_LISTENERS = 64 };

/* Never NULL. Free it when nobody listens any more: after the server. */
hm_event_feed *hm_event_feed_new(void);
void hm_event_feed_free(hm_event_feed *f);
/* Every listener gets an event; from any thread. */
void hm_event_feed_publish(hm_event_feed *f);
/* Somebody listens. */
bool hm_event_feed_has_listeners(hm_event_feed *f);
/* A listener's stream, which the server ends by its `done`. The first event comes at once, so that
 * who was away hears of what was missed. An event is "data: N", N counts the times that something was published. false: there
 * are HM_EVENT_LISTENERS already. */
bool hm_event_feed_listen(hm_event_feed *f, hm_event_stream *out);
#endif
