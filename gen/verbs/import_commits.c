/* Commits of lines: import_commits.h. Conflicts come first, since the work of git is bounded
 * (gen/sink/git_blame.c). Cost: a sweep, and the blame of each file that has such a line. */
#include "gen/verbs/import_commits.h"

#include <stdlib.h>

#include "core/store/line_commits.h"
#include "core/sweep/sweep.h"
#include "gen/sink/git_blame.h"

typedef struct {
  hm_import_report *r;
  hm_arena *a;
  hm_map files; /* source -> index of its file */
  const hm_snapshot *snap;
  hm_git_blames *blames;
  hm_map seen; /* references */
  hm_line_commit *v;
  size_t n, cap;
} notes;

static void add(notes *t, hm_line_commit c) {
  t->v = hm_array_grow_in(t->a, t->v, t->n, &t->cap, sizeof *t->v);
  t->v[t->n++] = c;
}

/* What the store has of other documents stays. */
static int keep_others(notes *t, hm_store *store) {
  hm_line_commit *old;
  size_t n;
  if (hm_line_commits_read(store, t->a, &old, &n, &t->r->cli->err))
    return -1;
  for (size_t i = 0; i < n; i++)
    if (hm_map_get(&t->files, hm_tree_line_path(old[i].place)) == HM_MAP_NONE)
      add(t, old[i]);
  return 0;
}

static void note_row(notes *t, uint32_t at) {
  const hm_row *row = &t->snap->rows[at];
  hm_str *refs, ref = hm_row_ref(t->a, row);
  size_t line = 0;
  if (!hm_sources_parse(t->a, row->layer, t->snap->details[at].source_refs, &refs) ||
      row->status != HM_ACTIVE)
    return;
  hm_str source = hm_tree_line_path(refs[0]);
  uint32_t i = source.n ? hm_map_get(&t->files, source) : HM_MAP_NONE;
  if (i == HM_MAP_NONE || !t->r->files[i].file || hm_map_get(&t->seen, ref) != HM_MAP_NONE)
    return;
  hm_map_add(&t->seen, ref, 0);
  for (size_t k = source.n + 1; k < refs[0].n; k++)
    line = line * 10 + (size_t)(refs[0].p[k] - '0');
  hm_str said = hm_git_blame_line(t->blames, t->r->files[i].file, line, t->a);
  if (said.n)
    add(t, (hm_line_commit){ ref, refs[0], said });
}

static int ask_git(notes *t, hm_store *store) {
  hm_cli *cli = t->r->cli;
  const hm_sweep_options opt = { .rules = &cli->mirror.config.rules,
                                 .threads = cli->mirror.threads,
                                 .details = true,
                                 .without_sql = true };
  hm_sweep w = { 0 };
  int rc = hm_sweep_run_all(store, &opt, t->a, &w, &cli->err);
  t->snap = w.snap;
  for (size_t i = 0; !rc && i < w.plan->n_conflicts; i++) {
    const hm_dispute *d = w.plan->disputes[i];
    for (size_t k = 0; d && k < d->n; k++)
      note_row(t, d->parties[k].claim->row);
  }
  for (size_t i = 0; !rc && i < w.n_findings; i++)
    for (size_t k = 0; k < w.findings[i].n_rows; k++) {
      uint32_t row = hm_snapshot_ref(w.snap, HM_ENTITY, w.findings[i].rows[k]);
      if (row != HM_MAP_NONE)
        note_row(t, row);
    }
  hm_sweep_free(&w);
  return rc;
}

static int by_ref(const void *x, const void *y) {
  const hm_line_commit *a = x, *b = y;
  return hm_str_cmp(a->ref, b->ref);
}

int hm_import_note_commits(hm_import_report *r, hm_store *store) {
  hm_cli *cli = r->cli;
  notes t = { .r = r, .a = hm_arena_new() };
  hm_tree_git git = hm_worktrees_git(r->tree.work);
  bool in_git = false;
  hm_map_init(&t.files, t.a, r->n);
  hm_map_init(&t.seen, t.a, 64);
  for (size_t i = 0; i < r->n; i++) {
    const hm_tree_file *f = r->files[i].file;
    hm_map_add(&t.files, r->files[i].source, (uint32_t)i);
    in_git = in_git || (f && git.top(git.ctx, f->folder.p, t.a).n);
  }
  int rc = keep_others(&t, store);
  if (!rc && in_git && !hm_cli_get_option(cli, "no-git")) {
    t.blames = hm_git_blames_new(r->tree.work);
    rc = ask_git(&t, store);
    hm_git_blames_free(t.blames);
  }
  if (!rc && t.n)
    qsort(t.v, t.n, sizeof *t.v, by_ref);
  rc = rc ? -1 : hm_line_commits_put(store, t.v, t.n, &cli->err);
  hm_arena_free(t.a);
  return rc;
}
