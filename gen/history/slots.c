#include "gen/history/slots.h"

#include "core/base/json.h"

typedef struct {
  hm_snapshot snap;
  hm_map projects, referred;
  const hm_folders *folders;
  hm_arena *a;
} stage;

static uint32_t project_of(stage *s, hm_str folder) {
  hm_str id = s->folders->project(s->folders->ctx, folder);
  uint32_t at = hm_map_add(&s->projects, id, (uint32_t)s->snap.n_projects);
  if (at == s->snap.n_projects) s->snap.projects[s->snap.n_projects++] = (hm_project){ .id = id };
  return at;
}

static hm_str text_of(const hm_fact *f, const char *name) {
  const hm_shown *s = hm_fact_shown(f, hm_str_c(name), true);
  return s ? s->value : HM_EMPTY;
}

static hm_str line_of(const hm_fact *f, const char *name) {
  const hm_shown *s = hm_fact_shown(f, hm_str_c(name), false);
  return s ? s->value : HM_EMPTY;
}

static hm_str props_of(const hm_fact *f, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  for (size_t i = 0; i < f->n; i++)
    if (f->shown[i].own) hm_jw_str(&w, hm_str_z(a, f->shown[i].name), f->shown[i].value);
  hm_jw_end(&w);
  hm_str s = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return s;
}

static hm_row *add(stage *s, hm_layer layer, hm_str folder, hm_status status) {
  hm_row *r = &s->snap.rows[s->snap.n_rows++];
  *r = (hm_row){ .layer = layer, .status = status, .project = project_of(s, folder) };
  return r;
}

/* Every version is active here: what a row that was superseded had claimed is told by its slot,
 * too. */
static void put_fact(stage *s, const hm_fact *f) {
  bool claims = f->layer != HM_RELATION;
  hm_row *r = add(s, claims ? f->layer : HM_MEMORY, f->folder, claims ? HM_ACTIVE : HM_SUPERSEDED);
  r->id = f->id;
  r->type = f->type;
  r->name = f->name;
  if (f->layer == HM_MEMORY) {
    r->text = text_of(f, "content");
    r->slot_rule = line_of(f, "Slot rule");
    r->scope = line_of(f, "Scope");
    hm_str polarity = line_of(f, "Polarity");
    if (polarity.n && !hm_str_is(polarity, "0")) r->polarity = polarity.p[0] == '-' ? -1 : 1;
  } else if (f->layer == HM_STATE) {
    r->text = text_of(f, "value");
  } else if (f->layer == HM_ENTITY) {
    r->props = props_of(f, s->a);
  }
}

/* An entity that a property refers to, by its real id. */
static void put_referred(stage *s, const hm_fact *f, const hm_shown *p) {
  if (!p->refers.n || hm_map_get(&s->referred, p->value) != HM_MAP_NONE) return;
  hm_map_add(&s->referred, p->value, 1);
  hm_row_index_add(&s->snap.by_id[HM_ENTITY], p->value, (uint32_t)s->snap.n_rows);
  hm_row *r = add(s, HM_ENTITY, f->folder, HM_SUPERSEDED);
  r->id = p->value;
  r->name = p->refers;
}

static void set_stage(stage *s, const hm_fact *const *facts, size_t n) {
  size_t shown = 0;
  for (size_t i = 0; i < n; i++) shown += facts[i]->n;
  s->snap.rows = hm_alloc_array(s->a, n + shown + 1, sizeof *s->snap.rows);
  s->snap.projects = hm_alloc_array(s->a, n + 1, sizeof *s->snap.projects);
  hm_map_init(&s->projects, s->a, 16);
  hm_map_init(&s->referred, s->a, 16);
  for (int l = 0; l < 5; l++)
    hm_row_index_init(&s->snap.by_id[l], s->a, l == HM_ENTITY ? shown : 0);
  for (size_t i = 0; i < n; i++) put_fact(s, facts[i]);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < facts[i]->n; k++) put_referred(s, facts[i], &facts[i]->shown[k]);
}

static void keep(const stage *s, const hm_claim *c, const hm_fact_index *x, hm_saids *out,
                 hm_arena *a) {
  const hm_fact *f = x->fact;
  const hm_shown *shown = hm_fact_find(x, c->field, true);
  out->v[out->n++] =
      (hm_said){ .field = hm_str_dup(a, c->field),
                 .key = hm_claim_slot_key(a, &s->snap, c),
                 .value =
                     f->layer == HM_MEMORY || !shown ? hm_str_dup(a, c->value.raw) : shown->value };
}

int hm_slots_of(const hm_fact *const *facts, size_t n, const hm_folders *folders,
                const hm_rules *rules, hm_arena *a, hm_saids **out, hm_err *err) {
  stage s = { .folders = folders, .a = hm_arena_new() };
  hm_claims *claims = NULL;
  hm_fact_index of_row = { 0 };   /* claims come row by row */
  *out = hm_alloc_array(a, n + 1, sizeof **out);
  set_stage(&s, facts, n);
  int rc = hm_claims_of(&s.snap, rules, 1, &claims, err);
  for (size_t i = 0; rc == 0 && i < claims->n; i++) {
    const hm_claim *c = &claims->claims[i];
    hm_saids *of = &(*out)[c->row];
    if (!of->v) of->v = hm_alloc_array(a, facts[c->row]->n + 1, sizeof *of->v);
    if (of_row.fact != facts[c->row]) hm_fact_index_of(facts[c->row], s.a, &of_row);
    if (of->n <= facts[c->row]->n) keep(&s, c, &of_row, of, a);
  }
  hm_claims_free(claims);
  hm_arena_free(s.a);
  return rc;
}
