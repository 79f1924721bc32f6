/* What the view asks of every row, found by one look at each, on all cores. */
#include "core/base/par.h"
#include "core/base/time.h"
#include "view_private.h"

enum { CHUNK = 4096 };

static uint16_t year_of(const hm_row *r) {
  hm_time t;
  hm_precision p;
  if (r->layer != HM_MEMORY || !hm_time_parse(r->created_at, &t, &p)) return HM_UNDATED;
  int year = hm_time_year(t);
  return year < 0 || year > HM_UNDATED ? HM_UNDATED : (uint16_t)year;
}

static int scan_chunk(void *ctx, size_t chunk, int worker) {
  hm_view *v = ctx;
  size_t end = (chunk + 1) * CHUNK < v->snap->n_rows ? (chunk + 1) * CHUNK : v->snap->n_rows;
  (void)worker;
  for (size_t i = chunk * CHUNK; i < end; i++) {
    const hm_row *r = &v->snap->rows[i];
    v->seen[i] = (hm_seen){ .home = hm_row_home(v->snap, (uint32_t)i), .year = year_of(r), .odd_id = !hm_is_plain_id(r->id),
                            .refers = r->superseded_by.n || r->graduated_to.n || r->from.n || r->to.n,
                            .may_be_long = hm_view_may_be_long(v, (uint32_t)i) };
  }
  return 0;
}

void hm_view_scan(hm_view *v) {
  size_t failed;
  v->seen = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->seen);
  hm_par_for((v->snap->n_rows + CHUNK - 1) / CHUNK, hm_par_cores(), scan_chunk, v, &failed);
}
