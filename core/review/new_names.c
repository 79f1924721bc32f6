/* Which names of projects and types are new, for one row and for an import. */
#include "core/review/new_names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/json.h"
#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/claim/slot.h"
#include "core/store/lookup.h"

enum { SHOWN = 80 };

/* --- what the specification has -------------------------------------------------- */

static const char *const memory_types[] = { "identity",  "preference", "project", "episodic",
                                            "knowledge", "adaptation", NULL };
static const char *const entity_types[] = { "Project",     "Subsystem",       "Component",
                                            "Requirement", "Constraint",      "Decision",
                                            "Material",    "Parameter",       "AnalysisModel",
                                            "Result",      "ValidationClaim", "Artifact",
                                            NULL };
static const char *const relation_types[] = {
  "AFFECTS",        "BELONGS_TO",      "CAUSED",        "CHILD_OF",
  "CONTAINS",       "CONTROLS",        "CREATED",       "DESCENDED_FROM",
  "EXISTED_DURING", "HOLDS_OFFICE",    "LOCATED_IN",    "MEMBER_OF",
  "OCCURRED_AT",    "OCCURRED_DURING", "PARENT_OF",     "PARTICIPATED_IN",
  "PART_OF",        "POSSESSES",       "REQUIRES",      "RULES",
  "SATISFIES",      "SPOUSE_OF",       "SUPERSEDED_BY", "SUPERSEDES",
  "SUPPORTS",       "USES_MATERIAL",   "WITNESSED",     NULL
};
static const char *const none[] = { NULL };

static const struct {
  const char *word;
  const char *const *specified;
} kinds[HM_NAME_KINDS] = {
  [HM_NAME_PROJECT] = { "project", none },
  [HM_NAME_MEMORY_TYPE] = { "memory type", memory_types },
  [HM_NAME_ENTITY_TYPE] = { "entity type", entity_types },
  [HM_NAME_RELATION_TYPE] = { "relation type", relation_types },
};

/* A type that the specification has, as far as rows of it are read as such. */
static bool new_names_specified(hm_name_kind kind, hm_str name) {
  hm_arena *a = hm_arena_new();
  bool found = false;
  hm_str key = kind == HM_NAME_ENTITY_TYPE ? hm_entity_type_key(a, name)
      : kind == HM_NAME_RELATION_TYPE      ? hm_text_fold_name(a, name)
                                           : name;
  if (kind == HM_NAME_ENTITY_TYPE)
    found = hm_entity_type_find(key) != NULL;
  for (const char *const *t = kinds[kind].specified; *t && !found; t++)
    found = strlen(*t) == key.n && strncasecmp(*t, key.p, key.n) == 0;
  hm_arena_free(a);
  return found;
}

hm_str hm_new_name_words(const hm_new_name *n, hm_arena *a) {
  hm_str name = hm_text_cut(n->name, SHOWN), near = hm_text_cut(n->nearest, SHOWN), rows = HM_EMPTY;
  if (n->rows > 1)
    rows = hm_str_fmt(a, ", on %lld rows", (long long)n->rows);
  if (n->fits[1].n) {
    hm_str one = hm_text_cut(n->fits[0], SHOWN), two = hm_text_cut(n->fits[1], SHOWN);
    return hm_str_fmt(
        a, "project '%.*s'%.*s means '%.*s' or '%.*s', so it stays apart; give the id of one",
        HM_FMT(name), HM_FMT(rows), HM_FMT(one), HM_FMT(two));
  }
  hm_str known = near.n ? hm_str_fmt(a, "; nearest known: '%.*s'", HM_FMT(near)) : HM_EMPTY;
  return hm_str_fmt(a, "%s '%.*s' is new%.*s%.*s", kinds[n->kind].word, HM_FMT(name), HM_FMT(rows),
                    HM_FMT(known));
}

/* The names that one may be meant to be, for hm_find_near_name: these and, of a type, those of the
 * specification, which come after them; in a. */
static size_t new_names_candidates(hm_name_kind kind, const hm_str *names, size_t n, hm_arena *a,
                                   hm_known_name **out) {
  const char *const *specified = kinds[kind].specified;
  size_t more = 0;
  while (specified[more])
    more++;
  hm_known_name *all = *out = hm_alloc_array(a, n + more, sizeof *all);
  for (size_t i = 0; i < n; i++)
    all[i] = hm_known_name_fold(names[i], a);
  for (size_t i = 0; i < more; i++)
    all[n + i] = hm_known_name_fold(hm_str_c(specified[i]), a);
  return n + more;
}

/* --- one row ------------------------------------------------------------------------ */

/* Has another row of these layers this project, or (layer) this type? */
static bool is_used(const hm_snapshot *snap, uint32_t row, hm_layer layer) {
  const hm_row *own = &snap->rows[row];
  size_t i = layer ? snap->first[layer] : 0, end = layer ? snap->first[layer + 1] : snap->n_rows;
  while (
      i < end &&
      (i == row ||
       !(layer ? hm_str_eq(snap->rows[i].type, own->type) : snap->rows[i].project == own->project)))
    i++;
  return i < end;
}

/* The distinct types of a layer, without that of the row; or the projects, by id, alias and as rows
 * name them. */
static size_t used_names(const hm_snapshot *snap, uint32_t row, hm_layer layer, hm_arena *a,
                         hm_str **out) {
  hm_map seen;
  size_t n = 0, cap = 0;
  *out = NULL;
  hm_map_init(&seen, a, 16);
  hm_str own = layer ? snap->rows[row].type : snap->projects[snap->rows[row].project].id;
  hm_map_add(&seen, own, 0);
  for (size_t i = layer ? snap->first[layer] : 0; layer && i < snap->first[layer + 1]; i++) {
    size_t had = seen.n;
    hm_map_add(&seen, snap->rows[i].type, 0);
    if (seen.n == had)
      continue;
    *out = hm_array_grow_in(a, *out, n, &cap, sizeof **out);
    (*out)[n++] = snap->rows[i].type;
  }
  for (size_t i = 0; !layer && i < snap->n_projects + snap->n_loose; i++) {
    bool loose = i >= snap->n_projects;
    const hm_project *p = loose ? NULL : &snap->projects[i];
    hm_str id = loose ? snap->loose[i - snap->n_projects] : p->id;
    for (size_t k = 0; k < (loose ? 1 : 1 + p->n_aliases); k++) {
      hm_str name = k ? p->aliases[k - 1] : id;
      size_t had = seen.n;
      hm_map_add(&seen, name, 0);
      if (seen.n == had || !name.n)
        continue;
      *out = hm_array_grow_in(a, *out, n, &cap, sizeof **out);
      (*out)[n++] = name;
    }
  }
  return n;
}

/* An end of a relation that is no id, but the name of an entity. */
static void tell_named_end(const hm_snapshot *snap, const hm_row *r, const char *end, hm_str id,
                           hm_arena *a, hm_str *out, size_t *n) {
  if (!id.n || hm_snapshot_ref(snap, HM_ENTITY, id) != HM_MAP_NONE)
    return;
  size_t i = snap->first[HM_ENTITY];
  while (i < snap->first[HM_ENTITY + 1] &&
         (snap->rows[i].project != r->project || !hm_str_eq(snap->rows[i].name, id)))
    i++;
  if (i < snap->first[HM_ENTITY + 1])
    out[(*n)++] = hm_str_fmt(a, "%s '%.*s' is no id, but the name of %.*s", end,
                             HM_FMT(hm_text_cut(id, SHOWN)), HM_FMT(hm_row_ref(a, &snap->rows[i])));
}

void hm_new_names_of_row(const hm_snapshot *snap, uint32_t row, hm_arena *a, hm_str **out,
                         size_t *n) {
  static const struct {
    hm_name_kind kind;
    hm_layer layer;
  } names[] = {
    { HM_NAME_PROJECT, 0 },
    { HM_NAME_MEMORY_TYPE, HM_MEMORY },
    { HM_NAME_ENTITY_TYPE, HM_ENTITY },
  };
  const hm_row *r = &snap->rows[row];
  const hm_project *project = &snap->projects[r->project];
  *out = hm_alloc_array(a, HM_COUNT(names) + 3, sizeof **out);
  *n = 0;
  if (r->layer == HM_MEMORY && new_names_specified(HM_NAME_ENTITY_TYPE, r->type) &&
      !new_names_specified(HM_NAME_MEMORY_TYPE, r->type))
    (*out)[(*n)++] = hm_str_fmt(a, "'%.*s' is a type of entities: an entity has a name",
                                HM_FMT(hm_text_cut(r->type, SHOWN)));
  if (r->layer == HM_RELATION) {
    tell_named_end(snap, r, "from", r->from, a, *out, n);
    tell_named_end(snap, r, "to", r->to, a, *out, n);
  }
  for (size_t i = 0; i < HM_COUNT(names); i++) {
    hm_layer layer = names[i].layer;
    hm_new_name found = { .kind = names[i].kind,
                          .name = layer ? r->type : project->id,
                          .nearest = HM_EMPTY };
    hm_str *used;
    hm_known_name *known;
    bool twofold = !layer && project->fits[1].n;
    if ((layer && layer != r->layer) || !found.name.n || (!layer && project->declared) ||
        new_names_specified(found.kind, found.name) || (!twofold && is_used(snap, row, layer)))
      continue;
    if (twofold)
      found.fits[0] = project->fits[0], found.fits[1] = project->fits[1];
    size_t n_used = used_names(snap, row, layer, a, &used);
    n_used = new_names_candidates(found.kind, used, n_used, a, &known);
    found.nearest = hm_find_near_name(found.name, known, n_used);
    if (!layer || found.nearest.n)
      (*out)[(*n)++] = hm_new_name_words(&found, a);
  }
}

/* --- those of an import, reported together --------------------------------------------- */

/* Names of a kind for which a near one is looked for, and with how many names they are compared in
 * all. */
enum { LOOKED_AT = 500, COMPARED = 2000000 };

typedef struct {
  hm_str name;
  int64_t rows;
  bool known;
} met;

struct hm_import_names {
  hm_arena *a;
  hm_map seen[HM_NAME_KINDS]; /* name -> index into met */
  met *met[HM_NAME_KINDS];
  size_t n[HM_NAME_KINDS], cap[HM_NAME_KINDS];
  hm_map before[HM_NAME_KINDS]; /* names that rows of the store had, once they were read */
  bool read[HM_NAME_KINDS];
};

hm_import_names *hm_import_names_new(void) {
  hm_import_names *c = memset(hm_xmalloc(sizeof *c), 0, sizeof *c);
  c->a = hm_arena_new();
  for (int k = 0; k < HM_NAME_KINDS; k++)
    hm_map_init(&c->seen[k], c->a, 16);
  return c;
}

void hm_import_names_free(hm_import_names *c) {
  if (!c)
    return;
  for (int k = 0; k < HM_NAME_KINDS; k++)
    free(c->met[k]);
  hm_arena_free(c->a);
  free(c);
}

int hm_import_names_see(void *ctx, hm_store *s, hm_name_kind kind, hm_str name, hm_err *err) {
  hm_import_names *c = ctx;
  uint32_t i = hm_map_get(&c->seen[kind], name);
  if (i != HM_MAP_NONE) {
    c->met[kind][i].rows++;
    return 0;
  }
  bool known = new_names_specified(kind, name);
  if (!known && kind == HM_NAME_PROJECT && hm_project_name_is_declared(s, name, &known, err))
    return -1;
  if (!known && !c->read[kind]) {
    /* What rows of the store have before the first name comes that is not known otherwise. */
    hm_str *names;
    size_t n;
    if (hm_names_all(s, kind, c->a, &names, &n, err))
      return -1;
    hm_map_init(&c->before[kind], c->a, n);
    for (size_t k = 0; k < n; k++)
      if (names[k].n && hm_map_get(&c->seen[kind], names[k]) == HM_MAP_NONE)
        hm_map_add(&c->before[kind], names[k], 0);
    c->read[kind] = true;
  }
  if (!known)
    known = hm_map_get(&c->before[kind], name) != HM_MAP_NONE;
  c->met[kind] = hm_array_grow(c->met[kind], c->n[kind], &c->cap[kind], sizeof(met));
  name = hm_str_dup(c->a, name);
  hm_map_add(&c->seen[kind], name, (uint32_t)c->n[kind]);
  c->met[kind][c->n[kind]++] = (met){ name, 1, known };
  return 0;
}

static int by_name(const void *x, const void *y) {
  const hm_new_name *a = x, *b = y;
  return a->kind != b->kind ? (int)a->kind - (int)b->kind : hm_str_natural_cmp(a->name, b->name);
}

/* Selects the names of one kind to report. In a store without projects all are new, so only those
 * near to another are reported. */
static int judge_kind(hm_import_names *c, hm_store *s, hm_name_kind kind, hm_arena *a,
                      hm_new_name *out, size_t *n, hm_err *err) {
  hm_project_names names;
  hm_known_name *all = NULL, *some = NULL;
  const met **met_of = NULL; /* of the known names: what the import met of it, or NULL */
  size_t n_all = 0, looked_at = 0, compared = 0;
  hm_project_names_init(&names, c->a);
  if (kind == HM_NAME_PROJECT && hm_project_names_read(s, c->a, &names, err))
    return -1;
  for (size_t i = 0; i < c->n[kind]; i++) {
    const met *m = &c->met[kind][i];
    const hm_project_fit *fit = hm_project_names_find(&names, m->name);
    bool twofold = fit && fit->other.n, declared = m->known && !twofold;
    if (!declared && kind == HM_NAME_PROJECT &&
        hm_project_name_is_declared(s, m->name, &declared, err))
      return -1;
    if (declared || (fit && !twofold))
      continue;
    hm_new_name found = { kind, hm_str_dup(a, m->name), HM_EMPTY, m->rows, { HM_EMPTY, HM_EMPTY } };
    if (twofold) {
      found.fits[0] = hm_str_dup(a, fit->project);
      found.fits[1] = hm_str_dup(a, fit->other);
      out[(*n)++] = found;
      continue;
    }
    if (!some) {
      hm_str *texts;
      size_t n_texts;
      if (hm_names_all(s, kind, c->a, &texts, &n_texts, err))
        return -1;
      n_all = new_names_candidates(kind, texts, n_texts, c->a, &all);
      some = hm_alloc_array(c->a, n_all, sizeof *some);
      met_of = hm_alloc_array(c->a, n_all, sizeof *met_of);
      for (size_t k = 0; k < n_texts; k++) {
        uint32_t at = hm_map_get(&c->seen[kind], texts[k]);
        met_of[k] = at == HM_MAP_NONE ? NULL : &c->met[kind][at];
      }
    }
    if (looked_at++ < LOOKED_AT && compared < COMPARED) {
      /* Names that were there before; of new ones those with more rows. */
      size_t n_some = 0;
      for (size_t k = 0; k < n_all; k++)
        if (!met_of[k] || met_of[k]->known || met_of[k]->rows > m->rows)
          some[n_some++] = all[k];
      found.nearest = hm_str_dup(a, hm_find_near_name(m->name, some, n_some));
    }
    compared += n_all;
    if (found.nearest.n || (kind == HM_NAME_PROJECT && c->before[kind].n))
      out[(*n)++] = found;
  }
  return 0;
}

int hm_import_names_report(hm_import_names *c, hm_store *s, hm_arena *a, hm_new_name **out,
                           size_t *n, hm_err *err) {
  size_t most = 0;
  for (int k = 0; k < HM_NAME_KINDS; k++)
    most += c->n[k];
  *out = hm_alloc_array(a, most, sizeof **out);
  *n = 0;
  for (int k = 0; k < HM_NAME_KINDS; k++)
    if (judge_kind(c, s, (hm_name_kind)k, a, *out, n, err))
      return -1;
  if (*n)
    qsort(*out, *n, sizeof **out, by_name);
  return 0;
}
