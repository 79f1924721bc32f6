/* Which program this is. */
#ifndef HM_BUILD_ID_H
#define HM_BUILD_ID_H
/* Digest of the sources that it was made from, templates and theme included; made by the Makefile.
 */
extern const char hm_build_id[];
#endif
