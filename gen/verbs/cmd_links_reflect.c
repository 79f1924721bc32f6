/* link, unlink, neighbors, subgraph: links between rows, and the graph that they make; reflect:
 * several episodic memories become one. */
#include <stdio.h>
#include <string.h>
#include "core/review/links.h"
#include "core/review/write.h"
#include "gen/verbs/commands.h"
#include "gen/cli/conflict_text.h"

enum { REF_SHOWN = 200, TEXT_SHOWN = 100, REL_SHOWN = 60, DAY = 10 };

/* --- link, unlink -------------------------------------------------------------------- */

static int print_report(hm_cli *cli, const hm_link_report *r, const char *done, const char *none) {
  if (cli->json) {
    hm_buf b = { 0 };
    hm_link_report_json(&b, r);
    return hm_cli_print_json(cli, &b);
  }
  for (size_t i = 0; i < r->n_links && !cli->quiet; i++)
    printf("%s%s: %s %s %s\n", r->changed && r->dry_run ? "dry run, would be " : "",
           r->changed ? done : "linked already",
           hm_terminal_line(cli->a, r->links[i].src, REF_SHOWN),
           hm_terminal_line(cli->a, r->links[i].rel, REL_SHOWN),
           hm_terminal_line(cli->a, r->links[i].dst, REF_SHOWN));
  if (!r->n_links && !cli->quiet)
    puts(none);
  hm_cli_tell_warnings(cli, r->warnings, r->n_warnings, r->n_secrets);
  return 0;
}

typedef int link_fn(hm_store *s, const hm_review *r, hm_str src, hm_str dst, hm_str rel,
                    hm_arena *a, hm_link_report *out, hm_err *err);

static int write_link(hm_cli *cli, link_fn *fn, const char *done, const char *none) {
  hm_store *store = NULL;
  hm_link_report report;
  const char *const *words = cli->args.words;
  hm_review r = { 0 };
  if (hm_cli_begin_review(cli, "notes", &r, &store))
    return -1;
  int rc = fn(store, &r, hm_str_c(words[0]), hm_str_c(words[1]),
              hm_str_c(hm_cli_get_option(cli, "rel")), cli->a, &report, &cli->err);
  hm_store_close(store);
  hm_progress_end_phase(cli);
  return rc ? -1 : print_report(cli, &report, done, none);
}

static int run_link(hm_cli *cli) { return write_link(cli, hm_review_link, "linked", ""); }

static int run_unlink(hm_cli *cli) {
  return write_link(cli, hm_review_unlink, "unlinked", "No such link.");
}

static const hm_option link_options[] = { { "rel", 0, "REL",
                                            "in what relation SRC stands to DST; related" },
                                          { "notes", 0, "TEXT", "why, for the journal" },
                                          { "dry-run", 'n', NULL, "write nothing" },
                                          { 0 } };

const hm_command hm_cmd_link = {
  .name = "link",
  .words = "SRC DST",
  .brief = "link a row with another",
  .about =
      "Says that SRC (kind:id, or an id that only one row has) refines, derived_from, example_of,\n"
      "contradicts, supersedes or is related to DST, or stands in any relation of your own to it.\n"
      "An inverse word, as in 'A refined_by B', is stored as 'B refines A'. A link changes no row\n"
      "and no conflict comes of it. The same link again changes nothing; 'unlink' undoes it.\n",
  .options = link_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror link memory:m7 memory:m2 --rel refines\n"
              "hmirror link memory:m4 entity:e12 --rel example_of --notes 'at night' --by kim\n",
  .least_words = 2,
  .most_words = 2,
  .run = run_link
};

static const hm_option unlink_options[] = {
  { "rel", 0, "REL", "only the link with this relation; all from SRC to DST" },
  { "notes", 0, "TEXT", "why, for the journal" },
  { "dry-run", 'n', NULL, "write nothing" },
  { 0 }
};

const hm_command hm_cmd_unlink = {
  .name = "unlink",
  .words = "SRC DST",
  .brief = "take links from a row to another away",
  .about = "Removes the link from SRC to DST that --rel names, or all of them. The journal keeps\n"
           "them, and an import that brings one again changes nothing; 'link' brings it back.\n"
           "A superseded row stays so: that is for 'restore'.\n",
  .options = unlink_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror unlink memory:m7 memory:m2 --rel refines\n",
  .least_words = 2,
  .most_words = 2,
  .run = run_unlink
};

/* --- the walk ------------------------------------------------------------------------ */

static int read_filter(hm_cli *cli, hm_link_filter *f) {
  hm_str *rels;
  long depth = 1, cap = HM_LINK_CAP;
  const char *direction = hm_cli_get_option(cli, "direction");
  if (direction && !hm_link_direction_parse(hm_str_c(direction), &f->direction))
    return hm_fail_usage(cli, "--direction", "say out, in or both", NULL);
  if (hm_cli_read_count(cli, "depth", HM_LINK_DEPTH_MAX, &depth) ||
      hm_cli_read_count(cli, "cap", HM_LINK_CAP, &cap))
    return -1;
  f->depth = (int)depth;
  f->cap = (size_t)cap;
  f->n_rels = hm_args_list(&cli->args, "rel", cli->a, &rels);
  f->rels = rels;
  return 0;
}

static int walk_links(hm_cli *cli, const hm_link_filter *f, bool edges, hm_link_graph *g,
                      hm_standings **standings) {
  hm_cli_answers now;
  hm_str *starts = hm_alloc_array(cli->a, cli->args.n_words, sizeof *starts);
  for (size_t i = 0; i < cli->args.n_words; i++)
    starts[i] = hm_str_c(cli->args.words[i]);
  if (hm_cli_open_answers(cli, &now))
    return -1;
  int rc = hm_links_walk(now.store, starts, cli->args.n_words, f, edges, cli->a, g, &cli->err);
  if (!rc) {
    hm_str *refs = hm_alloc_array(cli->a, g->n + 1, sizeof *refs);
    for (size_t i = 0; i < g->n; i++)
      refs[i] = g->nodes[i].ref;
    rc = hm_standings_read(&now.from, refs, g->n, cli->a, standings, &cli->err);
  }
  hm_cli_close_answers(&now);
  return rc;
}

static void print_card(hm_cli *cli, const hm_link_node *x, const hm_standings *standings,
                       int indent) {
  bool active = hm_str_is(x->status, "active");
  printf("%s%s%s (%s%s%s)  %s\n", cli->bold, hm_terminal_line(cli->a, x->ref, REF_SHOWN),
         cli->plain, hm_terminal_line(cli->a, x->type, REL_SHOWN), active || !x->type.n ? "" : ", ",
         active ? "" : hm_terminal_line(cli->a, x->status, REL_SHOWN),
         hm_terminal_line(cli->a, x->text, TEXT_SHOWN));
  hm_print_standing(cli, hm_standing_of(standings, x->ref), indent);
}

/* "refines", and from the other end "refined_by"; a word without an inverse gets an arrow. Behind
 * it who drew the link, and when. */
static const char *words_of(hm_cli *cli, const hm_link_node *x) {
  hm_str inverse = hm_rel_inverse(x->rel), drawn = HM_EMPTY;
  const char *rel = hm_terminal_line(cli->a, x->in && inverse.n ? inverse : x->rel, REL_SHOWN);
  if (x->past.by.n)
    drawn = hm_str_fmt(cli->a, " (%s, %.*s)", hm_terminal_line(cli->a, x->past.by, REL_SHOWN),
                       HM_FMT(hm_str_sub(x->past.at, 0, DAY)));
  return hm_str_fmt(cli->a, "%s%s%.*s", x->in && !inverse.n ? "<- " : "", rel, HM_FMT(drawn)).p;
}

static void print_rest(hm_cli *cli, const hm_link_graph *g, size_t cap) {
  for (size_t i = 0; i < g->n_dangling; i++)
    printf("dangling, there is no such row: %s\n",
           hm_terminal_line(cli->a, g->dangling[i], REF_SHOWN));
  if (g->cut)
    printf("and more: the first %zu are shown, see --cap\n", cap);
}

/* Below the row that each was reached from. */
static void print_tree(hm_cli *cli, const hm_link_graph *g, size_t at,
                       const hm_standings *standings, int indent) {
  print_card(cli, &g->nodes[at], standings, 2 * indent + 4);
  for (size_t i = at + 1; i < g->n; i++) {
    if (!g->nodes[i].depth || !hm_str_eq(g->nodes[i].from, g->nodes[at].ref))
      continue;
    printf("%*s%s%s%s ", 2 * indent + 2, "", cli->dim, words_of(cli, &g->nodes[i]), cli->plain);
    print_tree(cli, g, i, standings, indent + 1);
  }
}

static int run_neighbors(hm_cli *cli) {
  hm_link_filter f = { .relations = true };
  hm_link_graph g;
  hm_standings *standings = NULL;
  if (read_filter(cli, &f) || walk_links(cli, &f, false, &g, &standings))
    return -1;
  if (cli->json) {
    hm_neighbors_json(hm_cli_json_begin(cli), &g, f.depth, hm_standing_tell, standings);
    return hm_cli_json_end(cli);
  }
  print_tree(cli, &g, 0, standings, 0);
  if (g.n == 1 && !g.n_dangling && !cli->quiet)
    puts("No links.");
  print_rest(cli, &g, f.cap);
  return HM_EXIT_FINE;
}

static int run_subgraph(hm_cli *cli) {
  hm_link_filter f = { .relations = true };
  hm_link_graph g;
  hm_standings *standings = NULL;
  if (read_filter(cli, &f) || walk_links(cli, &f, true, &g, &standings))
    return -1;
  if (cli->json) {
    hm_subgraph_json(hm_cli_json_begin(cli), &g, f.depth, hm_standing_tell, standings);
    return hm_cli_json_end(cli);
  }
  for (size_t i = 0; i < g.n; i++)
    print_card(cli, &g.nodes[i], standings, 2);
  for (size_t i = 0; i < g.n_edges; i++)
    printf("%s %s %s\n", hm_terminal_line(cli->a, g.edges[i].src, REF_SHOWN),
           hm_terminal_line(cli->a, g.edges[i].rel, REL_SHOWN),
           hm_terminal_line(cli->a, g.edges[i].dst, REF_SHOWN));
  if (!g.n_edges && !g.n_dangling && !cli->quiet)
    puts("No links.");
  print_rest(cli, &g, f.cap);
  return HM_EXIT_FINE;
}

#define WALK_OPTIONS                                                                               \
  { "rel", 0, "REL,REL", "only links with these relations, repeatable; all" },                     \
      { "direction", 0, "D", "out, in or both; both" },                                            \
      { "depth", 0, "N", "so many links away, 1 to 100; 1" }, {                                    \
    "cap", 0, "N", "so many rows at most, 1 to 1000; 1000"                                         \
  }

static const hm_option walk_options[] = { WALK_OPTIONS, { 0 } };

const hm_command hm_cmd_neighbors = {
  .name = "neighbors",
  .words = "ROW",
  .brief = "show the rows that a row is linked with",
  .about =
      "Walks links from ROW (kind:id, or an id that only one row has), both ways unless told\n"
      "otherwise, and shows each row once, by a shortest way, whatever its status. An inverse\n"
      "word means its links the other way round: '--rel refined_by --direction out' finds what\n"
      "refines ROW. Ends of links that are no row are listed.\n",
  .options = walk_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror neighbors memory:m7\n"
              "hmirror neighbors m7 --rel derived_from --direction out --depth 5 --format json\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_neighbors
};

const hm_command hm_cmd_subgraph = {
  .name = "subgraph",
  .words = "ROW...",
  .brief = "show rows and all links between them",
  .about = "Walks links from each ROW as 'neighbors' does, and shows the rows that it reached and\n"
           "all links between any two of them.\n",
  .options = walk_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror subgraph memory:m7 --depth 2\n"
              "hmirror subgraph m7 m9 --rel refines,example_of --cap 50 --format json\n",
  .least_words = 1,
  .most_words = -1,
  .run = run_subgraph
};

/* --- reflect ---------------------------------------------------------------------------------- */

/* The values of --ids, and the words. */
static size_t read_ids(hm_cli *cli, hm_str **out) {
  hm_str *given;
  size_t n = hm_args_list(&cli->args, "ids", cli->a, &given);
  *out = hm_alloc_array(cli->a, n + cli->args.n_words, sizeof **out);
  if (n)
    memcpy(*out, given, n * sizeof **out);
  for (size_t i = 0; i < cli->args.n_words; i++)
    (*out)[n++] = hm_str_c(cli->args.words[i]);
  return n;
}

static void print_redacted(hm_cli *cli, const hm_reflected *r, bool dry) {
  const hm_redacted *d = &r->redacted;
  printf("%s: %s\n", dry ? "would be redacted" : "redacted",
         hm_format_count_plural(cli->a, d->n_changed, "memory", "memories"));
  for (size_t i = 0; i < d->n_others; i++)
    printf("holds what one of them said, and stays: %s\n",
           hm_terminal_line(cli->a, hm_redact_shown(d, d->others[i], cli->a), REF_SHOWN));
  if (d->not_compacted.code)
    hm_cli_warn(cli, "the file could not be rewritten, and may still hold it: %s",
                d->not_compacted.why);
}

static int print_reflected(hm_cli *cli, const hm_reflected *r, bool dry) {
  const hm_written *w = &r->written;
  const char *ref = hm_terminal_line(cli->a, w->ref, REF_SHOWN);
  if (cli->json) {
    hm_buf b = { 0 };
    hm_reflected_json(&b, r, dry, cli->a);
    return hm_cli_print_json(cli, &b);
  }
  if (cli->quiet)
    return puts(ref) < 0 ? -1 : 0;
  printf("%s: %s\n", dry ? "dry run, would be added" : "added", ref);
  for (size_t i = 0; i < r->n_sources; i++)
    printf("  derived_from %s, superseded\n", hm_terminal_line(cli->a, r->sources[i], REF_SHOWN));
  if (r->hard)
    print_redacted(cli, r, dry);
  for (size_t i = 0; i < w->n_conflicts; i++)
    printf("%s⚠ disputed%s: %s\n", cli->yellow, cli->plain,
           hm_terminal_line(cli->a, w->conflicts[i].id, REF_SHOWN));
  for (size_t i = 0; i < w->n_quieted; i++)
    printf("no longer disputed, awaiting sign-off: %s\n",
           hm_terminal_line(cli->a, w->quieted[i], REF_SHOWN));
  hm_cli_tell_warnings(cli, w->warnings, w->n_warnings, w->n_secrets);
  return 0;
}

static int run_reflect(hm_cli *cli) {
  hm_store *store = NULL;
  hm_reflected out;
  hm_str *ids;
  hm_reflect_order order = { .n_rows = read_ids(cli, &ids),
                             .text = hm_str_c(hm_cli_get_option(cli, "text")),
                             .type = hm_str_c(hm_cli_get_option(cli, "type")),
                             .project = hm_str_c(hm_cli_get_option(cli, "project")),
                             .id = hm_str_c(hm_cli_get_option(cli, "id")),
                             .hard = hm_cli_get_option(cli, "hard") };
  hm_review r = { 0 };
  order.rows = ids;
  if (hm_cli_begin_review(cli, "reason", &r, &store))
    return -1;
  hm_progress_phase(cli, "writing");
  int rc = hm_review_reflect(store, &r, &order, cli->a, &out, &cli->err);
  hm_store_close(store);
  hm_progress_end_phase(cli);
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
