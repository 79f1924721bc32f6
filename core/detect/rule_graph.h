/* Rows as a graph whose edges are references. For the driver of rules. */
#ifndef HM_RULE_GRAPH_H
#define HM_RULE_GRAPH_H
#include "core/detect/rule.h"

/* Is it of the rule's layers and types? Reads the row's head. */
bool hm_rule_wants(const hm_rule *r, const hm_row *row);
enum { HM_ROW_CARDS = 4 };
/* The cards of the row's references in the rule's columns; returns how many. */
size_t hm_row_cards(const hm_rule *r, const hm_snapshot *snap, uint32_t row,
                    hm_ref_card out[HM_ROW_CARDS]);
/* Those of a link: source, destination. */
void hm_link_cards(const hm_snapshot *snap, const hm_link *l, hm_ref_card out[2]);

typedef struct {
  const hm_ref_card *cards;     /* of all rows, by `from` */
  uint32_t *card_first;         /* row r: cards[card_first[r]] up to cards[card_first[r + 1]] */
  uint32_t *named_by, *named_first;   /* the rows that name row r, likewise */
  bool *reached;                /* rows that a walk has met; the caller's to clear */
} hm_row_graph;

/* Of the references that the rule declares. Lives in a. Work: rows and references. */
void hm_row_graph_of(hm_row_graph *g, const hm_rule *r, const hm_snapshot *snap, hm_arena *a);
/* The rows within `steps` references of those in rows[0..n), in either direction: appended to rows
 * (room for all), and set in g->reached, which must hold the first n already. Returns how many
 * there are. */
size_t hm_row_graph_walk(hm_row_graph *g, uint32_t *rows, size_t n, int steps);
#endif
