/* The preview over HTTP: the site's files as they would be published. Adds to HTML a script that
 * updates the page, the last error, and on a conflict's page the review form. */
#ifndef HM_PREVIEW_HTTP_H
#define HM_PREVIEW_HTTP_H
#include "core/base/str.h"
#include "gen/http/http.h"
#include "gen/http/preview.h"

/* Sends browsers an event for each new build (preview_routes.c). */
typedef struct hm_event_feed hm_event_feed;

/* --- the preview (preview_routes.c) ---------------------------------------------------- */

/* The preview's own templates, style and script: themes/serve, built into the program. They are not
 * part of the mirror's theme, so that the preview can report errors in the theme. */
typedef struct {
  hm_templates *templates;
  hm_str css, script;
  hm_str script_source; /* "'sha256-...'", for a Content-Security-Policy */
} hm_preview_theme;

/* Shared by the preview's handlers. */
typedef struct {
  hm_preview *preview;
  hm_event_feed *feed; /* an event after every build */
  hm_preview_theme theme;
  hm_api *api;  /* whose writer gives verdicts */
  hm_str token; /* random, for this process; in every form: only our pages know it */
  hm_str by;    /* the reviewer's name, until the form gets another */
} hm_preview_http;

/* Makes the first build and starts watching. Texts are borrowed or live in a. Errors: those of
 * hm_preview_start; HM_E_INPUT for a template of the theme that does not compile; HM_E_INTERNAL
 * when the theme is not in the program or the system has no random bytes. */
int hm_preview_http_open(hm_preview_http *f, const hm_preview_builder *builder,
                         const hm_store_source *store, hm_api *api, hm_str by, hm_arena *a,
                         hm_err *err);
/* Call it after the server has stopped. */
void hm_preview_http_close(hm_preview_http *f);
/* A hm_api_trial on the newest build; ctx is the hm_preview_http. HM_E_STATE when no build has
 * succeeded yet. */
int hm_preview_http_try_verdict(void *ctx, hm_store *s, hm_dry_run_verdict *give, void *give_ctx,
                                hm_arena *a, hm_verdict_report *out, hm_err *err);

/* Routes before the API's: GET of every file of the site whose name has a dot, of "/_events"
 * (server-sent events, one after every build) and "/_serve.css"; POST of a conflict's page
 * (review.h). A folder gives its index.html. */
hm_route_table hm_preview_routes(hm_preview_http *f);
/* Routes after the API's: the other files; a redirect for a folder's name without '/'; for clients
 * that accept HTML the site's 404 page, or a page that says that there is no site yet (503); other
 * requests pass. */
hm_route_table hm_preview_fallback_routes(hm_preview_http *f);

/* --- a page (preview_page.c) --------------------------------------------------------- */

/* Texts live in a. */
int hm_preview_theme_load(hm_arena *a, hm_preview_theme *out, hm_err *err);
void hm_preview_theme_free(hm_preview_theme *t);
/* Renders a template of the theme ("problem.html"), in a. Empty when that fails, which our texts
 * cannot cause. */
hm_str hm_preview_theme_render(const hm_preview_theme *t, const char *name, const hm_node *model,
                               hm_arena *a);

/* An HTML page with the preview's additions. Its ETag is a digest of all that it is made from, by
 * which the page's script learns whether the page has changed. */
typedef struct {
  hm_str path;   /* of the request, without the first '/' */
  hm_str html;   /* as it is built */
  hm_str form;   /* the review form, or empty */
  hm_str jump;   /* the link to the form */
  hm_str answer; /* shown instead of the form, which then only goes into the ETag; or empty */
  int status;
  bool missing; /* it is the 404 page, served for any address */
} hm_preview_page;
/* Fills *r. Does not release the reference. */
void hm_preview_reply_page(const hm_preview_http *f, const hm_request *q, const hm_preview_ref *at,
                           const hm_preview_page *page, hm_reply *r);

/* --- additions to a page (preview_page.c) ----------------------------------------------------- */

/* Inserts the preview's additions into a page as it is published. Pure. Finds places by tags that
 * facts cannot contain, since they are escaped: </head>, <body>, the first </h1>, the heading of
 * the commands on a conflict's page, the last <hr, </main> and </body>; when a user's shell lacks
 * one, uses the next that it has. */

/* HTML to insert; empty: nothing. */
typedef struct {
  hm_str base;          /* at the beginning of the head */
  hm_str head;          /* at the end of the head */
  hm_str top;           /* at the beginning of the body */
  hm_str jump;          /* after the heading */
  hm_str form;          /* at the end of the content */
  hm_str end;           /* at the end of the body */
  hm_str script_source; /* "'sha256-...'": the script that the page's policy must allow */
} hm_inject;

/* Appends html with these insertions to out. Extends the page's Content-Security-Policy to allow
 * exactly what is inserted: scripts of script_source, connections to and styles from the server
 * itself; with a form, forms to the server, and a referrer policy under which the browser sends
 * their origin; with a base, that base. */
void hm_inject_page(hm_str html, const hm_inject *in, hm_buf *out);
/* Appends a policy extended in this way. */
void hm_inject_policy(hm_str policy, const hm_inject *in, hm_buf *out);
#endif
