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

enum { HM_BRIEF_PARTS = 64, HM_BRIEF_BLOCK = 127 };
typedef struct hm_brief_block { struct hm_brief_block *next; size_t n; hm_brief v[HM_BRIEF_BLOCK]; } hm_brief_block;

/* The claims in brief that one worker met, in parts by the top bits of their slots. */
typedef struct {
  uint64_t seed;
  hm_arena *a;             /* of the blocks */
  hm_arena *texts;         /* what is said, where no row lends it */
  int n_parts;             /* 1 or HM_BRIEF_PARTS */
  hm_brief_block *parts[HM_BRIEF_PARTS];
  size_t n[HM_BRIEF_PARTS];   /* briefs of each part */
} hm_briefs;
hm_briefs *hm_briefs_new(uint64_t seed, size_t n_rows);
void hm_briefs_free(hm_briefs *b);
void hm_briefs_add(hm_briefs *b, const hm_row *row, const hm_claim *c);
/* Forgets what was met; the texts stay. */
void hm_briefs_clear(hm_briefs *b);
/* Looks at what all workers met. contested: one for each row, zero; set to 1 for the rows with a claim on a slot in
 * which not all claims say the same. */
void hm_briefs_judge(hm_briefs *const *of, int n_of, int threads, unsigned char *contested, size_t *claims, size_t *slots);

/* The same for who looks again: slots with their briefs. Takes what all workers met, whose texts must outlive it. */
typedef struct hm_slots hm_slots;
hm_slots *hm_slots_new(hm_briefs *const *of, int n_of, int threads);
void hm_slots_free(hm_slots *s);
/* Rows have moved; then the briefs of rows that are stale (for each row of now) are taken out. */
void hm_slots_follow(hm_slots *s, const hm_follow_news *news, const unsigned char *stale);
/* Takes what was met besides. */
void hm_slots_add(hm_slots *s, hm_briefs *met);
/* As hm_briefs_judge. */
void hm_slots_judge(hm_slots *s, unsigned char *contested, size_t *claims, size_t *slots);

/* The rows of recorded conflicts, by the digests of these: what a digest stands for has the same members each time. */
typedef struct { unsigned char sum[32]; bool known; size_t first, n; } hm_members_of;
typedef struct { hm_members_of *v; size_t n, cap; uint32_t *rows; size_t n_rows, cap_rows; } hm_members;
void hm_members_free(hm_members *m);
/* Sets wanted to 1 for each row that is a member of a conflict of snap. m: of the last time, or empty. */
void hm_members_want(hm_members *m, const hm_snapshot *snap, unsigned char *wanted);
/* Rows have moved. */
void hm_members_follow(hm_members *m, const hm_follow_news *news);

/* The slots in which claims that were read whole came or went since the last look. */
typedef struct {
  uint64_t *v; size_t n, cap;
  bool told;                 /* by the last look: what comes now is of the next one */
  bool all;                  /* nothing is as it was */
  uint64_t looks;            /* how many there were */
} hm_claims_moves;
void hm_keep_moved(hm_claims_moves *m, uint64_t slot);

/* What hm_claims_contested learns of all rows. Rows: of the snapshot that was read or noted last. */
struct hm_claims_keep {
  bool lasts;                /* there will be other looks */
  bool has;                  /* else every row is still to be read */
  hm_arena **told; int n_workers;           /* of the findings */
  hm_briefs **briefs;
  hm_slots *slots;           /* NULL: nothing lasts */
  hm_finding *findings; size_t n_findings;   /* by id */
  unsigned char *speaks;     /* hm_claims.speaks */
  unsigned char *stale;      /* 1: rows that are to be read again */
  unsigned char *marks;      /* of hm_keep_marks */
  size_t n_rows;
  size_t n_stale;
  hm_arena *of_types;        /* NULL: the types are not known */
  hm_map types;              /* keys of those that entities bring */
  hm_claim *whole; size_t n_whole;          /* of the rows that were read whole and are not stale, in their order */
  hm_arena **texts; int n_texts;            /* of those claims, one a worker */
  hm_claims_moves moves;
  hm_members members;        /* of the conflicts of the last look */
  size_t texts_held;         /* when all of them were read */
  size_t brief_held;         /* what there is to say of all rows in brief, likewise */
};
/* Forgets all but the types. Room for that many workers and rows. */
void hm_keep_begin(hm_claims_keep *k, int n_workers, size_t n_rows);
/* Bytes of what is said of rows in brief. */
size_t hm_keep_brief_held(const hm_claims_keep *k);
/* Bytes of the claims that were read whole. */
size_t hm_keep_whole_held(const hm_claims_keep *k);
/* Is so much held that was not, when all was read, that all is to be read again? */
bool hm_keep_is_full(size_t held, size_t first);
/* Keeps what was found in the rows, not what was met. */
void hm_keep_drop_briefs(hm_claims_keep *k);
/* Adds findings, which it copies. */
void hm_keep_findings(hm_claims_keep *k, const hm_finding *f, size_t n);
/* A zero for each row; until it is called again. */
unsigned char *hm_keep_marks(hm_claims_keep *k, size_t n_rows);
/* Before rows are read whole: one arena a worker. Forgets what was read before when it takes too much room. */
void hm_keep_whole_begin(hm_claims_keep *k, int n_workers);
/* Forgets the claims of rows that are not wanted (1 for each row that is), and unmarks those that are there. */
void hm_keep_whole_choose(hm_claims_keep *k, unsigned char *wanted);
/* Adds the claims of other rows, in their order. */
void hm_keep_whole_add(hm_claims_keep *k, const hm_claim *c, size_t n);
void hm_keep_whole_forget(hm_claims_keep *k);
/* Rows have moved; then the claims of rows that are stale are forgotten. */
void hm_keep_whole_follow(hm_claims_keep *k, const hm_follow_news *news);

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

/* Claims and findings of many rows, on all cores: rows in chunks, each worker with memory of its own, the chunks put together in their order. */
typedef struct {
  hm_claim *claims; size_t n;
  hm_finding *findings; size_t n_findings;
  size_t at, findings_at;      /* where they go in the whole */
} hm_claims_chunk;

typedef struct {
  const hm_snapshot *snap;
  const unsigned char *wanted;   /* for each row; NULL: all are */
  hm_reader *workers; int n_workers;
  hm_claims_chunk *chunks; size_t n_chunks;
  hm_map types;
  hm_claims_keep *keep;          /* while rows are read in brief */
  hm_claims *out;
} hm_claims_job;

int hm_claims_check_rows(const hm_snapshot *snap, hm_err *err);
void hm_claims_begin(hm_claims_job *j, const hm_snapshot *snap, const hm_rules *rules, int threads);
int hm_claims_read_chunk(void *job, size_t i, int worker);
/* What the chunks have goes to out. */
void hm_claims_put_together(hm_claims_job *j);
/* Reads the rows that are wanted, and puts them together. */
void hm_claims_read(hm_claims_job *j);
hm_claims *hm_claims_end(hm_claims_job *j);
/* Keys of the types that the store brought: a state's category may name one. Rows of one type mostly share its text. */
hm_map hm_claims_types(const hm_snapshot *snap, hm_arena *a);
#endif
