/* The preview over HTTP: the site's files as they would be published, and in HTML what keeps it up
 * to date, what went wrong, and on a conflict's page the form that settles it. */
#ifndef HM_PREVIEW_HTTP_H
#define HM_PREVIEW_HTTP_H
#include "core/base/str.h"
#include "gen/http/http.h"
#include "gen/http/preview.h"

/* Tells browsers that something is new (preview_routes.c). */
typedef struct hm_event_feed hm_event_feed;

/* --- the preview (preview_routes.c) ---------------------------------------------------- */

/* What the preview puts around and into pages: templates, style and script of themes/serve, inside
 * the program. They are no part of the mirror's theme: a mistake in that one must not keep the
 * preview from saying so. */
typedef struct {
  hm_templates *templates;
  hm_str css, script;
  hm_str script_source;      /* "'sha256-...'", for a content security policy */
} hm_preview_theme;

/* What its handlers share. */
typedef struct {
  hm_preview *preview;
  hm_event_feed *feed;       /* an event after every build */
  hm_preview_theme theme;
  const hm_store_source *store;
  hm_str token;              /* of this process, in every form: only a page of ours can know it */
  hm_str by;                 /* reviewer's name until the form is given another */
} hm_preview_http;

/* Makes the first build and starts watching. Texts are borrowed or live in a. Errors: those of
 * hm_preview_start; HM_E_INPUT for a template of the theme that does not compile; HM_E_INTERNAL
 * when the theme is not in the program or the system has no random bytes. */
int hm_preview_http_open(hm_preview_http *f, const hm_preview_builder *builder,
                         const hm_store_source *store, hm_str by, hm_arena *a, hm_err *err);
/* After the server has stopped. */
void hm_preview_http_close(hm_preview_http *f);
/* A hm_api_trial on the newest build; ctx is the hm_preview_http. HM_E_STATE when no build has
 * succeeded yet. */
int hm_preview_http_try_verdict(void *ctx, hm_store *s, hm_dry_run_verdict *give, void *give_ctx,
                                hm_arena *a, hm_verdict_report *out, hm_err *err);

/* Routes that stand before the API's: GET of every file of the site whose name has a dot, of
 * "/_events" (server-sent events, one after every build) and "/_serve.css"; POST of a conflict's
 * page (review.h). A folder with an index.html is that. */
hm_route_table hm_preview_routes(hm_preview_http *f);
/* Routes that stand after it: the other files; a folder's name without '/' is redirected; whoever
 * accepts HTML gets the site's 404 page, or a page that says that there is no site yet (503);
 * others pass. */
hm_route_table hm_preview_fallback_routes(hm_preview_http *f);

/* --- a page (preview_page.c) --------------------------------------------------------- */

/* Texts live in a. */
int hm_preview_theme_load(hm_arena *a, hm_preview_theme *out, hm_err *err);
void hm_preview_theme_free(hm_preview_theme *t);
/* A template of the theme, "problem.html", in a. What cannot be rendered is empty: no text of ours
 * can fail. */
hm_str hm_preview_theme_render(const hm_preview_theme *t, const char *name, const hm_node *model,
                               hm_arena *a);

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
} hm_preview_page;
/* Fills *r. The reference is only looked at. */
void hm_preview_reply_page(const hm_preview_http *f, const hm_request *q, const hm_preview_ref *at,
                           const hm_preview_page *page, hm_reply *r);

/* --- what is put into a page (preview_page.c) ------------------------------------------------- */

/* A page as it is published gets what only the preview has. Pure. Places are found by tags that
 * the page's facts cannot contain, since they are escaped: </head>, <body>, the first </h1>, the
 * heading of the commands on a conflict's page, the last <hr, </main> and </body>; where a
 * user's shell lacks one, the next that it has. */

/* Each is HTML of ours; empty: nothing is put there. */
typedef struct {
  hm_str base;             /* at the beginning of the head */
  hm_str head;             /* at the end of the head */
  hm_str top;              /* at the beginning of the body */
  hm_str jump;             /* after the heading */
  hm_str form;             /* at the end of the content */
  hm_str end;              /* at the end of the body */
  hm_str script_source;    /* "'sha256-...'": what the page's content security policy lets run */
} hm_inject;

/* Appends html with all of that to out. A content security policy of the page is widened by just
 * what is put in: scripts of script_source, connections to and styles from the server itself; with
 * a form, forms to it, and a referrer policy under which the browser says that they come from it;
 * with a base, that one. */
void hm_inject_page(hm_str html, const hm_inject *in, hm_buf *out);
/* A policy widened so. */
void hm_inject_policy(hm_str policy, const hm_inject *in, hm_buf *out);
#endif
