/* Values from inside, for rendering. Not for other folders. */
#ifndef HM_TEMPLATE_VALUES_IMPL_H
#define HM_TEMPLATE_VALUES_IMPL_H
#include "gen/render/template_values.h"

typedef enum { HM_TV_OBJ, HM_TV_LIST, HM_TV_BOOL, HM_TV_INT, HM_TV_TEXT, HM_TV_RAW } hm_tv_kind;

typedef struct { hm_key key; hm_tv *value; } hm_tv_field;

struct hm_tv {
  uint8_t kind, place;
  bool yes;                /* BOOL */
  uint32_t n, cap;         /* OBJ, LIST */
  hm_arena *a;
  hm_str text;             /* TEXT, RAW; OBJ: the row it shows */
  union { hm_tv_field *fields; hm_tv **items; int64_t number; };
};

/* NULL when v is no object or has no such key. */
const hm_tv *hm_tv_get(const hm_tv *v, const hm_key *key);
/* What a section asks; NULL is false. */
bool hm_tv_is_true(const hm_tv *v);
#endif
