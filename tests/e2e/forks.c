/* hmirror for the end-to-end tests, which run it some ten thousand times: it is loaded once, and so are
 * its units, and each command is a fork of it. Loading took half of their processor time.
 *
 * forks SOCKET: prints a line when it listens, and ends with its standard input. A client connects,
 * and sends a byte with three descriptors, the command's standard ones, then how many words and how
 * many variables there are and how many bytes follow, and these bytes: folder, words, variables,
 * each ended by NUL. Its answer is the status of wait() and the processor time in microseconds. A
 * client that hangs up has its command killed. harness.py is the client.
 *
 * The words of any other command line are those of hmirror: so it starts itself as a leash. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/value/unit.h"

int hmirror_main(int argc, char **argv);
#define main hmirror_main
#include "gen/verbs/main.c"
#undef main

extern char **environ;

enum { MOST = 256, FDS = 3 };

typedef struct {
  pid_t pid;
  int client;
} command;

static command commands[MOST];
static size_t n_commands;
static int ended[2]; /* a pipe: a byte for each child that ended */

static void on_end(int signal) {
  (void)signal;
  int was = errno;
  if (write(ended[1], "", 1) < 0)
    errno = 0;
  errno = was;
}

static bool read_all(int fd, void *to, size_t n) {
  for (size_t got = 0; got < n;) {
    ssize_t k = read(fd, (char *)to + got, n - got);
    if (k <= 0 && !(k < 0 && errno == EINTR))
      return false;
    got += k > 0 ? (size_t)k : 0;
  }
  return true;
}

static bool receive(int client, int fds[FDS]) {
  char byte, room[CMSG_SPACE(FDS * sizeof(int))];
  struct iovec v = { &byte, 1 };
  struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room };
  ssize_t n;
  while ((n = recvmsg(client, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  const struct cmsghdr *c = n == 1 ? CMSG_FIRSTHDR(&m) : NULL;
  if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(FDS * sizeof(int)))
    return false;
  memcpy(fds, CMSG_DATA(c), FDS * sizeof(int));
  return true;
}

/* A list of n texts, each ended by NUL, and behind them NULL. */
static char **list(char **text, uint32_t n) {
  char **v = calloc(n + 1, sizeof *v);
  for (uint32_t i = 0; i < n; i++, *text += strlen(*text) + 1)
    v[i] = *text;
  return v;
}

static void be_command(int fds[FDS], char *text, uint32_t n_words, uint32_t n_variables) {
  const char *folder = text;
  text += strlen(text) + 1;
  char **words = list(&text, n_words);
  environ = list(&text, n_variables);
  sigset_t none;
  sigemptyset(&none);
  signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  prctl(PR_SET_NAME, "hmirror");
  program_invocation_name = program_invocation_short_name = words[0];
  for (int i = 0; i < FDS; i++)
    dup2(fds[i], i);
  close_range(FDS, ~0u, 0);
  if (chdir(folder)) {
    perror(folder);
    _exit(127);
  }
  exit(hmirror_main((int)n_words, words));
}

static void take(int listener) {
  int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC), fds[FDS];
  uint32_t n[3];
  if (client < 0)
    return;
  if (n_commands == MOST || !receive(client, fds)) {
    close(client);
    return;
  }
  char *text = read_all(client, n, sizeof n) ? calloc(n[2] + 1, 1) : NULL;
  pid_t pid = text && read_all(client, text, n[2]) ? fork() : -1;
  if (pid == 0)
    be_command(fds, text, n[0], n[1]);
  for (int i = 0; i < FDS; i++)
    close(fds[i]);
  free(text);
  if (pid < 0)
    close(client);
  else
    commands[n_commands++] = (command){ pid, client };
}

static void answer(void) {
  char bytes[64];
  int status;
  struct rusage used;
  if (read(ended[0], bytes, sizeof bytes) <= 0)
    return;
  for (pid_t pid; (pid = wait4(-1, &status, WNOHANG, &used)) > 0;)
    for (size_t i = 0; i < n_commands; i++) {
      if (commands[i].pid != pid)
        continue;
      int64_t took = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * INT64_C(1000000) +
          used.ru_utime.tv_usec + used.ru_stime.tv_usec;
      int64_t say[] = { status, took };
      send(commands[i].client, say, sizeof say, MSG_NOSIGNAL);
      close(commands[i].client);
      commands[i] = commands[--n_commands];
      break;
    }
}

static int serve(const char *path) {
  struct sockaddr_un at = { .sun_family = AF_UNIX };
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  strncpy(at.sun_path, path, sizeof at.sun_path - 1);
  if (pipe2(ended, O_CLOEXEC | O_NONBLOCK) || listener < 0 || bind(listener, (void *)&at, sizeof at) || listen(listener, MOST)) {
    perror(path);
    return 1;
  }
  struct sigaction end = { .sa_handler = on_end, .sa_flags = SA_RESTART | SA_NOCLDSTOP };
  sigaction(SIGCHLD, &end, NULL);
  hm_units *units = hm_units_new();
  hm_units_get(units, HM_STR("kg"));
  hm_units_free(units);
  puts("listening");
  fflush(stdout);
  for (;;) {
    struct pollfd p[3 + MOST] = { { 0, POLLIN, 0 }, { listener, POLLIN, 0 }, { ended[0], POLLIN, 0 } };
    for (size_t i = 0; i < n_commands; i++)
      p[3 + i] = (struct pollfd){ commands[i].client, POLLIN, 0 };
    if (poll(p, 3 + n_commands, -1) < 0)
      continue;
    for (size_t i = 0; i < n_commands; i++)
      if (p[3 + i].revents || p[0].revents)
        kill(commands[i].pid, SIGKILL);
    if (p[0].revents)
      return 0;
    if (p[2].revents)
      answer();
    if (p[1].revents)
      take(listener);
  }
}

int main(int argc, char **argv) {
  return argc == 2 && argv[1][0] == '/' ? serve(argv[1]) : hmirror_main(argc, argv);
}
