/* Signatures by ssh-keygen: made, checked, refused; a program that is not there. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gen/sink/process.h"
#include "gen/sink/signer.h"

typedef struct { hm_arena *a; char dir[64]; const char *key, *allowed; } fixture;

static const char *in(fixture *f, const char *name) {
  return hm_str_fmt(f->a, "%s/%s", f->dir, name).p;
}

/* Runs ssh-keygen with nothing to read and nothing to show: true if it ended well. */
static bool make_key(const char *path) {
  char *argv[] = { (char *)"ssh-keygen", (char *)"-q", (char *)"-t", (char *)"ed25519",
                   (char *)"-N", (char *)"", (char *)"-C", (char *)"", (char *)"-f",
                   strdup(path), NULL };
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  pid_t pid;
  int status = -1;
  bool ran = posix_spawnp(&pid, argv[0], &files, NULL, argv, environ) == 0 &&
             waitpid(pid, &status, 0) == pid;
  posix_spawn_file_actions_destroy(&files);
  free(argv[9]);
  return ran && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int setup(void **state) {
  static fixture f;
  char text[256] = "";
  f = (fixture){ .a = hm_arena_new(), .dir = "/tmp/hm-signer-XXXXXX" };
  if (!mkdtemp(f.dir)) return -1;
  f.key = in(&f, "key");
  f.allowed = in(&f, "allowed");
  if (make_key(f.key)) {
    FILE *from = fopen(in(&f, "key.pub"), "r"), *to = fopen(f.allowed, "w");
    if (!from || !to || !fgets(text, sizeof text, from)) return -1;
    fprintf(to, "a@b %s", text);
    if (fclose(from) || fclose(to)) return -1;
  } else {
    f.key = NULL;   /* no openssh-client */
  }
  *state = &f;
  return 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at) {
  (void)st, (void)type, (void)at;
  return remove(path);
}

static int teardown(void **state) {
  fixture *f = *state;
  int rc = nftw(f->dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  hm_arena_free(f->a);
  return rc;
}

static hm_signature checked(fixture *f, hm_str signature, const char *bytes, const char *allowed) {
  hm_signature s;
  hm_err err;
  const hm_allowed list = { .ssh = allowed };
  if (hm_signature_check(signature, hm_str_c(bytes), &list, f->a, &s, &err))
    fail_msg("%s: %s", err.what, err.why);
  return s;
}

static void made_and_checked(void **state) {
  fixture *f = *state;
  if (!f->key) skip();
  const hm_signer by = { .kind = HM_SIGN_SSH, .key = f->key };
  hm_str signature;
  hm_err err;
  if (hm_sign(&by, HM_STR("bytes\n"), f->a, &signature, &err)) fail_msg("%s", err.why);
  hm_signature good = checked(f, signature, "bytes\n", f->allowed);
  assert_int_equal(good.state, HM_SIGNATURE_GOOD);
  assert_true(hm_str_is(good.who, "a@b"));
  assert_int_equal(checked(f, signature, "bytes", f->allowed).state, HM_SIGNATURE_BAD);
  assert_int_equal(checked(f, signature, "bytes\n", NULL).state, HM_SIGNATURE_UNKNOWN);
  fclose(fopen(in(f, "nobody"), "w"));
  assert_int_equal(checked(f, signature, "bytes\n", in(f, "nobody")).state, HM_SIGNATURE_UNKNOWN);
  assert_int_equal(checked(f, HM_EMPTY, "bytes\n", f->allowed).state, HM_SIGNATURE_NONE);
  hm_str again;
  assert_int_equal(hm_sign(&by, HM_STR("bytes\n"), f->a, &again, &err), 0);
  assert_true(hm_str_eq(signature, again));   /* ed25519: the same bytes, the same signature */
}

/* The descriptors that the program gets are low: they must not take each other's place. */
static void with_few_descriptors_open(void **state) {
  fixture *f = *state;
  if (!f->key) skip();
  const hm_signer by = { .kind = HM_SIGN_SSH, .key = f->key };
  hm_str signature;
  hm_err err;
  int in_was = fcntl(0, F_DUPFD_CLOEXEC, 50);
  close(0);
  int rc = hm_sign(&by, HM_STR("x"), f->a, &signature, &err);
  hm_signature s = { 0 };
  const hm_allowed list = { .ssh = f->allowed };
  if (!rc) rc = hm_signature_check(signature, HM_STR("x"), &list, f->a, &s, &err);
  dup2(in_was, 0);
  close(in_was);
  if (rc) fail_msg("%s: %s", err.what, err.why);
  assert_int_equal(s.state, HM_SIGNATURE_GOOD);
}

static void refusals(void **state) {
  fixture *f = *state;
  hm_str signature;
  hm_err err;
  const char *path = strdup(getenv("PATH"));
  const hm_signer by = { .kind = HM_SIGN_SSH, .key = in(f, "gone") };
  if (f->key) {
    assert_int_equal(hm_sign(&by, HM_STR("x"), f->a, &signature, &err), -1);
    assert_int_equal(err.code, HM_E_OUTPUT);
    assert_string_equal(err.what, "ssh-keygen");
    assert_non_null(strstr(err.why, "it did not sign with"));
  }
  setenv("PATH", f->dir, 1);
  assert_int_equal(hm_sign(&by, HM_STR("x"), f->a, &signature, &err), -1);
  setenv("PATH", path, 1);
  assert_string_equal(err.why, "cannot be started: No such file or directory");
  free((char *)(uintptr_t)path);
}

/* A key, what stands beside it, and a list of signers; each as a device, a pipe, a long file. */
static void files_that_hold_no_key(void **state) {
  fixture *f = *state;
  static const struct { const char *key, *file; } places[] = {
    { "k", "k" }, { "k", "k.pub" }, { "k.pub", "k" }, { "k-cert.pub", "k" }, { NULL, "list" },
  };
  static const char *const kinds[] = { "device", "pipe", "long" };
  static const char signature[] = "-----BEGIN SSH SIGNATURE-----";
  for (size_t i = 0; i < HM_COUNT(places) * HM_COUNT(kinds); i++) {
    const char *kind = kinds[i % HM_COUNT(kinds)], *file = in(f, places[i / HM_COUNT(kinds)].file);
    const char *key = places[i / HM_COUNT(kinds)].key;
    bool is_long = strcmp(kind, "long") == 0;
    FILE *to = is_long ? fopen(file, "w") : NULL;
    int made = is_long                        ? ftruncate(fileno(to), HM_KEY_FILE_MAX + 1)
               : strcmp(kind, "device") == 0 ? symlink("/dev/zero", file)
                                             : mkfifo(file, 0600);
    assert_int_equal(made, 0);
    if (to) fclose(to);
    hm_str out;
    hm_err err;
    hm_signature s;
    const hm_signer by = { .kind = HM_SIGN_SSH, .key = key ? in(f, key) : NULL };
    const hm_allowed list = { .ssh = file };
    int rc = key ? hm_sign(&by, HM_STR("x"), f->a, &out, &err)
                 : hm_signature_check(hm_str_c(signature), HM_STR("x"), &list, f->a, &s, &err);
    assert_int_equal(rc, -1);
    assert_string_equal(err.what, file);
    assert_string_equal(err.why, is_long ? "longer than 64 KiB" : "not a regular file");
    remove(file);
  }
}

/* A supervisor may hand down that ends of children are not told. */
static void where_children_are_ignored(void **state) {
  fixture *f = *state;
  const hm_signer by = { .kind = HM_SIGN_SSH, .key = in(f, "gone") };
  hm_str signature;
  hm_err err;
  if (!f->key) skip();
  signal(SIGCHLD, SIG_IGN);
  int rc = hm_sign(&by, HM_STR("x"), f->a, &signature, &err);
  signal(SIGCHLD, SIG_DFL);
  assert_int_equal(rc, -1);
  assert_non_null(strstr(err.why, "it did not sign with"));
}

static bool lives(int pid) {
  char path[64], line[256], kind = 'Z';
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f) && sscanf(line, "State: %c", &kind) != 1) { }
  if (f) fclose(f);
  return kind != 'Z';
}

/* Neither it nor what it started is left. */
static void one_that_hangs_is_ended(void **state) {
  fixture *f = *state;
  const hm_signer by = { .kind = HM_SIGN_SSH, .key = "k", .seconds = 1 };
  const char *program = in(f, "ssh-keygen"), *pid = in(f, "pid");
  char *path = strdup(getenv("PATH"));
  FILE *file = fopen(program, "w");
  fprintf(file, "#!/bin/sh\nsleep 300 & echo $! >%s\nwait\n", pid);
  fclose(file);
  assert_int_equal(chmod(program, 0700), 0);
  setenv("PATH", hm_str_fmt(f->a, "%s:%s", f->dir, path).p, 1);
  hm_str signature;
  hm_err err;
  int rc = hm_sign(&by, HM_STR("x"), f->a, &signature, &err);
  setenv("PATH", path, 1);
  free(path);
  assert_int_equal(rc, -1);
  assert_string_equal(err.why, "did not end within 1 s");
  int sleeper = 0;
  file = fopen(pid, "r");
  assert_true(file && fscanf(file, "%d", &sleeper) == 1);
  fclose(file);
  int tries = 0;   /* whoever adopts it may leave it a zombie for a moment */
  while (lives(sleeper) && tries++ < 100) usleep(10000);
  assert_in_range(tries, 0, 99);
}

static void kinds(void **state) {
  hm_sign_kind kind;
  (void)state;
  assert_true(hm_sign_kind_parse("off", &kind) && kind == HM_SIGN_OFF);
  assert_true(hm_sign_kind_parse("ssh", &kind) && kind == HM_SIGN_SSH);
  assert_true(hm_sign_kind_parse("openpgp", &kind) && kind == HM_SIGN_OPENPGP);
  assert_false(hm_sign_kind_parse("gpg", &kind) || hm_sign_kind_parse("", &kind));
}

int main(int argc, char **argv) {
  hm_process_be_leash(argc, argv);
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(made_and_checked, setup, teardown),
    cmocka_unit_test_setup_teardown(with_few_descriptors_open, setup, teardown),
    cmocka_unit_test_setup_teardown(refusals, setup, teardown),
    cmocka_unit_test_setup_teardown(files_that_hold_no_key, setup, teardown),
    cmocka_unit_test_setup_teardown(where_children_are_ignored, setup, teardown),
    cmocka_unit_test_setup_teardown(one_that_hangs_is_ended, setup, teardown),
    cmocka_unit_test(kinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
