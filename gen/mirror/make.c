/* Makes a site from the store; each stage is one call. */
#include "gen/mirror/make.h"
#include <stdlib.h>
#include <string.h>

/* A site is made also when the sweep cannot be recorded; then the store is only read. */
static int open_store(hm_mirror *m, bool record, hm_made *made, hm_err *err) {
  hm_err ignored;
  bool writable = record && hm_mirror_open(m, HM_STORE_WRITE, &made->store, err) == 0;
  if (!writable && hm_mirror_open(m, HM_STORE_READ, &made->store, record ? &ignored : err) != 0)
    return -1;
  made->foreign = hm_store_is_foreign(made->store);
  const char *path = made->foreign ? m->config.review : m->store;
  made->recorded = record && hm_store_may_write(path);
  if (record && !made->recorded)
    hm_warn(&m->say,
            "%s: it, or its folder, cannot be written: new disputes are shown, not recorded", path);
  return made->recorded && !writable ? -1 : 0;
}

int hm_make_prepare(hm_mirror *m, bool record, hm_made *made, hm_err *err) {
  *made = (hm_made){ 0 };
  if (hm_check_path_overlap(m, "the store", m->store, err) ||
      hm_appearance_load(m, &made->look, err))
    return -1;
  hm_warn_unused_templates(m, &made->look);
  return open_store(m, record, made, err);
}

static hm_site_options site_options(const hm_mirror *m, const hm_made *made,
                                    const hm_make_sink *sink) {
  const hm_appearance *look = &made->look;
  return (hm_site_options){ .threads = m->threads,
                            .markdown = m->config.markdown,
                            .html = m->config.html,
                            .assets = look->assets,
                            .n_assets = look->n_assets,
                            .statics = look->statics,
                            .n_statics = look->n_statics,
                            .house = look->house,
                            .take = sink->take,
                            .take_ctx = sink->ctx,
                            .known = sink->known ? &sink->known->known : NULL,
                            .present = sink->present,
                            .progress = m->say.count,
                            .ctx = m->say.ctx };
}

/* After an unrecorded sweep the store lacks what the pages show: the result is that of the rows
 * read. */
static hm_sweep_last_result result_of(const hm_made *made) {
  const hm_sweep *w = &made->sweep;
  return (hm_sweep_last_result){ .digest = made->recorded ? w->snap->digest : w->read,
                                 .now = w->snap->now,
                                 .rows = (int64_t)w->snap->n_rows,
                                 .claims = (int64_t)w->claims->n,
                                 .slots = (int64_t)w->disputes->slots,
                                 .findings = (int64_t)w->n_findings };
}

static int render(hm_mirror *m, hm_made *made, const hm_make_sink *sink, hm_err *err) {
  const hm_site_options opt = site_options(m, made, sink);
  hm_say_phase(&m->say, "rendering pages");
  if (hm_site_build(made->view, made->look.templates, &opt, &made->site, err))
    return -1;
  const hm_view_counts *c = hm_view_get_counts(made->view);
  made->counts = (hm_made_counts){ .pages = (int64_t)made->site->pages,
                                   .files = (int64_t)made->site->n,
                                   .disputed = c->disputed,
                                   .open_conflicts = c->open_conflicts,
                                   .findings = c->findings,
                                   .compared = c->compared };
  made->digest = made->site->digest;
  made->found = result_of(made);
  m->work.pages_rendered += made->site->rendered;
  return 0;
}

static int add_changes_since_tip(hm_mirror *m, hm_made *made, const hm_make_sink *sink,
                                 hm_err *err) {
  if (!sink->tip)
    return 0;
  hm_say_phase(&m->say, "comparing with the last publication");
  if (hm_collect_changes_since_tip(m, made->store, &made->sweep, made->view, sink->tip,
                                   &made->changes, err))
    return -1;
  hm_view_set_changes(made->view, &made->changes.all);
  return 0;
}

static int sweep_and_render(hm_mirror *m, hm_made *made, const hm_make_sink *sink,
                            const hm_sweep_last_result *known, hm_err *err) {
  const hm_sweep_options opt = {
    .record = made->recorded, .details = true, .digest = true, .known = known
  };
  if (hm_mirror_sweep_store(m, made->store, &opt, &made->sweep, err))
    return -1;
  made->swept = true;
  made->same = made->sweep.same;
  if (made->same) {
    hm_warn_unused_excludes(m, made->sweep.snap, false);
    made->counts = sink->known->counts;
    made->digest = sink->known->digest;
    return 0;
  }
  return hm_mirror_build_view(m, &made->sweep, &made->view, err) ||
          add_changes_since_tip(m, made, sink, err) || render(m, made, sink, err)
      ? -1
      : 0;
}

/* A sweep that left something to record is repeated by a run that records. */
int hm_make_site(hm_mirror *m, hm_made *made, const hm_make_sink *sink, hm_err *err) {
  const hm_cache_entry *k = sink->known;
  bool may_be_same = k && sink->present && sink->present->all && (k->recorded || !made->recorded);
  return sweep_and_render(m, made, sink, may_be_same ? &k->sweep : NULL, err);
}

int hm_make_preview(hm_mirror *m, hm_made *made, hm_err *err) {
  *made = (hm_made){ 0 };
  m->config.html = true;
  if (hm_check_path_overlap(m, "the store", m->store, err) ||
      hm_appearance_load(m, &made->look, err))
    return -1;
  if (hm_mirror_sweep(m, &(hm_sweep_options){ .details = true, .digest = true }, &made->sweep, err))
    return -1;
  made->swept = true;
  hm_site_inputs_digest(m, &made->look, made->inputs);
  const hm_site_options opt = site_options(m, made, &(hm_make_sink){ 0 });
  return hm_mirror_build_view(m, &made->sweep, &made->view, err) ||
          hm_site_draft_new(made->view, made->look.templates, &opt, &made->draft, err)
      ? -1
      : 0;
}

int hm_make_preview_site(hm_mirror *m, hm_made *made, const hm_made *before,
                         bool (*proceed)(void *), void *proceed_ctx, hm_err *err) {
  const hm_sink_files all = { .all = true };
  hm_site_options opt = site_options(m, made, &(hm_make_sink){ 0 });
  hm_last_site known;
  if (before && memcmp(before->inputs, made->inputs, sizeof made->inputs) == 0) {
    known = (hm_last_site){ before->site->files, before->site->n };
    opt.known = &known;
    opt.present = &all;
  }
  opt.proceed = proceed;
  opt.proceed_ctx = proceed_ctx;
  return hm_site_build(made->view, made->look.templates, &opt, &made->site, err);
}

void hm_made_save_to_cache(const hm_mirror *m, const hm_made *made, const hm_cache *cache,
                           hm_str note) {
  hm_cache_entry e = { .digest = made->digest,
                       .sweep = made->found,
                       .counts = made->counts,
                       .recorded = made->recorded || made->sweep.nothing_new,
                       .note = note,
                       .known = { made->site->files, made->site->n } };
  hm_cache_save(m, cache, &e);
}

void hm_made_free_claims(hm_made *made) {
  hm_claims_free(made->sweep.claims);
  made->sweep.claims = NULL;
}

void hm_made_free(hm_made *made) {
  if (made->site)
    hm_site_free(made->site);
  hm_site_draft_free(made->draft);
  hm_events_free(&made->changes.events);
  if (made->swept)
    hm_sweep_free(&made->sweep);
  hm_store_close(made->store);
  if (made->look.templates)
    hm_templates_free(made->look.templates);
  *made = (hm_made){ 0 };
}
