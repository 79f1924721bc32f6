/* The part of mirror.yml that says where the facts of a foreign store are. */
#include <string.h>
#include "gen/mirror/config_impl.h"

/* "content = body": our column, theirs. */
static int read_column(const hm_reading *r, unsigned layer, unsigned i, const char *text,
                       hm_store_column *out) {
  hm_str s = hm_str_dup(r->a, hm_str_c(text));
  ptrdiff_t at = hm_str_find(s, "=");
  if (at > 0) {
    out->ours = hm_str_trim(hm_str_sub(s, 0, (size_t)at));
    out->theirs = hm_str_trim(hm_str_sub(s, (size_t)at + 1, s.n));
    if (out->ours.n && out->theirs.n) return 0;
  }
  return hm_config_bad(r, hm_str_fmt(r->a, "store.map[%u].columns[%u]", layer, i).p,
                       "not a pair of columns", "write OURS = THEIRS, as in content = body");
}

static int read_layer(const hm_reading *r, unsigned i, const hm_raw_map *in, hm_store_map *out) {
  hm_store_column *columns = hm_alloc_array(r->a, in->columns.n, sizeof *columns);
  for (unsigned k = 0; k < in->columns.n; k++)
    if (read_column(r, i, k, in->columns.v[k], &columns[k])) return -1;
  *out = (hm_store_map){ .layer = hm_str_dup(r->a, hm_str_c(in->layer)),
                         .columns = columns,
                         .n_columns = in->columns.n,
                         .table = hm_str_dup(r->a, hm_str_c(in->table)),
                         .select = hm_str_dup(r->a, hm_str_trim(hm_str_c(in->select))) };
  return 0;
}

int hm_config_map(const hm_reading *r) {
  const hm_raw_config *raw = r->raw;
  hm_config *c = r->out;
  c->map = hm_alloc_array(r->a, raw->n_map, sizeof *c->map);
  c->n_map = raw->n_map;
  for (unsigned i = 0; i < raw->n_map; i++)
    if (read_layer(r, i, &raw->map[i], &c->map[i])) return -1;
  return 0;
}
