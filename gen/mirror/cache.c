/* The files of the cache. Fields are texts with their length before them, in the byte order of the
 * machine: another program's file is not read. */
#include "gen/mirror/cache.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/base/digest.h"
#include "gen/mirror/files.h"
#include "core/markdown/markdown.h"
#include "gen/sink/fs.h"

#define CACHE_MAX ((size_t)1 << 30)
enum { WAIT_MS = 2000 };

static void put_field(hm_buf *b, hm_str s) {
  uint64_t n = s.n;
  hm_buf_add(b, &n, sizeof n);
  hm_buf_str(b, s);
}

static bool get_field(hm_str *in, hm_str *s) {
  uint64_t n;
  if (in->n < sizeof n)
    return false;
  memcpy(&n, in->p, sizeof n);
  if (n > in->n - sizeof n)
    return false;
  *s = hm_str_sub(*in, sizeof n, sizeof n + n);
  *in = hm_str_sub(*in, sizeof n + n, in->n);
  return true;
}

/* --- which file --------------------------------------------------------------- */

enum { HEAD_MAX = 16 << 10 }; /* room for the first line and a place */

/* The head of a cache file. */
typedef struct {
  const char *path;
  const char *why; /* it is of no use; NULL: it is a place's */
  bool there, read, mine;
  struct timespec written;
} cache_file;

/* Returns NULL, or the reason why the file is unusable. */
static const char *get_head(hm_arena *a, hm_str *in, hm_str *place) {
  hm_str all = *in, first = hm_str_fmt(a, "hmirror cache %s\n", hm_build_id);
  uint64_t sum;
  if (!hm_str_starts(all, "hmirror cache "))
    return "not a cache";
  if (!hm_str_starts(all, first.p))
    return "of another version";
  *in = hm_str_sub(all, first.n, all.n);
  if (!get_field(in, place) || in->n < sizeof sum)
    return "damaged";
  memcpy(&sum, in->p, sizeof sum);
  if (hm_str_hash(hm_str_sub(all, 0, all.n - in->n)) != sum)
    return "damaged";
  *in = hm_str_sub(*in, sizeof sum, in->n);
  return NULL;
}

static cache_file look_at_file(hm_arena *a, const char *path, hm_str place) {
  cache_file s = { .path = path };
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  s.there = fd >= 0 || errno != ENOENT;
  if (!s.there)
    return s;
  char *bytes = hm_alloc(a, HEAD_MAX);
  ssize_t n =
      fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? pread(fd, bytes, HEAD_MAX, 0) : -1;
  if (n < 0)
    s.why = "cannot be read";
  else {
    s.read = true;
    s.written = st.st_mtim;
    hm_str rest = { bytes, (size_t)n }, name = HM_EMPTY;
    s.why = get_head(a, &rest, &name);
    s.mine = !s.why && hm_str_eq(name, place);
  }
  if (fd >= 0)
    close(fd);
  return s;
}

static bool is_older(const cache_file *x, const cache_file *y) {
  if (x->written.tv_sec != y->written.tv_sec)
    return x->written.tv_sec < y->written.tv_sec;
  return x->written.tv_nsec < y->written.tv_nsec;
}

/* The place's own file, else the first unusable one, else the oldest. */
static cache_file choose_file(hm_arena *a, const char *path, hm_str place) {
  cache_file best = { 0 };
  for (int i = 0; i < HM_CACHE_PLACES; i++) {
    cache_file s = look_at_file(a, i ? hm_str_fmt(a, "%s-%d", path, i + 1).p : path, place);
    bool is_free = !s.there || s.why, was_free = i && (!best.there || best.why);
    if (s.mine)
      return s;
    if (i == 0 || (!was_free && (is_free || is_older(&s, &best))))
      best = s;
  }
  return best;
}

/* --- an entry ----------------------------------------------------------------- */

/* A field of an entry that is no text. */
typedef struct {
  unsigned char inputs[32];
  uint64_t recorded;
  hm_made_counts counts;
  hm_time now;
  int64_t rows, claims, slots, findings;
} fixed_part;

bool hm_cache_entry_parse(hm_arena *a, hm_str bytes, hm_cache_entry *e) {
  hm_str s;
  fixed_part f;
  if (!get_field(&bytes, &s) || s.n != sizeof f)
    return false;
  memcpy(&f, s.p, sizeof f);
  memcpy(e->inputs, f.inputs, sizeof e->inputs);
  e->recorded = f.recorded != 0;
  e->counts = f.counts;
  e->sweep = (hm_sweep_last_result){ HM_EMPTY, f.now, f.rows, f.claims, f.slots, f.findings };
  return get_field(&bytes, &e->sweep.digest) && get_field(&bytes, &e->digest) &&
      get_field(&bytes, &e->note) && hm_last_site_read(bytes, a, &e->known);
}

void hm_cache_entry_write(const hm_cache_entry *e, hm_buf *b) {
  fixed_part f;
  memset(&f, 0, sizeof f);
  memcpy(f.inputs, e->inputs, sizeof f.inputs);
  f.recorded = e->recorded;
  f.counts = e->counts;
  f.now = e->sweep.now;
  f.rows = e->sweep.rows;
  f.claims = e->sweep.claims;
  f.slots = e->sweep.slots;
  f.findings = e->sweep.findings;
  put_field(b, (hm_str){ (const char *)&f, sizeof f });
  put_field(b, e->sweep.digest);
  put_field(b, e->digest);
  put_field(b, e->note);
  hm_last_site_write(&e->known, b);
}

static bool read_entry(hm_arena *a, hm_str bytes, hm_cache_entry *e) {
  hm_str rest = bytes;
  uint64_t sum;
  if (get_head(a, &rest, &e->place) || rest.n < sizeof sum)
    return false;
  memcpy(&sum, bytes.p + bytes.n - sizeof sum, sizeof sum);
  rest.n -= sizeof sum;
  return hm_str_hash(hm_str_sub(bytes, 0, bytes.n - sizeof sum)) == sum &&
      hm_cache_entry_parse(a, rest, e);
}

/* --- what this run is made with ------------------------------------------------ */

/* The name of the place, with every link resolved; empty while the path does not exist. */
static hm_str place_of(const hm_mirror *m, const hm_site_target *to) {
  char *real = realpath(to->path, NULL);
  hm_str name = real ? hm_str_fmt(m->a, "%s %s %s", to->sort, to->branch, real) : HM_EMPTY;
  free(real);
  return name;
}

static void add_files(hm_sha256 *h, const hm_template_file *f, size_t n) {
  hm_sha256_field(h, (hm_str){ (const char *)&n, sizeof n });
  for (size_t i = 0; i < n; i++) {
    hm_sha256_field(h, f[i].name);
    hm_sha256_field(h, f[i].bytes);
  }
}

static void add_names(hm_sha256 *h, const hm_str *names, size_t n) {
  hm_sha256_field(h, (hm_str){ (const char *)&n, sizeof n });
  for (size_t i = 0; i < n; i++)
    hm_sha256_field(h, names[i]);
}

/* Digests all inputs of a site except the store. */
static void digest_inputs(const hm_mirror *m, const hm_appearance *look, const hm_site_target *to,
                          unsigned char out[32]) {
  const hm_config *c = &m->config;
  const hm_exclude *x = &c->exclude;
  const hm_site_house *house = &look->house;
  const size_t limits[] = { c->list_limit, c->value_limit, c->script };
  hm_sha256 h;
  const hm_str parts[] = { hm_str_c(hm_build_id),
                           hm_markdown_library_version(m->a),
                           hm_templates_digest(look->templates),
                           c->title,
                           c->base_url,
                           c->source_url,
                           c->markdown ? HM_STR("md") : HM_EMPTY,
                           c->html ? HM_STR("html") : HM_EMPTY,
                           house->logo,
                           house->scripts ? HM_STR("scripts") : HM_EMPTY,
                           hm_rules_digest(&c->rules, m->a),
                           { (const char *)limits, sizeof limits } };
  hm_sha256_init(&h);
  for (size_t i = 0; i < HM_COUNT(parts); i++)
    hm_sha256_field(&h, parts[i]);
  for (size_t i = 0; i < to->n_same; i++)
    hm_sha256_field(&h, hm_str_c(to->same[i]));
  add_files(&h, look->assets, look->n_assets);
  add_files(&h, look->statics, look->n_statics);
  add_names(&h, house->styles, house->n_styles);
  add_names(&h, x->projects, x->n_projects);
  add_names(&h, x->types, x->n_types);
  add_names(&h, x->statuses, x->n_statuses);
  add_names(&h, x->tags, x->n_tags);
  add_names(&h, x->properties, x->n_properties);
  hm_sha256_end(&h, out);
}

void hm_site_inputs_digest(const hm_mirror *m, const hm_appearance *look, unsigned char out[32]) {
  digest_inputs(m, look, &(hm_site_target){ 0 }, out);
}

/* --- loading and saving -------------------------------------------------------- */

void hm_cache_load(const hm_mirror *m, const hm_appearance *look, hm_site_target to, bool foreign,
                   bool full, hm_cache *out) {
  hm_str place = place_of(m, &to), bytes;
  hm_err err;
  *out = (hm_cache){ .to = to };
  out->path = hm_str_fmt(m->a, "%s.cache", foreign ? m->config.review : m->store).p;
  digest_inputs(m, look, &to, out->inputs);
  cache_file s = choose_file(m->a, out->path, place);
  if (s.mine && hm_file_read(m->a, s.path, CACHE_MAX, HM_E_INPUT, &bytes, &err))
    s.why = err.why;
  else if (s.mine && !read_entry(m->a, bytes, &out->entry))
    s.why = "damaged";
  if (s.why)
    (s.read ? hm_say_note : hm_say_detail)(&m->say, "%s: %s; it is rebuilt", s.path, s.why);
  out->found = s.mine && !s.why;
  if (out->found && memcmp(out->entry.inputs, out->inputs, sizeof out->inputs) != 0) {
    hm_say_detail(&m->say,
                  "templates, theme, config, rules or version changed: every page is "
                  "rendered again");
    out->found = false;
  }
  if (full || !place.n)
    out->found = false;
}

/* Removes the old file before the rename: some file systems sync a file that replaces another at
 * once, which delays other syncs.
 *
 * One writer at a time; it reuses the temporary file of a killed one. No fsync: the checksum
 * detects what a crash of the machine leaves. */
static int write_cache_file(hm_arena *a, const char *path, hm_str bytes) {
  const char *temp = hm_str_fmt(a, "%s.new", path).p;
  int fd = hm_open_locked(AT_FDCWD, temp, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                          0600, WAIT_MS);
  if (fd < 0)
    return -1;
  int rc = ftruncate(fd, 0) || hm_fs_write(fd, bytes) ? -1 : 0;
  if (rc == 0) {
    unlink(path);
    rc = rename(temp, path);
  }
  int eno = errno;
  if (rc)
    unlink(temp);
  close(fd);
  errno = eno;
  return rc;
}

void hm_cache_save(const hm_mirror *m, const hm_cache *c, hm_cache_entry *e) {
  e->place = place_of(m, &c->to);
  if (!e->place.n)
    return;
  memcpy(e->inputs, c->inputs, sizeof e->inputs);
  const char *path = choose_file(m->a, c->path, e->place).path;
  hm_buf b = { 0 };
  /* The first line and the place, with their own checksum: they tell whose file it is before the
   * rest is read. */
  hm_buf_fmt(&b, "hmirror cache %s\n", hm_build_id);
  put_field(&b, e->place);
  uint64_t head = hm_str_hash(hm_buf_view(&b));
  hm_buf_add(&b, &head, sizeof head);
  hm_cache_entry_write(e, &b);
  uint64_t sum = hm_str_hash(hm_buf_view(&b));
  hm_buf_add(&b, &sum, sizeof sum);
  if (!b.failed && write_cache_file(m->a, path, hm_buf_view(&b)))
    hm_say_detail(&m->say, "%s: cannot be written: %s; the next build makes everything again", path,
                  strerror(errno));
  hm_buf_free(&b);
}
