/* Words of a tree's files but its documents: which variables in capitals there are, where each
 * stands first, and which others somebody may mean. Names are compared without case and marks,
 * since `app_port`, `appPort` and `APP_PORT` set one thing. Cost: one pass over files up to
 * FILE_MAX bytes, ALL_MAX in all, when somebody asks first. A tree with more is not known whole,
 * and then it may have each word. */
#include <string.h>
#include <sys/stat.h>

#include "core/base/ascii.h"
#include "core/tree/tree_impl.h"

enum { FILE_MAX = 256 << 10, ALL_MAX = 20 << 20, LONGEST = 80, SHORTEST = 4 };

struct hm_tree_words {
  hm_map folded;   /* all words, as they are compared */
  hm_tree_word *v; /* variables in capitals, as they come */
  size_t n, cap;
  hm_map at; /* of v */
  bool whole;
};

static hm_str fold(hm_str s, char *out) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] != '_' && s.p[i] != '-')
      out[n++] = hm_ascii_lower(s.p[i]);
  return (hm_str){ out, n };
}

static bool is_capital(hm_str s) {
  bool parts = false;
  for (size_t i = 0; i < s.n; i++) {
    if (!(s.p[i] >= 'A' && s.p[i] <= 'Z') && !hm_is_digit(s.p[i]) && s.p[i] != '_')
      return false;
    parts |= s.p[i] == '_';
  }
  return parts && s.p[0] >= 'A' && s.p[s.n - 1] != '_';
}

static bool is_example(hm_str path) {
  hm_str name = hm_str_behind_last(path, '/');
  return hm_str_starts(name, ".env") || hm_str_starts(name, "env.") || hm_str_ends(name, ".env");
}

static void add_word(hm_tree_words *w, hm_str word, hm_str path, size_t line, hm_arena *a) {
  char room[LONGEST];
  hm_str folded = fold(word, room);
  if (hm_map_get(&w->folded, folded) == HM_MAP_NONE)
    hm_map_add(&w->folded, hm_str_dup(a, folded), 0);
  if (!is_capital(word))
    return;
  uint32_t at = hm_map_get(&w->at, word);
  if (at == HM_MAP_NONE) {
    w->v = hm_array_grow_in(a, w->v, w->n, &w->cap, sizeof *w->v);
    w->v[w->n] = (hm_tree_word){ .word = hm_str_dup(a, word), .path = path, .line = line };
    at = (uint32_t)w->n;
    hm_map_add(&w->at, w->v[w->n++].word, at);
  }
  bool example = is_example(path);
  w->v[at].example |= example;
  w->v[at].elsewhere |= !example;
}

static void read_text(hm_tree_words *w, hm_str text, hm_str path, hm_arena *a) {
  size_t line = 1;
  if (memchr(text.p, 0, text.n))
    return;
  for (size_t i = 0; i < text.n; i++) {
    size_t from = i;
    while (i < text.n && (hm_is_alnum(text.p[i]) || text.p[i] == '_' || text.p[i] == '-'))
      i++;
    if (i - from >= SHORTEST && i - from < LONGEST)
      add_word(w, hm_str_sub(text, from, i), path, line, a);
    line += i < text.n && text.p[i] == '\n';
  }
}

/* A document, or what a program wrote. */
static bool is_passed_over(hm_str path) {
  static const char *const ends[] = { ".csv", ".lock", ".map",       ".min.css",  ".min.js",
                                      ".sum", ".svg",  "-lock.json", "-lock.yaml" };
  hm_tree_kind kind = hm_tree_kind_of(path);
  for (size_t i = 0; i < HM_COUNT(ends); i++)
    if (hm_str_ends(path, ends[i]))
      return true;
  return kind == HM_TREE_NOTES || hm_str_ends(path, ".mdx") || hm_str_ends(path, ".rst");
}

static hm_tree_words *read_words(const hm_tree_files *f) {
  hm_tree_words *w = hm_alloc(f->a, sizeof *w);
  hm_arena *work = hm_arena_new();
  size_t all = 0;
  *w = (hm_tree_words){ .whole = true };
  hm_map_init(&w->folded, f->a, 1024);
  hm_map_init(&w->at, f->a, 64);
  for (size_t i = 0; i < f->n && w->whole; i++) {
    struct stat st;
    hm_str bytes, real = HM_CAT(work, f->top, HM_STR("/"), f->v[i]);
    hm_err err = { 0 };
    const hm_tree_file file = { .path = real, .folder = f->top, .below = f->v[i] };
    bool small = !is_passed_over(f->v[i]) && lstat(hm_str_z(work, real), &st) == 0 &&
        S_ISREG(st.st_mode) && st.st_size <= FILE_MAX;
    if (small && hm_tree_read(&file, work, &bytes, &err) == 0 && bytes.n) {
      all += bytes.n;
      w->whole = all <= ALL_MAX;
      read_text(w, bytes, f->v[i], f->a);
    }
    hm_arena_reset(work);
  }
  hm_arena_free(work);
  return w;
}

static const hm_tree_words *words_of(const hm_tree_files *f) {
  const hm_tree_files *now = f->now ? f->now : f;
  if (!now->words)
    ((hm_tree_files *)(uintptr_t)now)->words = read_words(now);
  return now->words;
}

bool hm_tree_files_may_have_word(const hm_tree_files *f, hm_str word) {
  const hm_tree_words *w = words_of(f);
  char room[LONGEST];
  if (!w->whole || word.n >= LONGEST)
    return true;
  for (size_t i = 0; i + SHORTEST < word.n; i++) { /* also without its first words: a prefix */
    if (i && word.p[i - 1] != '_')
      continue;
    hm_str rest = hm_str_sub(word, i, word.n);
    bool two = memchr(rest.p, '_', rest.n) != NULL;
    if ((!i || two) && hm_map_get(&w->folded, fold(rest, room)) != HM_MAP_NONE)
      return true;
  }
  return false;
}

const hm_tree_word *hm_tree_files_word(const hm_tree_files *f, hm_str word) {
  const hm_tree_words *w = words_of(f);
  uint32_t at = hm_map_get(&w->at, word);
  return at == HM_MAP_NONE || !w->whole ? NULL : &w->v[at];
}

/* Do both have as many words, three or more, and differ in one? */
static bool is_alike(hm_str x, hm_str y) {
  size_t i = 0, k = 0, words = 0, other = 0;
  while (i < x.n && k < y.n) {
    size_t a = i, b = k;
    while (i < x.n && x.p[i] != '_')
      i++;
    while (k < y.n && y.p[k] != '_')
      k++;
    other += !hm_str_eq(hm_str_sub(x, a, i), hm_str_sub(y, b, k));
    words++;
    i++;
    k++;
  }
  return i >= x.n && k >= y.n && words >= 3 && other == 1;
}

const hm_tree_word *hm_tree_files_word_like(const hm_tree_files *f, hm_str word, size_t *n) {
  const hm_tree_words *w = words_of(f);
  const hm_tree_word *found = NULL;
  *n = 0;
  for (size_t i = 0; i < w->n; i++)
    if (is_alike(word, w->v[i].word)) {
      found = &w->v[i];
      ++*n;
    }
  return found;
}
