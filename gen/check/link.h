/* Where a link leads, and the links of HTML. Pure. */
#ifndef HM_CHECK_LINK_H
#define HM_CHECK_LINK_H
#include "core/base/str.h"

typedef enum {
  HM_LINK_ELSEWHERE,    /* another site, mailto:, data: and the like */
  HM_LINK_INSIDE,       /* path and fragment are set */
  HM_LINK_OUTSIDE       /* a relative one that climbs out of the site */
} hm_link_kind;

typedef struct {
  hm_str path;          /* of the site, "" its root; a folder's ends in '/' when the link's did */
  hm_str fragment;      /* without '#'; empty when there is none */
  bool here;            /* of the page itself: nothing but a fragment or a query */
} hm_link_target;

/* What url on the page `from` ("projects/p05/README.md") leads to: RFC 3986 section 5,
 * percent-encoding undone. base_url: the site's address, ending in '/', or empty; what begins with
 * it is inside. A path from the root of the host ("/x") is inside when it lies below base_url's;
 * without base_url the site is taken to be at the root. */
hm_link_kind hm_link_resolve(hm_str from, hm_str url, hm_str base_url, hm_arena *a,
                             hm_link_target *out);

/* A character reference at s.p[i] == '&': its bytes (0: it is none that is known) and its code
 * point. Numeric ones, and amp, lt, gt, quot, apos, nbsp. */
size_t hm_entity_at(hm_str s, size_t i, uint32_t *cp);

typedef struct {
  /* href, src, srcset, poster, action, data: character references undone. */
  void (*link)(void *ctx, hm_str url, size_t line);
  void (*id)(void *ctx, hm_str id, size_t line);      /* id of an element, name of an <a> */
  void (*base)(void *ctx, hm_str url);                /* <base href> */
} hm_html_visitor;

/* Calls the visitor for what the tags of html hold, which may be anybody's and broken: comments,
 * script, style and other raw text are passed over, a tag that does not end is none. line: the
 * number of the first line. Linear. */
void hm_html_visit(hm_str html, size_t line, hm_arena *a, const hm_html_visitor *v, void *ctx);
#endif
