/* Lists of one record a line, cut into parts and joined again. Cost: a sort of the records, and
 * only of a list that is too long. The digest is XXH3 with a fixed seed, so that the same list has
 * the same parts on every machine. */
#include "gen/site/parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"

/* Digits of a digest: 16 of the group, then 16 of the key. Enough for a record's own part. */
enum {
  DIGITS = 32,
  ROOM = 128,              /* for what stands around the records of a part */
  PART_MAX = 128 << 10     /* a changed record makes its part anew: short parts, short commits */
};

typedef struct { hm_str line; uint64_t group, key; } record;

typedef struct {
  hm_str path, list;             /* list: the member that holds the records, "files" */
  size_t max;
  hm_arena *a;
  hm_buf text;                   /* of the part that is being written */
  hm_file_part *parts; size_t n, cap;
} splitting;

/* The next line that is a record, without its comma. False: there is none. */
static bool next_record(hm_str *json, hm_str *line) {
  while (json->n) {
    const char *end = memchr(json->p, '\n', json->n);
    *line = hm_str_sub(*json, 0, end ? (size_t)(end - json->p) : json->n);
    *json = hm_str_sub(*json, line->n + 1, json->n);
    if (hm_str_ends(*line, ",")) line->n--;
    if (hm_str_starts(*line, "{\"") && hm_str_ends(*line, "}")) return true;
  }
  return false;
}

/* The text of the first member, as it is written. */
static hm_str key_of(hm_str line) {
  ptrdiff_t from = hm_str_find(line, "\":\"");
  if (from < 0) return line;
  hm_str rest = hm_str_sub(line, (size_t)from + 3, line.n);
  size_t n = 0;
  while (n < rest.n && rest.p[n] != '"') n += rest.p[n] == '\\' ? 2 : 1;
  return hm_str_sub(rest, 0, n);
}

static unsigned digit_at(const record *r, int at) {
  return (unsigned)((at < 16 ? r->group : r->key) >> (60 - 4 * (at % 16))) & 15;
}

/* As part number `at`, which has room. */
static void put_part(splitting *s, size_t at, hm_str path, size_t records) {
  hm_file_part *p = &s->parts[at];
  *p = (hm_file_part){ .path = path, .bytes = hm_buf_copy(&s->text, s->a), .n = records };
  hm_sha256_of(p->bytes, p->sha256);
  hm_buf_clear(&s->text);
}

static void add_part(splitting *s, const record *r, size_t n, int digits) {
  char name[DIGITS];
  hm_str stem = hm_str_sub(s->path, 0, s->path.n - (sizeof ".json" - 1));
  for (int i = 0; i < digits; i++) name[i] = "0123456789abcdef"[digit_at(r, i)];
  hm_buf_fmt(&s->text, "{\"%.*s\":[", HM_FMT(s->list));
  for (size_t i = 0; i < n; i++) {
    hm_buf_c(&s->text, i ? ",\n" : "\n");
    hm_buf_str(&s->text, r[i].line);
  }
  hm_buf_fmt(&s->text, "\n],\"count\":%zu}\n", n);
  s->parts = hm_array_grow_in(s->a, s->parts, s->n, &s->cap, sizeof *s->parts);
  put_part(s, s->n++, hm_str_fmt(s->a, "%.*s/%.*s.json", HM_FMT(stem), digits, name), n);
}

/* The records agree in their first `digits` digits, and stay in their order. spare: as much room,
 * which is used. */
static void add_parts(splitting *s, record *r, record *spare, size_t n, int digits) {
  size_t size = ROOM, first[17] = { 0 }, at[16];
  for (size_t i = 0; i < n; i++) size += r[i].line.n + 2;
  if (digits && (size <= s->max || n == 1 || digits == DIGITS)) {
    add_part(s, r, n, digits);
    return;
  }
  for (size_t i = 0; i < n; i++) first[digit_at(&r[i], digits) + 1]++;
  for (int d = 0; d < 16; d++) first[d + 1] += at[d] = first[d];
  for (size_t i = 0; i < n; i++) spare[at[digit_at(&r[i], digits)]++] = r[i];
  for (int d = 0; d < 16; d++)
    if (first[d] < first[d + 1])
      add_parts(s, spare + first[d], r + first[d], first[d + 1] - first[d], digits + 1);
}

size_t hm_parts_split(hm_str path, hm_str json, hm_str (*group)(hm_str key), size_t max,
                      hm_arena *a, hm_file_part **out) {
  ptrdiff_t open = hm_str_find(json, ":[\n");
  if (json.n <= max || open < 0 || !hm_str_ends(path, ".json")) return 0;
  hm_str head = hm_str_sub(json, 0, (size_t)open),
         rest = hm_str_sub(json, (size_t)open + 3, json.n);
  const char *quote = head.n > 1 ? memrchr(head.p, '"', head.n - 1) : NULL;
  if (!quote) return 0;
  head.n = (size_t)(quote - head.p);
  splitting s = { .path = path, .list = hm_str_sub(json, head.n + 1, (size_t)open - 1),
                  .max = max < PART_MAX ? max : PART_MAX, .a = a };
  record *records = NULL;
  size_t n = 0, cap = 0;
  for (hm_str line; next_record(&rest, &line); n++) {
    hm_str key = key_of(line), of = group ? group(key) : HM_EMPTY;
    records = hm_array_grow(records, n, &cap, sizeof *records);
    records[n] = (record){ line, hm_str_hash(of.n ? of : key), hm_str_hash(key) };
  }
  record *spare = hm_xmalloc(n * sizeof *spare);
  s.parts = hm_array_grow_in(a, NULL, s.n++, &s.cap, sizeof *s.parts);   /* first the index */
  add_parts(&s, records, spare, n, 0);
  free(records);
  free(spare);
  hm_buf_str(&s.text, head);
  hm_buf_c(&s.text, "\"parts\":[");
  for (size_t i = 1; i < s.n; i++) {
    const hm_file_part *p = &s.parts[i];
    char hex[64];
    hm_hex(p->sha256, sizeof p->sha256, hex);
    hm_buf_fmt(&s.text, "%s{\"path\":\"%.*s\",\"sha256\":\"%.64s\",\"bytes\":%zu,\"count\":%llu}",
               i == 1 ? "\n" : ",\n", HM_FMT(p->path), hex, p->bytes.n,
               (unsigned long long)p->n);
  }
  hm_buf_fmt(&s.text, "\n],\"count\":%zu}\n", n);
  put_part(&s, 0, path, s.n - 1);
  hm_buf_free(&s.text);
  *out = s.parts;
  return s.n;
}

/* --- and back ------------------------------------------------------------------ */

/* "conflicts/3f.json" of "conflicts.json". */
static bool is_part_path(hm_str path, hm_str part) {
  static const char end[] = ".json";
  size_t n = path.n - (sizeof end - 1);
  if (part.n < n + 1 + sizeof end || part.n > n + DIGITS + sizeof end ||
      memcmp(part.p, path.p, n) != 0 || part.p[n] != '/' || !hm_str_ends(part, end))
    return false;
  for (size_t i = n + 1; i < part.n - (sizeof end - 1); i++)
    if (!memchr("0123456789abcdef", part.p[i], 16)) return false;
  return true;
}

size_t hm_parts_list(hm_str path, hm_str json, hm_arena *a, hm_str **parts) {
  hm_json *index;
  size_t n = 0;
  /* A whole list may be long: most are not parsed to learn that they are no index. */
  if (hm_str_find(json, "\"parts\":[") < 0 || hm_json_parse(a, json, &index, NULL) != 0) return 0;
  const hm_json *list = hm_json_get(index, "parts");
  if (!list || list->type != HM_JSON_ARRAY) return 0;
  *parts = hm_alloc_array(a, list->count, sizeof **parts);
  for (const hm_json *p = list->child; p; p = p->next) {
    const hm_json *part = hm_json_get(p, "path");
    if (!part || part->type != HM_JSON_STRING || !is_part_path(path, part->text)) continue;
    if (n && hm_str_cmp((*parts)[n - 1], part->text) >= 0) continue;   /* no part twice */
    (*parts)[n++] = part->text;
  }
  return n;
}

int hm_parts_join(hm_str path, hm_str json, hm_part_read *read, void *ctx, size_t max, hm_arena *a,
                  hm_str *out, hm_err *err) {
  hm_str *parts = NULL, bytes, line;
  hm_buf b = { 0 };
  size_t records = 0, n = hm_parts_list(path, json, a, &parts);
  int rc = 0;
  *out = json;
  for (size_t i = 0; i < n && rc == 0 && b.n <= max; i++) {
    hm_arena *one = hm_arena_new();
    rc = read(ctx, parts[i], one, &bytes, err);
    ptrdiff_t open = rc == 0 ? hm_str_find(bytes, "[\n") : -1;
    if (open >= 0 && b.n == 0) hm_buf_str(&b, hm_str_sub(bytes, 0, (size_t)open + 1));
    if (open >= 0) bytes = hm_str_sub(bytes, (size_t)open + 2, bytes.n);
    while (open >= 0 && next_record(&bytes, &line)) {
      hm_buf_c(&b, records++ ? ",\n" : "\n");
      hm_buf_str(&b, line);
    }
    hm_arena_free(one);
  }
  hm_buf_fmt(&b, "\n],\"count\":%zu}\n", records);
  if (n) *out = rc == 0 && b.n <= max && !b.failed ? hm_buf_copy(&b, a) : HM_EMPTY;
  hm_buf_free(&b);
  return rc;
}
