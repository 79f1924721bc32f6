/* One run of `import`: the files it takes, what it does to the store, and how that is told. */
#ifndef HM_IMPORT_REPORT_H
#define HM_IMPORT_REPORT_H
#include "core/notes/notes.h"
#include "core/review/new_names.h"
#include "core/store/import.h"
#include "gen/cli/tree_words.h"
#include "gen/cli/verb_common.h"

enum { HM_IMPORT_TOLD_MAX = 1000 };

typedef struct {
  const char *name;
  hm_str source;
  const hm_tree_file *file; /* of documents, folders and globs; else NULL */
  hm_str lines;             /* records that were made of the tree; else empty */
  bool went;                /* it is not in its folder any more */
  bool copy;                /* it is a copy of a file beside it now */
  hm_notes_told told;       /* of a document */
  hm_import_counts counts;
} hm_imported_file;

/* A row that a dry run would change. */
typedef struct {
  hm_str ref;
  bool added;
  hm_str *keys;
  size_t n_keys;
} hm_import_row_change;

/* One run of the verb, and what is reported at its end. told, changes: the first
 * HM_IMPORT_TOLD_MAX. */
typedef struct {
  hm_cli *cli;
  bool dry;
  hm_imported_file *files;
  size_t n;
  hm_cli_tree tree;      /* of the words that name documents, folders and globs */
  hm_decisions *records; /* of the tree */
  hm_notes_manifests *manifests;
  hm_scripts scripts;          /* of the tree */
  const hm_families *families; /* by which documents are read */
  hm_config map;               /* of --map; n_map 0: there is none */
  hm_import_row_change *changes;
  size_t n_changes;
  hm_str *secrets; /* messages about them, which do not hold them */
  size_t n_secrets;
  hm_str *odd; /* messages about records that other doors refuse */
  size_t n_odd;
  hm_import_counts sum;
  hm_new_name *names;
  size_t n_names;
  hm_import_kept_field *told;
  size_t n_told;
  hm_settled settled;   /* verdicts that waited */
  size_t settled_lines; /* conflicts that comments in documents dismissed */
  hm_str apart;         /* the first source in a folder that is not in ".", */
  size_t n_apart;       /* of so many, which stay as they are */
  hm_world_record world;
} hm_import_report;

/* The command line's word for standard input. */
bool hm_import_is_stdin(const char *name);
/* Adds the counts of one file. */
void hm_import_add_counts(hm_import_counts *sum, const hm_import_counts *n);
/* Prints the report of the run. Returns the exit code, or -1 with cli->err filled. */
int hm_import_print_report(hm_cli *cli, const hm_import_report *r);
#endif
