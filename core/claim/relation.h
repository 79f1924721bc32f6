/* What relations claim: a table of kinds says of each which end it speaks of, and how many values
 * may hold there at once. A kind that is not in the table claims nothing. */
#ifndef HM_RELATION_H
#define HM_RELATION_H
#include "core/claim/containment.h"
#include "core/claim/value.h"
#include "core/claim/window.h"
#include "core/claim/world.h"
#include "core/store/row.h"

typedef enum {
  HM_SUBJECT_FROM,     /* a person is a member: the row speaks of what it comes from */
  HM_SUBJECT_TO,       /* a place has a ruler: of what it leads to */
  HM_SUBJECT_BOTH      /* spouses: of either end */
} hm_relation_subject;

enum { HM_RELATION_PARTS_MAX = 4 };

typedef struct hm_relation_kind {
  const char *name;                /* "MEMBER_OF"; rows may write it in any case, without '_' */
  const char *words;               /* of the slot, for people: "member of", "ruled by" */
  hm_relation_subject subject;
  uint32_t at_once;                /* so many values of the subject may hold at one instant */
  const char *from, *to;           /* hm_entity_type_key of the ends; NULL: of any type */
  bool window;                     /* the value is the row's own window: they may not overlap */
  bool nests;                      /* the subject lies in the other end: values of which one
                                      contains the other agree (containment.h) */
  /* Subjects have a slot for each of these values of a property ("" for none), and claim nothing
   * by rows of other values. */
  const char *split, *parts[HM_RELATION_PARTS_MAX];
  unsigned spares;                 /* with one of these marks a relation claims nothing */
  bool groups;                     /* its values are people and groups: a ruler and the house of
                                      which he is a member agree, as values of a kind that nests */
  bool by_type;                    /* subjects have a slot for each type of the other end */
  bool seats;                      /* a subject that is held by many claims nothing: its property
                                      `seats` says so, or its name ("Member of Parliament") */
  bool outlives;                   /* it goes on when one of its ends exists no more: a parent stays
                                      the parent. Others end then (relation_claims.c) */
} hm_relation_kind;

typedef struct hm_relation_kinds { const hm_relation_kind *kinds; size_t n; } hm_relation_kinds;

/* Does a row write this type so? name: "MEMBER_OF"; letters and digits of both are the same,
 * whatever their case and the '_', '-' and spaces between them. */
bool hm_relation_type_is(hm_str type, const char *name);
/* The kinds of rules->relations; where that is NULL, the shipped ones. */
const hm_relation_kinds *hm_config_relation_kinds(const hm_rules *rules);
/* Changes when what they say does; empty where kinds is NULL. In a. */
hm_str hm_relation_kinds_digest(const hm_relation_kinds *kinds, hm_arena *a);
/* The kind of a relation row of this type, or NULL. */
const hm_relation_kind *hm_relation_kind_find(const hm_relation_kinds *kinds, hm_str type);
/* The kind whose slots have this space (hm_claim.space), or NULL. */
const hm_relation_kind *hm_relation_kind_of_space(const hm_relation_kinds *kinds, hm_str space);
/* What follows the subject in the title of such a slot: ": located in", ": material (coating)". */
hm_str hm_relation_slot_words(hm_arena *a, const hm_relation_kind *k, hm_str space);
/* So many values may hold at one time in a slot of this space; 1 where it is of no relation. */
uint32_t hm_relation_max_at_once(const hm_rules *rules, hm_str space);

/* "The slot (project, space, name) has this value." The name is the id of the subject: of an entity
 * its own, of another row "kind:id", and as it is written, without "entity:", where none is stored;
 * likewise the value of the other end. The project is that of the subject's entity, else the row's.
 */
typedef struct {
  uint32_t project;
  hm_str space, name, field;   /* field: "from" or "to", where the value stands; "valid_from" */
  hm_value value;
} hm_relation_claim;

enum { HM_RELATION_CLAIMS = 2 };
/* What a relation of this kind claims; returns how many. None: where the types of its ends do not
 * bind; both ends are one; an end is empty, no text or longer than 512 bytes; the kind nests and
 * no entity is stored for the other end: nobody knows in what that lies. Borrows from snap; lives
 * in a. */
size_t hm_relation_read_claims(hm_relation_claim out[HM_RELATION_CLAIMS], const hm_snapshot *snap,
                               const hm_row *row, const hm_relation_kind *k, hm_arena *a,
                               hm_arena *scratch);

/* "The subject lies in the other end", whatever their types; true if the kind nests and both ends
 * are what a claim can name. The window is the caller's. */
bool hm_relation_read_inclusion(hm_inclusion *out, const hm_snapshot *snap, const hm_row *row,
                           const hm_relation_kind *k);

/* What a relation says of itself, in any property: its value ("kind": "adoptive"), or its name with
 * the value true, "true" or "yes" ("posthumous": true); "biological": false is adoptive. */
enum {
  HM_MARK_POSTHUMOUS = 1, /* posthumous, honorary: needs nobody alive */
  HM_MARK_ADOPTIVE = 2,   /* adoptive, step, foster: says nothing of a birth */
  HM_MARK_NO_FACT = 4,    /* subjective, prophetic: may be false */
  HM_MARK_BESIDE = 8,     /* regent, acting, joint, pretender: stands beside who has it */
  HM_MARK_FOR_A_WHILE = 16 /* on loan, temporary: where it belongs it stays */
};
/* A set of them. props: JSON text. */
unsigned hm_relation_marks(hm_str props, hm_arena *scratch);

/* The id of an entity that ref is, if none is stored: without "entity:". */
hm_str hm_relation_entity_id(hm_str ref);
/* What a relation whose kind says `window` claims in the place of its other end, by its field
 * "valid_from": two agree where each bound that both give can be the same (hm_claim_refines). Of no
 * kind where no begin is known. In a. */
hm_value hm_relation_window_value(const hm_window *w, hm_arena *a);

/* Calls each with every id of an entity, stored or to come, that an end of the relation may be. */
void hm_relation_each_end(const hm_row *relation, void (*each)(void *ctx, hm_str id), void *ctx);
/* Of these the ids on which the claims of this relation, of kind k, depend: their type, the project
 * of the subject, the world of the end that it comes from, and of what something lies in whether it
 * is stored, where it is not; where a bound is missing, when the ends existed. Returns how many. */
enum { HM_RELATION_INPUTS = 4, HM_RELATION_END_IDS = 2 };
size_t hm_relation_input_ids(const hm_snapshot *snap, const hm_row *relation,
                             const hm_relation_kind *k, const hm_rules *rules,
                             hm_str ids[HM_RELATION_INPUTS]);
/* May one of its values contain another? */
bool hm_relation_values_nest(const hm_relation_kind *k);
/* May a row say from when until when it holds, so that its world is asked? */
bool hm_relation_may_have_bounds(const hm_row *relation);
/* Do its bounds, where a row gives none, lie in the existence of the ends? */
bool hm_relation_bounded_by_ends(const hm_relation_kind *k);
/* The ids that the subject, or the other end, of a relation may have; returns how many. */
size_t hm_relation_end_ids(const hm_row *relation, const hm_relation_kind *k, bool subject,
                           hm_str ids[HM_RELATION_END_IDS]);

struct hm_existences;   /* existence.h */

/* --- bounds (relation_claims.c) --------------------------------------------------------------- */

/* From when until when a relation says that it holds: the bounds of its row; where it has neither,
 * those that its properties give by one of the words (true), which are times in this world. *from
 * and *until are empty where nobody says; those of properties live in a. */
bool hm_relation_read_bounds(const hm_world *world, const hm_row *relation, hm_arena *a,
                             hm_arena *scratch, hm_str *from, hm_str *until);
/* Name of the i-th word, without '_', sorted; NULL after the last. */
const char *hm_relation_bound_word(size_t i);

/* Does its row leave a bound open? An end `current` is given. */
bool hm_relation_lacks_bound(const hm_row *relation);

/* The same of the row as a whole: what its kind claims, of both ends where it speaks of both. Of a
 * kind that is not in the table nobody knows whether it outlives its ends: where its begin is
 * given, it certainly holds only as long as both exist, and possibly as its row says. */
void hm_relation_read_window(const struct hm_existences *lives, const hm_relation_kinds *kinds,
                             uint32_t row, hm_window *w);
#endif
