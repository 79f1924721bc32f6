/* Families of values: what is a database, a linter, a region. */
#ifndef HM_PROSE_FAMILIES_H
#define HM_PROSE_FAMILIES_H
#include "core/base/str.h"

/* A family of values: "database" with PostgreSQL, MySQL, ... */
typedef struct {
  const char *name;   /* folded: "api_style" */
  const char *values; /* folded, each with its spellings: "postgres|postgresql mysql" */
  const char *nouns;  /* that name it: "message broker|broker"; NULL: only its own name does */
  const char *topics; /* what one does with it: "linting"; NULL: none */
} hm_family;

/* The families that a mirror sets; a NULL pointer to it means the shipped ones. index: their values
 * by first word, from hm_families_prepare; NULL: each text builds it, which is slow. */
typedef struct hm_family_index hm_family_index;
typedef struct hm_families {
  const hm_family *families;
  size_t n;
  const hm_family_index *index;
} hm_families;
const hm_families *hm_families_shipped(void);
/* The same families (NULL: the shipped ones) with their index, in a. Borrows families. Call it once
 * before many texts; the result can be used in many threads. */
const hm_families *hm_families_prepare(const hm_families *families, hm_arena *a);
/* The first spelling of the value that the whole text spells, in any case, with blanks, dots,
 * dashes or nothing between words: "postgres" for "PostgreSQL", "kubernetes" for "k8s". Empty if
 * the text is not another spelling of a value. families must be prepared; borrows from them. */
hm_str hm_families_usual_spelling(const hm_families *families, hm_str text);
/* The families of which a value is spelled so by the whole text, at most `most` of their names;
 * *usual: the value's first spelling. Returns their number. Borrows from families, prepared. */
size_t hm_families_of(const hm_families *families, hm_str text, const char **names, size_t most,
                      hm_str *usual);
#endif
