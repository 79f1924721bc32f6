/* Searches files outside the store for the forms of a redacted value. */
#ifndef HM_REDACT_SEARCH_H
#define HM_REDACT_SEARCH_H
#include "core/review/redact.h"

/* Collects the values as they may stand in a file: bare, in Markdown, HTML, JSON, a link, a commit
 * message, a slot's name, a file's name; and as pages and messages cut them. value_limit: of the
 * config. Of a value, only the first HM_REDACT_WHOLE bytes count. */
enum { HM_REDACT_WHOLE = 1000 };
void hm_redact_collect_forms(const hm_needles *values, size_t value_limit, hm_arena *a,
                             hm_needles *out);

/* A search: the forms exactly, and the values in any case and white space. */
typedef struct {
  hm_needles forms, values;
} hm_redact_search;
bool hm_redact_bytes_hold(const hm_redact_search *what, hm_str bytes);
/* Builds a search of the values, each up to HM_REDACT_WHOLE bytes, and their forms. */
void hm_redact_search_build(const hm_needles *values, size_t value_limit, hm_arena *a,
                            hm_redact_search *out);

/* True when a file holds one of them; false also when it cannot be read. */
bool hm_redact_file_holds(const char *path, const hm_redact_search *what);
/* Backups beside the store ("<store>*.bak") that hold one of them, sorted, in a. */
size_t hm_redact_find_backups(hm_arena *a, const char *store, const hm_redact_search *what,
                              hm_str **out);
/* Other files that hold one of them, in the folder of `path`, with names that begin with its own;
 * also `path` itself unless `beside`. Without SQLite's own files (-wal, -journal, -shm). In a. */
size_t hm_redact_find_files(hm_arena *a, const char *path, bool beside,
                            const hm_redact_search *what, hm_str **out);
#endif
