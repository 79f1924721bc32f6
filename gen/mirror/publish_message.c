#include "core/base/map.h"
#include "core/base/text.h"
#include "core/detect/explain.h"
#include "gen/check/recorded.h"
#include "gen/mirror/message.h"
#include "gen/mirror/publish.h"

enum { VALUE_MAX = 60 };

/* As gen/page compares names of properties: folded, without '_'. */
static bool same_property(hm_arena *a, hm_str x, hm_str y) {
  x = hm_text_name(a, x);
  y = hm_text_name(a, y);
  size_t i = 0, k = 0;
  for (;;) {
    while (i < x.n && x.p[i] == '_') i++;
    while (k < y.n && y.p[k] == '_') k++;
    if (i == x.n || k == y.n) return i == x.n && k == y.n;
    if (x.p[i++] != y.p[k++]) return false;
  }
}

/* The field of a property that is left out must not be told through a conflict. */
static bool left_out(const hm_mirror *m, hm_str field) {
  const hm_exclude *x = &m->config.exclude;
  for (size_t i = 0; i < x->n_properties; i++)
    if (same_property(m->a, field, x->properties[i])) return true;
  return false;
}

static void drop_members(const hm_mirror *mirror, hm_json *conflict) {
  hm_json *members = (hm_json *)hm_json_get(conflict, "members");
  for (hm_json **m = members ? &members->child : NULL; m && *m; ) {
    const hm_json *field = hm_json_get(*m, "field");
    if (field && left_out(mirror, field->text)) *m = (*m)->next;
    else m = &(*m)->next;
  }
}

typedef struct { const hm_mirror *m; const hm_made *made; const hm_conflict_rec **recs; } telling;

static hm_str values_of(void *ctx, size_t i) {
  const telling *t = ctx;
  const hm_mirror *m = t->m;
  hm_json *tree;
  hm_err ignored;
  hm_buf b = { 0 };
  hm_conflict_json(&b, &t->made->sweep, t->recs[i], hm_view_hidden(t->made->view), false, m->a);
  hm_str json = hm_buf_keep(&b, m->a);
  bool ok = !b.failed && hm_json_parse(m->a, json, &tree, &ignored) == 0;
  hm_buf_free(&b);
  if (!ok) return HM_EMPTY;
  if (m->config.exclude.n_properties) drop_members(m, tree);
  return hm_conflict_values(m->a, tree, VALUE_MAX);
}

static const hm_message_conflict *conflicts_of(const telling *t, size_t n) {
  hm_message_conflict *out = hm_alloc_array(t->m->a, n + 1, sizeof *out);
  for (size_t i = 0; i < n; i++)
    out[i] =
        (hm_message_conflict){ .id = t->recs[i]->id,
                               .title = hm_conflict_title(t->made->view, t->recs[i], t->m->a),
                               .status = t->recs[i]->status,
                               .disputed = hm_plan_dispute(t->made->sweep.plan, t->recs[i]) != NULL };
  return out;
}

static hm_str hex(const unsigned char sha[32], char out[64]) {
  for (int i = 0; i < 32; i++) {
    out[2 * i] = "0123456789abcdef"[sha[i] >> 4];
    out[2 * i + 1] = "0123456789abcdef"[sha[i] & 15];
  }
  return (hm_str){ out, 64 };
}

/* What the tip's manifests say. Those of folders that are the same now are not read. */
typedef struct {
  hm_arena *a;
  const hm_site *site;
  hm_git *git;
  hm_map same;                           /* these folders */
  hm_map pages;                          /* path -> index of its digest, in those that were read */
  hm_str *sums; size_t n, cap;
} manifests;

static void make_room(manifests *m, size_t more) {
  if (more <= m->cap - m->n) return;
  m->cap = 2 * m->cap > m->n + more ? 2 * m->cap : m->n + more;
  hm_str *sums = hm_alloc_array(m->a, m->cap, sizeof *sums);
  if (m->n) memcpy(sums, m->sums, m->n * sizeof *sums);
  m->sums = sums;
}

/* False when a row cannot be one of ours. */
static bool add_rows(manifests *m, const hm_manifest *from) {
  make_room(m, from->n);
  for (size_t i = 0; i < from->n; i++) {
    const hm_manifest_row *r = &from->rows[i];
    if (!r->sha256.n) return false;
    if (hm_str_ends(r->path, ".md") && hm_map_add(&m->pages, r->path, (uint32_t)m->n) == m->n)
      m->sums[m->n++] = r->sha256;
  }
  return true;
}

static bool read_folder(manifests *m, const hm_manifest_row *r) {
  char text[64];
  hm_manifest below;
  hm_str bytes, folder = hm_manifest_folder(r->path);
  hm_err ignored;
  const hm_file *now = hm_site_file(m->site, r->path);
  if (now && now->names && hm_str_eq(r->sha256, hex(now->sha256, text))) {
    hm_map_add(&m->same, folder, 1);
    return true;
  }
  return hm_git_at_tip(m->git, r->path, m->a, &bytes, &ignored) == 0 &&
      hm_manifest_read(bytes, folder, m->a, &below) && add_rows(m, &below);
}

static bool read_manifests(manifests *m, hm_str json) {
  hm_manifest root;
  hm_map_init(&m->same, m->a, 0);
  hm_map_init(&m->pages, m->a, 0);
  if (!hm_manifest_read(json, HM_EMPTY, m->a, &root) || !add_rows(m, &root)) return false;
  for (size_t i = 0; i < root.n; i++)
    if (root.rows[i].names && !read_folder(m, &root.rows[i])) return false;
  return true;
}

/* Pages added, changed and removed since the tip's manifests; -1: unknown. */
static int64_t pages_changed(hm_arena *a, const hm_site *s, const hm_git_tip *tip, hm_git *git) {
  manifests m = { .a = a, .site = s, .git = git };
  int64_t changed = 0, known = 0;
  char text[64];
  if (!read_manifests(&m, tip->manifest_json)) return -1;
  for (size_t i = 0; i < s->n; i++) {
    if (!hm_str_ends(s->files[i].path, ".md")) continue;
    hm_str folder = hm_manifest_folder(s->files[i].path);
    if (folder.n && hm_map_get(&m.same, folder) != HM_MAP_NONE) continue;
    uint32_t at = hm_map_get(&m.pages, s->files[i].path);
    known += at != HM_MAP_NONE;
    changed += at == HM_MAP_NONE || !hm_str_eq(m.sums[at], hex(s->files[i].sha256, text));
  }
  return changed + (int64_t)m.n - known;
}

hm_str hm_publish_rules(const hm_mirror *m) {
  return hm_str_fmt(m->a, "slot/1 %s", hm_rules_digest(&m->config.rules, m->a).p);
}

hm_str hm_publish_message(const hm_mirror *m, const hm_made *made, hm_str summary, const hm_git_tip *tip, hm_git *git,
                          const hm_cache_entry *was) {
  const hm_view_counts *c = hm_view_counts_of(made->view);
  hm_message_input in = { .summary = summary,
                          .first = !tip->exists,
                          .old_conflicts = tip->conflicts_json,
                          .edited = tip->edited,
                          .n_edited = tip->n_edited,
                          .projects = c->projects,
                          .snapshot = made->sweep.snap->digest,
                          .now = hm_publish_now(m, &made->sweep, made->view),
                          .tool = HM_STR(HM_TOOL) };
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++) in.facts += c->rows[l];
  if (was) in.pages_changed = made->site->changed_pages;
  else in.pages_changed = tip->exists ? pages_changed(m->a, made->site, tip, git) : -1;
  hm_map old;
  if (was && hm_recorded_get(was->recorded_as, &old, m->a)) in.old = &old;
  in.rules = hm_publish_rules(m);
  telling t = { m, made, hm_view_conflicts(made->view, &in.n) };
  in.conflicts = conflicts_of(&t, in.n);
  in.values = values_of;
  in.ctx = &t;
  return hm_message(&in, m->a);
}
