/* A worker that reads rows, its results, and the readers of each layer. Only for the files that
 * make claims of rows. */
#ifndef HM_ROW_READER_H
#define HM_ROW_READER_H
#include "core/claim/claim.h"
#include "core/claim/existence.h"
#include "core/claim/relation.h"
#include "core/claim/story.h"
#include "core/claim/things.h"
#include "core/claim/world.h"

typedef struct {
  hm_claim *v;
  size_t n, cap;
} claim_list;

/* The results of one chunk of rows, from malloc, and their offsets in the whole result. */
typedef struct {
  claim_list claims, silences, context;
  hm_inclusions inclusions;
  hm_finding *findings;
  size_t n_findings, cap_findings;
  size_t claims_at, silences_at, context_at, findings_at;
} chunk;

/* Bounds in their world, and the window read from them. */
typedef struct {
  const hm_world *world;
  hm_str from, until;
  const hm_window *window; /* NULL: unused */
} read_bounds;
enum { WINDOWS_KEPT = 1024 };

/* One worker, and the row that it reads. */
typedef struct row_reader {
  const hm_snapshot *snap;
  const hm_rules *rules;
  const hm_map *types; /* keys of the entity types of rows */
  hm_str type;         /* type of the last relation, and its kind: most rows share it */
  const hm_relation_kind *kind;
  const hm_containment *containment; /* filled once all rows are read */
  const hm_existences *lives;
  const hm_things *things;
  hm_arena *a;       /* lives as long as the claims */
  hm_arena *scratch; /* for one row */
  hm_units *units;
  hm_value_reading by;   /* ids as entities of the row's project, or of none */
  unsigned char *speaks; /* hm_claims.speaks */
  bool any_status;       /* read rows of any status */
  chunk *out;
  const hm_row *row;
  const hm_evidence *said; /* the source of which the row is read; NULL: all say the same */
  bool past;               /* the row is superseded and read for stories only: it has no findings */
  const hm_window *open;   /* for rows without bounds */
  read_bounds *windows;    /* WINDOWS_KEPT cached ones, indexed by a hash of the bounds */
  hm_claim proto;          /* shared by all claims of the row: row, project, layer, window */
  const hm_families *families; /* prepared */
  struct hm_sentence_words *words;
  const hm_time *crowded;
  size_t n_crowded; /* hm_list_crowded_seconds */
} row_reader;

/* Adds a claim of the row, or a silence if the value says that nothing is known. Does nothing if
 * the value has no kind. */
void hm_row_add_claim(row_reader *r, hm_str name, hm_str field, hm_str compare, const hm_value *v);
/* Sets the window of proto from the row's bounds, using the cache. False, with a finding, if the
 * bounds are invalid. */
bool hm_row_read_window(row_reader *r);
/* Adds a finding of the row, unless it is read for stories only. Texts live in a. */
void hm_row_add_finding(row_reader *r, hm_str rule, hm_str message, hm_str expected, hm_str actual);
/* The date in the sources of a row: "2026-07-13" of "history 2026-07-13"; else empty. */
hm_str hm_row_source_date(const hm_row *row);
/* The sources of a row without their dates: "history 2026-07-13" is of "history". */
hm_str hm_row_origin(row_reader *r);
/* At most 80 bytes of s, repaired. */
hm_str hm_row_shown_text(row_reader *r, hm_str s);

/* --- readers of each layer -------------------------------------------------------- */

/* entity_claims.c */
/* What the name of a slot supports; else what the type of its row does: "60 C" of a temperature.
 * name, type: folded. */
hm_reading hm_row_slot_reading(const row_reader *r, hm_str name, hm_str type);
void hm_row_read_entity(row_reader *r);
void hm_row_read_state(row_reader *r);
/* Reads the row as each of its n sources says it: evidence_claims.c. read reads r->row. */
void hm_row_read_evidence(row_reader *r, const hm_evidence *e, size_t n,
                          void (*read)(row_reader *r));
/* relation_claims.c */
void hm_row_read_relation(row_reader *r);
/* By the grammar of its type, or as prose: memory_claims.c. */
void hm_row_read_memory(row_reader *r);
/* Reads a text of the row as prose, under this field. subject: what it is about if it does not say
 * so. False: it wants, plans, asks or doubts. */
bool hm_row_read_prose(row_reader *r, hm_str text, hm_str subject, hm_str field, hm_str compare);
#endif
