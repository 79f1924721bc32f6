/* Names of slots: what an entity of each type is about. Design section 6; the specification defines
 * the types and their slots. */
#ifndef HM_SLOT_H
#define HM_SLOT_H
#include "core/base/json.h"
#include "core/value/value.h"
#include "core/record/row.h"

enum { HM_ELEMENTS_MAX = 2 };

typedef struct {
  const char *key;                       /* hm_entity_type_key of its name */
  const char *elements[HM_ELEMENTS_MAX]; /* X of X, X_id, X_name */
  const char *main[2];                   /* main field: the first present one */
  bool main_only;                        /* other properties claim nothing, but sentences */
  bool silent;                           /* claims nothing at all */
} hm_entity_type;

/* Folded entity type without underscores: "AnalysisModel", "analysis_model" -> "analysismodel".
 * Over 512 bytes it is cut and gets a digest, like the elements of a slot. */
hm_str hm_entity_type_key(hm_arena *a, hm_str type);
/* The specification's type with this key, or NULL for a type of the store. */
const hm_entity_type *hm_entity_type_find(hm_str key);

/* One property of an entity. */
typedef struct {
  hm_str name;
  const hm_json *v;
} hm_prop; /* name is folded */
/* The members of an object, object->count of them, in their order. In a. */
const hm_prop *hm_props_collect(const hm_json *object, hm_arena *a);

/* The common part of the claims of an entity. */
typedef struct {
  const hm_entity_type *type;        /* NULL: the store's own */
  const hm_type_slot *own;           /* what the config says of the store's own; NULL: nothing */
  hm_str key;                        /* of the type */
  hm_str parts[HM_ELEMENTS_MAX + 1]; /* folded elements, empty when absent */
  size_t n_parts;
} hm_entity_slot;

/* Reads type and elements of an entity row. parts are in a or in the row. rules: those of the
 * claims (hm_rules.slots). A type of the store that has no slot there has (type, name), and is
 * compared by things.h. */
void hm_entity_slot_read(hm_entity_slot *out, const hm_snapshot *snap, const hm_rules *rules,
                         const hm_row *row, const hm_prop *props, size_t n, hm_arena *a);
/* A folded name as in slots: over 512 bytes cut, with a digest. In a, or s itself. */
hm_str hm_slot_shorten_part(hm_arena *a, hm_str s);
/* A slot's name without a redundant last word: a coating is a material, a firmware is a version. So
 * "mirror_coating_material" and "mirror_coating" are one slot, in every layer; "coating_material"
 * alone stays, since it names no thing. Returns a slice of name. */
hm_str hm_slot_drop_redundant_word(hm_str name);
/* The same, and by the one name of its attribute (attribute_names.h): "cache_ttl" is
 * "cache_lifetime". v: its value. In a, or a slice of name. */
hm_str hm_slot_one_name(hm_arena *a, hm_str name, const hm_value *v);
/* Slot name of a field; field is folded, empty for the main one. Empty: no claim. */
hm_str hm_slot_name(hm_arena *a, const hm_entity_slot *s, hm_str field);
/* hm_claim.compare of that field. */
hm_str hm_claim_compare_key(hm_arena *a, const hm_entity_slot *s, hm_str field);
/* The main property, or NULL. */
const hm_prop *hm_slot_main_prop(const hm_entity_slot *s, const hm_prop *props, size_t n);
/* True if a property of this folded name is an element of the slot. */
bool hm_slot_is_element(const hm_entity_slot *s, hm_str name);

/* What rows call a slot: attributes have synonyms, and a reader looks for what the rows say. */
enum { HM_CALLED_MAX = 4 };
typedef struct {
  hm_str names[HM_CALLED_MAX]; /* the first ones by bytes, distinct, sorted */
  size_t n;
  bool more;
} hm_called;
/* Adds what one row calls it: called, or, where that is empty, the slot's own name. */
void hm_called_add(hm_called *c, hm_str called, hm_str own);
/* "cache_lifetime, cache_ttl"; empty: all by the slot's own name, or there are none. In a. */
hm_str hm_called_join(const hm_called *c, hm_str own, hm_arena *a);
/* A slot key for people: "p05 / lateral_support_material", "global / preference: workflow". called:
 * the name to show in place of the key's, or empty. Returns slot_key itself if it is not an array.
 */
hm_str hm_slot_title(hm_arena *a, hm_str slot_key, hm_str called);

/* True if a property of this folded name says what the row is a part of (subsystem, parent). */
bool hm_prop_says_part_of(hm_str name);
/* True unless a property of this folded name only names the row (an element of a slot) or is prose
 * or a unit. */
bool hm_prop_may_be_value(hm_str name);

/* The property `claim_kind` of an entity or relation: "subjective", "prophetic", or empty for
 * anything else. Such rows are beliefs or prophecies, not facts: they are shown as such and claim
 * nothing. props: JSON text. Returns static text. */
hm_str hm_props_claim_kind(hm_str props, hm_arena *scratch);

/* --- what a slot, or a value, depends on besides its row ---------------------------- */

/* The bare ids that the elements of an entity's slot may be. An entity of the same project with
 * such an id, if there is one, gives its name to the slot. Texts in a. Returns their number. */
size_t hm_claim_input_ids(const hm_row *entity, hm_str ids[HM_ELEMENTS_MAX], hm_arena *a);

#endif
