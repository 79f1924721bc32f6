/* File names and links: [a-z0-9-] only, for any facts.
 *
 * A file is named after the folded name; when that is taken, a digest of the id is added. */
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "view_private.h"

enum { SLUG_MAX = 64, SHORT_DIGITS = 8, STAGES = 3, FEW = 16 };

/* Which may stand in a slug. */
static const bool slug_char[256] = { ['a' ... 'z'] = true, ['0' ... '9'] = true, ['-'] = true };

bool hm_is_slug(hm_str s) {
  if (s.n == 0 || s.n > SLUG_MAX || s.p[0] == '-' || s.p[s.n - 1] == '-')
    return false;
  for (size_t i = 0; i < s.n; i++)
    if (!slug_char[(unsigned char)s.p[i]] || (s.p[i] == '-' && s.p[i - 1] == '-'))
      return false;
  return true;
}

hm_str hm_slug_with_digits(hm_arena *a, hm_str stem, hm_str of, int digits) {
  size_t room = (size_t)(SLUG_MAX - 1 - digits);
  size_t n = stem.n < room ? stem.n : room;
  while (n && stem.p[n - 1] == '-')
    n--;
  hm_str hex = hm_str_digest_hex(a, of, digits);
  return hm_str_fmt(a, "%.*s-%.*s", (int)n, stem.p, HM_FMT(hex));
}

/* 0: the folded name. 1: with a digest of the id. 2: the digest alone, which no two ids share. */
static hm_str slug_at(hm_arena *a, const hm_named *e) {
  hm_str stem = hm_text_slug(a, e->name.n ? e->name : e->id);
  if (e->stage == 0)
    return stem;
  if (e->stage == 1)
    return hm_slug_with_digits(a, stem, e->id, SHORT_DIGITS);
  return hm_str_digest_hex(a, e->id, SLUG_MAX);
}

static bool is_reserved(hm_str s, const char *const *reserved) {
  for (; reserved && *reserved; reserved++)
    if (hm_str_is(s, *reserved))
      return true;
  return false;
}

/* One that is its own slug keeps it when others only fold to it, so that their coming moves
 * nothing. */
static bool has_plain_slug(const hm_named *e) {
  return e->stage == 0 && hm_str_eq(e->slug, e->name.n ? e->name : e->id);
}

typedef struct {
  uint32_t first, count, keepers;
} clash;

static uint32_t first_alike(const hm_named *names, uint32_t i) {
  uint32_t first = 0;
  while (!hm_str_eq(names[first].slug, names[i].slug))
    first++;
  return first;
}

/* Who has whose name: clash of i is c[c[i].first]. Nearly all folders have a handful of files, for
 * which a map is too much. */
static void find_clashes(const hm_named *names, size_t n, clash *c, hm_arena *a) {
  hm_map at;
  if (n > FEW)
    hm_map_init(&at, a, n);
  for (uint32_t i = 0; i < n; i++) {
    c[i] = (clash){ .first = n > FEW ? hm_map_add(&at, names[i].slug, i) : first_alike(names, i) };
    c[c[i].first].count++;
    c[c[i].first].keepers += has_plain_slug(&names[i]);
  }
}

/* Raises every name that clashes. False: none did. */
static bool resolve_clashes(hm_named *names, size_t n, const char *const *reserved, hm_arena *a) {
  hm_arena *tmp = n > FEW ? hm_arena_new() : NULL;
  clash few[FEW] = { 0 }, *all = tmp ? hm_alloc_array(tmp, n, sizeof *all) : few;
  find_clashes(names, n, all, tmp);
  bool raised = false;
  for (size_t i = 0; i < n; i++) {
    const clash *c = &all[all[i].first];
    bool taken = is_reserved(names[i].slug, reserved);
    if (!taken && (c->count == 1 || (c->keepers == 1 && has_plain_slug(&names[i]))))
      continue;
    if (names[i].stage == STAGES - 1)
      continue;
    names[i].stage++;
    names[i].slug = slug_at(a, &names[i]);
    raised = true;
  }
  hm_arena_free(tmp);
  return raised;
}

/* Each round raises a name that clashed, and no name more than twice; whole digests of different
 * ids differ, so the rounds end, in practice after two. */
void hm_make_slugs(hm_named *names, size_t n, const char *const *reserved, hm_arena *a) {
  for (size_t i = 0; i < n; i++) {
    names[i].stage = 0;
    names[i].slug = slug_at(a, &names[i]);
  }
  while (resolve_clashes(names, n, reserved, a))
    continue;
}

hm_str hm_path_to_root(hm_arena *a, hm_str path) {
  size_t depth = 0;
  for (size_t i = 0; i < path.n; i++)
    depth += path.p[i] == '/';
  char *p = hm_alloc(a, depth * 3 + 1);
  for (size_t i = 0; i < depth; i++)
    memcpy(p + 3 * i, "../", 3);
  return (hm_str){ p, depth * 3 };
}

/* Length of the folders that both paths begin with. */
static size_t common_folders(hm_str x, hm_str y) {
  size_t at = 0;
  for (size_t i = 0; i < x.n && i < y.n && x.p[i] == y.p[i]; i++)
    if (x.p[i] == '/')
      at = i + 1;
  return at;
}

hm_str hm_path_link(hm_arena *a, hm_str from, hm_str to, hm_str anchor) {
  hm_str hash = anchor.n ? HM_STR("#") : HM_EMPTY;
  if (anchor.n && hm_str_eq(from, to))
    return HM_CAT(a, hash, anchor);
  size_t at = common_folders(from, to);
  hm_str up = hm_path_to_root(a, hm_str_sub(from, at, from.n)), down = hm_str_sub(to, at, to.n);
  return HM_CAT(a, up, down, hash, anchor);
}

hm_str hm_drawing_path(hm_arena *a, hm_str page) {
  return HM_CAT(a, hm_str_sub(page, 0, page.n - 3), HM_STR(".svg"));
}
