#include <stdio.h>
#include <stdlib.h>

#include "core/base/digest.h"
#include "gen/render/program.h"

static const char *const suffixes[HM_N_DIALECTS] = { ".md", ".html", "" };

static hm_dialect dialect_of(hm_str name) {
  int d = 0;
  while (!hm_str_ends(name, suffixes[d])) d++;
  return (hm_dialect)d;
}

uint32_t hm_partial_find(const hm_templates *t, hm_dialect dialect, hm_str name) {
  static const char *const folders[] = { "partials/", "" };
  char path[256];
  if (name.n > sizeof path - 32) return HM_NO_TARGET;
  for (size_t i = 0; i < 2; i++) {
    int n = snprintf(path, sizeof path, "%s%.*s%s", folders[i], HM_FMT(name), suffixes[dialect]);
    uint32_t found = hm_map_get(&t->by_name, (hm_str){ path, (size_t)n });
    if (found != HM_MAP_NONE) return found;
  }
  return HM_NO_TARGET;
}

static void add_file(hm_templates *t, const hm_template_file *f) {
  uint32_t at = hm_map_get(&t->by_name, f->name);
  if (at == HM_MAP_NONE) {
    at = t->n++;
    t->programs[at].name = hm_str_dup(t->a, f->name);
    hm_map_add(&t->by_name, t->programs[at].name, at);
  }
  hm_program *p = &t->programs[at];
  p->origin = hm_str_dup(t->a, f->origin);
  p->bytes = hm_str_dup(t->a, f->bytes);
  p->dialect = dialect_of(p->name);
}

/* Plain Mustache renders nothing for what is not there; in a page of ours that
 * is a misspelling. */
static int link_program(hm_templates *t, hm_program *p, hm_err *err) {
  for (uint32_t i = 0; i < p->n; i++) {
    hm_ins *ins = &p->code[i];
    if ((ins->op != HM_OP_PARTIAL && ins->op != HM_OP_PARENT) || ins->flags & HM_INS_DYNAMIC)
      continue;
    ins->target = hm_partial_find(t, p->dialect, ins->text);
    if (ins->target == HM_NO_TARGET && p->dialect != HM_PLAIN_TEMPLATE)
      return hm_program_fail(p, ins->line, err, "add it, or correct the name",
                             "there is no template %.*s%s or partials/%.*s%s", HM_FMT(ins->text),
                             suffixes[p->dialect], HM_FMT(ins->text), suffixes[p->dialect]);
  }
  return 0;
}

static int by_name(const void *a, const void *b) {
  return hm_str_cmp((*(hm_program *const *)a)->name, (*(hm_program *const *)b)->name);
}

static hm_str digest(hm_templates *t) {
  hm_program **sorted = hm_alloc_array(t->a, t->n, sizeof *sorted);
  for (uint32_t i = 0; i < t->n; i++) sorted[i] = &t->programs[i];
  if (t->n) qsort(sorted, t->n, sizeof *sorted, by_name);
  hm_sha256 h;
  hm_sha256_init(&h);
  for (uint32_t i = 0; i < t->n; i++) {
    hm_sha256_field(&h, sorted[i]->name);
    hm_sha256_field(&h, sorted[i]->bytes);
  }
  return hm_sha256_hex(&h, t->a, 64);
}

int hm_templates_compile(const hm_template_file *files, size_t n, hm_templates **out, hm_err *err) {
  hm_arena *a = hm_arena_new();
  hm_templates *t = hm_alloc(a, sizeof *t);
  t->a = a;
  t->programs = hm_alloc_array(a, n, sizeof *t->programs);
  hm_map_init(&t->by_name, a, n);
  for (size_t i = 0; i < n; i++) add_file(t, &files[i]);
  int rc = 0;
  for (uint32_t i = 0; i < t->n && !rc; i++) rc = hm_program_compile(a, &t->programs[i], err);
  for (uint32_t i = 0; i < t->n && !rc; i++) rc = link_program(t, &t->programs[i], err);
  if (rc) {
    hm_arena_free(a);
    return rc;
  }
  t->digest = digest(t);
  *out = t;
  return 0;
}

void hm_templates_free(hm_templates *t) {
  if (t) hm_arena_free(t->a);
}

bool hm_templates_has(const hm_templates *t, hm_str name) {
  return hm_map_get(&t->by_name, name) != HM_MAP_NONE;
}

hm_str hm_templates_digest(const hm_templates *t) { return t->digest; }
