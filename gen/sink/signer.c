/* See signer.h. Errors include the program's standard error.
 * Source: PROTOCOL.sshsig of OpenSSH, gpg's doc/DETAILS for its status lines. */
#include "gen/sink/signer.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/base/text.h"
#include "gen/sink/fs.h"
#include "gen/sink/process.h"

/* What the program reads as its files of hm_process. */
static const char file_3[] = "/proc/self/fd/3", file_4[] = "/proc/self/fd/4";

/* Runs argv with `in` on standard input, `beside` as file 3 unless it is empty, and the descriptor
 * list as file 4 unless it is -1. */
static int run_program(const char *const *argv, hm_str in, hm_str beside, int list, int seconds,
                       hm_arena *a, hm_process_end *end, hm_err *err) {
  bool of_ssh = strcmp(argv[0], "ssh-keygen") == 0; /* gpg may start an agent, which lives on */
  hm_process p = { .argv = argv,
                   .absent_fix = "install it (openssh-client, gnupg), or ask for no signatures",
                   .in = in,
                   .files = { beside.n ? hm_process_file(beside) : -1, list },
                   .seconds = seconds ? seconds : HM_SIGNER_SECONDS,
                   .bounded = of_ssh };
  if (beside.n && p.files[0] < 0)
    return hm_fail(err, HM_E_OUTPUT, argv[0], strerror(errno), hm_errno_suggest_fix(errno));
  int rc = hm_process_run(&p, a, end, err);
  if (p.files[0] >= 0)
    close(p.files[0]);
  return rc;
}

int hm_key_file_open(const char *path, int *fd, hm_err *err) {
  size_t n;
  *fd = hm_fs_open_regular(AT_FDCWD, path, 0, HM_KEY_FILE_MAX, &n);
  if (*fd >= 0)
    return 0;
  if (errno != EINVAL && errno != EFBIG)
    return hm_fs_fail(err, path, "open");
  return hm_fail(err, HM_E_OUTPUT, path,
                 errno == EINVAL ? "not a regular file" : "longer than 64 KiB",
                 "name a file of keys, as ssh-keygen writes it");
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

/* ssh-keygen reads also the public key beside a private one, and the private one beside a public
 * one, by their names. */
static const struct {
  const char *less, *more;
} key_names[] = { { "", "" }, { "", ".pub" }, { ".pub", "" }, { "-cert.pub", "" } };

/* Refuses what is not a file of a key in any of their places; an absent one is ssh-keygen's to tell
 * of. *fd: the key, where ssh-keygen takes one without its name: a private one that holds its
 * public one; else -1. */
static int open_keys(const char *key, hm_arena *a, int *fd, hm_err *err) {
  static const char whole[] = "-----BEGIN OPENSSH PRIVATE KEY-----";
  char begin[sizeof whole - 1];
  *fd = -1;
  for (size_t i = 0; i < HM_COUNT(key_names); i++) {
    hm_str name = hm_str_c(key);
    int file;
    if (!hm_str_ends(name, key_names[i].less))
      continue;
    name.n -= strlen(key_names[i].less);
    const char *path = hm_str_fmt(a, "%.*s%s", HM_FMT(name), key_names[i].more).p;
    if (access(path, F_OK) != 0)
      continue;
    if (hm_key_file_open(path, &file, err)) {
      if (*fd >= 0)
        close(*fd);
      return -1;
    }
    if (i == 0 && pread(file, begin, sizeof begin, 0) == sizeof begin &&
        memcmp(begin, whole, sizeof begin) == 0)
      *fd = file;
    else
      close(file);
  }
  return 0;
}

int hm_sign(const hm_signer *s, hm_str bytes, hm_arena *a, hm_str *out, hm_err *err) {
  bool of_ssh = s->kind == HM_SIGN_SSH;
  int key = -1;
  if (of_ssh && open_keys(s->key, a, &key, err))
    return -1;
  const char *const ssh[] = {
    "ssh-keygen", "-Y", "sign", "-n", "git", "-f", key < 0 ? s->key : file_4, NULL
  };
  const char *const gpg[] = { "gpg",           "--batch",      "--no-tty", "--armor",
                              "--detach-sign", "--local-user", s->key,     NULL };
  const char *const *argv = of_ssh ? ssh : gpg;
  hm_process_end end;
  int rc = run_program(argv, bytes, HM_EMPTY, key, s->seconds, a, &end, err);
  if (key >= 0)
    close(key);
  if (rc)
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
static int check_ssh_by(hm_str signature, hm_str bytes, int list, hm_arena *a, hm_signature *out,
                        hm_err *err) {
  const char *const find[] = { "ssh-keygen", "-Y", "find-principals", "-f", file_4, "-s",
                               file_3,       NULL };
  hm_process_end end;
  hm_str who;
  if (run_program(find, HM_EMPTY, signature, list, 0, a, &end, err))
    return -1;
  for (hm_str rest = end.code ? HM_EMPTY : end.out; next_line(&rest, &who);) {
    const char *const verify[] = { "ssh-keygen", "-Y", "verify",         "-n", "git",  "-f",
                                   file_4,       "-I", hm_str_z(a, who), "-s", file_3, NULL };
    out->state = HM_SIGNATURE_BAD;
    if (run_program(verify, bytes, signature, list, 0, a, &end, err))
      return -1;
    if (end.code)
      continue;
    *out = (hm_signature){ HM_SIGNATURE_GOOD, hm_str_dup(a, who) };
    return 0;
  }
  return 0;
}

static int check_ssh(hm_str signature, hm_str bytes, const char *allowed, hm_arena *a,
                     hm_signature *out, hm_err *err) {
  int list;
  out->state = HM_SIGNATURE_UNKNOWN;
  if (!allowed)
    return 0;
  if (hm_key_file_open(allowed, &list, err))
    return -1;
  int rc = check_ssh_by(signature, bytes, list, a, out, err);
  close(list);
  return rc;
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
  const char *const argv[] = { "gpg",      "--batch", "--no-tty", "--status-fd", "1",
                               "--verify", file_3,    "-",        NULL };
  hm_process_end end;
  hm_str line, validsig = HM_EMPTY;
  out->state = HM_SIGNATURE_UNKNOWN;
  if (run_program(argv, bytes, signature, -1, 0, a, &end, err))
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
