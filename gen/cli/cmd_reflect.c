/* reflect: several episodic memories become one. */
#include <stdio.h>
#include <string.h>
#include "core/review/reflect.h"
#include "gen/cli/commands.h"

enum { REF_SHOWN = 200 };

/* The values of --ids, and the words. */
static size_t read_ids(hm_cli *cli, hm_str **out) {
  hm_str *given;
  size_t n = hm_args_list(&cli->args, "ids", cli->a, &given);
  *out = hm_alloc_array(cli->a, n + cli->args.n_words, sizeof **out);
  if (n) memcpy(*out, given, n * sizeof **out);
  for (size_t i = 0; i < cli->args.n_words; i++) (*out)[n++] = hm_str_c(cli->args.words[i]);
  return n;
}

static void print_redacted(hm_cli *cli, const hm_reflected *r, bool dry) {
  const hm_redacted *d = &r->redacted;
  printf("%s: %s\n", dry ? "would be redacted" : "redacted",
         hm_count_words(cli->a, d->n_changed, "memory", "memories"));
  for (size_t i = 0; i < d->n_others; i++)
    printf("holds what one of them said, and stays: %s\n",
           hm_show(cli->a, hm_redact_shown(d, d->others[i], cli->a), REF_SHOWN));
  if (d->not_compacted.code)
    hm_note(cli, "the file could not be rewritten, and may still hold it: %s",
            d->not_compacted.why);
}

static int print_reflected(hm_cli *cli, const hm_reflected *r, bool dry) {
  const hm_written *w = &r->written;
  const char *ref = hm_show(cli->a, w->ref, REF_SHOWN);
  if (cli->json) {
    hm_buf b = { 0 };
    hm_reflected_json(&b, r, dry, cli->a);
    return hm_json_print(cli, &b);
  }
  if (cli->quiet) return puts(ref) < 0 ? -1 : 0;
  printf("%s: %s\n", dry ? "dry run, would be added" : "added", ref);
  for (size_t i = 0; i < r->n_sources; i++)
    printf("  derived_from %s, superseded\n", hm_show(cli->a, r->sources[i], REF_SHOWN));
  if (r->hard) print_redacted(cli, r, dry);
  for (size_t i = 0; i < w->n_conflicts; i++)
    printf("%s⚠ disputed%s: %s\n", cli->yellow, cli->plain,
           hm_show(cli->a, w->conflicts[i], REF_SHOWN));
  for (size_t i = 0; i < w->n_quieted; i++)
    printf("no longer disputed, awaiting sign-off: %s\n",
           hm_show(cli->a, w->quieted[i], REF_SHOWN));
  for (size_t i = 0; i < w->n_warnings; i++)
    hm_note(cli, "%s", hm_show(cli->a, w->warnings[i], 0));
  return 0;
}

static int run_reflect(hm_cli *cli) {
  hm_store *store = NULL;
  hm_reflected out;
  hm_str *ids;
  hm_reflect_order order = { .n_rows = read_ids(cli, &ids),
                             .text = hm_str_c(hm_cli_option(cli, "text")),
                             .type = hm_str_c(hm_cli_option(cli, "type")),
                             .project = hm_str_c(hm_cli_option(cli, "project")),
                             .id = hm_str_c(hm_cli_option(cli, "id")),
                             .hard = hm_cli_option(cli, "hard") };
  hm_review r = { .rules = &cli->mirror.config.rules, .dry_run = hm_cli_option(cli, "dry-run") };
  order.rows = ids;
  if (hm_mirror_actor(&cli->mirror, &r.who, &cli->err)) return -1;
  r.who.why = hm_str_trim(hm_str_c(hm_cli_option(cli, "reason")));
  if (hm_cli_open_writer(cli, r.dry_run, &store)) return -1;
  hm_phase(cli, "writing; the first write makes the index of claims");
  int rc = hm_review_reflect(store, &r, &order, cli->a, &out, &cli->err);
  hm_store_close(store);
  hm_phase_end(cli);
  return rc ? -1 : print_reflected(cli, &out, r.dry_run);
}

static const hm_option reflect_options[] = {
  { "ids", 0, "ID,ID", "the memories, repeatable; also as words" },
  { "text", 0, "TEXT", "what they come to" },
  { "type", 't', "TYPE", "memory_type of the summary; knowledge" },
  { "project", 'p', "P", "project of the summary; that of the memories" },
  { "id", 0, "ID", "id of the summary; made from it unless given" },
  { "hard", 0, NULL, "also take what the memories say out of the store, and keep their ids" },
  { "reason", 0, "TEXT", "why, for the journal; with --hard readers see it in place of the text" },
  { "dry-run", 'n', NULL, "write nothing; say what would be written and contradicted" },
  { 0 }
};

const hm_command hm_cmd_reflect = {
  .name = "reflect",
  .words = "[MEMORY...]",
  .brief = "make one memory of several episodic ones",
  .about = "Adds a memory that says --text. The named memories, which must be episodic and\n"
           "active, are superseded by it, and it is linked with each as derived_from: what it\n"
           "came from can always be seen. 'restore' brings one back. What the new memory\n"
           "contradicts is recorded as a conflict and shown.\n",
  .options = reflect_options,
  .exits = "0  stored, whatever it contradicts\n2  trouble, with a message; nothing was stored\n",
  .examples =
      "hmirror reflect --ids m11,m12,m13 --text 'The interferometer drifts when the door is open'\n"
      "hmirror reflect --ids m11 m12 --text 'Builds fail on Mondays' --hard --reason 'raw logs'\n",
  .most_words = -1,
  .run = run_reflect
};
