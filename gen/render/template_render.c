/* Renders a page: walks the instructions of a program (template_impl.h). Contexts, indentations and
 * children's overrides are lists on the C stack. Cost: linear in the output and in the values that
 * are looked up. The values themselves come first. */
#include <stdio.h>
#include <string.h>

#include "gen/render/template_impl.h"

/* --- values ---------------------------------------------------------------------------------- */

static hm_node *new_value(hm_arena *a, hm_node_kind kind) {
  hm_node *v = hm_alloc(a, sizeof *v);
  v->kind = (uint8_t)kind;
  v->a = a;
  return v;
}

hm_node *hm_node_new_obj(hm_arena *a) { return new_value(a, HM_NODE_OBJ); }

hm_node *hm_node_new_list(hm_arena *a) { return new_value(a, HM_NODE_LIST); }

hm_node *hm_node_new_bool(hm_arena *a, bool yes) {
  hm_node *v = new_value(a, HM_NODE_BOOL);
  v->yes = yes;
  return v;
}

hm_node *hm_node_new_text(hm_arena *a, hm_str s, hm_place place) {
  hm_node *v = new_value(a, HM_NODE_TEXT);
  v->place = (uint8_t)place;
  v->text = s;
  return v;
}

hm_node *hm_node_new_raw(hm_arena *a, hm_str s) {
  hm_node *v = new_value(a, HM_NODE_RAW);
  v->text = s;
  return v;
}

/* p, the n elements of v, in twice the room when it is full. */
static void *grown(hm_node *v, void *p, size_t size) {
  if (v->n < v->cap)
    return p;
  v->cap = v->cap ? v->cap * 2 : 8;
  void *more = hm_alloc_array(v->a, v->cap, size);
  if (v->n)
    memcpy(more, p, v->n * size);
  return more;
}

/* A key is hardly ever set twice: the last one counts, and this does not search. */
void hm_node_put(hm_node *obj, hm_key key, hm_node *v) {
  obj->fields = grown(obj, obj->fields, sizeof *obj->fields);
  obj->fields[obj->n++] = (hm_node_field){ key, v };
}

hm_node *hm_node_set_list(hm_node *obj, const char *key) {
  hm_node *list = hm_node_new_list(obj->a);
  hm_node_set(obj, key, list);
  return list;
}

hm_node *hm_node_set_obj(hm_node *obj, const char *key) {
  hm_node *o = hm_node_new_obj(obj->a);
  hm_node_set(obj, key, o);
  return o;
}

void hm_node_push(hm_node *list, hm_node *v) {
  list->items = grown(list, list->items, sizeof *list->items);
  list->items[list->n++] = v;
}

void hm_node_put_text(hm_node *obj, hm_key key, hm_str s, hm_place place) {
  hm_node_put(obj, key, hm_node_new_text(obj->a, s, place));
}

void hm_node_put_int(hm_node *obj, hm_key key, int64_t n) {
  hm_node *v = new_value(obj->a, HM_NODE_INT);
  v->number = n;
  hm_node_put(obj, key, v);
}

void hm_node_put_bool(hm_node *obj, hm_key key, bool v) {
  hm_node_put(obj, key, hm_node_new_bool(obj->a, v));
}

void hm_node_set_row(hm_node *obj, hm_str ref) { obj->text = ref; }

/* NULL when v is no object or has no such key. */
static const hm_node *node_get(const hm_node *v, const hm_key *key) {
  size_t n = key->tag >> 32;
  for (uint32_t i = v->kind == HM_NODE_OBJ ? v->n : 0; i-- > 0;) {
    hm_key k = v->fields[i].key;
    if (k.tag == key->tag && (n <= 4 || k.p == key->p || memcmp(k.p + 4, key->p + 4, n - 4) == 0))
      return v->fields[i].value;
  }
  return NULL;
}

/* What a section asks; NULL is false. */
static bool node_is_true(const hm_node *v) {
  if (!v)
    return false;
  switch ((hm_node_kind)v->kind) {
    case HM_NODE_OBJ:
      return true;
    case HM_NODE_LIST:
      return v->n > 0;
    case HM_NODE_BOOL:
      return v->yes;
    case HM_NODE_INT:
      return v->number != 0;
    case HM_NODE_TEXT:
    case HM_NODE_RAW:
      return v->text.n > 0;
  }
  return false;
}

const hm_node *hm_node_at(const hm_node *obj, const char *key) {
  hm_key k = hm_key_c(key);
  return node_get(obj, &k);
}

size_t hm_node_count(const hm_node *list) {
  return list && list->kind == HM_NODE_LIST ? list->n : 0;
}

const hm_node *hm_node_item(const hm_node *list, size_t i) { return list->items[i]; }

void hm_node_digest(const hm_node *v, hm_sha256 *h) {
  const struct {
    uint64_t sort;
    int64_t n;
  } head = { (uint64_t)v->kind << 16 | (uint64_t)v->place << 8 | v->yes,
             v->kind == HM_NODE_INT ? v->number : v->n };
  hm_sha256_add(h, (hm_str){ (const char *)&head, sizeof head });
  if (v->kind == HM_NODE_TEXT || v->kind == HM_NODE_RAW)
    hm_sha256_field(h, v->text);
  for (uint32_t i = 0; v->kind == HM_NODE_OBJ && i < v->n; i++) {
    hm_sha256_field(h, (hm_str){ v->fields[i].key.p, v->fields[i].key.tag >> 32 });
    hm_node_digest(v->fields[i].value, h);
  }
  for (uint32_t i = 0; v->kind == HM_NODE_LIST && i < v->n; i++)
    hm_node_digest(v->items[i], h);
}

hm_str hm_node_str(const hm_node *v) {
  return v && (v->kind == HM_NODE_TEXT || v->kind == HM_NODE_RAW) ? v->text : HM_EMPTY;
}

/* --- rendering ---------------------------------------------------------------- */

/* Both lists live on the C stack of the calls that made them; the innermost comes first. */
typedef struct context {
  const hm_node *v;
  const struct context *up;
} context;
typedef struct indent {
  hm_str s;
  const struct indent *up;
} indent;
/* A child's overrides for the parent that is being rendered. */
typedef struct given {
  const hm_program *prog;
  const hm_ins *from, *to;
  const struct given *up;
} given;

/* The place where an instruction runs. */
typedef struct {
  const hm_program *prog;
  const context *ctx;
  const given *given;
  const indent *indent;
} scope;

typedef struct {
  const hm_templates *t;
  hm_buf *out;
  size_t limit; /* of out->n */
  hm_err *err;
  int depth;
  uint32_t calls;
  bool bol; /* an indentation is due before the next byte */
} run;

enum { MAX_OUTPUT = 256 << 20, MAX_CALLS = 20000000 };

static int run_range(run *r, const scope *sc, const hm_ins *ins, const hm_ins *end);

/* --- errors ------------------------------------------------------------ */

/* The message names the innermost row. */
static int fail_at(run *r, const scope *sc, const hm_ins *ins, const char *why, const char *fix) {
  char what[600];
  hm_str row = HM_EMPTY;
  for (const context *c = sc->ctx; c && !row.n; c = c->up)
    if (c->v && c->v->kind == HM_NODE_OBJ)
      row = c->v->text;
  snprintf(what, sizeof what, "%.*s:%u%s%.*s%s", HM_FMT(sc->prog->origin), (unsigned)ins->line,
           row.n ? " (" : "", HM_FMT(row), row.n ? ")" : "");
  return hm_fail(r->err, HM_E_INPUT, what, why, fix);
}

/* --- names ------------------------------------------------------------- */

static const hm_node *lookup(const scope *sc, const hm_ins *ins) {
  if (!ins->n_parts)
    return sc->ctx->v;
  const hm_node *v = NULL;
  for (const context *c = sc->ctx; c && !v; c = c->up)
    if (c->v)
      v = node_get(c->v, &ins->parts[0]);
  for (uint32_t i = 1; i < ins->n_parts && v; i++)
    v = node_get(v, &ins->parts[i]);
  return v;
}

/* --- output ------------------------------------------------------------ */

static void write_indents(hm_buf *b, const indent *in) {
  if (!in)
    return;
  write_indents(b, in->up);
  hm_buf_str(b, in->s);
}

/* Writes the indentation when it is due. */
static void write_indent(run *r, const scope *sc) {
  if (r->bol)
    write_indents(r->out, sc->indent);
  r->bol = false;
}

/* Writes text, with the indentation before each line that is not empty. */
static void write_lines(run *r, const scope *sc, hm_str s) {
  for (const char *p = s.p, *end = s.n ? s.p + s.n : p; p < end;) {
    const char *nl = memchr(p, '\n', (size_t)(end - p));
    const char *next = nl ? nl + 1 : end;
    bool blank = *p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n');
    if (!blank)
      write_indent(r, sc);
    hm_buf_add(r->out, p, (size_t)(next - p));
    r->bol = nl != NULL;
    p = next;
  }
}

static void write_number(hm_buf *b, int64_t v) {
  char digits[24], *p = digits + sizeof digits;
  uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
  do
    *--p = (char)('0' + u % 10);
  while (u /= 10);
  if (v < 0)
    *--p = '-';
  hm_buf_add(b, p, (size_t)(digits + sizeof digits - p));
}

/* --- instructions ------------------------------------------------------ */

static int op_text(run *r, const scope *sc, const hm_ins *ins) {
  if (sc->indent) {
    write_lines(r, sc, ins->text);
  } else {
    hm_buf_str(r->out, ins->text);
    r->bol = false;
  }
  return 0;
}

static int op_value(run *r, const scope *sc, const hm_ins *ins) {
  const hm_node *v = lookup(sc, ins);
  bool markdown = sc->prog->dialect == HM_MARKDOWN_TEMPLATE;
  if (!v || v->kind < HM_NODE_INT)
    return 0;
  if (v->kind == HM_NODE_INT || v->text.n)
    write_indent(r, sc);
  if (v->kind == HM_NODE_INT)
    write_number(r->out, v->number);
  else if (v->place == HM_IN_URL)
    (markdown ? hm_md_escape_url : hm_html_escape_url)(r->out, v->text);
  else
    (markdown ? hm_md_escape : hm_html_escape)(r->out, v->text);
  return 0;
}

static int op_raw(run *r, const scope *sc, const hm_ins *ins) {
  const hm_node *v = lookup(sc, ins);
  if (!v)
    return 0;
  if (v->kind == HM_NODE_TEXT) {
    char why[300], fix[300];
    snprintf(why, sizeof why, "{{{%.*s}}} is a fact, and facts are never printed raw",
             HM_FMT(ins->text));
    snprintf(fix, sizeof fix, "write {{%.*s}}", HM_FMT(ins->text));
    return fail_at(r, sc, ins, why, fix);
  }
  if (v->kind == HM_NODE_INT)
    return op_value(r, sc, ins);
  if (v->kind != HM_NODE_RAW || !v->text.n)
    return 0;
  write_indent(r, sc);
  hm_buf_str(r->out, v->text);
  return 0;
}

static int run_with(run *r, const scope *sc, const hm_node *v, const hm_ins *ins,
                    const hm_ins *end) {
  context ctx = { v, sc->ctx };
  scope inner = *sc;
  inner.ctx = &ctx;
  return run_range(r, &inner, ins, end);
}

static int op_section(run *r, const scope *sc, const hm_ins *ins) {
  const hm_node *v = lookup(sc, ins);
  const hm_ins *end = sc->prog->code + ins->end;
  if (!node_is_true(v))
    return 0;
  if (v->kind == HM_NODE_BOOL)
    return run_range(r, sc, ins + 1, end);
  if (v->kind != HM_NODE_LIST)
    return run_with(r, sc, v, ins + 1, end);
  for (uint32_t i = 0; i < v->n; i++)
    if (run_with(r, sc, v->items[i], ins + 1, end))
      return -1;
  return 0;
}

static int op_inverted(run *r, const scope *sc, const hm_ins *ins) {
  if (node_is_true(lookup(sc, ins)))
    return 0;
  return run_range(r, sc, ins + 1, sc->prog->code + ins->end);
}

/* Counts a call of a template or block. */
static int count_call(run *r, const scope *sc, const hm_ins *ins) {
  if (r->depth == HM_MAX_DEPTH)
    return fail_at(r, sc, ins, "more than 64 templates and blocks inside each other",
                   "look for one that includes itself without end");
  if (++r->calls > MAX_CALLS)
    return fail_at(r, sc, ins, "more than 20 million partials and blocks in one page",
                   "simplify the template");
  r->depth++;
  return 0;
}

/* An empty template has no code (adding to NULL is undefined). */
static int run_program(run *r, const scope *sc) {
  return sc->prog->n ? run_range(r, sc, sc->prog->code, sc->prog->code + sc->prog->n) : 0;
}

/* Runs the template that `ins` calls. As the specification says, a tag that stands alone indents
 * every line of the template; one inside a line indents none. */
static int run_template(run *r, const scope *sc, const hm_ins *ins, const given *g) {
  uint32_t target = ins->target;
  if (ins->flags & HM_INS_DYNAMIC) {
    const hm_node *v = lookup(sc, ins);
    bool named = v && v->kind >= HM_NODE_TEXT;
    target = named ? hm_templates_find_partial(r->t, sc->prog->dialect, v->text) : HM_NO_TARGET;
  }
  if (target == HM_NO_TARGET)
    return 0;
  if (count_call(r, sc, ins))
    return -1;
  bool alone = ins->flags & HM_INS_ALONE;
  indent in = { ins->indent, sc->indent };
  scope inner = { .prog = &r->t->programs[target], .ctx = sc->ctx, .given = g };
  if (alone)
    inner.indent = ins->indent.n ? &in : sc->indent;
  else
    write_indent(r, sc);
  r->bol = alone;
  int rc = run_program(r, &inner);
  r->bol = alone;
  r->depth--;
  return rc;
}

static int op_partial(run *r, const scope *sc, const hm_ins *ins) {
  return run_template(r, sc, ins, sc->given);
}

static int op_parent(run *r, const scope *sc, const hm_ins *ins) {
  given g = { sc->prog, ins + 1, sc->prog->code + ins->end, sc->given };
  return run_template(r, sc, ins, &g);
}

/* The outermost child's override for a block, or NULL. */
static const hm_ins *find_given(const given *g, hm_str name, const hm_program **prog) {
  const hm_ins *found = NULL;
  for (; g; g = g->up)
    for (const hm_ins *i = g->from; i < g->to; i = g->prog->code + i->end)
      if (hm_str_eq(i->text, name)) {
        found = i;
        *prog = g->prog;
        break;
      }
  return found;
}

static int run_given(run *r, const scope *sc, const hm_ins *ins, const hm_program *prog,
                     const hm_ins *content) {
  indent in = { ins->indent, sc->indent };
  scope inner = {
    .prog = prog, .ctx = sc->ctx, .given = sc->given, .indent = ins->indent.n ? &in : sc->indent
  };
  size_t start = r->out->n;
  bool due = r->bol;
  if (count_call(r, sc, ins))
    return -1;
  if (ins->flags & HM_INS_ALONE)
    r->bol = true;
  int rc = run_range(r, &inner, content + 1, prog->code + content->end);
  r->depth--;
  /* when the block's tags stand alone on their lines, its content ends with a line end */
  bool ended = r->out->n == start || r->out->p[r->out->n - 1] == '\n';
  if (!ended && ins->flags & HM_INS_ALONE && ins->flags & HM_INS_WHOLE)
    hm_buf_ch(r->out, '\n');
  r->bol = r->out->n == start ? due : (ins->flags & HM_INS_ALONE) != 0;
  return rc;
}

static int op_block(run *r, const scope *sc, const hm_ins *ins) {
  const hm_program *prog;
  const hm_ins *content = find_given(sc->given, ins->text, &prog);
  if (content)
    return run_given(r, sc, ins, prog, content);
  return run_range(r, sc, ins + 1, sc->prog->code + ins->end);
}

static int op_nothing(run *r, const scope *sc, const hm_ins *ins) {
  (void)r, (void)sc, (void)ins;
  return 0;
}

static int (*const ops[HM_N_OPS])(run *, const scope *, const hm_ins *) = {
  [HM_OP_TEXT] = op_text,       [HM_OP_VALUE] = op_value,       [HM_OP_RAW] = op_raw,
  [HM_OP_SECTION] = op_section, [HM_OP_INVERTED] = op_inverted, [HM_OP_PARTIAL] = op_partial,
  [HM_OP_PARENT] = op_parent,   [HM_OP_BLOCK] = op_block,       [HM_OP_OVERRIDE] = op_nothing,
};

static int run_range(run *r, const scope *sc, const hm_ins *ins, const hm_ins *end) {
  while (ins < end) {
    if (ins->flags & HM_INS_BOL)
      r->bol = true;
    if (ops[ins->op](r, sc, ins))
      return -1;
    if (r->out->n > r->limit || r->out->failed)
      return fail_at(r, sc, ins, "the page is over 256 MiB", "split it, or shorten the template");
    ins = sc->prog->code + ins->end;
  }
  return 0;
}

int hm_template_render(const hm_templates *t, hm_str name, const hm_node *model, hm_arena *a,
                       hm_buf *out, hm_err *err) {
  (void)a;
  uint32_t at = hm_map_get(&t->by_name, name);
  if (at == HM_MAP_NONE) {
    char what[300];
    snprintf(what, sizeof what, "template %.*s", HM_FMT(name));
    return hm_fail(err, HM_E_INPUT, what, "there is no such template", "add it to the theme");
  }
  run r = { .t = t, .out = out, .limit = out->n + MAX_OUTPUT, .err = err };
  context ctx = { model, NULL };
  scope sc = { .prog = &t->programs[at], .ctx = &ctx };
  return run_program(&r, &sc);
}
