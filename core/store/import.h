/* JSON Lines in and out. Design section 5. */
#ifndef HM_IMPORT_H
#define HM_IMPORT_H
#include "core/foreign/readers.h"
#include "core/store/lookup.h"
#include "core/record/texts.h"

/* --- in: import.c ----------------------------------------------------------------------------- */

typedef struct {
  int64_t added, updated, unchanged, bad;
  int64_t lines;     /* that are not blank */
  int64_t odd;       /* new and changed records that other doors refuse (hm_record_check) */
  int64_t secrets;   /* fields of new and changed records that hold a live secret */
  int64_t verdicts;  /* new ones, which wait for hm_review_settle_waiting */
  int64_t kept;      /* records whose status differs from a verdict's, which stays */
  int64_t disagreed; /* fields kept because another source disagrees */
  int64_t taken_out; /* fields not restored because a verdict removed them */
  int64_t redacted;  /* fields kept because they were redacted */
  int64_t gone;      /* rows that the source named once, and not this time */
  int64_t ended;     /* those of which the source says nothing any more */
} hm_import_counts;

typedef enum {
  HM_KEPT_BY_VERDICT,
  HM_KEPT_OTHER_SOURCE,
  HM_KEPT_REDACTED,
  HM_KEPT_TAKEN_OUT
} hm_import_kept_reason;
/* A field of the row ref that the import kept, though the record of `source` would change it. */
typedef struct {
  hm_import_kept_reason what;
  hm_str ref, field;
  hm_str source, other; /* other: the source that disagrees */
} hm_import_kept_field;

/* Called for each bad line under keep_going; err->what is "FILE:LINE: field". */
typedef void (*hm_import_bad)(void *ctx, const hm_err *err);

/* A record that changes its row: ref, and the keys whose value changes (all keys of a new row).
 * Valid during the call. */
typedef struct {
  hm_str ref;
  bool added;
  const hm_str *keys;
  size_t n_keys;
} hm_import_change;

/* Called for each project and type that a new or changed record names, before it is stored. A
 * failure ends the import. */
typedef int hm_import_named(void *ctx, hm_store *s, hm_name_kind kind, hm_str name, hm_err *err);

/* Called for each record of kind world, with the world.yml that it holds; the caller writes the
 * file. *is_new: it was not known. A failure is an error of the line. */
typedef int hm_import_world(void *ctx, hm_store *s, hm_str text, bool *is_new, hm_err *err);

/* The records of several streams, so that contradicting ones are an error, as within one stream. */
typedef struct hm_import_seen hm_import_seen;
hm_import_seen *hm_import_seen_new(void);
void hm_import_seen_free(hm_import_seen *s);

typedef struct {
  const char *name; /* shown in messages: the path, or "-" */
  hm_import_seen
      *seen;     /* shared with the streams that have this source; NULL: of this stream only */
  hm_str source; /* the source; empty: records are compared with the rows only, and nothing is
                  * remembered */
  hm_encoding encoding; /* of the stream */
  int csv;              /* rows of one layer, as CSV (hm_csv_layer); 0: JSON Lines */
  /* The stream is a Markdown document (core/notes/notes.h), known by this path; empty: it is not.
   */
  hm_str notes;
  const struct hm_decisions *records; /* of the files that are imported together, or NULL */
  bool notes_list;                    /* it is a list of notes: each line is an item */
  struct hm_notes_told *told;         /* what of it is no row */
  /* Of a document that is gone: the rows of the one that has its place, given as told->rows; NULL:
   * none has. */
  const struct hm_notes_told *moved_to;
  hm_str moved_source; /* and its source */
  /* Of a document: whether its record is stored, for who wants some only; NULL: all are. */
  bool (*wanted)(void *ctx, const hm_json *record);
  void *wanted_ctx;
  bool whole;          /* it was read whole: an empty one says that its source has nothing */
  bool keep_going;     /* store the good lines, list the bad ones */
  hm_import_gone gone; /* what the source does not name any more */
  hm_import_edited *edited;
  void *edited_ctx;       /* NULL: nobody asks */
  bool override_verdicts; /* records overwrite a verdict's status and redacted values */
  hm_actor who;           /* undated: the stream alone dates what it says, and the clock nothing */
  hm_import_bad bad;
  void *ctx;
  hm_import_named *named;
  void *named_ctx; /* NULL: nobody asks */
  hm_import_world *world;
  void *world_ctx; /* NULL: such a record is an error */
  void (*kept_field)(void *ctx, const hm_import_kept_field *t);
  void *kept_field_ctx; /* NULL: nobody asks; t lives until it returns */
  void (*secret)(void *ctx, const hm_live_secret *s);
  void *secret_ctx;  /* for each of a new or changed record, at the end; NULL: nobody asks */
  hm_import_bad odd; /* of each record that is stored, though other doors refuse it */
  void *odd_ctx;     /* NULL: nobody asks */
  void (*changed)(void *ctx, const hm_import_change *c);
  void *changed_ctx; /* NULL: nobody asks */
  void (*counted)(void *ctx, int64_t lines);
  void *counted_ctx; /* after each line; NULL: no */
} hm_import_options;

/* Imports a stream of records into s, in one transaction of its own where none is open. Kinds:
 * project, memory, entity, project_state, relation, link, conflict (with members), verdict
 * (verdict_lines.h), acknowledgement, flag (remarks.h), world. A verdict that must still be carried
 * out, also one in a conflict's record, waits for core/review/verdict_import.c. Rules: keys go by
 * the columns' names (`from`, `to` for from_id, to_id; `aliases` for projects); unknown key, wrong
 * type, bad time, unknown status, a link of a row to itself: an error naming the field. A key that
 * is absent for a known row leaves the column; null clears it. A record is compared with the last
 * one of opt->source (import_compare.c): only fields that the source changed change the row. A
 * verdict, a redaction or another source can protect a field: it stays, and the import reports it.
 * Bytes that are invalid in opt->encoding are an error that names the column. Absent `id`: "<kind
 * letter>-" and 16 hex digits of the digest of the record with its keys sorted. Same id twice with
 * different content in one stream: an error. A record equal to what is stored changes nothing and
 * is not journaled. Blank lines are skipped, a BOM at the start is too. On error nothing of the
 * stream is stored (without keep_going); counts are filled either way. */
int hm_import(hm_store *s, FILE *in, const hm_import_options *opt, hm_import_counts *counts,
              hm_err *err);

/* The sources that ever said something of a row, sorted; in a. */
int hm_import_list_sources(hm_store *s, hm_arena *a, hm_str **out, size_t *n, hm_err *err);
/* The references of the rows of which a source says something, sorted; in a. */
int hm_import_list_rows(hm_store *s, hm_str source, hm_arena *a, hm_str **out, size_t *n,
                        hm_err *err);
/* The source that `name` means: the known one that is called so, else the only one that ends in
 * "/name"; of a path also the one that is called as its last part, which older versions recorded;
 * else a new one. HM_E_INPUT: two end so. */
int hm_import_find_source(hm_store *s, hm_str name, bool path, hm_arena *a, hm_str *out,
                          hm_err *err);

/* --- out: export.c ---------------------------------------------------------------------------- */

/* Values that another program stored and hm_import would refuse (an unknown status, an invalid
 * time, properties that are not JSON) are exported under "as_stored", an object of column names and
 * texts (null: NULL), which hm_import stores unchecked. If an earlier open conflict holds the slot
 * of an open conflict, that one waits for the end of the stream, since a later line may settle the
 * earlier one.
 *
 * The export omits links of a row to itself, which other programs may write, since they say
 * nothing.
 *
 * Writes every record, sorted by kind (project, memory, entity, project_state, relation, link,
 * conflict, acknowledgement, flag, verdict) then id, absent columns left out, keys in column order.
 * export(import(export(s))) is export(s). The journal, sweep runs and findings are not exported; a
 * sweep finds findings again. Fails, and writes nothing, when two rows of a foreign store share an
 * id: HM_E_STORE. */
int hm_export(hm_store *s, FILE *out, hm_err *err);
#endif
