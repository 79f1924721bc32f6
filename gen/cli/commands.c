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
  &hm_cmd_graduate,
  &hm_cmd_sweep, &hm_cmd_build, &hm_cmd_publish, &hm_cmd_check, &hm_cmd_verify, &hm_cmd_conflicts,
  &hm_cmd_supersede, &hm_cmd_restore, &hm_cmd_redact,
  &hm_cmd_explain, &hm_cmd_log, &hm_cmd_diff, &hm_cmd_health, &hm_cmd_serve, &hm_cmd_theme,
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

static const char *nth_verb(void *ctx, size_t i) {
  (void)ctx;
  return hm_commands[i] ? hm_commands[i]->name : NULL;
}

int hm_command_unknown(hm_cli *cli, const char *verb) {
  const char *near = hm_nearest(verb, nth_verb, NULL);
  const char *fix = "see 'hmirror --help'";
  if (near) fix = hm_str_fmt(cli->a, "did you mean '%s'? %s", near, fix).p;
  return hm_usage(cli, hm_str_fmt(cli->a, "%.60s", verb).p, "unknown verb", fix);
}
