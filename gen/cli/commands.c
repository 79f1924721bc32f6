/* The table of verbs, in the order of help, and the options of all. */
#include <string.h>
#include "core/base/near.h"
#include "gen/cli/commands.h"

const hm_option hm_global_options[] = {
  { "directory", 'C', "DIR", "work in DIR; given again, relative to the one before" },
  { "config", 0, "F", "read F instead of mirror.yml" },
  { "store", 0, "F", "the file that holds the facts (config: store)" },
  { "format", 0, "text|json", "how results are written; text" },
  { "threads", 'j', "N", "threads, 0 for one a core (config: threads)" },
  { "by", 0, "NAME", "who the journal names for changes; $USER" },
  { "quiet", 'q', NULL, "errors and asked-for results only" },
  { "verbose", 'v', NULL, "say what is done, on standard error" },
  { "color", 0, "auto|always|never", "colours in text; auto" },
  { "help", 'h', NULL, "show help and end" },
  { "version", 0, NULL, "show the version and end" },
  { 0 }
};

const hm_command *const hm_commands[] = {
  &hm_cmd_init, &hm_cmd_import, &hm_cmd_export, &hm_cmd_add, &hm_cmd_edit, &hm_cmd_promote,
  &hm_cmd_graduate, &hm_cmd_reflect,
  &hm_cmd_sweep, &hm_cmd_judge,
  &hm_cmd_build, &hm_cmd_publish, &hm_cmd_check, &hm_cmd_verify, &hm_cmd_conflicts,
  &hm_cmd_findings, &hm_cmd_flag, &hm_cmd_unflag,
  &hm_cmd_supersede, &hm_cmd_restore, &hm_cmd_redact,
  &hm_cmd_recall,
  &hm_cmd_link, &hm_cmd_unlink, &hm_cmd_neighbors, &hm_cmd_subgraph,
  &hm_cmd_explain, &hm_cmd_impact, &hm_cmd_evidence, &hm_cmd_query, &hm_cmd_rules,
  &hm_cmd_log, &hm_cmd_diff, &hm_cmd_health, &hm_cmd_serve, &hm_cmd_mcp, &hm_cmd_theme,
  &hm_cmd_adopt,
  &hm_cmd_completion,
  &hm_cmd_help, &hm_cmd_version, NULL
};

bool hm_command_has(const hm_command *c, const hm_option *global) {
  for (const hm_option *o = c->options; o && o->name; o++)
    if (strcmp(o->name, global->name) == 0) return true;
  return false;
}

const hm_command *hm_command_find(const char *name) {
  for (const hm_command *const *c = hm_commands; *c; c++)
    if (strcmp((*c)->name, name) == 0) return *c;
  return NULL;
}

/* An option that does nothing would hide a mistake. */
int hm_cli_check_taken(hm_cli *cli, const char *verb, const char *word, const char *takes) {
  for (const hm_option *o = cli->command->options; o->name; o++) {
    if (!hm_cli_option(cli, o->name)) continue;
    if (strstr(takes, hm_str_fmt(cli->a, " %s ", o->name).p)) continue;
    return hm_failf(&cli->err, HM_E_USAGE, hm_str_fmt(cli->a, "--%s", o->name).p,
                    hm_str_fmt(cli->a, "see 'hmirror %s --help'", verb).p,
                    "'%s %s' does not take it", verb, word);
  }
  return 0;
}

/* Verbs of other programs that people try, sorted, and what does that here. */
static const struct { const char *word, *instead;
} tried_verbs[] = {
  { "delete", "'hmirror edit ROW --set status=invalid' ends a row, 'hmirror redact' a secret" },
  { "detect", "'hmirror sweep' looks for contradictions" },
  { "dismiss", "'hmirror conflicts dismiss ID --reason TEXT'" },
  { "fix", "'hmirror conflicts resolve ID --winner MEMBER --notes TEXT' settles a conflict" },
  { "forget", "'hmirror redact' takes a value out of the store" },
  { "generate", "'hmirror build' makes the pages" },
  { "get", "'hmirror export' writes all rows, 'hmirror conflicts show ID' a conflict" },
  { "graph", "'hmirror subgraph ROW' shows rows and the links between them" },
  { "history", "'hmirror log' tells what each publication changed" },
  { "list", "'hmirror conflicts list' lists conflicts, 'hmirror export' all rows" },
  { "load", "'hmirror import FILE' stores facts, 'hmirror adopt' another program's store" },
  { "ls", "'hmirror conflicts list' lists conflicts, 'hmirror export' all rows" },
  { "merge", "nothing is merged: 'hmirror conflicts resolve ID --winner MEMBER' settles" },
  { "new", "'hmirror init' makes a mirror, 'hmirror add' a fact" },
  { "preview", "'hmirror serve' shows the pages as they change" },
  { "push", "'hmirror publish --push REMOTE' commits the pages and sends the branch" },
  { "remove", "'hmirror edit ROW --set status=invalid' ends a row, 'hmirror redact' a secret" },
  { "render", "'hmirror build' makes the pages" },
  { "reopen", "'hmirror conflicts reopen ID --reason TEXT'" },
  { "resolve", "'hmirror conflicts resolve ID --winner MEMBER --notes TEXT'" },
  { "run", "'hmirror sweep' looks for contradictions, 'hmirror build' makes the pages" },
  { "scan", "'hmirror sweep' looks for contradictions" },
  { "search",
    "'hmirror recall WORDS' finds rows, 'hmirror conflicts list --touching NAME' conflicts" },
  { "set", "'hmirror edit ROW --set FIELD=VALUE' changes a row" },
  { "settle", "'hmirror conflicts resolve ID --winner MEMBER --notes TEXT'" },
  { "show",
    "'hmirror conflicts show ID' shows a conflict, 'hmirror explain ID' says why it is"
    " one" },
  { "stats", "'hmirror health' counts rows and conflicts" },
  { "status", "'hmirror health' counts rows and conflicts; 'hmirror conflicts list'" },
  { "undo", "'hmirror conflicts reopen ID' takes a verdict back, 'hmirror restore ROW' a change" },
  { "update", "'hmirror edit ROW --set FIELD=VALUE' changes a row" },
  { "validate", "'hmirror import --dry-run FILE' tries a file, 'hmirror check' the pages" },
  { "watch",
    "'hmirror serve' shows the pages as they change, 'hmirror publish --watch' publishes"
    " them" },
  { "why", "'hmirror explain ID' says why a conflict is one" },
};

static const char *nth_verb(void *ctx, size_t i) {
  (void)ctx;
  return hm_commands[i] ? hm_commands[i]->name : NULL;
}

int hm_command_unknown(hm_cli *cli, const char *verb) {
  const char *fix = "see 'hmirror --help'", *near = hm_nearest(verb, nth_verb, NULL);
  if (near) fix = hm_str_fmt(cli->a, "did you mean '%s'? %s", near, fix).p;
  for (size_t i = 0; i < HM_COUNT(tried_verbs); i++)
    if (!strcmp(verb, tried_verbs[i].word)) fix = tried_verbs[i].instead;
  return hm_usage(cli, hm_str_fmt(cli->a, "%.60s", verb).p, "unknown verb", fix);
}
