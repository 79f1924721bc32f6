/* One row to claims. */
#include "core/base/text.h"
#include "core/claim/claim_impl.h"
#include "core/claim/memory.h"

static void add(hm_claim **list, size_t *n, size_t *cap, const hm_claim *c) {
  if (*n == *cap) *list = hm_xrealloc(*list, (*cap = *cap * 2 + 1024) * sizeof **list);
  (*list)[(*n)++] = *c;
}

void hm_add_claim(hm_reader *r, const hm_claim *proto, hm_str name, hm_str field, hm_str compare,
                  const hm_value *v) {
  hm_claim c = *proto;
  if (v->kind == HM_V_NONE && !v->silent) return;
  c.name = name;
  c.field = field;
  c.compare = compare;
  c.value = *v;
  c.hash = hm_hash_mix(hm_hash_mix(c.project, hm_str_hash(c.memory_type)), hm_str_hash(name));
  if (v->kind == HM_V_NONE) {
    add(&r->silences, &r->n_silences, &r->cap_silences, &c);
    return;
  }
  r->speaks[c.row] = 1;
  add(&r->claims, &r->n, &r->cap, &c);
}

hm_str hm_read_name_of(void *ctx, hm_str id) {
  const hm_reader *r = ctx;
  const hm_snapshot *snap = r->snap;
  uint32_t at = hm_snapshot_row(snap, HM_ENTITY, id), project = snap->rows[r->row].project;
  if (at == HM_MAP_NONE) return HM_EMPTY;
  const hm_row *entity = &snap->rows[at];
  return entity->project == project || !snap->projects[entity->project].id.n ? entity->name
                                                                             : HM_EMPTY;
}

void hm_read_text(hm_reader *r, hm_str raw, bool as_text, hm_value *out) {
  hm_value_read(out, raw, as_text, &r->by, r->units, r->a);
}

void hm_read_json(hm_reader *r, const hm_json *v, bool as_text, hm_value *out, bool *unreadable) {
  hm_value_of_json(out, v, as_text, &r->by, r->units, r->a, unreadable);
}

/* false: the row holds at no time that can be known. */
static bool read_window(hm_reader *r, hm_claim *c) {
  const hm_row *row = &r->snap->rows[c->row];
  hm_precision p;
  switch (hm_window_read(row->valid_from, row->valid_until, r->snap->now, &c->when)) {
    case HM_WINDOW_OK: break;
    case HM_WINDOW_BAD_FROM: hm_find_window(r, c->row, "valid_from", row->valid_from); return false;
    case HM_WINDOW_BAD_UNTIL:
      hm_find_window(r, c->row, "valid_until", row->valid_until);
      return false;
    case HM_WINDOW_INVERTED: hm_find_empty_window(r, c->row); return false;
  }
  if (c->when.begin.known) c->stands = c->when.begin.first;
  else hm_time_parse(row->created_at, &c->stands, &p);
  return true;
}

static hm_str stems_norm(hm_reader *r, hm_str value) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "text:");
  hm_buf_str(&b, hm_memory_stems(r->scratch, value));
  hm_str norm = hm_buf_keep(&b, r->a);
  hm_buf_free(&b);
  return norm;
}

/* Preferences meet within one scope, or where they have none: it is a part of the slot's name. */
static hm_str in_scope(hm_reader *r, hm_str slot, hm_str scope) {
  hm_str folded = hm_slot_part(r->scratch, scope);
  return folded.n ? hm_str_fmt(r->a, "%.*s (%.*s)", HM_FMT(slot), HM_FMT(folded)) : slot;
}

static void read_own_memory(hm_reader *r, const hm_claim *proto, const hm_memory_claim *m) {
  const hm_row *row = &r->snap->rows[proto->row];
  hm_value v;
  hm_value_read(&v, m->value, true, &(hm_value_reading){ .rules = r->rules }, r->units, r->a);
  if (v.kind != HM_V_NONE) v.norm = v.key = stems_norm(r, m->value);
  if (v.kind != HM_V_NONE && row->polarity < 0) hm_value_deny(&v, r->a);
  hm_add_claim(r, proto, in_scope(r, m->slot, row->scope), HM_STR("content"), HM_EMPTY, &v);
}

/* "Preference" and "preference" are one space. */
static hm_str own_type(hm_str type) {
  return type.n && (type.p[0] | 0x20) == 'i' ? HM_STR("identity") : HM_STR("preference");
}

static void read_memory(hm_reader *r, hm_claim *proto) {
  const hm_row *row = &r->snap->rows[proto->row];
  hm_memory_claim m;
  hm_memory_read(&m, row, r->a);
  if (!m.slot.n || !m.value.n) return;
  if (m.own_space) {
    proto->memory_type = own_type(row->type);
    read_own_memory(r, proto, &m);
    return;
  }
  hm_value v;
  hm_read_text(r, m.value, hm_rules_as_text(r->rules, m.slot), &v);
  if (v.kind != HM_V_NONE && row->polarity < 0) hm_value_deny(&v, r->a);
  hm_add_claim(r, proto, m.slot, HM_STR("content"), HM_EMPTY, &v);
}

/* A state's value: a string, or JSON. false when it cannot be read. */
static bool read_state_value(hm_reader *r, const hm_row *row, bool as_text, hm_value *out) {
  if (!row->value_is_json) {
    hm_read_text(r, row->text, as_text, out);
    return true;
  }
  hm_json *v = NULL;
  hm_err err;
  bool unreadable = false;
  if (hm_json_parse(r->a, row->text, &v, &err))
    return false; /* the value's raw text is in the tree */
  hm_read_json(r, v, as_text, out, &unreadable);
  return !unreadable;
}

/* hm_claim.compare: the type that a category names, else the category. */
static hm_str category_compare(hm_reader *r, hm_str category) {
  hm_str key = hm_entity_type_key(r->scratch, category);
  bool is_type = key.n && (hm_entity_type_find(key) || hm_map_get(r->types, key) != HM_MAP_NONE);
  hm_str other = is_type ? HM_EMPTY : hm_slot_part(r->scratch, category);
  if (!is_type) key = HM_EMPTY;
  return hm_str_fmt(r->a, "%.*s\x1f%.*s", HM_FMT(key), HM_FMT(other));
}

static void read_state(hm_reader *r, const hm_claim *proto) {
  const hm_row *row = &r->snap->rows[proto->row];
  hm_str name = hm_text_name(r->a, row->name);
  if (!name.n) return;
  hm_value v;
  if (!read_state_value(r, row, hm_rules_as_text(r->rules, name), &v)) {
    hm_find_value(r, proto->row, HM_STR("the value"), row->text);
    return;
  }
  if (v.kind == HM_V_NONE && !v.silent) return;
  hm_add_claim(r, proto, name, HM_STR("value"), category_compare(r, row->type), &v);
}

void hm_read_row(hm_reader *r, uint32_t i) {
  const hm_row *row = &r->snap->rows[i];
  r->row = i;
  if ((row->status != HM_ACTIVE && !r->any_status) || row->layer < HM_MEMORY ||
      row->layer > HM_STATE)
    return;
  hm_claim proto = {
    .row = i,
    .project = row->project,
    .layer = row->layer,
    .memory_type = HM_EMPTY,
    .stands = HM_TIME_MIN,
  };
  if (!read_window(r, &proto)) return;
  if (row->layer == HM_MEMORY) read_memory(r, &proto);
  if (row->layer == HM_STATE) read_state(r, &proto);
  if (row->layer == HM_ENTITY) hm_read_entity(r, &proto);
  hm_arena_reset(r->scratch);
}
