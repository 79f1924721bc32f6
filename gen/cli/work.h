/* What several verbs do first: open the store, sweep it, look at it as the pages do. */
#ifndef HM_WORK_H
#define HM_WORK_H
#include "core/detect/sweep.h"
#include "core/review/conflict_query.h"
#include "gen/cli/cli.h"

enum { HM_BUSY_MS = 5000 };   /* how long a store that another process writes is waited for */

/* Who (--by, else $USER) and when (the clock), for the journal. */
int hm_actor_of(hm_cli *cli, hm_actor *out);
/* The run's store: ours, or the foreign one that the config maps. Borrows from cli. */
hm_store_source hm_cli_source(const hm_cli *cli);
/* Opens the run's store, or the foreign store that the config maps. */
int hm_cli_store(hm_cli *cli, hm_store_mode mode, hm_store **out, hm_err *err);
/* Opens the run's store for writing; for a dry run one of this version only, since that would bring
 * it forward. */
int hm_cli_open_writer(hm_cli *cli, bool dry_run, hm_store **out);
/* Opens the run's store, sweeps it and closes it; a sweep that is recorded brings the index of the
 * claims up to date, but not one that watches. want: details, record, known, row_seed; the rest is
 * the run's. Free out with hm_sweep_free; what it refers to lives in cli->a. */
int hm_cli_sweep(hm_cli *cli, const hm_sweep_options *want, hm_sweep *out);
/* Asks the run's store by its index of the claims: 1 with *out as of hm_conflict_answer.sweep (free
 * with hm_sweep_free) and *project the id of the project asked for; 0 when only hm_cli_sweep can
 * tell; -1 with cli->err filled. What they refer to lives in cli->a. */
int hm_cli_query(hm_cli *cli, const hm_conflict_query *q, hm_sweep *out, hm_str *project);
/* A sweep in which the conflicts are whose id begins so: by the index, else of the whole store. */
int hm_cli_sweep_for_conflict(hm_cli *cli, const char *id, hm_sweep *out);
/* The recorded conflicts, by (slot_key, id): without those that a sweep would open, which an
 * unrecorded sweep has among its own. They live in cli->a. */
const hm_conflict_rec **hm_cli_recorded(hm_cli *cli, const hm_sweep *sweep, size_t *n);
/* How the config has pages look. */
hm_view_options hm_cli_view_options(const hm_cli *cli);
/* Warns of names in publish.exclude that leave nothing out; values: as in hm_exclude_unused_of. */
void hm_cli_note_excludes(hm_cli *cli, const hm_snapshot *snap, bool values);
/* The view that the config asks for, with these warnings. */
int hm_cli_view(hm_cli *cli, const hm_sweep *sweep, hm_view **out);
/* The conflict with this id, or with the only id that begins so; one that a dry run shows will do.
 * NULL with cli->err filled. */
const hm_conflict_rec *hm_cli_conflict(hm_cli *cli, const hm_sweep *sweep, const char *id);
#endif
