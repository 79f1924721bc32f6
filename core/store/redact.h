/* Removes a redacted value from everything in the store but its row itself. For core/review.
 *
 * Order of calls: hm_store_delete_securely; begin a write transaction; change the row
 * (record_edit.h); the calls under "inside the transaction"; commit; hm_store_compact. */
#ifndef HM_STORE_REDACT_H
#define HM_STORE_REDACT_H
#include "core/base/redaction.h"
#include "core/store/journal.h"
#include "core/store/store.h"

typedef struct {
  const hm_str *named;
  size_t n_named;        /* the redacted rows, "kind:id" */
  const hm_needles *own; /* texts to remove from them and from statements about them */
  const hm_needles
      *values; /* those long enough not to match by chance: removed from everything else */
  const hm_needles *names; /* the same, folded as in slot names */
  const hm_str *others;
  size_t n_others; /* rows that hold the value but are not redacted: quotes of them stay */
  bool lonely;     /* also rename slots in which only named rows ever had claims */
  const hm_str *renamed;
  size_t n_renamed; /* conflicts (ids) with slots that hm_redact_conflicts renamed */
  hm_str mark;      /* replaces the value */
} hm_redaction;

/* Removes r->own from a text of a named row. json: the text is JSON; searches its strings and
 * numbers only. Returns false if the text has none of it. */
bool hm_redact_text(const hm_redaction *r, bool json, hm_str *text, hm_arena *a);

/* --- inside the transaction ----------------------------------------------- */

/* Rows and projects with one of the values in any of their texts: references in the order of an
 * export, such as "project:p05"; in a. */
int hm_redact_carriers(hm_store *s, const hm_needles *values, hm_arena *a, hm_str **refs, size_t *n,
                       hm_err *err);
/* Ids, in a. changed: the value was removed; holding: it stays, since a row that is not named
 * claims it. */
typedef struct {
  hm_str *changed, *renamed, *holding;
  size_t n_changed, n_renamed, n_holding;
} hm_redacted_conflicts;

/* Redacts recorded conflicts of every status: the recorded claims of members in named rows and in
 * rows that no longer hold the value, and verdicts. A slot name with the value becomes
 * "redacted_<id of the conflict>", unless another member's row holds it. Writes no journal
 * lines. */
int hm_redact_conflicts(hm_store *s, const hm_redaction *r, hm_arena *a, hm_redacted_conflicts *out,
                        hm_err *err);
/* Deletes the findings of named rows and those that quote the value; the next sweep finds them
 * again. */
int hm_redact_findings(hm_store *s, const hm_redaction *r, hm_arena *a, size_t *n, hm_err *err);
/* Redacts imported verdicts. */
int hm_redact_verdicts(hm_store *s, const hm_redaction *r, hm_arena *a, hm_err *err);
/* Redacts the reasons of acknowledgements and flags. Those about a named row also lose the digest
 * of the evidence, since a short value could be guessed from it. */
int hm_redact_remarks(hm_store *s, const hm_redaction *r, hm_arena *a, hm_err *err);
/* Clears the recorded statements of import sources about the texts of this row or conflict
 * ("kind:id"), since a short text can be guessed from its digest. Call before hm_redact_journal,
 * since it may read the journal. */
int hm_redact_sources(hm_store *s, hm_str ref, hm_arena *a, hm_err *err);
/* Rewrites the lines of the journal that hold the value in any JSON spelling, except lines of
 * `others`, and adds a line by `who` that says which (journal.h). seqs: the rewritten lines, in a.
 * *chain: the state of the chain; the caller reports an earlier break. */
int hm_redact_journal(hm_store *s, const hm_redaction *r, const hm_actor *who, hm_arena *a,
                      int64_t **seqs, size_t *n, hm_journal_rewritten *chain, hm_err *err);

#endif
