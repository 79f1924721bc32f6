/* What each source of an import said last about a record: table import_sources.
 *
 * A source's statement is kept field by field, as digests: enough to see which field it changed
 * and whether two sources agree, at 12 bytes a field. A member of `properties` is a field of its
 * own. Links have no fields and are not remembered. Design section 5.
 * Not for other folders. */
#ifndef HM_IMPORT_SOURCES_H
#define HM_IMPORT_SOURCES_H
#include "core/store/import_impl.h"

typedef struct { uint32_t name; uint64_t digest; } hm_said_field;

/* One source's statement; fields sorted by name. The source "" is the journal's last import
 * before the store remembered sources: it stands for every source that has said nothing since. */
typedef struct { hm_str source; hm_said_field *fields; size_t n; } hm_said;

/* Digests that are no digests: a redaction cleared what was said; null was said. */
enum { HM_SAID_CLEARED = 0, HM_SAID_NULL = 1 };

/* The name of field i, and of a member of its object. Members have the top bit, fields do not. */
uint32_t hm_said_name(const hm_kind *k, int i);
uint32_t hm_said_member_name(hm_str key);
bool hm_said_is_member(uint32_t name);

/* The digest of field i. An object's is that of its being one: its members have their own. */
uint64_t hm_said_digest(const hm_kind *k, int i, const hm_cell *cells);
uint64_t hm_said_member_digest(const hm_json *v, hm_arena *a);

/* The statement's field of this name, or NULL. s may be NULL. */
const hm_said_field *hm_said_find(const hm_said *s, uint32_t name);
/* Sorts fields by name, each once. */
void hm_said_sort(hm_said *s);

/* All statements about the record ref ("kind:id"), in a. */
int hm_said_load(hm_store *s, hm_str ref, hm_arena *a, hm_said **out, size_t *n, hm_err *err);
/* Writes one statement over what its source said before. */
int hm_said_save(hm_store *s, hm_str ref, const hm_said *said, hm_arena *a, hm_err *err);
#endif
