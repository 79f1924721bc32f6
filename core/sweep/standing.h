/* How a row stands: the one answer to "is it disputed?", for every door through which a row is
 * shown. Pages have it from the same concerns (concern.h), where something may be left out. */
#ifndef HM_STANDING_H
#define HM_STANDING_H
#include "core/record/given.h"
#include "core/sweep/answer.h"

/* What another side of a dispute says. */
typedef struct {
  hm_str ref, value, source; /* source: of a row whose sources differ; or empty */
} hm_other_side;

/* A dispute of which the row is a member or the subject. */
typedef struct {
  hm_str conflict, json; /* its id, and as core/detect/explain.h writes it */
  hm_str field;          /* of the row, that is disputed; empty: it is the subject */
  bool flagged;          /* a member of higher trust contradicts it */
  hm_other_side *others; /* that say another value, at most HM_SIDES_TOLD */
  size_t n_others;
} hm_row_dispute;
enum { HM_SIDES_TOLD = 20 };

typedef struct {
  hm_str ref; /* "kind:id" */
  hm_row_given given;
  hm_row_dispute *disputes;
  size_t n;      /* more than 0: it is disputed; by slot key and id */
  size_t inside; /* disputes of what it contains, and not its own */
  const hm_finding **findings;
  size_t n_findings; /* about the row, but for acknowledged ones */
} hm_standing;

/* Those of some rows. */
typedef struct hm_standings hm_standings;
/* Reads how these rows stand, in a; a row that is not there stands without anything. Cost: the
 * disputes that name them, and all findings. */
int hm_standings_read(const hm_answer_source *from, const hm_str *refs, size_t n, hm_arena *a,
                      hm_standings **out, hm_err *err);
/* The one of this row, which was among them. */
const hm_standing *hm_standing_of(const hm_standings *s, hm_str ref);
/* Adds "given_by", "given_at", "was", "disputed", "disputes", "disputed_inside" and "findings" to
 * the row's open object. */
void hm_standing_json(hm_jw *w, const hm_standing *s);
/* The same of ref, as hm_row_tell; ctx: hm_standings. The other one begins with "conflicts", the
 * ids of its disputes. */
void hm_standing_tell(const void *ctx, hm_str ref, hm_jw *w);
void hm_standing_tell_ids(const void *ctx, hm_str ref, hm_jw *w);
#endif
