/* What changed between two commits of the mirror, one thing each. */
#ifndef HM_EVENT_H
#define HM_EVENT_H
#include "core/base/json.h"
#include "core/record/row.h"
#include "gen/history/fact.h"

typedef enum {
  HM_EV_APPEARED, /* a row, or its claim of a slot */
  HM_EV_CHANGED,  /* a field: before, after */
  HM_EV_GONE,     /* no longer in the mirror, or no longer claiming the slot: before */
  HM_EV_STATUS,   /* the row's status: before, after; `by` names what superseded it */
  HM_EV_KNOWN,    /* something known about a row that is not its field: field, before, after */
  HM_EV_DISPUTED, /* a conflict opened, or its claims disagree again */
  HM_EV_MEMBERS,  /* an open conflict has other members or values */
  HM_EV_QUIET,    /* the claims of a conflict no longer disagree: it awaits sign-off */
  HM_EV_SETTLED,  /* status: resolved or dismissed */
  HM_EV_REOPENED,
  HM_EV_DROPPED /* a conflict is no longer in the mirror */
} hm_event_kind;

typedef struct {
  hm_event_kind kind;
  hm_str project; /* id; "" is the global one */
  hm_str slot;    /* key, a JSON array; empty: no slot */
  hm_str called;  /* "p05 / cache_ttl": where rows call the slot otherwise than its key; else
                     empty */
  /* For a row: */
  hm_str row, name; /* "entity:p05-e14", its name; for a conflict the title of its page,
                       if known */
  hm_str field, before, after;
  hm_str said; /* STATUS: what the row says */
  hm_str by;   /* STATUS: see hm_fact.by; SETTLED: who settled it */
  hm_str
      status; /* of the conflict: open, resolved, dismissed; APPEARED: of the row unless active */
  bool again; /* DISPUTED: it was open before, and quiet; GONE: the row still exists, with another
                 claim */
  /* For a conflict: */
  hm_str conflict; /* id */
  hm_str action;   /* SETTLED: supersede_opponents, supersede_others, no_action or empty */
  hm_str *winners, *stand;
  size_t n_winners; /* SETTLED: "kind:id"; what each claims, or empty */
  hm_str notes, at; /* SETTLED: the verdict's text and time */
  hm_str *values;
  size_t n_values; /* of its members now, distinct */
  hm_str *members, *fields;
  size_t n_members; /* references, and the field of each claim */
  hm_str *added, *removed;
  size_t n_added, n_removed; /* MEMBERS, DISPUTED: members by reference */
  int64_t withheld;          /* number of members that are not shown */
} hm_event;

typedef struct {
  hm_event *v;
  size_t n, cap;
} hm_events; /* v is malloc'ed; texts live in an arena */

/* Appends an event with all texts HM_EMPTY and all else zero. */
hm_event *hm_event_add(hm_events *l, hm_event_kind kind);
void hm_events_free(hm_events *l);
/* Sorts by project, then slot, facts before conflicts; events without a slot come last, by row. */
void hm_events_sort(hm_events *l);

/* "p05 / lateral_support_material", "p05 / entity:p05-e30 (Drawing F-11)"; the short form is the
 * part after the slash. */
hm_str hm_event_subject(const hm_event *e, hm_arena *a);
hm_str hm_event_subject_short(const hm_event *e, hm_arena *a);
/* "changed", "disputed": as in hm_event_write_json. */
const char *hm_event_name(hm_event_kind kind);
/* "became disputed (c10e1600fe43f): GF-PTFE | PEEK". Facts are cleaned to one line and cut. */
hm_str hm_event_format_text(const hm_event *e, hm_arena *a);
/* Writes the event's members into the open object. */
void hm_event_write_json(hm_jw *w, const hm_event *e);

/* --- rows and conflicts before and after to events (differences.c, pure) ---------------------- */

/* Appends the events of each pair to out; texts live in a or are the facts'. Equal versions give no
 * event, nor does a move of a row within the files. */
int hm_collect_fact_events(const hm_fact_pair *pairs, size_t n, const hm_folders *folders,
                           const hm_rules *rules, hm_arena *a, hm_events *out, hm_err *err);

/* Appends the events of conflicts to out. before and after: conflicts.json as published, a conflict
 * a line, or empty. Parses only lines that differ; skips bad ones. Texts live in a. */
void hm_collect_conflict_events(hm_str before, hm_str after, hm_arena *a, hm_events *out);
/* How many of the conflicts are disputed. */
size_t hm_count_disputed_conflicts(hm_str conflicts_json);
#endif
