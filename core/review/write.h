/* What a person or a program writes: rows added, changed, promoted, graduated. Each call is one
 * transaction of its own: the rows, their lines in the journal, and the conflicts on the slots that
 * they touch, by the engine of the sweep. A write that is valid succeeds whatever it contradicts;
 * the answer says what it contradicts. Specification: atocore-conflict-model.md, detection triggers
 * and "flag, never block". */
#ifndef HM_WRITE_H
#define HM_WRITE_H
#include "core/base/json.h"
#include "core/review/redact.h"
#include "core/review/write_check.h"
#include "core/store/store.h"

/* What becomes of a row that meets others (below). */
typedef enum {
  HM_POLICY_WARN, HM_POLICY_IGNORE, HM_POLICY_SUPERSEDE, HM_POLICY_RAISE
} hm_policy;

/* A row that a new one met. */
typedef struct {
  hm_str ref, text;        /* "kind:id", and what it says */
  const char *kind;        /* "duplicate", "contradiction" */
  const char *reason;      /* of a contradiction: "polarity", "negation_diff", "conflict" */
  double similarity;       /* by text: the cosine */
  hm_str conflict;         /* by claims: the id of the conflict; else empty */
} hm_met;

typedef struct {
  hm_str ref;                                /* "memory:m-1" */
  hm_str record;                             /* the row as export writes it, after */
  bool changed;                              /* false: it said this already, nothing was written */
  hm_str *conflicts;
  size_t n_conflicts; /* ids of the open, disputed conflicts that now have the row as a member,
                         by slot key */
  hm_str *conflicts_json;                    /* the same, each as hm_conflict_json has it */
  hm_str *opened;
  size_t n_opened; /* conflicts that this write opened, also between other rows */
  hm_str *quieted;
  size_t n_quieted; /* open conflicts that this write leaves without a dispute */
  hm_str *revived;
  size_t
      n_revived; /* open conflicts that awaited sign-off and that this write makes disputed again */
  const hm_finding **findings;
  size_t n_findings; /* about the row, as a sweep tells them (row_findings.h) */
  const hm_finding **appeared;
  size_t n_appeared; /* about other rows, by reason of this write */
  const hm_finding **vanished;
  size_t n_vanished; /* about this row and others: they are answered or gone */
  bool warn_open; /* project_state: its slot had an open conflict before this write */
  hm_str *warnings;
  size_t n_warnings; /* that, the names that may be mistyped (new_names.h), and the rules that take
                        :row and did not run, in words */
  const char *action; /* "stored", "superseded": it, or what it met, gave way; "rejected": nothing
                         was stored */
  hm_met *met;
  size_t n_met; /* of an added row */
} hm_written;

/* The answer as one compact JSON object: the row's record, then ref, dry_run, changed, conflict_id
 * (the first of conflicts, or null), conflicts, opened, revived, quieted, findings, appeared,
 * vanished, warning (only where warn_open), warnings, action, met. No key of a record is one of
 * these. */
void hm_written_json(hm_buf *b, const hm_written *w, bool dry);

/* Members "action" and "met" of an object. */
void hm_met_json(hm_jw *j, const hm_written *w);

/* The message to a client when warn_open. */
extern const char hm_warning_open[];

/* Adds a row of any layer, by the policy warn (below). record: as a line of an import, without
 * `kind`; status may be active (the default) or candidate, which claims nothing until it is
 * promoted; what other calls set (superseded_by, superseded_at, graduated_to) is refused.
 * created_at becomes who.at, to the second, unless given; an absent id is made. A state whose key
 * has a value already does not replace it: both stay, in conflict where they disagree. A
 * memory_type, content, entity_type, name or key of blanks alone is refused (an import takes it,
 * as what somebody once wrote). Errors: HM_E_INPUT with field; HM_E_STATE with field "id": there
 * is such a row; HM_E_BUSY; HM_E_STORE. */
int hm_review_add(hm_store *s, const hm_review *r, hm_layer l, const hm_json *record, hm_arena *a,
                  hm_written *out, hm_err *err);

/* The same; `older`, a row of that layer as hm_named_row_find names it, gives way to the new one
 * in the same transaction (supersede.h, whose errors these are too), with who.why as its notes. */
int hm_review_replace(hm_store *s, const hm_review *r, hm_layer l, const hm_json *record,
                      hm_str older, hm_arena *a, hm_written *out, hm_err *err);

/* Changes a row: the keys of patch replace, null clears, and so one by one the members of
 * `properties`. ref: as hm_named_row_find has it. updated_at becomes who.at unless given, where
 * anything changes. status may become invalid or candidate; what has a call of its own is refused
 * with its name, and so is the id. Errors: as above; HM_E_UNKNOWN; HM_E_STATE: the row is history
 * (superseded, invalid) or frozen (graduated). */
int hm_review_edit(hm_store *s, const hm_review *r, hm_str ref, const hm_json *patch, hm_arena *a,
                   hm_written *out, hm_err *err);

/* A candidate becomes active, and claims. Anything else: HM_E_STATE. */
int hm_review_promote(hm_store *s, const hm_review *r, hm_str ref, hm_arena *a, hm_written *out,
                      hm_err *err);

/* A memory, active or candidate, becomes an entity: entity is added as by hm_review_add, with
 * project, source_refs and confidence of the memory where it does not say; the memory gets the
 * status graduated and graduated_to, and is frozen. out is about the entity. Errors as
 * hm_review_add; HM_E_STATE where the memory is history or has graduated. */
int hm_review_graduate(hm_store *s, const hm_review *r, hm_str memory, const hm_json *entity,
                       hm_arena *a, hm_written *out, hm_err *err);

/* --- a new row that meets others: write_policy.c ---------------------------------------------
 *
 * What becomes of a new row that meets others: that say the same, or deny it. Specification:
 * houkai, "Behaviour matrix".
 *
 * * ignore: stored; similar texts are not told.
 * * warn, the default: stored; the answer says what it met.
 * * supersede: stored. What it contradicts gives way to it; where a memory says the same already,
 *   the new one and what it contradicts give way to that one, whose importance is raised: to the
 *   new one's where that is higher, else by a tenth, to 1 at most. Journaled as the caller's doing.
 *   Rows of other layers stay, in conflict.
 * * raise: where it meets any, nothing is stored and nothing journaled.
 *
 * Met is what is alike by text (core/detect/similar_groups.h; also a duplicate in one slot with the
 * new row) and what contradicts the new row in an open conflict. A policy is a condition of one
 * call, no store has another default. */

/* "ignore", "warn", "supersede", "raise"; HM_E_INPUT with field "policy": none of these. */
int hm_policy_parse(hm_str name, hm_policy *out, hm_err *err);
/* hm_review_add by a policy. out->action says what was done; where that is "rejected", there is no
 * such row, and out says what it would have been. Errors: as hm_review_add. */
int hm_review_add_by(hm_store *s, const hm_review *r, hm_layer l, const hm_json *record,
                     hm_policy policy, hm_arena *a, hm_written *out, hm_err *err);
/* What a rejected row met, in words: "memory:m1 denies it (negation_diff)". In a. */
hm_str hm_met_text(const hm_met *m, size_t n, hm_arena *a);

/* --- several memories that become one: reflect.c ---------------------------------------------
 *
 * Several episodic memories become one that says what they come to. Source: "Reflection
 * integration".
 *
 * The sources give way to the summary and keep what they say, unless it is redacted: a link
 * `derived_from` leads from the summary to each, so one can see what raw events it came from. A
 * summary is no contradiction of its sources, since a superseded row claims nothing. */

enum { HM_REFLECT_MAX = 1000 };   /* sources */

typedef struct {
  const hm_str *rows; size_t n_rows;   /* the sources: "kind:id", or an id that one row alone has */
  hm_str text;                         /* what the summary says */
  hm_str type;                         /* its memory_type; empty: knowledge */
  hm_str project;                      /* empty: that of the sources, which then must have one */
  hm_str id;                           /* empty: made */
  bool hard;                           /* redact what the sources say; r->who.why is then needed */
} hm_reflect_order;

typedef struct {
  hm_written written;                  /* about the summary */
  hm_str *sources; size_t n_sources;   /* references */
  bool hard;
  hm_redacted redacted;                /* where hard */
} hm_reflected;

/* One transaction, and with `hard` a second one, which is tried before the first. Errors, with
 * field: ids: none, too many, one twice, no memory, not episodic, not active (HM_E_STATE); project:
 * the sources have several; text, type, id: as hm_review_add has them; reason, where hard: as
 * hm_review_redact. HM_E_UNKNOWN; HM_E_BUSY, HM_E_STORE. */
int hm_review_reflect(hm_store *s, const hm_review *r, const hm_reflect_order *order, hm_arena *a,
                      hm_reflected *out, hm_err *err);
/* As hm_written_json, with sources (references) and, where hard, redacted: what was changed, who
 * else holds it, whether the file was compacted. */
void hm_reflected_json(hm_buf *b, const hm_reflected *r, bool dry, hm_arena *a);

/* --- rows that were used: what recall found and somebody worked with ---------------------- */

/* Sets last_accessed_at of the memories among refs ("kind:id") to who->at, and a line "touch" in
 * the journal for each; other layers have no such column. One transaction. Nothing else of the rows
 * changes, so no page and no conflict does. HM_E_STATE: a foreign store. */
int hm_review_touch(hm_store *s, const hm_actor *who, const hm_str *refs, size_t n, hm_arena *a,
                    hm_err *err);
#endif
