/* What the files of claim*.c share. Not for others. */
#ifndef HM_CLAIM_IMPL_H
#define HM_CLAIM_IMPL_H
#include "claim.h"
#include "core/store/follow.h"
#include "slot.h"

/* A claim in brief: which slot, and what its row says, borrowed from the row or a copy. Claims of one slot whose
 * words are the same have the same value, so most claims never need a normal form. */
typedef struct {
  uint64_t slot;           /* of (project, memory_type, name), by a seed that changes from run to run */
  hm_str said;
  uint32_t row;
  bool set;                /* said is the JSON text of an array */
} hm_brief;

/* The claims in brief that one worker met. */
typedef struct hm_briefs hm_briefs;
hm_briefs *hm_briefs_new(uint64_t seed, size_t n_rows);
void hm_briefs_free(hm_briefs *b);
void hm_briefs_add(hm_briefs *b, const hm_row *row, const hm_claim *c);
/* Rows have moved, and what was met in those that are stale (for each row of now) is forgotten. */
void hm_briefs_follow(hm_briefs *b, const hm_follow_news *news, const unsigned char *stale);
/* Looks at what all workers met. contested: one for each row, zero; set to 1 for the rows with a claim on a slot in
 * which not all claims say the same. */
void hm_briefs_judge(hm_briefs *const *of, int n_of, int threads, unsigned char *contested, size_t *claims, size_t *slots);

/* What hm_claims_contested learns of all rows, in brief. Rows: of the snapshot that was read or noted last. */
struct hm_claims_keep {
  bool has;                  /* else every row is still to be read */
  hm_arena **told; int n_workers;           /* of the findings */
  hm_briefs **briefs;
  hm_finding *findings; size_t n_findings;   /* by id */
  unsigned char *speaks;     /* hm_claims.speaks */
  unsigned char *stale;      /* rows that are to be read again */
  size_t n_rows;
  size_t n_stale;
  hm_arena *of_types;        /* NULL: the types are not known */
  hm_map types;              /* keys of those that entities bring */
};
/* Forgets all. Room for that many workers and rows. */
void hm_keep_begin(hm_claims_keep *k, int n_workers, size_t n_rows);
/* Keeps what was found in the rows, not what was met. */
void hm_keep_drop_briefs(hm_claims_keep *k);
/* Adds findings, which it copies. */
void hm_keep_findings(hm_claims_keep *k, const hm_finding *f, size_t n);

/* What one worker needs to read rows, and where it puts what it reads. */
typedef struct {
  const hm_snapshot *snap;
  const hm_rules *rules;
  const hm_map *types;     /* keys of the entity types that rows bring */
  hm_arena *a;             /* lives as long as the claims; scratch while reading in brief */
  hm_arena *scratch;       /* for one row */
  hm_arena *told;          /* of the findings; NULL: they are known already */
  hm_units *units;
  hm_briefs *briefs;       /* NULL: claims are wanted whole. Else their normal forms and `compare` are left out */
  hm_claim *claims; size_t n, cap;          /* of one chunk of rows; owned */
  hm_finding *findings; size_t n_findings, cap_findings;
  unsigned char *speaks;   /* hm_claims.speaks */
} hm_reader;

/* Claims and findings of row i, whatever it is, are appended. */
void hm_read_row(hm_reader *r, uint32_t i);
/* Appends the claims of an entity; proto has row, project, layer and times. */
void hm_read_entity(hm_reader *r, const hm_claim *proto);

/* A new claim like proto. */
void hm_add_claim(hm_reader *r, const hm_claim *proto, hm_str name, hm_str field, hm_str compare, const hm_value *v);
/* hm_value_of_text, hm_value_of_json; in brief only `raw`, and whether `kind` is HM_V_NONE, can be relied on. */
void hm_read_text(hm_reader *r, hm_str raw, bool as_text, hm_value *out);
void hm_read_json(hm_reader *r, const hm_json *v, bool as_text, hm_value *out, bool *unreadable);

/* Findings of row i. why and shown are cut and repaired. */
void hm_find_properties(hm_reader *r, uint32_t i, hm_str why, hm_str shown);
void hm_find_window(hm_reader *r, uint32_t i, const char *bound, hm_str shown);
void hm_find_empty_window(hm_reader *r, uint32_t i);
/* what: "the value", "property mass, cost". */
void hm_find_value(hm_reader *r, uint32_t i, hm_str what, hm_str shown);
#endif
