/* Where documents name a record by its number: decision_impl.h. Read line by line, outside of
 * fences. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/decision/decision_impl.h"

/* --- references ---------------------------------------------------------------------------- */

enum { TOPIC_LONGEST = 120 };

/* The end of what is said of the record: of a clause, or where the next one is named. */
static size_t topic_end(hm_str line, size_t from, char close) {
  static const char *const ends[] = {
    " - ", ". ", "; ", " | ", " \xE2\x80\x94 ", " \xE2\x86\x92 "
  };
  size_t end = from; /* first by one pass, so that many in one line take linear time */
  while (end < line.n &&
         !(line.p[end] == close || line.p[end] == ']' ||
           hm_str_starts(hm_str_sub(line, end, line.n), "ADR")))
    end++;
  for (size_t i = 0; i < HM_COUNT(ends) && !close; i++) {
    ptrdiff_t at = hm_str_find(hm_str_sub(line, from, end), ends[i]);
    end = at >= 0 ? from + (size_t)at : end;
  }
  return end;
}

/* Has the line a word that says that the record will come, is gone, or stands for any? */
static bool is_coming(hm_str low) {
  static const char *const words[] = {
    "(abandoned", "(deleted", "(dropped", "(reserved", "(retired", "(skipped",  "(unused",
    "e.g.",       "example",  "future",   "missing",   "next",     "planned",   "removed",
    "tbd",        "template", "todo",     "upcoming",  "will ",    "withdrawn", "xxx"
  };
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (hm_str_find(low, words[i]) >= 0)
      return true;
  return false;
}

/* "The current highest is ", "Latest ADR: ": of the record that is named behind it. */
static bool is_latest(hm_str before, hm_arena *a) {
  static const char *const words[] = { "highest", "latest adr", "last adr", "newest adr",
                                       "most recent adr" };
  enum { LONGEST = 40 };
  before = hm_str_sub(before, before.n > LONGEST ? before.n - LONGEST : 0, before.n);
  before = hm_str_trim(hm_str_lower(a, before));
  while (hm_str_ends(before, "*") || hm_str_ends(before, "`"))
    before = hm_str_trim(hm_str_sub(before, 0, before.n - 1));
  bool is = hm_str_ends(before, " is") || hm_str_ends(before, ":");
  for (size_t i = 0; i < HM_COUNT(words) && is; i++)
    if (hm_str_find(before, words[i]) >= 0)
      return true;
  return false;
}

/* "](0003-network.md)" at i: the name of the file; *end: behind it. */
static hm_str link_at(hm_str line, size_t i, size_t *end) {
  *end = i;
  if (!hm_char_at(line, i, ']') || !hm_char_at(line, i + 1, '('))
    return HM_EMPTY;
  enum { LONGEST = 1000 }; /* so that many that do not end take linear time */
  const char *close = memchr(line.p + i, ')', line.n - i < LONGEST ? line.n - i : LONGEST);
  if (!close)
    return HM_EMPTY;
  *end = (size_t)(close - line.p) + 1;
  hm_str url = hm_str_sub(line, i + 2, *end - 1);
  const char *hash = url.n ? memchr(url.p, '#', url.n) : NULL;
  if (hash)
    url = hm_str_sub(url, 0, (size_t)(hash - url.p));
  return hm_str_find(url, ":") < 0 && hm_str_ends(url, ".md") ? hm_str_behind_last(url, '/')
                                                              : HM_EMPTY;
}

/* "](https://...", "][label]" at i: the record may lie somewhere else. */
static bool leads_away(hm_str line, size_t i) {
  hm_str rest = hm_str_sub(line, i, line.n);
  return hm_str_starts(rest, "](http") || hm_str_starts(rest, "][");
}

static void read_line(hm_decision_references *r, hm_str source, hm_str line, uint32_t number,
                      hm_arena *a) {
  bool title = hm_str_starts(line, "#");
  int coming = -1;
  for (size_t i = 0; i + 4 < line.n; i++) {
    if (memcmp(line.p + i, "ADR", 3) ||
        (i && (hm_is_alnum(line.p[i - 1]) || strchr("/-_", line.p[i - 1]))))
      continue;
    size_t at = i + 3, end;
    while (at < line.n && strchr("-_ #", line.p[at]))
      at++;
    end = hm_skip_digits(line, at);
    if (end == at || end - at > 5 || title || hm_letter_at(line, end) ||
        (hm_char_at(line, end, '-') && hm_is_alnum(line.p[end + 1 < line.n ? end + 1 : end])))
      continue;
    if (coming < 0)
      coming = is_coming(hm_str_lower(a, line));
    hm_decision_reference x = { .source = source,
                                .line = number,
                                .coming = coming,
                                .latest = is_latest(hm_str_sub(line, 0, i), a),
                                .number =
                                    hm_str_dup(a, hm_decision_number(hm_str_sub(line, at, end))) };
    size_t next = end;
    bool away = leads_away(line, end);
    x.file = hm_str_dup(a, link_at(line, next, &next));
    while (next < line.n && strchr("*_`]", line.p[next]))
      next++;
    next = hm_skip_spaces(line, next);
    bool colon = hm_char_at(line, next, ':'), bracket = hm_char_at(line, next, '(');
    if (colon || bracket) {
      size_t from = hm_skip_spaces(line, next + 1), behind;
      from += hm_char_at(line, from, '['); /* "ADR-3: [Network](0003-network.md)" */
      size_t stop = topic_end(line, from, bracket ? ')' : 0);
      x.topic = hm_str_dup(a, hm_str_trim(hm_str_sub(line, from, stop)));
      away |= leads_away(line, stop);
      if (!x.file.n) /* "[ADR-3: Network](0003-network.md)" */
        x.file = hm_str_dup(a, link_at(line, stop, &behind));
    }
    i = end - 1;
    if (x.topic.n > TOPIC_LONGEST)
      x.topic = HM_EMPTY;
    if (away || hm_str_is(x.number, "0")) /* by custom the template */
      continue;
    r->v = hm_array_grow_in(a, r->v, r->n, &r->cap, sizeof *r->v);
    r->v[r->n++] = x;
  }
}

void hm_decision_references_add(hm_decision_references *r, hm_str source, hm_str text,
                                hm_arena *a) {
  bool fenced = false;
  uint32_t number = 0;
  if (hm_str_find(text, "ADR") < 0)
    return;
  source = hm_str_dup(a, source);
  while (text.n) {
    hm_str line = hm_str_trim(hm_str_next_line(&text));
    number++;
    if (hm_str_starts(line, "```") || hm_str_starts(line, "~~~"))
      fenced = !fenced;
    else if (!fenced && !hm_str_starts(line, ">"))
      read_line(r, source, line, number, a);
  }
}
