/* rules list|add|test|enable|disable|explain: the rules of a mirror, built in and in SQL. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/detect/rule_list.h"
#include "gen/verbs/commands.h"
#include "gen/cli/conflict_text.h"
#include "gen/mirror/files.h"
#include "gen/mirror/config.h"

static const hm_option rules_options[] = {
  { "id", 0, "ID", "add: its id, where the SQL is given by --sql" },
  { "description", 0, "TEXT", "add: what it holds to be wrong" },
  { "severity", 0, "info|warn|error", "add: warn" },
  { "sql", 0, "SELECT", "add: the rule itself" },
  { "replace", 0, NULL, "add: write over the rule of this id that the mirror has" },
  { 0 }
};

/* --- list and explain -------------------------------------------------------------------- */

/* A mirror without a store has nothing settled yet. NULL: cli->err is set. */
static const hm_listed_rule *all_rules(hm_cli *cli, size_t *n) {
  hm_store *store = NULL;
  hm_listed_rule *v;
  struct stat st;
  bool there = !stat(cli->mirror.store, &st) || errno != ENOENT;
  if (there && hm_mirror_open(&cli->mirror, HM_STORE_READ, &store, &cli->err))
    return NULL;
  int rc = hm_rule_list(&cli->mirror.config.rules, store, cli->a, &v, n, &cli->err);
  hm_store_close(store);
  return rc ? NULL : v;
}

static hm_str severity_of(const hm_cli *cli, const hm_listed_rule *r) {
  return hm_listed_rule_severity(&cli->mirror.config.rules, r);
}

static void write_rule_json(hm_cli *cli, hm_jw *j, const hm_listed_rule *r) {
  hm_listed_rule_json(j, &cli->mirror.config.rules, r);
}

/* "  (people settled 7, dismissed 5: less than half of what it finds stands)" */
static const char *verdict_words(hm_cli *cli, const hm_listed_rule *r) {
  if (r->settled < HM_VERDICTS_TOLD)
    return "";
  return hm_str_fmt(cli->a, "  (people settled %s, dismissed %s%s)",
                    hm_format_thousands(cli->a, r->settled),
                    hm_format_thousands(cli->a, r->dismissed),
                    2 * r->dismissed > r->settled ? ": less than half of what it finds stands" : "")
      .p;
}

static int run_list(hm_cli *cli) {
  size_t n;
  const hm_listed_rule *v = all_rules(cli, &n);
  if (!v)
    return -1;
  hm_jw *j = cli->json ? hm_cli_json_begin(cli) : NULL;
  if (j)
    hm_jw_arr(j, "rules");
  for (size_t i = 0; i < n; i++) {
    if (j)
      hm_jw_obj(j, NULL), write_rule_json(cli, j, &v[i]), hm_jw_end(j);
    else
      printf("%s%s%s  %s%s%s  %s%s\n", cli->bold, hm_terminal_line(cli->a, v[i].id, 0), cli->plain,
             cli->dim, v[i].off ? "off" : hm_terminal_line(cli->a, severity_of(cli, &v[i]), 0),
             cli->plain, hm_terminal_line(cli->a, hm_listed_rule_description(&v[i]), 200),
             verdict_words(cli, &v[i]));
  }
  if (!j)
    return HM_EXIT_FINE;
  hm_jw_end(j);
  hm_jw_int(j, "count", (int64_t)n);
  return hm_cli_json_end(cli);
}

static const hm_listed_rule *find_rule(hm_cli *cli, hm_str id) {
  size_t n;
  const hm_listed_rule *v = all_rules(cli, &n);
  if (!v)
    return NULL;
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(v[i].id, id))
      return &v[i];
  const char *help = hm_rule_suggest_name(&cli->mirror.config.rules, id, cli->a);
  hm_failf(&cli->err, HM_E_UNKNOWN, "rules", help ? help : "see 'hmirror rules list'",
           "no rule is '%.60s'", hm_str_z(cli->a, id));
  return NULL;
}

static void print_lines(hm_cli *cli, hm_str text) {
  for (size_t i = 0, end; i < text.n; i = end + 1) {
    const char *line_end = memchr(text.p + i, '\n', text.n - i);
    end = line_end ? (size_t)(line_end - text.p) : text.n;
    size_t indent = i;
    while (indent < end && text.p[indent] == ' ')
      indent++;
    printf("%*s%s\n", (int)(indent - i), "",
           hm_terminal_line(cli->a, hm_str_sub(text, indent, end), 0));
  }
}

static int run_explain(hm_cli *cli) {
  const hm_listed_rule *r = find_rule(cli, hm_str_c(cli->args.words[1]));
  if (!r || (r->sql && hm_sql_rule_check(r->sql, &cli->err)))
    return -1;
  if (cli->json) {
    hm_jw *j = hm_cli_json_begin(cli);
    write_rule_json(cli, j, r);
    if (r->sql)
      hm_jw_str(j, "sql", r->sql->text);
    return hm_cli_json_end(cli);
  }
  printf("%s%s%s: %s\n", cli->bold, hm_terminal_line(cli->a, r->id, 0), cli->plain,
         hm_terminal_line(cli->a, hm_listed_rule_description(r), 0));
  printf("It is %s, and yields a %s of severity %s (%s).\n", r->off ? "off" : "on",
         hm_listed_rule_yields(r), hm_terminal_line(cli->a, severity_of(cli, r), 0),
         hm_terminal_line(cli->a, hm_str_c(hm_listed_rule_source(r)), 0));
  if (!r->sql)
    return HM_EXIT_FINE;
  printf("It reads");
  for (size_t i = 0, k = 0; i < HM_SQL_TABLES; i++)
    if (r->sql->reads >> i & 1)
      printf("%s%s", k++ ? ", " : " ", hm_sql_table_name(i));
  puts(".");
  if (r->sql->section.n)
    printf("The overview has its findings under '%s'.\n",
           hm_terminal_line(cli->a, r->sql->section, 0));
  putchar('\n');
  print_lines(cli, r->sql->text);
  return HM_EXIT_FINE;
}

/* --- test --------------------------------------------------------------------------------- */

/* The rule of an id, or of a file. */
static const hm_sql_rule *rule_of(hm_cli *cli, const char *word) {
  hm_sql_rule *r = hm_alloc(cli->a, sizeof *r);
  hm_str text;
  const hm_sql_rule *known = hm_sql_rule_named(cli->mirror.config.rules.sql, hm_str_c(word));
  if (known)
    return known;
  if (!hm_str_ends(hm_str_c(word), ".sql") && access(word, F_OK)) {
    const hm_listed_rule *other = find_rule(cli, hm_str_c(word));
    if (other)
      hm_fail_usage(cli, "rules test", "this rule is built in, and has no SQL",
                    "see what it finds: hmirror sweep --dry-run");
    return NULL;
  }
  if (hm_file_read(cli->a, word, HM_SQL_RULE_MAX, HM_E_USAGE, &text, &cli->err) ||
      hm_sql_rule_parse(cli->a, text, word, r, &cli->err))
    return NULL;
  return r;
}

static int print_test(hm_cli *cli, const hm_sweep *w, const hm_sql_rule *r) {
  const hm_sql_rule_run *run = &w->sql.runs[0];
  hm_findings_sort(w->sql.findings, w->sql.n);
  if (cli->json) {
    hm_jw *j = hm_cli_json_begin(cli);
    hm_jw_str(j, "id", r->id);
    hm_jw_int(j, "steps", run->steps);
    hm_findings_json(j, w->sql.findings, w->sql.n);
    hm_jw_int(j, "count", (int64_t)w->sql.n);
    return hm_cli_json_end(cli);
  }
  hm_print_findings(cli, w->sql.findings, w->sql.n, cli->verbose ? SIZE_MAX : 20);
  if (!cli->quiet)
    printf("%s: %s in %s steps; nothing was recorded\n", hm_terminal_line(cli->a, r->id, 0),
           hm_format_count(cli->a, w->sql.n, "finding"),
           hm_format_thousands(cli->a, (uint64_t)run->steps));
  return HM_EXIT_FINE;
}

static int run_test(hm_cli *cli) {
  const hm_sql_rule *r = rule_of(cli, cli->args.words[1]);
  hm_sweep w;
  if (!r || hm_sql_rule_check(r, &cli->err))
    return -1;
  hm_sql_rule one = *r;
  hm_sql_rules only = { &one, 1 };
  one.off = false;
  cli->mirror.config.rules.sql = &only;
  cli->mirror.config.rules.n_off = 0;
  if (hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ .details = true }, &w, &cli->err))
    return -1;
  hm_progress_end_phase(cli);
  int rc = w.sql.runs[0].failed ? HM_EXIT_TROUBLE : print_test(cli, &w, r);
  hm_sweep_free(&w);
  return rc;
}

/* --- add ------------------------------------------------------------------------------------ */

/* A file from the options: the tables that it reads are those that its SQL names. */
static int text_of_options(hm_cli *cli, hm_str *out) {
  const char *id = hm_cli_get_option(cli, "id"), *about = hm_cli_get_option(cli, "description");
  const char *severity = hm_cli_get_option(cli, "severity"), *sql = hm_cli_get_option(cli, "sql");
  hm_sql_rule r;
  hm_buf b = { 0 };
  uint32_t reads = 0;
  if (!id || !about || !sql)
    return hm_fail_usage(cli, "rules add",
                         "a rule without a file needs --id, --description and --sql",
                         "or name its file: hmirror rules add FILE");
  hm_str all = hm_str_fmt(cli->a, "-- id: %s\n-- description: %s\n-- severity: %s\n-- reads: ", id,
                          about, severity ? severity : "warn");
  for (size_t i = 0; i < HM_SQL_TABLES; i++)
    reads |= UINT32_C(1) << i;
  hm_sql_rule try = { .file = "--sql", .text = hm_str_c(sql), .reads = reads };
  if (hm_sql_rule_find_tables(&try, &reads, &cli->err))
    return -1;
  hm_buf_str(&b, all);
  for (size_t i = 0, k = 0; i < HM_SQL_TABLES; i++)
    if (reads >> i & 1)
      hm_buf_fmt(&b, "%s%s", k++ ? ", " : "", hm_sql_table_name(i));
  hm_buf_fmt(&b, "\n\n%s\n", sql);
  *out = hm_buf_take(&b, cli->a);
  return hm_sql_rule_parse(cli->a, *out, "rules add", &r, &cli->err);
}

/* The rule of the mirror that stands in this file, or NULL: ids a/b and a-b name one file. */
static const hm_sql_rule *rule_in_file(hm_cli *cli, const char *folder, const char *path) {
  const hm_sql_rules *all = cli->mirror.config.rules.sql;
  for (size_t i = 0; i < all->n; i++)
    if (!all->rules[i].shipped &&
        strcmp(hm_path_join(cli->a, folder, all->rules[i].file + strlen("rules/")), path) == 0)
      return &all->rules[i];
  return NULL;
}

static int run_add(hm_cli *cli) {
  hm_sql_rule r;
  hm_str text;
  const char *word = cli->args.n_words > 1 ? cli->args.words[1] : NULL;
  if (word && hm_cli_get_option(cli, "sql"))
    return hm_fail_usage(cli, "rules add", "both a file and --sql", "give one of them");
  if (word ? hm_file_read(cli->a, word, HM_SQL_RULE_MAX, HM_E_USAGE, &text, &cli->err)
           : text_of_options(cli, &text))
    return -1;
  if (hm_sql_rule_parse(cli->a, text, word ? word : "rules add", &r, &cli->err) ||
      hm_sql_rule_check(&r, &cli->err))
    return -1;
  const char *folder = hm_config_rules_folder(cli->a, cli->mirror.config.file);
  const hm_sql_rule *known = hm_sql_rule_named(cli->mirror.config.rules.sql, r.id);
  const char *path = hm_rule_file_path(cli->a, folder, r.id);
  const hm_rule_table *built_in = hm_config_rule_table(NULL);
  for (size_t i = 0; i < built_in->n; i++)
    if (hm_str_is(r.id, built_in->rules[i].name))
      return hm_failf(&cli->err, HM_E_USAGE, word ? word : "rules add", "give it another id",
                      "its id '%.64s' is that of a built-in rule", r.id.p);
  if (known && !known->shipped)
    path = hm_path_join(cli->a, folder, known->file + strlen("rules/"));
  const hm_sql_rule *other = rule_in_file(cli, folder, path);
  if (other && !hm_str_eq(other->id, r.id))
    return hm_failf(&cli->err, HM_E_USAGE, path, "give this rule another id, or rename that file",
                    "it holds the rule '%.64s'", other->id.p);
  if (!access(path, F_OK) && !hm_cli_get_option(cli, "replace"))
    return hm_failf(&cli->err, HM_E_USAGE, path, "give --replace, or another id",
                    "the mirror has a rule '%.64s' already", r.id.p);
  if (hm_make_parent_folders(cli->a, path, &cli->err) || hm_file_write(path, text, &cli->err))
    return -1;
  if (cli->json) {
    hm_jw *j = hm_cli_json_begin(cli);
    hm_jw_str(j, "id", r.id);
    hm_jw_str(j, "file", hm_str_c(path));
    return hm_cli_json_end(cli);
  }
  if (!cli->quiet)
    printf("%s: written to %s%s\n", r.id.p, path,
           known && known->shipped ? ", in place of the shipped rule" : "");
  return HM_EXIT_FINE;
}

/* --- enable and disable ----------------------------------------------------------------------- */

static int switch_rules(hm_cli *cli, bool on) {
  const char *file = cli->mirror.config.file ? cli->mirror.config.file : "mirror.yml";
  hm_str bytes = HM_EMPTY, now;
  struct stat st;
  if ((!stat(file, &st) || errno != ENOENT) &&
      hm_file_read(cli->a, file, HM_CONFIG_MAX, HM_E_USAGE, &bytes, &cli->err))
    return -1;
  now = bytes;
  for (size_t i = 1; i < cli->args.n_words; i++) {
    hm_str id = hm_str_c(cli->args.words[i]), before = now;
    /* A name that is off may be that of a rule that went. */
    if (!(on && hm_rule_is_off(&cli->mirror.config.rules, id)) && !find_rule(cli, id))
      return -1;
    if (hm_switch_rule_in_config(cli->a, before, file, id, on, &now, &cli->err))
      return -1;
    if (!cli->quiet && !cli->json)
      printf("%s: %s %s\n", hm_terminal_line(cli->a, id, 0),
             hm_str_eq(before, now) ? "was" : "is now", on ? "on" : "off");
  }
  if (!hm_str_eq(bytes, now) && hm_file_write(file, now, &cli->err))
    return -1;
  if (!cli->json)
    return HM_EXIT_FINE;
  hm_jw *j = hm_cli_json_begin(cli);
  hm_jw_bool(j, "changed", !hm_str_eq(bytes, now));
  return hm_cli_json_end(cli);
}

static int run_enable(hm_cli *cli) { return switch_rules(cli, true); }
static int run_disable(hm_cli *cli) { return switch_rules(cli, false); }

/* --- actions -------------------------------------------------------------------------- */

static const struct {
  const char *name, *needs;
  size_t most;
  int (*run)(hm_cli *cli);
} actions[] = {
  { "list", NULL, 1, run_list },
  { "add", NULL, 2, run_add },
  { "test", "name a rule, or the file of one", 2, run_test },
  { "enable", "name a rule: see 'hmirror rules list'", SIZE_MAX, run_enable },
  { "disable", "name a rule: see 'hmirror rules list'", SIZE_MAX, run_disable },
  { "explain", "name a rule: see 'hmirror rules list'", 2, run_explain },
};

static int run_rules(hm_cli *cli) {
  size_t n = cli->args.n_words;
  int i = hm_cli_find_action(cli, cli->args.words[0], actions, HM_COUNT(actions), sizeof *actions);
  if (i < 0)
    return -1;
  const char *what = hm_str_fmt(cli->a, "rules %s", actions[i].name).p;
  if (n < 2 && actions[i].needs)
    return hm_fail_usage(cli, what, "the rule is missing", actions[i].needs);
  if (n > actions[i].most)
    return hm_fail_usage(cli, what, "too many words", "see 'hmirror rules --help'");
  for (const hm_option *o = rules_options; o->name && i != 1; o++)
    if (hm_cli_get_option(cli, o->name))
      return hm_fail_usage(cli, hm_str_fmt(cli->a, "--%s", o->name).p, "only 'rules add' takes it",
                           NULL);
  return actions[i].run(cli);
}

const hm_command hm_cmd_rules = {
  .name = "rules",
  .words = "list|add|test|enable|disable|explain [ID|FILE]",
  .brief = "list, add, try or switch the rules of a sweep",
  .about = "A rule is built in, comes with the program as SQL, or is a file rules/NAME.sql of the\n"
           "mirror. 'add' checks a file and copies it there; 'test' runs one and records nothing;\n"
           "'enable' and 'disable' edit rules.off in mirror.yml, and no other line of it.\n"
           "'list' says of a rule how many of its conflicts people settled and dismissed.\n",
  .options = rules_options,
  .exits = HM_EXITS_USUAL,
  .examples =
      "hmirror rules list\nhmirror rules test no-two-kings.sql\n"
      "hmirror rules add no-two-kings.sql\nhmirror rules disable engineering/requirement-unmet\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_rules
};
