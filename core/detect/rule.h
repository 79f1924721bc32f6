/* What a rule is, what it is handed, and the driver that runs a table of them.
 *
 * A rule is a row of a table. It says what it reads and under which key; the driver hands it just
 * that, key by key (hm_scope), and takes what it finds (hm_found). So the driver knows what must
 * run again after a change, and a conflict of any rule gets members, verdicts, a page, markers,
 * history and an explanation. Under the address sanitizer the driver poisons all rows and claims
 * outside the scope, and in its rows all columns that the rule did not declare: an undeclared read
 * ends the program with a stack trace. */
#ifndef HM_RULE_H
#define HM_RULE_H
#include "core/detect/conflict.h"
#include "core/detect/slot_claims.h"

typedef enum { HM_YIELDS_FINDING, HM_YIELDS_CONFLICT } hm_yield;
typedef enum { HM_SEVERITY_INFO, HM_SEVERITY_WARN, HM_SEVERITY_ERROR } hm_severity;
/* "info", "warn", "error"; false: none, and *out is left alone. */
const char *hm_severity_name(hm_severity s);
bool hm_severity_parse(hm_str name, hm_severity *out);

/* The key under which a rule reads: what one call of `find` is handed. When a row changes, what it
 * was and what it is count: these keys run again. */
typedef enum {
  HM_BY_ROW,         /* one row. Again: it */
  HM_BY_TIES,        /* one row, and which relations tie it to others (hm_gap_rule). Again: it, the
                        ends of relations, where a search leads on also what comes by there, and
                        all in projects in which the rule comes or ceases to be of use */
  HM_BY_SLOT,        /* the claims of one slot that holds two values or more. Again: its slots */
  HM_BY_REF,         /* one row or link that names others, with cards of those. Again: it, and who
                        names it */
  HM_BY_BALL,        /* a row and all within `radius` references of it, in either direction.
                        Again: the rows within `radius` + 1, as the outermost have cards */
  HM_BY_COMPONENT,   /* rows that references connect. Again: its component, and its neighbours' */
  HM_BY_TYPE,        /* all rows of `types`. Again: all */
  HM_BY_WORLD        /* everything. Again: all; says why (`world`) */
} hm_keyspace;

/* Columns of a row besides its head: layer, status, polarity, project, id, type. */
enum {
  HM_COL_NAME = 1,
  HM_COL_TEXT = 2,
  HM_COL_PROPS = 4,
  HM_COL_SLOT_RULE = 8,
  HM_COL_SCOPE = 16,
  HM_COL_VALID = 32,
  HM_COL_CREATED = 64,
  /* columns that refer to rows; SRC and DST belong to links */
  HM_COL_FROM = 128,
  HM_COL_TO = 256,
  HM_COL_SUPERSEDED_BY = 512,
  HM_COL_GRADUATED_TO = 1024,
  HM_COL_SRC = 2048,
  HM_COL_DST = 4096,
  HM_COL_SOURCES = 8192, /* of a relation */
  HM_COL_TAGS = 16384    /* of a memory */
};
/* Of one that refers: "from", "superseded_by". */
hm_str hm_column_name(uint32_t column);
/* Layers as a set; LINKS: references by row, of links in the place of rows. */
#define HM_IN(layer) (1u << (layer))
enum { HM_IN_ROWS = 30, HM_IN_LINKS = 32 };

/* What a row names in a declared column, and of the row that it names this and no more. An end of a
 * relation or link that is empty has a card, too. */
typedef struct {
  uint32_t from, column;
  hm_str ref;
  uint32_t to;          /* HM_MAP_NONE: nothing of that name is stored */
  uint32_t project; hm_status status;
} hm_ref_card;

/* --- missing ties ------------------------------------------------------------------- */

/* The end of a relation at which a row stands. */
typedef enum { HM_TIED_FROM = 1, HM_TIED_TO = 2, HM_TIED_EITHER = 3 } hm_tied_end;
typedef enum {
  HM_IN_WORLDS,  /* in projects that are worlds (gap_rules.c), for rows of one with a calendar */
  HM_WHERE_USED, /* in projects that have relations of these kinds */
  HM_EVERYWHERE
} hm_gap_where;

/* What a rule by ties misses: names are those of hm_entity_type_key, lists end with NULL. */
typedef struct {
  const char *unknown;      /* "where it took place": what nobody knows where nothing answers */
  const char *const *kinds; /* active relations of these kinds answer */
  hm_tied_end end;              /* if the row stands at this end */
  const char *const *goals; /* and the other end is of such a type, or leads to one by way of
                               rows of the rule's types. NULL: whatever it is */
  const char *const *props; /* properties that answer, by their folded names */
  const char *const *dates; /* those that answer where no era is named in the project, or the
                               world has a calendar */
  bool (*is_answer)(hm_str prop); /* or by a function */
  const char *const *signs;       /* types that show the use of these kinds, too */
  hm_gap_where where;
} hm_gap_rule;
typedef struct hm_ties hm_ties;

typedef struct {
  const hm_rule *rule;
  size_t n_alike;                                /* rules from this one on in the table that the
                                                    call answers for (run_together); at least 1 */
  const hm_rules *config;
  const hm_snapshot *snap;                       /* read rows[i] for i in `rows` or a claim's row */
  const uint32_t *rows; size_t n_rows;           /* ascending; none by slot */
  const hm_ref_card *cards; size_t n_cards;      /* by ref, ball, component; by `from` */
  const hm_link *link;                           /* by ref, of links */
  const hm_slot_claims *slot;                    /* by slot; who is spared is filled in, and what
                                                    a story overtook is left out */
  const hm_slot_story *story;                    /* reads_story */
  const hm_ties *ties;                           /* by ties */
  const hm_finding *unread;                      /* reads_unread: what was found */
  const hm_claims *claims;                       /* reads_claims */
  const hm_existences *lives;                    /* reads_lives: of its rows, and of what its cards
                                                    name; ask hm_existence_find */
  int threads;                                   /* that a loop of the rule's own may use */
  hm_arena *scratch;                             /* until find returns */
} hm_scope;

typedef struct hm_found hm_found;

struct hm_rule {
  const char *name; int version;
  hm_yield yields;
  hm_severity severity;
  const char *kind;       /* of its findings, and of its conflicts unless they say another */
  const char *says;       /* one sentence for people: what it holds to be wrong */
  const char *expected;   /* of its findings */
  const char *reason;     /* of its findings (row.h); NULL: none */
  hm_keyspace by;
  uint32_t layers, columns;
  uint32_t about;         /* of the columns, that which it is about; 0: of no one */
  const char *const *types; /* rows of these types only; ends with NULL. NULL: of all */
  const hm_gap_rule *gap;   /* by ties */
  const char *const *ends_of; /* FROM and TO refer in relations of these types only, written as
                                 hm_relation_type_is has it; ends with NULL. NULL: in all */
  int radius;
  bool reads_now;         /* depends on snap->now, by itself or by its claims' windows */
  bool run_together;    /* by row or ref: one call of its finder answers also for the rules
                             behind it that say so, share the finder and declare the same
                             (hm_scope.n_alike) */
  bool reads_unread;      /* by row: what the reading of claims found wrong with the row under
                             this rule's name (claim.h) */
  bool reads_lives;       /* when its rows existed, and what they name. Again: also who may have
                             another existence (hm_existence_add_affected), and who names it */
  bool reads_claims;      /* by world: all claims */
  bool reads_story;       /* by slot: the story of its texts (slot_claims.h), in slots that have
                             one; its rows are those of the story */
  bool rows_again;        /* by slot: a row may be in several of its slots by one field */
  bool verdict_covers;    /* conflicts: a verdict keeps quiet what it knew, whatever its action */
  const char *world;      /* by world: why no smaller key will do */
  void (*find)(const hm_scope *s, hm_found *out);   /* pure */
  /* Conflicts: tells why; NULL: hm_explain_dispute with what every dispute has. */
  void (*explain)(hm_explainer *t, const hm_dispute *d);
};

typedef struct hm_rule_table { const hm_rule *rules; size_t n; } hm_rule_table;
/* Its row of that name, or NULL. */
const hm_rule *hm_rule_named(const hm_rule_table *t, hm_str name);
/* The table of these rules->table; where that is NULL, the shipped one (rule_table.c). */
const hm_rule_table *hm_config_rule_table(const hm_rules *config);
/* NULL: a rule has this name. Else what helps: "did you mean 'slot/overlap'?", in a. */
const char *hm_rule_suggest_name(const hm_rules *config, hm_str name, hm_arena *a);
/* True if every rule that yields conflicts and is not off reads by slot: then a sweep of some slots
 * finds all of their conflicts. */
bool hm_rules_are_all_by_slot(const hm_rules *config);

/* The finders of the shipped rules: slot_conflict_rules.c, story_rules.c, relation_rules.c,
 * proposal_rules.c, reference_rules.c, anachronism_rule.c, life_rules.c, gap_rules.c. */
void hm_find_slot_conflicts(const hm_scope *s, hm_found *out);
void hm_find_possible_overlaps(const hm_scope *s, hm_found *out);
void hm_find_crowded_slots(const hm_scope *s, hm_found *out);
void hm_find_other_bounds(const hm_scope *s, hm_found *out);
void hm_find_judged(const hm_scope *s, hm_found *out);
void hm_explain_judged(hm_explainer *t, const hm_dispute *d);
void hm_find_confirmed(const hm_scope *s, hm_found *out);
void hm_explain_confirmed(hm_explainer *t, const hm_dispute *d);
void hm_explain_crowded_slot(hm_explainer *t, const hm_dispute *d);
void hm_find_reversals(const hm_scope *s, hm_found *out);
void hm_find_stale(const hm_scope *s, hm_found *out);
void hm_explain_slot_conflict(hm_explainer *t, const hm_dispute *d);
void hm_find_unread(const hm_scope *s, hm_found *out);
void hm_find_dangling(const hm_scope *s, hm_found *out);
void hm_find_unclear_projects(const hm_scope *s, hm_found *out);
void hm_find_supersession_cycles(const hm_scope *s, hm_found *out);
/* Relations whose time lies outside the existence of an end, of the kind that the rule's reason
 * says; without a reason: that may lie outside. */
void hm_find_anachronisms(const hm_scope *s, hm_found *out);
/* Circles of supersession, parents, parts; the types of relations that they look at, which end with
 * NULL. */
void hm_find_parent_circles(const hm_scope *s, hm_found *out);
void hm_find_part_circles(const hm_scope *s, hm_found *out);
extern const char *const hm_supersede_types[], *const hm_parent_types[], *const hm_part_types[];
/* Entities that died before they were born; parents. */
void hm_find_death_before_birth(const hm_scope *s, hm_found *out);
void hm_find_child_before_parent(const hm_scope *s, hm_found *out);
void hm_find_young_parents(const hm_scope *s, hm_found *out);
void hm_find_late_children(const hm_scope *s, hm_found *out);
void hm_find_parents_alike(const hm_scope *s, hm_found *out);
/* The world of the relation that the scope is of, which comes from `from` (NULL: unknown). */
const hm_world *hm_relation_world(const hm_scope *s, const hm_existence *from);
/* The types of relations that anachronisms are looked for in; ends with NULL. */
extern const char *const hm_anachronism_types[];
void hm_find_flagged(const hm_scope *s, hm_found *out);
void hm_find_similar(const hm_scope *s, hm_found *out);

void hm_find_gap(const hm_scope *s, hm_found *out);

/* --- what a rule finds: rule_found.c ------------------------------------------------ */

/* A finding of the rule, which fills in id, kind, severity, rule, expected and reason where they
 * are not set. Texts in hm_found_arena. */
void hm_found_add_finding(hm_found *out, hm_finding f);
/* The same of another rule of those that were asked together. */
void hm_found_add_rule_finding(hm_found *out, const hm_rule *r, hm_finding f);
/* Marks a claim as one that a finding is about. */
void hm_found_mark_claim(hm_found *out, const hm_claim *c);
/* A dispute with everything set but rule and slot_key; kind: where it is not set. parties live in
 * hm_found_arena. */
void hm_found_add_dispute(hm_found *out, const hm_dispute *d, hm_str slot_key);
/* Adds a conflict of these claims. The pairs are indices of claims that contradict each other.
 * Sorts the claims and fills in flags, anchor, since and contested time. A claim in no pair is left
 * out. Claims may be the rule's own (in hm_found_arena): row, layer, project, field, value, window,
 * stands. The anchor reads when their rows were created, so the rule declares HM_COL_CREATED. */
void hm_found_add_conflict(hm_found *out, const hm_scope *s, hm_str slot_key,
                           const hm_claim **claims, size_t n, const hm_party_pair *pairs,
                           size_t n_pairs);
/* Lives as long as the result. */
hm_arena *hm_found_arena(hm_found *out);

/* --- the driver: rule_run.c ---------------------------------------------------------- */

/* Keys that are to be looked at. */
typedef struct {
  const bool *rows;         /* for each row of the snapshot: by row, ref, ball, component; links
                               that name one of them or nothing stored. NULL: none */
  const uint64_t *slots; size_t n_slots;   /* hm_str_hash of slot keys, sorted */
  bool world;               /* rules by type and by world */
  bool gaps_assumed;        /* take every project for one in which rules by ties are of use */
} hm_rule_keys;

/* Runs the table over everything (only: NULL), or over these keys. findings_too: false leaves out
 * rules that yield findings and do not read by slot. Threads as in hm_par_for; under the address
 * sanitizer one. As hm_disputes_find otherwise. */
int hm_rules_run(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *config,
                 const hm_rule_keys *only, bool findings_too, int threads, hm_arena *a,
                 hm_disputes **out, hm_err *err);
/* Given the set of changed rows, adds the rows that this rule must check again in this snapshot.
 * The engine calls it for the snapshot before and the one after, and takes the union. */
void hm_rule_add_affected(const hm_rule *r, const hm_snapshot *snap, bool *rows);
#endif
