/* Writes of people and programs: adding, changing, promoting, graduating rows. Each call is one
 * transaction of its own: the rows, their lines in the journal, and the conflicts on the touched
 * slots, by the engine of the sweep. A valid write succeeds even if it contradicts other rows; the
 * result says what it contradicts. Specification: atocore-conflict-model.md, detection triggers and
 * "flag, never block". */
#ifndef HM_WRITE_H
#define HM_WRITE_H
#include "core/base/json.h"
#include "core/claim/reading.h"
#include "core/sweep/answer.h"
#include "core/review/nearest.h"
#include "core/review/redact.h"
#include "core/review/write_check.h"
#include "core/store/store.h"

/* What to do with a new row that meets others (below). */
typedef enum { HM_POLICY_WARN, HM_POLICY_IGNORE, HM_POLICY_SUPERSEDE, HM_POLICY_RAISE } hm_policy;

/* A row that a new one met. */
typedef struct {
  hm_str ref, text;   /* "kind:id", and its text */
  const char *kind;   /* "duplicate", "contradiction" */
  const char *reason; /* for a contradiction: "polarity", "negation_diff", "conflict" */
  double similarity;  /* if found by text: the cosine */
  hm_str conflict;    /* if found by claims: the id of the conflict; else empty */
} hm_met;

typedef struct {
  hm_str ref;    /* "memory:m-1" */
  hm_str record; /* the row as export writes it, after */
  bool changed;  /* false: nothing was different, nothing was written */
  hm_conflict_answer *conflicts;
  size_t n_conflicts; /* the open, disputed conflicts with the row as a member, by slot key */
  hm_str *opened;
  size_t n_opened; /* conflicts that this write opened, also between other rows */
  hm_str *quieted;
  size_t n_quieted; /* open conflicts that this write leaves without a dispute */
  hm_str *revived;
  size_t n_revived; /* open conflicts that awaited sign-off and are disputed again by this write */
  hm_row_reading reading; /* what was read of the row */
  const hm_finding **findings;
  size_t n_findings; /* about the row, as in a sweep (row_findings.h) */
  const hm_finding **appeared;
  size_t n_appeared; /* about other rows, caused by this write */
  const hm_finding **vanished;
  size_t n_vanished; /* about this row and others: no longer found */
  bool pending;      /* the whole sweep is still to come: conflicts in the row's slots are told, and
                      * findings about these; what is similar, and what others find, is not */
  bool warn_open;    /* project_state: its slot had an open conflict before this write */
  hm_str *warnings;
  size_t n_warnings;  /* sentences: warn_open, names that may be mistyped (new_names.h) */
  size_t n_secrets;   /* the first of the warnings are on live secrets */
  const char *action; /* "stored"; "superseded": it, or a row that it met, was superseded;
                       * "rejected": nothing was stored */
  hm_met *met;
  size_t n_met; /* for an added row */
  hm_alike_row *alike;
  size_t n_alike; /* rows about the same thing that no rule compared with it, nearest first */
} hm_written;

/* The answer as one compact JSON object: the row's record, then ref, dry_run, changed, conflict_id
 * (the first of conflicts, or null), conflicts, read and unread (reading.h), opened, revived,
 * quieted, findings, appeared, vanished, sweep ("pending"; only then), warning (only if warn_open),
 * warnings, action, met, alike, alike_advice (core/recall/alike.h). No record has such a key. */
void hm_written_json(hm_buf *b, const hm_written *w, bool dry, hm_arena *a);

/* --- writes that share one find ---------------------------------------------------------------
 *
 * In a batch (hm_store_begin_batch) several writes can be looked through together: with
 * hm_review.shared, hm_review_add and the other calls below change their rows, and `out` is filled
 * later, by hm_shared_find_end. It is told to a write what concerns its row; what concerns no row
 * of the writes, which any of them may have caused, is told to all. A dry run and the policies
 * supersede and raise take no part. Pass an hm_err that lives until then, too. */
typedef struct hm_shared_find hm_shared_find;
/* beside: what the process holds, or NULL. */
hm_shared_find *hm_shared_find_new(hm_store *s, hm_beside *beside);
/* Call it after these writes, before any other write and before the batch ends. On an error the
 * batch must be rolled back. */
int hm_shared_find_end(hm_shared_find *f, hm_err *err);
/* After the batch: what people's rules in SQL find joins the answers. */
void hm_shared_find_finish(hm_shared_find *f);
/* The answers borrow from it. kept: the batch was committed, so that later writes may be found
 * beside this sweep. NULL is allowed. */
void hm_shared_find_free(hm_shared_find *f, bool kept);
/* Were answers given that await a sweep? */
bool hm_shared_find_is_pending(const hm_shared_find *f);

/* Writes the members "action" and "met". */
void hm_met_json(hm_jw *j, const hm_written *w);

/* The message to a client if warn_open. */
extern const char hm_warning_open[];

/* Adds a row of any layer, by the policy warn (below). record: as a line of an import, without
 * `kind`; status may be active (the default) or candidate, which claims nothing until it is
 * promoted; columns that other calls set (superseded_by, superseded_at, graduated_to) are refused.
 * created_at becomes who.at, to the second, unless given; an absent id is made. Adding a second
 * state with the same key keeps both, in conflict if they disagree. A blank memory_type, content,
 * entity_type, name or key is refused (an import accepts it). Errors: HM_E_INPUT with field;
 * HM_E_STATE with field "id": the row exists; HM_E_BUSY; HM_E_STORE. */
int hm_review_add(hm_store *s, const hm_review *r, hm_layer l, const hm_json *record, hm_arena *a,
                  hm_written *out, hm_err *err);

/* The same, and the new row supersedes `older`, a row of that layer (see hm_named_row_find), in the
 * same transaction, with who.why as notes. Errors also as in supersede.h. */
int hm_review_replace(hm_store *s, const hm_review *r, hm_layer l, const hm_json *record,
                      hm_str older, hm_arena *a, hm_written *out, hm_err *err);

/* Changes a row: a key of patch replaces the value, null clears it; likewise each member of
 * `properties`. ref: see hm_named_row_find. If anything changes, updated_at becomes who.at unless
 * given. status may become invalid or candidate; changes that have a call of their own are refused,
 * naming it, and so is the id. Errors: as above; HM_E_UNKNOWN; HM_E_STATE: the row is history
 * (superseded, invalid) or frozen (graduated). */
int hm_review_edit(hm_store *s, const hm_review *r, hm_str ref, const hm_json *patch, hm_arena *a,
                   hm_written *out, hm_err *err);

/* Makes a candidate active, so that it claims. HM_E_STATE: it is not a candidate. */
int hm_review_promote(hm_store *s, const hm_review *r, hm_str ref, hm_arena *a, hm_written *out,
                      hm_err *err);

/* Graduates a memory, active or candidate, to an entity: adds entity as hm_review_add does, with
 * the memory's project, source_refs and confidence unless given; sets status graduated and
 * graduated_to of the memory, which is then frozen. out is about the entity. Errors as
 * hm_review_add; HM_E_STATE: the memory is history or has graduated. */
int hm_review_graduate(hm_store *s, const hm_review *r, hm_str memory, const hm_json *entity,
                       hm_arena *a, hm_written *out, hm_err *err);

/* --- a new row that meets others: write_policy.c ---------------------------------------------
 *
 * A new row may meet rows that say the same or deny it. The policy says what happens then.
 * Specification: houkai, "Behaviour matrix".
 *
 * * ignore: stored; similar texts are not reported.
 * * warn, the default: stored; the result says what it met.
 * * supersede: stored, and supersedes the rows that it contradicts. If a memory says the same
 *   already, that one supersedes the new row and the rows that it contradicts, and its importance
 *   rises: to the new one's if that is higher, else by a tenth, to at most 1. Journaled as the
 *   caller's changes. Rows of other layers stay, in conflict.
 * * raise: if it meets any row, nothing is stored or journaled.
 *
 * It meets rows with similar texts (core/slot/similar_groups.h; also a duplicate in the same
 * slot) and rows that contradict it in an open conflict. A policy holds for one call; stores have
 * no default of their own. */

/* "ignore", "warn", "supersede", "raise"; HM_E_INPUT with field "policy": none of these. */
int hm_policy_parse(hm_str name, hm_policy *out, hm_err *err);
/* hm_review_add with a policy. out->action says what was done; if "rejected", the row was not
 * stored, and out describes what it would have been. Errors: as hm_review_add. */
int hm_review_add_by(hm_store *s, const hm_review *r, hm_layer l, const hm_json *record,
                     hm_policy policy, hm_arena *a, hm_written *out, hm_err *err);
/* What a rejected row met, in words: "memory:m1 denies it (negation_diff)". In a. */
hm_str hm_met_text(const hm_met *m, size_t n, hm_arena *a);

/* --- several memories that become one: reflect.c ---------------------------------------------
 *
 * Summarizes several episodic memories in one. Source: "Reflection integration".
 *
 * The summary supersedes the sources, which keep their texts unless redacted. A link `derived_from`
 * leads from the summary to each source, so users can see the raw events behind it. A summary never
 * contradicts its sources, since a superseded row claims nothing. */

enum { HM_REFLECT_MAX = 1000 }; /* sources */

typedef struct {
  const hm_str *rows;
  size_t n_rows;  /* the sources: "kind:id", or an id that only one row has */
  hm_str text;    /* content of the summary */
  hm_str type;    /* its memory_type; empty: knowledge */
  hm_str project; /* empty: that of the sources, which must then share one */
  hm_str id;      /* empty: made */
  bool hard;      /* redact the texts of the sources; needs r->who.why */
} hm_reflect_order;

typedef struct {
  hm_written written; /* about the summary */
  hm_str *sources;
  size_t n_sources; /* references */
  bool hard;
  hm_redacted redacted; /* if hard */
} hm_reflected;

/* Runs one transaction, and with `hard` a second one, which it tries before the first. Errors, with
 * field: ids: none, too many, one twice, not a memory, not episodic, not active (HM_E_STATE);
 * project: the sources have several; text, type, id: as hm_review_add; reason, if hard: as
 * hm_review_redact. HM_E_UNKNOWN; HM_E_BUSY, HM_E_STORE. */
int hm_review_reflect(hm_store *s, const hm_review *r, const hm_reflect_order *order, hm_arena *a,
                      hm_reflected *out, hm_err *err);
/* As hm_written_json, with sources (references) and, if hard, redacted: what was changed, which
 * other rows hold it, whether the file was compacted. */
void hm_reflected_json(hm_buf *b, const hm_reflected *r, bool dry, hm_arena *a);

/* --- rows that somebody used after recall found them ---------------------- */

/* Sets last_accessed_at of the memories among refs ("kind:id") to who->at and journals "touch" for
 * each; other layers have no such column. One transaction. Changes nothing else, so no page or
 * conflict changes. HM_E_STATE: a foreign store. */
int hm_review_touch(hm_store *s, const hm_actor *who, const hm_str *refs, size_t n, hm_arena *a,
                    hm_err *err);
#endif
