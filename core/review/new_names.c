/* Which names of projects and types are new, for one row and for an import. */
#include "core/review/new_names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/json.h"
#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/claim/slot.h"
#include "core/store/claim_index.h"
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
  hm_index_kind index;
} kinds[HM_NAME_KINDS] = {
  [HM_NAME_PROJECT] = { "project", none, HM_INDEX_PROJECT_NAME },
  [HM_NAME_MEMORY_TYPE] = { "memory type", memory_types, HM_INDEX_MEMORY_TYPE },
  [HM_NAME_ENTITY_TYPE] = { "entity type", entity_types, HM_INDEX_ENTITY_TYPE },
  [HM_NAME_RELATION_TYPE] = { "relation type", relation_types, 0 },
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

int hm_new_names_learn(hm_store *s, const hm_snapshot *snap, hm_err *err) {
  static const struct {
    hm_layer layer;
    hm_index_kind kind;
  } types[] = { { HM_MEMORY, HM_INDEX_MEMORY_TYPE }, { HM_ENTITY, HM_INDEX_ENTITY_TYPE } };
  hm_arena *a = hm_arena_new();
  int rc = 0;
  for (size_t i = 0; i < snap->n_projects && !rc; i++)
    if (snap->projects[i].id.n)
      rc = hm_index_add_name(s, HM_INDEX_PROJECT_NAME, snap->projects[i].id, err);
  for (size_t i = 0; i < snap->n_loose && !rc; i++)
    rc = hm_index_add_name(s, HM_INDEX_PROJECT_NAME, snap->loose[i], err);
  for (size_t t = 0; t < HM_COUNT(types) && !rc; t++) {
    hm_map seen;
    hm_str last = HM_EMPTY;
    hm_map_init(&seen, a, 16);
    for (size_t i = snap->first[types[t].layer]; i < snap->first[types[t].layer + 1] && !rc; i++) {
      hm_str type = snap->rows[i].type;
      size_t had = seen.n;
      if (hm_str_eq(type, last))
        continue; /* neighbours are often alike */
      hm_map_add(&seen, last = type, 0);
      if (seen.n > had)
        rc = hm_index_add_name(s, types[t].kind, type, err);
    }
  }
  hm_arena_free(a);
  return rc;
}

/* fit: the meaning of a project's name that is neither an id nor an alias. */
static int is_known(hm_store *s, hm_name_kind kind, hm_str name, hm_arena *a, hm_project_fit *fit,
                    bool *known, hm_err *err) {
  *known = !name.n || new_names_specified(kind, name);
  if (!*known && kind == HM_NAME_PROJECT) {
    hm_project_names names;
    if (hm_project_name_is_declared(s, name, known, err) || *known)
      return *known ? 0 : -1;
    if (hm_project_names_read(s, a, &names, err))
      return -1;
    const hm_project_fit *found = hm_project_names_find(&names, name);
    if (found)
      *fit = *found;
    *known = found && !fit->other.n;
  }
  return *known || fit->other.n ? 0 : hm_index_has_name(s, kinds[kind].index, name, known, err);
}

/* The index has names of rows; declared projects and aliases need no row. */
static int find_nearest(hm_store *s, hm_name_kind kind, hm_str name, hm_arena *a, hm_str *near,
                        hm_err *err) {
  hm_str *used, *declared = NULL, *all;
  size_t n, n_declared = 0;
  if (hm_index_list_names(s, kinds[kind].index, a, &used, &n, err))
    return -1;
  if (kind == HM_NAME_PROJECT && hm_names_of_projects(s, a, &declared, &n_declared, err))
    return -1;
  all = hm_alloc_array(a, n + n_declared, sizeof *all);
  if (n)
    memcpy(all, used, n * sizeof *all);
  if (n_declared)
    memcpy(all + n, declared, n_declared * sizeof *all);
  hm_known_name *known;
  n = new_names_candidates(kind, all, n + n_declared, a, &known);
  *near = hm_find_near_name(name, known, n);
  return 0;
}

int hm_new_names_find_in_row(hm_store *s, hm_layer layer, hm_str record, hm_arena *a, hm_str **out,
                             size_t *n, hm_err *err) {
  static const struct {
    hm_name_kind kind;
    const char *key;
    hm_layer layer;
  } names[] = {
    { HM_NAME_PROJECT, "project", 0 },
    { HM_NAME_MEMORY_TYPE, "memory_type", HM_MEMORY },
    { HM_NAME_ENTITY_TYPE, "entity_type", HM_ENTITY },
  };
  hm_json *v;
  *out = hm_alloc_array(a, HM_COUNT(names), sizeof **out);
  *n = 0;
  if (hm_json_parse(a, record, &v, err))
    return -1;
  for (size_t i = 0; i < HM_COUNT(names); i++) {
    const hm_json *name = hm_json_get(v, names[i].key);
    hm_new_name found = { .kind = names[i].kind, .nearest = HM_EMPTY };
    hm_project_fit fit = { HM_EMPTY, HM_EMPTY };
    bool known;
    if (!name || name->type != HM_JSON_STRING || (names[i].layer && names[i].layer != layer))
      continue;
    if (is_known(s, found.kind, found.name = name->text, a, &fit, &known, err))
      return -1;
    if (known)
      continue;
    if (fit.other.n)
      found.fits[0] = fit.project, found.fits[1] = fit.other;
    if (find_nearest(s, found.kind, found.name, a, &found.nearest, err))
      return -1;
    if (found.kind == HM_NAME_PROJECT || found.nearest.n)
      (*out)[(*n)++] = hm_new_name_words(&found, a);
  }
  return 0;
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
