/* The table links; see links.h. Links are added and removed, never changed. */
#include "core/store/links.h"

#include "core/base/text.h"
#include "core/store/change_log.h"
#include "core/store/journal.h"
#include "core/store/records_impl.h"
#include "core/store/sql_impl.h"

enum { FROM, TO, REMOVE };
static const char *const SQL[] = {
  [FROM] = "SELECT src, dst, rel FROM links WHERE src = ?1 ORDER BY rel, dst",
  [TO] = "SELECT src, dst, rel FROM links WHERE dst = ?1 ORDER BY rel, src",
  [REMOVE] = "DELETE FROM main.links WHERE src = ?1 AND dst = ?2 AND rel = ?3",
};
#define SUPERSEDED(table)                                                                          \
  "CREATE INDEX IF NOT EXISTS main." table "_superseded ON " table " (superseded_by)"              \
  " WHERE superseded_by <> '';"
static const char INDEX[] =
    "CREATE INDEX IF NOT EXISTS main.links_dst ON links (dst, rel, src);" SUPERSEDED("memories")
        SUPERSEDED("entities") SUPERSEDED("project_state") SUPERSEDED("relations");
#define BY(table) "SELECT id FROM " table " WHERE superseded_by = ?1 AND superseded_by <> ''"
static const char *const SUPERSEDED_BY[] = {
  [HM_MEMORY] = BY("memories"),
  [HM_ENTITY] = BY("entities"),
  [HM_STATE] = BY("project_state"),
  [HM_RELATION] = BY("relations"),
};

/* --- words -------------------------------------------------------------------------- */

/* Sorted by rel. `contradicts` and `related` read alike from both ends. */
static const hm_rel_word WORDS[] = {
  { "contradicts", "" },
  { "derived_from", "source_of" },
  { "example_of", "has_example" },
  { "refines", "refined_by" },
  { "related", "" },
  { "supersedes", "superseded_by" },
};

hm_str hm_rel_inverse(hm_str rel) {
  for (size_t i = 0; i < HM_COUNT(WORDS); i++)
    if (hm_str_is(rel, WORDS[i].rel))
      return hm_str_c(WORDS[i].inverse);
  return HM_EMPTY;
}

hm_str hm_rel_find_by_inverse(hm_str word) {
  for (size_t i = 0; i < HM_COUNT(WORDS); i++)
    if (word.n && hm_str_is(word, WORDS[i].inverse))
      return hm_str_c(WORDS[i].rel);
  return HM_EMPTY;
}

bool hm_rel_is_known(hm_str rel) {
  for (size_t i = 0; i < HM_COUNT(WORDS); i++)
    if (hm_str_is(rel, WORDS[i].rel))
      return true;
  return false;
}

const hm_rel_word *hm_rel_words(size_t *n) {
  *n = HM_COUNT(WORDS);
  return WORDS;
}

/* --- ends --------------------------------------------------------------------------- */

/* A bare id that itself begins with a kind means a row of that kind. */
size_t hm_link_ends(hm_str ref, hm_str ends[2]) {
  static const char memory[] = "memory:";
  hm_layer layer;
  hm_str id;
  ends[0] = ref;
  if (!hm_str_starts(ref, memory))
    return 1;
  ends[1] = hm_str_sub(ref, sizeof memory - 1, ref.n);
  return hm_ref_parse(ends[1], &layer, &id) ? 1 : 2;
}

bool hm_link_end_is(hm_str end, hm_str ref) {
  hm_str ends[2];
  size_t n = hm_link_ends(ref, ends);
  return hm_str_eq(end, ends[0]) || (n == 2 && hm_str_eq(end, ends[1]));
}

int hm_links_make_indexes(hm_store *s, hm_err *err) { return hm_sql_exec(s, INDEX, err); }

int hm_store_links_at(hm_store *s, hm_str end, bool out, hm_arena *a, hm_link **links, size_t *n,
                      hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *links = NULL;
  *n = 0;
  if (hm_sql_query(s, SQL[out ? FROM : TO], HM_ARGS(hm_arg_text(end)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *links = hm_array_grow_in(a, *links, *n, &cap, sizeof **links);
    (*links)[(*n)++] =
        (hm_link){ hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a), hm_sql_copy(st, 2, a) };
  }
  return rc;
}

int hm_store_rows_superseded_by(hm_store *s, hm_layer layer, hm_str text, hm_arena *a,
                                hm_str **refs, size_t *n, hm_err *err) {
  size_t cap = 0;
  *refs = NULL;
  *n = 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++) {
    hm_stmt *st;
    int rc;
    if (layer && l != (int)layer)
      continue;
    if (hm_sql_query(s, SUPERSEDED_BY[l], HM_ARGS(hm_arg_text(text)), &st, err))
      return -1;
    while ((rc = hm_sql_step(s, st, err)) == 1) {
      *refs = hm_array_grow_in(a, *refs, *n, &cap, sizeof **refs);
      (*refs)[(*n)++] = hm_ref_text(a, (hm_layer)l, hm_sql_text(st, 0, a));
    }
    if (rc)
      return -1;
  }
  return 0;
}

static void cells_of(const hm_link *link, hm_cell cells[3]) {
  cells[0] = (hm_cell){ HM_CELL_TEXT, link->src };
  cells[1] = (hm_cell){ HM_CELL_TEXT, link->dst };
  cells[2] = (hm_cell){ HM_CELL_TEXT, link->rel };
}

static hm_str ref_of(const hm_link *link, hm_arena *a) {
  return HM_CAT(a, HM_STR("link:"), link->src, HM_STR(" "), link->dst, HM_STR(" "), link->rel);
}

static int is_there(hm_store *s, const hm_link *link, bool *there, hm_arena *a, hm_err *err) {
  hm_cell cells[HM_MAX_FIELDS + 1];
  cells_of(link, cells);
  return hm_record_load(s, HM_K_LINK, cells, there, a, err);
}

int hm_store_add_link(hm_store *s, const hm_link *link, bool either, const hm_actor *who,
                      bool *added, hm_arena *a, hm_err *err) {
  const hm_link reverse = { link->dst, link->src, link->rel };
  hm_cell cells[HM_MAX_FIELDS + 1];
  bool there, reversed = false;
  *added = false;
  if (is_there(s, link, &there, a, err) || (either && is_there(s, &reverse, &reversed, a, err)))
    return -1;
  if (there || reversed)
    return 0;
  cells_of(link, cells);
  if (hm_record_save(s, HM_K_LINK, cells, true, a, err))
    return -1;
  *added = true;
  return hm_journal_add(s, who, "link", ref_of(link, a), HM_EMPTY,
                        hm_record_json(&hm_kinds[HM_K_LINK], cells, a), err);
}

int hm_store_remove_link(hm_store *s, const hm_link *link, const hm_actor *who, bool *removed,
                         hm_arena *a, hm_err *err) {
  enum { SHOWN = 200 };
  hm_cell cells[HM_MAX_FIELDS + 1];
  bool there, left = false;
  *removed = false;
  if (is_there(s, link, &there, a, err) || !there)
    return there ? -1 : 0;
  if (hm_sql_do(s, SQL[REMOVE],
                HM_ARGS(hm_arg_text(link->src), hm_arg_text(link->dst), hm_arg_text(link->rel)),
                err) ||
      is_there(s, link, &left, a, err))
    return -1;
  if (left)
    return hm_fail(err, HM_E_STATE,
                   hm_str_fmt(a, "%.*s", HM_FMT(hm_text_cut(ref_of(link, a), SHOWN))).p,
                   "it belongs to another program and is only read", "remove it there");
  cells_of(link, cells);
  *removed = true;
  if (hm_log_add(s, HM_LOG_LINK_END, link->src, err) ||
      hm_log_add(s, HM_LOG_LINK_END, link->dst, err))
    return -1;
  return hm_journal_add(s, who, "unlink", ref_of(link, a),
                        hm_record_json(&hm_kinds[HM_K_LINK], cells, a), HM_EMPTY, err);
}

/* Two links may have one reference, where ids hold spaces. */
typedef struct {
  hm_str record, by;
  bool removed, drawn;
} history;

static int see_line(void *ctx, const hm_journal_line *l, hm_err *err) {
  history *h = ctx;
  (void)err;
  if (hm_str_eq(l->after, h->record))
    h->removed = false, h->drawn = hm_str_eq(l->actor, h->by);
  else if (hm_str_eq(l->before, h->record))
    h->removed = true;
  return 0;
}

static int read_history(hm_store *s, const hm_link *link, history *h, hm_arena *a, hm_err *err) {
  hm_cell cells[HM_MAX_FIELDS + 1];
  cells_of(link, cells);
  h->record = hm_record_json(&hm_kinds[HM_K_LINK], cells, a);
  return hm_journal_lines_of(s, ref_of(link, a), see_line, h, err);
}

int hm_link_was_removed(hm_store *s, const hm_link *link, bool *was, hm_arena *a, hm_err *err) {
  history h = { .by = HM_EMPTY };
  int rc = read_history(s, link, &h, a, err);
  *was = h.removed;
  return rc;
}

int hm_link_was_drawn_by(hm_store *s, const hm_link *link, hm_str by, bool *was, hm_arena *a,
                         hm_err *err) {
  history h = { .by = by };
  int rc = read_history(s, link, &h, a, err);
  *was = h.drawn;
  return rc;
}
