/* Signs commits and checks their signatures with the user's ssh-keygen or gpg, the only programs
 * that hmirror starts (gen/sink/process.h). They have no terminal and cannot ask for a passphrase:
 * a key with one needs the agent. */
#ifndef HM_SIGNER_H
#define HM_SIGNER_H
#include "core/base/err.h"
#include "core/base/str.h"

enum { HM_SIGNER_SECONDS = 60, HM_KEY_FILE_MAX = 64 << 10 };

typedef enum { HM_SIGN_OFF, HM_SIGN_SSH, HM_SIGN_OPENPGP } hm_sign_kind;

typedef struct {
  hm_sign_kind kind;
  const char *key; /* ssh: path of a key file (a public one, if the agent has the private
                      one); openpgp: what gpg takes as a user id */
  int seconds;     /* after which the program is ended; 0: HM_SIGNER_SECONDS */
} hm_signer;

/* Opens the file of a key or of a list of signers: a regular one of at most HM_KEY_FILE_MAX bytes.
 * HM_E_OUTPUT. */
int hm_key_file_open(const char *path, int *fd, hm_err *err);
/* Parses "ssh", "openpgp" or "off"; returns false for any other word. */
bool hm_sign_kind_parse(const char *word, hm_sign_kind *out);
/* Signs bytes: the signature as git puts it into a commit, in a, without a line end. HM_E_OUTPUT
 * with the program's own words: it is not installed, it refused, it took too long. */
int hm_sign(const hm_signer *s, hm_str bytes, hm_arena *a, hm_str *out, hm_err *err);

typedef enum {
  HM_SIGNATURE_GOOD,
  HM_SIGNATURE_NONE,
  HM_SIGNATURE_BAD,     /* over other bytes */
  HM_SIGNATURE_UNKNOWN, /* by a key that is not known here */
  HM_SIGNATURE_UNLISTED /* good, by an OpenPGP key that is not on the list */
} hm_signature_state;

typedef struct {
  hm_signature_state state;
  hm_str who;
} hm_signature; /* who: as the list or
                  gpg names the signer; of
                  an unlisted one with its
                  fingerprint */
/* The keys whose signatures are accepted. ssh: an ALLOWED SIGNERS file of ssh-keygen(1); NULL: no
 * key. openpgp: fingerprints in capitals, of keys or of their primary keys; none: every key of the
 * user's keyring. Borrowed. */
typedef struct {
  const char *ssh;
  const hm_str *openpgp;
  size_t n_openpgp;
} hm_allowed;
/* Checks a signature of either kind over bytes. An OpenPGP key is known if the user's keyring has
 * it. HM_E_OUTPUT: the program cannot be run. */
int hm_signature_check(hm_str signature, hm_str bytes, const hm_allowed *allowed, hm_arena *a,
                       hm_signature *out, hm_err *err);
#endif
