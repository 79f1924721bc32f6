/* The journal: who changed what, and when. Append-only. Design section 4.
 *
 * Each line's hash is SHA-256 over the hash of the line before (64 hex digits,
 * none for the first), seq in decimal, at, actor, verb, ref, before, after, why and
 * 16 random bytes, its salt, each with its length, as 64 hex digits. (A line from before version 9
 * has no salt; one without a salt and a reason is hashed without these.) A line that was changed,
 * removed from the middle or inserted later no longer fits. With a hash noted earlier one can also
 * tell whether lines were removed from the end or all hashes recomputed (hm_journal_prove).
 *
 * A redacted line keeps its hash and loses its salt: the chain holds, and nobody can guess from
 * the hash what the line said. A line of the journal says which lines were redacted. */
#ifndef HM_JOURNAL_H
#define HM_JOURNAL_H
#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/record/row.h"
#include "core/sqlite/file.h"

/* Is it a valid name for a person or program: 1 to HM_ACTOR_MAX bytes, no hidden characters
 * (hm_cp_is_hidden)? */
enum { HM_ACTOR_MAX = 200 };
bool hm_actor_name_fits(hm_str name);

/* Appends a line, inside the open write transaction. ref: "kind:id"; before, after: the record as
 * export writes it, or empty if there was, or is, none. Of a conflict with many members the line
 * holds those that came, moved or went, and a digest of the others (records.h); older lines
 * hold all of them. */
int hm_journal_add(hm_store *s, const hm_actor *who, const char *verb, hm_str ref, hm_str before,
                   hm_str after, hm_err *err);
/* The record of ref ("kind:id", kind as in an export, not a link), as export writes it, in a; empty
 * if there is none. */
int hm_journal_record_json(hm_store *s, hm_str ref, hm_arena *a, hm_str *json, hm_err *err);
/* Checks the chain from its first line. *lines: their number; *bad: seq of the first line that does
 * not fit and was not redacted, or 0. -1 only if the store cannot be read. */
int hm_journal_verify(hm_store *s, int64_t *lines, int64_t *bad, hm_err *err);

/* The texts of a line. */
typedef struct {
  int64_t seq;
  hm_str ref, before, after, why, actor, at, verb;
} hm_journal_line;
/* Calls each for each line of this row, oldest first. `each` returns 0, or -1 with err
 * filled to stop. *l is valid during the call. */
int hm_journal_lines_of(hm_store *s, hm_str ref,
                        int (*each)(void *ctx, const hm_journal_line *l, hm_err *err), void *ctx,
                        hm_err *err);
/* *yes: the row has a line with this verb. */
int hm_journal_has(hm_store *s, hm_str ref, const char *verb, bool *yes, hm_err *err);
typedef struct {
  int64_t broken;   /* the first line that did not fit its chain before, or 0 */
  int64_t rehashed; /* hashes were recomputed from this line on, since it had no salt and no commit
                     * can contain them; or 0 */
} hm_journal_rewritten;
/* For hm_redact_journal only, inside its write transaction. Calls edit for each line, oldest first;
 * it returns 1 if it changed the texts (in a, valid during the call), 0 if not, -1 with err filled.
 * Then adds a line by `who` that names the lines which keep their hash. A line that did not fit
 * before is not named, so checks still find it. */
int hm_journal_rewrite(hm_store *s,
                       int (*edit)(void *ctx, hm_journal_line *l, hm_arena *a, hm_err *err),
                       void *ctx, const hm_actor *who, hm_journal_rewritten *out, hm_err *err);

/* --- is it the journal whose hashes somebody noted? ------------------------------------------
 *
 * For publish.journal and verify. A hash covers its line and all lines before it, so the number and
 * hash of one line show whether all of them are unchanged. A store gets an id, by a line of the
 * journal, when it is first needed. A copy of the file has the same id, an export has none. */

typedef struct {
  hm_str store;  /* the store's id: 32 hex digits, in the arena; empty: none yet */
  int64_t seq;   /* of the last line; 0: no lines */
  char head[65]; /* its hash */
} hm_journal_head;
/* Reads the last line of the journal and the store's id. Reads one or two lines. */
int hm_journal_read_head(hm_store *s, hm_arena *a, hm_journal_head *out, hm_err *err);

typedef struct {
  int64_t salted; /* number of lines from before version 9 that got a salt; hashes from
                   * the first of them on were recomputed */
  int64_t broken; /* the first line that did not fit before, or 0 */
} hm_journal_salting;
/* Gives the store an id if it has none, then does the same. Uses the open write transaction, else
 * its own. From then on no hash is recomputed. Cost: all lines, the first time. */
int hm_journal_give_store_id(hm_store *s, const hm_actor *who, hm_arena *a, hm_journal_head *out,
                             hm_journal_salting *begun, hm_err *err);

typedef enum {
  HM_SEEN_SAME,
  HM_SEEN_OTHER, /* that line has another hash or does not exist */
  HM_SEEN_LATER  /* the journal ends before that line */
} hm_journal_seen;
/* A line noted earlier, by number and hash; head is borrowed. */
typedef struct {
  int64_t seq;
  hm_str head;
  hm_journal_seen seen;
} hm_journal_noted;

typedef struct {
  int64_t from, to;
  hm_str at, by, why;
} hm_journal_redaction;

typedef struct {
  hm_str store;        /* as above */
  int64_t lines, last; /* how many; number of the last one */
  int64_t bad;         /* the first line that does not fit its chain, or 0 */
  int64_t missing;     /* the first missing line, if bad comes after a gap; else 0 */
  hm_journal_redaction *redactions;
  size_t n_redactions; /* in the order in which they were made;
                           in the arena */
} hm_journal_proof;
/* Checks the chain as hm_journal_verify does, and fills seen of each of `sights`, which are sorted
 * by seq. One pass over the journal. -1 only if the store cannot be read. */
int hm_journal_prove(hm_store *s, hm_journal_noted *sights, size_t n, hm_arena *a,
                     hm_journal_proof *out, hm_err *err);

/* --- redaction: redact.c ------------------------------------------------------------------
 *
 * Removes a redacted value from everything in the store but its row itself. For core/review.
 *
 * Order of calls: hm_store_delete_securely; begin a write transaction; change the row
 * (record_edit.h); the calls under "inside the transaction"; commit; hm_store_compact. */

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

/* Removes the value from the texts of a record about this row or conflict. False: it holds none. */
bool hm_redact_record(const hm_redaction *r, hm_str ref, hm_str *record, hm_arena *a);

/* --- inside the transaction ----------------------------------------------- */

/* Ids, in a, of those from which it was removed. */
typedef struct {
  hm_str *changed, *renamed;
  size_t n_changed, n_renamed;
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
/* Records, neither rows nor conflicts, from which the value was removed: kind "evidence", ref
 * "memory:m1 erp.jsonl". */
typedef struct {
  const char *kind;
  hm_str ref;
} hm_redacted_record;
typedef struct {
  hm_redacted_record *v;
  size_t n, cap;
} hm_redacted_records;
void hm_redacted_note(hm_redacted_records *l, const char *kind, hm_str ref, hm_arena *a);

/* Redacts imported verdicts. */
int hm_redact_verdicts(hm_store *s, const hm_redaction *r, hm_arena *a, hm_redacted_records *out,
                       hm_err *err);
/* Redacts the reasons of acknowledgements and flags. Those about a named row also lose the digest
 * of the evidence, since a short value could be guessed from it. */
int hm_redact_remarks(hm_store *s, const hm_redaction *r, hm_arena *a, hm_redacted_records *out,
                      hm_err *err);
/* Redacts what sources say. Call after the rows changed. */
int hm_redact_evidence(hm_store *s, const hm_redaction *r, hm_arena *a, hm_redacted_records *out,
                       hm_err *err);
/* Calls each for what every source says of the row, where that is kept apart from it: its record
 * and its history (NULL: it has none), in a. */
typedef void hm_said_record_fn(void *ctx, const hm_json *record, const hm_json *history);
int hm_said_records(hm_store *s, hm_str ref, hm_said_record_fn *each, void *ctx, hm_arena *a,
                    hm_err *err);
/* Rewrites the lines of the journal that hold the value in any JSON spelling, except lines of
 * `others`, and adds a line by `who` that says which (journal.h). seqs: the rewritten lines, in a.
 * *chain: the state of the chain; the caller reports an earlier break. */
int hm_redact_journal(hm_store *s, const hm_redaction *r, const hm_actor *who, hm_arena *a,
                      int64_t **seqs, size_t *n, hm_journal_rewritten *chain, hm_err *err);
#endif
