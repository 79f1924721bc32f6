/* Times in words: months by name, decades, centuries, and what is known only by its limits. */
#ifndef HM_TIME_WORDS_H
#define HM_TIME_WORDS_H
#include "core/base/time.h"

typedef struct {
  hm_time first, last; /* every instant that it may be */
  hm_precision precision;
  bool is_range; /* some time between them; else the year, month or day that begins at first */
} hm_time_worded;

/* Reads, in any case,
 *
 *   a day or month    3 January 1340, January 3rd, 1340, Jan. 1340; also of 44 BC
 *   a year            year 200; also of one or two digits
 *   a decade          1340s; of a year that ends in 00 the hundred years (1300s)
 *   a century         12th century, 5th c. BC; the 12th ends with the year 1200
 *   a part of these   early, mid, late 1340s: some time in all of it
 *   limits            between 1340 and 1345, 1340/1345, 1340 or 1341: from the first instant of
 *                     the one to the last of the other; before, by and after 1340, the year itself
 *                     included: to or from HM_DATES_FIRST or HM_DATES_LAST
 *
 * where 1340 is a date as hm_time_parse and hm_time_parse_year read it, or one of the first line.
 * Also bet, bef and aft, as genealogies write. false, and *out is left alone: s is anything else.
 * 03/04/1340 is no time: nobody knows which is the month. */
bool hm_time_words_read(hm_str s, hm_time_worded *out);
#endif
