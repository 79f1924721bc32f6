#include "gen/cli/remember.h"
#include <stdlib.h>
#include <string.h>
#include "core/base/digest.h"
#include "gen/check/recorded.h"
#include "gen/cli/build_id.h"
#include "gen/render/markdown.h"

/* With every link resolved; empty while there is nothing. */
static hm_str place_of(hm_cli *cli, const hm_target *p) {
  char *real = realpath(p->path, NULL);
  hm_str name = real ? hm_str_fmt(cli->a, "%s %s %s", p->sort, p->branch, real) : HM_EMPTY;
  free(real);
  return name;
}

/* All that the bytes of a page come from, but for its model. */
static void digest_look(const hm_cli *cli, const hm_made *m, const hm_target *p,
                        unsigned char out[32]) {
  const hm_config *c = &cli->config;
  hm_sha256 h;
  const hm_str parts[] = { hm_str_c(hm_build_id),
                           hm_markdown_version(cli->a),
                           hm_templates_digest(m->look.templates),
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
static void digest_inputs(hm_cli *cli, const hm_made *m, const unsigned char look[32],
                          unsigned char out[32]) {
  const hm_config *c = &cli->config;
  const hm_exclude *x = &c->exclude;
  const size_t limits[] = { c->list_limit, c->value_limit };
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, (hm_str){ (const char *)look, 32 });
  add_files(&h, m->look.assets, m->look.n_assets);
  add_files(&h, m->look.statics, m->look.n_statics);
  hm_sha256_field(&h, hm_rules_digest(&c->rules, cli->a));
  hm_sha256_field(&h, (hm_str){ (const char *)limits, sizeof limits });
  add_names(&h, x->projects, x->n_projects);
  add_names(&h, x->types, x->n_types);
  add_names(&h, x->statuses, x->n_statuses);
  add_names(&h, x->tags, x->n_tags);
  add_names(&h, x->properties, x->n_properties);
  hm_sha256_end(&h, out);
}

/* A store that belongs to others gets nothing beside it: its review file does. */
static const char *cache_path(hm_cli *cli, const hm_made *m) {
  return hm_str_fmt(cli->a, "%s.cache", m->foreign ? cli->config.review : cli->store).p;
}

void hm_recall(hm_cli *cli, const hm_made *m, hm_target to, bool full, hm_memory *out) {
  hm_str place = place_of(cli, &to);
  out->to = to;
  digest_look(cli, m, &to, out->look);
  digest_inputs(cli, m, out->look, out->inputs);
  hm_cache_load(cli, cache_path(cli, m), place, out->look, &out->cache);
  if (full || !place.n) out->cache.found = false;
}

/* Of a sweep that was not recorded the store does not say what the pages say: what was read tells
 * of it. */
static hm_sweep_known swept(const hm_made *m) {
  const hm_sweep *w = &m->sweep;
  return (hm_sweep_known){ .digest = m->recorded ? w->snap->digest : w->read,
                           .now = w->snap->now,
                           .rows = (int64_t)w->snap->n_rows,
                           .claims = (int64_t)w->claims->n,
                           .slots = (int64_t)w->disputes->slots,
                           .findings = (int64_t)w->n_findings };
}

static void put_conflicts(const hm_made *m, hm_buf *b) {
  size_t n;
  const hm_conflict_rec **recs = hm_view_conflicts(m->view, &n);
  for (size_t i = 0; i < n; i++)
    hm_recorded_put(
        b, recs[i]->id,
        hm_recorded_as(recs[i]->status, hm_plan_dispute(m->sweep.plan, recs[i]) != NULL));
}

void hm_remember(hm_cli *cli, const hm_made *m, const hm_memory *memory, hm_str note) {
  hm_cache_entry e = { .place = place_of(cli, &memory->to),
                       .digest = m->digest,
                       .sweep = swept(m),
                       .counts = m->counts,
                       .recorded = m->recorded || m->sweep.nothing_new,
                       .note = note,
                       .known = m->site->known };
  memcpy(e.look, memory->look, sizeof e.look);
  memcpy(e.inputs, memory->inputs, sizeof e.inputs);
  hm_buf conflicts = { 0 };
  put_conflicts(m, &conflicts);
  e.recorded_as = hm_buf_view(&conflicts);
  if (e.place.n && !conflicts.failed) hm_cache_save(cli, &memory->cache, &e);
  hm_buf_free(&conflicts);
}
