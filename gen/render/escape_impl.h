/* What the escaping files share. Not for others. */
#ifndef HM_ESCAPE_IMPL_H
#define HM_ESCAPE_IMPL_H
#include "gen/render/escape.h"

/* True when hm_clean would return s itself. */
bool hm_is_clean(hm_str s);
/* Appends s as hm_clean has it. */
void hm_clean_into(hm_buf *b, hm_str s);
/* Other spaces of Unicode than those that hm_clean makes one: kept inside, where
 * they can mean something, and cut at the ends, where they would stop the
 * program's own "**" from acting. */
bool hm_wide_space(uint32_t cp);
/* & < > " as entities, nothing else: for text that is already clean. */
void hm_html_put(hm_buf *b, hm_str s);
/* Percent-encodes what may not stand in a URL, and writes & as &amp;: good
 * between the brackets of a Markdown link and in a quoted attribute alike. */
void hm_url_put(hm_buf *b, hm_str url);
/* "http://" or "https://" and a host. */
bool hm_url_web(hm_str url);
#endif
