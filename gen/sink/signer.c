/* See signer.h. The program reads from and writes to files in memory, so that no pipe can block;
 * errors include its standard error.
 * Source: PROTOCOL.sshsig of OpenSSH, gpg's doc/DETAILS for its status lines. */
#include "gen/sink/signer.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "core/base/text.h"
#include "gen/sink/fs.h"

/* What a program needs to find keys and agents, and nothing that changes what it does. */
static const char *const kept[] = { "GNUPGHOME",     "HOME", "LOGNAME",        "PATH",
                                    "SSH_AUTH_SOCK", "USER", "XDG_RUNTIME_DIR" };
enum { ENV_MAX = HM_COUNT(kept) + 2, STEP_MS = 5 };

typedef struct {
  hm_str out, said;
  int code;
} program_end; /* code -1: ended by a signal */

/* --- files in memory ---------------------------------------------------------------------- */

static int open_memory(hm_str bytes) {
  int fd = memfd_create("hmirror-signer", MFD_CLOEXEC);
  if (fd >= 0 && (hm_fs_write(fd, bytes) || lseek(fd, 0, SEEK_SET) != 0)) {
    close(fd);
    return -1;
  }
  return fd;
}

static hm_str read_memory(int fd, hm_arena *a) {
  char *p = hm_alloc(a, HM_SIGNATURE_MAX);
  ssize_t n = pread(fd, p, HM_SIGNATURE_MAX, 0);
  return (hm_str){ p, n > 0 ? (size_t)n : 0 };
}

/* --- one program -------------------------------------------------------------------------- */

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

/* A session of its own: it has no terminal to ask at, and Ctrl-C does not reach it. */
static int spawn(const char *const *argv, const int fd[4], char *const *env, pid_t *pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attr;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attr);
  for (int i = 0; i < 4; i++)
    if (fd[i] >= 0)
      posix_spawn_file_actions_adddup2(&files, fd[i], i);
  posix_spawnattr_setsigmask(&attr, &none);
  posix_spawnattr_setsigdefault(&attr, &all);
  posix_spawnattr_setflags(&attr,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int rc = posix_spawnp(pid, argv[0], &files, &attr, (char *const *)(uintptr_t)argv, env);
  posix_spawnattr_destroy(&attr);
  posix_spawn_file_actions_destroy(&files);
  return rc;
}

/* -1: it took too long, and is no more, nor is what it started. */
static int wait_for(pid_t pid, int seconds, int *status) {
  for (int waited = 0; waited < seconds * 1000; waited += STEP_MS) {
    pid_t got = waitpid(pid, status, WNOHANG);
    if (got == pid)
      return 0;
    if (got < 0 && errno != EINTR)
      return -1;
    hm_sleep_ms(STEP_MS);
  }
  kill(-pid, SIGKILL);
  while (waitpid(pid, status, 0) < 0 && errno == EINTR) {
  }
  return -1;
}

static int not_started(const char *program, int code, hm_err *err) {
  return hm_failf(err, HM_E_OUTPUT, program,
                  code == ENOENT ? "install it (openssh-client, gnupg), or ask for no signatures"
                                 : hm_errno_suggest_fix(code),
                  "cannot be started: %s", strerror(code));
}

static int run_with(const char *const *argv, const int fd[4], int seconds, hm_arena *a,
                    program_end *end, hm_err *err) {
  char *env[ENV_MAX];
  pid_t pid;
  int status = 0;
  clean_environment(a, env);
  signal(SIGCHLD, SIG_DFL); /* who started us may ignore it: then nobody could wait for a child */
  int rc = spawn(argv, fd, env, &pid);
  if (rc)
    return not_started(argv[0], rc, err);
  if (wait_for(pid, seconds, &status))
    return hm_failf(err, HM_E_OUTPUT, argv[0], "run it by hand to see what it waits for",
                    "did not end within %d s", seconds);
  end->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  /* So a program that is not there ends where the child does not share memory (valgrind). */
  if (end->code == 127)
    return not_started(argv[0], ENOENT, err);
  end->out = read_memory(fd[1], a);
  end->said = hm_str_trim(read_memory(fd[2], a));
  return 0;
}

/* Runs argv with `in` on standard input and, unless it is empty, `beside` as file 3. */
static int run_program(const char *const *argv, hm_str in, hm_str beside, int seconds, hm_arena *a,
                       program_end *end, hm_err *err) {
  int low[4] = { open_memory(in), open_memory(HM_EMPTY), open_memory(HM_EMPTY),
                 beside.n ? open_memory(beside) : -1 };
  int fd[4] = { -1, -1, -1, -1 }, rc = 0;
  /* Above those that the program gets, so that one does not take another's place. */
  for (int i = 0; i < 4; i++) {
    if (low[i] < 0)
      continue;
    fd[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 10);
    close(low[i]);
  }
  if (fd[0] < 0 || fd[1] < 0 || fd[2] < 0 || (beside.n && fd[3] < 0))
    rc = hm_fail(err, HM_E_OUTPUT, argv[0], strerror(errno), hm_errno_suggest_fix(errno));
  if (!rc)
    rc = run_with(argv, fd, seconds ? seconds : HM_SIGNER_SECONDS, a, end, err);
  for (int i = 0; i < 4; i++)
    if (fd[i] >= 0)
      close(fd[i]);
  return rc;
}

/* --- signing ------------------------------------------------------------------------------ */

bool hm_sign_kind_parse(const char *word, hm_sign_kind *out) {
  static const char *const words[] = { "off", "ssh", "openpgp" };
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (strcmp(word, words[i]) == 0) {
      *out = (hm_sign_kind)i;
      return true;
    }
  return false;
}

static hm_str last_line(hm_str s) {
  const char *nl = s.n ? memrchr(s.p, '\n', s.n) : NULL;
  return nl ? hm_str_sub(s, (size_t)(nl - s.p) + 1, s.n) : s;
}

int hm_sign(const hm_signer *s, hm_str bytes, hm_arena *a, hm_str *out, hm_err *err) {
  const char *const ssh[] = { "ssh-keygen", "-Y", "sign", "-n", "git", "-f", s->key, NULL };
  const char *const gpg[] = { "gpg",           "--batch",      "--no-tty", "--armor",
                              "--detach-sign", "--local-user", s->key,     NULL };
  bool of_ssh = s->kind == HM_SIGN_SSH;
  const char *const *argv = of_ssh ? ssh : gpg;
  program_end end;
  if (run_program(argv, bytes, HM_EMPTY, s->seconds, a, &end, err))
    return -1;
  *out = hm_str_trim(end.out);
  bool whole =
      hm_str_starts(*out,
                    of_ssh ? "-----BEGIN SSH SIGNATURE-----" : "-----BEGIN PGP SIGNATURE-----") &&
      hm_str_ends(*out, of_ssh ? "-----END SSH SIGNATURE-----" : "-----END PGP SIGNATURE-----");
  if (end.code == 0 && whole)
    return 0;
  return hm_failf(err, HM_E_OUTPUT, argv[0],
                  "check publish.sign_key; a key with a passphrase must be held by an agent",
                  "it did not sign with %.200s: %.200s", s->key,
                  hm_str_z(a, hm_text_repair(a, last_line(end.said))));
}

/* --- checking ----------------------------------------------------------------------------- */

static bool next_line(hm_str *text, hm_str *line) {
  if (!text->n)
    return false;
  const char *nl = memchr(text->p, '\n', text->n);
  *line = hm_str_sub(*text, 0, nl ? (size_t)(nl - text->p) : text->n);
  *text = hm_str_sub(*text, line->n + 1, text->n);
  return true;
}

/* Whose key it is by the list, then whether it signed these bytes. */
static int check_ssh(hm_str signature, hm_str bytes, const char *allowed, hm_arena *a,
                     hm_signature *out, hm_err *err) {
  static const char file[] = "/proc/self/fd/3";
  const char *const find[] = { "ssh-keygen", "-Y", "find-principals", "-f", allowed, "-s",
                               file,         NULL };
  program_end end;
  hm_str who;
  out->state = HM_SIGNATURE_UNKNOWN;
  if (!allowed)
    return 0;
  if (run_program(find, HM_EMPTY, signature, 0, a, &end, err))
    return -1;
  for (hm_str rest = end.code ? HM_EMPTY : end.out; next_line(&rest, &who);) {
    const char *const verify[] = { "ssh-keygen", "-Y", "verify",         "-n", "git", "-f",
                                   allowed,      "-I", hm_str_z(a, who), "-s", file,  NULL };
    out->state = HM_SIGNATURE_BAD;
    if (run_program(verify, bytes, signature, 0, a, &end, err))
      return -1;
    if (end.code)
      continue;
    *out = (hm_signature){ HM_SIGNATURE_GOOD, hm_str_dup(a, who) };
    return 0;
  }
  return 0;
}

/* The fields of a line between spaces: that with this number, from 0; empty: there are fewer. */
static hm_str field(hm_str line, int i) {
  for (; line.n; i--) {
    const char *space = memchr(line.p, ' ', line.n);
    size_t n = space ? (size_t)(space - line.p) : line.n;
    if (i == 0)
      return hm_str_sub(line, 0, n);
    line = hm_str_sub(line, n + 1, line.n);
  }
  return HM_EMPTY;
}

/* Fields of VALIDSIG: the key that signed, and its primary key. */
enum { SIGNING_KEY, PRIMARY_KEY = 9 };

static bool is_listed(const hm_allowed *allowed, hm_str validsig) {
  hm_str key = field(validsig, SIGNING_KEY), primary = field(validsig, PRIMARY_KEY);
  for (size_t i = 0; i < allowed->n_openpgp; i++)
    if (hm_str_eq(allowed->openpgp[i], key) || hm_str_eq(allowed->openpgp[i], primary))
      return true;
  return false;
}

/* After the last line of gpg's: who, if the list has it. */
static void look_up_key(const hm_allowed *allowed, hm_str validsig, hm_arena *a,
                        hm_signature *out) {
  if (out->state != HM_SIGNATURE_GOOD || !allowed->n_openpgp || is_listed(allowed, validsig))
    return;
  hm_str primary = field(validsig, PRIMARY_KEY),
         key = primary.n ? primary : field(validsig, SIGNING_KEY);
  out->state = HM_SIGNATURE_UNLISTED;
  out->who = hm_str_fmt(a, "%.*s (%.*s)", HM_FMT(out->who), HM_FMT(key));
}

static int check_gpg(hm_str signature, hm_str bytes, const hm_allowed *allowed, hm_arena *a,
                     hm_signature *out, hm_err *err) {
  static const char valid[] = "[GNUPG:] VALIDSIG ";
  static const struct {
    const char *word;
    hm_signature_state state;
  } words[] = {
    { "[GNUPG:] BADSIG ", HM_SIGNATURE_BAD },
    { "[GNUPG:] GOODSIG ", HM_SIGNATURE_GOOD },
  };
  const char *const argv[] = { "gpg",      "--batch",         "--no-tty", "--status-fd", "1",
                               "--verify", "/proc/self/fd/3", "-",        NULL };
  program_end end;
  hm_str line, validsig = HM_EMPTY;
  out->state = HM_SIGNATURE_UNKNOWN;
  if (run_program(argv, bytes, signature, 0, a, &end, err))
    return -1;
  for (hm_str rest = end.out; next_line(&rest, &line);) {
    if (hm_str_starts(line, valid))
      validsig = hm_str_sub(line, sizeof valid - 1, line.n);
    for (size_t i = 0; i < HM_COUNT(words); i++) {
      if (!hm_str_starts(line, words[i].word))
        continue;
      hm_str id = hm_str_sub(line, strlen(words[i].word), line.n);
      const char *space = memchr(id.p, ' ', id.n);
      out->state = words[i].state;
      out->who = space ? hm_str_sub(id, (size_t)(space - id.p) + 1, id.n) : id;
    }
  }
  if (out->state == HM_SIGNATURE_GOOD && end.code)
    out->state = HM_SIGNATURE_UNKNOWN;
  look_up_key(allowed, validsig, a, out);
  return 0;
}

int hm_signature_check(hm_str signature, hm_str bytes, const hm_allowed *allowed, hm_arena *a,
                       hm_signature *out, hm_err *err) {
  *out = (hm_signature){ .state = HM_SIGNATURE_NONE, .who = HM_EMPTY };
  if (!hm_str_trim(signature).n)
    return 0;
  return hm_str_find(signature, "BEGIN SSH SIGNATURE") >= 0
      ? check_ssh(signature, bytes, allowed->ssh, a, out, err)
      : check_gpg(signature, bytes, allowed, a, out, err);
}
