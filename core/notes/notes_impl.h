/* Shared by the files of core/notes. Not for others.
 *
 * Floors, lowest first: note_heirs.c, note_written.c (when, by whom), note_unsaid.c (what a
 * document shows and does not state), note_alternatives.c, note_settled.c, note_code.c,
 * note_decision.c, note_imports.c, note_manifest.c, note_rows.c. */
#ifndef HM_NOTES_IMPL_H
#define HM_NOTES_IMPL_H
#include "core/lacks/lacks.h"
#include "core/notes/notes.h"
#include "core/passage/passage.h"

/* --- rows in versions of a document: note_heirs.c --------------------------------------------- */

/* What the row's id is a digest of, but for its number. In a. */
hm_str note_row_key(hm_str path, hm_str headings, hm_str text, hm_arena *a);
/* The id of the number-th row of this key. In a. */
hm_str note_row_id(hm_str key, uint32_t number, hm_arena *a);

/* --- when, and by whom: note_written.c -------------------------------------------------------- */

/* When the document was written last, "2026-03-01", and by whom, as it says; empty: it does not. In
 * a. */
void note_written_read(const hm_document *doc, hm_str *date, hm_str *author, hm_arena *a);

/* --- what a document gives several values of: note_alternatives.c ----------------------------- */

/* A part with what it is about and what it claims. */
typedef struct {
  note_context context;
  note_claims claims;
  hm_str text;
  bool repeated;    /* its label comes with other values, too */
  bool leads;       /* its links are there to be followed */
  uint32_t settled; /* the number of its hm_notes_settled, from 1; 0: it is not */
} note_part_reading;
/* Takes out claims of alternatives, and marks the rows whose label is repeated. v: of each part. */
void note_alternatives_drop(const hm_document *doc, note_part_reading *v, hm_arena *a);

/* --- settled lines: note_settled.c -------------------------------------------------------------
 */

/* Adds the lines of doc that a comment settles to told, and their numbers to the readings v of
 * their parts. Nothing where told keeps none. */
void note_settle_lines(const hm_document *doc, note_part_reading *v, hm_notes_told *told);

/* --- what it shows and does not state: note_unsaid.c ------------------------------------------ */

/* Blanks struck text, the words for pictures and the output of commands in the parts of doc, but
 * for headings, and takes out marks of struck text. Returns the whole text of each part. In a. */
hm_str *note_unsaid_blank(hm_document *doc, hm_arena *a);

/* --- lines of code that are rows: note_code.c ------------------------------------------------- */

/* Does the part end in ':', and does a list, a table or code follow? Before code also "..., run".
 */
bool note_leads_in(const hm_document *doc, const hm_doc_part *p);
/* The text of the row that a line of code is by itself; empty: it is none. In a. */
hm_str note_code_row(const hm_document *doc, const hm_doc_part *p, hm_arena *a);

/* --- records of decisions: note_decision.c ---------------------------------------------------- */

typedef struct {
  const hm_decisions *all;
  const hm_decision_record *record; /* NULL: the document is none */
  hm_decision decision;
} note_record;
void note_record_read(note_record *r, const hm_decisions *records, const hm_document *doc,
                      hm_str text, hm_str path, hm_arena *a);
/* Gives its Decision, and a relation for each record that it supersedes or amends, or that does so
 * with it. Returns what each returned. */
int note_record_give(const note_record *r, const hm_document *doc, hm_record_place *place,
                     hm_record_each *each, void *ctx, hm_arena *a);
/* Does the part say nothing of now: all of a record that is not in force, and of others what is not
 * the decision itself? */
bool note_is_history(const note_record *r, const hm_document *doc, size_t part);
#endif
