/* Reads records of decisions that teams keep as Markdown: by MADR, Nygard, adr-tools, log4brains,
 * Backstage, and requests for comments. Pure. */
#ifndef HM_DECISION_H
#define HM_DECISION_H
#include "core/markdown/document.h"

/* A text of the record and its line; line 0: there is none. */
typedef struct {
  hm_str text;
  uint32_t line;
} hm_decision_field;

/* "Supersedes [ADR 7](0007-use-x.md)", "superseded by 0012": one for each record that is named,
 * at most 64. */
typedef struct {
  bool by;          /* this record is superseded by the other one */
  bool in_part;     /* a part of it, or under a condition: both stand */
  bool conditional; /* "when accepted" */
  bool deleted;  /* "(deleted; in git history)", or in another folder or repository: the other one
                  * need not be there */
  hm_str number; /* of the other, without zeros before it; may be empty */
  hm_str file;   /* the last part of its path, where a link says one; may be empty */
  uint32_t line;
} hm_supersession;

/* Whether a record holds, by the first word of its status. */
typedef enum {
  HM_DECISION_IN_FORCE, /* accepted, active, ...; also where no status is said */
  HM_DECISION_OPEN,     /* proposed, draft, pending */
  HM_DECISION_OVER,     /* superseded, replaced */
  HM_DECISION_DROPPED   /* rejected, deprecated, withdrawn */
} hm_decision_standing;

typedef struct {
  hm_str series; /* which records are numbered together: the folder, and what stands before the
                  * number in the file's name but "adr" */
  hm_decision_field number;  /* of the file's name, as written; line 1 */
  hm_decision_field heading; /* the number in the title */
  hm_decision_field title;   /* without its number */
  hm_decision_field status;  /* whole: "Accepted (2026-07-05)" */
  hm_str word;               /* its first word, in small letters: "accepted"; "on hold" */
  hm_decision_standing standing;
  hm_decision_field date;     /* YYYY-MM-DD where it can be read so, else as written */
  hm_decision_field deciders; /* as written */
  hm_supersession *says;
  size_t n_says;
  uint32_t outcome; /* the heading of what was decided, a part of the document; or HM_DOC_NONE */
} hm_decision;

/* Reads doc, which was made of text, as a record. path: of its file, below the folder that the
 * command named. False: it is none, but another document, an index, a template.
 * Only the record's own fields count: front matter; "Status:" in lines, items and rows above the
 * first section, and a notice there that begins with "Superseded by"; sections of that name; of
 * supersessions also sentences about this record there, and items of sections of links. *out lives
 * in a and borrows from doc and path. Cost: linear in the text. */
bool hm_decision_read(hm_decision *out, const hm_document *doc, hm_str text, hm_str path,
                      hm_arena *a);
/* A number without the zeros before it. */
hm_str hm_decision_number(hm_str number);
/* Does part i of the document stand below this heading, or below one that it contains? */
bool hm_decision_holds(const hm_document *doc, uint32_t heading, size_t i);
#endif
