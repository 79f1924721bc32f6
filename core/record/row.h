/* The contents of the store as plain values: rows, projects, links, recorded conflicts. Design
 * sections 4 and 7. */
#ifndef HM_ROW_H
#define HM_ROW_H
#include "core/base/digest.h"
#include "core/base/err.h"
#include "core/base/json.h"
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
/* The trust of a claim of the layer: memory 1, entity and relation 2, state 3. */
int hm_layer_trust(hm_layer l);
/* Orders layers by trust, highest first; 0 only for the same layer. */
int hm_layer_order(hm_layer a, hm_layer b);
/* "memory:m1", in a. */
hm_str hm_ref_text(hm_arena *a, hm_layer l, hm_str id);
/* False for an unknown kind. */
bool hm_layer_parse(hm_str kind, hm_layer *out);
/* Splits "memory:m1"; false if it has no kind before a colon. */
bool hm_ref_parse(hm_str ref, hm_layer *layer, hm_str *id);
const char *hm_status_name(hm_status s); /* HM_STATUS_OTHER: "other" */
hm_status hm_status_parse(hm_str name);  /* unknown: HM_STATUS_OTHER (claims nothing) */

/* One row. Absent columns are empty strings. Raw bytes of the store: may be
 * invalid UTF-8, may hold NUL. */
typedef struct {
  hm_layer layer;
  hm_status status;
  signed char polarity; /* memory: -1 denied, 1 said; 0: none */
  bool value_is_json;   /* state: text is a JSON number, boolean or array, not a string */
  bool via;             /* memory, entity: an agent wrote it; the detail's via says how */
  uint32_t project;     /* index into hm_snapshot.projects, aliases already folded */
  hm_str id;
  hm_str type;     /* memory_type | entity_type | category | relation type */
  hm_str name;     /* entity: name; state: key; else empty */
  hm_str text;     /* memory: content; state: value; entity: description; else empty */
  hm_str props;    /* entity, relation: properties, JSON text as stored */
  hm_str from, to; /* relation: from_id, to_id (bare entity ids, or "kind:id") */
  hm_str sources;  /* state: source; else source_refs, JSON array text; of a memory with an agent
                    * empty, unless they name lines of documents */
  hm_str slot_rule, scope, agent; /* memory */
  hm_str tags;                    /* memory: JSON array text */
  hm_str valid_from, valid_until, created_at, updated_at;
  hm_str superseded_by; /* bare id of the same layer, or "kind:id" */
  hm_str graduated_to;  /* memory: bare id of an entity, or "kind:id" */
} hm_row;
/* When what it says came, where no source tells more: updated_at, else created_at. */
static inline hm_str hm_row_value_date(const hm_row *r) {
  return r->updated_at.n ? r->updated_at : r->created_at;
}
/* The row's reference, "kind:id". */
hm_str hm_row_ref(hm_arena *a, const hm_row *r);

/* Columns that only pages show, parallel to rows. */
typedef struct {
  hm_str source_refs; /* JSON array text; for state: the plain text of `source` */
  hm_str confidence, importance, polarity; /* decimal text */
  hm_str superseded_at;
  hm_str via;              /* memory, entity: "mcp"; empty: not written by an agent */
  hm_str last_accessed_at; /* memory; reaches no page and no digest */
  bool hand_authored;
} hm_row_detail;

typedef struct {
  hm_str id; /* "" is the global project */
  hm_str name, description, created_at, updated_at;
  hm_str *aliases; /* sorted */
  size_t n_aliases;
  bool declared; /* false: rows name it, no `projects` row does */
  hm_str came; /* not declared, and of one name with others: when its first row came; else empty */
  hm_str fits[2]; /* not declared: two declared ones that fit its folded id */
} hm_project;

typedef struct {
  hm_str src, dst, rel;
} hm_link;
/* Orders links for qsort: by src, rel, dst. */
int hm_link_order(const void *a, const void *b);

/* MERGED is not a decision: the claims now belong to another conflict. */
typedef enum { HM_OPEN, HM_RESOLVED, HM_DISMISSED, HM_MERGED, HM_N_VERDICTS } hm_verdict;
const char *hm_verdict_name(hm_verdict v); /* open | resolved | dismissed | merged */
hm_verdict hm_verdict_parse(hm_str name);  /* unknown: HM_DISMISSED (quiet) */

/* The sources in a row's source_refs (hm_row_detail): the strings of the array; for a state, or a
 * text that is not an array, the whole text. Returns their number. *out and texts live in a or
 * borrow. */
size_t hm_sources_parse(hm_arena *a, hm_layer l, hm_str refs, hm_str **out);

/* "PATH:LINE" of a memory that is the line of a document (core/notes/notes.h), or of a state that
 * is what a manifest says (core/tree/manifest.c); else empty. */
hm_str hm_row_file_line(const hm_row *r, hm_arena *a);

/* The text of the winner of a conflict or verdict: one reference as it is, several as a sorted JSON
 * array. */
enum { HM_WINNERS_MAX = 64 };
/* Reads the references and returns their number, 0 if the text is empty. *out and texts live in a
 * or borrow. */
size_t hm_winners_parse(hm_arena *a, hm_str winner, hm_str **out);
/* The reverse; sorts refs, which are distinct. The result is in a, or one of refs. */
hm_str hm_winners_text(hm_arena *a, hm_str *refs, size_t n);
/* "relation:r1 and relation:r2 stand", each cut to `shown` bytes. */
hm_str hm_winners_sentence(hm_arena *a, hm_str winner, size_t shown);

/* A recorded member of a conflict: its claim when a sweep last saw it in dispute. */
typedef struct {
  hm_layer layer;
  hm_str id;
  hm_str field;  /* property name as written; "value" for state, "content" for memory */
  hm_str value;  /* raw */
  hm_str normal; /* hm_value.norm */
  bool flagged;
  hm_str conflicts_with; /* "kind:id" or empty */
  bool removed;  /* a verdict removed the field from its row; counts while the row lacks it */
  hm_str source; /* who says it, where the sources of its row differ; else empty */
} hm_member_rec;

/* "kind:id#field"; '%' and '#' in the id become %25 and %23, so anchors are unique. */
hm_str hm_anchor_text(hm_arena *a, hm_layer layer, hm_str id, hm_str field);
/* The reverse; false if it is not an anchor. *id and *field live in a or borrow. */
bool hm_anchor_parse(hm_arena *a, hm_str anchor, hm_layer *layer, hm_str *id, hm_str *field);

/* Orders members for qsort: by trust, highest first, then id, field and source; 0 for the same
 * claim. */
int hm_member_order(const void *a, const void *b);

/* A decision on a conflict: what it was, and by whom, when and why. */
typedef struct {
  hm_str status; /* resolved | dismissed | reopened */
  hm_str action, winner, notes, by, at;
} hm_past_decision;

typedef struct {
  hm_str id;        /* c + 12 hex digits */
  hm_str slot_kind; /* memory_slot | entity_slot | state_slot | relation_slot |
                       cross_layer */
  hm_str slot_key;  /* compact JSON array */
  hm_str project;   /* id after folding of aliases */
  hm_verdict status;
  hm_str detected_at; /* clock; reaches no page */
  hm_str resolved_at, resolution, resolved_by;
  bool from_file;       /* an imported verdict settled it: by whom and when is what its file says */
  hm_str action;        /* supersede_opponents | supersede_others | no_action | empty */
  hm_str scope;         /* whole_row | field_only | empty: not said */
  hm_str winner;        /* "kind:id", or several (hm_winners_parse), or empty */
  hm_str winner_source; /* whose value of it stands; empty: its sources do not differ */
  hm_str rule;          /* "slot" */
  int rule_version;
  hm_str anchor; /* hm_anchor_text of the member that the id was made from; empty in conflicts from
                  * before version 3 until a sweep finds them again */
  hm_str merged_into;               /* HM_MERGED: the id of the conflict that has the claims now */
  hm_str window_from, window_until; /* the contested time; empty: not known, or open */
  hm_member_rec *members;           /* in the order of hm_member_order */
  size_t n_members;
  /* Of an open one whose last verdict was taken back: that verdict, and what took it back. Else
   * NULL. */
  const hm_past_decision *taken_back, *reopened;
  bool summed;           /* sum is the digest of all that can show; reset this when you change any
                          * other field */
  unsigned char sum[32]; /* made by hm_snapshot_digest */
} hm_conflict_rec;

/* Orders conflicts for qsort: by slot key, then id. */
int hm_conflict_order(const void *a, const void *b);

/* An acknowledgement of a finding or a flag on a row; remarks.h. */
typedef enum { HM_REMARK_ACK, HM_REMARK_FLAG, HM_N_REMARK_KINDS } hm_remark_kind;
typedef struct {
  hm_str id;
  hm_str subject;  /* id of the finding; "kind:id" of the row */
  hm_str evidence; /* ACK: digest of the finding's content */
  hm_str rule;     /* ACK: rule of the finding */
  bool withdrawn;  /* this line withdraws it */
  hm_str reason, by, at;
} hm_remark;

#define HM_SAYS_REPORTED "reported"   /* somebody says that they contradict each other */
#define HM_SAYS_CONFIRMED "confirmed" /* a person says so */
#define HM_SAYS_AGREES "agrees"       /* they do not */
#define HM_SAYS_WITHDRAWN                                                                          \
  "withdrawn" /* what `model` proposed or reported of them is taken back                           \
               */

/* What a model, an agent or a person says of rows; remarks.h. */
typedef struct {
  hm_str id;
  hm_str *rows, *digests;
  size_t n; /* "kind:id"; digests of their texts (judged.h) */
  hm_str question, model, at;
  hm_str says; /* one of these; empty: a model proposes it, or a person confirmed what two texts
                * show */
  hm_str by, why, via;
  bool taken_back; /* it was reported or proposed before a withdrawal of the same; as read */
} hm_proposal;

/* A finding: a problem that is no conflict. id: "f" + 12 hex digits over (rule, rows, key). reason:
 * what is wrong, in a few words ("EXISTED_BEFORE", "Person of unknown lineage"); empty if the rule
 * says it. */
typedef struct {
  hm_str id, kind; /* kind: anachronism | ontology_violation | orphan | stale | possible_overlap */
  hm_str severity; /* error | warn | info */
  hm_str rule;     /* "row/properties", "row/window", ... */
  hm_str project;
  hm_str *rows;
  size_t n_rows; /* "kind:id" */
  hm_str message, expected, actual, reason;
  hm_str key; /* distinguishes findings of one rule about the same rows: a field, or a
               * reason. Not recorded; may be empty */
  /* Set by a sweep. acked: people acknowledged this evidence, so lists omit it. ack: an
   * acknowledgement, if possible of this evidence; NULL: none. ack_id: its id, of a recorded one.
   */
  bool acked;
  const hm_remark *ack;
  hm_str ack_id;
} hm_finding;

/* The columns of a row that name another row, and the ends of a link. A bare id names an entity; in
 * superseded_by, a row of the same layer; in a link, a memory. */
typedef enum {
  HM_NAMES_FROM,
  HM_NAMES_TO,
  HM_NAMES_SUPERSEDED_BY,
  HM_NAMES_GRADUATED_TO,
  HM_N_NAMES,
  HM_NAMES_SRC = HM_N_NAMES,
  HM_NAMES_DST
} hm_naming;
/* The text of this column. */
hm_str hm_row_naming(const hm_row *r, hm_naming column);

/* Who names a row: a row by one of its columns, or a link (its number) by an end. */
typedef struct {
  uint32_t of;
  hm_naming by;
} hm_namer;

/* A field as a source says it. */
typedef struct {
  hm_str field; /* a key of a record, or "properties.NAME" */
  hm_str value; /* as text; of a property as JSON; empty: it says none any more */
  hm_str at;    /* when this value came; empty: not known */
  hm_str past;  /* what it was: a JSON array of {"value", "until", "source"}; or empty */
  bool over;    /* a person judged it */
} hm_said_value;

/* What a source says of a row, where the sources of the row differ, or it has a history; all
 * sources of a row are there, or the only one. */
typedef struct {
  uint32_t row;
  hm_str source;
  bool person; /* it judged what others say */
  bool gone;   /* it says nothing of the row any more */
  bool absent; /* nor does it in its last version, but what it said still counts */
  bool only;   /* the only source, which says what the row has: `as` is the row */
  hm_row as; /* the row, as it says it, also what is over: fields that it does not say are empty */
  hm_row_detail detail;
  hm_said_value *fields;
  size_t n_fields;               /* by field; of an only one those with a history */
  hm_str date;                   /* of the fields that are not among them, or have no time */
  hm_str first;                  /* of the record before its first change */
  const struct hm_said_set *set; /* of the row, with this one */
} hm_evidence;
/* What becomes of what a source said of rows that it names no more. */
typedef enum {
  HM_GONE_TOLD,          /* it still counts, and is told */
  HM_GONE_IGNORED,       /* the stream is of additions: nothing is gone */
  HM_GONE_ENDS,          /* it ends */
  HM_GONE_ENDS_BUT_MOST, /* it ends, unless more than half of a source of HM_GONE_FEW rows or more
                          * would at once: then it is told */
} hm_import_gone;
enum { HM_GONE_FEW = 20 };
/* Called for rows without an id of their own that a source names no more, where their columns do
 * not say their slot: fills edited[i], whether one that it names has another value in the slot of
 * gone[i]. */
struct hm_store;
typedef int hm_import_edited(void *ctx, struct hm_store *s, const hm_str *gone, size_t n,
                             const hm_map *named, bool *edited, hm_err *err);

/* Which row names which, both ways: row_graph.c. Rows that are not stored are HM_MAP_NONE. */
typedef struct {
  uint32_t (*named)[HM_N_NAMES]; /* by row and column */
  uint32_t (*ends)[2];           /* by link: src, dst */
  hm_namer *namers; /* of row r: namers[first[r]] up to that of r + 1; rows before links,
                     * ascending */
  uint32_t *first;
} hm_row_graph;

/* Row numbers by id, in half the memory of a map: the ids stay in the rows. */
typedef struct {
  uint64_t *places;
  size_t mask;
  uint64_t seed;
} hm_row_index;
/* Makes it empty, with room for n ids. */
void hm_row_index_init(hm_row_index *x, hm_arena *a, size_t n);
/* Adds a row. rows[row].id must be id at the time of a lookup. Of two equal ids the first is
 * found. */
void hm_row_index_add(hm_row_index *x, hm_str id, uint32_t row);

/* A source of an import that says a row; empty: none is known. came: when a command first stored
 * the row; empty: before the journal. */
typedef struct {
  uint32_t row;
  hm_str source, came;
} hm_row_source;

/* The commit that last changed a line: core/store/line_commits.h. */
typedef struct {
  hm_str ref, place; /* "memory:m1", "docs/guide.md:12" */
  hm_str said;       /* "1a2b3c4d5e6f, 2026-04-02, kim" */
} hm_line_commit;

/* The whole store at one instant. Everything is sorted: projects by id, rows by
 * (layer, id), links by (src, rel, dst), conflicts by (slot_key, id). */
typedef struct hm_snapshot {
  hm_project *projects;
  size_t n_projects;
  hm_str *loose;
  size_t n_loose; /* project names in rows that fit only when folded; may repeat */
  hm_row *rows;
  size_t n_rows;
  hm_row_detail *details; /* NULL unless requested */
  size_t first[6];        /* rows of layer l are [first[l], first[l+1]) */
  hm_row_source *sources; /* of entities that share project, type and name: namesakes.c */
  size_t n_sources;       /* by row, then source */
  hm_evidence *evidence;
  size_t n_evidence; /* by row, then source */
  hm_link *links;
  size_t n_links;
  hm_conflict_rec *conflicts;
  size_t n_conflicts;
  hm_finding *findings;
  size_t n_findings;                     /* as recorded by the last sweep */
  hm_remark *remarks[HM_N_REMARK_KINDS]; /* hm_remarks_unreplaced */
  size_t n_remarks[HM_N_REMARK_KINDS];
  hm_proposal *proposals;
  size_t n_proposals; /* by id */
  hm_line_commit *commits;
  size_t n_commits;          /* by ref; with details only */
  hm_row_index by_id[5];     /* per layer: id -> row index; see hm_snapshot_row */
  const hm_row_graph *graph; /* a sweep sets it; else NULL: see hm_snapshot_graph */
  hm_str digest;             /* hex SHA-256 of rows, projects, links, conflicts without the
                              * clock's columns, commits; empty until hm_snapshot_digest made it */
  hm_sha256 *rows_summed;    /* the digest of rows, projects and links; NULL until it was made */
  /* The instant at which a claim without an end still holds: SOURCE_DATE_EPOCH, else the newest
   * readable created_at, updated_at or superseded_at of a row that is at most a day after the
   * clock; HM_TIME_MAX if no row has one. */
  hm_time now;
  hm_time ahead; /* the earliest time of a row that was further ahead; HM_TIME_MAX: none */
  /* Seconds in which ten or more memories were written: the time of an import, which does not say
   * when one was written. Sorted. NULL: count them in the rows, which are complete. */
  const hm_time *crowded;
  size_t n_crowded;
  /* When its entities existed (core/claim/existence.h), if that was read before some rows were left
   * out; NULL: read it when needed. */
  const struct hm_existences *lives;
  hm_str newest; /* newest readable time of a fact or verdict, ISO, or empty */
  /* Some rows of another snapshot, with its projects: what these rows name is looked up there, too
   * (hm_snapshot_find_entity). NULL: this is the whole store. */
  const struct hm_snapshot *around;
} hm_snapshot;

/* Index of the row, or HM_MAP_NONE. */
uint32_t hm_snapshot_row(const hm_snapshot *s, hm_layer l, hm_str id);
/* The entity with this id, also where the snapshot is a part (hm_snapshot.around); or NULL. */
const hm_row *hm_snapshot_find_entity(const hm_snapshot *s, hm_str id);
/* Resolves "kind:id", or a bare id within `layer`. HM_MAP_NONE when unknown. */
uint32_t hm_snapshot_ref(const hm_snapshot *s, hm_layer layer, hm_str ref);
/* The row that this column names; HM_MAP_NONE if it is empty or names no stored row. Costs a hash
 * lookup, unless the snapshot has its graph. */
uint32_t hm_snapshot_named(const hm_snapshot *s, uint32_t row, hm_naming column);
/* The graph of the snapshot, or one that is made in a. */
const hm_row_graph *hm_snapshot_graph(const hm_snapshot *s, int threads, hm_arena *a);
/* What the sources of the row say, *n of them; NULL: they agree, and nothing is known of before. */
const hm_evidence *hm_snapshot_evidence(const hm_snapshot *s, uint32_t row, size_t *n);
/* Has every source of the row come without it? False where none is known. */
bool hm_snapshot_is_gone(const hm_snapshot *s, uint32_t row);
/* The row as it follows from some of its sources alone: kept, one for each of hm_snapshot_evidence.
 * False: only one that is not kept gives its project, its ends or its successor, or all that it
 * says. In a. */
bool hm_snapshot_row_of_sources(const hm_snapshot *s, uint32_t row, const bool *kept, hm_arena *a,
                                hm_row *out, hm_row_detail *detail);
/* The field as this source says it; NULL: it does not. */
const hm_said_value *hm_evidence_field(const hm_evidence *e, hm_str field);
/* Did a verdict remove this member's field from its row, and does the row still lack it? */
bool hm_member_is_removed(const hm_snapshot *s, const hm_member_rec *m, hm_arena *a);

/* Adds what else is known of a row, "kind:id", to its object, which is open in w. */
typedef void hm_row_tell(const void *ctx, hm_str ref, hm_jw *w);

/* --- digests -------------------------------------------------------------------------- */

/* The digest of the current s; empty if s was read without details. Sums rows, projects and links
 * once, so they must not change afterwards; sums each conflict that is not `summed`. a: the
 * snapshot's. */
hm_str hm_snapshot_digest(hm_snapshot *s, hm_arena *a);

/* Who and when, for the journal and detected_at; and why, for the journal, or empty. */
typedef struct {
  hm_str by, at, why;
  bool undated; /* time of the decision unknown: `at` goes into the journal, not into rows */
  bool agent;   /* what it says outranks nothing */
} hm_actor;

#endif
