/* Rows to claims: "this row says that slot S has value V, from T1 until T2".
 * Design section 6. Pure: snapshot in, claims out. */
#ifndef HM_CLAIM_H
#define HM_CLAIM_H
#include "core/base/err.h"
#include "core/claim/slot.h"
#include "core/claim/value.h"
#include "core/claim/window.h"
#include "core/store/row.h"

typedef struct {
  uint32_t row;            /* index into snapshot->rows */
  uint32_t project;        /* index into snapshot->projects */
  hm_layer layer;
  /* Part of the slot, in which only claims of one kind meet, all of them comparable: identity,
   * preference; of a relation its kind, "RULES" or "USES_MATERIAL coating"; else empty. */
  hm_str space;
  hm_str name;             /* the slot's; of an identity or preference with a scope "x (git)"; of a
                              relation the id of the end that it speaks of, not folded */
  hm_str field;            /* property name as written | "value" | "content" | "from" | "to"; of
                              further claims of a text "content:api_timeout" (memory_claims.c) */
  /* Entities, and states, are compared when these are equal. Entity: folded type, each slot element
   * and the field, 0x1f between; state: folded type that its category names, 0x1f, or 0x1f, folded
   * category; memory: "one" where its slot has one value (memory.h); its polarity, "+" or "-",
   * where somebody confirmed it (judged.h); else empty. */
  hm_str compare;
  /* What lies in what, where its value is something that may contain others; else NULL. */
  const struct hm_containment *containment;
  const hm_window *when;   /* when it holds, certainly and possibly; many claims share one */
  hm_time stands;          /* valid_from, else created_at, else HM_TIME_MIN: unknown */
  hm_value value;
  /* Of a text: what else it says (story.h). NULL: of a field, or by the form of a memory. */
  const struct hm_story_claim *said;
  uint64_t hash;           /* of (project, space, name) */
} hm_claim;

typedef struct {
  hm_claim *claims; size_t n;               /* by row index, then field's order in the row */
  /* Behind the claims, claims[n] and on, what only a story knows (story.h): what superseded rows
   * said, and values that texts mention without a claim. By row. */
  size_t n_context;
  hm_claim *silences; size_t n_silences;    /* rows that say a slot's value is not known; by row */
  hm_finding *findings; size_t n_findings;  /* rows that cannot be read as their type says; by id */
  unsigned char *speaks;                    /* for each row of the snapshot: it has a claim */
  hm_window open;                           /* of rows without bounds */
  const struct hm_existences *lives;        /* of all entities; NULL: there is no relation */
  hm_arena **arenas; int n_arenas;          /* memory of the claims */
} hm_claims;

/* Every claim of every active row. threads: see hm_par_for.
 * The result is the same for any number of threads; it borrows from snap. Free with
 * hm_claims_free. Findings (kind ontology_violation, severity warn): properties that are
 * no JSON object (row/properties); a bound that is no time, an inverted window (row/window);
 * a state's value that is marked as JSON and is none (row/value). One of a rule for a row. The
 * field or row at fault claims nothing, the rest does. */
int hm_claims_read(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out,
                   hm_err *err);
/* The claims of n rows, ascending, and of no others, each read as if it were active: what history
 * would say. Else as hm_claims_read. */
int hm_claims_read_rows(const hm_snapshot *snap, const hm_rules *rules, const uint32_t *rows,
                        size_t n, int threads, hm_claims **out, hm_err *err);
void hm_claims_free(hm_claims *c);

/* Of one slot: project, memory type and name. */
bool hm_claims_share_slot(const hm_claim *a, const hm_claim *b);
/* Reads again the values that depend on others of their slot (claim_compare.c); in a. */
void hm_claims_reread_values(hm_claims *c, hm_arena *a);

/* Adds the claims of the active rows in proposals, each in its place; rows NULL: of all, else of
 * these n, ascending, whatever their status is. judged.c. Cost: the members of the proposals;
 * with any, also the claims. */
void hm_judged_claims_add(hm_claims *c, const hm_snapshot *snap, const uint32_t *rows, size_t n,
                          hm_arena *a);
/* May claims of two texts be compared, by what only texts say? Not where one of them is a line of a
 * log, or adds to others and the other does not say that it is the only one; both have a qualifier
 * and these differ, they are of one row, or of one agent, scope and time; never where the config
 * says that texts are not compared. True where one is no text, unless the other adds to others. */
bool hm_claim_texts_comparable(const hm_claim *a, const hm_claim *b);
/* hm_values_are_compatible of their values, but for one that excludes what it does not name: "JSON
 * only" beside JSON and XML. */
bool hm_claim_values_agree(const hm_claim *a, const hm_claim *b, const hm_tolerance *tol);

/* True if a and b, of one slot, may be compared at all. Different layers: always, unless the
 * state's category names an entity type and the entity is of another; two entities, two states:
 * with equal `compare`; two memories: of a slot that has one value, or one denies what the other
 * says. In a space of its own: always.
 * A claim that denies something is compared only with those that say, or deny, the same.
 * Symmetric. */
bool hm_claim_comparable(const hm_claim *a, const hm_claim *b);
/* hm_window_overlap and hm_window_may_overlap of their windows. */
bool hm_claim_overlap(const hm_claim *a, const hm_claim *b);
bool hm_claim_may_overlap(const hm_claim *a, const hm_claim *b);
/* Is one of them the other, said more exactly? They can both hold. Two memories' texts of a slot
 * that has one value: one has every word of the other ("engineer", "senior engineer"). A text that
 * names a range, or what lies in one ("6 minutes", "5 to 7 minutes"; hm_value_in_range); a day
 * without a year, and that day of a year; two places of which one may lie in the other
 * (hm_places_may_nest), or does by the text ("Kreuzberg, Berlin"); "about" a number or quantity,
 * and one that is at most a quarter more or less, or three kelvin; of a property that says when
 * something was ("born"), an approximate time and one that it may be ("1340s", 1345); what a
 * firmware is called, and its version; ages in texts that were written years apart. Relations
 * whose values may contain each other: one lies in the other while both hold. Those whose values
 * are their own windows: each bound that both give can be the same instant. among: how many claims
 * are compared with each other; where they are hundreds, a long way between two places may be left
 * unsearched, and they count as one in the other (hm_containment_work_limit). */
bool hm_claim_refines(const hm_claim *a, const hm_claim *b, size_t among);
/* Is it an age, of which a text says when it was: one that grows with the years? */
bool hm_claim_is_age(const hm_claim *c);
/* Comparable, overlapping, values incompatible, neither refines the other. */
bool hm_claim_disagree(const hm_claim *a, const hm_claim *b, const hm_rules *r, size_t among);
/* Compact JSON array [project, name] or [project, space, name]. */
hm_str hm_claim_slot_key(hm_arena *a, const hm_snapshot *snap, const hm_claim *c);
#endif
