/* The history of a branch: history.h.
 *
 * Reads only files that differ between two commits: of a project's data files the lines that are
 * not in both, joined by their ids, and of conflicts.json the lines that differ. Along the branch a
 * publication is compared with the publication before it, not with its parent: foreign commits in
 * between add no facts, and the later publication undoes them. */
#include "gen/history/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/prose/attribute_names.h"
#include "gen/history/fact.h"
#include "gen/history/history_impl.h"

hm_history *hm_history_new(hm_git_reader *g, const char *tip, const hm_rules *rules) {
  hm_history *h = hm_xmalloc(sizeof *h);
  *h = (hm_history){ .g = g, .rules = rules, .a = hm_arena_new() };
  snprintf(h->tip, sizeof h->tip, "%s", tip);
  hm_map_init(&h->by_folder, h->a, 16);
  return h;
}

void hm_history_free(hm_history *h) {
  if (!h)
    return;
  free(h->projects);
  hm_arena_free(h->a);
  free(h);
}

/* --- rows of the data files that differ ---------------------------------------- */

typedef struct {
  hm_history *h;
  const char *from, *to;
  const hm_history_question *q;
  hm_arena *a;
  hm_difference *out;
  hm_data_rows rows; /* that differ between both */
} compare;

/* Reads the rows of a data file. *known is false when it is none, or has a newer format. */
static int read_rows(compare *c, const char *blob, hm_arena *a, hm_str *rows, bool *known,
                     hm_err *err) {
  hm_str bytes = HM_EMPTY;
  if (*blob && hm_git_read_blob_id(c->h->g, blob, a, &bytes, err) != 0)
    return -1;
  *known = hm_data_file_find_rows(bytes, rows) && (bytes.n || !*blob);
  return 0;
}

static int read_lines(compare *c, const hm_git_change *f, hm_err *err) {
  hm_str was, is;
  bool known[2];
  if (read_rows(c, f->before, c->a, &was, &known[0], err) ||
      read_rows(c, f->after, c->a, &is, &known[1], err))
    return -1;
  if (!known[0] || !known[1]) {
    c->out->without_facts = true;
    c->out->untold++;
    return 0;
  }
  hm_data_rows_add(&c->rows, was, false);
  hm_data_rows_add(&c->rows, is, true);
  return 0;
}

/* Reads the files of rows among these files of one project. */
static int read_project(compare *c, hm_str folder, const hm_git_change *files, size_t n,
                        hm_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < n; i++)
    if (hm_is_data_file(files[i].path))
      rc = read_lines(c, &files[i], err);
  hm_data_rows_join(&c->rows, folder);
  return rc;
}

/* Counts the active rows of files; frees each file at once. */
static int count_rows(compare *c, const hm_git_change *files, size_t n, hm_err *err) {
  hm_arena *a = hm_arena_new();
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < n; i++) {
    hm_str rows, line;
    bool known;
    if (!hm_is_data_file(files[i].path))
      continue;
    hm_arena_reset(a);
    rc = read_rows(c, files[i].after, a, &rows, &known, err);
    for (size_t at = 0; rc == 0 && hm_data_next_line(rows, &at, &line);)
      c->out->rows += hm_fact_line_is_active(line);
  }
  hm_arena_free(a);
  return rc;
}

static hm_str id_of_project(void *ctx, hm_str folder) {
  compare *c = ctx;
  return hm_history_project(c->h, folder, *c->from ? c->from : c->to)->id;
}

/* --- commits without data files -------------------------------------------------- */

/* A commit with data files has one for every project. */
static int has_data_files(compare *c, const char *commit, bool *yes, hm_err *err) {
  hm_str *names, bytes;
  size_t n = 0, i = 0;
  *yes = true;
  if (!*commit)
    return 0;
  if (hm_git_folder_names(c->h->g, commit, "projects", c->a, &names, &n, err) != 0)
    return -1;
  while (i < n && memchr(names[i].p, '.', names[i].n))
    i++; /* a page, not a folder */
  if (i == n)
    return 0;
  return hm_git_read_blob(c->h->g, commit,
                          hm_str_fmt(c->a, "data/%.*s/project.jsonl", HM_FMT(names[i])), c->a,
                          &bytes, yes, err);
}

static int find_data_files(compare *c, hm_err *err) {
  bool before, after;
  if (has_data_files(c, c->from, &before, err) != 0 || has_data_files(c, c->to, &after, err) != 0)
    return -1;
  c->out->without_facts = !before || !after;
  c->h->without_facts |= c->out->without_facts;
  if (after && !before)
    snprintf(c->h->facts_from, sizeof c->h->facts_from, "%s", c->to);
  return 0;
}

/* --- what differs ------------------------------------------------------------------ */

static int compare_conflicts(compare *c, const hm_git_change *f, hm_err *err) {
  hm_str before = HM_EMPTY, after = HM_EMPTY;
  bool found;
  if (*f->before && hm_git_read_list(c->h->g, c->from, f->path, c->a, &before, &found, err) != 0)
    return -1;
  if (*f->after && hm_git_read_list(c->h->g, c->to, f->path, c->a, &after, &found, err) != 0)
    return -1;
  hm_collect_conflict_events(before, after, c->a, &c->out->events);
  c->out->disputed = hm_count_disputed_conflicts(after);
  return 0;
}

/* --- what was asked for --------------------------------------------------------- */

/* "workflow" means the slot in all scopes, "cache_ttl" that of "cache_lifetime". */
static bool question_has_slot(const hm_history_question *q, hm_str key, hm_arena *a) {
  const hm_json *v = hm_json_parse_as(a, key, HM_JSON_ARRAY);
  if (!v || v->count < 2)
    return false;
  const hm_json *name = v->child->next, *type = NULL;
  if (v->count > 2)
    type = name, name = name->next;
  hm_str text = name->text;
  bool named = false;
  for (hm_attribute_of of = 0; of <= HM_OF_ALL; of++) {
    hm_str asked = of < HM_OF_ALL ? hm_attribute_one_name(a, q->slot, of) : q->slot;
    named |= hm_str_eq(hm_str_sub(text, 0, asked.n), asked) &&
        (text.n <= asked.n || text.p[asked.n] == ' ');
  }
  return named && (!q->memory_type.n || (type && hm_str_eq(type->text, q->memory_type)));
}

static bool question_has_event(const hm_history_question *q, const hm_event *e, hm_arena *a) {
  if (q->conflict.n)
    return hm_str_eq(e->conflict, q->conflict);
  if (q->one_project && !hm_str_eq(e->project, q->project))
    return false;
  if (q->row.n)
    return hm_str_eq(e->row, q->row);
  return !q->slot.n || question_has_slot(q, e->slot, a);
}

/* The changed files of one project's folder; sorted by path, so that they stand together. */
static int compare_project(compare *c, hm_str folder, const hm_git_change *files, size_t n,
                           hm_err *err) {
  bool asked = !c->q->one_project || hm_str_eq(folder, c->q->folder);
  if (c->q->conflict.n || !asked)
    return 0;
  if (c->out->without_facts)
    c->out->untold += n;
  else if (!hm_str_starts(files[0].path, "data/"))
    return 0;
  else if (!*c->from && c->q->first_in_brief)
    return count_rows(c, files, n, err);
  else
    return read_project(c, folder, files, n, err);
  return 0;
}

static int compare_files(compare *c, const hm_git_change *files, size_t n, hm_err *err) {
  for (size_t i = 0, to; i < n; i = to) {
    hm_str folder = hm_project_folder(files[i].path);
    to = i + 1;
    if (folder.n) {
      while (to < n && hm_same_project_folder(files[i].path, files[to].path))
        to++;
      if (compare_project(c, folder, &files[i], to - i, err) != 0)
        return -1;
    } else if (hm_str_is(files[i].path, "conflicts.json") && !c->q->row.n &&
               compare_conflicts(c, &files[i], err) != 0) {
      return -1;
    }
  }
  return 0;
}

int hm_history_compare(hm_history *h, const char *from, const char *to,
                       const hm_history_question *q, hm_arena *a, hm_difference *out, hm_err *err) {
  hm_git_change *files;
  int rc = -1;
  *out = (hm_difference){ 0 };
  compare c = { .h = h, .from = from, .to = to, .q = q, .a = a, .out = out };
  hm_data_rows_init(&c.rows, a);
  if (hm_git_changed_files(h->g, from, to, a, &files, &out->files, err) != 0)
    goto done;
  if (find_data_files(&c, err) != 0 || compare_files(&c, files, out->files, err) != 0)
    goto done;
  hm_folders folders = { id_of_project, &c };
  if (hm_collect_fact_events(c.rows.rows, c.rows.n, &folders, h->rules, a, &out->events, err) != 0)
    goto done;
  hm_events *l = &out->events;
  size_t n = 0;
  for (size_t i = 0; i < l->n; i++)
    if (question_has_event(q, &l->v[i], a))
      l->v[n++] = l->v[i];
  l->n = n;
  hm_events_sort(l);
  out->rows += c.rows.active;
  rc = 0;
done:
  hm_data_rows_free(&c.rows);
  if (rc != 0)
    hm_events_free(&out->events);
  return rc;
}

bool hm_history_lacks_data_files(const hm_history *h, const char **from) {
  *from = h->facts_from;
  return h->without_facts;
}

/* --- along the branch ---------------------------------------------------------------- */

typedef struct {
  hm_history *h;
  const hm_history_question *q;
  int (*each)(void *ctx, const hm_publication *p, hm_err *err);
  void *ctx;
  hm_arena *a, *kept;
  hm_git_commit *later;
  size_t n_later, cap; /* our newest that is not reported yet, and those of others before it */
} walk;

static bool question_is_narrow(const hm_history_question *q) {
  return q->slot.n || q->conflict.n || q->row.n;
}

static int report_foreign(walk *w, const hm_git_commit *c, hm_err *err) {
  hm_git_change *all;
  size_t n, kept = 0;
  if (question_is_narrow(w->q))
    return 0;
  if (hm_git_changed_files(w->h->g, c->parent, c->id, w->a, &all, &n, err) != 0)
    return -1;
  for (size_t i = 0; i < n; i++)
    if (!w->q->one_project || hm_str_eq(hm_project_folder(all[i].path), w->q->folder))
      all[kept++] = all[i];
  hm_publication p = { .commit = c, .changes = all, .n_changes = kept };
  return kept ? w->each(w->ctx, &p, err) : 0;
}

static int report_ours(walk *w, const hm_git_commit *c, const hm_git_commit *before, bool cut,
                       hm_err *err) {
  hm_difference d = { 0 };
  int rc = 0;
  if (!cut && hm_history_compare(w->h, before ? before->id : "", c->id, w->q, w->a, &d, err) != 0)
    return -1;
  hm_publication p = { .commit = c, .first = !before && !cut, .cut = cut, .difference = &d };
  bool counted = p.first && w->q->first_in_brief && d.rows,
       named = d.untold && !question_is_narrow(w->q);
  if (d.events.n || counted || named || cut)
    rc = w->each(w->ctx, &p, err);
  hm_events_free(&d.events);
  return rc;
}

/* Reports all waiting commits, now that the publication before them is known (NULL: none). */
static int report_waiting(walk *w, const hm_git_commit *before, bool cut, hm_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < w->n_later; i++) {
    const hm_git_commit *c = &w->later[i];
    rc = c->ours ? report_ours(w, c, before, cut, err) : report_foreign(w, c, err);
    hm_arena_reset(w->a);
  }
  w->n_later = 0;
  hm_arena_reset(w->kept);
  return rc;
}

static int on_commit(void *ctx, const hm_git_commit *c, hm_err *err) {
  walk *w = ctx;
  int rc = 0;
  if (c->ours && w->n_later)
    rc = report_waiting(w, c, false, err);
  w->later = hm_array_grow(w->later, w->n_later, &w->cap, sizeof *w->later);
  hm_git_commit *kept = &w->later[w->n_later++];
  *kept = *c;
  kept->author = hm_str_dup(w->kept, c->author);
  kept->message = hm_str_dup(w->kept, c->message);
  if (rc == 0 && !*c->parent)
    rc = report_waiting(w, NULL, c->parents > 0, err);
  return rc;
}

int hm_history_walk(hm_history *h, const char *tip, const hm_history_question *q,
                    int (*each)(void *ctx, const hm_publication *p, hm_err *err), void *ctx,
                    hm_err *err) {
  walk w = {
    .h = h, .q = q, .each = each, .ctx = ctx, .a = hm_arena_new(), .kept = hm_arena_new()
  };
  int rc = hm_git_walk(h->g, tip, on_commit, &w, err);
  free(w.later);
  hm_arena_free(w.a);
  hm_arena_free(w.kept);
  return rc;
}
