/* One mirror as a run sees it: its config, its store, and its reporter. Commands, the server and
 * the watcher make it from their options; everything in this folder starts from it. */
#ifndef HM_MIRROR_H
#define HM_MIRROR_H
#include "core/sweep/sweep.h"
#include "core/review/verdict.h"
#include "core/record/record_edit.h"
#include "gen/mirror/config.h"
#include "gen/mirror/trust.h"

#define HM_TOOL "hmirror " HM_VERSION

enum { HM_BUSY_MS = 5000 }; /* how long to wait for a store that another process writes */

/* Receives messages and progress. Each function may be NULL. */
typedef struct {
  void *ctx;
  void (*warn)(void *ctx, const char *line);         /* something to mend or to know; no prefix */
  void (*note)(void *ctx, const char *line);         /* a hint; nothing is lost without it */
  void (*detail)(void *ctx, const char *line);       /* what was done */
  void (*phase)(void *ctx, const char *text);        /* the current phase; text is static */
  void (*count)(void *ctx, size_t done, size_t all); /* of the phase; from any thread */
} hm_reporter;

/* What a run did: times vary, counts do not. */
typedef struct {
  size_t rows_read, claims_made, slots_judged, pages_rendered, files_written;
} hm_work_counts;

typedef struct {
  hm_arena *a; /* results live in it */
  hm_config config;
  hm_trust trust;    /* of config: what it may do outside of its folder */
  const char *store; /* path */
  const char *by;    /* the actor for the journal; NULL: $USER */
  int64_t epoch;     /* SOURCE_DATE_EPOCH, seconds since 1970; -1: not set */
  int threads;
  bool same_store;        /* a foreign store was moved: its review file still belongs to it */
  bool watches;           /* this run repeats after every change: leave an unchanged store alone */
  bool checks_values;     /* compare publish.exclude with every property of every row, too */
  bool lock_noted;        /* the note that there can be no lock file was given */
  bool review_warned;     /* the warning about a review file of another store was given */
  size_t secrets_warned;  /* live secrets that the last publication of this run warned of */
  uint64_t unused_warned; /* hash of the templates that the last build warned of; 0: none yet */
  hm_reporter say;
  hm_work_counts work; /* so far: each stage adds to it */
} hm_mirror;

/* A copy for work in the background of a server: it reports nothing, and leaves an unchanged store
 * alone. Its arena is still that of m. */
hm_mirror hm_mirror_copy_for_background(const hm_mirror *m);
/* Returns NULL when the model is configured and its key is set, else the reason why not; in m->a.
 * name: of its section in the config. */
const char *hm_endpoint_why_off(const hm_mirror *m, const hm_endpoint *e, const char *name);
/* --- files of other programs: foreign_file.c ---------------------------------------------- */

/* CSV, JSON Lines, JSON (core/sqlite/file.h: hm_store_from_rows), YAML or SQLite, and how it is
 * read. */
typedef struct {
  const char *path;
  FILE *in; /* standard input; NULL: the file at path, which else only names it */
  hm_encoding encoding;
  const hm_store_map *map;
  size_t n_map; /* 0: a survey, which lists tables and has no facts */
} hm_foreign_file;
/* Opens it as a foreign store that records nothing. */
int hm_foreign_file_open(const hm_foreign_file *f, hm_store **out, hm_err *err);
/* Its records by the map, as JSON Lines in a temporary file, for the caller to close. NULL: err is
 * set. */
FILE *hm_foreign_file_records(const hm_foreign_file *f, hm_err *err);
/* yaml_rows.c: the documents of YAML as lines of JSON in a temporary file, for the caller to close.
 * NULL: err is set. */
FILE *hm_yaml_as_json(FILE *in, const char *name, hm_err *err);

/* The URL of a request, in a. Adds `call` to a URL that ends in "/v1", which other programs use as
 * the base of the API; returns any other URL unchanged. */
const char *hm_endpoint_url(const hm_endpoint *e, const char *call, hm_arena *a);
/* Who (by, else $USER) and when (the clock), for the journal. HM_E_USAGE: `by` is no name. */
int hm_mirror_actor(const hm_mirror *m, hm_actor *out, hm_err *err);
/* The store: ours, or the foreign one that the config maps. Borrows from m. */
hm_store_source hm_mirror_source(const hm_mirror *m);
/* Opens the store. Warns once of a review file that was made for another store. */
int hm_mirror_open(hm_mirror *m, hm_store_mode mode, hm_store **out, hm_err *err);
/* Opens the store, sweeps it and closes it. Uses record, details and known of want; the rest
 * comes from the mirror. Free out with hm_sweep_free; what it refers to lives in m->a. */
int hm_mirror_sweep(hm_mirror *m, const hm_sweep_options *want, hm_sweep *out, hm_err *err);
/* The same on an open store, which stays open; for want->record it must be open for writing. */
int hm_mirror_sweep_store(hm_mirror *m, hm_store *store, const hm_sweep_options *want,
                          hm_sweep *out, hm_err *err);
/* Reports m->work as a detail of one line; how: a text to add, or "". */
void hm_mirror_say_work(const hm_mirror *m, const char *how);
/* Warns about imported verdicts: how many were applied or wait; each that does not fit, and each
 * two that differ. news: only what is new since the last time. */
void hm_warn_imported_verdicts(const hm_mirror *m, const hm_settled *s, bool news);
/* Files of the folders `static` and `theme` become part of the site, whatever they are. So it is an
 * error (HM_E_USAGE) when one of them holds the store, the site or the repository, which would be
 * published with them. what: "the store", for the message; path need not exist yet. */
int hm_check_path_overlap(const hm_mirror *m, const char *what, const char *path, hm_err *err);
/* The options of pages, from the config. */
hm_view_options hm_mirror_view_options(const hm_mirror *m);
/* Warns of entries of publish.exclude that match nothing. values: compare properties, too. */
void hm_warn_unused_excludes(const hm_mirror *m, const hm_snapshot *snap, bool values);
/* Builds the view with these options, and warns of unused excludes. */
int hm_mirror_build_view(const hm_mirror *m, const hm_sweep *sweep, hm_view **out, hm_err *err);

/* --- lines for people ------------------------------------------------------------------- */
/* Every fact in a line goes through hm_terminal_line: a fact may hold control characters, which a
 * terminal obeys. */

/* Warns of a file of secrets that others than its owner can read. */
void hm_warn_of_readers(const hm_reporter *r, const char *path);
void hm_warn(const hm_reporter *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hm_say_note(const hm_reporter *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hm_say_detail(const hm_reporter *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void hm_say_phase(const hm_reporter *r, const char *text);

/* A fact made safe for a terminal: one line, nothing hidden, at most max bytes (0: all). */
const char *hm_terminal_line(hm_arena *a, hm_str fact, size_t max);
/* "1,234". */
const char *hm_format_thousands(hm_arena *a, uint64_t n);
/* "1 page", "1,234 pages". */
const char *hm_format_count(hm_arena *a, uint64_t n, const char *one);
/* The same with a plural of its own: "1 file differs", "2 files differ". */
const char *hm_format_count_plural(hm_arena *a, uint64_t n, const char *one, const char *many);
#endif
