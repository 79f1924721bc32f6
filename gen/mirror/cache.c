#include "gen/mirror/cache.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "gen/mirror/build_id.h"
#include "gen/mirror/files.h"
#include "gen/sink/fs.h"
#include "gen/sink/lock.h"

#define CACHE_MAX ((size_t)1 << 30)
enum { WAIT_MS = 2000 };

/* First line of the file: other programs' caches are not ours to read. */
static hm_str head(hm_arena *a) { return hm_str_fmt(a, "hmirror cache %s\n", hm_build_id); }

static void put_field(hm_buf *b, hm_str s) {
  uint64_t n = s.n;
  hm_buf_add(b, &n, sizeof n);
  hm_buf_str(b, s);
}

static bool get_field(hm_str *in, hm_str *s) {
  uint64_t n;
  if (in->n < sizeof n) return false;
  memcpy(&n, in->p, sizeof n);
  if (n > in->n - sizeof n) return false;
  *s = hm_str_sub(*in, sizeof n, sizeof n + n);
  *in = hm_str_sub(*in, sizeof n + n, in->n);
  return true;
}

static void put_fixed(hm_buf *b, const void *p, size_t n) { put_field(b, (hm_str){ p, n }); }

static bool get_fixed(hm_str *in, void *to, size_t n) {
  hm_str s;
  if (!get_field(in, &s) || s.n != n) return false;
  memcpy(to, s.p, n);
  return true;
}

/* --- which file --------------------------------------------------------------- */

enum { HEAD_MAX = 16 << 10 };   /* room for the first line and a place */

/* One of the files, by its beginning. */
typedef struct {
  const char *path;
  const char *why;           /* it is of no use; NULL: it is a place's */
  bool there, read, mine;
  struct timespec written;
} slot;

/* The first line and the place, which say whose it is before the rest is read; they have a checksum
 * of their own. */
static void put_head(hm_arena *a, hm_str place, hm_buf *b) {
  hm_buf_str(b, head(a));
  put_field(b, place);
  uint64_t sum = hm_str_hash(hm_buf_view(b));
  hm_buf_add(b, &sum, sizeof sum);
}

/* NULL, or why it is of no use. */
static const char *get_head(hm_arena *a, hm_str *in, hm_str *place) {
  hm_str all = *in, first = head(a);
  uint64_t sum;
  if (!hm_str_starts(all, "hmirror cache ")) return "not a cache";
  if (!hm_str_starts(all, first.p)) return "of another version";
  *in = hm_str_sub(all, first.n, all.n);
  if (!get_field(in, place) || in->n < sizeof sum) return "damaged";
  memcpy(&sum, in->p, sizeof sum);
  if (hm_str_hash(hm_str_sub(all, 0, all.n - in->n)) != sum) return "damaged";
  *in = hm_str_sub(*in, sizeof sum, in->n);
  return NULL;
}

static const char *slot_path(hm_arena *a, const char *path, int i) {
  return i ? hm_str_fmt(a, "%s-%d", path, i + 1).p : path;
}

static slot look_at(hm_arena *a, const char *path, hm_str place) {
  slot s = { .path = path };
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  s.there = fd >= 0 || errno != ENOENT;
  if (!s.there) return s;
  char *bytes = hm_alloc(a, HEAD_MAX);
  ssize_t n =
      fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? pread(fd, bytes, HEAD_MAX, 0) : -1;
  if (n < 0) s.why = "cannot be read";
  else {
    s.read = true;
    s.written = st.st_mtim;
    hm_str rest = { bytes, (size_t)n }, name = HM_EMPTY;
    s.why = get_head(a, &rest, &name);
    s.mine = !s.why && hm_str_eq(name, place);
  }
  if (fd >= 0) close(fd);
  return s;
}

static bool older(const slot *x, const slot *y) {
  if (x->written.tv_sec != y->written.tv_sec) return x->written.tv_sec < y->written.tv_sec;
  return x->written.tv_nsec < y->written.tv_nsec;
}

/* The place's own file, else the first that holds nothing of use, else the oldest. */
static slot choose(hm_arena *a, const char *path, hm_str place) {
  slot best = { 0 };
  for (int i = 0; i < HM_CACHE_PLACES; i++) {
    slot s = look_at(a, slot_path(a, path, i), place);
    bool is_free = !s.there || s.why, was_free = i && (!best.there || best.why);
    if (s.mine) return s;
    if (i == 0 || (!was_free && (is_free || older(&s, &best)))) best = s;
  }
  return best;
}

/* --- reading ---------------------------------------------------------------- */

bool hm_cache_entry_get(hm_arena *a, hm_str bytes, hm_cache_entry *e) {
  hm_sweep_known *s = &e->sweep;
  return get_fixed(&bytes, e->look, sizeof e->look) &&
      get_fixed(&bytes, e->inputs, sizeof e->inputs) &&
      get_fixed(&bytes, &e->recorded, sizeof e->recorded) &&
      get_fixed(&bytes, &e->counts, sizeof e->counts) && get_fixed(&bytes, s, sizeof *s) &&
      get_field(&bytes, &s->digest) && get_field(&bytes, &e->digest) &&
      get_field(&bytes, &e->note) && get_field(&bytes, &e->recorded_as) &&
      hm_known_get(bytes, a, &e->known);
}

static bool read_entry(hm_arena *a, hm_str bytes, hm_cache_entry *e) {
  hm_str rest = bytes;
  uint64_t sum;
  if (get_head(a, &rest, &e->place) || rest.n < sizeof sum) return false;
  memcpy(&sum, bytes.p + bytes.n - sizeof sum, sizeof sum);
  rest.n -= sizeof sum;
  return hm_str_hash(hm_str_sub(bytes, 0, bytes.n - sizeof sum)) == sum &&
      hm_cache_entry_get(a, rest, e);
}

void hm_cache_load(const hm_mirror *m, const char *path, hm_str place, const unsigned char look[32],
                   hm_cache *out) {
  *out = (hm_cache){ .path = path };
  hm_err err;
  hm_str bytes;
  slot s = choose(m->a, path, place);
  if (s.mine && hm_file_read(m->a, s.path, CACHE_MAX, HM_E_INPUT, &bytes, &err)) s.why = err.why;
  else if (s.mine && !read_entry(m->a, bytes, &out->entry)) s.why = "damaged";
  if (s.why && s.read) hm_warn(&m->say, "%s: %s; everything is made anew", s.path, s.why);
  else if (s.why) hm_say_detail(&m->say, "%s: %s; everything is made anew", s.path, s.why);
  out->found = s.mine && !s.why;
  if (out->found && memcmp(out->entry.look, look, sizeof out->entry.look) != 0) {
    hm_say_detail(&m->say, "templates, theme, title or version changed: every page is made anew");
    out->found = false;
  }
}

/* --- writing ---------------------------------------------------------------- */

void hm_cache_entry_put(const hm_cache_entry *e, hm_buf *b) {
  hm_sweep_known numbers = e->sweep;
  numbers.digest = (hm_str){ 0 };
  put_fixed(b, e->look, sizeof e->look);
  put_fixed(b, e->inputs, sizeof e->inputs);
  put_fixed(b, &e->recorded, sizeof e->recorded);
  put_fixed(b, &e->counts, sizeof e->counts);
  put_fixed(b, &numbers, sizeof numbers);
  put_field(b, e->sweep.digest);
  put_field(b, e->digest);
  put_field(b, e->note);
  put_field(b, e->recorded_as);
  hm_known_put(&e->known, b);
}

/* A file that takes another's name is sent to the disk at once, by some file systems, and whoever
 * wants something of theirs on the disk just then waits for it; so the other one goes first. */
static int give_name(const char *temp, const char *path) {
  unlink(path);
  return rename(temp, path);
}

/* One at a time, in the file that a killed one left. No fsync: what a crash of the machine leaves
 * of it is found out by the checksum. */
static int write_to(const char *path, hm_str bytes) {
  hm_arena *a = hm_arena_new();
  const char *temp = hm_str_fmt(a, "%s.new", path).p;
  int fd = hm_lock_open(AT_FDCWD, temp, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                        0600, WAIT_MS);
  int rc = fd >= 0 && ftruncate(fd, 0) == 0 && hm_fs_write(fd, bytes) == 0 &&
          give_name(temp, path) == 0
      ? 0
      : -1,
      eno = errno;
  if (fd >= 0 && rc != 0) unlink(temp);
  if (fd >= 0) close(fd);
  hm_arena_free(a);
  errno = eno;
  return rc;
}

void hm_cache_save(const hm_mirror *m, const hm_cache *c, const hm_cache_entry *e) {
  const char *path = choose(m->a, c->path, e->place).path;
  hm_buf b = { 0 };
  put_head(m->a, e->place, &b);
  hm_cache_entry_put(e, &b);
  uint64_t sum = hm_str_hash(hm_buf_view(&b));
  hm_buf_add(&b, &sum, sizeof sum);
  if (!b.failed && write_to(path, hm_buf_view(&b)))
    hm_say_detail(&m->say, "%s: cannot be written: %s; the next build makes everything anew", path,
              strerror(errno));
  hm_buf_free(&b);
}
