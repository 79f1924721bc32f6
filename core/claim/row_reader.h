/* One worker that reads rows, what it finds, and what rows of each layer claim. For the files that
 * make claims of rows, and no others. */
#ifndef HM_ROW_READER_H
#define HM_ROW_READER_H
#include "core/claim/claim.h"
#include "core/claim/existence.h"
#include "core/claim/relation.h"
#include "core/claim/story.h"
#include "core/claim/world.h"

typedef struct { hm_claim *v; size_t n, cap; } claim_list;

/* What the rows of one chunk say, in malloc's memory, and where it goes in the whole. */
typedef struct {
  claim_list claims, silences, context;
  hm_inclusions inclusions;
  hm_finding *findings; size_t n_findings, cap_findings;
  size_t claims_at, silences_at, context_at, findings_at;
} chunk;

/* Bounds that were read, in their world, and their window. */
typedef struct {
  const hm_world *world;
  hm_str from, until;
  const hm_window *window;   /* NULL: none was read yet */
} read_bounds;
enum { WINDOWS_KEPT = 1024 };

/* One worker, and the row that it reads. */
typedef struct row_reader {
  const hm_snapshot *snap;
  const hm_rules *rules;
  const hm_map *types;     /* keys of the entity types that rows bring */
  hm_str type;             /* of the last relation, which most share, and its kind */
  const hm_relation_kind *kind;
  const hm_containment *containment; /* filled once all rows are read */
  const hm_existences *lives;
  hm_arena *a;             /* lives as long as the claims */
  hm_arena *scratch;       /* for one row */
  hm_units *units;
  hm_value_reading by;     /* ids as entities of the row's project, or of none */
  unsigned char *speaks;   /* hm_claims.speaks */
  bool any_status;         /* rows are read whatever their status is */
  chunk *out;
  const hm_row *row;
  bool past;               /* the row is superseded, and read for its story: it has no findings */
  const hm_window *open;   /* of rows without bounds */
  read_bounds *windows;    /* WINDOWS_KEPT, each in its place by a hash of its bounds */
  hm_claim proto;          /* what all claims of the row share: row, project, layer, window */
  const hm_families *families;  /* prepared */
  const hm_time *crowded; size_t n_crowded;   /* hm_list_crowded_seconds */
} row_reader;

/* A claim of the row; a silence where the value says that nothing is known; nothing where the
 * value is of no kind. */
void hm_row_add_claim(row_reader *r, hm_str name, hm_str field, hm_str compare, const hm_value *v);
/* Reads the row's bounds into proto, where they are none of those that were read before. false,
 * with a finding: it holds at no time that can be known. */
bool hm_row_read_window(row_reader *r);
/* A finding of the row, none where it is read for its story; texts live in a. */
void hm_row_add_finding(row_reader *r, hm_str rule, hm_str message, hm_str expected, hm_str actual);
/* At most 80 bytes of s, repaired. */
hm_str hm_row_shown_text(row_reader *r, hm_str s);

/* --- what a row of each layer claims -------------------------------------------------------- */

/* entity_claims.c */
void hm_row_read_entity(row_reader *r);
void hm_row_read_state(row_reader *r);
/* relation_claims.c */
void hm_row_read_relation(row_reader *r);
/* By the grammar of its type, or as prose: memory_claims.c. */
void hm_row_read_memory(row_reader *r);
/* What a text of the row says as prose, under this field; subject: what it is about where it does
 * not say so. */
void hm_row_read_prose(row_reader *r, hm_str text, hm_str subject, hm_str field, hm_str compare);
#endif
