/* Why was this flagged? Re-derived from the store, never remembered. */
#ifndef HM_EXPLAIN_H
#define HM_EXPLAIN_H
#include "core/base/json.h"
#include "core/detect/sweep.h"

typedef struct {
  const hm_conflict_rec *rec;
  const hm_dispute *dispute;      /* NULL: no longer disputed, or settled */
  hm_str *lines;
  size_t n;     /* plain sentences: rule, slot, how each member came to claim it (row, field,
                   raw, normal form), window, whom each contradicts, with the arithmetic of
                   the first, why which member is flagged */
  hm_str question; /* of texts: one that a person can answer with yes or no; else empty */
  hm_str *arc; size_t n_arc; /* of texts: every claim of the slot in order of time, a line each */
  hm_str found; /* when the conflict was found, where its rows have no times; else empty.
                   By the clock, so it is for the command and never for a page */
} hm_explanation;

/* rules: of the sweep; a rule of their table that explains itself does (rule.h). */
void hm_explain_conflict(const hm_sweep *w, const hm_conflict_rec *rec, const hm_rules *rules,
                         hm_arena *a, hm_explanation *out);
/* Why this was found, likewise: the rule, what it expected and what stands there, each of its rows
 * with when it holds, when it existed, when it was written and from what (where the sweep has
 * details), what people said of it, and how to silence it. out->rec is NULL. */
void hm_explain_finding(const hm_sweep *w, const hm_finding *f, const hm_rules *rules, hm_arena *a,
                        hm_explanation *out);
/* The JSON of a conflict, design section 10. clock: with detected_at (command, API), else without
 * (site). One object, compact, on one line. Members: those of the dispute while disputed, else
 * those recorded. hidden: rows that must not show (NULL: none), one bool for each snapshot row;
 * such members are left out and "withheld": N is added. */
void hm_conflict_json(hm_buf *b, const hm_sweep *w, const hm_conflict_rec *rec, const bool *hidden,
                      bool clock, hm_arena *a);
/* Its key as the array that it is, under "slot_key"; text that is none stands as its only element.
 */
void hm_slot_key_json(hm_jw *j, hm_str key, hm_arena *a);

/* --- for rules that explain themselves ------------------------------------------------ */

/* The members, who contradicts whom, who is flagged and why, since when. way: says how a row came
 * to speak of this, as the middle of a sentence, " is named by its key and"; or NULL. */
void hm_explain_dispute(hm_explainer *t, const hm_dispute *d,
                        void (*way)(hm_explainer *t, const hm_claim *c));
/* The members alone. */
void hm_explain_members(hm_explainer *t, const hm_dispute *d,
                        void (*way)(hm_explainer *t, const hm_claim *c));
/* How a relation came to speak of its slot; a way. */
void hm_explain_relation(hm_explainer *t, const hm_claim *c);

/* --- sentences ------------------------------------------------------------------------- */

enum {
  SENTENCE_MAX = 1000,
  MEMBERS_MAX = 500
};

/* For explain.c and explain_text.c. Begin with { w, rec, rules, a }; free line. */
struct hm_explainer {
  const hm_sweep *w;
  const hm_conflict_rec *rec;
  const hm_rules *rules;
  hm_arena *a;
  hm_buf line;
  hm_str *lines;   /* that are told, in a */
  size_t n, cap;
};

/* Words; a line break ends a sentence. In them stand for an argument: %s a const char *, %d an int,
 * %z a size_t; %p an hm_str, as bytes of a fact on one line, cut, and what does not show is made
 * to; %q the same quoted; %c a const hm_claim *, as "kind:id"; %w the same as a party, an entity
 * with its field, since a row can claim one slot by two; %t two const hm_bound *, as a window. */
void hm_explainf(hm_explainer *t, const char *words, ...);
/* Bytes of a fact on one line: cut, repaired, and what does not show is made to. */
void hm_explain_text(hm_explainer *t, hm_str s, size_t max);
#endif
