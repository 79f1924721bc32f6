/* What a site leaves in memory for the next one of a program that goes on.
 *
 * It is of the site that hm_site_keep_note was given last, by its name there, which is the caller's: who makes the next one for the same place tells
 * that it stands there just so (hm_site_options.keep), and then only what is made from changed projects is listed, made, sorted and digested. The
 * result is the same. Where a project came or went, or anything else is not plain, all is done as without. */
#ifndef HM_SITE_KEEP_H
#define HM_SITE_KEEP_H
#include "core/base/arena.h"
#include "core/base/str.h"

typedef struct hm_site_keep hm_site_keep;
struct hm_site;

hm_site_keep *hm_site_keep_new(void);          /* never NULL */
void hm_site_keep_free(hm_site_keep *k);       /* NULL is allowed; sites that were made with it have to be gone */
/* After the site, made with it or without, went where it should, and before it and its view are freed: the keep is of this one now. Sites that were made
 * with hm_site_options.known, holds and inputs, and without take, can be of use; others leave a keep of nothing. name: not empty. */
void hm_site_keep_note(hm_site_keep *k, const struct hm_site *s, hm_str name);
/* It is of the site that was noted by this name, and no other was made with it since. */
bool hm_site_keep_is(const hm_site_keep *k, hm_str name);
/* Bytes it holds from the system, for figures. */
size_t hm_site_keep_held(const hm_site_keep *k);
#endif
