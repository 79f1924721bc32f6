#include "gen/mirror/reuse.h"
#include <stdlib.h>
#include <string.h>
#include "core/base/digest.h"
#include "gen/check/recorded.h"
#include "gen/mirror/build_id.h"
#include "gen/render/markdown.h"

/* With every link resolved; empty while there is nothing. */
static hm_str place_of(const hm_mirror *m, const hm_target *p) {
  char *real = realpath(p->path, NULL);
  hm_str name = real ? hm_str_fmt(m->a, "%s %s %s", p->sort, p->branch, real) : HM_EMPTY;
  free(real);
  return name;
}

/* All that the bytes of a page come from, but for its model. */
static void digest_look(const hm_mirror *m, const hm_made *made, const hm_target *p,
                        unsigned char out[32]) {
  const hm_config *c = &m->config;
  hm_sha256 h;
  const hm_str parts[] = { hm_str_c(hm_build_id),
                           hm_markdown_version(m->a),
                           hm_templates_digest(made->look.templates),
                           c->title,
                           c->base_url,
                           c->markdown ? HM_STR("md") : HM_EMPTY,
                           c->html ? HM_STR("html") : HM_EMPTY };
  hm_sha256_init(&h);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) hm_sha256_field(&h, parts[i]);
  for (size_t i = 0; i < p->n_same; i++) hm_sha256_field(&h, hm_str_c(p->same[i]));
  hm_sha256_end(&h, out);
}

static void add_files(hm_sha256 *h, const hm_template_file *f, size_t n) {
  hm_sha256_field(h, (hm_str){ (const char *)&n, sizeof n });
  for (size_t i = 0; i < n; i++) {
    hm_sha256_field(h, f[i].name);
    hm_sha256_field(h, f[i].bytes);
  }
}

static void add_names(hm_sha256 *h, const hm_str *names, size_t n) {
  hm_sha256_field(h, (hm_str){ (const char *)&n, sizeof n });
  for (size_t i = 0; i < n; i++) hm_sha256_field(h, names[i]);
}

/* The look, and all else that the site comes from, but for the store. */
static void digest_inputs(const hm_mirror *m, const hm_made *made, const unsigned char look[32],
                          unsigned char out[32]) {
  const hm_config *c = &m->config;
  const hm_exclude *x = &c->exclude;
  const size_t limits[] = { c->list_limit, c->value_limit };
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, (hm_str){ (const char *)look, 32 });
  add_files(&h, made->look.assets, made->look.n_assets);
  add_files(&h, made->look.statics, made->look.n_statics);
  hm_sha256_field(&h, hm_rules_digest(&c->rules, m->a));
  hm_sha256_field(&h, (hm_str){ (const char *)limits, sizeof limits });
  add_names(&h, x->projects, x->n_projects);
  add_names(&h, x->types, x->n_types);
  add_names(&h, x->statuses, x->n_statuses);
  add_names(&h, x->tags, x->n_tags);
  add_names(&h, x->properties, x->n_properties);
  hm_sha256_end(&h, out);
}

/* A store that belongs to others gets nothing beside it: its review file does. */
static const char *cache_path(const hm_mirror *m, const hm_made *made) {
  return hm_str_fmt(m->a, "%s.cache", made->foreign ? m->config.review : m->store).p;
}

void hm_recall(const hm_mirror *m, const hm_made *made, hm_target to, bool full, hm_memory *out) {
  hm_str place = place_of(m, &to);
  out->to = to;
  digest_look(m, made, &to, out->look);
  digest_inputs(m, made, out->look, out->inputs);
  hm_cache_load(m, cache_path(m, made), place, out->look, &out->cache);
  if (full || !place.n) out->cache.found = false;
}

/* Of a sweep that was not recorded the store does not say what the pages say: what was read tells
 * of it. */
static hm_sweep_known swept(const hm_made *made) {
  const hm_sweep *w = &made->sweep;
  return (hm_sweep_known){ .digest = made->recorded ? w->snap->digest : w->read,
                           .now = w->snap->now,
                           .rows = (int64_t)w->snap->n_rows,
                           .claims = (int64_t)w->claims->n,
                           .slots = (int64_t)w->disputes->slots,
                           .findings = (int64_t)w->n_findings };
}

static void put_conflicts(const hm_made *made, hm_buf *b) {
  size_t n;
  const hm_conflict_rec **recs = hm_view_conflicts(made->view, &n);
  for (size_t i = 0; i < n; i++)
    hm_recorded_put(
        b, recs[i]->id,
        hm_recorded_as(recs[i]->status, hm_plan_dispute(made->sweep.plan, recs[i]) != NULL));
}

void hm_remember(const hm_mirror *m, const hm_made *made, const hm_memory *memory, hm_str note) {
  hm_cache_entry e = { .place = place_of(m, &memory->to),
                       .digest = made->digest,
                       .sweep = swept(made),
                       .counts = made->counts,
                       .recorded = made->recorded || made->sweep.nothing_new,
                       .note = note,
                       .known = made->site->known };
  memcpy(e.look, memory->look, sizeof e.look);
  memcpy(e.inputs, memory->inputs, sizeof e.inputs);
  hm_buf conflicts = { 0 };
  put_conflicts(made, &conflicts);
  e.recorded_as = hm_buf_view(&conflicts);
  if (e.place.n && !conflicts.failed) hm_cache_save(m, &memory->cache, &e);
  hm_buf_free(&conflicts);
}
