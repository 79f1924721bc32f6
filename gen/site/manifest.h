/* Long lists, and manifest.json.
 *
 * A list (conflicts.json, manifest.json) is published as one JSON file, or as an index and parts
 * when it is longer than the largest file.
 *
 * The file has one record a line, each an object whose first member is its key:
 *
 *   {"conflicts":[                  {"tool":"...", ... "files":[
 *   {"id":"c1", ...},               {"path":"README.md", ...},
 *   {"id":"c2", ...}                {"path":"conflicts.json", ...}
 *   ],"count":2}                    ]}
 *
 * When it would be longer than `max` bytes, the records go into parts of the same form, and the
 * file lists the parts instead:
 *
 *   {"parts":[
 *   {"path":"conflicts/0.json","sha256":"...","bytes":61234,"count":80},
 *   ...
 *   ],"count":1280}
 *
 * The digest of a record's key selects its part: "conflicts/0.json" has the records whose digest
 * begins with 0. A part of over 128 KB, or over max when that is less, is split into sixteen,
 * "conflicts/00.json" to "conflicts/0f.json". So no boundary depends on other records: a changed
 * record changes one part and the index. A single record over max is a part of its own.
 *
 * When the index would still be longer than max, parts whose names begin alike get an index of
 * their own, of at most 128 KB: "conflicts/3.json" lists "conflicts/300.json", "conflicts/301.json"
 * and so on, and the file lists it instead of them. This repeats until the file fits.
 */
#ifndef HM_MANIFEST_H
#define HM_MANIFEST_H
#include "core/base/err.h"
#include "core/base/str.h"

/* --- a list and its parts ------------------------------------------------------------- */

enum { HM_FILE_MAX = 1 << 20 }; /* bytes of a file that hmirror makes */

typedef struct {
  hm_str path, bytes;
  unsigned char sha256[32]; /* for a part only */
  const uint32_t *records;
  uint64_t n; /* of a part; an index has only n, its parts */
} hm_file_part;

/* Splits the list `json`, published at path. Returns the number of files in *out that replace it,
 * the index first, in a. Returns 0 when json is not longer than max, or no such list. */
size_t hm_parts_split(hm_str path, hm_str json, size_t max, hm_arena *a, hm_file_part **out);

/* A list that is written in parts. A record has the digests of its group and its key, and the
 * number of bytes of its line. */
typedef struct {
  uint64_t group, key;
  size_t bytes;
} hm_part_list_record;
typedef struct {
  hm_str path, name; /* name: of the member that holds the records, "files" */
  void (*line)(const void *of, size_t at, hm_buf *out);
  const void *of; /* appends record `at` */
  hm_part_list_record *records;
  size_t n, cap; /* free() them */
  hm_file_part *parts;
  size_t n_parts, cap_parts;
} hm_part_list;

/* Adds a record. Records of one group share a part while they fit; empty: no group. */
void hm_part_list_add(hm_part_list *l, hm_str key, hm_str group, size_t bytes);
/* Fills l->parts, in a: the index first, then the parts, without bytes. */
void hm_part_list_cut(hm_part_list *l, size_t max, hm_arena *a);
/* Clears out, writes part i to it, and sets the part's bytes (borrowed from out) and digest.
 * Callable from any thread. */
void hm_part_list_write_part(hm_part_list *l, size_t i, hm_buf *out);
/* Appends the list of parts to out, which holds the members before the records. When out would have
 * more than max bytes, adds indices of parts to l->parts, with their bytes in a. */
void hm_part_list_write_index(hm_part_list *l, size_t max, hm_arena *a, hm_buf *out);

/* Reads the file at path; sets *bytes empty when there is none. Returns -1 with err on failure. */
typedef int hm_part_read(void *ctx, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err);
/* Lists the paths of parts and of indices of parts that an index at path names. The data comes from
 * outside: skips paths that cannot be its parts. Returns 0 when json is no index. */
size_t hm_parts_list(hm_str path, hm_str json, hm_arena *a, hm_str **parts);
/* Joins a list to the form of one file, in a: json itself when it is no index. Its records stand
 * part by part. Empty when it would have more than max bytes. Returns -1 with read's err. */
int hm_parts_join(hm_str path, hm_str json, hm_part_read *read, void *ctx, size_t max, hm_arena *a,
                  hm_str *out, hm_err *err);

/* --- the manifest -------------------------------------------------------------------------- */
/* manifest.json, a file of the site, lists the site's files.
 *
 *   { "tool", "snapshot", "templates", "files": [ {"path", "sha256", "bytes"}, ... ] }
 *
 * It names every file except itself. When it would be longer than the largest file, it is an index
 * of parts, "manifest/0.json" and so on; the files of one project share a part while they fit, so a
 * change of one project rewrites one part and the index.
 *
 * Older sites had, above 4,096 files, a manifest in each of the folders "conflicts",
 * "projects/<p>" and "data/<p>": {"folder": "projects/<p>", "files": [ ... ]}. The row of such a
 * manifest also had a member "files", the number of files that it names. They are still read. */

typedef struct {
  hm_str path, sha256;
} hm_manifest_row; /* sha256: as written, or empty */

typedef struct {
  hm_str tool, templates;
  hm_manifest_row *rows;
  size_t n; /* every row, also when two name the same file */
  hm_str *parts;
  size_t n_parts; /* the files that hold the rest of the manifest */
  bool whole;     /* all parts could be read */
} hm_manifest;

/* Parses a site's manifest.json and the parts that `read` returns (NULL: reads none), with strings
 * in a. The data comes from outside: skips rows without a path, and rows of a folder's manifest
 * that are not below the folder. Returns false when json is no manifest. */
bool hm_manifest_read(hm_str json, hm_part_read *read, void *ctx, hm_arena *a, hm_manifest *out);
/* True for a path that every sink can write: [A-Za-z0-9._-] and letters of other scripts
 * (hm_slug_has_letter) between single '/', no component "",
 * ".", ".." or ".git" (any case), at most 255 bytes a component, 1024 bytes and 32 components. */
bool hm_is_site_path(hm_str path);
/* The group of a path in the manifest: its project, so that pages and data of a project share a
 * part; "." for files at the root, "search" for those of the search; else empty. */
hm_str hm_manifest_group(hm_str path);
/* The bytes of .gitattributes, which hides from diffs what nobody reads: digests, the index of the
 * search and coordinates. */
hm_str hm_gitattributes_text(void);
/* The folder "projects/<p>", "data/<p>" or "conflicts" that holds path, a slice of path; else
 * empty. */
hm_str hm_manifest_folder(hm_str path);
#endif
