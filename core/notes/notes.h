/* Reads a Markdown document, or a list of notes, as rows: each list item, sentence, table row,
 * label, front matter field and telling line of code is one, with its file and line as its source
 * and with what it claims. Pure. */
#ifndef HM_NOTES_H
#define HM_NOTES_H
#include "core/decision/series.h"
#include "core/foreign/record.h"
#include "core/markdown/document.h"
#include "core/prose/prose_families.h"
#include "core/tree/scripts.h"

/* Why parts of a document are no rows. */
typedef enum {
  HM_NOTES_LIMITS, /* what the parser cannot bear (hm_doc_read) */
  HM_NOTES_QUOTATION,
  HM_NOTES_CODE, /* a line of code that says nothing by itself */
  HM_NOTES_TASK,
  HM_NOTES_STRUCK,
  HM_NOTES_CONTENTS,    /* a link of a table of contents */
  HM_NOTES_BADGE,       /* no words but images */
  HM_NOTES_PLACEHOLDER, /* a template that somebody must fill in */
  HM_NOTES_COMMENT,
  HM_NOTES_LEAD, /* "Key files:", above a list, a table or code, which says what it says */
  HM_N_NOTES_UNREAD
} hm_notes_unread;
/* "quotations", "quotation", for messages. */
const char *hm_notes_unread_words(hm_notes_unread why);
const char *hm_notes_unread_word(hm_notes_unread why);

/* A part that is no row, and why. */
typedef struct {
  uint32_t line;
  hm_notes_unread why;
} hm_notes_unread_part;

/* A line that somebody settled where it stands: "<!-- hmirror: ok REASON -->" behind it, or on a
 * line of its own directly below it; of code also below a blank line. Elsewhere such a comment
 * settles nothing, and is the line itself. "ok against V, V: REASON" names the values that it is
 * settled against. It claims what it says all the same. */
typedef struct {
  hm_str id; /* of its row; empty: it is none */
  uint32_t line, comment_line;
  hm_str reason;
  hm_str *against;
  size_t n_against; /* 0: all that contradict it */
} hm_notes_settled;

/* A row that was given: its id is made of the file's path and these. */
typedef struct {
  hm_str id, headings, text;
  hm_str rule;     /* slot_rule, or empty */
  uint32_t number; /* among rows of one text under these headings, from 1 */
} hm_notes_row;

typedef struct hm_notes_told {
  hm_arena *a;         /* given: where settled lines and rows are kept; NULL: nowhere */
  bool keeps_rows;     /* given: rows are kept, too */
  bool keeps_unread;   /* given: so are parts that are no rows, but those over a limit */
  const hm_tree *tree; /* given: the files that links of a row may lead to, which are more sources
                        * of it: "PATH", "PATH#HEADING"; NULL: none */
  size_t top;          /* given: that of the file (hm_tree_file) */
  const hm_scripts *scripts; /* given: what the tree can be asked to run; NULL: nobody knows. A
                              * script that a line calls and its file lacks is a state of the file,
                              * too */
  /* given: of hm_families_prepare(NULL), once for many documents; NULL: each prepares them */
  const hm_families *families;
  hm_notes_row *rows;
  size_t n_rows, cap_rows;
  hm_notes_settled *settled;
  size_t n_settled, cap_settled;
  int64_t unread[HM_N_NOTES_UNREAD]; /* parts, by reason */
  hm_notes_unread_part *parts;
  size_t n_parts, cap_parts;
  uint32_t limit_line;         /* the first line that was not read for its limits, and why; */
  const char *limit;           /* NULL: none */
  const hm_doc_unread *limits; /* all such lines of a document (hm_doc_read), in a */
  size_t n_limits;
} hm_notes_told;

/* Calls each for the record of each row of the document, with place->number set to its line. path:
 * by which its source is named; ids of rows are made of it, of the headings above and of the folded
 * text, so that moving a line changes nothing but source_refs ("PATH:LINE" comes first). list: a
 * .txt, in which each line is an item. records: hm_notes_decisions of the files that are read
 * together, or NULL; a record of a decision is also an entity Decision, and says nothing of now but
 * its decision while it is in force. Returns what `each` returned. Cost: linear in text. */
int hm_notes_read(hm_record_place *place, hm_str path, hm_str text, bool list,
                  const hm_decisions *records, hm_record_each *each, void *ctx,
                  hm_notes_told *told);

/* Is the memory with this id the one that hm_notes_read made of the line that source names
 * ("PATH:LINE", the first of its source_refs)? By the form of both: an id that is a digest, a line
 * of a document. */
bool hm_notes_is_line(hm_str id, hm_str source);
/* The id that the row would have in a file of this path; in a. */
hm_str hm_notes_row_id(const hm_notes_row *r, hm_str path, hm_arena *a);
/* The id of the entity Decision of a record with this path; in a. */
hm_str hm_notes_decision_id(hm_str path, hm_arena *a);
/* Rows that are gone, and rows that are new, of a document, which was `path` when it had the
 * former. heirs[i]: the new row that takes the place of gone[i], UINT32_MAX: none does. That is the
 * row of the same text under the same headings of a renamed file, or elsewhere; under the same
 * headings the one with the same key (its slot, its label), or the only new one where one row is
 * gone. now: all rows of the document; fresh[k]: it is new. Of gone rows id, text and rule are
 * given. */
void hm_notes_find_heirs(hm_str path, const hm_notes_row *gone, size_t n_gone,
                         const hm_notes_row *now, const bool *fresh, size_t n_now, uint32_t *heirs);

/* The manifests of a tree, and what their places say of each other; in a. */
typedef struct hm_notes_manifests hm_notes_manifests;
hm_notes_manifests *hm_notes_manifests_of(const hm_tree *t, hm_arena *a);
/* The states of one of them as JSON Lines of project_state records, for hm_import; empty where it
 * states nothing. Their keys name the folder of the file, unless it holds all manifests of the
 * tree. In a. One that is no JSON is told as a limit, with its line, and states nothing.
 * HM_E_INPUT: it cannot be read. */
int hm_notes_manifest_lines(const hm_notes_manifests *m, const hm_tree_file *f, hm_arena *a,
                            hm_str *lines, hm_notes_told *told, hm_err *err);
/* A word for hm_tree_list; what a file names begins at `named`, behind that file's folder. */
typedef struct {
  hm_str word;
  size_t named;
} hm_notes_import;
/* The documents that files of instructions for agents import ("@docs/style.md"), below their own
 * folder, that are not in the tree; in a. imported: paths of documents that were imported before,
 * whose own imports count, too. HM_E_INPUT: a file cannot be read. */
int hm_notes_list_imports(const hm_tree *t, const hm_str *imported, size_t n_imported, hm_arena *a,
                          hm_notes_import **out, size_t *n, hm_err *err);
/* Leaves out files of instructions that are copies of another one in their folder: they say nothing
 * new. HM_E_INPUT: a file cannot be read. */
int hm_notes_drop_copies(hm_tree *t, hm_arena *a, hm_err *err);
/* Reads the records of decisions among the files of a tree, which name each other; in a.
 * HM_E_INPUT: a file cannot be read. */
int hm_notes_decisions(const hm_tree *t, hm_arena *a, hm_decisions **out, hm_err *err);
/* The number of records in a folder of theirs (hm_decisions_folders) as a line of JSON of a
 * project_state record, as above; *folder: its source, which its key names where there are several.
 * Empty where others lie below it, or not all of it was read. */
void hm_notes_record_count_line(const hm_tree *t, const hm_decisions *records, size_t at,
                                hm_arena *a, hm_str *folder, hm_str *line);
#endif
