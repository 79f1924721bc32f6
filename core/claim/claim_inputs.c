/* On which entities the values of a row depend: on those whose ids stand in it, for such a value is
 * read as the name of the entity.
 *
 * Cost: linear in the bytes of the row. */
#include "core/claim/claim_inputs.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/claim/memory.h"
#include "core/claim/value.h"

/* The id that a text is; of JSON every string in it, as deep as the parser goes. */
static void each_id(hm_str text, const hm_json *v, void (*each)(void *ctx, hm_str id), void *ctx) {
  if (v && v->type != HM_JSON_STRING) {
    for (const hm_json *i = v->child; i; i = i->next) each_id(HM_EMPTY, i, each, ctx);
    return;
  }
  hm_str id = hm_value_parse_id(v ? v->text : text);
  if (id.n) each(ctx, id);
}

/* The words of a text that may be ids: those with a digit. */
static void each_word_id(hm_str text, void (*each)(void *ctx, hm_str id), void *ctx) {
  static const char edges[] = "\"'`,;:!?()[]{}<>.=";
  for (size_t i = 0, end; i < text.n; i = end + 1) {
    for (end = i; end < text.n && !strchr(" \t\r\n", text.p[end]);) end++;
    hm_str word = hm_str_sub(text, i, end);
    while (word.n && strchr(edges, word.p[word.n - 1])) word.n--;
    while (word.n && strchr(edges, word.p[0])) word.p++, word.n--;
    if (hm_text_has_digit(word)) each_id(word, NULL, each, ctx);
  }
}

void hm_claim_each_input_id(const hm_row *row, void (*each)(void *ctx, hm_str id), void *ctx,
                            hm_arena *a) {
  hm_json *v = NULL;
  hm_memory_claim m;
  switch (row->layer) {
    case HM_MEMORY:
      hm_memory_read(&m, row, a);
      if (!m.own_space) each_id(m.value, NULL, each, ctx);
      each_word_id(row->text, each, ctx);
      break;
    case HM_ENTITY:
      if (row->props.n && !hm_json_parse(a, hm_str_trim(row->props), &v, NULL))
        each_id(HM_EMPTY, v, each, ctx);
      break;
    case HM_STATE:
      if (!row->value_is_json) each_id(row->text, NULL, each, ctx);
      else if (!hm_json_parse(a, row->text, &v, NULL)) each_id(HM_EMPTY, v, each, ctx);
      break;
    default: break;
  }
}
