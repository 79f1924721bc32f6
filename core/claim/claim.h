/* Rows to claims: "this row says that slot S has value V, from T1 until T2".
 * Design section 6. Pure: snapshot in, claims out. */
#ifndef HM_CLAIM_H
#define HM_CLAIM_H
#include "core/base/err.h"
#include "core/claim/slot.h"
#include "core/value/value.h"
#include "core/value/window.h"
#include "core/record/row.h"

typedef struct {
  uint32_t row;     /* index into snapshot->rows */
  uint32_t project; /* index into snapshot->projects */
  hm_layer layer;
  /* Part of the slot. In a space only claims of one kind meet, all comparable: identity,
   * preference; for a relation its kind, "RULES" or "USES_MATERIAL coating"; else empty. */
  hm_str space;
  hm_str name;   /* the slot's; "x (git)" for an identity or preference with a scope; for
                  * a relation the id of its subject, not folded */
  hm_str called; /* that name as the row writes it ("cache_ttl" of "cache_lifetime"); empty: so */
  hm_str field;  /* property name as written | "value" | "content" | "from" | "to"; for
                  * further claims of a text "content:api_timeout" (memory_claims.c) */
  /* Two entities, or two states, are compared if this is equal. Entity: folded type, each slot
   * element and the field, separated by 0x1f. State: the folded type that its category names and
   * 0x1f, or 0x1f and the folded category. Memory: "one" if its slot has one value (memory.h); its
   * polarity, "+" or "-", if a person confirmed it (judged.h); else empty. */
  hm_str compare;
  uint32_t thing; /* of an entity whose type has no slot but its name: two are compared if they are
                   * one thing (things.h); else 0 */
  /* What lies in what, if the value may contain others; else NULL. */
  const struct hm_containment *containment;
  const hm_window *when; /* when it holds, certainly and possibly; shared by many claims */
  hm_time stands;        /* valid_from, else created_at, else HM_TIME_MIN: unknown */
  hm_value value;
  /* For a text read as prose: what else it says (story.h); else NULL. */
  const struct hm_story_claim *said;
  /* Of a stated amount or a whole sentence that the row's prose claims, too: that slot's name; else
   * empty. Claims that have the same one are compared there. */
  hm_str twin;
  bool by_words; /* its slot is made of stems of the words of a text */
  bool several;  /* its slot holds several values: another one contradicts it only as a denial */
  bool sentence; /* its slot has sentences as values: sentence_values.h */
  hm_str author; /* of a state or an entity, how far a thing is: its sources (hm_row_origin); else
                  * empty. Of one author the later overtakes (slot_claims.h) */
  uint64_t hash; /* of (project, space, name) */
  /* Who says it, where what is said of a row differs, or has a history; else NULL. source: set
   * where another source of the row says another value: part of which claim it is. */
  const hm_evidence *said_by;
  hm_str source;
} hm_claim;

/* The space of what has no slot of its own (a name, a bound, a status), where sources of a row
 * differ on it; the slot is the row and the field. */
#define HM_ROW_SPACE "row"

typedef struct {
  hm_claim *claims;
  size_t n; /* by row index, then field's order in the row */
  /* From claims[n] on: n_context claims for stories only (story.h), by row: what superseded rows
   * said, and values that texts mention without a claim. */
  size_t n_context;
  hm_claim *silences;
  size_t n_silences; /* rows that say: value not known; by row */
  hm_finding *findings;
  size_t n_findings;                 /* unreadable rows and fields; by id */
  unsigned char *speaks;             /* for each row of the snapshot: has it a claim */
  hm_window open;                    /* of rows without bounds */
  const struct hm_existences *lives; /* of all entities; NULL if there are no relations */
  hm_arena **arenas;
  int n_arenas; /* memory of the claims */
} hm_claims;

/* Reads every claim of every active row. threads: see hm_par_for; the result does not depend on it.
 * The result borrows from snap; free it with hm_claims_free. Findings (kind ontology_violation,
 * severity warn, one per rule and row): properties that are not a JSON object (row/properties); an
 * invalid bound, an inverted window (row/window); a state's value that is marked as JSON but is not
 * (row/value). The faulty field or row claims nothing, the rest does. */
int hm_claims_read(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out,
                   hm_err *err);
/* Index of the first claim of the row, or of the next row that has one. Claims are ordered by
 * row. */
size_t hm_claims_first_of_row(const hm_claims *c, uint32_t row);
/* The same for these n rows only, ascending, each read as if it were active. */
int hm_claims_read_rows(const hm_snapshot *snap, const hm_rules *rules, const uint32_t *rows,
                        size_t n, int threads, hm_claims **out, hm_err *err);
void hm_claims_free(hm_claims *c);

/* The field of a record that the claim is of: a key, or "properties.NAME"; in a. */
hm_str hm_claim_record_field(hm_arena *a, const hm_claim *c);
/* Are they of one slot: same project, space and name? */
bool hm_claims_share_slot(const hm_claim *a, const hm_claim *b);
/* Reads the values again that depend on other claims of their slot (slot_evidence.c); in a. */
void hm_claims_reread_values(hm_claims *c, hm_arena *a);

/* Adds the claims of the active rows in proposals, in order (judged.c). rows: only these n,
 * ascending, of any status; NULL: all. Cost: linear in the members of proposals and, if there are
 * any, in the claims. */
void hm_judged_claims_add(hm_claims *c, const hm_snapshot *snap, const uint32_t *rows, size_t n,
                          hm_arena *a);
/* hm_values_are_compatible of their values, but a value that excludes all others ("JSON only") does
 * not agree with one that has more (JSON and XML). */
bool hm_claim_values_agree(const hm_claim *a, const hm_claim *b, const hm_tolerance *tol);

/* True if a and b, of one slot, may be compared at all. In a space: always. Different layers:
 * always, unless the state's category names another type than the entity's. Two entities or two
 * states: if `compare` is equal. Two memories: if the slot has one value, or one denies what the
 * other says. A denial is compared only with claims that say, or deny, the same. Symmetric. */
bool hm_claim_comparable(const hm_claim *a, const hm_claim *b);
/* hm_window_overlap and hm_window_may_overlap of their windows. */
bool hm_claim_overlap(const hm_claim *a, const hm_claim *b);
bool hm_claim_may_overlap(const hm_claim *a, const hm_claim *b);
/* Is one a more exact version of the other, so that both can hold? Yes for: texts of memories in a
 * slot with one value, if one has every word of the other ("engineer", "senior engineer"); a value
 * in a range of texts ("6 minutes", "5 to 7 minutes"; hm_value_in_range), or within a bound ("10
 * kg", "at most 12 kg") unless the slot itself is of bounds ("upload_limit"); a day without a year
 * and that day of a year; two places of which one may lie in the other (hm_places_may_nest) or
 * does by the text ("Kreuzberg, Berlin"); "about" a number or quantity and one that differs by at
 * most a quarter, or three kelvin; values that hm_values_refine compares; of a property that says
 * when something was ("born"), an approximate time and one that it may be ("1340s", 1345); the
 * name and the version of a firmware; ages in texts that were written years apart; relations whose
 * values nest, if one value lies in the other while both hold; relations whose values are their
 * windows, if each bound that both give can be the same instant. among: number of claims compared
 * with each other; among hundreds, a long search between two places may stop early and count as
 * nested (hm_containment_work_limit). */
bool hm_claim_refines(const hm_claim *a, const hm_claim *b, size_t among);
/* Is it an age, of which a text says when it was: one that grows with the years? */
bool hm_claim_is_age(const hm_claim *c);
/* Comparable, overlapping, values incompatible, neither refines the other. */
bool hm_claim_disagree(const hm_claim *a, const hm_claim *b, const hm_rules *r, size_t among);
/* Compact JSON array [project, name] or [project, space, name]. */
hm_str hm_claim_slot_key(hm_arena *a, const hm_snapshot *snap, const hm_claim *c);
/* The title of its slot, as its row calls it. */
hm_str hm_claim_title(hm_arena *a, const hm_snapshot *snap, const hm_claim *c);
#endif
