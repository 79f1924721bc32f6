/* Lists and checks the variables of templates. Reads three sections of the manual's mdoc: SHAPES
 * and EVERY PAGE, whose names every template may use, and TEMPLATES, whose parts are titled with
 * the names of their templates. A list item describes one or more variables; the names that its
 * text marks (.Va) are their fields. Cost: each call reads the manual once, some thousand lines. */
#include <string.h>
#include "core/base/ascii.h"
#include "core/base/near_names.h"
#include "gen/render/builtin.h"
#include "gen/render/template_impl.h"

typedef enum { IN_OTHER, IN_SHAPES, IN_PAGES, IN_TEMPLATES } manual_section;

/* Lists of names have a space before and after each name: " label url ". */
typedef struct {
  manual_section section;
  hm_str part; /* title of the part: "link", "entities.md , memories.md" */
  hm_buf names, inner, text;
} manual_item;

typedef struct {
  hm_arena *a;
  manual_item *v;
  size_t n, cap;
  manual_section section;
  hm_str part;
  bool open; /* text belongs to the last item */
} manual_reader;

/* --- mdoc to plain words ------------------------------------------------------------------ */

static bool is_one_of(hm_str word, const char *const *list) {
  for (size_t i = 0; list[i]; i++)
    if (hm_str_is(word, list[i]))
      return true;
  return false;
}

static const char *const macros[] = { "Ar", "Cm", "Dl", "Dq", "Em", "Fl", "Ic", "It", "Li", "No",
                                      "Pa", "Pc", "Po", "Pq", "Ql", "Sq", "Sx", "Va", "Xr", NULL };
static const char *const closing[] = { ",", ".", ";", ":", ")", "?", NULL };

static hm_str next_word(hm_str *line) {
  *line = hm_str_trim(*line);
  const char *space = line->n ? memchr(line->p, ' ', line->n) : NULL;
  hm_str word = hm_str_sub(*line, 0, space ? (size_t)(space - line->p) : line->n);
  *line = hm_str_sub(*line, word.n, line->n);
  return word;
}

/* Undoes the escapes of roff: \& is nothing, \e a backslash. */
static void add_word(hm_buf *text, hm_str word, bool glued) {
  char last = text->n ? text->p[text->n - 1] : '(';
  if (!glued && last != '(')
    hm_buf_ch(text, ' ');
  for (size_t i = 0; i < word.n; i++) {
    bool escape = word.p[i] == '\\' && i + 1 < word.n;
    if (escape)
      i++;
    if (escape && word.p[i] == 'e')
      hm_buf_ch(text, '\\');
    else if (!escape)
      hm_buf_ch(text, word.p[i]);
  }
}

/* Reads one line of macros. Quotes and parentheses close before the punctuation that ends it. */
static void add_macros(manual_item *item, hm_str line, hm_buf *names) {
  hm_str macro = HM_EMPTY, close[4];
  size_t n_close = 0;
  bool opened = false;
  while (hm_str_trim(line).n) {
    hm_str word = next_word(&line);
    bool last = hm_str_trim(line).n == 0;
    if (is_one_of(word, macros)) {
      macro = word;
      bool quote = hm_str_is(word, "Dq") || hm_str_is(word, "Sq"), paren = hm_str_is(word, "Pq");
      if (quote && n_close && hm_str_is(close[n_close - 1], "\""))
        add_word(&item->text, close[--n_close], true);
      if ((quote || paren) && n_close < HM_COUNT(close)) {
        add_word(&item->text, paren ? HM_STR("(") : HM_STR("\""), opened);
        close[n_close++] = paren ? HM_STR(")") : HM_STR("\"");
        opened = true;
      }
      continue;
    }
    bool stop = is_one_of(word, closing);
    while (last && stop && n_close)
      add_word(&item->text, close[--n_close], true);
    add_word(&item->text, word, stop || opened);
    opened = false;
    if (hm_str_is(macro, "Va") && hm_is_lower(word.p[0])) {
      if (!names->n)
        hm_buf_ch(names, ' ');
      hm_buf_str(names, word);
      hm_buf_ch(names, ' ');
    }
  }
  while (n_close)
    add_word(&item->text, close[--n_close], true);
}

/* --- the manual's items ------------------------------------------------------------------- */

static manual_item *begin_item(manual_reader *r) {
  r->v = hm_array_grow_in(r->a, r->v, r->n, &r->cap, sizeof *r->v);
  r->v[r->n] = (manual_item){ .section = r->section, .part = r->part };
  r->open = true;
  return &r->v[r->n++];
}

static manual_section section_of(hm_str title) {
  if (hm_str_is(title, "SHAPES"))
    return IN_SHAPES;
  if (hm_str_is(title, "EVERY PAGE"))
    return IN_PAGES;
  return hm_str_is(title, "TEMPLATES") ? IN_TEMPLATES : IN_OTHER;
}

/* A part begins with an item without a name, for its text before the list. */
static void read_line(manual_reader *r, hm_str line) {
  hm_str rest = hm_str_sub(line, line.n < 4 ? line.n : 4, line.n);
  if (hm_str_starts(line, ".Sh ")) {
    r->section = section_of(rest);
    r->part = HM_EMPTY;
    r->open = false;
  } else if (r->section == IN_OTHER) {
    return;
  } else if (hm_str_starts(line, ".Ss ")) {
    r->part = rest;
    begin_item(r);
  } else if (hm_str_starts(line, ".It Va ")) {
    manual_item *item = begin_item(r);
    add_macros(item, hm_str_sub(line, 1, line.n), &item->names);
    hm_buf_clear(&item->text);
  } else if (hm_str_starts(line, ".It") || hm_str_starts(line, ".El") ||
             hm_str_starts(line, ".Bl")) {
    r->open = false;
  } else if (r->open && hm_str_starts(line, ".")) {
    if (!hm_str_is(line, ".Pp"))
      add_macros(&r->v[r->n - 1], hm_str_sub(line, 1, line.n), &r->v[r->n - 1].inner);
  } else if (r->open) {
    for (hm_str left = line; hm_str_trim(left).n;)
      add_word(&r->v[r->n - 1].text, next_word(&left), r->v[r->n - 1].text.n == 0);
  }
}

static void free_items(manual_reader *r) {
  for (size_t i = 0; i < r->n; i++) {
    hm_buf_free(&r->v[i].names);
    hm_buf_free(&r->v[i].inner);
    hm_buf_free(&r->v[i].text);
  }
}

static manual_reader read_manual(hm_arena *a) {
  const hm_builtin *b = hm_builtin_find("gen/cli/hmirror-templates.5");
  manual_reader r = { .a = a, .part = HM_EMPTY };
  hm_str rest = b ? (hm_str){ b->bytes, b->n } : HM_EMPTY;
  while (rest.n) {
    ptrdiff_t end = hm_str_find(rest, "\n");
    size_t n = end < 0 ? rest.n : (size_t)end;
    read_line(&r, hm_str_sub(rest, 0, n));
    rest = hm_str_sub(rest, n + 1, rest.n);
  }
  return r;
}

static bool between_spaces(hm_str list, hm_str word, hm_arena *a) {
  hm_str framed = hm_str_fmt(a, " %.*s ", HM_FMT(list));
  return hm_str_find(framed, hm_str_fmt(a, " %.*s ", HM_FMT(word)).p) >= 0;
}

static bool has_name(const manual_item *item, hm_str name, hm_arena *a) {
  return between_spaces(hm_buf_view(&item->names), name, a) ||
      between_spaces(hm_buf_view(&item->inner), name, a);
}

/* --- what a template asks for ------------------------------------------------------------- */

static int compile(const hm_template_file *f, hm_arena *a, hm_program *p, hm_err *err) {
  *p = (hm_program){ .name = f->name,
                     .origin = f->origin,
                     .bytes = f->bytes,
                     .dialect =
                         hm_str_ends(f->name, ".md") ? HM_MARKDOWN_TEMPLATE : HM_HTML_TEMPLATE };
  return hm_program_compile(a, p, err);
}

static bool asks(const hm_ins *ins) {
  return ins->op == HM_OP_VALUE || ins->op == HM_OP_RAW || ins->op == HM_OP_SECTION ||
      ins->op == HM_OP_INVERTED || (ins->flags & HM_INS_DYNAMIC);
}

static hm_str part_of_name(const hm_key *key) { return (hm_str){ key->p, key->tag >> 32 }; }

/* True when the partial uses a name of the item. Names in the text of one template's item do not
 * count: a partial serves several templates. */
static bool uses(const hm_program *p, const manual_item *item, hm_arena *a) {
  if (item->section == IN_TEMPLATES && !item->names.n)
    return false;
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t k = 0; asks(&p->code[i]) && k < p->code[i].n_parts; k++)
      if (item->section == IN_TEMPLATES
              ? between_spaces(hm_buf_view(&item->names), part_of_name(&p->code[i].parts[k]), a)
              : has_name(item, part_of_name(&p->code[i].parts[k]), a))
        return true;
  return false;
}

/* --- lists -------------------------------------------------------------------------------- */

static bool is_titled(const manual_reader *r, hm_str name) {
  for (size_t i = 0; i < r->n; i++)
    if (r->v[i].section == IN_TEMPLATES && between_spaces(r->v[i].part, name, r->a))
      return true;
  return false;
}

/* True when text names the shape: as "[link]", "[links]", or by a title of several words. */
static bool names_shape(hm_str text, hm_str shape, hm_arena *a) {
  bool long_title = memchr(shape.p, ' ', shape.n);
  return hm_str_find(text, hm_str_fmt(a, "%s%.*s", long_title ? "" : "[", HM_FMT(shape)).p) >= 0;
}

/* A shape whose first words name the template belongs to it, too. */
static void find_shapes(const manual_reader *r, hm_str name, bool *chosen) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < r->n; i++) {
      if (r->v[i].section != IN_SHAPES || chosen[i])
        continue;
      bool meant =
          !r->v[i].names.n && hm_str_find(hm_buf_view(&r->v[i].text), hm_str_z(r->a, name)) >= 0;
      for (size_t k = 0; k < r->n && !meant; k++)
        meant = chosen[k] &&
            (hm_str_eq(r->v[k].part, r->v[i].part) ||
             names_shape(hm_buf_view(&r->v[k].text), r->v[i].part, r->a));
      if (meant)
        chosen[i] = again = true;
    }
  }
}

static void add_variables(const manual_reader *r, const manual_item *item, hm_variable *out,
                          size_t *n) {
  hm_str part = item->section == IN_PAGES ? HM_STR("every page")
      : item->section == IN_SHAPES        ? item->part
                                          : HM_EMPTY;
  hm_str names = hm_buf_copy(&item->names, r->a), text = hm_buf_copy(&item->text, r->a);
  if (!names.n && !item->inner.n)
    return; /* the text before a list */
  if (!names.n)
    out[(*n)++] = (hm_variable){ part, HM_EMPTY, hm_str_trim(text) };
  while (hm_str_trim(names).n)
    out[(*n)++] = (hm_variable){ part, next_word(&names), hm_str_trim(text) };
}

int hm_list_variables(const hm_template_file *f, hm_arena *a, hm_variable **out, size_t *n,
                      hm_err *err) {
  static const manual_section order[] = { IN_TEMPLATES, IN_PAGES, IN_SHAPES };
  hm_program p;
  if (compile(f, a, &p, err))
    return -1;
  manual_reader r = read_manual(a);
  bool of_all = !is_titled(&r, f->name), *chosen = hm_alloc_array(a, r.n + 1, sizeof *chosen);
  size_t room = 0;
  for (size_t i = 0; i < r.n; i++) {
    const manual_item *item = &r.v[i];
    room += item->names.n / 2 + 1;
    chosen[i] = of_all ? uses(&p, item, a)
                       : item->section == IN_PAGES ||
            (item->section == IN_TEMPLATES && between_spaces(item->part, f->name, a));
  }
  if (!of_all)
    find_shapes(&r, f->name, chosen);
  *out = hm_alloc_array(a, room, sizeof **out);
  *n = 0;
  for (size_t k = 0; k < HM_COUNT(order); k++)
    for (size_t i = 0; i < r.n; i++)
      if (chosen[i] && r.v[i].section == order[k])
        add_variables(&r, &r.v[i], *out, n);
  free_items(&r);
  return 0;
}

/* --- unknown names ------------------------------------------------------------------------ */

typedef struct {
  hm_str left;
  hm_arena *a;
  const manual_reader *r;
  const bool *known;
  size_t item;
  bool inner;
} name_walk;

/* hm_find_nearest_word asks for the names one by one, from 0. */
static const char *next_known(void *ctx, size_t i) {
  name_walk *w = ctx;
  if (i == 0) {
    w->item = 0;
    w->inner = false;
    w->left = HM_EMPTY;
  }
  while (!hm_str_trim(w->left).n) {
    if (w->item == w->r->n)
      return NULL;
    const manual_item *item = &w->r->v[w->item];
    w->left = !w->known[w->item] ? HM_EMPTY : hm_buf_view(w->inner ? &item->inner : &item->names);
    w->item += w->inner;
    w->inner = !w->inner;
  }
  return hm_str_z(w->a, next_word(&w->left));
}

static int check_name(const manual_reader *r, const bool *known, const hm_program *p,
                      const hm_ins *ins, hm_str name, hm_err *err) {
  for (size_t i = 0; i < r->n; i++)
    if (known[i] && has_name(&r->v[i], name, r->a))
      return 0;
  name_walk walk = { .a = r->a, .r = r, .known = known };
  const char *near = hm_find_nearest_word(hm_str_z(r->a, name), next_known, &walk);
  hm_str word = hm_str_sub(p->name, 0, p->name.n - (hm_str_ends(p->name, ".md") ? 3 : 5));
  return hm_program_fail(
      p, ins->line, err,
      near ? hm_str_fmt(r->a, "did you mean {{%s}}?", near).p
           : hm_str_fmt(r->a, "see 'hmirror theme variables %.*s'", HM_FMT(word)).p,
      "there is no variable %.60s here", hm_str_z(r->a, name));
}

int hm_variables_check(const hm_template_file *f, hm_arena *a, hm_err *err) {
  hm_program p;
  int rc = 0;
  if (compile(f, a, &p, err))
    return -1;
  manual_reader r = read_manual(a);
  bool of_all = !is_titled(&r, f->name), *known = hm_alloc_array(a, r.n + 1, sizeof *known);
  for (size_t i = 0; i < r.n; i++)
    known[i] = of_all || r.v[i].section != IN_TEMPLATES || between_spaces(r.v[i].part, f->name, a);
  for (uint32_t i = 0; i < p.n && !rc; i++)
    for (uint32_t k = 0; asks(&p.code[i]) && k < p.code[i].n_parts && !rc; k++)
      rc = check_name(&r, known, &p, &p.code[i], part_of_name(&p.code[i].parts[k]), err);
  free_items(&r);
  return rc;
}
