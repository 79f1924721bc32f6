#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gen/render/tag.h"

/* An open section, parent or block. */
typedef struct {
  uint32_t at;          /* its instruction */
  size_t dedent;        /* what was in force outside */
  uint32_t lead;        /* PARENT first on its line: the white space before it, else HM_NO_TARGET */
  bool first;           /* PARENT: first on its line */
} frame;

typedef struct {
  hm_arena *a;
  hm_program *prog;
  hm_tags tags;
  hm_str src;
  size_t pos;           /* everything before is compiled */
  size_t dedent;        /* columns taken from the beginning of each line */
  bool bol;             /* the next instruction begins a line */
  uint32_t cap;
  frame open[HM_MAX_NESTING];
  int depth;
  hm_err *err;
} parser;

int hm_program_fail(const hm_program *p, uint32_t line, hm_err *err, const char *fix,
                    const char *fmt, ...) {
  char what[600], why[600];
  va_list ap;
  snprintf(what, sizeof what, "%.*s:%u", HM_FMT(p->origin), (unsigned)line);
  va_start(ap, fmt);
  vsnprintf(why, sizeof why, fmt, ap);
  va_end(ap);
  return hm_fail(err, HM_E_INPUT, what, why, fix);
}

static hm_ins *add(parser *p, hm_op op, uint32_t line) {
  hm_program *g = p->prog;
  if (g->n == p->cap) {
    p->cap = p->cap ? p->cap * 2 : 64;
    hm_ins *more = hm_alloc_array(p->a, p->cap, sizeof *more);
    if (g->n) memcpy(more, g->code, g->n * sizeof *more);
    g->code = more;
  }
  hm_ins *ins = &g->code[g->n++];
  *ins = (hm_ins){ .op = (uint8_t)op,
                   .flags = p->bol ? HM_INS_BOL : 0,
                   .line = line,
                   .end = g->n,
                   .target = HM_NO_TARGET,
                   .text = HM_EMPTY,
                   .indent = HM_EMPTY };
  p->bol = false;
  return ins;
}

static hm_op inside(const parser *p) {
  return p->depth ? (hm_op)p->prog->code[p->open[p->depth - 1].at].op : HM_OP_TEXT;
}

static size_t blanks(hm_str s, size_t i, size_t max) {
  size_t n = 0;
  while (n < max && i + n < s.n && (s.p[i + n] == ' ' || s.p[i + n] == '\t')) n++;
  return n;
}

/* src[from..to) without the indentation in force. */
static hm_str dedented(parser *p, size_t from, size_t to) {
  hm_str s = hm_str_sub(p->src, 0, to);
  if (!p->dedent) return hm_str_sub(s, from, to);
  hm_buf b = { 0 };
  while (from < to) {
    if (from == 0 || s.p[from - 1] == '\n') from += blanks(s, from, p->dedent);
    const char *nl = memchr(s.p + from, '\n', to - from);
    size_t next = nl ? (size_t)(nl - s.p) + 1 : to;
    hm_buf_add(&b, s.p + from, next - from);
    from = next;
  }
  hm_str out = hm_buf_keep(&b, p->a);
  hm_buf_free(&b);
  return out;
}

/* Compiles the text before `to` and steps on to `next`. */
static void text_to(parser *p, size_t to, size_t next) {
  hm_str s = inside(p) == HM_OP_PARENT ? HM_EMPTY : dedented(p, p->pos, to);
  p->pos = next;
  if (!s.n) return;
  add(p, HM_OP_TEXT, p->tags.line)->text = s;
  p->bol = s.p[s.n - 1] == '\n';
}

/* Compiles the text before a tag; true when the tag has a line of its own,
 * which is then skipped. *indent: the white space before such a tag. */
static bool before(parser *p, const hm_tag *tag, hm_str *indent) {
  size_t line = hm_line_before(p->src, p->pos, tag->start);
  size_t next = hm_line_after(p->src, tag->end);
  bool alone = line != SIZE_MAX && next != SIZE_MAX;
  if (indent) *indent = line == SIZE_MAX ? HM_EMPTY : dedented(p, line, tag->start);
  text_to(p, alone ? line : tag->start, alone ? next : tag->end);
  if (alone) p->bol = false;   /* the line is gone, its tag begins none */
  return alone;
}

static void set_name(parser *p, hm_ins *ins, hm_str name) {
  ins->text = name;
  if (hm_str_is(name, ".")) return;
  uint32_t n = 1;
  for (size_t i = 0; i < name.n; i++) n += name.p[i] == '.';
  hm_key *parts = hm_alloc_array(p->a, n, sizeof *parts);
  size_t from = 0;
  for (uint32_t k = 0; k < n; k++) {
    const char *dot = memchr(name.p + from, '.', name.n - from);
    size_t to = dot ? (size_t)(dot - name.p) : name.n;
    parts[k] = hm_key_of(hm_str_sub(name, from, to));
    from = to + 1;
  }
  ins->parts = parts;
  ins->n_parts = n;
}

static frame *push(parser *p, uint32_t at) {
  if (p->depth == HM_MAX_NESTING) return NULL;
  frame *f = &p->open[p->depth++];
  *f = (frame){ .at = at, .dedent = p->dedent, .lead = HM_NO_TARGET };
  return f;
}

static int too_deep(parser *p, uint32_t line) {
  return hm_program_fail(p->prog, line, p->err, "move the inner part to a partial",
                         "more than %d tags inside each other", HM_MAX_NESTING);
}

static int value(parser *p, const hm_tag *tag) {
  text_to(p, tag->start, tag->end);
  set_name(p, add(p, tag->sigil ? HM_OP_RAW : HM_OP_VALUE, tag->line), tag->name);
  return 0;
}

static int section(parser *p, const hm_tag *tag) {
  bool alone = before(p, tag, NULL);
  set_name(p, add(p, tag->sigil == '#' ? HM_OP_SECTION : HM_OP_INVERTED, tag->line), tag->name);
  p->bol = alone;
  return push(p, p->prog->n - 1) ? 0 : too_deep(p, tag->line);
}

static void set_target(parser *p, hm_ins *ins, const hm_tag *tag) {
  set_name(p, ins, tag->name);
  if (tag->dynamic) ins->flags |= HM_INS_DYNAMIC;
}

static int partial(parser *p, const hm_tag *tag) {
  hm_str indent;
  bool alone = before(p, tag, &indent);
  hm_ins *ins = add(p, HM_OP_PARTIAL, tag->line);
  set_target(p, ins, tag);
  if (alone) {
    ins->flags |= HM_INS_ALONE;
    ins->indent = indent;
  }
  p->bol = alone;
  return 0;
}

/* Whether a parent stands alone is known at its end; until then the white
 * space before it is an instruction of its own. */
static int parent(parser *p, const hm_tag *tag) {
  size_t line = hm_line_before(p->src, p->pos, tag->start);
  bool first = line != SIZE_MAX;
  if (first) text_to(p, line, line);
  uint32_t lead = p->prog->n;
  text_to(p, tag->start, tag->end);
  if (lead == p->prog->n || !first) lead = HM_NO_TARGET;
  set_target(p, add(p, HM_OP_PARENT, tag->line), tag);
  frame *f = push(p, p->prog->n - 1);
  if (!f) return too_deep(p, tag->line);
  f->first = first;
  f->lead = lead;
  return 0;
}

static void end_parent(parser *p, const hm_tag *tag, const frame *f) {
  size_t next = hm_line_after(p->src, tag->end);
  bool alone = f->first && next != SIZE_MAX;
  p->pos = alone ? next : tag->end;
  p->bol = alone;
  if (!alone) return;
  hm_ins *ins = &p->prog->code[f->at];
  ins->flags |= HM_INS_ALONE;
  if (f->lead == HM_NO_TARGET) return;
  ins->indent = p->prog->code[f->lead].text;
  p->prog->code[f->lead].text = HM_EMPTY;
}

/* The first line from `from` on that has anything on it, and its columns of
 * white space; false when that is the closing tag, so that there is no content. */
static bool content_line(const parser *p, size_t from, size_t *line, size_t *columns) {
  for (size_t next; (next = hm_line_after(p->src, from)) != SIZE_MAX && next < p->src.n;)
    from = next;
  *line = from;
  *columns = blanks(p->src, from, SIZE_MAX);
  hm_str rest = hm_str_sub(p->src, from + *columns, p->src.n), open = p->tags.open;
  return !(rest.n > open.n && memcmp(rest.p, open.p, open.n) == 0 && rest.p[open.n] == '/');
}

static int override(parser *p, const hm_tag *tag) {
  add(p, HM_OP_OVERRIDE, tag->line)->text = tag->name;
  if (!push(p, p->prog->n - 1)) return too_deep(p, tag->line);
  size_t next = hm_line_after(p->src, tag->end);
  p->pos = next == SIZE_MAX ? tag->end : next;
  if (next == SIZE_MAX) return 0;
  size_t line, columns;
  if (content_line(p, next, &line, &columns) && columns > p->dedent) p->dedent = columns;
  return 0;
}

static int block(parser *p, const hm_tag *tag) {
  if (inside(p) == HM_OP_PARENT) return override(p, tag);
  hm_str indent;
  bool alone = before(p, tag, &indent);
  size_t line, columns;
  if (alone && content_line(p, p->pos, &line, &columns))
    indent = columns > p->dedent ? hm_str_sub(p->src, line + p->dedent, line + columns) : HM_EMPTY;
  hm_ins *ins = add(p, HM_OP_BLOCK, tag->line);
  ins->text = tag->name;
  ins->indent = indent;
  if (alone) ins->flags |= HM_INS_ALONE;
  p->bol = alone;
  return push(p, p->prog->n - 1) ? 0 : too_deep(p, tag->line);
}

static void end_override(parser *p, const hm_tag *tag) {
  size_t line = hm_line_before(p->src, p->pos, tag->start);
  text_to(p, line == SIZE_MAX ? tag->start : line, tag->end);
}

static int check_close(parser *p, const hm_tag *tag) {
  if (!p->depth)
    return hm_program_fail(p->prog, tag->line, p->err, "remove it", "{{/%.*s}} closes nothing",
                           HM_FMT(tag->name));
  const hm_ins *ins = &p->prog->code[p->open[p->depth - 1].at];
  if (hm_str_eq(ins->text, tag->name)) return 0;
  return hm_program_fail(p->prog, tag->line, p->err, "close what was opened last",
                         "{{/%.*s}} where {{/%.*s}} is due, opened on line %u", HM_FMT(tag->name),
                         HM_FMT(ins->text), (unsigned)ins->line);
}

static int closing(parser *p, const hm_tag *tag) {
  if (check_close(p, tag)) return -1;
  frame f = p->open[p->depth - 1];
  hm_op op = (hm_op)p->prog->code[f.at].op;
  if (op == HM_OP_PARENT) end_parent(p, tag, &f);
  else if (op == HM_OP_OVERRIDE) end_override(p, tag);
  else if (before(p, tag, NULL)) {
    p->prog->code[f.at].flags |= HM_INS_WHOLE;
    p->bol = true;
  }
  p->prog->code[f.at].end = p->prog->n;
  p->dedent = f.dedent;
  p->depth--;
  return 0;
}

static int comment(parser *p, const hm_tag *tag) {
  if (before(p, tag, NULL)) p->bol = true;
  return 0;
}

static int delimiters(parser *p, const hm_tag *tag) {
  comment(p, tag);
  return hm_tags_delimiters(&p->tags, tag, p->err);
}

typedef int handler(parser *, const hm_tag *);
static handler *const handlers[128] = {
  [0] = value,     ['{'] = value,   ['&'] = value,      ['#'] = section,
  ['^'] = section, ['/'] = closing, ['>'] = partial,    ['<'] = parent,
  ['$'] = block,   ['!'] = comment, ['='] = delimiters,
};

/* The text of a parent is ignored, as the specification says; a tag that would
 * be ignored with it is more likely a mistake. */
static int check_place(parser *p, const hm_tag *tag) {
  if (inside(p) != HM_OP_PARENT || (tag->sigil && memchr("$/!=", tag->sigil, 4))) return 0;
  return hm_program_fail(p->prog, tag->line, p->err, "put it into a {{$block}}",
                         "only blocks count inside {{<%.*s}}",
                         HM_FMT(p->prog->code[p->open[p->depth - 1].at].text));
}

static int check_closed(parser *p) {
  if (!p->depth) return 0;
  const hm_ins *ins = &p->prog->code[p->open[p->depth - 1].at];
  return hm_program_fail(p->prog, ins->line, p->err, "close it", "{{/%.*s}} is missing",
                         HM_FMT(ins->text));
}

int hm_program_compile(hm_arena *a, hm_program *prog, hm_err *err) {
  parser p = { .a = a, .prog = prog, .src = prog->bytes, .err = err };
  hm_tags_init(&p.tags, prog);
  hm_tag tag;
  int got;
  while ((got = hm_tags_next(&p.tags, p.pos, &tag, err)) > 0)
    if (check_place(&p, &tag) || handlers[(unsigned char)tag.sigil](&p, &tag)) return -1;
  if (got < 0 || check_closed(&p)) return -1;
  text_to(&p, p.src.n, p.src.n);
  return 0;
}
