/* The review form of a conflict's page: choose what stands, see what that would change, confirm.
 * Plain HTML forms, without script: each step is a POST to the page's own address, answered with
 * that page.
 *
 * The form shows every claim, also those that publish.exclude withholds from the pages, so that a
 * reviewer sees all evidence. It is shown only to clients that may also use the API, which shows
 * the same.
 *
 * Fields: token (of hm_preview_http), seen (a digest of the claims that were shown), step (try:
 * a dry run; edit: back to the form; confirm; reopen), choice (number of a claim, none, dismiss;
 * repeated, several numbers, where several values may hold at once),
 * action (supersede_opponents, supersede_others, no_action), scope (whole_row, field_only), link
 * (yes), notes, by. */
#ifndef HM_REVIEW_FORM_H
#define HM_REVIEW_FORM_H
#include "core/review/verdict.h"
#include "gen/http/preview_http.h"

/* The form for the page at path, in q->a; *jump: the line below the page's heading that links to it
 * (for a settled conflict, with its verdict). Both empty when it is no conflict's page. */
hm_str hm_review_form(const hm_preview_http *f, const hm_request *q, const hm_preview_ref *at,
                      hm_str path, hm_str *jump);
/* Replies with the page and 200 (try, edit); with a redirect (303) to it once the verdict is
 * recorded and the preview shows it (waits two seconds at most); or with the page, the error and
 * the entered values: 403 for a form of another run of the server, 409 when the conflict or its
 * claims changed meanwhile, else the status of hm_api_error_status. HM_PASS: no conflict's page. */
hm_handler hm_review_post;

/* --- shared by review.c and review_form.c --------------------------------------------- */

/* The values of the form. choice: the choices, with a space between. */
typedef struct {
  hm_str token, seen, step, choice, action, scope, link, notes, by, keep_rows;
} hm_review_input;

/* A claiming row, which can be chosen. */
typedef struct {
  hm_str ref, values;
  hm_str answer; /* "Yes" or "No" to the question; empty without a question */
  hm_str others; /* its other claimed fields, outside of the conflict */
  const hm_json *member;
  bool withheld;
} hm_review_claim;

/* A conflict as the form shows it. */
typedef struct {
  const hm_conflict_rec *rec;
  hm_str page; /* "c1.html" */
  hm_review_claim *claims;
  size_t n;
  bool agreed;      /* its claims no longer disagree: it awaits sign-off */
  uint32_t at_once; /* how many values may hold at once; 0: any number */
  hm_str seen;
  hm_str question; /* for a conflict of texts; else empty */
} hm_review_case;

/* Finds the conflict whose page is at path ("conflicts/c1.html"); returns false when there is
 * none. */
bool hm_review_find_case(const hm_preview_ref *at, hm_str path, hm_arena *a, hm_review_case *out);
/* True when the claim with this number, from 1, is among the choices. */
bool hm_review_is_chosen(hm_str choice, size_t number);
/* The whole section. in: the entered values. label and err: the error, or NULL. trial: the report
 * of a dry run, or NULL. */
hm_str hm_review_html(const hm_preview_http *f, const hm_review_case *c, const hm_review_input *in,
                      const char *label, const hm_err *err, const hm_verdict_report *trial,
                      hm_arena *a);
/* The line that links to the form. */
hm_str hm_review_jump_link(const hm_preview_http *f, const hm_review_case *c, hm_arena *a);
#endif
