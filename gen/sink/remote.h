/* The other repository that a branch is pushed to. Design section 9.
 *
 * Where it may be: a path or file://, ssh://HOST/PATH or USER@HOST:PATH, https://,
 * http:// and git:// (both without a secret), or the name of a remote in the
 * repository's own config.
 *
 * A repository on this machine must be bare and have no hooks for what comes in: nothing would run
 * them.
 *
 * Who we are: over ssh the agent, then `ssh_key`, then ~/.ssh/id_ed25519,
 * id_ecdsa, id_rsa, each tried once, keys without a passphrase (the agent is for
 * those that have one); hosts must be in ~/.ssh/known_hosts. Over https the token,
 * then the line for that host in `credentials`. A secret is given only to the host
 * that the user named, over https or to this machine itself. */
#ifndef HM_REMOTE_H
#define HM_REMOTE_H
#include "core/base/err.h"
#include "core/base/str.h"

typedef struct {
  const char *url;
  const char *ssh_key;         /* path of a private key, or NULL */
  const char *token;           /* or NULL */
  const char *credentials;     /* file of lines "https://USER:PASSWORD@HOST", as git's store helper
                                  writes; NULL: none */
  int timeout_ms;              /* longest silence of the other side */
  void (*says)(void *ctx, hm_str line); void *ctx;   /* each line that the server says; NULL */
} hm_remote_options;

/* An address, or a text with addresses in it, without their user names and passwords, for messages;
 * in a. */
hm_str hm_remote_shown(hm_arena *a, const char *text);
#endif
