/* What relations claim. A table of kinds says for each kind which end is its subject, and how many
 * values may hold at once. A kind that is not in the table claims nothing. */
#ifndef HM_RELATION_H
#define HM_RELATION_H
#include "core/value/containment.h"
#include "core/value/value.h"
#include "core/value/window.h"
#include "core/claim/world.h"
#include "core/record/row.h"

typedef enum {
  HM_SUBJECT_FROM, /* the subject is `from`: a person is a member */
  HM_SUBJECT_TO,   /* the subject is `to`: a place has a ruler */
  HM_SUBJECT_BOTH  /* either end: spouses */
} hm_relation_subject;

enum { HM_RELATION_PARTS_MAX = 4 };

typedef struct hm_relation_kind {
  const char *name;  /* "MEMBER_OF"; rows may write it in any case, without '_' */
  const char *words; /* for the slot's title: "member of", "ruled by" */
  hm_relation_subject subject;
  uint32_t at_once;      /* most values that may hold at one instant */
  const char *from, *to; /* hm_entity_type_key of the ends; NULL: any type */
  bool window;           /* the value is the row's own window; windows may not overlap */
  bool nests;            /* the subject lies in the other end: values agree if one
                          * contains the other (containment.h) */
  /* Subjects have a slot for each of these values of the property `split` ("": none). Rows with
   * other values claim nothing. */
  const char *split, *parts[HM_RELATION_PARTS_MAX];
  unsigned spares; /* with one of these marks a relation claims nothing */
  bool groups;     /* its values are people and groups: a ruler and his house agree,
                    * as values of a kind that nests */
  bool by_type;    /* subjects have a slot for each type of the other end */
  bool seats;      /* a subject that many hold claims nothing: by its property
                    * `seats` or its name ("Member of Parliament") */
  bool sometime;   /* without any bound it held at some time in the life of a subject that ended */
  bool outlives;   /* it holds after one of its ends ceased to exist: a parent stays
                    * the parent. Others end then (relation_claims.c) */
} hm_relation_kind;

typedef struct hm_relation_kinds {
  const hm_relation_kind *kinds;
  size_t n;
} hm_relation_kinds;

/* Does the type of a row mean this name ("MEMBER_OF")? Compares letters and digits only, ignoring
 * case and '_', '-' and spaces. */
bool hm_relation_type_is(hm_str type, const char *name);
/* The kinds of rules->relations; if that is NULL, the shipped ones. */
const hm_relation_kinds *hm_config_relation_kinds(const hm_rules *rules);
/* A digest of the kinds; empty if kinds is NULL. In a. */
hm_str hm_relation_kinds_digest(const hm_relation_kinds *kinds, hm_arena *a);
/* The kind of a relation row of this type, or NULL. */
const hm_relation_kind *hm_relation_kind_find(const hm_relation_kinds *kinds, hm_str type);
/* The kind whose slots have this space (hm_claim.space), or NULL. */
const hm_relation_kind *hm_relation_kind_of_space(const hm_relation_kinds *kinds, hm_str space);
/* The words after the subject in the title of such a slot: ": located in", ": material
 * (coating)". */
hm_str hm_relation_slot_words(hm_arena *a, const hm_relation_kind *k, hm_str space);
/* The most values that may hold at one time in a slot of this space; 1 if it is of no relation. */
uint32_t hm_relation_max_at_once(const hm_rules *rules, hm_str space);

/* The slot (project, space, name) has this value. The name is the subject: an entity's id, or
 * "kind:id" of another row, or, if no such row is stored, the text without "entity:". The same for
 * the value, which is the other end. The project is that of the subject's entity, else the
 * row's. */
typedef struct {
  uint32_t project;
  hm_str space, name, field; /* field: "from" or "to", the column of the value; "valid_from" */
  hm_value value;
} hm_relation_claim;

enum { HM_RELATION_CLAIMS = 2 };
/* Reads the claims of a relation of this kind; returns their number. None if: the types of its ends
 * do not fit the kind; both ends are the same; an end is empty, not text or longer than 512 bytes;
 * the kind nests and the other end is not a stored entity, since nobody knows in what that lies.
 * Borrows from snap; lives in a. */
size_t hm_relation_read_claims(hm_relation_claim out[HM_RELATION_CLAIMS], const hm_snapshot *snap,
                               const hm_row *row, const hm_relation_kind *k, hm_arena *a,
                               hm_arena *scratch);

/* Reads "the subject lies in the other end", for any types. True if the kind nests and both ends
 * can be named by a claim. The caller sets the window. */
bool hm_relation_read_inclusion(hm_inclusion *out, const hm_snapshot *snap, const hm_row *row,
                                const hm_relation_kind *k);

/* Marks of a relation, from any property: by its value ("kind": "adoptive"), or by its name with
 * the value true, "true" or "yes" ("posthumous": true); "biological": false is adoptive. */
enum {
  HM_MARK_POSTHUMOUS = 1,  /* posthumous, honorary: nobody need be alive */
  HM_MARK_ADOPTIVE = 2,    /* adoptive, step, foster: says nothing of a birth */
  HM_MARK_NO_FACT = 4,     /* subjective, prophetic: may be false */
  HM_MARK_BESIDE = 8,      /* regent, acting, joint, pretender: beside the holder */
  HM_MARK_FOR_A_WHILE = 16 /* on loan, temporary: it still belongs to its place */
};
/* The set of marks in props (JSON text). */
unsigned hm_relation_marks(hm_str props, hm_arena *scratch);

/* The entity id in ref, if no such row is stored: ref without "entity:". */
hm_str hm_relation_entity_id(hm_str ref);
/* The value, of field "valid_from", that a relation claims instead of its other end if its kind has
 * `window`. Two agree if each bound that both give can be the same (hm_claim_refines). HM_V_NONE if
 * the begin is not known. In a. */
hm_value hm_relation_window_value(const hm_window *w, hm_arena *a);

/* May one of its values contain another? */
bool hm_relation_values_nest(const hm_relation_kind *k);
/* May the row have bounds, so that its claims depend on its world? */
bool hm_relation_may_have_bounds(const hm_row *relation);
/* Does the existence of the ends limit a row of this kind without bounds? */
bool hm_relation_bounded_by_ends(const hm_relation_kind *k);

struct hm_existences; /* existence.h */

/* --- bounds (relation_claims.c) --------------------------------------------------------------- */

/* Reads the bounds of a relation: those of its row, or, if it has neither, those of properties with
 * one of the bound words, which are times in this world. Returns true in the latter case. *from and
 * *until are empty if not given; those of properties live in a. */
bool hm_relation_read_bounds(const hm_world *world, const hm_row *relation, hm_arena *a,
                             hm_arena *scratch, hm_str *from, hm_str *until);
/* Name of the i-th word, without '_', sorted; NULL after the last. */
const char *hm_relation_bound_word(size_t i);

/* Limits the window of the row by the existence of its ends, as its kind says. A kind that is not
 * in the table may or may not outlive its ends: if its begin is given, it certainly holds only
 * while both exist, and possibly as long as its row says. */
void hm_relation_read_window(const struct hm_existences *lives, const hm_relation_kinds *kinds,
                             uint32_t row, hm_window *w);
#endif
