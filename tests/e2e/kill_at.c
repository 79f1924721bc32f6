/* Runs a program and kills it at one system call: kill_at CALL NTH PROGRAM [ARGUMENT...]
 *
 * CALL is a number of <sys/syscall.h>. The thread that comes to its NTH call of that number is
 * killed, with its process, before the call happens; a child process counts for itself. Only these
 * calls stop (a seccomp filter), so a run costs what it costs alone: `strace --inject` of a signal
 * works only with a stop at every call, and that took as long as the run. Ends with the program's
 * code, with 137 where it was killed, with 2 where nothing could be traced. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 256, KILLED = 128 + SIGKILL, NOT_TRACED = 2 };

typedef struct thread {
  pid_t id;
  long calls;
} thread;

static int stop_at_calls(unsigned nr) {
  struct sock_filter code[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = { sizeof code / sizeof *code, code };
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void become(unsigned nr, char **argv) {
  if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0 || raise(SIGSTOP) != 0) _exit(NOT_TRACED);
  if (!stop_at_calls(nr)) _exit(NOT_TRACED);
  execvp(argv[0], argv);
  _exit(127);
}

/* The thread's entry; a new one for a thread that was not seen before. */
static thread *find(thread *all, size_t *n, pid_t id) {
  for (size_t i = 0; i < *n; i++)
    if (all[i].id == id) return &all[i];
  if (*n == THREADS) exit(NOT_TRACED);
  all[*n] = (thread){ id, -1 };
  return &all[(*n)++];
}

/* A number that comes back is of a new thread. */
static void forget(thread *all, size_t *n, pid_t id) {
  for (size_t i = 0; i < *n; i++)
    if (all[i].id == id) all[i--] = all[--*n];
}

/* Lets a stopped thread go on, or kills its process at the call that is asked for. The first stop
 * of a thread is of the tracing, as all events are; any other signal is the program's own. */
static void go_on(thread *t, int status, long nth) {
  int event = status >> 16, sig = WSTOPSIG(status);
  int first = t->calls < 0;
  if (first) t->calls = 0;
  if (event == PTRACE_EVENT_SECCOMP && ++t->calls == nth)
    kill(t->id, SIGKILL);
  else
    ptrace(PTRACE_CONT, t->id, NULL, (void *)(long)(event || first ? 0 : sig));
}

int main(int argc, char **argv) {
  if (argc < 4) return NOT_TRACED;
  long nth = atol(argv[2]);
  pid_t child = fork();
  if (child < 0) return NOT_TRACED;
  if (child == 0) become((unsigned)atol(argv[1]), argv + 3);
  int status, code = NOT_TRACED;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return NOT_TRACED;
  long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXEC |
                 PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
  if (ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)options) != 0) return NOT_TRACED;
  static thread all[THREADS];
  size_t n = 1;
  all[0] = (thread){ child, 0 };
  ptrace(PTRACE_CONT, child, NULL, NULL);
  for (pid_t id; (id = waitpid(-1, &status, __WALL)) > 0;) {
    if (WIFSTOPPED(status)) {
      go_on(find(all, &n, id), status, nth);
      continue;
    }
    forget(all, &n, id);
    if (id == child) code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  return code;
}
