/* What manifests state, and the kinds of licenses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/tree/manifest.h"

static void states_of_manifests(void **state) {
  (void)state;
  static const struct {
    const char *path, *text, *states;
  } cases[] = {
    { ".nvmrc", "v20.11.1\n", "1 node version = \"v20.11.1\"" },
    { ".nvmrc", "22.*\n", "1 node version = \"22\"" },
    { ".nvmrc", "lts/iron\n", "1 node version = \"20\"" },
    { ".nvmrc", "lts/*\n", "" },
    { ".tool-versions", "java temurin-21.0.3+9\njava graalvm-22.3.0+java17\n",
      "1 java version = \"21.0.3\"" },
    { ".node-version", "# pinned\n22\n", "2 node version = \"22\"" },
    { ".python-version", "3.12.1\n3.11.7\n", "" },
    { ".tool-versions", "nodejs 20.11.1 18.20.0\n# no\ngolang 1.22.3\nterraform latest\n",
      "1 node version = \"20.11.1\"; 3 go version = \"1.22.3\"" },
    { "go.mod", "module example.org/x\r\n\r\ngo 1.22\r\n", "3 go version = \">=1.22\"" },
    { "a/package.json",
      "{\n \"license\": \"(MIT OR Apache-2.0)\",\n \"engines\": {\n  \"node\": \">=18 <23\",\n"
      "  \"npm\": \"please-use-pnpm\" },\n \"packageManager\": \"pnpm@9.1.0+sha512.ab12\",\n"
      " \"scripts\": { \"test\": \"x\", \"build\": \"y\" }\n}",
      "2 license = [\"MIT\",\"Apache-2.0\"]; 4 node version = \">=18 <23\"; "
      "6 package manager = \"pnpm\"; 6 pnpm version = \"9.1.0\"; "
      "7 package scripts = [\"build\",\"test\"]" },
    { "package.json",
      "{\n \"dependencies\": { \"next\": \"~14.2.5\", \"react\": \"^18.3.1\",\n"
      "  \"zod\": \"^0.27.1\", \"left\": \"workspace:*\", \"vue\": \"3.4.1\" },\n"
      " \"peerDependencies\": { \"react\": \">=18\", \"@x/core\": \"^2.1\" },\n"
      " \"devDependencies\": { \"vite\": \">=5 <7\", \"next\": \"15\" }\n}",
      "4 react version = \">=18\"; 4 @x/core version = \"^2.1\"; 2 package next = \"14.2\"; "
      "3 package zod = \"0.27\"; 3 package vue = \"3.4.1\"; 5 package vite = \">=5 <7\"" },
    { "package.json", "[]", "" },
    { "package.json", "{\n \"name\": \"x\",\n \"version\": \"0.1.6\"\n}",
      "3 current version = \"0.1.6\"" },
    { "package.json", "{ \"version\": \"0.0.0-development\" }", "" },
    { "Cargo.toml", "[package]\nversion = \"1.4.0\"\n", "2 current version = \"1.4.0\"" },
    { "pyproject.toml",
      "[project]\nname = \"x\"\ndescription = \"\"\"\nrequires-python = \">=2\"\n\"\"\"\n"
      "requires-python = '>=3.10,<3.14' # up to 3.13\nlicense = { text = \"BSD-3-Clause\" }\n"
      "[tool.x]\nlicense = \"MIT\"\n",
      "6 python version = \">=3.10,<3.14\"; 7 license = \"BSD-3-Clause\"" },
    { "pyproject.toml", "[project]\nlicense = \"LICENSE.md\"\n", "" },
    { "pyproject.toml", "[project]\nlicense = \"Unlicense\"\n", "2 license = \"Unlicense\"" },
    { "pyproject.toml",
      "[tool.poetry.dependencies]\npython = \"^3.11\"\ndjango = \"^4.2.3\"\nflask = \"2.1\"\n",
      "2 python version = \"^3.11\"; 3 package django = \"4\"; 4 package flask = \"2.1\"" },
    { "pyproject.toml",
      "[project]\nname = \"x\"\ndependencies = [\n  \"fastapi[all]>=0.100,<1\", # why\n"
      "  'flask==2.1.3 ; python_version < \"3.9\"',\n  \"plain\",\n]\nversion = \"1\"\n"
      "[project.scripts]\nflask = \"3\"\n",
      "4 package fastapi = \">=0.100,<1\"; 5 package flask = \"2.1.3\"; "
      "8 current version = \"1\"" },
    { "package.json", "{ \"license\": \"EUPL\" }", "" },
    { "pyproject.toml",
      "[project]\nrequires-python = \">=3.12\"\n[tool.poetry.dependencies]\npython = \"~3.12.8\"\n",
      "2 python version = \">=3.12\"" },
    { "pyproject.toml",
      "[tool.poetry.dependencies]\npython = \"~3.12.8\"\n[project]\nrequires-python = \">=3.12\"\n",
      "4 python version = \">=3.12\"" },
    { "pyproject.toml",
      "[project]\nrequires-python = \">=2.7\"\n[tool.poetry.dependencies]\npython = \"^3.6\"\n",
      "2 python version = \">=2.7\"" },
    { "pyproject.toml",
      "[project]\nrequires-python = \">=3.12\"\n[tool.poetry.dependencies]\npython = \"~3.10\"\n",
      "2 python version = \">=3.12\"; 4 python version = \"~3.10\"" },
    { "pyproject.toml", "[project]\nrequires-python = \">=3.11, <4.0\"\n",
      "2 python version = \">=3.11, <4.0\"" },
    { "pyproject.toml", "[project]\nrequires-python = \">=3.11,<3.14\"\n",
      "2 python version = \">=3.11,<3.14\"" },
    { "Cargo.toml",
      "[package]\nrust-version.workspace = true\nedition = \"2021\"\nlicense = \"MIT/Apache-2.0\"\n"
      "license-file = \"x\"\n[dependencies]\nlicense = \"1\"\ntokio = { version = \"1.35\" }\n"
      "own = { path = \"../own\" }\n[workspace.package]\nrust-version = \"1.75\"\n",
      "3 rust edition = \"2021\"; 4 license = [\"MIT\",\"Apache-2.0\"]; 7 package license = \"1\"; "
      "8 package tokio = \"1\"; 11 rust version = \">=1.75\"" },
    { "rust-toolchain", "1.80.1\n", "1 rust version = \"1.80.1\"" },
    { "rust-toolchain", "[toolchain]\nchannel = \"1.80\"\n", "2 rust version = \"1.80\"" },
    { "rust-toolchain.toml", "[toolchain]\nchannel = \"stable\"\n", "" },
    { "LICENSE", "Some words of our own.\n", "" },
    { "README.md", "20\n", "" },
    { ".nvmrc", "", "" },
  };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_tree_state *v = NULL;
    size_t n = 0;
    assert_int_equal(
        hm_manifest_states(hm_str_c(cases[i].path), hm_str_c(cases[i].text), a, &v, &n), 0);
    hm_buf b = { 0 };
    for (size_t k = 0; k < n; k++)
      hm_buf_fmt(&b, "%s%zu %s%.*s = %.*s", k ? "; " : "", v[k].line,
                 v[k].package ? "package " : "", HM_FMT(v[k].key), HM_FMT(v[k].value));
    hm_str got = hm_buf_take(&b, a);
    if (!hm_str_is(got, cases[i].states))
      fail_msg("%s: %.*s", cases[i].path, HM_FMT(got));
  }
  hm_arena_free(a);
}

static void what_is_no_json(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_tree_state *v;
  size_t n;
  static const struct {
    const char *text;
    size_t line;
  } cases[] = { { "{\"a\":", 1 },
                { "{\n \"license\": \"MIT\",\n \"b\" 2\n}\n", 3 },
                { "{\n \"b\": [1,\n 2\n\n}\n", 5 },
                { "\xEF\xBB\xBF{\n 'b': 2}", 2 } };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    assert_int_equal(hm_manifest_states(HM_STR("package.json"), hm_str_c(cases[i].text), a, &v, &n),
                     cases[i].line);
    assert_int_equal(n, 0);
  }
  hm_str deep = HM_EMPTY;
  hm_buf b = { 0 };
  for (int i = 0; i < 100000; i++)
    hm_buf_c(&b, "{\"engines\":");
  deep = hm_buf_take(&b, a);
  assert_int_equal(hm_manifest_states(HM_STR("package.json"), deep, a, &v, &n), 1);
  hm_arena_free(a);
}

static void kinds_of_licenses(void **state) {
  (void)state;
  static const char *const cases[][2] = {
    { "MIT",
      "MIT License\n\nCopyright (c) 2024 A\n\nPermission is hereby granted, free of charge, to "
      "any\nperson obtaining a copy of this\nsoftware\n\nTHE SOFTWARE IS PROVIDED \"AS IS\"," },
    { "Apache-2.0",
      "                                 Apache License\n                           "
      "Version 2.0, January 2004\n" },
    { "",
      "The server is under the MIT License, the rest under the Affero GPL License v3.\n\n"
      "GNU AFFERO GENERAL PUBLIC LICENSE\n Version 3, 19 November 2007" },
    { "AGPL-3.0", "GNU AFFERO GENERAL PUBLIC LICENSE\n Version 3, 19 November 2007" },
    { "GPL-3.0", "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007" },
    { "BSD-2-Clause",
      "Redistribution and use in source and binary forms, with or without "
      "modification\n1. Redistributions of source code must retain the above copyright "
      "notice, this list of conditions and the following disclaimer." },
    { "BSD-3-Clause",
      "Redistribution and use in source and binary forms\nthis list of conditions\n"
      "Neither the name of the holder may be used to endorse or promote products" },
    { "BSD-3-Clause",
      "Redistribution and use in source and binary forms\nthis list of conditions\n"
      "The names of its authors may not be used to endorse or promote products" },
    { "ISC",
      "Permission to use, copy, modify, and/or distribute this software for any purpose with or "
      "without fee is hereby granted, provided that the above copyright notice and this "
      "permission notice appear in all copies." },
    { "MIT",
      "Permission is hereby granted, free of charge, to any person obtaining a copy of it.\n"
      "THE SOFTWARE IS PROVIDED \"AS IS\".\n\nPictures: Creative Commons Attribution 4.0 International" },
    { "",
      "CeCILL FREE SOFTWARE LICENSE AGREEMENT\nVersion 2.1\n\nIt may become one of the GNU Affero "
      "General Public License, Version 3." },
    { "", "All rights reserved." },
    { "", "" },
  };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_str got = hm_license_kind(hm_str_c(cases[i][1]), a);
    if (!hm_str_is(got, cases[i][0]))
      fail_msg("%s: %.*s", cases[i][0], HM_FMT(got));
  }
  hm_arena_free(a);
}

static void names_of_licenses(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  static const char *const cases[][2] = {
    { "GNU AGPLv3", "AGPL-3.0" },
    { "AGPLv3 or later version", "AGPL-3.0" },
    { "GPL-3.0-only", "GPL-3.0" },
    { "GPL-3.0+", "GPL-3.0" },
    { "Apache", "Apache-2.0" },
    { "Apache License", "Apache-2.0" },
    { "The MIT License", "MIT" },
    { "AGPL-3.0 licence", "AGPL-3.0" },
    { "GFDL-1.3-or-later", "GFDL-1.3" },
    { "LicenseRef-Business-Source-License-1.1", "BUSL-1.1" },
    { "LicenseRef-Acme", "LicenseRef-Acme" },
    { "MITRE", "MITRE" },
    { "MIT and others", "MIT and others" },
    { "UNLICENSED", "UNLICENSED" },
    { "", "" },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    assert_string_equal(hm_str_z(a, hm_license_name(hm_str_c(cases[i][0]), a)), cases[i][1]);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(states_of_manifests),
    cmocka_unit_test(what_is_no_json),
    cmocka_unit_test(kinds_of_licenses),
    cmocka_unit_test(names_of_licenses),
  };
  return cmocka_run_group_tests_name("tree_manifest", tests, NULL, NULL);
}
