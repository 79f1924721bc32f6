/* What can be done with each layer, and by which door: the command line, HTTP, and MCP. */
#ifndef HM_DOORS_H
#define HM_DOORS_H
#include "core/base/arena.h"
#include "core/base/str.h"

typedef enum { HM_DOOR_COMMAND, HM_DOOR_HTTP, HM_DOOR_MCP, HM_N_DOORS } hm_door;

typedef struct {
  const char *layer, *verb;
  /* A command and its first words, the name of an operation, a tool; "-" and a reason: there is
   * none, and why. */
  const char *door[HM_N_DOORS];
} hm_door_row;

/* By layer, then verb: eight verbs of each of eight layers. */
const hm_door_row *hm_door_rows(size_t *n);
/* Commands, operations and tools that are about no layer alone, in one list, space between. */
extern const char hm_door_others[];
/* The table for people: three columns, and below each layer why something is missing. In a. */
hm_str hm_doors_text(hm_arena *a);
#endif
