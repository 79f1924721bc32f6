/* Several episodic memories become one that says what they come to. Source: "Reflection
 * integration".
 *
 * The sources give way to the summary and keep what they say, unless it is redacted: a link
 * `derived_from` leads from the summary to each, so one can see what raw events it came from. A
 * summary is no contradiction of its sources, since a superseded row claims nothing. */
#ifndef HM_REFLECT_H
#define HM_REFLECT_H
#include "core/review/redact.h"
#include "core/review/write.h"

enum { HM_REFLECT_MAX = 1000 };   /* sources */

typedef struct {
  const hm_str *rows; size_t n_rows;   /* the sources: "kind:id", or an id that one row alone has */
  hm_str text;                         /* what the summary says */
  hm_str type;                         /* its memory_type; empty: knowledge */
  hm_str project;                      /* empty: that of the sources, which then must have one */
  hm_str id;                           /* empty: made */
  bool hard;                           /* redact what the sources say; r->who.why is then needed */
} hm_reflect_order;

typedef struct {
  hm_written written;                  /* about the summary */
  hm_str *sources; size_t n_sources;   /* references */
  bool hard;
  hm_redacted redacted;                /* where hard */
} hm_reflected;

/* One transaction, and with `hard` a second one, which is tried before the first. Errors, with
 * field: ids: none, too many, one twice, no memory, not episodic, not active (HM_E_STATE); project:
 * the sources have several; text, type, id: as hm_review_add has them; reason, where hard: as
 * hm_review_redact. HM_E_UNKNOWN; HM_E_BUSY, HM_E_STORE. */
int hm_review_reflect(hm_store *s, const hm_review *r, const hm_reflect_order *order, hm_arena *a,
                      hm_reflected *out, hm_err *err);
/* As hm_written_json, with sources (references) and, where hard, redacted: what was changed, who
 * else holds it, whether the file was compacted. */
void hm_reflected_json(hm_buf *b, const hm_reflected *r, bool dry, hm_arena *a);
#endif
