/* Events in words. */
#include <string.h>

#include "core/base/text.h"
#include "core/claim/claim.h"
#include "gen/history/event.h"
#include "gen/render/escape.h"

enum { VALUE_BYTES = 100, NAME_BYTES = 60, NOTE_BYTES = 200, VALUES_SHOWN = 6 };

static hm_str brief(hm_arena *a, hm_str s, size_t max) {
  hm_str clean = hm_clean(a, hm_text_cut(s, 8 * max));
  if (clean.n <= max) return clean;
  return hm_str_fmt(a, "%.*s…", HM_FMT(hm_str_trim(hm_text_cut(clean, max))));
}

hm_str hm_event_subject_short(const hm_event *e, hm_arena *a) {
  if (e->slot.n) {
    hm_str title = hm_slot_title(a, e->slot),
           project = e->project.n ? e->project : HM_STR("global");
    bool starts = title.n > project.n + 3 && memcmp(title.p, project.p, project.n) == 0;
    return brief(a, starts ? hm_str_sub(title, project.n + 3, title.n) : title, 3 * NAME_BYTES);
  }
  hm_str row = brief(a, e->row, NAME_BYTES);
  return e->name.n
      ? hm_str_fmt(a, "%.*s (%.*s)", HM_FMT(row), HM_FMT(brief(a, e->name, NAME_BYTES)))
      : row;
}

hm_str hm_event_subject(const hm_event *e, hm_arena *a) {
  hm_str project = e->project.n ? brief(a, e->project, NAME_BYTES) : HM_STR("global");
  return hm_str_fmt(a, "%.*s / %.*s", HM_FMT(project), HM_FMT(hm_event_subject_short(e, a)));
}

typedef struct { hm_buf *b; const hm_event *e; hm_arena *a; } words;

static void say(words *w, const char *z) { hm_buf_c(w->b, z); }

static void quote(words *w, hm_str s, size_t max) {
  hm_str shown = brief(w->a, s, max);
  hm_buf_str(w->b, shown.n ? shown : HM_STR("\"\""));
}

static void value(words *w, hm_str s) { quote(w, s, VALUE_BYTES); }

/* ": PEEK" */
static void after(words *w, hm_str s) {
  if (!s.n) return;
  say(w, ": ");
  value(w, s);
}

/* Which row, where the subject is a slot. */
static void of_row(words *w) {
  if (!w->e->slot.n) return;
  say(w, " (");
  quote(w, w->e->row, NAME_BYTES);
  say(w, ")");
}

/* --- rows ------------------------------------------------------------------- */

static void appeared(words *w) {
  say(w, "appeared");
  if (w->e->status.n) {
    say(w, " as ");
    quote(w, w->e->status, NAME_BYTES);
  }
  after(w, w->e->after);
  of_row(w);
}

/* What no slot names: "rationale", "source". */
static void field(words *w) {
  hm_str name = brief(w->a, w->e->field, NAME_BYTES);
  if (w->e->kind == HM_EV_KNOWN && name.n && name.p[0] >= 'A' && name.p[0] <= 'Z') {
    hm_buf_ch(w->b, (char)(name.p[0] | 0x20));
    name = hm_str_sub(name, 1, name.n);
  }
  hm_buf_str(w->b, name);
  say(w, " ");
}

static void changed(words *w) {
  const hm_event *e = w->e;
  if (!e->slot.n) field(w);
  if (!e->before.n) {
    say(w, "added");
    after(w, e->after);
  } else if (!e->after.n) {
    say(w, "removed: was ");
    value(w, e->before);
  } else {
    say(w, "changed: ");
    value(w, e->before);
    say(w, " -> ");
    value(w, e->after);
  }
  of_row(w);
}

static void gone(words *w) {
  say(w, w->e->again ? "no longer said" : "left the mirror");
  if (w->e->before.n) say(w, ": was "), value(w, w->e->before);
  of_row(w);
}

static void status(words *w) {
  const hm_event *e = w->e;
  if (hm_str_is(e->after, "active")) say(w, "active again");
  else if (hm_str_is(e->after, "invalid")) say(w, "marked invalid");
  else quote(w, e->after, NAME_BYTES);
  if (e->by.n) {
    say(w, hm_str_is(e->after, "graduated") ? " to " : " by ");
    quote(w, e->by, NAME_BYTES);
  }
  after(w, e->said);
  of_row(w);
}

/* --- conflicts -------------------------------------------------------------- */

static void id(words *w) {
  hm_buf_fmt(w->b, " (%.*s)", HM_FMT(brief(w->a, w->e->conflict, NAME_BYTES)));
}

static void values(words *w) {
  const hm_event *e = w->e;
  for (size_t i = 0; i < e->n_values && i < VALUES_SHOWN; i++) {
    say(w, i ? " | " : ": ");
    value(w, e->values[i]);
  }
  if (e->n_values > VALUES_SHOWN) hm_buf_fmt(w->b, " and %zu more", e->n_values - VALUES_SHOWN);
  if (e->withheld)
    hm_buf_fmt(w->b, "%s%lld withheld", e->n_values ? ", " : ": ", (long long)e->withheld);
}

static void references(words *w, const char *verb, const hm_str *refs, size_t n) {
  if (n == 0) return;
  say(w, verb);
  for (size_t i = 0; i < n && i < VALUES_SHOWN; i++) {
    say(w, i ? ", " : " ");
    quote(w, refs[i], NAME_BYTES);
  }
  if (n > VALUES_SHOWN) hm_buf_fmt(w->b, " and %zu more", n - VALUES_SHOWN);
}

static void members(words *w) {
  const hm_event *e = w->e;
  say(w, "still disputed");
  id(w);
  references(w, ", joined by", e->added, e->n_added);
  references(w, e->n_added ? " and left by" : ", left by", e->removed, e->n_removed);
  values(w);
}

static void settled(words *w) {
  const hm_event *e = w->e;
  bool dismissed = hm_str_is(e->status, "dismissed");
  say(w, dismissed ? "dismissed" : "settled");
  id(w);
  if (e->winner.n) {
    say(w, ": ");
    if (e->said.n) value(w, e->said), say(w, " stands (");
    quote(w, e->winner, NAME_BYTES);
    say(w, e->said.n ? ")" : " stands");
  }
  if (hm_str_is(e->action, "supersede_others"))
    say(w, e->winner.n ? ", the others are superseded" : ": others are superseded");
  if (hm_str_is(e->action, "supersede_opponents"))
    say(w, e->winner.n ? ", what contradicts it gives way" : ": others give way");
  if (hm_str_is(e->action, "no_action"))
    say(w, e->winner.n ? ", no row changed" : ", no row changed");
  if (e->by.n) say(w, ", by "), quote(w, e->by, NAME_BYTES);
  if (e->at.n) say(w, " on "), quote(w, e->at, NAME_BYTES);
  if (e->notes.n) say(w, ": "), quote(w, e->notes, NOTE_BYTES);
}

static void conflict(words *w) {
  static const char *const openings[] = { [HM_EV_DISPUTED] = "became disputed",
                                          [HM_EV_QUIET] = "no longer disputed, awaits sign-off",
                                          [HM_EV_REOPENED] = "reopened",
                                          [HM_EV_DROPPED] = "the conflict left the mirror" };
  say(w, w->e->kind == HM_EV_DISPUTED && w->e->again ? "disputed again" : openings[w->e->kind]);
  id(w);
  if (w->e->kind != HM_EV_DROPPED) values(w);
}

hm_str hm_event_words(const hm_event *e, hm_arena *a) {
  static void (*const tellers[])(words * w) = {
    [HM_EV_APPEARED] = appeared, [HM_EV_CHANGED] = changed, [HM_EV_GONE] = gone,
    [HM_EV_STATUS] = status,     [HM_EV_KNOWN] = changed,   [HM_EV_DISPUTED] = conflict,
    [HM_EV_MEMBERS] = members,   [HM_EV_QUIET] = conflict,  [HM_EV_SETTLED] = settled,
    [HM_EV_REOPENED] = conflict, [HM_EV_DROPPED] = conflict
  };
  hm_buf b = { 0 };
  words w = { &b, e, a };
  tellers[e->kind](&w);
  hm_str s = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return s;
}
