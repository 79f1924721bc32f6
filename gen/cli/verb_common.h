/* Shared by several verbs: reading the config, opening the store, finding a conflict, reading the
 * branch, exporting and importing world.yml. */
#ifndef HM_VERB_COMMON_H
#define HM_VERB_COMMON_H
#include "core/sweep/answer.h"
#include "gen/cli/cli.h"
#include "gen/mirror/make.h"
#include "gen/mirror/watch.h"
#include "gen/sink/git_read.h"

/* Fills cli->mirror: from the config of this run (--config, else mirror.yml), the options that
 * replace its keys, and SOURCE_DATE_EPOCH. From then on the mirror reports to standard error. */
int hm_cli_read_config(hm_cli *cli);
/* The same from this file; NULL: mirror.yml, if it is there. */
int hm_cli_read_config_file(hm_cli *cli, const char *path);
/* Its step that takes out of the config what the user did not trust. cli->mirror.trust: of an
 * earlier run of this process, or zeroes. */
int hm_cli_apply_trust(hm_cli *cli);
/* Warns, once, that there is no judge and are no vectors of a model because the folder is not
 * trusted. */
void hm_cli_tell_trust(hm_cli *cli);
/* The index of the option's value in `allowed` (NULL ends it), or def without the option. Returns
 * -1 when the value is not allowed. */
int hm_cli_read_choice(hm_cli *cli, const char *option, const char *const *allowed, int def);
/* The index in a table of the action that the user's word names: of n entries of `size` bytes, each
 * of which begins with its name. Returns -1 for another word; the message has the nearest name, or
 * all of them. */
int hm_cli_find_action(hm_cli *cli, const char *word, const void *actions, size_t n, size_t size);
/* Fails when an option of the verb was given that its word ("list" of "conflicts list") does not
 * take; takes: the names of those that it takes, a space before and after each. */
int hm_cli_check_word_options(hm_cli *cli, const char *verb, const char *word, const char *takes);
/* Reads an option's whole number from 0 to most; without it *out is unchanged, and *given false. */
int hm_cli_read_number(hm_cli *cli, const char *name, uint64_t most, uint64_t *out, bool *given);
/* Reads an option's whole number from 1 to most; without it *out is unchanged. */
int hm_cli_read_count(hm_cli *cli, const char *name, long most, long *out);
/* Reads --project (an id, alias or name); without it *out is HM_MAP_NONE. */
int hm_cli_read_project(hm_cli *cli, const hm_snapshot *snap, uint32_t *out);
/* Opens the run's store for writing. A dry run refuses a store of an older version: opening it
 * would migrate it. */
int hm_cli_open_writer(hm_cli *cli, bool dry_run, hm_store **out);
/* Opens the store for a write of the run's user: fills rules, who and dry_run (of --dry-run) of r.
 * why: the option whose text the journal has as the reason, or NULL. */
int hm_cli_begin_review(hm_cli *cli, const char *why, hm_review *r, hm_store **out);
/* Prints the warnings of a write; the first n_secrets also where the run is quiet. */
void hm_cli_tell_warnings(hm_cli *cli, const hm_str *warnings, size_t n, size_t n_secrets);
/* Answers about conflicts: what is recorded, while that holds, else a sweep. */
typedef struct {
  hm_answer_source from;
  hm_store *store; /* open for reading, in a transaction */
  hm_sweep sweep;  /* snap NULL: what is recorded holds */
} hm_cli_answers;
/* Opens the store, and sweeps it if it must. Close it. */
int hm_cli_open_answers(hm_cli *cli, hm_cli_answers *out);
/* The same by a sweep at any rate, for who needs claims. */
int hm_cli_open_sweep(hm_cli *cli, hm_cli_answers *out);
void hm_cli_close_answers(hm_cli_answers *x);
/* The rows of its sweep, or with what is recorded those of the store, in cli->a; with details. */
int hm_cli_read_snapshot(hm_cli *cli, const hm_cli_answers *x, hm_snapshot **out);
/* The answer about the conflict with this id, or with a unique id that begins so; -1 with cli->err
 * filled. In cli->a. */
int hm_cli_find_answer(hm_cli *cli, const hm_answer_source *from, const char *id,
                       hm_conflict_answer *out);
/* The conflict with this id, or with a unique id that begins so, also one that a sweep would open.
 * Returns NULL with cli->err filled. */
const hm_conflict_rec *hm_cli_find_conflict(hm_cli *cli, const hm_sweep *sweep, const char *id);
/* Sets the forms of pages in the config from --markdown-only, --html-only. Both together are an
 * error. */
int hm_cli_read_page_forms(hm_cli *cli);
/* "pages", "files", "digest" and the counts of conflicts, for --format json. */
void hm_cli_site_json(hm_jw *w, const hm_made *made);

/* A new run with the options and the working folder of the first one. It reads everything else
 * again, into a. The caller owns a. Free with hm_rerun_free. Never NULL. */
hm_cli *hm_rerun_new(const hm_cli *first, hm_arena *a);
void hm_rerun_free(hm_cli *cli);
/* Reads the run's config, after it starts watching it and the folders that it names. Returns -1
 * when the config cannot be read, or names another store than the first run's (HM_E_USAGE). */
int hm_rerun_read_config(hm_cli *cli, const hm_cli *first, hm_watcher *in);

/* --- the branch ------------------------------------------------------------------------------- */

/* The branch of the mirror that a verb reads, and its commits as text and JSON. */

/* --repo and --branch, for tables of options. */
#define HM_BRANCH_OPTIONS                                                                          \
  { "repo", 0, "P", "the repository (config: publish.repo)" }, {                                   \
    "branch", 0, "B", "the branch (config: publish.branch)"                                        \
  }

typedef struct {
  const char *repo, *branch; /* from the options, else from the config */
  hm_git_reader *git;
  char commit[41];
} hm_branch;

/* May the folder's config lead to its repository, or the one that --repo names (NULL: none) lead
 * where it does? Errors as hm_trust_check. */
int hm_cli_check_repository(hm_cli *cli, const char *named);
/* Opens the repository and finds rev (NULL: the tip of the branch). Errors: those of the reader;
 * for a missing branch the message says how to make it. Close it also after an error. */
int hm_branch_open(hm_cli *cli, const char *rev, hm_branch *out);
void hm_branch_close(hm_branch *b);
/* The day of a commit: "2026-04-02"; of a publication without any "undated". */
const char *hm_commit_day(hm_cli *cli, const hm_git_commit *c);
/* Writes "commit", "date" (and, for a foreign commit, "author") into the open object. */
void hm_commit_json(hm_cli *cli, hm_jw *w, const hm_git_commit *c);

/* --- world.yml -------------------------------------------------------------------------------- */

/* world.yml in an export and an import: one record {"kind":"world","text":"..."} with the whole
 * file, before the facts that name its eras. */

/* Writes the record's line; nothing when the mirror has no world.yml. */
int hm_world_record_write(hm_cli *cli, FILE *out);

/* A world.yml that an import brought and the mirror did not have; empty: none. */
typedef struct {
  hm_cli *cli;
  hm_str text;
} hm_world_record;
/* hm_import_world; ctx: an hm_world_record. Makes its eras known to the store and the config. A
 * mirror with another world.yml keeps its own, with a warning. */
int hm_world_record_import(void *ctx, hm_store *s, hm_str text, bool *is_new, hm_err *err);
/* Writes the file, if one was brought. */
int hm_world_record_save(const hm_world_record *w, hm_err *err);
#endif
