/* What comments in the files settle, and what a baseline has: check_files_impl.h.
 *
 * A comment without values covers those that contradicted its line when it was written: in the
 * commit that last changed the comment's line. One that is not committed is written now. Where git
 * knows no commit (no work tree, a shallow history) it covers every value, and the report says so.
 * In a commit a value is known by its slot, or by its text, since the slot of a text depends on
 * others. */
#include "gen/check/check_files_impl.h"

#include "core/base/text.h"
#include "core/markdown/escape.h"

/* The values of the other parties of a party's conflict, after those in `known`; each once. */
static hm_str others_of(files_check *c, const hm_dispute *d, size_t of, hm_str known) {
  hm_str out = known, own = d->parties[of].claim->value.raw;
  for (size_t i = 0; i < d->n; i++) {
    hm_str value = hm_clean_text(c->a, d->parties[i].claim->value.raw);
    bool seen = hm_str_eq(d->parties[i].claim->value.raw, own);
    for (size_t k = 0; k < i; k++)
      seen |= hm_str_eq(d->parties[k].claim->value.raw, d->parties[i].claim->value.raw);
    if (!seen)
      out = out.n ? HM_CAT(c->a, out, HM_STR(", "), value) : value;
  }
  return out;
}

static hm_str value_key(const files_check *c, hm_str about, const hm_claim *claim) {
  return HM_CAT(c->a, about, HM_STR("\n"), claim->value.norm);
}

static hm_str line_key(const files_check *c, const hm_settled_line *line) {
  return HM_CAT(c->a, line->ref, HM_STR("\n"), line->note);
}

/* --- what there was --------------------------------------------------------------------------- */

void known_values_read(files_check *c, known_values *out) {
  hm_map_init(&out->disputed, c->a, 64);
  hm_map_init(&out->claimed, c->a, 2 * c->sweep.claims->n);
  hm_map_init(&out->settled, c->a, c->n_lines);
  for (size_t i = 0; i < c->sweep.claims->n; i++) {
    const hm_claim *claim = &c->sweep.claims->claims[i];
    hm_str slot = hm_claim_slot_key(c->a, c->sweep.snap, claim);
    hm_map_add(&out->claimed, value_key(c, slot, claim), 0);
    hm_map_add(&out->claimed, value_key(c, c->sweep.snap->rows[claim->row].text, claim), 0);
  }
  for (size_t i = 0; i < c->sweep.plan->n_conflicts; i++) {
    const hm_dispute *d = c->sweep.plan->disputes[i];
    for (size_t k = 0; d && k < d->n; k++)
      hm_map_add(&out->disputed, value_key(c, d->slot_key, d->parties[k].claim), 0);
  }
  for (size_t i = 0; i < c->n_lines; i++)
    hm_map_add(&out->settled, line_key(c, &c->lines[i]), 0);
  out->files = c->files;
}

static bool has_value(const files_check *c, const known_values *known, const hm_claim *claim) {
  hm_str slot = hm_claim_slot_key(c->a, c->sweep.snap, claim);
  hm_str text = c->sweep.snap->rows[claim->row].text;
  return hm_map_get(&known->claimed, value_key(c, slot, claim)) != HM_MAP_NONE ||
      hm_map_get(&known->claimed, value_key(c, text, claim)) != HM_MAP_NONE;
}

bool known_values_lack(const files_check *c, const hm_dispute *d) {
  for (size_t i = 0; c->past && i < d->n; i++)
    if (hm_map_get(&c->past->disputed, value_key(c, d->slot_key, d->parties[i].claim)) ==
        HM_MAP_NONE)
      return true;
  return false;
}

int check_mark_untouched(files_check *c, hm_report_side *v, size_t n) {
  bool *touched = NULL;
  size_t lines = 0;
  for (size_t i = 0; i < n && c->past; i++) {
    if (!i || !hm_str_eq(v[i].path, v[i - 1].path)) {
      uint32_t file = hm_map_get(&c->paths, v[i].path);
      lines = 0;
      if (file == HM_MAP_NONE)
        continue;
      const hm_tree_file *f = &c->tree->files[file];
      uint32_t was = hm_map_get(&c->past->files, f->source);
      hm_str now;
      if (was == HM_MAP_NONE)
        continue;
      if (hm_tree_read(f, c->a, &now, c->err))
        return -1;
      c->in->touched(c->in->past->files[was].past, now, c->a, &touched, &lines);
    }
    v[i].untouched = v[i].line && v[i].line <= lines && !touched[v[i].line - 1];
  }
  return 0;
}

/* --- settled lines ---------------------------------------------------------------------------- */

static uint32_t line_of(const files_check *c, const hm_claim *claim) {
  hm_str ref = hm_row_ref(c->scratch, &c->sweep.snap->rows[claim->row]);
  uint32_t k = 0;
  while (k < c->n_lines && !hm_str_eq(c->lines[k].ref, ref))
    k++;
  return k;
}

size_t settled_list_commits(files_check *c, hm_str **commits) {
  enum { ID = 12 };
  hm_map seen;
  size_t n = 0;
  hm_map_init(&seen, c->a, c->n_lines);
  *commits = hm_alloc_array(c->a, c->n_lines + 1, sizeof **commits);
  for (size_t i = 0; c->n_lines && i < c->sweep.plan->n_conflicts; i++) {
    const hm_dispute *d = c->sweep.plan->disputes[i];
    for (size_t p = 0; d && p < d->n; p++) {
      hm_arena_reset(c->scratch);
      uint32_t k = line_of(c, d->parties[p].claim);
      if (k == c->n_lines || c->lines[k].line->n_against || c->settled[k].commit.n)
        continue;
      const hm_tree_file *f = &c->tree->files[hm_map_get(&c->paths, c->settled[k].path)];
      const hm_check_git *git = c->in->git;
      hm_str said =
          git ? git->changed(git->ctx, f, c->lines[k].line->comment_line, c->a) : HM_EMPTY;
      c->settled[k].commit = said;
      c->settled[k].later = !git || !git->reads(git->ctx, f);
      if (said.n >= ID && hm_map_add(&seen, hm_str_sub(said, 0, ID), (uint32_t)n) == n)
        (*commits)[n++] = hm_str_sub(said, 0, ID);
    }
  }
  return n;
}

void settled_stood(files_check *c, hm_str commit, const known_values *then) {
  for (size_t k = 0; k < c->n_lines; k++)
    if (hm_str_starts(c->settled[k].commit, hm_str_z(c->a, commit))) {
      c->stood[k] = then;
      c->settled[k].later = !then;
    }
}

/* A comment that the baseline has covers no value that the baseline does not have. */
static bool may_cover(void *ctx, const hm_settled_line *line, const hm_claim *other) {
  const files_check *c = ctx;
  const known_values *then = c->stood[line - c->lines];
  if (then && !has_value(c, then, other))
    return false;
  return !c->past || hm_map_get(&c->past->settled, line_key(c, line)) == HM_MAP_NONE ||
      has_value(c, c->past, other);
}

bool settled_covers(files_check *c, const hm_dispute *d) {
  hm_arena_reset(c->scratch);
  bool *sides = hm_alloc_array(c->scratch, d->n, sizeof *sides);
  if (!hm_settled_lines_cover(c->sweep.snap, d, c->in->rules, c->lines, c->n_lines, may_cover, c,
                              sides, c->scratch))
    return false;
  for (size_t i = 0; i < d->n; i++) {
    const hm_row *row = &c->sweep.snap->rows[d->parties[i].claim->row];
    hm_str ref = hm_row_ref(c->scratch, row);
    for (size_t k = 0; sides[i] && k < c->n_lines; k++)
      if (hm_str_eq(c->lines[k].ref, ref))
        c->settled[k].against = others_of(c, d, i, c->settled[k].against);
  }
  return true;
}
