/* Values into a model, each once into the page's digest. */
#include "model.h"

#include <string.h>

#include "core/base/text.h"

void hm_pm_note_input(hm_pm *m, uint64_t n) {
  if (m->inputs) hm_buf_add(m->inputs, &n, sizeof n);
}

void hm_pm_note(hm_pm *m, hm_str s) {
  hm_pm_note_input(m, s.n);
  if (m->inputs) hm_buf_str(m->inputs, s);
  else {
    m->hash = hm_hash_mix(m->hash, hm_str_hash(s));
    m->bytes += 16 + hm_page_bytes(s);
  }
}

void hm_pm_note_int(hm_pm *m, uint64_t n) {
  hm_pm_note_input(m, n);
  m->hash = hm_hash_mix(m->hash, n);
}

void hm_pm_head(hm_pm *m, hm_tv *model, hm_str title, hm_str description) {
  if (m->inputs) {
    hm_pm_note(m, title);
    hm_pm_note(m, description);
    return;
  }
  hm_tv_set_text(model, "title", title);
  hm_tv_set_text(model, "description", description);
}

hm_tv *hm_pm_item(hm_pm *m, hm_tv *list) {
  hm_pm_note_input(m, 1);
  if (m->inputs) return m->nothing;
  m->bytes += 40;
  hm_tv *item = hm_tv_obj(m->a);
  hm_tv_push(list, item);
  m->hash = hm_hash_mix(m->hash, 1);
  return item;
}

void hm_pm_url(hm_pm *m, hm_tv *o, const char *key, hm_str path, hm_str anchor) {
  hm_str url = path.n ? hm_path_link(m->a, m->p->path, path, anchor) : HM_EMPTY;
  hm_pm_note(m, url);
  if (m->inputs) return;
  if (url.n) hm_tv_set_url(o, key, url);
  else hm_tv_set_bool(o, key, false);
}

hm_tv *hm_pm_ref(hm_pm *m, hm_tv *o, const char *key, hm_str label, hm_str path, hm_str anchor) {
  hm_tv *ref = hm_pm_obj(m, o, key);
  hm_pm_text(m, ref, "label", hm_link_label(m->a, label, 200));
  hm_pm_url(m, ref, "url", path, anchor);
  return ref;
}

void hm_pm_row_fields(hm_pm *m, hm_tv *o, uint32_t row) {
  if (m->inputs) {
    hm_inputs_card(m->of, row, m->inputs);
    return;
  }
  bool hidden = m->v->hidden[row];
  hm_str anchor = HM_EMPTY, path = hidden ? HM_EMPTY : hm_view_home(m->v, row, m->a, &anchor);
  hm_pm_text(m, o, "label", hidden ? HM_STR("withheld") : hm_view_label(m->v, row, m->a));
  hm_pm_url(m, o, "url", path, anchor);
}

void hm_pm_row(hm_pm *m, hm_tv *o, const char *key, uint32_t row) {
  hm_pm_row_fields(m, hm_pm_obj(m, o, key), row);
}

/* "10,485,760" */
static hm_str grouped(hm_arena *a, size_t n) {
  char out[32], *p = out + sizeof out;
  int digits = 0;
  do {
    if (digits && digits % 3 == 0) *--p = ',';
    *--p = (char)('0' + n % 10);
    digits++;
  } while (n /= 10);
  return hm_str_dup(a, (hm_str){ p, (size_t)(out + sizeof out - p) });
}

static hm_str cut_text(hm_arena *a, hm_str s, size_t limit) {
  hm_str head = hm_text_cut(s, limit);
  char *p = hm_alloc(a, head.n + 4);
  memcpy(p, head.p, head.n);
  memcpy(p + head.n, "…", 3);
  return (hm_str){ p, head.n + 3 };
}

/* Cut at the limit, with the way to the whole. */
static hm_tv *value_obj(hm_pm *m, hm_tv *o, const char *key, hm_str value) {
  hm_tv *v = hm_pm_obj(m, o, key);
  size_t limit = m->v->opt.value_limit;
  bool cut = value.n > limit;
  const hm_long *whole = cut ? hm_view_long(m->v, value) : NULL;
  hm_pm_text(m, v, "value", cut ? cut_text(m->a, value, limit) : value);
  if (!whole) hm_pm_flag(m, v, "full", false);
  if (!whole) return v;
  hm_tv *full = hm_pm_obj(m, v, "full");
  hm_pm_url(m, full, "url", whole->path, HM_EMPTY);
  hm_pm_raw(m, full, "bytes", grouped(m->a, value.n));
  return v;
}

void hm_pm_value(hm_pm *m, hm_tv *o, const char *key, hm_str value, uint32_t row, hm_str field) {
  hm_tv *v = value_obj(m, o, key, value);
  uint32_t c = hm_view_mark(m->v, row, field);
  hm_pm_bool(m, v, "may", hm_view_may_overlap(m->v, row, field));
  if (c == HM_NONE) hm_pm_flag(m, v, "mark", false);
  else hm_pm_url(m, hm_pm_obj(m, v, "mark"), "url", m->v->conflicts[c].path, HM_EMPTY);
}

void hm_pm_plain(hm_pm *m, hm_tv *o, const char *key, hm_str value) {
  hm_tv *v = value_obj(m, o, key, value);
  hm_pm_flag(m, v, "mark", false);
  hm_pm_flag(m, v, "may", false);
}
