/* Keeps an answer within the bytes that its door allows.
 *
 * A longer answer is shortened by steps: long texts are cut, then lists; an object whose list was
 * cut says in `left_out` how many more there are. One list is kept as long as it fits: that of an
 * operation that lists, else a long one of the answer; `next` is what to give as `after` for the
 * rest: the id of its last item, or the list's name and a number. Pure. */
#include <stdlib.h>
#include <string.h>
#include "core/base/text.h"
#include "gen/api/api_impl.h"

typedef struct {
  size_t text;  /* bytes of a text */
  size_t items; /* of a list, */
  size_t keys;  /* members of an object, */
  size_t least; /* items of the list that goes on, else the next step is tried */
} bounds;

static const bounds STEPS[] = {
  { 4000, 200, 1000, SIZE_MAX },
  { 1000, 100, 500, SIZE_MAX },
  { 400, 40, 200, 10 },
  { 160, 20, 100, 10 },
  { 160, 10, 60, 5 },
  { 160, 5, 60, 1 },
  { 160, 2, 60, 1 },
};

/* The list that goes on: a member of the answer, and what is written of it. */
typedef struct {
  const hm_json *list;
  size_t from, to;
  hm_str next;
} part;

static void write_value(hm_buf *b, const hm_json *v, const bounds *most, const part *p);

static void write_text(hm_buf *b, hm_str text, const bounds *most, hm_arena *a) {
  hm_str cut = hm_text_cut(text, most->text);
  if (text.n > cut.n + 40)
    text = hm_str_fmt(a, "%.*s… (%zu more bytes)", HM_FMT(cut), text.n - cut.n);
  hm_json_write_str(b, text);
}

static void write_items(hm_buf *b, const hm_json *list, size_t from, size_t to,
                        const bounds *most) {
  size_t i = 0;
  hm_buf_ch(b, '[');
  for (const hm_json *e = list->child; e && i < to; e = e->next, i++) {
    if (i > from)
      hm_buf_ch(b, ',');
    if (i >= from)
      write_value(b, e, most, NULL);
  }
  hm_buf_ch(b, ']');
}

static void add_left_out(hm_buf *left, hm_str name, size_t n) {
  if (left->n)
    hm_buf_ch(left, ',');
  hm_json_write_str(left, name);
  hm_buf_fmt(left, ":%zu", n);
}

static void write_object(hm_buf *b, const hm_json *v, const bounds *most, const part *p) {
  hm_buf left = { 0 };
  size_t n = 0;
  hm_buf_ch(b, '{');
  for (const hm_json *m = v->child; m && n < most->keys; m = m->next) {
    bool goes_on = p && m == p->list;
    size_t to = goes_on ? p->to : m->count < most->items ? m->count : most->items;
    if (p && p->next.n && hm_str_is(m->key, "next"))
      continue;
    if (n++)
      hm_buf_ch(b, ',');
    hm_json_write_str(b, m->key);
    hm_buf_ch(b, ':');
    if (m->type != HM_JSON_ARRAY) {
      write_value(b, m, most, NULL);
      continue;
    }
    write_items(b, m, goes_on ? p->from : 0, to, most);
    if (to < m->count)
      add_left_out(&left, m->key, m->count - to);
  }
  if (v->count > most->keys)
    add_left_out(&left, HM_STR("members"), v->count - most->keys);
  if (p && p->next.n) {
    hm_buf_c(b, ",\"next\":");
    hm_json_write_str(b, p->next);
  }
  if (left.n && !hm_json_get(v, "left_out"))
    hm_buf_fmt(b, "%s\"left_out\":{%.*s}", n ? "," : "", HM_FMT(hm_buf_view(&left)));
  b->failed = b->failed || left.failed;
  hm_buf_free(&left);
  hm_buf_ch(b, '}');
}

/* p: of the answer itself; else NULL. */
static void write_value(hm_buf *b, const hm_json *v, const bounds *most, const part *p) {
  if (v->type == HM_JSON_OBJECT) {
    write_object(b, v, most, p);
  } else if (v->type == HM_JSON_ARRAY) {
    write_items(b, v, 0, most->items, most);
  } else if (v->type == HM_JSON_STRING) {
    hm_arena *a = hm_arena_new();
    write_text(b, v->text, most, a);
    hm_arena_free(a);
  } else {
    hm_json alone = *v;
    alone.key = HM_EMPTY;
    hm_json_write(b, &alone);
  }
}

/* Its bytes as the door sends it. */
static size_t sent_bytes(const hm_answer_bounds *o, hm_str json) {
  hm_arena *a = hm_arena_new();
  hm_str text = hm_json_escape_directions(a, json);
  size_t n = text.n;
  for (size_t i = 0; i < text.n && o->quoted; i++)
    n += text.p[i] == '"' || text.p[i] == '\\';
  hm_arena_free(a);
  return n;
}

/* --- the list that goes on -------------------------------------------------------------------- */

/* The first list where ids go on; else the first that is half as long as the longest. */
static const hm_json *choose_list(const hm_answer_bounds *o, const hm_json *answer) {
  const hm_json *list = answer->child;
  size_t longest = 0;
  for (const hm_json *m = answer->child; m && !o->by_id; m = m->next)
    if (m->type == HM_JSON_ARRAY && m->count > longest)
      longest = m->count;
  while (list && (list->type != HM_JSON_ARRAY || 2 * list->count < longest))
    list = list->next;
  return list;
}

/* Reads "members:40". */
static int read_cursor(hm_str after, const hm_json *answer, part *p, hm_arena *a, hm_err *err) {
  ptrdiff_t colon = hm_str_find(after, ":");
  const hm_json *list =
      colon > 0 ? hm_json_get(answer, hm_str_z(a, hm_str_sub(after, 0, (size_t)colon))) : NULL;
  hm_str number = hm_str_sub(after, (size_t)colon + 1, after.n);
  if (list && list->type == HM_JSON_ARRAY && hm_shape_fits_text(HM_STR("integer"), number))
    p->from = strtoul(hm_str_z(a, number), NULL, 10);
  if (!p->from || p->from >= list->count)
    return hm_request_refuse(HM_E_UNKNOWN, "the address", HM_STR("after"),
                             "the answer has no such part", "give the next of the answer before",
                             err);
  p->list = list;
  return 0;
}

static const hm_json *item_at(const hm_json *list, size_t i) {
  const hm_json *e = list->child;
  while (i--)
    e = e->next;
  return e;
}

static hm_str item_id(const hm_json *item) {
  hm_str ref = hm_json_get_text(item, "ref");
  return ref.n ? ref : hm_json_get_text(item, "id");
}

/* Where the list goes on after p->to. Items that share an id stay on one page. */
static void set_next(const hm_answer_bounds *o, part *p, hm_arena *a) {
  if (!o->goes_on)
    return;
  if (!o->by_id) {
    p->next = hm_str_fmt(a, "%.*s:%zu", HM_FMT(p->list->key), p->to);
    return;
  }
  while (p->to > 1 &&
         hm_str_eq(item_id(item_at(p->list, p->to - 1)), item_id(item_at(p->list, p->to))))
    p->to--;
  p->next = item_id(item_at(p->list, p->to - 1));
}

/* --- the steps -------------------------------------------------------------------------------- */

enum { ROOM = 400 }; /* for next and left_out */

/* Sets p->to to what fits by this step. False: too little. */
static bool fits(const hm_answer_bounds *o, const hm_json *answer, const bounds *most, part *p,
                 hm_buf *b) {
  size_t i = 0;
  p->to = p->from;
  hm_buf_clear(b);
  write_value(b, answer, most, p);
  size_t used = sent_bytes(o, hm_buf_view(b));
  if (used > o->most || !p->list)
    return used <= o->most;
  for (const hm_json *e = p->list->child; e; e = e->next, i++) {
    if (i < p->from)
      continue;
    hm_buf_clear(b);
    write_value(b, e, most, NULL);
    used += 1 + sent_bytes(o, hm_buf_view(b));
    if (used + (e->next ? ROOM : 0) > o->most)
      break;
    p->to++;
  }
  return p->to == p->list->count || p->to - p->from >= most->least;
}

int hm_answer_fit(const hm_answer_bounds *o, hm_str *body, hm_arena *a, hm_err *err) {
  hm_json *answer;
  size_t i = 0;
  bool begins = o->after.n && !o->by_id;
  if (!begins && (!o->most || sent_bytes(o, *body) <= o->most))
    return 0;
  if (hm_json_parse(a, *body, &answer, err))
    return hm_fail(err, HM_E_INTERNAL, "the answer", "not one object", "report it");
  part p = { .list = choose_list(o, answer), .next = HM_EMPTY };
  hm_buf b = { 0 };
  if (begins && read_cursor(o->after, answer, &p, a, err))
    return -1;
  const hm_answer_bounds within = { .most = o->most ? o->most : SIZE_MAX, .quoted = o->quoted };
  while (i < HM_COUNT(STEPS) && !fits(&within, answer, &STEPS[i], &p, &b))
    i++;
  if (i < HM_COUNT(STEPS)) {
    if (p.list && p.to < p.list->count)
      set_next(o, &p, a);
    hm_buf_clear(&b);
    write_value(&b, answer, &STEPS[i], &p);
    hm_buf_ch(&b, '\n');
    *body = hm_buf_copy(&b, a);
  }
  hm_buf_free(&b);
  return i < HM_COUNT(STEPS) ? 0
                             : hm_failf(err, HM_E_STATE, "the answer", "ask for less",
                                        "longer than %zu bytes, however it is cut", o->most);
}

/* --- as a schema ------------------------------------------------------------------------------ */

/* What an answer with lists has more where it was cut (fit.c). */
static const char CUT[] =
    "left_out?  object  where the answer was cut: how many more each of its lists has\n";
static const char CUT_AND_NEXT[] =
    "left_out?  object  where the answer was cut: how many more each of its lists has\n"
    "next?      string  what to give as after for the rest; absent: there is none\n";

const char *hm_api_cut_members(const hm_api_shape *s) {
  size_t n;
  hm_shape_field f;
  const hm_api_operation *op = hm_api_operations(&n);
  for (size_t i = 0; i < n; i++)
    if (op[i].takes && !strcmp(op[i].takes + 1, s->name))
      return "";
  if (!strchr(s->fields, '['))
    return "";
  return hm_shape_find_field(s->fields, HM_STR("next"), &f) ? CUT : CUT_AND_NEXT;
}
