/* What the files of claim*.c share. Not for others. */
#ifndef HM_CLAIM_IMPL_H
#define HM_CLAIM_IMPL_H
#include "claim.h"
#include "slot.h"

/* What one worker needs to read rows, and where it puts what it reads. */
typedef struct {
  const hm_snapshot *snap;
  const hm_rules *rules;
  const hm_map *types;     /* keys of the entity types that rows bring */
  hm_arena *a;             /* lives as long as the claims */
  hm_arena *scratch;       /* for one row */
  hm_units *units;
  hm_value_reading by;     /* ids as entities of the row's project, or of none */
  uint32_t row;            /* that is being read */
  hm_claim *claims; size_t n, cap;          /* of one chunk of rows; owned */
  hm_claim *silences; size_t n_silences, cap_silences;
  hm_finding *findings; size_t n_findings, cap_findings;
  unsigned char *speaks;   /* hm_claims.speaks */
  bool any_status;         /* rows are read whatever their status is */
} hm_reader;

/* Claims and findings of row i, whatever it is, are appended. */
void hm_read_row(hm_reader *r, uint32_t i);
/* Appends the claims of an entity; proto has row, project, layer and times. */
void hm_read_entity(hm_reader *r, const hm_claim *proto);

/* A new claim like proto; a silence where the value says that nothing is known; nothing where it is
 * of no kind. */
void hm_add_claim(hm_reader *r, const hm_claim *proto, hm_str name, hm_str field, hm_str compare,
                  const hm_value *v);

/* hm_value_read and hm_value_of_json, by the reader's rules and the entities that the row may mean.
 */
hm_str hm_read_name_of(void *reader, hm_str id);   /* hm_value_reading.name_of */
void hm_read_text(hm_reader *r, hm_str raw, bool as_text, hm_value *out);
void hm_read_json(hm_reader *r, const hm_json *v, bool as_text, hm_value *out, bool *unreadable);

/* Findings of row i. why and shown are cut and repaired. */
void hm_find_properties(hm_reader *r, uint32_t i, hm_str why, hm_str shown);
void hm_find_window(hm_reader *r, uint32_t i, const char *bound, hm_str shown);
void hm_find_empty_window(hm_reader *r, uint32_t i);
/* what: "the value", "property mass, cost". */
void hm_find_value(hm_reader *r, uint32_t i, hm_str what, hm_str shown);
#endif
