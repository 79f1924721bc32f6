#include "core/claim/rules.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const hm_str prose[] = {
  { "description", 11 }, { "notes", 5 }, { "rationale", 9 }, { "title", 5 }, { "source*", 7 },
  { "created*", 8 },
};
static const hm_str text_fields[] = {
  { "version", 7 }, { "release", 7 }, { "serial", 6 }, { "id", 2 }, { "code", 4 },
};
static const hm_rules defaults = {
  .prose = prose, .n_prose = COUNT(prose),
  .text_fields = text_fields, .n_text_fields = COUNT(text_fields),
};

const hm_rules *hm_rules_default(void) { return &defaults; }
