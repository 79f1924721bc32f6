/* A mirror.yml for a store of another program, guessed from the names of its tables and columns. */
#ifndef HM_MAP_GUESS_H
#define HM_MAP_GUESS_H
#include "core/store/store.h"

/* What is read of it: for each layer that was found the table, else an empty one. */
typedef struct { const char *layer; hm_str table; int64_t rows; } hm_guessed_layer;
enum { HM_GUESS_LAYERS = 5 };
typedef struct {
  hm_guessed_layer layers[HM_GUESS_LAYERS];
  bool facts;                  /* one of them may hold facts */
  hm_str config;               /* a whole mirror.yml; without facts its map is a comment */
} hm_map_guess;

/* s: open, a foreign store, perhaps as a survey; path: what the config calls it. In a. */
int hm_map_guess_of(hm_store *s, const char *path, hm_arena *a, hm_map_guess *out, hm_err *err);
#endif
