/* Lists of one record a line, cut into parts and joined again. Cost: a sort of the records, and
 * only of a list that is too long. The digest is XXH3 with a fixed seed, so that the same list has
 * the same parts on every machine. */
#include "gen/site/parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"

/* Digits of a digest: 16 of the group, then 16 of the key. Enough for a record's own part. */
enum { DIGITS = 32, ROOM = 128 };   /* ROOM: for what stands around the records of a part */

typedef struct { hm_str line; uint64_t group, key; } record;

typedef struct {
  hm_str path, list;             /* list: the member that holds the records, "files" */
  record *records;               /* by digest */
  size_t max;
  hm_arena *a;
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

static int by_digest(const void *x, const void *y) {
  const record *a = x, *b = y;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  return a->key < b->key ? -1 : a->key > b->key;
}

/* All lines are slices of one text, so this is the order of the list. */
static int by_place(const void *x, const void *y) {
  const record *a = x, *b = y;
  return (a->line.p > b->line.p) - (a->line.p < b->line.p);
}

static void add_part(splitting *s, size_t from, size_t to, int digits) {
  char name[DIGITS];
  hm_buf b = { 0 };
  hm_str stem = hm_str_sub(s->path, 0, s->path.n - (sizeof ".json" - 1));
  for (int i = 0; i < digits; i++) name[i] = "0123456789abcdef"[digit_at(&s->records[from], i)];
  qsort(&s->records[from], to - from, sizeof *s->records, by_place);
  hm_buf_fmt(&b, "{\"%.*s\":[", HM_FMT(s->list));
  for (size_t i = from; i < to; i++) {
    hm_buf_c(&b, i == from ? "\n" : ",\n");
    hm_buf_str(&b, s->records[i].line);
  }
  hm_buf_fmt(&b, "\n],\"count\":%zu}\n", to - from);
  if (s->n == s->cap) {
    hm_file_part *more = hm_alloc_array(s->a, s->cap *= 2, sizeof *more);
    memcpy(more, s->parts, s->n * sizeof *more);
    s->parts = more;
  }
  s->parts[s->n++] =
      (hm_file_part){ .path = hm_str_fmt(s->a, "%.*s/%.*s.json", HM_FMT(stem), digits, name),
                 .bytes = hm_buf_copy(&b, s->a),
                 .n = to - from };
  hm_buf_free(&b);
}

/* The records [from, to) agree in their first `digits` digits. */
static void add_parts(splitting *s, size_t from, size_t to, int digits) {
  size_t size = ROOM;
  for (size_t i = from; i < to; i++) size += s->records[i].line.n + 2;
  if (digits && (size <= s->max || to - from == 1 || digits == DIGITS)) {
    add_part(s, from, to, digits);
    return;
  }
  for (size_t next; from < to; from = next) {
    next = from + 1;
    while (next < to && digit_at(&s->records[next], digits) == digit_at(&s->records[from], digits))
      next++;
    add_parts(s, from, next, digits + 1);
  }
}

size_t hm_parts_split(hm_str path, hm_str json, hm_str (*group)(hm_str key), size_t max,
                      hm_arena *a, hm_file_part **out) {
  ptrdiff_t open = hm_str_find(json, ":[\n");
  if (json.n <= max || open < 0 || !hm_str_ends(path, ".json")) return 0;
  splitting s = { .path = path, .max = max, .a = a, .n = 1, .cap = 64 };
  hm_str head = hm_str_sub(json, 0, (size_t)open),
         rest = hm_str_sub(json, (size_t)open + 3, json.n);
  const char *quote = head.n > 1 ? memrchr(head.p, '"', head.n - 1) : NULL;
  if (!quote) return 0;
  head.n = (size_t)(quote - head.p);
  s.list = hm_str_sub(json, head.n + 1, (size_t)open - 1);
  size_t n = 0, cap = 1;
  for (const char *p = rest.p; (p = memchr(p, '\n', (size_t)(rest.p + rest.n - p))); p++) cap++;
  s.records = hm_xmalloc(cap * sizeof *s.records);
  for (hm_str line; next_record(&rest, &line); n++) {
    hm_str key = key_of(line), of = group ? group(key) : HM_EMPTY;
    s.records[n] = (record){ line, hm_str_hash(of.n ? of : key), hm_str_hash(key) };
  }
  if (n) qsort(s.records, n, sizeof *s.records, by_digest);
  s.parts = hm_alloc_array(a, s.cap, sizeof *s.parts);
  add_parts(&s, 0, n, 0);
  free(s.records);
  hm_buf b = { 0 };
  hm_buf_str(&b, head);
  hm_buf_c(&b, "\"parts\":[");
  for (size_t i = 1; i < s.n; i++)
    hm_buf_fmt(&b, "%s{\"path\":\"%.*s\",\"sha256\":\"%.*s\",\"bytes\":%zu,\"count\":%llu}",
               i == 1 ? "\n" : ",\n", HM_FMT(s.parts[i].path),
               HM_FMT(hm_digest_hex(a, s.parts[i].bytes, 64)), s.parts[i].bytes.n,
               (unsigned long long)s.parts[i].n);
  hm_buf_fmt(&b, "\n],\"count\":%zu}\n", n);
  s.parts[0] = (hm_file_part){ .path = path, .bytes = hm_buf_copy(&b, a), .n = s.n - 1 };
  hm_buf_free(&b);
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
