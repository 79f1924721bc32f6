/* A page as it is published, with what only the preview has. Pure.
 *
 * Places are found by tags that the page's facts cannot contain, since they are escaped: </head>,
 * <body>, the first </h1>, the heading of the commands on a conflict's page, the last <hr, </main>
 * and </body>; where a user's shell lacks one, the next that it has. */
#ifndef HM_INJECT_H
#define HM_INJECT_H
#include "core/base/str.h"

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
