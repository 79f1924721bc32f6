#include "gen/check/check.h"

#include "gen/check/check_impl.h"
#include "gen/check/leaks.h"
#include "gen/check/links.h"

int hm_check_run(const hm_check_input *in, hm_arena *a, hm_report **out, hm_err *err) {
  hm_report *r = hm_alloc(a, sizeof *r);
  hm_report_list l = { .a = a };
  *r = (hm_report){ .compared = in->compare, .baseline = in->baseline };
  hm_spots *spots = hm_spots_new(in->site, in->view, in->threads, a);
  if (hm_check_conflicts_open(in, spots, r, &l, err) != 0) return -1;
  hm_check_findings(in, spots, r, &l);
  hm_links_input links = { .site = in->site,
                           .base_url = hm_view_options_of(in->view)->base_url,
                           .keep = in->keep,
                           .n_keep = in->n_keep,
                           .threads = in->threads };
  if (hm_check_links(&links, r, &l, err) != 0) return -1;
  hm_check_leaks(in, r, &l);
  hm_report_end(r, &l);
  *out = r;
  return 0;
}
