/* What the store holds, as plain values: rows, projects, links, recorded
 * conflicts. Design sections 4 and 7. */
#ifndef HM_ROW_H
#define HM_ROW_H
#include "core/base/str.h"
#include "core/base/time.h"

typedef enum { HM_MEMORY = 1, HM_ENTITY = 2, HM_STATE = 3, HM_RELATION = 4 } hm_layer;
typedef enum {
  HM_CANDIDATE,
  HM_ACTIVE,
  HM_SUPERSEDED,
  HM_INVALID,
  HM_GRADUATED,
  HM_STATUS_OTHER
} hm_status;

/* "memory", "entity", "project_state", "relation": the kind of a record and the
 * first half of a reference "kind:id". */
const char *hm_layer_name(hm_layer l);
/* How much a claim of the layer counts against others: memory 1, entity and relation 2, state 3. */
int hm_layer_trust(hm_layer l);
/* By trust, highest first; 0 for one layer only. */
int hm_layer_order(hm_layer a, hm_layer b);
/* "memory:m1", in a. */
hm_str hm_ref_text(hm_arena *a, hm_layer l, hm_str id);
/* false for an unknown kind. */
bool hm_layer_parse(hm_str kind, hm_layer *out);
const char *hm_status_name(hm_status s);     /* HM_STATUS_OTHER: "other" */
hm_status hm_status_parse(hm_str name);      /* unknown: HM_STATUS_OTHER (claims nothing) */

/* One row. Absent columns are empty strings. Raw bytes of the store: may be
 * invalid UTF-8, may hold NUL. */
typedef struct {
  hm_layer layer;
  hm_status status;
  signed char polarity;    /* memory: -1 denied, 1 said; 0: none */
  bool value_is_json;      /* state: text is a JSON number, boolean or array, not a string */
  bool via;                /* memory, entity: an agent wrote it, by the way in the detail's via */
  uint32_t project;        /* index into hm_snapshot.projects, aliases already folded */
  hm_str id;
  hm_str type;             /* memory_type | entity_type | category | relation type */
  hm_str name;             /* entity: name; state: key; else empty */
  hm_str text;             /* memory: content; state: value; entity: description; else empty */
  hm_str props;            /* entity, relation: properties, JSON text as stored */
  hm_str from, to;         /* relation: from_id, to_id (bare entity ids, or "kind:id") */
  hm_str sources;          /* relation: source_refs, JSON array text */
  hm_str slot_rule, scope, agent; /* memory */
  hm_str tags;             /* memory: JSON array text */
  hm_str valid_from, valid_until, created_at;
  hm_str superseded_by;    /* bare id of the same layer, or "kind:id" */
  hm_str graduated_to;     /* memory: bare id of an entity, or "kind:id" */
} hm_row;
/* Its reference, "kind:id". */
hm_str hm_row_ref(hm_arena *a, const hm_row *r);

/* Columns that only pages show; the same index as the row. */
typedef struct {
  hm_str source_refs;      /* JSON array text; for state: the plain text of `source` */
  hm_str confidence, importance, polarity;   /* decimal text */
  hm_str superseded_at, updated_at;
  hm_str via;              /* memory, entity: "mcp"; empty: by no agent's way */
  hm_str last_accessed_at; /* memory; reaches no page and no digest */
  bool hand_authored;
} hm_row_detail;

typedef struct {
  hm_str id;               /* "" is the global project */
  hm_str name, description, created_at, updated_at;
  hm_str *aliases;         /* sorted */
  size_t n_aliases;
  bool declared;           /* false: rows name it, no `projects` row does */
  hm_str fits[2];          /* not declared: two declared ones that fit its folded id, else empty */
} hm_project;

typedef struct { hm_str src, dst, rel; } hm_link;

/* MERGED is no verdict, nobody decided: the claims are now one conflict with those of another. */
typedef enum { HM_OPEN, HM_RESOLVED, HM_DISMISSED, HM_MERGED, HM_N_VERDICTS } hm_verdict;
const char *hm_verdict_name(hm_verdict v);   /* open | resolved | dismissed | merged */
hm_verdict hm_verdict_parse(hm_str name);    /* unknown: HM_DISMISSED (quiet) */

/* The sources in a row's source_refs (hm_row_detail): the strings of its array, of a state or of a
 * text that is no array the whole; returns how many. *out and texts live in a or borrow. */
size_t hm_sources_parse(hm_arena *a, hm_layer l, hm_str refs, hm_str **out);

/* What the winner of a conflict or verdict says: one reference as it is, several as a JSON array,
 * sorted. */
enum { HM_WINNERS_MAX = 64 };
/* The references, and how many: 0 where the text is empty. *out and texts live in a or borrow. */
size_t hm_winners_parse(hm_arena *a, hm_str winner, hm_str **out);
/* The other way; sorts refs, of which each is there once. In a, or one of refs. */
hm_str hm_winners_text(hm_arena *a, hm_str *refs, size_t n);
/* "relation:r1 and relation:r2 stand", each cut to `shown` bytes. */
hm_str hm_winners_sentence(hm_arena *a, hm_str winner, size_t shown);

/* One member as recorded: its claim when a sweep last saw it in dispute. */
typedef struct {
  hm_layer layer;
  hm_str id;
  hm_str field;            /* property name as written; "value" for state, "content" for memory */
  hm_str value;            /* raw */
  hm_str normal;           /* hm_value.norm */
  bool flagged;
  hm_str conflicts_with;   /* "kind:id" or empty */
  bool removed; /* a verdict took the field out of its row; holds while the row lacks it */
} hm_member_rec;

/* "kind:id#field"; '%' and '#' in the id become %25 and %23, so that no two members share one. */
hm_str hm_anchor_text(hm_arena *a, hm_layer layer, hm_str id, hm_str field);
/* The other way; false: it is none. *id and *field live in a or borrow. */
bool hm_anchor_parse(hm_arena *a, hm_str anchor, hm_layer *layer, hm_str *id, hm_str *field);

/* The order of members, for qsort: by trust, highest first, then id, then field; 0 for one claim.
 */
int hm_member_order(const void *a, const void *b);

typedef struct {
  hm_str id;               /* c + 12 hex digits */
  hm_str slot_kind;        /* memory_slot | entity_slot | state_slot | relation_slot |
                              cross_layer */
  hm_str slot_key;         /* compact JSON array */
  hm_str project;          /* id after folding of aliases */
  hm_verdict status;
  hm_str detected_at;      /* clock; reaches no page */
  hm_str resolved_at, resolution, resolved_by;
  hm_str action;           /* supersede_opponents | supersede_others | no_action | empty */
  hm_str scope;            /* whole_row | field_only | empty: not said */
  hm_str winner;           /* "kind:id", or several (hm_winners_parse), or empty */
  hm_str rule;             /* "slot" */
  int rule_version;
  hm_str anchor; /* the member that the id was made from, as hm_anchor_text says it; empty in
                    conflicts from before version 3 until a sweep meets them */
  hm_str merged_into;      /* HM_MERGED: the id of the conflict that goes on */
  hm_str window_from, window_until;   /* the contested time; empty: not known, or open */
  hm_member_rec *members;  /* in the order of hm_member_order */
  size_t n_members;
  bool summed; /* sum is the digest of hm_conflict_put_canonical: a copy may keep it, who changes
                  anything else says that it is not */
  unsigned char sum[32];   /* made by hm_snapshot_digest */
} hm_conflict_rec;

/* What somebody said of a finding (acknowledged it) or a row (flagged it); remarks.h. */
typedef enum { HM_REMARK_ACK, HM_REMARK_FLAG, HM_N_REMARK_KINDS } hm_remark_kind;
typedef struct {
  hm_str id;
  hm_str subject;          /* id of the finding; "kind:id" of the row */
  hm_str evidence;         /* acknowledged: digest of what the finding said */
  hm_str rule;             /* acknowledged: of the finding */
  bool withdrawn;          /* no longer so */
  hm_str reason, by, at;
} hm_remark;

/* What a model proposed; remarks.h. */
typedef struct {
  hm_str id;
  hm_str *rows, *digests; size_t n;   /* "kind:id", and what each said then (judged.h) */
  hm_str question, model, at;
} hm_proposal;

/* Something else a reader must know. id: "f" + 12 hex digits over (rule, rows, key).
 * reason: what is wrong in a word or a few ("EXISTED_BEFORE", "Person of unknown lineage"); empty
 * where the rule says it all. */
typedef struct {
  hm_str id, kind; /* kind: anachronism | ontology_violation | orphan | stale | possible_overlap */
  hm_str severity;         /* error | warn | info */
  hm_str rule;             /* "row/properties", "row/window", ... */
  hm_str project;
  hm_str *rows; size_t n_rows;   /* "kind:id" */
  hm_str message, expected, actual, reason;
  hm_str key;              /* tells findings of one rule about the same rows apart: a field, or the
                              reason where the rule has several. Not recorded; may be empty */
  /* Of a sweep: people acknowledged this evidence, so lists leave it out; and who did, also of
   * other evidence, NULL: nobody. */
  bool acked;
  const hm_remark *ack;
} hm_finding;

/* The columns of a row that name another one. A bare id is of an entity; in superseded_by, of a row
 * of the same layer. */
typedef enum {
  HM_NAMES_FROM, HM_NAMES_TO, HM_NAMES_SUPERSEDED_BY, HM_NAMES_GRADUATED_TO, HM_N_NAMES
} hm_naming;
/* The text of that column. */
hm_str hm_row_naming(const hm_row *r, hm_naming column);

/* Row numbers by id, in half the room of a map: the ids stay in the rows. */
typedef struct { uint64_t *places; size_t mask; uint64_t seed; } hm_row_index;
/* An empty one, with room for n ids. */
void hm_row_index_init(hm_row_index *x, hm_arena *a, size_t n);
/* id: of rows[row], by the time that anybody looks for it. Of two that are equal the first is
 * found. */
void hm_row_index_add(hm_row_index *x, hm_str id, uint32_t row);

/* Rows whose bytes have one digest: from the row of this number on, up to the next one's. A chunk
 * begins with the first row of all and with each whose id has a hash that says so, whatever stands
 * beside it. */
typedef struct { uint32_t from; unsigned char digest[32]; } hm_row_chunk;
/* For the digest: chunks of rows, and the frame, of projects and links. Beside rows a hash of what
 * can show of each, made with the seed (0: not made), see hm_snapshot_hash_rows. */
typedef struct {
  hm_row_chunk *chunks; size_t n_chunks;
  unsigned char frame[32];
  hm_hash128 *hashes; uint64_t seed;
} hm_row_sums;

/* The whole store at one instant. Everything is sorted: projects by id, rows by
 * (layer, id), links by (src, rel, dst), conflicts by (slot_key, id). */
typedef struct {
  hm_project *projects; size_t n_projects;
  hm_str *loose;
  size_t n_loose; /* names that rows have for projects and that only fit when folded,
                     some of them twice */
  hm_row *rows; size_t n_rows;
  hm_row_detail *details;          /* NULL unless asked for */
  size_t first[6];                 /* rows of layer l are [first[l], first[l+1]) */
  hm_link *links; size_t n_links;
  hm_conflict_rec *conflicts; size_t n_conflicts;
  hm_finding *findings; size_t n_findings;   /* as recorded by the last sweep */
  hm_remark *remarks[HM_N_REMARK_KINDS];     /* hm_remarks_unreplaced */
  size_t n_remarks[HM_N_REMARK_KINDS];
  hm_proposal *proposals; size_t n_proposals;   /* by id */
  hm_row_index by_id[5];           /* per layer: id -> row index; see hm_snapshot_row */
  uint32_t (*named)[HM_N_NAMES];   /* beside rows; NULL until hm_snapshot_resolve_refs */
  hm_str digest;                   /* hex SHA-256 of rows, projects, links, conflicts without the
                                      clock's columns; empty unless details were asked for */
  hm_row_sums *sums;               /* NULL until rows were taken in */
  /* The instant at which what has no end still holds: SOURCE_DATE_EPOCH, else the newest readable
   * created_at, updated_at or superseded_at of a row that is not more than a day after the clock;
   * HM_TIME_MAX where no row has one. */
  hm_time now;
  /* Seconds in which ten memories or more were written: an import's time, which says of none of
   * them when it was written. Sorted. NULL: to be counted in the rows, which are all there. */
  const hm_time *crowded; size_t n_crowded;
  /* When its entities existed (core/claim/existence.h), where that was read before some of them
   * were left out; NULL: who asks reads it. */
  const struct hm_existences *lives;
  hm_str newest;                   /* newest readable time of a fact or verdict, ISO, or empty */
} hm_snapshot;

/* Index of the row, or HM_MAP_NONE. */
uint32_t hm_snapshot_row(const hm_snapshot *s, hm_layer l, hm_str id);
/* Resolves "kind:id", or a bare id within `layer`. HM_MAP_NONE when unknown. */
uint32_t hm_snapshot_ref(const hm_snapshot *s, hm_layer layer, hm_str ref);
/* What a column of this row names; HM_MAP_NONE: nothing, or nothing that is stored. A hash lookup
 * each, unless the snapshot was resolved. */
uint32_t hm_snapshot_named(const hm_snapshot *s, uint32_t row, hm_naming column);
/* Looks all of them up, once for all who ask. a: the snapshot's. */
void hm_snapshot_resolve_refs(hm_snapshot *s, int threads, hm_arena *a);
/* Did a verdict take this member's field out of its row, which lacks it still? */
bool hm_member_is_removed(const hm_snapshot *s, const hm_member_rec *m, hm_arena *a);

/* --- digests: snapshot_digest.c --------------------------------------------------------------- */

/* Appends all that can show of it: equal bytes, equal records. */
void hm_conflict_put_canonical(const hm_conflict_rec *c, hm_buf *out);
/* snapshot->digest of what s says now; empty when s was read without details. Rows, projects and
 * links are summed once and must not change then; conflicts are, each, unless they are summed. a:
 * the snapshot's. */
hm_str hm_snapshot_digest(hm_snapshot *s, hm_arena *a);
/* Sums all rows. Needs details. seed: as of hm_snapshot_hash_rows, which then has nothing left to
 * do; 0: none. */
void hm_snapshot_sum(hm_snapshot *s, uint64_t seed, hm_arena *a);
/* Fills sums->hashes on all cores, unless they were made with this seed; not before
 * hm_snapshot_digest, and nothing without details. seed: a secret, so that no row can be written to
 * have another's hash (see hm_str_hash128). Not from two threads at once. */
void hm_snapshot_hash_rows(hm_snapshot *s, uint64_t seed, int threads);
#endif
