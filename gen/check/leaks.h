/* Does the site hold what publish.exclude leaves out? */
#ifndef HM_CHECK_LEAKS_H
#define HM_CHECK_LEAKS_H
#include "gen/check/check.h"

enum { HM_LEAKS_ALIKE = 10, HM_LEAKS_LISTED = 1000 };   /* files listed for one text; in all */

/* Searches every byte of every file, and the paths, for the texts that are left out: ids, names,
 * contents, values, sources, tags, scopes and agents of hidden rows, values of hidden properties,
 * hidden projects, and what conflicts recorded of these. See secrets.h for how a text is
 * recognized: in any escaping, case and punctuation.
 *
 * Evidence is a text that nothing published has. Not searched for are: texts of fewer than
 * HM_SECRET_LEAST letters and digits (r->unsearchable); texts that stand as words in a published
 * row, project, conflict or finding (or begin a published name, key, id or time, of which pages
 * show parts), in a built-in template or in check.public (r->published). So an item can be wrong
 * only where a page of the user's own happens to say the same words, and a leak can be missed when
 * it is shorter, rewritten, or in a file that is compressed. r->withheld counts all texts that are
 * left out.
 *
 * Adds an item for each file and text at the first place, which names the row and never the text.
 * Nothing is done, and nothing counted, when nothing is left out. Linear; on all cores; the same
 * for any number of threads. */
void hm_check_leaks(const hm_check_input *in, hm_report *r, hm_report_list *l);
#endif
