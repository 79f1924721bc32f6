/* What a tree can be asked to run by name: the scripts of its package.json files, the targets of
 * its makefiles, the recipes of its justfiles. */
#ifndef HM_TREE_SCRIPTS_H
#define HM_TREE_SCRIPTS_H
#include "core/tree/tree.h"

typedef enum { HM_SCRIPT_PACKAGE, HM_SCRIPT_MAKE, HM_SCRIPT_JUST, HM_SCRIPT_NONE } hm_script_kind;

/* A file of scripts. */
typedef struct {
  hm_script_kind kind;
  hm_str source; /* as the tree names it */
  hm_str folder; /* the real path of its folder */
  size_t line;   /* where its scripts begin; 1: it has none */
  hm_str name;   /* of the package, or empty */
  hm_str *names; /* sorted: scripts, targets, recipes */
  size_t n;
  hm_str *needs; /* sorted: packages on which it depends, which may bring programs */
  size_t n_needs;
  hm_str text;
  bool whole; /* nothing else gives it more scripts: it includes no file, has no pattern */
} hm_script_file;

typedef struct {
  const hm_tree *tree;
  const hm_script_file *v; /* in the order of the tree */
  size_t n;
  hm_str project; /* its name, with small letters: the title of the README at the top; or empty */
} hm_scripts;

/* The kind of a file by its name; HM_SCRIPT_NONE: it holds no scripts. */
hm_script_kind hm_scripts_kind_of(hm_str path);
/* Reads a file of scripts. Pure. False: it is not understood. */
bool hm_scripts_read(hm_script_kind kind, hm_str bytes, hm_arena *a, hm_script_file *out);
/* The script of a package whose name is most like this one, which it lacks: "format" of
 * "lint:format", "test:unit" of "unit"; *line: where it stands. Empty: none is, or the file is so
 * large that nobody looks. */
hm_str hm_scripts_like(const hm_script_file *f, hm_str name, size_t *line, hm_arena *work);
/* Reads all of a tree; in a. A file that is not understood is there, and not whole. HM_E_INPUT: a
 * file cannot be read. */
int hm_scripts_list(const hm_tree *t, hm_arena *a, hm_scripts *out, hm_err *err);

/* The real path of the folder in which a file of the tree lies; empty: the source is none. In a. */
hm_str hm_scripts_folder(const hm_scripts *s, hm_str source, hm_arena *a);
/* The file that should have the script, where it surely has not; NULL: it may be there. folder: in
 * which it is run; exact: it is run in there, else perhaps in another folder of the tree: then no
 * file of the tree may have it. */
const hm_script_file *hm_scripts_lacks(const hm_scripts *s, hm_script_kind kind, hm_str folder,
                                       bool exact, hm_str name, hm_arena *work);
#endif
