/* Values from inside, for rendering. Not for other folders. */
#ifndef HM_TEMPLATE_VALUES_IMPL_H
#define HM_TEMPLATE_VALUES_IMPL_H
#include "gen/render/template_values.h"

typedef enum {
  HM_NODE_OBJ,
  HM_NODE_LIST,
  HM_NODE_BOOL,
  HM_NODE_INT,
  HM_NODE_TEXT,
  HM_NODE_RAW
} hm_node_kind;

typedef struct { hm_key key; hm_node *value; } hm_node_field;

struct hm_node {
  uint8_t kind, place;
  bool yes;                /* BOOL */
  uint32_t n, cap;         /* OBJ, LIST */
  hm_arena *a;
  hm_str text;             /* TEXT, RAW; OBJ: the row it shows */
  union { hm_node_field *fields; hm_node **items; int64_t number; };
};

/* NULL when v is no object or has no such key. */
const hm_node *hm_node_get(const hm_node *v, const hm_key *key);
/* What a section asks; NULL is false. */
bool hm_node_is_true(const hm_node *v);
#endif
