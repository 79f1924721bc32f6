/* Compiles templates to programs (template_impl.h has the instructions) and links all templates of
 * a mirror with each other.
 *
 * Tags are found from left to right; each appends its instruction, and a section, parent or block
 * keeps a frame until its closing tag. White space follows the specification: a tag alone on its
 * line removes the line. Cost: linear in the bytes.
 * Source: the Mustache specification, with inheritance and dynamic names. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "gen/render/template_impl.h"

typedef struct {
  size_t start, end; /* in the source, delimiters included */
  uint32_t line;     /* of start */
  char sigil;        /* one of # ^ / > < $ ! = & { or 0 for a plain value */
  bool dynamic;      /* the name had a '*' before it */
  hm_str name;       /* trimmed; for '!' and '=' the whole content */
} tag;

/* An open section, parent or block. */
typedef struct {
  uint32_t at;   /* its instruction */
  size_t dedent; /* what was in force outside */
  uint32_t lead; /* PARENT first on its line: the white space before it, else HM_NO_TARGET */
  bool first;    /* PARENT: first on its line */
} frame;

typedef struct {
  hm_arena *a;
  hm_program *prog;
  hm_str src, opening, closing; /* opening, closing: the delimiters */
  size_t counted;               /* lines are counted up to here */
  uint32_t line;
  size_t pos;    /* everything before is compiled */
  size_t dedent; /* columns taken from the beginning of each line */
  bool bol;      /* the next instruction begins a line */
  size_t cap;
  frame open[HM_MAX_NESTING];
  int depth;
  hm_err *err;
} compiler;

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

/* --- tags ------------------------------------------------------------------------- */

static size_t find_text(hm_str src, size_t from, hm_str what) {
  const char *p = memmem(src.p + from, src.n - from, what.p, what.n);
  return p ? (size_t)(p - src.p) : SIZE_MAX;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool has_space(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (hm_is_space(s.p[i]))
      return true;
  return false;
}

/* The next tag from pos on: 1, 0 at the end, -1 with err. */
static int next_tag(compiler *c, tag *t) {
  size_t start = find_text(c->src, c->pos, c->opening);
  if (start == SIZE_MAX)
    return 0;
  for (; c->counted < start; c->counted++)
    c->line += c->src.p[c->counted] == '\n';
  size_t inside = start + c->opening.n;
  *t = (tag){ .start = start, .line = c->line };
  if (inside < c->src.n && memchr("#^/><$!=&{", c->src.p[inside], 10))
    t->sigil = c->src.p[inside++];
  /* {{{x}}} ends in "}" and the closing delimiter, {{=a b=}} in "=" and the closing delimiter. */
  char extra = t->sigil == '{' ? '}' : t->sigil == '=' ? '=' : 0;
  size_t end = find_text(c->src, inside, c->closing);
  while (extra && end != SIZE_MAX && (end == inside || c->src.p[end - 1] != extra))
    end = find_text(c->src, end + 1, c->closing);
  if (end == SIZE_MAX)
    return hm_program_fail(c->prog, t->line, c->err, "close it",
                           "a tag is not closed by \"%.1s%.*s\"", extra ? (char[]){ extra, 0 } : "",
                           HM_FMT(c->closing));
  t->end = end + c->closing.n;
  t->name = hm_str_trim(hm_str_sub(c->src, inside, extra ? end - 1 : end));
  if (t->sigil == '!' || t->sigil == '=')
    return 1;
  if (t->sigil == '>' || t->sigil == '<' || t->sigil == '/') {
    t->dynamic = hm_str_starts(t->name, "*");
    if (t->dynamic)
      t->name = hm_str_trim(hm_str_sub(t->name, 1, t->name.n));
  }
  if (t->name.n && !has_space(t->name))
    return 1;
  return hm_program_fail(c->prog, t->line, c->err, "write one name between the delimiters",
                         "a tag has %s", t->name.n ? "white space in its name" : "no name");
}

/* The start of the line that holds offset i, when only spaces and tabs stand before i and none of
 * them is compiled yet; else SIZE_MAX. */
static size_t line_before(const compiler *c, size_t i) {
  while (i > c->pos && is_blank(c->src.p[i - 1]))
    i--;
  return i == 0 || c->src.p[i - 1] == '\n' ? i : SIZE_MAX;
}

/* The start of the next line, or the end, when only spaces and tabs stand between i and there; else
 * SIZE_MAX. */
static size_t line_after(hm_str src, size_t i) {
  while (i < src.n && is_blank(src.p[i]))
    i++;
  if (i == src.n)
    return i;
  if (src.p[i] == '\r' && i + 1 < src.n && src.p[i + 1] == '\n')
    i++;
  return src.p[i] == '\n' ? i + 1 : SIZE_MAX;
}

/* --- instructions ------------------------------------------------------------------- */

static hm_ins *add_ins(compiler *c, hm_op op, uint32_t line) {
  hm_program *g = c->prog;
  g->code = hm_array_grow_in(c->a, g->code, g->n, &c->cap, sizeof *g->code);
  hm_ins *ins = &g->code[g->n++];
  *ins = (hm_ins){ .op = (uint8_t)op,
                   .flags = c->bol ? HM_INS_BOL : 0,
                   .line = line,
                   .end = g->n,
                   .target = HM_NO_TARGET,
                   .text = HM_EMPTY,
                   .indent = HM_EMPTY };
  c->bol = false;
  return ins;
}

/* The instruction of the innermost open section, parent or block; NULL when none is open. */
static const hm_ins *innermost(const compiler *c) {
  return c->depth ? &c->prog->code[c->open[c->depth - 1].at] : NULL;
}

static bool in_parent(const compiler *c) { return c->depth && innermost(c)->op == HM_OP_PARENT; }

static size_t count_blanks(hm_str s, size_t i, size_t max) {
  size_t n = 0;
  while (n < max && i + n < s.n && is_blank(s.p[i + n]))
    n++;
  return n;
}

/* src[from..to) without the indentation in force. */
static hm_str dedented(compiler *c, size_t from, size_t to) {
  hm_str s = hm_str_sub(c->src, 0, to);
  if (!c->dedent)
    return hm_str_sub(s, from, to);
  hm_buf b = { 0 };
  while (from < to) {
    if (from == 0 || s.p[from - 1] == '\n')
      from += count_blanks(s, from, c->dedent);
    const char *nl = memchr(s.p + from, '\n', to - from);
    size_t next = nl ? (size_t)(nl - s.p) + 1 : to;
    hm_buf_add(&b, s.p + from, next - from);
    from = next;
  }
  return hm_buf_take(&b, c->a);
}

/* Compiles the text before `to` and steps on to `next`. The text of a parent is ignored. */
static void compile_text(compiler *c, size_t to, size_t next) {
  hm_str s = in_parent(c) ? HM_EMPTY : dedented(c, c->pos, to);
  c->pos = next;
  if (!s.n)
    return;
  add_ins(c, HM_OP_TEXT, c->line)->text = s;
  c->bol = s.p[s.n - 1] == '\n';
}

/* Compiles the text before a tag. Returns true when the tag stands alone on its line, which it then
 * skips; *indent is the white space before such a tag. */
static bool compile_before(compiler *c, const tag *t, hm_str *indent) {
  size_t line = line_before(c, t->start), next = line_after(c->src, t->end);
  bool alone = line != SIZE_MAX && next != SIZE_MAX;
  if (indent)
    *indent = line == SIZE_MAX ? HM_EMPTY : dedented(c, line, t->start);
  compile_text(c, alone ? line : t->start, alone ? next : t->end);
  if (alone)
    c->bol = false; /* the line is removed: its tag does not begin one */
  return alone;
}

/* Adds an instruction with the tag's name, split at its dots. */
static hm_ins *add_named(compiler *c, hm_op op, const tag *t) {
  hm_ins *ins = add_ins(c, op, t->line);
  hm_str name = ins->text = t->name;
  if (t->dynamic)
    ins->flags |= HM_INS_DYNAMIC;
  if (hm_str_is(name, "."))
    return ins;
  uint32_t n = 1;
  for (size_t i = 0; i < name.n; i++)
    n += name.p[i] == '.';
  hm_key *parts = hm_alloc_array(c->a, n, sizeof *parts);
  size_t from = 0;
  for (uint32_t k = 0; k < n; k++) {
    const char *dot = memchr(name.p + from, '.', name.n - from);
    size_t to = dot ? (size_t)(dot - name.p) : name.n;
    parts[k] = hm_key_from_str(hm_str_sub(name, from, to));
    from = to + 1;
  }
  ins->parts = parts;
  ins->n_parts = n;
  return ins;
}

/* Opens a frame for the last instruction. */
static int open_frame(compiler *c, const tag *t) {
  if (c->depth == HM_MAX_NESTING)
    return hm_program_fail(c->prog, t->line, c->err, "move the inner part to a partial",
                           "more than %d tags inside each other", HM_MAX_NESTING);
  c->open[c->depth++] = (frame){ .at = c->prog->n - 1, .dedent = c->dedent, .lead = HM_NO_TARGET };
  return 0;
}

/* --- tags to instructions ----------------------------------------------------------- */

static int compile_value(compiler *c, const tag *t) {
  compile_text(c, t->start, t->end);
  add_named(c, t->sigil ? HM_OP_RAW : HM_OP_VALUE, t);
  return 0;
}

static int compile_section(compiler *c, const tag *t) {
  bool alone = compile_before(c, t, NULL);
  add_named(c, t->sigil == '#' ? HM_OP_SECTION : HM_OP_INVERTED, t);
  c->bol = alone;
  return open_frame(c, t);
}

static int compile_partial(compiler *c, const tag *t) {
  hm_str indent;
  bool alone = compile_before(c, t, &indent);
  hm_ins *ins = add_named(c, HM_OP_PARTIAL, t);
  if (alone) {
    ins->flags |= HM_INS_ALONE;
    ins->indent = indent;
  }
  c->bol = alone;
  return 0;
}

/* Only its closing tag tells whether a parent stands alone; until then the white space before it is
 * a separate instruction. */
static int compile_parent(compiler *c, const tag *t) {
  size_t line = line_before(c, t->start);
  bool first = line != SIZE_MAX;
  if (first)
    compile_text(c, line, line);
  uint32_t lead = c->prog->n;
  compile_text(c, t->start, t->end);
  if (lead == c->prog->n || !first)
    lead = HM_NO_TARGET;
  add_named(c, HM_OP_PARENT, t);
  if (open_frame(c, t))
    return -1;
  c->open[c->depth - 1].first = first;
  c->open[c->depth - 1].lead = lead;
  return 0;
}

/* Finds the first line from `from` on that is not blank, and its columns of white space. Returns
 * false when the closing tag comes first: there is no content. */
static bool find_content(const compiler *c, size_t from, size_t *line, size_t *columns) {
  for (size_t next; (next = line_after(c->src, from)) != SIZE_MAX && next < c->src.n;)
    from = next;
  *line = from;
  *columns = count_blanks(c->src, from, SIZE_MAX);
  hm_str rest = hm_str_sub(c->src, from + *columns, c->src.n), open = c->opening;
  return !(rest.n > open.n && memcmp(rest.p, open.p, open.n) == 0 && rest.p[open.n] == '/');
}

static int compile_block(compiler *c, const tag *t) {
  size_t line, columns, next = line_after(c->src, t->end);
  if (in_parent(c)) { /* a child's content */
    add_ins(c, HM_OP_OVERRIDE, t->line)->text = t->name;
    if (open_frame(c, t))
      return -1;
    c->pos = next == SIZE_MAX ? t->end : next;
    if (next != SIZE_MAX && find_content(c, next, &line, &columns) && columns > c->dedent)
      c->dedent = columns;
    return 0;
  }
  hm_str indent;
  bool alone = compile_before(c, t, &indent);
  if (alone && find_content(c, c->pos, &line, &columns))
    indent = columns > c->dedent ? hm_str_sub(c->src, line + c->dedent, line + columns) : HM_EMPTY;
  hm_ins *ins = add_ins(c, HM_OP_BLOCK, t->line);
  ins->text = t->name;
  ins->indent = indent;
  if (alone)
    ins->flags |= HM_INS_ALONE;
  c->bol = alone;
  return open_frame(c, t);
}

static void close_parent(compiler *c, const tag *t, const frame *f) {
  size_t next = line_after(c->src, t->end);
  bool alone = f->first && next != SIZE_MAX;
  c->pos = alone ? next : t->end;
  c->bol = alone;
  if (!alone)
    return;
  hm_ins *ins = &c->prog->code[f->at];
  ins->flags |= HM_INS_ALONE;
  if (f->lead == HM_NO_TARGET)
    return;
  ins->indent = c->prog->code[f->lead].text;
  c->prog->code[f->lead].text = HM_EMPTY;
}

static int compile_close(compiler *c, const tag *t) {
  const hm_ins *ins = innermost(c);
  if (!ins)
    return hm_program_fail(c->prog, t->line, c->err, "remove it", "{{/%.*s}} closes nothing",
                           HM_FMT(t->name));
  if (!hm_str_eq(ins->text, t->name))
    return hm_program_fail(c->prog, t->line, c->err, "close what was opened last",
                           "{{/%.*s}} where {{/%.*s}} is due, opened on line %u", HM_FMT(t->name),
                           HM_FMT(ins->text), (unsigned)ins->line);
  frame f = c->open[c->depth - 1];
  if (ins->op == HM_OP_PARENT) {
    close_parent(c, t, &f);
  } else if (ins->op == HM_OP_OVERRIDE) {
    size_t line = line_before(c, t->start);
    compile_text(c, line == SIZE_MAX ? t->start : line, t->end);
  } else if (compile_before(c, t, NULL)) {
    c->prog->code[f.at].flags |= HM_INS_WHOLE;
    c->bol = true;
  }
  c->prog->code[f.at].end = c->prog->n;
  c->dedent = f.dedent;
  c->depth--;
  return 0;
}

static int compile_comment(compiler *c, const tag *t) {
  if (compile_before(c, t, NULL))
    c->bol = true;
  return 0;
}

static int compile_delimiters(compiler *c, const tag *t) {
  size_t one = 0;
  compile_comment(c, t);
  while (one < t->name.n && !has_space(hm_str_sub(t->name, one, one + 1)))
    one++;
  hm_str open = hm_str_sub(t->name, 0, one);
  hm_str close = hm_str_trim(hm_str_sub(t->name, one, t->name.n));
  if (!open.n || !close.n || has_space(close) || hm_str_find(t->name, "=") >= 0)
    return hm_program_fail(c->prog, t->line, c->err, "write {{=<% %>=}}",
                           "the delimiters are not two words without '='");
  c->opening = open;
  c->closing = close;
  return 0;
}

static int (*const compile[128])(compiler *, const tag *) = {
  [0] = compile_value,     ['{'] = compile_value,      ['&'] = compile_value,
  ['#'] = compile_section, ['^'] = compile_section,    ['/'] = compile_close,
  ['>'] = compile_partial, ['<'] = compile_parent,     ['$'] = compile_block,
  ['!'] = compile_comment, ['='] = compile_delimiters,
};

int hm_program_compile(hm_arena *a, hm_program *prog, hm_err *err) {
  compiler c = { .a = a,
                 .prog = prog,
                 .src = prog->bytes,
                 .opening = HM_STR("{{"),
                 .closing = HM_STR("}}"),
                 .line = 1,
                 .err = err };
  tag t;
  int got;
  while ((got = next_tag(&c, &t)) > 0) {
    /* The specification ignores the content of a parent; but a tag there is likely a mistake. */
    if (in_parent(&c) && !(t.sigil && memchr("$/!=", t.sigil, 4)))
      return hm_program_fail(prog, t.line, err, "put it into a {{$block}}",
                             "only blocks count inside {{<%.*s}}", HM_FMT(innermost(&c)->text));
    if (compile[(unsigned char)t.sigil](&c, &t))
      return -1;
  }
  if (got < 0)
    return -1;
  if (c.depth)
    return hm_program_fail(prog, innermost(&c)->line, err, "close it", "{{/%.*s}} is missing",
                           HM_FMT(innermost(&c)->text));
  compile_text(&c, c.src.n, c.src.n);
  return 0;
}

/* --- all templates ---------------------------------------------------------------- */

static const char *const suffixes[HM_N_DIALECTS] = { ".md", ".html", "" };

uint32_t hm_templates_find_partial(const hm_templates *t, hm_dialect dialect, hm_str name) {
  static const char *const folders[] = { "partials/", "" };
  char path[256];
  if (name.n > sizeof path - 32)
    return HM_NO_TARGET;
  for (size_t i = 0; i < 2; i++) {
    int n = snprintf(path, sizeof path, "%s%.*s%s", folders[i], HM_FMT(name), suffixes[dialect]);
    uint32_t found = hm_map_get(&t->by_name, (hm_str){ path, (size_t)n });
    if (found != HM_MAP_NONE)
      return found;
  }
  return HM_NO_TARGET;
}

static void add_file(hm_templates *t, const hm_template_file *f) {
  uint32_t at = hm_map_get(&t->by_name, f->name);
  if (at == HM_MAP_NONE) {
    at = t->n++;
    t->programs[at].name = hm_str_dup(t->a, f->name);
    hm_map_add(&t->by_name, t->programs[at].name, at);
  }
  hm_program *p = &t->programs[at];
  p->origin = hm_str_dup(t->a, f->origin);
  p->bytes = hm_str_dup(t->a, f->bytes);
  p->dialect = HM_MARKDOWN_TEMPLATE;
  while (!hm_str_ends(p->name, suffixes[p->dialect]))
    p->dialect++;
}

/* Plain Mustache renders nothing for a missing partial; in our templates it is a typo, an error. */
static int link_program(hm_templates *t, hm_program *p, hm_err *err) {
  for (uint32_t i = 0; i < p->n; i++) {
    hm_ins *ins = &p->code[i];
    if ((ins->op != HM_OP_PARTIAL && ins->op != HM_OP_PARENT) || ins->flags & HM_INS_DYNAMIC)
      continue;
    ins->target = hm_templates_find_partial(t, p->dialect, ins->text);
    if (ins->target == HM_NO_TARGET && p->dialect != HM_PLAIN_TEMPLATE)
      return hm_program_fail(p, ins->line, err, "add it, or correct the name",
                             "there is no template %.*s%s or partials/%.*s%s", HM_FMT(ins->text),
                             suffixes[p->dialect], HM_FMT(ins->text), suffixes[p->dialect]);
  }
  return 0;
}

static int by_name(const void *a, const void *b) {
  return hm_str_cmp((*(hm_program *const *)a)->name, (*(hm_program *const *)b)->name);
}

static hm_str digest_of(hm_templates *t) {
  hm_program **sorted = hm_alloc_array(t->a, t->n, sizeof *sorted);
  for (uint32_t i = 0; i < t->n; i++)
    sorted[i] = &t->programs[i];
  if (t->n)
    qsort(sorted, t->n, sizeof *sorted, by_name);
  hm_sha256 h;
  hm_sha256_init(&h);
  for (uint32_t i = 0; i < t->n; i++) {
    hm_sha256_field(&h, sorted[i]->name);
    hm_sha256_field(&h, sorted[i]->bytes);
  }
  return hm_sha256_hex(&h, t->a, 64);
}

int hm_templates_compile(const hm_template_file *files, size_t n, hm_templates **out, hm_err *err) {
  hm_arena *a = hm_arena_new();
  hm_templates *t = hm_alloc(a, sizeof *t);
  t->a = a;
  t->programs = hm_alloc_array(a, n, sizeof *t->programs);
  hm_map_init(&t->by_name, a, n);
  for (size_t i = 0; i < n; i++)
    add_file(t, &files[i]);
  int rc = 0;
  for (uint32_t i = 0; i < t->n && !rc; i++)
    rc = hm_program_compile(a, &t->programs[i], err);
  for (uint32_t i = 0; i < t->n && !rc; i++)
    rc = link_program(t, &t->programs[i], err);
  if (rc) {
    hm_arena_free(a);
    return rc;
  }
  t->digest = digest_of(t);
  *out = t;
  return 0;
}

void hm_templates_free(hm_templates *t) {
  if (t)
    hm_arena_free(t->a);
}

bool hm_templates_has(const hm_templates *t, hm_str name) {
  return hm_map_get(&t->by_name, name) != HM_MAP_NONE;
}

hm_str hm_templates_digest(const hm_templates *t) { return t->digest; }
