/* Parts of the driver of rules: the results of a worker; what a rule gets of the graph of rows;
 * which rules want a row; which relations tie it. */
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
/* --- what a rule gets of the graph of rows: rule_graph.c ---------------------------------- */

/* The cards of a link: source, destination. */
void hm_link_cards(const hm_snapshot *snap, const hm_row_graph *g, size_t link, hm_ref_card out[2]);
/* The cards of a row in these columns; returns their number. Rows may be hidden (rule_watch.h). */
size_t hm_row_cards(const hm_snapshot *snap, const hm_row_graph *g, uint32_t row, uint32_t columns,
                    hm_ref_card out[HM_N_NAMES]);
/* By row, the columns that the rule reads as references, in a. */
uint32_t *hm_rule_columns(const hm_rule *r, const hm_snapshot *snap, hm_arena *a);
/* Writes the rows of a row's component by references in these columns to rows, which has room for
 * all, and sets them in reached; returns their number, 0 if the row is reached already. */
size_t hm_component_rows(const hm_row_graph *g, const uint32_t *columns, uint32_t row,
                         bool *reached, uint32_t *rows);

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

/* What rules by ties of the table ask about rows; NULL if there are no such rules. Lives in a.
 * Cost: linear in rows. */
hm_ties *hm_ties_build(const hm_snapshot *snap, const hm_row_graph *graph,
                       const hm_rule_table *table, hm_arena *a);
/* The next rule about this row, from *at (first 0) on; NULL after the last. */
const hm_rule *hm_ties_next_rule(const hm_ties *t, uint32_t row, int *at);

/* A gap that all rows of a type in a project have is one finding, from so many rows on. */
enum { HM_GAP_WHOLE = 20 };
/* Folds such gaps of f, the n findings of a sweep: one with all the rows, in order of their
 * references, takes their place, behind the others. Returns how many are left. What is new lives in
 * a. Cost: linear in rows and findings. */
size_t hm_gaps_fold(const hm_ties *t, hm_finding *f, size_t n, hm_arena *a);
#endif
