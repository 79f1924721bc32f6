/* The preview over HTTP: the site's files as they would be published, and in HTML what keeps it up
 * to date, what went wrong, and on a conflict's page the form that settles it. */
#ifndef HM_FRONT_H
#define HM_FRONT_H
#include "gen/serve/bell.h"
#include "gen/serve/chrome.h"
#include "gen/serve/inject.h"
#include "gen/serve/preview.h"

/* What its handlers share. */
typedef struct {
  hm_preview *preview;
  hm_bell *bell;             /* rung after every build */
  hm_chrome chrome;
  const hm_store_source *store;
  hm_str token;              /* of this process, in every form: only a page of ours can know it */
  hm_str by;                 /* reviewer's name until the form is given another */
} hm_front;

/* Makes the first edition and starts watching. Texts are borrowed or live in a. Errors: those of
 * hm_preview_start and hm_chrome_load; HM_E_INTERNAL when the system has no random bytes. */
int hm_front_open(hm_front *f, const hm_press *press, const hm_store_source *store, hm_str by,
                  hm_arena *a, hm_err *err);
/* After the server has stopped. */
void hm_front_close(hm_front *f);
/* A hm_api_trial on the newest edition; ctx is the hm_front. HM_E_STATE when no build has succeeded
 * yet. */
int hm_front_try(void *ctx, hm_store *s, hm_trial_verdict *give, void *give_ctx, hm_arena *a,
                 hm_verdict_report *out, hm_err *err);

/* Routes that stand before the API's: GET of every file of the site whose name has a dot, of
 * "/_events" (server-sent events, one after every build) and "/_serve.css"; POST of a conflict's
 * page (review.h). A folder with an index.html is that. */
hm_route_table hm_front_routes(hm_front *f);
/* Routes that stand after it: the other files; a folder's name without '/' is redirected; whoever
 * accepts HTML gets the site's 404 page, or a page that says that there is no site yet (503);
 * others pass. */
hm_route_table hm_front_fallback(hm_front *f);

/* --- for review.c -------------------------------------------------------------- */

/* An HTML page with what the preview puts into it. Its version, a digest of all that it is made
 * from, is its ETag: the page's script asks for that to know whether the page has changed. */
typedef struct {
  hm_str path;               /* of the request, without the first '/' */
  hm_str html;               /* as it is built */
  hm_str form;               /* empty: none */
  hm_str jump;               /* leads to it */
  hm_str answer; /* instead of the form, which is then only part of the version; empty: none */
  int status;
  bool missing;              /* it is the 404 page, which may be anywhere */
} hm_front_page;
/* Fills *r. The reading is only looked at. */
void hm_front_put_page(const hm_front *f, const hm_request *q, const hm_reading *at,
                       const hm_front_page *page, hm_reply *r);
/* The file at this path of the request ("conflicts/c1.html", a folder's is its index.html), or
 * NULL. */
const hm_file *hm_front_file(const hm_reading *at, hm_str path, hm_arena *a);
#endif
