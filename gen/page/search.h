/* The search index: documents, their words, and the files of both. For gen/page only. */
#ifndef HM_SEARCH_H
#define HM_SEARCH_H
#include "model.h"

/* Classes of results, the best first; files write each as a letter. */
typedef enum {
  HM_FOUND_DISPUTE,  /* an open conflict */
  HM_FOUND_DISPUTED, /* an active row with a marker */
  HM_FOUND_STATE,
  HM_FOUND_PROJECT,
  HM_FOUND_ENTITY,
  HM_FOUND_RELATION,
  HM_FOUND_MEMORY,
  HM_FOUND_SOURCE,
  HM_FOUND_SETTLED, /* a conflict of the past */
  HM_FOUND_HISTORY, /* a row that is not active */
  HM_N_FOUND
} hm_found_class;

enum {
  HM_DOC_CODE = 5,           /* characters that name a document in posting lists */
  HM_POSTINGS = 2000,        /* documents of one word, at most: the best */
  HM_POSTINGS_PREFIX = 200,  /* documents of all words with one prefix, when their shard is cut */
  HM_SHARD_BYTES = 20 << 10, /* of words */
  HM_SHARD_DOCS = 48         /* 5 to 10 KB: a line has some 115 bytes, and seldom over 200 */
};

typedef enum { HM_DOC_CONFLICT, HM_DOC_ROW, HM_DOC_PROJECT, HM_DOC_SOURCE } hm_doc_of;

typedef struct {
  hm_doc_of of;
  hm_found_class is;
  uint32_t index;
  uint32_t code; /* unique; depends only on the document itself */
} hm_doc;

/* A word and its documents, the best first: 2 * document, + 1 when the word is not in its title. */
typedef struct {
  hm_str word;
  uint32_t *docs;
  uint32_t n, all; /* n of all */
} hm_posting;

/* A shard of words: [from, to) of the postings, all of which begin with prefix. is_cut: it has only
 * the word equal to the prefix, and the best documents of all; shards below have the longer words.
 * A shard of documents: [from, to) in the order of codes; prefix: the first bits of their codes, as
 * '0' and '1'. */
typedef struct {
  hm_str path, prefix;
  uint32_t from, to;
  bool is_cut;
} hm_shard;

typedef struct {
  const hm_view *v;
  const hm_source_list *sources;
  hm_doc *docs; /* by class, then by code */
  uint32_t n_docs;
  uint32_t *by_code;
  hm_posting *words; /* by word */
  uint32_t n_words;
  hm_shard *word_shards, *doc_shards;
  uint32_t n_word_shards, n_doc_shards;
  hm_str doc_tree; /* how documents are divided, by the bits of their codes */
} hm_search;

/* --- the index as files (search_shards.c) --- */
/* Cuts words and documents into shards. */
void hm_search_cut_shards(hm_search *s, hm_arena *a);
/* Adds the files of the index to out. */
void hm_search_list_files(const hm_search *s, hm_arena *a, hm_pages *out);

/* --- all of it (search.c) --- */
/* Makes the whole index, in a. Cost: reads all texts that pages show once. */
hm_search *hm_search_new(const hm_view *v, const hm_source_list *sources, hm_arena *a);
#endif
