#include "gen/render/tv.h"

static void put_str(hm_buf *out, hm_str s) {
  hm_buf_add(out, &s.n, sizeof s.n);
  hm_buf_str(out, s);
}

static void put_children(const hm_tv *v, hm_buf *out) {
  for (uint32_t i = 0; i < v->n; i++) {
    if (v->kind == HM_TV_OBJ) put_str(out, (hm_str){ v->fields[i].key.p, v->fields[i].key.tag >> 32 });
    hm_tv_bytes(v->kind == HM_TV_OBJ ? v->fields[i].value : v->items[i], out);
  }
}

/* Each part says what it is and how long, so no two values look alike. What an object is about is for messages only. */
void hm_tv_bytes(const hm_tv *v, hm_buf *out) {
  hm_buf_ch(out, (char)v->kind);
  switch ((hm_tv_kind)v->kind) {
    case HM_TV_OBJ: case HM_TV_LIST:
      hm_buf_add(out, &v->n, sizeof v->n);
      put_children(v, out);
      break;
    case HM_TV_BOOL: hm_buf_ch(out, v->yes); break;
    case HM_TV_INT: hm_buf_add(out, &v->number, sizeof v->number); break;
    case HM_TV_TEXT: hm_buf_ch(out, (char)v->place); put_str(out, v->text); break;
    case HM_TV_RAW: put_str(out, v->text); break;
  }
}
