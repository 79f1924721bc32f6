/* manifest.json: what a site holds, as it stands in the site itself.
 *
 *   { "tool", "snapshot", "templates", "files": [ {"path", "sha256", "bytes"}, ... ] }
 *
 * It names every file but itself. When it would be longer than a file may be it is an index of
 * parts (parts.h), "manifest/0.json" and so on; the files of one project stand together in one part
 * while they fit, so a change of one project rewrites one part and the index.
 *
 * Sites of before had, above 4,096 files, a manifest in each of the folders "conflicts",
 * "projects/<p>" and "data/<p>": {"folder": "projects/<p>", "files": [ ... ]}. The row of such a
 * manifest had a member "files" more, the number of files that it names. They are still read. */
#ifndef HM_MANIFEST_H
#define HM_MANIFEST_H
#include "gen/site/parts.h"

typedef struct { hm_str path, sha256; } hm_manifest_row;   /* sha256: as written, or empty */

typedef struct {
  hm_str tool, templates;
  hm_manifest_row *rows; size_t n;         /* every file that is named, once for each time */
  hm_str *parts; size_t n_parts;           /* the files that the rest of the manifest stands in */
  bool whole;                              /* all of these could be read */
} hm_manifest;

/* Data from outside: what a site's manifest.json says, and the parts that `read` returns (NULL:
 * none is read), with strings in a. Skips rows without a path, and rows of a folder's manifest that
 * are not below the folder. False when json is no manifest. */
bool hm_manifest_read(hm_str json, hm_part_read *read, void *ctx, hm_arena *a, hm_manifest *out);
/* A path that every sink can write: [A-Za-z0-9._-] between single '/', no component "", ".", ".."
 * or ".git" (in any case), at most 255 bytes a component, 1024 bytes and 32 components in all. */
bool hm_site_path_ok(hm_str path);
/* The project of a path, for hm_parts_split: its pages and its data stand in one part. Of what
 * stands at the root and tells of all projects ".", of the search "search"; else empty. */
hm_str hm_manifest_group(hm_str path);
/* The bytes of .gitattributes: diffs show what people read, not digests, the index of the search
 * and coordinates. */
hm_str hm_manifest_attributes(void);
/* "projects/<p>", "data/<p>" or "conflicts" of a path below it, a slice of path; else empty. */
hm_str hm_manifest_folder(hm_str path);
#endif
