#include "gen/serve/preview.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "core/base/digest.h"

enum {
  POLL_MS = 100,           /* between two looks */
  SETTLE_MS = 30,          /* between two looks while something changes */
  PATIENCE_MS = 500,       /* what never comes to rest is shown this often */
  LINGER_MS = 30000,       /* who took a reading may look for so long */
  STALE_MS = 10000         /* how long is waited for a build where there is only an old edition */
};

/* An edition, and what became of the build after it. */
struct hm_shown {
  unsigned readers;        /* under the lock; the preview itself is one */
  hm_shown *before;        /* whose edition this is, when the build failed */
  hm_edition edition;
  bool has_edition, has_problem;
  hm_err problem;
};

struct hm_preview {
  hm_press press;
  hm_onlooker who;
  hm_inputs *inputs;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake, built;
  hm_shown *shown;
  uint64_t asked, served;  /* renewals */
  int64_t looked;          /* when the last reading was taken */
  bool stale;              /* something changed, and nobody looked */
  bool stop;
};

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* --- editions and their readers ------------------------------------------------ */

static void let_go(hm_preview *p, hm_shown *s) {
  while (s) {
    pthread_mutex_lock(&p->lock);
    bool last = --s->readers == 0;
    pthread_mutex_unlock(&p->lock);
    if (!last) return;
    hm_shown *before = s->before;
    if (s->has_edition && !before) p->press.free(p->press.ctx, &s->edition);
    free(s);
    s = before;
  }
}

hm_reading hm_preview_take(hm_preview *p) {
  pthread_mutex_lock(&p->lock);
  p->looked = now_ms();
  bool stale = p->stale;
  pthread_mutex_unlock(&p->lock);
  if (stale) hm_preview_renew(p, STALE_MS);
  pthread_mutex_lock(&p->lock);
  hm_shown *s = p->shown;
  s->readers++;
  pthread_mutex_unlock(&p->lock);
  return (hm_reading){ .edition = s->has_edition ? &s->edition : NULL,
                       .problem = s->has_problem ? &s->problem : NULL,
                       .held = s };
}

void hm_preview_give(hm_preview *p, hm_reading *r) {
  let_go(p, r->held);
  *r = (hm_reading){ 0 };
}

/* The last good edition is held for as long as this failure is shown. */
static void keep_edition(hm_preview *p, hm_shown *s) {
  hm_shown *last = p->shown;
  if (last && last->before) last = last->before;
  if (!last || !last->has_edition) return;
  pthread_mutex_lock(&p->lock);
  last->readers++;
  pthread_mutex_unlock(&p->lock);
  s->before = last;
  s->edition = last->edition;
  s->has_edition = true;
}

static void show(hm_preview *p, hm_shown *s) {
  pthread_mutex_lock(&p->lock);
  hm_shown *old = p->shown;
  p->shown = s;
  pthread_mutex_unlock(&p->lock);
  let_go(p, old);
}

static void set_look(hm_edition *e) {
  static const char *const others[] = { ".html", ".md", ".json", ".jsonl" };
  hm_arena *a = hm_arena_new();
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < e->site->n; i++) {
    const hm_file *f = &e->site->files[i];
    bool other = false;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
      other |= hm_str_ends(f->path, others[k]);
    if (!other) hm_sha256_field(&h, (hm_str){ (const char *)f->sha256, sizeof f->sha256 });
  }
  memcpy(e->look, hm_sha256_hex(&h, a, 64).p, sizeof e->look);
  hm_arena_free(a);
}

static void build(hm_preview *p) {
  int64_t began = now_ms();
  hm_shown *s = memset(hm_xmalloc(sizeof *s), 0, sizeof *s);
  s->readers = 1;
  s->has_edition = p->press.make(p->press.ctx, p->inputs, &s->edition, &s->problem) == 0;
  s->has_problem = !s->has_edition;
  if (s->has_edition) set_look(&s->edition);
  double took = (double)(now_ms() - began) / 1000;
  p->press.told(p->press.ctx, s->has_edition ? &s->edition : NULL,
                s->has_problem ? &s->problem : NULL, took);
  if (s->has_problem) keep_edition(p, s);
  show(p, s);
}

/* --- the thread ------------------------------------------------------------------ */

/* The lock is held. */
static void wait_ms(hm_preview *p, pthread_cond_t *what, int64_t ms) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  int64_t ns = t.tv_nsec + ms % 1000 * 1000000;
  t.tv_sec += (time_t)(ms / 1000 + ns / 1000000000);
  t.tv_nsec = (long)(ns % 1000000000);
  pthread_cond_timedwait(what, &p->lock, &t);
}

/* Pauses, and tells whether to go on; *asked: how many renewals the next build serves. */
static bool pause_for(hm_preview *p, int64_t ms, uint64_t *asked) {
  pthread_mutex_lock(&p->lock);
  if (!p->stop && p->asked == p->served) wait_ms(p, &p->wake, ms);
  bool go = !p->stop;
  *asked = p->asked;
  pthread_mutex_unlock(&p->lock);
  return go;
}

/* Is there anybody for whom to build? Else it is noted that there is something to build. */
static bool is_looked_at(hm_preview *p, int64_t now) {
  bool waits = p->who.looks(p->who.ctx);
  pthread_mutex_lock(&p->lock);
  bool looked = waits || now - p->looked < LINGER_MS;
  p->stale = !looked;
  pthread_mutex_unlock(&p->lock);
  return looked;
}

static void serve(hm_preview *p, uint64_t asked) {
  hm_inputs_take(p->inputs);
  build(p);
  p->who.changed(p->who.ctx);
  pthread_mutex_lock(&p->lock);
  p->served = asked;
  p->stale = false;
  pthread_cond_broadcast(&p->built);
  pthread_mutex_unlock(&p->lock);
}

/* After a build the thread rests: writers wait for who reads the store, and one that is written all
 * the time must not be read all the time. */
static void *run(void *arg) {
  hm_preview *p = arg;
  int64_t moving_since = -1, pause = POLL_MS;
  uint64_t asked;
  while (pause_for(p, pause, &asked)) {
    hm_inputs_are is = hm_inputs_look(p->inputs);
    int64_t now = now_ms();
    if (is == HM_INPUTS_STILL) moving_since = -1;
    else if (moving_since < 0) moving_since = now;
    bool impatient = is == HM_INPUTS_MOVING && now - moving_since >= PATIENCE_MS;
    pause = is == HM_INPUTS_MOVING ? SETTLE_MS : POLL_MS;
    bool due = (is == HM_INPUTS_CHANGED || impatient) && is_looked_at(p, now);
    if (!due && asked == p->served) continue;
    serve(p, asked);
    moving_since = -1;
    pause = POLL_MS + (now_ms() - now) / 2;
  }
  return NULL;
}

bool hm_preview_renew(hm_preview *p, int ms) {
  int64_t until = now_ms() + ms;
  pthread_mutex_lock(&p->lock);
  uint64_t mine = ++p->asked;
  pthread_cond_signal(&p->wake);
  for (int64_t left; p->served < mine && !p->stop && (left = until - now_ms()) > 0;)
    wait_ms(p, &p->built, left);
  bool done = p->served >= mine;
  pthread_mutex_unlock(&p->lock);
  return done;
}

/* --- beginning and end -------------------------------------------------------------- */

static void set_up(hm_preview *p) {
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->wake, &clock);
  pthread_cond_init(&p->built, &clock);
  pthread_condattr_destroy(&clock);
}

static void put_down(hm_preview *p) {
  let_go(p, p->shown);
  hm_inputs_free(p->inputs);
  pthread_cond_destroy(&p->wake);
  pthread_cond_destroy(&p->built);
  pthread_mutex_destroy(&p->lock);
  free(p);
}

int hm_preview_start(const hm_press *press, const hm_store_source *store, const hm_onlooker *who,
                     hm_preview **out, hm_err *err) {
  hm_preview *p = memset(hm_xmalloc(sizeof *p), 0, sizeof *p);
  *p = (hm_preview){ .press = *press, .who = *who, .inputs = hm_inputs_new() };
  p->looked = now_ms() - LINGER_MS;
  set_up(p);
  hm_inputs_store(p->inputs, store);
  build(p);
  int rc = pthread_create(&p->thread, NULL, run, p);
  if (rc) {
    put_down(p);
    return hm_fail(err, HM_E_INTERNAL, "preview", strerror(rc), NULL);
  }
  *out = p;
  return 0;
}

void hm_preview_stop(hm_preview *p) {
  if (!p) return;
  pthread_mutex_lock(&p->lock);
  p->stop = true;
  pthread_cond_broadcast(&p->wake);
  pthread_cond_broadcast(&p->built);
  pthread_mutex_unlock(&p->lock);
  pthread_join(p->thread, NULL);
  put_down(p);
}

int hm_edition_try(const hm_edition *e, hm_store *s, hm_trial_verdict *give, void *ctx, hm_arena *a,
                   hm_verdict_report *out, hm_err *err) {
  const hm_trial trial = { .templates = e->templates,
                           .view = hm_view_options_of(e->view),
                           .rules = e->rules,
                           .threads = e->threads,
                           .inputs = e->inputs,
                           .known = &e->site->known };
  return hm_trial_run(s, &trial, give, ctx, a, out, err);
}
