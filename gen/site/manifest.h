/* Long lists, and manifest.json.
 *
 * A list that is published as one JSON file, and as an index of parts when it is longer than a file
 * may be: conflicts.json, manifest.json.
 *
 * The file has one record a line, each an object whose first member is its key:
 *
 *   {"conflicts":[                  {"tool":"...", ... "files":[
 *   {"id":"c1", ...},               {"path":"README.md", ...},
 *   {"id":"c2", ...}                {"path":"conflicts.json", ...}
 *   ],"count":2}                    ]}
 *
 * When it would be longer than `max` bytes, the records go into parts of the same form, and in
 * their place the file names the parts:
 *
 *   {"parts":[
 *   {"path":"conflicts/0.json","sha256":"...","bytes":61234,"count":80},
 *   ...
 *   ],"count":1280}
 *
 * A digest of its key says which part a record stands in: "conflicts/0.json" has the records whose
 * digest begins with 0. A part of over 128 KB, or over max where that is less, gives way to its
 * sixteen, "conflicts/00.json" to "conflicts/0f.json". So no boundary depends on other records: a
 * changed record changes one part and the index. A single record over max is a part alone.
 *
 * When the parts are so many that the file would be longer than max still, the parts whose names
 * begin alike have an index of their own, of at most 128 KB: "conflicts/3.json" names
 * "conflicts/300.json", "conflicts/301.json" and so on, and the file names it in their place. So at
 * any size.
 */
#ifndef HM_MANIFEST_H
#define HM_MANIFEST_H
#include "core/base/err.h"
#include "core/base/str.h"

/* --- a list and its parts ------------------------------------------------------------- */

enum { HM_FILE_MAX = 1 << 20 };   /* bytes of a file that hmirror makes */

typedef struct {
  hm_str path, bytes;
  unsigned char sha256[32];              /* of a part */
  const uint32_t *records; uint64_t n;   /* of a part; of an index n alone: how many parts */
} hm_file_part;

/* Splits the list `json`, which is published at path. Returns how many files take its place, the
 * index first, in a; 0: it is not longer than max, or no such list. */
size_t hm_parts_split(hm_str path, hm_str json, size_t max, hm_arena *a, hm_file_part **out);

/* A list that is written in parts. A record: digests of its group and its key, and how many bytes
 * its line has. */
typedef struct { uint64_t group, key; size_t bytes; } hm_part_list_record;
typedef struct {
  hm_str path, name;                     /* name: of the member that holds the records, "files" */
  void (*line)(const void *of, size_t at, hm_buf *out); const void *of;   /* appends record `at` */
  hm_part_list_record *records; size_t n, cap;   /* free() them */
  hm_file_part *parts; size_t n_parts, cap_parts;
} hm_part_list;

/* Records of one group stay together where they fit; an empty group: it has none. */
void hm_part_list_add(hm_part_list *l, hm_str key, hm_str group, size_t bytes);
/* Fills l->parts, in a: the index first, then the parts, without bytes. */
void hm_part_list_cut(hm_part_list *l, size_t max, hm_arena *a);
/* Sets bytes and digest of part i, from any thread: the bytes are those of out, cleared before. */
void hm_part_list_write_part(hm_part_list *l, size_t i, hm_buf *out);
/* Appends what names the parts, to the members of the list that stand before its records. Where out
 * would have more than max bytes, l->parts gets indices of parts, with their bytes in a. */
void hm_part_list_write_index(hm_part_list *l, size_t max, hm_arena *a, hm_buf *out);

/* Bytes of the file at path; empty: there is none. -1 with err fails the reading. */
typedef int hm_part_read(void *ctx, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err);
/* Data from outside: the paths that an index at path names, of parts and of indices of parts. Skips
 * paths that cannot be its parts. 0: it is no index. */
size_t hm_parts_list(hm_str path, hm_str json, hm_arena *a, hm_str **parts);
/* The list as it would stand in one file, in a: json itself when it is no index. Its records come
 * part by part. Empty when it would have more than max bytes. -1 with read's err. */
int hm_parts_join(hm_str path, hm_str json, hm_part_read *read, void *ctx, size_t max, hm_arena *a,
                  hm_str *out, hm_err *err);

/* --- the manifest -------------------------------------------------------------------------- */
/* manifest.json: what a site holds, as it stands in the site itself.
 *
 *   { "tool", "snapshot", "templates", "files": [ {"path", "sha256", "bytes"}, ... ] }
 *
 * It names every file but itself. When it would be longer than a file may be it is an index of
 * parts, "manifest/0.json" and so on; the files of one project stand together in one part
 * while they fit, so a change of one project rewrites one part and the index.
 *
 * Sites of before had, above 4,096 files, a manifest in each of the folders "conflicts",
 * "projects/<p>" and "data/<p>": {"folder": "projects/<p>", "files": [ ... ]}. The row of such a
 * manifest had a member "files" more, the number of files that it names. They are still read. */

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
bool hm_is_site_path(hm_str path);
/* The project of a path, its group in a list: its pages and its data stand in one part. Of what
 * stands at the root and is of all projects ".", of the search "search"; else empty. */
hm_str hm_manifest_group(hm_str path);
/* The bytes of .gitattributes: diffs show what people read, not digests, the index of the search
 * and coordinates. */
hm_str hm_gitattributes_text(void);
/* "projects/<p>", "data/<p>" or "conflicts" of a path below it, a slice of path; else empty. */
hm_str hm_manifest_folder(hm_str path);
#endif
