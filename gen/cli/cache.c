#include "gen/cli/cache.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "gen/cli/build_id.h"
#include "gen/cli/files.h"
#include "gen/cli/out.h"
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

/* --- reading ---------------------------------------------------------------- */

static bool get_entry(hm_arena *a, hm_str bytes, hm_cache_entry *e) {
  hm_str known;
  hm_sweep_known *s = &e->sweep;
  bool ok = get_fixed(&bytes, e->look, sizeof e->look) && get_fixed(&bytes, e->inputs, sizeof e->inputs) &&
            get_fixed(&bytes, &e->recorded, sizeof e->recorded) && get_fixed(&bytes, &e->counts, sizeof e->counts) &&
            get_fixed(&bytes, s, sizeof *s) && get_field(&bytes, &s->digest) && get_field(&bytes, &e->digest) &&
            get_field(&bytes, &e->note) && get_field(&bytes, &known);
  return ok && bytes.n == 0 && hm_known_get(known, a, &e->known);
}

/* Finds the place's entry; the others stay bytes. */
static bool find(hm_cli *cli, hm_str rest, hm_str place, hm_cache *c) {
  hm_buf others = { 0 };
  bool ok = true;
  while (ok && rest.n) {
    hm_str name, bytes;
    ok = get_field(&rest, &name) && get_field(&rest, &bytes);
    if (!ok) break;
    if (hm_str_eq(name, place)) {
      ok = get_entry(cli->a, bytes, &c->entry);
      c->found = ok;
    } else {
      put_field(&others, name);
      put_field(&others, bytes);
    }
  }
  c->others = ok ? hm_buf_keep(&others, cli->a) : HM_EMPTY;
  hm_buf_free(&others);
  return ok;
}

static const char *judge(hm_cli *cli, hm_str place, hm_cache *c) {
  hm_str first = head(cli->a), bytes = c->bytes;
  uint64_t sum;
  if (!hm_str_starts(bytes, "hmirror cache ")) return "not a cache";
  if (!hm_str_starts(bytes, first.p)) return "of another version";
  if (bytes.n < first.n + sizeof sum) return "damaged";
  memcpy(&sum, bytes.p + bytes.n - sizeof sum, sizeof sum);
  bytes.n -= sizeof sum;
  if (hm_str_hash(bytes) != sum || !find(cli, hm_str_sub(bytes, first.n, bytes.n), place, c)) return "damaged";
  return NULL;
}

void hm_cache_load(hm_cli *cli, const char *path, hm_str place, const unsigned char look[32], hm_cache *out) {
  hm_err err;
  *out = (hm_cache){ .path = path, .bytes = HM_EMPTY, .others = HM_EMPTY };
  if (access(path, F_OK) != 0) return;
  if (hm_file_read(cli->a, path, CACHE_MAX, HM_E_INPUT, &out->bytes, &err)) {
    hm_detail(cli, "%s: %s; everything is made anew", path, err.why);
    return;
  }
  const char *why = judge(cli, place, out);
  if (why) hm_note(cli, "%s: %s; everything is made anew", path, why);
  if (why) out->found = false;
  if (out->found && memcmp(out->entry.look, look, sizeof out->entry.look) != 0) {
    hm_detail(cli, "templates, theme, title or version changed: every page is made anew");
    out->found = false;
  }
}

/* --- writing ---------------------------------------------------------------- */

static void put_entry(const hm_cache_entry *e, hm_buf *out) {
  hm_buf known = { 0 }, b = { 0 };
  hm_known_put(&e->known, &known);
  hm_sweep_known numbers = e->sweep;
  numbers.digest = (hm_str){ 0 };
  put_fixed(&b, e->look, sizeof e->look);
  put_fixed(&b, e->inputs, sizeof e->inputs);
  put_fixed(&b, &e->recorded, sizeof e->recorded);
  put_fixed(&b, &e->counts, sizeof e->counts);
  put_fixed(&b, &numbers, sizeof numbers);
  put_field(&b, e->sweep.digest);
  put_field(&b, e->digest);
  put_field(&b, e->note);
  put_field(&b, hm_buf_view(&known));
  put_field(out, e->place);
  put_field(out, hm_buf_view(&b));
  out->failed |= known.failed | b.failed;
  hm_buf_free(&known);
  hm_buf_free(&b);
}

static void put_others(hm_str others, hm_buf *out) {
  hm_str name, bytes;
  for (int i = 1; i < HM_CACHE_PLACES && get_field(&others, &name) && get_field(&others, &bytes); i++) {
    put_field(out, name);
    put_field(out, bytes);
  }
}

/* One at a time, in the file that a killed one left. No fsync: what a crash of the machine leaves of it is found out by
 * the checksum. */
static int write_to(hm_arena *a, const char *path, hm_str bytes) {
  const char *temp = hm_str_fmt(a, "%s.new", path).p;
  int fd = hm_lock_open(AT_FDCWD, temp, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600, WAIT_MS);
  if (fd < 0) return -1;
  int rc = ftruncate(fd, 0) == 0 && hm_fs_write(fd, bytes) == 0 && rename(temp, path) == 0 ? 0 : -1, eno = errno;
  if (rc != 0) unlink(temp);
  close(fd);
  errno = eno;
  return rc;
}

void hm_cache_save(hm_cli *cli, const hm_cache *c, const hm_cache_entry *e) {
  hm_buf b = { 0 };
  hm_buf_str(&b, head(cli->a));
  put_entry(e, &b);
  put_others(c->others, &b);
  uint64_t sum = hm_str_hash(hm_buf_view(&b));
  hm_buf_add(&b, &sum, sizeof sum);
  if (!b.failed && write_to(cli->a, c->path, hm_buf_view(&b)) != 0)
    hm_detail(cli, "%s: cannot be written: %s; the next build makes everything anew", c->path, strerror(errno));
  hm_buf_free(&b);
}
