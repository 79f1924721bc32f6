/* What a status says: its word, whether the record holds, the latest one of a history.
 *
 * The first word of a status counts, behind a date. One that says of a supersession that it is of a
 * part or under a condition has no word: the record holds as before. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/time.h"
#include "core/decision/decision_impl.h"

#define IS_KEY(s, list) hm_decision_is_any(s, list, HM_COUNT(list))

static const char *const in_force[] = { "accepted", "active",      "adopted",  "approved",
                                        "agreed",   "implemented", "decided",  "done",
                                        "final",    "current",     "ratified", "amended",
                                        "valid",    "enacted",     "partly",   "partially" };
static const char *const open_words[] = {
  "proposed",      "draft",        "pending",     "review",  "open",       "wip",    "proposal",
  "in review",     "under review", "in progress", "on hold", "discussion", "rfc",    "todo",
  "in discussion", "deferred",     "postponed",   "idea",    "drafted",    "planned"
};
static const char *const over_words[] = { "superseded", "superceded", "superseeded", "replaced",
                                          "obsoleted" };
static const char *const dropped[] = { "rejected",    "deprecated", "depreciated", "withdrawn",
                                       "obsolete",    "retired",    "abandoned",   "declined",
                                       "cancelled",   "canceled",   "revoked",     "reverted",
                                       "not accepted" };

/* The first word of a status behind a date, in small letters; of some words the second, too. */
static hm_str first_word(hm_arena *a, hm_str s) {
  static const char *const two[] = { "on", "in", "under", "not" };
  size_t i = 0, end;
  hm_str date = hm_time_find_date(s);
  if (date.n && date.p < s.p + 4) {
    hm_str rest = hm_str_sub(s, (size_t)(date.p - s.p) + date.n, s.n);
    hm_str word = first_word(a, rest);
    if (word.n)
      return word;
  }
  while (i < s.n && !hm_is_letter(s.p[i]))
    i++;
  for (end = i; end < s.n && hm_is_letter(s.p[end]); end++) {
  }
  hm_str word = hm_str_lower(a, hm_str_sub(s, i, end));
  if (!IS_KEY(word, two))
    return hm_decision_in_english(word);
  size_t next = hm_skip_spaces(s, end), stop = next;
  while (hm_letter_at(s, stop))
    stop++;
  return HM_CAT(a, word, HM_STR(" "), hm_str_lower(a, hm_str_sub(s, next, stop)));
}

hm_str hm_decision_status_word(hm_arena *a, hm_str s) {
  static const char *const parts[] = { "partially", "partly" };
  enum { LOOKED_AT = 400 };
  hm_str word = first_word(a, hm_str_sub(s, 0, LOOKED_AT));
  bool other = hm_decision_is_status(word) && !IS_KEY(word, over_words) && !IS_KEY(word, parts);
  return !other && hm_supersession_holds(s, a) ? HM_EMPTY : word;
}

bool hm_decision_is_status(hm_str word) {
  return IS_KEY(word, in_force) || IS_KEY(word, open_words) || IS_KEY(word, over_words) ||
      IS_KEY(word, dropped);
}

hm_decision_standing hm_decision_standing_of(hm_str word, hm_str status, hm_arena *a) {
  if (IS_KEY(word, over_words))
    return HM_DECISION_OVER;
  if (IS_KEY(word, dropped))
    return HM_DECISION_DROPPED;
  if (IS_KEY(word, open_words))
    return HM_DECISION_OPEN;
  if (IS_KEY(word, in_force))
    return HM_DECISION_IN_FORCE;
  hm_str low = hm_str_lower(a, status); /* "Was accepted, now superseded by 12" */
  bool over = hm_str_find(low, "superseded by") >= 0 && !hm_supersession_holds(status, a);
  return over ? HM_DECISION_OVER : HM_DECISION_IN_FORCE;
}

hm_str hm_decision_latest_status(hm_str s, hm_str *date, hm_arena *a) {
  static const char *const others[] = { "amended", "review" }; /* change no status */
  enum { LONGEST = 400, BETWEEN = 7 };                         /* ": ", " on ", " since " */
  hm_str best = s;
  bool before = hm_time_is_date(s); /* each date stands before its word */
  *date = HM_EMPTY;
  for (size_t from = 0, end; from < s.n && s.n <= LONGEST; from = end) {
    hm_str own = hm_time_find_date(hm_str_sub(s, from, s.n));
    end = own.n ? (size_t)(own.p - s.p) + own.n : s.n;
    end += hm_char_at(s, end, ')');
    hm_str next = hm_time_find_date(hm_str_sub(s, end, s.n));
    end = !next.n ? s.n : before ? (size_t)(next.p - s.p) : end;
    hm_str one = hm_str_sub(s, from, end), word = hm_decision_status_word(a, one);
    while (one.n && strchr(" ,;.", one.p[0]))
      one = hm_str_sub(one, 1, one.n);
    while (one.n && strchr(" ,;.(", one.p[one.n - 1]))
      one.n--;
    if (!own.n || own.p > one.p + word.n + BETWEEN || hm_str_cmp(own, *date) <= 0 ||
        !hm_decision_is_status(word) || IS_KEY(word, others))
      continue;
    *date = own;
    best = from ? one : s;
  }
  return best;
}

/* Skips one of the marks at the beginning of s. False: there is none. */
static bool skip_mark(hm_str *s, const char *const *marks, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_starts(*s, marks[i])) {
      *s = hm_str_sub(*s, strlen(marks[i]), s->n);
      return true;
    }
  return false;
}

hm_str hm_decision_chosen_status(hm_str s, hm_arena *a) {
  static const char *const checked[] = { "[x]", "[X]" }, *const empty[] = { "[ ]" };
  static const char *const arrows[] = { " -> ", " => ", " \u2192 " };
  enum { LONGEST = 400 };
  hm_str chosen = HM_EMPTY, rest, last = s;
  bool boxes = false;
  for (size_t i = 0; i < s.n && s.n <= LONGEST; i++) {
    rest = hm_str_sub(s, i, s.n);
    bool box = skip_mark(&rest, empty, HM_COUNT(empty));
    boxes |= box;
    if (skip_mark(&rest, checked, HM_COUNT(checked))) {
      chosen = rest;
      boxes = true;
    } else if (box && chosen.n && chosen.p < s.p + i)
      chosen = hm_str_sub(chosen, 0, (size_t)(s.p + i - chosen.p));
    else if (skip_mark(&rest, arrows, HM_COUNT(arrows)) &&
             hm_decision_is_status(first_word(a, last)) &&
             hm_decision_is_status(first_word(a, rest)))
      last = rest; /* "Proposed -> Accepted" */
  }
  while (chosen.n && strchr(" /,|-*", chosen.p[chosen.n - 1]))
    chosen.n--;
  return boxes ? hm_str_trim(chosen) : hm_str_trim(last);
}

hm_str hm_decision_behind_date(hm_str s, hm_arena *a) {
  hm_str date = hm_time_find_date(s);
  if (!date.n || date.p >= s.p + 4)
    return s;
  hm_str rest = hm_str_sub(s, (size_t)(date.p - s.p) + date.n, s.n);
  while (rest.n && !hm_is_letter(rest.p[0]))
    rest = hm_str_sub(rest, 1, rest.n);
  return hm_decision_is_status(first_word(a, rest)) ? rest : s;
}

hm_str hm_decision_unstruck(hm_str s, const hm_doc_span *spans, size_t n, hm_arena *a) {
  char *text = NULL;
  for (size_t i = 0; i < n; i++) {
    if (spans[i].mark != HM_DOC_STRUCK || spans[i].to > s.n)
      continue;
    text = text ? text : hm_str_z(a, s);
    memset(text + spans[i].from, 0, spans[i].to - spans[i].from);
  }
  size_t kept = 0;
  for (size_t i = 0; text && i < s.n; i++)
    if (text[i])
      text[kept++] = text[i];
  return text ? hm_str_trim((hm_str){ text, kept }) : s;
}
