#include <errno.h>
#include <signal.h>
#include <unistd.h>
#include "gen/serve/server_impl.h"

enum { AGAIN = 130 };

static void ending_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
}

void hm_server_hold_signals(void) {
  sigset_t set;
  ending_signals(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void *stop_at_once(void *ctx) {
  sigset_t set;
  int signal;
  (void)ctx;
  ending_signals(&set);
  while (sigwait(&set, &signal)) {}
  _exit(AGAIN);
}

void hm_server_run(hm_server *s) {
  sigset_t set;
  int signal;
  pthread_t second;
  ending_signals(&set);
  while (sigwait(&set, &signal)) {}
  if (pthread_create(&second, NULL, stop_at_once, NULL) == 0) pthread_detach(second);
  hm_server_stop(s);
}
