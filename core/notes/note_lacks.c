/* What is said of a file that is not there, as rows: the document names it, the tree lacks it. */
#include "core/base/digest.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/foreign/record_maker.h"
#include "core/notes/notes_impl.h"

static hm_str slot_of(const note_path *p, hm_arena *a) {
  return HM_CAT(a, HM_STR("file "), p->path);
}

static int by_part(const void *item, const void *key) {
  uint32_t part = ((const note_path *)item)->part, wanted = *(const uint32_t *)key;
  return part < wanted ? -1 : part > wanted;
}

void note_paths_claim(note_claims *out, const note_paths *paths, uint32_t part) {
  size_t at = hm_lower_bound(paths->v, paths->n, sizeof *paths->v, &part, by_part);
  for (; at < paths->n && paths->v[at].part == part; at++)
    note_claims_add(out, slot_of(&paths->v[at], out->a), HM_STR("named"), NOTE_SAID);
}

/* Its source is the file that may be meant, or the folder. What is near may change, and is no part
 * of the value. */
const hm_json *note_paths_state(const note_path *p, hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "project_state");
  hm_str key = slot_of(p, a), name = hm_str_behind_last(p->path, '/');
  size_t n;
  const hm_str *same = hm_tree_files_named(p->in, name, &n);
  hm_str source = n == 1 ? same[0] : hm_tree_files_nearest(p->in, p->path, a);
  for (hm_str at = p->path; !source.n && (at = hm_tree_folder(at)).n;)
    source = hm_tree_files_ask(p->in, at) == HM_TREE_HAS ? at : HM_EMPTY; /* that is there */
  hm_record_add_text(&m, "id", HM_CAT(a, HM_STR("s-"), hm_str_digest_hex(a, key, 16)), 1);
  hm_record_add_text(&m, "key", key, 1);
  hm_record_add_text(&m, "value", HM_CAT(a, p->path, HM_STR(" is not there")), 1);
  hm_record_add_text(&m, "source", source.n ? source : HM_STR("."), 1);
  return m.record;
}
