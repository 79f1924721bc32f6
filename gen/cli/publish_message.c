#include "core/base/map.h"
#include "core/base/text.h"
#include "core/detect/explain.h"
#include "gen/check/recorded.h"
#include "gen/cli/message.h"
#include "gen/cli/publish.h"

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
static bool left_out(const hm_cli *cli, hm_str field) {
  const hm_exclude *x = &cli->config.exclude;
  for (size_t i = 0; i < x->n_properties; i++)
    if (same_property(cli->a, field, x->properties[i])) return true;
  return false;
}

static void drop_members(const hm_cli *cli, hm_json *conflict) {
  hm_json *members = (hm_json *)hm_json_get(conflict, "members");
  for (hm_json **m = members ? &members->child : NULL; m && *m; ) {
    const hm_json *field = hm_json_get(*m, "field");
    if (field && left_out(cli, field->text)) *m = (*m)->next;
    else m = &(*m)->next;
  }
}

typedef struct { hm_cli *cli; const hm_made *m; const hm_conflict_rec **recs; } telling;

static hm_str values_of(void *ctx, size_t i) {
  const telling *t = ctx;
  hm_cli *cli = t->cli;
  hm_json *tree;
  hm_err ignored;
  hm_buf b = { 0 };
  hm_conflict_json(&b, &t->m->sweep, t->recs[i], hm_view_hidden(t->m->view), false, cli->a);
  hm_str json = hm_buf_keep(&b, cli->a);
  bool ok = !b.failed && hm_json_parse(cli->a, json, &tree, &ignored) == 0;
  hm_buf_free(&b);
  if (!ok) return HM_EMPTY;
  if (cli->config.exclude.n_properties) drop_members(cli, tree);
  return hm_conflict_values(cli->a, tree, VALUE_MAX);
}

static const hm_message_conflict *conflicts_of(const telling *t, size_t n) {
  hm_message_conflict *out = hm_alloc_array(t->cli->a, n + 1, sizeof *out);
  for (size_t i = 0; i < n; i++)
    out[i] = (hm_message_conflict){
      .id = t->recs[i]->id, .title = hm_conflict_title(t->m->view, t->recs[i], t->cli->a),
      .status = t->recs[i]->status, .disputed = hm_conflict_disputed(t->recs[i], t->m->sweep.disputes) };
  return out;
}

/* Path -> index of the list of files of a manifest. Returns how many pages it has, -1 when it is none. */
static int64_t read_manifest(hm_arena *a, hm_str json, hm_map *files, const hm_json ***list) {
  hm_json *tree;
  hm_err ignored;
  int64_t pages = 0;
  if (!json.n || hm_json_parse(a, json, &tree, &ignored)) return -1;
  const hm_json *v = hm_json_get(tree, "files");
  if (!v || v->type != HM_JSON_ARRAY) return -1;
  *list = hm_alloc_array(a, v->count + 1, sizeof **list);
  hm_map_init(files, a, v->count);
  uint32_t i = 0;
  for (const hm_json *f = v->child; f; f = f->next, i++) {
    const hm_json *path = hm_json_get(f, "path");
    (*list)[i] = hm_json_get(f, "sha256");
    if (!path || !(*list)[i]) return -1;
    if (hm_map_add(files, path->text, i) == i && hm_str_ends(path->text, ".md")) pages++;
  }
  return pages;
}

static hm_str hex(const unsigned char sha[32], char out[64]) {
  for (int i = 0; i < 32; i++) {
    out[2 * i] = "0123456789abcdef"[sha[i] >> 4];
    out[2 * i + 1] = "0123456789abcdef"[sha[i] & 15];
  }
  return (hm_str){ out, 64 };
}

/* Pages added, changed and removed since the manifest; -1: unknown. */
static int64_t pages_changed(hm_arena *a, const hm_site *s, hm_str manifest) {
  hm_map files;
  const hm_json **list;
  char text[64];
  int64_t old = read_manifest(a, manifest, &files, &list), changed = 0, known = 0;
  for (size_t i = 0; i < s->n && old >= 0; i++) {
    if (!hm_str_ends(s->files[i].path, ".md")) continue;
    uint32_t at = hm_map_get(&files, s->files[i].path);
    known += at != HM_MAP_NONE;
    changed += at == HM_MAP_NONE || !hm_str_eq(list[at]->text, hex(s->files[i].sha256, text));
  }
  return old < 0 ? -1 : changed + old - known;
}

hm_str hm_publish_rules(const hm_cli *cli) { return hm_str_fmt(cli->a, "slot/1 %s", hm_rules_digest(&cli->config.rules, cli->a).p); }

hm_str hm_publish_message(hm_cli *cli, const hm_made *m, const hm_git_tip *tip, const hm_cache_entry *was) {
  const hm_view_counts *c = hm_view_counts_of(m->view);
  const char *own = hm_cli_option(cli, "message");
  hm_message_input in = { .summary = own ? hm_str_c(own) : cli->config.message, .first = !tip->exists,
                          .old_conflicts = tip->conflicts_json,
                          .edited = tip->edited, .n_edited = tip->n_edited, .projects = c->projects,
                          .snapshot = m->sweep.snap->digest, .tool = HM_STR(HM_TOOL) };
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++) in.facts += c->rows[l];
  if (was) in.pages_changed = hm_site_changed_pages(m->site, &was->known);
  else in.pages_changed = tip->exists ? pages_changed(cli->a, m->site, tip->manifest_json) : -1;
  hm_map old;
  if (was && hm_recorded_get(was->recorded_as, &old, cli->a)) in.old = &old;
  in.rules = hm_publish_rules(cli);
  telling t = { cli, m, hm_view_conflicts(m->view, &in.n) };
  in.conflicts = conflicts_of(&t, in.n);
  in.values = values_of;
  in.ctx = &t;
  return hm_message(&in, cli->a);
}
