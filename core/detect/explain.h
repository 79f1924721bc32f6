/* Explains why something was flagged. Derived again from the store each time, never recorded. */
#ifndef HM_EXPLAIN_H
#define HM_EXPLAIN_H
#include "core/base/json.h"
#include "core/detect/found.h"

typedef struct {
  const hm_conflict_rec *rec;
  const hm_dispute *dispute; /* NULL: no longer disputed, or settled */
  hm_str *lines;
  size_t n; /* plain sentences: rule, slot, how each member came to claim it (row, field, raw,
             * normal form), window, what each contradicts, with the arithmetic of the first
             * pair, which member is flagged and why */
  hm_str question; /* for texts: a question to answer with yes or no; else empty */
  hm_str *arc;
  size_t n_arc; /* for texts: every claim of the slot by time, a line each */
  hm_str found; /* when the conflict was found, if its rows have no times; else empty. From the
                 * clock, so it is for the command, never for a page */
} hm_explanation;

/* rules: of the sweep. Uses the `explain` of the conflict's rule if it has one (rule.h). */
void hm_explain_conflict(const hm_sweep *w, const hm_conflict_rec *rec, const hm_rules *rules,
                         hm_arena *a, hm_explanation *out);
/* The same for a finding: the rule, what it expected and found, each of its rows with when it
 * holds, existed and was written, and from what source (if the sweep has details), what people said
 * of it, and how to silence it. out->rec is NULL. */
void hm_explain_finding(const hm_sweep *w, const hm_finding *f, const hm_rules *rules, hm_arena *a,
                        hm_explanation *out);
/* What of a conflict may show: one bool for each row of the snapshot; of the others which claims,
 * and by whom said (NULL: the row), of which when it was said, and which recorded members; since
 * when it is disputed (HM_TIME_MIN: not told), and the rows that it concerns; whether it may show
 * whose a value was that a row has no more. */
typedef struct {
  const bool *hidden;
  bool (*claim)(void *ctx, const hm_claim *c, const hm_evidence **said_by);
  bool (*bounds)(void *ctx, const hm_claim *c);
  bool (*member)(void *ctx, const hm_member_rec *m);
  void *ctx;
  hm_time since;
  const hm_concern *concerns;
  size_t n_concerns;
  bool past;
  bool unnamed; /* the slot's name may not show: it can be a withheld row's */
} hm_conflict_shown;
/* Writes a conflict as JSON, design section 10. clock: with detected_at (command, API), else
 * without (site). One object, compact, on one line. Members: those of the dispute while disputed,
 * else those recorded. shown: what may show (NULL: all); omits the other members and adds
 * "withheld": N. */
void hm_conflict_json(hm_buf *b, const hm_sweep *w, const hm_conflict_rec *rec,
                      const hm_conflict_shown *shown, bool clock, hm_arena *a);
/* What the members of a conflict that may show call its slot (slot.h); empty: as its key does. Of
 * a conflict that is over those that still stand, and states. */
hm_str hm_conflict_called(const hm_sweep *w, const hm_conflict_rec *rec,
                          const hm_conflict_shown *shown, hm_arena *a);
/* Writes the key as an array under "slot_key"; a key that is not an array becomes its only
 * element. */
void hm_slot_key_json(hm_jw *j, hm_str key, hm_arena *a);

/* --- for rules that explain themselves ------------------------------------------------ */

/* Explains the members, what contradicts what, which is flagged and why, since when. way: writes
 * how a row came to claim this, as the middle of a sentence, " is named by its key and"; or
 * NULL. */
void hm_explain_dispute(hm_explainer *t, const hm_dispute *d,
                        void (*way)(hm_explainer *t, const hm_claim *c));
/* Explains the members only. */
void hm_explain_members(hm_explainer *t, const hm_dispute *d,
                        void (*way)(hm_explainer *t, const hm_claim *c));
/* A `way` for relations: how the relation came to claim its slot. */
void hm_explain_relation(hm_explainer *t, const hm_claim *c);

/* --- sentences ------------------------------------------------------------------------- */

enum { SENTENCE_MAX = 1000, MEMBERS_MAX = 500 };

/* For explain.c and explain_text.c. Initialize with { w, rec, rules, a }; free line. */
struct hm_explainer {
  const hm_sweep *w;
  const hm_conflict_rec *rec;
  const hm_rules *rules;
  hm_arena *a;
  hm_buf line;
  hm_str *lines; /* the finished sentences, in a */
  size_t n, cap;
};

/* Each appends words to the line, then a fact on one line: cut, repaired, with hidden characters
 * made visible. Words and numbers of the program's own: hm_buf_c, hm_buf_fmt on t->line. */
void hm_explain_fact(hm_explainer *t, const char *words, hm_str s);
/* A fact that is a sentence. */
void hm_explain_text(hm_explainer *t, const char *words, hm_str s);
/* The fact between quotation marks. */
void hm_explain_quote(hm_explainer *t, const char *words, hm_str s);
/* "kind:id" */
void hm_explain_ref(hm_explainer *t, const char *words, const hm_claim *c);
/* The same; an entity with its field, since two of its fields can claim one slot. */
void hm_explain_party(hm_explainer *t, const char *words, const hm_claim *c);
/* "from 300 until 340", as the row writes its bounds. */
void hm_explain_window(hm_explainer *t, const char *words, const hm_bound *from,
                       const hm_bound *until);
/* Appends words and ends the line. */
void hm_explain_end_line(hm_explainer *t, const char *words);
#endif
