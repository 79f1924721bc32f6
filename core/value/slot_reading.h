/* What the name of a slot says of its values: the readings that it supports.
 *
 * A value has many readings by its letters alone: "5m" are minutes or metres, "60 C" is a
 * temperature or a charge, "3.10" a number or a release. One that could be several is read as its
 * slot supports: by the name of the slot, here; by the other rows of the slot, slot_evidence.c.
 * Without support it is a text or a code. */
#ifndef HM_SLOT_READING_H
#define HM_SLOT_READING_H
#include "core/base/str.h"

typedef uint64_t hm_reading;
/* Bits of an hm_reading. */
enum {
  HM_READ_TEXT = 1 << 0,        /* always a text, whatever it looks like: hm_rules_reading */
  HM_READ_VERSION = 1 << 1,     /* digits and points are a release: 3.10 is not 3.1 */
  HM_READ_DURATION = 1 << 2,    /* 5m are minutes */
  HM_READ_LENGTH = 1 << 3,      /* 5m are metres */
  HM_READ_TEMPERATURE = 1 << 4, /* 60 C, 140 F */
  HM_READ_CHARGE = 1 << 5,      /* 60 C are coulombs */
  HM_READ_FORMULA = 1 << 6,     /* Co is not CO */
  HM_READ_CODE = 1 << 7,        /* 1.10 is no number, and dQw4 is not dqw4 */
  HM_READ_UNIT = 1 << 8,        /* mS is not MS */
  HM_READ_SHARE = 1 << 9,       /* 0.8 is 80 % */
  HM_READ_PROCESSORS = 1 << 10, /* 500m is 0.5 */
  HM_READ_BYTES = 1 << 11,      /* 512M is 512 MB */
  HM_READ_MODE = 1 << 12,       /* 755 is 0755 */
  HM_READ_COLOUR = 1 << 13,     /* white is #ffffff */
  HM_READ_PATH = 1 << 14,       /* ./src is src */
  HM_READ_ADDRESS = 1 << 15,    /* of the net: a host, a URL */
  HM_READ_PHONE = 1 << 16,      /* digits in any groups */
  HM_READ_GROUPED = 1 << 17,    /* the same of an ISBN, an IBAN */
  HM_READ_PLACE = 1 << 18,      /* a place that may lie in another */
  HM_READ_TOWN = 1 << 19,       /* a place with a name */
  HM_READ_ROLE = 1 << 20,       /* "senior engineer" is an engineer */
  HM_READ_SEX = 1 << 21,        /* F is female */
  HM_READ_YEAR = 1 << 22,       /* a number is a year */
  HM_READ_DATE = 1 << 23,       /* 20260305 is a day */
  HM_READ_RATIO = 1 << 24,      /* "1 to 2" is 1:2 */
  HM_READ_SCORE = 1 << 25,      /* 2-1 is 2:1 */
  HM_READ_LIST = 1 << 26,       /* "80,443" and "a b" are two */
  HM_READ_CASED = 1 << 27,      /* kim is not Kim */
  HM_READ_PORT = 1 << 28,       /* 80/tcp is 80 */
  HM_READ_IMAGE = 1 << 29,      /* redis:7 is a release of redis */
  HM_READ_MONEY = 1 << 30       /* 5 ct are cents */
};
#define HM_READ_FLAG ((hm_reading)1 << 31)     /* 0 is no */
#define HM_READ_STATE ((hm_reading)1 << 32)    /* finished is done */
#define HM_READ_PRIORITY ((hm_reading)1 << 33) /* P1 is 1 */
#define HM_READ_LEVEL ((hm_reading)1 << 34)    /* SEV-1 is 1 */
#define HM_READ_ZONE ((hm_reading)1 << 35)     /* +01:00 is UTC+1 */
#define HM_READ_LANGUAGE ((hm_reading)1 << 37) /* German is de */
#define HM_READ_HEADING ((hm_reading)1 << 36)  /* west is 270 degrees */
#define HM_READ_HOURS ((hm_reading)1 << 38)    /* 8-16 are times of day */
#define HM_READ_MOLAR ((hm_reading)1 << 39)    /* 5 mM are 5 mmol/L */
#define HM_READ_COUNTRY ((hm_reading)1 << 40)  /* DE is Germany */
#define HM_READ_GATE ((hm_reading)1 << 41)     /* -4- is 4 */
#define HM_READ_POINTS ((hm_reading)1 << 42)   /* 1.450 may be 1450, and 1,450 be 1.45 */
/* No name says these two, by which a value is read once more. */
#define HM_READ_WITHOUT_POINTS ((hm_reading)1 << 43)
#define HM_READ_DECIMAL_COMMA ((hm_reading)1 << 44)

/* The readings that the name of a slot supports; 0: none. name: folded. Of its words, those
 * before "of", the last one of the table decides; words like "max" behind it say nothing. */
hm_reading hm_slot_reading(hm_str name);
/* For the test: is the table sorted? */
bool hm_slot_readings_are_sorted(void);
#endif
