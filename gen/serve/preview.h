/* The mirror as it would be published, kept up to date while it is looked at.
 *
 * A thread of its own asks a few times a second whether store, config, templates, theme or static
 * files have changed, and has the site made anew when they have. Whoever reads goes on reading the
 * edition that was there; it is freed when its last reader is done. A build that fails leaves the
 * edition before it and says why.
 *
 * While nobody looks nothing is made: a store that only programs write is not read again for each
 * write. What changed meanwhile is made when somebody looks.
 *
 * Looking writes nothing: the disputes of an edition are those that a sweep would record, with the
 * ids that it would give them, and they are recorded when somebody asks for it (a sweep, a write, a
 * button of the review form). */
#ifndef HM_PREVIEW_H
#define HM_PREVIEW_H
#include "gen/serve/inputs.h"
#include "gen/site/site.h"
#include "gen/site/trial.h"

/* One build. What the sweep behind the view borrows from lives as long. */
typedef struct {
  const hm_site *site;
  const hm_view *view;
  const hm_rules *rules;     /* by which the sweep compared */
  const hm_templates *templates;
  const unsigned char *inputs;   /* with which the site was made; hm_site_options */
  int threads;
  void *own;                 /* the maker's */
  char look[65]; /* digest of what pages are looked at with: files that are neither pages nor data.
                    Set here */
} hm_edition;

/* Who makes editions, from everything as it is now. Given by gen/cli. */
typedef struct {
  void *ctx;
  /* Adds to `in` what it is about to read, also when it then fails. Called by one thread at a time.
   */
  int (*make)(void *ctx, hm_inputs *in, hm_edition *out, hm_err *err);
  /* Frees what make made; from any thread, while make may be at work on another. */
  void (*free)(void *ctx, hm_edition *e);
  /* A build has ended; e NULL: badly, for the reason in problem. For messages; from the thread that
   * makes. */
  void (*told)(void *ctx, const hm_edition *e, const hm_err *problem, double seconds);
} hm_press;

/* hm_trial_run on the pages of an edition. */
int hm_edition_try(const hm_edition *e, hm_store *s, hm_trial_verdict *give, void *ctx, hm_arena *a,
                   hm_verdict_report *out, hm_err *err);

typedef struct hm_preview hm_preview;

/* Who looks, and wants to be told. */
typedef struct {
  void *ctx;
  void (*changed)(void *ctx);      /* after every build but the first, by the preview's thread */
  bool (*looks)(void *ctx);        /* somebody waits to be told; by the same thread */
} hm_onlooker;

/* Makes the first edition at once, then starts the thread. A first build that fails is no error
 * here: it is the problem that hm_preview_take tells. Error: HM_E_INTERNAL when there can be no
 * thread. */
int hm_preview_start(const hm_press *press, const hm_store_source *store, const hm_onlooker *who,
                     hm_preview **out, hm_err *err);
/* Ends the thread (a build that runs is waited for) and frees all. Every reading must have been
 * given back. */
void hm_preview_stop(hm_preview *p);

/* What a reader has in hand. */
typedef struct hm_shown hm_shown;
typedef struct {
  const hm_edition *edition; /* NULL: no build has succeeded yet */
  const hm_err *problem;     /* NULL: the newest build succeeded, and is the edition */
  hm_shown *held;
} hm_reading;

/* The newest edition there is. Waits for one, ten seconds at most, only when something had changed
 * while nobody looked (no reading was taken for half a minute, nor did `looks` say so). Give every
 * reading back. From any thread. */
hm_reading hm_preview_take(hm_preview *p);
void hm_preview_give(hm_preview *p, hm_reading *r);
/* Has a build begin now, and waits until one that began after the call has ended, or ms have passed
 * (false). Not from `make`, `told` or `changed`. */
bool hm_preview_renew(hm_preview *p, int ms);
#endif
