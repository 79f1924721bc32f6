/* What a tree itself knows: the license, and the versions and tools that its manifests name, as
 * states. Pure, but for hm_tree_states, which reads the files. */
#ifndef HM_TREE_MANIFEST_H
#define HM_TREE_MANIFEST_H
#include "core/tree/tree.h"

/* The state key = value, on a line of the file, from 1. */
typedef struct {
  hm_str key;   /* "node version", "license", "package manager" */
  hm_str value; /* JSON: a string, or an array of strings */
  size_t line;
  bool package; /* key: the name of a package on which it depends, value: the version in use */
  bool whole;   /* the key says of which part it is */
} hm_tree_state;

/* The states of a manifest by its name (hm_tree_kind_of), in the order of their lines; in a. What
 * is not understood states nothing. A text that is not a version ("lts", "stable", a workspace's
 * value) is none.
 *   .nvmrc, .node-version, .python-version, .ruby-version, .tool-versions: versions in use
 *   package.json: version, engines, packageManager, license, the names of its scripts,
 *     dependencies, of peers what it demands
 *   pyproject.toml: version, requires-python, Poetry's python, license, dependencies
 *   Cargo.toml: version, rust-version (a minimum), edition, license, dependencies; also of a
 *     workspace
 *   rust-toolchain(.toml): the channel; go.mod: go (a minimum)
 * Returns the line at which it is no JSON, and then states nothing; else 0. */
size_t hm_manifest_states(hm_str path, hm_str bytes, hm_arena *a, hm_tree_state **out, size_t *n);
/* The SPDX name of the license whose text this is: "MIT", "Apache-2.0"; empty: unknown. */
hm_str hm_license_kind(hm_str text, hm_arena *a);
/* The SPDX name of the license whose name begins at byte i of a text in small letters, "apache
 * license 2.0"; *bytes: its length. NULL: none does. */
const char *hm_license_at(hm_str low, size_t i, size_t *bytes);
/* The SPDX name of a license by the name that a manifest gives it: "AGPL-3.0" of "GNU AGPLv3",
 * "GPL-3.0" of "GPL-3.0-only", since people name the license; else the text itself. */
hm_str hm_license_name(hm_str text, hm_arena *a);

/* Reads a manifest of the tree and gives its states; *bad_line as hm_manifest_states returns.
 * Several licenses in one folder are choices: the first file states all, and the others nothing.
 * Errors of hm_tree_read. */
int hm_tree_states(const hm_tree *t, const hm_tree_file *f, hm_arena *a, hm_tree_state **out,
                   size_t *n, size_t *bad_line, hm_err *err);
#endif
