/* What a site writes, with the digest of what each file is made from; and two of them compared. */
#ifndef GEN_PAGE_INPUTS_HELP_H
#define GEN_PAGE_INPUTS_HELP_H
#include "gen/render/template_impl.h"
#include "tests/unit/gen_page_help.h"

/* Everything that may be skipped: pages and raw files. */
typedef struct { hm_str path, bytes; hm_hash128 digest; uint32_t project; } output;
typedef struct { output *v; size_t n; hm_map at; } outputs;

__attribute__((unused))
static bool same(hm_hash128 x, hm_hash128 y) { return x.hi == y.hi && x.lo == y.lo; }

static void write_str(hm_buf *out, hm_str s) {
  hm_buf_add(out, &s.n, sizeof s.n);
  hm_buf_str(out, s);
}

/* Appends all that a template can see of a value: equal bytes, equal pages. Each part says what it is
 * and how long, so no two values look alike. What an object is about is for messages only. */
static void append_bytes(const hm_node *v, hm_buf *out) {
  hm_buf_ch(out, (char)v->kind);
  switch ((hm_node_kind)v->kind) {
    case HM_NODE_OBJ:
      hm_buf_add(out, &v->n, sizeof v->n);
      for (const hm_node_field *f = v->fields; f < v->fields + v->n; f++) {
        write_str(out, (hm_str){ f->key.p, f->key.tag >> 32 });
        append_bytes(f->value, out);
      }
      break;
    case HM_NODE_LIST:
      hm_buf_add(out, &v->n, sizeof v->n);
      for (uint32_t i = 0; i < v->n; i++) append_bytes(v->items[i], out);
      break;
    case HM_NODE_BOOL: hm_buf_ch(out, v->yes); break;
    case HM_NODE_INT: hm_buf_add(out, &v->number, sizeof v->number); break;
    case HM_NODE_TEXT: hm_buf_ch(out, (char)v->place); write_str(out, v->text); break;
    case HM_NODE_RAW: write_str(out, v->text); break;
  }
}

/* bytes: false where only digests are asked for. */
__attribute__((unused)) static outputs outputs_of(help_site *s, bool bytes, hm_arena *a) {
  outputs o = { hm_alloc_array(a, s->pages->n + s->pages->n_raws, sizeof *o.v), 0, { 0 } };
  hm_page_inputs *x = hm_page_inputs_new(s->view, 7, 2, s->a);
  hm_arena *scratch = hm_arena_new();
  hm_err err = { 0 };
  hm_buf b = { 0 };
  hm_map_init(&o.at, a, s->pages->n + s->pages->n_raws);
  for (size_t i = 0; i < s->pages->n; i++) {
    const hm_page *p = &s->pages->pages[i];
    output *out = &o.v[o.n];
    *out = (output){ .path = hm_str_dup(a, p->path), .project = p->project,
                     .digest = hm_page_digest(x, p, scratch, &b) };
    hm_arena_reset(scratch);
    assert_true(out->digest.hi | out->digest.lo);
    hm_node *model = bytes ? hm_page_model(s->view, p, s->a) : NULL;
    hm_buf_clear(&b);
    if (bytes) append_bytes(model, &b);
    out->bytes = hm_buf_copy(&b, a);
    hm_map_add(&o.at, out->path, (uint32_t)o.n++);
  }
  for (size_t i = 0; i < s->pages->n_raws; i++) {
    const hm_raw_file *f = &s->pages->raws[i];
    hm_hash128 digest = hm_raw_digest(x, f, &b);
    hm_buf_clear(&b);
    if (!(digest.hi | digest.lo)) continue;
    for (uint32_t k = 0; bytes && k < f->pieces; k++)
      assert_int_equal(f->bytes(s->view, f, k, s->a, &b, &err), 0);
    o.v[o.n] = (output){ hm_str_dup(a, f->path), hm_buf_copy(&b, a), digest, UINT32_MAX };
    hm_map_add(&o.at, o.v[o.n].path, (uint32_t)o.n);
    o.n++;
  }
  hm_buf_free(&b);
  hm_arena_free(scratch);
  return o;
}

static const hm_view_options options = { .title = HM_STR("Mirror"),
                                         .base_url = HM_EMPTY,
                                         .list_limit = 12,
                                         .value_limit = 200,
                                         .tool = HM_STR("hmirror test") };

/* Fails where an output differs, and its digest does not. Returns how many digests do. */
__attribute__((unused))
static unsigned check(const outputs *x, const outputs *y, const char *why, unsigned *changed) {
  unsigned n = 0;
  for (size_t i = 0; i < y->n; i++) {
    uint32_t at = hm_map_get(&x->at, y->v[i].path);
    if (at == HM_MAP_NONE) continue;
    bool alike = same(x->v[at].digest, y->v[i].digest),
         bytes = hm_str_eq(x->v[at].bytes, y->v[i].bytes);
    if (alike && !bytes)
      fail_msg("%s: %.*s differs, and not its digest:\n%.*s\n%.*s", why, HM_FMT(y->v[i].path),
               HM_FMT(x->v[at].bytes), HM_FMT(y->v[i].bytes));
    n += !alike;
    *changed += !bytes;
  }
  return n;
}

#endif
