/* See process.h. Both ends of the leash: hmirror starts it and reads what the program prints; the
 * leash starts the program and ends its group.
 *
 * The pair of sockets tells both that the other one is gone, and hmirror, by an errno, why the
 * program has no end of its own: it was not started, or its time was over. PR_SET_PDEATHSIG alone
 * would not do: it does not reach what the program started, and goes off when a thread ends. It is
 * set for the program besides, for a leash that is killed. */
#include "gen/sink/process.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/base/par.h"
#include "gen/sink/fs.h"

/* What a program needs to find keys and agents, and nothing that changes what it does. */
static const char *const kept[] = { "GNUPGHOME",     "HOME", "LOGNAME",        "PATH",
                                    "SSH_AUTH_SOCK", "USER", "XDG_RUNTIME_DIR" };

/* LEASH: the leash's number of its end of the sockets, after those of the program. GRACE_MS: what a
 * leash that does not answer gets beyond the program's time. */
enum { LEASH = 3 + HM_PROCESS_FILES, ABOVE = 16, ENV_MAX = HM_COUNT(kept) + 2, GRACE_MS = 5000 };

static const char verb[] = "@leash", bounded_word[] = "bounded";
/* hmirror @leash SECONDS bounded|free PROGRAM... */
enum { ARG_VERB = 1, ARG_SECONDS, ARG_BOUNDED, ARG_PROGRAM };

/* --- the leash ---------------------------------------------------------------------------- */

static void say_why(int why) {
  if (write(LEASH, &why, sizeof why) < 0)
    return; /* hmirror is gone */
}

/* The child of the leash. */
static void become_program(char **argv, bool bounded, pid_t leash) {
  static const struct {
    int what;
    rlim_t most;
  } bounds[] = { { RLIMIT_AS, 256 << 20 }, { RLIMIT_FSIZE, 64 << 10 }, { RLIMIT_CORE, 0 } };
  sigset_t none;
  sigemptyset(&none);
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != leash)
    _exit(EXIT_FAILURE);
  for (size_t i = 0; bounded && i < HM_COUNT(bounds); i++)
    setrlimit(bounds[i].what, &(struct rlimit){ bounds[i].most, bounds[i].most });
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvp(argv[0], argv);
  say_why(errno);
  _exit(EXIT_FAILURE);
}

/* Until the program ended, or hmirror did or has had enough: 0. ETIMEDOUT: its time is over. */
static int wait_for_end(int ended, int seconds) {
  const int64_t until = hm_clock_ms() + (int64_t)seconds * 1000;
  struct pollfd at[] = { { .fd = LEASH, .events = POLLIN }, { .fd = ended, .events = POLLIN } };
  for (;;) {
    int64_t left = until - hm_clock_ms();
    int n = poll(at, HM_COUNT(at), left > 0 ? (int)left : 0);
    if (n > 0)
      return 0;
    if (n == 0)
      return ETIMEDOUT;
  }
}

/* It blocks all signals, so only SIGKILL ends it early. The program stays a zombie until its group
 * was killed, so that its number is not another's. */
void hm_process_be_leash(int argc, char **argv) {
  if (argc <= ARG_PROGRAM || strcmp(argv[ARG_VERB], verb) != 0)
    return;
  int status = 0;
  sigset_t all, child;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigaction(SIGCHLD, &(struct sigaction){ .sa_flags = SA_NOCLDSTOP }, NULL);
  close_range(LEASH + 1, ~0U, 0);
  fcntl(LEASH, F_SETFD, FD_CLOEXEC);
  int ended = signalfd(-1, &child, SFD_CLOEXEC);
  pid_t leash = getpid(), program = ended < 0 ? -1 : fork();
  if (program == 0)
    become_program(argv + ARG_PROGRAM, strcmp(argv[ARG_BOUNDED], bounded_word) == 0, leash);
  if (program < 0) {
    say_why(errno);
    _exit(EXIT_FAILURE);
  }
  int why = wait_for_end(ended, (int)strtol(argv[ARG_SECONDS], NULL, 10));
  kill(program, SIGKILL); /* it may have no group of its own yet */
  kill(-program, SIGKILL);
  waitpid(program, &status, 0);
  if (why)
    say_why(why);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* --- hmirror's side ----------------------------------------------------------------------- */

typedef struct {
  int theirs[LEASH + 1]; /* what the leash gets under these numbers; -1: nothing */
  int out, said, leash;  /* our ends */
} channels;

int hm_process_file(hm_str bytes) {
  int fd = memfd_create("hmirror-input", MFD_CLOEXEC);
  if (fd >= 0 && (hm_fs_write(fd, bytes) || lseek(fd, 0, SEEK_SET) != 0)) {
    close(fd);
    return -1;
  }
  return fd;
}

static void close_end(int *fd) {
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

static void close_theirs(channels *c) {
  for (int i = 0; i <= LEASH; i++)
    close_end(&c->theirs[i]);
}

/* A copy above the numbers that the leash gets, so that none takes another's place. */
static int copy_above(int fd) { return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, ABOVE); }

/* Takes over the two ends; ours does not wait for bytes. */
static int keep_ends(int ours, int theirs, int *our, int *their) {
  *our = ours;
  *their = copy_above(theirs);
  close(theirs);
  return *their < 0 || fcntl(ours, F_SETFL, O_NONBLOCK) ? -1 : 0;
}

static int open_pipe(int *our, int *their) {
  int ends[2];
  return pipe2(ends, O_CLOEXEC) ? -1 : keep_ends(ends[0], ends[1], our, their);
}

/* -1 and errno. What was opened is closed by close_channels. */
static int open_channels(const hm_process *p, channels *c) {
  int pair[2], in = hm_process_file(p->in);
  memset(c, -1, sizeof *c);
  c->theirs[0] = copy_above(in);
  close_end(&in);
  if (c->theirs[0] < 0 || open_pipe(&c->out, &c->theirs[1]) || open_pipe(&c->said, &c->theirs[2]) ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) ||
      keep_ends(pair[0], pair[1], &c->leash, &c->theirs[LEASH]))
    return -1;
  for (int i = 0; i < HM_PROCESS_FILES; i++) {
    c->theirs[3 + i] = copy_above(p->files[i]);
    if (p->files[i] >= 0 && c->theirs[3 + i] < 0)
      return -1;
  }
  return 0;
}

static void clean_environment(hm_arena *a, char **env) {
  size_t n = 0;
  for (size_t i = 0; i < HM_COUNT(kept); i++) {
    const char *v = getenv(kept[i]);
    if (v)
      env[n++] = hm_str_z(a, hm_str_fmt(a, "%s=%s", kept[i], v));
  }
  env[n++] = hm_str_z(a, HM_STR("LC_ALL=C"));
  env[n] = NULL;
}

/* The name leads nowhere once the file was replaced or removed; the link then still leads to the
 * program, but under valgrind to valgrind. */
static const char *own_program(hm_arena *a) {
  static const char link[] = "/proc/self/exe";
  char *name = hm_alloc(a, PATH_MAX);
  ssize_t n = readlink(link, name, PATH_MAX - 1);
  name[n > 0 ? n : 0] = 0;
  return access(name, X_OK) == 0 ? name : link;
}

/* Returns an errno. In a session of its own: Ctrl-C does not reach it. */
static int spawn_leash(const hm_process *p, const channels *c, hm_arena *a, pid_t *pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attr;
  sigset_t all;
  char *env[ENV_MAX];
  size_t n = 0;
  while (p->argv[n])
    n++;
  const char **argv = hm_alloc_array(a, ARG_PROGRAM + n + 1, sizeof *argv);
  argv[0] = "hmirror";
  argv[ARG_VERB] = verb;
  argv[ARG_SECONDS] = hm_str_fmt(a, "%d", p->seconds).p;
  argv[ARG_BOUNDED] = p->bounded ? bounded_word : "free";
  memcpy(argv + ARG_PROGRAM, p->argv, (n + 1) * sizeof *argv);
  clean_environment(a, env);
  sigfillset(&all);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attr);
  for (int i = 0; i <= LEASH; i++)
    if (c->theirs[i] >= 0)
      posix_spawn_file_actions_adddup2(&files, c->theirs[i], i);
  posix_spawnattr_setsigdefault(&attr, &all);
  posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
  int rc = posix_spawn(pid, own_program(a), &files, &attr, (char *const *)(uintptr_t)argv, env);
  posix_spawnattr_destroy(&attr);
  posix_spawn_file_actions_destroy(&files);
  return rc;
}

/* Reads what is there; false when it is more than a program may print. */
static bool read_printed(int *fd, char *text, size_t *n) {
  while (*fd >= 0 && *n <= HM_PROCESS_PRINTS) {
    ssize_t got = read(*fd, text + *n, HM_PROCESS_PRINTS + 1 - *n);
    if (got > 0)
      *n += (size_t)got;
    else if (got == 0)
      close_end(fd);
    else if (errno != EINTR)
      break;
  }
  return *n <= HM_PROCESS_PRINTS;
}

/* Reads both outputs until the leash ended. Returns 0, or an errno: what the leash said, EFBIG when
 * more was printed than may be. */
static int read_until_end(channels *c, pid_t leash, int seconds, hm_arena *a, hm_process_end *end) {
  char *out = hm_alloc(a, HM_PROCESS_PRINTS + 1), *said = hm_alloc(a, HM_PROCESS_PRINTS + 1);
  size_t n_out = 0, n_said = 0;
  int why = 0;
  int64_t until = hm_clock_ms() + (int64_t)seconds * 1000 + GRACE_MS;
  for (bool ended = false; !ended;) {
    struct pollfd at[] = { { .fd = c->out, .events = POLLIN },
                           { .fd = c->said, .events = POLLIN },
                           { .fd = c->leash, .events = POLLIN } };
    int64_t left = until - hm_clock_ms();
    if (poll(at, HM_COUNT(at), left > 0 ? (int)left : 0) == 0) {
      kill(leash, SIGKILL); /* it is stopped, perhaps */
      until += GRACE_MS;
    }
    ssize_t got = at[2].revents ? read(c->leash, &why, sizeof why) : -1;
    ended = got == 0;
    if (read_printed(&c->out, out, &n_out) && read_printed(&c->said, said, &n_said))
      continue;
    why = EFBIG;
    close_end(&c->out);
    close_end(&c->said);
    shutdown(c->leash, SHUT_WR);
    n_out = n_said = 0;
    until = hm_clock_ms() + GRACE_MS;
  }
  end->out = (hm_str){ out, n_out };
  end->said = hm_str_trim((hm_str){ said, n_said });
  return why;
}

static int fail_to_start(const hm_process *p, int why, hm_err *err) {
  return hm_failf(err, HM_E_OUTPUT, p->argv[0],
                  why == ENOENT ? p->absent_fix : hm_errno_suggest_fix(why),
                  "cannot be started: %s", strerror(why));
}

static int fail_ended(const hm_process *p, int why, hm_err *err) {
  if (why == ETIMEDOUT)
    return hm_failf(err, HM_E_OUTPUT, p->argv[0], "run it by hand to see what it waits for",
                    "did not end within %d s", p->seconds);
  if (why == EFBIG)
    return hm_failf(err, HM_E_OUTPUT, p->argv[0], "run it by hand to see what it prints",
                    "printed more than %d KiB, and was ended", HM_PROCESS_PRINTS >> 10);
  return fail_to_start(p, why, err);
}

int hm_process_run(const hm_process *p, hm_arena *a, hm_process_end *end, hm_err *err) {
  channels c;
  pid_t leash;
  int rc = -1, status = 0, why;
  signal(SIGCHLD, SIG_DFL); /* who started us may ignore it: then nobody could wait for a child */
  if (open_channels(p, &c)) {
    fail_to_start(p, errno, err);
    goto out;
  }
  why = spawn_leash(p, &c, a, &leash);
  if (why) {
    fail_to_start(p, why, err);
    goto out;
  }
  close_theirs(&c);
  why = read_until_end(&c, leash, p->seconds, a, end);
  while (waitpid(leash, &status, 0) < 0 && errno == EINTR) {
  }
  end->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  rc = why ? fail_ended(p, why, err) : 0;
out:
  close_theirs(&c);
  close_end(&c.out);
  close_end(&c.said);
  close_end(&c.leash);
  return rc;
}
