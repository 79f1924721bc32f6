/* The claims that a text in plain English makes, and values that it only mentions. */
#ifndef HM_PROSE_RESULT_H
#define HM_PROSE_RESULT_H
#include "core/base/str.h"

typedef enum {
  HM_SHAPE_QUANTITY,  /* "API timeout is 30 s", "up to 5 workspaces", "unlimited projects" */
  HM_SHAPE_SWITCH,    /* "debug mode is enabled", "commits must be signed", "never deploy" */
  HM_SHAPE_VERSION,   /* "Postgres 14 is our database version", "service version is 1.0.0" */
  HM_SHAPE_CHOICE,    /* "we use REST", "chose Zygo over Moore", "deploys to eu-west-1" */
  HM_SHAPE_KEY,       /* "MAX_CONNS=50" */
  HM_SHAPE_SET,       /* "JSON only", "JSON and XML" */
  HM_SHAPE_ATTRIBUTE, /* "the user's cat is named Luna", "lives in Lyon" */
  HM_SHAPE_STATUS,    /* "status: Accepted", "the priority is high": changes as things go on */
  HM_SHAPE_SENTENCE,  /* all that a sentence says beside its value (core/words/sentence.h) */
  HM_N_SHAPES
} hm_prose_shape;
/* "quantity", "switch", ... */
hm_str hm_shape_name(hm_prose_shape s);

typedef struct {
  hm_prose_shape shape;
  hm_str slot; /* folded name from subject and attribute: "api_timeout". One slot for "the
                * timeout of the API", "the API's timeout", "timeout for the API"; words such
                * as max, min, default come first: "max_database_connections" */
  hm_str subject, attribute; /* folded; subject may be empty, attribute never */
  hm_str bare;      /* the slot without a subject from outside the text: "timeout" for "timeout is
                     * 30 s" about api, whose slot is "api_timeout"; else the slot */
  hm_str written;   /* the slot in the text's own words: "payments_timeout" of "payment_timeout",
                     * "broker" of "message_broker"; empty: as slot, or unknown */
  hm_str called;    /* the slot by the text's own name of its attribute: "cache_ttl" of
                     * "cache_lifetime" (attribute_names.h); empty: that is the slot's */
  hm_str qualifier; /* folded: "per_ip", "production", "free_plan"; empty: none, meets any */
  hm_str value;     /* slice of the text, as shown: "30 seconds" */
  hm_str reading;   /* the text to parse as the value: "30 s", "at most 25 MB", "on", "14"; may be
                     * `value` itself */
  hm_str left;      /* a value that it calls former or wrong: "300" in "actually 120, not 300",
                     * "Moore" in "chose Zygo over Moore"; empty: none */
  hm_str dated;     /* of a status: the date, or the number of a series, that makes the text a line
                     * of a log: "2026-03-02", "Sprint 12"; empty: none */
  hm_str words;     /* slice of the text that makes the claim */
  bool denied;      /* "is not PEEK", "no longer": the value does not hold */
  bool only;        /* the value excludes all others: "JSON only" */
  bool also;        /* one of several values: contradicts no other */
  bool family;      /* the attribute came from the family of the value, not from the text */
  bool curated;     /* perhaps an opinion: it meets only states and entities of that name */
} hm_prose_claim;

/* A value that the text names without stating it: "started the Postgres 17 migration". */
typedef struct {
  hm_str slot; /* as in a claim: "postgres_version", "api_database" */
  hm_str value, words;
} hm_mention;

/* Why a text claims nothing. */
typedef enum {
  HM_PROSE_READ,     /* it claims something */
  HM_PROSE_NOTHING,  /* no form fits */
  HM_PROSE_LANGUAGE, /* another language than English */
  HM_PROSE_UNSURE    /* a want, plan, question, opinion, condition, quote */
} hm_prose_outcome;

typedef struct {
  hm_prose_outcome outcome;
  hm_prose_claim *claims;
  size_t n; /* in the order of their words */
  hm_mention *mentions;
  size_t n_mentions; /* without slots that the text claims */
  bool settles;      /* has a word of change or decision outside all values: "final", "decided",
                      * "switched", "now", "actually", "no longer" */
} hm_prose;
#endif
