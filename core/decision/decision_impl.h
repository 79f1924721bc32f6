/* Shared by the files of core/decision. Not for others. */
#ifndef HM_DECISION_IMPL_H
#define HM_DECISION_IMPL_H
#include "core/decision/decision.h"

/* Adds what a text of the record says of supersessions: a sentence, one of its status, in which a
 * number alone is that of a record, or the value of a field "Supersedes" or "Superseded by". */
typedef struct {
  hm_decision *to;
  size_t cap;
  hm_arena *a;
} supersession_reader;
typedef enum { SENTENCE, STATUS, FIELD_SUPERSEDES, FIELD_SUPERSEDED_BY } supersession_form;
void hm_supersessions_read(supersession_reader *r, supersession_form form, hm_str text,
                           const hm_doc_span *spans, size_t n_spans, uint32_t line);
/* Does a status say of a supersession that it is of a part, under a condition, or not yet? */
bool hm_supersession_holds(hm_str status, hm_arena *a);
/* The number that a name, in small letters, begins with, perhaps behind "adr" and "adr-":
 * "0007-use-x.md", "adr-7", "adr007"; empty: none. A date is none. */
hm_str hm_decision_number_of_name(hm_str low);
/* --- words and dates: decision_words.c ------------------------------------------------------- */

/* Is s one of the n words? */
bool hm_decision_is_any(hm_str s, const char *const *list, size_t n);
/* The English word for a status, or the key of a field, of another language, in small letters; of a
 * status up to its first letter that ASCII lacks: "accept" of "accept\u00E9". Else the word itself.
 */
hm_str hm_decision_in_english(hm_str word);
/* Must somebody fill in its status or title: "{proposed | accepted}", "[short title]"? */
bool hm_decision_is_template(const hm_decision *d);
/* The date as YYYY-MM-DD where it can be read so, else s trimmed. */
hm_str hm_decision_read_date(hm_arena *a, hm_str s);
/* Lies the file of this path, in small letters, in a folder of records? */
bool hm_decision_in_folder(hm_str low);
/* Is the name, in small letters, that of a file beside records: an index, a template? */
bool hm_decision_is_no_record(hm_str name);
/* "single state" of "2022-04-13_018-single-state.md" and "rfc-0018-single-state.md"; number: a part
 * of the name, or empty. */
hm_str hm_decision_title_of_name(hm_arena *a, hm_str name, hm_str number);
/* --- statuses: decision_status.c ------------------------------------------------------------ */

/* Is the word, in small letters, one of a known status? */
bool hm_decision_is_status(hm_str word);
/* The first word of a status behind a date, in small letters and English; of "on hold" both. Empty
 * where it says of a supersession that the record holds as before. */
hm_str hm_decision_status_word(hm_arena *a, hm_str s);
/* "2024-02-02 accepted" of "2024-01-01 proposed 2024-02-02 accepted"; else s. *date: of that
 * status; empty: it has none. */
hm_str hm_decision_latest_status(hm_str s, hm_str *date, hm_arena *a);
/* "Accepted" of "[ ] Proposed [x] Accepted" and of "Proposed -> Accepted"; of boxes of which none
 * is checked: empty; else s. */
hm_str hm_decision_chosen_status(hm_str s, hm_arena *a);
/* "Accepted" of "2024-05-05 - Accepted"; else s. */
hm_str hm_decision_behind_date(hm_str s, hm_arena *a);
/* s without what is struck in it, in a; spans: of s, by their beginning. */
hm_str hm_decision_unstruck(hm_str s, const hm_doc_span *spans, size_t n, hm_arena *a);
hm_decision_standing hm_decision_standing_of(hm_str word, hm_str status, hm_arena *a);
/* --- indexes of records: decision_index.c ---------------------------------------------------- */

/* A row of an index: the record that it links, else its number, and the status and the title that
 * it gives; texts may be empty. */
typedef struct {
  hm_str source, file, number, status, title;
  hm_str by;        /* the source of the record that supersedes it by its status, or empty */
  hm_str by_number; /* of one that is not there */
  uint32_t line;
  bool named; /* "ADR-7", "0007": the number is that of a record, and no count of rows */
} hm_decision_index_row;
typedef struct {
  hm_decision_index_row *rows;
  size_t n, cap;
} hm_decision_index;

/* Is a file an index by its path, which is in small letters? */
bool hm_decision_is_index(hm_str low);
/* Does the text of such a file speak of records at all? */
bool hm_decision_index_may_list(hm_str source, hm_str text);
/* Adds the rows of a document; their texts are copied into a. */
void hm_decision_index_add(hm_decision_index *x, hm_str source, const hm_document *doc, hm_arena *a,
                           hm_arena *work);
/* May both be titles of one record? An index may shorten a title, or give the number alone: a third
 * of the longer words of one is enough. */
bool hm_decision_titles_agree(hm_str x, hm_str y, hm_arena *a);
/* Are they the same but for one name: "Use MySQL for orders", "Use PostgreSQL for orders"? */
bool hm_decision_titles_differ(hm_str x, hm_str y);
/* --- references: decision_references.c -------------------------------------------------------- */

/* "ADR-3: Network architecture", "ADR 3 (network)", "[ADR-3](0003-network.md)" in a document: what
 * it says of the record with this number. */
typedef struct {
  hm_str source, number, topic; /* number: without zeros before it; topic: may be empty */
  hm_str file;                  /* to which its link leads; or empty */
  uint32_t line;
  bool coming; /* it will be written, or is an example */
  bool latest; /* said to be the record with the highest number */
} hm_decision_reference;
typedef struct {
  hm_decision_reference *v;
  size_t n, cap;
} hm_decision_references;
/* Adds those of a text; texts are copied into a. Cost: linear in text. */
void hm_decision_references_add(hm_decision_references *r, hm_str source, hm_str text, hm_arena *a);
#endif
