/* recall: the rows that answer a question. */
#include <stdio.h>
#include <string.h>

#include "core/claim/trace.h"
#include "core/recall/answer.h"
#include "core/record/given.h"
#include "core/review/nearest.h"
#include "core/review/recalled.h"
#include "core/review/write.h"
#include "core/store/recall_tables.h"
#include "gen/verbs/commands.h"
#include "gen/cli/conflict_text.h"
#include "gen/mirror/embedding.h"

enum { TEXT_SHOWN = 300, NAME_SHOWN = 80, REF_SHOWN = 200 };

static const hm_option recall_options[] = {
  { "hits", 'k', "N", "at most so many rows, 1 to 1000; 5" },
  { "mode", 0, "likeness|hybrid", "by likeness alone, or by words, age, importance, too; hybrid" },
  { "type", 't', "TYPE", "of this type only" },
  { "tag", 0, "TAG", "with this tag only" },
  { "project", 'p', "P", "of this project only, by id, alias or name" },
  { "min-importance", 0, "N", "of this importance or more, 0 to 1" },
  { "as-of", 0, "TIME", "what held then, of what was written by then" },
  { "was-true-at", 0, "TIME", "what may have held then, whenever it was written; also a year" },
  { "clock", 0, "TIME", "take this for now" },
  { "include-superseded", 0, NULL, "superseded rows themselves, too" },
  { "any", 0, NULL, "the nearest rows also where none fits" },
  { "weights", 0, "NAME=N,...", "likeness=0.55,lexical=0.20,recency=0.15,importance=0.10" },
  { "overfetch", 0, "N", "look at N times as many rows as are shown, 1 to 100; 4" },
  { "expand", 0, "REL,...", "show what these links lead to, too; '*' for all, both ways" },
  { "depth", 0, "N", "expand: so many links deep, 1 to 10; 1" },
  { "cap", 0, "N", "expand: at most so many rows, 1 to 1000; 5" },
  { "rebuild", 0, NULL, "first throw away the vectors of models" },
  { "touch", 0, NULL, "say in the journal that the hits were used" },
  { 0 },
};

static hm_recall_option_texts read_recall_options(const hm_cli *cli) {
  return (hm_recall_option_texts){
    .k = hm_str_c(hm_cli_get_option(cli, "hits")),
    .mode = hm_str_c(hm_cli_get_option(cli, "mode")),
    .type = hm_str_c(hm_cli_get_option(cli, "type")),
    .tag = hm_str_c(hm_cli_get_option(cli, "tag")),
    .project = hm_str_c(hm_cli_get_option(cli, "project")),
    .min_importance = hm_str_c(hm_cli_get_option(cli, "min-importance")),
    .as_of = hm_str_c(hm_cli_get_option(cli, "as-of")),
    .true_at = hm_str_c(hm_cli_get_option(cli, "was-true-at")),
    .clock = hm_str_c(hm_cli_get_option(cli, "clock")),
    .weights = hm_str_c(hm_cli_get_option(cli, "weights")),
    .overfetch = hm_str_c(hm_cli_get_option(cli, "overfetch")),
    .expand = hm_str_c(hm_cli_get_option(cli, "expand")),
    .depth = hm_str_c(hm_cli_get_option(cli, "depth")),
    .cap = hm_str_c(hm_cli_get_option(cli, "cap")),
    .include_superseded = hm_cli_get_option(cli, "include-superseded"),
    .below_floor = hm_cli_get_option(cli, "any"),
  };
}

/* --- text --------------------------------------------------------------------------- */

static void print_ties(hm_cli *cli, const hm_recaller *r, uint32_t row,
                       const hm_recall_context *ties, const hm_standings *standings) {
  const hm_snapshot *s = hm_recall_snapshot(hm_recaller_rows(r));
  hm_print_standing(cli, hm_standing_of(standings, hm_row_ref(cli->a, &s->rows[row])), 3);
  for (size_t i = 0; i < ties->n_links; i++) {
    const hm_link *l = &ties->links[i];
    bool out = hm_snapshot_ref(s, HM_MEMORY, l->src) == row;
    printf("   %s%s %s %s%s\n", cli->dim, out ? "->" : "<-",
           hm_terminal_line(cli->a, l->rel, NAME_SHOWN),
           hm_terminal_line(cli->a, out ? l->dst : l->src, REF_SHOWN), cli->plain);
  }
}

/* "memory:m1  knowledge, p05, trust 1, 2026-04-02, meeting 3". */
static void print_head(hm_cli *cli, const hm_snapshot *s, uint32_t row,
                       const hm_standings *standings) {
  const hm_row *v = &s->rows[row];
  hm_str project = s->projects[v->project].id;
  printf("%s%s%s  %s%s%s%strust %d", cli->bold,
         hm_terminal_line(cli->a, hm_row_ref(cli->a, v), REF_SHOWN), cli->plain,
         hm_terminal_line(cli->a, v->type, NAME_SHOWN), v->type.n ? ", " : "",
         hm_terminal_line(cli->a, project, NAME_SHOWN), project.n ? ", " : "",
         hm_layer_trust(v->layer));
  hm_str date = hm_row_text_date(s, row);
  if (date.n)
    printf(", %s", hm_terminal_line(cli->a, hm_str_sub(date, 0, 10), NAME_SHOWN));
  const hm_standing *of = hm_standing_of(standings, hm_row_ref(cli->a, v));
  if (of->given.by.n)
    printf(", %s", hm_terminal_line(cli->a, of->given.by, NAME_SHOWN));
  if (v->superseded_by.n)
    printf(", superseded by %s", hm_terminal_line(cli->a, v->superseded_by, REF_SHOWN));
  putchar('\n');
}

static void print_answer(hm_cli *cli, const hm_recaller *r, const hm_recall_answer *x,
                         const hm_standings *standings) {
  const hm_recall_index *rows = hm_recaller_rows(r);
  const hm_snapshot *s = hm_recall_snapshot(rows);
  for (size_t i = 0; i < x->n; i++) {
    const hm_recall_hit *h = &x->hits[i];
    printf("%zu. ", i + 1);
    print_head(cli, s, h->row, standings);
    printf("   %s\n", hm_terminal_line(cli->a, hm_recall_text(rows, h->row), TEXT_SHOWN));
    printf("   %sscore %.3f: likeness %.3f, lexical %.3f, recency %.3f, importance %.2f%s\n",
           cli->dim, h->score, h->likeness, h->lexical, h->recency, h->importance, cli->plain);
    print_ties(cli, r, h->row, &x->hit_ties[i], standings);
  }
  for (size_t i = 0; i < x->n_neighbors; i++) {
    const hm_recall_neighbor *n = &x->neighbors[i];
    printf("+ ");
    print_head(cli, s, n->row, standings);
    if (n->row < hm_recall_text_count(rows))
      printf("   %s\n", hm_terminal_line(cli->a, hm_recall_text(rows, n->row), TEXT_SHOWN));
    print_ties(cli, r, n->row, &x->neighbor_ties[i], standings);
  }
  if (!x->n && !cli->quiet)
    puts("Nothing in the store fits the question.");
}

/* --- vectors of a model ----------------------------------------------------------------- */

static int drop_vectors(hm_cli *cli) {
  hm_store *writer = NULL;
  if (hm_cli_open_writer(cli, false, &writer))
    return -1;
  int rc = hm_store_begin(writer, true, &cli->err);
  if (!rc)
    rc = hm_vectors_clear(writer, &cli->err) ? -1 : hm_store_commit(writer, &cli->err);
  hm_store_close(writer);
  return rc;
}

/* Vectors of the model for all rows: those that the store lacks are made first. What goes wrong
 * with that is in *note. */
static int update_vectors(hm_cli *cli, hm_store *store, const hm_recaller *r,
                          hm_embed_vectors *rows, hm_str *note) {
  const hm_recall_index *x = hm_recaller_rows(r);
  const hm_str model = hm_str_c(cli->mirror.config.recall.model);
  hm_err err = { 0 };
  if (hm_embed_vectors_read(store, x, model, cli->a, rows, &cli->err))
    return -1;
  /* A store that cannot be written to keeps them: they do no harm to the answer. */
  if (rows->n_stale)
    hm_embedding_prune(&cli->mirror, rows->stale, rows->n_stale, &err);
  err = (hm_err){ 0 };
  if (!rows->n_missing)
    return 0;
  hm_note(cli, "having %s make vectors of %s%s", model.p,
          hm_format_count_plural(cli->a, rows->n_missing, "text", "texts"),
          hm_embedding_format_other_models(store, model, cli->a).p);
  hm_progress_phase(cli, "making vectors");
  if (hm_embedding_build(&cli->mirror, rows->missing, rows->n_missing, rows->dims, NULL, NULL,
                         &err)) {
    char line[1100];
    hm_err_format_line(&err, line, sizeof line);
    *note = HM_CAT(cli->a, HM_STR("answered by the built-in vectors: "), hm_str_c(line));
  }
  hm_progress_end_phase(cli);
  /* Of a foreign store the review file may be new: the open connection does not know it. */
  hm_store *now = NULL;
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &now, &cli->err))
    return -1;
  int rc = hm_embed_vectors_read(now, x, model, cli->a, rows, &cli->err);
  hm_store_close(now);
  return rc;
}

/* By what the question is compared; *by_model false: by the built-in vectors. */
static int choose_vectors(hm_cli *cli, hm_store *store, const hm_recaller *r, hm_str query,
                          hm_recall_model *model, bool *by_model, hm_str *note) {
  hm_embed_vectors rows = { 0 };
  hm_str failed = HM_EMPTY;
  if (!hm_embedding_why_off(&cli->mirror) && update_vectors(cli, store, r, &rows, &failed))
    return -1;
  *by_model = hm_embedding_embed_question(&cli->mirror, store, &rows, query, model, note);
  if (failed.n)
    *note = failed;
  if (note->n)
    hm_note(cli, "%s", note->p);
  cli->trust_told = note->n && !cli->quiet; /* it says so */
  return 0;
}

/* --- a question --------------------------------------------------------------------------- */

static int touch_hits(hm_cli *cli, const hm_recaller *r, const hm_recall_answer *x) {
  const hm_snapshot *s = hm_recall_snapshot(hm_recaller_rows(r));
  hm_str *refs = hm_alloc_array(cli->a, x->n + 1, sizeof *refs);
  hm_store *writer = NULL;
  hm_actor who;
  for (size_t i = 0; i < x->n; i++)
    refs[i] = hm_row_ref(cli->a, &s->rows[x->hits[i].row]);
  if (hm_mirror_actor(&cli->mirror, &who, &cli->err) || hm_cli_open_writer(cli, false, &writer))
    return -1;
  int rc = hm_review_touch(writer, &who, refs, x->n, cli->a, &cli->err);
  hm_store_close(writer);
  return rc;
}

/* Options are refused by their names in a request: as_of is --as-of, k is --hits. What is said of a
 * project names it. */
static int name_option(hm_err *err) {
  const char *field = strcmp(err->field, "k") == 0 ? "hits" : err->field;
  if (!*field || strcmp(field, "project") == 0)
    return -1;
  snprintf(err->what, sizeof err->what, "--%s", field);
  for (char *c = err->what; *c; c++)
    if (*c == '_')
      *c = '-';
  return -1;
}

static int print_context(hm_cli *cli, const hm_recaller *r, hm_str task, const hm_recall_answer *x,
                         const hm_standings *standings, size_t tokens) {
  hm_context c;
  hm_recalled_context(r, standings, x, tokens, cli->a, &c);
  if (cli->json) {
    hm_buf b = { 0 };
    hm_context_json(task, &c, &b);
    return hm_cli_print_json(cli, &b);
  }
  for (size_t i = 0; i < c.n; i++)
    printf("- %s\n", hm_terminal_line(cli->a, c.lines[i], 0));
  if (c.left && !cli->quiet)
    printf("%zu more do not fit into %zu tokens.\n", c.left, tokens);
  if (!x->n && !cli->quiet)
    puts("Nothing in the store fits the task.");
  return HM_EXIT_FINE;
}

/* tokens: of context; 0: recall. */
static int answer_query(hm_cli *cli, const hm_cli_answers *now, const hm_recaller *r, hm_str query,
                        size_t tokens) {
  hm_store *store = now->store;
  hm_recall_option_texts texts = read_recall_options(cli);
  hm_recall_options opt;
  hm_recall_expand expand;
  hm_recall_answer x;
  hm_recall_model model;
  bool by_model;
  hm_str note;
  hm_standings *standings = NULL;
  size_t n;
  if (hm_recall_options_parse(hm_recaller_rows(r), &texts, cli->a, &opt, &expand, &cli->err))
    return name_option(&cli->err);
  if (tokens)
    opt.k = HM_CONTEXT_HITS;
  if (choose_vectors(cli, store, r, query, &model, &by_model, &note))
    return -1;
  if (hm_store_begin(store, false, &cli->err))
    return -1;
  const hm_recall_model *by = by_model ? &model : NULL;
  int rc = tokens ? hm_recaller_ask_task(r, store, query, &opt, by, cli->a, &x, &cli->err)
                  : hm_recaller_ask(r, store, query, &opt, &expand, by, cli->a, &x, &cli->err);
  if (!rc) {
    const hm_str *refs = hm_recall_refs(r, &x, cli->a, &n);
    rc = hm_standings_read(&now->from, refs, n, cli->a, &standings, &cli->err);
  }
  hm_store_rollback(store);
  if (!rc)
    hm_recalled_order(r, standings, &x, cli->a);
  x.note = note;
  if (rc || (hm_cli_get_option(cli, "touch") && touch_hits(cli, r, &x)))
    return -1;
  if (tokens)
    return print_context(cli, r, query, &x, standings, tokens);
  if (cli->json) {
    hm_buf b = { 0 };
    hm_recall_json(r, &x, hm_standing_tell_ids, standings, cli->a, &b);
    return hm_cli_print_json(cli, &b);
  }
  print_answer(cli, r, &x, standings);
  return HM_EXIT_FINE;
}

static int answer(hm_cli *cli, size_t tokens) {
  hm_cli_answers now;
  hm_str query = hm_str_c(cli->args.words[0]);
  for (size_t i = 1; i < cli->args.n_words; i++)
    query = HM_CAT(cli->a, query, HM_STR(" "), hm_str_c(cli->args.words[i]));
  if (hm_cli_get_option(cli, "rebuild") && drop_vectors(cli))
    return -1;
  hm_progress_phase(cli, "reading");
  if (hm_cli_open_answers(cli, &now))
    return -1;
  hm_snapshot *snap;
  int rc = hm_cli_read_snapshot(cli, &now, &snap);
  hm_store_rollback(now.store); /* so that vectors can be stored */
  hm_recaller *r =
      rc ? NULL : hm_recaller_new(snap, &cli->mirror.config.rules, cli->mirror.threads);
  hm_progress_end_phase(cli);
  if (!rc)
    rc = answer_query(cli, &now, r, query, tokens);
  hm_recaller_free(r);
  hm_cli_close_answers(&now);
  return rc;
}

static int run_recall(hm_cli *cli) { return answer(cli, 0); }

const hm_command hm_cmd_recall = {
  .name = "recall",
  .words = "QUESTION...",
  .brief = "find the memories, entities and states that answer a question",
  .about =
      "Shows the rows that hold and fit the words best, each with its score's parts, layer,\n"
      "trust, links and open conflicts; in place of a superseded row the one that took its place.\n"
      "Nothing is written, and nothing is sent anywhere,\n"
      "unless recall.url in mirror.yml names a model: then texts and questions are.\n",
  .options = recall_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror recall which linter do we use\n"
              "hmirror recall 'PR #441' -k 3 --project atlas --format json\n"
              "hmirror recall deploy window --as-of 2026-03-01 --weights recency=0\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_recall
};

/* --- context ------------------------------------------------------------------------------- */

static int run_context(hm_cli *cli) {
  uint64_t tokens = HM_CONTEXT_TOKENS;
  bool given;
  if (hm_cli_read_number(cli, "tokens", HM_CONTEXT_TOKENS_MAX, &tokens, &given))
    return -1;
  return answer(cli, !given || !tokens ? HM_CONTEXT_TOKENS : (size_t)tokens);
}

static const hm_option context_options[] = {
  { "tokens", 0, "N", "so many tokens at most, to 8000; 300" },
  { "project", 'p', "P", "of this project only, by id, alias or name" },
  { "as-of", 0, "TIME", "what held then, of what was written by then" },
  { "was-true-at", 0, "TIME", "what may have held then, whenever it was written; also a year" },
  { 0 },
};

const hm_command hm_cmd_context = {
  .name = "context",
  .words = "TASK...",
  .brief = "the facts that somebody should have for a task, as plain lines",
  .about =
      "Prints the rows that fit the task, or one of its first sentences, best, a line each,\n"
      "as many as fit into a budget of tokens. A disputed one says what its other sides say.\n",
  .options = context_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror context write the backup runbook\n"
              "hmirror context 'plan the release' --tokens 150 --project atlas\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_context
};

/* --- alike ------------------------------------------------------------------------------- */

/* The row that the words name; HM_MAP_NONE: they are a text. */
static uint32_t find_alike_row(hm_cli *cli, const hm_sweep *w) {
  hm_err no_row = { 0 };
  uint32_t row;
  if (cli->args.n_words == 1 &&
      !hm_trace_find_row(w->snap, hm_str_c(cli->args.words[0]), cli->a, &row, &no_row))
    return row;
  return HM_MAP_NONE;
}

static int answer_alike(hm_cli *cli, const hm_sweep *w) {
  hm_str text = hm_str_c(cli->args.words[0]), project;
  uint32_t row = find_alike_row(cli, w), in = HM_MAP_NONE;
  hm_alike_row *v;
  for (size_t i = 1; i < cli->args.n_words; i++)
    text = HM_CAT(cli->a, text, HM_STR(" "), hm_str_c(cli->args.words[i]));
  if (hm_cli_read_project(cli, w->snap, &in))
    return -1;
  if (!hm_str_trim(text).n)
    return hm_fail(&cli->err, HM_E_USAGE, "alike", "no row and no word was given",
                   "give a row or a sentence");
  if (in != HM_MAP_NONE)
    project = w->snap->projects[in].id;
  size_t n = row != HM_MAP_NONE ? hm_nearest_to_row(w, row, w, cli->mirror.threads, cli->a, &v)
                                : hm_nearest_to_text(text, in == HM_MAP_NONE ? NULL : &project, w,
                                                     cli->mirror.threads, cli->a, &v);
  if (cli->json) {
    hm_jw *j = hm_cli_json_begin(cli);
    hm_jw_str_or_null(j, "row",
                      row == HM_MAP_NONE ? HM_EMPTY : hm_row_ref(cli->a, &w->snap->rows[row]));
    hm_alike_json(j, v, n, cli->a);
    return hm_cli_json_end(cli);
  }
  hm_print_alike(cli, v, n);
  if (!n && !cli->quiet)
    puts("Nothing else is about the same thing, or it was compared or judged already.");
  return HM_EXIT_FINE;
}

static int run_alike(hm_cli *cli) {
  hm_sweep w;
  if (hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ .details = true }, &w, &cli->err))
    return -1;
  hm_progress_end_phase(cli);
  int rc = answer_alike(cli, &w);
  hm_sweep_free(&w);
  return rc;
}

static const hm_option alike_options[] = {
  { "project", 'p', "P", "a text: of this project only, by id, alias or name" }, { 0 }
};

const hm_command hm_cmd_alike = {
  .name = "alike",
  .words = "ROW|TEXT...",
  .brief = "find rows about the same thing that no rule compared",
  .about =
      "Lists up to eight active rows of the same project and the global one that are about the\n"
      "same thing as ROW, or as a sentence, nearest first, and what differs in their words. Rules\n"
      "did not compare them: whether they contradict each other is for a reader to say. Every\n"
      "answer to a write has them, too.\n",
  .options = alike_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror alike memory:m1\n"
              "hmirror alike Invoices must be kept for ten years -p billing --format json\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_alike
};
