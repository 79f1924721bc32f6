/* The message is a pure function of what is published now and what was before. */
#include "gen/mirror/message.h"
#include "core/base/text.h"
#include "gen/check/recorded.h"
#include "gen/render/escape.h"

enum { ID_MAX = 64, TITLE_MAX = 160, SUMMARY_MAX = 60 };   /* of a title, and of its values */

/* What happened to a conflict since the last publication. */
typedef enum { SAME, OPENED, RESOLVED, DISMISSED, MERGED, SETTLING, N_EVENTS } event;

/* In a line of the body; counted, in a summary; and of the one that a summary names. */
static const struct { const char *line, *one, *many, *alone; } words[N_EVENTS] = {
  [OPENED] = { "opened", "dispute opened", "disputes opened", "disputed" },
  [RESOLVED] = { "resolved", "resolved", "resolved", "resolved" },
  [DISMISSED] = { "dismissed", "dismissed", "dismissed", "dismissed" },
  [MERGED] = { "merged into another:", "merged", "merged", "merged into another conflict" },
  [SETTLING] = { "no longer disputed, awaiting sign-off:", "no longer disputed",
                 "no longer disputed", "no longer disputed" },
};

/* --- facts --------------------------------------------------------------- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* "GH-12" is a link on a git host. */
static bool is_gh(hm_str s, size_t i) {
  return i + 3 < s.n && (s.p[i] | 32) == 'g' && (s.p[i + 1] | 32) == 'h' && s.p[i + 2] == '-' &&
      is_digit(s.p[i + 3]);
}

static void defuse(hm_buf *b, hm_str s, size_t *i) {
  char c = s.p[*i];
  if (c == '@') hm_buf_c(b, "(at)");
  else if (c == '#' || c == '*') return;
  else if (c == '[' || c == '{') hm_buf_ch(b, '(');
  else if (c == ']' || c == '}') hm_buf_ch(b, ')');
  else if (c == ':' && hm_str_starts(hm_str_sub(s, *i, s.n), "://")) hm_buf_c(b, ": ");
  else if (is_gh(s, *i)) { hm_buf_fmt(b, "%.2s ", s.p + *i); *i += 2; }
  else hm_buf_ch(b, c);
}

hm_str hm_message_fact(hm_arena *a, hm_str fact, size_t max) {
  hm_str s = hm_clean(a, hm_text_cut(fact, 8 * max));
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n; i++) defuse(&b, s, &i);
  hm_str all = hm_buf_view(&b), cut = hm_str_trim(hm_text_cut(all, max));
  hm_str out =
      cut.n < hm_str_trim(all).n ? hm_str_fmt(a, "%.*s…", HM_FMT(cut)) : hm_str_dup(a, cut);
  hm_buf_free(&b);
  return out;
}

/* --- what changed -------------------------------------------------------- */

static event event_of(const hm_map *old, const hm_message_conflict *c) {
  uint32_t was = hm_map_get(old, c->id);
  bool known = was != HM_MAP_NONE, was_open = known && (was & HM_WAS_OPEN);
  if (c->status == HM_RESOLVED) return was_open ? RESOLVED : SAME;
  if (c->status == HM_DISMISSED) return was_open ? DISMISSED : SAME;
  if (c->status == HM_MERGED) return was_open ? MERGED : SAME;
  if (!was_open) return OPENED;
  return (was & HM_WAS_DISPUTED) && !c->disputed ? SETTLING : SAME;
}

/* --- the text ------------------------------------------------------------ */

static void put_count(hm_buf *b, int64_t n, const char *one, const char *many) {
  hm_buf_fmt(b, "%s%lld %s", b->n && b->p[b->n - 1] != ' ' ? ", " : "", (long long)n,
             n == 1 ? one : many);
}

/* "p05 / mass", and its values: "4.8 kg | 5 kg". */
static void put_conflict(hm_buf *b, const hm_message_input *in, size_t i, size_t max,
                         const char *between, hm_arena *a) {
  const hm_message_conflict *c = &in->conflicts[i];
  hm_str title = hm_message_fact(a, c->title, max);
  hm_str values = hm_message_fact(a, in->values ? in->values(in->ctx, i) : c->values, max);
  hm_buf_fmt(b, "%.*s%s%s%.*s\n", HM_FMT(title), between, values.n ? ": " : "", HM_FMT(values));
}

/* One event is named, more are counted. */
static void put_summary(hm_buf *b, const hm_message_input *in, const event *events,
                        const size_t n[N_EVENTS], hm_arena *a) {
  size_t all = n[OPENED] + n[RESOLVED] + n[DISMISSED] + n[MERGED] + n[SETTLING], i = 0;
  if (in->summary.n) {
    hm_buf_str(b, hm_str_trim(in->summary));
  } else if (in->first) {
    hm_buf_c(b, "First publication: ");
    put_count(b, in->projects, "project", "projects");
    put_count(b, in->facts, "fact", "facts");
    put_count(b, (int64_t)n[OPENED], "dispute", "disputes");
  } else if (all == 1) {
    while (events[i] == SAME) i++;
    put_conflict(b, in, i, SUMMARY_MAX, hm_str_fmt(a, " %s", words[events[i]].alone).p, a);
    return;
  } else {
    hm_buf_c(b, "Mirror: ");
    for (event e = OPENED; e < N_EVENTS; e++)
      if (n[e]) put_count(b, (int64_t)n[e], words[e].one, words[e].many);
    if (!all && in->n_edited)
      put_count(b, (int64_t)in->n_edited, "page restored", "pages restored");
    else if (!all && in->pages_changed >= 0)
      put_count(b, in->pages_changed, "page changed", "pages changed");
    else if (!all) hm_buf_c(b, "facts changed");
  }
  hm_buf_ch(b, '\n');
}

static void put_rest(hm_buf *b, size_t n, const char *what) {
  if (n > HM_MESSAGE_LINES) hm_buf_fmt(b, "- and %zu more %s\n", n - HM_MESSAGE_LINES, what);
}

static void put_body(hm_buf *b, const hm_message_input *in, const event *events,
                     const size_t n[N_EVENTS], hm_arena *a) {
  size_t start = b->n;
  hm_buf_ch(b, '\n');
  for (event e = OPENED; e < N_EVENTS; e++) {
    size_t told = 0;
    for (size_t i = 0; i < in->n && told < HM_MESSAGE_LINES; i++) {
      if (events[i] != e) continue;
      hm_str id = hm_message_fact(a, in->conflicts[i].id, ID_MAX);
      hm_buf_fmt(b, "- %s %.*s: ", words[e].line, HM_FMT(id));
      put_conflict(b, in, i, TITLE_MAX, "", a);
      told++;
    }
    put_rest(b, n[e], words[e].line);
  }
  for (size_t i = 0; i < in->n_edited && i < HM_MESSAGE_LINES; i++) {
    hm_str path = hm_message_fact(a, in->edited[i], TITLE_MAX);
    hm_buf_fmt(b, "- restored %.*s, which was edited by hand\n", HM_FMT(path));
  }
  put_rest(b, in->n_edited, "restored");
  if (b->n == start + 1) b->n = start;
}

static void put_trailers(hm_buf *b, const hm_message_input *in, const event *events, hm_arena *a) {
  size_t open = 0;
  for (size_t i = 0; i < in->n; i++) open += in->conflicts[i].status == HM_OPEN;
  hm_buf_fmt(b, "\nMirror-Snapshot: %.*s\n", HM_FMT(in->snapshot));
  if (in->now.n) hm_buf_fmt(b, "Mirror-Now: %.*s\n", HM_FMT(in->now));
  hm_buf_fmt(b, "Mirror-Tool: %.*s\nMirror-Rules: %.*s\nOpen-Conflicts: %zu\n", HM_FMT(in->tool),
             HM_FMT(in->rules), open);
  for (int settled = 0; settled < 2; settled++)
    for (size_t i = 0; i < in->n; i++) {
      if (settled ? events[i] != RESOLVED && events[i] != DISMISSED : events[i] != OPENED) continue;
      hm_str id = hm_message_fact(a, in->conflicts[i].id, ID_MAX); /* an imported one is any text */
      hm_buf_fmt(b, "%s: %.*s\n", settled ? "Conflict-Resolved" : "Conflict-Opened", HM_FMT(id));
    }
}

hm_str hm_message(const hm_message_input *in, hm_arena *a) {
  hm_map old;
  hm_buf b = { 0 };
  size_t n[N_EVENTS] = { 0 };
  event *events = hm_alloc_array(a, in->n + 1, sizeof *events);
  if (!in->old)   /* unreadable: all open ones are listed again */
    hm_recorded_read(in->first ? HM_EMPTY : in->old_conflicts, &old, a);
  for (size_t i = 0; i < in->n; i++)
    n[events[i] = event_of(in->old ? in->old : &old, &in->conflicts[i])]++;
  put_summary(&b, in, events, n, a);
  put_body(&b, in, events, n, a);
  put_trailers(&b, in, events, a);
  return hm_buf_take(&b, a);
}
