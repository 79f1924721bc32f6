/* The entities of a knowledge graph with their types: which part of the file says which.
 *
 * Lines of one entity may differ in its type. No line is right because it came first: the types go
 * by their folded names, and what the second says is another source, so the two are in conflict.
 * Cost: a sort of the entities. */
#include <stdlib.h>

#include "core/base/text.h"
#include "core/foreign/record_maker.h"
#include "core/store/import_impl.h"

void hm_graph_types_add(hm_graph_types *t, hm_str name, hm_str type, int64_t number) {
  if (!t->a)
    t->a = hm_arena_new();
  t->v = hm_array_grow(t->v, t->n, &t->cap, sizeof *t->v);
  t->v[t->n] = (hm_graph_type){ .name = hm_str_dup(t->a, name),
                                .type = hm_str_dup(t->a, type),
                                .folded = hm_text_fold_name(t->a, type),
                                .number = number,
                                .order = t->n };
  t->n++;
}

void hm_graph_types_free(hm_graph_types *t) {
  free(t->v);
  if (t->a)
    hm_arena_free(t->a);
}

static int by_type(const void *pa, const void *pb) {
  const hm_graph_type *a = pa, *b = pb;
  int c = hm_str_cmp(a->name, b->name);
  c = c ? c : hm_str_cmp(a->folded, b->folded);
  c = c ? c : hm_str_cmp(a->type, b->type);
  return c ? c : (a->order > b->order) - (a->order < b->order);
}

static int by_order(const void *pa, const void *pb) {
  const hm_graph_type *a = pa, *b = pb;
  int c = (a->order > b->order) - (a->order < b->order);
  return c ? c : (a->part > b->part) - (a->part < b->part);
}

/* Two types that fold alike are one. Of too many, the last part has two, which is an error. */
void hm_graph_types_sort(hm_graph_types *t) {
  size_t n = 0;
  if (t->n)
    qsort(t->v, t->n, sizeof *t->v, by_type);
  for (size_t i = 0; i < t->n;) {
    size_t begin = n, end = i, first = t->v[i].order;
    for (; end < t->n && hm_str_eq(t->v[end].name, t->v[i].name); end++)
      first = t->v[end].order < first ? t->v[end].order : first;
    for (; i < end; i++) {
      bool again = n > begin && hm_str_eq(t->v[n - 1].folded, t->v[i].folded);
      if (again)
        continue;
      t->v[n] = t->v[i];
      t->v[n].part = n - begin < HM_GRAPH_PARTS_MAX ? n - begin : HM_GRAPH_PARTS_MAX - 1;
      t->v[n++].order = first;
    }
  }
  t->n = n;
  if (t->n)
    qsort(t->v, t->n, sizeof *t->v, by_order);
}

const hm_json *hm_graph_entity(const hm_graph_type *t, hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "entity");
  hm_record_add_text(&m, "id", t->name, 1);
  hm_record_add_text(&m, "entity_type", t->type, 1);
  hm_record_add_text(&m, "name", t->name, 1);
  return m.record;
}

hm_str hm_graph_part_name(hm_str source, size_t part, hm_arena *a) {
  return part && source.n ? hm_str_fmt(a, "%.*s#%zu", HM_FMT(source), part + 1) : source;
}

int hm_graph_end_parts(hm_import_run *im, const hm_graph_types *t) {
  const hm_import_options *opt = im->opt;
  hm_arena *a = hm_arena_new();
  hm_actor who = opt->who;
  int rc = 0;
  for (size_t part = 1; part < HM_GRAPH_PARTS_MAX && !rc; part++) {
    hm_map named;
    int64_t gone, ended;
    hm_map_init(&named, a, 16);
    for (size_t i = 0; i < t->n; i++)
      if (t->v[i].part == part)
        hm_map_add(&named, HM_CAT(a, HM_STR("entity:"), t->v[i].name), 0);
    hm_str source = hm_graph_part_name(opt->source, part, a);
    who.why = HM_CAT(a, HM_STR("no longer in "), source);
    const hm_said_end end = { .source = source,
                              .said = &named,
                              .what = HM_GONE_ENDS,
                              .edited = opt->edited,
                              .edited_ctx = opt->edited_ctx,
                              .who = &who };
    rc = hm_evidence_end_source(im->s, &end, &gone, &ended, im->place.err);
    if (!named.n && !gone)
      break;
  }
  hm_arena_free(a);
  return rc;
}
