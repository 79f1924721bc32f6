/* For the driver of rules: what a worker collects, references between rows, each looked up once for
 * all rules, rows as a graph of them, which rules want a row, and which relations tie it. */
#ifndef HM_RULE_DRIVER_H
#define HM_RULE_DRIVER_H
#include "core/detect/rule.h"

/* What one worker finds. */
struct hm_found {
  const hm_rule *rule;               /* that is running */
  const hm_rules *config;
  hm_dispute *disputes; size_t n, cap;
  hm_finding_list findings;
  const hm_claim **may; size_t n_may, cap_may;
  hm_overtaken *overtaken; size_t n_overtaken, cap_overtaken;
  hm_rule_work *work;                /* of each rule of the table */
  hm_arena *a, *scratch;
};

/* Of the claims of a slot, context behind, those that no story overtook; returns how many. What one
 * did overtake is noted. */
size_t hm_found_drop_overtaken(hm_found *out, const hm_snapshot *snap, const hm_claims *all,
                               const hm_claim *const *claims, size_t n, const hm_slot_story *story,
                               const hm_claim **holding);
/* By claim. */
void hm_overtaken_sort(hm_overtaken *v, size_t n);
/* Is it of the rule's layers and types? Reads the row's head. */
bool hm_rule_wants(const hm_rule *r, const hm_row *row);
/* The cards of a link: source, destination. */
void hm_link_cards(const hm_snapshot *snap, const hm_link *l, hm_ref_card out[2]);

enum { HM_ROW_CARDS = HM_N_NAMES };     /* of one row, at most */

/* What a card says of the row that is named. */
typedef struct { uint32_t project; hm_status status; } hm_row_head;

/* The references of a snapshot's rows: what they name is looked up once for all rules. */
typedef struct {
  const hm_snapshot *snap;
  uint32_t columns[HM_RELATION + 1];      /* for each layer: those that a rule reads */
  const uint32_t (*named)[HM_N_NAMES];    /* as that of the snapshot */
  const hm_row_head *heads;               /* of each row, near each other in memory */
} hm_row_refs;

/* For these rules. Lives in a. */
void hm_row_refs_init(hm_row_refs *refs, const hm_snapshot *snap, const hm_rule *rules, size_t n,
                      hm_arena *a);
/* A row's cards, of which a rule may have declared some; returns how many. The row may be hidden
 * (rule_watch.h). */
size_t hm_row_refs_list(const hm_row_refs *refs, uint32_t row, hm_ref_card out[HM_ROW_CARDS]);

/* As edges: the references that one rule declared, of the rows that it wants. */
typedef struct {
  const hm_rule *rule;
  const hm_row_refs *refs;
  uint32_t *columns;                  /* of each row: in which it has a card that the rule reads */
  uint32_t *named_by, *named_first;   /* who names row r: named_by[named_first[r]] up to that of
                                         r + 1 */
  bool *reached;                      /* rows that a walk has met; the caller's to clear */
} hm_row_graph;

/* Lives in a. Work: rows and references. */
void hm_row_graph_build(hm_row_graph *g, const hm_rule *r, const hm_row_refs *refs, hm_arena *a);
/* The edges from a row; returns how many. */
size_t hm_row_graph_list_edges(const hm_row_graph *g, uint32_t row, hm_ref_card out[HM_ROW_CARDS]);
/* The rows within `steps` references of those in rows[0..n), in either direction: appended to rows
 * (room for all), and set in g->reached, which must hold the first n already. Returns how many
 * there are. */
size_t hm_row_graph_walk(hm_row_graph *g, uint32_t *rows, size_t n, int steps);

/* --- what the rules by row and by reference ask of rows of one layer and type ---------------- */

/* One call of a finder for each such row: for this rule and the n - 1 behind it in the table
 * (hm_rule.run_together). */
typedef struct {
  const hm_rule *rule; size_t n;
  bool by_ref;
  uint32_t columns;       /* of the cards that it gets */
} hm_type_call;

typedef struct {
  hm_layer layer;
  hm_str type;
  hm_type_call *rules; size_t n;
} hm_type_calls;

enum { HM_TYPES_CACHED = 64 };

/* table, wanted (for each of its rules) and a are the caller's; the rest begins as zero. */
typedef struct {
  const hm_rule_table *table;
  const bool *wanted;
  hm_arena *a;
  hm_type_calls kept[HM_TYPES_CACHED];
} hm_type_call_cache;

/* Reads the row's head. Valid until the next call; never NULL. */
const hm_type_calls *hm_type_calls_find(hm_type_call_cache *x, const hm_row *row);

/* --- ties: the relations that tie a row to others, for rules by ties (gap_rules.c) ----------- */

/* At most so many rules of a table read by ties. */
enum { HM_TIES_RULES_MAX = 32 };

/* The ties of all rows, for the rules of a table that read by them; NULL: there are none. without:
 * rows that are taken as not there; NULL: none. Lives in a. Work: linear in rows. */
hm_ties *hm_ties_build(const hm_snapshot *snap, const hm_rule_table *table, const bool *without,
                       int threads, hm_arena *a);
/* hm_rule_keys.gaps_assumed. */
void hm_ties_assume_used(hm_ties *t);
/* Calls each rule that is about this row. */
void hm_ties_each_rule(const hm_ties *t, uint32_t row, void (*each)(void *ctx, const hm_rule *r),
                       void *ctx);
/* As hm_rule_add_affected, for a rule by ties. */
void hm_ties_add_affected(const hm_rule *r, const hm_snapshot *snap, bool *rows);
#endif
