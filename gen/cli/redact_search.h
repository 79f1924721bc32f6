/* What `redact` looks for outside the store: the forms of a value, in files. */
#ifndef HM_REDACT_SEARCH_H
#define HM_REDACT_SEARCH_H
#include "core/review/redact.h"

/* The values as they may stand in a file: bare, in Markdown, HTML, JSON, a link, a commit message,
 * a slot's name, a file's name; and as pages and messages cut them. value_limit: of the config. Of
 * a value over HM_REDACT_WHOLE bytes so many from its beginning count as all of it. */
enum { HM_REDACT_WHOLE = 1000 };
void hm_redact_collect_forms(const hm_needles *values, size_t value_limit, hm_arena *a,
                             hm_needles *out);

/* What bytes are searched for: the forms as they are, and the values in other case and white space.
 */
typedef struct { hm_needles forms, values; } hm_redact_search;
bool hm_redact_bytes_hold(const hm_redact_search *what, hm_str bytes);
/* The values, each up to HM_REDACT_WHOLE bytes, and their forms. */
void hm_redact_search_build(const hm_needles *values, size_t value_limit, hm_arena *a,
                            hm_redact_search *out);

/* A file holds one of them. False too when it cannot be read. */
bool hm_redact_file_holds(const char *path, const hm_redact_search *what);
/* Backups beside the store ("<store>*.bak") that hold one of them, sorted, in a. */
size_t hm_redact_find_backups(hm_arena *a, const char *store, const hm_redact_search *what,
                              hm_str **out);
/* All other files in the folder of `path` whose names begin with its own, and it itself unless
 * `beside`; what SQLite keeps beside the store (-wal, -journal, -shm) is not among them. */
size_t hm_redact_find_files(hm_arena *a, const char *path, bool beside,
                            const hm_redact_search *what, hm_str **out);
#endif
