/* Stems of file names, of any text. */
#ifndef HM_SLUG_H
#define HM_SLUG_H
#include "str.h"

/* Which letters a file name keeps: a to z; the same, and those that have a Latin form; those of
 * any script. */
typedef enum { HM_SLUG_ASCII, HM_SLUG_LATIN, HM_SLUG_OWN } hm_slug_script;
enum { HM_SLUG_CHARS = 64, HM_SLUG_BYTES = 180 };

/* ASCII: in [a-z0-9-]{1,64}: accents stripped (NFKD), ASCII lower-cased, other runs one '-', none
 * at the ends. LATIN: the same, and letters such as ß, ø and ł in their Latin form. OWN: letters,
 * their marks and digits of any script, in normal form C and lower case, at most 64 characters and
 * 180 bytes.
 *
 * Appends "-" and 8 hex digits of SHA-256(s) (to "x" if nothing is left) if that loses anything but
 * case, spaces, '_' and '-' (in ASCII and LATIN anything beyond ASCII), cuts the name, or gives
 * nothing or a device name of Windows ("con", "com1"). So different names have different stems, up
 * to that digest. Callers resolve stems that fold together ("A b", "a-b"). */
hm_str hm_text_slug(hm_arena *a, hm_str s, hm_slug_script script);
/* May it stand in a stem of OWN: a letter, mark or digit beyond ASCII that can be seen? */
bool hm_slug_has_letter(uint32_t cp);
/* What two stems share where a file system tells case and forms of letters apart no better. */
hm_str hm_slug_fold(hm_arena *a, hm_str stem);
/* The stem, cut so that "-" and so many digits fit behind it. */
hm_str hm_slug_with_room(hm_str stem, size_t digits);
/* A path as a link, with what is beyond ASCII percent-encoded; the path itself if nothing is. */
hm_str hm_path_as_url(hm_arena *a, hm_str path);
#endif
