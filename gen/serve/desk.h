/* The store's connections, for the threads of a server: one for writing, which writes take in
 * turns, one for what takes long to read, so that it is read once for all who ask, and some for
 * everything else, made when first needed and kept. */
#ifndef HM_DESK_H
#define HM_DESK_H
#include "core/store/foreign.h"

typedef struct hm_desk hm_desk;

/* A connection for reading, and what it answered last. One thread has it at a time. */
typedef struct hm_seat {
  hm_store *store;
  struct hm_seat *next;
  size_t room;                 /* bytes of answers that it may keep, about */
  /* Answers that hold while the store is of this version (lookup.h). */
  uint64_t version;
  hm_arena *a;
  hm_map answers;              /* request -> index into bodies */
  hm_str *bodies; size_t n;
} hm_seat;

enum { HM_SEATS = 16, HM_SEAT_ANSWERS = 256 };   /* how many, and answers that each keeps at most */

/* Opens src, which must outlive the desk, for writing, which migrates it; busy_ms: how long other
 * programs, and other writes of ours, are waited for. */
int hm_desk_open(const hm_store_source *src, int busy_ms, hm_desk **out, hm_err *err);
/* When nobody reads or writes any more. */
void hm_desk_close(hm_desk *d);

/* The connection for writing, to be given back; HM_E_BUSY when others have it for too long. */
int hm_desk_take_writer(hm_desk *d, hm_store **out, hm_err *err);
void hm_desk_give_writer(hm_desk *d);

/* A seat in an open read transaction, its answers as of now; to be given back, which ends it. Waits
 * while all are taken; common: there is one. */
int hm_desk_take(hm_desk *d, bool common, hm_seat **out, hm_err *err);
void hm_desk_give(hm_desk *d, hm_seat *s);
/* The kept answer to this request, borrowed until the seat is given back; false: there is none. */
bool hm_seat_find(const hm_seat *s, hm_str request, hm_str *body);
/* Keeps an answer, unless there are many or they are large. */
void hm_seat_keep(hm_seat *s, hm_str request, hm_str body);
#endif
