/* Asks a model where the facts of a store leave a reader guessing, and stores its proposals.
 *
 * It reads each new row with the rows that are most alike (neighbours.c), or the story of a project
 * in order of time (plan.c): judge.pick in mirror.yml.
 *
 * Order of calls: hm_judge_plan_build, from a snapshot and the queued rows; hm_judge_answers_begin;
 * then for a part of the plan after the other hm_judge_ask, which needs no store and may take
 * minutes, and hm_judge_record, in a short transaction. A model can only propose a conflict: it
 * changes no row and settles nothing.
 *
 * It is also asked about pairs of similar memories for which the rules cannot tell whether one
 * denies the other (core/slot/similar_groups.h); its answer becomes a finding. */
#ifndef HM_JUDGE_H
#define HM_JUDGE_H
#include "core/base/err.h"
#include "core/base/str.h"
#include "core/base/time.h"
#include "core/review/write_check.h"
#include "core/record/judge_queue.h"
#include "core/store/remarks.h"

/* --- facts for a judge ------------------------------------------------------ */

/* A curve drops old facts, so that the sample for the model stays small. A sweep reads all of a
 * store; a judge reads only a story. Pure: the same facts, now and seed give the same story.
 * Source: the narrative detective, "The Forgetting Curve" and "Batching". */

enum {
  HM_JUDGE_BATCH = 24000,  /* most bytes of a batch */
  HM_JUDGE_OVERLAP = 2400, /* most bytes repeated from the previous batch */
  HM_JUDGE_LINE = 2400,    /* most bytes of a line, with its line feed */
  HM_JUDGE_LABEL = 8
};

typedef struct {
  hm_str ref;      /* "memory:m1" */
  hm_str digest;   /* hm_judged_digest */
  hm_time written; /* HM_TIME_MIN: unknown */
  hm_str scope, type, text;
  hm_str from;                    /* its agent, or the first source, as a document with its line */
  uint32_t conflicts;             /* number with it as a member, open or settled */
  bool trigger;                   /* it is new: a reason to read the story */
  char label[HM_JUDGE_LABEL + 1]; /* its id in the story; set by hm_judge_facts_order */
} hm_judge_fact;

/* The probability that a fact of this age stays in the story: 0.30 under 24 hours, 0.15 under 168,
 * else 0.07; doubled for each conflict, at most 1. A negative age counts as under 24 hours. */
double hm_judge_fact_keep_chance(hm_time age, uint32_t conflicts);
/* Does the fact stay? Yes for a trigger or an unknown age. Else by its probability and a number
 * made from seed and reference only. */
bool hm_judge_fact_is_kept(const hm_judge_fact *f, hm_time now, uint64_t seed);

/* Sorts by time of writing, unknown ones first, then reference; gives each a unique label of hex
 * digits. */
void hm_judge_facts_order(hm_judge_fact *facts, size_t n);
/* The same for qsort_r, of indexes (uint32_t) of facts. */
int hm_judge_fact_order_at(const void *x, const void *y, void *facts);

/* A batch of a story: facts[first] up to facts[first + n] as lines of JSON, in order. */
typedef struct {
  size_t first, n;
  hm_str lines;
} hm_judge_batch;
/* Splits ordered facts into batches. Each batch begins with the last lines of the previous one.
 * Cuts texts that are too long for a line, with "…". A single fact gives no batch. Returns the
 * number of batches; *out and texts in a. */
size_t hm_judge_batches_build(const hm_judge_fact *facts, size_t n, hm_arena *a,
                              hm_judge_batch **out);

/* --- what is sent, and what comes back ---------------------------------------------------- */

typedef struct {
  const char *url, *model, *key; /* of a chat endpoint in OpenAI's format */
  int timeout_ms;
  bool (*is_stopped)(void *ctx); /* as in hm_post */
  void *ctx;
  void (*count)(void *ctx, size_t done, size_t all); /* batches; from any thread; or NULL */
  void *count_ctx;
} hm_judge_endpoint;

typedef struct {
  const hm_snapshot *snap; /* with details */
  hm_queued *queue;
  size_t n_queue;        /* the rows to judge; hm_judge_record takes out those that are done */
  bool story;            /* the story of each project; else the neighbours of each new row */
  bool all;              /* every row counts as new: drops nothing */
  size_t limit;          /* with all: most rows; 0: no limit */
  const hm_rules *rules; /* for what rules compared; NULL: ask about no pairs */
  const uint64_t *seed;  /* of the curve; NULL: made from the new rows */
  size_t a_day; /* how many open proposals of one day the model may have; 0: HM_REPORTS_A_DAY */
  /* May this field of the row be sent? NULL: any. */
  bool (*may_send)(void *ctx, uint32_t row, hm_str field);
  void *ctx;
} hm_judge_options;

/* The story of one project, its pairs, or a request with neighbourhoods of any projects. */
typedef struct {
  hm_str project; /* of neighbourhoods: empty */
  bool pairs;     /* facts[2 * i], facts[2 * i + 1]: a pair, the older first */
  bool near;      /* neighbourhoods; each fact is here once, and in the lines of each that has it */
  hm_judge_fact *facts;
  size_t n;         /* those to send, in order */
  size_t triggers;  /* number of triggers */
  size_t forgotten; /* dropped by the curve */
  hm_judge_batch *batches;
  size_t n_batches;
} hm_judge_story;

typedef struct {
  uint64_t seed;
  hm_judge_story *stories;
  size_t n;          /* by project, only those with a new row, then pairs; or requests */
  size_t n_projects; /* that have a new row */
  size_t n_pairs;
  size_t secrets; /* number of rows not sent because of a live secret */
  size_t hidden;  /* number of rows that may not be sent */
} hm_judge_plan;

/* Chooses the facts to send. Pure. Takes the active rows that a judge reads (judged.h). A story has
 * all new rows of its project and those that the curve keeps, but no batches if no new row may be
 * sent. In a; borrows from the snapshot. */
void hm_judge_plan_build(const hm_judge_options *opt, hm_arena *a, hm_judge_plan *out);

/* The lines of a small story, facts[of[0]] to facts[of[n - 1]], each with its number; texts are cut
 * where they are long. Empty: too many facts. In a. */
hm_str hm_judge_story_lines(const hm_judge_fact *facts, const uint32_t *of, size_t n, size_t story,
                            hm_arena *a);

typedef struct {
  size_t story; /* of the plan */
  uint32_t *facts;
  size_t n; /* of the story */
  hm_str question;
} hm_judge_suggestion;

typedef struct {
  hm_judge_suggestion *ideas;
  size_t n; /* of the last part, by story and batch; none is a subset of another */
  /* Of all parts: */
  size_t asked, failed; /* batches; failed: includes those of a part not asked after a failure */
  size_t refused;       /* batches whose answer was refused or is partial: their rows wait on */
  size_t asked_again;   /* proposals that were asked about alone */
  size_t unconfirmed;   /* of these, dropped: alone they are none */
  bool *story_failed, *story_unreadable; /* failed: or not asked; unreadable: by its answer */
  hm_str *notes;
  size_t n_notes, cap_notes;
  hm_err err; /* of the first failure; code HM_OK: none */
  hm_arena *a;
} hm_judge_answers;

/* No story was asked about yet. Lives in a, but for the ideas. */
void hm_judge_answers_begin(const hm_judge_plan *plan, hm_arena *a, hm_judge_answers *out);
/* Asks about each batch of the stories from first up to end, at most four at a time, and adds to
 * *out; its ideas, in a, are then those of these stories. Asks again about what is proposed of
 * neighbourhoods, each proposal alone, so that no other fact of the request speaks for it; if that
 * answer has nothing, the proposal is dropped. Stops after a failure of the endpoint, but not
 * after an unreadable answer. */
void hm_judge_ask(const hm_judge_plan *plan, size_t first, size_t end, const hm_judge_endpoint *to,
                  hm_arena *a, hm_judge_answers *out);

typedef struct {
  size_t added, known; /* proposals: new ones; ones that the store has already */
  size_t in_conflict;  /* not stored: one conflict already has all the rows */
  size_t changed;      /* not stored: a row was written meanwhile */
  size_t over;         /* not stored: the model has as many open ones as it may; their rows wait */
  size_t left;         /* rows removed from the queue */
  hm_str *opened;
  size_t n_opened;  /* ids of conflicts that the new proposals opened */
  hm_str *warnings; /* of live secrets in what the model said */
  size_t n_warnings;
} hm_judge_recorded;

/* Puts all new rows of the plan in the queue, so that what is not answered waits, whatever ends the
 * run. The last *added of opt->queue were not in it before: hm_judge_unqueue takes them out again,
 * for a run that had no answer. */
int hm_judge_queue_plan(hm_store *s, hm_judge_options *opt, const hm_judge_plan *plan, hm_arena *a,
                        size_t *added, hm_err *err);
int hm_judge_unqueue(hm_store *s, const hm_queued *rows, size_t n, hm_err *err);

/* Stores the ideas and their conflicts, and removes the queued rows all of whose stories were
 * judged, in one write transaction of its own, whose duration does not depend on the size of the
 * store (write_check.h). by->who: who asked; model: who proposed. Adds to *out, zero at first;
 * its texts are in a. */
int hm_judge_record(hm_store *s, hm_judge_options *opt, const hm_judge_plan *plan,
                    const hm_judge_answers *answers, const char *model, const hm_review *by,
                    hm_arena *a, hm_judge_recorded *out, hm_err *err);

/* --- what goes over the wire: chat.c -----------------------------------------------------------
 *
 * The request to a model, and its answer (answer.c): it can only propose that facts disagree.
 * Source of the question: the narrative detective, "The Prompt". */

/* The body of a request to a chat endpoint in OpenAI's format, temperature 0, in a. lines: of a
 * batch (hm_judge_batch). The fence around the lines has a number made from them, so no fact can
 * contain it; and a fact is one line of JSON, so it cannot begin a new line. */
hm_str hm_judge_request_body(hm_str model, hm_str lines, hm_arena *a);

enum {
  HM_JUDGE_ANSWER_BYTES = 1 << 20, /* most bytes of an answer */
  HM_JUDGE_ANSWER_ITEMS = 100,     /* elements of an answer that are read */
  HM_JUDGE_ANSWER_FACTS = 32,      /* most facts of an element */
  HM_JUDGE_ANSWER_QUESTION = 400   /* bytes of a question; the rest is cut */
};

typedef struct {
  uint32_t *facts;
  size_t n;        /* two or more, ascending, distinct */
  hm_str question; /* one line of UTF-8, not empty */
} hm_judge_answer_item;

typedef struct {
  hm_judge_answer_item *items;
  size_t n; /* in the order of the answer */
  hm_str *notes;
  size_t n_notes;  /* why elements were skipped, one each; may quote them */
  bool is_partial; /* it ends in the middle: what stands before that was read */
  bool is_refused; /* it has elements, and all were skipped */
} hm_judge_answer;

/* The model's text in the body of a chat endpoint's answer; in a. HM_E_INPUT: not such an
 * answer. */
int hm_judge_answer_text(hm_str body, hm_arena *a, hm_str *text, hm_err *err);
/* Reads the text: the first JSON array in it that has an object, else an empty one, else the
 * objects of the text; what stands around them is passed over, as are thoughts before "</think>".
 * The model was shown facts[first] up to facts[first + n]; items have indices into facts. An
 * element counts by the known ids among its "fact_ids", each once; other members are passed over, a
 * long question is cut, a missing one replaced. Skips an element, with a note, if it is no object,
 * has fewer than two known ids or more than HM_JUDGE_ANSWER_FACTS, or repeats an earlier one. Texts
 * in a. HM_E_INPUT: no array and no object. */
int hm_judge_answer_parse(hm_str text, const hm_judge_fact *facts, size_t first, size_t n,
                          hm_arena *a, hm_judge_answer *out, hm_err *err);

#endif
