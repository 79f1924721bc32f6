/* The verb mcp: the agents' door over standard input and output, and the pages that it shows. */
#include <unistd.h>
#include "gen/cli/commands.h"
#include "gen/cli/draft_run.h"
#include "gen/mcp/mcp.h"
#include "gen/mirror/embedding.h"
#include "gen/mirror/watch.h"

static const hm_option mcp_options[] = {
  { "agent", 0, "NAME", "who the journal names, and whose memories they are; as the client says" },
  { "allow-verdicts", 0, NULL, "let the agent supersede and restore rows" },
  { 0 }
};

/* --- the pages as they are now --------------------------------------------------------------- */

/* Laid out when somebody asks, and again when anything changed since. */
typedef struct {
  const hm_cli *cli;
  hm_watcher *watcher;
  hm_draft_run *run;
} shown_pages;

static int lay_out(shown_pages *p, hm_err *err) {
  if (p->run && hm_watcher_poll(p->watcher) == HM_WATCH_STILL) return 0;
  hm_watcher_accept(p->watcher);
  hm_draft_run_free(p->run);
  p->run = NULL;
  return hm_draft_run_begin(p->cli, p->watcher, &p->run, err);
}

/* The page as it is laid out; it lives in a or with the run. */
static int draft_page(const shown_pages *p, hm_str path, hm_arena *a, hm_file *out, bool *found,
                      hm_err *err) {
  int state = hm_site_draft_file(p->run->made.draft, path, a, out, err);
  *found = state == HM_FILE_READY;
  return state < 0 ? -1 : 0;
}

static int read_page(void *ctx, hm_str path, hm_arena *a, hm_str *text, bool *found, hm_err *err) {
  shown_pages *p = ctx;
  hm_file file;
  *found = false;
  if (!hm_str_ends(path, ".md")) return 0;
  if (lay_out(p, err) || draft_page(p, path, a, &file, found, err)) return -1;
  if (*found) *text = hm_str_dup(a, file.bytes);
  return 0;
}

static int list_pages(void *ctx, hm_arena *a, hm_str **paths, size_t *n, hm_err *err) {
  shown_pages *p = ctx;
  hm_pages *pages;
  hm_file first;
  bool markdown = true;   /* the config may have none made */
  *n = 0;
  if (lay_out(p, err) || hm_pages_of(p->run->made.view, a, &pages, err)) return -1;
  if (pages->n && draft_page(p, pages->pages[0].path, a, &first, &markdown, err)) return -1;
  *paths = hm_alloc_array(a, pages->n, sizeof **paths);
  for (size_t i = 0; i < pages->n && markdown; i++)
    (*paths)[(*n)++] = hm_str_dup(a, pages->pages[i].path);
  return 0;
}

/* --- the verb -------------------------------------------------------------------------------- */

static int run_mcp(hm_cli *cli) {
  hm_api *api;
  hm_store *seen = NULL;
  hm_str agent = hm_str_c(hm_cli_option(cli, "agent"));
  const hm_store_source store = hm_mirror_source(&cli->mirror);
  shown_pages shown = { .cli = cli };
  const hm_mcp_pages pages = { .ctx = &shown, .list = list_pages, .read = read_page };
  hm_api_options api_opt = { .store = &store,
                             .rules = &cli->mirror.config.rules,
                             .by = agent.n ? agent : HM_STR("mcp"),
                             .busy_ms = HM_BUSY_MS,
                             .embedding_off = hm_embedding_off(&cli->mirror),
                             .embedding_named = cli->mirror.config.recall.url };
  if (hm_cli_option(cli, "agent") && !hm_actor_name_fits(agent))
    return hm_usage(cli, "--agent", "not a name", "give 1 to 200 bytes without control characters");
  if (hm_cli_option(cli, "by"))
    return hm_usage(cli, "--by", "an agent writes in its own name", "give --agent NAME");
  /* Reports a review file of another store before anybody asks. */
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &seen, &cli->err)) return -1;
  hm_store_close(seen);
  hm_phase(cli, "looking through the store");
  api_opt.embedding = hm_embedding_start(&cli->mirror);
  if (hm_api_open(&api_opt, &api, &cli->err)) {
    hm_embedding_stop(api_opt.embedding);
    return -1;
  }
  hm_phase_end(cli);
  shown.watcher = hm_watcher_new();
  hm_watcher_add_store(shown.watcher, &store);
  const bool may_judge = hm_cli_option(cli, "allow-verdicts") != NULL;
  const hm_mcp_options opt = { .api = api,
                               .pages = &pages,
                               .agent = agent,
                               .may_judge = may_judge };
  int rc = hm_mcp_serve(&opt, STDIN_FILENO, STDOUT_FILENO, &cli->err);
  hm_draft_run_free(shown.run);
  hm_watcher_free(shown.watcher);
  hm_embedding_stop(api_opt.embedding);
  hm_api_close(api);
  return rc;
}

const hm_command hm_cmd_mcp = {
  .name = "mcp",
  .words = "",
  .brief = "answer agents over the Model Context Protocol, on standard input and output",
  .about = "Speaks the Model Context Protocol with one client, which starts it: tools to recall,\n"
           "remember, check and explain, and the pages and conflicts as resources. An agent adds\n"
           "memories and entities; verdicts stay with people, unless --allow-verdicts is given.\n",
  .options = mcp_options,
  .exits = "0  the client ended the conversation\n2  trouble, with a message\n",
  .examples = "hmirror mcp -C ~/mirror\nhmirror mcp -C ~/mirror --agent ci-reviewer\n"
              "claude mcp add hmirror -- hmirror mcp -C ~/mirror\n",
  .run = run_mcp
};
