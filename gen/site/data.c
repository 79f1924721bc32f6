/* See data.h. Cost: the hashes of all rows, and the files that differ. */
#include "gen/site/data.h"

#include <string.h>

#include "gen/site/site_impl.h"

static bool is_compared(hm_str path, bool rows) {
  return hm_str_is(path, "conflicts.json") || (rows && hm_str_ends(path, ".jsonl"));
}

static int each_file(hm_build *b, const hm_raw_file *r, hm_hand *h, hm_site_data_fn *each,
                     void *ctx, hm_err *err) {
  hm_hash128 ignored;
  hm_file held;
  if (hm_reuse_raw(b, r, h, &ignored, &held)) return each(ctx, r->path, (hm_str){ NULL, 0 }, err);
  hm_buf_clear(&h->html);
  for (uint32_t i = 0; i < r->pieces; i++)
    if (r->bytes(b->v, r, i, h->scratch, &h->html, err) != 0) return -1;
  if (h->html.failed) return hm_fail(err, HM_E_INTERNAL, NULL, "too long", NULL);
  return each(ctx, r->path, h->html.n ? hm_buf_view(&h->html) : HM_EMPTY, err);
}

int hm_site_data(const hm_view *v, const hm_site_options *opt, bool rows, hm_site_data_fn *each,
                 void *ctx, hm_err *err) {
  hm_arena *a = hm_arena_new();
  hm_hand h = { .keep = a, .scratch = hm_arena_new() };
  hm_build b;
  hm_pages pages;
  int rc = 0;
  hm_build_begin(&b, v, NULL, opt, a);
  if (!b.inputs && opt->known && opt->inputs)
    b.inputs = hm_page_inputs_new(v, b.seed, opt->threads, a);
  hm_data_raws_of(v, a, &pages);
  for (size_t i = 0; rc == 0 && i < pages.n_raws; i++) {
    if (is_compared(pages.raws[i].path, rows))
      rc = each_file(&b, &pages.raws[i], &h, each, ctx, err);
    hm_arena_reset(h.scratch);
  }
  hm_hand_free(&h);
  hm_arena_free(a);
  return rc;
}
