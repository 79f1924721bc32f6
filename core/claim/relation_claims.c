/* Relations to claims: what a relation says of the end that it speaks of, and what lies in what.
 *
 * relation.c has the kinds and reads the ends; here are the row's window and its place in the
 * chunk. A relation that claims nothing has no bad window. Cost: O(1) a relation. */
#include "core/claim/claim_impl.h"

static const hm_relation_kind *kind_of_relation(reader *r) {
  hm_str type = r->row->type;
  if (type.p != r->type.p || type.n != r->type.n) {
    r->type = type;
    r->kind = hm_relation_kind_find(hm_relation_kinds_of(r->rules), type);
  }
  return r->kind;
}

void hm_row_read_relation(reader *r) {
  const hm_relation_kind *k = kind_of_relation(r);
  hm_relation_claim said[HM_RELATION_CLAIMS];
  hm_inclusion in;
  size_t n = k ? hm_relation_read(said, r->snap, r->row, k, r->a, r->scratch) : 0;
  bool nests = k && hm_relation_inclusion(&in, r->snap, r->row, k);
  if ((!n && !nests) || !hm_row_read_window(r)) return;
  if (nests) {
    in.when = r->proto.when;
    hm_inclusions_add(&r->out->inclusions, in);
    r->proto.lies = r->lies;
  }
  for (size_t i = 0; i < n; i++) {
    if (k->window) {
      said[i].value = hm_relation_window_value(r->proto.when, r->a);
      said[i].field = HM_STR("valid_from");
    }
    r->proto.project = said[i].project;
    r->proto.space = said[i].space;
    hm_row_says(r, said[i].name, said[i].field, HM_EMPTY, &said[i].value);
  }
}
