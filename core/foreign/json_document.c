/* One JSON document as a stream: the elements of its array, or of the arrays that its object has.
 *
 * A byte after the other, in one of the states below; only strings and depth are known of a value,
 * and its reader parses it. So memory is bounded by the longest element, whatever the document
 * holds besides: a member that is not a list is passed over. Cost: linear. */
#include <stdlib.h>
#include <string.h>

#include "core/foreign/readers.h"

typedef enum { ROOT, KEY, COLON, VALUE, ELEMENT, AFTER_ELEMENT, AFTER_MEMBER, OVER } state;

enum { KEY_MAX_BYTES = 64 };

struct hm_json_document {
  hm_record_place *place;
  hm_json_element *each;
  void *ctx;
  state at;
  bool is_object, any_list;
  bool in_value, in_string, escaped; /* in_value: a string, a list, an object or a plain word */
  bool after_comma;                  /* another must follow */
  size_t depth;                      /* open lists and objects of the value */
  int64_t n;                         /* elements so far */
  hm_buf value, key;
};

hm_json_document *hm_json_document_new(hm_record_place *place, hm_json_element *each, void *ctx) {
  hm_json_document *d = memset(hm_xmalloc(sizeof *d), 0, sizeof *d);
  d->place = place;
  d->each = each;
  d->ctx = ctx;
  return d;
}

void hm_json_document_free(hm_json_document *d) {
  if (!d)
    return;
  hm_buf_free(&d->value);
  hm_buf_free(&d->key);
  free(d);
}

int64_t hm_json_document_count(const hm_json_document *d) { return d->n; }

static int fail(hm_json_document *d, const char *why) {
  hm_failf(d->place->err, HM_E_INPUT, "", "check the file: jq . FILE", "no JSON: %s", why);
  return hm_record_error(d->place, HM_EMPTY);
}

static bool is_collected(const hm_json_document *d) { return d->at == ELEMENT || d->at == KEY; }

static int value_done(hm_json_document *d) {
  d->in_value = d->in_string = false;
  d->after_comma = false;
  if (d->at == KEY) {
    hm_str key = hm_buf_view(&d->value);
    hm_buf_clear(&d->key);
    hm_buf_add(&d->key, key.p, key.n < KEY_MAX_BYTES ? key.n : KEY_MAX_BYTES);
    d->at = COLON;
    return 0;
  }
  if (d->at == VALUE) {
    d->at = AFTER_MEMBER;
    return 0;
  }
  d->at = AFTER_ELEMENT;
  d->n++;
  hm_str quoted = hm_buf_view(&d->key);
  hm_str list = quoted.n > 1 ? hm_str_sub(quoted, 1, quoted.n - 1) : HM_EMPTY;
  return d->each(d->ctx, list, hm_buf_view(&d->value), d->n);
}

/* A byte between values. Sets in_value where one begins. */
static int between(hm_json_document *d, char c) {
  const char *want = "";
  switch (d->at) {
    case ROOT:
      d->is_object = c == '{';
      d->any_list = c == '[';
      d->at = c == '[' ? ELEMENT : KEY;
      return c == '[' || c == '{' ? 0 : fail(d, "neither a list nor an object");
    case KEY:
      if (c == '}' && !d->after_comma) {
        d->at = OVER;
        return 0;
      }
      d->in_value = c == '"';
      want = "a name is missing";
      break;
    case COLON:
      d->at = VALUE;
      return c == ':' ? 0 : fail(d, "':' is missing");
    case VALUE:
      if (c == '[') {
        d->any_list = true;
        d->at = ELEMENT;
        return 0;
      }
      d->in_value = !strchr(",:]}", c);
      want = "a value is missing";
      break;
    case ELEMENT:
      if (c == ']' && !d->after_comma) {
        d->at = d->is_object ? AFTER_MEMBER : OVER;
        return 0;
      }
      d->in_value = !strchr(",:]}", c);
      want = "a record is missing";
      break;
    case AFTER_ELEMENT:
      d->after_comma = c == ',';
      d->at = c == ',' ? ELEMENT : d->is_object ? AFTER_MEMBER : OVER;
      return c == ',' || c == ']' ? 0 : fail(d, "',' or ']' is missing after a record");
    case AFTER_MEMBER:
      d->after_comma = c == ',';
      d->at = c == ',' ? KEY : OVER;
      return c == ',' || c == '}' ? 0 : fail(d, "',' or '}' is missing after a member");
    case OVER:
      return fail(d, "something stands after its end");
  }
  return d->in_value ? 0 : fail(d, want);
}

/* How far the value goes in s from i on; *done: it ends there. */
static size_t pass_value(hm_json_document *d, hm_str s, size_t i, bool *done) {
  for (*done = false; i < s.n && !*done; i++) {
    char c = s.p[i];
    if (d->in_string) {
      if (d->escaped || c == '\\')
        d->escaped = !d->escaped;
      else if (c == '"') {
        d->in_string = false;
        *done = !d->depth;
      }
    } else if (c == '"') {
      d->in_string = true;
    } else if (c == '{' || c == '[') {
      d->depth++;
    } else if ((c == '}' || c == ']') && d->depth) {
      *done = !--d->depth;
    } else if (!d->depth && (c == ',' || c == ']' || c == '}' || strchr(" \t\r\n", c))) {
      *done = true; /* the end of a plain word, which is no part of it */
      return i;
    }
  }
  return i;
}

/* The value from i on, or the rest of it; *i: where it goes on. */
static int read_value(hm_json_document *d, hm_str s, size_t *i) {
  bool done;
  size_t from = *i;
  *i = pass_value(d, s, from, &done);
  if (is_collected(d)) {
    if (d->value.n + (*i - from) > HM_RECORD_MAX_LINE)
      return fail(d, "a record is longer than 256 MB");
    hm_buf_add(&d->value, s.p + from, *i - from);
  }
  return done ? value_done(d) : 0;
}

int hm_json_document_line(hm_json_document *d, hm_str line) {
  for (size_t i = 0; i < line.n;) {
    if (d->in_value) {
      if (read_value(d, line, &i))
        return -1;
      continue;
    }
    char c = line.p[i];
    if (strchr(" \t\r", c) && c) {
      i++;
      continue;
    }
    if (between(d, c))
      return -1;
    if (!d->in_value)
      i++;
    else
      hm_buf_clear(&d->value);
  }
  bool done = false;
  if (d->in_value)
    pass_value(d, HM_STR("\n"), 0, &done);
  if (d->in_value && is_collected(d) && !done)
    hm_buf_ch(&d->value, '\n');
  return done ? value_done(d) : 0;
}

int hm_json_document_end(hm_json_document *d) {
  if (d->at == OVER)
    return d->any_list ? 0 : fail(d, "an object without a list of records");
  return fail(d,
              d->n ? "the file ends before its end, after the last record that is whole"
                   : "the file ends before its end");
}

/* --- one member -------------------------------------------------------------------------- */

static size_t skip_space(hm_str s, size_t i) {
  while (i < s.n && s.p[i] && strchr(" \t\r\n", s.p[i]))
    i++;
  return i;
}

hm_str hm_json_peek(hm_str object, const char *key) {
  hm_record_place nowhere = { 0 };
  hm_json_document d = { .place = &nowhere, .at = VALUE };
  size_t i = skip_space(object, 0), n = strlen(key);
  if (i == object.n || object.p[i++] != '{')
    return HM_EMPTY;
  for (;;) {
    bool done;
    size_t from = skip_space(object, i);
    if (from == object.n || object.p[from] != '"')
      return HM_EMPTY;
    i = pass_value(&d, object, from, &done);
    bool is_it = i - from == n + 2 && !memcmp(object.p + from + 1, key, n);
    i = skip_space(object, i);
    if (!done || i == object.n || object.p[i] != ':')
      return HM_EMPTY;
    from = skip_space(object, i + 1);
    if (is_it)
      return hm_str_sub(object, from, object.n);
    i = skip_space(object, pass_value(&d, object, from, &done));
    if (!done || i >= object.n || object.p[i++] != ',')
      return HM_EMPTY;
  }
}

/* Is it one value, with nothing open? */
static bool is_whole(hm_str text) {
  hm_record_place nowhere = { 0 };
  hm_json_document d = { .place = &nowhere, .at = VALUE };
  bool done;
  size_t end = pass_value(&d, text, skip_space(text, 0), &done);
  return done && skip_space(text, end) == text.n;
}

static bool has_list(hm_str object) {
  static const char *const lists[] = { "entities", "relations", "results", "memories" };
  for (size_t i = 0; i < HM_COUNT(lists); i++)
    if (hm_str_starts(hm_json_peek(object, lists[i]), "["))
      return true;
  return false;
}

bool hm_json_begins_document(hm_str line, hm_str head) {
  line = hm_str_trim(line);
  if (hm_str_starts(line, "["))
    return true;
  if (!hm_str_starts(line, "{") || hm_json_peek(line, "kind").n)
    return false;
  const char *end = memchr(head.p, '\n', head.n);
  hm_str next = end ? hm_str_trim(hm_str_sub(head, (size_t)(end - head.p), head.n)) : HM_EMPTY;
  bool goes_on = hm_str_starts(next, "\"") || hm_str_starts(next, "}");
  return has_list(line) || (goes_on && !is_whole(line));
}
