/* The kind of a license by its text. A phrase counts wherever it stands in the first kilobytes,
 * with any case, line breaks and spaces. Of the rows whose phrases are all there that wins of which
 * the first phrase stands first: what a text names further down is another one. */
#include <string.h>
#include "core/base/text.h"
#include "core/tree/manifest.h"

enum { LOOKED_AT = 16 << 10, PHRASES_MAX = 3 };

typedef struct {
  const char *name;
  const char *phrases[PHRASES_MAX];
} license;

/* The more special first. Folded: small letters, one space. */
static const license licenses[] = {
  { "AGPL-3.0", { "gnu affero general public license", "version 3" } },
  { "LGPL-3.0", { "gnu lesser general public license", "version 3" } },
  { "LGPL-2.1", { "gnu lesser general public license", "version 2.1" } },
  { "GPL-3.0", { "gnu general public license", "version 3, 29 june 2007" } },
  { "GPL-2.0", { "gnu general public license", "version 2, june 1991" } },
  { "Apache-2.0", { "apache license", "version 2.0, january 2004" } },
  { "Apache-2.0", { "licensed under the apache license, version 2.0" } },
  { "MPL-2.0", { "mozilla public license", "version 2.0" } },
  { "EPL-2.0", { "eclipse public license - v 2.0" } },
  { "EUPL-1.2", { "european union public licen", "1.2" } },
  { "BUSL-1.1", { "business source license 1.1" } },
  { "Elastic-2.0", { "elastic license 2.0" } },
  { "BSL-1.0", { "boost software license - version 1.0" } },
  { "CC0-1.0", { "cc0 1.0 universal" } },
  { "CC-BY-SA-4.0", { "attribution-sharealike 4.0 international" } },
  { "CC-BY-NC-4.0", { "attribution-noncommercial 4.0 international" } },
  { "CC-BY-4.0", { "attribution 4.0 international" } },
  { "Unlicense", { "this is free and unencumbered software released into the public domain" } },
  { "WTFPL", { "do what the fuck you want to public license" } },
  { "BSD-3-Clause",
    { "redistribution and use in source and binary forms", "neither the name",
      "endorse or promote products" } },
  { "BSD-2-Clause",
    { "redistribution and use in source and binary forms", "this list of conditions" } },
  { "ISC",
    { "permission to use, copy, modify, and/or distribute this software for any purpose",
      "above copyright notice and this permission notice appear in all copies" } },
  { "ISC",
    { "permission to use, copy, modify, and distribute this software for any purpose",
      "above copyright notice and this permission notice appear in all copies" } },
  { "0BSD",
    { "permission to use, copy, modify, and/or distribute this software for any purpose" } },
  { "MIT",
    { "permission is hereby granted, free of charge, to any person obtaining a copy",
      "the software is provided \"as is\"" } },
};

hm_str hm_license_kind(hm_str text, hm_arena *a) {
  hm_str head = hm_str_sub(text, 0, LOOKED_AT);
  hm_str folded = hm_text_fold_value(a, hm_text_repair(a, head));
  ptrdiff_t first = (ptrdiff_t)folded.n;
  hm_str kind = HM_EMPTY;
  for (size_t i = 0; i < HM_COUNT(licenses); i++) {
    ptrdiff_t at = hm_str_find(folded, licenses[i].phrases[0]);
    bool all = at >= 0 && at < first;
    for (size_t k = 1; all && k < PHRASES_MAX && licenses[i].phrases[k]; k++)
      all = hm_str_find(folded, licenses[i].phrases[k]) >= 0;
    if (all) {
      first = at;
      kind = hm_str_c(licenses[i].name);
    }
  }
  return kind;
}
