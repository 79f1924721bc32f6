/* Parts of the driver of rules: the results of a worker; references between rows, each looked up
 * once for all rules; their graph; which rules want a row; which relations tie it. */
#ifndef HM_RULE_DRIVER_H
#define HM_RULE_DRIVER_H
#include "core/detect/rule.h"

/* The results of one worker. */
struct hm_found {
  const hm_rule *rule; /* the running rule */
  const hm_rules *config;
  hm_dispute *disputes;
  size_t n, cap;
  hm_finding_list findings;
  const hm_claim **may;
  size_t n_may, cap_may;
  hm_overtaken *overtaken;
  size_t n_overtaken, cap_overtaken;
  hm_rule_work *work; /* by rule of the table */
  hm_arena *a, *scratch;
};

/* Copies the claims of a slot (context last) that the story did not overtake to holding; returns
 * their number. Records the overtaken ones in out. */
size_t hm_found_drop_overtaken(hm_found *out, const hm_snapshot *snap, const hm_claims *all,
                               const hm_claim *const *claims, size_t n, const hm_slot_story *story,
                               const hm_claim **holding);
/* Sorts by claim. */
void hm_overtaken_sort(hm_overtaken *v, size_t n);
/* The cards of a link: source, destination. */
void hm_link_cards(const hm_snapshot *snap, const hm_link *l, hm_ref_card out[2]);

enum { HM_ROW_CARDS = HM_N_NAMES }; /* most cards of one row */

/* What a card says of the named row. */
typedef struct {
  uint32_t project;
  hm_status status;
} hm_row_head;

/* The references of a snapshot's rows, looked up once for all rules. */
typedef struct {
  const hm_snapshot *snap;
  uint32_t columns[HM_RELATION + 1];   /* by layer: those that some rule reads */
  const uint32_t (*named)[HM_N_NAMES]; /* as in the snapshot */
  const hm_row_head *heads;            /* by row, compact in memory */
} hm_row_refs;

/* Prepares the references that these rules read. Lives in a. */
void hm_row_refs_init(hm_row_refs *refs, const hm_snapshot *snap, const hm_rule *rules, size_t n,
                      hm_arena *a);
/* All cards of a row, for any rule; returns their number. The row may be hidden (rule_watch.h). */
size_t hm_row_refs_list(const hm_row_refs *refs, uint32_t row, hm_ref_card out[HM_ROW_CARDS]);

/* A graph with the references that one rule declared, in the rows that it wants, as edges. */
typedef struct {
  const hm_rule *rule;
  const hm_row_refs *refs;
  uint32_t *columns;                /* by row: columns with a card that the rule reads */
  uint32_t *named_by, *named_first; /* rows that name r: named_by[named_first[r]] up to that of r
                                     * + 1 */
  bool *reached;                    /* rows that a walk has reached; the caller clears it */
} hm_row_graph;

/* Lives in a. Cost: linear in rows and references. */
void hm_row_graph_build(hm_row_graph *g, const hm_rule *r, const hm_row_refs *refs, hm_arena *a);
/* The edges from a row; returns their number. */
size_t hm_row_graph_list_edges(const hm_row_graph *g, uint32_t row, hm_ref_card out[HM_ROW_CARDS]);
/* Appends to rows (which has room for all) the rows within `steps` references of rows[0..n), in
 * either direction, and sets them in g->reached, where the first n are set already. Returns the new
 * number. */
size_t hm_row_graph_walk(hm_row_graph *g, uint32_t *rows, size_t n, int steps);

/* --- calls of rules by row and by reference, by layer and type of a row ---------------- */

/* One call of a finder per such row, for this rule and the n - 1 after it in the table
 * (hm_rule.run_together). */
typedef struct {
  const hm_rule *rule;
  size_t n;
  bool by_ref;
  uint32_t columns; /* of the cards that it gets */
} hm_type_call;

typedef struct {
  hm_layer layer;
  hm_str type;
  hm_type_call *rules;
  size_t n;
} hm_type_calls;

enum { HM_TYPES_CACHED = 64 };

/* The caller sets table, wanted (by rule of the table) and a; the rest is zero. */
typedef struct {
  const hm_rule_table *table;
  const bool *wanted;
  hm_arena *a;
  hm_type_calls kept[HM_TYPES_CACHED];
} hm_type_call_cache;

/* Reads only the row's head. Valid until the next call; never NULL. */
const hm_type_calls *hm_type_calls_find(hm_type_call_cache *x, const hm_row *row);

/* --- ties: the relations that tie a row to others, for rules by ties (gap_rules.c) ----------- */

/* The most rules by ties in a table. */
enum { HM_TIES_RULES_MAX = 32 };

/* The ties of all rows, for the table's rules by ties; NULL if there are none. Lives in a. Cost:
 * linear in rows. */
hm_ties *hm_ties_build(const hm_snapshot *snap, const hm_rule_table *table, int threads,
                       hm_arena *a);
/* hm_rule_keys.gaps_assumed. */
void hm_ties_assume_used(hm_ties *t);
/* Calls each for every rule about this row. */
void hm_ties_each_rule(const hm_ties *t, uint32_t row, void (*each)(void *ctx, const hm_rule *r),
                       void *ctx);
#endif
