/* A value that must be nowhere in the store any more: what holds it beside the row that it was in.
 * For core/review.
 *
 * Order of calls: hm_store_delete_securely; a write transaction in which the row is changed
 * (record_edit.h) and the calls of the middle part are made; its commit; hm_store_compact. */
#ifndef HM_STORE_REDACT_H
#define HM_STORE_REDACT_H
#include "core/base/redaction.h"
#include "core/store/journal.h"
#include "core/store/store.h"

typedef struct {
  const hm_str *named; size_t n_named;     /* the rows that are redacted, "kind:id" */
  const hm_needles *own; /* what to take out of them and of what is said of them */
  const hm_needles
      *values; /* the ones long enough not to match by chance: removed from everything else */
  const hm_needles *names;                 /* the same folded, as names of slots have them */
  const hm_str *others;
  size_t n_others; /* rows that hold it too and are not: what quotes them stays as it is */
  bool lonely;     /* rename slots, too, in which named rows alone were ever said to claim */
  const hm_str *renamed;
  size_t n_renamed; /* ids of conflicts whose slots hm_redact_conflicts renamed; for the journal */
  hm_str mark;                             /* the text in its place */
} hm_redaction;

/* A text of a named row without what is its own; json: it is JSON, and only its strings and numbers
 * are searched. False when it holds nothing of it. */
bool hm_redact_text(const hm_redaction *r, bool json, hm_str *text, hm_arena *a);

/* --- inside the transaction ----------------------------------------------- */

/* Rows and projects that hold one of the values in any text of theirs: references in the order of
 * an export, "project:p05" among them; in a. */
int hm_redact_carriers(hm_store *s, const hm_needles *values, hm_arena *a, hm_str **refs, size_t *n,
                       hm_err *err);
/* Ids, in a. changed: without it now; holding: with it still, since a row that is not named claims
 * it. */
typedef struct {
  hm_str *changed, *renamed, *holding;
  size_t n_changed, n_renamed, n_holding;
} hm_redacted_conflicts;

/* In recorded conflicts of every status: what members of the named rows, and of rows that hold the
 * value no longer, are said to have claimed; verdicts; and a slot's name that holds it, unless
 * another member's row does, becomes "redacted_<id of the conflict>". No journal lines. */
int hm_redact_conflicts(hm_store *s, const hm_redaction *r, hm_arena *a, hm_redacted_conflicts *out,
                        hm_err *err);
/* Deletes the findings of named rows and those that quote the value; the next sweep finds them
 * again. */
int hm_redact_findings(hm_store *s, const hm_redaction *r, hm_arena *a, size_t *n, hm_err *err);
/* Verdicts that imports brought, without the value. */
int hm_redact_verdicts(hm_store *s, const hm_redaction *r, hm_arena *a, hm_err *err);
/* Acknowledgements and flags: their reasons without the value; where they are about a named row,
 * without the digest of the evidence, too, by which a short value could be guessed. */
int hm_redact_remarks(hm_store *s, const hm_redaction *r, hm_arena *a, hm_err *err);
/* Clears what sources of imports said in the texts of this row or conflict ("kind:id"): a digest of
 * a short text can be guessed. Before hm_redact_journal, since it may read the journal. */
int hm_redact_sources(hm_store *s, hm_str ref, hm_arena *a, hm_err *err);
/* Rewrites the lines of the journal that hold the value in any JSON spelling, except lines of
 * `others`, and adds a line by `who` that says which (journal.h). seqs: the rewritten lines, in a.
 * *chain: what became of the chain; a break in it before is to be reported. */
int hm_redact_journal(hm_store *s, const hm_redaction *r, const hm_actor *who, hm_arena *a,
                      int64_t **seqs, size_t *n, hm_journal_rewritten *chain, hm_err *err);

#endif
