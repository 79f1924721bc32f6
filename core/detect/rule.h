/* What a rule is, what it gets, and the driver that runs a table of rules.
 *
 * A rule is a row of a table. It declares what it reads and under which key; the driver passes it
 * only that, key by key (hm_scope), and collects its results (hm_found). So the conflicts of any
 * rule get members, verdicts, a page, markers, history and an explanation. Under the address
 * sanitizer the driver poisons all rows and claims outside the scope, and in its rows all columns
 * that the rule did not declare: an undeclared read ends the program with a stack trace. */
#ifndef HM_RULE_H
#define HM_RULE_H
#include "core/detect/conflict.h"
#include "core/slot/slot_claims.h"

typedef enum { HM_YIELDS_FINDING, HM_YIELDS_CONFLICT } hm_yield;
typedef enum { HM_SEVERITY_INFO, HM_SEVERITY_WARN, HM_SEVERITY_ERROR } hm_severity;
/* "info", "warn", "error". Parse returns false and leaves *out alone for any other name. */
const char *hm_severity_name(hm_severity s);
bool hm_severity_parse(hm_str name, hm_severity *out);

/* The key under which a rule reads: what one call of `find` gets. */
typedef enum {
  HM_BY_ROW,       /* one row */
  HM_BY_TIES,      /* one row, and the relations that tie it to others (hm_gap_rule) */
  HM_BY_SLOT,      /* the claims of one slot with two or more values */
  HM_BY_REF,       /* one row or link that names others, with their cards */
  HM_BY_COMPONENT, /* rows connected by references, with their cards */
  HM_BY_WORLD      /* everything, with the reason in `world` */
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
  HM_COL_SOURCES = 8192,
  HM_COL_TAGS = 16384 /* of a memory */
};
/* The name of a column that refers: "from", "superseded_by". */
hm_str hm_column_name(uint32_t column);
/* Layers as a bit set. LINKS: a rule by ref gets links instead of rows. */
#define HM_IN(layer) (1u << (layer))
enum { HM_IN_ROWS = 30, HM_IN_LINKS = 32 };

/* A reference in a declared column, with all that a rule may know of the named row. An empty end of
 * a relation or link has a card, too. */
typedef struct {
  uint32_t from, column;
  hm_str ref;
  uint32_t to; /* HM_MAP_NONE: no such row */
  uint32_t project;
  hm_status status;
} hm_ref_card;

/* --- missing ties ------------------------------------------------------------------- */

/* The end of a relation that a row is. */
typedef enum { HM_TIED_FROM = 1, HM_TIED_TO = 2, HM_TIED_EITHER = 3 } hm_tied_end;
typedef enum {
  HM_IN_WORLDS,  /* in projects that are worlds (gap_rules.c), for rows of one with a calendar */
  HM_WHERE_USED, /* in projects that have relations of these kinds */
  HM_EVERYWHERE
} hm_gap_where;

/* A gap: what a rule by ties looks for and misses. Type names as in hm_entity_type_key; lists end
 * with NULL. */
typedef struct {
  const char *unknown;      /* "where it took place": what is unknown without an answer */
  const char *const *kinds; /* an active relation of such a kind answers */
  hm_tied_end end;          /* if the row is this end */
  const char *const *goals; /* and the other end has such a type, or leads to one through rows of
                             * the rule's types; NULL: any */
  const char *const *props; /* folded names of properties that answer */
  const char *const *dates; /* properties that answer if the project names no era, or the world has
                             * a calendar */
  bool (*is_answer)(hm_str prop); /* or a function that selects them */
  const char *const *signs;       /* other types that show that these kinds are used */
  hm_gap_where where;
} hm_gap_rule;
typedef struct hm_ties hm_ties;

typedef struct {
  const hm_rule *rule;
  size_t n_alike; /* number of rules from this one on in the table
                   * that the call runs for (run_together), from 1 */
  const hm_rules *config;
  const hm_snapshot *snap; /* read only rows in `rows` or of a claim */
  const uint32_t *rows;
  size_t n_rows; /* ascending; empty by slot */
  const hm_ref_card *cards;
  size_t n_cards;             /* by ref, component; by `from` */
  const hm_link *link;        /* by ref, of links */
  const hm_slot_claims *slot; /* by slot; `spared` is set; without overtaken
                               * claims */
  size_t n_left_out;          /* by slot: claims beyond HM_SLOT_COMPARED */
  const hm_slot_story *story; /* reads_story */
  const hm_ties *ties;        /* by ties */
  const hm_finding *unread;   /* reads_unread: the findings */
  const hm_claims *claims;    /* reads_claims */
  const hm_existences *lives; /* reads_lives: of its rows and those that its
                               * cards name; use hm_existence_find */
  int threads;                /* for loops in the rule */
  hm_arena *scratch;          /* valid until find returns */
} hm_scope;

typedef struct hm_found hm_found;

struct hm_rule {
  const char *name;
  int version;
  hm_yield yields;
  hm_severity severity;
  const char *kind;     /* of its findings, and of its conflicts unless they set another */
  const char *says;     /* one sentence for people: what is wrong */
  const char *expected; /* of its findings */
  const char *reason;   /* of its findings (row.h); NULL: none */
  hm_keyspace by;
  uint32_t layers, columns;
  uint32_t about;             /* the column that it is about; 0: none */
  const char *const *types;   /* by ties: of rows, as hm_entity_type_key; ends with NULL */
  const hm_gap_rule *gap;     /* by ties */
  const char *const *ends_of; /* FROM and TO are references only in relations of these types (see
                               * hm_relation_type_is); ends with NULL. NULL: in all */
  bool reads_now;             /* depends on snap->now, directly or by claims' windows */
  bool run_together;   /* by row or ref: one call of its finder also runs for the following rules
                        * that set this, share the finder and declare the same
                        * (hm_scope.n_alike) */
  bool reads_unread;   /* by row: findings about the row from reading claims, under this rule's
                        * name (claim.h) */
  bool reads_lives;    /* when its rows, and those that they name, existed */
  bool reads_claims;   /* by world: all claims */
  bool reads_story;    /* by slot: the story of its texts (slot_claims.h), in slots that have
                        * one; rows are those of the story */
  bool rows_again;     /* by slot: one field may put a row into several of its slots */
  bool verdict_covers; /* conflicts: any verdict, with any action, covers what it knew */
  const char *world;   /* by world: why no smaller key suffices */
  void (*find)(const hm_scope *s, hm_found *out); /* pure */
  /* For conflicts; NULL: only hm_explain_dispute. */
  void (*explain)(hm_explainer *t, const hm_dispute *d);
};

typedef struct hm_rule_table {
  const hm_rule *rules;
  size_t n;
} hm_rule_table;
/* The rule of that name, or NULL. */
const hm_rule *hm_rule_named(const hm_rule_table *t, hm_str name);
/* config->table; if that is NULL, the shipped table (rule_table.c). */
const hm_rule_table *hm_config_rule_table(const hm_rules *config);
/* NULL if a rule has this name, else the fix to suggest: "did you mean 'slot/overlap'?", in a. */
const char *hm_rule_suggest_name(const hm_rules *config, hm_str name, hm_arena *a);

/* The finders of the shipped rules: slot_conflict_rules.c, story_rules.c, relation_rules.c,
 * proposal_rules.c, reference_rules.c, supersession_rules.c, anachronism_rule.c, life_rules.c,
 * gap_rules.c, part_rule.c. */
void hm_find_slot_conflicts(const hm_scope *s, hm_found *out);
void hm_find_possible_overlaps(const hm_scope *s, hm_found *out);
void hm_find_left_out(const hm_scope *s, hm_found *out);
void hm_find_crowded_slots(const hm_scope *s, hm_found *out);
void hm_find_other_bounds(const hm_scope *s, hm_found *out);
void hm_find_judged(const hm_scope *s, hm_found *out);
void hm_find_reported(const hm_scope *s, hm_found *out);
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
/* Finds relations whose time lies outside the existence of an end, in the way of the rule's reason;
 * without a reason, those that may lie outside. */
void hm_find_anachronisms(const hm_scope *s, hm_found *out);
/* Circles of supersession, parents, parts; the types of relations that they read, ending with
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
/* The world of the scope's relation, whose `from` is this existence (NULL: unknown). */
const hm_world *hm_relation_world(const hm_scope *s, const hm_existence *from);
/* The types of relations that are checked for anachronisms; ends with NULL. */
extern const char *const hm_anachronism_types[];
void hm_find_lost_supersessions(const hm_scope *s, hm_found *out);
/* Records of decisions that do not fit others, as their import told it in a property. */
void hm_find_record_faults(const hm_scope *s, hm_found *out);
/* Rows that a source names no more. */
void hm_find_absent(const hm_scope *s, hm_found *out);
void hm_find_flagged(const hm_scope *s, hm_found *out);
void hm_find_similar(const hm_scope *s, hm_found *out);
/* Notes of a part of a project that differ from those of the whole. */
void hm_find_other_in_part(const hm_scope *s, hm_found *out);

void hm_find_gap(const hm_scope *s, hm_found *out);

/* --- results of a rule: rule_found.c ------------------------------------------------ */

/* Adds a finding of the rule. Sets id, kind, severity, rule, expected and reason if not set. Texts
 * live in hm_found_arena. */
void hm_found_add_finding(hm_found *out, hm_finding f);
/* The same for another of the rules that run together. */
void hm_found_add_rule_finding(hm_found *out, const hm_rule *r, hm_finding f);
/* Marks a claim as one that a finding is about. */
void hm_found_mark_claim(hm_found *out, const hm_claim *c);
/* Adds a dispute with everything set but rule and slot_key; sets slot_kind if not set. parties live
 * in hm_found_arena. */
void hm_found_add_dispute(hm_found *out, const hm_dispute *d, hm_str slot_key);
/* Are the claims sentences of one document? Such that say different things speak of different ones:
 * of each part, of each choice. A rule that asks reads HM_COL_SOURCES. */
bool hm_claims_are_series(const hm_claim *const *claims, size_t n, const hm_snapshot *snap,
                          hm_arena *scratch);
/* Adds a conflict of these claims. The pairs are indices of claims that contradict each other.
 * Sorts the claims and sets flags, anchor, since and contested time. Omits claims in no pair.
 * Claims may be the rule's own (in hm_found_arena): row, layer, project, field, value, window,
 * stands. The anchor depends on created_at, so the rule must declare HM_COL_CREATED. */
void hm_found_add_conflict(hm_found *out, const hm_scope *s, hm_str slot_key,
                           const hm_claim **claims, size_t n, const hm_party_pair *pairs,
                           size_t n_pairs);
/* Lives as long as the result. */
hm_arena *hm_found_arena(hm_found *out);

/* --- the driver: rule_run.c ---------------------------------------------------------- */

/* Which rules run: those by slot; and those that yield conflicts; all. */
typedef enum { HM_RUN_SLOTS, HM_RUN_CONFLICTS, HM_RUN_ALL } hm_rules_which;
/* Runs the table over everything. threads as in hm_par_for; 1 under the address sanitizer.
 * Otherwise as hm_disputes_find. */
int hm_rules_run(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *config,
                 hm_rules_which which, int threads, hm_arena *a, hm_disputes **out, hm_err *err);
#endif
