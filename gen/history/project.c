/* Projects by their overviews: "# Name", "- Id: ...", "- Aliases: ...". */
#include <stdlib.h>
#include <string.h>

#include "gen/history/history_impl.h"
#include "gen/history/inline.h"

static hm_str after(hm_str line, const char *prefix) { return hm_str_sub(line, strlen(prefix), line.n); }

static void read_aliases(hm_told_project *p, hm_str list, hm_arena *a) {
  p->aliases = hm_alloc_array(a, list.n + 1, sizeof *p->aliases);
  for (size_t from = 0; from <= list.n;) {
    const char *comma = from < list.n ? memchr(list.p + from, ',', list.n - from) : NULL;
    size_t to = comma ? (size_t)(comma - list.p) : list.n;
    hm_str alias = hm_str_trim(hm_str_sub(list, from, to));
    if (alias.n) p->aliases[p->n_aliases++] = alias;
    from = to + 1;
  }
}

/* What stands above the first section. */
static void read_overview(hm_told_project *p, hm_str md, hm_arena *a) {
  for (size_t at = 0; at < md.n;) {
    const char *nl = memchr(md.p + at, '\n', md.n - at);
    hm_str line = hm_str_sub(md, at, nl ? (size_t)(nl - md.p) : md.n);
    at += line.n + 1;
    if (hm_str_starts(line, "## ")) return;
    if (hm_str_starts(line, "# ")) p->name = hm_inline_text(after(line, "# "), a);
    else if (hm_str_starts(line, "- Id: ")) p->id = hm_inline_text(after(line, "- Id: "), a);
    else if (hm_str_starts(line, "- Aliases: ")) read_aliases(p, hm_inline_text(after(line, "- Aliases: "), a), a);
  }
}

static hm_told_project *add(hm_history *h, hm_str folder) {
  if (h->n == h->cap) {
    h->cap = h->cap ? 2 * h->cap : 16;
    h->projects = hm_xrealloc(h->projects, h->cap * sizeof *h->projects);
  }
  hm_told_project *p = &h->projects[h->n];
  *p = (hm_told_project){ .folder = hm_str_dup(h->a, folder), .name = HM_EMPTY };
  p->id = hm_str_is(folder, "global") ? HM_EMPTY : p->folder;
  hm_map_add(&h->by_folder, p->folder, (uint32_t)h->n++);
  return p;
}

const hm_told_project *hm_history_project(hm_history *h, hm_str folder, const char *other) {
  uint32_t at = hm_map_get(&h->by_folder, folder);
  if (at != HM_MAP_NONE) return &h->projects[at];
  hm_str md, path = hm_str_fmt(h->a, "projects/%.*s/README.md", HM_FMT(folder));
  bool found = false;
  hm_err ignored;
  if (hm_git_blob(h->g, h->tip, path, h->a, &md, &found, &ignored) != 0) found = false;
  if (!found && hm_git_blob(h->g, other, path, h->a, &md, &found, &ignored) != 0) found = false;
  hm_told_project *p = add(h, folder);
  if (found) read_overview(p, md, h->a);
  return p;
}
