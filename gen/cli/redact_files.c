#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "gen/cli/redact.h"

enum { CHUNK = 1 << 20, OVERLAP = 6 * HM_REDACT_WHOLE };   /* what any form is shorter than */

static ssize_t fill(int fd, char *p, size_t n) {
  size_t done = 0;
  while (done < n) {
    ssize_t got = read(fd, p + done, n - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 ? -1 : (ssize_t)done;
    done += (size_t)got;
  }
  return (ssize_t)done;
}

bool hm_redact_bytes_hold(const hm_redact_search *what, hm_str bytes) {
  return hm_needles_in_bytes(&what->forms, bytes) || hm_needles_in_bytes(&what->values, bytes);
}

bool hm_redact_file_holds(const char *path, const hm_redact_search *what) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  bool held = false;
  char *p = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? hm_xmalloc(CHUNK + OVERLAP) : NULL;
  size_t kept = 0;
  for (ssize_t got; p && !held && (got = fill(fd, p + kept, CHUNK)) > 0;) {
    size_t n = kept + (size_t)got;
    held = hm_redact_bytes_hold(what, (hm_str){ p, n });
    kept = n < OVERLAP ? n : OVERLAP;
    memmove(p, p + n - kept, kept);
  }
  free(p);
  close(fd);
  return held;
}

static int by_text(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

enum { MOST = 1000 };

typedef bool chosen(hm_str name, hm_str base);

static bool is_backup(hm_str name, hm_str base) {
  return hm_str_starts(name, base.p) && hm_str_ends(name, ".bak");
}

static bool is_other(hm_str name, hm_str base) {
  static const char *const of_sqlite[] = { "", "-wal", "-journal", "-shm" };
  if (!hm_str_starts(name, base.p) || hm_str_ends(name, ".bak")) return false;
  for (size_t i = 0; i < sizeof of_sqlite / sizeof *of_sqlite; i++)
    if (hm_str_is(hm_str_sub(name, base.n, name.n), of_sqlite[i])) return false;
  return true;
}

static bool is_any(hm_str name, hm_str base) { return hm_str_starts(name, base.p); }

static size_t search(hm_arena *a, const char *path, chosen *is_chosen, const hm_redact_search *what,
                     hm_str **out) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  hm_str folder = slash ? (hm_str){ path, (size_t)(slash - path) + 1 } : HM_EMPTY;
  size_t n = 0;
  *out = hm_alloc_array(a, MOST, sizeof **out);
  DIR *d = opendir(folder.n ? hm_str_z(a, folder) : ".");
  for (struct dirent *e; d && n < MOST && (e = readdir(d));) {
    hm_str name = hm_str_c(e->d_name);
    if (!is_chosen(name, hm_str_c(base))) continue;
    hm_str found = hm_str_join(a, (const hm_str[]){ folder, name }, 2);
    if (hm_redact_file_holds(found.p, what)) (*out)[n++] = found;
  }
  if (d) closedir(d);
  if (n) qsort(*out, n, sizeof **out, by_text);
  return n;
}

size_t hm_redact_backups(hm_arena *a, const char *store, const hm_redact_search *what,
                         hm_str **out) {
  return search(a, store, is_backup, what, out);
}

size_t hm_redact_files(hm_arena *a, const char *path, bool beside, const hm_redact_search *what,
                       hm_str **out) {
  return search(a, path, beside ? is_other : is_any, what, out);
}
