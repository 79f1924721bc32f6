/* Digests of pages' inputs: a page with an unchanged digest is skipped.
 *
 * A page's own function collects its inputs (hm_model.inputs in model.h): it walks the rows, counts
 * and conflicts that it would show, and notes each value instead of setting it. So a page cannot
 * show what its digest lacks. Two shortcuts keep that cheap, and cover all that pages show of a row
 * or of a conflict: hm_model_note_whole_row, hm_model_note_whole_conflict. Their hashes are made
 * once for a view.
 *
 * A row's hash covers its own columns; its place; the conflicts that mark its fields; for each row
 * that its lines name a card, which is what a link shows (label, place, left out or not); for a
 * supersession the reason, and the whole older row; the conflicts that leave a trace on it. Changes
 * of a neighbour that do not change its card do not matter.
 * A conflict's hash covers its record, its parties with their claims, its names, its winners'
 * cards. The digest of a timeline or a chart is that of its own bytes, which is cheaper than to
 * hash all that it reads; that of a graph covers the input of the layout (graphs.c).
 *
 * Cost: about 50 ns for each row without references; then 16 bytes for each row that a page lists.
 * Lists that are shown whole need no sort for it. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim.h"
#include "core/detect/conflict_story.h"
#include "model.h"

enum { CHUNK = 4096, CONFLICTS = 16, LABEL_SOURCE = 1000 };

struct hm_page_inputs {
  const hm_view *v;
  uint64_t seed;
  hm_hash128 *cards; /* what a link to a row shows */
  hm_hash128 *rows, *conflicts;
  uint64_t *parts; /* hash of each part's path */
  hm_buf *cores;   /* one a thread, while rows and conflicts are hashed */
};

const hm_view *hm_inputs_view(const hm_page_inputs *x) { return x->v; }
hm_hash128 hm_inputs_row_hash(const hm_page_inputs *x, uint32_t row) { return x->rows[row]; }
hm_hash128 hm_inputs_conflict_hash(const hm_page_inputs *x, uint32_t c) { return x->conflicts[c]; }

hm_hash128 hm_inputs_digest(const hm_page_inputs *x, const hm_buf *b) {
  return b->failed ? (hm_hash128){ 0 } : hm_str_hash128(hm_buf_view(b), x->seed);
}

static void put_int(hm_buf *b, uint64_t n) { hm_buf_add(b, &n, sizeof n); }
static void put_hash(hm_buf *b, hm_hash128 h) { hm_buf_add(b, &h, sizeof h); }

static void put_strings(hm_buf *b, const hm_str *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    put_int(b, s[i].n);
    hm_buf_str(b, s[i]);
  }
}

/* --- cards -------------------------------------------------------------------- */

static void put_card(const hm_page_inputs *x, uint32_t row, hm_buf *b) {
  const hm_view *v = x->v;
  const hm_row *r = &v->snap->rows[row];
  bool listed = hm_view_listed(v, row);
  hm_view_row seen = v->rows[row];
  put_int(b,
          (uint64_t)r->layer << 4 | (uint64_t)seen.twin_id << 3 | (uint64_t)seen.twin_type << 2 |
              (uint64_t)v->hidden[row] << 1 | listed);
  if (v->hidden[row])
    return;
  put_strings(b,
              (hm_str[]){ r->id, hm_str_sub(hm_view_label_source(v, row), 0, LABEL_SOURCE),
                          seen.twin_type ? r->type : HM_EMPTY },
              3);
  if (!listed)
    return;
  put_int(b, x->parts[v->part_of[row]]);
  put_strings(b, (hm_str[]){ hm_view_entity_path(v, row) }, 1);
  if (v->rows[row].odd_id)
    put_strings(b, (hm_str[]){ hm_view_odd_anchor(v, row) }, 1);
}

void hm_inputs_add_link_to_row(const hm_page_inputs *x, uint32_t row, hm_buf *b) {
  if (row != HM_NONE)
    put_hash(b, x->cards[row]);
}

static int hash_cards(void *ctx, size_t chunk, int core) {
  hm_page_inputs *x = ctx;
  hm_buf *b = &x->cores[core];
  uint32_t from = (uint32_t)chunk * CHUNK, left = (uint32_t)x->v->snap->n_rows - from,
           to = from + (left < CHUNK ? left : CHUNK);
  for (uint32_t row = from; row < to; row++) {
    hm_buf_clear(b);
    put_card(x, row, b);
    x->cards[row] = hm_inputs_digest(x, b);
  }
  return b->failed ? -1 : 0;
}

/* --- rows --------------------------------------------------------------------- */

static void put_named(const hm_page_inputs *x, hm_str id, hm_buf *b) {
  hm_inputs_add_link_to_row(x, id.n ? hm_snapshot_row(x->v->snap, HM_ENTITY, id) : HM_NONE, b);
}

static void put_all_named(const hm_page_inputs *x, const hm_json *j, hm_buf *b) {
  if (j->type == HM_JSON_STRING)
    put_named(x, j->text, b);
  for (const hm_json *c = j->child; c; c = c->next)
    put_all_named(x, c, b);
}

/* The entities that strings of a JSON text name by their ids: a property has a link to what it
 * names, and the id of a row that is left out is withheld. Without a backslash the strings are
 * what stands between the quotes; a key with a space behind it counts, too, which is no harm. */
static void put_names(const hm_page_inputs *x, hm_str json, hm_buf *b) {
  if (!json.n)
    return;
  if (memchr(json.p, '\\', json.n)) {
    hm_arena *tmp = hm_arena_new();
    hm_json *j = NULL;
    if (!hm_json_parse(tmp, json, &j, NULL))
      put_all_named(x, j, b);
    hm_arena_free(tmp);
    return;
  }
  const char *end = json.p + json.n, *at = memchr(json.p, '"', json.n), *to;
  for (; at; at = memchr(to + 1, '"', (size_t)(end - to - 1))) {
    to = memchr(at + 1, '"', (size_t)(end - at - 1));
    if (!to)
      return;
    if (to + 1 < end && to[1] == ':')
      continue; /* a key */
    put_named(x, (hm_str){ at + 1, (size_t)(to - at - 1) }, b);
  }
}

/* A relation in another row's lines: itself, and its markers. */
static void put_relation(const hm_page_inputs *x, uint32_t row, hm_buf *b) {
  size_t n, n_may;
  const hm_mark *marks = hm_view_marks(x->v, row, &n);
  put_hash(b, x->v->snap->sums->hashes[row]);
  for (size_t i = 0; i < n; i++)
    put_strings(b, &x->v->conflicts[marks[i].conflict].path, 1);
  put_int(b, hm_view_may_marks(x->v, row, &n_may) != NULL);
}

/* A link in another row's lines: its name, and the marker of the row at its other end. */
static void put_link(const hm_page_inputs *x, const hm_edge *e, hm_buf *b) {
  size_t n;
  const hm_mark *marks = hm_view_marks(x->v, e->other, &n);
  put_strings(b, &x->v->snap->links[e->via].rel, 1);
  put_int(b, n > 0);
  if (n)
    put_strings(b, &x->v->conflicts[marks[0].conflict].path, 1);
}

/* Rows that name this one by a property stand on pages of subsystems, which ask for them. Of
 * relations that lead here, and of links, the first ones are shown. */
static void put_edges(const hm_page_inputs *x, uint32_t row, hm_buf *b) {
  const hm_view *v = x->v;
  int lines = 0;
  for (uint32_t k = v->edge_from[row]; k < v->edge_from[row + 1]; k++) {
    const hm_edge *e = &v->edges[k];
    bool link = e->kind == HM_EDGE_LINK_OUT || e->kind == HM_EDGE_LINK_IN;
    if (e->kind == HM_EDGE_PART_IN || e->kind == HM_EDGE_NAME_IN)
      continue;
    if ((link || e->kind == HM_EDGE_REL_IN) && lines > HM_REFS)
      continue;
    lines += link || e->kind == HM_EDGE_REL_IN || e->kind == HM_EDGE_REL_OUT;
    put_int(b, e->kind);
    hm_inputs_add_link_to_row(x, e->other, b);
    if (link)
      put_link(x, e, b);
    else if (e->via != HM_NONE)
      put_relation(x, e->via, b);
    if ((e->kind != HM_EDGE_NEWER && e->kind != HM_EDGE_OLDER) || !v->n_settled)
      continue;
    uint32_t by = e->kind == HM_EDGE_NEWER ? hm_view_find_deciding_conflict(v, row, e->other)
                                           : hm_view_find_deciding_conflict(v, e->other, row);
    if (by != HM_NONE)
      put_hash(b, x->conflicts[by]);
  }
}

/* Adds the marks of this row; marks are sorted by row, *at: the first that may belong to it. */
static void put_marks(const hm_page_inputs *x, const hm_mark *marks, size_t n, size_t *at,
                      uint32_t row, hm_buf *b) {
  while (*at < n && marks[*at].row < row)
    ++*at;
  for (size_t i = *at; i < n && marks[i].row == row; i++) {
    put_strings(b, &marks[i].field, 1);
    if (marks[i].conflict == HM_NONE)
      continue;
    const hm_vconflict *c = &x->v->conflicts[marks[i].conflict];
    put_strings(b, (hm_str[]){ c->rec->id, c->path }, 2);
    put_int(b, c->withheld);
  }
}

/* Adds what pages show beside the row's values (row_values.c). */
static void put_row_history(const hm_page_inputs *x, uint32_t row, hm_buf *b) {
  const hm_view *v = x->v;
  size_t n;
  const hm_mark *of = hm_view_past_conflict_marks(v, row, &n);
  for (size_t i = 0; i < n; i++) {
    put_hash(b, x->conflicts[of[i].conflict]);
    hm_buf_str(b, of[i].field);
  }
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++)
    if (v->edges[i].kind == HM_EDGE_OLDER && v->edges[i].other != HM_NONE)
      put_hash(b, v->snap->sums->hashes[v->edges[i].other]);
}

/* Adds the statements that overtook the row's claims (story_lines.c). */
static void put_overtaken(const hm_page_inputs *x, uint32_t row, hm_buf *b) {
  const hm_view *v = x->v;
  size_t n;
  const hm_overtaken *of = hm_overtaken_find_by_row(v->sweep->disputes, row, &n);
  for (size_t i = 0; i < n; i++) {
    if (of[i].by)
      hm_inputs_add_link_to_row(x, of[i].by->row, b);
    hm_buf_str(b, of[i].claim->value.raw);
    hm_buf_str(b, of[i].claim->field);
    hm_buf_c(b, hm_arc_state_reason(of[i].state));
  }
}

static int hash_rows(void *ctx, size_t chunk, int core) {
  hm_page_inputs *x = ctx;
  const hm_view *v = x->v;
  hm_buf *b = &x->cores[core];
  uint32_t from = (uint32_t)chunk * CHUNK, left = (uint32_t)v->snap->n_rows - from,
           to = from + (left < CHUNK ? left : CHUNK);
  size_t mark = hm_find_first_of_row(v->marks, v->n_marks, sizeof *v->marks, from),
         may = hm_find_first_of_row(v->may, v->n_may, sizeof *v->may, from);
  for (uint32_t row = from; row < to; row++) {
    const hm_row *r = &v->snap->rows[row];
    hm_view_row seen = v->rows[row];
    hm_buf_clear(b);
    put_hash(b, v->snap->sums->hashes[row]);
    put_int(b, hm_view_listed(v, row) ? x->parts[v->part_of[row]] : v->hidden[row]);
    put_int(b, (uint64_t)seen.twin_id << 1 | seen.twin_type);
    put_strings(b, (hm_str[]){ hm_view_entity_path(v, row) }, 1);
    put_marks(x, v->marks, v->n_marks, &mark, row, b);
    for (size_t k = mark; r->layer == HM_RELATION && k < v->n_marks && v->marks[k].row == row; k++)
      put_hash(b, x->conflicts[v->marks[k].conflict]);
    put_int(b, 0);
    put_marks(x, v->may, v->n_may, &may, row, b);
    if (v->sweep->disputes && v->sweep->disputes->n_overtaken)
      put_overtaken(x, row, b);
    if (v->edge_from[row] < v->edge_from[row + 1])
      put_edges(x, row, b);
    if (v->n_traces || v->edge_from[row] < v->edge_from[row + 1])
      put_row_history(x, row, b);
    for (hm_naming c = 0; seen.refers && c < HM_N_NAMES; c++)
      hm_inputs_add_link_to_row(x, hm_snapshot_named(v->snap, row, c), b);
    if (seen.odd_id)
      put_strings(b, (hm_str[]){ hm_view_odd_anchor(v, row) }, 1);
    if (hm_view_is_assembly(v, seen.kind))
      put_strings(b, (hm_str[]){ hm_view_subsystem_path(v, row) }, 1);
    put_names(x, r->props, b);
    if (r->value_is_json)
      put_names(x, r->text, b);
    x->rows[row] = hm_inputs_digest(x, b);
  }
  return b->failed ? -1 : 0;
}

/* --- conflicts ------------------------------------------------------------------ */

/* Its own bounds are its row's; an end may be that of an existence. */
static void put_claim(const hm_page_inputs *x, const hm_claim *c, hm_buf *b) {
  const hm_existence *ended =
      c->when ? hm_existence_ending_window(&x->v->existences, c->when) : NULL;
  put_strings(
      b, (hm_str[]){ c->field, c->name, c->compare, c->value.raw, c->value.norm, c->value.named },
      6);
  put_int(b, ended != NULL);
  if (!ended)
    return;
  const hm_bound *end = &c->when->end;
  put_strings(
      b,
      (hm_str[]){ ended->name, hm_str_c(hm_existence_end_word(ended)), { end->text, end->text_n } },
      3);
  put_int(b, (uint64_t)end->first);
  put_int(b, (uint64_t)end->last);
  put_int(b, (uint64_t)end->precision << 1 | hm_view_window_end_shown(x->v, c->when));
}

/* Adds what the story of a conflict reads besides the conflict (story_lines.c). */
static void put_story(const hm_page_inputs *x, const hm_vconflict *c, hm_buf *b, hm_arena *tmp) {
  const hm_view *v = x->v;
  const hm_slot_story *s = c->dispute ? c->dispute->story : NULL;
  for (size_t i = 0; s && i < s->n; i++) {
    const hm_claim *claim = s->claims[i];
    const uint64_t of[] = { (uint64_t)claim->said->at, s->arc.ends[i].state, s->arc.ends[i].by,
                            claim->said->settles,
                            hm_view_claim_shown(v, claim->row, claim->field, tmp) };
    put_hash(b, v->snap->sums->hashes[claim->row]);
    hm_buf_add(b, of, sizeof of);
    hm_buf_str(b, claim->said->claim.words);
    hm_buf_str(b, claim->field);
    hm_inputs_add_link_to_row(x, claim->row, b);
  }
  const hm_overtaken *by = hm_conflict_find_settling_claim(v->sweep, c->rec, tmp);
  if (by)
    hm_inputs_add_link_to_row(x, by->by->row, b);
  if (by)
    hm_buf_c(b, hm_arc_state_reason(by->state));
}

static int hash_conflicts(void *ctx, size_t chunk, int core) {
  hm_page_inputs *x = ctx;
  const hm_view *v = x->v;
  hm_buf *b = &x->cores[core];
  hm_arena *tmp = hm_arena_new();
  uint32_t from = (uint32_t)chunk * CONFLICTS, left = v->n_conflicts - from,
           to = from + (left < CONFLICTS ? left : CONFLICTS);
  for (uint32_t i = from; i < to; i++) {
    const hm_vconflict *c = &v->conflicts[i];
    hm_buf_clear(b);
    hm_conflict_put_canonical(c->rec, b);
    put_strings(b, (hm_str[]){ c->path, c->title, c->name, c->words }, 4);
    put_int(b, (uint64_t)c->withheld << 2 | (uint64_t)c->named << 1 | (c->dispute != NULL));
    hm_str *winners;
    size_t n = hm_winners_parse(tmp, c->rec->winner, &winners);
    for (size_t k = 0; k < n; k++)
      hm_inputs_add_link_to_row(x, hm_snapshot_ref(v->snap, HM_ENTITY, winners[k]), b);
    for (size_t k = 0; v->any_hidden && k < c->rec->n_members; k++)
      put_int(b, hm_view_member_shown(v, &c->rec->members[k], tmp));
    for (size_t k = 0; k < c->rec->n_members; k++)
      if (c->rec->members[k].layer == HM_RELATION)
        hm_inputs_add_link_to_row(x, hm_snapshot_ref(v->snap, HM_ENTITY, c->rec->members[k].value),
                                  b);
    put_strings(b, (hm_str[]){ hm_format_since(v, c, tmp), c->window_from, c->window_until }, 3);
    for (size_t k = 0; c->dispute && k < c->dispute->n; k++) {
      const hm_party *p = &c->dispute->parties[k];
      bool shown = hm_view_claim_shown(v, p->claim->row, p->claim->field, tmp);
      put_claim(x, p->claim, b);
      put_strings(b,
                  (hm_str[]){ v->snap->rows[p->claim->row].id,
                              p->against ? v->snap->rows[p->against->row].id : HM_EMPTY },
                  2);
      put_int(b,
              (uint64_t)p->claim->layer << 3 | (uint64_t)p->spared << 2 |
                  (uint64_t)p->flagged << 1 | shown);
    }
    put_story(x, c, b, tmp);
    x->conflicts[i] = hm_inputs_digest(x, b);
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
  return b->failed ? -1 : 0;
}

static int by_time(const void *x, const void *y) {
  hm_time a = *(const hm_time *)x, b = *(const hm_time *)y;
  return (a > b) - (a < b);
}

/* Which of the parties' times are the latest begin and the earliest end can change with now alone:
 * their order counts, and not the times themselves. */
static void put_time_order(const hm_dispute *d, bool ends, hm_buf *b) {
  hm_time *sorted = hm_xrealloc(NULL, (d->n + 1) * sizeof *sorted);
  size_t n = 0;
  for (size_t i = 0; i < d->n; i++) {
    const hm_window *w = d->parties[i].claim->when;
    if (w)
      sorted[n++] = ends ? w->until : w->from;
  }
  qsort(sorted, n, sizeof *sorted, by_time);
  for (size_t i = 0; i < d->n && n > 1; i++) {
    const hm_window *w = d->parties[i].claim->when;
    hm_time of = !w ? HM_TIME_MIN : ends ? w->until : w->from;
    size_t lo = 0, hi = w ? n : 0;
    while (lo < hi) {
      size_t mid = lo + (hi - lo) / 2;
      if (sorted[mid] < of)
        lo = mid + 1;
      else
        hi = mid;
    }
    put_int(b, lo);
  }
  free(sorted);
}

void hm_inputs_add_derivation(const hm_page_inputs *x, const hm_vconflict *c, hm_buf *b) {
  const hm_snapshot *snap = x->v->snap;
  if (c->dispute)
    put_time_order(c->dispute, false, b);
  if (c->dispute)
    put_time_order(c->dispute, true, b);
  for (size_t i = 0; c->dispute && i < c->dispute->n; i++)
    put_hash(b, snap->sums->hashes[c->dispute->parties[i].claim->row]);
  for (size_t i = 0; !c->dispute && i < c->rec->n_members; i++) {
    uint32_t row = hm_snapshot_row(snap, c->rec->members[i].layer, c->rec->members[i].id);
    put_int(b, row == HM_NONE);
    if (row == HM_NONE)
      continue;
    put_hash(b, snap->sums->hashes[row]);
    const hm_claims *all = x->v->sweep->claims; /* what it claims today, in whatever slot */
    size_t k = hm_find_first_of_row(all->claims, all->n, sizeof *all->claims, row);
    for (; k < all->n && all->claims[k].row == row; k++)
      put_claim(x, &all->claims[k], b);
  }
}

/* --- all of them ---------------------------------------------------------------- */

hm_page_inputs *hm_page_inputs_new(const hm_view *v, uint64_t seed, int threads, hm_arena *a) {
  size_t failed, n = v->snap->n_rows;
  if (!v->snap->details)
    return NULL;
  if (threads < 1)
    threads = 1;
  hm_snapshot_hash_rows(v->sweep->snap, seed, threads);
  hm_page_inputs *x = hm_alloc(a, sizeof *x);
  *x = (hm_page_inputs){ .v = v,
                         .seed = seed,
                         .cards = hm_alloc_array(a, n + 1, sizeof *x->cards),
                         .rows = hm_alloc_array(a, n + 1, sizeof *x->rows),
                         .conflicts = hm_alloc_array(a, v->n_conflicts + 1, sizeof *x->conflicts),
                         .parts = hm_alloc_array(a, v->n_parts + 1, sizeof *x->parts),
                         .cores = hm_alloc_array(a, (size_t)threads, sizeof *x->cores) };
  for (uint32_t i = 0; i < v->n_parts; i++)
    x->parts[i] = hm_str_hash_seeded(v->parts[i].path, seed);
  int rc = hm_par_for((n + CHUNK - 1) / CHUNK, threads, hash_cards, x, &failed);
  if (!rc)
    rc = hm_par_for((v->n_conflicts + CONFLICTS - 1) / CONFLICTS, threads, hash_conflicts, x,
                    &failed);
  if (!rc)
    rc = hm_par_for((n + CHUNK - 1) / CHUNK, threads, hash_rows, x, &failed);
  for (int i = 0; i < threads; i++)
    hm_buf_free(&x->cores[i]);
  return rc ? NULL : x;
}

void hm_inputs_add_file_bytes(const hm_page_inputs *x, const hm_raw_file *f, hm_buf *out) {
  hm_arena *a = hm_arena_new();
  hm_err err = { 0 };
  for (uint32_t i = 0; i < f->pieces; i++)
    if (f->bytes(x->v, f, i, a, out, &err))
      out->failed = true;
  hm_arena_free(a);
}

hm_hash128 hm_raw_digest(const hm_page_inputs *x, const hm_raw_file *f, hm_buf *b) {
  hm_buf_clear(b);
  if (!f->inputs)
    return (hm_hash128){ 0 };
  f->inputs(x, f, b);
  return hm_inputs_digest(x, b);
}
