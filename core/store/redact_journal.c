#include <stdlib.h>
#include <string.h>

#include "core/store/journal.h"
#include "core/store/redact_json.h"

typedef struct { const hm_redaction *r; int64_t *seqs; size_t n, cap; } scrub;

static void note(scrub *c, int64_t seq) {
  if (c->n == c->cap) {
    c->cap = c->cap ? 2 * c->cap : 64;
    c->seqs = hm_xrealloc(c->seqs, c->cap * sizeof *c->seqs);
  }
  c->seqs[c->n++] = seq;
}

static int scrub_line(void *ctx, hm_journal_line *l, hm_arena *a, hm_err *err) {
  scrub *c = ctx;
  (void)err;
  bool changed = hm_redact_record(c->r, l->ref, &l->before, a);
  changed |= hm_redact_record(c->r, l->ref, &l->after, a);
  if (hm_needles_in(c->r->values, l->why)) {
    l->why = hm_needles_replace(c->r->values, l->why, c->r->mark, a);
    changed = true;
  }
  if (changed) note(c, l->seq);
  return changed;
}

int hm_redact_journal(hm_store *s, const hm_redaction *r, hm_arena *a, int64_t **seqs, size_t *n,
                      int64_t *broken, hm_err *err) {
  scrub c = { .r = r };
  int rc = hm_journal_rewrite(s, scrub_line, &c, broken, err);
  *n = c.n;
  *seqs = hm_alloc_array(a, c.n + 1, sizeof **seqs);
  if (c.n) memcpy(*seqs, c.seqs, c.n * sizeof **seqs);
  free(c.seqs);
  return rc;
}
