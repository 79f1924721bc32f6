/* What the walk of a tree leaves for who asks what a tree has. */
#ifndef HM_TREE_IMPL_H
#define HM_TREE_IMPL_H
#include "core/tree/tree.h"

/* A folder of which all files are known. */
struct hm_tree_files {
  hm_str top;             /* its real path */
  const hm_tree_git *git; /* it is a work tree; NULL: the walk has seen all of it */
  bool past;              /* paths are those of another commit, and not of what lies there now */
  hm_str *v;              /* paths below top of all but folders that were entered */
  size_t n, cap;
  bool ready;        /* v is filled and sorted, and so is by_name */
  bool sources;      /* programs are among them */
  hm_str *by_name;   /* v by last parts, then by paths */
  hm_map licensed;   /* folders that hold the text of a license */
  hm_map hosted;     /* folders that hold a configuration for a host */
  hm_map pages;      /* what mkdocs.yml names and is nowhere: a plugin writes it */
  hm_map submodules; /* their folders, by .gitmodules */
  bool writes_pages; /* such a plugin is there */
  hm_arena *a;
};

/* The same folder in another commit, of which these are paths: absolute, without links. In a. */
hm_tree_files hm_tree_files_past(const hm_tree_files *now, const hm_str *paths, size_t n,
                                 hm_arena *a);
#endif
