/* health: what the store holds, and whether it is sound; --gaps: what nobody knows yet. */
#include <stdio.h>
#include "core/detect/conflict_story.h"
#include "core/claim/memory.h"
#include "core/claim/silence.h"
#include "core/store/lookup.h"
#include "core/store/verdict_lines.h"
#include "gen/verbs/commands.h"
#include "gen/cli/conflict_text.h"
#include "gen/mirror/embedding.h"
#include "gen/mirror/judging.h"

static const hm_option health_options[] = {
  { "exit-code", 0, NULL, "end with 1 when there are disputes or findings" },
  { "check", 0, NULL, "have SQLite read and check the whole file first" },
  { "gaps", 0, NULL, "list slots of which rows say only that the value is not known" },
  { "project", 0, "P", "--gaps: of this project only, by id, alias or name" },
  { 0 }
};

enum { VERDICTS_SHOWN = 10, WORDS_SHOWN = 8, SETTLED_SHOWN = 10 };

/* The report of health. */
typedef struct {
  bool checked;
  const hm_json *counted; /* hm_sweep_counts */
  hm_silence silence;
  hm_compared compared;
  int64_t conflicts[HM_N_VERDICTS];
  int64_t projects, gaps, findings, sweeps, disputed, unrecorded;
  hm_journal_head journal;
  hm_str *settled_later;
  int64_t n_settled_later; /* of those that await sign-off, by a later statement: ids */
  hm_known_verdict *verdicts;
  size_t n_verdicts; /* that an import brought, and that wait */
  hm_rule_verdicts *rules;
  size_t n_rules; /* of which people settled conflicts */
  hm_sweep_run last;
  bool swept;           /* there is a last sweep */
  int64_t acked;        /* of the recorded findings */
  int64_t findings_now; /* that a sweep would find, without acknowledged ones */
  bool foreign;
  int64_t waiting; /* rows that no judge has read */
  hm_vector_model *vectors;
  size_t n_vectors; /* of models, that the store keeps */
} store_health;

static int64_t count_at(const hm_json *object, const char *key) {
  const hm_json *v = hm_json_get(object, key);
  double d;
  return v && hm_str_read_double(v->text, &d) ? (int64_t)d : 0;
}

typedef struct {
  hm_cli *cli;
  store_health *h;
  size_t cap;
} open_conflicts;

static int count_open(void *ctx, const hm_conflict_answer *x, hm_err *err) {
  open_conflicts *o = ctx;
  store_health *h = o->h;
  hm_arena *a = o->cli->a;
  (void)err;
  h->disputed += x->disputed;
  if (!x->settled)
    return 0;
  h->settled_later =
      hm_array_grow_in(a, h->settled_later, (size_t)h->n_settled_later, &o->cap, sizeof(hm_str));
  h->settled_later[h->n_settled_later++] = hm_str_dup(a, x->id);
  return 0;
}

/* What a sweep tells: as recorded, while that holds. */
static int read_sweep(hm_cli *cli, store_health *h, const hm_answer_source *from) {
  const hm_sweep *w = from->sweep;
  const hm_finding *found;
  hm_finding *recorded;
  hm_map acked;
  size_t n, n_recorded;
  hm_verdict open = HM_OPEN;
  open_conflicts of = { .cli = cli, .h = h };
  if (hm_answers_visit(from, &open, NULL, count_open, &of, &cli->err) ||
      hm_answers_findings(from, cli->a, &found, &n, &cli->err) ||
      hm_store_findings(from->s, cli->a, &recorded, &n_recorded, &cli->err) ||
      hm_answers_counts(from, cli->a, &h->counted, &cli->err))
    return -1;
  hm_map_init(&acked, cli->a, n);
  for (size_t i = 0; i < n; i++)
    if (found[i].acked)
      hm_map_add(&acked, found[i].id, 0);
    else
      h->findings_now++;
  for (size_t i = 0; i < n_recorded; i++)
    h->acked += hm_map_get(&acked, recorded[i].id) != HM_MAP_NONE;
  h->findings = (int64_t)n_recorded - h->acked;
  h->unrecorded = w ? (int64_t)w->plan->opened : 0;
  h->projects = count_at(h->counted, "projects"); /* also those that only rows name */
  h->gaps = count_at(h->counted, "gaps");
  hm_silence_read(h->counted, cli->a, &h->silence);
  hm_compared_read(h->counted, &h->compared);
  return 0;
}

static int read_store(hm_cli *cli, store_health *h, const hm_answer_source *from) {
  hm_store *s = from->s;
  size_t n = 0;
  h->foreign = hm_store_is_foreign(s);
  if (hm_store_count_verdicts(s, h->conflicts, &cli->err) ||
      hm_store_count_sweeps(s, &h->sweeps, &cli->err) ||
      hm_journal_read_head(s, cli->a, &h->journal, &cli->err) ||
      hm_verdicts_all(s, cli->a, &h->verdicts, &n, &cli->err) ||
      hm_judge_queue_count(s, &h->waiting, &cli->err) ||
      hm_vectors_models(s, cli->a, &h->vectors, &h->n_vectors, &cli->err) ||
      hm_store_rule_verdicts(s, cli->a, &h->rules, &h->n_rules, &cli->err) ||
      hm_store_last_run(s, cli->a, &h->last, &h->swept, &cli->err))
    return -1;
  for (size_t i = 0; i < n; i++)
    if (h->verdicts[i].state == HM_VERDICT_WAITS)
      h->verdicts[h->n_verdicts++] = h->verdicts[i];
  return read_sweep(cli, h, from);
}

static int check_file(hm_cli *cli) {
  bool sound = false;
  hm_store *store = NULL;
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &store, &cli->err))
    return -1;
  hm_progress_phase(cli, "checking the store");
  int rc = hm_store_check(store, cli->a, &sound, &cli->err);
  hm_store_close(store);
  if (rc || sound)
    return rc;
  return hm_fail(&cli->err, HM_E_STORE, cli->mirror.store, "SQLite finds it damaged",
                 "export what can be read, or go back to a backup");
}

static int examine_store(hm_cli *cli, store_health *h) {
  hm_cli_answers x;
  h->checked = hm_cli_get_option(cli, "check");
  if ((h->checked && check_file(cli)) || hm_cli_open_answers(cli, &x))
    return -1;
  int rc = read_store(cli, h, &x.from);
  hm_cli_close_answers(&x);
  return rc;
}

static void counted_json(hm_cli *cli, hm_jw *j, const char *key, const hm_json *v) {
  hm_jw_raw(j, key, hm_json_as_text(v, cli->a));
}

/* They look like mistakes, and do not count for what holds now. */
static void ahead_lines(hm_cli *cli, const store_health *h) {
  const hm_json *ahead = hm_json_get(h->counted, "ahead_of_clock");
  const hm_json *times = hm_json_get_items(ahead, "times");
  int64_t n = count_at(ahead, "count"), shown = 0;
  if (!n)
    return;
  printf("  %-14s %s more than a day after the clock:\n", "ahead",
         hm_format_count_plural(cli->a, n, "time is", "times are"));
  for (const hm_json *t = times; t; t = t->next, shown++)
    printf("    %s %s %s\n", hm_terminal_line(cli->a, hm_json_get_text(t, "row"), 100),
           hm_terminal_line(cli->a, hm_json_get_text(t, "column"), 40),
           hm_terminal_line(cli->a, hm_json_get_text(t, "at"), 40));
  if (n > shown)
    printf("    and %s more\n", hm_format_thousands(cli->a, n - shown));
}

/* --- what hmirror does not know --------------------------------------------------- */

static void unknown_json(hm_cli *cli, hm_jw *j, const store_health *h) {
  hm_jw_obj(j, "unknown");
  counted_json(cli, j, "statuses", hm_json_get(h->counted, "unread_statuses"));
  hm_jw_arr(j, "types");
  for (size_t i = 0; i < h->silence.n; i++)
    if (!hm_memory_type_is_known(h->silence.types[i].type))
      hm_jw_str(j, NULL, h->silence.types[i].type);
  hm_jw_end(j);
  counted_json(cli, j, "times", hm_json_get(h->counted, "unread_times"));
  hm_jw_end(j);
}

/* Such a row claims nothing, whatever it says. */
static void status_line(hm_cli *cli, const store_health *h) {
  const hm_json *rows = hm_json_get(h->counted, "rows");
  const hm_json *word = hm_json_get_items(h->counted, "unread_statuses");
  int64_t all = 0;
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++)
    all += count_at(hm_json_get(rows, hm_layer_name(l)), hm_status_name(HM_STATUS_OTHER));
  if (!all)
    return;
  printf("  %-14s %s of an unknown status, which says nothing here:", "statuses",
         hm_format_count_plural(cli->a, all, "row is", "rows are"));
  for (int i = 0; word && i < WORDS_SHOWN; i++, word = word->next)
    printf("%s %s \"%s\" (%s)", i ? "," : "",
           hm_terminal_line(cli->a, hm_json_get_text(word, "kind"), 40),
           hm_terminal_line(cli->a, hm_json_get_text(word, "value"), 40),
           hm_format_thousands(cli->a, count_at(word, "rows")));
  if (word)
    printf(", and more");
  puts(h->foreign ? "; say what it means in mirror.yml: store.map: statuses" : "");
}

static void type_line(hm_cli *cli, const store_health *h) {
  size_t shown = 0, more = 0;
  for (size_t i = 0; i < h->silence.n; i++) {
    const hm_silence_type *t = &h->silence.types[i];
    if (hm_memory_type_is_known(t->type))
      continue;
    if (shown == WORDS_SHOWN) {
      more++;
      continue;
    }
    if (!shown)
      printf("  %-14s read as knowledge are memories of type", "types");
    printf("%s \"%s\" (%s)", shown++ ? "," : "", hm_terminal_line(cli->a, t->type, 40),
           hm_format_thousands(cli->a, t->active));
  }
  if (more)
    printf(", and %s", hm_format_count(cli->a, more, "more type"));
  if (shown)
    puts("");
}

static void time_lines(hm_cli *cli, const store_health *h) {
  const hm_json *first = hm_json_get_items(h->counted, "unread_times");
  if (!first)
    return;
  printf("  %-14s these are no times%s:\n", "times",
         h->foreign ? "; in mirror.yml, store.map, say the unit of numbers (times), and bring"
                      " texts into ISO 8601 (select)"
                    : "");
  for (const hm_json *v = first; v; v = v->next)
    printf("    %s of %s, such as \"%s\" of %s:%s\n",
           hm_terminal_line(cli->a, hm_json_get_text(v, "column"), 40),
           hm_format_count(cli->a, count_at(v, "rows"), "row"),
           hm_terminal_line(cli->a, hm_json_get_text(v, "value"), 40),
           hm_terminal_line(cli->a, hm_json_get_text(v, "kind"), 40),
           hm_terminal_line(cli->a, hm_json_get_text(v, "id"), 80));
}

/* --- verdicts ------------------------------------------------------------------------ */

static void verdicts_json(hm_jw *j, const store_health *h) {
  hm_jw_arr(j, "waiting_verdicts");
  for (size_t i = 0; i < h->n_verdicts; i++) {
    const hm_known_verdict *v = &h->verdicts[i];
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "verdict", v->line.id);
    hm_jw_str_or_null(j, "conflict", v->target.n ? v->target : v->line.conflict);
    hm_jw_str_or_null(j, "why", v->why);
    hm_jw_end(j);
  }
  hm_jw_end(j);
}

/* Verdicts that cannot be applied stay listed until a person decides again. */
static void verdict_lines(hm_cli *cli, const store_health *h) {
  if (!h->n_verdicts)
    return;
  size_t open = 0;
  for (size_t i = 0; i < h->n_verdicts; i++)
    open += h->verdicts[i].why.n > 0;
  printf(
      "  %-14s %s not carried out: %s for a conflict, %s the conflict open\n", "verdicts",
      hm_format_count_plural(cli->a, h->n_verdicts, "imported verdict is", "imported verdicts are"),
      hm_format_count_plural(cli->a, (h->n_verdicts - open), "waits", "wait"),
      hm_format_count_plural(cli->a, open, "leaves", "leave"));
  size_t shown = 0;
  for (size_t i = 0; i < h->n_verdicts && shown < VERDICTS_SHOWN; i++) {
    if (!h->verdicts[i].why.n)
      continue;
    shown++;
    printf("    conflict %s: %s\n", hm_terminal_line(cli->a, h->verdicts[i].target, 60),
           hm_terminal_line(cli->a, h->verdicts[i].why, 400));
  }
  if (shown < open)
    printf("    and %s more\n", hm_format_thousands(cli->a, (open - shown)));
}

static void rules_json(hm_jw *j, const store_health *h) {
  hm_jw_arr(j, "rules");
  for (size_t i = 0; i < h->n_rules; i++) {
    const hm_rule_verdicts *v = &h->rules[i];
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "id", v->rule);
    hm_jw_int(j, "settled", v->settled);
    hm_jw_int(j, "dismissed", v->dismissed);
    hm_jw_end(j);
  }
  hm_jw_end(j);
}

static void rule_lines(hm_cli *cli, const store_health *h) {
  for (size_t i = 0; i < h->n_rules; i++) {
    const hm_rule_verdicts *v = &h->rules[i];
    if (v->settled >= HM_VERDICTS_TOLD && 2 * v->dismissed > v->settled)
      printf("  %-14s %s: people dismissed %s of %s that they settled: less than half stands\n",
             "rule", hm_terminal_line(cli->a, v->rule, 80),
             hm_format_thousands(cli->a, v->dismissed), hm_format_thousands(cli->a, v->settled));
  }
}

/* --- the judge ------------------------------------------------------------------------ */

static void judge_json(hm_cli *cli, hm_jw *j, const store_health *h) {
  const char *off = hm_judging_why_off(&cli->mirror);
  hm_jw_obj(j, "judge");
  hm_jw_bool(j, "on", !off);
  hm_jw_str_or_null(j, "why", hm_str_c(off));
  hm_jw_str_or_null(j, "model", off ? HM_EMPTY : hm_str_c(cli->mirror.config.judge.model));
  hm_jw_int(j, "waiting", h->waiting);
  hm_jw_end(j);
}

static void judge_line(hm_cli *cli, const store_health *h) {
  const char *off = hm_judging_why_off(&cli->mirror);
  printf("  %-14s %s%s", "judge", off ? "off: " : "on: ",
         hm_terminal_line(cli->a, hm_str_c(off ? off : cli->mirror.config.judge.model), 200));
  if (h->waiting || !off)
    printf(", %s", hm_format_count_plural(cli->a, h->waiting, "row waits", "rows wait"));
  putchar('\n');
}

/* --- vectors ---------------------------------------------------------------------------- */

static void vectors_line(hm_cli *cli, const store_health *h) {
  const char *off = hm_embedding_why_off(&cli->mirror), *said = "; the store has ";
  hm_str model = hm_str_c(off ? NULL : cli->mirror.config.recall.model);
  printf("  %-14s %s%s", "vectors",
         off ? "built in: " : "on: ", hm_terminal_line(cli->a, off ? hm_str_c(off) : model, 200));
  for (size_t i = 0; i < h->n_vectors; i++) {
    const hm_vector_model *v = &h->vectors[i];
    if (off || !hm_str_eq(v->model, model))
      continue;
    printf(", %s", hm_format_count_plural(cli->a, (uint64_t)v->texts, "vector", "vectors"));
    if (v->withheld)
      printf(", %s withheld",
             hm_format_count_plural(cli->a, (uint64_t)v->withheld, "text", "texts"));
  }
  for (size_t i = 0; i < h->n_vectors; i++) {
    const hm_vector_model *v = &h->vectors[i];
    if (!off && hm_str_eq(v->model, model))
      continue;
    printf("%s%s of %s", said,
           hm_format_count_plural(cli->a, (uint64_t)v->texts, "vector", "vectors"),
           hm_terminal_line(cli->a, v->model, 200));
    said = ", ";
  }
  putchar('\n');
}

static int print_health_json(hm_cli *cli, const store_health *h) {
  int64_t open = h->conflicts[HM_OPEN];
  hm_jw *j = hm_cli_json_begin(cli);
  hm_jw_str(j, "store", hm_str_c(cli->mirror.store));
  if (h->checked)
    hm_jw_bool(j, "integrity_ok", true);
  hm_jw_int(j, "projects", h->projects);
  counted_json(cli, j, "rows", hm_json_get(h->counted, "rows"));
  hm_silence_json(j, &h->silence);
  hm_compared_json(j, &h->compared);
  counted_json(cli, j, "ahead_of_clock", hm_json_get(h->counted, "ahead_of_clock"));
  unknown_json(cli, j, h);
  verdicts_json(j, h);
  hm_jw_int(j, "links", count_at(h->counted, "links"));
  hm_jw_int(j, "open_conflicts_count", open);
  hm_jw_int(j, "disputed_count", h->disputed);
  hm_jw_int(j, "signoff", open - h->disputed);
  hm_jw_int(j, "settled_later", h->n_settled_later);
  hm_jw_strs(j, "settled_later_ids", h->settled_later, (size_t)h->n_settled_later);
  hm_jw_int(j, "unrecorded", h->unrecorded);
  hm_jw_int(j, "resolved", h->conflicts[HM_RESOLVED]);
  hm_jw_int(j, "dismissed", h->conflicts[HM_DISMISSED]);
  rules_json(j, h);
  hm_jw_int(j, "findings", h->findings);
  hm_jw_int(j, "acknowledged", h->acked);
  hm_jw_int(j, "gaps", h->gaps);
  judge_json(cli, j, h);
  hm_embedding_json(j, hm_embedding_why_off(&cli->mirror), cli->mirror.config.recall.model,
                    h->vectors, h->n_vectors);
  hm_jw_int(j, "sweeps", h->sweeps);
  hm_jw_int(j, "journal", h->journal.seq);
  hm_str last = h->last.finished_at.n ? h->last.finished_at : h->last.started_at;
  hm_jw_str_or_null(j, "last_sweep", h->swept ? last : HM_EMPTY);
  hm_sweep_run_json(j, "last_run", h->swept ? &h->last : NULL);
  return hm_cli_json_end(cli);
}

static void print_rows(hm_cli *cli, const store_health *h, hm_layer l) {
  const hm_json *rows = hm_json_get(hm_json_get(h->counted, "rows"), hm_layer_name(l));
  int64_t all = 0;
  for (hm_status s = HM_CANDIDATE; s <= HM_STATUS_OTHER; s++)
    all += count_at(rows, hm_status_name(s));
  printf("  %-14s %s", hm_layer_name(l), hm_format_thousands(cli->a, all));
  const char *sep = " (";
  for (hm_status s = HM_CANDIDATE; s <= HM_STATUS_OTHER; s++) {
    int64_t n = count_at(rows, hm_status_name(s));
    if (!n)
      continue;
    printf("%s%s %s", sep, hm_format_thousands(cli->a, n), hm_status_name(s));
    sep = ", ";
  }
  puts(all ? ")" : "");
}

static void settled_lines(hm_cli *cli, const store_health *h) {
  if (!h->n_settled_later)
    return;
  printf("  %-14s %s settled by a later statement, awaiting sign-off:", "",
         hm_format_thousands(cli->a, h->n_settled_later));
  for (int64_t i = 0; i < h->n_settled_later && i < SETTLED_SHOWN; i++)
    printf(" %s", hm_terminal_line(cli->a, h->settled_later[i], 0));
  puts(h->n_settled_later > SETTLED_SHOWN ? " ..." : "");
}

static int print_health(hm_cli *cli, const store_health *h) {
  int64_t open = h->conflicts[HM_OPEN];
  printf("%s: %s%s\n", cli->mirror.store, h->checked ? "sound, " : "",
         hm_format_count(cli->a, h->projects, "project"));
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++)
    print_rows(cli, h, l);
  hm_print_silence(cli, &h->silence);
  printf("  %-14s %s open: %s%s disputed%s, %s awaiting sign-off; %s resolved, %s dismissed\n",
         "conflicts", hm_format_thousands(cli->a, open), h->disputed ? cli->yellow : "",
         hm_format_thousands(cli->a, h->disputed), cli->plain,
         hm_format_thousands(cli->a, open - h->disputed),
         hm_format_thousands(cli->a, h->conflicts[HM_RESOLVED]),
         hm_format_thousands(cli->a, h->conflicts[HM_DISMISSED]));
  printf("  %-14s %s\n", "", hm_compared_text(cli->a, &h->compared).p);
  settled_lines(cli, h);
  printf("  %-14s %s", "findings", hm_format_thousands(cli->a, h->findings));
  if (h->acked)
    printf(", %s more acknowledged", hm_format_thousands(cli->a, h->acked));
  putchar('\n');
  if (h->gaps)
    printf("  %-14s %s not known yet\n", "gaps", hm_format_count(cli->a, h->gaps, "value"));
  rule_lines(cli, h);
  status_line(cli, h);
  type_line(cli, h);
  time_lines(cli, h);
  ahead_lines(cli, h);
  verdict_lines(cli, h);
  judge_line(cli, h);
  vectors_line(cli, h);
  if (h->swept)
    hm_print_sweep_run(cli, &h->last);
  else
    printf("  %-14s never\n", "last sweep");
  if (h->unrecorded)
    hm_note(cli, "%s not recorded yet: run 'hmirror sweep'",
            hm_format_count_plural(cli->a, h->unrecorded, "dispute is", "disputes are"));
  if (h->findings_now != h->findings)
    hm_note(cli, "a sweep would find %s now: run 'hmirror sweep'",
            hm_format_count(cli->a, h->findings_now, "finding"));
  return HM_EXIT_FINE;
}

/* --- what is not known ------------------------------------------------------------ */

static int list_gaps(hm_cli *cli) {
  hm_sweep w;
  hm_gap *gaps;
  uint32_t project;
  size_t n, kept = 0;
  if (hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ 0 }, &w, &cli->err))
    return -1;
  int rc = hm_cli_read_project(cli, w.snap, &project);
  hm_gaps_collect(w.snap, w.claims, NULL, NULL, cli->a, &gaps, &n);
  hm_finding *f = hm_alloc_array(cli->a, n, sizeof *f);
  for (size_t i = 0; i < n; i++)
    if (project == HM_MAP_NONE || gaps[i].project == project)
      f[kept++] = hm_gap_finding(w.snap, &gaps[i], cli->a);
  hm_progress_end_phase(cli);
  if (!rc && cli->json) {
    hm_jw *j = hm_cli_json_begin(cli);
    hm_findings_json(j, f, kept);
    hm_jw_int(j, "count", kept);
    rc = hm_cli_json_end(cli);
  } else if (!rc) {
    for (size_t i = 0; i < kept; i++)
      printf("%s\n", hm_terminal_line(cli->a, f[i].message, 300));
    if (!kept)
      puts("No gaps.");
  }
  hm_sweep_free(&w);
  return rc;
}

static int run_health(hm_cli *cli) {
  store_health h = { 0 };
  if (hm_cli_get_option(cli, "gaps"))
    return list_gaps(cli);
  if (hm_cli_get_option(cli, "project"))
    return hm_fail_usage(cli, "--project", "it goes with --gaps", "give both, or leave it out");
  if (examine_store(cli, &h))
    return -1;
  hm_progress_end_phase(cli);
  int rc = cli->json ? print_health_json(cli, &h) : print_health(cli, &h);
  if (rc)
    return rc;
  bool found = h.disputed || h.unrecorded || h.findings_now;
  return found && hm_cli_get_option(cli, "exit-code") ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

const hm_command hm_cmd_health = {
  .name = "health",
  .words = "",
  .brief = "counts, open conflicts, and whether the store is sound",
  .about =
      "Shows what the store holds, by layer and status; how many active rows claim nothing; how "
      "many\n"
      "conflicts are open, and still disagree; the last sweep; times of rows ahead of the clock, "
      "which\n"
      "do not count. --check has SQLite check the whole file. --gaps lists instead the slots of "
      "which\n"
      "rows say only that the value is not known (TBD, unknown, n/a, ?). Nothing is written.\n",
  .options = health_options,
  .exits = "0  done\n1  with --exit-code: disputes or findings\n2  trouble, or a damaged store\n",
  .examples = "hmirror health --format json\nhmirror health --gaps --project p05\n"
              "hmirror health -q --exit-code || mail-the-team\n",
  .run = run_health
};
