/* What a user can set about claims, and what holds where nobody did: rules.h.
 *
 * Fields are known by the last word of their name, so "api_version" is a version. */
#include "core/claim/rules.h"

#include <string.h>

const hm_rules *hm_rules_default(void) {
  static const hm_str prose[] = {
    { "description", 11 }, { "notes", 5 }, { "rationale", 9 }, { "title", 5 }, { "source*", 7 },
    { "created*", 8 },
  };
  static const hm_str text_fields[] = {
    { "version", 7 }, { "release", 7 }, { "latest", 6 }, { "tag", 3 }, { "revision", 8 },
    { "build", 5 }, { "firmware", 8 }, { "serial", 6 }, { "id", 2 }, { "code", 4 },
  };
  static const hm_str ordered_fields[] = {
    { "position", 8 }, { "order", 5 }, { "steps", 5 }, { "sequence", 8 },
  };
  static const hm_rules defaults = { .prose = prose, .n_prose = HM_COUNT(prose),
                                     .text_fields = text_fields,
                                     .n_text_fields = HM_COUNT(text_fields),
                                     .ordered_fields = ordered_fields,
                                     .n_ordered_fields = HM_COUNT(ordered_fields) };
  return &defaults;
}

bool hm_rules_is_prose(const hm_rules *r, hm_str name) {
  for (const hm_str *p = r->prose; p < r->prose + r->n_prose; p++) {
    bool prefix = hm_str_ends(*p, "*");
    if (hm_str_eq(prefix ? hm_str_sub(name, 0, p->n - 1) : name, hm_str_sub(*p, 0, p->n - prefix)))
      return true;
  }
  return false;
}

/* Is the last word of the name, without signs behind it ("Serial#"), in the list? */
static bool ends_with_one(hm_str name, const hm_str *list, size_t n) {
  const char *last = name.n ? memrchr(name.p, '_', name.n) : NULL;
  hm_str word = last ? hm_str_sub(name, (size_t)(last - name.p) + 1, name.n) : name;
  while (hm_str_ends(word, "#") || hm_str_ends(word, "+")) word.n--;
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(word, list[i])) return true;
  return false;
}
bool hm_rules_is_text(const hm_rules *r, hm_str slot_name) {
  return ends_with_one(slot_name, r->text_fields, r->n_text_fields);
}

bool hm_rules_is_ordered(const hm_rules *r, hm_str name) {
  return ends_with_one(name, r->ordered_fields, r->n_ordered_fields);
}

const hm_tolerance *hm_rules_tolerance(const hm_rules *r, hm_str slot_name) {
  for (size_t i = 0; i < r->n_tolerances; i++)
    if (hm_str_eq(r->tolerances[i].slot, slot_name)) return &r->tolerances[i];
  return NULL;
}

bool hm_rule_is_off(const hm_rules *r, hm_str rule) {
  for (size_t i = 0; r && i < r->n_off; i++)
    if (hm_str_eq(r->off[i], rule)) return true;
  return false;
}

hm_str hm_rules_severity(const hm_rules *r, hm_str rule) {
  for (size_t i = 0; r && i < r->n_severities; i++)
    if (hm_str_eq(r->severities[i].rule, rule)) return r->severities[i].severity;
  return HM_EMPTY;
}
