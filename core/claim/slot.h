/* Names of slots: what an entity of each type is about. Design section 6; the
 * types and their slots are the specification's. */
#ifndef HM_SLOT_H
#define HM_SLOT_H
#include "core/base/json.h"
#include "core/store/row.h"
#include "rules.h"

enum { HM_ELEMENTS_MAX = 2 };

typedef struct {
  const char *key;                          /* hm_entity_type_key of its name */
  const char
      *elements[HM_ELEMENTS_MAX]; /* without the suffixes _id and _name: read as X, X_id, X_name */
  const char *main[2];                      /* main field: the first that is there */
  bool main_only;                           /* other properties claim nothing */
  bool silent;                              /* claims nothing at all */
} hm_entity_type;

/* The specification's type with this key, or NULL: one that the store brought. */
const hm_entity_type *hm_entity_type_find(hm_str key);

/* One property of an entity. */
typedef struct { hm_str name; const hm_json *v; } hm_prop;   /* name is folded */

/* What the claims of one entity have in common. */
typedef struct {
  const hm_entity_type *type;               /* NULL: the store's own */
  hm_str key;                               /* of the type */
  hm_str parts[HM_ELEMENTS_MAX];            /* folded elements, empty when absent */
  size_t n_parts;
} hm_slot;

/* Reads type and elements of an entity row. parts are in a or in the row. */
void hm_slot_read(hm_slot *out, const hm_snapshot *snap, const hm_row *row, const hm_prop *props,
                  size_t n, hm_arena *a);
/* What the elements say, each as the id that it would be: an entity that has it gives the element
 * its name. Returns how many there are. */
size_t hm_slot_ids(const hm_entity_type *type, const hm_prop *props, size_t n,
                   hm_str ids[HM_ELEMENTS_MAX]);
/* A folded name as it stands in slots: cut past 512 bytes, with a digest. In a. */
hm_str hm_slot_part(hm_arena *a, hm_str s);
/* Slot name of a field; field is folded, empty for the main one. Empty: no claim. */
hm_str hm_slot_name(hm_arena *a, const hm_slot *s, hm_str field);
/* hm_claim.compare of that field. */
hm_str hm_slot_compare(hm_arena *a, const hm_slot *s, hm_str field);
/* The main property, or NULL. */
const hm_prop *hm_slot_main(const hm_slot *s, const hm_prop *props, size_t n);
/* Is a property of this name an element of the slot? */
bool hm_slot_is_element(const hm_slot *s, hm_str name);

/* Does a property of this folded name say what the row is a part of: subsystem, parent, part_of,
 * ...? */
bool hm_prop_says_part_of(hm_str name);
/* Does a property of this folded name claim nothing? */
bool hm_rules_is_prose(const hm_rules *r, hm_str name);
/* Are values of this slot text, whatever they look like? */
bool hm_rules_as_text(const hm_rules *r, hm_str slot_name);
#endif
