/* What comments in the files settle, and what a baseline has: check_files_impl.h.
 *
 * A comment without values covers those that contradicted its line when it was written, in the
 * commit that wrote the comment, and only the value that the line had then: a commit that changes
 * marks around it writes no comment. One that is not committed is written now. Where git
 * knows no commit (no work tree, a shallow history) it covers every value, and the report says so.
 * In a commit a value is known by its slot, or by its text, since the slot of a text depends on
 * others. */
#include "gen/check/check_files_impl.h"

#include <stdlib.h>

#include "core/base/text.h"
#include "core/markdown/escape.h"

static hm_str value_key(hm_arena *a, hm_str about, const hm_claim *claim) {
  return HM_CAT(a, about, HM_STR("\n"), claim->value.norm);
}

static hm_str line_key(hm_arena *a, const hm_settled_line *line) {
  return HM_CAT(a, line->ref, HM_STR("\n"), line->note);
}

static hm_str finding_key(hm_arena *a, const hm_report_item *item, hm_str says) {
  return HM_CAT(a, item->subject, HM_STR("\n"), says);
}

/* --- what there was --------------------------------------------------------------------------- */

void known_values_read(files_check *c, known_values *out) {
  hm_map_init(&out->disputed, c->a, 64);
  hm_map_init(&out->claimed, c->a, 2 * c->sweep.claims->n);
  hm_map_init(&out->settled, c->a, c->n_lines);
  for (size_t i = 0; i < c->sweep.claims->n; i++) {
    const hm_claim *claim = &c->sweep.claims->claims[i];
    hm_str slot = hm_claim_slot_key(c->a, c->sweep.snap, claim);
    hm_map_add(&out->claimed, value_key(c->a, slot, claim), 0);
    hm_map_add(&out->claimed, value_key(c->a, c->sweep.snap->rows[claim->row].text, claim), 0);
  }
  for (size_t i = 0; i < c->sweep.plan->n_conflicts; i++) {
    const hm_dispute *d = c->sweep.plan->disputes[i];
    for (size_t k = 0; d && k < d->n; k++)
      hm_map_add(&out->disputed, value_key(c->a, d->slot_key, d->parties[k].claim), 0);
  }
  for (size_t i = 0; i < c->n_lines; i++)
    hm_map_add(&out->settled, line_key(c->a, &c->lines[i]), 0);
  hm_map_init(&out->found, c->a, 64);
  for (size_t i = 0; i < c->findings.n; i++) {
    const hm_report_item *item = &c->findings.v[i];
    hm_map_add(&out->found, finding_key(c->a, item, HM_EMPTY), 0);
    for (size_t k = 0; k < item->n_sides; k++)
      hm_map_add(&out->found, finding_key(c->a, item, item->sides[k].value), 0);
  }
  out->files = c->files;
}

static bool has_value(const files_check *c, const known_values *known, const hm_claim *claim) {
  hm_arena_reset(c->keys);
  hm_str slot = hm_claim_slot_key(c->keys, c->sweep.snap, claim);
  hm_str text = c->sweep.snap->rows[claim->row].text;
  return hm_map_get(&known->claimed, value_key(c->keys, slot, claim)) != HM_MAP_NONE ||
      hm_map_get(&known->claimed, value_key(c->keys, text, claim)) != HM_MAP_NONE;
}

bool known_values_lack(const files_check *c, const hm_dispute *d, const bool *quiet) {
  for (size_t i = 0; c->past && i < d->n; i++)
    if (!quiet[i] &&
        hm_map_get(&c->past->disputed, value_key(c->a, d->slot_key, d->parties[i].claim)) ==
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

/* Adds the commit that wrote the comment of line k, unless *commits has it. */
static void add_commit(files_check *c, size_t k, hm_map *seen, hm_str *commits, size_t *n) {
  enum { ID = 12 };
  hm_report_settled *s = &c->settled[k];
  s->aside = "";
  if (c->lines[k].line->n_against || s->commit.n)
    return;
  const hm_tree_file *f = &c->tree->files[hm_map_get(&c->paths, s->path)];
  const hm_check_git *git = c->in->git;
  s->commit = git ? git->written(git->ctx, f, c->lines[k].line->comment_line, c->a) : HM_EMPTY;
  s->later = !git || !git->reads(git->ctx, f);
  hm_str id = hm_str_sub(s->commit, 0, ID);
  if (s->commit.n >= ID && hm_map_add(seen, id, (uint32_t)*n) == *n)
    commits[(*n)++] = id;
}

/* Is line k, or its comment, at this place? */
static bool is_at(const files_check *c, size_t k, hm_str path, size_t line) {
  const hm_report_settled *s = &c->settled[k];
  return hm_str_eq(s->path, path) && line &&
      (s->line == line || c->lines[k].line->comment_line == line);
}

static bool takes_part(const files_check *c, size_t k, const hm_report_item *item) {
  bool part = is_at(c, k, item->path, item->line);
  for (size_t i = 0; i < item->n_sides; i++)
    part |= is_at(c, k, item->sides[i].path, item->sides[i].line);
  return part;
}

size_t settled_list_commits(files_check *c, hm_str **commits) {
  hm_map seen;
  size_t n = 0;
  hm_map_init(&seen, c->a, c->n_lines);
  *commits = hm_alloc_array(c->a, c->n_lines + 1, sizeof **commits);
  for (size_t i = 0; c->n_lines && i < c->sweep.plan->n_conflicts; i++) {
    const hm_dispute *d = c->sweep.plan->disputes[i];
    hm_arena_reset(c->scratch);
    const hm_settled_line **of = d ? hm_alloc_array(c->scratch, d->n, sizeof *of) : NULL;
    if (!d || !hm_settled_lines_of(&c->found, c->sweep.snap, d, of, c->scratch))
      continue;
    for (size_t p = 0; p < d->n; p++)
      if (of[p])
        add_commit(c, (size_t)(of[p] - c->lines), &seen, *commits, &n);
  }
  for (size_t i = 0; i < c->findings.n; i++)
    for (size_t k = 0; k < c->n_lines; k++)
      if (takes_part(c, k, &c->findings.v[i]))
        add_commit(c, k, &seen, *commits, &n);
  return n;
}

void settled_stood(files_check *c, hm_str commit, const known_values *then) {
  for (size_t k = 0; k < c->n_lines; k++)
    if (hm_str_starts(c->settled[k].commit, hm_str_z(c->a, commit))) {
      c->stood[k] = then;
      c->settled[k].later = !then;
    }
}

static void add_against(files_check *c, size_t line, hm_str value) {
  settled_values *of = &c->against[line];
  for (size_t i = 0; i < of->n; i++)
    if (hm_str_eq(of->v[i], value))
      return;
  of->v = hm_array_grow_in(c->a, of->v, of->n, &of->cap, sizeof *of->v);
  of->v[of->n++] = hm_str_dup(c->a, value);
}

/* A comment covers what stood when it was written, for the value of its own line, too. One that the
 * baseline has covers no value that the baseline does not have. */
static bool may_cover(void *ctx, const hm_settled_line *line, const hm_claim *own,
                      const hm_claim *other) {
  files_check *c = ctx;
  size_t k = (size_t)(line - c->lines);
  const known_values *then = c->stood[k];
  if (then && !(has_value(c, then, own) && has_value(c, then, other)))
    return false;
  if (c->past && hm_map_get(&c->past->settled, line_key(c->a, line)) != HM_MAP_NONE &&
      !has_value(c, c->past, other))
    return false;
  add_against(c, k, hm_clean_text(c->scratch, other->value.raw));
  return true;
}

bool settled_covers(files_check *c, const hm_dispute *d, bool *quiet) {
  hm_arena_reset(c->scratch);
  const hm_settled_line **of = hm_alloc_array(c->scratch, d->n, sizeof *of);
  bool *open = hm_alloc_array(c->scratch, d->n, sizeof *open);
  if (!hm_settled_lines_of(&c->found, c->sweep.snap, d, of, c->scratch))
    return false;
  bool all =
      hm_settled_lines_cover(c->sweep.snap, d, c->in->rules, of, may_cover, c, open, c->scratch);
  for (size_t i = 0; i < d->n; i++)
    quiet[i] = of[i] && !open[i];
  return all;
}

/* Had that state the finding, with all that its sides say? */
static bool has_finding(const files_check *c, const known_values *known,
                        const hm_report_item *item) {
  hm_arena_reset(c->keys);
  bool has = hm_map_get(&known->found, finding_key(c->keys, item, HM_EMPTY)) != HM_MAP_NONE;
  for (size_t i = 0; i < item->n_sides && has; i++)
    has =
        hm_map_get(&known->found, finding_key(c->keys, item, item->sides[i].value)) != HM_MAP_NONE;
  return has;
}

/* Does line k settle it against all its other sides? */
static bool covers_finding(const files_check *c, size_t k, const hm_report_item *item) {
  const hm_settled_line *line = &c->lines[k];
  const known_values *then = c->stood[k];
  bool covers = takes_part(c, k, item) && (!then || has_finding(c, then, item)) &&
      (!line->line->n_against || item->n_sides);
  for (size_t i = 0; i < item->n_sides && covers; i++)
    covers = is_at(c, k, item->sides[i].path, item->sides[i].line) ||
        hm_settled_line_names(line, hm_text_fold_name(c->keys, item->sides[i].value), c->keys);
  bool old = c->past && hm_map_get(&c->past->settled, line_key(c->keys, line)) != HM_MAP_NONE;
  return covers && (!old || has_finding(c, c->past, item));
}

bool known_values_find(const files_check *c, const hm_report_item *item) {
  return c->past && has_finding(c, c->past, item);
}

bool settled_covers_finding(files_check *c, const hm_report_item *item) {
  bool any = false;
  for (size_t k = 0; k < c->n_lines; k++) {
    if (!covers_finding(c, k, item))
      continue;
    add_against(c, k, hm_str_fmt(c->a, "\"%.*s\"", HM_FMT(item->subject)));
    any = true;
  }
  return any;
}

static int by_text(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

void settled_tell(files_check *c) {
  enum { SHOWN = 5 };
  for (size_t k = 0; k < c->n_lines; k++) {
    hm_report_settled *s = &c->settled[k];
    const settled_values *of = &c->against[k];
    if (of->n)
      qsort(of->v, of->n, sizeof *of->v, by_text);
    for (size_t i = 0; i < of->n && i < SHOWN; i++)
      s->against = HM_CAT(c->a, s->against, i ? HM_STR(", ") : HM_EMPTY, of->v[i]);
    if (of->n > SHOWN)
      s->against = hm_str_fmt(c->a, "%.*s and %zu more", HM_FMT(s->against), of->n - SHOWN);
    if (!of->n && !*s->aside)
      s->aside = ", but not against what contradicts it now";
    s->later &= of->n > 0;
  }
}
