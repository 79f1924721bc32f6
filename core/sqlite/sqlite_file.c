/* The file of a store, beside what SQLite does with it: its header before SQLite reads it, whether
 * it is undamaged or unchanged, rewriting it; the lock of its writers; and a WAL of another user,
 * read without leaving files beside it.
 *
 * A reader of a WAL creates missing -wal and -shm files as its own user, and then the owner cannot
 * write any more; in a folder that cannot be written it fails. So if both exist, they are used
 * through a VFS that creates no files; else the file and its WAL are copied to a private folder and
 * read there. A copy is used only if neither file changed meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/par.h"
#include "core/sqlite/sqlite_impl.h"

enum { HEADER_SIZE = 100, SMALLEST_FILE = 512 }; /* one page of the smallest size */

static uint32_t read_be32(const unsigned char *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Through SQLite's own descriptor: closing one of ours would drop the POSIX locks of every other
 * connection of this process. */
int hm_sqlite_read_header(hm_store *s, hm_sqlite_header *out, hm_err *err) {
  unsigned char h[HEADER_SIZE];
  sqlite3_file *f = NULL;
  sqlite3_int64 size = 0;
  *out = (hm_sqlite_header){ 0 };
  sqlite3_file_control(s->sqlite->db, "main", SQLITE_FCNTL_FILE_POINTER, &f);
  if (!f || !f->pMethods || f->pMethods->xFileSize(f, &size) ||
      (size >= SMALLEST_FILE && f->pMethods->xRead(f, h, HEADER_SIZE, 0)))
    return hm_fail(err, HM_E_STORE, s->what, "cannot be read", "check the disk");
  out->size = size;
  if (size < SMALLEST_FILE)
    return 0;
  int64_t page = h[16] << 8 | h[17];
  out->is_sqlite = !memcmp(h, "SQLite format 3", 16);
  out->page_size = page == 1 ? 65536 : page;
  out->pages = read_be32(h + 28);
  out->application_id = read_be32(h + 68);
  return 0;
}

int hm_sqlite_fail_cut_off(hm_store *s, hm_err *err) {
  hm_sqlite_header h;
  if ((s->sqlite->failure & 0xff) != SQLITE_CORRUPT || hm_sqlite_read_header(s, &h, NULL))
    return -1;
  int64_t whole = h.page_size * h.pages;
  if (whole <= h.size)
    return -1;
  return hm_failf(err, HM_E_STORE, s->what, HM_DAMAGED_FIX,
                  "damaged: the file ends at byte %lld of %lld", (long long)h.size,
                  (long long)whole);
}

int hm_sqlite_check_last_page(hm_store *s, hm_err *err) {
  hm_sqlite_header h;
  if (!s->path[0])
    return 0; /* in memory */
  if (hm_sqlite_read_header(s, &h, err))
    return -1;
  if (h.page_size == 0 || h.size % h.page_size == 0)
    return 0; /* a new one has no header yet */
  return hm_failf(err, HM_E_STORE, s->what, HM_DAMAGED_FIX,
                  "damaged: the file ends at byte %lld, inside a page", (long long)h.size);
}

int hm_store_data_version(hm_store *s, uint64_t *out, hm_err *err) {
  unsigned ours = 0, theirs = 0;
  sqlite3 *db = s->sqlite->db;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_DATA_VERSION, &ours) != SQLITE_OK ||
      (s->theirs &&
       sqlite3_file_control(db, "theirs", SQLITE_FCNTL_DATA_VERSION, &theirs) != SQLITE_OK))
    return hm_sqlite_fail(s, err);
  *out = ((uint64_t)theirs << 32 | ours) + ((uint64_t)s->sqlite->copies << 48);
  return 0;
}

int hm_store_check(hm_store *s, hm_arena *a, bool *ok, hm_err *err) {
  static const char ours[] = "PRAGMA main.quick_check(1)";
  hm_str answer;
  *ok = false;
  if (hm_sql_one(s, ours, NULL, a, &answer, err))
    /* Damage is an answer to this question, not a failure to answer it. */
    return s->damaged ? 0 : -1;
  *ok = hm_str_is(answer, "ok");
  return *ok && s->theirs ? hm_foreign_check(s, a, ok, err) : 0;
}

int hm_store_delete_securely(hm_store *s, hm_err *err) {
  return hm_sql_exec(s, "PRAGMA secure_delete=ON", err);
}

/* A cache in memory would be as large as the file. The temporary file of VACUUM holds no deleted
 * data. */
int hm_store_compact(hm_store *s, hm_err *err) {
  hm_stmt *st;
  int failed = hm_sqlite_lock(s, err) || hm_sql_exec(s, "PRAGMA temp_store=FILE; VACUUM", err) ||
      hm_sql_prepare(s, "PRAGMA wal_checkpoint(TRUNCATE)", &st, err);
  hm_sqlite_unlock(s);
  if (failed)
    return -1;
  int rc = hm_sql_step(s, st, err);
  bool busy = rc == 1 && sqlite3_column_int(hm_sqlite_stmt(st), 0) != 0;
  sqlite3_finalize(hm_sqlite_stmt(st));
  if (busy)
    return hm_fail(err, HM_E_BUSY, s->what, "another process is reading it",
                   "run the command again when it has finished");
  return rc < 0 ? -1 : 0;
}

#define VFS "hmirror-reader"

enum { TRIES = 100, TICK_MS = 20, CHUNK = 1 << 20 };

/* --- a VFS that makes no WAL --------------------------------------------------- */

static int open_what_is_there(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f, int flags,
                              int *out) {
  (void)vfs;
  sqlite3_vfs *system = sqlite3_vfs_find("unix");
  if (flags & SQLITE_OPEN_WAL)
    flags = SQLITE_OPEN_WAL | SQLITE_OPEN_READONLY;
  return system->xOpen(system, name, f, flags, out);
}

static void add_vfs(void) {
  static sqlite3_vfs vfs; /* SQLite keeps the pointer */
  vfs = *sqlite3_vfs_find("unix");
  vfs.zName = VFS;
  vfs.xOpen = open_what_is_there;
  sqlite3_vfs_register(&vfs, 0);
}

/* --- small things ------------------------------------------------------------------ */

char *hm_sqlite_uri(const char *path, const char *query) {
  hm_buf b = { 0 };
  hm_buf_c(&b, *path == '/' ? "file:" : "file:./");
  for (const char *p = path; *p; p++) {
    if (strchr("%?#", *p))
      hm_buf_fmt(&b, "%%%02X", (unsigned char)*p);
    else
      hm_buf_ch(&b, *p);
  }
  hm_buf_c(&b, query);
  hm_buf_ch(&b, 0);
  return b.p;
}

static char *beside(const char *path, const char *suffix) {
  hm_buf b = { 0 };
  hm_buf_c(&b, path);
  hm_buf_c(&b, suffix);
  hm_buf_ch(&b, 0);
  return b.p;
}

/* --- one writer at a time ----------------------------------------------------------------
 *
 * Writers of other processes wait in flock for the lock file, STORE.lock, and not in SQLite, which
 * would ask again and again and serve whoever asks at the right moment. The file stays. It names
 * its holder, and is empty while nobody holds it. */

/* Opens the lock file beside the store, or beside what a link to it leads to, with the store's
 * owner and permissions. -1: errno. */
static int open_lock_file(const hm_store *s) {
  enum { FLAGS = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
  struct stat st;
  char *real = realpath(s->path, NULL);
  if (!real || stat(real, &st)) {
    free(real);
    return -1;
  }
  char *path = beside(real, ".lock");
  int fd = open(path, O_RDWR | FLAGS);
  if (fd < 0 && errno == ENOENT && s->mode != HM_STORE_TRY) {
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | FLAGS, st.st_mode & 0666);
    if (fd < 0 && errno == EEXIST)
      fd = open(path, O_RDWR | FLAGS);
    else if (fd >= 0 && (fchmod(fd, st.st_mode & 0666) || fchown(fd, st.st_uid, st.st_gid)))
      errno = 0; /* of another user, who cannot be given it: what was made will do */
  }
  if (fd < 0 && errno == EACCES)
    fd = open(path, O_RDONLY | FLAGS);
  int eno = errno;
  free(path);
  free(real);
  errno = eno;
  return fd;
}

/* flock has no limit of time: a thread waits in it. */
typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t ended;
  int fd, error;
  bool done, given_up; /* given up: the thread frees this when it gets the lock */
} lock_wait;

static void free_wait(lock_wait *w) {
  pthread_mutex_destroy(&w->mutex);
  pthread_cond_destroy(&w->ended);
  free(w);
}

static void *wait_in_flock(void *ctx) {
  lock_wait *w = ctx;
  int rc = flock(w->fd, LOCK_EX);
  pthread_mutex_lock(&w->mutex);
  w->error = rc ? errno : 0;
  w->done = true;
  bool given_up = w->given_up;
  pthread_cond_signal(&w->ended);
  pthread_mutex_unlock(&w->mutex);
  if (given_up) {
    close(w->fd);
    free_wait(w);
  }
  return NULL;
}

/* "1234 hmirror"; empty: it could not say. */
static hm_str read_holder(int fd, char out[64]) {
  ssize_t n = pread(fd, out, 64, 0);
  size_t i = 0;
  while (n > 0 && i < (size_t)n && out[i] >= ' ' && out[i] <= '~')
    i++;
  return (hm_str){ out, i };
}

/* 0, or an error number; ETIMEDOUT: after so long, or once *stop is true, with *holder; the thread
 * closes fd. */
static int wait_for_lock(int fd, int64_t ms, const atomic_bool *stop, char text[64],
                         hm_str *holder) {
  enum { LOOK_MS = 100 }; /* whether it is to stop */
  pthread_t thread;
  sigset_t all, before;
  lock_wait *w = memset(hm_xmalloc(sizeof *w), 0, sizeof *w);
  const int64_t end = hm_clock_ms() + ms;
  w->fd = fd;
  pthread_mutex_init(&w->mutex, NULL);
  hm_cond_init(&w->ended);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int rc = pthread_create(&thread, NULL, wait_in_flock, w);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (rc) {
    free_wait(w);
    return rc;
  }
  pthread_mutex_lock(&w->mutex);
  while (!w->done && hm_clock_ms() < end && !(stop && atomic_load(stop))) {
    const struct timespec then = hm_cond_deadline(stop ? LOOK_MS : end - hm_clock_ms());
    pthread_cond_timedwait(&w->ended, &w->mutex, &then);
  }
  w->given_up = !w->done;
  if (!w->done)
    *holder = read_holder(fd, text);
  rc = w->done ? w->error : ETIMEDOUT;
  pthread_mutex_unlock(&w->mutex);
  if (rc == ETIMEDOUT) {
    pthread_detach(thread);
    return rc;
  }
  pthread_join(thread, NULL);
  free_wait(w);
  return rc;
}

static void name_holder(int fd) {
  char text[64];
  int n = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), program_invocation_short_name);
  if (ftruncate(fd, 0) || pwrite(fd, text, (size_t)n, 0) != n)
    return; /* of another user, or a full disk: the lock holds without a name */
}

static bool is_odd_file(int fd) {
  struct stat st;
  return fd < 0 ? errno == ELOOP || errno == EISDIR || errno == ENXIO
                : fstat(fd, &st) == 0 && !S_ISREG(st.st_mode);
}

int hm_sqlite_lock(hm_store *s, hm_err *err) {
  enum { PATIENCE = 12 }; /* times as long as for another program: a minute */
  char text[64];
  hm_str holder = HM_EMPTY;
  if (!s->path[0])
    return 0; /* in memory */
  int fd = open_lock_file(s), rc = 0;
  if (is_odd_file(fd)) {
    if (fd >= 0)
      close(fd);
    return hm_fail(err, HM_E_STORE, s->what, "what stands beside it as .lock is no regular file",
                   "move it away");
  }
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB))
    rc = errno;
  if (rc == EWOULDBLOCK)
    rc = wait_for_lock(fd, (int64_t)PATIENCE * s->sqlite->busy_ms, s->stop, text, &holder);
  if (rc == ETIMEDOUT && hm_store_check_stop(s, err))
    return -1;
  if (rc == ETIMEDOUT)
    return hm_failf(err, HM_E_BUSY, s->what, "wait for it to end, then run this again",
                    "another process is writing to it%s%.*s", holder.n ? ": " : "", HM_FMT(holder));
  if (rc) { /* no flock here, or no room for the file: SQLite's own waiting has to do */
    if (fd >= 0)
      close(fd);
    return 0;
  }
  s->sqlite->lock = fd;
  name_holder(fd);
  return 0;
}

/* 0, or why the lock cannot be had at once. */
static int try_lock(const hm_store *s) {
  int fd = open_lock_file(s);
  int why = is_odd_file(fd) ? 0 : fd < 0 || flock(fd, LOCK_SH | LOCK_NB) ? errno : 0;
  if (fd >= 0)
    close(fd);
  return why;
}

bool hm_store_lacks_lock(const hm_store *s) {
  if (s->mode == HM_STORE_READ || s->mode == HM_STORE_TRY || !s->path[0])
    return false;
  int why = try_lock(s);
  return why && why != EWOULDBLOCK;
}

bool hm_store_is_written(const hm_store *s) { return s->path[0] && try_lock(s) == EWOULDBLOCK; }

void hm_sqlite_unlock(hm_store *s) {
  if (s->sqlite->lock < 0)
    return;
  if (ftruncate(s->sqlite->lock, 0)) { /* it goes on naming us: the next holder says who it is */
  }
  close(s->sqlite->lock);
  s->sqlite->lock = -1;
}

static hm_file_mark mark_of(const char *path, const char *suffix) {
  struct stat st;
  char *p = beside(path, suffix);
  bool there = stat(p, &st) == 0;
  free(p);
  if (!there)
    return (hm_file_mark){ .there = false };
  return (hm_file_mark){ true, st.st_dev, st.st_ino, st.st_size, st.st_mtim, st.st_ctim };
}

static bool same_time(struct timespec a, struct timespec b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool same(const hm_file_mark *a, const hm_file_mark *b) {
  if (!a->there || !b->there)
    return a->there == b->there;
  return a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
      same_time(a->mtime, b->mtime) && same_time(a->ctime, b->ctime);
}

/* A file's time has a granularity: a second write within one tick does not change it. */
static bool is_fresh(const hm_file_mark *m) {
  struct timespec now;
  if (!m->there)
    return false;
  clock_gettime(CLOCK_REALTIME, &now);
  int64_t ms = (now.tv_sec - m->ctime.tv_sec) * INT64_C(1000);
  ms += (now.tv_nsec - m->ctime.tv_nsec) / 1000000;
  return ms >= 0 && ms < TICK_MS;
}

enum { TO_READ = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX };

/* --- the file, through SQLite's own descriptor -------------------------------------- */

/* Closing our own descriptor would drop the locks of all other connections of this process. */
static sqlite3_file *open_raw(const char *path, sqlite3 **db) {
  sqlite3_file *f = NULL;
  char *uri = hm_sqlite_uri(path, "?mode=ro&immutable=1");
  int rc = sqlite3_open_v2(uri, db, TO_READ, NULL);
  free(uri);
  if (rc == SQLITE_OK)
    sqlite3_file_control(*db, "main", SQLITE_FCNTL_FILE_POINTER, &f);
  return f && f->pMethods ? f : NULL;
}

/* The header says so in its bytes 18 and 19. */
static bool is_wal(const char *path) {
  sqlite3 *db = NULL;
  unsigned char h[20] = "";
  sqlite3_file *f = open_raw(path, &db);
  bool wal = f && f->pMethods->xRead(f, h, sizeof h, 0) == SQLITE_OK && (h[18] == 2 || h[19] == 2);
  sqlite3_close(db);
  return wal;
}

static int no_copy(const char *what, const char *why, hm_err *err) {
  return hm_failf(err, HM_E_STORE, what,
                  "let its owner open it meanwhile, or give TMPDIR a folder with room",
                  "its WAL is read through a private copy, which cannot be made: %s", why);
}

static int write_all(int fd, const char *p, size_t n) {
  while (n) {
    ssize_t put = write(fd, p, n);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return -1;
    p += put;
    n -= (size_t)put;
  }
  return 0;
}

static int copy_store(const char *path, int to, const char *what, hm_err *err) {
  sqlite3 *db = NULL;
  sqlite3_int64 size = 0, at = 0;
  char *chunk = hm_xmalloc(CHUNK);
  int rc = 0;
  sqlite3_file *f = open_raw(path, &db);
  if (!f || f->pMethods->xFileSize(f, &size) != SQLITE_OK)
    rc = no_copy(what, "it cannot be read", err);
  while (!rc && at < size) {
    int n = size - at < CHUNK ? (int)(size - at) : CHUNK;
    int got = f->pMethods->xRead(f, chunk, n, at);
    if (got != SQLITE_OK && got != SQLITE_IOERR_SHORT_READ)
      rc = no_copy(what, "it cannot be read", err);
    else if (write_all(to, chunk, (size_t)n))
      rc = no_copy(what, strerror(errno), err);
    at += n;
  }
  sqlite3_close(db);
  free(chunk);
  return rc;
}

static int copy_wal(const char *path, int to, const char *what, hm_err *err) {
  char *wal = beside(path, "-wal"), *chunk = hm_xmalloc(CHUNK);
  int rc = 0, from = open(wal, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (from < 0 && errno != ENOENT)
    rc = no_copy(what, "its -wal cannot be read", err);
  for (ssize_t n; from >= 0 && !rc && (n = read(from, chunk, CHUNK)) != 0;) {
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 || write_all(to, chunk, (size_t)n))
      rc = no_copy(what, strerror(errno), err);
  }
  if (from >= 0)
    close(from);
  free(wal);
  free(chunk);
  return rc;
}

/* --- a private copy ------------------------------------------------------------------- */

static void remove_copy(char *folder) {
  static const char *const names[] = { "/store", "/store-wal", "/store-shm", "/store-journal" };
  for (size_t i = 0; folder && i < HM_COUNT(names); i++) {
    char *p = beside(folder, names[i]);
    unlink(p);
    free(p);
  }
  if (folder)
    rmdir(folder);
  free(folder);
}

static char *new_folder(void) {
  const char *tmp = getenv("TMPDIR");
  char *folder = beside(tmp && *tmp == '/' ? tmp : "/tmp", "/hmirror-XXXXXX");
  if (mkdtemp(folder))
    return folder;
  free(folder);
  return NULL;
}

static int copy_file(const char *folder, const char *name, const char *path, const char *what,
                     int (*copy)(const char *, int, const char *, hm_err *), hm_err *err) {
  char *to = beside(folder, name);
  int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int rc = fd < 0 ? no_copy(what, strerror(errno), err) : copy(path, fd, what, err);
  if (fd >= 0)
    close(fd);
  free(to);
  return rc;
}

/* Its schema may come from anyone. */
static void bound_length(sqlite3 *db, const char *store) {
  enum { MOST = 1000000000 };
  off_t file = mark_of(store, "").size + mark_of(store, "-wal").size;
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, file < MOST / 4 ? (int)file + (1 << 20) : MOST);
}

/* The WAL goes into the copy, which then is a plain file. */
static int fold_wal(const char *store, const char *what, hm_err *err) {
  sqlite3 *db = NULL;
  int rc = sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  bound_length(db, store);
  if (rc == SQLITE_OK)
    rc = sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  static const char fold[] = "PRAGMA synchronous=OFF; PRAGMA journal_mode=DELETE";
  if (rc == SQLITE_OK)
    rc = sqlite3_exec(db, fold, NULL, NULL, NULL);
  if (rc != SQLITE_OK)
    hm_failf(err, HM_E_STORE, what, "let its owner open and check it", "damaged: %s",
             sqlite3_errmsg(db));
  sqlite3_close(db);
  return rc == SQLITE_OK ? 0 : -1;
}

/* 1: it changed meanwhile. */
static int take_copy(hm_wal_reader *r, const char *what, hm_err *err) {
  const char *path = r->path;
  hm_file_mark file = mark_of(path, ""), wal = mark_of(path, "-wal");
  if (is_fresh(&file) || is_fresh(&wal))
    return 1;
  r->folder = new_folder();
  if (!r->folder)
    return no_copy(what, strerror(errno), err);
  int rc = copy_file(r->folder, "/store", path, what, copy_store, err);
  if (!rc && wal.there)
    rc = copy_file(r->folder, "/store-wal", path, what, copy_wal, err);
  hm_file_mark file_now = mark_of(path, ""), wal_now = mark_of(path, "-wal");
  if (!rc && !(same(&file, &file_now) && same(&wal, &wal_now)))
    rc = 1;
  char *store = beside(r->folder, "/store");
  if (!rc)
    rc = fold_wal(store, what, err);
  if (!rc)
    r->uri = hm_sqlite_uri(store, "?mode=ro&immutable=1");
  r->is_copy = rc == 0;
  r->file = file;
  r->wal = wal;
  free(store);
  if (rc)
    remove_copy(r->folder);
  if (rc)
    r->folder = NULL;
  return rc;
}

/* --- in place --------------------------------------------------------------------------- */

/* Their -wal and -shm are there and can be read. */
static bool in_place(hm_wal_reader *r) {
  sqlite3 *db = NULL;
  hm_file_mark wal = mark_of(r->path, "-wal"), shm = mark_of(r->path, "-shm");
  if (!wal.there || !shm.there)
    return false;
  r->uri = hm_sqlite_uri(r->path, "?mode=ro&vfs=" VFS "&readonly_shm=1");
  int rc = sqlite3_open_v2(r->uri, &db, TO_READ, NULL);
  sqlite3_busy_timeout(db, 1000); /* a WAL is begun, recovered or removed in less */
  if (rc == SQLITE_OK)
    rc = sqlite3_exec(db, "PRAGMA user_version", NULL, NULL, NULL);
  r->holder = db; /* its owner, closing it now, leaves the WAL there */
  if (rc == SQLITE_OK)
    return true;
  sqlite3_close(db);
  r->holder = NULL;
  free(r->uri);
  r->uri = NULL;
  return false;
}

int hm_wal_reader_choose(const char *path, const char *what, hm_wal_reader *out, hm_err *err) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct stat st;
  *out = (hm_wal_reader){ 0 };
  if (stat(path, &st) || (st.st_uid == geteuid() && hm_store_may_write(path)) || !is_wal(path))
    return 0;
  pthread_once(&once, add_vfs);
  out->path = realpath(path, NULL);
  for (int i = 0; i < TRIES && out->path; i++) {
    if (in_place(out))
      return 0;
    int rc = take_copy(out, what, err);
    if (rc < 0)
      hm_wal_reader_free(out);
    if (rc != 1)
      return rc;
    struct timespec t = { 0, TICK_MS * 1000000L };
    nanosleep(&t, NULL);
  }
  hm_wal_reader_free(out);
  return hm_fail(err, HM_E_BUSY, what, "its owner writes to it all the time",
                 "try again when that has ended");
}

void hm_wal_reader_opened(hm_wal_reader *r) {
  sqlite3_close(r->holder);
  r->holder = NULL;
  remove_copy(r->folder);
  r->folder = NULL;
}

bool hm_wal_reader_is_stale(const hm_wal_reader *r) {
  if (!r->is_copy)
    return false;
  hm_file_mark file = mark_of(r->path, ""), wal = mark_of(r->path, "-wal");
  return !same(&file, &r->file) || !same(&wal, &r->wal);
}

void hm_wal_reader_free(hm_wal_reader *r) {
  hm_wal_reader_opened(r);
  free(r->uri);
  free(r->path);
  *r = (hm_wal_reader){ 0 };
}
