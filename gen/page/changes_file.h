/* The changes of the last publications: data/changes.jsonl, and what pages show of it. Pure.
 *
 * The file begins with {"kind":"mirror-data","format":1}. Then, oldest publication first:
 *   {"kind":"publication","number":3,"at":"2026-04-02T09:00:00Z","disputed":14}
 *   {"kind":"change","event":"changed","project":"p06","subject":"spindle_speed",
 *    "text":"changed: 45 rpm -> 50 rpm","rows":["entity:p06-e3"],"fields":["value"]}
 *   {"kind":"more","project":"p06","changes":212}
 * A publication's changes follow it: conflicts first, then facts, HM_CHANGES_LISTED at most; "more"
 * counts the others of a project; "left_out":2 of a publication says how many facts publish.exclude
 * took from it. "disputed" is the number of disputes after it. The first one of a
 * branch has "first":true and no changes. The file keeps the last HM_CHANGES_PUBLICATIONS
 * publications, fewer when it would be longer than HM_CHANGES_BYTES.
 *
 * The site is made from the file at the branch's tip, without a walk over the history. Somebody may
 * have edited the file, so each text in it is as hostile as a fact. */
#ifndef HM_PAGE_CHANGES_H
#define HM_PAGE_CHANGES_H
#include "core/base/err.h"
#include "core/base/str.h"
#include "gen/page/view.h"

enum { HM_CHANGES_PUBLICATIONS = 200, HM_CHANGES_LISTED = 100, HM_CHANGES_BYTES = 900 << 10 };

#define HM_CHANGES_PATH "data/changes.jsonl"

typedef struct {
  hm_str event;    /* as `hmirror diff --format json` names it: "changed", "disputed" */
  hm_str project;  /* id; empty: the global one */
  hm_str subject;  /* within the project: "spindle_speed", "entity:p06-e3 (Spindle)" */
  hm_str text;     /* "changed: 45 rpm -> 50 rpm" */
  hm_str conflict; /* id; empty: it is about a row */
  hm_str *rows, *fields;
  size_t n_rows; /* "kind:id" and field: the row, or the members of the conflict */
} hm_change_line;

typedef struct {
  hm_str project;
  int64_t changes;
} hm_more_changes;

typedef struct {
  int64_t number; /* from 1; one more than that of the publication before */
  hm_str at;      /* the time of the newest fact that it shows, or empty */
  int64_t disputed;
  int64_t left_out; /* facts that publish.exclude leaves out since then: a number, and no more */
  bool first;
  hm_change_line *v;
  size_t n;
  hm_more_changes *more;
  size_t n_more;
} hm_published;

typedef struct {
  hm_published *v;
  size_t n;
} hm_changes; /* oldest first */

/* Parses the file; texts live in a. Skips unknown lines. Returns false, with *out empty, when jsonl
 * is no such file. */
bool hm_changes_parse(hm_str jsonl, hm_arena *a, hm_changes *out);
/* Appends the file. */
void hm_changes_write(const hm_changes *c, hm_buf *out);
/* Drops the oldest publications until both limits hold. */
void hm_changes_drop_oldest(hm_changes *c);
/* Kinds of change for readers: a dispute was opened, its sides changed, it was settled or fell
 * silent, or a fact changed. */
typedef enum {
  HM_CHANGE_OPENED,
  HM_CHANGE_SIDES,
  HM_CHANGE_SETTLED,
  HM_CHANGE_FACT,
  HM_CHANGE_SORTS
} hm_change_sort;
hm_change_sort hm_classify_change(hm_str event);

/* --- as a reader may see them --- */

/* Sets *out to the changes that may be shown: drops those of rows that publish.exclude leaves out
 * now, and says of rows with redacted text only that they changed. Calls is_redacted with the
 * reference of each row that has no redaction mark in the store; NULL: no such row is redacted. In
 * a. */
void hm_changes_filter_shown(const hm_view *v, const hm_changes *all,
                             bool (*is_redacted)(void *ctx, hm_str ref), void *ctx, hm_arena *a,
                             hm_changes *out);
/* Puts words in the place of a text that was redacted, and the id in that of the subject. */
void hm_change_hide_text(hm_change_line *c);
/* True when the text of a line tells what publish.exclude leaves out, whatever its rows are: a row
 * that another one was superseded by, a type, what a left-out source says. */
bool hm_change_is_left_out(const hm_view *v, const hm_change_line *c, hm_arena *a);
/* Makes the pages of v show c: changes.md, feeds, the front page and overviews. Call it before
 * hm_list_pages; c must outlive the view. Without this call there are no such pages. */
void hm_view_set_changes(hm_view *v, const hm_changes *c);
bool hm_view_has_changes(const hm_view *v);
#endif
