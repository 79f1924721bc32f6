/* Licenses by the names that people and manifests write, and by their texts. A phrase of a text
 * counts wherever it stands in the first kilobytes, with any case, line breaks and spaces. Of the
 * rows whose phrases are all there that wins of which the first phrase stands first: what a text
 * names further down is another one. */
#include <string.h>
#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/tree/manifest.h"

enum { LOOKED_AT = 16 << 10, PHRASES_MAX = 3 };

typedef struct {
  const char *name;
  const char *phrases[PHRASES_MAX];
} license;

/* The more special first. Folded: small letters, one space. Without a name: a text that is not
 * told, but names others. */
static const license licenses[] = {
  { "", { "cecill" } },
  { "AGPL-3.0", { "gnu affero general public license", "version 3" } },
  { "LGPL-3.0", { "gnu lesser general public license", "version 3" } },
  { "LGPL-2.1", { "gnu lesser general public license", "version 2.1" } },
  { "LGPL-2.0", { "gnu library general public license" } },
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
    { "redistribution and use in source and binary forms", "endorse or promote products" } },
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

/* --- names ------------------------------------------------------------------------------------ */

/* In small letters. Of two that begin alike the longer one comes first. */
static const struct {
  const char *words, *name;
} names[] = {
  { "0-bsd", "0BSD" },
  { "0bsd", "0BSD" },
  { "affero gpl v3", "AGPL-3.0" },
  { "affero gpl license v3", "AGPL-3.0" },
  { "agpl v3", "AGPL-3.0" },
  { "agpl-3.0", "AGPL-3.0" },
  { "agplv3", "AGPL-3.0" },
  { "apache 2.0", "Apache-2.0" },
  { "apache license 2.0", "Apache-2.0" },
  { "apache license, 2.0", "Apache-2.0" },
  { "apache license v2.0", "Apache-2.0" },
  { "apache license v2", "Apache-2.0" },
  { "apache license version 2.0", "Apache-2.0" },
  { "apache license, version 2.0", "Apache-2.0" },
  { "apache license", "Apache-2.0" }, /* of which there is one in use */
  { "apache software license, version 2.0", "Apache-2.0" },
  { "apache software license 2.0", "Apache-2.0" },
  { "apache software license", "Apache-2.0" },
  { "apache-2.0", "Apache-2.0" },
  { "bsd 2-clause", "BSD-2-Clause" },
  { "bsd 3-clause", "BSD-3-Clause" },
  { "bsd-2-clause", "BSD-2-Clause" },
  { "bsd-3-clause", "BSD-3-Clause" },
  { "business source license 1.1", "BUSL-1.1" },
  { "business-source-license-1.1", "BUSL-1.1" },
  { "gnu affero general public license", "AGPL-3.0" },
  { "gnu lesser general public license v2.1", "LGPL-2.1" },
  { "gnu lesser general public license v3", "LGPL-3.0" },
  { "gnu lesser general public license version 2.1", "LGPL-2.1" },
  { "gnu lesser general public license version 3", "LGPL-3.0" },
  { "gnu lesser general public license, version 2.1", "LGPL-2.1" },
  { "gnu lesser general public license, version 3", "LGPL-3.0" },
  { "gnu general public license v2", "GPL-2.0" },
  { "gnu general public license v3", "GPL-3.0" },
  { "gnu general public license version 2", "GPL-2.0" },
  { "gnu general public license version 3", "GPL-3.0" },
  { "gnu general public license, version 2", "GPL-2.0" },
  { "gnu general public license, version 3", "GPL-3.0" },
  { "gpl v2", "GPL-2.0" },
  { "gpl v3", "GPL-3.0" },
  { "gpl-2.0", "GPL-2.0" },
  { "gpl-3.0", "GPL-3.0" },
  { "gplv2", "GPL-2.0" },
  { "gplv3", "GPL-3.0" },
  { "isc license", "ISC" },
  { "lgpl v2.1", "LGPL-2.1" },
  { "lgpl v3", "LGPL-3.0" },
  { "lgpl-2.1", "LGPL-2.1" },
  { "lgpl-3.0", "LGPL-3.0" },
  { "lgplv2.1", "LGPL-2.1" },
  { "lgplv3", "LGPL-3.0" },
  { "mit license", "MIT" },
  { "mit-licensed", "MIT" },
  { "mit", "MIT" },
  { "mozilla public license 2.0", "MPL-2.0" },
  { "mozilla public license version 2.0", "MPL-2.0" },
  { "mozilla public license, version 2.0", "MPL-2.0" },
  { "mpl 2.0", "MPL-2.0" },
  { "mpl-2.0", "MPL-2.0" },
  { "unlicense", "Unlicense" },
};

static bool is_part_of_word(hm_str s, size_t at) {
  return at < s.n && (hm_is_alnum(s.p[at]) || s.p[at] == '-');
}

/* "Affero GPL v3", "Lesser GPL": not the GPL. */
static bool is_of_other_kind(hm_str low, size_t i) {
  static const char *const kinds[] = { "affero ", "lesser ", "library " };
  hm_str before = hm_str_sub(low, 0, i);
  for (size_t k = 0; k < HM_COUNT(kinds); k++)
    if (hm_str_ends(before, kinds[k]))
      return true;
  return false;
}

static const char *const variants[] = { "-or-later", "-only" };

const char *hm_license_at(hm_str low, size_t i, size_t *bytes) {
  bool gpl = hm_str_starts(hm_str_sub(low, i, low.n), "gpl");
  if (i && (is_part_of_word(low, i - 1) || (gpl && is_of_other_kind(low, i))))
    return NULL;
  for (size_t k = 0; k < HM_COUNT(names); k++) {
    *bytes = strlen(names[k].words);
    if (!hm_str_starts(hm_str_sub(low, i, low.n), names[k].words))
      continue;
    bool ends = !is_part_of_word(low, i + *bytes);
    for (size_t x = 0; x < HM_COUNT(variants) && !ends; x++)
      ends = hm_str_starts(hm_str_sub(low, i + *bytes, low.n), variants[x]);
    if (ends)
      return names[k].name;
  }
  return NULL;
}

hm_str hm_license_name(hm_str text, hm_arena *a) {
  static const char *const behind[] = {
    "",          ".0",    " licence",  " license",          "+",
    "-or-later", "-only", " or later", " or later version", " or any later version"
  };
  size_t bytes = 0;
  hm_str low = hm_str_lower(a, text);
  static const char own[] = "licenseref-"; /* what the list of SPDX lacked */
  if (hm_str_starts(low, own))
    low = hm_str_sub(low, sizeof own - 1, low.n);
  size_t from = hm_str_starts(low, "gnu ") ? 4 : hm_str_starts(low, "the ") ? 4 : 0;
  const char *name = hm_license_at(low, from, &bytes);
  if (hm_str_is(low, "apache"))
    return HM_STR("Apache-2.0");
  for (size_t i = 0; i < HM_COUNT(behind) && name; i++)
    if (hm_str_is(hm_str_sub(low, from + bytes, low.n), behind[i]))
      return hm_str_c(name);
  for (size_t i = 0; i < HM_COUNT(variants); i++)
    if (hm_str_ends(text, variants[i]))
      return hm_str_sub(text, 0, text.n - strlen(variants[i]));
  return text;
}

/* --- texts ------------------------------------------------------------------------------------ */

/* "The sources are under the MIT License, the rest under the GPL v3": each part has its own. */
static bool names_several(hm_str low) {
  const char *found = NULL;
  for (size_t i = 0, bytes; i < low.n; i++) {
    const char *name = hm_license_at(low, i, &bytes);
    if (name && found && strcmp(name, found))
      return true;
    if (name)
      found = name;
  }
  return false;
}

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
  bool parts = kind.n && names_several(hm_str_sub(folded, 0, (size_t)first));
  return parts ? HM_EMPTY : kind;
}
