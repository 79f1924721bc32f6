/* One row added or changed by a record, with its line in the journal. Records are those of an
 * import (fields, checks), without `kind`; change.h has columns instead. Inside a write
 * transaction; what is looked at after it is core/review's business. */
#ifndef HM_RECORD_EDIT_H
#define HM_RECORD_EDIT_H
#include "core/base/json.h"
#include "core/store/store.h"

typedef struct {
  hm_str id;
  hm_str before, after;   /* the row as export writes it; before is empty for a new one */
  bool changed;           /* false: it said this already; nothing was written */
} hm_put;

/* Adds a row. An absent id is made: the layer's letter, "-" and 16 hex digits of the digest of the
 * record, or, where a row has that, of the record and a number. Texts of out live in a. Errors:
 * HM_E_INPUT with field: an unknown key, a wrong type or value, something missing, a window that
 * ends before it begins; HM_E_STATE with field "id": there is such a row. Journaled as `verb`. */
int hm_put_new(hm_store *s, hm_layer layer, const hm_json *record, const char *verb,
               const hm_actor *who, hm_arena *a, hm_put *out, hm_err *err);

/* Changes a row: keys that the patch has replace, null clears; the members of `properties` do the
 * same one by one, so that a patch of one property leaves the others (RFC 7396), unless what is
 * stored is no object. A row that changes gets updated_at from who->at, to the second, unless the
 * patch has it. Errors as above, the id being part of no patch, and HM_E_UNKNOWN: there is no such
 * row. */
int hm_put_patch(hm_store *s, hm_layer layer, hm_str id, const hm_json *patch, const char *verb,
                 const hm_actor *who, hm_arena *a, hm_put *out, hm_err *err);
#endif
