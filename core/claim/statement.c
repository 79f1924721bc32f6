/* Is a row a fact, or what somebody believes or foretells?
 *
 * Its property claim_kind says so, in any case: subjective, prophetic. Other words say nothing.
 * Cost: properties without such a name are passed without being parsed. */
#include "core/claim/statement.h"

#include "core/base/json.h"
#include "core/base/text.h"

hm_str hm_claim_kind(hm_str props, hm_arena *scratch) {
  static const char *const kinds[] = { "prophetic", "subjective" };
  hm_json *object = NULL;
  bool may = hm_str_find(props, "laim") >= 0 || hm_str_find(props, "LAIM") >= 0 ||
      hm_str_find(props, "\\") >= 0;
  if (!may || hm_json_parse(scratch, hm_str_trim(props), &object, NULL)) return HM_EMPTY;
  for (const hm_json *p = object->type == HM_JSON_OBJECT ? object->child : NULL; p; p = p->next) {
    if (p->type != HM_JSON_STRING || !hm_str_is(hm_text_name(scratch, p->key), "claim_kind"))
      continue;
    hm_str said = hm_text_name(scratch, p->text);
    for (size_t i = 0; i < HM_COUNT(kinds); i++)
      if (hm_str_is(said, kinds[i])) return hm_str_c(kinds[i]);
  }
  return HM_EMPTY;
}
