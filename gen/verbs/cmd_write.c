/* The verbs that write one row: add, edit, promote, graduate.
 *
 * A valid row is stored whatever it contradicts; the answer names the conflicts beside it. */
#include <stdio.h>
#include <string.h>
#include "core/base/time.h"
#include "core/review/supersede.h"
#include "core/review/write.h"
#include "core/store/store.h"
#include "core/notes/notes.h"
#include "core/base/text.h"
#include "gen/check/check.h"
#include "gen/verbs/commands.h"
#include "gen/cli/conflict_text.h"
#include "gen/cli/row_options.h"

enum { VALUE_SHOWN = 40, READ_SHOWN = 20 };

/* --- the answer ------------------------------------------------------------------- */

static bool has_conflict(const hm_written *w, hm_str id) {
  size_t i = 0;
  while (i < w->n_conflicts && !hm_str_eq(w->conflicts[i].id, id))
    i++;
  return i < w->n_conflicts;
}

static bool list_has_id(hm_str id, const hm_str *ids, size_t n) {
  size_t i = 0;
  while (i < n && !hm_str_eq(ids[i], id))
    i++;
  return i < n;
}

static int print_conflict(hm_cli *cli, const hm_written *w, size_t i, bool dry) {
  hm_str id = w->conflicts[i].id;
  const hm_json *tree = hm_conflict_parse_answer(cli, &w->conflicts[i]);
  if (!tree)
    return -1;
  bool again = list_has_id(id, w->revived, w->n_revived),
       unknown = dry && list_has_id(id, w->opened, w->n_opened);
  const char *shown = hm_terminal_line(cli->a, id, VALUE_SHOWN);
  printf("%s⚠ disputed%s%s: %s  %s: %s", cli->yellow, again ? " again" : "", cli->plain, shown,
         hm_conflict_slot_text(cli, tree, 120),
         hm_terminal_line(cli->a, hm_conflict_format_values(cli->a, tree, VALUE_SHOWN), 240));
  if (unknown)
    puts("");
  else
    printf(" (hmirror conflicts show %s)\n", shown);
  return 0;
}

/* Conflicts that the write brought about between other rows. */
static void print_others(hm_cli *cli, const hm_written *w, const hm_str *ids, size_t n,
                         const char *again) {
  for (size_t i = 0; i < n; i++)
    if (!has_conflict(w, ids[i]))
      printf("%s⚠ disputed%s%s: %s, between other rows\n", cli->yellow, again, cli->plain,
             hm_terminal_line(cli->a, ids[i], VALUE_SHOWN));
}

/* "not known" of what is a gap, else the kind. */
static void print_findings(hm_cli *cli, const char *what, const hm_finding **f, size_t n) {
  for (size_t i = 0; i < n; i++) {
    bool gap = hm_str_starts(f[i]->rule, "gap/");
    printf("%s%s%s%s  %s\n", cli->cyan, what,
           gap ? "not known" : hm_terminal_line(cli->a, f[i]->kind, 40), cli->plain,
           hm_terminal_line(cli->a, f[i]->message, 300));
  }
}

/* Nothing was stored. */
static int print_rejected(hm_cli *cli, const hm_written *w, bool dry) {
  hm_buf b = { 0 };
  hm_jw j;
  if (!cli->json) {
    printf("%srejected: nothing was stored\n", dry ? "dry run, would be " : "");
    printf("%s\n", hm_terminal_line(cli->a, hm_met_text(w->met, w->n_met, cli->a), 0));
    return 0;
  }
  hm_jw_init(&j, &b, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_bool(&j, "dry_run", dry);
  hm_met_json(&j, w);
  hm_jw_end(&j);
  return hm_cli_print_json(cli, &b);
}

/* "read: p05 / spindle_speed: 55 rpm", or why nothing was read. */
static void print_reading(hm_cli *cli, const hm_row_reading *r) {
  for (size_t i = 0; i < r->n && i < READ_SHOWN; i++)
    printf("read: %s: %s\n", hm_terminal_line(cli->a, r->v[i].slot, 120),
           hm_terminal_line(cli->a, r->v[i].value, 120));
  if (r->n > READ_SHOWN)
    printf("read: %zu more\n", r->n - READ_SHOWN);
  if (r->unread.n)
    printf("nothing was read, so nothing can contradict it: %s\n",
           hm_terminal_line(cli->a, r->unread, 200));
}

static int print_written(hm_cli *cli, const hm_written *w, const char *done, bool dry) {
  const char *ref = hm_terminal_line(cli->a, w->ref, 0);
  if (cli->json) {
    hm_buf b = { 0 };
    hm_written_json(&b, w, dry, cli->a);
    return hm_cli_print_json(cli, &b);
  }
  if (cli->quiet)
    return puts(ref) < 0 ? -1 : 0;
  if (!w->changed)
    printf("%s: nothing to change\n", ref);
  else
    printf("%s%s: %s\n", dry ? "dry run, would be " : "", done, ref);
  print_reading(cli, &w->reading);
  for (size_t i = 0; i < w->n_conflicts; i++)
    if (print_conflict(cli, w, i, dry))
      return -1;
  print_others(cli, w, w->opened, w->n_opened, "");
  print_others(cli, w, w->revived, w->n_revived, " again");
  if (strcmp(w->action, "superseded") == 0)
    printf("superseded: %s\n", hm_terminal_line(cli->a, hm_met_text(w->met, w->n_met, cli->a), 0));
  for (size_t i = 0; i < w->n_quieted; i++)
    printf("no longer disputed, awaiting sign-off: %s\n",
           hm_terminal_line(cli->a, w->quieted[i], VALUE_SHOWN));
  print_findings(cli, "", w->findings, w->n_findings);
  print_findings(cli, "", w->appeared, w->n_appeared);
  print_findings(cli, "no longer ", w->vanished, w->n_vanished);
  hm_print_alike(cli, w->alike, w->n_alike);
  return 0;
}

/* What is written; each verb takes what it needs. */
typedef struct {
  hm_cli *cli;
  const hm_json *record;
  hm_str row;
  hm_layer layer;
  const char *supersedes;
  hm_policy policy;
} row_change;

typedef int write_fn(const row_change *c, hm_store *s, const hm_review *r, hm_arena *a,
                     hm_written *out, hm_err *err);

/* Opens the store, calls write and prints the answer. done: "added", for when it is no dry run. */
static int write_row(hm_cli *cli, write_fn *write, const row_change *c, const char *done) {
  hm_store *store = NULL;
  hm_written out;
  hm_review r = { 0 };
  if (hm_cli_begin_review(cli, "notes", &r, &store))
    return -1;
  hm_progress_phase(cli, "writing");
  hm_time began = hm_time_now();
  int rc = write(c, store, &r, cli->a, &out, &cli->err);
  hm_time ended = hm_time_now();
  hm_store_close(store);
  hm_progress_end_phase(cli);
  if (rc)
    return -1;
  hm_note_verbose(cli, "%s: written in %.2f ms", cli->mirror.store, (double)(ended - began) / 1000);
  if (strcmp(out.action, "rejected") == 0)
    return print_rejected(cli, &out, r.dry_run) ? -1 : HM_EXIT_FOUND;
  rc = print_written(cli, &out, done, r.dry_run);
  if (!cli->json)
    hm_cli_tell_warnings(cli, out.warnings, out.n_warnings, out.n_secrets);
  return rc;
}

#define WRITE_OPTIONS                                                                              \
  { "notes", 0, "TEXT", "why, for the journal" }, {                                                \
    "dry-run", 'n', NULL, "write nothing; say what would be written and contradicted"              \
  }

#define WRITE_EXITS                                                                                \
  "0  stored, whatever it contradicts\n2  trouble, with a message; nothing was stored\n"

/* --- add -------------------------------------------------------------------------- */

static int write_new(const row_change *c, hm_store *s, const hm_review *r, hm_arena *a,
                     hm_written *out, hm_err *err) {
  return c->supersedes
      ? hm_review_replace(s, r, c->layer, c->record, hm_str_c(c->supersedes), a, out, err)
      : hm_review_add_by(s, r, c->layer, c->record, c->policy, a, out, err);
}

static int run_add(hm_cli *cli) {
  static const struct {
    const char *word;
    hm_layer layer;
  } layers[] = {
    { "memory", HM_MEMORY },       { "entity", HM_ENTITY },     { "state", HM_STATE },
    { "project_state", HM_STATE }, { "relation", HM_RELATION },
  };
  const char *word = cli->args.words[0];
  row_change c = { .supersedes = hm_cli_get_option(cli, "supersedes") };
  for (size_t i = 0; i < HM_COUNT(layers); i++)
    if (strcmp(word, layers[i].word) == 0)
      c.layer = layers[i].layer;
  const char *policy = hm_cli_get_option(cli, "policy");
  if (policy && hm_policy_parse(hm_str_c(policy), &c.policy, &cli->err))
    return -1;
  if (policy && c.supersedes)
    return hm_fail(&cli->err, HM_E_USAGE, "add", "--policy and --supersedes exclude each other",
                   "give one of them");
  if (!c.layer)
    return hm_failf(&cli->err, HM_E_USAGE, "add",
                    "say 'add memory', 'add entity', 'add state' or 'add relation'",
                    "'%.60s' is none of the layers", word);
  return hm_build_record_from_options(cli, c.layer, &c.record)
      ? -1
      : write_row(cli, write_new, &c, "added");
}

static const hm_option add_options[] = {
  HM_ROW_OPTIONS_ENTITY,
  { "content", 0, "TEXT", "memory: what it says; else the words" },
  { "scope", 0, "TEXT", "memory" },
  { "agent", 0, "NAME", "memory: who noted it" },
  { "slot-rule", 0, "SLOT", "memory: the slot that it is about, outright" },
  { "tag", 0, "TAG", "memory, repeatable" },
  { "importance", 0, "N", "memory: from 0 to 1" },
  { "polarity", 0, "N", "memory: -1, 0 or 1" },
  { "category", 0, "C", "state" },
  { "key", 'k', "KEY", "state: what it is about; else the first word" },
  { "value", 0, "TEXT", "state: its value; else the other words" },
  { "value-json", 0, "JSON", "state: a number, true, false or an array" },
  { "supersedes", 0, "ROW", "the row of that layer that gives way to this one" },
  { "policy", 0, "P", "where it meets others: ignore, warn, supersede or raise; warn" },
  HM_ROW_OPTIONS_COMMON,
  WRITE_OPTIONS,
  { 0 }
};

const hm_command hm_cmd_add = {
  .name = "add",
  .words = "memory|entity|state|relation [WORD...]",
  .brief = "store one fact and say what it contradicts",
  .about =
      "Adds a memory (the words are its content), an entity (its name), a state (KEY VALUE)\n"
      "or a relation (FROM TYPE TO). A valid fact is always stored; what it contradicts is\n"
      "recorded as a conflict and shown, as is what rules find. Adding a second state with the\n"
      "same key keeps both; --supersedes names the row that gives way instead.\n",
  .options = add_options,
  .exits = WRITE_EXITS,
  .examples =
      "hmirror add state lateral_support_material GF-PTFE -p p05 --source 'design review 3'\n"
      "hmirror add memory -t preference -p p05 prefers rebase workflow\n"
      "hmirror add entity -t Parameter -p p05 -P parameter_name=mass -P value='4.8 kg' mass\n"
      "hmirror add state camera_exposure -p p05 --value-json 30 --supersedes s1\n"
      "hmirror add relation aldric MEMBER_OF guild --valid-from 3rd_age.year_300\n"
      "echo '{\"memory_type\":\"knowledge\",\"content\":\"area is 468\"}' | hmirror add memory "
      "--json -\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_add
};

/* --- edit ------------------------------------------------------------------------- */

/* What a document says is changed there: the next import would say it again. */
static int check_document(hm_store *s, const hm_named_row *row, hm_arena *a, hm_err *err) {
  const hm_row_name name = { row->layer, row->id };
  hm_snapshot *snap;
  if (hm_store_read_rows(s, &name, 1, a, &snap, err))
    return -1;
  hm_str *refs;
  if (!snap->n_rows || row->layer != HM_MEMORY ||
      !hm_sources_parse(a, HM_MEMORY, snap->details[0].source_refs, &refs) ||
      !hm_notes_is_line(row->id, refs[0]))
    return 0;
  return hm_failf(err, HM_E_STATE, hm_row_ref(a, &snap->rows[0]).p,
                  "change it there and import it again, or give --over", "%.*s says it",
                  HM_FMT(hm_text_cut(refs[0], 300)));
}

static int write_edit(const row_change *c, hm_store *s, const hm_review *r, hm_arena *a,
                      hm_written *out, hm_err *err) {
  hm_named_row row;
  if (hm_named_row_find(s, c->row, a, &row, err) ||
      (!hm_cli_get_option(c->cli, "over") && check_document(s, &row, a, err)) ||
      hm_add_source_to_patch(c->cli, row.layer, c->record))
    return -1;
  return hm_review_edit(s, r, c->row, c->record, a, out, err);
}

static int run_edit(hm_cli *cli) {
  row_change c = { .cli = cli, .row = hm_str_c(cli->args.words[0]) };
  if (hm_build_patch_from_options(cli, &c.record))
    return -1;
  if (!c.record->count)
    return hm_fail_usage(cli, "edit", "nothing to change is given",
                         "give --set NAME=VALUE or --property NAME=VALUE");
  return write_row(cli, write_edit, &c, "changed");
}

static const hm_option edit_options[] = {
  { "set", 's', "NAME=VALUE",
    "a column, repeatable; NAME:=JSON for anything but text, null clears" },
  { "property", 'P', "NAME=VALUE",
    "a property of an entity or relation, repeatable; NAME:=JSON as above" },
  { "source", 0, "REF", "where the new value is from, else you; repeatable, but of a state" },
  { "json", 0, "FILE|-", "the changes as a JSON object" },
  { "over", 0, NULL, "change what a document says, beside it" },
  WRITE_OPTIONS,
  { 0 }
};

const hm_command hm_cmd_edit = {
  .name = "edit",
  .words = "ROW",
  .brief = "change a row and say what it contradicts",
  .about = "Changes columns or properties of a row, named by kind:id or by an id that only one\n"
           "layer has. The journal keeps what the row said before. Superseded, invalid and\n"
           "graduated rows are history and stay as they are.\n",
  .options = edit_options,
  .exits = WRITE_EXITS,
  .examples = "hmirror edit s1 --set value='GF-PTFE 20 %' --notes 'as measured'\n"
              "hmirror edit entity:e1 -P value=PEEK --source 'trial 6' -P tolerance:=null\n"
              "hmirror edit m4 --set status=invalid --notes 'never said'\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_edit
};

/* --- promote, graduate ------------------------------------------------------------ */

static int write_promotion(const row_change *c, hm_store *s, const hm_review *r, hm_arena *a,
                           hm_written *out, hm_err *err) {
  return hm_review_promote(s, r, c->row, a, out, err);
}

static int run_promote(hm_cli *cli) {
  row_change c = { .row = hm_str_c(cli->args.words[0]) };
  return write_row(cli, write_promotion, &c, "promoted");
}

static const hm_option promote_options[] = { WRITE_OPTIONS, { 0 } };

const hm_command hm_cmd_promote = {
  .name = "promote",
  .words = "ROW",
  .brief = "make a candidate active and say what it contradicts",
  .about = "A candidate claims nothing and is in no conflict. Promoting it makes it active: what\n"
           "it contradicts is recorded as a conflict and shown.\n",
  .options = promote_options,
  .exits = WRITE_EXITS,
  .examples = "hmirror promote memory:m7 --by kim\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_promote
};

static int write_graduation(const row_change *c, hm_store *s, const hm_review *r, hm_arena *a,
                            hm_written *out, hm_err *err) {
  return hm_review_graduate(s, r, c->row, c->record, a, out, err);
}

static int run_graduate(hm_cli *cli) {
  row_change c = { .row = hm_str_c(cli->args.words[0]) };
  return hm_build_record_from_options(cli, HM_ENTITY, &c.record)
      ? -1
      : write_row(cli, write_graduation, &c, "graduated to");
}

static const hm_option graduate_options[] = {
  HM_ROW_OPTIONS_ENTITY, HM_ROW_OPTIONS_COMMON, WRITE_OPTIONS, { 0 }
};

const hm_command hm_cmd_graduate = {
  .name = "graduate",
  .words = "MEMORY [NAME...]",
  .brief = "make an entity of a memory",
  .about = "Adds an entity with the project, sources and confidence of the memory, unless options\n"
           "say otherwise. The memory gets the status graduated, points to the entity and cannot\n"
           "be edited any more. What the entity contradicts is recorded as a conflict and shown.\n",
  .options = graduate_options,
  .exits = WRITE_EXITS,
  .examples = "hmirror graduate m3 -t Decision -P decision_target='lateral support' \\\n"
              "  -P decision_field=material -P value=PEEK Lateral support material\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_graduate
};
