/* Lines of data files to facts. What is not there is empty, what is of another type is not there.
 */
#include "gen/history/fact.h"

#include <string.h>

#include "core/base/json.h"

/* What is known of a row beside its own fields, by the words of the pages. */
static const struct { const char *key, *word; } known[] = {
  { "description", "Description" }, { "properties_not_readable", "Properties (not readable)" },
  { "slot_rule", "Slot rule" }, { "confidence", "Confidence" }, { "importance", "Importance" },
  { "polarity", "Polarity" }, { "scope", "Scope" }, { "agent", "Agent" },
  { "created_at", "Recorded" }, { "updated_at", "Updated" }, { "superseded_at", "Superseded on" } };
enum { N_KNOWN = sizeof known / sizeof *known, MOST_BESIDE = N_KNOWN + 8 };

static hm_str text_of(const hm_json *v, const char *key) {
  const hm_json *t = hm_json_get(v, key);
  return t && t->type == HM_JSON_STRING ? t->text : HM_EMPTY;
}

static const hm_json *array_of(const hm_json *v, const char *key) {
  const hm_json *t = hm_json_get(v, key);
  return t && t->type == HM_JSON_ARRAY ? t : NULL;
}

static hm_shown *add(hm_fact *f, hm_str name, hm_str value, bool own) {
  hm_shown *s = &f->shown[f->n++];
  *s =
      (hm_shown){ .name = name, .value = value, .whole = HM_EMPTY, .refers = HM_EMPTY, .own = own };
  return s;
}

static void add_any(hm_fact *f, const char *word, hm_str value) {
  if (value.n) add(f, hm_str_c(word), value, false);
}

static hm_str joined(const hm_json *list, const char *sep, hm_arena *a) {
  hm_buf b = { 0 };
  for (const hm_json *v = list ? list->child : NULL; v; v = v->next) {
    if (b.n) hm_buf_c(&b, sep);
    hm_buf_str(&b, v->text);
  }
  hm_str s = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return s;
}

static hm_str window_of(const hm_json *v, hm_arena *a) {
  hm_str from = text_of(v, "valid_from"), until = text_of(v, "valid_until");
  if (from.n && until.n) return hm_str_fmt(a, "%.*s to %.*s", HM_FMT(from), HM_FMT(until));
  if (from.n) return hm_str_fmt(a, "since %.*s", HM_FMT(from));
  return until.n ? hm_str_fmt(a, "until %.*s", HM_FMT(until)) : HM_EMPTY;
}

static void read_known(hm_fact *f, const hm_json *v, hm_arena *a) {
  for (size_t i = 0; i < N_KNOWN; i++) {
    hm_str value = text_of(v, known[i].key);
    if (value.n)
      add(f, hm_str_c(known[i].word), value, false)->whole =
          text_of(v, hm_str_fmt(a, "%s_whole", known[i].key).p);
  }
  const hm_json *by_hand = hm_json_get(v, "hand_authored");
  add_any(f, "Tags", joined(array_of(v, "tags"), ", ", a));
  if (by_hand && by_hand->type == HM_JSON_TRUE) add_any(f, "Written by hand", HM_STR("yes"));
  add_any(f, "Source", joined(array_of(v, "sources"), "; ", a));
  add_any(f, "Valid", window_of(v, a));
}

static void read_properties(hm_fact *f, const hm_json *list) {
  for (const hm_json *p = list ? list->child : NULL; p; p = p->next) {
    hm_shown *s = add(f, text_of(p, "name"), text_of(p, "value"), true);
    s->whole = text_of(p, "value_whole");
    s->refers = text_of(p, "refers_to");
  }
}

static void read_own(hm_fact *f, const hm_json *v, const char *key, hm_arena *a) {
  if (hm_json_get(v, key))
    add(f, hm_str_c(key), text_of(v, key), true)->whole =
        text_of(v, hm_str_fmt(a, "%s_whole", key).p);
}

static hm_str end_of(const hm_json *v, const char *key, const char *name) {
  hm_str s = text_of(v, name);
  return s.n ? s : text_of(v, key);
}

static void read_row(hm_fact *f, const hm_json *v, hm_arena *a) {
  f->type = text_of(v, f->layer == HM_STATE ? "category" : "type");
  f->name = text_of(v, f->layer == HM_STATE ? "key" : "name");
  if (f->layer == HM_RELATION)
    f->name = hm_str_fmt(a, "%.*s %.*s %.*s", HM_FMT(end_of(v, "from", "from_name")),
                         HM_FMT(f->type), HM_FMT(end_of(v, "to", "to_name")));
  if (f->layer == HM_MEMORY) read_own(f, v, "content", a);
  if (f->layer == HM_STATE) read_own(f, v, "value", a);
}

/* The last one that it gave way to. */
static hm_str successor_of(const hm_json *v) {
  hm_str by = text_of(v, "graduated_to");
  const hm_json *list = array_of(v, "superseded_by");
  for (const hm_json *s = list && !by.n ? list->child : NULL; s; s = s->next)
    by = text_of(s, "row");
  return by;
}

bool hm_fact_read(hm_str line, hm_str folder, hm_arena *a, hm_fact *f) {
  hm_json *v;
  hm_err ignored;
  *f = (hm_fact){ .folder = folder, .status = HM_STR("active") };
  if (hm_json_parse(a, line, &v, &ignored) != 0 || v->type != HM_JSON_OBJECT) return false;
  hm_str status = text_of(v, "status"), whole = text_of(v, "id_whole"), kind = text_of(v, "kind");
  f->id = text_of(v, "id");
  if (!f->id.n || !hm_layer_of(kind, &f->layer)) return false;
  const hm_json *props = array_of(v, "properties");
  f->shown = hm_alloc_array(a, (props ? props->count : 0) + MOST_BESIDE, sizeof *f->shown);
  f->ref = hm_str_fmt(a, "%s:%.*s", hm_layer_kind(f->layer), HM_FMT(f->id));
  f->key = whole.n ? hm_str_fmt(a, "%.*s %.*s", HM_FMT(f->ref), HM_FMT(whole)) : f->ref;
  if (status.n) f->status = status;
  f->by = successor_of(v);
  read_row(f, v, a);
  read_properties(f, props);
  read_known(f, v, a);
  return true;
}

/* In a string its quotes would have backslashes. */
bool hm_fact_line_is_active(hm_str line) { return hm_str_find(line, "\"status\":\"active\"") >= 0; }

const hm_shown *hm_fact_shown(const hm_fact *f, hm_str name, bool own) {
  for (size_t i = 0; i < f->n; i++)
    if (f->shown[i].own == own && hm_str_eq(f->shown[i].name, name)) return &f->shown[i];
  return NULL;
}

enum { WORTH_A_MAP = 16 };

void hm_fact_index_of(const hm_fact *f, hm_arena *a, hm_fact_index *out) {
  *out = (hm_fact_index){ .fact = f, .mapped = f->n > WORTH_A_MAP };
  for (int own = 0; own < 2 && out->mapped; own++) hm_map_init(&out->by_name[own], a, f->n);
  for (size_t i = 0; i < f->n && out->mapped; i++)
    hm_map_add(&out->by_name[f->shown[i].own], f->shown[i].name, (uint32_t)i);
}

const hm_shown *hm_fact_find(const hm_fact_index *x, hm_str name, bool own) {
  if (!x->mapped) return hm_fact_shown(x->fact, name, own);
  uint32_t i = hm_map_get(&x->by_name[own], name);
  return i == HM_MAP_NONE ? NULL : &x->fact->shown[i];
}
