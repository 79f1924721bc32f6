/* What several verbs do first: read the config, open the store, ask it for conflicts. */
#ifndef HM_WORK_H
#define HM_WORK_H
#include "core/review/conflict_query.h"
#include "gen/cli/cli.h"
#include "gen/mirror/make.h"
#include "gen/mirror/watch.h"

/* Fills cli->mirror: from the config of this run (--config, else mirror.yml), the options that
 * stand for its keys, and SOURCE_DATE_EPOCH. What the mirror says then goes to standard error. */
int hm_cli_read_config(hm_cli *cli);
/* Opens the run's store for writing; for a dry run one of this version only, since that would bring
 * it forward. */
int hm_cli_open_writer(hm_cli *cli, bool dry_run, hm_store **out);
/* Under -v: what a question read by the index of the claims, or that only a sweep can tell. */
void hm_note_indexed(hm_cli *cli, bool known);
/* A sweep in which the conflicts are whose id begins so: by the index, else of the whole store. */
int hm_cli_sweep_for_conflict(hm_cli *cli, const char *id, hm_sweep *out);
/* The recorded conflicts, by (slot_key, id): without those that a sweep would open, which an
 * unrecorded sweep has among its own. They live in cli->a. */
const hm_conflict_rec **hm_cli_recorded(hm_cli *cli, const hm_sweep *sweep, size_t *n);
/* The conflict with this id, or with the only id that begins so; one that a dry run shows will do.
 * NULL with cli->err filled. */
const hm_conflict_rec *hm_cli_conflict(hm_cli *cli, const hm_sweep *sweep, const char *id);
/* --markdown-only, --html-only: what the pages are made as, into the config. Both together are an
 * error. */
int hm_cli_page_forms(hm_cli *cli);
/* "pages", "files", "digest" and the counts of conflicts, for --format json. */
void hm_cli_made_json(hm_jw *w, const hm_made *made);

/* A new run: keeps options and working folder of the first one, and reads everything else again
 * into a, which the caller owns. Free with hm_rerun_free. Never NULL. */
hm_cli *hm_rerun_new(const hm_cli *first, hm_arena *a);
void hm_rerun_free(hm_cli *cli);
/* Reads the run's config, and watches it and the folders that it names, from before they are read.
 * -1: the config cannot be read, or names another store than the first run's (HM_E_USAGE). */
int hm_rerun_config(hm_cli *cli, const hm_cli *first, hm_watcher *in);
#endif
