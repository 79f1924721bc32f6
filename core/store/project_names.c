#include "core/store/project_names.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/store/sql.h"

void hm_project_names_init(hm_project_names *names, hm_arena *a) {
  *names = (hm_project_names){ .ready = true, .a = a };
  hm_map_init(&names->by_fold, a, 64);
}

void hm_project_names_add(hm_project_names *names, hm_str word, hm_str project) {
  hm_str folded = hm_str_dup(names->a, hm_text_value(names->a, word));
  if (!folded.n) return;
  uint32_t i = hm_map_add(&names->by_fold, folded, (uint32_t)names->n);
  if (i < names->n) {
    hm_project_fit *fit = &names->fits[i];
    int d = hm_str_cmp(project, fit->project);
    if (d < 0) *fit = (hm_project_fit){ project, fit->project };
    else if (d > 0 && (!fit->other.n || hm_str_cmp(project, fit->other) < 0)) fit->other = project;
    return;
  }
  if (names->n == names->cap) {
    hm_project_fit *more = hm_alloc_array(names->a, names->cap = 2 * names->cap + 16, sizeof *more);
    if (names->n) memcpy(more, names->fits, names->n * sizeof *more);
    names->fits = more;
  }
  names->fits[names->n++] = (hm_project_fit){ project, HM_EMPTY };
}

const hm_project_fit *hm_project_names_find(const hm_project_names *names, hm_str name) {
  if (!names->n || !name.n) return NULL;
  hm_arena *scratch = hm_arena_new();
  uint32_t i = hm_map_get(&names->by_fold, hm_text_value(scratch, name));
  hm_arena_free(scratch);
  return i == HM_MAP_NONE ? NULL : &names->fits[i];
}

/* An alias that is the id of another declared project is none: ids win. */
int hm_project_names_read(hm_store *s, hm_arena *a, hm_project_names *out, hm_err *err) {
  static const char sql[] =
    "SELECT id, id FROM projects UNION ALL SELECT name, id FROM projects UNION ALL"
    " SELECT alias, project FROM project_aliases WHERE alias NOT IN (SELECT id FROM projects)";
  sqlite3_stmt *st;
  int rc;
  hm_project_names_init(out, a);
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1)
    hm_project_names_add(out, hm_sql_text(st, 0, a), hm_sql_copy(st, 1, a));
  return rc;
}

static uint32_t exact(const hm_snapshot *snap, hm_str name) {
  for (size_t i = 0; i < snap->n_projects; i++)
    if (hm_str_eq(snap->projects[i].id, name)) return (uint32_t)i;
  for (size_t i = 0; i < snap->n_projects; i++)
    for (size_t k = 0; k < snap->projects[i].n_aliases; k++)
      if (hm_str_eq(snap->projects[i].aliases[k], name)) return (uint32_t)i;
  return HM_MAP_NONE;
}

uint32_t hm_snapshot_project(const hm_snapshot *snap, hm_str name, hm_arena *a,
                             hm_project_fit *fit) {
  hm_project_names names;
  uint32_t found = exact(snap, name);
  *fit = (hm_project_fit){ HM_EMPTY, HM_EMPTY };
  if (found != HM_MAP_NONE) return found;
  hm_project_names_init(&names, a);
  for (size_t i = 0; i < snap->n_projects; i++) {
    const hm_project *p = &snap->projects[i];
    hm_project_names_add(&names, p->id, p->id);
    hm_project_names_add(&names, p->name, p->id);
    for (size_t k = 0; k < p->n_aliases; k++) hm_project_names_add(&names, p->aliases[k], p->id);
  }
  const hm_project_fit *folded = hm_project_names_find(&names, name);
  if (folded) *fit = *folded;
  return folded && !folded->other.n ? exact(snap, folded->project) : HM_MAP_NONE;
}

int hm_project_unknown(hm_str name, const hm_project_fit *fit, hm_err *err) {
  hm_str shown = hm_text_cut(name, 60), one = hm_text_cut(fit->project, 60),
         two = hm_text_cut(fit->other, 60);
  char what[80], why[160] = "there is none";
  snprintf(what, sizeof what, "project '%.*s'", HM_FMT(shown));
  if (two.n) snprintf(why, sizeof why, "'%.*s' and '%.*s' fit", HM_FMT(one), HM_FMT(two));
  return hm_fail(err, HM_E_UNKNOWN, what, why,
                 two.n ? "give the id of one" : "give the id, an alias or the name of a project");
}
