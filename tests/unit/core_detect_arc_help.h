/* Stories of a slot for its tests: claims as letters, read into an arc, and told in a line. */
#ifndef CORE_DETECT_ARC_HELP_H
#define CORE_DETECT_ARC_HELP_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/value/value.h"
#include "core/slot/arc.h"
#include "tests/unit/core_base_prng.h"

#define SECOND ((hm_time)1000000)
#define MINUTE (60 * SECOND)
#define DAY (24 * 60 * MINUTE)
#define GAP (15 * MINUTE)

enum { MOST = 40 };

static hm_arena *A;

/* A value is a letter; ~A denies A; lower case is compatible with all. */
typedef struct { hm_arc_claim c[MOST]; size_t n; } story;

static bool values_clash(uint32_t x, uint32_t y) {
  bool deny = (x & 0x80) != (y & 0x80), denied = x & y & 0x80;
  if ((x & 0x20) || (y & 0x20)) return false;
  return deny ? (x & 0x7f) == (y & 0x7f) : !denied && x != y;
}

__attribute__((unused))
static bool differ(void *ctx, uint32_t x, uint32_t y) {
  const story *s = ctx;
  return values_clash(s->c[x].value, s->c[y].value) &&
      !hm_version_refines(s->c[x].version, s->c[y].version);
}

__attribute__((unused))
static void read_arc(hm_arc *out, story *s) {
  hm_find_overtaken_claims(out, s->c, s->n, &(hm_arc_rules){ differ, s, GAP }, A);
}

/* "words>1 holds | 0 1": states by claim, then reversals. */
__attribute__((unused))
static const char *show(const hm_arc *arc) {
  static char out[4000];
  size_t n = 0;
  for (size_t i = 0; i < arc->n; i++) {
    const hm_arc_end *e = &arc->ends[i];
    n += (size_t)snprintf(out + n, sizeof out - n, "%s%s", i ? " " : "",
                          hm_arc_state_name(e->state));
    if (e->by != HM_ARC_NONE) n += (size_t)snprintf(out + n, sizeof out - n, ">%u", e->by);
  }
  for (size_t i = 0; i < arc->n_reversals; i++) {
    n += (size_t)snprintf(out + n, sizeof out - n, " |");
    for (size_t k = 0; k < arc->reversals[i].n; k++)
      n += (size_t)snprintf(out + n, sizeof out - n, " %u", arc->reversals[i].members[k]);
  }
  return out;
}
#endif
