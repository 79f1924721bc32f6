/* What a mirror's folder may do outside of itself.
 *
 * A folder may be a clone of somebody else's. It says what the mirror is; only its user says what
 * it may do outside: send, sign, read a variable of the environment, use a path that leads out. A
 * setting of mirror.yml that does (HM_KEY_SENDS, _SIGNS, _VARIABLE, and HM_KEY_PATH where the path,
 * its links resolved, leads out of the folder) is withheld until the user trusts the folder. The
 * folder is the one in which the config file lies.
 *
 * The list of a folder has a sentence for each such setting as it takes effect. To trust a folder
 * is to record its path and the digest of its list; another list is not trusted. What stands on the
 * command line is the user's own word, and not looked at here.
 *
 * Fails closed: a path that is withheld stands in the config as one that nothing can open, an
 * endpoint has a reason why nothing is sent. */
#ifndef HM_TRUST_H
#define HM_TRUST_H
#include "gen/mirror/config.h"

typedef struct {
  const char *key;      /* "publish.push" */
  const char *sentence; /* "pushes branch mirror to https://host/x", safe for a terminal */
  const char *link;     /* the path, where it is one in the folder that a link leads out of; or
                           NULL */
  const char *without;  /* what does without it: "--no-push"; or NULL */
  hm_str value;         /* what takes effect, as it is */
  const char **at;      /* the text of the config that changes while it does not hold, and */
  const char *withheld; /* what it is then: a path that cannot be opened, or why nothing is sent */
} hm_trust_item;

typedef enum {
  HM_TRUST_NOTHING, /* the list is empty */
  HM_TRUST_HELD,    /* the user trusts it */
  HM_TRUST_FIRST,   /* no folder was ever trusted here */
  HM_TRUST_NOT_YET, /* this one was not */
  HM_TRUST_CHANGED, /* another list of this folder is trusted */
  HM_TRUST_UNREAD   /* the list of trusted folders cannot be read, or believed: unread says why */
} hm_trust_state;

typedef struct {
  const char *file;   /* of the config, for messages */
  const char *folder; /* absolute, without links */
  hm_trust_item *items;
  size_t n;
  char digest[65]; /* of the list; empty: no list was made yet */
  hm_trust_state state;
  bool for_this_run; /* --trust */
  const char *unread;
  const char *push_address; /* that of publish.push, or behind the name that it is; or NULL */
} hm_trust;

/* Makes the list of the folder of c, in a. Its items point into c. HM_E_USAGE: the folder cannot be
 * found. */
int hm_trust_list(hm_config *c, hm_arena *a, hm_trust *out, hm_err *err);
/* Sets the state: by the list of trusted folders, or, for_this_run, as held. before: of an earlier
 * run of this process, for whose list --trust was given; or NULL. */
void hm_trust_look_up(hm_trust *t, bool for_this_run, const hm_trust *before, hm_arena *a);
/* True when what the list has does not hold. */
bool hm_trust_is_withheld(const hm_trust *t);
/* Takes what the list has out of its config, unless it holds. */
void hm_trust_withhold(const hm_trust *t);
/* Fails with HM_E_USAGE, which names `hmirror trust`, when value is one that hm_trust_withhold put
 * in the place of a setting. NULL is allowed. */
int hm_trust_check(const hm_trust *t, const char *value, hm_err *err);
/* Fails likewise for a repository in the folder, named on the command line, that leads out of it:
 * by a link, a .git file, alternates, an include. Only --trust, or trust of the config that names
 * it, lets it. One outside of the folder is the user's own. */
int hm_trust_check_repository(const hm_trust *t, const hm_config *c, const char *repo, hm_err *err);
/* Reads the config and the list of trusted folders again: is what t held still trusted? For
 * servers, before they send something. */
bool hm_trust_still_holds(const hm_trust *t);
/* "hmirror: what a model is asked" as one line: which endpoints are withheld, and what to do. In a;
 * NULL: none is. */
const char *hm_trust_endpoints_line(const hm_trust *t, hm_arena *a);

/* --- the list of trusted folders (trust_file.c) ------------------------------------------ */

/* $XDG_CONFIG_HOME/hmirror/trusted (else ~/.config): a folder a line, "DIGEST PATH". It is believed
 * only while it is a file of the user that nobody else may write to. Mode 600, replaced whole under
 * a lock. */

typedef struct {
  hm_str digest, folder;
} hm_trusted_folder;

/* Its path, in a; NULL when the environment names no place for it. */
const char *hm_trust_file(hm_arena *a);
/* *there: the file is there. HM_E_OUTPUT: it cannot be read, or believed. */
int hm_trust_file_read(hm_arena *a, hm_trusted_folder **v, size_t *n, bool *there, hm_err *err);
/* Records the digest of a folder instead of any that it had; NULL: takes the folder out. *had: it
 * was there. */
int hm_trust_file_change(hm_arena *a, const char *folder, const char *digest, bool *had,
                         hm_err *err);
#endif
