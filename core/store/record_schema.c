/* What a record may hold, as JSON Schema, from the table of fields: see record_edit.h. */
#include "core/store/record_edit.h"
#include "core/store/records_impl.h"

static void put_type(hm_jw *w, const char *type, bool or_null) {
  if (!or_null) {
    hm_jw_str(w, "type", hm_str_c(type));
    return;
  }
  hm_jw_arr(w, "type");
  hm_jw_str(w, NULL, hm_str_c(type));
  hm_jw_str(w, NULL, HM_STR("null"));
  hm_jw_end(w);
}

static void put_choices(hm_jw *w, const hm_record_field *f, bool or_null) {
  hm_jw_arr(w, "enum");
  for (const char *const *c = f->choices; *c; c++) hm_jw_str(w, NULL, hm_str_c(*c));
  if (or_null) hm_jw_null(w, NULL);
  hm_jw_end(w);
}

static void put_range(hm_jw *w, int least, int most) {
  hm_jw_int(w, "minimum", least);
  hm_jw_int(w, "maximum", most);
}

/* A text may stand for a list of one, but is never written so. */
static void put_strings(hm_jw *w, bool written, bool or_null) {
  static const char items[] = "{\"type\":\"string\"}";
  if (written) put_type(w, "array", false);
  else {
    hm_jw_arr(w, "type");
    hm_jw_str(w, NULL, HM_STR("array"));
    hm_jw_str(w, NULL, HM_STR("string"));
    if (or_null) hm_jw_str(w, NULL, HM_STR("null"));
    hm_jw_end(w);
  }
  hm_jw_raw(w, "items", hm_str_c(items));
}

static void put_value(hm_jw *w) {
  hm_jw_arr(w, "type");
  static const char *const types[] = { "string", "number", "boolean", "array" };
  for (size_t i = 0; i < HM_COUNT(types); i++) hm_jw_str(w, NULL, hm_str_c(types[i]));
  hm_jw_end(w);
}

static void put_field(hm_jw *w, const hm_record_field *f, hm_schema_use use) {
  bool or_null = use != HM_SCHEMA_STORED && !(f->flags & HM_F_REQUIRED);
  hm_jw_obj(w, f->key);
  switch (f->type) {
    case HM_F_UNIT: put_type(w, "number", or_null); put_range(w, 0, 1); break;
    case HM_F_SIGN: put_type(w, "integer", or_null); put_range(w, -1, 1); break;
    case HM_F_BOOL: put_type(w, "boolean", or_null); break;
    case HM_F_OBJECT: put_type(w, "object", or_null); break;
    case HM_F_STRINGS: put_strings(w, use == HM_SCHEMA_STORED, or_null); break;
    case HM_F_CHOICE: put_choices(w, f, or_null); break;
    case HM_F_VALUE: put_value(w); break;
    case HM_F_BOUND:
      put_type(w, "string", or_null);
      hm_jw_str(w, "description",
                HM_STR("ISO 8601, partial too, or 44 BC, about 1066 ± 5, "
                       "3rd_age.year_345, an era of world.yml"));
      break;
    case HM_F_TIME:
      put_type(w, "string", or_null);
      hm_jw_str(w, "description", HM_STR("ISO 8601; may be partial: 2026, 2026-04"));
      break;
    default: put_type(w, "string", or_null);
  }
  if (f->flags & HM_F_KEY) hm_jw_int(w, "minLength", 1);
  if (use == HM_SCHEMA_NEW && f->dflt && *f->dflt) hm_jw_str(w, "default", hm_str_c(f->dflt));
  hm_jw_end(w);
}

static hm_kind_index kind_of(hm_layer layer) { return hm_kind_of(hm_str_c(hm_layer_kind(layer))); }

/* What is odd in a row may be any column, so nothing but kind and id is sure to be there. */
static void put_required(hm_jw *w, const hm_kind *k, hm_schema_use use) {
  if (use == HM_SCHEMA_PATCH) return;
  hm_jw_arr(w, "required");
  if (use == HM_SCHEMA_STORED) {
    hm_jw_str(w, NULL, HM_STR("kind"));
    hm_jw_str(w, NULL, HM_STR("id"));
  }
  for (int i = 0; use == HM_SCHEMA_NEW && i < k->n; i++)
    if (k->fields[i].key && k->fields[i].flags & HM_F_REQUIRED && !(k->fields[i].flags & HM_F_KEY))
      hm_jw_str(w, NULL, hm_str_c(k->fields[i].key));
  hm_jw_end(w);
}

static void put_stored_only(hm_jw *w, const hm_kind *k) {
  hm_jw_obj(w, "kind");
  hm_jw_str(w, "const", hm_str_c(k->name));
  hm_jw_end(w);
  hm_jw_obj(w, "as_stored");
  hm_jw_str(w, "type", HM_STR("object"));
  hm_jw_str(w, "description",
            HM_STR("columns that another program wrote and this one would refuse, as they are"));
  hm_jw_raw(w, "additionalProperties", HM_STR("{\"type\":[\"string\",\"null\"]}"));
  hm_jw_end(w);
}

void hm_record_schema(hm_jw *w, const char *key, hm_layer layer, hm_schema_use use) {
  const hm_kind *k = &hm_kinds[kind_of(layer)];
  hm_jw_obj(w, key);
  hm_jw_str(w, "type", HM_STR("object"));
  put_required(w, k, use);
  hm_jw_obj(w, "properties");
  if (use == HM_SCHEMA_STORED) put_stored_only(w, k);
  for (int i = 0; i < k->n; i++)
    if (k->fields[i].key && !(use == HM_SCHEMA_PATCH && k->fields[i].flags & HM_F_KEY))
      put_field(w, &k->fields[i], use);
  hm_jw_end(w);
  if (use != HM_SCHEMA_STORED) hm_jw_bool(w, "additionalProperties", false);
  hm_jw_end(w);
}
