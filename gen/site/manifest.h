/* manifest.json: what a site holds, as it stands in the site itself.
 *
 *   { "tool", "snapshot", "templates", "files": [ {"path", "sha256", "bytes"}, ... ] }
 *
 * In a site of more than HM_MANIFEST_MAX files the folders "conflicts", "projects/<p>" and
 * "data/<p>" each have a manifest.json of their own,
 *
 *   { "folder": "projects/<p>", "files": [ ... ] }
 *
 * which names all files in it and below it, by their paths from the root of the site, but not
 * itself. The root's then names all other files and these manifests, whose rows have a member more,
 * "files": how many files such a manifest names. That is what tells it from a file of the user's
 * that has this name. So the root's digests settle the whole site, and a change of one project
 * rewrites its manifest and the root's. A folder in which the user has a "manifest.json" (of
 * static/) is not split off: its files stand in the root's. */
#ifndef HM_MANIFEST_H
#define HM_MANIFEST_H
#include "core/base/arena.h"
#include "core/base/str.h"

enum { HM_MANIFEST_MAX = 4096 };   /* files, without the manifests */

/* names: 0, or of a folder's manifest how many files it names. sha256: as written, empty when there
 * is none. */
typedef struct { hm_str path, sha256; uint64_t names; } hm_manifest_row;

typedef struct {
  hm_str tool, templates;            /* of the root's; else empty */
  hm_manifest_row *rows; size_t n;   /* as they stand */
} hm_manifest;

/* Data from outside: what a manifest.json says, with strings in a. folder: empty for the root's;
 * else rows that are not below that folder are left out, and no row names files. A row of the
 * root's names files only where it is the manifest of a folder that can have one. Rows without a
 * path are left out. False when it is no JSON, has no list of files, or is not the folder's. */
bool hm_manifest_read(hm_str json, hm_str folder, hm_arena *a, hm_manifest *out);
/* "projects/<p>", "data/<p>" or "conflicts" of a path below it, a slice of path; else empty. */
hm_str hm_manifest_folder(hm_str path);
#endif
