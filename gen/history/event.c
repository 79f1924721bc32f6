/* Events: their order, their JSON, and their sentences: event.h. */
#include "gen/history/event.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/claim/claim.h"
#include "core/markdown/escape.h"

hm_event *hm_event_add(hm_events *l, hm_event_kind kind) {
  l->v = hm_array_grow(l->v, l->n, &l->cap, sizeof *l->v);
  hm_event *e = &l->v[l->n++];
  *e = (hm_event){ .kind = kind,
                   .project = HM_EMPTY,
                   .slot = HM_EMPTY,
                   .called = HM_EMPTY,
                   .row = HM_EMPTY,
                   .name = HM_EMPTY,
                   .field = HM_EMPTY,
                   .before = HM_EMPTY,
                   .after = HM_EMPTY,
                   .said = HM_EMPTY,
                   .by = HM_EMPTY,
                   .conflict = HM_EMPTY,
                   .status = HM_EMPTY,
                   .action = HM_EMPTY,
                   .notes = HM_EMPTY,
                   .at = HM_EMPTY };
  return e;
}

void hm_events_free(hm_events *l) {
  free(l->v);
  *l = (hm_events){ 0 };
}

static int cmp_events(const void *x, const void *y) {
  const hm_event *a = x, *b = y;
  int c = hm_str_cmp(a->project, b->project);
  if (c == 0)
    c = (a->slot.n == 0) - (b->slot.n == 0);
  if (c == 0)
    c = hm_str_cmp(a->slot, b->slot);
  if (c == 0)
    c = (a->conflict.n > 0) - (b->conflict.n > 0);
  if (c == 0)
    c = hm_str_cmp(a->row, b->row);
  if (c == 0)
    c = hm_str_cmp(a->conflict, b->conflict);
  if (c == 0)
    c = (int)a->kind - (int)b->kind;
  return c ? c : hm_str_cmp(a->field, b->field);
}

void hm_events_sort(hm_events *l) {
  if (l->n)
    qsort(l->v, l->n, sizeof *l->v, cmp_events);
}

/* --- JSON ------------------------------------------------------------------- */

static void write_unless_empty(hm_jw *w, const char *key, hm_str s) {
  if (s.n)
    hm_jw_str(w, key, s);
}

static void write_row_json(hm_jw *w, const hm_event *e) {
  hm_jw_str(w, "row", e->row);
  write_unless_empty(w, "name", e->name);
  write_unless_empty(w, "field", e->field);
  if (e->kind != HM_EV_APPEARED)
    hm_jw_str(w, "before", e->before);
  if (e->kind != HM_EV_GONE)
    hm_jw_str(w, "after", e->after);
  write_unless_empty(w, "value", e->said);
  write_unless_empty(w, "status", e->status);
  write_unless_empty(w, "by", e->by);
}

static void write_conflict_json(hm_jw *w, const hm_event *e) {
  hm_jw_str(w, "conflict", e->conflict);
  hm_jw_str(w, "status", e->status);
  hm_jw_strs(w, "values", e->values, e->n_values);
  if (e->n_added)
    hm_jw_strs(w, "added", e->added, e->n_added);
  if (e->n_removed)
    hm_jw_strs(w, "removed", e->removed, e->n_removed);
  if (e->withheld)
    hm_jw_int(w, "withheld", e->withheld);
  if (e->kind == HM_EV_DISPUTED)
    hm_jw_bool(w, "again", e->again);
  if (e->kind != HM_EV_SETTLED)
    return;
  hm_jw_str_or_null(w, "action", e->action);
  hm_jw_str_or_null(w, "winner", e->n_winners == 1 ? e->winners[0] : HM_EMPTY);
  hm_jw_strs(w, "winners", e->winners, e->n_winners);
  hm_jw_str_or_null(w, "value", e->n_winners == 1 ? e->stand[0] : HM_EMPTY);
  hm_jw_str_or_null(w, "resolved_by", e->by);
  hm_jw_str_or_null(w, "resolved_at", e->at);
  hm_jw_str(w, "resolution", e->notes);
}

const char *hm_event_name(hm_event_kind kind) {
  static const char *const names[] = { "appeared", "changed",  "gone",    "status",
                                       "known",    "disputed", "members", "quiet",
                                       "settled",  "reopened", "dropped" };
  return names[kind];
}

void hm_event_write_json(hm_jw *w, const hm_event *e) {
  hm_jw_str(w, "event", hm_str_c(hm_event_name(e->kind)));
  hm_jw_str(w, "project", e->project);
  if (e->slot.n)
    hm_jw_raw(w, "slot_key", e->slot);
  else
    hm_jw_null(w, "slot_key");
  if (e->conflict.n)
    write_conflict_json(w, e);
  else
    write_row_json(w, e);
}

/* --- in words ------------------------------------------------------------------------ */

enum { VALUE_BYTES = 100, NAME_BYTES = 60, NOTE_BYTES = 200, VALUES_SHOWN = 6 };

static hm_str shorten(hm_arena *a, hm_str s, size_t max) {
  hm_str clean = hm_clean_text(a, hm_text_cut(s, 8 * max));
  if (clean.n <= max)
    return clean;
  return hm_str_fmt(a, "%.*s…", HM_FMT(hm_str_trim(hm_text_cut(clean, max))));
}

hm_str hm_event_subject_short(const hm_event *e, hm_arena *a) {
  if (e->conflict.n && e->name.n)
    return shorten(a, e->name, 3 * NAME_BYTES);
  if (e->slot.n) {
    hm_str title = e->called.n ? e->called : hm_slot_title(a, e->slot, HM_EMPTY),
           project = e->project.n ? e->project : HM_STR("global");
    bool starts = title.n > project.n + 3 && memcmp(title.p, project.p, project.n) == 0;
    return shorten(a, starts ? hm_str_sub(title, project.n + 3, title.n) : title, 3 * NAME_BYTES);
  }
  hm_str row = shorten(a, e->row, NAME_BYTES);
  return e->name.n
      ? hm_str_fmt(a, "%.*s (%.*s)", HM_FMT(row), HM_FMT(shorten(a, e->name, NAME_BYTES)))
      : row;
}

hm_str hm_event_subject(const hm_event *e, hm_arena *a) {
  hm_str project = e->project.n ? shorten(a, e->project, NAME_BYTES) : HM_STR("global");
  return hm_str_fmt(a, "%.*s / %.*s", HM_FMT(project), HM_FMT(hm_event_subject_short(e, a)));
}

typedef struct {
  hm_buf *b;
  const hm_event *e;
  hm_arena *a;
} words;

static void write_text(words *w, const char *z) { hm_buf_c(w->b, z); }

static void write_quoted(words *w, hm_str s, size_t max) {
  hm_str shown = shorten(w->a, s, max);
  hm_buf_str(w->b, shown.n ? shown : HM_STR("\"\""));
}

static void write_value(words *w, hm_str s) { write_quoted(w, s, VALUE_BYTES); }

/* ": PEEK" */
static void write_after(words *w, hm_str s) {
  if (!s.n)
    return;
  write_text(w, ": ");
  write_value(w, s);
}

/* Which row, where the subject is a slot. */
static void write_row(words *w) {
  if (!w->e->slot.n)
    return;
  write_text(w, " (");
  write_quoted(w, w->e->row, NAME_BYTES);
  write_text(w, ")");
}

/* --- rows ------------------------------------------------------------------- */

static void write_appeared(words *w) {
  write_text(w, "appeared");
  if (w->e->status.n) {
    write_text(w, " as ");
    write_quoted(w, w->e->status, NAME_BYTES);
  }
  write_after(w, w->e->after);
  write_row(w);
}

static void write_changed(words *w) {
  const hm_event *e = w->e;
  if (!e->slot.n) { /* what no slot names: "rationale", "source" */
    hm_str name = shorten(w->a, e->field, NAME_BYTES);
    if (e->kind == HM_EV_KNOWN && name.n && hm_is_upper(name.p[0])) {
      hm_buf_ch(w->b, hm_ascii_lower(name.p[0]));
      name = hm_str_sub(name, 1, name.n);
    }
    hm_buf_str(w->b, name);
    write_text(w, " ");
  }
  if (!e->before.n) {
    write_text(w, "added");
    write_after(w, e->after);
  } else if (!e->after.n) {
    write_text(w, "removed: was ");
    write_value(w, e->before);
  } else {
    write_text(w, "changed: ");
    write_value(w, e->before);
    write_text(w, " -> ");
    write_value(w, e->after);
  }
  write_row(w);
}

static void write_gone(words *w) {
  write_text(w, w->e->again ? "no longer said" : "left the mirror");
  if (w->e->before.n)
    write_text(w, ": was "), write_value(w, w->e->before);
  write_row(w);
}

static void write_status(words *w) {
  const hm_event *e = w->e;
  if (hm_str_is(e->after, "active"))
    write_text(w, "active again");
  else if (hm_str_is(e->after, "invalid"))
    write_text(w, "marked invalid");
  else
    write_quoted(w, e->after, NAME_BYTES);
  if (e->by.n) {
    write_text(w, hm_str_is(e->after, "graduated") ? " to " : " by ");
    write_quoted(w, e->by, NAME_BYTES);
  }
  write_after(w, e->said);
  write_row(w);
}

/* --- conflicts -------------------------------------------------------------- */

static void write_id(words *w) {
  hm_buf_fmt(w->b, " (%.*s)", HM_FMT(shorten(w->a, w->e->conflict, NAME_BYTES)));
}

static void write_values(words *w) {
  const hm_event *e = w->e;
  for (size_t i = 0; i < e->n_values && i < VALUES_SHOWN; i++) {
    write_text(w, i ? " | " : ": ");
    write_value(w, e->values[i]);
  }
  if (e->n_values > VALUES_SHOWN)
    hm_buf_fmt(w->b, " and %zu more", e->n_values - VALUES_SHOWN);
  if (e->withheld)
    hm_buf_fmt(w->b, "%s%lld withheld", e->n_values ? ", " : ": ", (long long)e->withheld);
}

static void write_references(words *w, const char *verb, const hm_str *refs, size_t n) {
  if (n == 0)
    return;
  write_text(w, verb);
  for (size_t i = 0; i < n && i < VALUES_SHOWN; i++) {
    write_text(w, i ? ", " : " ");
    write_quoted(w, refs[i], NAME_BYTES);
  }
  if (n > VALUES_SHOWN)
    hm_buf_fmt(w->b, " and %zu more", n - VALUES_SHOWN);
}

static void write_members(words *w) {
  const hm_event *e = w->e;
  write_text(w, "still disputed");
  write_id(w);
  write_references(w, ", joined by", e->added, e->n_added);
  write_references(w, e->n_added ? " and left by" : ", left by", e->removed, e->n_removed);
  write_values(w);
}

static void write_settled(words *w) {
  const hm_event *e = w->e;
  bool many = e->n_winners > 1;
  write_text(w,
             hm_str_is(e->status, "dismissed")    ? "dismissed"
                 : hm_str_is(e->status, "merged") ? "merged into another conflict"
                                                  : "settled");
  write_id(w);
  for (size_t i = 0; i < e->n_winners; i++) {
    write_text(w, !i ? ": " : i + 1 < e->n_winners ? ", " : " and ");
    if (e->stand[i].n)
      write_value(w, e->stand[i]);
    if (e->stand[i].n)
      write_text(w, many ? " (" : " stands (");
    write_quoted(w, e->winners[i], NAME_BYTES);
    write_text(w, e->stand[i].n ? ")" : many ? "" : " stands");
  }
  if (many)
    write_text(w, " stand");
  if (hm_str_is(e->action, "supersede_others"))
    write_text(w, e->n_winners ? ", the others are superseded" : ": others are superseded");
  if (hm_str_is(e->action, "supersede_opponents"))
    write_text(w,
               many               ? ", what contradicts them gives way"
                   : e->n_winners ? ", what contradicts it gives way"
                                  : ": others give way");
  if (hm_str_is(e->action, "no_action"))
    write_text(w, ", no row changed");
  if (e->by.n)
    write_text(w, ", by "), write_quoted(w, e->by, NAME_BYTES);
  if (e->at.n)
    write_text(w, " on "), write_quoted(w, e->at, NAME_BYTES);
  if (e->notes.n)
    write_text(w, ": "), write_quoted(w, e->notes, NOTE_BYTES);
}

static void write_conflict(words *w) {
  static const char *const openings[] = { [HM_EV_DISPUTED] = "became disputed",
                                          [HM_EV_QUIET] = "no longer disputed, awaits sign-off",
                                          [HM_EV_REOPENED] = "reopened",
                                          [HM_EV_DROPPED] = "the conflict left the mirror" };
  write_text(w,
             w->e->kind == HM_EV_DISPUTED && w->e->again ? "disputed again" : openings[w->e->kind]);
  write_id(w);
  if (w->e->kind != HM_EV_DROPPED)
    write_values(w);
}

hm_str hm_event_format_text(const hm_event *e, hm_arena *a) {
  static void (*const tellers[])(
      words * w) = { [HM_EV_APPEARED] = write_appeared, [HM_EV_CHANGED] = write_changed,
                     [HM_EV_GONE] = write_gone,         [HM_EV_STATUS] = write_status,
                     [HM_EV_KNOWN] = write_changed,     [HM_EV_DISPUTED] = write_conflict,
                     [HM_EV_MEMBERS] = write_members,   [HM_EV_QUIET] = write_conflict,
                     [HM_EV_SETTLED] = write_settled,   [HM_EV_REOPENED] = write_conflict,
                     [HM_EV_DROPPED] = write_conflict };
  hm_buf b = { 0 };
  words w = { &b, e, a };
  tellers[e->kind](&w);
  return hm_buf_take(&b, a);
}
