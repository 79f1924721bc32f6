/* A list that is published as one JSON file, and as an index of parts when it is longer than a file
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
 * changed record changes one part and the index. A single record over max is a part alone. */
#ifndef HM_SITE_PARTS_H
#define HM_SITE_PARTS_H
#include "core/base/err.h"
#include "core/base/str.h"

enum { HM_FILE_MAX = 1 << 20 };   /* bytes of a file that hmirror makes */

typedef struct {
  hm_str path, bytes;
  unsigned char sha256[32];      /* of a file that hm_parts_split made */
  uint64_t n;                    /* records; of an index, parts */
} hm_file_part;

/* Splits the list `json`, which is published at path. Records of one group stay together where they
 * fit: group gives the group's name of a key, empty for none; NULL: no groups. Returns how many
 * files take its place, the index first, in a; 0: it is not longer than max, or no such list. */
size_t hm_parts_split(hm_str path, hm_str json, hm_str (*group)(hm_str key), size_t max,
                      hm_arena *a, hm_file_part **out);

/* Bytes of the file at path; empty: there is none. -1 with err fails the reading. */
typedef int hm_part_read(void *ctx, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err);
/* Data from outside: the paths of the parts that an index at path names. Skips paths that cannot be
 * its parts. 0: it is no index. */
size_t hm_parts_list(hm_str path, hm_str json, hm_arena *a, hm_str **parts);
/* The list as it would stand in one file, in a: json itself when it is no index. Its records come
 * part by part. Empty when it would have more than max bytes. -1 with read's err. */
int hm_parts_join(hm_str path, hm_str json, hm_part_read *read, void *ctx, size_t max, hm_arena *a,
                  hm_str *out, hm_err *err);
#endif
