/* Splits lists of one record a line into parts and joins them again; parses the manifest of a site,
 * in today's and the older form.
 *
 * Cost: one sort of the records, only for a list that is too long. The digest is XXH3 with a fixed
 * seed, so that the same list has the same parts on every machine. */
#include "gen/site/manifest.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/slug.h"
#include "core/base/text.h"
#include "core/base/digest.h"
#include "core/base/json.h"

/* Digits of a digest: 16 of the group, then 16 of the key. Enough to give each record a part. */
enum {
  DIGITS = 32,
  ROOM = 128,          /* for the text around the records of a part */
  PART_MAX = 128 << 10 /* a changed record rewrites its part: short parts, short commits */
};

/* Finds the next line that is a record, without its comma. Returns false when there is none. */
static bool next_record(hm_str *json, hm_str *line) {
  while (json->n) {
    const char *end = memchr(json->p, '\n', json->n);
    *line = hm_str_sub(*json, 0, end ? (size_t)(end - json->p) : json->n);
    *json = hm_str_sub(*json, line->n + 1, json->n);
    if (hm_str_ends(*line, ","))
      line->n--;
    if (hm_str_starts(*line, "{\"") && hm_str_ends(*line, "}"))
      return true;
  }
  return false;
}

/* The text of the first member, as written. */
static hm_str key_of(hm_str line) {
  ptrdiff_t from = hm_str_find(line, "\":\"");
  if (from < 0)
    return line;
  hm_str rest = hm_str_sub(line, (size_t)from + 3, line.n);
  size_t n = 0;
  while (n < rest.n && rest.p[n] != '"')
    n += rest.p[n] == '\\' ? 2 : 1;
  return hm_str_sub(rest, 0, n);
}

void hm_part_list_add(hm_part_list *l, hm_str key, hm_str group, size_t bytes) {
  uint64_t of_key = hm_str_hash(key);
  l->records = hm_array_grow(l->records, l->n, &l->cap, sizeof *l->records);
  l->records[l->n++] =
      (hm_part_list_record){ group.n ? hm_str_hash(group) : of_key, of_key, bytes };
}

static unsigned digit_at(const hm_part_list *l, uint32_t record, int at) {
  const hm_part_list_record *r = &l->records[record];
  return (unsigned)((at < 16 ? r->group : r->key) >> (60 - 4 * (at % 16))) & 15;
}

static void add_part(hm_part_list *l, const uint32_t *records, size_t n, int digits, hm_arena *a) {
  char name[DIGITS];
  hm_str stem = hm_str_sub(l->path, 0, l->path.n - (sizeof ".json" - 1));
  for (int i = 0; i < digits; i++)
    name[i] = "0123456789abcdef"[digit_at(l, *records, i)];
  l->parts = hm_array_grow_in(a, l->parts, l->n_parts, &l->cap_parts, sizeof *l->parts);
  l->parts[l->n_parts++] = (hm_file_part){
    .path = hm_str_fmt(a, "%.*s/%.*s.json", HM_FMT(stem), digits, name), .records = records, .n = n
  };
}

/* Makes parts of n records that agree in their first `digits` digits; keeps their order. spare:
 * working memory for n records. */
static void add_parts(hm_part_list *l, uint32_t *r, uint32_t *spare, size_t n, int digits,
                      size_t max, hm_arena *a) {
  size_t size = ROOM, first[17] = { 0 }, at[16];
  for (size_t i = 0; i < n; i++)
    size += l->records[r[i]].bytes + 2;
  if (digits && (size <= max || n == 1 || digits == DIGITS)) {
    add_part(l, r, n, digits, a);
    return;
  }
  for (size_t i = 0; i < n; i++)
    first[digit_at(l, r[i], digits) + 1]++;
  for (int d = 0; d < 16; d++)
    first[d + 1] += at[d] = first[d];
  for (size_t i = 0; i < n; i++)
    spare[at[digit_at(l, r[i], digits)]++] = r[i];
  for (int d = 0; d < 16; d++)
    if (first[d] < first[d + 1])
      add_parts(l, spare + first[d], r + first[d], first[d + 1] - first[d], digits + 1, max, a);
}

void hm_part_list_cut(hm_part_list *l, size_t max, hm_arena *a) {
  uint32_t *order = hm_alloc_array(a, 2 * l->n, sizeof *order);
  for (size_t i = 0; i < l->n; i++)
    order[i] = (uint32_t)i;
  l->parts = hm_array_grow_in(a, NULL, l->n_parts++, &l->cap_parts, sizeof *l->parts);
  l->parts[0] = (hm_file_part){ .path = l->path };
  add_parts(l, order, order + l->n, l->n, 0, max < PART_MAX ? max : PART_MAX, a);
}

void hm_part_list_write_part(hm_part_list *l, size_t i, hm_buf *out) {
  hm_file_part *p = &l->parts[i];
  hm_buf_clear(out);
  hm_buf_fmt(out, "{\"%.*s\":[", HM_FMT(l->name));
  for (size_t k = 0; k < p->n; k++) {
    hm_buf_c(out, k ? ",\n" : "\n");
    l->line(l->of, p->records[k], out);
  }
  hm_buf_fmt(out, "\n],\"count\":%llu}\n", (unsigned long long)p->n);
  p->bytes = hm_buf_view(out);
  hm_sha256_digest(p->bytes, p->sha256);
}

static size_t append_part_line(const hm_file_part *p, hm_buf *out) {
  size_t before = out->n;
  char hex[64];
  hm_hex_encode(p->sha256, sizeof p->sha256, hex);
  hm_buf_fmt(out, "{\"path\":\"%.*s\",\"sha256\":\"%.64s\",\"bytes\":%zu,\"count\":%llu}",
             HM_FMT(p->path), hex, p->bytes.n, (unsigned long long)p->n);
  return out->n - before;
}

/* Appends the index of the parts `at` of l. Returns how many records these have. */
static uint64_t append_index(const hm_part_list *l, const uint32_t *at, size_t n, hm_buf *out) {
  uint64_t count = 0;
  hm_buf_c(out, "\"parts\":[");
  for (size_t i = 0; i < n; i++) {
    hm_buf_c(out, i ? ",\n" : "\n");
    append_part_line(&l->parts[at[i]], out);
    count += l->parts[at[i]].n;
  }
  hm_buf_fmt(out, "\n],\"count\":%llu}\n", (unsigned long long)count);
  return count;
}

/* The part as a record whose digests are the digits of its name. */
static hm_part_list_record record_of_part(const hm_part_list *l, const hm_file_part *p,
                                          size_t bytes) {
  hm_part_list_record r = { .bytes = bytes };
  size_t from = l->path.n - (sizeof ".json" - 1) + 1, n = p->path.n - from - (sizeof ".json" - 1);
  for (size_t i = 0; i < n; i++) {
    char c = p->path.p[from + i];
    uint64_t digit = (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10) << (60 - 4 * (i % 16));
    *(i < 16 ? &r.group : &r.key) |= digit;
  }
  return r;
}

/* Groups the parts `at` of l by the beginnings of their names, and adds to l an index for each
 * beginning that several share. In `at`, indices replace the parts that they list. Returns the new
 * length of `at`. */
static size_t add_indices(hm_part_list *l, uint32_t *at, size_t n, size_t max, hm_arena *a) {
  hm_part_list g = { .path = l->path, .n = n };
  hm_buf b = { 0 };
  g.records = hm_alloc_array(a, n, sizeof *g.records);
  for (size_t i = 0; i < n; i++) {
    const hm_file_part *p = &l->parts[at[i]];
    hm_buf_clear(&b);
    g.records[i] = record_of_part(l, p, append_part_line(p, &b));
  }
  hm_part_list_cut(&g, max, a);
  uint32_t *below = hm_alloc_array(a, n, sizeof *below);
  memcpy(below, at, n * sizeof *below);
  for (size_t i = 1; i < g.n_parts; i++) {
    hm_file_part *x = &g.parts[i];
    uint32_t *of = hm_alloc_array(a, x->n, sizeof *of);
    for (size_t k = 0; k < x->n; k++)
      of[k] = below[x->records[k]];
    at[i - 1] = x->n == 1 ? of[0] : (uint32_t)l->n_parts;
    if (x->n == 1)
      continue;
    hm_buf_clear(&b);
    hm_buf_ch(&b, '{');
    x->n = append_index(l, of, x->n, &b);
    x->bytes = hm_buf_copy(&b, a);
    hm_sha256_digest(x->bytes, x->sha256);
    l->parts = hm_array_grow_in(a, l->parts, l->n_parts, &l->cap_parts, sizeof *l->parts);
    l->parts[l->n_parts++] = *x;
  }
  hm_buf_free(&b);
  return g.n_parts - 1;
}

void hm_part_list_write_index(hm_part_list *l, size_t max, hm_arena *a, hm_buf *out) {
  size_t before = out->n, n = l->n_parts - 1, was;
  uint32_t *at = hm_alloc_array(a, n, sizeof *at);
  for (size_t i = 0; i < n; i++)
    at[i] = (uint32_t)i + 1;
  do {
    out->n = before;
    append_index(l, at, n, out);
    was = n;
    if (out->n > max)
      n = add_indices(l, at, n, max, a);
  } while (n < was);
}

static void append_line(const void *lines, size_t at, hm_buf *out) {
  hm_buf_str(out, ((const hm_str *)lines)[at]);
}

size_t hm_parts_split(hm_str path, hm_str json, size_t max, hm_arena *a, hm_file_part **out) {
  ptrdiff_t open = hm_str_find(json, ":[\n");
  if (json.n <= max || open < 0 || !hm_str_ends(path, ".json"))
    return 0;
  hm_str head = hm_str_sub(json, 0, (size_t)open), *lines = NULL,
         rest = hm_str_sub(json, (size_t)open + 3, json.n);
  const char *quote = head.n > 1 ? memrchr(head.p, '"', head.n - 1) : NULL;
  if (!quote)
    return 0;
  head.n = (size_t)(quote - head.p);
  hm_part_list l = { .path = path,
                     .name = hm_str_sub(json, head.n + 1, (size_t)open - 1),
                     .line = append_line };
  hm_buf text = { 0 };
  size_t cap = 0;
  for (hm_str line; next_record(&rest, &line);) {
    lines = hm_array_grow(lines, l.n, &cap, sizeof *lines);
    lines[l.n] = line;
    hm_part_list_add(&l, key_of(line), HM_EMPTY, line.n);
  }
  l.of = lines;
  hm_part_list_cut(&l, max, a);
  for (size_t i = 1; i < l.n_parts; i++) {
    hm_part_list_write_part(&l, i, &text);
    l.parts[i].bytes = hm_buf_copy(&text, a);
  }
  hm_buf_clear(&text);
  hm_buf_str(&text, head);
  hm_part_list_write_index(&l, max, a, &text);
  l.parts[0].n = l.n_parts - 1;
  l.parts[0].bytes = hm_buf_take(&text, a);
  free(l.records);
  free(lines);
  *out = l.parts;
  return l.n_parts;
}

/* --- and back ------------------------------------------------------------------ */

/* True for "conflicts/3f.json" as a part of "conflicts.json". */
static bool is_part_path(hm_str path, hm_str part) {
  static const char end[] = ".json";
  size_t n = path.n - (sizeof end - 1);
  if (part.n < n + 1 + sizeof end || part.n > n + DIGITS + sizeof end ||
      memcmp(part.p, path.p, n) != 0 || part.p[n] != '/' || !hm_str_ends(part, end))
    return false;
  for (size_t i = n + 1; i < part.n - (sizeof end - 1); i++)
    if (!memchr("0123456789abcdef", part.p[i], 16))
      return false;
  return true;
}

/* above: the path of the index, which is a part of the list at path, or path itself. */
static size_t list_parts(hm_str path, hm_str above, hm_str json, hm_arena *a, hm_str **parts) {
  hm_json *index;
  size_t n = 0, same = hm_str_eq(path, above) ? 0 : above.n - (sizeof ".json" - 1);
  /* A whole list may be long: this avoids parsing most lists that are no index. */
  if (hm_str_find(json, "\"parts\":[") < 0 || hm_json_parse(a, json, &index, NULL) != 0)
    return 0;
  const hm_json *list = hm_json_get(index, "parts");
  if (!list || list->type != HM_JSON_ARRAY)
    return 0;
  *parts = hm_alloc_array(a, list->count, sizeof **parts);
  for (const hm_json *p = list->child; p; p = p->next) {
    const hm_json *part = hm_json_get(p, "path");
    if (!part || part->type != HM_JSON_STRING || !is_part_path(path, part->text))
      continue;
    if (same && (part->text.n <= above.n || memcmp(part->text.p, above.p, same) != 0))
      continue;
    if (n && hm_str_cmp((*parts)[n - 1], part->text) >= 0)
      continue; /* no part twice */
    (*parts)[n++] = part->text;
  }
  return n;
}

size_t hm_parts_list(hm_str path, hm_str json, hm_arena *a, hm_str **parts) {
  return list_parts(path, path, json, a, parts);
}

typedef struct {
  hm_str path;
  hm_part_read *read;
  void *ctx;
  size_t max, records;
  hm_buf b;
} joining;

static void join_records(joining *j, hm_str bytes) {
  ptrdiff_t open = hm_str_find(bytes, "[\n");
  hm_str line;
  if (open < 0)
    return;
  if (j->b.n == 0)
    hm_buf_str(&j->b, hm_str_sub(bytes, 0, (size_t)open + 1));
  bytes = hm_str_sub(bytes, (size_t)open + 2, bytes.n);
  while (next_record(&bytes, &line)) {
    hm_buf_c(&j->b, j->records++ ? ",\n" : "\n");
    hm_buf_str(&j->b, line);
  }
}

/* For a part that is an index, joins the parts that it lists. */
static int join_parts(joining *j, const hm_str *parts, size_t n, hm_err *err) {
  int rc = 0;
  for (size_t i = 0; i < n && rc == 0 && j->b.n <= j->max; i++) {
    hm_arena *one = hm_arena_new();
    hm_str bytes, *below;
    rc = j->read(j->ctx, parts[i], one, &bytes, err);
    size_t n_below = rc == 0 ? list_parts(j->path, parts[i], bytes, one, &below) : 0;
    if (n_below)
      rc = join_parts(j, below, n_below, err);
    else if (rc == 0)
      join_records(j, bytes);
    hm_arena_free(one);
  }
  return rc;
}

int hm_parts_join(hm_str path, hm_str json, hm_part_read *read, void *ctx, size_t max, hm_arena *a,
                  hm_str *out, hm_err *err) {
  joining j = { .path = path, .read = read, .ctx = ctx, .max = max };
  hm_str *parts = NULL;
  size_t n = hm_parts_list(path, json, a, &parts);
  int rc = join_parts(&j, parts, n, err);
  *out = json;
  hm_buf_fmt(&j.b, "\n],\"count\":%zu}\n", j.records);
  if (n)
    *out = rc == 0 && j.b.n <= max && !j.b.failed ? hm_buf_copy(&j.b, a) : HM_EMPTY;
  hm_buf_free(&j.b);
  return rc;
}

#define BYTES_MAX ((size_t)256 << 20) /* of all parts together */

static const char of_folder[] = "/manifest.json";

/* --- paths ------------------------------------------------------------------------ */

enum { PATH_BYTES = 1024, NAME_BYTES = 255, COMPONENTS = 32 };

static bool is_sound_name(hm_str name) {
  if (name.n == 0 || name.n > NAME_BYTES || hm_str_is(name, ".") || hm_str_is(name, ".."))
    return false;
  if (name.n == 4 && strncasecmp(name.p, ".git", 4) == 0)
    return false;
  for (size_t i = 0; i < name.n;) {
    uint32_t cp = hm_text_next(name, &i);
    bool plain = cp < 0x80 && (hm_is_alnum((char)cp) || cp == '.' || cp == '_' || cp == '-');
    if (!plain && !hm_slug_has_letter(cp))
      return false;
  }
  return true;
}

bool hm_is_site_path(hm_str path) {
  if (path.n == 0 || path.n > PATH_BYTES)
    return false;
  int components = 0;
  for (size_t from = 0; from <= path.n;) {
    const char *slash = memchr(path.p + from, '/', path.n - from);
    size_t to = slash ? (size_t)(slash - path.p) : path.n;
    if (++components > COMPONENTS || !is_sound_name(hm_str_sub(path, from, to)))
      return false;
    from = to + 1;
  }
  return true;
}

hm_str hm_manifest_folder(hm_str path) {
  if (hm_str_starts(path, "conflicts/"))
    return hm_str_sub(path, 0, sizeof "conflicts" - 1);
  size_t from = hm_str_starts(path, "data/") ? 5 : hm_str_starts(path, "projects/") ? 9 : 0;
  const char *slash = from ? memchr(path.p + from, '/', path.n - from) : NULL;
  return slash ? hm_str_sub(path, 0, (size_t)(slash - path.p)) : HM_EMPTY;
}

/* Files of the root are a group of their own because nearly every publication changes them. */
hm_str hm_manifest_group(hm_str path) {
  static const char pictures[] = "pictures/";
  bool root = !memchr(path.p, '/', path.n) || hm_str_starts(path, pictures) ||
      (hm_str_starts(path, "data/") && !hm_manifest_folder(path).n);
  if (root)
    return HM_STR(".");
  if (hm_str_starts(path, "search/"))
    return HM_STR("search");
  hm_str folder = hm_manifest_folder(path);
  const char *slash = folder.n ? memchr(folder.p, '/', folder.n) : NULL;
  return slash ? hm_str_sub(folder, (size_t)(slash - folder.p) + 1, folder.n) : HM_EMPTY;
}

hm_str hm_gitattributes_text(void) {
  return HM_STR("# Digests, the index of the search, and drawings: pages beside them say it.\n"
                "# `git diff --text` shows their changes.\n"
                "/manifest.json -diff\n"
                "/manifest/*.json -diff\n"
                "/search/*.js -diff\n"
                "/changes.svg -diff\n"
                "/pictures/*.svg -diff\n"
                "/conflicts/*.svg -diff\n"
                "/projects/**/*.svg -diff\n");
}

/* --- rows of the manifest ---------------------------------------------------------- */

typedef struct {
  hm_manifest *m;
  size_t cap;
  hm_arena *a;
} reading;

/* Reads the rows of the root, of a part, or of a folder's manifest. Returns NULL when json is
 * none of these. */
static const hm_json *read_rows(reading *r, hm_str json, hm_str folder) {
  hm_manifest *m = r->m;
  hm_json *all;
  if (!json.n || hm_json_parse(r->a, json, &all, NULL) != 0)
    return NULL;
  const hm_json *files = hm_json_get(all, "files");
  if (!hm_str_eq(hm_json_get_text(all, "folder"), folder))
    return NULL;
  if (!files || files->type != HM_JSON_ARRAY)
    return hm_json_get(all, "parts") ? all : NULL;
  if (m->n + files->count > r->cap) {
    hm_manifest_row *more;
    r->cap = m->n + files->count > 2 * r->cap ? m->n + files->count : 2 * r->cap;
    more = hm_alloc_array(r->a, r->cap, sizeof *more);
    if (m->n)
      memcpy(more, m->rows, m->n * sizeof *more);
    m->rows = more;
  }
  for (const hm_json *f = files->child; f; f = f->next) {
    hm_str path = hm_json_get_text(f, "path");
    if (path.n && (!folder.n || hm_str_eq(hm_manifest_folder(path), folder)))
      m->rows[m->n++] = (hm_manifest_row){ path, hm_json_get_text(f, "sha256") };
  }
  return all;
}

/* True for the row of a folder's manifest: it has a number of files and the right name. */
static bool is_of_folder(const hm_json *row, hm_str path) {
  const hm_json *n = hm_json_get(row, "files");
  hm_str folder = hm_manifest_folder(path);
  if (!n || n->type != HM_JSON_NUMBER || n->text.n > 18 || hm_skip_digits(n->text, 0) < n->text.n)
    return false;
  return folder.n && hm_str_is(hm_str_sub(path, folder.n, path.n), of_folder) &&
      hm_is_site_path(path);
}

bool hm_manifest_read(hm_str json, hm_part_read *read, void *ctx, hm_arena *a, hm_manifest *out) {
  reading r = { .m = out, .a = a };
  hm_str bytes;
  *out = (hm_manifest){ .tool = HM_EMPTY, .templates = HM_EMPTY, .whole = true };
  const hm_json *all = read_rows(&r, json, HM_EMPTY);
  if (!all)
    return false;
  out->tool = hm_json_get_text(all, "tool");
  out->templates = hm_json_get_text(all, "templates");
  out->n_parts = hm_parts_list(HM_STR("manifest.json"), json, a, &out->parts);
  if (!out->n_parts)
    out->parts = hm_alloc_array(a, out->n, sizeof *out->parts);
  const hm_json *files = out->n_parts ? NULL : hm_json_get(all, "files");
  hm_map seen;
  hm_map_init(&seen, a, 0);
  for (const hm_json *f = files ? files->child : NULL; f; f = f->next) {
    hm_str path = hm_json_get_text(f, "path");
    if (!is_of_folder(f, path) || hm_map_get(&seen, path) != HM_MAP_NONE)
      continue;
    hm_map_add(&seen, path, 1);
    out->parts[out->n_parts++] = path;
  }
  size_t cap = out->n_parts;
  for (size_t i = 0, n = 0; i < out->n_parts; i++) {
    bool got = read && n <= BYTES_MAX && read(ctx, out->parts[i], a, &bytes, NULL) == 0;
    out->whole &= got && read_rows(&r, bytes, hm_manifest_folder(out->parts[i])) != NULL;
    n += got ? bytes.n : 0;
    hm_str *below;
    size_t n_below = got ? list_parts(HM_STR("manifest.json"), out->parts[i], bytes, a, &below) : 0;
    for (size_t k = 0; k < n_below; k++) {
      out->parts = hm_array_grow_in(a, out->parts, out->n_parts, &cap, sizeof *out->parts);
      out->parts[out->n_parts++] = below[k];
    }
  }
  return true;
}
