/* Values of a part of a project beside those of the whole.
 *
 * Notes in the folder of a package or a service have slots that name it ("web node version"), and
 * so do the states of its manifest. Another value of the whole project in the same slot without
 * that name is a weak contradiction, as a part may differ on purpose: a finding, and no conflict.
 * Of licenses, own versions and names of scripts nothing is told, nor of examples, tests and
 * foreign code. Only a part that agrees with nobody of the whole is told of, and all such parts of
 * one slot are one finding. Where the manifest of the whole demands something, what notes of a
 * part demand is held beside the demands alone, and not beside a version that is pinned, unless
 * the part has a manifest that says so. On what a package depends it says itself: its manifest is
 * told of where notes of the whole say what no package has. Cost: linear in claims. */
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/detect/rule.h"
#include "core/passage/passage.h"

/* A component, as slots name it: "web_". */
typedef struct {
  hm_str prefix;
  hm_str folder; /* "apps/web" */
} part;

typedef struct {
  const hm_scope *s;
  bool from_top;     /* paths begin at the top of a project, else with its folder */
  hm_map by_path[2]; /* of a note -> number of its part, NO_PART: it is about the whole; as if paths
                      * began with a folder of the project, and at its top */
  hm_map by_prefix;  /* -> number of the part */
  part *parts;
  size_t n, cap;
  hm_map slots;     /* 'p' of a part, 'w' of the whole, project and name -> its list */
  uint32_t *latest; /* by list: its last claim */
  uint32_t *before; /* by claim: the one before it in its list */
} reader;

enum { NO_PART = UINT32_MAX - 1, NONE = UINT32_MAX, ROWS_NAMED = 20, SHOWN = 80 };

/* The number of the part of this prefix, a new one if it is not known. */
static uint32_t add_part(reader *r, hm_str prefix, hm_str folder) {
  hm_arena *a = r->s->scratch;
  uint32_t out = hm_map_get(&r->by_prefix, prefix);
  if (out != HM_MAP_NONE)
    return out;
  r->parts = hm_array_grow_in(a, r->parts, r->n, &r->cap, sizeof *r->parts);
  r->parts[r->n] = (part){ prefix, folder };
  return hm_map_add(&r->by_prefix, prefix, (uint32_t)r->n++);
}

static uint32_t part_of_path(reader *r, hm_str path, bool from_top) {
  hm_arena *a = r->s->scratch;
  hm_map *by_path = &r->by_path[from_top];
  uint32_t known = hm_map_get(by_path, path);
  if (known != HM_MAP_NONE)
    return known;
  hm_str folder, component = note_component_of(path, from_top, a, &folder);
  hm_str prefix = hm_text_fold_name(a, component);
  uint32_t out = prefix.n ? add_part(r, HM_CAT(a, prefix, HM_STR("_")), folder) : NO_PART;
  return hm_map_add(by_path, hm_str_dup(a, path), out);
}

/* The part for whose folder a rule for agents is, as its slots begin: "apps/web/ node version". */
static uint32_t part_of_globs(reader *r, const hm_claim *c) {
  const hm_row *row = &r->s->snap->rows[c->row];
  hm_arena *a = r->s->scratch;
  size_t n = 0;
  while (n < row->slot_rule.n && row->slot_rule.p[n] != ' ')
    n++;
  hm_str folder = hm_str_sub(row->slot_rule, 0, n);
  if (!hm_str_is(row->type, "adaptation") || n < 2 || !hm_str_ends(folder, "/"))
    return NO_PART;
  hm_str prefix = HM_CAT(a, hm_text_fold_name(a, folder), HM_STR("_"));
  folder.n--;
  return hm_str_starts(c->name, hm_str_z(a, prefix)) ? add_part(r, prefix, folder) : NO_PART;
}

/* A list says what the part itself has, as the scripts of its manifest. */
static bool is_read(const hm_claim *c) {
  return (c->layer == HM_MEMORY || c->layer == HM_STATE) && !c->space.n && !c->twin.n &&
      !(c->layer == HM_STATE && c->value.kind == HM_V_SET);
}

static hm_str path_of(const reader *r, const hm_claim *c) {
  return hm_tree_line_path(hm_row_file_line(&r->s->snap->rows[c->row], r->s->scratch));
}

/* Begin the paths at the top of a project? Then a document or a manifest lies there. */
static bool is_from_top(const reader *r) {
  for (size_t i = 0; i < r->s->claims->n; i++) {
    const hm_claim *c = &r->s->claims->claims[i];
    hm_str path = is_read(c) ? path_of(r, c) : HM_EMPTY;
    if (path.n && !memchr(path.p, '/', path.n))
      return true;
  }
  return false;
}

/* The part that the claim is about; NO_PART: the whole; NONE: it is of no line of a note or a
 * manifest. Whether the first folder is a part, or the project itself, its slot says. */
static uint32_t part_of_claim(reader *r, const hm_claim *c) {
  hm_str path = path_of(r, c);
  uint32_t of = path.n ? part_of_globs(r, c) : NO_PART;
  if (of < NO_PART)
    return of;
  of = path.n && r->from_top ? part_of_path(r, path, true) : NONE;
  bool named = of < NO_PART && hm_str_starts(c->name, hm_str_z(r->s->scratch, r->parts[of].prefix));
  return named || !path.n ? of : part_of_path(r, path, false);
}

static hm_str key_of(const reader *r, char of, uint32_t project, hm_str name) {
  return hm_str_fmt(r->s->scratch, "%c%u %.*s", of, project, HM_FMT(name));
}

static void add_claim(reader *r, char of, uint32_t claim) {
  const hm_claim *c = &r->s->claims->claims[claim];
  hm_str key = key_of(r, of, c->project, c->name);
  uint32_t list = hm_map_get(&r->slots, key);
  r->before[claim] = list == HM_MAP_NONE ? NONE : r->latest[list];
  if (list == HM_MAP_NONE)
    list = hm_map_add(&r->slots, key, (uint32_t)r->slots.n);
  r->latest[list] = claim;
}

/* Are they one number: "^3.10", "3.10+"? How each is bounded above is no matter of a part. */
static bool is_same_number(hm_str x, hm_str y) {
  hm_str *both[] = { &x, &y };
  for (size_t i = 0; i < 2; i++) {
    hm_str *s = both[i];
    while (s->n && !hm_is_digit(s->p[0]))
      *s = hm_str_sub(*s, 1, s->n);
    while (s->n && !hm_is_digit(s->p[s->n - 1]))
      s->n--;
  }
  return x.n && hm_str_eq(x, y);
}

/* Does a part ask for less than the whole does, with no bound above: is what the whole has enough
 * for it? */
static bool asks_less(const hm_claim *of_part, const hm_claim *of_whole) {
  hm_str x = of_part->value.raw, y = of_whole->value.raw;
  hm_str *both[] = { &x, &y };
  for (size_t i = 0; i < 2; i++) {
    hm_str *s = both[i];
    bool least = hm_str_starts(*s, ">=");
    *s = hm_str_trim(hm_str_sub(*s, least ? 2 : 0, s->n));
    least |= hm_str_ends(*s, "+");
    s->n -= hm_str_ends(*s, "+");
    if (!least || !hm_is_version(*s))
      return false;
  }
  return hm_version_order(x, y) < 0;
}

/* Has the list a claim of notes, or of manifests? */
static bool has_layer(const reader *r, uint32_t list, hm_layer layer) {
  while (list != NONE && r->s->claims->claims[list].layer != layer)
    list = r->before[list];
  return list != NONE;
}

/* Do notes and the manifest of a part agree? Then it differs on purpose in what runs it. */
static bool says_itself(const reader *r, uint32_t at) {
  const hm_claim *all = r->s->claims->claims;
  for (uint32_t i = at; i != NONE; i = r->before[i])
    for (uint32_t k = at; k != NONE && all[i].layer == HM_MEMORY; k = r->before[k])
      if (all[k].layer == HM_STATE && !hm_claim_disagree(&all[i], &all[k], r->s->config, 2))
        return true;
  return false;
}

static bool is_demand_of_manifest(const hm_claim *c) {
  return c->layer == HM_STATE && hm_value_is_demand(&c->value);
}

/* The rows of a list from `at` on that differ from all of the list `other`; NONE: of any. Where the
 * slot is that of a package, a version in use is held beside those in use, if there are any.
 * Returns the first claim of them; NONE: there is none. */
static uint32_t add_rows(const reader *r, uint32_t at, uint32_t other, bool package, hm_finding *f,
                         hm_arena *a) {
  uint32_t first = NONE;
  size_t most = f->n_rows + ROWS_NAMED;
  const hm_claim *all = r->s->claims->claims;
  uint32_t manifest = other, used = other;
  while (manifest != NONE && !is_demand_of_manifest(&all[manifest]))
    manifest = r->before[manifest];
  while (used != NONE && hm_value_is_demand(&all[used].value))
    used = r->before[used];
  bool demands = manifest != NONE && !has_layer(r, at, HM_STATE);
  for (; at != NONE && f->n_rows < most; at = r->before[at]) {
    bool differs = true, demand = hm_value_is_demand(&all[at].value);
    bool alike = demand ? demands : package && used != NONE;
    for (uint32_t i = other; i != NONE && differs; i = r->before[i])
      differs = (alike && demand != hm_value_is_demand(&all[i].value)) ||
          (hm_claim_disagree(&all[at], &all[i], r->s->config, 2) &&
           !is_same_number(all[at].value.raw, all[i].value.raw) &&
           !((package || all[at].layer == HM_STATE) && asks_less(&all[at], &all[i])) &&
           !hm_version_refines(all[at].value.raw, all[i].value.raw));
    if (!differs)
      continue;
    first = first == NONE ? at : first;
    f->rows[f->n_rows++] = hm_row_ref(a, &r->s->snap->rows[all[at].row]);
  }
  return first;
}

static bool is_word_of(hm_str word, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_is(word, words[i]))
      return true;
  return false;
}

/* Does the part do as it likes: an example, a test, a site of documents, what was, what somebody
 * else made? */
static bool stands_apart(hm_str folder) {
  static const char *const apart[] = {
    "archive", "archived",      "demo",      "demos",   "deprecated", "docs",     "docusaurus",
    "example", "examples",      "external",  "fixture", "fixtures",   "legacy",   "obsolete",
    "old",     "sample",        "samples",   "script",  "scripts",    "template", "test",
    "tests",   "documentation", "templates", "third",   "tools",      "vendor"
  };
  for (size_t from = 0, i = 0; i <= folder.n; i++) {
    if (i < folder.n && !strchr("/-_.", folder.p[i]))
      continue;
    if (is_word_of(hm_str_sub(folder, from, i), apart, HM_COUNT(apart)))
      return true;
    from = i + 1;
  }
  return false;
}

/* Has every part one of its own? */
static bool is_of_each_part(hm_str slot) {
  static const char *const slots[] = { "cache_store",    "current_version", "database",
                                       "framework",      "hosting",         "language",
                                       "license",        "message_queue",   "orm",
                                       "package_scripts" };
  return is_word_of(slot, slots, HM_COUNT(slots));
}

/* Is it the version of what a package takes from others, and not of what runs it? */
static bool is_of_package(hm_str slot) {
  static const char *const runtimes[] = { "bun_version",  "deno_version", "go_version",
                                          "node_version", "npm_version",  "php_version",
                                          "pnpm_version", "ruby_version", "python_version",
                                          "rust_version", "yarn_version" };
  return hm_str_ends(slot, "_version") && !is_word_of(slot, runtimes, HM_COUNT(runtimes));
}

/* Parts that say otherwise than the whole in one slot: one finding. */
typedef struct {
  hm_str folder;
  uint32_t claim; /* its last one */
} part_claim;

typedef struct {
  hm_str slot;
  uint32_t whole; /* the last claim of the whole */
  part_claim *v;
  size_t n, cap;
} slot_of_parts;

static int by_folder(const void *x, const void *y) {
  return hm_str_cmp(((const part_claim *)x)->folder, ((const part_claim *)y)->folder);
}

typedef struct {
  hm_map by_slot;
  slot_of_parts *v;
  size_t n, cap;
} slots_of_parts;

/* of: the part of the claim, the last one of its list. */
static void collect(const reader *r, uint32_t claim, uint32_t of, slots_of_parts *all) {
  const hm_claim *c = &r->s->claims->claims[claim];
  hm_arena *a = r->s->scratch;
  const part *p = &r->parts[of];
  if (!hm_str_starts(c->name, hm_str_z(a, p->prefix)))
    return;
  hm_str rest = hm_str_sub(c->name, p->prefix.n, c->name.n), key = key_of(r, 'w', c->project, rest);
  uint32_t list = hm_map_get(&r->slots, key);
  if (list == HM_MAP_NONE || stands_apart(p->folder) || is_of_each_part(rest))
    return;
  uint32_t at = hm_map_add(&all->by_slot, key, (uint32_t)all->n);
  if (at == all->n) {
    all->v = hm_array_grow_in(a, all->v, all->n, &all->cap, sizeof *all->v);
    all->v[all->n++] = (slot_of_parts){ .slot = rest, .whole = r->latest[list] };
  }
  slot_of_parts *slot = &all->v[at];
  slot->v = hm_array_grow_in(a, slot->v, slot->n, &slot->cap, sizeof *slot->v);
  slot->v[slot->n++] = (part_claim){ p->folder, claim };
}

static void tell(const reader *r, const slot_of_parts *slot, hm_found *out) {
  enum { PARTS_SHOWN = 4 };
  hm_arena *a = hm_found_arena(out);
  const hm_claim *all = r->s->claims->claims, *whole = &all[slot->whole];
  hm_finding f = { .project = r->s->snap->projects[whole->project].id,
                   .rows = hm_alloc_array(a, (slot->n + 1) * ROWS_NAMED, sizeof *f.rows),
                   .key = hm_str_dup(a, slot->slot),
                   .message = HM_CAT(a, hm_text_cut(slot->slot, SHOWN), HM_STR(": ")) };
  size_t told = 0;
  bool own = is_of_package(slot->slot), known = !has_layer(r, slot->whole, HM_MEMORY);
  qsort(slot->v, slot->n, sizeof *slot->v, by_folder);
  /* manifests by themselves say each which version or edition it needs */
  bool own_need = hm_str_ends(slot->slot, "_version") || hm_str_is(slot->slot, "rust_edition");
  bool noted = !known || !own_need;
  for (size_t i = 0; i < slot->n && !noted; i++)
    noted = has_layer(r, slot->v[i].claim, HM_MEMORY);
  if (!noted)
    return;
  for (size_t i = 0; i < slot->n && own && !known; i++) {
    hm_finding other = { .rows = f.rows };
    add_rows(r, slot->v[i].claim, slot->whole, own, &other, a);
    known = !other.n_rows;
  }
  for (size_t i = 0; i < slot->n; i++) {
    size_t before = f.n_rows;
    const hm_claim *c = &all[slot->v[i].claim];
    if (own ? known && c->layer == HM_STATE : says_itself(r, slot->v[i].claim))
      continue;
    uint32_t first = add_rows(r, slot->v[i].claim, slot->whole, own, &f, a);
    c = first == NONE ? c : &all[first];
    for (uint32_t k = slot->whole; f.n_rows > before && !told && k != NONE; k = r->before[k])
      if (hm_claim_disagree(c, &all[k], r->s->config, 2)) {
        whole = &all[k];
        break;
      }
    hm_str says = HM_CAT(a, hm_text_cut(c->value.raw, SHOWN), HM_STR(" for "), slot->v[i].folder,
                         HM_STR(", "));
    bool again = hm_str_ends(f.message, hm_str_z(a, says)); /* in a rule for its files, too */
    if (f.n_rows > before && !again && told++ < PARTS_SHOWN)
      f.message = HM_CAT(a, f.message, says);
  }
  if (!f.n_rows)
    return;
  if (told > PARTS_SHOWN)
    f.message = HM_CAT(a, f.message, hm_str_fmt(a, "others for %zu more, ", told - PARTS_SHOWN));
  add_rows(r, slot->whole, NONE, false, &f, a);
  f.message = HM_CAT(a, f.message, hm_text_cut(whole->value.raw, SHOWN), HM_STR(" for the whole"));
  hm_found_add_finding(out, f);
}

void hm_find_other_in_part(const hm_scope *s, hm_found *out) {
  reader r = { .s = s };
  slots_of_parts all = { .n = 0 };
  uint32_t n = (uint32_t)s->claims->n;
  uint32_t *of = hm_alloc_array(s->scratch, n + 1, sizeof *of);
  r.from_top = is_from_top(&r);
  hm_map_init(&r.by_path[0], s->scratch, 64);
  hm_map_init(&r.by_path[1], s->scratch, 64);
  hm_map_init(&r.by_prefix, s->scratch, 64);
  for (uint32_t i = 0; i < n; i++) {
    const hm_claim *c = &s->claims->claims[i];
    of[i] = is_read(c) ? part_of_claim(&r, c) : NONE;
  }
  if (!r.n)
    return;
  r.latest = hm_alloc_array(s->scratch, n, sizeof *r.latest);
  r.before = hm_alloc_array(s->scratch, n, sizeof *r.before);
  hm_map_init(&r.slots, s->scratch, 64);
  hm_map_init(&all.by_slot, s->scratch, 64);
  for (uint32_t i = 0; i < n; i++) {
    const hm_claim *c = &s->claims->claims[i];
    if (of[i] < NO_PART)
      add_claim(&r, 'p', i);
    else if (of[i] == NO_PART || (is_read(c) && c->layer == HM_STATE))
      add_claim(&r, 'w', i);
  }
  for (uint32_t i = 0; i < n; i++) {
    const hm_claim *c = &s->claims->claims[i];
    if (of[i] < NO_PART &&
        r.latest[hm_map_get(&r.slots, key_of(&r, 'p', c->project, c->name))] == i)
      collect(&r, i, of[i], &all);
  }
  for (size_t i = 0; i < all.n; i++)
    tell(&r, &all.v[i], out);
}
