/* Live secrets in texts: keys and tokens by their known shapes, private keys, and passwords by the
 * name of their field. Pure.
 *
 * A false alarm costs more trust than a miss. So these are not secrets: a text that only looks
 * random, bare hex (a digest, a commit id), a placeholder (<token>, ${TOKEN}, changeme, ***), a
 * word (JWT, bcrypt), a path, the name of a variable. */
#ifndef HM_CREDENTIAL_H
#define HM_CREDENTIAL_H
#include "str.h"

typedef struct {
  const char *what; /* "a GitHub token" */
  hm_str text;      /* the secret, a slice of the text: never show it */
} hm_credential;

/* Has a text words for what a reader is to put there, in any case: "changeme", "<your key>"? Where
 * it stands: of a secret's shape, as the value of a field or a setting, anywhere in a text. */
typedef enum {
  HM_OF_SHAPE = 1,
  HM_OF_FIELD = 2,
  HM_OF_VALUE = 4,
  HM_OF_TEXT = 8
} hm_placeholder_of;
bool hm_has_placeholder(hm_str s, hm_placeholder_of where);

/* Finds the first live secret in a text, which may be JSON. name: the field that holds the text, or
 * empty. Names inside the text count too: "password: x", "DB_TOKEN=x", "\"api_key\":\"x\"". */
bool hm_credential_find(hm_str name, hm_str text, hm_credential *out);

/* A description that is safe to show: "a GitHub token, ghp_… of 40 characters". Shows at most the
 * first 4 characters and at most a quarter of the secret. In a. */
hm_str hm_credential_mask(const hm_credential *c, hm_arena *a);
/* The text for messages: every secret in it, and what a cut left of one, becomes its first
 * characters, "token ghp_…", and addresses have no users and passwords. In a, or the text
 * itself. */
hm_str hm_credential_hide(hm_str text, hm_arena *a);
/* The length of "USER:PASSWORD@" at the beginning of what follows "://" in an address, or 0. '/',
 * '?' and '#' end a host; when that leaves no host, they are part of a password. */
size_t hm_address_user_length(hm_str rest);
/* A URL for messages: without user and query, and without the parts of its path that may be a key.
 * In a. */
hm_str hm_address_shown(hm_str url, hm_arena *a);
/* The text without the users and passwords of addresses in it, and without the values of names such
 * as password in their queries and in "host=... password=..."; in a, or the text itself. */
hm_str hm_address_hide_password(hm_str text, hm_arena *a);
/* The command that removes it from the row: "hmirror redact entity:e1 --field api_key --reason
 * TEXT"; field may be empty. In a. */
hm_str hm_credential_redact_command(hm_str ref, hm_str field, hm_arena *a);
#endif
