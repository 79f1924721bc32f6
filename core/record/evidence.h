/* What each source says of a row: the table evidence. Design section 2 and 5.
 *
 * A source is a file that is imported, or a person or program that writes. The row follows from its
 * evidence (hm_evidence_merge): a field has the value of the first source by name that says one. A
 * statement that a person judged is over: an edit outranks what it saw, a verdict ends what it
 * decided against. While all sources of a row say what it has, a digest of the row stands for what
 * they say. */
#ifndef HM_EVIDENCE_H
#define HM_EVIDENCE_H
#include "core/record/records.h"

/* Since when the value of a field stands. field: a key, of a property "properties.NAME". */
typedef struct {
  hm_str field, at;
  hm_str past; /* what it was: a JSON array of {"value", "until", "source"}, or empty */
} hm_said_since;

/* A value that a person judged: who else says it is not heard. */
typedef struct {
  hm_str field, value;
  hm_str conflict; /* of a verdict: its conflict; the judge's own value is over, too */
} hm_said_over;

/* What one source says. */
typedef struct {
  hm_str source;
  hm_str at;    /* when an import or an edit saw a change; empty: none was seen */
  hm_str came;  /* when the row came, of a restored store: pages of one name go by that; or empty */
  hm_str first; /* the date of the record before the first change that was seen */
  bool person;  /* a person's edit or verdict: over what it saw */
  bool gone;    /* it says nothing of the row any more; what it said last is kept */
  bool absent;  /* it says nothing of the row in its last version; what it said still counts */
  hm_cell cells[HM_MAX_FIELDS + 1]; /* absent: it does not say */
  const hm_json *object;            /* the properties among them, once they were read */
  const char *object_text;          /* of which text */
  hm_said_since *since;
  size_t n_since, cap_since;
  hm_said_over *over;
  size_t n_over, cap_over;
  hm_str stored; /* as it was read: all its columns; empty: it is new */
} hm_said;

typedef struct hm_said_set {
  hm_kind_index kind;
  hm_str ref;
  hm_said **v;
  size_t n, cap; /* by source; "" is who wrote a row without a word of who it was */
  bool was_nameless;
  hm_arena *a;
} hm_said_set;

/* Reads what is said of the record ref. row: its cells; NULL: it is gone. A record that another
 * program changed since is read from the journal. Lives in a. */
int hm_evidence_load(hm_store *s, hm_kind_index kind, hm_str ref, const hm_cell *row, hm_arena *a,
                     hm_said_set *out, hm_err *err);
/* Adds what a statement's row says: source, at, record and history from column `first` on. False:
 * it has no record. */
bool hm_evidence_add_row(hm_said_set *set, hm_stmt *st, int first, hm_said **out);
/* Replaces what is stored. row: the cells of the row as it is stored now. */
int hm_evidence_save(hm_store *s, const hm_said_set *set, const hm_cell *row, hm_err *err);
/* Takes r, a record of kind evidence, and stores it. own: the source of the stream that has it;
 * what that says of the row is dropped where the row follows from the rest. row: as it is stored;
 * it becomes what follows. *changed: something was new; *moved: the row differs now. Errors: the
 * record is none of this row. */
int hm_evidence_take(hm_store *s, const hm_record_place *p, hm_said_set *set, const hm_record *r,
                     hm_str own, hm_cell *row, bool *changed, bool *moved);
/* What this source says; added, with nothing, unless it is known. */
hm_said *hm_evidence_of(hm_said_set *set, hm_str source);
/* What nobody is known to have said is this source's from now on; NULL: there is none. */
hm_said *hm_evidence_adopt(hm_said_set *set, hm_str source);
/* The row that follows: cells that nobody says are absent. */
void hm_evidence_merge(const hm_said_set *set, hm_cell *out);
/* The row after what is said of it changed: what follows now, where that is not what followed
 * before; else what the row has. */
void hm_evidence_apply(const hm_kind *k, const hm_cell *before, const hm_cell *followed,
                       const hm_cell *follows, hm_cell *after);

/* Is the field i, or a member of properties (member not NULL), as e says it, over? */
bool hm_evidence_is_over(const hm_said_set *set, const hm_said *e, hm_str field, hm_str value);
/* The text by which values are compared: of a cell, of a property. */
hm_str hm_said_text(const hm_kind *k, int i, const hm_cell *cells);
hm_str hm_said_member_text(const hm_json *v, hm_arena *a);
/* "properties.NAME". */
hm_str hm_said_member_field(hm_str name, hm_arena *a);
/* The object of a cell; NULL: it has none. */
const hm_json *hm_cell_object(const hm_cell *cell, hm_arena *a);
/* The first field of this name in a JSON object; any byte is allowed in names. */
const hm_json *hm_said_member(const hm_json *object, hm_str name);

/* Another source whose statement of this field counts and has another value; NULL: none. */
const hm_said *hm_evidence_opponent(const hm_said_set *set, const hm_said *e, hm_str field,
                                    hm_str value);
/* Do two differing values of this field contradict each other? No: provenance, notes, tags. */
bool hm_said_contradicts(const hm_record_field *f);

/* A person's statement: e says this value (empty: nothing), and every other one is over. agent: it
 * only says it. */
void hm_evidence_judge(hm_said_set *set, hm_said *e, hm_str field, hm_str value, bool agent);
/* Does a person say something of what the row is about? Then it stands, though no source says it.
 */
bool hm_evidence_is_held(const hm_said_set *set);
/* The references of rows of which the source says something, sorted; in a. */
int hm_evidence_list_rows(hm_store *s, hm_str source, hm_arena *a, hm_str **out, size_t *n,
                          hm_err *err);
/* What an import finds that its source named once and names no more. */
typedef struct {
  hm_str source;
  const hm_map *said; /* references that it names */
  hm_import_gone what;
  hm_import_edited *edited; /* NULL: only rows whose columns name their slot */
  void *edited_ctx;
  const hm_actor *who; /* who->why: why */
  /* Rows that took the place of rows that are gone: reference of the gone one -> index into
   * heir_refs; NULL: none. */
  const hm_map *heirs;
  const hm_str *heir_refs;
} hm_said_end;
/* Ends or notes what the source says of each row that it does not name; *n: how many; *ended: of
 * them, those that ended. A row that nobody says any more becomes invalid, or superseded by its
 * heir, and ends in any case; one that a person holds stands; an heir of the same content takes
 * over its verdict. */
int hm_evidence_end_source(hm_store *s, const hm_said_end *end, int64_t *n, int64_t *ended,
                           hm_err *err);
/* e's value of the field counts, whoever judged it or says otherwise as a person. */
void hm_evidence_win(hm_said_set *set, const hm_said *e, hm_str field, hm_str value);
/* What this source says of a field is over, as e judges in this conflict. */
void hm_evidence_end(hm_said_set *set, hm_said *e, hm_str source, hm_str field, hm_str conflict);
/* A value that a verdict ended. */
typedef struct {
  hm_str source, field, value;
} hm_said_ended;
/* What verdicts on this conflict ended; returns how many values. The list lives in set->a. */
size_t hm_evidence_list_ended(const hm_said_set *set, hm_str conflict, hm_said_ended **out);
/* Takes that back. A judge who says nothing else is dropped. */
int hm_evidence_revive(hm_store *s, hm_said_set *set, hm_str conflict, hm_err *err);
/* Notes that e's value of a field changed at this time from `was` (empty: it said nothing). */
void hm_evidence_note_change(hm_said_set *set, hm_said *e, hm_str field, hm_str was, hm_str at,
                             hm_str source);
/* Notes what other sources say of the field, neither `was` nor `now`: a person's edit from `was` to
 * `now` outranks it, so that it is past. Before hm_evidence_judge. */
void hm_evidence_note_outranked(hm_said_set *set, hm_said *e, hm_str field, hm_str was, hm_str now,
                                hm_str at);
/* The sources that the record names, as one text. */
hm_str hm_said_sources(const hm_kind *k, const hm_cell *cells, hm_arena *a);
/* The date of the record: updated_at, else created_at. */
hm_str hm_said_date(const hm_kind *k, const hm_said *e);

/* --- parts of a statement: evidence.c, for evidence_change.c ------------------------------------
 */

void hm_evidence_add_since(hm_said *e, hm_said_since one, hm_arena *a);
/* Unless it is there. */
void hm_evidence_add_over(hm_said *e, hm_said_over one, hm_arena *a);
/* first, person, since and over as JSON; empty: there are none. */
hm_str hm_evidence_history_text(const hm_said *e, hm_arena *a);
void hm_evidence_read_history(hm_said *e, hm_str text, hm_arena *a);
/* The cells of a record as JSON; false: it is none of the set's kind. */
bool hm_evidence_read_cells(const hm_said_set *set, hm_str line, hm_cell *cells);

/* The status that e gives the row: a whole record of a file gives one, active unless it says
 * otherwise. Empty: it gives none. */
hm_str hm_said_status(const hm_said_set *set, const hm_said *e);
/* Columns that a verdict sets. */
bool hm_is_verdict_column(const hm_record_field *f);
#endif
