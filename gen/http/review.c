/* Handles what the review form sends. */
#include "gen/http/review.h"
#include <string.h>
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/review/write_check.h"
#include "gen/http/request_head.h"
#include "core/markdown/escape.h"
#include "gen/site/verdict_dry_run.h"

enum { RENEW_MS = 2000, COOKIE_DAYS = 365 };

#define COOKIE "hmirror_by"

/* One request in the making. */
typedef struct {
  const hm_preview_http *f;
  const hm_request *q;
  hm_str path; /* "conflicts/c1.html" */
  hm_preview_ref at;
  hm_file page;
  hm_review_case c;
  hm_review_input in;
  hm_reply *r;
} review;

/* --- who --------------------------------------------------------------------------- */

/* The reviewer's name that this browser sent last, else the server's. */
static hm_str remembered_name(const hm_preview_http *f, const hm_request *q) {
  hm_str cookies = hm_request_header(q, "Cookie", NULL);
  for (hm_str rest = cookies; rest.n;) {
    const char *end = memchr(rest.p, ';', rest.n);
    hm_str one = hm_str_trim(hm_str_sub(rest, 0, end ? (size_t)(end - rest.p) : rest.n));
    rest = end ? hm_str_sub(rest, (size_t)(end - rest.p) + 1, rest.n) : HM_EMPTY;
    hm_uri u;
    if (!hm_str_starts(one, COOKIE "="))
      continue;
    if (hm_uri_parse(q->a, hm_str_fmt(q->a, "/?%.*s", HM_FMT(one)), &u, NULL) == 0 && u.n_query)
      return u.query[0].value;
  }
  return f->by;
}

static void remember_name(const review *v) {
  hm_buf b = { 0 };
  hm_url_encode(&b, v->in.by, "-_.");
  hm_str name = hm_buf_take(&b, v->q->a);
  hm_reply_header(v->r, v->q->a, "Set-Cookie",
                  hm_str_fmt(v->q->a, COOKIE "=%.*s; Path=/; Max-Age=%d; SameSite=Strict; HttpOnly",
                             HM_FMT(name), COOKIE_DAYS * 86400));
}

/* --- the page --------------------------------------------------------------------------- */

hm_str hm_review_form(const hm_preview_http *f, const hm_request *q, const hm_preview_ref *at,
                      hm_str path, hm_str *jump) {
  hm_review_case c;
  *jump = HM_EMPTY;
  if (!hm_review_find_case(at, path, q->a, &c))
    return HM_EMPTY;
  *jump = hm_review_jump_link(f, &c, q->a);
  hm_review_input in = { .by = remembered_name(f, q) };
  return hm_review_html(f, &c, &in, NULL, NULL, NULL, q->a);
}

static void reply_page(review *v, int status, const char *label, const hm_err *err,
                       const hm_verdict_report *trial) {
  hm_preview_page page = { .path = v->path,
                           .html = v->page.bytes,
                           .status = status,
                           .answer =
                               hm_review_html(v->f, &v->c, &v->in, label, err, trial, v->q->a) };
  page.form = hm_review_form(v->f, v->q, &v->at, v->path, &page.jump);
  hm_preview_reply_page(v->f, v->q, &v->at, &page, v->r);
}

/* Reloads the conflict from the newest build. */
static bool reload_conflict(review *v) {
  hm_err ignored;
  hm_preview_release(v->f->preview, &v->at);
  v->at = hm_preview_acquire(v->f->preview);
  return hm_preview_file(v->f->preview, &v->at, v->path, v->q->a, &v->page, &ignored) ==
      HM_FILE_READY &&
      hm_review_find_case(&v->at, v->path, v->q->a, &v->c);
}

/* --- the verdict -------------------------------------------------------------------------- */

static int write_verdict(const review *v, hm_store *s, const hm_review *r, hm_arena *a,
                         hm_verdict_report *out, hm_err *err) {
  hm_str id = v->c.rec->id, choice = v->in.choice;
  hm_str *winners = hm_alloc_array(a, v->c.n, sizeof *winners);
  size_t n = 0;
  for (size_t i = 0; i < v->c.n; i++)
    if (hm_review_is_chosen(choice, i + 1))
      winners[n++] = v->c.claims[i].ref;
  bool dismiss = hm_str_is(choice, "dismiss");
  if (n && (hm_str_find(choice, "none") >= 0 || hm_str_find(choice, "dismiss") >= 0))
    return hm_fail(err, HM_E_INPUT, NULL, "claims were chosen, and that none of them stands",
                   "choose claims, or one of the lines below them");
  if (!n && !dismiss && !hm_str_is(choice, "none"))
    return hm_fail(err, HM_E_INPUT, NULL, "no claim was chosen",
                   "choose one of the claims, or one of the lines below them");
  /* A dispute that no sweep has recorded yet is recorded with its verdict. */
  if (hm_review_record(s, r, a, err))
    return -1;
  if (dismiss)
    return hm_review_dismiss(s, r, id, v->in.notes, a, out, err);
  hm_resolution how = {
    .winners = winners, .n_winners = n, .action = HM_NO_ACTION, .notes = v->in.notes
  };
  /* Those that contradict a winner give way, unless it is said otherwise. */
  if (n && !hm_str_is(v->in.action, "no_action"))
    how.action =
        hm_str_is(v->in.action, "supersede_others") ? HM_SUPERSEDE_OTHERS : HM_SUPERSEDE_OPPONENTS;
  if (how.action != HM_NO_ACTION)
    how.scope = hm_verdict_scope_parse(v->in.scope);
  how.link = !n && hm_str_is(v->in.link, "yes");
  return hm_review_resolve(s, r, id, &how, a, out, err);
}

static int give_verdict(const review *v, hm_store *s, bool dry, hm_arena *a, hm_verdict_report *out,
                        hm_err *err) {
  const hm_review r = { .rules = v->at.build->rules,
                        .dry_run = dry,
                        .who = { .by = v->in.by, .at = hm_time_iso(a, hm_time_now()) } };
  if (hm_str_is(v->in.step, "reopen"))
    return hm_review_reopen(s, &r, v->c.rec->id, v->in.notes, hm_str_is(v->in.keep_rows, "yes"), a,
                            out, err);
  return write_verdict(v, s, &r, a, out, err);
}

static int try_verdict(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  return give_verdict(ctx, s, true, a, out, err);
}

/* --- steps ----------------------------------------------------------------------------------- */

/* Tries the verdict (dry), or gives it and redirects to the page once that shows it. */
static void settle_conflict(review *v, bool dry) {
  hm_arena *a = v->q->a;
  hm_preview *p = v->f->preview;
  hm_store *s = NULL;
  hm_verdict_report report;
  hm_err err = { 0 };
  int rc = -1;
  if (!hm_actor_name_fits(v->in.by))
    hm_fail(&err, HM_E_INPUT, "Your name",
            v->in.by.n ? "it is no name" : "a verdict has the name of who decided",
            "give 1 to 200 bytes without hidden characters");
  else
    rc = hm_api_take_writer(v->f->api, &s, &err);
  if (!rc && dry)
    rc = hm_preview_try_verdict(&v->at, s, try_verdict, v, a, &report, &err);
  else if (!rc && (rc = hm_store_begin(s, true, &err)) == 0) {
    rc = give_verdict(v, s, false, a, &report, &err);
    if (!rc)
      rc = hm_store_commit(s, &err);
    else
      hm_store_rollback(s);
  }
  if (s)
    hm_api_return_writer(v->f->api);
  if (rc) {
    int status = hm_api_error_status(&err);
    /* When somebody else settled the conflict meanwhile, shows the page as it is now. */
    if (status == 409)
      hm_preview_rebuild(p, RENEW_MS);
    if (status == 409 && !reload_conflict(v))
      return hm_reply_error(v->r, status, &err, a);
    return reply_page(v, status, dry ? "This cannot be done" : "Nothing was changed", &err, NULL);
  }
  if (dry)
    return reply_page(v, 200, NULL, NULL, &report);
  remember_name(v);
  hm_preview_rebuild(p, RENEW_MS);
  v->r->status = 303;
  v->r->type = "text/plain; charset=utf-8";
  hm_reply_header(v->r, a, "Location", hm_str_fmt(a, "%.*s#review-answer", HM_FMT(v->c.page)));
}

/* Checks that the claims are still those that the form showed, then takes the step. */
static void take_step(review *v) {
  hm_err err = { 0 };
  bool settled = v->c.rec->status != HM_OPEN;
  if (!hm_str_eq(v->in.token, v->f->token) || !v->f->token.n) {
    hm_fail(&err, HM_E_STATE, NULL, "this form is from before hmirror serve was started",
            "look at it once more, and send it again");
    return reply_page(v, 403, "Nothing was changed", &err, NULL);
  }
  if (!settled && !hm_str_eq(v->in.seen, v->c.seen)) {
    hm_fail(&err, HM_E_STATE, NULL, "the claims have changed since you looked",
            "look at them once more, and choose again");
    v->in.choice = HM_EMPTY;
    return reply_page(v, 409, "Nothing was changed", &err, NULL);
  }
  if (hm_str_is(v->in.step, "try"))
    return settle_conflict(v, true);
  if (hm_str_is(v->in.step, "confirm") || hm_str_is(v->in.step, "reopen"))
    return settle_conflict(v, false);
  reply_page(v, 200, NULL, NULL, NULL);
}

static int read_input(const hm_request *q, hm_review_input *in, hm_err *err) {
  const struct {
    const char *name;
    hm_str *to;
  } fields[] = {
    { "token", &in->token },         { "seen", &in->seen },     { "step", &in->step },
    { "choice", &in->choice },       { "action", &in->action }, { "scope", &in->scope },
    { "link", &in->link },           { "notes", &in->notes },   { "by", &in->by },
    { "keep_rows", &in->keep_rows },
  };
  hm_uri u;
  *in = (hm_review_input){ .by = HM_EMPTY };
  if (hm_uri_parse(q->a, hm_str_fmt(q->a, "/?%.*s", HM_FMT(q->body)), &u, err))
    return -1;
  for (size_t i = 0; i < u.n_query; i++)
    for (size_t k = 0; k < HM_COUNT(fields); k++)
      if (hm_str_is(u.query[i].name, fields[k].name)) {
        hm_str *to = fields[k].to, said = u.query[i].value;
        bool more = to == &in->choice && to->n;
        *to = more ? HM_CAT(q->a, *to, HM_STR(" "), said) : said;
      }
  in->by = hm_str_trim(in->by);
  in->notes = hm_str_trim(in->notes);
  return 0;
}

int hm_review_post(void *ctx, const hm_request *q, hm_reply *r, hm_err *err) {
  hm_preview_http *f = ctx;
  review v = { .f = f, .q = q, .r = r, .path = hm_str_sub(q->path, 1, q->path.n) };
  int rc = HM_PASS;
  if (reload_conflict(&v))
    rc = read_input(q, &v.in, err) ? -1 : HM_ANSWERED;
  if (rc == HM_ANSWERED)
    take_step(&v);
  hm_preview_release(f->preview, &v.at);
  return rc;
}
