/* Live secrets in what a record stores, each with the field by which `redact` finds it.
 *
 * The whole record is searched as its line of the journal, in one pass; only where that finds
 * something are the fields read one by one. Cost: one pass over the bytes of a changed record. */
#include "core/store/import_impl.h"

typedef struct {
  const hm_import_run *im;
  hm_str ref;
} telling;

static void tell(const telling *t, hm_str field, hm_str name, hm_str text) {
  hm_credential found;
  if (!hm_credential_find(name, text, &found)) return;
  t->im->counts->secrets++;
  const hm_import_secret s = { t->ref, field, &found };
  if (t->im->opt->secret) t->im->opt->secret(t->im->opt->secret_ctx, &s);
}

static void tell_members(const telling *t, hm_str object) {
  hm_arena *a = t->im->arena;
  hm_json *v;
  if (hm_json_parse(a, object, &v, NULL)) return;
  for (const hm_json *m = v->child; m; m = m->next)
    tell(t, m->key, m->key, m->type == HM_JSON_STRING ? m->text : hm_json_as_text(m, a));
}

void hm_import_tell_secrets(const hm_import_run *im, const hm_kind *k, hm_str ref,
                            const hm_cell *cells, hm_str json) {
  static const hm_field_type searched[] = { HM_F_TEXT, HM_F_STRINGS, HM_F_VALUE, HM_F_OBJECT };
  const telling t = { im, ref };
  hm_credential found;
  bool state = k == &hm_kinds[HM_K_STATE];
  hm_str key = state ? hm_cell_text(k, cells, "key") : HM_EMPTY;
  if (k < &hm_kinds[HM_K_MEMORY] || k > &hm_kinds[HM_K_RELATION]) return;
  if (!hm_credential_find(HM_EMPTY, json, &found) &&
      !(state && hm_credential_find(key, hm_cell_text(k, cells, "value"), &found)))
    return;
  for (int i = 0; i < k->n; i++) {
    const hm_record_field *f = &k->fields[i];
    if (!f->column || f->flags & HM_F_KEY || cells[i].state != HM_CELL_TEXT) continue;
    for (size_t s = 0; s < HM_COUNT(searched); s++) {
      if (f->type != searched[s]) continue;
      hm_str column = hm_str_c(f->column);
      if (f->type == HM_F_OBJECT) tell_members(&t, cells[i].text);
      else tell(&t, column, f->type == HM_F_VALUE ? key : column, cells[i].text);
    }
  }
}
