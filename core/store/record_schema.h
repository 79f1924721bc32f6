/* What a record may hold, as JSON Schema (2020-12): from the same table as import, export and every
 * write. */
#ifndef HM_RECORD_SCHEMA_H
#define HM_RECORD_SCHEMA_H
#include "core/base/json.h"
#include "core/store/row.h"

typedef enum {
  HM_SCHEMA_STORED, /* as export writes it, with `kind`, and `as_stored` where another program wrote
                       what is odd */
  HM_SCHEMA_NEW,    /* as it is given to be added: without kind */
  HM_SCHEMA_PATCH   /* what may be changed: all but the id, each null to clear where that is allowed
                     */
} hm_schema_use;

/* One object, under key. STORED is left open for more members; the others are closed. */
void hm_record_schema(hm_jw *w, const char *key, hm_layer layer, hm_schema_use use);
#endif
