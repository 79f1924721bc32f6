/* Reads what a model answers: hm_judge_answer_text and hm_judge_answer_parse of judge.h.
 *
 * Models add prose, code blocks and members, forget a comma, or stop in the middle. The reader
 * takes the first array that has an object, object by object, so that one broken element spoils no
 * other. It is lenient in form only: an element counts by the ids that it names, each known by its
 * label of eight digits, and can say nothing but that these facts disagree. */
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/judge/judge.h"

enum { QUOTED = 60, STARTS = 64 };

/* --- the endpoint's answer ----------------------------------------------------------- */

static int no_answer(const char *why, hm_err *err) {
  return hm_fail(err, HM_E_INPUT, "answer of the judge", why,
                 "see that judge.url in mirror.yml is a chat endpoint as OpenAI has it");
}

int hm_judge_answer_text(hm_str body, hm_arena *a, hm_str *text, hm_err *err) {
  hm_json *v;
  if (hm_json_parse(a, body, &v, NULL))
    return no_answer("no JSON", err);
  const hm_json *message = hm_json_get(hm_json_get_items(v, "choices"), "message");
  const hm_json *content = hm_json_get(message, "content");
  if (content && content->type == HM_JSON_ARRAY && content->child) /* parts of a text */
    content = hm_json_get(content->child, "text");
  if (!content || content->type != HM_JSON_STRING)
    return no_answer("no text under choices, message, content", err);
  *text = content->text;
  return 0;
}

/* --- where its elements are ------------------------------------------------------------- */

static bool is_space(char c) { return (unsigned char)c <= ' '; }

static size_t skip_string(hm_str s, size_t at) {
  for (at++; at < s.n && s.p[at] != '"'; at++)
    at += s.p[at] == '\\';
  return at < s.n ? at + 1 : s.n;
}

/* The end of the value that begins here; 0: the text ends in it. */
static size_t value_end(hm_str s, size_t at) {
  size_t depth = 0;
  while (at < s.n) {
    char c = s.p[at];
    if (!depth && (is_space(c) || c == ',' || c == ']'))
      return at;
    at = c == '"' ? skip_string(s, at) : at + 1;
    depth += c == '{' || c == '[';
    if (c == '}' || c == ']')
      depth -= depth > 0;
    if (!depth && (c == '"' || c == '}' || c == ']'))
      return at;
  }
  return 0;
}

/* The elements of an array, or the objects of a text without one. */
typedef struct {
  hm_str s;
  size_t at;
  bool array, cut; /* cut: the text ends in an element */
} elements;

static bool next_element(elements *e, hm_str *out) {
  while (e->at < e->s.n &&
         (e->array ? is_space(e->s.p[e->at]) || e->s.p[e->at] == ',' : e->s.p[e->at] != '{'))
    e->at++;
  if (e->at >= e->s.n || (e->array && e->s.p[e->at] == ']')) {
    e->cut = e->cut || (e->array && e->at >= e->s.n);
    return false;
  }
  size_t end = value_end(e->s, e->at);
  e->cut = !end;
  *out = hm_str_sub(e->s, e->at, end ? end : e->s.n);
  e->at = end ? end : e->s.n;
  return out->n > 0;
}

static bool has_object(elements e) {
  hm_str v;
  while (next_element(&e, &v))
    if (v.p[0] == '{')
      return true;
  return false;
}

/* The first array with an object; else an empty one, else the objects. False: none of them. */
static bool find_elements(hm_str text, elements *out) {
  hm_str v;
  bool empty = false;
  for (size_t i = 0, tried = 0; i < text.n && tried < STARTS; i++) {
    elements e = { .s = text, .at = i + 1, .array = true };
    if (text.p[i] != '[')
      continue;
    tried++;
    if (has_object(e)) {
      *out = e;
      return true;
    }
    if (!empty && !next_element(&e, &v) && !e.cut) {
      empty = true;
      *out = e;
    }
  }
  elements e = { .s = text };
  if (!empty && next_element(&e, &v))
    *out = (elements){ .s = text };
  else if (!empty)
    return false;
  return true;
}

/* What follows its thoughts. */
static hm_str without_thoughts(hm_str text) {
  static const char end[] = "</think>";
  ptrdiff_t at;
  while ((at = hm_str_find(text, end)) >= 0)
    text = hm_str_sub(text, (size_t)at + sizeof end - 1, text.n);
  return text;
}

/* --- one element ------------------------------------------------------------------------ */

/* An answer that is being read. */
typedef struct {
  const hm_map *labels; /* to their places in the facts */
  hm_arena *a;
  hm_judge_answer *out;
  size_t cap_notes, cap_items;
} answer_reader;

static void add_note(answer_reader *r, size_t element, const char *why, hm_str quoted) {
  hm_judge_answer *o = r->out;
  hm_str shown = hm_text_cut(hm_text_repair(r->a, hm_str_sub(quoted, 0, 4 * QUOTED)), QUOTED);
  o->notes = hm_array_grow_in(r->a, o->notes, o->n_notes, &r->cap_notes, sizeof *o->notes);
  o->notes[o->n_notes++] = quoted.n
      ? hm_str_fmt(r->a, "element %zu: %s: \"%.*s\"", element + 1, why, HM_FMT(shown))
      : hm_str_fmt(r->a, "element %zu: %s", element + 1, why);
}

/* The fact with this label, in capitals, too. */
static uint32_t fact_named(const answer_reader *r, hm_str word) {
  char label[HM_JUDGE_LABEL];
  if (word.n != HM_JUDGE_LABEL)
    return HM_MAP_NONE;
  for (size_t i = 0; i < word.n; i++)
    label[i] = word.p[i] >= 'A' && word.p[i] <= 'F' ? (char)(word.p[i] + 32) : word.p[i];
  return hm_map_get(r->labels, (hm_str){ label, sizeof label });
}

/* Adds each fact whose label is a word of the text; false: too many. */
static bool add_named(answer_reader *r, hm_str text, hm_judge_answer_item *item) {
  for (size_t i = 0, end; i < text.n; i = end + 1) {
    size_t k = 0;
    for (end = i; end < text.n && (hm_is_letter(text.p[end]) || hm_is_digit(text.p[end]));)
      end++;
    uint32_t fact = fact_named(r, hm_str_sub(text, i, end));
    while (k < item->n && item->facts[k] != fact)
      k++;
    if (fact == HM_MAP_NONE || k < item->n)
      continue;
    if (item->n == HM_JUDGE_ANSWER_FACTS)
      return false;
    item->facts[item->n++] = fact;
  }
  return true;
}

/* The text on one line. */
static hm_str one_line(hm_str s, hm_arena *a) {
  hm_buf b = { 0 };
  s = hm_str_trim(hm_text_repair(a, s));
  for (size_t i = 0; i < s.n; i++) {
    bool space = is_space(s.p[i]);
    if (!space)
      hm_buf_ch(&b, s.p[i]);
    else if (b.n && b.p[b.n - 1] != ' ')
      hm_buf_ch(&b, ' ');
  }
  return hm_buf_take(&b, a);
}

static hm_str read_question(const hm_json *v, hm_arena *a) {
  hm_str q = hm_str_trim(one_line(hm_json_get_text(v, "question"), a));
  hm_str cut = hm_text_cut(q, HM_JUDGE_ANSWER_QUESTION);
  if (!q.n)
    return HM_STR("Do these facts contradict each other?");
  return cut.n < q.n ? HM_CAT(a, cut, HM_STR("…")) : cut;
}

/* The ids stand in fact_ids; else in any member but the question; of a broken object anywhere. */
static bool read_ids(answer_reader *r, const hm_json *v, hm_str raw, hm_judge_answer_item *item) {
  const hm_json *ids = hm_json_get(v, "fact_ids");
  item->facts = hm_alloc_array(r->a, HM_JUDGE_ANSWER_FACTS, sizeof *item->facts);
  bool fits = v || add_named(r, raw, item);
  for (const hm_json *e = v ? v->child : NULL; e && fits; e = e->next)
    if (ids ? e == ids : !hm_str_is(e->key, "question"))
      fits = add_named(r, hm_json_as_text(e, r->a), item);
  if (item->n)
    qsort(item->facts, item->n, sizeof *item->facts, hm_order_u32);
  return fits;
}

static void read_element(answer_reader *r, hm_str raw, size_t element) {
  hm_judge_answer *out = r->out;
  hm_judge_answer_item item = { 0 };
  hm_json *v = hm_json_parse_as(r->a, raw, HM_JSON_OBJECT);
  const char *why = NULL;
  if (raw.p[0] != '{')
    why = "no object";
  else if (!read_ids(r, v, raw, &item))
    why = "too many facts";
  else if (item.n < 2)
    why = "fewer than two known ids";
  if (why) {
    add_note(r, element, why, hm_str_trim(one_line(hm_str_sub(raw, 0, 4 * QUOTED), r->a)));
    return;
  }
  item.question = read_question(v, r->a);
  for (size_t i = 0; i < out->n; i++) {
    const hm_judge_answer_item *x = &out->items[i];
    if (x->n == item.n && !memcmp(x->facts, item.facts, item.n * sizeof *item.facts)) {
      add_note(r, element, "the facts of an element before it", HM_EMPTY);
      return;
    }
  }
  out->items = hm_array_grow_in(r->a, out->items, out->n, &r->cap_items, sizeof *out->items);
  out->items[out->n++] = item;
}

int hm_judge_answer_parse(hm_str text, const hm_judge_fact *facts, size_t first, size_t n,
                          hm_arena *a, hm_judge_answer *out, hm_err *err) {
  static const char what[] = "answer of the judge",
                    fix[] = "another model may follow the request: judge.model in mirror.yml";
  elements e;
  hm_map labels;
  hm_str raw;
  size_t element = 0;
  *out = (hm_judge_answer){ 0 };
  if (!find_elements(without_thoughts(text), &e))
    return hm_fail(err, HM_E_INPUT, what, "the model's text has no JSON array", fix);
  hm_map_init(&labels, a, n);
  for (size_t i = first; i < first + n; i++)
    hm_map_add(&labels, hm_str_c(facts[i].label), (uint32_t)i);
  answer_reader r = { .labels = &labels, .a = a, .out = out };
  while (element < HM_JUDGE_ANSWER_ITEMS && next_element(&e, &raw))
    if (!e.cut || raw.p[0] == '{')
      read_element(&r, raw, element++);
  if (element == HM_JUDGE_ANSWER_ITEMS && next_element(&e, &raw))
    add_note(&r, element, "more elements than are read", HM_EMPTY);
  if (e.cut)
    add_note(&r, element, "the answer ends in the middle", HM_EMPTY);
  out->is_partial = e.cut;
  out->is_refused = !out->n && element > 0;
  return 0;
}
