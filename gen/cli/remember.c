#include "gen/cli/remember.h"
#include <stdlib.h>
#include <string.h>
#include "core/base/digest.h"
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
static void look_of(const hm_cli *cli, const hm_made *m, const hm_target *p, unsigned char out[32]) {
  const hm_config *c = &cli->config;
  hm_sha256 h;
  const hm_str parts[] = { hm_str_c(hm_build_id), hm_markdown_version(), hm_templates_digest(m->look.templates), c->title, c->base_url,
                           c->markdown ? HM_STR("md") : HM_EMPTY, c->html ? HM_STR("html") : HM_EMPTY };
  hm_sha256_init(&h);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) hm_sha256_field(&h, parts[i]);
  for (size_t i = 0; i < p->n_same; i++) hm_sha256_field(&h, hm_str_c(p->same[i]));
  hm_sha256_end(&h, out);
}

/* A store that belongs to others gets nothing beside it: its review file does. */
static const char *cache_path(hm_cli *cli, const hm_made *m) {
  return hm_str_fmt(cli->a, "%s.cache", m->foreign ? cli->config.review : cli->store).p;
}

void hm_recall(hm_cli *cli, const hm_made *m, const hm_target *p, bool full, hm_cache *c) {
  unsigned char look[32];
  hm_str place = place_of(cli, p);
  look_of(cli, m, p, look);
  hm_cache_load(cli, cache_path(cli, m), place, look, c);
  if (full || !place.n) c->found = false;
}

void hm_remember(hm_cli *cli, const hm_made *m, const hm_target *p, hm_str note, const hm_cache *c) {
  hm_cache_entry e = { .place = place_of(cli, p), .note = note, .known = m->site->known };
  look_of(cli, m, p, e.look);
  if (e.place.n) hm_cache_save(cli, c, &e);
}
