/* judge: asks a model about the queued rows, and records its proposals. */
#include <stdio.h>
#include "core/net/post.h"
#include "gen/verbs/commands.h"
#include "gen/mirror/judging.h"

enum { NOTES_SHOWN = 10, TEXT_SHOWN = 300, WAIT_MS = 10000 };

static const hm_option judge_options[] = {
  { "dry-run", 'n', NULL, "ask nobody and write nothing; say what would be sent" },
  { "all", 0, NULL, "read every fact as if it were new, not only what waits" },
  { "seed", 0, "N", "for judge.pick story: draw the sample by N, as a run printed it" },
  { "limit", 0, "N", "take at most N rows of the queue; with --all, of the store" },
  { 0 }
};

/* Totals over all stories. */
typedef struct {
  size_t projects, facts, triggers, forgotten, batches, bytes;
} totals;

static totals totals_of(const hm_judge_plan *p) {
  totals t = { .projects = p->n_projects };
  for (size_t k = 0; k < p->n; k++) {
    const hm_judge_story *s = &p->stories[k];
    t.facts += s->pairs ? 0 : s->n;
    t.triggers += s->triggers;
    t.forgotten += s->forgotten;
    t.batches += s->n_batches;
    for (size_t i = 0; i < s->n_batches; i++)
      t.bytes += s->batches[i].lines.n;
  }
  return t;
}

static int print_judged_json(hm_cli *cli, const hm_judging_report *r, bool dry, const char *off) {
  const totals t = totals_of(&r->plan);
  hm_jw *j = hm_cli_json_begin(cli);
  hm_jw_bool(j, "on", !off);
  hm_jw_str_or_null(j, "why", hm_str_c(off));
  hm_jw_bool(j, "recorded", !dry && !off);
  hm_jw_str_or_null(j, "seed", hm_str_fmt(cli->a, "%llu", (unsigned long long)r->plan.seed));
  hm_jw_int(j, "queued", (int64_t)r->queued);
  hm_jw_int(j, "new", (int64_t)t.triggers);
  hm_jw_int(j, "facts", (int64_t)t.facts);
  hm_jw_int(j, "forgotten", (int64_t)t.forgotten);
  hm_jw_int(j, "secrets", (int64_t)r->plan.secrets);
  hm_jw_int(j, "hidden", (int64_t)r->plan.hidden);
  hm_jw_int(j, "pairs", (int64_t)r->plan.n_pairs);
  hm_jw_int(j, "batches", (int64_t)t.batches);
  hm_jw_int(j, "bytes", (int64_t)t.bytes);
  hm_jw_int(j, "asked", (int64_t)r->answers.asked);
  hm_jw_int(j, "failed", (int64_t)r->answers.failed);
  hm_jw_int(j, "refused", (int64_t)r->answers.refused);
  hm_jw_int(j, "asked_again", (int64_t)r->answers.asked_again);
  hm_jw_int(j, "unconfirmed", (int64_t)r->answers.unconfirmed);
  hm_jw_int(j, "proposed", (int64_t)r->recorded.added);
  hm_jw_int(j, "known", (int64_t)r->recorded.known);
  hm_jw_int(j, "in_conflict", (int64_t)r->recorded.in_conflict);
  hm_jw_int(j, "over", (int64_t)r->recorded.over);
  hm_jw_bool(j, "full", r->full);
  hm_jw_int(j, "changed", (int64_t)r->recorded.changed);
  hm_jw_int(j, "left_queue", (int64_t)r->recorded.left);
  hm_jw_strs(j, "opened_ids", r->recorded.opened, r->recorded.n_opened);
  hm_jw_strs(j, "notes", r->answers.notes, r->answers.n_notes);
  hm_jw_strs(j, "warnings", r->recorded.warnings, r->recorded.n_warnings);
  return hm_cli_json_end(cli);
}

static void print_judged(hm_cli *cli, const hm_judging_report *r, bool dry) {
  const totals t = totals_of(&r->plan);
  const hm_judge_recorded *d = &r->recorded;
  size_t n = r->answers.n_notes < NOTES_SHOWN ? r->answers.n_notes : NOTES_SHOWN;
  for (size_t i = 0; i < n; i++)
    hm_warn(&cli->mirror.say, "answer of the judge: %s",
            hm_terminal_line(cli->a, r->answers.notes[i], TEXT_SHOWN));
  if (r->answers.n_notes > n)
    hm_warn(&cli->mirror.say, "answer of the judge: and %zu more", r->answers.n_notes - n);
  for (size_t i = 0; i < d->n_warnings; i++)
    hm_warn(&cli->mirror.say, "%s", hm_terminal_line(cli->a, d->warnings[i], 0));
  if (cli->quiet)
    return;
  for (size_t i = 0; i < d->n_opened; i++)
    printf("%s  opened\n", d->opened[i].p);
  printf("%s of %s %s in %s", hm_format_count(cli->a, t.facts, "fact"),
         hm_format_count(cli->a, t.projects, "project"), dry ? "would be sent" : "sent",
         hm_format_count_plural(cli->a, t.batches, "batch", "batches"));
  if (cli->mirror.config.judge_story)
    printf(", %s forgotten; seed %llu", hm_format_thousands(cli->a, t.forgotten),
           (unsigned long long)r->plan.seed);
  printf("\n");
  if (r->plan.n_pairs)
    printf("%s of similar texts %s\n", hm_format_count(cli->a, r->plan.n_pairs, "pair"),
           dry ? "would be asked about" : "asked about");
  if (r->plan.secrets)
    printf("%s with a live secret %s: see 'hmirror redact'\n",
           hm_format_count(cli->a, r->plan.secrets, "row"),
           dry ? "would stay here" : "stayed here");
  if (dry)
    return;
  if (!r->full && r->answers.asked < t.batches)
    printf("%zu of them were asked about, the rows of the others wait\n", r->answers.asked);
  if (r->full || d->over)
    printf("%s has as many open proposals of this day as it may: %s\n",
           cli->mirror.config.judge.model,
           r->full ? "nobody was asked"
                   : hm_str_fmt(cli->a, "%s not recorded, and the rows wait",
                                hm_format_count(cli->a, d->over, "proposal"))
                         .p);
  if (r->answers.unconfirmed)
    printf("%s dropped: asked about alone, the model saw none\n",
           hm_format_count(cli->a, r->answers.unconfirmed, "proposal"));
  if (r->answers.refused)
    printf("%s with no usable element: the rows wait for another try\n",
           hm_format_count(cli->a, r->answers.refused, "answer"));
  printf("%s new, %zu known, %zu in conflict already, %zu changed meanwhile; %s left the queue\n",
         hm_format_count(cli->a, d->added, "proposal"), d->known, d->in_conflict, d->changed,
         hm_format_count(cli->a, d->left, "row"));
}

static int run_judge(hm_cli *cli) {
  uint64_t seed = 0, limit = 0;
  bool seeded, limited, dry = hm_cli_get_option(cli, "dry-run");
  hm_judging_options opt = { .all = hm_cli_get_option(cli, "all"),
                             .dry_run = dry,
                             .wait_ms = WAIT_MS };
  hm_judging_report report = { 0 };
  if (hm_cli_read_number(cli, "seed", INT64_MAX, &seed, &seeded) ||
      hm_cli_read_number(cli, "limit", INT32_MAX, &limit, &limited))
    return -1;
  if (limited && !limit)
    return hm_fail_usage(cli, "--limit", "no row at all", "give a number from 1");
  opt.seed = seeded ? &seed : NULL;
  opt.limit = limited ? (size_t)limit : 0;
  const hm_endpoint *judge = &cli->mirror.config.judge;
  if (!dry && hm_trust_check(&cli->mirror.trust, judge->withheld, &cli->err))
    return -1;
  const char *off = dry ? NULL : hm_judging_why_off(&cli->mirror);
  if (off && judge->url && !hm_net_hides_key(judge->url))
    return hm_fail_usage(cli, "judge.url", "plain http, over which no key is sent",
                         "write https; this machine itself may have http");
  if (off) {
    if (cli->json)
      return print_judged_json(cli, &report, dry, off);
    if (!cli->quiet)
      printf("No judge: %s.\n", off);
    return HM_EXIT_FINE;
  }
  if (hm_judging_run(&cli->mirror, &opt, &report, &cli->err))
    return -1;
  hm_progress_end_phase(cli);
  if (cli->json && print_judged_json(cli, &report, dry, NULL))
    return -1;
  if (!cli->json)
    print_judged(cli, &report, dry);
  if (report.answers.err.code == HM_OK)
    return report.answers.refused || report.full || report.recorded.over ? HM_EXIT_FOUND
                                                                         : HM_EXIT_FINE;
  cli->err = report.answers.err;
  return -1;
}

const hm_command hm_cmd_judge = {
  .name = "judge",
  .words = "",
  .brief = "have a model read what was written and propose contradictions",
  .about = "Sends rows that wait, each with the rows that are most alike, to the\n"
           "model of judge.url in mirror.yml, and records each contradiction that it proposes. A\n"
           "model settles, changes and hides nothing. Where no judge is configured, or its key\n"
           "is not in the environment, it says so and does nothing.\n",
  .options = judge_options,
  .exits = "0  done, or there is no judge\n"
           "1  every element of an answer was refused, or it ends in the middle, or the model has\n"
           "   as many open proposals of this day as it may; the rows wait\n"
           "2  trouble, with a message; what was answered is recorded, the other rows wait\n",
  .examples = "hmirror judge\nhmirror judge --all --dry-run\nhmirror judge --seed 17 --limit 50\n",
  .run = run_judge
};
