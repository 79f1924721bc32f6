/* Writes the commit message, a pure function of the changes; changes.h describes it. */
#include "gen/mirror/changes.h"
#include "core/base/ascii.h"
#include "core/base/credential.h"
#include "core/base/text.h"
#include "core/markdown/escape.h"

enum { ID_MAX = 64, LINE_MAX = 400, NAME_MAX = 60, SUBJECT_MAX = 90 };

/* --- facts --------------------------------------------------------------- */

/* "GH-12" is a link on a git host. */
static bool is_gh(hm_str s, size_t i) {
  return i + 3 < s.n && (s.p[i] | 32) == 'g' && (s.p[i + 1] | 32) == 'h' && s.p[i + 2] == '-' &&
      hm_is_digit(s.p[i + 3]);
}

static void put_harmless(hm_buf *b, hm_str s, size_t *i) {
  char c = s.p[*i], next = *i + 1 < s.n ? s.p[*i + 1] : 0;
  if (c == '@')
    hm_buf_c(b, "(at)");
  else if (c == '*')
    return;
  else if (c == '#' && (hm_is_alnum(next) || next == '_' || (unsigned char)next >= 0x80))
    hm_buf_c(b, "# "); /* "#12" and "#bug" are links on git hosts; "C#" and "# 12" are not */
  else if (c == '[' || c == '{')
    hm_buf_ch(b, '(');
  else if (c == ']' || c == '}')
    hm_buf_ch(b, ')');
  else if (c == ':' && hm_str_starts(hm_str_sub(s, *i, s.n), "://"))
    hm_buf_c(b, ": ");
  else if (is_gh(s, *i)) {
    hm_buf_fmt(b, "%.2s ", s.p + *i);
    *i += 2;
  } else
    hm_buf_ch(b, c);
}

hm_str hm_commit_message_fact(hm_arena *a, hm_str fact, size_t max) {
  hm_str s = hm_clean_text(a, hm_text_cut(fact, 8 * max));
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n; i++)
    put_harmless(&b, s, &i);
  hm_str all = hm_buf_view(&b), cut = hm_str_trim(hm_text_cut(all, max));
  hm_str out =
      cut.n < hm_str_trim(all).n ? hm_str_fmt(a, "%.*s…", HM_FMT(cut)) : hm_str_dup(a, cut);
  hm_buf_free(&b);
  return out;
}

/* --- the subject --------------------------------------------------------------- */

/* The events that a subject can name, the most important first. */
static const hm_event_kind weights[] = { HM_EV_DISPUTED, HM_EV_REOPENED, HM_EV_SETTLED,
                                         HM_EV_QUIET,    HM_EV_CHANGED,  HM_EV_APPEARED,
                                         HM_EV_GONE,     HM_EV_STATUS,   HM_EV_MEMBERS,
                                         HM_EV_KNOWN,    HM_EV_DROPPED };

static const hm_event *weightiest(const hm_events *l) {
  for (size_t w = 0; w < HM_COUNT(weights); w++)
    for (int slotless = 0; slotless < 2; slotless++)
      for (size_t i = 0; i < l->n; i++)
        if (l->v[i].kind == weights[w] && (l->v[i].slot.n == 0) == slotless)
          return &l->v[i];
  return NULL;
}

/* "45 rpm" before "50 rpm": "45". */
static hm_str without_same_end(hm_str s, hm_str other) {
  const char *space = s.n ? memrchr(s.p, ' ', s.n) : NULL;
  size_t n = space ? s.n - (size_t)(space - s.p) : 0;
  bool same = n > 1 && other.n > n && !memcmp(s.p + s.n - n, other.p + other.n - n, n);
  return same ? hm_str_sub(s, 0, s.n - n) : s;
}

static void put_value(hm_buf *b, const char *before, hm_str value, hm_arena *a) {
  hm_str shown = hm_commit_message_fact(a, value, NAME_MAX);
  if (shown.n)
    hm_buf_fmt(b, "%s%.*s", before, HM_FMT(shown));
}

static void put_what(hm_buf *b, const hm_event *e, hm_arena *a) {
  static const char *const words[] = {
    [HM_EV_APPEARED] = " is new",
    [HM_EV_GONE] = " left the mirror",
    [HM_EV_DISPUTED] = " is disputed",
    [HM_EV_MEMBERS] = " is still disputed",
    [HM_EV_QUIET] = " is no longer disputed",
    [HM_EV_SETTLED] = " is settled",
    [HM_EV_REOPENED] = " is disputed again",
    [HM_EV_DROPPED] = ": its conflict left the mirror",
  };
  bool conflict =
      e->kind == HM_EV_DISPUTED || e->kind == HM_EV_MEMBERS || e->kind == HM_EV_REOPENED;
  if (e->kind == HM_EV_SETTLED && !hm_str_is(e->status, "resolved"))
    hm_buf_fmt(b, ": conflict %.*s", HM_FMT(hm_commit_message_fact(a, e->status, NAME_MAX)));
  else if (words[e->kind])
    hm_buf_c(b, words[e->kind]);
  if (conflict) {
    /* Writes the number of sides: distinct values, and one for withheld claims. */
    long long n = (long long)e->n_values + (e->withheld > 0);
    hm_buf_fmt(b, " (%lld side%s)", n, n == 1 ? "" : "s");
  }
  if (e->kind == HM_EV_SETTLED && e->n_winners == 1)
    put_value(b, ": ", e->stand[0], a);
  if (e->kind == HM_EV_APPEARED)
    put_value(b, ": ", e->after, a);
  if (e->kind == HM_EV_STATUS)
    put_value(b, " is now ", e->after, a);
  if (e->kind != HM_EV_CHANGED && e->kind != HM_EV_KNOWN)
    return;
  if (!e->slot.n)
    put_value(b, ": ", e->field, a);
  if (e->before.n)
    put_value(b, " ", without_same_end(e->before, e->after), a);
  if (e->before.n)
    hm_buf_c(b, e->after.n ? " ->" : " is removed");
  put_value(b, e->before.n ? " " : " is ", e->after, a);
}

/* "p06: spindle speed 45 -> 50 rpm, and 1 more". */
static void put_subject(hm_buf *b, const hm_events *l, hm_arena *a) {
  const hm_event *e = weightiest(l);
  hm_str project =
             hm_commit_message_fact(a, e->project.n ? e->project : HM_STR("global"), NAME_MAX),
         name = hm_str_dup(a, e->slot.n || !e->name.n ? hm_event_subject_short(e, a) : e->name);
  for (size_t i = 0; e->slot.n && i < name.n; i++)
    if (name.p[i] == '_')
      ((char *)(uintptr_t)name.p)[i] = ' ';
  hm_buf one = { 0 };
  /* git takes a line that begins with '#' for a comment when a message is edited. */
  hm_buf_fmt(&one, "%s%.*s: %.*s", hm_str_starts(project, "#") ? "project " : "", HM_FMT(project),
             HM_FMT(hm_commit_message_fact(a, name, NAME_MAX)));
  put_what(&one, e, a);
  hm_str shown = hm_text_cut(hm_buf_view(&one), SUBJECT_MAX);
  hm_buf_fmt(b, "%.*s%s", HM_FMT(hm_str_trim(shown)), shown.n < one.n ? "…" : "");
  if (l->n > 1)
    hm_buf_fmt(b, ", and %zu more", l->n - 1);
  hm_buf_free(&one);
}

static void put_count(hm_buf *b, int64_t n, const char *one, const char *many) {
  hm_buf_fmt(b, "%s%lld %s", b->n && b->p[b->n - 1] != ' ' ? ", " : "", (long long)n,
             n == 1 ? one : many);
}

static void put_summary(hm_buf *b, const hm_commit_message_input *in, hm_arena *a) {
  if (in->summary.n) {
    hm_buf_str(b, hm_str_trim(in->summary));
  } else if (in->first) {
    hm_buf_c(b, "First publication: ");
    put_count(b, in->projects, "project", "projects");
    put_count(b, in->facts, "fact", "facts");
    put_count(b, (int64_t)in->disputed, "dispute", "disputes");
  } else if (in->events->n) {
    put_subject(b, in->events, a);
  } else {
    hm_buf_c(b, "Mirror: ");
    if (in->left_out)
      put_count(b, in->left_out, "fact left out", "facts left out");
    else if (in->n_edited)
      put_count(b, (int64_t)in->n_edited, "page restored", "pages restored");
    else if (in->pages_changed > 0)
      put_count(b, in->pages_changed, "page changed", "pages changed");
    else
      hm_buf_c(b, "no fact changed");
  }
  hm_buf_ch(b, '\n');
}

/* --- the body -------------------------------------------------------------------- */

/* Leaves out who decided: the conflict's page has it, and a commit message cannot be changed. */
static void put_event(hm_buf *b, const hm_event *event, hm_arena *a) {
  hm_event e = *event;
  if (e.kind == HM_EV_SETTLED)
    e.by = HM_EMPTY;
  hm_str subject = hm_commit_message_fact(a, hm_event_subject(&e, a), LINE_MAX),
         words = hm_commit_message_fact(a, hm_event_format_text(&e, a), LINE_MAX);
  hm_buf_fmt(b, "- %.*s: %.*s\n", HM_FMT(subject), HM_FMT(words));
}

/* Counts events by project, by which they are sorted, when they are too many to list. */
static void put_projects(hm_buf *b, const hm_events *l, hm_arena *a) {
  for (size_t i = 0, to; i < l->n; i = to) {
    int64_t facts = 0, opened = 0, settled = 0, others = 0;
    for (to = i; to < l->n && hm_str_eq(l->v[to].project, l->v[i].project); to++) {
      hm_event_kind k = l->v[to].kind;
      if (!l->v[to].conflict.n)
        facts++;
      else if (k == HM_EV_DISPUTED || k == HM_EV_REOPENED)
        opened++;
      else if (k == HM_EV_SETTLED)
        settled++;
      else
        others++;
    }
    hm_str project = l->v[i].project.n ? l->v[i].project : HM_STR("global");
    hm_buf_fmt(b, "- %.*s: ", HM_FMT(hm_commit_message_fact(a, project, NAME_MAX)));
    if (facts)
      put_count(b, facts, "change of a fact", "changes of facts");
    if (opened)
      put_count(b, opened, "dispute opened", "disputes opened");
    if (settled)
      put_count(b, settled, "settled", "settled");
    if (others)
      put_count(b, others, "other dispute changed", "other disputes changed");
    hm_buf_ch(b, '\n');
  }
}

static void put_body(hm_buf *b, const hm_commit_message_input *in, hm_arena *a) {
  const hm_events *l = in->events;
  if (l->n || in->n_edited || in->left_out)
    hm_buf_ch(b, '\n');
  if (l->n > HM_COMMIT_MESSAGE_LINES)
    put_projects(b, l, a);
  for (size_t i = 0; l->n <= HM_COMMIT_MESSAGE_LINES && i < l->n; i++)
    put_event(b, &l->v[i], a);
  if (in->left_out) {
    hm_buf_c(b, "- ");
    put_count(b, in->left_out, "fact is left out now", "facts are left out now");
    hm_buf_ch(b, '\n');
  }
  for (size_t i = 0; i < in->n_edited && i < HM_COMMIT_MESSAGE_LINES; i++) {
    hm_str path = hm_commit_message_fact(a, in->edited[i], LINE_MAX);
    hm_buf_fmt(b, "- restored %.*s, which was edited by hand\n", HM_FMT(path));
  }
  if (in->n_edited > HM_COMMIT_MESSAGE_LINES)
    hm_buf_fmt(b, "- and %zu more restored\n", in->n_edited - HM_COMMIT_MESSAGE_LINES);
}

static void put_trailers(hm_buf *b, const hm_commit_message_input *in, hm_arena *a) {
  hm_buf_fmt(b, "\nMirror-Snapshot: %.*s\n", HM_FMT(in->snapshot));
  if (in->now.n)
    hm_buf_fmt(b, "Mirror-Now: %.*s\n", HM_FMT(in->now));
  hm_buf_fmt(b, "Mirror-Tool: %.*s\nMirror-Rules: %.*s\n", HM_FMT(in->tool), HM_FMT(in->rules));
  if (in->store.n)
    hm_buf_fmt(b, "Mirror-Store: %.*s\nMirror-Journal: %.*s\n", HM_FMT(in->store),
               HM_FMT(in->journal));
  hm_buf_fmt(b, "Open-Conflicts: %zu\n", in->open_conflicts);
  for (int settled = 0; settled < 2; settled++)
    for (size_t i = 0; i < in->events->n; i++) {
      const hm_event *e = &in->events->v[i];
      bool asked = settled ? e->kind == HM_EV_SETTLED && !hm_str_is(e->status, "merged")
                           : e->kind == HM_EV_DISPUTED || e->kind == HM_EV_REOPENED;
      if (!asked)
        continue;
      hm_str id = hm_commit_message_fact(a, e->conflict, ID_MAX); /* an imported one is any text */
      hm_buf_fmt(b, "%s: %.*s\n", settled ? "Conflict-Resolved" : "Conflict-Opened", HM_FMT(id));
    }
}

hm_str hm_commit_message(const hm_commit_message_input *in, hm_arena *a) {
  hm_buf b = { 0 };
  put_summary(&b, in, a);
  put_body(&b, in, a);
  put_trailers(&b, in, a);
  hm_str text = hm_buf_take(&b, a);
  return hm_credential_hide(text, a); /* nobody can take it out of a commit */
}
