/* Parses lines of data files to facts, and finds their claims and pairs: fact.h.
 *
 * A missing member of a line is empty; a member of the wrong type counts as missing. For the claims
 * the facts become a snapshot, which core/claim reads as it reads the store's.
 * Cost: linear in the bytes. */
#include "gen/history/fact.h"
#include <stdlib.h>
#include <string.h>
#include "core/base/json.h"
#include "core/claim/relation.h"

/* Facts about a row that are not its fields, named by the words of the pages. */
static const struct {
  const char *key, *word;
} known[] = { { "description", "Description" },
              { "properties_not_readable", "Properties (not readable)" },
              { "slot_rule", "Slot rule" },
              { "confidence", "Confidence" },
              { "importance", "Importance" },
              { "polarity", "Polarity" },
              { "scope", "Scope" },
              { "agent", "Agent" },
              { "via", "Via" },
              { "created_at", "Recorded" },
              { "updated_at", "Updated" },
              { "superseded_at", "Superseded on" } };
enum { N_KNOWN = HM_COUNT(known), MOST_BESIDE = N_KNOWN + 8 };

static hm_fact_field *add_field(hm_fact *f, hm_str name, hm_str value, bool own) {
  hm_fact_field *s = &f->shown[f->n++];
  *s = (hm_fact_field){
    .name = name, .value = value, .whole = HM_EMPTY, .refers = HM_EMPTY, .own = own
  };
  return s;
}

static void add_unless_empty(hm_fact *f, const char *word, hm_str value) {
  if (value.n)
    add_field(f, hm_str_c(word), value, false);
}

static hm_str join_texts(const hm_json *v, const char *sep, hm_arena *a) {
  hm_buf b = { 0 };
  for (; v; v = v->next) {
    if (b.n)
      hm_buf_c(&b, sep);
    hm_buf_str(&b, v->text);
  }
  return hm_buf_take(&b, a);
}

static hm_str window_of(const hm_json *v, hm_arena *a) {
  hm_str from = hm_json_get_text(v, "valid_from"), until = hm_json_get_text(v, "valid_until");
  if (from.n && until.n)
    return hm_str_fmt(a, "%.*s to %.*s", HM_FMT(from), HM_FMT(until));
  if (from.n)
    return hm_str_fmt(a, "since %.*s", HM_FMT(from));
  return until.n ? hm_str_fmt(a, "until %.*s", HM_FMT(until)) : HM_EMPTY;
}

static void read_known(hm_fact *f, const hm_json *v, hm_arena *a) {
  for (size_t i = 0; i < N_KNOWN; i++) {
    hm_str value = hm_json_get_text(v, known[i].key);
    if (value.n)
      add_field(f, hm_str_c(known[i].word), value, false)->whole =
          hm_json_get_text(v, hm_str_fmt(a, "%s_whole", known[i].key).p);
  }
  add_unless_empty(f, "Tags", join_texts(hm_json_get_items(v, "tags"), ", ", a));
  if (hm_json_get_true(v, "hand_authored"))
    add_unless_empty(f, "Written by hand", HM_STR("yes"));
  add_unless_empty(f, "Source", join_texts(hm_json_get_items(v, "sources"), "; ", a));
  add_unless_empty(f, "Valid", window_of(v, a));
}

static void read_properties(hm_fact *f, const hm_json *p) {
  for (; p; p = p->next) {
    hm_fact_field *s =
        add_field(f, hm_json_get_text(p, "name"), hm_json_get_text(p, "value"), true);
    s->whole = hm_json_get_text(p, "value_whole");
    s->refers = hm_json_get_text(p, "refers_to");
  }
}

static void read_own(hm_fact *f, const hm_json *v, const char *key, hm_arena *a) {
  if (hm_json_get(v, key))
    add_field(f, hm_str_c(key), hm_json_get_text(v, key), true)->whole =
        hm_json_get_text(v, hm_str_fmt(a, "%s_whole", key).p);
}

static void read_row(hm_fact *f, const hm_json *v, hm_arena *a) {
  f->type = hm_json_get_text(v, f->layer == HM_STATE ? "category" : "type");
  f->name = hm_json_get_text(v, f->layer == HM_STATE ? "key" : "name");
  if (f->layer == HM_RELATION) {
    hm_str from = hm_json_get_text(v, "from_name"), to = hm_json_get_text(v, "to_name");
    f->from = hm_json_get_text(v, "from");
    f->to = hm_json_get_text(v, "to");
    if (!from.n)
      from = f->from;
    if (!to.n)
      to = f->to;
    f->name = hm_str_fmt(a, "%.*s %.*s %.*s", HM_FMT(from), HM_FMT(f->type), HM_FMT(to));
  }
  if (f->layer == HM_MEMORY)
    read_own(f, v, "content", a);
  if (f->layer == HM_STATE)
    read_own(f, v, "value", a);
}

bool hm_fact_parse_line(hm_str line, hm_str folder, hm_arena *a, hm_fact *f) {
  const hm_json *v = hm_json_parse_as(a, line, HM_JSON_OBJECT);
  *f = (hm_fact){ .folder = folder, .status = HM_STR("active") };
  if (!v)
    return false;
  hm_str status = hm_json_get_text(v, "status"), whole = hm_json_get_text(v, "id_whole"),
         kind = hm_json_get_text(v, "kind");
  f->id = hm_json_get_text(v, "id");
  if (!f->id.n || !hm_layer_parse(kind, &f->layer))
    return false;
  const hm_json *list = hm_json_get(v, "properties"), *props = hm_json_get_items(v, "properties");
  f->shown = hm_alloc_array(a, (props ? list->count : 0) + MOST_BESIDE, sizeof *f->shown);
  f->ref = hm_ref_text(a, f->layer, f->id);
  f->key = whole.n ? hm_str_fmt(a, "%.*s %.*s", HM_FMT(f->ref), HM_FMT(whole)) : f->ref;
  if (status.n)
    f->status = status;
  f->by = hm_json_get_text(v, "graduated_to");
  const hm_json *successors = f->by.n ? NULL : hm_json_get_items(v, "superseded_by");
  for (const hm_json *s = successors; s; s = s->next)
    f->by = hm_json_get_text(s, "row"); /* the last one counts */
  f->rest = hm_json_get_text(v, "properties_whole");
  read_row(f, v, a);
  read_properties(f, props);
  read_known(f, v, a);
  return true;
}

/* In a string its quotes would have backslashes. */
bool hm_fact_line_is_active(hm_str line) { return hm_str_find(line, "\"status\":\"active\"") >= 0; }

const hm_fact_field *hm_fact_find_field(const hm_fact *f, hm_str name, bool own) {
  for (size_t i = 0; i < f->n; i++)
    if (f->shown[i].own == own && hm_str_eq(f->shown[i].name, name))
      return &f->shown[i];
  return NULL;
}

enum { WORTH_A_MAP = 16 };

void hm_fact_index_init(const hm_fact *f, hm_arena *a, hm_fact_index *out) {
  *out = (hm_fact_index){ .fact = f, .mapped = f->n > WORTH_A_MAP };
  for (int own = 0; own < 2 && out->mapped; own++)
    hm_map_init(&out->by_name[own], a, f->n);
  for (size_t i = 0; i < f->n && out->mapped; i++)
    hm_map_add(&out->by_name[f->shown[i].own], f->shown[i].name, (uint32_t)i);
}

const hm_fact_field *hm_fact_index_find_field(const hm_fact_index *x, hm_str name, bool own) {
  if (!x->mapped)
    return hm_fact_find_field(x->fact, name, own);
  uint32_t i = hm_map_get(&x->by_name[own], name);
  return i == HM_MAP_NONE ? NULL : &x->fact->shown[i];
}

/* --- claims -------------------------------------------------------------------------- */

typedef struct {
  hm_snapshot snap;
  hm_map projects, referred;
  const hm_folders *folders;
  hm_arena *a;
} stage;

static uint32_t project_of(stage *s, hm_str folder) {
  hm_str id = s->folders->project(s->folders->ctx, folder);
  uint32_t at = hm_map_add(&s->projects, id, (uint32_t)s->snap.n_projects);
  if (at == s->snap.n_projects)
    s->snap.projects[s->snap.n_projects++] = (hm_project){ .id = id };
  return at;
}

static hm_str field_text(const hm_fact *f, const char *name, bool own) {
  const hm_fact_field *s = hm_fact_find_field(f, hm_str_c(name), own);
  return s ? s->value : HM_EMPTY;
}

static hm_str props_of(const hm_fact *f, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  for (size_t i = 0; i < f->n; i++)
    if (f->shown[i].own)
      hm_jw_str(&w, hm_str_z(a, f->shown[i].name), f->shown[i].value);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

static hm_row *add_row(stage *s, hm_layer layer, hm_str folder, hm_status status) {
  hm_row *r = &s->snap.rows[s->snap.n_rows++];
  *r = (hm_row){ .layer = layer, .status = status, .project = project_of(s, folder) };
  return r;
}

/* Every version is active here: events of a superseded row name its slots, too. */
static void add_fact(stage *s, const hm_fact *f) {
  hm_row *r = add_row(s, f->layer, f->folder, HM_ACTIVE);
  r->id = f->id;
  r->type = f->type;
  r->name = f->name;
  if (f->layer == HM_MEMORY) {
    r->text = field_text(f, "content", true);
    r->slot_rule = field_text(f, "Slot rule", false);
    r->scope = field_text(f, "Scope", false);
    hm_str polarity = field_text(f, "Polarity", false);
    if (polarity.n && !hm_str_is(polarity, "0"))
      r->polarity = polarity.p[0] == '-' ? -1 : 1;
  } else if (f->layer == HM_STATE) {
    r->text = field_text(f, "value", true);
  } else {
    r->props = props_of(f, s->a);
    r->from = f->from;
    r->to = f->to;
  }
}

static void add_entity(stage *s, hm_str folder, hm_str id, hm_str name, hm_str type) {
  if (!id.n || hm_map_get(&s->referred, id) != HM_MAP_NONE)
    return;
  hm_map_add(&s->referred, id, 1);
  hm_row_index_add(&s->snap.by_id[HM_ENTITY], id, (uint32_t)s->snap.n_rows);
  hm_row *r = add_row(s, HM_ENTITY, folder, HM_SUPERSEDED);
  r->id = id;
  r->name = name;
  r->type = type;
}

/* Entities that a relation or properties refer to, by their real ids. */
static void add_referred(stage *s, const hm_fact *f, const hm_relation_kinds *kinds) {
  const hm_relation_kind *k =
      f->layer == HM_RELATION ? hm_relation_kind_find(kinds, f->type) : NULL;
  if (k && (k->from || k->nests))
    add_entity(s, f->folder, hm_relation_entity_id(f->from), HM_EMPTY,
               hm_str_c(k->from ? k->from : ""));
  if (k && (k->to || k->nests))
    add_entity(s, f->folder, hm_relation_entity_id(f->to), HM_EMPTY, hm_str_c(k->to ? k->to : ""));
  for (size_t i = 0; i < f->n; i++)
    if (f->shown[i].refers.n)
      add_entity(s, f->folder, f->shown[i].value, f->shown[i].refers, HM_EMPTY);
}

static void build_snapshot(stage *s, const hm_fact *const *facts, size_t n,
                           const hm_relation_kinds *kinds) {
  enum { ENDS = 2 };
  size_t shown = 0;
  for (size_t i = 0; i < n; i++)
    shown += facts[i]->n + ENDS;
  s->snap.rows = hm_alloc_array(s->a, n + shown + 1, sizeof *s->snap.rows);
  s->snap.projects = hm_alloc_array(s->a, n + 1, sizeof *s->snap.projects);
  hm_map_init(&s->projects, s->a, 16);
  hm_map_init(&s->referred, s->a, 16);
  for (int l = 0; l < 5; l++)
    hm_row_index_init(&s->snap.by_id[l], s->a, l == HM_ENTITY ? shown : 0);
  for (size_t i = 0; i < n; i++)
    add_fact(s, facts[i]);
  for (size_t i = 0; i < n; i++)
    add_referred(s, facts[i], kinds);
}

static void add_claim(const stage *s, const hm_claim *c, const hm_fact_index *x,
                      hm_fact_claims *out, hm_arena *a) {
  const hm_fact *f = x->fact;
  const hm_fact_field *shown = hm_fact_index_find_field(x, c->field, true);
  bool as_claimed = f->layer == HM_MEMORY || !shown;
  hm_str value = as_claimed ? hm_str_dup(a, c->value.raw) : shown->value;
  out->v[out->n++] =
      (hm_fact_claim){ .field = hm_str_dup(a, c->field),
                       .key = hm_claim_slot_key(a, &s->snap, c),
                       .called = c->called.n ? hm_claim_title(a, &s->snap, c) : HM_EMPTY,
                       .value = f->layer == HM_RELATION ? f->name : value };
}

int hm_fact_build_claims(const hm_fact *const *facts, size_t n, const hm_folders *folders,
                         const hm_rules *rules, hm_arena *a, hm_fact_claims **out, hm_err *err) {
  stage s = { .folders = folders, .a = hm_arena_new() };
  hm_claims *claims = NULL;
  hm_fact_index of_row = { 0 }; /* claims come row by row */
  *out = hm_alloc_array(a, n + 1, sizeof **out);
  build_snapshot(&s, facts, n, hm_config_relation_kinds(rules));
  int rc = hm_claims_read(&s.snap, rules, 1, &claims, err);
  for (size_t i = 0; rc == 0 && i < claims->n; i++) {
    const hm_claim *c = &claims->claims[i];
    hm_fact_claims *of = &(*out)[c->row];
    if (!of->v)
      of->v = hm_alloc_array(a, facts[c->row]->n + 2, sizeof *of->v);
    if (of_row.fact != facts[c->row])
      hm_fact_index_init(facts[c->row], s.a, &of_row);
    if (of->n <= facts[c->row]->n + 1)
      add_claim(&s, c, &of_row, of, a);
  }
  hm_claims_free(claims);
  hm_arena_free(s.a);
  return rc;
}

/* --- paths -------------------------------------------------------------------- */

static const char data_folder[] = "data/", page_folder[] = "projects/";

hm_str hm_project_folder(hm_str path) {
  size_t from = 0;
  if (hm_str_starts(path, data_folder))
    from = sizeof data_folder - 1;
  if (hm_str_starts(path, page_folder))
    from = sizeof page_folder - 1;
  const char *slash = from ? memchr(path.p + from, '/', path.n - from) : NULL;
  return slash ? hm_str_sub(path, from, (size_t)(slash - path.p)) : HM_EMPTY;
}

bool hm_same_project_folder(hm_str path, hm_str other) {
  hm_str folder = hm_project_folder(path);
  size_t n = folder.n ? (size_t)(folder.p + folder.n + 1 - path.p) : 0;
  return n && other.n > n && memcmp(path.p, other.p, n) == 0;
}

bool hm_is_data_file(hm_str path) {
  hm_str folder = hm_project_folder(path);
  hm_str name = hm_str_sub(path, sizeof data_folder + folder.n, path.n);
  return hm_str_starts(path, data_folder) && folder.n && hm_str_ends(name, ".jsonl") &&
      !hm_str_is(name, "project.jsonl");
}

/* --- pairs of rows ---------------------------------------------------------------------------- */

static const char first_line[] = "{\"kind\":\"mirror-data\",\"format\":1}\n";

void hm_data_rows_init(hm_data_rows *d, hm_arena *a) {
  *d = (hm_data_rows){ .a = a };
  hm_map_init(&d->by_key, a, 64);
}

void hm_data_rows_free(hm_data_rows *d) {
  free(d->rows);
  free(d->before.v);
  free(d->after.v);
}

bool hm_data_file_find_rows(hm_str bytes, hm_str *rows) {
  bool is_data = hm_str_starts(bytes, first_line);
  *rows = is_data ? hm_str_sub(bytes, sizeof first_line - 1, bytes.n) : HM_EMPTY;
  return is_data || !bytes.n;
}

bool hm_data_next_line(hm_str s, size_t *at, hm_str *line) {
  while (*at < s.n) {
    const char *nl = memchr(s.p + *at, '\n', s.n - *at);
    *line = hm_str_sub(s, *at, nl ? (size_t)(nl - s.p) : s.n);
    *at += line->n + 1;
    if (line->n)
      return true;
  }
  return false;
}

void hm_data_rows_add(hm_data_rows *d, hm_str rows, bool after) {
  hm_data_lines *l = after ? &d->after : &d->before;
  hm_str line;
  for (size_t at = 0; hm_data_next_line(rows, &at, &line);) {
    l->v = hm_array_grow(l->v, l->n, &l->cap, sizeof *l->v);
    l->v[l->n++] = line;
  }
}

static hm_fact_pair *row_at(hm_data_rows *d, hm_str key) {
  uint32_t at = hm_map_get(&d->by_key, key);
  if (at != HM_MAP_NONE)
    return &d->rows[at];
  d->rows = hm_array_grow(d->rows, d->n, &d->cap, sizeof *d->rows);
  hm_map_add(&d->by_key, key, (uint32_t)d->n);
  d->rows[d->n] = (hm_fact_pair){ 0 };
  return &d->rows[d->n++];
}

/* Adds the row of a line to the pair with its id. */
static void add_to_pair(hm_data_rows *d, hm_str line, hm_str folder, bool after) {
  hm_fact *f = hm_alloc(d->a, sizeof *f);
  if (!hm_fact_parse_line(line, folder, d->a, f))
    return;
  hm_fact_pair *r = row_at(d, f->key);
  if (after)
    r->after = f;
  else
    r->before = f;
}

void hm_data_rows_join(hm_data_rows *d, hm_str folder) {
  const hm_data_lines *before = &d->before, *after = &d->after;
  hm_map same;
  bool *stays = hm_alloc_array(d->a, after->n + 1, sizeof *stays);
  hm_map_init(&same, d->a, after->n);
  for (size_t i = 0; i < after->n; i++) {
    hm_map_set(&same, after->v[i], (uint32_t)i);
    d->active += hm_fact_line_is_active(after->v[i]);
  }
  for (size_t i = 0; i < before->n; i++) {
    uint32_t at = hm_map_get(&same, before->v[i]);
    if (at == HM_MAP_NONE)
      add_to_pair(d, before->v[i], folder, false);
    else
      stays[at] = true;
  }
  for (size_t i = 0; i < after->n; i++)
    if (!stays[i])
      add_to_pair(d, after->v[i], folder, true);
  d->before.n = d->after.n = 0;
}
