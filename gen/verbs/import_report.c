/* What an import did, as text and as JSON: import_report.h. */
#include "gen/verbs/import_report.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/shell.h"
#include "core/base/text.h"
#include "gen/check/check.h"
#include "gen/verbs/commands.h"

enum { NAMES_SHOWN = 10, UNREAD_SHOWN = 40 };

/* The counts of hm_import_counts, by the name that JSON has for them. */
static const struct {
  const char *name;
  size_t at;
} counted[] = {
  { "added", offsetof(hm_import_counts, added) },
  { "updated", offsetof(hm_import_counts, updated) },
  { "unchanged", offsetof(hm_import_counts, unchanged) },
  { "bad", offsetof(hm_import_counts, bad) },
  { "kept", offsetof(hm_import_counts, kept) },
  { "disagreed", offsetof(hm_import_counts, disagreed) },
  { "taken_out", offsetof(hm_import_counts, taken_out) },
  { "redacted", offsetof(hm_import_counts, redacted) },
  { "gone", offsetof(hm_import_counts, gone) },
  { "ended", offsetof(hm_import_counts, ended) },
  { "lines", offsetof(hm_import_counts, lines) },
  { "odd", offsetof(hm_import_counts, odd) },
  { "secrets", offsetof(hm_import_counts, secrets) },
};
enum { N_COUNTED = HM_COUNT(counted) };

static int64_t *counter_at(const hm_import_counts *c, size_t i) {
  return (int64_t *)((uintptr_t)c + counted[i].at);
}

bool hm_import_is_stdin(const char *name) { return strcmp(name, "-") == 0; }

void hm_import_add_counts(hm_import_counts *sum, const hm_import_counts *n) {
  for (size_t k = 0; k < N_COUNTED; k++)
    *counter_at(sum, k) += *counter_at(n, k);
}

/* --- JSON ----------------------------------------------------------------------------- */

static void write_counts_json(hm_jw *w, const hm_import_counts *c) {
  for (size_t i = 0; i < N_COUNTED; i++)
    hm_jw_int(w, counted[i].name, *counter_at(c, i));
}

static void write_changes_json(hm_jw *w, const hm_import_report *r) {
  hm_jw_arr(w, "changes");
  for (const hm_import_row_change *c = r->changes; c < r->changes + r->n_changes; c++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", c->ref);
    hm_jw_str(w, "change", c->added ? HM_STR("added") : HM_STR("updated"));
    hm_jw_strs(w, "keys", c->keys, c->n_keys);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

/* Lines of a document that follow each other and are not read for one reason. */
typedef struct {
  const char *name;
  uint32_t first, last;
  hm_notes_unread why;
} unread_lines;

static int by_line(const void *x, const void *y) {
  const hm_notes_unread_part *a = x, *b = y;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  return (int)a->why - (int)b->why;
}

/* By file and line, the first HM_IMPORT_TOLD_MAX of *all. Limits are told with their own words. */
static size_t list_unread(hm_cli *cli, const hm_import_report *r, unread_lines **out, size_t *all) {
  unread_lines last = { 0 }, *v = hm_alloc_array(cli->a, HM_IMPORT_TOLD_MAX, sizeof *v);
  size_t n = 0;
  *out = v;
  *all = 0;
  for (size_t i = 0; i < r->n; i++) {
    const hm_notes_told *t = &r->files[i].told;
    if (t->n_parts)
      qsort(t->parts, t->n_parts, sizeof *t->parts, by_line);
    last.name = NULL;
    for (const hm_notes_unread_part *p = t->parts; p < t->parts + t->n_parts; p++) {
      bool joins = last.name && p->why == last.why && p->line <= last.last + 1;
      last = (unread_lines){ r->files[i].name, joins ? last.first : p->line, p->line, p->why };
      *all += !joins;
      n = *all < HM_IMPORT_TOLD_MAX ? *all : HM_IMPORT_TOLD_MAX;
      if (*all == n)
        v[n - 1] = last;
    }
  }
  return n;
}

static void write_unread_json(hm_jw *w, hm_cli *cli, const hm_import_report *r) {
  unread_lines *v;
  size_t all, n = list_unread(cli, r, &v, &all);
  hm_jw_arr(w, "not_read_lines");
  for (size_t i = 0; i < n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "file", hm_str_c(v[i].name));
    hm_jw_int(w, "line", v[i].first);
    hm_jw_int(w, "last_line", v[i].last);
    hm_jw_str(w, "why", hm_str_c(hm_notes_unread_words(v[i].why)));
    hm_jw_end(w);
  }
  hm_jw_end(w);
}

static int print_import_json(hm_cli *cli, const hm_import_report *r) {
  static const char *const why[] = { [HM_KEPT_BY_VERDICT] = "verdict",
                                     [HM_KEPT_OTHER_SOURCE] = "disagreement",
                                     [HM_KEPT_REDACTED] = "redaction",
                                     [HM_KEPT_TAKEN_OUT] = "verdict" };
  const hm_settled *s = &r->settled;
  hm_jw *w = hm_cli_json_begin(cli);
  hm_jw_str(w, "store", hm_str_c(cli->mirror.store));
  hm_jw_bool(w, "dry_run", r->dry);
  write_counts_json(w, &r->sum);
  hm_jw_arr(w, "files");
  for (size_t i = 0; i < r->n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "file", hm_str_c(r->files[i].name));
    hm_jw_str(w, "source", r->files[i].source);
    write_counts_json(w, &r->files[i].counts);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  if (r->dry) {
    write_changes_json(w, r);
    write_unread_json(w, cli, r);
  }
  hm_jw_int(w, "settled_in_files", (int64_t)r->settled_lines);
  hm_jw_obj(w, "not_read");
  for (int k = 0; k < HM_N_NOTES_UNREAD; k++) {
    int64_t sum = 0;
    for (size_t i = 0; i < r->n; i++)
      sum += r->files[i].told.unread[k];
    if (sum)
      hm_jw_int(w, hm_notes_unread_words((hm_notes_unread)k), sum);
  }
  hm_jw_end(w);
  hm_jw_arr(w, "stays");
  for (const hm_import_kept_field *t = r->told; t < r->told + r->n_told; t++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "row", t->ref);
    hm_jw_str(w, "field", t->field);
    hm_jw_str(w, "why", hm_str_c(why[t->what]));
    hm_jw_strs(w, "sources", (const hm_str[]){ t->source, t->other },
               1 + (t->what == HM_KEPT_OTHER_SOURCE));
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_obj(w, "verdicts");
  hm_jw_int(w, "carried_out", s->counts[HM_SETTLED]);
  hm_jw_int(w, "known", s->counts[HM_SETTLED_BEFORE]);
  hm_jw_int(w, "waiting", s->counts[HM_SETTLE_WAITS]);
  hm_jw_int(w, "replaced", s->counts[HM_SETTLE_REPLACED]);
  hm_jw_arr(w, "stays_open");
  for (size_t i = 0; i < s->n; i++) {
    const hm_settled_verdict *v = &s->v[i];
    if (v->what != HM_SETTLE_UNFIT && v->what != HM_SETTLE_CONTESTED)
      continue;
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "conflict", v->conflict);
    hm_jw_str(w, "verdict", v->verdict);
    hm_jw_str(w, "why", v->why);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_end(w);
  hm_jw_arr(w, "warnings");
  for (size_t i = 0; i < r->n_names; i++)
    hm_jw_str(w, NULL, hm_new_name_words(&r->names[i], cli->a));
  for (size_t i = 0; i < r->n_odd; i++)
    hm_jw_str(w, NULL, r->odd[i]);
  for (size_t i = 0; i < r->n_secrets; i++)
    hm_jw_str(w, NULL, r->secrets[i]);
  hm_jw_end(w);
  return hm_cli_json_end(cli);
}

/* --- text ----------------------------------------------------------------------------- */

/* Prints what a dry run would change: the first rows, or under -v all that are kept. */
static void print_changes(hm_cli *cli, const hm_import_report *r) {
  size_t most = cli->verbose ? HM_IMPORT_TOLD_MAX : NAMES_SHOWN;
  int64_t all = r->sum.added + r->sum.updated;
  int64_t settled = r->settled.counts[HM_SETTLED];
  if (!r->dry || cli->quiet || !(r->n_changes || settled))
    return;
  puts("Would change:");
  if (settled)
    printf("  carry out %s\n", hm_format_count(cli->a, settled, "verdict"));
  for (size_t i = 0; i < r->n_changes && i < most; i++) {
    const hm_import_row_change *c = &r->changes[i];
    printf("  %s %s", c->added ? "add" : "update", hm_terminal_line(cli->a, c->ref, 120));
    for (size_t k = 0; k < c->n_keys && !c->added; k++)
      printf("%s %.*s", k ? "," : ":", HM_FMT(c->keys[k]));
    putchar('\n');
  }
  if (all > (int64_t)most)
    printf("  and %s more\n", hm_format_thousands(cli->a, all - (int64_t)most));
}

/* Prints the lines that a dry run does not read: the first ones, or under -v all that are kept. */
static void print_unread(hm_cli *cli, const hm_import_report *r) {
  unread_lines *v;
  size_t all, n = r->dry && !cli->quiet ? list_unread(cli, r, &v, &all) : 0;
  size_t most = cli->verbose ? HM_IMPORT_TOLD_MAX : UNREAD_SHOWN;
  if (n)
    puts("Not read:");
  for (size_t i = 0; i < n && i < most; i++) {
    printf("  %s:%u", hm_terminal_line(cli->a, hm_str_c(v[i].name), 200), v[i].first);
    if (v[i].last > v[i].first)
      printf("-%u: %s\n", v[i].last, hm_notes_unread_words(v[i].why));
    else
      printf(": %s\n", hm_notes_unread_word(v[i].why));
  }
  if (n && all > most)
    printf("  and %s more\n", hm_format_thousands(cli->a, (int64_t)(all - most)));
}

static const char *why_none(const hm_imported_file *f) {
  if (f->copy)
    return "it is a copy of a file beside it";
  if (f->went)
    return "it is not there any more";
  return f->file && f->file->size ? "nothing in it is a record" : "it is empty";
}

/* The source is named where the file's name does not say it. none: why it has no records. */
static void print_counts(hm_cli *cli, const char *name, hm_str source, const hm_import_counts *c,
                         const char *none) {
  printf("%s", name);
  if (source.n && !hm_str_is(source, name))
    printf(" (source %s)", hm_terminal_line(cli->a, source, 80));
  printf(": %s added, %s updated, %s unchanged", hm_format_thousands(cli->a, c->added),
         hm_format_thousands(cli->a, c->updated), hm_format_thousands(cli->a, c->unchanged));
  if (c->bad)
    printf(", %s", hm_format_count(cli->a, c->bad, "bad line"));
  if (!c->lines)
    printf(" (%s)", none);
  putchar('\n');
}

/* Fields that stay as they are, one by one, then what helps. What verdicts set has one line for
 * all. */
static void note_told(hm_cli *cli, const hm_import_report *r) {
  const hm_import_counts *n = &r->sum;
  int64_t shown = 0;
  const hm_import_kept_field *end = r->told + r->n_told;
  for (const hm_import_kept_field *t = r->told; t < end && shown < NAMES_SHOWN; t++) {
    if (t->what != HM_KEPT_OTHER_SOURCE && t->what != HM_KEPT_REDACTED)
      continue;
    const char *ref = hm_terminal_line(cli->a, t->ref, 120),
               *field = hm_terminal_line(cli->a, t->field, 80),
               *source = hm_terminal_line(cli->a, t->source, 80);
    shown++;
    if (t->what == HM_KEPT_REDACTED)
      hm_cli_warn(cli, "%s: %s: it was redacted and stays so; %s still says something here", ref,
                  field, source);
    else
      hm_cli_warn(cli, "%s: %s: %s and %s disagree; both stand, in conflict", ref, field, source,
                  hm_terminal_line(cli->a, t->other, 80));
  }
  if (n->disagreed + n->redacted > shown)
    hm_cli_warn(cli, "and %s more fields stay: see --format json",
                hm_format_thousands(cli->a, n->disagreed + n->redacted - shown));
  if (n->disagreed)
    hm_note(cli,
            "settle it with `hmirror conflicts resolve --winner ROW --from SOURCE`, or make the "
            "sources agree; a newer version of a source is imported with --source and that "
            "source's name");
  if (n->redacted)
    hm_note(cli,
            "take what was redacted out of the source; --override-verdicts takes what it says "
            "instead");
  if (n->kept)
    hm_cli_warn(cli,
                "%s the status that a verdict gave %s; --override-verdicts lets the import win",
                hm_format_count_plural(cli->a, n->kept, "row keeps", "rows keep"),
                n->kept == 1 ? "it" : "them");
  if (n->taken_out)
    hm_cli_warn(cli,
                "%s out of %s, since a verdict took %s out; --override-verdicts lets the import "
                "win",
                hm_format_count_plural(cli->a, n->taken_out, "field stays", "fields stay"),
                n->taken_out == 1 ? "its row" : "their rows", n->taken_out == 1 ? "it" : "them");
}

/* The command that ends what the file says no more. */
static const char *complete_command(hm_cli *cli, const hm_imported_file *f) {
  static const char *const kept[] = { "csv", "encoding", "source" };
  hm_str line = HM_STR("hmirror import --complete");
  for (size_t i = 0; i < HM_COUNT(kept); i++) {
    const char *value = hm_cli_get_option(cli, kept[i]);
    if (value)
      line = HM_CAT(cli->a, line, HM_STR(" --"), hm_str_c(kept[i]), HM_STR(" "),
                    hm_shell_quote_word(cli->a, hm_str_c(value), false));
  }
  if (!f->went && !f->copy) /* a copy alone would be a file of its own */
    return HM_CAT(cli->a, line, HM_STR(" "), hm_shell_quote_word(cli->a, hm_str_c(f->name), false))
        .p;
  for (size_t i = 0; i < cli->args.n_words; i++) /* its folder is one of them */
    line = HM_CAT(cli->a, line, HM_STR(" "),
                  hm_shell_quote_word(cli->a, hm_str_c(cli->args.words[i]), false));
  return line.p;
}

/* What a source no longer names. */
static void note_gone(hm_cli *cli, const hm_import_report *r) {
  for (size_t i = 0; i < r->n; i++) {
    const hm_imported_file *f = &r->files[i];
    const hm_source_config *c = hm_config_source(&cli->mirror.config, f->source);
    const char *then = "import it with --complete to end what it said of them";
    if (!f->counts.gone)
      continue;
    if (f->counts.ended)
      then = "what it said of them has ended";
    else if (c && c->complete)
      then =
          hm_str_fmt(cli->a, "%s, so nothing has ended: `%s` ends it",
                     f->went ? "more than half of its folder went" : "that is more than half of it",
                     complete_command(cli, f))
              .p;
    hm_cli_warn(cli, "%s no longer in %s; %s",
                hm_format_count_plural(cli->a, f->counts.gone, "row is", "rows are"),
                hm_terminal_line(cli->a, f->source, 80), then);
  }
}

/* A folder that is not here may be gone, or of another project. */
static void note_apart(hm_cli *cli, const hm_import_report *r) {
  const char *slash = r->n_apart ? memchr(r->apart.p, '/', r->apart.n) : NULL;
  if (!slash)
    return;
  hm_str folder = hm_str_sub(r->apart, 0, (size_t)(slash + 1 - r->apart.p));
  const char *shown = hm_terminal_line(cli->a, folder, 80);
  hm_cli_warn(cli,
              "%s is not in this folder, so what %s said stays; if it was deleted, make %s with an "
              "empty README.md and import it with --complete",
              shown, hm_format_count_plural(cli->a, (int64_t)r->n_apart, "source", "sources"),
              shown);
}

/* What of documents is no row: what could not be read always, the rest under -v and in a dry run.
 */
static void note_unread(hm_cli *cli, const hm_import_report *r) {
  int64_t sum[HM_N_NOTES_UNREAD] = { 0 };
  for (size_t i = 0; i < r->n; i++) {
    const hm_imported_file *f = &r->files[i];
    for (int k = 0; k < HM_N_NOTES_UNREAD; k++)
      sum[k] += f->told.unread[k];
    for (size_t k = 0; k < f->told.n_limits; k++)
      hm_cli_warn(cli, "%s:%u: not read: %s", f->name, f->told.limits[k].line,
                  f->told.limits[k].why);
    if (f->told.limit && !f->told.n_limits)
      hm_cli_warn(cli, "%s:%u: not read: %s", f->name, f->told.limit_line, f->told.limit);
  }
  hm_cli_note_unread(cli, sum, r->tree.tree, r->dry || cli->verbose);
}

int hm_import_print_report(hm_cli *cli, const hm_import_report *r) {
  int rc = r->sum.bad ? HM_EXIT_FOUND : HM_EXIT_FINE;
  if (cli->json)
    return print_import_json(cli, r) ? -1 : rc;
  print_changes(cli, r);
  print_unread(cli, r);
  for (size_t i = 0; i < r->n && !cli->quiet; i++)
    print_counts(cli, r->files[i].name, r->files[i].source, &r->files[i].counts,
                 why_none(&r->files[i]));
  if (r->n > 1 && !cli->quiet)
    print_counts(cli, "together", HM_EMPTY, &r->sum, "nothing was read");
  if (r->dry && !cli->quiet)
    puts("A dry run: nothing was stored.");
  if (r->settled_lines)
    hm_note(cli, "%s, by comments in the files",
            hm_format_count_plural(cli->a, (int64_t)r->settled_lines, "conflict is dismissed",
                                   "conflicts are dismissed"));
  note_unread(cli, r);
  note_told(cli, r);
  note_gone(cli, r);
  note_apart(cli, r);
  if (!r->dry)
    hm_warn_imported_verdicts(&cli->mirror, &r->settled, false);
  for (size_t i = 0; i < r->n_names && i < NAMES_SHOWN; i++)
    hm_note(cli, "%s", hm_terminal_line(cli->a, hm_new_name_words(&r->names[i], cli->a), 0));
  if (r->n_names > NAMES_SHOWN)
    hm_note(cli, "and %s more new names: see --format json",
            hm_format_thousands(cli->a, r->n_names - NAMES_SHOWN));
  for (size_t i = 0; i < r->n_odd && i < NAMES_SHOWN; i++)
    hm_cli_warn(cli, "%s", hm_terminal_line(cli->a, r->odd[i], 0));
  if (r->sum.odd > NAMES_SHOWN)
    hm_cli_warn(cli, "and %s more odd records: see --format json",
                hm_format_thousands(cli->a, r->sum.odd - NAMES_SHOWN));
  for (size_t i = 0; i < r->n_secrets && i < NAMES_SHOWN; i++)
    hm_cli_warn(cli, "%s", hm_terminal_line(cli->a, r->secrets[i], 0));
  if (r->sum.secrets > NAMES_SHOWN)
    hm_cli_warn(cli, "and %s more live secrets: see --format json",
                hm_format_thousands(cli->a, r->sum.secrets - NAMES_SHOWN));
  return rc;
}
