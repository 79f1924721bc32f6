/* Thousands of random changes, of facts, verdicts, appearance, config, of the output and of the
 * cache itself: after each, what `build` and `publish` make is what --full makes, to the byte and
 * the commit id, and files that are the same were not touched. HM_SEED and HM_STEPS repeat a run.
 */
#include "tests/unit/gen_verbs_incremental_help.h"

/* --- what others do to the output and to the cache ------------------------------- */

static char *any_output(char path[512]) {
  char list[256][512];
  unsigned n = 0;
  const char *const folders[] = { "site", "site/projects/p1", "site/projects/p2", "site/conflicts",
                                  "site/projects/p3/entities" };
  const char *folder = one_of(folders);
  DIR *d = opendir(folder);
  for (struct dirent *e; d && n < 256 && (e = readdir(d));)
    if (e->d_type == DT_REG && strcmp(e->d_name, "manifest.json") != 0)
      snprintf(list[n++], 512, "%s/%s", folder, e->d_name);
  if (d) closedir(d);
  return n ? strcpy(path, list[pick(n)]) : NULL;
}

static void tamper(void) {
  char path[512];
  struct stat st;
  if (!any_output(path) || stat(path, &st) != 0) return;
  note(path);
  if (pick(4) == 0) {
    unlink(path);
    if (pick(2)) must(symlink("/etc/hostname", path), "symlink");
    return;
  }
  int fd = open(path, O_WRONLY);
  if (pwrite(fd, "#", 1, st.st_size / 2) != 1) lost("pwrite");
  if (pick(2))
    futimens(fd, (struct timespec[2]){ st.st_atim, st.st_mtim }); /* same size, same mtime */
  close(fd);
}

/* The folder's file or the branch's; an old one may be put back as the other's. */
static void tamper_cache(void) {
  static const char *const files[] = { "hmirror.db.cache", "hmirror.db.cache-2" };
  const char *cache = files[pick(2)];
  size_t n = 0, m = 0;
  char *now = read_file(cache, &n), *old = read_file("old.cache", &m);
  switch (pick(6)) {
    case 0: note("no cache"); unlink(cache); break;
    case 1: if (now) { note("half a cache"); write_file(cache, now, pick((unsigned)n + 1)); } break;
    case 2:
      if (now && n) {
        note("a bit of the cache");
        now[pick((unsigned)n)] ^= (char)(1 << pick(8));
        write_file(cache, now, n);
      }
      break;
    case 3: if (old) { note("an old cache"); write_file(cache, old, m); } break;
    default: if (now) write_file("old.cache", now, n);
  }
  free(now);
  free(old);
}

/* The branch goes back, in both repositories alike. */
static void rewind_branch(void) {
  static char last[2][64];
  static bool have;
  const char *const refs[] = { "a.git/refs/heads/mirror", "b.git/refs/heads/mirror" };
  bool back = have && pick(2);
  for (int i = 0; i < 2; i++) {
    size_t n;
    char *now = read_file(refs[i], &n);
    if (!now) return;
    if (back) write_file(refs[i], last[i], strlen(last[i]));
    else snprintf(last[i], sizeof last[i], "%.*s", (int)n, now);
    free(now);
  }
  have = true;
  if (back) note("an older commit");
}

static void random_change(void) {
  unsigned k = pick(100);
  if (k < 30) write_row();
  else if (k < 48) touch_row();
  else if (k < 56) touch_text();
  else if (k < 64) touch_project();
  else if (k < 69) touch_link();
  else if (k < 79) touch_conflict();
  else if (k < 84) touch_look();
  else if (k < 90) touch_config();
  else if (k < 94) tamper();
  else if (k < 97) tamper_cache();
  else if (k < 99) rewind_branch();
}

/* --- what must be -------------------------------------------------------------- */

typedef struct { char path[200]; ino_t ino; struct timespec mtime; uint64_t bytes; } seen;
typedef struct { seen v[2000]; size_t n; } tree;
static tree *walking;
static size_t skip;

static int look(const char *path, const struct stat *st, int type, struct FTW *at) {
  (void)at;
  if (type == FTW_D) return 0;
  size_t n = 0;
  char *p = type == FTW_F ? read_file(path, &n)
                          : NULL; /* a link that was put there is like nothing else */
  seen *s = &walking->v[walking->n++];
  snprintf(s->path, sizeof s->path, "%s", path + skip);
  s->ino = st->st_ino;
  s->mtime = st->st_mtim;
  s->bytes = p ? hm_str_hash((hm_str){ p, n }) : 1;
  free(p);
  return 0;
}

static int by_path(const void *x, const void *y) {
  return strcmp(((const seen *)x)->path, ((const seen *)y)->path);
}

static void read_tree(const char *root, tree *out) {
  walking = out;
  skip = strlen(root) + 1;
  out->n = 0;
  nftw(root, look, 16, FTW_PHYS);
  qsort(out->v, out->n, sizeof *out->v, by_path);
}

static void compare_trees(const tree *a, const tree *b) {
  for (size_t i = 0; i < a->n || i < b->n; i++) {
    if (i == a->n || i == b->n || strcmp(a->v[i].path, b->v[i].path) != 0)
      lost("of %s and %s one is missing", i < a->n ? a->v[i].path : "-",
           i < b->n ? b->v[i].path : "-");
    if (a->v[i].bytes != b->v[i].bytes) lost("%s differs", a->v[i].path);
  }
}

/* What has the bytes that it had is the file that it was. */
static void check_untouched(const tree *before, const tree *after) {
  for (size_t i = 0; i < after->n; i++) {
    const seen *s = &after->v[i], *was = bsearch(s, before->v, before->n, sizeof *s, by_path);
    if (!was || was->bytes != s->bytes) continue;
    if (was->ino != s->ino || was->mtime.tv_sec != s->mtime.tv_sec ||
        was->mtime.tv_nsec != s->mtime.tv_nsec)
      lost("%s was written again", s->path);
  }
}

static void check_branch(void) {
  size_t n, m;
  char *a = read_file("a.git/refs/heads/mirror", &n), *b = read_file("b.git/refs/heads/mirror", &m);
  if (!a || !b || n != m || memcmp(a, b, n) != 0)
    lost("the commits differ: %.10s %.10s", a ? a : "-", b ? b : "-");
  free(a);
  free(b);
}

static void check_build(const tree *before, tree *after, tree *full) {
  must(hm("build"), "build");
  must(hm("build", "--full", "--no-sweep", "-d", "full"), "build --full");
  read_tree("site", after);
  read_tree("full", full);
  compare_trees(after, full);
  if (!strstr(t.log, "site")) check_untouched(before, after);
}

static void check_publish(void) {
  must(hm("publish", "--repo", "a.git"), "publish");
  must(hm("publish", "--repo", "b.git", "--full"), "publish --full");
  check_branch();
}

static void incremental_is_full(void **state) {
  (void)state;
  tree *before = calloc(1, sizeof *before), *after = calloc(1, sizeof *after),
       *full = calloc(1, sizeof *full);
  int steps = getenv("HM_STEPS") ? atoi(getenv("HM_STEPS")) : thorough() ? 700 : 30;
  for (t.step = 0; t.step < steps; t.step++) {
    t.log[0] = 0;
    read_tree("site", before);
    unsigned changes = pick(8) ? 1 + pick(6) : 0;
    if (pick(8) == 0) touch_config();      /* with or without a change of facts */
    for (unsigned i = 0; i < changes; i++) random_change();
    if (pick(2)) check_build(before, after, full);
    else check_publish();
  }
  free(before);
  free(after);
  free(full);
}

static int setup(void **state) {
  (void)state;
  const char *seed = getenv("HM_SEED");
  t.seed = t.random = seed ? strtoull(seed, NULL, 10) : 20260401;
  snprintf(t.folder, sizeof t.folder, "%s/hm-incremental-XXXXXX",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  if (!mkdtemp(t.folder) || chdir(t.folder) != 0) return -1;
  write_file("mirror.yml", "title: Mirror\n", 14);
  must(hm("init"), "init");
  if (sqlite3_open("hmirror.db", &t.db) != SQLITE_OK) return -1;
  sqlite3_busy_timeout(t.db, 5000);
  sql("PRAGMA synchronous=OFF; PRAGMA recursive_triggers=ON");
  for (int i = 0; i < 4 * ROWS; i++) write_row();
  must(hm("build"), "build");
  return 0;
}

static int teardown(void **state) {
  (void)state;
  sqlite3_close(t.db);
  if (chdir("/") != 0) return -1;
  return nftw(t.folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(incremental_is_full) };
  return cmocka_run_group_tests(tests, setup, teardown);
}
